/* nlopt.c - algorithms of NLopt: each start calls NLopt on a thread of its own, and is called back for values */
#include <tenon/author.h>
#include <tenon/kit/search_answers.h>
#include <tenon/kit/search_slopes.h>

#include <nlopt.h>

#define ALGORITHMS "cobyla|bobyqa|slsqp|direct_l|crs2|isres"
enum { COBYLA, BOBYQA, SLSQP, DIRECT_L, CRS2, ISRES };

#define NLOPT(P)                                                                                           \
    TN_OBJECTIVE_PARAMETERS(P)                                                                             \
    P(CHOICE, algorithm, ALGORITHMS, 0, COBYLA,                                                            \
      "local: cobyla, bobyqa, slsqp (derivatives); over the whole ranges: direct_l, crs2, isres")          \
    P(REAL, size, "", TN_ABOVE_LOW, 0.1, 0.0, 0.5,                                                         \
      "of the first steps, as a share of the range of a variable")                                         \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-5, 0.0, 0.1,                                                   \
      "length of a step, as a share of the range of each variable, at which a start ends")                 \
    P(REAL, value_tolerance, "", 0, 1e-10, 0.0, 0.1, "or change of the value by a step, as a share of it") \
    P(REAL, difference, "", TN_ABOVE_LOW, 1e-4, 0.0, 0.1,                                                  \
      "slsqp: of the two points from which a derivative follows, to either side, as a share of the range")

TN_PARAMETERS(nlopt, NLOPT)

static const struct {
    nlopt_algorithm algorithm;
    bool keeps_limits, is_global, uses_slopes;
    uint32_t least; /* variables */
} algorithms[] = {[COBYLA] = {NLOPT_LN_COBYLA, .keeps_limits = true, .least = 1},
                  [BOBYQA] = {NLOPT_LN_BOBYQA, .least = 2},
                  [SLSQP] = {NLOPT_LD_SLSQP, .keeps_limits = true, .uses_slopes = true, .least = 1},
                  [DIRECT_L] = {NLOPT_GN_DIRECT_L, .is_global = true, .least = 1},
                  [CRS2] = {NLOPT_GN_CRS2_LM, .is_global = true, .least = 1},
                  [ISRES] = {NLOPT_GN_ISRES, .is_global = true, .keeps_limits = true, .least = 1}};

/* One start. NLopt asks for the value and for the limits one after the other: what has come of the last point is kept. */
typedef struct callback {
    tn_search_run *run;
    const nlopt *settings;
    nlopt_opt opt;
    uint32_t n, limits;
    bool known, has_slopes, stopped, stalled;
    uint32_t repeats;     /* calls since the last case: NLopt may ask for the same point for ever */
    double *x;            /* [n] the last point */
    double *inside;       /* [n] within the ranges */
    double *point;        /* [2 n + 1][n] */
    double *slope;        /* [n] */
    double *excess;       /* [limits] */
    double *excess_slope; /* [limits][n] */
    double value;
} callback;

static void keep_slopes(callback *c)
{
    const tn_search_quantity quantity = c->limits ? tn_search_value_quantity : tn_search_merit_quantity;
    for (uint32_t i = 0; i < c->n; i++) {
        c->slope[i] = tn_search_slope(c->run, c->point, i, quantity, 0);
        for (uint32_t j = 0; j < c->limits; j++)
            c->excess_slope[(size_t)j * c->n + i] =
                tn_search_slope(c->run, c->point, i, tn_search_excess_quantity, j);
    }
}

/* Calls at the same point after which a start is taken to have converged. */
enum { MOST_REPEATS = 1000 };

static bool stop(callback *c)
{
    c->stopped = true;
    nlopt_force_stop(c->opt);
    return false;
}

/* Runs the cases of x where its values, or with `slopes` its derivatives, are not known; false: NLopt is to end. */
static bool evaluate(callback *c, const double *x, bool slopes)
{
    if (c->stopped) return false;
    if (c->known && (c->has_slopes || !slopes) && !memcmp(c->x, x, c->n * sizeof *x)) {
        c->stalled = ++c->repeats > MOST_REPEATS;
        return c->stalled ? stop(c) : true;
    }
    c->repeats = 0;
    memcpy(c->x, x, c->n * sizeof *x);
    memcpy(c->inside, x, c->n * sizeof *x);
    tn_search_clamp(c->run->search, c->inside);
    const bool goes_on = slopes
                             ? tn_search_evaluate_around(c->run, c->inside, c->settings->difference, c->point)
                             : tn_search_evaluate(c->run, 1, c->inside);
    c->known = goes_on;
    c->has_slopes = slopes;
    if (!goes_on) return stop(c);
    const bool done = c->run->done[0];
    if (!c->run->found && !algorithms[c->settings->algorithm].is_global) {
        (void)tn_search_end(c->run, TN_START_HAS_NO_RESULT);
        return stop(c);
    }
    c->value = done ? (c->limits ? c->run->value[0] : tn_search_merit(c->run, 0)) : tn_search_worse(c->run);
    for (uint32_t j = 0; j < c->limits; j++)
        c->excess[j] = done ? c->run->excess[j] : tn_search_worse_excess(c->run);
    if (slopes) keep_slopes(c);
    return true;
}

