/* structure.c - joints and the bodies that they hold, an order of elimination, and where all blocks stand (see complement.h) */
#include "complement/complement.h"

#include <string.h>

/* Of joints and bodies; and of updates per joint, beyond which a sparse factorisation takes less time. */
enum { MOST = 64, MOST_UPDATES = 20 };

/* The graph of joints while it is eliminated. */
typedef struct graph {
    uint32_t count;
    bool joins[MOST][MOST];
    bool gone[MOST];
    uint32_t order[MOST], place[MOST];
    uint32_t updates, couplings;
} graph;

/* ---- kinds of models ----------------------------------------------------------------------------------------- */

static bool has_fitting_bodies(const tn_group *group)
{
    return !group->batch.layout->nv || (!group->own && group->batch.layout->nv <= TN_WIDE);
}

/* Rows that are equations, all of them of positions, with reactions. */
static bool has_fitting_rows(const tn_group *group)
{
    return !group->rows || (!group->unilateral && !group->batch.layout->passive_rows &&
                            group->rows <= TN_WIDE && group->batch.layout->position_rows == group->rows);
}

static bool fits(const tn_assembly *assembly)
{
    size_t joints = 0, bodies = 0;
    bool good =
        assembly->system.rows > 0 && !assembly->system.changing_masses && !assembly->reading.couples_directly;
    for (size_t k = 0; good && k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        good = has_fitting_bodies(group) && has_fitting_rows(group);
        if (group->rows) joints += group->batch.count;
        if (group->batch.layout->nv) bodies += group->batch.count;
        good = good && joints <= MOST && bodies <= MOST;
    }
    return good;
}

/* ---- joints and bodies --------------------------------------------------------------------------------------- */

static void *new_array(struct tn_complement *c, size_t count, size_t size)
{
    return tn_arena_array(&c->arena, count, size);
}

static void list_bodies(const tn_assembly *assembly, struct tn_complement *c)
{
    c->body = new_array(c, MOST, sizeof *c->body);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        for (uint32_t i = 0; nv && i < group->batch.count; i++)
            c->body[c->body_count++] =
                (tn_moved_body){group, i, nv, group->v_start + i * nv,
                                new_array(c, group->diagonal ? 1 : nv, sizeof(tn_wide))};
    }
}

/* Numbered as they come, for now. */
static void list_joints(const tn_assembly *assembly, struct tn_complement *c)
{
    c->joint = new_array(c, MOST, sizeof *c->joint);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->rows && i < group->batch.count; i++)
            c->joint[c->joint_count++] = (tn_joint){.group = group,
                                                    .instance = i,
                                                    .rows = group->rows,
                                                    .row_start = group->row_start + i * group->rows};
    }
}

static uint32_t body_at(const struct tn_complement *c, size_t v)
{
    uint32_t body = 0;
    while (v - c->body[body].v_start >= c->body[body].nv)
        body++;
    return body;
}

/* The hold of the last joint on a body, a new one at first. */
static uint32_t hold_on(struct tn_complement *c, uint32_t joint, uint32_t body)
{
    for (uint32_t k = c->hold_count; k-- > 0 && c->hold[k].joint == joint;)
        if (c->hold[k].body == body) return k;
    c->hold[c->hold_count] =
        (tn_hold_on){joint, body, new_array(c, TN_WIDE, sizeof(tn_wide)),
                     new_array(c, TN_WIDE, sizeof(tn_wide)), new_array(c, TN_WIDE, sizeof(tn_wide))};
    return c->hold_count++;
}

static void list_holds(const tn_assembly *assembly, struct tn_complement *c)
{
    size_t most = 0;
    for (uint32_t j = 0; j < c->joint_count; j++)
        most += c->joint[j].group->leg_count;
    c->hold = new_array(c, most, sizeof *c->hold);
    c->grip = new_array(c, most, sizeof *c->grip);
    for (uint32_t j = 0; j < c->joint_count; j++) {
        const tn_joint *joint = &c->joint[j];
        tn_end *end = tn_scratch(assembly)->end;
        tn_ends_of_instance(assembly, joint->group, joint->instance, end);
        for (uint32_t leg = 0; leg < joint->group->leg_count; leg++) {
            if (!end[leg].nv) continue;
            const uint32_t body = body_at(c, end[leg].v_start);
            c->grip[c->grip_count++] =
                (tn_grip){end[leg], hold_on(c, j, body), (uint32_t)end[leg].v_start - c->body[body].v_start};
        }
    }
}

/* ---- order of elimination ------------------------------------------------------------------------------------ */

static void connect(const struct tn_complement *c, graph *g)
{
    g->count = c->joint_count;
    for (uint32_t k = 0; k < c->hold_count; k++)
        for (uint32_t l = 0; l < c->hold_count; l++)
            if (c->hold[k].body == c->hold[l].body) g->joins[c->hold[k].joint][c->hold[l].joint] = true;
}

static uint32_t degree_of(const graph *g, uint32_t joint)
{
    uint32_t degree = 0;
    for (uint32_t k = 0; k < g->count; k++)
        degree += k != joint && g->joins[joint][k] && !g->gone[k];
    return degree;
}

/* Those that it joins are joined with each other from here on. */
static void take_out(graph *g, uint32_t joint)
{
    g->gone[joint] = true;
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t l = 0; l < g->count; l++)
            if (!g->gone[k] && !g->gone[l] && g->joins[joint][k] && g->joins[joint][l]) g->joins[k][l] = true;
}

