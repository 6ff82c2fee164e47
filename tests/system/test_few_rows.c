/* test_few_rows.c - accelerations of mechanisms with few joints: those without a linear solver against those of one */
#include "harness.h"

#include <math.h>

/* Columns of both tables agree, each but for a share of its largest value. */
static void check_same(const char *what, const tn_csv_table *few, const tn_csv_table *sparse,
                       double tolerance)
{
    assert_int_equal(few->rows, sparse->rows);
    assert_int_equal(few->columns, sparse->columns);
    assert_true(few->rows > 3);
    for (size_t c = 0; c < few->columns; c++) {
        double largest = 1.0, apart = 0.0;
        for (size_t row = 0; row < few->rows; row++) {
            largest = fmax(largest, fabs(tn_csv_value(sparse, row, c)));
            apart = fmax(apart, fabs(tn_csv_value(few, row, c) - tn_csv_value(sparse, row, c)));
        }
        if (!(apart <= tolerance * largest))
            fail_msg("%s: column %zu differs by %g, of at most %g", what, c + 1, apart, largest);
    }
}

/* A run of a shipped model, and the matrices that were filled for it. */
static const tn_csv_table *run_shipped(const char *name, double step, double end, const char *linear,
                                       double *matrices)
{
    const char *out = tn_scratch_path(linear ? "sparse" : "few");
    const char *set_step = tn_format("solver.step=%g", step), *set_end = tn_format("solver.end_time=%g", end),
               *interval = tn_format("output.interval=%g", end / 10);
    const char *words[] = {"run",
                           tn_format("%s/configs/%s.toml", TENON_SOURCE_DIR, name),
                           "--out",
                           out,
                           "--set",
                           set_step,
                           "--set",
                           set_end,
                           "--set",
                           interval,
                           "--set",
                           "output.log=false",
                           "--solver",
                           "rk",
                           linear ? "--set" : NULL,
                           linear ? tn_format("solver.linear=\"%s\"", linear) : NULL,
                           NULL};
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("%s: %s", name, outcome.errors);
    *matrices = tn_run_number(out, "run.statistics.matrices");
    return tn_sensors(out);
}

/* Joints in space and in a plane, dependent rows, bodies of all sizes, markers made of others. */
static void mechanisms_move_as_with_a_linear_solver(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double step, end, tolerance;
    } shipped[] = {{"benchmarks/iftomm_a02_four_bar", 1e-3, 0.5, 1e-9},
                   {"benchmarks/iftomm_a03_andrews", 1e-5, 0.01, 1e-7},
                   {"benchmarks/iftomm_a04_bricard", 1e-3, 1.0, 1e-6},
                   {"benchmarks/iftomm_a05_flyball", 2e-5, 0.02, 1e-9},
                   {"benchmarks/spatial_slider_crank", 1e-3, 1.0, 1e-9},
                   {"benchmarks/slider_crank", 1e-4, 0.1, 1e-8},
                   {"seeds/planar", 1e-3, 1.0, 1e-9},
                   {"seeds/cylindrical", 1e-3, 1.0, 1e-9},
                   {"seeds/distance", 1e-3, 1.0, 1e-9},
                   {"seeds/fixed", 1e-3, 1.0, 1e-9},
                   {"seeds/gear_rack_and_pinion", 1e-3, 1.0, 1e-9},
                   {"seeds/coordinate_constraint", 1e-3, 1.0, 1e-9}};
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        double few = 0.0, sparse = 0.0;
        const tn_csv_table *a = run_shipped(shipped[k].name, shipped[k].step, shipped[k].end, NULL, &few),
                           *b = run_shipped(shipped[k].name, shipped[k].step, shipped[k].end, "klu", &sparse);
        check_same(shipped[k].name, a, b, shipped[k].tolerance);
        if (!(few < 0.1 * sparse)) /* of reactions as results show them */
            fail_msg("%s: %g matrices were filled, and %g with klu", shipped[k].name, few, sparse);
    }
}

/* Full matrices of inertia, points, and a joint that is released. */
static const char released[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 1\ncom = [0.1, 0.02, 0.03]\n"
    "inertia = [0.02, 0.03, 0.04, 0.005, 0.002, 0.001]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.02, 0.03, 0.04]\nposition = [1, 0, "
    "0]\n"
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 0.3\nposition = [1, 0, -0.5]\n"
    "[[element]]\nname = 'hip'\ntype = 'spherical'\nmarkers = ['ground', 'a']\n"
    "[[element]]\nname = 'knee'\ntype = 'universal'\nmarkers = [{ element = 'a', position = [1, 0, 0] }, "
    "'b']\n"
    "[[element]]\nname = 'rope'\ntype = 'distance'\nmarkers = ['b', 'm']\n"
    "[[element]]\nname = 'stay'\ntype = 'distance'\nmarkers = ['ground', 'm']\n"
    "[[change]]\nelement = 'stay'\nactive = false\ntime = 0.3\n"
    "[[sensor]]\nname = 'x'\nelement = 'm'\noutput = 'position'\n"
    "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n"
    "[[sensor]]\nname = 'F'\nelement = 'knee'\noutput = 'force'\n"
    "[output]\ninterval = 0.1\n[solver]\ntype = 'rk'\nstep = 1e-3\nend_time = 1\n";

static void a_released_joint_exerts_nothing(void **state)
{
    (void)state;
    const tn_csv_table *few = tn_simulate(released, NULL),
                       *sparse = tn_simulate(tn_format("%slinear = 'klu'\n", released), NULL);
    check_same("a joint that is released", few, sparse, 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mechanisms_move_as_with_a_linear_solver),
                                       cmocka_unit_test(a_released_joint_exerts_nothing)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
