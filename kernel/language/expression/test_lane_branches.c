/* test_lane_branches.c - inputs side by side take different branches; each has the value that it has alone. */
#include "expression/test_expression.h"

#include <math.h>
#include <stdio.h>

enum { LANES = TN_EXPRESSION_LANES, LONGEST = 8000 };

/* ---- functions of the model --------------------------------------------------------------------------------- */

static uint32_t calls, calls_together;

static const char *root_of(const tn_routine *routine, const double *argument, uint32_t count,
                           tn_function_result *result)
{
    (void)routine, (void)count;
    calls++;
    if (argument[0] < 0.0) return "root of a negative number";
    result->value = sqrt(argument[0]);
    return NULL;
}

static bool roots_of(const tn_routine *const *routine, uint32_t count, const double *argument, double *value)
{
    tn_function_result result = {.partial = NULL};
    calls_together++;
    for (uint32_t k = 0; k < count; k++) {
        if (root_of(routine[k], &argument[k], 1, &result)) return false;
        value[k] = result.value;
    }
    return true;
}

static const tn_routine single = {.name = "single", .minimum_count = 1, .maximum_count = 1, .body = root_of},
                        shared = {.name = "shared",
                                  .minimum_count = 1,
                                  .maximum_count = 1,
                                  .body = root_of,
                                  .family = &shared,
                                  .many = roots_of};

static tn_routine_kind kind_of(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "single") == 0 || strcmp(name, "shared") == 0 ? TN_PLAIN_ROUTINE : TN_NO_ROUTINE;
}

static const tn_routine *routine_of(void *data, const char *name, const char *subject, char *message,
                                    size_t size)
{
    (void)data, (void)subject, (void)message, (void)size;
    return strcmp(name, "single") == 0 ? &single : &shared;
}

static const tn_scope with_routines = {.resolve = resolve,
                                       .nearest = nearest,
                                       .input_count = INPUTS,
                                       .routine_kind = kind_of,
                                       .routine = routine_of};

/* ---- values in lanes ---------------------------------------------------------------------------------------- */

typedef struct lanes {
    double inputs[LANES][INPUTS];
    double values[LANES];
} lanes;

/* Whether all lanes have a value. */
static bool evaluate(lanes *l, const tn_expression *expression)
{
    const double *source[INPUTS * LANES];
    const tn_routine *routine[64 * LANES];
    uint32_t routines = 0;
    for (uint32_t k = 0; k < tn_expression_used_count(expression); k++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            source[k * LANES + lane] = &l->inputs[lane][tn_expression_used(expression, k)];
    for (; tn_expression_routine(expression, routines); routines++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            routine[routines * LANES + lane] = tn_expression_routine(expression, routines);
    assert_true(tn_expression_has_lanes(expression));
    return tn_expression_value_lanes(expression, source, routines ? routine : NULL, LANES, l->values);
}

static bool has_value(const tn_expression *expression, const double *inputs, double *value)
{
    const char *problem;
    return tn_expression_value(expression, inputs, value, &problem);
}

/* Each lane alone has the same bits. */
static void check_values(const lanes *l, const tn_expression *expression, const char *text)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        double value;
        assert_true(has_value(expression, l->inputs[lane], &value));
        if (memcmp(&value, &l->values[lane], sizeof value) != 0)
            fail_msg("%s: %a alone, %a in lane %u", text, value, l->values[lane], lane);
    }
}

/* ---- random expressions ------------------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t below(uint32_t count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % count;
}

/* What `#` stands for is a number, `?` a truth, in texts that the generator puts in their places. */
static const char *const leaves[] = {"x", "y", "z", "time", "i0", "i1", "stepping", "0", "1", "2.5", "-3"};
static const char *const numbers[] = {"(#+#)",
                                      "(#-#)",
                                      "(#*#)",
                                      "(#/#)",
                                      "(-#)",
                                      "(#)**2",
                                      "(#)**(-1)",
                                      "(#)**3",
                                      "(#)**1.5",
                                      "2*(#)",
                                      "(#)/4",
                                      "1-(#)",
                                      "IF(#:#,#,#)",
                                      "IF(#:#,#,#)",
                                      "IF(#:#,#,#)",
                                      "IF(#:#,1/(#),#)",
                                      "IF(?:#,#,#)",
                                      "IF(#:0,0,#)",
                                      "(#)*(?)",
                                      "ABS(#)",
                                      "DIM(#,#)",
                                      "MAX(#,#,#)",
                                      "MIN(#,#)",
                                      "MOD(#,#)",
                                      "SIGN(#,#)",
                                      "AINT(#)",
                                      "ANINT(#)",
                                      "CEIL(#)",
                                      "FLOOR(#)",
                                      "SQRT(#)",
                                      "SIN(#)",
                                      "EXP(#)",
                                      "ATAN2(#,#)",
                                      "STEP(#,0,#,1,#)",
                                      "STEP(#,#,0,#,1)",
                                      "STEP5(#,-1,#,2,#)",
                                      "HAVSIN(#,0,0,1,#)",
                                      "IMPACT(#,#,1,100,1.5,3,0.5)",
                                      "IMPACT(#,#,#,#,1.1,#,#)",
                                      "BISTOP(#,#,-1,1,100,1.2,3,0.5)",
                                      "BISTOP(#,#,#,#,10,#,#,1)",
                                      "POLY(#,0,1,2,#)",
                                      "POLY(#,1,#)",
                                      "CHEBY(#,#,#)",
                                      "CHEBY(#,#,1,#,#,-2,#)",
                                      "single(#)",
                                      "shared(#)",
                                      "IF(#:shared(#),single(#),shared(#))"};
