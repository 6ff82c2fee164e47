/* test_build_model.c - models that are built by calls, and sensors that are added to a model */
#include "library/test_library.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static tenon_model *begin(void)
{
    const tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    assert_int_equal(tenon_build_begin("my model", NULL, &options, &model), TENON_OK);
    return model;
}

static void add_solver(tenon_model *model, double step, double end)
{
    tn_test_good(model, tenon_build_item(model, "solver", "rk", NULL));
    tn_test_good(model, tenon_build_number(model, "step", step));
    tn_test_good(model, tenon_build_number(model, "end_time", end));
}

/* OSCILLATOR with RK_OF_FIXED_STEP. */
static tenon_model *build_oscillator(void)
{
    const char *const ends[] = {"ground", "mass"}, *const pull[] = {"time", "0", "0"};
    tenon_model *m = begin();
    tn_test_good(m, tenon_build_item(m, "element", "mass_point", "mass"));
    tn_test_good(m, tenon_build_number(m, "mass", 2.0));
    tn_test_good(m, tenon_build_numbers(m, "position", (const double[]){1.1, 0.0, 0.0}, 3));
    tn_test_good(m, tenon_build_item(m, "element", "spring_damper", "spring"));
    tn_test_good(m, tenon_build_texts(m, "markers", ends, 2));
    tn_test_good(m, tenon_build_text(m, "stiffness", "0.05 [N/mm]"));
    tn_test_good(m, tenon_build_number(m, "damping", 0.1));
    tn_test_good(m, tenon_build_number(m, "reference_length", 1.0));
    tn_test_good(m, tenon_build_item(m, "element", "force", "hand"));
    tn_test_good(m, tenon_build_text(m, "markers", "mass"));
    tn_test_good(m, tenon_build_texts(m, "value", pull, 3));
    tn_test_good(m, tenon_build_item(m, "sensor", NULL, "x"));
    tn_test_good(m, tenon_build_text(m, "expression", "DX(mass)"));
    tn_test_good(m, tenon_build_item(m, "sensor", NULL, "pull"));
    tn_test_good(m, tenon_build_text(m, "element", "spring"));
    tn_test_good(m, tenon_build_text(m, "output", "force"));
    add_solver(m, 1e-2, 0.5);
    tn_test_good(m, tenon_build_end(m));
    return m;
}

static double sensor(tenon_model *model, const char *name)
{
    size_t number = 0;
    double value = 0.0;
    assert_int_equal(tenon_sensor_find(model, name, &number), TENON_OK);
    tn_test_good(model, tenon_sensor_value(model, number, &value));
    return value;
}

static void a_built_model_runs_as_that_of_a_file(void **state)
{
    (void)state;
    tenon_model *built = build_oscillator(), *read = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    int steps = 0;
    for (; tenon_step(read) == TENON_OK; steps++) {
        tn_test_good(built, tenon_step(built));
        assert_true(sensor(built, "x") == sensor(read, "x"));
        assert_true(sensor(built, "pull.x") == sensor(read, "pull.x"));
    }
    assert_int_equal(steps, 50);
    assert_int_equal(tenon_step(built), TENON_ENDED);
    tenon_close(built);
    tenon_close(read);
}

static void what_was_built_is_a_model_file(void **state)
{
    (void)state;
    tenon_model *built = build_oscillator(), *read = tn_test_open_text(tenon_build_toml(built));
    tn_test_good(read, tenon_run(read));
    tn_test_good(built, tenon_run(built));
    assert_true(sensor(built, "x") == sensor(read, "x"));
    tenon_close(built);
    tenon_close(read);
}

static void numbers_keep_their_last_bit(void **state)
{
    (void)state;
    const double value[] = {0.1 + 0.2, 1.0 / 3.0, -0.0, 5e-324, DBL_MAX, -1e20, 123456789012345678.0,
                            1e15,      -7.0};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        tenon_model *m = begin();
        double read[3];
        size_t count = 0;
        tn_test_good(m, tenon_build_item(m, "element", "mass_point", "mass"));
        tn_test_good(m, tenon_build_number(m, "mass", 1.0));
        tn_test_good(m, tenon_build_numbers(m, "position", (double[]){value[k], 0.0, value[k]}, 3));
        add_solver(m, 1.0, 1.0);
        tn_test_good(m, tenon_build_end(m));
        tn_test_good(m, tenon_parameter(m, "mass.position", read, 3, &count));
        assert_memory_equal(&read[0], &value[k], sizeof *value);
        assert_memory_equal(&read[2], &value[k], sizeof *value);
        tenon_close(m);
    }
}

