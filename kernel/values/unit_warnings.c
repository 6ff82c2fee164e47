/* unit_warnings.c - warnings where units do not fit together, and the units of callables */
#include "values/value_units.h"

#include <string.h>

void tn_units_warn_of_clash(tn_model *model, const tn_toml *node, const tn_unit_clash *clash)
{
    tn_model_warn(model, tn_toml_place_in_text(model->reader->document, node, clash->offset),
                  "`%s` of values of different units: %s, %s", clash->operation,
                  tn_dimension_words(clash->left, &model->arena),
                  tn_dimension_words(clash->right, &model->arena));
}

/* What depends on time alone is mostly meant as a plain number. */
void tn_units_check_use(tn_model *model, const tn_toml *node, tn_unit unit, const char *user,
                        const tn_dimension *expected)
{
    if (unit.kind != TN_UNIT_KNOWN || tn_dimension_fits(unit.dimension, expected) ||
        tn_dimension_is_time(unit.dimension))
        return;
    tn_model_warn(model, node->place, "the expression is %s, but %s is %s",
                  tn_dimension_words(unit.dimension, &model->arena), user,
                  tn_dimension_words(expected, &model->arena));
}

void tn_units_check_parameter(tn_model *model, const tn_toml *node, tn_unit unit,
                              const tn_parameter *parameter)
{
    if (strcmp(parameter->unit, TN_ANY_UNIT) != 0)
        tn_units_check_use(model, node, unit, "the parameter", tn_dimension_of(parameter->unit));
}

/* ---- callables ------------------------------------------------------------------------------------------- */

typedef struct callable {
    tn_model *model;
    const tn_fill_step *step;
} callable;

/* Repeat variables, then the arguments "name [unit], name [unit], ...", then time. */
static tn_unit unit_of_argument(void *data, uint32_t input)
{
    const callable *self = data;
    const uint32_t depth = self->model->reader->source.depth;
    if (input < depth) return (tn_unit){.kind = TN_UNIT_ANY};
    const char *argument = self->step->parameter->detail;
    for (uint32_t k = depth; argument && k < input; k++) {
        argument = strchr(argument, ',');
        if (argument) argument++;
    }
    if (!argument) return (tn_unit){0};
    const size_t name = strcspn(argument, ",["), length = strcspn(argument + name, "]");
    if (argument[name] != '[') return (tn_unit){0};
    return tn_unit_of_text(tn_arena_text(&self->model->arena, argument + name + 1, length - 1));
}

static void report_in_callable(void *data, const tn_unit_clash *clash)
{
    const callable *self = data;
    tn_units_warn_of_clash(self->model, self->step->node, clash);
}

void tn_units_check_callables(tn_model *model, const tn_filler *filler)
{
    for (size_t k = 0; k < filler->count; k++) {
        const tn_fill_step *step = &filler->step[k];
        callable self = {model, step};
        if (step->kind != TN_STEP_CALLABLE || step->quantity.unit || !step->quantity.expression) continue;
        const tn_unit_scope scope = {unit_of_argument, report_in_callable, &self};
        tn_units_check_parameter(model, step->node, tn_expression_unit(step->quantity.expression, &scope),
                                 step->parameter);
    }
}
