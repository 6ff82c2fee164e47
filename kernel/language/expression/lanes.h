/* lanes.h - one expression at many inputs side by side: which way each of them takes (see tape_lanes.c).
 *
 * An instruction works on all lanes, those too that wait for a later one: the numbers it leaves there are of no account, nor is what is
 * wrong with them. Only the value on top of the stack goes from a jump to the place where it ends: it is kept while a lane waits. */
#ifndef TN_LANES_H
#define TN_LANES_H

#include "expression/expression.h"

#include <math.h>

#define TN_EACH_LANE for (uint32_t lane = 0; lane < TN_EXPRESSION_LANES; lane++)

typedef double tn_lane_values[TN_EXPRESSION_LANES];

/* Places of instructions are numbers as wide as the values, which the compiler compares and selects side by side. */
typedef struct tn_lanes {
    tn_lane_values due;  /* the instruction that a lane waits for; infinite where it goes along */
    tn_lane_values kept; /* the value on top of its stack meanwhile */
    int64_t along;       /* how many go along */
    size_t arrival;      /* the first instruction that a lane waits for; SIZE_MAX: all lanes go along */
} tn_lanes;

static inline bool tn_lanes_together(const tn_lanes *lanes) { return lanes->arrival == SIZE_MAX; }

static inline bool tn_lane_goes_along(const tn_lanes *lanes, uint32_t lane)
{
    return lanes->due[lane] == (double)INFINITY;
}

/* The values of a function that is called with argument[i][lane]; they replace argument[0]. False where a lane that goes along has no
 * value. The bits are those of tn_function_body. */
typedef bool tn_function_lanes(tn_lane_values *argument, uint32_t count, const tn_lanes *lanes);

#define TN_LANES_BODY(name)                                                            \
    static bool name(tn_lane_values *argument, __attribute__((unused)) uint32_t count, \
                     __attribute__((unused)) const tn_lanes *lanes)

/* A formula of a, the first argument, that has a value everywhere; and one of a and b. */
#define TN_LANES_OF_ONE(name, formula)          \
    TN_LANES_BODY(name)                         \
    {                                           \
        TN_EACH_LANE                            \
        {                                       \
            const double a = argument[0][lane]; \
            argument[0][lane] = (formula);      \
        }                                       \
        return true;                            \
    }
#define TN_LANES_OF_TWO(name, formula)                                 \
    TN_LANES_BODY(name)                                                \
    {                                                                  \
        TN_EACH_LANE                                                   \
        {                                                              \
            const double a = argument[0][lane], b = argument[1][lane]; \
            argument[0][lane] = (formula);                             \
        }                                                              \
        return true;                                                   \
    }

#endif
