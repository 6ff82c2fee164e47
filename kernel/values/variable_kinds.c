/* variable_kinds.c - kinds of variables, and the coordinates that constraints among them act on */
#include "values/graph.h"

enum { MOST_COORDINATES = 16, MOST_VALUES = 1000 }; /* that one constraint reads */

const tn_parameter *tn_variable_parameter(const tn_model *model, uint32_t item)
{
    const tn_parameter *parameter = model->use[model->item[item].use].element->parameters;
    while (!(parameter->kind == TN_KIND_REAL && parameter->flags & TN_DYNAMIC))
        parameter++;
    return parameter;
}

uint32_t tn_value_in_force(const tn_model *model, uint32_t item)
{
    TN_FOR_VALUES_OF (model->values, item, k)
        if (!model->values->dynamic[k].off) return k;
    return TN_NONE;
}

static bool value_reads_variable(const tn_model *model, uint32_t item, uint32_t dynamic)
{
    const tn_live_value *live = &model->values->dynamic[dynamic].live;
    for (uint32_t k = 0; k < live->calls.count; k++)
        if (live->read[k].kind == &tn_variable_node && live->read[k].index == item) return true;
    return false;
}

/* What the expression of a constraint reads, directly or through explicit variables. */
typedef struct collection {
    tn_model *model;
    uint32_t marker[MOST_COORDINATES], count;
    uint32_t *value; /* dynamic values to look at, each once */
    size_t values;
    const tn_live_value *live; /* the current one, and its call */
    uint32_t call;
    bool good, silent;
} collection;

static void collect_value(collection *c, uint32_t dynamic)
{
    for (size_t k = 0; k < c->values; k++)
        if (c->value[k] == dynamic) return;
    TN_APPEND(c->value, c->values, dynamic);
}

static void refuse_reading(collection *c, const char *reason)
{
    if (!c->silent)
        tn_source_error_inside(&c->model->reader->source, c->live->node, c->live->calls.call[c->call].offset,
                               "%s", reason);
    c->good = false;
}

static void add_coordinate(collection *c, uint32_t marker)
{
    for (uint32_t k = 0; k < c->count; k++)
        if (c->marker[k] == marker) return;
    if (c->count == MOST_COORDINATES)
        refuse_reading(c, "a constraint reads at most 16 functions of markers");
    else
        c->marker[c->count++] = marker;
}

static void collect_source(void *data, tn_node_source what, uint32_t index)
{
    collection *c = data;
    if (what == TN_MOTION_OF)
        add_coordinate(c, index);
    else if (what != TN_VALUES_OF)
        refuse_reading(c, "a constraint holds displacements: this variable is not a function of them");
    else
        TN_FOR_VALUES_OF (c->model->values, index, k)
            collect_value(c, k);
}

static void collect_reads(collection *c, uint32_t dynamic)
{
    c->live = &c->model->values->dynamic[dynamic].live;
    for (c->call = 0; c->call < c->live->calls.count; c->call++) {
        const tn_value_node *node = &c->live->read[c->call];
        if (node->kind->in_constraint)
            refuse_reading(c, node->kind->in_constraint);
        else if (node->kind->sources)
            node->kind->sources(c->model, node, collect_source, c);
        if (c->good && c->values > MOST_VALUES)
            refuse_reading(c, "a constraint reads at most 1000 variables");
    }
}

/* All that an expression reads. */
static collection collect_all(tn_model *model, uint32_t dynamic, bool silent)
{
    collection c = {.model = model, .good = true, .silent = silent};
    if (dynamic != TN_NONE) collect_value(&c, dynamic);
    for (size_t next = 0; next < c.values && c.good; next++)
        collect_reads(&c, c.value[next]);
    return c;
}

static void check_smoothness(tn_model *model, uint32_t dynamic)
{
    const char *function = NULL;
    const tn_live_value *live = &model->values->dynamic[dynamic].live;
    if (!tn_expression_is_smooth(live->expression, 1, &function))
        tn_source_error(&model->reader->source, live->node,
                        "a constraint must be smooth: %s has no continuous derivative everywhere", function);
}

static bool is_constraint(const tn_model *model, uint32_t item)
{
    return model->item[item].variable == TN_CONSTRAINT_MULTIPLIER || model->item[item].variable == TN_SOFT;
}

/* Where the new expression of a change stands. */
static const tn_toml *node_of(const tn_change *change) { return tn_toml_get(change->at->node, "value"); }

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
static uint32_t expression_of_change(const tn_change *change)
{
    return change->dynamic_count ? change->first_dynamic : TN_NONE;
}

/* A constraint that reads no marker holds nothing. All other errors have been reported. */
static void check_hold(tn_model *model, uint32_t item, uint32_t dynamic, const tn_toml *node)
{
    collection c = collect_all(model, dynamic, true);
    if (!c.count)
        tn_model_error(model, node->place, "the constraint `%s` reads no marker", tn_item_name(model, item));
}

