/* test_store.c - the database of a study: what it keeps, how large it is, how fast it knows cases again */
#include "store/store.h"

#include "run/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tenon-test-store-XXXXXX";

/* A study with two variables, one of them a list, and two responses, without any file. */
static tn_case_level levels[] = {{.label = "rk", .value = (double)NAN},
                                 {.label = "alpha", .value = (double)NAN}};
static tn_case_variable variables[] = {
    {.name = "parameters.k", .unit = "N/m", .distribution = TN_VARIABLE_RANGE, .low = 1.0, .high = 2.0},
    {.name = "solver.type", .unit = "", .distribution = TN_VARIABLE_VALUES, .level = levels, .levels = 2}};
static tn_case_response responses[] = {{.name = "peak", .unit = "m", .first = 0, .size = 1},
                                       {.name = "mean", .unit = "m", .first = 1, .size = 1}};
static const tn_cases cases = {.variable = variables,
                               .variables = 2,
                               .response = responses,
                               .responses = 2,
                               .numbers = 2,
                               .study.name = "test"};

static tn_store *open_store(const char *name, tn_store_mode mode)
{
    char reason[TN_LONGEST_REASON], path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)mkdir(path, 0777);
    (void)strcat(path, "/lines");
    (void)mkdir(path, 0777);
    path[strlen(path) - 6] = '\0';
    tn_store *store = tn_store_open(path, &cases, mode, reason, sizeof reason);
    if (!store) fail_msg("%s", reason);
    return store;
}

static void values_of(uint64_t number, double *value)
{
    value[0] = 1.0 + 1e-6 * (double)number;
    value[1] = (double)(number % 2);
}

static tn_case_result result_of(uint64_t number, const double *response)
{
    double value[2];
    values_of(number, value);
    return (tn_case_result){.number = number,
                            .hash = tn_case_hash_of(&cases, value),
                            .status = TN_CASE_OK,
                            .attempt = 1,
                            .reason = "",
                            .place = "",
                            .host = "node-17.cluster",
                            .solver = "rk",
                            .end_time = 1.0,
                            .wall = 0.005,
                            .cpu = 0.004,
                            .started = 1.75e9 + 0.001 * (double)number,
                            .memory = 12345678,
                            .response = response};
}

static void add(tn_store *store, uint64_t number)
{
    double value[2];
    values_of(number, value);
    const tn_case_hash hash = tn_case_hash_of(&cases, value);
    assert_true(tn_store_add(store, number, &hash, value));
}

static void put(tn_store *store, uint64_t number)
{
    const double response[] = {0.1 * (double)number, 1.0 / (1.0 + (double)number)};
    const tn_case_result result = result_of(number, response);
    assert_true(tn_store_put(store, &result));
}

static void what_is_put_is_found_to_the_bit(void **state)
{
    (void)state;
    tn_store *store = open_store("bits", TN_STORE_NEW);
    double response[2], value[2], again[2];
    tn_store_row row;
    assert_true(tn_store_begin(store));
    for (uint64_t k = 0; k < 10; k++)
        add(store, k);
    put(store, 7);
    assert_true(tn_store_commit(store));
    values_of(7, value);
    tn_case_hash hash = tn_case_hash_of(&cases, value);
    assert_true(tn_store_find(store, 7, &hash, &row, response));
    assert_true(row.known && row.done && !row.elsewhere && row.status == TN_CASE_OK);
    assert_true(response[0] == 0.1 * 7.0 && response[1] == 1.0 / 8.0);
    assert_true(tn_store_values(store, 7, again));
    assert_memory_equal(again, value, sizeof value);
    /* another number with the same sum is known by it; one that waits is not done */
    assert_true(tn_store_find(store, 50, &hash, &row, response));
    assert_true(!row.known && row.done && row.elsewhere && row.id == 7);
    values_of(3, value);
    hash = tn_case_hash_of(&cases, value);
    assert_true(tn_store_find(store, 3, &hash, &row, response));
    assert_true(row.known && !row.done);
    /* a result of something else changes nothing */
    tn_case_result stale = result_of(3, response);
    stale.hash.byte[0] ^= 1;
    assert_true(tn_store_put(store, &stale));
    assert_true(tn_store_find(store, 3, &hash, &row, response));
    assert_false(row.done);
    tn_store_close(store);
}

