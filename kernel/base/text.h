/* text.h - the word that a misspelt one was probably meant to be. */
#ifndef TN_TEXT_H
#define TN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A search for the nearest candidate: start with tn_nearest_start, offer candidates, read `best` (NULL when
 * none is near: more than a third of the letters wrong). Distance: Damerau-Levenshtein, ignoring case. */
typedef struct tn_nearest {
    const char *wanted;
    const char *best;
    size_t distance;
} tn_nearest;

void tn_nearest_start(tn_nearest *search, const char *wanted);
void tn_nearest_offer(tn_nearest *search, const char *candidate);

/* True for words that differ by case and separators only: RigidBody and rigid_body. */
bool tn_is_same_word(const char *a, const char *b);

#endif
