/* loops.c - values that read each other are solved for together, by Newton's method from the last ones
 *
 * The equations are r = 0, for a value v = f(u) that reads u: r = v - f, and r = -f where v is implicit. With their derivatives
 * A by the values of the loop, all derivatives of these by what stands outside come from A^-1 or its transpose. */
#include "values/derivatives.h"
#include "system/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 100, MOST_HALVINGS = 20 };
/* Residuals of this size, relative to the largest term of an equation, are round-off; or will be, one step further. */
static const double round_off = 2.0 * DBL_EPSILON, good_enough = 1e-11;

typedef struct block {
    const tn_loop *loop;
    double *matrix;                           /* [count][count], A or its factors */
    uint32_t *exchange;                       /* [count] */
    enum { UNKNOWN, FILLED, FACTORED } state; /* UNKNOWN: without a solution, or singular */
    const char *singular, *unsolved;          /* messages */
} block;

struct tn_loops {
    block *block;
    double *value, *residual, *size, *step, *trial, *start; /* [values of the largest loop] */
};

/* ---- memory ---------------------------------------------------------------------------------------------- */

static const char *message_on_loop(tn_model *model, const tn_loop *loop, const char *alone,
                                   const char *together)
{
    bool several = false; /* variables; one has several expressions where it changes */
    for (uint32_t k = 1; k < loop->count; k++)
        several = several || tn_value_of_rank(model->values, loop->first + k)->item !=
                                 tn_value_of_rank(model->values, loop->first)->item;
    if (!several) return alone;
    return tn_arena_print(&model->arena, "%s: %s", tn_loop_name(model, loop), together);
}

void tn_loops_build(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    size_t most = 0;
    if (!model->values->loop_count) return;
    struct tn_loops *all = assembly->read->loops = tn_assembly_new(assembly, 1, sizeof *all);
    all->block = tn_assembly_new(assembly, model->values->loop_count, sizeof *all->block);
    for (size_t k = 0; k < model->values->loop_count; k++) {
        const tn_loop *loop = &model->values->loop[k];
        all->block[k] =
            (block){.loop = loop,
                    .matrix = tn_assembly_new(assembly, (size_t)loop->count * loop->count, sizeof(double)),
                    .exchange = tn_assembly_new(assembly, loop->count, sizeof(uint32_t)),
                    .singular = message_on_loop(model, loop,
                                                "its equation is singular here: it has no solution nearby",
                                                "the equations of this loop are singular here"),
                    .unsolved = message_on_loop(model, loop, "no solution of its equation is found nearby",
                                                "no solution of this loop is found")};
        if (loop->count > most) most = loop->count;
    }
    double **const memory[] = {&all->value, &all->residual, &all->size, &all->step, &all->trial, &all->start};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        *memory[k] = tn_assembly_new(assembly, most, sizeof(double));
}

/* ---- equations ------------------------------------------------------------------------------------------- */

static const tn_dynamic_value *member_of_loop(const tn_assembly *assembly, const block *b, uint32_t i)
{
    const tn_model *model = assembly->model;
    return tn_value_of_rank(model->values, b->loop->first + i);
}

/* Other parameters of an implicit variable are what their expressions say. */
static bool is_implicit(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    return assembly->model->item[dynamic->item].variable == TN_IMPLICIT &&
           dynamic->offset == tn_variable_parameter(assembly->model, dynamic->item)->offset;
}

uint32_t tn_loop_place(const tn_model *model, const tn_dynamic_value *reader, const tn_value_node *node)
{
    const tn_value_graph *graph = model->values;
    if (reader->loop == TN_NONE || node->kind != &tn_variable_node || tn_is_unknown(model, node->index))
        return TN_NONE;
    const uint32_t read = tn_value_in_force(model, node->index);
    return read != TN_NONE && graph->dynamic[read].loop == reader->loop
               ? graph->dynamic[read].rank - graph->loop[reader->loop].first
               : TN_NONE;
}

