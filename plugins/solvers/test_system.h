/* test_system.h - small systems made by hand, to drive a solver through its descriptor:
 * a chain of masses on springs (one mass: an oscillator) and a free rigid body with a quaternion. */
#ifndef TENON_TEST_SYSTEM_H
#define TENON_TEST_SYSTEM_H

#include "test_host.h"

#define TEST_SIZE 7u /* the most coordinates of a test system */

typedef struct test_system {
    tn_system system; /* first, so that callbacks find the rest */
    test_host host;
    tn_run run;
    tn_statistics statistics;
    size_t blocks_at_start_of_motion;
    char failure[512];

    /* the model: a chain with springs `stiffness` and `cubic`, dampers, a load on the last mass */
    double mass[TEST_SIZE], stiffness, cubic, damping, load_amplitude, load_frequency;
    double inertia[3]; /* of the body */
    bool is_body;

    /* what a test may ask for: refusals far from the last accepted time, an end, notes of every solution */
    double longest_stride, end_request;
    double wanted_stop; /* a time at which a step has to end: did one? */
    bool stop_was_hit;
    double stiffness_after; /* from system.next_change on */
    double accepted_time;
    double corrections[256]; /* largest entry of each solution */
    size_t accepts, evaluations, matrices, factorisations, solutions;
    double last_a_defect; /* of a against M^-1 f, largest over all accepted states */

    double q[TEST_SIZE], v[TEST_SIZE], a[TEST_SIZE], x[1], x_rate[1], lambda[1], force[TEST_SIZE],
        scale[TEST_SIZE];
    int32_t column_start[TEST_SIZE + 1], row[TEST_SIZE * TEST_SIZE];
    double value[TEST_SIZE * TEST_SIZE], factors[TEST_SIZE * TEST_SIZE];
    tn_matrix matrix;
} test_system;

static inline test_system *test_of(tn_system *system) { return (test_system *)system; }

/* ---- equations ---- */

/* Spring j joins mass j to the one before it, spring 0 to ground. */
static inline double test_stretch(const test_system *test, const double *u, uint32_t j)
{
    (void)test;
    return j == 0 ? u[0] : u[j] - u[j - 1];
}

static inline void test_chain_force(test_system *test)
{
    const tn_system *system = &test->system;
    memset(test->force, 0, sizeof test->force);
    for (uint32_t j = 0; j < system->nv; j++) {
        const double d = test_stretch(test, test->q, j), rate = test_stretch(test, test->v, j);
        const double pull = test->stiffness * d + test->cubic * d * d * d + test->damping * rate;
        test->force[j] -= pull;
        if (j > 0) test->force[j - 1] += pull;
    }
    test->force[system->nv - 1] += test->load_amplitude * sin(test->load_frequency * system->time);
}

/* Euler's equations; the velocity of the centre of mass is constant. */
static inline void test_body_force(test_system *test)
{
    const double *w = test->v + 3, *j = test->inertia;
    memset(test->force, 0, sizeof test->force);
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        test->force[3 + i] = (j[k] - j[l]) * w[k] * w[l];
    }
}

/* Of all forces: its integral is the change of the kinetic energy. */
static inline double test_power(const test_system *test)
{
    double power = 0.0;
    for (uint32_t i = 0; i < test->system.nv; i++)
        power += test->force[i] * test->v[i];
    return power;
}

static inline tn_status test_evaluate(tn_system *system)
{
    test_system *test = test_of(system);
    test->evaluations++;
    if (fabs(system->time - test->accepted_time) > test->longest_stride) return TN_RETRY;
    if (test->is_body)
        test_body_force(test);
    else
        test_chain_force(test);
    if (system->nx > 0) test->x_rate[0] = system->quadratures ? test_power(test) : -test->x[0];
    return TN_OK;
}

static inline tn_status test_accelerate(tn_system *system, double *a)
{
    const test_system *test = test_of(system);
    for (uint32_t i = 0; i < system->nv; i++)
        a[i] = test->force[i] / test->mass[i];
    return TN_OK;
}

static inline tn_status test_residual(tn_system *system, const double *a, double *residual)
{
    const test_system *test = test_of(system);
    for (uint32_t i = 0; i < system->nv; i++)
        residual[i] = test->mass[i] * a[i] - test->force[i];
    return TN_OK;
}

