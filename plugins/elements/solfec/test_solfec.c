/* test_solfec.c - Solfec's constraints by hand: local frames and signs, rows of prescribed motions against differences, forces of springs
 * that balance and that no observer sees differently. All derivatives of the other types: tests/conformance. */
#include "../test_joint.h"

enum { ROWS = 3, STATES = 6 };

/* An element between two moving frames, with states and multipliers. */
typedef struct pair {
    test_element e;
    double residual[ROWS], rows[ROWS * 12], stiffness[144], x[STATES], lambda[ROWS];
} pair;

static const tn_vec3 places[] = {{{1, 2, 3}}, {{1.5, 1.2, 3.9}}},
                     speeds[] = {{{0.3, -0.7, 0.4}}, {{-0.2, 0.5, 0.9}}},
                     turnings[] = {{{0.5, 1.5, -0.8}}, {{-1.1, 0.6, 0.3}}};
static const tn_quaternion turns[] = {{0.6, -0.3, 0.5, 0.55}, {0.2, 0.7, -0.4, 0.3}};

static void pair_begin(pair *p, const char *name)
{
    memset(p, 0, sizeof *p);
    test_begin(&p->e, name);
    for (int k = 0; k < 2; k++)
        test_moving_frame(&p->e, 0, places[k], turns[k], speeds[k], turnings[k]);
    p->e.batch.residual = p->residual;
    p->e.batch.x = p->x;
    p->e.batch.lambda = p->lambda;
}

static void choose(pair *p, const char *name, int32_t choice)
{
    *(int32_t *)test_place(&p->e, test_parameter(&p->e, name)) = choice;
}

static void pair_ready(pair *p)
{
    assert_int_equal(test_prepare(&p->e), TN_OK);
    assert_int_equal(p->e.type->at_start(&p->e.batch), TN_OK);
}

/* Moves all markers with their twists. */
static void move(pair *p, double time)
{
    for (uint32_t k = 0; k < p->e.batch.marker_count; k++) {
        double *pose = p->e.pose + 12 * k;
        const double *twist = p->e.twist + 6 * k;
        for (int i = 0; i < 3; i++)
            pose[i] += time * twist[i];
        tn_mat3 R;
        memcpy(&R, pose + 3, sizeof R);
        R = tn_multiply(
            tn_rotation_of(tn_exponential(tn_scale(time, tn_vector(twist[3], twist[4], twist[5])))), R);
        memcpy(pose + 3, &R, sizeof R);
    }
}

static void evaluate(pair *p, tn_batch_function function, double *to)
{
    test_no_numbers(p->residual, ROWS);
    p->e.batch.tangent = p->rows;
    assert_int_equal(function(&p->e.batch), TN_OK);
    if (to) memcpy(to, p->residual, sizeof p->residual);
}

/* ---- prescribed motions ---------------------------------------------------------------------------------- */

/* Three accelerations along the axes of a base that the body of a marker carries. */
static void test_rows_are_derivatives(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (int32_t follow = 1; follow < 4; follow++) {
        pair p;
        pair_begin(&p, "set_acceleration");
        test_give(&p.e, "values", 0.4, -0.2, 0.7);
        const tn_mat3 base = tn_rotation_of((tn_quaternion){0.3, 0.4, -0.2, 0.8});
        test_store(&p.e, "base", (const double *)&base, 9);
        choose(&p, "follow", follow);
        pair_ready(&p);
        const double x[STATES] = {0.1, 0.2, -0.3, 0.5, -0.4, 0.6};
        memcpy(p.x, x, sizeof x);
        move(&p, 0.3); /* away from where it was found */
        double before[ROWS], after[ROWS], rate[ROWS], bias[ROWS], now[ROWS];
        double pose[24];
        memcpy(pose, p.e.pose, sizeof pose);
        for (int side = 0; side < 2; side++) {
            const double time = side ? h : -h;
            move(&p, time);
            for (int k = 0; k < 3; k++) /* the course of accelerations */
                p.x[k] = x[k] + time * x[3 + k];
            evaluate(&p, p.e.type->constraint, side ? after : before);
            memcpy(p.e.pose, pose, sizeof pose);
            memcpy(p.x, x, sizeof x);
        }
        evaluate(&p, p.e.type->constraint, now);
        evaluate(&p, p.e.type->constraint_rate, rate);
        evaluate(&p, p.e.type->constraint_bias, bias);
        evaluate(&p, p.e.type->constraint_rows, NULL);
        const double w[3] = {0.4, -0.2, 0.7};
        for (int k = 0; k < 3; k++) {
            assert_true(fabs((after[k] - before[k]) / (2 * h) - rate[k]) < 1e-6);
            const double curvature = (after[k] - 2 * now[k] + before[k]) / (h * h); /* x is linear here */
            assert_true(fabs(curvature - w[k] - bias[k]) < 1e-5);
            double product = -x[3 + k];
            for (int c = 0; c < 12; c++)
                product += p.rows[12 * k + c] * p.e.twist[c];
            assert_true(fabs(product - rate[k]) < 1e-12);
        }
        test_end(&p.e);
    }
}

