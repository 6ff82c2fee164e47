/* mode_causes.c - the fastest motion that forces make at a state, and the one that grows fastest, against the step (see causes.h)
 *
 * With a(q, v) the accelerations that the constraints leave, the largest eigenvalue of da/dq is the square of the highest frequency,
 * negative where it oscillates and positive where it grows, and that of da/dv the largest rate of damping or of growth. Both are found by
 * power iteration with differences of a, which works with any element. The element whose change of force does most work along the
 * motion found is named. */
#include "analysis/causes.h"

#include "system/mass.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 80, FEW_ITERATIONS = 12, MANY_COORDINATES = 3000 };
#define DIFFERENCE 1e-6      /* of the size of a coordinate */
#define EXPLICIT_LIMIT 2.0   /* step times frequency, or rate: about where explicit methods become unstable */
#define PERIODS_PER_STEP 1.0 /* an implicit method that is asked to take whole periods in a step */
#define LEAST_SHARE 0.3      /* of a growth, that is put down to a force */
#define GROWN 8.0            /* exponents: the motion has grown 3000-fold */
#define AT_POLE 1e5          /* exponents: no motion has gone through that */
#define LIGHT 1e-5           /* of the heaviest body */

typedef struct probe {
    tn_cause_list *list;
    tn_assembly *assembly;
    tn_state_copy state;
    bool of_velocity;
    double shift; /* added to the eigenvalues */
    double *direction, *product, *mass_product, *wrench;
    double value; /* the eigenvalue found */
} probe;

/* ---- power iteration ------------------------------------------------------------------------------------- */

static void go_to(const probe *p, double factor)
{
    tn_system *system = &p->assembly->system;
    tn_state_copy_put(p->assembly, &p->state);
    if (factor == 0.0) return;
    if (p->of_velocity) {
        for (uint32_t i = 0; i < system->nv; i++)
            system->v[i] += factor * p->direction[i];
        return;
    }
    double *step = p->mass_product;
    for (uint32_t i = 0; i < system->nv; i++)
        step[i] = factor * p->direction[i];
    (void)system->retract(system, p->state.q, step, system->q);
}

/* The length of the difference: that of the largest component against its size. */
static double difference_of(const probe *p)
{
    const tn_system *system = &p->assembly->system;
    double largest = 0.0, speed = 1.0;
    for (uint32_t i = 0; i < system->nv; i++) {
        largest = fmax(largest, fabs(p->direction[i]) / system->scale[i]);
        speed = fmax(speed, fabs(p->state.v[i]) / system->scale[i]);
    }
    return largest > 0.0 ? DIFFERENCE * (p->of_velocity ? speed : 1.0) / largest : 0.0;
}

/* product = da/dq direction, or da/dv, plus the shift. */
static bool multiply(probe *p)
{
    tn_system *system = &p->assembly->system;
    const double length = difference_of(p);
    if (!(length > 0.0)) return false;
    go_to(p, length);
    const bool good = system->evaluate(system) == TN_OK && system->accelerate(system, p->product) == TN_OK;
    for (uint32_t i = 0; i < system->nv && good; i++)
        p->product[i] = (p->product[i] - p->state.a[i]) / length + p->shift * p->direction[i];
    return good && tn_are_finite(p->product, system->nv);
}

/* With the masses for a metric, in which da/dq is symmetric where there is a potential. */
static bool iterate(probe *p)
{
    tn_system *system = &p->assembly->system;
    double norm = 0.0, rayleigh = 0.0;
    if (!multiply(p) || tn_mass_multiply(p->assembly, p->direction, p->mass_product) != TN_OK) return false;
    for (uint32_t i = 0; i < system->nv; i++) {
        norm += p->direction[i] * p->mass_product[i];
        rayleigh += p->product[i] * p->mass_product[i];
    }
    p->value = norm > 0.0 ? rayleigh / norm - p->shift : 0.0;
    if (tn_mass_multiply(p->assembly, p->product, p->mass_product) != TN_OK) return false;
    double size = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        size += p->product[i] * p->mass_product[i];
    if (!(size > 0.0) || !isfinite(size)) return false;
    for (uint32_t i = 0; i < system->nv; i++)
        p->direction[i] = p->product[i] / sqrt(size);
    return true;
}

