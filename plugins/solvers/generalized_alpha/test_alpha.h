/* test_alpha.h - the solver as its tests see it: all of its files, models by hand, a run */
#ifndef TENON_TEST_ALPHA_H
#define TENON_TEST_ALPHA_H

#include "adaptive.c"
#include "discontinuous.c"
#include "first_step.c"
#include "generalized_alpha.c"
#include "grid.c"
#include "index.c"
#include "multipliers.c"
#include "newton.c"
#include "prediction.c"
#include "run.c"

#include "../test_system.h"

typedef void (*model_function)(test_system *test);

static inline void oscillator(test_system *test) { test_oscillator(test, 2.0); }

/* A spring that stiffens strongly. */
static inline void cubic_spring(test_system *test)
{
    test_oscillator(test, 1.0);
    test->cubic = 5.0;
    test->damping = 0.1;
}

static inline alpha_instance defaults(void)
{
    alpha_instance settings = {0};
    test_fill_defaults(alpha_parameters, &settings);
    return settings;
}

static inline tn_status run(test_system *test, alpha_instance settings)
{
    const tn_solver_type *type = test_solver_of(tn_plugin_library());
    assert_int_equal(type->prepare(&test->host.table, &settings, &test->run), TN_OK);
    return type->advance(&settings, &test->system);
}

#endif
