/* test_linear_bushing.c - angles, rates and wrenches at random states, the singular state, the warning before it */
#include "../test_element.h"

static const double pi = 3.14159265358979323846;

static tn_quaternion turn_about(int axis, double angle)
{
    const double s = sin(0.5 * angle);
    return (tn_quaternion){cos(0.5 * angle), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

/* ---- random states --------------------------------------------------------------------------------------- */

static double draw(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static tn_vec3 draw_vector(uint64_t *state, double size)
{
    const double x = draw(state, -size, size), y = draw(state, -size, size);
    return tn_vector(x, y, draw(state, -size, size));
}

/* A bushing whose coordinates are known: the second frame is built from them. */
typedef struct known {
    double k[6], c[6], q[6], rate[6];
    tn_vec3 origin,
        axis[3]; /* of the first frame: origin, and in its axes those that the angles turn about */
    tn_mat3 first;
} known;

/* The middle angle stays off 90 degrees by 5; the others reach all round. */
static void draw_state(uint64_t *state, test_element *e, known *s)
{
    for (int i = 0; i < 6; i++) {
        s->k[i] = draw(state, 0, 100);
        s->c[i] = draw(state, 0, 10);
        s->q[i] = i < 3 ? draw(state, -1, 1) * (i == 1 ? 85.0 : 179.0) * pi / 180 : draw(state, -2, 2);
        s->rate[i] = draw(state, -3, 3);
    }
    const tn_vec3 vector = draw_vector(state, 2), velocity = draw_vector(state, 2), w = draw_vector(state, 2);
    const tn_quaternion F = tn_exponential(vector);
    const tn_quaternion X = turn_about(0, s->q[0]), Y = turn_about(1, s->q[1]), Z = turn_about(2, s->q[2]);
    const tn_quaternion XY = tn_quaternion_multiply(X, Y), M = tn_quaternion_multiply(XY, Z);
    s->origin = draw_vector(state, 2);
    s->first = tn_rotation_of(F);
    s->axis[0] = tn_vector(1, 0, 0);
    s->axis[1] = tn_axis(tn_rotation_of(X), 1);
    s->axis[2] = tn_axis(tn_rotation_of(XY), 2);

    // the motion of the second frame: that of the first one, and the rates on top
    tn_vec3 turning = tn_zero();
    for (int i = 0; i < 3; i++)
        turning = tn_add(turning, tn_scale(s->rate[i], s->axis[i]));
    const tn_vec3 arm = tn_rotate(s->first, tn_vector(s->q[3], s->q[4], s->q[5]));
    const tn_vec3 moving = tn_rotate(s->first, tn_vector(s->rate[3], s->rate[4], s->rate[5]));
    test_begin(e, "linear_bushing");
    test_moving_frame(e, 0, s->origin, F, velocity, w);
    test_moving_frame(e, 0, tn_add(s->origin, arm), tn_quaternion_multiply(F, M),
                      tn_add(velocity, tn_add(moving, tn_cross(w, arm))),
                      tn_add(w, tn_rotate(s->first, turning)));
    test_store(e, "stiffness", s->k, 6);
    test_store(e, "damping", s->c, 6);
    assert_int_equal(test_prepare(e), TN_OK);
}

/* Rates of the angles when the second frame turns with `w` (axes of the first) against the first one: Cramer's rule. */
static void rates_at(const known *s, tn_vec3 w, double rate[3])
{
    const tn_vec3 *a = s->axis;
    const double determinant = tn_dot(a[0], tn_cross(a[1], a[2]));
    rate[0] = tn_dot(w, tn_cross(a[1], a[2])) / determinant;
    rate[1] = tn_dot(a[0], tn_cross(w, a[2])) / determinant;
    rate[2] = tn_dot(a[0], tn_cross(a[1], w)) / determinant;
}

static void compare(const double *got, const double *right, int count, double size)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(got[i] - right[i]) <= 1e-11 * (1.0 + size)))
            fail_msg("entry %d: %.17g instead of %.17g", i, got[i], right[i]);
}

