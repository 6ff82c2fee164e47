/* inexact.c - what of the equations of small motions is not exact, or holds on one side of the state only (see linearisation.h) */
#include "linearised/linearisation.h"

#include "system/failure.h"
#include "system/own_tangent.h"
#include "values/coupling.h"
#include "values/state_values.h"
#include "values/value_events.h"

#include <math.h>
#include <string.h>

#define AT_ZERO 1e-12 /* of a switching function: it switches here */

enum { DEEPEST = 64 }; /* variables that read each other in a row */

/* A list that is gone through up to one name. */
typedef struct naming {
    const tn_assembly *assembly;
    uint32_t left; /* to be passed over */
    const char *name, *why;
} naming;

static bool note(naming *n, const char *name, const char *why)
{
    if (n->name) return true;
    if (n->left-- > 0) return false;
    n->name = name;
    n->why = why;
    return true;
}

static const char *name_in(const naming *n, const tn_group *group, uint32_t instance)
{
    return tn_item_name(n->assembly->model, group->item[instance]);
}

static bool is_active(const tn_group *group, uint32_t instance)
{
    return !group->active || group->active[instance];
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

/* What is found by differences, or left out, of the instances of a type; NULL: nothing. */
static const char *lack_of(const tn_group *group)
{
    const tn_loaded_element *type = group->type;
    if (type->force && !type->force_tangent)
        return "has a force without exact derivatives: they are found by differences";
    if ((type->body_force || type->residual) && !tn_own_is_exact(group))
        return "has forces on itself without exact derivatives: they are found by differences";
    if (group->rows && !(type->flags & TN_CONSTANT_ROWS) && !group->batch.layout->passive_rows &&
        !type->constraint_stiffness)
        return "does not tell how its reactions turn with its markers: their stiffness is left out";
    if (group->rows && group->batch.layout->nx)
        return "has rows that may change with its states: that is left out";
    return NULL;
}

static void name_types(naming *n)
{
    for (size_t k = 0; k < n->assembly->group_count && !n->name; k++) {
        const tn_group *group = &n->assembly->group[k];
        const char *lack = lack_of(group);
        for (uint32_t i = 0; lack && i < group->batch.count; i++)
            if (is_active(group, i) && note(n, name_in(n, group, i), lack)) return;
    }
}

static void name_rows(naming *n)
{
    const tn_linearised *m = tn_linearised_of(n->assembly);
    for (size_t k = 0; k < n->assembly->group_count && !n->name; k++) {
        const tn_group *group = &n->assembly->group[k];
        for (uint32_t i = 0; i < group->batch.count; i++)
            if (is_active(group, i) && !tn_row_slopes_are_known(n->assembly, m, group, i) &&
                note(n, name_in(n, group, i),
                     "has velocity rows that depend on time: how their offsets change with the positions is "
                     "left out"))
                return;
    }
}

static void name_markers(naming *n)
{
    for (size_t k = 0; k < n->assembly->derived_count && !n->name; k++) {
        const tn_derived *derived = &n->assembly->derived[k];
        if (derived->exact || !derived->loaded) continue;
        for (uint32_t i = 0; i < derived->batch.count; i++)
            if (note(n, tn_item_name(n->assembly->model, derived->item[i]),
                     "has a motion without exact derivatives: they are found by differences"))
                return;
    }
}

/* Forces that read accelerations or reactions: how these turn with the bodies is left out. */
static void name_couplings(naming *n)
{
    const tn_assembly *assembly = n->assembly;
    const tn_couplings *c = assembly->read ? assembly->read->couplings : NULL;
    for (size_t k = 0; c && k < c->connector_count && !n->name; k++) {
        const tn_coupled_connector *connector = &c->connector[k];
        bool direct = false;
        for (size_t r = 0; r < connector->reads; r++)
            direct = direct || tn_unknown_read(assembly, connector, r)->direct;
        if (direct &&
            note(n, name_in(n, &assembly->group[connector->group], connector->instance),
                 "reads accelerations or reactions: how they change with the positions is not known "
                 "exactly"))
            return;
    }
}

static void name_states(naming *n)
{
    const tn_linearised *m = tn_linearised_of(n->assembly);
    for (size_t k = 0; k < n->assembly->group_count && !n->name; k++) {
        const tn_group *group = &n->assembly->group[k];
        for (uint32_t i = 0; group->batch.layout->nx && i < group->batch.count; i++) {
            const char *lack = is_active(group, i) ? tn_state_parts_lack(m, group, i) : NULL;
            if (lack && note(n, name_in(n, group, i), lack)) return;
        }
    }
}

/* A delay has a memory, which no equation here has. */
static void name_past(naming *n)
{
    const tn_value_graph *graph = n->assembly->model->values;
    for (size_t k = 0; n->assembly->reading.past && k < graph->dynamic_count && !n->name; k++) {
        const tn_dynamic_value *value = &graph->dynamic[k];
        bool past = false;
        for (uint32_t i = 0; i < value->live.calls.count; i++)
            past = past || value->live.read[i].kind == &tn_delay_node;
        if (past && !value->off && tn_value_acts(n->assembly->model, value) &&
            note(n, tn_item_name(n->assembly->model, value->item),
                 "reads values of the past: they count as constant, or as those of now"))
            return;
    }
}

/* Whether what acts reads what a sampled block holds. */
static bool holds_what_acts(const tn_model *model, uint32_t block)
{
    const tn_value_graph *graph = model->values;
    for (size_t k = 0; k < graph->dynamic_count; k++) {
        const tn_dynamic_value *value = &graph->dynamic[k];
        bool reads = false;
        for (uint32_t i = 0; i < value->live.below_count; i++) {
            const tn_value_node *node = value->live.below[i].node;
            reads = reads || (node->kind == &tn_held_node && graph->block_read[node->index].item == block);
        }
        if (reads && !value->off && tn_value_acts(model, value)) return true;
    }
    return false;
}

/* What a controller gives between samples is a number here. */
static void name_samples(naming *n)
{
    size_t count = 0;
    const tn_sampled_block *block = tn_sampled_blocks(n->assembly->model, &count);
    for (size_t k = 0; k < count; k++)
        if (holds_what_acts(n->assembly->model, block[k].item) &&
            note(n, tn_item_name(n->assembly->model, block[k].item),
                 "works at samples: what it holds in between counts as constant"))
            return;
}

const char *tn_inexact_name(tn_system *system, uint32_t number, const char **why)
{
    naming n = {.assembly = (const tn_assembly *)system, .left = number};
    name_types(&n);
    name_rows(&n);
    name_markers(&n);
    name_couplings(&n);
    name_states(&n);
    name_samples(&n);
    name_past(&n);
    if (n.name && why) *why = n.why;
    return n.name;
}

/* ---- switches -------------------------------------------------------------------------------------------- */

static bool is_zero(double value) { return fabs(value) <= AT_ZERO; }

/* A search for what a value changes with, through explicit variables. */
typedef struct dependence {
    const tn_model *model;
    int depth;
    bool on_state;
} dependence;

static void follow_value(dependence *d, const tn_live_value *live);

static void meet_source(void *data, tn_node_source what, uint32_t index)
{
    dependence *d = data;
    if (what != TN_VALUES_OF || d->depth == DEEPEST) {
        d->on_state = true;
        return;
    }
    d->depth++;
    TN_FOR_VALUES_OF (d->model->values, index, k)
        if (!d->on_state) follow_value(d, &d->model->values->dynamic[k].live);
    d->depth--;
}

static void follow_value(dependence *d, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->below_count && !d->on_state; k++) {
        const tn_value_node *node = live->below[k].node;
        if (node->kind->sources) node->kind->sources(d->model, node, meet_source, d);
    }
}

