/* row_errors.h - what the rows of constraints leave at an iterate, and what the next correction is asked for */
#ifndef TENON_GENERALIZED_ALPHA_ROW_ERRORS_H
#define TENON_GENERALIZED_ALPHA_ROW_ERRORS_H

#include "generalized_alpha.h"
#include "vectors.h"

#define SHARE_OF_VELOCITIES 0.2 /* of errors of velocity rows, against the same tolerance */

/* Of numbers only: not fmax, which is a call, at every iteration. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* What the rows leave: as they are measured, and as displacements within the step. */
typedef struct row_error {
    double largest, displacement;
} row_error;

/* At index 3 all rows are of positions in most models. */
static inline void demand_positions(const double *rows, double factor, size_t count,
                                    double *restrict residual, row_error *error)
{
    double largest[ALPHA_LANES] = {0.0}, rest = 0.0;
    size_t r = 0;
    for (; r + ALPHA_LANES <= count; r += ALPHA_LANES)
        for (size_t k = 0; k < ALPHA_LANES; k++) {
            largest[k] = larger(fabs(rows[r + k]), largest[k]);
            residual[r + k] = factor * rows[r + k];
        }
    for (; r < count; r++) {
        rest = larger(fabs(rows[r]), rest);
        residual[r] = factor * rows[r];
    }
    error->largest = error->displacement = alpha_largest_lane(largest, rest);
}

/* Residuals of the rows in the correction's right-hand side: those of positions as they are, those of velocities by what
 * moves v; the largest errors. At index 2 all rows are taken at the level of velocities. */
static inline tn_status demand_rows(alpha_work *work, double h, row_error *error)
{
    tn_system *system = work->system;
    const double to_q = work->c.beta * h / work->c.gamma, factor = system->row_factor;
    const bool velocities = work->index == 2 || system->velocity_rows > 0;
    double *residual = work->residual + system->nv, *rows = work->rows;
    row_error largest = {0};
    tn_status status = system->constraint(system, rows);
    if (status == TN_OK && velocities) status = system->constraint_rate(system, residual);
    if (status == TN_OK && work->index != 2 && system->position_rows == system->rows) {
        demand_positions(rows, factor, system->rows, residual, error);
        return TN_OK;
    }
    for (uint32_t r = 0; r < system->rows && status == TN_OK; r++) {
        const bool of_velocity = work->index == 2 || system->row_level[r] == TN_VELOCITY_ROW;
        const double position = system->row_level[r] == TN_POSITION_ROW ? fabs(rows[r]) : 0.0;
        const double velocity = of_velocity ? fabs(residual[r]) : 0.0;
        largest.largest = larger(larger(position, SHARE_OF_VELOCITIES * velocity), largest.largest);
        largest.displacement = larger(larger(position, to_q * velocity), largest.displacement);
        residual[r] = factor * (of_velocity ? to_q * residual[r] : rows[r]);
    }
    *error = largest;
    return status;
}

#endif
