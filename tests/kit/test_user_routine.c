/* test_user_routine.c - what routines of users have in common: their parameters, what they read, their derivatives */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tenon/kit/user_routine.h>

/* ---- a host ----------------------------------------------------------------------------------------------- */

static void *owned[256];
static size_t owned_count;
static char last_error[512], last_message[512];
static size_t message_count;

static void *allocate(const tn_host *host, size_t bytes)
{
    (void)host;
    void *memory = calloc(1, bytes);
    assert_true(memory && owned_count < sizeof owned / sizeof *owned);
    return owned[owned_count++] = memory;
}

static void keep_message(const tn_host *host, tn_level level, const char *text)
{
    (void)host, (void)level;
    message_count++;
    (void)tn_print_cut(last_message, sizeof last_message, "%s", text);
}

static void keep_error(const tn_host *host, const char *parameter, const char *text)
{
    (void)host;
    (void)tn_print_cut(last_error, sizeof last_error, "%s: %s", parameter ? parameter : "", text);
}

static const tn_host host = {
    .struct_size = sizeof host, .allocate = allocate, .message = keep_message, .error = keep_error};

static int release(void **state)
{
    (void)state;
    while (owned_count)
        free(owned[--owned_count]);
    last_error[0] = last_message[0] = '\0';
    message_count = 0;
    return 0;
}

/* ---- parameters ------------------------------------------------------------------------------------------- */

static void numbers_stand_between_parentheses_or_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t count;
        double number[3];
    } right[] = {{NULL, 0, {0}},
                 {"USER()", 0, {0}},
                 {"USER (1011, 4, 0.006)", 3, {1011, 4, 0.006}},
                 {"user(1,\n  -2.5e-1 , +.5)", 3, {1, -0.25, 0.5}},
                 {"(7)", 1, {7}},
                 {"1, 2", 2, {1, 2}},
                 {"USER(1D2, 1.5d-1, 180D)", 3, {100, 0.15, 3.14159265358979323846}},
                 {"", 0, {0}}};
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        const double *number;
        uint32_t count;
        assert_int_equal(tn_user_parameters(&host, "parameters", right[k].text, &number, &count), TN_OK);
        assert_int_equal(count, right[k].count);
        for (uint32_t i = 0; i < count; i++)
            if (!(fabs(number[i] - right[k].number[i]) < 1e-15 * fabs(number[i])))
                fail_msg("%s: %.17g", right[k].text, number[i]);
    }
}

static void wrong_numbers_are_shown(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"USER(1, two)", "number 2 of the list is missing or wrong, before `two)`"},
        {"USER(1 2)", "`,` or the end of the list is missing before `2)`"},
        {"USER(1, 2", "`,` or the end of the list is missing before ``"},
        {"USER(1, 2) 3", "`,` or the end of the list is missing before `) 3`"},
        {"USER(1,)", "number 2 of the list is missing or wrong, before `)`"},
        {"USE(1)", "number 1 of the list is missing or wrong, before `USE(1)`"},
        {"1e999", "number 1 of the list is missing or wrong, before `1e999`"},
        {"1.2.3", "number 1 of the list is missing or wrong, before `1.2.3`"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const double *number;
        uint32_t count;
        assert_int_equal(tn_user_parameters(&host, "parameters", wrong[k][0], &number, &count), TN_INVALID);
        if (!strstr(last_error, wrong[k][1])) fail_msg("%s: %s", wrong[k][0], last_error);
    }
}

/* ---- questions -------------------------------------------------------------------------------------------- */

/* A routine that asks as its parameters say. */
typedef struct asker {
    bool asks_other, asks_nothing, fails, second_only;
    uint32_t calls, calls_for_differences;
} asker;

static tn_status ask(tn_user_call *call, const char *function, const tn_user_id *id, uint32_t count,
                     bool vector, const double **number, uint32_t size)
{
    uint32_t found = 0;
    *number = tn_user_ask(call, &(tn_user_query){function, id, count, vector}, &found);
    if (!*number) return TN_INVALID;
    assert_int_equal(found, size);
    return TN_OK;
}

