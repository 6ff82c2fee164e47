/* constraints.c - rows of constraints at the state of the last evaluation: residuals, rates, bias, and reactions
 *
 * A constraint works in marker space. With G_m its rows against the twists of its markers, t those twists and a the
 * markers' accelerations where v does not change,
 *
 *     reactions G_m^T lambda on the markers,     G v = G_m t,     bias of a position row = G_m a + its own at fixed t. */
#include "system/constraints.h"

#include "system/block_calls.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

/* All of a group at the current time; a number for each of its rows goes into those for all rows. It is filled in place: a copy that
 * is returned costs a small model 5 % of its time. */
static void fill_batch_of_rows(const tn_assembly *assembly, const tn_group *group, double *rows,
                               tn_batch *batch)
{
    *batch = group->batch;
    batch->time = assembly->system.time;
    batch->residual = rows ? rows + group->row_start : NULL;
}

tn_status tn_constraints_find_rows(tn_assembly *assembly, tn_group *group, bool closing)
{
    if (group->rows_known) return TN_OK;
    group->row_stride = (size_t)group->rows * group->batch.wrench_size;
    tn_batch batch;
    fill_batch_of_rows(assembly, group, NULL, &batch);
    batch.tangent = group->row;
    batch.closing = closing;
    const tn_status status =
        tn_call_in_blocks(assembly, group, &batch, group->type->constraint_rows, "constraint_rows");
    group->rows_known = status == TN_OK && (group->type->flags & TN_CONSTANT_ROWS);
    return status;
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* Four columns at a time: two frames have twelve. Their number and that of rows are constants of each copy. */
static inline __attribute__((always_inline)) void add_reactions(const tn_group *group, size_t W, size_t rows,
                                                                size_t first, size_t last)
{
    const double *row = tn_rows_of(group, first), *lambda = group->batch.lambda + first * rows;
    double *wrench = group->batch.wrench + first * W;
    for (size_t i = first; i < last; i++, wrench += W, row += group->row_stride, lambda += rows) {
        for (size_t c = 0; c < W - W % 4; c += 4) {
            four sum = group->force ? *(const four *)(wrench + c) : (four){0.0};
            for (size_t r = 0; r < rows; r++)
                sum += *(const four *)(row + r * W + c) * lambda[r];
            *(four *)(wrench + c) = sum;
        }
        for (size_t c = W - W % 4; c < W; c++) {
            if (!group->force) wrench[c] = 0.0;
            for (size_t r = 0; r < rows; r++)
                wrench[c] += row[r * W + c] * lambda[r];
        }
    }
}

static void react_in_block(void *data, size_t first, size_t last)
{
    const tn_group *group = data;
    const size_t W = group->batch.wrench_size, rows = group->rows;
    if (W == 12 && rows == 3) return add_reactions(group, 12, 3, first, last);
    if (W == 12 && rows == 5) return add_reactions(group, 12, 5, first, last);
    add_reactions(group, W, rows, first, last);
}

tn_status tn_constraints_react(tn_assembly *assembly, tn_group *group, bool closing)
{
    const tn_status status = tn_constraints_find_rows(assembly, group, closing);
    if (status != TN_OK || group->batch.layout->passive_rows) return status;
    if (!assembly->constraints->reactions_left_out)
        tn_for_blocks(assembly, group->batch.count, TN_BLOCK, react_in_block, group);
    else if (!group->force)
        memset(group->batch.wrench, 0, group->batch.wrench_size * group->batch.count * sizeof(double));
    return TN_OK;
}

void tn_contacts_react(const tn_assembly *assembly, const tn_group *group)
{
    struct tn_constraint_memory *m = assembly->constraints;
    const size_t W = group->batch.wrench_size;
    m->contacts_act = !m->reactions_left_out;
    for (size_t e = 0; e < W * group->batch.count; e++) {
        const bool acts = m->contacts_act && (!group->active || group->active[e / W]);
        group->batch.wrench[e] =
            (group->force || group->rows ? group->batch.wrench[e] : 0.0) + (acts ? group->contact[e] : 0.0);
    }
}

/* Every row times what its markers have in `motion`, added to `product`. */
typedef struct row_products {
    const tn_group *group;
    const double *motion;
    double *product;
} row_products;

/* Of two frames the sizes are constants. */
static inline __attribute__((always_inline)) void add_some_products(const row_products *p, bool frames,
                                                                    size_t first, size_t last)
{
    const tn_group *group = p->group;
    const tn_batch *batch = &group->batch;
    const size_t markers = frames ? 2 : batch->marker_count;
    double *product = p->product + first * group->rows;
    for (size_t i = first; i < last; i++) {
        const double *row = tn_rows_of(group, i);
        for (size_t r = 0; r < group->rows; r++) {
            const tn_marker_place *place = batch->marker + i * markers;
            double sum = 0.0;
            for (size_t k = 0; k < markers; k++) {
                const double *twist = p->motion + place[k].twist;
                for (uint32_t c = 0; c < (frames ? 6 : tn_twist_size(batch->marker_kind[k])); c++)
                    sum += *row++ * twist[c];
            }
            *product++ += sum;
        }
    }
}

static inline void add_block_of_products(void *data, size_t first, size_t last)
{
    const row_products *p = data;
    const tn_batch *batch = &p->group->batch;
    const bool frames =
        batch->marker_count == 2 && batch->wrench_size == 12 && batch->marker_kind[0] == TN_FRAME;
    frames ? add_some_products(p, true, first, last) : add_some_products(p, false, first, last);
}

static void add_products(const tn_assembly *assembly, const tn_group *group, const double *motion,
                         double *product)
{
    row_products p = {group, motion, product};
    tn_for_blocks(assembly, group->batch.count, TN_BLOCK, add_block_of_products, &p);
}

/* ---- residuals and rates --------------------------------------------------------------------------------- */

/* A row that is not finite names its constraint. */
static tn_status check_rows(tn_assembly *assembly, const double *rows, const char *what)
{
    const tn_row_found largest = tn_largest_row(assembly, rows);
    return isfinite(largest.size)
               ? TN_OK
               : tn_not_finite(assembly, largest.group, largest.instance, what, largest.size);
}

/* Whether the rows of a group are asked for; those that are left out become 0. */
static bool are_wanted(const tn_group *group, double *rows, tn_rows_wanted wanted)
{
    if (!group->rows) return false;
    if (!group->unilateral || wanted.unilateral) return true;
    memset(rows + group->row_start, 0, (size_t)group->rows * group->batch.count * sizeof *rows);
    return false;
}

tn_status tn_constraint_residuals(tn_assembly *assembly, double *residual, tn_rows_wanted wanted)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!are_wanted(group, residual, wanted)) continue;
        tn_batch batch;
        fill_batch_of_rows(assembly, group, residual, &batch);
        batch.closing = wanted.closing;
        const tn_status status =
            tn_call_in_blocks(assembly, group, &batch, group->type->constraint, "constraint");
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    return check_rows(assembly, residual, "residual");
}

