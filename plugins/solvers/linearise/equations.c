/* equations.c - the linearised equations, inputs and outputs as dense matrices in axes that do not turn (linearise.h) */
#include "linearise.h"

#define SMALL_FORCE 1e-2 /* of the largest: less is no measure for what is out of balance */

/* ---- matrices of the kernel ------------------------------------------------------------------------------------ */

static bool take_sparse(linear_work *work, const tn_sparse *from, linear_matrix *to)
{
    if (!linear_new(work, to, from->rows, from->columns)) return false;
    for (uint32_t j = 0; j < from->columns; j++)
        for (int32_t e = from->column_start[j]; e < from->column_start[j + 1]; e++)
            to->value[(size_t)from->row[e] * to->columns + j] += from->value[e];
    return true;
}

static bool take_all(linear_work *work)
{
    const tn_linearisation *l = work->equations;
    return take_sparse(work, &l->mass, &work->M) && take_sparse(work, &l->damping, &work->D) &&
           take_sparse(work, &l->stiffness, &work->K) && take_sparse(work, &l->transport, &work->T) &&
           take_sparse(work, &l->rows, &work->R) && take_sparse(work, &l->row_slopes, &work->L) &&
           take_sparse(work, &l->reactions, &work->B);
}

/* Row i of P: what a vector along axis i has in own axes. */
static bool find_turn(linear_work *work)
{
    const size_t nv = work->nv;
    double *vector = linear_array(work, nv, sizeof *vector);
    work->turn_first = linear_array(work, nv, sizeof *work->turn_first);
    if (!vector || !work->turn_first || !linear_new(work, &work->turn, nv, 3)) return false;
    for (size_t i = 0; i < nv; i++) {
        memset(vector, 0, nv * sizeof *vector);
        vector[i] = 1.0;
        work->equations->to_own_axes(work->system, vector);
        size_t first = i >= 2 ? i - 2 : 0;
        while (vector[first] == 0.0)
            first++;
        work->turn_first[i] = (uint32_t)first;
        for (size_t c = 0; c < 3 && first + c < nv; c++)
            work->turn.value[3 * i + c] = vector[first + c];
    }
    return true;
}

/* A row of derivatives by own increments becomes one by still ones; forces likewise. */
static double turned(const linear_work *work, const double *own, size_t i, size_t stride)
{
    double sum = 0.0;
    const size_t first = work->turn_first[i];
    for (size_t c = 0; c < 3 && first + c < work->nv; c++)
        sum += work->turn.value[3 * i + c] * own[(first + c) * stride];
    return sum;
}

static void turn_row(const linear_work *work, const double *own, double *still)
{
    for (size_t i = 0; i < work->nv; i++)
        still[i] = turned(work, own, i, 1);
}

/* ---- rates and outputs ------------------------------------------------------------------------------------------ */

static bool is_zero(const linear_matrix *m)
{
    bool zero = true;
    for (size_t k = 0; k < m->rows * m->columns; k++)
        zero = zero && m->value[k] == 0.0;
    return zero;
}

/* dv' in own axes is P^T eta' - T dv there, T of the axes that turn. */
static void take_row(const linear_work *work, const tn_slope_matrices *from, size_t number, size_t k,
                     double *spare, const linear_slopes *to)
{
    const size_t nv = work->nv;
    const double *a = from->acceleration + number * nv, *u = from->input + number * work->signals->inputs;
    turn_row(work, from->position + number * nv, linear_row(&to->position, k));
    turn_row(work, a, linear_row(&to->acceleration, k));
    for (size_t j = 0; j < nv; j++) {
        spare[j] = from->velocity[number * nv + j];
        for (size_t i = 0; i < nv; i++)
            spare[j] -= a[i] * work->own_transport[i * nv + j];
    }
    turn_row(work, spare, linear_row(&to->velocity, k));
    memcpy(linear_row(&to->reaction, k), from->reaction + number * work->rows, work->rows * sizeof(double));
    memcpy(linear_row(&to->state, k), from->state + number * work->states, work->states * sizeof(double));
    for (size_t j = 0; j < work->inputs; j++)
        linear_row(&to->input, k)[j] = u[work->input[j]];
}

static bool take_slopes(linear_work *work, const tn_slope_matrices *from, const uint32_t *number,
                        size_t count, linear_slopes *to)
{
    double *spare = linear_array(work, work->nv, sizeof *spare);
    if (!spare || !linear_new(work, &to->position, count, work->nv) ||
        !linear_new(work, &to->velocity, count, work->nv) ||
        !linear_new(work, &to->acceleration, count, work->nv) ||
        !linear_new(work, &to->reaction, count, work->rows) ||
        !linear_new(work, &to->state, count, work->states) ||
        !linear_new(work, &to->input, count, work->inputs))
        return false;
    for (size_t k = 0; k < count; k++)
        take_row(work, from, number ? number[k] : k, k, spare, to);
    work->reads_accelerations = work->reads_accelerations || !is_zero(&to->acceleration);
    work->reads_reactions = work->reads_reactions || !is_zero(&to->reaction);
    return true;
}

static bool take_forces(linear_work *work)
{
    const tn_signals *s = work->signals;
    if (!linear_new(work, &work->by_state, work->nv, work->states) ||
        !linear_new(work, &work->by_input, work->nv, work->inputs))
        return false;
    for (size_t i = 0; i < work->nv; i++) {
        for (size_t k = 0; k < work->states; k++)
            linear_row(&work->by_state, i)[k] = turned(work, s->force_by_state + k, i, work->states);
        for (size_t k = 0; k < work->inputs; k++)
            linear_row(&work->by_input, i)[k] =
                turned(work, s->force_by_input + work->input[k], i, s->inputs);
    }
    return true;
}

