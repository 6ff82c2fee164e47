/* checks_attachment.c - markers that ride on bodies: pose, twist, pull-back and their derivatives belong
 * together, for random bodies that move and turn */
#include "checks.h"
#include "bodies.h"

static bool carries_markers(const tn_loaded_element *type) { return type->bind != NULL; }

static double *take_twists(tn_trial *trial, const tn_riders *r, const double *v)
{
    double *twist = tn_take_nan(trial, (size_t)r->count * r->size);
    return tn_riders_twist(r, r->bodies->q, v, twist) ? twist : NULL;
}

/* [count][size][nv] */
static double *take_jacobians(tn_trial *trial, const tn_riders *r)
{
    double *matrix = tn_take_nan(trial, (size_t)r->count * r->size * r->bodies->nv);
    return tn_riders_jacobian(r, r->bodies->q, matrix) ? matrix : NULL;
}

/* ---- pose ---------------------------------------------------------------------------------------------- */

/* Where a marker stands in the coordinates as it is, a pose function must find it there. */
static void check_aliases(tn_trial *trial, const tn_riders *r, const double *pose)
{
    const size_t size = tn_pose_size(r->kind);
    for (size_t i = 0; i < r->count; i++) {
        if (r->alias_pose[i] < 0) continue;
        const double *q = r->bodies->q + r->body[i] * r->bodies->nq + r->alias_pose[i];
        for (size_t k = 0; k < size; k++)
            if (!(fabs(pose[i * size + k] - q[k]) <= 1e-15 * (1.0 + fabs(q[k]))))
                tn_fail(trial, "marker %zu: pose entry %zu is %.17g, its alias in q %.17g", i, k,
                        pose[i * size + k], q[k]);
    }
}

static void check_pose(tn_trial *trial, const tn_riders *r)
{
    const size_t size = tn_pose_size(r->kind);
    double *pose = tn_take_nan(trial, r->count * size);
    if (!tn_riders_pose(r, r->bodies->q, pose)) return;
    if (!tn_all_finite(pose, r->count * size)) tn_fail(trial, "poses are not written or not finite");
    check_aliases(trial, r, pose);
    for (size_t i = 0; i < r->count && r->kind == TN_FRAME; i++) {
        const tn_mat3 R = tn_read_matrix(pose + i * size + 3), one = tn_multiply(R, tn_transpose(R));
        for (int k = 0; k < 9; k++)
            if (!(fabs(one.row[k / 3].e[k % 3] - (k % 4 == 0)) <= 1e-14))
                tn_fail(trial, "the rotation of marker %zu is not orthonormal", i);
    }
}

static void run_pose(tn_trial *trial) { tn_for_each_riders(trial, check_pose); }

/* ---- twist and Jacobian -------------------------------------------------------------------------------- */

typedef struct rider_sample {
    const tn_riders *riders;
    const double *direction, *wrench;
} rider_sample;

static void sample_pose(const void *data, double step, double *pose)
{
    const rider_sample *sample = data;
    const tn_bodies *b = sample->riders->bodies;
    struct tn_block *mark = tn_mark(b->trial);
    double *q = tn_take_nan(b->trial, (size_t)b->count * b->nq);
    if (tn_bodies_move(b, sample->direction, step, q)) (void)tn_riders_pose(sample->riders, q, pose);
    tn_release(b->trial, mark);
}

/* Velocity and angular velocity from the rate of a pose: R' R^T = [w]. */
static void twist_of(const tn_riders *r, const double *pose, const double *rate, double *twist)
{
    for (uint32_t k = 0; k < (r->kind == TN_FRAME ? 3 : r->size); k++)
        twist[k] = rate[k];
    if (r->kind != TN_FRAME) return;
    const tn_mat3 W = tn_multiply(tn_read_matrix(rate + 3), tn_transpose(tn_read_matrix(pose + 3)));
    for (int k = 0; k < 3; k++)
        twist[3 + k] = 0.5 * (W.row[(k + 2) % 3].e[(k + 1) % 3] - W.row[(k + 1) % 3].e[(k + 2) % 3]);
}

