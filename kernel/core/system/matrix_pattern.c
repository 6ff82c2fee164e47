/* matrix_pattern.c - the pattern of the matrix
 *
 * Nodes are the bodies that move, or the single coordinates of those that list the entries of their matrices, then the instances
 * of constraints with their rows. All columns of a node have the same rows. */
#include "system/matrix.h"
#include "system/value_source.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Whether a connector's forces on one body change when another one moves. Constant rows have constant reactions. */
static bool couples_bodies(const tn_group *group)
{
    return group->force || (group->rows && group->type->constraint_stiffness);
}

/* A walk over all pairs of different nodes. */
typedef struct pair_walk {
    void (*visit)(tn_graph *g, uint32_t a, uint32_t b);
    tn_graph *g;
} pair_walk;

static void visit_pairs(void *data, tn_nodes rows, tn_nodes columns)
{
    const pair_walk *walk = data;
    for (uint32_t a = rows.first; a < rows.first + rows.count; a++)
        for (uint32_t b = columns.first; b < columns.first + columns.count; b++)
            if (a != b) walk->visit(walk->g, a, b);
}

/* What instance i of a connector couples. A wrench on one marker changes with the coordinates of that marker in any case. */
static void visit_instance(const tn_assembly *assembly, const tn_group *group, uint32_t i, pair_walk *walk)
{
    const tn_nodes own = {group->first_node + i, 1};
    for (uint32_t a = 0; a < group->leg_count; a++) {
        const tn_nodes rows = tn_nodes_of_leg(assembly, group, i, a);
        if (!rows.count) continue;
        if (group->rows) {
            visit_pairs(walk, rows, own);
            visit_pairs(walk, own, rows);
        }
        const bool all = couples_bodies(group);
        for (uint32_t b = all ? 0 : a; b < (all ? group->leg_count : a + 1); b++)
            visit_pairs(walk, rows, tn_nodes_of_leg(assembly, group, i, b));
    }
}

/* The entries of matrices of large bodies by themselves. */
static void visit_own(const tn_assembly *assembly, size_t group, const pair_walk *walk)
{
    const tn_own_pattern *own = assembly->group[group].own;
    for (uint32_t i = 0; own && i < assembly->group[group].batch.count; i++) {
        const uint32_t first = assembly->fill->body_start[group] + i * own->size;
        for (uint32_t e = 0; e < own->entries; e++)
            if (own->row[e] != own->column[e])
                walk->visit(walk->g, first + own->row[e], first + own->column[e]);
    }
}

static void for_pairs(const tn_assembly *assembly, void (*visit)(tn_graph *, uint32_t, uint32_t), tn_graph *g)
{
    pair_walk walk = {visit, g};
    if (assembly->services->values) assembly->services->values->visit_pairs(assembly, visit_pairs, &walk);
    for (size_t k = 0; k < assembly->group_count; k++) {
        visit_own(assembly, k, &walk);
        for (uint32_t i = 0; i < assembly->group[k].batch.count; i++)
            visit_instance(assembly, &assembly->group[k], i, &walk);
    }
}

static void count_pair(tn_graph *g, TN_UNUSED uint32_t a, uint32_t b) { g->start[b + 1]++; }

static void list_pair(tn_graph *g, uint32_t a, uint32_t b) { g->neighbour[g->start[b]++] = a; }

/* Numbers the bodies that move, then the instances of constraints. */
static void number_nodes(tn_assembly *assembly, tn_graph *g)
{
    assembly->fill->body_start =
        tn_assembly_new(assembly, assembly->group_count, sizeof *assembly->fill->body_start);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        assembly->fill->body_start[k] = g->nodes;
        if (group->batch.layout->nv) g->nodes += group->batch.count * (group->own ? group->own->size : 1);
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        assembly->group[k].first_node = g->nodes;
        if (assembly->group[k].rows) g->nodes += assembly->group[k].batch.count;
    }
}

/* `count` nodes of a size, with rows from `row` on. */
static void enter_nodes(tn_graph *g, uint32_t first, uint32_t count, uint32_t size, uint32_t row)
{
    for (uint32_t i = 0; size && i < count; i++) {
        g->size[first + i] = size;
        g->first_row[first + i] = row + i * size;
        g->start[first + i + 1] = 1; /* itself */
    }
}

