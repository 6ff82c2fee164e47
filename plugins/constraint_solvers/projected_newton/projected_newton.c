/* projected_newton.c - the constraint solver: parameters and description */
#include "projected_newton.h"

TN_PARAMETERS(projected_newton, NEWTON_PARAMETERS)

typedef struct newton_solver {
    const projected_newton *of;
    newton_work *work;
} newton_solver;

static void newton_destroy(void *self)
{
    newton_solver *solver = self;
    if (!solver) return;
    newton_free(solver->work);
    free(solver);
}

static tn_status newton_create(TN_UNUSED const tn_host *host, const void *instance,
                               TN_UNUSED const tn_own_matrices *linear, void **self)
{
    // the blocks of bodies have factors of their own: see block_lu.h
    newton_solver *solver = *self = calloc(1, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->of = instance;
    solver->work = newton_new();
    if (solver->work) return TN_OK;
    free(solver);
    *self = NULL;
    return TN_OUT_OF_MEMORY;
}

static tn_status newton_solve_problem(void *self, const tn_impulse_problem *problem,
                                      tn_impulse_outcome *outcome)
{
    newton_solver *solver = self;
    const newton_settings settings = {solver->of->tolerance, solver->of->most_iterations};
    return newton_solve(solver->work, settings, problem, outcome);
}

TN_CONSTRAINT_SOLVER(
    projected_newton,
    .summary = "joints, unilateral rows and friction cones by generalised Newton steps on the exact law",
    .formula =
        "p_N = max(0, s), s = p_N - u_N / w; p_T = projection of p_T - u_T / w on the disc of friction s;\n"
        "joints u = 0; (A + G^T D G) dz = -G^T f, dp = -f - D G dz, halved until the natural map descends",
    .literature =
        "Alart, Curnier: A mixed formulation for frictional contact problems prone to Newton like solution "
        "methods, "
        "Comput. Methods Appl. Mech. Eng. 92 (1991)\n"
        "Acary, Bremond, Huber: On solving contact problems with Coulomb friction: formulations and "
        "numerical "
        "comparisons, Advanced Topics in Nonsmooth Dynamics, Springer, 2018\n"
        "Rockafellar: Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14 (1976)",
    .create = newton_create, .solve = newton_solve_problem, .destroy = newton_destroy)
TN_LIBRARY("projected_newton", "1.0.0", "Apache-2.0", "joints and friction by a generalised Newton method",
           {TN_CONSTRAINT_SOLVER_KIND, &projected_newton_type})
