/* multipliers.c - what E of the matrix does to multipliers, and what undoes it
 *
 * With the Schur complement S of the rows a correction solves (S + E) d_rows = demand. In the null directions of dependent
 * rows S is zero and the demand round-off; in soft directions of long structures S is not large against E. */
#include "generalized_alpha.h"
#include "vectors.h"

#include <string.h>

/* Of multipliers of the step before: what these have in null directions dies away in some ten steps. */
#define KEPT 0.75
#define SAME_DIRECTIONS 1e-6 /* part of multipliers */
#define TRIFLING_PART 1e-6   /* likewise, that may be left in null directions */
#define SLOW_PASS 0.5        /* of the part before: round-off is left */
enum { MOST_PASSES = 8 };

void tn_alpha_resist_multipliers(alpha_work *work)
{
    const tn_system *system = work->system;
    double *demanded = work->residual + system->nv;
    for (uint32_t r = 0; r < system->rows; r++)
        demanded[r] += system->regularisation[r] * system->lambda[r] / system->row_factor;
}

/* What multipliers have in null directions, in the rows of `null_part`: (S + E)^-1 E leaves these as they are and shares of E of others,
 * a second time the square of those. */
static tn_status find_null_part(const alpha_work *work, const double *multipliers)
{
    tn_system *system = work->system;
    double *rows = work->null_part + system->nv;
    tn_status status = TN_OK;
    memcpy(rows, multipliers, system->rows * sizeof *rows);
    for (int k = 0; k < (system->dependent_rows == 2 ? 2 : 1) && status == TN_OK; k++) {
        memset(work->null_part, 0, system->nv * sizeof *work->null_part);
        for (uint32_t r = 0; r < system->rows; r++)
            rows[r] *= system->regularisation[r];
        status = system->solve(system, work->null_part);
    }
    return status;
}

/* Takes it out of them, but for a `trifle`; how large it was. Round-off of S is not small against E, and each matrix has its own: what
 * is left is measured, and taken out as well. */
static tn_status take_null_part_out(alpha_work *work, double trifle, double *multipliers, double *size)
{
    const uint32_t rows = work->system->rows;
    const double *part = work->null_part + work->system->nv;
    double before = 0.0;
    for (int k = 0; k < MOST_PASSES; k++) {
        const tn_status status = find_null_part(work, multipliers);
        if (status != TN_OK) return status;
        for (uint32_t r = 0; r < rows; r++)
            multipliers[r] -= part[r];
        const double now = alpha_largest(part, rows);
        if (k == 0) *size = now;
        if (k > 0) work->null_error = fmin(now / before, 1.0);
        if (work->null_error * now <= trifle || (k > 0 && now > SLOW_PASS * before)) break;
        before = now;
    }
    return TN_OK;
}

tn_status tn_alpha_clean_correction(alpha_work *work, bool first)
{
    const tn_system *system = work->system;
    const bool least = system->dependent_rows == 2;
    const double *lambda = system->lambda, *before = work->vdot0 + system->nv;
    const double all = first || least ? 1.0 / system->row_factor : 0.0, kept = least ? 0.0 : KEPT;
    const double trifle = TRIFLING_PART * alpha_largest(lambda, system->rows) / system->row_factor;
    double *rows = work->residual + system->nv, size = 0.0;
    for (uint32_t r = 0; r < system->rows; r++)
        rows[r] -= all * (lambda[r] - kept * before[r]);
    const tn_status status = take_null_part_out(work, trifle, rows, &size);
    for (uint32_t r = 0; r < system->rows; r++)
        rows[r] += all * (lambda[r] - kept * before[r]);
    return status;
}

/* Takes what multipliers have in null directions out of them; how large it is, against the largest of them. */
static tn_status clean(alpha_work *work, double *lambda, double *share)
{
    const double largest = alpha_largest(lambda, work->system->rows);
    double part = 0.0;
    const tn_status status = take_null_part_out(work, TRIFLING_PART * largest, lambda, &part);
    *share = largest > 0.0 ? part / largest : 0.0;
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
