/* tenon/kit/search.h - searches for the best case of a study: what designs such as `nelder_mead` have in common
 *
 * A search makes one response as small or as large as possible, while others keep their limits. An algorithm is a function that runs from
 * one start (kit/dialogue.h): tn_search_merits() gives it the values of points that it is to make small, failed cases worse than all
 * others. Several starts run side by side, so that a batch has the points of all of them.
 *
 * Limits g_j <= 0 enter by the augmented Lagrangian, tn_search_within_limits(), unless an algorithm asks for them by
 * tn_search_evaluate(): Nocedal, Wright: Numerical Optimization, 2nd ed., Springer, 2006, chapter 17.
 *
 * kit/search_answers.h has the functions of the type, and what follows from a search.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_SEARCH_H
#define TENON_KIT_SEARCH_H

#include "tenon/kit/design_responses.h"
#include "tenon/kit/dialogue.h"
#include "tenon/kit/growing.h"
#include "tenon/kit/random.h"

#include <float.h>
#include <math.h>

/* Keys of every search. */
#define TN_SEARCH_PARAMETERS(P)                                                                              \
    TN_OBJECTIVE_PARAMETERS(P)                                                                               \
    P(REAL, size, "", TN_ABOVE_LOW, 0.1, 0.0, 0.5,                                                           \
      "of the first steps, as a share of the range of a variable")                                           \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-5, 0.0, 0.1,                                                     \
      "distance of points, as a share of the range of each variable, at which a start ends, together with "  \
      "`value_tolerance`")                                                                                   \
    P(REAL, value_tolerance, "", 0, 1e-8, 0.0, 0.1,                                                          \
      "difference of the values of these points, as a share of the value or of the gain so far, at which a " \
      "start ends")

#define TN_OBJECTIVE_PARAMETERS(P)                                                    \
    P(TEXT, minimise, 0, "response to make as small as possible; this or `maximise`") \
    P(TEXT, maximise, 0, "response to make as large as possible")                     \
    TN_START_PARAMETERS(P)

/* Those of every design that goes on from starts. */
#define TN_START_PARAMETERS(P)                                                                           \
    P(INTEGER, starts, 0, 1, 1, 1000,                                                                    \
      "starts, side by side: the values that the model gives, then random ones, evenly spread over the " \
      "ranges")                                                                                          \
    P(INTEGER, most_cases, 0, 1000, 1, 1e9, "most cases, shared evenly by the starts")

typedef struct tn_search_settings {
    const char *minimise, *maximise;
    int64_t starts, most_cases;
    double size, tolerance, value_tolerance;
    int64_t at_once; /* most cases that the algorithm asks for at a time; 0: no more than variables and 2 */
} tn_search_settings;

#define TN_SEARCH_SETTINGS(self)                            \
    ((tn_search_settings){.minimise = (self)->minimise,     \
                          .maximise = (self)->maximise,     \
                          .starts = (self)->starts,         \
                          .most_cases = (self)->most_cases, \
                          .size = (self)->size,             \
                          .tolerance = (self)->tolerance,   \
                          .value_tolerance = (self)->value_tolerance})

/* Limits are kept up to this share of them. */
#define TN_LIMIT_TOLERANCE 1e-6
/* Worse than any value, and finite, for as long as no value is known. */
#define TN_FAR_WORSE 1e100
/* A variable without bounds is searched between these quantiles: 4.75 standard deviations. */
#define TN_UNBOUNDED_MARGIN 1e-6

typedef struct tn_search tn_search;

