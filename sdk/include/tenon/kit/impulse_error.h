/* tenon/kit/impulse_error.h - for constraint solvers: errors of impulses, projections onto cones, products with G.
 *
 *     status = tn_impulse_open(problem, &outcome);        laws that are known, numbers that are finite; the outcome is cleared
 *     tn_impulse_rates(problem, z, rate);                 u = free_rate + G z
 *     tn_impulse_error(problem, rate, &outcome);          error, merit, worst of problem->impulse and these rates
 *     if (outcome.error <= tolerance) return TN_OK;
 *
 * Both errors are norms of the natural map,
 *
 *     F = p - P_K(p - rho (u + friction |u_T| n)),    of a joint rho u, of a unilateral row min(rho u, p),
 *
 * which is zero at solutions, and there only.
 *
 * scaled   rho = 1/w, with w the sum of g^2 / A_jj over a row, or its mean over the rows of a cone: the diagonal of G A^-1 G^T for a diagonal A.
 *          The error is sqrt(sum w |F|^2 / sum b^2 / w), with b the rates without impulses: the root of a ratio of energies, which
 *          does not depend on units or masses.
 * plain    rho = 1 in SI units, |F| / max(|b|, |p|, |u|): that of Siconos, by which published problems are compared.
 *
 * `error` is the larger of the two. The scaled error is relative to b only: p, which grows without bounds for contradictory joints, would hide
 * the violation. `merit` is the spurious energy relative to that of the problem, sum w |F|^2 / sum b^2 / w, as in Solfec, with w instead
 * of its dense blocks. `worst` is the block with the largest w |F|^2.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_ERROR_H
#define TENON_KIT_IMPULSE_ERROR_H

#include "tenon/draft/impulses.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Rates below this share of the contributions of impulses are round-off. */
#define TN_IMPULSE_ROUND_OFF 1e-12

/* ---- checks of a problem ------------------------------------------------------------------------------------------ */

/* Whether all blocks have a known law with the right number of rows; else *strange is the first block that does not. */
static inline bool tn_impulse_laws_known(const tn_impulse_problem *problem, uint32_t *strange)
{
    for (uint32_t i = 0; i < problem->blocks; i++) {
        const tn_impulse_block *block = &problem->block[i];
        const bool known = block->law == TN_JOINT_LAW ||
                           (block->law == TN_UNILATERAL_LAW && block->rows == 1) ||
                           (block->law == TN_CONE_LAW && block->rows == 3);
        if (known) continue;
        *strange = i;
        return false;
    }
    return true;
}

static inline bool tn_impulse_block_finite(const tn_impulse_problem *problem, const tn_impulse_block *block)
{
    bool finite = isfinite(block->friction) && block->friction >= 0.0;
    for (uint32_t r = block->first; finite && r < block->first + block->rows; r++) {
        finite = isfinite(problem->free_rate[r]) && isfinite(problem->impulse[r]);
        for (uint32_t k = problem->row_start[r]; finite && k < problem->row_start[r + 1]; k++)
            finite = isfinite(problem->value[k]);
    }
    return finite;
}

/* Clears the outcome, and checks the problem: TN_UNSUPPORTED for an unknown law, TN_RETRY for numbers that are not finite, with the block in
 * outcome->worst. */
static inline tn_status tn_impulse_open(const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    outcome->iterations = outcome->fallbacks = outcome->worst = 0;
    outcome->error = outcome->merit = 0.0;
    if (!tn_impulse_laws_known(problem, &outcome->worst)) return TN_UNSUPPORTED;
    for (uint32_t i = 0; i < problem->blocks; i++) {
        if (tn_impulse_block_finite(problem, &problem->block[i])) continue;
        outcome->error = outcome->merit = HUGE_VAL;
        outcome->worst = i;
        return TN_RETRY;
    }
    return TN_OK;
}

/* ---- products with G ----------------------------------------------------------------------------------------- */

