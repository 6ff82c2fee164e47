/* derived_matrix.c - markers made of other markers, for the matrix
 *
 * With B the derivative of the marker's twist with respect to the twists of the markers that it is made of, A that with
 * respect to their poses, and J, T of those markers on a body,
 *
 *     J = sum of B J,     T = sum of A J + B T.
 *
 * A wrench w on the marker goes on as B^T w; where B depends on the poses p, so do the wrenches: H = d(B^T w)/dp adds
 * J^T H J. Row j of H is that of A at the unit twist e_j, since the twist is B e_j there. */
#include "system/markers.h"
#include "system/matrix.h"
#include "system/tangent_source.h"

#include <string.h>

/* The same markers with the same poses and twists of their own. */
static void make_unit_batch(tn_assembly *assembly, tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t width = tn_twist_size(derived->kind), W = batch->wrench_size;
    tn_marker_place *place =
        tn_assembly_new(assembly, (size_t)batch->count * batch->marker_count, sizeof *place);
    size_t twist = 0;
    for (size_t i = 0; i < (size_t)batch->count * batch->marker_count; i++) {
        place[i] = (tn_marker_place){batch->marker[i].pose, (uint32_t)twist};
        twist += tn_twist_size(batch->marker_kind[i % batch->marker_count]);
    }
    derived->unit = *batch;
    derived->unit.marker = place;
    derived->unit.twist = tn_assembly_new(assembly, twist, sizeof(double));
    derived->unit.tangent = tn_assembly_new(assembly, batch->count * width * 2 * W, sizeof(double));
    /* H of every instance, in the form of a tangent against poses and twists */
    derived->unit.value = tn_assembly_new(assembly, batch->count * W * 2 * W, sizeof(double));
}

static void make_leg_memory(tn_assembly *assembly, tn_derived *derived)
{
    const size_t width = tn_twist_size(derived->kind), legs = derived->leg_start[derived->batch.count];
    size_t size = 0;
    for (size_t l = 0; l < legs; l++)
        size += 2 * width * derived->leg[l].columns;
    double *next = tn_assembly_new(assembly, size, sizeof *next);
    for (size_t l = 0; l < legs; l++) {
        const size_t part = width * derived->leg[l].columns;
        derived->leg[l].jacobian = next;
        derived->leg[l].derivative = next + part;
        next += 2 * part;
    }
}

void tn_derived_prepare(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        make_leg_memory(assembly, &assembly->derived[k]);
        if (!assembly->derived[k].constant) make_unit_batch(assembly, &assembly->derived[k]);
    }
}

/* ---- Jacobians of the legs ------------------------------------------------------------------------------- */

/* Adds what comes over one end, whose coordinates begin at number `first` of the leg's; A and B begin at the columns of its
 * marker, in rows of 2 W. */
static void add_end(const double *A, const double *B, size_t W, size_t width, const tn_end *e, size_t first,
                    tn_leg *leg)
{
    for (size_t r = 0; r < width; r++, A += 2 * W, B += 2 * W) {
        double *J = leg->jacobian + r * leg->columns + first, *T = leg->derivative + r * leg->columns + first;
        for (size_t c = 0; c < e->width; c++) {
            if (!e->J) {
                J[c] += B[c];
                T[c] += A[c];
                continue;
            }
            for (size_t j = 0; j < e->nv; j++) {
                J[j] += B[c] * e->J[c * e->nv + j];
                T[j] += A[c] * e->J[c * e->nv + j] + B[c] * e->T[c * e->nv + j];
            }
        }
    }
}

