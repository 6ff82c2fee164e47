/* put_file.c - files that are there as a whole (see put_file.h) */
#define _GNU_SOURCE
#include "run/put_file.h"

#include "run/signal_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

static bool put_parts(const tn_file_place *place, int file, const tn_file_part *part, size_t parts)
{
    bool good = true;
    for (size_t k = 0; k < parts && good; k++)
        good = tn_write_bytes(file, part[k].bytes, part[k].size);
    return good && (!place->lasting || RETRIED(fsync(file)) == 0);
}

bool tn_put_file(const tn_file_place *place, const tn_file_part *part, size_t parts)
{
    const int directory = place->directory;
    (void)unlinkat(directory, place->in_work, 0);
    const int file = RETRIED(
        openat(directory, place->in_work, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file < 0) return false;
    bool good = put_parts(place, file, part, parts);
    int reason = errno;
    if (close(file) != 0 && errno != EINTR && good) { /* an interrupted one is closed, too */
        good = false;
        reason = errno;
    }
    if (good && RETRIED(renameat(directory, place->in_work, directory, place->name)) != 0) {
        good = false;
        reason = errno;
    }
    if (!good)
        (void)unlinkat(directory, place->in_work, 0);
    else if (place->lasting)
        (void)RETRIED(fsync(directory));
    errno = reason;
    return good;
}
