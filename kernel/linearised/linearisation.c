/* linearisation.c - the equations of small motions about a state (see linearisation.h)
 *
 * Three matrices of the system with one coefficient each are M, D and K, bordered by G and B. */
#include "linearised/linearisation.h"

#include <string.h>

/* ---- parts of the matrix --------------------------------------------------------------------------------- */

/* Entries of one matrix of the system go to a part, and with the masses those of its borders. */
static void scatter(const tn_system *system, const tn_linearised *m, int part)
{
    const tn_matrix *A = &m->pieces.matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const bool of_row = (uint32_t)A->row[e] >= system->nv, of_multiplier = j >= system->nv;
            if (!of_row && !of_multiplier)
                m->value[part][m->place[e]] = A->value[e];
            else if (part == TN_MASS_PART && !of_multiplier)
                m->value[TN_ROW_PART][m->place[e]] = A->value[e];
            else if (part == TN_MASS_PART && !of_row)
                m->value[TN_REACTION_PART][m->place[e]] = -A->value[e];
        }
}

static tn_status fill_part(tn_assembly *assembly, tn_linearised *m, int part)
{
    const tn_matrix_request request = {.c_mass = part == TN_MASS_PART,
                                       .c_damping = part == TN_DAMPING_PART,
                                       .c_stiffness = part == TN_STIFFNESS_PART,
                                       .row_factor = 1.0};
    const tn_status status = tn_matrix_fill(assembly, &request, &m->pieces);
    if (status == TN_OK) scatter(&assembly->system, m, part);
    return status;
}

enum { PARTS = TN_REACTION_PART + 1 };

/* In the order of their numbers. */
static void list_parts(const tn_linearisation *table, const tn_sparse *part[PARTS])
{
    const tn_sparse *const all[] = {&table->mass, &table->damping,    &table->stiffness, &table->transport,
                                    &table->rows, &table->row_slopes, &table->reactions};
    memcpy(part, all, sizeof all);
}

static void clear_parts(const tn_linearised *m)
{
    const tn_sparse *part[PARTS];
    list_parts(&m->table, part);
    for (int k = 0; k < PARTS; k++)
        memset(m->value[k], 0, (size_t)part[k]->column_start[part[k]->columns] * sizeof(double));
}

static bool are_finite(const tn_system *system, const tn_linearised *m)
{
    const tn_sparse *part[PARTS];
    const size_t nv = system->nv, n = m->table.states;
    list_parts(&m->table, part);
    for (int k = 0; k < PARTS; k++)
        if (!tn_are_finite(part[k]->value, (size_t)part[k]->column_start[part[k]->columns])) return false;
    return tn_are_finite(m->force_by_state, nv * n) && tn_are_finite(m->rate_by_motion, 2 * nv * n) &&
           tn_are_finite(m->rate_by_state, n * n);
}

static tn_status find(tn_system *system, uint32_t axes)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_linearised *m = tn_linearised_of(assembly);
    const tn_statistics statistics = assembly->statistics;
    clear_parts(m);
    tn_status status = system->evaluate(system);
    for (int part = TN_MASS_PART; part <= TN_STIFFNESS_PART && status == TN_OK; part++)
        status = fill_part(assembly, m, part);
    if (status == TN_OK) status = tn_row_slopes_find(assembly, m);
    if (status == TN_OK) status = tn_state_parts_find(assembly, m);
    if (status == TN_OK) status = tn_linearised_axes(assembly, m);
    if (status == TN_OK) tn_linearised_transport(assembly, m);
    if (status == TN_OK && axes == TN_STILL_AXES) tn_linearised_turn(assembly, m);
    assembly->statistics = statistics;
    return status == TN_OK && !are_finite(system, m) ? TN_RETRY : status;
}

static void to_own_axes(tn_system *system, double *vector)
{
    const tn_linearised *m = tn_linearised_of((const tn_assembly *)system);
    for (uint32_t k = 0; k < m->triple_count; k++) {
        const uint32_t first = m->triple[k].first;
        const double *P = m->turn + 3 * (size_t)first,
                     still[3] = {vector[first], vector[first + 1], vector[first + 2]};
        for (uint32_t c = 0; c < 3; c++)
            vector[first + c] = P[c] * still[0] + P[3 + c] * still[1] + P[6 + c] * still[2];
    }
}

static const char *name_state(tn_system *system, uint32_t state, uint32_t *number)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    const tn_group *group = assembly->group;
    while (!group->batch.layout->nx || state - group->x_start >= group->batch.layout->nx * group->batch.count)
        group++;
    const uint32_t nx = group->batch.layout->nx, own = state - group->x_start;
    *number = own % nx;
    return tn_item_name(assembly->model, group->item[own / nx]);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static void make_memory(tn_assembly *assembly)
{
    tn_linearised *m = tn_assembly_new(assembly, 1, sizeof *m);
    const tn_system *system = &assembly->system;
    const size_t nv = system->nv, n = system->nx - system->quadratures;
    m->pieces.matrix = assembly->equations.matrix;
    m->pieces.matrix.value = tn_assembly_new(
        assembly, (size_t)m->pieces.matrix.column_start[m->pieces.matrix.size], sizeof(double));
    m->pieces.regularisation = tn_assembly_new(assembly, system->rows, sizeof(double));
    tn_linearised_pattern(assembly, m);
    tn_row_slopes_prepare(assembly, m);
    m->event = tn_assembly_new(assembly, system->events, sizeof(double));
    m->force_by_state = tn_assembly_new(assembly, nv * n, sizeof(double));
    m->rate_by_motion = tn_assembly_new(assembly, 2 * nv * n, sizeof(double));
    m->rate_by_state = tn_assembly_new(assembly, n * n, sizeof(double));
    tn_linearisation *table = &m->table;
    table->struct_size = sizeof *table;
    table->states = (uint32_t)n;
    table->find = find;
    table->force_by_state = m->force_by_state;
    table->rate_by_motion = m->rate_by_motion;
    table->rate_by_state = m->rate_by_state;
    table->turn = m->turn;
    table->to_own_axes = to_own_axes;
    table->rigid = m->rigid;
    table->state_owner = name_state;
    table->inexact = tn_inexact_name;
    table->switching = tn_switching_name;
    tn_state_parts_prepare(assembly, m);
    assembly->extension[TN_LINEAR_EXTENSION] = m;
}

const tn_linearisation *tn_linearisation_of(tn_assembly *assembly)
{
    if (!tn_system_pattern(&assembly->system)) return NULL;
    if (!tn_linearised_of(assembly)) (void)tn_attempt(tn_memory_now(), make_memory(assembly));
    return tn_linearised_of(assembly) ? &tn_linearised_of(assembly)->table : NULL;
}