/* The markers of one instance: those that its expression reads, or will read, where it acts on them. */
static void connect_markers(tn_model *model, uint32_t item, uint32_t dynamic)
{
    collection c = {.model = model, .good = true};
    if (is_constraint(model, item)) {
        TN_FOR_VALUES_OF (model->values, item, k)
            if (!value_reads_variable(model, item, k)) collect_value(&c, k); /* that of a change: reported */
        for (size_t next = 0; next < c.values && c.good; next++) {
            check_smoothness(model, c.value[next]);
            collect_reads(&c, c.value[next]);
        }
        if (c.good) check_hold(model, item, dynamic, model->item[item].origin->at->node);
        for (size_t k = 0; c.good && (k = next_change(model, item, k)) < model->change_count; k++)
            check_hold(model, item, expression_of_change(&model->change[k]), node_of(&model->change[k]));
    }
    tn_item_connect(model, item, c.marker, c.count);
}

bool tn_is_unknown(const tn_model *model, uint32_t variable)
{
    const uint32_t kind = model->item[variable].variable;
    return kind == TN_CONSTRAINT_MULTIPLIER || kind == TN_INTEGRAL;
}

/* The kind with this expression: explicit, unless the type gives another one. False when the type gives none, or after reporting. */
static bool ask_kind(tn_model *model, uint32_t item, bool itself, tn_variable_kind *kind)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    *kind = TN_EXPLICIT;
    if (!type->variable_kind) return false;
    const size_t before = tn_model_errors(model);
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    const tn_status status = tn_call_for(tn_item_name(model, item), type, variable_kind, &model->host,
                                         tn_item_instance(model, item), itself, kind);
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_model_errors(model) == before)
        tn_model_error(model, model->item[item].origin->at->place, "%s", tn_status_text(status));
    return status == TN_OK;
}

static void check_rest(tn_model *model, uint32_t item, const tn_toml *table)
{
    if (!is_constraint(model, item))
        tn_source_error(&model->reader->source, tn_toml_get(table, "active"),
                        "`%s` is not a constraint: it cannot be made inactive", tn_item_name(model, item));
}

static void find_kind(tn_model *model, uint32_t item, uint32_t dynamic)
{
    tn_variable_kind kind;
    const bool itself = dynamic != TN_NONE && value_reads_variable(model, item, dynamic);
    const bool known = ask_kind(model, item, itself, &kind);
    model->item[item].variable = kind & 7u;
    if (known && itself && kind == TN_EXPLICIT)
        tn_source_error(&model->reader->source, model->values->dynamic[dynamic].live.node,
                        "`%s` reads itself: write `implicit = true` to have it solved for",
                        tn_item_name(model, item));
    if (!model->item[item].active) check_rest(model, item, model->item[item].origin->at->node);
}

static const char *const kind_words[] = {[TN_EXPLICIT] = "explicit",
                                         [TN_CONSTRAINT_MULTIPLIER] = "a constraint",
                                         [TN_SOFT] = "a soft constraint",
                                         [TN_IMPLICIT] = "implicit, which reads itself",
                                         [TN_INTEGRAL] = "an integral"};

/* What a solver does with a variable must not change during a run. */
static void check_new_kind(tn_model *model, const tn_change *change)
{
    const uint32_t before = model->item[change->item].variable, dynamic = expression_of_change(change);
    const bool itself = dynamic != TN_NONE && value_reads_variable(model, change->item, dynamic);
    tn_variable_kind kind;
    if (!ask_kind(model, change->item, itself, &kind)) return;
    if (itself && kind == TN_EXPLICIT) kind = TN_IMPLICIT;
    if (kind != before)
        tn_source_error(&model->reader->source, node_of(change), "a change cannot make `%s` %s: it is %s",
                        tn_item_name(model, change->item), kind_words[kind], kind_words[before]);
}

static void check_changed_kinds(tn_model *model)
{
    for (size_t k = 0; k < model->change_count; k++) {
        const tn_change *change = &model->change[k];
        const tn_use *use = &model->use[model->item[change->item].use];
        if (!use->element || !use->element->is_variable) continue;
        if (change->active >= 0)
            check_rest(model, change->item, change->at->node);
        else if (next_change(model, change->item, k) == k)
            check_new_kind(model, change);
    }
}

static void for_variables(tn_model *model, void (*visit)(tn_model *model, uint32_t item, uint32_t dynamic))
{
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->element && use->element->is_variable && i < use->count; i++)
            visit(model, use->item[i], tn_value_in_force(model, use->item[i]));
    }
}

/* What drives a constraint is a function of time. */
static void check_driven(tn_model *model, uint32_t item)
{
    TN_FOR_VALUES_OF (model->values, item, dynamic) {
        if (model->values->dynamic[dynamic].off) continue;
        collection c = collect_all(model, dynamic, false);
        if (c.count)
            tn_source_error(&model->reader->source, model->values->dynamic[dynamic].live.node,
                            "`%s` is driven by a function of time: it cannot read markers",
                            tn_item_name(model, item));
    }
}

/* All kinds first: variables read each other. */
void tn_variables_connect(tn_model *model)
{
    for_variables(model, find_kind);
    check_changed_kinds(model);
    for_variables(model, connect_markers);
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->element && use->element->flags & TN_DRIVEN && i < use->count; i++)
            check_driven(model, use->item[i]);
    }
}