static void find_jacobians(tn_assembly *assembly, tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t width = tn_twist_size(derived->kind), W = batch->wrench_size;
    const uint32_t *leg_of = derived->leg_of;
    for (size_t i = 0; i < batch->count; i++) {
        tn_leg *leg = derived->leg + derived->leg_start[i];
        for (size_t l = 0; l < derived->leg_start[i + 1] - derived->leg_start[i]; l++) {
            const size_t size = width * leg[l].columns * sizeof(double);
            memset(leg[l].jacobian, 0, size);
            memset(leg[l].derivative, 0, size);
        }
        const double *A = batch->tangent + i * width * 2 * W;
        for (size_t k = 0; k < batch->marker_count; k++) {
            const uint32_t marker = derived->marker[i * batch->marker_count + k];
            const size_t ends = tn_ends_of(assembly, marker, 0, tn_scratch(assembly)->end);
            for (uint32_t e = 0; e < ends; e++, leg_of++)
                if (tn_scratch(assembly)->end[e].nv)
                    add_end(A, A + W, W, width, &tn_scratch(assembly)->end[e],
                            tn_support_of(assembly, marker, e).first - leg[*leg_of].first, &leg[*leg_of]);
            A += tn_twist_size(batch->marker_kind[k]);
        }
    }
}

/* Upwards: the markers that a marker is made of come first. */
tn_status tn_derived_differentiate(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        if (!derived->exact || !derived->loaded) {
            const tn_status status = tn_derived_find_tangent(assembly, derived, true);
            if (status != TN_OK) return status;
        }
        find_jacobians(assembly, derived);
    }
    return TN_OK;
}

/* ---- the change of the wrenches -------------------------------------------------------------------------- */

static void set_unit_twists(const tn_derived *derived, size_t component)
{
    const size_t W = derived->batch.wrench_size;
    double *twist = (double *)derived->unit.twist;
    memset(twist, 0, derived->batch.count * W * sizeof *twist);
    for (size_t i = 0; i < derived->batch.count; i++)
        twist[i * W + component] = 1.0;
}

/* H of all instances, row by row, each followed by W zeros: nothing depends on the twists. */
static tn_status find_changes_of_wrenches(const tn_assembly *assembly, tn_derived *derived)
{
    const size_t width = tn_twist_size(derived->kind), W = derived->batch.wrench_size;
    double *H = derived->unit.value;
    for (size_t j = 0; j < W; j++) {
        tn_batch unit = derived->unit;
        unit.time = derived->batch.time;
        unit.value = NULL;
        set_unit_twists(derived, j);
        const tn_status status = derived->exact ? tn_derived_tangent(derived, &unit)
                                                : tn_marker_differences(assembly, derived, &unit, true);
        if (status != TN_OK) return status;
        for (size_t i = 0; i < unit.count; i++)
            for (size_t k = 0; k < W; k++) {
                double sum = 0.0;
                for (size_t r = 0; r < width; r++)
                    sum += derived->wrench[i * width + r] * unit.tangent[(i * width + r) * 2 * W + k];
                H[(i * W + j) * 2 * W + k] = sum;
            }
    }
    return TN_OK;
}

static void add_changes_of_wrenches(const tn_filling *fill, const tn_derived *derived)
{
    const size_t W = derived->batch.wrench_size, markers = derived->batch.marker_count;
    tn_end *ends = tn_scratch(fill->assembly)->end;
    const tn_matrix_block *block = derived->block;
    for (size_t i = 0; i < derived->batch.count; i++) {
        size_t count = 0, column = 0;
        for (size_t k = 0; k < markers; k++) {
            count += tn_ends_of(fill->assembly, derived->marker[i * markers + k], column, ends + count);
            column += tn_twist_size(derived->batch.marker_kind[k]);
        }
        for (size_t a = 0; a < count; a++)
            for (size_t c = 0; c < count; c++, block++)
                if (block->start != TN_NONE)
                    tn_add_pair(fill, derived->unit.value + i * W * 2 * W, W, 2 * W, &ends[a], &ends[c],
                                *block);
    }
}

tn_status tn_derived_add_pull_back(const tn_filling *fill)
{
    for (size_t k = 0; k < fill->assembly->derived_count; k++) {
        tn_derived *derived = &fill->assembly->derived[k];
        if (derived->complete || !derived->loaded) continue;
        const tn_status status = find_changes_of_wrenches(fill->assembly, derived);
        if (status != TN_OK) return status;
        add_changes_of_wrenches(fill, derived);
    }
    return TN_OK;
}
