/* step.c - one step: prediction, middle, impulses, end
 *
 * Where the end turns out to be far from the prediction, as at an impact, the step is taken once more from a better one. */
#include "moreau.h"

#define FAR_OFF \
    1e-4 /* of the largest velocities: a larger difference of end and prediction needs another pass */
#define CLOSE 1e-7       /* the same, where reactions rotate with their rows */
#define JOINTS_HOLD 1e-6 /* of the largest velocities of rows */
#define AT_REST 1e-8  /* of the change of velocities by forces in a step: smaller velocities count as zero */
#define SAME 10.0     /* times the error of the impulses */
#define FORESEEN 0.02 /* difference of end and prediction up to which a motion is smooth */
enum { MOST_PASSES = 6 };

void tn_moreau_keep_start(moreau_work *work)
{
    const tn_system *s = work->system;
    memcpy(work->q0, s->q, s->nq * sizeof(double));
    memcpy(work->v0, s->v, s->nv * sizeof(double));
    memcpy(work->a0, s->a, s->nv * sizeof(double));
    memcpy(work->a_kept, s->a, s->nv * sizeof(double));
    memcpy(work->x0, s->x, s->nx * sizeof(double));
    memcpy(work->x_rate0, s->x_rate, s->nx * sizeof(double));
    memcpy(work->lambda0, s->lambda, s->rows * sizeof(double));
    for (uint32_t r = 0; work->stand.last_length > 0.0 && !work->stand.fresh && r < s->rows; r++) {
        work->lambda0[r] -= work->kick[r] / work->stand.last_length;
        work->kick[r] = 0.0;
    }
    work->time0 = s->time;
}

void tn_moreau_restore_start(moreau_work *work)
{
    tn_system *s = work->system;
    memcpy(s->q, work->q0, s->nq * sizeof(double));
    memcpy(s->v, work->v0, s->nv * sizeof(double));
    memcpy(s->a, work->a_kept, s->nv * sizeof(double));
    memcpy(s->x, work->x0, s->nx * sizeof(double));
    memcpy(s->x_rate, work->x_rate0, s->nx * sizeof(double));
    memcpy(s->lambda, work->lambda0, s->rows * sizeof(double));
    s->time = work->time0;
    s->state_base = NULL;
    s->state_factor = 0.0;
    if (s->switching) s->restore_data(s);
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

/* States in the middle, by the implicit midpoint rule where rates have derivatives. */
static void place_states(moreau_work *work)
{
    tn_system *system = work->system;
    const double half = 0.5 * work->h;
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] = work->x0[k] + half * work->x_rate0[k];
    if (!system->nx) return;
    system->state_base = work->x0;
    system->state_factor = half;
}

static void release_states(moreau_work *work)
{
    work->system->state_base = NULL;
    work->system->state_factor = 0.0;
}

/* ---- the middle ------------------------------------------------------------------------------------------------- */

/* Where rows are taken: q_m [+] share h (v1 - v0). A quarter would be the middle of the path; to one side of it the turning of reactions
 * gains in phase what it loses in angle. An eighth is best for pendulums, with the curve of their paths (curve.c); 0 is Solfec's. */
#define ROWS_AT 0.125
/* Where forces are taken that are solved for, while h^2 K is no more than M: of fourth order in the phase. Beyond, theta^2, which is stable
 * for any. */
#define FORCES_AT (1.0 / 12.0)

/* q0 [+] h ((1 - theta) v0 + share (v1 - v0)), the velocities and the time there. */
static tn_status place(moreau_work *work, double share)
{
    tn_system *system = work->system;
    const double h = work->h, theta = work->theta;
    const bool ahead = work->stand.implicit && theta != 0.5;
    const double first = ahead ? theta : 1.0 - theta, of_v = ahead ? theta : 0.5;
    for (uint32_t j = 0; j < system->nv; j++) {
        const double change = work->v1[j] - work->v0[j];
        work->way_f[j] = h * (first * work->v0[j] + share * change);
        work->v_f[j] = work->v0[j] + of_v * change;
    }
    work->time_f = work->time0 + first * h;
    tn_moreau_bend_to_middle(work);
    return system->retract(system, work->q0, work->way_f, work->q_f);
}

