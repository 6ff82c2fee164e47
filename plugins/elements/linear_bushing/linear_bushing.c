/* linear_bushing.c - six springs and dampers between two frames: three angles and three displacements */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define LINEAR_BUSHING(P)                                                                           \
    P(REALS, stiffness, 6, 0, "N m/rad; N/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,   \
      "k, of the angles qx, qy, qz, then of the displacements px, py, pz")                          \
    P(REALS, damping, 6, 0, "N m s/rad; N s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, \
      "c, in the same order")                                                                       \
    P(REAL, dissipated_energy, "J", TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                          \
      "start value of the output of this name; a change sets it")

TN_PARAMETERS(linear_bushing, LINEAR_BUSHING)

/* Below this cosine of the middle angle the other two are round-off. */
static const double singular_cosine = 1e-8;

/* The second frame M as an observer sees it who stands in the first one, F; all in the axes of F but the arm. */
typedef struct relative_motion {
    tn_vec3 arm; /* from the origin of F to that of M, ground axes */
    tn_vec3 position, velocity, angular_velocity;
} relative_motion;

static inline relative_motion observe(const tn_marker_state *marker)
{
    relative_motion seen;
    seen.arm = tn_subtract(marker[1].position, marker[0].position);
    seen.position = tn_rotate_back(marker[0].rotation, seen.arm);
    seen.velocity =
        tn_rotate_back(marker[0].rotation, tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                                       tn_cross(marker[0].angular_velocity, seen.arm)));
    seen.angular_velocity = tn_rotate_back(
        marker[0].rotation, tn_subtract(marker[1].angular_velocity, marker[0].angular_velocity));
    return seen;
}

/* The angles as those of a gimbal between the frames: the first axis is x of F, the last one z of M. */
typedef struct gimbal {
    tn_vec3 angle, rate;
    tn_real sin_x, cos_x, sin_y, cos_y; /* of the first two */
} gimbal;

static inline tn_status turn(const tn_marker_state *marker, const relative_motion *seen, tn_context *context,
                             gimbal *g)
{
    const tn_vec3 x = tn_axis(marker[0].rotation, 0), z_of_m = tn_axis(marker[1].rotation, 2);
    const tn_real xx = tn_dot(x, tn_axis(marker[1].rotation, 0)),
                  xy = tn_dot(x, tn_axis(marker[1].rotation, 1)), xz = tn_dot(x, z_of_m),
                  yz = tn_dot(tn_axis(marker[0].rotation, 1), z_of_m),
                  zz = tn_dot(tn_axis(marker[0].rotation, 2), z_of_m);
    const tn_real square = yz * yz + zz * zz;
    if (!(tn_value(square) >= singular_cosine * singular_cosine))
        return tn_retry(context, "its middle angle qy is 90 degrees: there the bushing is singular, and qx "
                                 "and qz are not defined");
    g->cos_y = tn_sqrt(square);
    g->sin_y = xz;
    g->sin_x = -yz / g->cos_y;
    g->cos_x = zz / g->cos_y;
    g->angle = tn_vector(tn_atan2(-yz, zz), tn_atan2(xz, g->cos_y), tn_atan2(-xy, xx));

    // w = x qx' + (0, cos qx, sin qx) qy' + z_of_m qz'
    const tn_real *w = seen->angular_velocity.e;
    const tn_real last = (g->cos_x * w[2] - g->sin_x * w[1]) / g->cos_y;
    g->rate = tn_vector(w[0] - g->sin_y * last, g->cos_x * w[1] + g->sin_x * w[2], last);
    return TN_OK;
}

/* The generalised forces on the angles and on the displacements. */
static inline void law(const linear_bushing *self, const relative_motion *seen, const gimbal *g,
                       tn_vec3 *moments, tn_vec3 *force)
{
    for (int i = 0; i < 3; i++) {
        moments->e[i] = -(self->stiffness[i] * g->angle.e[i] + self->damping[i] * g->rate.e[i]);
        force->e[i] =
            -(self->stiffness[3 + i] * seen->position.e[i] + self->damping[3 + i] * seen->velocity.e[i]);
    }
}

