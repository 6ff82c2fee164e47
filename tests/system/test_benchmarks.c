/* test_benchmarks.c - the models of configs/benchmarks with constraints against their published solutions
 * (configs/benchmarks/README.md), and their promises */
#include "harness.h"
#include "promises.h"

#include <math.h>

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"

/* A value that a column must have. */
typedef struct known {
    const char *column;
    double time, value, tolerance;
} known;

static void check(const tn_csv_table *run, const known *list, size_t count)
{
    for (const known *k = list; k < list + count; k++) {
        const double error = fabs(tn_value_at(run, k->column, k->time) - k->value);
        if (!(error <= k->tolerance))
            fail_msg("%s misses by %.3g at %g s, not by %.3g", k->column, error, k->time, k->tolerance);
    }
}
#define CHECK(run, list) check(run, list, sizeof(list) / sizeof *(list))

static void check_promises(const tn_csv_table *run, const char *text)
{
    tn_promise promise;
    size_t count = 0;
    for (; tn_next_promise(&text, &promise); count++)
        check(run, &(known){promise.column, promise.time, promise.value, promise.tolerance}, 1);
    assert_true(count > 0);
}

/* A benchmark as it stands, but for `words` that change what is recorded. */
static const tn_csv_table *run_benchmark(const char *name, const char *const *words)
{
    const char *text = tn_read(tn_format(BENCHMARKS "%s.toml", name));
    const tn_csv_table *run = tn_simulate(text, words);
    check_promises(run, text);
    return run;
}

/* What should be constant. */
static void check_constant(const tn_csv_table *run, const char *column, double most)
{
    const size_t k = tn_column_of(run, column);
    double drift = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double change = tn_csv_value(run, row, k) - tn_csv_value(run, 0, k);
        drift = fmax(drift, isfinite(change) ? fabs(change) : HUGE_VAL);
    }
    if (!(drift < most)) fail_msg("%s drifts by %.3g, not less than %.3g", column, drift, most);
}

/* ---- IFToMM A01: the pendulum, elliptic functions ---------------------------------------------------------- */

static void test_a01_pendulum(void **state)
{
    (void)state;
    static const known solution[] = {{"P1.x", 1, 0.98629175113187532, 5e-6},
                                     {"P1.y", 1, -0.16501085312554117, 2e-5},
                                     {"P1.x", 10, -0.27508746257611686, 2e-4},
                                     {"P1.y", 10, -0.96141920509912506, 2e-4}};
    const tn_csv_table *run =
        run_benchmark("iftomm_a01_pendulum", TN_WORDS("--set", "output.interval=0.8e-3"));
    CHECK(run, solution);
    check_constant(run, "energy", 5e-5);
    check_constant(run, "error", 1e-9);
}

/* ---- IFToMM A02: four-bars, a single angle while no branch is left ------------------------------------------ */

/* th'' = -c cos th by the classical method of order 4, from upright and 1 rad/s. */
static double angle_of_rockers(int n, double time)
{
    enum { PARTS = 20000 };
    const double c = 9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n), h = time / PARTS;
    double angle = acos(0.0), rate = -1.0;
    for (int k = 0; k < PARTS; k++) {
        const double a1 = -c * cos(angle), v2 = rate + 0.5 * h * a1;
        const double a2 = -c * cos(angle + 0.5 * h * rate), v3 = rate + 0.5 * h * a2;
        const double a3 = -c * cos(angle + 0.5 * h * v2), v4 = rate + h * a3;
        const double a4 = -c * cos(angle + h * v3);
        angle += h / 6.0 * (rate + 2.0 * v2 + 2.0 * v3 + v4);
        rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return angle;
}

static void test_a02_four_bars(void **state)
{
    (void)state;
    static const known solution[] = {
        {"B0.x", 1, -0.19502030194943509, 1e-4},         {"B0.y", 1, -0.98079920566217383, 1e-4},
        {"B0_velocity.x", 1, -6.6766780368811581, 1e-3}, {"B0_velocity.y", 1, 1.3275783251604872, 1e-3},
        {"B0.x", 10, 0.32845811154081538, 2e-4},         {"B0.y", 10, 0.94451853817860096, 2e-4},
        {"B0_velocity.x", 10, 1.4230514702069441, 1e-3}, {"B0_velocity.y", 10, -0.49486884548704296, 1e-3}};
    const tn_csv_table *run = run_benchmark("iftomm_a02_four_bar", NULL);
    CHECK(run, solution);
    check_constant(run, "energy", 5e-3);
    const double angle = angle_of_rockers(2, 1.0);
    assert_true(fabs(solution[0].value - cos(angle)) <= 1e-9 && fabs(solution[1].value - sin(angle)) <= 1e-9);
}

