/* functions_wave.c - sines (see functions.h).
 *
 *   SHF(x, x0, a, w, phi, b)            a sin(w (x - x0) - phi) + b
 *   SWEEP(x, a, x0, f0, x1, f1, dx)     STEP5(x, 0, 0, dx, 1) a sin(2 pi n(x)): the frequency n' is f0 up to x0, f1 from
 *                                       x1 on and linear between; n is continuous */
#include "expression/jet.h"
#include "expression/ramps.h"

static void sine_of_angle(const tn_jet_space *space, const tn_jet *angle, tn_jet *result)
{
    const double value = sin(angle->value), cosine = space->count ? cos(angle->value) : 0.0;
    tn_jet_one(space, angle, value, cosine, -value, result);
}

enum { SHF_ARGUMENTS = 6, SWEEP_ARGUMENTS = 7 };

TN_BODY(simple_harmonic)
{
    tn_jet jet[SHF_ARGUMENTS], wave;
    const tn_jet_space space = tn_jet_begin(argument, SHF_ARGUMENTS, result, jet);
    tn_jet_sum(&space, 1.0, &jet[0], -1.0, &jet[1], &wave);
    tn_jet_product(&space, &jet[3], &wave, &wave);
    tn_jet_sum(&space, 1.0, &wave, -1.0, &jet[4], &wave);
    sine_of_angle(&space, &wave, &wave);
    tn_jet_product(&space, &jet[2], &wave, &wave);
    tn_jet_sum(&space, 1.0, &wave, 1.0, &jet[5], &wave);
    tn_jet_end(&space, &wave, SHF_ARGUMENTS, result);
    return NULL;
}

enum { X, AMPLITUDE, X0, F0, X1, F1, RISE };

/* The number of cycles since x = 0:
 * f0 x;  f0 x + (f1 - f0) (x - x0)^2 / (2 (x1 - x0));  f1 x - (f1 - f0) (x1 + x0)/2 */
static void count_cycles(const tn_jet_space *space, const tn_jet *jet, tn_jet *result)
{
    tn_jet change, width;
    tn_jet_product(space, &jet[F0], &jet[X], result);
    if (jet[X].value <= jet[X0].value) return;
    tn_jet_sum(space, 0.5, &jet[F1], -0.5, &jet[F0], &change);
    if (jet[X].value < jet[X1].value) {
        tn_jet_sum(space, 1.0, &jet[X1], -1.0, &jet[X0], &width);
        tn_jet_quotient(space, &change, &width, &change);
        tn_jet_sum(space, 1.0, &jet[X], -1.0, &jet[X0], &width);
        tn_jet_product(space, &width, &width, &width);
    } else {
        tn_jet_product(space, &jet[F1], &jet[X], result);
        tn_jet_sum(space, -1.0, &jet[X1], -1.0, &jet[X0], &width);
    }
    tn_jet_product(space, &change, &width, &change);
    tn_jet_sum(space, 1.0, result, 1.0, &change, result);
}

static const char *refuse_sweep(const double *argument)
{
    if (argument[X0] >= argument[X1]) return "SWEEP(x, a, x0, f0, x1, f1, dx) needs x0 < x1";
    if (argument[RISE] <= 0.0) return "SWEEP(x, a, x0, f0, x1, f1, dx) needs dx > 0";
    return NULL;
}

TN_BODY(sweep)
{
    const char *const problem = refuse_sweep(argument);
    result->value = 0.0;
    if (problem || argument[X] <= 0.0) return problem;

    tn_jet jet[SWEEP_ARGUMENTS], wave, rise;
    const tn_jet_space space = tn_jet_begin(argument, SWEEP_ARGUMENTS, result, jet);
    count_cycles(&space, jet, &wave);
    tn_jet_sum(&space, 2.0 * M_PI, &wave, 0.0, &wave, &wave);
    sine_of_angle(&space, &wave, &wave);
    tn_jet_product(&space, &jet[AMPLITUDE], &wave, &wave);
    if (argument[X] < argument[RISE]) {
        tn_jet_quotient(&space, &jet[X], &jet[RISE], &rise);
        const tn_ramp ramp = tn_ramp_quintic(rise.value);
        tn_jet_one(&space, &rise, ramp.value, ramp.first, ramp.second, &rise);
        tn_jet_product(&space, &rise, &wave, &wave);
    }
    tn_jet_end(&space, &wave, SWEEP_ARGUMENTS, result);
    return NULL;
}

static void sweep_switches(const double *argument, double *value)
{
    value[0] = argument[X];
    value[1] = argument[X] - argument[RISE];
    value[2] = argument[X] - argument[X0];
    value[3] = argument[X] - argument[X1];
}

const tn_function tn_wave_functions[] = {
    {"SHF", SHF_ARGUMENTS, SHF_ARGUMENTS, simple_harmonic, .smoothness = TN_SMOOTH,
     .compared = TN_ARGUMENT(0) | TN_ARGUMENT(1), .summed = TN_ARGUMENT(2) | TN_ARGUMENT(5)},
    {"SWEEP", SWEEP_ARGUMENTS, SWEEP_ARGUMENTS, sweep, .smoothness = 1, .refuse = refuse_sweep,
     .switch_count = 4, .switches = sweep_switches,
     .compared = TN_ARGUMENT(X) | TN_ARGUMENT(X0) | TN_ARGUMENT(X1) | TN_ARGUMENT(RISE),
     .summed = TN_ARGUMENT(AMPLITUDE)},
    {.name = NULL},
};
