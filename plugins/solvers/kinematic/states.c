/* states.c - what has to be integrated: states of elements, energies, and positions that follow from prescribed velocities
 *
 * With v = V(q, t, x) from the rows, q' = N(q) V and x' are differential equations of their own, for the classical method of order
 * 4. Where nothing depends on what is integrated, it is Simpson's rule. */
#include "kinematic.h"

static const double node[3] = {0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

enum {
    CORRECTIONS = 2
}; /* the rows are linear in v: the second one takes away what E has left of the first */

/* The rows ask for a change of v at the evaluated state. */
static tn_status correct_velocities(kinematic_work *work)
{
    tn_system *system = work->system;
    double *x = work->solution;
    tn_status status = system->constraint_rate(system, work->rows);
    memset(x, 0, system->nv * sizeof *x);
    for (uint32_t r = 0; r < system->rows; r++)
        x[system->nv + r] = -work->rows[r];
    if (status == TN_OK) status = system->solve(system, x);
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        system->v[i] += x[i];
    return status == TN_OK ? system->evaluate(system) : status;
}

tn_status kinematic_find_velocities(kinematic_work *work)
{
    tn_system *system = work->system;
    tn_status status = system->evaluate(system);
    if (status != TN_OK || !system->rows) return status;
    system->row_factor = 1.0;
    status = system->matrix(system, 1.0, 0.0, 0.0);
    if (status == TN_OK) status = system->factor(system);
    for (int k = 0; k < CORRECTIONS && status == TN_OK; k++)
        status = correct_velocities(work);
    return status;
}

/* q and x by a slope from the start of the step; v to start from. */
static void go_along(kinematic_work *work, double h, const double *q_rate, const double *x_rate)
{
    tn_system *system = work->system;
    for (uint32_t i = 0; i < system->nq; i++)
        system->q[i] = work->q0[i] + h * q_rate[i];
    for (uint32_t i = 0; i < system->nv; i++)
        system->v[i] = work->v0[i] + h * work->a0[i];
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] = work->x0[i] + h * x_rate[i];
}

/* The slope of a stage, which is not taken to the positions of the rows: that would cost the order. */
static tn_status find_slope(kinematic_work *work, int stage)
{
    tn_system *system = work->system;
    tn_status status = kinematic_find_velocities(work);
    if (status == TN_OK && system->nx) status = system->accelerate(system, work->a_stage);
    if (status == TN_OK) status = system->rate(system, work->q_rate[stage]);
    memcpy(work->x_rate[stage], system->x_rate, system->nx * sizeof(double));
    return status;
}

static void add_slopes(uint32_t count, double h, const double *start, const double *first,
                       double *const *others, double *result)
{
    for (uint32_t i = 0; i < count; i++)
        result[i] = start[i] + h * (weight[0] * first[i] + weight[1] * others[0][i] +
                                    weight[2] * others[1][i] + weight[3] * others[2][i]);
}

static tn_status integrate(kinematic_work *work, double h, double end, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    const double *q_rate = work->q_rate0, *x_rate = work->x_rate0;
    tn_status status = TN_OK;
    for (int stage = 0; stage < 3 && status == TN_OK; stage++) {
        system->time = stage < 2 ? end - node[stage] * h : end;
        go_along(work, node[stage] * h, q_rate, x_rate);
        status = find_slope(work, stage);
        q_rate = work->q_rate[stage];
        x_rate = work->x_rate[stage];
    }
    if (status == TN_RETRY) *trouble = KINEMATIC_REFUSED;
    if (status != TN_OK) return status;
    add_slopes(system->nq, h, work->q0, work->q_rate0, work->q_rate, system->q);
    add_slopes(system->nx, h, work->x0, work->x_rate0, work->x_rate, system->x);
    return TN_OK;
}

/* q = q0 [+] (h v + h^2/2 a), v = v0 + h a. */
static tn_status go_straight(kinematic_work *work, double h, double time)
{
    tn_system *system = work->system;
    system->time = time;
    for (uint32_t i = 0; i < system->nv; i++) {
        work->solution[i] = h * (work->v0[i] + 0.5 * h * work->a0[i]);
        system->v[i] = work->v0[i] + h * work->a0[i];
    }
    return system->retract(system, work->q0, work->solution, system->q);
}

/* Quadratures by Simpson's rule, but for the share of the end. */
static tn_status pass_midpoint(kinematic_work *work, double h, double end, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    tn_status status = go_straight(work, 0.5 * h, end - 0.5 * h);
    if (status == TN_OK) status = kinematic_settle(work, work->a_stage, trouble);
    for (uint32_t i = 0; i < system->nx && status == TN_OK; i++)
        work->x_rate[0][i] = system->x_rate[i];
    return status;
}

tn_status kinematic_predict(kinematic_work *work, double h, double end, kinematic_trouble *trouble)
{
    if (work->integrates) return integrate(work, h, end, trouble);
    tn_status status = work->by_midpoint ? pass_midpoint(work, h, end, trouble) : TN_OK;
    return status == TN_OK ? go_straight(work, h, end) : status;
}

void kinematic_end_quadratures(kinematic_work *work, double h)
{
    tn_system *system = work->system;
    for (uint32_t i = 0; i < system->nx && work->by_midpoint; i++)
        system->x[i] =
            work->x0[i] + h / 6.0 * (work->x_rate0[i] + 4.0 * work->x_rate[0][i] + system->x_rate[i]);
}
