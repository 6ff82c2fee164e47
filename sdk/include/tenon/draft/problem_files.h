/* tenon/draft/problem_files.h - plugins that write problems of impulses to files, and read them: the shipped one is `fclib`.
 *
 *     files = tn_capability_of(type->capabilities, TN_PROBLEM_FILES_KEY);
 *
 * `type` is that of a constraint solver, which a solver by impulses gets by `standard(system, "fclib")` of tn_constraint_solver. The interface
 * may change until it moves one folder up. */
#ifndef TENON_DRAFT_PROBLEM_FILES_H
#define TENON_DRAFT_PROBLEM_FILES_H

#include "tenon/draft/impulses.h"

enum { TN_PROBLEM_WHY = 200 }; /* size of a text with a reason */

#define TN_PROBLEM_FILES_KEY "fclib.problems/1"
typedef struct tn_problem_files {
    uint32_t struct_size, reserved;
    /* Writes a problem, with its impulses as initial guess, and replaces an existing file. TN_UNSUPPORTED: the format cannot represent the
     * problem, such as one of joints only. TN_INVALID: the file cannot be written. Both with a reason in `why` [TN_PROBLEM_WHY]. */
    tn_status (*write)(const char *path, const char *title, const tn_impulse_problem *problem, char *why);
    /* Reads a problem, which lives until release(); its impulses are the guess of the file, or zero. TN_INVALID, with a reason. */
    tn_status (*read)(const char *path, tn_impulse_problem **problem, char *why);
    void (*release)(tn_impulse_problem *problem);
} tn_problem_files;

#endif
