/* solve_problem.c - tenon-solve-problem: problems of impulses solved alone, outside of a run, by constraint solvers side by side
 *
 *     tenon-solve-problem [--solvers a,b,...] [--tolerance t] [--set NAME=VALUE] [--plugin-path DIR] [--summary] FILE ...
 *
 * reads files of FCLib; `--made` solves those of ../test_problems.h in their place. Each is solved twice, from zero and from the guess of
 * the file; of a made problem from the solution for velocities that differ by 1 %. The error is measured here, not by the solver, and the
 * time is the median of the runs in a twentieth of a second. It returns 1 where a problem is not solved. */
#include "../loaded_solvers.h"
#include "../test_problems.h"

#include <getopt.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SOLVERS = 16, MOST_RUNS = 200, MOST_SETTINGS = 16, FROM_ZERO = 0, FROM_GUESS = 1 };
#define MEASURED 0.05 /* s */
#define ALLOWED 1.01  /* of the tolerance: round-off between two ways to the rates */

typedef struct setting {
    const char *name;
    double value;
    bool used;
} setting;

/* What one solver has done so far, from one of the two starts. */
typedef struct total {
    uint32_t problems, solved, unsupported;
    double worst, *iterations, *time;
    size_t iterations_room, time_room;
} total;

typedef struct program {
    char folder[PATH_MAX];
    const char *own_folder; /* of the user's plugins, or NULL */
    char *solver[MOST_SOLVERS];
    setting setting[MOST_SETTINGS];
    total total[MOST_SOLVERS][2];
    int solvers, settings;
    double tolerance;
    bool summary, made;
    int failures;
} program;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, size_t count)
{
    qsort(value, count, sizeof *value, by_size);
    return count > 0 ? value[count / 2] : 0.0;
}

/* ---- one problem, one solver ------------------------------------------------------------------------------------ */

typedef struct measured {
    tn_status status;
    tn_impulse_outcome outcome;
    double time; /* s */
} measured;

/* What a solver calls solved has to be so by the error measured here. */
static measured measure(loaded_solver *solver, const tn_impulse_problem *problem, const double *start,
                        double tolerance)
{
    measured result = {.outcome.struct_size = sizeof result.outcome};
    double time[MOST_RUNS];
    int runs = 0;
    for (const double begin = now(); runs < MOST_RUNS && (runs == 0 || now() - begin < MEASURED); runs++) {
        memcpy(problem->impulse, start, problem->rows * sizeof *start);
        const double before = now();
        result.status = solver->type->solve(solver->self, problem, &result.outcome);
        time[runs] = now() - before;
    }
    result.time = median(time, (size_t)runs);
    if (result.status == TN_UNSUPPORTED) return result;
    result.outcome.error = loaded_error(problem);
    if (result.status == TN_OK && !(result.outcome.error <= ALLOWED * tolerance)) result.status = TN_RETRY;
    return result;
}

static void print(const char *name, const tn_impulse_problem *problem, const char *solver, const measured *of)
{
    printf("%-36.36s %5u %-17s", name, problem->rows, solver);
    for (int i = 0; i < 2; i++) {
        const measured *m = &of[i];
        if (m->status == TN_UNSUPPORTED)
            printf(" %32s", i == FROM_ZERO ? "not for such laws" : "");
        else
            printf(" %s%6u %4u %8.1e %10.4f", m->status == TN_OK ? " " : "!", m->outcome.iterations,
                   m->outcome.fallbacks, m->outcome.error, 1e3 * m->time);
    }
    printf("\n");
}

static bool add(total *to, const measured *of)
{
    to->problems++;
    to->unsupported += of->status == TN_UNSUPPORTED;
    if (of->status == TN_UNSUPPORTED) return true;
    const size_t count = to->problems;
    if (!TN_MAKE_ROOM(to->iterations, to->iterations_room, count) ||
        !TN_MAKE_ROOM(to->time, to->time_room, count))
        return false;
    to->iterations[count - 1 - to->unsupported] = of->outcome.iterations;
    to->time[count - 1 - to->unsupported] = of->time;
    to->solved += of->status == TN_OK;
    to->worst = fmax(to->worst, of->outcome.error);
    return true;
}

static bool prepare(program *of, loaded_solver *solver, const char *name)
{
    char why[LOADED_WHY];
    if (!load_solver(solver, of->own_folder, of->folder, name, why)) {
        (void)fprintf(stderr, "tenon-solve-problem: %s\n", why);
        return false;
    }
    (void)set_loaded_by_name(solver->instance, solver->type->parameters, "tolerance", of->tolerance);
    for (int i = 0; i < of->settings; i++)
        if (set_loaded_by_name(solver->instance, solver->type->parameters, of->setting[i].name,
                               of->setting[i].value))
            of->setting[i].used = true;
    return start_loaded(solver) == TN_OK;
}

