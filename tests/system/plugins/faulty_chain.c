/* faulty_chain.c - a chain of coordinates that are coupled with their neighbours, which lists the entries of its matrices, with
 * the fault that is defined
 *
 * f[r] = -2 q[r] + q[r-1] + q[r+1] - q[r]^3 - v[r]; with BENT the masses change: M[r][r] = 1 + sin(q[r])^2 / 2. A point on node n
 * stands at (sin q[n], q[n] q[n+1], q[n+1]). */
#include <tenon/author.h>
#if TN_VALUES
#if defined WRITES_ALL || defined BENT_INDEFINITE
#define BENT
#endif

#define FAULTY(P) P(INTEGER, size, 0, 5, 3, 1000000, "coordinates")
TN_PARAMETERS(faulty, FAULTY)

static uint32_t size_of(const void *instance) { return (uint32_t)((const faulty *)instance)->size; }

static tn_status faulty_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    layout->nq = layout->nv = size_of(instance);
    layout->own_entries = 3 * layout->nv - 2;
    return TN_OK;
}

/* First and last neighbour of coordinate r. */
static uint32_t first_of(uint32_t r) { return r > 0 ? r - 1 : 0; }
static uint32_t last_of(uint32_t r, uint32_t n) { return r + 1 < n ? r + 1 : r; }

static tn_status faulty_own_pattern(TN_UNUSED const tn_host *host, const void *instance, uint32_t *row,
                                    uint32_t *column)
{
    const uint32_t n = size_of(instance);
    for (uint32_t r = 0, e = 0; r < n; r++)
        for (uint32_t c = first_of(r); c <= last_of(r, n); c++, e++) {
            row[e] = r;
            column[e] = c;
        }
#ifdef LISTS_TWICE
    column[1] = 0;
#endif
#ifdef LISTS_ONE_SIDE
    column[1] = 2;
#endif
#ifdef LISTS_OUTSIDE
    column[1] = n;
#endif
    return TN_OK;
}

/* ---- masses and forces ---- */

static double mass_of(const double *q, uint32_t r, uint32_t c)
{
#ifdef ASYMMETRIC
    if (r > c) return 0.1;
#endif
#if defined INDEFINITE || defined BENT_INDEFINITE
    if (r != c) return 1.5;
#endif
    return r != c ? 0.2 : q ? 1.0 + 0.5 * sin(q[r]) * sin(q[r]) : 1.0;
}

static double force_of(const double *q, const double *v, uint32_t r, uint32_t n)
{
    double force = -2.0 * q[r] - q[r] * q[r] * q[r] - v[r];
    if (r > 0) force += q[r - 1];
    if (r + 1 < n) force += q[r + 1];
#ifdef READS_FURTHER /* by so little that no tolerance of differences shows it */
    if (r + 2 < n) force += 1e-12 * q[r + 2];
#endif
    return force;
}

/* Derivative of the force by coordinate c. */
static double slope_of(const double *q, uint32_t r, uint32_t c)
{
#ifdef WRONG_ENTRY
    if (r == 2 && c == 1) return -1.0;
#endif
    return r != c ? 1.0 : -2.0 - 3.0 * q[r] * q[r];
}

#ifdef BENT

static tn_status faulty_residual(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++) {
        const double *q = batch->q + (size_t)i * n, *a = batch->a + (size_t)i * n;
        for (uint32_t r = 0; r < n; r++) {
            double sum = -force_of(q, batch->v + (size_t)i * n, r, n);
            for (uint32_t c = first_of(r); c <= last_of(r, n); c++)
                sum += mass_of(q, r, c) * a[c];
            batch->residual[(size_t)i * n + r] = sum;
        }
    }
    return TN_OK;
}

static void write_block(const tn_batch *batch, const tn_column_block *block, uint32_t i)
{
    const uint32_t n = batch->layout->nv;
    const double *q = batch->q + (size_t)i * n, *a = batch->a + (size_t)i * n;
    double *entry = batch->tangent + (size_t)i * batch->tangent_stride + block->first;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = first_of(r); c <= last_of(r, n); c++)
            *entry++ = block->kind == TN_POSITION_COLUMNS
                           ? -slope_of(q, r, c) + (r == c ? 0.5 * sin(2.0 * q[r]) * a[r] : 0.0)
                       : block->kind == TN_ACCELERATION_COLUMNS ? mass_of(q, r, c)
                                                                : (r == c ? 1.0 : 0.0);
}

static tn_status faulty_residual_tangent(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->column_blocks; k++) {
            tn_column_block block = batch->columns[k];
#ifdef WRITES_ALL /* as if all blocks were asked for, positions first */
            block.kind = k == 0 ? TN_POSITION_COLUMNS : block.kind;
#endif
            write_block(batch, &block, i);
        }
    return faulty_residual(batch);
}
#define OWN .residual = faulty_residual, .residual_tangent = faulty_residual_tangent

