/* quadratures.c - integrals of what reactions and accelerations bring about
 *
 * Multipliers of stages at index 3 are of order 2 only, and with them works and powers that read them. The last stage tells: where its
 * rates differ from those of the new state, which are of full order, all stages find theirs anew, with accelerations and multipliers
 * that satisfy the second derivatives of all rows. */
#include "radau.h"

#define SHARE 0.5 /* of the tolerances, that a difference of rates, of weight 1/9, may come to in a step */

bool tn_radau_misses_reactions(const radau_work *work, double h)
{
    const tn_system *system = work->system;
    if (!system->rows || work->at_index_1) return false;
    for (uint32_t k = work->states; k < system->nx; k++) {
        const double allowed =
            work->weights.absolute_x[k] + system->run->relative_tolerance * fabs(system->x[k]);
        if (!(h * fabs(system->x_rate[k] - work->x_rate[STAGES - 1][k]) <= SHARE * allowed)) return true;
    }
    return false;
}

tn_status tn_radau_integrate_reactions(radau_work *work, double h)
{
    tn_system *system = work->system;
    tn_status status = TN_OK;
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
            work->x[i][k] = work->start.x[k] +
                            h * (radau_a[i][0] * work->x_rate[0][k] + radau_a[i][1] * work->x_rate[1][k] +
                                 radau_a[i][2] * work->x_rate[2][k]);
}
