/* live_batch.c - dynamic values with the same expression are worked out together
 *
 * Copies of an item have equal expressions, which read different things. Values are sorted into levels: one stands above all
 * that it reads. Those of one level with one expression are a batch; it is evaluated in chunks of as many as an expression has
 * lanes (tape_lanes.c). The rest is evaluated one by one. Many of one level are cut into blocks that threads share. */
#include "values/state_values.h"

#include "system/block_calls.h"

#include <stdlib.h>

enum { LANES = TN_EXPRESSION_LANES, FEWEST = 4, BLOCK = 256 };

/* Values number `first` and on: a batch, or values that are evaluated one by one. */
typedef struct batch {
    const tn_expression *expression; /* NULL: one by one */
    uint32_t level;                  /* where all of them may be worked out at a time: their level, else 0 */
    size_t first, count;
    uint32_t inputs; /* in use */
    size_t source;   /* place of the first of [chunks][inputs][LANES] among all sources */
    uint32_t calls;  /* of routines */
    size_t routine;  /* likewise of [chunks][calls][LANES] */
} batch;

struct tn_live_batches {
    batch *batch;
    size_t count;
    struct sorted {
        const tn_dynamic_value *dynamic;
        double *target; /* place in the instance */
        double factor;
        uint32_t level, rank;
    } * value; /* in the order of the batches */
    /* where what the batches read stands; lanes that are left over repeat the first one */
    const double **source;
    size_t sources, source_capacity;
    const tn_routine **routine; /* that they call */
    size_t routines, routine_capacity;
};

/* ---- sorting --------------------------------------------------------------------------------------------- */

/* The highest level of the values that this one reads, which are in front of it, or of its loop. */
static uint32_t highest_read(const tn_value_graph *graph, const uint32_t *level, uint32_t value)
{
    uint32_t highest = 0;
    for (size_t k = graph->read_start[value]; k < graph->read_start[value + 1]; k++)
        if (level[graph->read[k].value] > highest) highest = level[graph->read[k].value];
    return highest;
}

