/* rk.c - explicit Runge-Kutta methods of order 1, 2, 4 and 5.
 *
 * y = (q, v, x) is integrated as coordinates, quaternions included, which keeps the order for rotations. Under
 * constraints v' satisfies their second derivatives at every stage, and new states are taken back to them. The slope at
 * an accepted state is evaluated before accept() and serves as the first stage of the next step. */
#include "tenon/descriptors.h"

#include "rk.h"

#include <string.h>

enum { AUTOMATIC = 0 };

typedef struct rk_instance {
    int64_t order; /* AUTOMATIC until prepare() */
} rk_instance;

static const rk_tableau euler = {1, {{1.0}}};
static const rk_tableau midpoint = {2, {{0.5}, {0.0, 1.0}}};
static const rk_tableau classical = {
    4, {{0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};
static const rk_tableau dormand_prince = {
    6,
    {{1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
     {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};

/* Order 5 minus order 4 of Dormand and Prince; the last slope is the one at the new state. */
static const double error_row[RK_SLOPES] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Order 5 minus order 2, the trapezoidal rule. The weights above nearly leave out the third slope, on which the new state depends by
 * almost a half: a force that acts there alone, between two events, would not be seen. Here every slope has its weight in the state. */
static const double broken_row[RK_SLOPES] = {35.0 / 384 - 0.5, 0.0,       500.0 / 1113, 125.0 / 192,
                                             -2187.0 / 6784,   11.0 / 84, -0.5};

static const rk_tableau *tableau_of(int64_t order)
{
    return order == 1 ? &euler : order == 2 ? &midpoint : order == 4 ? &classical : &dormand_prince;
}

/* Collects the slopes that a row of weights uses, and its weights in Nystrom form. */
static rk_sum make_sum(const rk_work *work, const double *row, uint32_t slopes)
{
    rk_sum sum = {0};
    for (uint32_t j = 0; j < slopes; j++) {
        double second = 0.0;
        for (uint32_t i = j + 1; i < slopes; i++)
            second += row[i] * work->tableau->row[i - 1][j];
        sum.node += row[j];

        // a sum that is zero by design leaves round-off, which is not worth a pass
        if (!work->system->vector_space || fabs(second) < 1e-15) second = 0.0;
        if (row[j] == 0.0 && second == 0.0) continue;
        sum.weight[sum.count] = row[j];
        sum.second[sum.count] = second;
        sum.acceleration[sum.count] = work->acceleration[j];
        sum.rate[sum.count] = work->rate[j];
        sum.x_rate[sum.count] = work->x_rate[j];
        sum.count++;
    }
    return sum;
}

static double *new_array(const tn_host *host, size_t count)
{
    return host->allocate(host, (count > 0 ? count : 1) * sizeof(double));
}

static tn_status prepare_work(rk_work *work, const rk_tableau *tableau, tn_system *system)
{
    const tn_host *host = system->host;
    *work = (rk_work){.system = system, .tableau = tableau};
    work->slopes = tableau->stages + (system->run->adaptive ? 1 : 0);
    work->q0 = new_array(host, system->nq);
    work->v0 = new_array(host, system->nv);
    work->x0 = new_array(host, system->nx);
    work->lambda0 = new_array(host, system->rows);
    bool complete = work->q0 && work->v0 && work->x0 && work->lambda0;

    // the first acceleration lives in the system, where rows are recorded from
    for (uint32_t j = 0; j < work->slopes; j++) {
        work->acceleration[j] = j == 0 ? system->a : new_array(host, system->nv);
        work->rate[j] = system->vector_space ? NULL : new_array(host, system->nq);
        work->x_rate[j] = new_array(host, system->nx);
        complete = complete && work->acceleration[j] && work->x_rate[j];
        complete = complete && (system->vector_space || work->rate[j]);
    }
    if (!complete || !tn_event_watch_make(&work->watch, system)) return TN_OUT_OF_MEMORY;
    if (!tn_stall_watch_make(&work->stall, system)) return TN_OUT_OF_MEMORY;
    if (system->run->adaptive && !tn_error_weights_make(&work->weights, system)) return TN_OUT_OF_MEMORY;
    work->watch.absolute_v = work->weights.absolute_v;
    work->watch.absolute_x = work->weights.absolute_x;
    work->report = tn_step_report_of(system);

    for (uint32_t r = 0; r < tableau->stages; r++)
        work->sum[r] = make_sum(work, tableau->row[r], r + 1);
    if (system->run->adaptive) work->error = make_sum(work, error_row, RK_SLOPES);
    if (system->run->adaptive) work->broken = make_sum(work, broken_row, RK_SLOPES);
    work->watch.wary = work->watch.count > 0;
    return TN_OK;
}

/* The slope at the state of the last evaluation becomes number `stage`. */
static inline tn_status read_slope(rk_work *work, uint32_t stage)
{
    tn_system *system = work->system;
    tn_status status = system->accelerate(system, work->acceleration[stage]);
    if (status == TN_OK && !system->vector_space) status = system->rate(system, work->rate[stage]);
    if (status == TN_OK && system->nx > 0)
        memcpy(work->x_rate[stage], system->x_rate, system->nx * sizeof(double));
    return status;
}

static inline tn_status evaluate_slope(rk_work *work, uint32_t stage)
{
    const tn_status status = work->system->evaluate(work->system);
    return status == TN_OK ? read_slope(work, stage) : status;
}

/* A row of the tableau that is being applied. */
typedef struct application {
    rk_work *work;
    uint32_t row;
    double h;
} application;

/* q and v of a stage, or the new ones; the first row also keeps the start state. */
static inline void apply_to_pairs(rk_work *work, uint32_t r, double h, rk_range n)
{
    const tn_system *system = work->system;
    const rk_sum *sum = &work->sum[r];
    if (r == 0)
        rk_begin_pair(n, h, sum, work->q0, work->v0, system->q, system->v);
    else
        rk_pair(n, h, sum, work->q0, work->v0, system->q, system->v);
}

static inline void apply_to_block(void *data, size_t first, size_t last)
{
    const application *a = data;
    apply_to_pairs(a->work, a->row, a->h, (rk_range){first, last});
}

/* One array of those. */
typedef struct array_application {
    uint32_t row;
    double h;
    const rk_sum *sum;
    const double *const *slope;
    double *y0, *y;
} array_application;

static inline void apply_to_block_of_one(void *data, size_t first, size_t last)
{
    const array_application *a = data;
    const rk_range n = {first, last};
    if (a->row == 0)
        rk_begin_single(n, a->h, a->sum, a->slope[0], a->y0, a->y);
    else
        rk_single(n, a->h, a->sum, a->slope, a->y0, a->y);
}

static inline void apply_to_one(const rk_work *work, size_t n, array_application a)
{
    tn_for_numbers(work->system->host, n, apply_to_block_of_one, &a);
}

/* Takes q, v and x to the state of row r; the first row also keeps the start state. */
static inline void apply_row(rk_work *work, uint32_t r, double h)
{
    tn_system *system = work->system;
    const rk_sum *sum = &work->sum[r];
    if (system->vector_space && tn_count_blocks(system->nv) == 1) {
        apply_to_pairs(work, r, h, (rk_range){0, system->nv});
    } else if (system->vector_space) {
        application a = {work, r, h};
        tn_for_numbers(system->host, system->nv, apply_to_block, &a);
    } else {
        apply_to_one(work, system->nq, (array_application){r, h, sum, sum->rate, work->q0, system->q});
        apply_to_one(work, system->nv,
                     (array_application){r, h, sum, sum->acceleration, work->v0, system->v});
    }
    if (system->nx > 0)
        apply_to_one(work, system->nx, (array_application){r, h, sum, sum->x_rate, work->x0, system->x});
}

/* Takes a new state back to the manifold and to the constraints, and evaluates it. On stages it would cost the order. */
static inline tn_status settle(rk_work *work)
{
    tn_system *system = work->system;
    const tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status != TN_OK) return status;
    return system->rows ? system->project(system) : system->evaluate(system);
}

tn_status tn_rk_take_step(rk_work *work, double start, double h, double end, uint32_t slope)
{
    tn_system *system = work->system;
    const uint32_t last = work->tableau->stages - 1;
    for (uint32_t r = 0; r < last; r++) {
        apply_row(work, r, h);
        system->time = start + work->sum[r].node * h;
        tn_status status = evaluate_slope(work, r + 1);
        if (status == TN_OK) status = tn_event_watch_peek(&work->watch);
        if (status != TN_OK) return status;
    }
    apply_row(work, last, h);
    system->time = end;
    const tn_status status = settle(work);
    return status == TN_OK ? read_slope(work, slope) : status;
}

tn_status tn_rk_accept(rk_work *work)
{
    work->stand.accepted++;
    return work->system->accept(work->system);
}

/* The state, or the model, has changed since the first slope was found. The acceleration is the system's own. */
static tn_status renew_slope(rk_work *work)
{
    tn_system *system = work->system;
    work->stand.revision = system->revision;
    memcpy(work->x_rate[0], system->x_rate, system->nx * sizeof(double));
    const tn_status status = system->vector_space ? TN_OK : system->rate(system, work->rate[0]);
    if (status == TN_OK && system->run->adaptive) return tn_event_watch_begin(&work->watch);
    return status;
}

/* A step of the grid; one in which the model changes is taken in two parts. */
static tn_status step_fixed(rk_work *work)
{
    tn_system *system = work->system;
    rk_stand *stand = &work->stand;
    const double end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change);
    const double h = tn_step_grid_part_step(&work->grid, stand->step, stand->time, end);
    const tn_status status = tn_rk_take_step(work, stand->time, h, end, 0);
    if (status != TN_OK)
        return system->fail(system, status, NULL,
                            "the step is fixed, so it was not shortened (order 5 with `tolerance = 1e-5` in "
                            "place of `step` would)");
    tn_count_step(system->statistics, h);
    stand->time = end;
    if (end >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
    return tn_rk_accept(work);
}

static tn_status rk_step(void *solver, double until, uint64_t most)
{
    rk_work *work = solver;
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const bool adaptive = system->run->adaptive;
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most) {
        if (system->revision != work->stand.revision) status = renew_slope(work);
        if (status == TN_OK) status = adaptive ? tn_rk_step_adaptive(work) : step_fixed(work);
    }
    return status;
}

static tn_status rk_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    const rk_instance *rk = instance;
    rk_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work) return TN_OUT_OF_MEMORY;
    tn_status status = prepare_work(work, tableau_of(rk->order), system);
    if (status != TN_OK) return status;

    // the start state is evaluated and recorded, also when the run ends there
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    status = evaluate_slope(work, 0);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the start state");
    work->stand.revision = system->revision;
    work->stand.time = system->time;
    work->grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    status = tn_rk_accept(work);
    if (status == TN_OK && system->revision != work->stand.revision)
        status = renew_slope(work);
    else if (status == TN_OK && system->run->adaptive)
        status = tn_event_watch_begin(&work->watch);
    return status == TN_OK && system->run->adaptive ? tn_rk_begin_adaptive(work) : status;
}

/* All memory is the host's. */
static void rk_end(TN_UNUSED void *work) {}

static void rk_state(void *solver, tn_state_visitor *visitor)
{
    rk_work *work = solver;
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    if (work->rate[0]) tn_visit_numbers(visitor, work->rate[0], work->system->nq);
    tn_visit_numbers(visitor, work->x_rate[0], work->system->nx);
    tn_event_watch_state(&work->watch, visitor);
    tn_stall_watch_state(&work->stall, visitor);
    if (work->system->run->adaptive) tn_error_weights_state(&work->weights, visitor);
}

static const tn_stepping_capability rk_stepping = {
    .struct_size = sizeof rk_stepping, .begin = rk_begin, .step = rk_step, .end = rk_end, .state = rk_state};
static const tn_capability rk_capabilities[] = {{TN_STEPPING_KEY, &rk_stepping}, {NULL, NULL}};

static tn_status rk_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&rk_stepping, instance, system);
}

