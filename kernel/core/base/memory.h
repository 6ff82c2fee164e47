/* memory.h - memory of the kernel: checked allocation, arenas and growing arrays.
 *
 * Memory that cannot be had ends the program with a clear message and status 1: results written so far are
 * safe on disk, and nothing of the kernel could go on without it. Nothing here is called inside a step. */
#ifndef TN_MEMORY_H
#define TN_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called before that, with the reason; it may end the program itself. NULL: nobody. */
extern void (*tn_without_memory)(const char *reason);

/* Ends the program likewise, for what could not be had: of the C library, of the dynamic linker, of C++. */
void tn_no_memory(const char *what) __attribute__((noreturn));
/* Does so when errno says that this is why the last call failed. */
void tn_check_memory(const char *what);

/* Zeroed memory for count objects; count 0 gives a valid pointer, too. Free with free(). */
void *tn_new(size_t count, size_t size);
/* As tn_new, aligned to 64 bytes. */
void *tn_new_aligned(size_t count, size_t size);
/* Makes room for at least `needed` objects; capacity at least doubles. Returns the moved array. */
void *tn_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* Many small objects that are freed together. */
typedef struct tn_arena {
    struct tn_arena_block *block;
    size_t used, size;
} tn_arena;

/* Zeroed memory aligned to 16 bytes (64 from 64 bytes on). */
void *tn_arena_new(tn_arena *arena, size_t bytes);
/* Likewise for count objects, aligned to 64 bytes; as tn_grow, where what was there before stays in the arena. */
void *tn_arena_array(tn_arena *arena, size_t count, size_t size);
void *tn_arena_grow(tn_arena *arena, const void *array, size_t *capacity, size_t needed, size_t size);
char *tn_arena_text(tn_arena *arena, const char *text, size_t length);
/* As sprintf, into memory of the arena. */
char *tn_arena_print(tn_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *tn_arena_print_list(tn_arena *arena, const char *format, va_list arguments);
void tn_arena_free(tn_arena *arena);

#ifdef __cplusplus
}
#endif

#endif
