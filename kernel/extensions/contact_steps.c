/* contact_steps.c - points of contact at the end of a step: keeps impulses for the next step, mean reactions for results and the work for the
 * energy balance, and calls `settled` of elements */
#include "extensions/contact_memory.h"

#include "system/energy_source.h"
#include "system/failure.h"

#include <math.h>
#include <string.h>

static void keep_points(struct tn_contact_memory *m, const double *impulse)
{
    m->kept_count = m->table.count;
    for (uint32_t k = 0; k < m->kept_count; k++)
        m->kept[k] = (tn_contact_key){.place = m->found[k].place,
                                      .first = m->point[k].first,
                                      .second = m->point[k].second,
                                      .feature = m->point[k].feature};
    memmove(m->impulse, impulse, 3 * (size_t)m->kept_count * sizeof *impulse);
}

/* ---- reactions ------------------------------------------------------------------------------------------- */

/* Adds a force at the point to the reaction on a marker. */
static void add_force(const tn_contact_marker *marker, const double *position, const double *force,
                      double side)
{
    const double x = position[0] - marker->position[0], y = position[1] - marker->position[1],
                 z = position[2] - marker->position[2];
    const double of_point[6] = {force[0],
                                force[1],
                                force[2],
                                y * force[2] - z * force[1],
                                z * force[0] - x * force[2],
                                x * force[1] - y * force[0]};
    for (int c = 0; c < 6; c++)
        marker->reaction[c] += side * of_point[c];
}

/* Mean reactions of the impulses over the step. */
static void find_reactions(struct tn_contact_memory *m, const double *impulse, double length)
{
    for (uint32_t o = 0; o < m->owners; o++) {
        const tn_group *group = m->owner[o].group;
        const size_t W = group->batch.wrench_size;
        memset(group->contact + m->owner[o].index * W, 0, W * sizeof *group->contact);
    }
    for (uint32_t k = 0; k < m->table.count; k++, impulse += 3) {
        const tn_contact_point *point = &m->point[k];
        const tn_contact_marker *marker = m->marker + m->owner[m->found[k].place].marker;
        double axis[3][3], force[3];
        tn_contact_axes(point->normal, axis);
        for (int c = 0; c < 3; c++)
            force[c] = (axis[0][c] * impulse[0] + axis[1][c] * impulse[1] + axis[2][c] * impulse[2]) / length;
        add_force(&marker[point->first], point->position, force, 1.0);
        add_force(&marker[point->second], point->position, force, -1.0);
    }
}

/* ---- rates and work -------------------------------------------------------------------------------------- */

/* The work of the impulses on points first ... last - 1; writes the tangential velocities after the step into `slip`. The work of an impulse
 * is its product with the mean of the velocities before and after it. */
static double find_work(const struct tn_contact_memory *m, uint32_t first, uint32_t last,
                        const double *impulse, const double *mean_rate)
{
    double work = 0.0, rate[3];
    for (uint32_t k = first; k < last; k++) {
        tn_contact_rates(m, k, rate);
        const bool known = mean_rate && !isnan(mean_rate[k]);
        for (uint32_t r = 0; r < 3; r++) {
            const double mean = r == 0 && known ? mean_rate[k] : 0.5 * (m->found[k].rate[r] + rate[r]);
            work += impulse[3 * k + r] * mean;
        }
        memcpy(m->slip + 2 * (size_t)k, rate + 1, 2 * sizeof *rate);
    }
    return work;
}

/* ---- the end of a step ----------------------------------------------------------------------------------- */

static tn_status tell_owner(struct tn_contact_memory *m, uint32_t o, tn_batch *batch, const double *impulse,
                            double length)
{
    const tn_contact_owner *owner = &m->owner[o];
    tn_group *group = owner->group;
    const uint32_t first = m->start[o], count = m->start[o + 1] - first;
    group->failure = (tn_failure){.instance = owner->index};
    const tn_status status = tn_call(group->type, settled, batch, owner->index, count, m->point + first,
                                     impulse + 3 * (size_t)first, m->slip + 2 * (size_t)first, length);
    return status == TN_OK ? TN_OK : tn_refused(m->assembly, group, status);
}

tn_status tn_contacts_settle(tn_system *system, const double *impulse, const double *mean_rate, double length)
{
    tn_assembly *assembly = (tn_assembly *)system;
    struct tn_contact_memory *m = tn_contacts_now(assembly);
    const tn_energy_source *energies = assembly->services->energies;
    tn_status status = TN_OK;
    if (!m->table.count) impulse = m->impulse; /* without points a solver may have no array */
    if (!m->table.count) mean_rate = NULL;
    keep_points(m, impulse);
    if (length > 0.0) find_reactions(m, impulse, length);
    for (uint32_t o = 0; o < m->owners && status == TN_OK; o++) {
        const tn_contact_owner *owner = &m->owner[o];
        if (owner->group->active && !owner->group->active[owner->index]) continue;
        const double work = find_work(m, m->start[o], m->start[o + 1], impulse, mean_rate);
        if (energies && work != 0.0) energies->contacts(assembly, owner->item, work);
        if (!owner->group->type->settled) continue;
        tn_batch batch = owner->group->batch;
        batch.time = system->time;
        status = tell_owner(m, o, &batch, impulse, length);
    }
    return status;
}

/* ---- state ----------------------------------------------------------------------------------------------- */

void tn_contacts_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    struct tn_contact_memory *m = tn_contacts_open(assembly);
    if (!m) return;
    TN_VISIT(visitor, m->kept_count);
    if (visitor->restores) {
        tn_contacts_make_room(m, m->kept_count);
        m->table.count = 0;
        memset(m->start, 0, (m->owners + 1u) * sizeof *m->start);
    }
    visitor->bytes(visitor, m->kept, m->kept_count * sizeof *m->kept);
    tn_visit_numbers(visitor, m->impulse, 3 * (size_t)m->kept_count);
    for (uint32_t o = 0; o < m->owners; o++) {
        const size_t W = m->owner[o].group->batch.wrench_size;
        tn_visit_numbers(visitor, m->owner[o].group->contact + m->owner[o].index * W, W);
    }
}
