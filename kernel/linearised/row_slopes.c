/* row_slopes.c - derivatives of velocity rows A(q, t) v + b(q, t) by q (see linearisation.h)
 *
 * With t the twists of the markers of a constraint, A_m its rows against them, S_r the stiffness of row r, which is the derivative of
 * A_m^T e_r by the poses, and J, T as in matrix.c, a row changes by
 *
 *     (t^T S_r + db/d(pose)) J + A_m T
 *
 * Where markers move with twists e the bias of a row, its first derivative by time, is quadratic in e: its odd part is e times
 * db/d(pose), unless A depends on time by itself, which is looked at: then it is left out, and said. */
#include "linearised/linearisation.h"

#include "system/markers.h"

#include <math.h>
#include <string.h>

#define LATER 0.37 /* s: behind which rows that do not depend on time by themselves are still the same */

static bool has_velocity_rows(const tn_group *group)
{
    return group->rows && group->batch.layout->velocity_rows && !group->unilateral;
}

void tn_row_slopes_prepare(tn_assembly *assembly, tn_linearised *m)
{
    size_t W = 0, markers = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!has_velocity_rows(group)) continue;
        if (group->batch.wrench_size > W) W = group->batch.wrench_size;
        if (group->batch.marker_count > markers) markers = group->batch.marker_count;
    }
    if (W) tn_derivatives_keep(assembly);
    m->twist = tn_assembly_new(assembly, W, sizeof(double));
    m->unit = tn_assembly_new(assembly, W, sizeof(double));
    m->stiffness = tn_assembly_new(assembly, W * W, sizeof(double));
    m->row = tn_assembly_new(assembly, 2 * TN_CONSTRAINT_ROWS * W, sizeof(double));
    m->bias = tn_assembly_new(assembly, 2 * TN_CONSTRAINT_ROWS, sizeof(double));
    m->marker = tn_assembly_new(assembly, markers, sizeof *m->marker);
}

/* Twists of the markers, one behind the other. */
static void load_twists(const tn_batch *batch, double *twist)
{
    for (uint32_t k = 0; k < batch->marker_count; k++) {
        const uint32_t size = tn_twist_size(batch->marker_kind[k]);
        memcpy(twist, batch->twist + batch->marker[k].twist, size * sizeof *twist);
        twist += size;
    }
}

/* Whether the rows depend on time by themselves: also where they have no value later on. */
static bool depend_on_time(const tn_linearised *m, const tn_group *group, tn_batch batch)
{
    const size_t size = (size_t)group->rows * batch.wrench_size;
    if (group->rows_known) return false;
    batch.tangent = m->row;
    if (tn_call(group->type, constraint_rows, &batch) != TN_OK) return true;
    batch.tangent = m->row + size;
    batch.time += LATER;
    if (tn_call(group->type, constraint_rows, &batch) != TN_OK) return true;
    return memcmp(m->row, m->row + size, size * sizeof *m->row) != 0;
}

/* db/d(pose) [rows][W] of an instance, into `row`; zero where A depends on time, too. */
static tn_status find_offsets(const tn_linearised *m, const tn_group *group, tn_batch batch)
{
    const size_t W = batch.wrench_size, rows = group->rows;
    const bool unknown = !group->type->constraint_bias || depend_on_time(m, group, batch);
    memset(m->row, 0, rows * W * sizeof *m->row);
    if (unknown) return TN_OK;
    uint32_t place = 0;
    for (uint32_t k = 0; k < batch.marker_count; k++) {
        m->marker[k] = (tn_marker_place){batch.marker[k].pose, place};
        place += tn_twist_size(batch.marker_kind[k]);
    }
    batch.marker = m->marker;
    batch.twist = m->unit;
    memset(m->unit, 0, W * sizeof *m->unit);
    tn_status status = TN_OK;
    for (size_t c = 0; c < W && status == TN_OK; c++) {
        for (size_t side = 0; side < 2 && status == TN_OK; side++) {
            m->unit[c] = side ? -1.0 : 1.0;
            batch.residual = m->bias + side * rows;
            status = tn_call(group->type, constraint_bias, &batch);
        }
        m->unit[c] = 0.0;
        for (size_t r = 0; r < rows; r++)
            m->row[r * W + c] = 0.5 * (m->bias[r] - m->bias[rows + r]);
    }
    return status;
}