/* speed^2 * (turn_y + argument) + sin(time) */
static tn_status run_asker(tn_user_call *call)
{
    asker *self = call->routine->self;
    const tn_user_id tip = {.number = 11}, base = {.name = "base"}, both[] = {tip, base};
    const double *speed, *turn;
    self->calls++;
    self->calls_for_differences += call->by_differences;
    if (self->fails && !call->finds_reads) return tn_user_fail(call, TN_FATAL, "it has failed");
    if (self->asks_nothing && call->finds_reads) return TN_OK;
    tn_status status = ask(call, "VM", &tip, 1, false, &speed, 1);
    if (status == TN_OK) status = ask(call, "RVEL", both, 2, true, &turn, 3);
    if (status == TN_OK && self->asks_other && !call->finds_reads)
        status = ask(call, "DX", &tip, 1, false, &speed, 1);
    if (status != TN_OK) return status;
    call->value = speed[0] * speed[0] * (turn[1] + call->argument[0]) + sin(call->time);
    if (call->value > 1e6) call->value = (double)NAN;
    return TN_OK;
}

static tn_user_routine prepared(asker *self, const tn_user_keys *keys)
{
    tn_user_routine routine = {
        .what = "`VARSUB` of `asker`", .self = self, .run = run_asker, .reads_time = true};
    const tn_status status = tn_user_prepare_keys(&host, NULL, &routine, keys);
    if (status != TN_OK) fail_msg("%s", last_error);
    return routine;
}

static const tn_user_keys one_argument = {.arguments = 1, .step = 1.0};

static void the_first_call_finds_what_is_read(void **state)
{
    (void)state;
    asker self = {0};
    const tn_user_routine routine = prepared(&self, &one_argument);
    static const char *const texts[] = {"VM(11)",       "WX(11, base)", "WY(11, base)",
                                        "WZ(11, base)", "TIME",         NULL};
    for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const char *text = tn_user_reading(&routine, k);
        if (texts[k])
            assert_string_equal(text, texts[k]);
        else
            assert_null(text);
    }
    const double at[] = {3.0, 2.0, 100.0, 5.0, 200.0, 0.5};
    double value;
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_OK);
    assert_true(value == 4.0 * 8.0 + sin(0.5));
    assert_int_equal(self.calls, 2);
}

static void declared_expressions_are_found_by_their_text(void **state)
{
    (void)state;
    asker self = {0};
    static const char *const text[] = {"DX(tip)", "VM( 11 )"};
    const tn_user_routine routine =
        prepared(&self, &(tn_user_keys){.arguments = 1, .step = 1.0, .reads = {text, 2}});
    assert_string_equal(tn_user_reading(&routine, 1), "VM( 11 )");
    assert_string_equal(tn_user_reading(&routine, 2), "WX(11, base)"); // the speed is read once
    const double at[] = {3.0, 77.0, 2.0, 100.0, 5.0, 200.0, 0.0};
    double value;
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_OK);
    assert_true(value == 4.0 * 8.0);
}

static void other_questions_than_those_of_the_first_call_are_errors(void **state)
{
    (void)state;
    const double at[] = {3.0, 2.0, 100.0, 5.0, 200.0, 0.5};
    double value;
    asker other = {.asks_other = true}, late = {.asks_nothing = true}, failing = {.fails = true};
    tn_user_routine routine = prepared(&other, &one_argument);
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_INVALID);
    assert_string_equal(
        last_error, ": `VARSUB` of `asker`, at 0.5 s: it asks for `DX(11)`, which it has not asked for in "
                    "its first call (iflag): it must ask the same questions in every call");
    routine = prepared(&late, &one_argument);
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_INVALID);
    assert_non_null(strstr(last_error, "it asks for `VM(11)`"));
    routine = prepared(&failing, &one_argument);
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_FATAL);
    assert_string_equal(last_error, ": `VARSUB` of `asker`, at 0.5 s: it has failed");
}

