/* tenon/kit/name_pattern.h - names that fit a pattern such as "wheel_*".
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_NAME_PATTERN_H
#define TENON_KIT_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* `*` stands for any characters, also none and dots, `?` for one. Backtracks to the last star only, so that no pattern takes long. */
static inline bool tn_name_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL; /* the last `*`, and what it may still take */
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

#endif
