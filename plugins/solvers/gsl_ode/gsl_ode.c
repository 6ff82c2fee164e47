/* gsl_ode.c - the steppers of the GNU Scientific Library: parameters, limits, and the setup of a run. */
#include "gsl_ode.h"

#include "tenon/descriptors.h"
#include "tenon/kit/run_start.h"

#include <tenon/kit/gsl_errors.h>

#define LARGEST_IMPLICIT 2000u /* entries of y under a stepper that uses the Jacobian */

#define STEPPER_NAMES "rk2|rk4|rkf45|rkck|rk8pd|rk1imp|rk2imp|rk4imp|bsimp|msadams|msbdf"
enum { STEPPER_RKF45 = 2, STEPPER_COUNT = 11 };

/* In the order of the names. */
static const gsl_ode_stepper steppers[STEPPER_COUNT] = {
    {.type = &gsl_odeiv2_step_rk2},
    {.type = &gsl_odeiv2_step_rk4},
    {.type = &gsl_odeiv2_step_rkf45},
    {.type = &gsl_odeiv2_step_rkck},
    {.type = &gsl_odeiv2_step_rk8pd},
    {.type = &gsl_odeiv2_step_rk1imp, .uses_jacobian = true, .iterates = true},
    {.type = &gsl_odeiv2_step_rk2imp, .uses_jacobian = true, .iterates = true},
    {.type = &gsl_odeiv2_step_rk4imp, .uses_jacobian = true, .iterates = true},
    {.type = &gsl_odeiv2_step_bsimp, .uses_jacobian = true, .uses_time_derivative = true, .fears_zero = true},
    {.type = &gsl_odeiv2_step_msadams, .is_multistep = true},
    {.type = &gsl_odeiv2_step_msbdf, .uses_jacobian = true, .is_multistep = true},
};

/* ---- what is needed for a run ---- */

/* Shares of the tolerances for multistep methods: their many small errors have one sign for long and add up; and where
 * the step is fixed the tolerances are none that the user chose: the step shall decide on the accuracy. */
#define ADDED_UP 0.1
#define BELOW_FIXED_STEP 1e-3

static const gsl_odeiv2_control_type level_type = {.name = "tolerances", .errlevel = tn_gsl_error_level};

static tn_status open_integrator(gsl_ode_work *work, gsl_ode_integrator *integrator, size_t dimension)
{
    *integrator = (gsl_ode_integrator){
        .work = work,
        .equations = {tn_gsl_function, tn_gsl_jacobian, dimension, integrator},
        .levels = {.type = &level_type, .state = integrator},
        .driver = {.c = &integrator->levels},
    };
    integrator->y = tn_gsl_array(work->system, dimension);
    integrator->y0 = tn_gsl_array(work->system, dimension);
    integrator->error = tn_gsl_array(work->system, dimension);
    if (!integrator->y || !integrator->y0 || !integrator->error) return TN_OUT_OF_MEMORY;
    const tn_system *system = work->system;
    const bool projected = system->rows > 0 || !system->vector_space;
    if (work->stepper->fears_zero || (work->stepper->is_multistep && projected)) {
        integrator->shift = tn_gsl_array(system, dimension);
        if (!integrator->shift) return TN_OUT_OF_MEMORY;
    }
    if (dimension == 0) return TN_OK;
    integrator->step = gsl_odeiv2_step_alloc(*work->stepper->type, dimension);
    if (!integrator->step) return TN_OUT_OF_MEMORY;
    const int code = gsl_odeiv2_step_set_driver(integrator->step, &integrator->driver);
    return code == GSL_SUCCESS ? TN_OK : TN_FATAL;
}

/* Quadratures cost an explicit stepper nothing and change nothing of the motion. Implicit ones couple all entries
 * (means over them, pivots), so that there the motion is integrated without, and once more with them. */
