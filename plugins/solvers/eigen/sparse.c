/* sparse.c - some eigenvalues of large models, by ARPACK with shift and invert (eigen.h)
 *
 * Undamped: K x = w^2 M x on what rows leave free, by the operator (K - s M)^-1 M of Lanczos' method, with M as the inner product.
 * Others: z' = A z of z = (q, v, x), by the operator (A - s)^-1 of Arnoldi's method. With b = z on the right
 *
 *     (K + s D + s^2 M) q = F x - M b_v - (D + s M) b_q + G^T mu,   v = s q + b_q,
 *     (H - s) x = b_x - R (q, v)
 *
 * which is solved by the matrix on the left and a full one of the states. Vectors begin in the range of the operator, where all rows
 * hold. */
#include "shift.h"

#ifndef TN_ARPACK

bool tn_eigen_is_sparse(TN_UNUSED const eigen_work *work, const char **why)
{
    *why = "the plugin was built without ARPACK, the Debian package libarpack2-dev";
    return false;
}

tn_status tn_eigen_sparse(TN_UNUSED eigen_work *work) { return TN_UNSUPPORTED; }

#else

#include <arpack.h>
#include <lapacke.h>
#include <pthread.h>

#define SLOW 1e-10        /* of the square of the fastest frequency about: the first shift */
#define CLOSE 100.0       /* shifts: modes nearer than that are found again with a shift of their own size */
#define BESIDE 1e-7       /* relative: a shift that hits an eigenvalue moves on */
#define STANDS_STILL 1e-5 /* of the shift: eigenvalues that double zeros are spread to by round-off */
#define PARTNER 1e-6      /* relative: two eigenvalues are conjugates */

enum { MOST_STATES = 200, MORE_VECTORS = 20, MOST_TURNS = 1000, TRIES = 4 };

/* ARPACK keeps its state in memory of its own, one for all. */
static pthread_mutex_t arpack = PTHREAD_MUTEX_INITIALIZER;

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

typedef struct search {
    eigen_work *work;
    eigen_shift shift;
    double _Complex s;          /* the shift of w^2, or that of the eigenvalue */
    double _Complex *right;     /* [nv + rows] */
    size_t nv, states, size;    /* of one vector */
    double _Complex *by_states; /* [states][nv + rows] (K + s D + s^2 M)^-1 F */
    double _Complex *full;      /* [states][states] factors of H - s + (R_q + s R_v) by_states */
    double _Complex *state;     /* [states] */
    lapack_int *pivot;
    a_int wanted, vectors;
    double _Complex *value,
        *vector; /* what was found: eigenvalues [wanted + 1], vectors [wanted + 1][size] */
    size_t found;
} search;

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

static tn_status open_search(eigen_work *work, search *s)
{
    const tn_host *host = work->host;
    *s = (search){.work = work, .nv = work->nv, .states = work->nx};
    s->size = work->symmetric ? s->nv : 2 * s->nv + s->states;
    s->wanted = (a_int)work->settings->count + (work->symmetric ? 0 : (a_int)work->settings->count);
    s->vectors = 2 * s->wanted + MORE_VECTORS;
    if ((size_t)s->vectors > s->size) s->vectors = (a_int)s->size;
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

/* ---- states ------------------------------------------------------------------------------------------------------- */

/* R_q a + R_v b of state k. */
static double _Complex rate_of(const search *s, size_t k, const double _Complex *a, const double _Complex *b)
{
    const double *by_position = s->work->linear->rate_by_motion + k * 2 * s->nv,
                 *by_velocity = by_position + s->nv;
    double _Complex sum = 0.0;
    for (size_t i = 0; i < s->nv; i++)
        sum += by_position[i] * a[i] + by_velocity[i] * b[i];
    return sum;
}

/* (R_q + s R_v) q. */
static double _Complex rate_along(const search *s, size_t k, const double _Complex *q)
{
    const double *by_position = s->work->linear->rate_by_motion + k * 2 * s->nv,
                 *by_velocity = by_position + s->nv;
    double _Complex sum = 0.0;
    for (size_t i = 0; i < s->nv; i++)
        sum += (by_position[i] + s->s * by_velocity[i]) * q[i];
    return sum;
}

static tn_status factor_states(search *s)
{
    const size_t n = s->states, rows = s->nv + s->work->rows;
    tn_status status = TN_OK;
    for (size_t k = 0; k < n && status == TN_OK; k++) {
        double _Complex *column = s->by_states + k * rows;
        for (size_t i = 0; i < s->nv; i++)
            column[i] = s->work->linear->force_by_state[i * n + k];
        status = tn_shift_solve(&s->shift, column);
    }
    for (size_t l = 0; l < n; l++)
        for (size_t k = 0; k < n; k++)
            s->full[l * n + k] = s->work->linear->rate_by_state[k * n + l] - (k == l ? s->s : 0.0) +
                                 rate_along(s, k, s->by_states + l * rows);
    if (status != TN_OK || !n) return status;
    const lapack_int order = (lapack_int)n,
                     info = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, order, order, s->full, order, s->pivot);
    return info == 0 ? TN_OK : TN_RETRY;
}

