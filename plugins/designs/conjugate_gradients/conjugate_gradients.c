/* conjugate_gradients.c - conjugate gradients and BFGS of the GNU Scientific Library, with derivatives by a batch of cases
 *
 * GSL knows no ranges: it works on angles y, u = low + (high - low) (1 + sin y)/2. */
#include <tenon/author.h>
#include <tenon/kit/gsl_errors.h>
#include <tenon/kit/search_answers.h>
#include <tenon/kit/search_slopes.h>

#include <gsl/gsl_multimin.h>

#define CONJUGATE_GRADIENTS(P)                                    \
    TN_SEARCH_PARAMETERS(P)                                       \
    P(CHOICE, method, "polak_ribiere|fletcher_reeves|bfgs", 0, 0, \
      "how a direction follows from the one before")              \
    P(REAL, difference, "", TN_ABOVE_LOW, 1e-4, 0.0, 0.1,         \
      "of the two points from which a derivative follows, to either side, as a share of the range")

TN_PARAMETERS(conjugate_gradients, CONJUGATE_GRADIENTS)

/* A start at an end of a range, where u does not change with y, begins this far inside. */
#define INSIDE 1e-3
#define LINE_SEARCH 0.1

typedef struct descent {
    tn_search_run *run;
    double difference;
    bool stopped;
    double *x, *before; /* [variables] */
    double *point;      /* [2 variables + 1][variables] */
} descent;

static void to_point(const descent *d, const gsl_vector *y, double *x)
{
    const tn_search *search = d->run->search;
    for (uint32_t i = 0; i < search->problem->variables; i++)
        x[i] = search->low[i] + 0.5 * (search->high[i] - search->low[i]) * (1.0 + sin(gsl_vector_get(y, i)));
    tn_search_clamp(search, x);
}

static double merit_of(const descent *d)
{
    return d->run->done[0] ? tn_search_merit(d->run, 0) : tn_search_worse(d->run);
}

static double value_at(const gsl_vector *y, void *data)
{
    descent *d = data;
    to_point(d, y, d->x);
    if (d->stopped || !tn_search_evaluate(d->run, 1, d->x)) {
        d->stopped = true;
        return (double)NAN;
    }
    return merit_of(d);
}

static void value_and_slopes_at(const gsl_vector *y, void *data, double *value, gsl_vector *slope)
{
    descent *d = data;
    const tn_search *search = d->run->search;
    *value = (double)NAN;
    gsl_vector_set_zero(slope);
    to_point(d, y, d->x);
    if (d->stopped || !tn_search_evaluate_around(d->run, d->x, d->difference, d->point)) {
        d->stopped = true;
        return;
    }
    *value = merit_of(d);
    for (uint32_t i = 0; i < search->problem->variables; i++)
        gsl_vector_set(slope, i,
                       0.5 * (search->high[i] - search->low[i]) * cos(gsl_vector_get(y, i)) *
                           tn_search_slope(d->run, d->point, i, tn_search_merit_quantity, 0));
}

static void slopes_at(const gsl_vector *y, void *data, gsl_vector *slope)
{
    double value;
    value_and_slopes_at(y, data, &value, slope);
}

static double moved(const descent *d)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < d->run->search->problem->variables; i++)
        largest = fmax(largest, fabs(d->x[i] - d->before[i]));
    return largest;
}

/* Until a step and its gain are small, or GSL makes no more progress; false: the study ends. */
static bool iterate(descent *d, gsl_multimin_fdfminimizer *minimizer)
{
    const tn_search_settings *settings = &d->run->search->settings;
    const size_t bytes = d->run->search->problem->variables * sizeof *d->x;
    double value = minimizer->f;
    for (;;) {
        to_point(d, minimizer->x, d->before);
        const int code = gsl_multimin_fdfminimizer_iterate(minimizer);
        if (d->stopped) return false;
        to_point(d, minimizer->x, d->x);
        const double gain = value - minimizer->f, step = moved(d);
        value = minimizer->f;
        d->run->halt = code ? "GSL makes no more progress" : NULL;
        if (code ||
            (step < settings->tolerance && gain <= settings->value_tolerance * tn_search_gain(d->run, value)))
            return true;
        memcpy(d->before, d->x, bytes);
    }
}

