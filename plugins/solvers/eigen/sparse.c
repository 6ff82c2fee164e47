/* sparse.c - some eigenvalues of large models, by ARPACK with shift and invert (eigen.h)
 *
 * Undamped: K x = w^2 M x on what rows leave free, by the operator (K - s M)^-1 M of Lanczos' method, with M as the inner product.
 * Others: z' = A z of z = (q, v, x), by the operator (A - s)^-1 of Arnoldi's method. */
#include "eigen.h"

#ifndef TN_ARPACK

bool tn_eigen_is_sparse(TN_UNUSED const eigen_work *work, const char **why)
{
    *why = "the plugin was built without ARPACK, the Debian package libarpack2-dev";
    return false;
}

tn_status tn_eigen_sparse(TN_UNUSED eigen_work *work) { return TN_UNSUPPORTED; }

#else

#include "search.h"

#define SLOW 1e-7 /* of the square of the fastest frequency about: the first shift */
#define SHARE \
    0.3 /* of the smallest eigenvalue that is not zero: a shift that makes few digits of others round-off */
#define NEAR_ENOUGH 8.0 /* a shift may be off that by this factor */
#define BESIDE 1e-7     /* relative: a shift that hits an eigenvalue moves on */
#define NOTHING 1e-9    /* of the shift: eigenvalues that are zero */
#define STANDS_STILL \
    1e-3 /* of the shift: eigenvalues that zeros which belong together are spread to by round-off */
#define PARALLEL 0.999 /* cosine of vectors that are one */
#define PARTNER 1e-6   /* relative: two eigenvalues are conjugates */

enum { MOST_STATES = 200, MORE_VECTORS = 20, TRIES = 4, RUNS = 5 };

static bool has_velocity_rows(const eigen_work *work)
{
    for (uint32_t r = 0; r < work->rows; r++)
        if (work->system->row_level[r] == TN_VELOCITY_ROW) return true;
    return false;
}

