/* adaptive.c - steps chosen by their errors, which end at outputs, at changes of the model and where the equations switch (see
 * kit/event_search.h).
 *
 * The acceleration-like variable belongs to t + D h, D = alpha_m - alpha_f. With it a step leaves, against the solution through its
 * start, to leading order
 *
 *     of q   C_q h^3 v'',    C_q = beta + D/2 - 1/6,
 *     of v   C_v h^3 v''',   C_v = (1 - gamma) D^2/2 + gamma (1 + D)^2/2 + c - 1/6,
 *                            c = (1 - alpha_f)/2 - ((1 - alpha_m) (1 + D)^2 + alpha_m D^2)/2,
 *     of x   h^3 x'''/12,
 *
 * from Taylor's series of all terms of the scheme. h v'' is the change of that variable over the step, h^2 v''' and h^2 x''' are second
 * differences of v' and x', divided ones where the step before had another length. */
#include "generalized_alpha.h"

#include <float.h>
#include <string.h>

#define SHORTEST_AT_IMPACT 0x1p-10 /* of a step: an impact in so short a step may stay there */
#define FREE_TOLERANCE 1e-3 /* up to it, errors of runs are at most a few times the tolerance by themselves */
#define SAFETY 0.9
#define MOST_GROWTH 2.0
#define LEAST_FACTOR 0.2
#define BAND_LOW 0.8 /* within the band the step stays as it is, and with it the matrix */
#define BAND_HIGH 1.25
#define MANY_ITERATIONS 6 /* a step that takes more does not grow */

/* ---- the error of a step ---------------------------------------------------------------------------------- */

double tn_alpha_position_constant(const alpha_coefficients *c)
{
    return c->beta + 0.5 * (c->alpha_m - c->alpha_f) - 1.0 / 6.0;
}

double tn_alpha_velocity_constant(const alpha_coefficients *c)
{
    const double d = c->alpha_m - c->alpha_f, behind = (1.0 + d) * (1.0 + d);
    const double shift = 0.5 * (1.0 - c->alpha_f) - 0.5 * ((1.0 - c->alpha_m) * behind + c->alpha_m * d * d);
    return 0.5 * (1.0 - c->gamma) * d * d + 0.5 * c->gamma * behind + shift - 1.0 / 6.0;
}

/* What turns changes of a, and second differences of v', into errors of q and v. */
typedef struct error_factors {
    double of_q, of_v, ratio, share;
} error_factors;

/* What turns second differences over the step before and one of length h into h^2 times a derivative. Before a start there is no
 * motion: v' is continued by its slope and x' by its value, which halves the difference, or leaves more of it. */
static double of_second_difference(const alpha_work *work, double h)
{
    return h * h * (work->control.known ? 2.0 : 4.0) / (h + work->before_step);
}

static error_factors factors_of(const alpha_work *work, double h)
{
    const alpha_coefficients *c = &work->c;
    return (error_factors){
        .of_q = tn_alpha_position_constant(c) * h * h,
        .of_v = tn_alpha_velocity_constant(c) * of_second_difference(work, h),
        .ratio = h / work->before_step,
        .share = 1.0 / (1.0 - c->alpha_m),
    };
}

/* Behind an event the differences that slopes are made of may reach over it, or over the next one. */
static bool knows_slopes(const alpha_work *work)
{
    return work->control.known || !work->control.behind_event;
}

/* Errors of increment i of q and of component i of v in a step that was solved, and is not finished. */
static void error_of_coordinate(const alpha_work *work, const error_factors *f, uint32_t i, double *of_q,
                                double *of_v)
{
    const alpha_coefficients *c = &work->c;
    const double vdot0 = work->vdot0[i], a0 = work->a[i];
    const double vdot1 = work->in_ground_axes ? work->vdot_at_start[i] : work->system->a[i];
    const double a1 = f->share * ((1.0 - c->alpha_f) * vdot1 + c->alpha_f * vdot0 - c->alpha_m * a0);
    *of_q = f->of_q * (a1 - a0);
    *of_v = f->of_v * (vdot1 - vdot0 - f->ratio * (vdot0 - work->past[0][i]));
}

/* Sums of squares of one kind of quantity. */
typedef struct kind_sum {
    double position, velocity;
    uint32_t count;
} kind_sum;

