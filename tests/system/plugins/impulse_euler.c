/* impulse_euler.c - a solver by impulses, of the operators of the system (tenon/draft/operators.h): semi-implicit Euler; all rows by
 * projected Gauss-Seidel iteration */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/draft/operators.h>
#include <tenon/kit/step_grid.h>

enum { MOST_SWEEPS = 20000 };

TN_NO_PARAMETERS(impulse_euler)

typedef struct stepper {
    tn_system *system;
    const tn_operators *o;
    double *gap, *rate; /* [rows] at the start of the step */
    double *drift;      /* [rows] b: rates where v is zero */
    double *impulse;    /* [rows] */
    double *pull;       /* [rows] diagonal of G M^-1 G^T */
    double *column; /* [entries of G] M^-1 G^T, in the pattern of G and of the bodies it reaches: full rows */
    double *velocity;  /* [nv] */
    double *increment; /* [nv] */
} stepper;

static tn_status impulse_euler_prepare(const tn_host *host, TN_UNUSED void *instance, tn_run *run)
{
    if (run->step > 0.0 || !(run->end_time > run->start_time)) return TN_OK;
    return tn_refuse(host, "step", "a fixed step needs `step` above zero");
}

static tn_status make_stepper(tn_system *system, stepper *s)
{
    const tn_host *host = system->host;
    const size_t rows = system->rows, nv = system->nv;
    *s = (stepper){.system = system, .o = system->extension(system, TN_OPERATORS_KEY)};
    if (!s->o) return TN_UNSUPPORTED;
    double *memory = host->allocate(host, (5 * rows + rows * nv + 2 * nv + 1) * sizeof *memory);
    if (!memory) return TN_OUT_OF_MEMORY;
    s->gap = memory;
    s->rate = s->gap + rows;
    s->drift = s->rate + rows;
    s->impulse = s->drift + rows;
    s->pull = s->impulse + rows;
    s->velocity = s->pull + rows;
    s->increment = s->velocity + nv;
    s->column = s->increment + nv;
    return TN_OK;
}

/* M^-1 G^T row by row, and what each row does to itself. */
static tn_status find_columns(stepper *s)
{
    const tn_system *system = s->system;
    tn_status status = TN_OK;
    for (uint32_t r = 0; status == TN_OK && r < system->rows; r++) {
        double *column = s->column + (size_t)r * system->nv;
        for (uint32_t j = 0; j < system->nv; j++)
            column[j] = 0.0;
        for (uint32_t e = s->o->row_start[r]; e < s->o->row_start[r + 1]; e++)
            column[s->o->column[e]] = s->o->value[e];
        status = s->o->mass_solve(s->system, column);
        s->pull[r] = 0.0;
        for (uint32_t e = s->o->row_start[r]; e < s->o->row_start[r + 1]; e++)
            s->pull[r] += s->o->value[e] * column[s->o->column[e]];
    }
    return status;
}

/* The rate of a row at the velocities of now. */
static double rate_of(const stepper *s, uint32_t r)
{
    double rate = s->drift[r];
    for (uint32_t e = s->o->row_start[r]; e < s->o->row_start[r + 1]; e++)
        rate += s->o->value[e] * s->velocity[s->o->column[e]];
    return rate;
}

/* Gives a row another impulse; how much that changes velocities of its kind. */
static double set_impulse(stepper *s, uint32_t r, double impulse)
{
    const double change = impulse - s->impulse[r];
    for (uint32_t j = 0; j < s->system->nv; j++)
        s->velocity[j] += s->column[(size_t)r * s->system->nv + j] * change;
    s->impulse[r] = impulse;
    return fabs(change) * s->pull[r];
}

/* The rate that a position row is to have at the end: the gap closes there, or what hits is thrown back. */
static double wanted_rate(const stepper *s, uint32_t r, double h)
{
    const double back = s->o->restitution[r], closing = -s->gap[r] / h;
    if (s->o->row_kind[r] == TN_BILATERAL) return closing;
    return back > 0.0 && s->rate[r] < 0.0 && s->gap[r] + h * s->rate[r] <= 0.0 ? -back * s->rate[r] : closing;
}

static double sweep_cone(stepper *s, uint32_t r)
{
    double impulse[2], size = 0.0;
    for (uint32_t k = 0; k < 2; k++) {
        impulse[k] = s->impulse[r + 1 + k] - rate_of(s, r + 1 + k) / s->pull[r + 1 + k];
        size += impulse[k] * impulse[k];
    }
    const double most = s->o->friction[r] * s->impulse[r];
    const double share = size > most * most ? most / sqrt(size) : 1.0;
    return set_impulse(s, r + 1, share * impulse[0]) + set_impulse(s, r + 2, share * impulse[1]);
}

