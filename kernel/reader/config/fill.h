/* fill.h - from a TOML table to the memory of an instance, guided by the type's table of parameters.
 *
 * A table is prepared once: keys are looked up, expressions compiled, units converted, and all that is the
 * same in every copy of a repeated item lands in a prototype. Each copy then takes the prototype and the few
 * values that depend on its repeat variables. */
#ifndef TN_FILL_H
#define TN_FILL_H

#include "config/quantity.h"
#include "model/model.h"

/* A user's function: an expression of arguments, behind a tn_callable. */
typedef struct tn_user_function {
    tn_called called; /* must be the first field */
    const tn_expression *expression;
    double factor;
    uint32_t depth, argument_count;
    /* of the expression: repeat variables, arguments of the last call, then time and what its calls of functions of items
     * tell, which are written here by whoever knows them; derivatives by all of them */
    double *inputs, *gradient;
    double *added;             /* [1] to the value */
    const tn_routine *routine; /* that gets the arguments, and is all of the expression; or NULL */
    /* the first one with the same expression, or routines of one family in it: these are called together; NULL: it never is */
    const struct tn_user_function *like;
} tn_user_function;

/* That at byte `offset` of an instance; NULL: none is given. */
static inline const tn_user_function *tn_user_function_at(const void *instance, size_t offset)
{
    return ((const tn_callable *)(const void *)((const char *)instance + offset))->handle;
}

/* Entries of the reader's own tables of parameters: any real numbers; one value without a unit. Further fields may follow. */
#define TN_NUMBERS_KEY(its_name, its_unit, its_count, its_meaning, ...)                   \
    {                                                                                     \
        .name = its_name, .meaning = its_meaning, .unit = its_unit, .low = -TN_UNBOUNDED, \
        .high = TN_UNBOUNDED, .kind = TN_KIND_REAL, .count = its_count, __VA_ARGS__       \
    }
#define TN_VALUE_KEY(its_name, its_kind, its_meaning, ...)                                              \
    {                                                                                                   \
        .name = its_name, .meaning = its_meaning, .unit = "", .kind = its_kind, .count = 1, __VA_ARGS__ \
    }

/* Whether a number lies in the range of a parameter; else `words` gets "must be at least 0". */
bool tn_parameter_admits(const tn_parameter *parameter, double value, char *words, size_t size);
/* The number of a choice's word; -1: there is none. */
int32_t tn_parameter_choice(const tn_parameter *parameter, const char *word, size_t length);

/* The parameter, one real, whose number is the last power of a unit, as in "N/m^exponent"; NULL: there is none. */
const tn_parameter *tn_parameter_of_power(const tn_parameter *parameters, const char *unit);

/* A parameter, or a component of one, that is set in every copy. */
typedef struct tn_fill_step {
    const tn_parameter *parameter;
    const tn_toml *node;
    enum { TN_STEP_QUANTITY, TN_STEP_DYNAMIC, TN_STEP_CALLABLE, TN_STEP_GENERAL } kind;
    uint32_t component;
    tn_quantity quantity;
} tn_fill_step;

typedef struct tn_filler {
    const tn_toml *table;
    const tn_parameter *parameters;
    size_t instance_size;
    char *prototype;
    tn_fill_step *step;
    size_t count;
    uint64_t dynamic; /* bit k: parameter k is dynamic */
    bool unknown;     /* some number of the table is wrong: instances have gaps */
} tn_filler;

/* Prepares `table`, reporting problems; which keys there are is the matter of tn_check_keys. */
void tn_filler_prepare(tn_source *source, const tn_toml *table, const tn_parameter *parameters,
                       size_t instance_size, tn_filler *filler);
/* Fills one instance at the current repeat variables. Dynamic values are set for time 0. Functions of the instance, which
 * every instance has for itself, live as long as the filler. */
void tn_filler_apply(tn_source *source, const tn_filler *filler, void *instance);
/* The same for one that holds a copy of the prototype already. */
void tn_filler_vary(tn_source *source, const tn_filler *filler, void *instance);

/* The function of a callable, which the instance gets. callable.c */
void tn_callable_apply(tn_source *source, const tn_fill_step *step, void *instance);

/* Both at once, for what is not repeated and has no functions. */
void tn_fill(tn_source *source, const tn_toml *table, const tn_parameter *parameters, size_t instance_size,
             void *instance);

/* Reads a rotation into R[9] by rows; false after reporting. rotation.c */
bool tn_rotation_read(tn_source *source, const tn_toml *node, double *R);
/* C = A B of such matrices; C may be one of them. rotation.c */
void tn_rotation_multiply(const double A[9], const double B[9], double *C);

#endif
