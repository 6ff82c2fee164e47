/* contact_memory.h - data of the files on contacts: points of the last find() and of the last settle() */
#ifndef TN_CONTACT_MEMORY_H
#define TN_CONTACT_MEMORY_H

#include "extensions/contacts.h"

#include <math.h>

/* An owner: an instance with points of contact. */
typedef struct tn_contact_owner {
    tn_group *group;
    uint32_t index, item;
    uint32_t marker; /* index of its first marker among those of all owners */
} tn_contact_owner;

typedef struct tn_contact_marker {
    const double *position; /* ground axes */
    double *reaction;       /* [6] on it */
    uint32_t end, ends;     /* moving ends: the first one, and their number */
    uint32_t columns;       /* of all these ends */
    bool is_frame;
} tn_contact_marker;

/* One body on which a marker depends: constant data of tn_end. */
typedef struct tn_contact_end {
    const double *J; /* [6][nv], of the last differentiation; NULL for an alias, where nv is 6 */
    uint32_t v_start, nv;
} tn_contact_end;

/* Data of a point that its element does not provide. */
typedef struct tn_contact_found {
    uint32_t place;  /* index of its owner */
    uint32_t before; /* its index among the settled points, or TN_NO_POINT */
    double rate[3];  /* of its rows at find() */
} tn_contact_found;

/* Identifies a point. Saved as bytes: it has no padding. */
typedef struct tn_contact_key {
    uint64_t feature;
    uint32_t place, first, second, reserved;
} tn_contact_key;

/* A growing array, and its capacity. */
#define TN_ROOM(type, name) \
    type *name;             \
    size_t room_of_##name
#define TN_MAKE_ROOM(m, name, needed) \
    ((m)->name = tn_grow((m)->name, &(m)->room_of_##name, (needed), sizeof *(m)->name))

struct tn_contact_memory {
    tn_contact_rows table;
    tn_assembly *assembly;
    tn_contact_owner *owner;
    uint32_t owners, markers;
    tn_contact_marker *marker;
    tn_contact_end *end;
    uint32_t *start; /* [owners + 1] the first point of each */

    /* while points are listed: */
    tn_contact_list list;
    uint32_t now; /* the present owner */
    tn_status status;
    const char *wrong; /* the fault of a point, or NULL */

    /* points and rows of the last find(), as in the table */
    size_t most; /* capacity: points */
    TN_ROOM(tn_contact_point, point);
    TN_ROOM(uint32_t, item);
    TN_ROOM(tn_contact_found, found);
    TN_ROOM(double, slip);
    TN_ROOM(uint32_t, row_start);
    TN_ROOM(uint32_t, column);
    TN_ROOM(double, value);
    /* of the last settle() */
    TN_ROOM(tn_contact_key, kept);
    TN_ROOM(double, impulse);
    uint32_t kept_count;
};

/* NULL: no element has points of contact. */
static inline struct tn_contact_memory *tn_contacts_now(const tn_assembly *assembly)
{
    return assembly->extension[TN_CONTACT_EXTENSION];
}

/* The rates of the three rows of a point, which have the same columns, at the present velocities. */
static inline void tn_contact_rates(const struct tn_contact_memory *m, uint32_t k, double rate[3])
{
    const uint32_t start = m->row_start[3 * k], count = m->row_start[3 * k + 1] - start;
    const uint32_t *column = m->column + start;
    const double *v = m->assembly->system.v, *value = m->value + start;
    double normal = 0.0, first = 0.0, second = 0.0;
    for (uint32_t e = 0; e < count; e++) {
        const double velocity = v[column[e]];
        normal += value[e] * velocity;
        first += value[count + e] * velocity;
        second += value[2 * count + e] * velocity;
    }
    rate[0] = normal;
    rate[1] = first;
    rate[2] = second;
}

/* The frame of a point: its normal and two tangents, which depend on the normal alone, and are continuous except at the normal -z. Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin: Building an orthonormal basis, revisited. J. Computer Graphics
 * Techniques 6 (2017) 1. */
static inline void tn_contact_axes(const double normal[3], double axis[3][3])
{
    const double x = normal[0], y = normal[1], z = normal[2];
    const double sign = copysign(1.0, z), a = -1.0 / (sign + z), b = x * y * a;
    axis[0][0] = x;
    axis[0][1] = y;
    axis[0][2] = z;
    axis[1][0] = 1.0 + sign * x * x * a;
    axis[1][1] = sign * b;
    axis[1][2] = -sign * x;
    axis[2][0] = b;
    axis[2][1] = sign + y * y * a;
    axis[2][2] = -y;
}

/* contact_rows.c: the rows of all points, from the Jacobians of the last begin_step(). */
tn_status tn_contacts_fill(struct tn_contact_memory *m);
void tn_contacts_connect(struct tn_contact_memory *m);
/* contact_points.c: reserves memory for a number of points; leaves by a jump where there is none. */
void tn_contacts_make_room(struct tn_contact_memory *m, size_t points);
/* The owners, made at the first call. */
struct tn_contact_memory *tn_contacts_open(tn_assembly *assembly);
/* contact_steps.c */
tn_status tn_contacts_settle(tn_system *system, const double *impulse, const double *mean_rate,
                             double length);

#endif
