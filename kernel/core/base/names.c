/* names.c - a table from names to numbers, with open addressing */
#include "base/names.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

/* FNV-1a. The upper half tells names apart, the lower one says where they belong: there the last letter only adds,
 * so that p_1 ... p_9 are neighbours in memory. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u, beginning = hash;
    const char *c = name;
    for (; *c; c++) {
        beginning = hash;
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    }
    const uint32_t place = (uint32_t)(beginning ^ (beginning >> 29)) + (c > name ? (uint8_t)c[-1] : 0u);
    return (hash >> 32 << 32) | place;
}

/* The slot of a name: its own, or the empty one where it belongs. */
static size_t slot_of(const tn_names *names, const char *name, uint64_t hash)
{
    size_t i = hash & (names->capacity - 1);
    for (; names->slot[i]; i = (i + 1) & (names->capacity - 1))
        if (names->slot[i] >> 32 == hash >> 32 &&
            strcmp(names->name[(uint32_t)names->slot[i] - 1], name) == 0)
            break;
    return i;
}

uint32_t tn_names_find(const tn_names *names, const char *name)
{
    if (!names->capacity) return TN_NO_NAME;
    const uint64_t slot = names->slot[slot_of(names, name, hash_of(name))];
    return slot ? (uint32_t)slot - 1 : TN_NO_NAME;
}

static void enlarge_table(tn_names *names)
{
    const size_t capacity = names->capacity ? 2 * names->capacity : 64;
    uint64_t *slot = tn_new(capacity, sizeof *slot);
    tn_free(names->slot);
    names->slot = slot;
    names->capacity = capacity;
    for (size_t k = 0; k < names->count; k++) {
        const uint64_t hash = hash_of(names->name[k]);
        names->slot[slot_of(names, names->name[k], hash)] = (hash >> 32 << 32) | (k + 1);
    }
}

uint32_t tn_names_add(tn_names *names, const char *name)
{
    if (5 * (names->count + 1) > 4 * names->capacity) enlarge_table(names);
    const uint64_t hash = hash_of(name);
    const size_t slot = slot_of(names, name, hash);
    if (names->slot[slot]) return TN_NO_NAME;
    TN_APPEND(names->name, names->count, name);
    names->slot[slot] = (hash >> 32 << 32) | names->count;
    return (uint32_t)(names->count - 1);
}

void tn_names_free(tn_names *names)
{
    tn_free(names->slot);
    tn_free(names->name);
    *names = (tn_names){0};
}

size_t tn_word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return isdigit((unsigned char)*text) ? 0 : length;
}

bool tn_is_name(const char *text)
{
    const size_t length = tn_word_length(text);
    return length > 0 && !text[length];
}
