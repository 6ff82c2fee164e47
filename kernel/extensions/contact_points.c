/* contact_points.c - the owners of points of contact, their points, and the points of the step before (see contacts.h) */
#include "extensions/contact_memory.h"

#include "extensions/operators.h"
#include "system/explanation.h"
#include "system/failure.h"

#include <math.h>
#include <string.h>

enum { FEWEST_POINTS = 64 };

/* ---- owners ---------------------------------------------------------------------------------------------- */

static bool has_contacts(const tn_assembly *assembly, const tn_group *group, uint32_t i)
{
    const tn_loaded_element *type = group->type;
    if (!type->points) return false;
    return !type->has_contacts || tn_call_for(tn_item_name(assembly->model, group->item[i]), type,
                                              has_contacts, tn_instance(&group->batch, i));
}

/* Lists all owners where an array is given; returns their number. */
static uint32_t list_owners(tn_assembly *assembly, tn_contact_owner *owner, uint32_t *markers)
{
    uint32_t count = 0;
    *markers = 0;
    for (size_t k = 0; k < assembly->group_count; k++)
        for (uint32_t i = 0; i < assembly->group[k].batch.count; i++) {
            tn_group *group = &assembly->group[k];
            if (!has_contacts(assembly, group, i)) continue;
            if (owner) owner[count] = (tn_contact_owner){group, i, group->item[i], *markers};
            *markers += group->batch.marker_count;
            count++;
        }
    return count;
}

/* Owners of one group are consecutive. */
static void make_reactions(struct tn_contact_memory *m)
{
    for (uint32_t k = 0; k < m->owners; k++) {
        tn_group *group = m->owner[k].group;
        const size_t size = (size_t)group->batch.count * group->batch.wrench_size;
        if (!group->contact) group->contact = tn_assembly_new(m->assembly, size, sizeof(double));
    }
}

struct tn_contact_memory *tn_contacts_open(tn_assembly *assembly)
{
    uint32_t markers = 0;
    if (tn_contacts_now(assembly)) return tn_contacts_now(assembly);
    const uint32_t owners = list_owners(assembly, NULL, &markers);
    if (!owners) return NULL;
    struct tn_contact_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    m->assembly = assembly;
    m->owner = tn_assembly_new(assembly, owners, sizeof *m->owner);
    m->owners = list_owners(assembly, m->owner, &m->markers);
    m->start = tn_assembly_new(assembly, owners + 1u, sizeof *m->start);
    make_reactions(m);
    assembly->extension[TN_CONTACT_EXTENSION] = m;
    return m;
}

uint32_t tn_contact_item(tn_assembly *assembly)
{
    const struct tn_contact_memory *m = tn_contacts_open(assembly);
    return m ? m->owner[0].item : TN_NONE;
}

/* ---- the list -------------------------------------------------------------------------------------------- */

void tn_contacts_make_room(struct tn_contact_memory *m, size_t points)
{
    if (points <= m->most) return;
    const size_t needed = points > 2 * m->most ? points : 2 * m->most;
    const size_t most = needed > FEWEST_POINTS ? needed : FEWEST_POINTS;
    m->table.point = TN_MAKE_ROOM(m, point, most);
    m->table.owner = TN_MAKE_ROOM(m, item, most);
    (void)TN_MAKE_ROOM(m, found, most);
    (void)TN_MAKE_ROOM(m, slip, 2 * most);
    m->table.row_start = TN_MAKE_ROOM(m, row_start, 3 * most + 1);
    (void)TN_MAKE_ROOM(m, kept, most);
    m->table.last_impulse = TN_MAKE_ROOM(m, impulse, 3 * most);
    m->most = most;
}

