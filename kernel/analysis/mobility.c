/* mobility.c - what constraints leave free at a state, by name, for solvers of motions that are determined (tenon/draft/freedom.h)
 *
 * A velocity that no row resists is a combination of the columns of the rows that vanishes: the search for dependent rows
 * (rank.h), of the transposed matrix. */
#include "analysis/analysis.h"
#include "analysis/redundancy.h"
#include "extensions/motions.h"
#include "system/failure.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

enum { MOST_MOTIONS = 4 };

/* ---- what is free ---------------------------------------------------------------------------------------- */

/* The columns of the active rows, each with its length. */
typedef struct columns {
    tn_row_matrix matrix;
    double *length;
} columns;

static columns read_columns(const tn_assembly *assembly, tn_arena *memory)
{
    const tn_matrix *A = &assembly->equations.matrix;
    const uint32_t nv = assembly->system.nv;
    const uint8_t *active = tn_active_rows(assembly, memory);
    columns c = {.matrix = {.rows = nv, .columns = assembly->system.rows},
                 .length = tn_arena_array(memory, nv, sizeof *c.length)};
    c.matrix.row_start = tn_arena_array(memory, nv + 1u, sizeof *c.matrix.row_start);
    c.matrix.column = tn_arena_array(memory, (size_t)A->column_start[nv], sizeof *c.matrix.column);
    c.matrix.value = tn_arena_array(memory, (size_t)A->column_start[nv], sizeof *c.matrix.value);
    uint32_t used = 0;
    for (uint32_t j = 0; j < nv; j++) {
        double square = 0.0;
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const uint32_t row = (uint32_t)A->row[e];
            if (row < nv || !active[row - nv] || A->value[e] == 0.0) continue;
            c.matrix.column[used] = row - nv;
            c.matrix.value[used] = A->value[e] * assembly->scale[j];
            square += c.matrix.value[used] * c.matrix.value[used];
            used++;
        }
        c.length[j] = square > 0.0 ? sqrt(square) : 1.0;
        c.matrix.row_start[j + 1] = used;
    }
    return c;
}

/* The rows of an instance belong together, as the coordinates of a body do in the search for dependent rows. */
static tn_column_bodies list_instances(const tn_assembly *assembly, tn_arena *memory)
{
    uint32_t *start = tn_arena_array(memory, assembly->system.rows + 1u, sizeof *start), count = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->rows && i < group->batch.count; i++)
            start[count++] = group->row_start + i * group->rows;
    }
    start[count] = assembly->system.rows;
    return (tn_column_bodies){count, start};
}

static uint8_t *all_of(uint32_t count, tn_arena *memory)
{
    uint8_t *all = tn_arena_array(memory, count, sizeof *all);
    memset(all, 1, count);
    return all;
}

static void add_free_motions(tn_text *text, const tn_assembly *assembly, const tn_rank *free_ones,
                             const double *length, double *direction)
{
    const uint32_t nv = assembly->system.nv;
    for (uint32_t set = 0; set < free_ones->set_count && set < MOST_MOTIONS; set++) {
        memset(direction, 0, nv * sizeof *direction);
        for (uint32_t k = free_ones->set_start[set]; k < free_ones->set_start[set + 1]; k++) {
            const uint32_t j = free_ones->set_row[k];
            direction[j] = free_ones->set_value[k] / length[j] * assembly->scale[j];
        }
        tn_text_add(text, set ? "; " : "");
        tn_add_motion(text, assembly, direction, true);
    }
    if (free_ones->set_count > MOST_MOTIONS)
        tn_text_add(text, "; and %u more", free_ones->set_count - MOST_MOTIONS);
}

/* Where rows depend on each other a mechanism may only stand where it has a choice. */
static bool has_dependent_rows(tn_assembly *assembly)
{
    tn_rank rank = {0};
    const bool has = tn_redundancy_find(assembly, true, &rank) == TN_OK && rank.set_count > 0;
    tn_rank_free(&rank);
    return has;
}

