/* tenon/kit/jacobi.h - singular values of small matrices, to full relative accuracy [not ABI]
 *
 * Rotations make the columns orthogonal one pair after the other: Hestenes; Golub, Van Loan: Matrix Computations, 4th ed., Johns Hopkins
 * University Press, 2013, section 8.6.3.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_JACOBI_H
#define TENON_KIT_JACOBI_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void tn_jacobi_apply(uint32_t size, double c, double s, double *p, double *q)
{
    for (uint32_t k = 0; k < size; k++) {
        const double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

/* Scales all numbers by a power of two, so that their squares are neither too large nor too small; returns the power. */
static inline int tn_jacobi_scale(size_t count, double *a)
{
    double largest = 0.0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(a[k]));
    if (!(largest > 0.0) || isinf(largest)) return 0;
    const int power = ilogb(largest);
    for (size_t k = 0; k < count; k++)
        a[k] = scalbn(a[k], -power);
    return power;
}

/* A = U S V^T of `a`, column by column [columns][rows], which becomes U S; `s` [columns], the largest first, and `v` [columns][columns], one
 * right vector after the other. */
static inline void tn_jacobi_svd(uint32_t rows, uint32_t columns, double *a, double *s, double *v)
{
    enum { MOST_SWEEPS = 60 };
    const size_t n = columns;
    memset(v, 0, n * n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i * n + i] = 1.0;
    const int power = tn_jacobi_scale(n * rows, a);
    /* what is left of a product of two orthogonal columns by rounding */
    const double rounding = fmax(1e-15, 2.2e-16 * sqrt((double)rows));
    bool turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                double *p = a + i * rows, *q = a + j * rows, pp = 0.0, qq = 0.0, pq = 0.0;
                for (uint32_t k = 0; k < rows; k++)
                    pp += p[k] * p[k], qq += q[k] * q[k], pq += p[k] * q[k];
                if (fabs(pq) <= rounding * sqrt(pp * qq) || pq == 0.0) continue;
                const double zeta = (qq - pp) / (2.0 * pq);
                const double tangent = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
                const double c = 1.0 / sqrt(1.0 + tangent * tangent);
                tn_jacobi_apply(rows, c, c * tangent, p, q);
                tn_jacobi_apply(columns, c, c * tangent, v + i * n, v + j * n);
                turned = true;
            }
    }
    for (size_t i = 0; i < n; i++) {
        double square = 0.0;
        for (uint32_t k = 0; k < rows; k++)
            square += a[i * rows + k] * a[i * rows + k];
        s[i] = scalbn(sqrt(square), power);
    }
    for (size_t k = 0; k < n * rows; k++)
        a[k] = scalbn(a[k], power);
    for (size_t i = 0; i < n; i++) { /* in order of size */
        size_t largest = i;
        for (size_t j = i + 1; j < n; j++)
            if (s[j] > s[largest]) largest = j;
        if (largest == i) continue;
        const double held = s[i];
        s[i] = s[largest], s[largest] = held;
        for (uint32_t k = 0; k < rows; k++) {
            const double x = a[i * rows + k];
            a[i * rows + k] = a[largest * rows + k], a[largest * rows + k] = x;
        }
        for (size_t k = 0; k < n; k++) {
            const double x = v[i * n + k];
            v[i * n + k] = v[largest * n + k], v[largest * n + k] = x;
        }
    }
}

#endif
