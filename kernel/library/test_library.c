/* test_library.c - what the library tells of models, and what it lets programs change */
#include "library/test_library.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static double sensor(tenon_model *model, const char *name)
{
    size_t number = 0;
    double value = 0.0;
    assert_int_equal(tenon_sensor_find(model, name, &number), TENON_OK);
    tn_test_good(model, tenon_sensor_value(model, number, &value));
    return value;
}

static tenon_status set(tenon_model *model, const char *path, double value)
{
    return tenon_set_parameter(model, path, &value, 1);
}

static double parameter(tenon_model *model, const char *path)
{
    double value = 0.0;
    size_t count = 0;
    tn_test_good(model, tenon_parameter(model, path, &value, 1, &count));
    assert_int_equal(count, 1);
    return value;
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

static void mistakes_are_messages(void **state)
{
    (void)state;
    const tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    assert_int_equal(
        tenon_open_text("[[element]]\nname = 'a'\ntype = 'mass_point'\nmas = 1\n[solver]\ntype = 'rk'\n"
                        "step = 1\nend_time = 1\n",
                        "my model", NULL, &options, &model),
        TENON_INVALID);
    tenon_message message = {.size = sizeof message};
    assert_int_equal(tenon_message_count(model), 1);
    assert_int_equal(tenon_message_at(model, 0, &message), TENON_OK);
    assert_int_equal(message.severity, TENON_ERROR);
    assert_string_equal(message.file, "my model");
    assert_int_equal(message.line, 4);
    assert_int_equal(message.column, 1);
    assert_int_equal(message.end_column, 4);
    assert_string_equal(message.hint, "mass");
    assert_string_equal(message.text, tenon_reason(model));
    assert_int_equal(tenon_message_at(model, 1, &message), TENON_REFUSED);
    assert_int_equal(tenon_step(model), TENON_INVALID);
    assert_int_equal(tenon_run(model), TENON_INVALID);
    assert_int_equal(tenon_name_count(model), 0);
    assert_int_equal(tenon_sensor_count(model), 0);
    tenon_close(model);
    assert_int_equal(tenon_open_file("/nowhere/model.toml", &options, &model), TENON_INVALID);
    assert_non_null(strstr(tenon_reason(model), "cannot read"));
    tenon_close(model);
}

static void older_callers_have_shorter_messages(void **state)
{
    (void)state;
    tenon_model *model = NULL;
    const tenon_options options = tn_test_options();
    tenon_message message = {.size = offsetof(tenon_message, hint), .hint = "untouched"};
    assert_int_equal(tenon_open_text("[solve]\n", "model", NULL, &options, &model), TENON_INVALID);
    assert_int_equal(tenon_message_at(model, 0, &message), TENON_OK);
    assert_non_null(message.text);
    assert_string_equal(message.hint, "untouched");
    tenon_close(model);
}

static void texts_find_files_in_their_folder(void **state)
{
    (void)state;
    const tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    const tenon_status status = tenon_open_text("[include]\nfiles = ['slider_crank.toml']\n", "model",
                                                TENON_SOURCE_DIR "/configs/benchmarks", &options, &model);
    tn_test_good(model, status);
    assert_int_equal(tenon_name_count(model), 8); /* with the ground */
    tenon_close(model);
}

static void options_change_the_model(void **state)
{
    (void)state;
    static const char *const overrides[] = {"element.mass.mass=3", "solver.end_time=0.02"};
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    options.overrides = overrides;
    options.override_count = 2;
    options.solver = "generalized_alpha";
    tn_test_good(model, tenon_open_text(OSCILLATOR RK_OF_FIXED_STEP, "model", NULL, &options, &model));
    double mass[9];
    tn_test_good(model, tenon_matrix(model, TENON_MASS, mass));
    assert_true(mass[0] == 3.0);
    tn_test_good(model, tenon_run(model));
    assert_true(tenon_time(model) == 0.02);
    tenon_close(model);
}

static void expressions_become_sensors(void **state)
{
    (void)state;
    static const char *const sensors[] = {"speed=VX(mass)", "twice=2*DX(mass)"}, *const wrong[] = {
                                                                                     "s=2*DX(mas)"};
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    options.sensors = sensors;
    options.sensor_count = 2;
    tn_test_good(model, tenon_open_text(OSCILLATOR RK_OF_FIXED_STEP, "model", NULL, &options, &model));
    double v[3];
    tn_test_good(model, tenon_step_to(model, 0.2));
    tn_test_good(model, tenon_state(model, NULL, v));
    assert_true(sensor(model, "speed") == v[0]);
    assert_true(sensor(model, "twice") == 2.0 * sensor(model, "x"));
    assert_string_equal(tenon_sensor_unit(model, 4), "m/s");
    tenon_close(model);
    options.sensors = wrong;
    options.sensor_count = 1;
    assert_int_equal(tenon_open_text(OSCILLATOR RK_OF_FIXED_STEP, "model", NULL, &options, &model),
                     TENON_INVALID);
    tenon_message message = {.size = sizeof message};
    assert_int_equal(tenon_message_at(model, 0, &message), TENON_OK);
    assert_string_equal(message.file, "sensor s");
    assert_int_equal(message.column, 6);
    assert_string_equal(message.hint, "mass");
    tenon_close(model);
}

static void models_are_checked_without_solvers(void **state)
{
    (void)state;
    tenon_options options = tn_test_options();
    tenon_model *model = NULL;
    uint32_t freedom = 0, redundant = 99;
    assert_int_equal(tenon_open_text(OSCILLATOR, "model", NULL, &options, &model), TENON_INVALID);
    tenon_close(model);
    options.check_only = 1;
    tn_test_good(model, tenon_open_text(OSCILLATOR, "model", NULL, &options, &model));
    tn_test_good(model, tenon_check(model, &freedom, &redundant));
    assert_int_equal(freedom, 3);
    assert_int_equal(redundant, 0);
    tn_test_refused(model, tenon_run(model), "no [solver]");
    tn_test_refused(model, tenon_step(model), "no [solver]");
    tenon_close(model);
    model = tn_test_open_file(SLIDER_CRANK, NULL);
    tn_test_good(model, tenon_check(model, &freedom, &redundant));
    assert_int_equal(freedom, 1);
    tn_test_good(model, tenon_step(model));
    tn_test_refused(model, tenon_check(model, &freedom, &redundant), "started");
    tenon_close(model);
}

static void no_files_are_written_unless_asked_for(void **state)
{
    (void)state;
    char folder[] = "/tmp/tenon-library-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    tenon_model *model = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    tn_test_good(model, tenon_run(model));
    tenon_close(model);
    assert_int_equal(access("results", F_OK), -1);

    tenon_options options = tn_test_options();
    (void)snprintf(path, sizeof path, "%s/mine", folder);
    options.results = path;
    tn_test_good(model, tenon_open_text(OSCILLATOR RK_OF_FIXED_STEP, "model", NULL, &options, &model));
    tn_test_good(model, tenon_step(model));
    tenon_close(model); /* which ends the run there */
    char text[4096] = "";
    FILE *file = fopen("mine/run.toml", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "status = \"interrupted\""));
    assert_int_equal(unlink("mine/run.toml") | unlink("mine/sensors.csv") | unlink("mine/sensors.units.csv") |
                         unlink("mine/rows.tnl") | rmdir("mine") | rmdir(folder),
                     0);
    assert_int_equal(chdir("/"), 0);
}

