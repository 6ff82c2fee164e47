/* test_design.h - the loop of a study for tests of designs: the test itself computes the numbers of a case */
#ifndef TENON_TEST_DESIGN_H
#define TENON_TEST_DESIGN_H

#include "../solvers/test_host.h"

#include <tenon/draft/design.h>

#include <math.h>

enum { TEST_VARIABLES = 8, TEST_RESPONSES = 4, TEST_ANSWERS = 4096, TEST_TEXTS = 64 };

typedef struct test_design test_design;
struct test_design {
    test_host host;
    tn_design_variable variable[TEST_VARIABLES];
    tn_design_response response[TEST_RESPONSES];
    tn_design_problem problem;
    /* Writes the numbers of a case; false: it fails. */
    bool (*run)(test_design *test, const double *u, double *number);
    double effort; /* of the case, which run() may set */
    /* what has been asked for */
    double *point;
    size_t count, room, batches, largest_batch, failed;
    size_t batch_start;
    /* what has been answered */
    tn_answer answer[TEST_ANSWERS];
    size_t answers;
    char text[TEST_TEXTS][512];
    tn_level level[TEST_TEXTS];
    size_t texts;
    void *self;
    uint64_t random; /* for run(): noise */
};

/* Variables "a", "b", ... from 0 to 1, and one response "y". */
static inline void test_design_begin(test_design *test, uint32_t variables,
                                     bool (*run)(test_design *test, const double *u, double *number))
{
    static const char *const names[TEST_VARIABLES] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    *test = (test_design){.run = run};
    test_host_begin(&test->host);
    for (uint32_t i = 0; i < variables; i++)
        test->variable[i] = (tn_design_variable){
            .name = names[i], .unit = "", .bounded = 1, .start = 0.5, .low = 0.0, .high = 1.0};
    test->response[0] = (tn_design_response){.name = "y", .unit = "m", .first = 0, .size = 1};
    test->problem = (tn_design_problem){.struct_size = sizeof test->problem,
                                        .variables = variables,
                                        .responses = 1,
                                        .numbers = 1,
                                        .variable = test->variable,
                                        .response = test->response,
                                        .seed = 1};
}

static inline void test_design_end(test_design *test)
{
    free(test->point);
    test_host_end(&test->host);
}

static inline tn_status test_design_add(tn_design_batch *batch, const double *point)
{
    test_design *test = batch->self;
    const uint32_t size = test->problem.variables;
    if (test->count == test->room) {
        test->room = test->room ? 2 * test->room : 64;
        test->point = realloc(test->point, test->room * (size + 1u) * sizeof *test->point);
        assert_non_null(test->point);
    }
    for (uint32_t i = 0; i < size; i++)
        assert_true(point[i] >= 0.0 && point[i] <= 1.0);
    memcpy(test->point + test->count++ * size, point, size * sizeof *point);
    return TN_OK;
}

static inline tn_status test_design_answer(tn_design_answers *answers, const tn_answer *answer)
{
    test_design *test = answers->self;
    assert_true(test->answers < TEST_ANSWERS);
    test->answer[test->answers++] = *answer;
    return TN_OK;
}

static inline tn_status test_design_say(tn_design_answers *answers, tn_level level, const char *text)
{
    test_design *test = answers->self;
    assert_true(test->texts < TEST_TEXTS);
    test->level[test->texts] = level;
    (void)snprintf(test->text[test->texts++], sizeof test->text[0], "%s", text);
    return TN_OK;
}

static inline void test_design_tell(test_design *test, const tn_design_type *type, size_t first)
{
    const uint32_t size = test->problem.variables, numbers = test->problem.numbers;
    const size_t count = test->count - first;
    double *number = calloc(count * numbers + 1, sizeof *number), *effort = calloc(count + 1, sizeof *effort);
    uint8_t *done = calloc(count + 1, 1);
    assert_true(number && effort && done);
    for (size_t k = 0; k < count; k++) {
        test->effort = 1e-3;
        done[k] = test->run(test, test->point + (first + k) * size, number + k * numbers);
        for (uint32_t i = 0; i < numbers && !done[k]; i++)
            number[k * numbers + i] = (double)NAN;
        test->failed += !done[k];
        effort[k] = test->effort;
    }
    const tn_design_results results = {.struct_size = sizeof results,
                                       .count = count,
                                       .point = test->point + first * size,
                                       .number = number,
                                       .done = done,
                                       .effort = effort};
    assert_int_equal(type->tell(test->self, &results), TN_OK);
    free(number), free(effort), free(done);
}

/* One batch; false: there is none any more. */
static inline bool test_design_batch(test_design *test, const tn_design_type *type)
{
    const size_t first = test->count;
    tn_design_batch batch = {.struct_size = sizeof batch, .self = test, .add = test_design_add};
    assert_int_equal(type->next(test->self, &batch), TN_OK);
    if (test->count == first) return false;
    test->batches++;
    if (test->count - first > test->largest_batch) test->largest_batch = test->count - first;
    if (test->run) test_design_tell(test, type, first);
    return test->run != NULL;
}

/* The whole study; without run() the points of the first batch alone. */
static inline void test_design_study(test_design *test, const tn_design_type *type, const void *instance)
{
    assert_int_equal(type->open(&test->host.table, instance, &test->problem, &test->self), TN_OK);
    while (test_design_batch(test, type))
        continue;
    assert_true((double)test->count <= type->count(test->self));
    tn_design_answers answers = {
        .struct_size = sizeof answers, .self = test, .add = test_design_answer, .say = test_design_say};
    if (test->run && type->answer) assert_int_equal(type->answer(test->self, &answers), TN_OK);
    type->close(test->self);
}

static inline void test_design_refused(test_design *test, const tn_design_type *type, const void *instance,
                                       const char *parameter, const char *message)
{
    assert_int_equal(type->open(&test->host.table, instance, &test->problem, &test->self), TN_INVALID);
    assert_string_equal(test->host.parameter, parameter);
    if (!strstr(test->host.message, message)) fail_msg("%s", test->host.message);
}

/* The answer of that name about these; the test fails without it. */
static inline const tn_answer *test_answer(const test_design *test, const char *name, int32_t response,
                                           int32_t variable, int32_t other)
{
    for (size_t k = 0; k < test->answers; k++) {
        const tn_answer *a = &test->answer[k];
        if (!strcmp(a->name, name) && a->response == response && a->variable == variable && a->other == other)
            return a;
    }
    fail_msg("there is no answer \"%s\" about %d, %d, %d", name, response, variable, other);
    return NULL;
}

static inline bool test_said(const test_design *test, const char *part)
{
    for (size_t k = 0; k < test->texts; k++)
        if (strstr(test->text[k], part)) return true;
    return false;
}

#endif
