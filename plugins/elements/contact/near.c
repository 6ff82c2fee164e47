/* near.c - pairs of shapes that are near each other (see near.h)
 *
 * Sweep and prune: shapes are sorted along one axis, and only neighbours are compared. Planes, and shapes that are much wider than most, would be
 * neighbours of all: they are in a list of their own, and are compared with all. */
#include "near.h"

#if TN_VALUES

size_t contact_scratch(const contact_setup *setup)
{
    return 2 * (size_t)setup->shapes + setup->shapes / 64 + 3;
}

tn_marker_state contact_marker(const tn_batch *batch, uint32_t instance, uint32_t marker)
{
    tn_marker_state state;
    tn_load_marker(batch->pose, batch->twist, TN_FRAME,
                   batch->marker[(size_t)instance * batch->marker_count + marker], &state, NULL);
    return state;
}

static const double *position_of(const contact_search *s, uint32_t shape)
{
    return s->batch->pose + s->batch->marker[(size_t)s->instance * s->batch->marker_count + shape].pose;
}

static bool is_wide(const contact_setup *setup, uint32_t shape)
{
    return !(setup->bound[shape] <= setup->widest);
}

/* ---- order ------------------------------------------------------------------------------------------------- */

static int find_axis(const contact_search *s)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t k = 0; k < s->setup->shapes; k++)
        for (int e = 0; e < 3 && !is_wide(s->setup, k); e++) {
            low[e] = fmin(low[e], position_of(s, k)[e]);
            high[e] = fmax(high[e], position_of(s, k)[e]);
        }
    int axis = 0;
    for (int e = 1; e < 3; e++)
        if (high[e] - low[e] > high[axis] - low[axis]) axis = e;
    return axis;
}

/* Merges sorted pieces of `length` of one list into pieces of twice that length of the other. */
static void merge(const contact_search *s, const uint32_t *from, uint32_t *to, uint32_t length)
{
    for (uint32_t start = 0; start < s->count; start += 2 * length) {
        const uint32_t rest = s->count - start, middle = start + (length < rest ? length : rest);
        const uint32_t end = start + (2 * length < rest ? 2 * length : rest);
        for (uint32_t a = start, b = middle, k = start; k < end; k++)
            to[k] = b == end || (a < middle && s->low[from[a]] <= s->low[from[b]]) ? from[a++] : from[b++];
    }
}

static void sort_shapes(contact_search *s)
{
    s->axis = find_axis(s);
    s->count = 0;
    for (uint32_t k = 0; k < s->setup->shapes; k++) {
        s->low[k] = position_of(s, k)[s->axis] - s->setup->bound[k];
        if (!is_wide(s->setup, k)) s->order[s->count++] = k;
    }
    uint32_t *from = s->order, *to = s->place;
    for (uint32_t length = 1; length < s->count; length *= 2) {
        merge(s, from, to, length);
        uint32_t *const other = from;
        from = to;
        to = other;
    }
    s->order = from;
    s->place = to;
    for (uint32_t k = 0; k < s->count; k++)
        s->place[s->order[k]] = k;
}

/* ---- neighbours -------------------------------------------------------------------------------------------- */

/* Whether the bounding spheres of both shapes are near; that of a plane is a half space. */
static bool are_near(const contact_search *s, uint32_t one, uint32_t other)
{
    const double *a = position_of(s, one), *b = position_of(s, other);
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    const double r = s->setup->bound[one], q = s->setup->bound[other];
    if (isfinite(r) && isfinite(q)) {
        const double most = fmax(r + q + s->margin, 0.0);
        return x * x + y * y + z * z <= most * most;
    }
    const double *R = isfinite(q) ? a + 3 : b + 3; /* of the plane; its normal is the third column */
    const double height = R[2] * x + R[5] * y + R[8] * z;
    return isfinite(q) ? -height <= q + s->margin : height <= r + s->margin;
}

static void note(contact_search *s, uint32_t one, uint32_t other)
{
    if (other <= one || !are_near(s, one, other)) return;
    if (!contact_may_touch(s->setup->shape[one], s->setup->shape[other])) return;
    const uint32_t word = other / 64;
    s->near[word] |= UINT64_C(1) << other % 64;
    if (word < s->first_word) s->first_word = word;
    if (word > s->last_word) s->last_word = word;
}

/* Marks the shapes of higher number that are near. */
static void find_near(contact_search *s, uint32_t one)
{
    const contact_setup *setup = s->setup;
    s->first_word = UINT32_MAX;
    s->last_word = 0;
    if (is_wide(setup, one)) {
        for (uint32_t other = one + 1; other < setup->shapes; other++)
            note(s, one, other);
        return;
    }
    for (uint32_t k = 0; k < setup->wide_count; k++)
        note(s, one, setup->wide[k]);
    const double end = s->low[one] + 2.0 * setup->bound[one] + s->margin,
                 start = s->low[one] - 2.0 * setup->widest - s->margin;
    for (uint32_t k = s->place[one] + 1; k < s->count && s->low[s->order[k]] <= end; k++)
        note(s, one, s->order[k]);
    for (uint32_t k = s->place[one]; k > 0 && s->low[s->order[k - 1]] >= start; k--)
        note(s, one, s->order[k - 1]);
}

/* Visits the marked shapes, and clears the marks. */
static bool visit_marked(contact_search *s, uint32_t one, contact_visit visit, void *data)
{
    bool goes_on = true;
    if (s->first_word == UINT32_MAX) return true;
    for (uint32_t word = s->first_word; word <= s->last_word; word++) {
        const uint64_t marks = s->near[word];
        s->near[word] = 0;
        for (uint64_t left = marks; left && goes_on; left &= left - 1)
            goes_on = visit(s, one, 64 * word + (uint32_t)__builtin_ctzll(left), data);
    }
    return goes_on;
}

bool contact_visit_near(const tn_batch *batch, uint32_t instance, double margin, contact_visit visit,
                        void *data)
{
    const contact_setup *setup = ((const contact *)tn_instance(batch, instance))->setup;
    const size_t shapes = setup->shapes;
    contact_search s = {
        .batch = batch, .setup = setup, .instance = instance, .margin = margin, .low = batch->scratch};
    s.order = (uint32_t *)(void *)(s.low + shapes);
    s.place = s.order + shapes;
    s.near = (uint64_t *)(void *)(s.low + 2 * shapes);
    memset(s.near, 0, (shapes / 64 + 1) * sizeof *s.near);
    sort_shapes(&s);
    for (uint32_t one = 0; one < setup->shapes; one++) {
        find_near(&s, one);
        if (!visit_marked(&s, one, visit, data)) return false;
    }
    return true;
}

#endif
