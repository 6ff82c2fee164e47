/* modes.c - motions that the reduced tangent resists least: whether the equilibrium is stable, and which motions nothing holds
 *
 * Inverse iteration of a few vectors with the bordered matrix, x <- (K + sigma M)^-1 M x on the constraints, with a tiny shift, and
 * the Rayleigh quotients of their span (Bathe: Finite Element Procedures, 1996, section 11.6). Motions that nothing resists stand out
 * at once: their quotients are round-off of the terms that they are sums of. How many eigenvalues are negative in all is counted by
 * the inertia of the bordered matrix, where it is small and symmetric. */
#include "static.h"

#include <lapacke.h>
#include <stdio.h>

#define NOTHING 1e-9       /* of the terms of a quotient: what is left of them where nothing resists */
#define NO_STIFFNESS 1e-14 /* of the stiffest motion: what a shift that is next to nothing makes, too */
#define LEAST_PART 1e-12   /* of a vector behind the removal of others: less of it is round-off */
#define ERROR_OF_ROWS 1e-5 /* of terms */
#define SHIFT 10.0         /* times the least one */
#define FORCE_LEFT 1e-6    /* of the acceleration of all forces, along a free motion */

enum { SWEEPS = 14, VECTORS = STATIC_MODES, MOST_NAMED = 4 };

typedef struct static_span {
    static_work *work;
    double *vector[VECTORS], *with_mass[VECTORS]; /* [nv] x, M x */
    double *rhs, *solution, *stiff;               /* [size] */
    uint32_t count;
} span;

/* Made once for a search. */
static span *open_span(static_work *work)
{
    const tn_host *host = work->system->host;
    span *s = work->span ? work->span : host->allocate(host, sizeof *s);
    if (!s) return NULL;
    if (!work->span) {
        *s = (span){.work = work};
        s->rhs = host->allocate(host, (work->size + 1) * sizeof(double));
        s->solution = host->allocate(host, (work->size + 1) * sizeof(double));
        s->stiff = host->allocate(host, (work->size + 1) * sizeof(double));
        for (uint32_t k = 0; k < VECTORS; k++) {
            s->vector[k] = host->allocate(host, (work->nv + 1) * sizeof(double));
            s->with_mass[k] = host->allocate(host, (work->nv + 1) * sizeof(double));
            if (!s->vector[k] || !s->with_mass[k]) return NULL;
        }
        if (!s->rhs || !s->solution || !s->stiff) return NULL;
    }
    s->count = work->nv < VECTORS ? work->nv : VECTORS;
    return work->span = s;
}

/* The same numbers in every run. */
static void choose_start(span *s)
{
    uint64_t random = 12345;
    for (uint32_t k = 0; k < s->count; k++)
        for (uint32_t i = 0; i < s->work->nv; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            s->vector[k][i] = s->work->system->scale[i] * ((double)(random >> 11) * 0x1p-53 - 0.5);
        }
}

static double product_of(const double *a, const double *b, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Unit vectors against each other by the masses; what is left of none, or has no mass, is left out. */
static tn_status make_orthogonal(span *s)
{
    const static_work *work = s->work;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        double *x = s->vector[k], *Mx = s->with_mass[k], before = 0.0;
        for (int pass = 0; pass < 3; pass++) {
            for (uint32_t l = 0; l < kept && pass; l++) {
                const double part = product_of(s->with_mass[l], x, work->nv);
                for (uint32_t i = 0; i < work->nv; i++)
                    x[i] -= part * s->vector[l][i];
            }
            const tn_status status = work->operators->mass_multiply(work->system, x, Mx);
            if (status != TN_OK) return status;
            if (pass == 0) before = product_of(x, Mx, work->nv);
        }
        const double square = product_of(x, Mx, work->nv);
        if (!(square > LEAST_PART * LEAST_PART * before) || !isfinite(square)) continue;
        for (uint32_t i = 0; i < work->nv; i++) {
            x[i] /= sqrt(square);
            Mx[i] /= sqrt(square);
        }
        double *const free_x = s->vector[kept], *const free_Mx = s->with_mass[kept];
        s->vector[kept] = x;
        s->with_mass[kept++] = Mx;
        s->vector[k] = free_x;
        s->with_mass[k] = free_Mx;
    }
    s->count = kept;
    return TN_OK;
}

static tn_status sweep(span *s)
{
    const static_work *work = s->work;
    for (uint32_t k = 0; k < s->count; k++) {
        memset(s->rhs, 0, work->size * sizeof *s->rhs);
        memcpy(s->rhs, s->with_mass[k], work->nv * sizeof *s->rhs);
        const tn_status status = tn_static_solve(s->work, s->rhs, s->solution);
        if (status != TN_OK) return status;
        memcpy(s->vector[k], s->solution, work->nv * sizeof *s->rhs);
    }
    return make_orthogonal(s);
}

