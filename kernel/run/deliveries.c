/* deliveries.c - moves files to places of the user's choice (see deliveries.h), or copies them where that is another disk */
#define _GNU_SOURCE
#include "run/deliveries.h"

#include "base/text.h"
#include "run/put_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

static bool ends_with_slash(const char *path)
{
    const size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}

bool tn_delivery_is_folder(const tn_delivery *delivery)
{
    struct stat status;
    return ends_with_slash(delivery->path) || (stat(delivery->path, &status) == 0 && S_ISDIR(status.st_mode));
}

/* The part after the last slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int tn_delivery_open(const tn_delivery *delivery)
{
    const char *whole = delivery->path;
    const size_t length = tn_delivery_is_folder(delivery) ? strlen(whole) : (size_t)(name_of(whole) - whole);
    tn_text path = {0};
    tn_text_add(&path, "%.*s", (int)(length ? length : 1), length ? whole : ".");
    int folder = RETRIED(open(path.letters, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder < 0 && errno == ENOENT && ends_with_slash(whole) && mkdir(path.letters, 0777) == 0)
        folder = RETRIED(open(path.letters, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const int reason = errno;
    tn_free(path.letters);
    errno = reason;
    return folder;
}

/* Copies to another disk. */
static bool copy(int from, const char *name, const tn_file_place *to)
{
    struct stat status;
    const int file = RETRIED(openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file < 0) return false;
    bool good = fstat(file, &status) == 0;
    const size_t size = good ? (size_t)status.st_size : 0;
    void *bytes = good && size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    if (bytes == MAP_FAILED) good = false;
    good = good && tn_put_file(to, &(tn_file_part){bytes ? bytes : "", size}, 1);
    const int reason = errno;
    if (bytes && bytes != MAP_FAILED) (void)munmap(bytes, size);
    (void)close(file);
    errno = reason;
    return good;
}

bool tn_deliver(const tn_delivery *delivery, int folder, const char *name)
{
    const int directory = tn_delivery_open(delivery);
    if (directory < 0) return false;
    const char *wanted = tn_delivery_is_folder(delivery) ? name : name_of(delivery->path);
    bool good = RETRIED(renameat(folder, name, directory, wanted)) == 0;
    if (!good && errno == EXDEV) {
        tn_text in_work = {0};
        tn_text_add(&in_work, ".%s.part", wanted);
        good = copy(folder, name, &(tn_file_place){directory, wanted, in_work.letters, false});
        const int reason = errno;
        tn_free(in_work.letters);
        errno = reason;
    }
    const int reason = errno;
    (void)close(directory);
    errno = reason;
    return good;
}
