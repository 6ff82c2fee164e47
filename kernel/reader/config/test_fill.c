/* test_fill.c - how values arrive in the memory of an instance: units, vectors, defaults, rotations, functions */
#include "config/test_toml.h"

#include "config/fill.h"
#include "units/units.h"

#include <math.h>

typedef struct instance {
    double length, optional, vector[3], matrix[6], rotation[9];
    int64_t count;
    int32_t flag, flags[3], choice;
    const char *text;
    tn_callable function;
    double any, power, stiffness;
    tn_list list;
    const char *file;
    tn_texts texts;
} instance;

#define PLACE(field) .name = #field, .offset = offsetof(instance, field)
#define NUMBER(field) PLACE(field), .kind = TN_KIND_REAL, .low = -TN_UNBOUNDED, .high = TN_UNBOUNDED
static const tn_parameter parameters[] = {
    {NUMBER(length), .unit = "m", .count = 1, .standard = 7.0},
    {NUMBER(optional), .unit = "", .count = 1, .flags = TN_OPTIONAL},
    {NUMBER(vector), .unit = "m", .count = 3, .standard = 0.5, .flags = TN_DYNAMIC},
    {NUMBER(matrix), .unit = "kg m^2", .count = 6, .count_alternative = 3, .standard = 1.0},
    {PLACE(rotation), .kind = TN_KIND_ROTATION, .count = 1},
    {PLACE(count), .kind = TN_KIND_INTEGER, .count = 1, .standard = 4.0, .high = 10.0},
    {PLACE(flag), .kind = TN_KIND_BOOLEAN, .count = 1, .standard = 1.0},
    {PLACE(flags), .kind = TN_KIND_BOOLEAN, .count = 3, .standard = 1.0},
    {PLACE(choice), .kind = TN_KIND_CHOICE, .count = 1, .detail = "red|green|blue", .standard = 2.0},
    {PLACE(text), .kind = TN_KIND_TEXT, .count = 1},
    {PLACE(function), .kind = TN_KIND_CALLABLE, .count = 1, .unit = "N", .detail = "x [m], time [s]"},
    {NUMBER(any), .unit = TN_ANY_UNIT, .count = 1},
    {NUMBER(power), .unit = "", .count = 1, .flags = TN_OPTIONAL, .standard = 1.5},
    {NUMBER(stiffness), .unit = "N/m^power", .count = 1},
    {PLACE(list), .kind = TN_KIND_LIST, .unit = TN_ANY_UNIT, .low = -TN_UNBOUNDED, .high = TN_UNBOUNDED,
     .count = 1},
    {PLACE(file), .kind = TN_KIND_FILE, .count = 1},
    {PLACE(texts), .kind = TN_KIND_TEXTS, .count = 1},
    {0}};

/* What the current instance lives on. */
static tn_arena arena;
static tn_filler filler;

static instance filled(fixture *test, const char *text)
{
    instance result;
    const tn_toml *table = read_text(test, text);
    tn_parameters named = {0};
    tn_source source = {
        .document = test->document, .diagnostics = test->diagnostics, .arena = &arena, .parameters = &named};
    tn_parameters_read(&source, tn_toml_get(table, "parameters"));
    tn_filler_prepare(&source, table, parameters, sizeof result, &filler);
    tn_filler_apply(&source, &filler, &result);
    check_reported(test, "");
    return result;
}

static void check_numbers(const double *values, const double *expected, size_t count)
{
    for (size_t k = 0; k < count; k++)
        assert_true(fabs(values[k] - expected[k]) <= 1e-14 * fmax(1.0, fabs(expected[k])));
}

static void what_is_absent_has_its_default(void **state)
{
    const instance result = filled(*state, "");
    check_numbers(&result.length, (double[]){7}, 1);
    assert_true(isnan(result.optional));
    check_numbers(result.vector, (double[]){0.5, 0.5, 0.5}, 3);
    check_numbers(result.rotation, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9);
    assert_int_equal(result.count, 4);
    assert_int_equal(result.flag, 1);
    assert_memory_equal(result.flags, ((int32_t[]){1, 1, 1}), sizeof result.flags);
    assert_int_equal(result.choice, 2);
    assert_null(result.text);
    assert_null(result.function.handle);
}

