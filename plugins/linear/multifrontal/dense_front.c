/* dense_front.c - elimination of the pivots of one front, in panels
 *
 * A pivot must not be smaller than a tenth of its column; the one on the diagonal is preferred, so that rows and columns stay in the
 * same order. A column without a good pivot among the rows that are summed up waits for those of its front, then of the parent's. */
#include "multifrontal.h"

#include <math.h>
#include <string.h>

#define SMALLEST_SHARE 0.1 /* of a pivot, of the largest number of its column */

/* Vectors of the widest kind that the processor has: two of them, times TN_FRONT_WIDTH, fill its registers. */
#ifdef __AVX512F__
#define LANES 8
#else
#define LANES 4
#endif
#define HEIGHT (2 * LANES)
typedef double lanes __attribute__((vector_size(8 * LANES), aligned(8)));
typedef double wide __attribute__((vector_size(8 * TN_FRONT_WIDTH), aligned(8)));

/* ---- exchanges ---- */

static void exchange_rows(tn_dense_front *f, int32_t i, int32_t j)
{
    if (i == j) return;
    for (double *column = f->value, *end = column + (size_t)f->size * (size_t)f->stride; column < end;
         column += f->stride) {
        const double kept = column[i];
        column[i] = column[j];
        column[j] = kept;
    }
    const int32_t row = f->row[i];
    f->row[i] = f->row[j];
    f->row[j] = row;
}

