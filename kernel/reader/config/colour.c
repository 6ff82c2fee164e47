/* colour.c - colours of messages on a terminal (see colour.h) */
#define _GNU_SOURCE
#include "config/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tn_colour_off[] = "\x1b[0m";

/* NO_COLOR as of no-color.org: whatever it says, unless it is empty. */
bool tn_has_colours(FILE *stream)
{
    const char *refusal = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const int file = fileno(stream);
    return file >= 0 && isatty(file) && !(refusal && *refusal) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

const char *tn_colour_of(const char *severity)
{
    return *severity == 'e' ? "\x1b[1;31m" : *severity == 'w' ? "\x1b[1;35m" : "\x1b[1;36m";
}
