/* tenon/kit/one_coordinate.h - an element with one coordinate and constant inertia: all of it but its names and units.
 *
 * The plugin says how its instance is read, by a function name_coordinate_of, and lists its outputs in the order of the enum;
 * TN_ONE_COORDINATE makes the functions of the type:
 *
 *     static tn_one_coordinate rotor_1d_coordinate_of(const void *instance)
 *     {
 *         const rotor_1d *self = instance;
 *         return (tn_one_coordinate){self->inertia, self->angle, self->speed};
 *     }
 *     TN_ONE_COORDINATE(rotor_1d)
 *     TN_ELEMENT(rotor_1d, ..., .flags = TN_VECTOR_SPACE,
 *                TN_CAPABILITIES(TN_HAS(body, .velocity_units = units, .mass = rotor_1d_mass),
 *                                TN_HAS(attachment, .bind = tn_one_coordinate_bind)),
 *                .outputs = rotor_1d_outputs, TN_ONE_COORDINATE_FIELDS(rotor_1d))
 *
 * Markers of kind TN_COORDINATE ride on it. Part of the kit: no part of the binary interface, and it may change with any
 * version. C only; its file is built as VALUE_ONLY. */
#ifndef TENON_KIT_ONE_COORDINATE_H
#define TENON_KIT_ONE_COORDINATE_H

#include "tenon/author.h"

#if TN_VALUES /* nothing here is differentiated */

/* Mass or moment of inertia; the coordinate and its rate at the start. */
typedef struct tn_one_coordinate {
    double inertia, start, speed;
} tn_one_coordinate;

typedef tn_one_coordinate (*tn_one_coordinate_of)(const void *instance);

/* The outputs, each of size 1. */
enum {
    TN_ONE_COORDINATE_VALUE,
    TN_ONE_COORDINATE_VELOCITY,
    TN_ONE_COORDINATE_ACCELERATION,
    TN_ONE_COORDINATE_ENERGY
};

TN_INLINE tn_status tn_one_coordinate_output(tn_batch *batch, tn_one_coordinate_of coordinate_of)
{
    for (size_t k = 0; k < batch->count; k++) {
        const size_t i = batch->first + k;
        const double inertia = coordinate_of(tn_instance(batch, i)).inertia, v = batch->v[i];
        batch->value[k] = batch->output == TN_ONE_COORDINATE_VALUE          ? batch->q[i]
                          : batch->output == TN_ONE_COORDINATE_VELOCITY     ? v
                          : batch->output == TN_ONE_COORDINATE_ACCELERATION ? batch->a[i]
                                                                            : 0.5 * inertia * v * v;
    }
    return TN_OK;
}

static inline TN_UNUSED tn_status tn_one_coordinate_layout(const tn_host *host, const void *instance,
                                                           tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 1;
    return TN_OK;
}

TN_INLINE tn_status tn_one_coordinate_mass(tn_batch *batch, tn_one_coordinate_of coordinate_of)
{
    for (size_t i = 0; i < batch->count; i++)
        batch->mass[i] = coordinate_of(tn_instance(batch, i)).inertia;
    return TN_OK;
}

/* The coordinate is the only marker that it can carry: q and v as they stand. */
static inline TN_UNUSED tn_status tn_one_coordinate_bind(const tn_host *host, const void *instance,
                                                         tn_attachment *attachment)
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

/* The functions of a type that name_coordinate_of reads; and those that are fields of TN_ELEMENT. */
#define TN_ONE_COORDINATE(name)                                                                      \
    static tn_status name##_initial(const tn_host *host, const void *instance, double *q, double *v, \
                                    double *x, double *s, double *d)                                 \
    {                                                                                                \
        (void)host, (void)x, (void)s, (void)d;                                                       \
        const tn_one_coordinate self = name##_coordinate_of(instance);                               \
        *q = self.start;                                                                             \
        *v = self.speed;                                                                             \
        return TN_OK;                                                                                \
    }                                                                                                \
    static tn_status name##_mass(tn_batch *batch)                                                    \
    {                                                                                                \
        return tn_one_coordinate_mass(batch, name##_coordinate_of);                                  \
    }                                                                                                \
    static tn_status name##_output(tn_batch *batch)                                                  \
    {                                                                                                \
        return tn_one_coordinate_output(batch, name##_coordinate_of);                                \
    }
#define TN_ONE_COORDINATE_FIELDS(name) \
    .layout = tn_one_coordinate_layout, .initial = name##_initial, .output = name##_output

#endif

#endif
