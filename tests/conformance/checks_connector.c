/* checks_connector.c - what batches of a connector owe the kernel: complete results, exact tangents, the same
 * bits however instances are grouped */
#include "checks.h"
#include "scene.h"

#include <string.h>

/* ---- complete results ---------------------------------------------------------------------------------- */

/* Outputs of all instances at once, and of some in the middle, which may read the forces. */
static void check_outputs(tn_trial *trial, const tn_scene *scene, double *wrench)
{
    enum { FIRST = 17, SOME = 5 };
    const tn_output *outputs = scene->type->outputs;
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
}

static void check_results(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = (size_t)scene->count * scene->wrench_size, columns = tn_scene_columns(scene);
    const uint64_t before = tn_scene_checksum(scene);
    double *wrench = tn_take_nan(trial, size), *again = tn_take_nan(trial, size);
    double *tangent = tn_take_nan(trial, size * columns), *energy = tn_take_nan(trial, scene->count);
    if (!tn_scene_force(scene, wrench)) return;
    if (!tn_all_finite(wrench, size)) tn_fail(trial, "force leaves numbers unwritten or not finite");
    if (scene->type->force_tangent && tn_scene_force_tangent(scene, again, tangent)) {
        if (!tn_all_finite(again, size) || !tn_all_finite(tangent, size * columns))
            tn_fail(trial, "force_tangent leaves numbers unwritten or not finite");
    }
    if (scene->type->potential && tn_scene_potential(scene, energy) && !tn_all_finite(energy, scene->count))
        tn_fail(trial, "potential leaves numbers unwritten or not finite");
    check_outputs(trial, scene, wrench);
    if (tn_scene_checksum(scene) != before) tn_fail(trial, "an input array was changed");
}

static void run_results(tn_trial *trial) { tn_for_each_scene(trial, 3, check_results); }

/* ---- the exact tangent --------------------------------------------------------------------------------- */

/* Whose tangent is looked at. */
enum { OF_FORCES, OF_RATES, OF_EQUATIONS };

typedef struct column_sample {
    const tn_scene *scene;
    tn_scene *work;
    int of;
    uint32_t rows;           /* of one instance */
    const double *direction; /* of every instance: a one where the column stands */
    uint32_t column;
} column_sample;

/* Entry k of `numbers`, [count][n]. */
static void shift(uint32_t count, double *numbers, uint32_t n, uint32_t k, double step)
{
    for (uint32_t i = 0; i < count; i++)
        numbers[i * n + k] += step;
}

static void sample_column(const void *data, double step, double *values)
{
    const column_sample *sample = data;
    const tn_column_block block = tn_scene_block(sample->scene, sample->column);
    tn_scene_reset(sample->work, sample->scene);
    if (block.kind == TN_POSE_COLUMNS)
        tn_scene_move(sample->work, sample->direction, step);
    else if (block.kind == TN_TWIST_COLUMNS)
        tn_scene_accelerate(sample->work, sample->direction, step);
    else if (block.kind == TN_PARAMETER_COLUMNS)
        tn_shift_dynamic(sample->scene->trial, &sample->scene->dynamics, sample->column - block.first, step,
                         sample->work->instances);
    else if (block.kind == TN_STATE_COLUMNS)
        shift(sample->work->count, sample->work->x, block.count, sample->column - block.first, step);
    else
        shift(sample->work->count, sample->work->s, block.count, sample->column - block.first, step);
    if (sample->of == OF_RATES)
        (void)tn_scene_rates(sample->work, values);
    else if (sample->of == OF_EQUATIONS)
        (void)tn_scene_equations(sample->work, values);
    else
        (void)tn_scene_try_force(sample->work, values);
}

/* What an entry of a row is measured by: the largest of its block in the row, and the values of its instance. */
static double scale_of(const column_sample *sample, const double *row, const double *values)
{
    const tn_column_block block = tn_scene_block(sample->scene, sample->column);
    return fmax(tn_largest(row + block.first, block.count), tn_largest(values, sample->rows));
}

/* Compares one column of the tangents of all instances; false at the first disagreement. */
static bool check_column(tn_trial *trial, column_sample *sample, const double *values, const double *tangent,
                         tn_comparison *comparison)
{
    const tn_scene *scene = sample->scene;
    const uint32_t size = scene->wrench_size, columns = tn_scene_columns(scene), column = sample->column,
                   rows = sample->rows;
    const size_t count = (size_t)scene->count * rows;
    struct tn_block *mark = tn_mark(trial);
    double *derivative = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
    double *direction = tn_take(trial, (size_t)scene->count * size * sizeof(double));
    bool fine = true;
    for (uint32_t i = 0; i < scene->count && column < 2 * size; i++)
        direction[i * size + column % size] = 1.0;
    sample->direction = direction;
    tn_differentiate(trial, sample_column, sample, count, derivative, error);
    for (size_t r = 0; r < count && fine; r++) {
        const size_t i = r / rows;
        const double *row = tangent + r * columns;
        const double scale = scale_of(sample, row, values + i * rows);
        fine = tn_agrees(comparison, row[column], derivative[r], error[r], scale);
        if (!fine)
            tn_fail(trial, "instance %zu row %zu column %u: tangent %.15g, differences %.15g, scale %.3g", i,
                    r % rows, column, row[column], derivative[r], scale);
    }
    tn_release(trial, mark);
    return fine;
}

