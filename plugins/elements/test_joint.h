/* test_joint.h - drives one joint by hand: its last frame stands where its free coordinates say, seen from the first. */
#ifndef TENON_TEST_JOINT_H
#define TENON_TEST_JOINT_H

#include "test_element.h"

static const double pi = 3.14159265358979323846;

typedef struct test_joint {
    test_element e;
    tn_mat3 first; /* rotation of the first frame */
    double residual[6], rows[72], bias[6], stiffness[144];
} test_joint;

static const tn_vec3 joint_origin = {{1, 2, 3}};
static const tn_quaternion joint_turn = {0.6, -0.3, 0.5, 0.55};

static inline tn_quaternion turn_about(int axis, double angle)
{
    double q[4] = {cos(0.5 * angle), 0, 0, 0};
    q[1 + axis] = sin(0.5 * angle);
    return (tn_quaternion){q[0], q[1], q[2], q[3]};
}

/* The last frame at `offset` in the first one's axes, turned against it. */
static inline void joint_place(test_joint *j, tn_vec3 offset, tn_quaternion turn)
{
    const tn_vec3 position = tn_add(joint_origin, tn_rotate(j->first, offset));
    const tn_mat3 rotation = tn_multiply(j->first, tn_rotation_of(turn));
    memcpy(j->e.pose + 12, &position, sizeof position);
    memcpy(j->e.pose + 15, &rotation, sizeof rotation);
}

/* Velocities of the last frame against the resting first one, in the first one's axes. */
static inline void joint_move(test_joint *j, tn_vec3 velocity, tn_vec3 angular_velocity)
{
    velocity = tn_rotate(j->first, velocity);
    angular_velocity = tn_rotate(j->first, angular_velocity);
    memcpy(j->e.twist + 6, &velocity, sizeof velocity);
    memcpy(j->e.twist + 9, &angular_velocity, sizeof angular_velocity);
}

/* Between two frames that coincide; prepared by the caller. */
static inline void joint_begin(test_joint *j, const char *name)
{
    memset(j, 0, sizeof *j);
    test_begin(&j->e, name);
    j->first = tn_rotation_of(joint_turn);
    test_moving_frame(&j->e, 0, joint_origin, joint_turn, tn_zero(), tn_zero());
    test_moving_frame(&j->e, 0, joint_origin, joint_turn, tn_zero(), tn_zero());
}

static inline void joint_ready(test_joint *j) { assert_int_equal(test_prepare(&j->e), TN_OK); }

static inline tn_status joint_evaluate(test_joint *j)
{
    tn_batch *batch = &j->e.batch;
    test_no_numbers(j->residual, 6);
    test_no_numbers(j->rows, 72);
    batch->residual = j->residual;
    batch->tangent = j->rows;
    const tn_status status = j->e.type->constraint(batch);
    return tn_worse(status, j->e.type->constraint_rows(batch));
}

/* ---- what a pose must show ---- */

/* Rows are independent: Gram-Schmidt leaves something of each. */
static inline void expect_independent_rows(const test_joint *j)
{
    const size_t size = j->e.batch.wrench_size, count = j->e.layout.position_rows;
    double row[6][12];
    for (size_t r = 0; r < count; r++) {
        memcpy(row[r], j->rows + r * size, size * sizeof(double));
        for (size_t s = 0; s < r; s++) {
            double along = 0.0, square = 0.0;
            for (size_t c = 0; c < size; c++) {
                along += row[r][c] * row[s][c];
                square += row[s][c] * row[s][c];
            }
            for (size_t c = 0; c < size; c++)
                row[r][c] -= along / square * row[s][c];
        }
        double left = 0.0;
        for (size_t c = 0; c < size; c++)
            left += row[r][c] * row[r][c];
        assert_true(left > 0.1);
    }
}

/* The joint holds here: no residual, independent rows that see no motion of those that it leaves free. */
static inline void expect_to_hold(test_joint *j, uint32_t motions, const tn_vec3 (*motion)[2])
{
    assert_int_equal(joint_evaluate(j), TN_OK);
    for (uint32_t r = 0; r < j->e.layout.position_rows; r++)
        assert_true(fabs(j->residual[r]) < 1e-14);
    expect_independent_rows(j);
    assert_int_equal(motions + j->e.layout.position_rows, 6);
    for (uint32_t k = 0; k < motions; k++) {
        joint_move(j, motion[k][0], motion[k][1]);
        for (uint32_t r = 0; r < j->e.layout.position_rows; r++) {
            double rate = 0.0;
            for (uint32_t c = 0; c < 12; c++)
                rate += j->rows[12 * r + c] * j->e.twist[c];
            assert_true(fabs(rate) < 1e-14);
        }
    }
}

/* While it is closing: residuals grow with the turn that its frames are away by, until they are opposed, and the rows are
 * their derivatives. */
