/* near.h - which shapes of a contact are near each other: sorted along the axis on which they are spread most, in scratch memory */
#ifndef TENON_CONTACT_NEAR_H
#define TENON_CONTACT_NEAR_H

#include "contact.h"

#if TN_VALUES

typedef struct contact_search {
    const tn_batch *batch;
    const contact_setup *setup;
    uint32_t instance;
    double margin; /* m: gaps up to it are looked for; whoever visits pairs may lower it */
    int axis;
    uint32_t count;  /* of shapes in `order` */
    double *low;     /* [shapes] where a shape begins along the axis */
    uint32_t *order; /* [shapes] those that are not wide, by `low` */
    uint32_t *place; /* [shapes] of a shape in `order` */
    uint64_t *near;  /* [shapes/64 + 1] bits of one visit */
    uint32_t first_word, last_word;
} contact_search;

/* Two shapes whose gap may be at most the margin, one < other. False ends the visits. */
typedef bool (*contact_visit)(contact_search *search, uint32_t one, uint32_t other, void *data);

/* Numbers of scratch memory that a search needs. */
size_t contact_scratch(const contact_setup *setup);

/* Visits all pairs that are near, ordered by their first and second shapes; false where a visit has ended it. */
bool contact_visit_near(const tn_batch *batch, uint32_t instance, double margin, contact_visit visit,
                        void *data);

tn_marker_state contact_marker(const tn_batch *batch, uint32_t instance, uint32_t marker);

#endif

#endif
