/* setup.c - which shapes may touch, at which points, and by which numbers */
#include "near.h"
#include "passage.h"

#include <float.h>
#include <stdlib.h>

#if TN_VALUES

#define SUPPORTED                                                           \
    "a plane with spheres, capsules and boxes, and a sphere with spheres, " \
    "capsules and boxes (the face of a box may be a `plane` of its own)"

#define WIDE 4.0          /* the factor by which wide shapes exceed the median of all shapes */
enum { MOST_ERRORS = 5 }; /* of one kind */

static const char *const kind_words[] = {"sphere", "box", "capsule", "cylinder", "plane", "mesh"};

/* ---- the law of a pair --------------------------------------------------------------------------------------- */

static double given(double own, double of_pair, double standard)
{
    return !isnan(own) ? own : !isnan(of_pair) ? of_pair : standard;
}

/* C with C (1 + e) = log((1 + C)/(1 - e C)), between 0 and 1/e; 0 for e = 1. See law.h. It has no end where e is 0: there it is that of
 * the least restitution. */
static double loss_of(double restitution)
{
    const double e = fmax(restitution, CONTACT_LEAST_RESTITUTION);
    double low = 0.0, high = 1.0 / e;
    for (int k = 0; k < 200 && low < high && e < 1.0; k++) {
        const double C = 0.5 * (low + high), excess = log1p(C) - log1p(-e * C) - C * (1.0 + e);
        /* it is below 0 between the solution 0 and the one that is wanted */
        *(excess < 0.0 ? &low : &high) = C;
        if (C == 0.5 * (low + high)) break;
    }
    return e < 1.0 ? 0.5 * (low + high) : 0.0;
}

/* A stiffness has the unit N/m^n: it is valid only with the exponent that is given beside it. */
static tn_status check_exponent(const tn_host *host, const contact *self, const tn_material_pair *pair)
{
    const double of_pair = given(pair->exponent, CONTACT_EXPONENT, CONTACT_EXPONENT);
    if (isnan(self->stiffness) && !isnan(self->exponent) && fabs(self->exponent - of_pair) > 0.0)
        return tn_refuse(host, "exponent",
                         "the `stiffness` of [[material_pair]] is one for the exponent %g: give both here",
                         of_pair);
    if (!isnan(self->stiffness) && isnan(self->exponent) && fabs(of_pair - CONTACT_EXPONENT) > 0.0)
        return tn_refuse(host, "stiffness",
                         "the exponent %g of [[material_pair]] belongs to the stiffness there: give an "
                         "`exponent` here, too",
                         of_pair);
    return TN_OK;
}

static tn_status check_penalty(const tn_host *host, contact_law *law)
{
    if (!(law->stiffness > 0.0))
        return tn_refuse(host, NULL, "law `penalty` needs a `stiffness`, here or in [[material_pair]]");
    if (isnan(law->damping) && isnan(law->restitution))
        return tn_refuse(host, NULL,
                         "law `penalty` needs a `restitution` or a `damping`, here or in [[material_pair]]");
    if (isnan(law->damping) && !(law->threshold > 0.0))
        return tn_refuse(host, "restitution_threshold", "law `penalty` needs one above 0");
    if (law->static_friction < law->friction)
        return tn_refuse(host, "static_friction", "it is below `friction`, %g", law->friction);
    law->loss = isnan(law->damping) ? loss_of(law->restitution) : (double)NAN;
    return TN_OK;
}

