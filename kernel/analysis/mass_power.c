/* mass_power.c - the power that goes with masses that change: half of v M' v */
#include "analysis/energy.h"

#include "system/own_tangent.h"

#include <math.h>

size_t tn_mass_power_size(const tn_group *group)
{
    const tn_layout *layout = group->batch.layout;
    return tn_own_rows(group) * tn_own_columns(group) + tn_own_memory_size(group) + layout->nq +
           5 * (size_t)layout->nv;
}

/* v^T R v, where R holds the derivatives of a residual by positions. */
static double contract_derivatives(const tn_group *group, const double *R, const double *v)
{
    const size_t nv = group->batch.layout->nv;
    const tn_own_pattern *own = group->own;
    double sum = 0.0;
    for (size_t e = 0; own && e < own->entries; e++)
        sum += R[e] * v[own->row[e]] * v[own->column[e]];
    for (size_t r = 0; !own && r < nv; r++)
        for (size_t c = 0; c < nv; c++)
            sum += R[r * nv + c] * v[r] * v[c];
    return sum;
}

/* (dM/dq v) x is what the derivatives of the residual along v differ by, at accelerations x and without any. */
double tn_mass_power(const tn_assembly *assembly, const tn_group *group, uint32_t instance, double *memory)
{
    const uint32_t n = (uint32_t)tn_own_columns(group);
    const tn_column_block column = {TN_POSITION_COLUMNS, 0, n};
    double *own = memory + tn_own_rows(group) * n, *probe = own + tn_own_memory_size(group), power[2];
    for (int side = 0; side < 2; side++) {
        tn_batch batch = tn_sub_batch(group, instance, 1);
        batch.time = assembly->system.time;
        batch.tangent = memory;
        batch.a = side ? group->at_rest : batch.v;
        if (tn_own_differentiate(assembly, group, &batch, &column, 1, own, probe) != TN_OK)
            return (double)NAN;
        power[side] = contract_derivatives(group, memory, batch.v);
    }
    return 0.5 * (power[0] - power[1]);
}
