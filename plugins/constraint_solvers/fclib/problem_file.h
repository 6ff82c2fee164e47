/* problem_file.h - problems of impulses as files of FCLib (HDF5), which other programs read: http://fclib.gforge.inria.fr
 *
 * fclib_global states M v = H r + G l + f, u = H^T v + w, 0 = G^T v + b, with a cone for three rows each. M is A, v is z, H and G are
 * the transposed rows of cones and of joints, w and b their free rates, f = 0; l are the impulses of joints. A unilateral row becomes
 * a cone without friction whose tangents do not move, and such a cone a unilateral row. fclib_local has W, V, R in place of that: read
 * with A = 1 and rows G such that G G^T = [W V; V^T R].
 *
 * Guesses of a file are impulses where a solver starts. FCLib ends the process where HDF5 fails: files are tried before. */
#ifndef TENON_PROBLEM_FILE_H
#define TENON_PROBLEM_FILE_H

#include "tenon/draft/impulses.h"

/* A problem that was read, with its memory. */
typedef struct problem_file {
    tn_impulse_problem problem;
    tn_matrix matrix;
    tn_impulse_block *block;
    uint32_t *row_start, *column, *body_start;
    double *value, *free_rate, *impulse, *matrix_value;
    int32_t *column_start, *row;
} problem_file;

/* A table of the type `fclib`, for solvers by impulses that write their steps: tn_capability_of(type->capabilities, FCLIB_PROBLEMS_KEY).
 * Both return TN_INVALID with a reason in `why` [200], or TN_OUT_OF_MEMORY. */
#define FCLIB_PROBLEMS_KEY "fclib.problems/1"
typedef struct fclib_problems_capability {
    uint32_t struct_size, reserved;
    /* A file of that name is replaced. The impulses of the problem are the guess. */
    tn_status (*write)(const char *path, const char *title, const tn_impulse_problem *problem, char *why);
    /* What was read lives until release(). */
    tn_status (*read)(const char *path, problem_file *file, char *why);
    void (*release)(problem_file *file);
} fclib_problems_capability;

tn_status problem_write(const char *path, const char *title, const tn_impulse_problem *problem, char *why);
tn_status problem_read(const char *path, problem_file *file, char *why);
void problem_release(problem_file *file);

enum { PROBLEM_WHY = 200 };

#endif
