/* motions.h - motions of bodies in words, for all messages that name one */
#ifndef TN_MOTIONS_H
#define TN_MOTIONS_H

#include "base/text.h"
#include "system/assembly.h"

/* Appends what bodies do along a `direction` [nv] of v at the current state, those that move most first, in ground axes: "`wheel` turns
 * about (0, 1, 0) through (2, 0, 0.3), `rod` translates along (1, 0, 0) and 3 more". With its place in the model file the first one is
 * "rigid_body `wheel` (model.toml:5:1)". */
void tn_add_motion(tn_text *text, const tn_assembly *assembly, const double *direction, bool with_place);

#endif