static void units_are_converted(void **state)
{
    instance result = filled(*state, "length = '2*k [mm]'\nparameters = { k = '4 [kN]' }");
    check_numbers(&result.length, (double[]){8}, 1);
    result = filled(*state, "vector = [1, '2 [mm]', '1 + time']\noptional = '3 [%]'");
    check_numbers(result.vector, (double[]){1, 2e-3, 1}, 3);
    check_numbers(&result.optional, (double[]){0.03}, 1);
    result = filled(*state, "vector = { value = [1, '2 + 3', '7 + time'], unit = 'mm' }");
    check_numbers(result.vector, (double[]){1e-3, 5e-3, 7e-3}, 3);
}

static void the_power_of_a_unit_may_be_another_number(void **state)
{
    static const struct {
        const char *text;
        double expected;
    } texts[] = {{"stiffness = 3", 3},
                 {"stiffness = '3 [kN/m^1.5]'", 3000},
                 {"stiffness = '3 [N/mm]'\npower = 1", 3000},
                 {"stiffness = '3 [N/mm^2]'\npower = 2.0", 3e6},
                 {"power = '2*k'\nstiffness = '3 [Pa]'\nparameters = { k = 1 }", 3},
                 {"power = 2.5\nstiffness = '2 [N/cm^2.5]'", 2e5}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const instance result = filled(*state, texts[k].text);
        check_numbers(&result.stiffness, &texts[k].expected, 1);
    }
}

static void a_shorter_list_is_filled_up_with_zeros(void **state)
{
    check_numbers(filled(*state, "matrix = [1, 2, 3]").matrix, (double[]){1, 2, 3, 0, 0, 0}, 6);
    check_numbers(filled(*state, "matrix = [1, 2, 3, 4, 5, 6]").matrix, (double[]){1, 2, 3, 4, 5, 6}, 6);
}

static void other_kinds_are_stored_as_they_are(void **state)
{
    const instance result = filled(*state, "count = '2*3'\nflag = false\nflags = [true, false, true]\n"
                                           "choice = 'green'\ntext = 'a {b}'");
    assert_int_equal(result.count, 6);
    assert_int_equal(result.flag, 0);
    assert_memory_equal(result.flags, ((int32_t[]){1, 0, 1}), sizeof result.flags);
    assert_int_equal(result.choice, 1);
    assert_string_equal(result.text, "a {b}");
}

static void check_function(fixture *test, const char *text, double expected, double by_x, double by_time)
{
    const instance result = filled(test, text);
    const tn_called *called = result.function.handle;
    double value = 0.0, partials[2];
    const char *problem = NULL;
    const double arguments[] = {3.0, 2.0};
    assert_true(called->call(called, arguments, &value, partials, &problem));
    check_numbers(&value, &expected, 1);
    check_numbers(partials, (double[]){by_x, by_time}, 2);
    assert_true(called->call(called, arguments, &value, NULL, &problem));
    check_numbers(&value, &expected, 1);
}

static void a_function_gives_its_value_and_partial_derivatives(void **state)
{
    check_function(*state, "function = 'x**2*time [kN]'", 18000, 12000, 9000);
    check_function(*state, "function = 'k*x'\nparameters = { k = 5 }", 15, 5, 0);
    check_function(*state, "function = '5 [kN]'", 5000, 0, 0);
}

static void all_forms_of_a_rotation_mean_the_same(void **state)
{
    static const char *const about_z[] = {
        "[[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
        "{ quaternion = [0.7071, 0, 0, 0.7071] }",
        "{ axis = [0, 0, 2], angle = '90 [deg]' }",
        "{ axis = [0, 0, 0.2], angle = '0.25 [rev]' }",
        "{ axis = [0, 0, 9], angle = 'PI/2' }",
        "{ euler = 'zxy', angles = { value = [90, 0, 0], unit = 'deg' } }",
    };
    for (size_t k = 0; k < sizeof about_z / sizeof *about_z; k++) {
        char text[128];
        (void)snprintf(text, sizeof text, "rotation = %s", about_z[k]);
        check_numbers(filled(*state, text).rotation, (double[]){0, -1, 0, 1, 0, 0, 0, 0, 1}, 9);
    }
}

