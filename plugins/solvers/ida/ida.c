/* ida.c - IDA of SUNDIALS for constrained multibody systems at stabilised index 2: parameters, memory, begin and state.
 *
 * The equations are in equations.c and kinematics.c, corrections of Newton's method in linear_solver.c and states.c, steps and events in
 * steps.c; what SUNDIALS is asked for is in library.c. */
#include "tenon/descriptors.h"
#include "tenon/kit/run_start.h"

#include "ida.h"

static bool make_arrays(ida_work *work)
{
    const tn_system *system = work->system;
    const size_t unknowns = (size_t)system->nv + system->rows;
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&work->q0, system->nq},
                  {&work->v0, system->nv},
                  {&work->a0, system->nv},
                  {&work->x0, system->nx},
                  {&work->x_rate0, system->nx},
                  {&work->lambda0, system->rows},
                  {&work->multipliers, 2 * (size_t)system->rows},
                  {&work->q_residual, system->nq},
                  {&work->q_jacobian, system->nq},
                  {&work->q_now, system->nq},
                  {&work->v_now, system->nv},
                  {&work->z, system->nv},
                  {&work->right, unknowns},
                  {&work->force, unknowns},
                  {&work->part, unknowns},
                  {&work->move, unknowns},
                  {&work->rows, system->rows}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k].array = tn_ida_array(system, arrays[k].size))) return false;
    return true;
}

static tn_status make_work(ida_work *work, const ida_instance *settings, tn_system *system)
{
    *work = (ida_work){.settings = settings, .system = system, .report = tn_step_report_of(system)};
    work->states = system->nx - system->quadratures;
    work->at_v = system->nq;
    work->at_x = work->at_v + system->nv;
    work->at_lambda = work->at_x + work->states;
    work->at_mu = work->at_lambda + system->rows;
    work->size = work->at_mu + system->rows;
    work->is_empty = work->size == 0;
    if (work->is_empty) work->size = 1;
    work->reads_reactions = system->coupled_accelerations || (work->states > 0 && !system->state_tangent);
    work->stand.guarded_until = -HUGE_VAL;
    work->stand.anew = 1;
    const bool complete =
        make_arrays(work) && tn_ida_make_states(work) && tn_quadratures_make(&work->quadratures, system) &&
        tn_error_weights_make(&work->weights, system) && work->weights.scale &&
        tn_event_watch_make(&work->watch, system) && tn_stall_watch_make(&work->stall, system);
    if (!complete) return TN_OUT_OF_MEMORY;
    work->watch.absolute_v = work->weights.absolute_v;
    work->watch.absolute_x = work->weights.absolute_x;
    work->equations = system->extension ? system->extension(system, TN_COMPLEX_EQUATIONS_KEY) : NULL;
    return work->equations || !system->nv ? tn_ida_open(work) : TN_OUT_OF_MEMORY;
}

/* The first step: where the model gives none it follows from the slope and its change. */
static tn_status find_first_step(ida_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    if (!(run->end_time > system->time)) return TN_OK;
    work->stand.first_step = run->step_given ? run->step : 0.0;
    if (run->step_given || work->watch.at_zero) return TN_OK;
    return tn_first_step_find(work->system, &work->weights, 1, &work->stand.first_step);
}

static tn_status ida_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    ida_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    tn_status status = work ? make_work(work, instance, system) : TN_OUT_OF_MEMORY;
    if (status == TN_OK) status = tn_evaluate_start(system);
    if (status == TN_OK) {
        tn_ida_save_start(work);
        status = tn_ida_make_kinematics(work);
    }
    if (status == TN_OK) status = system->evaluate(system);
    if (status != TN_OK) return status;

    work->stand.revision = system->revision;
    work->stand.progress = (tn_step_progress){.time = system->time};
    tn_error_weights_see(&work->weights);
    status = tn_ida_accept(work);
    if (status != TN_OK || system->revision != work->stand.revision) return status;
    status = tn_ida_begin_watch(work);
    return status == TN_OK ? find_first_step(work) : status;
}

static tn_status ida_step(void *solver, double until, uint64_t most)
{
    ida_work *work = solver;
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most)
        status = tn_ida_take_step(work);
    return status;
}

static void ida_end(void *work) { tn_ida_close(work); }

/* The history is IDA's: forget() takes care of that. */
static void ida_state(void *solver, tn_state_visitor *visitor)
{
    ida_work *work = solver;
    TN_VISIT(visitor, work->stand);
    tn_quadratures_state(&work->quadratures, visitor);
    tn_error_weights_state(&work->weights, visitor);
    tn_event_watch_state(&work->watch, visitor);
    tn_stall_watch_state(&work->stall, visitor);
    if (visitor->restores) work->stand.anew = 1;
}

static uint32_t ida_forget(void *solver)
{
    ida_work *work = solver;
    work->stand.anew = 1;
    return 1;
}

static const tn_stepping_capability ida_stepping = {.struct_size = sizeof ida_stepping,
                                                    .begin = ida_begin,
                                                    .step = ida_step,
                                                    .end = ida_end,
                                                    .state = ida_state,
                                                    .forget = ida_forget};
static const tn_capability ida_capabilities[] = {{TN_STEPPING_KEY, &ida_stepping}, {NULL, NULL}};

static tn_status ida_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&ida_stepping, instance, system);
}

#define AT(member) (uint32_t) offsetof(ida_instance, member)

static const tn_parameter ida_parameters[] = {
    {.name = "max_order",
     .meaning =
         "highest order of the formulas; 2 where flexible parts swing with little damping, which higher "
         "orders may drive",
     .unit = "",
     .standard = 5,
     .low = 1,
     .high = 5,
     .offset = AT(max_order),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "share",
     .meaning =
         "share of the tolerances that the error of one step may have: many small ones of one sign add up",
     .unit = "",
     .standard = 0.1,
     .low = 1e-6,
     .high = 1,
     .offset = AT(strictness),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"sundials", NULL, NULL}, {"dassl", NULL, NULL}, {"daspk", NULL, NULL},
                                      {"ggl", NULL, NULL},      {"si2", NULL, NULL},   {NULL, NULL, NULL}};

static const tn_solver_type ida_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_ONLY_ADAPTIVE | TN_NEEDS_MATRIX,
    .capabilities = ida_capabilities,
    .name = "ida",
    .summary =
        "IDA of SUNDIALS: backward differentiation formulas of order 1 to 5, adaptive step, constraints at "
        "stabilised index 2",
    .formula =
        "q' = N(q) v + G^T mu,   M v' = f + G^T lambda,   x' = h\n"
        "g = 0,   G v + dg/dt = 0;   A v + b = 0\n"
        "q normalised, q and v projected for what is recorded and for new starts; v', lambda: those of that "
        "state",
    .literature =
        "Hindmarsh et al.: SUNDIALS: suite of nonlinear and differential/algebraic equation solvers, ACM "
        "Trans. "
        "Math. Softw. 31 (2005) 363-396\n"
        "Brenan, Campbell, Petzold: Numerical Solution of Initial-Value Problems in Differential-Algebraic "
        "Equations, SIAM, 1996\n"
        "Gear, Leimkuhler, Gupta: Automatic integration of Euler-Lagrange equations with constraints, J. "
        "Comput. "
        "Appl. Math. 12-13 (1985) 77-90",
    .parameters = ida_parameters,
    .instance_size = sizeof(ida_instance),
    .advance = ida_advance,
};

TN_LIBRARY("ida", "1.0.0", "Apache-2.0", "differential-algebraic equations by IDA of SUNDIALS",
           {TN_SOLVER_KIND, &ida_type})