/* Forty windows pass the flat position twice, and are upright again. */
static void test_a02_forty_windows(void **state)
{
    (void)state;
    static const char *const indices[] = {"solver.index=3", "solver.index=2"};
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *run =
            tn_simulate(tn_read(BENCHMARKS "iftomm_a02_four_bar.toml"),
                        TN_WORDS("--set", "parameters.n=40", "--set", indices[k], "--set",
                                 TN_SANITIZED ? "solver.end_time=1.3" : "solver.end_time=2"));
        const double end = tn_csv_value(run, run->rows - 1, 0), angle = angle_of_rockers(40, end);
        assert_true(fabs(tn_value_at(run, "B0.x", end) - cos(angle)) <= 1e-4);
        assert_true(fabs(tn_value_at(run, "B0.y", end) - sin(angle)) <= 1e-4);
        check_constant(run, "energy", 0.1);
    }
}

/* ---- IFToMM A03: Andrews' mechanism ------------------------------------------------------------------------- */

static void test_a03_andrews(void **state)
{
    (void)state;
    static const known solution[] = {{"beta", 0.05, 33.815340721360174, 1e-3},
                                     {"gamma", 0.05, 0.11515852759155242, 1e-4},
                                     {"F.x", 0.05, -0.0051589852501886712, 5e-6},
                                     {"F.y", 0.05, 0.0047312652840794854, 5e-6}};
    const tn_csv_table *run = run_benchmark("iftomm_a03_andrews", NULL);
    CHECK(run, solution);
    check_constant(run, "balance", 1e-4);
    check_constant(run, "error", 1e-10);
}

/* ---- IFToMM A04: Bricard's mechanism ------------------------------------------------------------------------- */

static void test_a04_bricard(void **state)
{
    (void)state;
    static const known solution[] = {
        {"P3.x", 1, 0.27448131926462304, 1e-5},    {"P3.y", 1, -0.88670793873467202, 1e-5},
        {"P3.z", 1, -0.46233000268737604, 1e-5},   {"angle", 1, 1.0350284595180622, 1e-5},
        {"P3.x", 2, -0.77813537303329089, 1e-5},   {"angle", 2, 2.8933282059812934, 1e-5},
        {"P3.x", 2.5, -0.99998318529279108, 1e-5}, {"P3.x", 5, 0.99993274230211708, 1e-5},
        {"P3.x", 7.5, -0.99984867442085169, 1e-5}, {"P3.x", 10, 0.99973098730383535, 1e-5},
        {"P3.y", 10, -0.99999996382581727, 1e-5},  {"P3.z", 10, -2.6897651224930460e-4, 1e-5}};
    const tn_csv_table *run = run_benchmark("iftomm_a04_bricard", NULL);
    CHECK(run, solution);
    check_constant(run, "energy", 1e-3);
}

static void test_a04_has_one_redundant_row(void **state)
{
    (void)state;
    const tn_outcome checked = tn_tenon(TN_WORDS("check", BENCHMARKS "iftomm_a04_bricard.toml"));
    assert_int_equal(checked.status, 0);
    tn_check_holds(checked.output, TN_WORDS("degrees of freedom: 1\n", "redundant constraints: 1\n",
                                            "hinge_1.row1 ", " hinge_6.row5\n"));
}

/* ---- IFToMM A05: the flyball governor ------------------------------------------------------------------------ */

static void test_a05_flyball(void **state)
{
    (void)state;
    static const known solution[] = {
        {"s", 0.1, 0.52383647556957569, 1e-4},     {"s", 0.5, 0.74324942478632572, 1e-4},
        {"s", 1, 0.50142092237956765, 1e-4},       {"s", 2, 0.50590929429670371, 1e-4},
        {"s", 5, 0.53556310372164348, 1e-4},       {"s", 10, 0.61962291706136566, 1e-4},
        {"droop", 0.5, 0.25949138154341312, 1e-4}, {"droop", 10, 0.39007370184464508, 1e-4},
        {"psi", 1, 5.5863469658690054, 1e-4},      {"psi", 10, 55.935409909102379, 1e-4}};
    const tn_csv_table *run = run_benchmark("iftomm_a05_flyball", NULL);
    CHECK(run, solution);
    check_constant(run, "balance", 1e-3);
}

/* ---- others --------------------------------------------------------------------------------------------------- */

static void test_heavy_top(void **state)
{
    (void)state;
    static const known solution[] = {{"u.x", 2, -0.15041682274564176, 1e-3},
                                     {"u.y", 2, -1.7241655916368956, 1e-3},
                                     {"u.z", 2, -0.67302226956044410, 1e-3}};
    const tn_csv_table *run = run_benchmark("heavy_top", NULL);
    CHECK(run, solution);
    check_constant(run, "energy", 1e-3);
}

