/* tangent_source.h - tangents of types that were built without exact ones, as the system sees them: a table of functions, given with
 * the model
 *
 * Functions of types give exact derivatives, unless their author has left these out. Without a table such types work as long as
 * their derivatives are not needed, which are TN_UNSUPPORTED. Behind it: kernel/analysis, by central differences.
 *
 * When: sizes where memory is made; the others wherever an exact tangent would be called, a chunk of instances at the most. */
#ifndef TN_TANGENT_SOURCE_H
#define TN_TANGENT_SOURCE_H

#include "system/matrix.h"

typedef struct tn_tangent_source {
    /* [setup] The system is complete: offers solvers the derivatives by states, where all of these are exact
     * (tn_system.state_tangent). */
    void (*open)(tn_assembly *assembly);
    /* Doubles of memory for the tangents of a group; of its forces on itself alone; of markers made of others. */
    size_t (*size)(const tn_group *group);
    size_t (*own_size)(const tn_group *group);
    size_t (*marker_size)(const tn_derived *derived);
    /* The tangent of forces, `length` being the size of the model, m; the slots of wrenches are as the last evaluation left them. */
    tn_status (*force)(const tn_group *group, tn_batch *batch, double length, double *memory);
    /* Derivatives of the forces of bodies on themselves, or of residuals, in the columns of the batch. */
    tn_status (*own)(const tn_group *group, const tn_batch *batch, double *memory);
    /* The tangent of markers made of others: by twists, by poses, too, where `poses`. */
    tn_status (*marker)(const tn_derived *derived, tn_batch *batch, bool poses, double length,
                        double *memory);
} tn_tangent_source;

/* The same where there may be no table. */

static inline tn_status tn_marker_differences(const tn_assembly *assembly, const tn_derived *derived,
                                              tn_batch *batch, bool poses)
{
    const tn_tangent_source *tangents = assembly->services->tangents;
    return tangents ? tangents->marker(derived, batch, poses, assembly->length, derived->differences)
                    : TN_UNSUPPORTED;
}

#endif
