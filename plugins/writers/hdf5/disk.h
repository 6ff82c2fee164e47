/* disk.h - a file driver for HDF5. HDF5 cannot close a file that it cannot write: objects stay open, and the process hangs or prints errors
 * at its end. So this driver reports no errors of writing to it: it keeps what it cannot write in memory until the file is closed, and
 * returns the error of the disk to the writer. */
#ifndef TENON_HDF5_DISK_H
#define TENON_HDF5_DISK_H

#include <hdf5.h>

/* Sets the driver for files that are opened with these properties. `error`, which outlives the file, becomes the errno of the first failure.
 * Returns the driver, which H5FDunregister() removes after all files are closed, or a negative number. */
hid_t disk_use(hid_t access, int *error);

#endif
