/* ropes.c - a rope of several masses along x, and a meter of several distances: what their instances have depends on a number */
#include <tenon/author.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- a body ---------------------------------------------------------------------------------------------- */

#define ROPE(P)                                                                  \
    P(INTEGER, count, 0, 2, 1, 1000, "masses; behind them is a turn of the end") \
    P(BOOLEAN, wrong, 0, 0, "the list of its outputs is not complete")
TN_PARAMETERS(rope, ROPE)

static tn_status rope_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host;
    layout->nq = layout->nv = (uint32_t)((const rope *)instance)->count + 1;
    return TN_OK;
}

static tn_status rope_initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                              double *s, double *d)
{
    (void)host, (void)x, (void)s, (void)d;
    for (int64_t k = 0; k <= ((const rope *)instance)->count; k++) {
        q[k] = (double)(k + 1);
        v[k] = 0.1 * (double)(k + 1);
    }
    return TN_OK;
}

static tn_status rope_mass(tn_batch *batch)
{
    const size_t n = batch->layout->nv;
    for (size_t i = 0; i < batch->count * n * n; i++)
        batch->mass[i] = i / n % n == i % n ? 1.0 : 0.0;
    return TN_OK;
}

static const char *rope_unit(const void *instance, uint32_t number)
{
    return number < ((const rope *)instance)->count ? "m" : "rad";
}

/* position_0, position_1, ... of the masses; then all of their speeds. */
static const tn_output *rope_outputs_of(const tn_host *host, const void *instance)
{
    const rope *self = instance;
    const size_t count = (size_t)self->count;
    tn_output *list = host->allocate(host, (count + 2) * sizeof *list);
    char *name = host->allocate(host, count * 32);
    for (size_t k = 0; list && name && k < count; k++, name += 32) {
        (void)snprintf(name, 32, "position_%zu", k);
        list[k] = (tn_output){name, "of a mass", "m", 1, 0};
    }
    if (!list || !name) return NULL;
    list[count] = (tn_output){"speeds", "of all masses", self->wrong ? "furlong" : "m/s", (uint32_t)count, 0};
    return list;
}

static tn_status rope_output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const size_t masses = batch->layout->nv - 1, first = (batch->first + i) * (masses + 1);
        if (batch->output < masses)
            batch->value[i] = batch->q[first + batch->output];
        else
            memcpy(batch->value + i * masses, batch->v + first, masses * sizeof(double));
    }
    return TN_OK;
}

static tn_status rope_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    (void)host;
    if (attachment->kind != TN_COORDINATE) return TN_UNSUPPORTED;
    const long number = attachment->coordinate ? strtol(attachment->coordinate, NULL, 10) : 0;
    if (number < 0 || number > ((const rope *)instance)->count) return TN_UNSUPPORTED;
    attachment->alias_pose = attachment->alias_twist = (int32_t)number;
    return TN_OK;
}

TN_OUTPUTS(rope, {"speeds", "of all masses", "m/s", 2, 0})
TN_ELEMENT(rope, .summary = "masses in a row", .formula = "m x'' = f", .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .mass = rope_mass, .velocity_unit = rope_unit),
                           TN_HAS(attachment, .bind = rope_bind)),
           .outputs = rope_outputs, .layout = rope_layout, .initial = rope_initial, .output = rope_output,
           .instance_outputs = rope_outputs_of)

/* Likewise, but with a promise that its outputs do not keep. */
typedef rope cord;
#define cord_parameters rope_parameters
#define cord_outputs rope_outputs
TN_ELEMENT(cord, .summary = "masses in a row", .formula = "m x'' = f",
           .flags = TN_VECTOR_SPACE | TN_FIXED_NAMES, TN_CAPABILITIES(TN_HAS(body, .mass = rope_mass)),
           .outputs = cord_outputs, .layout = rope_layout, .initial = rope_initial, .output = rope_output,
           .instance_outputs = rope_outputs_of)

/* ---- a connector ----------------------------------------------------------------------------------------- */

/* With the parameters of a rope: `count` multiples of the distance. */
static const tn_output *meter_coordinates_of(const tn_host *host, const void *instance)
{
    const size_t count = (size_t)((const rope *)instance)->count;
    tn_output *list = host->allocate(host, (count + 1) * sizeof *list);
    char *name = host->allocate(host, count * 32);
    for (size_t k = 0; list && name && k < count; k++, name += 32) {
        (void)snprintf(name, 32, "times_%zu", k + 1);
        list[k] = (tn_output){name, "a multiple of the distance", "m", 1, 0};
    }
    return name ? list : NULL;
}

/* Along x, from the first marker to the second one. */
static tn_status meter_coordinate(tn_batch *batch)
{
    const double factor = batch->output + 1.0;
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_marker_place *a = batch->marker + 2 * i, *b = a + 1;
        batch->value[2 * i] = factor * (batch->pose[b->pose] - batch->pose[a->pose]);
        batch->value[2 * i + 1] = factor * (batch->twist[b->twist] - batch->twist[a->twist]);
    }
    return TN_OK;
}

static tn_status meter_force(tn_batch *batch)
{
    memset(batch->wrench, 0, sizeof(double) * batch->wrench_size * batch->count);
    return TN_OK;
}

TN_PORTS(meter, {"markers", "the two ends", TN_POINT, 2, 2, 0})
static const tn_element_type meter_type = {
    .struct_size = sizeof(tn_element_type),
    .name = "meter",
    .summary = "distances",
    .formula = "none",
    .parameters = rope_parameters,
    .ports = meter_ports,
    .instance_size = sizeof(rope),
    TN_CAPABILITIES(
        TN_HAS(force, .force = meter_force),
        TN_HAS(coordinates, .coordinate = meter_coordinate, .instance_coordinates = meter_coordinates_of))};

TN_LIBRARY("ropes", "1.0.0", "Apache-2.0", "ropes and meters", {TN_ELEMENT_KIND, &rope_type},
           {TN_ELEMENT_KIND, &cord_type}, {TN_ELEMENT_KIND, &meter_type})
