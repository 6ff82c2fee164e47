/* arena.h - memory in big blocks, given back all at once: a tree of a million nodes costs a few calls of malloc. */
#ifndef TN_ARENA_H
#define TN_ARENA_H

#include <stddef.h>

typedef struct tn_arena_block tn_arena_block;

/* All zero is an empty arena. */
typedef struct tn_arena {
    tn_arena_block *newest;
} tn_arena;

/* Zeroed memory for any object; NULL without memory. */
void *tn_arena_allocate(tn_arena *arena, size_t size);

/* A copy of `length` bytes with a NUL behind them; NULL without memory. */
char *tn_arena_copy(tn_arena *arena, const char *text, size_t length);

/* Gives everything back and leaves an empty arena. */
void tn_arena_free(tn_arena *arena);

#endif
