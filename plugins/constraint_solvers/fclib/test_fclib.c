/* test_fclib.c - problems to files and back, files of other programs, and the solver that writes */
#define _GNU_SOURCE // read_problem.c needs memmem()

#include "../projected_newton/joints.c"
#include "../projected_newton/laws.c"
#include "../projected_newton/newton.c"
#include "../projected_newton/step.c"
#include "../projected_newton/sweep.c"
#include "fclib.c"
#include "read_problem.c"
#include "write_problem.c"

#include "../test_laws.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/test_fclib_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Blocks of contacts come first in a file, joints behind them; numbers stay bit by bit. */
static void test_problem_comes_back(void **state)
{
    (void)state;
    char why[PROBLEM_WHY];
    test_problem test;
    problem_file file;
    const char *path = in_folder("problem.hdf5");
    test_random_problem(&test, 9, true, 0.7, 8);
    for (uint32_t i = 0; i < test.problem.rows; i++)
        test.impulse[i] = 0.1 * i;
    assert_int_equal(problem_write(path, "nine contacts", &test.problem, why), TN_OK);
    assert_int_equal(problem_read(path, &file, why), TN_OK);
    assert_int_equal(file.problem.rows, test.problem.rows);
    assert_int_equal(file.problem.nv, test.problem.nv);
    assert_int_equal(file.problem.row_start[file.problem.rows], test.problem.row_start[test.problem.rows]);
    uint32_t row = 0;
    for (uint32_t b = 0; b < test.problem.blocks; b++) {
        const tn_impulse_block *block = &test.block[b];
        if (block->law == TN_JOINT_LAW) continue;
        assert_int_equal(file.block[b].law, block->law);
        assert_true(block->law != TN_CONE_LAW || file.block[b].friction == block->friction);
        for (uint32_t i = 0; i < block->rows; i++, row++) {
            assert_true(file.free_rate[row] == test.free_rate[block->first + i]);
            assert_true(file.impulse[row] == test.impulse[block->first + i]);
        }
    }
    for (uint32_t j = 0; j < test.problem.nv; j++)
        assert_true(tn_impulse_mass(&file.matrix, j) == tn_impulse_mass(&test.matrix, j));
    problem_release(&file);
    assert_int_equal(unlink(path), 0);
    test_problem_end(&test);
}

/* The problem that was read has the solution of the one that was written. */
static void test_solution_is_the_same(void **state)
{
    (void)state;
    char why[PROBLEM_WHY];
    test_problem test;
    problem_file file;
    tn_impulse_outcome outcome = {.struct_size = sizeof outcome};
    const newton_settings settings = {1e-10, 1000};
    const char *path = in_folder("problem.hdf5");
    test_stack(&test, 3, 0.5);
    assert_int_equal(problem_write(path, "", &test.problem, why), TN_OK);
    assert_int_equal(problem_read(path, &file, why), TN_OK);
    newton_work *work = newton_new();
    assert_non_null(work);
    assert_int_equal(newton_solve(work, settings, &file.problem, &outcome), TN_OK);
    newton_free(work);
    memcpy(test.impulse, file.impulse, test.problem.rows * sizeof(double));
    test_assert_laws(&test, 1e-8);
    problem_release(&file);
    assert_int_equal(unlink(path), 0);
    test_problem_end(&test);
}

