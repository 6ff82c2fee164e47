/* test_geared_drive.c - a motor with a PID controller, gears, an elastic shaft and a load, as three models that are the same
 * drive, against a solution by the exponential of a matrix: tests/reference/geared_drive */
#include "harness.h"

#include <math.h>
#include <unistd.h>

static const char *const drives[] = {TENON_SOURCE_DIR "/configs/seeds/coordinate_force_geared_drive.toml",
                                     TENON_SOURCE_DIR "/tests/system/models/geared_bodies.toml",
                                     TENON_SOURCE_DIR "/tests/system/models/geared_forces.toml"};
enum { DRIVES = sizeof drives / sizeof *drives, SEED = 0 };

static tn_csv_table reference;

static int read_reference(void **state)
{
    const char *path = TENON_SOURCE_DIR "/tests/reference/geared_drive/geared_drive.csv";
    return tn_scratch_open(state) == 0 && tn_csv_read(path, &reference, stderr) ? 0 : 1;
}

/* With another solver than the seed's own. */
static const char *model_of(int drive, const char *solver)
{
    const char *text = tn_read(drives[drive]), *own = strstr(text, "\n[solver]");
    return tn_format("%.*s\n[output]\ninterval = 0.05\n[solver]\nend_time = 2\n%s",
                     own ? (int)(own - text) : (int)strlen(text), text, solver);
}

static const tn_csv_table *run(int drive, const char *solver)
{
    return tn_simulate(model_of(drive, solver), NULL);
}

/* Largest error of a column of the reference. */
static double error_of(const tn_csv_table *table, const char *column)
{
    const size_t of_run = tn_column_of(table, column), of_reference = tn_column_of(&reference, column);
    double largest = 0.0;
    assert_int_equal(table->rows, reference.rows);
    for (size_t row = 0; row < reference.rows; row++)
        largest = fmax(largest,
                       fabs(tn_csv_value(table, row, of_run) - tn_csv_value(&reference, row, of_reference)));
    return largest;
}

static bool has_column(const tn_csv_table *table, const char *name)
{
    for (size_t k = 0; k < table->columns; k++)
        if (strcmp(table->name[k], name) == 0) return true;
    return false;
}

static void test_every_column_meets_the_reference(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    for (int drive = 0; drive < DRIVES; drive++) {
        const tn_csv_table *table = run(drive, "type = 'gsl_ode'\nstep = 1e-4\nrelative_tolerance = 1e-12\n"
                                               "absolute_tolerance = 1e-12\n");
        for (size_t k = 1; k < reference.columns; k++) {
            if (!has_column(table, reference.name[k])) continue; /* no gear, no tooth */
            const double error = error_of(table, reference.name[k]);
            if (!(error <= 1e-8)) fail_msg("%s: %s misses by %.3g", drives[drive], reference.name[k], error);
        }
    }
}

/* Errors of positions, velocities and forces when the step is halved. */
static void check_order(const char *solver, double step, double low, double high)
{
    static const char *const columns[] = {"motor", "motor_rate", "load", "load_rate", "torque", "shaft"};
    for (int drive = 0; drive < DRIVES; drive++) {
        const tn_csv_table *coarse = run(drive, tn_format("%sstep = %.17g\n", solver, step)),
                           *fine = run(drive, tn_format("%sstep = %.17g\n", solver, 0.5 * step));
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            const double before = error_of(coarse, columns[k]), after = error_of(fine, columns[k]);
            if (!(before >= low * after && before <= high * after))
                fail_msg("%s: %s: errors %.3g and %.3g, ratio %.3f", drives[drive], columns[k], before, after,
                         before / after);
        }
    }
}

static void test_generalized_alpha_is_of_second_order(void **state)
{
    (void)state;
    check_order("type = 'generalized_alpha'\n", 1e-3, 3.8, 4.2);
}

static void test_rk_is_of_fourth_order(void **state)
{
    (void)state;
    check_order("type = 'rk'\n", 2e-3, 14.0, 18.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_column_meets_the_reference),
        cmocka_unit_test(test_generalized_alpha_is_of_second_order),
        cmocka_unit_test(test_rk_is_of_fourth_order),
    };
    return cmocka_run_group_tests(tests, read_reference, tn_scratch_close);
}
