/* store.c - files, groups, datasets and attributes (see store.h) */
#include "disk.h"
#include "store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures ------------------------------------------------------------------------------------------------ */

/* The innermost error of the library. */
static herr_t innermost(unsigned depth, const H5E_error2_t *error, void *data)
{
    if (depth == 0) (void)snprintf(data, 200, "%s", error->desc);
    return 0;
}

bool store_good(store *to, int64_t result)
{
    if (to->status != TN_OK || (result >= 0 && *to->disk_error == 0)) return to->status == TN_OK;
    char why[200] = "HDF5 gives no reason";
    if (*to->disk_error != 0)
        (void)snprintf(why, sizeof why, "%s", strerror(*to->disk_error));
    else
        (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, why);
    tn_say(to->host, TN_ERROR, "hdf5: cannot write %s: %s", to->path, why);
    to->status = TN_FATAL;
    return false;
}

void store_lacks_memory(store *to)
{
    if (to->status == TN_OK)
        tn_say(to->host, TN_ERROR, "hdf5: there is not enough memory to write %s", to->path);
    to->status = tn_worse(to->status, TN_OUT_OF_MEMORY);
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

/* Properties of groups that keep the order of their objects, and no times: the same log gives the same file. */
static void create(store *to)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    to->driver = disk_use(access, to->disk_error);
    if (store_good(to, to->driver) &&
        store_good(to, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18)) &&
        store_good(to, H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED)) &&
        store_good(to, H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED)) &&
        store_good(to, H5Pset_obj_track_times(creation, false))) {
        to->file = H5Fcreate(to->path, H5F_ACC_EXCL, creation, access);
        (void)store_good(to, to->file);
    }
    if (access >= 0) (void)H5Pclose(access);
    if (creation >= 0) (void)H5Pclose(creation);
}

tn_status store_open(store *to, const char *folder, const char *name)
{
    const int length = snprintf(to->path, sizeof to->path, "%s/%s", folder, name);
    to->driver = to->file = to->string = H5I_INVALID_HID;
    if (length < 0 || (size_t)length >= sizeof to->path) {
        tn_say(to->host, TN_ERROR, "hdf5: the path of the file in %s is too long", folder);
        return to->status = TN_FATAL;
    }
    if (!(to->disk_error = calloc(1, sizeof *to->disk_error))) {
        store_lacks_memory(to);
        return to->status;
    }
    create(to);
    if (to->status != TN_OK) return to->status;
    to->string = H5Tcopy(H5T_C_S1);
    if (store_good(to, to->string) && store_good(to, H5Tset_size(to->string, H5T_VARIABLE)))
        (void)store_good(to, H5Tset_cset(to->string, H5T_CSET_UTF8));
    return to->status;
}

/* Closes the file with all objects that are still open in it. If the library cannot close it, for lack of memory, its memory is not freed. */
tn_status store_close(store *to)
{
    herr_t closed = 0;
    if (to->string >= 0) (void)H5Tclose(to->string);
    if (to->file >= 0) {
        closed = H5Fclose(to->file);
        (void)store_good(to, closed);
    }
    if (closed < 0) return to->status;
    if (to->driver >= 0) (void)H5FDunregister(to->driver);
    free(to->disk_error);
    return to->status;
}

/* ---- groups and datasets ------------------------------------------------------------------------------------- */

hid_t store_group(store *to, const char *name)
{
    if (to->status != TN_OK) return H5I_INVALID_HID;
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = H5I_INVALID_HID;
    if (store_good(to, creation) && store_good(to, H5Pset_obj_track_times(creation, false)) &&
        store_good(to, H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED))) {
        group = H5Gcreate2(to->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
        (void)store_good(to, group);
    }
    if (creation >= 0) (void)H5Pclose(creation);
    return group;
}

void store_group_close(store *to, hid_t group)
{
    if (group >= 0) (void)store_good(to, H5Gclose(group));
}

/* Replaces slashes, which separate groups, a lone dot, which is the group itself, and control characters, which NetCDF does not allow. */
static void make_link_name(store *to, hid_t group, const char *wanted, char *name, size_t size)
{
    (void)snprintf(name, size - 12, "%s", wanted[0] ? wanted : "_");
    if (!strcmp(name, ".") || !strcmp(name, "..")) name[0] = '_';
    for (char *c = name; *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20 || *c == 0x7f) *c = '_';
    const size_t length = strlen(name);
    for (unsigned k = 2; to->status == TN_OK; k++) {
        const htri_t taken = H5Lexists(group, name, H5P_DEFAULT);
        if (!store_good(to, taken) || !taken) return;
        (void)snprintf(name + length, size - length, "_%u", k);
    }
}

static hid_t dataset_creation(store *to, const store_shape *shape)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!store_good(to, creation)) return creation;
    (void)store_good(to, H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    (void)store_good(to, H5Pset_obj_track_times(creation, false));
    if (shape->rank == 0 || shape->chunk[0] == 0) return creation;
    (void)store_good(to, H5Pset_chunk(creation, shape->rank, shape->chunk));
    if (to->level > 0) {
        (void)store_good(to, H5Pset_shuffle(creation));
        (void)store_good(to, H5Pset_deflate(creation, (unsigned)to->level));
    }
    return creation;
}

/* Chunks are written as a whole: a cache of them would only waste memory. */
static hid_t dataset_access(store *to)
{
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (store_good(to, access)) (void)store_good(to, H5Pset_chunk_cache(access, 0, 0, 1.0));
    return access;
}