/* The torque on M whose power at any angular velocity is that of the moments at the rates of the angles. Axes of F. */
static inline tn_vec3 torque_of(tn_vec3 moments, const gimbal *g)
{
    const tn_real *f = moments.e, across = (f[2] - g->sin_y * f[0]) / g->cos_y;
    return tn_vector(f[0], g->cos_x * f[1] - g->sin_x * across, g->sin_x * f[1] + g->cos_x * across);
}

TN_FORCE(linear_bushing, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    gimbal g;
    tn_vec3 moments, force;
    const tn_status status = turn(marker, &seen, context, &g);
    if (status != TN_OK) return status;
    law(self, &seen, &g, &moments, &force);
    wrench[1].force = tn_rotate(marker[0].rotation, force);
    wrench[1].torque = tn_rotate(marker[0].rotation, torque_of(moments, &g));
    /* the force acts at the origin of M: the first body takes the moment of the pair */
    wrench[0].force = tn_negate(wrench[1].force);
    wrench[0].torque = tn_negate(tn_add(wrench[1].torque, tn_cross(seen.arm, wrench[1].force)));
    return TN_OK;
}

#if TN_VALUES

#include "four_slopes.h"

/* Bushing i alone, by the text: where its angles are not defined it says so. */
static tn_status by_text(const tn_batch *batch, uint32_t i, tn_batch_function text, tn_status worst)
{
    tn_failure failure = {0};
    tn_batch one = *batch;
    one.count = 1;
    one.failure = &failure;
    one.instance = (char *)batch->instance + i * batch->instance_stride;
    one.active = batch->active ? batch->active + i : NULL;
    one.marker += 2 * (size_t)i;
    one.wrench += WRENCHES * (size_t)i;
    if (text != linear_bushing_force) one.tangent += (size_t)WRENCHES * batch->tangent_stride * i;
    const tn_status status = text(&one);
    return tn_note_failure(batch, i, worst, status, failure.message);
}

/* Of four bushings, those that the text is for: not active, or without angles. */
static tn_status others_by_text(const tn_batch *batch, const four_bushings *b, tn_batch_function text,
                                tn_status worst)
{
    for (uint32_t lane = 0; lane < TN_LANES; lane++) {
        const uint32_t i = (uint32_t)b->index[lane];
        const bool active = !batch->active || batch->active[i];
        if (lane > 0 && i == b->index[lane - 1]) break;
        if (!active || !(b->square[lane] >= singular_cosine * singular_cosine))
            worst = by_text(batch, i, text, worst);
    }
    return worst;
}

static tn_status force_of_fours(tn_batch *batch)
{
    tn_status worst = TN_OK;
    four_bushings b;
    for (uint32_t i = 0; i < batch->count; i += TN_LANES) {
        measure_four(batch, i, &b);
        write_wrenches(batch, &b);
        worst = others_by_text(batch, &b, linear_bushing_force, worst);
    }
    return worst;
}

#ifdef TN_EXACT
static tn_status force_tangent_of_fours(tn_batch *batch)
{
    tn_status worst = TN_OK;
    four_bushings b;
    if (!asks_for_slopes_only(batch)) return linear_bushing_force_tangent(batch);
    for (uint32_t i = 0; i < batch->count; i += TN_LANES) {
        measure_four(batch, i, &b);
        write_wrenches(batch, &b);
        write_slopes(batch, &b);
        worst = others_by_text(batch, &b, linear_bushing_force_tangent, worst);
    }
    return worst;
}
#define FORCES .force = force_of_fours, .force_tangent = force_tangent_of_fours
#else
#define FORCES .force = force_of_fours
#endif

/* From here on the middle angle is told to be too large for a bushing: 75 degrees. */
static const double sine_of_warning = 0.96592582628906829;

TN_PORTS(linear_bushing, {"markers", "the frame F on the first body, and M on the second", TN_FRAME, 2, 2, 0})

