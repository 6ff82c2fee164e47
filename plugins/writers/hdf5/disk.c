/* disk.c - the file driver (see disk.h) */
#include "disk.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The driver's information in the properties. */
typedef struct disk_settings {
    int *error;
} disk_settings;

/* Bytes that could not be written. */
typedef struct unwritten {
    struct unwritten *next;
    haddr_t start;
    size_t size;
    char bytes[];
} unwritten;

typedef struct disk {
    H5FD_t common; /* the library's own */
    int file;
    int *error;
    haddr_t end_of_space, end_of_file;
    unwritten *first, *last; /* in the order of writing */
} disk;

static void note(disk *of)
{
    if (*of->error == 0) *of->error = errno ? errno : EIO;
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)most;
    const disk_settings *settings = H5Pget_driver_info(access);
    disk *of = settings ? calloc(1, sizeof *of) : NULL;
    if (!of) return NULL;
    of->error = settings->error;
    // the library first tries to open an existing file: it gets a new one, or none
    do {
        of->file =
            flags & H5F_ACC_CREAT ? open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
    } while (of->file < 0 && flags & H5F_ACC_CREAT && errno == EINTR);
    if (of->file >= 0) return &of->common;
    if (flags & H5F_ACC_CREAT) note(of);
    free(of);
    return NULL;
}

static herr_t disk_close(H5FD_t *file)
{
    disk *of = (disk *)file;
    if (close(of->file) != 0 && errno != EINTR) note(of);
    for (unwritten *piece = of->first, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    free(of);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t disk_space(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk *)file)->end_of_space;
}

static herr_t disk_set_space(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((disk *)file)->end_of_space = address;
    return 0;
}

static haddr_t disk_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk *)file)->end_of_file;
}

/* Reads from the disk, zeros beyond its end, then overlays the bytes that could not be written. */
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                        void *buffer)
{
    (void)type;
    (void)transfer;
    disk *of = (disk *)file;
    size_t done = 0;
    while (done < size) {
        const ssize_t count = pread(of->file, (char *)buffer + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) note(of);
        if (count <= 0) break;
        done += (size_t)count;
    }
    memset((char *)buffer + done, 0, size - done);
    for (const unwritten *piece = of->first; piece; piece = piece->next) {
        const haddr_t from = piece->start > address ? piece->start : address;
        const haddr_t end = address + size, last = piece->start + piece->size, to = last < end ? last : end;
        if (from < to)
            memcpy((char *)buffer + (from - address), piece->bytes + (from - piece->start),
                   (size_t)(to - from));
    }
    return 0;
}

static herr_t keep(disk *of, haddr_t address, size_t size, const void *buffer)
{
    unwritten *piece = malloc(sizeof *piece + size);
    if (!piece) return -1;
    *piece = (unwritten){.start = address, .size = size};
    memcpy(piece->bytes, buffer, size);
    if (of->last)
        of->last->next = piece;
    else
        of->first = piece;
    of->last = piece;
    return 0;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                         const void *buffer)
{
    (void)type;
    (void)transfer;
    disk *of = (disk *)file;
    size_t done = 0;
    while (done < size && *of->error == 0) {
        const ssize_t count =
            pwrite(of->file, (const char *)buffer + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) note(of);
        done += count > 0 ? (size_t)count : 0;
    }
    if (address + size > of->end_of_file) of->end_of_file = address + size;
    return done < size ? keep(of, address + done, size - done, (const char *)buffer + done) : 0;
}

/* Sets the length of the file to that of the space allocated in it. */
static herr_t disk_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    disk *of = (disk *)file;
    int result = 0;
    if (of->end_of_space == of->end_of_file) return 0;
    while (*of->error == 0 && (result = ftruncate(of->file, (off_t)of->end_of_space)) != 0 &&
           errno == EINTR) {}
    if (result != 0) note(of);
    of->end_of_file = of->end_of_space;
    return 0;
}

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)400,
#endif
    .name = "tenon",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(disk_settings),
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = disk_space,
    .set_eoa = disk_set_space,
    .get_eof = disk_end,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t disk_use(hid_t access, int *error)
{
    const disk_settings settings = {error};
    const hid_t made = H5FDregister(&driver);
    if (made >= 0 && H5Pset_driver(access, made, &settings) < 0) {
        (void)H5FDunregister(made);
        return H5I_INVALID_HID;
    }
    return made;
}
