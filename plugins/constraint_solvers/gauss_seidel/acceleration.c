/* acceleration.c - sweeps by Anderson's acceleration: the next one starts from that combination of the last ones whose changes cancel best
 *
 *     f_k = g(x_k) - x_k,   gamma = argmin |f_k - dF gamma|,   x_{k+1} = g(x_k) - dG gamma
 *
 * x are the impulses that are swept, in the metric of their diagonal of W, with the velocities that they make, which are linear in them. The
 * combination may leave the cones; the next sweep, which solves each block anew, is in them. Where it changes more than the sweep before by
 * far, that start is given up, and sweeps go on from where they were: the laws have kinks. */
#include "gauss_seidel.h"

#define MOST_GROWTH 4.0      /* of the squared change by one sweep */
#define REGULARISATION 1e-12 /* of the diagonal of normal equations */

void free_acceleration(acceleration *a)
{
    free(a->start);
    free(a->of_sweep);
    free(a->difference);
    free(a->weight);
    *a = (acceleration){0};
}

/* The next sweeps are the first ones. */
void forget_sweeps(acceleration *a)
{
    a->known = a->count = 0;
    a->accelerated = a->compared = false;
}

/* `impulses` [rows] of the problem come first in a state, then `velocities` [nv]. */
bool begin_acceleration(acceleration *a, uint32_t impulses, uint32_t velocities)
{
    a->impulses = impulses;
    a->size = (size_t)impulses + velocities;
    forget_sweeps(a);
    return tn_grow_array((void *)&a->start, &a->start_room, a->size + 1, sizeof(double)) &&
           tn_grow_array((void *)&a->weight, &a->weight_room, impulses + (size_t)1, sizeof(double)) &&
           tn_grow_array((void *)&a->of_sweep, &a->sweep_room, 2 * a->size + 1, sizeof(double)) &&
           tn_grow_array((void *)&a->difference, &a->difference_room, MEMORY * (a->size + impulses) + 1,
                         sizeof(double));
}

static void take_state(const acceleration *a, const double *impulse, const double *velocity, double *to)
{
    memcpy(to, impulse, a->impulses * sizeof *to);
    memcpy(to + a->impulses, velocity, (a->size - a->impulses) * sizeof *to);
}

void before_sweep(acceleration *a, const double *impulse, const double *velocity)
{
    take_state(a, impulse, velocity, a->start);
}

/* Columns of dG [size] and dF [impulses]. */
static double *column_of(const acceleration *a, uint32_t k)
{
    return a->difference + (k % MEMORY) * (a->size + a->impulses);
}

static double product(const acceleration *a, const double *x, const double *y)
{
    double sum = 0.0;
    for (uint32_t r = 0; r < a->impulses; r++)
        sum += a->weight[r] * x[r] * y[r];
    return sum;
}

/* x = M^-1 x by Cholesky's factor, which takes the place of M below the diagonal; false: M is singular. */
static bool solve_normal(uint32_t n, double M[MEMORY][MEMORY], double *x)
{
    for (uint32_t k = 0; k < n; k++) {
        M[k][k] *= 1.0 + REGULARISATION;
        for (uint32_t j = 0; j < k; j++)
            M[k][k] -= M[k][j] * M[k][j];
        if (!(M[k][k] > 0.0)) return false;
        M[k][k] = sqrt(M[k][k]);
        for (uint32_t i = k + 1; i < n; i++) {
            for (uint32_t j = 0; j < k; j++)
                M[i][k] -= M[i][j] * M[k][j];
            M[i][k] /= M[k][k];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++)
            x[i] -= M[i][j] * x[j];
        x[i] /= M[i][i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= M[j][i] * x[j];
        x[i] /= M[i][i];
    }
    return true;
}

/* gamma [known] by the normal equations; false: there is none. */
static bool find_combination(const acceleration *a, const double *f, double *gamma)
{
    const uint32_t first = a->count - a->known;
    double M[MEMORY][MEMORY];
    for (uint32_t i = 0; i < a->known; i++) {
        const double *one = column_of(a, first + i) + a->size;
        gamma[i] = product(a, one, f);
        for (uint32_t j = 0; j <= i; j++)
            M[i][j] = product(a, one, column_of(a, first + j) + a->size);
    }
    return solve_normal(a->known, M, gamma);
}

/* Differences to the sweep before, whose g and f `of_sweep` holds; this one's take their place. */
static void remember(acceleration *a, const double *impulse, const double *velocity, const double *f)
{
    double *before = a->of_sweep;
    if (a->compared) {
        double *own = column_of(a, a->count);
        for (uint32_t r = 0; r < a->impulses; r++) {
            own[r] = impulse[r] - before[r];
            own[a->size + r] = f[r] - before[a->size + r];
        }
        for (size_t i = a->impulses; i < a->size; i++)
            own[i] = velocity[i - a->impulses] - before[i];
        a->count++;
        if (a->known < MEMORY) a->known++;
    }
    take_state(a, impulse, velocity, before);
    memcpy(before + a->size, f, a->impulses * sizeof *f);
    a->compared = true;
}

void after_sweep(acceleration *a, double *impulse, double *velocity)
{
    double *f = a->start, change = 0.0, gamma[MEMORY];
    double *before = a->of_sweep;
    for (uint32_t r = 0; r < a->impulses; r++) {
        f[r] = impulse[r] - f[r];
        change += a->weight[r] * f[r] * f[r];
    }
    if (a->accelerated && change > MOST_GROWTH * a->change) {
        memcpy(impulse, before, a->impulses * sizeof *impulse);
        memcpy(velocity, before + a->impulses, (a->size - a->impulses) * sizeof *velocity);
        forget_sweeps(a);
        return;
    }
    remember(a, impulse, velocity, f);
    a->change = change;
    a->accelerated = a->known > 0 && find_combination(a, f, gamma);
    if (!a->accelerated) return;
    for (uint32_t k = 0; k < a->known; k++) {
        const double *own = column_of(a, a->count - a->known + k);
        for (uint32_t r = 0; r < a->impulses; r++)
            impulse[r] -= gamma[k] * own[r];
        for (size_t i = a->impulses; i < a->size; i++)
            velocity[i - a->impulses] -= gamma[k] * own[i];
    }
}
