/* test_body.h - a marker that rides on the body driven by test_element.h: binding, pose, twist and pull-back. */
#ifndef TENON_TEST_BODY_H
#define TENON_TEST_BODY_H

#include "test_element.h"

static inline tn_status test_bind(test_element *e, uint32_t kind, tn_vec3 position, const double *rotation)
{
    assert_true(e->type->attachment_size <= sizeof e->data);
    memset(e->data, 0, sizeof e->data);
    e->attachment = (tn_attachment){.struct_size = sizeof(tn_attachment),
                                    .kind = kind,
                                    .data = e->data,
                                    .alias_pose = -1,
                                    .alias_twist = -1};
    memcpy(e->attachment.position, &position, sizeof position);
    memcpy(e->attachment.rotation, rotation, 9 * sizeof *rotation);
    return e->type->bind(&e->host.table, e->instance, &e->attachment);
}

/* One of its coordinates; its only one for NULL. */
static inline tn_status test_bind_coordinate(test_element *e, const char *name)
{
    assert_true(e->type->attachment_size <= sizeof e->data);
    memset(e->data, 0, sizeof e->data);
    e->host.parameter[0] = 0;
    e->attachment = (tn_attachment){.struct_size = sizeof(tn_attachment),
                                    .kind = TN_COORDINATE,
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    .coordinate = name,
                                    .data = e->data,
                                    .alias_pose = -1,
                                    .alias_twist = -1};
    return e->type->bind(&e->host.table, e->instance, &e->attachment);
}

/* It takes x, y and z of a point: any other name, and none, is refused with the choices. */
static inline void test_only_axes_are_coordinates(test_element *e, bool needs_name)
{
    static const char *const wrong[] = {"w", "xy", "X", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(test_bind_coordinate(e, wrong[i]), TN_INVALID);
        assert_string_equal(e->host.parameter, "coordinate");
        assert_non_null(strstr(e->host.message, "one of x, y, z"));
    }
    if (!needs_name) return;
    assert_int_equal(test_bind_coordinate(e, NULL), TN_INVALID);
    assert_string_equal(e->host.parameter, "coordinate");
    assert_non_null(strstr(e->host.message, "(x, y, z)"));
}

/* Pose, twist or pull-back of the marker that was bound, into e->pose and e->twist, onto e->force. */
static inline void test_ride(test_element *e, tn_attachment_function function)
{
    const uint32_t body = 0;
    tn_attachments attachments = {.struct_size = sizeof(tn_attachments),
                                  .count = 1,
                                  .kind = e->attachment.kind,
                                  .nq = e->layout.nq,
                                  .nv = e->layout.nv,
                                  .data_size = (uint32_t)e->type->attachment_size,
                                  .body = &body,
                                  .data = e->data,
                                  .instance = e->instance,
                                  .instance_stride = e->batch.instance_stride,
                                  .q = e->q,
                                  .v = e->v,
                                  .pose = e->pose,
                                  .twist = e->twist,
                                  .wrench = e->wrench,
                                  .force = e->force};
    assert_int_equal(function(&attachments), TN_OK);
}

#endif
