/* ground.c - the body that does not move */
#include <tenon/kit/body_axis.h>
#include <tenon/kit/drawing.h>

#define GROUND(P)                                               \
    P(VECTOR, position, "m", TN_MOVES, "position of its frame") \
    P(ROTATION, rotation, TN_MOVES, "orientation of its frame, from its axes to ground axes")

TN_PARAMETERS(ground, GROUND)

#if TN_VALUES

enum { POSITION, ROTATION };
TN_OUTPUTS(ground, [POSITION] = {"position", "position of its frame", "m", 3, 0},
           [ROTATION] = {"rotation", "rotation matrix by rows", "", 9, 0})

TN_OUTPUT(ground, TN_ANY, 0)
{
    if (output == POSITION)
        memcpy(value, self->position.e, sizeof self->position);
    else
        memcpy(value, self->rotation, sizeof self->rotation);
    return TN_OK;
}

/* The pose of an attachment never changes: it is computed once. */
static tn_status ground_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const ground *self = instance;
    double *pose = attachment->data;
    int32_t axis = 0;
    tn_mat3 outer, inner;
    tn_vec3 local;
    memcpy(&outer, self->rotation, sizeof outer);
    memcpy(&inner, attachment->rotation, sizeof inner);
    memcpy(&local, attachment->position, sizeof local);
    const tn_vec3 position = tn_add(self->position, tn_rotate(outer, local));
    const tn_mat3 rotation = tn_multiply(outer, inner);
    if (attachment->kind == TN_COORDINATE) {
        /* without a name it is the fixed coordinate zero: what a 1-D element is tied to */
        if (!attachment->coordinate) return TN_OK;
        const tn_status status = tn_body_axis(host, attachment, &axis);
        if (status == TN_OK) *pose = position.e[axis];
        return status;
    }
    memcpy(pose, &position, sizeof position);
    memcpy(pose + 3, &rotation, sizeof rotation);
    return TN_OK;
}

static tn_status ground_pose(tn_attachments *attachments)
{
    const size_t size = tn_pose_size(attachments->kind);
    for (size_t i = 0; i < attachments->count; i++)
        memcpy(attachments->pose + i * size, (const double *)attachments->data + i * 12,
               size * sizeof(double));
    return TN_OK;
}

static tn_status ground_twist(tn_attachments *attachments)
{
    memset(attachments->twist, 0, sizeof(double) * attachments->count * tn_twist_size(attachments->kind));
    return TN_OK;
}

/* Nothing moves, so wrenches do no work and no derivative has a column. */
static tn_status ground_nothing(tn_attachments *attachments)
{
    (void)attachments;
    return TN_OK;
}

TN_DRAWS(ground, {.kind = TN_DRAWN_FRAME, .place = {{TN_AT_ELEMENT, 0}}})

TN_SYNONYMS(ground, {"world", NULL, NULL}, {"object_ground", NULL, NULL}, {"clamped node", NULL, NULL})
TN_ELEMENT(ground, .summary = "the body that does not move",
           .formula =
               "p = position + rotation r, R = rotation S      of a marker at local position r, rotation S\n"
               "v = 0, w = 0",
           .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                         "chapter 1 (reference frames)",
           .synonyms = ground_synonyms, .flags = TN_VECTOR_SPACE | TN_PRESENT,
           TN_CAPABILITIES(TN_HAS(attachment, .attachment_size = 12 * sizeof(double), .bind = ground_bind,
                                  .pose = ground_pose, .twist = ground_twist, .pull_back = ground_nothing,
                                  .jacobian = ground_nothing, .twist_derivative = ground_nothing,
                                  .pull_back_derivative = ground_nothing),
                           TN_HAS_DRAWING(ground)),
           .outputs = ground_outputs, .output = ground_output)

TN_LIBRARY("ground", "1.0.0", "Apache-2.0", "the fixed body", {TN_ELEMENT_KIND, &ground_type})

#endif
