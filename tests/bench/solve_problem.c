/* solve_problem.c - problems of impulses solved alone, outside of a run: those of files of FCLib, or, without files, those that
 * plugins/constraint_solvers/test_problems.h makes.
 *
 *     solve_problem [--solvers a,b,...] [--tolerance t] [--iterations n] [--relaxed] [FILE ...]
 *
 * prints a table of errors, iterations and times of all these constraint solvers: from the impulses of the problem (cold), and once
 * more from those of a problem whose free rates are 1 % different (warm), the median of the runs in a twentieth of a second. Plugins are
 * those of the folder TENON_PLUGINS, or of ../plugins beside the program. It returns 1 where a problem is not solved. */
#include "../../plugins/constraint_solvers/test_problems.h"
#include "../../plugins/constraint_solvers/fclib/problem_file.h"

#include <tenon/plugin.h>

#include <dlfcn.h>
#include <limits.h>
#include <time.h>

enum { MOST_SOLVERS = 16, MOST_RUNS = 200, INSTANCE_SIZE = 4096 };
#define MEASURED 0.05 /* s */

typedef struct options {
    char folder[PATH_MAX];
    const char *solver[MOST_SOLVERS];
    int solvers;
    double tolerance, iterations;
    bool relaxed;
    int failures;
} options;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- a host, plugins, linear systems -------------------------------------------------------------------------- */

static void *host_allocate(const tn_host *host, size_t bytes)
{
    (void)host;
    void *memory = NULL; // lives as long as the program
    const size_t rounded = (bytes + 64) / 64 * 64;
    return posix_memalign(&memory, 64, rounded) == 0 ? memset(memory, 0, rounded) : NULL;
}
static void host_message(const tn_host *host, tn_level level, const char *text)
{
    (void)host;
    if (level != TN_NOTE) (void)fprintf(stderr, "%s\n", text);
}
static void host_error(const tn_host *host, const char *parameter, const char *text)
{
    (void)host;
    (void)fprintf(stderr, "%s: %s\n", parameter ? parameter : "", text);
}

static const tn_host host = {
    .struct_size = sizeof host, .allocate = host_allocate, .message = host_message, .error = host_error};

