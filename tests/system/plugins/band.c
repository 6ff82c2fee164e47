/* band.c - a body of any size whose coordinates are coupled with their neighbours, like a beam; of width 0 they are modes
 *
 * Its matrices are listed entry by entry, or full: both make the same motion. A marker at node n of it stands at
 * (n + sin q[n], q[n] q[n+1], q[n+1]). The masses of `bent_band` change with q: M[n][n] = 1 + sin(q[n])^2 / 2. */
#include <tenon/author.h>

#include <stdlib.h>

#define BAND(P)                                                                                      \
    P(INTEGER, size, 0, 10, 2, 1000000, "coordinates")                                               \
    P(INTEGER, width, 0, 3, 0, 1000, "neighbours on either side that a coordinate is coupled with")  \
    P(BOOLEAN, listed, 0, 1, "its matrices are listed entry by entry")                               \
    P(BOOLEAN, whole, 0, 0, "its markers depend on all coordinates")                                 \
    P(BOOLEAN, fixed, 0, 0, "its markers do not tell that their number of coordinates is too large") \
    P(REAL, stiffness, "", 0, 100.0, 0.0, TN_UNBOUNDED, "of neighbours")                             \
    P(REAL, hardening, "", 0, 0.0, 0.0, TN_UNBOUNDED, "of the cubic part")                           \
    P(REAL, damping, "", 0, 0.1, 0.0, TN_UNBOUNDED, "of every coordinate")                           \
    P(REAL, inertia, "", 0, 0.2, -TN_UNBOUNDED, TN_UNBOUNDED, "that neighbours share")               \
    P(CHOICE, fault, "none|twice|one_sided|outside|no_diagonal", 0, 0, "of the list")
TN_PARAMETERS(band, BAND)

enum { NONE, TWICE, ONE_SIDED, OUTSIDE, NO_DIAGONAL };

static const band *band_of(const tn_batch *batch, uint32_t i) { return (const band *)tn_instance(batch, i); }

static int64_t first_neighbour(const band *self, int64_t r) { return r > self->width ? r - self->width : 0; }
static int64_t last_neighbour(const band *self, int64_t r)
{
    return r + self->width < self->size ? r + self->width : self->size - 1;
}

static tn_status band_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const band *self = instance;
    (void)host;
    layout->nq = layout->nv = (uint32_t)self->size;
    for (int64_t r = 0; self->listed && r < self->size; r++)
        layout->own_entries += (uint32_t)(last_neighbour(self, r) - first_neighbour(self, r) + 1);
    return TN_OK;
}

static tn_status band_pattern(const tn_host *host, const void *instance, uint32_t *row, uint32_t *column)
{
    const band *self = instance;
    uint32_t e = 0;
    (void)host;
    for (int64_t r = 0; r < self->size; r++)
        for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++, e++) {
            row[e] = (uint32_t)r;
            column[e] = (uint32_t)c;
        }
    if (self->fault == TWICE) column[1] = 0;
    if (self->fault == ONE_SIDED) column[1] = (uint32_t)self->size - 1;
    if (self->fault == OUTSIDE) row[1] = (uint32_t)self->size;
    if (self->fault == NO_DIAGONAL) { /* of width 1: (0, 2) and (2, 0) in place of (0, 0) and (1, 1) */
        column[0] = row[3] = 2;
        column[3] = 0;
    }
    return TN_OK;
}

static tn_status band_initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                              double *s, double *d)
{
    const band *self = instance;
    (void)host, (void)x, (void)s, (void)d;
    for (int64_t k = 0; k < self->size; k++) {
        q[k] = 0.1 * sin((double)k);
        v[k] = 0.5 * cos(2.0 * (double)k);
    }
    return TN_OK;
}

/* Entry (r, c) of the masses, and of the stiffnesses: those of modes grow with their number. */
static double mass_entry(const band *self, int64_t r, int64_t c)
{
    return r == c ? 1.0 : self->inertia / (double)self->width;
}

