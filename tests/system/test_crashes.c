/* test_crashes.c - a crash in a plugin ends the program with status 1 and names what crashed; results stay whole */
#define _GNU_SOURCE
#include "recordings.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *plugin; /* crashing.so */

/* NAME.so from tests/system/plugins/crashing.c; its path. */
static const char *build(const char *name, const char *definitions)
{
    const char *path = tn_scratch_path(tn_format("%s.so", name));
    const tn_outcome outcome = tn_await(tn_start(
        "sh",
        TN_WORDS("-c", tn_format("cc -std=gnu17 -g -fPIC -fvisibility=hidden -shared -I " TENON_SOURCE_DIR
                                 "/sdk/include %s " TENON_SOURCE_DIR
                                 "/tests/system/plugins/crashing.c -o %s -lpthread",
                                 definitions, path))));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return path;
}

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    plugin = build("crashing", "");
    return 0;
}

/* ---- models that crash ----------------------------------------------------------------------------------- */

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
#define CULPRIT(name, more) \
    "[[element]]\nname = '" name "'\ntype = 'crashing'\nmarkers = ['mass']\n" more "\n"
#define SENSOR "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
#define CLOCK "[[sensor]]\nname = 'clock'\nelement = 'culprit'\noutput = 'clock'\n"
#define SOLVER(type) "[solver]\ntype = '" type "'\nend_time = 1\nstep = 0.01\n"

/* The file of a model in which all types that crash come from the plugin; `model` begins at line 6. */
static const char *write_model(const char *model)
{
    static const char *const types[] = {"crashing_body", "crashing_marker", "crashing_solver",
                                        "crashing_linear", "crashing_writer"};
    const char *text = tn_format("[plugins]\ncrashing = '%s'\n", plugin);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strstr(model, types[k])) text = tn_format("%s%s = '%s'\n", text, types[k], plugin);
    return tn_write("model.toml", tn_format("%s%s", text, model));
}

/* Standard error is one line, which holds the words and names the file of the plugin. */
static void check_message(tn_outcome outcome, const char *const *words)
{
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("error: ", plugin));
    tn_check_holds(outcome.errors, words);
    assert_ptr_equal(strchr(outcome.errors, '\n'), outcome.errors + strlen(outcome.errors) - 1);
}

/* Runs a model that must crash; `rows` is how many the results must keep. */
static void check_run(const char *model, size_t rows, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", write_model(model), "--trust", "--quiet", "--out", results));
    check_message(outcome, TN_WORDS("the simulation failed at time ", "plugin crash_tests 1.2.3, ",
                                    tn_format("; results so far are in %s\n", results)));
    tn_check_holds(outcome.errors, words);

    const char *text = tn_read(tn_format("%s/sensors.csv", results));
    assert_true(text[0] && text[strlen(text) - 1] == '\n');
    assert_int_equal(tn_sensors(results)->rows, rows);
    tn_recording *recording = tn_record_open(results);
    assert_int_equal(recording->table[0].rows, rows);
    assert_int_equal(recording->time_reached > 0.0, rows > 1);
    tn_recording_close(recording);

    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(tn_run_text(results, "run.reason"), words);
    assert_int_not_equal(access(tn_format("%s/.run.toml.part", results), F_OK), 0);
}

/* ---- ways to crash --------------------------------------------------------------------------------------- */

/* The first evaluation after 0.055 s is that of the step to 0.06 s. */
#define WAY(way) \
    MASS CULPRIT("culprit", "time = 0.055\nway = '" way "'") SENSOR CLOCK SOLVER("generalized_alpha")
#define FORCE_OF_CULPRIT "in force of element crashing `culprit` (", "model.toml:8:1)", "at time 0.06 s: "

static void test_wrong_pointer(void **state)
{
    (void)state;
    check_run(WAY("pointer"), 6, TN_WORDS("SIGSEGV (memory access at 0x10) ", FORCE_OF_CULPRIT));
}

static void test_division_by_zero(void **state)
{
    (void)state;
    check_run(WAY("division"), 6, TN_WORDS("SIGFPE (integer division by zero) ", FORCE_OF_CULPRIT));
}

static void test_abort(void **state)
{
    (void)state;
    check_run(WAY("abort"), 6, TN_WORDS("SIGABRT (abort) ", FORCE_OF_CULPRIT));
}

static void test_illegal_instruction(void **state)
{
    (void)state;
    check_run(WAY("instruction"), 6, TN_WORDS("SIGILL (illegal instruction at 0x", FORCE_OF_CULPRIT));
}

