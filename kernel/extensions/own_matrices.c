/* own_matrices.c - the linear solver of the study for matrices of solvers (see own_matrices.h)
 *
 * A linear solver without complex matrices gets real ones of twice the size: each entry a + ib as a block
 *
 *     a  -b
 *     b   a
 *
 * so that pairs of real and imaginary part are its numbers. */
#include "extensions/own_matrices.h"

#include "system/failure.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

#define LARGEST_RESIDUAL 1e-4 /* of a solution, against the terms that it is left of */

typedef struct opened {
    tn_matrix matrix;    /* as the linear solver sees it; complex values stand apart */
    uint32_t parts;      /* of a number: 2 of complex ones */
    bool doubled;        /* complex numbers as real blocks */
    size_t entries;      /* numbers of the caller */
    const double *value; /* the values that were factorised */
    double *given;       /* [size of the caller][parts] a right-hand side that is checked, */
    double *terms;       /* and the sizes of what is added up in each row */
    bool checks;         /* the next solution */
    void *self;          /* of the linear solver */
} opened;

/* ---- patterns -------------------------------------------------------------------------------------------- */

/* All entries of column j of a pattern, twice: those of columns 2 j and 2 j + 1. */
static void double_column(const tn_matrix *pattern, uint32_t j, int32_t *start, int32_t *row)
{
    for (uint32_t part = 0; part < 2; part++) {
        int32_t at = start[2 * j + part];
        for (int32_t e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++) {
            row[at++] = 2 * pattern->row[e];
            row[at++] = 2 * pattern->row[e] + 1;
        }
        start[2 * j + part + 1] = at;
    }
}

static tn_status double_pattern(const tn_host *host, const tn_matrix *pattern, opened *o)
{
    if (o->entries > INT32_MAX / 4 || pattern->size > INT32_MAX / 2) return TN_UNSUPPORTED;
    const uint32_t size = 2 * pattern->size;
    int32_t *start = host->allocate(host, (size + 1) * sizeof *start),
            *row = host->allocate(host, (4 * o->entries + 1) * sizeof *row);
    double *value = host->allocate(host, (4 * o->entries + 1) * sizeof *value);
    if (!start || !row || !value) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < pattern->size; j++)
        double_column(pattern, j, start, row);
    o->matrix = (tn_matrix){
        .struct_size = sizeof o->matrix, .size = size, .column_start = start, .row = row, .value = value};
    return TN_OK;
}

static void double_values(const tn_matrix *to, const double *value)
{
    for (uint32_t j = 0; j < to->size; j += 2) {
        double *left = to->value + to->column_start[j], *right = to->value + to->column_start[j + 1];
        const int32_t count = to->column_start[j + 1] - to->column_start[j];
        for (int32_t k = 0; k < count; k += 2, value += 2) {
            left[k] = right[k + 1] = value[0];
            left[k + 1] = value[1];
            right[k] = -value[1];
        }
    }
}

/* ---- factors --------------------------------------------------------------------------------------------- */

static tn_status blame(tn_assembly *assembly, const opened *o, const char *function, tn_status status)
{
    if (status == TN_OK || status == TN_OUT_OF_MEMORY) return status;
    return tn_blame(assembly, assembly->linear->type, function, "has failed for a matrix of size %u: %s",
                    o->matrix.size, tn_status_text(status));
}

static tn_status open_matrix(tn_system *system, const tn_matrix *pattern, uint32_t is_complex, void **made)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_host *host = system->host;
    const tn_loaded_linear *type = assembly->linear->type;
    opened *o = *made = host->allocate(host, sizeof *o);
    if (!o) return TN_OUT_OF_MEMORY;
    o->parts = is_complex ? 2 : 1;
    o->doubled = is_complex && !type->factor_complex;
    o->entries = (size_t)pattern->column_start[pattern->size];
    o->matrix = *pattern;
    o->given = host->allocate(host, (o->parts * (size_t)pattern->size + 1) * sizeof *o->given);
    o->terms = host->allocate(host, (o->parts * (size_t)pattern->size + 1) * sizeof *o->terms);
    if (!o->given || !o->terms) return TN_OUT_OF_MEMORY;
    const tn_status status = o->doubled ? double_pattern(host, pattern, o) : TN_OK;
    if (status != TN_OK) return status;
    return blame(assembly, o, "create",
                 tn_call(type, create, host, assembly->linear->instance, &o->matrix, &o->self));
}

