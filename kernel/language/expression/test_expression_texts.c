/* test_expression_texts.c - what expressions refuse and where; long and hostile texts; units and words. */
#include "expression/test_expression.h"

static void assert_error(const tn_scope *scope, const char *text, size_t length, size_t offset,
                         const char *message)
{
    tn_expression_error error;
    tn_expression *const expression = tn_expression_compile(text, length, scope, &error);
    assert_null(expression);
    if (error.offset != offset || strcmp(error.message, message) != 0)
        fail_msg("\"%.60s\", %zu: %s", text, error.offset, error.message);
}

typedef struct text_error {
    const char *text;
    size_t offset;
    const char *message;
} text_error;

static void check_errors(const tn_scope *scope, const text_error *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_error(scope, cases[i].text, strlen(cases[i].text), cases[i].offset, cases[i].message);
}

static void errors_stand_at_the_offending_character(void **state)
{
    (void)state;
    static const text_error cases[] = {
        {"", 0, "the expression is empty"},
        {"  ", 2, "the expression is empty"},
        {"100*(2+", 7, "a number, a name or `(` is missing before the end of the text"},
        {"2 + * 3", 4, "a number, a name or `(` is missing before `*`"},
        {"2*()", 3, "a number, a name or `(` is missing before `)`"},
        {"max(1,)", 6, "a number, a name or `(` is missing before `)`"},
        {"2 * * 3", 4, "a number, a name or `(` is missing before `*`"},
        {"(1+2", 4, "missing `)`: the `(` at character 1 is not closed"},
        {"1+2)", 3, "`)` without a `(` before it"},
        {"(1 2)", 3, "`)` or an operator missing before `2`"},
        {"1 x", 2, "an operator is missing before `x`"},
        {"2 (3)", 2, "an operator is missing before `(`"},
        {"1, 2", 1, "`,` outside the arguments of a function"},
        {"2^3", 1, "`^` is not an operator: write `**`"},
        {"2 # 3", 2, "unexpected character `#`"},
        {"2 [N] + 1", 2, "unexpected `[`: a unit must be in brackets at the very end"},
        {"1 + \xc3\xa4", 4, "unexpected byte 0xC3: expressions are plain ASCII"},
        {"1.2.3", 3, "second decimal point in a number"},
        {"2k", 1, "a letter directly after a number: an operator or the exponent's digits are missing"},
        {"2e+", 1, "a letter directly after a number: an operator or the exponent's digits are missing"},
        {"60Deg", 2, "a letter directly after a number: an operator or the exponent's digits are missing"},
        {"1.5E1D", 5, "a letter directly after a number: an operator or the exponent's digits are missing"},
        {"1 + 1e999", 4, "number is too large"},
        {".", 0, "unexpected character `.`"},
        {"2 = 3", 2, "`=` is not an operator: comparisons are written `==`"},
        {"x < y < 3", 6, "comparisons do not chain: join them with `and`"},
        {"1 == x >= 3", 7, "comparisons do not chain: join them with `and`"}};
    check_errors(&run_time, cases, COUNT(cases));
    assert_error(&run_time, "1\0002", 3, 1, "unexpected byte 0x00: expressions are plain ASCII");
}

static void if_has_one_form(void **state)
{
    (void)state;
    static const text_error cases[] = {
        {"IF(x, 1, 2, 3)", 4, "IF(x: negative, zero, positive): `:` is missing before `,`"},
        {"IF(x: 1, 2)", 10, "IF(x: negative, zero, positive): `,` is missing before `)`"},
        {"IF(x: 1: 2: 3)", 7, "IF(x: negative, zero, positive): `,` is missing before `:`"},
        {"IF(x: 1, 2, 3, 4)", 13, "`)` or an operator missing before `,`"},
        {"IF(x: 1, 2, 3", 13, "missing `)`: the `(` at character 3 is not closed"},
        {"IF(x: , 2, 3)", 6, "a number, a name or `(` is missing before `,`"},
        {"IF()", 3, "a number, a name or `(` is missing before `)`"},
        {"1 + if", 4, "function `if` without its arguments in parentheses"},
        {"x: 1", 1, "`:` belongs in IF(x: negative, zero, positive)"}};
    check_errors(&run_time, cases, COUNT(cases));
}

