/* constraints.c - which rows are those of constraints, and their Schur complement, by which they are preconditioned
 *
 * The kernel numbers bodies, then constraints, which couple with bodies alone. So do some bodies: values tell these apart. Of the
 * kernel's matrix entries of a constraint have the other sign beyond the diagonal, of a symmetric one its diagonal is not positive. */
#include "iterative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SHARED = 32
}; /* constraints on one body between which blocks are kept: of a hub they would be its square */

/* ---- pattern of the Schur complement --------------------------------------------------------------------------------- */

/* The first of the last blocks that couple with none of each other. */
static uint32_t find_tail(const block_matrix *F)
{
    uint32_t b = F->count;
    while (b > 0 && F->diagonal[b - 1] + 1 == F->row_start[b])
        b--;
    return b;
}

/* The first entry of the row of a body that is on a constraint. */
static int32_t first_on_tail(const iterative *k, uint32_t body)
{
    int32_t e = k->F.row_start[body + 1];
    while (e > k->F.row_start[body] && (uint32_t)k->F.column[e - 1] >= k->tail)
        e--;
    return e;
}

static bool is_hub(const iterative *k, uint32_t body)
{
    return k->F.row_start[body + 1] - first_on_tail(k, body) > MOST_SHARED;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Lists, where `to` is there, the constraints that share a body with constraint i of the tail, and itself. */
static int32_t list_complement(const iterative *k, uint32_t i, uint32_t *mark, int32_t *to)
{
    const block_matrix *F = &k->F;
    const uint32_t row = k->tail + i;
    int32_t count = 1;
    mark[i] = i + 1;
    if (to) to[0] = (int32_t)i;
    for (int32_t e = F->row_start[row]; e < F->diagonal[row]; e++) {
        const uint32_t body = (uint32_t)F->column[e];
        if (is_hub(k, body)) continue;
        for (int32_t f = first_on_tail(k, body); f < F->row_start[body + 1]; f++) {
            const uint32_t other = (uint32_t)F->column[f] - k->tail;
            if (mark[other] == i + 1) continue;
            mark[other] = i + 1;
            if (to) to[count] = (int32_t)other;
            count++;
        }
    }
    if (to) qsort(to, (size_t)count, sizeof *to, by_number);
    return count;
}

static bool list_complements(iterative *k, uint32_t *mark)
{
    block_matrix *S = &k->schur;
    S->row_start = iterative_new(k, (size_t)S->count + 1, sizeof *S->row_start);
    if (!S->row_start) return false;
    for (uint32_t i = 0; i < S->count; i++)
        S->row_start[i + 1] = S->row_start[i] + list_complement(k, i, mark, NULL);
    S->column = iterative_new(k, (size_t)S->row_start[S->count] + 1, sizeof *S->column);
    if (!S->column) return false;
    memset(mark, 0, S->count * sizeof *mark);
    for (uint32_t i = 0; i < S->count; i++)
        (void)list_complement(k, i, mark, S->column + S->row_start[i]);
    return block_matrix_complete(k, S);
}

tn_status constraints_make(iterative *k)
{
    k->tail = find_tail(&k->F);
    k->constraints = k->F.count;
    k->schur.count = k->F.count - k->tail;
    k->schur.start = k->F.start + k->tail;
    if (k->method->is_definite || !k->schur.count) return TN_OK; /* a definite matrix has none */
    uint32_t *mark = calloc((size_t)k->schur.count + 1, sizeof *mark);
    const bool made = mark && list_complements(k, mark);
    free(mark);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* ---- which they are -------------------------------------------------------------------------------------------------- */

/* What a block couples with: sum of products of entries across the diagonal, and of their sizes over the diagonal of the other row; what
 * it has by itself on its own diagonal. */
typedef struct coupling {
    double across, flexible, own;
} coupling;

static double diagonal_of(const block_matrix *F, uint32_t i, uint32_t r)
{
    return F->value[F->place[F->diagonal[i]] + (size_t)r * block_size(F, i) + r];
}

static void add_coupling(const block_matrix *F, uint32_t i, int32_t e, coupling *sum)
{
    const uint32_t other = (uint32_t)F->column[e], rows = block_size(F, i), columns = block_size(F, other);
    const double *a = F->value + F->place[e], *b = F->value + F->place[F->mate[e]];
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++) {
            const double product = a[c * rows + r] * b[r * columns + c];
            sum->across += product;
            if (product != 0.0) sum->flexible += fabs(product / diagonal_of(F, other, c));
        }
}

static double find_own(const block_matrix *F, uint32_t i)
{
    double sum = 0.0;
    for (uint32_t r = 0; r < block_size(F, i); r++)
        sum += diagonal_of(F, i, r);
    return sum;
}

static coupling find_coupling(const block_matrix *F, uint32_t i)
{
    coupling sum = {.own = find_own(F, i)};
    for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++)
        if (e != F->diagonal[i]) add_coupling(F, i, e, &sum);
    return sum;
}

