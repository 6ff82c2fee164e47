/* figures.c - figures of a run, row by row (see figures.h) */
#include "figures/figures.h"

#include "names/reader.h"
#include "units/units.h"

#include <tenon/draft/stepping.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tn_statistic_names[] = {"min", "max", "abs_max", "mean", "rms", "initial", "final", NULL};

enum { EXTREMES = TN_LARGEST + 1 };

/* A column, with what its rows so far have come to: all rows, or those of one solver. */
typedef struct watch {
    uint32_t column;
    int32_t solver;
    struct totals {
        double rows;            /* that count */
        double last, last_time; /* of these */
        double latest;          /* of any row */
        double initial, initial_time;
        double extreme[EXTREMES], when[EXTREMES];
        double integral, squares, duration; /* from row to row */
    } now;
} watch;

/* A column at a time. */
typedef struct instant {
    uint32_t column;
    int32_t solver;
    double time, value, reached; /* reached: 1 */
} instant;

struct tn_figures {
    const tn_model *model;
    const tn_figure_plan *plan;
    watch *watch;
    size_t watches, watch_capacity;
    uint32_t *watch_of_column; /* of all rows; TN_NONE: there is none */
    uint32_t *first_column;    /* [sensors + 1] */
    instant *instant;
    size_t instants, instant_capacity;
    uint32_t *by_time;     /* [instants] */
    uint32_t *of_expected; /* [expected] an instant where it has a time, else a watch */
    double *time;          /* [times] of all instants */
    size_t times;
    int32_t solver;
    double last_time, joined; /* joined: 1, the next row is of the motion that the last one is of */
    uint64_t next;            /* the first instant, by time, that is not behind */
};

/* ---- what is watched ---------------------------------------------------------------------------------------- */

static uint32_t find_watch(tn_figures *f, uint32_t column, int32_t solver)
{
    if (solver < 0 && f->watch_of_column[column] != TN_NONE) return f->watch_of_column[column];
    for (size_t k = 0; solver >= 0 && k < f->watches; k++)
        if (f->watch[k].column == column && f->watch[k].solver == solver) return (uint32_t)k;
    f->watch = tn_grow(f->watch, &f->watch_capacity, f->watches + 1, sizeof *f->watch);
    f->watch[f->watches] = (watch){.column = column, .solver = solver};
    if (solver < 0) f->watch_of_column[column] = (uint32_t)f->watches;
    return (uint32_t)f->watches++;
}

static uint32_t add_instant(tn_figures *f, uint32_t column, int32_t solver, double time)
{
    f->instant = tn_grow(f->instant, &f->instant_capacity, f->instants + 1, sizeof *f->instant);
    f->instant[f->instants] =
        (instant){.column = column, .solver = solver, .time = time, .value = (double)NAN};
    return (uint32_t)f->instants++;
}

/* Those of sensors come first, sensor by sensor, then column by column. */
static void watch_sensors(tn_figures *f)
{
    for (size_t k = 0; k < f->plan->sensor_count; k++) {
        const tn_sensor_figures *asked = &f->plan->sensor[k];
        for (uint32_t c = f->first_column[asked->sensor]; c < f->first_column[asked->sensor + 1]; c++) {
            if (asked->statistics) (void)find_watch(f, c, -1);
            for (size_t t = 0; t < asked->times; t++)
                (void)add_instant(f, c, -1, asked->time[t]);
        }
    }
}

static void watch_expected(tn_figures *f)
{
    f->of_expected = tn_new(f->plan->expected_count, sizeof *f->of_expected);
    for (size_t k = 0; k < f->plan->expected_count; k++) {
        const tn_expectation *e = &f->plan->expected[k];
        const uint32_t column = f->first_column[e->sensor] + e->component;
        const bool at_time = !isnan(e->time);
        const uint32_t watched = at_time && e->solver < 0 ? TN_NONE : find_watch(f, column, e->solver);
        f->of_expected[k] = at_time ? add_instant(f, column, e->solver, e->time) : watched;
    }
}

typedef struct timed {
    double time;
    uint32_t number;
} timed;

