/* test_signal_calls.c - expressions that call functions of plugins with the data of signals: values, derivatives up to
 * the second order, smoothness, and one set of data for all calls. */
#include "tables/test_errors.h"
#include "values/value_graph.h"

#include <math.h>

#define SENSOR(name, text) "[[sensor]]\nname = \"" name "\"\nexpression = \"" text "\"\n"

static const char cubes[] =
    "[[signal]]\nname = \"cube\"\nid = 7\nx = [-2, -1, 0, 1, 2, 3]\n"
    "y = [-8, -1, 0, 1, 8, 27]\noutside = \"error\"\n" SENSOR("a", "CUBSPL(2*time, 0, cube)")
        SENSOR("b", "time*cubspl(time, 0, 7, 1)") SENSOR("c", "LINSPL(time, 0, 7)")
            SENSOR("d", "spline(7, time)");

typedef struct opened {
    char path[32];
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_model *model;
} opened;

static opened open_model(void)
{
    opened o = {.path = "/tmp/test_signal_calls_XXXXXX", .diagnostics = tn_diagnostics_new()};
    FILE *file = fdopen(mkstemp(o.path), "w");
    assert_non_null(file);
    assert_true(fputs(right_model, file) >= 0 && fputs(cubes, file) >= 0 && fclose(file) == 0);
    o.document = tn_document_read(o.path, o.diagnostics);
    assert_non_null(o.document);
    o.model = tn_model_read(o.document, o.diagnostics, registry, false);
    assert_int_equal(tn_error_count(o.diagnostics), 0);
    return o;
}

static void close_model(opened *o)
{
    tn_model_release(o->model);
    (void)unlink(o->path);
}

/* A not-a-knot cubic is the cubic itself. */
static void derivatives_of_all_orders_come_from_the_plugin(void **state)
{
    (void)state;
    opened o = open_model();
    for (double time = -0.9; time < 1.0; time += 0.17) {
        const double direction = 3.0;
        const struct {
            double value, slope, curvature;
        } wanted[] = {{8.0 * time * time * time, 24.0 * time * time, 48.0 * time},
                      {3.0 * time * time * time, 9.0 * time * time, 18.0 * time}};
        for (size_t k = 0; k < 2; k++) {
            double value, slope, product;
            const char *problem;
            assert_true(tn_expression_second(o.model->sensor[k].expression->expression, &time, &direction,
                                             &value, &slope, &product, &problem));
            assert_true(fabs(value - wanted[k].value) < 1e-13 && fabs(slope - wanted[k].slope) < 1e-13);
            assert_true(fabs(product - direction * wanted[k].curvature) < 1e-12);
        }
    }
    close_model(&o);
}

static void smoothness_comes_from_the_plugin(void **state)
{
    (void)state;
    static const int32_t smoothness[] = {2, 1, 0, 2};
    static const char *const names[] = {"cubspl", "cubspl", "linspl", "spline"};
    opened o = open_model();
    for (size_t k = 0; k < 4; k++) {
        const char *function = "";
        const tn_expression *expression = o.model->sensor[k].expression->expression;
        assert_true(tn_expression_is_smooth(expression, smoothness[k], &function));
        assert_false(tn_expression_is_smooth(expression, smoothness[k] + 1, &function));
        assert_string_equal(function, names[k]);
    }
    close_model(&o);
}

static void calls_share_their_data(void **state)
{
    (void)state;
    opened o = open_model();
    const tn_signal *signal = o.model->reader->signal[0];
    uint32_t methods = 0;
    for (const tn_signal *other = signal->sharing; other; other = other->sharing)
        methods++;
    assert_int_equal(methods, 2);
    close_model(&o);
}

static void outside_of_the_data_there_is_no_value(void **state)
{
    (void)state;
    opened o = open_model();
    const double time = 1.6;
    double value;
    const char *problem = "";
    assert_false(tn_expression_value(o.model->sensor[0].expression->expression, &time, &value, &problem));
    assert_string_equal(problem, "signal `cube`: its data reach from -2 to 3");
    close_model(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_of_all_orders_come_from_the_plugin),
                                       cmocka_unit_test(smoothness_comes_from_the_plugin),
                                       cmocka_unit_test(calls_share_their_data),
                                       cmocka_unit_test(outside_of_the_data_there_is_no_value)};
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