/* By virtual work: at a unit turn about an axis the torque does what the moments do at the rates of the angles. */
static void check_wrenches(test_element *e, const known *s)
{
    double f[6], size = 0.0;
    tn_vec3 torque, force;
    for (int i = 0; i < 6; i++) {
        f[i] = -(s->k[i] * s->q[i] + s->c[i] * s->rate[i]);
        size += fabs(f[i]);
    }
    compare(test_value(e, "f"), f, 6, size);
    size /= fabs(cos(s->q[1]));
    for (int axis = 0; axis < 3; axis++) {
        double rate[3];
        tn_vec3 unit = tn_zero();
        unit.e[axis] = 1.0;
        rates_at(s, unit, rate);
        torque.e[axis] = f[0] * rate[0] + f[1] * rate[1] + f[2] * rate[2];
        force.e[axis] = f[3 + axis];
    }
    torque = tn_rotate(s->first, torque);
    force = tn_rotate(s->first, force);
    const tn_vec3 arm = tn_rotate(s->first, tn_vector(s->q[3], s->q[4], s->q[5]));
    const tn_vec3 back = tn_negate(force), moment = tn_negate(tn_add(torque, tn_cross(arm, force)));
    compare(test_value(e, "F_GM"), torque.e, 3, size);
    compare(e->value + 3, force.e, 3, size);
    compare(test_value(e, "F_GF"), moment.e, 3, size);
    compare(e->value + 3, back.e, 3, size);
    assert_int_equal(test_force(e), TN_OK);
    compare(e->wrench, back.e, 3, size);
    compare(e->wrench + 3, moment.e, 3, size);
    compare(e->wrench + 6, force.e, 3, size);
    compare(e->wrench + 9, torque.e, 3, size);
}

static void check_energies(test_element *e, const known *s)
{
    double stored = 0.0, lost = 0.0;
    for (int i = 0; i < 6; i++) {
        stored += 0.5 * s->k[i] * s->q[i] * s->q[i];
        lost += s->c[i] * s->rate[i] * s->rate[i];
    }
    compare(test_value(e, "potential_energy"), &stored, 1, stored);
    compare(test_value(e, "power_dissipation"), &lost, 1, lost);
    assert_int_equal(e->type->potential(&e->batch), TN_OK);
    compare(e->value, &stored, 1, stored);

    // differences in time need room around the state
    if (fabs(s->q[0]) > 3 || fabs(s->q[1]) > 0.8 || fabs(s->q[2]) > 3) return;
    const double dissipated = test_balance_of_power(e);
    compare(&dissipated, &lost, 1, lost);
}

static void test_two_hundred_random_states(void **state)
{
    (void)state;
    uint64_t seed = 2009;
    for (int trial = 0; trial < 200; trial++) {
        test_element e;
        known s;
        draw_state(&seed, &e, &s);
        compare(test_value(&e, "q"), s.q, 6, 1);
        compare(test_value(&e, "qdot"), s.rate, 6, 10);
        check_wrenches(&e, &s);
        check_energies(&e, &s);
        test_end(&e);
    }
}

/* ---- a state that can be read off ------------------------------------------------------------------------ */

/* F stands at (1, 2, 3) with its x and y axes along ground's y and -x; M at (1, 1, 5), turned by -90 degrees about F's
 * x axis. They move with (1, 0, 0) and (0, 0, 2), and turn with 2 about z and with 3 about y. */
static void bushing_begin(test_element *e)
{
    test_begin(e, "linear_bushing");
    test_frame(e, 0, tn_vector(1, 2, 3), TEST_TURN_Z);
    test_frame(e, 0, tn_vector(1, 1, 5), ((const double[9]){0, 0, -1, 1, 0, 0, 0, -1, 0}));
    const double twist[12] = {1, 0, 0, 0, 0, 2, 0, 0, 2, 0, 3, 0};
    memcpy(e->twist, twist, sizeof twist);
    test_give(e, "stiffness", 10, 20, 30, 40, 50, 60);
    test_give(e, "damping", 1, 2, 3, 4, 5, 6);
    assert_int_equal(test_prepare(e), TN_OK);
}

