/* expression.h - one line of text becomes a tape that gives values and exact derivatives.
 *
 * Text -> (lexer.c) tokens -> (parser.c, parser_names.c) tape -> (tape.c, tape_lanes.c) values,
 * (tape_derivatives.c) gradients and second derivatives, (tape_soft.c) jumps made steep laws; functions.h names the files of
 * functions. Evaluation allocates nothing, looks nothing up and does not recurse. */
#ifndef TN_EXPRESSION_H
#define TN_EXPRESSION_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a name stands for. */
typedef enum tn_symbol_kind {
    TN_SYMBOL_UNKNOWN,
    TN_SYMBOL_CONSTANT, /* a number known now: `value` */
    TN_SYMBOL_INPUT,    /* number `input` of the array handed to the evaluation */
    TN_SYMBOL_ERROR     /* the resolver has reported an error itself (a parameter that is wrong) */
} tn_symbol_kind;

typedef struct tn_symbol {
    tn_symbol_kind kind;
    double value;
    uint32_t input;
    bool steps; /* an input that may take isolated values only, such as the number of a gear */
} tn_symbol;

/* What a function works out. The arrays come as zeros; derivatives with respect to arguments that do not vary need not
 * be there, and one that does not exist is NaN. */
typedef struct tn_function_result {
    double value;
    double *partial;  /* [count], or NULL where only the value is wanted */
    double *second;   /* [count][count], both halves; NULL where not wanted, and without `partial` */
    uint64_t varying; /* bit i: argument i varies */
} tn_function_result;

/* A function that the model brings along, such as a spline with its data. It must outlive the expression. */
typedef struct tn_routine {
    const char *name; /* for messages */
    uint32_t minimum_count, maximum_count;
    /* As tn_function_body (functions.h): NULL, or static text that says why there is no value. */
    const char *(*body)(const struct tn_routine *routine, const double *argument, uint32_t count,
                        tn_function_result *result);
    /* Looks at the arguments of a call while it is compiled, NaN for those that vary: why one of the others is not
     * allowed, or NULL; and how many derivatives of the value are continuous, -1 when it may jump. NULL: 0. */
    const char *(*inspect)(const struct tn_routine *routine, const double *argument, uint32_t count,
                           int32_t *smoothness);
    /* Expressions that are further arguments of every call, behind those that are written. */
    const char *const *reading;
    uint32_t reading_count;
    /* As those of a function of the language (functions.h). */
    uint32_t switch_count;
    void (*switches)(const struct tn_routine *routine, const double *argument, uint32_t count, double *value);
    const char *unit; /* of its value; NULL: not known */
    bool one_thread;  /* one call at a time */
    /* Routines of one family (NULL: none) take as many arguments and are called together: `count` of them, TN_EXPRESSION_LANES at most,
     * argument i of lane k at argument[i * TN_EXPRESSION_LANES + k]. False where some lane has no value. */
    const void *family;
    bool (*many)(const struct tn_routine *const *routine, uint32_t count, const double *argument,
                 double *value);
} tn_routine;

/* What a name in front of parentheses is when it is no built-in function. */
typedef enum tn_routine_kind {
    TN_NO_ROUTINE,
    TN_PLAIN_ROUTINE, /* name(x, ...) */
    TN_NAMED_ROUTINE, /* name(subject, x, ...): the first argument is the name of something in the model */
    TN_NAMED_THIRD_ROUTINE /* name(x, z, subject, ...): the third one is */
} tn_routine_kind;

/* An argument that stands for an item of the model: its name, or its integer id as it was written. */
typedef struct tn_item_argument {
    const char *text;
    size_t offset; /* in the text of the expression */
} tn_item_argument;
enum { TN_MOST_ITEMS = 4 }; /* of one call */

