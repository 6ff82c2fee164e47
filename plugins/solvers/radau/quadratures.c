/* quadratures.c - integrals of what reactions and accelerations bring about
 *
 * Multipliers of stages at index 3 are of order 2 only, and with them works and powers that read them. Where some do, their rates are
 * found anew at the stages of an accepted step, with accelerations and multipliers that satisfy the second derivatives of all rows. */
#include "radau.h"

/* Rates at other velocities, with these multipliers and accelerations, into `rate`. */
static tn_status probe(radau_work *work, double more, double *rate)
{
    tn_system *system = work->system;
    for (uint32_t i = 0; i < system->nv; i++) {
        const double size = system->scale[i] > 0.0 ? system->scale[i] : 1.0;
        system->v[i] = work->v0[i] + size * (1.0 + 0.1 * (double)(i % 7));
        system->a[i] = work->a0[i] + more * size;
    }
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] = work->lambda0[r] + more * (1.0 + 0.1 * (double)(r % 5));
    const tn_status status = system->evaluate(system);
    memcpy(rate, system->x_rate, system->nx * sizeof *rate);
    return status;
}

/* Where such a state is refused, they are taken to read them. */
tn_status tn_radau_look_at_quadratures(radau_work *work)
{
    tn_system *system = work->system;
    double *one = work->x_residual[0], *other = work->x_residual[1];
    work->stand.reads_reactions = 0;
    if (!system->quadratures || !system->rows || work->at_index_1) return TN_OK;
    tn_status status = probe(work, 0.0, one);
    if (status == TN_OK) status = probe(work, 1.0, other);
    for (uint32_t k = work->states; k < system->nx && status == TN_OK; k++)
        if (one[k] != other[k]) work->stand.reads_reactions = 1;
    if (status == TN_RETRY) work->stand.reads_reactions = 1;
    tn_radau_restore(work);
    return status == TN_OK || status == TN_RETRY ? system->evaluate(system) : status;
}

tn_status tn_radau_integrate_reactions(radau_work *work, double h)
{
    tn_system *system = work->system;
    tn_status status = TN_OK;
    if (!work->stand.reads_reactions) return TN_OK;
    for (uint32_t i = 0; i < STAGES && status == TN_OK; i++) {
        status = tn_radau_enter_stage(work, i, work->stand.start + radau_node[i] * h);
        if (status == TN_OK) status = system->evaluate(system);
        if (status == TN_OK) status = system->accelerate(system, system->a);
        memcpy(work->x_rate[i], system->x_rate, system->nx * sizeof(double));
    }
    if (status == TN_OK) tn_radau_integrate_quadratures(work, h);
    return status;
}

void tn_radau_integrate_quadratures(radau_work *work, double h)
{
    for (int i = 0; i < STAGES; i++)
        for (uint32_t k = work->states; k < work->system->nx; k++)
            work->x[i][k] =
                work->x0[k] + h * (radau_a[i][0] * work->x_rate[0][k] + radau_a[i][1] * work->x_rate[1][k] +
                                   radau_a[i][2] * work->x_rate[2][k]);
}