/* ---- sensors and state ------------------------------------------------------------------------------------ */

static void names_and_units_are_told(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    assert_int_equal(tenon_sensor_count(model), 4);
    assert_string_equal(tenon_sensor_name(model, 0), "x");
    assert_string_equal(tenon_sensor_unit(model, 0), "m");
    assert_string_equal(tenon_sensor_name(model, 1), "pull.x");
    assert_string_equal(tenon_sensor_unit(model, 3), "N");
    assert_null(tenon_sensor_name(model, 4));
    size_t number = 7;
    assert_int_equal(tenon_sensor_find(model, "pull", &number), TENON_REFUSED);
    double value = 0.0;
    tn_test_refused(model, tenon_sensor_value(model, 4, &value), "no sensor number 4");
    size_t k = 0;
    while (tenon_name(model, k) && strcmp(tenon_name(model, k), "spring") != 0)
        k++;
    assert_string_equal(tenon_type(model, k), "spring_damper");
    assert_null(tenon_type(model, tenon_name_count(model)));
    tenon_close(model);
}

static void states_are_read_and_written(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    double q[3], v[3], a[3];
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_good(model, tenon_state(model, q, v));
    assert_true(q[0] == sensor(model, "x"));
    tn_test_good(model, tenon_set_state(model, (const double[]){1.2, 0, 0}, (const double[]){0, 0, 0}));
    assert_true(sensor(model, "x") == 1.2);
    tn_test_good(model, tenon_accelerations(model, a));
    assert_true(fabs(a[0] - (0.1 - 50 * 0.2) / 2) <
                1e-12); /* the hand pulls with the time, the spring back */
    tn_test_good(model, tenon_step(model));
    tn_test_good(model, tenon_state(model, NULL, v));
    assert_true(fabs(v[0] - -4.95e-2) < 1e-3);
    tn_test_good(model, tenon_run(model));
    tn_test_refused(model, tenon_set_state(model, q, v), "ended");
    tenon_close(model);
}

