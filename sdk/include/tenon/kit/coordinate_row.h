/* tenon/kit/coordinate_row.h - a linear equation between coordinates, sum of c_i q_i = offset, of a type whose markers are
 * all of kind TN_COORDINATE. Its row never changes.
 *
 * The plugin says how an instance is read, by a function name_row_of; TN_COORDINATE_ROW makes the functions of the type:
 *
 *     static tn_coordinate_row gear_row_of(const tn_batch *batch, uint32_t i)
 *     {
 *         const gear *self = tn_instance(batch, i);
 *         return (tn_coordinate_row){self->factor, self->offset};
 *     }
 *     TN_COORDINATE_ROW(gear)
 *     TN_OUTPUTS(gear, TN_COORDINATE_ROW_OUTPUTS)
 *     TN_ELEMENT(gear, ..., .flags = TN_CONSTANT_ROWS, TN_CAPABILITIES(TN_HAS_COORDINATE_ROW(gear)),
 *                .outputs = gear_outputs, .layout = gear_layout, .output = gear_output)
 *
 * where gear_layout asks for one position row. Part of the kit: no part of the binary interface, and it may change with
 * any version. C only; its file is built as VALUE_ONLY. */
#ifndef TENON_KIT_COORDINATE_ROW_H
#define TENON_KIT_COORDINATE_ROW_H

#include "tenon/author.h"

#if TN_VALUES /* nothing here is differentiated by a pass */

typedef struct tn_coordinate_row {
    const double *factor; /* one for every marker */
    double offset;        /* NaN: not known yet, what the sum is now */
} tn_coordinate_row;

/* The row of instance i. */
typedef tn_coordinate_row (*tn_coordinate_row_of)(const tn_batch *batch, uint32_t i);

/* The sum of an instance as its coordinates are. */
static inline TN_UNUSED double tn_coordinate_sum(const tn_batch *batch, uint32_t i, const double *factor)
{
    const tn_marker_place *place = batch->marker + (size_t)i * batch->marker_count;
    double sum = 0.0;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        sum += factor[k] * batch->pose[place[k].pose];
    return sum;
}

/* Zero while it is not active. */
TN_INLINE double tn_coordinate_row_residual(const tn_batch *batch, tn_coordinate_row_of row_of, uint32_t i)
{
    const tn_coordinate_row row = row_of(batch, i);
    if ((batch->active && !batch->active[i]) || isnan(row.offset)) return 0.0;
    return tn_coordinate_sum(batch, i, row.factor) - row.offset;
}

TN_INLINE tn_status tn_coordinate_row_residuals(tn_batch *batch, tn_coordinate_row_of row_of)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->residual[i] = tn_coordinate_row_residual(batch, row_of, i);
    return TN_OK;
}

TN_INLINE tn_status tn_coordinate_row_gradients(tn_batch *batch, tn_coordinate_row_of row_of)
{
    const uint32_t count = batch->marker_count;
    for (uint32_t i = 0; i < batch->count; i++) {
        const double *factor = row_of(batch, i).factor;
        for (uint32_t k = 0; k < count; k++)
            batch->tangent[(size_t)i * count + k] = batch->active && !batch->active[i] ? 0.0 : factor[k];
    }
    return TN_OK;
}

/* Outputs that every such type has, in this order; a type may list its own behind them. */
enum {
    TN_COORDINATE_ROW_FORCE,
    TN_COORDINATE_ROW_REACTION,
    TN_COORDINATE_ROW_ERROR,
    TN_COORDINATE_ROW_FIRST_OWN
};
#define TN_COORDINATE_ROW_OUTPUTS                                                                            \
    [TN_COORDINATE_ROW_FORCE] = {"force", "on the last coordinate; N on a position, N m on an angle", "", 1, \
                                 0},                                                                         \
    [TN_COORDINATE_ROW_REACTION] = {"reaction", "on the first coordinate; N on a position, N m on an angle", \
                                    "", 1, 0},                                                               \
    [TN_COORDINATE_ROW_ERROR] = {"constraint_error", "|g|", "", 1, 0}

TN_INLINE tn_status tn_coordinate_row_output(tn_batch *batch, tn_coordinate_row_of row_of)
{
    const uint32_t count = batch->marker_count;
    for (uint32_t k = 0; k < batch->count; k++) {
        const uint32_t i = batch->first + k;
        const double *wrench = batch->wrench + (size_t)i * count;
        batch->value[k] = batch->output == TN_COORDINATE_ROW_FORCE ? wrench[count - 1]
                          : batch->output == TN_COORDINATE_ROW_REACTION
                              ? wrench[0]
                              : fabs(tn_coordinate_row_residual(batch, row_of, i));
    }
    return TN_OK;
}

/* The functions of a type whose rows name_row_of reads; name_output is a field of TN_ELEMENT, the others are a
 * capability. */
#define TN_COORDINATE_ROW(name)                                   \
    static tn_status name##_constraint(tn_batch *batch)           \
    {                                                             \
        return tn_coordinate_row_residuals(batch, name##_row_of); \
    }                                                             \
    static tn_status name##_constraint_rows(tn_batch *batch)      \
    {                                                             \
        return tn_coordinate_row_gradients(batch, name##_row_of); \
    }                                                             \
    static tn_status name##_output(tn_batch *batch) { return tn_coordinate_row_output(batch, name##_row_of); }
#define TN_HAS_COORDINATE_ROW(name) \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows)

#endif

#endif
