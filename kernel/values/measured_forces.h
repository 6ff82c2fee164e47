/* measured_forces.h - forces that expressions read: FX(tip, base), JOINT(hinge, 0, 2, 0), VARFRC(holder, tip, 2)
 *
 * force_calls.c connects a call, force_shares.c finds which elements act on its marker, measured_forces.c what they exert there. */
#ifndef TN_MEASURED_FORCES_H
#define TN_MEASURED_FORCES_H

#include "values/state_values.h"

/* A component of what elements exert on a marker, as an expression reads it: FX(tip, base), JOINT(hinge, 0, 2, 0). */
typedef struct tn_measured_force {
    uint32_t element; /* item, or TN_NONE: all that act on the marker, */
    uint32_t other;   /* of these the ones that act on this item, too, unless TN_NONE */
    uint32_t target;  /* item of the marker; TN_NONE: the first marker of the element, or its last one */
    bool last;
    uint32_t component; /* tn_force_component */
    uint32_t frame;     /* runtime marker along whose axes; TN_NONE: ground */
    /* pairs of an item that acts and a runtime marker, perhaps through markers made of it */
    struct tn_force_share {
        uint32_t item, marker;
        /* from the marker up to those of the item: what is made of it, each behind what it is made of (measured_forces.c) */
        struct tn_force_step {
            uint32_t marker, port, below;
        } * step;
        uint32_t step_count;
        uint32_t reached; /* bit k: that marker of the item, or one below it, is the marker */
    } * share;
    uint32_t share_count;
    double value; /* at the last evaluation */
    const tn_toml *node;
    size_t offset; /* of the call in its text */
} tn_measured_force;

/* Whether a name is that of a function of forces; its names; what a call of one reads, false after reporting. force_calls.c */
bool tn_is_function_of_forces(tn_model *model, const char *name);
void tn_offer_functions_of_forces(tn_model *model, tn_nearest *search);
bool tn_force_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made);
/* When all is connected: finds what acts on the markers. force_shares.c */
void tn_forces_find_shares(tn_model *model);

/* Memory. */
void tn_forces_build(tn_assembly *assembly);

#endif