static tn_status run_curious(tn_user_call *call)
{
    const tn_user_query *query = call->routine->self;
    uint32_t size;
    return tn_user_ask(call, query, &size) ? TN_OK : TN_INVALID;
}

static void questions_without_an_answer_are_shown(void **state)
{
    (void)state;
    const tn_user_id many[TN_USER_IDS + 1] = {{0}};
    const tn_user_query wrong[] = {{"QDOT", many, 1, true}, {"DX", many, TN_USER_IDS + 1, false}};
    static const char *const error[] = {
        "function: `X`, in its first call (iflag): it asks for `QDOT(0)`: there is no "
        "such array: there are DISP, VEL, ACC, FORCE, and each with T or R in front",
        "it names too many items"};
    for (size_t k = 0; k < 2; k++) {
        tn_user_query query = wrong[k];
        tn_user_routine routine = {.what = "`X`", .self = &query, .run = run_curious};
        assert_int_equal(tn_user_prepare_keys(&host, NULL, &routine, &one_argument), TN_INVALID);
        if (!strstr(last_error, error[k])) fail_msg("%s", last_error);
    }
    static const char *const text[TN_MOST_READINGS] = {"1", "2"};
    tn_user_query query = {"time", NULL, 0, false};
    tn_user_routine routine = {.what = "`X`", .self = &query, .run = run_curious, .reads_time = true};
    const tn_user_keys full = {.arguments = TN_ARGUMENTS, .step = 1.0, .reads = {text, 2}};
    assert_int_equal(tn_user_prepare_keys(&host, NULL, &routine, &full), TN_OK);
    static const char *numbers[TN_MOST_READINGS];
    for (size_t k = 0; k < TN_MOST_READINGS; k++)
        numbers[k] = "1";
    const tn_user_keys most = {.arguments = TN_ARGUMENTS, .step = 1.0, .reads = {numbers, 20}};
    assert_int_equal(tn_user_prepare_keys(&host, NULL, &routine, &most), TN_INVALID);
    assert_non_null(strstr(last_error, "arguments: `X` has 16 arguments and reads 21 numbers"));
    const tn_user_keys more = {.step = 1.0, .reads = {numbers, TN_MOST_READINGS}};
    assert_int_equal(tn_user_prepare_keys(&host, NULL, &routine, &more), TN_INVALID);
    assert_non_null(strstr(last_error, "reads: `1`: it reads too many numbers"));
}

/* ---- derivatives ------------------------------------------------------------------------------------------ */

static void check(double value, double exact, double tolerance, const char *what, uint32_t k)
{
    if (!(fabs(value - exact) <= tolerance)) fail_msg("%s %u: %.17g, not %.17g", what, k, value, exact);
}

/* In the order argument, speed, turns, time. */
static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    asker self = {0};
    const tn_user_routine routine = prepared(&self, &one_argument);
    const double at[6] = {3.0, 2.0, 100.0, 5.0, 200.0, 0.5};
    double value, first[6], second[36], exact[36] = {0};
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, first, second), TN_OK);
    const double slope[6] = {4.0, 32.0, 0.0, 4.0, 0.0, cos(0.5)};
    exact[0 * 6 + 1] = exact[1 * 6 + 0] = exact[1 * 6 + 3] = exact[3 * 6 + 1] = 4.0;
    exact[1 * 6 + 1] = 16.0;
    exact[5 * 6 + 5] = -sin(0.5);
    for (uint32_t k = 0; k < 6; k++)
        check(first[k], slope[k], 1e-8, "first", k);
    for (uint32_t k = 0; k < 36; k++)
        check(second[k], exact[k], 1e-7, "second", k);
    assert_int_equal(self.calls - self.calls_for_differences, 2);
    assert_string_equal(last_message,
                        "`VARSUB` of `asker` gives no first derivatives: they are found by differences");
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, first, NULL), TN_OK);
    assert_int_equal(message_count, 1); // told once
}

