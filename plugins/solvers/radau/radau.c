/* radau.c - Radau IIA of order 5 for constrained multibody systems at index 3: parameters, memory, begin and state.
 *
 * One step is in stages.c and newton.c, states of x in stages in states.c, the choice of steps in control.c and step_size.c. */
#include "tenon/descriptors.h"
#include "tenon/kit/run_start.h"

#include "radau.h"

static double *new_array(const tn_host *host, size_t count)
{
    double *array = host->allocate(host, (count + 1) * sizeof *array);
    if (array) memset(array, 0, (count + 1) * sizeof *array);
    return array;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static bool make_stages(radau_work *work)
{
    const tn_system *system = work->system;
    const tn_host *host = system->host;
    const size_t nv = system->nv, nx = system->nx, numbers = larger(work->unknowns, system->nq);
    bool complete = true;
    for (int i = 0; i < STAGES && complete; i++) {
        double **const of_motion[] = {&work->theta[i], &work->v[i], &work->a[i], &work->v_kept[i],
                                      &work->theta_rate[i]};
        double **const of_states[] = {&work->x[i], &work->x_rate[i], &work->x_kept[i], &work->x_residual[i]};
        for (size_t k = 0; k < sizeof of_motion / sizeof *of_motion; k++)
            complete = (*of_motion[k] = new_array(host, nv)) && complete;
        for (size_t k = 0; k < sizeof of_states / sizeof *of_states; k++)
            complete = (*of_states[k] = new_array(host, nx)) && complete;
        work->lambda[i] = new_array(host, system->rows);
        work->residual[i] = new_array(host, numbers);
        complete = complete && work->lambda[i] && work->residual[i];
    }
    return complete;
}

static bool make_point(radau_point *point, const tn_system *system)
{
    const tn_host *host = system->host;
    point->q = new_array(host, system->nq);
    point->v = new_array(host, system->nv);
    point->a = new_array(host, system->nv);
    point->x = new_array(host, system->nx);
    point->x_rate = new_array(host, system->nx);
    point->lambda = new_array(host, system->rows);
    return point->q && point->v && point->a && point->x && point->x_rate && point->lambda;
}

static bool make_arrays(radau_work *work)
{
    const tn_system *system = work->system;
    const tn_host *host = system->host;
    double **const of_motion[] = {&work->product,  &work->error_q,  &work->error_v,
                                  &work->weight_q, &work->weight_v, &work->real};
    double **const of_states[] = {&work->x_real, &work->x_complex, &work->x_work, &work->error_x,
                                  &work->weight_x};
    bool complete = make_point(&work->start, system) && make_point(&work->end, system);
    for (size_t k = 0; k < sizeof of_motion / sizeof *of_motion; k++)
        complete = (*of_motion[k] = new_array(host, work->unknowns)) && complete;
    for (size_t k = 0; k < sizeof of_states / sizeof *of_states; k++)
        complete = (*of_states[k] = new_array(host, 2 * (size_t)system->nx)) && complete;
    work->lambda_before = new_array(host, system->rows);
    work->rows = new_array(host, system->rows);
    work->q_jacobian = new_array(host, system->nq);
    work->complex = new_array(host, 2 * work->unknowns);
    return complete && work->lambda_before && work->rows && work->q_jacobian && work->complex;
}

static tn_status make_work(radau_work *work, const radau_instance *settings, tn_system *system)
{
    const tn_run *run = system->run;
    *work = (radau_work){.settings = settings, .system = system, .run = *run};
    work->unknowns = (size_t)system->nv + system->rows;
    work->states = system->nx - system->quadratures;
    const double share = fmin(0.03, sqrt(run->relative_tolerance));
    work->newton_tolerance = settings->newton_tolerance > 0.0
                                 ? settings->newton_tolerance
                                 : fmax(10.0 * DBL_EPSILON / run->relative_tolerance, share);
    const bool unknown = work->unknown_rates = work->states > 0 && !system->state_tangent;
    work->report = tn_step_report_of(system);
    work->at_index_1 = system->rows > 0 && (system->coupled_accelerations || unknown);
    const bool complete = make_arrays(work) && make_stages(work) && tn_radau_make_states(work) &&
                          tn_error_weights_make(&work->weights, system) &&
                          tn_event_watch_make(&work->watch, system) && tn_radau_make_sides(work) &&
                          tn_stall_watch_make(&work->stall, system);
    work->watch.wary = work->watch.count > 0;
    return complete ? TN_OK : TN_OUT_OF_MEMORY;
}

/* What the method needs of the linear solver and of the bodies. */
static tn_status check_needs(radau_work *work)
{
    tn_system *system = work->system;
    bool fits = true;
    work->equations = system->extension ? system->extension(system, TN_COMPLEX_EQUATIONS_KEY) : NULL;
    if (!work->equations) return TN_OUT_OF_MEMORY;
    if (!work->equations->solves_complex) {
        tn_say(system->host, TN_ERROR,
               "radau solves complex equations, which the linear solver `%s` does not: use linear = \"klu\" "
               "or \"dense\"",
               work->equations->linear);
        return TN_UNSUPPORTED;
    }
    const tn_status status = tn_radau_check_chart(work, &fits);
    if (status != TN_OK || fits) return status;
    tn_say(system->host, TN_ERROR,
           "radau needs bodies whose coordinates follow increments by sums and by the exponential map of "
           "rotations in axes of the body: the retraction of a type in this model is another one");
    return TN_UNSUPPORTED;
}

/* A part of the run with the same keys goes on with all that is known from the one before, as if they were one. */
static bool is_continued(const radau_work *before, const radau_instance *settings, const tn_system *system)
{
    if (!before || memcmp(before->settings, settings, sizeof *settings) != 0) return false;
    const tn_run *run = system->run, *last = &before->run;
    return run->relative_tolerance == last->relative_tolerance &&
           run->absolute_tolerance == last->absolute_tolerance &&
           run->scaled_tolerance == last->scaled_tolerance && run->step == last->step &&
           run->step_given == last->step_given && system->time >= run->start_time;
}

static tn_status go_on(radau_work *work, const radau_instance *settings)
{
    work->settings = settings;
    work->run = *work->system->run;
    tn_radau_forget_step(work);
    return tn_radau_accept(work);
}

static tn_status radau_begin(const void *instance, tn_system *system, void *before, void **solver)
{
    *solver = before;
    if (is_continued(before, instance, system)) return go_on(before, instance);
    radau_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    tn_status status = work ? make_work(work, instance, system) : TN_OUT_OF_MEMORY;
    if (status == TN_OK) status = check_needs(work);
    if (status == TN_OK) status = tn_evaluate_start(system);
    if (status != TN_OK) return status;

    radau_stand *stand = &work->stand;
    stand->revision = system->revision;
    stand->jacobian_age = -1.0;
    stand->handed_over = -HUGE_VAL;
    stand->contraction = 1.0;
    stand->progress = (tn_step_progress){.time = system->time};
    tn_radau_weigh(work);
    status = tn_radau_accept(work);
    if (status != TN_OK) return status;
    tn_radau_save_start(work);
    if (system->revision == stand->revision) status = tn_event_watch_begin(&work->watch);
    if (status == TN_OK && system->run->end_time > system->time) {
        stand->wanted = tn_radau_first_step(work);
        status = system->evaluate(system);
    }
    return status;
}

static tn_status radau_step(void *solver, double until, uint64_t most)
{
    radau_work *work = solver;
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most)
        status = tn_radau_take_step(work);
    return status;
}

