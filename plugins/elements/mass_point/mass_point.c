/* mass_point.c - a point with mass: three translations, no orientation */
#include <tenon/kit/body_axis.h>
#include <tenon/kit/drawing.h>

#define MASS_POINT(P)                                                                 \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "mass m") \
    P(VECTOR, position, "m", TN_MOVES, "position at the start, ground axes")          \
    P(VECTOR, velocity, "m/s", TN_TURNS, "velocity at the start, ground axes")        \
    P(REAL, gravity_scale, "", TN_CHANGEABLE, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED,       \
      "factor on the `gravity` of `[model]`; 0 switches it off for this point")

TN_PARAMETERS(mass_point, MASS_POINT)

TN_BODY_FORCE(mass_point, 3, 3)
{
    const tn_real weight = self->mass * self->gravity_scale;
    for (int i = 0; i < 3; i++)
        force[i] = weight * context->batch->gravity[i];
    return TN_OK;
}

#if TN_VALUES

enum { POSITION, DISPLACEMENT, VELOCITY, ACCELERATION, KINETIC_ENERGY };
TN_OUTPUTS(mass_point, [POSITION] = {"position", "position, ground axes", "m", 3, 0},
           [DISPLACEMENT] = {"displacement", "position minus start position, ground axes", "m", 3, 0},
           [VELOCITY] = {"velocity", "velocity, ground axes", "m/s", 3, 0},
           [ACCELERATION] = {"acceleration", "acceleration, ground axes", "m/s^2", 3, 0},
           [KINETIC_ENERGY] = {"kinetic_energy", "m v^2 / 2", "J", 1, 0})

TN_OUTPUT(mass_point, TN_ANY, 0)
{
    const double *q = batch->q + 3 * i, *v = batch->v + 3 * i, *a = batch->a + 3 * i;
    switch (output) {
    case POSITION:
        memcpy(value, q, 3 * sizeof *value);
        break;
    case VELOCITY:
        memcpy(value, v, 3 * sizeof *value);
        break;
    case ACCELERATION:
        memcpy(value, a, 3 * sizeof *value);
        break;
    case KINETIC_ENERGY:
        *value = 0.5 * self->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        break;
    default:
        for (int k = 0; k < 3; k++)
            value[k] = q[k] - self->position.e[k];
    }
    return TN_OK;
}

static tn_status mass_point_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 3;
    return TN_OK;
}

static tn_status mass_point_initial(const tn_host *host, const void *instance, double *q, double *v,
                                    double *x, double *s, double *d)
{
    (void)host, (void)x, (void)s, (void)d;
    const mass_point *self = instance;
    memcpy(q, self->position.e, sizeof self->position);
    memcpy(v, self->velocity.e, sizeof self->velocity);
    return TN_OK;
}

static tn_status mass_point_mass(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const mass_point *self = tn_instance(batch, i);
        for (size_t k = 0; k < 9; k++)
            batch->mass[9 * i + k] = k % 4 == 0 ? self->mass : 0.0;
    }
    return TN_OK;
}

static tn_status mass_point_potential(tn_batch *batch)
{
    const double *g = batch->gravity;
    for (size_t i = 0; i < batch->count; i++) {
        const mass_point *self = tn_instance(batch, i);
        const double *q = batch->q + 3 * i;
        batch->value[i] = -self->mass * self->gravity_scale * (g[0] * q[0] + g[1] * q[1] + g[2] * q[2]);
    }
    return TN_OK;
}

/* The point itself, its coordinates and the node of all three are the only markers that a mass point can carry: q and v as they
 * stand. */
static tn_status mass_point_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    (void)instance;
    int32_t place = 0;
    if (attachment->kind == TN_FRAME) return TN_UNSUPPORTED;
    if (attachment->kind == TN_COORDINATE && tn_body_axis(host, attachment, &place) != TN_OK)
        return TN_INVALID;
    if (attachment->kind == TN_NODE) {
        if (attachment->node)
            return tn_refuse(host, "node", "there is no node `%s` here: its only node has no name",
                             attachment->node);
        attachment->kind = TN_NODE_OF(3);
    }
    for (int i = 0; i < 3; i++)
        if (attachment->position[i] != 0.0)
            return tn_refuse(host, "position",
                             "a mass point has no orientation: a marker on it has no offset");
    attachment->alias_pose = attachment->alias_twist = place;
    return TN_OK;
}

static tn_status mass_point_rigid_motion(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const double *p = batch->q + 3 * i;
        const double map[18] = {1, 0, 0, 0, p[2], -p[1], 0, 1, 0, -p[2], 0, p[0], 0, 0, 1, p[1], -p[0], 0};
        memcpy(batch->rigid_motion + 18 * i, map, sizeof map);
    }
    return TN_OK;
}

static const char *const units[] = {"m", "m", "m"};

TN_DRAWS(mass_point, {.kind = TN_DRAWN_BALL, .place = {{TN_AT_ELEMENT, 0}}})

TN_SYNONYMS(mass_point, {"point_mass", NULL, NULL}, {"particle", NULL, NULL},
            {"object_mass_point", NULL, NULL}, {"point", NULL, NULL}, {"m", "mass", NULL},
            {"pos", "position", NULL}, {"reference_position", "position", NULL},
            {"initial_velocity", "velocity", NULL}, {"v0", "velocity", NULL})
TN_ELEMENT(mass_point, .summary = "a point with mass",
           .formula = "m dv/dt = m gravity_scale gravity + forces of its markers",
           .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                         "chapter 3 (particle mechanics)",
           .synonyms = mass_point_synonyms, .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .velocity_units = units, .mass = mass_point_mass,
                                  TN_BODY_FORCE_FIELDS(mass_point), .rigid_motion = mass_point_rigid_motion),
                           TN_HAS(attachment, .bind = mass_point_bind),
                           TN_HAS(energy, .potential = mass_point_potential), TN_HAS_DRAWING(mass_point)),
           .outputs = mass_point_outputs, .layout = mass_point_layout, .initial = mass_point_initial,
           .output = mass_point_output)

TN_LIBRARY("mass_point", "1.0.0", "Apache-2.0", "point mass", {TN_ELEMENT_KIND, &mass_point_type})

#endif