double tn_moreau_row_share(const moreau_work *work)
{
    const bool by_velocity = work->settings->law == BY_VELOCITY;
    return by_velocity || (work->settings->forces == EXPLICIT && !work->system->rows) ? 0.0 : ROWS_AT;
}

static double share_of_forces(const moreau_work *work)
{
    if (work->stand.implicit) return work->stiffness_share;
    return work->settings->forces == EXPLICIT ? 0.0 : tn_moreau_row_share(work);
}

static double choose_stiffness_share(const moreau_work *work)
{
    if (work->theta != 0.5 || work->stand.stiffness > 1.0) return work->theta * work->theta;
    return work->system->rows ? tn_moreau_row_share(work) : FORCES_AT;
}

static void go_to_middle(moreau_work *work)
{
    tn_system *system = work->system;
    memcpy(system->q, work->q_f, system->nq * sizeof *system->q);
    memcpy(system->v, work->v_f, system->nv * sizeof *system->v);
    system->time = work->time_f;
}

/* Momenta in the axes of the middle, and their velocities. */
static tn_status turn_to_middle(moreau_work *work)
{
    tn_system *system = work->system;
    const tn_operators *o = work->o;
    const size_t bytes = system->nv * sizeof(double);
    if (work->plain) {
        memcpy(work->V0, work->v0, bytes);
        memcpy(work->Vp, work->v1, bytes);
        const tn_status status = o->mass_multiply(system, work->V0, work->P0_m);
        return status == TN_OK ? o->mass_multiply(system, work->Vp, work->Pp) : status;
    }
    memcpy(work->number, work->Pp, bytes);
    system->transport(system, work->q0, work->q_f, work->P0, work->P0_m, NULL, NULL);
    system->transport(system, work->q_axes, work->q_f, work->number, work->Pp, NULL, NULL);
    memcpy(work->q_axes, work->q_f, system->nq * sizeof *work->q_f);
    memcpy(work->V0, work->P0_m, bytes);
    memcpy(work->Vp, work->Pp, bytes);
    const tn_status status = o->mass_solve(system, work->V0);
    return status == TN_OK ? o->mass_solve(system, work->Vp) : status;
}

/* y = A^-1 (h f - (Pp - P0)), with f the force in space */
static tn_status find_free_velocities(moreau_work *work)
{
    tn_system *system = work->system;
    memcpy(work->c, system->force, system->nv * sizeof *work->c);
    tn_status status = tn_moreau_add_turning(work, work->v_f, work->c);
    for (uint32_t j = 0; j < system->nv; j++)
        work->c[j] = work->h * work->c[j] - (work->Pp[j] - work->P0_m[j]);
    memcpy(work->y, work->c, system->nv * sizeof *work->c);
    if (status == TN_OK) status = tn_moreau_renew_matrix(work);
    return status == TN_OK ? tn_moreau_divide(work, work->y) : status;
}

/* Rows, and their rates at zero velocity. */
static tn_status look_at_rows(moreau_work *work)
{
    tn_system *system = work->system;
    tn_status status = TN_OK;
    if (tn_moreau_row_share(work) != share_of_forces(work)) {
        status = place(work, tn_moreau_row_share(work));
        if (status != TN_OK) return status;
        go_to_middle(work);
        place_states(work);
        status = work->o->begin_step(system);
        release_states(work);
    }
    if (status == TN_OK) status = work->o->row_values(system, work->gap, work->rate);
    if (status != TN_OK) return status;
    work->o->rows_multiply(system, work->v_f, work->drift);
    for (uint32_t r = 0; r < system->rows; r++)
        work->drift[r] = work->rate[r] - work->drift[r];
    status = tn_moreau_add_ends(work);
    return status == TN_OK ? tn_moreau_gather(work) : status;
}

