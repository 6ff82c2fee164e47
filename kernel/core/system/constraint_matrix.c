/* constraint_matrix.c - the rows of constraints as borders of the matrix
 *
 * With s the row factor the matrix is
 *
 *     c_mass M - ...    -s G^T
 *     s G                 E
 *
 * where E, a small share of the diagonal of s^2/c_mass G M^-1 G^T, keeps it regular where rows depend on each other. */
#include "system/block_calls.h"
#include "system/matrix.h"

#include <string.h>

void tn_rows_on_body(const tn_group *group, const double *row, const tn_end *e, double *block)
{
    const size_t W = group->batch.wrench_size;
    for (size_t r = 0; r < group->rows; r++, row += W, block += e->nv) {
        const double *on_end = row + e->column;
        for (size_t j = 0; j < e->nv; j++)
            block[j] = e->J ? 0.0 : on_end[j];
        for (size_t k = 0; e->J && k < e->width; k++)
            for (size_t j = 0; j < e->nv && on_end[k] != 0.0; j++)
                block[j] += on_end[k] * e->J[k * e->nv + j];
    }
}

/* g M^-1 g^T of a row g at an end, or about that. */
static double compliance(const tn_end *e, const double *g)
{
    double sum = 0.0;
    for (size_t i = 0; i < e->nv; i++)
        if (e->lightness)
            sum += g[i] * g[i] * e->lightness[i];
        else
            for (size_t j = 0; j < e->nv && g[i] != 0.0; j++)
                sum += g[i] * g[j] * e->inverse[i * e->inverse_stride + j];
    return sum;
}

/* The columns -s G^T of one end, and the row s G; adds to the compliances of the rows. */
static void add_borders(const tn_filling *f, const tn_group *group, const tn_end *e,
                        const struct tn_border *border, double *block, double *flexible)
{
    const double factor = f->request.row_factor;
    const bool acts = !group->batch.layout->passive_rows || f->request.leads_to_rows;
    for (size_t r = 0; r < group->rows; r++) {
        double *g = block + r * e->nv, *beside = tn_block_column(f, border->beside, r) + e->offset;
        flexible[r] += compliance(e, g);
        for (size_t j = 0; j < e->nv; j++) {
            g[j] *= factor;
            if (acts) beside[j] -= g[j];
        }
    }
    tn_add_block(f, border->below, 0, e->offset, group->rows, e->nv, block);
}

/* A row that nothing can move, or that is left out, stands alone. */
static void add_regularisation(const tn_filling *f, const tn_group *group, uint32_t instance,
                               const double *flexible)
{
    const tn_assembly *assembly = f->assembly;
    const uint32_t node = group->first_node + instance, length = assembly->fill->column_length[node];
    const double factor = f->request.row_factor;
    const double share = f->request.share;
    for (size_t r = 0; r < group->rows; r++) {
        const double size = share * factor * factor / f->request.c_mass * flexible[r];
        double *own = f->to->regularisation + group->row_start + instance * group->rows + r;
        *own = size > 0.0 ? size : 0.0;
        f->to->matrix.value[assembly->fill->own_block[node] + r * length + r] = size > 0.0 ? size : 1.0;
    }
}

/* Velocity rows do not hinder positions from being closed. */
static void leave_out_velocity_rows(const tn_group *group, double *row)
{
    const size_t W = group->batch.wrench_size, first = group->batch.layout->position_rows;
    memset(row + first * W, 0, (group->rows - first) * W * sizeof *row);
}

static void fill_instance(const tn_filling *f, const tn_group *group, uint32_t i)
{
    const tn_fill_scratch *scratch = tn_scratch(f->assembly);
    const size_t size = (size_t)group->rows * group->batch.wrench_size;
    double *block = scratch->product, flexible[TN_CONSTRAINT_ROWS] = {0.0}, *row = tn_rows_of(group, i);
    if (f->request.positions_only) {
        row = memcpy(scratch->tangent, row, size * sizeof *row);
        leave_out_velocity_rows(group, row);
    }
    tn_ends_of_instance(f->assembly, group, i, scratch->end);
    for (uint32_t leg = 0; leg < group->leg_count && !group->unilateral; leg++) {
        const tn_end *e = &scratch->end[leg];
        if (!e->nv || (f->request.pins_hold && e->pinned)) continue;
        tn_rows_on_body(group, row, e, block);
        add_borders(f, group, e, &group->border[i * group->leg_count + leg], block, flexible);
    }
    add_regularisation(f, group, i, flexible);
}

/* Every instance has rows and columns of its own. */
typedef struct bordering {
    const tn_filling *f;
    const tn_group *group;
} bordering;

static void fill_block(void *data, size_t first, size_t last)
{
    const bordering *b = data;
    for (size_t i = first; i < last; i++)
        fill_instance(b->f, b->group, (uint32_t)i);
}

tn_status tn_constraints_fill(const tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    for (size_t k = 0; k < assembly->group_count; k++) {
        bordering b = {f, &assembly->group[k]};
        if (b.group->rows) tn_for_blocks(assembly, b.group->batch.count, TN_BLOCK, fill_block, &b);
    }
    if (f->request.even) assembly->services->rows->level_regularisation(f);
    return TN_OK;
}

void tn_add_border_product(const tn_assembly *assembly, const tn_matrix *A, const double *rows, double *b)
{
    const uint32_t nv = assembly->system.nv;
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        if (rows[r] != 0.0)
            for (int32_t e = A->column_start[nv + r]; e < A->column_start[nv + r + 1]; e++)
                if ((uint32_t)A->row[e] < nv) b[A->row[e]] += A->value[e] * rows[r];
}
