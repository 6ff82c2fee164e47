/* setup.c - which shapes may touch, at which points, and by which numbers */
#include "contact.h"

#if TN_VALUES

#define SUPPORTED                                                           \
    "a plane with spheres, capsules and boxes, and a sphere with spheres, " \
    "capsules and boxes (the face of a box may be a `plane` of its own)"

enum { MOST_ERRORS = 5 }; /* of one kind: one tells what the others would */

static const char *const kind_words[] = {"sphere", "box", "capsule", "cylinder", "plane", "mesh"};

/* ---- the law of a pair --------------------------------------------------------------------------------------- */

static double given(double own, double of_pair, double standard)
{
    return !isnan(own) ? own : !isnan(of_pair) ? of_pair : standard;
}

/* C with C (1 + e) = log((1 + C)/(1 - e C)), between 0 and 1/e; 0 for e = 1. See law.h. */
static double loss_of(double e)
{
    double low = 0.0, high = 1.0 / e;
    for (int k = 0; k < 200 && low < high && e < 1.0; k++) {
        const double C = 0.5 * (low + high), excess = log1p(C) - log1p(-e * C) - C * (1.0 + e);
        /* it is below 0 between the solution 0 and the one that is wanted */
        *(excess < 0.0 ? &low : &high) = C;
        if (C == 0.5 * (low + high)) break;
    }
    return e < 1.0 ? 0.5 * (low + high) : 0.0;
}

static tn_status check_penalty(const tn_host *host, contact_law *law)
{
    if (!(law->stiffness > 0.0))
        return tn_refuse(host, NULL, "law `penalty` needs a `stiffness`, here or in [[material_pair]]");
    if (isnan(law->damping) && isnan(law->restitution))
        return tn_refuse(host, NULL,
                         "law `penalty` needs a `restitution` or a `damping`, here or in [[material_pair]]");
    if (isnan(law->damping) && law->restitution < 0.01)
        return tn_refuse(
            host, "restitution",
            "by penalty, a restitution of %g needs a damper without end: give 0.01 or more, or `damping`",
            law->restitution);
    if (isnan(law->damping) && !(law->threshold > 0.0))
        return tn_refuse(host, "restitution_threshold", "law `penalty` needs one above 0");
    if (law->static_friction < law->friction)
        return tn_refuse(host, "static_friction", "it is below `friction`, %g", law->friction);
    law->loss = isnan(law->damping) ? loss_of(law->restitution) : (double)NAN;
    return TN_OK;
}

/* The element's own keys come first; one of `damping` and `restitution` takes the place of both. */
static tn_status find_law(const tn_host *host, const contact *self, const tn_material_pair *pair,
                          contact_law *law)
{
    static const tn_material_pair nothing = {.friction = (double)NAN,
                                             .static_friction = (double)NAN,
                                             .restitution = (double)NAN,
                                             .restitution_threshold = (double)NAN,
                                             .stiffness = (double)NAN,
                                             .damping = (double)NAN,
                                             .exponent = (double)NAN};
    const tn_material_pair *of = pair ? pair : &nothing;
    const bool penalty = self->law == CONTACT_BY_PENALTY,
               own = !isnan(self->damping) || !isnan(self->restitution);
    *law = (contact_law){.friction = given(self->friction, of->friction, 0.0),
                         .restitution =
                             own ? self->restitution
                                 : given(self->restitution, of->restitution, penalty ? (double)NAN : 0.0),
                         .threshold = given(self->restitution_threshold, of->restitution_threshold, 0.01),
                         .stiffness = given(self->stiffness, of->stiffness, 0.0),
                         .exponent = given(self->exponent, of->exponent, 1.5),
                         .damping = own ? self->damping : of->damping};
    law->static_friction = given(self->static_friction,
                                 isnan(self->friction) ? of->static_friction : (double)NAN, law->friction);
    if (!penalty && isnan(law->restitution)) law->restitution = given(of->restitution, 0.0, 0.0);
    return penalty ? check_penalty(host, law) : TN_OK;
}

/* Whether the element says all that a [[material_pair]] would. */
static bool needs_no_pair(const contact *self)
{
    if (isnan(self->friction)) return false;
    return self->law == CONTACT_BY_IMPULSE
               ? !isnan(self->restitution)
               : !isnan(self->stiffness) && (!isnan(self->restitution) || !isnan(self->damping));
}

static const char *or_none(const char *material) { return material ? material : "(none)"; }

/* With the material that was probably meant by a name of which there are no pairs. */
static tn_status refuse_pair(const tn_host *host, const tn_shape *one, const tn_shape *other)
{
    const tn_materials *materials = host->extension(host, TN_MATERIALS_KEY);
    const char *meant = materials && materials->meant ? materials->meant(host, one->material) : NULL;
    if (!meant && materials && materials->meant) meant = materials->meant(host, other->material);
    return tn_refuse(
        host, "shapes",
        "there is no [[material_pair]] for the material `%s` of `%s` and `%s` of `%s`: add one, or give "
        "`friction`, `restitution` and the like here%s%s%s",
        or_none(one->material), one->name, or_none(other->material), other->name,
        meant ? "; did you mean `" : "", meant ? meant : "", meant ? "`?" : "");
}

