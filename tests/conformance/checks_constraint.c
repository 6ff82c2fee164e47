/* checks_constraint.c - what the passes of a constraint owe the kernel: rows, rates, bias and stiffness that are
 * derivatives of its residuals */
#include "checks.h"
#include "scene.h"

#include <string.h>

static size_t all_rows(const tn_scene *scene) { return (size_t)scene->count * tn_scene_rows(scene); }

/* Sums of rows times a direction, [count][rows]. */
static void multiply(const tn_scene *scene, const double *rows, const double *direction, double *sum)
{
    const size_t size = scene->wrench_size;
    for (size_t r = 0; r < all_rows(scene); r++) {
        sum[r] = 0.0;
        for (size_t c = 0; c < size; c++)
            sum[r] += rows[r * size + c] * direction[r / tn_scene_rows(scene) * size + c];
    }
}

/* ---- one comparison ------------------------------------------------------------------------------------ */

typedef enum quantity { RESIDUAL, RATE, FORCE } quantity;

/* Values of a quantity while the markers move along a direction (and time passes), or change their twists. */
typedef struct path {
    const tn_scene *scene;
    tn_scene *work;
    const double *direction;
    quantity quantity;
    bool of_twists, with_time;
    double *rows; /* scratch */
} path;

/* G^T lambda, [count][W]. */
static void reactions(const tn_scene *scene, const double *rows, double *force)
{
    const size_t size = scene->wrench_size, count = tn_scene_rows(scene);
    for (size_t i = 0; i < scene->count; i++)
        for (size_t c = 0; c < size; c++) {
            double sum = 0.0;
            for (size_t r = 0; r < count; r++)
                sum += rows[(i * count + r) * size + c] * scene->lambda[i * count + r];
            force[i * size + c] = sum;
        }
}

static void sample(const void *data, double step, double *values)
{
    const path *along = data;
    tn_scene *work = along->work;
    tn_scene_reset(work, along->scene);
    work->time = along->scene->time + (along->with_time ? step : 0.0);
    if (along->of_twists)
        tn_scene_accelerate(work, along->direction, step);
    else
        tn_scene_move(work, along->direction, step);
    tn_scene_follow(work);
    if (along->quantity == FORCE) {
        if (tn_scene_constraint_rows(work, along->rows)) reactions(work, along->rows, values);
    } else if (along->quantity == RATE) {
        (void)tn_scene_constraint_rate(work, values);
    } else {
        (void)tn_scene_constraint(work, values);
    }
}

/* Compares [count][width] numbers with the derivatives of a quantity along a path; only rows of one sort. */
static void compare(tn_trial *trial, const path *along, size_t width, const double *exact, const char *what,
                    bool velocity_rows, bool all)
{
    const tn_scene *scene = along->scene;
    const size_t count = scene->count * width;
    double *derivative = tn_take_nan(trial, count), *error = tn_take_nan(trial, count);
    tn_comparison comparison = {0};
    tn_differentiate(trial, sample, along, count, derivative, error);
    for (size_t e = 0; e < count; e++) {
        if (!all && (e % width >= scene->layout.position_rows) != velocity_rows) continue;
        const size_t first = e / width * width;
        const double scale = 1.0 + fmax(tn_largest(exact + first, width), fabs(derivative[e]));
        if (tn_agrees(&comparison, exact[e], derivative[e], error[e], scale)) continue;
        tn_fail(trial, "instance %zu entry %zu: %s is %.15g, differences give %.15g", e / width, e % width,
                what, exact[e], derivative[e]);
        return;
    }
    if (comparison.entries) tn_conclude(trial, &comparison);
}

/* ---- checks -------------------------------------------------------------------------------------------- */

static void check_results(tn_trial *trial, const tn_scene *scene)
{
    const size_t rows = all_rows(scene), size = scene->wrench_size;
    const uint64_t before = tn_scene_checksum(scene);
    double *residual = tn_take_nan(trial, rows), *rate = tn_take_nan(trial, rows),
           *bias = tn_take_nan(trial, rows);
    double *G = tn_take_nan(trial, rows * size), *K = tn_take_nan(trial, scene->count * size * size);
    if (!tn_scene_constraint(scene, residual) || !tn_scene_constraint_rows(scene, G) ||
        !tn_scene_constraint_rate(scene, rate) || !tn_scene_constraint_bias(scene, bias) ||
        !tn_scene_constraint_stiffness(scene, K))
        return;
    if (!tn_all_finite(residual, rows) || !tn_all_finite(rate, rows) || !tn_all_finite(bias, rows) ||
        !tn_all_finite(G, rows * size) || !tn_all_finite(K, scene->count * size * size))
        tn_fail(trial, "a pass leaves numbers unwritten or not finite");
    if (tn_scene_checksum(scene) != before) tn_fail(trial, "an input array was changed");
}

