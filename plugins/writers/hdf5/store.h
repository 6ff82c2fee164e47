/* store.h - the file of the writer hdf5: groups, datasets with units and dimensions, written piece by piece. An error is reported once,
 * with the name of the file; then nothing more happens, and `status` says so at the end. */
#ifndef TENON_HDF5_STORE_H
#define TENON_HDF5_STORE_H

#include "tenon/draft/recording.h"

#include <hdf5.h>
#include <hdf5_hl.h>

typedef struct store {
    const tn_host *host;
    int64_t level; /* of compression, 0 to 9 */
    bool single;   /* positions, rotations and forces have 32 bits */
    tn_status status;
    int *disk_error;            /* errno or 0; HDF5 does not know of it (see disk.h) */
    hid_t driver, file, string; /* the type of texts of any length */
    char path[4096];
} store;

/* Dimensions of a dataset: their sizes, and the datasets that name what stands along them. */
typedef struct store_shape {
    int rank;
    hsize_t size[4], chunk[4]; /* a chunk of 0 in front: no chunks */
    hid_t scale[4];
} store_shape;

tn_status store_open(store *to, const char *folder, const char *name);
tn_status store_close(store *to);

/* TN_FATAL, and a message at first, where the result of a call is negative. */
bool store_good(store *to, int64_t result);
void store_lacks_memory(store *to);

hid_t store_group(store *to, const char *name);
void store_group_close(store *to, hid_t group);

/* A dataset of a name like the one that is wanted: slashes are replaced, and a number is added where it is taken. */
hid_t store_dataset(store *to, hid_t group, const char *name, hid_t type, const store_shape *shape);
void store_dataset_close(store *to, hid_t dataset);
/* Makes a dataset a scale, along which others are. */
void store_make_scale(store *to, hid_t dataset, const char *name);

void store_text(store *to, hid_t object, const char *name, const char *text);
void store_texts(store *to, hid_t object, const char *name, const char *const *text, size_t count);
void store_number(store *to, hid_t object, const char *name, hid_t type, const void *number);

/* Rows `first` to `first + count - 1` along the first dimension. */
void store_write(store *to, hid_t dataset, hid_t type, const store_shape *shape, hsize_t first, hsize_t count,
                 const void *data);
/* A whole dataset of texts, or of numbers 0, 1, 2, ..., as a scale; it is to be closed. */
hid_t store_text_scale(store *to, hid_t group, const char *name, const char *const *text, size_t count);
hid_t store_count_scale(store *to, hid_t group, const char *name, size_t count);
/* A whole dataset along a scale, closed. */
void store_column(store *to, hid_t group, const char *name, hid_t scale, hid_t type, const void *data,
                  size_t count, const char *units, const char *description);

/* ---- what the file holds ------------------------------------------------------------------------------------------- */

/* tables.c, motion.c, happenings.c */
void store_tables(store *to, const tn_recording *recording);
void store_motion(store *to, const tn_recording *recording);
void store_events(store *to, const tn_recording *recording);
void store_modes(store *to, const tn_recording *recording);

#endif
