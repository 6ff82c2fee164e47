/* bushings.c - n bodies in a row of bushings under generalized-alpha, hand-written: the model of configs/benchmarks/bushings.toml.
 *
 * The matrix is block-tridiagonal and kept while it contracts. It lacks gyroscopic terms, and what forces add where bodies turn: that
 * costs contraction and no accuracy. */
#define _GNU_SOURCE
#include "bodies.h"

enum { MOST_ITERATIONS = 20 };

static const double mass[6] = {1.0, 1.0, 1.0, 1e-3, 2e-3, 2e-3};
static const double stiffness[6] = {1e3, 1e3, 1e3, 1e6, 1e6, 1e6}, damping[6] = {2, 2, 2, 200, 200, 200};
static const double right[3] = {0.05, 0.0, 0.0}, left[3] = {-0.05, 0.0, 0.0};

/* Bushing i is between the right end of body i - 1, or the ground, and the left end of body i. */
typedef struct bushing {
    double force[6];       /* on body i, then minus that on the other: torque in axes of the body, force */
    double from_ground[6]; /* on the body before */
    double before[36], own[36];               /* derivatives of its motion by those of the bodies */
    double inverse[36], lower[36], upper[36]; /* of the factorisation: pivot i; below, inverse times beside */
    double residual[6];                       /* of body i, then its correction */
} bushing;

typedef struct row {
    size_t count;
    double h;
    body *body, ground;
    bushing *bushing;
    iteration it;
} row;

static const body *body_before(const row *r, size_t i) { return i ? &r->body[i - 1] : &r->ground; }

/* ---- forces --------------------------------------------------------------------------------------------------------------- */

static void find_place(const body *b, const double *s, double *place, double *velocity)
{
    double arm[3], turning[3];
    turn(b->rotation, s, arm);
    cross(b->v + 3, s, turning);
    turn(b->rotation, turning, velocity);
    for (int k = 0; k < 3; k++) {
        place[k] = b->position[k] + arm[k];
        velocity[k] += b->v[k];
    }
}

/* Three angles of a gimbal and three displacements, both with their rates, in the axes of the first body. */
static void find_force(const row *r, size_t i)
{
    const body *f = body_before(r, i), *m = &r->body[i];
    bushing *b = &r->bushing[i];
    const double *s = i ? right : (const double[3]){0.0};
    double pf[3], vf[3], pm[3], vm[3], relative[9], arm[3], speed[3], p[3], v[3], w[3], turning[3], moment[3],
        force[3];
    find_place(f, s, pf, vf);
    find_place(m, left, pm, vm);
    for (int k = 0; k < 3; k++) {
        arm[k] = pm[k] - pf[k];
        speed[k] = vm[k] - vf[k];
    }
    turn_back(f->rotation, arm, p);
    turn_back(f->rotation, speed, v);
    cross(f->v + 3, p, turning);
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++)
            relative[3 * a + c] = f->rotation[a] * m->rotation[c] + f->rotation[3 + a] * m->rotation[3 + c] +
                                  f->rotation[6 + a] * m->rotation[6 + c];
    turn(relative, m->v + 3, w);
    for (int k = 0; k < 3; k++) {
        v[k] -= turning[k];
        w[k] -= f->v[3 + k];
    }
    const double cos_y = sqrt(relative[5] * relative[5] + relative[8] * relative[8]), sin_y = relative[2];
    const double sin_x = -relative[5] / cos_y, cos_x = relative[8] / cos_y;
    const double angle[3] = {atan2(-relative[5], relative[8]), atan2(sin_y, cos_y),
                             atan2(-relative[1], relative[0])};
    const double last = (cos_x * w[2] - sin_x * w[1]) / cos_y;
    const double rate[3] = {w[0] - sin_y * last, cos_x * w[1] + sin_x * w[2], last};
    for (int k = 0; k < 3; k++) {
        moment[k] = -(stiffness[k] * angle[k] + damping[k] * rate[k]);
        force[k] = -(stiffness[3 + k] * p[k] + damping[3 + k] * v[k]);
    }
    const double across = (moment[2] - sin_y * moment[0]) / cos_y;
    const double torque[3] = {moment[0], cos_x * moment[1] - sin_x * across,
                              sin_x * moment[1] + cos_x * across};

    /* the force acts at the end of the second body; torques about the centres of both, in their axes */
    double at_second[3], lever[3], own[3];
    turn(f->rotation, force, b->force + 3);
    turn_back(relative, force, at_second);
    turn_back(relative, torque, b->force);
    cross(left, at_second, own);
    for (int k = 0; k < 3; k++) {
        b->force[k] += own[k];
        lever[k] = s[k] + p[k];
    }
    cross(lever, force, own);
    for (int k = 0; k < 3; k++)
        b->from_ground[k] = torque[k] + own[k];
}