static tn_status look_at_middle(moreau_work *work)
{
    tn_system *system = work->system;
    tn_status status = place(work, share_of_forces(work));
    if (status != TN_OK) return status;
    go_to_middle(work);
    place_states(work);
    status = work->o->begin_step(system);
    if (status == TN_OK) status = turn_to_middle(work);
    if (status == TN_OK) status = find_free_velocities(work);
    release_states(work);
    return status == TN_OK && (system->rows || work->contacts) ? look_at_rows(work) : status;
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* Rows at the predicted end, with the present v1 and q1. */
static tn_status look_at_end(moreau_work *work, double end)
{
    tn_system *system = work->system;
    if (work->settings->law != BY_POSITION || !work->joints) return TN_OK;
    memcpy(system->q, work->q1, system->nq * sizeof *system->q);
    memcpy(system->v, work->v1, system->nv * sizeof *system->v);
    system->time = end == work->stand.end ? work->stand.seen : end;
    memcpy(system->x, work->x_end, system->nx * sizeof *system->x);
    tn_status status = work->o->begin_step(system);
    if (status == TN_OK) status = work->o->row_values(system, work->end_gap, work->end_rate);
    if (status == TN_OK) tn_moreau_keep_end(work);
    return status;
}

/* Whether the end differs from the prediction by no more than the error of the impulses, both in the metric of A; `pushed`: A z. Bodies at
 * rest have no velocities that would hide it, and further passes would repeat it. */
static bool is_error_of_impulses(const moreau_work *work, const double *pushed)
{
    double found = 0.0, free = 0.0;
    for (uint32_t j = 0; j < work->system->nv; j++) {
        found += pushed[j] * work->z[j];
        free += (work->Pp[j] + work->c[j]) * (work->Vp[j] + work->y[j]);
    }
    const double error = SAME * work->outcome.error;
    return found <= error * error * free;
}

/* P1, z and the end; returns its difference from the prediction relative to the largest velocities. */
static tn_status go_to_end(moreau_work *work, double *difference)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    memcpy(work->z, work->c, nv * sizeof *work->z);
    tn_moreau_add_impulses(&work->main, work->z);
    for (uint32_t j = 0; j < nv; j++)
        work->P1[j] = work->Pp[j] + work->z[j];
    memcpy(work->number, work->z, nv * sizeof *work->z);
    tn_status status = tn_moreau_divide(work, work->z);
    const bool same = status == TN_OK && is_error_of_impulses(work, work->number);
    if (status == TN_OK && work->stand.implicit) {
        status = work->o->mass_multiply(system, work->z, work->number);
        for (uint32_t j = 0; j < nv; j++)
            work->P1[j] = work->Pp[j] + work->number[j];
    }
    double change[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
    for (uint32_t j = 0; j < nv; j++) {
        const int kind = system->angular[j];
        change[kind] = tn_moreau_larger(change[kind], fabs(work->z[j]));
        largest[kind] = tn_moreau_larger(largest[kind], fabs(work->v1[j]));
        largest[kind] = tn_moreau_larger(largest[kind], fabs(work->v1[j] + work->z[j]));
        largest[kind] = tn_moreau_larger(largest[kind], AT_REST * fabs(work->y[j]));
        work->v1[j] += work->z[j];
    }
    *difference = same ? 0.0
                       : fmax(largest[0] > 0.0 ? change[0] / largest[0] : 0.0,
                              largest[1] > 0.0 ? change[1] / largest[1] : 0.0);
    return status == TN_OK ? tn_moreau_find_end(work, work->P1) : status;
}

/* Dependent joints contradict each other by what they are apart; their error, a share of what impulses do in the step, grows as that
 * becomes shorter. It is of no account where no joint moves by more than a small share of the velocities. */
static bool joints_hold(moreau_work *work)
{
    const tn_impulse_problem *p = &work->main.table;
    double rate = 0.0, speed = 0.0;
    memcpy(work->z, work->c, p->nv * sizeof *work->z);
    tn_moreau_add_impulses(&work->main, work->z);
    if (!work->only_joints || tn_moreau_divide(work, work->z) != TN_OK) return false;
    for (uint32_t r = 0; r < p->rows; r++) {
        double left = p->free_rate[r], size = 0.0;
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++) {
            const uint32_t j = p->column[e];
            left += p->value[e] * (work->z[j] - work->y[j]);
            size += fabs(p->value[e] * work->Vp[j]);
        }
        rate = fmax(rate, fabs(left));
        speed = fmax(speed, size);
    }
    return rate <= JOINTS_HOLD * speed;
}

