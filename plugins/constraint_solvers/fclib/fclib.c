/* fclib.c - projected_newton that writes the problems it gets to files of FCLib; and both directions for others */
#include "../projected_newton/projected_newton.h"
#include "problem_file.h"

#include <stdio.h>

#define FCLIB(X)                                                                                        \
    X(TEXT, folder, 0,                                                                                  \
      "where problem_000001.hdf5, problem_000002.hdf5, ... are written; it exists. Standard: none are " \
      "written")                                                                                        \
    X(CHOICE, problems, "all|failed", 0, 0, "which ones: all, or those that are not solved")            \
    X(INTEGER, most_files, 0, 1000, 1, 1000000, "files at most")                                        \
    NEWTON_PARAMETERS(X)

enum { ALL, FAILED };

TN_PARAMETERS(fclib, FCLIB)

typedef struct fclib_solver {
    const tn_host *host;
    const fclib *of;
    newton_work *work;
    double *start; /* [rows] impulses before, the guess of a file */
    size_t start_room;
    uint64_t problems, files;
    bool refused; /* files are not written any more, which has been said */
} fclib_solver;

static void fclib_destroy(void *self)
{
    fclib_solver *solver = self;
    if (!solver) return;
    newton_free(solver->work);
    free(solver->start);
    free(solver);
}

static tn_status fclib_create(const tn_host *host, const void *instance,
                              TN_UNUSED const tn_own_matrices *linear, void **self)
{
    fclib_solver *solver = *self = calloc(1, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->host = host;
    solver->of = instance;
    solver->work = newton_new();
    return solver->work ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Writes the problem as it was given. A failure is reported once, and ends the writing. */
static void write_file(fclib_solver *solver, const tn_impulse_problem *problem,
                       const tn_impulse_outcome *outcome)
{
    char path[1024], title[100], why[PROBLEM_WHY] = "";
    tn_impulse_problem given = *problem;
    given.impulse = solver->start;
    const int length = snprintf(path, sizeof path, "%s/problem_%06llu.hdf5", solver->of->folder,
                                (unsigned long long)solver->problems);
    (void)snprintf(title, sizeof title, "problem %llu, %u blocks, error %.1e after %u iterations",
                   (unsigned long long)solver->problems, problem->blocks, outcome->error,
                   outcome->iterations);
    const bool fits = length > 0 && (size_t)length < sizeof path;
    const tn_status status = fits ? problem_write(path, title, &given, why) : TN_INVALID;
    if (status == TN_OK) solver->files++;
    if (status == TN_OK || status == TN_UNSUPPORTED || solver->refused) return;
    tn_say(solver->host, TN_WARNING, "fclib writes no files: %s",
           fits ? why : "the name of their folder is too long");
    solver->refused = true;
}

static tn_status fclib_solve(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    fclib_solver *solver = self;
    const newton_settings settings = {solver->of->tolerance, solver->of->most_iterations};
    const bool writes =
        solver->of->folder && !solver->refused && solver->files < (uint64_t)solver->of->most_files;
    solver->problems++;
    if (writes) {
        if (!TN_MAKE_ROOM(solver->start, solver->start_room, (size_t)problem->rows)) return TN_OUT_OF_MEMORY;
        if (problem->rows > 0) memcpy(solver->start, problem->impulse, problem->rows * sizeof *solver->start);
    }
    const tn_status status = newton_solve(solver->work, settings, problem, outcome);
    if (writes && (solver->of->problems == ALL || status == TN_RETRY)) write_file(solver, problem, outcome);
    return status;
}

static const fclib_problems_capability files = {
    .struct_size = sizeof files, .write = problem_write, .read = problem_read, .release = problem_release};

static const tn_capability capabilities[] = {{FCLIB_PROBLEMS_KEY, &files}, {NULL, NULL}};

TN_CONSTRAINT_SOLVER(
    fclib,
    .summary = "projected_newton that writes the problems of a run as files of FCLib, for other programs",
    .formula = "M v = H r + G l + f, u = H^T v + w, 0 = G^T v + b; u + friction |u_T| n in K*, r in K, at "
               "right angles",
    .literature =
        "Acary, Bremond, Koziara, Perignon: FCLIB: a collection of discrete 3D frictional contact problems, "
        "technical report RT-0444, INRIA, 2014",
    .capabilities = capabilities, .create = fclib_create, .solve = fclib_solve, .destroy = fclib_destroy)
TN_LIBRARY("fclib", "1.0.0", "Apache-2.0",
           "files of friction problems; links FCLib (Apache-2.0), which uses HDF5 (BSD)",
           {TN_CONSTRAINT_SOLVER_KIND, &fclib_type})
