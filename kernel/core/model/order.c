/* order.c - the order in which dynamic values are evaluated: each behind those that it reads
 *
 * Values that read each other in a circle, directly or through others, are a loop: they stand one behind the other, and are
 * solved for together. Loops are the strongly connected components that one search in depth finds (Tarjan 1972): a value
 * whose search met none that was seen before it is the last of its component, which has been finished since it was seen. */
#include "model/delays.h"
#include "model/reading.h"

enum { MOST_VALUES = 1000 }; /* of a loop: its equations are solved as a dense system */

const tn_parameter *tn_value_of(const tn_loaded_element *type)
{
    const tn_parameter *parameter = type->parameters;
    while (!(parameter->kind == TN_KIND_REAL && parameter->flags & TN_DYNAMIC))
        parameter++;
    return parameter;
}

/* False for a parameter of a variable that nobody reads. */
static bool is_readable(const tn_model *model, const tn_dynamic_value *dynamic)
{
    const tn_loaded_element *type = model->use[model->item[dynamic->item].use].element;
    return !type->is_variable || dynamic->offset == tn_value_of(type)->offset;
}

void tn_dynamics_list(tn_model *model)
{
    model->first_dynamic = tn_new(model->names.count, sizeof *model->first_dynamic);
    model->next_dynamic = tn_new(model->dynamic_count, sizeof *model->next_dynamic);
    for (size_t k = 0; k < model->names.count; k++)
        model->first_dynamic[k] = TN_NONE;
    for (uint32_t k = 0; k < model->dynamic_count; k++) {
        if (!is_readable(model, &model->dynamic[k])) continue;
        uint32_t *first = &model->first_dynamic[model->dynamic[k].item];
        model->next_dynamic[k] = *first;
        *first = k;
    }
}

/* ---- the search ------------------------------------------------------------------------------------------ */

tn_reads tn_reads_of(uint32_t value) { return (tn_reads){value, 0, 0, TN_NONE}; }

/* Item number k of those whose values a call reads; TN_NONE after the last. */
static uint32_t item_read(const tn_model *model, const tn_observed *observed, uint32_t k)
{
    if (observed->kind == TN_OBSERVED_FORCE) {
        const tn_measured_force *force = model->measured_force[observed->index];
        return k < force->share_count ? force->share[k].item : TN_NONE;
    }
    const bool waits = observed->kind == TN_OBSERVED_VARIABLE && !tn_is_unknown(model, observed->index);
    return waits && k == 0 ? observed->index : TN_NONE;
}

uint32_t tn_next_read(const tn_model *model, tn_reads *r)
{
    const tn_live_value *live = &model->dynamic[r->value].live;
    for (; r->call < live->reads; r->call++, r->item = 0) {
        uint32_t item;
        while ((item = item_read(model, &live->observed[r->call], r->item)) != TN_NONE) {
            r->other = r->other == TN_NONE ? model->first_dynamic[item] : model->next_dynamic[r->other];
            if (r->other != TN_NONE) return r->other;
            r->item++;
        }
    }
    return TN_NONE;
}

typedef struct search {
    tn_reads *path;   /* from a value to those that it reads */
    uint32_t *seen;   /* [values] when, from 1; 0: not yet */
    uint32_t *lowest; /* [values] the first one seen that a value leads to, among those without a component */
    uint32_t *finished;
    uint32_t depth, seen_count, finished_count, count;
} search;

static bool has_component(const tn_model *model, uint32_t value)
{
    return model->dynamic[value].rank != TN_NONE;
}

static void descend(search *s, uint32_t value)
{
    s->seen[value] = s->lowest[value] = ++s->seen_count;
    s->path[s->depth++] = tn_reads_of(value);
}

static bool reads_itself(const tn_model *model, uint32_t value)
{
    tn_reads r = tn_reads_of(value);
    for (uint32_t read; (read = tn_next_read(model, &r)) != TN_NONE;)
        if (read == value) return true;
    return false;
}

/* Enters the values that were finished since `value` was seen, and it itself. */
static void enter_component(tn_model *model, search *s, uint32_t value)
{
    const uint32_t first = s->count;
    uint32_t from = s->finished_count;
    while (from > 0 && s->seen[s->finished[from - 1]] > s->seen[value])
        from--;
    s->finished[s->finished_count++] = value;
    for (uint32_t k = from; k < s->finished_count; k++) {
        model->dynamic[s->finished[k]].rank = s->count;
        model->dynamic_order[s->count++] = s->finished[k];
    }
    s->finished_count = from;
    if (s->count - first == 1 && !reads_itself(model, value)) return;
    for (uint32_t k = first; k < s->count; k++)
        model->dynamic[model->dynamic_order[k]].loop = (uint32_t)model->loop_count;
    model->loop = tn_grow(model->loop, &model->loop_capacity, model->loop_count + 1, sizeof *model->loop);
    model->loop[model->loop_count++] = (tn_loop){first, s->count - first};
}