/* K x into `stiff`, or |K| |x|. */
static void multiply_by_stiffness(span *s, const double *x, bool sizes)
{
    const tn_matrix *A = s->work->matrix;
    const uint32_t nv = s->work->nv;
    memset(s->stiff, 0, nv * sizeof *s->stiff);
    for (uint32_t j = 0; j < nv; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if ((uint32_t)A->row[e] < nv)
                s->stiff[A->row[e]] += sizes ? fabs(A->value[e] * x[j]) : A->value[e] * x[j];
}

/* Where vectors have come to their end what is left of others is round-off, which does not keep to the constraints. */
static bool keeps_rows(span *s, const double *x)
{
    const tn_matrix *A = s->work->matrix;
    const uint32_t nv = s->work->nv;
    double *product = s->rhs, *terms = s->solution;
    memset(product, 0, s->work->size * sizeof *product);
    memset(terms, 0, s->work->size * sizeof *terms);
    for (uint32_t j = 0; j < nv; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            product[A->row[e]] += A->value[e] * x[j];
            terms[A->row[e]] += fabs(A->value[e] * x[j]);
        }
    double largest = 0.0, size = 0.0;
    for (uint32_t r = nv; r < nv + s->work->rows; r++) {
        largest = fmax(largest, fabs(product[r]));
        size = fmax(size, terms[r]);
    }
    return largest <= ERROR_OF_ROWS * size;
}

static void leave_out_round_off(span *s)
{
    for (uint32_t k = 0; k < s->count;) {
        if (keeps_rows(s, s->vector[k])) {
            k++;
            continue;
        }
        double *const free_x = s->vector[k], *const free_Mx = s->with_mass[k];
        s->count--;
        for (uint32_t l = k; l < s->count; l++) {
            s->vector[l] = s->vector[l + 1];
            s->with_mass[l] = s->with_mass[l + 1];
        }
        s->vector[s->count] = free_x;
        s->with_mass[s->count] = free_Mx;
    }
}

/* Quotients of the span, and their vectors in place of those of the span; `vectors` [count][count] by columns. */
static bool solve_span(const span *s, double *H, double *value, double *vectors)
{
    const lapack_int n = (lapack_int)s->count;
    double imaginary[VECTORS], memory[16 * VECTORS], unused[1];
    double largest = 0.0, difference = 0.0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++) {
            largest = fmax(largest, fabs(H[j * s->count + i]));
            difference = fmax(difference, fabs(H[j * s->count + i] - H[i * s->count + j]));
        }
    if (difference <= 1e-7 * largest) {
        memcpy(vectors, H, s->count * s->count * sizeof *H);
        return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, vectors, n, value, memory,
                                  (lapack_int)(sizeof memory / sizeof *memory)) == 0;
    }
    return LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, H, n, value, imaginary, unused, 1, vectors, n,
                              memory, (lapack_int)(sizeof memory / sizeof *memory)) == 0;
}

/* Stiffnesses of the span against each other. */
static void find_stiffness(span *s, double *H)
{
    for (uint32_t j = 0; j < s->count; j++) {
        multiply_by_stiffness(s, s->vector[j], false);
        for (uint32_t i = 0; i < s->count; i++)
            H[j * s->count + i] = product_of(s->vector[i], s->stiff, s->work->nv);
    }
}

/* The same where states follow the motion, which the matrix of motions alone does not know: the inverse of the compliances. Where a
 * controller lets nothing move there are none. */
static tn_status find_stiffness_with_states(span *s, double *H, bool *known)
{
    static_work *work = s->work;
    const uint32_t n = s->count;
    double C[VECTORS * VECTORS];
    lapack_int exchange[VECTORS];
    for (uint32_t j = 0; j < n; j++) {
        memset(s->rhs, 0, work->size * sizeof *s->rhs);
        memcpy(s->rhs, s->with_mass[j], work->nv * sizeof *s->rhs);
        const tn_status status = tn_static_solve(work, s->rhs, s->solution);
        if (status != TN_OK) return status;
        for (uint32_t i = 0; i < n; i++) {
            C[j * n + i] = product_of(s->with_mass[i], s->solution, work->nv);
            H[j * n + i] = i == j ? 1.0 : 0.0;
        }
    }
    const lapack_int order = (lapack_int)n;
    *known = n && LAPACKE_dgesv_work(LAPACK_COL_MAJOR, order, order, C, order, exchange, H, order) == 0;
    for (uint32_t j = 0; j < n; j++)
        H[j * n + j] -= SHIFT * work->least_shift;
    return TN_OK;
}

/* Up to which a stiffness is round-off of its terms. */
static double least_stiffness(span *s, const double *x)
{
    const static_work *work = s->work;
    if (work->states) return SHIFT * work->least_shift;
    double terms = 0.0;
    multiply_by_stiffness(s, x, true);
    for (uint32_t i = 0; i < work->nv; i++)
        terms += fabs(x[i]) * s->stiff[i];
    return NOTHING * terms + NO_STIFFNESS * work->stiffest;
}

