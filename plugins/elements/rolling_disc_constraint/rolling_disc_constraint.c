/* rolling_disc_constraint.c - a thin disc that rolls on a plane without slip and never leaves it */
#include <tenon/kit/rolling.h>
#include <tenon/kit/drawing.h>

#define ROLLING_DISC_CONSTRAINT(P)                                                                          \
    P(REAL, disc_radius, "m", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "r")                      \
    P(VECTOR, disc_axis, "", TN_OPTIONAL, "a, axes of the disc's marker; of any length; default [1, 0, 0]") \
    P(VECTOR, plane_normal, "", TN_OPTIONAL,                                                                \
      "n, axes of the plane's marker; of any length; default [0, 0, 1]")                                    \
    P(REAL, disc_width, "m", TN_ABOVE_LOW, 0.1, 0.0, TN_UNBOUNDED, "width of the disc in pictures, at most r")

TN_PARAMETERS(rolling_disc_constraint, ROLLING_DISC_CONSTRAINT)

/* The rate of the gap is the slip along the normal: the three rows are the three components of one velocity. */
TN_CONSTRAINT(rolling_disc_constraint)
{
    tn_rolling_contact contact;
    const tn_status status =
        tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact);
    if (status != TN_OK) return status;
    row[0] = contact.gap;
    row[1] = contact.slip.e[0];
    row[2] = contact.slip.e[1];
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(rolling_disc_constraint, {"markers", "the plane, and the centre of the disc", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(rolling_disc_constraint, TN_ROLLING_OUTPUT_ROWS)

static tn_status rolling_disc_constraint_prepare(const tn_host *host, void *instance)
{
    rolling_disc_constraint *self = instance;
    return tn_rolling_directions(host, &self->disc_axis, &self->plane_normal);
}

static tn_status rolling_disc_constraint_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                                tn_layout *layout)
{
    layout->position_rows = 1;
    layout->velocity_rows = 2;
    return TN_OK;
}

TN_OUTPUT(rolling_disc_constraint, TN_FRAME, 2)
{
    tn_rolling_contact contact;
    const tn_status status =
        tn_rolling_look(marker, self->disc_axis, self->plane_normal, self->disc_radius, context, &contact);
    if (status != TN_OK) return status;
    if (tn_rolling_output(marker, &contact, self->disc_radius, output, value)) return TN_OK;
    const double *wrench =
        batch->wrench + (size_t)i * batch->wrench_size + (output == TN_ROLLING_TORQUE ? 9 : 6);
    tn_vec3 result = tn_vector(wrench[0], wrench[1], wrench[2]);
    if (output == TN_ROLLING_FORCE_LOCAL)
        result = tn_vector(tn_dot(result, contact.lateral), tn_dot(result, contact.forward),
                           tn_dot(result, contact.normal));
    memcpy(value, result.e, sizeof result);
    return TN_OK;
}

static tn_status rolling_disc_constraint_draw(const tn_host *host, const void *instance,
                                              const tn_drawing_sink *sink)
{
    const rolling_disc_constraint *self = instance;
    (void)host;
    return tn_draw_disc(sink, 1, self->disc_radius, self->disc_width, self->disc_axis.e);
}

TN_SYNONYMS(rolling_disc_constraint, {"wheel", NULL, NULL}, {"rolling without slip", NULL, NULL},
            {"object_joint_rolling_disc", NULL, NULL}, {"joint_rolling_disc", NULL, NULL})
TN_ELEMENT(rolling_disc_constraint, .summary = "thin disc that rolls on a plane without slip",
           .formula = "w2 = a x n/|a x n|,  w3 = a x w2,  w_lat = n x w2          n, a in ground axes\n"
                      "C = p1 + r w3,  v = v1 + w1 x r w3 - (v0 + w0 x (C - p0))\n"
                      "n . (C - p0) = 0,  v . w_lat = 0,  v . w2 = 0",
           .literature = TN_ROLLING_LITERATURE
           "\n"
           "Neimark, Fufaev: Dynamics of Nonholonomic Systems, AMS 1972 (rolling disc)",
           .synonyms = rolling_disc_constraint_synonyms,
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(rolling_disc_constraint),
                           TN_HAS_DRAWING(rolling_disc_constraint)),
           .ports = rolling_disc_constraint_ports, .outputs = rolling_disc_constraint_outputs,
           .prepare = rolling_disc_constraint_prepare, .layout = rolling_disc_constraint_layout,
           .output = rolling_disc_constraint_output)

TN_LIBRARY("rolling_disc_constraint", "1.0.0", "Apache-2.0", "disc that rolls without slip",
           {TN_ELEMENT_KIND, &rolling_disc_constraint_type})

#endif