/* The largest error of all, squared, and what it is of: a coordinate of v, or nv + i for state i. */
typedef struct worst_error {
    double square;
    uint32_t coordinate;
} worst_error;

static void compare_error(worst_error *worst, double square_of_error, uint32_t coordinate)
{
    if (square_of_error > worst->square) *worst = (worst_error){square_of_error, coordinate};
}

static double square(double x) { return x * x; }

/* The larger one of `largest` and a root mean square; NaN where that is. */
static double larger_mean(double largest, double squares, uint32_t count)
{
    return count && !(squares <= largest * largest * count) ? sqrt(squares / count) : largest;
}

/* Rms of the errors of one kind against their tolerances, the largest of all kinds; NaN where one is not a number. Positions are
 * measured against the sizes of the model, not against numbers that grow with distance and turns. */
static double error_of_motion(const alpha_work *work, double h, worst_error *worst)
{
    const tn_system *system = work->system;
    const tn_error_weights *weights = &work->weights;
    const double relative = system->run->relative_tolerance, absolute = system->run->absolute_tolerance;
    const double velocity_relative = tn_event_velocity_tolerance(&work->watch, relative);
    const double velocity_share = tn_event_velocity_tolerance(&work->watch, absolute) / absolute;
    const error_factors factors = factors_of(work, h);
    kind_sum sum[TN_MOTION_KINDS] = {{0}};
    for (uint32_t i = 0; i < system->nv; i++) {
        double of_q = 0.0, of_v = 0.0;
        error_of_coordinate(work, &factors, i, &of_q, &of_v);
        const uint8_t kind = weights->scale->kind[i];
        const double size = system->run->scaled_tolerance ? system->scale[i] : 1.0;
        const double fastest = fmax(fabs(system->v[i]), TN_SHARE_OF_FASTEST * weights->fastest[kind]);
        const double position = square(of_q / fmax(absolute * size, relative * system->scale[i]));
        const double velocity =
            knows_slopes(work)
                ? square(of_v / fmax(velocity_share * weights->absolute_v[i], velocity_relative * fastest))
                : 0.0;
        sum[kind].position += position;
        sum[kind].velocity += velocity;
        sum[kind].count++;
        compare_error(worst, fmax(position, velocity), i);
    }
    double largest = 0.0;
    for (int k = 0; k < TN_MOTION_KINDS; k++) {
        largest = larger_mean(largest, sum[k].position, sum[k].count);
        largest = larger_mean(largest, sum[k].velocity, sum[k].count);
    }
    return largest;
}

/* The part of the tolerance that a step may use. A step errs by h^3 and the run, of 1/h steps, by h^2: with the same part at every
 * tolerance the error of the run falls as the power 2/3 of it, and a strict one is missed by far. The power 4/3 for a step is 8/9 for the
 * run: Soederlind, Wang: Evaluating numerical ODE/DAE methods, algorithms and software, Journal of Computational and Applied Mathematics
 * 185 (2006). At index 3 the round-off of positions, divided by h^2, sets a limit to accelerations and so to the steps: the power is 7/6. */
double tn_alpha_share_of_a_step(const tn_run *run, bool at_index_3)
{
    return fmin(pow(run->relative_tolerance / FREE_TOLERANCE, at_index_3 ? 1.0 / 6.0 : 1.0 / 3.0), 1.0);
}

static double error_of_states(const alpha_work *work, double h, worst_error *worst)
{
    const tn_system *system = work->system;
    const uint32_t count = system->nx - system->quadratures;
    const double ratio = h / work->before_step, factor = of_second_difference(work, h) / 12.0;
    double squares = 0.0;
    for (uint32_t i = 0; i < count && knows_slopes(work); i++) {
        const double second =
            system->x_rate[i] - work->x_rate0[i] - ratio * (work->x_rate0[i] - work->x_rate_before[i]);
        const double size = fmax(fabs(system->x[i]), fabs(work->x0[i]));
        const double error =
            square(factor * second / (work->weights.absolute_x[i] + system->run->relative_tolerance * size));
        squares += error;
        compare_error(worst, error, system->nv + i);
    }
    return count ? sqrt(squares / count) : 0.0;
}

/* ---- one step that is tried --------------------------------------------------------------------------------- */

