/* ends.c - how markers hang on bodies, and what one pair of them adds to the matrix (see matrix.c) */
#include "system/markers.h"
#include "system/matrix.h"

#include <string.h>

/* One body that a marker depends on. */
static tn_end end_on(const tn_assembly *assembly, uint32_t marker, uint32_t number, size_t width)
{
    const tn_support s = tn_support_of(assembly, marker, number);
    const tn_group *owner = &assembly->group[s.group];
    const size_t nv = owner->batch.layout->nv, place = s.body * nv + s.first;
    tn_end e = {.width = width, .nv = s.count};
    if (!e.nv) return e;
    e.v_start = owner->v_start + place;
    e.offset = owner->own ? 0 : s.first;
    e.pinned = owner->pinned && owner->pinned[s.body];
    if (owner->diagonal || owner->lightness) {
        e.lightness = (owner->diagonal ? owner->inverse : owner->lightness) + place;
    } else {
        e.inverse = owner->inverse + s.body * nv * nv + s.first * (nv + 1);
        e.inverse_stride = nv;
    }
    const tn_station *station = &assembly->station[marker];
    if (station->group == TN_NONE) {
        const tn_derived *derived = &assembly->derived[station->riders];
        const tn_leg *leg = &derived->leg[derived->leg_start[station->rider] + number];
        e.J = leg->jacobian;
        e.T = leg->derivative;
    } else if (station->riders != TN_NONE) {
        const tn_riders *riders = &assembly->riders[station->riders];
        e.J = riders->jacobian + station->rider * width * e.nv;
        e.T = riders->derivative ? riders->derivative + station->rider * width * e.nv : NULL;
    }
    return e;
}

size_t tn_ends_of(const tn_assembly *assembly, uint32_t marker, size_t column, tn_end *ends)
{
    const size_t width = tn_twist_size(assembly->model->marker[marker].kind);
    const uint32_t count = assembly->station[marker].group == TN_NONE ? tn_leg_count(assembly, marker) : 1;
    for (uint32_t l = 0; l < count; l++) {
        ends[l] = end_on(assembly, marker, l, width);
        ends[l].column = column;
    }
    return count;
}

/* product [rows][columns] += A B, where A(r, k) = A[r down + k across]. Most of A is zero: half of a Jacobian, three quarters of what
 * reactions change by. */
static inline void add_product(size_t rows, size_t inner, size_t columns, const double *A, size_t down,
                               size_t across, const double *B, double *restrict product)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < inner; k++)
            for (size_t j = 0; j < columns && A[r * down + k * across] != 0.0; j++)
                product[r * columns + j] += A[r * down + k * across] * B[k * columns + j];
}

/* Frames on rigid bodies are what most models are made of: there the compiler knows the sizes. */
static void multiply_sizes(size_t rows, size_t inner, size_t columns, const double *A, size_t down,
                           size_t across, const double *B, double *product)
{
    if (rows == 6 && inner == 6 && columns == 6)
        add_product(6, 6, 6, A, down, across, B, product);
    else
        add_product(rows, inner, columns, A, down, across, B, product);
}

/* One pair of ends: J_a^T (B J_c - c_stiffness D T_c), B = -c_stiffness K - c_damping D. */
void tn_add_pair(const tn_filling *f, const double *tangent, size_t W, size_t stride, const tn_end *a,
                 const tn_end *c, tn_matrix_block to)
{
    const bool twists = stride > W;
    const size_t size = a->width * c->width;
    double few[2 * 36], *B = few, *right = tn_scratch(f->assembly)->product;
    if (size > 36) { /* of large nodes */
        B = right;
        right += 2 * size;
    }
    double *D = B + size, *left = right + a->width * (a->nv > c->nv ? a->nv : c->nv);
    for (size_t r = 0; r < a->width; r++)
        for (size_t k = 0; k < c->width; k++) {
            const double *row = tangent + (a->column + r) * stride + c->column + k;
            const double damping = twists ? row[W] : 0.0;
            D[r * c->width + k] = -f->request.c_stiffness * damping;
            B[r * c->width + k] = -f->request.c_stiffness * row[0] - f->request.c_damping * damping;
        }
    /* columns: from the marker to the coordinates of its body */
    const double *block = B;
    size_t columns = c->width;
    if (c->J) {
        memset(right, 0, a->width * c->nv * sizeof *right);
        multiply_sizes(a->width, c->width, c->nv, B, c->width, 1, c->J, right);
        if (twists) multiply_sizes(a->width, c->width, c->nv, D, c->width, 1, c->T, right);
        block = right;
        columns = c->nv;
    }
    if (!a->J) {
        tn_add_block(f, to, a->offset, c->offset, a->width, columns, block);
        return;
    }
    memset(left, 0, a->nv * columns * sizeof *left);
    multiply_sizes(a->nv, a->width, columns, a->J, 1, a->nv, block, left);
    tn_add_block(f, to, a->offset, c->offset, a->nv, columns, left);
}

void tn_ends_of_instance(const tn_assembly *assembly, const tn_group *group, size_t instance, tn_end *ends)
{
    const size_t markers = group->batch.marker_count;
    size_t column = 0;
    for (size_t k = 0; k < markers; k++) {
        ends += tn_ends_of(assembly, group->marker[instance * markers + k], column, ends);
        column += tn_twist_size(group->batch.marker_kind[k]);
    }
}
