/* checks_reaction.c - what mechanics demands of a constraint: reactions that sum to zero, and no dependence on the choice
 * of axes; outputs that show them, and the same bits however instances are grouped */
#include "checks.h"
#include "scene.h"

#include <string.h>

static size_t all_rows(const tn_scene *scene) { return (size_t)scene->count * tn_scene_rows(scene); }

/* ---- rows that hold two points together, in ground axes ------------------------------------------------------ */

/* Whether a row is one component of the last position minus the first, or of the first minus the last. */
static bool is_component(const tn_scene *scene, const double *row, uint32_t axis)
{
    const uint32_t last = tn_twist_size(scene->ports->kind[0]);
    const double first = row[axis] > 0.0 ? 1.0 : -1.0;
    for (uint32_t c = 0; c < scene->wrench_size; c++)
        if (row[c] != (c == axis ? first : c == last + axis ? -first : 0.0)) return false;
    return true;
}

/* All three components, from this row on. The reactions of the three are opposite forces at points that differ by the
 * residual; and the residual is a vector in ground axes. */
static bool is_coincidence(const tn_scene *scene, const double *rows, size_t row)
{
    const size_t place = row % tn_scene_rows(scene), size = scene->wrench_size;
    if (scene->ports->count != 2 || place + 3 > scene->layout.position_rows) return false;
    for (uint32_t axis = 0; axis < 3; axis++)
        if (!is_component(scene, rows + (row + axis) * size, axis)) return false;
    return true;
}

/* ---- reactions ------------------------------------------------------------------------------------------- */

/* Velocities of all markers as parts of one rigid body, [count][W]. */
static double *rigid_motion(tn_trial *trial, const tn_scene *scene, tn_vec3 shift, tn_vec3 turn)
{
    double *direction = tn_take(trial, (size_t)scene->count * scene->wrench_size * sizeof *direction),
           *to = direction;
    for (uint32_t i = 0; i < scene->count; i++)
        for (uint32_t k = 0; k < scene->ports->count; k++) {
            const tn_vec3 p = tn_read_vector(tn_scene_pose(scene, i, k));
            tn_write_vector(to, tn_add(shift, tn_cross(turn, p)));
            if (scene->ports->kind[k] == TN_FRAME) tn_write_vector(to + 3, turn);
            to += tn_twist_size(scene->ports->kind[k]);
        }
    return direction;
}

/* A rigid motion of all markers changes no row, so that the reactions sum to zero about every point: but where points
 * are held together, and are not yet, their gap turns with the motion. */
static void check_reactions(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = scene->wrench_size, rows = all_rows(scene);
    const tn_vec3 shift = tn_draw_vector(trial, 1.0), turn = tn_draw_vector(trial, 1.0);
    double *G = tn_take_nan(trial, rows * size), *g = tn_take_nan(trial, rows);
    double *expected = tn_take(trial, rows * sizeof *expected);
    if (!tn_all_in_space(scene) || scene->ports->count < 2) return;
    if (!tn_scene_constraint_rows(scene, G) || !tn_scene_constraint(scene, g)) return;
    const double *direction = rigid_motion(trial, scene, shift, turn);
    for (size_t r = 0; r < rows; r++) {
        if (tn_has_ground_direction(scene, (uint32_t)(r / tn_scene_rows(scene)))) continue;
        if (is_coincidence(scene, G, r)) tn_write_vector(expected + r, tn_cross(turn, tn_read_vector(g + r)));
        double product = 0.0;
        for (size_t c = 0; c < size; c++)
            product += G[r * size + c] * direction[r / tn_scene_rows(scene) * size + c];
        if (!(fabs(product - expected[r]) <= 100.0 * TN_ROUNDING * (1.0 + tn_largest(G + r * size, size)))) {
            tn_fail(trial, "row %zu sees a rigid motion of all markers: %.3g instead of %.3g",
                    r % tn_scene_rows(scene), product, expected[r]);
            return;
        }
    }
}

/* ---- another observer ------------------------------------------------------------------------------------ */

static void check_indifference(tn_trial *trial, const tn_scene *scene)
{
    const size_t rows = all_rows(scene);
    const tn_mat3 Q = tn_draw_rotation(trial);
    double *G = tn_take_nan(trial, rows * scene->wrench_size);
    double *before = tn_take_nan(trial, rows), *after = tn_take_nan(trial, rows);
    tn_scene turned = tn_scene_copy(scene);
    if (!tn_all_in_space(scene) || scene->ports->count < 2) return;
    tn_scene_turn(&turned, Q, tn_draw_vector(trial, 2.0));
    tn_scene_follow(&turned);
    if (!tn_scene_constraint_rows(scene, G) || !tn_scene_constraint(scene, before) ||
        !tn_scene_constraint(&turned, after))
        return;
    for (size_t r = 0; r < rows; r++) {
        if (tn_has_ground_direction(scene, (uint32_t)(r / tn_scene_rows(scene)))) continue;
        if (is_coincidence(scene, G, r))
            tn_write_vector(before + r, tn_rotate(Q, tn_read_vector(before + r)));
        if (fabs(after[r] - before[r]) <= 10.0 * TN_ROUNDING * (1.0 + fabs(before[r]))) continue;
        tn_fail(trial, "row %zu: %.15g, but %.15g for a turned observer", r % tn_scene_rows(scene), before[r],
                after[r]);
        return;
    }
}