/* The function delay(value, lag, start): each argument is an expression of its own, which is evaluated at another time. */
enum { TN_DELAY_VALUE, TN_DELAY_LAG, TN_DELAY_START, TN_DELAY_ARGUMENTS };
#define TN_DELAY_FUNCTION "delay"
/* The function of items whose value may take isolated values only: that of a variable. */
#define TN_VARIABLE_FUNCTION "varval"
/* An argument as it was written. */
typedef struct tn_argument_text {
    size_t offset, length; /* in the text of the expression */
} tn_argument_text;

/* Where and why a text is no expression; offset counts bytes from its start. `message` is empty when the
 * resolver reported the error itself. */
typedef struct tn_expression_error {
    size_t offset;
    char message[TN_LONGEST_REASON];
} tn_expression_error;

/* Names that an expression may use besides functions and constants (PI, DTOR, RTOD; case-insensitive). */
typedef struct tn_scope {
    /* Looks a name up (case-sensitive); `time` in any case arrives here as "time". */
    tn_symbol (*resolve)(void *data, const char *name);
    /* The known name nearest to an unknown one, or NULL; may itself be NULL. */
    const char *(*nearest)(void *data, const char *name);
    void *data;
    uint32_t input_count; /* may grow while references are looked up */
    /* Functions of the model, or NULL; then the routine of a (lower-case) name and subject (NULL for a plain one):
     * NULL after writing to `message`, or after reporting an error itself and leaving it empty. `routine_data` is the data
     * of these, of `is_reference` and of `explain`. */
    void *routine_data;
    tn_routine_kind (*routine_kind)(void *data, const char *name);
    const tn_routine *(*routine)(void *data, const char *name, const char *subject, char *message,
                                 size_t size);
    /* Functions of items of the model, such as dx(tip, base), or NULL: says whether a (lower-case) name is one; and then
     * what a call with 0 to TN_MOST_ITEMS items stands for. TN_SYMBOL_ERROR comes with `error` filled, which arrives with
     * the offset of the function's name and no message; no message: reported already. */
    bool (*is_reference)(void *data, const char *name);
    tn_symbol (*refer)(void *data, const char *name, const tn_item_argument *item, uint32_t count,
                       tn_expression_error *error);
    /* What a call of delay(value, lag, start) stands for, or NULL where it is no function; errors as above. */
    tn_symbol (*delay)(void *data, const tn_argument_text *argument, tn_expression_error *error);
    /* What is wrong with a name, in front of parentheses or not, that is none of these; false when nothing is known
     * about it. May be NULL. */
    bool (*explain)(void *data, const char *name, bool called, char *message, size_t size);
} tn_scope;

typedef struct tn_expression tn_expression;

/* NULL with `error` filled. Constant parts are folded. */
tn_expression *tn_expression_compile(const char *text, size_t length, const tn_scope *scope,
                                     tn_expression_error *error);
void tn_expression_free(tn_expression *expression);

/* True when no input is used; the value is then tn_expression_value(expression, NULL, ...). */
bool tn_expression_is_constant(const tn_expression *expression);
/* True when the value is 0 or 1: that of a comparison, or of several joined by `and`, `or`, `not`. */
bool tn_expression_is_logical(const tn_expression *expression);
/* True when `==` or `!=` compares values that vary continuously: they are equal at single instants only. `offset` is where
 * the first of these operators stands. */
bool tn_expression_has_instants(const tn_expression *expression, size_t *offset);
/* True when `input` occurs; `offset` (may be NULL) is where it stands first. */
bool tn_expression_uses(const tn_expression *expression, uint32_t input, size_t *offset);

/* Value at inputs[input_count]. False outside the domain (division by zero, root of a negative number, ...):
 * `problem` then points to static text such as "division by zero". A result that is not finite is a problem. */
bool tn_expression_value(const tn_expression *expression, const double *inputs, double *value,
                         const char **problem);