static void test_outputs(void **state)
{
    (void)state;
    test_element e;
    bushing_begin(&e);
    expect_numbers(test_value(&e, "X_GF"), 0, -1, 0, 1, 0, 0, 0, 0, 1, 1, 2, 3);
    expect_numbers(test_value(&e, "X_GM"), 0, 0, -1, 1, 0, 0, 0, -1, 0, 1, 1, 5);
    expect_numbers(test_value(&e, "X_FM"), 1, 0, 0, 0, 0, 1, 0, -1, 0, -1, 0, 2);
    expect_numbers(test_value(&e, "V_GF"), 0, 0, 2, 1, 0, 0);
    expect_numbers(test_value(&e, "V_GM"), 0, 3, 0, 0, 0, 2);

    // turning with F carries M along with (2, 0, 0): v = (0, 0, 2) - (1, 0, 0) - (2, 0, 0), in axes of F (0, 3, 2)
    expect_numbers(test_value(&e, "V_FM"), 3, 0, -2, 0, 3, 2);
    expect_numbers(test_value(&e, "q"), -0.5 * pi, 0, 0, -1, 0, 2);
    expect_numbers(test_value(&e, "qdot"), 3, 2, 0, 0, 3, 2);
    const double mx = 5 * pi - 3;
    expect_numbers(test_value(&e, "f"), mx, -4, 0, 40, -15, -132);

    // in axes of F: torque (mx, 0, 4), force (40, -15, -132)
    expect_numbers(test_value(&e, "F_GM"), 0, mx, 4, 15, 40, -132);
    expect_numbers(test_value(&e, "F_GF"), -(132 - 80), -mx - 30, -4 - 15, -15, -40, 132);
    expect_numbers(test_value(&e, "potential_energy"), 1.25 * pi * pi + 20 + 120);
    expect_numbers(test_value(&e, "power_dissipation"), 9 + 8 + 45 + 24);
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    bushing_begin(&e);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "f"), 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "F_GF"), 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "F_GM"), 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "potential_energy"), 0);
    expect_numbers(test_value(&e, "power_dissipation"), 0);
    expect_numbers(test_value(&e, "q"), -0.5 * pi, 0, 0, -1, 0, 2);
    expect_numbers(test_value(&e, "qdot"), 3, 2, 0, 0, 3, 2);
    test_end(&e);
}

/* ---- the middle angle ------------------------------------------------------------------------------------ */

/* Turns the second frame of a bushing on ground: by 0.3 about x, then to a middle angle of given cosine. */
static void bend_to(test_element *e, double sine, double cosine)
{
    const tn_mat3 X = tn_rotation_of(turn_about(0, 0.3));
    const tn_mat3 Y = {{{{cosine, 0, sine}}, {{0, 1, 0}}, {{-sine, 0, cosine}}}}, R = tn_multiply(X, Y);
    memcpy(e->pose + 15, &R, sizeof R);
}

static void hinge_begin(test_element *e)
{
    test_begin(e, "linear_bushing");
    test_frame(e, 0, tn_zero(), TEST_NO_TURN);
    test_frame(e, 0, tn_zero(), TEST_NO_TURN);
    test_give(e, "stiffness", 10, 10, 10, 10, 10, 10);
    assert_int_equal(test_prepare(e), TN_OK);
}