static double objective(unsigned n, const double *x, double *gradient, void *data)
{
    callback *c = data;
    if (!evaluate(c, x, gradient != NULL)) {
        if (gradient) memset(gradient, 0, n * sizeof *gradient);
        return tn_search_worse(c->run);
    }
    if (gradient) memcpy(gradient, c->slope, n * sizeof *gradient);
    return c->value;
}

static void limits(unsigned m, double *result, unsigned n, const double *x, double *gradient, void *data)
{
    callback *c = data;
    const bool goes_on = evaluate(c, x, gradient != NULL);
    for (unsigned j = 0; j < m; j++)
        result[j] = goes_on ? c->excess[j] : 1.0;
    if (!gradient) return;
    memset(gradient, 0, (size_t)m * n * sizeof *gradient);
    if (goes_on) memcpy(gradient, c->excess_slope, (size_t)m * n * sizeof *gradient);
}

/* In rounds of the Lagrangian an algorithm that ends by the number of cases alone gets a part of them, in the last one all. */
enum { GLOBAL_ROUNDS = 10 };

static nlopt_result set_up(callback *c, const double *tolerance)
{
    const nlopt *settings = c->settings;
    const tn_search *search = c->run->search;
    nlopt_result result = nlopt_set_lower_bounds(c->opt, search->low);
    if (result > 0) result = nlopt_set_upper_bounds(c->opt, search->high);
    if (result > 0) result = nlopt_set_min_objective(c->opt, objective, c);
    if (result > 0 && c->limits)
        result = nlopt_add_inequality_mconstraint(c->opt, c->limits, limits, c, tolerance);
    if (result > 0) result = nlopt_set_xtol_abs1(c->opt, settings->tolerance);
    if (result > 0) result = nlopt_set_ftol_rel(c->opt, settings->value_tolerance);
    if (result > 0) result = nlopt_set_initial_step1(c->opt, c->run->size);
    if (result > 0 && algorithms[settings->algorithm].is_global && search->limits && !c->limits &&
        !c->run->takes_all)
        result = nlopt_set_maxeval(c->opt, 1 + (int)fmin((double)c->run->most / GLOBAL_ROUNDS, 1e9));
    return result;
}

static bool minimise_with(callback *c, double *x)
{
    double *tolerance = calloc(c->limits + 1u, sizeof *tolerance), value = 0.0;
    nlopt_result result = tolerance ? NLOPT_SUCCESS : NLOPT_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < c->limits && tolerance; j++)
        tolerance[j] = 0.5 * TN_LIMIT_TOLERANCE;
    if (result > 0) result = set_up(c, tolerance);
    if (result > 0) {
        tn_search_clamp(c->run->search, x);
        result = nlopt_optimize(c->opt, x, &value);
    }
    free(tolerance);
    if (c->stopped && !c->stalled) return false; /* the run has said why */
    c->run->halt = c->stalled || result == NLOPT_ROUNDOFF_LIMITED ? "NLopt makes no more progress" : NULL;
    c->run->cut = result == NLOPT_MAXEVAL_REACHED;
    if (c->stalled) return true;
    if (result == NLOPT_OUT_OF_MEMORY) c->run->status = TN_OUT_OF_MEMORY;
    if (result > 0 || result == NLOPT_ROUNDOFF_LIMITED) return true;
    return tn_search_end(c->run, result == NLOPT_OUT_OF_MEMORY ? "out of memory" : "NLopt has failed");
}

static bool minimise(tn_search_run *run, double *x)
{
    const tn_search *search = run->search;
    const nlopt *settings = search->instance;
    const size_t n = search->problem->variables;
    const size_t m = algorithms[settings->algorithm].keeps_limits ? search->limits : 0;
    double *memory = calloc(2 * n + (2 * n + 1) * n + n + m + m * n, sizeof *memory);
    callback c = {.run = run,
                  .settings = settings,
                  .n = (uint32_t)n,
                  .limits = (uint32_t)m,
                  .opt = nlopt_create(algorithms[settings->algorithm].algorithm, (unsigned)n),
                  .x = memory};
    bool goes_on = false;
    if (memory && c.opt) {
        c.inside = c.x + n;
        c.point = c.inside + n;
        c.slope = c.point + (2 * n + 1) * n;
        c.excess = c.slope + n;
        c.excess_slope = c.excess + m;
        nlopt_srand((unsigned long)tn_random_bits(search->problem->seed, UINT64_C(5) << 60, run->number));
        goes_on = minimise_with(&c, x);
    } else {
        run->status = TN_OUT_OF_MEMORY;
        goes_on = tn_search_end(run, "out of memory");
    }
    nlopt_destroy(c.opt);
    free(memory);
    return goes_on;
}