static int compare_times(const void *a, const void *b)
{
    const timed *one = a, *other = b;
    if (one->time != other->time) return one->time < other->time ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static void order_instants(tn_figures *f)
{
    timed *all = tn_new(f->instants, sizeof *all);
    f->by_time = tn_new(f->instants, sizeof *f->by_time);
    f->time = tn_new(f->instants, sizeof *f->time);
    for (uint32_t k = 0; k < f->instants; k++)
        all[k] = (timed){f->instant[k].time, k};
    if (f->instants) qsort(all, f->instants, sizeof *all, compare_times);
    for (size_t k = 0; k < f->instants; k++) {
        f->by_time[k] = all[k].number;
        if (!f->times || f->time[f->times - 1] < all[k].time) f->time[f->times++] = all[k].time;
    }
    tn_free(all);
}

tn_figures *tn_figures_new(const tn_model *model, const tn_figure_plan *plan)
{
    if (!plan || !(plan->sensor_count || plan->expected_count)) return NULL;
    tn_figures *f = tn_new(1, sizeof *f);
    f->model = model;
    f->plan = plan;
    f->last_time = -HUGE_VAL;
    f->first_column = tn_new(model->sensor_count + 1, sizeof *f->first_column);
    for (size_t s = 0; s < model->sensor_count; s++)
        f->first_column[s + 1] = f->first_column[s] + model->sensor[s].size;
    const uint32_t columns = f->first_column[model->sensor_count];
    f->watch_of_column = tn_new(columns + (size_t)1, sizeof *f->watch_of_column);
    for (uint32_t c = 0; c < columns; c++)
        f->watch_of_column[c] = TN_NONE;
    watch_sensors(f);
    watch_expected(f);
    order_instants(f);
    return f;
}

const double *tn_figure_times(const tn_figures *f, size_t *count)
{
    *count = f ? f->times : 0;
    return f ? f->time : NULL;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* What has no value spoils the extremes, too: they are those of some rows only. */
static void add_extreme(struct totals *now, tn_statistic which, double value, double time, bool further)
{
    if (now->rows > 0.0 && (isnan(now->extreme[which]) || !(further || isnan(value)))) return;
    now->extreme[which] = value;
    now->when[which] = time;
}

/* A row that counts; `from` is the time of the one before it, or NaN. */
static void count(struct totals *now, double time, double value, double from)
{
    add_extreme(now, TN_MINIMUM, value, time, value < now->extreme[TN_MINIMUM]);
    add_extreme(now, TN_MAXIMUM, value, time, value > now->extreme[TN_MAXIMUM]);
    add_extreme(now, TN_LARGEST, value, time, fabs(value) > fabs(now->extreme[TN_LARGEST]));
    if (now->rows == 0.0) {
        now->initial = value;
        now->initial_time = time;
    } else if (time > from) {
        const double half = 0.5 * (time - from);
        now->integral += half * (now->last + value);
        now->squares += half * (now->last * now->last + value * value);
        now->duration += time - from;
    }
    now->last = value;
    now->last_time = time;
    now->rows += 1.0;
}

static void take_instants(tn_figures *f, double time, double slack, const double *values)
{
    while (f->next < f->instants && f->instant[f->by_time[f->next]].time < time - slack)
        f->next++;
    for (size_t k = f->next; k < f->instants; k++) {
        instant *at = &f->instant[f->by_time[k]];
        if (at->time > time + slack) break;
        if (at->solver >= 0 && at->solver != f->solver) continue;
        at->value = values[at->column];
        at->reached = 1.0;
    }
}

void tn_figures_add(tn_figures *f, double time, double slack, const double *values)
{
    const double from = f->joined > 0.0 ? f->last_time : (double)NAN;
    for (size_t k = 0; k < f->watches; k++) {
        watch *w = &f->watch[k];
        const double value = values[w->column];
        if (w->solver < 0 || w->solver == f->solver) count(&w->now, time, value, from);
        w->now.latest = value;
    }
    take_instants(f, time, slack, values);
    f->last_time = time;
    f->joined = 1.0;
}

/* The last row is at an instant of this column and solver, too. */
static void take_last(tn_figures *f, const watch *w, double slack)
{
    for (size_t k = 0; k < f->instants; k++) {
        instant *at = &f->instant[k];
        if (at->column != w->column || at->solver != w->solver || fabs(at->time - f->last_time) > slack)
            continue;
        at->value = w->now.latest;
        at->reached = 1.0;
    }
}

/* A solver that goes on from the last row has it as its first one. */
void tn_figures_begin(tn_figures *f, int32_t number, double start, double slack, bool goes_on)
{
    const bool same = goes_on && fabs(start - f->last_time) <= slack;
    f->solver = number;
    if (!same) f->joined = 0.0;
    for (size_t k = 0; same && k < f->watches; k++) {
        if (f->watch[k].solver != number) continue;
        count(&f->watch[k].now, f->last_time, f->watch[k].now.latest, (double)NAN);
        take_last(f, &f->watch[k], slack);
    }
}

void tn_figures_list_state(tn_figures *f, struct tn_state_visitor *visitor)
{
    for (size_t k = 0; k < f->watches; k++)
        TN_VISIT(visitor, f->watch[k].now);
    for (size_t k = 0; k < f->instants; k++) {
        TN_VISIT(visitor, f->instant[k].value);
        TN_VISIT(visitor, f->instant[k].reached);
    }
    TN_VISIT(visitor, f->last_time);
    TN_VISIT(visitor, f->joined);
    TN_VISIT(visitor, f->next);
}

/* ---- what they have come to --------------------------------------------------------------------------------- */

static tn_figure statistic_of(const watch *w, tn_statistic which)
{
    const struct totals *now = &w->now;
    const bool spans = now->duration > 0.0;
    tn_figure figure = {.value = (double)NAN, .time = (double)NAN, .known = now->rows > 0.0};
    if (!figure.known) return figure;
    switch (which) {
    case TN_MEAN:
        figure.value = spans ? now->integral / now->duration : now->last;
        break;
    case TN_RMS:
        figure.value = spans ? sqrt(now->squares / now->duration) : fabs(now->last);
        break;
    case TN_INITIAL:
        figure.value = now->initial;
        figure.time = now->initial_time;
        break;
    case TN_FINAL:
        figure.value = now->last;
        figure.time = now->last_time;
        break;
    default:
        figure.value = which == TN_LARGEST ? fabs(now->extreme[which]) : now->extreme[which];
        figure.time = now->when[which];
    }
    return figure;
}

static tn_figure figure_of_instant(const instant *at)
{
    return (tn_figure){.value = at->value, .time = at->time, .known = at->reached > 0.0};
}

void tn_figures_visit(const tn_figures *f, tn_figure_visitor *visit, void *data)
{
    tn_arena arena = {0};
    uint32_t instants = 0;
    for (size_t k = 0; f && k < f->plan->sensor_count; k++) {
        const tn_sensor_figures *asked = &f->plan->sensor[k];
        const tn_sensor *sensor = &f->model->sensor[asked->sensor];
        for (uint32_t c = 0; c < sensor->size; c++) {
            tn_figure_column column = {
                .name = tn_sensor_column_name(&arena, sensor, c),
                .unit = tn_unit_of_number(sensor->unit ? sensor->unit : "", c, sensor->size, &arena),
                .statistics = asked->statistics,
                .time = asked->time,
                .times = asked->times,
                .number = instants};
            const uint32_t number = f->watch_of_column[f->first_column[asked->sensor] + c];
            for (int s = 0; asked->statistics && s < TN_STATISTICS; s++)
                column.statistic[s] = statistic_of(&f->watch[number], (tn_statistic)s);
            visit(data, f, &column);
            instants += (uint32_t)asked->times;
        }
    }
    tn_arena_free(&arena);
}

tn_figure tn_figure_at(const tn_figures *f, const tn_figure_column *column, size_t k)
{
    return figure_of_instant(&f->instant[column->number + k]);
}

size_t tn_expectation_count(const tn_figures *f) { return f ? f->plan->expected_count : 0; }

tn_expected_outcome tn_expectation_outcome(const tn_figures *f, size_t k, bool finished)
{
    const tn_expectation *e = &f->plan->expected[k];
    const bool at_time = !isnan(e->time);
    const tn_figure got = at_time ? figure_of_instant(&f->instant[f->of_expected[k]])
                                  : statistic_of(&f->watch[f->of_expected[k]], e->statistic);
    tn_expected_outcome outcome = {.expected = e, .got = got, .difference = (double)NAN};
    if (!got.known)
        outcome.problem = at_time ? "no row has been recorded at this time" : "no row has been recorded";
    else if (!at_time && e->statistic != TN_INITIAL && !finished)
        outcome.problem = "the run has not finished";
    else if (!isfinite(got.value))
        outcome.problem = "the sensor has no value";
    if (got.known) outcome.difference = got.value - e->value;
    outcome.holds = !outcome.problem && fabs(outcome.difference) <= e->tolerance;
    return outcome;
}

size_t tn_expectations_failed(const tn_figures *f, bool finished)
{
    size_t failed = 0;
    for (size_t k = 0; k < tn_expectation_count(f); k++)
        failed += !tn_expectation_outcome(f, k, finished).holds;
    return failed;
}
