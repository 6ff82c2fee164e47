/* test_tangent.c - the matrix of whole systems against differences of their forces, at random states; and central
 * differences in place of the exact passes */
#include "harness.h"

#include <math.h>

enum { STATES = 1000 };

/* ---- models ------------------------------------------------------------------------------------------------ */

#define GRAVITY "[model]\ngravity = [1, 2, -9.81]\n"
#define BODY_A                                                                                              \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.5, 0.8, 0.9, 0.1, -0.05, 0.08]\n" \
    "com = [0.1, -0.2, 0.05]\nposition = [1, 0, 0]\n"
#define BODY_B                                                                             \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.3, 0.4, 0.5]\n" \
    "position = [-1, 2, 0.5]\nrotation = { euler = 'xyz', angles = [0.3, -0.2, 0.7] }\n"
#define POINT_C "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0, -2, 1]\n"
#define POINT_D "[[element]]\nname = 'd'\ntype = 'mass_point'\nmass = 1.3\nposition = [2, 1, -2]\n"
/* Offset frames, turned, on both bodies and on the ground. */
#define FRAMES                                                                                     \
    "[[marker]]\nname = 'a1'\ntype = 'frame'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"        \
    "rotation = { axis = [1, 2, -1], angle = 0.9 }\n"                                              \
    "[[marker]]\nname = 'a2'\ntype = 'frame'\nelement = 'a'\nposition = [-0.5, 0.3, 0.6]\n"        \
    "rotation = { axis = [0, 1, 1], angle = -1.7 }\n"                                              \
    "[[marker]]\nname = 'b1'\ntype = 'frame'\nelement = 'b'\nposition = [0.1, -0.3, 0.2]\n"        \
    "rotation = { axis = [1, 0, 0.5], angle = 2.1 }\n"                                             \
    "[[marker]]\nname = 'g1'\ntype = 'frame'\nelement = 'ground'\nposition = [0.2, 0.3, 4]\n"      \
    "rotation = { axis = [3, 1, 1], angle = 0.4 }\n"
#define SPRING(name, markers, more)                                                                    \
    "[[element]]\nname = '" name "'\ntype = 'spring_damper'\nmarkers = [" markers "]\nstiffness = 3\n" \
    "damping = 0.7\nreference_length = 1.5\n" more
#define LOAD(kind, name, markers, more)                                                           \
    "[[element]]\nname = '" name "'\ntype = '" kind "'\nmarkers = [" markers "]\nvalue = [2, -1, 1.5]\n" more

static const char springs[] = GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES
    SPRING("ground_a", "'g1', 'a1'", "") SPRING("ab", "'a2', 'b1'", "force = 0.4\nvelocity_offset = 0.3\n")
        SPRING("centres", "'a', 'b'", "") SPRING("bc", "'b', 'c'", "") SPRING("cd", "'c', 'd'", "")
            SPRING("ground_d", "'d', 'ground'", "");

static const char functions[] = GRAVITY BODY_A BODY_B POINT_C FRAMES
    SPRING("cubic", "'a1', 'b1'",
           "force_function = 'stiffness*deltaL + 2*deltaL^3 + damping*deltaL_t*(1 + deltaL^2) + force'\n")
        SPRING("dry", "'c', 'a2'", "force_function = 'atan(3*deltaL_t) + sin(deltaL)'\n")
            SPRING("ground_b", "'g1', 'b1'", "stiffness = '2 + sin(time)'\n");

static const char forces[] = GRAVITY BODY_A BODY_B POINT_C FRAMES LOAD("force", "fixed", "'a1'", "")
    LOAD("force", "follower", "'a2'", "local = true\n") LOAD("force", "other_axes", "'b1'", "axes = ['a1']\n")
        LOAD("force", "ground_axes", "'c'", "axes = ['g1']\n") LOAD("force", "pair", "'a1', 'b1'", "")
            LOAD("force", "following_pair", "'b1', 'a2'", "local = true\n")
                LOAD("force", "to_point", "'a1', 'c'", "axes = ['b1']\n")
                    LOAD("force", "from_point", "'c', 'b1'", "") LOAD("force", "to_ground", "'a2', 'g1'", "")
                        LOAD("force", "from_ground", "'g1', 'a2'", "local = true\n");

