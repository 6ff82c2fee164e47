/* test_control_blocks.c - blocks of control systems: their outputs follow the exact solution under every solver, continuous ones and those
 * that work at sample times */
#include "control_models.h"
#include "linear.h"

#include <math.h>

/* ---- exact solutions ------------------------------------------------------------------------------------------ */

enum { MOST = 8 };
typedef struct square {
    size_t n;
    long double e[MOST][MOST];
} square;

static square times(const square *a, const square *b)
{
    square c = {a->n, {{0}}};
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < a->n; j++)
            for (size_t k = 0; k < a->n; k++)
                c.e[i][j] += a->e[i][k] * b->e[k][j];
    return c;
}

/* exp(A h), by a series of the 2^-20th part, squared. */
static square exponential(square a, long double h)
{
    square term = {a.n, {{0}}}, sum = {a.n, {{0}}};
    for (size_t i = 0; i < a.n; i++) {
        term.e[i][i] = sum.e[i][i] = 1.0L;
        for (size_t j = 0; j < a.n; j++)
            a.e[i][j] *= ldexpl(h, -20);
    }
    for (int k = 1; k < 12; k++) {
        term = times(&term, &a);
        for (size_t i = 0; i < a.n; i++)
            for (size_t j = 0; j < a.n; j++)
                sum.e[i][j] += term.e[i][j] /= k;
    }
    for (int k = 0; k < 20; k++)
        sum = times(&sum, &sum);
    return sum;
}

static void multiply(const square *a, long double *x)
{
    long double y[MOST] = {0};
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < a->n; k++)
            y[i] += a->e[i][k] * x[k];
    memcpy(x, y, sizeof y);
}

/* ---- models --------------------------------------------------------------------------------------------------- */

#define VARIABLE(name, keys) BLOCK(name, "reference_variable", keys)

