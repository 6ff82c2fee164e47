/* helix.c - a bead on a helix, whose place along it is an algebraic unknown: the foot of the bead on the curve */
#include <tenon/author.h>

#define HELIX(P)                                                                                   \
    P(REAL, radius, "m", 0, 1.0, 1e-9, TN_UNBOUNDED, "of the helix, whose axis is z of its frame") \
    P(REAL, rise, "m/rad", 0, 0.2, -TN_UNBOUNDED, TN_UNBOUNDED, "along the axis")                  \
    P(REAL, speed, "rad/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "at which it turns about the axis")

TN_PARAMETERS(helix, HELIX)

/* The bead seen from the place at s, along the tangent, the normal and the binormal there. */
static inline tn_vec3 helix_view(const helix *self, const tn_marker_state *marker, tn_real s,
                                 const tn_context *context)
{
    const tn_vec3 bead =
        tn_rotate_back(marker[0].rotation, tn_subtract(marker[1].position, marker[0].position));
    const tn_real angle = s + self->speed * tn_time(context), sine = tn_sin(angle), cosine = tn_cos(angle);
    const tn_real radius = self->radius, rise = self->rise;
    const tn_real length = tn_sqrt(radius * radius + rise * rise);
    const tn_real x = bead.e[0] - radius * cosine, y = bead.e[1] - radius * sine, z = bead.e[2] - rise * s;
    tn_vec3 view;
    view.e[0] = (rise * z - radius * (sine * x - cosine * y)) / length;
    view.e[1] = -(cosine * x + sine * y);
    view.e[2] = (radius * z + rise * (sine * x - cosine * y)) / length;
    return view;
}

TN_ALGEBRAIC(helix, TN_ANY, 2)
{
    residual[0] = helix_view(self, marker, s[0], context).e[0];
    return TN_OK;
}

TN_CONSTRAINT_WITH_UNKNOWNS(helix)
{
    const tn_vec3 view = helix_view(self, marker, tn_unknowns(context)[0], context);
    row[0] = view.e[1];
    row[1] = view.e[2];
    return TN_OK;
}

#if TN_VALUES

static tn_status helix_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 2;
    layout->ns = 1;
    return TN_OK;
}

TN_PORTS(helix, {"frame", "where the helix begins on x, and winds about z", TN_FRAME, 1, 1, 0},
         {"bead", "the point on it", TN_POINT, 1, 1, 0})
TN_OUTPUTS(helix, {"place", "angle along the helix", "rad", 1, 0})
TN_OUTPUT(helix, TN_ANY, 2)
{
    (void)output;
    *value = tn_unknowns(context)[0];
    return TN_OK;
}
TN_ELEMENT(helix, .summary = "bead on a helix", .formula = "0 = (bead - place(s)) . tangent(s)",
           TN_CAPABILITIES(TN_HAS_ALGEBRAIC(helix), TN_HAS_CONSTRAINT(helix)), .ports = helix_ports,
           .outputs = helix_outputs, .layout = helix_layout, .output = helix_output)
TN_LIBRARY("helix", "1.0.0", "Apache-2.0", "bead on a helix", {TN_ELEMENT_KIND, &helix_type})

#endif
