/* cloud.c - a body of any number of masses on lines of their own; its nodes are all of its coordinates, as they are or
 * or mixed: 2 q[k] + q[k + 1] */
#include <tenon/author.h>

#define CLOUD(P)                                                                                  \
    P(INTEGER, size, 0, 9, 2, 200, "masses of 1 kg")                                              \
    P(REAL, start, "m", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "of the first one, others by share") \
    P(REAL, stiffness, "N/m", 0, 4.0, 0.0, TN_UNBOUNDED, "of springs to the origin")
TN_PARAMETERS(cloud, CLOUD)

#if TN_VALUES

static tn_status cloud_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host;
    layout->nq = layout->nv = (uint32_t)((const cloud *)instance)->size;
    return TN_OK;
}

static tn_status cloud_initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                               double *s, double *d)
{
    const cloud *self = instance;
    (void)host, (void)v, (void)x, (void)s, (void)d;
    for (int64_t k = 0; k < self->size; k++)
        q[k] = self->start / (double)(k + 1);
    return TN_OK;
}

static tn_status cloud_mass(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    memset(batch->mass, 0, sizeof(double) * batch->count * n * n);
    for (uint32_t k = 0; k < batch->count * n; k++)
        batch->mass[k * n + k % n] = 1.0;
    return TN_OK;
}

static tn_status cloud_force(tn_batch *batch)
{
    for (uint32_t k = 0; k < batch->count * batch->layout->nv; k++)
        batch->force[k] =
            -((const cloud *)tn_instance(batch, k / batch->layout->nv))->stiffness * batch->q[k];
    return TN_OK;
}

static tn_status cloud_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const char *node = attachment->node ? attachment->node : "own";
    if (attachment->kind != TN_NODE) return TN_UNSUPPORTED;
    if (strcmp(node, "own") != 0 && strcmp(node, "mixed") != 0)
        return tn_refuse(host, "node", "`%s` is neither own nor mixed", node);
    attachment->kind = TN_NODE_OF(((const cloud *)instance)->size);
    if (*node == 'o') attachment->alias_pose = attachment->alias_twist = 0;
    return TN_OK;
}

static void mix(const tn_attachments *on, const double *of, double *to)
{
    const uint32_t n = on->nv;
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < n; k++)
            to[i * n + k] = 2.0 * of[on->body[i] * n + k] + of[on->body[i] * n + (k + 1) % n];
}

static tn_status cloud_pose(tn_attachments *on)
{
    mix(on, on->q, on->pose);
    return TN_OK;
}

static tn_status cloud_twist(tn_attachments *on)
{
    mix(on, on->v, on->twist);
    return TN_OK;
}

static tn_status cloud_pull_back(tn_attachments *on)
{
    const uint32_t n = on->nv;
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < n; k++) {
            on->force[on->body[i] * n + k] += 2.0 * on->wrench[i * n + k];
            on->force[on->body[i] * n + (k + 1) % n] += on->wrench[i * n + k];
        }
    return TN_OK;
}

static tn_status cloud_jacobian(tn_attachments *on)
{
    const uint32_t n = on->nv;
    memset(on->matrix, 0, sizeof(double) * on->count * n * n);
    for (uint32_t k = 0; k < on->count * n; k++) {
        on->matrix[k * n + k % n] = 2.0;
        on->matrix[k * n + (k + 1) % n] = 1.0;
    }
    return TN_OK;
}

TN_OUTPUTS(cloud, {"last", "the last coordinate", "m", 1, 0})
TN_OUTPUT(cloud, TN_ANY, 0)
{
    (void)output;
    *value = batch->q[(i + 1) * batch->layout->nq - 1];
    return TN_OK;
}
TN_ELEMENT(cloud, .summary = "masses on lines", .formula = "d2q/dt2 = -k q", .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .mass = cloud_mass, .body_force = cloud_force),
                           TN_HAS(attachment, .bind = cloud_bind, .pose = cloud_pose, .twist = cloud_twist,
                                  .pull_back = cloud_pull_back, .jacobian = cloud_jacobian)),
           .outputs = cloud_outputs, .layout = cloud_layout, .initial = cloud_initial, .output = cloud_output)

TN_LIBRARY("cloud", "1.0.0", "Apache-2.0", "masses on lines", {TN_ELEMENT_KIND, &cloud_type})

#endif
