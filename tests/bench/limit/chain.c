/* chain.c - n rods on spherical joints under generalized-alpha, hand-written: the model of configs/benchmarks/chain.toml.
 *
 * Index 3. Bodies are eliminated one by one, which leaves a block-tridiagonal system of the forces in the joints. The matrix is kept
 * while it contracts. */
#define _GNU_SOURCE
#include "bodies.h"

enum { MOST_ITERATIONS = 20 };

static const double mass = 1.0, inertia[3] = {1e-4, 1.0 / 12, 1.0 / 12};
static const double left[3] = {-0.5, 0.0, 0.0}, right[3] = {0.5, 0.0, 0.0};

/* Joint i is at the left end of body i. */
typedef struct link {
    double force[3], force0[3],
        force_before[3];                   /* on the body before, at the end of the step and at both starts */
    double inverse_inertia[9];             /* of the matrix of the rotation of body i */
    double rotation[9];                    /* of body i that the matrix belongs to */
    double inverse[9], lower[9], upper[9]; /* of the factorisation: pivot i; below and beside it */
    double rhs[3], torque[3], push[3], error[3];
} link;

typedef struct chain {
    size_t count;
    double h;
    body *body;
    link *link; /* [count + 1]: the last one has no force */
    iteration it;
} chain;

/* The matrix of the rotation of a body: inertia, gyroscopic terms, and what the forces of both joints add. */
static void find_inertia(const chain *c, size_t i, double factor, int at_rest)
{
    const body *b = &c->body[i];
    const double *w = b->v + 3, damping = gamma_n / (beta_n() * c->h);
    double matrix[9] = {0.0}, angular[3], arm[9], pulled[9], force[3], product[9], turning[9], spin[9];
    for (int k = 0; k < 3; k++) {
        matrix[4 * k] = factor * inertia[k];
        angular[k] = inertia[k] * w[k];
    }
    if (!at_rest) {
        cross_matrix(w, turning);
        cross_matrix(angular, spin);
        for (int k = 0; k < 9; k++)
            matrix[k] += damping * (turning[k] * inertia[k % 3] - spin[k]);
        for (int end = 0; end < 2; end++) {
            turn_back(b->rotation, c->link[i + (size_t)end].force, force);
            cross_matrix(end ? right : left, arm);
            cross_matrix(force, pulled);
            multiply(arm, pulled, product);
            for (int k = 0; k < 9; k++)
                matrix[k] += end ? -product[k] : product[k];
        }
    }
    invert(matrix, c->link[i].inverse_inertia);
}

/* R [s] X [t]^T R^T, with a share of the masses: what a force at t of a body does to the place of s. */
static void find_compliance(const link *l, const double *s, const double *t, double factor, double *to)
{
    double arm[9], by[9], first[9], second[9];
    cross_matrix(s, arm);
    multiply(l->rotation, arm, by);
    multiply(by, l->inverse_inertia, first);
    cross_matrix(t, arm);
    multiply(l->rotation, arm, by);
    multiply_transposed(first, by, second);
    for (int k = 0; k < 9; k++)
        to[k] = second[k] + (k % 4 == 0 ? 1.0 / (factor * mass) : 0.0);
}

/* With `factor` times the masses. */
static void factorise(chain *c, double factor, int at_rest)
{
    double below[9] = {0.0}, own[9], product[9];
    for (size_t i = 0; i < c->count; i++) {
        link *l = &c->link[i];
        find_inertia(c, i, factor, at_rest);
        memcpy(l->rotation, c->body[i].rotation, sizeof l->rotation);
        find_compliance(l, left, left, factor, own);
        if (i) {
            find_compliance(&l[-1], right, right, factor, product);
            for (int k = 0; k < 9; k++)
                own[k] += product[k];
            multiply(below, l[-1].inverse, l->lower);
            multiply(l->lower, l[-1].upper, product);
            for (int k = 0; k < 9; k++)
                own[k] -= product[k];
        }
        invert(own, l->inverse);
        find_compliance(l, left, right, factor, l->upper);
        find_compliance(l, right, left, factor, below);
        for (int k = 0; k < 9; k++) {
            l->upper[k] = -l->upper[k];
            below[k] = -below[k];
        }
    }
}

/* The displacement of a point of a body whose equations have these residuals. */
static void displace(const link *l, const double *s, double factor, double *to)
{
    double angle[3], arm[3];
    turn(l->inverse_inertia, l->torque, angle);
    cross(angle, s, arm);
    turn(l->rotation, arm, to);
    for (int k = 0; k < 3; k++)
        to[k] += l->push[k] / (factor * mass);
}

/* What the equations of bodies and joints leave. */
static void find_residuals(chain *c)
{
    double end[3] = {0.0}, arm[3];
    for (size_t i = 0; i < c->count; i++) {
        const body *b = &c->body[i];
        link *l = &c->link[i];
        double angular[3], moment[3], force[3];
        turn(b->rotation, left, arm);
        for (int k = 0; k < 3; k++) {
            l->error[k] = b->position[k] + arm[k] - end[k];
            l->push[k] = mass * b->vdot[k] + l->force[k] - l[1].force[k];
            angular[k] = inertia[k] * b->v[3 + k];
        }
        l->push[2] -= mass * gravity;
        cross(b->v + 3, angular, l->torque);
        turn_back(b->rotation, l->force, force);
        cross(left, force, moment);
        for (int k = 0; k < 3; k++)
            l->torque[k] += inertia[k] * b->vdot[3 + k] + moment[k];
        turn_back(b->rotation, l[1].force, force);
        cross(right, force, moment);
        turn(b->rotation, right, arm);
        for (int k = 0; k < 3; k++) {
            l->torque[k] -= moment[k];
            end[k] = b->position[k] + arm[k];
        }
    }
}