static bool take_positions(linear_work *work)
{
    const tn_signals *s = work->signals;
    if (!linear_new(work, &work->name_row, work->positions, work->nv) ||
        !linear_new(work, &work->name_slope, work->positions, work->nv))
        return false;
    for (size_t k = 0; k < work->positions; k++) {
        turn_row(work, s->position_slopes + work->position[k] * work->nv, linear_row(&work->name_row, k));
        turn_row(work, s->rate_slopes + work->position[k] * work->nv, linear_row(&work->name_slope, k));
    }
    return true;
}

/* ---- balance ----------------------------------------------------------------------------------------------------- */

static const char *owner_of(const linear_work *work, size_t coordinate)
{
    uint32_t first = 0, count = 0;
    return work->statics->owner(work->system, (uint32_t)coordinate, &first, &count);
}

/* Forces in play at a coordinate: of inertia, reactions, and what stiffness makes of the size of the model. */
static double size_of_forces(const linear_work *work, size_t i, const double *force)
{
    const tn_system *system = work->system;
    double size = fabs(force[i]);
    for (size_t r = 0; r < work->rows; r++)
        size += 2.0 * fabs(linear_row(&work->B, i)[r] * system->lambda[r]);
    for (size_t j = 0; j < work->nv; j++)
        size += fabs(linear_row(&work->K, i)[j]) * system->scale[j];
    return size;
}

/* What keeps the motion from being steady, by coordinates and states. `force` [nv] is memory. */
static void find_rest(linear_work *work, double *force)
{
    const tn_system *system = work->system;
    double largest = 0.0;
    work->rest = 0.0;
    for (size_t i = 0; i < work->nv; i++) {
        force[i] = 0.0;
        for (size_t j = 0; j < work->nv; j++) {
            double a = 0.0; /* in still axes */
            for (size_t c = 0; c < 3 && work->turn_first[j] + c < work->nv; c++)
                a += work->turn.value[3 * j + c] * system->a[work->turn_first[j] + c];
            force[i] += linear_row(&work->M, i)[j] * a;
        }
        largest = fmax(largest, size_of_forces(work, i, force) * system->scale[i]);
    }
    for (size_t i = 0; i < work->nv; i++) {
        const double left = fabs(force[i]) * system->scale[i],
                     size = fmax(size_of_forces(work, i, force) * system->scale[i], SMALL_FORCE * largest),
                     share = left > 0.0 ? left / size : 0.0;
        if (!(share > work->rest)) continue;
        work->rest = share;
        work->worst = owner_of(work, i);
    }
    for (size_t k = 0; k < work->states; k++) {
        double size = fabs(system->x_rate[k]);
        for (size_t j = 0; j < work->states; j++)
            size += fabs(linear_row(&work->rate.state, k)[j]) * fmax(1.0, fabs(system->x[j]));
        for (size_t j = 0; j < work->nv; j++)
            size += (fabs(linear_row(&work->rate.position, k)[j]) +
                     fabs(linear_row(&work->rate.velocity, k)[j])) *
                    system->scale[j];
        const double share = system->x_rate[k] != 0.0 ? fabs(system->x_rate[k]) / size : 0.0;
        if (system->state_held[k] || !(share > work->rest)) continue;
        work->rest = share;
        work->worst = work->signals->state(work->system, (uint32_t)k).name;
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

static tn_status refuse_problem(linear_work *work, tn_status status, const char *problem)
{
    tn_system *system = work->system;
    if (status == TN_UNSUPPORTED)
        return tn_refuse(system->host, NULL, "%s%s%s states whose rates have no exact derivatives",
                         *problem ? "`" : "", problem, *problem ? "` has" : "the model has");
    return system->fail(system, status, NULL,
                        *problem ? linear_print(work, "there is no derivative at this state, of %s", problem)
                                 : "the equations are linearised at this state");
}

static tn_status find_own_transport(linear_work *work)
{
    linear_matrix T;
    const tn_status status = work->equations->find(work->system, TN_OWN_AXES);
    if (status != TN_OK) return status;
    if (!take_sparse(work, &work->equations->transport, &T)) return TN_OUT_OF_MEMORY;
    work->own_transport = T.value;
    return TN_OK;
}

/* What stays of T in still axes belongs to bodies that do not tell how they turn: their increments are the same in both. */
static void keep_turning_part(linear_work *work)
{
    for (size_t k = 0; k < work->nv * work->nv; k++)
        work->own_transport[k] -= work->T.value[k];
}

tn_status linear_find_equations(linear_work *work)
{
    tn_system *system = work->system;
    const char *problem = "";
    for (size_t i = 0; i < work->nv; i++)
        work->moves = work->moves || fabs(system->v[i]) > 1e-12 * system->scale[i];
    tn_status status = work->signals->find(system, &problem);
    if (status == TN_OK) status = find_own_transport(work);
    if (status == TN_OK) status = work->equations->find(system, TN_STILL_AXES);
    if (status != TN_OK) return refuse_problem(work, status, problem);
    double *force = linear_array(work, work->nv, sizeof *force);
    if (!force || !find_turn(work) || !take_all(work)) return TN_OUT_OF_MEMORY;
    keep_turning_part(work);
    if (!take_forces(work) || !take_positions(work) ||
        !take_slopes(work, &work->signals->rate, NULL, work->states, &work->rate) ||
        !take_slopes(work, &work->signals->output_slopes, work->output, work->outputs, &work->to_output))
        return TN_OUT_OF_MEMORY;
    find_rest(work, force);
    return TN_OK;
}
