/* checks_own.c - the force of a body on itself, or its residual, and the derivatives of these: exact, also where they are lists of
 * the entries that the type says its matrices have */
#include "checks.h"
#include "bodies.h"

#include <string.h>

static bool has_own(const tn_loaded_element *type) { return type->body_force || type->residual; }
static bool has_list(const tn_loaded_element *type) { return type->own_pattern != NULL; }

/* ---- the list of entries -------------------------------------------------------------------------------- */

/* Every position once, with the one that mirrors it, and all of the diagonal. */
static void run_list(tn_trial *trial)
{
    tn_bodies b;
    if (!tn_draw_bodies(trial, (tn_dynamics){0}, &b)) return;
    (void)tn_bodies_listed(&b);
    if (!tn_bodies_have_list(&b, 0)) tn_fail(trial, "own_pattern lists other entries the second time");
}

/* ---- values and derivatives ----------------------------------------------------------------------------- */

/* dq/d(increment), [count][nq][nv], column by column from the rate. */
static bool take_basis(tn_trial *trial, const tn_bodies *b, double **basis)
{
    const size_t nq = b->nq, nv = b->nv;
    *basis = NULL;
    if (b->type->flags & TN_VECTOR_SPACE) return true;
    *basis = tn_take_nan(trial, b->count * nq * nv);
    double *rate = tn_take_nan(trial, b->count * nq);
    for (uint32_t k = 0; k < nv; k++) {
        if (!tn_bodies_rate(b, b->q, tn_bodies_direction(b, k), rate)) return false;
        for (size_t j = 0; j < b->count * nq; j++)
            (*basis)[j * nv + k] = rate[j];
    }
    return true;
}

/* A body by itself: its force, or its residual; the tangent has columns for positions, velocities, accelerations of a residual,
 * and parameters. */
typedef struct own {
    const char *name, *tangent_name;
    tn_batch_function value, tangent;
    bool residual;
} own;

static own own_of(const tn_loaded_element *type)
{
    if (type->residual)
        return (own){"residual", "residual_tangent", type->residual, type->residual_tangent, true};
    return (own){"body_force", "body_force_tangent", type->body_force, type->body_force_tangent, false};
}

static uint32_t motions_of(const own *o) { return o->residual ? 3 : 2; }

typedef struct force_sample {
    const tn_bodies *bodies, *work; /* work: has instances of its own */
    const own *own;
    const double *direction;
    double *q, *v, *a;
    uint32_t column;
} force_sample;

static bool call_own(const tn_bodies *b, const own *o, bool tangent, tn_batch *batch, double *value)
{
    batch->force = batch->residual = value;
    return tangent ? tn_bodies_call(b, o->tangent_name, o->tangent, batch)
                   : tn_bodies_call(b, o->name, o->value, batch);
}

static void sample_own(const void *data, double step, double *value)
{
    const force_sample *sample = data;
    const tn_bodies *b = sample->bodies;
    const size_t nq = (size_t)b->count * b->nq, nv = (size_t)b->count * b->nv;
    const uint32_t kind = sample->column / b->nv;
    memcpy(sample->q, b->q, nq * sizeof(double));
    memcpy(sample->v, b->v, nv * sizeof(double));
    memcpy(sample->a, b->a, nv * sizeof(double));
    memcpy(sample->work->instances.first, b->instances.first, b->count * b->instances.stride);
    double *moved = kind == 1 ? sample->v : sample->a;
    if (kind == 0)
        (void)tn_bodies_move(b, sample->direction, step, sample->q);
    else if (kind < motions_of(sample->own))
        for (size_t i = 0; i < nv; i++)
            moved[i] += step * sample->direction[i];
    else
        tn_shift_dynamic(b->trial, &b->dynamics, sample->column - motions_of(sample->own) * b->nv, step,
                         sample->work->instances);
    tn_batch batch = tn_bodies_batch(sample->work, sample->q, sample->v);
    batch.a = sample->a;
    (void)call_own(b, sample->own, false, &batch, value);
}

