/* test_study_workers.c - workers of the executor `local`: how long they live */
#define _GNU_SOURCE
#include "slow_studies.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void workers_live_from_batch_to_batch(void **state)
{
    (void)state;
    const char *search = STUDY STIFFNESS
        "[[response]]\nname = 'y'\nexpression = '(last(x.x) - 0.1)**2'\n"
        "[design]\ntype = 'nelder_mead'\nminimise = 'y'\n[execute]\ntype = 'local'\nworkers = 1\n";
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(search, results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    const tn_outcome names = tn_await(tn_start(
        "/bin/sh",
        TN_WORDS("-c", "ls \"$1/lines\" | sed 's/^[0-9]*//' | sort -u | wc -l; ls \"$1/lines\" | wc -l", "sh",
                 results)));
    int workers = 0, files = 0;
    assert_int_equal(sscanf(names.output, "%d %d", &workers, &files), 2);
    assert_int_equal(workers, 1);
    assert_true(files > 5);
}

static void a_program_that_is_replaced_meanwhile_finds_its_plugins(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path(), *installed = tn_study_folder_path();
    const tn_outcome copied =
        tn_await(tn_start("/bin/sh", TN_WORDS("-c", "mkdir $1 && cp $2 $1/tenon && ln -s $3 $1/plugins", "sh",
                                              installed, TENON_BINARY, TENON_PLUGINS)));
    assert_int_equal(copied.status, 0);
    const char *program = tn_format("%s/tenon", installed);
    const tn_child child = tn_study_start(program, results, "[execute]\ntype = 'local'\n", 6e-6);
    tn_study_await(results, 1);
    assert_int_equal(unlink(program), 0);
    assert_int_equal(tn_await(child).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "32");
}

static void workers_end_with_their_driver(void **state)
{
    (void)state;
    tn_study_check_end("[execute]\ntype = 'local'\nworkers = 2\n", SIGKILL);
    tn_study_check_end("[execute]\ntype = 'local'\nworkers = 2\n", SIGINT);
}

static void a_model_that_changes_meanwhile_ends_the_study(void **state)
{
    (void)state;
    tn_study_check_change("[execute]\ntype = 'local'\nworkers = 2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_live_from_batch_to_batch),
        cmocka_unit_test(a_program_that_is_replaced_meanwhile_finds_its_plugins),
        cmocka_unit_test(workers_end_with_their_driver),
        cmocka_unit_test(a_model_that_changes_meanwhile_ends_the_study)};
    return cmocka_run_group_tests(tests, tn_study_open_tests, tn_scratch_close);
}
