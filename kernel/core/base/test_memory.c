/* test_memory.c - growing arrays, and what becomes of blocks and holds where there is no memory. */
#define _GNU_SOURCE
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
    tn_free(numbers);
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
    tn_free(nothing);
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

/* ---- without memory --------------------------------------------------------------------------------------- */

static int released;

static void count_release(void *object) { released += *(const int *)object; }

static void take_too_much(tn_arena *arena, int *grown)
{
    tn_hold outer, inner;
    size_t capacity = 0;
    static const int one = 1, ten = 10;
    tn_hold_begin(&outer, count_release, (void *)(uintptr_t)&one);
    tn_hold_begin(&inner, count_release, (void *)(uintptr_t)&ten);
    (void)tn_arena_new(arena, 100000);
    grown = tn_grow(grown, &capacity, 10, sizeof *grown);
    tn_hold_end(&inner);
    (void)tn_new(SIZE_MAX / 16, 8);
    released = -1; /* nobody comes here */
}

static void test_a_lack_of_memory_leads_to_the_entry(void **state)
{
    (void)state;
    tn_memory memory = {0};
    tn_arena arena = {0};
    released = 0;
    assert_false(tn_attempt(&memory, take_too_much(&arena, NULL)));
    assert_int_equal(released, 1); /* the inner hold had ended */
    assert_non_null(strstr(memory.lack, "out of memory"));
    assert_true(memory.count > 1);
    tn_memory_release(&memory);
    assert_int_equal(memory.count, 0);
    assert_ptr_not_equal(tn_memory_now(), &memory);
}

static void make_and_free(void)
{
    enum { MANY = 5000 };
    static void *block[MANY];
    for (int k = 0; k < MANY; k++)
        block[k] = k % 3 ? tn_new(1, 16) : tn_adopt(strdup("a text"));
    for (int k = 0; k < MANY; k++)
        tn_free(block[(k * 7) % MANY]);
    tn_free(NULL);
    tn_free(strdup("nobody's")); /* of the C library */
}

static void test_freed_blocks_belong_to_nobody(void **state)
{
    (void)state;
    tn_memory memory = {0};
    assert_true(tn_attempt(&memory, make_and_free()));
    assert_int_equal(memory.count, 0);
    assert_string_equal(memory.lack, "");
    tn_memory_release(&memory);
}

/* Entries stand in each other, as where a plugin calls its host. */
static void call_host(tn_memory *memory, bool *went_on)
{
    assert_false(tn_attempt(tn_memory_now(), tn_no_memory("a test")));
    assert_ptr_equal(tn_memory_now(), memory);
    *went_on = true;
}

static void test_inner_entries_keep_the_outer_ones(void **state)
{
    (void)state;
    tn_memory memory = {0};
    bool went_on = false;
    assert_true(tn_attempt(&memory, call_host(&memory, &went_on)));
    assert_true(went_on);
    assert_string_equal(memory.lack, "out of memory for a test");
    tn_memory_release(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_of_an_arena_have_any_length),
        cmocka_unit_test(test_grown_array_keeps_what_it_holds),
        cmocka_unit_test(test_objects_of_no_size_can_grow_in_number),
        cmocka_unit_test(test_arrays_of_an_arena_are_zero_and_aligned),
        cmocka_unit_test(test_array_that_grows_in_an_arena_keeps_what_it_holds),
        cmocka_unit_test(test_a_lack_of_memory_leads_to_the_entry),
        cmocka_unit_test(test_freed_blocks_belong_to_nobody),
        cmocka_unit_test(test_inner_entries_keep_the_outer_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