static const char torques[] = GRAVITY BODY_A BODY_B FRAMES LOAD("torque", "fixed", "'a1'", "")
    LOAD("torque", "follower", "'a2'", "local = true\n") LOAD("torque", "other_axes", "'b1'", "axes = ['a1']\n")
        LOAD("torque", "pair", "'a1', 'b1'", "") LOAD("torque", "following_pair", "'b1', 'a2'", "local = true\n")
            LOAD("torque", "to_ground", "'a2', 'g1'", "local = true\n")
                LOAD("torque", "from_ground", "'g1', 'a1'", "axes = ['b1']\n");

/* Two markers of the same body, and of the same point. */
static const char inner[] = GRAVITY BODY_A BODY_B POINT_C FRAMES LOAD("force", "pair", "'a1', 'a2'", "")
    LOAD("force", "follower", "'a2', 'a1'", "local = true\n")
        LOAD("force", "axes", "'a2', 'b1'", "axes = ['a1']\n") LOAD("torque", "twist", "'a1', 'a2'", "local = true\n")
            SPRING("own", "'a1', 'a2'", "") SPRING("shared", "'a1', 'b'", "") SPRING("again", "'b', 'a1'", "")
                SPRING("third", "'a1', 'c'", "");

/* ---- states ------------------------------------------------------------------------------------------------ */

typedef struct probe {
    tn_world world;
    tn_random random;
    uint32_t n;
    double *q0, *v0, *start, *increment, *column, *sum, *exact;
} probe;

static double *numbers(size_t count)
{
    double *array = calloc(count ? count : 1, sizeof *array);
    assert_non_null(array);
    return array;
}

static void open_probe(probe *p, const char *model)
{
    *p = (probe){.n = 0};
    tn_world_open(&p->world, model, NULL, NULL);
    const tn_system *system = p->world.system;
    p->n = system->nv;
    p->q0 = numbers(system->nq);
    p->start = numbers(system->nq);
    p->v0 = numbers(p->n);
    p->increment = numbers(p->n);
    p->column = numbers(p->n);
    p->sum = numbers(p->n);
    p->exact = numbers((size_t)p->n * p->n);
    memcpy(p->start, system->q, system->nq * sizeof(double));
}

static void close_probe(probe *p)
{
    double *const memory[] = {p->q0, p->v0, p->start, p->increment, p->column, p->sum, p->exact};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    tn_world_close(&p->world);
}

/* Shorter springs than this bend too much for the differences; they are drawn again. */
static const double shortest_spring = 0.5;

static bool springs_are_long(const probe *p)
{
    const tn_assembly *assembly = p->world.assembly;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_batch *batch = &assembly->group[k].batch;
        if (strcmp(assembly->group[k].type->name, "spring_damper") != 0) continue;
        for (size_t i = 0; i < batch->count; i++) {
            const double *a = batch->pose + batch->marker[2 * i].pose, *b = batch->pose + batch->marker[2 * i + 1].pose;
            if (hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) < shortest_spring) return false;
        }
    }
    return true;
}

/* Every body moved by up to 1 m per axis and turned by up to half a turn about any axis, with any velocity. */
static void draw_state(probe *p)
{
    tn_system *system = p->world.system;
    do {
        for (uint32_t i = 0; i < p->n; i++) {
            const double reach = p->world.assembly->group_count && system->scale[i] == 1.0 ? 1.8 : 1.0;
            p->increment[i] = tn_draw(&p->random, -reach, reach);
            system->v[i] = tn_draw(&p->random, -2.0, 2.0);
        }
        assert_int_equal(system->retract(system, p->start, p->increment, system->q), TN_OK);
        memset(p->increment, 0, p->n * sizeof(double));
        system->time = tn_draw(&p->random, 0.0, 3.0);
        assert_int_equal(system->evaluate(system), TN_OK);
    } while (!springs_are_long(p));
    memcpy(p->q0, system->q, system->nq * sizeof(double));
    memcpy(p->v0, system->v, p->n * sizeof(double));
}

