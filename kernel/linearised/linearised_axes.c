/* linearised_axes.c - patterns of the parts of linearised equations, and the turn from axes of bodies to still ones
 *
 * Turning mixes the three components of an angular vector: where one of them has an entry, all three have. */
#include "linearised/linearisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_TURN 1e-9 /* off a rotation: the body tells something else */

/* ---- triples --------------------------------------------------------------------------------------------- */

/* Angular components that stand three by three. */
static void list_triples(const tn_assembly *assembly, tn_linearised *m)
{
    const uint8_t *angular = assembly->system.angular;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        for (uint32_t i = 0; i < group->batch.count; i++)
            for (uint32_t c = 0, first = group->v_start + i * nv; c + 2 < nv; c++) {
                if (!angular[first + c] || !angular[first + c + 1] || !angular[first + c + 2]) continue;
                m->triple[m->triple_count++] = (tn_triple){first + c, false};
                for (uint32_t d = 0; d < 3; d++) {
                    m->first[first + c + d] = first + c;
                    m->width[first + c + d] = 3;
                }
                c += 2;
            }
    }
}

static void make_triples(tn_assembly *assembly, tn_linearised *m)
{
    const uint32_t nv = assembly->system.nv;
    m->triple = tn_assembly_new(assembly, nv / 3 + 1, sizeof *m->triple);
    m->first = tn_assembly_new(assembly, nv, sizeof *m->first);
    m->width = tn_assembly_new(assembly, nv, sizeof *m->width);
    m->turn = tn_assembly_new(assembly, 3 * (size_t)nv, sizeof(double));
    m->rigid = tn_assembly_new(assembly, 6 * (size_t)nv, sizeof(double));
    for (uint32_t i = 0; i < nv; i++) {
        m->first[i] = i;
        m->width[i] = 1;
        m->turn[3 * i] = 1.0;
    }
    list_triples(assembly, m);
}

/* ---- patterns -------------------------------------------------------------------------------------------- */

/* A column of a pattern as it is found: its rows, each once. */
typedef struct gathered {
    uint32_t *row, count, *mark, stamp;
} gathered;

