/* gmres.c - generalised minimal residuals with the preconditioner on the right: Arnoldi's process, reduced by rotations as it grows */
#include "iterative.h"

#include <math.h>

/* The upper triangular matrix [restart + 1][restart], column by column, and behind it cosines, sines, and the right-hand side. */
typedef struct reduced {
    double *h, *c, *s, *g;
    size_t rows;
} reduced;

static reduced reduced_of(const iterative *k)
{
    const size_t m = (size_t)k->settings.restart;
    double *h = k->hessenberg, *c = h + (m + 1) * m;
    return (reduced){h, c, c + m, c + 2 * m, m + 1};
}

static double *basis_of(const iterative *k, size_t j) { return k->basis + j * k->size; }

/* Column j, with what is left of F M^-1 v_j as the next vector of the basis. */
static void orthogonalise(iterative *k, size_t j, double *column)
{
    double *w = basis_of(k, j + 1), *z = vector_of(k, 0);
    preconditioner_apply(k, basis_of(k, j), z);
    block_matrix_multiply(k, z, w);
    for (size_t i = 0; i <= j; i++) {
        column[i] = vector_dot(k, w, basis_of(k, i));
        vector_add(k, -column[i], basis_of(k, i), w);
    }
    column[j + 1] = vector_norm(k, w);
    if (column[j + 1] > 0.0) vector_scale(k, 1.0 / column[j + 1], w);
}

/* Turns the entry below the diagonal of column j to zero. */
static void rotate(const reduced *of, size_t j)
{
    double *column = of->h + j * of->rows;
    for (size_t i = 0; i < j; i++) {
        const double upper = column[i], lower = column[i + 1];
        column[i] = of->c[i] * upper + of->s[i] * lower;
        column[i + 1] = of->c[i] * lower - of->s[i] * upper;
    }
    const double length = hypot(column[j], column[j + 1]);
    of->c[j] = length > 0.0 ? column[j] / length : 1.0;
    of->s[j] = length > 0.0 ? column[j + 1] / length : 0.0;
    column[j] = length;
    of->g[j + 1] = -of->s[j] * of->g[j];
    of->g[j] *= of->c[j];
}

/* M^-1 times the combination of the basis that solves the triangular system. */
static void combine(iterative *k, const reduced *of, size_t count)
{
    double *sum = vector_of(k, 0);
    vector_clear(k, sum);
    for (size_t j = count; j-- > 0;) {
        const double diagonal = of->h[j * of->rows + j];
        const double share = diagonal > 0.0 ? of->g[j] / diagonal : 0.0;
        for (size_t i = 0; i < j; i++)
            of->g[i] -= share * of->h[j * of->rows + i];
        vector_add(k, share, basis_of(k, j), sum);
    }
    preconditioner_apply(k, sum, k->correction);
}

static tn_status cycle(iterative *k, double target)
{
    const reduced of = reduced_of(k);
    const double first = vector_norm(k, k->residual);
    size_t j = 0;
    of.g[0] = first;
    vector_copy(k, k->residual, basis_of(k, 0));
    vector_scale(k, 1.0 / first, basis_of(k, 0));
    while (j < (size_t)k->settings.restart && k->used < k->settings.iterations) {
        double *column = of.h + j * of.rows;
        orthogonalise(k, j, column);
        const bool complete = !(column[j + 1] > 0.0);
        rotate(&of, j);
        k->used++;
        j++;
        if (complete || fabs(of.g[j]) <= target * first) break;
    }
    combine(k, &of, j);
    return TN_OK;
}

static const iterative_method gmres_method = {
    .name = "gmres", .vectors = 1, .most_asymmetry = HUGE_VAL, .cycle = cycle};

/* ---- the type ---- */

#define GMRES(P)                         \
    ITERATIVE_PARAMETERS(P)              \
    P(INTEGER, restart, 0, 50, 1, 10000, \
      "iterations after which the basis is begun anew: so many vectors, and one, are kept")
TN_PARAMETERS(gmres, GMRES)
TN_SYNONYMS(gmres, {"bicgstab", NULL, NULL}, {"fgmres", NULL, NULL}, {"spgmr", NULL, NULL},
            {"max_iterations", "iterations", NULL}, {"tol", "tolerance", NULL})

static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self)
{
    const gmres *of = instance;
    iterative_settings settings = ITERATIVE_SETTINGS(of);
    settings.restart = of->restart;
    return iterative_create(host, &gmres_method, settings, matrix, self);
}

const tn_linear_type gmres_type = {
    ITERATIVE_TYPE(gmres),
    .summary = "generalised minimal residuals for any regular matrix: large models, also unsymmetric ones",
    .formula = "min |b - A M^-1 y|,  y in span(b, A M^-1 b, ...),  begun anew after `restart` iterations",
    .literature =
        "Saad, Schultz: GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear "
        "systems, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869\n"
        "Barrett et al.: Templates for the solution of linear systems, SIAM, 1994 (D-ILU)",
};
