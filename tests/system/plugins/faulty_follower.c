/* faulty_follower.c - a bead on a bent wire, whose place along the wire is an algebraic unknown, with the fault that is defined
 *
 * The wire is the curve (s, 0.3 s + 0.2 t, s^2 / 4) in a frame, so that it moves along y; s is the foot of the bead on it. */
#include <tenon/author.h>

TN_NO_PARAMETERS(faulty)

/* From the place on the wire to the bead, axes of the frame. */
static inline tn_vec3 look(const tn_marker_state *marker, tn_real s, tn_real time)
{
    const tn_vec3 bead =
        tn_rotate_back(marker[0].rotation, tn_subtract(marker[1].position, marker[0].position));
    return tn_subtract(bead, tn_vector(s, 0.3 * s + 0.2 * time, 0.25 * s * s));
}

TN_ALGEBRAIC(faulty, TN_ANY, 2)
{
#ifdef READS_PLAIN_TIME
    const tn_real time = tn_constant(context->time);
#else
    const tn_real time = tn_time(context);
#endif
    const tn_vec3 gap = look(marker, s[0], time);
    residual[0] = gap.e[0] + 0.3 * gap.e[1] + 0.5 * s[0] * gap.e[2];
#ifdef READS_VELOCITY
    residual[0] = residual[0] + 0.1 * marker[1].velocity.e[0];
#endif
    return TN_OK;
}

TN_CONSTRAINT_WITH_UNKNOWNS(faulty)
{
#ifdef HOLDS_UNKNOWNS
    const tn_real s = tn_constant(tn_value(tn_unknowns(context)[0]));
#else
    const tn_real s = tn_unknowns(context)[0];
#endif
    const tn_vec3 gap = look(marker, s, tn_time(context));
    row[0] = gap.e[1] - 0.3 * gap.e[0];
    row[1] = (gap.e[2] - 0.5 * s * gap.e[0]) / tn_sqrt(1.0 + 0.25 * s * s);
    return TN_OK;
}

#if TN_VALUES

static tn_status faulty_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->position_rows = 2;
    layout->ns = 1;
#ifdef HAS_STATES
    layout->nx = 1;
#endif
    return TN_OK;
}

#ifdef LEAVES_OUT_BIAS /* as if the unknowns had no second derivatives */
static tn_status no_bias(tn_batch *batch)
{
    memset(batch->residual, 0, 2 * batch->count * sizeof *batch->residual);
    return TN_OK;
}
#define BIAS no_bias
#else
#define BIAS faulty_constraint_bias
#endif

#ifdef LEAVES_OUT_STIFFNESS
#define STIFFNESS NULL
#else
#define STIFFNESS faulty_constraint_stiffness
#endif

TN_PORTS(faulty, {"frame", "its lowest place", TN_FRAME, 1, 1, 0},
         {"bead", "the point on it", TN_POINT, 1, 1, 0})
TN_ELEMENT(faulty, .summary = "faulty", .formula = "0 = (bead - place(s)) . tangent(s)",
           TN_CAPABILITIES(TN_HAS_ALGEBRAIC(faulty),
                           TN_HAS(constraint, .constraint = faulty_constraint,
                                  .constraint_rows = faulty_constraint_rows,
                                  .constraint_rate = faulty_constraint_rate, .constraint_bias = BIAS,
                                  .constraint_stiffness = STIFFNESS)),
           .ports = faulty_ports, .layout = faulty_layout)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_ELEMENT_KIND, &faulty_type})

#endif
