/* checks_derived.c - what a marker made of other markers owes the kernel: a twist that is the rate of its pose, the
 * exact derivative of it, the same bits however instances are grouped, and no regard for the axes of the observer */
#include "checks.h"
#include "scene.h"

#include <string.h>

#define PI 3.141592653589793

static bool always(const tn_loaded_element *type)
{
    (void)type;
    return true;
}

static size_t pose_size(const tn_scene *s) { return tn_pose_size(s->trial->marker->kind); }
static size_t twist_size(const tn_scene *s) { return tn_twist_size(s->trial->marker->kind); }
static size_t value_size(const tn_scene *s) { return pose_size(s) + twist_size(s); }

static double *take_values(tn_trial *trial, const tn_scene *scene)
{
    double *value = tn_take_nan(trial, scene->count * value_size(scene));
    return tn_scene_kinematics(scene, value) ? value : NULL;
}

/* [count][twist size][2 W] */
static double *take_tangents(tn_trial *trial, const tn_scene *scene)
{
    double *tangent = tn_take_nan(trial, scene->count * twist_size(scene) * 2 * scene->wrench_size);
    return tn_scene_kinematics_tangent(scene, tangent) ? tangent : NULL;
}

static bool is_acceleration(const tn_scene *s) { return s->trial->marker->flags & TN_ACCELERATION; }

/* Only its velocity means something. */
static bool is_quasi(const tn_scene *s)
{
    return s->trial->marker->flags & TN_QUASI_COORDINATE || is_acceleration(s);
}

/* ---- complete results ------------------------------------------------------------------------------------ */

static void check_results(tn_trial *trial, const tn_scene *scene)
{
    const uint64_t before = tn_scene_checksum(scene);
    const double *value = take_values(trial, scene);
    const double *tangent = trial->marker->kinematics_tangent ? take_tangents(trial, scene) : NULL;
    if (!value) return;
    if (!tn_all_finite(value, scene->count * value_size(scene)))
        tn_fail(trial, "kinematics leaves numbers unwritten or not finite");
    if (tangent && !tn_all_finite(tangent, scene->count * twist_size(scene) * 2 * scene->wrench_size))
        tn_fail(trial, "kinematics_tangent leaves numbers unwritten or not finite");
    if (tn_scene_checksum(scene) != before) tn_fail(trial, "an input array was changed");
    for (size_t i = 0; i < scene->count; i++) {
        const double c = value[i * value_size(scene)];
        if (is_quasi(scene) && c != 0.0)
            tn_fail(trial, "instance %zu: a quasi-coordinate has the value %g", i, c);
        if (trial->marker->flags & TN_COUNTS_TURNS && fabs(c) > PI)
            tn_fail(trial, "instance %zu: the angle %g is a turn away", i, c);
    }
    for (size_t i = 0; i < scene->count && trial->marker->kind == TN_FRAME; i++) {
        const tn_mat3 R = tn_read_matrix(value + i * value_size(scene) + 3);
        const tn_mat3 one = tn_multiply(R, tn_transpose(R));
        for (int k = 0; k < 9; k++)
            if (!(fabs(one.row[k / 3].e[k % 3] - (k % 4 == 0)) <= 1e-13))
                tn_fail(trial, "instance %zu: the rotation is not orthonormal", i);
    }
}

static void run_results(tn_trial *trial) { tn_for_each_scene(trial, 1, check_results); }

static void check_grouping(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = value_size(scene), rows = twist_size(scene) * 2 * scene->wrench_size;
    const double *value = take_values(trial, scene);
    const double *tangent = trial->marker->kinematics_tangent ? take_tangents(trial, scene) : NULL;
    for (uint32_t i = 0; i < scene->count && value; i++) {
        struct tn_block *mark = tn_mark(trial);
        const tn_scene one = tn_scene_part(scene, i, 1);
        const double *alone = take_values(trial, &one);
        const double *derivative = tangent ? take_tangents(trial, &one) : NULL;
        if (alone && memcmp(alone, value + i * size, size * sizeof *value) != 0)
            tn_fail(trial, "instance %u has other bits in a batch of its own", i);
        if (derivative && memcmp(derivative, tangent + i * rows, rows * sizeof *tangent) != 0)
            tn_fail(trial, "instance %u has another tangent in a batch of its own", i);
        tn_release(trial, mark);
    }
}

static void run_grouping(tn_trial *trial) { tn_for_each_scene(trial, 1, check_grouping); }

/* ---- twist and tangent ----------------------------------------------------------------------------------- */

typedef struct motion {
    const tn_scene *scene;
    tn_scene *work;
    const double *direction;
    bool of_twist;       /* the twists are moved, not the poses */
    const double *value; /* before the motion */
} motion;