static tn_status find_laws(const tn_host *host, const contact *self)
{
    const contact_setup *setup = self->setup;
    const tn_materials *materials = host->extension(host, TN_MATERIALS_KEY);
    uint32_t missing = 0;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < setup->pairs && missing < MOST_ERRORS && status != TN_INVALID; k++) {
        contact_pair *pair = &setup->pair[k];
        const tn_shape *one = setup->shape[pair->first], *other = setup->shape[pair->second];
        const tn_material_pair *known =
            materials ? materials->pair(host, one->material, other->material) : NULL;
        if (!known && !needs_no_pair(self)) {
            (void)refuse_pair(host, one, other);
            missing++;
        } else {
            status = find_law(host, self, known, &pair->law);
        }
    }
    return missing ? TN_INVALID : status;
}

tn_status contact_prepare(const tn_host *host, void *instance)
{
    const contact *self = instance;
    if (!isnan(self->damping) && !isnan(self->restitution))
        return tn_refuse(host, "damping", "`damping` takes the place of `restitution`: give one of them");
    if (self->law == CONTACT_BY_IMPULSE && !isnan(self->damping))
        return tn_refuse(host, "damping", "law `impulse` has no damping: give a `restitution`");
    if (self->friction > 10.0)
        tn_say(host, TN_WARNING, "a coefficient of friction of %g: few materials have more than 1",
               self->friction);
    return self->setup ? find_laws(host, self) : TN_OK; /* again, for a change */
}

/* ---- possible points ----------------------------------------------------------------------------------------- */

static bool is_ball_of(const tn_shape *shape, const tn_shape *other)
{
    return other->kind == TN_PLANE
               ? shape->kind == TN_SPHERE || shape->kind == TN_CAPSULE || shape->kind == TN_BOX
               : shape->kind == TN_SPHERE &&
                     (other->kind == TN_SPHERE || other->kind == TN_BOX || other->kind == TN_CAPSULE);
}

static uint32_t count_balls(const tn_shape *shape)
{
    return shape->kind == TN_BOX ? 8 : shape->kind == TN_CAPSULE ? 2 : 1;
}

/* The number of points of a pair; 0: it is not supported. */
static uint32_t count_points(const tn_shape *one, const tn_shape *other)
{
    return is_ball_of(one, other) ? count_balls(one) : is_ball_of(other, one) ? count_balls(other) : 0;
}

static void place_ball(const tn_shape *shape, uint32_t feature, contact_point *point)
{
    point->radius = shape->kind == TN_BOX ? 0.0 : shape->size[0];
    if (shape->kind == TN_CAPSULE) point->centre[2] = (feature ? 0.5 : -0.5) * shape->size[1];
    for (uint32_t e = 0; e < 3 && shape->kind == TN_BOX; e++)
        point->centre[e] = (feature >> e & 1 ? 0.5 : -0.5) * shape->size[e];
}

static void place_other(const tn_shape *shape, contact_point *point)
{
    static const contact_kind kinds[] = {[TN_SPHERE] = CONTACT_BALL,
                                         [TN_BOX] = CONTACT_BOX,
                                         [TN_CAPSULE] = CONTACT_CAPSULE,
                                         [TN_PLANE] = CONTACT_PLANE};
    point->kind = kinds[shape->kind];
    point->states = shape->kind == TN_PLANE ? 2 : 3;
    if (shape->kind == TN_SPHERE || shape->kind == TN_CAPSULE) point->other_radius = shape->size[0];
    if (shape->kind == TN_CAPSULE) point->half[2] = 0.5 * shape->size[1];
    for (int e = 0; e < 3 && shape->kind == TN_BOX; e++)
        point->half[e] = 0.5 * shape->size[e];
}

static void add_points(contact_setup *setup, uint32_t number)
{
    contact_pair *pair = &setup->pair[number];
    const tn_shape *one = setup->shape[pair->first], *other = setup->shape[pair->second];
    const bool second = !is_ball_of(one, other);
    const uint32_t count = count_points(one, other);
    pair->from = setup->points;
    for (uint32_t feature = 0; feature < count; feature++) {
        contact_point *point = &setup->point[setup->points++];
        *point = (contact_point){
            .pair = number, .ball_second = second, .feature = feature, .state = setup->states};
        place_ball(second ? other : one, feature, point);
        place_other(second ? one : other, point);
        setup->states += point->states;
    }
    pair->to = setup->points;
}

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

static double bound_of(const tn_shape *shape)
{
    const double *size = shape->size;
    switch (shape->kind) {
    case TN_SPHERE:
        return size[0];
    case TN_CAPSULE:
        return size[0] + 0.5 * size[1];
    case TN_BOX:
        return 0.5 * sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    default:
        return HUGE_VAL;
    }
}

static double size_of(const tn_shape *shape)
{
    double size = shape->kind == TN_BOX ? shape->size[0] : 2.0 * shape->size[0];
    for (int e = 1; e < 3 && shape->kind == TN_BOX; e++)
        size = fmin(size, shape->size[e]);
    return shape->kind == TN_PLANE ? HUGE_VAL : size;
}

