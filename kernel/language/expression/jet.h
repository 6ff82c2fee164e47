/* jet.h - numbers that carry their first and second derivatives with respect to the varying arguments of a function,
 * for formulas that are too long to be differentiated by hand. Results may be one of the operands. */
#ifndef TN_JET_H
#define TN_JET_H

#include "expression/functions.h"

enum { TN_JET_ARGUMENTS = 8 };

typedef struct tn_jet {
    double value, first[TN_JET_ARGUMENTS], second[TN_JET_ARGUMENTS][TN_JET_ARGUMENTS];
} tn_jet;

/* What is wanted: no derivatives at all where `count` is 0. */
typedef struct tn_jet_space {
    uint32_t count;
    uint32_t argument[TN_JET_ARGUMENTS]; /* the varying ones */
    bool second;
} tn_jet_space;

/* A function of two variables at a place: its value and derivatives there. */
typedef struct tn_jet_rule {
    double value, a, b, aa, ab, bb;
} tn_jet_rule;

/* The arguments of a function as jets. */
static inline tn_jet_space tn_jet_begin(const double *argument, uint32_t count,
                                        const tn_function_result *result, tn_jet *jet)
{
    tn_jet_space space = {.second = result->second};
    for (uint32_t i = 0; result->partial && i < count; i++)
        if (result->varying >> i & 1) space.argument[space.count++] = i;
    for (uint32_t i = 0; i < count; i++) {
        jet[i].value = argument[i];
        for (uint32_t k = 0; k < space.count; k++) {
            jet[i].first[k] = space.argument[k] == i ? 1.0 : 0.0;
            for (uint32_t l = 0; space.second && l < space.count; l++)
                jet[i].second[k][l] = 0.0;
        }
    }
    return space;
}

static inline void tn_jet_end(const tn_jet_space *space, const tn_jet *jet, uint32_t count,
                              tn_function_result *result)
{
    result->value = jet->value;
    for (uint32_t k = 0; k < space->count; k++) {
        result->partial[space->argument[k]] = jet->first[k];
        for (uint32_t l = 0; space->second && l < space->count; l++)
            result->second[space->argument[k] * count + space->argument[l]] = jet->second[k][l];
    }
}

/* The chain rule. */
static inline void tn_jet_two(const tn_jet_space *space, const tn_jet *a, const tn_jet *b, tn_jet_rule rule,
                              tn_jet *result)
{
    for (uint32_t k = 0; space->second && k < space->count; k++)
        for (uint32_t l = 0; l < space->count; l++)
            result->second[k][l] = rule.a * a->second[k][l] + rule.b * b->second[k][l] +
                                   rule.aa * a->first[k] * a->first[l] +
                                   rule.ab * (a->first[k] * b->first[l] + b->first[k] * a->first[l]) +
                                   rule.bb * b->first[k] * b->first[l];
    for (uint32_t k = 0; k < space->count; k++)
        result->first[k] = rule.a * a->first[k] + rule.b * b->first[k];
    result->value = rule.value;
}

static inline void tn_jet_one(const tn_jet_space *space, const tn_jet *a, double value, double first,
                              double second, tn_jet *result)
{
    tn_jet_two(space, a, a, (tn_jet_rule){.value = value, .a = first, .aa = second}, result);
}

/* p a + q b */
static inline void tn_jet_sum(const tn_jet_space *space, double p, const tn_jet *a, double q, const tn_jet *b,
                              tn_jet *result)
{
    tn_jet_two(space, a, b, (tn_jet_rule){.value = p * a->value + q * b->value, .a = p, .b = q}, result);
}

static inline void tn_jet_product(const tn_jet_space *space, const tn_jet *a, const tn_jet *b, tn_jet *result)
{
    tn_jet_two(space, a, b,
               (tn_jet_rule){.value = a->value * b->value, .a = b->value, .b = a->value, .ab = 1.0}, result);
}

static inline void tn_jet_quotient(const tn_jet_space *space, const tn_jet *a, const tn_jet *b,
                                   tn_jet *result)
{
    const double value = a->value / b->value, inverse = 1.0 / b->value;
    tn_jet_two(space, a, b,
               (tn_jet_rule){.value = value,
                             .a = inverse,
                             .b = -value * inverse,
                             .ab = -inverse * inverse,
                             .bb = 2.0 * value * inverse * inverse},
               result);
}

#endif