tn_status tn_system_constraint(tn_system *system, double *residual)
{
    return tn_constraint_residuals((tn_assembly *)system, residual, (tn_rows_wanted){0});
}

tn_status tn_constraint_rates(tn_assembly *assembly, double *rate, tn_rows_wanted wanted)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!are_wanted(group, rate, wanted)) continue;
        tn_batch batch;
        fill_batch_of_rows(assembly, group, rate, &batch);
        memset(batch.residual, 0, (size_t)group->rows * batch.count * sizeof *rate);
        tn_status status = TN_OK;
        if (group->type->constraint_rate)
            status = tn_call(group->type, constraint_rate, &batch);
        else
            add_products(assembly, group, assembly->motion, batch.residual);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    return check_rows(assembly, rate, "rate");
}

tn_status tn_system_constraint_rate(tn_system *system, double *rate)
{
    return tn_constraint_rates((tn_assembly *)system, rate, (tn_rows_wanted){0});
}

tn_row_found tn_largest_row(const tn_assembly *assembly, const double *rows)
{
    tn_row_found largest = {0.0, NULL, 0, 0};
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *owner = &assembly->group[k];
        for (uint32_t r = 0; r < owner->rows * owner->batch.count; r++) {
            const double value = rows[owner->row_start + r], size = fabs(value);
            if (size <= largest.size && largest.group) continue;
            largest = (tn_row_found){isfinite(size) ? size : value, owner, r / owner->rows, r % owner->rows};
            if (!isfinite(size)) return largest;
        }
    }
    return largest;
}

/* ---- directions and accelerations ------------------------------------------------------------------------ */

/* Twists of derived markers from those of the markers that they are made of, from level to level. */
static void derive_twists(const tn_derived *derived, double *motion)
{
    const tn_batch *batch = &derived->batch;
    const size_t width = tn_twist_size(derived->kind), W = batch->wrench_size;
    for (size_t i = 0; i < batch->count; i++)
        for (size_t r = 0; r < width; r++) {
            const double *column = batch->tangent + ((i * width + r) * 2 + 1) * W;
            double sum = 0.0;
            for (size_t k = 0; k < batch->marker_count; k++) {
                const double *twist = motion + batch->marker[i * batch->marker_count + k].twist;
                for (uint32_t c = 0; c < tn_twist_size(batch->marker_kind[k]); c++)
                    sum += *column++ * twist[c];
            }
            const size_t place = (size_t)(derived->twist - batch->twist);
            motion[place + i * width + r] = sum;
        }
}

