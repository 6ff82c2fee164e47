/* block_units.c - units of what blocks read and give (tenon/draft/blocks.h): those that they are given, by the parameters `input_units` and
 * `output_units` of their type, and of an output that is an input unchanged, that of the input */
#include "values/value_units.h"

#include "units/units.h"

#include <string.h>

static const tn_loaded_element *block_type(const tn_model *model, uint32_t item)
{
    const uint32_t use = model->item[item].use;
    const bool is_block = use != TN_NONE && model->item[item].index != TN_NONE && model->use[use].element &&
                          model->use[use].element->readable_count;
    return is_block ? model->use[use].element : NULL;
}

bool tn_is_block(const tn_model *model, uint32_t item) { return block_type(model, item) != NULL; }

/* The text for number `k` of those of a parameter of texts: one for each, or one for all; NULL for none. */
static const char *text_of(const tn_model *model, uint32_t item, const char *name, uint32_t k)
{
    const tn_parameter *parameter = block_type(model, item)->parameters;
    while (parameter->name && strcmp(parameter->name, name) != 0)
        parameter++;
    if (!parameter->name || parameter->kind != TN_KIND_TEXTS) return NULL;
    tn_texts texts;
    memcpy(&texts, (const char *)tn_item_instance(model, item) + parameter->offset, sizeof texts);
    return texts.count == 1 ? texts.text[0] : k < texts.count ? texts.text[k] : NULL;
}

/* ---- inputs ----------------------------------------------------------------------------------------------- */

/* A number among all that may change, counted from 0: its parameter, and its place there. */
typedef struct input {
    const tn_parameter *parameter;
    uint32_t index;
} input;

static input input_of(const tn_loaded_element *type, uint32_t number)
{
    const tn_parameter *p = type->parameters;
    for (; p && p->name; p++) {
        if (!(p->flags & TN_DYNAMIC) || p->kind != TN_KIND_REAL) continue;
        if (number < p->count) return (input){p, number};
        number -= p->count;
    }
    return (input){NULL, 0};
}

static uint32_t value_of(const tn_model *model, uint32_t item, const input *in)
{
    const tn_value_graph *graph = model->values;
    const size_t offset = in->parameter->offset + in->index * sizeof(double);
    TN_FOR_VALUES_OF (graph, item, k)
        if (!graph->dynamic[k].off && graph->dynamic[k].offset == offset) return k;
    return TN_NONE;
}

/* What stands for it in the model, which is a number: in an array, or by itself. */
static const tn_toml *node_of(const tn_model *model, uint32_t item, const input *in)
{
    const tn_toml *node = tn_toml_get(model->item[item].origin->at->node, in->parameter->name);
    if (!node || node->kind != TN_TOML_ARRAY) return node;
    return in->index < node->count ? node->child[in->index] : NULL;
}

void tn_units_check_block(tn_unit_search *all, uint32_t item)
{
    tn_model *model = all->model;
    const tn_loaded_element *type = block_type(model, item);
    input in;
    for (uint32_t k = 0; type && (in = input_of(type, k)).parameter; k++) {
        const char *own = text_of(model, item, "input_units", k);
        const uint32_t value = own ? value_of(model, item, &in) : TN_NONE;
        const tn_toml *node = own ? node_of(model, item, &in) : NULL;
        if (value != TN_NONE)
            tn_units_check_use(model, model->values->dynamic[value].live.node, tn_unit_of_value(all, value),
                               "this input", tn_dimension_of(own));
        else if (node)
            tn_units_check_use(model, node, tn_unit_of_constant(model, node), "this input",
                               tn_dimension_of(own));
    }
}

/* ---- outputs ---------------------------------------------------------------------------------------------- */

uint32_t tn_block_value_of_unit(const tn_model *model, const tn_value_node *node)
{
    if (node->kind != &tn_block_node && node->kind != &tn_held_node) return TN_NONE;
    const struct tn_block_read *read = &model->values->block_read[node->index];
    if (!(read->by & TN_SAME_AS_PARAMETER) || text_of(model, read->item, "output_units", read->number))
        return TN_NONE;
    const input in = input_of(block_type(model, read->item), read->number);
    return in.parameter ? value_of(model, read->item, &in) : TN_NONE;
}

tn_unit tn_unit_of_block(tn_unit_search *all, const tn_value_node *node)
{
    const tn_model *model = all->model;
    const struct tn_block_read *read = &model->values->block_read[node->index];
    const char *own = text_of(model, read->item, "output_units", read->number);
    if (own) return tn_unit_of_text(own);
    const uint32_t value = tn_block_value_of_unit(model, node);
    if (value != TN_NONE) return tn_unit_of_value(all, value);
    if (!(read->by & TN_SAME_AS_PARAMETER)) return (tn_unit){0};
    const input in = input_of(block_type(model, read->item), read->number);
    return tn_unit_of_constant(model, in.parameter ? node_of(model, read->item, &in) : NULL);
}

/* ---- the texts -------------------------------------------------------------------------------------------- */

static void check_texts(tn_model *model, uint32_t item, const char *name)
{
    const char *unit = NULL;
    const tn_toml *table = model->item[item].origin->at->node, *list = tn_toml_get(table, name);
    for (uint32_t k = 0; list && k < list->count && (unit = text_of(model, item, name, k)); k++)
        tn_units_check_si(model, unit, list->kind == TN_TOML_ARRAY ? list->child[k] : list);
}

void tn_units_check_texts_of_block(tn_model *model, uint32_t item)
{
    if (!block_type(model, item)) return;
    check_texts(model, item, "input_units");
    check_texts(model, item, "output_units");
}
