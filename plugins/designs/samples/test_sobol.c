/* test_sobol.c - Sobol points: the first ones, their even spread, property A of the numbers, and scrambling */
#include "sobol.c"
#include "sobol_points.c"

#include "sample.c"

#include "../test_design.h"

static void test_first_points_are_those_of_the_sequence(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, NULL);
    const sobol instance = {.count = 4, .scramble = 0};
    test_design_study(&test, &sobol_type, &instance);
    const double expected[] = {0.0, 0.0, 0.5, 0.5, 0.75, 0.25, 0.25, 0.75};
    assert_int_equal(test.count, 4);
    assert_memory_equal(test.point, expected, sizeof expected);
    assert_string_equal(test.host.message, "");
    test_design_end(&test);
}

static void assert_stratified(const double *u, size_t size, size_t i, size_t count)
{
    bool hit[1024] = {false};
    for (size_t k = 0; k < count; k++) {
        const size_t place = (size_t)(u[k * size + i] * (double)count);
        assert_false(hit[place]);
        hit[place] = true;
    }
}

/* Also pairs: each of 32 by 32 squares is hit once by 1024 points of the first two dimensions. */
static void test_scrambled_points_stay_evenly_spread(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 5, NULL);
    const sobol instance = {.count = 1024, .scramble = 1};
    test_design_study(&test, &sobol_type, &instance);
    for (size_t i = 0; i < 5; i++)
        assert_stratified(test.point, 5, i, 1024);
    bool hit[1024] = {false};
    for (size_t k = 0; k < 1024; k++) {
        const double *u = test.point + 5 * k;
        const size_t place = (size_t)(u[0] * 32.0) * 32 + (size_t)(u[1] * 32.0);
        assert_false(hit[place]);
        hit[place] = true;
        for (size_t i = 0; i < 5; i++)
            assert_true(u[i] > 0.0 && u[i] < 1.0);
    }
    test_design_end(&test);
}

static void test_scrambling_depends_on_the_seed_alone_and_leaves_no_bias(void **state)
{
    (void)state;
    double mean = 0.0, first = 0.0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        test_host host;
        test_host_begin(&host);
        sobol_sequence sequence = {0};
        assert_int_equal(tn_sobol_open(&host.table, 3, true, seed, &sequence), TN_OK);
        double u[3], again[3];
        tn_sobol_point(&sequence, 5, 0, 3, u);
        tn_sobol_point(&sequence, 5, 2, 1, again);
        assert_true(u[2] == again[0]);
        mean += u[2] / 2000.0;
        if (seed == 1) first = u[2];
        if (seed == 2) assert_true(u[2] != first);
        test_host_end(&host);
    }
    assert_true(fabs(mean - 0.5) < 4.0 * sqrt(1.0 / 12.0 / 2000.0));
}

/* The mean over scrambled points of a product of functions converges as N^-1.5, random points as N^-0.5. */
static void test_integral_is_far_better_than_by_random_points(void **state)
{
    (void)state;
    double squares = 0.0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        test_host host;
        test_host_begin(&host);
        sobol_sequence sequence = {0};
        assert_int_equal(tn_sobol_open(&host.table, 4, true, seed, &sequence), TN_OK);
        double sum = 0.0;
        for (uint64_t k = 0; k < 1024; k++) {
            double u[4], product = 1.0;
            tn_sobol_point(&sequence, k, 0, 4, u);
            for (size_t i = 0; i < 4; i++)
                product *= 1.0 + 0.5 * (u[i] - 0.5);
            sum += product / 1024.0;
        }
        squares += (sum - 1.0) * (sum - 1.0) / 20.0;
        test_host_end(&host);
    }
    /* standard deviation of the product: 0.29, and over 1024 random points 0.009 */
    assert_true(sqrt(squares) < 2e-4);
}

/* Property A: of d dimensions, the first 2^d points lie in different halves: the matrix of the first bits of their first d direction numbers
 * is regular over the field of two elements. It is checked for all d by elimination without exchange of rows. */
static void test_numbers_have_property_a_in_all_dimensions(void **state)
{
    (void)state;
    enum { N = SOBOL_DIMENSIONS, WORDS = (N + 63) / 64 };
    static uint64_t row[N][WORDS];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t direction[BITS], polynomial = 0, degree = 0;
        make_directions(i, direction);
        if (i > 0) {
            for (uint32_t k = 0; k < SOBOL_POLYNOMIAL; k++)
                polynomial = polynomial << 4 | digit(sobol_record[(i - 1) * SOBOL_RECORD + k]);
            while (polynomial >> (degree + 1))
                degree++;
        }
        uint8_t first[N] = {0}; /* the recurrence of the first bits alone, beyond 32 numbers */
        for (uint32_t k = 0; k < N; k++) {
            if (k < BITS)
                first[k] = (uint8_t)(direction[k] >> (BITS - 1));
            else if (i > 0) {
                first[k] = first[k - degree];
                for (uint32_t j = 1; j < degree; j++)
                    first[k] ^= (uint8_t)((polynomial >> (degree - j) & 1u) & first[k - j]);
            }
            row[i][k / 64] |= (uint64_t)first[k] << k % 64;
        }
    }
    for (size_t d = 0; d < N; d++) {
        assert_true(row[d][d / 64] >> d % 64 & 1u);
        for (size_t i = d + 1; i < N; i++) {
            const bool eliminated = row[i][d / 64] >> d % 64 & 1u;
            for (size_t w = 0; w < WORDS && eliminated; w++)
                row[i][w] ^= row[d][w];
        }
    }
}

static void test_more_dimensions_and_unscrambled_infinity_are_refused(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, NULL);
    sobol_sequence sequence = {0};
    assert_int_equal(tn_sobol_open(&test.host.table, SOBOL_DIMENSIONS + 1, true, 1, &sequence), TN_INVALID);
    assert_non_null(strstr(test.host.message, "1112 coordinates"));
    test.variable[1].bounded = 0;
    const sobol instance = {.count = 4, .scramble = 0};
    test_design_refused(&test, &sobol_type, &instance, "scramble", "\"b\"");
    test_design_end(&test);
}

static void test_count_that_is_no_power_of_two_gives_a_note(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, NULL);
    const sobol instance = {.count = 1000, .scramble = 1};
    test_design_study(&test, &sobol_type, &instance);
    assert_non_null(strstr(test.host.message, "1000 is no power of two"));
    assert_non_null(strstr(test.host.message, "after 512 and 1024"));
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_points_are_those_of_the_sequence),
        cmocka_unit_test(test_scrambled_points_stay_evenly_spread),
        cmocka_unit_test(test_scrambling_depends_on_the_seed_alone_and_leaves_no_bias),
        cmocka_unit_test(test_integral_is_far_better_than_by_random_points),
        cmocka_unit_test(test_numbers_have_property_a_in_all_dimensions),
        cmocka_unit_test(test_more_dimensions_and_unscrambled_infinity_are_refused),
        cmocka_unit_test(test_count_that_is_no_power_of_two_gives_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
