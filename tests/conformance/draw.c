/* draw.c - random scenes: every allowed combination of markers, random instances on random markers */
#include "scene.h"

#include <string.h>

enum { LARGEST_GAP = 5, LARGEST_TWIST = 6 };

/* Smallest and largest tried number of markers in a port. */
static uint32_t most_in(const tn_port *port)
{
    const uint32_t most = port->maximum < TN_MOST_PER_PORT ? port->maximum : TN_MOST_PER_PORT;
    return most > port->minimum ? most : port->minimum;
}

/* The kind of a marker that a port leaves open: there are two of them. */
static uint32_t choose_kind(uint32_t open, bool second)
{
    if (open == TN_NODE) return second ? TN_NODE_OF(6) : TN_NODE_OF(3);
    return second ? TN_FRAME : TN_POINT;
}

/* Lays out the combination with `counts` markers per port; bit j of `frames` makes the j-th marker of ports
 * for any kind a frame, and of ports for any node a larger one. Returns the number of such markers. */
static uint32_t combine(const tn_port *ports, const uint32_t *counts, uint32_t frames, tn_combination *c)
{
    uint32_t any = 0;
    *c = (tn_combination){0};
    for (const tn_port *port = ports; port && port->name && c->ports < TN_MOST_PORTS; port++) {
        for (uint32_t k = 0; k < counts[c->ports] && c->count < TN_MOST_MARKERS; k++)
            c->kind[c->count++] = port->kind != TN_ANY && port->kind != TN_NODE
                                      ? port->kind
                                      : choose_kind(port->kind, (frames >> any++ & 1u) != 0u);
        c->port_first[++c->ports] = c->count;
    }
    return any;
}

/* Sizes that the type asks for, for this instance on these ports. */
static bool lay_out(tn_trial *trial, const void *instance, const tn_combination *ports, tn_layout *layout)
{
    *layout = (tn_layout){.struct_size = sizeof *layout,
                          .marker_count = ports->count,
                          .marker_kind = ports->kind,
                          .port_first = ports->port_first};
    return !trial->type->layout || trial->type->layout(&trial->host, instance, layout) == TN_OK;
}

static bool too_close(const tn_scene *s, uint32_t i, uint32_t k)
{
    for (uint32_t other = 0; other < k; other++) {
        if (tn_added(s->ports->kind[k]) != 3 || tn_added(s->ports->kind[other]) != 3) continue;
        const tn_vec3 a = tn_read_vector(tn_scene_pose(s, i, k));
        const tn_vec3 b = tn_read_vector(tn_scene_pose(s, i, other));
        if (tn_norm(tn_subtract(a, b)) < 0.5) return true;
    }
    return false;
}

static void draw_markers(tn_trial *trial, const tn_scene *s, uint32_t i)
{
    for (uint32_t k = 0; k < s->ports->count; k++) {
        const uint32_t kind = s->ports->kind[k];
        double *pose = tn_scene_pose(s, i, k), *twist = tn_scene_twist(s, i, k);
        do {
            for (uint32_t e = 0; e < tn_added(kind); e++)
                pose[e] = tn_draw_between(trial, -2.0, 2.0);
        } while (too_close(s, i, k));
        if (kind == TN_FRAME) tn_write_matrix(pose + 3, tn_draw_rotation(trial));
        for (uint32_t e = 0; e < tn_twist_size(kind); e++)
            twist[e] = tn_draw_between(trial, -2.0, 2.0);
    }
}

/* Spreads the markers over the arrays of poses and twists. */
static void place_markers(tn_trial *trial, tn_scene *s)
{
    const size_t markers = (size_t)s->count * s->ports->count;
    tn_marker_place *places = tn_take(trial, markers * sizeof *places);
    uint32_t pose = 0, twist = 0;
    for (size_t m = 0; m < markers; m++) {
        const uint32_t kind = s->ports->kind[m % s->ports->count];
        pose += tn_draw_below(trial, LARGEST_GAP + 1);
        twist += tn_draw_below(trial, LARGEST_GAP + 1);
        places[m] = (tn_marker_place){pose, twist};
        pose += tn_pose_size(kind);
        twist += tn_twist_size(kind);
    }
    s->places = places;
    s->poses = pose;
    s->twists = twist;
    s->pose = tn_take_nan(trial, pose);
    s->twist = tn_take_nan(trial, twist);
}

static void take_states(tn_trial *trial, tn_scene *s)
{
    const tn_layout *l = &s->layout;
    const uint32_t W = s->wrench_size, parameters = s->dynamics.columns;
    s->columns[0] = (tn_column_block){TN_POSE_COLUMNS, 0, W};
    s->columns[1] = (tn_column_block){TN_TWIST_COLUMNS, W, W};
    s->columns[2] = (tn_column_block){TN_PARAMETER_COLUMNS, 2 * W, parameters};
    s->columns[3] = (tn_column_block){TN_STATE_COLUMNS, 2 * W + parameters, l->nx};
    s->columns[4] = (tn_column_block){TN_ALGEBRAIC_COLUMNS, 2 * W + parameters + l->nx, l->ns};
    s->x = tn_draw_numbers(trial, (size_t)s->count * l->nx, 2.0);
    s->s = tn_draw_numbers(trial, (size_t)s->count * l->ns, 2.0);
    s->lambda = tn_draw_numbers(trial, (size_t)s->count * (l->position_rows + l->velocity_rows), 2.0);
    s->d = tn_take(trial, sizeof(double) * s->count * l->nd);
}