static void gather(gathered *g, uint32_t row)
{
    if (g->mark[row] == g->stamp) return;
    g->mark[row] = g->stamp;
    g->row[g->count++] = row;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of column j of the whole matrix, with all that turning adds. */
static void gather_column(const tn_assembly *assembly, const tn_linearised *m, uint32_t j, gathered *g)
{
    const tn_matrix *A = &m->pieces.matrix;
    const uint32_t nv = assembly->system.nv, first = j < nv ? m->first[j] : j,
                   width = j < nv ? m->width[j] : 1;
    g->count = 0;
    g->stamp = j + 1;
    for (uint32_t k = 0; j < nv && k < width; k++)
        gather(g, first + k);
    for (uint32_t column = first; column < first + width; column++)
        for (int32_t e = A->column_start[column]; e < A->column_start[column + 1]; e++) {
            const uint32_t row = (uint32_t)A->row[e], begin = row < nv ? m->first[row] : row,
                           size = row < nv ? m->width[row] : 1;
            for (uint32_t k = 0; k < size; k++)
                gather(g, begin + k);
        }
    qsort(g->row, g->count, sizeof *g->row, ascending);
}

/* A pattern that is being made: the entries with these rows, of columns that follow each other. */
typedef struct making {
    int32_t *start, *row;
    uint32_t first_row, end_row, first_column, columns;
    size_t entries;
} making;

static void take_column(making *p, uint32_t j, const gathered *g)
{
    if (j < p->first_column || j >= p->first_column + p->columns) return;
    for (uint32_t k = 0; k < g->count; k++) {
        if (g->row[k] < p->first_row || g->row[k] >= p->end_row) continue;
        if (p->row) p->row[p->entries] = (int32_t)(g->row[k] - p->first_row);
        p->entries++;
    }
    p->start[j - p->first_column + 1] = (int32_t)p->entries;
}

/* Where an entry of the whole matrix stands in a part. */
static int32_t find_place(const making *p, uint32_t j, uint32_t row)
{
    const uint32_t column = j - p->first_column, wanted = row - p->first_row;
    int32_t low = p->start[column], high = p->start[column + 1] - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if ((uint32_t)p->row[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_places(const tn_assembly *assembly, const tn_linearised *m, const making part[3])
{
    const tn_matrix *A = &m->pieces.matrix;
    const uint32_t nv = assembly->system.nv;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const uint32_t row = (uint32_t)A->row[e];
            if (j >= nv && row >= nv) continue;
            m->place[e] = find_place(&part[row >= nv ? 1 : j >= nv ? 2 : 0], j, row);
        }
}

static tn_sparse sparse_of(tn_assembly *assembly, const making *p, double **value)
{
    *value = tn_assembly_new(assembly, p->entries, sizeof **value);
    return (tn_sparse){p->end_row - p->first_row, p->columns, p->start, p->row, *value};
}

void tn_linearised_pattern(tn_assembly *assembly, tn_linearised *m)
{
    const uint32_t nv = assembly->system.nv, rows = assembly->system.rows, size = nv + rows;
    making part[3] = {{.end_row = nv, .columns = nv},
                      {.first_row = nv, .end_row = size, .columns = nv},
                      {.end_row = nv, .first_column = nv, .columns = rows}};
    make_triples(assembly, m);
    gathered g = {.row = tn_assembly_new(assembly, size, sizeof *g.row),
                  .mark = tn_assembly_new(assembly, size, sizeof *g.mark)};
    for (int k = 0; k < 3; k++)
        part[k].start = tn_assembly_new(assembly, part[k].columns + 1u, sizeof *part[k].start);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t j = 0; j < size; j++) {
            gather_column(assembly, m, j, &g);
            for (int k = 0; k < 3; k++)
                take_column(&part[k], j, &g);
        }
        memset(g.mark, 0, size * sizeof *g.mark);
        for (int k = 0; k < 3 && pass == 0; k++) {
            part[k].row = tn_assembly_new(assembly, part[k].entries, sizeof *part[k].row);
            part[k].entries = 0;
        }
    }
    m->place = tn_assembly_new(assembly, (size_t)m->pieces.matrix.column_start[size], sizeof *m->place);
    find_places(assembly, m, part);
    m->table.mass = sparse_of(assembly, &part[0], &m->value[TN_MASS_PART]);
    m->table.damping = sparse_of(assembly, &part[0], &m->value[TN_DAMPING_PART]);
    m->table.stiffness = sparse_of(assembly, &part[0], &m->value[TN_STIFFNESS_PART]);
    m->table.transport = sparse_of(assembly, &part[0], &m->value[TN_TRANSPORT_PART]);
    m->table.rows = sparse_of(assembly, &part[1], &m->value[TN_ROW_PART]);
    m->table.row_slopes = sparse_of(assembly, &part[1], &m->value[TN_SLOPE_PART]);
    m->table.reactions = sparse_of(assembly, &part[2], &m->value[TN_REACTION_PART]);
}

/* ---- axes ------------------------------------------------------------------------------------------------ */

static bool is_rotation(const double *P)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = r == c ? -1.0 : 0.0;
            for (int k = 0; k < 3; k++)
                sum += P[3 * r + k] * P[3 * c + k];
            if (!(fabs(sum) <= NO_TURN)) return false;
        }
    return true;
}

/* x = P x of three numbers that stand `stride` apart. */
static inline void turn_three(const double *P, double *x, size_t stride)
{
    const double a = x[0], b = x[stride], c = x[2 * stride];
    for (size_t r = 0; r < 3; r++)
        x[r * stride] = P[3 * r] * a + P[3 * r + 1] * b + P[3 * r + 2] * c;
}

static tn_status find_rigid_motions(const tn_assembly *assembly, const tn_linearised *m)
{
    memset(m->rigid, 0, 6 * (size_t)assembly->system.nv * sizeof(double));
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nv || !group->type->rigid_motion) continue;
        tn_batch batch = group->batch;
        batch.rigid_motion = m->rigid + 6 * (size_t)group->v_start;
        const tn_status status = tn_call(group->type, rigid_motion, &batch);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* The components of an angular velocity in own axes are those in still axes times P^T: the rigid motion of the body tells. */
static void find_turn(const tn_linearised *m, tn_triple *triple)
{
    double *P = m->turn + 3 * (size_t)triple->first, *rigid = m->rigid + 6 * (size_t)triple->first, told[9];
    for (uint32_t r = 0; r < 3; r++)
        for (uint32_t c = 0; c < 3; c++) {
            P[3 * r + c] = r == c;
            told[3 * r + c] = rigid[6 * c + 3 + r];
        }
    triple->turns = is_rotation(told);
    if (!triple->turns) return;
    memcpy(P, told, sizeof told);
    for (uint32_t c = 0; c < 6; c++)
        turn_three(P, rigid + c, 6);
}

tn_status tn_linearised_axes(const tn_assembly *assembly, tn_linearised *m)
{
    const tn_status status = find_rigid_motions(assembly, m);
    for (uint32_t k = 0; k < m->triple_count && status == TN_OK; k++)
        find_turn(m, &m->triple[k]);
    return status;
}

