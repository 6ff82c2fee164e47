/* complex_equations.c - real and complex matrices of one state, for stages that are coupled (see complex_equations.h)
 *
 * Three matrices with c_mass = 1, which E needs, give the pieces: M, M - df/dv and M - df/dq. */
#include "extensions/complex_equations.h"

#include "extensions/equations_state.h"
#include "extensions/solved.h"
#include "system/failure.h"
#include "system/linear.h"
#include "system/mass.h"
#include "system/matrix.h"

#include <string.h>

static inline struct tn_complex_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_COMPLEX_EXTENSION];
}

enum piece { MASS, DAMPING, STIFFNESS, PIECES }; /* M, -df/dv, -df/dq; G stands in all of them */

struct tn_complex_memory {
    tn_complex_equations table;
    size_t entries;
    tn_equations pieces;                 /* a matrix that pieces are filled into, and their E */
    double *piece[PIECES];               /* [entries] */
    double *value;                       /* [entries][2] the complex matrix */
    double *given, *check;               /* [size][2] right-hand side that is checked; [2][size][2] */
    tn_coefficients complex_coefficient; /* of the complex matrix that was factorised last */
    double complex_row_factor;           /* 0: there is none */
    tn_accuracy accuracy;
};

static struct tn_complex_memory *memory_of(const tn_system *system)
{
    return kept((const tn_assembly *)system);
}

/* ---- the pieces ------------------------------------------------------------------------------------------ */

static tn_status fill_piece(tn_assembly *assembly, enum piece piece)
{
    struct tn_complex_memory *m = kept(assembly);
    tn_matrix_request request = tn_request_of_masses(assembly);
    request.c_damping = piece == DAMPING;
    request.c_stiffness = piece == STIFFNESS;
    m->pieces.matrix.value = m->piece[piece];
    return tn_matrix_fill(assembly, &request, &m->pieces);
}

/* What is no border of the matrix: its first nv rows and columns. */
static bool is_inner(const tn_system *system, uint32_t column, int32_t row)
{
    return column < system->nv && (uint32_t)row < system->nv;
}

static tn_status differentiate(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    struct tn_complex_memory *m = kept(assembly);
    tn_status status = fill_piece(assembly, DAMPING);
    if (status == TN_OK) status = fill_piece(assembly, STIFFNESS);
    if (status == TN_OK) status = fill_piece(assembly, MASS);
    for (size_t e = 0; status == TN_OK && e < m->entries; e++) {
        m->piece[DAMPING][e] -= m->piece[MASS][e];
        m->piece[STIFFNESS][e] -= m->piece[MASS][e];
    }
    return status;
}

/* ---- combinations ---------------------------------------------------------------------------------------- */

typedef struct complex_number {
    double re, im;
} complex_number;

/* An entry of a border: the rows and columns of G, and E. */
static complex_number border_entry(const tn_system *system, const tn_coefficients *c, double row_factor,
                                   uint32_t column, int32_t row, double value)
{
    const struct tn_complex_memory *m = memory_of(system);
    const bool of_rows = column >= system->nv && (uint32_t)row >= system->nv;
    if (!of_rows) return (complex_number){row_factor * value, 0.0};
    if ((uint32_t)row == column && !(m->pieces.regularisation[column - system->nv] > 0.0))
        return (complex_number){value, 0.0};
    const double square = c->mass[0] * c->mass[0] + c->mass[1] * c->mass[1];
    const double factor = row_factor * row_factor * value / square;
    return (complex_number){factor * c->mass[0], -factor * c->mass[1]};
}

static complex_number entry(const tn_system *system, const tn_coefficients *c, double row_factor,
                            uint32_t column, int32_t e)
{
    const struct tn_complex_memory *m = memory_of(system);
    const int32_t row = m->pieces.matrix.row[e];
    const double mass = m->piece[MASS][e], damping = m->piece[DAMPING][e], stiffness = m->piece[STIFFNESS][e];
    if (!is_inner(system, column, row)) return border_entry(system, c, row_factor, column, row, mass);
    return (complex_number){c->mass[0] * mass + c->damping[0] * damping + c->stiffness[0] * stiffness,
                            c->mass[1] * mass + c->damping[1] * damping + c->stiffness[1] * stiffness};
}

