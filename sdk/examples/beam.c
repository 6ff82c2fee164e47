/* beam.c - a body of many coordinates: an elastic beam of Hermite elements that bends in one plane
 *
 * The coordinates are deflection and slope of every node. Points ride on it at any place along it, and elements act on the
 * nodes themselves: clamp.c, node_spring.c. Formulas: Przemieniecki, Theory of Matrix Structural Analysis, McGraw-Hill, 1968. */
#include <tenon/author.h>

#include <stdlib.h>

#define BEAM(P)                                                                                       \
    P(VECTOR, position, "m", TN_MOVES, "of its first node, ground axes")                              \
    P(ROTATION, rotation, TN_MOVES, "its x runs along the beam, which bends in z, into ground axes")  \
    P(REAL, length, "m", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "L")                     \
    P(INTEGER, elements, 0, 4, 1, 10000, "n")                                                         \
    P(REAL, stiffness, "N m^2", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "in bending, EI") \
    P(REAL, line_mass, "kg/m", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "m")               \
    P(REAL, damping, "s", 0, 0.0, 0.0, TN_UNBOUNDED, "share b of the stiffness")
TN_PARAMETERS(beam, BEAM)

#if TN_VALUES

static const beam *beam_of(const void *first, size_t stride, uint32_t i)
{
    return (const beam *)(const void *)((const char *)first + i * stride);
}
static uint32_t nodes_of(const beam *self) { return (uint32_t)self->elements + 1; }
static double axis_of(const beam *self, uint32_t row, uint32_t axis)
{
    return self->rotation[3 * row + axis];
}

/* ---- matrices: 2 x 2 blocks, a node with itself and its neighbours ---- */

/* Entry (2 i + a, 2 j + c) in the list: rows of nodes follow each other, each from its left neighbour on. */
static uint32_t entry_of(uint32_t i, uint32_t j, uint32_t a, uint32_t c)
{
    return 4 * (2 * i + j) + 2 * a + c;
}
static uint32_t entries_of(const beam *self) { return 4 * (3 * nodes_of(self) - 2); }

static tn_status beam_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    layout->nq = layout->nv = 2 * nodes_of(instance);
    layout->own_entries = entries_of(instance);
    return TN_OK;
}

static tn_status beam_pattern(TN_UNUSED const tn_host *host, const void *instance, uint32_t *row,
                              uint32_t *column)
{
    const uint32_t nodes = nodes_of(instance);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = i ? i - 1 : 0; j < nodes && j <= i + 1; j++)
            for (uint32_t k = 0; k < 4; k++) {
                row[entry_of(i, j, k / 2, k % 2)] = 2 * i + k / 2;
                column[entry_of(i, j, k / 2, k % 2)] = 2 * j + k % 2;
            }
    return TN_OK;
}

static const char *beam_unit(TN_UNUSED const void *instance, uint32_t number)
{
    return number % 2 ? "rad" : "m";
}

/* Adds `factor` times the matrix of one element to that of each. */
static void add_elements(const beam *self, double factor, const double element[4][4], double *entry)
{
    for (uint32_t e = 0; e < self->elements; e++)
        for (uint32_t r = 0; r < 4; r++)
            for (uint32_t c = 0; c < 4; c++)
                entry[entry_of(e + r / 2, e + c / 2, r % 2, c % 2)] += factor * element[r][c];
}

static void stiffness_of(const beam *self, double k[4][4])
{
    const double l = self->length / (double)self->elements, f = self->stiffness / (l * l * l);
    const double one[4][4] = {{12.0, 6.0 * l, -12.0, 6.0 * l},
                              {6.0 * l, 4.0 * l * l, -6.0 * l, 2.0 * l * l},
                              {-12.0, -6.0 * l, 12.0, -6.0 * l},
                              {6.0 * l, 2.0 * l * l, -6.0 * l, 4.0 * l * l}};
    for (int i = 0; i < 16; i++)
        k[i / 4][i % 4] = f * one[i / 4][i % 4];
}

