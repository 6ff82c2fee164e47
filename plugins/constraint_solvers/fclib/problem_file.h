/* problem_file.h - problems of impulses as files of FCLib (HDF5), which other programs read: https://frictionalcontactlibrary.github.io
 *
 * fclib_global states M v = H r + G l + f, u = H^T v + w, 0 = G^T v + b, with a cone for three rows each. M is A, v is z, H and G are
 * the transposed rows of cones and of joints, w and b their free rates, f = 0; l are the impulses of joints. A unilateral row becomes
 * a cone without friction whose tangents do not move, and such a cone a unilateral row. fclib_local has W, V, R in place of that: read
 * with A = 1 and rows G such that G G^T = [W V; V^T R].
 *
 * Guesses of a file are impulses where a solver starts. FCLib ends the process where HDF5 fails: files are tried before. */
#ifndef TENON_PROBLEM_FILE_H
#define TENON_PROBLEM_FILE_H

#include "compressed.h"

#include <tenon/draft/problem_files.h>

#include <fclib.h>

/* A problem with its memory; `problem` is first, as callers have a pointer to it only. */
typedef struct problem_file {
    tn_impulse_problem problem;
    tn_matrix matrix;
    tn_impulse_block *block;
    uint32_t *row_start, *column, *body_start;
    double *value, *free_rate, *impulse, *matrix_value;
    int32_t *column_start, *row;
} problem_file;

/* The content of a file in a common form: A, transposed rows, friction, free rates, f, guesses; the last three may be NULL. */
typedef struct statement {
    compressed masses, cones, joints;
    const double *friction, *cone_rate, *joint_rate, *pull, *cone_guess, *joint_guess;
} statement;

/* write_problem.c, read_problem.c: as in tn_problem_files */
tn_status problem_write(const char *path, const char *title, const tn_impulse_problem *problem, char *why);
tn_status problem_read(const char *path, tn_impulse_problem **problem, char *why);
void problem_release(tn_impulse_problem *problem);

/* local_problem.c: W, V and R by their factors */
tn_status problem_read_local(const struct fclib_local *local, statement *from, const char *path, char *why);
/* state_problem.c: converts it to a problem with memory of its own */
tn_status problem_state(problem_file *file, const statement *from, const char *path, char *why);

/* TN_INVALID, with the reason in `why` */
tn_status problem_refuse(char *why, const char *path, const char *reason);

#endif
