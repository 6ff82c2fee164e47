/* multifrontal.c - sparse LU factorisation by fronts: dense matrices that are assembled and eliminated up a tree
 *
 * For structures that fill: lattices, grids, nets of beams. Their factors are large dense blocks, and these are multiplied at the
 * speed of the processor. The factors depend on the last matrix alone, so the kernel can make those of a saved state again. */
#include "multifrontal.h"

#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct multifrontal {
    const tn_host *host;
    int32_t size;
    tn_group_graph graph;       /* of the pattern announced */
    tn_elimination elimination; /* of that */
    tn_components components;   /* of the last matrix */
    tn_fronts fronts;
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
    tn_doubled doubled;                 /* complex matrices, and */
    void *of_doubled;                   /* another one of these for them; NULL: there was none yet */
} multifrontal;

static void forget_fronts(multifrontal *m)
{
    for (int32_t f = 0; m->factors && f < m->fronts.count; f++)
        free(m->factors[f].memory);
    free(m->factors);
    m->factors = NULL;
    tn_fronts_free(&m->fronts);
}

static void destroy_multifrontal(void *self)
{
    multifrontal *m = self;
    if (!m) return;
    destroy_multifrontal(m->of_doubled);
    tn_doubled_free(&m->doubled);
    forget_fronts(m);
    tn_components_free(&m->components);
    tn_elimination_free(&m->elimination);
    tn_group_graph_free(&m->graph);
    void *const memory[] = {m->row_scale, m->column_scale, m->scaled, m->of_row,    m->of_column, m->value,
                            m->memory,    m->row,          m->column, m->in_parent, m->waiting};
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
    m->host = host;
    m->size = (int32_t)size;
    *self = m;
    tn_status status = size ? tn_group_graph_make(&m->graph, matrix) : TN_OK;
    if (status == TN_OK && size) status = tn_elimination_find(&m->elimination, &m->graph);
    if (status == TN_UNSUPPORTED)
        tn_say(host, TN_ERROR, "multifrontal counts in 32 bits: %d entries of a matrix are too many",
               matrix->column_start[size]);
    if (status == TN_OK) {
        m->components.part = calloc(size + 1, sizeof *m->components.part);
        m->row_scale = calloc(size + 1, sizeof(double));
        m->column_scale = calloc(size + 1, sizeof(double));
        m->scaled = calloc((size_t)matrix->column_start[size] + 1, sizeof(double));
        m->of_row = malloc((size + 1) * sizeof(double));
        m->of_column = malloc((size + 1) * sizeof(double));
        const bool has_memory =
            m->components.part && m->row_scale && m->column_scale && m->scaled && m->of_row && m->of_column;
        if (!has_memory) status = TN_OUT_OF_MEMORY;
    }
    if (status == TN_OK) return TN_OK;
    destroy_multifrontal(m);
    *self = NULL;
    return status;
}

/* ---- fronts ---- */

static tn_status plan_parts(multifrontal *m, const tn_matrix *matrix)
{
    tn_group_graph graph = {0};
    tn_elimination elimination = {0};
    int32_t *origin = malloc(((size_t)m->size + 1) * sizeof *origin);
    tn_status status =
        origin ? tn_group_graph_split(&graph, origin, &m->graph, &m->components) : TN_OUT_OF_MEMORY;
    if (status == TN_OK)
        status = tn_elimination_split(&elimination, &graph, origin, &m->elimination, m->graph.groups);
    if (status == TN_OK) status = tn_fronts_plan(&m->fronts, matrix, &graph, &elimination, &m->components);
    tn_group_graph_free(&graph);
    tn_elimination_free(&elimination);
    free(origin);
    return status;
}

/* The fronts for the parts that there are. */
static tn_status plan(multifrontal *m, const tn_matrix *matrix)
{
    forget_fronts(m);
    const tn_status status = m->components.between_count ? plan_parts(m, matrix)
                                                         : tn_fronts_plan(&m->fronts, matrix, &m->graph,
                                                                          &m->elimination, &m->components);
    if (status == TN_OK) m->factors = calloc((size_t)m->fronts.count + 1, sizeof *m->factors);
    if (m->factors) return TN_OK;
    tn_fronts_free(&m->fronts);
    return status == TN_OK ? TN_OUT_OF_MEMORY : status;
}

/* Those for this matrix, where there are none yet, or others. */
static tn_status plan_for(multifrontal *m, const tn_matrix *matrix)
{
    if (m->factors && tn_components_hold(&m->components, matrix)) return TN_OK;
    forget_fronts(m);
    return tn_components_find(&m->components, matrix) ? plan(m, matrix) : TN_OUT_OF_MEMORY;
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
        const size_t room =
            needed > (size_t)m->fronts.waiting ? needed + needed / 4 : (size_t)m->fronts.waiting;
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
    return tn_front_factors_keep(&m->factors[f], &front, pivots) && leave(m, &front, pivots)
               ? TN_OK
               : TN_OUT_OF_MEMORY;
}

