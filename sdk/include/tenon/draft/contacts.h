/* tenon/draft/contacts.h - points of contact, whose number changes during a run: elements find them, solvers by impulses enforce them.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_CONTACTS_H
#define TENON_DRAFT_CONTACTS_H

#include "tenon/batch.h"
#include "tenon/solver.h"

typedef struct tn_contact_point {
    uint32_t first, second; /* numbers of two markers of the instance, frames on the bodies that touch */
    /* Distinguishes points of the same two markers, and stays the same as long as the same features touch. */
    uint64_t feature;
    double position[3]; /* m, ground axes: half way between the surfaces */
    double normal[3];   /* ground axes, length 1: out of the second body, into the first */
    double gap;         /* m; negative: the bodies overlap */
    double friction;    /* at least 0 */
    double restitution; /* 0 to 1 */
    double threshold;   /* m/s: bodies that approach more slowly do not rebound */
} tn_contact_point;

/* Takes the points of an element, one by one. */
typedef struct tn_contact_list tn_contact_list;
struct tn_contact_list {
    uint32_t struct_size, reserved;
    void (*add)(tn_contact_list *list, const tn_contact_point *point);
};

/* ---- elements with points of contact ------------------------------------------------------------------------------- */

#define TN_CONTACTS_KEY "tenon.contacts/1"
typedef struct tn_contacts_capability {
    uint32_t struct_size, reserved;
    /* [setup] Whether this instance has points of contact (1), which replace its forces (tenon.force/1), or only its other capabilities
     * (0). NULL: all instances have points. */
    uint32_t (*has_contacts)(const void *instance);
    /* [hot] Lists all points of instance `instance` of the batch whose gap at the present poses is at most `margin`, m, ordered by first
     * marker, second marker and feature. TN_RETRY, noted as a failure of the batch, where a point has no normal, such as where centres
     * coincide: the solver takes a shorter step. */
    tn_status (*points)(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list);
    /* [hot] After each accepted step, before `accepted`: the points of the step; the `impulse` [count][3] of each on the first body, N s,
     * along its normal and two tangents; `slip` [count][2], m/s, the velocity of the first body relative to the second along both tangents
     * after the step; the `length` of the step, s. The element stores what its outputs need in its discrete data. */
    tn_status (*settled)(tn_batch *batch, uint32_t instance, uint32_t count, const tn_contact_point *point,
                         const double *impulse, const double *slip, double length);
} tn_contacts_capability;

/* ---- the system ----------------------------------------------------------------------------------------------------- */

#define TN_CONTACT_ROWS_KEY "tenon.contact_rows/1"

/* An extension of tn_system; NULL where no element has points of contact. Each point has three rows: the velocity of the first body relative
 * to the second at the point, along the normal and two tangents, which are a right-handed frame. The tangents depend on the normal alone. */
typedef struct tn_contact_rows {
    uint32_t struct_size;
    uint32_t count;                /* of points, after find() */
    const tn_contact_point *point; /* [count], element by element */
    const uint32_t *owner;         /* [count] the element, for owner_name() of tn_operators */
    /* By rows, as in tn_operators: [3 count + 1] starts. Entries of fixed bodies are left out. */
    const uint32_t *row_start, *column;
    const double *value;
    /* [hot] Finds all points whose gap was at most `margin`, m, at the last begin_step() of tn_operators. Memory grows only where there are
     * more points than ever before. After a status other than TN_OK there are no points. */
    tn_status (*find)(tn_system *system, double margin);
    /* [hot] The index that point `k` of the last find() had in the find() before the last settle(); TN_NO_POINT: it is new. */
    uint32_t (*before)(tn_system *system, uint32_t k);
    /* [hot] Ends a step, with v and x after it and its impulses [3 count], which are kept for results and for before(). Their work is added
     * to the energies that sensors record, in x: that of a normal impulse by `mean_rate` [count], m/s, the mean of the rates before and after an
     * impact at an instant within the step; NaN, or NULL: the mean of the rates at both ends of the step. The kernel saves the impulses with
     * the state. Like G^T lambda, the mean reactions are part of evaluate() from then on, and are left out by begin_step(); with `length`
     * 0, for an impact between two steps, they stay the same. */
    tn_status (*settle)(tn_system *system, const double *impulse, const double *mean_rate, double length);
    /* [3 count at that time] impulses of the last settle(), as initial values of the next step. */
    const double *last_impulse;
} tn_contact_rows;

#define TN_NO_POINT 0xffffffffu

#endif
