/* test_limits.c - models that are far too large, deep or long: an error with a name and a place, and no waiting */
#include "harness.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOLVER "[solver]\ntype = 'rk'\nend_time = 1e-3\nstep = 1e-3\n"
#define MASS "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"

/* The text of a file while it is written line by line. */
static const char *written(const char *name, const char *begin, int count, const char *line(int k),
                           const char *end)
{
    tn_text text = {0};
    tn_text_add(&text, "%s", begin);
    for (int k = 0; k < count; k++)
        tn_text_add(&text, "%s", line(k));
    tn_text_add(&text, "%s", end);
    const char *path = tn_write(name, text.letters);
    tn_free(text.letters);
    return path;
}

static const char *line_of(const char *format, int a, int b)
{
    static char line[200];
    (void)snprintf(line, sizeof line, format, a, b);
    return line;
}

static void check_refused(const char *path, const char *error)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", path));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS(error));
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

enum { CHAIN = 30000 };

static const char *parameter(int k)
{
    const int number = CHAIN - k; /* each reads the next one in the file */
    return number == 1 ? "p0 = 1\n"
                       : line_of("p%d = '((((((((((p%d + 1))))))))))'\n", number - 1, number - 2);
}

static void test_parameters_are_evaluated_however_long_their_chain_is(void **state)
{
    (void)state;
    const char *model =
        written("chain.toml", "[parameters]\n", CHAIN, parameter,
                tn_format("[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = ['p%d', 0, 0]\n"
                          "[[sensor]]\nname = 'x'\nelement = 'm'\noutput = 'position'\n" SOLVER,
                          CHAIN - 1));
    const char *out = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--out", out)).status, 0);
    assert_true(tn_value_at(tn_sensors(out), "x.x", 0.0) == CHAIN);
}

static void test_a_long_circle_of_parameters_is_told_once(void **state)
{
    (void)state;
    const char *model = written("circle.toml", tn_format("[parameters]\np%d = 'p0'\n", CHAIN), CHAIN - 1,
                                parameter, tn_format("p0 = 'p%d'\n" SOLVER, CHAIN));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("circle.toml:", "depends on itself"));
    tn_check_one_message(outcome.errors);
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

static void test_repeats_have_a_most(void **state)
{
    (void)state;
    check_refused(tn_write("count.toml", "[[repeat]]\ncount = 999999999\n[[repeat.element]]\nname = 'm_{i}'\n"
                                         "type = 'mass_point'\nmass = 1\n" SOLVER),
                  "count.toml:2:9: error: `count` is an integer from 0 to 10000000, not 999999999");
    static const char *const inner[] = {
        "[[repeat.repeat.element]]\nname = 'm_{i}_{j}'\ntype = 'mass_point'\nmass = 1\n",
        "[[repeat.repeat.element]]\nname = 'm_{i}_{j}'\nwhen = 'i < 0'\ntype = 'mass_point'\nmass = 1\n",
        "[[repeat.repeat.signal]]\nname = 'm_{i}_{j}'\nx = [0, 1]\ny = [0, 1]\n"};
    static const char *const counts[] = {"100000", "'100000 + i - i'"};
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
            check_refused(
                tn_write("nest.toml", tn_format("[[repeat]]\ncount = 100000\n[[repeat.repeat]]\ncount = %s\n"
                                                "variable = 'j'\n%s" SOLVER,
                                                counts[c], inner[k])),
                "error: the model has more than 10000000 elements, markers, signals, sensors "
                "and changes");
}

static void test_parts_that_double_themselves_come_to_an_end(void **state)
{
    (void)state;
    enum { DEPTH = 40 };
    for (int k = 0; k < DEPTH; k++)
        (void)tn_write(tn_format("d%d.toml", k),
                       tn_format("[[part]]\nname = 'a'\nfile = 'd%d.toml'\n[[part]]\nname = 'b'\n"
                                 "file = 'd%d.toml'\n%s",
                                 k + 1, k + 1, k ? "" : SOLVER));
    (void)tn_write(tn_format("d%d.toml", DEPTH), MASS);
    check_refused(tn_scratch_path("d0.toml"), "error: a model has at most 100000 parts");
}

/* ---- what is no file ------------------------------------------------------------------------------------- */

