/* passage.h - points that were closed only between two accepted states */
#ifndef TENON_CONTACT_PASSAGE_H
#define TENON_CONTACT_PASSAGE_H

#include "contact.h"

#if TN_VALUES

enum { CONTACT_PLACE = 6 }; /* the middle of the ball and its velocity, in the axes of the other shape */

void contact_keep_place(const contact_point *point, const tn_marker_state *first,
                        const tn_marker_state *second, double *place);
/* Where the point is open now and was `before`, `step` ago, but not between: a gap from there, below 0. Else 0. `size`: the smallest length
 * of both shapes. */
double contact_passed(const contact_point *point, double size, const double *before, const double *now,
                      double step);
/* By impulses: two shapes that seem to have passed through each other in the last step, by their velocities at its end. */
bool contact_find_passage(const tn_batch *batch, uint32_t instance, uint32_t pair[2]);

#endif

#endif