/* Of the matrix that is scaled. */
static tn_status factor_scaled(multifrontal *m)
{
    const int32_t count = m->fronts.count;
    int32_t *waits = malloc((size_t)count * sizeof *waits), top = 0;
    if (!waits) return TN_OUT_OF_MEMORY;
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

static tn_status factor_multifrontal(void *self, const tn_matrix *matrix)
{
    multifrontal *m = self;
    if (m->size == 0) return TN_OK;
    m->factored = false;
    const tn_status status = plan_for(m, matrix);
    if (status != TN_OK) return status;
    scale(m, matrix);
    return factor_scaled(m);
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

/* ---- complex matrices ---- */

static tn_status make_doubled(multifrontal *m, const tn_matrix *pattern)
{
    if (m->of_doubled) return TN_OK;
    tn_doubled_free(&m->doubled);
    if (!tn_doubled_make(&m->doubled, pattern)) return TN_OUT_OF_MEMORY;
    return create_multifrontal(m->host, NULL, &m->doubled.matrix, &m->of_doubled);
}

static tn_status factor_complex(void *self, const tn_matrix *pattern, const double *value)
{
    multifrontal *m = self;
    if (m->size == 0) return TN_OK;
    const tn_status status = make_doubled(m, pattern);
    if (status != TN_OK) return status;
    tn_doubled_fill(&m->doubled, pattern, value);
    return factor_multifrontal(m->of_doubled, &m->doubled.matrix);
}

static tn_status solve_complex(void *self, double *right_hand_side)
{
    multifrontal *m = self;
    if (m->size == 0) return TN_OK;
    return m->of_doubled ? solve_multifrontal(m->of_doubled, right_hand_side) : TN_FATAL;
}

/* ---- what factors cost, and state ---- */

static tn_status estimate_multifrontal(void *self, double *entries, double *operations)
{
    const multifrontal *m = self;
    *entries = m->factors ? m->fronts.entries : m->elimination.entries;
    *operations = m->factors ? m->fronts.operations : m->elimination.operations;
    return TN_OK;
}

/* Measured on lattices and grids: large fronts take 0.05 ns an operation, and each unknown its share of a small front; substitution
 * reads a number in 0.8 ns. */
static tn_status cost_of_multifrontal(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    multifrontal *m = self;
    const double unknowns = m->size;
    *cost = (tn_linear_cost){0};
    const tn_status status = m->size ? plan_for(m, matrix) : TN_OK;
    if (status != TN_OK) return status;
    cost->entries = m->fronts.entries;
    cost->operations = m->fronts.operations;
    cost->factorisation = 5e-11 * cost->operations + 4e-9 * cost->entries + 5e-7 * unknowns;
    cost->solution = 8e-10 * cost->entries + 3e-8 * unknowns;
    cost->memory = 8.0 * (cost->entries + m->fronts.room + m->fronts.waiting);
    return TN_OK;
}

/* What later factorisations depend on, and the matrix of this one, from which its factors are made again. */
static tn_status state_of_real(multifrontal *m, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    const size_t size = (size_t)m->size;
    bool planned = m->factors != NULL, factored = m->factored;
    TN_VISIT(visitor, planned);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, m->components.renewals);
    TN_VISIT(visitor, m->components.count);
    visitor->bytes(visitor, m->components.part, size * sizeof *m->components.part);
    tn_visit_numbers(visitor, m->row_scale, size);
    tn_visit_numbers(visitor, m->column_scale, size);
    tn_visit_numbers(visitor, m->scaled, (size_t)matrix->column_start[size]);
    if (!visitor->restores) return TN_OK;
    forget_fronts(m);
    m->factored = false;
    if (!planned) return TN_OK;
    if (!tn_components_list(&m->components, matrix)) return TN_OUT_OF_MEMORY;
    const tn_status status = plan(m, matrix);
    return status == TN_OK && factored ? factor_scaled(m) : status;
}

static tn_status state_of_multifrontal(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    multifrontal *m = self;
    if (m->size == 0) return TN_OK;
    tn_status status = state_of_real(m, matrix, visitor);
    bool is_complex = m->of_doubled != NULL;
    TN_VISIT(visitor, is_complex);
    if (status == TN_OK && is_complex) status = make_doubled(m, matrix);
    return status == TN_OK && is_complex ? state_of_real(m->of_doubled, &m->doubled.matrix, visitor) : status;
}

static const tn_linear_state_capability state = {.struct_size = sizeof state, .state = state_of_multifrontal};
static const tn_estimate_capability estimates = {.struct_size = sizeof estimates,
                                                 .estimate = estimate_multifrontal};
static const tn_cost_capability costs = {.struct_size = sizeof costs, .cost = cost_of_multifrontal};
static const tn_complex_capability complex_matrices = {
    .struct_size = sizeof complex_matrices, .factor_complex = factor_complex, .solve_complex = solve_complex};
static const tn_capability capabilities[] = {{TN_LINEAR_STATE_KEY, &state},
                                             {TN_COMPLEX_KEY, &complex_matrices},
                                             {TN_ESTIMATE_KEY, &estimates},
                                             {TN_COST_KEY, &costs},
                                             {NULL, NULL}};

static const tn_linear_type multifrontal_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "multifrontal",
    .summary =
        "sparse LU by dense fronts in an order of nested dissection, for structures that fill: lattices, "
        "grids",
    .formula =
        "P R A C Q = L U;  R, C scale rows and columns, Q from nested dissection (METIS) or approximate "
        "minimum degree, P pivots of at least a tenth of their column",
    .literature =
        "Duff, Reid: The multifrontal solution of unsymmetric sets of linear equations, SIAM J. Sci. "
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
