/* target.h - texts for what reads texts; a target aborts where what comes out is not consistent. fuzz.sh makes each of
 * them the entry of libFuzzer. */
#ifndef TN_FUZZ_TARGET_H
#define TN_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            (void)fprintf(stderr, "does not hold: %s\n", #condition); \
            abort();                                                  \
        }                                                             \
    } while (0)

/* Always 0. */
typedef int tn_fuzz_target(const uint8_t *text, size_t length);
tn_fuzz_target tn_fuzz_expression; /* the parser of expressions */
tn_fuzz_target tn_fuzz_model;      /* a whole model file, read and assembled */
tn_fuzz_target tn_fuzz_run;        /* and run, with all that it writes */

#endif
