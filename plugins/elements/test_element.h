/* test_element.h - drives one instance of the type in a plugin by hand: parameters by their names, markers put
 * in place, outputs by their names. The type is that of the built library, exact passes included. */
#ifndef TENON_TEST_ELEMENT_H
#define TENON_TEST_ELEMENT_H

#include "../solvers/test_host.h"

#include <tenon/algebra.h>
#include <tenon/turns.h>

#include "config/plugin_texts.h"
#include "plugin/loader.h"

#define TEST_MARKERS 4u
#define TEST_PORTS 4u

/* Rotations by a right angle, matrices by rows. */
#define TEST_NO_TURN ((const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1})
#define TEST_TURN_X ((const double[9]){1, 0, 0, 0, 0, -1, 0, 1, 0})
#define TEST_TURN_Z ((const double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1})

typedef struct test_element {
    tn_loaded library;
    const tn_loaded_element *type;
    const tn_loaded_marker *marker_type; /* instead, when the plugin is a marker */
    const tn_parameter *parameters;
    test_host host;
    void *instance;
    tn_batch batch;
    tn_failure failure;
    tn_layout layout;
    tn_attachment attachment;
    uint32_t kind[TEST_MARKERS], port_first[TEST_PORTS + 1];
    tn_marker_place place[TEST_MARKERS];
    tn_column_block columns[3];
    uint8_t active[2];
    double pose[12 * TEST_MARKERS], twist[6 * TEST_MARKERS], wrench[6 * TEST_MARKERS];
    double tangent[72 * TEST_MARKERS * TEST_MARKERS];
    double q[7], v[6], a[6], force[6], mass[36], rate[7], gravity[3], value[18], data[16], discrete[32];
} test_element;

static inline void test_no_numbers(double *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)NAN;
}

/* ---- comparison ---- */

static inline void test_compare(const double *got, const double *expected, size_t count, const char *file,
                                int line)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(got[i] - expected[i]) <= 1e-13 * (1.0 + fabs(expected[i])))) {
            print_error("entry %zu: %.17g instead of %.17g\n", i, got[i], expected[i]);
            _fail(file, line);
        }
}
#define TEST_COUNT(...) (sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
/* expect_numbers(got, 1, 2, 3): the first three numbers of `got`. */
#define expect_numbers(got, ...) \
    test_compare(got, (const double[]){__VA_ARGS__}, TEST_COUNT(__VA_ARGS__), __FILE__, __LINE__)

/* ---- parameters ---- */

