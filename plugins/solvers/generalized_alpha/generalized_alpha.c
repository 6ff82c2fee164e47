/* generalized_alpha.c - implicit Lie-group integrator of order 2 with damping of high frequencies:
 * parameters, the grid of steps and its halving. What steps start with is in first_step.c, one step in newton.c. */
#include "tenon/plugin.h"

#include "generalized_alpha.h"

#include <string.h>

#define SMALLEST_PART 0x1p-20      /* of the grid step, after halvings */
#define SHORTEST_AT_IMPACT 0x1p-10 /* of the grid step: an impact in so short a step may stay there */

enum { MOST_PARTS = 16384 }; /* of a grid step */

static double *new_array(const tn_host *host, size_t count)
{
    return host->allocate(host, (count > 0 ? count : 1) * sizeof(double));
}

static tn_status prepare_work(alpha_work *work, const alpha_instance *settings, tn_system *system)
{
    const tn_host *host = system->host;
    *work = (alpha_work){.settings = settings, .c = settings->coefficients, .system = system, .part = 1.0};
    double **const arrays[] = {
        &work->v0,         &work->vdot0,         &work->before,        &work->a,
        &work->kept,       &work->increment,     &work->inverse_scale, &work->residual,
        &work->shift,      &work->rows,          &work->lambda0,       &work->lambda_before,
        &work->v_at_start, &work->vdot_at_start, &work->null_part};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (!(*arrays[i] = new_array(host, (size_t)system->nv + system->rows))) return TN_OUT_OF_MEMORY;
    if (!(work->q0 = new_array(host, system->nq))) return TN_OUT_OF_MEMORY;
    if (!(work->norm = new_array(host, tn_count_blocks(system->nv)))) return TN_OUT_OF_MEMORY;
    if (!(work->x0 = new_array(host, system->nx))) return TN_OUT_OF_MEMORY;
    if (!(work->x_rate0 = new_array(host, system->nx))) return TN_OUT_OF_MEMORY;
    if (!(work->x_base = new_array(host, system->nx))) return TN_OUT_OF_MEMORY;
    if (!(work->x_rate_before = new_array(host, system->nx))) return TN_OUT_OF_MEMORY;
    if (!tn_stall_watch_make(&work->stall, system)) return TN_OUT_OF_MEMORY;
    if (!system->pattern(system)) return TN_OUT_OF_MEMORY;

    // corrections of h v are gamma/beta times those of q: the larger ones are measured
    const double larger = fmax(1.0, work->c.gamma / work->c.beta);
    double size = 0.0;
    for (size_t i = 0; i < system->nv; i++) {
        work->inverse_scale[i] = larger / (system->scale[i] > 0.0 ? system->scale[i] : 1.0);
        size = fmax(size, system->scale[i]);
    }
    tn_alpha_forget_refusals(work);
    work->row_tolerance = 0.2 * settings->newton_tolerance * fmin(1.0, size);
    tn_alpha_forget_contraction(work);
    tn_alpha_measure_round_off(work);
    return TN_OK;
}

/* Explains with the residual of the last iteration, and goes back to the last accepted state. */
static tn_status give_up(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const double *residual = NULL;
    if (system->evaluate(system) == TN_OK && system->residual(system, system->a, work->residual) == TN_OK &&
        (!system->rows || system->constraint(system, work->residual + system->nv) == TN_OK))
        residual = work->residual;
    if (residual && system->nv > 0) (void)tn_alpha_renew_matrix(work, h); /* who has no derivative is named */
    char text[200];
    (void)snprintf(text, sizeof text,
                   "the step was halved to %.3g s, with a fresh Jacobian and %lld Newton iterations for each",
                   h, (long long)work->settings->newton_iterations);
    const tn_status status = system->fail(system, TN_FATAL, residual, text);
    tn_alpha_restore_state(work);
    return status;
}

/* States of x and quadratures follow the new state by the trapezoidal rule: the last iteration's forces are not quite those
 * there. */
