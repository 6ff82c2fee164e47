/* test_setup.c - what a contact refuses, where its numbers come from, and what it keeps of steps by impulses */
#include "test_scene.h"

static void expect_refusal(scene *s, const char *parameter, const char *words)
{
    assert_int_equal(scene_try(s), TN_INVALID);
    assert_string_equal(s->e.host.parameter, parameter);
    if (!strstr(s->e.host.message, words)) fail_msg("`%s` is not in: %s", words, s->e.host.message);
    scene_end(s);
}

static void begin_balls(scene *s, int32_t law)
{
    scene_begin(s, law);
    scene_shape(s, TN_SPHERE, 0.1, 0, 0);
    scene_shape(s, TN_SPHERE, 0.1, 0, 0);
}

static void test_shapes_that_cannot_touch_are_refused(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.shape[1].body = s.shape[0].body;
    expect_refusal(&s, "shapes", "they are on one body, or on bodies that do not move");
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.shape[0].fixed = s.shape[1].fixed = 1;
    expect_refusal(&s, "shapes", "they are on one body, or on bodies that do not move");
}

static void test_pairs_that_are_not_supported_are_named(void **state)
{
    (void)state;
    static const tn_shape_kind pairs[][2] = {
        {TN_BOX, TN_BOX},    {TN_BOX, TN_CAPSULE}, {TN_CAPSULE, TN_CAPSULE}, {TN_CYLINDER, TN_PLANE},
        {TN_MESH, TN_PLANE}, {TN_PLANE, TN_PLANE}, {TN_SPHERE, TN_CYLINDER}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        scene s;
        scene_begin(&s, CONTACT_BY_IMPULSE);
        scene_shape(&s, pairs[k][0], 0.1, 0.1, 0.1);
        scene_shape(&s, pairs[k][1], 0.1, 0.1, 0.1);
        expect_refusal(&s, "shapes", "is not supported: a plane with spheres, capsules and boxes");
    }
    scene s;
    scene_begin(&s, CONTACT_BY_IMPULSE);
    scene_shape(&s, TN_BOX, 0.1, 0.1, 0.1);
    scene_shape(&s, TN_CYLINDER, 0.1, 0.1, 0);
    expect_refusal(&s, "shapes", "contact between `s0`, a box, and `s1`, a cylinder, is not supported");
}

static void test_markers_without_a_shape_are_refused(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.list[1] = NULL;
    expect_refusal(&s, "shapes", "number 2 of these markers is none of type `shape`");
}

static void test_a_missing_pair_of_materials_names_both(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.shape[1].material = "wood";
    expect_refusal(&s, "shapes", "no [[material_pair]] for the material `steel` of `s0` and `wood` of `s1`");
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.shape[1].material = NULL;
    expect_refusal(&s, "shapes", "`(none)` of `s1`");
    /* all that is needed stands at the element */
    begin_balls(&s, CONTACT_BY_IMPULSE);
    s.shape[1].material = NULL;
    test_give(&s.e, "friction", 0.1);
    test_give(&s.e, "restitution", 0.3);
    scene_prepare(&s);
    scene_end(&s);
}

static void test_the_penalty_law_needs_its_numbers(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "restitution", 0.5);
    test_give(&s.e, "damping", 0.5);
    expect_refusal(&s, "damping", "give one of them");
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "static_friction", 0.1);
    expect_refusal(&s, "static_friction", "it is below `friction`, 0.4");
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "restitution_threshold", 0);
    expect_refusal(&s, "restitution_threshold", "above 0");
}