/* Quarter turns about x, then y: the body's y axis has become z, the space's has not. */
static void euler_angles_turn_about_the_axes_of_the_body_or_of_space(void **state)
{
    check_numbers(filled(*state, "rotation = { euler = 'xyz', angles = ['PI/2', 'PI/2', 0] }").rotation,
                  (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 9);
    check_numbers(filled(*state, "rotation = { euler = 'XYZ', angles = ['PI/2', 'PI/2', 0] }").rotation,
                  (double[]){0, 1, 0, 0, 0, -1, -1, 0, 0}, 9);
}

static void a_small_error_of_a_matrix_is_taken_off(void **state)
{
    const instance result = filled(*state, "rotation = [[1, 4e-7, 0], [0, 1, -3e-7], [1e-7, 0, 1.0000002]]");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double *a = result.rotation + 3 * i, *b = result.rotation + 3 * j;
            assert_true(fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j ? 1.0 : 0.0)) <= 1e-15);
        }
}

static void any_unit_is_taken_to_si(void **state)
{
    const instance result = filled(*state, "any = '3 [N mm/rad]'\nlist = ['2 [km]', 3, '1/2 [ms]']");
    check_numbers(&result.any, (double[]){0.003}, 1);
    assert_int_equal(result.list.count, 3);
    check_numbers(result.list.value, (double[]){2000, 3, 0.0005}, 3);
}

static void a_list_has_any_length_and_may_have_one_unit(void **state)
{
    instance result = filled(*state, "list = { value = [1, '2*3'], unit = 'ms' }");
    assert_int_equal(result.list.count, 2);
    check_numbers(result.list.value, (double[]){0.001, 0.006}, 2);
    result = filled(*state, "list = []");
    assert_int_equal(result.list.count, 0);
    result = filled(*state, "");
    assert_true(result.list.count == 0 && !result.list.value);
}

static void texts_are_as_many_as_there_are(void **state)
{
    instance result = filled(*state, "texts = ['first', 'second {b}', '']");
    assert_int_equal(result.texts.count, 3);
    assert_string_equal(result.texts.text[1], "second {b}");
    assert_string_equal(result.texts.text[2], "");
    result = filled(*state, "texts = []");
    assert_int_equal(result.texts.count, 0);
    result = filled(*state, "");
    assert_true(result.texts.count == 0 && !result.texts.text && !result.file);
}

/* The document itself is a file beside the document. */
static void a_file_is_one_of_the_model(void **state)
{
    fixture *test = *state;
    char text[64];
    (void)snprintf(text, sizeof text, "file = '%s'", strrchr(test->path, '/') + 1);
    const instance result = filled(test, text);
    const tn_toml *node = tn_toml_get(tn_document_root(test->document), "file");
    assert_string_equal(result.file, test->path);
    assert_true(tn_document_names_file(test->document, node));
}

static int forget(void **state)
{
    tn_arena_free(&arena);
    tn_units_close();
    return discard(state);
}

#define FILL_TEST(name) cmocka_unit_test_setup_teardown(name, make, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILL_TEST(what_is_absent_has_its_default),
        FILL_TEST(units_are_converted),
        FILL_TEST(the_power_of_a_unit_may_be_another_number),
        FILL_TEST(a_shorter_list_is_filled_up_with_zeros),
        FILL_TEST(other_kinds_are_stored_as_they_are),
        FILL_TEST(a_function_gives_its_value_and_partial_derivatives),
        FILL_TEST(all_forms_of_a_rotation_mean_the_same),
        FILL_TEST(euler_angles_turn_about_the_axes_of_the_body_or_of_space),
        FILL_TEST(a_small_error_of_a_matrix_is_taken_off),
        FILL_TEST(any_unit_is_taken_to_si),
        FILL_TEST(a_list_has_any_length_and_may_have_one_unit),
        FILL_TEST(texts_are_as_many_as_there_are),
        FILL_TEST(a_file_is_one_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
