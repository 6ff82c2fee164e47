/* cma_es.c - evolution with adaptation of the covariance matrix: a generation is one batch
 *
 * Hansen: The CMA evolution strategy: a tutorial, arXiv:1604.00772 (2016): names and constants are those of its figure 6. Points beyond the
 * ranges are evaluated at the nearest point of these, and count as worse by the square of their distance, which keeps the mean near the
 * ranges; where it was put back itself, its path would show steps that it has not made, and they would never become small. */
#include <tenon/author.h>
#include <tenon/kit/jacobi.h>
#include <tenon/kit/search_answers.h>

#define CMA_ES(P)           \
    TN_SEARCH_PARAMETERS(P) \
    P(INTEGER, population, 0, 0, 0, 100000, "cases of a generation; 0: 4 + 3 ln(d) for d variables")

TN_PARAMETERS(cma_es, CMA_ES)

typedef struct individual {
    double rank,
        beyond; /* HUGE_VAL where the case has failed; square of the distance from the ranges over sigma */
    uint32_t number;
} individual;

typedef struct evolution {
    tn_search_run *run;
    uint64_t
        stream; /* of random numbers of the first generation: in each round of the Lagrangian another one */
    uint32_t n, lambda, mu, generation;
    double sigma, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double *weight;                            /* [mu] */
    double *mean, *path_sigma, *path_c, *step; /* [n] */
    double *C, *B, *D, *work;                  /* covariance [n][n], its axes [n][n] and their lengths [n] */
    double *y, *point; /* [lambda][n] steps from the mean over sigma; points within the ranges */
    double *merit;     /* [lambda] */
    individual *order; /* [lambda] */
    uint32_t still;    /* generations whose values hardly differ */
} evolution;

static void set_constants(evolution *e)
{
    const double n = e->n;
    double sum = 0.0, squares = 0.0;
    for (uint32_t k = 0; k < e->mu; k++) {
        e->weight[k] = log(0.5 * (e->lambda + 1.0)) - log(k + 1.0);
        sum += e->weight[k];
    }
    for (uint32_t k = 0; k < e->mu; k++) {
        e->weight[k] /= sum;
        squares += e->weight[k] * e->weight[k];
    }
    e->mu_eff = 1.0 / squares;
    e->c_sigma = (e->mu_eff + 2.0) / (n + e->mu_eff + 5.0);
    e->d_sigma = 1.0 + 2.0 * fmax(0.0, sqrt((e->mu_eff - 1.0) / (n + 1.0)) - 1.0) + e->c_sigma;
    e->c_c = (4.0 + e->mu_eff / n) / (n + 4.0 + 2.0 * e->mu_eff / n);
    e->c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + e->mu_eff);
    e->c_mu =
        fmin(1.0 - e->c_1, 2.0 * (e->mu_eff - 2.0 + 1.0 / e->mu_eff) / ((n + 2.0) * (n + 2.0) + e->mu_eff));
    e->chi = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
}

/* A generation: y = B D z. Random numbers go by start, generation and number. */
static void sample_generation(evolution *e)
{
    const uint64_t seed = e->run->search->problem->seed;
    const uint64_t stream = e->stream + e->generation;
    for (uint32_t k = 0; k < e->lambda; k++) {
        double *y = e->y + (size_t)k * e->n, *point = e->point + (size_t)k * e->n;
        memset(y, 0, e->n * sizeof *y);
        for (uint32_t j = 0; j < e->n; j++) {
            const double length = e->D[j] * tn_random_normal(seed, stream, (uint64_t)k * e->n + j);
            for (uint32_t i = 0; i < e->n; i++)
                y[i] += e->B[(size_t)j * e->n + i] * length;
        }
        for (uint32_t i = 0; i < e->n; i++)
            point[i] = e->mean[i] + e->sigma * y[i];
        tn_search_clamp(e->run->search, point);
    }
}

static int compare(const void *a, const void *b)
{
    const individual *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->beyond != y->beyond) return x->beyond < y->beyond ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Spread of the values of a generation; infinite where it has less than two. */
static double spread_of(const evolution *e)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    uint32_t values = 0;
    for (uint32_t k = 0; k < e->lambda; k++) {
        if (!isfinite(e->merit[k])) continue;
        low = fmin(low, e->merit[k]), high = fmax(high, e->merit[k]);
        values++;
    }
    return values > 1 ? high - low : HUGE_VAL;
}