/* ---- derivatives ------------------------------------------------------------------------------------------- */

/* Central difference of the force along coordinate j of q or v. */
static void difference(probe *p, bool of_q, uint32_t j, double h, double *derivative)
{
    tn_system *system = p->world.system;
    for (int side = 0; side < 2; side++) {
        const double step = side ? h : -h;
        if (of_q) {
            p->increment[j] = step;
            assert_int_equal(system->retract(system, p->q0, p->increment, system->q), TN_OK);
            p->increment[j] = 0.0;
        } else {
            system->v[j] = p->v0[j] + step;
        }
        assert_int_equal(system->evaluate(system), TN_OK);
        for (uint32_t i = 0; i < p->n; i++)
            derivative[i] = side ? (derivative[i] + system->force[i]) / (2.0 * h) : -system->force[i];
    }
    memcpy(system->q, p->q0, system->nq * sizeof(double));
    memcpy(system->v, p->v0, p->n * sizeof(double));
}

/* Extrapolated from three steps: what is left is of order six. */
static void extrapolate(probe *p, bool of_q, uint32_t j)
{
    static const double weight[3] = {1.0 / 45, -20.0 / 45, 64.0 / 45};
    memset(p->sum, 0, p->n * sizeof(double));
    for (int k = 0; k < 3; k++) {
        difference(p, of_q, j, 8e-3 / (1 << k), p->column);
        for (uint32_t i = 0; i < p->n; i++)
            p->sum[i] += weight[k] * p->column[i];
    }
}

/* The matrix with these factors as a full one, by rows. */
static void fill(probe *p, double c_mass, double c_damping, double c_stiffness, double *full)
{
    tn_system *system = p->world.system;
    const tn_matrix *matrix = system->pattern(system);
    assert_non_null(matrix);
    assert_int_equal(system->matrix(system, c_mass, c_damping, c_stiffness), TN_OK);
    memset(full, 0, sizeof(double) * p->n * p->n);
    for (uint32_t j = 0; j < p->n; j++)
        for (int32_t k = matrix->column_start[j]; k < matrix->column_start[j + 1]; k++)
            full[(size_t)matrix->row[k] * p->n + j] = matrix->value[k];
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static void check_derivative(probe *p, bool of_q, int state)
{
    tn_system *system = p->world.system;
    assert_int_equal(system->evaluate(system), TN_OK);
    fill(p, 0.0, of_q ? 0.0 : 1.0, of_q ? 1.0 : 0.0, p->exact);
    const double size = largest_of(p->exact, (size_t)p->n * p->n);
    assert_true(size > 0.0);
    for (uint32_t j = 0; j < p->n; j++) {
        extrapolate(p, of_q, j);
        for (uint32_t i = 0; i < p->n; i++)
            if (!(fabs(-p->sum[i] - p->exact[i * p->n + j]) <= 1e-9 * size))
                fail_msg("state %d: -df%u/d%s%u is %.12g by differences, %.12g in the matrix (largest %.3g)", state,
                         i, of_q ? "q" : "v", j, -p->sum[i], p->exact[i * p->n + j], size);
    }
}

static void check_model(const char *model)
{
    probe p;
    open_probe(&p, model);
    for (int state = 0; state < STATES; state++) {
        draw_state(&p);
        check_derivative(&p, true, state);
        check_derivative(&p, false, state);
    }
    close_probe(&p);
}

static void test_springs(void **state)
{
    (void)state;
    check_model(springs);
}

static void test_force_functions(void **state)
{
    (void)state;
    check_model(functions);
}

static void test_forces(void **state)
{
    (void)state;
    check_model(forces);
}

static void test_torques(void **state)
{
    (void)state;
    check_model(torques);
}

static void test_two_markers_on_one_body(void **state)
{
    (void)state;
    check_model(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_springs), cmocka_unit_test(test_force_functions),
                                       cmocka_unit_test(test_forces), cmocka_unit_test(test_torques),
                                       cmocka_unit_test(test_two_markers_on_one_body)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