static void keep_lowest(search *s, uint32_t value, uint32_t lowest)
{
    if (lowest < s->lowest[value]) s->lowest[value] = lowest;
}

static void finish(tn_model *model, search *s, uint32_t value)
{
    s->depth--;
    if (s->lowest[value] == s->seen[value])
        enter_component(model, s, value);
    else
        s->finished[s->finished_count++] = value;
    if (s->depth) keep_lowest(s, s->path[s->depth - 1].value, s->lowest[value]);
}

/* Enters a value behind all that it reads. */
static void enter(tn_model *model, search *s, uint32_t value)
{
    descend(s, value);
    while (s->depth) {
        tn_reads *last = &s->path[s->depth - 1];
        const uint32_t read = tn_next_read(model, last);
        if (read == TN_NONE)
            finish(model, s, last->value);
        else if (!s->seen[read])
            descend(s, read);
        else if (!has_component(model, read))
            keep_lowest(s, last->value, s->seen[read]);
    }
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* A value of the same loop that one reads, another one where there is any. */
static uint32_t next_of_loop(const tn_model *model, uint32_t value)
{
    uint32_t found = value;
    tn_reads r = tn_reads_of(value);
    for (uint32_t read; found == value && (read = tn_next_read(model, &r)) != TN_NONE;)
        if (model->dynamic[read].loop == model->dynamic[value].loop) found = read;
    return found;
}

/* Whoever goes on for as long as the loop is has come to a circle. */
const char *tn_loop_name(tn_model *model, const tn_loop *loop)
{
    enum { MOST_NAMED = 6 };
    uint32_t value = model->dynamic_order[loop->first];
    for (uint32_t k = 0; k < loop->count; k++)
        value = next_of_loop(model, value);
    const uint32_t start = value;
    uint32_t named = 0;
    tn_text text = {0};
    do {
        if (named < MOST_NAMED)
            tn_text_add(&text, "`%s` reads ", tn_item_name(model, model->dynamic[value].item));
        else if (named == MOST_NAMED)
            tn_text_add(&text, "... reads ");
        named++;
        value = next_of_loop(model, value);
    } while (value != start);
    tn_text_add(&text, "`%s`", tn_item_name(model, model->dynamic[start].item));
    const char *name = tn_arena_text(&model->arena, text.letters, text.length);
    tn_free(text.letters);
    return name;
}

/* How a value of a loop reads others of it that cannot be solved for together; NULL: as it may. */
static const char *leads_astray(const tn_model *model, uint32_t value)
{
    const tn_live_value *live = &model->dynamic[value].live;
    tn_reads r = tn_reads_of(value);
    for (uint32_t read; (read = tn_next_read(model, &r)) != TN_NONE;) {
        if (model->dynamic[read].loop != model->dynamic[value].loop) continue;
        if (live->observed[r.call].kind == TN_OBSERVED_FORCE) return "a force that depends on itself";
        if (r.call >= live->calls.count) return "variables that read each other in a loop over a delay";
    }
    return NULL;
}

static void check_loop(tn_model *model, const tn_loop *loop)
{
    const char *reason = NULL;
    uint32_t first = TN_NONE; /* in the file */
    for (uint32_t k = 0; k < loop->count; k++) {
        const uint32_t value = model->dynamic_order[loop->first + k];
        if (!reason) reason = leads_astray(model, value);
        if (value < first) first = value;
    }
    const tn_toml *node = model->dynamic[first].live.node;
    if (!reason && loop->count <= MOST_VALUES) return;
    const char *name = tn_loop_name(model, loop);
    if (reason)
        tn_source_error(&model->source, node, "%s: %s", reason, name);
    else
        tn_source_error(&model->source, node,
                        "%u variables read each other in a loop, and at most %u can be solved for: %s",
                        loop->count, (unsigned)MOST_VALUES, name);
}

void tn_dynamics_order(tn_model *model)
{
    const size_t count = model->dynamic_count;
    search s = {.path = tn_new(count, sizeof *s.path),
                .seen = tn_new(count, sizeof *s.seen),
                .lowest = tn_new(count, sizeof *s.lowest),
                .finished = tn_new(count, sizeof *s.finished)};
    model->dynamic_order = tn_new(count, sizeof *model->dynamic_order);
    tn_delays_find_loops(model);
    for (uint32_t k = 0; k < count; k++)
        model->dynamic[k].rank = model->dynamic[k].loop = TN_NONE;
    for (uint32_t k = 0; k < count; k++)
        if (!s.seen[k]) enter(model, &s, k);
    for (size_t k = 0; k < model->loop_count; k++)
        check_loop(model, &model->loop[k]);
    tn_free(s.path);
    tn_free(s.seen);
    tn_free(s.lowest);
    tn_free(s.finished);
}