static tn_status integrate_states(alpha_work *work, double h)
{
    tn_system *system = work->system;
    if (system->nx == 0) return TN_OK;
    tn_alpha_hold_states(work, h);
    const tn_status status = system->evaluate(system);
    system->state_base = NULL;
    for (size_t i = 0; i < system->nx && status == TN_OK; i++)
        system->x[i] = work->x0[i] + 0.5 * h * (work->x_rate0[i] + system->x_rate[i]);
    return status;
}

/* Hands the new state over. The rates before it are kept for the next prediction. */
static tn_status accept_state(alpha_work *work)
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

/* Forces have jumped: nothing from before helps to predict. With constraints, v' of the step across the jump is not yet that of
 * the state behind it. */
static tn_status start_behind_impact(alpha_work *work, double h)
{
    tn_system *system = work->system;
    work->landed = false;
    work->matrix_step = 0.0;
    tn_status status = system->rows ? system->evaluate(system) : TN_OK;
    if (status == TN_OK && system->rows) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the state after an impact");
    return tn_alpha_start(work, h);
}

/* Nor is anything from before a change of the model of use. */
static tn_status start_behind_change(alpha_work *work, double h)
{
    work->matrix_step = 0.0;
    const tn_status status = tn_alpha_start_data(work);
    return status == TN_OK ? tn_alpha_start(work, h) : status;
}

static tn_status give_up_on_parts(alpha_work *work)
{
    char text[200];
    (void)snprintf(text, sizeof text,
                   "one step was divided into %d parts, down to %.3g s, and has not ended: forces jump at "
                   "every one of them, or are too fast for any step",
                   MOST_PARTS, work->system->statistics->smallest_step);
    return tn_stall_watch_fail(&work->stall, text);
}

/* One part of the piece of a step, accepted. Parts are powers of 1/2, so their sums are exact; they are halved until one converges,
 * and double again as soon as the larger one fits into the step. */
static tn_status cross_part(alpha_work *work)
{
    tn_system *system = work->system;
    alpha_piece *piece = &work->stand.piece;
    const double h = piece->length;
    const double shortest =
        fmax(system->run->minimum_step > 0.0 ? system->run->minimum_step : 0.0, SMALLEST_PART * h);
    work->shortest = fmax(shortest, SHORTEST_AT_IMPACT * h);
    for (;;) {
        const double next = piece->done + work->part, part_step = work->part * h;
        tn_status status =
            tn_alpha_solve_step(work, part_step, next < 1.0 ? piece->start + next * h : piece->end);
        tn_stall_watch_turn(&work->stall, piece->parts >= MOST_PARTS - TN_STALL_TRIES);
        tn_stall_watch_see(&work->stall, system->a);
        if (status == TN_RETRY) {
            system->statistics->rejected_steps++;
            if (0.5 * part_step < shortest) return give_up(work, part_step);
            tn_alpha_restore_state(work);
            if (work->switches) system->restore_data(system);
            tn_alpha_shorten(work, h);
            status = tn_alpha_slide(work, h);
            if (status == TN_OK) continue;
        }
        if (status == TN_OK && work->in_ground_axes) tn_alpha_watch_turns(work);
        if (status == TN_OK) status = integrate_states(work, part_step);
        if (status != TN_OK) return system->fail(system, status, NULL, "the Newton iteration cannot go on");
        if (++piece->parts > MOST_PARTS) return give_up_on_parts(work);
        piece->done = next;
        if (tn_alpha_may_lengthen(work, piece->done)) work->part *= 2.0;
        tn_count_step(system->statistics, part_step);
        if (piece->done >= 1.0 && piece->parts == 1) tn_alpha_forget_refusals(work);
        return accept_state(work);
    }
}

/* A step of the grid, in two pieces where the model changes in between. */
static void begin_piece(alpha_work *work)
{
    const tn_system *system = work->system;
    alpha_stand *stand = &work->stand;
    const double end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change);
    stand->piece = (alpha_piece){.start = stand->time,
                                 .length = tn_step_grid_part_step(&work->grid, stand->step, stand->time, end),
                                 .end = end,
                                 .revision = system->revision};
}

/* What is asked for between two parts may lie within the piece: what is left of it is another one. */
static void cut_piece(alpha_work *work)
{
    alpha_stand *stand = &work->stand;
    if (stand->piece.done >= 1.0 || !(work->system->next_change < stand->piece.end)) return;
    stand->time = work->system->time;
    begin_piece(work);
}

