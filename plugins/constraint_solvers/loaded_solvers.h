/* loaded_solvers.h - constraint solvers out of their plugins, for programs and tests that solve problems outside of a run: a host, the
 * linear service by `klu`, instances with standard parameters. */
#ifndef TENON_LOADED_SOLVERS_H
#define TENON_LOADED_SOLVERS_H

#include <tenon/draft/problem_files.h>
#include <tenon/kit/impulse_blocks.h>
#include <tenon/plugin.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOADED_WHY = TN_PROBLEM_WHY, LOADED_INSTANCE = 4096 };

/* ---- a host ------------------------------------------------------------------------------------------------------ */

/* Memory of a host lives as long as the program: a linked list of blocks. */
enum { LOADED_ALIGNMENT = 64 };
static void *loaded_memory;

static void *loaded_allocate(const tn_host *host, size_t bytes)
{
    (void)host;
    void *memory = NULL;
    const size_t rounded = (bytes / LOADED_ALIGNMENT + 2) * LOADED_ALIGNMENT;
    if (posix_memalign(&memory, LOADED_ALIGNMENT, rounded) != 0) return NULL;
    memset(memory, 0, rounded);
    memcpy(memory, &loaded_memory, sizeof loaded_memory);
    loaded_memory = memory;
    return (char *)memory + LOADED_ALIGNMENT;
}
static void loaded_message(const tn_host *host, tn_level level, const char *text)
{
    (void)host;
    if (level != TN_NOTE) (void)fprintf(stderr, "%s\n", text);
}
static void loaded_refusal(const tn_host *host, const char *parameter, const char *text)
{
    (void)host;
    (void)fprintf(stderr, "%s%s%s\n", parameter ? parameter : "", parameter ? ": " : "", text);
}
static const tn_host loaded_host = {.struct_size = sizeof loaded_host,
                                    .allocate = loaded_allocate,
                                    .message = loaded_message,
                                    .error = loaded_refusal};

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* The type of this name and kind in FOLDER/NAME.so; NULL: there is none, for the reason in `why` [LOADED_WHY]. */
static inline const void *load_type(const char *folder, const char *kind, const char *name, char *why)
{
    char path[PATH_MAX + 100];
    (void)snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    tn_plugin_function library = NULL;
    void *symbol = handle ? dlsym(handle, TN_PLUGIN_SYMBOL) : NULL;
    if (symbol) memcpy(&library, &symbol, sizeof library);
    (void)snprintf(why, LOADED_WHY, "the plugin `%.60s` %s", name,
                   library ? "has no such type" : "is not there");
    for (const tn_type *type = library ? library()->types : NULL; type && type->kind; type++) {
        const tn_constraint_solver_type *common = type->type; // all types begin alike
        if (strcmp(type->kind, kind) == 0 && strcmp(common->name, name) == 0) return common;
    }
    return NULL;
}

/* The table by which `fclib` reads and writes; NULL, with a reason. */
static inline const tn_problem_files *load_problem_files(const char *folder, char *why)
{
    const tn_constraint_solver_type *type = load_type(folder, TN_CONSTRAINT_SOLVER_KIND, "fclib", why);
    return type ? tn_capability_of(type->capabilities, TN_PROBLEM_FILES_KEY) : NULL;
}

/* A number parameter of an instance, whatever its kind is. */
static inline void set_loaded(void *instance, const tn_parameter *parameter, double value)
{
    char *place = (char *)instance + parameter->offset;
    const int64_t whole = (int64_t)value;
    const int32_t small = (int32_t)value;
    if (parameter->kind == TN_KIND_REAL) memcpy(place, &value, sizeof value);
    if (parameter->kind == TN_KIND_INTEGER) memcpy(place, &whole, sizeof whole);
    if (parameter->kind == TN_KIND_CHOICE || parameter->kind == TN_KIND_BOOLEAN)
        memcpy(place, &small, sizeof small);
}

/* Sets a parameter by its name; false: the type has no such parameter. */
static inline bool set_loaded_by_name(void *instance, const tn_parameter *parameter, const char *name,
                                      double value)
{
    for (; parameter && parameter->name; parameter++)
        if (strcmp(parameter->name, name) == 0) {
            set_loaded(instance, parameter, value);
            return true;
        }
    return false;
}

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

