/* tenon/draft/places.h - "tenon.places/1" of tn_host: where the markers of an element are in the model as it is given, for elements
 * whose number of rows depends on it.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_PLACES_H
#define TENON_DRAFT_PLACES_H

#include "tenon/host.h"

#define TN_PLACES_KEY "tenon.places/1"
typedef struct tn_places {
    uint32_t struct_size, reserved;
    /* [setup] In `layout` of an element: position [3] of its marker `number`, counted port by port, m, ground axes, before bodies move
     * to meet the constraints. TN_UNSUPPORTED where it is not known: of coordinates, nodes, and markers made of others. */
    tn_status (*position)(const tn_host *host, uint32_t number, double *position);
    /* [setup] Likewise: the size of the model, m, the longest edge of the box around all bodies and markers whose places are known. */
    tn_status (*size)(const tn_host *host, double *size);
} tn_places;

#endif