/* A damper without end is none: the user learns once what stands for it. */
static void test_the_least_restitution_by_penalty_is_noted_once(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "restitution", 0);
    scene_prepare(&s);
    assert_non_null(strstr(s.e.host.message, "a restitution below 0.0005 stands for 0.0005"));
    s.e.host.message[0] = 0;
    test_give(&s.e, "friction", 0.1); /* a change */
    assert_int_equal(s.e.type->prepare(&s.e.host.table, s.e.instance), TN_OK);
    assert_string_equal(s.e.host.message, "");
    scene_end(&s);
    for (int law = CONTACT_BY_IMPULSE; law <= CONTACT_BY_PENALTY; law++) {
        begin_balls(&s, law);
        test_give(&s.e, "restitution", law == CONTACT_BY_IMPULSE ? 0 : 5e-4);
        scene_prepare(&s);
        assert_string_equal(s.e.host.message, "");
        scene_end(&s);
    }
}

/* A stiffness is one of N/m^exponent: both come from one place. */
static void test_a_stiffness_belongs_to_the_exponent_beside_it(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "exponent", 1);
    expect_refusal(&s, "exponent", "is one for the exponent 1.5: give both here");
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "exponent", 1);
    test_give(&s.e, "stiffness", 300);
    scene_prepare(&s);
    scene_end(&s);
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "exponent", 1.5); /* that of the pair */
    scene_prepare(&s);
    scene_end(&s);
    begin_balls(&s, CONTACT_BY_PENALTY);
    test_give(&s.e, "stiffness", 300);
    scene_pair.exponent = 1;
    assert_int_equal(scene_try(&s), TN_INVALID);
    scene_pair.exponent = (double)NAN;
    assert_string_equal(s.e.host.parameter, "stiffness");
    assert_non_null(strstr(s.e.host.message, "give an `exponent` here, too"));
    scene_end(&s);
}

static void test_what_is_too_much_for_penalty_asks_for_several_contacts(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s, CONTACT_BY_PENALTY);
    scene_choose(&s, "friction_law", 1);
    scene_shape(&s, TN_PLANE, 1, 1, 0);
    for (int k = 0; k < 3; k++)
        scene_shape(&s, TN_BOX, 0.1, 0.1, 0.1)->body = 77;
    expect_refusal(&s, "shapes", "these need 48, for 24 points: use several contacts");
    static const tn_shape *list[40];
    static tn_shape shape[40];
    begin_balls(&s, CONTACT_BY_PENALTY);
    for (int k = 0; k < 40; k++) {
        shape[k] = s.shape[0];
        shape[k].body = (uint32_t)k;
        list[k] = &shape[k];
    }
    assert_int_equal(s.e.type->shapes(&s.e.host.table, s.e.instance, 40, list), TN_INVALID);
    assert_string_equal(s.e.host.message,
                        "law `penalty` takes 32 shapes, these are 40: use several contacts");
    scene_end(&s);
}

static void test_numbers_of_the_element_come_before_those_of_the_materials(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE);
    scene_prepare(&s);
    for (uint32_t k = 0; k < 2; k++)
        scene_put(&s, k, tn_vector(0.2 * k, 0, 0), tn_identity(), tn_zero(), tn_zero());
    scene_find(&s, 0.01);
    assert_int_equal(s.points, 1);
    expect_numbers(&s.point[0].friction, 0.4);
    expect_numbers(&s.point[0].restitution, 0.5);
    expect_numbers(&s.point[0].threshold, 0.01);
    test_give(&s.e, "restitution", 0.25); /* a change: prepare() comes again */
    assert_int_equal(s.e.type->prepare(&s.e.host.table, s.e.instance), TN_OK);
    scene_find(&s, 0.01);
    expect_numbers(&s.point[0].restitution, 0.25);
    scene_end(&s);
}

/* ---- impulses ---------------------------------------------------------------------------------------------------------- */

