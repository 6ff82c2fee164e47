/* test_problems.h - problems of impulses for tests and measurements: bodies, joints and points of contact one by one, and models of
 * them. Coordinates of a body are the velocity of its centre and its angular velocity, in the axes of the ground. */
#ifndef TENON_TEST_PROBLEMS_H
#define TENON_TEST_PROBLEMS_H

#include "tenon/kit/impulse_error.h"

#include <stdio.h>
#include <stdlib.h>

#define TEST_GROUND UINT32_MAX

typedef struct test_body {
    double position[3], mass, inertia;
    double velocity[6]; /* without impulses */
} test_body;

typedef struct test_problem {
    tn_impulse_problem problem;
    tn_matrix matrix;
    char name[64];
    test_body *body;
    tn_impulse_block *block;
    uint32_t *row_start, *column, *body_start;
    int32_t *column_start, *row;
    double *value, *free_rate, *impulse, *mass;
    uint32_t most_rows, most_entries;
} test_problem;

static inline void *test_zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

static inline void test_problem_end(test_problem *test)
{
    void *all[] = {test->body,       test->block,        test->row_start, test->column,
                   test->body_start, test->column_start, test->row,       test->value,
                   test->free_rate,  test->impulse,      test->mass};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *test = (test_problem){0};
}

/* Room for so many bodies and rows. */
static inline void test_problem_begin(test_problem *test, uint32_t bodies, uint32_t rows)
{
    *test = (test_problem){.most_rows = rows, .most_entries = 12 * rows};
    test->body = test_zeros(bodies, sizeof *test->body);
    test->block = test_zeros(rows, sizeof *test->block);
    test->row_start = test_zeros((size_t)rows + 1, sizeof *test->row_start);
    test->column = test_zeros(test->most_entries, sizeof *test->column);
    test->value = test_zeros(test->most_entries, sizeof *test->value);
    test->body_start = test_zeros((size_t)bodies + 1, sizeof *test->body_start);
    test->column_start = test_zeros(6 * (size_t)bodies + 1, sizeof *test->column_start);
    test->row = test_zeros(36 * (size_t)bodies, sizeof *test->row);
    test->mass = test_zeros(36 * (size_t)bodies, sizeof *test->mass);
    test->free_rate = test_zeros(rows, sizeof *test->free_rate);
    test->impulse = test_zeros(rows, sizeof *test->impulse);
    test->problem = (tn_impulse_problem){.struct_size = sizeof test->problem,
                                         .nv = 6 * bodies,
                                         .bodies = bodies,
                                         .block = test->block,
                                         .row_start = test->row_start,
                                         .column = test->column,
                                         .value = test->value,
                                         .free_rate = test->free_rate,
                                         .matrix = &test->matrix,
                                         .body_start = test->body_start,
                                         .block_diagonal = 1,
                                         .symmetric = 1,
                                         .impulse = test->impulse};
    test->matrix = (tn_matrix){sizeof test->matrix, 6 * bodies, test->column_start, test->row, test->mass};
}

static inline void test_place(test_problem *test, uint32_t body, double mass, double inertia, double x,
                              double y, double z)
{
    test->body[body] = (test_body){{x, y, z}, mass, inertia, {0}};
}

static inline tn_impulse_block *test_block(test_problem *test, uint32_t law, uint32_t rows)
{
    tn_impulse_block *block = &test->block[test->problem.blocks];
    *block = (tn_impulse_block){law, test->problem.rows, rows, test->problem.blocks, 0.0};
    test->problem.blocks++;
    return block;
}

/* The three or six entries of one body: the velocity of a point along a direction, or the angular velocity about it. */
static inline void test_entries(test_problem *test, uint32_t body, double sign, const double *point,
                                const double *along)
{
    if (body == TEST_GROUND) return;
    const double *center = test->body[body].position;
    double *value = test->value;
    uint32_t *column = test->column, *end = &test->row_start[test->problem.rows + 1];
    for (uint32_t i = 0; i < 3 && point; i++, (*end)++) {
        column[*end] = 6 * body + i;
        value[*end] = sign * along[i];
    }
    double turn[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        turn[i] = point ? (point[j] - center[j]) * along[k] - (point[k] - center[k]) * along[j] : along[i];
    }
    for (uint32_t i = 0; i < 3; i++, (*end)++) {
        column[*end] = 6 * body + 3 + i;
        value[*end] = sign * turn[i];
    }
}