static tn_status factor_now(tn_assembly *assembly, opened *o, const double *value)
{
    const tn_loaded_linear *type = assembly->linear->type;
    if (o->parts == 2 && !o->doubled) return tn_call(type, factor_complex, o->self, &o->matrix, value);
    if (o->doubled)
        double_values(&o->matrix, value);
    else
        o->matrix.value = (double *)(uintptr_t)value; // which linear solvers only read
    return tn_call(type, factor, o->self, &o->matrix);
}

static tn_status factor(tn_system *system, void *made, const double *value)
{
    tn_assembly *assembly = (tn_assembly *)system;
    opened *o = made;
    if (!tn_are_finite(value, o->parts * o->entries)) return TN_RETRY;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = factor_now(assembly, o, value);
    (void)tn_clock(assembly, TN_FACTORISATION, start);
    assembly->statistics.factorisations++;
    o->value = o->doubled || o->parts == 1 ? o->matrix.value : value;
    o->checks = true;
    return status == TN_RETRY ? status : blame(assembly, o, "factor", status);
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

/* Takes entry e times a number of x from what is left of its row, and counts it among the terms. */
static void take_term(const opened *o, int32_t e, const double *x)
{
    const bool is_complex = o->parts == 2 && !o->doubled;
    const size_t i = (size_t)o->matrix.row[e];
    if (!is_complex) {
        o->given[i] -= o->value[e] * *x;
        o->terms[i] += fabs(o->value[e] * *x);
        return;
    }
    const double re = o->value[2 * (size_t)e], im = o->value[2 * (size_t)e + 1];
    o->given[2 * i] -= re * x[0] - im * x[1];
    o->given[2 * i + 1] -= re * x[1] + im * x[0];
    o->terms[2 * i] += fabs(re * x[0]) + fabs(im * x[1]);
    o->terms[2 * i + 1] += fabs(re * x[1]) + fabs(im * x[0]);
}

/* The largest |A x - b|, against the largest sum of the sizes of its terms. */
static double relative_residual(const opened *o, const double *x, size_t numbers)
{
    const uint32_t step = o->parts == 2 && !o->doubled ? 2 : 1;
    double largest = 0.0, scale = 0.0;
    for (size_t i = 0; i < numbers; i++)
        o->terms[i] = fabs(o->given[i]);
    for (uint32_t j = 0; j < o->matrix.size; j++)
        for (int32_t e = o->matrix.column_start[j]; e < o->matrix.column_start[j + 1]; e++)
            take_term(o, e, x + (size_t)step * j);
    for (size_t i = 0; i < numbers; i++) {
        largest = fmax(largest, fabs(o->given[i]));
        scale = fmax(scale, o->terms[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

static tn_status check_solution(tn_assembly *assembly, opened *o, const double *x, size_t numbers)
{
    const tn_loaded_linear *type = assembly->linear->type;
    if (!tn_are_finite(x, numbers))
        return tn_blame(assembly, type, "solve",
                        "gives a solution that is not finite for a finite matrix of size %u", o->matrix.size);
    if (!o->checks) return TN_OK;
    o->checks = false;
    const double residual = relative_residual(o, x, numbers);
    if (residual <= LARGEST_RESIDUAL) return TN_OK;
    return tn_blame(assembly, type, "solve",
                    "gives a wrong solution for a matrix of size %u: its residual is %.2g of the terms",
                    o->matrix.size, residual);
}

static tn_status solve(tn_system *system, void *made, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    opened *o = made;
    const tn_loaded_linear *type = assembly->linear->type;
    const size_t numbers = (o->doubled ? 1 : o->parts) * (size_t)o->matrix.size;
    if (!tn_are_finite(right_hand_side, numbers)) return TN_RETRY;
    if (o->checks) memcpy(o->given, right_hand_side, numbers * sizeof *right_hand_side);
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = o->parts == 2 && !o->doubled
                                 ? tn_call(type, solve_complex, o->self, right_hand_side)
                                 : tn_call(type, solve, o->self, right_hand_side);
    (void)tn_clock(assembly, TN_SOLUTION, start);
    assembly->statistics.linear_solves++;
    if (status != TN_OK) return blame(assembly, o, "solve", status);
    return check_solution(assembly, o, right_hand_side, numbers);
}

static void close_matrix(tn_system *system, void *made)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    opened *o = made;
    if (!o || !o->self || !assembly->linear->type) return;
    tn_call(assembly->linear->type, destroy, o->self);
    o->self = NULL;
}

const tn_own_matrices *tn_own_matrices_of(const tn_assembly *assembly)
{
    static const tn_own_matrices table = {.struct_size = sizeof table,
                                          .open = open_matrix,
                                          .factor = factor,
                                          .solve = solve,
                                          .close = close_matrix};
    return assembly->linear->type ? &table : NULL;
}