static tn_status beam_mass(tn_batch *batch)
{
    const uint32_t entries = batch->layout->own_entries;
    memset(batch->mass, 0, sizeof(double) * batch->count * entries);
    for (uint32_t i = 0; i < batch->count; i++) {
        const beam *self = tn_instance(batch, i);
        const double l = self->length / (double)self->elements, f = self->line_mass * l / 420.0;
        const double one[4][4] = {{156.0, 22.0 * l, 54.0, -13.0 * l},
                                  {22.0 * l, 4.0 * l * l, 13.0 * l, -3.0 * l * l},
                                  {54.0, 13.0 * l, 156.0, -22.0 * l},
                                  {-13.0 * l, -3.0 * l * l, -22.0 * l, 4.0 * l * l}};
        add_elements(self, f, one, batch->mass + (size_t)i * entries);
    }
    return TN_OK;
}

/* ---- forces on itself: weight - K (q + b dq/dt) ---- */

typedef struct energies {
    double potential, dissipated; /* J, W */
} energies;

/* Adds up the elements of one beam; their forces into f, [nv], unless that is NULL. */
static energies add_up(const beam *self, const double *gravity, const double *q, const double *v, double *f)
{
    const double l = self->length / (double)self->elements, weight[4] = {0.5, l / 12.0, 0.5, -l / 12.0};
    double k[4][4], down = 0.0;
    energies sum = {0.0, 0.0};
    for (uint32_t axis = 0; axis < 3; axis++)
        down += gravity[axis] * axis_of(self, axis, 2);
    stiffness_of(self, k);
    for (uint32_t e = 0; e < self->elements; e++)
        for (uint32_t r = 0; r < 4; r++) {
            const double load = self->line_mass * l * down * weight[r];
            double elastic = 0.0, damping = 0.0;
            for (uint32_t c = 0; c < 4; c++) {
                elastic += k[r][c] * q[2 * e + c];
                damping += self->damping * k[r][c] * v[2 * e + c];
            }
            if (f) f[2 * e + r] += load - elastic - damping;
            sum.potential += (0.5 * elastic - load) * q[2 * e + r];
            sum.dissipated += damping * v[2 * e + r];
        }
    return sum;
}

static energies energies_of(const tn_batch *batch, uint32_t i)
{
    const size_t nv = batch->layout->nv;
    return add_up(tn_instance(batch, i), batch->gravity, batch->q + i * nv, batch->v + i * nv, NULL);
}

static tn_status beam_force(tn_batch *batch)
{
    const uint32_t nv = batch->layout->nv;
    memset(batch->force, 0, sizeof(double) * batch->count * nv);
    for (uint32_t i = 0; i < batch->count; i++)
        (void)add_up(tn_instance(batch, i), batch->gravity, batch->q + (size_t)i * nv,
                     batch->v + (size_t)i * nv, batch->force + (size_t)i * nv);
    return TN_OK;
}

/* One row for each body, in it a block of entries for each kind of columns that is asked for. */
static tn_status beam_force_tangent(tn_batch *batch)
{
    memset(batch->tangent, 0, sizeof(double) * batch->count * batch->tangent_stride);
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t b = 0; b < batch->column_blocks; b++) {
            const beam *self = tn_instance(batch, i);
            const bool positions = batch->columns[b].kind == TN_POSITION_COLUMNS;
            double k[4][4];
            stiffness_of(self, k);
            add_elements(self, positions ? -1.0 : -self->damping, k,
                         batch->tangent + (size_t)i * batch->tangent_stride + batch->columns[b].first);
        }
    return beam_force(batch);
}

static tn_status beam_potential(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->value[i] = energies_of(batch, i).potential;
    return TN_OK;
}

static tn_status beam_dissipation(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->value[i] = energies_of(batch, i).dissipated;
    return TN_OK;
}

/* ---- markers ---- */

/* A point: its way along the beam, and how it follows the four coordinates of its element. */
typedef struct place {
    double x, share[4];
    uint32_t first;
} place;