/* A real matrix, with what the linear solver keeps of it. */
typedef struct loaded_matrix {
    tn_matrix matrix;
    void *self;
} loaded_matrix;

static tn_status open_loaded(const tn_own_matrices *own, const tn_matrix *pattern, uint32_t is_complex,
                             void **opened)
{
    const tn_linear_type *type = own->self;
    loaded_matrix *made = *opened = calloc(1, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    made->matrix = *pattern;
    return is_complex ? TN_UNSUPPORTED : type->create(&loaded_host, NULL, &made->matrix, &made->self);
}
static tn_status factor_loaded(const tn_own_matrices *own, void *opened, const double *value)
{
    loaded_matrix *made = opened;
    made->matrix.value = (double *)(uintptr_t)value;
    return ((const tn_linear_type *)own->self)->factor(made->self, &made->matrix);
}
static tn_status divide_loaded(const tn_own_matrices *own, void *opened, double *x)
{
    return ((const tn_linear_type *)own->self)->solve(((const loaded_matrix *)opened)->self, x);
}
static void close_loaded(const tn_own_matrices *own, void *opened)
{
    loaded_matrix *made = opened;
    if (made && made->self) ((const tn_linear_type *)own->self)->destroy(made->self);
    free(made);
}

/* ---- a solver ---------------------------------------------------------------------------------------------------- */

typedef struct loaded_solver {
    const tn_constraint_solver_type *type;
    tn_own_matrices linear;
    _Alignas(16) char instance[LOADED_INSTANCE];
    void *self; /* after start_loaded() */
} loaded_solver;

/* Loads a solver with default parameters, from the folder `own` if that is not NULL and has it, else from `folder`; false, with a reason. */
static inline bool load_solver(loaded_solver *solver, const char *own, const char *folder, const char *name,
                               char *why)
{
    memset(solver, 0, sizeof *solver);
    const void *klu = load_type(folder, TN_LINEAR_KIND, "klu", why);
    if (!klu) return false;
    if (own) solver->type = load_type(own, TN_CONSTRAINT_SOLVER_KIND, name, why);
    if (!solver->type) solver->type = load_type(folder, TN_CONSTRAINT_SOLVER_KIND, name, why);
    if (!solver->type) return false;
    (void)snprintf(why, LOADED_WHY, "the parameters of `%.60s` are too large", name);
    if (solver->type->instance_size > sizeof solver->instance) return false;
    for (const tn_parameter *p = solver->type->parameters; p && p->name; p++)
        set_loaded(solver->instance, p, p->standard);
    solver->linear = (tn_own_matrices){.struct_size = sizeof solver->linear,
                                       .self = (void *)(uintptr_t)klu,
                                       .open = open_loaded,
                                       .factor = factor_loaded,
                                       .solve = divide_loaded,
                                       .close = close_loaded};
    return true;
}

/* Starts it with its present parameters. */
static inline tn_status start_loaded(loaded_solver *solver)
{
    return solver->type->create(&loaded_host, solver->instance, &solver->linear, &solver->self);
}

static inline void end_loaded(loaded_solver *solver)
{
    if (solver->self) solver->type->destroy(solver->self);
    solver->self = NULL;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The error of problem->impulse; infinite where it cannot be measured. */
static inline double loaded_error(const tn_impulse_problem *problem)
{
    tn_impulse_blocks blocks = {0};
    tn_impulse_outcome outcome = {.struct_size = sizeof outcome, .error = HUGE_VAL};
    uint32_t strange;
    if (problem->rows == 0) return 0.0;
    double *z = calloc((size_t)problem->nv + 1, sizeof *z);
    double *rate = calloc((size_t)problem->rows + 1, sizeof *rate);
    if (z && rate && tn_impulse_blocks_take(&blocks, problem, &strange) == TN_OK) {
        tn_impulse_blocks_velocity(&blocks, problem->impulse, z);
        tn_impulse_rates(problem, z, rate);
        tn_impulse_error(problem, rate, &outcome);
    }
    tn_impulse_blocks_release(&blocks);
    free(z);
    free(rate);
    return outcome.error;
}

#endif
