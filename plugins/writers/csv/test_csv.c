/* test_csv.c - tables of the writer csv: numbers read back bit for bit, rows after a kill, a crash or on a full disk */
#include "csv.c"

#include "../../solvers/test_host.h"
#include "../../../tests/support/full_disk.h"

#include <float.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const tn_column columns[] = {{"time", "s"}, {"mass.position[0]", "m"}, {"a,\"b\"", NULL}};

typedef struct folder {
    test_host host;
    char path[64];
} folder;

static void folder_begin(folder *f)
{
    test_host_begin(&f->host);
    (void)snprintf(f->path, sizeof f->path, "/tmp/tenon_csv_XXXXXX");
    assert_non_null(mkdtemp(f->path));
}

static void folder_end(folder *f)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s/sensors.csv", f->path);
    (void)unlink(name);
    (void)snprintf(name, sizeof name, "%s/sensors.units.csv", f->path);
    (void)unlink(name);
    assert_int_equal(rmdir(f->path), 0);
    test_host_end(&f->host);
}

static void *open_sensors(folder *f)
{
    void *self = NULL;
    assert_int_equal(csv_type.open(&f->host.table, NULL, f->path, "sensors", columns, 3, &self), TN_OK);
    return self;
}

/* The whole file as text. */
static char *read_file(const folder *f, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 4u << 20);
    assert_non_null(text);
    const size_t size = fread(text, 1, (4u << 20) - 1, file);
    text[size] = 0;
    (void)fclose(file);
    return text;
}

static void test_header_and_units(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    void *self = open_sensors(&f);

    // the header is there before the first row
    char *text = read_file(&f, "sensors.csv");
    assert_string_equal(text, "time,mass.position[0],\"a,\"\"b\"\"\"\n");
    free(text);
    assert_int_equal(csv_type.close(self), TN_OK);
    text = read_file(&f, "sensors.units.csv");
    assert_string_equal(text, "time,mass.position[0],\"a,\"\"b\"\"\"\ns,m,\n");
    free(text);
    folder_end(&f);
}

static void test_numbers_come_back_bit_for_bit(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    const double values[] = {
        0.0,         -0.0,     1.0,     -17.0, 0.1,        1.0 / 3.0,       -DBL_MAX,
        DBL_MIN,     4.9e-324, 1e15,    -1e15, 1e15 - 1.0, 123456789012345, 9007199254740993.0,
        1e22,        1e-5,     -2.5e-7, 100.0, 1e5,        99999999.5,      -DBL_MIN,
        M_PI * 1e100};
    const size_t count = sizeof values / sizeof values[0];
    void *self = open_sensors(&f);
    for (size_t i = 0; i < count; i++) {
        const double row[3] = {(double)i, values[i], -values[i]};
        assert_int_equal(csv_type.row(self, row), TN_OK);
    }
    assert_int_equal(csv_type.close(self), TN_OK);

    char *text = read_file(&f, "sensors.csv"), *at = strchr(text, '\n') + 1;
    for (size_t i = 0; i < count; i++) {
        const double expected[3] = {(double)i, values[i], -values[i]};
        for (int k = 0; k < 3; k++) {
            const double value = strtod(at, &at);
            assert_memory_equal(&value, &expected[k], sizeof value);
            assert_int_equal(*at++, k < 2 ? ',' : '\n');
        }
    }
    assert_int_equal(*at, 0);
    free(text);
    folder_end(&f);
}

static void check_text(double value, const char *expected)
{
    char text[NUMBER_LENGTH + 1] = "";
    *append_number(text, value) = 0;
    assert_string_equal(text, expected);
}

