/* test_published.c - mechanisms with joints against results of other programs and published solutions
 * (tests/reference/joints/README.md) */
#include "reference.h"

#include <math.h>

#define JOINTS TENON_SOURCE_DIR "/tests/reference/joints/"
#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"

static const tn_csv_table *run_model(const char *path, const char *more, const char *const *words)
{
    return tn_simulate(tn_format("%s\n%s", tn_read(path), more), words);
}

/* ---- Simbody ------------------------------------------------------------------------------------------- */

static void test_heavy_top(void **state)
{
    (void)state;
    const tn_csv_table *run = run_model(JOINTS "heavy_top.toml", "", NULL);
    tn_check_columns(run, JOINTS "heavy_top.csv", "p.", 1e-4, 0);
    tn_check_columns(run, JOINTS "heavy_top.csv", "w.", 0, 4e-4);
    tn_check_columns(run, JOINTS "heavy_top.csv", "F.", 0, 4e-3);
    run = run_model(JOINTS "heavy_top.toml", "", TN_WORDS("--set", "solver.index=2"));
    tn_check_columns(run, JOINTS "heavy_top.csv", "p.", 1e-4, 0);
    tn_check_columns(run, JOINTS "heavy_top.csv", "F.", 0, 4e-3);
    run = run_model(JOINTS "heavy_top.toml", "",
                    TN_WORDS("--solver", "rk", "--set", "solver.order=4", "--set", "solver.step=5e-4"));
    tn_check_columns(run, JOINTS "heavy_top.csv", "p.", 1e-7, 0);
    tn_check_columns(run, JOINTS "heavy_top.csv", "w.", 0, 1e-6);
    tn_check_columns(run, JOINTS "heavy_top.csv", "F.", 0, 1e-6);
}

static void test_chain(void **state)
{
    (void)state;
    const tn_csv_table *run = run_model(JOINTS "chain.toml", "", NULL);
    tn_check_columns(run, JOINTS "chain.csv", "p", 2e-5, 0);
    tn_check_columns(run, JOINTS "chain.csv", "F", 0, 1e-3);
    assert_true(tn_largest_in(run, "error") <= 1e-8);
    run = run_model(JOINTS "chain.toml", "", TN_WORDS("--solver", "rk", "--set", "solver.step=1e-3"));
    tn_check_columns(run, JOINTS "chain.csv", "p", 1e-7, 0);
    tn_check_columns(run, JOINTS "chain.csv", "F", 0, 1e-6);
}

static void test_slider_crank_with_redundant_joints(void **state)
{
    (void)state;
    const tn_csv_table *run = run_model(JOINTS "slider_crank.toml", "", NULL);
    tn_check_columns(run, JOINTS "slider_crank.csv", "s.x", 2e-5, 0);
    tn_check_columns(run, JOINTS "slider_crank.csv", "v.x", 4e-4, 0);
    tn_check_columns(run, JOINTS "slider_crank.csv", "w.z", 1e-3, 0);
    run = run_model(JOINTS "slider_crank.toml", "", TN_WORDS("--solver", "rk", "--set", "solver.step=1e-3"));
    tn_check_columns(run, JOINTS "slider_crank.csv", "s.x", 1e-6, 0);
    tn_check_columns(run, JOINTS "slider_crank.csv", "w.z", 1e-5, 0);
    const tn_outcome checked = tn_tenon(TN_WORDS("check", JOINTS "slider_crank.toml"));
    assert_int_equal(checked.status, 0);
    tn_check_holds(checked.output, TN_WORDS("degrees of freedom: 1\n", "redundant constraints: 3\n"));
}

/* ---- closed solutions and test sets -------------------------------------------------------------------- */

static void test_four_bar(void **state)
{
    (void)state;
    const tn_csv_table *run = run_model(BENCHMARKS "iftomm_a02_four_bar.toml", "", NULL);
    tn_check_columns(run, JOINTS "four_bar.csv", "B0.", 2e-3, 0);
}

/* Andrews' mechanism as the test set of initial value problems starts it, with the joints' angles as there. */
static void test_andrews(void **state)
{
    (void)state;
    static const struct {
        const char *parameter, *joint;
        double start, end;
    } angle[] = {
        {"beta", "O", -0.0617138900142764496, 15.810771195153707},
        {"theta", "F", 0.0, -15.756371058411839},
        {"gamma", "B", 0.455279819163070380, 0.040822240119645805},
        {"phi", "H", 0.222668390165885885, -0.53473011634207959},
        {"delta", "A_upper", 0.487364979543842550, 0.52440996587995407},
        {"omega", "G", -0.222668390165885885, 0.53473011634207959},
        {"epsilon", "A_lower", 1.23054744454982119, 1.0480807410419379},
    };
    enum { ANGLES = sizeof angle / sizeof *angle };
    const char *sensors = "", *words[2 * (ANGLES + 2) + 1] = {"--set", "solver.end_time=0.03", "--set",
                                                              "output.interval=0.03"};
    for (size_t k = 0; k < ANGLES; k++) {
        words[4 + 2 * k] = "--set";
        words[5 + 2 * k] = tn_format("parameters.%s=%.18g", angle[k].parameter, angle[k].start);
        sensors = tn_format("%s[[sensor]]\nname = 'angle_%zu'\nelement = '%s'\noutput = 'angle'\n", sensors,
                            k, angle[k].joint);
    }
    const tn_csv_table *run = run_model(BENCHMARKS "iftomm_a03_andrews.toml", sensors, words);
    for (size_t k = 0; k < ANGLES; k++) {
        const char *column = tn_format("angle_%zu", k);
        assert_true(fabs(tn_value_at(run, column, 0.0) - angle[k].start) <= 1e-12);
        const double error = fabs(tn_value_at(run, column, 0.03) - angle[k].end);
        if (!(error <= (k < 2 ? 1e-3 : 1e-5))) fail_msg("%s misses by %.3g", angle[k].parameter, error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heavy_top), cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_slider_crank_with_redundant_joints),
                                       cmocka_unit_test(test_four_bar), cmocka_unit_test(test_andrews)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
