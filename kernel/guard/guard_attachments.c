/* guard_attachments.c - guarded calls of the functions of bodies for markers that ride on them */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

#include <string.h>

/* What each function writes: poses, twists, forces of the bodies, or matrices with rows of as many coordinates. */
typedef enum output { POSE, TWIST, FORCE, ROWS_OF_TWIST, ROWS_OF_FORCE } output;

typedef struct attachment_function {
    size_t place; /* of its pointer in the type */
    output output;
} attachment_function;

#define ATTACHMENT_FUNCTIONS(X)        \
    X(pose, POSE)                      \
    X(twist, TWIST)                    \
    X(pull_back, FORCE)                \
    X(jacobian, ROWS_OF_TWIST)         \
    X(twist_derivative, ROWS_OF_TWIST) \
    X(pull_back_derivative, ROWS_OF_FORCE)

#define NUMBER(name, output) NUMBER_##name,
enum { ATTACHMENT_FUNCTIONS(NUMBER) FUNCTIONS };
#define ROW(name, output) [NUMBER_##name] = {offsetof(tn_loaded_element, name), output},
static const attachment_function functions[FUNCTIONS] = {ATTACHMENT_FUNCTIONS(ROW)};

static size_t bodies_of(const tn_attachments *attachments)
{
    size_t bodies = 0;
    for (uint32_t i = 0; i < attachments->count; i++)
        if (attachments->body[i] >= bodies) bodies = (size_t)attachments->body[i] + 1;
    return bodies;
}

static void add_inputs_of_markers(tn_guard_frame *frame, tn_attachments *a)
{
    const size_t bodies = bodies_of(a), count = a->count, number = sizeof(double);
    tn_guard_add(frame, "instance", &a->instance, bodies, a->instance_stride, TN_GUARD_READS);
    tn_guard_add(frame, "body", &a->body, count, sizeof *a->body, TN_GUARD_READS);
    tn_guard_add(frame, "data", &a->data, count, a->data_size, TN_GUARD_READS);
    tn_guard_add(frame, "q", &a->q, bodies, a->nq * number, TN_GUARD_READS);
    tn_guard_add(frame, "v", &a->v, bodies, a->nv * number, TN_GUARD_READS);
    tn_guard_add(frame, "wrench", &a->wrench, count, tn_twist_size(a->kind) * number, TN_GUARD_READS);
}

/* Arrays that the function does not write are not there for it. */
static void add_outputs_of_markers(tn_guard_frame *frame, tn_attachments *a, output what)
{
    const size_t count = a->count, number = sizeof(double), twist = tn_twist_size(a->kind);
    const size_t rows = what == ROWS_OF_TWIST ? twist : what == ROWS_OF_FORCE ? a->columns : 0;
    tn_guard_add(frame, "pose", &a->pose, count, what == POSE ? tn_pose_size(a->kind) * number : 0,
                 TN_GUARD_WRITES);
    tn_guard_add(frame, "twist", &a->twist, count, what == TWIST ? twist * number : 0, TN_GUARD_WRITES);
    tn_guard_add(frame, "force", &a->force, bodies_of(a), what == FORCE ? a->nv * number : 0,
                 TN_GUARD_RENEWS);
    tn_guard_add(frame, "matrix", &a->matrix, count, rows * a->columns * number, TN_GUARD_WRITES);
}

/* False: there is a fault. Nothing has come back from the guarded memory yet. */
static bool call_attachments(tn_guard_frame *frame, const attachment_function *function, const void *type,
                             tn_attachments *inside, tn_status *status)
{
    tn_attachment_function own = NULL;
    memcpy(&own, (const char *)type + function->place, sizeof own);
    add_inputs_of_markers(frame, inside);
    add_outputs_of_markers(frame, inside, function->output);
    tn_guard_open(frame);
    *status = own(inside);
    return tn_guard_look(frame, *status);
}

/* The first marker that shows a fault by itself; `count` where none does. */
static uint32_t find_marker(const attachment_function *function, const void *type, const tn_attachments *all,
                            tn_guard_frame *frame)
{
    const size_t twist = tn_twist_size(all->kind);
    const size_t rows = function->output == ROWS_OF_TWIST ? twist : all->columns;
    bool whole = true;
    uint32_t i = 0;
    for (; i < all->count && whole; i += whole) {
        tn_attachments one = *all;
        tn_status status = TN_OK;
        one.count = 1;
        one.body += i;
        one.data = (const char *)one.data + (size_t)i * one.data_size;
        if (one.pose) one.pose += i * tn_pose_size(one.kind);
        if (one.twist) one.twist += i * twist;
        if (one.wrench) one.wrench += i * twist;
        if (one.matrix) one.matrix += i * rows * one.columns;
        *frame = (tn_guard_frame){.count = 0};
        whole = call_attachments(frame, function, type, &one, &status);
        tn_guard_close(frame);
    }
    return i;
}

static tn_status guard_attachments(tn_attachments *attachments, const attachment_function *function)
{
    const void *type = (const tn_loaded_element *)tn_site->type + 1;
    tn_guard_frame frame = {.count = 0};
    tn_attachments inside = *attachments;
    tn_status status = TN_OK;
    const bool whole = call_attachments(&frame, function, type, &inside, &status);
    if (whole) tn_guard_return(&frame);
    tn_guard_close(&frame);
    if (whole) return status;
    tn_guard_frame single;
    const uint32_t i = find_marker(function, type, attachments, &single);
    if (i == attachments->count) return tn_guard_tell(frame.what, NULL, NULL);
    return tn_guard_tell(
        single.what,
        (const char *)attachments->instance + attachments->body[i] * attachments->instance_stride, NULL);
}

#define GUARDED(name, output)                                             \
    static tn_status guarded_##name(tn_attachments *attachments)          \
    {                                                                     \
        return guard_attachments(attachments, &functions[NUMBER_##name]); \
    }
ATTACHMENT_FUNCTIONS(GUARDED)

#define REPLACE(name, output) \
    if (type->name) type->name = guarded_##name;
void tn_guard_attachments(tn_loaded_element *type) { ATTACHMENT_FUNCTIONS(REPLACE) }
