/* test_forces.c - each name asks for what it says: form, component, formula */
#include "forces.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const tn_measure_type *measure(const char *name)
{
    for (const tn_type *type = tn_plugin_library()->types; type->kind; type++)
        if (strcmp(((const tn_measure_type *)type->type)->name, name) == 0) return type->type;
    fail_msg("there is no measure %s", name);
    return NULL;
}

static void test_names_of_components_tell_them_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {"fm", "fx", "fy", "fz", "tm", "tx", "ty", "tz"};
    for (uint32_t k = 0; k < 8; k++) {
        assert_int_equal(measure(names[k])->form, TN_MEASURE_MARKER);
        assert_int_equal(measure(names[k])->component, TN_FORCE_MAGNITUDE + k);
    }
}

static void test_others_take_the_component_as_an_argument(void **state)
{
    (void)state;
    size_t constraints = 0, forces = 0;
    for (const tn_type *type = tn_plugin_library()->types; type->kind; type++) {
        const tn_measure_type *found = type->type;
        assert_string_equal(type->kind, TN_MEASURE_KIND);
        assert_memory_equal(found->formula, found->name, strlen(found->name));
        constraints += found->form == TN_MEASURE_CONSTRAINT;
        forces += found->form == TN_MEASURE_FORCE;
        if (found->form != TN_MEASURE_MARKER) assert_int_equal(found->component, 0);
    }
    assert_int_equal(constraints, 7);
    assert_int_equal(forces, 11);
    assert_int_equal(measure("varfrc")->form, TN_MEASURE_VARIABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_of_components_tell_them_in_order),
                                       cmocka_unit_test(test_others_take_the_component_as_an_argument)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
