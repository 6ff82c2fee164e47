/* trespassing.c - elements and markers that write where nothing is theirs, or change what they may only read: each does what `way`
 * says */
#include "trespassing.h"

/* ---- a connector on points ------------------------------------------------------------------------------- */

typedef struct connector {
    int32_t way, reserved;
    double stiffness;
} connector;

enum connector_way {
    NOTHING,
    OUTPUT_BEHIND,
    WRENCH_BEHIND,
    WRENCH_BEFORE,
    WRENCH_LEFT_OUT,
    TANGENT_BEHIND,
    TANGENT_LEFT_OUT,
    POSE,
    PARAMETER,
    DATA,
    SCRATCH,
    STATES,
    ACCEPTED,
    GRAVITY,
    HOST,
    BATCH,
    POTENTIAL_BEHIND,
    PREPARE,
    LAYOUT,
    INITIAL
};
static const char connector_ways[] =
    "nothing|output_behind|wrench_behind|wrench_before|wrench_left_out|tangent_behind|tangent_left_out|pose|"
    "parameter|data|scratch|states|accepted|gravity|host|batch|potential_behind|prepare|layout|initial";

static const tn_parameter connector_parameters[] = {{.name = "way",
                                                     .meaning = "what is wrong",
                                                     .unit = "",
                                                     .detail = connector_ways,
                                                     .low = 0.0,
                                                     .high = 18.0,
                                                     .offset = offsetof(connector, way),
                                                     .kind = TN_KIND_CHOICE,
                                                     .count = 1},
                                                    {.name = "stiffness",
                                                     .meaning = "towards the origin",
                                                     .unit = "N/m",
                                                     .standard = 1.0,
                                                     .high = TN_UNBOUNDED,
                                                     .offset = offsetof(connector, stiffness),
                                                     .kind = TN_KIND_REAL,
                                                     .count = 1},
                                                    {0}};
static const tn_port connector_ports[] = {{"markers", "any", TN_POINT, 1, 1, 0}, {0}};
static const tn_output connector_outputs[] = {{"pull", "of the spring", "N", 1, 0}, {0}};

static tn_status prepare(const tn_host *host, void *instance)
{
    const connector *self = instance;
    (void)host;
    if (self->way == PREPARE) ((double *)instance)[sizeof(connector) / sizeof(double)] = 3.0;
    return TN_OK;
}

static tn_status layout(const tn_host *host, const void *instance, tn_layout *sizes)
{
    const connector *self = instance;
    (void)host, (void)sizes;
    if (self->way == LAYOUT) ((connector *)writable(instance))->stiffness = 8.0;
    return TN_OK;
}

static tn_status initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d)
{
    const connector *self = instance;
    (void)host, (void)q, (void)v, (void)s, (void)d;
    if (self->way == INITIAL) x[0] = 1.0;
    return TN_OK;
}

/* What is wrong, done behind a force that is right. */
static void trespass(const tn_batch *batch, uint32_t i, int32_t way)
{
    static const tn_host other;
    if (way == WRENCH_BEHIND) batch->wrench[3 * batch->count + 1] = 7.0;
    if (way == WRENCH_BEFORE) batch->wrench[-2] = 7.0;
    if (way == POSE) ((double *)writable(batch->pose))[batch->marker[i].pose] += 1e-3;
    if (way == PARAMETER) ((connector *)writable(tn_instance(batch, i)))->stiffness *= 1.001;
    if (way == DATA) batch->d[0] = 1.0;
    if (way == SCRATCH) batch->scratch[0] = 1.0;
    if (way == STATES) ((double *)writable(batch->x))[i] = 1.0;
    if (way == GRAVITY) ((double *)writable(batch->gravity))[2] = 1.0;
    if (way == HOST) ((tn_host *)writable(batch->host))->message = other.message;
    if (way == BATCH) ((tn_batch *)writable(batch))->time = 0.0;
}