static void test_singular_only_where_the_cosine_is_below_1e8th(void **state)
{
    (void)state;
    test_element e;
    hinge_begin(&e);
    for (int sign = -1; sign <= 1; sign += 2) {
        bend_to(&e, sign, 1.1e-8);
        assert_int_equal(test_force(&e), TN_OK);
        expect_numbers(test_value(&e, "q") + 1, sign * (0.5 * pi - 1.1e-8));

        bend_to(&e, sign, 0.9e-8);
        assert_int_equal(test_force(&e), TN_RETRY);
        assert_non_null(strstr(e.failure.message, "middle angle"));
        assert_non_null(strstr(e.failure.message, "singular"));
        e.failure = (tn_failure){0};
        static const char *const without[] = {"q", "qdot", "f", "F_GF", "F_GM", "potential_energy"};
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            assert_int_equal(test_output(&e, without[k]), TN_RETRY);
        static const char *const with[] = {"X_GF", "X_GM", "X_FM", "V_GF", "V_GM", "V_FM"};
        for (size_t k = 0; k < sizeof with / sizeof *with; k++)
            assert_int_equal(test_output(&e, with[k]), TN_OK);
    }
    test_end(&e);
}

/* True when the accepted step warned. */
static bool warns(test_element *e, double degrees)
{
    e->failure = (tn_failure){0};
    bend_to(e, sin(degrees * pi / 180), cos(degrees * pi / 180));
    assert_int_equal(e->type->accepted(&e->batch), TN_OK);
    assert_int_equal(e->failure.status, TN_OK);
    return e->failure.message && strstr(e->failure.message, "75 degrees");
}

static void test_warns_once_from_75_degrees_on(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        test_element e;
        hinge_begin(&e);
        assert_int_equal(e.layout.nd, 1);
        assert_false(warns(&e, 74.99 * sign));
        e.active[0] = 0;
        assert_false(warns(&e, 80 * sign));
        e.active[0] = 1;
        assert_true(warns(&e, 75.01 * sign));
        assert_false(warns(&e, 80 * sign));
        test_end(&e);
    }
}

static void test_waits_with_the_warning_while_another_one_speaks(void **state)
{
    (void)state;
    test_element e;
    hinge_begin(&e);
    bend_to(&e, 1, 0.1);
    e.failure = (tn_failure){.message = "of another one"};
    assert_int_equal(e.type->accepted(&e.batch), TN_OK);
    assert_string_equal(e.failure.message, "of another one");
    assert_true(warns(&e, 80));
    test_end(&e);
}

/* ---- several at a time ----------------------------------------------------------------------------------- */

enum { BATCH = 7, ROWS = 12, COLUMNS = 24, SINGULAR = 2, INACTIVE = 4 };

/* With columns of parameters the tangent comes from the text of the law, otherwise from the closed form for four. */
static void test_the_tangent_of_four_is_that_of_the_text(void **state)
{
    (void)state;
    uint64_t seed = 2011;
    for (int trial = 0; trial < 100; trial++) {
        test_element e;
        known s;
        double closed[ROWS * COLUMNS], wrench[ROWS];
        draw_state(&seed, &e, &s);
        assert_int_equal(test_force_tangent(&e), TN_OK);
        memcpy(closed, e.tangent, sizeof closed);
        memcpy(wrench, e.wrench, sizeof wrench);

        const tn_parameter *stiffness = test_parameter(&e, "stiffness");
        const tn_dynamic dynamic = {.offset = stiffness->offset, .count = 6, .kind = TN_KIND_REAL};
        e.batch.dynamic = &dynamic;
        e.batch.dynamic_count = 1;
        e.batch.dynamic_columns = 6;
        assert_int_equal(test_force_tangent(&e), TN_OK);
        const double size = 1e3 / (cos(s.q[1]) * cos(s.q[1]) * cos(s.q[1]));
        compare(wrench, e.wrench, ROWS, size);
        for (int row = 0; row < ROWS; row++)
            compare(closed + row * COLUMNS, e.tangent + row * (COLUMNS + 6), COLUMNS, size);
        test_end(&e);
    }
}

/* A batch of its own memory: each number of it once. */
typedef struct several {
    test_element one[BATCH];
    tn_batch batch;
    tn_failure failure;
    char *instance;
    uint8_t active[BATCH];
    tn_marker_place place[2 * BATCH];
    double pose[24 * BATCH], twist[12 * BATCH], wrench[ROWS * BATCH], tangent[ROWS * COLUMNS * BATCH];
} several;

