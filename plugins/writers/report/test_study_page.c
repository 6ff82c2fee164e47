/* test_study_page.c - pages of studies: which cases they have, texts of all kinds, and what they show in a browser. The latter is checked by
 * browser/check_study.mjs, where node and chromium are installed. */
#include "bytes.c"
#include "codec.c"
#include "pack.c"
#include "study_rows.c"

#define TEST_WRITER "report"
#include "../test_conversion.h"

enum { VARIABLES = 3, RESPONSES = 3, NUMBERS = 4 };

static const char *const solvers[] = {"rk", "{type = \"radau\"} </script>"};
static const tn_study_variable variables[] = {{.name = "parameters.k", .unit = "N/m", .is_log = 1},
                                              {.name = "a </script> \"b\" & <i>", .unit = ""},
                                              {.name = "solver", .unit = "", .level = solvers, .levels = 2}};
static const tn_study_response responses[] = {
    {.name = "peak", .unit = "mm", .first = 0, .size = 1, .limited = TN_AT_MOST, .limit = 50.0},
    {.name = "energy\xc3\xa4", .unit = "J", .first = 1, .size = 1},
    {.name = "misfit", .unit = "", .first = 2, .size = 2, .is_data = 1}};
static const tn_study_answer answers[] = {
    {.name = "total effect",
     .response = "peak",
     .variable = "parameters.k",
     .unit = "",
     .value = 0.7,
     .low = 0.6,
     .high = 0.8,
     .number = -1},
    {.name = "total effect",
     .response = "peak",
     .variable = "a </script> \"b\" & <i>",
     .unit = "",
     .value = 0.3,
     .low = (double)NAN,
     .high = (double)NAN,
     .number = -1},
    {.name = "optimum",
     .response = "peak",
     .unit = "mm",
     .value = 0.0,
     .low = (double)NAN,
     .high = (double)NAN,
     .number = 777},
    {.name = "error", .unit = "", .value = 1e-3, .low = (double)NAN, .high = (double)NAN, .number = 1},
    {.name = "error", .unit = "", .value = 1e-6, .low = (double)NAN, .high = (double)NAN, .number = 2},
    {.name = "effort", .unit = "s", .value = 0.1, .low = (double)NAN, .high = (double)NAN, .number = 1},
    {.name = "effort", .unit = "s", .value = 0.9, .low = (double)NAN, .high = (double)NAN, .number = 2},
    {.name = "Pareto front", .unit = "", .value = 1e-3, .low = (double)NAN, .high = (double)NAN, .number = 1},
    {.name = "Pareto front", .unit = "", .value = 1e-6, .low = (double)NAN, .high = (double)NAN, .number = 2},
    {.name = "optimum",
     .variable = "solver",
     .text = "{type = \"radau\"} </script>",
     .value = (double)NAN,
     .low = (double)NAN,
     .high = (double)NAN,
     .number = 777},
    {.name = "warning",
     .text = "7 cases </script> are left out",
     .value = (double)NAN,
     .low = (double)NAN,
     .high = (double)NAN,
     .number = -1}};

typedef struct made_study {
    tn_study_results results;
    tn_study_count status[3];
    tn_study_reason reason[1];
    uint64_t cases, every; /* each of these has failed; 0: none */
    bool breaks;           /* the database does, at the end */
} made_study;

static bool has_failed(const made_study *study, uint64_t number)
{
    return study->every && number % study->every == 4 % study->every;
}

/* Numbers that browser/check_study.mjs knows, too. */
static tn_status visit(const tn_study_results *results,
                       tn_status (*take)(void *data, const tn_study_case *one), void *data)
{
    const made_study *study = results->self;
    tn_status status = TN_OK;
    for (uint64_t n = 0; n < study->cases && status == TN_OK; n++) {
        const double t = (double)n, none = (double)NAN;
        const bool failed = has_failed(study, n);
        const double value[VARIABLES] = {50.0 * (1.0 + (double)(n % 4)), sin(t), (double)(n % 2)};
        const double response[NUMBERS] = {failed ? none : fabs(t - 777.0) / 10.0, failed ? none : -0.5 * t,
                                          failed ? none : 3.0, failed ? none : 4.0};
        status = take(data, &(tn_study_case){.number = n,
                                             .status = failed ? "crashed" : "ok",
                                             .reason = failed ? "SIGSEGV </script> in `whim`" : "",
                                             .place = failed ? "spring" : "",
                                             .effort = 0.001 * (1.0 + t),
                                             .value = value,
                                             .response = response});
    }
    return status == TN_OK && study->breaks ? TN_FATAL : status;
}