static void check_rows(tn_trial *trial, const tn_scene *scene)
{
    const size_t rows = all_rows(scene), size = scene->wrench_size;
    double *G = tn_take_nan(trial, rows * size), *product = tn_take_nan(trial, rows);
    tn_scene work = tn_scene_copy(scene);
    const double *direction = tn_draw_numbers(trial, scene->count * size, 1.0);
    if (!tn_scene_constraint_rows(scene, G)) return;
    multiply(scene, G, direction, product);
    path along = {.scene = scene, .work = &work, .direction = direction, .quantity = RESIDUAL};
    compare(trial, &along, tn_scene_rows(scene), product, "row times direction", false, false);
    along.of_twists = true;
    compare(trial, &along, tn_scene_rows(scene), product, "row times direction", true, false);
}

static bool has_constant_rows(const tn_loaded_element *type)
{
    return type->constraint && (type->flags & TN_CONSTANT_ROWS);
}

static void check_constant_rows(tn_trial *trial, const tn_scene *scene)
{
    const size_t count = all_rows(scene) * scene->wrench_size;
    double *here = tn_take_nan(trial, count), *elsewhere = tn_take_nan(trial, count);
    tn_scene work = tn_scene_copy(scene);
    tn_scene_move(&work, tn_draw_numbers(trial, scene->count * scene->wrench_size, 1.0), 1.0);
    if (!tn_scene_constraint_rows(scene, here) || !tn_scene_constraint_rows(&work, elsewhere)) return;
    if (memcmp(here, elsewhere, count * sizeof *here) != 0)
        tn_fail(trial, "rows that are said to be constant change with the poses");
}

/* The rate is the derivative of the residual along the motion, the bias that of the rate. */
static void check_motion(tn_trial *trial, const tn_scene *scene)
{
    const size_t rows = all_rows(scene);
    double *rate = tn_take_nan(trial, rows), *bias = tn_take_nan(trial, rows),
           *value = tn_take_nan(trial, rows);
    tn_scene work = tn_scene_copy(scene);
    if (!tn_scene_constraint_rate(scene, rate) || !tn_scene_constraint_bias(scene, bias) ||
        !tn_scene_constraint(scene, value))
        return;
    path along = {.scene = scene, .work = &work, .direction = tn_scene_twists(scene), .with_time = true};
    along.quantity = RESIDUAL;
    compare(trial, &along, tn_scene_rows(scene), rate, "rate", false, false);
    along.quantity = RATE;
    compare(trial, &along, tn_scene_rows(scene), bias, "bias", false, true);
    for (size_t r = 0; r < rows; r++)
        if (r % tn_scene_rows(scene) >= scene->layout.position_rows &&
            !(fabs(rate[r] - value[r]) <= TN_ROUNDING * (1.0 + fabs(value[r]))))
            tn_fail(trial, "velocity row %zu: value %.17g, rate %.17g", r % tn_scene_rows(scene), value[r],
                    rate[r]);
}

static void check_stiffness(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = scene->wrench_size;
    double *K = tn_take_nan(trial, scene->count * size * size),
           *product = tn_take(trial, scene->count * size * 8);
    tn_scene work = tn_scene_copy(scene);
    const double *direction = tn_draw_numbers(trial, scene->count * size, 1.0);
    if (!tn_scene_constraint_stiffness(scene, K)) return;
    for (size_t e = 0; e < scene->count * size; e++)
        for (size_t c = 0; c < size; c++)
            product[e] += K[e * size + c] * direction[e / size * size + c];
    const path along = {.scene = scene,
                        .work = &work,
                        .direction = direction,
                        .quantity = FORCE,
                        .rows = tn_take(trial, all_rows(scene) * size * sizeof(double))};
    compare(trial, &along, size, product, "stiffness times direction", false, true);
}

