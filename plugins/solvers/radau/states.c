/* states.c - states x among the unknowns of a stage
 *
 *     s M - df/dv - df/dq / s   -G^T   -F       v
 *     s G                                       lambda
 *     -(H_v + H_q / s)                 s - H_x  x
 *
 * F = df/dx, H the derivatives of x'. The states are eliminated last: with B = A^-1 F of the equations without them, one column
 * per state, x follows from the full matrix s - H_x - C B, C = H_v + H_q / s. Where derivatives are not all known they are taken by
 * differences, while there are not too many; beyond, x is found by repetition. */
#include "radau.h"

typedef struct number {
    double re, im;
} number;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number over(number a, number b)
{
    const double square = b.re * b.re + b.im * b.im;
    return (number){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

static double size_of(number a) { return fabs(a.re) + fabs(a.im); }

/* ---- small full matrices, of complex numbers: the real ones are few ---------------------------------------- */

static bool factor_full(uint32_t n, number *m, uint32_t *pivot)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t r = k + 1; r < n; r++)
            if (size_of(m[r * n + k]) > size_of(m[best * n + k])) best = r;
        pivot[k] = best;
        if (!(size_of(m[best * n + k]) > 0.0)) return false;
        for (uint32_t c = 0; c < n && best != k; c++) {
            const number kept = m[k * n + c];
            m[k * n + c] = m[best * n + c];
            m[best * n + c] = kept;
        }
        for (uint32_t r = k + 1; r < n; r++) {
            const number factor = m[r * n + k] = over(m[r * n + k], m[k * n + k]);
            for (uint32_t c = k + 1; c < n && size_of(factor) > 0.0; c++) {
                const number product = times(factor, m[k * n + c]);
                m[r * n + c].re -= product.re;
                m[r * n + c].im -= product.im;
            }
        }
    }
    return true;
}

static void solve_full(uint32_t n, const number *m, const uint32_t *pivot, number *b)
{
    for (uint32_t k = 0; k < n; k++) {
        const number kept = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = kept;
    }
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < r; c++) {
            const number product = times(m[r * n + c], b[c]);
            b[r].re -= product.re;
            b[r].im -= product.im;
        }
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t c = r + 1; c < n; c++) {
            const number product = times(m[r * n + c], b[c]);
            b[r].re -= product.re;
            b[r].im -= product.im;
        }
        b[r] = over(b[r], m[r * n + r]);
    }
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

static double *new_numbers(const tn_system *system, size_t count)
{
    return system->host->allocate(system->host, (count + 1) * sizeof(double));
}

bool tn_radau_make_states(radau_work *work)
{
    tn_system *system = work->system;
    const size_t n = work->states;
    if (!tn_state_derivatives_make(&work->derivatives, system, work->states)) return false;
    if (!work->derivatives.known) return true;
    work->real_columns = new_numbers(system, 2 * n * work->unknowns);
    work->complex_columns = new_numbers(system, 2 * n * work->unknowns);
    work->real_schur = new_numbers(system, 2 * n * n);
    work->complex_schur = new_numbers(system, 2 * n * n);
    work->real_pivot = system->host->allocate(system->host, (n + 1) * sizeof(uint32_t));
    work->complex_pivot = system->host->allocate(system->host, (n + 1) * sizeof(uint32_t));
    return work->real_columns && work->complex_columns && work->real_schur && work->complex_schur &&
           work->real_pivot && work->complex_pivot;
}

