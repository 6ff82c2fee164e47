/* morris.c - elementary effects: which variables matter at all, by few cases
 *
 * A trajectory goes from a point of the grid of p levels in steps of delta, one variable after the other in random order: d + 1 cases. */
#include "sample.h"

#define MORRIS(P)                                                                                         \
    P(INTEGER, trajectories, 0, 20, 2, 1e9, "trajectories of d + 1 cases each, for d variables")          \
    P(INTEGER, levels, 0, 4, 2, 1000,                                                                     \
      "of the grid; even. Of a variable without bounds, or with a list, they are the middles of as many " \
      "strata of the same probability")

TN_PARAMETERS(morris, MORRIS)

/* Streams of random numbers of a trajectory. */
enum { BASE, DIRECTION, ORDER, STREAMS };

/* What a trajectory is made of. */
typedef struct trajectory {
    uint32_t *order; /* [variables] the variable that moves in each step */
    double *base;    /* [variables] lower level of each variable, as a number of levels */
    uint8_t *falls;  /* [variables] 1: it begins at the upper level */
} trajectory;

static void make_trajectory(const sample *self, uint64_t number, trajectory *made)
{
    const uint64_t seed = self->problem->seed, half = (uint64_t)((const morris *)self->settings)->levels / 2;
    const uint64_t stream = number * STREAMS;
    for (uint32_t i = 0; i < self->problem->variables; i++) {
        made->base[i] = (double)tn_random_below(seed, stream + BASE, i, half);
        made->falls[i] = (uint8_t)tn_random_below(seed, stream + DIRECTION, i, 2);
        const uint32_t j = (uint32_t)tn_random_below(seed, stream + ORDER, i, i + 1);
        made->order[i] = made->order[j];
        made->order[j] = i;
    }
}

static double coordinate(const sample *self, uint32_t variable, double level)
{
    const double levels = (double)((const morris *)self->settings)->levels;
    const tn_design_variable *of = &self->problem->variable[variable];
    return of->bounded && !of->levels ? level / (levels - 1.0) : (level + 0.5) / levels;
}

/* How far half as many levels as there are lead from a level: of a list as a share of the way from its first to its last value. */
static double step_of(const sample *self, uint32_t variable, double base)
{
    const double half = 0.5 * (double)((const morris *)self->settings)->levels;
    const double lower = coordinate(self, variable, base), upper = coordinate(self, variable, base + half);
    const uint32_t values = self->problem->variable[variable].levels;
    if (values == 0) return upper - lower;
    return values > 1 ? (floor(upper * values) - floor(lower * values)) / (values - 1.0) : 1.0;
}

static void morris_point(const sample *self, uint64_t number, double *u)
{
    const uint32_t variables = self->problem->variables;
    const double half = 0.5 * (double)((const morris *)self->settings)->levels;
    trajectory *path = self->data;
    make_trajectory(self, number / (variables + 1u), path);
    const uint64_t steps = number % (variables + 1u);
    for (uint32_t k = 0; k < variables; k++) {
        const uint32_t i = path->order[k];
        const bool upper = (path->falls[i] != 0) != (k < steps);
        u[i] = coordinate(self, i, path->base[i] + (upper ? half : 0.0));
    }
}

static tn_status morris_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                             void **self)
{
    const morris *settings = instance;
    const uint32_t variables = problem->variables;
    if (variables == 0) return tn_refuse(host, NULL, "there are no variables that could have effects");
    if (settings->levels % 2)
        return tn_refuse(host, "levels", "%lld levels: an even number is expected, so that each is as likely",
                         (long long)settings->levels);
    sample *made = NULL;
    const tn_status status = tn_sample_open(
        host, instance, problem, (uint64_t)settings->trajectories * (variables + 1u), morris_point, &made);
    *self = made;
    if (status != TN_OK) return status;
    made->keeps = true;
    trajectory *path = made->data = tn_sample_memory(host, 1, sizeof *path);
    if (!path) return TN_OUT_OF_MEMORY;
    *path = (trajectory){.order = tn_sample_memory(host, variables, sizeof *path->order),
                         .base = tn_sample_memory(host, variables, sizeof *path->base),
                         .falls = tn_sample_memory(host, variables, sizeof *path->falls)};
    return path->order && path->base && path->falls ? TN_OK : TN_OUT_OF_MEMORY;
}

/* ---- effects ---------------------------------------------------------------------------------------------------- */

typedef struct sums {
    double effect, size, square;
    uint64_t count;
} sums;

/* From one case to the next; of a response with many numbers the root of the mean square of its differences. */
static double effect_of(const tn_design_response *response, const double *before, const double *after,
                        double step)
{
    if (response->size == 1) return (after[response->first] - before[response->first]) / step;
    double sum = 0.0;
    for (uint32_t k = response->first; k < response->first + response->size; k++)
        sum += (after[k] - before[k]) * (after[k] - before[k]);
    return sqrt(sum / response->size) / fabs(step);
}

