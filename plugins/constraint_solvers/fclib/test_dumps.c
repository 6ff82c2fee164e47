/* test_dumps.c - problems of the steps of models, written by `moreau`, read by FCLib, solved alone */
#include "../test_loaded.h"

#include <dirent.h>
#include <fclib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOLERANCE 1e-8

static char folder[64], problems[80];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/test_dumps_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    (void)snprintf(problems, sizeof problems, "%s/problems", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The program on a model of configs/contact, with `keys` of its solver. */
static int run(const char *model, const char *keys)
{
    char command[1000];
    (void)snprintf(
        command, sizeof command,
        "'%s' run '%s/configs/contact/%s.toml' --set output.interval=1 %s --quiet --out %s/results "
        "2>%s/errors",
        TENON_BINARY, TENON_SOURCE_DIR, model, keys, folder, folder);
    return system(command);
}

static bool errors_hold(const char *text)
{
    char path[80], errors[2000] = "";
    (void)snprintf(path, sizeof path, "%s/errors", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(errors, 1, sizeof errors - 1, file);
    errors[length] = '\0';
    (void)fclose(file);
    return strstr(errors, text) != NULL;
}

static int is_problem(const struct dirent *entry) { return strstr(entry->d_name, ".hdf5") != NULL; }

/* All files by their names, which each() may look at; they are removed. Returns how many there were. */
static int each_problem(void (*each)(const char *path))
{
    struct dirent **entry;
    const int count = scandir(problems, &entry, is_problem, alphasort);
    assert_true(count >= 0);
    for (int k = 0; k < count; k++) {
        char path[400];
        (void)snprintf(path, sizeof path, "%s/%s", problems, entry[k]->d_name);
        if (each) each(path);
        assert_int_equal(unlink(path), 0);
        free(entry[k]);
    }
    free(entry);
    return count;
}

/* As FCLib sees it. */
static void look_at(const char *path)
{
    struct fclib_global *global = fclib_read_global(path);
    assert_non_null(global);
    assert_int_equal(global->spacedim, 3);
    assert_int_equal(global->M->m, global->M->n);
    assert_int_equal(global->H->m, global->M->m);
    assert_true(global->H->n > 0 && global->H->n % 3 == 0);
    for (int k = 0; k < global->H->n / 3; k++)
        assert_true(global->mu[k] >= 0.0);
    assert_non_null(strstr(global->info->title, "projected_newton"));
    fclib_delete_global(global);
    free(global);
}

/* From zero and from the guess of the file. */
static void solve_alone(const char *path)
{
    char why[LOADED_WHY];
    const tn_problem_files *files = load_problem_files(TENON_PLUGINS, why);
    tn_impulse_problem *problem;
    tn_impulse_outcome outcome;
    look_at(path);
    assert_non_null(files);
    if (files->read(path, &problem, why) != TN_OK) fail_msg("%s", why);
    double *guess = malloc((problem->rows + 1) * sizeof *guess);
    assert_non_null(guess);
    memcpy(guess, problem->impulse, problem->rows * sizeof *guess);
    for (int k = 0; k < 2 * TEST_SOLVERS; k++) {
        memcpy(problem->impulse, guess, problem->rows * sizeof *guess);
        if (k % 2) memset(problem->impulse, 0, problem->rows * sizeof *guess);
        const tn_status status = test_solve_loaded(test_solver[k / 2], problem, TOLERANCE, 10000, &outcome);
        if (status != TN_OK || !(outcome.error <= TOLERANCE))
            fail_msg("%s of %s: error %g after %u iterations", path, test_solver[k / 2], outcome.error,
                     outcome.iterations);
    }
    free(guess);
    files->release(problem);
}

static void stack_is_solved_alone(void **state)
{
    (void)state;
    char keys[300];
    (void)snprintf(keys, sizeof keys, "--set solver.end_time=0.02 --set 'solver.problems={folder=\"%s\"}'",
                   problems);
    assert_int_equal(run("stack", keys), 0);
    assert_true(each_problem(solve_alone) >= 20);
}

static void spheres_are_solved_alone(void **state)
{
    (void)state;
    char keys[300];
    (void)snprintf(keys, sizeof keys, "--set solver.end_time=0.012 --set 'solver.problems={folder=\"%s\"}'",
                   problems);
    assert_int_equal(run("spheres", keys), 0);
    assert_true(each_problem(solve_alone) >= 12);
}

/* A further problem of the same step has its number behind that. */
static void says_its_step(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    assert_true(!strncmp(name, "step_000003_at_0.002", 20) || !strncmp(name, "step_000004_at_0.003", 20));
    assert_true(name[20] == '.' || (name[20] == '_' && name[21] > '1' && name[21] <= '6'));
}

/* A window of time, and files named by step and time. */
static void only_steps_in_a_window_are_written(void **state)
{
    (void)state;
    char keys[300];
    (void)snprintf(keys, sizeof keys,
                   "--set solver.end_time=0.01 --set solver.constraint_solver=gauss_seidel "
                   "--set 'solver.problems={folder=\"%s\",from=0.002,until=0.004}'",
                   problems);
    assert_int_equal(run("stack", keys), 0);
    const int count = each_problem(says_its_step);
    assert_true(count >= 2 && count <= 12);
}

/* Without failures none, with a solver that gives up all tries. */
static void only_failed_problems_are_written(void **state)
{
    (void)state;
    char keys[400];
    (void)snprintf(keys, sizeof keys,
                   "--set solver.end_time=0.01 --set 'solver.problems={folder=\"%s\",which=\"failed\"}'",
                   problems);
    assert_int_equal(run("stack", keys), 0);
    assert_int_equal(each_problem(NULL), 0);
    (void)strcat(keys, " --set 'solver.constraint_solver={type=\"admm\",most_iterations=1}'");
    assert_int_not_equal(run("stack", keys), 0);
    assert_true(each_problem(NULL) > 5); // of the whole step and of its halves
}

static void number_of_files_has_a_limit(void **state)
{
    (void)state;
    char keys[300];
    (void)snprintf(keys, sizeof keys,
                   "--set solver.end_time=0.01 --set 'solver.problems={folder=\"%s\",most=4}'", problems);
    assert_int_equal(run("stack", keys), 0);
    assert_true(errors_hold("as many as `problems.most` allows"));
    assert_int_equal(each_problem(NULL), 4);
}

/* The motion is the same, bit by bit. */
static void writing_changes_nothing(void **state)
{
    (void)state;
    char keys[300], command[400];
    assert_int_equal(run("stack", "--set solver.end_time=0.02"), 0);
    (void)snprintf(command, sizeof command, "mv %s/results %s/before", folder, folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(keys, sizeof keys, "--set solver.end_time=0.02 --set 'solver.problems={folder=\"%s\"}'",
                   problems);
    assert_int_equal(run("stack", keys), 0);
    (void)snprintf(command, sizeof command, "cmp %s/before/sensors.csv %s/results/sensors.csv", folder,
                   folder);
    assert_int_equal(system(command), 0);
    (void)each_problem(NULL);
}

static void folder_that_cannot_be_made_is_refused(void **state)
{
    (void)state;
    assert_int_not_equal(run("stack", "--set 'solver.problems={folder=\"/nowhere/at/all\"}'"), 0);
    assert_true(errors_hold("`/nowhere/at/all` cannot be made"));
}

static void fclib_is_no_constraint_solver(void **state)
{
    (void)state;
    char command[1000];
    assert_int_not_equal(run("stack", "--set solver.constraint_solver=fclib"), 0);
    assert_true(
        errors_hold("solver.constraint_solver:1:1: error: `fclib` solves no problems of impulses: use `"));
    /* a check of the model suffices, also where it stands in a table with parameters */
    (void)snprintf(
        command, sizeof command,
        "'%s' check '%s/configs/contact/stack.toml' --set 'solver.constraint_solver={type=\"fclib\"}' "
        ">%s/output 2>%s/errors",
        TENON_BINARY, TENON_SOURCE_DIR, folder, folder);
    assert_int_equal(WEXITSTATUS(system(command)), 2);
    assert_true(errors_hold("solver.constraint_solver:1:7: error: `fclib` solves no problems of impulses"));
    assert_true(errors_hold("`gauss_seidel`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_is_solved_alone),
        cmocka_unit_test(spheres_are_solved_alone),
        cmocka_unit_test(only_steps_in_a_window_are_written),
        cmocka_unit_test(only_failed_problems_are_written),
        cmocka_unit_test(number_of_files_has_a_limit),
        cmocka_unit_test(writing_changes_nothing),
        cmocka_unit_test(folder_that_cannot_be_made_is_refused),
        cmocka_unit_test(fclib_is_no_constraint_solver),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