/* So accurate that errors stay below 1e-9. */
static const char *const solvers[] = {
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-5\n", "[solver]\ntype = 'rk'\ntolerance = 1e-11\n",
    "[solver]\ntype = 'radau'\ntolerance = 1e-11\n",       "[solver]\ntype = 'gsl_ode'\ntolerance = 1e-11\n",
    "[solver]\ntype = 'ida'\ntolerance = 1e-12\n",         "[solver]\ntype = 'moreau'\nstep = 1e-5\n",
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static bool is_there(size_t solver)
{
    return !(strstr(solvers[solver], "gsl_ode") && !tn_has_plugin("gsl_ode")) &&
           !(strstr(solvers[solver], "ida") && !tn_has_plugin("ida"));
}

static const tn_csv_table *run(const char *model, size_t solver, const char *rest)
{
    return tn_simulate(tn_format("%s%s%s", model, solvers[solver], rest), NULL);
}

static double at_row(const tn_csv_table *table, size_t row, const char *column)
{
    return table->value[row * table->columns + tn_column_of(table, column)];
}

static void check_near(const tn_csv_table *table, size_t row, const char *column, long double right,
                       double tolerance, size_t solver)
{
    const double found = at_row(table, row, column);
    if (!(fabs(found - (double)right) <= tolerance))
        fail_msg("%s%s at %.9g s: %.17g, %.17g", solvers[solver], column, at_row(table, row, "time"), found,
                 (double)right);
}

/* ---- sampled -------------------------------------------------------------------------------------------------- */

/* x of a cart of M = 1 kg, s of a point mass m = 0.2 kg on a rod of l = 0.5 m above it, at small angles (s - x)/l:
 * M x'' = u - m g (s - x)/l - k x - c x',  m s'' = m g (s - x)/l;  u = -K (x, s, x', s') every 10 ms. */
#define PENDULUM                                                             \
    MASS("cart", "1", "0")                                                   \
    MASS("bob", "0.2", "0.05")                                               \
    FORCE("rod", "'bob', 'cart'", "0.2*9.81*(COORD(bob) - COORD(cart))/0.5") \
    FORCE("spring", "'cart'", "-20*COORD(cart) - 2*RATE(cart)")              \
    FORCE("motor", "'cart'", "ARYVAL(regulator)")                            \
    SENSOR("x", "COORD(cart)")                                               \
    SENSOR("s", "COORD(bob)")                                                \
    SENSOR("vx", "RATE(cart)") SENSOR("vs", "RATE(bob)") SENSOR("u", "ARYVAL(regulator, 1)")
static const long double gain[] = {243.20625834526118L, -296.8663952596768L, 20.081460048898187L,
                                   -52.20406378101216L};

static void a_sampled_regulator_is_exact_under_every_solver(void **state)
{
    (void)state;
    const long double l = 0.5L, mg = 0.2L * 9.81L;
    const square A = {5,
                      {{0, 0, 1, 0, 0},
                       {0, 0, 0, 1, 0},
                       {-20.0L + mg / l, -mg / l, -2.0L, 0, 1},
                       {-9.81L / l, 9.81L / l, 0, 0, 0}}};
    const square E = exponential(A, 0.01L);
    (void)tn_write("gain.csv",
                   "# K\n243.20625834526118, -296.8663952596768 20.081460048898187; -52.20406378101216\n");
    for (size_t k = 0; k < SOLVERS; k++) {
        if (!is_there(k)) continue;
        const tn_csv_table *table =
            run(PENDULUM BLOCK("regulator", "state_space",
                               "input = ['COORD(cart)', 'COORD(bob)', 'RATE(cart)', 'RATE(bob)']\n"
                               "file = 'gain.csv'\nfactor = -1\nperiod = 0.01"),
                k, "end_time = 1\n[output]\ninterval = 0.01\n");
        assert_int_equal(table->rows, 101);
        long double z[MOST] = {0, 0.05L};
        for (size_t row = 0; row < 101; row++) {
            z[4] = 0.0L;
            for (size_t i = 0; i < 4; i++)
                z[4] -= gain[i] * z[i];
            static const char *const names[] = {"x", "s", "vx", "vs"};
            for (size_t i = 0; i < 4; i++)
                check_near(table, row, names[i], z[i], 1e-9, k);
            check_near(table, row, "u", z[4], 1e-6, k);
            multiply(&E, z);
        }
    }
}

/* The cart and rod of inverted_pendulum.toml, as it moves: z = x, theta, x', theta', with the force u. */
static void pendulum_rates(const long double *z, long double u, long double *rate)
{
    const long double M = 1.2L, ml = 0.2L * 0.4L, J = 0.01L + ml * 0.4L, s = sinl(z[1]), c = ml * cosl(z[1]);
    const long double f = u - z[0] - 0.5L * z[2] + ml * s * z[3] * z[3], t = 9.81L * ml * s;
    rate[0] = z[2];
    rate[1] = z[3];
    rate[2] = (J * f - c * t) / (M * J - c * c);
    rate[3] = (M * t - c * f) / (M * J - c * c);
}

/* From one sample to the next one, 10 ms, by the classical method of Runge and Kutta in steps of 0.1 ms: errors of 1e-15. */
static void move_pendulum(long double *z, long double u)
{
    enum { STEPS = 100 };
    const long double h = 0.01L / STEPS, part[] = {0, 0.5L, 0.5L, 1.0L}, weight[] = {1, 2, 2, 1};
    for (int n = 0; n < STEPS; n++) {
        long double k[4] = {0}, sum[4] = {0}, at[4];
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++)
                at[i] = z[i] + part[stage] * h * k[i];
            pendulum_rates(at, u, k);
            for (int i = 0; i < 4; i++)
                sum[i] += weight[stage] * k[i];
        }
        for (int i = 0; i < 4; i++)
            z[i] += h / 6.0L * sum[i];
    }
}

