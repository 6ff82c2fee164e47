/* test_fclib.c - problems to files and back, files of other programs, and files that are none */
#define _GNU_SOURCE // read_problem.c needs memmem()

#include "compressed.c"
#include "fclib.c"
#include "local_problem.c"
#include "read_problem.c"
#include "state_problem.c"
#include "write_problem.c"

#include "../test_laws.h"
#include "../test_loaded.h"

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

/* Writes, or has written, reads, and removes. */
static tn_impulse_problem *read_back(const char *path)
{
    char why[TN_PROBLEM_WHY];
    tn_impulse_problem *problem = NULL;
    if (problem_read(path, &problem, why) != TN_OK) fail_msg("%s", why);
    assert_int_equal(unlink(path), 0);
    return problem;
}

/* Blocks of contacts come first in a file, joints behind them; numbers stay bit by bit. */
static void test_problem_comes_back(void **state)
{
    (void)state;
    char why[TN_PROBLEM_WHY];
    test_problem test;
    test_random_problem(&test, 9, true, 0.7, 8);
    for (uint32_t i = 0; i < test.problem.rows; i++)
        test.impulse[i] = 0.1 * i;
    const char *path = in_folder("problem.hdf5");
    assert_int_equal(problem_write(path, "nine contacts", &test.problem, why), TN_OK);
    tn_impulse_problem *read = read_back(path);
    assert_int_equal(read->rows, test.problem.rows);
    assert_int_equal(read->nv, test.problem.nv);
    assert_int_equal(read->bodies, test.problem.bodies);
    assert_int_equal(read->symmetric, 1);
    assert_int_equal(read->row_start[read->rows], test.problem.row_start[test.problem.rows]);
    uint32_t row = 0, next = 0;
    for (uint32_t b = 0; b < test.problem.blocks; b++) {
        const tn_impulse_block *block = &test.block[b];
        if (block->law == TN_JOINT_LAW) continue;
        assert_int_equal(read->block[next].law, block->law);
        assert_true(block->law != TN_CONE_LAW || read->block[next].friction == block->friction);
        next++;
        for (uint32_t i = 0; i < block->rows; i++, row++) {
            assert_true(read->free_rate[row] == test.free_rate[block->first + i]);
            assert_true(read->impulse[row] == test.impulse[block->first + i]);
        }
    }
    for (uint32_t j = 0; j < test.problem.nv; j++)
        assert_true(tn_impulse_mass(read->matrix, j) == tn_impulse_mass(&test.matrix, j));
    problem_release(read);
    test_problem_end(&test);
}

/* The problem that was read has the solution of the one that was written. */
static void test_solution_is_the_same(void **state)
{
    (void)state;
    char why[TN_PROBLEM_WHY];
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 3, 0.5);
    const char *path = in_folder("problem.hdf5");
    assert_int_equal(problem_write(path, "", &test.problem, why), TN_OK);
    tn_impulse_problem *read = read_back(path);
    assert_int_equal(test_solve_loaded("projected_newton", read, 1e-10, 1000, &outcome), TN_OK);
    memcpy(test.impulse, read->impulse, test.problem.rows * sizeof(double));
    test_assert_laws(&test, 1e-8);
    problem_release(read);
    test_problem_end(&test);
}

/* W of the single contact of Siconos in a local problem. */
static tn_impulse_problem *write_local(double *w, double *q)
{
    static int start[4] = {0, 3, 6, 9}, row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static double mu = 0.1;
    struct fclib_matrix full = {.nzmax = 9, .m = 3, .n = 3, .p = start, .i = row, .x = w, .nz = -1};
    struct fclib_local local = {.W = &full, .mu = &mu, .q = q, .spacedim = 3};
    const char *path = in_folder("local.hdf5");
    assert_true(fclib_write_local(&local, path));
    return read_back(path);
}

static void test_local_problems(void **state)
{
    (void)state;
    double q[3] = {-1, 2, 3};
    tn_impulse_outcome outcome;
    tn_impulse_problem *read = write_local((double[]){15, -1, -2, -1, 14, 1, -2, 1, 16}, q);
    assert_int_equal(test_solve_loaded("projected_newton", read, 1e-12, 100, &outcome), TN_OK);
    test_near(read->impulse[0], 0.0656956829, 1e-10);
    test_near(read->impulse[1], -0.0036786149, 1e-10);
    problem_release(read);
}

