/* mobility.c - what constraints leave free at a state, by name, for solvers of motions that are determined (tenon/draft/freedom.h)
 *
 * A velocity that no row resists is a combination of the columns of the rows that vanishes: the search for dependent rows
 * (rank.h), of the transposed matrix. */
#define _GNU_SOURCE
#include "analysis/analysis.h"
#include "analysis/redundancy.h"
#include "base/text.h"
#include "config/printed_text.h"
#include "system/failure.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

#define MAIN_PART 0.9999    /* of a vector along one axis, from which it is called by that axis */
#define SMALLEST_TURN 1e-6  /* of the largest part of a motion, that is still a turn */
#define SMALLEST_SHARE 0.01 /* of the largest part of a motion: smaller ones are not named */
enum { MOST_MOTIONS = 6, MOST_OTHERS = 3 };

/* ---- a direction in words -------------------------------------------------------------------------------- */

/* One body, and what it does in a direction: sizes of its turn and of its way, against its scales. */
typedef struct part {
    const tn_group *group;
    uint32_t instance;
    double turn, way;
} part;

static char kind_of(const tn_group *group, uint32_t instance, uint32_t coordinate)
{
    const char *unit = tn_velocity_unit(group->type, tn_instance(&group->batch, instance), coordinate);
    return strcmp(unit, "rad") == 0 ? 'r' : 'm';
}

static part part_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance,
                    const double *direction)
{
    const uint32_t nv = group->batch.layout->nv, start = group->v_start + instance * nv;
    part found = {group, instance, 0.0, 0.0};
    for (uint32_t k = 0; k < nv; k++) {
        const double size = fabs(direction[start + k]) / assembly->scale[start + k];
        double *largest = kind_of(group, instance, k) == 'r' ? &found.turn : &found.way;
        *largest = fmax(*largest, size);
    }
    return found;
}

static double size_of(const part *p) { return fmax(p->turn, p->way); }

/* The body that moves most. */
static part largest_part(const tn_assembly *assembly, const double *direction)
{
    part most = {0};
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->batch.layout->nv && i < group->batch.count; i++) {
            const part p = part_of(assembly, group, i, direction);
            if (size_of(&p) > size_of(&most)) most = p;
        }
    }
    return most;
}

static void forget_part(const part *p, double *direction)
{
    const uint32_t nv = p->group->batch.layout->nv;
    memset(direction + p->group->v_start + p->instance * nv, 0, nv * sizeof *direction);
}

static void print_axis(FILE *stream, const double *e, const char *word, const char *of)
{
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    for (int k = 0; k < 3; k++)
        if (fabs(e[k]) > MAIN_PART * length) {
            (void)fprintf(stream, " %s %c%s", word, "xyz"[k], of);
            return;
        }
    (void)fprintf(stream, " %s (%.3g, %.3g, %.3g)%s", word, e[0] / length, e[1] / length, e[2] / length, of);
}

/* "turn about z of its axes", "move along x", by the coordinates of its kind. */
static void print_motion(FILE *stream, const tn_assembly *assembly, const part *p, const double *direction)
{
    const uint32_t nv = p->group->batch.layout->nv, start = p->group->v_start + p->instance * nv;
    const bool turns = p->turn > SMALLEST_TURN * p->way;
    const char kind = turns ? 'r' : 'm';
    uint32_t first = 0, count = 0;
    for (uint32_t k = nv; k-- > 0;)
        if (kind_of(p->group, p->instance, k) == kind) {
            first = k;
            count++;
        }
    (void)fputs(turns ? "turn" : "move", stream);
    const bool is_vector = count == 3 && (!turns || assembly->system.angular[start + first]);
    if (is_vector)
        print_axis(stream, direction + start + first, turns ? "about" : "along", turns ? " of its axes" : "");
    else if (nv > 1)
        (void)fprintf(stream, " in its coordinates v");
}