/* Where it is found at the start nothing is off but the states. */
static void test_places_at_the_start_count(void **state)
{
    (void)state;
    pair p;
    pair_begin(&p, "set_velocity");
    test_give(&p.e, "direction", 0, 3, 4);
    test_give(&p.e, "value", 0.5);
    pair_ready(&p);
    assert_int_equal(p.e.layout.nx, 1);
    assert_int_equal(p.e.layout.position_rows, 1);
    assert_int_equal(p.e.layout.events, 0);
    p.x[0] = 0.25;
    p.e.active[0] = 0;
    assert_int_equal(p.e.type->accepted(&p.e.batch), TN_OK); /* at rest it goes along */
    expect_numbers(p.e.discrete + 6, 0.6 * (2 - 1.2) + 0.8 * (3 - 3.9) - 0.25);
    test_end(&p.e);
}

/* ---- frames and signs ------------------------------------------------------------------------------------ */

static void test_frames_and_reactions(void **state)
{
    (void)state;
    pair p;
    pair_begin(&p, "fixed_direction");
    test_give(&p.e, "direction", 0, 0, 2);
    choose(&p, "follow", 1);
    pair_ready(&p);
    p.lambda[0] = 5;
    /* T1 = x cross z = -y, T2 = T1 cross z = -x */
    expect_numbers(test_value(&p.e, "U"), 0.7 + 0.5, -0.3 - 0.2, 0.4 - 0.9);
    expect_numbers(test_value(&p.e, "R"), 0, 0, 5);
    expect_numbers(test_value(&p.e, "broken"), 0);
    evaluate(&p, p.e.type->constraint_rows, NULL);
    expect_numbers(p.rows, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0); /* + lambda N on the first one */
    test_end(&p.e);

    /* carried by the first body: against its point where the second marker is */
    pair_begin(&p, "fixed_direction");
    test_give(&p.e, "direction", 0, 0, 2);
    pair_ready(&p);
    const tn_vec3 at_second = tn_add(speeds[0], tn_cross(turnings[0], tn_subtract(places[1], places[0])));
    const tn_vec3 U = tn_subtract(at_second, speeds[1]);
    expect_numbers(test_value(&p.e, "U"), -U.e[1], -U.e[0], U.e[2]);
    double rate[ROWS];
    evaluate(&p, p.e.type->constraint_rate, rate);
    expect_numbers(rate, U.e[2]);
    test_end(&p.e);
}

static void test_a_normal_along_x_has_a_frame(void **state)
{
    (void)state;
    pair p;
    pair_begin(&p, "fixed_direction");
    test_give(&p.e, "direction", 3, 0, 0);
    choose(&p, "follow", 1);
    pair_ready(&p);
    /* T1 = y cross x = -z, T2 = T1 cross x = -y */
    expect_numbers(test_value(&p.e, "U"), 0.9 - 0.4, 0.5 + 0.7, 0.3 + 0.2);
    test_end(&p.e);
}