static double distance_beyond(const evolution *e, uint32_t k)
{
    const double *y = e->y + (size_t)k * e->n, *point = e->point + (size_t)k * e->n;
    double sum = 0.0;
    for (uint32_t i = 0; i < e->n; i++) {
        const double cut = (e->mean[i] + e->sigma * y[i] - point[i]) / e->sigma;
        sum += cut * cut;
    }
    return sum;
}

/* Best first, with a penalty for what was cut off; failed cases last, those first that are nearest to the ranges. */
static double rank_generation(evolution *e)
{
    const double spread = spread_of(e), unit = isfinite(spread) ? spread + 1e-300 : 1.0;
    for (uint32_t k = 0; k < e->lambda; k++) {
        const double beyond = distance_beyond(e, k);
        e->order[k] = (individual){e->merit[k] + unit * beyond / e->n, beyond, k};
    }
    qsort(e->order, e->lambda, sizeof *e->order, compare);
    return spread;
}

/* Paths and covariance from the mean step of the better half. */
static void adapt(evolution *e)
{
    const uint32_t n = e->n;
    memset(e->step, 0, n * sizeof *e->step);
    for (uint32_t k = 0; k < e->mu; k++)
        for (uint32_t i = 0; i < n; i++)
            e->step[i] += e->weight[k] * e->y[(size_t)e->order[k].number * n + i];
    const double keep = sqrt(e->c_sigma * (2.0 - e->c_sigma) * e->mu_eff);
    double norm = 0.0;
    for (uint32_t i = 0; i < n; i++)
        e->path_sigma[i] *= 1.0 - e->c_sigma;
    for (uint32_t j = 0; j < n; j++) { /* C^-1/2 step = B D^-1 B^T step */
        const double *axis = e->B + (size_t)j * n;
        double along = 0.0;
        for (uint32_t i = 0; i < n; i++)
            along += axis[i] * e->step[i];
        for (uint32_t i = 0; i < n; i++)
            e->path_sigma[i] += keep * axis[i] * along / e->D[j];
    }
    for (uint32_t i = 0; i < n; i++) {
        e->mean[i] += e->sigma * e->step[i];
        norm += e->path_sigma[i] * e->path_sigma[i];
    }
    norm = sqrt(norm);
    const double fresh = sqrt(1.0 - pow(1.0 - e->c_sigma, 2.0 * (e->generation + 1.0)));
    const bool moves = norm / fresh < (1.4 + 2.0 / (n + 1.0)) * e->chi;
    for (uint32_t i = 0; i < n; i++)
        e->path_c[i] = (1.0 - e->c_c) * e->path_c[i] +
                       (moves ? sqrt(e->c_c * (2.0 - e->c_c) * e->mu_eff) * e->step[i] : 0.0);
    const double lost = moves ? 0.0 : e->c_1 * e->c_c * (2.0 - e->c_c);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double *entry = &e->C[(size_t)i * n + j];
            *entry = (1.0 - e->c_1 - e->c_mu + lost) * *entry + e->c_1 * e->path_c[i] * e->path_c[j];
            for (uint32_t k = 0; k < e->mu; k++) {
                const double *y = e->y + (size_t)e->order[k].number * n;
                *entry += e->c_mu * e->weight[k] * y[i] * y[j];
            }
        }
    e->sigma *= exp(e->c_sigma / e->d_sigma * (norm / e->chi - 1.0));
}

/* Axes of the covariance: its singular vectors, as it is symmetric. */
static void find_axes(evolution *e)
{
    const size_t n = e->n;
    memcpy(e->work, e->C, n * n * sizeof *e->work);
    tn_jacobi_svd(e->n, e->n, e->work, e->D, e->B);
    for (size_t j = 0; j < n; j++)
        e->D[j] = sqrt(fmax(e->D[j], 1e-20 * e->D[0]));
}

static bool has_converged(evolution *e, double spread)
{
    const tn_search_settings *settings = &e->run->search->settings;
    double largest = 0.0;
    for (uint32_t i = 0; i < e->n; i++)
        largest = fmax(largest, e->sigma * sqrt(e->C[(size_t)i * e->n + i]));
    const double lowest = e->run->lowest;
    const bool is_small = spread <= settings->value_tolerance * tn_search_gain(e->run, lowest);
    const bool is_still = e->run->found && spread <= settings->value_tolerance * fabs(lowest);
    e->still = is_still ? e->still + 1 : 0;
    return (largest < settings->tolerance && is_small) || largest < 1e-3 * settings->tolerance ||
           e->still >= 10;
}

