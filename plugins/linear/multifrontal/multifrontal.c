/* multifrontal.c - sparse LU factorisation by fronts: dense matrices that are assembled and eliminated up a tree
 *
 * For structures that fill: lattices, grids, nets of beams. Their factors are large dense blocks, and these are multiplied at the
 * speed of the processor. The factors depend on the last matrix alone, so the kernel can make those of a saved state again. */
#include "multifrontal.h"

#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct multifrontal {
    tn_fronts fronts;
    int32_t size;
    bool factored;
    tn_front_factors *factors;          /* [fronts] */
    double *row_scale, *column_scale;   /* [size] by unknown: powers of two */
    double *scaled;                     /* [entries] the matrix */
    double *of_row, *of_column;         /* [size] by place of elimination */
    double *value, *memory;             /* of the front at work, and for its elimination and substitution */
    int32_t *row, *column, *in_parent;  /* [largest] */
    size_t value_room, largest;         /* numbers; rows that the arrays of a front have room for */
    double *waiting;                    /* what fronts have left to their parents, the last one on top */
    size_t waiting_room, waiting_count; /* numbers */
} multifrontal;

static void destroy_multifrontal(void *self)
{
    multifrontal *m = self;
    if (!m) return;
    for (int32_t f = 0; m->factors && f < m->fronts.count; f++)
        free(m->factors[f].memory);
    tn_fronts_free(&m->fronts);
    void *const memory[] = {m->factors,   m->row_scale, m->column_scale, m->scaled, m->of_row,    m->of_column,
                            m->value,     m->memory,    m->row,          m->column, m->in_parent, m->waiting};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    free(m);
}

/* Room for a front of `size` rows. */
static bool make_room(multifrontal *m, size_t size, size_t stride)
{
    if (size > m->largest) {
        const size_t room = size + size / 8 + TN_FRONT_PAD;
        free(m->memory);
        free(m->row);
        free(m->column);
        free(m->in_parent);
        m->memory = malloc(TN_FRONT_MEMORY(room) * sizeof(double));
        m->row = malloc(room * sizeof *m->row);
        m->column = malloc(room * sizeof *m->column);
        m->in_parent = malloc(room * sizeof *m->in_parent);
        m->largest = m->memory && m->row && m->column && m->in_parent ? room : 0;
        if (!m->largest) return false;
    }
    if (size * stride > m->value_room) {
        free(m->value);
        m->value = aligned_alloc(64, (size * stride + TN_FRONT_PAD) / TN_FRONT_PAD * 64);
        m->value_room = m->value ? size * stride : 0;
    }
    return m->value_room > 0;
}

static tn_status create_multifrontal(const tn_host *host, TN_UNUSED const void *instance,
                                     const tn_matrix *matrix, void **self)
{
    const size_t size = matrix->size;
    if (matrix->size > INT32_MAX / 4) {
        tn_say(host, TN_ERROR, "multifrontal counts in 32 bits: %u unknowns are too many", matrix->size);
        return TN_UNSUPPORTED;
    }
    multifrontal *m = calloc(1, sizeof *m);
    if (!m) return TN_OUT_OF_MEMORY;
    m->size = (int32_t)size;
    *self = m;
    tn_status status = size ? tn_fronts_plan(&m->fronts, matrix) : TN_OK;
    if (status == TN_UNSUPPORTED)
        tn_say(host, TN_ERROR, "multifrontal counts in 32 bits: %d entries of a matrix are too many",
               matrix->column_start[size]);
    if (status == TN_OK) {
        m->factors = calloc((size_t)m->fronts.count + 1, sizeof *m->factors);
        m->row_scale = malloc((size + 1) * sizeof(double));
        m->column_scale = malloc((size + 1) * sizeof(double));
        m->scaled = malloc(((size_t)matrix->column_start[size] + 1) * sizeof(double));
        m->of_row = malloc((size + 1) * sizeof(double));
        m->of_column = malloc((size + 1) * sizeof(double));
        const bool has_memory =
            m->factors && m->row_scale && m->column_scale && m->scaled && m->of_row && m->of_column;
        if (!has_memory) status = TN_OUT_OF_MEMORY;
    }
    if (status == TN_OK) return TN_OK;
    destroy_multifrontal(m);
    *self = NULL;
    return status;
}

/* ---- factorisation ------------------------------------------------------------------------------------------------ */