static tn_status open_work(gsl_ode_work *work, const gsl_ode_stepper *stepper, tn_system *system)
{
    const size_t size = (size_t)system->nq + system->nv + system->nx;
    *work = (gsl_ode_work){.system = system,
                           .stepper = stepper,
                           .size = size,
                           .controlled = size - system->quadratures,
                           .tolerance_factor = 1.0};
    const bool together = !stepper->uses_jacobian && !stepper->is_multistep;
    work->slope = tn_gsl_array(system, size);
    work->new_slope = tn_gsl_array(system, size);
    work->strictness = !work->stepper->is_multistep ? 1.0
                       : system->run->adaptive      ? ADDED_UP
                                                    : BELOW_FIXED_STEP;
    work->control = gsl_odeiv2_control_y_new(work->strictness * system->run->absolute_tolerance,
                                             work->strictness * system->run->relative_tolerance);
    work->unshifted = tn_gsl_array(system, size);
    work->lambda0 = tn_gsl_array(system, system->rows);
    if (!work->slope || !work->new_slope || !work->control || !work->unshifted || !work->lambda0)
        return TN_OUT_OF_MEMORY;
    if (!tn_event_watch_make(&work->watch, system)) return TN_OUT_OF_MEMORY;
    if (!tn_stall_watch_make(&work->stall, system)) return TN_OUT_OF_MEMORY;
    if (!tn_error_weights_make(&work->weights, system)) return TN_OUT_OF_MEMORY;
    work->watch.absolute_v = work->weights.absolute_v;
    work->watch.absolute_x = work->weights.absolute_x;
    work->report = tn_step_report_of(system);
    work->watch.wary = work->watch.count > 0;
    tn_status status = open_integrator(work, &work->motion, together ? size : work->controlled);
    if (status == TN_OK && !together && system->quadratures > 0)
        status = !stepper->is_multistep ? open_integrator(work, &work->quadratures, size)
                 : tn_quadratures_make(&work->history, system) ? TN_OK
                                                               : TN_OUT_OF_MEMORY;
    if (status == TN_OK && stepper->uses_jacobian) status = tn_gsl_prepare_tangent(work);
    return status;
}

static void close_work(gsl_ode_work *work)
{
    if (work->motion.step) gsl_odeiv2_step_free(work->motion.step);
    if (work->quadratures.step) gsl_odeiv2_step_free(work->quadratures.step);
    if (work->control) gsl_odeiv2_control_free(work->control);
}

/* What this solver cannot hold is said before the first step. */

static tn_status gsl_ode_check(const tn_host *host, const void *instance, const tn_system *system)
{
    const gsl_ode_stepper *stepper = &steppers[((const gsl_ode_instance *)instance)->stepper];
    const size_t size = (size_t)system->nq + system->nv + system->nx - system->quadratures;
    if (!stepper->uses_jacobian || size <= LARGEST_IMPLICIT) return TN_OK;
    return tn_refuse(
        host, "stepper",
        "the model has %zu states (q, v and x), and stepper \"%s\" takes %u at most: it is implicit, with "
        "full matrices of %zu x %zu numbers and work that grows with the cube of their size; use "
        "generalized_alpha, whose matrices are sparse, or an explicit stepper such as \"rkf45\"",
        size, (*stepper->type)->name, LARGEST_IMPLICIT, size, size);
}

static tn_status begin_run(gsl_ode_work *work)
{
    tn_system *system = work->system;
    tn_status status = tn_evaluate_start(system);
    if (status == TN_OK) status = system->accept(system);
    return status == TN_OK ? tn_gsl_begin(work) : status;
}

/* ---- the run: GSL's errors are answered by statuses within each call --------------------------------------- */

static tn_status gsl_ode_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    const gsl_ode_instance *settings = instance;
    gsl_ode_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work) return TN_OUT_OF_MEMORY;
    tn_gsl_enter();
    tn_status status = open_work(work, &steppers[settings->stepper], system);
    if (status == TN_OK) status = begin_run(work);
    tn_gsl_leave();
    return status;
}

static tn_status gsl_ode_step(void *work, double until, uint64_t most)
{
    tn_gsl_enter();
    const tn_status status = tn_gsl_take_steps(work, until, most);
    tn_gsl_leave();
    return status;
}

static void gsl_ode_end(void *work) { close_work(work); }

static void gsl_ode_state(void *work, tn_state_visitor *visitor) { tn_gsl_state(work, visitor); }

