/* distance.c - two points at a distance from each other */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define DISTANCE(P)                                                          \
    P(REAL, length, "m", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, \
      "L; default: the distance at the start, which must not be zero")

TN_PARAMETERS(distance, DISTANCE)

#if TN_VALUES

/* Points nearer than this are at one place. */
static const double nearest = 1e-12;

/* Along the line from the first point to the last. */
typedef struct distance_view {
    tn_vec3 direction, rate;
    double now, length;
    bool active;
} distance_view;

/* The length that is found at the start stands in the discrete data after the first accepted step. Until then, while
 * there is zero, the points are as far from each other as they shall be. */
static inline tn_status look(const tn_batch *batch, uint32_t i, distance_view *seen, const char **message)
{
    const tn_joint_view view = tn_joint_look(batch, TN_POINT, i);
    const distance *self = tn_instance(batch, i);
    const bool given = !isnan(self->length), found = !given && batch->d[i] > 0.0;
    seen->active = view.active;
    seen->now = tn_norm(view.d);
    seen->length = given ? self->length : found ? batch->d[i] : seen->now;
    seen->rate = view.d_rate;
    seen->direction = tn_scale(1.0 / seen->now, view.d);
    if (seen->now > nearest || !view.active) return TN_OK;
    *message = given || found ? "its two points coincide: there is no direction between them"
                              : "its two points coincide at the start, and no `length` is given: a distance "
                                "of zero cannot be kept";
    return TN_RETRY;
}

/* g, G, the bias or the stiffness of one instance, into zeros. */
typedef void (*distance_writer)(const distance_view *seen, double lambda, double *to);

static inline void write_residual(const distance_view *seen, double lambda, double *to)
{
    (void)lambda;
    *to = seen->now - seen->length;
}

static inline void write_row(const distance_view *seen, double lambda, double *to)
{
    (void)lambda;
    tn_joint_add(to, -1.0, seen->direction);
    tn_joint_add(to + 3, 1.0, seen->direction);
}

static inline void write_bias(const distance_view *seen, double lambda, double *to)
{
    const double along = tn_dot(seen->direction, seen->rate);
    (void)lambda;
    *to = (tn_dot(seen->rate, seen->rate) - along * along) / seen->now;
}

/* lambda (I - u u^T) / |d|, and its negative where the points are not the same. */
static inline void write_stiffness(const distance_view *seen, double lambda, double *to)
{
    const double tension = lambda / seen->now;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            const double across =
                (r % 3 == c % 3 ? 1.0 : 0.0) - seen->direction.e[r % 3] * seen->direction.e[c % 3];
            to[6 * r + c] = (r / 3 == c / 3 ? tension : -tension) * across;
        }
}

TN_INLINE tn_status for_each(tn_batch *batch, distance_writer write, double *to, uint32_t size)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        distance_view seen;
        const char *message = NULL;
        const tn_status status = look(batch, i, &seen, &message);
        double *place = tn_joint_clear(to, i, size);
        if (status != TN_OK)
            worst = tn_note_failure(batch, i, worst, status, message);
        else if (seen.active)
            write(&seen, batch->lambda ? batch->lambda[i] : 0.0, place);
    }
    return worst;
}

static tn_status distance_constraint(tn_batch *batch)
{
    return for_each(batch, write_residual, batch->residual, 1);
}
static tn_status distance_constraint_rows(tn_batch *batch)
{
    return for_each(batch, write_row, batch->tangent, 6);
}
static tn_status distance_constraint_bias(tn_batch *batch)
{
    return for_each(batch, write_bias, batch->residual, 1);
}
static tn_status distance_constraint_stiffness(tn_batch *batch)
{
    return for_each(batch, write_stiffness, batch->tangent, 36);
}

static tn_status distance_output(tn_batch *batch)
{
    tn_status worst = TN_OK;
    for (uint32_t k = 0; k < batch->count; k++) {
        const uint32_t i = batch->first + k;
        distance_view seen;
        const char *message = NULL;
        if (batch->output != TN_JOINT_ERROR) {
            tn_joint_reaction(batch, i, batch->output, batch->value + 3 * (size_t)k);
            continue;
        }
        const tn_status status = look(batch, i, &seen, &message);
        if (status != TN_OK) worst = tn_note_failure(batch, i, worst, status, message);
        batch->value[k] = seen.active ? fabs(seen.now - seen.length) : 0.0;
    }
    return worst;
}

/* One number where no length is given: the one that was found. */
static tn_status distance_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host;
    layout->position_rows = 1;
    layout->nd = isnan(((const distance *)instance)->length) ? 1u : 0u;
    return TN_OK;
}

/* The length at the start is that of the first accepted step, active or not. */
static tn_status distance_accepted(tn_batch *batch)
{
    for (uint32_t i = 0; batch->layout->nd && i < batch->count; i++)
        if (!(batch->d[i] > 0.0)) batch->d[i] = tn_norm(tn_joint_look(batch, TN_POINT, i).d);
    return TN_OK;
}

TN_PORTS(distance, {"markers", "the two points", TN_POINT, 2, 2, 0})
TN_OUTPUTS(distance, TN_JOINT_OUTPUTS("ground axes, as points have no axes", "m"))

TN_DRAWS(distance, {.kind = TN_DRAWN_ROD, TN_BETWEEN_MARKERS})

TN_SYNONYMS(distance, {"rod", NULL, NULL}, {"distance joint", NULL, NULL}, {"rigid link", NULL, NULL},
            {"massless link", NULL, NULL}, {"connector_distance", NULL, NULL},
            {"object_connector_distance", NULL, NULL}, {"constant distance", NULL, NULL},
            {"rope", NULL, NULL})
TN_ELEMENT(distance, .summary = "keeps two points at a constant distance", .formula = "|p1 - p0| = L",
           .literature = TN_JOINT_LITERATURE, .synonyms = distance_synonyms,
           TN_CAPABILITIES(TN_HAS(constraint, .constraint = distance_constraint,
                                  .constraint_rows = distance_constraint_rows,
                                  .constraint_bias = distance_constraint_bias,
                                  .constraint_stiffness = distance_constraint_stiffness),
                           TN_HAS(data, .accepted = distance_accepted), TN_HAS_DRAWING(distance)),
           .ports = distance_ports, .outputs = distance_outputs, .layout = distance_layout,
           .output = distance_output)

TN_LIBRARY("distance", "1.0.0", "Apache-2.0", "constant distance between two points",
           {TN_ELEMENT_KIND, &distance_type})

#endif
