/* rolling_disc.c - a thin disc that rolls and slips on a plane, held by a spring with a damper and by dry friction */
#include <tenon/kit/rolling.h>
#include <tenon/kit/drawing.h>

#include <float.h>

#define ROLLING_DISC(P)                                                                                     \
    P(REAL, disc_radius, "m", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "r")                      \
    P(VECTOR, disc_axis, "", TN_OPTIONAL, "a, axes of the disc's marker; of any length; default [1, 0, 0]") \
    P(VECTOR, plane_normal, "", TN_OPTIONAL,                                                                \
      "n, axes of the plane's marker; of any length; default [0, 0, 1]")                                    \
    P(REAL, dry_friction_angle, "rad", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,        \
      "alpha, turns the axes of friction (rollers of Mecanum wheels)")                                      \
    P(REAL, contact_stiffness, "N/m", TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "k")                           \
    P(REAL, contact_damping, "N s/m", TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "c")                           \
    P(REALS, dry_friction, 2, 0, "", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                    \
      "mu, lateral and forward (turned by alpha)")                                                          \
    P(REAL, dry_friction_proportional_zone, "m/s", TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                   \
      "v_mu, slip up to which friction grows; 0: it jumps")                                                 \
    P(REALS, viscous_friction, 2, 0, "s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,             \
      "d, lateral and forward: mu grows with the slip")                                                     \
    P(REAL, rolling_friction_viscous, "s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,            \
      "mu_r, resistance to the motion of the centre")                                                       \
    P(BOOLEAN, use_linear_proportional_zone, TN_CHANGEABLE, 0,                                              \
      "friction grows linearly in the zone, instead of smoothly")                                           \
    P(REAL, disc_width, "m", TN_ABOVE_LOW, 0.1, 0.0, TN_UNBOUNDED, "width of the disc in pictures, at most r")

TN_PARAMETERS(rolling_disc, ROLLING_DISC)

/* Discrete data: the slip by which friction is of the zone (also where it has just changed its sign) or of a direction, and
 * the gap; that is not negative where the contact does not press. */
enum { DATA_LATERAL, DATA_FORWARD, DATA_GAP, DATA_COUNT };

/* Forces on the disc: at the contact point along the axes of the slip, and at its centre. */
typedef struct disc_forces {
    tn_real lateral, forward, normal;
    tn_vec3 resistance;
} disc_forces;

/* phi(|s|)/|s|, by which the slip is multiplied; in the zone. Beyond it, where only a held branch leads, the growing line
 * brings Newton's method back. */
static inline tn_real share_in_zone(const rolling_disc *self, tn_real speed)
{
    const tn_real zone = self->dry_friction_proportional_zone;
    if (!(tn_value(zone) > 0.0)) return tn_constant(0.0);
    const bool bent = !self->use_linear_proportional_zone && tn_value(speed) < tn_value(zone);
    return bent ? (2.0 - speed / zone) / zone : 1.0 / zone;
}

/* Slip that falls back behind `least` in the direction that it had, (a, b), is taken to be there: it does not turn round, or
 * Newton's method would swing from one sign to the other. */
static inline void keep_direction(double a, double b, double least, tn_real *x, tn_real *y)
{
    const tn_real lacking = least - (a * *x + b * *y);
    if (!(tn_value(lacking) > 0.0)) return;
    *x = *x + a * lacking;
    *y = *y + b * lacking;
}

/* Speed of the slip in the data; hypot() is slower, and no slip is so large that its square overflows. */
static inline double held_slip(const double *data)
{
    return sqrt(data[DATA_LATERAL] * data[DATA_LATERAL] + data[DATA_FORWARD] * data[DATA_FORWARD]);
}

/* Friction for one newton of normal force, lateral and forward. `data` hold the branch. */
static inline void friction(const rolling_disc *self, const tn_rolling_contact *contact, const double *data,
                            tn_real *lateral, tn_real *forward)
{
    tn_real x = contact->slip.e[0], y = contact->slip.e[1];
    const tn_real square = x * x + y * y;
    const tn_real speed = tn_value(square) > 0.0 ? tn_sqrt(square) : tn_constant(0.0);
    const double zone = tn_value(self->dry_friction_proportional_zone);
    const double known = data ? held_slip(data) : tn_value(speed);
    tn_real share;
    if (known <= zone) {
        share = share_in_zone(self, speed);
    } else if (data && zone == 0.0) {
        // held as a whole: it may turn by anything, even in a short step
        x = tn_constant(data[DATA_LATERAL] / known);
        y = tn_constant(data[DATA_FORWARD] / known);
        share = tn_constant(1.0);
    } else {
        if (data) keep_direction(data[DATA_LATERAL] / known, data[DATA_FORWARD] / known, 0.5 * zone, &x, &y);
        share = 1.0 / tn_sqrt(x * x + y * y);
    }
    const tn_real c = tn_cos(self->dry_friction_angle), s = tn_sin(self->dry_friction_angle);
    const tn_real first =
        (self->dry_friction[0] + self->viscous_friction[0] * speed) * share * (c * x - s * y);
    const tn_real second =
        (self->dry_friction[1] + self->viscous_friction[1] * speed) * share * (s * x + c * y);
    *lateral = -(c * first + s * second);
    *forward = s * first - c * second;
}

