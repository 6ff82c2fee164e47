/* sparse.c - some eigenvalues of large models, by ARPACK with shift and invert (eigen.h)
 *
 * Undamped: K x = w^2 M x on what rows leave free, by the operator (K - s M)^-1 M of Lanczos' method, with M as the inner product.
 * Others, also such as move, or roll: z' = A z of z = (q, v, x), by the operator (A - s)^-1 of Arnoldi's method. */
#include "eigen.h"

#ifndef TN_ARPACK

tn_status tn_eigen_is_sparse(TN_UNUSED eigen_work *work, const char **why)
{
    *why = "the plugin was built without ARPACK, the Debian package libarpack2-dev";
    return TN_OK;
}

tn_status tn_eigen_sparse(TN_UNUSED eigen_work *work) { return TN_UNSUPPORTED; }

#else

#include "search.h"

#include <stdlib.h>

#define TWO_PI 6.283185307179586
#define SLOW 1e-7         /* of the square of the fastest frequency about: the first shift */
#define SHARE 0.3         /* of the smallest eigenvalue that is not zero: the shift where there are zeros, */
#define ALONE 0.05        /* or where there are none, of others than w^2 */
#define LEAST_SHARE 0.01  /* at least, of the largest eigenvalue that is wanted */
#define SMALLER 8.0       /* a shift may be smaller by this factor, */
#define LARGER 2.0        /* and larger */
#define BESIDE 1e-7       /* relative: a shift that hits an eigenvalue moves on */
#define STANDS_STILL 1e-3 /* of the shift: eigenvalues of masses and stiffnesses that are zero */
#define REAL 1e-9         /* relative: an imaginary part that is round-off */
#define PARTNER 1e-6      /* relative: two eigenvalues are conjugates */

enum { MORE = 4, MORE_VECTORS = 32, TRIES = 4, RUNS = 5, TIMES = 3 };

/* How many eigenvalues are sought at first: pairs are two. */
static size_t first_wanted(const eigen_work *work)
{
    const size_t count = (size_t)work->settings->count;
    return work->symmetric ? count : 2 * count + MORE;
}

/* Of vectors on what rows leave free, at least. */
static size_t dimensions(const eigen_work *work)
{
    return work->symmetric ? work->free : 2 * work->free + work->nx;
}

static bool is_within_half(const eigen_work *work) { return 2 * first_wanted(work) + 2 <= dimensions(work); }

