/* pattern.c - the pattern of the matrix, and where the block of every pair of nodes stands in it
 *
 * Nodes are the bodies that move, then the instances of constraints with their rows. All columns of a node have the same
 * rows, so a block is found by its start in the first column and the length of the node's columns: entry (i, j) stands at
 * start + j length + i. */
#include "system/assembly.h"

#include <stdlib.h>
#include <string.h>

uint32_t tn_body_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg)
{
    const tn_station *station = &assembly->station[marker];
    uint32_t group = station->group, body = station->body;
    if (group == TN_NONE) {
        const uint32_t item = tn_leg_item(assembly, marker, leg);
        group = assembly->group_of[item];
        body = assembly->index_of[item];
    }
    if (!assembly->group[group].batch.layout->nv) return TN_NONE;
    return assembly->body_start[group] + body;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Nodes coupled to every node, itself included, ascending: neighbour[start[b]] ... */
typedef struct graph {
    uint32_t nodes;
    uint32_t *size, *first_row; /* [nodes] velocity coordinates or rows, and where they begin */
    size_t *start;              /* [nodes + 1] */
    uint32_t *neighbour;
} graph;

uint32_t tn_body_of_leg(const tn_assembly *assembly, const tn_group *group, size_t i, uint32_t leg)
{
    const struct tn_group_leg *l = &group->leg[leg];
    return tn_body_of(assembly, group->marker[i * group->batch.marker_count + l->marker], l->leg);
}

/* Whether a connector's forces on one body change when another one moves. Constant rows have constant reactions. */
static bool couples_bodies(const tn_group *group)
{
    return group->type->force || (group->rows && group->type->constraint_stiffness);
}

typedef void pair_visitor(graph *g, uint32_t a, uint32_t b);

/* Visits all ordered pairs of different nodes that instance i of a connector couples. */
static void visit_instance(const tn_assembly *assembly, const tn_group *group, uint32_t i,
                           pair_visitor *visit, graph *g)
{
    for (uint32_t a = 0; a < group->leg_count; a++) {
        const uint32_t row = tn_body_of_leg(assembly, group, i, a);
        if (row == TN_NONE) continue;
        if (group->rows) {
            visit(g, row, group->first_node + i);
            visit(g, group->first_node + i, row);
        }
        for (uint32_t b = 0; couples_bodies(group) && b < group->leg_count; b++) {
            const uint32_t column = tn_body_of_leg(assembly, group, i, b);
            if (column != TN_NONE && row != column) visit(g, row, column);
        }
    }
}

typedef struct coupled_visit {
    pair_visitor *visit;
    graph *g;
} coupled_visit;

static void visit_coupled(void *data, uint32_t row, uint32_t column)
{
    const coupled_visit *v = data;
    if (row != TN_NONE && column != TN_NONE && row != column) v->visit(v->g, row, column);
}

static void for_pairs(const tn_assembly *assembly, pair_visitor *visit, graph *g)
{
    tn_couplings_visit(assembly, visit_coupled, &(coupled_visit){visit, g});
    for (size_t k = 0; k < assembly->group_count; k++)
        for (uint32_t i = 0; i < assembly->group[k].batch.count; i++)
            visit_instance(assembly, &assembly->group[k], i, visit, g);
}

static void count_pair(graph *g, uint32_t a, uint32_t b)
{
    (void)a;
    g->start[b + 1]++;
}

static void enter_pair(graph *g, uint32_t a, uint32_t b) { g->neighbour[g->start[b]++] = a; }

/* Numbers the bodies that move, then the instances of constraints. */
static void number_nodes(tn_assembly *assembly, graph *g)
{
    assembly->body_start = tn_new(assembly->group_count, sizeof *assembly->body_start);
    for (size_t k = 0; k < assembly->group_count; k++) {
        assembly->body_start[k] = g->nodes;
        if (assembly->group[k].batch.layout->nv) g->nodes += assembly->group[k].batch.count;
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        assembly->group[k].first_node = g->nodes;
        if (assembly->group[k].rows) g->nodes += assembly->group[k].batch.count;
    }
}

/* `count` nodes of a size, with rows from `row` on. */
static void enter_nodes(graph *g, uint32_t first, uint32_t count, uint32_t size, uint32_t row)
{
    for (uint32_t i = 0; size && i < count; i++) {
        g->size[first + i] = size;
        g->first_row[first + i] = row + i * size;
        g->start[first + i + 1] = 1; /* itself */
    }
}

static void build_graph(tn_assembly *assembly, graph *g)
{
    number_nodes(assembly, g);
    g->size = tn_new(g->nodes, sizeof *g->size);
    g->first_row = tn_new(g->nodes, sizeof *g->first_row);
    g->start = tn_new(g->nodes + 2u, sizeof *g->start);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t count = group->batch.count;
        enter_nodes(g, assembly->body_start[k], count, group->batch.layout->nv, group->v_start);
        enter_nodes(g, group->first_node, count, group->rows, assembly->system.nv + group->row_start);
    }
    for_pairs(assembly, count_pair, g);
    for (uint32_t b = 0; b < g->nodes; b++)
        g->start[b + 1] += g->start[b];
    g->neighbour = tn_new(g->start[g->nodes], sizeof *g->neighbour);
    /* entering moves every start to the next one's: shift back afterwards */
    for (uint32_t b = 0; b < g->nodes; b++)
        g->neighbour[g->start[b]++] = b;
    for_pairs(assembly, enter_pair, g);
    memmove(g->start + 1, g->start, g->nodes * sizeof *g->start);
    g->start[0] = 0;
    /* sort, and drop what occurs twice */
    size_t used = 0, first = 0;
    for (uint32_t b = 0; b < g->nodes; b++) {
        const size_t last = g->start[b + 1], begin = used;
        qsort(g->neighbour + first, last - first, sizeof *g->neighbour, ascending);
        for (size_t k = first; k < last; k++)
            if (used == begin || g->neighbour[used - 1] != g->neighbour[k])
                g->neighbour[used++] = g->neighbour[k];
        g->start[b] = begin;
        first = last;
    }
    g->start[g->nodes] = used;
}

