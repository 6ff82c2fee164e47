/* put_spring.c - a force along the line between two points, or along a direction, by stroke and rate; with limits of the stroke */
#include "directed.h"

#include <tenon/kit/drawing.h>

#include "stop.h"

#define ARGUMENTS "d [m], d_t [m/s], stiffness [N/m], damping [N s/m], time [s]"
#define PUT_SPRING(P)                                                                                        \
    P(CALLABLE, force_function, "N", ARGUMENTS, TN_DYNAMIC,                                                  \
      "f, in place of the linear law; positive pushes the points apart")                                     \
    P(REAL, stiffness, "N/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "k, against the stroke d") \
    P(REAL, damping, "N s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "c, against its rate d_t") \
    P(REALS, direction, 3, 0, "", TN_TURNS | TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                  \
      "direction at the start, ground axes, of any length; default: the line between the points")            \
    P(CHOICE, follow, "fixed|first|last", 0, 0,                                                              \
      "what carries the direction: nothing, or the body of a marker")                                        \
    P(BOOLEAN, couple, 0, 0,                                                                                 \
      "true: the body that carries the direction bears the moment of the two forces; false: nothing does")   \
    P(REALS, limits, 2, 0, "m", TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                               \
      "least and largest stroke; default: there are none")                                                   \
    P(REAL, restitution, "", 0, 1.0, 0.0, 1.0, "speed behind an impact at a limit, of that before")          \
    P(REAL, rest_speed, "m/s", TN_ABOVE_LOW, 1e-3, 0.0, TN_UNBOUNDED,                                        \
      "impacts that would leave less than this do not rebound")                                              \
    STRENGTH(P, "size of the force")                                                                         \
    P(REAL, strength_tension, "N", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,                       \
      "tension at which it breaks; default: that of `strength`")                                             \
    P(REAL, strength_compression, "N", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,                   \
      "compression at which it breaks; default: that of `strength`")                                         \
    P(PRIVATE, directed, line)

TN_PARAMETERS(put_spring, PUT_SPRING)

/* Own discrete data: the length at the start stands where a direction has its reference. */
enum { STOP = DIRECTED_DATA, SPRING_DATA = STOP + STOP_DATA };

/* Positive strokes are those of points that have gone apart. */
typedef struct stroke_line {
    tn_real stroke, rate;
    tn_vec3 normal;
} stroke_line;

static inline tn_status find_line(const put_spring *self, const tn_marker_state *marker, tn_context *context,
                                  stroke_line *line)
{
    const double *data = tn_data(context);
    const tn_vec3 separation = separation_of(marker, context);
    tn_real along;
    if (self->line.rows) {
        line->normal = direction_now(&self->line, marker, context, 0);
        line->rate = tn_dot(line->normal, velocity_between(&self->line, marker, context));
        along = tn_dot(line->normal, separation);
    } else {
        if (!(tn_square_of(separation) > 0.0))
            return tn_retry(context, "its two points coincide: there is no direction between them");
        along = tn_norm(separation);
        line->normal = tn_scale(1.0 / along, separation);
        line->rate = tn_dot(line->normal, tn_subtract(marker[0].velocity, marker[1].velocity));
    }
    line->stroke = along - (data[FOUND] != 0.0 ? data[REFERENCE] : tn_value(along));
    return TN_OK;
}

static inline tn_status find_force(const put_spring *self, const stroke_line *line, tn_context *context,
                                   tn_real *force)
{
    if (!tn_is_given(self->force_function)) {
        *force = -(self->stiffness * line->stroke) - self->damping * line->rate;
        return TN_OK;
    }
    const tn_real arguments[] = {line->stroke, line->rate, self->stiffness, self->damping,
                                 tn_constant(context->time)};
    return tn_call(context, self->force_function, arguments, 5, force);
}

TN_FORCE(put_spring, TN_ANY, 2)
{
    stroke_line line;
    tn_real force;
    if (tn_data(context)[BROKEN] != 0.0) return TN_OK;
    tn_status status = find_line(self, marker, context, &line);
    if (status == TN_OK) status = find_force(self, &line, context, &force);
    if (status != TN_OK) return status;
    wrench[0].force = tn_scale(force, line.normal);
    wrench[1].force = tn_negate(wrench[0].force);
    if (self->couple)
        wrench[self->line.follow == FOLLOW_FIRST ? 0 : 1].torque =
            tn_cross(wrench[0].force, separation_of(marker, context));
    return TN_OK;
}

/* The row of its limits. */
TN_CONSTRAINT(put_spring)
{
    stroke_line line;
    const double *data = tn_data(context);
    if (data[BROKEN] != 0.0 || data[STOP + STOP_MODE] == FREE) return TN_OK;
    const tn_status status = find_line(self, marker, context, &line);
    const double mode = data[STOP + STOP_MODE];
    if (status != TN_OK) return status;
    row[0] = line.stroke - (mode == IN_IMPACT  ? tn_value(line.stroke)
                            : mode == AT_UPPER ? tn_value(self->limits[1])
                                               : tn_value(self->limits[0]));
    return TN_OK;
}

