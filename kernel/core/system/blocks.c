/* blocks.c - where the block of every pair of nodes stands in the matrix, and memory for filling it */
#include "system/block_calls.h"
#include "system/constraints.h"
#include "system/markers.h"
#include "system/matrix.h"
#include "system/own_tangent.h"
#include "system/tangent_source.h"
#include "system/value_source.h"

#include <string.h>

/* Where these rows begin in the first column of a node; TN_NONE where some of them are not there. */
static uint32_t rows_in_column(const tn_assembly *assembly, const tn_graph *g, tn_nodes rows, uint32_t column)
{
    uint32_t start = (uint32_t)assembly->fill->column_start[g->first_row[column]];
    const size_t end = g->start[column + 1];
    size_t k = g->start[column];
    for (; k < end && g->neighbour[k] != rows.first; k++)
        start += g->size[g->neighbour[k]];
    const bool all = k + rows.count <= end && g->neighbour[k + rows.count - 1] == rows.first + rows.count - 1;
    return all ? start : TN_NONE;
}

/* The block of these nodes; none where one is fixed, or not all of them are coupled. */
static tn_matrix_block find_block(tn_assembly *assembly, const tn_graph *g, tn_nodes rows, tn_nodes columns)
{
    const tn_matrix_block none = {TN_NONE, 0};
    if (!rows.count || !columns.count) return none;
    if (columns.count == 1)
        return (tn_matrix_block){rows_in_column(assembly, g, rows, columns.first),
                                 assembly->fill->column_length[columns.first]};
    const size_t first = assembly->fill->block_column_count;
    assembly->fill->block_column =
        tn_arena_grow(&assembly->memory, assembly->fill->block_column, &assembly->fill->block_column_capacity,
                      first + columns.count, sizeof *assembly->fill->block_column);
    for (uint32_t c = 0; c < columns.count; c++) {
        const uint32_t start = rows_in_column(assembly, g, rows, columns.first + c);
        if (start == TN_NONE) return none;
        assembly->fill->block_column[first + c] = start;
    }
    assembly->fill->block_column_count = first + columns.count;
    return (tn_matrix_block){(uint32_t)first, 0};
}

/* The largest number of legs. */
static size_t find_pairs(tn_assembly *assembly, const tn_graph *g)
{
    size_t most = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const uint32_t legs = group->leg_count;
        if (legs > most) most = legs;
        if (!legs || !(group->force || (group->rows && group->type->constraint_stiffness))) continue;
        tn_matrix_block *block = group->block =
            tn_assembly_new(assembly, (size_t)group->batch.count * legs * legs, sizeof *group->block);
        for (size_t i = 0; i < group->batch.count; i++)
            for (uint32_t a = 0; a < legs; a++)
                for (uint32_t b = 0; b < legs; b++)
                    *block++ = find_block(assembly, g, tn_nodes_of_leg(assembly, group, i, a),
                                          tn_nodes_of_leg(assembly, group, i, b));
    }
    return most;
}

static void find_borders(tn_assembly *assembly, const tn_graph *g, tn_group *group)
{
    struct tn_border *border = group->border =
        tn_assembly_new(assembly, (size_t)group->batch.count * group->leg_count, sizeof *group->border);
    for (uint32_t i = 0; i < group->batch.count; i++)
        for (uint32_t leg = 0; leg < group->leg_count; leg++, border++) {
            const tn_nodes body = tn_nodes_of_leg(assembly, group, i, leg), rows = {group->first_node + i, 1};
            border->below = find_block(assembly, g, rows, body);
            border->beside = find_block(assembly, g, body, rows);
        }
}

/* The entries of large bodies by themselves. */
static void find_own_places(tn_assembly *assembly, const tn_graph *g, size_t group)
{
    const tn_own_pattern *own = assembly->group[group].own;
    const uint32_t count = assembly->group[group].batch.count;
    uint32_t *place = assembly->group[group].own_place =
        tn_assembly_new(assembly, (size_t)count * own->entries, sizeof *place);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = assembly->fill->body_start[group] + i * own->size;
        for (uint32_t e = 0; e < own->entries; e++)
            *place++ =
                rows_in_column(assembly, g, (tn_nodes){first + own->row[e], 1}, first + own->column[e]);
    }
}