static hid_t dataset_space(const store_shape *shape)
{
    hsize_t most[4];
    if (shape->rank == 0) return H5Screate(H5S_SCALAR);
    for (int k = 0; k < shape->rank; k++)
        most[k] = shape->size[k];
    if (shape->chunk[0] > 0 && shape->size[0] == 0)
        most[0] = H5S_UNLIMITED; // an empty dataset with chunks must be extendible
    return H5Screate_simple(shape->rank, shape->size, most);
}

hid_t store_dataset(store *to, hid_t group, const char *name, hid_t type, const store_shape *shape)
{
    char link[1024];
    hid_t dataset = H5I_INVALID_HID;
    if (to->status != TN_OK) return dataset;
    make_link_name(to, group, name, link, sizeof link);
    const hid_t creation = dataset_creation(to, shape), access = dataset_access(to),
                space = dataset_space(shape);
    if (store_good(to, space)) {
        dataset = H5Dcreate2(group, link, type, space, H5P_DEFAULT, creation, access);
        (void)store_good(to, dataset);
    }
    for (int k = 0; k < shape->rank && to->status == TN_OK; k++)
        if (shape->scale[k] > 0)
            (void)store_good(to, H5DSattach_scale(dataset, shape->scale[k], (unsigned)k));
    if (creation >= 0) (void)H5Pclose(creation);
    if (access >= 0) (void)H5Pclose(access);
    if (space >= 0) (void)H5Sclose(space);
    return dataset;
}

void store_dataset_close(store *to, hid_t dataset)
{
    if (dataset >= 0) (void)store_good(to, H5Dclose(dataset));
}

void store_make_scale(store *to, hid_t dataset, const char *name)
{
    if (to->status == TN_OK) (void)store_good(to, H5DSset_scale(dataset, name));
}

/* ---- attributes ---------------------------------------------------------------------------------------------- */

static void write_attribute(store *to, hid_t object, const char *name, hid_t type, hid_t space,
                            const void *data)
{
    if (to->status != TN_OK || !store_good(to, type) || !store_good(to, space)) return;
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (!store_good(to, attribute)) return;
    (void)store_good(to, H5Awrite(attribute, type, data));
    (void)store_good(to, H5Aclose(attribute));
}

/* Texts of variable length, which other programs read as texts, not as bytes. */
void store_text(store *to, hid_t object, const char *name, const char *text)
{
    if (to->status != TN_OK) return;
    const hid_t space = H5Screate(H5S_SCALAR);
    write_attribute(to, object, name, to->string, space, &text);
    if (space >= 0) (void)H5Sclose(space);
}

void store_texts(store *to, hid_t object, const char *name, const char *const *text, size_t count)
{
    if (to->status != TN_OK) return;
    const hsize_t size = count;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    write_attribute(to, object, name, to->string, space, text);
    if (space >= 0) (void)H5Sclose(space);
}

void store_number(store *to, hid_t object, const char *name, hid_t type, const void *number)
{
    if (to->status != TN_OK) return;
    const hid_t space = H5Screate(H5S_SCALAR);
    write_attribute(to, object, name, type, space, number);
    if (space >= 0) (void)H5Sclose(space);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

void store_write(store *to, hid_t dataset, hid_t type, const store_shape *shape, hsize_t first, hsize_t count,
                 const void *data)
{
    hsize_t start[4] = {first}, size[4];
    if (to->status != TN_OK) return;
    if (shape->rank == 0) {
        (void)store_good(to, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
        return;
    }
    if (count == 0) return;
    memcpy(size, shape->size, sizeof size);
    size[0] = count;
    const hid_t memory = H5Screate_simple(shape->rank, size, NULL), space = H5Dget_space(dataset);
    if (store_good(to, memory) && store_good(to, space) &&
        store_good(to, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL)))
        (void)store_good(to, H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, data));
    if (memory >= 0) (void)H5Sclose(memory);
    if (space >= 0) (void)H5Sclose(space);
}

hid_t store_text_scale(store *to, hid_t group, const char *name, const char *const *text, size_t count)
{
    const store_shape shape = {.rank = 1, .size = {count}};
    const hid_t dataset = store_dataset(to, group, name, to->string, &shape);
    store_write(to, dataset, to->string, &shape, 0, count, text);
    store_make_scale(to, dataset, name);
    return dataset;
}

hid_t store_count_scale(store *to, hid_t group, const char *name, size_t count)
{
    const store_shape shape = {.rank = 1, .size = {count}};
    int32_t *number = malloc((count + 1) * sizeof *number);
    const hid_t dataset = store_dataset(to, group, name, H5T_STD_I32LE, &shape);
    if (!number) store_lacks_memory(to);
    for (size_t k = 0; number && k < count; k++)
        number[k] = (int32_t)k;
    store_write(to, dataset, H5T_NATIVE_INT32, &shape, 0, count, number);
    store_make_scale(to, dataset, name);
    free(number);
    return dataset;
}

void store_column(store *to, hid_t group, const char *name, hid_t scale, hid_t type, const void *data,
                  size_t count, const char *units, const char *description)
{
    const store_shape shape = {.rank = 1, .size = {count}, .scale = {scale}};
    const hid_t dataset = store_dataset(to, group, name, type, &shape);
    store_write(to, dataset, type, &shape, 0, count, data);
    if (units) store_text(to, dataset, "units", units);
    if (description) store_text(to, dataset, "description", description);
    store_dataset_close(to, dataset);
}