static void end_piece(alpha_work *work)
{
    alpha_stand *stand = &work->stand;
    stand->time = stand->piece.end;
    if (stand->time >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
}

/* Whether the accepted state, or what has changed since, asks for a new start. */
static bool is_out_of_date(const alpha_work *work)
{
    const alpha_stand *stand = &work->stand;
    const uint32_t revision = work->system->revision;
    return work->landed || revision != stand->revision ||
           (stand->piece.done >= 1.0 && revision != stand->piece.revision);
}

static tn_status renew(alpha_work *work)
{
    const tn_system *system = work->system;
    alpha_stand *stand = &work->stand;
    const bool changed = system->revision != stand->revision, within = stand->piece.done < 1.0;
    tn_status status = TN_OK;
    stand->revision = system->revision;
    if (changed) memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    if (work->landed)
        status = start_behind_impact(work, work->part * stand->piece.length);
    else if (changed && within)
        status = start_behind_change(work, work->part * stand->piece.length);
    if (status != TN_OK || within || system->revision == stand->piece.revision) return status;
    work->part = 1.0;
    const double end = tn_step_grid_time(&work->grid, stand->step + 1);
    const bool cut = stand->time > tn_step_grid_time(&work->grid, stand->step);
    return start_behind_change(work, cut ? end - stand->time : tn_step_grid_step(&work->grid, stand->step));
}

static tn_status alpha_step(void *solver, double until, uint64_t most)
{
    alpha_work *work = solver;
    const tn_system *system = work->system;
    alpha_stand *stand = &work->stand;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = stand->accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && stand->accepted - before < most) {
        if (is_out_of_date(work)) status = renew(work);
        if (status != TN_OK) break;
        if (stand->piece.done >= 1.0)
            begin_piece(work);
        else
            cut_piece(work);
        status = cross_part(work);
        if (status == TN_OK && stand->piece.done >= 1.0) end_piece(work);
    }
    return status;
}

static tn_status alpha_check(const tn_host *host, const void *instance, const tn_system *system)
{
    const alpha_instance *settings = instance;
    if (settings->index == 3 && system->position_rows > 0 && !tn_alpha_damps_at_infinity(settings))
        return tn_refuse(
            host, "index",
            "index 3 is unstable with a scheme that does not damp the highest frequencies "
            "(trapezoidal, newmark with gamma 0.5, spectral radius 1): use index = 2 or more damping");
    return TN_OK;
}

static void begin_grid(alpha_work *work)
{
    const tn_system *system = work->system;
    work->grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    work->stand.step = 0;
    work->stand.time = system->time;
}

/* A part of the run with the same steps goes on with all that is known from the one before, as if they were one. */
static bool is_continued(const alpha_work *before, const alpha_instance *settings, const tn_system *system)
{
    return before && before->grid.step == system->run->step && system->time >= system->run->start_time &&
           before->stand.piece.done >= 1.0 && !before->landed &&
           memcmp(before->settings, settings, sizeof *settings) == 0;
}

static tn_status go_on(alpha_work *work, const alpha_instance *settings)
{
    tn_system *system = work->system;
    work->settings = settings;
    system->frozen = work->switches;
    begin_grid(work);
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

    // the start state is evaluated and recorded, also when the run ends there
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the start state");
    tn_alpha_choose_index(work);
    status = tn_alpha_start_data(work);
    if (status == TN_OK) status = accept_state(work);

    begin_grid(work);
    work->stand.piece = (alpha_piece){.done = 1.0, .revision = system->revision};
    work->stand.revision = system->revision;
    if (status == TN_OK && work->grid.count > 0)
        status = tn_alpha_start(work, tn_step_grid_step(&work->grid, 0));
    return status;
}

static void alpha_end(void *work) { tn_alpha_report_data(work); }