static tn_status factor_real(tn_system *system, const tn_coefficients *coefficients, double row_factor)
{
    tn_assembly *assembly = (tn_assembly *)system;
    struct tn_complex_memory *m = kept(assembly);
    tn_coefficients c = *coefficients;
    c.mass[1] = c.damping[1] = c.stiffness[1] = 0.0;
    const tn_matrix *A = &assembly->stages.matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            A->value[e] = entry(system, &c, row_factor, j, e).re;
    for (uint32_t r = 0; r < system->rows; r++)
        assembly->stages.regularisation[r] =
            m->pieces.regularisation[r] * row_factor * row_factor / c.mass[0];
    return tn_equations_factor(assembly, &assembly->stages);
}

static tn_status solve_real(tn_system *system, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    return tn_equations_solve(assembly, &assembly->stages, right_hand_side);
}

/* ---- complex equations ----------------------------------------------------------------------------------- */

static void fill_complex(tn_system *system)
{
    struct tn_complex_memory *m = memory_of(system);
    const tn_matrix *A = &m->pieces.matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const complex_number z = entry(system, &m->complex_coefficient, m->complex_row_factor, j, e);
            m->value[2 * (size_t)e] = z.re;
            m->value[2 * (size_t)e + 1] = z.im;
        }
}

static tn_status blame(tn_assembly *assembly, const char *function, tn_status status)
{
    if (status == TN_OUT_OF_MEMORY || status == TN_OK) return status;
    return tn_blame(assembly, assembly->linear->type, function, "has failed for a matrix of size %u: %s",
                    assembly->stages.matrix.size, tn_status_text(status));
}

static tn_status factor_filled(tn_assembly *assembly)
{
    const struct tn_complex_memory *m = kept(assembly);
    return tn_call(assembly->linear->type, factor_complex, assembly->stages.self, &m->pieces.matrix,
                   m->value);
}

/* The linear solver is created with the first real matrix. */
static tn_status factor_complex(tn_system *system, const tn_coefficients *coefficients, double row_factor)
{
    tn_assembly *assembly = (tn_assembly *)system;
    struct tn_complex_memory *m = kept(assembly);
    const tn_loaded_linear *type = assembly->linear->type;
    if (!type->factor_complex) return TN_UNSUPPORTED;
    if (!assembly->stages.self) {
        const tn_status status = factor_real(system, coefficients, row_factor);
        if (status != TN_OK) return status;
    }
    m->complex_coefficient = *coefficients;
    m->complex_row_factor = row_factor;
    fill_complex(system);
    const tn_status status = tn_attempt_status(factor_filled(assembly));
    assembly->statistics.factorisations++;
    tn_accuracy_factored(&m->accuracy);
    if (status == TN_RETRY && !tn_are_finite(m->value, 2 * m->entries)) return TN_RETRY;
    return status == TN_RETRY ? status : blame(assembly, "factor_complex", status);
}

/* What is no number comes of one in the matrix or on the right, or of the linear solver. */
static tn_status check_solution(tn_assembly *assembly, double *x, bool given_is_finite)
{
    struct tn_complex_memory *m = kept(assembly);
    const size_t size = m->pieces.matrix.size;
    if (!tn_are_finite(x, 2 * size)) {
        if (!given_is_finite || !tn_are_finite(m->value, 2 * m->entries)) return TN_RETRY;
        return tn_blame(assembly, assembly->linear->type, "solve_complex",
                        "gives a solution that is not finite for a finite matrix of size %zu", size);
    }
    if (!tn_accuracy_needs_given(&m->accuracy)) return TN_OK;
    const double fault = tn_solved_refine(&(tn_solved){.type = assembly->linear->type,
                                                       .self = assembly->stages.self,
                                                       .matrix = &m->pieces.matrix,
                                                       .value = m->value,
                                                       .is_complex = true,
                                                       .given = m->given,
                                                       .terms = m->check,
                                                       .trial = m->check + 2 * size},
                                          &m->accuracy, x);
    if (fault == 0.0) return TN_OK;
    return tn_blame(assembly, assembly->linear->type, "solve_complex",
                    "gives a wrong solution for a matrix of size %zu: its residual is %.2g of the terms",
                    size, fault);
}

static tn_status solve_complex(tn_system *system, double *right_hand_side)
{
    tn_assembly *assembly = (tn_assembly *)system;
    struct tn_complex_memory *m = kept(assembly);
    const size_t numbers = 2 * (size_t)m->pieces.matrix.size;
    const bool finite = tn_are_finite(right_hand_side, numbers);
    if (!(m->complex_row_factor > 0.0)) return TN_FATAL;
    tn_accuracy_given(&m->accuracy, right_hand_side, numbers, m->given);
    assembly->statistics.linear_solves++;
    const tn_status status =
        tn_call(assembly->linear->type, solve_complex, assembly->stages.self, right_hand_side);
    if (status != TN_OK) return blame(assembly, "solve_complex", status);
    return check_solution(assembly, right_hand_side, finite);
}

