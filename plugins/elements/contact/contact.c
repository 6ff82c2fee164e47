/* contact.c - shapes that touch: forces by penalty, for all solvers, and what both laws share (see contact.h) */
#include "law.h"
#include "near.h"
#include "passage.h"

/* The data of a point. */
static inline double impact_of(const tn_context *context, uint32_t point)
{
    return tn_data(context)[CONTACT_DATA + point];
}

TN_FORCE(contact, TN_ANY, CONTACT_PENALTY_SHAPES)
{
    const contact_setup *setup = self->setup;
    const tn_real *states = setup && setup->states ? tn_states(context) : NULL;
    for (uint32_t p = 0; setup && p < setup->points; p++) {
        const contact_pair *pair = &setup->pair[setup->point[p].pair];
        const tn_marker_state *first = &marker[pair->first], *second = &marker[pair->second];
        contact_load load;
        const contact_answer answer =
            contact_press(self, &setup->point[p], first, second, impact_of(context, p), states, &load);
        if (answer == CONTACT_UNKNOWN) return tn_retry(context, CONTACT_NO_DIRECTION);
        if (answer == CONTACT_OPEN) continue;
        const tn_vec3 force = tn_add(tn_scale(load.normal, load.at.normal), load.friction);
        tn_wrench *one = &wrench[pair->first], *other = &wrench[pair->second];
        one->force = tn_add(one->force, force);
        one->torque = tn_add(one->torque, tn_cross(tn_subtract(load.at.position, first->position), force));
        other->force = tn_subtract(other->force, force);
        other->torque =
            tn_subtract(other->torque, tn_cross(tn_subtract(load.at.position, second->position), force));
    }
    return TN_OK;
}

