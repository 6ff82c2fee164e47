/* constraint_matrix.c - the rows of constraints as borders of the matrix
 *
 * With s the row factor the matrix is
 *
 *     c_mass M - ...    -s G^T
 *     s G                 E
 *
 * where E, a billionth of the diagonal of s^2/c_mass G M^-1 G^T, keeps it regular where rows depend on each other. */
#include "system/assembly.h"

#define REGULARISATION 1e-9

/* The rows of one instance that are in the matrix. */
typedef struct kept_rows {
    uint32_t count, place; /* of the first one behind v */
    const double *row[TN_MOST_ROWS];
    double flexible[TN_MOST_ROWS]; /* g M^-1 g^T */
} kept_rows;

/* Velocity rows do not hinder positions from being closed. */
static kept_rows find_kept(const tn_assembly *assembly, const tn_group *group, uint32_t instance)
{
    static const double nothing[TN_MOST_TWISTS];
    const size_t W = group->batch.wrench_size;
    kept_rows kept = {0};
    for (uint32_t r = 0; r < group->rows; r++) {
        const uint32_t row = instance * group->rows + r, place = assembly->place[group->row_start + row];
        const bool empty = assembly->positions_only && r >= group->batch.layout->position_rows;
        if (place == TN_NONE) continue;
        if (!kept.count) kept.place = place;
        kept.row[kept.count++] = empty ? nothing : group->row + row * W;
    }
    return kept;
}

/* Rows of one instance against the coordinates of the body at an end; number of columns, from `column` on. */
static size_t rows_on_body(const kept_rows *kept, const tn_end *e, double *block, size_t *column)
{
    const size_t columns = e->J ? e->nv : e->width;
    *column = e->J ? 0 : e->offset;
    for (size_t r = 0; r < kept->count; r++) {
        const double *row = kept->row[r] + e->column;
        for (size_t j = 0; j < columns; j++) {
            double sum = e->J ? 0.0 : row[j];
            for (size_t k = 0; e->J && k < e->width; k++)
                sum += row[k] * e->J[k * e->nv + j];
            block[r * columns + j] = sum;
        }
    }
    return columns;
}

/* g M^-1 g^T of a row g with columns from `column` on. */
static double compliance(const tn_end *e, const double *g, size_t column, size_t columns)
{
    double sum = 0.0;
    for (size_t i = 0; i < columns; i++)
        for (size_t j = e->diagonal ? i : 0; j < (e->diagonal ? i + 1 : columns); j++)
            sum += g[i] * g[j] * e->inverse[e->diagonal ? column + i : (column + i) * e->nv + column + j];
    return sum;
}

/* The columns -s G^T of one end, and the row s G; adds to the compliances of the rows. */
static void add_borders(const tn_filling *f, kept_rows *kept, const tn_end *e, const struct tn_border *border,
                        uint32_t length)
{
    const double factor = f->assembly->system.row_factor;
    double *block = f->assembly->scratch;
    size_t column = 0;
    const size_t columns = rows_on_body(kept, e, block, &column);
    double *beside = f->assembly->matrix.value + border->beside + column;
    for (size_t r = 0; r < kept->count; r++) {
        double *g = block + r * columns;
        kept->flexible[r] += compliance(e, g, column, columns);
        for (size_t j = 0; j < columns; j++) {
            g[j] *= factor;
            beside[r * length + j] -= g[j];
        }
    }
    tn_add_block(f, border->below, e->length, 0, column, kept->count, columns, block);
}

/* A row that nothing can move stands alone. */
static void add_regularisation(const tn_filling *f, const kept_rows *kept, uint32_t start, uint32_t length)
{
    tn_assembly *assembly = f->assembly;
    const double factor =
        REGULARISATION * assembly->system.row_factor * assembly->system.row_factor / f->c_mass;
    for (size_t r = 0; r < kept->count; r++) {
        const double size = factor * kept->flexible[r];
        assembly->regularisation[kept->place + r] = size > 0.0 ? size : 0.0;
        assembly->matrix.value[start + r * length + r] = size > 0.0 ? size : 1.0;
    }
}

tn_status tn_constraints_fill(const tn_filling *f)
{
    tn_assembly *assembly = f->assembly;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->rows && i < group->batch.count; i++) {
            kept_rows kept = find_kept(assembly, group, i);
            const uint32_t node = group->first_node + i, length = assembly->column_length[node];
            if (!kept.count) continue;
            tn_ends_of_instance(assembly, group, i, assembly->end);
            for (uint32_t leg = 0; leg < group->leg_count; leg++)
                if (assembly->end[leg].nv)
                    add_borders(f, &kept, &assembly->end[leg], &group->border[i * group->leg_count + leg],
                                length);
            add_regularisation(f, &kept, assembly->own_block[node], length);
        }
    }
    return TN_OK;
}