/* A row of body b against body a; `point` NULL: of their rotations. */
static inline void test_row(test_problem *test, uint32_t a, uint32_t b, const double *point,
                            const double *along)
{
    const uint32_t row = test->problem.rows;
    test->row_start[row + 1] = test->row_start[row];
    test_entries(test, a < b ? a : b, a < b ? -1.0 : 1.0, point, along);
    test_entries(test, a < b ? b : a, a < b ? 1.0 : -1.0, point, along);
    test->problem.rows++;
}

/* Two directions at right angles to the normal. */
static inline void test_tangents(const double *n, double *t, double *s)
{
    const double e[3] = {fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    const double along = e[0] * n[0] + e[1] * n[1] + e[2] * n[2];
    double length = 0.0;
    for (int i = 0; i < 3; i++) {
        t[i] = e[i] - along * n[i];
        length += t[i] * t[i];
    }
    for (int i = 0; i < 3; i++)
        t[i] /= sqrt(length);
    for (int i = 0; i < 3; i++)
        s[i] = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
}

/* Body b rests on body a: the normal points into b. */
static inline void test_contact(test_problem *test, uint32_t a, uint32_t b, const double *point,
                                const double *normal, double friction)
{
    double t[3], s[3];
    test_block(test, TN_CONE_LAW, 3)->friction = friction;
    test_tangents(normal, t, s);
    test_row(test, a, b, point, normal);
    test_row(test, a, b, point, t);
    test_row(test, a, b, point, s);
}

static inline void test_unilateral(test_problem *test, uint32_t a, uint32_t b, const double *point,
                                   const double *normal)
{
    (void)test_block(test, TN_UNILATERAL_LAW, 1);
    test_row(test, a, b, point, normal);
}

/* A ball joint, and with `locked` that many rotations about x, y, z. */
static inline void test_joint(test_problem *test, uint32_t a, uint32_t b, const double *point,
                              uint32_t locked)
{
    static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    (void)test_block(test, TN_JOINT_LAW, 3 + locked);
    for (uint32_t i = 0; i < 3; i++)
        test_row(test, a, b, point, axis[i]);
    for (uint32_t i = 0; i < locked; i++)
        test_row(test, a, b, NULL, axis[i]);
}

/* u = free_rate + G v with the velocities of bodies: free rates are zero before. */
static inline void test_problem_finish(test_problem *test)
{
    double *v = test_zeros(test->problem.nv, sizeof *v);
    int32_t entry = 0;
    for (uint32_t b = 0; b < test->problem.bodies; b++) {
        test->body_start[b + 1] = 6 * (b + 1);
        memcpy(v + 6 * b, test->body[b].velocity, 6 * sizeof *v);
        for (int32_t i = 0; i < 6; i++) {
            test->column_start[6 * b + (uint32_t)i] = entry;
            for (int32_t j = 0; j < 6; j++, entry++) {
                test->row[entry] = (int32_t)(6 * b) + j;
                if (i == j) test->mass[entry] = i < 3 ? test->body[b].mass : test->body[b].inertia;
            }
        }
    }
    test->column_start[test->problem.nv] = entry;
    tn_impulse_rates(&test->problem, v, test->free_rate);
    free(v);
}

/* ---- models ---------------------------------------------------------------------------------------------------- */

/* Siconos' single contact: A = W^-1, G = 1. */
static inline void test_single_contact(test_problem *test)
{
    static const double w[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q[3] = {-1, 2, 3};
    test_problem_begin(test, 1, 3);
    (void)snprintf(test->name, sizeof test->name, "single contact of Siconos");
    test->problem.nv = test->matrix.size = 3;
    test->body_start[1] = 3;
    test_block(test, TN_CONE_LAW, 3)->friction = 0.1;
    test->problem.rows = 3;
    double determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            test->mass[3 * i + j] = w[3 * a + c] * w[3 * b + d] - w[3 * a + d] * w[3 * b + c];
            if (j == 0) determinant += w[i] * test->mass[3 * i + j];
            test->row[3 * i + j] = j;
        }
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < 3; j++)
            test->mass[3 * i + j] /= determinant;
        test->column_start[i + 1] = 3 * (int32_t)(i + 1);
        test->row_start[i + 1] = i + 1;
        test->column[i] = i;
        test->value[i] = 1.0;
        test->free_rate[i] = q[i];
    }
}

static inline void test_fall(test_problem *test, uint32_t body, double fall)
{
    test->body[body].velocity[2] = -fall;
}

/* Four corners of a box of half-width w at a height. */
static inline void test_corners(test_problem *test, uint32_t below, uint32_t above, double w, double x,
                                double height, double friction)
{
    static const double up[3] = {0, 0, 1};
    for (int i = 0; i < 4; i++) {
        const double point[3] = {x + (i & 1 ? w : -w), i & 2 ? w : -w, height};
        test_contact(test, below, above, point, up, friction);
    }
}