bool tn_eigen_is_sparse(const eigen_work *work, const char **why)
{
    const tn_complex_equations *equations = work->system->extension(work->system, TN_COMPLEX_EQUATIONS_KEY);
    const uint32_t free = work->nv > work->rows ? work->nv - work->rows : 0;
    *why = !equations                                       ? "there are no sparse matrices"
           : work->moves                                    ? "the model moves"
           : has_velocity_rows(work)                        ? "rows of constraints hold velocities"
           : !work->transposed                              ? "forces read reactions"
           : work->nx > MOST_STATES                         ? "there are more than 200 first-order states"
           : 2 * work->settings->count + 2 > (int64_t)free  ? "`count` is more than half of all modes"
           : !work->symmetric && !equations->solves_complex ? "the linear solver knows no complex matrices"
                                                            : NULL;
    return !*why;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Of vectors on what rows leave free, at least. */
static size_t free_size(const eigen_work *work)
{
    const size_t free = work->nv - work->rows;
    return work->symmetric ? free : 2 * free + work->nx;
}

static double fastest_square(const eigen_work *work)
{
    const tn_sparse *K = &work->linear->stiffness, *M = &work->linear->mass;
    double fastest = 0.0;
    for (uint32_t j = 0; j < K->columns; j++)
        for (int32_t e = K->column_start[j]; e < K->column_start[j + 1]; e++)
            if ((uint32_t)K->row[e] == j && M->value[e] > 0.0)
                fastest = fmax(fastest, fabs(K->value[e]) / M->value[e]); // of the same pattern
    return fastest > 0.0 ? fastest : 1.0;
}

static tn_status open_search(eigen_work *work, size_t wanted, eigen_search *s)
{
    const tn_host *host = work->host;
    *s = (eigen_search){.work = work, .nv = work->nv, .states = work->nx};
    s->size = work->symmetric ? s->nv : 2 * s->nv + s->states;
    s->wanted = (a_int)wanted;
    s->vectors = 2 * s->wanted + MORE_VECTORS;
    if ((size_t)s->vectors > free_size(work)) s->vectors = (a_int)free_size(work);
    const size_t rows = s->nv + work->rows;
    tn_status status = work->linear->find(work->system, TN_OWN_AXES); // as those of the linear solver
    if (status != TN_OK) return status;
    if (!tn_shift_open(work, &s->shift)) return TN_OUT_OF_MEMORY;
    s->right = host->allocate(host, (rows + 1) * sizeof *s->right);
    s->by_states = host->allocate(host, (rows * s->states + 1) * sizeof *s->by_states);
    s->full = host->allocate(host, (s->states * s->states + 1) * sizeof *s->full);
    s->state = host->allocate(host, (s->states + 1) * sizeof *s->state);
    s->pivot = host->allocate(host, (s->states + 1) * sizeof *s->pivot);
    s->value = host->allocate(host, ((size_t)s->wanted + 2) * sizeof *s->value);
    s->vector = host->allocate(host, ((size_t)s->wanted + 2) * s->size * sizeof *s->vector);
    const bool good = s->right && s->by_states && s->full && s->state && s->pivot && s->value && s->vector;
    return good ? s->shift.equations->differentiate(work->system) : TN_OUT_OF_MEMORY;
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

/* The cosine between the vectors of two eigenvalues. */
static double cosine(const eigen_search *s, size_t k, size_t l)
{
    const double _Complex *a = s->vector + k * s->size, *b = s->vector + l * s->size;
    double _Complex product = 0.0;
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < s->size; i++) {
        product += conj(a[i]) * b[i];
        first += creal(conj(a[i]) * a[i]);
        second += creal(conj(b[i]) * b[i]);
    }
    return cabs(product) / sqrt(first * second);
}

/* Whether an eigenvalue is a zero. Two that belong to one vector are spread by the root of round-off, on both sides of zero, and
 * their vectors are nearly one; a slow eigenvalue has a vector of its own. */
static bool is_zero(const eigen_search *s, size_t k)
{
    const double still = STANDS_STILL * cabs(s->s);
    if (cabs(s->value[k]) <= NOTHING * cabs(s->s)) return true;
    for (size_t l = 0; l < s->found && cabs(s->value[k]) <= still; l++)
        if (l != k && cabs(s->value[l]) <= still && cosine(s, k, l) >= PARALLEL) return true;
    return false;
}

/* The smallest that is not zero. */
static double nearest_beyond(const eigen_search *s)
{
    double nearest = HUGE_VAL;
    for (size_t k = 0; k < s->found; k++)
        if (!(s->work->symmetric ? cabs(s->value[k]) <= STANDS_STILL * cabs(s->s) : is_zero(s, k)))
            nearest = fmin(nearest, cabs(s->value[k]));
    return nearest;
}

/* The slowest ones: with a shift of the size of the first that is not zero. One that is much smaller makes the equations of a free model
 * nearly singular, one that is much larger makes all of them alike. */
static tn_status run_to_slowest(eigen_search *s)
{
    const bool symmetric = s->work->symmetric;
    double shift = SLOW * fastest_square(s->work);
    if (!symmetric) shift = sqrt(shift);
    tn_status status = TN_OK;
    for (int k = 0; k < RUNS; k++) {
        status = run_once(s, symmetric ? -shift : shift);
        const double wanted = status == TN_OK ? SHARE * nearest_beyond(s) : HUGE_VAL;
        if (wanted == HUGE_VAL || (shift < NEAR_ENOUGH * wanted && wanted < NEAR_ENOUGH * shift)) break;
        shift = wanted;
    }
    return status;
}

static tn_status run(eigen_search *s)
{
    const double near = 6.283185307179586 * s->work->settings->near;
    if (near == 0.0) return run_to_slowest(s);
    return run_once(s, s->work->symmetric ? near * near : (double _Complex)I * near);
}

/* ---- modes -------------------------------------------------------------------------------------------------------------- */

static tn_status add_symmetric(eigen_search *s, size_t k)
{
    double *motion = tn_eigen_numbers(s->work->host, 2 * s->nv);
    if (!motion) return TN_OUT_OF_MEMORY;
    for (size_t i = 0; i < s->nv; i++)
        motion[2 * i] = creal(s->vector[k * s->size + i]);
    tn_eigen_to_still_axes(s->work, motion);
    return tn_eigen_add_quotient(s->work, motion);
}

/* Whether the conjugate of an eigenvalue below the real axis was found, too. */
static bool has_partner(const eigen_search *s, size_t k)
{
    for (size_t l = 0; l < s->found; l++)
        if (l != k && cabs(s->value[l] - conj(s->value[k])) <= PARTNER * cabs(s->value[k])) return true;
    return false;
}

static tn_status add_general(eigen_search *s, size_t k)
{
    const bool below = cimag(s->value[k]) < 0.0;
    double _Complex value = below ? conj(s->value[k]) : s->value[k];
    if (is_zero(s, k)) value = 0.0;
    if (fabs(cimag(value)) <= PARTNER * 1e-3 * cabs(value)) value = creal(value);
    if (below && cimag(value) > 0.0 && has_partner(s, k)) return TN_OK;
    eigen_mode *mode = tn_eigen_add(s->work, creal(value), cimag(value));
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
    tn_eigen_to_still_axes(s->work, mode->motion);
    return TN_OK;
}

/* Whether the wanted ones are among those that were found: squares of frequencies above the wanted one are further from its square
 * than those below. */
static bool covers(const eigen_search *s)
{
    const double near = 6.283185307179586 * s->work->settings->near;
    double furthest = 0.0, reach = 0.0;
    size_t within = 0;
    if (!s->work->symmetric || near == 0.0) return true;
    for (size_t k = 0; k < s->found; k++)
        furthest = fmax(furthest, fabs(creal(s->value[k]) - near * near));
    reach = sqrt(near * near + furthest) - near; // all that are as near as that were found
    for (size_t k = 0; k < s->found; k++) {
        const double square = creal(s->value[k]);
        within += (square < 0.0 ? hypot(near, sqrt(-square)) : fabs(sqrt(square) - near)) <= reach;
    }
    return (int64_t)within >= s->work->settings->count;
}

tn_status tn_eigen_sparse(eigen_work *work)
{
    eigen_search s;
    size_t wanted = (size_t)work->settings->count * (work->symmetric ? 1 : 2); // pairs are two
    tn_status status = TN_OK;
    bool good = false, is_half = false;
    while (!good && !is_half && status == TN_OK) {
        status = open_search(work, wanted, &s);
        if (status == TN_OK) status = run(&s);
        good = status == TN_OK && covers(&s);
        is_half = 4 * wanted + 4 > free_size(work);
        wanted *= 2;
    }
    if (status != TN_OK) return status;
    status = work->linear->find(work->system, TN_STILL_AXES);
    if (status == TN_OK && !good) return tn_eigen_dense(work); // no more than half of all can be found
    for (size_t k = 0; k < s.found && status == TN_OK; k++)
        status = work->symmetric ? add_symmetric(&s, k) : add_general(&s, k);
    return status;
}

#endif