static bool depends_on_state(const tn_model *model, const tn_live_value *live)
{
    dependence d = {.model = model};
    follow_value(&d, live);
    return d.on_state;
}

/* Those of values, in the order of their functions. What depends on no state switches by time alone: small motions do not notice. */
static void name_values(naming *n, const double *value)
{
    const struct tn_value_events *events = n->assembly->value_events;
    for (size_t k = 0; events && k < events->live_count && !n->name; k++) {
        const struct tn_live_events *live = &events->live[k];
        for (uint32_t i = 0; i < live->count; i++)
            if (is_zero(value[live->first + i]) &&
                depends_on_state(n->assembly->model, &live->dynamic->live) &&
                note(n, tn_item_name(n->assembly->model, live->dynamic->item),
                     "has an expression that switches at this very state"))
                return;
    }
}

static void name_events(naming *n, const double *value)
{
    for (size_t k = 0; k < n->assembly->group_count && !n->name; k++) {
        const tn_group *group = &n->assembly->group[k];
        const uint32_t events = group->batch.layout->events;
        for (uint32_t i = 0; events && i < group->batch.count; i++)
            for (uint32_t e = 0; e < events; e++)
                if (is_zero(*value++) &&
                    note(n, name_in(n, group, i), "has a law that switches at this very state"))
                    return;
    }
}

static void name_data(naming *n)
{
    for (size_t k = 0; k < n->assembly->group_count && !n->name; k++) {
        const tn_group *group = &n->assembly->group[k];
        for (uint32_t i = 0; group->type->update && i < group->batch.count; i++)
            if (is_active(group, i) &&
                note(n, name_in(n, group, i),
                     "has a law that switches by what it remembers: it is taken as the state alone gives it"))
                return;
    }
}

const char *tn_switching_name(tn_system *system, uint32_t number, const char **why, uint32_t *here)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    naming n = {.assembly = assembly, .left = number};
    double *value = tn_linearised_of(assembly)->event;
    const uint32_t values = assembly->value_events ? assembly->value_events->count : 0;
    if (system->events && system->event_values(system, value) == TN_OK) {
        name_values(&n, value);
        name_events(&n, value + values);
    }
    if (here) *here = n.name != NULL;
    name_data(&n);
    if (n.name && why) *why = n.why;
    return n.name;
}