static void add_effect(sums *to, double effect)
{
    to->effect += effect, to->size += fabs(effect), to->square += effect * effect, to->count++;
}

/* Sums [variables] of a response. */
static void add_effects(const sample *self, const tn_design_response *response, sums *sum)
{
    const uint32_t variables = self->problem->variables, numbers = self->problem->numbers;
    trajectory *path = self->data;
    for (uint64_t t = 0; t < self->count / (variables + 1u); t++) {
        make_trajectory(self, t, path);
        for (uint32_t k = 0; k < variables; k++) {
            const uint64_t before = t * (variables + 1u) + k;
            if (!self->done[before] || !self->done[before + 1]) continue;
            const uint32_t i = path->order[k];
            const double rise = step_of(self, i, path->base[i]), step = path->falls[i] ? -rise : rise;
            add_effect(&sum[i], effect_of(response, self->kept + before * numbers,
                                          self->kept + (before + 1) * numbers, step));
        }
    }
}

static double deviation(double sum, double squares, double count)
{
    return count > 1.0 ? sqrt(fmax(squares - sum * sum / count, 0.0) / (count - 1.0)) : (double)NAN;
}

static tn_status answer_variable(tn_design_answers *answers, uint32_t response, const char *unit, uint32_t i,
                                 const sums *sum)
{
    const double count = (double)sum->count, size = sum->size / count;
    const double error = 1.96 * deviation(sum->size, sum->square, count) / sqrt(count);
    const double spread = deviation(sum->effect, sum->square, count);
    tn_answer list[] = {tn_answer_about("mu*", response, i, size, unit),
                        tn_answer_about("mu", response, i, sum->effect / count, unit),
                        tn_answer_about("sigma", response, i, spread, unit)};
    list[0].low = size - error, list[0].high = size + error;
    tn_status status = TN_OK;
    for (size_t k = 0; k < sizeof list / sizeof list[0] && status == TN_OK; k++)
        status = answers->add(answers, &list[k]);
    return status;
}

static tn_status say_lost_effects(const sample *self, tn_design_answers *answers)
{
    const uint64_t variables = self->problem->variables;
    uint64_t lost = 0, failed = 0, all = self->count / (variables + 1) * variables;
    for (uint64_t k = 0; k < self->count; k++) {
        failed += !self->done[k];
        lost += (k + 1) % (variables + 1) && !(self->done[k] && self->done[k + 1]);
    }
    if (!failed) return TN_OK;
    return tn_answer_say(answers, TN_WARNING,
                         "%llu of %llu cases have no result: %llu of %llu effects are left out",
                         (unsigned long long)failed, (unsigned long long)self->count,
                         (unsigned long long)lost, (unsigned long long)all);
}

static tn_status morris_answer(const void *self, tn_design_answers *answers)
{
    const sample *all = self;
    const tn_design_problem *problem = all->problem;
    if (!all->done) return TN_OK;
    tn_status status = say_lost_effects(all, answers);
    sums *sum = tn_sample_memory(all->host, problem->variables, sizeof *sum);
    if (!sum) return TN_OUT_OF_MEMORY;
    for (uint32_t r = 0; r < problem->responses && status == TN_OK; r++) {
        memset(sum, 0, problem->variables * sizeof *sum);
        add_effects(all, &problem->response[r], sum);
        for (uint32_t i = 0; i < problem->variables && status == TN_OK; i++)
            status = sum[i].count ? answer_variable(answers, r, problem->response[r].unit, i, &sum[i])
                                  : tn_answer_say(answers, TN_WARNING, "no effect of \"%s\" is known",
                                                  problem->variable[i].name);
    }
    return status;
}

/* What others call it. */
TN_SYNONYMS(morris, {"elementary_effects", NULL, NULL}, {"screening", NULL, NULL},
            {"psuade_moat", NULL, NULL})

TN_DESIGN(morris, .summary = "elementary effects: which variables matter, by few cases (Morris)",
          .formula = "EE_i = (y(u + delta e_i) - y(u))/delta,  delta = p/(2 (p - 1)) for p levels\n"
                     "mu* = mean |EE|,  mu = mean EE,  sigma = standard deviation of EE",
          .literature =
              "Morris: Factorial sampling plans for preliminary computational experiments, "
              "Technometrics 33 (1991) 161-174\n"
              "Campolongo, Cariboni, Saltelli: An effective screening design for sensitivity analysis "
              "of large models, Environ. Model. Softw. 22 (2007) 1509-1518",
          .synonyms = morris_synonyms, .open = morris_open, .answer = morris_answer, SAMPLE_FUNCTIONS)
