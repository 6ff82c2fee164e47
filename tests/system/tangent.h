/* tangent.h - is the matrix of a model that of its forces? */
#ifndef TENON_TESTS_SYSTEM_TANGENT_H
#define TENON_TESTS_SYSTEM_TANGENT_H

#include "states.h"

/* Fails unless the matrix is the derivative of the force, by differences at random states; then, behind all of
 * its changes. */
void tn_check_tangent(const char *model);
/* Fails unless both ways give the same matrix within the tolerance, relative to its largest entry: the model as it
 * is, and with `plugin` in place of the type. */
void tn_compare_tangents(const char *model, const char *type, const char *plugin, double tolerance);

#endif