enum {
    Q,
    QDOT,
    X_GF,
    X_GM,
    X_FM,
    V_GF,
    V_GM,
    V_FM,
    GENERALISED_FORCE,
    F_GF,
    F_GM,
    POTENTIAL_ENERGY,
    POWER_DISSIPATION
};
#define POSE "1; 1; 1; m"
TN_OUTPUTS(
    linear_bushing, [Q] = {"q", "qx, qy, qz, px, py, pz: angles and displacements of M in F", "rad; m", 6, 0},
    [QDOT] = {"qdot", "their rates", "rad/s; m/s", 6, 0},
    [X_GF] = {"X_GF", "pose of F: its rotation matrix by rows, then its origin; ground axes", POSE, 12, 0},
    [X_GM] = {"X_GM", "pose of M, likewise", POSE, 12, 0},
    [X_FM] = {"X_FM", "pose of M in F: likewise, axes of F", POSE, 12, 0},
    [V_GF] = {"V_GF", "angular velocity of F and velocity of its origin, ground axes", "rad/s; m/s", 6, 0},
    [V_GM] = {"V_GM", "those of M, ground axes", "rad/s; m/s", 6, 0},
    [V_FM] = {"V_FM", "those of M relative to F, axes of F", "rad/s; m/s", 6, 0},
    [GENERALISED_FORCE] = {"f", "-(k q + c qdot), each about or along its own axis", "N m; N", 6, 0},
    [F_GF] = {"F_GF", "torque and force on the first body at the origin of F, ground axes", "N m; N", 6, 0},
    [F_GM] = {"F_GM", "torque and force on the second body at the origin of M, ground axes", "N m; N", 6, 0},
    [POTENTIAL_ENERGY] = {"potential_energy", "sum of k q^2 / 2; 0 when not active", "J", 1, 0},
    [POWER_DISSIPATION] = {"power_dissipation", "sum of c qdot^2; 0 when not active", "W", 1, 0})

/* Half of the sum of k q^2, or the sum of c qdot^2; 0 where there are no angles. */
static double quadratic_form(const double *coefficient, const tn_vec3 *turning, const tn_vec3 *moving)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum +=
            coefficient[i] * turning->e[i] * turning->e[i] + coefficient[3 + i] * moving->e[i] * moving->e[i];
    return sum;
}

TN_POTENTIAL(linear_bushing, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    gimbal g;
    if (turn(marker, &seen, context, &g) != TN_OK) return 0.0;
    return 0.5 * quadratic_form(self->stiffness, &g.angle, &seen.position);
}

TN_DISSIPATION(linear_bushing, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    gimbal g;
    if (turn(marker, &seen, context, &g) != TN_OK) return 0.0;
    return quadratic_form(self->damping, &g.rate, &seen.velocity);
}

static void store_pair(double *value, tn_vec3 first, tn_vec3 second)
{
    memcpy(value, first.e, sizeof first);
    memcpy(value + 3, second.e, sizeof second);
}

static void store_pose(double *value, tn_mat3 rotation, tn_vec3 position)
{
    memcpy(value, &rotation, sizeof rotation);
    memcpy(value + 9, position.e, sizeof position);
}

/* Outputs that need no angles; false for all others. */
static bool put_frame(const tn_marker_state *marker, const relative_motion *seen, uint32_t output,
                      double *value)
{
    const tn_marker_state *of = &marker[output == X_GM || output == V_GM];
    switch (output) {
    case X_GF:
    case X_GM:
        store_pose(value, of->rotation, of->position);
        return true;
    case X_FM:
        store_pose(value, tn_multiply(tn_transpose(marker[0].rotation), marker[1].rotation), seen->position);
        return true;
    case V_GF:
    case V_GM:
        store_pair(value, of->angular_velocity, of->velocity);
        return true;
    case V_FM:
        store_pair(value, seen->angular_velocity, seen->velocity);
        return true;
    default:
        return false;
    }
}

/* The wrench on one of the frames, of the forces at the last evaluation. */
static tn_status put_wrench(const linear_bushing *self, const tn_marker_state *marker, tn_context *context,
                            int side, double *value)
{
    tn_wrench wrench[2] = {0};
    const tn_status status =
        context->active ? linear_bushing_force_text(self, marker, context, wrench) : TN_OK;
    store_pair(value, wrench[side].torque, wrench[side].force);
    return status;
}

