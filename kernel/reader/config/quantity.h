/* quantity.h - numbers of the model: TOML numbers, or strings with an expression and a unit. */
#ifndef TN_QUANTITY_H
#define TN_QUANTITY_H

#include "config/keys.h"

/* A number, or an expression times the factor of its unit. That of a callable stays one even when it is constant. */
typedef struct tn_quantity {
    double value;              /* when `expression` is NULL */
    tn_expression *expression; /* owned */
    double factor;
    const tn_toml *node;
    const char *unit;        /* that is written behind it, or behind the whole vector; NULL for none */
    uint32_t argument_count; /* of a callable, else 0 */
    tn_item_calls calls;     /* of functions of items, where the value may change during the run */
} tn_quantity;

/* Reads a node as a number of `unit` (NULL: a bracketed unit is taken to SI). False after reporting. What depends
 * on repeat variables (or time, where that is allowed) stays an expression. */
bool tn_quantity_compile(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                         tn_quantity *quantity);
/* Value at inputs; false after reporting a problem such as a division by zero. */
bool tn_quantity_evaluate(tn_source *source, const tn_quantity *quantity, const double *inputs,
                          double *value);
/* True for a number, or a function of arguments, that changes during the run: with time, or with what functions of items
 * tell. */
bool tn_quantity_changes(const tn_source *source, const tn_quantity *quantity);

/* Compiles and evaluates at the current repeat variables. */
bool tn_number_read(tn_source *source, const tn_toml *node, const char *unit, double *value);
/* Likewise; the result must be an integer. */
bool tn_integer_read(tn_source *source, const tn_toml *node, int64_t *value);

/* A vector: the array itself, or { value = [..], unit = "mm" }. `node` becomes the array; with a unit for all, `unit` (NULL: any
 * unit is taken to SI) becomes "" and `scale` its factor. False after reporting. */
bool tn_vector_open(tn_source *source, const tn_toml **node, const char **unit, double *scale);

#endif