static void make_study(made_study *study, uint64_t cases, uint64_t every)
{
    *study = (made_study){.cases = cases, .every = every};
    uint64_t failed = 0;
    for (uint64_t n = 0; n < cases; n++)
        failed += has_failed(study, n);
    study->status[0] = (tn_study_count){"ok", cases - failed};
    study->status[1] = (tn_study_count){"crashed", failed};
    study->reason[0] = (tn_study_reason){"crashed", "SIGSEGV </script> in `whim` (spring)", failed, 4};
    study->results = (tn_study_results){.struct_size = sizeof study->results,
                                        .self = study,
                                        .title = "</script> & \"study\" \xe2\x82\xac",
                                        .program = "tenon 0.1.0",
                                        .text = "# </script>\n[study]\nname = \"x\"\n",
                                        .design = "[design]\ntype = \"nelder_mead\"\nminimise = \"peak\"\n",
                                        .command = "tenon case '/tmp/it'\\''s <here>'",
                                        .cases = cases,
                                        .effort = 12.5,
                                        .variables = VARIABLES,
                                        .responses = RESPONSES,
                                        .numbers = NUMBERS,
                                        .statuses = failed ? 2 : 1,
                                        .reasons = failed ? 1 : 0,
                                        .answers = sizeof answers / sizeof *answers,
                                        .variable = variables,
                                        .response = responses,
                                        .status = study->status,
                                        .reason = study->reason,
                                        .answer = answers,
                                        .visit = visit};
}

/* ---- the writer ---------------------------------------------------------------------------------------------------- */

static const tn_study_writer_type *writer(void)
{
    void *handle = dlopen(TENON_PLUGINS "/study_page.so", RTLD_NOW | RTLD_LOCAL);
    const tn_library *(*library)(void) = NULL;
    if (!handle) fail_msg("%s", dlerror());
    *(void **)&library = dlsym(handle, TN_PLUGIN_SYMBOL);
    assert_non_null(library);
    for (const tn_type *one = library()->types; one->kind; one++)
        if (strcmp(one->kind, TN_STUDY_WRITER_KIND) == 0) return one->type;
    fail_msg("the library has no study writer");
    return NULL;
}

/* The only parameters of study_page, in their order. */
typedef struct settings {
    const char *title;
    int64_t rows;
} settings;

static tn_status write_page(test_conversion *c, const made_study *study, int64_t rows, const char *name)
{
    char from[96], to[96];
    const settings asked = {.rows = rows};
    assert_string_equal(writer()->parameters[0].name, "title");
    assert_int_equal(writer()->parameters[1].offset, offsetof(settings, rows));
    c->host.message[0] = 0;
    const tn_status status = writer()->write(&c->host.table, &asked, &study->results, c->folder);
    if (status != TN_OK) return status;
    (void)snprintf(from, sizeof from, "%s/study.html", c->folder);
    (void)snprintf(to, sizeof to, "%s/report_%s.html", c->folder, name);
    assert_int_equal(rename(from, to), 0);
    return status;
}

/* ---- tests ---------------------------------------------------------------------------------------------------------- */

/* Rows by their numbers, ascending; how many have failed. */
static size_t check_rows(const tn_study_rows *rows, const uint64_t *wanted, size_t count)
{
    size_t failed = 0, found = 0;
    for (size_t k = 0; k < rows->count; k++) {
        const double *row = rows->value + k * rows->columns;
        assert_true(k == 0 || row[TN_NUMBER] > row[TN_NUMBER - (ptrdiff_t)rows->columns]);
        failed += row[TN_STATUS] == 1.0;
        for (size_t n = 0; n < count; n++)
            found += row[TN_NUMBER] == (double)wanted[n];
    }
    assert_int_equal(found, count);
    return failed;
}

