/* checks_coordinate.c - what connectors owe the kernel that offer coordinates for markers: rates and tangents that are
 * derivatives of their values */
#include "checks.h"
#include "scene.h"

#include <string.h>

static bool offers_coordinates(const tn_loaded_element *type) { return type->coordinates != NULL; }

/* Value (0) or rate (1) of a coordinate while the markers move along a direction, or change their twists. */
typedef struct path {
    const tn_scene *scene;
    tn_scene *work;
    const double *direction;
    uint32_t coordinate, which;
    bool of_twists;
} path;

static void sample(const void *data, double step, double *values)
{
    const path *along = data;
    tn_trial *trial = along->scene->trial;
    struct tn_block *mark = tn_mark(trial);
    double *pairs = tn_take_nan(trial, 2 * (size_t)along->scene->count);
    tn_scene_reset(along->work, along->scene);
    if (along->of_twists)
        tn_scene_accelerate(along->work, along->direction, step);
    else
        tn_scene_move(along->work, along->direction, step);
    (void)tn_scene_coordinate(along->work, along->coordinate, pairs);
    for (size_t i = 0; i < along->scene->count; i++)
        values[i] = pairs[2 * i + along->which];
    tn_release(trial, mark);
}

/* One number per instance against differences; `scale` is what rounding is measured by. */
static void compare(tn_trial *trial, const path *along, const double *exact, const double *scale,
                    const char *what)
{
    const size_t count = along->scene->count;
    double *derivative = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
    tn_comparison comparison = {0};
    tn_differentiate(trial, sample, along, count, derivative, error);
    for (size_t i = 0; i < count; i++) {
        if (tn_agrees(&comparison, exact[i], derivative[i], error[i], scale[i])) continue;
        tn_fail(trial, "%s, instance %zu: %s is %.15g, differences give %.15g",
                along->scene->type->coordinates[along->coordinate].name, i, what, exact[i], derivative[i]);
        return;
    }
    tn_conclude(trial, &comparison);
}

static void check_coordinate(tn_trial *trial, const tn_scene *scene, uint32_t coordinate)
{
    const size_t count = scene->count, size = scene->wrench_size;
    double *pairs = tn_take_nan(trial, 2 * count), *tangent = tn_take_nan(trial, 2 * count * size);
    double *exact = tn_take(trial, count * sizeof *exact), *scale = tn_take(trial, count * sizeof *scale);
    const double *direction = tn_draw_numbers(trial, count * size, 1.0);
    tn_scene work = tn_scene_copy(scene);
    if (!tn_scene_coordinate(scene, coordinate, pairs) ||
        !tn_scene_coordinate_tangent(scene, coordinate, tangent))
        return;
    if (!tn_all_finite(pairs, 2 * count) || !tn_all_finite(tangent, 2 * count * size)) {
        tn_fail(trial, "numbers of a coordinate are not written or not finite");
        return;
    }
    path along = {scene, &work, tn_scene_twists(scene), coordinate, 0, false};
    for (size_t i = 0; i < count; i++) {
        exact[i] = pairs[2 * i + 1];
        scale[i] = 1.0 + tn_largest(tangent + 2 * i * size, 2 * size);
    }
    compare(trial, &along, exact, scale, "the rate");
    along.which = 1;
    along.direction = direction;
    for (int half = 0; half < 2; half++) {
        along.of_twists = half;
        for (size_t i = 0; i < count; i++) {
            exact[i] = 0.0;
            for (size_t c = 0; c < size; c++)
                exact[i] += tangent[(2 * i + (size_t)half) * size + c] * direction[i * size + c];
        }
        compare(trial, &along, exact, scale, half ? "derivative to twists" : "derivative to poses");
    }
}

static void check_coordinates(tn_trial *trial, const tn_scene *scene)
{
    const uint64_t before = tn_scene_checksum(scene);
    for (uint32_t k = 0; scene->type->coordinates[k].name; k++)
        check_coordinate(trial, scene, k);
    if (tn_scene_checksum(scene) != before) tn_fail(trial, "an input array was changed");
}

static void run_coordinates(tn_trial *trial) { tn_for_each_scene(trial, 1, check_coordinates); }

const tn_check tn_coordinate_checks[] = {
    {"coordinates have exact rates and tangents", offers_coordinates, run_coordinates}, {0}};