static void test_stack_overflow(void **state)
{
    (void)state;
    check_run(WAY("recursion"), 6, TN_WORDS("SIGSEGV (stack overflow) ", FORCE_OF_CULPRIT));
}

/* A thread that a plugin has started crashes in the call that waits for it. */
static void test_thread_of_a_plugin(void **state)
{
    (void)state;
    check_run(WAY("thread"), 6, TN_WORDS("SIGSEGV (memory access at 0x20) ", FORCE_OF_CULPRIT));
}

/* A file that is mapped and then cut: an access behind its end. */
static void test_bus_error(void **state)
{
    (void)state;
    check_run(WAY("bus"), 6, TN_WORDS("SIGBUS (memory access at 0x", FORCE_OF_CULPRIT));
}

/* The library has lost its name: the report ends there, and the run is marked as failed all the same. */
static void test_memory_of_the_report_is_damaged(void **state)
{
    (void)state;
    if (TN_THREADS_SANITIZED)
        skip(); /* a second crash, within the handler of the first one, is not handed on */
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", write_model(WAY("damage")), "--trust", "--quiet", "--out", results));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(
        outcome.errors,
        TN_WORDS("failed at time 0.06 s: SIGSEGV (memory access at 0x10) in force of element crashing "
                 "`culprit` (",
                 "plugin ... (the crash has damaged the rest of this report)", results));
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    assert_int_equal(tn_sensors(results)->rows, 6);
}

/* The same report as an object of JSON; a quote in the path of the results does not end its text. */
static void test_report_in_json(void **state)
{
    (void)state;
    const char *results = tn_scratch_path("a \"quoted\" directory");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", write_model(WAY("pointer")), "--trust", "--out",
                                                 results, "--message-format", "json"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(
        outcome.errors,
        TN_WORDS("{\"severity\": \"error\", \"text\": \"the simulation failed at time 0.06 s: SIGSEGV",
                 plugin, "; results so far are in ", "/a \\\"quoted\\\" directory\"}\n"));
    assert_int_equal(outcome.errors[0], '{');
    assert_ptr_equal(strstr(outcome.errors, "}\n"), outcome.errors + strlen(outcome.errors) - 2);
}

/* ---- places of a crash in a run -------------------------------------------------------------------------- */

static void test_one_of_several_instances(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("first", "place = 'output'") CULPRIT("second", "time = 0.055")
                  CULPRIT("third", "place = 'output'") SENSOR SOLVER("rk"),
              6,
              TN_WORDS("at time 0.055 s: ", "in force of element crashing, in one of 3 instances; plugin"));
}

static void test_tangent(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("culprit", "place = 'tangent'") SENSOR SOLVER("generalized_alpha"), 1,
              TN_WORDS("in force_tangent of element crashing `culprit`"));
}

static void test_output(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("other", "time = 9")
                  CULPRIT("culprit", "place = 'output'\ntime = 0.055\nway = 'abort'")
                      SENSOR CLOCK SOLVER("rk"),
              6, TN_WORDS("at time 0.06 s: SIGABRT", "in output of element crashing `culprit`"));
}

static void test_accepted_step(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("culprit", "place = 'accepted'\ntime = 0.055") SENSOR SOLVER("rk"), 6,
              TN_WORDS("at time 0.06 s: ", "in accepted of element crashing `culprit`"));
}

/* Elements and writers were called before, and have returned. */
static void test_solver(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("innocent", "time = 9") SENSOR SOLVER("crashing_solver"), 1,
              TN_WORDS("at time 0.25 s: ", "in advance of solver crashing_solver; plugin"));
}

static void test_linear_solver(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("innocent", "time = 9")
                  SENSOR SOLVER("generalized_alpha") "linear = 'crashing_linear'\n",
              1, TN_WORDS("in factor of linear crashing_linear; plugin"));
}

static void test_writer(void **state)
{
    (void)state;
    check_run(MASS CULPRIT("innocent", "time = 9")
                  SENSOR SOLVER("rk") "[output]\nwriters = ['csv', 'crashing_writer']\n",
              4, TN_WORDS("at time 0.03 s: ", "in row of writer crashing_writer; plugin"));
}

/* Whatever crashed, the model in run.toml is the one that was run. */
static void test_run_file_can_be_read_again(void **state)
{
    (void)state;
    const char *file = write_model(WAY("pointer"));
    assert_int_equal(tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--expanded", "--set",
                                       "solver.step=0.005", "--out", "again"))
                         .status,
                     1);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", "again/run.toml", "--trust"));
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    const char *results = tn_scratch_path("again");
    assert_true(tn_run_number(results, "solver.step") == 0.005);
    assert_true(tn_run_number(results, "run.end_time") == 0.055);
    assert_string_equal(tn_run_text(results, "run.solver"), "generalized_alpha");
}