static void alpha_state(void *solver, tn_state_visitor *visitor)
{
    alpha_work *work = solver;
    const tn_system *system = work->system;
    double *const of_motion[] = {work->before, work->a}, *const of_states[] = {work->x_rate0,
                                                                               work->x_rate_before};
    for (int k = 0; k < 2; k++) {
        tn_visit_numbers(visitor, of_motion[k], system->nv);
        tn_visit_numbers(visitor, of_states[k], system->nx);
    }
    tn_visit_numbers(visitor, work->lambda_before, system->rows);
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    TN_VISIT(visitor, work->contraction);
    TN_VISIT(visitor, work->in_ground_axes);
    TN_VISIT(visitor, work->index);
    double *const number[] = {&work->longest_turn, &work->before_step,   &work->a_step,
                              &work->matrix_step,  &work->part,          &work->round_off,
                              &work->wanted,       &work->largest_error, &work->shortest};
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
}

static const tn_stepping_capability alpha_stepping = {.struct_size = sizeof alpha_stepping,
                                                      .begin = alpha_begin,
                                                      .step = alpha_step,
                                                      .end = alpha_end,
                                                      .state = alpha_state};
static const tn_capability alpha_capabilities[] = {{TN_STEPPING_KEY, &alpha_stepping}, {NULL, NULL}};

static tn_status alpha_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&alpha_stepping, instance, system);
}

static alpha_coefficients coefficients_of(const alpha_instance *settings)
{
    const double rho = settings->spectral_radius;
    alpha_coefficients c = {0.0, 0.0, 0.5, 0.25};
    if (settings->scheme == SCHEME_NEWMARK) {
        c.gamma = settings->gamma;
        c.beta = settings->beta;
    } else if (settings->scheme != SCHEME_TRAPEZOIDAL) {
        const bool hht = settings->scheme == SCHEME_HHT;
        c.alpha_m = hht ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
        c.alpha_f = hht ? (1.0 - rho) / (1.0 + rho) : rho / (rho + 1.0);
        c.gamma = 0.5 + c.alpha_f - c.alpha_m;
        c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    }
    return c;
}

