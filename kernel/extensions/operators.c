/* operators.c - what solvers work with row by row (see operators.h) */
#include "extensions/operators.h"

#include "system/constraints.h"
#include "system/explanation.h"
#include "system/failure.h"
#include "system/mass.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

static inline struct tn_operator_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_OPERATOR_EXTENSION];
}

struct tn_operator_memory {
    tn_operators table;
    double *value, *friction, *restitution; /* those of the table */
    double *law;                            /* [instances of one group][2] */
    double *increment;                      /* [nv] of v, and [nv] impulses on all coordinates */
    uint32_t **place; /* [groups][count][legs] where the columns of a leg begin in each row of its instance */
};

static struct tn_operator_memory *operators_of(const tn_system *system)
{
    return kept((const tn_assembly *)system);
}

/* ---- the pattern of G ------------------------------------------------------------------------------------ */

/* Coordinates first ... first + count - 1 of v, of one leg. */
typedef struct columns {
    uint32_t first, count;
} columns;

/* The columns of the legs of an instance. */
static void find_columns(const tn_assembly *assembly, const tn_group *group, uint32_t instance, columns *legs)
{
    tn_ends_of_instance(assembly, group, instance, tn_scratch(assembly)->end);
    for (uint32_t l = 0; l < group->leg_count; l++) {
        const tn_end *end = &tn_scratch(assembly)->end[l];
        legs[l] = (columns){(uint32_t)end->v_start, (uint32_t)end->nv};
    }
}

/* Lists the columns of all legs once each, ascending, into `list`, and where those of each leg begin there. Columns of one leg follow
 * each other, and so they do in the list. */
static uint32_t unite_columns(const columns *legs, uint32_t leg_count, uint32_t *list, uint32_t *place)
{
    uint32_t count = 0;
    for (uint32_t next = 0; next != TN_NONE;) {
        const uint32_t from = next;
        next = TN_NONE;
        bool listed = false;
        for (uint32_t l = 0; l < leg_count; l++) {
            const uint32_t first = legs[l].first, end = first + legs[l].count;
            if (!legs[l].count) continue;
            if (first == from) place[l] = count;
            listed = listed || (first <= from && from < end);
            const uint32_t candidate = first > from ? first : from + 1;
            if (candidate < end && candidate < next) next = candidate;
        }
        if (listed) list[count++] = from;
    }
    return count;
}

/* Every row of an instance has the columns of all its legs. */
static void make_pattern(tn_assembly *assembly, struct tn_operator_memory *m)
{
    uint32_t *start = tn_assembly_new(assembly, assembly->system.rows + 1u, sizeof *start);
    uint32_t *list = tn_new(assembly->system.nv, sizeof *list), *column = NULL;
    m->place = tn_assembly_new(assembly, assembly->group_count, sizeof(uint32_t *));
    for (int fill = 0; fill < 2; fill++) {
        uint32_t entries = 0;
        for (size_t k = 0; k < assembly->group_count; k++) {
            const tn_group *group = &assembly->group[k];
            if (!group->rows) continue;
            columns *legs = tn_new(group->leg_count, sizeof *legs);
            if (!fill)
                m->place[k] = tn_assembly_new(assembly, (size_t)group->batch.count * group->leg_count,
                                              sizeof(uint32_t));
            for (uint32_t i = 0; i < group->batch.count; i++) {
                find_columns(assembly, group, i, legs);
                const uint32_t count =
                    unite_columns(legs, group->leg_count, list, m->place[k] + i * group->leg_count);
                for (uint32_t r = 0; r < group->rows; r++, entries += count) {
                    start[group->row_start + i * group->rows + r + 1] = entries + count;
                    if (fill) memcpy(column + entries, list, count * sizeof *column);
                }
            }
            tn_free(legs);
        }
        if (!fill) column = tn_assembly_new(assembly, entries, sizeof *column);
    }
    tn_free(list);
    m->table.row_start = start;
    m->table.column = column;
    m->table.value = m->value = tn_assembly_new(assembly, start[assembly->system.rows], sizeof(double));
}

/* ---- kinds and owners of rows, bodies -------------------------------------------------------------------- */

static bool are_kinds(const uint32_t *kind, const tn_group *group)
{
    const tn_layout *layout = group->batch.layout;
    const bool cone = group->rows == 3 && layout->position_rows == 1 && kind[0] == TN_CONE_NORMAL &&
                      kind[1] == TN_CONE_TANGENT && kind[2] == TN_CONE_TANGENT;
    bool unilateral = true;
    for (uint32_t r = 0; r < group->rows; r++)
        unilateral = unilateral && kind[r] == TN_UNILATERAL;
    return cone || unilateral;
}

