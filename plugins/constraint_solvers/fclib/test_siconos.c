/* test_siconos.c - published problems of Siconos (tests/reference/siconos), through files of FCLib, by all constraint solvers */
#include "../test_loaded.h"

#include <fclib.h>
#include <math.h>
#include <unistd.h>

enum { MOST = 12, SIZE = MOST * MOST };

typedef struct published {
    int contacts, size;
    double w[SIZE], q[MOST], mu[MOST]; /* w by columns */
} published;

static void read_numbers(FILE *file, double *to, int count)
{
    for (int k = 0; k < count; k++)
        assert_int_equal(fscanf(file, "%lf", &to[k]), 1);
}

/* The text format of dense problems. */
static void read_published(const char *name, published *to)
{
    char path[400];
    int dimension, storage, size[4];
    (void)snprintf(path, sizeof path, TENON_SOURCE_DIR "/tests/reference/siconos/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d %d %d %d %d %d %d", &dimension, &to->contacts, &storage, &size[0],
                            &size[1], &size[2], &size[3]),
                     7);
    assert_true(dimension == 3 && storage == 0 && size[0] == size[1]);
    to->size = 3 * to->contacts;
    assert_true(size[0] == to->size && to->size <= MOST);
    read_numbers(file, to->w, to->size * to->size);
    read_numbers(file, to->q, to->size);
    read_numbers(file, to->mu, to->contacts);
    (void)fclose(file);
}

static tn_impulse_problem *through_a_file(published *of)
{
    int start[MOST + 1], row[SIZE];
    char path[] = "/tmp/test_siconos_XXXXXX", why[LOADED_WHY];
    tn_impulse_problem *problem;
    for (int k = 0; k <= of->size; k++)
        start[k] = k * of->size;
    for (int k = 0; k < of->size * of->size; k++)
        row[k] = k % of->size;
    struct fclib_matrix w = {.nzmax = of->size * of->size,
                             .m = of->size,
                             .n = of->size,
                             .p = start,
                             .i = row,
                             .x = of->w,
                             .nz = -1};
    struct fclib_local local = {.W = &w, .mu = of->mu, .q = of->q, .spacedim = 3};
    const int made = mkstemp(path);
    assert_true(made >= 0);
    (void)close(made);
    assert_int_equal(unlink(path), 0); /* FCLib makes files anew */
    assert_true(fclib_write_local(&local, path));
    const tn_problem_files *files = load_problem_files(TENON_PLUGINS, why);
    assert_non_null(files);
    if (files->read(path, &problem, why) != TN_OK) fail_msg("%s", why);
    assert_int_equal(unlink(path), 0);
    return problem;
}

/* The error as Siconos defines it, of W, q and p as they are published. */
static double error_of(const published *of, const double *p, double *u)
{
    double map = 0.0, q_square = 0.0, p_square = 0.0, u_square = 0.0;
    for (int i = 0; i < of->size; i++) {
        u[i] = of->q[i];
        for (int j = 0; j < of->size; j++)
            u[i] += of->w[j * of->size + i] * p[j];
        q_square += of->q[i] * of->q[i];
        p_square += p[i] * p[i];
        u_square += u[i] * u[i];
    }
    for (int k = 0; k < of->contacts; k++) {
        double f[3];
        tn_natural_cone(of->mu[k], 1.0, p + 3 * k, u + 3 * k, f);
        map += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    }
    return sqrt(map) / sqrt(fmax(q_square, fmax(p_square, u_square)));
}

/* By all solvers from zero, with the same velocities. */
static void solve_published(published *of)
{
    double u[MOST], first[MOST];
    char why[LOADED_WHY];
    tn_impulse_outcome outcome;
    tn_impulse_problem *problem = through_a_file(of);
    for (int k = 0; k < TEST_SOLVERS; k++) {
        memset(problem->impulse, 0, problem->rows * sizeof(double));
        const tn_status status = test_solve_loaded(test_solver[k], problem, 1e-10, 1e6, &outcome);
        const double error = error_of(of, problem->impulse, u);
        if (status != TN_OK || !(error <= 1e-8))
            fail_msg("%s: error %g, %g by its own measure", test_solver[k], error, outcome.error);
        if (k == 0) memcpy(first, u, sizeof first);
        for (int i = 0; i < of->size; i++)
            assert_true(fabs(u[i] - first[i]) <= 1e-6);
    }
    load_problem_files(TENON_PLUGINS, why)->release(problem);
}

static void rovers_are_solved(void **state)
{
    (void)state;
    static const char *const names[] = {"Rover1039.dat", "Rover4516.dat"};
    for (int k = 0; k < 2; k++) {
        published rover;
        read_published(names[k], &rover);
        solve_published(&rover);
    }
}

static void single_contact_is_solved(void **state)
{
    (void)state;
    published single = {
        .contacts = 1, .size = 3, .w = {15, -1, -2, -1, 14, 1, -2, 1, 16}, .q = {-1, 2, 3}, .mu = {0.1}};
    solve_published(&single);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rovers_are_solved),
                                       cmocka_unit_test(single_contact_is_solved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