static tn_status alpha_prepare(const tn_host *host, void *instance, tn_run *run)
{
    alpha_instance *settings = instance;
    if (settings->scheme == SCHEME_HHT && settings->spectral_radius < 0.5)
        return tn_refuse(host, "spectral_radius",
                         "the scheme \"hht\" reaches spectral radii from 0.5 to 1, not %g",
                         settings->spectral_radius);
    if (settings->index != 0 && settings->index != 2 && settings->index != 3)
        return tn_refuse(host, "index", "the index is 2 or 3, not %lld", (long long)settings->index);
    if (run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    settings->coefficients = coefficients_of(settings);
    return TN_OK;
}

#define AT(member) (uint32_t) offsetof(alpha_instance, member)

static const tn_parameter alpha_parameters[] = {
    {.name = "spectral_radius",
     .meaning = "remaining part of the highest frequencies after a step; 1: no damping; hht: 0.5 to 1",
     .unit = "",
     .standard = 0.8,
     .low = 0,
     .high = 1,
     .offset = AT(spectral_radius),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "scheme",
     .meaning = "family of coefficients; trapezoidal is newmark with its defaults",
     .unit = "",
     .detail = "generalized_alpha|hht|newmark|trapezoidal",
     .standard = 0,
     .low = 0,
     .high = 3,
     .offset = AT(scheme),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "gamma",
     .meaning = "for newmark; above 0.5 with damping, of order 1",
     .unit = "",
     .standard = 0.5,
     .low = 0.5,
     .high = 1,
     .offset = AT(gamma),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = "beta",
     .meaning = "for newmark; unconditionally stable if at least gamma/2",
     .unit = "",
     .standard = 0.25,
     .low = 0,
     .high = 1,
     .offset = AT(beta),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = "index",
     .meaning = "3 or 2 (stabilised), for models with constraints; 0: 3 if the scheme has damping and the "
                "step is not so short that reactions show round-off, otherwise 2",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 3,
     .offset = AT(index),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.max_iterations",
     .meaning = "iterations before the solver tries a new matrix, then a halved step",
     .unit = "",
     .standard = 20,
     .low = 1,
     .high = 1000,
     .offset = AT(newton_iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.relative_tolerance",
     .meaning = "remaining error of q and h v, relative to the magnitude of the coordinates",
     .unit = "",
     .standard = 1e-10,
     .low = 0,
     .high = 0.1,
     .offset = AT(newton_tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = "newton.jacobian",
     .meaning = "modified: keeps the matrix while it contracts; full: renews it in every iteration",
     .unit = "",
     .detail = "modified|full",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(jacobian),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "discontinuous.max_iterations",
     .meaning = "iterations of the branches of switching laws, per step",
     .unit = "",
     .standard = 5,
     .low = 1,
     .high = 1000,
     .offset = AT(discontinuous_iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "discontinuous.tolerance",
     .meaning = "force by which they may still change the balance of a step",
     .unit = "N",
     .standard = 1e-3,
     .low = 0,
     .high = 1e12,
     .offset = AT(discontinuous_tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"hht", NULL, NULL},
                                      {"newmark", NULL, NULL},
                                      {"implicit", NULL, NULL},
                                      {"implicitfast", NULL, NULL},
                                      {"trapezoidal", NULL, NULL},
                                      {"trapezoidal_index_2", NULL, NULL},
                                      {"ms", NULL, NULL},
                                      {"hope", NULL, NULL},
                                      {"ida", NULL, NULL},
                                      {"dassl", NULL, NULL},
                                      {"implicit_second_order", NULL, NULL},
                                      {"euler_implicit", NULL, NULL},
                                      {NULL, NULL, NULL}};

static const tn_solver_type alpha_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX,
    .capabilities = alpha_capabilities,
    .name = "generalized_alpha",
    .summary = "implicit Lie-group generalized-alpha of order 2 with adjustable damping of high frequencies; "
               "also HHT and Newmark",
    .formula =
        "q1 = q0 [+] (h v0 + h^2 ((1/2 - beta) a0 + beta a1)),      v1 = v0 + h ((1 - gamma) a0 + gamma a1)\n"
        "(1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v'1 + alpha_f v'0\n"
        "M v'1 = f(q1, v1, t1) + G^T lambda1,   g(q1, t1) = 0   (index 2: and G v1 + dg/dt = 0)",
    .literature =
        "Chung, Hulbert: A time integration algorithm for structural dynamics with improved numerical "
        "dissipation, "
        "J. Appl. Mech. 60 (1993) 371-375\n"
        "Arnold, Bruls: Convergence of the generalized-alpha scheme for constrained mechanical systems, "
        "Multibody Syst. Dyn. 18 (2007) 185-202\n"
        "Bruls, Cardona, Arnold: Lie group generalized-alpha time integration of constrained flexible "
        "multibody "
        "systems, Mech. Mach. Theory 48 (2012) 121-137\n"
        "Arnold, Bruls, Cardona: Error analysis of generalized-alpha Lie group time integration methods for "
        "constrained mechanical systems, Numer. Math. 129 (2015) 149-179\n"
        "Gear, Leimkuhler, Gupta: Automatic integration of Euler-Lagrange equations with constraints, "
        "J. Comput. Appl. Math. 12-13 (1985) 77-90 (index 2)\n"
        "Bottasso, Dopico, Trainelli: On the optimal scaling of index three DAEs in multibody dynamics, "
        "Multibody Syst. Dyn. 19 (2008) 3-20\n"
        "Hilber, Hughes, Taylor: Improved numerical dissipation for time integration algorithms in "
        "structural dynamics, Earthq. Eng. Struct. Dyn. 5 (1977) 283-292\n"
        "Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., 1996, section IV.8 (end of the "
        "iteration)",
    .parameters = alpha_parameters,
    .instance_size = sizeof(alpha_instance),
    .prepare = alpha_prepare,
    .advance = alpha_advance,
    .check = alpha_check,
};

static const tn_type alpha_types[] = {{TN_SOLVER_KIND, &alpha_type}, {NULL, NULL}};

static const tn_library alpha_library = {
    .struct_size = sizeof(tn_library),
    .abi_major = TN_ABI_MAJOR,
    .abi_minor = TN_ABI_MINOR,
    .name = "generalized_alpha",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .summary = "generalized-alpha, HHT and Newmark integrators",
    .types = alpha_types,
};

TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &alpha_library; }
