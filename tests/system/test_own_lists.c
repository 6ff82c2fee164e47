/* test_own_lists.c - units, outputs and coordinates that an element has by its parameters */
#include "harness.h"

#include <math.h>
#include <stdio.h>

static const char *plugin(void)
{
    static char path[4096];
    if (path[0] == '\0') (void)snprintf(path, sizeof path, "%s", tn_build_test_plugin("ropes"));
    return path;
}

static const char *ropes(const char *more)
{
    return tn_format(
        "[plugins]\nrope = '%s'\nmeter = '%s'\n"
        "[[element]]\nname = 'short'\ntype = 'rope'\ncount = 1\n"
        "[[element]]\nname = 'long'\ntype = 'rope'\ncount = 4\n"
        "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = [3, 0, 0]\n"
        "velocity = [2, 0, 0]\n"
        "[[element]]\nname = 'ruler'\ntype = 'meter'\ncount = 3\nmarkers = ['ground', 'ball']\n%s"
        "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
        plugin(), plugin(), more);
}

static const char *failure_of(const char *more)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("model.toml", ropes(more)), "--trust",
                                                 "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_not_equal(outcome.status, 0);
    return outcome.errors;
}

static void sensors_know_the_outputs_of_their_element(void **state)
{
    (void)state;
    const char *more = "[[sensor]]\nname = 'p'\nelement = 'long'\noutput = 'position_3'\n"
                       "[[sensor]]\nname = 's'\nelement = 'long'\noutput = 'speeds'\n"
                       "[[sensor]]\nname = 'v'\nelement = 'short'\noutput = 'speeds'\n";
    const tn_csv_table *table = tn_simulate(ropes(more), TN_WORDS("--trust"));
    assert_int_equal(table->columns, 1 + 1 + 4 + 1);
    assert_true(fabs(tn_value_at(table, "p", 1.0) - 4.4) < 1e-12);
    assert_true(fabs(tn_value_at(table, "s.3", 1.0) - 0.4) < 1e-12);
    assert_true(fabs(tn_value_at(table, "v", 1.0) - 0.1) < 1e-12);
}

static void an_output_of_another_instance_is_refused(void **state)
{
    (void)state;
    tn_check_holds(failure_of("[[sensor]]\nname = 'p'\nelement = 'short'\noutput = 'position_1'\n"),
                   TN_WORDS("rope has no output `position_1`: did you mean `position_0`?"));
}

static void a_list_that_is_not_complete_is_refused(void **state)
{
    (void)state;
    const char *more = "[[element]]\nname = 'bad'\ntype = 'rope'\nwrong = true\n"
                       "[[sensor]]\nname = 'p'\nelement = 'bad'\noutput = 'speeds'\n";
    tn_check_holds(failure_of(more),
                   TN_WORDS("the outputs of `bad`, by its type rope:", "furlong", "(plugin "));
}

static void names_that_were_to_be_fixed_are_refused(void **state)
{
    (void)state;
    const char *more = tn_format("[plugins]\nrope = '%s'\nmeter = '%s'\ncord = '%s'\n"
                                 "[[element]]\nname = 'bad'\ntype = 'cord'\n"
                                 "[[sensor]]\nname = 'p'\nelement = 'bad'\noutput = 'speeds'\n"
                                 "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                                 plugin(), plugin(), plugin());
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", tn_write("model.toml", more), "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("the outputs of `bad`, by its type cord: \"position_0\" is not "
                                            "among the outputs of the type, whose names are fixed"));
}

/* Lengths are measured against the size of the model, angles against 1 rad. */
static void coordinates_have_the_units_of_their_element(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  ropes("[[sensor]]\nname = 'l'\nexpression = 'COORD(long, 3)'\n"
                        "[[sensor]]\nname = 'a'\nexpression = 'RATE(long, 4)'\n"),
                  NULL, NULL);
    const tn_assembly *assembly = world.assembly;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        if (strcmp(group->type->name, "rope") != 0) continue;
        for (uint32_t i = 0; i < nv; i++) {
            const double scale = assembly->scale[group->v_start + i];
            assert_true(i + 1 < nv ? scale > 1.5 : scale == 1.0);
        }
    }
    assert_string_equal(world.model->sensor[0].unit, "m");
    assert_string_equal(world.model->sensor[1].unit, "rad/s");
    tn_world_close(&world);
}

static void markers_ride_on_coordinates_of_their_connector(void **state)
{
    (void)state;
    const char *sensor = "[[sensor]]\nname = 'd'\nexpression = 'COORD(ruler, times_3)'\n";
    const tn_csv_table *table = tn_simulate(ropes(sensor), TN_WORDS("--trust"));
    assert_true(fabs(tn_value_at(table, "d", 1.0) - 15.0) < 1e-12);
    tn_check_holds(failure_of("[[sensor]]\nname = 'd'\nexpression = 'COORD(ruler, times_4)'\n"),
                   TN_WORDS("it has no coordinate `times_4`", "(available: times_1, times_2, times_3)"));
    tn_check_holds(failure_of("[[sensor]]\nname = 'd'\nexpression = 'COORD(ruler)'\n"),
                   TN_WORDS("`coordinate` must name one of its coordinates (times_1, times_2, times_3)"));
}

static void descriptions_say_that_elements_differ(void **state)
{
    (void)state;
    (void)plugin();
    const tn_outcome outcome = tn_tenon(TN_WORDS("describe", "ropes", "--plugin-path", tn_scratch_path(".")));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    tn_check_holds(
        outcome.output,
        TN_WORDS("speeds [m/s]", "the outputs and coordinates of an element may depend on its parameters"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sensors_know_the_outputs_of_their_element),
                                       cmocka_unit_test(an_output_of_another_instance_is_refused),
                                       cmocka_unit_test(a_list_that_is_not_complete_is_refused),
                                       cmocka_unit_test(names_that_were_to_be_fixed_are_refused),
                                       cmocka_unit_test(coordinates_have_the_units_of_their_element),
                                       cmocka_unit_test(markers_ride_on_coordinates_of_their_connector),
                                       cmocka_unit_test(descriptions_say_that_elements_differ)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
