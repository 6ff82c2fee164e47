/* double_pendulum.c - two links in the plane x, y as one body: its coordinates are the angle of the first link from x, and that of
 * the second from the first. Its mass matrix depends on the second angle. Markers ride on the second link. */
#include <tenon/author.h>

#define DOUBLE_PENDULUM(P)                                                                           \
    P(REALS, mass, 2, 0, "kg", TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "of the links")                 \
    P(REALS, inertia, 2, 0, "kg m^2", TN_ABOVE_LOW, 0.1, 0.0, TN_UNBOUNDED, "about their centres")   \
    P(REALS, length, 2, 0, "m", TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "with the centre at the half") \
    P(REALS, angle, 2, 0, "rad", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "at the start")                \
    P(REALS, rate, 2, 0, "rad/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "at the start")
TN_PARAMETERS(double_pendulum, DOUBLE_PENDULUM)

/* Equations of both absolute angles; those of the relative ones are their sum, and the second. */
TN_RESIDUAL(double_pendulum, 2, 2)
{
    const double *g = context->batch->gravity;
    const tn_real c = 0.5 * self->mass[1] * self->length[0] * self->length[1];
    const tn_real first = 0.5 * self->length[0] * (self->mass[0] + 2.0 * self->mass[1]);
    const tn_real second = 0.5 * self->length[1] * self->mass[1];
    const tn_real own_1 =
        self->inertia[0] + (0.25 * self->mass[0] + self->mass[1]) * self->length[0] * self->length[0];
    const tn_real own_2 = self->inertia[1] + 0.25 * self->mass[1] * self->length[1] * self->length[1];
    const tn_real angle = q[0] + q[1], w = v[0] + v[1], turn = a[0] + a[1];
    const tn_real row_1 = own_1 * a[0] + c * tn_cos(q[1]) * turn - c * tn_sin(q[1]) * w * w -
                          first * (g[1] * tn_cos(q[0]) - g[0] * tn_sin(q[0]));
    const tn_real row_2 = own_2 * turn + c * tn_cos(q[1]) * a[0] + c * tn_sin(q[1]) * v[0] * v[0] -
                          second * (g[1] * tn_cos(angle) - g[0] * tn_sin(angle));
    residual[0] = row_1 + row_2;
    residual[1] = row_2;
    return TN_OK;
}

#if TN_VALUES

/* A place on the second link, in its axes, and axes there; or a coordinate. */
typedef struct ride {
    double position[3], rotation[9];
    uint32_t coordinate;
} ride;

static tn_status layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 2;
    return TN_OK;
}

static tn_status initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d)
{
    const double_pendulum *self = (const double_pendulum *)instance;
    (void)host, (void)x, (void)s, (void)d;
    for (int k = 0; k < 2; k++) {
        q[k] = self->angle[k];
        v[k] = self->rate[k];
    }
    return TN_OK;
}

static tn_status potential(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const double_pendulum *self = (const double_pendulum *)tn_instance(batch, i);
        const double *g = batch->gravity, *q = batch->q + 2 * i, *m = self->mass, *l = self->length;
        batch->value[i] = -l[0] * (0.5 * m[0] + m[1]) * (g[0] * cos(q[0]) + g[1] * sin(q[0])) -
                          0.5 * l[1] * m[1] * (g[0] * cos(q[0] + q[1]) + g[1] * sin(q[0] + q[1]));
    }
    return TN_OK;
}

static tn_status bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    ride *to = (ride *)attachment->data;
    (void)instance;
    if (attachment->kind == TN_COORDINATE) {
        const char *name = attachment->coordinate ? attachment->coordinate : "first";
        if (strcmp(name, "first") != 0 && strcmp(name, "second") != 0)
            return tn_refuse(host, "coordinate", "coordinates are `first` and `second`, not `%s`", name);
        to->coordinate = name[0] == 's';
        attachment->alias_pose = attachment->alias_twist = (int32_t)to->coordinate;
        return TN_OK;
    }
    memcpy(to->position, attachment->position, sizeof to->position);
    memcpy(to->rotation, attachment->rotation, sizeof to->rotation);
    return TN_OK;
}

/* The axes of the second link by rows, its beginning and, from there, the place of attachment i, which is `body`'s. */
typedef struct stand {
    double R[9], joint[2], arm[3];
    uint32_t body, coordinate;
} stand;

static stand stand_of(const tn_attachments *attachments, uint32_t i)
{
    const uint32_t body = attachments->body[i];
    const double_pendulum *self =
        (const double_pendulum *)((const char *)attachments->instance + body * attachments->instance_stride);
    const ride *on = (const ride *)attachments->data + i;
    const double *q = attachments->q + 2 * body, c = cos(q[0] + q[1]), s = sin(q[0] + q[1]);
    const double *p = on->position;
    return (stand){.R = {c, -s, 0, s, c, 0, 0, 0, 1},
                   .joint = {self->length[0] * cos(q[0]), self->length[0] * sin(q[0])},
                   .arm = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]},
                   .body = body,
                   .coordinate = on->coordinate};
}

