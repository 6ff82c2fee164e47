/* test_differences.c - the other ways to a tangent: complex step is as exact as dual numbers; types built
 * without exact passes run with central differences, and that is said */
#include "models.h"
#include "tangent.h"

#include <math.h>

static void compare(const char *model, const char *type, const char *plugin)
{
    tn_compare_tangents(model, type, plugin, 1e-6);
}

static void test_complex_step(void **state)
{
    (void)state;
    tn_compare_tangents(tn_springs, "spring_damper", tn_build_complex_step("spring_damper"), 1e-14);
    tn_compare_tangents(tn_functions, "spring_damper", tn_scratch_path("spring_damper_complex.so"), 1e-14);
    tn_compare_tangents(tn_reading_functions, "spring_damper", tn_scratch_path("spring_damper_complex.so"),
                        1e-14);
    tn_compare_tangents(tn_forces, "force", tn_build_complex_step("force"), 1e-14);
    tn_compare_tangents(tn_torques, "torque", tn_build_complex_step("torque"), 1e-14);
    tn_compare_tangents(tn_springs, "rigid_body", tn_build_complex_step("rigid_body"), 1e-14);
}

static void test_spring_damper(void **state)
{
    (void)state;
    const char *plugin = tn_build_without_passes("spring_damper");
    compare(tn_springs, "spring_damper", plugin);
    compare(tn_functions, "spring_damper", plugin);
    compare(tn_inner, "spring_damper", plugin);
    compare(tn_reading_springs, "spring_damper", plugin);
    compare(tn_reading_changed, "spring_damper", plugin);
    compare(tn_reading_functions, "spring_damper", plugin);
}

static void test_force(void **state)
{
    (void)state;
    const char *plugin = tn_build_without_passes("force");
    compare(tn_forces, "force", plugin);
    compare(tn_inner, "force", plugin);
    compare(tn_reading_forces, "force", plugin);
}

static void test_torque(void **state)
{
    (void)state;
    const char *plugin = tn_build_without_passes("torque");
    compare(tn_torques, "torque", plugin);
    compare(tn_reading_forces, "torque", plugin);
    compare(tn_reading_angles, "torque", plugin);
}

static void test_cartesian_spring_damper(void **state)
{
    (void)state;
    tn_compare_tangents(tn_cartesian, "cartesian_spring_damper",
                        tn_build_complex_step("cartesian_spring_damper"), 1e-14);
    compare(tn_cartesian, "cartesian_spring_damper", tn_build_without_passes("cartesian_spring_damper"));
}

static void test_linear_bushing(void **state)
{
    (void)state;
    tn_compare_tangents(tn_bushings, "linear_bushing", tn_build_complex_step("linear_bushing"), 1e-13);
    compare(tn_bushings, "linear_bushing", tn_build_without_passes("linear_bushing"));
}

static void test_torsional_spring_damper(void **state)
{
    (void)state;
    tn_compare_tangents(tn_torsional, "torsional_spring_damper",
                        tn_build_complex_step("torsional_spring_damper"), 1e-13);
    const char *plugin = tn_build_without_passes("torsional_spring_damper");
    compare(tn_torsional, "torsional_spring_damper", plugin);
    compare(tn_reading_functions, "torsional_spring_damper", plugin);
}

static void test_rigid_body(void **state)
{
    (void)state;
    compare(tn_springs, "rigid_body", tn_build_without_passes("rigid_body"));
}

static void test_coordinate_spring_damper(void **state)
{
    (void)state;
    const char *type = "coordinate_spring_damper";
    tn_compare_tangents(tn_reading_coordinates, type, tn_build_complex_step(type), 1e-14);
    compare(tn_reading_coordinates, type, tn_build_without_passes(type));
}

/* The functions of markers that parameters read, one at a time; speeds are not linear in the twists. */
static void test_functions_of_markers(void **state)
{
    (void)state;
    const char *plugin = tn_build_without_passes("plugins/markers/kinematics");
    compare(tn_reading_springs, "dx", plugin);
    compare(tn_reading_springs, "vx", plugin);
    compare(tn_reading_springs, "vm", plugin);
    compare(tn_reading_forces, "wm", plugin);
    compare(tn_reading_angles, "az", plugin);
    compare(tn_reading_angles, "pitch", plugin);
}

static const char mini[] =
    "[plugins]\nspring_damper = 'spring_damper_values.so'\n"
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0.3, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 100\n"
    "damping = 0.5\nreference_length = 1\n"
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
    "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.01\n";

/* The user is told, once, and gets the same motion. */
static void test_notice(void **state)
{
    (void)state;
    (void)tn_build_without_passes("spring_damper");
    const char *file = tn_write("mini.toml", mini);
    const tn_outcome without =
        tn_tenon(TN_WORDS("run", file, "--trust", "--out", tn_scratch_path("without")));
    assert_int_equal(without.status, 0);
    assert_string_equal(
        without.errors,
        "note: `spring_damper` was built without its exact tangent: central differences replace it\n");
    const tn_csv_table *a = tn_sensors(tn_scratch_path("without"));
    const tn_csv_table *b =
        tn_simulate(mini + strlen("[plugins]\nspring_damper = 'spring_damper_values.so'\n"), NULL);
    for (int k = 1; k <= 10; k++)
        assert_true(fabs(tn_value_at(a, "x.x", 0.1 * k) - tn_value_at(b, "x.x", 0.1 * k)) <= 1e-9);
}

/* One type is one notice, whatever shapes its instances have. */
static void test_notice_comes_once_per_type(void **state)
{
    (void)state;
    (void)tn_build_without_passes("force");
    const char *file =
        tn_write("forces.toml", tn_format("[plugins]\nforce = 'force_values.so'\n%s", tn_forces));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", file, "--trust"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(
        outcome.errors,
        "note: `force` was built without its exact tangent: central differences replace it\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_complex_step),
                                       cmocka_unit_test(test_spring_damper),
                                       cmocka_unit_test(test_force),
                                       cmocka_unit_test(test_torque),
                                       cmocka_unit_test(test_cartesian_spring_damper),
                                       cmocka_unit_test(test_linear_bushing),
                                       cmocka_unit_test(test_torsional_spring_damper),
                                       cmocka_unit_test(test_rigid_body),
                                       cmocka_unit_test(test_coordinate_spring_damper),
                                       cmocka_unit_test(test_functions_of_markers),
                                       cmocka_unit_test(test_notice),
                                       cmocka_unit_test(test_notice_comes_once_per_type)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