static bool evolve(evolution *e, double *x)
{
    memcpy(e->mean, x, e->n * sizeof *x);
    for (uint32_t i = 0; i < e->n; i++)
        e->C[(size_t)i * e->n + i] = 1.0;
    double best = HUGE_VAL;
    for (;; e->generation++) {
        find_axes(e);
        sample_generation(e);
        if (!tn_search_merits(e->run, e->lambda, e->point, e->merit)) return false;
        const double spread = rank_generation(e);
        for (uint32_t k = 0; k < e->lambda; k++)
            if (e->merit[k] < best) {
                best = e->merit[k];
                memcpy(x, e->point + (size_t)k * e->n, e->n * sizeof *x);
            }
        adapt(e);
        if (has_converged(e, spread)) return true;
    }
}

static size_t population_of(const cma_es *settings, const tn_design_problem *problem)
{
    return settings->population ? (size_t)settings->population
                                : 4 + (size_t)(3.0 * log(fmax(problem->variables, 1.0)));
}

static bool minimise(tn_search_run *run, double *x)
{
    const size_t n = run->search->problem->variables;
    const size_t lambda = population_of(run->search->instance, run->search->problem);
    double *memory = calloc(4 * n + 3 * n * n + n + 2 * lambda * n + 2 * lambda, sizeof *memory);
    evolution e = {.run = run,
                   .stream = (UINT64_C(3) << 61) + ((uint64_t)run->number << 40) + run->cases,
                   .n = (uint32_t)n,
                   .lambda = (uint32_t)lambda,
                   .mu = (uint32_t)lambda / 2,
                   .sigma = run->size,
                   .order = calloc(lambda, sizeof *e.order)};
    bool goes_on = false;
    if (memory && e.order) {
        e.mean = memory, e.path_sigma = e.mean + n, e.path_c = e.path_sigma + n, e.step = e.path_c + n;
        e.C = e.step + n, e.B = e.C + n * n, e.work = e.B + n * n, e.D = e.work + n * n;
        e.y = e.D + n, e.point = e.y + lambda * n, e.merit = e.point + lambda * n,
        e.weight = e.merit + lambda;
        set_constants(&e);
        goes_on = evolve(&e, x);
    } else {
        run->status = TN_OUT_OF_MEMORY;
        goes_on = tn_search_end(run, "out of memory");
    }
    free(memory);
    free(e.order);
    return goes_on;
}

static void cma_es_run(tn_search_run *run) { tn_search_within_limits(run, run->start, minimise); }

static tn_status cma_es_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                             void **self)
{
    const cma_es *settings = instance;
    if (settings->population && settings->population < 4)
        return tn_refuse(host, "population", "%lld cases are too few for a generation: 4 at least",
                         (long long)settings->population);
    tn_search_settings common = TN_SEARCH_SETTINGS(settings);
    common.at_once = (int64_t)population_of(settings, problem);
    return tn_search_open(host, instance, common, problem, false, cma_es_run, self);
}

/* What others call it. */
TN_SYNONYMS(cma_es, {"optimise", NULL, NULL}, {"optimize", NULL, NULL}, {"evolution", NULL, NULL},
            {"genetic", NULL, NULL}, {"genetic_algorithm", NULL, NULL}, {"soga", NULL, NULL},
            {"popsize", "population", NULL})

TN_DESIGN(
    cma_es,
    .summary = "evolution with adaptation of the covariance: many cases at a time, noise, many valleys",
    .formula =
        "x = m + sigma B D z, z normal; m, sigma and C = B D^2 B^T adapt to the better half of a generation",
    .literature = "Hansen: The CMA evolution strategy: a tutorial, arXiv:1604.00772, 2016\n"
                  "Nocedal, Wright: Numerical Optimization, 2nd ed., Springer, 2006, chapter 17 (limits)",
    .synonyms = cma_es_synonyms, .open = cma_es_open, .answer = tn_search_answer, TN_SEARCH_FUNCTIONS)
