/* test_constraint_orders.c - with constraints positions, velocities and multipliers err by h^2: over the whole run, from
 * the first step on, and through changes of the step. Measured on the heavy top of Bruls and Cardona. */
#include "alpha_steps.h"

#define MASS 15.0
#define GRAVITY 9.81

/* ---- its solution: Euler's equations about the pivot, by the classical method of order 4 in tiny steps ------- */

static const double inertia[3] = {15.234375, 0.46875, 15.234375}; /* about the pivot */

/* Quaternion, then angular velocity in body axes. */
typedef struct motion {
    double e[4], w[3];
} motion;

static void matrix_of(const double *e, double R[3][3])
{
    const double w = e[0], x = e[1], y = e[2], z = e[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(R, rows, sizeof rows);
}

static motion rate_of(const motion *at)
{
    double R[3][3];
    matrix_of(at->e, R);
    const double *e = at->e, *w = at->w;
    /* the weight at (0, 1, 0) has no moment about the axis of the top */
    const double moment[3] = {-MASS * GRAVITY * R[2][2], 0.0, MASS * GRAVITY * R[2][0]};
    motion rate = {.e = {0.5 * (-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]),
                         0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
                         0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]),
                         0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0])}};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rate.w[i] = (moment[i] + (inertia[j] - inertia[k]) * w[j] * w[k]) / inertia[i];
    }
    return rate;
}

static motion moved(const motion *from, const motion *rate, double h)
{
    motion to = *from;
    for (int i = 0; i < 4; i++)
        to.e[i] += h * rate->e[i];
    for (int i = 0; i < 3; i++)
        to.w[i] += h * rate->w[i];
    return to;
}

static motion after_step(const motion *from, double h)
{
    const motion k1 = rate_of(from), a = moved(from, &k1, 0.5 * h), k2 = rate_of(&a),
                 b = moved(from, &k2, 0.5 * h), k3 = rate_of(&b), c = moved(from, &k3, h), k4 = rate_of(&c);
    motion to = moved(from, &k1, h / 6.0);
    to = moved(&to, &k2, h / 3.0);
    to = moved(&to, &k3, h / 3.0);
    return moved(&to, &k4, h / 6.0);
}

/* The motion at a time; later times go on from earlier ones. */
static motion motion_at(double time)
{
    static motion now;
    static double reached = HUGE_VAL;
    if (time < reached) {
        now = (motion){.e = {1.0}, .w = {0.0, 150.0, -4.61538}};
        reached = 0.0;
    }
    const double span = time - reached, parts = ceil(span / 4e-5);
    for (int k = 0; k < (int)parts; k++)
        now = after_step(&now, span / parts);
    reached = time;
    return now;
}

/* The centre of mass lies at (0, 1, 0) of the body; the joint carries m (a - g). */
static void solution_of_top(double time, double value[TN_LEVELS][TN_MOST_VALUES])
{
    const motion at = motion_at(time), rate = rate_of(&at);
    const double *w = at.w, *dw = rate.w;
    const double velocity[3] = {-w[2], 0.0, w[0]};
    const double acceleration[3] = {w[0] * w[1] - dw[2], -w[0] * w[0] - w[2] * w[2], w[1] * w[2] + dw[0]};
    double R[3][3];
    matrix_of(at.e, R);
    for (int i = 0; i < 3; i++) {
        value[TN_POSITION][i] = R[i][1];
        value[TN_SPEED][3 + i] = w[i];
        value[TN_MULTIPLIER][i] = i == 2 ? MASS * GRAVITY : 0.0;
        for (int k = 0; k < 3; k++) {
            value[TN_SPEED][i] += R[i][k] * velocity[k];
            value[TN_MULTIPLIER][i] += MASS * R[i][k] * acceleration[k];
        }
    }
    memcpy(value[TN_POSITION] + 3, at.e, sizeof at.e);
}

static const tn_known top = {
    .model =
        "[model]\ngravity = [0, 0, -9.81]\n"
        "[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 15\ninertia = [0.234375, 0.46875, 0.234375]\n"
        "position = [0, 1, 0]\nvelocity = [4.61538, 0, 0]\nangular_velocity = [0, 150, -4.61538]\n"
        "[[element]]\nname = 'pivot'\ntype = 'spherical'\n"
        "markers = ['ground', { element = 'top', position = [0, -1, 0] }]\n",
    .solution = solution_of_top};

static const char *const methods[] = {"spectral_radius = 0.8\n",
                                      "spectral_radius = 0.5\n",
                                      "scheme = 'hht'\n",
                                      "index = 2\n",
                                      "index = 2\nspectral_radius = 0.5\n",
                                      "scheme = 'trapezoidal'\n"};
enum { METHODS = sizeof methods / sizeof *methods };
static const tn_rhythm equal = {{1.0}}, alternating = {{1.0, 0.5}}, mixed = {{1.0, 0.3, 1.0, 2.0}};

/* ---- orders ---------------------------------------------------------------------------------------------- */

static void test_errors_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++)
        tn_check_order(&top, methods[m], &equal, 1.0 / 2048, 2.0, 4.3);
}

static void test_changing_steps_keep_the_order(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const char *keys = tn_format("%s" TN_ACCURATE, methods[m]);
        tn_check_order(&top, keys, &alternating, 1.0 / 1024, 0.5, 4.3);
        tn_check_order(&top, keys, &mixed, 1.0 / 2048, 0.25, 4.3);
    }
}

