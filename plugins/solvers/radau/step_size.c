/* step_size.c - lengths of steps: the first one, and those that follow from errors (Hairer, Wanner, Solving ODEs II, section IV.8;
 * Gustafsson, 1994) */
#include "radau.h"

#define SAFETY 0.9
#define MOST_GROWTH 8.0
#define LEAST_SHARE 1e-10 /* of the run, that a first step is not chosen shorter than */
#define MOST_SHRINK 0.2
#define SLOWED 0.7    /* of a step whose iterations converged slowly */
#define DEAD_BAND 1.2 /* a step that would not grow by more stays, and with it the factors of its matrices */
enum { TRIALS = 12 }; /* of the first step's probe, each a tenth as long */

/* An explicit step of length h from the start, for what it tells of the change of the slope. TN_RETRY: refused. */
static tn_status probe(radau_work *work, double h, double *change)
{
    tn_system *system = work->system;
    double *a = work->a[0];
    for (uint32_t i = 0; i < system->nv; i++) {
        work->theta[0][i] = h * (work->start.v[i] + 0.5 * h * work->start.a[i]);
        system->v[i] = work->start.v[i] + h * work->start.a[i];
    }
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] = work->start.x[i] + h * work->start.x_rate[i];
    system->time = work->stand.start + h;
    tn_status status = system->retract(system, work->start.q, work->theta[0], system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, a);
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        work->error_v[i] = (a[i] - work->start.a[i]) / h;
    for (uint32_t i = 0; i < work->states && status == TN_OK; i++)
        work->error_x[i] = (system->x_rate[i] - work->start.x_rate[i]) / h;
    if (status == TN_OK) *change = tn_radau_norm(work, NULL, work->error_v, work->error_x);
    tn_radau_restore(work);
    return status;
}

/* rms of the sizes themselves, in tolerances. */
static double norm_of_sizes(const radau_work *work)
{
    const tn_system *system = work->system;
    double sum = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        sum +=
            pow(system->scale[i] / work->weight_q[i], 2.0) + pow(work->start.v[i] / work->weight_v[i], 2.0);
    for (uint32_t i = 0; i < work->states; i++)
        sum += pow(work->start.x[i] / work->weight_x[i], 2.0);
    const double count = 2.0 * system->nv + work->states;
    return count > 0.0 ? sqrt(sum / count) : 0.0;
}

double tn_radau_first_step(radau_work *work)
{
    const tn_run *run = work->system->run;
    const double span = run->end_time - work->stand.start;
    if (run->step_given && run->step > 0.0) return run->step;
    const double slope = tn_radau_norm(work, work->start.v, work->start.a, work->start.x_rate);
    double h = slope > 0.0 ? fmin(0.01 * fmax(norm_of_sizes(work), 1.0) / slope, 1e-2 * span) : 1e-3 * span,
           change = 0.0;
    tn_status status = TN_RETRY;
    for (int k = 0; k < TRIALS && status == TN_RETRY && h > 0.0; k++) {
        status = probe(work, h, &change);
        if (status == TN_RETRY) h *= 0.1;
    }
    const double larger = fmax(slope, change);
    const double by_change = larger > 1e-12 ? pow(0.01 / larger, 0.25) : HUGE_VAL;
    return fmax(fmin(fmin(100.0 * h, by_change), 0.1 * span), LEAST_SHARE * span);
}

double tn_radau_shortest(const radau_work *work)
{
    return fmax(work->system->run->minimum_step, 1e-14 * fabs(work->stand.start));
}

/* Steps whose iterations were many shall not grow as much. */
static double safety(const radau_work *work, const radau_outcome *outcome)
{
    const double most = (double)work->settings->newton_iterations;
    return fmin(SAFETY, SAFETY * (2.0 * most + 1.0) / (2.0 * most + outcome->iterations));
}

static double between(double low, double value, double high) { return fmin(fmax(value, low), high); }

double tn_radau_next_step(const radau_work *work, double h, const radau_outcome *outcome)
{
    const radau_stand *stand = &work->stand;
    const double error = fmax(outcome->error, 1e-10), factor = safety(work, outcome);
    double growth = factor * pow(error, -0.25);
    if (stand->last_step > 0.0) {
        const double predicted =
            SAFETY * h / stand->last_step * pow(stand->last_error / (error * error), 0.25);
        growth = fmin(growth, predicted);
    }
    growth = between(MOST_SHRINK, growth, MOST_GROWTH);
    if (outcome->rate > 0.0) growth = fmin(growth, fmax(GOOD_RATE / outcome->rate, SLOWED));
    if (stand->rejected) growth = fmin(growth, 1.0);
    return growth >= 1.0 && growth <= DEAD_BAND ? h : h * growth;
}

double tn_radau_shorter_step(const radau_work *work, double h, const radau_outcome *outcome)
{
    if (outcome->error >= HUGE_VAL) return h * between(0.1, outcome->shrink, 0.5);
    if (work->stand.polynomial_step == 0.0 && outcome->error > 100.0) return 0.1 * h;
    return h * between(MOST_SHRINK, safety(work, outcome) * pow(outcome->error, -0.25), SAFETY);
}