static void written_states_are_made_consistent(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_file(SLIDER_CRANK, NULL);
    tenon_sizes sizes = {.size = sizeof sizes};
    tn_test_good(model, tenon_sizes_of(model, &sizes));
    assert_int_equal(sizes.coordinates, 14);
    assert_int_equal(sizes.velocities, 12);
    assert_int_equal(sizes.multipliers, 14);
    double q[14], v[12], before[14], lambda[14];
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_good(model, tenon_state(model, q, v));
    memcpy(before, q, sizeof q);
    q[7] += 1e-3; /* the rod leaves its pin */
    tn_test_good(model, tenon_set_state(model, q, v));
    assert_true(sensor(model, "error") < 1e-9);
    tn_test_good(model, tenon_multipliers(model, lambda));
    tn_test_good(model, tenon_state(model, before, NULL));
    q[7] = 100; /* no crank is as long as that, wherever it stands */
    const tenon_status status = tenon_set_state(model, q, v);
    if (status == TENON_REFUSED) {
        tn_test_good(model, tenon_state(model, q, NULL));
        for (int k = 0; k < 14; k++)
            assert_true(fabs(q[k] - before[k]) < 1e-9);
    } else {
        tn_test_good(model, status);
        assert_true(sensor(model, "error") < 1e-9);
    }
    tn_test_good(model, tenon_step_to(model, 0.2));
    assert_true(sensor(model, "error") < 1e-8);
    tenon_close(model);
}

/* ---- parameters ------------------------------------------------------------------------------------------- */

static void parameters_change_as_by_a_change_of_the_model(void **state)
{
    (void)state;
    tenon_model *outside = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    tenon_model *inside = tn_test_open_text(
        OSCILLATOR RK_OF_FIXED_STEP
        "[[change]]\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 80\ntime = 0.2\n");
    tn_test_good(outside, tenon_step_to(outside, 0.2));
    assert_true(parameter(outside, "spring.stiffness") == 50.0);
    tn_test_good(outside, set(outside, "spring.stiffness", 80.0));
    assert_true(parameter(outside, "spring.stiffness") == 80.0);
    tn_test_good(outside, tenon_run(outside));
    tn_test_good(inside, tenon_run(inside));
    assert_true(sensor(outside, "x") == sensor(inside, "x"));
    tn_test_refused(outside, set(outside, "spring.stiffness", 80.0), "ended");
    tenon_close(outside);
    tenon_close(inside);
}

