/* test_prismatic.c - a slide at every translation, and its coordinate. */
#include "../test_joint.h"

static const tn_vec3 free_motion[1][2] = {{{{1}}, {{0}}}};

static void test_holds_at_every_translation(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "prismatic");
    joint_ready(&j);
    for (int k = -5; k <= 5; k++) {
        joint_place(&j, tn_vector(k, 0, 0), turn_about(0, 0));
        expect_to_hold(&j, 1, free_motion);
    }
    test_end(&j.e);
}

/* Also where the first frame turns, and the axis with it. */
static void test_translation_and_its_rate(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "prismatic");
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, 0);
    joint_place(&j, tn_vector(-1.5, 0, 0), turn_about(0, 0));
    joint_move(&j, tn_vector(0.25, 0, 0), tn_zero());
    expect_coordinate(&j, "translation", -1.5, 0.25);

    const tn_vec3 spin = tn_vector(3, -1, 2), arm = tn_rotate(j.first, tn_vector(-1.5, 0, 0));
    const tn_vec3 v = tn_add(tn_rotate(j.first, tn_vector(0.25, 0, 0)), tn_cross(spin, arm));
    memcpy(j.e.twist + 3, &spin, sizeof spin);
    memcpy(j.e.twist + 6, &v, sizeof v);
    memcpy(j.e.twist + 9, &spin, sizeof spin);
    expect_coordinate(&j, "translation", -1.5, 0.25);
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    expect_to_close_unless_opposite("prismatic", 2, "turned by 180 degrees");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_at_every_translation),
        cmocka_unit_test(test_translation_and_its_rate),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "prismatic"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