/* The power of two that brings a number near 1. */
static double scale_for(double largest)
{
    int exponent = 0;
    if (!(largest > 0.0) || !isfinite(largest)) return 1.0;
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* Rows, then columns, have a largest number of 0.5 to 1. */
static void scale(multifrontal *m, const tn_matrix *A)
{
    double *of_row = m->row_scale;
    memset(of_row, 0, A->size * sizeof *of_row);
    for (int32_t e = 0; e < A->column_start[A->size]; e++) {
        const double value = fabs(A->value[e]);
        if (value > of_row[A->row[e]]) of_row[A->row[e]] = value;
    }
    for (uint32_t i = 0; i < A->size; i++)
        of_row[i] = scale_for(of_row[i]);
    for (uint32_t j = 0; j < A->size; j++) {
        double largest = 0.0;
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            m->scaled[e] = A->value[e] * of_row[A->row[e]];
            largest = fmax(largest, fabs(m->scaled[e]));
        }
        m->column_scale[j] = scale_for(largest);
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            m->scaled[e] *= m->column_scale[j];
    }
}

static int32_t rest_of(const tn_front_factors *f) { return f->size - f->pivots; }

/* The front number `f`, without values; `first` is its first child that waits. */
static bool begin_front(multifrontal *m, int32_t f, const int32_t *child, tn_dense_front *front)
{
    const tn_front_plan *plan = &m->fronts.front[f];
    int32_t late = 0;
    for (int32_t c = 0; c < plan->children; c++)
        late += rest_of(&m->factors[child[c]]) - m->fronts.front[child[c]].rests;
    *front = (tn_dense_front){.size = plan->pivots + late + plan->rests,
                              .candidates = plan->pivots + late,
                              .is_root = plan->parent < 0};
    front->stride = (front->size + 2 * TN_FRONT_PAD - 1) / TN_FRONT_PAD * TN_FRONT_PAD;
    if (!make_room(m, (size_t)front->size, (size_t)front->stride)) return false;
    front->value = m->value;
    front->memory = m->memory;
    front->row = m->row;
    front->column = m->column;
    for (int32_t k = 0; k < plan->pivots; k++)
        front->row[k] = front->column[k] = plan->first + k;
    for (int32_t k = 0; k < plan->rests; k++)
        front->row[front->candidates + k] = front->column[front->candidates + k] = plan->rest[k];
    memset(front->value, 0, (size_t)front->size * (size_t)front->stride * sizeof(double));
    for (int32_t k = 0; k < plan->entries; k++) {
        const tn_front_entry *entry = &m->fronts.entry[plan->first_entry + k];
        const int32_t i = entry->row < plan->pivots ? entry->row : entry->row + late;
        const int32_t j = entry->column < plan->pivots ? entry->column : entry->column + late;
        front->value[(size_t)j * (size_t)front->stride + (size_t)i] = m->scaled[entry->entry];
    }
    return true;
}

/* Adds what a child has left; `*late` is where its late unknowns go. */
static void add_child(multifrontal *m, int32_t child, const tn_front_plan *parent, const double *left,
                      tn_dense_front *front, int32_t *late)
{
    const tn_front_factors *factors = &m->factors[child];
    const tn_front_plan *plan = &m->fronts.front[child];
    const int32_t rest = rest_of(factors), own = rest - plan->rests;
    const int32_t behind = front->candidates - parent->pivots;
    int32_t *to = m->in_parent;
    for (int32_t k = 0; k < own; k++) {
        to[k] = *late + k;
        front->row[to[k]] = factors->row[factors->pivots + k];
        front->column[to[k]] = factors->column[factors->pivots + k];
    }
    *late += own;
    for (int32_t k = own; k < rest; k++) {
        const int32_t at = plan->in_parent[k - own];
        to[k] = at < parent->pivots ? at : at + behind;
    }
    for (int32_t j = 0; j < rest; j++, left += rest) {
        double *column = front->value + (size_t)to[j] * (size_t)front->stride;
        for (int32_t i = 0; i < rest; i++)
            column[to[i]] += left[i];
    }
}

static void add_children(multifrontal *m, const tn_front_plan *plan, const int32_t *child,
                         tn_dense_front *front)
{
    int32_t late = plan->pivots;
    for (int32_t c = plan->children; c-- > 0;) {
        const size_t rest = (size_t)rest_of(&m->factors[child[c]]);
        m->waiting_count -= rest * rest;
        add_child(m, child[c], plan, m->waiting + m->waiting_count, front, &late);
    }
}

