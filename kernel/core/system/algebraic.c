/* algebraic.c - algebraic unknowns s of elements, 0 = r(u, x, s, t), with u the poses and twists of the markers
 *
 * Each instance is for itself, and r_s regular: s is found by a small Newton iteration wherever the markers are evaluated,
 * from that of the last accepted state, so that it does not depend on what was evaluated in between. Solvers see forces f(u,
 * x, s(u, x)) and rates likewise, whose derivatives are
 *
 *     f_u - f_s r_s^-1 r_u,     f_x - f_s r_s^-1 r_x.
 *
 * Constraints give their rows, and derivatives of these, with s following the markers (tenon/algebraic.h). */
#include "system/algebraic.h"

#include "system/lu.h"

#include <math.h>
#include <string.h>

enum { MOST_TURNS = 50 };
/* Newton's method squares errors: behind a correction of this size, relative to the unknown, nothing is left. */
static const double small = 1e-8;
/* Where r_s stays the same r is linear, and what is left of it behind a correction is round-off, if it is no jump. */
static const double same = 1e-8, round_off = 1e-6;

struct tn_algebraic {
    double *value, *accepted; /* of all groups: now; of the last accepted state */
    size_t count;
    double *tangent, *residual; /* of the equations of a group, or of a chunk */
    double *slope;              /* [count][ns][ns] of a group, of the turn before */
    uint8_t *settled;           /* [count] of a group */
    tn_small_system system;     /* of the ns unknowns of one instance */
};

static const char no_solution[] = "its algebraic equations have no solution here";
static const char singular[] = "its algebraic equations are singular here: dr/ds has no inverse";

/* ---- unknowns of an evaluation --------------------------------------------------------------------------- */

/* r_s of one instance, factored; `tangent` [ns][stride], its columns of unknowns from `first` on. */
static bool factor_equations(const tn_small_system *system, uint32_t n, const double *tangent, size_t stride,
                             size_t first)
{
    uint32_t dependent = 0;
    for (uint32_t r = 0; r < n; r++)
        memcpy(system->matrix + r * n, tangent + r * stride + first, n * sizeof(double));
    return tn_lu_factor(n, system->matrix, system->exchange, &dependent);
}

/* Whether r_s [n][n] is what it was in the turn before; it is noted for the next one. */
static bool is_same(uint32_t n, const double *slope, double *before)
{
    bool good = true;
    for (uint32_t k = 0; k < n * n; k++) {
        good = good && fabs(slope[k] - before[k]) <= same * fmax(fabs(slope[k]), fabs(before[k]));
        before[k] = slope[k];
    }
    return good;
}

/* One correction of the unknowns of an instance, after `linear`, whether r has been so since the last one; true when it was the
 * last one. */
static bool correct_unknowns(const tn_small_system *system, uint32_t n, const double *residual, bool linear,
                             double *s)
{
    double *d = system->direction;
    bool is_small = true, is_round_off = linear;
    memcpy(d, residual, n * sizeof *d);
    tn_lu_solve(n, system->matrix, system->exchange, d);
    for (uint32_t k = 0; k < n; k++) {
        s[k] -= d[k];
        is_small = is_small && fabs(d[k]) <= small * fabs(s[k]);
        is_round_off = is_round_off && fabs(d[k]) <= round_off * fmax(1.0, fabs(s[k]));
    }
    return is_small || is_round_off;
}

/* Corrects what has not settled; the last instance that has yet to, or TN_NONE. */
static tn_status correct_all(const struct tn_algebraic *m, const tn_batch *batch, bool first_turn, double *s,
                             uint32_t *waiting)
{
    const uint32_t n = batch->layout->ns;
    *waiting = TN_NONE;
    for (uint32_t i = 0; i < batch->count; i++) {
        const double *slope = m->tangent + (size_t)i * n * n;
        if (m->settled[i]) continue;
        const bool linear = is_same(n, slope, m->slope + (size_t)i * n * n) && !first_turn;
        if (!factor_equations(&m->system, n, slope, n, 0)) {
            *batch->failure = (tn_failure){i, TN_RETRY, singular};
            return TN_RETRY;
        }
        m->settled[i] =
            correct_unknowns(&m->system, n, m->residual + (size_t)i * n, linear, s + (size_t)i * n);
        if (!m->settled[i]) *waiting = i;
    }
    return TN_OK;
}

/* Newton's method from the values as they are. */
static tn_status solve_for_unknowns(const struct tn_algebraic *m, const tn_group *group, tn_batch *batch,
                                    double *s)
{
    const uint32_t n = batch->layout->ns;
    const tn_column_block columns = {TN_ALGEBRAIC_COLUMNS, 0, n};
    batch->residual = m->residual;
    batch->tangent = m->tangent;
    batch->tangent_stride = n;
    batch->columns = &columns;
    batch->column_blocks = 1;
    uint32_t waiting = TN_NONE;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++)
        m->settled[i] = batch->active && !batch->active[i];
    for (int turn = 0; status == TN_OK && turn < MOST_TURNS; turn++) {
        status = tn_call(group->type, algebraic_tangent, batch);
        if (status == TN_OK) status = correct_all(m, batch, turn == 0, s, &waiting);
        if (waiting == TN_NONE) return status;
    }
    if (status != TN_OK) return status;
    *batch->failure = (tn_failure){waiting, TN_RETRY, no_solution};
    return TN_RETRY;
}

