/* reference_variable.c - a number that an expression of time, of the motion of markers and of other variables gives: its value,
 * the solution of an equation, or the multiplier of a constraint */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define REFERENCE_VARIABLE(P)                                                                                \
    P(REAL, expression, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED | TN_CHANGEABLE | TN_BESIDE, 0.0,              \
      -TN_UNBOUNDED, TN_UNBOUNDED, "g")                                                                      \
    P(CHOICE, type_of, "expression|library|script", 0, 0,                                                    \
      "source of g; the keys below belong to the others")                                                    \
    P(TEXT, library, 0, "file of a compiled routine that gives g, in place of `expression`")                 \
    P(TEXT, script, 0, "file of a script that gives g, in place of `expression`")                            \
    P(TEXT, function, 0, "name of the function in this file; default: VARSUB")                               \
    P(TEXT, interpreter, 0, "language of the script; default: by the ending of its file")                    \
    P(TEXT, parameters, 0, "numbers that the function gets: \"USER(1011, 4, 0.006)\"")                       \
    P(TEXTS, reads, 0, "expressions that the function reads; default: those that its first call asks for")   \
    P(TEXTS, splines, 0,                                                                                     \
      "splines that the function asks for, \"cubspl(rubber)\"; default: those that its first call asks for") \
    P(REAL, step, "", TN_ABOVE_LOW, 1.0, 0.0, 1e3,                                                           \
      "factor of the distances, where derivatives are differences")                                          \
    P(TEXT, unit, 0, "SI unit of v; default: that of its expression, if known")                              \
    P(BOOLEAN, implicit, 0, 0,                                                                               \
      "false: v = g. true: g = 0, solved for v if g reads v itself; otherwise by constraint forces with "    \
      "the multiplier v")                                                                                    \
    P(CHOICE, autobalance, "conditional|unconditional|disabled|penalty", 0, 0,                               \
      "forces of a constraint: from the multiplier; disabled: from other elements that read v; penalty: "    \
      "from a spring and damper, with v = g")                                                                \
    P(BOOLEAN, integral, 0, 0, "true: dv/dt = g")                                                            \
    P(REAL, initial_value, TN_ANY_UNIT, 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                                 \
      "v at the start of an integral; first guess of v for an equation")                                     \
    P(BOOLEAN, static_hold, 0, 0, "true: an integral keeps its value while an equilibrium is sought")        \
    P(REAL, penalty, TN_ANY_UNIT, TN_CHANGEABLE, 100.0, 0.0, TN_UNBOUNDED, "p, force per g")                 \
    P(REAL, penalty1, TN_ANY_UNIT, TN_CHANGEABLE, 100.0, 0.0, TN_UNBOUNDED, "p1, force per rate of g")

TN_PARAMETERS(reference_variable, REFERENCE_VARIABLE)

#if TN_VALUES

enum { EXPRESSION, LIBRARY, SCRIPT }; /* type_of */
enum { CONDITIONAL, UNCONDITIONAL, DISABLED, PENALTY };
enum { MOST_COORDINATES = 16 };

static tn_variable_kind kind_of(const reference_variable *self, bool reads_itself)
{
    if (self->integral) return TN_INTEGRAL;
    if (!self->implicit) return TN_EXPLICIT;
    if (reads_itself) return TN_IMPLICIT;
    return self->autobalance == PENALTY ? TN_SOFT : TN_CONSTRAINT_MULTIPLIER;
}

static tn_status reference_variable_kind(TN_UNUSED const tn_host *host, const void *instance,
                                         uint32_t reads_itself, tn_variable_kind *kind)
{
    *kind = kind_of(instance, reads_itself);
    return TN_OK;
}