/* Compressed columns; own_block and column_length of every node. False beyond 2^31 entries. */
static bool build_columns(tn_assembly *assembly, const graph *g)
{
    const uint32_t n = assembly->system.nv + assembly->system.rows;
    assembly->column_length = tn_new(g->nodes, sizeof *assembly->column_length);
    assembly->own_block = tn_new(g->nodes, sizeof *assembly->own_block);
    assembly->column_start = tn_new(n + 1u, sizeof *assembly->column_start);
    size_t entries = 0;
    for (uint32_t b = 0; b < g->nodes; b++) {
        uint32_t length = 0;
        for (size_t k = g->start[b]; k < g->start[b + 1]; k++) {
            if (g->neighbour[k] == b) assembly->own_block[b] = (uint32_t)entries + length;
            length += g->size[g->neighbour[k]];
        }
        assembly->column_length[b] = length;
        for (uint32_t j = 0; j < g->size[b]; j++, entries += length)
            assembly->column_start[g->first_row[b] + j] = (int32_t)entries;
        if (entries > INT32_MAX) return false;
    }
    assembly->column_start[n] = (int32_t)entries;
    assembly->row = tn_new(entries, sizeof *assembly->row);
    int32_t *row = assembly->row;
    for (uint32_t b = 0; b < g->nodes; b++)
        for (uint32_t j = 0; j < g->size[b]; j++)
            for (size_t k = g->start[b]; k < g->start[b + 1]; k++)
                for (uint32_t i = 0; i < g->size[g->neighbour[k]]; i++)
                    *row++ = (int32_t)(g->first_row[g->neighbour[k]] + i);
    assembly->matrix = (tn_matrix){.struct_size = sizeof(tn_matrix),
                                   .size = n,
                                   .column_start = assembly->column_start,
                                   .row = assembly->row,
                                   .value = tn_new_aligned(entries, sizeof(double))};
    return true;
}

/* Where the block (row node, column node) starts; TN_NONE where one is fixed, or nothing couples them. */
static uint32_t block_start(const tn_assembly *assembly, const graph *g, uint32_t row, uint32_t column)
{
    if (row == TN_NONE || column == TN_NONE) return TN_NONE;
    uint32_t start = (uint32_t)assembly->column_start[g->first_row[column]];
    size_t k = g->start[column];
    for (; k < g->start[column + 1] && g->neighbour[k] != row; k++)
        start += g->size[g->neighbour[k]];
    return k < g->start[column + 1] ? start : TN_NONE;
}

/* The largest number of legs. */
static size_t find_blocks(tn_assembly *assembly, const graph *g)
{
    size_t most = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const uint32_t legs = group->leg_count;
        if (legs > most) most = legs;
        if (!legs) continue;
        group->block = tn_new((size_t)group->batch.count * legs * legs, sizeof *group->block);
        uint32_t *block = group->block;
        for (size_t i = 0; i < group->batch.count; i++)
            for (uint32_t a = 0; a < legs; a++)
                for (uint32_t b = 0; b < legs; b++)
                    *block++ = block_start(assembly, g, tn_body_of_leg(assembly, group, i, a),
                                           tn_body_of_leg(assembly, group, i, b));
    }
    return most;
}

static void find_borders(const tn_assembly *assembly, const graph *g, tn_group *group)
{
    struct tn_border *border = group->border =
        tn_new((size_t)group->batch.count * group->leg_count, sizeof *group->border);
    for (uint32_t i = 0; i < group->batch.count; i++)
        for (uint32_t leg = 0; leg < group->leg_count; leg++, border++) {
            const uint32_t body = tn_body_of_leg(assembly, group, i, leg), node = group->first_node + i;
            border->below = block_start(assembly, g, node, body);
            border->beside = block_start(assembly, g, body, node);
        }
}