/* As soon as the numbers that matter are known. */
static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    static const text_error cases[] = {
        {"1+STEP(x, 1, 0, 1, y)", 2, "STEP(x, x0, y0, x1, y1) needs x0 < x1"},
        {"STEP5(x, 2, y, 1, 1)", 0, "STEP5(x, x0, y0, x1, y1) needs x0 < x1"},
        {"HAVSIN(1, 2, 0, 1, 1)", 0, "HAVSIN(x, x0, y0, x1, y1) needs x0 < x1"},
        {"IMPACT(x, y, 0, -1, 1, 1, 1)", 0, "IMPACT(x, v, x1, k, e, cmax, d) needs k >= 0"},
        {"IMPACT(x, y, z, 1, 0, 1, 1)", 0, "IMPACT(x, v, x1, k, e, cmax, d) needs e > 0"},
        {"IMPACT(x, y, 0, z, 1, -1, 1)", 0, "IMPACT(x, v, x1, k, e, cmax, d) needs cmax >= 0"},
        {"IMPACT(x, y, 0, 1, 1, 1, 0)", 0, "IMPACT(x, v, x1, k, e, cmax, d) needs d > 0"},
        {"BISTOP(x, y, 2, 1, 1, 1, 1, 1)", 0, "BISTOP(x, v, x1, x2, k, e, cmax, d) needs x1 < x2"},
        {"BISTOP(x, y, 1, z, 1, 1, 1, -1)", 0, "BISTOP(x, v, x1, x2, k, e, cmax, d) needs d > 0"},
        {"SWEEP(x, 1, 2, 1, 2, 1, 1)", 0, "SWEEP(x, a, x0, f0, x1, f1, dx) needs x0 < x1"},
        {"SWEEP(x, 1, 0, 1, 2, 1, -1)", 0, "SWEEP(x, a, x0, f0, x1, f1, dx) needs dx > 0"}};
    check_errors(&run_time, cases, COUNT(cases));
}

static void unknown_names_get_the_nearest_one(void **state)
{
    (void)state;
    static const text_error cases[] = {
        {"2*stifness", 2, "unknown name `stifness`: did you mean `stiffness`?"},
        {"2*Stiffness", 2, "unknown name `Stiffness`: did you mean `stiffness`?"},
        {"DTRO", 0, "unknown name `DTRO`: did you mean `DTOR`?"},
        {"qqqqq", 0, "unknown name `qqqqq`"},
        {"1+sqr(2)", 2, "unknown function `sqr`: did you mean `SQRT`?"},
        {"banana(2)", 0, "unknown function `banana`"},
        {"k(2)", 0, "`k` is not a function: to multiply write `k*(`"},
        {"Pi(2)", 0, "`Pi` is not a function: to multiply write `Pi*(`"},
        {"sin + 1", 0, "function `sin` without its arguments in parentheses"},
        {"1 + i77", 4, "`i77` is input 81 of only 24"},
        {"1 + broken", 4, ""},
        {"1 + broken(2)", 4, ""}};
    check_errors(&run_time, cases, COUNT(cases));
    tn_scope silent = run_time;
    silent.nearest = NULL;
    assert_error(&silent, "stifness", 8, 0, "unknown name `stifness`");
}

static void functions_say_how_many_arguments_they_take(void **state)
{
    (void)state;
    static const text_error cases[] = {{"1+sin()", 2, "`SIN` takes 1 argument, not 0"},
                                       {"sin(1,2)", 0, "`SIN` takes 1 argument, not 2"},
                                       {"atan2(1)", 0, "`ATAN2` takes 2 arguments, not 1"},
                                       {"max(1)", 0, "`MAX` takes at least 2 arguments, not 1"},
                                       {"step(x,0,0,1)", 0, "`STEP` takes 5 arguments, not 4"},
                                       {"POLY(x,0)", 0, "`POLY` takes 3 to 33 arguments, not 2"}};
    check_errors(&run_time, cases, COUNT(cases));
}

/* `unit` repeated `count` times between `before` and `after`; the caller frees it. */
static char *repeated(const char *before, const char *unit, size_t count, const char *after)
{
    const size_t length = strlen(unit);
    char *const text = malloc(strlen(before) + count * length + strlen(after) + 1);
    assert_non_null(text);
    char *end = stpcpy(text, before);
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, unit);
    strcpy(end, after);
    return text;
}

static void check_hostile(char *text, size_t offset, const char *message)
{
    assert_error(&run_time, text, strlen(text), offset, message);
    free(text);
}