static void check_inactive(tn_trial *trial, const tn_scene *scene)
{
    const size_t rows = all_rows(scene), size = scene->wrench_size;
    double *residual = tn_take_nan(trial, rows), *bias = tn_take_nan(trial, rows);
    double *G = tn_take_nan(trial, rows * size), *K = tn_take_nan(trial, scene->count * size * size);
    tn_scene masked = *scene;
    masked.active = tn_take(trial, scene->count);
    if (!tn_scene_constraint(&masked, residual) || !tn_scene_constraint_rows(&masked, G) ||
        !tn_scene_constraint_bias(&masked, bias) || !tn_scene_constraint_stiffness(&masked, K))
        return;
    if (tn_largest(residual, rows) != 0.0 || tn_largest(G, rows * size) != 0.0 ||
        tn_largest(bias, rows) != 0.0 || tn_largest(K, scene->count * size * size) != 0.0)
        tn_fail(trial, "not active, but not zero");
}

/* ---- where rows vanish --------------------------------------------------------------------------------- */

enum { ITERATIONS = 40 };

static double length_of(const double *row, size_t size)
{
    double square = 0.0;
    for (size_t c = 0; c < size; c++)
        square += row[c] * row[c];
    return sqrt(square);
}

/* One step of Newton's method for row r of every instance, alone. */
static bool approach(const tn_scene *work, size_t r, double *residual, double *rows, double *step)
{
    const size_t size = work->wrench_size, count = tn_scene_rows(work);
    if (!tn_scene_constraint(work, residual) || !tn_scene_constraint_rows(work, rows)) return false;
    for (size_t i = 0; i < work->count; i++) {
        const double *row = rows + (i * count + r) * size, length = length_of(row, size);
        for (size_t c = 0; c < size; c++)
            step[i * size + c] = length > 0.0 ? -residual[i * count + r] * row[c] / (length * length) : 0.0;
    }
    return true;
}

/* A row whose derivatives vanish where it does, as those of a square do, holds nothing there. */
static void check_regular(tn_trial *trial, const tn_scene *scene)
{
    const size_t size = scene->wrench_size, count = tn_scene_rows(scene);
    double *residual = tn_take_nan(trial, all_rows(scene)),
           *before = tn_take_nan(trial, all_rows(scene) * size);
    double *rows = tn_take_nan(trial, all_rows(scene) * size);
    double *step = tn_take(trial, scene->count * size * sizeof *step);
    if (!tn_scene_constraint_rows(scene, before)) return;
    for (size_t r = 0; r < scene->layout.position_rows; r++) {
        tn_scene work = tn_scene_copy(scene);
        size_t flat = 0;
        for (int k = 0; k < ITERATIONS; k++) {
            if (!approach(&work, r, residual, rows, step)) return;
            tn_scene_move(&work, step, 1.0);
            tn_scene_follow(&work);
        }
        for (size_t i = 0; i < scene->count; i++) {
            const size_t row = i * count + r;
            flat += fabs(residual[row]) < 1e-6 &&
                    length_of(rows + row * size, size) < 1e-3 * length_of(before + row * size, size);
        }
        if (flat > scene->count / 10)
            tn_fail(trial, "row %zu: its derivatives vanish where it is zero, of %zu instances in %u", r,
                    flat, scene->count);
    }
}

static void run_results(tn_trial *trial) { tn_for_each_scene(trial, 1, check_results); }
static void run_rows(tn_trial *trial) { tn_for_each_scene(trial, 1, check_rows); }
static void run_constant_rows(tn_trial *trial) { tn_for_each_scene(trial, 1, check_constant_rows); }
static void run_regular(tn_trial *trial) { tn_for_each_scene(trial, 1, check_regular); }
static void run_motion(tn_trial *trial) { tn_for_each_scene(trial, 1, check_motion); }
static void run_stiffness(tn_trial *trial) { tn_for_each_scene(trial, 1, check_stiffness); }
static void run_inactive(tn_trial *trial) { tn_for_each_scene(trial, 1, check_inactive); }

const tn_check tn_constraint_checks[] = {
    {"constraint writes all results and no input", tn_is_constraint, run_results},
    {"rows are the derivatives of the residuals", tn_is_constraint, run_rows},
    {"rows hold something where they vanish", tn_is_constraint, run_regular},
    {"constant rows are constant", has_constant_rows, run_constant_rows},
    {"rate and bias are time derivatives", tn_is_constraint, run_motion},
    {"stiffness is the derivative of the reactions", tn_is_constraint, run_stiffness},
    {"a constraint that is not active has no rows", tn_is_constraint, run_inactive},
    {0}};
