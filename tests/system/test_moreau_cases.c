/* test_moreau_cases.c - contact by impulses against known results: friction on inclines, stacks, cradles, rocking, Painlevé's rod */
#include "harness.h"

#include <math.h>

static const tn_csv_table *run_of(const char *path, const char *set)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", path, "--quiet", "--out", results, set ? "--set" : NULL, set ? set : NULL));
    if (outcome.status != 0 || outcome.errors[0])
        fail_msg("%s: exit %d: %s", path, outcome.status, outcome.errors);
    return tn_sensors(results);
}

static const tn_csv_table *run_model(const char *name, const char *set)
{
    return run_of(tn_format(TENON_SOURCE_DIR "/configs/contact/%s.toml", name), set);
}

/* A box or a sphere of 1 kg on a plane; gravity turns instead of the plane. */
static const tn_csv_table *slide(const char *gravity, const char *velocity, const char *shape,
                                 const char *friction, const char *end)
{
    return run_of(
        tn_write("model.toml",
                 tn_format("[model]\ngravity = [%s]\n[[material_pair]]\na = 'm'\nb = 'm'\nfriction = %s\n"
                           "restitution = 0\n[[marker]]\nname = 'floor'\ntype = 'shape'\nelement = 'ground'\n"
                           "kind = 'plane'\nmaterial = 'm'\n[[element]]\nname = 'body'\ntype = 'rigid_body'\n"
                           "mass = 1\ninertia = [0.004, 0.004, 0.004]\nposition = [0, 0, 0.1]\n"
                           "velocity = [%s, 0, 0]\n[[marker]]\nname = 'skin'\ntype = 'shape'\n"
                           "element = 'body'\nmaterial = 'm'\n%s\n[[element]]\nname = 'contact'\n"
                           "type = 'contact'\nshapes = ['floor', 'skin']\nlaw = 'impulse'\n[[sensor]]\n"
                           "name = 'x'\nexpression = 'DX(body)'\n[[sensor]]\nname = 'v'\n"
                           "expression = 'VX(body)'\n[[sensor]]\nname = 'slip'\nelement = 'contact'\n"
                           "output = 'slip'\n[solver]\ntype = 'moreau'\nstep = 1e-3\nend_time = %s\n",
                           gravity, friction, velocity, shape, end)),
        NULL);
}

#define BOX "kind = 'box'\nsize = [0.2, 0.2, 0.2]"
#define SPHERE "kind = 'sphere'\nradius = 0.1"

static void blocks_slide_on_inclines_as_friction_lets_them(void **state)
{
    (void)state;
    const char *incline = "'9.81*SIN(30D)', 0, '-9.81*COS(30D)'";
    const tn_csv_table *slides = slide(incline, "0", BOX, "0.5", "2");
    if (fabs(tn_value_at(slides, "x", 2.0) - 1.3142907889) > 1e-8)
        fail_msg("%.12g", tn_value_at(slides, "x", 2.0));
    assert_true(fabs(tn_value_at(slide(incline, "0", BOX, "0.58", "2"), "x", 2.0)) < 1e-9);
}

static void a_block_that_slides_stops(void **state)
{
    (void)state;
    const tn_csv_table *table = slide("0, 0, -9.81", "5", BOX, "0.5", "1.2");
    assert_true(fabs(tn_value_at(table, "x", 1.2) - 25.0 / 9.81) < 1e-5);
    assert_true(fabs(tn_value_at(table, "v", 1.2)) < 1e-12);
}

/* Inertia of 2/5 m r^2: it rolls from 2 v/(7 mu g) on, with 5/7 v. */
static void a_sphere_that_slips_comes_to_roll(void **state)
{
    (void)state;
    const tn_csv_table *table = slide("0, 0, -9.81", "1", SPHERE, "0.2", "0.3");
    assert_true(tn_value_at(table, "slip", 0.145) > 1e-3 && tn_value_at(table, "slip", 0.147) < 1e-9);
    assert_true(fabs(tn_value_at(table, "v", 0.3) - 5.0 / 7.0) < 1e-9);
}

static void a_stack_of_ten_boxes_stays(void **state)
{
    (void)state;
    const tn_csv_table *table = run_model("stack", TN_SANITIZED ? "solver.end_time=0.5" : NULL);
    const double end = TN_SANITIZED ? 0.5 : 5.0;
    assert_true(fabs(tn_value_at(table, "bottom", end) - 981.0) < 1e-6);
    assert_true(fabs(tn_value_at(table, "drift", end)) < 1e-6);
    assert_true(tn_value_at(table, "energy", end) < 1e-12);
}

/* Between the last row before an impact and the first behind it. */
static void a_block_that_rocks_keeps_its_share_of_the_velocity(void **state)
{
    (void)state;
    const tn_csv_table *table = run_model("rocking_block", TN_SANITIZED ? "solver.end_time=0.3" : NULL);
    const double before = tn_value_at(table, "w", 0.2967), behind = tn_value_at(table, "w", 0.297);
    if (fabs(behind / before - (1.0 - 1.5 * sin(0.2) * sin(0.2))) > 1e-3) fail_msg("%g", behind / before);
}

static void the_paradox_of_a_rod_is_an_impact(void **state)
{
    (void)state;
    const tn_csv_table *stops = run_model("painleve", NULL),
                       *slides = run_model("painleve", "parameters.mu=1.3");
    assert_true(tn_value_at(stops, "slip", 1e-4) < 1e-9);
    assert_true(fabs(tn_value_at(stops, "v.x", 1e-4) - 3.0) < 1e-3);
    assert_true(tn_value_at(slides, "slip", 1e-4) > 4.9 && tn_value_at(slides, "slip", 5e-4) > 4.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_slide_on_inclines_as_friction_lets_them),
        cmocka_unit_test(a_block_that_slides_stops),
        cmocka_unit_test(a_sphere_that_slips_comes_to_roll),
        cmocka_unit_test(a_stack_of_ten_boxes_stays),
        cmocka_unit_test(a_block_that_rocks_keeps_its_share_of_the_velocity),
        cmocka_unit_test(the_paradox_of_a_rod_is_an_impact),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
