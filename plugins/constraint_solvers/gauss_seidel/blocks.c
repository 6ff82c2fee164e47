/* blocks.c - the laws of joints and of one-sided rows, block by block
 *
 * Rows of a joint that depend on each other share by least norm: by the eigenvectors of W that stand out, where the pivots of an
 * elimination do not. */
#include "gauss_seidel.h"

#define SMALLEST_PIVOT 1e-10 /* of the largest diagonal entry */
#define SMALLEST_VALUE 1e-11 /* of the largest eigenvalue */
enum { MOST_ROTATIONS = 60 };

void solve_unilateral(double W, double q, double *p) { *p = q < 0.0 && W > 0.0 ? -q / W : 0.0; }

/* Elimination with the pivot order of the diagonal; false where a pivot is too small. */
static bool eliminate(uint32_t n, const double *W, const double *q, double *p)
{
    double M[MOST_BLOCK_ROWS][MOST_BLOCK_ROWS + 1], largest = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            M[i][j] = W[i * n + j];
        M[i][n] = -q[i];
        largest = fmax(largest, fabs(W[i * n + i]));
    }
    for (uint32_t k = 0; k < n; k++) {
        if (!(M[k][k] > SMALLEST_PIVOT * largest)) return false;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = M[i][k] / M[k][k];
            for (uint32_t j = k; j <= n; j++)
                M[i][j] -= factor * M[k][j];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        p[k] = M[k][n];
        for (uint32_t j = k + 1; j < n; j++)
            p[k] -= M[k][j] * p[j];
        p[k] /= M[k][k];
    }
    return true;
}

/* One rotation of Jacobi's method, which makes entry i, j vanish. */
static void rotate(uint32_t n, double S[][MOST_BLOCK_ROWS], double V[][MOST_BLOCK_ROWS], uint32_t i,
                   uint32_t j)
{
    if (S[i][j] == 0.0) return;
    const double ratio = (S[j][j] - S[i][i]) / (2.0 * S[i][j]);
    const double t = (ratio >= 0.0 ? 1.0 : -1.0) / (fabs(ratio) + sqrt(1.0 + ratio * ratio));
    const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (uint32_t k = 0; k < n; k++) {
        const double a = S[k][i], b = S[k][j];
        S[k][i] = c * a - s * b;
        S[k][j] = s * a + c * b;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double a = S[i][k], b = S[j][k], v = V[k][i], w = V[k][j];
        S[i][k] = c * a - s * b;
        S[j][k] = s * a + c * b;
        V[k][i] = c * v - s * w;
        V[k][j] = s * v + c * w;
    }
}

/* Of the symmetric part of W. */
static void solve_least(uint32_t n, const double *W, const double *q, double *p)
{
    double S[MOST_BLOCK_ROWS][MOST_BLOCK_ROWS], V[MOST_BLOCK_ROWS][MOST_BLOCK_ROWS], largest = 0.0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            S[i][j] = 0.5 * (W[i * n + j] + W[j * n + i]);
            V[i][j] = i == j;
        }
    for (int turn = 0; turn < MOST_ROTATIONS; turn++) {
        double off = 0.0, on = 0.0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                *(i == j ? &on : &off) += S[i][j] * S[i][j];
        if (off <= 1e-32 * on) break;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = i + 1; j < n; j++)
                rotate(n, S, V, i, j);
    }
    for (uint32_t k = 0; k < n; k++) {
        largest = fmax(largest, S[k][k]);
        p[k] = 0.0;
    }
    for (uint32_t k = 0; k < n; k++) {
        double along = 0.0;
        if (!(S[k][k] > SMALLEST_VALUE * largest)) continue;
        for (uint32_t i = 0; i < n; i++)
            along -= V[i][k] * q[i];
        for (uint32_t i = 0; i < n; i++)
            p[i] += V[i][k] * along / S[k][k];
    }
}

void solve_joint(uint32_t rows, const double *W, const double *q, double *p)
{
    if (!eliminate(rows, W, q, p)) solve_least(rows, W, q, p);
}
