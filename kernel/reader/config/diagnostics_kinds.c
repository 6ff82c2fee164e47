/* diagnostics_kinds.c - messages that say the same of different things: a few of them are shown, the others counted */
#include "config/diagnostics_internal.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

/* Whether what stands in front of a colon only names what the message is about: "`mass` of `body`", "body". */
static bool only_names(const char *words)
{
    return !strchr(words, ' ') || strcmp(words, "` of `") == 0 || strncmp(words, "` of [", 6) == 0;
}

/* What a message says, without what it says it of: quoted words and numbers, names in front of the first colon, and what
 * explains it behind a later one or in parentheses. */
static char *words_of(const char *text)
{
    char *words = tn_new(strlen(text) + 1, 1), *to = words;
    for (const char *c = text; *c; c++) {
        *to = '\0';
        const bool names = c[0] == ':' && c[1] == ' ' && only_names(words);
        if (names) {
            to = words;
            c++;
            continue;
        }
        if ((c[0] == ':' && c[1] == ' ') || (c[0] == ' ' && c[1] == '(')) break;
        *to++ = isdigit((unsigned char)*c) ? '#' : *c;
        const char *quote = *c == '`' || *c == '"' ? strchr(c + 1, *c) : NULL;
        if (quote)
            c = quote;
        else if (isdigit((unsigned char)*c))
            c += strspn(c + 1, "0123456789.e+-");
    }
    *to = '\0';
    return words;
}

static tn_message_kind *find_kind(const tn_message_kinds *all, tn_severity severity, const char *words)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->kind[k].severity == severity && strcmp(all->kind[k].words, words) == 0)
            return (tn_message_kind *)&all->kind[k];
    return NULL;
}

const tn_message_kind *tn_message_kind_of(const tn_message_kinds *all, tn_severity severity, const char *text)
{
    char *words = words_of(text);
    const tn_message_kind *known = find_kind(all, severity, words);
    tn_free(words);
    return known;
}

tn_message_kind *tn_message_kind_count(tn_message_kinds *all, tn_severity severity, const char *text)
{
    char *words = words_of(text);
    tn_message_kind *known = find_kind(all, severity, words);
    if (!known && all->count < sizeof all->kind / sizeof *all->kind) {
        known = &all->kind[all->count++];
        *known = (tn_message_kind){.severity = severity, .words = words};
    } else {
        tn_free(words);
    }
    if (known) known->count++;
    return known;
}

void tn_message_kinds_forget(tn_message_kinds *all)
{
    for (size_t k = 0; k < all->count; k++)
        tn_free(all->kind[k].words);
    all->count = 0;
}