static void check_twist(tn_trial *trial, const tn_riders *r)
{
    const tn_bodies *b = r->bodies;
    const size_t size = tn_pose_size(r->kind), count = r->count * size;
    const double *twist = take_twists(trial, r, b->v);
    const rider_sample sample = {r, b->v, NULL};
    double *pose = tn_take_nan(trial, count), *rate = tn_take_nan(trial, count);
    double *error = tn_take_nan(trial, count), *expected = tn_take_nan(trial, r->size);
    if (!twist || !tn_riders_pose(r, b->q, pose)) return;
    tn_differentiate(trial, sample_pose, &sample, count, rate, error);
    for (size_t i = 0; i < r->count; i++) {
        twist_of(r, pose + i * size, rate + i * size, expected);
        const double allowed = TN_TANGENT_TOLERANCE * (1.0 + tn_largest(expected, r->size));
        for (size_t k = 0; k < r->size; k++)
            if (!(fabs(twist[i * r->size + k] - expected[k]) <= allowed))
                tn_fail(trial, "marker %zu entry %zu: twist %.15g, rate of the pose %.15g", i, k,
                        twist[i * r->size + k], expected[k]);
    }
}

static void check_jacobian(tn_trial *trial, const tn_riders *r)
{
    const size_t nv = r->bodies->nv;
    const double *twist = take_twists(trial, r, r->bodies->v), *jacobian = take_jacobians(trial, r);
    for (size_t row = 0; row < (size_t)r->count * r->size && twist && jacobian; row++) {
        const double *v = r->bodies->v + r->body[row / r->size] * nv;
        double sum = 0.0, scale = 1.0;
        for (size_t k = 0; k < nv; k++) {
            sum += jacobian[row * nv + k] * v[k];
            scale += fabs(jacobian[row * nv + k] * v[k]);
        }
        if (!(fabs(sum - twist[row]) <= TN_ROUNDING * scale))
            tn_fail(trial, "marker %zu entry %zu: jacobian times v is %.15g, twist %.15g", row / r->size,
                    row % r->size, sum, twist[row]);
    }
}

static void run_twist(tn_trial *trial) { tn_for_each_riders(trial, check_twist); }
static void run_jacobian(tn_trial *trial) { tn_for_each_riders(trial, check_jacobian); }

/* ---- pull-back ----------------------------------------------------------------------------------------- */

/* J^T wrench of every marker, [count][nv]. */
static void transpose_times(const tn_riders *r, const double *jacobian, const double *wrench, double *force)
{
    const size_t nv = r->bodies->nv;
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < nv; k++) {
            force[i * nv + k] = 0.0;
            for (size_t j = 0; j < r->size; j++)
                force[i * nv + k] += jacobian[(i * r->size + j) * nv + k] * wrench[i * r->size + j];
        }
}

/* Several markers ride on some bodies, and the bodies carry forces already: everything adds up. */
static void check_pull_back(tn_trial *trial, const tn_riders *r)
{
    const size_t nv = r->bodies->nv, size = r->bodies->count * nv;
    const double *jacobian = take_jacobians(trial, r);
    const double *wrench = tn_draw_numbers(trial, (size_t)r->count * r->size, 2.0);
    double *expected = tn_draw_numbers(trial, size, 2.0), *single = tn_take_nan(trial, r->count * nv);
    double *force = tn_take_copy(trial, expected, size * sizeof *force);
    if (!jacobian || !tn_riders_pull_back(r, r->bodies->q, wrench, force)) return;
    transpose_times(r, jacobian, wrench, single);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < nv; k++)
            expected[r->body[i] * nv + k] += single[i * nv + k];
    for (size_t k = 0; k < size; k++)
        if (!(fabs(force[k] - expected[k]) <= TN_ROUNDING * (1.0 + tn_largest(wrench, r->size))))
            tn_fail(trial, "body %zu entry %zu: pulled back %.15g, jacobian^T wrench %.15g", k / nv, k % nv,
                    force[k], expected[k]);
}

static void run_pull_back(tn_trial *trial) { tn_for_each_riders(trial, check_pull_back); }

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* Twists at fixed v, or J^T wrench at fixed wrenches, of bodies moved along the direction. */
static void sample_moved(const void *data, double step, double *values)
{
    const rider_sample *sample = data;
    const tn_riders *r = sample->riders;
    const tn_bodies *b = r->bodies;
    struct tn_block *mark = tn_mark(b->trial);
    double *q = tn_take_nan(b->trial, (size_t)b->count * b->nq);
    double *jacobian = tn_take_nan(b->trial, (size_t)r->count * r->size * b->nv);
    if (tn_bodies_move(b, sample->direction, step, q)) {
        if (!sample->wrench)
            (void)tn_riders_twist(r, q, b->v, values);
        else if (tn_riders_jacobian(r, q, jacobian))
            transpose_times(r, jacobian, sample->wrench, values);
    }
    tn_release(b->trial, mark);
}