static double stiffness_entry(const band *self, int64_t r, int64_t c)
{
    const double own = self->width ? 2.0 * (double)self->width + 0.1 : 1.0 + 1e-3 * (double)r;
    return self->stiffness * (r == c ? own : -1.0);
}

/* Where entry (r, c) of the matrices of instance i stands, by rows of `stride` where they are full; *next counts listed ones. */
static double *place_of(const band *self, double *matrix, size_t stride, size_t first, int64_t r, int64_t c,
                        size_t *next)
{
    return self->listed ? matrix + first + (*next)++ : matrix + (size_t)r * stride + first + (size_t)c;
}

static size_t entries_of(const tn_batch *batch)
{
    return batch->layout->own_entries ? batch->layout->own_entries
                                      : (size_t)batch->layout->nv * batch->layout->nv;
}

static tn_status band_mass(tn_batch *batch)
{
    const size_t nv = batch->layout->nv, size = entries_of(batch);
    memset(batch->mass, 0, batch->count * size * sizeof(double));
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, i);
        size_t next = 0;
        for (int64_t r = 0; r < self->size; r++)
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++)
                *place_of(self, batch->mass + i * size, nv, 0, r, c, &next) = mass_entry(self, r, c);
    }
    return TN_OK;
}

static tn_status band_force(tn_batch *batch)
{
    const size_t nv = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, i);
        const double *q = batch->q + i * nv, *v = batch->v + i * nv;
        for (int64_t r = 0; r < self->size; r++) {
            double force = -self->damping * v[r] - self->hardening * q[r] * q[r] * q[r];
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++)
                force -= stiffness_entry(self, r, c) * q[c];
            batch->force[i * nv + (size_t)r] = force;
        }
    }
    return TN_OK;
}

static tn_status band_force_tangent(tn_batch *batch)
{
    const size_t nv = batch->layout->nv, stride = batch->tangent_stride;
    const size_t size = batch->layout->own_entries ? stride : nv * stride;
    const uint32_t position = tn_first_column(batch, TN_POSITION_COLUMNS),
                   velocity = tn_first_column(batch, TN_VELOCITY_COLUMNS);
    memset(batch->tangent, 0, batch->count * size * sizeof(double));
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, i);
        double *tangent = batch->tangent + i * size;
        const double *q = batch->q + i * nv;
        size_t next = 0, next_velocity = 0;
        for (int64_t r = 0; r < self->size; r++)
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++) {
                *place_of(self, tangent, stride, position, r, c, &next) =
                    -stiffness_entry(self, r, c) - (r == c ? 3.0 * self->hardening * q[r] * q[r] : 0.0);
                *place_of(self, tangent, stride, velocity, r, c, &next_velocity) =
                    r == c ? -self->damping : 0.0;
            }
    }
    return band_force(batch);
}

/* ---- masses that change ---------------------------------------------------------------------------------- */

static double bent_entry(const band *self, const double *q, int64_t r, int64_t c)
{
    return mass_entry(self, r, c) + (r == c ? 0.5 * sin(q[r]) * sin(q[r]) : 0.0);
}

static tn_status bent_residual(tn_batch *batch)
{
    const size_t nv = batch->layout->nv;
    tn_batch force = *batch;
    force.force = batch->residual;
    (void)band_force(&force);
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, i);
        const double *q = batch->q + i * nv, *a = batch->a + i * nv;
        for (int64_t r = 0; r < self->size; r++) {
            double *to = &batch->residual[i * nv + (size_t)r];
            *to = -*to;
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++)
                *to += bent_entry(self, q, r, c) * a[c];
        }
    }
    return TN_OK;
}