static void find_residuals(row *r, int with_masses)
{
    for (size_t i = 0; i < r->count; i++)
        find_force(r, i);
    for (size_t i = 0; i < r->count; i++) {
        const body *b = &r->body[i];
        const bushing *own = &r->bushing[i], *next = i + 1 < r->count ? own + 1 : NULL;
        double *left_over = r->bushing[i].residual, angular[3], gyroscopic[3];
        for (int k = 0; k < 3; k++)
            angular[k] = mass[3 + k] * b->v[3 + k];
        cross(b->v + 3, angular, gyroscopic);
        for (int k = 0; k < 3; k++) {
            left_over[k] = -own->force[3 + k] + (next ? next->force[3 + k] : 0.0);
            left_over[3 + k] = gyroscopic[k] - own->force[k] + (next ? next->from_ground[k] : 0.0);
        }
        left_over[2] -= mass[2] * gravity;
        for (int k = 0; k < 6 && with_masses; k++)
            left_over[k] += mass[k] * b->vdot[k];
    }
}

/* ---- the matrix ----------------------------------------------------------------------------------------------------------- */

/* The motion of a bushing, angles first, by the increments of both bodies: displacement in ground axes, rotation in own ones. */
static void find_motion(const row *r, size_t i)
{
    const body *f = body_before(r, i), *m = &r->body[i];
    bushing *b = &r->bushing[i];
    double relative[9], p[3], unused[3], pf[3], pm[3], arm[9], lever[9], turned[9];
    const double *s = i ? right : (const double[3]){0.0};
    find_place(f, s, pf, unused);
    find_place(m, left, pm, unused);
    for (int k = 0; k < 3; k++)
        pm[k] -= pf[k];
    turn_back(f->rotation, pm, p);
    for (int k = 0; k < 3; k++)
        p[k] += s[k];
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++)
            relative[3 * a + c] = f->rotation[a] * m->rotation[c] + f->rotation[3 + a] * m->rotation[3 + c] +
                                  f->rotation[6 + a] * m->rotation[6 + c];
    cross_matrix(left, arm);
    cross_matrix(p, lever);
    multiply(relative, arm, turned);
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++) {
            b->own[6 * a + c] = b->before[6 * a + c] = 0.0;
            b->own[6 * a + 3 + c] = relative[3 * a + c];
            b->before[6 * a + 3 + c] = a == c ? -1.0 : 0.0;
            b->own[6 * (3 + a) + c] = f->rotation[3 * c + a];
            b->before[6 * (3 + a) + c] = -f->rotation[3 * c + a];
            b->own[6 * (3 + a) + 3 + c] = -turned[3 * a + c];
            b->before[6 * (3 + a) + 3 + c] = lever[3 * a + c];
        }
}

/* to += A^T diag(k) B. */
static void add_product(const double *A, const double *k, const double *B, double *to)
{
    for (int e = 0; e < 6; e++)
        for (int a = 0; a < 6; a++)
            for (int c = 0; c < 6; c++)
                to[6 * a + c] += A[6 * e + a] * k[e] * B[6 * e + c];
}

static void multiply_blocks(const double *a, const double *b, double *to)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += a[6 * i + k] * b[6 * k + j];
            to[6 * i + j] = sum;
        }
}

static inline void multiply_vector(const double *a, const double *x, double *to)
{
    for (int i = 0; i < 6; i++)
        to[i] = a[6 * i] * x[0] + a[6 * i + 1] * x[1] + a[6 * i + 2] * x[2] + a[6 * i + 3] * x[3] +
                a[6 * i + 4] * x[4] + a[6 * i + 5] * x[5];
}

/* Of a symmetric positive definite block, in place. */
static void invert_block(double *a)
{
    for (int p = 0; p < 6; p++) {
        const double pivot = 1.0 / a[7 * p];
        a[7 * p] = 1.0;
        for (int j = 0; j < 6; j++)
            a[6 * p + j] *= pivot;
        for (int i = 0; i < 6; i++) {
            const double factor = a[6 * i + p];
            if (i == p) continue;
            a[6 * i + p] = 0.0;
            for (int j = 0; j < 6; j++)
                a[6 * i + j] -= factor * a[6 * p + j];
        }
    }
}

