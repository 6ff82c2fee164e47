/* coordinate_row.h - a linear equation between coordinates: sum of c_i q_i = offset. Its row never changes.
 *
 * The plugin says how an instance is read. */
#ifndef TENON_COORDINATE_ROW_H
#define TENON_COORDINATE_ROW_H

#include <tenon/author.h>

#if TN_VALUES /* nothing here is differentiated by a pass */

typedef struct coordinate_row {
    const double *factor; /* one for every marker */
    double offset;        /* NaN: not known yet, what the sum is now */
} coordinate_row;

static coordinate_row read_row(const tn_batch *batch, uint32_t i);

static inline double coordinate_sum(const tn_batch *batch, uint32_t i, const double *factor)
{
    const tn_marker_place *place = batch->marker + (size_t)i * batch->marker_count;
    double sum = 0.0;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        sum += factor[k] * batch->pose[place[k].pose];
    return sum;
}

/* Zero while it is not active. */
static inline double coordinate_row_residual(const tn_batch *batch, uint32_t i)
{
    const coordinate_row row = read_row(batch, i);
    if ((batch->active && !batch->active[i]) || isnan(row.offset)) return 0.0;
    return coordinate_sum(batch, i, row.factor) - row.offset;
}

static tn_status coordinate_row_constraint(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->residual[i] = coordinate_row_residual(batch, i);
    return TN_OK;
}

static tn_status coordinate_row_rows(tn_batch *batch)
{
    const uint32_t count = batch->marker_count;
    for (uint32_t i = 0; i < batch->count; i++) {
        const double *factor = read_row(batch, i).factor;
        for (uint32_t k = 0; k < count; k++)
            batch->tangent[(size_t)i * count + k] = batch->active && !batch->active[i] ? 0.0 : factor[k];
    }
    return TN_OK;
}

enum { FORCE, REACTION, CONSTRAINT_ERROR };
#define COORDINATE_ROW_OUTPUTS                                                                        \
    [FORCE] = {"force", "on the last coordinate; N on a position, N m on an angle", "", 1, 0},        \
    [REACTION] = {"reaction", "on the first coordinate; N on a position, N m on an angle", "", 1, 0}, \
    [CONSTRAINT_ERROR] = {"constraint_error", "|g|", "", 1, 0}

static tn_status coordinate_row_output(tn_batch *batch)
{
    const uint32_t count = batch->marker_count;
    for (uint32_t k = 0; k < batch->count; k++) {
        const uint32_t i = batch->first + k;
        batch->value[k] = batch->output == FORCE      ? batch->wrench[(size_t)(i + 1) * count - 1]
                          : batch->output == REACTION ? batch->wrench[(size_t)i * count]
                                                      : fabs(coordinate_row_residual(batch, i));
    }
    return TN_OK;
}

/* Of a type flagged TN_CONSTANT_ROWS, with coordinate_row_output. */
#define HAS_COORDINATE_ROW \
    TN_HAS(constraint, .constraint = coordinate_row_constraint, .constraint_rows = coordinate_row_rows)

#endif

#endif