static void lines_are_taken_over_once_and_whole(void **state)
{
    (void)state;
    tn_store *store = open_store("taken", TN_STORE_NEW);
    const double response[] = {(double)NAN, 0.1};
    double found[2], value[2];
    tn_text text = {0};
    char path[200];
    tn_store_taken taken;
    tn_store_row row;
    for (uint64_t k = 0; k < 3; k++)
        add(store, k);
    tn_case_result result = result_of(1, response);
    result.status = TN_CASE_FAILED;
    result.reason = "a \"quoted\" \\ reason\nof two lines";
    tn_case_line_print(&text, &result, cases.numbers);
    (void)snprintf(path, sizeof path, "%s/taken/lines/0.w.jsonl", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("no line at all\n", file);
    (void)fwrite(text.letters, 1, text.length, file);
    (void)fwrite(text.letters, 1, text.length / 2, file);
    (void)fclose(file);
    assert_true(tn_store_take_lines(store, "0.", &taken));
    assert_int_equal(taken.lines, 1);
    file = fopen(path, "a");
    assert_non_null(file);
    (void)fputs(text.letters + text.length / 2, file);
    (void)fclose(file);
    assert_true(tn_store_take_lines(store, "1.", &taken));
    assert_int_equal(taken.lines, 0);
    assert_true(tn_store_take_lines(store, "", &taken));
    assert_int_equal(taken.lines, 1);
    assert_true(tn_store_take_lines(store, "", &taken));
    assert_int_equal(taken.lines, 0);
    values_of(1, value);
    const tn_case_hash hash = tn_case_hash_of(&cases, value);
    assert_true(tn_store_find(store, 1, &hash, &row, found));
    assert_true(row.done && row.status == TN_CASE_FAILED && isnan(found[0]) && found[1] == 0.1);
    tn_free(text.letters);
    tn_store_close(store);
}

static void numbers_of_lines_come_back_to_the_bit(void **state)
{
    (void)state;
    const double response[] = {-0x1.fffffffffffffp-3, 5e-324};
    tn_case_result result = result_of(123456789012, response), again;
    tn_text text = {0};
    tn_arena arena = {0};
    result.reason = "\x01 tab\t and \xc3\xa9";
    tn_case_line_print(&text, &result, 2);
    assert_true(tn_case_line_read(text.letters, text.length - 1, 2, &arena, &again));
    assert_memory_equal(again.response, response, sizeof response);
    assert_string_equal(again.reason, result.reason);
    assert_true(again.number == result.number && again.started == result.started &&
                again.memory == result.memory);
    for (size_t k = 0; k + 1 < text.length; k++) /* no beginning of a line is one */
        assert_false(tn_case_line_read(text.letters, k, 2, &arena, &again));
    tn_arena_free(&arena);
    tn_free(text.letters);
}

typedef struct seen {
    uint64_t cases, ok;
    tn_store *writer;
} seen;

static tn_status see_case(void *data, const tn_study_case *one)
{
    seen *all = data;
    double value[2];
    /* what is written meanwhile is of a later moment */
    if (all->cases == 0) {
        put(all->writer, 3);
        put(all->writer, 9);
    }
    values_of(one->number, value);
    assert_int_equal(one->number, all->cases);
    assert_true(one->value[0] == value[0] &&
                one->value[1] == value[1]); /* case 0 has the first of the texts */
    if (strcmp(one->status, "ok") == 0) {
        all->ok++;
        assert_true(one->response[0] == 0.1 * (double)one->number && one->effort == 0.004);
    } else {
        assert_string_equal(one->status, "waiting");
        assert_true(isnan(one->response[0]) && isnan(one->response[1]) && isnan(one->effort));
    }
    all->cases++;
    return TN_OK;
}

static void results_are_those_of_one_moment(void **state)
{
    (void)state;
    char reason[TN_LONGEST_REASON], path[200];
    tn_store *writer = open_store("moment", TN_STORE_NEW);
    for (uint64_t k = 0; k < 10; k++)
        add(writer, k);
    put(writer, 2);
    put(writer, 5);
    assert_true(tn_store_add_answer(writer, &(tn_store_answer){.name = "optimum",
                                                               .response = "peak",
                                                               .unit = "m",
                                                               .value = 0.5,
                                                               .low = (double)NAN,
                                                               .high = (double)NAN,
                                                               .number = 5}));
    (void)snprintf(path, sizeof path, "%s/moment", folder);
    tn_store *reader = tn_store_open(path, NULL, TN_STORE_READ, reason, sizeof reason);
    assert_non_null(reader);
    tn_arena arena = {0};
    tn_study_results results;
    assert_true(tn_store_read_results(reader, &arena, &results));
    assert_string_equal(results.title, "test");
    assert_int_equal(results.variables, 2);
    assert_int_equal(results.variable[0].levels, 0);
    assert_int_equal(results.variable[1].levels, 2);
    assert_string_equal(results.variable[1].level[1], "alpha");
    assert_int_equal(results.responses, 2);
    assert_int_equal(results.numbers, 2);
    assert_int_equal(results.cases, 10);
    assert_int_equal(results.statuses, 2);
    assert_int_equal(results.status[0].count, 2);
    assert_int_equal(results.answers, 1);
    assert_true(results.answer[0].value == 0.5 && isnan(results.answer[0].low) &&
                !results.answer[0].variable);
    assert_int_equal(results.answer[0].number, 5);
    seen all = {.writer = writer};
    assert_int_equal(results.visit(&results, see_case, &all), TN_OK);
    assert_int_equal(all.cases, 10);
    assert_int_equal(all.ok, 2);
    tn_store_close(reader);
    tn_store_close(writer);
    tn_arena_free(&arena);
}

/* 100 000 cases: less than 200 MB, and known again in a moment. */
static void large_studies_stay_small(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    tn_store *store = open_store("large", TN_STORE_NEW);
    struct stat status;
    char path[200];
    assert_true(tn_store_begin(store));
    for (uint64_t k = 0; k < COUNT; k++) {
        add(store, k);
        put(store, k);
    }
    assert_true(tn_store_commit(store));
    tn_store_close(store);
    (void)snprintf(path, sizeof path, "%s/large/study.db", folder);
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size < 50000000);
    store = open_store("large", TN_STORE_GO_ON);
    const clock_t begun = clock();
    assert_true(tn_store_begin(store));
    for (uint64_t k = 0; k < COUNT; k++) {
        double value[2], response[2];
        tn_store_row row;
        values_of(k, value);
        const tn_case_hash hash = tn_case_hash_of(&cases, value);
        assert_true(tn_store_find(store, k, &hash, &row, response));
        assert_true(row.done);
    }
    assert_true(tn_store_commit(store));
    const double used = (double)(clock() - begun) / CLOCKS_PER_SEC;
    print_message("%.3g s, %.3g MB\n", used, 1e-6 * (double)status.st_size);
    assert_true(used < 2.0);
    tn_store_close(store);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[200];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_put_is_found_to_the_bit),
                                       cmocka_unit_test(lines_are_taken_over_once_and_whole),
                                       cmocka_unit_test(numbers_of_lines_come_back_to_the_bit),
                                       cmocka_unit_test(results_are_those_of_one_moment),
                                       cmocka_unit_test(large_studies_stay_small)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