/* By level, then equal expressions side by side. */
static int by_level(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    if (a->level != b->level) return a->level < b->level ? -1 : 1;
    const int order = tn_expression_compare(a->dynamic->live.expression, b->dynamic->live.expression);
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* Whether there is something to work out: not for a function that reads nothing but the arguments of its calls. */
static bool is_worked_out(const tn_dynamic_value *dynamic)
{
    const tn_live_value *live = &dynamic->live;
    if (dynamic->loop != TN_NONE) return true;
    if (dynamic->off) return false;
    return !live->argument_count || live->finds || live->calls.count ||
           tn_expression_uses(live->expression, tn_live_first_read(live) - 1, NULL); /* the time */
}

/* The values in force; of a loop, which stands on one level, the first one. */
static size_t sort_values(const tn_assembly *assembly, struct sorted *value)
{
    const tn_value_graph *graph = assembly->model->values;
    uint32_t *level = tn_new(graph->dynamic_count, sizeof *level);
    size_t count = 0;
    for (uint32_t rank = 0, members; rank < graph->dynamic_count; rank += members) {
        const tn_dynamic_value *dynamic = tn_value_of_rank(graph, rank);
        uint32_t highest = 0;
        members = dynamic->loop == TN_NONE ? 1 : graph->loop[dynamic->loop].count;
        for (uint32_t k = 0; k < members; k++) {
            const uint32_t read = highest_read(graph, level, graph->order[rank + k]);
            if (read > highest) highest = read;
        }
        for (uint32_t k = 0; k < members; k++)
            level[graph->order[rank + k]] = highest + 1;
        if (is_worked_out(dynamic))
            value[count++] = (struct sorted){dynamic, tn_dynamic_place(assembly, dynamic),
                                             dynamic->live.factor, highest + 1, rank};
    }
    tn_free(level);
    qsort(value, count, sizeof *value, by_level);
    return count;
}

/* ---- batches --------------------------------------------------------------------------------------------- */

/* Whether all that it reads stands somewhere; forces and values of the past are found for each. */
static bool stands_alone(const tn_dynamic_value *dynamic)
{
    const tn_live_value *live = &dynamic->live;
    return dynamic->loop == TN_NONE && !live->argument_count && !live->finds;
}

/* How many values from `first` on are of one level and expression. */
static size_t count_equals(const struct sorted *first, const struct sorted *end)
{
    const struct sorted *next = first + 1;
    while (next < end && next->level == first->level &&
           tn_expression_compare(next->dynamic->live.expression, first->dynamic->live.expression) == 0)
        next++;
    return (size_t)(next - first);
}

static const double *source_of(const tn_assembly *assembly, const tn_live_value *live, uint32_t input)
{
    if (input < live->depth) return &live->inputs[input];
    return input == live->depth ? &assembly->system.time : live->read[input - live->depth - 1].value;
}

/* The value of a lane. */
static const tn_live_value *live_of_lane(const struct tn_live_batches *all, const batch *b, size_t chunk,
                                         size_t lane)
{
    const size_t i = chunk * LANES + lane;
    return &all->value[b->first + (i < b->count ? i : chunk * LANES)].dynamic->live;
}

static void add_sources(const tn_assembly *assembly, struct tn_live_batches *all, const batch *b,
                        size_t chunk)
{
    for (uint32_t k = 0; k < b->inputs; k++) {
        const double **source = &all->source[all->sources];
        bool in_a_row = true;
        for (size_t lane = 0; lane < LANES; lane++) {
            source[lane] =
                source_of(assembly, live_of_lane(all, b, chunk, lane), tn_expression_used(b->expression, k));
            in_a_row = in_a_row && source[lane] == source[0] + lane;
        }
        if (in_a_row) source[1] = NULL;
        all->sources += LANES;
    }
}

static void add_routines(struct tn_live_batches *all, const batch *b, size_t chunk)
{
    for (uint32_t k = 0; k < b->calls; k++)
        for (size_t lane = 0; lane < LANES; lane++)
            all->routine[all->routines++] =
                tn_expression_routine(live_of_lane(all, b, chunk, lane)->expression, k);
}

static void add_batch(const tn_assembly *assembly, struct tn_live_batches *all, uint32_t level, size_t first,
                      size_t count)
{
    const tn_expression *expression = all->value[first].dynamic->live.expression;
    const size_t chunks = (count + LANES - 1) / LANES;
    batch *b = &all->batch[all->count++];
    *b = (batch){.expression = expression,
                 .level = level,
                 .first = first,
                 .count = count,
                 .inputs = tn_expression_used_count(expression),
                 .source = all->sources,
                 .routine = all->routines};
    while (tn_expression_routine(expression, b->calls))
        b->calls++;
    all->source = tn_grow(all->source, &all->source_capacity, all->sources + chunks * b->inputs * LANES,
                          sizeof *all->source);
    all->routine = tn_grow(all->routine, &all->routine_capacity, all->routines + chunks * b->calls * LANES,
                           sizeof *all->routine);
    for (size_t c = 0; c < chunks; c++) {
        add_sources(assembly, all, b, c);
        add_routines(all, b, c);
    }
}

void tn_live_batches_build(tn_assembly *assembly)
{
    const tn_value_graph *graph = assembly->model->values;
    struct tn_live_batches *all = assembly->read->batches;
    if (!all) {
        all = assembly->read->batches = tn_new(1, sizeof *all);
        all->batch = tn_new(graph->dynamic_count, sizeof *all->batch);
        all->value = tn_new(graph->dynamic_count, sizeof *all->value);
    }
    all->count = all->sources = all->routines = 0;
    const size_t values = sort_values(assembly, all->value);
    for (size_t first = 0, count; first < values; first += count) {
        count = count_equals(&all->value[first], &all->value[values]);
        bool alone = true;
        for (size_t k = 0; k < count && alone; k++)
            alone = stands_alone(all->value[first + k].dynamic);
        const tn_expression *expression = all->value[first].dynamic->live.expression;
        const uint32_t level =
            alone && !tn_expression_needs_one_thread(expression) ? all->value[first].level : 0;
        batch *last = all->count ? &all->batch[all->count - 1] : NULL;
        if (alone && count >= FEWEST && tn_expression_has_lanes(expression))
            add_batch(assembly, all, level, first, count);
        else if (last && !last->expression && last->level == level)
            last->count += count;
        else
            all->batch[all->count++] = (batch){.level = level, .first = first, .count = count};
    }
    assembly->reading.evaluates = all->count > 0 || assembly->read->accelerations_in_forces;
}

/* ---- evaluation ------------------------------------------------------------------------------------------ */

static bool evaluate_lanes(const struct tn_live_batches *all, const batch *b, size_t first, size_t last)
{
    double value[LANES];
    for (size_t done = first; done < last; done += LANES) {
        const uint32_t count = last - done < LANES ? (uint32_t)(last - done) : LANES;
        if (!tn_expression_value_lanes(b->expression, all->source + b->source + done * b->inputs,
                                       b->calls ? all->routine + b->routine + done * b->calls : NULL, count,
                                       value))
            return false;
        const struct sorted *sorted = &all->value[b->first + done];
        for (size_t lane = 0; lane < count; lane++)
            *sorted[lane].target = value[lane] * sorted[lane].factor;
    }
    return true;
}

static bool evaluate_each(const tn_assembly *assembly, const struct sorted *value, const struct sorted *end)
{
    while (value < end && tn_live_evaluate(assembly, &value->dynamic->live, value->target, NULL))
        value++;
    return value == end;
}

typedef struct block_call {
    const tn_assembly *assembly;
    const batch *batch;
    bool failed;
} block_call;

/* Blocks are whole chunks of lanes. */
static void evaluate_block(void *data, size_t first, size_t last)
{
    block_call *call = data;
    const batch *b = call->batch;
    const struct tn_live_batches *all = call->assembly->read->batches;
    const struct sorted *value = &all->value[b->first];
    if (b->expression ? evaluate_lanes(all, b, first, last)
                      : evaluate_each(call->assembly, value + first, value + last))
        return;
    __atomic_store_n(&call->failed, true, __ATOMIC_RELAXED);
}

/* False: not at once, or not all of them have a value. */
static bool evaluate_batch(const tn_assembly *assembly, const batch *b)
{
    const bool shared = b->level && b->count >= (size_t)TN_FEWEST_BLOCKS * BLOCK;
    block_call call = {.assembly = assembly, .batch = b};
    if (!shared) return b->expression && evaluate_lanes(assembly->read->batches, b, 0, b->count);
    tn_for_blocks(assembly, b->count, BLOCK, evaluate_block, &call);
    return !call.failed;
}

tn_status tn_dynamics_evaluate(tn_assembly *assembly)
{
    const struct tn_live_batches *all = assembly->read->batches;
    tn_status status = TN_OK;
    for (size_t k = 0; k < all->count && status == TN_OK; k++) {
        const batch *b = &all->batch[k];
        if (evaluate_batch(assembly, b)) continue;
        /* one by one, too, until the one of a batch that has no value */
        const struct sorted *value = &all->value[b->first], *end = value + b->count;
        for (; value < end && status == TN_OK; value++)
            status = tn_dynamic_evaluate(assembly, value->dynamic);
    }
    return status;
}
