/* test_full_disk.c - a disk that becomes full at any moment of a run with all writers: the file is named, with the status of a failure;
 * rows that were written stay, as do whole files; what can be made of the log later is made
 *
 * A library before the C library lets all calls fail that need room, from some call on; files of streams end at some length. */
#define _GNU_SOURCE
#include "checkpoints.h"
#include "recordings.h"

#include <errno.h>
#include <unistd.h>

static const char model[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 2, 2.5]\nposition = [1, 0, 0]\n"
    "angular_velocity = [1, 2, 3]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'body']\nstiffness = 20\n"
    "[[sensor]]\nname = 'x'\nelement = 'body'\noutput = 'position'\n"
    "[solver]\ntype = 'rk'\nend_time = 0.5\nstep = 1e-3\n"
    "[output]\nstates = true\nframes = 'auto'\ncheckpoint_times = [0.1, 0.3]\n";

static const char *const writers[] = {"csv", "hdf5", "vtk", "glb", "report"};
static const char *const results_of[] = {"", "results.h5", "vtk.pvd", "scene.glb", "report.html"};
enum { WRITERS = sizeof writers / sizeof *writers };

static const char *results, *counted, *right[2];

static const char *all_writers(void)
{
    const char *list = "";
    for (int w = 0; w < WRITERS; w++)
        if (tn_has_plugin(writers[w])) list = tn_format("%s%s'%s'", list, *list ? ", " : "", writers[w]);
    return tn_format("output.writers=[%s]", list);
}

static tn_outcome run(size_t failing)
{
    (void)setenv("FAILING_CALL", tn_format("%zu", failing), 1);
    (void)setenv("FAILING_REASON", tn_format("%d", ENOSPC), 1);
    (void)setenv("FAILING_ON", "1", 1);
    (void)setenv("COUNTED_CALLS", counted, 1);
    (void)setenv("LD_PRELOAD", getenv("TENON_FAILING_CALL"), 1);
    const tn_child child = tn_start(
        TENON_BINARY, TN_WORDS("run", "model.toml", "--quiet", "--out", results, "--set", all_writers()));
    (void)unsetenv("LD_PRELOAD");
    return tn_await(child);
}

static const char *read_result(const char *name)
{
    const char *path = tn_format("%s/%s", results, name);
    return tn_checkpoint_exists(path) ? tn_read(path) : NULL;
}

/* Whole rows of the right table, from its beginning on; how many. */
static size_t check_table(const char *name, const char *whole, const char *errors)
{
    const char *table = read_result(name);
    const size_t length = table ? strlen(table) : 0;
    size_t rows = 0;
    for (size_t k = 0; k < length; k++)
        rows += table[k] == '\n';
    if (length && table[length - 1] != '\n' && !strstr(errors, "may be incomplete"))
        fail_msg("half a row in %s: %s", name, errors);
    if (strncmp(table ? table : "", whole, length) != 0) fail_msg("other rows in %s: %s", name, errors);
    return rows;
}

/* The reason, with the file. */
static void check_message(tn_outcome outcome)
{
    if (outcome.status != 1 && outcome.status != 2) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    if (!strstr(outcome.errors, "No space left on device") && !strstr(outcome.errors, "File too large"))
        fail_msg("no reason: %s", outcome.errors);
    if (!strstr(outcome.errors, results)) fail_msg("no file: %s", outcome.errors);
}

/* Whatever writers have made is whole: it is what they make once more. The disk has room again. */
static void check_files(bool has_rows)
{
    const char *there[WRITERS] = {NULL};
    const char *log = tn_format("%s/rows.tnl", results);
    if (!tn_checkpoint_exists(log)) return;
    for (int w = 1; w < WRITERS; w++)
        there[w] = read_result(results_of[w]);
    assert_null(read_result(".conversion.part"));
    for (int w = 1; w < WRITERS; w++) {
        if (!tn_has_plugin(writers[w])) continue;
        const tn_outcome outcome = tn_tenon(TN_WORDS("convert", results, "--to", writers[w]));
        if (outcome.status == 2 && strstr(outcome.errors, "rows.tnl") && !has_rows)
            return; /* it has no model */
        if (outcome.status != 0) fail_msg("%s: %s", writers[w], outcome.errors);
        assert_non_null(read_result(results_of[w]));
        if (there[w] && strcmp(there[w], read_result(results_of[w])) != 0)
            fail_msg("%s was half a file", results_of[w]);
    }
}

static void check_outcome(tn_outcome outcome, size_t *rows)
{
    const size_t now = check_table("sensors.csv", right[0], outcome.errors);
    (void)check_table("states.csv", right[1], outcome.errors);
    if (outcome.status != 0) check_message(outcome);
    if (outcome.status == 0 && outcome.errors[0])
        tn_check_holds(outcome.errors, TN_WORDS("warning", results));
    assert_true(now + 1 >= *rows); /* a moment later, no fewer rows; names are no row */
    *rows = now > *rows ? now : *rows;
    check_files(now > 1);
}

static int prepare(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    (void)tn_write("model.toml", model);
    counted = tn_scratch_path("counted");
    results = tn_scratch_path(NULL);
    return 0;
}

static void run_right(void)
{
    results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--out", results, "--set", all_writers()));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    right[0] = read_result("sensors.csv");
    right[1] = read_result("states.csv");
}

static void a_disk_that_is_full_from_some_call_on(void **state)
{
    (void)state;
    if (TN_SANITIZED || !getenv("TENON_FAILING_CALL")) skip(); /* the sanitizer has such calls of its own */
    run_right();
    const tn_outcome whole = run(0);
    if (whole.status != 0) fail_msg("%s", whole.errors);
    const size_t count = strtoull(tn_read(counted), NULL, 10);
    assert_true(count > 40);
    size_t rows = 0;
    for (size_t k = 1; k <= count; k += 1 + k / 12) {
        results = tn_scratch_path(NULL);
        check_outcome(run(k), &rows);
    }
    assert_true(rows > 400);
}

static void files_that_end_at_some_length(void **state)
{
    (void)state;
    run_right();
    for (unsigned blocks = 1; blocks < 3000; blocks += 1 + blocks) { /* of 512 bytes */
        size_t rows = 0;
        results = tn_scratch_path(NULL);
        const char *command =
            tn_format("ulimit -f %u; exec '%s' run model.toml --quiet --out '%s' --set \"%s\"", blocks,
                      TENON_BINARY, results, all_writers());
        check_outcome(tn_await(tn_start("/bin/sh", TN_WORDS("-c", command))), &rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_disk_that_is_full_from_some_call_on),
                                       cmocka_unit_test(files_that_end_at_some_length)};
    return cmocka_run_group_tests(tests, prepare, tn_scratch_close);
}
