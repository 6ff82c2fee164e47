/* convergence.h - when an iteration of generalized_alpha ends, and what tells how fast it contracts. (newton.c) */
#ifndef TENON_ALPHA_CONVERGENCE_H
#define TENON_ALPHA_CONVERGENCE_H

#include "generalized_alpha.h"
#include "row_errors.h"

#define FAST_CONTRACTION 0.1 /* rates that are worth to be known, whatever is in them; */
#define FAST_WITH_ROWS 0.03  /* and with constraints, where corrections have become too small to tell any */
#define LONGEST_TRUST 50u    /* steps after which a measured rate is forgotten */
#define SHARE_OF_TOLERANCE 0.01 /* below it, corrections may be round-off; */
#define SHARE_OF_SINGULAR 0.5   /* below this one, with a matrix of this step, near singular positions; */
#define SHARE_NEAR_SINGULAR 1e3 /* this much may be left there after all iterations */
#define SHARE_OF_TRUNCATION \
    0.01 /* largest error left, relative to the first correction of a prediction by slopes */
#define SHARE_WITH_ROWS 0.001 /* and with constraints: multipliers answer with many times their share */
#define TRIFLE 1e-7           /* of accelerations, that may be left with constraints */
#define USUAL_TOLERANCE 1e-10 /* a stricter one asks for smaller shares, with constraints */
#define SHARE_OF_USUAL 0.003  /* with constraints, of the correction of a prediction by slopes */
#define LEAST_TELLING 1e-3 /* of the tolerance: smaller corrections may tell of round-off, with constraints */
#define MARGIN 2.0         /* rates of steps to come, and of rows, may be larger than known */
#define SHARE_OF_ROWS 0.03 /* of the tolerance: what may be left of them */
#define CLEAR_OF_REDUNDANT 1.0  /* times round-off, which reactions of redundant rows show first */
#define CLEAR_OF_ROUND_OFF 20.0 /* how much larger corrections are that tell a rate */

/* A rate may be trusted before it is measured in this step: for a while after its measurement (as long as the matrix was old at
 * it, so that a rate that grows with the age of the matrix is caught early), and for corrections up to twice the size it was
 * measured with (a contact that closes brings larger ones). It grows with the age of the matrix. */
static inline double remembered_rate(const alpha_work *work, double norm)
{
    const alpha_contraction *known = &work->contraction;
    const bool valid = known->rate >= 0.0 && known->age < known->valid && norm <= 2.0 * known->reference;
    if (!valid || work->settings->jacobian != JACOBIAN_MODIFIED) return -1.0;
    return known->rate * (1.0 + known->age / larger(known->of_matrix - known->age, 1.0));
}

/* What the very matrix of a step contracts by says nothing about the steps to come. */
static inline void remember_rate(alpha_work *work, double rate, double first)
{
    alpha_contraction *known = &work->contraction;
    if (known->of_matrix == 0) return;
    known->rate = larger(0.5 * known->rate, rate);
    known->reference = larger(known->reference, first);
    known->valid = known->of_matrix < LONGEST_TRUST ? known->of_matrix + 1 : LONGEST_TRUST;
    known->age = 0;
}

/* What an iteration may leave of a step: a share of its error of truncation, as the correction of a prediction by slopes is one.
 * A larger correction tells of more of it. */
static inline double find_allowance(const alpha_work *work, double h, double first)
{
    const double usual = tn_alpha_usual_correction(work, h);
    if (!work->system->rows) return SHARE_OF_TRUNCATION * larger(first, usual);
    const double of_accelerations = TRIFLE * work->predictors.acceleration / tn_alpha_kappa(work, h);
    const double clear = work->system->dependent_rows ? CLEAR_OF_REDUNDANT : CLEAR_OF_ROUND_OFF;
    const double least =
        fmin(fmin(clear * work->round_off, of_accelerations), SHARE_OF_TOLERANCE * work->newton_tolerance);
    const double strict = fmin(work->newton_tolerance / USUAL_TOLERANCE, 1.0);
    return larger(strict * larger(SHARE_WITH_ROWS * first, SHARE_OF_USUAL * usual), least);
}

/* The corrections to come sum to rate/(1 - rate) times the last one. */
static inline bool is_converged(const alpha_work *work, double rate, double norm, double allowance,
                                double round_off, double rows_left)
{
    if (norm <= work->round_off) return true;

    // corrections that are tiny and do not shrink are round-off of forces that cancel
    if (norm <= round_off) return true;
    if (rate < 0.0 || rate >= 1.0) return false;
    const double left = rate / (1.0 - rate) * norm;
    return MARGIN * left <= work->newton_tolerance && left <= allowance &&
           MARGIN * rows_left <= work->row_tolerance;
}

/* The rows hold at the state before a correction that is a trifle itself: rates of such corrections tell of round-off, which is
 * large in long structures. */
static inline bool has_settled(const alpha_work *work, double norm, double allowance, const row_error *error)
{
    return error->largest <= work->row_tolerance && norm <= SHARE_OF_TOLERANCE * work->newton_tolerance &&
           norm <= allowance;
}

/* Near a singular position of a mechanism, where the rows hold but forces converge slowly: a shorter step would meet the same position
 * with larger forces. */
static inline bool passes_singular_position(const alpha_work *work, bool renewed, const row_error *error,
                                            double norm)
{
    return renewed && work->system->rows && error->displacement <= work->row_tolerance &&
           norm <= SHARE_NEAR_SINGULAR * work->newton_tolerance;
}

/* The iteration contracts slowly and has taken all of its corrections: by their mean rate, the error that is left meets the tolerance. The
 * stricter limits, which keep reactions quiet, are not worth a shorter step, which would excite fast motions. */
static inline bool meets_tolerance(const alpha_work *work, const row_error *error, double first, double norm)
{
    const double rate = pow(norm / first, 1.0 / larger((double)work->iterations - 1.0, 1.0));
    return rate < 1.0 && rate / (1.0 - rate) * norm <= work->newton_tolerance &&
           SHARE_OF_ROWS * error->largest <= work->row_tolerance;
}

/* Whether the next correction against this one tells a rate: with rows, corrections below the tolerance tell of round-off, which is large
 * in long structures. */
static inline bool is_clear_of_round_off(const alpha_work *work, double correction)
{
    const double lowest = work->system->rows ? LEAST_TELLING * work->newton_tolerance : 0.0;
    return correction > larger(CLEAR_OF_ROUND_OFF * work->round_off, lowest);
}

/* A ratio that round-off makes larger only is a bound of the rate; but multipliers answer to round-off with many times its share. */
static inline bool bounds_rate(const alpha_work *work, double norm, double previous)
{
    if (!work->system->rows) return norm <= FAST_CONTRACTION * previous;
    const bool is_forgotten = work->contraction.age >= work->contraction.valid;
    return is_forgotten && norm <= FAST_WITH_ROWS * previous;
}

/* Corrections that stagnate below it are round-off. */
static inline double find_tiny(const alpha_work *work, bool renewed)
{
    const double share = renewed && work->system->rows ? SHARE_OF_SINGULAR : SHARE_OF_TOLERANCE;
    return larger(share * work->newton_tolerance, CLEAR_OF_ROUND_OFF * work->round_off);
}

#endif