static void what_cannot_be_changed_stays_as_it_is(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(
        OSCILLATOR "[[element]]\nname = 'other'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
                   "stiffness = '1 + DX(mass)'\n" RK_OF_FIXED_STEP);
    tenon_model *untouched = tn_test_open_text(
        OSCILLATOR "[[element]]\nname = 'other'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
                   "stiffness = '1 + DX(mass)'\n" RK_OF_FIXED_STEP);
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_refused(model, set(model, "sprng.stiffness", 1.0), "no element or marker `sprng`");
    tn_test_refused(model, set(model, "spring.length", 1.0), "no parameter `length`");
    tn_test_refused(model, set(model, "stiffness", 1.0), "there is no element or marker");
    tn_test_refused(model, set(model, "mass.mass", 1.0), "cannot be changed during a run");
    tn_test_refused(model, set(model, "spring.reference_length", -1.0), "`reference_length`");
    tn_test_refused(model, set(model, "other.stiffness", 1.0), "expression");
    tn_test_refused(model, tenon_set_parameter(model, "spring.stiffness", (const double[]){1, 2}, 2),
                    "stiffness");
    tn_test_good(model, tenon_run(model));
    tn_test_good(untouched, tenon_run(untouched));
    assert_true(sensor(model, "x") == sensor(untouched, "x"));
    tenon_close(model);
    tenon_close(untouched);
}

static void vectors_are_parameters_too(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    double position[3] = {0};
    size_t count = 0;
    tn_test_good(model, tenon_parameter(model, "mass.position", position, 3, &count));
    assert_int_equal(count, 3);
    assert_true(position[0] == 1.1);
    tn_test_good(model, tenon_parameter(model, "mass.position", position, 0, &count));
    assert_int_equal(count, 3);
    tn_test_refused(model, tenon_parameter(model, "mass.colour", position, 3, &count), "no parameter");
    tenon_close(model);
}

/* ---- matrices --------------------------------------------------------------------------------------------- */

static void matrices_are_those_of_the_state(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(OSCILLATOR RK_OF_FIXED_STEP);
    double matrix[9];
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_good(model, tenon_matrix(model, TENON_MASS, matrix));
    assert_true(matrix[0] == 2.0 && matrix[1] == 0.0 && matrix[4] == 2.0 && matrix[8] == 2.0);
    tn_test_good(model, tenon_matrix(model, TENON_STIFFNESS, matrix));
    assert_true(fabs(matrix[0] - 50.0) < 1e-9);
    tn_test_good(model, tenon_matrix(model, TENON_DAMPING, matrix));
    assert_true(fabs(matrix[0] - 0.1) < 1e-12 && matrix[4] == 0.0);
    tn_test_refused(model, tenon_matrix(model, 4, matrix), "no matrix number 4");
    tenon_close(model);
}