/* u = free_rate + G z */
static inline void tn_impulse_rates(const tn_impulse_problem *problem, const double *z, double *rate)
{
    for (uint32_t row = 0; row < problem->rows; row++) {
        double sum = problem->free_rate[row];
        for (uint32_t k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
            sum += problem->value[k] * z[problem->column[k]];
        rate[row] = sum;
    }
}

/* G^T p [nv] */
static inline void tn_impulse_pull(const tn_impulse_problem *problem, const double *impulse, double *pull)
{
    memset(pull, 0, problem->nv * sizeof *pull);
    for (uint32_t row = 0; row < problem->rows; row++)
        for (uint32_t k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
            pull[problem->column[k]] += problem->value[k] * impulse[row];
}

/* ---- cones: the normal component first ------------------------------------------------------------------------- */

/* The nearest point of |p_T| <= friction p_N. */
static inline void tn_project_cone(double friction, const double x[3], double nearest[3])
{
    const double tangent = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (friction * tangent <= -x[0]) { // first, as without friction both conditions hold below the tip
        memset(nearest, 0, 3 * sizeof *nearest);
        return;
    }
    if (tangent <= friction * x[0]) {
        memcpy(nearest, x, 3 * sizeof *x);
        return;
    }
    const double normal = (x[0] + friction * tangent) / (1.0 + friction * friction);
    nearest[0] = normal;
    nearest[1] = friction * normal * x[1] / tangent;
    nearest[2] = friction * normal * x[2] / tangent;
}

/* The nearest point of the dual cone, friction |u_T| <= u_N: x + P_K(-x), after Moreau. */
static inline void tn_project_dual_cone(double friction, const double x[3], double nearest[3])
{
    const double opposite[3] = {-x[0], -x[1], -x[2]};
    double polar[3];
    tn_project_cone(friction, opposite, polar);
    for (int i = 0; i < 3; i++)
        nearest[i] = x[i] + polar[i];
}

/* ---- the natural map of a block, in N s ------------------------------------------------------------------------ */

static inline void tn_natural_cone(double friction, double rho, const double *p, const double *u,
                                   double map[3])
{
    const double normal = u[0] + friction * sqrt(u[1] * u[1] + u[2] * u[2]);
    const double moved[3] = {p[0] - rho * normal, p[1] - rho * u[1], p[2] - rho * u[2]};
    tn_project_cone(friction, moved, map);
    for (int i = 0; i < 3; i++)
        map[i] = p[i] - map[i];
}

/* The square of the map of one row of a joint, or of a unilateral one. */
static inline double tn_natural_row(uint32_t law, double rho, double p, double u)
{
    const double map = law == TN_JOINT_LAW ? rho * u : fmin(rho * u, p);
    return map * map;
}

/* ---- weights --------------------------------------------------------------------------------------------------- */

/* A_jj; 0 where the pattern has no such entry. */
static inline double tn_impulse_mass(const tn_matrix *matrix, uint32_t column)
{
    int32_t low = matrix->column_start[column], high = matrix->column_start[column + 1];
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (matrix->row[middle] < (int32_t)column)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < matrix->column_start[column + 1] && matrix->row[low] == (int32_t)column;
    return found ? fabs(matrix->value[low]) : 0.0;
}

static inline double tn_impulse_row_weight(const tn_impulse_problem *problem, uint32_t row)
{
    double sum = 0.0;
    for (uint32_t k = problem->row_start[row]; k < problem->row_start[row + 1]; k++) {
        const double mass = tn_impulse_mass(problem->matrix, problem->column[k]);
        if (mass > 0.0) sum += problem->value[k] * problem->value[k] / mass;
    }
    return sum;
}

/* Writes w of the rows of a block to `weight` [block->rows]; the three of a cone are equal. Rows without entries have 1. */
static inline void tn_impulse_block_weights(const tn_impulse_problem *problem, const tn_impulse_block *block,
                                            double *weight)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < block->rows; i++)
        sum += weight[i] = tn_impulse_row_weight(problem, block->first + i);
    for (uint32_t i = 0; i < block->rows; i++) {
        if (block->law == TN_CONE_LAW) weight[i] = sum / block->rows;
        if (!(weight[i] > 0.0)) weight[i] = 1.0;
    }
}

/* ---- the errors -------------------------------------------------------------------------------------------------- */

typedef struct tn_impulse_sums {
    double scaled, plain;                    /* of the squared maps */
    double free_energy, energy, rate_energy; /* b^2 / w, w p^2, u^2 / w */
    double free_square, square, rate_square; /* b^2, p^2, u^2 */
} tn_impulse_sums;

static inline void tn_impulse_add_sizes(tn_impulse_sums *sums, const tn_impulse_problem *problem,
                                        uint32_t row, double weight, double rate)
{
    const double b = problem->free_rate[row], p = problem->impulse[row];
    sums->free_energy += b * b / weight;
    sums->energy += weight * p * p;
    sums->rate_energy += rate * rate / weight;
    sums->free_square += b * b;
    sums->square += p * p;
    sums->rate_square += rate * rate;
}

