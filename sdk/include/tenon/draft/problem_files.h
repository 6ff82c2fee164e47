/* tenon/draft/problem_files.h - problems of impulses as files, of plugins that write and read them: the shipped one is `fclib`.
 *
 *     files = tn_capability_of(type->capabilities, TN_PROBLEM_FILES_KEY);
 *
 * of a constraint solver type, which a solver by impulses gets by `standard(system, "fclib")` of tn_constraint_solver; it may change until
 * it moves one folder up. */
#ifndef TENON_DRAFT_PROBLEM_FILES_H
#define TENON_DRAFT_PROBLEM_FILES_H

#include "tenon/draft/impulses.h"

enum { TN_PROBLEM_WHY = 200 }; /* letters of a reason at most, with the zero behind it */

#define TN_PROBLEM_FILES_KEY "fclib.problems/1"
typedef struct tn_problem_files {
    uint32_t struct_size, reserved;
    /* A file of that name is replaced; `title` stands in it. The impulses of the problem are the guess. TN_UNSUPPORTED: there is no place
     * for such a problem, as for one of joints alone. TN_INVALID: no file is written. Both with a reason in `why` [TN_PROBLEM_WHY]. */
    tn_status (*write)(const char *path, const char *title, const tn_impulse_problem *problem, char *why);
    /* What was read lives until release(); its impulses are the guess of the file, or zero. TN_INVALID, with a reason. */
    tn_status (*read)(const char *path, tn_impulse_problem **problem, char *why);
    void (*release)(tn_impulse_problem *problem);
} tn_problem_files;

#endif
