/* eliminate.h - the numbers of the factors, panel by panel: its entries of the matrix and what its children have left are summed up, its columns
 * are eliminated by dense operations of BLAS and LAPACK, and what is left of its rows waits on a stack for its parent.
 *
 * Pivots are exchanged within the diagonal block of a panel, where that costs nothing (Schenk, Gaertner: Solving unsymmetric sparse systems
 * of linear equations with PARDISO, Future Generation Computer Systems 20 (2004) 475-487). */
#ifndef TENON_MULTIFRONTAL_ELIMINATE_H
#define TENON_MULTIFRONTAL_ELIMINATE_H

#include <tenon/kit/blas.h>

#include "fronts.h"

#include <cblas.h>
#include <lapack.h>

typedef struct front_numbers {
    int32_t size;
    int32_t *row;            /* [size] unknowns whose equations have the pivots */
    int32_t *moved;          /* [size] where exchanges have put the row of each place */
    int32_t *local;          /* [size + 1] where a row stands in the list of the panel */
    int32_t *pivot;          /* [size] as dgetrf() tells exchanges */
    double *scale, *inverse; /* [size] of rows of the matrix; of pivots */
    double *x, *product;     /* [size + 1], [size + PANEL_LANES] memory of substitution */
    double *stack, *block;   /* blocks that wait; the diagonal block */
    size_t stack_room, block_room;
    bool has_buffer; /* BLAS has been called */
} front_numbers;

static inline void front_numbers_free(front_numbers *n)
{
    void *const memory[] = {n->row,     n->moved, n->local,   n->pivot, n->scale,
                            n->inverse, n->x,     n->product, n->stack, n->block};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    *n = (front_numbers){0};
}

static inline bool front_numbers_allocate(front_numbers *n, int32_t size)
{
    const size_t count = (size_t)size + 1;
    *n = (front_numbers){.size = size};
    n->row = malloc(count * sizeof *n->row);
    n->moved = malloc(count * sizeof *n->moved);
    n->local = malloc(count * sizeof *n->local);
    n->pivot = malloc(count * sizeof *n->pivot);
    n->scale = malloc(count * sizeof *n->scale);
    n->inverse = malloc(count * sizeof *n->inverse);
    n->x = malloc(count * sizeof *n->x);
    n->product = malloc((count + PANEL_LANES) * sizeof *n->product);
    return n->row && n->moved && n->local && n->pivot && n->scale && n->inverse && n->x && n->product;
}

/* Room for these panels. */
static inline bool front_numbers_fit(front_numbers *n, const fronts *f)
{
    return panels_room((void **)&n->stack, &n->stack_room, f->stack_room + 1, sizeof *n->stack) &&
           panels_room((void **)&n->block, &n->block_room, f->block_room + 1, sizeof *n->block) &&
           (n->has_buffer || tn_blas_begin(0));
}

/* Inverse of the largest magnitude in each row; 1 for a row of zeros. */
static inline void front_scale(front_numbers *n, const used_pattern *A)
{
    memset(n->scale, 0, (size_t)n->size * sizeof *n->scale);
    for (int32_t e = 0; e < A->start[n->size]; e++) {
        double *largest = &n->scale[A->row[e]];
        const double magnitude = fabs(A->value[e]);
        *largest = *largest > magnitude ? *largest : magnitude;
    }
    for (int32_t i = 0; i < n->size; i++)
        n->scale[i] = n->scale[i] > 0.0 ? 1.0 / n->scale[i] : 1.0;
}

/* ---- one panel --------------------------------------------------------------------------------------------------- */

/* A panel with its numbers: the diagonal block [width^2], the columns below it and the rows beside it, transposed, [stride width] each, and the
 * block of its rows [rows^2]; all by columns. */
typedef struct front {
    int32_t first, width, rows, behind;
    size_t stride;
    const int32_t *row;
    double *diagonal, *below, *beside, *left;
} front;

static inline front front_of(const fronts *f, const front_numbers *n, int32_t s, double *left)
{
    const panel *one = &f->upper.panel[s];
    const size_t rectangle = one->value + panel_triangle(one);
    return (front){one->first,
                   one->width,
                   one->rows,
                   one->first + one->width,
                   panel_stride(one),
                   f->upper.row + one->row,
                   n->block,
                   f->lower.value + rectangle,
                   f->upper.value + rectangle,
                   left};
}

static inline void front_clear(const front *t, int32_t *local)
{
    const size_t width = (size_t)t->width, rows = (size_t)t->rows;
    memset(t->diagonal, 0, width * width * sizeof(double));
    memset(t->below, 0, t->stride * width * sizeof(double));
    memset(t->beside, 0, t->stride * width * sizeof(double));
    memset(t->left, 0, rows * rows * sizeof(double));
    for (int32_t i = 0; i < t->rows; i++)
        local[t->row[i]] = i;
}

static inline void front_add_entries(const front *t, const fronts *f, const front_numbers *n,
                                     const used_pattern *A)
{
    for (int32_t k = 0; k < t->width; k++) {
        const int32_t own = f->order[t->first + k];
        double *diagonal = t->diagonal + (size_t)k * (size_t)t->width,
               *below = t->below + (size_t)k * t->stride, *beside = t->beside + (size_t)k * t->stride;
        for (int32_t e = A->start[own]; e < A->start[own + 1]; e++) {
            const int32_t i = f->place[A->row[e]];
            if (i < t->first) continue;
            *(i < t->behind ? diagonal + (i - t->first) : below + n->local[i]) +=
                A->value[e] * n->scale[A->row[e]];
        }
        for (int32_t e = f->row_start[own]; e < f->row_start[own + 1]; e++) {
            const int32_t j = f->place[f->row_column[e]];
            if (j >= t->behind) beside[n->local[j]] += A->value[f->row_entry[e]] * n->scale[own];
        }
    }
}