tn_status tn_algebraic_follow(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                              uint32_t count)
{
    const uint32_t n = group->batch.layout->ns;
    const struct tn_algebraic *m = assembly->algebraic;
    if (!n) return TN_OK;
    const size_t start = group->s_start + (size_t)first * n;
    tn_batch batch = tn_sub_batch(group, first, count);
    batch.time = assembly->system.time;
    batch.frozen = assembly->system.frozen;
    const tn_status status = solve_for_unknowns(m, group, &batch, m->value + start);
    /* where there is no solution they start anew the next time */
    if (status != TN_OK) memcpy(m->value + start, m->accepted + start, (size_t)n * count * sizeof *m->value);
    return status;
}

tn_status tn_algebraic_find(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                            uint32_t count)
{
    const size_t n = group->batch.layout->ns, start = group->s_start + first * n;
    const struct tn_algebraic *m = assembly->algebraic;
    if (!n) return TN_OK;
    memcpy(m->value + start, m->accepted + start, n * count * sizeof *m->value);
    return tn_algebraic_follow(assembly, group, first, count);
}

void tn_algebraic_keep(const tn_assembly *assembly)
{
    const struct tn_algebraic *m = assembly->algebraic;
    if (m) memcpy(m->accepted, m->value, m->count * sizeof *m->value);
}

void tn_algebraic_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    struct tn_algebraic *m = assembly->algebraic;
    if (!m) return;
    tn_visit_numbers(visitor, m->value, m->count);
    tn_visit_numbers(visitor, m->accepted, m->count);
}

/* ---- tangents of what reads them ------------------------------------------------------------------------- */

tn_status tn_algebraic_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                uint32_t rows, double *tangent)
{
    const struct tn_algebraic *m = assembly->algebraic;
    const uint32_t n = batch->layout->ns;
    const size_t stride = batch->tangent_stride;
    if (!n) return TN_OK;
    tn_batch equations = *batch;
    equations.tangent = m->tangent;
    equations.residual = m->residual;
    const tn_status status = tn_call(group->type, algebraic_tangent, &equations);
    for (uint32_t i = 0; i < batch->count && status == TN_OK; i++) {
        const double *own = m->tangent + (size_t)i * n * stride;
        if (batch->active && !batch->active[i]) continue;
        const size_t first = tn_first_column(batch, TN_ALGEBRAIC_COLUMNS);
        if (!factor_equations(&m->system, n, own, stride, first)) {
            *batch->failure = (tn_failure){i, TN_RETRY, singular};
            return TN_RETRY;
        }
        tn_small_condense(&m->system, n, -1.0, own, stride, first, rows, tangent + i * rows * stride);
    }
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

void tn_algebraic_build(tn_assembly *assembly)
{
    size_t all = 0, most = 0, count = 0, residual = 0, square = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const size_t n = group->batch.layout->ns, own = n * group->batch.count;
        group->s_start = (uint32_t)all;
        all += own;
        if (!n) continue;
        most = n > most ? n : most;
        count = group->batch.count > count ? group->batch.count : count;
        residual = own > residual ? own : residual;
        square = own * n > square ? own * n : square;
    }
    if (!all) return;
    struct tn_algebraic *m = assembly->algebraic = tn_assembly_new(assembly, 1, sizeof *m);
    m->count = all;
    m->value = tn_assembly_new(assembly, all, sizeof(double));
    m->accepted = tn_assembly_new(assembly, all, sizeof(double));
    m->residual = tn_assembly_new(assembly, residual, sizeof(double));
    m->slope = tn_assembly_new(assembly, square, sizeof(double));
    m->settled = tn_assembly_new(assembly, count, sizeof *m->settled);
    m->system = tn_small_system_new(assembly, most);
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->group[k].batch.s = m->value + assembly->group[k].s_start;
}

/* Groups have their columns by now. */
void tn_algebraic_make_room(tn_assembly *assembly)
{
    size_t tangent = 0;
    for (size_t k = 0; assembly->algebraic && k < assembly->group_count; k++) {
        const tn_batch *batch = &assembly->group[k].batch;
        const size_t n = batch->layout->ns, nx = batch->layout->nx;
        const size_t whole = batch->count * n * (n + nx),
                     chunk = tn_chunk(batch->count) * n * batch->tangent_stride;
        if (n && whole > tangent) tangent = whole;
        if (n && chunk > tangent) tangent = chunk;
    }
    if (tangent) assembly->algebraic->tangent = tn_assembly_new(assembly, tangent, sizeof(double));
}

/* Rows whose unknowns follow velocities would have accelerations in their rates. */
static bool reads_velocities(const tn_assembly *assembly, const tn_group *group)
{
    const struct tn_algebraic *m = assembly->algebraic;
    tn_batch batch = tn_sub_batch(group, 0, (uint32_t)tn_chunk(group->batch.count));
    const size_t n = batch.layout->ns, first = tn_first_column(&batch, TN_TWIST_COLUMNS);
    batch.tangent = m->tangent;
    batch.residual = m->residual;
    batch.time = assembly->system.time;
    if (tn_call(group->type, algebraic_tangent, &batch) != TN_OK) return false;
    for (size_t r = 0; r < n * batch.count; r++)
        for (size_t c = 0; c < batch.wrench_size; c++)
            if (m->tangent[r * batch.tangent_stride + first + c] != 0.0) return true;
    return false;
}

bool tn_algebraic_check(const tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    bool good = true;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!group->rows || !group->batch.layout->ns || !reads_velocities(assembly, group)) continue;
        tn_model_error(
            model, model->item[group->item[0]].origin->at->place,
            "`%s` has algebraic equations that read velocities: rows of constraints cannot read the "
            "unknowns that they determine",
            group->type->name);
        good = false;
    }
    return good;
}

double *tn_algebraic_start(const tn_assembly *assembly, const tn_group *group, uint32_t instance)
{
    const size_t n = group->batch.layout->ns;
    return n ? assembly->algebraic->value + group->s_start + instance * n : NULL;
}
