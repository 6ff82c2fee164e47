/* shift.h - the equations (s^2 M + s D + K) x - G^T mu = b, G x = 0 of one shift s, in own axes. */
#ifndef TENON_EIGEN_SHIFT_H
#define TENON_EIGEN_SHIFT_H

#include "eigen.h"

#include <complex.h>

typedef struct eigen_shift {
    const eigen_work *work;
    const tn_complex_equations *equations;
    double _Complex mass, damping; /* the coefficients of M and D */
    double row_factor;
    bool is_real;
    double _Complex *right, *left; /* [nv + rows] */
    double *numbers;               /* [nv + rows] */
} eigen_shift;

/* Memory; the equations of the extension are those of the last differentiate(). False without memory. */
bool tn_shift_open(const eigen_work *work, eigen_shift *shift);
/* TN_RETRY: they are singular. */
tn_status tn_shift_factor(eigen_shift *shift, double _Complex mass, double _Complex damping);
/* b [nv + rows] becomes x, mu; what stands behind nv numbers on the right is taken as zero. */
tn_status tn_shift_solve(eigen_shift *shift, double _Complex *b);
/* sum += factor A x. */
void tn_shift_add(const tn_sparse *A, double _Complex factor, const double _Complex *x, double _Complex *sum);

#endif
