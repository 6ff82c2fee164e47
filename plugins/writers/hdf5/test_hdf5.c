/* test_hdf5.c - results.h5, read by other programs: values, units, dimensions; odd names, empty tables, invalid frames, full disks */
#define TEST_WRITER "hdf5"
#include "../test_conversion.h"

#include <hdf5.h>

static void check_h5py(const test_conversion *c, int rows, int columns, int frames, double tolerance)
{
    char arguments[128];
    (void)snprintf(arguments, sizeof arguments, "%d %d %d %g", rows, columns, frames, tolerance);
    test_check(c, "python3", "check_h5py.py", arguments);
}

/* Reads all numbers of a dataset. */
static double *read_all(const test_conversion *c, const char *name, size_t count)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/results.h5", c->folder);
    double *number = calloc(count + 1, sizeof *number);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(number && file >= 0);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    const hid_t space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, number) >= 0);
    (void)H5Sclose(space);
    (void)H5Dclose(dataset);
    assert_true(H5Fclose(file) >= 0);
    return number;
}

static void test_results_are_those_of_the_recording(void **state)
{
    test_conversion *c = test_begin(state, 20001, 8, 5001);
    test_converts(c, NULL);
    check_h5py(c, 20001, 8, 5001, 1e-15);
    (void)test_empty(c);
    test_set(c, "poses", 1);
    test_set(c, "compression", 9);
    test_converts(c, NULL);
    check_h5py(c, 20001, 8, 5001, 1e-6);
}

static void test_numbers_are_kept_to_the_bit(void **state)
{
    test_conversion *c = test_begin(state, 20001, 6, 5001);
    for (int compression = 0; compression <= 4; compression += 4) {
        test_set(c, "compression", compression);
        test_converts(c, NULL);
        double *wave = read_all(c, "/sensors/wave5", 20001),
               *position = read_all(c, "/bodies/position", 5001 * 9);
        for (uint64_t r = 0; r < 20001; r++)
            assert_true(wave[r] == test_recording_value(&c->made, r, 5));
        for (uint64_t f = 0; f < 5001; f++)
            for (uint32_t k = 0; k < TEST_TRACKS; k++) {
                double pose[7];
                test_recording_pose((double)f * c->made.frame_step, k, pose);
                assert_memory_equal(pose, position + 3 * (f * TEST_TRACKS + k), 3 * sizeof *pose);
            }
        free(wave);
        free(position);
        (void)test_empty(c);
    }
}

/* Two columns of one sensor, with different units. */
static void test_other_programs_find_units_and_dimensions(void **state)
{
    test_conversion *c = test_begin(state, 101, 6, 11);
    for (uint32_t k = 0; k < 2; k++) {
        c->made.column[4 + k].sensor = "pair";
        c->made.column[4 + k].component = k;
        c->made.column[4 + k].components = 2;
        c->made.column[4 + k].unit = k ? "rad" : "m";
    }
    test_converts(c, NULL);
    test_check(c, "bash", "check_ncdump.sh", "");
    test_check(c, "python3", "check_xarray.py", "");
    double *pair = read_all(c, "/sensors/pair", 202);
    for (uint64_t k = 0; k < 202; k++)
        assert_true(pair[k] == test_recording_value(&c->made, k / 2, 4 + (uint32_t)(k % 2)));
    free(pair);
}

/* Names that HDF5 does not allow are replaced by unique ones; the attribute has the name of the sensor. */
static void test_names_do_not_collide(void **state)
{
    test_conversion *c = test_begin(state, 101, TEST_FIRST_COLUMNS, 11);
    test_odd_names(&c->made);
    test_converts(c, NULL);
    double *first = read_all(c, "/sensors/a_b", 101), *second = read_all(c, "/sensors/a_b_2", 101);
    assert_true(first[50] == 1.0 && first[49] == 0.0 && second[0] == 0.0 && isnan(second[100]));
    free(first);
    free(second);
    second = read_all(c, "/sensors/time_2", 101);
    assert_true(second[100] == 100.0);
    free(second);
    test_check(c, "python3", "check_names.py", "");
}