static const char *const truths[] = {"(# < #)",  "(# <= #)",  "(# > #)",  "(# >= #)", "(# == #)",
                                     "(# != #)", "(? and ?)", "(? or ?)", "(not ?)",  "(? and not ?)"};

static void put_text(char *text, const char *form, uint32_t depth);

static void put_number(char *text, uint32_t depth)
{
    const bool leaf = depth == 0 || below(5) == 0;
    put_text(text, leaf ? leaves[below(COUNT(leaves))] : numbers[below(COUNT(numbers))], depth);
}

static void put_text(char *text, const char *form, uint32_t depth)
{
    for (; *form; form++) {
        const size_t length = strlen(text);
        const uint32_t inner = depth ? depth - 1 : 0;
        if (length + 400 > LONGEST) return;
        if (*form == '#')
            put_number(text, inner);
        else if (*form == '?')
            put_text(text, truths[below(depth ? COUNT(truths) : 6)], inner);
        else
            text[length] = *form, text[length + 1] = '\0';
    }
}

static double draw_number(void)
{
    static const double special[] = {
        0.0, -0.0, 1.0, -1.0, 2.0, 1e300, -1e300, 1e-300, (double)INFINITY, -(double)INFINITY, (double)NAN};
    if (below(40) == 0) return special[below(COUNT(special))];
    if (below(4) == 0) return (double)below(5) - 2.0;
    return 8.0 * below(1u << 30) / (1u << 30) - 3.0;
}

static void draw(double *inputs)
{
    for (uint32_t i = 0; i < INPUTS; i++)
        inputs[i] = draw_number();
}

/* Lanes with values; and one without, where there is one. False: they are too rare. */
static bool draw_lanes(lanes *l, const tn_expression *expression, double *without, bool *found)
{
    double value;
    uint32_t lane = 0;
    *found = false;
    for (uint32_t tries = 0; tries < 300 && lane < LANES; tries++) {
        draw(l->inputs[lane]);
        if (has_value(expression, l->inputs[lane], &value))
            lane++;
        else
            *found = true, memcpy(without, l->inputs[lane], sizeof l->inputs[lane]);
    }
    return lane == LANES;
}

static void random_branches_have_the_same_bits(void **state)
{
    (void)state;
    uint32_t with = 0, apart = 0, failing = 0;
    for (seed = 1; with < 4000;) {
        char text[LONGEST] = "";
        lanes l;
        double without[INPUTS];
        bool found;
        tn_expression_error error;
        put_number(text, 2 + below(4));
        tn_expression *const expression = tn_expression_compile(text, strlen(text), &with_routines, &error);
        if (!expression) continue;
        if (tn_expression_used_count(expression) && tn_expression_has_lanes(expression) &&
            !tn_expression_routine(expression, 63) && draw_lanes(&l, expression, without, &found)) {
            with++;
            apart += strstr(text, "IF") || strstr(text, "and") || strstr(text, "or");
            if (!evaluate(&l, expression)) fail_msg("%s: no value in some lane", text);
            check_values(&l, expression, text);
            if (found) {
                memcpy(l.inputs[below(LANES)], without, sizeof without);
                if (evaluate(&l, expression)) fail_msg("%s: all lanes have a value", text);
                failing++;
            }
        }
        tn_expression_free(expression);
    }
    assert_true(apart > 1000 && failing > 1000);
}

/* ---- one by one --------------------------------------------------------------------------------------------- */