/* All memory is the host's. */
static void radau_end(TN_UNUSED void *work) {}

static void list_state_matrices(radau_work *work, tn_state_visitor *visitor)
{
    const size_t n = work->states, nv = work->system->nv;
    tn_visit_numbers(visitor, work->derivatives.force_by_state, nv * n);
    tn_visit_numbers(visitor, work->derivatives.rate_by_motion, n * 2 * nv);
    tn_visit_numbers(visitor, work->derivatives.rate_by_state, n * n);
    tn_visit_numbers(visitor, work->real_columns, n * work->unknowns);
    tn_visit_numbers(visitor, work->complex_columns, 2 * n * work->unknowns);
    tn_visit_numbers(visitor, work->real_schur, 2 * n * n);
    tn_visit_numbers(visitor, work->complex_schur, 2 * n * n);
    visitor->bytes(visitor, work->real_pivot, n * sizeof *work->real_pivot);
    visitor->bytes(visitor, work->complex_pivot, n * sizeof *work->complex_pivot);
}

static void list_point(const tn_system *system, const radau_point *point, tn_state_visitor *visitor)
{
    tn_visit_numbers(visitor, point->q, system->nq);
    tn_visit_numbers(visitor, point->v, system->nv);
    tn_visit_numbers(visitor, point->a, system->nv);
    tn_visit_numbers(visitor, point->x, system->nx);
    tn_visit_numbers(visitor, point->x_rate, system->nx);
    tn_visit_numbers(visitor, point->lambda, system->rows);
}

/* What states within a step are made of. */
static void list_step(radau_work *work, tn_state_visitor *visitor)
{
    const tn_system *system = work->system;
    list_point(system, &work->start, visitor);
    list_point(system, &work->end, visitor);
    for (int i = 0; i < STAGES; i++) {
        tn_visit_numbers(visitor, work->theta[i], system->nv);
        tn_visit_numbers(visitor, work->v[i], system->nv);
        tn_visit_numbers(visitor, work->x[i], system->nx);
    }
}