/* Boxes of 10 kg and 0.2 m on each other, in a step of 1 ms under gravity. */
static inline void test_stack(test_problem *test, uint32_t boxes, double friction)
{
    test_problem_begin(test, boxes, 12 * boxes);
    (void)snprintf(test->name, sizeof test->name, "stack of %u boxes", boxes);
    for (uint32_t i = 0; i < boxes; i++) {
        test_place(test, i, 10.0, 10.0 * 0.04 / 6.0, 0.0, 0.0, 0.1 + 0.2 * i);
        test_fall(test, i, 9.81e-3);
    }
    for (uint32_t i = 0; i < boxes; i++)
        test_corners(test, i > 0 ? i - 1 : TEST_GROUND, i, 0.1, 0.0, 0.2 * i, friction);
    test_problem_finish(test);
}

/* A half circle of wedges of 1 m inner and 1.2 m outer radius between two feet of the ground, each on the one before by the four corners of
 * its joint: a mason's arch, whose thrust is not unique. */
static inline void test_arch(test_problem *test, uint32_t blocks, double friction)
{
    const double inner = 1.0, outer = 1.2, half_width = 0.2, density = 2000.0,
                 part = 3.14159265358979 / blocks;
    test_problem_begin(test, blocks, 12 * (blocks + 1));
    (void)snprintf(test->name, sizeof test->name, "arch of %u blocks", blocks);
    for (uint32_t i = 0; i < blocks; i++) {
        const double at = (i + 0.5) * part, middle = 0.5 * (inner + outer);
        const double mass = density * 0.5 * part * (outer * outer - inner * inner) * 2.0 * half_width;
        test_place(test, i, mass, 0.02 * mass, -middle * cos(at), 0.0, middle * sin(at));
        test_fall(test, i, 9.81e-3);
    }
    for (uint32_t i = 0; i <= blocks; i++) {
        const double at = i * part, normal[3] = {sin(at), 0.0, cos(at)};
        for (int k = 0; k < 4; k++) {
            const double radius = k & 1 ? outer : inner;
            const double point[3] = {-radius * cos(at), k & 2 ? half_width : -half_width, radius * sin(at)};
            test_contact(test, i > 0 ? i - 1 : TEST_GROUND, i < blocks ? i : TEST_GROUND, point, normal,
                         friction);
        }
    }
    test_problem_finish(test);
}

/* Rods in a row on ball joints, or hinges along z with `locked` 2, one end on ground. */
static inline void test_chain(test_problem *test, uint32_t links, uint32_t locked)
{
    test_problem_begin(test, links, (3 + locked) * links);
    (void)snprintf(test->name, sizeof test->name, "chain of %u joints, %u rows each", links, 3 + locked);
    for (uint32_t i = 0; i < links; i++) {
        test_place(test, i, 1.0, 1.0 / 12.0, 0.5 + i, 0.0, 0.0);
        test_fall(test, i, 9.81e-3);
        test->body[i].velocity[0] = 0.1 * sin(0.3 * i);
    }
    for (uint32_t i = 0; i < links; i++) {
        const double point[3] = {i, 0.0, 0.0};
        test_joint(test, i > 0 ? i - 1 : TEST_GROUND, i, point, locked);
    }
    test_problem_finish(test);
}

/* Spheres in a square on a plate, which is a body of its own or the ground; neighbours touch each other, so far as `touching` says. */
static inline void test_spheres(test_problem *test, uint32_t spheres, bool moving_plate, uint32_t touching)
{
    static const double up[3] = {0, 0, 1}, along[2][3] = {{1, 0, 0}, {0, 1, 0}};
    const uint32_t side = (uint32_t)ceil(sqrt(spheres)), plate = moving_plate ? spheres : TEST_GROUND;
    test_problem_begin(test, spheres + moving_plate, 9 * spheres + 12);
    (void)snprintf(test->name, sizeof test->name, "%u spheres on %s, %u neighbours", spheres,
                   moving_plate ? "a plate" : "ground", touching);
    if (moving_plate) test_place(test, plate, 50.0, 20.0, 0.1 * side, 0.1 * side, -0.1);
    if (moving_plate) test_fall(test, plate, 9.81e-3);
    for (uint32_t i = 0; i < spheres; i++) {
        const double x = 0.2 * (i % side), y = 0.2 * (i / side);
        test_place(test, i, 1.0, 0.4 * 0.01, x, y, 0.1);
        test_fall(test, i, 9.81e-3);
        test->body[i].velocity[0] = 0.3 * sin(1.7 * i);
        test->body[i].velocity[1] = 0.3 * cos(2.3 * i);
        test->body[i].velocity[4] = i % 3 ? 3.0 * sin(1.7 * i) : 0.0;
    }
    for (uint32_t i = 0; i < spheres; i++) {
        const double *c = test->body[i].position, point[3] = {c[0], c[1], 0.0};
        test_contact(test, plate, i, point, up, 0.3);
        for (uint32_t k = 0; k < touching; k++) {
            const uint32_t other = k == 0 ? i + 1 : i + side;
            if (other >= spheres || (k == 0 && other % side == 0)) continue;
            const double between[3] = {c[0] + 0.1 * along[k][0], c[1] + 0.1 * along[k][1], 0.1};
            test_contact(test, i, other, between, along[k], 0.3);
        }
    }
    for (int i = 0; i < 4 && moving_plate; i++) {
        const double point[3] = {i & 1 ? 0.2 * side : 0.0, i & 2 ? 0.2 * side : 0.0, -0.2};
        test_contact(test, TEST_GROUND, plate, point, up, 0.3);
    }
    test_problem_finish(test);
}

