/* state_problem.c - converts the content of a file to a problem of impulses (see problem_file.h) */
#include "problem_file.h"

#include <tenon/kit/impulse_blocks.h>

#define ROUND_OFF 1e-12

/* Allocates the arrays of known size: blocks of contacts and joints, their rows, the matrix. */
static bool make_arrays(problem_file *file, uint32_t nv, uint32_t blocks, uint32_t rows, size_t entries,
                        size_t matrix_entries)
{
    file->block = calloc((size_t)blocks + 1, sizeof *file->block);
    file->row_start = calloc((size_t)rows + 1, sizeof *file->row_start);
    file->free_rate = calloc((size_t)rows + 1, sizeof *file->free_rate);
    file->impulse = calloc((size_t)rows + 1, sizeof *file->impulse);
    file->column = calloc(entries + 1, sizeof *file->column);
    file->value = calloc(entries + 1, sizeof *file->value);
    file->body_start = calloc((size_t)nv + 1, sizeof *file->body_start);
    file->column_start = calloc((size_t)nv + 1, sizeof *file->column_start);
    file->row = calloc(matrix_entries + 1, sizeof *file->row);
    file->matrix_value = calloc(matrix_entries + 1, sizeof *file->matrix_value);
    return file->block && file->row_start && file->free_rate && file->impulse && file->column &&
           file->value && file->body_start && file->column_start && file->row && file->matrix_value;
}

/* Bodies are the shortest runs of coordinates between which A has no entries. */
static void find_bodies(problem_file *file)
{
    tn_impulse_problem *problem = &file->problem;
    uint32_t reach = 0;
    for (uint32_t j = 0; j < problem->nv; j++) {
        if (j >= reach) file->body_start[problem->bodies++] = j;
        const int32_t first = file->column_start[j], last = file->column_start[j + 1];
        if (reach < j + 1) reach = j + 1;
        if (last > first && (uint32_t)file->row[last - 1] + 1 > reach)
            reach = (uint32_t)file->row[last - 1] + 1;
        if (last > first && (uint32_t)file->row[first] < file->body_start[problem->bodies - 1]) {
            // an entry above the diagonal only: earlier bodies are merged with this one
            while ((uint32_t)file->row[first] < file->body_start[problem->bodies - 1])
                problem->bodies--;
        }
    }
    file->body_start[problem->bodies] = problem->nv;
}

static void finish(problem_file *file, uint32_t nv)
{
    file->matrix = (tn_matrix){sizeof file->matrix, nv, file->column_start, file->row, file->matrix_value};
    file->problem.struct_size = sizeof file->problem;
    file->problem.nv = nv;
    file->problem.block = file->block;
    file->problem.row_start = file->row_start;
    file->problem.column = file->column;
    file->problem.value = file->value;
    file->problem.free_rate = file->free_rate;
    file->problem.impulse = file->impulse;
    file->problem.matrix = &file->matrix;
    file->problem.body_start = file->body_start;
    file->problem.block_diagonal = 1;
    find_bodies(file);
}

/* Which row of the file's arrays each row of the problem is, for the guess. */
static void add_row(problem_file *file, const compressed *from, uint32_t column, double rate, double guess)
{
    const uint32_t row = file->problem.rows++;
    uint32_t end = file->row_start[row];
    for (uint32_t k = from->start[column]; k < from->start[column + 1]; k++, end++) {
        file->column[end] = from->row[k];
        file->value[end] = from->value[k];
    }
    file->row_start[row + 1] = end;
    file->free_rate[row] = rate;
    file->impulse[row] = guess;
}

static void add_contact(problem_file *file, const compressed *cones, uint32_t contact, double friction,
                        const double *rate, const double *guess)
{
    const uint32_t first = 3 * contact;
    const bool still = cones->start[first + 3] == cones->start[first + 1];
    const bool unilateral = friction <= 0.0 && still && rate[first + 1] == 0.0 && rate[first + 2] == 0.0;
    file->block[file->problem.blocks++] =
        (tn_impulse_block){unilateral ? TN_UNILATERAL_LAW : TN_CONE_LAW, file->problem.rows,
                           unilateral ? 1 : 3, contact, friction};
    for (uint32_t i = 0; i < (unilateral ? 1 : 3); i++)
        add_row(file, cones, first + i, rate[first + i], guess ? guess[first + i] : 0.0);
}