/* Algorithms that keep limits by themselves do without the Lagrangian, whose weight of 0 is none. */
static void nlopt_run(tn_search_run *run)
{
    const nlopt *settings = run->search->instance;
    if (!algorithms[settings->algorithm].keeps_limits)
        tn_search_within_limits(run, run->start, minimise);
    else if (minimise(run, run->start))
        tn_search_conclude(run);
}

static tn_status nlopt_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                            void **self)
{
    const nlopt *settings = instance;
    if (problem->variables < algorithms[settings->algorithm].least)
        return tn_refuse(host, "algorithm", "this algorithm needs %u variables at least, and there is %u",
                         algorithms[settings->algorithm].least, problem->variables);
    if (settings->algorithm == DIRECT_L && settings->starts > 1)
        return tn_refuse(host, "starts",
                         "direct_l divides the whole ranges: it has no start, and %lld would be alike",
                         (long long)settings->starts);
    tn_search_settings common = TN_SEARCH_SETTINGS(settings);
    if (algorithms[settings->algorithm].uses_slopes) common.at_once = 2 * (int64_t)problem->variables + 1;
    return tn_search_open(host, instance, common, problem, algorithms[settings->algorithm].is_global,
                          nlopt_run, self);
}

/* What others call it. */
TN_SYNONYMS(nlopt, {"optimise", NULL, NULL}, {"optimize", NULL, NULL},
            {"cobyla", NULL, "algorithm = \"cobyla\""}, {"bobyqa", NULL, "algorithm = \"bobyqa\""},
            {"slsqp", NULL, "algorithm = \"slsqp\""}, {"direct_l", NULL, "algorithm = \"direct_l\""},
            {"crs2", NULL, "algorithm = \"crs2\""}, {"isres", NULL, "algorithm = \"isres\""},
            {"nlopt:cobyla", NULL, "algorithm = \"cobyla\""},
            {"nlopt:bobyqa", NULL, "algorithm = \"bobyqa\""}, {"nlopt:slsqp", NULL, "algorithm = \"slsqp\""},
            {"nlopt:direct_l", NULL, "algorithm = \"direct_l\""},
            {"nlopt:crs2", NULL, "algorithm = \"crs2\""}, {"nlopt:isres", NULL, "algorithm = \"isres\""},
            {"direct", NULL, "algorithm = \"direct_l\""}, {"sqp", NULL, "algorithm = \"slsqp\""})

TN_DESIGN(
    nlopt, .summary = "searches of NLopt: COBYLA, BOBYQA, SLSQP, DIRECT-L, CRS2, ISRES",
    .formula = "minimise y(u), g_j(u) <= 0, 0 <= u_i <= 1",
    .literature =
        "Johnson: The NLopt nonlinear-optimization package, https://github.com/stevengj/nlopt\n"
        "Powell: A direct search optimization method that models the objective and constraint functions "
        "by linear interpolation, Kluwer, 1994 (COBYLA)\n"
        "Powell: The BOBYQA algorithm for bound constrained optimization without derivatives, NA2009/06, "
        "Cambridge, 2009\n"
        "Kraft: Algorithm 733: TOMP, ACM Trans. Math. Softw. 20 (1994) 262-281 (SLSQP)\n"
        "Gablonsky, Kelley: A locally-biased form of the DIRECT algorithm, J. Global Optim. 21 (2001) "
        "27-37\n"
        "Kaelo, Ali: Some variants of the controlled random search algorithm, J. Optim. Theory Appl. "
        "130 (2006) 253-264\n"
        "Runarsson, Yao: Search biases in constrained evolutionary optimization, IEEE Trans. Syst. Man "
        "Cybern. C 35 (2005) 233-243 (ISRES)",
    .synonyms = nlopt_synonyms, .open = nlopt_open, .answer = tn_search_answer, TN_SEARCH_FUNCTIONS)

TN_LIBRARY("nlopt", "1.0.0", "LGPL-2.1-or-later",
           "searches of NLopt, which is MIT, with parts (Luksan) under the LGPL in the same library",
           {TN_DESIGN_KIND, &nlopt_type})
