/* mutate.h - texts put together and spoilt at random, always the same ones in the same order */
#ifndef TN_FUZZ_MUTATE_H
#define TN_FUZZ_MUTATE_H

#include "target.h"

typedef struct tn_language {
    const char *const *words, *const *seeds; /* texts to start from */
    size_t word_count, seed_count;
    uint32_t most_changes; /* to one text */
} tn_language;

/* Each seed as it is, then spoilt ones for TENON_FUZZ_SECONDS of processor time (2 where the environment does not say). */
void tn_fuzz_language(const tn_language *language, tn_fuzz_target *target);

#endif
