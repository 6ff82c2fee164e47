/* reactions.c - what reactions have no part in, by sparse matrices (eigen.h)
 *
 *     W    B       y   force       W = diag(M): y = W^-1 (force - B l) is what is left of a force where B l takes the most of it.
 *     B^T  -E      l   0           E keeps rows regular that depend on others; without these E is far below B^T W^-1 B.
 *
 * With row r alone on the right, -E l_r is the share of the row in those that depend on others: their sum is the number of these. */
#include "eigen.h"
#include "matrices.h"

#define SAME 1e-12  /* relative */
#define SHARE 1e-12 /* E, of B^T W^-1 B */

typedef struct projection {
    const eigen_work *work;
    tn_matrix matrix;
    const tn_own_matrices *matrices;
    void *opened;
    double *regularisation; /* [rows] E */
} projection;

double tn_eigen_weight(const eigen_work *work, uint32_t i)
{
    const double mass = tn_eigen_diagonal(&work->linear->mass, i);
    return mass > 0.0 ? mass : 1.0;
}

/* ---- B and G ------------------------------------------------------------------------------------------------------ */

/* B^T. */
static tn_status transpose(const eigen_work *work, tn_sparse *made)
{
    const tn_host *host = work->host;
    const tn_sparse *B = &work->linear->reactions;
    const size_t entries = (size_t)B->column_start[B->columns];
    int32_t *start = host->allocate(host, (work->nv + 2) * sizeof *start),
            *row = host->allocate(host, (entries + 1) * sizeof *row);
    double *value = tn_eigen_numbers(host, entries);
    if (!start || !row || !value) return TN_OUT_OF_MEMORY;
    for (size_t e = 0; e < entries; e++)
        start[B->row[e] + 2]++;
    for (uint32_t i = 2; i <= work->nv; i++)
        start[i] += start[i - 1];
    for (uint32_t r = 0; r < B->columns; r++)
        for (int32_t e = B->column_start[r]; e < B->column_start[r + 1]; e++) {
            const int32_t at = start[B->row[e] + 1]++;
            row[at] = (int32_t)r;
            value[at] = B->value[e];
        }
    *made = (tn_sparse){B->columns, B->rows, start, row, value};
    return TN_OK;
}

/* Whether columns of two matrices are the same, but for round-off; each may have zeros that the other one leaves out. */
static bool are_same(const tn_sparse *A, const tn_sparse *B, uint32_t column)
{
    int32_t a = A->column_start[column], b = B->column_start[column];
    const int32_t end_a = A->column_start[column + 1], end_b = B->column_start[column + 1];
    while (a < end_a || b < end_b) {
        const int32_t row_a = a < end_a ? A->row[a] : INT32_MAX, row_b = b < end_b ? B->row[b] : INT32_MAX;
        const double x = row_a <= row_b ? A->value[a++] : 0.0, y = row_b <= row_a ? B->value[b++] : 0.0;
        if (fabs(x - y) > SAME * fmax(fabs(x), fabs(y))) return false;
    }
    return true;
}

tn_status tn_eigen_compare_reactions(const eigen_work *work, bool *transposed)
{
    tn_sparse other;
    const tn_status status = transpose(work, &other);
    *transposed = status == TN_OK;
    for (uint32_t j = 0; j < work->nv && *transposed; j++)
        *transposed = are_same(&work->linear->rows, &other, j);
    return status;
}

/* ---- projections -------------------------------------------------------------------------------------------------- */

static void find_regularisation(projection *p)
{
    const tn_sparse *B = &p->work->linear->reactions;
    for (uint32_t r = 0; r < B->columns; r++) {
        double size = 0.0;
        for (int32_t e = B->column_start[r]; e < B->column_start[r + 1]; e++)
            size += B->value[e] * B->value[e] / tn_eigen_weight(p->work, (uint32_t)B->row[e]);
        p->regularisation[r] = size > 0.0 ? SHARE * size : 1.0;
    }
}

static tn_status open_projection(const eigen_work *work, projection *p)
{
    const tn_host *host = work->host;
    const uint32_t nv = work->nv, size = nv + work->rows;
    tn_sparse below;
    *p = (projection){.work = work, .matrices = work->matrices};
    tn_status status = transpose(work, &below);
    if (status != TN_OK) return status;
    const eigen_block block[] = {{0, nv, &work->linear->reactions, 1.0}, {nv, 0, &below, 1.0}};
    status = tn_eigen_unite(host, size, block, 2, &p->matrix);
    if (status != TN_OK) return status;
    const size_t entries = (size_t)p->matrix.column_start[size];
    double _Complex *value = host->allocate(host, (entries + 1) * sizeof *value),
                    *diagonal = host->allocate(host, (size + 1) * sizeof *diagonal);
    p->regularisation = tn_eigen_numbers(host, work->rows);
    if (!value || !diagonal || !p->regularisation) return TN_OUT_OF_MEMORY;
    find_regularisation(p);
    for (uint32_t i = 0; i < size; i++)
        diagonal[i] = i < nv ? tn_eigen_weight(work, i) : -p->regularisation[i - nv];
    tn_eigen_fill(&p->matrix, block, 2, diagonal, value);
    for (size_t e = 0; e < entries; e++)
        p->matrix.value[e] = creal(value[e]);
    status = p->matrices->open(p->matrices, &p->matrix, 0, &p->opened);
    return status == TN_OK ? p->matrices->factor(p->matrices, p->opened, p->matrix.value) : status;
}

static void close_projection(const projection *p) { p->matrices->close(p->matrices, p->opened); }

tn_status tn_eigen_take_reactions(const eigen_work *work, double *force)
{
    projection p;
    double *x = tn_eigen_numbers(work->host, (size_t)work->nv + work->rows);
    tn_status status = x ? open_projection(work, &p) : TN_OUT_OF_MEMORY;
    if (!x) return status;
    memcpy(x, force, work->nv * sizeof *x);
    if (status == TN_OK) status = p.matrices->solve(p.matrices, p.opened, x);
    for (uint32_t i = 0; i < work->nv; i++)
        force[i] = tn_eigen_weight(work, i) * x[i];
    close_projection(&p);
    return status;
}

tn_status tn_eigen_count_free(const eigen_work *work, size_t *count)
{
    projection p;
    double dependent = 0.0, *x = tn_eigen_numbers(work->host, (size_t)work->nv + work->rows);
    tn_status status = x ? open_projection(work, &p) : TN_OUT_OF_MEMORY;
    if (!x) return status;
    for (uint32_t r = 0; r < work->rows && status == TN_OK; r++) {
        memset(x, 0, ((size_t)work->nv + work->rows) * sizeof *x);
        x[work->nv + r] = 1.0;
        status = p.matrices->solve(p.matrices, p.opened, x);
        dependent -= p.regularisation[r] * x[work->nv + r];
    }
    close_projection(&p);
    const double independent = work->rows - dependent;
    *count = independent < work->nv ? (size_t)lround(work->nv - independent) : 0;
    return status;
}