static bool find_mode(probe *p, bool of_velocity, double shift)
{
    const uint32_t nv = p->assembly->system.nv;
    const int iterations = nv > MANY_COORDINATES ? FEW_ITERATIONS : ITERATIONS;
    p->of_velocity = of_velocity;
    p->shift = shift;
    p->value = 0.0;
    for (uint32_t i = 0; i < nv; i++) /* no direction is left out, none is preferred */
        p->direction[i] = (1.0 + 0.37 * fmod(0.618034 * i, 1.0)) * p->assembly->system.scale[i];
    bool any = false;
    for (int k = 0; k < iterations && iterate(p); k++)
        any = true;
    return any && isfinite(p->value) && p->value != 0.0;
}

/* ---- whose it is ----------------------------------------------------------------------------------------- */

typedef struct owner {
    const tn_group *group;
    uint32_t instance;
    double share; /* of the eigenvalue */
} owner;

/* Work of the wrenches of one instance along the twists of its markers. */
static double work_of(const tn_group *group, uint32_t instance, const double *before)
{
    const tn_batch *batch = &group->batch;
    const double *wrench = batch->wrench + (size_t)instance * batch->wrench_size;
    const tn_marker_place *place = batch->marker + (size_t)instance * batch->marker_count;
    double sum = 0.0;
    for (uint32_t m = 0, w = 0; m < batch->marker_count; m++)
        for (uint32_t k = 0; k < tn_twist_size(batch->marker_kind[m]); k++, w++)
            sum += (wrench[w] - before[w]) * batch->twist[place[m].twist + k];
    return sum;
}

/* The connector whose change of force does most of the work, of the sign of the eigenvalue. */
static owner find_connector(probe *p)
{
    tn_assembly *assembly = p->assembly;
    tn_system *system = &assembly->system;
    owner best = {NULL, 0, 0.0};
    double most = 0.0;
    const double length = difference_of(p);
    go_to(p, 0.0);
    if (system->evaluate(system) != TN_OK) return best;
    memcpy(p->wrench, assembly->wrench, assembly->wrench_size * sizeof *p->wrench);
    go_to(p, length);
    if (system->evaluate(system) != TN_OK) return best;

    /* the changes take the place of the wrenches, while markers move along the direction */
    for (size_t i = 0; i < assembly->wrench_size; i++)
        p->wrench[i] = assembly->wrench[i] - p->wrench[i];
    go_to(p, 0.0);
    memcpy(system->v, p->direction, system->nv * sizeof *system->v);
    if (system->evaluate(system) != TN_OK) return best;
    memcpy(assembly->wrench, p->wrench, assembly->wrench_size * sizeof *p->wrench);
    memset(p->wrench, 0, assembly->wrench_size * sizeof *p->wrench);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; i < group->batch.count && group->force; i++) {
            const double work = copysign(1.0, p->value) * work_of(group, i, p->wrench);
            if (!(work > most)) continue;
            most = work;
            best = (owner){group, i, work / (length * fabs(p->value))};
        }
    }
    return best;
}

/* The body with the largest part of the motion. */
static owner find_body(const probe *p)
{
    owner best = {NULL, 0, 0.0};
    double most = 0.0;
    if (tn_mass_multiply(p->assembly, p->direction, p->mass_product) != TN_OK) return best;
    for (size_t k = 0; k < p->assembly->group_count; k++) {
        const tn_group *group = &p->assembly->group[k];
        const size_t nv = group->batch.layout->nv;
        for (uint32_t i = 0; i < group->batch.count; i++) {
            double part = 0.0;
            for (size_t c = group->v_start + i * nv; c < group->v_start + (i + 1) * nv; c++)
                part += p->direction[c] * p->mass_product[c];
            if (!(part > most)) continue;
            most = part;
            best = (owner){group, i, 1.0};
        }
    }
    return best;
}

