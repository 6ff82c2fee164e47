/* mutate.c - spoilt texts (see mutate.h) */
#include "mutate.h"

#include <string.h>
#include <time.h>

enum { LONGEST = 16000, LONGEST_PIECE = 100 };

typedef struct changing_text {
    const tn_language *language;
    uint32_t random;
    size_t length;
    char text[LONGEST];
} changing_text;

static size_t pick(changing_text *changing, size_t count)
{
    changing->random = changing->random * 1664525u + 1013904223u;
    return (changing->random >> 8) % count;
}

/* `cut` letters at `place` become as much of a piece as there is room for. */
static void replace(changing_text *changing, size_t place, size_t cut, const char *piece, size_t size)
{
    const size_t left = changing->length - place, gone = cut < left ? cut : left;
    const size_t room = LONGEST - (changing->length - gone), part = size < room ? size : room;
    char *const at = changing->text + place;
    memmove(at + part, at + gone, left - gone);
    memcpy(at, piece, part);
    changing->length += part - gone;
}

static void change(changing_text *changing)
{
    const tn_language *const language = changing->language;
    const char *const word = language->words[pick(changing, language->word_count)];
    const char *const seed = language->seeds[pick(changing, language->seed_count)];
    const size_t place = pick(changing, changing->length + 1), start = pick(changing, strlen(seed));
    const char letter = (char)pick(changing, 256);
    switch (pick(changing, 6)) {
    case 0:
        replace(changing, place, 1, &letter, 1);
        break;
    case 1:
        replace(changing, place, 1 + pick(changing, LONGEST_PIECE), "", 0);
        break;
    case 2:
        replace(changing, place, 0, word, strlen(word));
        break;
    case 3:
        replace(changing, place, strlen(word), word, strlen(word));
        break;
    case 4:
        replace(changing, changing->length, 0, word, strlen(word));
        break;
    default:
        replace(changing, place, 0, seed + start, strnlen(seed + start, 1 + pick(changing, LONGEST_PIECE)));
    }
}

/* On the heap without a byte to spare, so that reading beyond the end is seen. */
static void try_text(const char *text, size_t length, tn_fuzz_target *target)
{
    uint8_t *const copy = malloc(length ? length : 1);
    CHECK(copy);
    memcpy(copy, text, length);
    (void)target(copy, length);
    free(copy);
}

void tn_fuzz_language(const tn_language *language, tn_fuzz_target *target)
{
    const char *const wanted = getenv("TENON_FUZZ_SECONDS");
    const double seconds = wanted ? atof(wanted) : 2.0;
    const clock_t start = clock();
    changing_text changing = {.language = language, .random = 1};
    for (size_t k = 0; k < language->seed_count; k++)
        try_text(language->seeds[k], strlen(language->seeds[k]), target);
    while ((double)(clock() - start) < seconds * (double)CLOCKS_PER_SEC) {
        const char *const seed = language->seeds[pick(&changing, language->seed_count)];
        changing.length = 0;
        if (pick(&changing, 8)) replace(&changing, 0, 0, seed, strlen(seed));
        for (size_t count = 1 + pick(&changing, language->most_changes); count > 0; count--)
            change(&changing);
        try_text(changing.text, changing.length, target);
    }
}
