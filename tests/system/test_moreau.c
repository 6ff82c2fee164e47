/* test_moreau.c - the solver by impulses on joints: orders, energies, momenta, reactions, starts that do not agree with constraints; against
 * closed solutions, and against Solfec's errors at the same step */
#include "harness.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- runs -------------------------------------------------------------------------------------------------------- */

#define STEPS "[solver]\ntype = 'moreau'\nstep = %.17g\nend_time = %.17g\n%s[output]\nstates = true\n%s"

static const tn_csv_table *run_model(const char *model)
{
    const char *file = tn_write("model.toml", model);
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "results"));
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static const tn_csv_table *simulate(const char *model, const char *solver, double step, double end)
{
    return run_model(tn_format("%s" STEPS, model, step, end, solver, ""));
}

static const tn_csv_table *states(void)
{
    static tn_csv_table table;
    table = (tn_csv_table){0};
    assert_true(tn_csv_read(tn_scratch_path("results/states.csv"), &table, stderr));
    return &table;
}

static double value(const tn_csv_table *t, size_t row, const char *column)
{
    return t->value[row * t->columns + tn_column_of(t, column)];
}

static double spread(const tn_csv_table *t, const char *column)
{
    double largest = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        largest = fmax(largest, fabs(value(t, row, column) - value(t, 0, column)));
    return largest;
}

/* y' = f(t, y) by the classical method, in steps that leave nothing of their error. */
typedef void (*slope)(const double *y, double *rate);
static void integrate(slope f, double *y, int n, double time, int steps)
{
    double k[4][8], at[8];
    const double h = time / steps;
    for (int s = 0; s < steps; s++) {
        f(y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < n; i++)
                at[i] = y[i] + (stage == 3 ? h : 0.5 * h) * k[stage - 1][i];
            f(at, k[stage]);
        }
        for (int i = 0; i < n; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

/* ---- a pendulum on a rod (C2) ------------------------------------------------------------------------------------ */

#define PENDULUM                                                                                             \
    "[model]\ngravity = [0, 0, -9.869604401089358]\n[[element]]\nname = 'bob'\ntype = 'rigid_body'\nmass = " \
    "1\n"                                                                                                    \
    "inertia = [1, 1, 1]\nposition = [1, 0, 1]\n[[element]]\nname = 'rod'\ntype = 'distance'\n"              \
    "markers = [{ element = 'ground', position = [0, 0, 1] }, 'bob']\n[[sensor]]\nname = 'p'\nelement = "    \
    "'bob'\n"                                                                                                \
    "output = 'position'\n[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"

static void swing(const double *y, double *rate)
{
    rate[0] = y[1];
    rate[1] = -PI * PI * sin(y[0]);
}

typedef struct errors {
    double position, length, energy,
        tension; /* of the tension: in the middle of steps, where reactions are means */
} errors;

static errors pendulum_errors(double h)
{
    const tn_csv_table *t = simulate(PENDULUM, "", h, 10.0), *s = states();
    errors found = {.energy = spread(t, "energy")};
    double y[2] = {0.5 * PI, 0.0};
    for (size_t row = 0; row < t->rows; row++) {
        const double x = value(t, row, "p.x"), z = value(t, row, "p.z") - 1.0;
        found.position = fmax(found.position, hypot(x - sin(y[0]), z + cos(y[0])));
        found.length = fmax(found.length, fabs(hypot(x, z) - 1.0));
        const int steps = (int)ceil(h / 1e-3);
        integrate(swing, y, 2, 0.5 * h, steps);
        const double tension = y[1] * y[1] + PI * PI * cos(y[0]);
        if (row + 1 < t->rows)
            found.tension = fmax(found.tension, fabs(fabs(value(s, row + 1, "rod.lambda0")) - fabs(tension)));
        integrate(swing, y, 2, 0.5 * h, steps);
    }
    return found;
}

/* Solfec: 1.2e-3, 3.7e-3 at h = 0.01 and 1.2e-5, 3.7e-5, 0.056 at 0.001. */
static void a_pendulum_swings_better_than_solfecs(void **state)
{
    (void)state;
    const errors coarse = pendulum_errors(1e-2), fine = pendulum_errors(1e-3);
    assert_true(coarse.position < 1.2e-3 && coarse.energy < 3.7e-3 && coarse.length < 1e-9);
    assert_true(fine.position < 1.2e-5 && fine.energy < 3.7e-5 && fine.length < 1e-12 &&
                fine.tension < 0.056);
}

static void its_order_is_two_also_in_reactions(void **state)
{
    (void)state;
    const errors coarse = pendulum_errors(5e-4), fine = pendulum_errors(2.5e-4);