/* The entry of a part at a row, which is there. */
static double *entry_at(const tn_sparse *part, double *value, uint32_t row, uint32_t column)
{
    int32_t e = part->column_start[column];
    while ((uint32_t)part->row[e] < row)
        e++;
    return value + e;
}

/* [w x] of a triple. */
static void cross_of(const tn_assembly *assembly, uint32_t first, double W[9])
{
    const double *w = assembly->system.v + first;
    const double cross[9] = {0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0};
    memcpy(W, cross, sizeof cross);
}

void tn_linearised_transport(const tn_assembly *assembly, const tn_linearised *m)
{
    double W[9];
    for (uint32_t k = 0; k < m->triple_count; k++) {
        const uint32_t first = m->triple[k].first;
        cross_of(assembly, first, W);
        for (uint32_t c = 0; c < 3; c++) {
            double *to = entry_at(&m->table.transport, m->value[TN_TRANSPORT_PART], first, first + c);
            for (uint32_t r = 0; r < 3; r++)
                to[r] = W[3 * r + c];
        }
    }
}

/* P X. The rows of a triple stand side by side in each column. */
static void turn_rows(const tn_linearised *m, const tn_sparse *X, double *value)
{
    for (uint32_t j = 0; j < X->columns; j++)
        for (int32_t e = X->column_start[j]; e < X->column_start[j + 1]; e++) {
            const uint32_t row = (uint32_t)X->row[e];
            if (m->width[row] != 3) continue;
            turn_three(m->turn + 3 * (size_t)row, value + e, 1);
            e += 2;
        }
}

/* X P^T. The columns of a triple have the same rows. */
static void turn_columns(const tn_linearised *m, const tn_sparse *X, double *value)
{
    for (uint32_t k = 0; k < m->triple_count; k++) {
        const uint32_t j = m->triple[k].first;
        const size_t count = (size_t)(X->column_start[j + 1] - X->column_start[j]);
        for (size_t e = 0; e < count; e++)
            turn_three(m->turn + 3 * (size_t)j, value + X->column_start[j] + e, count);
    }
}

/* D - M [w x] of the triples that turn to still axes, where T of these is zero then. */
static void take_transport(const tn_assembly *assembly, const tn_linearised *m)
{
    const tn_sparse *M = &m->table.mass;
    double W[9];
    for (uint32_t k = 0; k < m->triple_count; k++) {
        const uint32_t first = m->triple[k].first;
        if (!m->triple[k].turns) continue;
        cross_of(assembly, first, W);
        const size_t start = (size_t)M->column_start[first],
                     count = (size_t)M->column_start[first + 1] - start;
        const double *mass = m->value[TN_MASS_PART] + start;
        double *damping = m->value[TN_DAMPING_PART] + start;
        for (size_t e = 0; e < count; e++)
            for (size_t c = 0; c < 3; c++)
                damping[c * count + e] -=
                    mass[e] * W[c] + mass[count + e] * W[3 + c] + mass[2 * count + e] * W[6 + c];
        for (uint32_t c = 0; c < 3; c++)
            memset(entry_at(&m->table.transport, m->value[TN_TRANSPORT_PART], first, first + c), 0,
                   3 * sizeof(double));
    }
}

static void turn_states(const tn_linearised *m, size_t nv)
{
    const size_t n = m->table.states;
    for (uint32_t k = 0; k < m->triple_count; k++) {
        const size_t first = m->triple[k].first;
        const double *P = m->turn + 3 * first;
        for (size_t c = 0; c < n; c++) {
            turn_three(P, m->force_by_state + first * n + c, n);
            turn_three(P, m->rate_by_motion + c * 2 * nv + first, 1);
            turn_three(P, m->rate_by_motion + c * 2 * nv + nv + first, 1);
        }
    }
}

void tn_linearised_turn(const tn_assembly *assembly, const tn_linearised *m)
{
    const tn_sparse *const square[] = {&m->table.mass, &m->table.damping, &m->table.stiffness};
    take_transport(assembly, m);
    for (int k = 0; k < 3; k++) {
        turn_rows(m, square[k], m->value[k]);
        turn_columns(m, square[k], m->value[k]);
    }
    turn_columns(m, &m->table.rows, m->value[TN_ROW_PART]);
    turn_columns(m, &m->table.row_slopes, m->value[TN_SLOPE_PART]);
    turn_rows(m, &m->table.reactions, m->value[TN_REACTION_PART]);
    turn_states(m, assembly->system.nv);
}
