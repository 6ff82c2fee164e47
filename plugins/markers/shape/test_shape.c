/* test_shape.c - what a shape says of itself, where it rides, and which sizes it refuses */
#include <tenon/draft/shapes.h>

#include "../../elements/test_element.h"

#include <unistd.h>

static const char *const words[] = {"sphere", "box", "capsule", "cylinder", "plane", "mesh"};

/* A file of one triangle. */
static const char *mesh_file(const char *text)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/tenon_shape_%d.obj", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}
#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

static void shape_begin(test_element *e, tn_shape_kind kind)
{
    test_begin(e, "shape");
    *(int32_t *)test_place(e, test_parameter(e, "kind")) = (int32_t)kind;
}

static tn_status prepare(test_element *e) { return e->marker_type->prepare(&e->host.table, e->instance); }

/* On memory that held something else. */
static tn_shape shape_of(test_element *e)
{
    tn_shape shape = {.struct_size = sizeof shape};
    test_no_numbers(shape.size, 3);
    test_no_numbers(shape.color, 4);
    assert_int_equal(prepare(e), TN_OK);
    assert_int_equal(e->marker_type->shape(&e->host.table, e->instance, &shape), TN_OK);
    return shape;
}

static void test_rides_on_an_element_as_a_frame(void **state)
{
    (void)state;
    test_element e;
    shape_begin(&e, TN_SPHERE);
    tn_attachment attachment = {.struct_size = sizeof attachment};
    test_give(&e, "position", 1, 2, 3);
    test_store(&e, "rotation", TEST_TURN_Z, 9);
    assert_int_equal(e.marker_type->kind, TN_FRAME);
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    expect_numbers(attachment.position, 1, 2, 3);
    expect_numbers(attachment.rotation, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    test_end(&e);
}

static void test_sizes_of_each_kind(void **state)
{
    (void)state;
    test_element e;
    shape_begin(&e, TN_SPHERE);
    test_give(&e, "radius", 0.5);
    test_give(&e, "visible", 1);
    tn_shape shape = shape_of(&e);
    assert_int_equal(shape.kind, TN_SPHERE);
    expect_numbers(shape.size, 0.5, 0, 0);
    expect_numbers(shape.color, 0.7, 0.7, 0.7, 1);
    assert_int_equal(shape.visible, 1);
    assert_null(shape.material);
    test_end(&e);

    shape_begin(&e, TN_BOX);
    test_give(&e, "size", 1, 2, 3);
    shape = shape_of(&e);
    expect_numbers(shape.size, 1, 2, 3);
    test_end(&e);

    for (int kind = TN_CAPSULE; kind <= TN_CYLINDER; kind++) {
        shape_begin(&e, (tn_shape_kind)kind);
        test_give(&e, "radius", 0.1);
        test_give(&e, "length", 0.4);
        shape = shape_of(&e);
        expect_numbers(shape.size, 0.1, 0.4, 0);
        test_end(&e);
    }

    shape_begin(&e, TN_PLANE);
    shape = shape_of(&e);
    expect_numbers(shape.size, 1, 1, 0);
    test_give(&e, "size", 2, 3);
    shape = shape_of(&e);
    expect_numbers(shape.size, 2, 3, 0);
    test_end(&e);

    shape_begin(&e, TN_MESH);
    const char *mesh = *(const char **)test_place(&e, test_parameter(&e, "mesh")) = mesh_file(TRIANGLE);
    shape = shape_of(&e);
    expect_numbers(shape.size, 1, 1, 1);
    assert_string_equal(shape.mesh, mesh);
    (void)unlink(mesh);
    test_end(&e);
}

static void expect_refusal(test_element *e, const char *parameter, const char *text)
{
    assert_int_equal(prepare(e), TN_INVALID);
    assert_string_equal(e->host.parameter, parameter);
    assert_string_equal(e->host.message, text);
    test_end(e);
}

static void test_sizes_that_are_missing_are_named(void **state)
{
    (void)state;
    test_element e;
    shape_begin(&e, TN_SPHERE);
    expect_refusal(&e, "", "a sphere: the key `radius` is missing");
    shape_begin(&e, TN_BOX);
    expect_refusal(&e, "", "a box: the key `size` is missing, with lengths along x, y and z");
    shape_begin(&e, TN_CAPSULE);
    test_give(&e, "radius", 1);
    expect_refusal(&e, "", "a capsule: the key `length` is missing");
    shape_begin(&e, TN_MESH);
    expect_refusal(&e, "", "a mesh: the key `mesh`, a file, is missing");
}

static void test_sizes_that_have_no_meaning_are_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        static const char *const keys[] = {"radius", "length", "scale"};
        static const unsigned has[] = {1u << TN_SPHERE | 1u << TN_CAPSULE | 1u << TN_CYLINDER,
                                       1u << TN_CAPSULE | 1u << TN_CYLINDER, 1u << TN_MESH};
        for (int k = 0; k < 3; k++) {
            if (has[k] >> kind & 1) continue;
            char text[64];
            test_element e;
            shape_begin(&e, (tn_shape_kind)kind);
            *(const char **)test_place(&e, test_parameter(&e, "mesh")) = kind == TN_MESH ? "hull.stl" : NULL;
            if (kind != TN_PLANE && kind != TN_MESH && kind != TN_BOX) test_give(&e, "radius", 1);
            if (kind == TN_CAPSULE || kind == TN_CYLINDER) test_give(&e, "length", 1);
            if (kind == TN_BOX) test_give(&e, "size", 1, 1, 1);
            if (k == 2)
                test_give(&e, "scale", 1, 1, 1);
            else
                test_give(&e, keys[k], 1);
            (void)snprintf(text, sizeof text, "a %s has no `%s`", words[kind], keys[k]);
            expect_refusal(&e, keys[k], text);
        }
    }
}

