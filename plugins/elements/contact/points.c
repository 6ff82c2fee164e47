/* points.c - law `impulse`: hands the points of contact to solvers, and keeps what they found for outputs; and what overlaps at the
 * start, by both laws */
#include "geometry.h"
#include "near.h"

#if TN_VALUES

uint32_t contact_has_points(const void *instance)
{
    return ((const contact *)instance)->law == CONTACT_BY_IMPULSE;
}

/* ---- points -------------------------------------------------------------------------------------------------- */

typedef struct taker {
    tn_contact_list *list;
    bool failed; /* centres coincide */
} taker;

/* Adds the points of a pair to the list. */
static bool add_points(contact_search *s, uint32_t one, uint32_t other, void *data)
{
    taker *to = data;
    const tn_shape *a = s->setup->shape[one], *b = s->setup->shape[other];
    const tn_marker_state first = contact_marker(s->batch, s->instance, one),
                          second = contact_marker(s->batch, s->instance, other);
    const contact_law *law = contact_law_of(s->setup, one, other);
    const uint32_t count = contact_count_points(a, b);
    for (uint32_t feature = 0; feature < count; feature++) {
        contact_place at;
        const contact_point possible = contact_make_point(a, b, feature);
        to->failed = !contact_look(&possible, &first, &second, &at);
        if (to->failed) return false;
        if (at.gap > s->margin) continue;
        tn_contact_point point = {.first = one,
                                  .second = other,
                                  .feature = feature,
                                  .gap = at.gap,
                                  .friction = law->friction,
                                  .restitution = law->restitution,
                                  .threshold = law->threshold};
        memcpy(point.position, at.position.e, sizeof point.position);
        memcpy(point.normal, at.normal.e, sizeof point.normal);
        to->list->add(to->list, &point);
    }
    return true;
}

static tn_status refuse_state(const tn_batch *batch, uint32_t instance)
{
    if (batch->failure) *batch->failure = (tn_failure){instance, TN_RETRY, CONTACT_NO_DIRECTION};
    return TN_RETRY;
}

tn_status contact_points(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list)
{
    const contact_setup *setup = ((const contact *)tn_instance(batch, instance))->setup;
    taker to = {.list = list};
    if (!setup || (batch->active && !batch->active[instance])) return TN_OK;
    (void)contact_visit_near(batch, instance, margin, add_points, &to);
    return to.failed ? refuse_state(batch, instance) : TN_OK;
}

typedef struct nearest {
    double gap;
    tn_vec3 position;
} nearest;

/* Keeps the smallest gap. Pairs that are farther apart are not visited any more. */
static bool take_nearest(contact_search *s, uint32_t one, uint32_t other, void *data)
{
    nearest *to = data;
    const tn_shape *a = s->setup->shape[one], *b = s->setup->shape[other];
    const tn_marker_state first = contact_marker(s->batch, s->instance, one),
                          second = contact_marker(s->batch, s->instance, other);
    const uint32_t count = contact_count_points(a, b);
    for (uint32_t feature = 0; feature < count; feature++) {
        contact_place at;
        const contact_point possible = contact_make_point(a, b, feature);
        if (!contact_look(&possible, &first, &second, &at) || !(at.gap < to->gap)) continue;
        *to = (nearest){at.gap, at.position};
        s->margin = at.gap;
    }
    return true;
}

double contact_smallest_gap(const tn_batch *batch, uint32_t instance, tn_vec3 *position)
{
    nearest found = {.gap = HUGE_VAL};
    (void)contact_visit_near(batch, instance, HUGE_VAL, take_nearest, &found);
    *position = found.position;
    return found.gap;
}