#if TN_VALUES

/* ---- preparation ------------------------------------------------------------------------------------------ */

static bool has_limits(const put_spring *self) { return !isnan(self->limits[0]); }

static bool breaks(const put_spring *self)
{
    return !isnan(self->strength) || !isnan(self->strength_tension) || !isnan(self->strength_compression);
}

static tn_status put_spring_prepare(const tn_host *host, void *instance)
{
    put_spring *self = instance;
    const double *n = self->direction;
    const bool directs = !isnan(n[0]);
    self->line.follow = self->follow + FOLLOW_FIXED;
    if (has_limits(self) && !(self->limits[0] < self->limits[1]))
        return tn_refuse(host, "limits", "the least stroke comes first: %g m is not below %g m",
                         self->limits[0], self->limits[1]);
    if (has_limits(self) && !(self->limits[0] <= 0.0 && self->limits[1] >= 0.0))
        return tn_refuse(host, "limits", "the stroke is 0 at the start, and has to lie within its limits");
    if (!directs && self->follow)
        return tn_refuse(
            host, "follow",
            "without a `direction` nothing follows a body: the force is along the line between the points");
    if (self->couple && !self->follow)
        return tn_refuse(host, "couple",
                         "only a direction that follows the body of a marker has a body that bears a couple");
    return directs ? set_direction(host, n, &self->line) : TN_OK;
}

static tn_status put_spring_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const put_spring *self = instance;
    const tn_status status = lay_out_directed(host, &self->line, false, layout);
    layout->position_rows = has_limits(self);
    layout->nd = SPRING_DATA;
    layout->events = (has_limits(self) ? STOP_EVENTS : 0u) + breaks(self);
    return status;
}

/* ---- limits, strength and data ---------------------------------------------------------------------------- */

static tn_status put_spring_held_rate(tn_batch *batch)
{
    const tn_status worst = put_spring_constraint_rate(batch);
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_context context = tn_context_at(batch, i);
        const double *stop = tn_data(&context) + STOP;
        if (context.active && !is_broken(tn_data(&context)) && stop[STOP_MODE] == IN_IMPACT)
            batch->residual[i] -= stop[STOP_TARGET];
    }
    return worst;
}

/* Zero where the points coincide: it has no stroke then, and its law ends the run. */
static stroke_state stroke_of(const put_spring *self, const tn_marker_state *marker, tn_context *context)
{
    stroke_line line = {0};
    (void)find_line(self, marker, context, &line);
    context->message = NULL;
    return (stroke_state){.stroke = line.stroke,
                          .rate = line.rate,
                          .lower = self->limits[0],
                          .upper = self->limits[1],
                          .restitution = self->restitution,
                          .slowest = self->rest_speed,
                          .time = context->time};
}

static double multiplier_of(const put_spring *self, const tn_context *context)
{
    return has_limits(self) ? context->batch->lambda[context->instance] : 0.0;
}

/* What pushes the points apart, with the reaction of a limit. */
static double load_of_spring(const put_spring *self, const tn_marker_state *marker, tn_context *context)
{
    stroke_line line;
    double force = 0.0;
    if (!context->active || is_broken(tn_data(context))) return 0.0;
    if (find_line(self, marker, context, &line) == TN_OK) (void)find_force(self, &line, context, &force);
    context->message = NULL;
    return force + multiplier_of(self, context);
}

static double strength_of(const put_spring *self, bool tension)
{
    const double own = tension ? self->strength_tension : self->strength_compression;
    const double strength = !isnan(own) ? own : self->strength;
    return isnan(strength) ? HUGE_VAL : strength;
}

TN_EVENTS(put_spring, TN_ANY, 2)
{
    const double *data = tn_data(context);
    const uint32_t own = has_limits(self) ? STOP_EVENTS : 0;
    if (own) {
        const stroke_state stroke = stroke_of(self, marker, context);
        write_stop_events(&stroke, data + STOP, multiplier_of(self, context), value);
        for (uint32_t k = 0; is_broken(data) && k < own; k++)
            value[k] = (double)NAN;
    }
    if (!breaks(self)) return;
    const double load = load_of_spring(self, marker, context);
    value[own] = strength_left(data, fmin(strength_of(self, true) + load, strength_of(self, false) - load));
}

TN_ON_EVENT(put_spring, TN_ANY, 2)
{
    const uint32_t own = has_limits(self) ? STOP_EVENTS : 0;
    const stroke_state stroke = stroke_of(self, marker, context);
    if (breaks(self) && sign[own] < 0.0) break_now(context, data, -load_of_spring(self, marker, context));
    if (own && !is_broken(data)) change_stop(&stroke, sign, data + STOP);
}

static void find_start(const put_spring *self, const tn_marker_state *marker, const tn_context *context,
                       double *data)
{
    data[REFERENCE] = tn_norm(separation_of(marker, context));
    data[FOUND] = 1.0;
    if (self->line.rows) find_reference(&self->line, marker, context, data, nothing_prescribed);
}

