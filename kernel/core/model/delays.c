/* delays.c - calls of delay: what they read, and loops that they close
 *
 * What the value and the lag read now is listed with what the reader reads itself: it waits for that, and its derivatives
 * count. A lag that is always the same and longer than the steps makes a loop of variables harmless: then the value of now is
 * not read. */
#include "model/delays.h"
#include "model/reading.h"

#include <math.h>
#include <string.h>

static tn_live_value begin(tn_model *model, const tn_toml *node, const struct tn_delayed_argument *argument)
{
    const tn_quantity quantity = {
        .expression = argument->expression, .factor = 1.0, .node = node, .calls = argument->calls};
    return tn_live_begin(model, &quantity);
}

/* Into fixed_lag; false after reporting one that has no value. */
static bool find_fixed_lag(tn_model *model, tn_delay *delay, size_t offset)
{
    const tn_live_value *lag = &delay->lag;
    const char *problem = NULL;
    delay->fixed_lag = (double)NAN;
    if (lag->calls.count || tn_expression_uses(lag->expression, lag->depth, NULL) ||
        tn_expression_value(lag->expression, lag->inputs, &delay->fixed_lag, &problem))
        return true;
    tn_source_error_inside(&model->source, lag->node, offset, "the time of `%s` has no value: %s",
                           TN_DELAY_FUNCTION, problem);
    return false;
}

bool tn_delay_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_observed *observed)
{
    const struct tn_delayed_argument *argument = call->delayed->argument;
    tn_delay *delay = tn_arena_new(&model->arena, sizeof *delay);
    *delay = (tn_delay){.value = begin(model, node, &argument[TN_DELAY_VALUE]),
                        .lag = begin(model, node, &argument[TN_DELAY_LAG]),
                        .start = begin(model, node, &argument[TN_DELAY_START])};
    *observed = (tn_observed){.kind = TN_OBSERVED_DELAY, .index = (uint32_t)model->delay_count};
    model->delay = tn_grow(model->delay, &model->delay_capacity, model->delay_count + 1, sizeof(tn_delay *));
    model->delay[model->delay_count++] = delay;
    const bool value = tn_live_connect(model, &delay->value), lag = tn_live_connect(model, &delay->lag);
    return find_fixed_lag(model, delay, argument[TN_DELAY_LAG].text.offset) && value && lag;
}

void tn_delays_free(tn_model *model)
{
    for (size_t k = 0; k < model->delay_count; k++)
        tn_history_free(&model->delay[k]->history);
    tn_free(model->delay);
}

/* ---- what is read now ------------------------------------------------------------------------------------ */

static size_t inputs_of(const tn_live_value *live) { return (size_t)live->depth + 1 + live->reads; }

/* Copies what one argument reads. Where that is not read now, the entries stay: they are those of the delay itself. */
static tn_observed *copy_reads(tn_observed *to, const tn_live_value *argument, const tn_observed *instead)
{
    for (uint32_t k = 0; k < argument->reads; k++)
        *to++ = instead ? *instead : argument->observed[k];
    return to;
}

void tn_delays_list_reads(tn_model *model, tn_live_value *live)
{
    const bool first = live->reads == 0;
    uint32_t reads = live->calls.count;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->observed[k].kind != TN_OBSERVED_DELAY) continue;
        tn_delay *delay = model->delay[live->observed[k].index];
        tn_delays_list_reads(model, &delay->value);
        tn_delays_list_reads(model, &delay->lag);
        reads += delay->value.reads + delay->lag.reads;
        const size_t value = inputs_of(&delay->value), lag = inputs_of(&delay->lag);
        if (first)
            delay->gradient = tn_arena_new(&model->arena, (value > lag ? value : lag) * sizeof(double));
    }
    if (first && reads > live->calls.count) {
        tn_observed *larger = tn_arena_new(&model->arena, reads * sizeof *larger);
        memcpy(larger, live->observed, live->calls.count * sizeof *larger);
        live->observed = larger;
    }
    live->reads = reads;
    tn_observed *to = live->observed + live->calls.count;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->observed[k].kind != TN_OBSERVED_DELAY) continue;
        const tn_delay *delay = model->delay[live->observed[k].index];
        to = copy_reads(to, &delay->value, delay->closes_loop ? &live->observed[k] : NULL);
        to = copy_reads(to, &delay->lag, NULL);
    }
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* Dynamic values in the order in which they are met. */
typedef struct walk {
    uint32_t *value, *stamp; /* [dynamic values]; the last walk that met it */
    size_t count;
    uint32_t now;
} walk;

static void meet(const tn_model *model, walk *w, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->reads; k++) {
        const tn_observed *observed = &live->observed[k];
        if (observed->kind != TN_OBSERVED_VARIABLE || tn_is_unknown(model, observed->index)) continue;
        for (uint32_t other = model->first_dynamic[observed->index]; other != TN_NONE;
             other = model->next_dynamic[other]) {
            if (w->stamp[other] == w->now) continue;
            w->stamp[other] = w->now;
            w->value[w->count++] = other;
        }
    }
}

static bool leads_to(const tn_model *model, walk *w, const tn_live_value *from, uint32_t to)
{
    w->count = 0;
    w->now++;
    meet(model, w, from);
    for (size_t k = 0; k < w->count && w->stamp[to] != w->now; k++)
        meet(model, w, &model->dynamic[w->value[k]].live);
    return w->stamp[to] == w->now;
}

/* Of the delays in an expression, also those in their arguments. */
static void find_loops(tn_model *model, walk *w, const tn_live_value *live, uint32_t reader)
{
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->observed[k].kind != TN_OBSERVED_DELAY) continue;
        tn_delay *delay = model->delay[live->observed[k].index];
        delay->closes_loop = delay->fixed_lag > 0.0 && leads_to(model, w, &delay->value, reader);
        find_loops(model, w, &delay->value, reader);
        find_loops(model, w, &delay->lag, reader);
    }
}

void tn_delays_find_loops(tn_model *model)
{
    if (!model->delay_count) return;
    walk w = {.value = tn_new(model->dynamic_count, sizeof *w.value),
              .stamp = tn_new(model->dynamic_count, sizeof *w.stamp)};
    for (uint32_t k = 0; k < model->dynamic_count; k++)
        find_loops(model, &w, &model->dynamic[k].live, k);
    for (uint32_t k = 0; k < model->dynamic_count; k++)
        tn_delays_list_reads(model, &model->dynamic[k].live);
    tn_free(w.value);
    tn_free(w.stamp);
}
