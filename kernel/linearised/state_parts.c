/* state_parts.c - derivatives of forces by states, and of the rates of states, as the parts F, R and H (see linearisation.h,
 * values/value_slopes.h) */
#include "linearised/linearisation.h"

#include "values/value_slopes.h"

#include <string.h>

typedef struct tn_state_memory {
    tn_value_slopes *slopes;
    tn_slope_row *rate; /* [n] rows of R and H */
    uint8_t *note;      /* [n] on them */
} state_memory;

void tn_state_parts_prepare(tn_assembly *assembly, tn_linearised *m)
{
    const size_t n = m->table.states, nv = assembly->system.nv;
    if (!n) return;
    state_memory *s = m->states = tn_assembly_new(assembly, 1, sizeof *s);
    s->slopes = tn_value_slopes_new(assembly, NULL, 0);
    s->rate = tn_assembly_new(assembly, n, sizeof *s->rate);
    s->note = tn_assembly_new(assembly, n, sizeof *s->note);
    for (size_t k = 0; k < n; k++) {
        double *by_motion = m->rate_by_motion + k * 2 * nv;
        s->rate[k] = (tn_slope_row){.q = by_motion, .v = by_motion + nv, .x = m->rate_by_state + k * n};
    }
}

tn_status tn_state_parts_find(tn_assembly *assembly, const tn_linearised *m)
{
    const size_t n = m->table.states, nv = assembly->system.nv;
    uint32_t lacking = TN_NONE; /* tn_state_parts_lack() names it */
    if (!n) return TN_OK;
    memset(m->force_by_state, 0, nv * n * sizeof(double));
    memset(m->rate_by_motion, 0, 2 * nv * n * sizeof(double));
    memset(m->rate_by_state, 0, n * n * sizeof(double));
    const tn_status status = tn_force_slopes(assembly, m->states->slopes, m->force_by_state, NULL);
    return status == TN_OK
               ? tn_state_slopes(assembly, m->states->slopes, m->states->rate, m->states->note, &lacking)
               : status;
}

const char *tn_state_parts_lack(const tn_linearised *m, const tn_group *group, uint32_t instance)
{
    const size_t count = group->batch.layout->nx;
    bool noted = false;
    for (size_t k = 0; k < count; k++)
        noted = noted || m->states->note[group->x_start + instance * count + k];
    if (count && !group->type->is_variable && !group->follows)
        return "has states whose rates have no exact derivatives";
    return noted ? TN_RATES_READ_REACTIONS : NULL;
}
