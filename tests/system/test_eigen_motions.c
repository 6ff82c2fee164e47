/* test_eigen_motions.c - modes that `eigen` finds about steady motions: rolling, spinning, turning; and motions that are not steady */
#include "modes.h"
#include "published_bicycles.h"

/* ---- steady motions ------------------------------------------------------------------------------------------- */

static void test_bicycles(void **state)
{
    (void)state;
    check_published(find_modes(tn_read(BICYCLES), NULL));
}

/* At a time of a run, wherever the wheels have come to by then. */
static void test_eigenvalues_do_not_turn_with_wheels(void **state)
{
    (void)state;
    static modes start;
    const char *bicycles = tn_read(BICYCLES), *solver = strstr(bicycles, "[solver]");
    assert_non_null(solver);
    const char *model =
        tn_format("%.*s[[solver]]\ntype = 'rk'\nstep = 0.01\nend_time = 0.37\n" EIGEN("count = 110\n"),
                  (int)(solver - bicycles), bicycles);
    start = *find_modes(bicycles, NULL);
    const modes *m = find_modes(model, NULL);
    assert_int_equal(m->count, start.count);
    for (size_t k = 0; k < start.count; k++)
        if (start.re[k] != 0.0) check_there(m, start.re[k], start.im[k]);
}

/* A thin disc of mass m and radius R that rolls upright with w: s^2 = 4 g/(5 R) - 12 w^2/5, wherever its marks have come to. */
static void test_a_disc_rolls_upright_where_it_is_fast_enough(void **state)
{
    (void)state;
    static const char model[] = GRAVITY
        "[parameters]\nw = 3\nturned = 0\n[[element]]\nname = 'disc'\ntype = 'rigid_body'\nmass = 2\n"
        "inertia = [0.125, 0.25, 0.125]\nposition = [0, 0, 0.5]\nvelocity = ['0.5*w', 0, 0]\n"
        "angular_velocity = [0, 'w', 0]\nrotation = { axis = [0, 1, 0], angle = 'turned' }\n[[element]]\n"
        "name = 'floor'\ntype = 'rolling_disc_constraint'\nmarkers = ['ground', 'disc']\ndisc_radius = 0.5\n"
        "disc_axis = [0, 1, 0]\n" EIGEN("");
    for (int k = 0; k < 3; k++) {
        const modes *m = find_modes(model, TN_WORDS("--set", tn_format("parameters.turned=%g", 1.3 * k)));
        assert_int_equal(m->count, 7);
        check_number("imaginary part", m->im[6], sqrt(2.4 * 9 - 1.6 * 9.81), 1e-12);
        check_absolute("real part", m->re[6], 0.0, 1e-12);
    }
    const modes *m = find_modes(model, TN_WORDS("--set", "parameters.w=2"));
    assert_int_equal(m->count, 8);
    check_number("falling over", fmax(m->re[6], m->re[7]), sqrt(1.6 * 9.81 - 2.4 * 4), 1e-12);
}

/* A conical pendulum at an angle t: w^2 = g/(l cos t), and it swings about that by w sqrt(1 + 3 cos^2 t). */
static const char *conical(const char *velocity)
{
    return tn_format(
        GRAVITY "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = ['2*SIN(0.7)', 0, "
                "'-2*COS(0.7)']\nvelocity = %s\n[[element]]\nname = 'rod'\ntype = 'distance'\nlength = 2\n"
                "markers = ['ground', 'bob']\n" EIGEN(""),
        velocity);
}

static void test_steady_turning(void **state)
{
    (void)state;
    const double w = sqrt(9.81 / (2 * cos(0.7)));
    const char *model = conical(tn_format("[0, %.17g, 0]", w * 2 * sin(0.7)));
    const modes *m = find_modes(model, NULL);
    assert_int_equal(m->count, 3);
    check_number("imaginary part", m->im[2], w * sqrt(1 + 3 * cos(0.7) * cos(0.7)), 1e-10);
    assert_true(m->im[1] == 0.0 && m->re[1] == 0.0);
    tn_check_holds(run_to(model, 0, NULL).errors,
                   TN_WORDS(tn_format("the model turns steadily, by %.6g rad/s", w)));
    tn_check_holds(run_to(conical("[0, 1, 0]"), 1, NULL).errors,
                   TN_WORDS("away from an equilibrium, and from a steady motion", "the forces on it change"));
}

/* At its lowest point a pendulum has the acceleration of a steady turn about its pin. */
static void test_a_pendulum_only_seems_to_turn_steadily(void **state)
{
    (void)state;
    const char *model = GRAVITY
        "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = [0, 0, -2]\nvelocity = [1, 0, "
        "0]\n"
        "[[element]]\nname = 'rod'\ntype = 'distance'\nlength = 2\nmarkers = ['ground', 'bob']\n" EIGEN("");
    tn_check_holds(run_to(model, 1, NULL).errors,
                   TN_WORDS("as in a steady motion, but the forces on it change"));
    tn_check_holds(run_to(model, 0, TN_WORDS("--set", "solver.0.force=true")).errors,
                   TN_WORDS("the motion is not steady"));
}

/* A rotor with two different moments of inertia: its axes do not stand still. */
static void test_equations_that_change_are_told(void **state)
{
    (void)state;
    const char *model = "[[element]]\nname = 'r'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 2, 2.5]\n"
                        "angular_velocity = [0, 0, 3]\n" EIGEN("");
    tn_check_holds(run_to(model, 0, NULL).errors,
                   TN_WORDS("the linearised equations change along the motion"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bicycles),
                                       cmocka_unit_test(test_eigenvalues_do_not_turn_with_wheels),
                                       cmocka_unit_test(test_a_disc_rolls_upright_where_it_is_fast_enough),
                                       cmocka_unit_test(test_steady_turning),
                                       cmocka_unit_test(test_a_pendulum_only_seems_to_turn_steadily),
                                       cmocka_unit_test(test_equations_that_change_are_told)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
