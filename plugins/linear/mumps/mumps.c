/* mumps.c - sparse LU factorisation by MUMPS, without processes, and the inertia of symmetric matrices by its L D L^T
 *
 * The library keeps state of its own, so one call goes at a time. It prints nothing; where it has too little room it is asked again with
 * more. What it makes depends on the last matrix alone, so the kernel can make it of a saved state again. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>

#include <dmumps_c.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXTRA 1000 /* % of the room that was expected: then there is no sense in more */
#define FIRST_EXTRA 30
#define SMALLEST_SHARE 0.1 /* of a pivot, of the largest number of its column */
enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };
enum { GENERAL = 0, SYMMETRIC = 2 };
enum { WHOLE_WORLD = -987654 }; /* the communicator of the library without processes */

/* Arrays of the library, which counts from 1 as its manual does. */
#define ICNTL(m, i) (m)->icntl[(i)-1]
#define CNTL(m, i) (m)->cntl[(i)-1]
#define INFOG(m, i) (m)->infog[(i)-1]
#define RINFOG(m, i) (m)->rinfog[(i)-1]

/* Of OpenBLAS, where that is the BLAS of the machine. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef struct mumps_solver {
    DMUMPS_STRUC_C mumps;
    bool begun, factored;
    int32_t size;
    int32_t *row, *column; /* [entries] from 1 */
    double *value;         /* [entries] of the matrix that was factorised last */
    double entries, operations;
} mumps_solver;

static tn_status call(DMUMPS_STRUC_C *m, int job)
{
    m->job = job;
    (void)pthread_mutex_lock(&one_at_a_time);
    dmumps_c(m);
    (void)pthread_mutex_unlock(&one_at_a_time);
    switch (INFOG(m, 1)) {
    case -6:  /* of its structure */
    case -10: /* a pivot is zero */
        return TN_RETRY;
    case -5:
    case -7:
    case -13:
        return TN_OUT_OF_MEMORY;
    default:
        return INFOG(m, 1) < 0 ? TN_FATAL : TN_OK;
    }
}

static tn_status begin(DMUMPS_STRUC_C *m, int symmetry)
{
    m->par = 1;
    m->sym = symmetry;
    m->comm_fortran = WHOLE_WORLD;
    const tn_status status = call(m, BEGIN);
    if (status != TN_OK) return status;
    for (int k = 1; k <= 4; k++)
        ICNTL(m, k) = 0; /* prints nothing */
    ICNTL(m, 6) = 0;     /* the order depends on the pattern alone */
    ICNTL(m, 14) = FIRST_EXTRA;
    ICNTL(m, 28) = 1; /* the analysis runs in one process, too */
    CNTL(m, 1) = SMALLEST_SHARE;
    return TN_OK;
}

static void destroy_mumps(void *self)
{
    mumps_solver *s = self;
    if (!s) return;
    if (s->begun) (void)call(&s->mumps, END);
    free(s->row);
    free(s->column);
    free(s->value);
    free(s);
}

static bool list_entries(mumps_solver *s, const tn_matrix *A)
{
    const size_t entries = (size_t)A->column_start[A->size] + 1;
    s->row = malloc(entries * sizeof *s->row);
    s->column = malloc(entries * sizeof *s->column);
    s->value = malloc(entries * sizeof *s->value);
    if (!s->row || !s->column || !s->value) return false;
    for (int32_t j = 0; j < s->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            s->row[e] = A->row[e] + 1;
            s->column[e] = j + 1;
        }
    return true;
}

static tn_status analyse(mumps_solver *s, const tn_matrix *A)
{
    DMUMPS_STRUC_C *m = &s->mumps;
    _Static_assert(sizeof *m->irn == sizeof(int32_t), "MUMPS counts in 32 bits");
    if (!list_entries(s, A)) return TN_OUT_OF_MEMORY;
    tn_status status = begin(m, GENERAL);
    s->begun = status == TN_OK;
    if (status != TN_OK) return status;
    m->n = s->size;
    m->nnz = A->column_start[A->size];
    m->irn = s->row;
    m->jcn = s->column;
    m->a = s->value;
    status = call(m, ANALYSE);
    const double entries = INFOG(m, 20);
    s->entries = entries < 0.0 ? -1e6 * entries : entries; /* millions of them */
    s->operations = RINFOG(m, 1);
    return status;
}

static tn_status create_mumps(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                              void **self)
{
    if (matrix->size > INT32_MAX) {
        tn_say(host, TN_ERROR, "mumps counts in 32 bits: %u unknowns are too many", matrix->size);
        return TN_UNSUPPORTED;
    }
    if (openblas_set_num_threads) openblas_set_num_threads(1); /* with others it adds in another order */
    mumps_solver *s = calloc(1, sizeof *s);
    if (!s) return TN_OUT_OF_MEMORY;
    s->size = (int32_t)matrix->size;
    const tn_status status = s->size ? analyse(s, matrix) : TN_OK;
    if (status == TN_OK) {
        *self = s;
        return TN_OK;
    }
    if (status == TN_FATAL)
        tn_say(host, TN_ERROR, "MUMPS reports error %d in its analysis", INFOG(&s->mumps, 1));
    destroy_mumps(s);
    return status == TN_RETRY ? TN_FATAL : status;
}

/* Pivots that wait for their parents need more room than was expected. */
static tn_status factor_with_room(DMUMPS_STRUC_C *m)
{
    for (;;) {
        const tn_status status = call(m, FACTOR);
        const bool lacks_room = INFOG(m, 1) == -8 || INFOG(m, 1) == -9;
        if (!lacks_room) return status;
        if (ICNTL(m, 14) >= LARGEST_EXTRA) return TN_OUT_OF_MEMORY;
        ICNTL(m, 14) *= 2;
    }
}

