/* test_memory.c - growing arrays. */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_grown_array_keeps_what_it_holds(void **state)
{
    (void)state;
    size_t capacity = 0;
    uint32_t *numbers = NULL;
    for (uint32_t k = 0; k < 1000; k++) {
        numbers = tn_grow(numbers, &capacity, k + 1u, sizeof *numbers);
        assert_true(capacity > k);
        numbers[k] = k;
    }
    for (uint32_t k = 0; k < 1000; k++)
        assert_int_equal(numbers[k], k);
    free(numbers);
}

/* Types without parameters have instances of size 0, any number of them. */
static void test_objects_of_no_size_can_grow_in_number(void **state)
{
    (void)state;
    size_t capacity = 0;
    void *nothing = NULL;
    for (size_t k = 1; k < 100; k++) {
        nothing = tn_grow(nothing, &capacity, k, 0);
        assert_non_null(nothing);
        assert_true(capacity >= k);
    }
    free(nothing);
}

static void test_texts_of_an_arena_have_any_length(void **state)
{
    (void)state;
    tn_arena arena = {0};
    const char *text = "";
    for (int k = 0; k < 20; k++)
        text = tn_arena_print(&arena, "%s%s%c", text, text, 'a' + k);
    assert_int_equal(strlen(text), (1 << 20) - 1);
    assert_true(strncmp(text, "aabaabcaabaabcd", 15) == 0);
    tn_arena_free(&arena);
}

static void test_arrays_of_an_arena_are_zero_and_aligned(void **state)
{
    (void)state;
    tn_arena arena = {0};
    for (size_t count = 0; count < 40; count++) {
        const double *numbers = tn_arena_array(&arena, count, sizeof *numbers);
        assert_int_equal((uintptr_t)numbers % 64, 0);
        for (size_t k = 0; k < count; k++)
            assert_true(numbers[k] == 0.0);
    }
    tn_arena_free(&arena);
}

static void test_array_that_grows_in_an_arena_keeps_what_it_holds(void **state)
{
    (void)state;
    tn_arena arena = {0};
    size_t capacity = 0;
    int *numbers = NULL;
    for (int k = 0; k < 1000; k++) {
        numbers = tn_arena_grow(&arena, numbers, &capacity, (size_t)k + 1, sizeof *numbers);
        numbers[k] = k;
    }
    assert_true(capacity >= 1000);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(numbers[k], k);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_of_an_arena_have_any_length),
        cmocka_unit_test(test_grown_array_keeps_what_it_holds),
        cmocka_unit_test(test_objects_of_no_size_can_grow_in_number),
        cmocka_unit_test(test_arrays_of_an_arena_are_zero_and_aligned),
        cmocka_unit_test(test_array_that_grows_in_an_arena_keeps_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
