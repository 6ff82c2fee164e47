/* contact_rows.c - three rows for each point of contact, from the Jacobians of its two markers
 *
 * The point of a body at x, whose marker at o has the twist (v, w), moves along a direction d by
 *
 *     d . (v + w x (x - o)) = (d, (x - o) x d) . (v, w). */
#include "extensions/contact_memory.h"

#include "system/block_calls.h"
#include "system/matrix.h"

#include <string.h>

enum { POINTS_OF_BLOCK = 128 };

/* ---- constant data --------------------------------------------------------------------------------------- */

/* Lists the moving ends of a marker where an array is given; returns their number. */
static uint32_t list_ends(const tn_assembly *assembly, uint32_t marker, tn_contact_end *end)
{
    const tn_end *all = tn_scratch(assembly)->end;
    const size_t ends = tn_ends_of(assembly, marker, 0, tn_scratch(assembly)->end);
    uint32_t count = 0;
    for (size_t l = 0; l < ends; l++) {
        if (!all[l].nv) continue;
        if (end) end[count] = (tn_contact_end){all[l].J, (uint32_t)all[l].v_start, (uint32_t)all[l].nv};
        count++;
    }
    return count;
}

/* Makes the lists of markers and ends of all owners. */
void tn_contacts_connect(struct tn_contact_memory *m)
{
    tn_assembly *assembly = m->assembly;
    uint32_t ends = 0;
    m->marker = tn_assembly_new(assembly, m->markers, sizeof *m->marker);
    for (int fill = 0; fill < 2; fill++) {
        if (fill) m->end = tn_assembly_new(assembly, ends, sizeof *m->end);
        ends = 0;
        for (uint32_t o = 0; o < m->owners; o++) {
            const tn_batch *batch = &m->owner[o].group->batch;
            double *reaction = m->owner[o].group->contact + (size_t)m->owner[o].index * batch->wrench_size;
            for (uint32_t k = 0; k < batch->marker_count; k++) {
                const uint32_t number = m->owner[o].index * batch->marker_count + k;
                tn_contact_marker *marker = &m->marker[m->owner[o].marker + k];
                *marker = (tn_contact_marker){.position = batch->pose + batch->marker[number].pose,
                                              .reaction = reaction,
                                              .end = ends,
                                              .is_frame = batch->marker_kind[k] == TN_FRAME};
                marker->ends =
                    list_ends(assembly, m->owner[o].group->marker[number], fill ? m->end + ends : NULL);
                for (uint32_t l = 0; fill && l < marker->ends; l++)
                    marker->columns += m->end[ends + l].nv;
                ends += marker->ends;
                reaction += tn_twist_size(batch->marker_kind[k]);
            }
        }
    }
}

/* ---- the pattern ----------------------------------------------------------------------------------------- */

static const tn_contact_marker *marker_of(const struct tn_contact_memory *m, uint32_t k, uint32_t number)
{
    return &m->marker[m->owner[m->found[k].place].marker + number];
}

static uint32_t list_columns(const tn_contact_end *end, uint32_t *column)
{
    for (uint32_t j = 0; j < end->nv; j++)
        column[j] = end->v_start + j;
    return end->nv;
}

/* Merges the columns of both markers in ascending order, without duplicates; returns their number. */
static uint32_t merge_columns(const struct tn_contact_memory *m, const tn_contact_marker *first,
                              const tn_contact_marker *second, uint32_t *column)
{
    const tn_contact_end *a = m->end + first->end, *b = m->end + second->end;
    if (first->ends + second->ends == 1) return list_columns(first->ends ? a : b, column);
    if (first->ends == 1 && second->ends == 1) {
        const tn_contact_end *low = a->v_start < b->v_start ? a : b, *high = low == a ? b : a;
        if (low->v_start + low->nv <= high->v_start) {
            (void)list_columns(low, column);
            return low->nv + list_columns(high, column + low->nv);
        }
    }
    /* of markers that depend on several bodies, or on the same one */
    uint32_t count = 0;
    for (uint32_t next = 0; next != TN_NONE;) {
        const uint32_t from = next;
        bool listed = false;
        next = TN_NONE;
        for (uint32_t l = 0; l < first->ends + second->ends; l++) {
            const tn_contact_end *end = l < first->ends ? a + l : b + (l - first->ends);
            listed = listed || (end->v_start <= from && from < end->v_start + end->nv);
            const uint32_t candidate = end->v_start > from ? end->v_start : from + 1;
            if (candidate < end->v_start + end->nv && candidate < next) next = candidate;
        }
        if (listed) column[count++] = from;
    }
    return count;
}

