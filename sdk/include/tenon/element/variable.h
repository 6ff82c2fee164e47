/* tenon/element/variable.h - "tenon.variable/1": an element whose value expressions read as VARVAL(name). */
#ifndef TENON_ELEMENT_VARIABLE_H
#define TENON_ELEMENT_VARIABLE_H

#include "tenon/batch.h"

#define TN_VARIABLE_KEY "tenon.variable/1"

/* The value of VARVAL for a variable, and the role of the coordinates that its expression reads. */
typedef enum tn_variable_kind {
    TN_EXPLICIT = 0, /* the value of the expression */
    TN_CONSTRAINT_MULTIPLIER =
        1,           /* the multiplier of its first row; the coordinates are the markers of the instance */
    TN_SOFT = 2,     /* the value of the expression; the coordinates are the markers of the instance */
    TN_IMPLICIT = 3, /* the solution that makes the expression, which reads it, zero */
    TN_INTEGRAL = 4, /* its first state of x, whose rate the expression is */
    TN_VARIABLE_KIND_IS_32_BITS = 0x7fffffff
} tn_variable_kind;

/* The expression is the type's first TN_DYNAMIC parameter, a REAL. */
typedef struct tn_variable_capability {
    uint32_t struct_size, reserved;
    /* [setup] The kind of one instance, whose expression reads itself or not. NULL: all are explicit. */
    tn_status (*variable_kind)(const tn_host *host, const void *instance, uint32_t reads_itself,
                               tn_variable_kind *kind);
} tn_variable_capability;

#endif