/* Multistep methods keep their history in GSL's memory. */
static uint32_t gsl_ode_forget(void *solver)
{
    gsl_ode_work *work = solver;
    if (!work->stepper->is_multistep) return 0;
    tn_gsl_start_anew(work);
    return 1;
}

static uint32_t gsl_ode_hides(void *solver) { return ((const gsl_ode_work *)solver)->stepper->is_multistep; }

static const tn_stepping_capability gsl_ode_stepping = {.struct_size = sizeof gsl_ode_stepping,
                                                        .begin = gsl_ode_begin,
                                                        .step = gsl_ode_step,
                                                        .end = gsl_ode_end,
                                                        .state = gsl_ode_state,
                                                        .forget = gsl_ode_forget,
                                                        .hides = gsl_ode_hides};
static const tn_capability gsl_ode_capabilities[] = {{TN_STEPPING_KEY, &gsl_ode_stepping}, {NULL, NULL}};

static tn_status gsl_ode_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&gsl_ode_stepping, instance, system);
}

static tn_status gsl_ode_prepare(const tn_host *host, void *instance, tn_run *run)
{
    (void)instance;
    if (!run->adaptive && run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    return TN_OK;
}

/* ---- description ---- */

static const tn_parameter gsl_ode_parameters[] = {
    {.name = "stepper",
     .meaning =
         "GSL's method: explicit rk2, rk4, rkf45, rkck, rk8pd, msadams; implicit rk1imp, rk2imp, rk4imp, "
         "bsimp, msbdf",
     .unit = "",
     .detail = STEPPER_NAMES,
     .standard = STEPPER_RKF45,
     .low = 0,
     .high = STEPPER_COUNT - 1,
     .offset = offsetof(gsl_ode_instance, stepper),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"bdf", NULL, "stepper = \"msbdf\""},
                                      {"gstiff", NULL, "stepper = \"msbdf\""},
                                      {"cvode", NULL, "stepper = \"msbdf\""},
                                      {"ode15s", NULL, "stepper = \"msbdf\""},
                                      {"adams", NULL, "stepper = \"msadams\""},
                                      {"ode113", NULL, "stepper = \"msadams\""},
                                      {"rk8pd", NULL, "stepper = \"rk8pd\""},
                                      {"rkf45", NULL, "stepper = \"rkf45\""},
                                      {NULL, NULL, NULL}};

static const tn_solver_type gsl_ode_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_ADAPTIVE,
    .name = "gsl_ode",
    .summary = "the eleven steppers of the GNU Scientific Library, fixed or adaptive step",
    .formula =
        "y = (q, v, x), y' = (N(q) v, v', h);  q normalised, and y projected, after each accepted step\n"
        "v' = M^-1 f;  with constraints  M v' = f + G^T lambda,  0 = d^2 g/dt^2,  0 = d(A v + b)/dt",
    .literature =
        "Galassi et al.: GNU Scientific Library Reference Manual, 3rd ed., 2009, chapter Ordinary "
        "Differential Equations\n"
        "Bader, Deuflhard: A semi-implicit mid-point rule for stiff systems of ordinary differential "
        "equations, Numer. Math. 41 (1983) 373-398\n"
        "Brown, Byrne, Hindmarsh: VODE, a variable-coefficient ODE solver, SIAM J. Sci. Stat. Comput. "
        "10 (1989) 1038-1051\n"
        "Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., 1996, sections IV.8 (end of "
        "the "
        "iteration), VII.2 (projection)\n"
        "Eich: Convergence results for a coordinate projection method applied to mechanical systems with "
        "algebraic constraints, SIAM J. Numer. Anal. 30 (1993) 1467-1482",
    .parameters = gsl_ode_parameters,
    .instance_size = sizeof(gsl_ode_instance),
    .prepare = gsl_ode_prepare,
    .capabilities = gsl_ode_capabilities,
    .advance = gsl_ode_advance,
    .check = gsl_ode_check,
};

TN_LIBRARY("gsl_ode", "1.0.0", "GPL-3.0-or-later",
           "ordinary differential equations by the GNU Scientific Library", {TN_SOLVER_KIND, &gsl_ode_type})