/* Leaves what remains of a front to its parent. */
static bool leave(multifrontal *m, const tn_dense_front *front, int32_t pivots)
{
    const size_t rest = (size_t)(front->size - pivots), needed = m->waiting_count + rest * rest;
    if (needed > m->waiting_room) {
        const size_t room = needed > (size_t)m->fronts.waiting ? needed + needed / 4 : (size_t)m->fronts.waiting;
        double *larger = realloc(m->waiting, room * sizeof *larger);
        if (!larger) return false;
        m->waiting = larger;
        m->waiting_room = room;
    }
    for (size_t j = 0; j < rest; j++)
        memcpy(m->waiting + m->waiting_count + j * rest,
               front->value + ((size_t)pivots + j) * (size_t)front->stride + pivots, rest * sizeof(double));
    m->waiting_count = needed;
    return true;
}

static tn_status factor_front(multifrontal *m, int32_t f, const int32_t *child)
{
    tn_dense_front front;
    if (!begin_front(m, f, child, &front)) return TN_OUT_OF_MEMORY;
    add_children(m, &m->fronts.front[f], child, &front);
    const int32_t pivots = tn_dense_front_eliminate(&front);
    if (pivots < 0) return TN_RETRY;
    return tn_front_factors_keep(&m->factors[f], &front, pivots) && leave(m, &front, pivots) ? TN_OK
                                                                                            : TN_OUT_OF_MEMORY;
}

static tn_status factor_multifrontal(void *self, const tn_matrix *matrix)
{
    multifrontal *m = self;
    const int32_t count = m->fronts.count;
    if (m->size == 0) return TN_OK;
    m->factored = false;
    int32_t *waits = malloc((size_t)count * sizeof *waits), top = 0;
    if (!waits) return TN_OUT_OF_MEMORY;
    scale(m, matrix);
    m->waiting_count = 0;
    tn_status status = TN_OK;
    for (int32_t f = 0; f < count && status == TN_OK; f++) {
        top -= m->fronts.front[f].children;
        status = factor_front(m, f, waits + top);
        waits[top++] = f;
    }
    free(waits);
    m->factored = status == TN_OK;
    return status;
}

static tn_status solve_multifrontal(void *self, double *right_hand_side)
{
    multifrontal *m = self;
    if (m->size == 0) return TN_OK;
    if (!m->factored) return TN_FATAL;
    const int32_t *place = m->fronts.place;
    for (int32_t i = 0; i < m->size; i++)
        m->of_row[place[i]] = right_hand_side[i] * m->row_scale[i];
    tn_front_factors_solve(m->factors, m->fronts.count, m->of_row, m->of_column, m->memory);
    for (int32_t j = 0; j < m->size; j++)
        right_hand_side[j] = m->of_column[place[j]] * m->column_scale[j];
    return TN_OK;
}

static tn_status estimate_multifrontal(void *self, double *entries, double *operations)
{
    const multifrontal *m = self;
    *entries = m->fronts.entries;
    *operations = m->fronts.operations;
    return TN_OK;
}

static const tn_estimate_capability estimates = {.struct_size = sizeof estimates, .estimate = estimate_multifrontal};
static const tn_capability capabilities[] = {{TN_ESTIMATE_KEY, &estimates}, {NULL, NULL}};

static const tn_linear_type multifrontal_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "multifrontal",
    .summary = "sparse LU by dense fronts in an order of nested dissection, for structures that fill: lattices, "
               "grids",
    .formula = "P R A C Q = L U;  R, C scale rows and columns, Q from nested dissection (METIS) or approximate "
               "minimum degree, P pivots of at least a tenth of their column",
    .literature = "Duff, Reid: The multifrontal solution of unsymmetric sets of linear equations, SIAM J. Sci. "
                  "Stat. Comput. 5 (1984) 633-641; Karypis, Kumar: A fast and high quality multilevel scheme for "
                  "partitioning irregular graphs, SIAM J. Sci. Comput. 20 (1998) 359-392",
    .capabilities = capabilities,
    .create = create_multifrontal,
    .factor = factor_multifrontal,
    .solve = solve_multifrontal,
    .destroy = destroy_multifrontal,
};

TN_LIBRARY("multifrontal", "1.0.0", "Apache-2.0",
           "sparse linear solver; links METIS (Apache-2.0) and SuiteSparse AMD (BSD-3-Clause)",
           {TN_LINEAR_KIND, &multifrontal_type})
