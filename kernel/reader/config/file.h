/* file.h - opening files that have an end. */
#ifndef TN_FILE_H
#define TN_FILE_H

#include <stdio.h>

/* Opens a file for reading; NULL with the reason. What is no regular file is refused without waiting for it: a FIFO may have
 * nobody who writes, and a device no end. */
FILE *tn_file_open(const char *path, const char **reason);

#endif