static void test_lengths_of_zero_are_refused(void **state)
{
    (void)state;
    test_element e;
    shape_begin(&e, TN_BOX);
    test_give(&e, "size", 1, 2); /* a third one is missing */
    expect_refusal(&e, "size", "a box has three lengths, each above 0");
    shape_begin(&e, TN_PLANE);
    test_give(&e, "size", 1, 0);
    expect_refusal(&e, "size", "a plane has two lengths, each above 0");
    shape_begin(&e, TN_PLANE);
    test_give(&e, "size", 1, 1, 1);
    expect_refusal(&e, "size", "a plane has two lengths, along x and y");
    shape_begin(&e, TN_MESH);
    *(const char **)test_place(&e, test_parameter(&e, "mesh")) = "hull.stl";
    test_give(&e, "scale", 1, 0, 1);
    expect_refusal(&e, "scale", "a factor of 0 leaves nothing of a mesh");
}

static void expect_mesh(const char *text, const char *wanted)
{
    test_element e;
    shape_begin(&e, TN_MESH);
    const char *mesh = *(const char **)test_place(&e, test_parameter(&e, "mesh")) = mesh_file(text);
    if (wanted) {
        assert_int_equal(prepare(&e), TN_INVALID);
        assert_string_equal(e.host.parameter, "mesh");
        assert_memory_equal(e.host.message, mesh, strlen(mesh));
        assert_string_equal(e.host.message + strlen(mesh), wanted);
    } else {
        assert_int_equal(prepare(&e), TN_OK);
    }
    (void)unlink(mesh);
    test_end(&e);
}

/* A file that was good is read again when it has changed. */
static void test_files_of_meshes_are_read(void **state)
{
    (void)state;
    expect_mesh(TRIANGLE, NULL);
    expect_mesh(TRIANGLE "f 1 2 4\n", ":5: there is no vertex 4: 3 were given so far");
    expect_mesh("v 0 0 nan\n", ":1: 'nan' is not finite");
    expect_mesh("", ": the file is empty");
    expect_mesh(TRIANGLE, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rides_on_an_element_as_a_frame),
        cmocka_unit_test(test_sizes_of_each_kind),
        cmocka_unit_test(test_sizes_that_are_missing_are_named),
        cmocka_unit_test(test_sizes_that_have_no_meaning_are_refused),
        cmocka_unit_test(test_lengths_of_zero_are_refused),
        cmocka_unit_test(test_files_of_meshes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