static void check_no_file(const char *path, const char *what)
{
    check_refused(path, tn_format("%s: error: cannot read: %s", path, what));
    check_refused(tn_write("include.toml", tn_format("[include]\nfiles = ['%s']\n" SOLVER, path)),
                  tn_format("include.toml:2:10: error: `%s`: cannot read: %s", path, what));
    check_refused(tn_write("part.toml", tn_format("[[part]]\nname = 'a'\nfile = '%s'\n" SOLVER, path)),
                  tn_format("part.toml:3:8: error: `%s`: cannot read: %s", path, what));
    check_refused(tn_write("signal.toml",
                           tn_format("[[signal]]\nname = 'a'\nfile = '%s'\ncolumns = [0, 1]\n" SOLVER, path)),
                  tn_format("signal.toml:3:8: error: `%s`: cannot read: %s", path, what));
}

static void test_what_is_no_file_is_not_waited_for(void **state)
{
    (void)state;
    const char *fifo = tn_scratch_path("fifo"), *folder = tn_scratch_path("folder");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    check_no_file(fifo, "it is a FIFO, not a file");
    check_no_file(folder, "Is a directory");
    check_no_file("/dev/zero", "it is a device, not a file");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = tn_scratch_path("socket");
    const int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(connection >= 0 && strlen(name) < sizeof address.sun_path);
    strcpy(address.sun_path, name);
    assert_int_equal(bind(connection, (const struct sockaddr *)&address, sizeof address), 0);
    check_no_file(name, "it is a socket, not a file");
    (void)close(connection);
}

static void test_results_are_written_into_files(void **state)
{
    (void)state;
    const char *model = tn_write("out.toml", MASS SOLVER), *out = tn_scratch_path("results");
    assert_int_equal(mkdir(out, 0700), 0);
    assert_int_equal(mkfifo(tn_format("%s/.run.toml.part", out), 0600), 0);
    assert_int_equal(mkfifo(tn_format("%s/sensors.csv", out), 0600), 0);
    tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--out", out));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("results/sensors.csv is a FIFO"));
    outcome = tn_tenon(TN_WORDS("run", model, "--out", tn_format("%s/sensors.csv", out)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("results/sensors.csv cannot be made: Not a directory"));
}

/* ---- size ------------------------------------------------------------------------------------------------ */

static const char *wrong_type(int k)
{
    return line_of("[[element]]\nname = 'w%d'\ntype = 'mass_pint%d'\nmass = 1\n", k, k);
}

static const char *wrong_argument(int k)
{
    return line_of("[[sensor]]\nname = 's%d'\nexpression = 'DX(n%d)'\n", k, k);
}

static const char *center(int k)
{
    return line_of("[[marker]]\nname = 'c%d'\ntype = 'center'\nmarkers = ['c%d', 'm']\n", k + 1, k);
}

static const char *unknown_function(int k)
{
    return line_of("[[sensor]]\nname = 's%d'\nexpression = 'foo%d(1)'\n", k, k);
}

static const char *unused_parameter(int k) { return line_of("p%d = %d\n", k, k); }

static const char *unknown_name(int k)
{
    return line_of("[[sensor]]\nname = 's%d'\nexpression = 'q%d + time'\n", k, k);
}

static const char *same_change(int k)
{
    return line_of("[[change]]\ntime = 0.5\nelement = 'm'\nparameter = 'gravity_scale'\nvalue = %d\n", k, k);
}

static const char *mass(int k)
{
    return line_of("[[element]]\nname = 'n%d'\ntype = 'mass_point'\nmass = %d\n", k, k + 1);
}

static const char *setting(int k) { return line_of("'element.n%d.mass' = %d\n", k, k + 2); }

static const char *wrong_setting(int k) { return line_of("'element.q%d.mass' = %d\n", k, k + 2); }

/* Each rides on one more body than the one before. */
static const char *collector(int k)
{
    return line_of("[[element]]\nname = 'm%d'\ntype = 'mass_point'\nmass = 1\n[[marker]]\nname = 'c%1$d'\n"
                   "type = 'center'\nmarkers = ['c%2$d', 'm%1$d']\n",
                   k + 1, k);
}

/* The time limit of the tests is generous: what grows with the square of these numbers takes minutes, or all memory. */
static void test_mistakes_and_chains_cost_as_much_as_there_are(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip(); /* which takes a minute by itself */
    check_refused(written("types.toml", MASS, 100000, wrong_type, SOLVER), "... and 99990 more of this kind");
    check_refused(written("arguments.toml", MASS, 100000, wrong_argument, SOLVER),
                  "... and 99990 more of this kind");
    check_refused(written("functions.toml", MASS, 100000, unknown_function, SOLVER),
                  "... and 99990 more of this kind");
    const char *parameters = written("list.toml", "[parameters]\n", 30000, unused_parameter, "");
    check_refused(written("names.toml", tn_format("[include]\nfiles = ['%s']\n" MASS, parameters), 30000,
                          unknown_name, SOLVER),
                  "... and 29990 more of this kind");
    check_refused(written("changes.toml", MASS, 30000, same_change, SOLVER),
                  "... and 29989 more of this kind");
    (void)written("masses.toml", "", 30000, mass, "");
    const char *part = "[[part]]\nname = 'p'\nfile = 'masses.toml'\n[part.set]\n";
    check_refused(written("wrong_set.toml", part, 30000, wrong_setting, SOLVER),
                  "... and 29990 more of this kind");
    assert_int_equal(tn_tenon(TN_WORDS("check", written("set.toml", part, 30000, setting, SOLVER))).status,
                     0);
    const char *centers = written(
        "centers.toml", MASS "[[marker]]\nname = 'c0'\ntype = 'center'\nmarkers = ['m', 'ground']\n", 50000,
        center, "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['c50000']\nvalue = [1, 0, 0]\n" SOLVER);
    assert_int_equal(tn_tenon(TN_WORDS("check", centers)).status, 0);
}

static void test_markers_of_others_have_a_most(void **state)
{
    (void)state;
    check_refused(written("collectors.toml",
                          MASS "[[marker]]\nname = 'c0'\ntype = 'center'\nmarkers = ['m', 'ground']\n", 3000,
                          collector, SOLVER),
                  "error: markers that are made of others depend on more than 4000000 bodies");
}

static const char *doubled(int k)
{
    return line_of("[[marker]]\nname = 'c%d'\ntype = 'center'\nmarkers = ['c%d', 'c%2$d']\n", k + 1, k);
}

/* 2^60 ways lead from the force to the mass; half of it arrives there. */
static void test_forces_find_their_way_through_markers_of_markers(void **state)
{
    (void)state;
    const char *model =
        written("ways.toml", MASS "[[marker]]\nname = 'c0'\ntype = 'center'\nmarkers = ['m', 'ground']\n", 60,
                doubled,
                "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['c60']\nvalue = [3, 0, 0]\n"
                "[[sensor]]\nname = 's'\nexpression = 'FX(m)'\n" SOLVER);
    const char *out = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--out", out)).status, 0);
    assert_true(tn_value_at(tn_sensors(out), "s", 0.0) == 1.5);
}

static void test_many_files_are_included(void **state)
{
    (void)state;
    enum { FILES = 2000 };
    tn_text list = {0};
    for (int k = 0; k < FILES; k++) {
        (void)tn_write(tn_format("i%d.toml", k),
                       tn_format("[[element]]\nname = 'm%d'\ntype = 'mass_point'\nmass = 1\n", k));
        tn_text_list(&list, tn_format("'i%d.toml'", k));
    }
    const char *model = tn_write("all.toml", tn_format("[include]\nfiles = [%s]\n" SOLVER, list.letters));
    tn_free(list.letters);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.output, TN_WORDS("elements and markers: 2000\n"));
}

