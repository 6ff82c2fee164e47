/* shares.h - what a task leaves to nodes of the top.
 *
 * Several tasks add to one node of the top. Each of them does so in a room of its own behind the numbers of the nodes, which looks like the
 * node; the top adds these up in the sequence of tasks. So nobody waits for anybody, and sums have the same bits whoever comes first. */
#ifndef TENON_CHAIN_SHARES_H
#define TENON_CHAIN_SHARES_H

#include "nodes.h"

/* The room of one task for one node. */
typedef struct chain_share {
    uint32_t size, first;     /* of the node: its unknowns own[first] and on, */
    size_t value, upper;      /* its D and L, its U, */
    size_t numbers, of_upper; /* and how many there are */
    size_t at;                /* where the room for D, L and U begins, */
    uint32_t unknown;         /* and that for its unknowns */
} chain_share;

typedef struct chain_shares {
    chain_share *share; /* [count], task after task */
    size_t count, room;
    size_t numbers; /* behind those of all nodes */
    uint32_t unknowns;
    /* while they are listed: */
    size_t first;    /* of the task at work */
    size_t *of_node; /* [count of nodes] last one */
} chain_shares;

static inline void chain_shares_close(chain_shares *s)
{
    free(s->of_node);
    s->of_node = NULL;
}

static inline void chain_shares_free(chain_shares *s)
{
    chain_shares_close(s);
    free(s->share);
    *s = (chain_shares){0};
}

static inline bool chain_shares_open(chain_shares *s, const chain_nodes *nodes)
{
    *s = (chain_shares){.of_node = malloc(((size_t)nodes->count + 1) * sizeof *s->of_node)};
    for (uint32_t b = 0; s->of_node && b < nodes->count; b++)
        s->of_node[b] = SIZE_MAX;
    return s->of_node;
}

/* The task at work has one of the node. */
static inline bool chain_has_share(const chain_shares *s, uint32_t node)
{
    return s->of_node[node] != SIZE_MAX && s->of_node[node] >= s->first;
}

/* Room for the nodes of the top that a node of a task adds to. */
static inline bool chain_list_shares(chain_shares *s, const chain_nodes *nodes, const chain_node *from)
{
    for (uint32_t i = 0; i < from->rows; i++) {
        const uint32_t b = nodes->node_of[from->row[i]];
        const chain_node *node = &nodes->node[b];
        if (node->task == from->task || chain_has_share(s, b)) continue;
        if (!TN_MAKE_ROOM(s->share, s->room, s->count + 1)) return false;
        const size_t of_upper = (size_t)node->size * node->rows,
                     numbers = of_upper + (size_t)node->size * node->size;
        s->share[s->count] = (chain_share){.size = node->size,
                                           .first = node->first,
                                           .value = nodes->value[b],
                                           .upper = nodes->upper[b],
                                           .numbers = numbers,
                                           .of_upper = of_upper,
                                           .at = nodes->upper[nodes->count] + s->numbers,
                                           .unknown = s->unknowns};
        s->of_node[b] = s->count++;
        s->numbers += numbers + of_upper;
        s->unknowns += node->size;
    }
    return true;
}

/* Where a task writes what belongs to a place of node b. */
static inline size_t chain_place_in_share(const chain_shares *s, uint32_t b, size_t place)
{
    const chain_share *share = &s->share[s->of_node[b]];
    return place >= share->upper ? share->at + share->numbers + (place - share->upper)
                                 : share->at + (place - share->value);
}

/* Adds up what tasks have left, in their sequence. */
static inline void chain_add_shares(const chain_shares *s, double *value)
{
    for (const chain_share *share = s->share; share < s->share + s->count; share++) {
        const double *from = value + share->at;
        for (size_t i = 0; i < share->numbers; i++)
            value[share->value + i] += from[i];
        for (size_t i = 0; i < share->of_upper; i++)
            value[share->upper + i] += from[share->numbers + i];
    }
}

/* Likewise of a vector. */
static inline void chain_add_shares_of_vector(const chain_shares *s, const uint32_t *own,
                                              const double *shared, double *x)
{
    for (const chain_share *share = s->share; share < s->share + s->count; share++)
        for (uint32_t i = 0; i < share->size; i++)
            x[own[share->first + i]] += shared[share->unknown + i];
}

/* What the top has found, for the tasks that ask for it. */
static inline void chain_hand_out_vector(const chain_shares *s, const uint32_t *own, double *shared,
                                         const double *x)
{
    for (const chain_share *share = s->share; share < s->share + s->count; share++)
        for (uint32_t i = 0; i < share->size; i++)
            shared[share->unknown + i] = x[own[share->first + i]];
}

#endif
