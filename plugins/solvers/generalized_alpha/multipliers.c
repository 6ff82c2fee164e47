/* multipliers.c - what E of the matrix does to multipliers, and what undoes it
 *
 * With the Schur complement S of the rows a correction solves (S + E) d_rows = demand. In the null directions of dependent
 * rows S is zero and the demand round-off; in soft directions of long structures S is not large against E. */
#include "generalized_alpha.h"

#include <string.h>

/* Of multipliers of the step before: what these have in null directions dies away in some ten steps. */
#define KEPT 0.75
#define SAME_DIRECTIONS 1e-6 /* part of multipliers */

void tn_alpha_resist_multipliers(alpha_work *work)
{
    const tn_system *system = work->system;
    double *demanded = work->residual + system->nv;
    for (uint32_t r = 0; r < system->rows; r++)
        demanded[r] += system->regularisation[r] * system->lambda[r] / system->row_factor;
}

tn_status tn_alpha_clean_correction(alpha_work *work, bool first)
{
    tn_system *system = work->system;
    const bool least = system->dependent_rows == 2;
    double *rows = work->residual + system->nv, *part = work->null_part, *part_rows = part + system->nv;
    const double *lambda = system->lambda, *before = work->vdot0 + system->nv;
    const double all = first || least ? 1.0 / system->row_factor : 0.0, kept = least ? 0.0 : KEPT;
    for (uint32_t r = 0; r < system->rows; r++)
        part_rows[r] = rows[r] - all * (lambda[r] - kept * before[r]);

    // (S + E)^-1 E leaves null directions as they are and shares of E of others, the second time the square of those
    for (int k = 0; k < (least ? 2 : 1); k++) {
        memset(part, 0, system->nv * sizeof *part);
        for (uint32_t r = 0; r < system->rows; r++)
            part_rows[r] *= system->regularisation[r];
        const tn_status status = system->solve(system, part);
        if (status != TN_OK) return status;
    }
    for (uint32_t r = 0; r < system->rows; r++)
        rows[r] -= part_rows[r];
    return TN_OK;
}

/* Takes what multipliers have in null directions out of them; how large it is, against the largest of them. */
static tn_status clean(alpha_work *work, double *lambda, double *share)
{
    tn_system *system = work->system;
    double *part = work->null_part, *rows = part + system->nv, largest = 0.0, largest_part = 0.0;
    memset(part, 0, system->nv * sizeof *part);
    for (uint32_t r = 0; r < system->rows; r++)
        rows[r] = system->regularisation[r] * lambda[r];
    const tn_status status = system->solve(system, part);
    for (uint32_t r = 0; r < system->rows && status == TN_OK; r++) {
        largest = fmax(largest, fabs(lambda[r]));
        largest_part = fmax(largest_part, fabs(rows[r]));
        lambda[r] -= rows[r];
    }
    *share = largest > 0.0 ? largest_part / largest : 0.0;
    return status;
}

tn_status tn_alpha_clean_past(alpha_work *work)
{
    const tn_system *system = work->system;
    const uint32_t known = work->predictors.known;
    tn_status status = TN_OK;
    double share = 1.0;
    if (work->matrix_step == 0.0 || known < 2) return TN_OK;
    work->new_null_directions = false;

    // the oldest ones tell whether the directions are still those of the matrix before
    for (uint32_t k = known + 1; k > 0 && status == TN_OK && share > SAME_DIRECTIONS; k--)
        status = clean(work, (k > 1 ? work->past[k - 2] : work->vdot0) + system->nv, &share);
    return status;
}