/* Column by column of full matrices. What is not listed must be zero, not only small: nobody reads it. */
static void compare_column(tn_trial *trial, force_sample *sample, size_t columns, const bool *listed,
                           const double *value, const double *tangent, tn_comparison *comparison)
{
    const tn_bodies *b = sample->bodies;
    const size_t size = (size_t)b->count * b->nv, n = b->nv;
    struct tn_block *mark = tn_mark(trial);
    double *derivative = tn_take_nan(trial, size), *error = tn_take_nan(trial, size);
    sample->direction = tn_bodies_direction(b, sample->column % b->nv);
    tn_differentiate(trial, sample_own, sample, size, derivative, error);
    for (size_t r = 0; r < size; r++) {
        const double *row = tangent + r * columns;
        const double scale = fmax(tn_largest(row, columns), tn_largest(value + r / n * n, n));
        if (b->entries && (b->type->flags & TN_VECTOR_SPACE) && !listed[r % n * n + sample->column % n] &&
            derivative[r] != 0.0)
            tn_fail(trial, "instance %zu row %zu column %u: %.3g by differences, but its entry is not listed",
                    r / n, r % n, sample->column, derivative[r]);
        if (!tn_agrees(comparison, row[sample->column], derivative[r], error[r], scale))
            tn_fail(trial, "instance %zu row %zu column %u: tangent %.15g, differences %.15g", r / n, r % n,
                    sample->column, row[sample->column], derivative[r]);
    }
    tn_release(trial, mark);
}

/* The derivatives of a residual by accelerations are a mass matrix, which nothing but q changes. */
static void check_masses(tn_trial *trial, const tn_bodies *b, const double *tangent, size_t columns)
{
    const size_t n = b->nv;
    double *lower = tn_take(trial, n * n * sizeof *lower);
    for (size_t i = 0; i < b->count; i++) {
        const double *M = tangent + i * n * columns + 2 * n;
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < r; c++)
                if (!(fabs(M[r * columns + c] - M[c * columns + r]) <=
                      TN_ROUNDING * sqrt(fabs(M[r * columns + r] * M[c * columns + c]))))
                    tn_fail(trial, "instance %zu: by accelerations (%zu, %zu) is %.15g, (%zu, %zu) is %.15g",
                            i, r, c, M[r * columns + c], c, r, M[c * columns + r]);
        for (size_t r = 0; r < n; r++)
            memcpy(lower + r * n, M + r * columns, n * sizeof *lower);
        if (!tn_is_positive(lower, n))
            tn_fail(trial, "instance %zu: by accelerations it is not positive definite", i);
    }
}

/* ---- the blocks that are asked for ---------------------------------------------------------------------- */

/* Blocks of columns of a call, and the memory for them: entry by entry where the body lists these, else rows of full matrices. */
typedef struct layout_of_columns {
    tn_column_block block[4];
    uint32_t blocks;
    size_t width; /* of a block of coordinates */
    size_t stride, size;
} layout_of_columns;

static void add_block(layout_of_columns *l, tn_column_kind kind, size_t count)
{
    l->block[l->blocks++] = (tn_column_block){(uint32_t)kind, (uint32_t)l->stride, (uint32_t)count};
    l->stride += count;
}

static layout_of_columns begin_columns(const tn_bodies *b)
{
    return (layout_of_columns){.width = b->entries ? b->entries : b->nv};
}

static void end_columns(const tn_bodies *b, layout_of_columns *l)
{
    l->size = b->count * (b->entries ? l->stride : b->nv * l->stride);
}

/* The tangent in these columns, and the values that come with it. */
static bool take_tangent(const tn_bodies *b, const own *o, const layout_of_columns *l, double *values,
                         double *tangent)
{
    tn_batch batch = tn_bodies_batch(b, b->q, b->v);
    double *basis = NULL;
    if (!b->entries && !take_basis(b->trial, b, &basis)) return false;
    if (b->entries) batch.dynamic_count = batch.dynamic_columns = 0;
    batch.basis = basis;
    batch.tangent = tangent;
    batch.tangent_stride = (uint32_t)l->stride;
    batch.columns = l->block;
    batch.column_blocks = l->blocks;
    return call_own(b, o, true, &batch, values);
}