/* One start. */
typedef struct tn_search_run {
    tn_search *search;
    tn_speaker *speaker;
    uint32_t number;
    uint64_t cases, most, failed;
    double *start; /* [variables] */
    bool found;    /* the best point so far: */
    double *best, best_value, best_excess;
    uint64_t best_case;
    double first, lowest; /* of all values */
    double worst;         /* the largest value with the terms of the Lagrangian */
    double worst_excess;  /* the largest of a limit; 0: none */
    const char *end;      /* why it ends */
    const char *halt;     /* why the algorithm has ended by itself; NULL: it has converged */
    bool cut;             /* a round of the Lagrangian has ended by its share of the cases */
    bool takes_all;       /* the last round, which has all cases that are left */
    tn_status status;     /* TN_OUT_OF_MEMORY where it has failed for that */
    /* the Lagrangian */
    double *multiplier, *scale, weight, size; /* [limits]; scale 0: not known yet */
    /* what has come of the last points */
    double *result, *excess; /* [count][numbers], [count][limits] */
    double *value;           /* [count] */
    uint8_t *done;           /* [count] */
    size_t result_room, excess_room, value_room, done_room;
} tn_search_run;

struct tn_search {
    tn_dialogue dialogue; /* the first field */
    const tn_host *host;
    const tn_design_problem *problem;
    tn_search_settings settings;
    const void *instance;
    uint32_t objective, limits;
    double sign;        /* -1: maximise */
    uint32_t *limit;    /* [limits] numbers of responses */
    double *low, *high; /* [variables] */
    tn_search_run *run; /* [starts] */
    void (*algorithm)(tn_search_run *run);
    /* The value to make small of the numbers of a case; NULL: that of the objective. */
    double (*value)(const tn_search *search, const double *number);
};

/* ---- beginning ------------------------------------------------------------------------------------------------------ */

static inline void *tn_search_memory(const tn_search *search, uint64_t count, uint64_t size)
{
    return search->host->allocate(search->host, (size_t)(count * size) + 1);
}

static inline tn_status tn_search_objective(tn_search *search)
{
    const tn_search_settings *s = &search->settings;
    if (!s->minimise == !s->maximise)
        return tn_refuse(search->host, s->maximise ? "maximise" : NULL,
                         "a search needs either `minimise` or `maximise`, the name of a response");
    const char *key = s->minimise ? "minimise" : "maximise";
    search->sign = s->minimise ? 1.0 : -1.0;
    const tn_status status = tn_find_response(search->host, search->problem, key,
                                              s->minimise ? s->minimise : s->maximise, &search->objective);
    if (status != TN_OK) return status;
    const tn_design_response *response = &search->problem->response[search->objective];
    if (response->size == 1) return TN_OK;
    return tn_refuse(search->host, key,
                     "response \"%s\" has %u numbers: a search needs one with a single number",
                     response->name, response->size);
}

static inline tn_status tn_search_limits(tn_search *search)
{
    const tn_design_problem *problem = search->problem;
    search->limit = tn_search_memory(search, problem->responses, sizeof *search->limit);
    if (!search->limit) return TN_OUT_OF_MEMORY;
    for (uint32_t r = 0; r < problem->responses; r++) {
        const tn_design_response *response = &problem->response[r];
        if (response->limited == TN_NO_LIMIT) continue;
        if (response->size != 1)
            return tn_refuse(
                search->host, NULL,
                "response \"%s\" has a limit and %u numbers: a search needs a single one, such as the "
                "largest of them",
                response->name, response->size);
        search->limit[search->limits++] = r;
    }
    return TN_OK;
}

static inline tn_status tn_search_bounds(tn_search *search, bool takes_lists)
{
    const tn_design_problem *problem = search->problem;
    const uint32_t size = problem->variables;
    search->low = tn_search_memory(search, size, sizeof *search->low);
    search->high = tn_search_memory(search, size, sizeof *search->high);
    if (!search->low || !search->high) return TN_OUT_OF_MEMORY;
    if (size == 0) return tn_refuse(search->host, NULL, "there are no variables to search");
    for (uint32_t i = 0; i < size; i++) {
        const tn_design_variable *variable = &problem->variable[i];
        if (variable->levels && !takes_lists)
            return tn_refuse(
                search->host, NULL,
                "variable \"%s\" has a list of values, between which there is nothing to search: give it "
                "a range, or take \"grid\"",
                variable->name);
        search->low[i] = variable->bounded || variable->levels ? 0.0 : TN_UNBOUNDED_MARGIN;
        search->high[i] = 1.0 - search->low[i];
    }
    return TN_OK;
}

