/* tenon/element/coordinates.h - "tenon.coordinates/1": scalars of a connector that markers may ride on, such as the angle of a
 * joint. */
#ifndef TENON_ELEMENT_COORDINATES_H
#define TENON_ELEMENT_COORDINATES_H

#include "tenon/batch.h"

#define TN_COORDINATES_KEY "tenon.coordinates/1"

/* Markers of kind TN_COORDINATE name one of them, and expressions read it as COORD(name) and RATE(name), in its unit. */
typedef struct tn_coordinates_capability {
    uint32_t struct_size, reserved;
    /* Names and units; size 1 each; the list ends with an entry whose name is NULL. */
    const tn_output *coordinates;
    /* [hot] Coordinate number batch->output of all instances: value and rate into `value` [count][2]; */
    tn_batch_function coordinate;
    /* and derivatives of the rate with respect to poses and twists [count][2 W] into `tangent` (and nothing else), columns as in
     * tn_batch. */
    tn_batch_function coordinate_tangent;
    /* [setup] Where they depend on the instance: its coordinates, in place of the list, as `instance_outputs` gives outputs. */
    const tn_output *(*instance_coordinates)(const tn_host *host, const void *instance);
} tn_coordinates_capability;

#endif