static void factorise(row *r)
{
    double k[6];
    for (int e = 0; e < 6; e++)
        k[e] = stiffness[e] + gamma_n / (beta_n() * r->h) * damping[e];
    for (size_t i = 0; i < r->count; i++)
        find_motion(r, i);
    for (size_t i = 0; i < r->count; i++) {
        bushing *b = &r->bushing[i], *next = i + 1 < r->count ? b + 1 : NULL;
        double below[36] = {0.0}, product[36];
        memset(b->inverse, 0, sizeof b->inverse);
        for (int e = 0; e < 6; e++)
            b->inverse[7 * e] = kappa(r->h) * mass[e];
        add_product(b->own, k, b->own, b->inverse);
        if (next) add_product(next->before, k, next->before, b->inverse);
        if (i) {
            add_product(b->own, k, b->before, below);
            multiply_blocks(below, b[-1].inverse, b->lower);
            for (int a = 0; a < 6; a++)
                for (int c = 0; c < 6; c++)
                    b[-1].upper[6 * a + c] = b->lower[6 * c + a];
            for (int a = 0; a < 6; a++)
                for (int c = 0; c < 6; c++) {
                    product[6 * a + c] = 0.0;
                    for (int e = 0; e < 6; e++)
                        product[6 * a + c] += b->lower[6 * a + e] * below[6 * c + e];
                    b->inverse[6 * a + c] -= product[6 * a + c];
                }
        }
        invert_block(b->inverse);
    }
}

static void solve(row *r)
{
    double product[6];
    for (size_t i = 1; i < r->count; i++) {
        bushing *b = &r->bushing[i];
        multiply_vector(b->lower, b[-1].residual, product);
        for (int k = 0; k < 6; k++)
            b->residual[k] -= product[k];
    }
    for (size_t i = r->count; i-- > 0;) {
        bushing *b = &r->bushing[i];
        double above[6] = {0.0};
        if (i + 1 < r->count) multiply_vector(b->upper, b[1].residual, above);
        multiply_vector(b->inverse, b->residual, product);
        for (int k = 0; k < 6; k++)
            b->residual[k] = product[k] - above[k];
    }
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

static double iterate(row *r)
{
    double norm = 0.0;
    find_residuals(r, 1);
    if (r->it.matrix_is_old) {
        factorise(r);
        r->it = (iteration){.first = r->it.first, .last = r->it.last};
    }
    solve(r);
    for (size_t i = 0; i < r->count; i++) {
        const double *correction = r->bushing[i].residual;
        for (int k = 0; k < 6; k++)
            norm = fmax(norm, fabs(correction[k]) / (k < 3 ? 0.1 * (double)r->count : 1.0));
        correct(&r->body[i], r->h, correction);
    }
    return norm;
}

static void take_step(row *r)
{
    for (size_t i = 0; i < r->count; i++)
        predict(&r->body[i], r->h);
    int count = 0;
    while (!has_converged(&r->it, count, iterate(r), 0.01, 0.0))
        if (++count == MOST_ITERATIONS) {
            fputs("bushings: no convergence\n", stderr);
            exit(1);
        }
    for (size_t i = 0; i < r->count; i++)
        finish(&r->body[i]);
}

/* Bodies along x at rest, with the accelerations of that state. */
static void start(row *r)
{
    for (int k = 0; k < 3; k++)
        r->ground.rotation[4 * k] = 1.0;
    for (size_t i = 0; i < r->count; i++) {
        r->body[i].position[0] = 0.1 * (double)i + 0.05;
        memcpy(r->body[i].rotation, r->ground.rotation, sizeof r->ground.rotation);
    }
    find_residuals(r, 0);
    for (size_t i = 0; i < r->count; i++) {
        body *b = &r->body[i];
        for (int k = 0; k < 6; k++)
            b->vdot[k] = b->before[k] = b->a[k] = -r->bushing[i].residual[k] / mass[k];
    }
    r->it = (iteration){.matrix_is_old = 1};
}

int main(int argument_count, char **arguments)
{
    const long bodies = argument_count == 4 ? strtol(arguments[1], NULL, 10) : 0;
    const long steps = argument_count == 4 ? strtol(arguments[2], NULL, 10) : 0;
    const double h = argument_count == 4 ? strtod(arguments[3], NULL) : 0.0;
    if (bodies < 1 || steps < 1 || !(h > 0.0)) {
        fputs("usage: bushings bodies steps step\n", stderr);
        return 2;
    }
    row r = {.count = (size_t)bodies, .h = h};
    r.body = allocate(r.count, sizeof *r.body);
    r.bushing = allocate(r.count, sizeof *r.bushing);
    start(&r);
    const double begin = seconds();
    for (long i = 0; i < steps; i++)
        take_step(&r);
    printf("seconds_per_step = %.6g\n", (seconds() - begin) / (double)steps);
    const double *tip = r.body[r.count - 1].position;
    printf("tip = [%.17g, %.17g, %.17g]\n", tip[0], tip[1], tip[2]);
    free(r.body);
    free(r.bushing);
    return 0;
}