/* W that is not symmetric, by columns: u = W p + q holds for it, not for its symmetric part. */
static void test_local_problem_without_symmetry(void **state)
{
    (void)state;
    double w[9] = {15, -3, -2, 1, 14, 1, -2, 1, 16}, q[3] = {-1, 2, 3}, u[3];
    tn_impulse_outcome outcome;
    tn_impulse_problem *read = write_local(w, q);
    assert_int_equal(read->symmetric, 0);
    for (int k = 0; k < TEST_SOLVERS; k++) {
        assert_int_equal(test_solve_loaded(test_solver[k], read, 1e-10, 10000, &outcome), TN_OK);
        const double *p = read->impulse;
        for (int i = 0; i < 3; i++)
            u[i] = q[i] + w[i] * p[0] + w[3 + i] * p[1] + w[6 + i] * p[2];
        test_assert_contact(0.1, p, u, 1e-9, 1e-9, 1e-9);
    }
    problem_release(read);
    // one that is singular has no inverse to take
    char why[TN_PROBLEM_WHY];
    double singular[9] = {1, 2, 0, 3, 6, 0, 0, 0, 0};
    int start[4] = {0, 3, 6, 9}, row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double mu = 0.1;
    struct fclib_matrix full = {.nzmax = 9, .m = 3, .n = 3, .p = start, .i = row, .x = singular, .nz = -1};
    struct fclib_local local = {.W = &full, .mu = &mu, .q = q, .spacedim = 3};
    const char *path = in_folder("local.hdf5");
    assert_true(fclib_write_local(&local, path));
    assert_int_equal(problem_read(path, &read, why), TN_INVALID);
    assert_non_null(strstr(why, "singular and not symmetric"));
    assert_int_equal(unlink(path), 0);
}

/* A global problem by triplets, whose bodies are pulled in place of free rates. */
static void write_forces(const char *path, double *mass, double *pull, double *rate, double friction)
{
    double one[3] = {1, 1, 1};
    int line[3] = {0, 1, 2};
    struct fclib_matrix masses = {.nzmax = 3, .m = 3, .n = 3, .p = line, .i = line, .x = mass, .nz = 3};
    struct fclib_matrix unit = {.nzmax = 3, .m = 3, .n = 3, .p = line, .i = line, .x = one, .nz = 3};
    struct fclib_global global = {
        .M = &masses, .H = &unit, .mu = &friction, .f = pull, .w = rate, .spacedim = 3};
    (void)unlink(path); // FCLib makes files anew
    assert_true(fclib_write_global(&global, path));
}

static void test_global_problem_with_forces(void **state)
{
    (void)state;
    double mass[3] = {2, 2, 2}, pull[3] = {-4, 0.2, 0}, none[3] = {0};
    tn_impulse_outcome outcome;
    const char *path = in_folder("global.hdf5");
    write_forces(path, mass, pull, none, 0.5);
    tn_impulse_problem *read = read_back(path);
    test_near(read->free_rate[0], -2.0, 1e-15);
    assert_int_equal(test_solve_loaded("projected_newton", read, 1e-12, 100, &outcome), TN_OK);
    test_near(read->impulse[0], 4.0, 1e-10);
    test_near(read->impulse[1], -0.2, 1e-10);
    problem_release(read);
}

static void test_what_is_no_problem(void **state)
{
    (void)state;
    char why[TN_PROBLEM_WHY] = "";
    tn_impulse_problem *read;
    double mass[3] = {2, 2, 2}, pull[3] = {-4, 0.2, 0}, rate[3] = {0, (double)NAN, 0}, none[3] = {0};
    const char *path = in_folder("global.hdf5");
    write_forces(path, mass, pull, rate, 0.5);
    assert_int_equal(problem_read(path, &read, why), TN_INVALID);
    assert_non_null(strstr(why, "not finite"));
    write_forces(path, mass, pull, none, -0.5);
    assert_int_equal(problem_read(path, &read, why), TN_INVALID);
    assert_non_null(strstr(why, "a friction is no number from 0 on"));
    mass[1] = 0.0;
    write_forces(path, mass, pull, none, 0.5);
    assert_int_equal(problem_read(path, &read, why), TN_INVALID);
    assert_non_null(strstr(why, "its matrix of masses is singular"));
    assert_null(read);
    assert_int_equal(unlink(path), 0);
}