/* From 0.2 rad; what is limited, too: the first force would be 29 N. */
static void a_sampled_regulator_of_a_mechanism_is_exact_under_every_solver(void **state)
{
    (void)state;
    const char *path = TENON_SOURCE_DIR "/configs/control/inverted_pendulum.toml";
    static const char *const how[][3] = {
        {"radau", "tolerance=1e-12"},       {"rk", "tolerance=1e-12"},
        {"gsl_ode", "tolerance=1e-12"},     {"gsl_ode", "tolerance=1e-12", "solver.stepper=msadams"},
        {"ida", "tolerance=1e-12"},         {"gsl_ode", "tolerance=1e-12", "solver.stepper=msbdf"},
        {"generalized_alpha", "step=2e-5"}, {"moreau", "step=2e-5"}};
    static const long double K[] = {29.2812L, 147.078L, 28.4027L, 26.5881L};
    for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
        const char *results = tn_scratch_path(NULL);
        if (!tn_has_plugin(how[k][0])) continue;
        const tn_outcome outcome = tn_tenon(
            TN_WORDS("run", path, "--quiet", "--out", results, "--solver", how[k][0], "--set",
                     tn_format("solver.%s", how[k][1]), "--set",
                     how[k][2] ? how[k][2] : "solver.end_time=0.3", "--set", "solver.end_time=0.3", "--set",
                     "element.regulator.resolution=[0]", "--set", "element.regulator.highest=[20]"));
        if (outcome.status != 0) fail_msg("%s: %s", how[k][0], outcome.errors);
        const tn_csv_table *table = tn_sensors(results);
        long double z[4] = {0, 0.2L};
        assert_int_equal(table->rows, 31);
        for (size_t row = 0; row < table->rows; row++) {
            long double u = 0;
            for (int i = 0; i < 4; i++)
                u += K[i] * z[i];
            static const char *const names[] = {"slider", "angle", "speed", "rate"};
            for (size_t i = 0; i < 4; i++)
                if (!(fabs(at_row(table, row, names[i]) - (double)z[i]) <= (i < 2 ? 1e-9 : 1e-8)))
                    fail_msg("%s: %s in row %zu: %.17g, %.17g", how[k][0], names[i], row,
                             at_row(table, row, names[i]), (double)z[i]);
            move_pendulum(z, fminl(u, 20.0L));
        }
    }
}

/* y(z) = (0.5 z + 0.25)/(z^2 - 1.2 z + 0.5) of u = t^2, delayed by two samples, rounded and limited. */
static void a_filter_of_z_follows_its_difference_equation(void **state)
{
    (void)state;
    static const char model[] = MASS("m", "1", "0")
        BLOCK("filter", "transfer_function",
              "input = 'time**2'\nnumerator = [0.5, 0.25]\ndenominator = [1, -1.2, 0.5]\n"
              "period = 0.05\noffset = 0.02\ndelay = 2\nresolution = [0.001]\nhighest = [0.4]")
            SENSOR("y", "ARYVAL(filter)");
    const tn_csv_table *table = run(model, 1, "end_time = 1\n[output]\ninterval = 0.01\n");
    double y[24] = {0.0}, u[24] = {0.0};
    for (int k = 0; k < 20; k++) {
        u[k + 2] = pow(0.02 + 0.05 * k, 2);
        y[k + 2] = 1.2 * y[k + 1] - 0.5 * y[k] + 0.5 * u[k + 1] + 0.25 * u[k];
    }
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at_row(table, row, "time"), number = floor((time - 0.02) / 0.05 + 1e-6);
        const double late = number < 2.0 ? 0.0 : y[(int)number];
        const double right = fmin(0.001 * nearbyint(late / 0.001), 0.4);
        check_near(table, row, "y", (long double)right, 1e-12, 1);
    }
    assert_true(tn_value_at(table, "y", 1.0) == 0.4);
}

/* Blocks that are due together: each finds the new outputs of those that it reads at once, wherever they stand in the file, and a
 * block with a state reads them for its next sample. */
static void outputs_of_one_sample_follow_each_other(void **state)
{
    (void)state;
    static const char model[] =
        MASS("m", "1", "0") BLOCK("last", "state_space", "input = 'VARVAL(twice)'\nperiod = 0.1")
            VARIABLE("twice", "expression = '2*ARYVAL(first) + 100*ARYVAL(sum)'")
                BLOCK("first", "state_space", "input = 'time + 1'\nD = [3]\nperiod = 0.1") BLOCK(
                    "sum", "state_space", "input = 'ARYVAL(first)'\nA = [1]\nB = [1]\nC = [1]\nperiod = 0.2")
                    SENSOR("first", "ARYVAL(first)") SENSOR("last", "ARYVAL(last)")
                        SENSOR("sum", "ARYVAL(sum)");
    const tn_csv_table *table = run(model, 1, "end_time = 1\n[output]\ninterval = 0.1\n");
    double sum = 0.0, held = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        const double first = 3.0 * (0.1 * (double)row + 1.0);
        if (row % 2 == 0) {
            held = sum;
            sum += first;
        }
        check_near(table, row, "first", (long double)first, 1e-12, 1);
        check_near(table, row, "sum", (long double)held, 1e-11, 1);
        check_near(table, row, "last", (long double)(2.0 * first + 100.0 * held), 1e-9, 1);
    }
}

