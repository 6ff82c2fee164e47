/* memory.h - memory of the kernel: allocation that need not be checked, arenas and growing arrays.
 *
 * Whoever enters the kernel from outside (a program by the library, a plugin by a function of its host) does so by tn_attempt. An
 * allocation for which there is no memory leaves all functions up to there, as in Lua; the caller learns it by a status. Every
 * allocation belongs to the memory of the current model, which frees all of them when a lack of memory interrupts its work.
 * Nothing here is called inside a step. */
#ifndef TN_MEMORY_H
#define TN_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All blocks of a model, or of a program; start with zeros. It is used by one thread at a time. */
typedef struct tn_memory {
    struct tn_memory_block {
        void *start;   /* NULL: a free place */
        size_t mapped; /* bytes, when it is a mapping of its own */
    } * block;         /* [capacity] a hash table by `start` */
    size_t capacity, count;
    char lack[128]; /* what there was no memory for; empty: there has always been some */
} tn_memory;

/* Frees all blocks that are left. */
void tn_memory_release(tn_memory *memory);

/* An object that is not memory and must be released where functions are left, such as a file or a lock. It stands on the stack. */
typedef struct tn_hold {
    void (*release)(void *object);
    void *object;
    struct tn_hold *outer;
} tn_hold;
void tn_hold_begin(tn_hold *hold, void (*release)(void *object), void *object);
void tn_hold_end(const tn_hold *hold); /* does not release it */

#ifndef __cplusplus
/* Where a lack of memory leads to. */
typedef struct tn_entry {
    jmp_buf place;
    tn_memory *memory; /* NULL: blocks have no owner */
    tn_hold *holds;
    struct tn_entry *outer;
} tn_entry;
void tn_entry_begin(tn_entry *entry, tn_memory *memory);
void tn_entry_end(const tn_entry *entry);

/* The memory of the current entry; NULL outside of entries. */
tn_memory *tn_memory_now(void);

/* Runs a statement as an entry with this memory; false when a lack of memory ended it. No function of a plugin or of C++ may run
 * between this entry and the allocation that fails. */
#define tn_attempt(chosen_memory, statement)                    \
    ({                                                          \
        tn_entry tn_entry_here;                                 \
        tn_entry_begin(&tn_entry_here, chosen_memory);          \
        const bool tn_done = _setjmp(tn_entry_here.place) == 0; \
        if (tn_done) {                                          \
            statement;                                          \
        }                                                       \
        tn_entry_end(&tn_entry_here);                           \
        tn_done;                                                \
    })
/* The status of a call that a plugin makes, TN_OUT_OF_MEMORY where it was left: the plugin is not left with it. */
#define tn_attempt_status(call)                                   \
    ({                                                            \
        volatile tn_status tn_attempted = TN_OUT_OF_MEMORY;       \
        (void)tn_attempt(tn_memory_now(), tn_attempted = (call)); \
        tn_attempted;                                             \
    })
#endif

/* There is no memory for what the C library, the dynamic linker, or C++ was asked for. */
void tn_no_memory(const char *what) __attribute__((noreturn));
/* The same when errno says that this is why the last call failed. */
void tn_check_memory(const char *what);
/* Adds a block of the C library to the memory of the current entry; NULL is let through. */
void *tn_adopt(void *memory);

/* Zeroed memory for count objects; count 0 gives a valid pointer, too. Free with tn_free. */
void *tn_new(size_t count, size_t size);
/* As tn_new, aligned to 64 bytes. */
void *tn_new_aligned(size_t count, size_t size);
/* Makes room for at least `needed` objects; capacity at least doubles. Returns the moved array. */
void *tn_grow(void *array, size_t *capacity, size_t needed, size_t size);
/* Makes room for one more object behind `count` ones in an array that has grown one by one. Returns the moved array. */
void *tn_grow_by_one(void *array, size_t count, size_t size);
/* Appends an object to such an array, and counts it. */
#define TN_APPEND(array, count, ...) \
    ((array) = tn_grow_by_one((array), (count), sizeof *(array)), (array)[count] = __VA_ARGS__, (count)++)

/* A copy of a text. */
char *tn_copy_text(const char *text);
/* Frees a block, whoever it belongs to, or memory of the C library; NULL is let through. */
void tn_free(void *memory);

/* For tests: the next allocation has no memory where this function says so; NULL: as it is. Of the process: no other thread
 * allocates meanwhile. */
void tn_memory_fail_by(bool (*fails)(void));

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
/* Likewise for C++, which is not left by jumps: NULL without memory. */
void *tn_arena_try(tn_arena *arena, size_t bytes);
char *tn_arena_text(tn_arena *arena, const char *text, size_t length);
/* As sprintf, into memory of the arena. */
char *tn_arena_print(tn_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *tn_arena_print_list(tn_arena *arena, const char *format, va_list arguments);
void tn_arena_free(tn_arena *arena);

#ifdef __cplusplus
}
#endif

#endif