/* Values of one expression at many inputs side by side: those of TN_EXPRESSION_LANES together, of which the first `count` are wanted;
 * lanes that are left over repeat the first one. The k-th input in use, which has the number tn_expression_used(expression, k), stands
 * at inputs[k * TN_EXPRESSION_LANES + lane], in all lanes; or, where the second of these is NULL, behind each other from the first one
 * on. Lanes may take different branches; what is wrong with one that a lane does not take is of no account. Only for expressions that
 * do with a few intermediate values. False where some lane has no value. Lanes may call different routines of one family: routine
 * number k of a lane, tn_expression_routine(its expression, k), stands at routines[k * TN_EXPRESSION_LANES + lane]. */
enum { TN_EXPRESSION_LANES = 16 };
bool tn_expression_has_lanes(const tn_expression *expression);
/* Whether it calls a function of the model that takes one call at a time. */
bool tn_expression_needs_one_thread(const tn_expression *expression);
uint32_t tn_expression_used_count(const tn_expression *expression);
uint32_t tn_expression_used(const tn_expression *expression, uint32_t place);
/* Routine number k that it calls; NULL behind the last. */
const tn_routine *tn_expression_routine(const tn_expression *expression, uint32_t k);
/* The routine that is all of an expression: it gets the inputs from `first` on, *count of them, in their order. NULL: there is none. */
const tn_routine *tn_expression_only_call(const tn_expression *expression, uint32_t first, uint32_t *count);
bool tn_expression_value_lanes(const tn_expression *expression, const double *const *inputs,
                               const tn_routine *const *routines, uint32_t count, double *values);
/* An order of expressions; 0 for two that work out the same from the same inputs, but for routines of one family. */
int tn_expression_compare(const tn_expression *a, const tn_expression *b);

/* Value and derivatives with respect to all inputs, gradient[input_count]. */
bool tn_expression_gradient(const tn_expression *expression, const double *inputs, double *value,
                            double *gradient, const char **problem);

/* Value, gradient[input_count] and product[i] = sum over j of H_ij direction[j], H the second derivatives; all exact. */
bool tn_expression_second(const tn_expression *expression, const double *inputs, const double *direction,
                          double *value, double *gradient, double *product, const char **problem);

/* Switching functions: numbers whose zeros are the places where the expression takes another branch (IF, ABS, MAX, the
 * ends of STEP, ...). One of a part that is not worked out at these inputs is NaN. False as for the value. */
uint32_t tn_expression_switch_count(const tn_expression *expression);
bool tn_expression_switches(const tn_expression *expression, const double *inputs, double *switches,
                            const char **problem);
/* A jump at the zero of a switching function e, made a steep law: between the values of its two sides, by the share
 * s = offset + e / width, held to [-1, 1]. */
typedef struct tn_soft_jump {
    tn_routine routine; /* filled in by tn_expression_soften */
    double width, offset;
} tn_soft_jump;
/* The function that jumps where switching function `number` is zero, and can be softened there (SIGN, IF,
 * a comparison); NULL: none. */
const char *tn_expression_jump(const tn_expression *expression, uint32_t number);
/* A copy with the jumps softened that have an entry in jump[switch_count], which must outlive it; their switching functions
 * are NaN in it. NULL without room. */
tn_expression *tn_expression_soften(const tn_expression *expression, tn_soft_jump *const *jump);
/* True when `order` derivatives are continuous in all inputs (0: the value itself); else `function` is the name of the
 * first that breaks them. */
bool tn_expression_is_smooth(const tn_expression *expression, int32_t order, const char **function);

/* True when `name` is a function, a constant or `time`, in any case: such names cannot be parameters. */
bool tn_expression_reserved(const char *name);

/* Splits "2*k [N/m]" into its expression and unit: returns the length of the expression part, and the unit
 * (offset and length inside text) when there is one at the end, else *unit_length = 0. */
size_t tn_expression_split_unit(const char *text, size_t length, size_t *unit_offset, size_t *unit_length);

#endif