/* The columns that are asked for, of instance i. */
static void bent_columns(const tn_batch *batch, uint32_t i, double *tangent)
{
    const size_t nv = batch->layout->nv, stride = batch->tangent_stride;
    const band *self = band_of(batch, i);
    const double *q = batch->q + i * nv, *a = batch->a + i * nv;
    for (uint32_t k = 0; k < batch->column_blocks; k++) {
        const tn_column_block *block = &batch->columns[k];
        size_t next = 0;
        for (int64_t r = 0; r < self->size; r++)
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++) {
                const double by_position =
                    stiffness_entry(self, r, c) +
                    (r == c ? 3.0 * self->hardening * q[r] * q[r] + 0.5 * sin(2.0 * q[r]) * a[r] : 0.0);
                *place_of(self, tangent, stride, block->first, r, c, &next) =
                    block->kind == TN_POSITION_COLUMNS       ? by_position
                    : block->kind == TN_ACCELERATION_COLUMNS ? bent_entry(self, q, r, c)
                    : r == c                                 ? self->damping
                                                             : 0.0;
            }
    }
}

static tn_status bent_residual_tangent(tn_batch *batch)
{
    const size_t stride = batch->tangent_stride;
    const size_t size = batch->layout->own_entries ? stride : batch->layout->nv * stride;
    memset(batch->tangent, 0, batch->count * size * sizeof(double));
    for (uint32_t i = 0; i < batch->count; i++)
        bent_columns(batch, i, batch->tangent + i * size);
    return bent_residual(batch);
}

/* ---- energies -------------------------------------------------------------------------------------------- */

static tn_status band_potential(tn_batch *batch)
{
    const size_t nv = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, i);
        const double *q = batch->q + i * nv;
        batch->value[i] = 0.0;
        for (int64_t r = 0; r < self->size; r++) {
            batch->value[i] += 0.25 * self->hardening * q[r] * q[r] * q[r] * q[r];
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++)
                batch->value[i] += 0.5 * q[r] * stiffness_entry(self, r, c) * q[c];
        }
    }
    return TN_OK;
}

static tn_status band_dissipation(tn_batch *batch)
{
    const size_t nv = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++) {
        batch->value[i] = 0.0;
        for (size_t k = 0; k < nv; k++)
            batch->value[i] += band_of(batch, i)->damping * batch->v[i * nv + k] * batch->v[i * nv + k];
    }
    return TN_OK;
}

/* ---- markers --------------------------------------------------------------------------------------------- */

static tn_status band_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const band *self = instance;
    (void)host;
    if (attachment->kind == TN_FRAME) return TN_UNSUPPORTED;
    if (attachment->kind == TN_COORDINATE) {
        attachment->alias_pose = attachment->alias_twist =
            attachment->coordinate ? (int32_t)strtol(attachment->coordinate, NULL, 10) : 0;
        return attachment->alias_pose < self->size ? TN_OK : TN_UNSUPPORTED;
    }
    const uint32_t node = (uint32_t)attachment->position[0];
    *(uint32_t *)attachment->data = node;
    if (self->whole) return TN_OK;
    attachment->first = node;
    attachment->columns = self->fixed ? (uint32_t)self->size : 2;
    return TN_OK;
}

typedef struct stand {
    const double *q, *v;
    size_t node, body, column; /* column: of the node in `matrix` */
} stand;

static stand stand_of(const tn_attachments *attachments, uint32_t i)
{
    const size_t body = attachments->body[i], node = ((const uint32_t *)attachments->data)[i];
    return (stand){attachments->q + body * attachments->nq + node,
                   attachments->v + body * attachments->nv + node, node, body,
                   attachments->columns == attachments->nv ? node : 0};
}

static tn_status band_pose(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double pose[] = {(double)at.node + sin(at.q[0]), at.q[0] * at.q[1], at.q[1]};
        memcpy(attachments->pose + 3 * i, pose, sizeof pose);
    }
    return TN_OK;
}

static tn_status band_twist(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double twist[] = {cos(at.q[0]) * at.v[0], at.v[0] * at.q[1] + at.q[0] * at.v[1], at.v[1]};
        memcpy(attachments->twist + 3 * i, twist, sizeof twist);
    }
    return TN_OK;
}

