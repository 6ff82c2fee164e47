/* test_loaded.h - problems solved by the constraint solvers of the build, for tests that compare them */
#ifndef TENON_TEST_LOADED_H
#define TENON_TEST_LOADED_H

#include "loaded_solvers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Those for any law. */
enum { TEST_SOLVERS = 3 };
static const char *const test_solver[TEST_SOLVERS] = {"gauss_seidel", "projected_newton", "admm"};

/* From problem->impulse; outcome->error is measured here, not by the solver. */
static inline tn_status test_solve_loaded(const char *name, const tn_impulse_problem *problem,
                                          double tolerance, double most_iterations,
                                          tn_impulse_outcome *outcome)
{
    char why[LOADED_WHY];
    loaded_solver solver;
    *outcome = (tn_impulse_outcome){.struct_size = sizeof *outcome};
    if (!load_solver(&solver, NULL, TENON_PLUGINS, name, why)) fail_msg("%s", why);
    (void)set_loaded_by_name(solver.instance, solver.type->parameters, "tolerance", tolerance);
    (void)set_loaded_by_name(solver.instance, solver.type->parameters, "most_iterations", most_iterations);
    assert_int_equal(start_loaded(&solver), TN_OK);
    const tn_status status = solver.type->solve(solver.self, problem, outcome);
    end_loaded(&solver);
    if (status == TN_OK) outcome->error = loaded_error(problem);
    return status;
}

#endif
