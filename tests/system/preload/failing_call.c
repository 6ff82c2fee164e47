/* failing_call.c - stands before the C library (LD_PRELOAD): one call of the process that has to do with files fails, that
 * with the number FAILING_CALL, from 1, or all from there on where FAILING_ON is set, with the error number FAILING_REASON;
 * how many there were is written to the file COUNTED_CALLS */
#undef _FORTIFY_SOURCE /* what is defined here would be checked */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

static bool fails(void)
{
    if (!counting || !failing) return calls++, false;
    calls++;
    if (all ? calls < failing : calls != failing) return false;
    errno = reason;
    return true;
}

/* A function of the C library that fails, or does what it always does; `interruptible` by a signal or not. */
#define CALL(type, failure, name, parameters, arguments, interruptible)                  \
    EXPORT type name parameters                                                          \
    {                                                                                    \
        static type(*next) parameters;                                                   \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                            \
        return (interruptible || reason != EINTR) && fails() ? failure : next arguments; \
    }

CALL(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode), true)
CALL(ssize_t, -1, read, (int file, void *memory, size_t size), (file, memory, size), true)
CALL(ssize_t, -1, write, (int file, const void *memory, size_t size), (file, memory, size), true)
CALL(ssize_t, -1, pwrite, (int file, const void *memory, size_t size, off_t at), (file, memory, size, at),
     true)
CALL(int, -1, ftruncate, (int file, off_t size), (file, size), true)
CALL(int, -1, flock, (int file, int operation), (file, operation), true)
CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode), true)
CALL(int, -1, unlink, (const char *path), (path), true)
CALL(int, -1, unlinkat, (int directory, const char *path, int flags), (directory, path, flags), true)
CALL(int, -1, rename, (const char *path, const char *other), (path, other), true)
CALL(int, -1, renameat, (int directory, const char *path, int to, const char *other),
     (directory, path, to, other), true)
CALL(int, -1, stat, (const char *path, struct stat *status), (path, status), false)
CALL(int, -1, fstatat, (int directory, const char *path, struct stat *status, int flags),
     (directory, path, status, flags), false)
CALL(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved), false)

/* What is behind a failed one has happened all the same. Streams in memory are no files. */
#define CLOSING(name, type, is_file)                          \
    EXPORT int name(type file)                                \
    {                                                         \
        static int (*next)(type);                             \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name); \
        const bool failed = (is_file) && fails();             \
        const int result = next(file);                        \
        if (failed) errno = reason;                           \
        return failed ? -1 : result;                          \
    }

CLOSING(close, int, true)
CLOSING(fclose, FILE *, fileno(file) >= 0)
CLOSING(fflush, FILE *, file &&fileno(file) >= 0)

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
    return fails() ? -1 : next(path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    static int (*next)(int, const char *, int, ...);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "openat");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails() ? -1 : next(directory, path, flags, mode);
}
