/* tenon/kit/rolling.h - a thin disc on a plane: where it touches and how it slips there, for texts of all passes; and the
 * outputs that elements with such a contact share. Marker 0 carries the plane, marker 1 the disc at its centre, both frames.
 *
 * In a text:
 *
 *     tn_rolling_contact contact;
 *     const tn_status status = tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->radius, context, &contact);
 *     if (status != TN_OK) return status;
 *     ... contact.gap, contact.slip.e[0] (lateral), contact.arm ...
 *
 * `prepare` makes the two directions vectors of length 1 by tn_rolling_directions(); TN_OUTPUTS lists
 * TN_ROLLING_OUTPUT_ROWS first, and tn_rolling_output() writes those of them that are kinematic.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_ROLLING_H
#define TENON_KIT_ROLLING_H

#include "tenon/author.h"

#define TN_ROLLING_PARALLEL 1e-6 /* |a x n| below which no point of the disc is the lowest */
#define TN_ROLLING_NO_CONTACT_POINT "the disc axis is parallel to the plane normal: there is no contact point"

typedef struct tn_rolling_contact {
    tn_vec3 normal, axis;     /* n and a, of length 1, ground axes, as are the others */
    tn_vec3 forward, lateral; /* w2 = a x n/|a x n| and n x w2 */
    tn_vec3 spoke;            /* r w3, from the centre to the contact point */
    tn_vec3 arm, centre;      /* from the plane's marker to the contact point, and to the disc's centre */
    tn_vec3 slip;             /* velocity of the disc there against the plane: lateral, forward, normal */
    tn_real gap;              /* distance of the contact point from the plane; its rate is the normal slip */
} tn_rolling_contact;

/* Axis and normal have length 1, in the axes of their markers. */
static inline TN_UNUSED tn_status tn_rolling_look(const tn_marker_state *marker, tn_vec3 axis, tn_vec3 normal,
                                                  tn_real radius, tn_context *context,
                                                  tn_rolling_contact *contact)
{
    const tn_vec3 n = tn_rotate(marker[0].rotation, normal), a = tn_rotate(marker[1].rotation, axis);
    const tn_vec3 across = tn_cross(a, n);
    if (tn_value(tn_dot(across, across)) < TN_ROLLING_PARALLEL * TN_ROLLING_PARALLEL)
        return tn_retry(context, TN_ROLLING_NO_CONTACT_POINT);
    contact->normal = n;
    contact->axis = a;
    contact->forward = tn_scale(1.0 / tn_norm(across), across);
    contact->lateral = tn_cross(n, contact->forward);
    contact->spoke = tn_scale(radius, tn_cross(a, contact->forward));
    contact->centre = tn_subtract(marker[1].position, marker[0].position);
    contact->arm = tn_add(contact->centre, contact->spoke);
    contact->gap = tn_dot(contact->arm, n);
    const tn_vec3 of_disc = tn_add(marker[1].velocity, tn_cross(marker[1].angular_velocity, contact->spoke));
    const tn_vec3 of_plane = tn_add(marker[0].velocity, tn_cross(marker[0].angular_velocity, contact->arm));
    const tn_vec3 velocity = tn_subtract(of_disc, of_plane);
    contact->slip = tn_vector(tn_dot(velocity, contact->lateral), tn_dot(velocity, contact->forward),
                              tn_dot(velocity, n));
    return TN_OK;
}

#if TN_VALUES

#define TN_ROLLING_LITERATURE                                                        \
    "Gerstmayr: Exudyn: a C++-based Python package for flexible multibody systems, " \
    "Multibody Syst. Dyn. 60 (2024) 533-561 (ObjectConnectorRollingDiscPenalty)\n"   \
    "Geradin, Cardona: Flexible Multibody Dynamics, Wiley 2001, section 7.9.3 (regularisation)"

