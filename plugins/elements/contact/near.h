/* near.h - finds pairs of shapes of a contact that are near each other, by sorting along the axis of largest extent, in scratch memory */
#ifndef TENON_CONTACT_NEAR_H
#define TENON_CONTACT_NEAR_H

#include "contact.h"

#if TN_VALUES

typedef struct contact_search {
    const tn_batch *batch;
    const contact_setup *setup;
    uint32_t instance;
    double margin; /* m: the largest gap of pairs; a visit may lower it */
    int axis;
    uint32_t count;  /* of shapes in `order` */
    double *low;     /* [shapes] the lower end of a shape along the axis */
    uint32_t *order; /* [shapes] shapes that are not wide, by `low` */
    uint32_t *place; /* [shapes] index of a shape in `order` */
    uint64_t *near;  /* [shapes/64 + 1] a bit for each shape near the present one */
    uint32_t first_word, last_word;
} contact_search;

/* Two shapes whose gap may be at most the margin, one < other. False ends the visits. */
typedef bool (*contact_visit)(contact_search *search, uint32_t one, uint32_t other, void *data);

/* Scratch memory of a search: number of doubles. */
size_t contact_scratch(const contact_setup *setup);

/* Visits all pairs that are near, ordered by their first and second shapes; false where a visit has ended it. */
bool contact_visit_near(const tn_batch *batch, uint32_t instance, double margin, contact_visit visit,
                        void *data);

tn_marker_state contact_marker(const tn_batch *batch, uint32_t instance, uint32_t marker);

#endif

#endif