static void tables_stand_in_tables(void **state)
{
    (void)state;
    tenon_model *m = begin();
    const double turned[] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    tn_test_good(m, tenon_build_table(m, "model"));
    tn_test_good(m, tenon_build_text(m, "name", "a \"name\" with \\ and \n and \xC3\xA4"));
    tn_test_good(m, tenon_build_item(m, "repeat", NULL, NULL));
    tn_test_good(m, tenon_build_number(m, "count", 3));
    tn_test_good(m, tenon_build_text(m, "variable", "i"));
    tn_test_good(m, tenon_build_item(m, "repeat.element", "rigid_body", "body{i}"));
    tn_test_good(m, tenon_build_number(m, "mass", 1.0));
    tn_test_good(m, tenon_build_numbers(m, "inertia", (double[]){1, 1, 1}, 3));
    tn_test_good(m, tenon_build_matrix(m, "rotation", turned, 3, 3));
    tn_test_good(m, tenon_build_item(m, "element", "fixed", "weld"));
    tn_test_good(m, tenon_build_value(m, "markers", "[\n  'body0',\n  'body1']"));
    tn_test_good(m, tenon_build_item(m, "element", "fixed", "other"));
    tn_test_good(m, tenon_build_value(m, "markers",
                                      "[{ element = 'body1', position = [0, 1, 0] },"
                                      " { element = 'body2', position = [0, 1, 0] }]"));
    tn_test_good(m, tenon_build_truth(m, "active", 1));
    add_solver(m, 1.0, 1.0);
    tn_test_good(m, tenon_build_end(m));
    assert_int_equal(tenon_name_count(m), 5);
    tn_test_good(m, tenon_run(m));
    tenon_close(m);
}

static void values_of_many_lines_keep_the_places_of_others(void **state)
{
    (void)state;
    tenon_model *m = begin();
    tenon_message message = {.size = sizeof message};
    tn_test_good(m, tenon_build_item(m, "element", "mass_point", "mass"));
    tn_test_good(m, tenon_build_value(m, "position", "[\n1,\n2,\n3]"));
    tn_test_good(m, tenon_build_place(m, "list.csv", 7, 1));
    tn_test_good(m, tenon_build_number(m, "mass", -1.0));
    add_solver(m, 1.0, 1.0);
    assert_int_equal(tenon_build_end(m), TENON_INVALID);
    assert_int_equal(tenon_message_at(m, 0, &message), TENON_OK);
    assert_string_equal(message.file, "list.csv");
    assert_int_equal(message.line, 7);
    tenon_close(m);
}