/* ---- operators ----------------------------------------------------------------------------------------------------- */

static tn_status set_shift(search *s, double _Complex shift)
{
    s->s = shift;
    if (s->work->symmetric) return tn_shift_factor(&s->shift, -shift, 0.0);
    const tn_status status = tn_shift_factor(&s->shift, shift * shift, shift);
    return status == TN_OK ? factor_states(s) : status;
}

/* z = (A - s)^-1 b. */
static tn_status apply_general(search *s, const double _Complex *b, double _Complex *z)
{
    const tn_linearisation *linear = s->work->linear;
    const size_t nv = s->nv, n = s->states;
    const double _Complex *by_velocity = b + nv, *by_state = b + 2 * nv;
    double _Complex *q = s->right;
    memset(q, 0, nv * sizeof *q);
    tn_shift_add(&linear->mass, -1.0, by_velocity, q);
    tn_shift_add(&linear->mass, -s->s, b, q);
    if (!s->work->undamped) tn_shift_add(&linear->damping, -1.0, b, q);
    tn_status status = tn_shift_solve(&s->shift, q);
    memset(z, 0, nv * sizeof *z);
    for (size_t k = 0; k < n; k++)
        s->state[k] = by_state[k] - rate_along(s, k, q) - rate_of(s, k, z, b);
    if (n && status == TN_OK &&
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)n, 1, s->full, (lapack_int)n, s->pivot,
                            s->state, (lapack_int)n) != 0)
        status = TN_FATAL;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < nv; i++)
            q[i] += s->state[k] * s->by_states[k * (nv + s->work->rows) + i];
    for (size_t i = 0; i < nv; i++) {
        z[i] = q[i];
        z[nv + i] = s->s * q[i] + b[i];
    }
    memcpy(z + 2 * nv, s->state, n * sizeof *z);
    return status;
}

/* y = (K - s M)^-1 b, of real numbers. */
static tn_status apply_symmetric(search *s, const double *b, double *y)
{
    for (size_t i = 0; i < s->nv; i++)
        s->right[i] = b[i];
    const tn_status status = tn_shift_solve(&s->shift, s->right);
    for (size_t i = 0; i < s->nv; i++)
        y[i] = creal(s->right[i]);
    return status;
}

static void multiply_masses(const search *s, const double *x, double *product)
{
    const tn_sparse *M = &s->work->linear->mass;
    memset(product, 0, s->nv * sizeof *product);
    for (uint32_t j = 0; j < M->columns; j++)
        for (int32_t e = M->column_start[j]; e < M->column_start[j + 1]; e++)
            product[M->row[e]] += M->value[e] * x[j];
}

/* Numbers between -1/2 and 1/2, the same ones in every run. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static tn_status tell_failure(const search *s, a_int info, a_int converged)
{
    char text[256];
    (void)tn_print_cut(
        text, sizeof text,
        "ARPACK found %d of %d eigenvalues (code %d): ask for fewer, for others by `near`, or set "
        "`method = \"dense\"`",
        (int)converged, (int)s->wanted, (int)info);
    return s->work->system->fail(s->work->system, TN_INVALID, NULL, text);
}

/* ---- Lanczos ----------------------------------------------------------------------------------------------------------- */

typedef struct room {
    double *start, *basis, *work, *projected;
    double _Complex *complex_start, *complex_basis, *complex_work, *complex_projected, *ends;
    double *real;
    a_int *select;
    a_int parameter[11], place[14], size;
} room;