TN_OUTPUT(linear_bushing, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    gimbal g;
    tn_vec3 moments = tn_zero(), force = tn_zero();
    if (put_frame(marker, &seen, output, value)) return TN_OK;
    if (output == F_GF || output == F_GM) return put_wrench(self, marker, context, output == F_GM, value);
    const tn_status status = turn(marker, &seen, context, &g);
    if (status != TN_OK) return status;
    if (output == Q) {
        store_pair(value, g.angle, seen.position);
    } else if (output == QDOT) {
        store_pair(value, g.rate, seen.velocity);
    } else if (output == GENERALISED_FORCE) {
        if (context->active) law(self, &seen, &g, &moments, &force);
        store_pair(value, moments, force);
    } else {
        const double sum = output == POTENTIAL_ENERGY
                               ? 0.5 * quadratic_form(self->stiffness, &g.angle, &seen.position)
                               : quadratic_form(self->damping, &g.rate, &seen.velocity);
        *value = context->active ? sum : 0.0;
    }
    return TN_OK;
}

/* One number: whether the user was warned. */
static tn_status linear_bushing_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nd = 1;
    return TN_OK;
}

TN_ACCEPTED(linear_bushing, TN_FRAME, 2)
{
    if (*data != 0.0 || !context->active) return;
    const double sine = tn_dot(tn_axis(marker[0].rotation, 0), tn_axis(marker[1].rotation, 2));
    if (fabs(sine) >= sine_of_warning &&
        tn_warn(context, "its middle angle qy is above 75 degrees; at 90 the bushing is singular"))
        *data = 1.0;
}

TN_DRAWS(linear_bushing, {.kind = TN_DRAWN_SLEEVE})

TN_SYNONYMS(linear_bushing, {"bushing", NULL, NULL}, {"bush", NULL, NULL}, {"field", NULL, NULL},
            {"deformable joint", NULL, NULL}, {"k", "stiffness", NULL},
            {"stiffness_coefficient", "stiffness", NULL}, {"spring_constant", "stiffness", NULL},
            {"c", "damping", NULL}, {"d", "damping", NULL}, {"viscosity", "damping", NULL},
            {"damping_coefficient", "damping", NULL})
TN_ELEMENT(
    linear_bushing,
    .summary = "six springs and dampers between two frames: three angles and three displacements",
    .formula =
        "R_FM = R_GF^T R_GM = Rx(qx) Ry(qy) Rz(qz),  qy in [-90, 90] degrees\n"
        "p = (px, py, pz) = R_GF^T (o_M - o_F)\n"
        "w_FM = R_GF^T (w_M - w_F) = e1 qx' + e2 qy' + e3 qz',  p' = R_GF^T (v_M - v_F - w_F x (o_M - "
        "o_F))\n"
        "e1: x axis of F,  e2: y axis after the first rotation,  e3: z axis of M\n"
        "f = -(k q + c q'),  q = (qx, qy, qz, px, py, pz)                component by component\n"
        "on the second body at o_M: force R_GF (f3, f4, f5), torque f0 g1 + f1 g2 + f2 g3\n"
        "g1, g2, g3: the basis dual to e1, e2, e3, so that torque . (w_M - w_F) = f0 qx' + f1 qy' + f2 "
        "qz'\n"
        "on the first body at o_F: their negative, with the moment of the pair; zero when it is not "
        "active",
    .literature =
        "Sherman, Seth, Delp: Simbody: multibody dynamics for biomedical research, Procedia IUTAM 2 "
        "(2011) 241-261 (Force::LinearBushing)",
    .synonyms = linear_bushing_synonyms,
    TN_CAPABILITIES(TN_HAS(force, FORCES),
                    TN_HAS(energy, .potential = linear_bushing_potential,
                           .dissipation = linear_bushing_dissipation),
                    TN_HAS(data, .accepted = linear_bushing_accepted), TN_HAS_DRAWING(linear_bushing)),
    .ports = linear_bushing_ports, .outputs = linear_bushing_outputs, .layout = linear_bushing_layout,
    .output = linear_bushing_output)

TN_LIBRARY("linear_bushing", "1.0.0", "Apache-2.0", "bushing between two frames",
           {TN_ELEMENT_KIND, &linear_bushing_type})

#endif
