/* write_problem.c - a problem of impulses as a file of FCLib (see problem_file.h) */
#include "problem_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* H or G: columns are rows of the problem. */
typedef struct columns {
    struct fclib_matrix matrix;
    double *free;
    uint32_t count;
    size_t entries;
} columns;

typedef struct writing {
    const tn_impulse_problem *problem;
    struct fclib_matrix masses;
    columns cones, joints;
    double *friction, *pull, *impulse, *multiplier, *velocity, *rate; /* f, guesses r and l, v and u */
} writing;

static bool of_joints(const tn_impulse_block *block) { return block->law == TN_JOINT_LAW; }

static bool make_columns(columns *to, const tn_impulse_problem *problem, bool joints)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < problem->blocks; b++)
        if (of_joints(&problem->block[b]) == joints) count += joints ? problem->block[b].rows : 3;
    const uint32_t entries = problem->row_start[problem->rows];
    to->matrix = (struct fclib_matrix){.m = (int)problem->nv, .n = (int)count, .nz = -1};
    to->matrix.p = calloc((size_t)count + 1, sizeof *to->matrix.p);
    to->matrix.i = calloc((size_t)entries + 1, sizeof *to->matrix.i);
    to->matrix.x = calloc((size_t)entries + 1, sizeof *to->matrix.x);
    to->free = calloc((size_t)count + 1, sizeof *to->free);
    return to->matrix.p && to->matrix.i && to->matrix.x && to->free;
}

static void free_columns(columns *of)
{
    free(of->matrix.p);
    free(of->matrix.i);
    free(of->matrix.x);
    free(of->free);
}

/* The next column: a row of the problem, or nothing. */
static void add_column(columns *to, const tn_impulse_problem *problem, const uint32_t *row)
{
    if (row) {
        to->free[to->count] = problem->free_rate[*row];
        for (uint32_t k = problem->row_start[*row]; k < problem->row_start[*row + 1]; k++, to->entries++) {
            to->matrix.i[to->entries] = (int)problem->column[k];
            to->matrix.x[to->entries] = problem->value[k];
        }
    }
    to->count++;
    to->matrix.p[to->count] = (int)to->entries;
    to->matrix.nzmax = (int)to->entries;
}

static void add_block(writing *work, const tn_impulse_block *block)
{
    columns *to = of_joints(block) ? &work->joints : &work->cones;
    double *impulse = of_joints(block) ? work->multiplier : work->impulse;
    if (!of_joints(block)) work->friction[to->count / 3] = block->law == TN_CONE_LAW ? block->friction : 0.0;
    for (uint32_t i = 0; i < block->rows; i++) {
        const uint32_t row = block->first + i;
        impulse[to->count] = work->problem->impulse[row];
        add_column(to, work->problem, &row);
    }
    for (int i = 0; i < 2 && block->law == TN_UNILATERAL_LAW; i++)
        add_column(to, work->problem, NULL);
}

static bool make(writing *work)
{
    const tn_impulse_problem *problem = work->problem;
    const tn_matrix *matrix = problem->matrix;
    const size_t rows = 3 * (size_t)problem->rows + 1, nv = (size_t)problem->nv + 1;
    // the library writes what is not declared constant there
    work->masses = (struct fclib_matrix){.m = (int)problem->nv,
                                         .n = (int)problem->nv,
                                         .nz = -1,
                                         .nzmax = matrix->column_start[matrix->size],
                                         .p = (int *)(uintptr_t)matrix->column_start,
                                         .i = (int *)(uintptr_t)matrix->row,
                                         .x = matrix->value};
    work->friction = calloc(rows, sizeof(double));
    work->pull = calloc(nv, sizeof(double));
    work->impulse = calloc(rows, sizeof(double));
    work->multiplier = calloc(rows, sizeof(double));
    work->velocity = calloc(nv, sizeof(double));
    work->rate = calloc(rows, sizeof(double));
    const bool made =
        make_columns(&work->cones, problem, false) && make_columns(&work->joints, problem, true);
    return made && work->friction && work->pull && work->impulse && work->multiplier && work->velocity &&
           work->rate;
}

static void end(writing *work)
{
    free_columns(&work->cones);
    free_columns(&work->joints);
    free(work->friction);
    free(work->pull);
    free(work->impulse);
    free(work->multiplier);
    free(work->velocity);
    free(work->rate);
}

static bool can_write(const char *path, char *why)
{
    FILE *file = fopen(path, "wb");
    const bool opened = file != NULL;
    const bool written = opened && fputc(0, file) != EOF;
    const bool closed = opened && fclose(file) == 0;
    if (opened) (void)remove(path);
    if (!written || !closed) (void)snprintf(why, TN_PROBLEM_WHY, "'%.150s' cannot be written", path);
    return written && closed;
}

static tn_status write_global(writing *work, const char *path, const char *title, char *why)
{
    char text[200];
    (void)snprintf(text, sizeof text, "%s", title);
    struct fclib_info info = {.title = text, .description = "a step of Tenon", .math_info = ""};
    struct fclib_global global = {.M = &work->masses,
                                  .H = &work->cones.matrix,
                                  .G = work->joints.count > 0 ? &work->joints.matrix : NULL,
                                  .mu = work->friction,
                                  .f = work->pull,
                                  .b = work->joints.count > 0 ? work->joints.free : NULL,
                                  .w = work->cones.free,
                                  .spacedim = 3,
                                  .info = &info};
    struct fclib_solution guess = {.v = work->velocity,
                                   .u = work->rate,
                                   .r = work->impulse,
                                   .l = work->joints.count > 0 ? work->multiplier : NULL};
    if (work->cones.count == 0) {
        (void)snprintf(why, TN_PROBLEM_WHY,
                       "a problem without contacts is none of friction: FCLib has no place for it");
        return TN_UNSUPPORTED;
    }
    if (!can_write(path, why)) return TN_INVALID;
    if (fclib_write_global(&global, path) && fclib_write_guesses(1, &guess, path)) return TN_OK;
    (void)snprintf(why, TN_PROBLEM_WHY, "FCLib has not written '%.150s'", path);
    return TN_INVALID;
}

tn_status problem_write(const char *path, const char *title, const tn_impulse_problem *problem, char *why)
{
    writing work = {.problem = problem};
    if (problem->rows > INT32_MAX / 3 || problem->row_start[problem->rows] > INT32_MAX) {
        (void)snprintf(why, TN_PROBLEM_WHY, "FCLib counts in 31 bits: this problem is too large");
        return TN_UNSUPPORTED;
    }
    tn_status status = TN_OUT_OF_MEMORY;
    (void)snprintf(why, TN_PROBLEM_WHY, "out of memory");
    if (make(&work)) {
        for (uint32_t b = 0; b < problem->blocks; b++)
            add_block(&work, &problem->block[b]);
        status = write_global(&work, path, title, why);
    }
    end(&work);
    return status;
}
