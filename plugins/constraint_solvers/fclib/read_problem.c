/* read_problem.c - a file of FCLib as a problem of impulses (see problem_file.h) */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem()
#endif
#include "problem_file.h"

#include <tenon/kit/impulse_blocks.h>

#include <fclib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DENSE = 6000 }; /* rows of a local problem: its W is factorised as a full matrix */
#define RANK_TOLERANCE 1e-14

void problem_release(problem_file *file)
{
    void *all[] = {file->block,     file->row_start, file->column,       file->body_start,   file->value,
                   file->free_rate, file->impulse,   file->matrix_value, file->column_start, file->row};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *file = (problem_file){0};
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* Compressed columns of a matrix in any of the three forms of FCLib, rows ascending; entries at one place are added up. */
typedef struct compressed {
    uint32_t rows, columns;
    uint32_t *start, *row;
    double *value;
} compressed;

static void free_compressed(compressed *of)
{
    free(of->start);
    free(of->row);
    free(of->value);
}

typedef void (*entry_function)(void *data, uint32_t row, uint32_t column, double value);

static bool each_entry(const struct fclib_matrix *matrix, entry_function function, void *data)
{
    const int lines = matrix->nz >= 0 ? 1 : matrix->nz == -1 ? matrix->n : matrix->m;
    for (int line = 0; line < lines; line++) {
        const int first = matrix->nz >= 0 ? 0 : matrix->p[line];
        const int last = matrix->nz >= 0 ? matrix->nz : matrix->p[line + 1];
        for (int k = first; k < last; k++) {
            const int row = matrix->nz == -2 ? line : matrix->nz == -1 ? matrix->i[k] : matrix->p[k];
            const int column = matrix->nz == -1 ? line : matrix->i[k];
            if (row < 0 || row >= matrix->m || column < 0 || column >= matrix->n || !isfinite(matrix->x[k]))
                return false;
            function(data, (uint32_t)row, (uint32_t)column, matrix->x[k]);
        }
    }
    return true;
}

static void count_entry(void *data, uint32_t row, uint32_t column, double value)
{
    compressed *to = data;
    (void)row;
    (void)value;
    to->start[column + 2]++;
}

static void place_entry(void *data, uint32_t row, uint32_t column, double value)
{
    compressed *to = data;
    const uint32_t place = to->start[column + 1]++;
    to->row[place] = row;
    to->value[place] = value;
}

/* Insertion, since columns are short or in order; then equal rows become one entry. */
static void sort_columns(compressed *of)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < of->columns; j++) {
        const uint32_t first = of->start[j], last = of->start[j + 1], begin = kept;
        for (uint32_t k = first + 1; k < last; k++) {
            const uint32_t row = of->row[k];
            const double value = of->value[k];
            uint32_t i = k;
            for (; i > first && of->row[i - 1] > row; i--) {
                of->row[i] = of->row[i - 1];
                of->value[i] = of->value[i - 1];
            }
            of->row[i] = row;
            of->value[i] = value;
        }
        for (uint32_t k = first; k < last; k++) {
            if (kept > begin && of->row[kept - 1] == of->row[k]) {
                of->value[kept - 1] += of->value[k];
                continue;
            }
            of->row[kept] = of->row[k];
            of->value[kept++] = of->value[k];
        }
        of->start[j] = begin;
    }
    of->start[of->columns] = kept;
}

