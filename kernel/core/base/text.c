/* text.c - texts that grow, and the word that a misspelt one was probably meant to be (see text.h). */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- texts that grow ------------------------------------------------------------------------------------- */

void tn_text_add_list(tn_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) tn_no_memory("a text");
    text->letters = tn_grow(text->letters, &text->capacity, text->length + (size_t)length + 1, 1);
    (void)vsnprintf(text->letters + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
}

void tn_text_add(tn_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_text_add_list(text, format, arguments);
    va_end(arguments);
}

void tn_text_add_letters(tn_text *text, const char *letters, size_t length)
{
    text->letters = tn_grow(text->letters, &text->capacity, text->length + length + 1, 1);
    if (length) memcpy(text->letters + text->length, letters, length);
    text->length += length;
    text->letters[text->length] = '\0';
}

void tn_text_list(tn_text *text, const char *entry)
{
    tn_text_add(text, "%s%s", text->length ? ", " : "", entry);
}

/* ---- the nearest word ------------------------------------------------------------------------------------ */

/* Longer words are not compared: they are hardly typed by hand, and the rows below stay on the stack. */
enum { LONGEST_WORD = 127 };

static int lower_case(char letter) { return tolower((unsigned char)letter); }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Damerau-Levenshtein distance (adjacent letters may swap once), by rows of its table; where it is larger than `most`,
 * something that is so, too: a row never falls below the least of the two before it. */
static size_t distance_between(const char *a, size_t a_length, const char *b, size_t b_length, size_t most)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t *before_last = rows[0], *last = rows[1], *row = rows[2], least = 0;
    for (size_t j = 0; j <= b_length; j++)
        last[j] = before_last[j] = j;

    for (size_t i = 1; i <= a_length; i++) {
        const size_t least_before = least;
        row[0] = least = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced = last[j - 1] + (lower_case(a[i - 1]) != lower_case(b[j - 1]));
            row[j] = smaller(replaced, smaller(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                lower_case(a[i - 2]) == lower_case(b[j - 1]))
                row[j] = smaller(row[j], before_last[j - 2] + 1);
            least = smaller(least, row[j]);
        }
        if (least > most && least_before > most) return least;
        size_t *const oldest = before_last;
        before_last = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

void tn_nearest_start(tn_nearest *search, const char *wanted)
{
    *search = (tn_nearest){.wanted = wanted, .length = strlen(wanted)};
}

void tn_nearest_offer(tn_nearest *search, const char *candidate)
{
    const size_t wanted = search->length, offered = strlen(candidate);
    if (wanted > LONGEST_WORD || offered > LONGEST_WORD) return;

    const size_t letters = wanted > offered ? wanted : offered, missing = letters - smaller(wanted, offered);
    if (search->best && search->distance == 0) return;
    const size_t most = search->best ? smaller(search->distance - 1, letters / 3) : letters / 3;
    if (missing > most) return;
    const size_t distance = distance_between(search->wanted, wanted, candidate, offered, most);
    if (distance > most) return;
    search->best = candidate;
    search->distance = distance;
}