static void write_values(const tn_assembly *assembly, const block *b, const double *value)
{
    for (uint32_t i = 0; i < b->loop->count; i++) {
        const tn_dynamic_value *dynamic = member_of_loop(assembly, b, i);
        if (!dynamic->off) *tn_dynamic_place(assembly, dynamic) = value[i];
    }
}

static void read_values(const tn_assembly *assembly, const block *b, double *value)
{
    for (uint32_t i = 0; i < b->loop->count; i++)
        value[i] = *tn_dynamic_place(assembly, member_of_loop(assembly, b, i));
}

/* The residual of equation i where its expression has this value. */
static double residual_of(const tn_assembly *assembly, const tn_dynamic_value *dynamic, double of_expression)
{
    return (is_implicit(assembly, dynamic) ? 0.0 : *tn_dynamic_place(assembly, dynamic)) - of_expression;
}

/* Row i of A; the largest term of its equation. */
static double fill_row(const tn_assembly *assembly, const block *b, uint32_t i, double of_expression)
{
    const tn_dynamic_value *dynamic = member_of_loop(assembly, b, i);
    const tn_live_value *live = &dynamic->live;
    const double *gradient = assembly->read->derivatives->gradient;
    double *row = b->matrix + (size_t)i * b->loop->count, largest = fabs(of_expression);
    row[i] = is_implicit(assembly, dynamic) ? 0.0 : 1.0;
    for (uint32_t k = live->depth; k < live->depth + 1 + live->calls.count; k++)
        largest = fmax(largest, fabs(live->factor * gradient[k] * live->inputs[k]));
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const uint32_t j = tn_loop_place(assembly->model, dynamic, &live->read[k]);
        if (j != TN_NONE) row[j] -= live->factor * gradient[live->depth + 1 + k];
    }
    return largest;
}

/* All residuals, and A; values that are off stay as they are. False with the equation that has no value, and why. */
static bool fill_block(const tn_assembly *assembly, block *b, uint32_t *worst, const char **problem)
{
    struct tn_loops *all = assembly->read->loops;
    const uint32_t n = b->loop->count;
    memset(b->matrix, 0, (size_t)n * n * sizeof *b->matrix);
    b->state = FILLED;
    for (uint32_t i = 0; i < n; i++) {
        const tn_dynamic_value *dynamic = member_of_loop(assembly, b, i);
        double value = 0.0;
        all->residual[i] = 0.0;
        b->matrix[(size_t)i * n + i] = 1.0;
        if (dynamic->off) continue;
        if (!tn_live_differentiate(assembly, &dynamic->live, NULL, &value,
                                   assembly->read->derivatives->gradient, NULL)) {
            *worst = i;
            *problem = "its expression has no derivative here";
            (void)tn_live_evaluate(assembly, &dynamic->live, &value, problem);
            return false;
        }
        value *= dynamic->live.factor;
        all->residual[i] = residual_of(assembly, dynamic, value);
        all->size[i] = fill_row(assembly, b, i, value);
    }
    return true;
}

static bool factor_block(block *b, uint32_t *column)
{
    if (b->state == FACTORED) return true;
    b->state = tn_lu_factor(b->loop->count, b->matrix, b->exchange, column) ? FACTORED : UNKNOWN;
    return b->state == FACTORED;
}

tn_status tn_loop_divide(const tn_assembly *assembly, uint32_t loop, bool transposed, double *x)
{
    block *b = &assembly->read->loops->block[loop];
    uint32_t column = 0;
    if (b->state == UNKNOWN || !factor_block(b, &column)) return TN_RETRY;
    (transposed ? tn_lu_solve_transposed : tn_lu_solve)(b->loop->count, b->matrix, b->exchange, x);
    return TN_OK;
}

/* ---- solution -------------------------------------------------------------------------------------------- */

/* Whether the residuals are as small as that; and which one is the largest. */
static bool is_solved(const struct tn_loops *all, const block *b, double tolerance, uint32_t *worst)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < b->loop->count; i++) {
        if (all->residual[i] == 0.0) continue;
        const double size = fabs(all->residual[i]) / all->size[i];
        if (size <= largest) continue;
        largest = size;
        *worst = i;
    }
    return largest <= tolerance;
}