/* Rounding may differ, as the compiler fuses multiplications of the two passes in its own ways. */
static void check_values(tn_trial *trial, const column_sample *sample, const double *right,
                         const double *values, const double *tangent)
{
    const uint32_t rows = sample->rows, columns = tn_scene_columns(sample->scene);
    for (size_t r = 0; r < (size_t)sample->scene->count * rows; r++) {
        const double scale =
            tn_largest(right + r / rows * rows, rows) + tn_largest(tangent + r * columns, columns);
        if (!(fabs(values[r] - right[r]) <= TN_ROUNDING * scale))
            tn_fail(trial, "instance %zu row %zu: the value is %.17g, that of the tangent %.17g", r / rows,
                    r % rows, right[r], values[r]);
    }
}

static bool find_both(const tn_scene *scene, int of, double *right, double *values, double *tangent)
{
    if (of == OF_RATES) return tn_scene_rates(scene, right) && tn_scene_rates_tangent(scene, values, tangent);
    if (of == OF_EQUATIONS)
        return tn_scene_equations(scene, right) && tn_scene_equations_tangent(scene, values, tangent);
    return tn_scene_force(scene, right) && tn_scene_force_tangent(scene, values, tangent);
}

/* All columns of one of the tangents. */
static void check_columns(tn_trial *trial, const tn_scene *scene, int of)
{
    tn_scene work = tn_scene_copy(scene);
    column_sample sample = {.scene = scene, .work = &work, .of = of};
    sample.rows = of == OF_RATES       ? scene->layout.nx
                  : of == OF_EQUATIONS ? scene->layout.ns
                                       : scene->wrench_size;
    const size_t count = (size_t)scene->count * sample.rows, columns = tn_scene_columns(scene);
    double *right = tn_take_nan(trial, count), *values = tn_take_nan(trial, count);
    double *tangent = tn_take_nan(trial, count * columns);
    if (!find_both(scene, of, right, values, tangent)) return;
    check_values(trial, &sample, right, values, tangent);
    tn_comparison comparison = {0};
    for (; sample.column < columns; sample.column++)
        if (!check_column(trial, &sample, right, tangent, &comparison)) return;
    tn_conclude(trial, &comparison);
}

static void check_tangent(tn_trial *trial, const tn_scene *scene) { check_columns(trial, scene, OF_FORCES); }

static void check_rates_tangent(tn_trial *trial, const tn_scene *scene)
{
    if (scene->layout.nx) check_columns(trial, scene, OF_RATES);
}

static void check_equations_tangent(tn_trial *trial, const tn_scene *scene)
{
    if (scene->layout.ns) check_columns(trial, scene, OF_EQUATIONS);
}

static void run_tangent(tn_trial *trial)
{
    if (!trial->type->force_tangent) {
        tn_fail(trial, "has no force_tangent: the plugin was built without its exact passes");
        return;
    }
    tn_for_each_scene(trial, 3, check_tangent);
}

static bool has_rates_tangent(const tn_loaded_element *type) { return type->rates && type->rates_tangent; }

static void run_rates_tangent(tn_trial *trial) { tn_for_each_scene(trial, 3, check_rates_tangent); }

static bool has_equations(const tn_loaded_element *type) { return type->algebraic != NULL; }

static void run_equations_tangent(tn_trial *trial)
{
    if (!trial->type->algebraic_tangent) {
        tn_fail(trial, "has no algebraic_tangent: the kernel cannot find its unknowns");
        return;
    }
    tn_for_each_scene(trial, 3, check_equations_tangent);
}

/* ---- grouping and activity ----------------------------------------------------------------------------- */

/* Wrenches and tangents of a scene, one after the other; the tangents are left out when there are none. */
typedef struct results {
    double *wrench, *tangent;
    size_t wrench_size, tangent_size; /* doubles of one instance */
} results;

static results take_results(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = scene->wrench_size;
    results r = {.wrench_size = size};
    r.tangent_size = scene->type->force_tangent ? size * tn_scene_columns(scene) : 0;
    r.wrench = tn_take_nan(trial, scene->count * size);
    r.tangent = tn_take_nan(trial, scene->count * r.tangent_size);
    return r;
}

/* Evaluates a part of a scene into its place in the results. The wrenches of force_tangent go elsewhere. */
static bool evaluate(tn_trial *trial, const tn_scene *part, size_t first, const results *r)
{
    struct tn_block *mark = tn_mark(trial);
    double *values = tn_take_nan(trial, part->count * r->wrench_size);
    bool fine = tn_scene_force(part, r->wrench + first * r->wrench_size);
    if (fine && r->tangent_size)
        fine = tn_scene_force_tangent(part, values, r->tangent + first * r->tangent_size);
    tn_release(trial, mark);
    return fine;
}