/* Compares by first marker, second marker and feature: negative where a comes before b. */
static int compare_points(const tn_contact_point *a, const tn_contact_point *b)
{
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

/* The fault of a point of the present owner, or NULL; `last` is the point before it, or NULL. */
static const char *find_mistake(const struct tn_contact_memory *m, const tn_contact_point *point,
                                const tn_contact_point *last)
{
    const tn_contact_owner *owner = &m->owner[m->now];
    const uint32_t markers = owner->group->batch.marker_count;
    const double *n = point->normal, *p = point->position;
    const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (point->first >= markers || point->second >= markers)
        return "gives a point of a marker that is not there";
    if (!m->marker[owner->marker + point->first].is_frame ||
        !m->marker[owner->marker + point->second].is_frame)
        return "gives a point of a marker that is no frame";
    if (last && compare_points(last, point) == 0) return "gives two points with the same markers and feature";
    if (last && compare_points(last, point) > 0)
        return "gives points that are not ordered by first marker, second marker and feature";
    if (!isfinite(p[0] + p[1] + p[2] + point->gap)) return "gives a point without a finite position and gap";
    if (!(fabs(square - 1.0) < 1e-9)) return "gives a point whose normal has not the length 1";
    if (!(point->friction >= 0.0 && isfinite(point->friction)))
        return "gives a point whose friction is not a number of at least 0";
    if (!(point->restitution >= 0.0 && point->restitution <= 1.0))
        return "gives a point whose restitution is not between 0 and 1";
    return point->threshold >= 0.0 ? NULL : "gives a point whose threshold is not at least 0";
}

static void add_point(tn_contact_list *list, const tn_contact_point *point)
{
    struct tn_contact_memory *m =
        (struct tn_contact_memory *)(void *)((char *)list - offsetof(struct tn_contact_memory, list));
    const uint32_t k = m->table.count;
    if (m->status != TN_OK) return;
    m->wrong = find_mistake(m, point, k > m->start[m->now] ? &m->point[k - 1] : NULL);
    if (m->wrong)
        m->status = TN_FATAL;
    else if (k == m->most && !tn_attempt(tn_memory_now(), tn_contacts_make_room(m, k + 1u)))
        m->status = TN_OUT_OF_MEMORY;
    if (m->status != TN_OK) return;
    m->point[k] = *point;
    m->item[k] = m->owner[m->now].item;
    m->found[k].place = m->now;
    m->table.count = k + 1;
}

/* Lists the points of the present owner. */
static tn_status list_points(struct tn_contact_memory *m, tn_batch *batch, double margin)
{
    const tn_contact_owner *owner = &m->owner[m->now];
    tn_group *group = owner->group;
    tn_model *model = m->assembly->model;
    group->failure = (tn_failure){.instance = owner->index};
    const tn_status status = tn_call(group->type, points, batch, owner->index, margin, &m->list);
    const tn_place place = model->item[owner->item].origin->at->place;
    if (m->wrong)
        return tn_blame(m->assembly, group->type, "points", "%s, for `%s` (%s:%u:%u)", m->wrong,
                        tn_item_name(model, owner->item), place.file, place.line, place.column);
    if (m->status != TN_OK) return m->status;
    return status == TN_OK ? TN_OK : tn_refused(m->assembly, group, status);
}

static tn_status list_all_points(struct tn_contact_memory *m, double margin)
{
    const tn_group *group = NULL;
    tn_batch batch = {0};
    m->status = TN_OK;
    m->wrong = NULL;
    m->table.count = 0;
    for (m->now = 0; m->now < m->owners; m->now++) {
        const tn_contact_owner *owner = &m->owner[m->now];
        m->start[m->now] = m->table.count;
        if (owner->group->active && !owner->group->active[owner->index]) continue;
        if (owner->group != group) {
            group = owner->group;
            batch = group->batch;
            batch.time = m->assembly->system.time;
        }
        const tn_status status = list_points(m, &batch, margin);
        if (status != TN_OK) return status;
    }
    m->start[m->owners] = m->table.count;
    return TN_OK;
}

double tn_contacts_depth(const tn_assembly *assembly)
{
    const struct tn_contact_memory *m = tn_contacts_now(assembly);
    double depth = 0.0;
    for (uint32_t k = 0; m && k < m->table.count; k++)
        depth = fmax(depth, -m->point[k].gap);
    return depth;
}

/* ---- points of the step before --------------------------------------------------------------------------- */

/* As compare_points(), by owners first. */
static int compare_with_kept(const struct tn_contact_memory *m, uint32_t k, const tn_contact_key *key)
{
    if (m->found[k].place != key->place) return m->found[k].place < key->place ? -1 : 1;
    const tn_contact_point other = {.first = key->first, .second = key->second, .feature = key->feature};
    return compare_points(&m->point[k], &other);
}

/* Both lists are in the same order. */
static void find_again(struct tn_contact_memory *m)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < m->table.count; k++) {
        int order = -1;
        while (at < m->kept_count && (order = compare_with_kept(m, k, &m->kept[at])) > 0)
            at++;
        const bool is_there = at < m->kept_count && order == 0;
        m->found[k].before = is_there ? at : TN_NO_POINT;
    }
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static tn_status find(tn_system *system, double margin)
{
    struct tn_contact_memory *m = tn_contacts_now((tn_assembly *)system);
    tn_status status = list_all_points(m, margin);
    if (status == TN_OK) status = tn_contacts_fill(m);
    if (status == TN_OK)
        find_again(m);
    else
        m->table.count = 0;
    return status;
}

static uint32_t before(tn_system *system, uint32_t k)
{
    return tn_contacts_now((tn_assembly *)system)->found[k].before;
}

static void make_table(struct tn_contact_memory *m)
{
    tn_contacts_connect(m);
    tn_contacts_make_room(m, 1);
    m->list = (tn_contact_list){.struct_size = sizeof m->list, .add = add_point};
    m->table.find = find;
    m->table.before = before;
    m->table.settle = tn_contacts_settle;
    m->table.struct_size = sizeof m->table;
}

const tn_contact_rows *tn_contact_rows_of(tn_assembly *assembly)
{
    struct tn_contact_memory *volatile m = NULL;
    if (!tn_attempt(tn_memory_now(), m = tn_contacts_open(assembly)) || !m) return NULL;
    if (m->table.struct_size) return &m->table;
    if (!tn_operators_of(assembly)) return NULL;
    return tn_attempt(tn_memory_now(), make_table(m)) ? &m->table : NULL;
}

bool tn_contacts_are_heard(const tn_assembly *assembly)
{
    return !tn_contacts_now(assembly) || tn_contacts_now(assembly)->table.struct_size;
}