/* The first start is the model's own; the others are a Latin hypercube. */
static inline double tn_search_start(const tn_search *search, uint32_t run, uint32_t variable)
{
    const tn_design_problem *problem = search->problem;
    const uint64_t others = (uint64_t)search->settings.starts - 1, stream = (UINT64_C(1) << 61) + variable;
    double u = problem->variable[variable].start;
    if (run > 0) {
        /* place of this start in a random order of the strata: that of its number among random ones */
        const uint64_t own = tn_random_bits(problem->seed, stream, run);
        uint64_t place = 0;
        for (uint64_t k = 1; k <= others; k++) {
            const uint64_t other = tn_random_bits(problem->seed, stream, k);
            place += other < own || (other == own && k < run);
        }
        const uint64_t inside = (UINT64_C(1) << 62) + variable;
        u = ((double)place + tn_random_uniform(problem->seed, inside, run)) / (double)others;
    }
    return fmin(fmax(u, search->low[variable]), search->high[variable]);
}

static inline tn_status tn_search_make_run(tn_search *search, uint32_t number, tn_speaker *speaker)
{
    tn_search_run *run = &search->run[number];
    const uint32_t size = search->problem->variables;
    *run = (tn_search_run){.search = search,
                           .speaker = speaker,
                           .number = number,
                           .most = (uint64_t)(search->settings.most_cases / search->settings.starts),
                           .start = tn_search_memory(search, size, sizeof *run->start),
                           .best = tn_search_memory(search, size, sizeof *run->best),
                           .multiplier = tn_search_memory(search, search->limits, sizeof *run->multiplier),
                           .scale = tn_search_memory(search, search->limits, sizeof *run->scale),
                           .lowest = HUGE_VAL,
                           .worst = -HUGE_VAL,
                           .end = "it has not ended",
                           .size = search->settings.size};
    speaker->self = run;
    if (!run->start || !run->best || !run->multiplier || !run->scale) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < size; i++)
        run->start[i] = tn_search_start(search, number, i);
    for (uint32_t j = 0; j < search->limits; j++)
        run->scale[j] = fabs(search->problem->response[search->limit[j]].limit);
    return TN_OK;
}

static inline void tn_search_main(void *run)
{
    tn_search *search = ((tn_search_run *)run)->search;
    search->algorithm(run);
}

/* Makes the starts of a search whose objective, limits and bounds are known. */
static inline tn_status tn_search_begin(tn_search *search)
{
    const tn_search_settings *settings = &search->settings;
    const uint32_t starts = (uint32_t)settings->starts;
    const int64_t simplex = (int64_t)search->problem->variables + 2;
    const int64_t batch = settings->at_once + (settings->at_once && search->limits ? 1 : 0);
    const int64_t least = batch > simplex ? batch : simplex;
    if (settings->most_cases / settings->starts < least)
        return tn_refuse(search->host, "most_cases",
                         "%lld cases for %u starts are too few: each needs %lld at least",
                         (long long)settings->most_cases, starts, (long long)least);
    search->run = tn_search_memory(search, starts, sizeof *search->run);
    tn_speaker *speaker = tn_search_memory(search, starts, sizeof *speaker);
    if (!search->run || !speaker) return TN_OUT_OF_MEMORY;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < starts && status == TN_OK; k++)
        status = tn_search_make_run(search, k, &speaker[k]);
    return status == TN_OK
               ? tn_dialogue_open(&search->dialogue, search->problem, starts, speaker, tn_search_main)
               : status;
}