void tn_system_constraint_product(tn_system *system, const double *direction, double *product)
{
    tn_assembly *assembly = (tn_assembly *)system;
    double *motion = assembly->constraints->marker_motion;
    memcpy(motion, direction, system->nv * sizeof *motion);
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_riders *riders = &assembly->riders[k];
        tn_attachments attachments = riders->attachments;
        attachments.v = motion + assembly->group[riders->group].v_start;
        attachments.twist = motion + (riders->attachments.twist - assembly->motion);
        (void)tn_call(riders->type, twist, &attachments);
    }
    for (size_t k = 0; k < assembly->derived_count; k++)
        derive_twists(&assembly->derived[k], motion);
    memset(product, 0, system->rows * sizeof *product);
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].rows && !assembly->group[k].unilateral)
            add_products(assembly, &assembly->group[k], motion, product + assembly->group[k].row_start);
}

/* to[r] += sum of T[r][j] v[j]; of rigid bodies the compiler knows the size. */
static inline void add_matrix_product(size_t rows, size_t columns, const double *T, const double *v,
                                      double *to)
{
    for (size_t r = 0; r < rows; r++, T += columns)
        if (columns == 6)
            to[r] = to[r] + T[0] * v[0] + T[1] * v[1] + T[2] * v[2] + T[3] * v[3] + T[4] * v[4] + T[5] * v[5];
        else
            for (size_t j = 0; j < columns; j++)
                to[r] += T[j] * v[j];
}

/* Accelerations of riders, chunk by chunk, unless their derivatives are kept. */
static tn_status find_rider_accelerations(const tn_assembly *assembly, const tn_riders *riders, double *to)
{
    const tn_attachments *all = &riders->attachments;
    const size_t width = tn_twist_size(all->kind), nv = all->nv, columns = all->columns;
    if (!nv || !riders->type->twist_derivative) return TN_OK;
    for (size_t first = 0; first < all->count; first += TN_CHUNK) {
        tn_attachments part = tn_part_of_attachments(all, first, tn_chunk(all->count - first));
        const double *T =
            riders->derivative ? riders->derivative + first * width * columns : tn_scratch(assembly)->tangent;
        part.matrix = tn_scratch(assembly)->tangent;
        const tn_status status = riders->derivative ? TN_OK : tn_call(riders->type, twist_derivative, &part);
        if (status != TN_OK) return status;
        const double *v = all->v;
        for (size_t i = first; i < first + part.count; i++, T += width * columns)
            add_matrix_product(width, columns, T, v + all->body[i] * nv + riders->first[i], to + i * width);
    }
    return TN_OK;
}

/* Accelerations of all markers where v does not change: T v. A marker that stands in the state has none. */
static tn_status find_marker_accelerations(const tn_assembly *assembly, double *to)
{
    memset(to, 0, assembly->twist_size * sizeof *to);
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->riders_count && status == TN_OK; k++)
        status = find_rider_accelerations(assembly, &assembly->riders[k],
                                          to + (assembly->riders[k].attachments.twist - assembly->motion));
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        const size_t width = tn_twist_size(derived->kind);
        double *place = to + (derived->twist - assembly->motion);
        for (size_t i = 0; i < derived->batch.count; i++)
            for (size_t l = derived->leg_start[i]; l < derived->leg_start[i + 1]; l++) {
                const tn_leg *leg = &derived->leg[l];
                const tn_group *owner = &assembly->group[assembly->group_of[leg->item]];
                const size_t body = assembly->index_of[leg->item] * (size_t)owner->batch.layout->nv;
                add_matrix_product(width, leg->columns, leg->derivative, owner->batch.v + body + leg->first,
                                   place + i * width);
            }
    }
    return status;
}

tn_status tn_constraint_bias(tn_assembly *assembly, double *bias)
{
    double *acceleration = assembly->constraints->marker_motion;
    const tn_status found = find_marker_accelerations(assembly, acceleration);
    if (found != TN_OK) return found;
    memset(bias, 0, assembly->system.rows * sizeof *bias);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!are_wanted(group, bias, (tn_rows_wanted){0})) continue;
        tn_batch batch;
        fill_batch_of_rows(assembly, group, bias, &batch);
        if (group->type->constraint_bias) {
            const tn_status status = tn_call(group->type, constraint_bias, &batch);
            if (status != TN_OK) return tn_refused(assembly, group, status);
        }
        add_products(assembly, group, acceleration, batch.residual);
    }
    return check_rows(assembly, bias, "second derivative");
}