/* The velocity of the contact point along its trail, against the plane: it moves on the disc, too, as this tilts. */
static inline TN_UNUSED tn_vec3 tn_rolling_trail(const tn_marker_state *marker,
                                                 const tn_rolling_contact *contact, double radius)
{
    // w3 = (c a - n)/s with c = a . n and s = |a x n|
    const tn_vec3 a = contact->axis, n = contact->normal;
    const tn_vec3 a_rate = tn_cross(marker[1].angular_velocity, a);
    const tn_vec3 n_rate = tn_cross(marker[0].angular_velocity, n);
    const double c = tn_dot(a, n), s = tn_norm(tn_cross(a, n)),
                 c_rate = tn_dot(a_rate, n) + tn_dot(a, n_rate);
    const tn_vec3 turning = tn_add(tn_subtract(tn_add(tn_scale(c_rate, a), tn_scale(c, a_rate)), n_rate),
                                   tn_scale(c * c_rate / (s * s), tn_subtract(tn_scale(c, a), n)));
    const tn_vec3 of_plane = tn_add(marker[0].velocity, tn_cross(marker[0].angular_velocity, contact->arm));
    return tn_subtract(tn_add(marker[1].velocity, tn_scale(radius / s, turning)), of_plane);
}

/* Makes a direction of the model, or the standard one, one of length 1; done before, it does nothing. */
static inline TN_UNUSED tn_status tn_rolling_direction(const tn_host *host, const char *parameter,
                                                       tn_vec3 standard, tn_vec3 *direction)
{
    if (isnan(direction->e[0])) *direction = standard;
    const double length = tn_norm(*direction);
    if (!(length > 0.0)) return tn_refuse(host, parameter, "a direction cannot have length 0");
    if (fabs(length - 1.0) > 1e-15) *direction = tn_scale(1.0 / length, *direction);
    return TN_OK;
}

/* The axis of the disc and the normal of the plane, x and z where the model gives none. */
static inline TN_UNUSED tn_status tn_rolling_directions(const tn_host *host, tn_vec3 *axis, tn_vec3 *normal)
{
    const tn_status status = tn_rolling_direction(host, "disc_axis", tn_vector(1, 0, 0), axis);
    return tn_worse(status, tn_rolling_direction(host, "plane_normal", tn_vector(0, 0, 1), normal));
}

/* Outputs that every such element has, in this order. */
enum {
    TN_ROLLING_POSITION,
    TN_ROLLING_VELOCITY,
    TN_ROLLING_VELOCITY_LOCAL,
    TN_ROLLING_FORCE_LOCAL,
    TN_ROLLING_ROTATION,
    TN_ROLLING_GAP,
    TN_ROLLING_FORCE,
    TN_ROLLING_TORQUE,
    TN_ROLLING_OUTPUTS
};
#define TN_ROLLING_OUTPUT_ROWS                                                                             \
    [TN_ROLLING_POSITION] = {"position", "contact point C, ground axes", "m", 3, 0},                       \
    [TN_ROLLING_VELOCITY] = {"velocity", "velocity of C relative to the plane, ground axes", "m/s", 3, 0}, \
    [TN_ROLLING_VELOCITY_LOCAL] = {"velocity_local", "slip of the disc at C: lateral, forward, normal",    \
                                   "m/s", 3, 0},                                                           \
    [TN_ROLLING_FORCE_LOCAL] = {"force_local", "force on the disc at C: lateral, forward, normal", "N", 3, \
                                0},                                                                        \
    [TN_ROLLING_ROTATION] = {"rotation", "columns w_lat, w2, n: from J1 components to ground axes", "", 9, \
                             0},                                                                           \
    [TN_ROLLING_GAP] = {"gap", "n . (C - p0)", "m", 1, 0},                                                 \
    [TN_ROLLING_FORCE] = {"force", "on the disc, ground axes", "N", 3, 0},                                 \
    [TN_ROLLING_TORQUE] = {"torque", "on the disc about its centre, ground axes", "N m", 3, 0}

/* The outputs that are kinematic; false for the others. */
static inline TN_UNUSED bool tn_rolling_output(const tn_marker_state *marker,
                                               const tn_rolling_contact *contact, double radius,
                                               uint32_t output, double *value)
{
    tn_vec3 vector = contact->slip;
    if (output == TN_ROLLING_ROTATION) {
        const tn_vec3 column[3] = {contact->lateral, contact->forward, contact->normal};
        for (int i = 0; i < 9; i++)
            value[i] = column[i % 3].e[i / 3];
        return true;
    }
    if (output == TN_ROLLING_GAP) {
        *value = contact->gap;
        return true;
    }
    if (output == TN_ROLLING_POSITION)
        vector = tn_add(marker[1].position, contact->spoke);
    else if (output == TN_ROLLING_VELOCITY)
        vector = tn_rolling_trail(marker, contact, radius);
    else if (output != TN_ROLLING_VELOCITY_LOCAL)
        return false;
    memcpy(value, vector.e, sizeof vector);
    return true;
}

#endif

#endif
