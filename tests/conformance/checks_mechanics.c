/* checks_mechanics.c - what mechanics demands of a connector: action equals reaction, no dependence on the
 * choice of axes, forces that follow from the potential */
#include "checks.h"
#include "scene.h"

#include <string.h>

/* Laws that refer to ground axes on purpose, beside those with a direction in them (TN_TURNS). They do so unless `parameter` is not zero or the port has a
 * marker; then they must be as indifferent as any other. This table is the only place for exemptions. */
static const struct ground_law {
    const char *type, *parameter;
    uint32_t port;
} ground_laws[] = {
    {"force", "local", 1},  /* port `axes` */
    {"torque", "local", 1}, /* port `axes` */
};

static bool refers_to_ground(const tn_scene *scene, uint32_t i)
{
    if (tn_has_ground_direction(scene, i)) return true;
    for (size_t k = 0; k < sizeof ground_laws / sizeof *ground_laws; k++) {
        if (strcmp(ground_laws[k].type, scene->type->name) != 0) continue;
        const tn_parameter *p = tn_find_parameter(scene->type, ground_laws[k].parameter);
        const unsigned char *instance = tn_instance_at(scene->instances, i);
        const bool given = p && *(const int32_t *)(const void *)(instance + p->offset) != 0;
        return !given && tn_markers_in(scene, ground_laws[k].port) == 0;
    }
    return false;
}

/* Two markers or more in the first port: the element acts between them. One marker: from outside. */
static bool acts_between_markers(const tn_scene *scene)
{
    return scene->ports->ports > 0 && tn_markers_in(scene, 0) >= 2;
}

/* Wrenches, and per instance what rounding is measured by: forces, and how fast they change. */
typedef struct loads {
    double *wrench, *scale;
} loads;

static bool take_loads(tn_trial *trial, const tn_scene *scene, loads *l)
{
    const size_t size = scene->wrench_size, row = size * tn_scene_columns(scene);
    l->wrench = tn_take_nan(trial, scene->count * size);
    l->scale = tn_take(trial, scene->count * sizeof(double));
    if (!tn_scene_force(scene, l->wrench)) return false;
    double *values = tn_take_nan(trial, scene->count * size);
    double *tangent = tn_take(trial, scene->count * row * sizeof(double));
    if (scene->type->force_tangent && !tn_scene_force_tangent(scene, values, tangent)) return false;
    for (size_t i = 0; i < scene->count; i++)
        l->scale[i] = tn_largest(l->wrench + i * size, size) + tn_largest(tangent + i * row, row);
    return true;
}

/* ---- action equals reaction ---------------------------------------------------------------------------- */

static void check_balance(tn_trial *trial, const tn_scene *scene)
{
    if (!acts_between_markers(scene) || !tn_all_in_space(scene)) return;
    double *wrench = tn_take_nan(trial, (size_t)scene->count * scene->wrench_size);
    if (!tn_scene_force(scene, wrench)) return;
    for (uint32_t i = 0; i < scene->count; i++) {
        tn_vec3 force = tn_zero(), moment = tn_zero();
        double scale = 0.0;
        for (uint32_t k = 0; k < scene->ports->count; k++) {
            const tn_vec3 p = tn_read_vector(tn_scene_pose(scene, i, k)), f = tn_read_vector(wrench);
            const bool frame = scene->ports->kind[k] == TN_FRAME;
            const tn_vec3 t = frame ? tn_read_vector(wrench + 3) : tn_zero();
            force = tn_add(force, f);
            moment = tn_add(moment, tn_add(t, tn_cross(p, f)));
            scale += tn_norm(f) * (1.0 + tn_norm(p)) + tn_norm(t);
            wrench += tn_twist_size(scene->ports->kind[k]);
        }
        if (tn_has_ground_direction(scene, i)) moment = tn_zero();
        if (!(tn_norm(force) <= TN_ROUNDING * scale && tn_norm(moment) <= TN_ROUNDING * scale))
            tn_fail(trial, "instance %u: forces add up to %.3g, moments to %.3g, of %.3g", i, tn_norm(force),
                    tn_norm(moment), scale);
    }
}

static void run_balance(tn_trial *trial) { tn_for_each_scene(trial, 1, check_balance); }

/* ---- frame indifference -------------------------------------------------------------------------------- */

static void turn_in_place(tn_mat3 Q, double *e) { tn_write_vector(e, tn_rotate(Q, tn_read_vector(e))); }