/* Its first derivatives, not its second ones. */
static tn_status run_with_slopes(tn_user_call *call)
{
    const double x = call->argument[0], y = call->argument[1];
    call->value = exp(x) * y * y;
    if (!call->first) return TN_OK;
    call->has_first = true;
    call->first[0] = call->value;
    call->first[1] = 2.0 * exp(x) * y;
    return TN_OK;
}

static void second_derivatives_use_first_ones_that_are_known(void **state)
{
    (void)state;
    tn_user_routine routine = {.what = "`X`", .run = run_with_slopes, .declares_all = true};
    assert_int_equal(
        tn_user_prepare_keys(&host, NULL, &routine, &(tn_user_keys){.arguments = 2, .step = 1.0}), TN_OK);
    const double at[2] = {0.3, -2.0}, e = exp(0.3);
    double value, first[2], second[4];
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, first, NULL), TN_OK);
    assert_int_equal(message_count, 0);
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, first, second), TN_OK);
    assert_true(first[0] == 4.0 * e && first[1] == -4.0 * e);
    const double exact[4] = {4.0 * e, -4.0 * e, -4.0 * e, 2.0 * e};
    for (uint32_t k = 0; k < 4; k++)
        check(second[k], exact[k], 1e-10, "second", k);
    assert_string_equal(last_message, "`X` gives no second derivatives: they are found by differences");
}

static tn_status run_root(tn_user_call *call)
{
    if (call->argument[0] < 0.0) return TN_RETRY;
    call->value = call->argument[0] * (1.0 + call->argument[0]);
    return TN_OK;
}

static void at_the_edge_of_its_domain_differences_are_of_one_side(void **state)
{
    (void)state;
    tn_user_routine routine = {.what = "`X`", .run = run_root, .declares_all = true};
    assert_int_equal(tn_user_prepare_keys(&host, NULL, &routine, &one_argument), TN_OK);
    double value, first, second;
    assert_int_equal(tn_user_value(&routine, NULL, &(double){0.0}, &value, &first, &second), TN_OK);
    check(first, 1.0, 1e-5, "first", 0);
    assert_true(isnan(second));
    assert_int_equal(tn_user_value(&routine, NULL, &(double){-1.0}, &value, &first, &second), TN_RETRY);
    assert_string_equal(tn_user_domain(&host, &routine), "`X` has no finite value here");
}

/* nan and inf are no values. */
static void numbers_that_are_not_finite_are_no_values(void **state)
{
    (void)state;
    asker self = {0};
    const tn_user_routine routine = prepared(&self, &one_argument);
    const double at[] = {3.0, 2000.0, 100.0, 5.0, 200.0, 0.5};
    double value;
    assert_int_equal(tn_user_value(&routine, NULL, at, &value, NULL, NULL), TN_RETRY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(numbers_stand_between_parentheses_or_alone, release),
        cmocka_unit_test_teardown(wrong_numbers_are_shown, release),
        cmocka_unit_test_teardown(the_first_call_finds_what_is_read, release),
        cmocka_unit_test_teardown(declared_expressions_are_found_by_their_text, release),
        cmocka_unit_test_teardown(other_questions_than_those_of_the_first_call_are_errors, release),
        cmocka_unit_test_teardown(questions_without_an_answer_are_shown, release),
        cmocka_unit_test_teardown(derivatives_are_those_of_differences, release),
        cmocka_unit_test_teardown(second_derivatives_use_first_ones_that_are_known, release),
        cmocka_unit_test_teardown(at_the_edge_of_its_domain_differences_are_of_one_side, release),
        cmocka_unit_test_teardown(numbers_that_are_not_finite_are_no_values, release)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