/* The whole of open() of a search: `*self` becomes a tn_search. */
static inline tn_status tn_search_open(const tn_host *host, const void *instance, tn_search_settings settings,
                                       const tn_design_problem *problem, bool takes_lists,
                                       void (*algorithm)(tn_search_run *run), void **self)
{
    tn_search *search = *self = host->allocate(host, sizeof *search);
    if (!search) return TN_OUT_OF_MEMORY;
    *search = (tn_search){.host = host,
                          .problem = problem,
                          .settings = settings,
                          .instance = instance,
                          .algorithm = algorithm,
                          .sign = 1.0};
    tn_status status = tn_search_objective(search);
    if (status == TN_OK) status = tn_search_limits(search);
    if (status == TN_OK) status = tn_search_bounds(search, takes_lists);
    return status == TN_OK ? tn_search_begin(search) : status;
}

/* ---- values of points ------------------------------------------------------------------------------------------- */

static inline void tn_search_clamp(const tn_search *search, double *x)
{
    for (uint32_t i = 0; i < search->problem->variables; i++)
        x[i] = fmin(fmax(x[i], search->low[i]), search->high[i]);
}

#define TN_START_HAS_NO_RESULT "the case at its start has no result"

static inline bool tn_search_end(tn_search_run *run, const char *why)
{
    run->end = why;
    return false;
}

/* An algorithm has come to its end by itself. */
static inline void tn_search_conclude(tn_search_run *run)
{
    if (!run->found)
        run->end = "all its cases have failed";
    else
        run->end = run->halt ? run->halt : "it has converged";
}

/* What `value_tolerance` is a share of: the gain since the first value, or the size of this one. Values that others are far below, as of
 * motions that are not stable, play no part. */
static inline double tn_search_gain(const tn_search_run *run, double value)
{
    return run->found ? fmax(run->first - run->lowest, fabs(value)) : 0.0;
}

/* Positive where limit j is not kept, as a share of it; of a limit of zero as a share of the first value. */
static inline double tn_search_excess(tn_search_run *run, uint32_t j, const double *number)
{
    const tn_design_response *response = &run->search->problem->response[run->search->limit[j]];
    const double value = number[response->first], sign = response->limited == TN_AT_MOST ? 1.0 : -1.0;
    if (run->scale[j] == 0.0) run->scale[j] = value != 0.0 ? fabs(value) : 1.0;
    return sign * (value - response->limit) / run->scale[j];
}

static inline void tn_search_note(tn_search_run *run, uint64_t k, const double *point)
{
    const tn_search *search = run->search;
    const double value = run->value[k];
    double excess = 0.0;
    for (uint32_t j = 0; j < search->limits; j++)
        excess += fmax(run->excess[k * search->limits + j] - TN_LIMIT_TOLERANCE, 0.0);
    if (!run->found) run->first = value;
    run->lowest = fmin(run->lowest, value);
    if (run->found && (excess > run->best_excess || (excess == run->best_excess && value >= run->best_value)))
        return;
    run->found = true;
    run->best_value = value, run->best_excess = excess;
    run->best_case = run->speaker->first + k;
    memcpy(run->best, point, search->problem->variables * sizeof *point);
}

/* Value with the terms of the Lagrangian, of an algorithm that leaves the limits to it. */
static inline double tn_search_merit(const tn_search_run *run, uint64_t k)
{
    double merit = run->value[k];
    for (uint32_t j = 0; j < run->search->limits && run->done[k] && run->weight > 0.0; j++) {
        const double force = run->multiplier[j] + run->weight * run->excess[k * run->search->limits + j];
        const double active = fmax(force, 0.0);
        merit += (active * active - run->multiplier[j] * run->multiplier[j]) / (2.0 * run->weight);
    }
    return merit;
}

/* Runs the cases of some points, within the bounds, and leaves run->value [count], HUGE_VAL where a case has failed, run->excess
 * [count][limits], run->done and run->result; false: the algorithm is to return. */