/* Uniform in (0, 1), the same on every machine. */
static inline double test_uniform(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((*seed >> 8) + 0.5) / 16777216.0;
}

static inline void test_direction(uint32_t *seed, double *n)
{
    double length = 0.0;
    for (int i = 0; i < 3; i++) {
        n[i] = 2.0 * test_uniform(seed) - 1.0;
        length += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++)
        n[i] /= sqrt(length);
}

/* Bodies at random places that hit each other and the ground, with friction up to `friction`; every fourth body hangs on a joint. */
static inline void test_random_problem(test_problem *test, uint32_t contacts, bool joints, double friction,
                                       uint32_t seed)
{
    const uint32_t bodies = 1 + contacts / 2;
    (void)test_uniform(&seed);
    test_problem_begin(test, bodies, 3 * contacts + 5 * bodies);
    (void)snprintf(test->name, sizeof test->name, "random, %u contacts%s, mu < %g", contacts,
                   joints ? ", joints" : "", friction);
    for (uint32_t i = 0; i < bodies; i++) {
        const double mass = 0.2 + 5.0 * test_uniform(&seed);
        test_place(test, i, mass, 0.1 * mass, 3.0 * test_uniform(&seed), 3.0 * test_uniform(&seed),
                   3.0 * test_uniform(&seed));
        for (int k = 0; k < 6; k++)
            test->body[i].velocity[k] = 2.0 * test_uniform(&seed) - 1.0;
    }
    for (uint32_t i = 0; i < contacts; i++) {
        const uint32_t b = (uint32_t)(test_uniform(&seed) * bodies);
        uint32_t a = (uint32_t)(test_uniform(&seed) * bodies);
        if (a == b || i % 5 == 0) a = TEST_GROUND;
        double n[3], point[3];
        test_direction(&seed, n);
        for (int k = 0; k < 3; k++)
            point[k] = test->body[b].position[k] - 0.5 * n[k];
        if (i % 7 == 6)
            test_unilateral(test, a, b, point, n);
        else
            test_contact(test, a, b, point, n, friction * test_uniform(&seed));
    }
    for (uint32_t i = 0; i < bodies && joints; i += 4) {
        const uint32_t other = i > 0 ? i - 1 : TEST_GROUND;
        double point[3];
        test_direction(&seed, point);
        for (int k = 0; k < 3; k++)
            point[k] += test->body[i].position[k];
        test_joint(test, other, i, point, i % 3);
    }
    test_problem_finish(test);
}

/* The same problem in other units: kilograms times `mass`, metres times `length`. */
static inline void test_change_units(test_problem *test, double mass, double length)
{
    tn_impulse_problem *problem = &test->problem;
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t i = 0; i < test->block[b].rows; i++) {
            const uint32_t row = test->block[b].first + i;
            const uint32_t first = test->row_start[row];
            const bool turns = test->column[first] % 6 == 3;
            for (uint32_t k = first; k < test->row_start[row + 1]; k++)
                if (test->column[k] % 6 > 2 && !turns) test->value[k] *= length;
            if (!turns) test->free_rate[row] *= length;
            test->impulse[row] *= turns ? mass * length * length : mass * length;
        }
    for (uint32_t j = 0; j < problem->nv; j++)
        for (int32_t k = test->column_start[j]; k < test->column_start[j + 1]; k++)
            test->mass[k] *= j % 6 > 2 ? mass * length * length : mass;
}

#endif