/* Of one instance; false after reporting. */
static bool find_kinds(tn_assembly *assembly, const tn_group *group, uint32_t instance, uint32_t *kind)
{
    const uint32_t bilateral = group->batch.layout->passive_rows ? TN_PASSIVE : TN_BILATERAL;
    for (uint32_t r = 0; r < group->rows; r++)
        kind[r] = bilateral;
    if (!group->unilateral) return true;
    tn_model *model = assembly->model;
    const tn_origin *origin = model->item[group->item[instance]].origin;
    const tn_status status = group->type->row_kinds(&model->host, tn_instance(&group->batch, instance), kind);
    if (status == TN_OK && are_kinds(kind, group)) return true;
    return tn_model_error(
        model, origin->at->place,
        "`row_kinds` of `%s` must say that all rows are unilateral, or that a position row and two "
        "velocity rows are a cone",
        group->type->name);
}

static bool list_rows(tn_assembly *assembly, struct tn_operator_memory *m)
{
    const uint32_t rows = assembly->system.rows;
    uint32_t *kind = tn_assembly_new(assembly, rows, sizeof *kind), most = 0;
    uint32_t *owner = tn_assembly_new(assembly, rows, sizeof *owner);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->rows && i < group->batch.count; i++) {
            const uint32_t first = group->row_start + i * group->rows;
            if (!find_kinds(assembly, group, i, kind + first)) return false;
            for (uint32_t r = 0; r < group->rows; r++)
                owner[first + r] = group->item[i];
        }
        if (group->unilateral && group->batch.count > most) most = group->batch.count;
    }
    m->table.row_kind = kind;
    m->table.row_owner = owner;
    m->table.friction = m->friction = tn_assembly_new(assembly, rows, sizeof(double));
    m->table.restitution = m->restitution = tn_assembly_new(assembly, rows, sizeof(double));
    m->law = tn_assembly_new(assembly, 2 * (size_t)most, sizeof(double));
    return true;
}

static void list_bodies(tn_assembly *assembly, tn_operators *table)
{
    uint32_t *start = tn_assembly_new(assembly, assembly->system.nv + 1u, sizeof *start);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const uint32_t nv = assembly->group[k].batch.layout->nv;
        for (uint32_t i = 0; nv && i < assembly->group[k].batch.count; i++)
            start[table->bodies++] = assembly->group[k].v_start + i * nv;
    }
    start[table->bodies] = assembly->system.nv;
    table->body_start = start;
}

/* ---- G and the laws of contact at the last evaluation ---------------------------------------------------- */

static void renew_rows(const tn_assembly *assembly, const tn_group *group, const uint32_t *place)
{
    const struct tn_operator_memory *m = kept(assembly);
    double *block = tn_scratch(assembly)->product;
    for (uint32_t i = 0; i < group->batch.count; i++, place += group->leg_count) {
        const uint32_t *start = m->table.row_start + group->row_start + i * group->rows;
        memset(m->value + start[0], 0, (start[group->rows] - start[0]) * sizeof *m->value);
        tn_ends_of_instance(assembly, group, i, tn_scratch(assembly)->end);
        for (uint32_t l = 0; l < group->leg_count; l++) {
            const tn_end *end = &tn_scratch(assembly)->end[l];
            if (end->nv) tn_rows_on_body(group, tn_rows_of(group, i), end, block);
            for (size_t r = 0; r < group->rows; r++)
                for (size_t j = 0; j < end->nv; j++)
                    m->value[start[r] + place[l] + j] += block[r * end->nv + j];
        }
    }
}

/* Coefficients that are none name their element. */
static tn_status renew_laws(tn_assembly *assembly, tn_group *group)
{
    const struct tn_operator_memory *m = kept(assembly);
    tn_batch batch = group->batch;
    batch.time = assembly->system.time;
    batch.value = m->law;
    const tn_status status = tn_call(group->type, contact_law, &batch);
    if (status != TN_OK) return tn_refused(assembly, group, status);
    for (uint32_t i = 0; i < batch.count; i++) {
        const double friction = m->law[2 * i], restitution = m->law[2 * i + 1];
        const char *wrong =
            !(friction >= 0.0 && isfinite(friction))      ? "its friction must be a number of at least 0"
            : !(restitution >= 0.0 && restitution <= 1.0) ? "its restitution must be between 0 and 1"
                                                          : NULL;
        if (wrong) {
            group->failure = (tn_failure){i, TN_FATAL, wrong};
            return tn_refused(assembly, group, TN_FATAL);
        }
        for (uint32_t r = 0; r < group->rows; r++) {
            m->friction[group->row_start + i * group->rows + r] = friction;
            m->restitution[group->row_start + i * group->rows + r] = restitution;
        }
    }
    return TN_OK;
}

static tn_status begin_step(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    assembly->constraints->reactions_left_out = true;
    tn_status status = system->evaluate(system);
    assembly->constraints->reactions_left_out = false;
    if (status == TN_OK && (system->rows || assembly->extension[TN_CONTACT_EXTENSION]))
        status = tn_differentiate_markers(assembly);
    for (size_t k = 0; status == TN_OK && k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (group->rows) renew_rows(assembly, group, kept(assembly)->place[k]);
        if (group->unilateral && group->type->contact_law) status = renew_laws(assembly, group);
    }
    return status;
}