/* Where Newton's method fails, events within the step may be why. */
static tn_status look_at_failure(alpha_work *work, bool *switched)
{
    tn_system *system = work->system;
    if (!work->watch.count) return TN_OK;
    const tn_status status = system->evaluate(system);
    if (status == TN_RETRY) return TN_OK;
    return status == TN_OK ? tn_event_watch_look(&work->watch, switched) : status;
}

/* A step from the accepted state, whose start is kept: its error, HUGE_VAL where it was refused, and whether it ended behind an
 * event. The state is the one it ends with. */
static tn_status try_step(alpha_work *work, double h, double end, double *error, bool *switched)
{
    tn_system *system = work->system;
    *error = HUGE_VAL;
    *switched = false;
    work->watch.torn = false;
    tn_status status = tn_alpha_solve_step(work, h, end);
    tn_stall_watch_see(&work->stall, system->a);
    if (status == TN_RETRY && !(work->wanted > 0.0)) return look_at_failure(work, switched);
    if (status == TN_RETRY) return TN_OK;
    if (status == TN_OK) status = tn_alpha_integrate_states(work, h);
    if (status == TN_OK && system->nx == 0 && work->watch.count) status = system->evaluate(system);
    if (status == TN_RETRY) return TN_OK;
    if (status != TN_OK) return status;
    worst_error worst = {0.0, UINT32_MAX};
    const double of_motion = error_of_motion(work, h, &worst), of_states = error_of_states(work, h, &worst);
    *error = (of_states > of_motion ? of_states : of_motion) / work->share_of_a_step;
    work->control.governing = worst.coordinate;
    return tn_event_watch_look(&work->watch, switched);
}

static void take_back(alpha_work *work)
{
    tn_alpha_restore_state(work);
    if (work->switches) work->system->restore_data(work->system);
}

static tn_status try_again(void *solver, double h, bool *accurate, bool *switched)
{
    alpha_work *work = solver;
    double error = 0.0;
    take_back(work);
    const tn_status status = try_step(work, h, work->time0 + h, &error, switched);
    *accurate = error <= 1.0;
    return status;
}

/* ---- where steps end ---------------------------------------------------------------------------------------- */

/* A step of about `wanted` that divides the way to the stop evenly: the steps that follow are equal to it. */
static double fit_step(const alpha_work *work, double time, double wanted, double stop)
{
    const double way = stop - time, parts = ceil(way / wanted * (1.0 - TN_STEP_GRID_MERGE));
    const double h = parts > 1.0 ? way / parts : way;
    const double round_off = 8.0 * DBL_EPSILON * fmax(fabs(time), fabs(stop));
    return fabs(h - work->a_step) <= fmin(round_off, 1e-3 * h) ? work->a_step : h;
}

/* From a state whose v' is known to `end`, beyond a zero; the state stays where the other side refuses. */
static tn_status cross(alpha_work *work, double end, bool stepped, bool *changed)
{
    tn_system *system = work->system;
    tn_alpha_save_state(work);
    const double h = end - system->time;
    for (uint32_t i = 0; i < system->nv; i++) {
        work->increment[i] = h * (system->v[i] + 0.5 * h * system->a[i]);
        system->v[i] += h * system->a[i];
    }
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] += h * system->x_rate[i];
    system->time = end;
    tn_status status = tn_alpha_apply_increment(work);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = tn_event_watch_crossed(&work->watch, stepped, changed);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status != TN_OK) tn_alpha_restore_state(work);
    work->control.renew = true;
    return status;
}

static tn_status accept_state(alpha_work *work)
{
    tn_event_watch_slide(&work->watch);
    tn_error_weights_see(&work->weights);
    return tn_alpha_accept(work);
}

/* Leaves a state where some function is zero: v' there may belong to neither side. */
static tn_status leave_zero(alpha_work *work, double stop)
{
    bool changed = false;
    const double time = work->system->time;
    const double end = tn_event_watch_leave(&work->watch, time, work->control.wanted, stop);
    const tn_status status = cross(work, end, false, &changed);
    if (status == TN_RETRY) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    return status == TN_OK && (changed || end == stop) ? accept_state(work) : status;
}

/* ---- control ------------------------------------------------------------------------------------------------- */

