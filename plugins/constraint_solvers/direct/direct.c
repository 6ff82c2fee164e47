/* direct.c - impulses of joints, all at once, by one sparse factorisation (tenon/kit/impulse_saddle.h) */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/kit/impulse_error.h>
#include <tenon/kit/impulse_saddle.h>

#define DIRECT(P)                                        \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0, \
      "error of the natural map, beyond which rows contradict each other")
TN_PARAMETERS(direct, DIRECT)

typedef struct direct_solver {
    const direct *of;
    tn_saddle saddle;
    double *number; /* [nv + 2 rows] z, impulses, rates */
    size_t room;
} direct_solver;

static void direct_destroy(void *self)
{
    direct_solver *solver = self;
    tn_saddle_free(&solver->saddle);
    free(solver->number);
    free(solver);
}

static tn_status direct_create(TN_UNUSED const tn_host *host, const void *instance,
                               const tn_linear_service *linear, void **self)
{
    direct_solver *solver = *self = calloc(1, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->of = instance;
    solver->saddle.linear = linear;
    return TN_OK;
}

static tn_status direct_solve(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    direct_solver *solver = self;
    const size_t nv = problem->nv, rows = problem->rows;
    for (uint32_t b = 0; b < problem->blocks; b++)
        if (problem->block[b].law != TN_JOINT_LAW) {
            outcome->worst = b;
            return TN_UNSUPPORTED;
        }
    if (!tn_grow_array(&solver->number, &solver->room, nv + 2 * rows + 1, sizeof *solver->number))
        return TN_OUT_OF_MEMORY;
    double *z = solver->number, *impulse = z + nv, *rate = impulse + rows;
    tn_status status = tn_saddle_renew(&solver->saddle, problem);
    if (status == TN_OK) status = tn_saddle_joints(&solver->saddle, problem, NULL, impulse, z);
    if (status != TN_OK) return status;
    for (uint32_t r = 0; r < problem->rows; r++) {
        problem->impulse[r] = impulse[r];
        rate[r] = problem->free_rate[r];
        for (uint32_t e = problem->row_start[r]; e < problem->row_start[r + 1]; e++)
            rate[r] += problem->value[e] * z[problem->column[e]];
    }
    outcome->iterations = 1;
    tn_impulse_error_weighted(problem, rate, solver->saddle.weight, outcome);
    return outcome->error <= solver->of->tolerance ? TN_OK : TN_RETRY;
}

TN_CONSTRAINT_SOLVER(
    direct, .summary = "joints alone, by one sparse factorisation; dependent ones by least norm",
    .formula =
        "[A -G^T; G E] [z; p] = [0; -u_free],  E = 1e-9 max diag(G A^-1 G^T), and again for what E leaves\n"
        "p <- (W + E)^-1 W p,  W = G A^-1 G^T",
    .literature =
        "Benzi, Golub, Liesen: Numerical solution of saddle point problems, Acta Numerica 14 (2005) 1-137",
    .flags = TN_JOINTS_ONLY, .create = direct_create, .solve = direct_solve, .destroy = direct_destroy)
TN_LIBRARY("direct", "1.0.0", "Apache-2.0", "impulses of joints by one factorisation",
           {TN_CONSTRAINT_SOLVER_KIND, &direct_type})
#endif