static void find_rider_blocks(tn_assembly *assembly, const tn_graph *g)
{
    for (size_t k = 0; k < assembly->riders_count; k++)
        assembly->riders[k].block =
            tn_assembly_new(assembly, assembly->riders[k].attachments.count, sizeof(tn_matrix_block));
    for (uint32_t m = 0; m < assembly->model->marker_count; m++) {
        const tn_station *station = &assembly->station[m];
        if (station->group == TN_NONE || station->riders == TN_NONE) continue;
        const tn_nodes nodes = tn_nodes_of(assembly, m, 0);
        assembly->riders[station->riders].block[station->rider] = find_block(assembly, g, nodes, nodes);
    }
}

typedef struct coupled_blocks {
    tn_assembly *assembly;
    const tn_graph *g;
    tn_matrix_block *next;
} coupled_blocks;

static void enter_block(void *data, tn_nodes rows, tn_nodes columns)
{
    coupled_blocks *b = data;
    *b->next++ = find_block(b->assembly, b->g, rows, columns);
}

/* The nodes of all legs of the markers that instance i is made of; their number. */
static size_t list_nodes(const tn_assembly *assembly, const tn_derived *derived, size_t i, tn_nodes *nodes)
{
    size_t count = 0;
    for (size_t k = 0; k < derived->batch.marker_count; k++) {
        const uint32_t marker = derived->marker[i * derived->batch.marker_count + k];
        for (uint32_t leg = 0; leg < tn_leg_count(assembly, marker); leg++, count++)
            if (nodes) nodes[count] = tn_nodes_of(assembly, marker, leg);
    }
    return count;
}

/* Blocks of markers made of others, where a connector couples their bodies: without one they carry nothing. The
 * largest number of legs. */
static size_t find_derived_blocks(tn_assembly *assembly, const tn_graph *g, tn_derived *derived)
{
    size_t most = 0, pairs = 0;
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t count = list_nodes(assembly, derived, i, NULL);
        if (count > most) most = count;
        pairs += count * count;
    }
    if (derived->constant) return most;
    tn_nodes *nodes = tn_new(most, sizeof *nodes);
    tn_matrix_block *block = derived->block = tn_assembly_new(assembly, pairs, sizeof *block);
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t count = list_nodes(assembly, derived, i, nodes);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < count; b++)
                *block++ = find_block(assembly, g, nodes[a], nodes[b]);
    }
    tn_free(nodes);
    return most;
}

/* What constraints need beside the matrix. */
static void make_row_scratch(tn_assembly *assembly)
{
    assembly->equations.regularisation = tn_assembly_new(assembly, assembly->system.rows, sizeof(double));
    assembly->system.regularisation = assembly->equations.regularisation;
    for (int k = 0; k < 3; k++)
        assembly->constraints->solution[k] =
            tn_assembly_new(assembly, assembly->equations.matrix.size, sizeof(double));
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* The most coordinates, or rows, that one end of a pair has. */
static size_t find_largest_end(const tn_assembly *assembly)
{
    size_t largest = 6;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        largest = larger(largest, larger(group->rows, group->own ? 0 : group->batch.layout->nv));
    }
    for (size_t k = 0; k < assembly->riders_count; k++)
        largest = larger(largest, assembly->riders[k].attachments.columns);
    for (size_t k = 0; k < assembly->derived_count; k++)
        for (size_t l = 0; l < assembly->derived[k].leg_start[assembly->derived[k].batch.count]; l++)
            largest = larger(largest, assembly->derived[k].leg[l].columns);
    return largest;
}

/* The largest twist of a marker. */
static size_t find_largest_width(const tn_assembly *assembly)
{
    size_t largest = 6;
    for (size_t k = 0; k < assembly->model->marker_count; k++)
        largest = larger(largest, tn_twist_size(assembly->model->marker[k].kind));
    return largest;
}

static void keep_derivatives(tn_assembly *assembly, tn_riders *riders)
{
    const size_t width = tn_twist_size(riders->attachments.kind), columns = riders->attachments.columns;
    if (!riders->derivative)
        riders->derivative =
            tn_assembly_new(assembly, riders->attachments.count * width * columns, sizeof(double));
}

void tn_derivatives_keep(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++)
        keep_derivatives(assembly, &assembly->riders[k]);
}