/* Equations of joints: rows that follow each other are a block of up to six. */
static void add_joints(problem_file *file, const compressed *joints, uint32_t contacts, const double *rate,
                       const double *guess)
{
    for (uint32_t j = 0; j < joints->columns; j += 6) {
        const uint32_t rows = joints->columns - j < 6 ? joints->columns - j : 6;
        file->block[file->problem.blocks++] =
            (tn_impulse_block){TN_JOINT_LAW, file->problem.rows, rows, contacts + j / 6, 0.0};
        for (uint32_t i = 0; i < rows; i++)
            add_row(file, joints, j + i, rate ? rate[j + i] : 0.0, guess ? guess[j + i] : 0.0);
    }
}

static void set_matrix(problem_file *file, const compressed *masses)
{
    for (uint32_t j = 0; j <= masses->columns; j++)
        file->column_start[j] = (int32_t)masses->start[j];
    for (uint32_t k = 0; k < masses->start[masses->columns]; k++) {
        file->row[k] = (int32_t)masses->row[k];
        file->matrix_value[k] = masses->value[k];
    }
}

/* Free rates get G A^-1 f, since u = w + G A^-1 (G^T p + f). */
static tn_status add_pulls(problem_file *file, const double *pull, const char *path, char *why)
{
    tn_impulse_blocks blocks = {0};
    uint32_t strange;
    const tn_status taken = tn_impulse_blocks_take(&blocks, &file->problem, &strange);
    double *z = calloc((size_t)file->problem.nv + 1, sizeof *z);
    tn_status status = !z || taken == TN_OUT_OF_MEMORY ? TN_OUT_OF_MEMORY : TN_OK;
    if (status == TN_OK && taken != TN_OK)
        status = problem_refuse(why, path, "its matrix of masses is singular");
    if (status == TN_OK) {
        memcpy(z, pull, file->problem.nv * sizeof *z);
        tn_impulse_blocks_divide(&blocks, z);
        tn_impulse_rates(&file->problem, z, file->free_rate);
    }
    free(z);
    tn_impulse_blocks_release(&blocks);
    return status;
}

static bool all_finite(const double *number, uint32_t count)
{
    for (uint32_t i = 0; number && i < count; i++)
        if (!isfinite(number[i])) return false;
    return true;
}

/* Checks everything but the matrices: NULL, or the fault. */
static const char *find_fault(const statement *from)
{
    const uint32_t cones = from->cones.columns, joints = from->joints.columns;
    if (!from->friction || !from->cone_rate) return "it has no friction or no free velocities";
    for (uint32_t c = 0; c < cones / 3; c++)
        if (!(from->friction[c] >= 0.0 && isfinite(from->friction[c])))
            return "a friction is no number from 0 on";
    if (!all_finite(from->cone_rate, cones) || !all_finite(from->joint_rate, joints) ||
        !all_finite(from->pull, from->masses.columns) || !all_finite(from->cone_guess, cones) ||
        !all_finite(from->joint_guess, joints))
        return "a number of it is not finite";
    return NULL;
}

static double entry_of(const compressed *of, uint32_t row, uint32_t column)
{
    for (uint32_t k = of->start[column]; k < of->start[column + 1]; k++)
        if (of->row[k] == row) return of->value[k];
    return 0.0;
}

static bool is_symmetric(const compressed *of)
{
    for (uint32_t j = 0; j < of->columns; j++)
        for (uint32_t k = of->start[j]; k < of->start[j + 1]; k++) {
            const double other = of->row[k] == j ? of->value[k] : entry_of(of, j, of->row[k]);
            if (fabs(of->value[k] - other) > ROUND_OFF * (fabs(of->value[k]) + fabs(other))) return false;
        }
    return true;
}

tn_status problem_state(problem_file *file, const statement *from, const char *path, char *why)
{
    const uint32_t contacts = from->cones.columns / 3, rows = from->cones.columns + from->joints.columns;
    const uint32_t nv = from->masses.columns;
    const size_t entries = (size_t)from->cones.start[from->cones.columns] +
                           (from->joints.columns > 0 ? from->joints.start[from->joints.columns] : 0);
    const char *fault = find_fault(from);
    if (fault) return problem_refuse(why, path, fault);
    if (!make_arrays(file, nv, contacts + from->joints.columns, rows, entries, from->masses.start[nv]))
        return TN_OUT_OF_MEMORY;
    set_matrix(file, &from->masses);
    for (uint32_t c = 0; c < contacts; c++)
        add_contact(file, &from->cones, c, from->friction[c], from->cone_rate, from->cone_guess);
    add_joints(file, &from->joints, contacts, from->joint_rate, from->joint_guess);
    finish(file, nv);
    file->problem.symmetric = is_symmetric(&from->masses);
    return from->pull ? add_pulls(file, from->pull, path, why) : TN_OK;
}