static void build_graph(tn_assembly *assembly, tn_graph *g)
{
    number_nodes(assembly, g);
    g->size = tn_new(g->nodes, sizeof *g->size);
    g->first_row = tn_new(g->nodes, sizeof *g->first_row);
    g->start = tn_new(g->nodes + 2u, sizeof *g->start);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t count = group->batch.count, nv = group->batch.layout->nv;
        enter_nodes(g, assembly->fill->body_start[k], group->own ? count * nv : count, group->own ? 1 : nv,
                    group->v_start);
        enter_nodes(g, group->first_node, count, group->rows, assembly->system.nv + group->row_start);
    }
    for_pairs(assembly, count_pair, g);
    for (uint32_t b = 0; b < g->nodes; b++)
        g->start[b + 1] += g->start[b];
    g->neighbour = tn_new(g->start[g->nodes], sizeof *g->neighbour);
    /* entering moves every start to the next one's: shift back afterwards */
    for (uint32_t b = 0; b < g->nodes; b++)
        g->neighbour[g->start[b]++] = b;
    for_pairs(assembly, list_pair, g);
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
static bool build_columns(tn_assembly *assembly, const tn_graph *g)
{
    const uint32_t n = assembly->system.nv + assembly->system.rows;
    assembly->fill->column_length =
        tn_assembly_new(assembly, g->nodes, sizeof *assembly->fill->column_length);
    assembly->fill->own_block = tn_assembly_new(assembly, g->nodes, sizeof *assembly->fill->own_block);
    assembly->fill->column_start = tn_assembly_new(assembly, n + 1u, sizeof *assembly->fill->column_start);
    size_t entries = 0;
    for (uint32_t b = 0; b < g->nodes; b++) {
        uint32_t length = 0;
        for (size_t k = g->start[b]; k < g->start[b + 1]; k++) {
            if (g->neighbour[k] == b) assembly->fill->own_block[b] = (uint32_t)entries + length;
            length += g->size[g->neighbour[k]];
        }
        assembly->fill->column_length[b] = length;
        for (uint32_t j = 0; j < g->size[b]; j++, entries += length)
            assembly->fill->column_start[g->first_row[b] + j] = (int32_t)entries;
        if (entries > INT32_MAX) return false;
    }
    assembly->fill->column_start[n] = (int32_t)entries;
    assembly->fill->row = tn_assembly_new(assembly, entries, sizeof *assembly->fill->row);
    int32_t *row = assembly->fill->row;
    for (uint32_t b = 0; b < g->nodes; b++)
        for (uint32_t j = 0; j < g->size[b]; j++)
            for (size_t k = g->start[b]; k < g->start[b + 1]; k++)
                for (uint32_t i = 0; i < g->size[g->neighbour[k]]; i++)
                    *row++ = (int32_t)(g->first_row[g->neighbour[k]] + i);
    assembly->equations.matrix = (tn_matrix){.struct_size = sizeof(tn_matrix),
                                             .size = n,
                                             .column_start = assembly->fill->column_start,
                                             .row = assembly->fill->row,
                                             .value = tn_assembly_new(assembly, entries, sizeof(double))};
    return true;
}

static bool build_pattern(tn_assembly *assembly)
{
    tn_graph g = {0};
    tn_supports_find(assembly);
    build_graph(assembly, &g);
    const bool good = build_columns(assembly, &g);
    if (good) {
        tn_blocks_find(assembly, &g);
        tn_derived_prepare(assembly);
    }
    tn_free(g.size);
    tn_free(g.first_row);
    tn_free(g.start);
    tn_free(g.neighbour);
    return good;
}

/* All of it, or the memory of more threads. */
static bool make_pattern(tn_assembly *assembly)
{
    if (!assembly->equations.matrix.value) return build_pattern(assembly);
    tn_scratch_make(assembly);
    return true;
}

/* In the first step that needs it, which a solver has begun. */
tn_matrix *tn_system_pattern(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    volatile bool good = assembly->equations.matrix.value && tn_scratch_is_there(assembly);
    if (good) return &assembly->equations.matrix;
    (void)tn_attempt(tn_memory_now(), good = make_pattern(assembly));
    if (!good) assembly->equations.matrix.value = NULL;
    return good ? &assembly->equations.matrix : NULL;
}