/* ---- continuous ----------------------------------------------------------------------------------------------- */

/* A mass of 2 kg on an actuator with a lag of T behind a lead (D is not zero) of its position. */
#define SERVO(T)                                                                                             \
    MASS("m", "2", "0.1")                                                                                    \
    BLOCK("lead", "transfer_function", "input = 'COORD(m)'\nnumerator = [-8, -50]\ndenominator = [0.05, 1]") \
    BLOCK("lag", "transfer_function", "input = 'ARYVAL(lead)'\nnumerator = [1]\ndenominator = [" T ", 1]")   \
    FORCE("f", "'m'", "ARYVAL(lag)")                                                                         \
    SENSOR("x", "COORD(m)") SENSOR("y", "ARYVAL(lead)") SENSOR("z", "ARYVAL(lag)")

/* z = (x, x', state of the lead, of the lag): lead: w' = x - 20 w, y = (-8 x - ... ) as the controllable form has it. */
static square servo(long double T)
{
    const long double d = -8.0L / 0.05L, c = -50.0L / 0.05L - d / 0.05L;
    return (square){4, {{0, 1, 0, 0}, {0, 0, 0, 0.5L / T}, {1, 0, -20.0L, 0}, {d, 0, c, -1.0L / T}}};
}

static void blocks_in_a_row_are_exact_under_every_solver(void **state)
{
    (void)state;
    const square A = servo(0.02L), E = exponential(A, 0.05L);
    for (size_t k = 0; k < SOLVERS; k++) {
        if (!is_there(k)) continue;
        const bool first_order = strstr(solvers[k], "moreau");
        const tn_csv_table *table = run("" SERVO("0.02"), k, "end_time = 0.5\n[output]\ninterval = 0.05\n");
        long double z[MOST] = {0.1L};
        for (size_t row = 0; row < 11; row++) {
            check_near(table, row, "x", z[0], first_order ? 1e-8 : 1e-9, k);
            check_near(table, row, "z", z[3] / 0.02L, first_order ? 1e-6 : 1e-7, k);
            multiply(&E, z);
        }
    }
}

/* A lag of 1 us costs no steps of 1 ms, and follows what it reads. */
static void stiff_blocks_cost_no_steps(void **state)
{
    (void)state;
    const square A = servo(1e-6L), E = exponential(A, 0.05L);
    static const char *const stiff[] = {"[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\n",
                                        "[solver]\ntype = 'radau'\ntolerance = 1e-7\n"};
    for (size_t k = 0; k < 2; k++) {
        const tn_csv_table *table = tn_simulate(
            tn_format("%s%send_time = 0.5\n[output]\ninterval = 0.05\n", SERVO("1e-6"), stiff[k]), NULL);
        long double z[MOST] = {0.1L};
        for (size_t row = 0; row < 11; row++) {
            check_near(table, row, "x", z[0], 1e-4, k);
            multiply(&E, z);
        }
    }
}

/* A stiff position control through a lag, far beyond the step that an explicit method could take: with all derivatives one iteration is
 * enough, as all is linear. */
static void matrices_hold_what_blocks_change(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_write(
        "stiff.toml",
        MASS("m", "2", "0.1") BLOCK("lag", "transfer_function",
                                    "input = '-2e4*COORD(m) - 100*RATE(m)'\nnumerator = [1]\n"
                                    "denominator = [1e-3, 1]")
            FORCE("f", "'m'",
                  "ARYVAL(lag)") "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-2\n");
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", results)).status, 0);
    assert_true(tn_run_number(results, "run.statistics.newton_iterations") <=
                1.2 * tn_run_number(results, "run.statistics.steps"));
}

/* An observer of a mass of 1 kg, whose states the control reads, which it reads itself: with K = (9, 6) and L = (40, 400)
 * xh' = A xh + B u + L (x - xh1), u = -K xh. */
