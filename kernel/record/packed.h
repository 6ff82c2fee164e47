/* packed.h - a list of objects that are mostly alike, such as drawings: of each only the words that differ from the usual ones are kept.
 *
 * It is read and rewritten from the beginning on, object by object; an object that is rewritten has no more such words than before. */
#ifndef TN_PACKED_H
#define TN_PACKED_H

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { TN_PACKED_MOST = 64 }; /* 8-byte words of an object */

typedef struct tn_packed {
    const uint64_t *usual; /* words of the usual object */
    uint64_t *word;        /* of each object, which ones there are, as bits, and these */
    size_t used, capacity;
    size_t place; /* where reading goes on */
} tn_packed;

static inline void tn_packed_rewind(tn_packed *list) { list->place = 0; }

/* Writes an object of `count` words at `place`; returns where the next one stands. There is room. */
static inline size_t tn_packed_put(tn_packed *list, size_t place, const void *object, size_t count)
{
    uint64_t word[TN_PACKED_MOST], *bits = &list->word[place++];
    memcpy(word, object, count * sizeof *word);
    *bits = 0;
    for (size_t k = 0; k < count; k++) {
        if (word[k] == list->usual[k]) continue;
        *bits |= UINT64_C(1) << k;
        list->word[place++] = word[k];
    }
    return place;
}

static inline void tn_packed_add(tn_packed *list, const void *object, size_t count)
{
    list->word = tn_grow(list->word, &list->capacity, list->used + count + 1, sizeof *list->word);
    list->used = tn_packed_put(list, list->used, object, count);
}

/* The next object. */
static inline void tn_packed_next(tn_packed *list, void *object, size_t count)
{
    uint64_t word[TN_PACKED_MOST];
    memcpy(word, list->usual, count * sizeof *word);
    for (uint64_t bits = list->word[list->place++]; bits != 0; bits &= bits - 1)
        word[__builtin_ctzll(bits)] = list->word[list->place++];
    memcpy(object, word, count * sizeof *word);
}

#endif