static tn_status force(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const connector *self = tn_instance(batch, i);
        const int32_t way = batch->time > 0.045 ? self->way : NOTHING;
        for (int k = 0; k < 3; k++)
            if (way != WRENCH_LEFT_OUT || k < 2)
                batch->wrench[3 * i + (uint32_t)k] =
                    -self->stiffness * batch->pose[batch->marker[i].pose + (uint32_t)k];
        trespass(batch, i, way);
    }
    return TN_OK;
}

static tn_status force_tangent(tn_batch *batch)
{
    const size_t stride = batch->tangent_stride, pose = tn_first_column(batch, TN_POSE_COLUMNS);
    for (uint32_t i = 0; i < batch->count; i++) {
        const connector *self = tn_instance(batch, i);
        double *rows = batch->tangent + i * 3 * stride;
        for (size_t k = 0; k < 3 * stride; k++)
            if (self->way != TANGENT_LEFT_OUT || k % stride < pose + 3) rows[k] = 0.0;
        for (size_t k = 0; k < 3; k++)
            rows[k * stride + pose + k] = -self->stiffness;
        if (self->way == TANGENT_BEHIND) batch->tangent[batch->count * 3 * stride] = 5.0;
    }
    return TN_OK;
}

static tn_status potential(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const connector *self = tn_instance(batch, i);
        const double *p = batch->pose + batch->marker[i].pose;
        batch->value[i] = 0.5 * self->stiffness * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (self->way == POTENTIAL_BEHIND) batch->value[batch->count] = 4.0;
    }
    return TN_OK;
}

static tn_status output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const connector *self = tn_instance(batch, batch->first + i);
        for (uint32_t k = 0; k < (self->way == OUTPUT_BEHIND && batch->time > 0.045 ? 20u : 1u); k++)
            batch->value[i + k] = self->stiffness;
    }
    return TN_OK;
}

static tn_status accepted(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        if (((const connector *)tn_instance(batch, i))->way == ACCEPTED) batch->d[100] = 1.0;
    return TN_OK;
}

static const tn_element_type connector_type = {
    .struct_size = sizeof(tn_element_type),
    .name = "trespassing",
    .summary = "writes where nothing is its own",
    .formula = "-",
    .parameters = connector_parameters,
    .ports = connector_ports,
    .outputs = connector_outputs,
    .instance_size = sizeof(connector),
    .prepare = prepare,
    .layout = layout,
    .initial = initial,
    .output = output,
    TN_CAPABILITIES(TN_HAS(force, .force = force, .force_tangent = force_tangent),
                    TN_HAS(energy, .potential = potential), TN_HAS(data, .accepted = accepted))};

/* ---- a body with one coordinate, along x ----------------------------------------------------------------- */

typedef struct sledge {
    int32_t way, reserved;
} sledge;

enum sledge_way { FINE, BIND, RIDE, FORCE_OF_NEIGHBOUR, JACOBIAN, ALIAS };

static const tn_parameter sledge_parameters[] = {{.name = "way",
                                                  .meaning = "what is wrong",
                                                  .unit = "",
                                                  .detail = "fine|bind|ride|force|jacobian|alias",
                                                  .high = 5.0,
                                                  .offset = offsetof(sledge, way),
                                                  .kind = TN_KIND_CHOICE,
                                                  .count = 1},
                                                 {0}};

static tn_status sledge_layout(const tn_host *host, const void *instance, tn_layout *sizes)
{
    (void)host, (void)instance;
    sizes->nq = sizes->nv = 1;
    return TN_OK;
}

static tn_status sledge_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->mass[i] = 1.0;
    return TN_OK;
}

static tn_status sledge_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const sledge *self = instance;
    (void)host;
    if (attachment->kind != TN_POINT) return TN_UNSUPPORTED;
    memcpy(attachment->data, attachment->position, sizeof(double));
    if (self->way == BIND) ((double *)attachment->data)[1] = 1.0;
    if (self->way == ALIAS) attachment->alias_pose = attachment->alias_twist = 77;
    return TN_OK;
}

