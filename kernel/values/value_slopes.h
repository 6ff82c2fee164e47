/* value_slopes.h - derivatives of live values, of forces and of rates of states by all that the state of a model consists of, and by its
 * inputs: what is linearised of them
 *
 * Sweeps as those for the matrix (derivatives.h), with a memory of their own, as they begin with values that nothing else begins with.
 * Increments are those of v and along the retraction of q; states follow nothing. */
#ifndef TN_VALUE_SLOPES_H
#define TN_VALUE_SLOPES_H

#include "system/assembly.h"
#include "values/value_graph.h"

/* Derivatives of one number, which is added to: by increments of q, by v, v' [nv], multipliers [rows], states [nx], inputs, SI units.
 * Of rates of states a, lambda and u may be NULL: not wanted. */
typedef struct tn_slope_row {
    double *q, *v, *a, *lambda, *x, *u;
} tn_slope_row;

typedef struct tn_value_slopes tn_value_slopes;

/* Memory, for `count` live values besides those of elements with forces or states; behind tn_system_pattern. */
tn_value_slopes *tn_value_slopes_new(tn_assembly *assembly, const tn_live_value *const *live, size_t count);

/* All that follow: at the last evaluation, behind tn_differentiate_markers and, where forces or accelerations are read, their
 * evaluation. TN_RETRY: there is no derivative here. */

/* Live value number k; false of `exact`: what it reads is differentiated in part only. */
tn_status tn_live_slopes(tn_assembly *assembly, tn_value_slopes *slopes, size_t k, const tn_slope_row *to,
                         bool *exact);
/* The derivative of its time derivative by increments of q, of a function of coordinates. */
tn_status tn_live_rate_slopes(tn_assembly *assembly, tn_value_slopes *slopes, size_t k, double *q);
/* Row r of the twist of a marker: of it, of its time integral, or of its rate. Each may be NULL. */
void tn_marker_slopes(const tn_assembly *assembly, uint32_t marker, uint32_t r, double factor,
                      const tn_slope_row *of_pose, const tn_slope_row *of_twist);
/* Forces on coordinates by the n states [nv][n] and inputs [nv][inputs], where expressions and elements make them so; `by_input` may be
 * NULL. */
tn_status tn_force_slopes(tn_assembly *assembly, tn_value_slopes *slopes, double *by_state, double *by_input);

/* Why derivatives of a rate are not exact. */
enum {
    TN_SLOPE_IN_PART =
        1, /* what it reads is differentiated in part only: accelerations while something moves, some forces */
    TN_SLOPE_COUPLED =
        2 /* it changes with accelerations or multipliers, and these derivatives are not wanted */
};
/* Rates of the n states, row by row, and a note [n] on each. `lacking` is the item whose states have no derivatives, where the status
 * is TN_UNSUPPORTED. */
tn_status tn_state_slopes(tn_assembly *assembly, tn_value_slopes *slopes, const tn_slope_row *rate,
                          uint8_t *note, uint32_t *lacking);

#endif