/* ---- products -------------------------------------------------------------------------------------------- */

static void multiply(tn_system *system, const tn_coefficients *c, const double *x, double *product)
{
    const struct tn_complex_memory *m = memory_of(system);
    const tn_matrix *A = &m->pieces.matrix;
    memset(product, 0, system->nv * sizeof *product);
    for (uint32_t j = 0; j < system->nv; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if ((uint32_t)A->row[e] < system->nv)
                product[A->row[e]] += (c->mass[0] * m->piece[MASS][e] + c->damping[0] * m->piece[DAMPING][e] +
                                       c->stiffness[0] * m->piece[STIFFNESS][e]) *
                                      x[j];
}

static void multiply_rows(tn_system *system, const double *x, double *product)
{
    const struct tn_complex_memory *m = memory_of(system);
    const tn_matrix *A = &m->pieces.matrix;
    memset(product, 0, system->rows * sizeof *product);
    for (uint32_t j = 0; j < system->nv; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if ((uint32_t)A->row[e] >= system->nv)
                product[(uint32_t)A->row[e] - system->nv] += m->piece[MASS][e] * x[j];
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static void make_memory(tn_assembly *assembly)
{
    struct tn_complex_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    const tn_matrix *matrix = &assembly->equations.matrix;
    const size_t entries = m->entries = (size_t)matrix->column_start[matrix->size];
    const uint32_t rows = assembly->system.rows;
    tn_equations *stages = &assembly->stages;
    stages->matrix = m->pieces.matrix = *matrix;
    stages->matrix.value = tn_assembly_new(assembly, entries, sizeof(double));
    stages->regularisation = tn_assembly_new(assembly, rows, sizeof(double));
    m->pieces.regularisation = tn_assembly_new(assembly, rows, sizeof(double));
    for (int k = 0; k < PIECES; k++)
        m->piece[k] = tn_assembly_new(assembly, entries, sizeof(double));
    m->value = tn_assembly_new(assembly, 2 * entries, sizeof(double));
    m->given = tn_assembly_new(assembly, 2 * (size_t)matrix->size, sizeof(double));
    m->check = tn_assembly_new(assembly, 4 * (size_t)matrix->size, sizeof(double));
    m->table = (tn_complex_equations){.struct_size = sizeof m->table,
                                      .differentiate = differentiate,
                                      .factor_real = factor_real,
                                      .factor_complex = factor_complex,
                                      .solve_real = solve_real,
                                      .solve_complex = solve_complex,
                                      .multiply = multiply,
                                      .multiply_rows = multiply_rows,
                                      .regularisation = m->pieces.regularisation};
    assembly->extension[TN_COMPLEX_EXTENSION] = m;
}

const tn_complex_equations *tn_complex_equations_of(tn_assembly *assembly)
{
    if (!assembly->linear->type || !tn_system_pattern(&assembly->system)) return NULL;
    if (!kept(assembly)) (void)tn_attempt(tn_memory_now(), make_memory(assembly));
    struct tn_complex_memory *m = kept(assembly);
    if (!m) return NULL;
    m->table.solves_complex = assembly->linear->type->factor_complex != NULL;
    m->table.linear = assembly->linear->type->name;
    return &m->table;
}

/* ---- state ----------------------------------------------------------------------------------------------- */

bool tn_complex_forget(tn_assembly *assembly)
{
    if (!kept(assembly) || !tn_equations_forget(assembly, &assembly->stages)) return false;
    if (kept(assembly)->complex_row_factor > 0.0) (void)factor_filled(assembly);
    return true;
}

void tn_complex_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    bool used = kept(assembly) != NULL;
    TN_VISIT(visitor, used);
    if (!used || !tn_complex_equations_of(assembly)) return;
    struct tn_complex_memory *m = kept(assembly);
    for (int k = 0; k < PIECES; k++)
        tn_visit_numbers(visitor, m->piece[k], m->entries);
    tn_visit_numbers(visitor, m->pieces.regularisation, assembly->system.rows);
    TN_VISIT(visitor, m->complex_coefficient);
    TN_VISIT(visitor, m->complex_row_factor);
    TN_VISIT(visitor, m->accuracy);
    tn_visit_numbers(visitor, m->value, 2 * m->entries);
    tn_equations_list_state(assembly, &assembly->stages, visitor);
    if (visitor->restores && m->complex_row_factor > 0.0 && !assembly->linear->type->state &&
        assembly->stages.self)
        (void)factor_filled(assembly);
}