static void exchange_columns(tn_dense_front *f, int32_t i, int32_t j)
{
    if (i == j) return;
    double *a = f->value + (size_t)i * (size_t)f->stride, *b = f->value + (size_t)j * (size_t)f->stride;
    for (int32_t k = 0; k < f->size; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
    const int32_t column = f->column[i];
    f->column[i] = f->column[j];
    f->column[j] = column;
}

/* ---- one panel ---- */

static double largest_of(const double *value, int32_t begin, int32_t end)
{
    double largest = 0.0;
    for (int32_t i = begin; i < end; i++)
        largest = fabs(value[i]) > largest ? fabs(value[i]) : largest;
    return largest;
}

/* The row of the pivot for column k, or -1. A column with something that is no number has none. */
static int32_t find_pivot(const tn_dense_front *f, int32_t k)
{
    const double *column = f->value + (size_t)k * (size_t)f->stride;
    const double among = largest_of(column, k, f->candidates);
    const double below = largest_of(column, f->candidates, f->size);
    const double least = SMALLEST_SHARE * (among > below ? among : below);
    if (!(among > 0.0) || among < least || !isfinite(among)) return -1;
    if (fabs(column[k]) >= least) return k;
    for (int32_t i = k; i < f->candidates; i++)
        if (fabs(column[i]) == among) return i;
    return -1;
}

/* Divides column k by its pivot, and eliminates it from the columns up to `end`. */
static void eliminate_column(const tn_dense_front *f, int32_t k, int32_t end)
{
    const size_t stride = (size_t)f->stride;
    double *restrict of_pivot = f->value + (size_t)k * stride;
    const double inverse = 1.0 / of_pivot[k];
    const int32_t size = f->size;
    for (int32_t i = k + 1; i < size; i++)
        of_pivot[i] *= inverse;
    int32_t j = k + 1;
    for (; j + 3 < end; j += 4) {
        double *restrict a = f->value + (size_t)j * stride, *restrict b = a + stride,
                         *restrict c = b + stride, *restrict d = c + stride;
        const double ua = a[k], ub = b[k], uc = c[k], ud = d[k];
        for (int32_t i = k + 1; i < size; i++) {
            const double l = of_pivot[i];
            a[i] -= l * ua;
            b[i] -= l * ub;
            c[i] -= l * uc;
            d[i] -= l * ud;
        }
    }
    for (; j < end; j++) {
        double *restrict a = f->value + (size_t)j * stride;
        const double ua = a[k];
        for (int32_t i = k + 1; i < size; i++)
            a[i] -= of_pivot[i] * ua;
    }
}

/* Pivots from `begin` on; columns without one are put to the end of the panel. Returns where the pivots end. */
static int32_t eliminate_panel(tn_dense_front *f, int32_t begin, int32_t end)
{
    int32_t k = begin, last = end;
    while (k < last) {
        const int32_t row = find_pivot(f, k);
        if (row < 0) {
            last--;
            exchange_columns(f, k, last);
            exchange_rows(f, k, last);
            continue;
        }
        exchange_rows(f, k, row);
        eliminate_column(f, k, end);
        k++;
    }
    return k;
}

/* ---- what is right of and below a panel ---- */

/* Rows of L in packs of HEIGHT, each with all of its columns: [pack][pivot][HEIGHT], zeros below the last row. */
static void pack_lower(const tn_dense_front *f, int32_t begin, int32_t end, double *pack)
{
    for (int32_t i = end; i < f->size; i += HEIGHT) {
        const int32_t rows = f->size - i < HEIGHT ? f->size - i : HEIGHT;
        for (int32_t k = begin; k < end; k++, pack += HEIGHT) {
            const double *from = f->value + (size_t)k * (size_t)f->stride + i;
            for (int32_t r = 0; r < HEIGHT; r++)
                pack[r] = r < rows ? from[r] : 0.0;
        }
    }
}

/* The rows of U of `width` columns: U = L^-1 A; they are put back, and packed as [pivot][TN_FRONT_WIDTH]. */
static void solve_upper(const tn_dense_front *f, int32_t begin, int32_t end, int32_t column, int32_t width,
                        double *pack)
{
    const size_t stride = (size_t)f->stride;
    const int32_t count = end - begin;
    double *first = f->value + (size_t)column * stride + begin;
    for (int32_t k = 0; k < count; k++)
        for (int32_t c = 0; c < TN_FRONT_WIDTH; c++)
            pack[k * TN_FRONT_WIDTH + c] = c < width ? first[(size_t)c * stride + (size_t)k] : 0.0;
    for (int32_t k = 0; k < count; k++) {
        const double *lower = f->value + (size_t)(begin + k) * stride + begin;
        const wide of_pivot = *(const wide *)(const void *)(pack + k * TN_FRONT_WIDTH);
        for (int32_t i = k + 1; i < count; i++)
            *(wide *)(void *)(pack + i * TN_FRONT_WIDTH) -= lower[i] * of_pivot;
    }
    for (int32_t c = 0; c < width; c++)
        for (int32_t k = 0; k < count; k++)
            first[(size_t)c * stride + (size_t)k] = pack[k * TN_FRONT_WIDTH + c];
}

/* to -= lower upper for a tile of HEIGHT rows, or of LANES rows, and `width` columns. */
static inline __attribute__((always_inline)) void update_tile(int32_t count, const double *lower,
                                                              const double *upper, double *to, size_t stride,
                                                              int32_t width, bool half)
{
    lanes a[TN_FRONT_WIDTH] = {0}, b[TN_FRONT_WIDTH] = {0};
    for (int32_t k = 0; k < count; k++, lower += HEIGHT, upper += TN_FRONT_WIDTH) {
        const lanes l = *(const lanes *)(const void *)lower;
        const lanes m = half ? (lanes){0} : *(const lanes *)(const void *)(lower + LANES);
#pragma GCC unroll 8
        for (int c = 0; c < TN_FRONT_WIDTH; c++) {
            a[c] += l * upper[c];
            if (!half) b[c] += m * upper[c];
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < TN_FRONT_WIDTH; c++) {
        if (c >= width) break;
        *(lanes *)(void *)(to + (size_t)c * stride) -= a[c];
        if (!half) *(lanes *)(void *)(to + (size_t)c * stride + LANES) -= b[c];
    }
}

/* Eliminates the pivots of a panel from all columns behind `first`. */
static void update_rest(const tn_dense_front *f, int32_t begin, int32_t end, int32_t first)
{
    const int32_t count = end - begin;
    double *lower = f->memory, *upper = lower + ((size_t)f->size + 2 * TN_FRONT_PAD) * TN_FRONT_PANEL;
    pack_lower(f, begin, end, lower);
    for (int32_t j = first; j < f->size; j += TN_FRONT_WIDTH) {
        const int32_t width = f->size - j < TN_FRONT_WIDTH ? f->size - j : TN_FRONT_WIDTH;
        double *column = f->value + (size_t)j * (size_t)f->stride;
        const double *pack = lower;
        solve_upper(f, begin, end, j, width, upper);
        for (int32_t i = end; i < f->size; i += HEIGHT, pack += (size_t)count * HEIGHT) {
            if (f->size - i <= LANES)
                update_tile(count, pack, upper, column + i, (size_t)f->stride, width, true);
            else if (width == TN_FRONT_WIDTH)
                update_tile(count, pack, upper, column + i, (size_t)f->stride, TN_FRONT_WIDTH, false);
            else
                update_tile(count, pack, upper, column + i, (size_t)f->stride, width, false);
        }
    }
}

/* Puts the columns of a panel that have had no pivot behind all other candidates up to `end`; returns the first of them. */
static int32_t put_last(tn_dense_front *f, int32_t begin, int32_t panel, int32_t end)
{
    for (int32_t late = panel; late-- > begin;) {
        end--;
        exchange_columns(f, late, end);
        exchange_rows(f, late, end);
    }
    return end;
}

int32_t tn_dense_front_eliminate(tn_dense_front *front)
{
    int32_t k = 0,
            end =
                front->candidates; /* columns from there on have had no pivot since the last one was found */
    while (k < end) {
        const int32_t panel = end - k < TN_FRONT_PANEL ? end : k + TN_FRONT_PANEL;
        const int32_t found = eliminate_panel(front, k, panel);
        if (found > k) {
            if (panel < front->size) update_rest(front, k, found, panel);
            (void)put_last(front, found, panel, front->candidates);
            end = front->candidates;
        } else {
            end = put_last(front, k, panel, end);
        }
        k = found;
    }
    return front->is_root && k < front->candidates ? -1 : k;
}
