/* test_linearise.c - files of linearise as libmatio and NumPy read them; matrix exponentials in closed form */
#define _GNU_SOURCE // mat.c
#include "dense.c"
#include "discrete.c"
#if defined(__has_include)
#if __has_include(<matio.h>)
#define TENON_MATIO
#endif
#endif
#include "mat.c"
#include "npz.c"

#include "../test_host.h"

#include <stdarg.h>
#include <unistd.h>

/* What files.c has. */
void linear_put(linear_bytes *to, const void *bytes, size_t count)
{
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->byte = realloc(to->byte, to->capacity);
        assert_non_null(to->byte);
    }
    memcpy(to->byte + to->count, bytes, count);
    to->count += count;
}

static double numbers[] = {1.0, -2.5, 3e300, 0.1, -0.0, 1e-310};
static const linear_matrix matrix = {2, 3, numbers}, row = {1, 3, numbers}, empty = {0, 4, numbers};
static const linear_name names[] = {{.name = "hinge.angle'"},
                                    {.name = "x"},
                                    {.name = "Stra\xc3\x9f"
                                             "e"}};
static const linear_entry entries[] = {{.name = "A", .matrix = &matrix},
                                       {.name = "time", .matrix = &row},
                                       {.name = "D", .matrix = &empty},
                                       {.name = "states", .list = names, .count = 3},
                                       {.name = "inputs", .list = names, .count = 0}};
enum { ENTRIES = sizeof entries / sizeof *entries };

static const char *write_bytes(linear_bytes *bytes, char *path)
{
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes->byte, bytes->count), bytes->count);
    (void)close(file);
    free(bytes->byte);
    return path;
}

#ifdef TENON_MATIO
static void test_matlab_reads_what_was_written(void **state)
{
    (void)state;
    char path[] = "/tmp/tenon-linearise-XXXXXX";
    linear_bytes bytes = {0};
    assert_true(linear_has_mat() && linear_mat(entries, ENTRIES, &bytes));
    assert_memory_equal(bytes.byte, "MATLAB 5.0 MAT-file", 19);
    mat_t *file = Mat_Open(write_bytes(&bytes, path), MAT_ACC_RDONLY);
    assert_non_null(file);
    matvar_t *A = Mat_VarRead(file, "A"), *list = Mat_VarRead(file, "states");
    assert_true(A && list && A->dims[0] == 2 && A->dims[1] == 3);
    for (size_t r = 0; r < 2; r++)
        for (size_t c = 0; c < 3; c++)
            assert_true(((const double *)A->data)[2 * c + r] == numbers[3 * r + c]);
    assert_true(list->class_type == MAT_C_CELL && list->dims[0] == 3);
    const matvar_t *cell = Mat_VarGetCell(list, 0);
    assert_int_equal(cell->nbytes, strlen(names[0].name));
    assert_memory_equal(cell->data, names[0].name, cell->nbytes);
    Mat_VarFree(A);
    Mat_VarFree(list);
    matvar_t *none = Mat_VarRead(file, "D");
    assert_true(!none || none->dims[0] == 0);
    if (none) Mat_VarFree(none);
    (void)Mat_Close(file);
    (void)unlink(path);
}
#endif

/* By the first Python that has NumPy. */
static void test_numpy_reads_what_was_written(void **state)
{
    (void)state;
    static const char *const python[] = {"python3", "/usr/bin/python3"};
    char path[] = "/tmp/tenon-linearise-XXXXXX", command[2000];
    linear_bytes bytes = {0};
    linear_npz(entries, ENTRIES, &bytes);
    (void)write_bytes(&bytes, path);
    const char *chosen = NULL;
    for (size_t k = 0; k < 2 && !chosen; k++) {
        (void)snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", python[k]);
        if (system(command) == 0) chosen = python[k];
    }
    if (!chosen && !getenv("TENON_NO_SKIPS")) skip();
    assert_non_null(chosen);
    (void)snprintf(
        command, sizeof command,
        "%s -c 'import numpy, zipfile\n"
        "assert zipfile.ZipFile(\"%s\").testzip() is None\n"
        "f = numpy.load(open(\"%s\", \"rb\"))\n"
        "assert (f[\"A\"] == [[1, -2.5, 3e300], [0.1, 0, 1e-310]]).all()\n"
        "assert f[\"time\"].shape == (1, 3) and f[\"D\"].shape == (0, 4)\n"
        "assert list(f[\"states\"]) == [\"hinge.angle\\x27\", \"x\", \"Stra\\xdfe\"], f[\"states\"]\n"
        "assert f[\"inputs\"].shape == (0,)'",
        chosen, path, path);
    assert_int_equal(system(command), 0);
    (void)unlink(path);
}

/* An oscillator, a double integrator, and a matrix whose norm needs many squarings. */
static void test_exponentials_in_closed_form(void **state)
{
    (void)state;
    test_host host;
    tn_system system = {.host = &host.table};
    linear_work work = {.system = &system};
    static const double w[] = {0.1, 3.0, 400.0};
    for (size_t k = 0; k < 3; k++) {
        double value[] = {0.0, w[k], -w[k], 0.0};
        linear_matrix m = {2, 2, value};
        test_host_begin(&host);
        assert_true(exponential(&work, &m));
        test_host_end(&host);
        const double expected[] = {cos(w[k]), sin(w[k]), -sin(w[k]), cos(w[k])};
        for (int i = 0; i < 4; i++)
            assert_true(fabs(value[i] - expected[i]) < 2e-15 * (1.0 + w[k]));
    }
    double value[] = {0, 2, 3, 0, 0, 5, 0, 0, 0};
    linear_matrix m = {3, 3, value};
    test_host_begin(&host);
    assert_true(exponential(&work, &m));
    test_host_end(&host);
    const double expected[] = {1, 2, 8, 0, 1, 5, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        assert_true(fabs(value[i] - expected[i]) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TENON_MATIO
        cmocka_unit_test(test_matlab_reads_what_was_written),
#endif
        cmocka_unit_test(test_numpy_reads_what_was_written),
        cmocka_unit_test(test_exponentials_in_closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
