/* response_expressions.h - expressions over the columns of a run: "max(z) - at(z, 1)". */
#ifndef TN_RESPONSE_EXPRESSIONS_H
#define TN_RESPONSE_EXPRESSIONS_H

#include "cases/cases.h"

/* All columns of sensors of the model, of which those that are read get a place among those of the study. */
typedef struct tn_all_columns {
    const tn_series_columns *all;
    uint32_t *place; /* [all->count] among the columns of the study; TN_NONE: nobody reads it */
} tn_all_columns;
/* The place of a column by its name; TN_NONE after reporting at byte `offset` of the node. */
uint32_t tn_case_column(tn_cases *cases, tn_all_columns *columns, const tn_toml *node, size_t offset,
                        const char *name);

typedef struct tn_case_expression tn_case_expression;
/* Compiles a string; NULL after reporting. `unit` gets the unit of an expression that is one call, else NULL. */
tn_case_expression *tn_case_expression_new(tn_cases *cases, tn_all_columns *columns, const tn_toml *node,
                                           const char **unit);
/* Its value, in SI units; NaN with the reason where it has none. */
double tn_case_expression_value(const tn_case_expression *expression, const tn_series *series,
                                const char **problem);

#endif
