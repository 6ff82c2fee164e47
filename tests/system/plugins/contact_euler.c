/* contact_euler.c - impulse_euler.c with points of contact (tenon/draft/contacts.h), step by step: semi-implicit Euler; rows of joints, then
 * those of the points, by projected Gauss-Seidel iteration */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/contacts.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/step_grid.h>

#include <string.h>

enum { MOST_SWEEPS = 20000 };

#define CONTACT_EULER(P)                                                           \
    P(REAL, margin, "m", 0, 0.02, 0, TN_UNBOUNDED, "gap up to which points count") \
    P(REAL, accuracy, "m/s", 0, 1e-11, 0, TN_UNBOUNDED, "of the iteration")        \
    P(INTEGER, deaf, 0, 0, 0, 1, "1: it does not ask for points of contact, for a test")
TN_PARAMETERS(contact_euler, CONTACT_EULER)

typedef struct stepper {
    tn_system *system;
    const contact_euler *parameters;
    const tn_operators *o;
    const tn_contact_rows *c; /* NULL: there are none */
    tn_step_grid grid;
    uint64_t step;
    uint32_t rows, room;             /* of joints and points; that there is memory for */
    double *gap, *rate, *drift;      /* [rows] of joints: residuals, rates, and rates where v is zero */
    double *impulse, *pull, *column; /* [room], [room] diagonal of G M^-1 G^T, [room][nv] M^-1 G^T */
    double *start;                   /* [room] rates where the step begins */
    double *velocity, *increment;    /* [nv] */
} stepper;

static tn_status contact_euler_prepare(const tn_host *host, TN_UNUSED void *instance, tn_run *run)
{
    if (run->step > 0.0 || !(run->end_time > run->start_time)) return TN_OK;
    return tn_refuse(host, "step", "a fixed step needs `step` above zero");
}

/* ---- rows of joints, then of points ---------------------------------------------------------------------- */

typedef struct row {
    uint32_t count;
    const uint32_t *column;
    const double *value;
} row;

static row row_of(const stepper *s, uint32_t r)
{
    const bool joint = r < s->system->rows;
    const uint32_t k = joint ? r : r - s->system->rows;
    const uint32_t *start = (joint ? s->o->row_start : s->c->row_start) + k;
    return (row){start[1] - start[0], (joint ? s->o->column : s->c->column) + start[0],
                 (joint ? s->o->value : s->c->value) + start[0]};
}

static double rate_of(const stepper *s, uint32_t r, const double *v)
{
    const row g = row_of(s, r);
    double rate = r < s->system->rows ? s->drift[r] : 0.0;
    for (uint32_t e = 0; e < g.count; e++)
        rate += g.value[e] * v[g.column[e]];
    return rate;
}

/* M^-1 G^T row by row, and what each row does to itself. */
static tn_status find_columns(stepper *s)
{
    const uint32_t nv = s->system->nv;
    tn_status status = TN_OK;
    for (uint32_t r = 0; status == TN_OK && r < s->rows; r++) {
        const row g = row_of(s, r);
        double *column = s->column + (size_t)r * nv;
        memset(column, 0, nv * sizeof *column);
        for (uint32_t e = 0; e < g.count; e++)
            column[g.column[e]] = g.value[e];
        status = s->o->mass_solve(s->system, column);
        s->pull[r] = 0.0;
        for (uint32_t e = 0; e < g.count; e++)
            s->pull[r] += g.value[e] * column[g.column[e]];
    }
    return status;
}

static double set_impulse(stepper *s, uint32_t r, double impulse)
{
    const uint32_t nv = s->system->nv;
    const double change = impulse - s->impulse[r];
    for (uint32_t j = 0; j < nv; j++)
        s->velocity[j] += s->column[(size_t)r * nv + j] * change;
    s->impulse[r] = impulse;
    return fabs(change) * s->pull[r];
}

/* ---- one step -------------------------------------------------------------------------------------------- */

/* The rate along the normal that a point is to have at least: its gap closes, or what hits is thrown back. */
static double wanted_rate(const tn_contact_point *point, double start, double h)
{
    const bool hits = point->gap + h * start <= 0.0 && start < -point->threshold;
    return hits && point->restitution > 0.0 ? -point->restitution * start : -point->gap / h;
}