/* ---- before a run ---------------------------------------------------------------------------------------- */

/* Both commands say the same, and leave no results. */
static void check_reading(const char *model, const char *const *words)
{
    const char *file = write_model(model), *results = tn_scratch_path(NULL);
    check_message(tn_tenon(TN_WORDS("check", file, "--trust")), words);
    check_message(tn_tenon(TN_WORDS("run", file, "--trust", "--out", results)), words);
    assert_int_not_equal(access(results, F_OK), 0);
}

static void test_prepare(void **state)
{
    (void)state;
    check_reading(MASS CULPRIT("other", "") CULPRIT("culprit", "place = 'prepare'") SOLVER("rk"),
                  TN_WORDS("error: SIGSEGV (memory access at 0x10) in prepare of element crashing `culprit`; "
                           "plugin crash_tests 1.2.3"));
}

static void test_bind(void **state)
{
    (void)state;
    check_reading("[[element]]\nname = 'mass'\ntype = 'crashing_body'\n" CULPRIT("other", "") SOLVER("rk"),
                  TN_WORDS("in bind of element crashing_body `mass`"));
}

static void test_local_pose(void **state)
{
    (void)state;
    check_reading("[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                  "[[marker]]\nname = 'mass'\ntype = 'crashing_marker'\nelement = 'm'\n" CULPRIT("other", "")
                      SOLVER("rk"),
                  TN_WORDS("in local_pose of marker crashing_marker `mass`"));
}

/* Whoever opens such a file names it. */
static void check_loading(const char *name, const char *definitions, const char *const *words)
{
    const char *folder = tn_scratch_path(name);
    assert_int_equal(mkdir(folder, 0700), 0);
    const char *usual = plugin;
    plugin = build(tn_format("%s/crashing", name), definitions);
    check_reading(MASS CULPRIT("culprit", "") SOLVER("rk"), words);
    check_message(tn_tenon(TN_WORDS("plugins", "--path", folder)), words);
    check_message(tn_tenon(TN_WORDS("describe", "crashing", "--plugin-path", folder)), words);
    plugin = usual;
}

static void test_library_that_crashes_when_it_is_loaded(void **state)
{
    (void)state;
    check_loading("at_loading", "-DAT_LOADING",
                  TN_WORDS("SIGSEGV (memory access at 0x10) in tn_plugin_library of plugin "));
}

static void test_library_with_wrong_tables(void **state)
{
    (void)state;
    check_loading("wrong_tables", "-DWRONG_TABLES",
                  TN_WORDS("SIGSEGV (memory access at 0x30) in the tables of plugin "));
}

/* ---- no plugin ------------------------------------------------------------------------------------------- */

/* `compare` waits for a file that is a pipe, in no call of a plugin. */
static void test_signal_from_outside(void **state)
{
    (void)state;
    const char *pipe_path = tn_scratch_path("pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("compare", pipe_path, pipe_path));
    const int file = open(pipe_path, O_WRONLY); /* waits for the reader */
    assert_true(file >= 0);
    assert_int_equal(kill(child.process, SIGSEGV), 0);
    const tn_outcome outcome = tn_await(child);
    (void)close(file);
    assert_int_equal(outcome.status, 1);
    assert_string_equal(
        outcome.errors,
        tn_format("error: SIGSEGV (sent by process %d) in no call of a plugin\n", (int)getpid()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_pointer),
        cmocka_unit_test(test_division_by_zero),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_illegal_instruction),
        cmocka_unit_test(test_stack_overflow),
        cmocka_unit_test(test_thread_of_a_plugin),
        cmocka_unit_test(test_bus_error),
        cmocka_unit_test(test_memory_of_the_report_is_damaged),
        cmocka_unit_test(test_report_in_json),
        cmocka_unit_test(test_one_of_several_instances),
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_accepted_step),
        cmocka_unit_test(test_solver),
        cmocka_unit_test(test_linear_solver),
        cmocka_unit_test(test_writer),
        cmocka_unit_test(test_run_file_can_be_read_again),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_bind),
        cmocka_unit_test(test_local_pose),
        cmocka_unit_test(test_library_that_crashes_when_it_is_loaded),
        cmocka_unit_test(test_library_with_wrong_tables),
        cmocka_unit_test(test_signal_from_outside),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}