/* ---- outputs and grouping -------------------------------------------------------------------------------- */

/* Outputs of all instances at once, and of some in the middle. */
static void check_outputs(tn_trial *trial, const tn_scene *scene)
{
    enum { FIRST = 17, SOME = 5 };
    const tn_output *outputs = scene->type->outputs;
    const uint64_t before = tn_scene_checksum(scene);
    double *wrench = tn_draw_numbers(trial, (size_t)scene->count * scene->wrench_size, 2.0);
    for (uint32_t o = 0; scene->type->output && outputs && outputs[o].name; o++) {
        const size_t size = outputs[o].size;
        double *value = tn_take_nan(trial, scene->count * size), *some = tn_take_nan(trial, SOME * size);
        if (!tn_scene_output(scene, o, 0, scene->count, wrench, value)) return;
        if (!tn_scene_output(scene, o, FIRST, SOME, wrench, some)) return;
        if (!tn_all_finite(value, scene->count * size))
            tn_fail(trial, "output %s is not written or not finite", outputs[o].name);
        else if (memcmp(value + FIRST * size, some, SOME * size * sizeof(double)) != 0)
            tn_fail(trial, "output %s depends on the range that is asked for", outputs[o].name);
    }
    if (tn_scene_checksum(scene) != before) tn_fail(trial, "an input array was changed");
}

/* Residuals, rows, bias and stiffness of all instances, one kind after the other. */
typedef struct results {
    double *residual, *rows, *bias, *stiffness;
} results;

static bool evaluate(tn_trial *trial, const tn_scene *scene, results *r)
{
    const size_t rows = all_rows(scene), size = scene->wrench_size;
    r->residual = tn_take_nan(trial, rows);
    r->bias = tn_take_nan(trial, rows);
    r->rows = tn_take_nan(trial, rows * size);
    r->stiffness = tn_take_nan(trial, scene->count * size * size);
    return tn_scene_constraint(scene, r->residual) && tn_scene_constraint_bias(scene, r->bias) &&
           tn_scene_constraint_rows(scene, r->rows) && tn_scene_constraint_stiffness(scene, r->stiffness);
}

/* Compares instance i of one scene with instance j of another. */
static bool same_bits(const tn_scene *scene, const results *a, size_t i, const results *b, size_t j)
{
    const size_t rows = tn_scene_rows(scene), size = scene->wrench_size, number = sizeof(double);
    return memcmp(a->residual + i * rows, b->residual + j * rows, rows * number) == 0 &&
           memcmp(a->bias + i * rows, b->bias + j * rows, rows * number) == 0 &&
           memcmp(a->rows + i * rows * size, b->rows + j * rows * size, rows * size * number) == 0 &&
           memcmp(a->stiffness + i * size * size, b->stiffness + j * size * size, size * size * number) == 0;
}

static void check_grouping(tn_trial *trial, const tn_scene *scene)
{
    enum { PART = 3 };
    results whole, other;
    uint32_t *order = tn_take(trial, scene->count * sizeof *order);
    for (uint32_t i = 0; i < scene->count; i++)
        order[i] = scene->count - 1 - i;
    const tn_scene reversed = tn_scene_reordered(scene, order);
    if (!evaluate(trial, scene, &whole) || !evaluate(trial, &reversed, &other)) return;
    for (uint32_t i = 0; i < scene->count; i++)
        if (!same_bits(scene, &whole, i, &other, order[i]))
            tn_fail(trial, "instance %u has other bits in a reversed batch", i);
    for (uint32_t first = 0; first + PART <= scene->count; first += PART) {
        struct tn_block *mark = tn_mark(trial);
        const tn_scene part = tn_scene_part(scene, first, PART);
        if (!evaluate(trial, &part, &other)) return;
        for (uint32_t i = 0; i < PART; i++)
            if (!same_bits(scene, &whole, first + i, &other, i))
                tn_fail(trial, "instance %u has other bits in batches of %d", first + i, PART);
        tn_release(trial, mark);
    }
}

static void run_reactions(tn_trial *trial) { tn_for_each_scene(trial, 1, check_reactions); }
static void run_indifference(tn_trial *trial) { tn_for_each_scene(trial, 1, check_indifference); }
static void run_outputs(tn_trial *trial) { tn_for_each_scene(trial, 1, check_outputs); }
static void run_grouping(tn_trial *trial) { tn_for_each_scene(trial, 1, check_grouping); }

const tn_check tn_reaction_checks[] = {
    {"reactions sum to zero", tn_is_constraint, run_reactions},
    {"residuals are indifferent to the observer's axes", tn_is_constraint, run_indifference},
    {"outputs of a constraint are complete", tn_is_constraint, run_outputs},
    {"a constraint has the same bits in any order and size of batch", tn_is_constraint, run_grouping},
    {0}};
