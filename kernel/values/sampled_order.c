/* sampled_order.c - the order in which blocks that are due at the same time are sampled
 *
 * A block whose outputs change at once with its inputs stands behind all blocks whose outputs these read, directly or by way of other
 * values. The others come first: their outputs follow from what they have kept. */
#include "values/graph.h"

#include <string.h>

typedef struct search {
    tn_model *model;
    enum { NEW, ON_WAY, DONE } * state; /* [items] */
    uint32_t *way;                      /* [items] */
    size_t depth;
} search;

static const tn_loaded_element *type_of(const tn_model *model, uint32_t item)
{
    const uint32_t use = model->item[item].use;
    return use == TN_NONE ? NULL : model->use[use].element;
}

/* A type that leaves functions of its capability out is an error of its author. */
static bool is_sampled(tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = type_of(model, item);
    if (!type || !type->next_sample || model->item[item].index == TN_NONE) return false;
    if (type->sampled_outputs && type->sampled_states && type->readable_count && type->readable_by)
        return true;
    return tn_model_error(model, model->item[item].origin->at->place,
                          "`%s` cannot be sampled: its type %s has no `%s`", tn_item_name(model, item),
                          type->name,
                          !type->readable_count    ? "readable_count"
                          : !type->readable_by     ? "readable_by"
                          : !type->sampled_outputs ? "sampled_outputs"
                                                   : "sampled_states");
}

static bool is_at_once(const tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = type_of(model, item);
    const void *instance = tn_item_instance(model, item);
    bool at_once = false;
    for (uint32_t k = 0; k < type->readable_count(instance); k++)
        at_once = at_once || type->readable_by(instance, k) & TN_BY_SAMPLES;
    return at_once;
}

static void report_circle(const search *s, uint32_t item)
{
    tn_model *model = s->model;
    tn_text text = {0};
    size_t first = s->depth;
    while (s->way[--first] != item)
        continue;
    for (size_t k = first; k < s->depth; k++)
        tn_text_add(&text, "`%s` reads ", tn_item_name(model, s->way[k]));
    tn_model_error(
        model, model->item[item].origin->at->place,
        "outputs of these blocks would change with each other at the same sample: %s`%s`; delay one of "
        "them by a sample",
        text.letters, tn_item_name(model, item));
    tn_free(text.letters);
}

static void enter(search *s, uint32_t item);

/* Values that are still to be looked at, each once. */
typedef struct values {
    bool *met; /* [dynamic values] */
    uint32_t *value;
    size_t count;
} values;

static void add_value(values *all, uint32_t value)
{
    if (all->met[value]) return;
    all->met[value] = true;
    TN_APPEND(all->value, all->count, value);
}

/* Enters the blocks that the parameters of one read, directly or not. */
static void follow_values_of(search *s, uint32_t item)
{
    const tn_value_graph *graph = s->model->values;
    values all = {.met = tn_new(graph->dynamic_count, sizeof *all.met)};
    TN_FOR_VALUES_OF (graph, item, k)
        add_value(&all, k);
    for (size_t n = 0; n < all.count; n++) {
        const tn_live_value *live = &graph->dynamic[all.value[n]].live;
        for (uint32_t k = 0; k < live->below_count; k++)
            if (live->below[k].node->kind == &tn_held_node)
                enter(s, graph->block_read[live->below[k].node->index].item);
        for (size_t k = graph->read_start[all.value[n]]; k < graph->read_start[all.value[n] + 1]; k++)
            add_value(&all, graph->read[k].value);
    }
    tn_free(all.met);
    tn_free(all.value);
}

static void enter(search *s, uint32_t item)
{
    tn_value_graph *graph = s->model->values;
    if (!is_sampled(s->model, item) || s->state[item] == DONE) return;
    if (s->state[item] == ON_WAY) {
        report_circle(s, item);
        return;
    }
    const bool at_once = is_at_once(s->model, item);
    s->state[item] = ON_WAY;
    s->way[s->depth++] = item;
    if (at_once) follow_values_of(s, item);
    s->depth--;
    s->state[item] = DONE;
    const tn_sampled_block block = {item, at_once};
    TN_APPEND(graph->sampled, graph->sampled_count, block);
}

void tn_sampled_order(tn_model *model)
{
    if (tn_model_errors(model)) return;
    search s = {.model = model,
                .state = tn_new(model->names.count, sizeof *s.state),
                .way = tn_new(model->names.count, sizeof *s.way)};
    for (int at_once = 0; at_once < 2; at_once++)
        for (uint32_t item = 0; item < model->names.count; item++)
            if (is_sampled(model, item) && is_at_once(model, item) == (bool)at_once) enter(&s, item);
    tn_free(s.state);
    tn_free(s.way);
}

const tn_sampled_block *tn_sampled_blocks(const tn_model *model, size_t *count)
{
    *count = model->values ? model->values->sampled_count : 0;
    return *count ? model->values->sampled : NULL;
}
