/* groups.c - sorts the instances of every type into groups of equal sizes: the batches */
#include "system/markers.h"

#include <string.h>

/* More than this of anything, in one instance, is a mistake, and soon no memory. */
enum { MOST_OF_LAYOUT = 1000000, MOST_OWN_ENTRIES = 100000000 };

/* What all instances of a group share. */
typedef struct shape {
    tn_layout layout;
    uint32_t marker_count;
    tn_batch_function force;
    uint32_t *kind, *legs; /* [marker_count], the second behind the first */
    const uint32_t *port_first;
    uint64_t dynamic;
    tn_own_pattern *own; /* NULL: full matrices */
} shape;

static bool same_shape(const shape *a, const shape *b, uint32_t port_count)
{
    return memcmp(&a->layout.nq, &b->layout.nq,
                  offsetof(tn_layout, marker_count) - offsetof(tn_layout, nq)) == 0 &&
           a->layout.held_states == b->layout.held_states && a->layout.scratch == b->layout.scratch &&
           a->layout.own_entries == b->layout.own_entries && tn_own_pattern_equals(a->own, b->own) &&
           a->marker_count == b->marker_count && a->force == b->force &&
           memcmp(a->kind, b->kind, 2 * a->marker_count * sizeof *a->kind) == 0 && a->dynamic == b->dynamic &&
           (!port_count ||
            memcmp(a->port_first, b->port_first, (port_count + 1) * sizeof *a->port_first) == 0);
}

