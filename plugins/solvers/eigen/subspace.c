/* subspace.c - eigenvalues and vectors in a subspace that iterations have found (search.h)
 *
 * With V the basis and T = V^H (A - s)^-1 V an eigenvalue 1/(z - s) of T is z. Zeros are singular directions of I + s T, and often there
 * are fewer vectors than zeros: round-off would spread these over its root. As in zeros.c the null space is split off by a unitary
 * matrix, again and again, until the rest is regular:
 *
 *     W^H T W = N  S     N has -1/s on its diagonal, and zeros below
 *               0  R
 *
 * An eigenvector y of R belongs to (x, y) with (t - N) x = S y. */
#include "search.h"

#define SINGULAR \
    1e-10 /* of I + s T, whose singular values are about 1 of what is further away than the shift, at least, */
#define ROUND_OFF \
    4e-15            /* and of the square of the fastest eigenvalue against the shift: that of stiffnesses; */
#define AT_MOST 1e-4 /* at most */

typedef struct small {
    lapack_int order, zeros;
    double _Complex *T, *W; /* [order][order] */
} small;

static double _Complex *numbers(const eigen_search *s, size_t count)
{
    return s->work->host->allocate(s->work->host, (count + 1) * sizeof(double _Complex));
}

/* T = V^H (A - s)^-1 V. */
static tn_status project(eigen_search *s, const small *a)
{
    const size_t k = s->known, n = s->size;
    double _Complex *z = numbers(s, n);
    tn_status status = z ? TN_OK : TN_OUT_OF_MEMORY;
    for (size_t j = 0; j < k && status == TN_OK; j++) {
        status = tn_search_apply(s, s->basis + j * n, z);
        for (size_t i = 0; i < k; i++) {
            double _Complex sum = 0.0;
            for (size_t l = 0; l < n; l++)
                sum += conj(s->basis[i * n + l]) * z[l];
            a->T[j * k + i] = sum;
        }
        a->W[j * k + j] = 1.0;
    }
    return status;
}

/* C = A B, or A^H B. */
static void multiply(lapack_int order, bool adjoint, const double _Complex *A, const double _Complex *B,
                     double _Complex *C)
{
    for (lapack_int j = 0; j < order; j++)
        for (lapack_int i = 0; i < order; i++) {
            double _Complex sum = 0.0;
            for (lapack_int l = 0; l < order; l++)
                sum += (adjoint ? conj(A[i * order + l]) : A[l * order + i]) * B[j * order + l];
            C[j * order + i] = sum;
        }
}

/* T becomes U^H T U, W becomes W U. */
static void turn(const small *a, const double _Complex *U, double _Complex *memory)
{
    const size_t bytes = (size_t)(a->order * a->order) * sizeof *memory;
    multiply(a->order, false, a->T, U, memory);
    multiply(a->order, true, U, memory, a->T);
    multiply(a->order, false, a->W, U, memory);
    memcpy(a->W, memory, bytes);
}

static double find_tolerance(const eigen_search *s)
{
    const double rate = s->work->fastest / cabs(s->s);
    return fmin(fmax(SINGULAR, ROUND_OFF * rate * rate), AT_MOST);
}

/* Splits the null space of the rest off; false where there is none. */
static tn_status split(const eigen_search *s, small *a, bool *more)
{
    const lapack_int n = a->order, left = n - a->zeros, room = 8 * n + 64;
    const size_t all = (size_t)(n * n);
    double *size = tn_eigen_numbers(s->work->host, (size_t)n),
           *real = tn_eigen_numbers(s->work->host, 5 * (size_t)n);
    double _Complex *M = numbers(s, all), *V = numbers(s, all), *U = numbers(s, all),
                    *work = numbers(s, (size_t)room), none;
    *more = false;
    if (!size || !real || !M || !V || !U || !work) return TN_OUT_OF_MEMORY;
    for (lapack_int j = 0; j < left; j++)
        for (lapack_int i = 0; i < left; i++)
            M[j * left + i] = (i == j) + s->s * a->T[(a->zeros + j) * n + a->zeros + i];
    if (LAPACKE_zgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', left, left, M, left, size, &none, 1, V, left, work,
                            room, real) != 0)
        return TN_RETRY;
    lapack_int rank = left;
    while (rank > 0 && !(size[rank - 1] > find_tolerance(s) * fmax(1.0, size[0])))
        rank--;
    const lapack_int found = left - rank;
    if (!found) return TN_OK;
    for (lapack_int j = 0; j < a->zeros; j++)
        U[j * n + j] = 1.0;
    for (lapack_int j = 0; j < left; j++) // null vectors first: rows of V^H, the last ones of it
        for (lapack_int i = 0; i < left; i++)
            U[(a->zeros + j) * n + a->zeros + i] = conj(V[i * left + (j < found ? rank + j : j - found)]);
    turn(a, U, M);
    a->zeros += found;
    *more = a->zeros < n;
    return TN_OK;
}