/* Nothing has to settle first: the same number of steps with half the step. */
static void test_the_first_steps_have_the_order(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 3, 5, 10};
    for (int m = 0; m < METHODS; m++)
        for (int c = 0; c < 5; c++)
            for (int k = 0; k < 2; k++) {
                const tn_rhythm *rhythm = k ? &alternating : &equal;
                const char *keys = tn_format("%s" TN_ACCURATE, methods[m]);
                double coarse[TN_LEVELS], fine[TN_LEVELS];
                tn_measure(&top, keys, rhythm, 1.0 / 2048, HUGE_VAL, counts[c], coarse);
                tn_measure(&top, keys, rhythm, 1.0 / 4096, HUGE_VAL, counts[c], fine);
                tn_check_ratios(keys, coarse, fine, 3.7, 9.0);
            }
}

/* What is left in positions after a step would stand in the multipliers of a step of a thousandth, times a million; and errors
 * of velocities would grow with every step that doubles. */
static void test_much_shorter_steps_keep_the_multipliers(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const double h = 1.0 / 2048;
        double largest[TN_LEVELS] = {0.0};
        tn_stepped run;
        tn_steps_open(&run, &top, methods[m], h);
        for (int round = 0; round < 10; round++) {
            for (double step = h / 1024.0; step < h; step *= 2.0)
                for (int k = 0; k < 8; k++)
                    tn_take_step(&run, step, run.system->time + step);
            for (int k = 0; k < 10; k++) {
                tn_take_step(&run, h, run.system->time + h);
                tn_compare_state(run.system, &top, largest);
            }
        }
        if (!(largest[TN_SPEED] <= 4e-3 && largest[TN_MULTIPLIER] <= 3.0))
            fail_msg("%serrors of velocities %.3g, of multipliers %.3g", methods[m], largest[TN_SPEED],
                     largest[TN_MULTIPLIER]);
        tn_steps_close(&run);
    }
}

/* ---- steps that are refused ------------------------------------------------------------------------------ */

static struct {
    tn_status (*evaluate)(tn_system *system);
    double accepted, longest; /* time; stride that is not refused */
    const tn_known *known;
    double largest[TN_LEVELS];
} refusal;

/* Long strides are refused from 0.1 s to 0.2 s. */
static tn_status refuse_long_strides(tn_system *system)
{
    const bool within = system->time > 0.1 && system->time < 0.2;
    return within && system->time - refusal.accepted > refusal.longest ? TN_RETRY : refusal.evaluate(system);
}

static tn_status note_errors(tn_system *system)
{
    refusal.accepted = system->time;
    tn_compare_state(system, refusal.known, refusal.largest);
    return TN_OK;
}

static tn_status cross_step(alpha_work *work, double start, double h, double end)
{
    tn_status status = TN_OK;
    work->stand.piece = (alpha_piece){.start = start, .length = h, .end = end};
    while (status == TN_OK && work->stand.piece.done < 1.0)
        status = cross_part(work);
    return status;
}

/* Steps are halved where they are refused, tried whole again, and halved again. */
static void measure_with_refusals(const char *keys, double h, double largest[TN_LEVELS])
{
    tn_stepped run;
    tn_steps_open(&run, &top, keys, h);
    memset(&refusal, 0, sizeof refusal);
    refusal.evaluate = run.system->evaluate;
    refusal.longest = 0.6 * h;
    refusal.known = &top;
    run.system->evaluate = refuse_long_strides;
    run.system->accept = note_errors;
    while (run.system->time < 0.4)
        tn_check_status(&run, cross_step(&run.work, run.system->time, h, run.system->time + h));
    assert_true((double)run.system->statistics->rejected_steps > 0.02 / h);
    memcpy(largest, refusal.largest, sizeof refusal.largest);
    tn_steps_close(&run);
}

static void test_refused_steps_keep_the_order(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        double coarse[TN_LEVELS], fine[TN_LEVELS];
        measure_with_refusals(methods[m], 1.0 / 2048, coarse);
        measure_with_refusals(methods[m], 1.0 / 4096, fine);
        tn_check_ratios(methods[m], coarse, fine, 3.7, 4.3);
    }
}

/* ---- constraints ----------------------------------------------------------------------------------------- */

static double largest_of(const double *rows, uint32_t count)
{
    double largest = 0.0;
    for (uint32_t r = 0; r < count; r++)
        largest = fmax(largest, fabs(rows[r]));
    return largest;
}

static void test_constraints_hold_at_every_step(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        tn_stepped run;
        tn_steps_open(&run, &top, methods[m], 1e-3);
        const bool velocities = run.work.settings->index == 2;
        double rows[3], worst = 0.0, rate = 0.0;
        for (int k = 0; k < 1000; k++) {
            tn_take_step(&run, k % 10 ? 1e-3 : 5e-4, run.system->time + (k % 10 ? 1e-3 : 5e-4));
            tn_check_status(&run, run.system->evaluate(run.system));
            tn_check_status(&run, run.system->constraint(run.system, rows));
            worst = fmax(worst, largest_of(rows, 3));
            tn_check_status(&run, run.system->constraint_rate(run.system, rows));
            rate = fmax(rate, largest_of(rows, 3));
        }
        if (!(worst < 1e-10 && (!velocities || rate < 1e-10)))
            fail_msg("%serrors of positions %.3g, of velocities %.3g", methods[m], worst, rate);
        tn_steps_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors_fall_with_the_square_of_the_step),
                                       cmocka_unit_test(test_changing_steps_keep_the_order),
                                       cmocka_unit_test(test_the_first_steps_have_the_order),
                                       cmocka_unit_test(test_much_shorter_steps_keep_the_multipliers),
                                       cmocka_unit_test(test_refused_steps_keep_the_order),
                                       cmocka_unit_test(test_constraints_hold_at_every_step)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}