TN_FOR_INSTANCES(put_spring, at_start, TN_ANY, 2, double *data = tn_own_data(context);
                 if (data[FOUND] == 0.0) find_start(self, marker, context, data))
TN_ACCEPTED(put_spring, TN_ANY, 2)
{
    const stroke_state stroke = stroke_of(self, marker, context);
    if (data[FOUND] == 0.0) find_start(self, marker, context, data);
    if (has_limits(self)) settle_stop(&stroke, context->active, data + STOP);
    settle_strength(context, data);
}

/* ---- energies and outputs --------------------------------------------------------------------------------- */

TN_POTENTIAL(put_spring, TN_ANY, 2)
{
    const double stroke = stroke_of(self, marker, context).stroke;
    return tn_is_given(self->force_function) || is_broken(tn_data(context))
               ? 0.0
               : 0.5 * self->stiffness * stroke * stroke;
}
TN_DISSIPATION(put_spring, TN_ANY, 2)
{
    const double rate = stroke_of(self, marker, context).rate;
    return tn_is_given(self->force_function) || is_broken(tn_data(context)) ? 0.0
                                                                            : self->damping * rate * rate;
}

enum { OUTPUT_LENGTH = OWN_OUTPUTS, OUTPUT_STROKE, OUTPUT_RATE };
TN_PORTS(put_spring, {"markers", "the two points", TN_ANY, 2, 2, 0})
TN_OUTPUTS(put_spring, SHARED_OUTPUTS("how far the stroke is behind a limit"),
           [OUTPUT_LENGTH] = {"length", "distance of the two points", "m", 1, 0},
           [OUTPUT_STROKE] = {"stroke", "d", "m", 1, 0}, [OUTPUT_RATE] = {"stroke_rate", "d_t", "m/s", 1, 0})

TN_OUTPUT(put_spring, TN_ANY, 2)
{
    stroke_line line;
    if (write_shared_output(context, output, value)) return TN_OK;
    const stroke_state stroke = stroke_of(self, marker, context);
    switch (output) {
    case OUTPUT_U: {
        const tn_status status = find_line(self, marker, context, &line);
        if (status != TN_OK) return status;
        const tn_vec3 velocity = self->line.rows ? velocity_between(&self->line, marker, context)
                                                 : tn_subtract(marker[0].velocity, marker[1].velocity);
        write_components(frame_of_normal(line.normal), velocity, value);
        break;
    }
    case OUTPUT_R:
        value[0] = value[1] = 0.0;
        value[2] = load_of_spring(self, marker, context);
        break;
    case OUTPUT_LENGTH:
        *value = tn_norm(separation_of(marker, context));
        break;
    case OUTPUT_STROKE:
        *value = stroke.stroke;
        break;
    case OUTPUT_RATE:
        *value = stroke.rate;
        break;
    default:
        *value = has_limits(self) && context->active && !is_broken(tn_data(context))
                     ? fmax(0.0, fmax(stroke.stroke - stroke.upper, stroke.lower - stroke.stroke))
                     : 0.0;
    }
    return TN_OK;
}

TN_DRAWS(put_spring, {.kind = TN_DRAWN_COIL, TN_BETWEEN_MARKERS})

TN_SYNONYMS(put_spring, {"function", "force_function", NULL}, {"lim", "limits", NULL},
            {"update", "follow", NULL}, {"shock absorber", NULL, NULL}, {"bump stop", NULL, NULL})
TN_ELEMENT(put_spring,
           .summary = "force by stroke and rate, along a line or a direction, with limits of the stroke",
           .formula = "f(d, d_t) along N on the first marker's body, -f on the second one's;   f = "
                      "-stiffness d - damping d_t\n"
                      "N = (p1 - p2)/|p1 - p2|,  d = |p1 - p2| - its value at the start;   or\n"
                      "N = n,  d = n . (p1 - p2) - its value at the start\n"
                      "at a limit:  d_t+ = -restitution d_t-",
           .literature = SOLFEC_LITERATURE, .synonyms = put_spring_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(
               TN_HAS_FORCE(put_spring),
               TN_HAS(constraint, .constraint = put_spring_constraint,
                      .constraint_rows = put_spring_constraint_rows, .constraint_rate = put_spring_held_rate,
                      .constraint_bias = put_spring_constraint_bias,
                      .constraint_stiffness = put_spring_constraint_stiffness),
               TN_HAS(data, .accepted = put_spring_accepted, .at_start = put_spring_at_start),
               TN_HAS(events, .events = put_spring_events, .on_event = put_spring_on_event),
               TN_HAS(energy, .potential = put_spring_potential, .dissipation = put_spring_dissipation),
               TN_HAS_DRAWING(put_spring)),
           .ports = put_spring_ports, .outputs = put_spring_outputs, .prepare = put_spring_prepare,
           .layout = put_spring_layout, .output = put_spring_output)

#endif