tn_status tn_radau_differentiate_states(radau_work *work)
{
    return work->derivatives.known ? tn_state_derivatives_find(&work->derivatives) : TN_OK;
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

/* One of the two systems of a step; its numbers are pairs, but for right-hand sides and columns of the real one. */
typedef struct stage_system {
    bool complex;
    number s;
    double *columns, *schur, *right, *x;
    uint32_t *pivot;
} stage_system;

static stage_system system_of(const radau_work *work, double h, bool complex)
{
    if (complex)
        return (stage_system){true,
                              {RADAU_ALPHA / h, RADAU_BETA / h},
                              work->complex_columns,
                              work->complex_schur,
                              work->complex,
                              work->x_complex,
                              work->complex_pivot};
    return (stage_system){false,      {RADAU_GAMMA / h, 0.0}, work->real_columns, work->real_schur,
                          work->real, work->x_real,           work->real_pivot};
}

static number read(const stage_system *s, const double *numbers, size_t i)
{
    return s->complex ? (number){numbers[2 * i], numbers[2 * i + 1]} : (number){numbers[i], 0.0};
}

static void add(const stage_system *s, double *numbers, size_t i, number what)
{
    numbers[s->complex ? 2 * i : i] += what.re;
    if (s->complex) numbers[2 * i + 1] += what.im;
}

static tn_status solve_motion(const radau_work *work, const stage_system *s, double *right)
{
    tn_system *system = work->system;
    if (!system->nv) return TN_OK;
    return s->complex ? work->equations->solve_complex(system, right)
                      : work->equations->solve_real(system, right);
}

/* (C y)_k */
static number rate_of(const radau_work *work, const stage_system *s, uint32_t k, const double *y)
{
    const size_t nv = work->system->nv;
    const double *by_q = work->derivatives.rate_by_motion + 2 * nv * k, *by_v = by_q + nv;
    number of_q = {0.0, 0.0}, of_v = {0.0, 0.0};
    for (size_t j = 0; j < nv; j++) {
        if (by_q[j] == 0.0 && by_v[j] == 0.0) continue;
        const number value = read(s, y, j);
        of_q = (number){of_q.re + by_q[j] * value.re, of_q.im + by_q[j] * value.im};
        of_v = (number){of_v.re + by_v[j] * value.re, of_v.im + by_v[j] * value.im};
    }
    const number share = over(of_q, s->s);
    return (number){of_v.re + share.re, of_v.im + share.im};
}

static tn_status factor_system(radau_work *work, stage_system s)
{
    const size_t n = work->states, width = (s.complex ? 2 : 1) * work->unknowns;
    number *schur = (number *)(void *)s.schur;
    for (uint32_t j = 0; j < n; j++) {
        double *column = s.columns + j * width;
        memset(column, 0, width * sizeof *column);
        for (uint32_t i = 0; i < work->system->nv; i++)
            column[s.complex ? 2 * i : i] = work->derivatives.force_by_state[i * n + j];
        const tn_status status = solve_motion(work, &s, column);
        if (status != TN_OK) return status;
        for (uint32_t k = 0; k < n; k++) {
            const number indirect = rate_of(work, &s, k, column), own = k == j ? s.s : (number){0.0, 0.0};
            schur[k * n + j] = (number){own.re - work->derivatives.rate_by_state[k * n + j] - indirect.re,
                                        own.im - indirect.im};
        }
    }
    return factor_full((uint32_t)n, schur, s.pivot) ? TN_OK : TN_RETRY;
}

tn_status tn_radau_factor_states(radau_work *work, double h)
{
    if (!work->derivatives.known) return TN_OK;
    const tn_status status = factor_system(work, system_of(work, h, false));
    return status == TN_OK ? factor_system(work, system_of(work, h, true)) : status;
}

/* Right-hand sides become solutions. */
static tn_status solve_all(radau_work *work, stage_system s)
{
    const uint32_t n = work->states;
    const size_t width = (s.complex ? 2 : 1) * work->unknowns;
    const tn_status status = solve_motion(work, &s, s.right);
    number *x = (number *)(void *)work->x_work;
    for (uint32_t k = 0; k < n && status == TN_OK; k++) {
        const number own = read(&s, s.x, k),
                     more = work->derivatives.known ? rate_of(work, &s, k, s.right) : (number){0.0, 0.0};
        x[k] = (number){own.re + more.re, own.im + more.im};
        if (!work->derivatives.known) x[k] = over(x[k], s.s);
    }
    if (work->derivatives.known && status == TN_OK)
        solve_full(n, (const number *)(const void *)s.schur, s.pivot, x);
    memset(s.x, 0, (s.complex ? 2 : 1) * (size_t)n * sizeof *s.x);
    for (uint32_t k = 0; k < n && status == TN_OK; k++) {
        add(&s, s.x, k, x[k]);
        for (uint32_t i = 0; work->derivatives.known && i < work->unknowns; i++)
            add(&s, s.right, i, times(read(&s, s.columns + k * width, i), x[k]));
    }
    return status;
}

tn_status tn_radau_solve_real(radau_work *work, double h)
{
    return solve_all(work, system_of(work, h, false));
}

tn_status tn_radau_solve_complex(radau_work *work, double h)
{
    return solve_all(work, system_of(work, h, true));
}
