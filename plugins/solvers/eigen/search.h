/* search.h - a search for some eigenvalues by ARPACK: its operators (operators.c), and its iterations (iterations.c). */
#ifndef TENON_EIGEN_SEARCH_H
#define TENON_EIGEN_SEARCH_H

#include "shift.h"

#include <arpack.h>
#include <lapacke.h>

typedef struct eigen_search {
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
} eigen_search;

/* Factorises the equations of a shift, of w^2 or of the eigenvalue. TN_RETRY: they are singular. */
tn_status tn_search_shift(eigen_search *s, double _Complex shift);
/* y = (K - s M)^-1 b, of real numbers; product = M x; z = (A - s)^-1 b. */
tn_status tn_search_apply_symmetric(eigen_search *s, const double *b, double *y);
void tn_search_multiply_masses(const eigen_search *s, const double *x, double *product);
tn_status tn_search_apply(eigen_search *s, const double _Complex *b, double _Complex *z);

/* Values and vectors, with the shift that was set. */
tn_status tn_search_iterate(eigen_search *s);

#endif