/* y [order] of the basis turned by W. */
static void add_vector(eigen_search *s, const small *a, double _Complex value, const double _Complex *y)
{
    const size_t n = s->size, order = (size_t)a->order;
    double _Complex *vector = s->vector + s->found * n;
    memset(vector, 0, n * sizeof *vector);
    for (size_t k = 0; k < order; k++) {
        double _Complex own = 0.0;
        for (size_t l = 0; l < order; l++)
            own += a->W[l * order + k] * y[l];
        for (size_t i = 0; i < n && own != 0.0; i++)
            vector[i] += own * s->basis[k * n + i];
    }
    s->value[s->found++] = value;
}

/* x of (t - N) x = S y: (x, y) stands in `whole`, whose first numbers are zero. */
static void complete(const small *a, double _Complex t, double _Complex *whole)
{
    const size_t n = (size_t)a->order;
    for (size_t i = (size_t)a->zeros; i-- > 0;) {
        double _Complex sum = 0.0;
        for (size_t l = i + 1; l < n; l++)
            sum += a->T[l * n + i] * whole[l];
        whole[i] = sum / (t - a->T[i * n + i]);
    }
}

static tn_status add_rest(eigen_search *s, const small *a)
{
    const size_t n = (size_t)a->order, zeros = (size_t)a->zeros, left = n - zeros;
    const lapack_int order = (lapack_int)left, room = 8 * order + 64;
    double _Complex *R = numbers(s, left * left), *V = numbers(s, left * left), *t = numbers(s, left),
                    *whole = numbers(s, n), *work = numbers(s, (size_t)room), none;
    double *real = tn_eigen_numbers(s->work->host, 2 * left);
    if (!R || !V || !t || !whole || !work || !real) return TN_OUT_OF_MEMORY;
    if (!left) return TN_OK;
    for (size_t j = 0; j < left; j++)
        memcpy(R + j * left, a->T + (zeros + j) * n + zeros, left * sizeof *R);
    if (LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'V', order, R, order, t, &none, 1, V, order, work, room,
                           real) != 0)
        return TN_RETRY;
    for (size_t k = 0; k < left; k++) {
        if (t[k] == 0.0) continue;
        memset(whole, 0, n * sizeof *whole);
        memcpy(whole + zeros, V + k * left, left * sizeof *whole);
        complete(a, t[k], whole);
        add_vector(s, a, s->s + 1.0 / t[k], whole);
    }
    return TN_OK;
}

tn_status tn_search_resolve(eigen_search *s)
{
    const size_t k = s->known;
    small a = {.order = (lapack_int)k, .T = numbers(s, k * k), .W = numbers(s, k * k)};
    double _Complex *y = numbers(s, k);
    s->found = 0;
    if (!a.T || !a.W || !y) return TN_OUT_OF_MEMORY;
    tn_status status = project(s, &a);
    for (bool more = k > 0; more && status == TN_OK;)
        status = split(s, &a, &more);
    for (lapack_int j = 0; j < a.zeros && status == TN_OK; j++) {
        memset(y, 0, k * sizeof *y);
        y[j] = 1.0;
        add_vector(s, &a, 0.0, y);
    }
    return status == TN_OK ? add_rest(s, &a) : status;
}
