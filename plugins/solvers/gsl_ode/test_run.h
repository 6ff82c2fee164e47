/* test_run.h - runs of gsl_ode on the systems made by hand, for its tests. */
#ifndef TENON_TEST_GSL_ODE_RUN_H
#define TENON_TEST_GSL_ODE_RUN_H

#include "equations.c"
#include "gsl_ode.c"
#include "jacobian.c"
#include "gsl_run.c"
#include "gsl_step.c"

#include "../test_system.h"

typedef void (*model_function)(test_system *test);

enum { RK2, RK4, RKF45, RKCK, RK8PD, RK1IMP, RK2IMP, RK4IMP, BSIMP, MSADAMS, MSBDF };

static inline const char *stepper_name(int32_t stepper) { return (*steppers[stepper].type)->name; }

/* Prepares and advances; the state stays in `test`. */
static inline tn_status run_stepper(test_system *test, int32_t stepper)
{
    const tn_solver_type *type = test_solver_of(tn_plugin_library());
    gsl_ode_instance instance;
    test_fill_defaults(type->parameters, &instance);
    assert_int_equal(instance.stepper, RKF45);
    instance.stepper = stepper;
    assert_int_equal(type->prepare(&test->host.table, &instance, &test->run), TN_OK);
    return type->advance(&instance, &test->system);
}

static inline void run_well(test_system *test, int32_t stepper)
{
    const tn_status status = run_stepper(test, stepper);
    if (status != TN_OK) fail_msg("%s: %s", stepper_name(stepper), test->failure);
}

#endif
