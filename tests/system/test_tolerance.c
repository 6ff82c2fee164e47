/* test_tolerance.c - accuracy by one number: `tolerance = t`, a type and an end time are all that a solver with error control needs, and
 * errors follow it */
#define _GNU_SOURCE
#include "harness.h"

#include <glob.h>
#include <math.h>

/* A solver table by type and `more`, in place of a model's own, of which the end time stays. */
static const char *with_solver(const char *text, const char *type, const char *more)
{
    const char *begin = strstr(text, "\n[solver]\n");
    if (!begin || strstr(text, "\nlaw = \"impulse\"")) return NULL; // no solver without impulses takes it
    const char *end = strstr(begin + 1, "\n["), *time = strstr(begin, "\nend_time");
    if (!end) end = text + strlen(text);
    if (!time || time >= end) return NULL; // it seeks a single state
    return tn_format("%.*s\n[solver]\ntype = \"%s\"\n%.*s\n%s\n%s", (int)(begin - text), text, type,
                     (int)strcspn(time + 1, "\n"), time + 1, more, end);
}

/* Scripts and data of models, beside the model in the folder of the test. */
static void link_files_of(const char *folder)
{
    const char *command =
        tn_format("ln -sf '" TENON_SOURCE_DIR "/configs/%s/'* '%s'", folder, tn_scratch_path("."));
    assert_int_equal(tn_await(tn_start("sh", TN_WORDS("-c", command))).status, 0);
}

/* All models that stand alone, small where they have a size; their first moments where all is slow. */
static void run_models_of(const char *folder, const char *type)
{
    glob_t found;
    assert_int_equal(glob(tn_format(TENON_SOURCE_DIR "/configs/%s/*.toml", folder), 0, NULL, &found), 0);
    link_files_of(folder);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        const char *text = tn_read(found.gl_pathv[k]);
        const char *model = with_solver(text, type, "tolerance = 1e-5");
        if (!model) continue;
        const bool sized = strstr(text, "\nn = ") != NULL;
        const tn_outcome outcome = tn_tenon(TN_WORDS(
            "run", tn_write("model.toml", model), "--trust", "--quiet", "--out", tn_scratch_path(NULL),
            "--set", TN_SANITIZED ? "solver.end_time=0.05" : "solver.progress=false", sized ? "--set" : NULL,
            "parameters.n=4"));
        if (outcome.status != 0) fail_msg("%s: %s: %s", found.gl_pathv[k], type, outcome.errors);
    }
    globfree(&found);
}

static void run_all_models(const char *type)
{
    run_models_of("first", type);
    run_models_of("seeds", type);
    run_models_of("benchmarks", type);
}

static void test_a_tolerance_is_enough_for_generalized_alpha(void **state)
{
    (void)state;
    run_all_models("generalized_alpha");
}

static void test_a_tolerance_is_enough_for_radau(void **state)
{
    (void)state;
    run_all_models("radau");
}

static void test_a_tolerance_is_enough_for_rk(void **state)
{
    (void)state;
    run_all_models("rk");
}

static void test_a_tolerance_is_enough_for_gsl_ode(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip(); // the leak sanitizer itself crashes at the end of one of these runs
    run_all_models("gsl_ode");
}

static void test_a_tolerance_is_enough_for_ida(void **state)
{
    (void)state;
    tn_need_plugin("ida");
    run_all_models("ida");
}

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* Largest difference of all positions and angles at the end. */
static double difference(const tn_csv_table *a, const tn_csv_table *b)
{
    double largest = 0.0;
    assert_int_equal(a->columns, b->columns);
    for (size_t k = 1; k < a->columns; k++)
        largest = fmax(largest, fabs(tn_csv_value(a, a->rows - 1, k) - tn_csv_value(b, b->rows - 1, k)));
    return largest;
}

static const tn_csv_table *run_with(const char *text, const char *type, double tolerance)
{
    const char *model = with_solver(text, type, tn_format("tolerance = %g", tolerance));
    return tn_simulate(model, NULL);
}

/* Errors over 1e-4 ... 1e-8, order 5: log error over log tolerance, least squares, against runs with 1e-12. */
static double measured_slope(const char *path, const char *type)
{
    const char *text = tn_read(tn_format(TENON_SOURCE_DIR "/configs/%s.toml", path));
    const tn_csv_table *exact = run_with(text, type, 1e-12);
    double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
    for (int k = 4; k <= 8; k++) {
        const double x = -k, y = log10(difference(run_with(text, type, pow(10.0, x)), exact));
        sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    }
    return (5.0 * sum_xy - sum_x * sum_y) / (5.0 * sum_xx - sum_x * sum_x);
}

static void test_errors_follow_the_tolerance(void **state)
{
    (void)state;
    static const char *const models[] = {"benchmarks/heavy_top", "benchmarks/spatial_slider_crank",
                                         "benchmarks/iftomm_a03_andrews", "seeds/bicycle"};
    for (size_t k = TN_SANITIZED ? 1 : 0; k < (TN_SANITIZED ? 2 : sizeof models / sizeof *models); k++) {
        const double rk = measured_slope(models[k], "rk"), gsl = measured_slope(models[k], "gsl_ode");
        if (!(rk > 0.66 && rk < 1.5 && gsl > 0.66 && gsl < 1.2))
            fail_msg("%s: error as tolerance to the power of %.2f (rk), %.2f (gsl_ode)", models[k], rk, gsl);
    }
}

/* ---- what is said ------------------------------------------------------------------------------------------ */

static const char oscillator[] =
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
    "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nstiffness = 4\n"
    "reference_length = 0.5\n"
    "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n";

static void test_orders_without_an_error_are_refused(void **state)
{
    (void)state;
    static const char *const orders[] = {"order = 1", "order = 4", "adaptive = true\norder = 2"};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const char *model =
            tn_format("%s[solver]\ntype = 'rk'\nend_time = 1\ntolerance = 1e-5\n%s\n", oscillator, orders[k]);
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--out", "out"));
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS("only order 5 estimates its error", "order = 5"));
    }
}

/* A fixed step stays with order 4, to the bit. */
static void test_the_order_is_automatic(void **state)
{
    (void)state;
    static const char *const more[] = {"", "order = 4\n"};
    double x[2];
    for (size_t k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(
            tn_format("%s[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.01\n%s", oscillator, more[k]), NULL);
        x[k] = tn_csv_value(run, run->rows - 1, tn_column_of(run, "x"));
    }
    assert_true(x[0] == x[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_tolerance_is_enough_for_generalized_alpha),
                                       cmocka_unit_test(test_a_tolerance_is_enough_for_radau),
                                       cmocka_unit_test(test_a_tolerance_is_enough_for_ida),
                                       cmocka_unit_test(test_a_tolerance_is_enough_for_rk),
                                       cmocka_unit_test(test_a_tolerance_is_enough_for_gsl_ode),
                                       cmocka_unit_test(test_errors_follow_the_tolerance),
                                       cmocka_unit_test(test_orders_without_an_error_are_refused),
                                       cmocka_unit_test(test_the_order_is_automatic)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
