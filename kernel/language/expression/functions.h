/* functions.h - the functions, named constants and rarer operators of expressions.
 *
 * A new function is one body and one line of the table of its family; and, where it is plain arithmetic, a loop over lanes (lanes.h):
 *   functions_elementary.c  powers, logarithms, trigonometry        functions_step.c     STEP STEP5 HAVSIN
 *   functions_choice.c      ABS MAX MOD ...: kinks and jumps        functions_contact.c  IMPACT BISTOP
 *   functions_series.c      POLY CHEBY FORCOS FORSIN                functions_wave.c     SHF SWEEP
 *   functions_operator.c    ** and logic */
#ifndef TN_FUNCTIONS_H
#define TN_FUNCTIONS_H

#include "expression/lanes.h"

/* Returns NULL, or static text that says why the arguments are outside the domain. Arguments are never NaN. */
typedef const char *tn_function_body(const double *argument, uint32_t count, tn_function_result *result);

#define TN_BODY(name)                                                                       \
    static const char *name(const double *argument, __attribute__((unused)) uint32_t count, \
                            tn_function_result *result)

enum {
    TN_MOST_COEFFICIENTS = 31,
    TN_MOST_ARGUMENTS = 3 + TN_MOST_COEFFICIENTS, /* of one call on the tape */
    TN_MOST_SWITCHES = 5,                         /* of one call */
    TN_JUMPS = -1,                                /* smoothness of a function whose value may jump */
    TN_SMOOTH = INT8_MAX
};

/* The values that something takes. */
typedef enum tn_nature {
    TN_CONTINUOUS,
    TN_STEPWISE, /* isolated ones */
    TN_LOGICAL   /* 0 and 1 */
} tn_nature;

#define TN_ANY_COUNT UINT32_MAX

/* The unit of a function's value, where it is not that of arguments. */
typedef enum tn_value_unit {
    TN_VALUE_UNKNOWN,
    TN_VALUE_NUMBER, /* none */
    TN_VALUE_ANGLE,
    TN_VALUE_ROOT /* the square root of the argument's */
} tn_value_unit;

#define TN_ARGUMENT(i) (1ull << (i))
#define TN_ARGUMENTS_FROM(i) (~0ull << (i))

typedef struct tn_function {
    const char *name; /* upper case */
    uint32_t minimum_count, maximum_count;
    tn_function_body *body;
    tn_function_lanes *lanes; /* NULL: the body is called for each lane */
    int8_t smoothness;        /* how many derivatives are continuous wherever there is a value, or TN_JUMPS */
    bool in_pairs;            /* f(a, b, c) is f(f(a, b), c): the tape calls it with two arguments only */
    /* What is wrong with arguments that are numbers already; the others are NaN. NULL: nothing, ever. */
    const char *(*refuse)(const double *argument);
    /* Values whose zeros are the places where the function takes another branch; NaN where one is of no account. */
    uint32_t switch_count;
    void (*switches)(const double *argument, double *value);
    /* Arguments that are all of one unit, whatever it is: those that are compared; and those that make up the value,
     * which then has their unit, else `unit`. */
    uint64_t compared, summed;
    uint8_t unit;   /* tn_value_unit */
    uint8_t nature; /* tn_nature of the value; TN_CONTINUOUS: that of the arguments */
} tn_function;

/* The function called `name` in any case, or NULL. */
const tn_function *tn_function_find(const char *name);
/* The function whose name is nearest to `name`, or NULL. */
const char *tn_function_nearest(const char *name);

/* Named constants (PI, DTOR, RTOD), in any case. */
bool tn_constant_find(const char *name, double *value);
/* Number `index` of their names, NULL after the last. */
const char *tn_constant_name(size_t index);

/* The families; each ends with an entry without a name. */
extern const tn_function tn_elementary_functions[], tn_choice_functions[], tn_step_functions[],
    tn_contact_functions[], tn_series_functions[], tn_wave_functions[];

/* Operators that are worked like functions. Comparisons: < <= > >= == != */
extern const tn_function tn_operator_power;
extern const tn_function tn_operator_not;   /* of 0 and 1, and linear between */
extern const tn_function tn_operator_truth; /* 0 for 0, 1 for everything else */
extern const tn_function tn_comparisons[6];
/* Switching functions: the argument itself, and how much the first one exceeds the second. */
void tn_switch_at_zero(const double *argument, double *value);
void tn_switch_where_equal(const double *argument, double *value);

/* The value is that of one argument. functions_choice.c */
const char *tn_choose_argument(const double *argument, uint32_t chosen, tn_function_result *result);

static inline double tn_sign_of(double x) { return (double)((x > 0.0) - (x < 0.0)); }

/* How a comparison changes where its left side grows beyond its right one: 1, it becomes true; -1, false; 0: it is none, or
 * changes at that instant only. */
int tn_comparison_direction(const tn_function *function);

#endif
