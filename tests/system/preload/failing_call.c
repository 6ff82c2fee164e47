/* failing_call.c - stands before the C library (LD_PRELOAD): one call of the process that has to do with files fails, that
 * with the number FAILING_CALL, from 1, or all from there on where FAILING_ON is set, with the error number FAILING_REASON;
 * how many there were is written to the file COUNTED_CALLS. With ENOSPC only those count and fail that a full disk lets fail; with -1 the
 * process is killed in front of the call. */
#undef _FORTIFY_SOURCE /* what is defined here would be checked */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static unsigned long calls, failing;
static int reason;
static bool counting, all;

static unsigned long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    failing = number("FAILING_CALL");
    reason = (int)number("FAILING_REASON");
    all = number("FAILING_ON") != 0;
    counting = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COUNTED_CALLS");
    counting = false;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    (void)fprintf(file, "%lu\n", calls);
    (void)fclose(file);
}

static bool fails(bool needs_room)
{
    if (reason == ENOSPC && !needs_room) return false;
    if (!counting || !failing) return calls++, false;
    calls++;
    if (all ? calls < failing : calls != failing) return false;
    if (reason < 0) (void)kill(getpid(), SIGKILL);
    errno = reason;
    return true;
}

/* A function of the C library that fails, or does what it always does; `kind`: whether it is interrupted by signals, and needs room. */
/* Streams that tell what has happened are on another disk. */
enum { FIXED, INTERRUPTIBLE, GROWING };
#define CALL(type, failure, name, parameters, arguments, kind)                                              \
    EXPORT type name parameters                                                                             \
    {                                                                                                       \
        static type(*next) parameters;                                                                      \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                               \
        return ((kind) != FIXED || reason != EINTR) && fails((kind) == GROWING) ? failure : next arguments; \
    }

CALL(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode),
     mode[0] == 'w' ? GROWING : INTERRUPTIBLE)
CALL(ssize_t, -1, read, (int file, void *memory, size_t size), (file, memory, size), INTERRUPTIBLE)
CALL(ssize_t, -1, write, (int file, const void *memory, size_t size), (file, memory, size),
     file > 2 ? GROWING : INTERRUPTIBLE)
CALL(ssize_t, -1, pwrite, (int file, const void *memory, size_t size, off_t at), (file, memory, size, at),
     GROWING)
CALL(int, -1, ftruncate, (int file, off_t size), (file, size), INTERRUPTIBLE)
CALL(int, -1, flock, (int file, int operation), (file, operation), INTERRUPTIBLE)
CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode), GROWING)
CALL(int, -1, fsync, (int file), (file), GROWING)
CALL(int, -1, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode), GROWING)
CALL(int, -1, unlink, (const char *path), (path), INTERRUPTIBLE)
CALL(int, -1, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), INTERRUPTIBLE)
CALL(int, -1, rename, (const char *path, const char *other), (path, other), INTERRUPTIBLE)
CALL(int, -1, renameat, (int directory, const char *path, int to, const char *other),
     (directory, path, to, other), INTERRUPTIBLE)
CALL(int, -1, stat, (const char *path, struct stat *status), (path, status), FIXED)
CALL(int, -1, fstatat, (int directory, const char *path, struct stat *status, int flags),
     (directory, path, status, flags), FIXED)
CALL(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved), FIXED)

static bool is_written(int file) { return file > 2 && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY; }

/* What is behind a failed one has happened all the same. Streams in memory are no files. */
#define CLOSING(name, type, number)                                     \
    EXPORT int name(type file)                                          \
    {                                                                   \
        static int (*next)(type);                                       \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);           \
        const bool failed = (number) >= 0 && fails(is_written(number)); \
        const int result = next(file);                                  \
        if (failed) errno = reason;                                     \
        return failed ? -1 : result;                                    \
    }

CLOSING(close, int, file)
CLOSING(fclose, FILE *, fileno(file))
CLOSING(fflush, FILE *, file ? fileno(file) : -1)

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
}

EXPORT int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "open");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(flags & O_CREAT) ? -1 : next(path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    static int (*next)(int, const char *, int, ...);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "openat");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(flags & O_CREAT) ? -1 : next(directory, path, flags, mode);
}