static tn_status band_pull_back(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double *F = attachments->wrench + 3 * i;
        double *force = attachments->force + at.body * attachments->nv + at.node;
        force[0] += cos(at.q[0]) * F[0] + at.q[1] * F[1];
        force[1] += at.q[0] * F[1] + F[2];
    }
    return TN_OK;
}

/* Two columns of a matrix that has zeros elsewhere. */
static void write_columns(const tn_attachments *attachments, uint32_t i, size_t column, size_t rows,
                          size_t first_row, const double *values)
{
    const size_t columns = attachments->columns, all = rows == 2 ? columns : rows;
    double *matrix = attachments->matrix + i * all * columns;
    memset(matrix, 0, all * columns * sizeof *matrix);
    for (size_t r = 0; r < rows; r++)
        memcpy(matrix + (first_row + r) * columns + column, values + 2 * r, 2 * sizeof *values);
}

static tn_status band_jacobian(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        write_columns(attachments, i, at.column, 3, 0,
                      (const double[]){cos(at.q[0]), 0.0, at.q[1], at.q[0], 0.0, 1.0});
    }
    return TN_OK;
}

static tn_status band_twist_derivative(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        write_columns(attachments, i, at.column, 3, 0,
                      (const double[]){-sin(at.q[0]) * at.v[0], 0.0, at.v[1], at.v[0], 0.0, 0.0});
    }
    return TN_OK;
}

static tn_status band_pull_back_derivative(tn_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->count; i++) {
        const stand at = stand_of(attachments, i);
        const double *F = attachments->wrench + 3 * i;
        write_columns(attachments, i, at.column, 2, at.column,
                      (const double[]){-sin(at.q[0]) * F[0], F[1], F[1], 0.0});
    }
    return TN_OK;
}

TN_OUTPUTS(band, {"kinetic_energy", "v M v / 2", "J", 1, 0})
static tn_status band_output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const band *self = band_of(batch, batch->first + i);
        const double *v = batch->v + (size_t)(batch->first + i) * batch->layout->nv;
        batch->value[i] = 0.0;
        for (int64_t r = 0; r < self->size; r++)
            for (int64_t c = first_neighbour(self, r); c <= last_neighbour(self, r); c++)
                batch->value[i] += 0.5 * v[r] * mass_entry(self, r, c) * v[c];
    }
    return TN_OK;
}

/* Fields and capabilities that both types have. */
#define BAND_FIELDS                                                                               \
    .summary = "coupled coordinates", .formula = "M q'' = -K q - D q'", .flags = TN_VECTOR_SPACE, \
    .layout = band_layout, .initial = band_initial
#define BAND_CAPABILITIES                                                                             \
    TN_HAS(energy, .potential = band_potential, .dissipation = band_dissipation),                     \
        TN_HAS(attachment, .attachment_size = sizeof(uint32_t), .bind = band_bind, .pose = band_pose, \
               .twist = band_twist, .pull_back = band_pull_back, .jacobian = band_jacobian,           \
               .twist_derivative = band_twist_derivative, .pull_back_derivative = band_pull_back_derivative)

TN_ELEMENT(band, BAND_FIELDS,
           TN_CAPABILITIES(TN_HAS(body, .mass = band_mass, .body_force = band_force,
                                  .body_force_tangent = band_force_tangent, .own_pattern = band_pattern),
                           BAND_CAPABILITIES),
           .outputs = band_outputs, .output = band_output)
static const tn_element_type bent_band_type = {
    .struct_size = sizeof(tn_element_type),
    .name = "bent_band",
    .parameters = band_parameters,
    .instance_size = sizeof(band),
    BAND_FIELDS,
    TN_CAPABILITIES(TN_HAS(body, .residual = bent_residual, .residual_tangent = bent_residual_tangent,
                           .own_pattern = band_pattern),
                    BAND_CAPABILITIES)};
TN_LIBRARY("band", "1.0.0", "Apache-2.0", "coupled coordinates", {TN_ELEMENT_KIND, &band_type},
           {TN_ELEMENT_KIND, &bent_band_type})
