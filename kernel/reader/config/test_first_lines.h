/* test_first_lines.h - messages without the lines of files that they show, for tests of what is said and where. */
#ifndef TN_TEST_FIRST_LINES_H
#define TN_TEST_FIRST_LINES_H

#include <string.h>

/* Takes the lines that begin with a blank out of a text. */
static inline void keep_first_lines(char *text)
{
    char *to = text;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        const size_t kept = *line == ' ' ? 0 : length;
        memmove(to, line, kept);
        to += kept;
        line += length;
    }
    *to = '\0';
}

#endif