/* One pass over all rows; the largest change of a rate. */
static double sweep(stepper *s, double h)
{
    double largest = 0.0;
    for (uint32_t r = 0; r < s->system->rows; r++) {
        const uint32_t kind = s->o->row_kind[r];
        const bool position = s->system->row_level[r] == TN_POSITION_ROW;
        if (kind == TN_PASSIVE || !(s->pull[r] > 0.0)) continue;
        const double wanted = position ? wanted_rate(s, r, h) : 0.0;
        double impulse = s->impulse[r] + (wanted - rate_of(s, r)) / s->pull[r];
        if (kind != TN_BILATERAL && impulse < 0.0) impulse = 0.0;
        double change = set_impulse(s, r, impulse);
        if (kind == TN_CONE_NORMAL) {
            change += sweep_cone(s, r);
            r += 2;
        }
        largest = fmax(largest, change);
    }
    return largest;
}

static tn_status find_impulses(stepper *s, double h)
{
    tn_system *system = s->system;
    for (uint32_t j = 0; j < system->nv; j++)
        s->increment[j] = system->force[j];
    tn_status status = s->o->mass_solve(system, s->increment);
    if (status == TN_OK) status = s->o->row_values(system, s->gap, s->rate);
    if (status == TN_OK) status = find_columns(s);
    if (status != TN_OK) return status;
    s->o->rows_multiply(system, system->v, s->drift);
    for (uint32_t r = 0; r < system->rows; r++)
        s->drift[r] = s->rate[r] - s->drift[r];
    for (uint32_t j = 0; j < system->nv; j++)
        s->velocity[j] = system->v[j] + h * s->increment[j];
    for (uint32_t r = 0; r < system->rows; r++) { /* from the impulses of the step before */
        const double before = s->impulse[r];
        s->impulse[r] = 0.0;
        (void)set_impulse(s, r, before);
    }
    for (int k = 0; k < MOST_SWEEPS; k++)
        if (sweep(s, h) <= 1e-13) return TN_OK;
    return TN_RETRY;
}

static tn_status step_to(stepper *s, double end)
{
    tn_system *system = s->system;
    const double h = end - system->time;
    tn_status status = s->o->begin_step(system);
    if (status == TN_OK) status = find_impulses(s, h);
    if (status == TN_OK) status = s->o->end_step(system, s->impulse, h);
    for (uint32_t j = 0; j < system->nv; j++)
        s->increment[j] = h * system->v[j];
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] += h * system->x_rate[k];
    system->time = end;
    if (status == TN_OK) status = system->retract(system, system->q, s->increment, system->q);
    return status == TN_OK ? system->normalise(system, system->q) : status;
}

static tn_status impulse_euler_advance(TN_UNUSED const void *instance, tn_system *system)
{
    const tn_run *run = system->run;
    const double start = fmax(run->start_time, system->time);
    const tn_step_grid grid = tn_step_grid_make(start, run->end_time, run->step);
    stepper s;
    tn_status status = make_stepper(system, &s);
    if (status != TN_OK)
        return system->fail(system, status, NULL, "this solver needs the operators of the system");
    system->time = start;
    status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "the start state");
    status = system->accept(system);
    for (uint64_t k = 0; status == TN_OK && k < grid.count;) {
        const double before = system->time;
        const double end = tn_step_grid_part_end(&grid, k, before, system->next_change);
        status = step_to(&s, end);
        if (status == TN_OK) status = system->evaluate(system);
        if (status == TN_OK) status = system->accelerate(system, system->a);
        if (status != TN_OK) return system->fail(system, status, NULL, "a step of fixed length");
        tn_count_step(system->statistics, end - before);
        status = system->accept(system);
        k += end >= tn_step_grid_time(&grid, k + 1);
    }
    return status;
}

TN_SOLVER(impulse_euler, .summary = "semi-implicit Euler by impulses",
          .formula = "v1 = v0 + h M^-1 f + M^-1 G^T p,  q1 = q0 [+] h v1", .flags = TN_UNILATERAL_ROWS,
          .prepare = impulse_euler_prepare, .advance = impulse_euler_advance)
TN_LIBRARY("impulse_euler", "1.0.0", "Apache-2.0", "contact by impulses",
           {TN_SOLVER_KIND, &impulse_euler_type})
#endif
