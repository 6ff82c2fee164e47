/* test_expression.c - random texts for the parser of expressions. TENON_FUZZ_SECONDS says for how long; fuzz.sh searches
 * longer, with libFuzzer where it is there. */
#include "mutate.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const words[] = {
    "x",       "y",       "z",      "time",    "a",        "h",       "k",
    "1",       "0",       "2.5",    "1e-3",    "60D",      "1D2",     ".5",
    "+",       "-",       "*",      "/",       "**",       "(",       ")",
    ",",       ":",       " ",      "<",       "==",       "and ",    "or ",
    "not ",    "PI",      "IF(x:",  "IF(",     "ABS(",     "ACOS(",   "ATAN2(",
    "SQRT(",   "LOG(",    "EXP(",   "SIN(",    "MAX(",     "MIN(",    "MOD(",
    "SIGN(",   "DIM(",    "FLOOR(", "STEP(",   "STEP5(",   "HAVSIN(", "IMPACT(",
    "BISTOP(", "POLY(",   "CHEBY(", "FORCOS(", "FORSIN(",  "SHF(",    "SWEEP(",
    "spline(", "cubspl(", "cube(",  "dx(",     "varval(",  "[N]",     "\"",
    "^",       "\xc3",    "x,0,a",  "delay(",  "DELAY(x,", "fx(a,b)", "joint(1,0,2,0)",
    "accx(",   "varfrc(", "<=",     ">=",      "!="};

static const char *const seeds[] = {
    "-100*(x-1) - 5*y + 3*STEP(x,0,0,1,1)",
    "IF(x-1: 10, 20, 1/(time-1+1E-30))**2",
    "IMPACT(x, y, 1, 1e5, 1.5, 100, 0.1) + BISTOP(x,y,-1,1,10,2,5,0.1)",
    "SWEEP(time,10,1,1,5,10,0.1)*SHF(x,0.1,2,3,30D,5)",
    "POLY(x,1,2,3,4) + CHEBY(y,0,1,2,3) - FORCOS(x,0,180D,1,2)*FORSIN(z,1,2,3,4)",
    "MAX(x,y,z,a,b,c,d,e,f,g,h)/MOD(a,b) + ATAN2(y,x)",
    "dx(a,b) * varval(3) - coord(a,b) + cubspl(x, 0, s, 1) - spline(12, x)",
    "-2**-2 + 2**3**2 - 7/2*2",
    "DELAY(x*DELAY(y, 0.1, 2), 0.1 + a*time, (1 + 2)*time) - 3*delay(varval(1), 0.2, IF(time: 1, 2, 3))",
    "FX(a,b)*dx(3) + JOINT(j,0,2,0) - VARFRC(v,a,3,0)/(1 + ACCX(a)**2)",
    "not (x < 1 and y >= 2 or k == 3)*2 + (a != b)",
    "IF(x > 0 and not y < 0: 1, IF(z: a > 1, 2, 1/b), SIGN(c, d))*(x > 0) - IF(x < 0: 0, y, z)*(e or f)"};

static void random_texts_have_a_tape_or_an_error(void **state)
{
    (void)state;
    tn_fuzz_language(&(tn_language){.words = words,
                                    .seeds = seeds,
                                    .word_count = sizeof words / sizeof *words,
                                    .seed_count = sizeof seeds / sizeof *seeds,
                                    .most_changes = 20},
                     tn_fuzz_expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_texts_have_a_tape_or_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