double contact_size_of(const tn_shape *one, const tn_shape *other)
{
    return fmin(size_of(one), size_of(other));
}

static tn_status refuse_kinds(const tn_host *host, const tn_shape *one, const tn_shape *other)
{
    return tn_refuse(host, "shapes",
                     "contact between `%s`, a %s, and `%s`, a %s, is not supported: " SUPPORTED, one->name,
                     kind_words[one->kind], other->name, kind_words[other->kind]);
}

static bool may_touch(const tn_shape *one, const tn_shape *other)
{
    return one->body != other->body && !(one->fixed && other->fixed);
}

/* Counts pairs and points; refuses pairs that cannot be. */
static tn_status count_pairs(const tn_host *host, contact_setup *setup, uint32_t *pairs, uint32_t *points)
{
    uint32_t wrong = 0;
    *pairs = *points = 0;
    for (uint32_t a = 0; a < setup->shapes; a++)
        for (uint32_t b = a + 1; b < setup->shapes && wrong < MOST_ERRORS; b++) {
            const tn_shape *one = setup->shape[a], *other = setup->shape[b];
            if (!may_touch(one, other)) continue;
            const uint32_t count = count_points(one, other);
            if (!count && refuse_kinds(host, one, other) != TN_OK) wrong++;
            *pairs += 1;
            *points += count;
        }
    if (wrong) return TN_INVALID;
    return *pairs ? TN_OK
                  : tn_refuse(host, "shapes",
                              "none of these shapes can touch another: they are on one body, or on bodies "
                              "that do not move");
}

static tn_status make_lists(const tn_host *host, contact_setup *setup, uint32_t pairs, uint32_t points)
{
    const size_t shapes = setup->shapes;
    setup->pair = host->allocate(host, pairs * sizeof *setup->pair);
    setup->point = host->allocate(host, points * sizeof *setup->point);
    setup->pair_of = host->allocate(host, shapes * shapes * sizeof *setup->pair_of);
    setup->bound = host->allocate(host, shapes * sizeof *setup->bound);
    if (!setup->pair || !setup->point || !setup->pair_of || !setup->bound) return TN_OUT_OF_MEMORY;
    memset(setup->pair_of, 0xff, shapes * shapes * sizeof *setup->pair_of);
    for (uint32_t a = 0; a < setup->shapes; a++) {
        setup->bound[a] = bound_of(setup->shape[a]);
        for (uint32_t b = a + 1; b < setup->shapes; b++) {
            if (!may_touch(setup->shape[a], setup->shape[b])) continue;
            setup->pair[setup->pairs] = (contact_pair){.first = a, .second = b};
            setup->pair_of[a * shapes + b] = setup->pairs;
            add_points(setup, setup->pairs++);
        }
    }
    return TN_OK;
}

/* What a penalty contact has no room for. */
static tn_status check_limits(const tn_host *host, const contact *self, const contact_setup *setup)
{
    if (self->law != CONTACT_BY_PENALTY) return TN_OK;
    if (setup->shapes > CONTACT_PENALTY_SHAPES)
        return tn_refuse(host, "shapes", "law `penalty` takes %d shapes, these are %u: use several contacts",
                         CONTACT_PENALTY_SHAPES, setup->shapes);
    if (setup->states > 32)
        return tn_refuse(
            host, "shapes",
            "bristles have 32 states, 2 for a point on a plane and 3 for others: these need %u, for %u "
            "points: use several contacts, or friction_law = \"regularised\"",
            setup->states, setup->points);
    return TN_OK;
}

tn_status contact_shapes(const tn_host *host, void *instance, uint32_t count, const tn_shape *const *shape)
{
    contact *self = instance;
    uint32_t pairs = 0, points = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!shape[k])
            return tn_refuse(host, "shapes", "number %u of these markers is none of type `shape`", k + 1);
    contact_setup *setup = host->allocate(host, sizeof *setup);
    if (!setup) return TN_OUT_OF_MEMORY;
    *setup = (contact_setup){.shapes = count, .shape = shape};
    tn_status status = count_pairs(host, setup, &pairs, &points);
    if (status == TN_OK) status = make_lists(host, setup, pairs, points);
    if (self->law != CONTACT_BY_PENALTY || self->friction_law == 0) setup->states = 0;
    if (status == TN_OK) status = check_limits(host, self, setup);
    if (status != TN_OK) return status;
    self->setup = setup;
    return find_laws(host, self);
}

tn_status contact_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    const contact *self = instance;
    const bool penalty = self->law == CONTACT_BY_PENALTY;
    layout->nd = CONTACT_DATA;
    if (!self->setup) return TN_OK;
    layout->nd += penalty ? self->setup->points : 0;
    layout->events = penalty ? 2 * self->setup->points : 0;
    layout->nx = self->setup->states;
    layout->held_states = self->setup->states > 0;
    layout->scratch = penalty ? 0 : (uint32_t)contact_scratch(self->setup);
    return TN_OK;
}

#endif
