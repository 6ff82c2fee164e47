/* bodies.h - rigid bodies under generalized-alpha, for the hand-written programs: their state, and what a step begins and ends with.
 *
 * Rotations are matrices, turned by increments in the axes of the body; spectral radius 0.8. */
#ifndef LIMIT_BODIES_H
#define LIMIT_BODIES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct body {
    double position[3], rotation[9];   /* ground axes; from the axes of the body, by rows */
    double position0[3], rotation0[9]; /* at the start of the step */
    double increment[6];               /* over the step: displacement, rotation in the axes of the body */
    double v[6], vdot[6];              /* velocity, angular velocity in the axes of the body; derivative */
    double vdot0[6], before[6],
        a[6]; /* at the start of the step, and of the one before; acceleration-like variable */
} body;

static const double alpha_m = 1.0 / 3, alpha_f = 4.0 / 9; /* (2 r - 1)/(r + 1), r/(r + 1) */
static const double gamma_n = 0.5 + 4.0 / 9 - 1.0 / 3, gravity = -9.81;
static inline double beta_n(void) { return 0.25 * (gamma_n + 0.5) * (gamma_n + 0.5); }
static inline double kappa(double h) { return (1.0 - alpha_m) / ((1.0 - alpha_f) * beta_n() * h * h); }

static inline void cross(const double *a, const double *b, double *to)
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void turn(const double *R, const double *a, double *to)
{
    for (int i = 0; i < 3; i++)
        to[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static inline void turn_back(const double *R, const double *a, double *to)
{
    for (int i = 0; i < 3; i++)
        to[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

static inline void multiply(const double *a, const double *b, double *to)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void multiply_transposed(const double *a, const double *b, double *to)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[3 * i + j] = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

/* x -> a x x, as a matrix. */
static inline void cross_matrix(const double *a, double *to)
{
    const double matrix[9] = {0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0};
    memcpy(to, matrix, sizeof matrix);
}

static inline void invert(const double *a, double *to)
{
    cross(a + 3, a + 6, to);
    const double determinant = a[0] * to[0] + a[1] * to[1] + a[2] * to[2];
    double inverse[9], *c = inverse;
    for (int i = 0; i < 3; i++, c += 3)
        cross(a + 3 * ((i + 1) % 3), a + 3 * ((i + 2) % 3), c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[3 * i + j] = inverse[3 * j + i] / determinant;
}

/* Position and rotation from those at the start of the step; the increment is a small one. */
static inline void place(body *b)
{
    const double *d = b->increment + 3;
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    /* sin(x)/x and (1 - cos(x))/x^2 */
    const double sine = 1.0 - square / 6 * (1.0 - square / 20 * (1.0 - square / 42));
    const double versine = 0.5 - square / 24 * (1.0 - square / 30 * (1.0 - square / 56));
    double by[9];
    cross_matrix(d, by);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            by[3 * i + j] =
                sine * by[3 * i + j] + versine * d[i] * d[j] + (i == j ? 1.0 - versine * square : 0.0);
    multiply(b->rotation0, by, b->rotation);
    for (int i = 0; i < 3; i++)
        b->position[i] = b->position0[i] + b->increment[i];
}

/* The state at the end of the step when v' goes on as before. */
static inline void predict(body *b, double h)
{
    memcpy(b->position0, b->position, sizeof b->position);
    memcpy(b->rotation0, b->rotation, sizeof b->rotation);
    memcpy(b->vdot0, b->vdot, sizeof b->vdot);
    for (int i = 0; i < 6; i++) {
        b->vdot[i] = 2.0 * b->vdot0[i] - b->before[i];
        const double a1 =
            ((1.0 - alpha_f) * b->vdot[i] + alpha_f * b->vdot0[i] - alpha_m * b->a[i]) / (1.0 - alpha_m);
        b->increment[i] = h * b->v[i] + h * h * ((0.5 - beta_n()) * b->a[i] + beta_n() * a1);
        b->v[i] += h * ((1.0 - gamma_n) * b->a[i] + gamma_n * a1);
    }
    place(b);
}

/* Takes a correction of the increment off the state. */
static inline void correct(body *b, double h, const double *correction)
{
    for (int i = 0; i < 6; i++) {
        b->increment[i] -= correction[i];
        b->v[i] -= gamma_n / (beta_n() * h) * correction[i];
        b->vdot[i] -= kappa(h) * correction[i];
    }
    place(b);
}

static inline void finish(body *b)
{
    for (int i = 0; i < 6; i++)
        b->a[i] =
            ((1.0 - alpha_f) * b->vdot[i] + alpha_f * b->vdot0[i] - alpha_m * b->a[i]) / (1.0 - alpha_m);
    memcpy(b->before, b->vdot0, sizeof b->before);
}

/* What is known of the iteration: how far corrections shrink with the current matrix. */
typedef struct iteration {
    double rate, first, last; /* the largest rate so far; the sizes of two corrections of the step */
    int matrix_is_old;
} iteration;

/* After a correction of this size, rad or of the length of the model, at a state whose constraints had this error, m: whether those to come
 * are below the tolerance, and a share of the first one. */
static inline int has_converged(iteration *it, int count, double norm, double share, double error)
{
    const double tolerance = 0.5e-10, before = it->last;
    if (count == 0) it->first = norm;
    it->last = norm;
    if (norm <= 1e-15) return 1;
    if (count == 0) return 0;
    const double measured = norm / before;
    if (before > tolerance && measured > it->rate) it->rate = measured;
    if (measured > 0.3) it->matrix_is_old = 1;
    const double rate = fmax(measured, it->rate), left = rate / (1.0 - rate) * norm;
    return rate < 1.0 && left <= tolerance && left <= share * it->first && rate * error <= 2e-11;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memset(memory, 0, count * size);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
