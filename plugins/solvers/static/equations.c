/* equations.c - memory, the state and the residuals of the equations of an equilibrium (static.h) */
#include <tenon/kit/blas.h>
#include "static.h"

#define TRANSLATION_CAP 0.1 /* of the size of the model, in one iteration */
#define ROTATION_CAP 0.3    /* rad */

enum { LARGEST_FULL = 2500, LARGEST_COUNTED = 1500, LAPACK_BLOCK = 64 };

/* ---- memory ----------------------------------------------------------------------------------------------- */

static void *new_memory(const tn_host *host, size_t count, size_t size)
{
    return host->allocate(host, (count > 0 ? count : 1) * size);
}

static double *new_array(const tn_host *host, size_t count)
{
    return new_memory(host, count, sizeof(double));
}

static bool make_point(const tn_system *system, static_point *point)
{
    point->q = new_array(system->host, system->nq);
    point->lambda = new_array(system->host, system->rows);
    point->x = new_array(system->host, system->nx);
    return point->q && point->lambda && point->x;
}

static bool list_states(static_work *work)
{
    const tn_system *system = work->system;
    work->state = new_memory(system->host, system->nx, sizeof *work->state);
    for (uint32_t k = 0; work->state && k < system->nx; k++)
        if (!system->state_held[k]) work->state[work->states++] = k;
    work->size = work->nv + work->rows + work->states;
    return work->state != NULL;
}

/* The diagonal of the matrix; motions of one iteration. */
static bool list_coordinates(static_work *work)
{
    const tn_system *system = work->system;
    const uint32_t n = work->nv + work->rows;
    work->diagonal = new_memory(system->host, n, sizeof *work->diagonal);
    work->cap = new_array(system->host, work->nv);
    if (!work->diagonal || !work->cap) return false;
    for (uint32_t j = 0; j < n; j++) {
        work->diagonal[j] = UINT32_MAX;
        for (int32_t e = work->matrix->column_start[j]; e < work->matrix->column_start[j + 1]; e++)
            if ((uint32_t)work->matrix->row[e] == j) work->diagonal[j] = (uint32_t)e;
    }
    for (uint32_t i = 0; i < work->nv; i++) {
        const double scale = system->scale[i] > 0.0 ? system->scale[i] : 1.0;
        work->cap[i] = work->kinds->kind[i] == TN_MOTION_ROTATION ? ROTATION_CAP : TRANSLATION_CAP * scale;
    }
    return true;
}

/* Dense matrices of systems with states. */
static bool make_full(static_work *work)
{
    const tn_host *host = work->system->host;
    const size_t n = work->size, all = work->system->nx - work->system->quadratures;
    if (!work->states) return true;
    work->full = new_array(host, n * n);
    work->factors = new_array(host, n * n);
    work->pivot = new_memory(host, n, sizeof *work->pivot);
    if (!work->full || !work->factors || !work->pivot) return false;
    if (!work->system->state_tangent) return true;
    work->force_by_state = new_array(host, work->nv * all);
    work->rate_by_motion = new_array(host, 2 * (size_t)work->nv * all);
    work->rate_by_state = new_array(host, all * all);
    return work->force_by_state && work->rate_by_motion && work->rate_by_state;
}

/* The dense matrix whose inertia is counted. */
static bool make_symmetric(static_work *work)
{
    const tn_host *host = work->system->host;
    const size_t n = work->nv + work->rows;
    if (n > LARGEST_COUNTED) return true;
    work->symmetric = new_array(host, n * n);
    work->exchange = new_memory(host, n, sizeof *work->exchange);
    work->block_size = (int)(n * LAPACK_BLOCK);
    work->block = new_array(host, (size_t)work->block_size);
    return work->symmetric && work->exchange && work->block;
}

tn_status tn_static_prepare(static_work *work, const static_instance *settings, tn_system *system)
{
    const tn_host *host = system->host;
    *work = (static_work){.settings = settings,
                          .system = system,
                          .nv = system->nv,
                          .rows = system->rows,
                          .row_scale = 1.0,
                          .load = 1.0,
                          .symmetry = true,
                          .potential = true};
    if (!tn_blas_begin(0) || !(work->matrix = system->pattern(system))) return TN_OUT_OF_MEMORY;
    work->kinds = system->extension(system, TN_ERROR_SCALE_KEY);
    work->statics = system->extension(system, TN_STATICS_KEY);
    work->operators = system->extension(system, TN_OPERATORS_KEY);
    if (!work->kinds || !work->statics || !work->operators) return TN_OUT_OF_MEMORY;
    if (!list_states(work) || !list_coordinates(work)) return TN_OUT_OF_MEMORY;
    if (work->states && work->size > LARGEST_FULL) {
        tn_say(host, TN_ERROR,
               "static finds states of elements together with at most %d unknowns, this model has %u; "
               "hold them (`reference_variable`), or take them out",
               LARGEST_FULL, work->size);
        return TN_UNSUPPORTED;
    }
    double **const arrays[] = {&work->residual, &work->direction,   &work->trial,
                               &work->product,  &work->start_force, &work->rest};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = new_array(host, work->size))) return TN_OUT_OF_MEMORY;
    if (!make_full(work) || !make_symmetric(work)) return TN_OUT_OF_MEMORY;
    const bool points = make_point(system, &work->start) && make_point(system, &work->last) &&
                        make_point(system, &work->kept) && make_point(system, &work->before) &&
                        make_point(system, &work->unstable) && make_point(system, &work->trial_point);
    if (!points) return TN_OUT_OF_MEMORY;
    work->gravity = settings->load == LOAD_GRAVITY && work->statics->has_gravity;
    return TN_OK;
}