/* False: no memory, or no matrix (`*sound`). */
static bool compress(const struct fclib_matrix *matrix, compressed *to, bool *sound)
{
    *to = (compressed){.rows = (uint32_t)matrix->m, .columns = (uint32_t)matrix->n};
    *sound = true;
    to->start = calloc((size_t)to->columns + 3, sizeof *to->start);
    to->row = calloc((size_t)matrix->nzmax + 1, sizeof *to->row);
    to->value = calloc((size_t)matrix->nzmax + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    *sound = matrix->nz <= matrix->nzmax && each_entry(matrix, count_entry, to);
    if (!*sound) return false;
    for (uint32_t j = 0; j < to->columns; j++)
        to->start[j + 2] += to->start[j + 1];
    *sound = to->start[to->columns + 1] <= (uint32_t)matrix->nzmax;
    if (!*sound) return false;
    (void)each_entry(matrix, place_entry, to);
    sort_columns(to);
    return true;
}

/* ---- the problem --------------------------------------------------------------------------------------------------- */

/* Room for the arrays whose sizes are known before: contacts and joints as blocks, their rows, the matrix. */
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
            // an entry above the diagonal alone: bodies before are one with this
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
    file->problem.block_diagonal = file->problem.symmetric = 1;
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

static tn_status refuse(char *why, const char *path, const char *reason)
{
    (void)snprintf(why, PROBLEM_WHY, "'%.110s': %s", path, reason);
    return TN_INVALID;
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

/* What a file says, in one form: A, transposed rows, friction, free rates, f, guesses; the last two may be NULL. */
typedef struct statement {
    compressed masses, cones, joints;
    const double *friction, *cone_rate, *joint_rate, *pull, *cone_guess, *joint_guess;
} statement;

/* Free rates get G A^-1 f, since u = w + G A^-1 (G^T p + f). */
static tn_status add_pulls(problem_file *file, const double *pull, const char *path, char *why)
{
    tn_impulse_blocks blocks = {0};
    uint32_t strange;
    const tn_status taken = tn_impulse_blocks_take(&blocks, &file->problem, &strange);
    double *z = calloc((size_t)file->problem.nv + 1, sizeof *z);
    tn_status status = !z || taken == TN_OUT_OF_MEMORY ? TN_OUT_OF_MEMORY : TN_OK;
    if (status == TN_OK && taken != TN_OK) status = refuse(why, path, "its matrix of masses is singular");
    if (status == TN_OK) {
        memcpy(z, pull, file->problem.nv * sizeof *z);
        tn_impulse_blocks_divide(&blocks, z);
        tn_impulse_rates(&file->problem, z, file->free_rate);
    }
    free(z);
    tn_impulse_blocks_release(&blocks);
    return status;
}

static tn_status state_problem(problem_file *file, const statement *from, const char *path, char *why)
{
    const uint32_t contacts = from->cones.columns / 3, rows = from->cones.columns + from->joints.columns;
    const uint32_t nv = from->masses.columns;
    const size_t entries = (size_t)from->cones.start[from->cones.columns] +
                           (from->joints.columns > 0 ? from->joints.start[from->joints.columns] : 0);
    if (!make_arrays(file, nv, contacts + from->joints.columns, rows, entries, from->masses.start[nv]))
        return TN_OUT_OF_MEMORY;
    set_matrix(file, &from->masses);
    for (uint32_t c = 0; c < contacts; c++)
        add_contact(file, &from->cones, c, from->friction[c], from->cone_rate, from->cone_guess);
    add_joints(file, &from->joints, contacts, from->joint_rate, from->joint_guess);
    finish(file, nv);
    return from->pull ? add_pulls(file, from->pull, path, why) : TN_OK;
}

static void free_statement(statement *from)
{
    free_compressed(&from->masses);
    free_compressed(&from->cones);
    free_compressed(&from->joints);
}

/* ---- global ------------------------------------------------------------------------------------------------------- */

static tn_status read_global(const struct fclib_global *global, statement *from, const char *path, char *why)
{
    bool sound = true;
    if (global->spacedim != 3 || !global->H || !global->M)
        return refuse(why, path, "its contacts are not in space");
    if (global->H->m != global->M->n || global->M->m != global->M->n || global->H->n % 3 != 0 ||
        (global->G && global->G->m != global->M->n))
        return refuse(why, path, "the sizes of its matrices do not fit");
    const bool made = compress(global->M, &from->masses, &sound) &&
                      compress(global->H, &from->cones, &sound) &&
                      (!global->G || compress(global->G, &from->joints, &sound));
    if (!made)
        return sound ? TN_OUT_OF_MEMORY
                     : refuse(why, path, "an index or a number in its matrices is not valid");
    from->friction = global->mu;
    from->cone_rate = global->w;
    from->joint_rate = global->b;
    for (int i = 0; i < global->M->n && !from->pull; i++)
        if (global->f[i] != 0.0) from->pull = global->f;
    return TN_OK;
}

/* ---- local: W = L L^T ------------------------------------------------------------------------------------------------ */

typedef struct dense {
    size_t size, row, column; /* where entries of a part go */
    bool mirrored;
    double *value; /* [size][size] */
} dense;

static void add_entry(void *data, uint32_t row, uint32_t column, double value)
{
    dense *to = data;
    const size_t i = to->row + row, j = to->column + column;
    to->value[i * to->size + j] += value;
    if (to->mirrored) to->value[j * to->size + i] += value;
}

/* Cholesky's factors with the largest pivots first: L [size][rank] in the first columns of `value`. */
static uint32_t factor_dense(double *w, size_t n, double *l)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, w[i * n + i]);
    for (uint32_t rank = 0; rank < n; rank++) {
        size_t pivot = 0;
        for (size_t i = 1; i < n; i++)
            if (w[i * n + i] > w[pivot * n + pivot]) pivot = i;
        const double d = w[pivot * n + pivot];
        if (!(d > RANK_TOLERANCE * largest)) return rank;
        for (size_t i = 0; i < n; i++)
            l[i * n + rank] = w[i * n + pivot] / sqrt(d);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                w[i * n + j] -= l[i * n + rank] * l[j * n + rank];
    }
    return (uint32_t)n;
}

/* Rows first, first + 1, ... of L as columns. */
static bool take_rows(const double *l, size_t n, uint32_t rank, size_t first, uint32_t count, compressed *to)
{
    *to = (compressed){.rows = rank, .columns = count};
    to->start = calloc((size_t)count + 1, sizeof *to->start);
    to->row = calloc((size_t)count * rank + 1, sizeof *to->row);
    to->value = calloc((size_t)count * rank + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    uint32_t entry = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < rank; k++) {
            if (l[(first + i) * n + k] == 0.0) continue;
            to->row[entry] = k;
            to->value[entry++] = l[(first + i) * n + k];
        }
        to->start[i + 1] = entry;
    }
    return true;
}