static bool same_bits(const results *a, size_t i, const results *b, size_t j)
{
    const double *wrench = a->wrench + i * a->wrench_size, *tangent = a->tangent + i * a->tangent_size;
    return memcmp(wrench, b->wrench + j * b->wrench_size, a->wrench_size * sizeof(double)) == 0 &&
           memcmp(tangent, b->tangent + j * b->tangent_size, a->tangent_size * sizeof(double)) == 0;
}

static void check_grouping(tn_trial *trial, const tn_scene *scene)
{
    static const uint32_t sizes[] = {1, 3, 7};
    const results whole = take_results(trial, scene), other = take_results(trial, scene);
    if (!evaluate(trial, scene, 0, &whole)) return;

    uint32_t *order = tn_take(trial, scene->count * sizeof *order);
    for (uint32_t i = 0; i < scene->count; i++)
        order[i] = scene->count - 1 - i;
    const tn_scene reversed = tn_scene_reordered(scene, order);
    if (!evaluate(trial, &reversed, 0, &other)) return;
    for (uint32_t i = 0; i < scene->count; i++)
        if (!same_bits(&whole, i, &other, order[i]))
            tn_fail(trial, "instance %u has other bits in a reversed batch", i);

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (uint32_t first = 0; first < scene->count; first += sizes[k]) {
            const uint32_t left = scene->count - first;
            const tn_scene part = tn_scene_part(scene, first, left < sizes[k] ? left : sizes[k]);
            if (!evaluate(trial, &part, first, &other)) return;
        }
        for (uint32_t i = 0; i < scene->count; i++)
            if (!same_bits(&whole, i, &other, i))
                tn_fail(trial, "instance %u has other bits in batches of %u", i, sizes[k]);
    }
}

static void run_grouping(tn_trial *trial) { tn_for_each_scene(trial, 2, check_grouping); }

static void check_inactive(tn_trial *trial, const tn_scene *scene)
{
    const results all = take_results(trial, scene), some = take_results(trial, scene);
    uint8_t *active = tn_take(trial, scene->count);
    for (uint32_t i = 0; i < scene->count; i++)
        active[i] = (uint8_t)tn_draw_below(trial, 2);
    tn_scene masked = *scene;
    masked.active = active;
    if (!evaluate(trial, scene, 0, &all) || !evaluate(trial, &masked, 0, &some)) return;
    for (uint32_t i = 0; i < scene->count; i++) {
        const double wrench = tn_largest(some.wrench + i * some.wrench_size, some.wrench_size);
        const double tangent = tn_largest(some.tangent + i * some.tangent_size, some.tangent_size);
        if (active[i] ? !same_bits(&all, i, &some, i) : !(wrench == 0.0 && tangent == 0.0))
            tn_fail(trial, "instance %u: %s", i,
                    active[i] ? "its neighbours' inactivity changes it" : "not active, but not zero");
    }
}

static void run_inactive(tn_trial *trial) { tn_for_each_scene(trial, 2, check_inactive); }

/* ---- dissipated power ---------------------------------------------------------------------------------- */

static bool has_dissipation(const tn_loaded_element *type) { return type->force && type->dissipation; }

static void check_dissipation(tn_trial *trial, const tn_scene *scene)
{
    double *power = tn_take_nan(trial, scene->count), *masked_power = tn_take_nan(trial, scene->count);
    uint8_t *active = tn_take(trial, scene->count);
    for (uint32_t i = 0; i < scene->count; i++)
        active[i] = (uint8_t)tn_draw_below(trial, 2);
    tn_scene masked = *scene;
    masked.active = active;
    if (!tn_scene_dissipation(scene, power) || !tn_scene_dissipation(&masked, masked_power)) return;
    for (uint32_t i = 0; i < scene->count; i++) {
        if (!(power[i] >= 0.0 && isfinite(power[i])))
            tn_fail(trial, "instance %u dissipates %.15g W", i, power[i]);
        if (masked_power[i] != (active[i] ? power[i] : 0.0))
            tn_fail(trial, "instance %u, %s: %.15g W", i, active[i] ? "active" : "not active",
                    masked_power[i]);
    }
}

static void run_dissipation(tn_trial *trial) { tn_for_each_scene(trial, 2, check_dissipation); }

const tn_check tn_connector_checks[] = {
    {"writes all results and no input", tn_is_connector, run_results},
    {"tangent of the force is exact", tn_is_connector, run_tangent},
    {"tangent of the states' rates is exact", has_rates_tangent, run_rates_tangent},
    {"tangent of the algebraic equations is exact", has_equations, run_equations_tangent},
    {"same bits in any order and size of batch", tn_is_connector, run_grouping},
    {"no force and no tangent when not active", tn_is_connector, run_inactive},
    {"dissipates no negative power, and none when not active", has_dissipation, run_dissipation},
    {0}};
