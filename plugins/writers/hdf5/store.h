/* store.h - the file of the writer hdf5: groups, datasets with units and dimensions, written piece by piece. The first error
 * is reported with the name of the file; all later calls do nothing, and `status` is that of the error. */
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
    int *disk_error;            /* errno or 0; HDF5 does not see it (see disk.h) */
    hid_t driver, file, string; /* the type of texts of any length */
    char path[4096];
} store;

/* Dimensions of a dataset: their sizes, and their scales. */
typedef struct store_shape {
    int rank;
    hsize_t size[4], chunk[4]; /* chunk[0] of 0: no chunks */
    hid_t scale[4];
} store_shape;

tn_status store_open(store *to, const char *folder, const char *name);
tn_status store_close(store *to);

/* Checks the result of a call: negative is an error, the first of which is reported. */
bool store_good(store *to, int64_t result);
void store_lacks_memory(store *to);

hid_t store_group(store *to, const char *name);
void store_group_close(store *to, hid_t group);

/* Makes a dataset; slashes of its name are replaced, and a number is added where the name is already used. */
hid_t store_dataset(store *to, hid_t group, const char *name, hid_t type, const store_shape *shape);
void store_dataset_close(store *to, hid_t dataset);
/* Makes a dataset the scale of a dimension. */
void store_make_scale(store *to, hid_t dataset, const char *name);

void store_text(store *to, hid_t object, const char *name, const char *text);
void store_texts(store *to, hid_t object, const char *name, const char *const *text, size_t count);
void store_number(store *to, hid_t object, const char *name, hid_t type, const void *number);

/* Rows `first` to `first + count - 1` along the first dimension. */
void store_write(store *to, hid_t dataset, hid_t type, const store_shape *shape, hsize_t first, hsize_t count,
                 const void *data);
/* A scale of texts, or of numbers 0, 1, 2, ...; the caller closes it. */
hid_t store_text_scale(store *to, hid_t group, const char *name, const char *const *text, size_t count);
hid_t store_count_scale(store *to, hid_t group, const char *name, size_t count);
/* Writes and closes a dataset along a scale. */
void store_column(store *to, hid_t group, const char *name, hid_t scale, hid_t type, const void *data,
                  size_t count, const char *units, const char *description);

/* ---- contents of the file ------------------------------------------------------------------------------------------- */

/* tables.c, motion.c, events.c */
void store_tables(store *to, const tn_recording *recording);
void store_motion(store *to, const tn_recording *recording);
void store_events(store *to, const tn_recording *recording);
void store_modes(store *to, const tn_recording *recording);

#endif