static void test_few_rows_and_frames_or_none(void **state)
{
    for (uint64_t frames = 0; frames < 3; frames++) {
        test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 11);
        c->made.recording.frames = frames;
        c->made.table.rows = frames;
        c->made.recording.drawings = 0;
        test_converts(c, NULL);
        free(read_all(c, "/bodies/position", 9 * frames));
        free(read_all(c, "/sensors/spike", frames));
        test_check(c, "python3", "check_empty.py", frames == 0 ? "0" : frames == 1 ? "1" : "2");
        (void)test_empty(c);
        tn_recording *r = &c->made.recording;
        r->tracks = r->wrenches = r->tables = r->events = r->modes = 0;
        test_converts(c, NULL);
        (void)test_empty(c);
    }
}

/* A column of time and `sensors` plain ones, in a table of a row. */
static void make_wide(test_conversion *c, tn_recorded_column *column, char (*name)[16], uint32_t sensors)
{
    for (uint32_t k = 0; k <= sensors; k++) {
        (void)snprintf(name[k], sizeof name[k], k ? "wide%u" : "time", k);
        column[k] = c->made.column[k ? 1 : 0];
        column[k].sensor = column[k].name = name[k];
    }
    c->made.table.column = column;
    c->made.table.columns = sensors + 1;
    c->made.table.rows = 1;
}

static bool has_scale(const test_conversion *c, const char *dataset)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/results.h5", c->folder);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const htri_t found = H5Aexists_by_name(file, dataset, "DIMENSION_LIST", H5P_DEFAULT);
    assert_true(found >= 0);
    assert_true(H5Fclose(file) >= 0);
    return found > 0;
}

static void test_tables_of_very_many_sensors_have_no_scales(void **state)
{
    enum { MOST = 4096 };
    static tn_recorded_column column[MOST + 2];
    static char name[MOST + 2][16];
    for (uint32_t k = 0; k < 2; k++) {
        test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 3);
        make_wide(c, column, name, MOST + k);
        test_converts(c, k ? "`sensors` has more than 4096 sensors" : NULL);
        assert_true(has_scale(c, "/sensors/wide1") == (k == 0));
        double *last = read_all(c, k ? "/sensors/wide4097" : "/sensors/wide4096", 1);
        assert_true(*last == test_recording_value(&c->made, 0, MOST + k));
        free(last);
        (void)test_empty(c);
    }
}

static void test_numbers_that_are_not_finite_are_written(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 102);
    c->made.recording.frame = test_broken_frame;
    test_converts(c, NULL);
    double *position = read_all(c, "/bodies/position", 102 * 9);
    for (size_t f = 0; f < 102; f++)
        assert_true(!isfinite(position[9 * f + 3]) == (f % 3 == 1));
    free(position);
}

static void test_full_disks_are_reported(void **state)
{
    test_conversion *c = test_begin(state, 20001, 8, 501);
    test_full_disks(c, 60);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void test_existing_files_are_not_replaced(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 11);
    test_converts(c, NULL);
    const rlim_t whole = test_largest(c);
    assert_int_equal(test_convert(c, &c->made.recording), TN_FATAL);
    assert_non_null(strstr(c->host.message, "results.h5: "));
    assert_int_equal(test_largest(c), whole);
}

static tn_status failing_rows(const tn_recording *recording, uint32_t table, uint64_t first, uint64_t count,
                              double *value)
{
    return first > 0 ? TN_FATAL : test_recording_rows(recording, table, first, count, value);
}

static void test_recordings_that_cannot_be_read(void **state)
{
    test_conversion *c = test_begin(state, 20001, TEST_FIRST_COLUMNS, 11);
    c->made.recording.rows = failing_rows;
    assert_int_equal(test_convert(c, &c->made.recording), TN_FATAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF_CONVERSION(test_results_are_those_of_the_recording),
        TEST_OF_CONVERSION(test_numbers_are_kept_to_the_bit),
        TEST_OF_CONVERSION(test_other_programs_find_units_and_dimensions),
        TEST_OF_CONVERSION(test_names_do_not_collide),
        TEST_OF_CONVERSION(test_few_rows_and_frames_or_none),
        TEST_OF_CONVERSION(test_tables_of_very_many_sensors_have_no_scales),
        TEST_OF_CONVERSION(test_numbers_that_are_not_finite_are_written),
        TEST_OF_CONVERSION(test_full_disks_are_reported),
        TEST_OF_CONVERSION(test_existing_files_are_not_replaced),
        TEST_OF_CONVERSION(test_recordings_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