static tn_status find_impulses(moreau_work *work)
{
    tn_status status = tn_moreau_keep_guess(work);
    if (status != TN_OK) return status;
    status = tn_moreau_solve(work, &work->main);
    tn_moreau_write_problem(work, status);
    if (status == TN_RETRY && joints_hold(work)) status = TN_OK;
    if (status == TN_UNSUPPORTED) return status;
    work->solved = status == TN_OK;
    if (status != TN_RETRY || work->settings->on_failure == CONTINUE)
        return status == TN_RETRY ? TN_OK : status;
    work->failed = NULL; /* the constraint solver has failed */
    return TN_RETRY;
}

static tn_status pass(moreau_work *work, double end, double *difference)
{
    tn_status status = look_at_end(work, end);
    if (status == TN_OK) status = look_at_middle(work);
    if (status == TN_OK) tn_moreau_add_end_rates(work);
    if (status == TN_OK) status = find_impulses(work);
    return status == TN_OK ? go_to_end(work, difference) : status;
}

/* By the midpoint rule, with the reactions and accelerations of the step, and the mean velocity of its way. */
static tn_status integrate_states(moreau_work *work)
{
    tn_system *system = work->system;
    if (!system->nx) return TN_OK;
    go_to_middle(work);
    for (uint32_t j = 0; j < system->nv; j++)
        system->v[j] = 0.5 * (work->v0[j] + work->v1[j]) + work->shift[j] / work->h;
    place_states(work);
    const tn_status status = system->evaluate(system);
    release_states(work);
    for (uint32_t k = 0; status == TN_OK && k < system->nx; k++)
        system->x[k] = work->o->state_driven[k] ? work->x_end[k] : work->x0[k] + work->h * system->x_rate[k];
    return status;
}

static tn_status finish(moreau_work *work, double end)
{
    tn_system *system = work->system;
    tn_status status = tn_moreau_share(work);
    if (status == TN_OK) status = tn_moreau_follow_curve(work);
    if (status == TN_OK) status = tn_moreau_project(work);
    if (status == TN_OK && work->smooth) status = tn_moreau_turn_velocities(work);
    if (status == TN_OK) status = tn_moreau_settle(work);
    for (uint32_t j = 0; j < system->nv; j++)
        system->a[j] = (work->v1[j] - work->v0[j]) / work->h;
    if (status == TN_OK) status = integrate_states(work);
    if (status == TN_OK) status = system->normalise(system, work->q1);
    if (status != TN_OK) return status;
    memcpy(system->q, work->q1, system->nq * sizeof *system->q);
    memcpy(system->v, work->v1, system->nv * sizeof *system->v);
    system->time = end;
    status = system->evaluate(system);
    return status == TN_OK ? tn_moreau_refine(work) : status;
}

/* A smooth step after few others cannot predict yet how reactions change in it. */
static bool needs_pass(const moreau_work *work, int passes, double difference)
{
    return difference > (work->smooth ? CLOSE : FAR_OFF) || (work->smooth && work->past < 3 && passes < 2);
}

tn_status tn_moreau_try_step(moreau_work *work, double h, double end)
{
    work->h = h;
    memcpy(work->a0, work->a_kept, work->system->nv * sizeof *work->a0);
    work->failed = TN_MOREAU_NO_VALUE;
    work->stiffness_share = choose_stiffness_share(work);
    tn_moreau_open_problem(work, &work->main);
    work->solved = true;
    tn_moreau_open_curve(work);
    tn_status status = tn_moreau_foresee_states(work);
    if (status == TN_OK) status = tn_moreau_predict(work);
    double difference = HUGE_VAL;
    for (int k = 0; status == TN_OK && k < MOST_PASSES && needs_pass(work, k, difference); k++) {
        if (k && status == TN_OK) status = tn_moreau_improve_curve(work);
        if (status == TN_OK) status = pass(work, end, &difference);
        if (!work->plain) memcpy(work->Pp, work->P1, work->system->nv * sizeof *work->Pp);
        if (k == 0) work->foreseen = difference <= FORESEEN;
        if (status == TN_OK && !work->foreseen) status = tn_moreau_drop_curve(work);
        if (k && difference > 0.5 * work->before) break; /* the passes do not converge */
        work->before = difference;
    }
    return status == TN_OK ? finish(work, end) : status;
}
