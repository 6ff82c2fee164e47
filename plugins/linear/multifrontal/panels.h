/* panels.h - columns of a factor with about the same rows as dense panels, and substitution with them.
 *
 * In factors that fill most columns have the rows of their neighbours. Side by side they need one list of rows, are read as long streams,
 * and several of them are applied at a time: substitution takes 0.6 of the time of that column by column. Zeros are put in where that makes
 * panels wider, up to a share (fronts.h). */
#ifndef TENON_MULTIFRONTAL_PANELS_H
#define TENON_MULTIFRONTAL_PANELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PANEL_LARGE_PAGE ((size_t)1 << 21)
enum { PANEL_LANES = 4 }; /* of a vector: columns have a multiple of it */
#define PANEL_MOST 1.2    /* numbers of a panel, against its entries */
#define PANEL_FEW_ZEROS 8 /* are put in anyway */

/* Wherever a number stands; no function passes one, as how depends on the processor that is compiled for. */
typedef double panel_lanes
    __attribute__((vector_size(PANEL_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
#define PANEL_AT(number) (*(const panel_lanes *)(const void *)(number))

/* Of the columns first to first + width - 1: below the diagonal of each those of the others, then rows behind all of them. */
typedef struct panel {
    int32_t first, width, rows; /* rows listed; a column has room for a multiple of PANEL_LANES */
    size_t row,
        value; /* where these begin; the list of rows is as long as a column, too, and ends with `size`s */
} panel;

/* Strictly lower triangular. */
typedef struct panels {
    int32_t count;
    panel *panel; /* [count] */
    int32_t *row;
    double *value;
    size_t panel_room, row_room, value_room;
} panels;

static inline void panels_free(panels *p)
{
    free(p->panel);
    free(p->row);
    free(p->value);
    *p = (panels){0};
}

static inline size_t panel_stride(const panel *one)
{
    return ((size_t)one->rows + PANEL_LANES - 1) / PANEL_LANES * PANEL_LANES;
}

/* Numbers of a panel before its rectangle. */
static inline size_t panel_triangle(const panel *one)
{
    return (size_t)one->width * ((size_t)one->width - 1) / 2;
}

/* Every substitution reads all of the numbers. In large pages, of which there are few, they stay in the cache between two of them, if they find
 * room there at all. */
static inline void *panel_memory(size_t bytes)
{
    if (bytes < PANEL_LARGE_PAGE) return malloc(bytes);
    const size_t whole = (bytes + PANEL_LARGE_PAGE - 1) & ~(PANEL_LARGE_PAGE - 1);
    void *memory = aligned_alloc(PANEL_LARGE_PAGE, whole);
    if (memory) (void)madvise(memory, whole, MADV_HUGEPAGE); /* advice: it may be refused */
    return memory;
}

static inline bool panels_room(void **memory, size_t *room, size_t count, size_t size)
{
    if (count <= *room) return true;
    free(*memory);
    *memory = panel_memory(count * size);
    *room = *memory ? count : 0;
    return *memory != NULL;
}

/* ---- substitution ------------------------------------------------------------------------------------------------ */

/* Most panels are narrow: their loops are compiled for each of these widths. */
enum { PANEL_NARROW = 4 };
#define PANEL_INLINE static inline __attribute__((always_inline))

static inline double panel_sum(const panel_lanes *lanes)
{
    return ((*lanes)[0] + (*lanes)[1]) + ((*lanes)[2] + (*lanes)[3]);
}

PANEL_INLINE void panel_subtract(double *x, const int32_t *row, const panel_lanes *t)
{
    for (size_t k = 0; k < PANEL_LANES; k++)
        x[row[k]] -= (*t)[k];
}

PANEL_INLINE void panel_collect(const double *x, const int32_t *row, panel_lanes *t)
{
    *t = (panel_lanes){x[row[0]], x[row[1]], x[row[2]], x[row[3]]};
}

/* Below the diagonal of the panel's own columns. */
static inline void panel_begin(const double *restrict value, int32_t width, double *restrict own)
{
    for (int32_t j = 0; j + 1 < width; j++) {
        const double factor = own[j];
        for (int32_t i = j + 1; i < width; i++)
            own[i] -= *value++ * factor;
    }
}

PANEL_INLINE void panel_narrow(const double *restrict value, const int32_t *row, size_t stride, int32_t width,
                               int32_t first, double *restrict x)
{
    const double *rectangle = value + width * (width - 1) / 2;
    double own[PANEL_NARROW];
    for (int32_t j = 0; j < width; j++)
        own[j] = x[first + j];
    panel_begin(value, width, own);
    for (int32_t j = 1; j < width; j++)
        x[first + j] = own[j];
    for (size_t i = 0; i < stride; i += PANEL_LANES) {
        panel_lanes sum = PANEL_AT(rectangle + i) * own[0];
        for (int32_t j = 1; j < width; j++)
            sum += PANEL_AT(rectangle + (size_t)j * stride + i) * own[j];
        panel_subtract(x, row + i, &sum);
    }
}

/* t = rectangle x. */
static inline void panel_multiply(const double *restrict rectangle, size_t stride, int32_t width,
                                  const double *restrict x, double *restrict t)
{
    int32_t j = width % 4;
    memset(t, 0, stride * sizeof *t);
    for (int32_t k = 0; k < j; k++, rectangle += stride)
        for (size_t i = 0; i < stride; i += PANEL_LANES)
            *(panel_lanes *)(void *)(t + i) += PANEL_AT(rectangle + i) * x[k];
    for (; j < width; j += 4, rectangle += 4 * stride)
        for (size_t i = 0; i < stride; i += PANEL_LANES) {
            panel_lanes *sum = (panel_lanes *)(void *)(t + i);
            *sum += (PANEL_AT(rectangle + i) * x[j] + PANEL_AT(rectangle + stride + i) * x[j + 1]) +
                    (PANEL_AT(rectangle + 2 * stride + i) * x[j + 2] +
                     PANEL_AT(rectangle + 3 * stride + i) * x[j + 3]);
        }
}

/* x -= rectangle^T t. */
static inline void panel_multiply_transposed(const double *restrict rectangle, size_t stride, int32_t width,
                                             double *restrict x, const double *restrict t)
{
    int32_t j = 0;
    for (; j + 4 <= width; j += 4, rectangle += 4 * stride) {
        panel_lanes sum[4] = {{0.0}};
        for (size_t i = 0; i < stride; i += PANEL_LANES) {
            const panel_lanes factor = PANEL_AT(t + i);
            for (size_t k = 0; k < 4; k++)
                sum[k] += PANEL_AT(rectangle + k * stride + i) * factor;
        }
        for (int32_t k = 0; k < 4; k++)
            x[j + k] -= panel_sum(&sum[k]);
    }
    for (; j < width; j++, rectangle += stride) {
        panel_lanes sum = {0.0};
        for (size_t i = 0; i < stride; i += PANEL_LANES)
            sum += PANEL_AT(rectangle + i) * PANEL_AT(t + i);
        x[j] -= panel_sum(&sum);
    }
}

static inline double panel_product(const double *a, const double *b, int32_t count)
{
    panel_lanes lanes = {0.0};
    int32_t i = 0;
    for (; i + PANEL_LANES <= count; i += PANEL_LANES)
        lanes += PANEL_AT(a + i) * PANEL_AT(b + i);
    double sum = panel_sum(&lanes);
    for (; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline bool panel_is_zero(const panel *one, const double *x)
{
    for (int32_t j = 0; j < one->width; j++)
        if (x[j] != 0.0) return false;
    return true;
}

static inline void panel_wide(const panel *one, const double *value, const int32_t *row, double *restrict x,
                              double *restrict t)
{
    const size_t stride = panel_stride(one);
    panel_begin(value, one->width, x + one->first);
    panel_multiply(value + panel_triangle(one), stride, one->width, x + one->first, t);
    for (size_t i = 0; i < stride; i += PANEL_LANES)
        panel_subtract(x, row + i, (const panel_lanes *)(const void *)(t + i));
}

/* Replaces x [size] by the solution with the factor, whose diagonal is 1; x has room for one number more, and `t` [size + PANEL_LANES] is
 * memory. */
static inline void panels_solve(const panels *p, double *restrict x, double *restrict t)
{
    for (int32_t k = 0; k < p->count; k++) {
        const panel *one = &p->panel[k];
        const double *value = p->value + one->value;
        const int32_t *row = p->row + one->row;
        const size_t stride = panel_stride(one);
        if (panel_is_zero(one, x + one->first))
            continue; /* most of them where a right-hand side has few entries */
        switch (one->width) {
        case 1:
            panel_narrow(value, row, stride, 1, one->first, x);
            break;
        case 2:
            panel_narrow(value, row, stride, 2, one->first, x);
            break;
        case 3:
            panel_narrow(value, row, stride, 3, one->first, x);
            break;
        case PANEL_NARROW:
            panel_narrow(value, row, stride, PANEL_NARROW, one->first, x);
            break;
        default:
            panel_wide(one, value, row, x, t);
        }
    }
}

PANEL_INLINE void panel_narrow_transposed(const double *restrict value, const int32_t *row, size_t stride,
                                          int32_t width, const double *diagonal, int32_t first,
                                          double *restrict x)
{
    const double *rectangle = value + width * (width - 1) / 2;
    panel_lanes sum[PANEL_NARROW] = {{0.0}};
    double own[PANEL_NARROW];
    for (size_t i = 0; i < stride; i += PANEL_LANES) {
        panel_lanes t;
        panel_collect(x, row + i, &t);
        for (int32_t j = 0; j < width; j++)
            sum[j] += PANEL_AT(rectangle + (size_t)j * stride + i) * t;
    }
    for (int32_t j = width; j-- > 0;) {
        const double *column = rectangle - (width - j) * (width - j - 1) / 2;
        own[j] = x[first + j] - panel_sum(&sum[j]);
        for (int32_t i = j + 1; i < width; i++)
            own[j] -= column[i - j - 1] * own[i];
        x[first + j] = own[j] *= diagonal[first + j];
    }
}

static inline void panel_wide_transposed(const panel *one, const double *value, const int32_t *row,
                                         const double *diagonal, double *restrict x, double *restrict t)
{
    const size_t stride = panel_stride(one);
    const double *rectangle = value + panel_triangle(one);
    double *own = x + one->first;
    for (size_t i = 0; i < stride; i += PANEL_LANES)
        panel_collect(x, row + i, (panel_lanes *)(void *)(t + i));
    panel_multiply_transposed(rectangle, stride, one->width, own, t);
    for (int32_t j = one->width; j-- > 0;) {
        const int32_t below = one->width - j - 1;
        const double *column = rectangle - (below + 1) * below / 2;
        own[j] = (own[j] - panel_product(column, own + j + 1, below)) * diagonal[one->first + j];
    }
}

/* The same with the transposed factor, and a diagonal of its own, whose inverse is given. */
static inline void panels_solve_transposed(const panels *p, const double *diagonal, double *restrict x,
                                           double *restrict t)
{
    for (int32_t k = p->count; k-- > 0;) {
        const panel *one = &p->panel[k];
        const double *value = p->value + one->value;
        const int32_t *row = p->row + one->row;
        const size_t stride = panel_stride(one);
        switch (one->width) {
        case 1:
            panel_narrow_transposed(value, row, stride, 1, diagonal, one->first, x);
            break;
        case 2:
            panel_narrow_transposed(value, row, stride, 2, diagonal, one->first, x);
            break;
        case 3:
            panel_narrow_transposed(value, row, stride, 3, diagonal, one->first, x);
            break;
        case PANEL_NARROW:
            panel_narrow_transposed(value, row, stride, PANEL_NARROW, diagonal, one->first, x);
            break;
        default:
            panel_wide_transposed(one, value, row, diagonal, x, t);
        }
    }
}

#endif