static double shortest_step(const alpha_work *work)
{
    const tn_system *system = work->system;
    return fmax(system->run->minimum_step, 1e-14 * fmax(fabs(work->time0), fabs(system->time)));
}

static tn_status give_up(alpha_work *work, double h, double error)
{
    if (!(error < HUGE_VAL)) return tn_alpha_give_up(work, h, "was shortened to");
    char text[240];
    take_back(work);
    (void)snprintf(text, sizeof text, "the step was shortened to %.3g s without meeting the tolerances%s", h,
                   tn_alpha_resolves(work, h)
                       ? ""
                       : "; at index 3 accelerations are made of round-off there: `index = 2` "
                         "meets stricter ones");
    return tn_stall_watch_fail(&work->stall, text);
}

/* Refused or too inaccurate: again with a smaller step, down to the limit. */
static tn_status reject(alpha_work *work, double wanted, double error, uint32_t reason)
{
    work->control.wanted = wanted;
    work->control.rejected = true;
    tn_step_rejected(work->report, work->system, reason);
    const bool at_index_3 = reason == TN_REJECTED_ERROR && !tn_alpha_resolves(work, wanted);
    if (at_index_3 || wanted < shortest_step(work)) return give_up(work, wanted, error);
    take_back(work);
    return TN_OK;
}

/* Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, section II.4, with a little of the error before. */
static double step_factor(double error, double last_error)
{
    const double factor = SAFETY * pow(error, -1.0 / 3.0) * pow(last_error / error, 0.08);
    return factor > LEAST_FACTOR ? fmin(factor, MOST_GROWTH) : LEAST_FACTOR;
}

/* After an impact in so short a step the state may stay behind it. */
static double refused_step(alpha_work *work, double h)
{
    const double wanted = fmax(work->wanted, work->shortest);
    work->landed = false;
    return work->wanted > 0.0 && wanted < h ? wanted : 0.5 * h;
}

static void report_governor(const alpha_work *work)
{
    tn_system *system = work->system;
    const uint32_t coordinate = work->control.governing;
    if (coordinate < system->nv)
        tn_step_governed_by_v(work->report, system, coordinate);
    else if (coordinate != UINT32_MAX)
        tn_step_governed_by_x(work->report, system, coordinate - system->nv);
}

/* What becomes of a step of length h with this error: it passes, or it is taken back. */
static bool control(alpha_work *work, double h, double error, tn_status *status)
{
    alpha_control *now = &work->control;
    if (error == HUGE_VAL) {
        *status = reject(work, refused_step(work, h), error, tn_alpha_reason(work));
        return false;
    }
    report_governor(work);
    const double least = 1e-6; // errors that vanish say nothing of the next ones
    double factor = step_factor(error > least || isnan(error) ? error : least, now->last_error);
    if (!(error <= 1.0)) {
        *status = reject(work, h * fmin(factor, 0.9), error, TN_REJECTED_ERROR);
        return false;
    }
    if (now->rejected && !now->known && !now->behind_event) now->first = fmin(now->first, h);
    if (now->rejected || work->iterations > MANY_ITERATIONS) factor = fmin(factor, 1.0);
    const double asked = h * factor, change = asked / now->wanted;

    // a step cut short by a stop does not shrink the next one where it could have been longer
    const bool cut = h < now->wanted && factor >= MOST_GROWTH && change < 1.0;
    if (!cut && (change < BAND_LOW || change > BAND_HIGH)) now->wanted = asked;
    now->last_error = fmax(error, least);
    now->rejected = false;
    return true;
}

/* All starts anew: behind an event, an impact, or a change of the model. */
static tn_status start_anew(alpha_work *work)
{
    const tn_system *system = work->system;
    alpha_control *now = &work->control;
    const bool landed = work->landed, changed = system->revision != work->stand.revision;
    work->stand.revision = system->revision;
    now->behind_event = now->renew || landed;
    now->renew = now->known = false;
    now->wanted = fmin(now->wanted, now->first);
    if (changed) memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    if (landed) return tn_alpha_start_behind_impact(work, now->wanted);
    tn_status status = tn_alpha_start_behind_change(work, now->wanted);
    if (status == TN_OK && changed) status = work->system->evaluate(work->system); // behind trials elsewhere
    if (status == TN_OK && changed) status = tn_event_watch_begin(&work->watch);
    return status;
}

