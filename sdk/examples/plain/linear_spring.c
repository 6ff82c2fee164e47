/* linear_spring.c - a spring between two points, f = stiffness (L - reference_length), with its exact tangent, written in C
 * against the plain structs of the interface.
 *
 * cc -std=c17 -O2 -fPIC -shared -ffp-contract=off linear_spring.c -o linear_spring.so -lm */
#include <tenon/plugin.h>

#include <math.h>
#include <string.h>

typedef struct linear_spring {
    double stiffness, reference_length;
} linear_spring;

/* The line from the first point to the second: its length, its direction, and the force along it. */
typedef struct spring_line {
    double length, direction[3], force;
} spring_line;

/* False where the points coincide: there is no direction. */
static bool look(const tn_batch *batch, uint32_t i, spring_line *line)
{
    const linear_spring *self = tn_instance(batch, i);
    const tn_marker_place *place = batch->marker + 2 * (size_t)i;
    const double *first = batch->pose + place[0].pose, *second = batch->pose + place[1].pose;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        line->direction[k] = second[k] - first[k];
        square += line->direction[k] * line->direction[k];
    }
    line->length = sqrt(square);
    if (line->length == 0.0) return false;
    for (int k = 0; k < 3; k++)
        line->direction[k] /= line->length;
    line->force = self->stiffness * (line->length - self->reference_length);
    return true;
}

/* The first instance that has no force is told; the kernel takes a shorter step. */
static tn_status refuse(const tn_batch *batch, uint32_t i, tn_status before)
{
    if (before == TN_OK && batch->failure) {
        batch->failure->instance = i;
        batch->failure->status = TN_RETRY;
        batch->failure->message = "its two points coincide: at length zero it has no direction";
    }
    return TN_RETRY;
}

/* A positive force pulls the points together. */
static void write_wrench(const tn_batch *batch, uint32_t i, const spring_line *line)
{
    double *wrench = batch->wrench + 6 * (size_t)i;
    for (int k = 0; k < 3; k++) {
        wrench[k] = line->force * line->direction[k];
        wrench[3 + k] = -wrench[k];
    }
}

static tn_status linear_spring_force(tn_batch *batch)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        spring_line line;
        memset(batch->wrench + 6 * (size_t)i, 0, 6 * sizeof(double));
        if (batch->active && !batch->active[i]) continue;
        if (look(batch, i, &line))
            write_wrench(batch, i, &line);
        else
            status = refuse(batch, i, status);
    }
    return status;
}

/* K = df/dp of the force on the first point by the second one's position: f/L (I - e e^T) + k e e^T. */
static void write_tangent(const spring_line *line, double stiffness, double *tangent, size_t stride)
{
    const double across = line->force / line->length;
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            const double along = line->direction[r] * line->direction[c];
            const double k = across * ((r == c ? 1.0 : 0.0) - along) + stiffness * along;
            tangent[r * stride + c] = -k;
            tangent[r * stride + 3 + c] = k;
            tangent[(3 + r) * stride + c] = k;
            tangent[(3 + r) * stride + 3 + c] = -k;
        }
}

/* Rows are the six numbers of the two wrenches. Of the columns only those of poses are not zero. */
static tn_status linear_spring_force_tangent(tn_batch *batch)
{
    tn_status status = TN_OK;
    const size_t stride = batch->tangent_stride;
    const uint32_t poses = tn_first_column(batch, TN_POSE_COLUMNS);
    for (uint32_t i = 0; i < batch->count; i++) {
        spring_line line;
        double *tangent = batch->tangent + 6 * stride * i;
        memset(tangent, 0, 6 * stride * sizeof(double));
        memset(batch->wrench + 6 * (size_t)i, 0, 6 * sizeof(double));
        if (batch->active && !batch->active[i]) continue;
        if (!look(batch, i, &line)) {
            status = refuse(batch, i, status);
            continue;
        }
        write_wrench(batch, i, &line);
        const linear_spring *self = tn_instance(batch, i);
        if (poses != TN_NO_COLUMN) write_tangent(&line, self->stiffness, tangent + poses, stride);
    }
    return status;
}

/* Tables end with an entry whose name is NULL. */
static const tn_parameter parameters[] = {{.name = "stiffness",
                                           .meaning = "force per stretch",
                                           .unit = "N/m",
                                           .high = TN_UNBOUNDED,
                                           .offset = offsetof(linear_spring, stiffness),
                                           .kind = TN_KIND_REAL,
                                           .count = 1,
                                           .flags = TN_REQUIRED},
                                          {.name = "reference_length",
                                           .meaning = "length without force",
                                           .unit = "m",
                                           .high = TN_UNBOUNDED,
                                           .offset = offsetof(linear_spring, reference_length),
                                           .kind = TN_KIND_REAL,
                                           .count = 1,
                                           .flags = TN_REQUIRED},
                                          {.name = NULL}};

static const tn_port ports[] = {
    {.name = "markers", .meaning = "the two end points", .kind = TN_POINT, .minimum = 2, .maximum = 2},
    {.name = NULL}};

/* What it can do besides: a list of tables by their keys, which ends with an entry whose key is NULL. */
static const tn_force_capability forces = {.struct_size = sizeof(tn_force_capability),
                                           .force = linear_spring_force,
                                           .force_tangent = linear_spring_force_tangent};

static const tn_capability capabilities[] = {{TN_FORCE_KEY, &forces}, {NULL, NULL}};

static const tn_element_type linear_spring_type = {.struct_size = sizeof(tn_element_type),
                                                   .name = "linear_spring",
                                                   .parameters = parameters,
                                                   .instance_size = sizeof(linear_spring),
                                                   .summary = "spring between two points",
                                                   .formula = "f = stiffness (L - reference_length)",
                                                   .capabilities = capabilities,
                                                   .ports = ports};

static const tn_type types[] = {{TN_ELEMENT_KIND, &linear_spring_type}, {NULL, NULL}};

static const tn_library library = {.struct_size = sizeof(tn_library),
                                   .abi_major = TN_ABI_MAJOR,
                                   .abi_minor = TN_ABI_MINOR,
                                   .name = "linear_spring",
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .summary = "linear spring in C",
                                   .types = types};

/* The one exported function. */
TN_EXPORT const tn_library *tn_plugin_library(void);
TN_EXPORT const tn_library *tn_plugin_library(void) { return &library; }
