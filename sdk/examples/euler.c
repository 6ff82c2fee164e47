/* euler.c - a solver of motion: the semi-implicit method of Euler, of fixed step and order 1 */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/kit/step_grid.h>

TN_NO_PARAMETERS(euler)

static tn_status euler_prepare(const tn_host *host, TN_UNUSED void *instance, tn_run *run)
{
    if (run->step > 0.0 || !(run->end_time > run->start_time)) return TN_OK;
    return tn_refuse(host, "step", "a fixed step needs `step` above zero");
}

static tn_status euler_check(const tn_host *host, TN_UNUSED const void *instance, const tn_system *system)
{
    if (system->rows == 0) return TN_OK;
    return tn_refuse(host, "type", "it takes no constraints, and the model has %u rows of them",
                     system->rows);
}

/* Accelerations and rates at the current state. */
static tn_status evaluate(tn_system *system)
{
    const tn_status status = system->evaluate(system);
    return status == TN_OK ? system->accelerate(system, system->a) : status;
}

/* v' = a; q' goes by the new v. */
static tn_status step_to(tn_system *system, double end, double *increment)
{
    const double h = end - system->time;
    for (uint32_t k = 0; k < system->nv; k++)
        increment[k] = h * (system->v[k] += h * system->a[k]);
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] += h * system->x_rate[k];
    tn_status status = system->retract(system, system->q, increment, system->q);
    if (status == TN_OK) status = system->normalise(system, system->q);
    system->time = end;
    return status == TN_OK ? evaluate(system) : status;
}

static tn_status euler_advance(TN_UNUSED const void *instance, tn_system *system)
{
    const tn_run *run = system->run;
    const double start = fmax(run->start_time, system->time);
    const tn_step_grid grid = tn_step_grid_make(start, run->end_time, run->step);
    double *increment = system->host->allocate(system->host, (system->nv + 1) * sizeof *increment);
    if (!increment) return TN_OUT_OF_MEMORY;
    system->time = start;
    tn_status status = evaluate(system);
    if (status != TN_OK) return system->fail(system, status, NULL, "the start state");
    status = system->accept(system);
    for (uint64_t k = 0; status == TN_OK && k < grid.count;) {
        const double before = system->time;
        const double end = tn_step_grid_part_end(&grid, k, before, system->next_change);
        status = step_to(system, end, increment);
        if (status != TN_OK) return system->fail(system, status, NULL, "a step of fixed length");
        tn_count_step(system->statistics, end - before);
        status = system->accept(system);
        k += end >= tn_step_grid_time(&grid, k + 1); /* a change of the model cuts a step in two */
    }
    return status;
}

TN_SOLVER(euler, .summary = "semi-implicit Euler", .formula = "v1 = v0 + h a0,  q1 = q0 [+] h v1",
          .prepare = euler_prepare, .check = euler_check, .advance = euler_advance)
TN_LIBRARY("euler", "1.0.0", "Apache-2.0", "semi-implicit Euler", {TN_SOLVER_KIND, &euler_type})
#endif