tn_status tn_eigen_is_sparse(eigen_work *work, const char **why)
{
    tn_status status = TN_OK;
    *why = NULL;
    work->free = work->nv > work->rows ? work->nv - work->rows : 0;
    if (!is_within_half(work) && work->rows) status = tn_eigen_count_free(work, &work->free);
    if (!is_within_half(work)) *why = "`count` is more than half of all modes";
    return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static tn_status open_search(eigen_work *work, eigen_search *s)
{
    *s = (eigen_search){.work = work, .nv = work->nv, .states = work->nx, .free = dimensions(work)};
    s->size = work->symmetric ? s->nv : 2 * s->nv + s->states;
    const tn_status status = tn_shift_open(work, &s->shift);
    if (status != TN_OK) return status;
    s->right = work->host->allocate(work->host, ((size_t)s->shift.size + 1) * sizeof *s->right);
    s->spare = work->host->allocate(work->host, (s->nv + 1) * sizeof *s->spare);
    s->product = tn_eigen_numbers(work->host, s->nv);
    return s->right && s->spare && s->product ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status make_room(eigen_search *s, size_t wanted)
{
    const tn_host *host = s->work->host;
    s->wanted = wanted;
    s->room = 2 * wanted + MORE_VECTORS;
    s->value = host->allocate(host, s->room * sizeof *s->value);
    s->basis = host->allocate(host, s->room * s->size * sizeof *s->basis);
    s->vector = s->work->symmetric ? s->basis : host->allocate(host, s->room * s->size * sizeof *s->vector);
    s->nearness = tn_eigen_numbers(host, s->room);
    if (!s->value || !s->vector || !s->basis || !s->nearness) return TN_OUT_OF_MEMORY;
    return tn_search_open(s);
}

/* ---- shifts ------------------------------------------------------------------------------------------------------------ */

/* With a shift, or one beside it where that is an eigenvalue. */
static tn_status try_shift(eigen_search *s, double _Complex shift)
{
    tn_status status = TN_RETRY;
    for (int k = 0; k < TRIES && status == TN_RETRY; k++)
        status = tn_search_shift(s, shift * (1.0 + BESIDE * k * (1 << 3 * k)));
    if (status == TN_RETRY)
        return s->work->system->fail(
            s->work->system, TN_INVALID, NULL,
            "the equations of the shift are singular: set `near` to another frequency, or "
            "`method = \"dense\"`");
    return status;
}

static tn_status run_once(eigen_search *s, double _Complex shift)
{
    const tn_status status = try_shift(s, shift);
    return status == TN_OK ? tn_search_iterate(s) : status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the shift of the slowest ones should be by those that were found: a share of the smallest that is not zero, but not much smaller
 * than the largest one that is wanted. One that is smaller makes the equations of a free model nearly singular, one that is larger makes
 * all of them alike, and hides strongly damped ones behind others. HUGE_VAL: there are only zeros. */
static tn_status find_wanted_shift(const eigen_search *s, double *shift)
{
    const bool symmetric = s->work->symmetric;
    const double still = symmetric ? STANDS_STILL * cabs(s->s) : 0.0;
    const size_t last = (s->found < s->wanted ? s->found : s->wanted) - 1;
    double *size = tn_eigen_numbers(s->work->host, s->found + 1), nearest = HUGE_VAL;
    bool stands = symmetric;
    if (!size) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < s->found; k++) {
        size[k] = cabs(s->value[k]);
        if (size[k] > still)
            nearest = fmin(nearest, size[k]);
        else
            stands = true;
    }
    qsort(size, s->found, sizeof *size, ascending);
    *shift = (stands ? SHARE : ALONE) * nearest;
    if (s->found && !symmetric) *shift = fmax(*shift, LEAST_SHARE * size[last]);
    return TN_OK;
}

static double first_shift(const eigen_work *work)
{
    const double fastest = work->fastest > 0.0 ? work->fastest : 1.0;
    return work->symmetric ? SLOW * fastest * fastest : sqrt(SLOW) * fastest;
}

/* The slowest ones: with a shift that is found by those before. */
static tn_status run_to_slowest(eigen_search *s)
{
    const bool symmetric = s->work->symmetric;
    double shift = s->s != 0.0 ? cabs(s->s) : first_shift(s->work);
    tn_status status = TN_OK;
    for (int k = 0; k < RUNS; k++) {
        double wanted = HUGE_VAL;
        status = run_once(s, symmetric ? -shift : shift);
        if (status == TN_OK) status = find_wanted_shift(s, &wanted);
        if (wanted == HUGE_VAL || (shift < LARGER * wanted && wanted < SMALLER * shift)) break;
        shift = wanted;
    }
    return status;
}

static tn_status run(eigen_search *s)
{
    const double near = TWO_PI * s->work->settings->near;
    const double _Complex there = s->work->symmetric ? near * near : (double _Complex)I * near;
    const tn_status status = near == 0.0 ? run_to_slowest(s) : run_once(s, there);
    return status == TN_OK ? tn_search_complete(s) : status;
}

/* ---- modes -------------------------------------------------------------------------------------------------------------- */

static tn_status add_symmetric(eigen_search *s, size_t k)
{
    double *motion = tn_eigen_numbers(s->work->host, 2 * s->nv);
    if (!motion) return TN_OUT_OF_MEMORY;
    for (size_t i = 0; i < s->nv; i++)
        motion[2 * i] = creal(s->vector[k * s->size + i]);
    return tn_eigen_add_quotient(s->work, motion);
}

/* Marks eigenvalues below the real axis whose conjugates were found, too: as many as there are of these. */
static tn_status find_partners(const eigen_search *s, bool **second)
{
    bool *taken = s->work->host->allocate(s->work->host, s->found + 1);
    *second = s->work->host->allocate(s->work->host, s->found + 1);
    if (!taken || !*second) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < s->found; k++)
        for (size_t l = 0; l < s->found && cimag(s->value[k]) < 0.0 && !(*second)[k]; l++) {
            const double distance = cabs(s->value[l] - conj(s->value[k]));
            if (taken[l] || cimag(s->value[l]) < 0.0 || distance > PARTNER * cabs(s->value[k])) continue;
            taken[l] = (*second)[k] = true;
        }
    return TN_OK;
}

static tn_status add_general(eigen_search *s, size_t k)
{
    const bool below = cimag(s->value[k]) < 0.0;
    eigen_mode *mode = tn_eigen_add(s->work, creal(s->value[k]), fabs(cimag(s->value[k])));
    if (!mode) return TN_OUT_OF_MEMORY;
    const double _Complex *z = s->vector + k * s->size;
    for (size_t i = 0; i < s->nv; i++) {
        mode->motion[2 * i] = creal(z[i]);
        mode->motion[2 * i + 1] = below ? -cimag(z[i]) : cimag(z[i]);
    }
    for (size_t i = 0; i < s->states; i++) {
        mode->state[2 * i] = creal(z[2 * s->nv + i]);
        mode->state[2 * i + 1] = below ? -cimag(z[2 * s->nv + i]) : cimag(z[2 * s->nv + i]);
    }
    return TN_OK;
}

static tn_status add_all_symmetric(eigen_search *s)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < s->found && status == TN_OK; k++)
        status = add_symmetric(s, k);
    return status;
}

