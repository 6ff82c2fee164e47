/* memory.c - allocation that leaves where there is no memory, arenas and growing arrays (see memory.h) */
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
/* Blocks of arenas from this size on come from the system: what is not used takes no memory. */
enum { MAPPED = 64 << 10 };
/* Of arenas, for small objects: one that holds little takes little. */
enum { SMALLEST_BLOCK = 512, LARGEST_BLOCK = LARGE_PAGE };

static _Thread_local tn_entry *entered;
static _Thread_local tn_hold *held;

/* ---- entries ---------------------------------------------------------------------------------------------- */

void tn_entry_begin(tn_entry *entry, tn_memory *memory)
{
    entry->memory = memory;
    entry->holds = held;
    entry->outer = entered;
    entered = entry;
}

void tn_entry_end(const tn_entry *entry) { entered = entry->outer; }

tn_memory *tn_memory_now(void) { return entered ? entered->memory : NULL; }

void tn_hold_begin(tn_hold *hold, void (*release)(void *object), void *object)
{
    *hold = (tn_hold){release, object, held};
    held = hold;
}

void tn_hold_end(const tn_hold *hold) { held = hold->outer; }

/* Leaves all functions up to the last entry. There is an entry: without one the lack could not be reported. */
__attribute__((noreturn, format(printf, 1, 2))) static void leave_entry(const char *format, ...)
{
    if (!entered) abort();
    va_list arguments;
    va_start(arguments, format);
    if (entered->memory)
        (void)vsnprintf(entered->memory->lack, sizeof entered->memory->lack, format, arguments);
    va_end(arguments);
    for (; held != entered->holds; held = held->outer)
        held->release(held->object);
    _longjmp(entered->place, 1);
}

void tn_no_memory(const char *what) { leave_entry("out of memory for %s", what); }

void tn_check_memory(const char *what)
{
    if (errno == ENOMEM) tn_no_memory(what);
}

/* ---- the blocks of a memory ------------------------------------------------------------------------------- */

static size_t place_of_block(const tn_memory *memory, const void *start)
{
    uint64_t hash = (uint64_t)(uintptr_t)start;
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    size_t place = (size_t)(hash >> 20) & (memory->capacity - 1);
    while (memory->block[place].start && memory->block[place].start != start)
        place = (place + 1) & (memory->capacity - 1);
    return place;
}

/* A table twice as large; false without memory. */
static bool widen_table(tn_memory *memory)
{
    tn_memory wider = {.capacity = memory->capacity ? 2 * memory->capacity : 256};
    wider.block = calloc(wider.capacity, sizeof *wider.block);
    if (!wider.block) return false;
    for (size_t k = 0; k < memory->capacity; k++)
        if (memory->block[k].start)
            wider.block[place_of_block(&wider, memory->block[k].start)] = memory->block[k];
    free(memory->block);
    memory->block = wider.block;
    memory->capacity = wider.capacity;
    return true;
}

/* Room for one more block; false without memory. */
static bool make_room_for_block(void)
{
    tn_memory *memory = tn_memory_now();
    return !memory || 2 * (memory->count + 1) <= memory->capacity || widen_table(memory);
}

/* There is room. */
static void *add_block(void *start, size_t mapped)
{
    tn_memory *memory = tn_memory_now();
    if (!memory) return start;
    memory->block[place_of_block(memory, start)] = (struct tn_memory_block){start, mapped};
    memory->count++;
    return start;
}

/* False for a block that is not there. Blocks behind a gap move up: no search ends at it. */
static bool remove_block(const void *start)
{
    tn_memory *memory = tn_memory_now();
    if (!memory || !memory->count || !start) return false;
    size_t gap = place_of_block(memory, start);
    if (!memory->block[gap].start) return false;
    memory->block[gap].start = NULL;
    memory->count--;
    for (size_t k = (gap + 1) & (memory->capacity - 1); memory->block[k].start;
         k = (k + 1) & (memory->capacity - 1)) {
        const struct tn_memory_block moved = memory->block[k];
        memory->block[k].start = NULL;
        memory->block[place_of_block(memory, moved.start)] = moved;
    }
    return true;
}

void tn_memory_release(tn_memory *memory)
{
    for (size_t k = 0; k < memory->capacity; k++)
        if (memory->block[k].mapped)
            (void)munmap(memory->block[k].start, memory->block[k].mapped);
        else
            free(memory->block[k].start);
    free(memory->block);
    memory->block = NULL;
    memory->capacity = memory->count = 0;
}

