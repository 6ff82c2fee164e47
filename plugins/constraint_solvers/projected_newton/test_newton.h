/* test_newton.h - for tests of projected_newton: its files, and solutions with default parameters */
#ifndef TENON_TEST_NEWTON_H
#define TENON_TEST_NEWTON_H

#include "joints.c"
#include "laws.c"
#include "newton.c"
#include "projected_newton.c"
#include "step.c"
#include "sweep.c"

#include "../test_laws.h"

static inline tn_status solve_to(test_problem *test, double tolerance, tn_impulse_outcome *outcome)
{
    projected_newton settings;
    test_fill(projected_newton_parameters, &settings);
    settings.tolerance = tolerance;
    return test_solve(&projected_newton_type, &settings, test, outcome);
}

#endif
