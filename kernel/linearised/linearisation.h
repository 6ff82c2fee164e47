/* linearisation.h - the equations of small motions about a state (tenon/draft/linearisation.h): the memory of the extension, and its
 * parts. */
#ifndef TN_LINEARISATION_H
#define TN_LINEARISATION_H

#include "extensions/extension.h"
#include "system/matrix.h"

#include <tenon/draft/linearisation.h>
#include <tenon/draft/signals.h>

/* Three components of an angular vector of one body. */
typedef struct tn_triple {
    uint32_t first; /* in v */
    bool turns;     /* to still axes: the body tells how */
} tn_triple;

typedef struct tn_linearised {
    tn_linearisation table;
    tn_equations pieces; /* a matrix that parts are filled into */
    tn_triple *triple;
    uint32_t triple_count;
    uint32_t *first,
        *width;       /* [nv] of the components that one belongs to: itself and 1, or those of a triple */
    int32_t *place;   /* [entries of the matrix] among the entries of the part that each belongs to */
    double *value[7]; /* those of the table, that can be written */
    double *turn;     /* [nv][3] */
    double *rigid;    /* [nv][6] rigid motions of bodies, still axes */
    double *event;    /* [events] */
    double *force_by_state, *rate_by_motion, *rate_by_state;
    double *twist, *unit, *stiffness, *row, *bias; /* of one constraint: row_slopes.c */
    struct tn_marker_place *marker;
    struct tn_state_memory *states; /* state_parts.c; NULL: there are none */
} tn_linearised;

enum {
    TN_MASS_PART,
    TN_DAMPING_PART,
    TN_STIFFNESS_PART,
    TN_TRANSPORT_PART,
    TN_ROW_PART,
    TN_SLOPE_PART,
    TN_REACTION_PART
};

static inline tn_linearised *tn_linearised_of(const tn_assembly *assembly)
{
    return assembly->extension[TN_LINEAR_EXTENSION];
}

/* linearisation.c: the table, made at the first call. NULL without memory. */
const tn_linearisation *tn_linearisation_of(tn_assembly *assembly);

/* linearised_axes.c: the triples, and patterns that hold all that turning them makes of a matrix; where each entry of the matrix of the
 * system goes. */
void tn_linearised_pattern(tn_assembly *assembly, tn_linearised *m);
/* How still axes and own ones lie to each other at the current state; T in own axes; all parts turned to still axes. */
tn_status tn_linearised_axes(const tn_assembly *assembly, tn_linearised *m);
void tn_linearised_transport(const tn_assembly *assembly, const tn_linearised *m);
void tn_linearised_turn(const tn_assembly *assembly, const tn_linearised *m);

/* row_slopes.c: memory; L at the last evaluation, Jacobians of markers being known. */
void tn_row_slopes_prepare(tn_assembly *assembly, tn_linearised *m);
tn_status tn_row_slopes_find(tn_assembly *assembly, const tn_linearised *m);
/* False: what the offsets of an instance's velocity rows change with is not known, as these depend on time. */
bool tn_row_slopes_are_known(const tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                             uint32_t i);

/* state_parts.c: memory; F, R and H at the last evaluation, Jacobians of markers being known. TN_UNSUPPORTED: those of a group are not
 * known. What derivatives of the states of an instance lack, in words; NULL: nothing. */
void tn_state_parts_prepare(tn_assembly *assembly, tn_linearised *m);
tn_status tn_state_parts_find(tn_assembly *assembly, const tn_linearised *m);
const char *tn_state_parts_lack(const tn_linearised *m, const tn_group *group, uint32_t instance);

/* inexact.c: what has no exact derivatives; what switches. */
const char *tn_inexact_name(tn_system *system, uint32_t number, const char **why);
const char *tn_switching_name(tn_system *system, uint32_t number, const char **why, uint32_t *here);

#endif