/* Compares `matrix`, [count][rows][nv], with differences along all increments. */
static void compare(tn_trial *trial, const tn_riders *r, const double *wrench, size_t rows,
                    const double *matrix, const char *what)
{
    const size_t nv = r->bodies->nv, size = r->count * rows;
    tn_comparison comparison = {0};
    double *derivative = tn_take_nan(trial, size), *error = tn_take_nan(trial, size);
    for (uint32_t column = 0; column < nv; column++) {
        const rider_sample sample = {r, tn_bodies_direction(r->bodies, column), wrench};
        tn_differentiate(trial, sample_moved, &sample, size, derivative, error);
        for (size_t row = 0; row < size; row++) {
            const double exact = matrix[row * nv + column];
            const double scale = 1.0 + tn_largest(matrix + row * nv, nv);
            if (!tn_agrees(&comparison, exact, derivative[row], error[row], scale))
                tn_fail(trial, "%s of marker %zu, row %zu column %u: %.15g, differences %.15g", what,
                        row / rows, row % rows, column, exact, derivative[row]);
        }
    }
    tn_conclude(trial, &comparison);
}

static void check_derivatives(tn_trial *trial, const tn_riders *r)
{
    const size_t nv = r->bodies->nv;
    const double *wrench = tn_draw_numbers(trial, (size_t)r->count * r->size, 2.0);
    double *twist = tn_take_nan(trial, (size_t)r->count * r->size * nv);
    double *back = tn_take_nan(trial, r->count * nv * nv);
    if (tn_riders_twist_derivative(r, r->bodies->q, r->bodies->v, twist))
        compare(trial, r, NULL, r->size, twist, "twist_derivative");
    if (tn_riders_pull_back_derivative(r, r->bodies->q, wrench, back))
        compare(trial, r, wrench, nv, back, "pull_back_derivative");
}

static void run_derivatives(tn_trial *trial) { tn_for_each_riders(trial, check_derivatives); }

/* ---- rigid motion -------------------------------------------------------------------------------------- */

static bool has_rigid_motion(const tn_loaded_element *type) { return type->bind && type->rigid_motion; }

/* Under u = map (speed, turning) every marker moves as a part of one rigid body through the ground origin. A
 * coordinate does not say along which line it does so. */
static void check_rigid_motion(tn_trial *trial, const tn_riders *r)
{
    if (r->kind != TN_POINT && r->kind != TN_FRAME) return;
    const tn_bodies *b = r->bodies;
    const size_t nv = b->nv, count = (size_t)b->count * nv, pose_size = tn_pose_size(r->kind);
    const tn_vec3 speed = tn_draw_vector(trial, 2.0), turning = tn_draw_vector(trial, 2.0);
    double *u = tn_take(trial, count * sizeof *u), *pose = tn_take_nan(trial, r->count * pose_size);
    tn_batch batch = tn_bodies_batch(b, b->q, b->v);
    batch.rigid_motion = tn_take_nan(trial, count * 6);
    if (!tn_bodies_call(b, "rigid_motion", b->type->rigid_motion, &batch)) return;
    for (size_t k = 0; k < count; k++)
        for (int j = 0; j < 3; j++)
            u[k] += batch.rigid_motion[6 * k + (size_t)j] * speed.e[j] +
                    batch.rigid_motion[6 * k + 3 + (size_t)j] * turning.e[j];
    const double *twist = take_twists(trial, r, u);
    if (!twist || !tn_riders_pose(r, b->q, pose)) return;
    for (size_t i = 0; i < r->count; i++) {
        const tn_vec3 p = tn_read_vector(pose + i * pose_size);
        double expected[6];
        tn_write_vector(expected, tn_add(speed, tn_cross(turning, p)));
        tn_write_vector(expected + 3, turning);
        const double allowed = TN_ROUNDING * (1.0 + tn_norm(speed) + tn_norm(turning) * (1.0 + tn_norm(p)));
        for (size_t k = 0; k < r->size; k++)
            if (!(fabs(twist[i * r->size + k] - expected[k]) <= allowed))
                tn_fail(trial, "marker %zu entry %zu: twist %.15g instead of %.15g", i, k,
                        twist[i * r->size + k], expected[k]);
    }
}

static void run_rigid_motion(tn_trial *trial) { tn_for_each_riders(trial, check_rigid_motion); }

const tn_check tn_attachment_checks[] = {
    {"poses of markers are complete and orthonormal", carries_markers, run_pose},
    {"twist of markers is the rate of their pose", carries_markers, run_twist},
    {"jacobian of markers gives their twist", carries_markers, run_jacobian},
    {"pull-back is the transpose of the jacobian", carries_markers, run_pull_back},
    {"derivatives of twist and pull-back are exact", carries_markers, run_derivatives},
    {"moves as one rigid body when all does", has_rigid_motion, run_rigid_motion},
    {0}};
