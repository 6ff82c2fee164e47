/* excerpt.h - the line that a place is in, cut out of its text around what is meant. */
#ifndef TN_EXCERPT_H
#define TN_EXCERPT_H

#include "config/source_text.h"

#include <stdio.h>

typedef struct tn_excerpt {
    char *line;                  /* malloc'd, UTF-8; NULL: the text is not known */
    uint32_t column, end_column; /* of what is meant, in it, and behind it; counted from 1 in code points */
} tn_excerpt;

/* The line of the byte `offset`: of a line that is wider than 100 columns what lies around it, with "..." for the rest. What a
 * terminal would take for more than a letter is U+FFFD in it, but for tabs. What is meant ends at `end`, or with the line. */
tn_excerpt tn_excerpt_of(const tn_source_text *source, size_t offset, size_t end);

/* Prints it in two lines that begin with a blank, the second one with `^~~~` below what is meant, between these two texts. */
void tn_excerpt_print(const tn_excerpt *excerpt, uint32_t line, const char *before, const char *behind,
                      FILE *stream);

#endif
