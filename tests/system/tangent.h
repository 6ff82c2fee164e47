/* tangent.h - is the matrix of a model that of its forces? */
#ifndef TENON_TESTS_SYSTEM_TANGENT_H
#define TENON_TESTS_SYSTEM_TANGENT_H

#include "states.h"

/* Fails unless the matrix is the derivative of the force, by differences at random states; then, behind all of
 * its changes. */
void tn_check_tangent(const char *model);
/* The same at random states of the elements, too, which follow the motion; `exact`: with the tangents of forces that types give,
 * else with differences in their place, as accurate as `tolerance`. */
void tn_check_tangent_with_states(const char *model, double factor, bool exact, double tolerance);
/* Fails unless both ways give the same matrix within the tolerance, relative to its largest entry: the model as it
 * is, and with `plugin` in place of the type. */
void tn_compare_tangents(const char *model, const char *type, const char *plugin, double tolerance);

#endif
