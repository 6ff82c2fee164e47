/* trespassing_solvers.c - solvers, linear solvers, writers and functions that write where nothing is theirs, or change what they may only
 * read */
#include "trespassing.h"
#include <tenon/draft/impulses.h>

#include <stdlib.h>

/* ---- functions, linear solvers and writers --------------------------------------------------------------- */

static tn_status value(const void *instance, const double *arguments, double *result, double *first,
                       double *second)
{
    (void)instance;
    *result = arguments[0];
    if (first) first[0] = first[400] = 1.0;
    if (second) second[0] = 0.0;
    return TN_OK;
}

static const tn_function_type function_type = {.struct_size = sizeof(tn_function_type),
                                               .arguments = 1,
                                               .name = "trespassing_function",
                                               .summary = "writes where nothing is its own",
                                               .formula = "-",
                                               .value = value};

typedef struct diagonal {
    uint32_t size;
    double entry[64];
} diagonal;

static tn_status create(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                        void **self)
{
    (void)host;
    diagonal *made = matrix->size < 64 ? calloc(1, sizeof *made) : NULL;
    *self = made;
    if (!made) return TN_OUT_OF_MEMORY;
    made->size = matrix->size;
    return TN_OK;
}

static tn_status factor(void *self, const tn_matrix *matrix)
{
    diagonal *made = self;
    for (uint32_t c = 0; c < matrix->size; c++)
        for (int32_t e = matrix->column_start[c]; e < matrix->column_start[c + 1]; e++)
            if (matrix->row[e] == (int32_t)c) made->entry[c] = matrix->value[e];
    return TN_OK;
}

static tn_status factor_in_place(void *self, const tn_matrix *matrix)
{
    const tn_status status = factor(self, matrix);
    matrix->value[0] = 1.0;
    return status;
}

static tn_status solve(void *self, double *right_hand_side)
{
    const diagonal *made = self;
    for (uint32_t k = 0; k < made->size; k++)
        right_hand_side[k] /= made->entry[k];
    return TN_OK;
}

static tn_status solve_too_far(void *self, double *right_hand_side)
{
    right_hand_side[((const diagonal *)self)->size] = 0.0;
    return solve(self, right_hand_side);
}

static const tn_linear_type linear_type = {.struct_size = sizeof(tn_linear_type),
                                           .name = "trespassing_linear",
                                           .summary = "diagonal matrices only",
                                           .formula = "-",
                                           .create = create,
                                           .factor = factor,
                                           .solve = solve_too_far,
                                           .destroy = free};
static const tn_linear_type in_place_type = {.struct_size = sizeof(tn_linear_type),
                                             .name = "trespassing_factors",
                                             .summary = "diagonal matrices only",
                                             .formula = "-",
                                             .create = create,
                                             .factor = factor_in_place,
                                             .solve = solve,
                                             .destroy = free};

static tn_status open_table(const tn_host *host, TN_UNUSED const void *instance, const char *directory,
                            const char *table, const tn_column *columns, size_t column_count, void **self)
{
    static char one;
    (void)host, (void)directory, (void)table, (void)columns, (void)column_count;
    *self = &one;
    return TN_OK;
}

static tn_status row(void *self, const double *values)
{
    (void)self;
    ((double *)writable(values))[0] = 0.0;
    return TN_OK;
}

static tn_status close_table(void *self)
{
    (void)self;
    return TN_OK;
}

static const tn_writer_type writer_type = {.struct_size = sizeof(tn_writer_type),
                                           .name = "trespassing_writer",
                                           .summary = "changes rows",
                                           .formula = "-",
                                           .open = open_table,
                                           .row = row,
                                           .close = close_table};

/* ---- a solver -------------------------------------------------------------------------------------------- */

typedef struct stepper {
    int32_t way, reserved;
} stepper;
enum stepper_way { STEPS_ON, Q_BEHIND, V_BEFORE, X_WRITTEN, FORCE, SCALE, SIZES, RUN };

static const tn_parameter stepper_parameters[] = {
    {.name = "way",
     .meaning = "what is wrong",
     .unit = "",
     .detail = "nothing|q_behind|v_before|x|force|scale|sizes|run",
     .high = 7.0,
     .offset = offsetof(stepper, way),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {0}};

static void trespass_in(tn_system *system, int32_t way)
{
    if (way == Q_BEHIND) system->q[system->nq] = 1.0;
    if (way == V_BEFORE) system->v[-1] = 1.0;
    if (way == X_WRITTEN) system->x[0] = 1.0;
    if (way == FORCE) *(double *)writable(system->force) += 1.0;
    if (way == SCALE) *(double *)writable(system->scale) = 5.0;
    if (way == SIZES) system->nv--;
    if (way == RUN) ((tn_run *)writable(system->run))->end_time = 7.0;
}

/* Euler's method, which does it halfway. */
static tn_status step_on(const void *instance, tn_system *system)
{
    const int steps = 10;
    const double start = system->time, h = (system->run->end_time - start) / steps;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accept(system);
    for (int k = 1; k <= steps && status == TN_OK; k++) {
        status = system->accelerate(system, system->a);
        for (uint32_t i = 0; i < system->nv; i++) {
            system->v[i] += h * system->a[i];
            system->q[i] += h * system->v[i];
        }
        system->time = k == steps ? system->run->end_time : start + k * h;
        if (status == TN_OK) status = system->evaluate(system);
        if (k == steps / 2) trespass_in(system, ((const stepper *)instance)->way);
        if (status == TN_OK) status = system->accept(system);
    }
    return status;
}

static const tn_solver_type stepper_type = {.struct_size = sizeof(tn_solver_type),
                                            .name = "trespassing_solver",
                                            .summary = "writes where it should not",
                                            .formula = "-",
                                            .parameters = stepper_parameters,
                                            .instance_size = sizeof(stepper),
                                            .advance = step_on};

/* ---- a constraint solver --------------------------------------------------------------------------------- */

static tn_status create_impulses(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                 TN_UNUSED const tn_own_matrices *service, void **self)
{
    *self = calloc(1, sizeof(int));
    return *self ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status solve_rates_away(TN_UNUSED void *self, const tn_impulse_problem *problem,
                                  TN_UNUSED tn_impulse_outcome *outcome)
{
    for (uint32_t r = 0; r < problem->rows; r++)
        ((double *)(uintptr_t)problem->free_rate)[r] = 1.0;
    return TN_OK;
}

static const tn_constraint_solver_type impulses_type = {.struct_size = sizeof(tn_constraint_solver_type),
                                                        .name = "trespassing_impulses",
                                                        .summary = "changes the problem",
                                                        .formula = "-",
                                                        .create = create_impulses,
                                                        .solve = solve_rates_away,
                                                        .destroy = free};

TN_LIBRARY("trespassing_solvers", "1.2.3", "Apache-2.0", "for tests of guarded runs",
           {TN_FUNCTION_KIND, &function_type}, {TN_LINEAR_KIND, &linear_type},
           {TN_LINEAR_KIND, &in_place_type}, {TN_WRITER_KIND, &writer_type}, {TN_SOLVER_KIND, &stepper_type},
           {TN_CONSTRAINT_SOLVER_KIND, &impulses_type})