static void several_begin(several *all, uint64_t seed)
{
    for (uint32_t k = 0; k < BATCH; k++) {
        known s;
        draw_state(&seed, &all->one[k], &s);
        if (k == SINGULAR) {
            memcpy(all->one[k].pose + 3, TEST_NO_TURN, sizeof TEST_NO_TURN);
            bend_to(&all->one[k], 1, 0);
        }
        const tn_batch *of = &all->one[k].batch;
        if (k == 0) {
            all->batch = *of;
            all->instance = malloc(BATCH * of->instance_stride);
            assert_non_null(all->instance);
        }
        memcpy(all->instance + k * of->instance_stride, of->instance, of->instance_stride);
        memcpy(all->pose + 24 * k, all->one[k].pose, 24 * sizeof(double));
        memcpy(all->twist + 12 * k, all->one[k].twist, 12 * sizeof(double));
        for (uint32_t marker = 2 * k; marker < 2 * k + 2; marker++)
            all->place[marker] = (tn_marker_place){12 * marker, 6 * marker};
        all->active[k] = all->one[k].active[0] = k != INACTIVE;
    }
    tn_batch *batch = &all->batch;
    batch->count = BATCH;
    batch->instance = all->instance;
    batch->active = all->active;
    batch->failure = &all->failure;
    batch->marker = all->place;
    batch->pose = all->pose;
    batch->twist = all->twist;
    batch->wrench = all->wrench;
    batch->tangent = all->tangent;
}

static void several_end(several *all)
{
    free(all->instance);
    for (uint32_t k = 0; k < BATCH; k++)
        test_end(&all->one[k]);
}

static void expect_failure_of_the_singular_one(const several *all, tn_status status)
{
    assert_int_equal(status, TN_RETRY);
    assert_int_equal(all->failure.instance, SINGULAR);
    assert_non_null(strstr(all->failure.message, "singular"));
}

/* Each one has the bits that it has alone, whoever stands beside it. */
static void test_a_singular_bushing_and_an_inactive_one_leave_the_others_alone(void **state)
{
    (void)state;
    static several all;
    static const double none[ROWS * COLUMNS];
    several_begin(&all, 2012);
    test_element *one = all.one;
    expect_failure_of_the_singular_one(&all, one->type->force(&all.batch));
    for (uint32_t k = 0; k < BATCH; k++) {
        assert_int_equal(test_force(&one[k]), k == SINGULAR ? TN_RETRY : TN_OK);
        assert_memory_equal(all.wrench + ROWS * k, k == INACTIVE ? none : one[k].wrench,
                            ROWS * sizeof(double));
    }
    for (uint32_t k = 0; k < BATCH; k++)
        assert_int_equal(test_force_tangent(&one[k]), k == SINGULAR ? TN_RETRY : TN_OK);
    all.batch.columns = one->columns;
    all.batch.column_blocks = one->batch.column_blocks;
    all.batch.tangent_stride = COLUMNS;
    all.failure = (tn_failure){0};
    expect_failure_of_the_singular_one(&all, one->type->force_tangent(&all.batch));
    for (uint32_t k = 0; k < BATCH; k++) {
        const size_t place = (size_t)ROWS * COLUMNS * k;
        assert_memory_equal(all.wrench + ROWS * k, one[k].wrench, ROWS * sizeof(double));
        assert_memory_equal(all.tangent + place, k == INACTIVE ? none : one[k].tangent,
                            ROWS * COLUMNS * sizeof(double));
    }
    several_end(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_hundred_random_states),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
        cmocka_unit_test(test_singular_only_where_the_cosine_is_below_1e8th),
        cmocka_unit_test(test_the_tangent_of_four_is_that_of_the_text),
        cmocka_unit_test(test_a_singular_bushing_and_an_inactive_one_leave_the_others_alone),
        cmocka_unit_test(test_warns_once_from_75_degrees_on),
        cmocka_unit_test(test_waits_with_the_warning_while_another_one_speaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
