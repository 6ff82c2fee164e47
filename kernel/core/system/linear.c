/* linear.c - the linear solver of the study behind the system's table of functions */
#include "system/linear.h"

#include "system/failure.h"

/* What only the linear solver can have done wrong. */
static tn_status blame_linear(tn_assembly *assembly, const char *function, tn_status status)
{
    if (status == TN_OUT_OF_MEMORY) return status;
    return tn_blame(assembly, assembly->linear->type, function, "has failed for a matrix of size %u: %s",
                    assembly->equations.matrix.size, tn_status_text(status));
}

/* What the linear solver has made of the last matrix is void with it. */
static void close_equations(const tn_assembly *assembly, tn_equations *equations)
{
    if (equations->self) tn_call(assembly->linear->type, destroy, equations->self);
    equations->self = NULL;
    equations->masses_factored = equations->is_factored = equations->called_singular = false;
}

tn_status tn_equations_create(tn_assembly *assembly, tn_equations *equations)
{
    const tn_linear_check *check = assembly->services->linear;
    const tn_status status = tn_call(assembly->linear->type, create, assembly->system.host,
                                     assembly->linear->instance, &equations->matrix, &equations->self);
    if (status != TN_OK) close_equations(assembly, equations); /* nobody asks what is half made */
    if (status != TN_OK) return blame_linear(assembly, "create", status);
    if (check && !assembly->linear->record) assembly->linear->record = check->open(equations->matrix.size);
    return TN_OK;
}

/* The function that is running has called what it may not call, or not yet. */
static tn_status blame_caller(tn_assembly *assembly, const char *call)
{
    const tn_call_site *site = tn_site;
    return tn_blame(assembly, site ? site->type : NULL, site ? site->function : "advance", "has called %s",
                    call);
}

tn_status tn_equations_factor(tn_assembly *assembly, tn_equations *equations)
{
    const tn_linear_check *check = assembly->services->linear;
    if (!assembly->linear->type) return blame_caller(assembly, "factor() without the flag TN_NEEDS_MATRIX");
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    tn_status status = equations->self ? TN_OK : tn_attempt_status(tn_equations_create(assembly, equations));
    if (status != TN_OK) return status;
    status = tn_call(assembly->linear->type, factor, equations->self, &equations->matrix);
    (void)tn_clock(assembly, TN_FACTORISATION, start);
    assembly->statistics.factorisations++;
    if (status != TN_OK && status != TN_RETRY) return blame_linear(assembly, "factor", status);
    equations->called_singular = status == TN_RETRY;
    equations->is_factored = status == TN_OK;
    if (!check) return status;
    if (status == TN_RETRY) return tn_attempt_status(check->singular(assembly, equations));
    check->factored(assembly, equations);
    return TN_OK;
}

static tn_status solve_now(tn_assembly *assembly, tn_equations *equations, double *right_hand_side)
{
    const tn_linear_check *check = assembly->services->linear;
    if (check) check->given(assembly, equations, right_hand_side);
    const tn_status status = tn_call(assembly->linear->type, solve, equations->self, right_hand_side);
    if (status != TN_OK) return blame_linear(assembly, "solve", status);
    return check ? check->solved(assembly, equations, right_hand_side) : TN_OK;
}

tn_status tn_equations_solve(tn_assembly *assembly, tn_equations *equations, double *right_hand_side)
{
    if (!assembly->linear->type) return blame_caller(assembly, "solve() without the flag TN_NEEDS_MATRIX");
    if (!equations->self) return blame_caller(assembly, "solve() before factor()");
    assembly->statistics.linear_solves++;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = solve_now(assembly, equations, right_hand_side);
    (void)tn_clock(assembly, TN_SOLUTION, start);
    return status;
}

static tn_status factor_last_matrix(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    if (assembly->linear->type && !assembly->statistics.matrices)
        return blame_caller(assembly, "factor() before matrix()");
    return tn_equations_factor(assembly, &assembly->equations);
}

static tn_status solve_last_matrix(tn_system *system, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    return tn_equations_solve(assembly, &assembly->equations, right_hand_side);
}

void tn_linear_open(tn_assembly *assembly, const tn_loaded_linear *type, const void *instance)
{
    assembly->linear->type = type;
    assembly->linear->instance = instance;
    assembly->system.factor = factor_last_matrix;
    assembly->system.solve = solve_last_matrix;
}

void tn_linear_close(tn_assembly *assembly)
{
    close_equations(assembly, &assembly->equations);
    close_equations(assembly, &assembly->least_norm);
    close_equations(assembly, &assembly->stages);
    if (assembly->linear->record) assembly->services->linear->close(assembly->linear->record);
    assembly->linear->record = NULL;
    tn_linear_open(assembly, NULL, NULL);
}
