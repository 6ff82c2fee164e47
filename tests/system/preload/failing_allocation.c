/* failing_allocation.c - stands before the C library (LD_PRELOAD): one allocation of the process has no memory, that with the
 * number FAILING_ALLOCATION, from 1; how many there were is written to the file COUNTED_ALLOCATIONS */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* glibc's own names for what is replaced here */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static size_t calls, failing;
static bool counting;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAILING_ALLOCATION");
    failing = text ? strtoull(text, NULL, 10) : 0;
    counting = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COUNTED_ALLOCATIONS");
    counting = false;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    (void)fprintf(file, "%zu\n", calls);
    (void)fclose(file);
}

static bool fails(void)
{
    if (!counting || ++calls != failing) return false;
    errno = ENOMEM;
    return true;
}

EXPORT void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

EXPORT void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }

EXPORT void *realloc(void *memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }

EXPORT void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes = 0;
    if (fails() || __builtin_mul_overflow(count, size, &bytes)) return errno = ENOMEM, NULL;
    return __libc_realloc(memory, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = fails() ? NULL : __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