static void test_outputs_by_impulses_are_those_of_the_last_step(void **state)
{
    (void)state;
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE);
    scene_prepare(&s);
    for (uint32_t k = 0; k < 2; k++)
        scene_put(&s, k, tn_vector(0.21 * k, 0, 0), tn_identity(), tn_zero(), tn_zero());
    assert_true(s.e.type->has_contacts(s.e.instance));
    const tn_contact_point points[2] = {{.position = {1, 0, 0}}, {.position = {4, 0, 0}}};
    const double impulse[] = {0.02, 0.003, -0.004, 0.04, 0, 0}, slip[] = {-0.3, 0.4, 0, 0};
    assert_int_equal(s.e.type->settled(&s.e.batch, 0, 2, points, impulse, slip, 1e-2), TN_OK);
    expect_numbers(test_value(&s.e, "normal_force"), 6);
    expect_numbers(test_value(&s.e, "friction_force"), 0.5);
    expect_numbers(test_value(&s.e, "points"), 2);
    expect_numbers(test_value(&s.e, "slip"), 0.5);
    expect_numbers(test_value(&s.e, "position"), 3, 0, 0);
    expect_numbers(test_value(&s.e, "gap"), 0.01);
    assert_int_equal(s.e.type->settled(&s.e.batch, 0, 0, NULL, NULL, NULL, 1e-2), TN_OK);
    expect_numbers(test_value(&s.e, "normal_force"), 0);
    expect_numbers(test_value(&s.e, "position"), 0.105, 0, 0);
    scene_end(&s);
}

static void test_an_overlap_at_the_start_is_listed(void **state)
{
    (void)state;
    for (int resolves = 0; resolves < 2; resolves++) {
        scene s;
        begin_balls(&s, CONTACT_BY_IMPULSE);
        scene_choose(&s, "start", resolves);
        scene_prepare(&s);
        for (uint32_t k = 0; k < 2; k++)
            scene_put(&s, k, tn_vector(0.19 * k, 0, 0), tn_identity(), tn_zero(), tn_zero());
        s.e.failure.message = NULL;
        assert_int_equal(s.e.type->accepted(&s.e.batch), resolves ? TN_OK : TN_INVALID);
        const char *text = resolves ? s.e.host.message : s.e.failure.message;
        if (!text || !strstr(text, "`s0` and `s1` by 0.01 m")) fail_msg("%s", text);
        assert_true((strstr(text, "start = \"resolve\"") != NULL) == !resolves);
        s.e.host.message[0] = 0;
        assert_int_equal(s.e.type->accepted(&s.e.batch), TN_OK); /* the element warns once */
        assert_string_equal(s.e.host.message, "");
        scene_end(&s);
    }
    scene s;
    begin_balls(&s, CONTACT_BY_IMPULSE); /* no direction leads out of there */
    scene_prepare(&s);
    for (uint32_t k = 0; k < 2; k++)
        scene_put(&s, k, tn_zero(), tn_identity(), tn_zero(), tn_zero());
    assert_int_equal(s.e.type->accepted(&s.e.batch), TN_INVALID);
    assert_non_null(strstr(s.e.failure.message, "`s0` and `s1` by 0.2 m"));
    scene_end(&s);
    begin_balls(&s, CONTACT_BY_IMPULSE); /* touching is none */
    scene_prepare(&s);
    for (uint32_t k = 0; k < 2; k++)
        scene_put(&s, k, tn_vector((0.2 - 1e-12) * k, 0, 0), tn_identity(), tn_zero(), tn_zero());
    assert_int_equal(s.e.type->accepted(&s.e.batch), TN_OK);
    assert_string_equal(s.e.host.message, "");
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_that_cannot_touch_are_refused),
        cmocka_unit_test(test_pairs_that_are_not_supported_are_named),
        cmocka_unit_test(test_markers_without_a_shape_are_refused),
        cmocka_unit_test(test_a_missing_pair_of_materials_names_both),
        cmocka_unit_test(test_the_penalty_law_needs_its_numbers),
        cmocka_unit_test(test_the_least_restitution_by_penalty_is_noted_once),
        cmocka_unit_test(test_a_stiffness_belongs_to_the_exponent_beside_it),
        cmocka_unit_test(test_what_is_too_much_for_penalty_asks_for_several_contacts),
        cmocka_unit_test(test_numbers_of_the_element_come_before_those_of_the_materials),
        cmocka_unit_test(test_outputs_by_impulses_are_those_of_the_last_step),
        cmocka_unit_test(test_an_overlap_at_the_start_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
