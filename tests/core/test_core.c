/* test_core.c - the core by itself: it loads plugins, builds models by calls and lets solvers run. This program is linked to the
 * folders of kernel/core alone. */
#include "model/builder.h"
#include "system/accept.h"
#include "system/linear.h"
#include "system/services.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const tn_location here = {{"test_core.c", 1, 1}, NULL};

/* ---- reports --------------------------------------------------------------------------------------------- */

static size_t errors;
static char last_error[512];

static void collect(void *data, tn_severity severity, tn_place place, const char *format, va_list arguments)
{
    (void)data, (void)place;
    if (severity != TN_SEVERITY_ERROR) return;
    errors++;
    (void)vsnprintf(last_error, sizeof last_error, format, arguments);
}

static size_t count_errors(void *data)
{
    (void)data;
    return errors;
}

static const tn_reports reports = {.collect = collect, .tell = collect, .errors = count_errors};

/* ---- models by calls ------------------------------------------------------------------------------------- */

typedef struct fixture {
    tn_registry *registry;
    tn_model *model;
    tn_assembly *assembly;
} fixture;

static void open_fixture(fixture *f)
{
    *f = (fixture){.registry = tn_registry_new(TENON_BINARY, (tn_loading){0})};
    errors = 0;
    last_error[0] = '\0';
    assert_true(tn_registry_add_directory(f->registry, TENON_PLUGINS));
    f->model = tn_model_new(f->registry, &reports);
}

static void close_fixture(fixture *f)
{
    if (f->assembly) tn_linear_close(f->assembly);
    tn_model_release(f->model);
}

/* Where a parameter stands in an instance. */
static void *parameter_of(const tn_parameter *parameters, void *instance, const char *name)
{
    for (const tn_parameter *p = parameters; p->name; p++)
        if (strcmp(p->name, name) == 0) return (char *)instance + p->offset;
    fail_msg("there is no parameter %s", name);
    return NULL;
}

static void give(fixture *f, uint32_t item, const char *name, double x, double y, double z)
{
    const tn_use *use = &f->model->use[f->model->item[item].use];
    double *number = parameter_of(use->type->parameters, tn_item_instance(f->model, item), name);
    const double values[] = {x, y, z};
    for (const tn_parameter *p = use->type->parameters; p->name; p++)
        if (strcmp(p->name, name) == 0) memcpy(number, values, p->count * sizeof *number);
}

/* An element with as many markers as `markers` has names, at one port. */
static uint32_t add(fixture *f, const char *type, const char *name, uint32_t markers)
{
    tn_model *model = f->model;
    tn_origin *origin = tn_arena_new(&model->arena, sizeof *origin);
    uint32_t *first = tn_arena_new(&model->arena, 2 * sizeof *first);
    first[1] = markers;
    *origin = (tn_origin){.at = &here,
                          .name_place = here.place,
                          .use = tn_use_named(model, TN_ELEMENT_KIND, &here, type),
                          .port_first = first,
                          .active = true};
    assert_int_not_equal(origin->use, TN_NONE);
    return tn_item_add(model, origin, name, NULL);
}

static void connect(fixture *f, uint32_t item, uint32_t a, uint32_t b)
{
    const tn_model *model = f->model;
    const uint32_t kind = model->use[model->item[item].use].ports[0].kind;
    const uint32_t markers[] = {tn_marker_of(f->model, a, kind, &here),
                                tn_marker_of(f->model, b, kind, &here)};
    assert_int_not_equal(markers[0], TN_NONE);
    assert_int_not_equal(markers[1], TN_NONE);
    tn_item_connect(f->model, item, markers, 2);
}

static uint32_t add_mass(fixture *f, double mass, double x, double y)
{
    const uint32_t item = add(f, "mass_point", "mass", 0);
    give(f, item, "mass", mass, 0.0, 0.0);
    give(f, item, "position", x, y, 0.0);
    tn_item_complete(f->model, item);
    return item;
}

/* ---- runs ------------------------------------------------------------------------------------------------- */