/* Adds a cone; returns its contribution to the scaled sum. */
static inline double tn_impulse_add_cone(tn_impulse_sums *sums, const tn_impulse_problem *problem,
                                         const tn_impulse_block *block, const double *rate,
                                         const double *weight)
{
    const double *p = problem->impulse + block->first, *u = rate + block->first;
    double map[3];
    tn_natural_cone(block->friction, 1.0, p, u, map);
    sums->plain += map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
    tn_natural_cone(block->friction, 1.0 / weight[0], p, u, map);
    const double share = weight[0] * (map[0] * map[0] + map[1] * map[1] + map[2] * map[2]);
    for (uint32_t i = 0; i < 3; i++)
        tn_impulse_add_sizes(sums, problem, block->first + i, weight[0], u[i]);
    sums->scaled += share;
    return share;
}

/* Likewise a joint, or a unilateral row. */
static inline double tn_impulse_add_rows(tn_impulse_sums *sums, const tn_impulse_problem *problem,
                                         const tn_impulse_block *block, const double *rate,
                                         const double *weight)
{
    double share = 0.0;
    for (uint32_t i = 0; i < block->rows; i++) {
        const uint32_t row = block->first + i;
        const double p = problem->impulse[row];
        sums->plain += tn_natural_row(block->law, 1.0, p, rate[row]);
        share += weight[i] * tn_natural_row(block->law, 1.0 / weight[i], p, rate[row]);
        tn_impulse_add_sizes(sums, problem, row, weight[i], rate[row]);
    }
    sums->scaled += share;
    return share;
}

static inline void tn_impulse_conclude(const tn_impulse_sums *sums, tn_impulse_outcome *outcome)
{
    const double other = fmax(sums->energy, sums->rate_energy);
    const double energy = fmax(sums->free_energy, TN_IMPULSE_ROUND_OFF * TN_IMPULSE_ROUND_OFF * other);
    const double square = fmax(sums->free_square, fmax(sums->square, sums->rate_square));
    outcome->merit = energy > 0.0 ? sums->scaled / energy : 0.0;
    outcome->error = fmax(sqrt(outcome->merit), square > 0.0 ? sqrt(sums->plain / square) : 0.0);
    // fmax() ignores NaN
    if (!(sums->scaled + sums->plain + square <= HUGE_VAL)) outcome->error = outcome->merit = HUGE_VAL;
}

/* With `weight` [rows] of tn_impulse_block_weights(), which solvers that call this often keep. */
static inline void tn_impulse_error_weighted(const tn_impulse_problem *problem, const double *rate,
                                             const double *weight, tn_impulse_outcome *outcome)
{
    tn_impulse_sums sums = {0};
    double largest = -1.0;
    outcome->worst = 0;
    for (uint32_t i = 0; i < problem->blocks; i++) {
        const tn_impulse_block *block = &problem->block[i];
        const double *own = weight + block->first;
        const double share = block->law == TN_CONE_LAW
                                 ? tn_impulse_add_cone(&sums, problem, block, rate, own)
                                 : tn_impulse_add_rows(&sums, problem, block, rate, own);
        if (share > largest) {
            largest = share;
            outcome->worst = i;
        }
    }
    tn_impulse_conclude(&sums, outcome);
}

/* Error, merit and worst block of problem->impulse, with `rate` [rows] the resulting rates. */
static inline void tn_impulse_error(const tn_impulse_problem *problem, const double *rate,
                                    tn_impulse_outcome *outcome)
{
    tn_impulse_sums sums = {0};
    double largest = -1.0;
    outcome->worst = 0;
    for (uint32_t i = 0; i < problem->blocks; i++) {
        const tn_impulse_block *block = &problem->block[i];
        double share = 0.0, weight[3];
        if (block->law == TN_CONE_LAW) {
            tn_impulse_block_weights(problem, block, weight);
            share = tn_impulse_add_cone(&sums, problem, block, rate, weight);
        }
        for (uint32_t k = 0; k < block->rows && block->law != TN_CONE_LAW; k++) {
            const tn_impulse_block row = {block->law, block->first + k, 1, block->owner, 0.0};
            tn_impulse_block_weights(problem, &row, weight);
            share += tn_impulse_add_rows(&sums, problem, &row, rate, weight);
        }
        if (share > largest) {
            largest = share;
            outcome->worst = i;
        }
    }
    tn_impulse_conclude(&sums, outcome);
}

#endif
