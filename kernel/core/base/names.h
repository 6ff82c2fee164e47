/* names.h - a table from names to numbers. */
#ifndef TN_NAMES_H
#define TN_NAMES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define TN_NO_NAME UINT32_MAX

typedef struct tn_names {
    uint64_t *slot; /* upper half: part of the hash; lower half: number + 1 */
    size_t capacity, count;
    const char **name; /* by number */
} tn_names;

/* Number of a name, or TN_NO_NAME. */
uint32_t tn_names_find(const tn_names *names, const char *name);
/* Adds a name (not copied) and returns its number, counted from 0 in order of addition; TN_NO_NAME when it is
 * there already. */
uint32_t tn_names_add(tn_names *names, const char *name);
void tn_names_free(tn_names *names);

/* The length of the name, [A-Za-z_][A-Za-z0-9_]*, that a text begins with; 0: it begins with none. */
size_t tn_word_length(const char *text);
/* True for a text that is a name. */
bool tn_is_name(const char *text);

#endif
