/* test_checkpoints.c - runs that are ended at any moment, and go on from their last checkpoint: the results are those of a run that was
 * left alone, byte for byte
 *
 * tests/soak has the same with 200 kills. */
#define _GNU_SOURCE
#include "checkpoints.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static tn_random dice = {11};

/* ---- the same results ---------------------------------------------------------------------------------------- */

/* Killed or interrupted at any moment, a few times, until it comes to its end. */
static void check_model(const char *name, int kills)
{
    const char *model = tn_format(MODELS "%s.toml", name), *plain = tn_scratch_path(NULL),
               *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL);
    const char *const every = "output.checkpoint=0.01";
    const char *const run[] = {"run", model, "--plugin-path", ".", "--quiet", "--out"};
    assert_int_equal(tn_tenon(TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], plain)).status, 0);
    struct timespec begun, ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    const tn_outcome whole =
        tn_tenon(TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], right, "--set", every));
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_int_equal(whole.status, 0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", plain)),
                        tn_read(tn_format("%s/sensors.csv", right)));
    const double span =
        (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    bool begins = true;
    for (int k = 0; k <= kills; k++) {
        const tn_child child =
            begins ? tn_start(TENON_BINARY, TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], results,
                                                     "--set", every))
                   : tn_start(TENON_BINARY,
                              TN_WORDS("run", "--resume", results, "--plugin-path", ".", "--quiet"));
        tn_checkpoint_wait(tn_draw(&dice, 0.0, span < 1.2 ? 0.8 * span : 0.96));
        if (k < kills) (void)kill(child.process, k % 3 == 2 ? SIGTERM : SIGKILL);
        const tn_outcome outcome = tn_await(child);
        if (outcome.status == 0 || strstr(outcome.errors, "has finished")) break;
        begins = strstr(outcome.errors, "no checkpoint in") || strstr(outcome.errors, "no results") ||
                 !tn_checkpoint_exists(tn_format("%s/checkpoint", results));
        if (outcome.status != 2 && outcome.status < 128) fail_msg("%s", outcome.errors);
        if (k == kills && begins) k--;
    }
    tn_checkpoint_same(right, results);
}

static void killed_runs_go_on(void **state)
{
    (void)state;
    static const char *const names[] = {
        "contact", "delays",
        "relay",   "loops",
        "parts",   "impacts",
        "sampled", "../../../../configs/benchmarks/iftomm_a05_flyball" /* its solutions are refined */};
    (void)tn_build_test_plugin("relay");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_model(names[k], 2);
}

/* The checkpoint is one of the first part of the motion, and the second `eigen` has added its files when the run is killed. */
static void files_that_solvers_add_are_those_of_one_run(void **state)
{
    (void)state;
#define PARTS(end) \
    "[[solver]]\ntype = 'eigen'\nforce = true\n[[solver]]\ntype = 'rk'\nstep = 1e-4\nend_time = " end "\n"
    const char *model = tn_write("modes.toml", MASS PARTS("25") PARTS("50") "[output]\ninterval = 0.01\n"
                                                                            "checkpoint_times = [10]\n"),
               *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL),
               *last = tn_format("%s/shapes_2.csv", results);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", model, "--quiet", "--out", results));
    for (int tries = 0; tries < 20000 && !tn_checkpoint_exists(last); tries++)
        tn_checkpoint_wait(1e-3);
    (void)kill(child.process, SIGKILL);
    (void)tn_await(child);
    assert_true(tn_checkpoint_exists(last));
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
    tn_checkpoint_same(right, results);
    static const char *const names[] = {"modes.csv", "modes_2.csv", "shapes.csv", "shapes_2.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_string_equal(tn_read(tn_format("%s/%s", right, names[k])),
                            tn_read(tn_format("%s/%s", results, names[k])));
}

/* An interrupted run prints the command that resumes it; a resumed one removes rows that a kill has left behind the checkpoint. */
static void interrupted_runs_tell_how_to_go_on(void **state)
{
    (void)state;
    const char *model = tn_write("interrupted.toml", MASS RK OUTPUT), *right = tn_scratch_path(NULL),
               *results = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGTERM).status, 128 + SIGTERM);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS(tn_format("`tenon run --resume %s` goes on from here", results)));
    FILE *table = fopen(tn_format("%s/sensors.csv", results), "a");
    assert_non_null(table);
    assert_true(fputs("77,88\n9", table) >= 0 && fclose(table) == 0);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
    tn_checkpoint_same(right, results);
    assert_true(tn_run_number(results, "run.resumes") == 1.0);
    assert_false(tn_checkpoint_exists(tn_format("%s/checkpoint", results)));
}