/* Adds t^T S_r to row r of `row`. */
static tn_status add_turning(const tn_linearised *m, const tn_group *group, tn_batch batch, size_t r)
{
    const size_t W = batch.wrench_size;
    double lambda[TN_CONSTRAINT_ROWS] = {0.0};
    lambda[r] = 1.0;
    batch.lambda = lambda;
    batch.tangent = m->stiffness;
    const tn_status status = tn_call(group->type, constraint_stiffness, &batch);
    for (size_t l = 0; l < W && status == TN_OK; l++)
        for (size_t c = 0; c < W; c++)
            m->row[r * W + c] += m->twist[l] * m->stiffness[l * W + c];
    return status;
}

/* Of the coordinates at one end: by the poses, `slope` [W], and by twists, `row` [W], that change with q. */
static void add_end(const tn_linearised *m, const tn_end *end, size_t number, const double *slope,
                    const double *row)
{
    const tn_sparse *rows = &m->table.row_slopes;
    const double *by_pose = slope + end->column, *by_twist = row + end->column;
    for (size_t j = 0; j < end->nv; j++) {
        double sum = end->J ? 0.0 : by_pose[j];
        for (size_t k = 0; end->J && k < end->width; k++)
            sum += by_pose[k] * end->J[k * end->nv + j] + by_twist[k] * end->T[k * end->nv + j];
        if (sum == 0.0) continue;
        int32_t e = rows->column_start[end->v_start + j];
        while ((size_t)rows->row[e] != number)
            e++;
        m->value[TN_SLOPE_PART][e] += sum;
    }
}

static tn_batch batch_of(const tn_assembly *assembly, const tn_group *group, uint32_t i, tn_failure *failure)
{
    tn_batch batch = tn_sub_batch(group, i, 1);
    batch.time = assembly->system.time;
    batch.failure = failure;
    return batch;
}

bool tn_row_slopes_are_known(const tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                             uint32_t i)
{
    tn_failure failure = {0};
    return !has_velocity_rows(group) || !group->type->constraint_bias ||
           !depend_on_time(m, group, batch_of(assembly, group, i, &failure));
}

static tn_status find_instance(tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                               uint32_t i)
{
    const size_t W = group->batch.wrench_size;
    const tn_end *ends = tn_scratch(assembly)->end;
    tn_failure failure = {0};
    const tn_batch batch = batch_of(assembly, group, i, &failure);
    load_twists(&batch, m->twist);
    tn_status status = find_offsets(m, group, batch);
    for (size_t r = group->batch.layout->position_rows; r < group->rows && status == TN_OK; r++)
        if (group->type->constraint_stiffness) status = add_turning(m, group, batch, r);
    if (status != TN_OK) return status;
    tn_ends_of_instance(assembly, group, i, tn_scratch(assembly)->end);
    for (size_t r = group->batch.layout->position_rows; r < group->rows; r++)
        for (uint32_t leg = 0; leg < group->leg_count; leg++)
            add_end(m, &ends[leg], group->row_start + i * group->rows + r, m->row + r * W,
                    tn_rows_of(group, i) + r * W);
    return TN_OK;
}

tn_status tn_row_slopes_find(tn_assembly *assembly, const tn_linearised *m)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; has_velocity_rows(group) && i < group->batch.count; i++) {
            if (group->active && !group->active[i]) continue;
            const tn_status status = find_instance(assembly, m, group, i);
            if (status != TN_OK) return status;
        }
    }
    return TN_OK;
}