static void mistakes_stand_where_the_program_says(void **state)
{
    (void)state;
    tenon_model *m = begin();
    tenon_message message = {.size = sizeof message};
    tn_test_good(m, tenon_build_place(m, "robot.urdf", 12, 5));
    tn_test_good(m, tenon_build_item(m, "element", "mass_point", "hand"));
    tn_test_good(m, tenon_build_place(m, "robot.urdf", 14, 9));
    tn_test_good(m, tenon_build_number(m, "mas", 2.0));
    tn_test_good(m, tenon_build_place(m, NULL, 0, 0));
    tn_test_good(m, tenon_build_number(m, "positoin", 2.0));
    add_solver(m, 1.0, 1.0);
    assert_int_equal(tenon_build_end(m), TENON_INVALID);
    assert_int_equal(tenon_message_count(m), 2);
    assert_int_equal(tenon_message_at(m, 0, &message), TENON_OK);
    assert_string_equal(message.file, "robot.urdf");
    assert_int_equal(message.line, 14);
    assert_int_equal(message.column, 9);
    assert_string_equal(message.hint, "mass");
    assert_int_equal(tenon_message_at(m, 1, &message), TENON_OK);
    assert_string_equal(message.file, "my model");
    assert_int_equal(message.line, 5);
    assert_string_equal(message.hint, "position");
    assert_int_equal(tenon_step(m), TENON_INVALID);
    tenon_close(m);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    tenon_model *m = begin();
    double value = 0.0;
    tn_test_refused(m, tenon_build_number(m, "mass", 1.0), "begin one first");
    tn_test_refused(m, tenon_build_item(m, "ele ment", NULL, NULL), "`ele ment` does not name a table");
    tn_test_refused(m, tenon_build_table(m, NULL), "does not name a table");
    tn_test_refused(m, tenon_step(m), "the model is being built");
    tn_test_refused(m, tenon_sensor_value(m, 0, &value), "there is no sensor number 0");
    assert_string_equal(tenon_build_toml(m), "");
    tn_test_good(m, tenon_build_item(m, "element", "mass_point", "mass"));
    tn_test_refused(m, tenon_build_number(m, "a = 1\nb", 1.0), "is not a key");
    tn_test_refused(m, tenon_build_number(m, NULL, 1.0), "is not a key");
    tn_test_refused(m, tenon_build_text(m, "name", NULL), "`name` has no text");
    tn_test_good(m, tenon_build_number(m, "mass", 1.0));
    add_solver(m, 1.0, 1.0);
    tn_test_good(m, tenon_build_end(m));
    tn_test_refused(m, tenon_build_number(m, "mass", 1.0), "the model is built already");
    tn_test_refused(m, tenon_build_end(m), "the model is built already");
    tn_test_good(m, tenon_run(m));
    tenon_close(m);
    m = begin();
    tn_test_good(m, tenon_build_item(m, "element", NULL, NULL));
    tenon_close(m); /* before it is built */
}

/* ---- sensors ---------------------------------------------------------------------------------------------- */

#define INPUT "[[input]]\nname = 'push'\nvalue = 1\n"

static void added_sensors_show_their_expressions(void **state)
{
    (void)state;
    const char *const sensors[] = {"twice=2*DX(mass)", "way=DM(mass, ground)", "pushed=push"};
    tenon_model *m = tn_test_open_text(INPUT OSCILLATOR RK_OF_FIXED_STEP);
    size_t push = 0;
    tn_test_good(m, tenon_input_find(m, "push", &push));
    tn_test_good(m, tenon_set_input(m, push, 5.0));
    const char *const x = tenon_sensor_name(m, 0);
    tn_test_good(m, tenon_add_sensors(m, sensors, 1));
    tn_test_good(m, tenon_add_sensors(m, sensors + 1, 2));
    assert_string_equal(x, "x"); /* texts live as long as the model */
    for (int k = 0; k < 3; k++) {
        tn_test_good(m, tenon_step(m));
        assert_true(sensor(m, "twice") == 2 * sensor(m, "x"));
        assert_true(fabs(sensor(m, "way") - sensor(m, "x")) < 1e-15);
        assert_true(sensor(m, "pushed") == 5.0);
    }
    tn_test_refused(m, tenon_add_sensors(m, sensors, 1), "the model has been started");
    tenon_close(m);
}

static void a_wrong_sensor_leaves_the_model_as_it_was(void **state)
{
    (void)state;
    const char *const wrong[] = {"a=DX(mas)"}, *const taken[] = {"x=1"}, *const none[] = {"DX(mass)"};
    tenon_model *m = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    const size_t before = tenon_sensor_count(m);
    tn_test_refused(m, tenon_add_sensors(m, wrong, 1), "mas");
    tn_test_refused(m, tenon_add_sensors(m, taken, 1), "x");
    tn_test_refused(m, tenon_add_sensors(m, none, 1), "name=expression");
    assert_int_equal(tenon_sensor_count(m), before);
    assert_int_equal(tenon_message_count(m), 0);
    tn_test_good(m, tenon_run(m));
    tenon_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_model_runs_as_that_of_a_file),
        cmocka_unit_test(what_was_built_is_a_model_file),
        cmocka_unit_test(numbers_keep_their_last_bit),
        cmocka_unit_test(tables_stand_in_tables),
        cmocka_unit_test(values_of_many_lines_keep_the_places_of_others),
        cmocka_unit_test(mistakes_stand_where_the_program_says),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(added_sensors_show_their_expressions),
        cmocka_unit_test(a_wrong_sensor_leaves_the_model_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