/* As printed by IDA, which errs by 5.3e-5, and converged. */
static void test_slider_crank(void **state)
{
    (void)state;
    static const known printed[] = {
        {"crank", 0.5, 1.5069, 1e-4}, {"x.x", 0.5, 0.89855, 1e-4},   {"crank", 1, 1.3154, 1e-4},
        {"x.x", 1, 1.0015, 1e-4},     {"crank", 2, 0.57904, 1e-4},   {"x.x", 2, 1.3803, 1e-4},
        {"crank", 3, -0.44711, 1e-4}, {"x.x", 3, 1.4272, 1e-4},      {"crank", 5, -1.4300, 1e-4},
        {"x.x", 5, 0.93903, 1e-4},    {"crank", 7.5, 0.18041, 1e-4}, {"x.x", 7.5, 1.4879, 1e-4},
        {"crank", 10, 1.2757, 1e-4},  {"x.x", 10, 1.0236, 1e-4}};
    static const known converged[] = {
        {"crank", 0.5, 1.5068752591878211, 1e-6}, {"x.x", 1, 1.0014918072308003, 1e-6},
        {"crank", 2, 0.57903881204880671, 1e-6},  {"x.x", 3, 1.4272025983204317, 1e-6},
        {"crank", 5, -1.4299969676472274, 1e-6},  {"crank", 7.5, 0.18041846669398669, 1e-6},
        {"crank", 10, 1.2756758486502394, 1e-6},  {"x.x", 10, 1.0235785589798395, 1e-6}};
    const tn_csv_table *run = run_benchmark("slider_crank", NULL);
    CHECK(run, printed);
    CHECK(run, converged);
    check_constant(run, "balance", 1e-6);
}

static void test_spatial_slider_crank(void **state)
{
    (void)state;
    static const known solution[] = {
        {"x", 0.5, 0.18874810326118595, 1e-4},    {"v", 0.5, -0.27797074292188775, 1e-3},
        {"crank", 0.5, 5.2498988425789029, 1e-3}, {"x", 1, 0.23376475033546214, 1e-4},
        {"v", 1, -0.53770570535540378, 1e-3},     {"crank", 1, 10.484073838524310, 1e-3},
        {"x", 2, 0.25830444341671032, 1e-4},      {"v", 2, 0.38855233035165861, 1e-3},
        {"crank", 2, 20.031285981100823, 1e-3},   {"x", 5, 0.25465008546731862, 1e-4},
        {"v", 5, 0.37782716838511834, 1e-3},      {"crank", 5, 51.369439887930694, 1e-3}};
    const tn_csv_table *run = run_benchmark("spatial_slider_crank", NULL);
    CHECK(run, solution);
    check_constant(run, "energy", 2e-4);
}

static void test_car(void **state)
{
    (void)state;
    const tn_csv_table *run = run_benchmark("car", NULL);
    assert_int_equal(run->rows, 101);
}

static void test_chain(void **state)
{
    (void)state;
    const tn_csv_table *run = run_benchmark("chain", TN_WORDS("--set", "parameters.n=16"));
    check_constant(run, "energy", 1e-2);
    check_constant(run, "error", 1e-9);
}

static void test_bushings(void **state)
{
    (void)state;
    const char *balance = tn_format("%s[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n",
                                    tn_read(BENCHMARKS "bushings.toml"));
    (void)run_benchmark("bushings", NULL);
    check_constant(tn_simulate(balance, NULL), "balance", 1e-2);
}

/* Against the converged values of a smaller one. */
static void test_lattice(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(tn_read(BENCHMARKS "lattice.toml"),
                                          TN_WORDS("--set", "parameters.n=4", "--set", "parameters.m=4"));
    assert_true(fabs(tn_value_at(run, "tip.x", 0.2) - 0.313571762) <= 1e-5);
    assert_true(fabs(tn_value_at(run, "tip.z", 0.2) - 0.246403082) <= 1e-5);
}

static void test_ladder(void **state)
{
    (void)state;
    check_constant(run_benchmark("ladder", TN_WORDS("--set", "parameters.n=16")), "energy", 1e-3);
}

/* Against converged values: the same for any number of strings. */
static void test_rod_net(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_read(BENCHMARKS "rod_net.toml"), TN_WORDS("--set", "parameters.m=4"));
    assert_true(fabs(tn_value_at(run, "tip.x", 0.2) - 19.481432803) <= 1e-5);
    assert_true(fabs(tn_value_at(run, "tip.z", 0.2) + 0.1962) <= 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a01_pendulum),
                                       cmocka_unit_test(test_a02_four_bars),
                                       cmocka_unit_test(test_a02_forty_windows),
                                       cmocka_unit_test(test_a03_andrews),
                                       cmocka_unit_test(test_a04_bricard),
                                       cmocka_unit_test(test_a04_has_one_redundant_row),
                                       cmocka_unit_test(test_a05_flyball),
                                       cmocka_unit_test(test_heavy_top),
                                       cmocka_unit_test(test_slider_crank),
                                       cmocka_unit_test(test_spatial_slider_crank),
                                       cmocka_unit_test(test_car),
                                       cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_bushings),
                                       cmocka_unit_test(test_lattice),
                                       cmocka_unit_test(test_rod_net),
                                       cmocka_unit_test(test_ladder)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
