/* support.c - the coordinates of bodies that markers depend on, and the nodes of the matrix that these make up
 *
 * A body is one node. One that lists the entries of its matrices is as many as it has coordinates: what hangs on a few of them
 * is coupled with these only. */
#include "system/markers.h"
#include "system/matrix.h"

tn_support tn_support_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg)
{
    const tn_station *station = &assembly->station[marker];
    if (station->group == TN_NONE) {
        const tn_derived *derived = &assembly->derived[station->riders];
        const tn_leg *on = &derived->leg[derived->leg_start[station->rider] + leg];
        return (tn_support){assembly->group_of[on->item], assembly->index_of[on->item], on->first,
                            on->columns};
    }
    const tn_group *owner = &assembly->group[station->group];
    const uint32_t nv = owner->batch.layout->nv;
    tn_support support = {station->group, station->body, 0, 0};
    if (nv && station->riders == TN_NONE) {
        support.first = station->place.twist - owner->v_start - station->body * nv;
        support.count = tn_twist_size(assembly->model->marker[marker].kind);
    } else if (nv) {
        support.first = assembly->riders[station->riders].first[station->rider];
        support.count = assembly->riders[station->riders].attachments.columns;
    }
    return support;
}

/* All that lies between is taken to matter, too. */
static void widen_leg(tn_leg *leg, const tn_support *support)
{
    const uint32_t end = leg->first + leg->columns, other = support->first + support->count;
    if (!support->count) return;
    if (!leg->columns || support->first < leg->first) leg->first = support->first;
    leg->columns = (end > other ? end : other) - leg->first;
}

static void find_supports_of_legs(const tn_assembly *assembly, tn_derived *derived)
{
    const uint32_t *leg_of = derived->leg_of;
    for (size_t i = 0; i < derived->batch.count; i++) {
        tn_leg *legs = derived->leg + derived->leg_start[i];
        for (size_t k = 0; k < derived->batch.marker_count; k++) {
            const uint32_t marker = derived->marker[i * derived->batch.marker_count + k];
            for (uint32_t l = 0; l < tn_leg_count(assembly, marker); l++, leg_of++) {
                tn_support support = tn_support_of(assembly, marker, l);
                const tn_group *owner = &assembly->group[support.group];
                if (!owner->own) {
                    support.first = 0;
                    support.count = owner->batch.layout->nv;
                }
                widen_leg(&legs[*leg_of], &support);
            }
        }
    }
}

void tn_supports_find(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++)
        find_supports_of_legs(assembly, &assembly->derived[k]);
}

tn_nodes tn_nodes_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg)
{
    const tn_support support = tn_support_of(assembly, marker, leg);
    const uint32_t first = assembly->fill->body_start[support.group];
    if (!support.count) return (tn_nodes){0, 0};
    const tn_group *owner = &assembly->group[support.group];
    if (!owner->own) return (tn_nodes){first + support.body, 1};
    return (tn_nodes){first + support.body * owner->batch.layout->nv + support.first, support.count};
}

tn_nodes tn_nodes_of_leg(const tn_assembly *assembly, const tn_group *group, size_t i, uint32_t leg)
{
    const struct tn_group_leg *l = &group->leg[leg];
    return tn_nodes_of(assembly, group->marker[i * group->batch.marker_count + l->marker], l->leg);
}
