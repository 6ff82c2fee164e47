/* run.c - a run of generalized_alpha: its memory, its start, what a step ends with, its state. Steps of fixed length are in grid.c,
 * those under error control in adaptive.c. */
#include "generalized_alpha.h"

#include "tenon/kit/run_start.h"

#include <string.h>

#define TRIFLING_SHARE 0.01 /* of the tolerance of corrections: what is as small changes no integral */

static double *new_array(const tn_host *host, size_t count)
{
    return host->allocate(host, (count > 0 ? count : 1) * sizeof(double));
}

/* What is left of the equations shall not show beside the errors of steps. */
static double newton_tolerance_of(const alpha_work *work)
{
    const tn_run *run = work->system->run;
    if (!isnan(work->settings->newton_tolerance)) return work->settings->newton_tolerance;
    const double of_a_step = work->share_of_a_step * run->relative_tolerance;
    return run->adaptive ? fmin(fmax(0.01 * of_a_step, 1e-11), 1e-6) : 1e-10;
}

/* Arrays of all coordinates, of all rows, of both, and of states. */
static bool make_arrays(alpha_work *work)
{
    const tn_system *system = work->system;
    const size_t nv = system->nv, rows = system->rows, all = nv + rows;
    const struct {
        double **array;
        size_t count;
    } arrays[] = {{&work->q0, system->nq},
                  {&work->v0, nv},
                  {&work->vdot0, all},
                  {&work->past[0], all},
                  {&work->past[1], all},
                  {&work->past[2], all},
                  {&work->past[3], all},
                  {&work->past[4], all},
                  {&work->past[5], all},
                  {&work->matrix_q, system->nq},
                  {&work->a, nv},
                  {&work->increment, nv},
                  {&work->inverse_scale, nv},
                  {&work->v_at_start, nv},
                  {&work->vdot_at_start, nv},
                  {&work->residual, all},
                  {&work->shift, all},
                  {&work->null_part, all},
                  {&work->rows, rows},
                  {&work->norm, (ALPHA_WAYS + 1) * tn_count_blocks(system->nv)},
                  {&work->x0, system->nx},
                  {&work->x_rate0, system->nx},
                  {&work->x_base, system->nx},
                  {&work->x_rate_before, system->nx}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (!(*arrays[i].array = new_array(system->host, arrays[i].count))) return false;
    return true;
}

static tn_status prepare_work(alpha_work *work, const alpha_instance *settings, tn_system *system)
{
    *work = (alpha_work){.settings = settings,
                         .c = settings->coefficients,
                         .system = system,
                         .part = 1.0,
                         .adaptive = system->run->adaptive};
    if (!make_arrays(work)) return TN_OUT_OF_MEMORY;
    if (!tn_stall_watch_make(&work->stall, system)) return TN_OUT_OF_MEMORY;
    work->report = tn_step_report_of(system);
    if (!tn_event_watch_make(&work->watch, system)) return TN_OUT_OF_MEMORY;
    if (system->run->adaptive && !tn_error_weights_make(&work->weights, system)) return TN_OUT_OF_MEMORY;
    if (!system->pattern(system)) return TN_OUT_OF_MEMORY;

    // corrections of h v are gamma/beta times those of q: the larger ones are measured
    const double larger = fmax(1.0, work->c.gamma / work->c.beta);
    for (size_t i = 0; i < system->nv; i++)
        work->inverse_scale[i] = larger / (system->scale[i] > 0.0 ? system->scale[i] : 1.0);
    tn_alpha_forget_refusals(work);
    const bool at_index_3 = settings->index == 3 && system->position_rows > 0;
    work->share_of_a_step = tn_alpha_share_of_a_step(system->run, at_index_3);
    work->newton_tolerance = newton_tolerance_of(work);
    tn_alpha_forget_contraction(work);
    tn_alpha_measure_round_off(work);
    return TN_OK;
}

tn_status tn_alpha_give_up(alpha_work *work, double h, const char *what)
{
    tn_system *system = work->system;
    const double *residual = NULL;
    if (system->evaluate(system) == TN_OK && system->residual(system, system->a, work->residual) == TN_OK &&
        (!system->rows || system->constraint(system, work->residual + system->nv) == TN_OK))
        residual = work->residual;
    if (residual && system->nv > 0) (void)tn_alpha_renew_matrix(work, h); /* who has no derivative is named */
    char text[200];
    (void)snprintf(text, sizeof text,
                   "the step %s %.3g s, with a fresh Jacobian and %lld Newton iterations for each", what, h,
                   (long long)work->settings->newton_iterations);
    const tn_status status = system->fail(system, TN_FATAL, residual, text);
    tn_alpha_restore_state(work);
    return status;
}

tn_status tn_alpha_integrate_states(alpha_work *work, double h)
{
    tn_system *system = work->system;
    if (system->nx == 0) return TN_OK;
    const bool moved = !(work->last_correction <= TRIFLING_SHARE * work->newton_tolerance) || system->nv == 0;
    tn_status status = TN_OK;
    if (moved || work->adaptive || work->switches || system->nx > system->quadratures) {
        tn_alpha_hold_states(work, h);
        status = system->evaluate(system);
        system->state_base = NULL;
    }
    for (size_t i = 0; i < system->nx && status == TN_OK; i++)
        system->x[i] = work->x0[i] + 0.5 * h * (work->x_rate0[i] + system->x_rate[i]);
    return status;
}

tn_status tn_alpha_accept(alpha_work *work)
{
    tn_system *system = work->system;
    double *before = work->x_rate_before;
    work->stand.accepted++;
    const tn_status status = system->accept(system);
    work->x_rate_before = work->x_rate0;
    work->x_rate0 = before;
    memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    return status;
}

tn_status tn_alpha_start_behind_impact(alpha_work *work, double h)
{
    tn_system *system = work->system;
    work->landed = false;
    work->matrix_step = 0.0;
    tn_status status = system->rows ? system->evaluate(system) : TN_OK;
    if (status == TN_OK && system->rows) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the state after an impact");
    return tn_alpha_start(work, h);
}

tn_status tn_alpha_start_behind_change(alpha_work *work, double h)
{
    work->matrix_step = 0.0;
    const tn_status status = tn_alpha_start_data(work);
    return status == TN_OK ? tn_alpha_start(work, h) : status;
}

static tn_status alpha_step(void *solver, double until, uint64_t most)
{
    alpha_work *work = solver;
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    if (!work->adaptive) return tn_alpha_steps_on_grid(work, stop, most);
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most)
        status = tn_alpha_step_adaptive(work);
    return status;
}

