/* memory.c - checked allocation, arenas and growing arrays */
#define _GNU_SOURCE
#include "base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20, LARGE_PAGES = 4 * LARGE_PAGE };
/* Of arenas, for small objects: one that holds little takes little. */
enum { SMALLEST_BLOCK = 512, LARGEST_BLOCK = 64 << 10 };

void (*tn_without_memory)(const char *reason);

static void end(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void end(const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (tn_without_memory) tn_without_memory(reason);
    abort();
}

static void *checked(void *memory, size_t count, size_t size)
{
    if (memory) return memory;
    end("out of memory: %zu x %zu bytes are needed", count, size);
}

void tn_no_memory(const char *what) { end("out of memory: there is none for %s", what); }

void tn_check_memory(const char *what)
{
    if (errno == ENOMEM) tn_no_memory(what);
}

void *tn_new(size_t count, size_t size)
{
    if (!count) count = 1;
    return checked(calloc(count, size), count, size);
}

void *tn_new_aligned(size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - LARGE_PAGE)
        checked(NULL, count, size);
    /* large arrays on large pages: a million bodies would otherwise miss the page table at every other access */
    const size_t alignment = bytes >= LARGE_PAGES ? LARGE_PAGE : 64;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void *memory = checked(aligned_alloc(alignment, bytes ? bytes : alignment), count, size);
    if (alignment == LARGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE); /* advice: it may be refused */
    memset(memory, 0, bytes);
    return memory;
}

static size_t grown(size_t capacity, size_t needed)
{
    const size_t wanted = capacity < 8 ? 8 : 2 * capacity;
    return wanted < needed ? needed : wanted;
}

void *tn_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return array;
    *capacity = grown(*capacity, needed);
    /* objects of no size, such as joints without parameters, would end as memory that is freed */
    return checked(reallocarray(array, *capacity, size ? size : 1), *capacity, size);
}

struct tn_arena_block {
    struct tn_arena_block *previous;
    size_t mapped;     /* bytes, when it is a mapping of its own */
    size_t padding[6]; /* the data begin on a 64-byte boundary */
};

/* Large blocks come from the system, which hands out zeros: nobody has to write them again. */
static struct tn_arena_block *new_block(size_t size)
{
    if (size < LARGE_PAGES) return tn_new_aligned(1, sizeof(struct tn_arena_block) + size);
    size += sizeof(struct tn_arena_block);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct tn_arena_block *block = checked(memory == MAP_FAILED ? NULL : memory, 1, size);
    (void)madvise(memory, size, MADV_HUGEPAGE);
    block->mapped = size;
    return block;
}

void *tn_arena_new(tn_arena *arena, size_t bytes)
{
    const size_t alignment = bytes >= 64 ? 64 : 16;
    size_t start = (arena->used + alignment - 1) / alignment * alignment;
    if (!arena->block || start + bytes > arena->size) {
        const size_t usual = 2 * arena->size < SMALLEST_BLOCK  ? SMALLEST_BLOCK
                             : 2 * arena->size > LARGEST_BLOCK ? LARGEST_BLOCK
                                                               : 2 * arena->size;
        const size_t size = bytes > usual ? bytes : usual;
        struct tn_arena_block *block = new_block(size);
        block->previous = arena->block;
        arena->block = block;
        arena->size = size;
        start = 0;
    }
    arena->used = start + bytes;
    return (char *)(arena->block + 1) + start;
}

void *tn_arena_array(tn_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - LARGE_PAGE)
        checked(NULL, count, size);
    return tn_arena_new(arena, bytes < 64 ? 64 : bytes);
}

void *tn_arena_grow(tn_arena *arena, const void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return (void *)array;
    const size_t before = *capacity;
    *capacity = grown(before, needed);
    void *moved = tn_arena_array(arena, *capacity, size);
    if (before) memcpy(moved, array, before * size);
    return moved;
}

char *tn_arena_text(tn_arena *arena, const char *text, size_t length)
{
    char *copy = tn_arena_new(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *tn_arena_print_list(tn_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) tn_no_memory("a text");
    char *text = tn_arena_new(arena, (size_t)length + 1);
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *tn_arena_print(tn_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = tn_arena_print_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

void tn_arena_free(tn_arena *arena)
{
    while (arena->block) {
        struct tn_arena_block *previous = arena->block->previous;
        if (arena->block->mapped)
            (void)munmap(arena->block, arena->block->mapped);
        else
            free(arena->block);
        arena->block = previous;
    }
    arena->used = arena->size = 0;
}
