/* text.h - texts that grow, and the word that a misspelt one was probably meant to be. */
#ifndef TN_TEXT_H
#define TN_TEXT_H

#include "base/memory.h"
#include "tenon/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Memory for a message that says why something is wrong; what does not fit ends with "..." (tenon/text.h). */
enum { TN_LONGEST_REASON = 1024 };

/* A text that grows as it is written: start with zeros, free `letters`, which is NULL until something is added. */
typedef struct tn_text {
    char *letters; /* ends with a zero */
    size_t length, capacity;
} tn_text;

/* Appends what printf would print. */
void tn_text_add(tn_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tn_text_add_list(tn_text *text, const char *format, va_list arguments);
/* Appends letters as they are. */
void tn_text_add_letters(tn_text *text, const char *letters, size_t length);
/* Appends one more entry of a list, behind a comma unless it is the first. */
void tn_text_list(tn_text *text, const char *entry);

/* A search for the nearest candidate: start with tn_nearest_start, offer candidates, read `best` (NULL when
 * none is near: more than a third of the letters wrong). Distance: Damerau-Levenshtein, ignoring case. */
typedef struct tn_nearest {
    const char *wanted;
    size_t length;
    const char *best;
    size_t distance;
} tn_nearest;

void tn_nearest_start(tn_nearest *search, const char *wanted);
void tn_nearest_offer(tn_nearest *search, const char *candidate);

#endif
