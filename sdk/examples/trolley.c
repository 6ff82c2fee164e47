/* trolley.c - a body with a coordinate of its own: a mass on a straight rail, s along it, on which points ride */
#include <tenon/author.h>

#define TROLLEY(P)                                                                          \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "m")            \
    P(REALS, direction, 3, 0, "", TN_REQUIRED | TN_TURNS, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "of the rail, e")                                                                     \
    P(VECTOR, origin, "m", TN_MOVES, "where s is 0, o")                                     \
    P(REAL, velocity, "m/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "ds/dt at the start")
TN_PARAMETERS(trolley, TROLLEY)

/* Gravity along the rail. What a force on a marker does, the kernel adds by pull_back(). */
TN_BODY_FORCE(trolley, 1 /* q */, 1 /* v */)
{
    for (int k = 0; k < 3; k++)
        force[0] = force[0] + self->mass * context->batch->gravity[k] * self->direction[k];
    return TN_OK;
}

#if TN_VALUES

static tn_status trolley_prepare(const tn_host *host, void *instance)
{
    double *e = ((trolley *)instance)->direction;
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    if (!(length > 0.0)) return tn_refuse(host, "direction", "it has no length");
    for (uint32_t k = 0; k < 3 && fabs(length - 1.0) > 1e-12; k++)
        e[k] /= length;
    return TN_OK;
}

static tn_status trolley_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                tn_layout *layout)
{
    layout->nq = layout->nv = 1;
    return TN_OK;
}

static tn_status trolley_initial(TN_UNUSED const tn_host *host, const void *instance, TN_UNUSED double *q,
                                 double *v, TN_UNUSED double *x, TN_UNUSED double *s, TN_UNUSED double *d)
{
    v[0] = ((const trolley *)instance)->velocity;
    return TN_OK;
}

static tn_status trolley_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->mass[i] = ((const trolley *)tn_instance(batch, i))->mass;
    return TN_OK;
}

/* Points ride on it: where they are from its origin, in ground axes, since it does not turn. */
typedef struct place {
    double from_origin[3];
} place;

static tn_status trolley_bind(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                              tn_attachment *attachment)
{
    if (attachment->kind != TN_POINT) return TN_UNSUPPORTED;
    memcpy(((place *)attachment->data)->from_origin, attachment->position, sizeof(place));
    return TN_OK;
}

/* The body of an attachment, and its place on it. */
static const trolley *trolley_of(const tn_attachments *on, uint32_t i)
{
    return (const trolley *)(const void *)((const char *)on->instance + on->body[i] * on->instance_stride);
}

static tn_status trolley_pose(tn_attachments *on)
{
    const place *places = on->data;
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            on->pose[3 * i + k] = trolley_of(on, i)->origin.e[k] + places[i].from_origin[k] +
                                  on->q[on->body[i]] * trolley_of(on, i)->direction[k];
    return TN_OK;
}

static tn_status trolley_twist(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            on->twist[3 * i + k] = on->v[on->body[i]] * trolley_of(on, i)->direction[k];
    return TN_OK;
}

static tn_status trolley_pull_back(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            on->force[on->body[i]] += on->wrench[3 * i + k] * trolley_of(on, i)->direction[k];
    return TN_OK;
}

static tn_status trolley_jacobian(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            on->matrix[3 * i + k] = trolley_of(on, i)->direction[k];
    return TN_OK;
}

TN_OUTPUTS(trolley, {"way", "s", "m", 1, 0})
static tn_status trolley_output(tn_batch *batch)
{
    memcpy(batch->value, batch->q + batch->first, batch->count * sizeof *batch->value);
    return TN_OK;
}

static const char *const trolley_units[] = {"m"};
TN_ELEMENT(trolley, .summary = "a mass on a straight rail", .formula = "m d2s/dt2 = (m gravity + sum F) . e",
           .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .velocity_units = trolley_units, .mass = trolley_mass,
                                  TN_BODY_FORCE_FIELDS(trolley)),
                           TN_HAS(attachment, .attachment_size = sizeof(place), .bind = trolley_bind,
                                  .pose = trolley_pose, .twist = trolley_twist,
                                  .pull_back = trolley_pull_back, .jacobian = trolley_jacobian)),
           .outputs = trolley_outputs, .prepare = trolley_prepare, .layout = trolley_layout,
           .initial = trolley_initial, .output = trolley_output)
TN_LIBRARY("trolley", "1.0.0", "Apache-2.0", "trolley", {TN_ELEMENT_KIND, &trolley_type})
#endif
