/* value_units.h - the search for the units of variables and expressions (value_units.c), of blocks (block_units.c), and warnings about
 * them (unit_warnings.c). */
#ifndef TN_VALUE_UNITS_H
#define TN_VALUE_UNITS_H

#include "values/graph.h"

typedef struct tn_unit_search {
    tn_model *model;
    struct tn_variable_unit {
        bool seen, complete;
        tn_unit value;    /* of VARVAL */
        tn_unit equation; /* of the expression */
    } * variable;         /* by item; behind all items by dynamic value, of those that blocks hand on */
    /* numbers of `variable` to be looked at, or completed when they have been seen; the next one last */
    uint32_t *task;
    size_t tasks;
    const tn_live_value *live; /* the current one */
} tn_unit_search;

/* The unit of an expression that the current one has as an argument. */
tn_unit tn_unit_of_argument(tn_unit_search *search, const tn_live_value *argument);
/* That of a dynamic value which a block hands on; that of a number which is written in a model, or of NULL, which has none. */
tn_unit tn_unit_of_value(tn_unit_search *search, uint32_t value);
tn_unit tn_unit_of_constant(const tn_model *model, const tn_toml *node);
/* That of the value of a marker of kind TN_COORDINATE, or of an acceleration. marker_nodes.c */
tn_unit tn_unit_of_marker(tn_unit_search *search, const tn_value_node *node);

/* Whether others read outputs of an item. block_units.c */
bool tn_is_block(const tn_model *model, uint32_t item);
/* Of an output of a block, once `value` is complete if that is the dynamic value with its unit, else TN_NONE. */
tn_unit tn_unit_of_block(tn_unit_search *search, const tn_value_node *node);
uint32_t tn_block_value_of_unit(const tn_model *model, const tn_value_node *node);
/* Warns of inputs of another unit than `input_units` has, and refuses such units that are none; of items that are no blocks nothing. */
void tn_units_check_block(tn_unit_search *search, uint32_t item);
void tn_units_check_texts_of_block(tn_model *model, uint32_t item);
/* Refuses a text that is no unit, or none of SI. value_units.c */
void tn_units_check_si(tn_model *model, const char *unit, const tn_toml *node);

/* Warns of values of different units in the expression of a node. */
void tn_units_warn_of_clash(tn_model *model, const tn_toml *node, const tn_unit_clash *clash);
/* Warns of an expression whose value is used as something of another unit, which `user` names; or as a parameter. */
void tn_units_check_use(tn_model *model, const tn_toml *node, tn_unit unit, const char *user,
                        const tn_dimension *expected);
void tn_units_check_parameter(tn_model *model, const tn_toml *node, tn_unit unit,
                              const tn_parameter *parameter);

#endif