/* The smallest mass against a coordinate of a body, and the largest in the model of those in the same unit. */
double tn_lightness_of(const tn_assembly *assembly, const tn_group *body, uint32_t instance)
{
    double smallest = HUGE_VAL, largest = 0.0;
    const size_t nv = body->batch.layout->nv;
    for (size_t c = 0; c < nv; c++) {
        const double mass = tn_mass_of_coordinate(body, instance * nv + c);
        const double scale = assembly->scale[body->v_start + instance * nv + c];
        smallest = fmin(smallest, mass * scale * scale);
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (size_t c = 0; c < group->batch.layout->nv * (size_t)group->batch.count; c++)
            largest = fmax(largest, tn_mass_of_coordinate(group, c) * assembly->scale[group->v_start + c] *
                                        assembly->scale[group->v_start + c]);
    }
    return largest > 0.0 ? smallest / largest : 1.0;
}

/* ---- what follows ---------------------------------------------------------------------------------------- */

/* How likely it is that a motion this much too fast for the step is the cause. */
static double likelihood_of(const tn_cause_list *list, double per_step)
{
    if (list->implicit) return per_step > 60.0 ? 0.8 : per_step > 6.0 * PERIODS_PER_STEP ? 0.6 : 0.0;
    const double near = list->status == TN_OK ? 0.05 : 0.5 * EXPLICIT_LIMIT;
    return per_step > EXPLICIT_LIMIT ? 0.92 : per_step > near ? 0.5 : 0.0;
}

static void tell_fast(probe *p, double rate, const char *what, const char *parameter)
{
    tn_cause_list *list = p->list;
    const double likelihood = likelihood_of(list, rate * list->step);
    if (likelihood == 0.0 || (list->slow && list->implicit)) return;
    const owner body = find_body(p), connector = find_connector(p);
    const owner named = connector.group ? connector : body;
    if (!named.group || !body.group) return;
    /* near a singular position of constraints anything is fast */
    if (list->assembly->system.rows && connector.share < LEAST_SHARE) return;
    const tn_assembly *assembly = p->assembly;
    if (list->slow) {
        tn_cause_add(
            list, likelihood, tn_place_of(assembly, named.group, named.instance),
            "%s `%s` keeps them short: what it moves %s %.3g rad/s or 1/s, and an explicit solver cannot "
            "take steps of more than "
            "about %.2g s; use an implicit one, such as generalized_alpha, or check the unit of its %s",
            named.group->type->name, tn_name_of(assembly, named.group, named.instance), what, rate,
            EXPLICIT_LIMIT / rate, parameter);
        return;
    }
    const double light = tn_lightness_of(assembly, body.group, body.instance);
    if (light < LIGHT)
        tn_cause_add(
            list, fmin(likelihood + 0.02, 0.94), tn_place_of(assembly, body.group, body.instance),
            "%s `%s` has a mass or a moment of inertia that nearly vanishes, %.2g of the largest of the "
            "model: it "
            "%s %.3g rad/s or 1/s, too fast for steps of %.3g s; give it more mass, or hold it by a joint",
            body.group->type->name, tn_name_of(assembly, body.group, body.instance), light, what, rate,
            list->step);
    if (list->implicit)
        tn_cause_add(list, likelihood, tn_place_of(assembly, named.group, named.instance),
                     "%s `%s` is stiff against the step: what it moves %s %.3g rad/s or 1/s, and a step of "
                     "%.3g s is %.2g "
                     "times as long as that takes; use a shorter step, or check the unit of its %s",
                     named.group->type->name, tn_name_of(assembly, named.group, named.instance), what, rate,
                     list->step, rate * list->step, parameter);
    else if (rate * list->step < 0.5 * EXPLICIT_LIMIT)
        tn_cause_add(list, likelihood, tn_place_of(assembly, named.group, named.instance),
                     "steps of %.3g s are coarse for %s `%s`: what it moves %s %.3g rad/s or 1/s, %.2g in a "
                     "step; shorten the step, or use "
                     "a higher order, or an adaptive solver",
                     list->step, named.group->type->name, tn_name_of(assembly, named.group, named.instance),
                     what, rate, rate * list->step);
    else
        tn_cause_add(list, likelihood, tn_place_of(assembly, named.group, named.instance),
                     "%s `%s` is too stiff for steps of %.3g s: what it moves %s %.3g rad/s or 1/s, and an "
                     "explicit solver "
                     "needs steps below about %.2g s; shorten the step, use generalized_alpha, or check the "
                     "unit of its "
                     "%s",
                     named.group->type->name, tn_name_of(assembly, named.group, named.instance), list->step,
                     what, rate, EXPLICIT_LIMIT / rate, parameter);
}