/* Rows of a constraint have little of their own against G A^-1 G^T, those of a body more than that of its couplings. A block that
 * values couple with nothing may be a constraint that is not active, or a body. */
void constraints_find(iterative *k)
{
    const block_matrix *F = &k->F;
    k->constraints = F->count;
    for (uint32_t i = 0; i < k->size; i++)
        k->sign[i] = 1.0;
    for (uint32_t b = F->count; b > k->tail; b--) {
        const coupling with = find_coupling(F, b - 1);
        if (with.across == 0.0) continue;
        const bool is_body = (with.across > 0.0 && with.own > 0.0) || !(fabs(with.own) < with.flexible);
        if (is_body) break;
        k->constraints = b - 1;
        for (uint32_t i = F->start[b - 1]; with.across < 0.0 && i < F->start[b]; i++)
            k->sign[i] = -1.0;
    }
}

/* ---- values of the Schur complement ---------------------------------------------------------------------------------- */

/* c [rows][columns] += a [rows][n] b [n][columns] */
static void add_product(uint32_t rows, uint32_t n, uint32_t columns, const double *a, const double *b,
                        double *c)
{
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t m = 0; m < n; m++)
            for (uint32_t r = 0; r < rows; r++)
                c[j * rows + r] += a[m * rows + r] * b[j * n + m];
}

/* What constraint i feels of itself and others through one body. */
static void add_through_body(const iterative *k, uint32_t i, int32_t on_body)
{
    const block_matrix *F = &k->F, *S = &k->schur;
    const uint32_t body = (uint32_t)F->column[on_body], n = block_size(F, body), rows = block_size(S, i);
    const bool hub = is_hub(k, body);
    double moved[LARGEST_BLOCK * LARGEST_BLOCK] = {0.0};
    add_product(rows, n, n, F->value + F->place[on_body], k->inverse + k->inverse_place[body], moved);
    int32_t into = S->row_start[i];
    for (int32_t e = first_on_tail(k, body); e < F->row_start[body + 1]; e++) {
        const uint32_t other = (uint32_t)F->column[e] - k->tail;
        if (hub && other != i) continue;
        while ((uint32_t)S->column[into] != other)
            into++;
        add_product(rows, n, block_size(S, other), moved, F->value + F->place[e], S->value + S->place[into]);
    }
}

static void fill_complements(void *data, size_t first, size_t last)
{
    const iterative *k = data;
    const block_matrix *F = &k->F, *S = &k->schur;
    for (size_t i = first; i < last; i++) {
        const uint32_t row = k->tail + (uint32_t)i;
        const size_t begin = S->place[S->row_start[i]], end = S->place[S->row_start[i + 1]];
        memset(S->value + begin, 0, (end - begin) * sizeof *S->value);
        if (row < k->constraints) continue;
        double *own = S->value + S->place[S->diagonal[i]];
        const double *E = F->value + F->place[F->diagonal[row]], sign = find_own(F, row) > 0.0 ? 1.0 : -1.0;
        for (size_t e = 0; e < (size_t)block_size(S, (uint32_t)i) * block_size(S, (uint32_t)i); e++)
            own[e] = sign * E[e];
        for (int32_t e = F->row_start[row]; e < F->diagonal[row]; e++)
            if ((uint32_t)F->column[e] < k->constraints) add_through_body(k, (uint32_t)i, e);
    }
}

void constraints_fill(iterative *k)
{
    if (k->schur.count > 256)
        k->host->parallel_for(k->host, k->schur.count, 128, fill_complements, k);
    else
        fill_complements(k, 0, k->schur.count);
}