static void test_texts_of_numbers(void **state)
{
    (void)state;
    check_text(0.0, "0");
    check_text(-0.0, "-0");
    check_text(0.1, "0.1");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(123456789012345.0, "123456789012345");
    check_text(100000.0, "100000");
    check_text(1e15, "1e+15");
    check_text(4.9e-324, "5e-324");
    check_text(-DBL_MAX, "-1.7976931348623157e+308");
    check_text(-2.2250738585072011e-308, "-2.225073858507201e-308");
    check_text((double)INFINITY, "inf");
    check_text(-(double)INFINITY, "-inf");
    check_text((double)NAN, "nan");
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* How many digits a number has in front of its exponent, without zeros at either end. */
static int digits_of(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0')) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

/* All bit patterns but those of NaN come back, and no number of fewer digits would. */
static void test_random_numbers_come_back_with_fewest_digits(void **state)
{
    (void)state;
    uint64_t dice = 19;
    for (int k = 0; k < 3000000; k++) {
        uint64_t bits = draw(&dice);
        double value, back;
        if (k % 3 == 1) bits &= UINT64_C(0x800fffffffffffff); // subnormal
        memcpy(&value, &bits, sizeof value);
        if (k % 3 == 2) value = (double)(int64_t)(bits >> 44) * 1e-4; // short ones
        if (isnan(value)) continue;
        char text[NUMBER_LENGTH + 1] = "", fewer[40];
        char *const end = append_number(text, value);
        assert_true((size_t)(end - text) < NUMBER_LENGTH);
        back = strtod(text, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        const int digits = digits_of(text);
        // large whole numbers may stand there with all their digits, where that is shorter than an exponent
        if (k % 16 || isinf(value) || digits < 2 || (fabs(value) > 1e15 && !strchr(text, 'e'))) continue;
        (void)snprintf(fewer, sizeof fewer, "%.*e", digits - 2, value);
        assert_true(strtod(fewer, NULL) != value);
    }
}

/* Complete lines with three numbers each; their count. */
static size_t check_lines(const char *text)
{
    size_t lines = 0, commas = 0;
    assert_int_equal(text[strlen(text) - 1], '\n');
    for (const char *c = strchr(text, '\n') + 1; *c; c++) {
        commas += *c == ',';
        if (*c != '\n') continue;
        assert_int_equal(commas, 2);
        commas = 0;
        lines++;
    }
    return lines;
}

static void test_killed_run_keeps_whole_lines(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        // more rows than the buffer holds, then a pause, one more row, and the end
        void *self = open_sensors(&f);
        for (int i = 0; i < 20001; i++) {
            if (i == 20000) (void)usleep(150000);
            const double row[3] = {i * 0.1, sin(i), cos(i)};
            if (csv_type.row(self, row) != TN_OK) break;
        }
        (void)raise(SIGKILL);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
    char *text = read_file(&f, "sensors.csv");
    assert_int_equal(check_lines(text), 20001);
    free(text);
    folder_end(&f);
}

/* Reads what a child has left that is killed with rows in its buffer, or has them flushed as in a crash before. */
static size_t rows_of_killed_child(folder *f, int rows, bool crashes)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        csv_table *self = open_sensors(f);
        for (int i = 0; i < rows; i++) {
            self->flushed = coarse_time(); // as if it were quick
            const double row[3] = {i * 0.1, sin(i), cos(i)};
            if (csv_type.row(self, row) != TN_OK) _exit(2);
        }
        // a row that is not ended
        memcpy(self->buffer + self->used, "0.5,", 4);
        if (crashes) csv_append.flush(self);
        if (crashes) csv_append.flush(self);
        (void)raise(SIGKILL);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
    char *text = read_file(f, "sensors.csv"), *at = strchr(text, '\n') + 1;
    const size_t found = check_lines(text);
    for (size_t i = 0; i < found; i++, at = strchr(at, '\n') + 1)
        assert_true(strtod(at, NULL) == (double)i * 0.1);
    free(text);
    return found;
}

static void test_rows_are_kept_back_for_a_moment_only_and_survive_a_crash(void **state)
{
    (void)state;
    for (int crashes = 0; crashes < 2; crashes++) {
        folder f;
        folder_begin(&f);
        const size_t rows = rows_of_killed_child(&f, 5000, crashes);
        if (crashes) assert_int_equal(rows, 5000);
        // without one, those in the buffer are lost: less than it holds, in lines of 40 characters or more
        assert_true(rows > 5000 - KEPT / 40);
        folder_end(&f);
    }
}

/* The rows in the buffer do not fit on the disk: close() fails. */
static void test_disk_that_is_full_at_the_end_is_reported(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    csv_table *self = open_sensors(&f);
    const struct rlimit before = test_fill_disk(500);
    for (int i = 0; i < 100; i++) {
        self->flushed = coarse_time();
        assert_int_equal(csv_type.row(self, (const double[]){i, sin(i), cos(i)}), TN_OK);
    }
    assert_int_equal(csv_type.close(self), TN_FATAL);
    test_free_disk(before);
    assert_non_null(strstr(f.host.message, "cannot write"));
    char *text = read_file(&f, "sensors.csv");
    assert_in_range(check_lines(text), 5, 20); // the lines that the disk has taken
    free(text);
    folder_end(&f);
}

static void test_full_disk_is_reported_and_leaves_whole_lines(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    void *self = open_sensors(&f);
    const struct rlimit before = test_fill_disk(300001);
    tn_status status = TN_OK;
    for (int i = 0; i < 100000 && status == TN_OK; i++) {
        const double row[3] = {i * 0.1, sin(i), cos(i)};
        status = csv_type.row(self, row);
    }
    const double row[3] = {0};
    assert_int_equal(status, TN_FATAL);
    assert_int_equal(csv_type.row(self, row), TN_FATAL);
    assert_int_equal(csv_type.close(self), TN_FATAL);
    test_free_disk(before);
    assert_non_null(strstr(f.host.message, "sensors.csv"));
    char *text = read_file(&f, "sensors.csv");
    assert_true(check_lines(text) > 1000);
    free(text);
    folder_end(&f);
}

/* The program removes what may be replaced; what else is there may be a link to anything. */
static void test_file_that_is_there_is_not_replaced(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    char name[128];
    (void)snprintf(name, sizeof name, "%s/sensors.csv", f.path);
    assert_int_equal(symlink("/dev/null", name), 0);
    void *self = NULL;
    assert_int_equal(csv_type.open(&f.host.table, NULL, f.path, "sensors", columns, 3, &self), TN_FATAL);
    assert_null(self);
    assert_non_null(strstr(f.host.message, "sensors.csv: File exists"));
    folder_end(&f);
}

static void test_missing_directory_is_reported(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    void *self = NULL;
    assert_int_equal(csv_type.open(&host.table, NULL, "/nonexistent", "sensors", columns, 3, &self),
                     TN_FATAL);
    assert_non_null(strstr(host.message, "/nonexistent/sensors"));
    test_host_end(&host);
}

/* ---- going on with a table ----------------------------------------------------------------------------------- */

static tn_status reopen_sensors(folder *f, const tn_table_place *place, size_t count, void **self)
{
    const tn_reopened_table asked = {.struct_size = sizeof asked,
                                     .directory = f->path,
                                     .name = "sensors",
                                     .columns = columns,
                                     .column_count = count,
                                     .place = place};
    return csv_append.reopen(&f->host.table, NULL, &asked, self);
}

/* Rows behind the place go, when the table is cut, and not before. */
static void test_table_goes_on_from_its_place(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    tn_table_place first, second;
    void *self = open_sensors(&f);
    assert_int_equal(csv_type.row(self, (const double[]){0.0, 0.1, 0.2}), TN_OK);
    assert_int_equal(csv_append.place(self, &first), TN_OK);
    assert_int_equal(csv_type.row(self, (const double[]){1.0, 0.3, 0.4}), TN_OK);
    assert_int_equal(csv_append.place(self, &second), TN_OK);
    assert_int_equal(csv_type.row(self, (const double[]){2.0, 0.5, 0.6}), TN_OK);
    assert_int_equal(csv_type.close(self), TN_OK);
    char *whole = read_file(&f, "sensors.csv"), *text;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(reopen_sensors(&f, k ? &first : &second, 3, &self), TN_OK);
        text = read_file(&f, "sensors.csv");
        if (k == 0) assert_string_equal(text, whole);
        free(text);
        assert_int_equal(csv_append.cut(self), TN_OK);
        if (k) assert_int_equal(csv_type.row(self, (const double[]){1.0, 0.3, 0.4}), TN_OK);
        assert_int_equal(csv_type.row(self, (const double[]){2.0, 0.5, 0.6}), TN_OK);
        tn_table_place again;
        assert_int_equal(csv_append.place(self, &again), TN_OK);
        assert_int_equal(again.number[0], strlen(whole));
        assert_int_equal(csv_type.close(self), TN_OK);
        text = read_file(&f, "sensors.csv");
        assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
    folder_end(&f);
}

static void test_other_tables_are_refused(void **state)
{
    (void)state;
    folder f;
    folder_begin(&f);
    tn_table_place place;
    void *self = open_sensors(&f);
    assert_int_equal(csv_type.row(self, (const double[]){0.0, 0.1, 0.2}), TN_OK);
    assert_int_equal(csv_append.place(self, &place), TN_OK);
    assert_int_equal(csv_type.close(self), TN_OK);
    assert_int_equal(reopen_sensors(&f, &place, 2, &self), TN_INVALID);
    assert_null(self);
    assert_non_null(strstr(f.host.message, "the columns of the table"));
    const tn_table_place longer = {{place.number[0] + 1, place.number[1]}},
                         other = {{place.number[0], place.number[1] ^ 1}}, none = {{UINT64_MAX, 0}};
    assert_int_equal(reopen_sensors(&f, &longer, 3, &self), TN_INVALID);
    assert_non_null(strstr(f.host.message, "is shorter than it was"));
    assert_int_equal(reopen_sensors(&f, &none, 3, &self), TN_INVALID);
    assert_int_equal(reopen_sensors(&f, &other, 3, &self), TN_INVALID);
    assert_non_null(strstr(f.host.message, "are not those that the run has written"));
    char path[128];
    (void)snprintf(path, sizeof path, "%s/sensors.csv", f.path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(reopen_sensors(&f, &place, 3, &self), TN_INVALID);
    assert_non_null(strstr(f.host.message, "cannot be opened: No such file"));
    folder_end(&f);
}

static void test_descriptor(void **state)
{
    (void)state;
    assert_string_equal(tn_plugin_library()->types[0].kind, TN_WRITER_KIND);
    assert_ptr_equal(tn_plugin_library()->types[0].type, &csv_type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_and_units),
        cmocka_unit_test(test_numbers_come_back_bit_for_bit),
        cmocka_unit_test(test_texts_of_numbers),
        cmocka_unit_test(test_random_numbers_come_back_with_fewest_digits),
        cmocka_unit_test(test_killed_run_keeps_whole_lines),
        cmocka_unit_test(test_rows_are_kept_back_for_a_moment_only_and_survive_a_crash),
        cmocka_unit_test(test_disk_that_is_full_at_the_end_is_reported),
        cmocka_unit_test(test_full_disk_is_reported_and_leaves_whole_lines),
        cmocka_unit_test(test_file_that_is_there_is_not_replaced),
        cmocka_unit_test(test_missing_directory_is_reported),
        cmocka_unit_test(test_table_goes_on_from_its_place),
        cmocka_unit_test(test_other_tables_are_refused),
        cmocka_unit_test(test_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