/* The kernel reads the keys of a routine; here they are held against the source that is named. */
static tn_status check_source(const tn_host *host, const reference_variable *self)
{
    static const char *const words[] = {"expression", "library", "script"};
    const struct {
        const char *key;
        bool given, fits;
    } keys[] = {{"library", self->library, self->type_of == LIBRARY},
                {"script", self->script, self->type_of == SCRIPT},
                {"interpreter", self->interpreter, self->type_of == SCRIPT},
                {"function", self->function, self->type_of != EXPRESSION},
                {"parameters", self->parameters, self->type_of != EXPRESSION},
                {"reads", self->reads.count > 0, self->type_of != EXPRESSION},
                {"splines", self->splines.count > 0, self->type_of != EXPRESSION}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k].given && !keys[k].fits)
            return tn_refuse(host, keys[k].key, "`%s` does not belong to `type_of = \"%s\"`", keys[k].key,
                             words[self->type_of]);
    if (self->type_of != EXPRESSION && !self->library && !self->script)
        return tn_refuse(host, "type_of", "missing key `%s`", words[self->type_of]);
    return TN_OK;
}

static tn_status reference_variable_prepare(const tn_host *host, void *instance)
{
    reference_variable *self = instance;
    const tn_status status = check_source(host, self);
    if (status != TN_OK) return status;
    if (self->integral && self->implicit)
        return tn_refuse(host, "implicit", "an integral cannot be implicit");
    if (self->static_hold && !self->integral)
        return tn_refuse(host, "static_hold", "only an integral can be held: set `integral = true`");
    if (self->implicit) self->expression = self->initial_value; /* the last value, before there is any */
    return TN_OK;
}

/* Only those that act on coordinates have markers. */
static bool is_constraint(const tn_batch *batch) { return batch->layout->position_rows > 0; }

static tn_status reference_variable_layout(TN_UNUSED const tn_host *host, const void *instance,
                                           tn_layout *layout)
{
    layout->nx = ((const reference_variable *)instance)->integral != 0;
    layout->held_states = ((const reference_variable *)instance)->static_hold != 0;
    layout->position_rows = layout->marker_count > 0 && kind_of(instance, false) == TN_CONSTRAINT_MULTIPLIER;
    layout->passive_rows =
        layout->position_rows && ((const reference_variable *)instance)->autobalance == DISABLED;
    return TN_OK;
}

/* The expression of instance i; along the motion of its coordinates, or along one of them. */
typedef struct view {
    const reference_variable *self;
    tn_expression_values at;
    double rate[MOST_COORDINATES + 1]; /* of the coordinates, then of time */
    tn_status status;
} view;

static view look(const tn_batch *batch, uint32_t i, bool second)
{
    view v = {.self = tn_instance(batch, i), .at.struct_size = sizeof v.at};
    const tn_marker_place *place = batch->marker + (size_t)i * batch->marker_count;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        v.rate[k] = batch->twist[place[k].twist];
    v.rate[batch->marker_count] = 1.0;
    v.status = batch->host->observe(batch->host, batch->variable[i], second ? v.rate : NULL, &v.at);
    return v;
}

static double rate_of(const tn_batch *batch, const view *v)
{
    double rate = v->at.by_time;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        rate += v->at.by_coordinate[k] * v->rate[k];
    return rate;
}

static tn_status note(tn_batch *batch, uint32_t i, tn_status worst, const view *v)
{
    if (v->status == TN_OK) return worst;
    return tn_note_failure(batch, i, worst, v->status, "its expression has no derivative here");
}

/* Of one that is not active all rows and forces are zero. */
static bool is_active(const tn_batch *batch, uint32_t i) { return !batch->active || batch->active[i]; }

/* ---- constraint ------------------------------------------------------------------------------------------ */

static tn_status reference_variable_constraint(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->residual[i] =
            is_active(batch, i) ? ((const reference_variable *)tn_instance(batch, i))->expression : 0.0;
    return TN_OK;
}

static tn_status reference_variable_rows(tn_batch *batch)
{
    tn_status worst = TN_OK;
    memset(batch->tangent, 0, (size_t)batch->count * batch->marker_count * sizeof *batch->tangent);
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!is_active(batch, i)) continue;
        const view v = look(batch, i, false);
        worst = note(batch, i, worst, &v);
        memcpy(batch->tangent + (size_t)i * batch->marker_count, v.at.by_coordinate,
               batch->marker_count * sizeof(double));
    }
    return worst;
}

