/* tenon/draft/contacts.h - points of contact, as many as there are at a time: elements find them, solvers by impulses make them hold.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_CONTACTS_H
#define TENON_DRAFT_CONTACTS_H

#include "tenon/batch.h"
#include "tenon/solver.h"

typedef struct tn_contact_point {
    uint32_t first, second; /* numbers of markers of the instance, frames: the bodies that touch are theirs */
    /* Tells points of the same two markers apart, and stays as long as the same features touch. */
    uint64_t feature;
    double position[3]; /* m, ground axes: half way between the surfaces */
    double normal[3];   /* ground axes, length 1: out of the second body, into the first */
    double gap;         /* m; below zero where they overlap */
    double friction;    /* at least 0 */
    double restitution; /* 0 to 1 */
    double threshold;   /* m/s: approaching slower than this they do not bounce */
} tn_contact_point;

/* Where an element puts its points. */
typedef struct tn_contact_list tn_contact_list;
struct tn_contact_list {
    uint32_t struct_size, reserved;
    void (*add)(tn_contact_list *list, const tn_contact_point *point);
};

/* ---- of elements with points of contact ---------------------------------------------------------------------------- */

#define TN_CONTACTS_KEY "tenon.contacts/1"
typedef struct tn_contacts_capability {
    uint32_t struct_size, reserved;
    /* [setup] Whether this instance has points of contact (1), which take the place of its law of forces (tenon.force/1), or acts by
     * its other capabilities alone (0). NULL: all have. */
    uint32_t (*has_contacts)(const void *instance);
    /* [hot] All points of instance `instance` of the batch whose gap is at most `margin`, m, at the poses of now, ordered by their first
     * marker, second marker and feature. TN_RETRY, noted as a failure of the batch: they have no normal there, as where centres
     * coincide, and the solver takes a shorter step. */
    tn_status (*points)(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list);
    /* [hot] Behind each accepted step, before `accepted`: the points of the step, the impulse of each on the first body, N s, along
     * its normal and its two tangents, [count][3], and the `length` of the step, s. The element writes what its outputs need into d. `slip`
     * [count][2] is the velocity of the first body against the second along both tangents behind the step. */
    tn_status (*settled)(tn_batch *batch, uint32_t instance, uint32_t count, const tn_contact_point *point,
                         const double *impulse, const double *slip, double length);
} tn_contacts_capability;

/* ---- of the system -------------------------------------------------------------------------------------------------- */

#define TN_CONTACT_ROWS_KEY "tenon.contact_rows/1"

/* An extension of tn_system; NULL where no element has points of contact. Three rows for each point, the velocity of the first body
 * against the second at the point: along the normal and two tangents, which make a right-handed frame normal, tangent, tangent. The tangents
 * follow from the normal alone. */
typedef struct tn_contact_rows {
    uint32_t struct_size;
    uint32_t count;                /* of points, after find() */
    const tn_contact_point *point; /* [count], element by element */
    const uint32_t *owner;         /* [count] the element, for owner_name() of tn_operators */
    /* By rows, as in tn_operators: [3 count + 1] starts. Entries of fixed bodies are left out. */
    const uint32_t *row_start, *column;
    const double *value;
    /* [hot] At the last begin_step() of tn_operators: all points whose gap is at most `margin`, m. Memory grows only where there are more
     * points than ever before. Behind any other status than TN_OK there are no points. */
    tn_status (*find)(tn_system *system, double margin);
    /* [hot] The place at which point `k` of the last find() stood in the find() before the last settle(): TN_NO_POINT if it is new. */
    uint32_t (*before)(tn_system *system, uint32_t k);
    /* [hot] The step is done, v and x are those behind it: its impulses [3 count], for results, and to be found again by before(). Their
     * work is added to energies that sensors record, in x: of a normal impulse by `mean_rate` [count], m/s, the mean of the rates before and behind an
     * impact at an instant within the step; NaN, or no array: that of both ends of the step. Its bytes are state. Like G^T lambda, the mean reactions are part of what
     * evaluate() finds from here on, and left out by begin_step(); with `length` 0, an impact between two steps, they stay. */
    tn_status (*settle)(tn_system *system, const double *impulse, const double *mean_rate, double length);
    /* [3 count of then] impulses of the last settle(): where to start the next step from. */
    const double *last_impulse;
} tn_contact_rows;

#define TN_NO_POINT 0xffffffffu

#endif