static inline bool tn_search_evaluate(tn_search_run *run, uint64_t count, const double *point)
{
    const tn_search *search = run->search;
    const uint32_t numbers = search->problem->numbers, limits = search->limits;
    if (run->cases + count > run->most) return tn_search_end(run, "its most cases have run");
    if (!TN_MAKE_ROOM(run->result, run->result_room, count * numbers + 1) ||
        !TN_MAKE_ROOM(run->excess, run->excess_room, count * limits + 1) ||
        !TN_MAKE_ROOM(run->value, run->value_room, count) ||
        !TN_MAKE_ROOM(run->done, run->done_room, count)) {
        run->status = TN_OUT_OF_MEMORY;
        return tn_search_end(run, "out of memory");
    }
    if (!tn_ask(run->speaker, count, point, run->result, run->done))
        return tn_search_end(run, "the study has been ended");
    run->cases += count;
    for (uint64_t k = 0; k < count; k++) {
        const double *number = run->result + k * numbers;
        run->value[k] = HUGE_VAL;
        for (uint32_t j = 0; j < limits; j++)
            run->excess[k * limits + j] = run->done[k] ? tn_search_excess(run, j, number) : HUGE_VAL;
        run->failed += !run->done[k];
        if (!run->done[k]) continue;
        run->value[k] = search->value
                            ? search->value(search, number)
                            : search->sign * number[search->problem->response[search->objective].first];
        tn_search_note(run, k, point + k * search->problem->variables);
        run->worst = fmax(run->worst, tn_search_merit(run, k));
        for (uint32_t j = 0; j < limits; j++)
            run->worst_excess = fmax(run->worst_excess, run->excess[k * limits + j]);
    }
    return true;
}

/* A finite value that is worse than all so far, for algorithms that calculate with it. */
static inline double tn_search_worse(const tn_search_run *run)
{
    if (!run->found) return TN_FAR_WORSE;
    const double worse = run->worst + (run->worst - run->lowest) + 1e-3 * fabs(run->worst) + 1e-300;
    return fmin(worse, DBL_MAX);
}
static inline double tn_search_worse_excess(const tn_search_run *run)
{
    return 1.0 + 2.0 * run->worst_excess;
}

/* What an algorithm without limits of its own makes small [count]; HUGE_VAL where a case has failed. */
static inline bool tn_search_merits(tn_search_run *run, uint64_t count, const double *point, double *merit)
{
    if (!tn_search_evaluate(run, count, point)) return false;
    for (uint64_t k = 0; k < count; k++)
        merit[k] = tn_search_merit(run, k);
    return true;
}

/* New multipliers from what has come of one point; returns how far it is from keeping the limits and from balance. */
static inline double tn_search_update(tn_search_run *run)
{
    double worst = 0.0;
    for (uint32_t j = 0; j < run->search->limits; j++) {
        const double excess = fmax(run->excess[j], -run->multiplier[j] / run->weight);
        worst = fmax(worst, fabs(excess));
        run->multiplier[j] = fmax(run->multiplier[j] + run->weight * run->excess[j], 0.0);
    }
    return worst;
}

/* Searches by `minimise`, which improves x and returns false where it is to end at once, such that limits are kept. */
static inline void tn_search_within_limits(tn_search_run *run, double *x,
                                           bool (*minimise)(tn_search_run *run, double *x))
{
    enum { MOST_ROUNDS = 40 };
    if (run->search->limits == 0) {
        if (minimise(run, x)) tn_search_conclude(run);
        return;
    }
    if (!tn_search_evaluate(run, 1, x)) return;
    run->weight = run->done[0] && run->value[0] != 0.0 ? 10.0 * fabs(run->value[0]) : 1.0;
    double before = HUGE_VAL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!minimise(run, x) || !tn_search_evaluate(run, 1, x)) return;
        if (!run->done[0]) {
            run->end = "all cases near it fail";
            return;
        }
        const double apart = tn_search_update(run);
        run->size =
            fmax(0.3 * run->size, fmin(30.0 * run->search->settings.tolerance, run->search->settings.size));
        if (apart <= TN_LIMIT_TOLERANCE && run->cut && !run->takes_all) {
            run->takes_all = true;
            continue;
        }
        if (apart <= TN_LIMIT_TOLERANCE) {
            tn_search_conclude(run);
            return;
        }
        if (apart > 0.25 * before) run->weight *= 10.0;
        before = apart;
    }
    run->end = "limits cannot be kept more exactly";
}

#endif
