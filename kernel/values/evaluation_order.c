/* evaluation_order.c - the order in which dynamic values are evaluated: each behind those that it reads
 *
 * Values that read each other in a circle, directly or through others, are a loop: they stand one behind the other, and are
 * solved for together. Loops are the strongly connected components that one search in depth finds (Tarjan 1972): a value
 * whose search met none that was seen before it is the last of its component, which has been finished since it was seen. */
#include "values/graph.h"

enum { MOST_VALUES = 1000 }; /* of a loop: its equations are solved as a dense system */

typedef struct search {
    tn_value_graph *graph;
    struct path {
        uint32_t value;
        size_t next;  /* of what it reads */
    } * path;         /* from a value to those that it reads */
    uint32_t *seen;   /* [values] when, from 1; 0: not yet */
    uint32_t *lowest; /* [values] the first one seen that a value leads to, among those without a component */
    uint32_t *finished;
    uint32_t depth, seen_count, finished_count, count;
} search;

static void descend_to_value(search *s, uint32_t value)
{
    s->seen[value] = s->lowest[value] = ++s->seen_count;
    s->path[s->depth++] = (struct path){value, s->graph->read_start[value]};
}

static bool value_reads_itself(const tn_value_graph *graph, uint32_t value)
{
    bool found = false;
    for (size_t k = graph->read_start[value]; k < graph->read_start[value + 1]; k++)
        found = found || graph->read[k].value == value;
    return found;
}

/* Enters the values that were finished since `value` was seen, and it itself. */
static void enter_component(search *s, uint32_t value)
{
    tn_value_graph *graph = s->graph;
    const uint32_t first = s->count;
    uint32_t from = s->finished_count;
    while (from > 0 && s->seen[s->finished[from - 1]] > s->seen[value])
        from--;
    s->finished[s->finished_count++] = value;
    for (uint32_t k = from; k < s->finished_count; k++) {
        graph->dynamic[s->finished[k]].rank = s->count;
        graph->order[s->count++] = s->finished[k];
    }
    s->finished_count = from;
    if (s->count - first == 1 && !value_reads_itself(graph, value)) return;
    for (uint32_t k = first; k < s->count; k++)
        tn_value_of_rank(graph, k)->loop = (uint32_t)graph->loop_count;
    TN_APPEND(graph->loop, graph->loop_count, (tn_loop){first, s->count - first});
}

static void keep_lowest(search *s, uint32_t value, uint32_t lowest)
{
    if (lowest < s->lowest[value]) s->lowest[value] = lowest;
}

static void finish_value(search *s, uint32_t value)
{
    s->depth--;
    if (s->lowest[value] == s->seen[value])
        enter_component(s, value);
    else
        s->finished[s->finished_count++] = value;
    if (s->depth) keep_lowest(s, s->path[s->depth - 1].value, s->lowest[value]);
}

/* Enters a value behind all that it reads. */
static void enter_value(search *s, uint32_t value)
{
    const tn_value_graph *graph = s->graph;
    descend_to_value(s, value);
    while (s->depth) {
        struct path *last = &s->path[s->depth - 1];
        if (last->next == graph->read_start[last->value + 1]) {
            finish_value(s, last->value);
            continue;
        }
        const uint32_t read = graph->read[last->next++].value;
        if (!s->seen[read])
            descend_to_value(s, read);
        else if (graph->dynamic[read].rank == TN_NONE)
            keep_lowest(s, last->value, s->seen[read]);
    }
}

