/* keys.h - the keys that a table may have and must have. */
#ifndef TN_KEYS_H
#define TN_KEYS_H

#include "config/scope.h"

#include <tenon/describe.h>

/* What is known in a table. */
typedef struct tn_keys {
    const char *const *words;          /* ends with NULL; may be NULL */
    const tn_parameter *parameters[2]; /* or NULL; those that are required must be there */
    const tn_parameter *others;        /* or NULL; these may be there */
    const tn_synonym *synonyms[2];     /* or NULL; how others call them */
} tn_keys;

/* Reports every key that is not known, with the nearest known one, and every required parameter that is missing,
 * unless one of the unknown keys was probably meant to be it. */
void tn_check_keys(tn_source *source, const tn_toml *table, const tn_keys *keys);

/* The value of `key`, or that of an unknown key that was probably meant to be it; NULL without one. */
const tn_toml *tn_meant(const tn_toml *table, const char *key, const tn_keys *keys);

/* The node that gives a (possibly dotted) parameter in a table, or NULL. */
const tn_toml *tn_parameter_node(const tn_toml *table, const char *name);

/* A parameter's unit for messages. */
const char *tn_unit_words(const tn_parameter *parameter);

/* True for words that differ by case and separators only: RigidBody and rigid_body. */
bool tn_is_same_word(const char *a, const char *b);

#endif