/* From zero, then from problem->impulse, or, with other free rates, from the solution. */
static void solve_with(program *of, const tn_impulse_problem *given, const char *name, int number,
                       const double *other_rate)
{
    loaded_solver solver;
    if (!prepare(of, &solver, of->solver[number])) {
        of->failures++;
        return;
    }
    tn_impulse_problem problem = *given;
    double *guess = test_zeros(given->rows, sizeof *guess), *zero = test_zeros(given->rows, sizeof *zero);
    memcpy(guess, given->impulse, given->rows * sizeof *guess);
    measured result[2];
    result[FROM_ZERO] = measure(&solver, &problem, zero, of->tolerance);
    if (other_rate) {
        problem.free_rate = other_rate;
        memcpy(zero, given->impulse, given->rows * sizeof *zero);
    }
    result[FROM_GUESS] = measure(&solver, &problem, other_rate ? zero : guess, of->tolerance);
    for (int i = 0; i < 2; i++) {
        const bool failed = result[i].status != TN_OK && result[i].status != TN_UNSUPPORTED;
        of->failures += failed || !add(&of->total[number][i], &result[i]);
    }
    if (!of->summary) print(name, given, of->solver[number], result);
    memcpy(given->impulse, guess, given->rows * sizeof *guess);
    free(guess);
    free(zero);
    end_loaded(&solver);
}

static void solve(program *of, const tn_impulse_problem *problem, const char *name, const double *other_rate)
{
    for (int i = 0; i < of->solvers; i++)
        solve_with(of, problem, name, i, other_rate);
}

static void print_summary(program *of)
{
    printf("%-18s %8s %8s   %-34s   %-34s\n", "", "", "", "from zero: iterations,",
           "from the guess: iterations,");
    printf("%-18s %8s %8s   %-34s   %-34s\n", "constraint solver", "problems", "solved",
           "  at most, ms, worst error", "  at most, ms, worst error");
    for (int k = 0; k < of->solvers; k++) {
        total *both = of->total[k];
        printf("%-18s %8u", of->solver[k], both[FROM_ZERO].problems);
        const uint32_t count = both[FROM_ZERO].problems - both[FROM_ZERO].unsupported;
        if (count == 0) {
            printf(" %s\n", both[FROM_ZERO].problems > 0 ? "not for such laws" : "");
            continue;
        }
        printf(" %8u", both[FROM_ZERO].solved < both[FROM_GUESS].solved ? both[FROM_ZERO].solved
                                                                        : both[FROM_GUESS].solved);
        for (int i = 0; i < 2; i++) {
            const double middle = median(both[i].iterations, count);
            printf("   %8.0f %8.0f %8.4f %7.1e", middle, both[i].iterations[count - 1],
                   1e3 * median(both[i].time, count), both[i].worst);
        }
        printf("\n");
    }
}

/* ---- problems ------------------------------------------------------------------------------------------------- */

/* With the free rates of bodies whose velocities are up to 1 % different. */
static void solve_made(program *of, test_problem *test)
{
    double *rate = test_zeros(test->problem.rows, sizeof *rate);
    double *v = test_zeros(test->problem.nv, sizeof *v);
    for (uint32_t j = 0; j < test->problem.nv && test->problem.nv % 6 == 0; j++)
        v[j] = 0.01 * sin(j) * test->body[j / 6].velocity[j % 6];
    tn_impulse_rates(&test->problem, v, rate);
    solve(of, &test->problem, test->name, rate);
    free(v);
    free(rate);
    test_problem_end(test);
}

static void solve_all_made(program *of)
{
    static const uint32_t links[] = {10, 40, 100, 1000}, contacts[] = {10, 30, 100, 300};
    test_problem test;
    test_single_contact(&test);
    solve_made(of, &test);
    for (uint32_t boxes = 1; boxes <= 10; boxes += 9) {
        test_stack(&test, boxes, 0.5);
        solve_made(of, &test);
    }
    for (uint32_t blocks = 7; blocks <= 31; blocks += 12) {
        test_arch(&test, blocks, 0.7);
        solve_made(of, &test);
    }
    for (int i = 0; i < 4; i++) {
        test_chain(&test, links[i], 0);
        solve_made(of, &test);
    }
    test_chain(&test, 40, 2);
    solve_made(of, &test);
    for (uint32_t touching = 0; touching < 3; touching++) {
        test_spheres(&test, 300, touching > 0, touching);
        solve_made(of, &test);
    }
    for (int i = 0; i < 8; i++) {
        test_random_problem(&test, contacts[i % 4], i > 3, 0.8, 5 + (uint32_t)i);
        solve_made(of, &test);
    }
}

