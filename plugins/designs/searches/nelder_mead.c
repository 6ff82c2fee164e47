/* nelder_mead.c - the simplex of Nelder and Mead, with the coefficients of Gao and Han for many variables */
#include <tenon/author.h>
#include <tenon/kit/search_answers.h>

#define NELDER_MEAD(P) TN_SEARCH_PARAMETERS(P)

TN_PARAMETERS(nelder_mead, NELDER_MEAD)

typedef struct simplex {
    tn_search_run *run;
    uint32_t size;                  /* variables */
    double *vertex;                 /* [size + 1][size], the best one first, the worst one last */
    double *merit;                  /* [size + 1] */
    double *trial, *other, *middle; /* [size] */
    double trial_merit, other_merit;
} simplex;

static double *vertex_of(const simplex *s, uint32_t k) { return s->vertex + (size_t)k * s->size; }

/* Insertion: a vertex goes in front of those that are worse, behind those that are as good. */
static void sort(simplex *s)
{
    for (uint32_t k = 1; k <= s->size; k++) {
        const double merit = s->merit[k];
        memcpy(s->middle, vertex_of(s, k), s->size * sizeof *s->middle);
        uint32_t j = k;
        for (; j > 0 && s->merit[j - 1] > merit; j--) {
            s->merit[j] = s->merit[j - 1];
            memcpy(vertex_of(s, j), vertex_of(s, j - 1), s->size * sizeof *s->middle);
        }
        s->merit[j] = merit;
        memcpy(vertex_of(s, j), s->middle, s->size * sizeof *s->middle);
    }
}

/* The first vertex is x; the others lie in the direction of each coordinate, inwards where the range ends. */
static bool begin(simplex *s, const double *x, double length)
{
    const tn_search *search = s->run->search;
    for (uint32_t k = 0; k <= s->size; k++) {
        double *vertex = vertex_of(s, k);
        memcpy(vertex, x, s->size * sizeof *x);
        if (k == 0) continue;
        const uint32_t i = k - 1;
        vertex[i] += x[i] + length > search->high[i] ? -length : length;
    }
    for (uint32_t k = 0; k <= s->size; k++)
        tn_search_clamp(search, vertex_of(s, k));
    if (!tn_search_merits(s->run, s->size + 1u, s->vertex, s->merit)) return false;
    sort(s);
    return true;
}

/* Largest distance from the best vertex in any coordinate. */
static double extent(const simplex *s)
{
    double largest = 0.0;
    for (uint32_t k = 1; k <= s->size; k++)
        for (uint32_t i = 0; i < s->size; i++)
            largest = fmax(largest, fabs(vertex_of(s, k)[i] - s->vertex[i]));
    return largest;
}

/* Values that differ by noise alone do not keep a simplex from ending that is a thousand times smaller than it has to be. */
static bool has_converged(const simplex *s)
{
    const tn_search_settings *settings = &s->run->search->settings;
    const double size = extent(s), spread = s->merit[s->size] - s->merit[0];
    if (size > settings->tolerance) return false;
    return spread <= settings->value_tolerance * tn_search_gain(s->run, s->merit[0]) ||
           size <= 1e-3 * settings->tolerance;
}

/* The point at `factor` times the distance of the worst vertex from the middle of the others, beyond the middle. */
static bool attempt(simplex *s, double factor, double *point, double *merit)
{
    const double *worst = vertex_of(s, s->size);
    for (uint32_t i = 0; i < s->size; i++)
        point[i] = s->middle[i] + factor * (s->middle[i] - worst[i]);
    tn_search_clamp(s->run->search, point);
    return tn_search_merits(s->run, 1, point, merit);
}

static void replace_worst(simplex *s, const double *point, double merit)
{
    memcpy(vertex_of(s, s->size), point, s->size * sizeof *point);
    s->merit[s->size] = merit;
}

/* All vertices come closer to the best one: one batch. */
static bool shrink(simplex *s, double factor)
{
    for (uint32_t k = 1; k <= s->size; k++)
        for (uint32_t i = 0; i < s->size; i++)
            vertex_of(s, k)[i] = s->vertex[i] + factor * (vertex_of(s, k)[i] - s->vertex[i]);
    return tn_search_merits(s->run, s->size, vertex_of(s, 1), s->merit + 1);
}