/* Bristles of open points stay as they are; closing, they begin anew. */
TN_RATES(contact, TN_ANY, CONTACT_PENALTY_SHAPES)
{
    const contact_setup *setup = self->setup;
    for (uint32_t p = 0; p < setup->points; p++) {
        const contact_point *point = &setup->point[p];
        const contact_pair *pair = &setup->pair[point->pair];
        const tn_marker_state *first = &marker[pair->first], *second = &marker[pair->second];
        contact_load load;
        if (contact_press(self, point, first, second, impact_of(context, p), x, &load) != CONTACT_CLOSED)
            continue;
        const tn_marker_state *carrier = point->ball_second ? first : second;
        for (uint32_t k = 0; k < point->states; k++)
            rate[point->state + k] = tn_dot(load.bristle_rate, tn_axis(carrier->rotation, (int)k));
    }
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(contact, {"shapes", "markers of type `shape`: all pairs of them on different bodies", TN_FRAME, 2,
                   CONTACT_SHAPES, 0})

enum { NORMAL_FORCE, FRICTION_FORCE, GAP, POINTS, SLIP, POSITION };
TN_OUTPUTS(contact, [NORMAL_FORCE] = {"normal_force", "sum over all points", "N", 1, 0},
           [FRICTION_FORCE] = {"friction_force", "sum of the magnitudes over all points", "N", 1, 0},
           [GAP] = {"gap", "the smallest one; below 0: overlap", "m", 1, 0},
           [POINTS] = {"points", "number of points that are closed", "", 1, 0},
           [SLIP] = {"slip", "the largest one of closed points", "m/s", 1, 0},
           [POSITION] = {
               "position",
               "where the sum of the normal forces acts, ground axes; without any, where the gap is smallest",
               "m", 3, 0})

#define PASSED_OVER \
    1e-6 /* of the way of a step: a point that is deeper has closed within the step, not at its end */

/* ---- one point after the other --------------------------------------------------------------------------- */

/* A point at the state of the batch, whatever the number of markers. */
typedef struct view {
    const contact *self;
    const contact_point *point;
    tn_marker_state first, second;
    contact_load load;
    bool closed;
} view;

/* A point of law penalty, with its forces. False where it has no place. */
static bool look(const tn_batch *batch, uint32_t instance, uint32_t p, view *v)
{
    v->self = (const contact *)tn_instance(batch, instance);
    const contact_setup *setup = v->self->setup;
    v->point = &setup->point[p];
    const contact_pair *pair = &setup->pair[v->point->pair];
    v->first = contact_marker(batch, instance, pair->first);
    v->second = contact_marker(batch, instance, pair->second);
    const double impact = batch->d[(size_t)instance * batch->layout->nd + CONTACT_DATA + p];
    const double *x = setup->states ? batch->x + (size_t)instance * batch->layout->nx : NULL;
    const contact_answer answer =
        contact_press(v->self, v->point, &v->first, &v->second, impact, x, &v->load);
    v->closed = answer == CONTACT_CLOSED;
    return answer != CONTACT_UNKNOWN;
}

static const contact_setup *setup_of(const tn_batch *batch, uint32_t instance)
{
    return ((const contact *)tn_instance(batch, instance))->setup;
}

static bool acts(const tn_batch *batch, uint32_t instance)
{
    const contact *self = (const contact *)tn_instance(batch, instance);
    return self->setup && (!batch->active || batch->active[instance]);
}

/* The number of points of an instance that acts by penalty. */
static uint32_t points_of(const tn_batch *batch, uint32_t instance)
{
    return acts(batch, instance) ? setup_of(batch, instance)->points : 0;
}

/* ---- energies -------------------------------------------------------------------------------------------- */

/* Adds up what the closed points of each instance have. */
static tn_status add_up(tn_batch *batch, double (*of)(const view *, const contact_law *))
{
    view v;
    for (uint32_t i = 0; i < batch->count; i++) {
        batch->value[i] = 0.0;
        for (uint32_t p = 0; p < points_of(batch, i); p++)
            if (look(batch, i, p, &v) && v.closed)
                batch->value[i] += of(&v, v.self->setup->pair[v.point->pair].law);
    }
    return TN_OK;
}

static double elastic_energy(const view *v, const contact_law *law)
{
    return law->stiffness * pow(-v->load.at.gap, law->exponent + 1.0) / (law->exponent + 1.0);
}

/* Power dissipated by sliding and damping of a bristle, without its stored energy. */
static double friction_power(const view *v)
{
    if (!v->self->setup->states) return -tn_dot(v->load.friction, v->load.slip);
    const double t = v->self->bristle_time;
    const tn_vec3 z = v->load.bristle, rate = v->load.bristle_rate, pull = tn_add(z, tn_scale(t, rate));
    if (!(tn_norm(pull) > 0.0)) return 0.0;
    const double share = tn_norm(v->load.friction) / tn_norm(pull);
    return share * (fmax(tn_dot(pull, tn_subtract(v->load.slip, rate)), 0.0) + t * tn_dot(rate, rate));
}

static double power(const view *v, const contact_law *law)
{
    const double elastic = law->stiffness * pow(-v->load.at.gap, law->exponent);
    return fmax((v->load.normal - elastic) * v->load.approach, 0.0) + friction_power(v);
}

static tn_status contact_potential(tn_batch *batch) { return add_up(batch, elastic_energy); }
static tn_status contact_dissipation(tn_batch *batch) { return add_up(batch, power); }

/* ---- events and data ------------------------------------------------------------------------------------- */

static double approach_of(const view *v)
{
    return -tn_dot(contact_velocity(&v->first, &v->second, v->load.at.position), v->load.at.normal);
}

/* Speed that the damping of a point goes by from now on, `before` at the last accepted state. Solvers that end a step at the event show
 * the very state of the impact; others show one in which the point has been closed for a while. */
static double impact_speed(const view *v, double before, double step)
{
    const double least = v->self->setup->pair[v->point->pair].law->threshold;
    const double now = fmax(v->load.approach, least), way = fmax(now, before) * step;
    return -v->load.at.gap > PASSED_OVER * way ? fmax(now, before) : now;
}

static double *data_of(const tn_batch *batch, uint32_t instance)
{
    return batch->d + (size_t)instance * batch->layout->nd;
}

static double *place_of(const tn_batch *batch, uint32_t instance, uint32_t p)
{
    const uint32_t points = setup_of(batch, instance)->points;
    return data_of(batch, instance) + CONTACT_DATA + points + (size_t)CONTACT_PLACE * p;
}

/* The gap of a point; below 0, too, where it was closed between the last accepted state and this one. */
static double gap_until_now(const tn_batch *batch, uint32_t instance, uint32_t p, const view *v)
{
    const double *data = data_of(batch, instance);
    const contact_setup *setup = v->self->setup;
    const contact_pair *pair = &setup->pair[v->point->pair];
    double now[CONTACT_PLACE];
    if (v->closed || data[CONTACT_PLACED] == 0.0) return v->load.at.gap;
    contact_keep_place(v->point, &v->first, &v->second, now);
    const double size = contact_size_of(setup->shape[pair->first], setup->shape[pair->second]);
    const double passed =
        contact_passed(v->point, size, place_of(batch, instance, p), now, batch->time - data[CONTACT_TIME]);
    return passed < 0.0 ? passed : v->load.at.gap;
}

/* Two of each point: its gap, and where it is closed, whether the damper would pull. */
static tn_status contact_events(tn_batch *batch)
{
    view v;
    for (uint32_t i = 0; i < batch->count; i++) {
        double *value = batch->value + (size_t)i * batch->layout->events;
        for (uint32_t p = 0; 2 * p < batch->layout->events; p++) {
            const bool known = p < points_of(batch, i) && look(batch, i, p, &v);
            value[2 * p] = known ? gap_until_now(batch, i, p, &v) : (double)NAN;
            value[2 * p + 1] = known && v.closed ? v.load.factor : (double)NAN;
        }
    }
    return TN_OK;
}

static void begin_bristle(const tn_batch *batch, uint32_t instance, const contact_point *point)
{
    double *x = batch->x + (size_t)instance * batch->layout->nx;
    for (uint32_t k = 0; batch->layout->nx && k < point->states; k++)
        x[point->state + k] = 0.0;
}

/* `accepted` has seen to the speeds. */
static tn_status contact_on_event(tn_batch *batch)
{
    memset(batch->wrench, 0, sizeof(double) * batch->wrench_size * batch->count);
    for (uint32_t i = 0; i < batch->count; i++) {
        const double *sign = batch->value + (size_t)i * batch->layout->events;
        for (uint32_t p = 0; p < points_of(batch, i); p++)
            if (sign[2 * p] != 0.0) begin_bristle(batch, i, &setup_of(batch, i)->point[p]);
    }
    return TN_OK;
}

/* Once for each contact; solvers that end steps at events do not come here. */
static void tell_of_passage(const tn_batch *batch, uint32_t instance, uint32_t one, uint32_t other)
{
    const contact *self = (const contact *)tn_instance(batch, instance);
    const contact_setup *setup = self->setup;
    double *data = data_of(batch, instance);
    if (!batch->failure || data[CONTACT_PLACED] != 1.0) return;
    data[CONTACT_PLACED] = 2.0;
    (void)tn_print_cut(
        setup->text, CONTACT_TEXT,
        "`%s` and `%s` %s passed through each other within one step: take shorter steps%s",
        setup->shape[one]->name, setup->shape[other]->name,
        self->law == CONTACT_BY_IMPULSE ? "seem to have" : "have",
        self->law == CONTACT_BY_IMPULSE ? "" : ", or a `tolerance`, by which steps end where contact begins");
    *batch->failure = (tn_failure){instance, TN_OK, setup->text};
}

/* The speeds of impacts, or those by which open points come nearer, and where they are. */
static void keep_points(tn_batch *batch, uint32_t instance)
{
    view v;
    double *speed = data_of(batch, instance) + CONTACT_DATA;
    for (uint32_t p = 0; p < points_of(batch, instance); p++) {
        const bool known = look(batch, instance, p, &v);
        if (known && !v.closed && gap_until_now(batch, instance, p, &v) < 0.0)
            tell_of_passage(batch, instance, v.self->setup->pair[v.point->pair].first,
                            v.self->setup->pair[v.point->pair].second);
        contact_keep_place(v.point, &v.first, &v.second, place_of(batch, instance, p));
        if (!known) continue;
        if (!v.closed)
            speed[p] = -fmax(approach_of(&v), 0.0);
        else if (speed[p] <= 0.0)
            speed[p] = impact_speed(&v, -speed[p], batch->step);
    }
}

/* By impulses; after an impact, velocities do not tell where shapes came from. */
static void look_for_passage(const tn_batch *batch, uint32_t instance, const double *data)
{
    uint32_t pair[2] = {0, 0};
    if (!contact_has_points(tn_instance(batch, instance)) || data[CONTACT_COUNT] > 0.0) return;
    if (data[CONTACT_PLACED] == 1.0 && contact_find_passage(batch, instance, pair))
        tell_of_passage(batch, instance, pair[0], pair[1]);
}

static void keep_time(const tn_batch *batch, double *data)
{
    data[CONTACT_PLACED] = fmax(data[CONTACT_PLACED], 1.0);
    data[CONTACT_TIME] = batch->time;
}

static tn_status contact_accepted(tn_batch *batch)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < batch->count && status == TN_OK; i++) {
        double *data = data_of(batch, i);
        if (!acts(batch, i)) {
            data[CONTACT_PLACED] = 0.0;
            continue;
        }
        if (data[CONTACT_STARTED] == 0.0) status = contact_check_start(batch, i);
        data[CONTACT_STARTED] = 1.0;
        keep_points(batch, i);
        if (status == TN_OK) look_for_passage(batch, i, data);
        keep_time(batch, data);
    }
    return status;
}