/* The kernel asks for positions alone, and for accelerations alone, of a residual: they are those of all columns together. */
static void check_alone(tn_trial *trial, const tn_bodies *b, const own *o, const layout_of_columns *all,
                        const double *tangent)
{
    static const tn_column_kind kinds[] = {TN_POSITION_COLUMNS, TN_ACCELERATION_COLUMNS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        layout_of_columns one = begin_columns(b);
        add_block(&one, kinds[k], one.width);
        end_columns(b, &one);
        double *alone = tn_take_nan(trial, one.size), *values = tn_take_nan(trial, (size_t)b->count * b->nv);
        if (!take_tangent(b, o, &one, values, alone)) return;
        uint32_t at = 0;
        while (all->block[at].kind != (uint32_t)kinds[k])
            at++;
        for (size_t e = 0; e < one.size; e++) {
            const double *row = tangent + e / one.stride * all->stride;
            const double together = row[all->block[at].first + e % one.stride];
            if (!(fabs(alone[e] - together) <= TN_ROUNDING * (1.0 + tn_largest(row, all->stride))))
                tn_fail(trial, "entry %zu by %s is %.15g where nothing else is asked for, else %.15g", e,
                        k ? "accelerations" : "positions", alone[e], together);
        }
    }
}

/* ---- the check ------------------------------------------------------------------------------------------ */

/* Full matrices of all blocks, [count][nv][columns]. */
static double *take_full(tn_trial *trial, const tn_bodies *b, const layout_of_columns *l, double *tangent,
                         size_t columns)
{
    if (!b->entries) return tangent;
    double *full = tn_take_nan(trial, (size_t)b->count * b->nv * columns);
    for (uint32_t k = 0; k < l->blocks; k++)
        tn_bodies_expand(b, tangent + l->block[k].first, l->stride, full + k * (size_t)b->nv, columns);
    return full;
}

static void check_own(tn_trial *trial, const tn_bodies *b)
{
    const own o = own_of(b->type);
    const size_t n = b->nv, size = (size_t)b->count * n;
    layout_of_columns l = begin_columns(b);
    add_block(&l, TN_POSITION_COLUMNS, l.width);
    add_block(&l, TN_VELOCITY_COLUMNS, l.width);
    if (o.residual) add_block(&l, TN_ACCELERATION_COLUMNS, l.width);
    if (!b->entries) add_block(&l, TN_PARAMETER_COLUMNS, b->dynamics.columns);
    end_columns(b, &l);
    const size_t columns = motions_of(&o) * n + (b->entries ? 0 : b->dynamics.columns);
    double *value = tn_take_nan(trial, size), *values = tn_take_nan(trial, size);
    double *tangent = tn_take_nan(trial, l.size);
    tn_batch batch = tn_bodies_batch(b, b->q, b->v);
    if (!call_own(b, &o, false, &batch, value) || !take_tangent(b, &o, &l, values, tangent)) return;
    for (size_t r = 0; r < size; r++)
        if (!(fabs(values[r] - value[r]) <= TN_ROUNDING * tn_largest(value + r / n * n, n)))
            tn_fail(trial, "instance %zu row %zu: %s gives %.17g, %s %.17g", r / n, r % n, o.name, value[r],
                    o.tangent_name, values[r]);
    const bool *listed = tn_bodies_listed(b);
    if (!listed) return;
    double *full = take_full(trial, b, &l, tangent, columns);
    tn_bodies work = *b;
    work.instances.first = tn_take_copy(trial, b->instances.first, b->count * b->instances.stride);
    tn_comparison comparison = {0};
    force_sample sample = {.bodies = b,
                           .work = &work,
                           .own = &o,
                           .q = tn_take_nan(trial, (size_t)b->count * b->nq),
                           .v = tn_take_nan(trial, size),
                           .a = tn_take_nan(trial, size)};
    for (; sample.column < columns; sample.column++)
        compare_column(trial, &sample, columns, listed, value, full, &comparison);
    tn_conclude(trial, &comparison);
    if (!o.residual) return;
    check_masses(trial, b, full, columns);
    check_alone(trial, b, &o, &l, tangent);
}

static void run_own(tn_trial *trial)
{
    const own o = own_of(trial->type);
    if (o.tangent)
        tn_for_each_bodies(trial, check_own);
    else
        tn_fail(trial, "has no %s: the plugin was built without its exact passes", o.tangent_name);
}

const tn_check tn_own_checks[] = {{"list of entries is sound", has_list, run_list},
                                  {"tangent of the force on itself is exact", has_own, run_own},
                                  {0}};
