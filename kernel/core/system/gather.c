/* gather.c - sums the wrenches of connectors at every marker, in the order of the batches */
#include "system/block_calls.h"
#include "system/markers.h"

/* True when wrenches on this marker move something. */
static bool can_move(const tn_assembly *assembly, uint32_t marker)
{
    const uint32_t group = assembly->station[marker].group;
    return group == TN_NONE || assembly->group[group].batch.layout->nv > 0;
}

/* Calls `visit` for every slot of the connectors: the marker and the place of its slot in `wrench`. */
static void for_slots(const tn_assembly *assembly, void (*visit)(void *data, uint32_t marker, uint32_t slot),
                      void *data)
{
    uint32_t slot = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t markers = group->batch.marker_count;
        for (size_t i = 0; i < (size_t)group->batch.count * markers; i++) {
            visit(data, group->marker[i], slot);
            slot += tn_twist_size(group->batch.marker_kind[i % markers]);
        }
    }
}

typedef struct list {
    const tn_assembly *assembly;
    tn_gather *gather;
    bool alias;
    uint32_t *number; /* [markers] row of a marker in the list, or TN_NONE */
    uint32_t *fill;
} list;

static bool is_listed(const list *l, uint32_t marker)
{
    const tn_station *station = &l->assembly->station[marker];
    return (station->riders == TN_NONE) == l->alias && can_move(l->assembly, marker) &&
           tn_twist_size(l->assembly->model->marker[marker].kind) == l->gather->width;
}

static void count_slot(void *data, uint32_t marker, TN_UNUSED uint32_t slot)
{
    const list *l = data;
    if (is_listed(l, marker)) l->fill[marker]++;
}

static void enter_slot(void *data, uint32_t marker, uint32_t slot)
{
    const list *l = data;
    if (is_listed(l, marker)) l->gather->slot[l->fill[marker]++] = slot;
}

/* One list: markers of one width, aliases (into the generalized force) or others (into marker_wrench). */
static void build_list(tn_assembly *assembly, uint32_t width, bool alias)
{
    const size_t markers = assembly->model->marker_count;
    tn_gather gather = {
        .width = width, .to = alias ? assembly->force : assembly->marker_wrench, .from = assembly->wrench};
    list l = {assembly, &gather, alias, NULL, tn_new(markers, sizeof(uint32_t))};
    for_slots(assembly, count_slot, &l);
    size_t slots = 0;
    for (uint32_t k = 0; k < markers; k++) {
        slots += l.fill[k];
        gather.count += l.fill[k] > 0;
    }
    gather.target = tn_assembly_new(assembly, gather.count, sizeof *gather.target);
    gather.start = tn_assembly_new(assembly, gather.count + 1, sizeof *gather.start);
    gather.slot = tn_assembly_new(assembly, slots, sizeof *gather.slot);
    uint32_t row = 0, start = 0;
    for (uint32_t k = 0; k < markers; k++) {
        if (!l.fill[k]) continue;
        const tn_station *station = &assembly->station[k];
        const uint32_t count = l.fill[k];
        gather.target[row] = alias ? station->place.twist : station->wrench;
        gather.start[row++] = start;
        l.fill[k] = start;
        start += count;
    }
    gather.start[row] = start;
    for_slots(assembly, enter_slot, &l);
    tn_free(l.fill);
    assembly->gather = tn_arena_grow(&assembly->memory, assembly->gather, &assembly->gather_capacity,
                                     assembly->gather_count + 1, sizeof *assembly->gather);
    assembly->gather[assembly->gather_count++] = gather;
    if (!alias && gather.count) assembly->gathers_wrenches = true;
}

/* Notes that something acts on a marker, if it is made of others. */
static void mark_loaded(void *data, uint32_t marker, TN_UNUSED uint32_t slot)
{
    const tn_assembly *assembly = data;
    const tn_station *station = &assembly->station[marker];
    if (station->group == TN_NONE) assembly->derived[station->riders].loaded = true;
}

