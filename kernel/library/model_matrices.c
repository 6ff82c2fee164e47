/* model_matrices.c - masses, Jacobians and tangents of a model of the library where it stands
 *
 * All are parts of the matrix of the system, which is filled in memory of its own: the solver's stays as it is. */
#include "library/library.h"

#include "system/matrix.h"
#include "system/shown.h"

#include <string.h>

/* The part of the system's matrix that is asked for, and where it is written to. */
typedef struct part {
    uint32_t first_row, rows, columns;
    tn_matrix_request request;
    int32_t *column_start, *row; /* its entries, by columns, or NULL */
    double *value;
    double *full; /* [rows][columns], or NULL */
    size_t entries;
} part;

static tenon_status find_part(tenon_model *model, int32_t which, part *wanted)
{
    const tn_assembly *assembly = model->study.assembly;
    const tn_system *system = &assembly->system;
    const bool is_jacobian = which == TENON_JACOBIAN;
    wanted->first_row = is_jacobian ? system->nv : 0;
    wanted->rows = is_jacobian ? system->rows : system->nv;
    wanted->columns = system->nv;
    wanted->request = tn_request_of_masses(assembly);
    wanted->request.c_mass = which == TENON_MASS || is_jacobian;
    wanted->request.c_damping = which == TENON_DAMPING;
    wanted->request.c_stiffness = which == TENON_STIFFNESS;
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

/* Counts the entries of a part, by columns, and writes them where they are wanted. */
static void copy_entries(const tn_matrix *matrix, part *wanted)
{
    const size_t first = wanted->first_row, end = first + wanted->rows, columns = wanted->columns;
    if (wanted->full) memset(wanted->full, 0, wanted->rows * columns * sizeof *wanted->full);
    if (wanted->column_start) wanted->column_start[0] = 0;
    for (size_t j = 0; j < columns; j++) {
        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++) {
            const size_t row = (size_t)matrix->row[e];
            if (row < first || row >= end) continue;
            if (wanted->row) wanted->row[wanted->entries] = (int32_t)(row - first);
            if (wanted->value) wanted->value[wanted->entries] = matrix->value[e];
            if (wanted->full) wanted->full[(row - first) * columns + j] = matrix->value[e];
            wanted->entries++;
        }
        if (wanted->column_start) wanted->column_start[j + 1] = (int32_t)wanted->entries;
    }
}

/* The part, at the state where the model stands unless only its sizes are wanted. */
static tenon_status read_part(tenon_model *model, int32_t which, bool filled, part *wanted)
{
    tenon_status status = tenon_start(model);
    if (status == TENON_OK) status = find_part(model, which, wanted);
    if (status != TENON_OK) return status;
    const tn_matrix *matrix = whole_matrix(model);
    if (!matrix) return tn_library_say(model, TENON_OUT_OF_MEMORY, "there is no memory for the matrix");
    if (filled) status = fill_matrix(model, wanted);
    if (status == TENON_OK) copy_entries(matrix, wanted);
    return status;
}

tenon_status tenon_matrix_sizes(tenon_model *model, int32_t which, uint32_t *rows, uint32_t *columns,
                                size_t *entries)
{
    part wanted = {0};
    const tenon_status status = tn_library_call(model, read_part(model, which, false, &wanted));
    if (status != TENON_OK) return status;
    if (rows) *rows = wanted.rows;
    if (columns) *columns = wanted.columns;
    if (entries) *entries = wanted.entries;
    return TENON_OK;
}

tenon_status tenon_matrix_columns(tenon_model *model, int32_t which, int32_t *column_start, int32_t *row,
                                  double *value)
{
    part wanted = {.column_start = column_start, .row = row, .value = value};
    return tn_library_call(model, read_part(model, which, true, &wanted));
}

tenon_status tenon_matrix(tenon_model *model, int32_t which, double *values)
{
    part wanted = {.full = values};
    return tn_library_call(model, read_part(model, which, true, &wanted));
}
