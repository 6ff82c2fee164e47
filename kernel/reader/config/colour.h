/* colour.h - colours of messages on a terminal, by their severity: "error", "warning" or "note". */
#ifndef TN_COLOUR_H
#define TN_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a stream is a terminal that shows colours, and the user wants to see some. */
bool tn_has_colours(FILE *stream);
/* What switches the colour of a severity on, and all colours off. */
const char *tn_colour_of(const char *severity);
extern const char tn_colour_off[];

#endif
