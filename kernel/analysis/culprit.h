/* culprit.h - what explanations are made of: who has done it, what moved, what is odd about a model. Called by way of the table of
 * system/explanation.h, which says when, and by the check of linear solvers. */
#ifndef TN_CULPRIT_H
#define TN_CULPRIT_H

#include "system/assembly.h"

/* culprit.c */
bool tn_marker_culprit(tn_assembly *assembly);
tn_status tn_number_culprit(tn_assembly *assembly);
tn_status tn_matrix_culprit(tn_assembly *assembly);
tn_status tn_refusal_culprit(tn_assembly *assembly);
/* corrections.c */
void tn_corrections_tell(const tn_assembly *assembly, const double *configuration, const double *motion);
/* notices.c: types without exact tangents, angles that turn too fast for their steps, and connectors whose markers are all on one rigid body (same_body.c). */
void tn_notice(tn_assembly *assembly);
void tn_fast_turns_tell(const tn_assembly *assembly, const tn_derived *derived);
void tn_same_body_check(tn_assembly *assembly);
/* far_points.c: warns of constraints whose points are far from their bodies. */
void tn_far_points_check(const tn_assembly *assembly);

#endif