static void solve_file(program *of, const tn_problem_files *files, const char *path)
{
    char why[TN_PROBLEM_WHY];
    tn_impulse_problem *problem = NULL;
    if (files->read(path, &problem, why) != TN_OK) {
        (void)fprintf(stderr, "tenon-solve-problem: %s\n", why);
        of->failures++;
        return;
    }
    const char *name = strrchr(path, '/');
    solve(of, problem, name ? name + 1 : path, NULL);
    files->release(problem);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* False: none, or too many. */
static bool split_names(program *to, char *names)
{
    to->solvers = 0;
    char *name = strtok(names, ",");
    for (; name && to->solvers < MOST_SOLVERS; name = strtok(NULL, ","))
        to->solver[to->solvers++] = name;
    return to->solvers > 0 && !name;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

static bool read_setting(program *to, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || to->settings == MOST_SETTINGS) return false;
    *equals = '\0';
    setting *next = &to->setting[to->settings++];
    next->name = text;
    return read_number(equals + 1, &next->value);
}

/* Plugins of the build are beside the program, those of an installation in ../lib/tenon/plugins. */
static void find_folder(program *to)
{
    char self[PATH_MAX] = "";
    const char *given = getenv("TENON_PLUGINS");
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0 && strrchr(self, '/')) *strrchr(self, '/') = '\0';
    (void)snprintf(to->folder, sizeof to->folder, "%.4000s/plugins", self);
    if (access(to->folder, F_OK) != 0)
        (void)snprintf(to->folder, sizeof to->folder, "%.4000s/../lib/tenon/plugins", self);
    if (given) (void)snprintf(to->folder, sizeof to->folder, "%s", given);
}

static int explain(FILE *to)
{
    (void)fputs(
        "usage: tenon-solve-problem [OPTION ...] FILE ...\n"
        "solves friction problems in files of FCLib (HDF5), such as `moreau` writes, by constraint solvers\n"
        "  --solvers A,B,...   which ones; default direct,gauss_seidel,projected_newton,admm\n"
        "  --tolerance T       error of the natural map that counts as solved; default 1e-8\n"
        "  --set NAME=VALUE    a number parameter of those solvers that have one of this name\n"
        "  --plugin-path DIR   where plugins of constraint solvers are looked for first\n"
        "  --summary           one line for each solver: medians over all files\n"
        "  --made              problems made by the program, in place of files\n",
        to);
    return to == stdout ? 0 : 2;
}

static int read_arguments(program *of, int count, char **argument)
{
    static const struct option options[] = {
        {"solvers", required_argument, NULL, 's'}, {"tolerance", required_argument, NULL, 't'},
        {"set", required_argument, NULL, 'p'},     {"plugin-path", required_argument, NULL, 'o'},
        {"summary", no_argument, NULL, 'm'},       {"made", no_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(count, argument, "", options, NULL)) != -1;) {
        bool good = option != '?';
        if (option == 'h') return explain(stdout);
        if (option == 's') good = split_names(of, optarg);
        if (option == 't') good = read_number(optarg, &of->tolerance) && of->tolerance > 0.0;
        if (option == 'p') good = read_setting(of, optarg);
        if (option == 'o') of->own_folder = optarg;
        if (option == 'm') of->summary = true;
        if (option == 'd') of->made = true;
        if (!good) return explain(stderr);
    }
    return of->made == (optind == count) ? -1 : explain(stderr);
}

static void print_heads(const program *of)
{
    if (of->summary) return;
    printf("%-36s %5s %-17s  %-31s  %s\n", "", "", "", "from zero: iterations,",
           of->made ? "from near by: iterations," : "from the guess: iterations,");
    printf("%-36s %5s %-17s  %-31s  %s\n", "problem", "rows", "constraint solver",
           "  fallbacks, error, time (ms)", "  fallbacks, error, time (ms)");
}

static void solve_files(program *of, char **path)
{
    char why[LOADED_WHY];
    const tn_problem_files *files = load_problem_files(of->folder, why);
    if (!files) {
        (void)fprintf(stderr, "tenon-solve-problem: %s\n", why);
        of->failures++;
    }
    for (; files && *path; path++)
        solve_file(of, files, *path);
}

int main(int count, char **argument)
{
    static program of = {
        .tolerance = 1e-8, .solver = {"direct", "gauss_seidel", "projected_newton", "admm"}, .solvers = 4};
    find_folder(&of);
    const int ended = read_arguments(&of, count, argument);
    if (ended >= 0) return ended;
    print_heads(&of);
    if (of.made)
        solve_all_made(&of);
    else
        solve_files(&of, argument + optind);
    if (of.summary) print_summary(&of);
    for (int i = 0; i < of.settings; i++)
        if (!of.setting[i].used) {
            (void)fprintf(stderr, "tenon-solve-problem: no solver has a parameter `%s`\n",
                          of.setting[i].name);
            of.failures++;
        }
    for (int k = 0; k < MOST_SOLVERS; k++)
        for (int i = 0; i < 2; i++) {
            free(of.total[k][i].iterations);
            free(of.total[k][i].time);
        }
    return of.failures > 0;
}