static double sweep_point(stepper *s, uint32_t k, double h)
{
    const tn_contact_point *point = &s->c->point[k];
    const uint32_t r = s->system->rows + 3 * k;
    if (!(s->pull[r] > 0.0)) return 0.0;
    const double wanted = wanted_rate(point, s->start[r], h);
    double change =
        set_impulse(s, r, fmax(0.0, s->impulse[r] + (wanted - rate_of(s, r, s->velocity)) / s->pull[r]));
    const double pull = s->pull[r + 1] + s->pull[r + 2]; /* no smaller than that of any direction across */
    double impulse[2], size = 0.0;
    for (uint32_t t = 0; t < 2; t++) {
        impulse[t] = s->impulse[r + 1 + t] - rate_of(s, r + 1 + t, s->velocity) / pull;
        size += impulse[t] * impulse[t];
    }
    const double most = point->friction * s->impulse[r];
    const double share = size > most * most ? most / sqrt(size) : 1.0;
    for (uint32_t t = 0; t < 2; t++)
        change += set_impulse(s, r + 1 + t, share * impulse[t]);
    return change;
}

static double sweep(stepper *s, double h)
{
    double largest = 0.0;
    for (uint32_t r = 0; r < s->system->rows; r++) {
        const bool position = s->system->row_level[r] == TN_POSITION_ROW;
        if (!(s->pull[r] > 0.0)) continue;
        const double wanted = position ? -s->gap[r] / h : 0.0;
        const double change =
            set_impulse(s, r, s->impulse[r] + (wanted - rate_of(s, r, s->velocity)) / s->pull[r]);
        largest = fmax(largest, change);
    }
    for (uint32_t k = 0; s->c && k < s->c->count; k++)
        largest = fmax(largest, sweep_point(s, k, h));
    return largest;
}

/* Room for the rows of as many points as there are now, and half as many more. */
static tn_status make_room(stepper *s)
{
    const tn_host *host = s->system->host;
    const size_t nv = s->system->nv, room = s->rows + s->rows / 2 + 8;
    if (s->rows <= s->room) return TN_OK;
    double *memory = host->allocate(host, room * (nv + 3) * sizeof *memory);
    if (!memory) return TN_OUT_OF_MEMORY;
    if (s->room) memcpy(memory, s->impulse, s->system->rows * sizeof *memory);
    s->impulse = memory;
    s->pull = memory + room;
    s->start = s->pull + room;
    s->column = s->start + room;
    s->room = (uint32_t)room;
    return TN_OK;
}

/* Where they come from: joints from the last step, and so do points that last. */
static void start_impulses(stepper *s)
{
    for (uint32_t r = 0; r < s->rows; r++) {
        const uint32_t k = r < s->system->rows ? 0 : (r - s->system->rows) / 3;
        const uint32_t before = r < s->system->rows ? TN_NO_POINT : s->c->before(s->system, k);
        double start = r < s->system->rows ? s->impulse[r] : 0.0;
        if (before != TN_NO_POINT) start = s->c->last_impulse[3 * before + (r - s->system->rows) % 3];
        s->impulse[r] = 0.0;
        (void)set_impulse(s, r, start);
    }
}

static tn_status find_impulses(stepper *s, double h)
{
    tn_system *system = s->system;
    memcpy(s->increment, system->force, system->nv * sizeof *s->increment);
    tn_status status = s->o->mass_solve(system, s->increment);
    if (status == TN_OK) status = s->o->row_values(system, s->gap, s->rate);
    if (status == TN_OK && s->c) status = s->c->find(system, s->parameters->margin);
    s->rows = system->rows + (s->c ? 3 * s->c->count : 0);
    if (status == TN_OK) status = make_room(s);
    if (status == TN_OK) status = find_columns(s);
    if (status != TN_OK) return status;
    s->o->rows_multiply(system, system->v, s->drift);
    for (uint32_t r = 0; r < system->rows; r++)
        s->drift[r] = s->rate[r] - s->drift[r];
    for (uint32_t r = 0; r < s->rows; r++)
        s->start[r] = rate_of(s, r, system->v);
    for (uint32_t j = 0; j < system->nv; j++)
        s->velocity[j] = system->v[j] + h * s->increment[j];
    start_impulses(s);
    for (int k = 0; k < MOST_SWEEPS; k++)
        if (sweep(s, h) <= s->parameters->accuracy) return TN_OK;
    return TN_RETRY;
}