/* What this kernel does not integrate yet would silently be left out: it is refused. */
static bool can_run(tn_model *model, const tn_use *use, const tn_layout *layout, tn_place place)
{
    const tn_loaded_element *type = use->element;
    const bool rows = layout->position_rows || layout->velocity_rows;
    const struct {
        bool is_so;
        const char *what;
    } refused[] = {
        {layout->nx && !type->rates, "states without `rates`"},
        {layout->ns && layout->nv, "algebraic unknowns of a body"},
        {layout->ns && !(type->algebraic && type->algebraic_tangent),
         "algebraic unknowns without `algebraic` and `algebraic_tangent`"},
        {layout->ns && layout->nx && rows, "rows with states and algebraic unknowns"},
        {layout->events && !type->events, "events without their values"},
        {layout->own_entries && !type->own_pattern, "entries of its matrices without `own_pattern`"},
        {type->residual && (type->mass || type->body_force), "a residual beside a mass or a force on itself"},
        {rows && layout->nv, "rows of a body"},
        {rows && !(type->constraint && type->constraint_rows), "rows without `constraint_rows`"},
        {type->row_kinds && (!rows || layout->passive_rows), "kinds of rows without rows that act"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (refused[k].is_so)
            return tn_model_error(model, place, "`%s` declares %s", type->name, refused[k].what);
    return true;
}

/* How many markers an instance has, before groups have taken them over. */
static uint32_t count_markers(const tn_use *use, uint32_t instance)
{
    return use->marker_start ? use->marker_start[instance + 1] - use->marker_start[instance] : 0;
}

/* Arrays of a fixed size hold what an element has: more is refused, by the first kind of which there are too many. */
static bool fits_limits(tn_model *model, const tn_loaded_element *type, uint32_t item, const shape *found)
{
    const tn_layout *layout = &found->layout;
    const uint64_t rows = (uint64_t)layout->position_rows + layout->velocity_rows;
    const uint64_t square = (uint64_t)layout->nv * layout->nv;
    const uint32_t markers = found->force || !type->points ? TN_MOST_MARKERS : MOST_OF_LAYOUT;
    const struct {
        uint64_t number, most;
        const char *what;
    } sizes[] = {{found->marker_count, type->constraint ? TN_CONSTRAINT_MARKERS : markers, "markers"},
                 {layout->nq, MOST_OF_LAYOUT, "configuration coordinates"},
                 {layout->nv, MOST_OF_LAYOUT, "velocity coordinates"},
                 {layout->nx, MOST_OF_LAYOUT, "states"},
                 {layout->ns, MOST_OF_LAYOUT, "algebraic unknowns"},
                 {layout->nd, MOST_OF_LAYOUT, "discrete data"},
                 {layout->events, MOST_OF_LAYOUT, "events"},
                 {layout->scratch, MOST_OF_LAYOUT, "numbers of scratch memory"},
                 {layout->ns, rows ? TN_CONSTRAINT_UNKNOWNS : MOST_OF_LAYOUT, "algebraic unknowns"},
                 {rows, TN_CONSTRAINT_ROWS, "rows"},
                 {layout->own_entries, square < MOST_OWN_ENTRIES ? square : MOST_OWN_ENTRIES,
                  "entries of its matrices"}};
    size_t k = 0;
    while (k < sizeof sizes / sizeof *sizes && sizes[k].number <= sizes[k].most)
        k++;
    if (k == sizeof sizes / sizeof *sizes) return true;
    const tn_plugin_file *file = tn_registry_file_of(model->registry, type);
    return tn_model_error(model, model->item[item].origin->at->place,
                          "`%s` has %llu %s: a %s has at most %u (plugin %s)", tn_item_name(model, item),
                          (unsigned long long)sizes[k].number, sizes[k].what, type->name,
                          (uint32_t)sizes[k].most, file ? file->path : "");
}

/* A constraint that acts by what others make of its multiplier needs one that does. */
static bool is_served(tn_model *model, uint32_t item, const tn_layout *layout)
{
    if (!layout->passive_rows || model->item[item].read) return true;
    return tn_model_error(model, model->item[item].origin->at->place,
                          "no force reads VARVAL(%s): nothing can hold the constraint `%s`",
                          tn_item_name(model, item), tn_item_name(model, item));
}

/* The law of forces of an instance, which points of contact may take the place of. */
static tn_batch_function force_of(const tn_loaded_element *type, const char *name, const void *instance)
{
    if (!type->points) return type->force;
    return type->has_contacts && !tn_call_for(name, type, has_contacts, instance) ? type->force : NULL;
}

/* `memory` [2][markers] becomes the shape's. */
static bool find_shape(const tn_assembly *assembly, const tn_use *use, uint32_t instance, uint32_t *memory,
                       shape *found)
{
    tn_model *model = assembly->model;
    const uint32_t item = use->item[instance], count = count_markers(use, instance);
    const tn_origin *origin = model->item[item].origin;
    const void *self = model->item[item].instance;
    const char *name = tn_item_name(model, item);
    *found = (shape){.force = force_of(use->element, name, self),
                     .marker_count = count,
                     .kind = memory,
                     .legs = memory + count,
                     .port_first = origin->port_first,
                     .dynamic = origin->dynamic};
    if (!fits_limits(model, use->element, item, found)) return false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t marker = use->marker_index[use->marker_start[instance] + k];
        found->kind[k] = model->marker[marker].kind;
        found->legs[k] = tn_leg_count(assembly, marker);
    }
    found->layout = (tn_layout){.struct_size = sizeof(tn_layout),
                                .marker_count = count,
                                .marker_kind = found->kind,
                                .port_first = found->port_first};
    if (use->element->layout && tn_call_setup(model, origin->at, name, use->element, layout, &model->host,
                                              self, &found->layout) != TN_OK)
        return false;
    if (!fits_limits(model, use->element, item, found) ||
        !can_run(model, use, &found->layout, origin->at->place) || !is_served(model, item, &found->layout))
        return false;
    if (!found->layout.own_entries) return true;
    found->own = tn_own_pattern_new(model, item, &found->layout);
    return found->own != NULL;
}

tn_batch tn_new_batch(tn_model *model, const tn_use *use, const tn_layout *sizes)
{
    const uint32_t markers = sizes->marker_count;
    uint32_t *kinds = tn_arena_new(&model->arena, (markers + 1) * sizeof *kinds);
    tn_layout *layout = tn_arena_new(&model->arena, sizeof *layout);
    *layout = *sizes;
    layout->marker_kind = kinds;
    tn_batch batch = {.struct_size = sizeof(tn_batch),
                      .host = &model->host,
                      .gravity = model->gravity,
                      .instance_stride = use->instance_size,
                      .marker_count = markers,
                      .port_first = sizes->port_first,
                      .marker_kind = kinds,
                      .layout = layout};
    for (uint32_t k = 0; k < markers; k++) {
        kinds[k] = sizes->marker_kind[k];
        batch.wrench_size += tn_twist_size(kinds[k]);
    }
    return batch;
}

/* The legs of the markers, one after the other. */
static void list_legs(tn_model *model, const shape *s, tn_group *group)
{
    for (uint32_t k = 0; k < s->marker_count; k++)
        group->leg_count += s->legs[k];
    group->leg = tn_arena_new(&model->arena, (group->leg_count + 1) * sizeof *group->leg);
    for (uint32_t k = 0, next = 0; k < s->marker_count; k++)
        for (uint32_t leg = 0; leg < s->legs[k]; leg++)
            group->leg[next++] = (struct tn_group_leg){k, leg};
}

static void start_group(tn_assembly *assembly, const tn_use *use, const shape *s)
{
    tn_model *model = assembly->model;
    assembly->group = tn_arena_grow(&assembly->memory, assembly->group, &assembly->group_capacity,
                                    assembly->group_count + 1, sizeof *assembly->group);
    tn_group *group = &assembly->group[assembly->group_count++];
    tn_layout sizes = s->layout;
    sizes.marker_kind = s->kind;
    sizes.marker_count = s->marker_count;
    sizes.port_first = s->port_first;
    *group = (tn_group){.type = use->element,
                        .force = s->force,
                        .own = s->own,
                        .rows = s->layout.position_rows + s->layout.velocity_rows};
    list_legs(model, s, group);
    group->batch = tn_new_batch(model, use, &sizes);
    if (sizes.scratch) group->batch.scratch = tn_assembly_new(assembly, sizes.scratch, sizeof(double));
}

/* Sorts the instances of one type into groups; every instance gets its group and its index there. */
static bool group_use(tn_assembly *assembly, tn_use *use)
{
    const size_t first = assembly->group_count;
    shape *shapes = NULL, s;
    size_t count = 0;
    bool good = true;
    uint32_t most = 0, *memory = NULL;
    for (uint32_t i = 0; i < use->count; i++)
        most = count_markers(use, i) > most ? count_markers(use, i) : most;
    for (uint32_t i = 0; i < use->count; i++) {
        if (!memory) memory = tn_assembly_new(assembly, 2 * (size_t)most + 1, sizeof *memory);
        if (!find_shape(assembly, use, i, memory, &s)) {
            good = false; /* the others are checked all the same */
            continue;
        }
        size_t k = 0;
        while (k < count && !same_shape(&shapes[k], &s, use->port_count))
            k++;
        if (k == count) {
            TN_APPEND(shapes, count, s);
            start_group(assembly, use, &s);
            memory = NULL;
        } else {
            tn_free(s.own);
        }
        const uint32_t item = use->item[i];
        assembly->group_of[item] = (uint32_t)(first + k);
        assembly->index_of[item] = assembly->group[first + k].batch.count++;
    }
    tn_free(shapes);
    return good;
}

/* Hands the instances over to their groups: where all form one and stand in one piece, they stay; else they move to pieces of
 * aligned memory. */
static void fill_groups(tn_assembly *assembly, tn_use *use, size_t first)
{
    tn_model *model = assembly->model;
    const bool stay = use->count <= use->room && assembly->group_count == first + 1;
    for (size_t k = first; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        group->item = tn_assembly_new(assembly, group->batch.count, sizeof *group->item);
        group->marker = tn_assembly_new(assembly, (size_t)group->batch.count * group->batch.marker_count,
                                        sizeof *group->marker);
        group->batch.instance =
            stay ? use->block : tn_assembly_new(assembly, group->batch.count, use->instance_size);
    }
    for (uint32_t i = 0; i < use->count; i++) {
        const uint32_t item = use->item[i], index = assembly->index_of[item];
        tn_group *group = &assembly->group[assembly->group_of[item]];
        const uint32_t markers = group->batch.marker_count;
        group->item[index] = item;
        if (!stay) tn_instance_move(model, item, (char *)group->batch.instance + index * use->instance_size);
        if (markers)
            memcpy(group->marker + (size_t)index * markers, use->marker_index + use->marker_start[i],
                   markers * sizeof *group->marker);
        if (model->item[item].origin->pinned) {
            if (!group->pinned) group->pinned = tn_assembly_new(assembly, group->batch.count, 1);
            group->pinned[index] = 1;
        }
        if (model->item[item].active && !model->item[item].switches) continue;
        if (!group->active) {
            group->active = tn_assembly_new(assembly, group->batch.count, 1);
            memset(group->active, 1, group->batch.count);
            group->batch.active = group->active;
        }
        group->active[index] = model->item[item].active;
    }
    tn_arena_free(&use->memory);
    if (!stay) {
        tn_free(use->block);
        use->block = NULL;
    }
    tn_free(use->marker_index);
    tn_free(use->marker_start);
    use->marker_index = use->marker_start = NULL;
}

bool tn_groups_build(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    assembly->group_of = tn_assembly_new(assembly, model->names.count, sizeof(uint32_t));
    assembly->index_of = tn_assembly_new(assembly, model->names.count, sizeof(uint32_t));
    if (!tn_derived_build(assembly)) return false;
    bool good = true;
    for (size_t k = 0; k < model->use_count; k++) {
        const size_t first = assembly->group_count;
        if (!model->use[k].element) continue;
        good = group_use(assembly, &model->use[k]) && good;
        if (good) fill_groups(assembly, &model->use[k], first);
    }
    return good;
}

tn_batch tn_part_of_batch(const tn_group *group, const tn_batch *whole, uint32_t first, uint32_t count)
{
    tn_batch batch = *whole;
    const tn_layout *layout = batch.layout;
    batch.count = count;
    batch.instance = (char *)batch.instance + first * batch.instance_stride;
    if (batch.active) batch.active += first;
    batch.marker += (size_t)first * batch.marker_count;
    batch.wrench += (size_t)first * batch.wrench_size;
    batch.q += (size_t)first * layout->nq;
    batch.v += (size_t)first * layout->nv;
    batch.a += (size_t)first * layout->nv;
    batch.d += (size_t)first * layout->nd;
    batch.force += (size_t)first * layout->nv;
    if (group->rows) batch.lambda += (size_t)first * group->rows;
    if (batch.variable) batch.variable += first;
    batch.x += (size_t)first * layout->nx;
    batch.x_rate += (size_t)first * layout->nx;
    if (layout->ns) batch.s += (size_t)first * layout->ns;
    if (batch.rate) batch.rate += (size_t)first * layout->nq;
    if (batch.increment) batch.increment += (size_t)first * layout->nv;
    if (batch.configuration) batch.configuration += (size_t)first * layout->nq;
    if (batch.target) batch.target += (size_t)first * layout->nq;
    for (int k = 0; k < 2; k++) {
        if (batch.vector[k]) batch.vector[k] += (size_t)first * layout->nv;
        if (batch.transported[k]) batch.transported[k] += (size_t)first * layout->nv;
    }
    if (!group->rows) return batch;
    if (batch.residual) batch.residual += (size_t)first * group->rows;
    if (batch.tangent) batch.tangent += (size_t)first * group->rows * batch.wrench_size;
    return batch;
}

tn_batch tn_sub_batch(const tn_group *group, uint32_t first, uint32_t count)
{
    return tn_part_of_batch(group, &group->batch, first, count);
}