/* The first step, too, may lead through a shape. */
static tn_status contact_at_start(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const contact_setup *setup = setup_of(batch, i);
        for (uint32_t p = 0; p < points_of(batch, i); p++) {
            const contact_pair *pair = &setup->pair[setup->point[p].pair];
            const tn_marker_state first = contact_marker(batch, i, pair->first),
                                  second = contact_marker(batch, i, pair->second);
            contact_keep_place(&setup->point[p], &first, &second, place_of(batch, i, p));
        }
        if (acts(batch, i)) keep_time(batch, data_of(batch, i));
    }
    return TN_OK;
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

/* Sums over all points, and what is smallest or largest among them. */
typedef struct sums {
    double normal, friction, gap, points, slip;
    tn_vec3 moment, nearest;
} sums;

static sums sum_points(const tn_batch *batch, uint32_t instance)
{
    view v;
    const contact *self = (const contact *)tn_instance(batch, instance);
    sums s = {.gap = self->setup ? HUGE_VAL : 0.0};
    for (uint32_t p = 0; self->setup && p < self->setup->points; p++) {
        if (!look(batch, instance, p, &v)) continue;
        if (v.load.at.gap < s.gap) {
            s.gap = v.load.at.gap;
            s.nearest = v.load.at.position;
        }
        if (!v.closed || !acts(batch, instance)) continue;
        s.normal += v.load.normal;
        s.friction += tn_norm(v.load.friction);
        s.slip = fmax(s.slip, tn_norm(v.load.slip));
        s.points += 1.0;
        s.moment = tn_add(s.moment, tn_scale(v.load.normal, v.load.at.position));
    }
    if (s.normal > 0.0) s.nearest = tn_scale(1.0 / s.normal, s.moment);
    return s;
}

