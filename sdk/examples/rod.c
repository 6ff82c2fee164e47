/* rod.c - a body of any number of coordinates: an elastic rod on the x axis, held at the origin, whose nodes move along it */
#include <tenon/author.h>
#if TN_VALUES
#define ROD(P)                                                                                         \
    P(INTEGER, nodes, 0, 10, 1, 1000000, "n, without the one that is held")                            \
    P(REAL, length, "m", TN_REQUIRED | TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "L")                      \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "m")                       \
    P(REAL, stiffness, "N", TN_REQUIRED, 1.0, 0.0, TN_UNBOUNDED, "of its section, modulus times area") \
    P(REAL, damping, "N s", 0, 0.0, 0.0, TN_UNBOUNDED, "force per rate of strain")
TN_PARAMETERS(rod, ROD)

static const rod *rod_of(const tn_batch *batch, uint32_t i) { return (const rod *)tn_instance(batch, i); }
static uint32_t nodes_of(const void *instance) { return (uint32_t)((const rod *)instance)->nodes; }

static tn_status rod_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    layout->nq = layout->nv = nodes_of(instance);
    layout->own_entries = 3 * layout->nv - 2;
    return TN_OK;
}

/* Row by row: a node has to do with its neighbours. */
static tn_status rod_own_pattern(TN_UNUSED const tn_host *host, const void *instance, uint32_t *row,
                                 uint32_t *column)
{
    const uint32_t n = nodes_of(instance);
    for (uint32_t r = 0, e = 0; r < n; r++)
        for (uint32_t c = r > 0 ? r - 1 : 0; c < n && c <= r + 1; c++, e++) {
            row[e] = r;
            column[e] = c;
        }
    return TN_OK;
}

/* The entries of a matrix, in the order of the pattern: of nodes between two cells, of the last one, of neighbours. */
static void rod_fill(uint32_t n, double between, double last, double beside, double *entry)
{
    for (uint32_t r = 0; r < n; r++) {
        if (r > 0) *entry++ = beside;
        *entry++ = r + 1 < n ? between : last;
        if (r + 1 < n) *entry++ = beside;
    }
}

/* Linear shape functions between the nodes. */
static tn_status rod_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const double cell = rod_of(batch, i)->mass / (double)batch->layout->nv;
        rod_fill(batch->layout->nv, cell * 2.0 / 3.0, cell / 3.0, cell / 6.0,
                 batch->mass + (size_t)i * batch->layout->own_entries);
    }
    return TN_OK;
}

/* Of one cell, N/m and N s/m. */
static double cell_stiffness(const rod *self) { return self->stiffness * (double)self->nodes / self->length; }
static double cell_damping(const rod *self) { return self->damping * (double)self->nodes / self->length; }

static tn_status rod_body_force(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++) {
        const rod *self = rod_of(batch, i);
        const double *q = batch->q + (size_t)i * n, *v = batch->v + (size_t)i * n;
        double *force = batch->force + (size_t)i * n, before = 0.0;
        for (uint32_t k = n; k-- > 0;) { /* `before`: the tension of the cell behind node k */
            const double tension = cell_stiffness(self) * (q[k] - (k > 0 ? q[k - 1] : 0.0)) +
                                   cell_damping(self) * (v[k] - (k > 0 ? v[k - 1] : 0.0));
            const double share = self->mass / (double)n * (k + 1 < n ? 1.0 : 0.5);
            force[k] = before - tension + share * batch->gravity[0];
            before = tension;
        }
    }
    return TN_OK;
}

/* Derivatives by the coordinates and by the velocities, each where it is asked for. */
static tn_status rod_body_force_tangent(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->column_blocks; k++) {
            const tn_column_block *block = &batch->columns[k];
            const bool positions = block->kind == TN_POSITION_COLUMNS;
            const double cell = positions ? cell_stiffness(rod_of(batch, i)) : cell_damping(rod_of(batch, i));
            rod_fill(n, -2.0 * cell, -cell, cell,
                     batch->tangent + (size_t)i * batch->tangent_stride + block->first);
        }
    return rod_body_force(batch);
}

/* A point rides on the node that is nearest to it: nothing else moves it. */
static tn_status rod_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const rod *self = instance;
    const double place = attachment->position[0] / self->length * (double)self->nodes;
    if (attachment->kind != TN_POINT) return TN_UNSUPPORTED;
    if (!(place > 0.5 && place < (double)self->nodes + 0.5))
        return tn_refuse(host, "position", "no node of the rod that moves is near %g m",
                         attachment->position[0]);
    attachment->first = *(uint32_t *)attachment->data = (uint32_t)(place - 0.5);
    attachment->columns = 1;
    return TN_OK;
}

static uint32_t node_of(const tn_attachments *on, uint32_t i) { return ((const uint32_t *)on->data)[i]; }

static tn_status rod_pose(tn_attachments *on)
{
    memset(on->pose, 0, 3 * on->count * sizeof *on->pose);
    for (uint32_t i = 0; i < on->count; i++) {
        const rod *self =
            (const rod *)(const void *)((const char *)on->instance + on->body[i] * on->instance_stride);
        on->pose[3 * i] = self->length * (double)(node_of(on, i) + 1) / (double)on->nq +
                          on->q[(size_t)on->body[i] * on->nq + node_of(on, i)];
    }
    return TN_OK;
}

static tn_status rod_twist(tn_attachments *on)
{
    memset(on->twist, 0, 3 * on->count * sizeof *on->twist);
    for (uint32_t i = 0; i < on->count; i++)
        on->twist[3 * i] = on->v[(size_t)on->body[i] * on->nv + node_of(on, i)];
    return TN_OK;
}

static tn_status rod_pull_back(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        on->force[(size_t)on->body[i] * on->nv + node_of(on, i)] += on->wrench[3 * i];
    return TN_OK;
}

/* One column: that of the coordinate of the node. */
static tn_status rod_jacobian(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++)
        memcpy(on->matrix + 3 * i, (const double[]){1.0, 0.0, 0.0}, 3 * sizeof *on->matrix);
    return TN_OK;
}

static const char *rod_velocity_unit(TN_UNUSED const void *instance, TN_UNUSED uint32_t number)
{
    return "m";
}

TN_ELEMENT(rod, .summary = "elastic rod along x", .formula = "M u'' = -K u - C u' + F",
           .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .mass = rod_mass, .body_force = rod_body_force,
                                  .body_force_tangent = rod_body_force_tangent,
                                  .own_pattern = rod_own_pattern, .velocity_unit = rod_velocity_unit),
                           TN_HAS(attachment, .attachment_size = sizeof(uint32_t), .bind = rod_bind,
                                  .pose = rod_pose, .twist = rod_twist, .pull_back = rod_pull_back,
                                  .jacobian = rod_jacobian)),
           .layout = rod_layout)
TN_LIBRARY("rod", "1.0.0", "Apache-2.0", "elastic rod", {TN_ELEMENT_KIND, &rod_type})
#endif
