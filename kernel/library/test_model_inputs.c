/* test_model_inputs.c - inputs are listed, and what is set between steps drives the motion from there on */
#include "library/test_library.h"

#include <math.h>

#define DRIVEN                                                                                            \
    "[[input]]\nname = 'push'\nunit = 'kN'\nvalue = 0\n[[input]]\nname = 'share'\nunit = ''\nvalue = 1\n" \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1000\n"                                      \
    "[[element]]\nname = 'force'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['share*push', 0, 0]\n"       \
    "[[sensor]]\nname = 'x'\nexpression = 'DX(mass)'\n"
#define EXPLICIT "[solver]\ntype = 'rk'\norder = 4\nstep = 0.01\nend_time = 1\n"
#define IMPLICIT "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n"

static void inputs_are_listed_in_their_units(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(DRIVEN EXPLICIT);
    size_t number = 7;
    double value = -1.0;
    assert_int_equal(tenon_input_count(model), 2);
    assert_string_equal(tenon_input_name(model, 0), "push");
    assert_string_equal(tenon_input_unit(model, 0), "kN");
    assert_string_equal(tenon_input_unit(model, 1), "");
    assert_null(tenon_input_name(model, 2));
    assert_int_equal(tenon_input_find(model, "share", &number), TENON_OK);
    assert_int_equal(number, 1);
    assert_int_equal(tenon_input_find(model, "pull", &number), TENON_REFUSED);
    tn_test_good(model, tenon_input(model, 1, &value));
    assert_true(value == 1.0);
    assert_int_equal(tenon_set_input(model, 2, 1.0), TENON_REFUSED);
    assert_string_equal(tenon_reason(model), "there is no input number 2");
    assert_int_equal(tenon_set_input(model, 0, (double)NAN), TENON_REFUSED);
    tenon_close(model);
}

/* 2 kN for half a second, then as much against the motion: v returns to zero, and x = 2 (1/2)^2 m behind 1 s. */
static void what_is_set_drives_the_motion_from_there_on(void **state)
{
    (void)state;
    static const char *const models[] = {DRIVEN EXPLICIT, DRIVEN IMPLICIT};
    for (int k = 0; k < 2; k++) {
        tenon_model *model = tn_test_open_text(models[k]);
        double q[3], v[3], x = 0.0;
        tn_test_good(model, tenon_set_input(model, 0, 2.0)); /* before the start */
        for (int step = 0; step < 50; step++)
            tn_test_good(model, tenon_step(model));
        tn_test_good(model, tenon_set_input(model, 0, -2.0)); /* where it stands */
        for (int step = 50; step < 100; step++)
            tn_test_good(model, tenon_step(model));
        tn_test_good(model, tenon_state(model, q, v));
        tn_test_good(model, tenon_sensor_value(model, 0, &x));
        assert_true(fabs(v[0]) < 1e-9);
        assert_true(fabs(x - 0.5) < 1e-9);
        tenon_close(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_are_listed_in_their_units),
                                       cmocka_unit_test(what_is_set_drives_the_motion_from_there_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