/* The reason of the failure; the text is used up. */
static void keep_reason(tn_assembly *assembly, tn_text *text)
{
    (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason, "%s", text->letters);
    tn_free(text->letters);
}

static tn_status refuse_freedom(tn_assembly *assembly, const tn_rank *free_ones, const columns *c,
                                double *direction, const char *cure)
{
    tn_text text = {0};
    tn_text_add(&text, "at time %.9g s: %u degree%s of freedom %s left: ", assembly->system.time,
                free_ones->redundant, free_ones->redundant == 1 ? "" : "s",
                free_ones->redundant == 1 ? "is" : "are");
    add_free_motions(&text, assembly, free_ones, c->length, direction);
    tn_text_add(&text, "; %s", cure);
    if (has_dependent_rows(assembly))
        tn_text_add(&text, "; if this is a singular position, such as a dead point, try another one");
    keep_reason(assembly, &text);
    return TN_INVALID;
}

static tn_status find_freedom(tn_assembly *assembly, const char *cure)
{
    tn_system *system = &assembly->system;
    if (!system->nv) return TN_OK;
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    const tn_matrix_request request = tn_request_of_masses(assembly);
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_matrix_fill(assembly, &request, &assembly->equations);
    if (status != TN_OK) return system->fail(system, status, NULL, NULL);

    tn_arena memory = {0};
    tn_rank free_ones = {0};
    const columns c = read_columns(assembly, &memory);
    const tn_column_bodies instances = list_instances(assembly, &memory);
    status = tn_rank_find(&c.matrix, all_of(system->nv, &memory), &instances, assembly->redundancy.dense,
                          system->host, &free_ones);
    if (status == TN_OK && free_ones.redundant)
        status = refuse_freedom(assembly, &free_ones, &c, tn_arena_array(&memory, system->nv, sizeof(double)),
                                cure);
    tn_rank_free(&free_ones);
    tn_arena_free(&memory);
    return status;
}

static tn_status require_none(tn_system *system, const char *cure)
{
    return tn_attempt_status(find_freedom((tn_assembly *)system, cure));
}

/* ---- failures that name a direction, or rows ------------------------------------------------------------- */

static tn_status explain_direction(tn_assembly *assembly, tn_status status, const double *direction,
                                   const char *what)
{
    tn_text text = {0};
    if (assembly->failures.blame[0]) return status;
    tn_text_add(&text, "at time %.9g s: ", assembly->system.time);
    tn_add_motion(&text, assembly, direction, true);
    tn_text_add(&text, " freely: %s", what);
    keep_reason(assembly, &text);
    return status;
}

static tn_status fail_along(tn_system *system, tn_status status, const double *direction, const char *what)
{
    return tn_attempt_status(explain_direction((tn_assembly *)system, status, direction, what));
}

/* What could not be removed, the search for positions says itself. */
static tn_status explain_rows(tn_assembly *assembly, tn_status status, double *rows, const char *why,
                              const char *what)
{
    const tn_refusal *refusal = &assembly->failures.refusal;
    const bool refused = (refusal->group && refusal->message != refusal->number) || refusal->derived;
    const tn_explanation *explanation = assembly->services->explanation;
    if (refused || !explanation || assembly->failures.blame[0])
        return assembly->system.fail(&assembly->system, status, NULL, why);
    explanation->rows(assembly, why, rows, what, false);
    return status;
}

static tn_status fail_at_rows(tn_system *system, tn_status status, double *rows, const char *why,
                              const char *what)
{
    return tn_attempt_status(explain_rows((tn_assembly *)system, status, rows, why, what));
}

const tn_freedom tn_free_motions = {.struct_size = sizeof tn_free_motions,
                                    .require_none = require_none,
                                    .fail_along = fail_along,
                                    .fail_at_rows = fail_at_rows};
