/* checks_unknowns.c - what the algebraic unknowns of a constraint may depend on: poses and time alone, since the derivatives of
 * the rows have nothing else in them
 *
 * That rows, rates, biases and stiffnesses follow the unknowns is what checks_constraint.c finds. */
#include "checks.h"
#include "scene.h"

static bool has_followers(const tn_loaded_element *type)
{
    return type->algebraic != NULL && tn_is_constraint(type);
}

static void check_sizes(tn_trial *trial, const tn_scene *scene)
{
    if (!tn_scene_has_followers(scene)) return;
    if (scene->layout.ns > TN_CONSTRAINT_UNKNOWNS)
        tn_fail(trial, "its rows read %u unknowns, and may read %d", scene->layout.ns,
                TN_CONSTRAINT_UNKNOWNS);
    if (scene->layout.nx) tn_fail(trial, "its rows read unknowns, and it has states");
}

/* The columns of twists are zero. */
static void check_velocities(tn_trial *trial, const tn_scene *scene)
{
    if (!tn_scene_has_followers(scene)) return;
    const size_t columns = tn_scene_columns(scene), rows = (size_t)scene->count * scene->layout.ns;
    double *residual = tn_take_nan(trial, rows), *tangent = tn_take_nan(trial, rows * columns);
    if (!tn_scene_equations_tangent(scene, residual, tangent)) return;
    for (size_t r = 0; r < rows; r++) {
        const double *by_twists = tangent + r * columns + scene->wrench_size;
        if (tn_largest(by_twists, scene->wrench_size) == 0.0) continue;
        tn_fail(trial, "instance %zu equation %zu depends on velocities", r / scene->layout.ns,
                r % scene->layout.ns);
        return;
    }
}

static void run_sizes(tn_trial *trial) { tn_for_each_scene(trial, 1, check_sizes); }
static void run_velocities(tn_trial *trial) { tn_for_each_scene(trial, 1, check_velocities); }

const tn_check tn_unknowns_checks[] = {
    {"unknowns of rows are few, and it has no states", has_followers, run_sizes},
    {"unknowns of rows do not depend on velocities", has_followers, run_velocities},
    {0}};