static tn_status reference_variable_rate(tn_batch *batch)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        batch->residual[i] = 0.0;
        if (!is_active(batch, i)) continue;
        const view v = look(batch, i, false);
        worst = note(batch, i, worst, &v);
        batch->residual[i] = rate_of(batch, &v);
    }
    return worst;
}

static tn_status reference_variable_bias(tn_batch *batch)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        batch->residual[i] = 0.0;
        if (!is_active(batch, i)) continue;
        const view v = look(batch, i, true);
        worst = note(batch, i, worst, &v);
        for (uint32_t k = 0; k <= batch->marker_count; k++)
            batch->residual[i] += v.at.product[k] * v.rate[k];
    }
    return worst;
}

/* Row l of the second derivatives, into `row`. */
static tn_status second_derivatives(const tn_batch *batch, uint32_t i, uint32_t l, double *row)
{
    double direction[MOST_COORDINATES + 1] = {0.0};
    tn_expression_values at = {.struct_size = sizeof at};
    direction[l] = 1.0;
    const tn_status status = batch->host->observe(batch->host, batch->variable[i], direction, &at);
    memcpy(row, at.product, batch->marker_count * sizeof *row);
    return status;
}

static tn_status reference_variable_stiffness(tn_batch *batch)
{
    const uint32_t n = batch->marker_count;
    tn_status worst = TN_OK;
    memset(batch->tangent, 0, (size_t)batch->count * n * n * sizeof *batch->tangent);
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t l = 0; l < n && is_active(batch, i); l++) {
            double *row = batch->tangent + ((size_t)i * n + l) * n;
            worst = tn_worse(worst, second_derivatives(batch, i, l, row));
            for (uint32_t k = 0; k < n; k++)
                row[k] *= batch->lambda[i];
        }
    return worst;
}

/* ---- penalty --------------------------------------------------------------------------------------------- */

/* The multiplier of a soft constraint. */
static double soft_multiplier(const tn_batch *batch, const view *v)
{
    return -v->self->penalty * v->at.value - v->self->penalty1 * rate_of(batch, v);
}

static tn_status reference_variable_force(tn_batch *batch)
{
    const uint32_t n = batch->marker_count;
    tn_status worst = TN_OK;
    memset(batch->wrench, 0, (size_t)batch->count * n * sizeof *batch->wrench);
    for (uint32_t i = 0; n > 0 && !is_constraint(batch) && i < batch->count; i++) {
        if (!is_active(batch, i)) continue;
        const view v = look(batch, i, false);
        worst = note(batch, i, worst, &v);
        const double multiplier = soft_multiplier(batch, &v);
        for (uint32_t k = 0; k < n; k++)
            batch->wrench[(size_t)i * n + k] = multiplier * v.at.by_coordinate[k];
    }
    return worst;
}

static tn_status reference_variable_force_tangent(tn_batch *batch)
{
    const uint32_t n = batch->marker_count, stride = batch->tangent_stride;
    const uint32_t pose = tn_first_column(batch, TN_POSE_COLUMNS),
                   twist = tn_first_column(batch, TN_TWIST_COLUMNS);
    tn_status worst = TN_OK;
    memset(batch->tangent, 0, (size_t)batch->count * n * stride * sizeof *batch->tangent);
    for (uint32_t i = 0; n > 0 && !is_constraint(batch) && i < batch->count; i++) {
        if (!is_active(batch, i)) continue;
        double first[MOST_COORDINATES], along[MOST_COORDINATES], second[MOST_COORDINATES];
        const view v = look(batch, i, true);
        worst = note(batch, i, worst, &v);
        const double multiplier = soft_multiplier(batch, &v), p = v.self->penalty, p1 = v.self->penalty1;
        memcpy(first, v.at.by_coordinate, n * sizeof *first);
        memcpy(along, v.at.product, n * sizeof *along);
        for (uint32_t k = 0; k < n; k++) {
            double *row = batch->tangent + ((size_t)i * n + k) * stride;
            worst = tn_worse(worst, second_derivatives(batch, i, k, second));
            for (uint32_t l = 0; l < n; l++) {
                row[pose + l] = multiplier * second[l] - (p * first[l] + p1 * along[l]) * first[k];
                row[twist + l] = -p1 * first[l] * first[k];
            }
        }
    }
    return worst;
}

