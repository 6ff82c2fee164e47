/* test_bushing_newton.c - Newton's method with a new matrix in every iteration converges quadratically on a bushing whose
 * frames differ by 45 degrees */
#include "harness.h"

#include <math.h>

/* A body on a bushing; both in the axes of ground but for the second frame, which is turned by 45 degrees. */
#define BENT_BUSHING(motion, place, axis)                                                              \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.02, 0.03, 0.04]\n" motion \
    "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nstiffness = [20, 30, 40, 500, 600, 700]\n"   \
    "damping = [0.2, 0.3, 0.4, 5, 6, 7]\n"                                                             \
    "markers = ['ground', { element = 'body', position = " place ", rotation = { axis = " axis         \
    ", angle = '45 [deg]' } }]\n"

/* The largest numbers of what iterations took off the state. */
static double correction[16];
static size_t corrections;

static void note(const tn_system *system, const double *increment)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        largest = fmax(largest, fabs(increment[i]));
    assert_true(corrections < sizeof correction / sizeof *correction);
    correction[corrections++] = largest;
}

/* Each of the size of the square of the one before, down to round-off. */
static void check_squares(size_t first, double factor)
{
    assert_true(corrections >= first + 2 && correction[corrections - 1] <= 1e-10);
    for (size_t k = first; k + 1 < corrections; k++)
        if (!(correction[k + 1] <= fmax(factor * correction[k] * correction[k], 1e-14)))
            fail_msg("a correction of %.3g follows one of %.3g", correction[k + 1], correction[k]);
}

/* ---- at rest --------------------------------------------------------------------------------------------- */

/* The body is brought to where the bushing is free of force. */
static void test_equilibrium(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  BENT_BUSHING("position = [0.1, -0.2, 0.1]\n", "[0.05, 0.1, -0.08]",
                               "[1, 2, 1]") "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1\n",
                  NULL, NULL);
    tn_system *system = world.system;
    if (!world.plan.solver[0].linear.type) tn_plan_linear(world.model, &world.plan);
    tn_world_open_linear(&world);
    assert_non_null(system->pattern(system));
    double step[6];
    corrections = 0;
    do {
        assert_int_equal(system->evaluate(system), TN_OK);
        memcpy(step, system->force, sizeof step);
        assert_int_equal(system->matrix(system, 0.0, 0.0, 1.0), TN_OK);
        assert_int_equal(system->factor(system), TN_OK);
        assert_int_equal(system->solve(system, step), TN_OK);
        assert_int_equal(system->retract(system, system->q, step, system->q), TN_OK);
        note(system, step);
    } while (correction[corrections - 1] > 1e-13);
    assert_true(correction[0] > 0.5);
    check_squares(0, 2.0);
    tn_world_close(&world);
}

/* ---- steps of generalized_alpha -------------------------------------------------------------------------- */

static tn_status (*solve)(tn_system *system, double *right_hand_side);

static tn_status solve_and_note(tn_system *system, double *right_hand_side)
{
    const tn_status status = solve(system, right_hand_side);
    note(system, right_hand_side);
    return status;
}

/* From the start state on corrections are noted. */
static tn_status see(void *data, const tn_accepted_step *step)
{
    tn_system *system = data;
    (void)step;
    if (system->solve != solve_and_note) solve = system->solve;
    system->solve = solve_and_note;
    return TN_OK;
}

/* The body turns about one axis, for which the tangent of the exponential map is the identity: the solver leaves it out of
 * the matrix, knowingly. */
static void test_a_step(void **state)
{
    (void)state;
    for (double h = 0.02; h > 1e-3; h /= 2) {
        tn_world world;
        tn_world_open(
            &world,
            tn_format(
                BENT_BUSHING("velocity = [0.3, -0.2, 0]\nangular_velocity = [0, 0, 3]\n", "[0.05, 0.1, 0]",
                             "[0, 0, 1]") "[solver]\ntype = 'generalized_alpha'\nend_time = %g\nstep = %g\n"
                                          "newton = { jacobian = 'full', relative_tolerance = 1e-14 }\n",
                h, h),
            NULL, NULL);
        corrections = 0;
        assert_int_equal(tn_world_advance(&world, see, world.system), TN_OK);
        check_squares(1, 1.0); // the start solves once
        tn_world_close(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equilibrium), cmocka_unit_test(test_a_step)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
