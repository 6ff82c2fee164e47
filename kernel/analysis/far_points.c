/* far_points.c - warns of constraints whose points are far from their bodies, as those in other units are
 *
 * Far is more than ten times the size of the model: of the box around its bodies, and of the middle one of all distances of points from
 * the reference points of their bodies, where there are several. */
#include "analysis/culprit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR 10.0

/* Reference points of the bodies of a group [count][3]: their velocities when the model turns about the ground axes tell. NULL for
 * bodies that have none. */
static double *find_references(const tn_group *group)
{
    const tn_loaded_element *type = group->type;
    const size_t nv = group->batch.layout->nv, count = group->batch.count;
    if (nv < 3 || !type->rigid_motion) return NULL;
    for (uint32_t k = 0; k < 3; k++)
        if (strcmp(tn_velocity_unit(type, group->batch.instance, k), "m") != 0) return NULL;
    double *motion = tn_new_aligned(count * nv * 6, sizeof *motion),
           *place = tn_new(count * 3, sizeof *place);
    tn_batch batch = group->batch;
    batch.rigid_motion = motion;
    const bool known = tn_call(type, rigid_motion, &batch) == TN_OK;
    for (size_t i = 0; known && i < count; i++) {
        const double *m = motion + i * nv * 6;
        memcpy(place + 3 * i, (double[]){m[6 * 1 + 5], m[6 * 2 + 3], m[6 * 0 + 4]}, 3 * sizeof *place);
    }
    tn_free(motion);
    if (known) return place;
    tn_free(place);
    return NULL;
}

/* Distances of all runtime markers from their bodies, NaN for those that have none. */
static double *find_distances(const tn_assembly *assembly, double *const *reference)
{
    const tn_model *model = assembly->model;
    double *distance = tn_new(model->marker_count, sizeof *distance);
    for (uint32_t k = 0; k < model->marker_count; k++) {
        const tn_station *station = &assembly->station[k];
        const bool placed = tn_has_place(model->marker[k].kind) && station->group != TN_NONE;
        distance[k] = (double)NAN;
        if (!placed || !reference[station->group]) continue;
        const double *p = assembly->configuration + station->place.pose;
        const double *r = reference[station->group] + 3 * (size_t)station->body;
        distance[k] = hypot(hypot(p[0] - r[0], p[1] - r[1]), p[2] - r[2]);
    }
    return distance;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of(const double *distance, size_t count)
{
    double *sorted = tn_new(count, sizeof *sorted);
    size_t known = 0;
    for (size_t k = 0; k < count; k++)
        if (!isnan(distance[k])) sorted[known++] = distance[k];
    qsort(sorted, known, sizeof *sorted, compare);
    const double middle =
        known > 1 ? sorted[(known - 1) / 2] : 0.0; /* a single one tells nothing of others */
    tn_free(sorted);
    return middle;
}

/* The diagonal of the box around the reference points. */
static double spread_of(const tn_assembly *assembly, double *const *reference)
{
    double square = 0.0;
    for (size_t e = 0; e < 3; e++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t g = 0; g < assembly->group_count; g++)
            for (size_t i = 0; reference[g] && i < assembly->group[g].batch.count; i++) {
                low = fmin(low, reference[g][3 * i + e]);
                high = fmax(high, reference[g][3 * i + e]);
            }
        square += high > low ? (high - low) * (high - low) : 0.0;
    }
    return sqrt(square);
}

static void report_constraints(const tn_assembly *assembly, const double *distance, double size)
{
    tn_model *model = assembly->model;
    for (size_t g = 0; g < assembly->group_count; g++) {
        const tn_group *group = &assembly->group[g];
        const size_t markers = group->batch.marker_count;
        for (size_t k = 0; group->type->constraint && k < markers * group->batch.count; k++) {
            const uint32_t marker = group->marker[k], item = group->item[k / markers];
            if (!(distance[marker] > FAR * size)) continue;
            tn_model_warn(model,
                          tn_model_key_place(model, model->item[item].origin->at, group->type->ports[0].name),
                          "%s: its marker %zu is %.3g m from `%s`: the model measures %.3g m",
                          tn_item_name(model, item), k % markers + 1, distance[marker],
                          tn_item_name(model, model->marker[marker].body), size);
        }
    }
}

void tn_far_points_check(const tn_assembly *assembly)
{
    bool constrained = false;
    for (size_t g = 0; g < assembly->group_count; g++)
        constrained = constrained || assembly->group[g].type->constraint;
    if (!constrained) return;
    double **reference = tn_new(assembly->group_count, sizeof *reference);
    for (size_t g = 0; g < assembly->group_count; g++)
        reference[g] = find_references(&assembly->group[g]);
    double *distance = find_distances(assembly, reference);
    const double size =
        fmax(spread_of(assembly, reference), middle_of(distance, assembly->model->marker_count));
    if (size > 0.0) report_constraints(assembly, distance, size);
    tn_free(distance);
    for (size_t g = assembly->group_count; g-- > 0;)
        tn_free(reference[g]);
    tn_free(reference);
}