/* Discrete data have no meaning but the one that the type gives them, at the start and then at accepted steps. */
static void start_discrete(tn_trial *trial, const tn_scene *s, uint32_t i)
{
    const tn_layout *l = &s->layout;
    if (!trial->type->initial || l->nd == 0) return;
    struct tn_block *mark = tn_mark(trial);
    double *q = tn_take(trial, l->nq * sizeof *q), *v = tn_take(trial, l->nv * sizeof *v);
    double *x = tn_take(trial, l->nx * sizeof *x), *a = tn_take(trial, l->ns * sizeof *a);
    (void)trial->type->initial(&trial->host, tn_instance_at(s->instances, i), q, v, x, a, s->d + i * l->nd);
    tn_release(trial, mark);
}

static bool same_sizes(const tn_layout *a, const tn_layout *b)
{
    return a->nq == b->nq && a->nv == b->nv && a->nx == b->nx && a->ns == b->ns && a->nd == b->nd &&
           a->position_rows == b->position_rows && a->velocity_rows == b->velocity_rows &&
           a->events == b->events && a->passive_rows == b->passive_rows && a->held_states == b->held_states;
}

/* Draws instance i until the type accepts it on these ports and has a force there. */
static bool draw_item(tn_trial *trial, tn_scene *s, uint32_t i)
{
    for (int attempt = 0; attempt < TN_ATTEMPTS; attempt++) {
        void *instance = tn_instance_at(s->instances, i);
        tn_layout layout;
        if (!tn_draw_instance(trial, s->callables, instance)) return false;
        if (!lay_out(trial, instance, s->ports, &layout)) continue;
        if (!s->x) {
            s->layout = layout;
            take_states(trial, s);
        }
        if (!same_sizes(&layout, &s->layout)) continue;
        start_discrete(trial, s, i);
        draw_markers(trial, s, i);

        double wrench[TN_MOST_MARKERS * LARGEST_TWIST];
        const tn_scene one = tn_scene_part(s, i, 1);
        if (!tn_scene_find_unknowns(&one)) continue;
        if (tn_scene_try_force(&one, wrench) == TN_OK) return tn_scene_accept(&one);
    }
    return false;
}

/* False when the type refuses the combination. */
static bool draw_scene(tn_trial *trial, const tn_combination *ports, bool callables, tn_dynamics dynamics,
                       tn_scene *s)
{
    *s = (tn_scene){.trial = trial,
                    .type = trial->type,
                    .callables = callables,
                    .count = TN_SAMPLES,
                    .ports = ports,
                    .dynamics = dynamics,
                    .instances = tn_take_instances(trial, TN_SAMPLES),
                    .time = tn_draw_between(trial, 0.0, 2.0)};
    for (uint32_t k = 0; k < ports->count; k++)
        s->wrench_size += tn_twist_size(ports->kind[k]);
    tn_write_vector(s->gravity, tn_draw_vector(trial, 10.0));
    place_markers(trial, s);
    for (uint32_t i = 0; i < s->count; i++)
        if (!draw_item(trial, s, i)) return false;
    return true;
}

/* Says which markers and parameters are in hand, for messages. */
static void describe(tn_trial *trial, const tn_combination *ports, bool callables, int choice)
{
    static const char *const kinds[] = {"point", "frame", "coordinate", "node"};
    static const char *const dynamics[] = {"", ", all dynamic", ", some dynamic"};
    char markers[128] = "";
    size_t used = 0;
    for (uint32_t k = 0, port = 0; k < ports->count && used < sizeof markers; k++) {
        const uint32_t before = port;
        while (k >= ports->port_first[port + 1])
            port++;
        const int more = snprintf(markers + used, sizeof markers - used, "%s%s",
                                  port > before ? " / "
                                  : k > 0       ? " "
                                                : "",
                                  kinds[ports->kind[k] & 0xff]);
        used += more > 0 ? (size_t)more : 0;
    }
    (void)snprintf(trial->setting, sizeof trial->setting, "%s%s%s", markers, callables ? ", callable" : "",
                   dynamics[choice]);
}

/* All settings of one combination; returns how many the type accepts. */
static size_t check_combination(tn_trial *trial, const tn_combination *ports, int choices,
                                tn_scene_check check)
{
    size_t accepted = 0;
    for (int callables = 0; callables <= (tn_has_callable(trial->type) ? 1 : 0); callables++)
        for (int choice = 0; choice < choices; choice++) {
            const tn_dynamics dynamics = tn_choose_dynamics(trial->type, (tn_dynamic_choice)choice);
            if (choice != TN_NO_DYNAMICS && dynamics.count == 0) continue;
            struct tn_block *mark = tn_mark(trial);
            tn_scene scene;
            describe(trial, ports, callables != 0, choice);
            if (draw_scene(trial, ports, callables != 0, dynamics, &scene)) {
                accepted++;
                check(trial, &scene);
            }
            tn_release(trial, mark);
        }
    return accepted;
}

void tn_for_each_scene(tn_trial *trial, int choices, tn_scene_check check)
{
    const tn_port *ports = trial->type->ports;
    uint32_t counts[TN_MOST_PORTS] = {0}, port = 0;
    size_t accepted = 0;
    for (uint32_t p = 0; p < TN_MOST_PORTS && ports && ports[p].name; p++)
        counts[p] = ports[p].minimum;
    do {
        tn_combination combination;
        const uint32_t any = combine(ports, counts, 0, &combination);
        for (uint32_t frames = 0; frames < 1u << any; frames++) {
            (void)combine(ports, counts, frames, &combination);
            accepted += check_combination(trial, &combination, choices, check);
        }
        /* the next numbers of markers, counted up like digits */
        for (port = 0; port < combination.ports; port++) {
            if (counts[port]++ < most_in(&ports[port])) break;
            counts[port] = ports[port].minimum;
        }
        if (port == combination.ports) break;
    } while (true);
    if (!accepted) tn_fail(trial, "no combination of markers is accepted; last refusal: %s", trial->refusal);
}
