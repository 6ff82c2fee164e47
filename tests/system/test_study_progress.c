/* test_study_progress.c - how far a study is: a line on a terminal, nothing of it in files of short studies */
#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cases of a few ms, of which each second one fails: its mass does not come as far as is asked. */
static const char *write_study(int levels)
{
    (void)tn_write("model.toml",
                   "[parameters]\nk = '100 [N/m]'\nfrom = 1.1\n"
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = ['from', 0, 0]\n"
                   "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', "
                   "'mass']\nreference_length = 1\nstiffness = 'k'\n"
                   "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 5\nstep = 1e-3\n");
    return tn_write("study.toml",
                    tn_format("[study]\nmodel = 'model.toml'\nname = 'test'\n"
                              "[[variable]]\nname = 'parameters.k'\nrange = ['50 [N/m]', '200 [N/m]']\n"
                              "[[variable]]\nname = 'parameters.from'\nvalues = [1.2, 1.1]\n"
                              "[[response]]\nname = 'when'\nexpression = 'time_of(x.x, 0.85)'\n"
                              "[design]\ntype = 'grid'\nlevels = [%d]\n"
                              "[execute]\ntype = 'local'\nworkers = 1\n",
                              levels));
}

static void a_terminal_shows_how_far_it_is(void **state)
{
    (void)state;
    const char *file = write_study(150), *results = tn_scratch_path("terminal");
    static char shown[1 << 20];
    size_t used = 0;
    int terminal = -1, status = -1;
    const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child == 0) {
        (void)execl(TENON_BINARY, "tenon", "study", file, "--out", results, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    for (ssize_t count; used < sizeof shown - 1; used += (size_t)count) {
        count = read(terminal, shown + used, sizeof shown - 1 - used);
        if (count < 0 && errno == EINTR)
            count = 0;
        else if (count <= 0)
            break; /* EIO: the other side has closed */
    }
    (void)close(terminal);
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    tn_check_holds(shown, TN_WORDS("\r", " of 300 cases, ", " not ok, ", " cases/s, ", " s left"));
}

static void files_of_short_studies_have_no_progress(void **state)
{
    (void)state;
    const char *file = write_study(5);
    const tn_outcome outcome = tn_tenon(TN_WORDS("study", file, "--out", tn_scratch_path("file")));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.errors, "");
    tn_check_holds(outcome.output, TN_WORDS("5 ok", "5 failed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_terminal_shows_how_far_it_is),
                                       cmocka_unit_test(files_of_short_studies_have_no_progress)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