static inline const tn_parameter *test_parameter(const test_element *e, const char *name)
{
    for (const tn_parameter *p = e->parameters; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    fail_msg("there is no parameter `%s`", name);
    return NULL;
}

static inline void *test_place(const test_element *e, const tn_parameter *p)
{
    return (char *)e->instance + p->offset;
}

/* As the kernel stores the numbers of a real, a rotation by rows or booleans. */
static inline void test_store(const test_element *e, const char *name, const double *numbers, size_t count)
{
    const tn_parameter *p = test_parameter(e, name);
    if (p->kind == TN_KIND_BOOLEAN) {
        assert_int_equal(count, p->count);
        for (size_t i = 0; i < count; i++)
            ((int32_t *)test_place(e, p))[i] = numbers[i] != 0.0;
        return;
    }
    const size_t size = p->kind == TN_KIND_ROTATION ? 9 : p->count;
    assert_true(count == size || (count > 0 && count == p->count_alternative));
    double *to = test_place(e, p);
    for (size_t i = 0; i < size; i++)
        to[i] = i < count ? numbers[i] : 0.0;
}
/* test_give(&e, "position", 1, 2, 3) */
#define test_give(e, name, ...) test_store(e, name, (const double[]){__VA_ARGS__}, TEST_COUNT(__VA_ARGS__))

static inline void test_store_defaults(const test_element *e)
{
    for (const tn_parameter *p = e->parameters; p->name; p++)
        if (p->kind == TN_KIND_ROTATION)
            memcpy(test_place(e, p), TEST_NO_TURN, sizeof TEST_NO_TURN);
        else if (p->kind == TN_KIND_REAL)
            for (uint32_t i = 0; i < p->count; i++)
                ((double *)test_place(e, p))[i] = p->flags & TN_OPTIONAL ? (double)NAN : p->standard;
}

/* ---- begin and end ---- */

/* The marker or element of that name, or else the first type. */
static inline const tn_loaded_type *test_type(const tn_loaded *library, const char *name)
{
    for (size_t k = 0; k < library->type_count; k++)
        if ((strcmp(library->types[k].kind->key, TN_MARKER_KIND) == 0 ||
             strcmp(library->types[k].kind->key, TN_ELEMENT_KIND) == 0) &&
            strcmp(library->types[k].name, name) == 0)
            return &library->types[k];
    return library->types;
}

/* The type NAME, or else the first one, of the plugin NAME.so, which stays loaded. */
static inline void test_begin(test_element *e, const char *name)
{
    char path[1024];
    tn_reason reason;
    (void)snprintf(path, sizeof path, "%s/%s.so", TENON_PLUGINS, name);
    memset(e, 0, sizeof *e);
    test_host_begin(&e->host);
    if (tn_load(path, &tn_reader_loading, &e->library, &reason) != TN_LOADED) fail_msg("%s", reason.text);
    const tn_loaded_type *type = test_type(&e->library, name);
    const bool is_marker = strcmp(type->kind->key, TN_MARKER_KIND) == 0;
    *(is_marker ? (const void **)&e->marker_type : (const void **)&e->type) = type->type;
    e->parameters = is_marker ? e->marker_type->parameters : e->type->parameters;
    const size_t size = is_marker ? e->marker_type->instance_size : e->type->instance_size;
    e->instance = e->host.table.allocate(&e->host.table, size);
    assert_non_null(e->instance);
    test_store_defaults(e);
    memset(e->active, 1, sizeof e->active);
    e->batch = (tn_batch){.struct_size = sizeof(tn_batch),
                          .count = 1,
                          .host = &e->host.table,
                          .gravity = e->gravity,
                          .instance = e->instance,
                          .instance_stride = size,
                          .active = e->active,
                          .failure = &e->failure,
                          .port_first = e->port_first,
                          .marker_kind = e->kind,
                          .marker = e->place,
                          .pose = e->pose,
                          .twist = e->twist,
                          .wrench = e->wrench,
                          .tangent = e->tangent,
                          .layout = &e->layout,
                          .q = e->q,
                          .v = e->v,
                          .a = e->a,
                          .force = e->force,
                          .d = e->discrete,
                          .mass = e->mass,
                          .rate = e->rate,
                          .value = e->value};
}

static inline void test_end(test_element *e) { test_host_end(&e->host); }

/* What the kernel does before a run: prepare, then layout. */
static inline tn_status test_prepare(test_element *e)
{
    const tn_host *host = &e->host.table;
    tn_status status = e->type->prepare ? e->type->prepare(host, e->instance) : TN_OK;
    e->layout = (tn_layout){.struct_size = sizeof(tn_layout),
                            .marker_count = e->batch.marker_count,
                            .marker_kind = e->kind,
                            .port_first = e->port_first};
    if (status == TN_OK && e->type->layout) status = e->type->layout(host, e->instance, &e->layout);
    return status;
}

/* A body at its start values. */
static inline void test_start(test_element *e)
{
    assert_int_equal(test_prepare(e), TN_OK);
    assert_int_equal(e->type->initial(&e->host.table, e->instance, e->q, e->v, NULL, NULL, NULL), TN_OK);
}

/* ---- connectors: markers, port by port, and what they receive ---- */

static inline void test_marker(test_element *e, uint32_t port, uint32_t kind, tn_vec3 position,
                               const double *rotation, tn_vec3 velocity)
{
    const uint32_t k = e->batch.marker_count++;
    assert_true(k < TEST_MARKERS && port < TEST_PORTS);
    e->kind[k] = kind;
    e->place[k] = (tn_marker_place){12 * k, 6 * k};
    memcpy(e->pose + 12 * k, &position, sizeof position);
    memcpy(e->pose + 12 * k + 3, rotation, 9 * sizeof *rotation);
    memcpy(e->twist + 6 * k, &velocity, sizeof velocity);
    e->batch.wrench_size += tn_twist_size(kind);
    for (uint32_t p = port; p < TEST_PORTS; p++)
        e->port_first[p + 1] = k + 1;
}

static inline void test_point(test_element *e, uint32_t port, tn_vec3 position, tn_vec3 velocity)
{
    test_marker(e, port, TN_POINT, position, TEST_NO_TURN, velocity);
}

static inline void test_frame(test_element *e, uint32_t port, tn_vec3 position, const double *rotation)
{
    test_marker(e, port, TN_FRAME, position, rotation, tn_zero());
}

/* A frame that moves. */
static inline void test_moving_frame(test_element *e, uint32_t port, tn_vec3 position, tn_quaternion rotation,
                                     tn_vec3 velocity, tn_vec3 angular_velocity)
{
    const tn_mat3 R = tn_rotation_of(rotation);
    test_marker(e, port, TN_FRAME, position, (const double *)&R, velocity);
    memcpy(e->twist + 6 * (e->batch.marker_count - 1) + 3, &angular_velocity, sizeof angular_velocity);
}

static inline tn_status test_force(test_element *e)
{
    test_no_numbers(e->wrench, sizeof e->wrench / sizeof(double));
    return e->type->force(&e->batch);
}

/* Into e->tangent, columns: poses, twists, dynamic parameters. */
static inline tn_status test_force_tangent(test_element *e)
{
    const uint32_t W = e->batch.wrench_size, parameters = e->batch.dynamic_columns;
    e->columns[0] = (tn_column_block){TN_POSE_COLUMNS, 0, W};
    e->columns[1] = (tn_column_block){TN_TWIST_COLUMNS, W, W};
    e->columns[2] = (tn_column_block){TN_PARAMETER_COLUMNS, 2 * W, parameters};
    e->batch.columns = e->columns;
    e->batch.column_blocks = 3;
    e->batch.tangent_stride = 2 * W + parameters;
    return e->type->force_tangent(&e->batch);
}

/* One output by its name, into e->value. */
static inline tn_status test_output(test_element *e, const char *name)
{
    test_no_numbers(e->value, sizeof e->value / sizeof(double));
    for (const tn_output *output = e->type->outputs; output->name; output++)
        if (strcmp(output->name, name) == 0) {
            e->batch.output = (uint32_t)(output - e->type->outputs);
            return e->type->output(&e->batch);
        }
    fail_msg("there is no output `%s`", name);
    return TN_FATAL;
}

static inline const double *test_value(test_element *e, const char *name)
{
    assert_int_equal(test_output(e, name), TN_OK);
    return e->value;
}

/* The potential of the connector after its markers have moved for a time with their twists. */
static inline double test_potential_after(test_element *e, double time)
{
    double pose[12 * TEST_MARKERS];
    memcpy(pose, e->pose, sizeof pose);
    for (uint32_t k = 0; k < e->batch.marker_count; k++) {
        const double *twist = e->twist + 6 * k;
        double *p = e->pose + 12 * k;
        for (int i = 0; i < 3; i++)
            p[i] += time * twist[i];
        if (e->kind[k] != TN_FRAME) continue;
        const tn_mat3 turn =
            tn_rotation_of(tn_exponential(tn_scale(time, tn_vector(twist[3], twist[4], twist[5]))));
        tn_mat3 R;
        memcpy(&R, p + 3, sizeof R);
        R = tn_multiply(turn, R);
        memcpy(p + 3, &R, sizeof R);
    }
    assert_int_equal(e->type->potential(&e->batch), TN_OK);
    memcpy(e->pose, pose, sizeof pose);
    return e->value[0];
}

/* What the wrenches supply, what is dissipated and what is stored add up to nothing. Returns what is dissipated. */
static inline double test_balance_of_power(test_element *e)
{
    const double h = 1e-3;
    const double stored = (8 * (test_potential_after(e, h) - test_potential_after(e, -h)) -
                           (test_potential_after(e, 2 * h) - test_potential_after(e, -2 * h))) /
                          (12 * h);
    double power = 0.0, size = 0.0;
    const double *wrench = e->wrench;
    assert_int_equal(test_force(e), TN_OK);
    for (uint32_t k = 0; k < e->batch.marker_count; k++)
        for (uint32_t i = 0; i < tn_twist_size(e->kind[k]); i++) {
            power += *wrench * e->twist[6 * k + i];
            size += fabs(*wrench++ * e->twist[6 * k + i]);
        }
    assert_int_equal(e->type->dissipation(&e->batch), TN_OK);
    assert_true(fabs(power + e->value[0] + stored) <= 1e-9 * (size + e->value[0]));
    return e->value[0];
}

#endif
