/* creep.c - a force with states of its own, nonlinear in all that it reads: a spring whose force relaxes the faster the
 * larger it is, and a damper that acts with a delay. */
#include <tenon/author.h>

#define CREEP(P)                                                                                           \
    P(REAL, stiffness, "N/m", TN_DYNAMIC, 100.0, 0.0, TN_UNBOUNDED, "of the spring")                       \
    P(REAL, time_constant, "s", TN_DYNAMIC, 0.5, 1e-12, TN_UNBOUNDED, "in which a small force relaxes")    \
    P(REAL, softening, "1/N^2", TN_DYNAMIC, 0.0, 0.0, TN_UNBOUNDED, "by which a large one relaxes faster") \
    P(REAL, damping, "N s/m", TN_DYNAMIC, 0.0, 0.0, TN_UNBOUNDED, "of the damper")                         \
    P(REAL, delay, "s", 0, 0.2, 1e-12, TN_UNBOUNDED, "of the damper")

TN_PARAMETERS(creep, CREEP)

enum { SPRING, DAMPER, STATES };

/* The speed at which the distance of two markers grows, and its direction. */
static inline tn_real creep_speed(const tn_marker_state *marker, tn_vec3 *direction)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    *direction = tn_scale(1.0 / tn_norm(line), line);
    return tn_dot(*direction, tn_subtract(marker[1].velocity, marker[0].velocity));
}

TN_FORCE(creep, TN_POINT, 2)
{
    const tn_real *x = tn_states(context);
    tn_vec3 direction;
    (void)creep_speed(marker, &direction);
    wrench[0].force = tn_scale(x[SPRING] + self->damping * x[DAMPER], direction);
    wrench[1].force = tn_scale(tn_constant(-1.0), wrench[0].force);
    return TN_OK;
}

TN_RATES(creep, TN_POINT, 2)
{
    tn_vec3 direction;
    const tn_real speed = creep_speed(marker, &direction);
    const tn_real faster = 1.0 + self->softening * x[SPRING] * x[SPRING];
    rate[SPRING] = self->stiffness * speed - faster * x[SPRING] / self->time_constant;
    rate[DAMPER] = (speed - x[DAMPER]) / self->delay;
    return TN_OK;
}

#if TN_VALUES

static tn_status creep_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nx = STATES;
    return TN_OK;
}

TN_PORTS(creep, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_OUTPUTS(creep, {"spring", "its force", "N", 1, 0})
TN_OUTPUT(creep, TN_POINT, 2)
{
    (void)output;
    *value = tn_states(context)[SPRING];
    return TN_OK;
}
TN_ELEMENT(creep, .summary = "spring that creeps",
           .formula = "x' = k v - x (1 + c x^2) / tau,   d y' = v - y,   f = x + b y",
           TN_CAPABILITIES(TN_HAS_FORCE(creep), TN_HAS_RATES(creep)), .ports = creep_ports,
           .outputs = creep_outputs, .layout = creep_layout, .output = creep_output)
TN_LIBRARY("creep", "1.0.0", "Apache-2.0", "spring that creeps", {TN_ELEMENT_KIND, &creep_type})

#endif