/* Outputs by impulses: of the last step; gap and position, which are searched on demand, are those of the present state. */
static sums last_step(const tn_batch *batch, uint32_t instance)
{
    const double *data = data_of(batch, instance);
    const contact *self = (const contact *)tn_instance(batch, instance);
    sums s = {0};
    if (acts(batch, instance))
        s = (sums){.normal = data[CONTACT_NORMAL],
                   .friction = data[CONTACT_TANGENT],
                   .points = data[CONTACT_COUNT],
                   .slip = data[CONTACT_SLIP]};
    if (self->setup && (batch->output == GAP || (batch->output == POSITION && !(s.normal > 0.0))))
        s.gap = contact_smallest_gap(batch, instance, &s.nearest);
    if (s.normal > 0.0) s.nearest = contact_vector(data + CONTACT_POSITION);
    return s;
}

static tn_status contact_output(tn_batch *batch)
{
    const uint32_t size = contact_outputs[batch->output].size;
    for (uint32_t k = 0; k < batch->count; k++) {
        const uint32_t i = batch->first + k;
        double *value = batch->value + (size_t)k * size;
        const bool by_impulse = contact_has_points(tn_instance(batch, i)) != 0;
        const sums s = by_impulse ? last_step(batch, i) : sum_points(batch, i);
        const double numbers[] = {s.normal, s.friction, s.gap, s.points, s.slip};
        memcpy(value, batch->output == POSITION ? s.nearest.e : &numbers[batch->output],
               size * sizeof *value);
    }
    return TN_OK;
}

