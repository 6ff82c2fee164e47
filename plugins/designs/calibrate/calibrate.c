/* calibrate.c - variables that bring responses closest to measured data */
#include "calibrate.h"

#define CALIBRATE(P)                                                                                        \
    TN_START_PARAMETERS(P)                                                                                  \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-6, 0.0, 0.1,                                                    \
      "a start ends where a step is shorter than this share of the range of each variable")                 \
    P(REAL, difference, "", TN_ABOVE_LOW, 1e-3, 0.0, 0.1,                                                   \
      "of the two points from which a derivative follows, to either side, as a share of the range")         \
    P(CHOICE, noise, "from_misfit|as_given", 0, 0,                                                          \
      "standard deviations of the data: those given, times what the misfit says of them; or exactly those " \
      "given")

TN_PARAMETERS(calibrate, CALIBRATE)

enum { FROM_MISFIT };

static double sum_of_squares(const tn_search *search, const double *number)
{
    const calibration *all = (const calibration *)search;
    double sum = 0.0;
    for (uint32_t k = 0; k < all->data; k++)
        sum += number[all->number[k]] * number[all->number[k]];
    return sum;
}

static tn_status find_data(calibration *all)
{
    const tn_design_problem *problem = all->search.problem;
    const tn_host *host = all->search.host;
    all->number = tn_search_memory(&all->search, problem->numbers, sizeof *all->number);
    if (!all->number) return TN_OUT_OF_MEMORY;
    for (uint32_t r = 0; r < problem->responses; r++) {
        const tn_design_response *response = &problem->response[r];
        for (uint32_t k = 0; k < response->size && response->is_data; k++)
            all->number[all->data++] = response->first + k;
        if (response->limited != TN_NO_LIMIT)
            tn_say(host, TN_WARNING, "calibrate: the limit of \"%s\" is not kept: a calibration has none",
                   response->name);
    }
    if (all->data == 0)
        return tn_refuse(host, NULL, "no response is compared with measured data: give one `data`");
    if (all->data < problem->variables)
        return tn_refuse(host, NULL, "%u measured numbers cannot determine %u variables", all->data,
                         problem->variables);
    return TN_OK;
}

static tn_status make_fits(calibration *all)
{
    const tn_search *search = &all->search;
    const uint64_t starts = (uint64_t)search->settings.starts, n = search->problem->variables;
    all->fit = tn_search_memory(search, starts, sizeof *all->fit);
    for (uint64_t k = 0; k < starts && all->fit; k++) {
        fit *one = &all->fit[k];
        *one = (fit){.x = tn_search_memory(search, n, sizeof *one->x),
                     .residual = tn_search_memory(search, all->data, sizeof *one->residual),
                     .jacobian = tn_search_memory(search, n * all->data, sizeof *one->jacobian),
                     .singular = tn_search_memory(search, n, sizeof *one->singular),
                     .axis = tn_search_memory(search, n * n, sizeof *one->axis),
                     .free = tn_search_memory(search, n, sizeof *one->free)};
        if (!one->x || !one->residual || !one->jacobian || !one->singular || !one->axis || !one->free)
            return TN_OUT_OF_MEMORY;
    }
    return all->fit ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status calibrate_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                                void **self)
{
    const calibrate *settings = instance;
    const int64_t n = problem->variables;
    calibration *all = *self = host->allocate(host, sizeof *all);
    if (!all) return TN_OUT_OF_MEMORY;
    *all = (calibration){.search = {.host = host,
                                    .problem = problem,
                                    .settings = {.starts = settings->starts,
                                                 .most_cases = settings->most_cases,
                                                 .tolerance = settings->tolerance,
                                                 .at_once = 1 + 2 * n + CALIBRATE_TRIALS},
                                    .instance = instance,
                                    .sign = 1.0,
                                    .algorithm = tn_calibrate_run,
                                    .value = sum_of_squares},
                         .difference = settings->difference,
                         .from_misfit = settings->noise == FROM_MISFIT};
    tn_status status = find_data(all);
    if (status == TN_OK) status = tn_search_bounds(&all->search, false);
    if (status == TN_OK) status = make_fits(all);
    return status == TN_OK ? tn_search_begin(&all->search) : status;
}

/* What others call it. */
TN_SYNONYMS(calibrate, {"calibration", NULL, NULL}, {"fit", NULL, NULL}, {"least_squares", NULL, NULL},
            {"levenberg_marquardt", NULL, NULL}, {"lm", NULL, NULL}, {"nl2sol", NULL, NULL},
            {"parameter_estimation", NULL, NULL})

TN_DESIGN(
    calibrate, .summary = "calibration: variables that bring responses closest to measured data",
    .formula =
        "minimise sum of r_k^2, r = (response - data)/standard deviation, by steps\n"
        "(J^T J + lambda I) s = -J^T r;  covariance (J^T J)^-1, times sum r^2/(N - d) with `from_misfit`",
    .literature = "Marquardt: An algorithm for least-squares estimation of nonlinear parameters, J. SIAM 11 "
                  "(1963) 431-441\n"
                  "Nocedal, Wright: Numerical Optimization, 2nd ed., Springer, 2006, chapter 10\n"
                  "Bard: Nonlinear Parameter Estimation, Academic Press, 1974, chapter 7",
    .synonyms = calibrate_synonyms, .open = calibrate_open, .answer = tn_calibrate_answer,
    TN_SEARCH_FUNCTIONS)

TN_LIBRARY("calibrate", "1.0.0", "Apache-2.0", "calibration against measured data",
           {TN_DESIGN_KIND, &calibrate_type})