static tn_status add_all_general(eigen_search *s)
{
    bool *second = NULL;
    for (size_t k = 0; k < s->found; k++)
        if (fabs(cimag(s->value[k])) <= REAL * cabs(s->value[k])) s->value[k] = creal(s->value[k]);
    tn_status status = find_partners(s, &second);
    for (size_t k = 0; k < s->found && status == TN_OK; k++)
        if (!second[k]) status = add_general(s, k);
    return status;
}

/* Squares of frequencies above the wanted one are further from its square than those below: how many frequencies there are that are as
 * near as all of which none is missing. */
static size_t count_squares_within(const eigen_search *s)
{
    const double near = TWO_PI * s->work->settings->near;
    const double reach = sqrt(near * near + s->reach) - near;
    size_t within = 0;
    for (size_t k = 0; k < s->found; k++) {
        const double square = creal(s->value[k]);
        within += (square < 0.0 ? hypot(near, sqrt(-square)) : fabs(sqrt(square) - near)) <= reach;
    }
    return within;
}

/* Likewise where the shift stands beside what is wanted, pairs being one. */
static size_t count_values_within(const eigen_search *s)
{
    const double _Complex wanted = (double _Complex)I * (TWO_PI * s->work->settings->near);
    const double reach = s->reach - cabs(s->s - wanted);
    size_t within = 0;
    for (size_t k = 0; k < s->found; k++)
        within += cimag(s->value[k]) >= -REAL * cabs(s->value[k]) && cabs(s->value[k] - wanted) <= reach;
    return within;
}

/* How many of those that were found are certainly the nearest ones. */
static size_t count_certain(const eigen_search *s)
{
    if (!s->work->symmetric) return count_values_within(s);
    return s->work->settings->near == 0.0 ? s->found : count_squares_within(s);
}

/* Seeks more eigenvalues until the wanted modes are certain; at half of all modes it stops, and sets `*is_half`. */
static tn_status search(eigen_search *s, size_t *certain, bool *is_half)
{
    const size_t count = (size_t)s->work->settings->count;
    size_t wanted = first_wanted(s->work);
    tn_status status = TN_OK;
    *certain = 0;
    *is_half = false;
    for (int time = 0; time < TIMES && *certain < count && !*is_half && status == TN_OK; time++) {
        status = make_room(s, wanted);
        if (status == TN_OK) status = run(s);
        if (status == TN_OK) *certain = count_certain(s);
        wanted *= 2;
        *is_half = 2 * wanted + 4 > dimensions(s->work);
    }
    return status;
}

static void tell_uncertain(const eigen_work *work, size_t certain)
{
    tn_say(
        work->host, TN_WARNING,
        "of the modes that were found %zu are certainly the nearest ones to `near`; others may be missing, "
        "such as are strongly damped, that are as near as the rest: a larger `count` finds them",
        certain);
}

tn_status tn_eigen_sparse(eigen_work *work)
{
    eigen_search s;
    bool is_half = false;
    size_t certain = 0;
    tn_status status = open_search(work, &s);
    if (status == TN_OK) status = search(&s, &certain, &is_half);
    tn_shift_close(&s.shift);
    if (status == TN_RETRY)
        return work->system->fail(
            work->system, TN_INVALID, NULL,
            "the equations of the shift have no accurate solution: set `near` to another frequency, or "
            "`method = \"dense\"`");
    if (status != TN_OK) return status;
    const bool is_certain = certain >= (size_t)work->settings->count;
    if (!is_certain && is_half && tn_eigen_fits_dense(work)) return tn_eigen_dense(work);
    if (!is_certain) tell_uncertain(work, certain);
    return work->symmetric ? add_all_symmetric(&s) : add_all_general(&s);
}

#endif