/* Of the markers of all instances in a batch. */
static void keep_derivatives_of(tn_assembly *assembly, const uint32_t *marker, const tn_batch *batch)
{
    for (size_t k = 0; k < (size_t)batch->count * batch->marker_count; k++)
        if (assembly->station[marker[k]].group != TN_NONE && assembly->station[marker[k]].riders != TN_NONE)
            keep_derivatives(assembly, &assembly->riders[assembly->station[marker[k]].riders]);
}

static void find_needed_derivatives(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].force || assembly->group[k].batch.layout->nx)
            keep_derivatives_of(assembly, assembly->group[k].marker, &assembly->group[k].batch);
    for (size_t k = 0; k < assembly->derived_count; k++)
        keep_derivatives_of(assembly, assembly->derived[k].marker, &assembly->derived[k].batch);
}

bool tn_scratch_is_there(const tn_assembly *assembly)
{
    return assembly->fill->threads > assembly->model->thread_count;
}

void tn_scratch_make(tn_assembly *assembly)
{
    struct tn_fill_memory *fill = assembly->fill;
    const uint32_t count = assembly->model->thread_count + 1;
    tn_fill_scratch *scratch = tn_assembly_new(assembly, count, sizeof *scratch);
    for (uint32_t k = 0; k < count; k++)
        scratch[k] =
            k < fill->threads
                ? fill->scratch[k]
                : (tn_fill_scratch){.tangent = tn_assembly_new(assembly, fill->tangent_size, sizeof(double)),
                                    .product = tn_assembly_new(assembly, fill->product_size, sizeof(double)),
                                    .own = tn_assembly_new(assembly, fill->own_size, sizeof(double)),
                                    .end = tn_assembly_new(assembly, fill->end_count, sizeof(tn_end))};
    fill->scratch = scratch;
    fill->threads = count;
}

/* Memory for filling: tangents of as many instances as one call takes, Jacobians of the riders, and small matrices. */
static void make_scratch(tn_assembly *assembly, size_t legs)
{
    size_t tangent = 0, own = 0, probe = 0, pull_back = 0;
    const tn_tangent_source *tangents = assembly->services->tangents;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t count = tn_chunk(group->batch.count), w = group->batch.wrench_size;
        tangent = larger(tangent, count * w * group->batch.tangent_stride);
        tangent = larger(tangent, group->rows * w);
        if (group->type->body_force || group->type->residual)
            tangent = larger(tangent, count * tn_own_tangent_size(group));
        own = larger(own, count * tn_own_memory_size(group));
        if (tangents) probe = larger(probe, tangents->size(group));
    }
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_attachments *attachments = &assembly->riders[k].attachments;
        const size_t columns = attachments->columns, matrix = tn_twist_size(attachments->kind) * columns;
        pull_back = larger(pull_back, tn_pull_back_chunk(attachments) * columns * columns);
        tangent = larger(tangent, tn_chunk(attachments->count) * matrix);
        assembly->riders[k].jacobian = tn_assembly_new(assembly, attachments->count * matrix, sizeof(double));
    }
    find_needed_derivatives(assembly);
    const size_t largest = find_largest_end(assembly), width = find_largest_width(assembly);
    struct tn_fill_memory *fill = assembly->fill;
    fill->tangent_size = tangent;
    fill->product_size = larger(pull_back, largest * (largest + 2 * width) + 2 * width * width);
    fill->own_size = own;
    fill->end_count = legs;
    fill->probe = tn_assembly_new(assembly, probe, sizeof(double));
    tn_scratch_make(assembly);
    if (assembly->system.rows || assembly->reading.couples_directly) make_row_scratch(assembly);
}

void tn_blocks_find(tn_assembly *assembly, const tn_graph *g)
{
    size_t legs = find_pairs(assembly, g);
    if (assembly->services->blocks) assembly->services->blocks->choose_pairs(assembly);
    for (size_t k = 0; k < assembly->group_count; k++) {
        if (assembly->group[k].rows) find_borders(assembly, g, &assembly->group[k]);
        if (assembly->group[k].own) find_own_places(assembly, g, k);
    }
    find_rider_blocks(assembly, g);
    for (size_t k = 0; k < assembly->derived_count; k++)
        legs = larger(legs, find_derived_blocks(assembly, g, &assembly->derived[k]));
    if (assembly->services->values)
        assembly->services->values->visit_pairs(
            assembly, enter_block,
            &(coupled_blocks){assembly, g, assembly->services->values->make_blocks(assembly)});
    make_scratch(assembly, legs);
}
