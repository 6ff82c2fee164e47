/* test_data.c - discrete data in whole runs: a torsional spring counts turns from one accepted step to the next,
 * a contact switches */
#include "harness.h"
#include "system/data.h"

#include <math.h>

/* A rotor of 1 kg m^2 on a spring of 1 N m/rad: angle = speed sin(t), so a speed of 6 pi makes three turns. */
#define ROTOR(name, speed, more)                                                                       \
    "[[element]]\nname = 'rotor" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"        \
    "angular_velocity = [0, 0, '" speed "']\n"                                                         \
    "[[element]]\nname = 'spring" name                                                                 \
    "'\ntype = 'torsional_spring_damper'\nmarkers = ['ground', 'rotor" name "']\nstiffness = 1\n" more \
    "[[sensor]]\nname = 'angle" name "'\nelement = 'spring" name "'\noutput = 'angle'\n"               \
    "[[sensor]]\nname = 'torque" name "'\nelement = 'spring" name "'\noutput = 'torque_local'\n"
#define ENERGY "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"
#define SOLVER(type, step) "[solver]\ntype = '" type "'\nend_time = 'pi'\nstep = " step "\n"
#define EVERY_TENTH "[output]\ninterval = 'pi/10'\n"

static const double pi = 3.14159265358979323846;

static void check_turns(const tn_csv_table *result, const char *name, double speed, double stiffness,
                        double tolerance)
{
    for (int k = 0; k <= 10; k++) {
        const double t = 0.1 * k * pi, angle = stiffness > 0.0 ? speed * sin(t) : speed * t;
        const double got = tn_value_at(result, tn_format("angle%s", name), t);
        if (!(fabs(got - angle) <= tolerance))
            fail_msg("angle%s(%g) is %.12g, not %.12g", name, t, got, angle);
        assert_true(fabs(tn_value_at(result, tn_format("torque%s", name), t) - stiffness * angle) <=
                    tolerance);
    }
}

/* Of three in one batch each counts for itself, the one that is not active, too. */
#define THREE \
    ROTOR("_far", "6*pi", "") ROTOR("_near", "-1", "") ROTOR("_free", "-5", "active = false\n") ENERGY

static void test_a_rotor_turns_three_times_and_back(void **state)
{
    (void)state;
    static const char *const models[] = {THREE SOLVER("rk", "'pi/1000'") EVERY_TENTH,
                                         THREE SOLVER("generalized_alpha", "'pi/10000'") EVERY_TENTH};
    static const double tolerance[] = {1e-6, 1e-4};
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *result = tn_simulate(models[k], NULL);
        check_turns(result, "_far", 6 * pi, 1.0, tolerance[k]);
        check_turns(result, "_near", -1.0, 1.0, tolerance[k]);
        check_turns(result, "_free", -5.0, 0.0, tolerance[k]);
        const double start = tn_value_at(result, "energy", 0.0);
        assert_true(fabs(start - 0.5 * (36 * pi * pi + 1 + 25)) <= 1e-9);
        assert_true(fabs(tn_value_at(result, "energy", 0.5 * pi) - start) <= 40 * tolerance[k]);
    }
}

/* More instances than are handled together: each finds the data of its own. */
static void test_many_instances_have_data_of_their_own(void **state)
{
    (void)state;
    static const char model[] =
        "[[repeat]]\ncount = 300\n"
        "[[repeat.element]]\nname = 'rotor{i}'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
        "angular_velocity = [0, 0, '0.05*i']\n"
        "[[repeat.element]]\nname = 'spring{i}'\ntype = 'torsional_spring_damper'\n"
        "markers = ['ground', 'rotor{i}']\nstiffness = 1\n"
        "[[repeat.sensor]]\nname = 'angle{i}'\nelement = 'spring{i}'\noutput = 'angle'\n" ENERGY SOLVER(
            "generalized_alpha", "'pi/200'") "spectral_radius = 1\n" EVERY_TENTH;
    const tn_csv_table *result = tn_simulate(model, NULL);
    const double start = tn_value_at(result, "energy", 0.0);
    for (int i = 0; i < 300; i++) {
        const double angle = tn_value_at(result, tn_format("angle%d", i), 0.5 * pi);
        assert_true(fabs(angle - 0.05 * i) <= 1e-3 * (1 + 0.05 * i));
    }
    assert_true(fabs(tn_value_at(result, "energy", 0.5 * pi) - start) <= 1e-6 * start);
}

/* What an update has found is kept from the accepted step on, and forgotten with a rejected one. */
static void test_data_go_back_to_those_of_the_last_accepted_step(void **state)
{
    (void)state;
    tn_world world;
    double error = 0.0, step = 0.0;
    tn_world_open(&world,
                  "[[element]]\nname = 'disc'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                  "position = [0, 0, 0.19]\nvelocity = [0, 0, -2]\n"
                  "[[element]]\nname = 'roll'\ntype = 'rolling_disc'\nmarkers = ['ground', 'disc']\n"
                  "disc_radius = 0.2\ncontact_stiffness = 1000\n" SOLVER("rk", "0.1"),
                  NULL, NULL);
    tn_system *system = world.system;
    const double *gap = world.assembly->data->now + 2;
    assert_int_equal(system->switching, 1);
    assert_int_equal(system->update(system, 0.1, &error, &step), TN_OK);
    assert_true(fabs(error - 10.0) <= 1e-9 && fabs(step - (0.1 - 0.01 / 2.0)) <= 1e-12);
    assert_true(fabs(*gap + 0.01) <= 1e-12);
    system->restore_data(system);
    assert_true(*gap == 0.0);

    // held as open there is no force; kept as closed there is
    system->frozen = 1;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_true(system->force[2] == 0.0);
    assert_int_equal(system->update(system, 0.1, &error, &step), TN_OK);
    tn_data_keep(world.assembly);
    system->q[2] = 0.5;
    assert_int_equal(system->update(system, 0.1, &error, &step), TN_OK);
    assert_true(fabs(*gap - 0.3) <= 1e-12 && step == 0.0);
    system->restore_data(system);
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_true(fabs(system->force[2] + 300.0) <= 1e-9);
    system->frozen = 0;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_true(system->force[2] == 0.0);
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rotor_turns_three_times_and_back),
        cmocka_unit_test(test_data_go_back_to_those_of_the_last_accepted_step),
        cmocka_unit_test(test_many_instances_have_data_of_their_own),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