static tn_status open_lanczos(const search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = (size_t)s->vectors;
    *r = (room){.size = (a_int)(m * (m + 8)), .parameter = {1, 0, MOST_TURNS, 1, 0, 0, 3}};
    r->start = tn_eigen_numbers(host, n);
    r->basis = tn_eigen_numbers(host, n * m);
    r->work = tn_eigen_numbers(host, 3 * n);
    r->projected = tn_eigen_numbers(host, (size_t)r->size);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    return r->start && r->basis && r->work && r->projected && r->select ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Into the range of the operator, where all rows hold. */
static tn_status start_lanczos(search *s, room *r)
{
    uint64_t state = 1;
    tn_status status = TN_OK;
    for (size_t i = 0; i < s->nv; i++)
        r->start[i] = draw(&state);
    for (int turn = 0; turn < 2 && status == TN_OK; turn++) {
        double size = 0.0;
        multiply_masses(s, r->start, r->work);
        status = apply_symmetric(s, r->work, r->start);
        for (size_t i = 0; i < s->nv; i++)
            size = fmax(size, fabs(r->start[i]));
        for (size_t i = 0; i < s->nv && size > 0.0; i++)
            r->start[i] /= size;
    }
    return status;
}

static tn_status iterate_lanczos(search *s, room *r, a_int *info)
{
    const a_int n = (a_int)s->size;
    a_int ido = 0;
    tn_status status = TN_OK;
    *info = 1;
    while (ido != 99 && status == TN_OK) {
        dsaupd_c(&ido, "G", n, "LM", s->wanted, 0.0, r->start, s->vectors, r->basis, n, r->parameter,
                 r->place, r->work, r->projected, r->size, info);
        double *x = r->work + r->place[0] - 1, *y = r->work + r->place[1] - 1;
        if (ido == 2) {
            multiply_masses(s, x, y);
        } else if (ido == -1) {
            multiply_masses(s, x, y);
            status = apply_symmetric(s, y, y);
        } else if (ido == 1) {
            status = apply_symmetric(s, r->work + r->place[2] - 1, y);
        }
    }
    return status;
}

static tn_status run_lanczos(search *s, room *r)
{
    a_int info = 0;
    tn_status status = iterate_lanczos(s, r, &info);
    if (status != TN_OK) return status;
    if (info != 0) return tell_failure(s, info, r->parameter[4]);
    double *value = tn_eigen_numbers(s->work->host, (size_t)s->vectors);
    if (!value) return TN_OUT_OF_MEMORY;
    dseupd_c(1, "A", r->select, value, r->basis, (a_int)s->size, creal(s->s), "G", (a_int)s->size, "LM",
             s->wanted, 0.0, r->start, s->vectors, r->basis, (a_int)s->size, r->parameter, r->place, r->work,
             r->projected, r->size, &info);
    if (info != 0) return tell_failure(s, info, r->parameter[4]);
    s->found = (size_t)r->parameter[4] < (size_t)s->wanted ? (size_t)r->parameter[4] : (size_t)s->wanted;
    for (size_t k = 0; k < s->found; k++) {
        s->value[k] = value[k];
        for (size_t i = 0; i < s->size; i++)
            s->vector[k * s->size + i] = r->basis[k * s->size + i];
    }
    return TN_OK;
}

/* ---- Arnoldi ---------------------------------------------------------------------------------------------------------- */

static tn_status open_arnoldi(const search *s, room *r)
{
    const tn_host *host = s->work->host;
    const size_t n = s->size, m = (size_t)s->vectors;
    *r = (room){.size = (a_int)(3 * m * m + 5 * m), .parameter = {1, 0, MOST_TURNS, 1, 0, 0, 1}};
    r->complex_start = host->allocate(host, n * sizeof *r->complex_start);
    r->complex_basis = host->allocate(host, n * m * sizeof *r->complex_basis);
    r->complex_work = host->allocate(host, 3 * n * sizeof *r->complex_work);
    r->complex_projected = host->allocate(host, (size_t)r->size * sizeof *r->complex_projected);
    r->ends = host->allocate(host, 3 * m * sizeof *r->ends);
    r->real = tn_eigen_numbers(host, m);
    r->select = host->allocate(host, (m + 1) * sizeof *r->select);
    const bool good = r->complex_start && r->complex_basis && r->complex_work && r->complex_projected &&
                      r->ends && r->real && r->select;
    return good ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status start_arnoldi(search *s, room *r)
{
    uint64_t state = 1;
    tn_status status = TN_OK;
    for (size_t i = 0; i < s->size; i++)
        r->complex_work[i] = draw(&state);
    for (int turn = 0; turn < 2 && status == TN_OK; turn++) {
        double size = 0.0;
        status = apply_general(s, r->complex_work, r->complex_start);
        for (size_t i = 0; i < s->size; i++)
            size = fmax(size, cabs(r->complex_start[i]));
        for (size_t i = 0; i < s->size && size > 0.0; i++)
            r->complex_work[i] = r->complex_start[i] /= size;
    }
    return status;
}

static tn_status run_arnoldi(search *s, room *r)
{
    const a_int n = (a_int)s->size;
    a_int ido = 0, info = 1;
    tn_status status = TN_OK;
    while (ido != 99 && status == TN_OK) {
        znaupd_c(&ido, "I", n, "LM", s->wanted, 0.0, r->complex_start, s->vectors, r->complex_basis, n,
                 r->parameter, r->place, r->complex_work, r->complex_projected, r->size, r->real, &info);
        if (ido == 1 || ido == -1)
            status = apply_general(s, r->complex_work + r->place[0] - 1, r->complex_work + r->place[1] - 1);
    }
    if (status != TN_OK) return status;
    if (info != 0) return tell_failure(s, info, r->parameter[4]);
    zneupd_c(1, "A", r->select, s->value, r->complex_basis, n, 0.0, r->ends, "I", n, "LM", s->wanted, 0.0,
             r->complex_start, s->vectors, r->complex_basis, n, r->parameter, r->place, r->complex_work,
             r->complex_projected, r->size, r->real, &info);
    if (info != 0) return tell_failure(s, info, r->parameter[4]);
    s->found = (size_t)r->parameter[4] < (size_t)s->wanted ? (size_t)r->parameter[4] : (size_t)s->wanted;
    memcpy(s->vector, r->complex_basis, s->found * s->size * sizeof *s->vector);
    for (size_t k = 0; k < s->found; k++)
        s->value[k] = s->s + 1.0 / s->value[k];
    return TN_OK;
}

/* ---- shifts ------------------------------------------------------------------------------------------------------------ */

/* With a shift, or one beside it where that is an eigenvalue. */
static tn_status try_shift(search *s, double _Complex shift)
{
    tn_status status = TN_RETRY;
    for (int k = 0; k < TRIES && status == TN_RETRY; k++)
        status = set_shift(s, shift * (1.0 + BESIDE * k * (1 << 3 * k)));
    if (status == TN_RETRY)
        return s->work->system->fail(
            s->work->system, TN_INVALID, NULL,
            "the equations of the shift are singular: set `near` to another frequency, or "
            "`method = \"dense\"`");
    return status;
}

static tn_status run_once(search *s, double _Complex shift)
{
    room r;
    const bool symmetric = s->work->symmetric;
    tn_status status = try_shift(s, shift);
    if (status == TN_OK) status = symmetric ? open_lanczos(s, &r) : open_arnoldi(s, &r);
    if (status == TN_OK) status = symmetric ? start_lanczos(s, &r) : start_arnoldi(s, &r);
    if (status != TN_OK) return status;
    (void)pthread_mutex_lock(&arpack);
    status = symmetric ? run_lanczos(s, &r) : run_arnoldi(s, &r);
    (void)pthread_mutex_unlock(&arpack);
    return status;
}

/* Those beyond the shift that are nearest to it: where many are as near as zero, it is too far away. */
static double nearest_beyond(const search *s)
{
    double nearest = HUGE_VAL;
    for (size_t k = 0; k < s->found; k++) {
        const double size = cabs(s->value[k]);
        if (size > STANDS_STILL * cabs(s->s)) nearest = fmin(nearest, size);
    }
    return nearest;
}

static tn_status run(search *s)
{
    const double near = 6.283185307179586 * s->work->settings->near;
    const bool symmetric = s->work->symmetric;
    if (near > 0.0) return run_once(s, symmetric ? near * near : (double _Complex)I * near);
    const double slow = SLOW * fastest_square(s->work);
    tn_status status = run_once(s, symmetric ? -slow : sqrt(slow));
    const double nearest = status == TN_OK ? nearest_beyond(s) : HUGE_VAL;
    if (nearest < CLOSE * cabs(s->s) && nearest < HUGE_VAL)
        status = run_once(s, symmetric ? -0.1 * nearest : 0.3 * nearest);
    return status;
}

/* ---- modes -------------------------------------------------------------------------------------------------------------- */

static tn_status add_symmetric(search *s, size_t k)
{
    double *motion = tn_eigen_numbers(s->work->host, 2 * s->nv);
    if (!motion) return TN_OUT_OF_MEMORY;
    for (size_t i = 0; i < s->nv; i++)
        motion[2 * i] = creal(s->vector[k * s->size + i]);
    tn_eigen_to_still_axes(s->work, motion);
    return tn_eigen_add_quotient(s->work, motion);
}

/* Whether the conjugate of an eigenvalue below the real axis was found, too. */
static bool has_partner(const search *s, size_t k)
{
    for (size_t l = 0; l < s->found; l++)
        if (l != k && cabs(s->value[l] - conj(s->value[k])) <= PARTNER * cabs(s->value[k])) return true;
    return false;
}

static tn_status add_general(search *s, size_t k)
{
    const bool below = cimag(s->value[k]) < 0.0;
    double _Complex value = below ? conj(s->value[k]) : s->value[k];
    if (cabs(value) <= STANDS_STILL * cabs(s->s)) value = 0.0;
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

tn_status tn_eigen_sparse(eigen_work *work)
{
    search s;
    tn_status status = open_search(work, &s);
    if (status == TN_OK) status = run(&s);
    if (status != TN_OK) return status;
    status = work->linear->find(work->system, TN_STILL_AXES);
    for (size_t k = 0; k < s.found && status == TN_OK; k++)
        status = work->symmetric ? add_symmetric(&s, k) : add_general(&s, k);
    return status;
}

#endif