#else

static tn_status faulty_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        double *entry = batch->mass + (size_t)i * batch->layout->own_entries;
        for (uint32_t r = 0, n = batch->layout->nv; r < n; r++)
            for (uint32_t c = first_of(r); c <= last_of(r, n); c++)
                *entry++ = mass_of(NULL, r, c);
    }
    return TN_OK;
}

static tn_status faulty_body_force(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    for (uint32_t k = 0; k < batch->count * n; k++)
        batch->force[k] = force_of(batch->q + k / n * n, batch->v + k / n * n, k % n, n);
    return TN_OK;
}

static tn_status faulty_body_force_tangent(tn_batch *batch)
{
    const uint32_t n = batch->layout->nv;
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->column_blocks; k++) {
            double *entry = batch->tangent + (size_t)i * batch->tangent_stride + batch->columns[k].first;
            const bool positions = batch->columns[k].kind == TN_POSITION_COLUMNS;
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t c = first_of(r); c <= last_of(r, n); c++)
                    *entry++ = positions ? slope_of(batch->q + (size_t)i * n, r, c) : r == c ? -1.0 : 0.0;
        }
    return faulty_body_force(batch);
}
#define OWN \
    .mass = faulty_mass, .body_force = faulty_body_force, .body_force_tangent = faulty_body_force_tangent

#endif

/* ---- points ---- */

static tn_status faulty_bind(TN_UNUSED const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const uint32_t n = size_of(instance);
    if (attachment->kind != TN_POINT) return TN_UNSUPPORTED;
    const uint32_t node = (uint32_t)(fabs(attachment->position[0]) * (n - 2)) % (n - 2);
    *(uint32_t *)attachment->data = attachment->first = node;
#ifdef WRONG_FIRST
    attachment->first = node + 1;
#endif
    attachment->columns = 2;
#ifdef BEYOND
    attachment->columns = n + 1;
#endif
    return TN_OK;
}

/* The coordinates, or velocities, of node i. */
static const double *at(const tn_attachments *on, const double *values, uint32_t i)
{
    return values + (size_t)on->body[i] * on->nv + ((const uint32_t *)on->data)[i];
}

static tn_status faulty_pose(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i);
        memcpy(on->pose + 3 * (size_t)i, (const double[]){sin(q[0]), q[0] * q[1], q[1]}, 3 * sizeof *q);
    }
    return TN_OK;
}

static tn_status faulty_twist(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i), *v = at(on, on->v, i);
        const double twist[] = {cos(q[0]) * v[0], v[0] * q[1] + q[0] * v[1], v[1]};
        memcpy(on->twist + 3 * (size_t)i, twist, sizeof twist);
    }
    return TN_OK;
}

static tn_status faulty_pull_back(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i), *f = on->wrench + 3 * (size_t)i;
        double *to = on->force + (at(on, on->q, i) - on->q);
        to[0] += cos(q[0]) * f[0] + q[1] * f[1];
#ifndef FORGETS_NEIGHBOUR
        to[1] += q[0] * f[1] + f[2];
#endif
    }
    return TN_OK;
}

static tn_status faulty_jacobian(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i);
        const double matrix[] = {cos(q[0]), 0.0, q[1], q[0], 0.0, 1.0};
        memcpy(on->matrix + 6 * (size_t)i, matrix, sizeof matrix);
    }
    return TN_OK;
}

static tn_status faulty_twist_derivative(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i), *v = at(on, on->v, i);
        const double matrix[] = {-sin(q[0]) * v[0], 0.0, v[1], v[0], 0.0, 0.0};
        memcpy(on->matrix + 6 * (size_t)i, matrix, sizeof matrix);
    }
    return TN_OK;
}

static tn_status faulty_pull_back_derivative(tn_attachments *on)
{
    for (uint32_t i = 0; i < on->count; i++) {
        const double *q = at(on, on->q, i), *f = on->wrench + 3 * (size_t)i;
        const double matrix[] = {-sin(q[0]) * f[0], f[1], f[1], 0.0};
        memcpy(on->matrix + 4 * (size_t)i, matrix, sizeof matrix);
#ifdef WRONG_PULL_BACK_DERIVATIVE
        on->matrix[4 * (size_t)i + 1] = 0.0;
#endif
    }
    return TN_OK;
}

TN_ELEMENT(faulty, .summary = "faulty", .formula = "M q'' = f", .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, OWN, .own_pattern = faulty_own_pattern),
                           TN_HAS(attachment, .attachment_size = sizeof(uint32_t), .bind = faulty_bind,
                                  .pose = faulty_pose, .twist = faulty_twist, .pull_back = faulty_pull_back,
                                  .jacobian = faulty_jacobian, .twist_derivative = faulty_twist_derivative,
                                  .pull_back_derivative = faulty_pull_back_derivative)),
           .layout = faulty_layout)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_ELEMENT_KIND, &faulty_type})
#endif