/* x of the lanes: -2, -1, 0, 1, 2, -2 ...; y likewise, of another period. */
static void spread(lanes *l)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        draw(l->inputs[lane]);
        l->inputs[lane][0] = (double)(lane % 5) - 2.0;
        l->inputs[lane][1] = (double)(lane % 3) - 1.0;
    }
}

static void what_is_wrong_counts_where_its_way_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool value;
    } cases[] = {{"IF(x: 1/x, 5, SQRT(x))", true},
                 {"IF(x: SQRT(-x), 0, x**(-2))", true},
                 {"IF(x: EXP(-1000*x), 0, 1)", false},
                 {"IF(x: 1, 2, IF(EXP(1000*x): 1, 2, 3))", true}, /* infinite, but large */
                 {"IF(x: SQRT(x), 0, 1)", false},
                 {"IF(x: 1, 1/x, 1)", false},
                 {"IF(x: 1, x**(-1), 1)", false},
                 {"IF(x: shared(-x), shared(x), single(x))", true},
                 {"IF(x: shared(x), 0, 1)", false},
                 {"IF(x: 1, 0, single(-x))", false},
                 {"IF(x: IF(y: 1/y, 2, 1/x), 1/(x - 1), IF(y: -y, 7, 1/y))", true},
                 {"(x != 0 and 1/x > 0)*y", true},
                 {"(x == 0 or 1/x > 0)*y + 3", true},
                 {"(x == 0 and 1/x > 0)*y", false},
                 {"IF(x: MAX(x*1e308*10 - x*1e308*10, 1), 0, 0)", false},
                 {"IF(x*1e308*10 - x*1e308*10: 1, 2, 3)", false},
                 {"IF(x: STEP(y, x, 0, 0, 1), 0, IMPACT(y, x, 0, x, 1.5, x, x))", true},
                 {"IF(x: 0, IMPACT(y, x, 0, 1, 1, 1, x), 0)", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &with_routines);
        lanes l;
        spread(&l);
        if (evaluate(&l, expression) != cases[i].value) fail_msg("%s", cases[i].text);
        if (cases[i].value) check_values(&l, expression, cases[i].text);
        tn_expression_free(expression);
    }
}

static void routines_are_called_for_lanes_of_their_branch_only(void **state)
{
    (void)state;
    tn_expression *const expression = compiled(
        "IF(x - 1: single(x*x), shared(4), shared(9*x)) + shared(16)*IF(y: 1, 1, 1)", &with_routines);
    lanes l;
    spread(&l); /* what has constant arguments is known already */
    calls = calls_together = 0;
    assert_true(evaluate(&l, expression));
    assert_int_equal(calls, 10 + 3);
    assert_int_equal(calls_together, 1);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const double x = l.inputs[lane][0];
        assert_true(l.values[lane] == (x < 1.0 ? fabs(x) : x > 1.0 ? sqrt(9.0 * x) : 2.0) + 4.0);
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        l.inputs[lane][0] = 4.0;
    calls = calls_together = 0;
    assert_true(evaluate(&l, expression));
    assert_int_equal(calls, LANES);
    assert_int_equal(calls_together, 1);
    tn_expression_free(expression);
}

static void soft_branches_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "IF(x: -1 - y, 7, 2*y)", "3*(x > 0) - y*(x < 0)",
        "IF(y - 1: x, IF(x: 1, 2, 3), IF(x: -1, 5, IF(x - 9: 4, 0, 6)) + x)",
        "y*(y > 1 and not x > 0) + IF(x < 0 or y < 0: 0, IF(y > 1: 0, 1, 2), 4)*x"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        tn_expression *const sharp = compiled(texts[i], &run_time);
        tn_soft_jump jump[8], *entry[8] = {NULL};
        lanes l;
        for (uint32_t k = 0; k < tn_expression_switch_count(sharp); k++) {
            jump[k] = (tn_soft_jump){.width = 1.5, .offset = 0.25};
            if (tn_expression_jump(sharp, k)) entry[k] = &jump[k];
        }
        tn_expression *const soft = tn_expression_soften(sharp, entry);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            l.inputs[lane][0] = 0.37 * (double)lane - 2.6;
            l.inputs[lane][1] = 0.1 + 0.7 * (double)(lane % 4);
        }
        assert_true(evaluate(&l, soft));
        check_values(&l, soft, texts[i]);
        tn_expression_free(soft);
        tn_expression_free(sharp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_branches_have_the_same_bits),
                                       cmocka_unit_test(what_is_wrong_counts_where_its_way_is_taken),
                                       cmocka_unit_test(routines_are_called_for_lanes_of_their_branch_only),
                                       cmocka_unit_test(soft_branches_have_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
