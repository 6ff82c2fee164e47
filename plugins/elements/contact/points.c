/* points.c - law `impulse`: hands the points of contact to solvers, and keeps what they found for outputs; and what overlaps at the
 * start, by both laws */
#include "geometry.h"

#if TN_VALUES

uint32_t contact_has_points(const void *instance)
{
    return ((const contact *)instance)->law == CONTACT_BY_IMPULSE;
}

static tn_marker_state marker_of(const tn_batch *batch, uint32_t instance, uint32_t marker)
{
    tn_marker_state state;
    tn_load_marker(batch->pose, batch->twist, TN_FRAME,
                   batch->marker[(size_t)instance * batch->marker_count + marker], &state, NULL);
    return state;
}

/* ---- pairs that are near ----------------------------------------------------------------------------------- */

/* Scratch memory: the shapes along x, in order, and a bit for each pair. */
typedef struct sweep {
    const tn_batch *batch;
    const contact_setup *setup;
    uint32_t instance;
    double margin;
    double *low;     /* [shapes] x - bound */
    uint32_t *order; /* [shapes] those with a bound, by `low` */
    uint64_t *near;  /* [pairs/64 + 1] */
} sweep;

size_t contact_scratch(const contact_setup *setup)
{
    return 2 * (size_t)setup->shapes + setup->pairs / 64 + 1;
}

static const double *position_of(const sweep *s, uint32_t shape)
{
    return s->batch->pose + s->batch->marker[(size_t)s->instance * s->batch->marker_count + shape].pose;
}

/* Whether the spheres about both shapes are near, a plane being a half space. */
static bool are_near(const sweep *s, uint32_t one, uint32_t other)
{
    const double *a = position_of(s, one), *b = position_of(s, other);
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    const double r = s->setup->bound[one], q = s->setup->bound[other];
    if (isfinite(r) && isfinite(q)) return x * x + y * y + z * z <= (r + q + s->margin) * (r + q + s->margin);
    const double *R = isfinite(q) ? a + 3 : b + 3; /* of the plane; its normal is the third column */
    const double height = R[2] * x + R[5] * y + R[8] * z;
    return isfinite(q) ? -height <= q + s->margin : height <= r + s->margin;
}

static void note_pair(const sweep *s, uint32_t a, uint32_t b)
{
    const uint32_t one = a < b ? a : b, other = a < b ? b : a;
    const uint32_t pair = s->setup->pair_of[(size_t)one * s->setup->shapes + other];
    if (pair != UINT32_MAX && are_near(s, one, other)) s->near[pair / 64] |= UINT64_C(1) << pair % 64;
}

/* Insertion: the order of the markers is a good one to begin with as often as any other. */
static uint32_t sort_shapes(const sweep *s)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->setup->shapes; k++) {
        if (!isfinite(s->setup->bound[k])) continue;
        s->low[k] = position_of(s, k)[0] - s->setup->bound[k];
        uint32_t to = count++;
        for (; to > 0 && s->low[s->order[to - 1]] > s->low[k]; to--)
            s->order[to] = s->order[to - 1];
        s->order[to] = k;
    }
    return count;
}

/* Marks all pairs whose gap may be at most the margin. */
static void find_near(const sweep *s)
{
    const uint32_t count = sort_shapes(s), shapes = s->setup->shapes;
    memset(s->near, 0, sizeof *s->near * (s->setup->pairs / 64 + 1));
    for (uint32_t a = 0; a < count; a++) {
        const uint32_t one = s->order[a];
        const double end = s->low[one] + 2.0 * s->setup->bound[one] + s->margin;
        for (uint32_t b = a + 1; b < count && s->low[s->order[b]] <= end; b++)
            note_pair(s, one, s->order[b]);
    }
    for (uint32_t plane = 0; plane < shapes; plane++)
        for (uint32_t k = 0; k < shapes && !isfinite(s->setup->bound[plane]); k++)
            if (k != plane) note_pair(s, plane, k);
}

/* ---- points -------------------------------------------------------------------------------------------------- */

