/* position.c - the state that the rows determine, and whether it can be trusted */
#include "kinematic.h"

#define ROUND_OFF 1e-12   /* that rows may keep, against the size of positions, or of velocities */
#define DEFECT 0.05       /* of the way of the fastest coordinate in a step, that any other may be off by */
#define WHOLE_DEFECT 1e-9 /* against the size of a coordinate, that is no way at all */

static double largest_of(const double *a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

/* Rows of velocities stand among the rates. */
static double largest_position_row(const kinematic_work *work)
{
    double largest = 0.0;
    for (uint32_t r = 0; r < work->system->rows; r++)
        if (work->system->row_level[r] == TN_POSITION_ROW) largest = fmax(largest, fabs(work->rows[r]));
    return largest;
}

/* What the solution of the kernel has left. Contradicting rows keep errors, however near the guess was. */
static tn_status check_rows(kinematic_work *work, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    tn_status status = system->constraint(system, work->rows);
    if (status != TN_OK) return status;
    if (!(largest_position_row(work) <= ROUND_OFF * work->size)) {
        *trouble = KINEMATIC_OPEN;
        return TN_RETRY;
    }
    status = system->constraint_rate(system, work->rows);
    double fastest = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        fastest = fmax(fastest, fabs(system->v[i]) / system->scale[i]);
    if (status == TN_OK &&
        !(largest_of(work->rows, system->rows) <= ROUND_OFF * work->size * (1.0 + fastest))) {
        *trouble = KINEMATIC_RATES;
        return TN_RETRY;
    }
    return status;
}

tn_status kinematic_settle(kinematic_work *work, double *a, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->rows ? system->project(system) : system->evaluate(system);
    if (status == TN_RETRY) *trouble = KINEMATIC_OPEN;
    work->size = fmax(1.0, largest_of(system->q, system->nq));
    if (status == TN_OK && system->rows) status = check_rows(work, trouble);
    if (status == TN_OK) {
        status = system->accelerate(system, a);
        if (status == TN_RETRY) *trouble = KINEMATIC_REFUSED;
    }
    return status;
}

/* Shares of the way by the trapezoidal rule, that a coordinate may be off by: motions that start with the third power of time are off by a
 * third; in small parts of a step, what jumps of velocities may come to. */
#define OFF 0.4
#define OFF_IN_SMALL_PARTS 1.0
#define SMALL_PART 0x1p-6

/* The trapezoidal rule tells the way from the velocities at both ends but for the cube of the step; where velocities jump, too, it lies
 * between those that either of them tells. */
tn_status kinematic_check_way(kinematic_work *work, double h, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    double *rate = work->q_rate[0];
    double fastest = 0.0;
    const double share = work->stand.part > SMALL_PART ? OFF : OFF_IN_SMALL_PARTS;
    const tn_status status = system->rate(system, rate);
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++)
        fastest = fmax(fastest, fmax(fabs(rate[i]), fabs(work->q_rate0[i])) / work->scale->coordinate[i]);
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++) {
        const double size = work->scale->coordinate[i], before = work->q_rate0[i], now = rate[i];
        const double defect = system->q[i] - work->q0[i] - 0.5 * h * (before + now);
        const double most =
            0.5 * share * h * (fabs(before) + fabs(now)) + size * (DEFECT * h * fastest + WHOLE_DEFECT);
        if (fabs(defect) <= most) continue;
        *trouble = KINEMATIC_JUMP;
        return TN_RETRY;
    }
    return status;
}