static void print_name(FILE *stream, const tn_assembly *assembly, const part *p)
{
    const tn_model *model = assembly->model;
    const uint32_t item = p->group->item[p->instance];
    const tn_place place = model->item[item].origin->at->place;
    (void)fprintf(stream, "%s `%s` (%s:%u:%u)", p->group->type->name, tn_item_name(model, item), place.file,
                  place.line, place.column);
}

/* The bodies that move with the first one; the direction is used up. */
static void print_others(FILE *stream, const tn_assembly *assembly, const part *first, double *direction)
{
    const double least = SMALLEST_SHARE * size_of(first);
    part p = *first;
    for (int k = 0; k <= MOST_OTHERS; k++) {
        forget_part(&p, direction);
        p = largest_part(assembly, direction);
        if (!p.group || size_of(&p) < least) break;
        if (k == MOST_OTHERS)
            (void)fputs(", ...", stream);
        else
            (void)fprintf(stream, "%s `%s`", k ? "," : ", and with it",
                          tn_item_name(assembly->model, p.group->item[p.instance]));
    }
}

/* "rigid_body `bar` (model.toml:5:1) can turn about z of its axes"; the direction is used up. */
static void print_direction(FILE *stream, const tn_assembly *assembly, const char *can, double *direction)
{
    const part first = largest_part(assembly, direction);
    if (!first.group) return;
    print_name(stream, assembly, &first);
    (void)fprintf(stream, " %s ", can);
    print_motion(stream, assembly, &first, direction);
    print_others(stream, assembly, &first, direction);
}

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

static void print_free_motions(FILE *stream, const tn_assembly *assembly, const tn_rank *free_ones,
                               const double *length, double *direction)
{
    const uint32_t nv = assembly->system.nv;
    for (uint32_t set = 0; set < free_ones->set_count && set < MOST_MOTIONS; set++) {
        memset(direction, 0, nv * sizeof *direction);
        for (uint32_t k = free_ones->set_start[set]; k < free_ones->set_start[set + 1]; k++) {
            const uint32_t j = free_ones->set_row[k];
            direction[j] = free_ones->set_value[k] / length[j] * assembly->scale[j];
        }
        (void)fputs(set ? "; " : "", stream);
        print_direction(stream, assembly, "can still", direction);
    }
    if (free_ones->set_count > MOST_MOTIONS)
        (void)fprintf(stream, "; and %u more", free_ones->set_count - MOST_MOTIONS);
}

/* Where rows depend on each other a mechanism may only stand where it has a choice. */
static bool has_dependent_rows(tn_assembly *assembly)
{
    tn_rank rank = {0};
    const bool has = tn_redundancy_find(assembly, true, &rank) == TN_OK && rank.set_count > 0;
    tn_rank_free(&rank);
    return has;
}

static tn_status refuse_freedom(tn_assembly *assembly, const tn_rank *free_ones, const columns *c,
                                double *direction, const char *cure)
{
    tn_text_file stream;
    tn_text_file_open(&stream);
    (void)fprintf(stream.file, "at time %.9g s: %u degree%s of freedom %s left: ", assembly->system.time,
                  free_ones->redundant, free_ones->redundant == 1 ? "" : "s",
                  free_ones->redundant == 1 ? "is" : "are");
    print_free_motions(stream.file, assembly, free_ones, c->length, direction);
    (void)fprintf(stream.file, "; %s", cure);
    if (has_dependent_rows(assembly))
        (void)fputs("; if this is a singular position, such as a dead point, try another one", stream.file);
    char *text = tn_text_file_close(&stream);
    (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason, "%s", text);
    tn_free(text);
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
    tn_text_file stream;
    double *moves = tn_new(assembly->system.nv, sizeof *moves);
    memcpy(moves, direction, assembly->system.nv * sizeof *moves);
    tn_text_file_open(&stream);
    (void)fprintf(stream.file, "at time %.9g s: ", assembly->system.time);
    print_direction(stream.file, assembly, "could", moves);
    (void)fprintf(stream.file, ": %s", what);
    char *text = tn_text_file_close(&stream);
    tn_free(moves);
    if (!assembly->failures.blame[0])
        (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason, "%s", text);
    tn_free(text);
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