/* p = a b for quaternions (w, x, y, z). */
static inline void test_quaternion_product(const double *a, const double *b, double *p)
{
    const double result[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                              a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                              a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                              a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(p, result, sizeof result);
}

static inline tn_status test_rate(tn_system *system, double *rate)
{
    memcpy(rate, system->v, (system->nq == 7 ? 3 : system->nv) * sizeof(double));
    if (system->nq != 7) return TN_OK;
    const double half[4] = {0.0, 0.5 * system->v[3], 0.5 * system->v[4], 0.5 * system->v[5]};
    test_quaternion_product(system->q + 3, half, rate + 3);
    return TN_OK;
}

static inline tn_status test_retract(tn_system *system, const double *from, const double *increment,
                                     double *to)
{
    const uint32_t straight = system->nq == 7 ? 3 : system->nv;
    for (uint32_t i = 0; i < straight; i++)
        to[i] = from[i] + increment[i];
    if (system->nq != 7) return TN_OK;
    const double *phi = increment + 3;
    const double angle = sqrt(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]);
    const double factor = angle > 1e-9 ? sin(0.5 * angle) / angle : 0.5;
    const double turn[4] = {cos(0.5 * angle), factor * phi[0], factor * phi[1], factor * phi[2]};
    test_quaternion_product(from + 3, turn, to + 3);
    return TN_OK;
}

static inline tn_status test_normalise(tn_system *system, double *q)
{
    if (system->nq != 7) return TN_OK;
    const double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int i = 3; i < 7; i++)
        q[i] /= length;
    return TN_OK;
}

/* ---- matrix: stored full, factorised by Gauss with row pivots ---- */

static inline tn_matrix *test_pattern(tn_system *system)
{
    test_system *test = test_of(system);
    const int32_t n = (int32_t)system->nv;
    for (int32_t c = 0; c <= n; c++)
        test->column_start[c] = c * n;
    for (int32_t i = 0; i < n * n; i++)
        test->row[i] = i % n;
    test->matrix = (tn_matrix){system->nv, 0, test->column_start, test->row, test->value};
    return &test->matrix;
}

static inline void test_add(test_system *test, uint32_t row, uint32_t column, double value)
{
    test->value[column * test->system.nv + row] += value;
}

static inline tn_status test_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness)
{
    test_system *test = test_of(system);
    test->matrices++;
    memset(test->value, 0, sizeof test->value);
    for (uint32_t i = 0; i < system->nv; i++)
        test_add(test, i, i, c_mass * test->mass[i]);
    for (uint32_t j = 0; !test->is_body && j < system->nv; j++) {
        const double d = test_stretch(test, test->q, j);
        const double s =
            c_stiffness * (test->stiffness + 3.0 * test->cubic * d * d) + c_damping * test->damping;
        test_add(test, j, j, s);
        if (j == 0) continue;
        test_add(test, j - 1, j - 1, s);
        test_add(test, j - 1, j, -s);
        test_add(test, j, j - 1, -s);
    }
    for (uint32_t i = 0; test->is_body && i < 3; i++) {
        const uint32_t k = (i + 1) % 3, l = (i + 2) % 3;
        const double difference = c_damping * (test->inertia[k] - test->inertia[l]);
        test_add(test, 3 + i, 3 + k, -difference * test->v[3 + l]);
        test_add(test, 3 + i, 3 + l, -difference * test->v[3 + k]);
    }
    return TN_OK;
}

static inline tn_status test_factor(tn_system *system)
{
    test_system *test = test_of(system);
    test->factorisations++;
    memcpy(test->factors, test->value, sizeof test->value);
    return TN_OK;
}

static inline tn_status test_solve(tn_system *system, double *b)
{
    test_system *test = test_of(system);
    const uint32_t n = system->nv;
    double m[TEST_SIZE * TEST_SIZE];
    memcpy(m, test->factors, sizeof m);
    for (uint32_t p = 0; p < n; p++) {
        uint32_t best = p;
        for (uint32_t r = p + 1; r < n; r++)
            if (fabs(m[p * n + r]) > fabs(m[p * n + best])) best = r;
        for (uint32_t c = 0; c < n; c++) {
            const double swap = m[c * n + p];
            m[c * n + p] = m[c * n + best];
            m[c * n + best] = swap;
        }
        const double swap = b[p];
        b[p] = b[best];
        b[best] = swap;
        for (uint32_t r = p + 1; r < n; r++) {
            const double factor = m[p * n + r] / m[p * n + p];
            for (uint32_t c = p; c < n; c++)
                m[c * n + r] -= factor * m[c * n + p];
            b[r] -= factor * b[p];
        }
    }
    double largest = 0.0;
    for (uint32_t p = n; p-- > 0;) {
        for (uint32_t c = p + 1; c < n; c++)
            b[p] -= m[c * n + p] * b[c];
        b[p] /= m[p * n + p];
        largest = fmax(largest, fabs(b[p]));
    }
    if (test->solutions < sizeof test->corrections / sizeof test->corrections[0])
        test->corrections[test->solutions] = largest;
    test->solutions++;
    return TN_OK;
}

