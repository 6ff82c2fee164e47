/* disk.h - how HDF5 reaches its file here. HDF5 cannot close a file that it cannot write: objects stay open, and the process hangs or
 * complains at its end. So this driver never tells it: what cannot be written any more is kept in memory until the file is closed, and
 * whoever writes asks for the error of the disk. */
#ifndef TENON_HDF5_DISK_H
#define TENON_HDF5_DISK_H

#include <hdf5.h>

/* Makes files that are opened with these properties be reached so. `error` becomes the errno of the first failure; it outlives the
 * file. Returns a driver for H5FDunregister() behind all files, or a negative number. */
hid_t disk_use(hid_t access, int *error);

#endif