static void test_a_broken_element_has_no_effect(void **state)
{
    (void)state;
    pair p;
    pair_begin(&p, "fixed_direction");
    test_give(&p.e, "direction", 0, 0, 2);
    test_give(&p.e, "strength", 4);
    pair_ready(&p);
    assert_int_equal(p.e.layout.events, 1);
    p.lambda[0] = 5;
    assert_int_equal(p.e.type->events(&p.e.batch), TN_OK);
    assert_true(p.e.value[0] > 0.0); /* before the first step */
    p.e.batch.step = 0.1;
    assert_int_equal(p.e.type->accepted(&p.e.batch), TN_OK);
    assert_int_equal(p.e.type->events(&p.e.batch), TN_OK);
    expect_numbers(p.e.value, -1);
    p.e.failure = (tn_failure){0};
    p.e.batch.time = 0.5;
    assert_int_equal(p.e.type->on_event(&p.e.batch), TN_OK);
    assert_non_null(strstr(p.e.failure.message, "it has broken under 5 N"));
    expect_numbers(test_value(&p.e, "broken"), 1);
    expect_numbers(test_value(&p.e, "R"), 0, 0, 0);
    assert_int_equal(p.e.type->events(&p.e.batch), TN_OK);
    assert_true(isnan(p.e.value[0]));
    move(&p, 0.2);
    evaluate(&p, p.e.type->constraint, NULL);
    expect_numbers(p.residual, 0);
    evaluate(&p, p.e.type->constraint_rows, NULL);
    expect_numbers(p.rows, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    test_end(&p.e);
}

/* ---- springs --------------------------------------------------------------------------------------------- */

static tn_vec3 vector_at(const double *e) { return tn_vector(e[0], e[1], e[2]); }

/* Forces and moments about the origin, all markers together. */
static void expect_balance(const pair *p)
{
    tn_vec3 force = tn_zero(), moment = tn_zero();
    for (int k = 0; k < 2; k++) {
        const tn_vec3 f = vector_at(p->e.wrench + 6 * k), t = vector_at(p->e.wrench + 6 * k + 3);
        force = tn_add(force, f);
        moment = tn_add(moment, tn_add(t, tn_cross(vector_at(p->e.pose + 12 * k), f)));
    }
    assert_true(tn_norm(force) < 1e-12 && tn_norm(moment) < 1e-12);
}

/* All of it turned. */
static void turn_scene(pair *p, tn_mat3 Q)
{
    for (int k = 0; k < 2; k++) {
        double *pose = p->e.pose + 12 * k, *twist = p->e.twist + 6 * k;
        tn_vec3 position = tn_rotate(Q, vector_at(pose)), v = tn_rotate(Q, vector_at(twist)),
                w = tn_rotate(Q, vector_at(twist + 3));
        tn_mat3 R;
        memcpy(&R, pose + 3, sizeof R);
        R = tn_multiply(Q, R);
        memcpy(pose, &position, sizeof position);
        memcpy(pose + 3, &R, sizeof R);
        memcpy(twist, &v, sizeof v);
        memcpy(twist + 3, &w, sizeof w);
    }
}

static void test_forces_balance_and_turn_with_the_observer(void **state)
{
    (void)state;
    /* along the line; along a direction that the first body carries, or the second, with its couple */
    for (int32_t follow = 0; follow < 3; follow++) {
        pair p;
        pair_begin(&p, "put_spring");
        test_give(&p.e, "stiffness", 30);
        test_give(&p.e, "damping", 2);
        if (follow) {
            test_give(&p.e, "direction", 1, -2, 0.5);
            test_give(&p.e, "couple", 1);
        }
        choose(&p, "follow", follow);
        pair_ready(&p);
        move(&p, 0.3);
        assert_int_equal(test_force(&p.e), TN_OK);
        expect_balance(&p);
        double before[12];
        memcpy(before, p.e.wrench, sizeof before);
        const tn_mat3 Q = tn_rotation_of((tn_quaternion){0.4, 0.7, -0.1, 0.6});
        turn_scene(&p, Q);
        assert_int_equal(test_force(&p.e), TN_OK);
        for (int k = 0; k < 4; k++) {
            const tn_vec3 turned = tn_rotate(Q, vector_at(before + 3 * k));
            assert_true(tn_norm(tn_subtract(turned, vector_at(p.e.wrench + 3 * k))) < 1e-12);
        }
        (void)test_balance_of_power(&p.e);
        test_end(&p.e);
    }
}

/* Points that go apart make a positive stroke; what pulls them together is a negative R_N on the first. */
static void test_strokes_and_forces_have_signs(void **state)
{
    (void)state;
    pair p;
    memset(&p, 0, sizeof p);
    test_begin(&p.e, "put_spring");
    test_point(&p.e, 0, tn_vector(2, 0, 0), tn_zero());
    test_point(&p.e, 0, tn_vector(1, 0, 0), tn_vector(-3, 1, 0));
    test_give(&p.e, "stiffness", 10);
    pair_ready(&p);
    p.e.pose[0] = 2.5;
    assert_int_equal(test_force(&p.e), TN_OK);
    expect_numbers(p.e.wrench, -5, 0, 0, 5, 0, 0);
    expect_numbers(test_value(&p.e, "stroke"), 0.5);
    expect_numbers(test_value(&p.e, "stroke_rate"), 3);
    expect_numbers(test_value(&p.e, "R"), 0, 0, -5);
    expect_numbers(test_value(&p.e, "force"), 5, 0, 0);
    expect_numbers(test_value(&p.e, "length"), 1.5);
    test_end(&p.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_derivatives),
        cmocka_unit_test(test_places_at_the_start_count),
        cmocka_unit_test(test_frames_and_reactions),
        cmocka_unit_test(test_a_normal_along_x_has_a_frame),
        cmocka_unit_test(test_a_broken_element_has_no_effect),
        cmocka_unit_test(test_forces_balance_and_turn_with_the_observer),
        cmocka_unit_test(test_strokes_and_forces_have_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