static int32_t way_of(const tn_attachments *a, uint32_t i)
{
    const char *instance = a->instance;
    return ((const sledge *)(const void *)(instance + a->body[i] * a->instance_stride))->way;
}

static tn_status sledge_pose(tn_attachments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        double *pose = a->pose + 3 * (size_t)i;
        pose[0] = a->q[a->body[i]] + ((const double *)a->data)[i];
        pose[1] = pose[2] = 0.0;
        if (way_of(a, i) == RIDE) ((double *)writable(a->q))[a->body[i]] += 0.1;
    }
    return TN_OK;
}

static tn_status sledge_twist(tn_attachments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        a->twist[3 * i] = a->v[a->body[i]];
        a->twist[3 * i + 1] = a->twist[3 * i + 2] = 0.0;
    }
    return TN_OK;
}

static tn_status sledge_pull_back(tn_attachments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        a->force[a->body[i]] += a->wrench[3 * i];
        if (way_of(a, i) == FORCE_OF_NEIGHBOUR) a->force[a->body[i] + 1] += 1.0;
    }
    return TN_OK;
}

static tn_status sledge_jacobian(tn_attachments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        a->matrix[3 * i] = 1.0;
        a->matrix[3 * i + 1] = 0.0;
        if (way_of(a, i) != JACOBIAN) a->matrix[3 * i + 2] = 0.0;
    }
    return TN_OK;
}

static tn_status sledge_no_matrix(tn_attachments *a)
{
    memset(a->matrix, 0, (size_t)a->count * 3 * sizeof *a->matrix);
    return TN_OK;
}

static tn_status sledge_no_pull_back_matrix(tn_attachments *a)
{
    memset(a->matrix, 0, a->count * sizeof *a->matrix);
    return TN_OK;
}

static const tn_element_type sledge_type = {
    .struct_size = sizeof(tn_element_type),
    .flags = TN_VECTOR_SPACE,
    .name = "trespassing_body",
    .summary = "carries markers, and writes where nothing is its own",
    .formula = "-",
    .parameters = sledge_parameters,
    .instance_size = sizeof(sledge),
    .layout = sledge_layout,
    TN_CAPABILITIES(TN_HAS(body, .mass = sledge_mass),
                    TN_HAS(attachment, .attachment_size = sizeof(double), .bind = sledge_bind,
                           .pose = sledge_pose, .twist = sledge_twist, .pull_back = sledge_pull_back,
                           .jacobian = sledge_jacobian, .twist_derivative = sledge_no_matrix,
                           .pull_back_derivative = sledge_no_pull_back_matrix))};

/* ---- a marker made of another one ------------------------------------------------------------------------ */

static const tn_port marker_ports[] = {{"markers", "any", TN_POINT, 1, 1, 0}, {0}};

static tn_status kinematics(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            batch->value[6 * i + k] = batch->pose[batch->marker[i].pose + k];
            batch->value[6 * i + 3 + k] = batch->twist[batch->marker[i].twist + k];
        }
    batch->value[6 * batch->count] = 2.0;
    return TN_OK;
}

static const tn_marker_type marker_type = {.struct_size = sizeof(tn_marker_type),
                                           .kind = TN_POINT,
                                           .name = "trespassing_marker",
                                           .summary = "writes where nothing is its own",
                                           .formula = "-",
                                           .ports = marker_ports,
                                           TN_CAPABILITIES(TN_HAS(kinematics, .kinematics = kinematics))};

TN_LIBRARY("trespassing", "1.2.3", "Apache-2.0", "for tests of guarded runs",
           {TN_ELEMENT_KIND, &connector_type}, {TN_ELEMENT_KIND, &sledge_type},
           {TN_MARKER_KIND, &marker_type})