/* A local problem of Siconos, and a global one whose bodies are pulled in place of free rates. */
static void test_problems_of_others(void **state)
{
    (void)state;
    double w[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q[3] = {-1, 2, 3}, mu = 0.1;
    int start[4] = {0, 3, 6, 9}, row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    struct fclib_matrix full = {.nzmax = 9, .m = 3, .n = 3, .p = start, .i = row, .x = w, .nz = -1};
    struct fclib_local local = {.W = &full, .mu = &mu, .q = q, .spacedim = 3};
    const char *path = in_folder("local.hdf5");
    char why[PROBLEM_WHY];
    problem_file file;
    tn_impulse_outcome outcome = {.struct_size = sizeof outcome};
    assert_true(fclib_write_local(&local, path));
    assert_int_equal(problem_read(path, &file, why), TN_OK);
    newton_work *work = newton_new();
    assert_int_equal(newton_solve(work, (newton_settings){1e-12, 100}, &file.problem, &outcome), TN_OK);
    test_near(file.impulse[0], 0.0656956829, 1e-10);
    test_near(file.impulse[1], -0.0036786149, 1e-10);
    problem_release(&file);
    assert_int_equal(unlink(path), 0);

    double mass[3] = {2, 2, 2}, one[3] = {1, 1, 1}, pull[3] = {-4, 0.2, 0}, none[3] = {0}, half = 0.5;
    int line[3] = {0, 1, 2};
    struct fclib_matrix masses = {.nzmax = 3, .m = 3, .n = 3, .p = line, .i = line, .x = mass, .nz = 3};
    struct fclib_matrix unit = {.nzmax = 3, .m = 3, .n = 3, .p = line, .i = line, .x = one, .nz = 3};
    struct fclib_global global = {.M = &masses, .H = &unit, .mu = &half, .f = pull, .w = none, .spacedim = 3};
    assert_true(fclib_write_global(&global, path));
    assert_int_equal(problem_read(path, &file, why), TN_OK);
    test_near(file.free_rate[0], -2.0, 1e-15);
    assert_int_equal(newton_solve(work, (newton_settings){1e-12, 100}, &file.problem, &outcome), TN_OK);
    test_near(file.impulse[0], 4.0, 1e-10);
    test_near(file.impulse[1], -0.2, 1e-10);
    newton_free(work);
    problem_release(&file);
    assert_int_equal(unlink(path), 0);
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    char why[PROBLEM_WHY] = "";
    problem_file file;
    test_problem test;
    assert_int_equal(problem_read(in_folder("nothing"), &file, why), TN_INVALID);
    assert_non_null(strstr(why, "cannot be read"));
    test_stack(&test, 1, 0.5);
    assert_int_equal(problem_write("/nowhere/at/all.hdf5", "", &test.problem, why), TN_INVALID);
    assert_non_null(strstr(why, "'/nowhere/at/all.hdf5' cannot be written"));
    test_problem_end(&test);
    test_chain(&test, 3, 0);
    assert_int_equal(problem_write(in_folder("joints.hdf5"), "", &test.problem, why), TN_UNSUPPORTED);
    test_problem_end(&test);
}

/* As many files as were wanted, with the impulses before. */
static void test_solver_writes_its_problems(void **state)
{
    (void)state;
    fclib settings;
    test_host host;
    test_problem test;
    problem_file file;
    char why[PROBLEM_WHY];
    void *self;
    tn_impulse_outcome outcome = {.struct_size = sizeof outcome};
    test_fill(fclib_parameters, &settings);
    settings.folder = folder;
    settings.most_files = 2;
    test_host_begin(&host);
    test_stack(&test, 2, 0.5);
    assert_int_equal(fclib_type.create(&host.table, &settings, NULL, &self), TN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fclib_type.solve(self, &test.problem, &outcome), TN_OK);
    assert_int_equal(problem_read(in_folder("problem_000001.hdf5"), &file, why), TN_OK);
    assert_true(file.impulse[0] == 0.0);
    problem_release(&file);
    assert_int_equal(problem_read(in_folder("problem_000002.hdf5"), &file, why), TN_OK);
    assert_true(file.impulse[0] > 0.0);
    problem_release(&file);
    assert_int_equal(unlink(in_folder("problem_000001.hdf5")), 0);
    assert_int_equal(unlink(in_folder("problem_000002.hdf5")), 0);
    assert_int_equal(access(in_folder("problem_000003.hdf5"), F_OK), -1);
    // the solver reports a missing folder once
    settings.folder = "/nowhere";
    settings.most_files = 100;
    assert_int_equal(fclib_type.solve(self, &test.problem, &outcome), TN_OK);
    assert_non_null(strstr(host.message, "fclib writes no files"));
    fclib_type.destroy(self);
    test_problem_end(&test);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problem_comes_back),         cmocka_unit_test(test_solution_is_the_same),
        cmocka_unit_test(test_problems_of_others),         cmocka_unit_test(test_what_is_no_file),
        cmocka_unit_test(test_solver_writes_its_problems),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