static tn_status step_to(stepper *s, double end)
{
    tn_system *system = s->system;
    const double h = end - system->time;
    tn_status status = s->o->begin_step(system);
    if (status == TN_OK) status = find_impulses(s, h);
    if (status == TN_OK) status = s->o->end_step(system, s->impulse, h);
    if (status != TN_OK) return status;
    memcpy(system->v, s->velocity, system->nv * sizeof *system->v);
    for (uint32_t j = 0; j < system->nv; j++)
        s->increment[j] = h * system->v[j];
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] += h * system->x_rate[k];
    system->time = end;
    status = system->retract(system, system->q, s->increment, system->q);
    if (status == TN_OK) status = system->normalise(system, system->q);
    if (status == TN_OK && s->c) status = s->c->settle(system, s->impulse + system->rows, NULL, h);
    if (status == TN_OK) status = system->evaluate(system);
    return status == TN_OK ? system->accelerate(system, system->a) : status;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static tn_status contact_euler_begin(const void *instance, tn_system *system, TN_UNUSED void *before,
                                     void **work)
{
    const tn_host *host = system->host;
    const size_t rows = system->rows, nv = system->nv;
    stepper *s = host->allocate(host, sizeof *s);
    double *memory = host->allocate(host, (3 * rows + 2 * nv + 1) * sizeof *memory);
    if (!s || !memory) return TN_OUT_OF_MEMORY;
    *s = (stepper){.system = system,
                   .parameters = instance,
                   .rows = system->rows,
                   .gap = memory,
                   .rate = memory + rows,
                   .drift = memory + 2 * rows,
                   .velocity = memory + 3 * rows,
                   .increment = memory + 3 * rows + nv};
    *work = s;
    s->o = system->extension(system, TN_OPERATORS_KEY);
    s->c = s->parameters->deaf ? NULL : system->extension(system, TN_CONTACT_ROWS_KEY);
    if (!s->o)
        return system->fail(system, TN_UNSUPPORTED, NULL, "this solver needs the operators of the system");
    const double start = fmax(system->run->start_time, system->time);
    s->grid = tn_step_grid_make(start, system->run->end_time, system->run->step);
    system->time = start;
    tn_status status = make_room(s);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? system->accept(system) : system->fail(system, status, NULL, "the start state");
}

static tn_status contact_euler_step(void *work, double until, uint64_t most)
{
    stepper *s = work;
    tn_system *system = s->system;
    const double stop = fmin(until, system->run->end_time);
    tn_status status = TN_OK;
    for (uint64_t k = 0; status == TN_OK && k < most && system->time < stop; k++) {
        const double before = system->time;
        const double end = tn_step_grid_part_end(&s->grid, s->step, before, system->next_change);
        status = step_to(s, end);
        if (status != TN_OK) return system->fail(system, status, NULL, "a step of fixed length");
        tn_count_step(system->statistics, end - before);
        status = system->accept(system);
        s->step += end >= tn_step_grid_time(&s->grid, s->step + 1);
    }
    return status;
}

static void contact_euler_end(TN_UNUSED void *work) {}

static void contact_euler_state(void *work, tn_state_visitor *visitor)
{
    stepper *s = work;
    TN_VISIT(visitor, s->step);
    TN_VISIT(visitor, s->grid);
    tn_visit_numbers(visitor, s->impulse, s->system->rows);
}

static const tn_stepping_capability contact_euler_stepping = {.struct_size = sizeof contact_euler_stepping,
                                                              .begin = contact_euler_begin,
                                                              .step = contact_euler_step,
                                                              .end = contact_euler_end,
                                                              .state = contact_euler_state};

static tn_status contact_euler_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&contact_euler_stepping, instance, system);
}

TN_SOLVER(contact_euler, .summary = "semi-implicit Euler by impulses", .flags = TN_UNILATERAL_ROWS,
          .formula = "v1 = v0 + h M^-1 f + M^-1 G^T p,  q1 = q0 [+] h v1",
          TN_CAPABILITIES({TN_STEPPING_KEY, &contact_euler_stepping}), .prepare = contact_euler_prepare,
          .advance = contact_euler_advance)
TN_LIBRARY("contact_euler", "1.0.0", "Apache-2.0", "contact by impulses",
           {TN_SOLVER_KIND, &contact_euler_type})
#endif