static void hostile_texts_are_refused(void **state)
{
    (void)state;
    static const char too_deep[] = "nested deeper than 200 levels";
    check_hostile(repeated("", "(", 100000, "1"), 200, too_deep);
    check_hostile(repeated("", "-", 1000000, "1"), 200, too_deep);
    check_hostile(repeated("2", "**2", 100000, ""), 600, too_deep);
    check_hostile(repeated("", "not ", 100000, "1"), 800, too_deep);
    check_hostile(repeated("", "sin(", 100000, "1"), 800, too_deep);
    check_hostile(repeated("", "if(", 100000, "1"), 600, too_deep);
    check_hostile(repeated("", "if(x:", 100000, "1"), 998, too_deep);
    check_hostile(repeated("", "2-(", 1000, "1"), 600, too_deep);
    check_hostile(repeated("poly(x", ",x", 300, ")"), 517,
                  "more than 256 intermediate values: split the expression up");
    check_hostile(repeated("", "x+y*(", 180, "1"), 640,
                  "more than 256 intermediate values: split the expression up");
    check_hostile(repeated("", "1", 1000000, ""), 0, "number with more than 255 characters");
    char *const name = repeated("unknown name `", "n", TN_LONGEST_REASON - 18, "...");
    check_hostile(repeated("", "n", 1000000, ""), 0, name);
    free(name);
    check_hostile(repeated("", "\xff", 1000000, ""), 0, "unexpected byte 0xFF: expressions are plain ASCII");
}

static void long_texts_work(void **state)
{
    (void)state;
    double inputs[INPUTS] = {2.0};
    char *text = repeated("x", "+x", 500000, "");
    assert_true(value_at(text, inputs) == 1000002.0);
    free(text);
    text = repeated("max(0", ",x", 100000, ")");
    assert_true(value_at(text, inputs) == 2.0);
    free(text);
    text = repeated("2*(0", "+2*x", 200000, ")");
    assert_true(value_at(text, inputs) == 1600000.0);
    free(text);
    text = repeated("0", "+IF(x: 1, 2, x)", 50000, "");
    assert_true(value_at(text, inputs) == 100000.0);
    free(text);
    char *const opened = repeated("", "(", 199, "x");
    text = repeated(opened, ")", 199, "");
    assert_true(value_at(text, inputs) == 2.0);
    free(opened);
    free(text);
}

static void units_are_split_off_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *unit;
    } cases[] = {{"2*k [N/mm]", 3, "N/mm"}, {"2*k", 3, ""},   {"[N]", 0, "N"},
                 {"25[ N m ]  ", 2, "N m"}, {"  2  ", 3, ""}, {"2 []", 4, ""},
                 {"2 N]", 4, ""},           {"", 0, ""},      {"]", 1, ""},
                 {"1 [m] [s]", 5, "s"},     {"[", 1, ""},     {"2 [ ] ", 5, ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t offset = 99, length = 99;
        assert_int_equal(tn_expression_split_unit(cases[i].text, strlen(cases[i].text), &offset, &length),
                         cases[i].length);
        assert_int_equal(length, strlen(cases[i].unit));
        assert_memory_equal(cases[i].text + offset, cases[i].unit, length);
    }
}

static void names_of_the_language_are_reserved(void **state)
{
    (void)state;
    static const char *const reserved[] = {"sin",  "ATAN2", "Max", "pi",  "DTOR", "RtoD", "time",
                                           "TIME", "and",   "Or",  "NOT", "if",   "Step", "IMPACT"};
    static const char *const free_names[] = {"k", "sine", "e", "x", "", "PI2"};
    for (size_t i = 0; i < COUNT(reserved); i++)
        assert_true(tn_expression_reserved(reserved[i]));
    for (size_t i = 0; i < COUNT(free_names); i++)
        assert_false(tn_expression_reserved(free_names[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_stand_at_the_offending_character),
                                       cmocka_unit_test(if_has_one_form),
                                       cmocka_unit_test(arguments_out_of_range_are_refused),
                                       cmocka_unit_test(unknown_names_get_the_nearest_one),
                                       cmocka_unit_test(functions_say_how_many_arguments_they_take),
                                       cmocka_unit_test(hostile_texts_are_refused),
                                       cmocka_unit_test(long_texts_work),
                                       cmocka_unit_test(units_are_split_off_the_end),
                                       cmocka_unit_test(names_of_the_language_are_reserved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
