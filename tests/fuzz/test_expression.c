/* test_expression.c - texts put together and spoilt at random, always the same ones in the same order, for the parser of
 * expressions. TENON_FUZZ_SECONDS says for how long (2); fuzz.sh searches longer, with libFuzzer where it is there. */
#include "expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { LONGEST = 2000 };

static const char *const words[] = {
    "x",       "y",      "z",       "time",    "a",      "h",      "k",       "1",       "0",       "2.5",
    "1e-3",    "60D",    "1D2",     ".5",      "+",      "-",      "*",       "/",       "**",      "(",
    ")",       ",",      ":",       " ",       "<",      "==",     "and ",    "or ",     "not ",    "PI",
    "IF(x:",   "IF(",    "ABS(",    "ACOS(",   "ATAN2(", "SQRT(",  "LOG(",    "EXP(",    "SIN(",    "MAX(",
    "MIN(",    "MOD(",   "SIGN(",   "DIM(",    "FLOOR(", "STEP(",  "STEP5(",  "HAVSIN(", "IMPACT(", "BISTOP(",
    "POLY(",   "CHEBY(", "FORCOS(", "FORSIN(", "SHF(",   "SWEEP(", "spline(", "cubspl(", "cube(",   "dx(",
    "varval(", "[N]",    "\"",      "^",       "\xc3",   "x,0,a"};

static const char *const seeds[] = {
    "-100*(x-1) - 5*y + 3*STEP(x,0,0,1,1)",
    "IF(x-1: 10, 20, 1/(time-1+1E-30))**2",
    "IMPACT(x, y, 1, 1e5, 1.5, 100, 0.1) + BISTOP(x,y,-1,1,10,2,5,0.1)",
    "SWEEP(time,10,1,1,5,10,0.1)*SHF(x,0.1,2,3,30D,5)",
    "POLY(x,1,2,3,4) + CHEBY(y,0,1,2,3) - FORCOS(x,0,180D,1,2)*FORSIN(z,1,2,3,4)",
    "MAX(x,y,z,a,b,c,d,e,f,g,h)/MOD(a,b) + ATAN2(y,x)",
    "dx(a,b) * varval(3) + cubspl(x, 0, s, 1) - spline(12, x)",
    "-2**-2 + 2**3**2 - 7/2*2"};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Appends as much of a word as there is room for. */
static size_t append(char *text, size_t length, const char *word)
{
    const size_t size = strlen(word), room = LONGEST - length, part = size < room ? size : room;
    memcpy(text + length, word, part);
    return length + part;
}

/* A seed, or nothing; then words at the end, and characters that are replaced, taken out or doubled. */
static size_t compose(uint32_t *seed, char *text)
{
    size_t length = 0;
    if (next(seed) % 3) length = append(text, 0, seeds[next(seed) % (sizeof seeds / sizeof *seeds)]);
    for (uint32_t count = next(seed) % 30; count > 0 && next(seed) % 2; count--)
        length = append(text, length, words[next(seed) % (sizeof words / sizeof *words)]);
    for (uint32_t count = next(seed) % 6; count > 0 && length > 0; count--) {
        const size_t place = next(seed) % length;
        const char *const word = words[next(seed) % (sizeof words / sizeof *words)];
        const uint32_t kind = next(seed) % 4;
        if (kind == 0)
            text[place] = (char)next(seed);
        else if (kind == 1)
            memmove(text + place, text + place + 1, --length - place);
        else if (kind == 2)
            text[place] = word[0];
        else
            length = append(text, length, word);
    }
    return length;
}

/* On the heap without a byte to spare, so that reading beyond the end is seen. */
static void try_text(const char *text, size_t length)
{
    uint8_t *const copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    (void)LLVMFuzzerTestOneInput(copy, length);
    free(copy);
}

static void random_texts_have_a_tape_or_an_error(void **state)
{
    (void)state;
    const char *const wanted = getenv("TENON_FUZZ_SECONDS");
    const double seconds = wanted ? atof(wanted) : 2.0;
    const clock_t start = clock();
    char text[LONGEST];
    uint32_t seed = 1;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        try_text(seeds[k], strlen(seeds[k]));
    for (size_t count = 0; count % 64 || (double)(clock() - start) < seconds * (double)CLOCKS_PER_SEC;
         count++)
        try_text(text, compose(&seed, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_texts_have_a_tape_or_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