/* Angles go on where they would jump by a turn. */
static void count_turns(const motion *m, double *value)
{
    if (!(m->scene->trial->marker->flags & TN_COUNTS_TURNS)) return;
    for (size_t i = 0; i < m->scene->count * value_size(m->scene); i += value_size(m->scene))
        value[i] -= 2.0 * PI * round((value[i] - m->value[i]) / (2.0 * PI));
}

static void sample_values(const void *data, double step, double *value)
{
    const motion *m = data;
    tn_scene_reset(m->work, m->scene);
    if (m->of_twist)
        tn_scene_accelerate(m->work, m->direction, step);
    else
        tn_scene_move(m->work, m->direction, step);
    (void)tn_scene_kinematics(m->work, value);
    count_turns(m, value);
}

/* Velocity and angular velocity from the rate of a pose: R' R^T = [w]. */
static void twist_of(uint32_t kind, const double *pose, const double *rate, double *twist)
{
    memcpy(twist, rate, (kind == TN_COORDINATE ? 1 : 3) * sizeof *twist);
    if (kind != TN_FRAME) return;
    const tn_mat3 W = tn_multiply(tn_read_matrix(rate + 3), tn_transpose(tn_read_matrix(pose + 3)));
    for (int k = 0; k < 3; k++)
        twist[3 + k] = 0.5 * (W.row[(k + 2) % 3].e[(k + 1) % 3] - W.row[(k + 1) % 3].e[(k + 2) % 3]);
}

/* The twists of all markers, instance by instance: the current motion. */
static double *take_twists(tn_trial *trial, const tn_scene *scene)
{
    double *direction = tn_take(trial, (size_t)scene->count * scene->wrench_size * sizeof *direction);
    double *to = direction;
    for (uint32_t i = 0; i < scene->count; i++)
        for (uint32_t k = 0; k < scene->ports->count; to += tn_twist_size(scene->ports->kind[k]), k++)
            memcpy(to, tn_scene_twist(scene, i, k), tn_twist_size(scene->ports->kind[k]) * sizeof *to);
    return direction;
}

static void check_twist(tn_trial *trial, const tn_scene *scene)
{
    if (is_quasi(scene)) return;
    const size_t size = value_size(scene), count = scene->count * size, pose = pose_size(scene);
    const double *value = take_values(trial, scene);
    tn_scene work = tn_scene_copy(scene);
    const motion m = {scene, &work, take_twists(trial, scene), false, value};
    double *rate = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
    if (!value) return;
    tn_differentiate(trial, sample_values, &m, count, rate, error);
    tn_comparison comparison = {0};
    for (size_t i = 0; i < scene->count; i++) {
        double expected[6];
        const double uncertain = tn_largest(error + i * size, pose);
        twist_of(trial->marker->kind, value + i * size, rate + i * size, expected);
        const double scale = 1.0 + tn_largest(expected, twist_size(scene));
        for (size_t k = 0; k < twist_size(scene); k++)
            if (!tn_agrees(&comparison, value[i * size + pose + k], expected[k], uncertain, scale))
                tn_fail(trial, "instance %zu entry %zu: twist %.15g, rate of the pose %.15g", i, k,
                        value[i * size + pose + k], expected[k]);
    }
    tn_conclude(trial, &comparison);
}

static void run_twist(tn_trial *trial) { tn_for_each_scene(trial, 1, check_twist); }

/* Column by column, all instances at once. What tells an acceleration may carry axes along with the poses. */
static void check_tangent(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = value_size(scene), count = scene->count * size, pose = pose_size(scene);
    const size_t rows = twist_size(scene), W = scene->wrench_size;
    const double *value = take_values(trial, scene), *tangent = take_tangents(trial, scene);
    tn_scene work = tn_scene_copy(scene);
    tn_comparison comparison = {0};
    for (size_t column = is_acceleration(scene) ? W : 0; value && tangent && column < 2 * W; column++) {
        struct tn_block *mark = tn_mark(trial);
        double *direction = tn_take(trial, scene->count * W * sizeof *direction);
        double *derivative = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
        for (size_t i = 0; i < scene->count; i++)
            direction[i * W + column % W] = 1.0;
        const motion m = {scene, &work, direction, column >= W, value};
        tn_differentiate(trial, sample_values, &m, count, derivative, error);
        for (size_t r = 0; r < scene->count * rows; r++) {
            const size_t place = r / rows * size + pose + r % rows;
            const double exact = tangent[r * 2 * W + column];
            const double scale = 1.0 + tn_largest(tangent + r * 2 * W, 2 * W);
            if (!tn_agrees(&comparison, exact, derivative[place], error[place], scale))
                tn_fail(trial, "instance %zu row %zu column %zu: tangent %.15g, differences %.15g", r / rows,
                        r % rows, column, exact, derivative[place]);
        }
        tn_release(trial, mark);
    }
    tn_conclude(trial, &comparison);
}

static void run_tangent(tn_trial *trial)
{
    if (!trial->marker->kinematics_tangent) {
        tn_fail(trial, "has no kinematics_tangent: the plugin was built without its exact passes");
        return;
    }
    tn_for_each_scene(trial, 1, check_tangent);
}