tn_status contact_settled(tn_batch *batch, uint32_t instance, uint32_t count, const tn_contact_point *point,
                          const double *impulse, const double *slip, double length)
{
    double *data = batch->d + (size_t)instance * batch->layout->nd;
    double normal = 0.0, tangent = 0.0, closed = 0.0, fastest = 0.0;
    tn_vec3 moment = tn_zero();
    for (uint32_t k = 0; k < count; k++) {
        const double *p = impulse + 3 * (size_t)k, *u = slip + 2 * (size_t)k;
        if (!(p[0] > 0.0)) continue;
        normal += p[0];
        tangent += hypot(p[1], p[2]);
        fastest = fmax(fastest, hypot(u[0], u[1]));
        closed += 1.0;
        moment = tn_add(moment, tn_scale(p[0], contact_vector(point[k].position)));
    }
    const double rate = length > 0.0 ? 1.0 / length : 0.0;
    data[CONTACT_NORMAL] = rate * normal;
    data[CONTACT_TANGENT] = rate * tangent;
    data[CONTACT_COUNT] = closed;
    data[CONTACT_SLIP] = fastest;
    for (int e = 0; e < 3 && normal > 0.0; e++)
        data[CONTACT_POSITION + e] = moment.e[e] / normal;
    return TN_OK;
}

/* ---- what overlaps at the start -------------------------------------------------------------------------------- */

enum { MOST_LISTED = 5, RESOLVE = 1 };
static const double
    TOUCHING = 1e-6,
    DEEP = 0.1; /* of the size of shapes: smaller depths are ignored, larger ones of penalty get a warning */

/* Pairs that overlap by more than a share of their size, as text. */
typedef struct overlaps {
    double share;
    uint32_t count;
    char *text; /* [CONTACT_TEXT] */
    size_t length;
} overlaps;

/* The largest depth of the points of a pair; 0: it is open. */
static double depth_of_pair(const contact_search *s, uint32_t one, uint32_t other)
{
    const tn_shape *a = s->setup->shape[one], *b = s->setup->shape[other];
    const tn_marker_state first = contact_marker(s->batch, s->instance, one),
                          second = contact_marker(s->batch, s->instance, other);
    const uint32_t count = contact_count_points(a, b);
    double depth = 0.0;
    for (uint32_t feature = 0; feature < count; feature++) {
        contact_place at;
        const contact_point possible = contact_make_point(a, b, feature);
        const bool apart = contact_look(&possible, &first, &second, &at); /* else the centres coincide */
        depth = fmax(depth, apart ? -at.gap : possible.radius + possible.other_radius);
    }
    return depth;
}

static bool list_overlap(contact_search *s, uint32_t one, uint32_t other, void *data)
{
    overlaps *list = data;
    const tn_shape *a = s->setup->shape[one], *b = s->setup->shape[other];
    const double depth = depth_of_pair(s, one, other);
    if (!(depth > list->share * contact_size_of(a, b)) || ++list->count > MOST_LISTED) return true;
    list->length +=
        tn_print_cut(list->text + list->length, CONTACT_TEXT - list->length, "%s`%s` and `%s` by %.3g m",
                     list->count > 1 ? ", " : "", a->name, b->name, depth);
    return true;
}

/* The text is kept, as the message of a refusal is read later. */
tn_status contact_check_start(const tn_batch *batch, uint32_t instance)
{
    const contact *self = (const contact *)tn_instance(batch, instance);
    const bool hard = self->law == CONTACT_BY_IMPULSE;
    overlaps list = {.share = hard ? TOUCHING : DEEP, .text = self->setup->text};
    list.length = tn_print_cut(list.text, CONTACT_TEXT, "shapes overlap at the start: ");
    (void)contact_visit_near(batch, instance, 0.0, list_overlap, &list);
    if (!list.count) return TN_OK;
    if (list.count > MOST_LISTED)
        list.length += tn_print_cut(list.text + list.length, CONTACT_TEXT - list.length, " and %u more pairs",
                                    list.count - MOST_LISTED);
    if (!hard || self->start == RESOLVE) {
        tn_say(batch->host, hard ? TN_NOTE : TN_WARNING, "%s%s", list.text,
               hard ? ", which the solver resolves" : ", which law `penalty` pushes apart");
        return TN_OK;
    }
    (void)tn_print_cut(list.text + list.length, CONTACT_TEXT - list.length,
                       " (start = \"resolve\" leaves that to the solver)");
    if (batch->failure) *batch->failure = (tn_failure){instance, TN_INVALID, list.text};
    return TN_INVALID;
}

#endif