/* Notes what values read by way of others: each after those, and the values of a loop together. */
static void note_readings(const tn_model *model, tn_value_graph *graph)
{
    for (uint32_t first = 0, end; first < graph->dynamic_count; first = end) {
        const uint32_t loop = tn_value_of_rank(graph, first)->loop;
        uint32_t reads = 0;
        end = loop == TN_NONE ? first + 1 : first + graph->loop[loop].count;
        for (uint32_t rank = first; rank < end; rank++) {
            const uint32_t value = graph->order[rank];
            reads |= tn_live_reads(model, &graph->dynamic[value].live);
            for (size_t k = graph->read_start[value]; k < graph->read_start[value + 1]; k++)
                reads |= graph->reads[graph->read[k].value];
        }
        for (uint32_t rank = first; rank < end; rank++)
            graph->reads[graph->order[rank]] = reads;
    }
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* A value of the same loop that one reads, another one where there is any. */
static uint32_t next_of_loop(const tn_value_graph *graph, uint32_t value)
{
    uint32_t found = value;
    for (size_t k = graph->read_start[value]; k < graph->read_start[value + 1] && found == value; k++)
        if (graph->dynamic[graph->read[k].value].loop == graph->dynamic[value].loop)
            found = graph->read[k].value;
    return found;
}

/* After as many steps as the loop has values, the walk is on a circle. */
const char *tn_loop_name(tn_model *model, const tn_loop *loop)
{
    enum { MOST_NAMED = 6 };
    const tn_value_graph *graph = model->values;
    uint32_t value = graph->order[loop->first];
    for (uint32_t k = 0; k < loop->count; k++)
        value = next_of_loop(graph, value);
    const uint32_t start = value;
    uint32_t named = 0;
    tn_text text = {0};
    do {
        if (named < MOST_NAMED)
            tn_text_add(&text, "`%s` reads ", tn_item_name(model, graph->dynamic[value].item));
        else if (named == MOST_NAMED)
            tn_text_add(&text, "... reads ");
        named++;
        value = next_of_loop(graph, value);
    } while (value != start);
    tn_text_add(&text, "`%s`", tn_item_name(model, graph->dynamic[start].item));
    return text.letters;
}

/* Why a value of a loop and another one of it that it reads cannot be solved for together; NULL: they can. */
static const char *find_unsolvable(const tn_value_graph *graph, uint32_t value)
{
    const char *reason = NULL;
    for (size_t k = graph->read_start[value]; k < graph->read_start[value + 1] && !reason; k++)
        if (graph->dynamic[graph->read[k].value].loop == graph->dynamic[value].loop)
            reason = graph->read[k].in_loop;
    return reason;
}

static void check_loop(tn_model *model, const tn_loop *loop)
{
    const tn_value_graph *graph = model->values;
    const char *reason = NULL;
    uint32_t first = TN_NONE; /* in the file */
    for (uint32_t k = 0; k < loop->count; k++) {
        const uint32_t value = graph->order[loop->first + k];
        if (!reason) reason = find_unsolvable(graph, value);
        if (value < first) first = value;
    }
    const tn_toml *node = graph->dynamic[first].live.node;
    if (!reason && loop->count <= MOST_VALUES) return;
    const char *name = tn_loop_name(model, loop);
    if (reason)
        tn_model_error(model, node->place, "%s: %s", reason, name);
    else
        tn_model_error(model, node->place,
                       "%u variables read each other in a loop, and at most %u can be solved for: %s",
                       loop->count, (unsigned)MOST_VALUES, name);
}

static void find_order(const tn_model *model, tn_value_graph *graph)
{
    const size_t count = graph->dynamic_count;
    search s = {.graph = graph,
                .path = tn_new(count, sizeof *s.path),
                .seen = tn_new(count, sizeof *s.seen),
                .lowest = tn_new(count, sizeof *s.lowest),
                .finished = tn_new(count, sizeof *s.finished)};
    tn_graph_list_reads(graph, model);
    graph->loop_count = 0;
    for (uint32_t k = 0; k < count; k++)
        graph->dynamic[k].rank = graph->dynamic[k].loop = TN_NONE;
    for (uint32_t k = 0; k < count; k++)
        if (!s.seen[k]) enter_value(&s, k);
}

void tn_dynamics_order(tn_model *model)
{
    tn_value_graph *graph = model->values;
    graph->order = tn_new(graph->dynamic_count, sizeof *graph->order);
    graph->reads = tn_new(graph->dynamic_count, sizeof *graph->reads);
    find_order(model, graph);
    if (tn_delays_find_loops(model)) {
        for (size_t k = 0; k < graph->dynamic_count; k++)
            tn_live_list_nodes(model, &graph->dynamic[k].live);
        for (size_t k = 0; k < graph->delay_count; k++) {
            tn_live_list_nodes(model, &graph->delay[k]->value);
            tn_live_list_nodes(model, &graph->delay[k]->lag);
        }
        find_order(model, graph);
    }
    for (size_t k = 0; k < graph->loop_count; k++)
        check_loop(model, &graph->loop[k]);
    note_readings(model, graph);
}