/* What is asked for once must be the same at all poses and twists, and none of it against poses. */
static void check_constant_shares(tn_trial *trial, const tn_scene *scene)
{
    if (!(trial->marker->flags & TN_CONSTANT_SHARES)) return;
    const size_t rows = scene->count * twist_size(scene), W = scene->wrench_size;
    tn_scene moved = tn_scene_copy(scene);
    tn_scene_move(&moved, take_twists(trial, scene), 0.5);
    tn_scene_accelerate(&moved, take_twists(trial, scene), 2.0);
    const double *before = take_tangents(trial, scene), *after = take_tangents(trial, &moved);
    if (!before || !after) return;
    if (memcmp(before, after, rows * 2 * W * sizeof *before) != 0)
        tn_fail(trial, "the derivative of the twist is not constant");
    for (size_t r = 0; r < rows; r++)
        if (tn_largest(before + r * 2 * W, W) != 0.0) tn_fail(trial, "row %zu depends on the poses", r);
}

static void run_constant_shares(tn_trial *trial) { tn_for_each_scene(trial, 1, check_constant_shares); }

/* ---- frame indifference ---------------------------------------------------------------------------------- */

/* A rigid motion: x -> Q x + c, with velocity u and angular velocity w afterwards. */
typedef struct rigid {
    tn_mat3 Q;
    tn_vec3 c, u, w;
} rigid;

/* Moves one marker, whose pose and twist stand apart. */
static void move_rigidly(const rigid *g, uint32_t kind, double *pose, double *twist)
{
    if (kind == TN_COORDINATE) return;
    const tn_vec3 p = tn_add(tn_rotate(g->Q, tn_read_vector(pose)), g->c);
    const tn_vec3 own = tn_rotate(g->Q, tn_read_vector(twist));
    tn_write_vector(pose, p);
    tn_write_vector(twist, tn_add(own, tn_add(g->u, tn_cross(g->w, p))));
    if (kind != TN_FRAME) return;
    tn_write_matrix(pose + 3, tn_multiply(g->Q, tn_read_matrix(pose + 3)));
    tn_write_vector(twist + 3, tn_add(tn_rotate(g->Q, tn_read_vector(twist + 3)), g->w));
}

/* A node does not say how its coordinates go with a rigid motion. */
static bool has_nodes(const tn_scene *scene)
{
    for (uint32_t k = 0; k < scene->ports->count; k++)
        if (tn_is_node(scene->ports->kind[k])) return true;
    return false;
}

/* An empty port may stand for ground, which does not move with the others. */
static bool has_all_ports(const tn_scene *scene)
{
    for (uint32_t p = 0; p < scene->ports->ports; p++)
        if (scene->ports->port_first[p] == scene->ports->port_first[p + 1]) return false;
    return true;
}

static void check_indifference(tn_trial *trial, const tn_scene *scene)
{
    if (!has_all_ports(scene) || has_nodes(scene) ||
        (is_acceleration(scene) && trial->marker->kind == TN_POINT))
        return;
    const rigid g = {tn_draw_rotation(trial), tn_draw_vector(trial, 2.0), tn_draw_vector(trial, 2.0),
                     tn_draw_vector(trial, 2.0)};
    const size_t size = value_size(scene), pose = pose_size(scene);
    tn_scene moved = tn_scene_copy(scene);
    for (uint32_t i = 0; i < scene->count; i++)
        for (uint32_t k = 0; k < scene->ports->count; k++)
            move_rigidly(&g, scene->ports->kind[k], tn_scene_pose(&moved, i, k),
                         tn_scene_twist(&moved, i, k));
    double *before = take_values(trial, scene), *after = take_values(trial, &moved);
    for (size_t i = 0; i < scene->count && before && after; i++) {
        double *expected = before + i * size;
        const double scale = 10.0 * (1.0 + tn_largest(expected, size));
        move_rigidly(&g, trial->marker->kind, expected, expected + pose);
        for (size_t k = 0; k < size; k++)
            if (!(fabs(after[i * size + k] - expected[k]) <= TN_ROUNDING * scale))
                tn_fail(trial, "instance %zu entry %zu: %.15g after a rigid motion, not %.15g", i, k,
                        after[i * size + k], expected[k]);
    }
}

static void run_indifference(tn_trial *trial) { tn_for_each_scene(trial, 1, check_indifference); }

const tn_check tn_derived_checks[] = {{"writes all results and no input", always, run_results},
                                      {"same bits in any size of batch", always, run_grouping},
                                      {"twist is the rate of the pose", always, run_twist},
                                      {"derivative of the twist is exact", always, run_tangent},
                                      {"constant shares are constant", always, run_constant_shares},
                                      {"moves rigidly with what it is made of", always, run_indifference},
                                      {0}};
