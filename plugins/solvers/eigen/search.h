/* search.h - a search for some eigenvalues by ARPACK: its operators (operators.c), its iterations (iterations.c), and what is made of the
 * subspace that these find (subspace.c). */
#ifndef TENON_EIGEN_SEARCH_H
#define TENON_EIGEN_SEARCH_H

#include "shift.h"

#include <arpack.h>
#include <lapacke.h>

typedef struct eigen_search {
    eigen_work *work;
    eigen_shift shift;
    double _Complex s;       /* the shift of w^2, or that of the eigenvalue */
    double scale;            /* velocities in vectors (q, v/scale, x) */
    double _Complex *right;  /* [size of the shift] */
    double _Complex *spare;  /* [nv] */
    double *product;         /* [nv] */
    size_t nv, states, size; /* of one vector */
    size_t free;             /* dimensions of what the rows leave free, at least */
    size_t wanted, room;     /* eigenvalues; vectors that there is memory for */
    double _Complex *
        basis; /* [room][size] of what belongs to eigenvalues that were found, orthonormal, by the masses where */
               /* these are the inner product, */
    double *nearness; /* [room] 1/distance of each from the shift, */
    size_t known;     /* and how many of them there are: operators leave nothing along them */
    struct eigen_arpack *arpack;
    double reach; /* all eigenvalues that are nearer to the shift were found; 0: not known */
    double _Complex *value,
        *vector; /* what was found: eigenvalues [room], vectors [room][size], of Lanczos' method the basis */
    size_t found;
} eigen_search;

/* Factorises the equations of a shift, of w^2 or of the eigenvalue. TN_RETRY: they are singular. */
tn_status tn_search_shift(eigen_search *s, double _Complex shift);
/* y = (K - s M)^-1 b, of real numbers, at right angles to the basis; product = M x. */
tn_status tn_search_apply_symmetric(eigen_search *s, const double *b, double *y);
void tn_search_multiply_masses(const eigen_search *s, const double *x, double *product);
/* z = (A - s)^-1 b, and what of it stands at right angles to the basis. */
tn_status tn_search_apply(eigen_search *s, const double _Complex *b, double _Complex *z);
tn_status tn_search_apply_beside(eigen_search *s, const double _Complex *b, double _Complex *z);

/* Memory for iterations, as much as is wanted. */
tn_status tn_search_open(eigen_search *s);
/* Values and vectors, with the shift that was set; and those that iterations have missed, others that are nearer to the shift. */
tn_status tn_search_iterate(eigen_search *s);
tn_status tn_search_complete(eigen_search *s);

/* Values and vectors of the operator in the subspace of the basis; those that are zero are exactly zero. */
tn_status tn_search_resolve(eigen_search *s);

#endif
