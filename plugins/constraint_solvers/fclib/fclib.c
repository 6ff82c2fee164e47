/* fclib.c - writes and reads files of problems, for solvers by impulses and for programs; it solves none */
#include "problem_file.h"

#include <tenon/author.h>

TN_NO_PARAMETERS(fclib)

/* Chosen as a constraint solver by mistake: refused. */
static tn_status fclib_create(const tn_host *host, TN_UNUSED const void *instance,
                              TN_UNUSED const tn_own_matrices *linear, void **self)
{
    *self = NULL;
    return tn_refuse(
        host, "constraint_solver",
        "`fclib` writes problems and solves none: choose another constraint solver, and files by "
        "problems = {folder = \"...\"} of `moreau`");
}
static tn_status fclib_solve(TN_UNUSED void *self, TN_UNUSED const tn_impulse_problem *problem,
                             TN_UNUSED tn_impulse_outcome *outcome)
{
    return TN_UNSUPPORTED;
}
static void fclib_destroy(TN_UNUSED void *self) {}

static const tn_problem_files files = {
    .struct_size = sizeof files, .write = problem_write, .read = problem_read, .release = problem_release};

static const tn_capability capabilities[] = {{TN_PROBLEM_FILES_KEY, &files}, {NULL, NULL}};

TN_CONSTRAINT_SOLVER(
    fclib,
    .summary = "files of FCLib for the problems of steps, which solvers by impulses write; it solves none",
    .formula = "M v = H r + G l + f, u = H^T v + w, 0 = G^T v + b; u + friction |u_T| n in K*, r in K, "
               "orthogonal",
    .literature =
        "Acary, Bremond, Koziara, Perignon: FCLIB: a collection of discrete 3D frictional contact problems, "
        "technical report RT-0444, INRIA, 2014",
    .flags = TN_SOLVES_NONE, .capabilities = capabilities, .create = fclib_create, .solve = fclib_solve,
    .destroy = fclib_destroy)
TN_LIBRARY("fclib", "1.1.0", "Apache-2.0",
           "files of friction problems; links FCLib (Apache-2.0), which uses HDF5 (BSD)",
           {TN_CONSTRAINT_SOLVER_KIND, &fclib_type})
