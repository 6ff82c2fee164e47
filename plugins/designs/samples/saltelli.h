/* saltelli.h - what the design and its answers have in common: the places of cases */
#ifndef SALTELLI_H
#define SALTELLI_H

#include "sample.h"

typedef struct saltelli_plan {
    sobol_sequence sequence;
    uint64_t rows; /* N */
    bool second_order;
    uint32_t resamples;
} saltelli_plan;

/* Cases of a row: A, B, A with column i of B, and, for the second order, B with column i of A. */
static inline uint64_t saltelli_size(const saltelli_plan *plan, uint32_t variables)
{
    return 2u + (plan->second_order ? 2u : 1u) * (uint64_t)variables;
}

tn_status tn_saltelli_answer(const void *self, tn_design_answers *answers);

#endif
