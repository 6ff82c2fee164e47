/* collocation.h - curves of GSL's B-splines: the cubic with not-a-knot ends and the natural quintic. */
#ifndef TENON_SPLINE_COLLOCATION_H
#define TENON_SPLINE_COLLOCATION_H

#include <stddef.h>

enum { SPLINE_DERIVATIVES = 6 }; /* of a piece, the value among them */

/* Derivatives 0 to SPLINE_DERIVATIVES - 1 of the curve at x[i], from its right, for i < count - 1; `degree` is 3 or 5.
 * Returns a code of GSL. */
int tenon_spline_collocate(const double *x, const double *y, size_t count, int degree,
                           double (*derivative)[SPLINE_DERIVATIVES]);

#endif
