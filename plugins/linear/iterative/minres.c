/* minres.c - minimal residuals: Lanczos' process, whose tridiagonal matrix is reduced by rotations as it grows */
#include "iterative.h"

#include <math.h>

/* The rotations of the last two columns. */
typedef struct rotations {
    double c, s, c_before, s_before;
} rotations;

/* The column [off, diagonal, next] of the tridiagonal matrix, reduced: two entries above, and the diagonal. */
typedef struct reduced_column {
    double far, above, diagonal;
} reduced_column;

static reduced_column rotate(rotations *of, double off, double diagonal, double next)
{
    const double turned = of->c * diagonal - of->c_before * of->s * off;
    const reduced_column reduced = {of->s_before * off, of->s * diagonal + of->c_before * of->c * off,
                                    hypot(turned, next)};
    of->c_before = of->c;
    of->s_before = of->s;
    of->c = turned / reduced.diagonal;
    of->s = next / reduced.diagonal;
    return reduced;
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static tn_status cycle(iterative *k, double target)
{
    double *d = k->correction, *v = k->residual;
    double *v_before = vector_of(k, 0), *z = vector_of(k, 1), *next = vector_of(k, 2);
    double *w = vector_of(k, 3), *w_before = vector_of(k, 4);
    rotations of = {.c = 1.0, .c_before = 1.0};
    preconditioner_apply(k, v, z);
    const double first = sqrt(fmax(vector_dot(k, z, v), 0.0));
    double length = first, length_before = 1.0, left = first;
    vector_clear(k, d);
    vector_clear(k, v_before);
    vector_clear(k, w);
    vector_clear(k, w_before);
    while (k->used < k->settings.iterations && length > 0.0 && fabs(left) > target * first) {
        vector_scale(k, 1.0 / length, z);
        block_matrix_multiply(k, z, next);
        const double diagonal = vector_dot(k, next, z);
        vector_add(k, -diagonal / length, v, next);
        vector_add(k, -length / length_before, v_before, next);
        exchange(&v_before, &v);
        exchange(&v, &next); /* the vectors are v_before, v, and room in `next` */

        /* w = (z - far w_before - above w) / diagonal, with the preconditioned z of the next one behind it */
        length_before = length;
        vector_copy(k, z, next);
        preconditioner_apply(k, v, z);
        length = sqrt(fmax(vector_dot(k, z, v), 0.0));
        const reduced_column reduced = rotate(&of, length_before, diagonal, length);
        k->used++;
        if (!(reduced.diagonal > 0.0)) break;
        vector_combine(k, 1.0 / reduced.diagonal, next, -reduced.far / reduced.diagonal, w_before);
        vector_add(k, -reduced.above / reduced.diagonal, w, w_before);
        exchange(&w, &w_before);
        vector_add(k, of.c * left, w, d);
        left *= -of.s;
    }
    return TN_OK;
}

static const iterative_method minres_method = {
    .name = "minres", .is_symmetric = true, .vectors = 5, .most_asymmetry = 0.1, .cycle = cycle};

/* ---- the type ---- */

TN_PARAMETERS(minres, ITERATIVE_PARAMETERS)
TN_SYNONYMS(minres, {"minimal_residual", NULL, NULL}, {"symmlq", NULL, NULL},
            {"max_iterations", "iterations", NULL}, {"tol", "tolerance", NULL})

static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self)
{
    const minres *of = instance;
    iterative_settings settings = ITERATIVE_SETTINGS(of);
    return iterative_create(host, &minres_method, settings, matrix, self);
}

const tn_linear_type minres_type = {
    ITERATIVE_TYPE(minres),
    .summary = "minimal residuals for symmetric indefinite matrices: large models with constraints",
    .formula =
        "[A G^T; G -E] x = b;  M = diag(A', S'),  S = E + G diag(A)^-1 G^T,  A', S' incomplete factors",
    .literature =
        "Paige, Saunders: Solution of sparse indefinite systems of linear equations, SIAM J. Numer. "
        "Anal. 12 (1975) 617-629\n"
        "Murphy, Golub, Wathen: A note on preconditioning for indefinite linear systems, SIAM J. Sci. "
        "Comput. 21 (2000) 1969-1972\n"
        "Elman, Silvester, Wathen: Finite elements and fast iterative solvers, 2nd ed., Oxford, 2014",
};