/* ---- the state -------------------------------------------------------------------------------------------- */

void tn_static_keep(const static_work *work, static_point *point)
{
    const tn_system *system = work->system;
    memcpy(point->q, system->q, system->nq * sizeof *system->q);
    memcpy(point->lambda, system->lambda, system->rows * sizeof *system->lambda);
    memcpy(point->x, system->x, system->nx * sizeof *system->x);
    point->load = work->load;
}

void tn_static_return(static_work *work, const static_point *point)
{
    tn_system *system = work->system;
    memcpy(system->q, point->q, system->nq * sizeof *system->q);
    memcpy(system->lambda, point->lambda, system->rows * sizeof *system->lambda);
    memcpy(system->x, point->x, system->nx * sizeof *system->x);
    tn_static_set_load(work, point->load);
}

void tn_static_set_load(static_work *work, double load)
{
    if (work->gravity && load != work->load) work->statics->scale_gravity(work->system, load);
    work->load = load;
}

tn_status tn_static_apply(static_work *work, const static_point *from, const double *direction, double share)
{
    tn_system *system = work->system;
    const double *rows = direction + work->nv, *states = rows + work->rows;
    for (uint32_t i = 0; i < work->nv; i++)
        work->product[i] = share * direction[i];
    for (uint32_t r = 0; r < work->rows; r++)
        system->lambda[r] = from->lambda[r] + share * rows[r];
    for (uint32_t k = 0; k < work->states; k++)
        system->x[work->state[k]] = from->x[work->state[k]] + share * states[k];
    return system->retract(system, from->q, work->product, system->q);
}

double tn_static_size(const static_work *work, const double *direction, const double *against)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < work->nv; i++) {
        const double size = fabs(direction[i]) / (against[i] > 0.0 ? against[i] : 1.0);
        if (!(size <= largest)) largest = size;
    }
    for (uint32_t k = 0; k < work->states; k++) {
        const double x = work->system->x[work->state[k]], change = direction[work->nv + work->rows + k];
        const double size = fabs(change) / fmax(fabs(x), 1.0);
        if (!(size <= largest)) largest = size;
    }
    return largest;
}

double tn_static_dot(const static_work *work, const double *a, const double *b)
{
    const double *scale = work->system->scale;
    double sum = 0.0;
    for (uint32_t i = 0; i < work->nv; i++) {
        const double size = scale[i] > 0.0 ? scale[i] : 1.0;
        sum += a[i] / size * (b[i] / size);
    }
    return sum;
}

/* ---- residuals ---------------------------------------------------------------------------------------------- */

tn_status tn_static_evaluate(static_work *work)
{
    tn_system *system = work->system;
    memset(system->v, 0, system->nv * sizeof *system->v);
    memset(system->a, 0, system->nv * sizeof *system->a);
    tn_status status = system->evaluate(system);
    double *rows = work->residual + work->nv, *states = rows + work->rows;
    if (status == TN_OK && work->rows) status = system->constraint(system, rows);
    if (status != TN_OK) return status;
    const double missing = work->gravity ? 0.0 : 1.0 - work->load;
    for (uint32_t i = 0; i < work->nv; i++)
        work->residual[i] = system->force[i] - missing * work->start_force[i];
    for (uint32_t r = 0; r < work->rows; r++)
        rows[r] = system->row_level[r] == TN_VELOCITY_ROW ? 0.0 : -rows[r];
    for (uint32_t k = 0; k < work->states; k++)
        states[k] = system->x_rate[work->state[k]];
    return TN_OK;
}

double tn_static_rest(const static_work *work)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        largest = fmax(largest, fabs(work->residual[i]) * work->system->scale[i]);
    return largest > work->noise ? (largest - work->noise) / work->energy : 0.0;
}

tn_status tn_static_load_vector(static_work *work, double *by_load)
{
    memset(by_load, 0, work->size * sizeof *by_load);
    if (!work->gravity) {
        memcpy(by_load, work->start_force, work->nv * sizeof *by_load);
        return TN_OK;
    }
    const double load = work->load;
    tn_static_set_load(work, load + 1.0);
    tn_status status = tn_static_evaluate(work);
    for (uint32_t i = 0; i < work->nv; i++)
        by_load[i] = work->residual[i];
    tn_static_set_load(work, load);
    if (status == TN_OK) status = tn_static_evaluate(work);
    for (uint32_t i = 0; i < work->nv; i++)
        by_load[i] -= work->residual[i];
    return status;
}