typedef struct coupled_blocks {
    const tn_assembly *assembly;
    const graph *g;
    uint32_t *next;
} coupled_blocks;

static void enter_block(void *data, uint32_t row, uint32_t column)
{
    coupled_blocks *b = data;
    *b->next++ = block_start(b->assembly, b->g, row, column);
}

/* The bodies of all legs of the markers that instance i is made of; their number. */
static size_t list_bodies(const tn_assembly *assembly, const tn_derived *derived, size_t i, uint32_t *body)
{
    size_t count = 0;
    for (size_t k = 0; k < derived->batch.marker_count; k++) {
        const uint32_t marker = derived->marker[i * derived->batch.marker_count + k];
        for (uint32_t leg = 0; leg < tn_leg_count(assembly, marker); leg++, count++)
            if (body) body[count] = tn_body_of(assembly, marker, leg);
    }
    return count;
}

/* Blocks of markers made of others, where a connector couples their bodies: without one they carry nothing. The
 * largest number of legs. */
static size_t find_derived_blocks(const tn_assembly *assembly, const graph *g, tn_derived *derived)
{
    size_t most = 0, pairs = 0;
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t count = list_bodies(assembly, derived, i, NULL);
        if (count > most) most = count;
        pairs += count * count;
    }
    if (derived->constant) return most;
    uint32_t *body = tn_new(most, sizeof *body), *block = derived->block = tn_new(pairs, sizeof *block);
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t count = list_bodies(assembly, derived, i, body);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < count; b++)
                *block++ = block_start(assembly, g, body[a], body[b]);
    }
    free(body);
    return most;
}

/* What constraints need beside the matrix. */
static void make_row_scratch(tn_assembly *assembly)
{
    assembly->regularisation = tn_new_aligned(assembly->system.rows, sizeof(double));
    assembly->system.regularisation = assembly->regularisation;
    for (int k = 0; k < 3; k++)
        assembly->solution[k] = tn_new_aligned(assembly->matrix.size, sizeof(double));
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Memory for filling: tangents of as many instances as one call takes, Jacobians of the riders, and small matrices. */
static void make_scratch(tn_assembly *assembly, size_t legs)
{
    size_t tangent = 0, largest = 6, own = 0, probe = 0, pull_back = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t count = tn_chunk(group->batch.count), w = group->batch.wrench_size;
        const size_t nq = group->batch.layout->nq, nv = group->batch.layout->nv;
        const size_t basis = group->type->flags & TN_VECTOR_SPACE ? 0 : nq * nv + nq + nv;
        tangent = larger(tangent, count * w * group->batch.tangent_stride);
        tangent = larger(tangent, group->rows * w);
        if (group->type->body_force) tangent = larger(tangent, count * 2 * nv * nv);
        largest = larger(largest, larger(group->rows, nv));
        own = larger(own, count * (nv + basis));
        probe = larger(probe, tn_differences_size(group));
    }
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_attachments *attachments = &assembly->riders[k].attachments;
        const size_t nv = attachments->nv;
        pull_back = larger(pull_back, tn_chunk(attachments->count) * nv * nv);
    }
    assembly->tangent = tn_new_aligned(tangent, sizeof(double));
    assembly->scratch = tn_new_aligned(larger(pull_back, largest * (largest + 12)), sizeof(double));
    assembly->probe = tn_new_aligned(probe, sizeof(double));
    assembly->end = tn_new(legs, sizeof *assembly->end);
    assembly->own = tn_new_aligned(own, sizeof(double));
    if (assembly->system.rows || tn_couplings_are_direct(assembly)) make_row_scratch(assembly);
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        const size_t size = (size_t)riders->attachments.count * tn_twist_size(riders->attachments.kind) *
                            riders->attachments.nv;
        riders->jacobian = tn_new_aligned(size, sizeof(double));
        riders->derivative = tn_new_aligned(size, sizeof(double));
    }
}

tn_matrix *tn_system_pattern(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    if (assembly->matrix.value) return &assembly->matrix;
    graph g = {0};
    build_graph(assembly, &g);
    const bool good = build_columns(assembly, &g);
    if (good) {
        size_t legs = find_blocks(assembly, &g);
        for (size_t k = 0; k < assembly->group_count; k++)
            if (assembly->group[k].rows) find_borders(assembly, &g, &assembly->group[k]);
        for (size_t k = 0; k < assembly->derived_count; k++) {
            const size_t count = find_derived_blocks(assembly, &g, &assembly->derived[k]);
            if (count > legs) legs = count;
        }
        tn_couplings_visit(assembly, enter_block,
                           &(coupled_blocks){assembly, &g, tn_couplings_prepare(assembly)});
        make_scratch(assembly, legs);
        tn_derived_prepare(assembly);
    }
    free(g.size);
    free(g.first_row);
    free(g.start);
    free(g.neighbour);
    return good ? &assembly->matrix : NULL;
}