static tn_status factor_mumps(void *self, const tn_matrix *matrix)
{
    mumps_solver *s = self;
    if (s->size == 0) return TN_OK;
    memcpy(s->value, matrix->value, (size_t)matrix->column_start[matrix->size] * sizeof *s->value);
    const tn_status status = factor_with_room(&s->mumps);
    s->factored = status == TN_OK;
    return status;
}

static tn_status solve_mumps(void *self, double *right_hand_side)
{
    mumps_solver *s = self;
    if (s->size == 0) return TN_OK;
    if (!s->factored) return TN_FATAL;
    s->mumps.rhs = right_hand_side;
    s->mumps.nrhs = 1;
    s->mumps.lrhs = s->size;
    return call(&s->mumps, SOLVE);
}

static tn_status estimate_mumps(void *self, double *entries, double *operations)
{
    const mumps_solver *s = self;
    *entries = s->entries;
    *operations = s->operations;
    return TN_OK;
}

/* ---- inertia ---- */

/* A factor that tells the entries of a column apart. */
static double mark(int32_t row, int32_t column)
{
    return 1.0 + 0.5 * sin((double)row) + 0.25 * cos(1.7 * (double)column);
}

/* The lower triangle of the matrix that was factorised: its entries, or -1 where it is not symmetric to round-off. */
static int32_t take_triangle(const mumps_solver *s, int32_t *row, int32_t *column, double *value)
{
    const int64_t entries = s->mumps.nnz;
    double *of_column = calloc((size_t)s->size + 1, sizeof *of_column), largest = 0.0, difference = 0.0;
    int32_t count = 0;
    if (!of_column) return -1;
    /* each row above the diagonal against the column below it, by sums of their entries with marks */
    for (int64_t e = 0; e < entries; e++) {
        const int32_t i = s->row[e] - 1, j = s->column[e] - 1;
        largest = fmax(largest, fabs(s->value[e]));
        if (i > j) of_column[j] += s->value[e] * mark(i, j);
        if (i < j) of_column[i] -= s->value[e] * mark(j, i);
        if (i < j) continue;
        row[count] = i + 1;
        column[count] = j + 1;
        value[count++] = s->value[e];
    }
    for (int32_t j = 0; j < s->size; j++)
        difference = fmax(difference, fabs(of_column[j]));
    free(of_column);
    return difference <= 1e-10 * largest ? count : -1;
}

static tn_status count_pivots(DMUMPS_STRUC_C *m, const mumps_solver *s, int32_t *row, int32_t *column,
                              double *value, uint32_t *negative, uint32_t *zero)
{
    const int32_t entries = take_triangle(s, row, column, value);
    if (entries < 0) return TN_UNSUPPORTED;
    m->n = s->size;
    m->nnz = entries;
    m->irn = row;
    m->jcn = column;
    m->a = value;
    ICNTL(m, 24) = 1; /* pivots that are zero are counted */
    tn_status status = call(m, ANALYSE);
    if (status == TN_OK) status = factor_with_room(m);
    *negative = (uint32_t)INFOG(m, 12);
    *zero = (uint32_t)INFOG(m, 28);
    return status;
}

static tn_status inertia_mumps(void *self, uint32_t *positive, uint32_t *negative, uint32_t *zero)
{
    const mumps_solver *s = self;
    *positive = *negative = *zero = 0;
    if (s->size == 0) return TN_OK;
    if (!s->factored) return TN_FATAL;
    const size_t entries = (size_t)s->mumps.nnz;
    DMUMPS_STRUC_C *m = calloc(1, sizeof *m);
    int32_t *row = malloc((entries + 1) * sizeof *row), *column = malloc((entries + 1) * sizeof *column);
    double *value = malloc((entries + 1) * sizeof *value);
    tn_status status = m && row && column && value ? begin(m, SYMMETRIC) : TN_OUT_OF_MEMORY;
    if (status == TN_OK) {
        status = count_pivots(m, s, row, column, value, negative, zero);
        (void)call(m, END);
    }
    if (status == TN_OK) *positive = (uint32_t)s->size - *negative - *zero;
    free(m);
    free(row);
    free(column);
    free(value);
    return status;
}

static const tn_estimate_capability estimates = {.struct_size = sizeof estimates, .estimate = estimate_mumps};
static const tn_inertia_capability inertias = {.struct_size = sizeof inertias, .inertia = inertia_mumps};
static const tn_capability capabilities[] = {
    {TN_ESTIMATE_KEY, &estimates}, {TN_INERTIA_KEY, &inertias}, {NULL, NULL}};

static const tn_linear_type mumps_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "mumps",
    .summary = "sparse LU by MUMPS (CeCILL-C library), with the inertia of symmetric matrices",
    .formula = "P A Q = L U, pivots of at least a tenth of their column;  for the inertia P A P^T = L D L^T",
    .literature = "Amestoy, Duff, L'Excellent, Koster: A fully asynchronous multifrontal solver using "
                  "distributed dynamic "
                  "scheduling, SIAM J. Matrix Anal. Appl. 23 (2001) 15-41",
    .capabilities = capabilities,
    .create = create_mumps,
    .factor = factor_mumps,
    .solve = solve_mumps,
    .destroy = destroy_mumps,
};

TN_LIBRARY("mumps", "1.0.0", "Apache-2.0",
           "sparse linear solver; links MUMPS without processes, which is under CeCILL-C",
           {TN_LINEAR_KIND, &mumps_type})
