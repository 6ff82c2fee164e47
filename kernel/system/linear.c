/* linear.c - the linear solver of the study behind the system's table of functions, with its time */
#define _GNU_SOURCE
#include "system/assembly.h"

#include <time.h>

/* Below this size the clock would cost as much as the solution. */
enum { TIMED_SIZE = 200 };

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What only the linear solver can have done wrong. */
static tn_status blame(tn_assembly *assembly, const char *function, tn_status status)
{
    if (status == TN_OUT_OF_MEMORY) return status;
    return tn_blame(assembly, assembly->linear, function, "has failed for a matrix of size %u: %s",
                    assembly->matrix.size, tn_status_text(status));
}

static tn_status create(tn_assembly *assembly)
{
    const tn_matrix *matrix = tn_system_pattern(&assembly->system);
    if (!matrix) return TN_OUT_OF_MEMORY;
    const tn_status status = tn_call(assembly->linear, create, assembly->system.host,
                                     assembly->linear_instance, matrix, &assembly->linear_self);
    if (status != TN_OK) return blame(assembly, "create", status);
    if (!assembly->linear_check) assembly->linear_check = tn_linear_check_new(matrix->size);
    return TN_OK;
}

/* The function that is running has called what it may not call, or not yet. */
static tn_status blame_caller(tn_system *system, const char *call)
{
    const tn_call_site *site = tn_site;
    return tn_blame((tn_assembly *)system, site ? site->type : NULL, site ? site->function : "advance",
                    "has called %s", call);
}

static tn_status factor_nothing(tn_system *system)
{
    return blame_caller(system, "factor() without the flag TN_NEEDS_MATRIX");
}

static tn_status solve_nothing(tn_system *system, double *right_hand_side)
{
    (void)right_hand_side;
    return blame_caller(system, "solve() without the flag TN_NEEDS_MATRIX");
}

static tn_status factor(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const double start = now();
    if (!assembly->statistics.matrices) return blame_caller(system, "factor() before matrix()");
    tn_status status = assembly->linear_self ? TN_OK : create(assembly);
    if (status != TN_OK) return status;
    status = tn_call(assembly->linear, factor, assembly->linear_self, &assembly->matrix);
    const double time = now() - start;
    assembly->linear_time += time;
    if (!assembly->statistics.factorisations++) assembly->first_factorisation_time = time;
    if (status == TN_RETRY) return tn_linear_check_verdict(assembly);
    if (status != TN_OK) return blame(assembly, "factor", status);
    tn_linear_check_factored(assembly);
    return TN_OK;
}

static tn_status solve_now(tn_assembly *assembly, double *right_hand_side)
{
    tn_linear_check_give(assembly, right_hand_side);
    const tn_status status = tn_call(assembly->linear, solve, assembly->linear_self, right_hand_side);
    return status == TN_OK ? tn_linear_check_solution(assembly, right_hand_side)
                           : blame(assembly, "solve", status);
}

static tn_status solve(tn_system *system, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    if (!assembly->linear_self) return blame_caller(system, "solve() before factor()");
    assembly->statistics.linear_solves++;
    if (system->nv + system->rows < TIMED_SIZE) return solve_now(assembly, right_hand_side);
    const double start = now();
    const tn_status status = solve_now(assembly, right_hand_side);
    assembly->linear_time += now() - start;
    return status;
}

void tn_linear_open(tn_assembly *assembly, const tn_loaded_linear *type, const void *instance)
{
    assembly->linear = type;
    assembly->linear_instance = instance;
    assembly->system.factor = factor;
    assembly->system.solve = solve;
}

void tn_linear_close(tn_assembly *assembly)
{
    if (assembly->linear_self) tn_call(assembly->linear, destroy, assembly->linear_self);
    if (assembly->norm_self) tn_call(assembly->linear, destroy, assembly->norm_self);
    assembly->linear_self = assembly->norm_self = NULL;
    tn_linear_check_free(assembly->linear_check);
    assembly->linear_check = NULL;
    assembly->system.factor = factor_nothing;
    assembly->system.solve = solve_nothing;
}