static tn_status find_row_values(tn_system *system, double *residual, double *rate)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_rows_wanted all = {.unilateral = true};
    const tn_status status = tn_constraint_residuals(assembly, residual, all);
    for (uint32_t r = 0; r < system->rows; r++)
        if (system->row_level[r] == TN_VELOCITY_ROW) residual[r] = 0.0;
    return status == TN_OK ? tn_constraint_rates(assembly, rate, all) : status;
}

/* ---- products -------------------------------------------------------------------------------------------- */

static tn_status multiply_by_masses(tn_system *system, const double *x, double *product)
{
    return tn_mass_multiply((tn_assembly *)system, x, product);
}

static tn_status solve_with_masses(tn_system *system, double *x)
{
    double *solution = operators_of(system)->increment;
    const tn_status status = tn_mass_divide((tn_assembly *)system, x, solution);
    if (status == TN_OK) memcpy(x, solution, system->nv * sizeof *x);
    return status;
}

static void multiply_by_rows(tn_system *system, const double *x, double *product)
{
    const tn_operators *t = &operators_of(system)->table;
    for (uint32_t r = 0; r < system->rows; r++) {
        double sum = 0.0;
        for (uint32_t e = t->row_start[r]; e < t->row_start[r + 1]; e++)
            sum += t->value[e] * x[t->column[e]];
        product[r] = sum;
    }
}

static void add_by_columns(tn_system *system, const double *lambda, double *sum)
{
    const tn_operators *t = &operators_of(system)->table;
    for (uint32_t r = 0; r < system->rows; r++)
        for (uint32_t e = t->row_start[r]; t->row_kind[r] != TN_PASSIVE && e < t->row_start[r + 1]; e++)
            sum[t->column[e]] += t->value[e] * lambda[r];
}

static tn_status end_step(tn_system *system, const double *impulse, double length)
{
    struct tn_operator_memory *m = operators_of(system);
    tn_assembly *assembly = (tn_assembly *)system;
    double *all = m->increment + system->nv;
    for (uint32_t j = 0; j < system->nv; j++)
        all[j] = length * system->force[j];
    add_by_columns(system, impulse, all);
    const tn_status status = tn_mass_divide(assembly, all, m->increment);
    if (status != TN_OK) return status;
    if (!tn_are_finite(m->increment, system->nv)) return tn_find_number(assembly);
    for (uint32_t j = 0; j < system->nv; j++)
        system->v[j] += m->increment[j];
    for (uint32_t r = 0; length > 0.0 && r < system->rows; r++)
        system->lambda[r] = impulse[r] / length;
    return TN_OK;
}

static const char *name_owner(tn_system *system, uint32_t owner)
{
    return tn_item_name(((tn_assembly *)system)->model, owner);
}

/* States and rows of elements that follow functions of time. */
static void mark_driven(tn_assembly *assembly, tn_operators *table)
{
    uint8_t *state = tn_assembly_new(assembly, assembly->system.nx, sizeof *state);
    uint8_t *row = tn_assembly_new(assembly, assembly->system.rows, sizeof *row);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!(group->type->flags & TN_DRIVEN)) continue;
        memset(state + group->x_start, 1, (size_t)group->batch.layout->nx * group->batch.count);
        if (group->rows) memset(row + group->row_start, 1, (size_t)group->rows * group->batch.count);
    }
    table->state_driven = state;
    table->row_driven = row;
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static bool make_operators(tn_assembly *assembly)
{
    struct tn_operator_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    m->increment = tn_assembly_new(assembly, 2 * (size_t)assembly->system.nv, sizeof(double));
    m->table = (tn_operators){.struct_size = sizeof m->table,
                              .begin_step = begin_step,
                              .row_values = find_row_values,
                              .end_step = end_step,
                              .mass_multiply = multiply_by_masses,
                              .mass_solve = solve_with_masses,
                              .rows_multiply = multiply_by_rows,
                              .rows_transposed_add = add_by_columns,
                              .owner_name = name_owner};
    if (!list_rows(assembly, m)) return false;
    make_pattern(assembly, m);
    list_bodies(assembly, &m->table);
    mark_driven(assembly, &m->table);
    assembly->extension[TN_OPERATOR_EXTENSION] = m;
    return true;
}

const tn_operators *tn_operators_of(tn_assembly *assembly)
{
    volatile bool good = kept(assembly) != NULL;
    if (good) return &kept(assembly)->table;
    if (!tn_system_pattern(&assembly->system)) return NULL;
    (void)tn_attempt(tn_memory_now(), good = make_operators(assembly));
    return good ? &kept(assembly)->table : NULL;
}

uint32_t tn_unilateral_item(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].unilateral) return assembly->group[k].item[0];
    return TN_NONE;
}