TN_SYNONYMS(contact, {"object_contact_sphere_sphere", NULL, NULL}, {"collision", NULL, NULL},
            {"mu", "friction", NULL}, {"coefficient_of_restitution", "restitution", NULL},
            {"k", "stiffness", NULL}, {"markers", "shapes", NULL})
TN_ELEMENT(
    contact, .summary = "contact of shapes with dry friction, by impulses or by penalty",
    .formula =
        "d = -gap,  d' approach,  n normal out of the second shape,  u slip of the first shape on the "
        "second\n"
        "impulse: gap >= 0, u and the impulse p by Coulomb's law in the cone |p_T| <= mu p_N, "
        "u_N behind an impact -e u_N before\n"
        "penalty: F_N = max(0, k d^n (1 + c d')) where d > 0,  c = C/v_i,  "
        "C (1 + e) = log((1 + C)/(1 - e C)),  v_i = max(v_e, speed of the impact)\n"
        "regularised: F_T = -mu(u) F_N tanh(|u|/v_s) u/|u|,  mu(u) = mu + (mu_s - mu) exp(-(|u|/v_0)^2)\n"
        "bristle: F_T = -mu(u) F_N b/max(1, |b|),  b = (z + t_0 z')/z_0,  "
        "z' = u - a(|z|/z_0) max(0, u . z) z/(|z| z_0)\n"
        "a(s) = 0 for s < 0.9, 1 for s > 1, 1/2 + sin(10 pi (s - 0.95))/2 between",
    .literature =
        "Hunt, Crossley: Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. "
        "Mech. 42 (1975) 440-445\n"
        "Gonthier, McPhee, Lange, Piedboeuf: A regularized contact model with asymmetric damping and "
        "dwell-time dependent friction, Multibody Syst. Dyn. 11 (2004) 209-233 (C from e, exactly)\n"
        "Dupont, Hayward, Armstrong, Altpeter: Single state elastoplastic friction models, IEEE Trans. "
        "Autom. Control 47 (2002) 787-792 (bristles that do not creep)\n"
        "Ericson: Real-Time Collision Detection, Morgan Kaufmann 2005, chapter 5 (nearest points)",
    .synonyms = contact_synonyms, .ports = contact_ports, .outputs = contact_outputs,
    .prepare = contact_prepare, .layout = contact_layout, .output = contact_output,
    TN_CAPABILITIES(TN_HAS_FORCE(contact), TN_HAS_RATES(contact),
                    TN_HAS(energy, .potential = contact_potential, .dissipation = contact_dissipation),
                    TN_HAS(events, .events = contact_events, .on_event = contact_on_event),
                    TN_HAS(data, .accepted = contact_accepted, .at_start = contact_at_start),
                    TN_HAS(shaped, .shapes = contact_shapes),
                    TN_HAS(contacts, .has_contacts = contact_has_points, .points = contact_points,
                           .settled = contact_settled)))

TN_LIBRARY("contact", "1.0.0", "Apache-2.0", "element: contact of shapes", {TN_ELEMENT_KIND, &contact_type})

#endif