/* Whether the contact presses, by the state alone. */
static inline bool touches(const tn_rolling_contact *contact, tn_real press)
{
    return tn_value(contact->gap) < 0.0 && tn_value(press) >= 0.0;
}

static inline tn_real pressure(const rolling_disc *self, const tn_rolling_contact *contact)
{
    return -(self->contact_stiffness * contact->gap + self->contact_damping * contact->slip.e[2]);
}

/* The law; `data` NULL: by the state alone. */
static inline disc_forces law(const rolling_disc *self, const tn_marker_state *marker,
                              const tn_rolling_contact *contact, const double *data)
{
    disc_forces forces;
    forces.lateral = forces.forward = forces.normal = tn_constant(0.0);
    forces.resistance = tn_zero();
    const tn_real press = pressure(self, contact);
    if (!(data ? data[DATA_GAP] < 0.0 : touches(contact, press))) return forces;
    friction(self, contact, data, &forces.lateral, &forces.forward);
    forces.lateral = forces.lateral * press;
    forces.forward = forces.forward * press;
    forces.normal = press;

    // against the plane where the centre is: a motion in common has no resistance
    const tn_vec3 velocity = tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                         tn_cross(marker[0].angular_velocity, contact->centre));
    const tn_vec3 tangential =
        tn_subtract(velocity, tn_scale(tn_dot(velocity, contact->normal), contact->normal));
    forces.resistance = tn_scale(-self->rolling_friction_viscous * press, tangential);
    return forces;
}

/* At the contact point, ground axes. */
static inline tn_vec3 contact_force(const tn_rolling_contact *contact, const disc_forces *forces)
{
    return tn_add(
        tn_scale(forces->normal, contact->normal),
        tn_add(tn_scale(forces->lateral, contact->lateral), tn_scale(forces->forward, contact->forward)));
}

TN_FORCE(rolling_disc, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    const tn_status status =
        tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact);
    if (status != TN_OK) return status;
    const disc_forces forces = law(self, marker, &contact, context->batch->frozen ? tn_data(context) : NULL);
    const tn_vec3 force = contact_force(&contact, &forces);
    wrench[1].force = tn_add(force, forces.resistance);
    wrench[1].torque = tn_cross(contact.spoke, force);
    wrench[0].force = tn_negate(wrench[1].force);
    wrench[0].torque =
        tn_negate(tn_add(tn_cross(contact.arm, force), tn_cross(contact.centre, forces.resistance)));
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(rolling_disc, {"markers", "the plane, and the centre of the disc", TN_FRAME, 2, 2, 0})

enum { POTENTIAL_ENERGY = TN_ROLLING_OUTPUTS };
TN_OUTPUTS(rolling_disc, TN_ROLLING_OUTPUT_ROWS,
           [POTENTIAL_ENERGY] = {"potential_energy", "k gap^2/2 in contact; 0 when not active", "J", 1, 0})

/* ---- switching ------------------------------------------------------------------------------------------- */

static double distance_of(disc_forces a, disc_forces b)
{
    const tn_vec3 at_contact = tn_vector(a.lateral - b.lateral, a.forward - b.forward, a.normal - b.normal);
    return tn_norm(at_contact) + tn_norm(tn_subtract(a.resistance, b.resistance));
}

/* Slip that has turned round passed through the zone, where it may stay. */
static bool has_turned(const rolling_disc *self, const double *data, const tn_rolling_contact *contact)
{
    const bool slipping = held_slip(data) > self->dry_friction_proportional_zone;
    const double along = data[DATA_LATERAL] * contact->slip.e[0] + data[DATA_FORWARD] * contact->slip.e[1];
    return slipping && along <= 0.0 && self->dry_friction_proportional_zone > 0.0;
}

static bool has_dry_friction(const rolling_disc *self)
{
    return self->dry_friction[0] + self->dry_friction[1] + self->viscous_friction[0] +
               self->viscous_friction[1] >
           0.0;
}

TN_UPDATE(rolling_disc, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    if (tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact) !=
        TN_OK)
        return 0.0;
    const disc_forces held = law(self, marker, &contact, data);
    const bool was_open = !(data[DATA_GAP] < 0.0), is_open = !touches(&contact, pressure(self, &contact));
    const bool turned = !was_open && has_turned(self, data, &contact);
    data[DATA_LATERAL] = turned ? 0.0 : contact.slip.e[0];
    data[DATA_FORWARD] = turned ? 0.0 : contact.slip.e[1];
    data[DATA_GAP] = is_open ? fmax(contact.gap, 0.0) : contact.gap;

    // the step would have ended at the impact
    const double step = context->batch->step;
    if (was_open && !is_open && step > 0.0)
        *recommended_step = fmax(step - contact.gap / fmin(contact.slip.e[2], -DBL_MIN), 1e-9 * step);
    if (step == 0.0 && has_dry_friction(self) && self->dry_friction_proportional_zone == 0.0)
        context->message = "friction with a jump at zero slip impairs implicit solvers: set "
                           "`dry_friction_proportional_zone`, or use an explicit solver";
    return distance_of(held, law(self, marker, &contact, data));
}