/* The corrections of the forces, into `rhs`: the errors of the joints less what the residuals of the bodies make of them. */
static void solve(chain *c, double factor)
{
    double before[3] = {0.0};
    for (size_t i = 0; i < c->count; i++) {
        link *l = &c->link[i];
        double own[3], product[3];
        displace(l, left, factor, own);
        for (int k = 0; k < 3; k++)
            l->rhs[k] = own[k] - before[k] - l->error[k];
        if (i) {
            turn(l->lower, l[-1].rhs, product);
            for (int k = 0; k < 3; k++)
                l->rhs[k] -= product[k];
        }
        displace(l, right, factor, before);
    }
    for (size_t i = c->count; i-- > 0;) {
        link *l = &c->link[i];
        double product[3] = {0.0}, rest[3];
        if (i + 1 < c->count) turn(l->upper, l[1].rhs, product);
        for (int k = 0; k < 3; k++)
            rest[k] = l->rhs[k] - product[k];
        turn(l->inverse, rest, l->rhs);
    }
}

/* The correction of a body, when those of the forces at both ends are known. */
static void find_correction(const link *l, double factor, double *correction)
{
    double force[3], moment[3], torque[3];
    memcpy(torque, l->torque, sizeof torque);
    turn_back(l->rotation, l->rhs, force);
    cross(left, force, moment);
    for (int k = 0; k < 3; k++)
        torque[k] -= moment[k];
    turn_back(l->rotation, l[1].rhs, force);
    cross(right, force, moment);
    for (int k = 0; k < 3; k++) {
        torque[k] += moment[k];
        correction[k] = (l->push[k] - l->rhs[k] + l[1].rhs[k]) / (factor * mass);
    }
    turn(l->inverse_inertia, torque, correction + 3);
}

static void iterate(chain *c, double *norm, double *error)
{
    const double factor = kappa(c->h);
    find_residuals(c);
    if (c->it.matrix_is_old) {
        factorise(c, factor, 0);
        c->it = (iteration){.first = c->it.first, .last = c->it.last};
    }
    solve(c, factor);
    *norm = *error = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        double correction[6];
        for (int k = 0; k < 3; k++)
            *error = fmax(*error, fabs(c->link[i].error[k]));
        find_correction(&c->link[i], factor, correction);
        for (int k = 0; k < 6; k++)
            *norm = fmax(*norm, fabs(correction[k]) / (k < 3 ? (double)c->count : 1.0));
        correct(&c->body[i], c->h, correction);
        for (int k = 0; k < 3; k++)
            c->link[i].force[k] -= c->link[i].rhs[k];
    }
}

static void take_step(chain *c)
{
    for (size_t i = 0; i < c->count; i++) {
        link *l = &c->link[i];
        predict(&c->body[i], c->h);
        for (int k = 0; k < 3; k++) {
            l->force0[k] = l->force[k];
            l->force[k] = 2.0 * l->force0[k] - l->force_before[k];
        }
    }
    double norm = 0.0, error = 0.0;
    int count = 0;
    do {
        iterate(c, &norm, &error);
    } while (!has_converged(&c->it, count, norm, 0.001, error) && ++count < MOST_ITERATIONS);
    if (count == MOST_ITERATIONS) {
        fputs("chain: no convergence\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < c->count; i++) {
        finish(&c->body[i]);
        memcpy(c->link[i].force_before, c->link[i].force0, sizeof c->link[i].force0);
    }
}

/* Rods along x at rest, with the accelerations of that state. */
static void start(chain *c)
{
    for (size_t i = 0; i < c->count; i++) {
        body *b = &c->body[i];
        b->position[0] = (double)i + 0.5;
        for (int k = 0; k < 3; k++)
            b->rotation[4 * k] = 1.0;
    }
    factorise(c, 1.0, 1);
    find_residuals(c);
    solve(c, 1.0);
    for (size_t i = 0; i < c->count; i++) {
        body *b = &c->body[i];
        double correction[6];
        find_correction(&c->link[i], 1.0, correction);
        for (int k = 0; k < 6; k++)
            b->vdot[k] = b->before[k] = b->a[k] = -correction[k];
    }
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 3; k++)
            c->link[i].force[k] = c->link[i].force_before[k] = -c->link[i].rhs[k];
    c->it = (iteration){.matrix_is_old = 1};
}

int main(int argument_count, char **arguments)
{
    const long bodies = argument_count == 4 ? strtol(arguments[1], NULL, 10) : 0;
    const long steps = argument_count == 4 ? strtol(arguments[2], NULL, 10) : 0;
    const double h = argument_count == 4 ? strtod(arguments[3], NULL) : 0.0;
    if (bodies < 1 || steps < 1 || !(h > 0.0)) {
        fputs("usage: chain bodies steps step\n", stderr);
        return 2;
    }
    chain c = {.count = (size_t)bodies, .h = h};
    c.body = allocate(c.count, sizeof *c.body);
    c.link = allocate(c.count + 1, sizeof *c.link);
    start(&c);
    const double begin = seconds();
    for (long i = 0; i < steps; i++)
        take_step(&c);
    printf("seconds_per_step = %.6g\n", (seconds() - begin) / (double)steps);
    double tip[3];
    turn(c.body[c.count - 1].rotation, right, tip);
    for (int k = 0; k < 3; k++)
        tip[k] += c.body[c.count - 1].position[k];
    printf("tip = [%.17g, %.17g, %.17g]\n", tip[0], tip[1], tip[2]);
    printf("force = [%.17g, %.17g, %.17g]\n", -c.link[0].force[0], -c.link[0].force[1], -c.link[0].force[2]);
    free(c.body);
    free(c.link);
    return 0;
}
