/* force.c - an applied force on one marker, or between two */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define FORCE(P)                                                    \
    P(VECTOR, value, "N", TN_REQUIRED | TN_DYNAMIC | TN_CHANGEABLE, \
      "components of the force on the first marker")                \
    P(BOOLEAN, local, 0, 0,                                         \
      "components in the first marker's axes instead of ground axes: the force follows the body")

TN_PARAMETERS(force, FORCE)

enum { MARKERS, AXES };

/* The force on the first marker in ground axes. */
static inline tn_vec3 ground_force(const force *self, const tn_marker_state *marker,
                                   const tn_context *context)
{
    if (tn_port_count(context, AXES))
        return tn_rotate(marker[tn_port_first(context, AXES)].rotation, self->value);
    return self->local ? tn_rotate(marker[0].rotation, self->value) : self->value;
}

TN_FORCE(force, TN_ANY, 3)
{
    const tn_vec3 value = ground_force(self, marker, context);
    wrench[0].force = value;
    if (tn_port_count(context, MARKERS) == 1) return TN_OK;

    /* where the line of the force misses the second marker, a frame has to take the moment of the pair */
    const uint32_t *kind = context->batch->marker_kind;
    const tn_vec3 arm = tn_subtract(marker[1].position, marker[0].position), moment = tn_cross(arm, value);
    wrench[1].force = tn_negate(value);
    if (kind[0] == TN_FRAME) {
        wrench[0].torque = moment;
    } else if (kind[1] == TN_FRAME) {
        wrench[1].torque = moment;
    } else {
        const double size = tn_value(tn_dot(arm, arm)) * tn_value(tn_dot(value, value));
        if (tn_value(tn_dot(moment, moment)) > 1e-20 * size) {
            context->message = "its line misses the other point, and no frame takes the moment of the pair";
            return TN_INVALID;
        }
    }
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(
    force, [MARKERS] = {"markers", "the loaded marker; a second one takes the reaction", TN_ANY, 1, 2, 0},
    [AXES] = {"axes", "frame whose axes the components refer to", TN_FRAME, 0, 1, 0})

enum { VALUE, FORCE };
TN_OUTPUTS(force, [VALUE] = {"value", "components as given; zero when it is not active", "N", 3, 0},
           [FORCE] = {"force", "force on the first marker, ground axes; zero when it is not active", "N", 3,
                      0})

TN_OUTPUT(force, TN_ANY, 3)
{
    const tn_vec3 result = !context->active  ? tn_zero()
                           : output == VALUE ? self->value
                                             : ground_force(self, marker, context);
    memcpy(value, &result, sizeof result);
    return TN_OK;
}

static tn_status force_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const force *self = instance;
    if (!self->local) return TN_OK;
    if (layout->marker_kind[0] != TN_FRAME)
        return tn_refuse(host, "local", "its first marker is a point: it has no axes of its own");
    if (layout->port_first[AXES + 1] > layout->port_first[AXES])
        return tn_refuse(host, "local", "`axes` is given too: one of them is enough");
    return TN_OK;
}

TN_DRAWS_NOTHING(force)

TN_SYNONYMS(force, {"load", NULL, NULL}, {"sforce", NULL, NULL}, {"vforce", NULL, NULL},
            {"gforce", NULL, NULL}, {"force vector", NULL, NULL}, {"load_force_vector", NULL, NULL},
            {"point force", NULL, NULL})
TN_ELEMENT(force, .summary = "an applied force on one marker, or between two",
           .formula = "F = value, R_0 value (local) or R_axes value (axes)\n"
                      "F on the first marker at p0, -F on the second at p1\n"
                      "(p1 - p0) x F on the first marker, or on the second when only that is a frame",
           .literature =
               "Featherstone: Rigid Body Dynamics Algorithms, Springer, 2008, chapter 2 (forces and "
               "moments about a point)",
           .synonyms = force_synonyms, TN_CAPABILITIES(TN_HAS_FORCE(force), TN_HAS_DRAWING(force)),
           .ports = force_ports, .outputs = force_outputs, .layout = force_layout, .output = force_output)

TN_LIBRARY("force", "1.0.0", "Apache-2.0", "applied force", {TN_ELEMENT_KIND, &force_type})

#endif
