/* eigen.h - the parameters of eigen, and the memory of one search for modes. */
#ifndef TENON_EIGEN_H
#define TENON_EIGEN_H

#include <tenon/draft/linearisation.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/own_matrices.h>
#include <tenon/draft/statics.h>
#include <tenon/draft/stepping.h>
#include <tenon/draft/tables.h>

#include <math.h>
#include <string.h>

#define EIGEN_NOTHING 1e-12 /* of the terms of a quotient: what is left of them where nothing resists */

enum { METHOD_AUTOMATIC, METHOD_DENSE, METHOD_SPARSE };

typedef struct eigen_instance {
    double near; /* Hz */
    int64_t count;
    int32_t damped, force, method;
} eigen_instance;

/* An eigenvalue, one of a pair of conjugates, and its vector, both parts side by side: dq in still axes [nv][2], dx [n][2]. */
typedef struct eigen_mode {
    double re, im; /* 1/s; im is not negative */
    double *motion, *state;
} eigen_mode;

typedef struct eigen_work {
    const eigen_instance *settings;
    tn_system *system;
    const tn_host *host;
    const tn_linearisation *linear;
    const tn_statics *statics;
    const tn_operators *operators;
    const tn_own_matrices *matrices;
    uint32_t nv, rows, nx;
    double turning[3];         /* rad/s, of axes that turn with a steady motion */
    uint32_t *vector, vectors; /* first components of velocities and angular velocities */
    const double *velocity;    /* [nv] v in still axes */
    bool moves;                /* some velocity is not zero */
    bool rolls;                /* there are velocity rows */
    bool drags;                /* T is not zero */
    bool transposed;           /* B is G^T */
    bool undamped;             /* D is zero, or left out */
    bool symmetric;            /* M v' + K q = G^T lambda is all there is, with symmetric matrices */
    size_t free;               /* velocities that rows leave free, at least: sparse.c */
    double fastest;            /* 1/s, about, of all eigenvalues; 0: nothing tells */
    tn_sparse transport;       /* T, and D, zero where `undamped`, in axes that turn with a steady motion */
    tn_sparse damping;
    eigen_mode *mode;
    uint32_t modes, room;
} eigen_work;

/* Zeroed numbers of the host; NULL without memory. */
double *tn_eigen_numbers(const tn_host *host, size_t count);
/* A mode more, with room for its vector; NULL without memory. */
eigen_mode *tn_eigen_add(eigen_work *work, double re, double im);

/* ---- point.c ---- */

/* The state where modes are asked for: accelerations, what keeps it from being one that lasts, the linearised equations. */
tn_status tn_eigen_begin(eigen_work *work);

/* ---- turning.c ---- */

/* Omega of velocities and accelerations in still axes; what is left of these. `memory` [nv]. */
tn_status tn_eigen_fit_turning(eigen_work *work, const double *v, double *a, double *memory);
bool tn_eigen_turns(const eigen_work *work);
/* Refuses what turns only at this instant; tells of what turns steadily. */
tn_status tn_eigen_check_turning(eigen_work *work);
/* T and D, the kind of equations being known. */
tn_status tn_eigen_take_axes(eigen_work *work);

/* ---- reactions.c ---- */

/* M_ii, or 1 where that is not positive. */
double tn_eigen_weight(const eigen_work *work, uint32_t i);
/* Whether B is G^T. */
tn_status tn_eigen_compare_reactions(const eigen_work *work, bool *transposed);
/* What is left of a force [nv] where reactions take the most of it. */
tn_status tn_eigen_take_reactions(const eigen_work *work, double *force);
/* How many velocities the rows leave free. */
tn_status tn_eigen_count_free(const eigen_work *work, size_t *count);

/* ---- dense.c, reduction.c, products.c, zeros.c ---- */

/* The equations on what constraints leave free, with coordinates scaled by their masses: q = S Z y, v = S (Y u + W y).
 *
 *     z' = A z,   z = (y, u, x)
 *
 * All matrices stand column by column. */
typedef struct eigen_reduced {
    size_t nv, positions, velocities, states, size;
    double *scale;                      /* [nv] S */
    double *mass, *damping, *stiffness; /* [nv][nv], scaled */
    double *transport;                  /* likewise, or NULL: zero */
    double *free_positions;             /* [nv][positions] Z */
    double *free_velocities;            /* [nv][velocities] Y; Z itself where there are no velocity rows */
    double *drag;                       /* [nv][positions] W, or NULL: zero */
    double *test; /* [nv][velocities] what reactions have no part in; Y itself where they are G^T */
} eigen_reduced;

tn_status tn_eigen_reduce(eigen_work *work, eigen_reduced *r);
/* A [size][size]. */
tn_status tn_eigen_state_matrix(eigen_work *work, const eigen_reduced *r, double **A);
bool tn_eigen_fits_dense(const eigen_work *work);
/* All eigenvalues, and the vectors z of those that are wanted. */
tn_status tn_eigen_dense(eigen_work *work);
/* A mode of masses and stiffnesses with this vector, its frequency by its energies. */
tn_status tn_eigen_add_quotient(eigen_work *work, const double *motion);
/* C [m][n] = A [m][k] B [k][n], or A^T B with A [k][m]. */
void tn_eigen_product(size_t m, size_t k, size_t n, const double *A, const double *B, double *C);
tn_status tn_eigen_transposed_product(const tn_host *host, size_t m, size_t k, size_t n, const double *A,
                                      const double *B, double *C);

/* Eigenvalues of the state matrix, which is used up, one of each pair, with vectors [n][2]; those that are zero by the rank of the matrix
 * are exactly zero. */
typedef struct eigen_solution {
    size_t count;
    double *re, *im;
    double **vector;
} eigen_solution;
tn_status tn_eigen_solve(const tn_host *host, const eigen_reduced *r, double *A, eigen_solution *solution);

/* ---- sparse.c ---- */

/* Why it cannot; NULL: it can. */
tn_status tn_eigen_is_sparse(eigen_work *work, const char **why);
tn_status tn_eigen_sparse(eigen_work *work);

/* ---- shapes.c ---- */

/* The wanted ones by ascending frequency, each of unit mass. */
tn_status tn_eigen_order(eigen_work *work);
/* phi^* M phi and phi^* K phi with the sum of the sizes of the terms of the latter. */
double tn_eigen_mass_of(const eigen_work *work, const double *motion);
double tn_eigen_stiffness_of(const eigen_work *work, const double *motion, double *terms);

/* ---- report.c ---- */

tn_status tn_eigen_report(eigen_work *work);

#endif
