/* file.c - opening files that have an end (see file.h) */
#define _GNU_SOURCE
#include "config/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL for a regular file. */
static const char *what_else_it_is(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? strerror(EISDIR)
           : S_ISFIFO(mode) ? "it is a FIFO, not a file"
           : S_ISSOCK(mode) ? "it is a socket, not a file"
                            : "it is a device, not a file";
}

FILE *tn_file_open(const char *path, const char **reason)
{
    struct stat status;
    const int file = (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    const int problem = errno;
    if (file < 0) {
        /* a socket cannot be opened at all */
        *reason = problem == ENXIO && stat(path, &status) == 0 ? what_else_it_is(status.st_mode) : NULL;
        if (!*reason) *reason = strerror(problem);
        return NULL;
    }
    *reason = fstat(file, &status) == 0 ? what_else_it_is(status.st_mode) : strerror(errno);
    FILE *stream = *reason ? NULL : fdopen(file, "rb");
    if (!stream && !*reason) *reason = strerror(errno);
    if (!stream) (void)close(file);
    return stream;
}
