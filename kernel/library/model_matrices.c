/* model_matrices.c - masses, Jacobians and tangents of a model of the library where it stands
 *
 * All are parts of the matrix of the system, which is filled in memory of its own: the solver's stays as it is. */
#include "library/library.h"

#include "system/matrix.h"
#include "system/shown.h"

#include <string.h>

/* The part of the system's matrix that is asked for. */
typedef struct part {
    uint32_t first_row, rows, columns;
    tn_matrix_request request;
} part;

static tenon_status find_part(tenon_model *model, int32_t which, part *found)
{
    const tn_assembly *assembly = model->study.assembly;
    const tn_system *system = &assembly->system;
    tn_matrix_request request = tn_request_of_masses(assembly);
    request.state_factor = 0.0;
    request.c_mass = which == TENON_MASS;
    request.c_damping = which == TENON_DAMPING;
    request.c_stiffness = which == TENON_STIFFNESS;
    if (which == TENON_JACOBIAN) request.c_mass = 1.0;
    *found = (part){which == TENON_JACOBIAN ? system->nv : 0,
                    which == TENON_JACOBIAN ? system->rows : system->nv, system->nv, request};
    if (which >= TENON_MASS && which <= TENON_STIFFNESS) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "there is no matrix number %d", which);
}

/* Room for the whole matrix; NULL without memory. */
static const tn_matrix *whole_matrix(tenon_model *model)
{
    tn_assembly *assembly = model->study.assembly;
    const tn_matrix *pattern = tn_system_pattern(&assembly->system);
    tn_equations *own = &model->equations;
    if (!pattern || own->matrix.value) return pattern ? &own->matrix : NULL;
    own->matrix = *pattern;
    own->matrix.value = tn_new_aligned((size_t)pattern->column_start[pattern->size], sizeof(double));
    own->regularisation = tn_new_aligned(assembly->system.rows, sizeof(double));
    return &own->matrix;
}

static tenon_status fill_matrix(tenon_model *model, const part *wanted)
{
    tn_assembly *assembly = model->study.assembly;
    tn_statistics statistics = assembly->statistics;
    tn_status status = tn_evaluate_outputs(assembly);
    if (status <= TN_EVENT) status = assembly->system.evaluate(&assembly->system);
    if (status == TN_OK) status = tn_matrix_fill(assembly, &wanted->request, &model->equations);
    tn_outputs_done(assembly);
    assembly->statistics = statistics;
    if (status == TN_OK) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "the state has no such matrix: %s", tn_status_text(status));
}

/* Calls `take` for all entries of a part, by columns. */
typedef void taker(void *data, uint32_t row, uint32_t column, double value);
static void visit(const tn_matrix *matrix, const part *wanted, taker *take, void *data)
{
    for (uint32_t j = 0; j < wanted->columns; j++)
        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++) {
            const uint32_t row = (uint32_t)matrix->row[e];
            if (row >= wanted->first_row && row < wanted->first_row + wanted->rows)
                take(data, row - wanted->first_row, j, matrix->value[e]);
        }
}

/* The part, at the state where the model stands unless only its sizes are wanted. */
static tenon_status prepare_matrix(tenon_model *model, int32_t which, bool filled, part *wanted,
                                   const tn_matrix **matrix)
{
    tenon_status status = tenon_start(model);
    if (status == TENON_OK) status = find_part(model, which, wanted);
    if (status != TENON_OK) return status;
    *matrix = whole_matrix(model);
    if (!*matrix) return tn_library_say(model, TENON_OUT_OF_MEMORY, "there is no memory for the matrix");
    return filled ? fill_matrix(model, wanted) : TENON_OK;
}

/* ---- sizes ------------------------------------------------------------------------------------------------ */

static void count_entry(void *data, uint32_t row, uint32_t column, double value)
{
    (void)row, (void)column, (void)value;
    ++*(size_t *)data;
}

static tenon_status read_sizes(tenon_model *model, int32_t which, uint32_t *rows, uint32_t *columns,
                               size_t *entries)
{
    part wanted;
    const tn_matrix *matrix = NULL;
    const tenon_status status = prepare_matrix(model, which, false, &wanted, &matrix);
    if (status != TENON_OK) return status;
    size_t number = 0;
    visit(matrix, &wanted, count_entry, &number);
    if (rows) *rows = wanted.rows;
    if (columns) *columns = wanted.columns;
    if (entries) *entries = number;
    return TENON_OK;
}

tenon_status tenon_matrix_sizes(tenon_model *model, int32_t which, uint32_t *rows, uint32_t *columns,
                                size_t *entries)
{
    return tn_library_call(model, read_sizes(model, which, rows, columns, entries));
}

/* ---- compressed columns ----------------------------------------------------------------------------------- */

typedef struct compressed {
    int32_t *column_start, *row, count;
    double *value;
} compressed;

static void append_entry(void *data, uint32_t row, uint32_t column, double value)
{
    compressed *to = data;
    to->row[to->count] = (int32_t)row;
    to->value[to->count++] = value;
    to->column_start[column + 1] = to->count;
}

static tenon_status read_columns(tenon_model *model, int32_t which, int32_t *column_start, int32_t *row,
                                 double *value)
{
    part wanted;
    const tn_matrix *matrix = NULL;
    const tenon_status status = prepare_matrix(model, which, true, &wanted, &matrix);
    if (status != TENON_OK) return status;
    memset(column_start, 0, (wanted.columns + (size_t)1) * sizeof *column_start);
    visit(matrix, &wanted, append_entry, &(compressed){column_start, row, 0, value});
    for (uint32_t j = 0; j < wanted.columns; j++) /* columns without entries */
        if (column_start[j + 1] < column_start[j]) column_start[j + 1] = column_start[j];
    return TENON_OK;
}

tenon_status tenon_matrix_columns(tenon_model *model, int32_t which, int32_t *column_start, int32_t *row,
                                  double *value)
{
    return tn_library_call(model, read_columns(model, which, column_start, row, value));
}

/* ---- full ------------------------------------------------------------------------------------------------- */

typedef struct full {
    uint32_t columns;
    double *value;
} full;

static void put_entry(void *data, uint32_t row, uint32_t column, double value)
{
    const full *to = data;
    to->value[(size_t)row * to->columns + column] = value;
}

static tenon_status read_matrix(tenon_model *model, int32_t which, double *values)
{
    part wanted;
    const tn_matrix *matrix = NULL;
    const tenon_status status = prepare_matrix(model, which, true, &wanted, &matrix);
    if (status != TENON_OK) return status;
    memset(values, 0, (size_t)wanted.rows * wanted.columns * sizeof *values);
    visit(matrix, &wanted, put_entry, &(full){wanted.columns, values});
    return TENON_OK;
}

tenon_status tenon_matrix(tenon_model *model, int32_t which, double *values)
{
    return tn_library_call(model, read_matrix(model, which, values));
}
