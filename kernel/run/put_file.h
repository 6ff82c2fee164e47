/* put_file.h - a file of the results that is there as a whole, or not at all: it is written under another name first. */
#ifndef TN_PUT_FILE_H
#define TN_PUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_file_part {
    const void *bytes;
    size_t size;
} tn_file_part;

/* Where it goes, and what it is called meanwhile: what a killed run has left under that name is removed. */
typedef struct tn_file_place {
    int directory;
    const char *name, *in_work;
    bool lasting; /* it is on the disk when it is there */
} tn_file_place;

/* False with errno: what was there under its name is as it was. Signal handlers call it, too. */
bool tn_put_file(const tn_file_place *place, const tn_file_part *part, size_t parts);

#endif