/* A new block, if there is one, with room for it in the table. */
static void *new_block_of(void *memory, size_t count, size_t size)
{
    if (memory && make_room_for_block()) return add_block(memory, 0);
    free(memory);
    leave_entry("out of memory: %zu x %zu bytes are needed", count, size);
}

void *tn_adopt(void *memory)
{
    if (!memory) return NULL;
    if (make_room_for_block()) return add_block(memory, 0);
    free(memory);
    tn_no_memory("a block of the C library");
}

void tn_free(void *memory)
{
    (void)remove_block(memory);
    free(memory);
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* Tests let one of the allocations fail. */
static bool (*failing)(void);
static bool allocation_fails(void) { return failing && failing(); }
void tn_memory_fail_by(bool (*says)(void)) { failing = says; }

void *tn_new(size_t count, size_t size)
{
    if (!count) count = 1;
    return new_block_of(allocation_fails() ? NULL : calloc(count, size), count, size);
}

void *tn_new_aligned(size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - LARGE_PAGE)
        leave_entry("out of memory: %zu x %zu bytes are needed", count, size);
    /* large arrays on large pages: a million bodies would otherwise miss the page table at every other access */
    const size_t alignment = bytes >= LARGE_PAGES ? LARGE_PAGE : 64;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void *memory = new_block_of(
        allocation_fails() ? NULL : aligned_alloc(alignment, bytes ? bytes : alignment), count, size);
    if (alignment == LARGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE); /* advice: it may be refused */
    memset(memory, 0, bytes);
    return memory;
}

static size_t larger_capacity(size_t capacity, size_t needed)
{
    const size_t wanted = capacity < 8 ? 8 : 2 * capacity;
    return wanted < needed ? needed : wanted;
}

void *tn_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return array;
    const size_t wanted = larger_capacity(*capacity, needed);
    /* objects of no size, such as joints without parameters, would end as memory that is freed */
    const size_t bytes = size ? size : 1;
    const bool room = make_room_for_block() && !allocation_fails(), known = room && remove_block(array);
    void *moved = room ? reallocarray(array, wanted, bytes) : NULL;
    if (!moved && known) add_block(array, 0);
    if (!moved) leave_entry("out of memory: %zu x %zu bytes are needed", wanted, size);
    *capacity = wanted;
    return add_block(moved, 0);
}

void *tn_grow_by_one(void *array, size_t count, size_t size)
{
    size_t capacity = count; /* as tn_grow gives it, where there is no more room: 0, 8, 16, 32, ... */
    return count % 8 || count & (count - 1) ? array : tn_grow(array, &capacity, count + 1, size);
}

char *tn_copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(tn_new(size, 1), text, size);
}

/* ---- arenas ----------------------------------------------------------------------------------------------- */

struct tn_arena_block {
    struct tn_arena_block *previous;
    size_t mapped;     /* bytes, when it is a mapping of its own */
    size_t padding[6]; /* the data begin on a 64-byte boundary */
};

/* Large blocks come from the system, which hands out zeros: they need not be written again, and each page of them gets its memory
 * where the thread is that first writes to it. */
static struct tn_arena_block *new_block(size_t size)
{
    if (size < MAPPED) return tn_new_aligned(1, sizeof(struct tn_arena_block) + size);
    size += sizeof(struct tn_arena_block);
    void *memory = !make_room_for_block() || allocation_fails()
                       ? MAP_FAILED
                       : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) leave_entry("out of memory: %zu bytes are needed", size);
    struct tn_arena_block *block = add_block(memory, size);
    if (size >= LARGE_PAGE) (void)madvise(memory, size, MADV_HUGEPAGE);
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
        leave_entry("out of memory: %zu x %zu bytes are needed", count, size);
    return tn_arena_new(arena, bytes < 64 ? 64 : bytes);
}

void *tn_arena_grow(tn_arena *arena, const void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return (void *)array;
    const size_t before = *capacity, wanted = larger_capacity(before, needed);
    void *moved = tn_arena_array(arena, wanted, size);
    if (before) memcpy(moved, array, before * size);
    *capacity = wanted;
    return moved;
}

void *tn_arena_try(tn_arena *arena, size_t bytes)
{
    void *volatile memory = NULL;
    (void)tn_attempt(tn_memory_now(), memory = tn_arena_new(arena, bytes));
    return memory;
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
        const size_t mapped = arena->block->mapped;
        (void)remove_block(arena->block);
        if (mapped)
            (void)munmap(arena->block, mapped);
        else
            free(arena->block);
        arena->block = previous;
    }
    arena->used = arena->size = 0;
}
