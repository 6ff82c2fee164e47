/* value_units.h - what the files about units share: the units of the model's expressions (units.c), and warnings about them
 * (unit_warnings.c). */
#ifndef TN_MODEL_UNITS_H
#define TN_MODEL_UNITS_H

#include "expression/units.h"
#include "values/graph.h"

/* Warns of values of different units in the expression of a node. */
void tn_units_warn_of_clash(tn_model *model, const tn_toml *node, const tn_unit_clash *clash);
/* Warns of an expression whose value is used as something of another unit, which `user` names; or as a parameter. */
void tn_units_check_use(tn_model *model, const tn_toml *node, tn_unit unit, const char *user,
                        const tn_dimension *expected);
void tn_units_check_parameter(tn_model *model, const tn_toml *node, tn_unit unit,
                              const tn_parameter *parameter);

#endif