static tn_status rk_prepare(const tn_host *host, void *instance, tn_run *run)
{
    rk_instance *rk = instance;
    if (rk->order == AUTOMATIC) rk->order = run->adaptive ? 5 : 4;
    if (rk->order != 1 && rk->order != 2 && rk->order != 4 && rk->order != 5)
        return tn_refuse(host, "order", "the order is 1, 2, 4 or 5, not %lld", (long long)rk->order);
    if (run->adaptive && rk->order != 5)
        return tn_refuse(
            host, "adaptive",
            "only order 5 estimates its error: with adaptive steps set `order = 5`, or leave it out; not "
            "%lld",
            (long long)rk->order);
    if (!run->adaptive && run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    return TN_OK;
}

static const tn_parameter rk_parameters[] = {
    {.name = "order",
     .meaning =
         "1 Euler, 2 explicit midpoint, 4 classical, 5 Dormand-Prince, the one for adaptive steps; 0: 5 with "
         "adaptive steps, else 4",
     .unit = "",
     .standard = AUTOMATIC,
     .low = 0,
     .high = 5,
     .offset = offsetof(rk_instance, order),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"ode45", NULL, "order = 5"},
                                      {"dopri5", NULL, "order = 5"},
                                      {"dormand_prince", NULL, "order = 5"},
                                      {"RK45", NULL, "order = 5"},
                                      {"RK4", NULL, "order = 4"},
                                      {"runge_kutta", NULL, NULL},
                                      {"explicit", NULL, NULL},
                                      {"euler", NULL, "order = 1"},
                                      {"explicit_euler", NULL, "order = 1"},
                                      {"midpoint", NULL, "order = 2"},
                                      {"explicit_midpoint", NULL, "order = 2"},
                                      {NULL, NULL, NULL}};

static const tn_solver_type rk_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_ADAPTIVE,
    .capabilities = rk_capabilities,
    .name = "rk",
    .summary = "explicit Runge-Kutta of order 1, 2, 4 or 5, fixed or adaptive step",
    .formula = "y = (q, v, x),  y' = (N(q) v, v', h)\n"
               "v' = M^-1 f;  with constraints  M v' = f + G^T lambda,  0 = d^2 g/dt^2,  0 = d(A v + b)/dt\n"
               "k_i = y'(t + c_i h, y + h sum_j a_ij k_j),  y(t + h) = projection of y + h sum_i b_i k_i",
    .literature =
        "Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, 2nd ed., 1993, sections II.1, "
        "II.4, II.5\n"
        "Dormand, Prince: A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980) 19-26\n"
        "Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., 1996, section VII.2 "
        "(projection)",
    .parameters = rk_parameters,
    .instance_size = sizeof(rk_instance),
    .prepare = rk_prepare,
    .advance = rk_advance,
};

TN_LIBRARY("rk", "1.0.0", "Apache-2.0", "explicit Runge-Kutta methods", {TN_SOLVER_KIND, &rk_type})
