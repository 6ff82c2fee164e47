/* torque.c - an applied torque on one frame, or between two */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define TORQUE(P)                                                     \
    P(VECTOR, value, "N m", TN_REQUIRED | TN_DYNAMIC | TN_CHANGEABLE, \
      "components of the torque on the first marker")                 \
    P(BOOLEAN, local, 0, 0,                                           \
      "components in the first marker's axes instead of ground axes: the torque follows the body")

TN_PARAMETERS(torque, TORQUE)

enum { MARKERS, AXES };

/* The torque on the first marker in ground axes. */
static inline tn_vec3 ground_torque(const torque *self, const tn_marker_state *marker,
                                    const tn_context *context)
{
    if (tn_port_count(context, AXES))
        return tn_rotate(marker[tn_port_first(context, AXES)].rotation, self->value);
    return self->local ? tn_rotate(marker[0].rotation, self->value) : self->value;
}

TN_FORCE(torque, TN_ANY, 3)
{
    wrench[0].torque = ground_torque(self, marker, context);
    if (tn_port_count(context, MARKERS) == 2) wrench[1].torque = tn_negate(wrench[0].torque);
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(
    torque, [MARKERS] = {"markers", "the loaded marker; a second one takes the reaction", TN_FRAME, 1, 2, 0},
    [AXES] = {"axes", "frame whose axes the components refer to", TN_FRAME, 0, 1, 0})

enum { VALUE, TORQUE };
TN_OUTPUTS(torque, [VALUE] = {"value", "components as given; zero when it is not active", "N m", 3, 0},
           [TORQUE] = {"torque", "torque on the first marker, ground axes; zero when it is not active", "N m",
                       3, 0})

TN_OUTPUT(torque, TN_ANY, 3)
{
    const tn_vec3 result = !context->active  ? tn_zero()
                           : output == VALUE ? self->value
                                             : ground_torque(self, marker, context);
    memcpy(value, &result, sizeof result);
    return TN_OK;
}

static tn_status torque_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const torque *self = instance;
    if (self->local && layout->port_first[AXES + 1] > layout->port_first[AXES])
        return tn_refuse(host, "local", "`axes` is given too: one of them is enough");
    return TN_OK;
}

TN_DRAWS_NOTHING(torque)

TN_SYNONYMS(torque, {"moment", NULL, NULL}, {"couple", NULL, NULL}, {"vtorque", NULL, NULL},
            {"load_torque_vector", NULL, NULL}, {"torque vector", NULL, NULL})
TN_ELEMENT(torque, .summary = "an applied torque on one frame, or between two",
           .formula = "T = value, R_0 value (local) or R_axes value (axes)\n"
                      "T on the first marker, -T on the second",
           .literature =
               "Featherstone: Rigid Body Dynamics Algorithms, Springer, 2008, chapter 2 (forces and "
               "moments about a point)",
           .synonyms = torque_synonyms, TN_CAPABILITIES(TN_HAS_FORCE(torque), TN_HAS_DRAWING(torque)),
           .ports = torque_ports, .outputs = torque_outputs, .layout = torque_layout, .output = torque_output)

TN_LIBRARY("torque", "1.0.0", "Apache-2.0", "applied torque", {TN_ELEMENT_KIND, &torque_type})

#endif
