/* given.h - what a program gives a parameter in place of the text of a model
 *
 * Who calls it: a change that sets parameters, while it is prepared. Numbers are in SI units. */
#ifndef TN_GIVEN_H
#define TN_GIVEN_H

#include "model/builder.h"

/* Numbers (a real or its components, a rotation by rows, integers, truths, a list) or texts (a text, a choice, a file, texts). */
typedef struct tn_given {
    const double *number; /* [count], in SI units */
    const char *const *text;
    size_t count;
} tn_given;

/* Writes it into an instance of the item's type, as one of its parameters; false after reporting at `at`. */
bool tn_parameter_give(tn_model *model, uint32_t item, const tn_parameter *parameter, const tn_given *value,
                       const tn_location *at, void *instance);

#endif
