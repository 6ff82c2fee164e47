/* variables.c - kinds of variables, and the coordinates that constraints among them act on */
#include "model/reading.h"

#include <stdlib.h>

enum { MOST_COORDINATES = 16, MOST_VALUES = 1000 }; /* that one constraint reads */

const tn_parameter *tn_variable_parameter(const tn_model *model, uint32_t item)
{
    return tn_value_of(model->use[model->item[item].use].element);
}

uint32_t tn_variable_expression(const tn_model *model, uint32_t item)
{
    const uint32_t offset = (uint32_t)tn_variable_parameter(model, item)->offset;
    uint32_t dynamic = model->first_dynamic[item];
    while (dynamic != TN_NONE && (model->dynamic[dynamic].off || model->dynamic[dynamic].offset != offset))
        dynamic = model->next_dynamic[dynamic];
    return dynamic;
}

static bool reads_itself(const tn_model *model, uint32_t item, uint32_t dynamic)
{
    const tn_live_value *live = &model->dynamic[dynamic].live;
    for (uint32_t k = 0; k < live->calls.count; k++)
        if (live->observed[k].kind == TN_OBSERVED_VARIABLE && live->observed[k].index == item) return true;
    return false;
}

/* What the expression of a constraint reads, directly or through explicit variables. */
typedef struct collection {
    uint32_t marker[MOST_COORDINATES], count;
    uint32_t *value; /* dynamic values to look at, each once */
    size_t values, capacity;
    bool good;
} collection;

static void add_value(collection *c, uint32_t dynamic)
{
    for (size_t k = 0; k < c->values; k++)
        if (c->value[k] == dynamic) return;
    c->value = tn_grow(c->value, &c->capacity, c->values + 1, sizeof *c->value);
    c->value[c->values++] = dynamic;
}

static void refuse(tn_model *model, collection *c, const tn_live_value *live, uint32_t call,
                   const char *reason)
{
    tn_source_error_inside(&model->source, live->node, live->calls.call[call].offset, "%s", reason);
    c->good = false;
}

static void add_coordinate(tn_model *model, collection *c, const tn_live_value *live, uint32_t call)
{
    const uint32_t marker = live->observed[call].index;
    for (uint32_t k = 0; k < c->count; k++)
        if (c->marker[k] == marker) return;
    if (c->count == MOST_COORDINATES)
        refuse(model, c, live, call, "a constraint reads at most 16 functions of markers");
    else
        c->marker[c->count++] = marker;
}

static void collect(tn_model *model, collection *c, uint32_t dynamic)
{
    const tn_live_value *live = &model->dynamic[dynamic].live;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_observed *observed = &live->observed[k];
        if (observed->kind == TN_OBSERVED_RATE)
            refuse(model, c, live, k, "a constraint holds displacements: this is a velocity");
        else if (observed->kind == TN_OBSERVED_ACCELERATION)
            refuse(model, c, live, k, "a constraint holds displacements: this is an acceleration");
        else if (observed->kind == TN_OBSERVED_FORCE)
            refuse(model, c, live, k, "a constraint holds displacements: this is a force");
        else if (observed->kind == TN_OBSERVED_DELAY)
            refuse(model, c, live, k, "a constraint holds displacements: `delay` is no function of them");
        else if (observed->kind == TN_OBSERVED_COORDINATE)
            add_coordinate(model, c, live, k);
        else if (tn_is_unknown(model, observed->index))
            refuse(model, c, live, k,
                   "a constraint holds displacements: this variable is no function of them");
        else
            for (uint32_t other = model->first_dynamic[observed->index]; other != TN_NONE;
                 other = model->next_dynamic[other])
                add_value(c, other);
        if (c->good && c->values > MOST_VALUES)
            refuse(model, c, live, k, "a constraint reads at most 1000 variables");
    }
}

static void check_smoothness(tn_model *model, uint32_t dynamic)
{
    const char *function = NULL;
    const tn_live_value *live = &model->dynamic[dynamic].live;
    if (!tn_expression_is_smooth(live->expression, 1, &function))
        tn_source_error(&model->source, live->node,
                        "a constraint must be smooth: %s has no continuous derivative everywhere", function);
}

/* The markers of one instance: those that its expression reads, where it acts on them. */
static void connect(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic)
{
    collection c = {.good = true};
    const tn_toml *table = model->item[item].origin->table;
    const bool acts =
        model->item[item].variable == TN_CONSTRAINT_MULTIPLIER || model->item[item].variable == TN_SOFT;
    if (acts && dynamic != TN_NONE) {
        for (uint32_t other = model->first_dynamic[item]; other != TN_NONE;
             other = model->next_dynamic[other])
            if (model->dynamic[other].offset == model->dynamic[dynamic].offset) add_value(&c, other);
        for (size_t next = 0; next < c.values && c.good; next++) {
            check_smoothness(model, c.value[next]);
            collect(model, &c, c.value[next]);
        }
    }
    if (acts && c.good && !c.count)
        tn_source_error(&model->source, table, "the constraint `%s` reads no marker",
                        tn_item_name(model, item));
    tn_add_markers(use, model->item[item].index, c.marker, c.count);
    free(c.value);
}

bool tn_is_unknown(const tn_model *model, uint32_t variable)
{
    const uint32_t kind = model->item[variable].variable;
    return kind == TN_CONSTRAINT_MULTIPLIER || kind == TN_INTEGRAL;
}

/* Explicit, unless the type says otherwise. */
static void find_kind(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic)
{
    const tn_element_type *type = use->element;
    tn_variable_kind kind = TN_EXPLICIT;
    const bool itself = dynamic != TN_NONE && reads_itself(model, item, dynamic);
    if (!type->variable_kind) return;
    const size_t before = tn_error_count(model->diagnostics);
    tn_host_point(model, model->item[item].origin->table, tn_item_name(model, item));
    const tn_status status = tn_call_for(tn_item_name(model, item), type, variable_kind, &model->host,
                                         tn_item_instance(model, item), itself, &kind);
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_error_count(model->diagnostics) == before)
        tn_source_error(&model->source, model->item[item].origin->table, "%s", tn_status_text(status));
    model->item[item].variable = kind;
    if (itself && kind == TN_EXPLICIT && status == TN_OK)
        tn_source_error(&model->source, model->dynamic[dynamic].live.node,
                        "`%s` reads itself: with `implicit = true` it is solved for",
                        tn_item_name(model, item));
}

static void for_variables(tn_model *model,
                          void (*visit)(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic))
{
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_element_type *type = model->use[k].element;
        for (size_t i = 0; type && type->flags & TN_VARIABLE && i < model->use[k].count; i++) {
            const uint32_t item = model->use[k].item[i];
            visit(model, &model->use[k], item, tn_variable_expression(model, item));
        }
    }
}

/* What drives a constraint is a function of time. */
static void check_driven(tn_model *model, uint32_t item)
{
    collection c = {.good = true};
    const uint32_t dynamic = tn_variable_expression(model, item);
    if (dynamic != TN_NONE) add_value(&c, dynamic);
    for (size_t next = 0; next < c.values && c.good; next++)
        collect(model, &c, c.value[next]);
    if (c.count)
        tn_source_error(&model->source, model->dynamic[dynamic].live.node,
                        "`%s` is driven by a function of time: it cannot read markers",
                        tn_item_name(model, item));
    free(c.value);
}

/* All kinds first: variables read each other. */
void tn_variables_connect(tn_model *model)
{
    for_variables(model, find_kind);
    for_variables(model, connect);
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->element && use->element->flags & TN_DRIVEN && i < use->count; i++)
            check_driven(model, use->item[i]);
    }
}