/* The type of this name and kind; NULL: there is none, which `why` says. */
static const void *find_type(const options *from, const char *kind, const char *name, char *why)
{
    char path[PATH_MAX + 100];
    (void)snprintf(path, sizeof path, "%s/%s.so", from->folder, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    tn_plugin_function library = NULL;
    void *symbol = handle ? dlsym(handle, TN_PLUGIN_SYMBOL) : NULL;
    if (symbol) memcpy(&library, &symbol, sizeof library);
    (void)snprintf(why, PROBLEM_WHY, "%s", library ? "it has no such type" : "there is no such plugin");
    for (const tn_type *type = library ? library()->types : NULL; type && type->kind; type++) {
        const tn_constraint_solver_type *common = type->type; // all types begin alike
        if (strcmp(type->kind, kind) == 0 && strcmp(common->name, name) == 0) return common;
    }
    return NULL;
}

/* A real matrix of a pattern, with the linear solver's own. */
typedef struct opened {
    tn_matrix matrix;
    void *self;
} opened;

static tn_status open_matrix(const tn_own_matrices *own, const tn_matrix *pattern, uint32_t is_complex,
                             void **made)
{
    opened *o = *made = calloc(1, sizeof *o);
    if (!o) return TN_OUT_OF_MEMORY;
    o->matrix = *pattern;
    return is_complex ? TN_UNSUPPORTED
                      : ((const tn_linear_type *)own->self)->create(&host, NULL, &o->matrix, &o->self);
}
static tn_status factor_matrix(const tn_own_matrices *own, void *made, const double *value)
{
    opened *o = made;
    o->matrix.value = (double *)(uintptr_t)value;
    return ((const tn_linear_type *)own->self)->factor(o->self, &o->matrix);
}
static tn_status solve_matrix(const tn_own_matrices *own, void *made, double *x)
{
    return ((const tn_linear_type *)own->self)->solve(((const opened *)made)->self, x);
}
static void close_matrix(const tn_own_matrices *own, void *made)
{
    opened *o = made;
    if (o && o->self) ((const tn_linear_type *)own->self)->destroy(o->self);
    free(o);
}

static void fill_instance(const options *from, const tn_parameter *parameter, char *instance)
{
    for (; parameter && parameter->name; parameter++) {
        double value = parameter->standard;
        if (strcmp(parameter->name, "tolerance") == 0) value = from->tolerance;
        if (strcmp(parameter->name, "most_iterations") == 0 && from->iterations > 0.0)
            value = from->iterations;
        if (strcmp(parameter->name, "relaxed") == 0) value = from->relaxed;
        const int64_t whole = (int64_t)value;
        const int32_t small = (int32_t)value;
        if (parameter->kind == TN_KIND_REAL) memcpy(instance + parameter->offset, &value, sizeof value);
        if (parameter->kind == TN_KIND_INTEGER) memcpy(instance + parameter->offset, &whole, sizeof whole);
        if (parameter->kind == TN_KIND_CHOICE || parameter->kind == TN_KIND_BOOLEAN)
            memcpy(instance + parameter->offset, &small, sizeof small);
    }
}

/* ---- one problem, one solver ------------------------------------------------------------------------------------ */

typedef struct measured {
    tn_status status;
    tn_impulse_outcome outcome;
    double time;
} measured;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of runs from `start`, on free rates `rate`. */
static measured measure(const tn_constraint_solver_type *type, void *solver,
                        const tn_impulse_problem *problem, const double *start)
{
    measured result = {.outcome.struct_size = sizeof result.outcome};
    double time[MOST_RUNS];
    int runs = 0;
    for (const double begin = now(); runs < MOST_RUNS && (runs == 0 || now() - begin < MEASURED); runs++) {
        memcpy(problem->impulse, start, problem->rows * sizeof *start);
        const double before = now();
        result.status = type->solve(solver, problem, &result.outcome);
        time[runs] = now() - before;
    }
    qsort(time, (size_t)runs, sizeof *time, by_size);
    result.time = time[runs / 2];
    return result;
}

static void print(const char *name, const char *solver, const measured *cold, const measured *warm)
{
    printf("%-44.44s %-17s", name, solver);
    for (int i = 0; i < 2; i++) {
        const measured *m = i == 0 ? cold : warm;
        if (m->status == TN_UNSUPPORTED)
            printf(" %34s", i == 0 ? "not for such laws" : "");
        else
            printf(" %s%6u %5u %8.1e %11.4f", m->status == TN_OK ? " " : "!", m->outcome.iterations,
                   m->outcome.fallbacks, m->outcome.error, 1e3 * m->time);
    }
    printf("\n");
}

static void solve_with(options *from, const tn_impulse_problem *given, const char *name, const char *solver)
{
    static _Alignas(16) char instance[INSTANCE_SIZE];
    char why[PROBLEM_WHY];
    const tn_linear_type *klu = find_type(from, TN_LINEAR_KIND, "klu", why);
    const tn_constraint_solver_type *type = find_type(from, TN_CONSTRAINT_SOLVER_KIND, solver, why);
    tn_own_matrices matrices = {.struct_size = sizeof matrices,
                                .self = (void *)(uintptr_t)klu,
                                .open = open_matrix,
                                .factor = factor_matrix,
                                .solve = solve_matrix,
                                .close = close_matrix};
    void *self = NULL;
    if (!type || !klu || type->instance_size > sizeof instance) {
        printf("%-44.44s %-17s %s\n", name, solver, klu ? why : "there is no plugin klu");
        return;
    }
    memset(instance, 0, sizeof instance);
    fill_instance(from, type->parameters, instance);
    double *start = test_zeros(given->rows, sizeof *start), *rate = test_zeros(given->rows, sizeof *rate);
    memcpy(start, given->impulse, given->rows * sizeof *start);
    tn_impulse_problem problem = *given;
    if (type->create(&host, instance, &matrices, &self) == TN_OK) {
        const measured cold = measure(type, self, &problem, start);
        double *solution = test_zeros(given->rows, sizeof *solution);
        memcpy(solution, problem.impulse, given->rows * sizeof *solution);
        for (uint32_t i = 0; i < given->rows; i++)
            rate[i] = given->free_rate[i] * (1.0 + 0.01 * sin(i));
        problem.free_rate = rate;
        const measured warm = measure(type, self, &problem, solution);
        print(name, solver, &cold, &warm);
        if (cold.status != TN_OK && cold.status != TN_UNSUPPORTED) from->failures++;
        free(solution);
    }
    if (self) type->destroy(self);
    memcpy(given->impulse, start, given->rows * sizeof *start);
    free(start);
    free(rate);
}

static void solve(options *from, const tn_impulse_problem *problem, const char *name)
{
    for (int i = 0; i < from->solvers; i++)
        solve_with(from, problem, name, from->solver[i]);
}

/* ---- problems ------------------------------------------------------------------------------------------------- */

static void solve_made(options *from, test_problem *test)
{
    solve(from, &test->problem, test->name);
    test_problem_end(test);
}

static void solve_all_made(options *from)
{
    static const uint32_t links[] = {10, 40, 100, 1000}, contacts[] = {10, 30, 100, 300};
    test_problem test;
    test_single_contact(&test);
    solve_made(from, &test);
    for (uint32_t boxes = 1; boxes <= 10; boxes += 9) {
        test_stack(&test, boxes, 0.5);
        solve_made(from, &test);
    }
    for (int i = 0; i < 4; i++) {
        test_chain(&test, links[i], 0);
        solve_made(from, &test);
    }
    test_chain(&test, 40, 2);
    solve_made(from, &test);
    for (uint32_t touching = 0; touching < 3; touching++) {
        test_spheres(&test, 300, touching > 0, touching);
        solve_made(from, &test);
    }
    for (int i = 0; i < 8; i++) {
        test_random_problem(&test, contacts[i % 4], i > 3, 0.8, 5 + (uint32_t)i);
        solve_made(from, &test);
    }
}

static bool solve_file(options *from, const char *path)
{
    char why[PROBLEM_WHY];
    problem_file file;
    const tn_constraint_solver_type *type = find_type(from, TN_CONSTRAINT_SOLVER_KIND, "fclib", why);
    const fclib_problems_capability *problems =
        type ? tn_capability_of(type->capabilities, FCLIB_PROBLEMS_KEY) : NULL;
    if (!problems || problems->read(path, &file, why) != TN_OK) {
        (void)fprintf(stderr, "solve_problem: %s%s\n", problems ? "" : "plugin fclib: ", why);
        return false;
    }
    const char *name = strrchr(path, '/');
    solve(from, &file.problem, name ? name + 1 : path);
    problems->release(&file);
    return true;
}

static void split_names(options *to, char *names)
{
    to->solvers = 0;
    for (char *name = strtok(names, ","); name && to->solvers < MOST_SOLVERS; name = strtok(NULL, ","))
        to->solver[to->solvers++] = name;
}

static void find_folder(options *to, const char *program)
{
    const char *given = getenv("TENON_PLUGINS"), *slash = strrchr(program, '/');
    if (given)
        (void)snprintf(to->folder, sizeof to->folder, "%s", given);
    else
        (void)snprintf(to->folder, sizeof to->folder, "%.*s/../plugins", slash ? (int)(slash - program) : 1,
                       slash ? program : ".");
}

int main(int count, char **argument)
{
    options from = {
        .tolerance = 1e-8, .solver = {"direct", "gauss_seidel", "projected_newton", "admm"}, .solvers = 4};
    int next = 1;
    find_folder(&from, argument[0]);
    for (; next < count && argument[next][0] == '-'; next++) {
        const bool more = next + 1 < count;
        if (strcmp(argument[next], "--relaxed") == 0)
            from.relaxed = true;
        else if (strcmp(argument[next], "--solvers") == 0 && more)
            split_names(&from, argument[++next]);
        else if (strcmp(argument[next], "--tolerance") == 0 && more)
            from.tolerance = strtod(argument[++next], NULL);
        else if (strcmp(argument[next], "--iterations") == 0 && more)
            from.iterations = strtod(argument[++next], NULL);
        else {
            (void)fprintf(stderr, "usage: solve_problem [--solvers a,b,...] [--tolerance t] [--iterations n] "
                                  "[--relaxed] [FILE ...]\n");
            return 2;
        }
    }
    printf("%-44s %-17s  %-33s  %s\n", "", "", "cold: iterations, fallbacks,",
           "warm: iterations, fallbacks,");
    printf("%-44s %-17s  %-33s  %s\n", "problem", "constraint solver", "  error, time (ms)",
           "  error, time (ms)");
    bool read = true;
    if (next == count) solve_all_made(&from);
    for (; next < count; next++)
        read = solve_file(&from, argument[next]) && read;
    return from.failures > 0 || !read;
}