/* ---- end of a step ---- */

/* Makes the change when it is due, as the kernel does. */
static inline void test_change(test_system *test)
{
    tn_system *system = &test->system;
    if (system->next_change > system->time + 1e-9 * system->run->step) return;
    test->stiffness = test->stiffness_after;
    system->next_change = HUGE_VAL;
    system->revision++;
    (void)test_evaluate(system);
    (void)test_accelerate(system, system->a);
}

static inline tn_status test_accept(tn_system *system)
{
    test_system *test = test_of(system);
    test->accepts++;
    test->accepted_time = system->time;
    if (test->accepts == 2) test->blocks_at_start_of_motion = test->host.block_count;
    test_change(test);

    // what a row would show: a must belong to the state
    double kept[TEST_SIZE];
    memcpy(kept, test->force, sizeof kept);
    if (test->is_body)
        test_body_force(test);
    else
        test_chain_force(test);
    for (uint32_t i = 0; i < system->nv; i++)
        test->last_a_defect = fmax(test->last_a_defect, fabs(system->a[i] - test->force[i] / test->mass[i]));
    memcpy(test->force, kept, sizeof kept);
    return system->time >= test->end_request ? TN_EVENT : TN_OK;
}

static inline tn_status test_accept_at_stops(tn_system *system)
{
    test_system *test = test_of(system);
    test->stop_was_hit = test->stop_was_hit || system->time == test->wanted_stop;
    system->next_stop = system->time < test->wanted_stop ? test->wanted_stop : HUGE_VAL;
    return test_accept(system);
}

static inline void test_stop_at(test_system *test, double time)
{
    test->wanted_stop = time;
    test->system.accept = test_accept_at_stops;
}

static inline tn_status test_fail(tn_system *system, tn_status status, const double *residual,
                                  const char *what)
{
    test_system *test = test_of(system);
    (void)snprintf(test->failure, sizeof test->failure, "%s%s", residual ? "residual known. " : "", what);
    return status;
}

static inline tn_status test_fail_at_jump(tn_system *system, tn_status status, const double *jump,
                                          const char *what)
{
    return test_fail(system, status, jump, what);
}

/* ---- setup ---- */

static inline void test_begin(test_system *test, uint32_t nq, uint32_t nv)
{
    *test = (test_system){.longest_stride = HUGE_VAL, .end_request = HUGE_VAL};
    test_host_begin(&test->host);
    test->system = (tn_system){.struct_size = sizeof(tn_system),
                               .nq = nq,
                               .nv = nv,
                               .vector_space = nq == nv,
                               .host = &test->host.table,
                               .statistics = &test->statistics,
                               .q = test->q,
                               .v = test->v,
                               .a = test->a,
                               .x = test->x,
                               .x_rate = test->x_rate,
                               .lambda = test->lambda,
                               .run = &test->run,
                               .force = test->force,
                               .scale = test->scale,
                               .next_stop = HUGE_VAL,
                               .next_change = HUGE_VAL,
                               .evaluate = test_evaluate,
                               .accelerate = test_accelerate,
                               .residual = test_residual,
                               .rate = test_rate,
                               .retract = test_retract,
                               .normalise = test_normalise,
                               .pattern = test_pattern,
                               .matrix = test_matrix,
                               .factor = test_factor,
                               .solve = test_solve,
                               .accept = test_accept,
                               .fail = test_fail,
                               .fail_at_jump = test_fail_at_jump};
    test->run = (tn_run){.maximum_step = HUGE_VAL, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-9};
    for (uint32_t i = 0; i < TEST_SIZE; i++)
        test->mass[i] = test->scale[i] = 1.0;
}

static inline void test_end(test_system *test) { test_host_end(&test->host); }