/* Lets a solver run from 0 to end_time, with its standard parameters. */
static tn_status run(fixture *f, const char *solver, double step, double end_time)
{
    static const tn_services nothing = {0};
    tn_model *model = f->model;
    const tn_loaded_solver *type = tn_model_type(model, TN_SOLVER_KIND, &here, solver);
    const tn_loaded_linear *linear = tn_model_type(model, TN_LINEAR_KIND, &here, "dense");
    assert_non_null(type);
    assert_non_null(linear);
    void *instance = tn_arena_new(&model->arena, type->instance_size + 1);
    void *of_linear = tn_arena_new(&model->arena, linear->instance_size + 1);
    tn_parameters_set_defaults(type->parameters, instance);
    tn_parameters_set_defaults(linear->parameters, of_linear);
    tn_run keys = {.struct_size = sizeof keys,
                   .end_time = end_time,
                   .step = step,
                   .maximum_step = HUGE_VAL,
                   .relative_tolerance = 1e-6};
    if (type->prepare) assert_int_equal(type->prepare(&model->host, instance, &keys), TN_OK);
    tn_derived_order(model);
    tn_markers_check(model);
    assert_int_equal(errors, 0);
    f->assembly = tn_assemble(model, &nothing);
    assert_non_null(f->assembly);
    tn_accept_begin(f->assembly, &keys, TN_NONE);
    tn_linear_open(f->assembly, linear, of_linear);
    return type->advance(instance, &f->assembly->system);
}

static void test_a_mass_on_a_spring_swings_as_its_equation_says(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk", "generalized_alpha"};
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_fixture(&f);
        const uint32_t ground = tn_item_present(f.model, "ground"), mass = add_mass(&f, 2.0, 1.1, 0.0);
        const uint32_t spring = add(&f, "spring_damper", "spring", 2);
        give(&f, spring, "stiffness", 18.0, 0.0, 0.0);
        give(&f, spring, "reference_length", 1.0, 0.0, 0.0);
        tn_item_complete(f.model, spring);
        connect(&f, spring, ground, mass);
        assert_int_equal(run(&f, solvers[k], 1e-3, 1.0), TN_OK);
        assert_true(f.assembly->system.time == 1.0);
        /* m x'' + k (x - 1) = 0 from x = 1.1: the frequency is 3 rad/s */
        const double error = f.assembly->system.q[0] - (1.0 + 0.1 * cos(3.0));
        assert_true(fabs(error) < (k ? 1e-6 : 1e-9));
        close_fixture(&f);
    }
}

static void test_a_pendulum_keeps_its_length_and_energy(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk", "generalized_alpha"};
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_fixture(&f);
        f.model->gravity[1] = -9.81;
        const uint32_t ground = tn_item_present(f.model, "ground"), mass = add_mass(&f, 3.0, 1.0, 0.0);
        const uint32_t rod = add(&f, "distance", "rod", 2);
        give(&f, rod, "length", 1.0, 0.0, 0.0);
        tn_item_complete(f.model, rod);
        connect(&f, rod, ground, mass);
        assert_int_equal(run(&f, solvers[k], 1e-3, 1.0), TN_OK);
        const double *q = f.assembly->system.q, *v = f.assembly->system.v;
        const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * q[1];
        assert_true(fabs(hypot(q[0], q[1]) - 1.0) < 1e-8);
        assert_true(fabs(energy) < (k ? 1e-3 : 1e-6));
        assert_true(fabs(v[0]) > 0.1); /* it has moved */
        close_fixture(&f);
    }
}

static void test_mistakes_are_reported_and_building_goes_on(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    assert_int_equal(tn_use_named(f.model, TN_ELEMENT_KIND, &here, "spring_dampr"), TN_NONE);
    assert_string_equal(last_error, "unknown element type `spring_dampr`: did you mean `spring_damper`?");
    const uint32_t mass = add_mass(&f, 1.0, 0.0, 0.0);
    assert_int_equal(add(&f, "mass_point", "mass", 0), TN_NONE);
    assert_string_equal(last_error, "the name `mass` is taken, at line 1");
    assert_int_equal(tn_marker_of(f.model, mass, TN_FRAME, &here), TN_NONE);
    assert_string_equal(last_error, "`mass` is a mass_point: it cannot carry a frame");
    assert_int_equal(errors, 3);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mass_on_a_spring_swings_as_its_equation_says),
        cmocka_unit_test(test_a_pendulum_keeps_its_length_and_energy),
        cmocka_unit_test(test_mistakes_are_reported_and_building_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
