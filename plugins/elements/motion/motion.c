/* motion.c - drives the coordinate of a joint, or a distance along a direction, by a function of time */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>
#include <tenon/kit/value_jump.h>

#define MOTION(P)                                                                                      \
    P(TEXT, coordinate, 0, "coordinate of the joint; optional if it has only one")                     \
    P(REALS, direction, 3, 0, "", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                                 \
      "direction of the displacement, axes of the first marker; of any length")                        \
    P(REAL, value, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,            \
      "w, the prescribed value")                                                                       \
    P(CHOICE, level, "displacement|velocity|acceleration", 0, 0, "quantity that the value prescribes") \
    P(REAL, initial_velocity, TN_ANY_UNIT, 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                        \
      "rate at the start, for an acceleration")

TN_PARAMETERS(motion, MOTION)

enum { JOINT, MARKERS };
enum { DISPLACEMENT, VELOCITY, ACCELERATION };

/* What is driven, or its rate; the value is taken off by the functions below. */
TN_CONSTRAINT(motion)
{
    const bool rate = self->level != DISPLACEMENT;
    if (tn_port_count(context, JOINT) == 1) {
        row[0] = rate ? marker[0].velocity.e[0] : marker[0].position.e[0];
        return TN_OK;
    }
    const tn_vec3 direction = tn_vector(self->direction[0], self->direction[1], self->direction[2]);
    const tn_vec3 along = tn_rotate(marker[0].rotation, tn_scale(1.0 / tn_norm(direction), direction));
    const tn_vec3 distance = tn_subtract(marker[1].position, marker[0].position);
    row[0] = rate ? tn_dot(along, tn_subtract(marker[1].velocity, marker[0].velocity)) +
                        tn_dot(tn_cross(marker[0].angular_velocity, along), distance)
                  : tn_dot(along, distance);
    return TN_OK;
}

#if TN_VALUES

static tn_status motion_prepare(const tn_host *host, void *instance)
{
    const motion *self = instance;
    if (self->initial_velocity != 0.0 && self->level != ACCELERATION)
        return tn_refuse(host, "initial_velocity", "only an acceleration has an initial velocity");
    return TN_OK;
}

static tn_status motion_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const motion *self = instance;
    const uint32_t joints = layout->port_first[MARKERS] - layout->port_first[JOINT];
    const double *d = self->direction;
    const bool directed = d[0] != 0.0 || d[1] != 0.0 || d[2] != 0.0;
    layout->position_rows = self->level == DISPLACEMENT;
    layout->velocity_rows = self->level != DISPLACEMENT;
    layout->nx = self->level == ACCELERATION;
    layout->nd = self->level == DISPLACEMENT ? TN_JUMP_DATA : 0;
    if (joints + layout->marker_count != 2 || (joints && directed))
        return tn_refuse(host, NULL, "a motion drives a `joint`, or two `markers` along a `direction`");
    if (!joints && !directed)
        return tn_refuse(host, "direction",
                         "`markers` need a `direction`; give a joint by its name: `joint`");
    return TN_OK;
}

static tn_status motion_initial(TN_UNUSED const tn_host *host, const void *instance, TN_UNUSED double *q,
                                TN_UNUSED double *v, double *x, TN_UNUSED double *s, TN_UNUSED double *d)
{
    const motion *self = instance;
    if (self->level == ACCELERATION) x[0] = self->initial_velocity;
    return TN_OK;
}

/* An acceleration is integrated to the velocity that is held. */
static tn_status motion_rates(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->x_rate[i] = ((const motion *)tn_instance(batch, i))->value;
    return TN_OK;
}

/* What is held, and its first and second time derivative. */
typedef struct course {
    double at[3];
} course;

static course course_of(const tn_batch *batch, uint32_t i, tn_status *worst)
{
    static const double ahead[1] = {1.0};
    const motion *self = tn_instance(batch, i);
    if (batch->active && !batch->active[i]) return (course){{0.0}};
    if (self->level == ACCELERATION) return (course){{batch->x[i], self->value}};
    tn_expression_values values = {.struct_size = sizeof values};
    const tn_status status = batch->host->observe(batch->host, batch->variable[i], ahead, &values);
    if (status != TN_OK)
        *worst = tn_note_failure(batch, i, *worst, status, "its value has no derivative here");
    return (course){{self->value, values.by_time, values.product[0]}};
}