static bool descend(descent *d, double *x, gsl_multimin_fdfminimizer *minimizer, gsl_vector *y)
{
    const tn_search *search = d->run->search;
    const size_t n = search->problem->variables;
    gsl_multimin_function_fdf function = {
        .f = value_at, .df = slopes_at, .fdf = value_and_slopes_at, .n = n, .params = d};
    for (size_t i = 0; i < n; i++) {
        const double share = (x[i] - search->low[i]) / (search->high[i] - search->low[i]);
        gsl_vector_set(y, i, asin(2.0 * fmin(fmax(share, INSIDE), 1.0 - INSIDE) - 1.0));
    }
    bool goes_on =
        gsl_multimin_fdfminimizer_set(minimizer, &function, y, 2.0 * d->run->size, LINE_SEARCH) == 0 &&
        !d->stopped;
    if (goes_on && !d->run->found) goes_on = tn_search_end(d->run, TN_START_HAS_NO_RESULT);
    if (goes_on) goes_on = iterate(d, minimizer);
    to_point(d, minimizer->x, x);
    return goes_on;
}

static bool minimise(tn_search_run *run, double *x)
{
    const conjugate_gradients *settings = run->search->instance;
    const gsl_multimin_fdfminimizer_type *const types[] = {gsl_multimin_fdfminimizer_conjugate_pr,
                                                           gsl_multimin_fdfminimizer_conjugate_fr,
                                                           gsl_multimin_fdfminimizer_vector_bfgs2};
    const size_t n = run->search->problem->variables;
    double *memory = calloc(2 * n + (2 * n + 1) * n, sizeof *memory);
    descent d = {.run = run, .difference = settings->difference, .x = memory};
    bool goes_on = false;
    tn_gsl_enter();
    gsl_multimin_fdfminimizer *minimizer = gsl_multimin_fdfminimizer_alloc(types[settings->method], n);
    gsl_vector *y = gsl_vector_alloc(n);
    if (memory && minimizer && y) {
        d.before = d.x + n, d.point = d.before + n;
        goes_on = descend(&d, x, minimizer, y);
    } else {
        run->status = TN_OUT_OF_MEMORY;
        goes_on = tn_search_end(run, "out of memory");
    }
    if (y) gsl_vector_free(y);
    if (minimizer) gsl_multimin_fdfminimizer_free(minimizer);
    tn_gsl_leave();
    free(memory);
    return goes_on;
}

static void conjugate_gradients_run(tn_search_run *run)
{
    tn_search_within_limits(run, run->start, minimise);
}

static tn_status conjugate_gradients_open(const tn_host *host, const void *instance,
                                          const tn_design_problem *problem, void **self)
{
    tn_search_settings settings = TN_SEARCH_SETTINGS((const conjugate_gradients *)instance);
    settings.at_once = 2 * (int64_t)problem->variables + 1;
    return tn_search_open(host, instance, settings, problem, false, conjugate_gradients_run, self);
}

/* What others call it. */
TN_SYNONYMS(conjugate_gradients, {"optimise", NULL, NULL}, {"optimize", NULL, NULL},
            {"bfgs", NULL, "method = \"bfgs\""}, {"fletcher_reeves", NULL, "method = \"fletcher_reeves\""},
            {"polak_ribiere", NULL, "method = \"polak_ribiere\""},
            {"conmin_frcg", NULL, "method = \"fletcher_reeves\""}, {"gradients", NULL, NULL})

TN_DESIGN(
    conjugate_gradients, .summary = "conjugate gradients or BFGS of GSL: smooth responses, many variables",
    .formula = "derivatives (y(u + h e_i) - y(u - h e_i))/(2 h), 2 d + 1 cases as one batch",
    .literature = "Galassi et al.: GNU Scientific Library Reference Manual, 3rd ed., 2009, chapter "
                  "Multidimensional Minimization\n"
                  "Fletcher: Practical Methods of Optimization, 2nd ed., Wiley, 1987, sections 2.6 and 4.1\n"
                  "Nocedal, Wright: Numerical Optimization, 2nd ed., Springer, 2006, chapter 17 (limits)",
    .synonyms = conjugate_gradients_synonyms, .open = conjugate_gradients_open, .answer = tn_search_answer,
    TN_SEARCH_FUNCTIONS)

TN_LIBRARY("conjugate_gradients", "1.0.0", "GPL-3.0-or-later",
           "searches along gradients, of the GNU Scientific Library",
           {TN_DESIGN_KIND, &conjugate_gradients_type})