/* An upper bound of the number of entries of all rows. */
static size_t most_entries(const struct tn_contact_memory *m)
{
    size_t entries = 0;
    for (uint32_t k = 0; k < m->table.count; k++)
        entries += 3 * ((size_t)marker_of(m, k, m->point[k].first)->columns +
                        marker_of(m, k, m->point[k].second)->columns);
    return entries;
}

static void make_room_for_entries(struct tn_contact_memory *m)
{
    const size_t entries = most_entries(m);
    m->table.column = TN_MAKE_ROOM(m, column, entries);
    m->table.value = TN_MAKE_ROOM(m, value, entries);
}

/* The three rows of a point have the same columns. */
static void make_pattern(struct tn_contact_memory *m)
{
    uint32_t entries = 0, *column = m->column;
    m->row_start[0] = 0;
    for (uint32_t k = 0; k < m->table.count; k++, column = m->column + entries) {
        const tn_contact_marker *first = marker_of(m, k, m->point[k].first);
        const tn_contact_marker *second = marker_of(m, k, m->point[k].second);
        const uint32_t count = merge_columns(m, first, second, column);
        for (uint32_t r = 1; r < 3; r++)
            memcpy(column + r * count, column, count * sizeof *column);
        for (uint32_t r = 1; r <= 3; r++)
            m->row_start[3 * k + r] = entries += count;
    }
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* The rows of a point, along three directions, as functions of the twist of a marker. */
static void find_rows(const double axis[3][3], const double *position, const double *origin, double side,
                      double row[3][6])
{
    const double x = position[0] - origin[0], y = position[1] - origin[1], z = position[2] - origin[2];
    for (int r = 0; r < 3; r++) {
        const double a = side * axis[r][0], b = side * axis[r][1], c = side * axis[r][2];
        row[r][0] = a;
        row[r][1] = b;
        row[r][2] = c;
        row[r][3] = y * c - z * b;
        row[r][4] = z * a - x * c;
        row[r][5] = x * b - y * a;
    }
}

/* The common case of frames on rigid bodies, with separate sums that compilers vectorise. */
static void add_six(const double row[3][6], const double *J, size_t stride, double *value)
{
    for (uint32_t r = 0; r < 3; r++, value += stride) {
        double sum[6] = {0.0};
        for (uint32_t c = 0; c < 6; c++)
            for (uint32_t j = 0; j < 6; j++)
                sum[j] += row[r][c] * J[c * 6 + j];
        for (uint32_t j = 0; j < 6; j++)
            value[j] += sum[j];
    }
}

static void add_rows(const double row[3][6], const double *J, uint32_t nv, size_t stride, double *value)
{
    for (uint32_t r = 0; r < 3; r++, value += stride)
        for (uint32_t c = 0; c < 6; c++)
            for (uint32_t j = 0; j < nv; j++)
                value[j] += row[r][c] * J[c * nv + j];
}

/* Adds to the rows of a point, which have `count` values each. */
static void add_end(const double row[3][6], const tn_contact_end *end, const uint32_t *column, uint32_t count,
                    double *value)
{
    uint32_t at = 0;
    while (column[at] != end->v_start)
        at++;
    value += at;
    if (!end->J)
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t c = 0; c < 6; c++)
                value[r * count + c] += row[r][c];
    else if (end->nv == 6)
        add_six(row, end->J, count, value);
    else
        add_rows(row, end->J, end->nv, count, value);
}

/* Blocks of points on several threads: each point writes its own values. */
static inline void fill_block(void *data, size_t from, size_t to)
{
    const struct tn_contact_memory *m = data;
    for (uint32_t k = (uint32_t)from; k < to; k++) {
        const tn_contact_point *point = &m->point[k];
        const uint32_t start = m->row_start[3 * k], count = m->row_start[3 * k + 1] - start;
        double axis[3][3], row[3][6];
        tn_contact_axes(point->normal, axis);
        memset(m->value + start, 0, 3 * (size_t)count * sizeof *m->value);
        for (int side = 0; side < 2; side++) {
            const tn_contact_marker *marker = marker_of(m, k, side ? point->second : point->first);
            find_rows(axis, point->position, marker->position, side ? -1.0 : 1.0, row);
            for (uint32_t l = 0; l < marker->ends; l++)
                add_end(row, &m->end[marker->end + l], m->column + start, count, m->value + start);
        }
        tn_contact_rates(m, k, m->found[k].rate);
    }
}

tn_status tn_contacts_fill(struct tn_contact_memory *m)
{
    if (most_entries(m) > m->room_of_value && !tn_attempt(tn_memory_now(), make_room_for_entries(m)))
        return TN_OUT_OF_MEMORY;
    make_pattern(m);
    tn_for_blocks(m->assembly, m->table.count, POINTS_OF_BLOCK, fill_block, m);
    return TN_OK;
}