/* As FCLib has read it: it writes no such file. */
static void expect_refusal(const struct fclib_local *local, const char *reason)
{
    char why[TN_PROBLEM_WHY] = "";
    statement from = {0};
    assert_int_equal(problem_read_local(local, &from, "wrong.hdf5", why), TN_INVALID);
    if (!strstr(why, reason)) fail_msg("%s", why);
    free_statement(&from);
}

/* Nothing is read or written beyond the arrays of a file that contradicts itself. */
static void test_matrices_that_do_not_fit(void **state)
{
    (void)state;
    double value[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q[3] = {-1, 2, 3}, mu = 0.1;
    int start[4] = {0, 3, 6, 900000}, row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    struct fclib_matrix w = {.nzmax = 9, .m = 3, .n = 3, .p = start, .i = row, .x = value, .nz = -1};
    struct fclib_local local = {.W = &w, .mu = &mu, .q = q, .spacedim = 3};
    expect_refusal(&local, "an index or a number in its matrices is not valid");
    compressed taken = {0};
    bool sound = true;
    assert_false(compressed_take(&w, &taken, &sound));
    assert_false(sound);
    compressed_free(&taken);
    start[3] = 9;
    start[1] = -3;
    expect_refusal(&local, "an index or a number in its matrices is not valid");
    start[1] = 3;
    // R with more rows than columns; V fits its columns
    int no_start[4] = {0, 0, 0, 0}, long_start[2] = {0, 1}, far[1] = {2000};
    double one[1] = {1};
    struct fclib_matrix r = {.nzmax = 1, .m = 3000, .n = 1, .p = long_start, .i = far, .x = one, .nz = -1};
    struct fclib_matrix v = {.nzmax = 1, .m = 3, .n = 1, .p = no_start, .i = far, .x = one, .nz = -1};
    local.R = &r;
    local.V = &v;
    local.s = q;
    expect_refusal(&local, "the sizes of its matrices do not fit");
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    char why[TN_PROBLEM_WHY] = "";
    tn_impulse_problem *read;
    test_problem test;
    assert_int_equal(problem_read(in_folder("nothing"), &read, why), TN_INVALID);
    assert_non_null(strstr(why, "cannot be read"));
    test_stack(&test, 1, 0.5);
    assert_int_equal(problem_write("/nowhere/at/all.hdf5", "", &test.problem, why), TN_INVALID);
    assert_non_null(strstr(why, "'/nowhere/at/all.hdf5' cannot be written"));
    test_problem_end(&test);
    test_chain(&test, 3, 0);
    assert_int_equal(problem_write(in_folder("joints.hdf5"), "", &test.problem, why), TN_UNSUPPORTED);
    test_problem_end(&test);
}

/* As a constraint solver the type refuses, and says what to write instead. */
static void test_it_is_no_constraint_solver(void **state)
{
    (void)state;
    test_host host;
    void *self;
    test_host_begin(&host);
    assert_int_equal(fclib_type.create(&host.table, NULL, NULL, &self), TN_INVALID);
    assert_non_null(strstr(host.message, "problems = {folder"));
    fclib_type.destroy(self);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problem_comes_back),
        cmocka_unit_test(test_solution_is_the_same),
        cmocka_unit_test(test_local_problems),
        cmocka_unit_test(test_local_problem_without_symmetry),
        cmocka_unit_test(test_global_problem_with_forces),
        cmocka_unit_test(test_what_is_no_problem),
        cmocka_unit_test(test_matrices_that_do_not_fit),
        cmocka_unit_test(test_what_is_no_file),
        cmocka_unit_test(test_it_is_no_constraint_solver),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