/* What a child has left. The rows of its list that belong to the panel itself come first. */
static inline void front_add_child(const front *t, const panel *child, const int32_t *row, const double *left,
                                   const int32_t *local)
{
    const size_t width = (size_t)t->width, rows = (size_t)t->rows;
    int32_t own = 0;
    while (own < child->rows && row[own] < t->behind)
        own++;
    for (int32_t b = 0; b < child->rows; b++, left += child->rows) {
        if (b < own) {
            double *diagonal = t->diagonal + (size_t)(row[b] - t->first) * width,
                   *below = t->below + (size_t)(row[b] - t->first) * t->stride;
            for (int32_t a = 0; a < own; a++)
                diagonal[row[a] - t->first] += left[a];
            for (int32_t a = own; a < child->rows; a++)
                below[local[row[a]]] += left[a];
        } else {
            double *beside = t->beside + local[row[b]], *to = t->left + (size_t)local[row[b]] * rows;
            for (int32_t a = 0; a < own; a++)
                beside[(size_t)(row[a] - t->first) * t->stride] += left[a];
            for (int32_t a = own; a < child->rows; a++)
                to[local[row[a]]] += left[a];
        }
    }
}

/* The exchanges of its pivots, for equations and for the rows beside it. */
static inline void front_exchange(const front *t, front_numbers *n)
{
    for (int32_t k = 0; k < t->width; k++) {
        const int32_t other = n->pivot[k] - 1, one = n->row[t->first + k];
        if (other == k) continue;
        n->row[t->first + k] = n->row[t->first + other];
        n->row[t->first + other] = one;
        cblas_dswap(t->rows, t->beside + (size_t)k * t->stride, 1, t->beside + (size_t)other * t->stride, 1);
    }
}

/* Packs what is below the diagonal and beside it. */
static inline void front_pack(const front *t, double *lower, double *upper, front_numbers *n)
{
    const size_t width = (size_t)t->width;
    for (size_t j = 0; j < width; j++) {
        n->inverse[(size_t)t->first + j] = 1.0 / t->diagonal[j * width + j];
        for (size_t i = j + 1; i < width; i++) {
            *lower++ = t->diagonal[j * width + i];
            *upper++ = t->diagonal[i * width + j];
        }
    }
}

/* L21 = A21 U11^-1, U12 = L11^-1 A12, and what is left: A22 - L21 U12. False where it has no pivots. */
static inline bool front_eliminate(const front *t, front_numbers *n)
{
    const int32_t width = t->width, stride = (int32_t)t->stride;
    int32_t info = 0;
    LAPACK_dgetrf(&width, &width, t->diagonal, &width, n->pivot, &info);
    if (info != 0) return false;
    front_exchange(t, n);
    if (t->rows == 0) return true;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, t->rows, width, 1.0,
                t->diagonal, width, t->below, stride);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, t->rows, width, 1.0,
                t->diagonal, width, t->beside, stride);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, t->rows, t->rows, width, -1.0, t->below, stride,
                t->beside, stride, 1.0, t->left, t->rows);
    return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* The rows of L behind the exchanges. */
static inline void front_move_rows(fronts *f, front_numbers *n)
{
    for (int32_t k = 0; k < f->size; k++)
        n->moved[f->place[n->row[k]]] = k;
    n->moved[f->size] = f->size; /* what stands in no row */
    for (int32_t s = 0; s < f->lower.count; s++) {
        const panel *one = &f->lower.panel[s];
        for (size_t i = 0; i < panel_stride(one); i++)
            f->lower.row[one->row + i] = n->moved[f->upper.row[one->row + i]];
    }
}

/* False where a panel has no pivots. */
static inline bool fronts_eliminate(fronts *f, front_numbers *n, const used_pattern *A)
{
    double *top = n->stack;
    n->has_buffer = true;
    front_scale(n, A);
    memcpy(n->row, f->order, (size_t)f->size * sizeof *n->row);
    for (int32_t s = 0; s < f->upper.count; s++) {
        const front t = front_of(f, n, s, top);
        const size_t own = (size_t)t.rows * (size_t)t.rows;
        front_clear(&t, n->local);
        front_add_entries(&t, f, n, A);
        for (int32_t child = f->child[s]; child >= 0; child = f->next[child]) {
            const panel *one = &f->upper.panel[child];
            top -= (size_t)one->rows * (size_t)one->rows;
            front_add_child(&t, one, f->upper.row + one->row, top, n->local);
        }
        if (!front_eliminate(&t, n)) return false;
        front_pack(&t, f->lower.value + f->lower.panel[s].value, f->upper.value + f->upper.panel[s].value, n);
        memmove(top, t.left, own * sizeof *top);
        top += own;
    }
    front_move_rows(f, n);
    return true;
}

/* Replaces b by the solution. */
static inline void fronts_solve(const fronts *f, const front_numbers *n, double *b)
{
    for (int32_t k = 0; k < f->size; k++)
        n->x[k] = b[n->row[k]] * n->scale[n->row[k]];
    n->x[f->size] = 0.0; /* where panels put what stands in no row */
    panels_solve(&f->lower, n->x, n->product);
    n->x[f->size] = 0.0;
    panels_solve_transposed(&f->upper, n->inverse, n->x, n->product);
    for (int32_t k = 0; k < f->size; k++)
        b[f->order[k]] = n->x[k];
}

#endif