static void test_few_cases_are_all_there(void **state)
{
    (void)state;
    made_study study;
    tn_study_rows rows;
    make_study(&study, 900, 10);
    assert_int_equal(tn_study_rows_read(&rows, &study.results, 1000), TN_OK);
    assert_int_equal(rows.count, 900);
    assert_int_equal(check_rows(&rows, (const uint64_t[]){0, 899}, 2), 90);
    assert_int_equal(rows.texts, 2); /* "" and the reason, once */
    const double *row = rows.value + 20 * rows.columns + TN_FIRST_COLUMN;
    assert_float_equal(row[1], sin(20.0), 0.0);
    assert_float_equal(row[VARIABLES], 75.7, 1e-12);
    assert_float_equal(row[VARIABLES + 2], sqrt(12.5), 1e-12); /* root mean square of 3 and 4 */
    tn_study_rows_free(&rows);
}

/* The least value of `peak` comes late, and is named by the optimum besides; cases that have failed are a quarter at most. */
static void test_of_many_cases_those_that_matter_stay(void **state)
{
    (void)state;
    made_study study;
    tn_study_rows rows;
    make_study(&study, 100000, 3);
    assert_int_equal(tn_study_rows_read(&rows, &study.results, 2000), TN_OK);
    const size_t failed = check_rows(&rows, (const uint64_t[]){0, 1, 2, 777}, 4);
    assert_in_range(failed, 400, 600);
    /* `energy` falls all the time: of its steps so many are there that its history looks the same, and the last one */
    (void)check_rows(&rows, (const uint64_t[]){99999}, 1);
    assert_in_range(rows.count, 2000, 5000);
    tn_study_rows_free(&rows);
}

static void test_what_cannot_be_read_makes_no_page(void **state)
{
    test_conversion *c = *state;
    made_study study;
    make_study(&study, 10, 0);
    study.breaks = true;
    assert_int_equal(write_page(c, &study, 1000, "broken"), TN_FATAL);
    assert_int_equal(test_empty(c), 0);
}

/* The texts of a page stand in JSON, in which nothing ends the script. */
static void test_hostile_texts_stay_texts(void **state)
{
    test_conversion *c = *state;
    made_study study;
    char path[96];
    make_study(&study, 100, 10);
    assert_int_equal(write_page(c, &study, 1000, "texts"), TN_OK);
    (void)snprintf(path, sizeof path, "%s/report_texts.html", c->folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char page[1 << 22];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    (void)fclose(file);
    size_t begins = 0, ends = 0;
    for (const char *at = page; (at = strstr(at, "<script")); at++)
        begins++;
    for (const char *at = page; (at = strstr(at, "</script>")); at++)
        ends++;
    assert_int_equal(begins, ends);
    assert_in_range(begins, 3, 4); /* the program may have "<script" in a text */
    assert_non_null(strstr(page, "tenon case '/tmp/it'\\u005c''s \\u003chere>'"));
    assert_non_null(strstr(page, "content=\"default-src 'none'; script-src 'unsafe-inline'"));
    assert_int_equal(test_empty(c), 1);
}

static void test_pages_in_a_browser(void **state)
{
    if (system("command -v node >/dev/null && command -v \"${CHROMIUM:-chromium}\" >/dev/null") != 0) {
        if (getenv("TENON_NO_SKIPS")) fail_msg("there is no chromium");
        print_message("skipped: chromium or node is not installed\n");
        skip();
    }
    test_conversion *c = *state;
    made_study study;
    make_study(&study, 900, 10);
    assert_int_equal(write_page(c, &study, 1000, "small"), TN_OK);
    assert_string_equal(c->host.message, "");
    make_study(&study, 100000, 37);
    study.results.responses = 1;
    assert_int_equal(write_page(c, &study, 20000, "large"), TN_OK);
    assert_non_null(strstr(c->host.message, "of 100000 cases"));
    make_study(&study, 0, 0);
    study.results.answers = study.results.statuses = 0;
    assert_int_equal(write_page(c, &study, 1000, "empty"), TN_OK);
    assert_int_equal(test_run(c, "node", "browser/check_study.mjs", ""), 0);
    assert_int_equal(test_empty(c), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_cases_are_all_there),
                                       cmocka_unit_test(test_of_many_cases_those_that_matter_stay),
                                       TEST_OF_CONVERSION(test_what_cannot_be_read_makes_no_page),
                                       TEST_OF_CONVERSION(test_hostile_texts_stay_texts),
                                       TEST_OF_CONVERSION(test_pages_in_a_browser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