static void check_indifference(tn_trial *trial, const tn_scene *scene)
{
    if (!tn_all_in_space(scene)) return;
    const size_t size = scene->wrench_size;
    const tn_mat3 Q = tn_draw_rotation(trial);
    loads before;
    double *after = tn_take_nan(trial, scene->count * size);
    tn_scene turned = tn_scene_copy(scene);
    tn_scene_turn(&turned, Q, tn_draw_vector(trial, 2.0));
    if (!take_loads(trial, scene, &before) || !tn_scene_force(&turned, after)) return;
    for (uint32_t i = 0; i < scene->count; i++) {
        if (refers_to_ground(scene, i)) continue;
        for (size_t r = i * size; r < (i + 1) * size; r += 3) {
            turn_in_place(Q, before.wrench + r);
            for (size_t e = r; e < r + 3; e++)
                if (!(fabs(after[e] - before.wrench[e]) <= TN_ROUNDING * before.scale[i]))
                    tn_fail(trial, "instance %u row %zu: %.15g, but %.15g for a turned observer", i,
                            e - i * size, before.wrench[e], after[e]);
        }
    }
}

static void run_indifference(tn_trial *trial) { tn_for_each_scene(trial, 1, check_indifference); }

/* A velocity that all markers have in common, as parts of one rigid body, is no relative motion. */
static void check_common_motion(tn_trial *trial, const tn_scene *scene)
{
    if (!acts_between_markers(scene) || !tn_all_in_space(scene)) return;
    const size_t size = scene->wrench_size;
    const tn_vec3 speed = tn_draw_vector(trial, 2.0), turning = tn_draw_vector(trial, 2.0);
    loads before;
    double *after = tn_take_nan(trial, scene->count * size);
    tn_scene moving = tn_scene_copy(scene);
    for (uint32_t i = 0; i < scene->count; i++)
        for (uint32_t k = 0; k < scene->ports->count; k++) {
            const tn_vec3 p = tn_read_vector(tn_scene_pose(scene, i, k));
            double *twist = tn_scene_twist(&moving, i, k);
            tn_write_vector(twist, tn_add(tn_read_vector(twist), tn_add(speed, tn_cross(turning, p))));
            if (scene->ports->kind[k] == TN_FRAME)
                tn_write_vector(twist + 3, tn_add(tn_read_vector(twist + 3), turning));
        }
    if (!take_loads(trial, scene, &before) || !tn_scene_force(&moving, after)) return;
    for (size_t r = 0; r < scene->count * size; r++)
        if (!tn_has_ground_direction(scene, (uint32_t)(r / size)) &&
            !(fabs(after[r] - before.wrench[r]) <= TN_ROUNDING * before.scale[r / size]))
            tn_fail(trial, "instance %zu row %zu: %.15g, but %.15g in common motion", r / size, r % size,
                    before.wrench[r], after[r]);
}

static void run_common_motion(tn_trial *trial) { tn_for_each_scene(trial, 1, check_common_motion); }

/* ---- the potential ------------------------------------------------------------------------------------- */

static bool has_potential(const tn_loaded_element *type) { return type->force && type->potential; }

typedef struct path_sample {
    const tn_scene *scene;
    tn_scene *work;
    const double *direction;
} path_sample;

static void sample_potential(const void *data, double step, double *energy)
{
    const path_sample *sample = data;
    tn_scene_reset(sample->work, sample->scene);
    tn_scene_move(sample->work, sample->direction, step);
    (void)tn_scene_potential(sample->work, energy);
}

/* Along the current motion: d(potential)/dt = - power of the wrenches. */
static void check_potential(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = scene->wrench_size, count = scene->count;
    double *direction = tn_take(trial, count * size * sizeof(double));
    double *rate = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
    loads l;
    if (!take_loads(trial, scene, &l)) return;
    tn_scene work = tn_scene_copy(scene);
    double *to = direction;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < scene->ports->count; to += tn_twist_size(scene->ports->kind[k]), k++)
            memcpy(to, tn_scene_twist(scene, i, k), tn_twist_size(scene->ports->kind[k]) * sizeof *to);
    const path_sample sample = {scene, &work, direction};
    tn_differentiate(trial, sample_potential, &sample, count, rate, error);
    tn_comparison comparison = {0};
    for (size_t i = 0; i < count; i++) {
        double power = 0.0;
        for (size_t r = i * size; r < (i + 1) * size; r++)
            power += l.wrench[r] * direction[r];
        const double scale = l.scale[i] * (1.0 + tn_largest(direction + i * size, size));
        if (!tn_agrees(&comparison, -power, rate[i], error[i], scale))
            tn_fail(trial, "instance %zu: power %.15g, rate of the potential %.15g", i, power, rate[i]);
    }
    tn_conclude(trial, &comparison);
}

static void check_conservative(tn_trial *trial, const tn_scene *scene)
{
    if (!scene->callables) check_potential(trial, scene);
}

static void run_potential(tn_trial *trial)
{
    trial->conservative = true;
    tn_for_each_scene(trial, 1, check_conservative);
}

const tn_check tn_mechanics_checks[] = {
    {"wrenches are in balance", tn_is_connector, run_balance},
    {"indifferent to the observer's axes", tn_is_connector, run_indifference},
    {"common motion causes no force", tn_is_connector, run_common_motion},
    {"forces follow from the potential", has_potential, run_potential},
    {0}};