/* The square of a step, each value in its own measure. */
static double square_of_step(const struct tn_loops *all, const block *b, const double *step)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < b->loop->count; i++) {
        const double measure = fabs(all->value[i]) + fabs(all->step[i]);
        if (measure > 0.0) sum += step[i] / measure * (step[i] / measure);
    }
    return sum;
}

/* The step that would come next with the same derivatives, into `trial`. False where an expression has no value. */
static bool find_next_step(const tn_assembly *assembly, const block *b)
{
    double *residual = assembly->read->loops->trial;
    for (uint32_t i = 0; i < b->loop->count; i++) {
        const tn_dynamic_value *dynamic = member_of_loop(assembly, b, i);
        double value = 0.0;
        residual[i] = 0.0;
        if (dynamic->off) continue;
        if (!tn_live_evaluate(assembly, &dynamic->live, &value, NULL)) return false;
        residual[i] = residual_of(assembly, dynamic, value);
    }
    tn_lu_solve(b->loop->count, b->matrix, b->exchange, residual);
    return true;
}

/* Goes along the step, for as much of it that the next one becomes smaller. */
static bool advance_values(const tn_assembly *assembly, const block *b, int most_halvings)
{
    struct tn_loops *all = assembly->read->loops;
    const double before = square_of_step(all, b, all->step);
    double part = 1.0;
    for (int k = 0; k <= most_halvings; k++, part *= 0.5) {
        const double least = 1.0 - 0.25 * part;
        for (uint32_t i = 0; i < b->loop->count; i++)
            all->trial[i] = all->value[i] - part * all->step[i];
        write_values(assembly, b, all->trial);
        if (find_next_step(assembly, b) && square_of_step(all, b, all->trial) <= least * least * before) {
            read_values(assembly, b, all->value);
            return true;
        }
    }
    write_values(assembly, b, all->value);
    return false;
}

/* Where an expression has no value yet: all of them in turn, as far as they have one. */
static void guess_values(const tn_assembly *assembly, const block *b)
{
    for (uint32_t i = 0; i < b->loop->count; i++) {
        const tn_dynamic_value *dynamic = member_of_loop(assembly, b, i);
        double value = 0.0;
        if (!dynamic->off && !is_implicit(assembly, dynamic) &&
            tn_live_evaluate(assembly, &dynamic->live, &value, NULL))
            *tn_dynamic_place(assembly, dynamic) = value;
    }
    read_values(assembly, b, assembly->read->loops->value);
}

/* NULL, or why there is no solution, and the value that this is about. */
static const char *solve_block(const tn_assembly *assembly, block *b, uint32_t *worst)
{
    struct tn_loops *all = assembly->read->loops;
    const char *problem = NULL;
    if (!fill_block(assembly, b, worst, &problem)) {
        guess_values(assembly, b);
        if (!fill_block(assembly, b, worst, &problem)) return problem;
    }
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        if (is_solved(all, b, round_off, worst)) return NULL;
        const bool last = is_solved(all, b, good_enough, worst);
        if (!factor_block(b, worst)) return last ? NULL : b->singular;
        memcpy(all->step, all->residual, b->loop->count * sizeof *all->step);
        tn_lu_solve(b->loop->count, b->matrix, b->exchange, all->step);
        if (!advance_values(assembly, b, last ? 0 : MOST_HALVINGS)) return last ? NULL : b->unsolved;
        if (last) return NULL;
        if (!fill_block(assembly, b, worst, &problem)) return problem;
    }
    return b->unsolved;
}

tn_status tn_loop_solve(tn_assembly *assembly, uint32_t loop)
{
    struct tn_loops *all = assembly->read->loops;
    block *b = &all->block[loop];
    uint32_t worst = 0;
    read_values(assembly, b, all->value);
    read_values(assembly, b, all->start);
    const char *problem = solve_block(assembly, b, &worst);
    if (!problem) return TN_OK;
    b->state = UNKNOWN;
    write_values(assembly, b, all->start);
    return tn_value_refused(assembly, member_of_loop(assembly, b, worst), problem);
}