/* A part of the run with the same steps goes on with all that is known from the one before, as if they were one. */
static bool is_continued(const alpha_work *before, const alpha_instance *settings, const tn_system *system)
{
    return before && !system->run->adaptive && !before->adaptive && before->grid.step == system->run->step &&
           system->time >= system->run->start_time && before->stand.piece.done >= 1.0 && !before->landed &&
           memcmp(before->settings, settings, sizeof *settings) == 0;
}

static tn_status go_on(alpha_work *work, const alpha_instance *settings)
{
    tn_system *system = work->system;
    work->settings = settings;
    system->frozen = work->switches;
    tn_alpha_begin_grid(work);
    work->stand.accepted++;
    return system->accept(system);
}

static tn_status alpha_begin(const void *instance, tn_system *system, void *before, void **solver)
{
    *solver = before;
    if (is_continued(before, instance, system)) return go_on(before, instance);
    alpha_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    tn_status status = work ? prepare_work(work, instance, system) : TN_OUT_OF_MEMORY;
    if (status != TN_OK) return status;
    status = tn_evaluate_start(system);
    if (status != TN_OK) return status;
    tn_alpha_choose_index(work);
    status = tn_alpha_start_data(work);
    if (status == TN_OK) status = tn_alpha_accept(work);

    tn_alpha_begin_grid(work);
    work->stand.piece = (alpha_piece){.done = 1.0, .revision = system->revision};
    work->stand.revision = system->revision;
    if (status == TN_OK && work->grid.count > 0 && work->adaptive) return tn_alpha_begin_adaptive(work);
    if (status == TN_OK && work->grid.count > 0)
        status = tn_alpha_start(work, tn_step_grid_step(&work->grid, 0));
    return status;
}

static void alpha_end(void *work) { tn_alpha_report_data(work); }

static void alpha_state(void *solver, tn_state_visitor *visitor)
{
    alpha_work *work = solver;
    const tn_system *system = work->system;
    tn_visit_numbers(visitor, work->a, system->nv);
    tn_visit_numbers(visitor, work->x_rate0, system->nx);
    tn_visit_numbers(visitor, work->x_rate_before, system->nx);
    for (int k = 0; k < ALPHA_PAST; k++)
        tn_visit_numbers(visitor, work->past[k], (size_t)system->nv + system->rows);
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    TN_VISIT(visitor, work->contraction);
    TN_VISIT(visitor, work->predictors);
    TN_VISIT(visitor, work->new_null_directions);
    tn_visit_numbers(visitor, work->matrix_q, system->nq);
    TN_VISIT(visitor, work->in_ground_axes);
    TN_VISIT(visitor, work->index);
    double *const number[] = {&work->longest_turn,  &work->before_step,   &work->a_step,
                              &work->matrix_step,   &work->part,          &work->round_off,
                              &work->wanted,        &work->largest_error, &work->shortest,
                              &work->row_tolerance, &work->null_error};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
    uint32_t *const count[] = {&work->refusals, &work->most_refusals, &work->extra_iterations,
                               &work->steps_in_part};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        TN_VISIT(visitor, *count[k]);
    TN_VISIT(visitor, work->switches);
    TN_VISIT(visitor, work->landed);
    TN_VISIT(visitor, work->unsettled);
    tn_stall_watch_state(&work->stall, visitor);
    if (!work->adaptive) return;
    TN_VISIT(visitor, work->control);
    tn_error_weights_state(&work->weights, visitor);
    tn_event_watch_state(&work->watch, visitor);
}

const tn_stepping_capability tn_alpha_stepping = {.struct_size = sizeof tn_alpha_stepping,
                                                  .begin = alpha_begin,
                                                  .step = alpha_step,
                                                  .end = alpha_end,
                                                  .state = alpha_state};