/* Stages are found anew at each step; factors are the kernel's. */
static void radau_state(void *solver, tn_state_visitor *visitor)
{
    radau_work *work = solver;
    const tn_system *system = work->system;
    TN_VISIT(visitor, work->stand);
    if (work->stand.within) list_step(work, visitor);
    for (int i = 0; i < STAGES; i++) {
        tn_visit_numbers(visitor, work->v_kept[i], system->nv);
        tn_visit_numbers(visitor, work->x_kept[i], system->nx);
    }
    tn_visit_numbers(visitor, work->lambda_before, system->rows);
    tn_visit_numbers(visitor, work->q_jacobian, system->nq);
    tn_visit_numbers(visitor, work->weight_q, system->nv);
    tn_visit_numbers(visitor, work->weight_v, system->nv);
    tn_visit_numbers(visitor, work->weight_x, work->states);
    if (work->derivatives.known) list_state_matrices(work, visitor);
    tn_error_weights_state(&work->weights, visitor);
    tn_event_watch_state(&work->watch, visitor);
    visitor->bytes(visitor, work->jacobian_side, work->watch.count);
    tn_stall_watch_state(&work->stall, visitor);
}

static const tn_stepping_capability radau_stepping = {.struct_size = sizeof radau_stepping,
                                                      .begin = radau_begin,
                                                      .step = radau_step,
                                                      .end = radau_end,
                                                      .state = radau_state};
static const tn_capability radau_capabilities[] = {{TN_STEPPING_KEY, &radau_stepping}, {NULL, NULL}};

static tn_status radau_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&radau_stepping, instance, system);
}

static tn_status radau_prepare(const tn_host *host, void *instance, TN_UNUSED tn_run *run)
{
    const radau_instance *settings = instance;
    if (settings->order != 5)
        return tn_refuse(host, "order", "the order of radau is 5, not %lld", (long long)settings->order);
    return TN_OK;
}

#define AT(member) (uint32_t) offsetof(radau_instance, member)

static const tn_parameter radau_parameters[] = {
    {.name = "order",
     .meaning = "5: three stages; there is no other one",
     .unit = "",
     .standard = 5,
     .low = 1,
     .high = 13,
     .offset = AT(order),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.max_iterations",
     .meaning = "iterations before the solver tries a new Jacobian, then a shorter step",
     .unit = "",
     .standard = 10,
     .low = 2,
     .high = 1000,
     .offset = AT(newton_iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.tolerance",
     .meaning = "remaining error of the iteration, as a share of the tolerances; 0: the square root of the "
                "relative one, at most 0.03",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 0.5,
     .offset = AT(newton_tolerance),
     .kind = TN_KIND_REAL,
     .count = 1},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"radau5", NULL, NULL},      {"radauiia", NULL, NULL},
                                      {"radau_iia", NULL, NULL},   {"RadauIIA5", NULL, NULL},
                                      {"implicit_rk", NULL, NULL}, {NULL, NULL, NULL}};

static const tn_solver_type radau_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_ONLY_ADAPTIVE | TN_NEEDS_MATRIX | TN_NEEDS_COMPLEX,
    .capabilities = radau_capabilities,
    .name = "radau",
    .summary = "implicit Runge-Kutta method Radau IIA of order 5 on the Lie group, constraints at index 3, "
               "adaptive step; for accurate results, and for stiff models",
    .formula =
        "q_i = q0 [+] theta_i,  theta_i = h sum_j a_ij dexp^-1(theta_j) v_j,  v_i = v0 + h sum_j a_ij v'_j\n"
        "M v'_i = f(q_i, v_i, x_i, t_i) + G^T lambda_i,   g(q_i, t_i) = 0,   i = 1, 2, 3\n"
        "q1, v1: q_3, v_3 projected onto g = 0, G v + dg/dt = 0;  v'1, lambda1: those of that state",
    .literature =
        "Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., 1996, sections IV.8, VII.4 to "
        "VII.6\n"
        "Hairer, Lubich, Roche: The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta "
        "Methods, 1989\n"
        "Jay: Convergence of Runge-Kutta methods for differential-algebraic systems of index 3, Appl. Numer. "
        "Math. 17 (1995) 97-118\n"
        "Gustafsson: Control-theoretic techniques for stepsize selection in implicit Runge-Kutta methods, "
        "ACM "
        "Trans. Math. Softw. 20 (1994) 496-517\n"
        "Iserles, Munthe-Kaas, Norsett, Zanna: Lie-group methods, Acta Numerica 9 (2000) 215-365 (dexp^-1)",
    .parameters = radau_parameters,
    .instance_size = sizeof(radau_instance),
    .prepare = radau_prepare,
    .advance = radau_advance,
};

TN_LIBRARY("radau", "1.0.0", "Apache-2.0", "Radau IIA integrator of order 5", {TN_SOLVER_KIND, &radau_type})