/* By least degree. */
static void find_order(graph *g)
{
    for (uint32_t step = 0; step < g->count; step++) {
        uint32_t best = 0, least = MOST;
        for (uint32_t k = 0; k < g->count; k++) {
            const uint32_t degree = g->gone[k] ? MOST : degree_of(g, k);
            if (degree >= least) continue;
            least = degree;
            best = k;
        }
        g->couplings += least;
        g->updates += least * (least + 1) / 2;
        g->order[step] = best;
        g->place[best] = step;
        take_out(g, best);
    }
}

/* Joints, and what refers to them, by the order. */
static void sort_joints(struct tn_complement *c, const graph *g)
{
    tn_joint *sorted = new_array(c, c->joint_count, sizeof *sorted);
    for (uint32_t k = 0; k < c->joint_count; k++)
        sorted[k] = c->joint[g->order[k]];
    c->joint = sorted;
    for (uint32_t k = 0; k < c->hold_count; k++)
        c->hold[k].joint = g->place[c->hold[k].joint];
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

static void list_couplings(struct tn_complement *c, const graph *g)
{
    c->coupling = new_array(c, g->couplings, sizeof *c->coupling);
    for (uint32_t k = 0; k < c->joint_count; k++) {
        tn_joint *joint = &c->joint[k];
        joint->beside = c->coupling_count;
        for (uint32_t l = k + 1; l < c->joint_count; l++)
            if (g->joins[g->order[k]][g->order[l]]) c->coupling[c->coupling_count++].other = l;
        joint->behind = c->coupling_count;
        c->block_rows += (size_t)joint->rows * (1 + joint->behind - joint->beside);
    }
}

static void place_blocks(struct tn_complement *c)
{
    c->memory = new_array(c, c->block_rows, sizeof *c->memory);
    tn_wide *next = c->memory;
    for (uint32_t k = 0; k < c->joint_count; k++) {
        tn_joint *joint = &c->joint[k];
        joint->own = next;
        next += joint->rows;
        for (uint32_t b = joint->beside; b < joint->behind; b++, next += joint->rows) {
            c->coupling[b].block = next;
            c->coupling[b].divided = new_array(c, joint->rows, sizeof(tn_wide));
        }
    }
}

/* Of two joints, the first one eliminated no later. */
static tn_wide *block_of(const struct tn_complement *c, uint32_t first, uint32_t second)
{
    const tn_joint *joint = &c->joint[first];
    uint32_t b = joint->beside;
    if (first == second) return joint->own;
    while (c->coupling[b].other != second)
        b++;
    return c->coupling[b].block;
}

static void list_updates(struct tn_complement *c, const graph *g)
{
    c->update = new_array(c, g->updates, sizeof *c->update);
    for (uint32_t j = 0; j < c->joint_count; j++) {
        tn_joint *joint = &c->joint[j];
        joint->update = c->update_count;
        for (uint32_t k = joint->beside; k < joint->behind; k++)
            for (uint32_t l = k; l < joint->behind; l++)
                c->update[c->update_count++] = block_of(c, c->coupling[k].other, c->coupling[l].other);
    }
}

/* Whether both are on one body, the first one's joint being eliminated no later. */
static bool is_pair(const struct tn_complement *c, uint32_t k, uint32_t l)
{
    const tn_hold_on *first = &c->hold[k], *second = &c->hold[l];
    return first->body == second->body && first->joint <= second->joint;
}

static void list_pairs(struct tn_complement *c)
{
    for (int fills = 0; fills < 2; fills++) {
        if (fills) c->pair = new_array(c, c->pair_count, sizeof *c->pair);
        c->pair_count = 0;
        for (uint32_t k = 0; k < c->hold_count; k++)
            for (uint32_t l = 0; l < c->hold_count; l++) {
                if (!is_pair(c, k, l)) continue;
                if (fills)
                    c->pair[c->pair_count] =
                        (tn_hold_pair){k, l, block_of(c, c->hold[k].joint, c->hold[l].joint)};
                c->pair_count++;
            }
    }
}

static bool make_structure(tn_assembly *assembly, struct tn_complement *c)
{
    graph g = {0};
    list_bodies(assembly, c);
    list_joints(assembly, c);
    list_holds(assembly, c);
    connect(c, &g);
    find_order(&g);
    if (g.updates > MOST_UPDATES * g.count) return false;
    sort_joints(c, &g);
    list_couplings(c, &g);
    place_blocks(c);
    list_updates(c, &g);
    list_pairs(c);
    tn_wide **const of_joints[] = {&c->alone, &c->right, &c->rest, &c->multiplier};
    for (size_t k = 0; k < sizeof of_joints / sizeof *of_joints; k++)
        *of_joints[k] = new_array(c, c->joint_count, sizeof(tn_wide));
    c->acceleration = new_array(c, c->body_count, sizeof(tn_wide));
    c->change = new_array(c, c->body_count, sizeof(tn_wide));
    return true;
}

void tn_complement_open(tn_assembly *assembly)
{
    tn_complement_close(assembly);
    if (!fits(assembly) || !tn_system_pattern(&assembly->system)) return;
    struct tn_complement *c = tn_new(1, sizeof *c);
    assembly->complement = c;
    if (!make_structure(assembly, c)) tn_complement_close(assembly);
}

void tn_complement_close(tn_assembly *assembly)
{
    if (assembly->complement) tn_arena_free(&assembly->complement->arena);
    tn_free(assembly->complement);
    assembly->complement = NULL;
}
