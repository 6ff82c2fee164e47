/* text_file.h - reading a text file as it is. */
#ifndef TN_TEXT_FILE_H
#define TN_TEXT_FILE_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* Why a text cannot be used; line 0 when no place is to blame. Columns are counted in code points. */
typedef struct tn_text_failure {
    uint32_t line, column;
    char text[TN_LONGEST_REASON];
} tn_text_failure;

/* The whole file (malloc'd, with a NUL behind it), or NULL after filling `failure`. A byte order mark is left out. */
char *tn_text_file_read(const char *path, size_t *length, tn_text_failure *failure);

#endif