/* Takes the step that ends before the event in one of length h; the state is that of the accepted one if there is none. */
static tn_status step_to_event(alpha_work *work, double h, double stop, tn_event_landing *landing,
                               double *error)
{
    bool switched = false;
    const double start = work->time0;
    tn_status status = tn_event_search(&work->watch, start, h, *error <= 1.0, stop, try_again, work, landing);
    take_back(work);
    *error = 0.0;
    if (status == TN_OK && landing->h > 0.0)
        status = try_step(work, landing->h, start + landing->h, error, &switched);
    return status;
}

static tn_status fail(alpha_work *work, tn_status status)
{
    return work->system->fail(work->system, status, NULL, "the Newton iteration cannot go on");
}

/* One step towards `stop`, or to the first event before it and beyond; or a rejection. */
static tn_status advance_step(alpha_work *work, double stop)
{
    tn_system *system = work->system;
    const double start = system->time;
    const double h =
        fit_step(work, start, tn_event_watch_fit(&work->watch, start, work->control.wanted), stop);
    tn_event_landing landing = {h, HUGE_VAL};
    double error = 0.0;
    bool switched = false, changed = false;
    const double end = stop - start <= h * (1.0 + TN_STEP_GRID_MERGE) ? stop : start + h;
    if (!work->control.rejected) work->shortest = fmax(shortest_step(work), SHORTEST_AT_IMPACT * h);
    tn_status status = try_step(work, h, end, &error, &switched);
    if (status == TN_OK && switched) {
        tn_step_rejected(work->report, system, TN_REJECTED_EVENT);
        status = step_to_event(work, h, stop, &landing, &error);
    }
    if (status != TN_OK) return fail(work, status);

    const bool stepped = landing.h > 0.0;
    if (stepped && !control(work, landing.h, error, &status)) return status;
    if (stepped) {
        tn_alpha_finish_step(work, landing.h);
        if (work->in_ground_axes) tn_alpha_watch_turns(work);
        work->control.known = true;
    }
    if (landing.behind < HUGE_VAL) {
        status = cross(work, landing.behind, stepped, &changed);
        if (status == TN_RETRY && !stepped) return reject(work, 0.5 * h, HUGE_VAL, TN_REJECTED_DOMAIN);
        if (status != TN_OK && status != TN_RETRY) return fail(work, status);
    }
    if (stepped) tn_count_step(system->statistics, system->time - start);
    if (landing.behind == HUGE_VAL || status == TN_RETRY) (void)tn_event_watch_settle(&work->watch);
    return accept_state(work);
}

tn_status tn_alpha_begin_adaptive(alpha_work *work)
{
    tn_system *system = work->system;
    const tn_run *run = system->run;
    double first = run->step;
    tn_error_weights_see(&work->weights);
    tn_status status = tn_event_watch_begin(&work->watch);
    if (status == TN_OK && !run->step_given) status = tn_first_step_find(system, &work->weights, 2, &first);
    if (status != TN_OK) return system->fail(system, status, NULL, "a first step was looked for");
    work->control = (alpha_control){.wanted = first, .first = first, .last_error = 1.0};
    work->control.progress = (tn_step_progress){.time = system->time};
    return tn_alpha_start(work, first);
}

tn_status tn_alpha_step_adaptive(alpha_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    alpha_control *now = &work->control;
    const double longest = run->maximum_step > 0.0 ? run->maximum_step : HUGE_VAL;
    const uint64_t accepted = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && work->stand.accepted == accepted) {
        const double time = system->time;
        if (tn_step_progress_stalls(&now->progress, time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall, now->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                              now->wanted < TN_STALL_NEAR * shortest_step(work));
        const bool stop_ahead = system->next_stop > time && system->next_stop < run->end_time;
        const double stop = stop_ahead ? system->next_stop : run->end_time;
        now->wanted = fmin(now->wanted, longest);
        if (work->watch.at_zero) {
            status = leave_zero(work, stop);
            continue;
        }
        if (now->renew || work->landed || system->revision != work->stand.revision) status = start_anew(work);
        if (status == TN_OK) status = advance_step(work, stop);
    }
    return status;
}
