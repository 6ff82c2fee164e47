/* dense.c - all eigenvalues by full matrices (eigen.h): of symmetric masses and stiffnesses alone, or of the state matrix */
#include "eigen.h"

#include <lapacke.h>

enum { LARGEST = 5000 }; /* of a matrix: beyond it takes gigabytes and hours */

/* ---- masses and stiffnesses ------------------------------------------------------------------------------------ */

/* Eigenvalues of K y = w^2 M y on what is free, ascending, and their vectors y. */
static tn_status solve_symmetric(const eigen_work *work, const eigen_reduced *r, double *value,
                                 double **vector)
{
    const tn_host *host = work->host;
    const size_t nv = r->nv, m = r->positions;
    double *K = tn_eigen_numbers(host, m * m), *M = tn_eigen_numbers(host, m * m),
           *product = tn_eigen_numbers(host, nv * m), *room = tn_eigen_numbers(host, 40 * m + 8);
    if (!K || !M || !product || !room) return TN_OUT_OF_MEMORY;
    tn_eigen_product(nv, nv, m, r->stiffness, r->free_positions, product);
    tn_status status = tn_eigen_transposed_product(host, m, nv, m, r->free_positions, product, K);
    tn_eigen_product(nv, nv, m, r->mass, r->free_positions, product);
    if (status == TN_OK) status = tn_eigen_transposed_product(host, m, nv, m, r->free_positions, product, M);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++)
            K[j * m + i] = 0.5 * (K[j * m + i] + K[i * m + j]);
    const lapack_int order = (lapack_int)m;
    if (status == TN_OK && m &&
        LAPACKE_dsygv_work(LAPACK_COL_MAJOR, 1, 'V', 'U', order, K, order, M, order, value, room,
                           40 * order + 8) != 0)
        status = TN_RETRY;
    *vector = K;
    return status;
}

static void load_motion(const eigen_reduced *r, const double *y, double *motion)
{
    for (size_t i = 0; i < r->nv; i++) {
        motion[2 * i] = motion[2 * i + 1] = 0.0;
        for (size_t k = 0; k < r->positions; k++)
            motion[2 * i] += r->free_positions[k * r->nv + i] * y[k];
        motion[2 * i] *= r->scale[i];
    }
}

/* One mode for w^2 >= 0; else the two eigenvalues of a motion that goes away, and of its way there. */
static tn_status add_symmetric(eigen_work *work, const double *motion, double square)
{
    const int count = square < 0.0 ? 2 : 1;
    for (int k = 0; k < count; k++) {
        eigen_mode *mode = square < 0.0 ? tn_eigen_add(work, (k ? 1.0 : -1.0) * sqrt(-square), 0.0)
                                        : tn_eigen_add(work, 0.0, sqrt(square));
        if (!mode) return TN_OUT_OF_MEMORY;
        memcpy(mode->motion, motion, 2 * (size_t)work->nv * sizeof *motion);
    }
    return TN_OK;
}

tn_status tn_eigen_add_quotient(eigen_work *work, const double *motion)
{
    double terms = 0.0;
    const double mass = tn_eigen_mass_of(work, motion),
                 stiffness = tn_eigen_stiffness_of(work, motion, &terms);
    return add_symmetric(work, motion, fabs(stiffness) <= EIGEN_NOTHING * terms ? 0.0 : stiffness / mass);
}

static tn_status find_symmetric(eigen_work *work, const eigen_reduced *r)
{
    double *value = tn_eigen_numbers(work->host, r->positions), *vector = NULL,
           *motion = tn_eigen_numbers(work->host, 2 * r->nv);
    if (!value || !motion) return TN_OUT_OF_MEMORY;
    tn_status status = solve_symmetric(work, r, value, &vector);
    for (size_t k = 0; k < r->positions && status == TN_OK; k++) {
        load_motion(r, vector + k * r->positions, motion);
        status = tn_eigen_add_quotient(work, motion);
    }
    return status;
}

/* ---- the state matrix ------------------------------------------------------------------------------------------- */

static tn_status add_general(eigen_work *work, const eigen_reduced *r, const eigen_solution *s, size_t k)
{
    const double *z = s->vector[k];
    eigen_mode *mode = tn_eigen_add(work, s->re[k], s->im[k]);
    if (!mode) return TN_OUT_OF_MEMORY;
    for (size_t j = 0; j < r->positions; j++)
        for (size_t i = 0; i < r->nv; i++)
            for (size_t c = 0; c < 2; c++)
                mode->motion[2 * i + c] += r->scale[i] * r->free_positions[j * r->nv + i] * z[2 * j + c];
    memcpy(mode->state, z + 2 * (r->size - r->states), 2 * r->states * sizeof *z);
    return TN_OK;
}

static tn_status find_general(eigen_work *work, const eigen_reduced *r)
{
    double *A = NULL;
    eigen_solution solution;
    tn_status status = tn_eigen_state_matrix(work, r, &A);
    if (status == TN_OK) status = tn_eigen_solve(work->host, r, A, &solution);
    for (size_t k = 0; status == TN_OK && k < solution.count; k++)
        status = add_general(work, r, &solution, k);
    return status;
}

bool tn_eigen_fits_dense(const eigen_work *work)
{
    return (work->symmetric ? work->nv : 2 * (size_t)work->nv + work->nx) <= LARGEST;
}

tn_status tn_eigen_dense(eigen_work *work)
{
    eigen_reduced reduced;
    if (!tn_eigen_fits_dense(work))
        return work->system->fail(work->system, TN_INVALID, NULL,
                                  "the model is too large for dense matrices, which have all eigenvalues: "
                                  "`method = \"sparse\"` finds up "
                                  "to half of them");
    tn_status status = tn_eigen_reduce(work, &reduced);
    if (status == TN_OK)
        status = work->symmetric ? find_symmetric(work, &reduced) : find_general(work, &reduced);
    if (status != TN_RETRY) return status;
    return work->system->fail(work->system, TN_INVALID, NULL,
                              "the eigenvalues of the linearised equations did not converge");
}