/* Downwards: what acts on a marker acts on those that it is made of. */
static void find_loaded(tn_assembly *assembly)
{
    for_slots(assembly, mark_loaded, assembly);
    for (size_t k = assembly->derived_count; k-- > 0;) {
        const tn_derived *derived = &assembly->derived[k];
        const size_t uses = (size_t)derived->batch.count * derived->batch.marker_count;
        for (size_t i = 0; derived->loaded && i < uses; i++)
            mark_loaded(assembly, derived->marker[i], 0);
    }
}

/* Both lists of a width, unless they are there already. */
static void build_width(tn_assembly *assembly, uint32_t width)
{
    for (size_t k = 0; k < assembly->gather_count; k++)
        if (assembly->gather[k].width == width) return;
    build_list(assembly, width, true);
    build_list(assembly, width, false);
}

void tn_gather_build(tn_assembly *assembly)
{
    assembly->gathers_wrenches = assembly->derived_count > 0;
    find_loaded(assembly);
    build_width(assembly, 3);
    build_width(assembly, 6);
    build_width(assembly, 1);
    for (uint32_t k = 0; k < assembly->model->marker_count; k++)
        build_width(assembly, tn_twist_size(assembly->model->marker[k].kind));
    size_t used = 0; /* lists of nothing are left out of every step */
    for (size_t k = 0; k < assembly->gather_count; k++)
        if (assembly->gather[k].count) assembly->gather[used++] = assembly->gather[k];
    assembly->gather_count = used;
}

/* Rows `first` ... `last` - 1 of a list. The width is a constant of each copy of this loop. */
static inline __attribute__((always_inline)) void sum_slots(const tn_gather *gather, const double *wrench,
                                                            uint32_t width, size_t first, size_t last)
{
    const uint32_t *slot = gather->slot + gather->start[first];
    for (size_t i = first; i < last; i++) {
        double *to = gather->to + gather->target[i], total[6];
        for (uint32_t k = 0; k < width; k++)
            total[k] = 0.0 + wrench[*slot + k]; /* never -0 */
        for (const uint32_t *end = gather->slot + gather->start[i + 1]; ++slot < end;)
            for (uint32_t k = 0; k < width; k++)
                total[k] += wrench[*slot + k];
        for (uint32_t k = 0; k < width; k++)
            to[k] += total[k];
    }
}

/* Of nodes, whatever their size is. */
static void sum_nodes(const tn_gather *gather, const double *wrench, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        for (uint32_t k = 0; k < gather->width; k++) {
            double total = 0.0;
            for (uint32_t s = gather->start[i]; s < gather->start[i + 1]; s++)
                total += wrench[gather->slot[s] + k];
            gather->to[gather->target[i] + k] += total;
        }
}

/* Rows have targets of their own. */
static inline void sum_block(void *data, size_t first, size_t last)
{
    const tn_gather *gather = data;
    if (gather->width == 3)
        sum_slots(gather, gather->from, 3, first, last);
    else if (gather->width == 6)
        sum_slots(gather, gather->from, 6, first, last);
    else if (gather->width == 1)
        sum_slots(gather, gather->from, 1, first, last);
    else
        sum_nodes(gather, gather->from, first, last);
}

static void pull_back_block(void *data, size_t first, size_t last)
{
    const tn_riders *riders = data;
    tn_attachments part = tn_part_of_attachments(&riders->attachments, first, last - first);
    (void)tn_call(riders->type, pull_back, &part);
}

void tn_gather_run(const tn_assembly *assembly)
{
    if (assembly->gathers_wrenches)
        tn_clear_numbers(assembly, assembly->marker_wrench, assembly->marker_wrench_size);
    for (tn_gather *gather = assembly->gather, *end = gather + assembly->gather_count; gather < end; gather++)
        tn_for_blocks(assembly, gather->count, TN_BLOCK, sum_block, gather);
    if (assembly->derived_count) tn_derived_pass_on(assembly);
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        if (!riders->attachments.nv || !riders->type->pull_back) continue;
        if (riders->colours)
            tn_for_colours(assembly, riders->colours, riders->attachments.count, pull_back_block, riders);
        else
            (void)tn_call(riders->type, pull_back, &riders->attachments);
    }
}