static bool take_identity(uint32_t size, compressed *to)
{
    *to = (compressed){.rows = size, .columns = size};
    to->start = calloc((size_t)size + 1, sizeof *to->start);
    to->row = calloc((size_t)size + 1, sizeof *to->row);
    to->value = calloc((size_t)size + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    for (uint32_t i = 0; i < size; i++) {
        to->row[i] = i;
        to->value[i] = 1.0;
        to->start[i + 1] = i + 1;
    }
    return true;
}

static tn_status factor_local(const struct fclib_local *local, double *w, double *l, statement *from,
                              const char *path, char *why)
{
    const uint32_t m = (uint32_t)local->W->n, p = local->R ? (uint32_t)local->R->n : 0;
    dense whole = {.size = (size_t)m + p, .value = w};
    bool sound = each_entry(local->W, add_entry, &whole);
    whole.row = whole.column = m;
    if (local->R) sound = sound && each_entry(local->R, add_entry, &whole);
    whole.row = 0;
    whole.mirrored = true;
    if (local->V) sound = sound && each_entry(local->V, add_entry, &whole);
    if (!sound) return refuse(why, path, "an index or a number in its matrices is not valid");
    const uint32_t rank = factor_dense(w, whole.size, l);
    const bool made = take_identity(rank, &from->masses) &&
                      take_rows(l, whole.size, rank, 0, m, &from->cones) &&
                      take_rows(l, whole.size, rank, m, p, &from->joints);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status read_local(const struct fclib_local *local, statement *from, const char *path, char *why)
{
    if (local->spacedim != 3 || !local->W || local->W->n % 3 != 0 || local->W->m != local->W->n)
        return refuse(why, path, "its contacts are not in space");
    const size_t size = (size_t)local->W->n + (local->R ? (size_t)local->R->n : 0);
    if (size > MOST_DENSE)
        return refuse(why, path, "a local problem of more than 6000 rows: write it as a global one");
    if (local->V && (!local->R || local->V->m != local->W->n || local->V->n != local->R->n))
        return refuse(why, path, "the sizes of its matrices do not fit");
    double *w = calloc(size * size + 1, sizeof *w), *l = calloc(size * size + 1, sizeof *l);
    const tn_status status = w && l ? factor_local(local, w, l, from, path, why) : TN_OUT_OF_MEMORY;
    free(w);
    free(l);
    from->friction = local->mu;
    from->cone_rate = local->q;
    from->joint_rate = local->s;
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------------- */

/* What is in a file. FCLib ends the process at what is no HDF5, and where a group is not there: their names stand in the file as
 * text. */
typedef struct found {
    bool hdf5, global, local, guesses;
} found;

static bool has_text(const char *data, size_t size, const char *text)
{
    return memmem(data, size, text, strlen(text)) != NULL;
}

/* False: no memory, or the file cannot be read; then it is no HDF5 either. */
static bool look_at(const char *path, found *in)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    *in = (found){0};
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = size > 8 ? malloc((size_t)size) : NULL;
    const bool read =
        data && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    if (read) {
        in->hdf5 = memcmp(data, signature, sizeof signature) == 0;
        in->global = has_text(data, (size_t)size, "fclib_global");
        in->local = has_text(data, (size_t)size, "fclib_local");
        in->guesses = has_text(data, (size_t)size, "guesses");
    }
    free(data);
    return read;
}

static tn_status read_and_state(const char *path, const found *in, problem_file *file,
                                const struct fclib_solution *guess, char *why)
{
    statement from = {.cone_guess = guess ? guess->r : NULL, .joint_guess = guess ? guess->l : NULL};
    struct fclib_global *global = in->global ? fclib_read_global(path) : NULL;
    struct fclib_local *local = !global && in->local ? fclib_read_local(path) : NULL;
    tn_status status = global  ? read_global(global, &from, path, why)
                       : local ? read_local(local, &from, path, why)
                               : refuse(why, path, "neither a global nor a local problem of FCLib");
    if (status == TN_OK) status = state_problem(file, &from, path, why);
    free_statement(&from);
    if (global) {
        fclib_delete_global(global);
        free(global);
    }
    if (local) {
        fclib_delete_local(local);
        free(local);
    }
    return status;
}

tn_status problem_read(const char *path, problem_file *file, char *why)
{
    *file = (problem_file){0};
    (void)snprintf(why, PROBLEM_WHY, "out of memory");
    found in;
    if (!look_at(path, &in) || !in.hdf5) return refuse(why, path, "it cannot be read, or is no HDF5 file");
    int guesses = 0;
    struct fclib_solution *guess = in.guesses ? fclib_read_guesses(path, &guesses) : NULL;
    const tn_status status = read_and_state(path, &in, file, guesses > 0 ? guess : NULL, why);
    if (guess) fclib_delete_solutions(guess, guesses); // the array, too; the others leave their struct
    if (status != TN_OK) problem_release(file);
    return status;
}