/* From another folder, with another name of the directory. */
static void directories_may_move(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL),
               *moved = tn_format("%s.moved", results);
    (void)tn_write("moved.toml", MASS RK OUTPUT);
    assert_int_equal(tn_tenon(TN_WORDS("run", "moved.toml", "--quiet", "--out", right)).status, 0);
    assert_int_equal(tn_checkpoint_end_early("moved.toml", results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(rename(results, moved), 0);
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cd / && exec '%s' run --quiet --resume '%s'", TENON_BINARY, moved))));
    assert_int_equal(outcome.status, 0);
    tn_checkpoint_same(right, moved);
}

/* ---- chosen times -------------------------------------------------------------------------------------------- */

/* At the first step from there on, which is as long as ever. */
static void checkpoints_are_made_at_chosen_times(void **state)
{
    (void)state;
    const char *model =
        tn_write("times.toml", MASS RK "[output]\ncheckpoint_times = ['3.00005 [s]', 11, 99]\n");
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL);
    const tn_outcome whole = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right));
    assert_int_equal(whole.status, 0);
    tn_check_holds(whole.errors, TN_WORDS("the checkpoint at 99 s is not made: it is not between"));
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "--resume", results));
    assert_int_equal(outcome.status, 0);
    assert_true(strstr(outcome.errors, "goes on from its checkpoint at 3.0001 s") ||
                strstr(outcome.errors, "goes on from its checkpoint at 11 s"));
    tn_checkpoint_same(right, results);
}

/* GSL's multistep methods: on the wall they have none. */
static void hidden_memory_has_chosen_times_only(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
#define HIDING \
    MASS "[solver]\ntype = 'gsl_ode'\nstepper = 'msadams'\nstep = 2e-4\nend_time = 50\nadaptive = false\n"
    const char *wall = tn_write("wall.toml", HIDING "[output]\ncheckpoint = 0.01\ninterval = 0.01\n");
    const char *times = tn_write("chosen.toml", HIDING "[output]\ncheckpoint = 0.01\ninterval = 0.01\n"
                                                       "checkpoint_times = [3, 5, 8, 20]\n");
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL);
    const tn_outcome none =
        tn_tenon(TN_WORDS("run", wall, "--quiet", "--set", "solver.end_time=1", "--out", results));
    tn_check_holds(none.errors, TN_WORDS("gsl_ode cannot hand over all that it has learnt from earlier steps",
                                         "`checkpoint_times` only"));
    assert_int_equal(tn_tenon(TN_WORDS("run", times, "--quiet", "--out", right)).status, 0);
    assert_int_equal(tn_checkpoint_end_early(times, results, SIGTERM).status, 128 + SIGTERM);
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS("goes on from the last checkpoint, at "));
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
    tn_checkpoint_same(right, results);
}

/* The one before stays, and the run goes on. */
static void checkpoints_may_not_be_written(void **state)
{
    (void)state;
    const char *model = tn_write("full.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *right = tn_scratch_path(NULL), *checkpoint = tn_format("%s/checkpoint", results),
               *part = tn_format("%s/.checkpoint.part", results);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", model, "--quiet", "--out", results));
    while (!tn_checkpoint_exists(checkpoint))
        tn_checkpoint_wait(1e-3);
    while (mkdir(part, 0777) != 0) /* its name while it is written */
        continue;
    tn_checkpoint_wait(0.05);
    (void)kill(child.process, SIGTERM);
    const tn_outcome outcome = tn_await(child);
    assert_int_equal(outcome.status, 128 + SIGTERM);
    tn_check_holds(outcome.errors, TN_WORDS("warning: at time ", "could not be written: File exists"));
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS("goes on from the last checkpoint, at "));
    assert_int_equal(rmdir(part), 0);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
    tn_checkpoint_same(right, results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_runs_go_on),
        cmocka_unit_test(files_that_solvers_add_are_those_of_one_run),
        cmocka_unit_test(interrupted_runs_tell_how_to_go_on),
        cmocka_unit_test(directories_may_move),
        cmocka_unit_test(checkpoints_are_made_at_chosen_times),
        cmocka_unit_test(hidden_memory_has_chosen_times_only),
        cmocka_unit_test(checkpoints_may_not_be_written),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