static void tell_growth(probe *p, double rate, const char *what)
{
    tn_cause_list *list = p->list;
    const double exponent = rate * fabs(list->elapsed);
    if (exponent < GROWN || list->slow) return;
    const owner named = find_connector(p);
    if (!named.group || named.share < LEAST_SHARE) return; /* gyroscopic terms, say, which no force makes */
    if (list->at_end && exponent > AT_POLE) {
        tn_cause_add(list, 0.9, tn_place_of(p->assembly, named.group, named.instance),
                     "%s `%s` is near a pole: what it moves is driven away at a rate of %.2g 1/s, which "
                     "grows without bound, as by 1/x near "
                     "0; keep the motion away from there, or bound the law, as by 1/MAX(x, 1e-3)",
                     named.group->type->name, tn_name_of(p->assembly, named.group, named.instance), rate);
        return;
    }
    tn_cause_add(list, exponent > 3.0 * GROWN ? 0.9 : 0.6,
                 tn_place_of(p->assembly, named.group, named.instance),
                 "%s `%s` acts like a negative %s: motion grows by a factor of e every %.3g s, which over "
                 "%.3g s is e^%.0f; check "
                 "the sign of its law",
                 named.group->type->name, tn_name_of(p->assembly, named.group, named.instance), what,
                 1.0 / rate, fabs(list->elapsed), exponent);
}

/* Of da/dq, whose eigenvalues are squares of rates, or da/dv. */
static void look(probe *p, bool of_velocity)
{
    if (!find_mode(p, of_velocity, 0.0)) return;
    const double largest = fabs(p->value), rate = of_velocity ? largest : sqrt(largest);
    if (p->value < 0.0)
        tell_fast(p, rate, of_velocity ? "is damped at" : "oscillates at",
                  of_velocity ? "damping" : "stiffness");
    const char *what = of_velocity ? "damper" : "spring";
    if (p->value > 0.0)
        tell_growth(p, rate, what);
    else if (find_mode(p, of_velocity, largest) && p->value > 1e-6 * largest)
        tell_growth(p, of_velocity ? p->value : sqrt(p->value), what);
}

void tn_find_modes(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    const uint32_t nv = assembly->system.nv;
    probe p = {.list = list, .assembly = assembly, .state = tn_state_copy_new(assembly)};
    tn_state_copy_take(assembly, &p.state);
    p.direction = tn_assembly_new(assembly, nv, sizeof(double));
    p.product = tn_assembly_new(assembly, nv, sizeof(double));
    p.mass_product = tn_assembly_new(assembly, nv, sizeof(double));
    p.wrench = tn_assembly_new(assembly, assembly->wrench_size, sizeof(double));
    if (!nv) return;
    look(&p, false);
    look(&p, true);
    tn_state_copy_put(assembly, &p.state);
}