/* False where centres coincide. */
static bool add_points(const sweep *s, uint32_t number, tn_contact_list *list)
{
    const contact_pair *pair = &s->setup->pair[number];
    const tn_marker_state first = marker_of(s->batch, s->instance, pair->first),
                          second = marker_of(s->batch, s->instance, pair->second);
    for (uint32_t p = pair->from; p < pair->to; p++) {
        contact_place at;
        if (!contact_look(&s->setup->point[p], &first, &second, &at)) return false;
        if (at.gap > s->margin) continue;
        tn_contact_point point = {.first = pair->first,
                                  .second = pair->second,
                                  .feature = s->setup->point[p].feature,
                                  .gap = at.gap,
                                  .friction = pair->law.friction,
                                  .restitution = pair->law.restitution,
                                  .threshold = pair->law.threshold};
        memcpy(point.position, at.position.e, sizeof point.position);
        memcpy(point.normal, at.normal.e, sizeof point.normal);
        list->add(list, &point);
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
    if (!setup || !setup->points || (batch->active && !batch->active[instance])) return TN_OK;
    double *low = batch->scratch;
    const sweep s = {.batch = batch,
                     .setup = setup,
                     .instance = instance,
                     .margin = margin,
                     .low = low,
                     .order = (uint32_t *)(void *)(low + setup->shapes),
                     .near = (uint64_t *)(void *)(low + 2 * (size_t)setup->shapes)};
    find_near(&s);
    for (uint32_t word = 0; word <= setup->pairs / 64; word++)
        for (uint64_t left = s.near[word]; left; left &= left - 1)
            if (!add_points(&s, 64 * word + (uint32_t)__builtin_ctzll(left), list))
                return refuse_state(batch, instance);
    return TN_OK;
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
static const double TOUCHING = 1e-6,
                    DEEP = 0.1; /* depths that are none, and too much, by the size of shapes */

static double size_of_pair(const contact_setup *setup, const contact_pair *pair)
{
    return contact_size_of(setup->shape[pair->first], setup->shape[pair->second]);
}

/* How deep the deepest point of a pair is; 0: it is open. */
static double depth_of_pair(const tn_batch *batch, uint32_t instance, const contact_setup *setup,
                            const contact_pair *pair)
{
    const tn_marker_state first = marker_of(batch, instance, pair->first),
                          second = marker_of(batch, instance, pair->second);
    double depth = 0.0;
    contact_place at;
    for (uint32_t p = pair->from; p < pair->to; p++)
        if (contact_look(&setup->point[p], &first, &second, &at)) depth = fmax(depth, -at.gap);
    return depth;
}

/* Lists the pairs that overlap by more than a share of their size; their number. */
static uint32_t list_overlaps(const tn_batch *batch, uint32_t instance, double share, char *text, size_t size)
{
    const contact_setup *setup = ((const contact *)tn_instance(batch, instance))->setup;
    uint32_t count = 0;
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < setup->pairs; k++) {
        const contact_pair *pair = &setup->pair[k];
        const double depth = depth_of_pair(batch, instance, setup, pair);
        if (!(depth > share * size_of_pair(setup, pair)) || ++count > MOST_LISTED) continue;
        length +=
            tn_print_cut(text + length, size - length, "%s`%s` and `%s` by %.3g m", count > 1 ? ", " : "",
                         setup->shape[pair->first]->name, setup->shape[pair->second]->name, depth);
    }
    if (count > MOST_LISTED)
        (void)tn_print_cut(text + length, size - length, " and %u more pairs", count - MOST_LISTED);
    return count;
}

void contact_check_start(const tn_batch *batch, uint32_t instance)
{
    char list[384];
    const contact *self = (const contact *)tn_instance(batch, instance);
    const bool hard = self->law == CONTACT_BY_IMPULSE;
    if (!list_overlaps(batch, instance, hard ? TOUCHING : DEEP, list, sizeof list)) return;
    if (!hard)
        tn_say(batch->host, TN_WARNING, "shapes overlap deeply at the start: %s", list);
    else if (self->start == RESOLVE)
        tn_say(batch->host, TN_NOTE, "shapes overlap at the start, which the solver resolves: %s", list);
    else
        (void)tn_refuse(batch->host, "start",
                        "shapes overlap at the start: %s (start = \"resolve\" leaves that to the solver)",
                        list);
}

#endif