/* One mass on a spring: q = cos(w t) + sin(w t) / w for mass 1, when nothing else is set. */
static inline void test_oscillator(test_system *test, double frequency)
{
    test_begin(test, 1, 1);
    test->stiffness = frequency * frequency;
    test->q[0] = 1.0;
    test->v[0] = 1.0;
}

/* The same, with the frequency 5 from `time` on; the work of the force is a quadrature. */
static inline void test_changed_oscillator(test_system *test, double frequency, double time)
{
    test_oscillator(test, frequency);
    test->stiffness_after = 25.0;
    test->system.next_change = time;
    test->system.nx = test->system.quadratures = 1;
}

/* Largest error of its state at `end`, behind the change; the quadrature counts, too. */
static inline double test_changed_error(const test_system *test, double frequency, double time, double end)
{
    const double c = cos(frequency * time), s = sin(frequency * time);
    const double q = c + s / frequency, v = c - frequency * s, C = cos(5.0 * (end - time)),
                 S = sin(5.0 * (end - time));
    const double right = q * C + v / 5.0 * S, rate = v * C - 5.0 * q * S;
    const double error = fmax(fabs(test->q[0] - right), fabs(test->v[0] - rate));
    return fmax(error, fabs(test->x[0] - 0.5 * (rate * rate - 1.0)));
}

/* Three masses in a row. */
static inline void test_chain(test_system *test)
{
    test_begin(test, 3, 3);
    test->stiffness = 10.0;
    test->damping = 0.2;
    test->mass[1] = 2.0;
    test->load_amplitude = 3.0;
    test->load_frequency = 2.0;
    test->q[2] = 0.5;
    test->v[0] = 1.0;
}

/* A tumbling free body of mass 1. */
static inline void test_body(test_system *test)
{
    test_begin(test, 7, 6);
    test->is_body = true;
    const double inertia[3] = {1.0, 2.0, 2.5}, v[6] = {1.0, -0.5, 0.25, 0.9, 1.3, -0.7};
    memcpy(test->inertia, inertia, sizeof inertia);
    memcpy(test->mass + 3, inertia, sizeof inertia);
    memcpy(test->v, v, sizeof v);
    test->q[3] = 1.0;
}

/* Angular momentum in ground axes. */
static inline void test_angular_momentum(const test_system *test, double *momentum)
{
    const double *e = test->q + 3, *w = test->v + 3, *j = test->inertia;
    const double inverse[4] = {e[0], -e[1], -e[2], -e[3]},
                 local[4] = {0.0, j[0] * w[0], j[1] * w[1], j[2] * w[2]};
    double turned[4];
    test_quaternion_product(e, local, turned);
    test_quaternion_product(turned, inverse, turned);
    memcpy(momentum, turned + 1, 3 * sizeof(double));
}

/* Standard values of the parameters, as the kernel would write them. */
static inline void test_fill_defaults(const tn_parameter *parameters, void *instance)
{
    for (const tn_parameter *p = parameters; p->name; p++) {
        char *place = (char *)instance + p->offset;
        const bool given = !(p->flags & TN_OPTIONAL);
        if (p->kind == TN_KIND_REAL) *(double *)place = given ? p->standard : (double)NAN;
        if (p->kind == TN_KIND_INTEGER) *(int64_t *)place = (int64_t)p->standard;
        if (p->kind == TN_KIND_CHOICE || p->kind == TN_KIND_BOOLEAN) *(int32_t *)place = (int32_t)p->standard;
        assert_true(!given || (p->standard >= p->low && p->standard <= p->high));
    }
}

/* The solver of this plugin, with the rules of its descriptor checked on the way. */
static inline const tn_solver_type *test_solver_of(const tn_library *library)
{
    assert_int_equal(library->struct_size, sizeof(tn_library));
    assert_int_equal(library->abi_major, TN_ABI_MAJOR);
    assert_string_equal(library->types[0].kind, TN_SOLVER_KIND);
    assert_null(library->types[1].kind);
    return library->types[0].type;
}

/* Order from the differences of three solutions, each with half the step of the one before. */
static inline double test_order(size_t n, const double *coarse, const double *middle, const double *fine)
{
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < n; i++) {
        first = fmax(first, fabs(coarse[i] - middle[i]));
        second = fmax(second, fabs(middle[i] - fine[i]));
    }
    return log2(first / second);
}

#endif