static tn_status bind_point(const tn_host *host, const beam *self, tn_attachment *attachment)
{
    const double x = attachment->position[0], l = self->length / (double)self->elements;
    place *to = attachment->data;
    if (attachment->position[1] != 0.0 || attachment->position[2] != 0.0 || x < 0.0 || x > self->length)
        return tn_refuse(host, "position", "it is no place along the beam");
    const uint32_t last = (uint32_t)self->elements - 1, found = (uint32_t)(x / l),
                   element = found < last ? found : last;
    const double s = x / l - element, p = s * s, c = p * s;
    const double share[4] = {1.0 - 3.0 * p + 2.0 * c, l * (s - 2.0 * p + c), 3.0 * p - 2.0 * c, l * (c - p)};
    memcpy(to->share, share, sizeof share);
    to->x = x;
    to->first = attachment->first = 2 * element;
    attachment->columns = 4;
    return TN_OK;
}

/* Nodes have numbers; their coordinates stand in q as they are. */
static tn_status bind_node(const tn_host *host, const beam *self, tn_attachment *attachment)
{
    const char *name = attachment->node ? attachment->node : "";
    char *end = NULL;
    const unsigned long number = strtoul(name, &end, 10);
    if (!(*name >= '0' && *name <= '9') || *end || number >= nodes_of(self))
        return tn_refuse(host, "node", "\"%s\" is none of its nodes, 0 to %u", name, nodes_of(self) - 1);
    attachment->kind = TN_NODE_OF(2);
    attachment->alias_pose = attachment->alias_twist = 2 * (int32_t)number;
    return TN_OK;
}

static tn_status beam_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    if (attachment->kind == TN_POINT) return bind_point(host, instance, attachment);
    return attachment->kind == TN_NODE ? bind_node(host, instance, attachment) : TN_UNSUPPORTED;
}

/* The share of point i in four of the numbers of all bodies. */
static double shared(const tn_attachments *on, uint32_t i, const double *numbers)
{
    const place *at = (const place *)on->data + i;
    double sum = 0.0;
    for (uint32_t k = 0; k < 4; k++)
        sum += at->share[k] * numbers[(size_t)on->body[i] * on->nv + at->first + k];
    return sum;
}

static tn_status beam_pose(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const beam *self = beam_of(on->instance, on->instance_stride, on->body[i]);
        const double x = ((const place *)on->data)[i].x, z = shared(on, i, on->q);
        for (uint32_t k = 0; k < 3; k++)
            on->pose[3 * i + k] = self->position.e[k] + x * axis_of(self, k, 0) + z * axis_of(self, k, 2);
    }
    return TN_OK;
}

static tn_status beam_twist(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            on->twist[3 * i + k] =
                shared(on, i, on->v) * axis_of(beam_of(on->instance, on->instance_stride, on->body[i]), k, 2);
    return TN_OK;
}

static tn_status beam_pull_back(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const place *at = (const place *)on->data + i;
        const beam *self = beam_of(on->instance, on->instance_stride, on->body[i]);
        for (uint32_t k = 0; k < 12; k++)
            on->force[(size_t)on->body[i] * on->nv + at->first + k % 4] +=
                at->share[k % 4] * axis_of(self, k / 4, 2) * on->wrench[3 * i + k / 4];
    }
    return TN_OK;
}

static tn_status beam_jacobian(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        for (uint32_t k = 0; k < 12; k++)
            on->matrix[12 * i + k] =
                ((const place *)on->data)[i].share[k % 4] *
                axis_of(beam_of(on->instance, on->instance_stride, on->body[i]), k / 4, 2);
    return TN_OK;
}

TN_ELEMENT(
    beam, .summary = "an elastic beam that bends in one plane",
    .formula = "M d2q/dt2 = weight - K (q + b dq/dt), q: deflections and slopes of the nodes",
    .flags = TN_VECTOR_SPACE,
    TN_CAPABILITIES(TN_HAS(body, .own_pattern = beam_pattern, .velocity_unit = beam_unit, .mass = beam_mass,
                           .body_force = beam_force, .body_force_tangent = beam_force_tangent),
                    TN_HAS(attachment, .attachment_size = sizeof(place), .bind = beam_bind, .pose = beam_pose,
                           .twist = beam_twist, .pull_back = beam_pull_back, .jacobian = beam_jacobian),
                    TN_HAS(energy, .potential = beam_potential, .dissipation = beam_dissipation)),
    .layout = beam_layout)
TN_LIBRARY("beam", "1.0.0", "Apache-2.0", "elastic beam", {TN_ELEMENT_KIND, &beam_type})
#endif