static void an_observer_reads_what_follows_from_it(void **state)
{
    (void)state;
    static const char model[] =
        MASS("m", "1", "0.1") VARIABLE("u", "expression = '-9*ARYVAL(observer, 1) - 6*ARYVAL(observer, 2)'")
            BLOCK("observer", "state_space",
                  "input = ['VARVAL(u)', 'COORD(m)']\nA = [[-40, 1], [-400, 0]]\nB = [[0, 40], [1, 400]]")
                FORCE("f", "'m'", "VARVAL(u)") SENSOR("x", "COORD(m)");
    const square A = {4, {{0, 1, 0, 0}, {0, 0, -9, -6}, {40, 0, -40, 1}, {400, 0, -409, -6}}},
                 E = exponential(A, 0.05L);
    for (size_t k = 0; k < SOLVERS; k++) {
        if (!is_there(k)) continue;
        const tn_csv_table *table = run(model, k, "end_time = 0.5\n[output]\ninterval = 0.05\n");
        long double z[MOST] = {0.1L};
        for (size_t row = 0; row < 11; row++) {
            check_near(table, row, "x", z[0], 2e-9, k);
            multiply(&E, z);
        }
    }
}

/* E x' = A x + B u with E; C is left out: the states are the outputs. */
static void a_regular_E_is_divided_by(void **state)
{
    (void)state;
    static const char model[] =
        MASS("m", "1", "0") BLOCK("b", "state_space",
                                  "input = ['1', 'time']\nE = [[2, 1], [0, 4]]\nA = [[-2, 3], [1, -5]]\n"
                                  "B = [[1, 0], [0, 2]]\nstart = [0.5, -1]") SENSOR("x", "ARYVAL(b, 1)")
            SENSOR("y", "ARYVAL(b, 2)");
    /* E^-1: x1' = (r1 - r2/4)/2, x2' = r2/4 */
    const square A = {4,
                      {{(-2.0L - 0.25L) / 2, (3.0L + 1.25L) / 2, 0.5L, -0.25L},
                       {0.25L, -1.25L, 0, 0.5L},
                       {0, 0, 0, 0},
                       {0, 0, 1, 0}}};
    const square E = exponential(A, 1.0L);
    long double z[MOST] = {0.5L, -1.0L, 1.0L, 0.0L};
    const tn_csv_table *table = run(model, 2, "end_time = 1\n[output]\ninterval = 1\n");
    multiply(&E, z);
    check_near(table, 1, "x", z[0], 1e-9, 2);
    check_near(table, 1, "y", z[1], 1e-9, 2);
}

/* The matrices that linearise writes are a block that moves as the model does: cart and pole, and between samples. */
static void files_of_linearise_are_blocks(void **state)
{
    (void)state;
#define SPRUNG                                                                               \
    "[[input]]\nname = 'push'\nvalue = 0\n" MASS("a", "1", "0") MASS("b", "2", "0")          \
        FORCE("s", "'a', 'b'", "-30*(COORD(a) - COORD(b)) - 0.3*(RATE(a) - RATE(b)) + push") \
            FORCE("w", "'a'", "-10*COORD(a)") SENSOR("xa", "COORD(a)") SENSOR("xb", "COORD(b)")
    const char *results =
        tn_linearise(SPRUNG LINEARISE("step = 0.05\nstates = ['a', 'b']\noutputs = ['xa', 'xb']\n"));
    (void)tn_write("linear.json", tn_read(tn_format("%s/linear.json", results)));
    const tn_csv_table *table = tn_simulate(
        SPRUNG BLOCK("c", "state_space", "input = 'push'\nfile = 'linear.json'")
            BLOCK("d", "state_space", "input = 'push'\nfile = 'linear.json'\nperiod = 0.05")
                SENSOR("ca", "ARYVAL(c, 1)") SENSOR("cb", "ARYVAL(c, 2)") SENSOR("da", "ARYVAL(d, 1)")
                    SENSOR("db", "ARYVAL(d, 2)") "[solver]\ntype = 'radau'\ntolerance = 1e-11\nend_time = "
                                                 "1\n[output]\ninterval = 0.05\n",
        TN_WORDS("--set", "input.push.value=3"));
    assert_true(fabs(tn_value_at(table, "xa", 1.0)) > 1e-2);
    for (size_t row = 0; row < table->rows; row++) {
        check_near(table, row, "ca", (long double)at_row(table, row, "xa"), 1e-9, 2);
        check_near(table, row, "cb", (long double)at_row(table, row, "xb"), 1e-9, 2);
        check_near(table, row, "da", (long double)at_row(table, row, "xa"), 1e-9, 2);
        check_near(table, row, "db", (long double)at_row(table, row, "xb"), 1e-9, 2);
    }
}