static void test_a_circle_of_markers_is_told_where_forces_are_measured(void **state)
{
    (void)state;
    check_refused(tn_write("markers.toml", MASS
                           "[[marker]]\nname = 'a'\ntype = 'center'\nmarkers = ['b', 'm']\n"
                           "[[marker]]\nname = 'b'\ntype = 'center'\nmarkers = ['a', 'm']\n"
                           "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['a']\nvalue = [1, 0, 0]\n"
                           "[[sensor]]\nname = 's'\nexpression = 'FX(m)'\n" SOLVER),
                  "`a` is made of `b`, `b` of `a`: a marker cannot be made of itself");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_are_evaluated_however_long_their_chain_is),
        cmocka_unit_test(test_a_long_circle_of_parameters_is_told_once),
        cmocka_unit_test(test_repeats_have_a_most),
        cmocka_unit_test(test_parts_that_double_themselves_come_to_an_end),
        cmocka_unit_test(test_what_is_no_file_is_not_waited_for),
        cmocka_unit_test(test_results_are_written_into_files),
        cmocka_unit_test(test_mistakes_and_chains_cost_as_much_as_there_are),
        cmocka_unit_test(test_markers_of_others_have_a_most),
        cmocka_unit_test(test_forces_find_their_way_through_markers_of_markers),
        cmocka_unit_test(test_many_files_are_included),
        cmocka_unit_test(test_a_circle_of_markers_is_told_where_forces_are_measured),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
