/* law.h - the penalty law of one point, for texts of all passes
 *
 *   F_N = k d^n (1 + c d'),  d = -gap > 0, not below 0                           Hunt and Crossley
 *   F_T = -mu F_N tanh(|u|/v_s) u/|u|                                            regularised friction
 *   F_T = -mu F_N b/max(1, |b|),  b = (z + t_0 z')/z_0,                          bristles:
 *   z' = u - a(|z|/z_0) max(0, u . z) z/(|z| z_0)                                elastic below 0.9 z_0, sliding at z_0
 *
 * with mu(u) = mu + (mu_s - mu) exp(-(u/v_0)^2) and u the slip of the first shape on the second. With c = C/v_i, where v_i is the speed
 * of the impact, a free impact gives back the share e of it where C (1 + e) = log((1 + C)/(1 - e C)): of F_N and m d'' = -F_N the first
 * integral is d' - log(1 + c d')/c = -(c k/m) d^(n + 1)/(n + 1) + constant, the same at both ends of the impact. */
#ifndef TENON_CONTACT_LAW_H
#define TENON_CONTACT_LAW_H

#include "geometry.h"

#define CONTACT_BREAKAWAY 0.9 /* of the length of a bristle: below, it is a spring and does not creep */

/* One point that presses, ground axes. */
typedef struct contact_load {
    contact_place at;
    tn_vec3 slip;                  /* of the first shape on the second, along the surface */
    tn_real approach;              /* d', m/s */
    tn_real factor;                /* 1 + c d' */
    tn_real normal;                /* F_N */
    tn_vec3 friction;              /* on the first shape */
    tn_vec3 bristle, bristle_rate; /* z and z' as seen from the shape that carries the bristle */
} contact_load;

/* 1 + c d'; `impact`: see CONTACT_DATA. A point that has closed within this step goes by its speed at the beginning of the step, or by
 * that of now, if this is larger. */
static inline tn_real contact_factor(const contact_law *law, tn_real approach, double impact)
{
    if (!isnan(law->damping)) return 1.0 + law->damping * approach;
    if (impact > 0.0) return 1.0 + (law->loss / impact) * approach;
    const double speed = -impact > law->threshold ? -impact : law->threshold;
    return tn_value(approach) > speed ? tn_constant(1.0 + law->loss) : 1.0 + (law->loss / speed) * approach;
}

static inline tn_real contact_friction(const contact_law *law, tn_real square, tn_real stribeck_speed)
{
    const double more = law->static_friction - law->friction;
    if (more == 0.0) return tn_constant(law->friction);
    return law->friction + more * tn_exp(-square / (stribeck_speed * stribeck_speed));
}

/* tanh(u/v)/u as a function of u^2: it is smooth where u is 0. */
static inline tn_real contact_tanh_over(tn_real square, tn_real v)
{
    const double w = tn_value(square) / (tn_value(v) * tn_value(v)), s = sqrt(w),
                 scale = tn_value(v) * tn_value(v);
    const double f = w < 1e-4 ? 1.0 - w / 3.0 + 2.0 * w * w / 15.0 : tanh(s) / s;
    const double sech = 1.0 / cosh(s < 300.0 ? s : 300.0);
    const double slope = w < 1e-4 ? -1.0 / 3.0 + 4.0 * w / 15.0 : (sech * sech - f) / (2.0 * w);
    return tn_chain(square, f / tn_value(v), slope / (scale * tn_value(v)), 0.0);
}

/* How much of the sliding is not taken up by the bristle: from 0 to 1 between the break-away and z_0. */
static inline tn_real contact_sliding(tn_real share)
{
    const double s = tn_value(share), middle = 0.5 * (1.0 + CONTACT_BREAKAWAY),
                 width = 1.0 - CONTACT_BREAKAWAY;
    if (s <= CONTACT_BREAKAWAY) return tn_constant(0.0);
    if (s >= 1.0) return tn_constant(1.0);
    return 0.5 + 0.5 * tn_sin((share - middle) * (3.14159265358979323846 / width));
}

/* The bristle of a point, from its states, in ground axes and along the surface. */
static inline tn_vec3 contact_bristle(const contact_point *point, const tn_marker_state *carrier,
                                      tn_vec3 normal, const tn_real *states)
{
    tn_vec3 z = tn_zero();
    for (uint32_t k = 0; k < point->states; k++)
        z = tn_add(z, tn_scale(states[point->state + k], tn_axis(carrier->rotation, (int)k)));
    return tn_subtract(z, tn_scale(tn_dot(z, normal), normal));
}

/* z' as seen from the surface. */
static inline tn_vec3 contact_bristle_rate(tn_vec3 z, tn_vec3 slip, tn_real length)
{
    const tn_real square = tn_dot(z, z), along = tn_dot(slip, z);
    if (!(tn_value(along) > 0.0) || !(tn_value(square) > 0.0)) return slip;
    const tn_real size = tn_sqrt(square), sliding = contact_sliding(size / length);
    if (!(tn_value(sliding) > 0.0)) return slip;
    return tn_subtract(slip, tn_scale(sliding * along / (size * length), z));
}

/* b/max(1, |b|) */
static inline tn_vec3 contact_limited(tn_vec3 b)
{
    const tn_real square = tn_dot(b, b);
    return tn_value(square) > 1.0 ? tn_scale(1.0 / tn_sqrt(square), b) : b;
}

/* What a point does: nothing, or it presses, or nobody can tell. */
typedef enum contact_answer { CONTACT_OPEN, CONTACT_CLOSED, CONTACT_UNKNOWN } contact_answer;

/* The point at the state; of an open one `load` gets the place alone. `states`: those of bristles, or NULL. */
static inline contact_answer contact_press(const contact *self, const contact_point *point,
                                           const tn_marker_state *first, const tn_marker_state *second,
                                           double impact, const tn_real *states, contact_load *load)
{
    const contact_law *law = self->setup->pair[point->pair].law;
    if (!contact_look(point, first, second, &load->at)) return CONTACT_UNKNOWN;
    if (!(tn_value(load->at.gap) < 0.0)) return CONTACT_OPEN;
    const tn_vec3 velocity = contact_velocity(first, second, load->at.position);
    load->approach = -tn_dot(velocity, load->at.normal);
    load->slip = tn_add(velocity, tn_scale(load->approach, load->at.normal));
    load->factor = contact_factor(law, load->approach, impact);
    load->friction = load->bristle = load->bristle_rate = tn_zero();
    load->normal = tn_constant(0.0);
    if (tn_value(load->factor) > 0.0)
        load->normal = law->stiffness * tn_power(-load->at.gap, law->exponent) * load->factor;
    const tn_real square = tn_dot(load->slip, load->slip);
    const tn_real most = contact_friction(law, square, self->stribeck_speed) * load->normal;
    if (!states) {
        load->friction = tn_scale(-most * contact_tanh_over(square, self->slip_speed), load->slip);
        return CONTACT_CLOSED;
    }
    const tn_marker_state *carrier = point->ball_second ? first : second;
    load->bristle = contact_bristle(point, carrier, load->at.normal, states);
    load->bristle_rate = contact_bristle_rate(load->bristle, load->slip, self->bristle_length);
    const tn_vec3 b = tn_scale(1.0 / self->bristle_length,
                               tn_add(load->bristle, tn_scale(self->bristle_time, load->bristle_rate)));
    load->friction = tn_scale(-most, contact_limited(b));
    return CONTACT_CLOSED;
}

#endif