/* The closed loop is linearised with the states of its blocks: exactly. */
static void closed_loops_are_linearised_exactly(void **state)
{
    (void)state;
    const char *results = tn_linearise("[[input]]\nname = 'unused'\nvalue = 0\n" SERVO("0.02") LINEARISE(
        "force = true\nstates = ['m']\noutputs = ['x', 'y', 'z']\n"));
    const tn_npz_matrix A = tn_npz_read(results, "A"), C = tn_npz_read(results, "C");
    const square right = servo(0.02L);
    double of_A[16];
    for (size_t k = 0; k < 16; k++)
        of_A[k] = (double)right.e[k / 4][k % 4];
    tn_check_matrix(&A, 4, 4, of_A, 1e-13);
    const double d = -8.0 / 0.05, c = -50.0 / 0.05 - d / 0.05,
                 of_C[] = {1, 0, 0, 0, d, 0, c, 0, 0, 0, 0, 1.0 / 0.02};
    tn_check_matrix(&C, 3, 4, of_C, 1e-13);
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static void lists_and_integrals_are_read_by_their_functions(void **state)
{
    (void)state;
    static const char model[] = MASS("m", "1", "0") FORCE("f", "'m'", "PINVAL(7, 2)")
        VARIABLE("p", "id = 3\nexpression = 'time'\nintegral = true")
            BLOCK("to", "plant_input", "id = 7\nvalues = [5, '2*time', 'POUVAL(from)']")
                BLOCK("from", "plant_output", "values = ['COORD(m)']")
                    BLOCK("list", "reference_array",
                          "id = 8\nvalues = [1.5, '-DIF(p)']") SENSOR("a", "ARYVAL(list, 1) + ARYVAL(8, 2)")
                        SENSOR("b", "PINVAL(to, 3)") SENSOR("c", "DIF(3)") SENSOR("d", "DIF1(p)") SENSOR(
                            "x", "COORD(m)") "[[sensor]]\nname = 'all'\nelement = 'to'\noutput = 'output'\n";
    const tn_csv_table *table = run(model, 1, "end_time = 1\n[output]\ninterval = 0.5\n");
    check_near(table, 2, "x", 1.0L / 3.0L, 1e-10, 1);
    check_near(table, 2, "a", 1.0L, 1e-10, 1);
    check_near(table, 2, "b", 1.0L / 3.0L, 1e-10, 1);
    check_near(table, 2, "c", 0.5L, 1e-10, 1);
    check_near(table, 2, "d", 1.0L, 1e-15, 1);
    check_near(table, 2, "all.y", 2.0L, 1e-15, 1);
}

/* ---- a run that goes on --------------------------------------------------------------------------------------- */

static void guarded_calls_find_no_fault(void **state)
{
    (void)state;
    (void)tn_simulate(
        SERVO("0.02") BLOCK("s", "state_space",
                            "input = ['COORD(m)', 'RATE(m)']\nA = [[0.5]]\nB = [[1, 1]]\nC = [[2]]\n"
                            "D = [[1, 0]]\nperiod = 0.01\ndelay = 1") FORCE("g", "'m'", "ARYVAL(s)")
            BLOCK("l", "plant_output", "values = ['ARYVAL(s)', 3]") SENSOR(
                "l", "POUVAL(l, 2)") "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.1\n",
        TN_WORDS("--guard"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_hold_what_blocks_change),
        cmocka_unit_test(a_sampled_regulator_is_exact_under_every_solver),
        cmocka_unit_test(a_sampled_regulator_of_a_mechanism_is_exact_under_every_solver),
        cmocka_unit_test(a_filter_of_z_follows_its_difference_equation),
        cmocka_unit_test(outputs_of_one_sample_follow_each_other),
        cmocka_unit_test(blocks_in_a_row_are_exact_under_every_solver),
        cmocka_unit_test(stiff_blocks_cost_no_steps),
        cmocka_unit_test(an_observer_reads_what_follows_from_it),
        cmocka_unit_test(a_regular_E_is_divided_by),
        cmocka_unit_test(files_of_linearise_are_blocks),
        cmocka_unit_test(closed_loops_are_linearised_exactly),
        cmocka_unit_test(lists_and_integrals_are_read_by_their_functions),
        cmocka_unit_test(guarded_calls_find_no_fault),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