static inline void expect_to_close(test_joint *j)
{
    static const double angles[] = {1e-5, 0.3, 1.5, 2.5, 3.0};
    const uint32_t count = j->e.layout.position_rows;
    j->e.batch.closing = 1;
    for (int k = 0; k < 25; k++) {
        const double angle = angles[k % 5];
        const tn_vec3 axis = tn_vector(cos(2.0 * k), sin(2.0 * k) * cos(k), sin(2.0 * k) * sin(k));
        const tn_quaternion turn = tn_exponential(tn_scale(angle, axis));
        double rows[72], sides[2][6];
        joint_place(j, tn_zero(), turn);
        assert_int_equal(joint_evaluate(j), TN_OK);
        memcpy(rows, j->rows, sizeof rows);
        for (uint32_t c = 0; c < 3; c++) {
            tn_vec3 about = tn_zero();
            about.e[c] = 1.0;
            for (int side = 0; side < 2; side++) {
                const tn_vec3 step = tn_scale(side ? -1e-6 : 1e-6, tn_rotate_back(j->first, about));
                joint_place(j, tn_zero(), tn_quaternion_multiply(tn_exponential(step), turn));
                assert_int_equal(joint_evaluate(j), TN_OK);
                memcpy(sides[side], j->residual, sizeof sides[side]);
            }
            for (uint32_t r = 0; r < count; r++) {
                const double slope = (sides[0][r] - sides[1][r]) / 2e-6, row = rows[12 * r + 9 + c];
                if (!(fabs(slope - row) < 1e-7 * (1.0 + fabs(slope))))
                    fail_msg("turn %d, row %u about %u: %g, not %g", k, r, c, row, slope);
                assert_true(row == -rows[12 * r + 3 + c]);
            }
        }
    }
    j->e.batch.closing = 0;
}

/* Half a turn about this axis of the first frame leaves no way to close it. */
static inline void expect_to_refuse_the_opposite(test_joint *j, int axis, const char *words)
{
    j->e.batch.closing = 1;
    for (int side = -1; side <= 1; side++) {
        joint_place(j, tn_zero(), turn_about(axis, pi + 1e-3 * side));
        assert_int_equal(j->e.type->constraint(&j->e.batch), TN_RETRY);
        assert_non_null(strstr(j->e.failure.message, words));
    }
    j->e.batch.closing = 0;
}

/* The outputs of reactions show what stands on the last marker, also in the axes of the first. */
static inline void expect_reactions_as_outputs(test_joint *j)
{
    const double wrench[12] = {9, 9, 9, 9, 9, 9, 1, -2, 3, 0.5, 4, -6};
    memcpy(j->e.wrench, wrench, sizeof wrench);
    const tn_vec3 force = tn_rotate_back(j->first, tn_vector(1, -2, 3));
    const tn_vec3 torque = tn_rotate_back(j->first, tn_vector(0.5, 4, -6));
    expect_numbers(test_value(&j->e, "force"), 1, -2, 3);
    expect_numbers(test_value(&j->e, "torque"), 0.5, 4, -6);
    expect_numbers(test_value(&j->e, "force_local"), force.e[0], force.e[1], force.e[2]);
    expect_numbers(test_value(&j->e, "torque_local"), torque.e[0], torque.e[1], torque.e[2]);
}

/* The error is the largest residual; there is none of a joint that is not active, and nothing else that it does. */
static inline void expect_error_as_output(test_joint *j)
{
    joint_place(j, tn_vector(0.3, -0.4, 0.5), (tn_quaternion){1, 0.2, -0.1, 0.3});
    assert_int_equal(joint_evaluate(j), TN_OK);
    double largest = 0.0;
    for (uint32_t r = 0; r < j->e.layout.position_rows; r++)
        largest = fmax(largest, fabs(j->residual[r]));
    assert_true(largest > 0.05);
    expect_numbers(test_value(&j->e, "constraint_error"), largest);
    j->e.active[0] = 0;
    expect_numbers(test_value(&j->e, "constraint_error"), 0);
    j->e.active[0] = 1;
}

/* ---- coordinates ---- */

/* A coordinate by its name: its outputs, and what a marker on it would see. */
static inline void expect_coordinate(test_joint *j, const char *name, double value, double rate)
{
    char rate_name[64];
    (void)snprintf(rate_name, sizeof rate_name, "%s_rate", name);
    expect_numbers(test_value(&j->e, name), value);
    expect_numbers(test_value(&j->e, rate_name), rate);
    uint32_t k = 0;
    while (j->e.type->coordinates[k].name && strcmp(j->e.type->coordinates[k].name, name) != 0)
        k++;
    assert_non_null(j->e.type->coordinates[k].name);
    j->e.batch.output = k;
    assert_int_equal(j->e.type->coordinate(&j->e.batch), TN_OK);
    expect_numbers(j->e.value, value, rate);
}

/* A whole test: cmocka_unit_test_prestate(test_joint_outputs, "name of the joint"). */
static TN_UNUSED void test_joint_outputs(void **state)
{
    test_joint j;
    joint_begin(&j, *state);
    joint_ready(&j);
    expect_reactions_as_outputs(&j);
    expect_error_as_output(&j);
    test_end(&j.e);
}

static inline void expect_to_close_unless_opposite(const char *name, int axis, const char *words)
{
    test_joint j;
    joint_begin(&j, name);
    joint_ready(&j);
    expect_to_close(&j);
    expect_to_refuse_the_opposite(&j, axis, words);
    test_end(&j.e);
}

#endif