static tn_status find_quotients(span *s, static_modes *modes)
{
    const static_work *work = s->work;
    const uint32_t n = s->count;
    double H[VECTORS * VECTORS], vectors[VECTORS * VECTORS];
    bool known = true;
    const tn_status status = work->states ? find_stiffness_with_states(s, H, &known) : TN_OK;
    if (status != TN_OK || !known) return status;
    if (!work->states) find_stiffness(s, H);
    if (n && !solve_span(s, H, modes->value, vectors)) return TN_FATAL;
    for (uint32_t j = 0; j < n; j++) {
        double *x = s->with_mass[j];
        memset(x, 0, work->nv * sizeof *x);
        for (uint32_t l = 0; l < n; l++)
            for (uint32_t i = 0; i < work->nv; i++)
                x[i] += vectors[j * n + l] * s->vector[l][i];
        modes->vector[j] = x;
    }
    for (uint32_t j = 0; j < n; j++) {
        modes->is_free[j] = fabs(modes->value[j]) <= least_stiffness(s, modes->vector[j]);
        modes->free_count += modes->is_free[j];
        modes->negative += !modes->is_free[j] && modes->value[j] < 0.0;
    }
    modes->count = n;
    return TN_OK;
}

tn_status tn_static_find_modes(static_work *work, static_modes *modes)
{
    *modes = (static_modes){0};
    if (!work->nv) return TN_OK;
    span *const s = open_span(work);
    if (!s) return TN_OUT_OF_MEMORY;
    choose_start(s);
    tn_status status = tn_static_evaluate(work);
    if (status == TN_OK) status = make_orthogonal(s);
    if (status == TN_OK) status = tn_static_matrix(work, SHIFT * work->least_shift);
    if (status != TN_OK) return status;
    const int negative = tn_static_negative(work);
    status = tn_static_factor(work);
    for (int k = 0; k < SWEEPS && status == TN_OK; k++)
        status = sweep(s);
    if (status == TN_OK && !work->states) status = tn_static_matrix(work, 0.0);
    if (status == TN_OK) leave_out_round_off(s);
    if (status == TN_OK) status = find_quotients(s, modes);
    modes->exact = negative >= 0 && work->symmetry && !work->states;
    if (modes->exact && (uint32_t)negative > modes->negative) modes->negative = (uint32_t)negative;
    return status;
}

/* Vectors of the same span that have as many zeros as can be: each has one coordinate that the others do not have. */
static void separate(const static_work *work, double **vector, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t best = k, place = 0;
        double largest = 0.0;
        for (uint32_t l = k; l < count; l++)
            for (uint32_t i = 0; i < work->nv; i++) {
                const double size = fabs(vector[l][i]) / work->system->scale[i];
                if (size > largest) {
                    largest = size;
                    best = l;
                    place = i;
                }
            }
        double *const pivot = vector[best];
        vector[best] = vector[k];
        vector[k] = pivot;
        for (uint32_t l = 0; l < count; l++) {
            const double share = l == k || pivot[place] == 0.0 ? 0.0 : vector[l][place] / pivot[place];
            for (uint32_t i = 0; i < work->nv && share != 0.0; i++)
                vector[l][i] -= share * pivot[i];
        }
    }
}

uint32_t tn_static_name_free(static_work *work, const static_modes *modes, bool loaded, char *text,
                             size_t size)
{
    double *vector[VECTORS];
    uint32_t count = 0, named = 0;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < modes->count; k++)
        if (modes->is_free[k]) vector[count++] = modes->vector[k];
    separate(work, vector, count);
    for (uint32_t k = 0; k < count; k++) {
        double work_done = 0.0, sizes = 0.0;
        for (uint32_t i = 0; i < work->nv; i++) {
            work_done += work->residual[i] * vector[k][i];
            sizes = fmax(sizes, fabs(vector[k][i]) / work->system->scale[i]);
        }
        if (loaded && !(fabs(work_done) > FORCE_LEFT * work->energy * sizes)) continue;
        for (uint32_t i = 0; i < work->nv && work_done < 0.0; i++) // the way that it would go
            vector[k][i] = -vector[k][i];
        if (++named > MOST_NAMED) continue;
        char motion[STATIC_NAMES / 2];
        work->statics->describe(work->system, vector[k], motion, sizeof motion);
        const int length = snprintf(text + used, size - used, "%s%s freely", named > 1 ? "; " : "", motion);
        if (length < 0 || used + (size_t)length >= size) break;
        used += (size_t)length;
    }
    if (named > MOST_NAMED) (void)snprintf(text + used, size - used, "; and %u more", named - MOST_NAMED);
    return named;
}
