/* test_long_names.c - names, paths and texts of any length */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#define SOLVER "[solver]\ntype = 'generalized_alpha'\nend_time = 0.01\nstep = 0.005\n"

/* `count` times the letter. */
static const char *word(char letter, size_t count)
{
    char *letters = tn_new(count + 1, 1);
    memset(letters, letter, count);
    const char *kept = tn_format("%s", letters);
    tn_free(letters);
    return kept;
}

static void test_columns_are_called_as_sensors_and_elements_are(void **state)
{
    (void)state;
    const char *body = word('b', 5000), *sensor = word('s', 5000);
    const char *model = tn_write(
        "long.toml",
        tn_format("[[element]]\nname = '%s'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 0]\n"
                  "[[sensor]]\nname = '%s'\nelement = '%s'\noutput = 'position'\n"
                  "[[sensor]]\nname = 'way'\nexpression = 'DX(%s)'\n[output]\nstates = true\n" SOLVER,
                  body, sensor, body, body));
    const char *out = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--out", out)).status, 0);
    const tn_csv_table *table = tn_sensors(out);
    assert_true(tn_value_at(table, tn_format("%s.x", sensor), 0.0) == 2.0);
    assert_true(tn_value_at(table, "way", 0.01) == 2.0);
    tn_csv_table states;
    assert_true(tn_csv_read(tn_format("%s/states.csv", out), &states, stderr));
    assert_int_equal(states.columns, 1 + 3 + 3);
    assert_string_equal(states.name[1], tn_format("%s.q0", body));
    assert_string_equal(states.name[6], tn_format("%s.v2", body));
}

/* Each part adds its name to those of what it holds. */
static void test_names_of_parts_add_up(void **state)
{
    (void)state;
    enum { DEPTH = 12 };
    const char *name = word('p', 200), *full = "";
    for (int k = 0; k < DEPTH; k++) {
        (void)tn_write(tn_format("p%d.toml", k), tn_format("[[part]]\nname = '%s'\nfile = 'p%d.toml'\n%s",
                                                           name, k + 1, k ? "" : SOLVER));
        full = tn_format("%s%s.", full, name);
    }
    (void)tn_write(tn_format("p%d.toml", DEPTH),
                   "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                   "[[sensor]]\nname = 'x'\nelement = 'm'\noutput = 'position'\n");
    const char *out = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_scratch_path("p0.toml"), "--out", out, "--set",
                                                 tn_format("element.%sm.mass=3", full), "--set",
                                                 tn_format("element.%sm.position=[7, 0, 0]", full)));
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_true(tn_value_at(tn_sensors(out), tn_format("%sx.x", full), 0.0) == 7.0);
}

static void test_braces_give_names_of_any_length(void **state)
{
    (void)state;
    const char *begin = word('n', 3000);
    const tn_csv_table *table = tn_simulate(
        tn_format("[[repeat]]\ncount = 2\n[[repeat.element]]\nname = '%s{i}'\ntype = 'mass_point'\nmass = 1\n"
                  "position = ['i', 0, 0]\n[[repeat.sensor]]\nname = 's{i}'\nelement = '%s{i}'\n"
                  "output = 'position'\n" SOLVER,
                  begin, begin),
        NULL);
    assert_true(tn_value_at(table, "s1.x", 0.0) == 1.0);
}

static void test_overrides_set_what_they_name(void **state)
{
    (void)state;
    const char *name = word('k', 3000);
    const char *model = tn_write(
        "set.toml", tn_format("[parameters]\n%s = 1\n%sb = 1\n[[element]]\nname = 'm'\ntype = 'mass_point'\n"
                              "mass = 1\nposition = ['%s', '%sb', 0]\n[[sensor]]\nname = 'x'\nelement = 'm'\n"
                              "output = 'position'\n" SOLVER,
                              name, name, name, name));
    const char *out = tn_scratch_path(NULL);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", model, "--out", out, "--set", tn_format("parameters.%sb=5", name))).status,
        0);
    assert_true(tn_value_at(tn_sensors(out), "x.x", 0.0) == 1.0);
    assert_true(tn_value_at(tn_sensors(out), "x.y", 0.0) == 5.0);
}

/* Longer than paths of the system may be: nothing is made under a shorter name. */
static void test_a_path_that_is_too_long_is_refused(void **state)
{
    (void)state;
    const char *model =
        tn_write("path.toml", "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n" SOLVER);
    const char *out = tn_scratch_path("far");
    for (int k = 0; k < 50; k++)
        out = tn_format("%s/%s", out, word('d', 100));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--out", out));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("error: directory ", "cannot be made: File name too long"));
}

/* What a message repeats of a long name ends with dots. */
static void test_a_long_name_in_a_message_is_cut_visibly(void **state)
{
    (void)state;
    const char *name = word('q', 5000);
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("check", tn_write("cut.toml", tn_format("[[element]]\nname = 'm'\ntype = '%s'\n"
                                                         "[[sensor]]\nname = 's'\nexpression = '%s'\n" SOLVER,
                                                         name, name))));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("cut.toml:3:8: error: unknown element type `qqqq", "qqqq...\n",
                                            "cut.toml:6:15: error: unknown name `qqqq"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_called_as_sensors_and_elements_are),
        cmocka_unit_test(test_names_of_parts_add_up),
        cmocka_unit_test(test_braces_give_names_of_any_length),
        cmocka_unit_test(test_overrides_set_what_they_name),
        cmocka_unit_test(test_a_path_that_is_too_long_is_refused),
        cmocka_unit_test(test_a_long_name_in_a_message_is_cut_visibly),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
