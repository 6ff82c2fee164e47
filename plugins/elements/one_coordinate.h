/* one_coordinate.h - an element with one coordinate and constant inertia: all of it but its names and units.
 *
 * The plugin says how its instance is read, and lists its outputs in the order of the enum. */
#ifndef TENON_ONE_COORDINATE_H
#define TENON_ONE_COORDINATE_H

#include <tenon/author.h>

#if TN_VALUES /* nothing here is differentiated */

typedef struct one_coordinate {
    double inertia, start, speed;
} one_coordinate;

static one_coordinate read_instance(const void *instance);

enum { COORDINATE, VELOCITY, ACCELERATION, KINETIC_ENERGY };

static tn_status one_coordinate_output(tn_batch *batch)
{
    for (size_t k = 0; k < batch->count; k++) {
        const size_t i = batch->first + k;
        const double inertia = read_instance(tn_instance(batch, i)).inertia;
        batch->value[k] = batch->output == COORDINATE     ? batch->q[i]
                          : batch->output == VELOCITY     ? batch->v[i]
                          : batch->output == ACCELERATION ? batch->a[i]
                                                          : 0.5 * inertia * batch->v[i] * batch->v[i];
    }
    return TN_OK;
}

static tn_status one_coordinate_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 1;
    return TN_OK;
}

static tn_status one_coordinate_initial(const tn_host *host, const void *instance, double *q, double *v,
                                        double *x, double *s, double *d)
{
    (void)host, (void)x, (void)s, (void)d;
    const one_coordinate self = read_instance(instance);
    *q = self.start;
    *v = self.speed;
    return TN_OK;
}

static tn_status one_coordinate_mass(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        batch->mass[i] = read_instance(tn_instance(batch, i)).inertia;
    return TN_OK;
}

/* The coordinate is the only marker that it can carry: q and v as they stand. */
static tn_status one_coordinate_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    (void)instance;
    if (attachment->kind != TN_COORDINATE) return TN_UNSUPPORTED;
    if (attachment->coordinate && strcmp(attachment->coordinate, "coordinate") != 0)
        return tn_refuse(host, "coordinate",
                         "there is no coordinate `%s` here: its only one is `coordinate`, which need not be "
                         "named",
                         attachment->coordinate);
    attachment->alias_pose = attachment->alias_twist = 0;
    return TN_OK;
}

/* Fields of the type, and capabilities. */
#define ONE_COORDINATE_FIELDS \
    .layout = one_coordinate_layout, .initial = one_coordinate_initial, .output = one_coordinate_output
#define ONE_COORDINATE_CAPABILITIES(units)                                              \
    TN_CAPABILITIES(TN_HAS(body, .velocity_units = units, .mass = one_coordinate_mass), \
                    TN_HAS(attachment, .bind = one_coordinate_bind))

#endif

#endif
