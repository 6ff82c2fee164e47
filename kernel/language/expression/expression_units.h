/* expression_units.h - the SI unit of an expression's value, from the units of what it reads. */
#ifndef TN_EXPRESSION_UNITS_H
#define TN_EXPRESSION_UNITS_H

#include "units/dimension.h"
#include "expression/expression.h"

typedef struct tn_unit {
    enum {
        TN_UNIT_UNKNOWN, /* cannot be known: 2*x, for the 2 may have a unit */
        TN_UNIT_ANY,     /* a number as it was written, which has the unit that it needs in a sum */
        TN_UNIT_NUMBER,  /* the same, and none in a product: SIN(x) */
        TN_UNIT_KNOWN
    } kind;
    const tn_dimension *dimension; /* of TN_UNIT_KNOWN */
} tn_unit;

/* The unit that a text names, a number for "": the text is not parsed yet. */
tn_unit tn_unit_of_text(const char *text);
/* TN_UNIT_KNOWN, unless the dimension is NULL, or that of a number. */
tn_unit tn_unit_of_dimension(const tn_dimension *dimension);
tn_unit tn_unit_product(tn_unit a, tn_unit b);
tn_unit tn_unit_quotient(tn_unit a, tn_unit b);

/* Two values of different units that are added or compared. */
typedef struct tn_unit_clash {
    const char *operation; /* "+", "MAX" */
    size_t offset;         /* in the text of the expression */
    const tn_dimension *left, *right;
} tn_unit_clash;

typedef struct tn_unit_scope {
    tn_unit (*unit_of)(void *data, uint32_t input);
    void (*report)(void *data, const tn_unit_clash *clash); /* may be NULL */
    void *data;
} tn_unit_scope;

/* Walks an expression once. Powers of time go with every unit: what depends on time alone is mostly meant as plain numbers. */
tn_unit tn_expression_unit(const tn_expression *expression, const tn_unit_scope *scope);

#endif
