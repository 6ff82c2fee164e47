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

static tn_status factor(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const double start = now();
    if (!assembly->linear_self) {
        const tn_matrix *matrix = tn_system_pattern(system);
        if (!matrix) return TN_OUT_OF_MEMORY;
        const tn_status status =
            tn_call(assembly->linear, create, system->host, matrix, &assembly->linear_self);
        if (status != TN_OK) return status;
    }
    const tn_status status = tn_call(assembly->linear, factor, assembly->linear_self, &assembly->matrix);
    const double time = now() - start;
    assembly->linear_time += time;
    if (!assembly->statistics.factorisations++) assembly->first_factorisation_time = time;
    return status;
}

static tn_status solve(tn_system *system, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    assembly->statistics.linear_solves++;
    if (system->nv + system->rows < TIMED_SIZE)
        return tn_call(assembly->linear, solve, assembly->linear_self, right_hand_side);
    const double start = now();
    const tn_status status = tn_call(assembly->linear, solve, assembly->linear_self, right_hand_side);
    assembly->linear_time += now() - start;
    return status;
}

bool tn_linear_open(tn_assembly *assembly, const tn_linear_type *type)
{
    assembly->linear = type;
    assembly->system.factor = factor;
    assembly->system.solve = solve;
    return type->create && type->factor && type->solve && type->destroy;
}

void tn_linear_close(tn_assembly *assembly)
{
    if (assembly->linear_self) tn_call(assembly->linear, destroy, assembly->linear_self);
    if (assembly->norm_self) tn_call(assembly->linear, destroy, assembly->norm_self);
    assembly->linear_self = assembly->norm_self = NULL;
}