static bool step(simplex *s)
{
    const double n = s->size < 2 ? 2.0 : s->size;
    const double expansion = 1.0 + 2.0 / n, contraction = 0.75 - 0.5 / n, shrinkage = 1.0 - 1.0 / n;
    memset(s->middle, 0, s->size * sizeof *s->middle);
    for (uint32_t k = 0; k < s->size; k++)
        for (uint32_t i = 0; i < s->size; i++)
            s->middle[i] += vertex_of(s, k)[i] / s->size;
    if (!attempt(s, 1.0, s->trial, &s->trial_merit)) return false;
    if (s->trial_merit < s->merit[0]) {
        if (!attempt(s, expansion, s->other, &s->other_merit)) return false;
        if (s->other_merit < s->trial_merit)
            replace_worst(s, s->other, s->other_merit);
        else
            replace_worst(s, s->trial, s->trial_merit);
    } else if (s->trial_merit < s->merit[s->size - 1]) {
        replace_worst(s, s->trial, s->trial_merit);
    } else {
        const bool outside = s->trial_merit < s->merit[s->size];
        if (!attempt(s, outside ? contraction : -contraction, s->other, &s->other_merit)) return false;
        if (s->other_merit < (outside ? s->trial_merit : s->merit[s->size]))
            replace_worst(s, s->other, s->other_merit);
        else if (!shrink(s, shrinkage))
            return false;
    }
    sort(s);
    return true;
}

static bool is_at_bound(const tn_search *search, const double *x)
{
    for (uint32_t i = 0; i < search->problem->variables; i++)
        if (x[i] <= search->low[i] || x[i] >= search->high[i]) return true;
    return false;
}

/* A simplex that ends at a bound may have become flat there: once more from its best vertex, until that is no better. */
static bool descend(simplex *s, double *x)
{
    double length = s->run->size, before = HUGE_VAL;
    for (;;) {
        if (!begin(s, x, length)) return false;
        while (!has_converged(s))
            if (!step(s)) return false;
        memcpy(x, s->vertex, s->size * sizeof *x);
        const double gain = before - s->merit[0];
        const double least = s->run->search->settings.value_tolerance * tn_search_gain(s->run, s->merit[0]);
        if (!is_at_bound(s->run->search, x) || !(gain > least)) return true;
        before = s->merit[0];
        length = fmax(0.3 * length, fmin(length, 10.0 * s->run->search->settings.tolerance));
    }
}

static bool minimise(tn_search_run *run, double *x)
{
    const size_t size = run->search->problem->variables;
    double *memory = calloc((size + 1) * size + (size + 1) + 3 * size, sizeof *memory);
    if (!memory) {
        run->status = TN_OUT_OF_MEMORY;
        return tn_search_end(run, "out of memory");
    }
    simplex s = {.run = run, .size = (uint32_t)size, .vertex = memory};
    s.merit = s.vertex + (size + 1) * size;
    s.trial = s.merit + size + 1;
    s.other = s.trial + size;
    s.middle = s.other + size;
    const bool goes_on = descend(&s, x);
    free(memory);
    return goes_on;
}

static void nelder_mead_run(tn_search_run *run) { tn_search_within_limits(run, run->start, minimise); }

static tn_status nelder_mead_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                                  void **self)
{
    return tn_search_open(host, instance, TN_SEARCH_SETTINGS((const nelder_mead *)instance), problem, false,
                          nelder_mead_run, self);
}

/* What others call it. */
TN_SYNONYMS(nelder_mead, {"optimise", NULL, NULL}, {"optimize", NULL, NULL}, {"simplex", NULL, NULL},
            {"fminsearch", NULL, NULL}, {"nmsimplex2", NULL, NULL})

TN_DESIGN(
    nelder_mead, .summary = "simplex of Nelder and Mead: few variables, no derivatives, some noise",
    .formula =
        "reflection 1, expansion 1 + 2/d, contraction 3/4 - 1/(2 d), shrinkage 1 - 1/d, for d > 1 variables",
    .literature =
        "Nelder, Mead: A simplex method for function minimization, Comput. J. 7 (1965) 308-313\n"
        "Gao, Han: Implementing the Nelder-Mead simplex algorithm with adaptive parameters, Comput. "
        "Optim. Appl. 51 (2012) 259-277\n"
        "Nocedal, Wright: Numerical Optimization, 2nd ed., Springer, 2006, chapter 17 (limits)",
    .synonyms = nelder_mead_synonyms, .open = nelder_mead_open, .answer = tn_search_answer,
    TN_SEARCH_FUNCTIONS)
