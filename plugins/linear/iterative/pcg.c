/* pcg.c - conjugate gradients with a preconditioner */
#include "iterative.h"

/* The direction that follows is conjugate to the last one whatever the preconditioner, and a small asymmetry, have done to it. */
static tn_status cycle(iterative *k, double target)
{
    double *r = k->residual, *d = k->correction;
    double *z = vector_of(k, 0), *p = vector_of(k, 1), *q = vector_of(k, 2);
    const double goal = target * vector_norm(k, r);
    preconditioner_apply(k, r, z);
    vector_copy(k, z, p);
    vector_clear(k, d);
    while (k->used < k->settings.iterations) {
        block_matrix_multiply(k, p, q);
        const double work = vector_dot(k, p, q);
        if (!(work > 0.0)) return TN_RETRY;
        const double length = vector_dot(k, p, r) / work;
        vector_add(k, length, p, d);
        vector_add(k, -length, q, r);
        k->used++;
        if (vector_norm(k, r) <= goal) break;
        preconditioner_apply(k, r, z);
        vector_combine(k, 1.0, z, -vector_dot(k, z, q) / work, p);
    }
    return TN_OK;
}

static const iterative_method pcg_method = {.name = "pcg",
                                            .is_symmetric = true,
                                            .is_definite = true,
                                            .vectors = 3,
                                            .most_asymmetry = 0.1,
                                            .cycle = cycle};

/* ---- the type ---- */

TN_PARAMETERS(pcg, ITERATIVE_PARAMETERS)
TN_SYNONYMS(pcg, {"cg", NULL, NULL}, {"conjugate_gradients", NULL, NULL}, {"iccg", NULL, NULL},
            {"max_iterations", "iterations", NULL}, {"tol", "tolerance", NULL})

static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self)
{
    const pcg *of = instance;
    iterative_settings settings = ITERATIVE_SETTINGS(of);
    return iterative_create(host, &pcg_method, settings, matrix, self);
}

const tn_linear_type pcg_type = {
    ITERATIVE_TYPE(pcg),
    .summary =
        "conjugate gradients for symmetric positive definite matrices: large nets and lattices without "
        "constraints",
    .formula = "A x = b, A = A^T > 0;  M = (P + L) P^-1 (P + L^T),  P_i = A_ii - sum_j<i A_ij P_j^-1 A_ji",
    .literature =
        "Hestenes, Stiefel: Methods of conjugate gradients for solving linear systems, J. Res. Natl. Bur. "
        "Stand. 49 (1952) 409-436\n"
        "Meijerink, van der Vorst: An iterative solution method for linear systems of which the coefficient "
        "matrix is a symmetric M-matrix, Math. Comput. 31 (1977) 148-162\n"
        "Notay: Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000) 1444-1460",
};