/* ---- setup ----------------------------------------------------------------------------------------------- */

static tn_status rolling_disc_prepare(const tn_host *host, void *instance)
{
    rolling_disc *self = instance;
    return tn_rolling_directions(host, &self->disc_axis, &self->plane_normal);
}

static tn_status rolling_disc_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                     tn_layout *layout)
{
    layout->nd = DATA_COUNT;
    return TN_OK;
}

/* ---- energies and outputs -------------------------------------------------------------------------------- */

TN_POTENTIAL(rolling_disc, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    if (tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact) !=
        TN_OK)
        return 0.0;
    const double penetration = fmin(contact.gap, 0.0);
    return 0.5 * self->contact_stiffness * penetration * penetration;
}

/* What is stored and not given back, where the disc leaves faster than the spring follows, is lost, too. */
TN_DISSIPATION(rolling_disc, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    if (tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact) !=
        TN_OK)
        return 0.0;
    const disc_forces forces = law(self, marker, &contact, context->batch->frozen ? tn_data(context) : NULL);
    const tn_vec3 velocity = tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                         tn_cross(marker[0].angular_velocity, contact.centre));
    const double spring = -self->contact_stiffness * fmin(contact.gap, 0.0);
    return (spring - forces.normal) * contact.slip.e[2] - forces.lateral * contact.slip.e[0] -
           forces.forward * contact.slip.e[1] - tn_dot(forces.resistance, velocity);
}

TN_OUTPUT(rolling_disc, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    disc_forces forces = {0.0, 0.0, 0.0, tn_zero()};
    const tn_status status =
        tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact);
    if (status != TN_OK) return status;
    if (tn_rolling_output(marker, &contact, self->disc_radius, output, value)) return TN_OK;
    if (context->active) forces = law(self, marker, &contact, batch->frozen ? tn_data(context) : NULL);
    if (output == POTENTIAL_ENERGY) {
        *value = context->active ? rolling_disc_potential_text(self, marker, context) : 0.0;
        return TN_OK;
    }
    const tn_vec3 force = contact_force(&contact, &forces);
    const tn_vec3 result = output == TN_ROLLING_FORCE_LOCAL
                               ? tn_vector(forces.lateral, forces.forward, forces.normal)
                           : output == TN_ROLLING_FORCE ? tn_add(force, forces.resistance)
                                                        : tn_cross(contact.spoke, force);
    memcpy(value, result.e, sizeof result);
    return TN_OK;
}

static tn_status rolling_disc_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink)
{
    const rolling_disc *self = instance;
    (void)host;
    return tn_draw_disc(sink, 1, self->disc_radius, self->disc_width, self->disc_axis.e);
}

TN_SYNONYMS(rolling_disc, {"wheel", NULL, NULL}, {"tyre", NULL, NULL}, {"tire", NULL, NULL},
            {"object_connector_rolling_disc_penalty", NULL, NULL}, {"rolling_disc_penalty", NULL, NULL})
TN_ELEMENT(rolling_disc, .summary = "thin disc that rolls and slips on a plane, by penalty and dry friction",
           .formula =
               "w2 = a x n/|a x n|,  w3 = a x w2,  w_lat = n x w2          n, a in ground axes\n"
               "C = p1 + r w3,  v = v1 + w1 x r w3 - (v0 + w0 x (C - p0)),  s = (v . w_lat, v . w2)\n"
               "f_n = max(0, -(k gap + c v . n)) where gap = n . (C - p0) < 0, else 0\n"
               "f_t = -Q^T diag(mu + d |s|) Q s phi(|s|)/|s| f_n,  Q = [cos alpha, -sin alpha; sin alpha, "
               "cos alpha]\n"
               "phi(x v_mu) = x (2 - x), or x, for x < 1, else 1\n"
               "force f_t + f_n n on the disc at C, and -mu_r f_n (v1 - v0 - w0 x (p1 - p0))_tangential at "
               "its centre;\n"
               "the same with the opposite sign at the same places on the plane; zero when it is not active",
           .literature = TN_ROLLING_LITERATURE, .synonyms = rolling_disc_synonyms,
           TN_CAPABILITIES(TN_HAS_FORCE(rolling_disc),
                           TN_HAS(energy, .potential = rolling_disc_potential,
                                  .dissipation = rolling_disc_dissipation),
                           TN_HAS(data, .update = rolling_disc_update), TN_HAS_DRAWING(rolling_disc)),
           .ports = rolling_disc_ports, .outputs = rolling_disc_outputs, .prepare = rolling_disc_prepare,
           .layout = rolling_disc_layout, .output = rolling_disc_output)

TN_LIBRARY("rolling_disc", "1.0.0", "Apache-2.0", "rolling disc by penalty and dry friction",
           {TN_ELEMENT_KIND, &rolling_disc_type})

#endif