/* A note, once for all materials and changes. */
static void note_least_restitution(const tn_host *host, contact_setup *setup)
{
    bool any = false;
    for (uint32_t k = 0; k < setup->materials * setup->materials; k++)
        any = any || (setup->known[k] && isnan(setup->law[k].damping) &&
                      setup->law[k].restitution < CONTACT_LEAST_RESTITUTION);
    if (any && !setup->noted_restitution)
        tn_say(host, TN_NOTE,
               "by penalty, a restitution below %g stands for %g: 0 needs a damper without end",
               CONTACT_LEAST_RESTITUTION, CONTACT_LEAST_RESTITUTION);
    setup->noted_restitution = setup->noted_restitution || any;
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
    *law = (contact_law){
        .friction = given(self->friction, of->friction, 0.0),
        .restitution =
            own ? self->restitution : given(self->restitution, of->restitution, penalty ? (double)NAN : 0.0),
        .threshold = given(self->restitution_threshold, of->restitution_threshold, 0.01),
        .stiffness = given(self->stiffness, of->stiffness, 0.0),
        .exponent =
            given(isnan(self->stiffness) ? of->exponent : self->exponent, (double)NAN, CONTACT_EXPONENT),
        .damping = own ? self->damping : of->damping};
    law->static_friction = given(self->static_friction,
                                 isnan(self->friction) ? of->static_friction : (double)NAN, law->friction);
    if (!penalty && isnan(law->restitution)) law->restitution = given(of->restitution, 0.0, 0.0);
    const tn_status status = penalty ? check_exponent(host, self, of) : TN_OK;
    return penalty && status == TN_OK ? check_penalty(host, law) : status;
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

/* Refuses a pair of materials without law, with the name that was probably meant. */
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

const contact_law *contact_law_of(const contact_setup *setup, uint32_t one, uint32_t other)
{
    return &setup->law[setup->material[one] * setup->materials + setup->material[other]];
}

/* The law of two materials, from the first two shapes of theirs that may touch. */
static tn_status find_law_of(const tn_host *host, const contact *self, uint32_t one, uint32_t other)
{
    const contact_setup *setup = self->setup;
    const uint32_t M = setup->materials, a = setup->material[one], b = setup->material[other];
    const tn_shape *first = setup->shape[one], *second = setup->shape[other];
    const tn_materials *materials = host->extension(host, TN_MATERIALS_KEY);
    const tn_material_pair *known =
        materials ? materials->pair(host, first->material, second->material) : NULL;
    setup->known[a * M + b] = setup->known[b * M + a] = 1;
    if (!known && !needs_no_pair(self)) return refuse_pair(host, first, second);
    const tn_status status = find_law(host, self, known, &setup->law[a * M + b]);
    setup->law[b * M + a] = setup->law[a * M + b];
    return status;
}

static tn_status find_laws(const tn_host *host, const contact *self)
{
    const contact_setup *setup = self->setup;
    const uint32_t M = setup->materials;
    uint32_t wrong = 0;
    memset(setup->known, 0, (size_t)M * M);
    for (uint32_t a = 0; a < setup->shapes; a++)
        for (uint32_t b = a + 1; b < setup->shapes && wrong < MOST_ERRORS; b++)
            if (!setup->known[setup->material[a] * M + setup->material[b]] &&
                contact_may_touch(setup->shape[a], setup->shape[b]))
                wrong += find_law_of(host, self, a, b) != TN_OK;
    if (wrong) return TN_INVALID;
    if (self->law == CONTACT_BY_PENALTY) note_least_restitution(host, self->setup);
    return TN_OK;
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
uint32_t contact_count_points(const tn_shape *one, const tn_shape *other)
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

contact_point contact_make_point(const tn_shape *one, const tn_shape *other, uint32_t feature)
{
    const bool second = !is_ball_of(one, other);
    contact_point point = {.ball_second = second, .feature = feature};
    place_ball(second ? other : one, feature, &point);
    place_other(second ? one : other, &point);
    return point;
}

/* All possible points of a pair. */
static void add_points(contact_setup *setup, uint32_t number)
{
    contact_pair *pair = &setup->pair[number];
    const tn_shape *one = setup->shape[pair->first], *other = setup->shape[pair->second];
    const uint32_t count = contact_count_points(one, other);
    pair->from = setup->points;
    for (uint32_t feature = 0; feature < count; feature++) {
        contact_point *point = &setup->point[setup->points++];
        *point = contact_make_point(one, other, feature);
        point->pair = number;
        point->state = setup->states;
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

bool contact_may_touch(const tn_shape *one, const tn_shape *other)
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
            if (!contact_may_touch(one, other)) continue;
            const uint32_t count = contact_count_points(one, other);
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

static bool same_material(const tn_shape *one, const tn_shape *other)
{
    if (!one->material || !other->material) return one->material == other->material;
    return strcmp(one->material, other->material) == 0;
}

/* Numbers materials in the order of their first shapes. */
static tn_status make_materials(const tn_host *host, contact_setup *setup)
{
    setup->material = host->allocate(host, setup->shapes * sizeof *setup->material);
    uint32_t *first = host->allocate(host, setup->shapes * sizeof *first);
    if (!setup->material || !first) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < setup->shapes; k++) {
        uint32_t m = 0;
        while (m < setup->materials && !same_material(setup->shape[first[m]], setup->shape[k]))
            m++;
        if (m == setup->materials) first[setup->materials++] = k;
        setup->material[k] = m;
    }
    const size_t laws = (size_t)setup->materials * setup->materials;
    setup->law = host->allocate(host, laws * sizeof *setup->law);
    setup->known = host->allocate(host, laws);
    return setup->law && setup->known ? TN_OK : TN_OUT_OF_MEMORY;
}

static int compare_numbers(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Finds wide shapes, which would be near to most others. */
static tn_status list_wide(const tn_host *host, contact_setup *setup)
{
    double *bound = host->allocate(host, setup->shapes * sizeof *bound);
    setup->bound = host->allocate(host, setup->shapes * sizeof *setup->bound);
    setup->wide = host->allocate(host, setup->shapes * sizeof *setup->wide);
    if (!bound || !setup->bound || !setup->wide) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < setup->shapes; k++)
        bound[k] = setup->bound[k] = bound_of(setup->shape[k]);
    qsort(bound, setup->shapes, sizeof *bound, compare_numbers);
    const double most = fmin(WIDE * bound[setup->shapes / 2], DBL_MAX);
    for (uint32_t k = 0; k < setup->shapes; k++)
        if (setup->bound[k] <= most)
            setup->widest = fmax(setup->widest, setup->bound[k]);
        else
            setup->wide[setup->wide_count++] = k;
    return TN_OK;
}

static tn_status list_pairs(const tn_host *host, contact_setup *setup, uint32_t pairs, uint32_t points)
{
    setup->pair = host->allocate(host, pairs * sizeof *setup->pair);
    setup->point = host->allocate(host, points * sizeof *setup->point);
    if (!setup->pair || !setup->point) return TN_OUT_OF_MEMORY;
    for (uint32_t a = 0; a < setup->shapes; a++)
        for (uint32_t b = a + 1; b < setup->shapes; b++) {
            if (!contact_may_touch(setup->shape[a], setup->shape[b])) continue;
            setup->pair[setup->pairs] =
                (contact_pair){.first = a, .second = b, .law = contact_law_of(setup, a, b)};
            add_points(setup, setup->pairs++);
        }
    return TN_OK;
}

/* What a penalty contact has no room for. */
static tn_status check_shapes(const tn_host *host, const contact_setup *setup)
{
    if (setup->shapes <= CONTACT_PENALTY_SHAPES) return TN_OK;
    return tn_refuse(host, "shapes", "law `penalty` takes %d shapes, these are %u: use several contacts",
                     CONTACT_PENALTY_SHAPES, setup->shapes);
}

static tn_status check_bristles(const tn_host *host, const contact_setup *setup)
{
    if (setup->states <= 32) return TN_OK;
    return tn_refuse(
        host, "shapes",
        "bristles have 32 states, 2 for a point on a plane and 3 for others: these need %u, for %u "
        "points: use several contacts, or friction_law = \"regularised\"",
        setup->states, setup->points);
}

tn_status contact_shapes(const tn_host *host, void *instance, uint32_t count, const tn_shape *const *shape)
{
    contact *self = instance;
    const bool penalty = self->law == CONTACT_BY_PENALTY;
    uint32_t pairs = 0, points = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!shape[k])
            return tn_refuse(host, "shapes", "number %u of these markers is none of type `shape`", k + 1);
    contact_setup *setup = host->allocate(host, sizeof *setup);
    if (!setup) return TN_OUT_OF_MEMORY;
    *setup = (contact_setup){.shapes = count, .shape = shape, .text = host->allocate(host, CONTACT_TEXT)};
    if (!setup->text) return TN_OUT_OF_MEMORY;
    tn_status status = count_pairs(host, setup, &pairs, &points);
    if (status == TN_OK && penalty) status = check_shapes(host, setup);
    if (status == TN_OK) status = make_materials(host, setup);
    if (status == TN_OK) status = list_wide(host, setup);
    if (status == TN_OK && penalty) status = list_pairs(host, setup, pairs, points);
    if (!penalty || self->friction_law == 0) setup->states = 0;
    if (status == TN_OK) status = check_bristles(host, setup);
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
    layout->nd += penalty ? (1 + CONTACT_PLACE) * self->setup->points : 0;
    layout->events = penalty ? 2 * self->setup->points : 0;
    layout->nx = self->setup->states;
    layout->held_states = self->setup->states > 0;
    layout->scratch = (uint32_t)contact_scratch(self->setup);
    return TN_OK;
}

#endif
