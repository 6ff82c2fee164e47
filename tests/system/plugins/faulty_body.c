/* faulty_body.c - a pendulum in its angle about the z axis that carries points, with the fault that is defined */
#include <tenon/author.h>

#define FAULTY(P) \
    P(REAL, inertia, "kg m^2", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "about the axis")
TN_PARAMETERS(faulty, FAULTY)

TN_BODY_FORCE(faulty, 1, 1)
{
    force[0] = -self->inertia * tn_sin(q[0]);
    return TN_OK;
}

#if TN_VALUES
static tn_status faulty_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->nq = layout->nv = 1;
    return TN_OK;
}

static tn_status faulty_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->mass[i] = ((const faulty *)tn_instance(batch, i))->inertia;
    return TN_OK;
}

static tn_status faulty_bind(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                             tn_attachment *attachment)
{
    if (attachment->kind != TN_POINT) return TN_UNSUPPORTED;
    memcpy(attachment->data, attachment->position, sizeof attachment->position);
#ifdef KEEPS_LITTLE
    attachment->data_used = 2 * sizeof(double);
#elif defined KEEPS_MORE
    attachment->data_used = 4 * sizeof(double);
#endif
    return TN_OK;
}

/* Where point i is. */
static void place(const tn_attachments *a, uint32_t i, double p[3])
{
    const double *local = (const double *)a->data + a->data_size / sizeof(double) * i, q = a->q[a->body[i]];
    p[0] = cos(q) * local[0] - sin(q) * local[1];
    p[1] = sin(q) * local[0] + cos(q) * local[1];
    p[2] = local[2];
}

static tn_status faulty_pose(tn_attachments *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        place(a, i, a->pose + 3 * (size_t)i);
    return TN_OK;
}

/* The derivative of the place by the angle, times `rate`. */
static void turn(const double p[3], double rate, double *to)
{
    to[0] = -rate * p[1];
    to[1] = rate * p[0];
    to[2] = 0.0;
}

static tn_status faulty_twist(tn_attachments *a)
{
    double p[3];
    for (uint32_t i = 0; i < a->count; i++) {
        place(a, i, p);
        turn(p, a->v[a->body[i]], a->twist + 3 * (size_t)i);
#ifdef WRONG_TWIST
        a->twist[3 * (size_t)i + 1] *= 2.0;
#endif
    }
    return TN_OK;
}

static tn_status faulty_pull_back(tn_attachments *a)
{
    double p[3];
    for (uint32_t i = 0; i < a->count; i++) {
        const double *f = a->wrench + 3 * (size_t)i;
        place(a, i, p);
#ifdef WRONG_PULL_BACK
        a->force[a->body[i]] -= p[0] * f[1] - p[1] * f[0];
#else
        a->force[a->body[i]] += p[0] * f[1] - p[1] * f[0];
#endif
    }
    return TN_OK;
}

static tn_status faulty_jacobian(tn_attachments *a)
{
    double p[3];
    for (uint32_t i = 0; i < a->count; i++) {
        place(a, i, p);
        turn(p, 1.0, a->matrix + 3 * (size_t)i);
#ifdef WRONG_JACOBIAN
        a->matrix[3 * (size_t)i] *= -1.0;
#endif
    }
    return TN_OK;
}

static tn_status faulty_twist_derivative(tn_attachments *a)
{
    double p[3], velocity[3];
    for (uint32_t i = 0; i < a->count; i++) {
        place(a, i, p);
        turn(p, a->v[a->body[i]], velocity);
        turn(velocity, 1.0, a->matrix + 3 * (size_t)i);
    }
    return TN_OK;
}

static tn_status faulty_pull_back_derivative(tn_attachments *a)
{
    double p[3];
    for (uint32_t i = 0; i < a->count; i++) {
        const double *f = a->wrench + 3 * (size_t)i;
        place(a, i, p);
        a->matrix[i] = -p[0] * f[0] - p[1] * f[1];
    }
    return TN_OK;
}

TN_ELEMENT(faulty, .summary = "faulty", .formula = "J q'' = - J sin q", .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .mass = faulty_mass, TN_BODY_FORCE_FIELDS(faulty)),
                           TN_HAS(attachment, .attachment_size = 3 * sizeof(double), .bind = faulty_bind,
                                  .pose = faulty_pose, .twist = faulty_twist, .pull_back = faulty_pull_back,
                                  .jacobian = faulty_jacobian, .twist_derivative = faulty_twist_derivative,
                                  .pull_back_derivative = faulty_pull_back_derivative)),
           .layout = faulty_layout)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_ELEMENT_KIND, &faulty_type})
#endif