static tn_status pose(tn_attachments *attachments)
{
    const uint32_t size = tn_pose_size(attachments->kind);
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double *own = ((const ride *)attachments->data + i)->rotation;
        double *to = attachments->pose + i * size;
        if (size == 1) *to = attachments->q[2 * at.body + at.coordinate];
        if (size == 1) continue;
        for (int k = 0; k < 3; k++)
            to[k] = (k < 2 ? at.joint[k] : 0.0) + at.arm[k];
        for (int r = 0; r < 9 && size == 12; r++)
            to[3 + r] = at.R[r / 3 * 3] * own[r % 3] + at.R[r / 3 * 3 + 1] * own[3 + r % 3] +
                        at.R[r / 3 * 3 + 2] * own[6 + r % 3];
    }
    return TN_OK;
}

/* Velocity at unit rates of the angles: z x (joint + arm), z x arm; or its derivatives by the angles at rates v. */
static void columns_of(const stand *at, const double *v, uint32_t rows, double *to)
{
    const double whole[2] = {at->joint[0] + at->arm[0], at->joint[1] + at->arm[1]};
    memset(to, 0, 2 * rows * sizeof *to);
    if (rows == 1) {
        to[at->coordinate] = v ? 0.0 : 1.0;
        return;
    }
    if (!v) {
        const double J[] = {-whole[1], -at->arm[1], whole[0], at->arm[0]};
        memcpy(to, J, sizeof J);
        if (rows == 6) to[10] = to[11] = 1.0;
        return;
    }
    for (int k = 0; k < 2; k++) {
        to[2 * k] = -v[0] * whole[k] - v[1] * at->arm[k];
        to[2 * k + 1] = -(v[0] + v[1]) * at->arm[k];
    }
}

static uint32_t rows_of(const tn_attachments *attachments) { return tn_twist_size(attachments->kind); }

static tn_status twist(tn_attachments *attachments)
{
    const uint32_t rows = rows_of(attachments);
    double J[12];
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double *v = attachments->v + 2 * at.body;
        columns_of(&at, NULL, rows, J);
        for (uint32_t r = 0; r < rows; r++)
            attachments->twist[i * rows + r] = J[2 * r] * v[0] + J[2 * r + 1] * v[1];
    }
    return TN_OK;
}

static tn_status pull_back(tn_attachments *attachments)
{
    const uint32_t rows = rows_of(attachments);
    double J[12];
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        columns_of(&at, NULL, rows, J);
        for (uint32_t e = 0; e < 2 * rows; e++)
            attachments->force[2 * at.body + e % 2] += J[e] * attachments->wrench[i * rows + e / 2];
    }
    return TN_OK;
}

static tn_status jacobian(tn_attachments *attachments)
{
    const uint32_t rows = rows_of(attachments);
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        columns_of(&at, NULL, rows, attachments->matrix + 2 * rows * i);
    }
    return TN_OK;
}

static tn_status twist_derivative(tn_attachments *attachments)
{
    const uint32_t rows = rows_of(attachments);
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        columns_of(&at, attachments->v + 2 * at.body, rows, attachments->matrix + 2 * rows * i);
    }
    return TN_OK;
}

static tn_status pull_back_derivative(tn_attachments *attachments)
{
    const uint32_t rows = rows_of(attachments);
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double *F = attachments->wrench + i * rows;
        if (rows == 1) memset(attachments->matrix + 4 * i, 0, 4 * sizeof(double));
        if (rows == 1) continue;
        const double arm = -F[0] * at.arm[0] - F[1] * at.arm[1];
        const double P[] = {arm - F[0] * at.joint[0] - F[1] * at.joint[1], arm, arm, arm};
        memcpy(attachments->matrix + 4 * i, P, sizeof P);
    }
    return TN_OK;
}

static const char *const units[] = {"rad", "rad"};
TN_OUTPUTS(double_pendulum, {"angles", "of the first link, and of the second from it", "rad", 2, 0})
static tn_status output(tn_batch *batch)
{
    memcpy(batch->value, batch->q + 2 * batch->first, 2 * batch->count * sizeof(double));
    return TN_OK;
}

TN_ELEMENT(double_pendulum, .summary = "two links as one body", .formula = "M(q) q'' = f(q, q')",
           .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .velocity_units = units, TN_RESIDUAL_FIELDS(double_pendulum)),
                           TN_HAS(attachment, .attachment_size = sizeof(ride), .bind = bind, .pose = pose,
                                  .twist = twist, .pull_back = pull_back, .jacobian = jacobian,
                                  .twist_derivative = twist_derivative,
                                  .pull_back_derivative = pull_back_derivative),
                           TN_HAS(energy, .potential = potential)),
           .outputs = double_pendulum_outputs, .layout = layout, .initial = initial, .output = output)
TN_LIBRARY("double_pendulum", "1.0.0", "Apache-2.0", "double pendulum",
           {TN_ELEMENT_KIND, &double_pendulum_type})

#endif