static void columns_hold_what_the_full_matrix_holds(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_file(SLIDER_CRANK, NULL);
    tn_test_good(model, tenon_step_to(model, 0.05));
    for (int32_t which = TENON_MASS; which <= TENON_STIFFNESS; which++) {
        uint32_t rows = 0, columns = 0;
        size_t entries = 0;
        tn_test_good(model, tenon_matrix_sizes(model, which, &rows, &columns, &entries));
        assert_int_equal(rows, which == TENON_JACOBIAN ? 14 : 12);
        assert_int_equal(columns, 12);
        double *full = calloc((size_t)rows * columns, sizeof *full), *value = calloc(entries, sizeof *value);
        int32_t *start = calloc(columns + 1, sizeof *start), *row = calloc(entries, sizeof *row);
        tn_test_good(model, tenon_matrix(model, which, full));
        tn_test_good(model, tenon_matrix_columns(model, which, start, row, value));
        assert_int_equal(start[columns], entries);
        double left = 0.0, sum = 0.0;
        for (uint32_t j = 0; j < columns; j++)
            for (int32_t e = start[j]; e < start[j + 1]; e++) {
                assert_true(full[(uint32_t)row[e] * columns + j] == value[e]);
                full[(uint32_t)row[e] * columns + j] = 0.0;
                sum += fabs(value[e]);
            }
        for (size_t k = 0; k < (size_t)rows * columns; k++)
            left += fabs(full[k]);
        assert_true(left == 0.0 && sum > 0.0);
        free(full);
        free(value);
        free(start);
        free(row);
    }
    tenon_close(model);
}

/* G v vanishes where no constraint moves. */
static void velocities_obey_the_jacobian(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_file(SLIDER_CRANK, NULL);
    double G[14 * 12], v[12], largest = 0.0, speed = 0.0;
    tn_test_good(model, tenon_step_to(model, 0.3));
    tn_test_good(model, tenon_state(model, NULL, v));
    tn_test_good(model, tenon_matrix(model, TENON_JACOBIAN, G));
    for (int i = 0; i < 14; i++) {
        double sum = 0.0;
        for (int j = 0; j < 12; j++)
            sum += G[12 * i + j] * v[j];
        largest = fmax(largest, fabs(sum));
    }
    for (int j = 0; j < 12; j++)
        speed = fmax(speed, fabs(v[j]));
    assert_true(speed > 0.01 && largest < 1e-7);
    tenon_close(model);
}

/* What is read changes nothing. */
static void reading_leaves_the_run_as_it_is(void **state)
{
    (void)state;
    tenon_model *read = tn_test_open_file(SLIDER_CRANK, NULL), *left = tn_test_open_file(SLIDER_CRANK, NULL);
    double numbers[14 * 14], a[14], b[14];
    for (int k = 1; k <= 20; k++) {
        tn_test_good(read, tenon_step_to(read, 0.01 * k));
        tn_test_good(read, tenon_sensor_values(read, numbers));
        tn_test_good(read, tenon_accelerations(read, numbers));
        tn_test_good(read, tenon_multipliers(read, numbers));
        for (int32_t which = TENON_MASS; which <= TENON_STIFFNESS; which++)
            tn_test_good(read, tenon_matrix(read, which, numbers));
    }
    tn_test_good(left, tenon_step_to(left, 0.2));
    tn_test_good(read, tenon_state(read, a, NULL));
    tn_test_good(left, tenon_state(left, b, NULL));
    assert_memory_equal(a, b, sizeof a);
    tenon_close(read);
    tenon_close(left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_messages),
                                       cmocka_unit_test(older_callers_have_shorter_messages),
                                       cmocka_unit_test(texts_find_files_in_their_folder),
                                       cmocka_unit_test(options_change_the_model),
                                       cmocka_unit_test(expressions_become_sensors),
                                       cmocka_unit_test(models_are_checked_without_solvers),
                                       cmocka_unit_test(no_files_are_written_unless_asked_for),
                                       cmocka_unit_test(names_and_units_are_told),
                                       cmocka_unit_test(states_are_read_and_written),
                                       cmocka_unit_test(written_states_are_made_consistent),
                                       cmocka_unit_test(parameters_change_as_by_a_change_of_the_model),
                                       cmocka_unit_test(what_cannot_be_changed_stays_as_it_is),
                                       cmocka_unit_test(vectors_are_parameters_too),
                                       cmocka_unit_test(matrices_are_those_of_the_state),
                                       cmocka_unit_test(columns_hold_what_the_full_matrix_holds),
                                       cmocka_unit_test(velocities_obey_the_jacobian),
                                       cmocka_unit_test(reading_leaves_the_run_as_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
