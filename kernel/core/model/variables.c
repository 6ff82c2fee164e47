/* variables.c - kinds of variables, and the coordinates that constraints among them act on */
#include "model/reading.h"

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

static bool is_constraint(const tn_model *model, uint32_t item)
{
    return model->item[item].variable == TN_CONSTRAINT_MULTIPLIER || model->item[item].variable == TN_SOFT;
}

/* Where the new expression of a change stands. */
static const tn_toml *node_of(const tn_change *change) { return tn_toml_get(change->table, "value"); }

/* The next change of the expression of a variable from this one on; the number of changes after the last. */
static size_t next_change(const tn_model *model, uint32_t item, size_t k)
{
    const size_t offset = tn_variable_parameter(model, item)->offset;
    while (k < model->change_count &&
           !(model->change[k].item == item && model->change[k].size && model->change[k].offset == offset))
        k++;
    return k;
}

/* The expression that a change brings; TN_NONE: it is a number. */
static uint32_t expression_of(const tn_change *change)
{
    return change->dynamic_count ? change->first_dynamic : TN_NONE;
}

/* True for an expression that reads a marker, directly or through other variables. */
static bool reads_marker(const tn_model *model, uint32_t dynamic)
{
    collection c = {0};
    bool found = false;
    if (dynamic != TN_NONE) add_value(&c, dynamic);
    for (size_t next = 0; next < c.values && !found; next++) {
        const tn_live_value *live = &model->dynamic[c.value[next]].live;
        for (uint32_t k = 0; k < live->calls.count && !found; k++) {
            found = live->observed[k].kind == TN_OBSERVED_COORDINATE;
            if (live->observed[k].kind != TN_OBSERVED_VARIABLE) continue;
            for (uint32_t other = model->first_dynamic[live->observed[k].index]; other != TN_NONE;
                 other = model->next_dynamic[other])
                add_value(&c, other);
        }
    }
    tn_free(c.value);
    return found;
}

/* A constraint that reads no marker holds nothing. */
static void check_hold(tn_model *model, uint32_t item, uint32_t dynamic, const tn_toml *node)
{
    if (!reads_marker(model, dynamic))
        tn_source_error(&model->source, node, "the constraint `%s` reads no marker",
                        tn_item_name(model, item));
}

/* The markers of one instance: those that its expression reads, or will read, where it acts on them. */
static void connect(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic)
{
    collection c = {.good = true};
    if (is_constraint(model, item)) {
        for (uint32_t other = model->first_dynamic[item]; other != TN_NONE;
             other = model->next_dynamic[other])
            if (!reads_itself(model, item, other)) add_value(&c, other); /* that of a change: reported */
        for (size_t next = 0; next < c.values && c.good; next++) {
            check_smoothness(model, c.value[next]);
            collect(model, &c, c.value[next]);
        }
        if (c.good) check_hold(model, item, dynamic, model->item[item].origin->table);
        for (size_t k = 0; c.good && (k = next_change(model, item, k)) < model->change_count; k++)
            check_hold(model, item, expression_of(&model->change[k]), node_of(&model->change[k]));
    }
    tn_add_markers(use, model->item[item].index, c.marker, c.count);
    tn_free(c.value);
}

bool tn_is_unknown(const tn_model *model, uint32_t variable)
{
    const uint32_t kind = model->item[variable].variable;
    return kind == TN_CONSTRAINT_MULTIPLIER || kind == TN_INTEGRAL;
}

/* The kind with this expression: explicit, unless the type says otherwise. False when it does not tell, or after reporting. */
static bool ask_kind(tn_model *model, const tn_use *use, uint32_t item, bool itself, tn_variable_kind *kind)
{
    const tn_loaded_element *type = use->element;
    *kind = TN_EXPLICIT;
    if (!type->variable_kind) return false;
    const size_t before = tn_error_count(model->diagnostics);
    tn_host_point(model, model->item[item].origin->table, tn_item_name(model, item));
    const tn_status status = tn_call_for(tn_item_name(model, item), type, variable_kind, &model->host,
                                         tn_item_instance(model, item), itself, kind);
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_error_count(model->diagnostics) == before)
        tn_source_error(&model->source, model->item[item].origin->table, "%s", tn_status_text(status));
    return status == TN_OK;
}

static void find_kind(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic)
{
    tn_variable_kind kind;
    const bool itself = dynamic != TN_NONE && reads_itself(model, item, dynamic);
    const bool known = ask_kind(model, use, item, itself, &kind);
    model->item[item].variable = kind;
    if (known && itself && kind == TN_EXPLICIT)
        tn_source_error(&model->source, model->dynamic[dynamic].live.node,
                        "`%s` reads itself: with `implicit = true` it is solved for",
                        tn_item_name(model, item));
}

static const char *const kind_words[] = {[TN_EXPLICIT] = "explicit",
                                         [TN_CONSTRAINT_MULTIPLIER] = "a constraint",
                                         [TN_SOFT] = "a soft constraint",
                                         [TN_IMPLICIT] = "implicit, which reads itself",
                                         [TN_INTEGRAL] = "an integral"};

/* What a solver does with a variable must not change during a run. */
static void check_new_kind(tn_model *model, const tn_use *use, const tn_change *change)
{
    const uint32_t before = model->item[change->item].variable, dynamic = expression_of(change);
    const bool itself = dynamic != TN_NONE && reads_itself(model, change->item, dynamic);
    tn_variable_kind kind;
    if (!ask_kind(model, use, change->item, itself, &kind)) return;
    if (itself && kind == TN_EXPLICIT) kind = TN_IMPLICIT;
    if (kind != before)
        tn_source_error(&model->source, node_of(change), "a change cannot make `%s` %s: it is %s",
                        tn_item_name(model, change->item), kind_words[kind], kind_words[before]);
}

static void check_rest(tn_model *model, uint32_t item, const tn_toml *table)
{
    if (!is_constraint(model, item))
        tn_source_error(&model->source, tn_toml_get(table, "active"),
                        "`%s` is no constraint: it cannot be made inactive", tn_item_name(model, item));
}

static void check_activity(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic)
{
    (void)use;
    (void)dynamic;
    if (!model->item[item].active) check_rest(model, item, model->item[item].origin->table);
}

static void check_changes(tn_model *model)
{
    for (size_t k = 0; k < model->change_count; k++) {
        const tn_change *change = &model->change[k];
        const tn_use *use = &model->use[model->item[change->item].use];
        if (!use->element || !use->element->is_variable) continue;
        if (change->active >= 0)
            check_rest(model, change->item, change->table);
        else if (next_change(model, change->item, k) == k)
            check_new_kind(model, use, change);
    }
}

static void for_variables(tn_model *model,
                          void (*visit)(tn_model *model, tn_use *use, uint32_t item, uint32_t dynamic))
{
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_loaded_element *type = model->use[k].element;
        for (size_t i = 0; type && type->is_variable && i < model->use[k].count; i++) {
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
    tn_free(c.value);
}

/* All kinds first: variables read each other. */
void tn_variables_connect(tn_model *model)
{
    for_variables(model, find_kind);
    for_variables(model, check_activity);
    check_changes(model);
    for_variables(model, connect);
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->element && use->element->flags & TN_DRIVEN && i < use->count; i++)
            check_driven(model, use->item[i]);
    }
}