static tn_status reference_variable_initial(TN_UNUSED const tn_host *host, const void *instance,
                                            TN_UNUSED double *q, TN_UNUSED double *v, double *x,
                                            TN_UNUSED double *s, TN_UNUSED double *d)
{
    const reference_variable *self = instance;
    if (self->integral) x[0] = self->initial_value;
    return TN_OK;
}

static tn_status reference_variable_rates(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->x_rate[i] = ((const reference_variable *)tn_instance(batch, i))->expression;
    return TN_OK;
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

enum { VALUE, RATE, MULTIPLIER, CONSTRAINT_ERROR };
TN_OUTPUTS(reference_variable, [VALUE] = {"value", "v", "", 1, 0},
           [RATE] = {"rate", "dv/dt of an integral; otherwise 0", "", 1, 0},
           [MULTIPLIER] = {"multiplier",
                           "multiplier of a constraint, also of a penalty constraint; otherwise 0", "", 1, 0},
           [CONSTRAINT_ERROR] = {"constraint_error", "|g| of a constraint; otherwise 0", "", 1, 0})

static double output_of(const tn_batch *batch, uint32_t i)
{
    const reference_variable *self = tn_instance(batch, i);
    const bool acts = batch->marker_count > 0 && is_active(batch, i), hard = is_constraint(batch);
    if (batch->output == CONSTRAINT_ERROR) return acts ? fabs(self->expression) : 0.0;
    if (batch->output == RATE) return self->integral ? self->expression : 0.0;
    if (batch->output == VALUE && self->integral) return batch->x[i];
    if (hard) return batch->lambda[i];
    if (batch->output == VALUE) return self->expression;
    if (!acts) return 0.0;
    const view v = look(batch, i, false);
    return soft_multiplier(batch, &v);
}

static tn_status reference_variable_output(tn_batch *batch)
{
    for (uint32_t k = 0; k < batch->count; k++)
        batch->value[k] = output_of(batch, batch->first + k);
    return TN_OK;
}

TN_DRAWS_NOTHING(reference_variable)

TN_SYNONYMS(reference_variable, {"variable", NULL, NULL}, {"dif", NULL, NULL},
            {"differential equation", NULL, NULL}, {"algebraic variable", NULL, NULL})
TN_ELEMENT(
    reference_variable, .summary = "variable or constraint defined by an expression",
    .formula =
        "v = g,   integral:   dv/dt = g,   implicit:   g(v) = 0,   or   g = 0 with forces + (dg/dq)^T v\n"
        "penalty: forces (dg/dq)^T (-p g - p1 dg/dt)",
    .synonyms = reference_variable_synonyms,
    TN_CAPABILITIES(
        TN_HAS(force, .force = reference_variable_force, .force_tangent = reference_variable_force_tangent),
        TN_HAS(constraint, .constraint = reference_variable_constraint,
               .constraint_rows = reference_variable_rows, .constraint_rate = reference_variable_rate,
               .constraint_bias = reference_variable_bias,
               .constraint_stiffness = reference_variable_stiffness),
        TN_HAS(states, .rates = reference_variable_rates),
        TN_HAS(variable, .variable_kind = reference_variable_kind), TN_HAS_DRAWING(reference_variable)),
    .outputs = reference_variable_outputs, .prepare = reference_variable_prepare,
    .layout = reference_variable_layout, .initial = reference_variable_initial,
    .output = reference_variable_output)
TN_LIBRARY("reference_variable", "1.0.0", "Apache-2.0", "variables of expressions",
           {TN_ELEMENT_KIND, &reference_variable_type})

#endif