/* Takes a derivative of what is held off the residuals. */
static tn_status take_off(tn_batch *batch, tn_status worst, int order)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->residual[i] -= course_of(batch, i, &worst).at[order];
    return worst;
}

/* Rows of velocities have values where those of positions have rates, and rates where those have biases. */
static int order_of(const tn_batch *batch, int order)
{
    return batch->layout->position_rows ? order : order - 1;
}

static tn_status motion_held(tn_batch *batch) { return take_off(batch, motion_constraint(batch), 0); }

static tn_status motion_held_rate(tn_batch *batch)
{
    return take_off(batch, motion_constraint_rate(batch), order_of(batch, 1));
}

static tn_status motion_held_bias(tn_batch *batch)
{
    return take_off(batch, motion_constraint_bias(batch), order_of(batch, 2));
}

static tn_status motion_accepted(tn_batch *batch)
{
    for (uint32_t i = 0; batch->layout->position_rows && i < batch->count; i++) {
        const tn_context context = tn_context_at(batch, i);
        const motion *self = tn_instance(batch, i);
        tn_watch_jump(&context, tn_own_data(&context), 0, self->value, "(SI units)");
    }
    return TN_OK;
}

enum { EFFORT, VALUE };
TN_OUTPUTS(motion, [EFFORT] = {"effort", "driving force or torque, towards larger values", "", 1, 0},
           [VALUE] = {"value", "w", "", 1, 0})

static tn_status motion_output(tn_batch *batch)
{
    for (uint32_t k = 0; k < batch->count; k++) {
        const uint32_t i = batch->first + k;
        const motion *self = tn_instance(batch, i);
        batch->value[k] = batch->output == EFFORT ? batch->lambda[i] : self->value;
    }
    return TN_OK;
}

TN_PORTS(motion, [JOINT] = {"joint", "the driven joint", TN_COORDINATE, 0, 1, 0},
         [MARKERS] = {"markers", "the reference frame and the driven marker", TN_FRAME, 0, 2, 0})
TN_DRAWS_NOTHING(motion)

TN_SYNONYMS(motion, {"motor", NULL, NULL}, {"driver", NULL, NULL}, {"drive hinge", NULL, NULL},
            {"steady motion", NULL, NULL}, {"prescribed motion", NULL, NULL}, {"axial rotation", NULL, NULL},
            {"element", "joint", NULL}, {"body", "markers", NULL}, {"function", "value", NULL},
            {"expression", "value", NULL}, {"actuator", NULL, NULL})
TN_ELEMENT(motion,
           .summary = "prescribes the coordinate of a joint, or a displacement, by a function of time",
           .formula = "q - w(t) = 0,   or   dq/dt - w(t) = 0,   or   dq/dt - integral of w(t) = 0\n"
                      "q: the coordinate of the joint, or (p_last - p_first) . direction",
           .literature =
               "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, 1989, "
               "section 3.5 (drivers)",
           .synonyms = motion_synonyms, .flags = TN_DRIVEN,
           TN_CAPABILITIES(TN_HAS(constraint, .constraint = motion_held,
                                  .constraint_rows = motion_constraint_rows,
                                  .constraint_rate = motion_held_rate, .constraint_bias = motion_held_bias,
                                  .constraint_stiffness = motion_constraint_stiffness),
                           TN_HAS(states, .rates = motion_rates), TN_HAS(data, .accepted = motion_accepted),
                           TN_HAS_DRAWING(motion)),
           .ports = motion_ports, .outputs = motion_outputs, .prepare = motion_prepare,
           .layout = motion_layout, .initial = motion_initial, .output = motion_output)
TN_LIBRARY("motion", "1.0.0", "Apache-2.0", "motion of a joint or along a direction",
           {TN_ELEMENT_KIND, &motion_type})

#endif
