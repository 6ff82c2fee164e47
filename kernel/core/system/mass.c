/* mass.c - mass matrices, block by block, and what the solver asks of them
 *
 * Most are constant: they are asked for and inverted once. Those of residuals M(q) v' - f change with the configuration: they
 * are asked for anew behind an evaluation, when somebody needs them. */
#include "system/mass.h"

#include "system/block_calls.h"

#include "system/explanation.h"
#include "system/failure.h"
#include "system/own_tangent.h"
#include "system/tangent_source.h"

#include <math.h>
#include <string.h>

/* ---- inverses -------------------------------------------------------------------------------------------- */

/* Inverse of a symmetric positive definite matrix by Cholesky, with memory for the factor; false where the matrix is not. */
static bool invert_matrix(uint32_t n, const double *matrix, double *inverse, double *L)
{
    bool good = true;
    for (uint32_t j = 0; good && j < n; j++)
        for (uint32_t i = j; good && i < n; i++) {
            double sum = matrix[i * n + j];
            for (uint32_t k = 0; k < j; k++)
                sum -= L[i * n + k] * L[j * n + k];
            if (i == j) good = sum > 0.0 && isfinite(sum);
            if (good) L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    for (uint32_t c = 0; good && c < n; c++) {
        double *x = inverse + (size_t)c * n; /* symmetric: the row is the column */
        for (uint32_t i = 0; i < n; i++) {
            x[i] = i == c ? 1.0 : 0.0;
            for (uint32_t k = 0; k < i; k++)
                x[i] -= L[i * n + k] * x[k];
            x[i] /= L[i * n + i];
        }
        for (uint32_t i = n; i-- > 0;) {
            for (uint32_t k = i + 1; k < n; k++)
                x[i] -= L[k * n + i] * x[k];
            x[i] /= L[i * n + i];
        }
    }
    return good;
}

/* Numbers of the mass matrix of one instance, and of its inverse. */
static size_t mass_size(const tn_group *group)
{
    const size_t nv = group->batch.layout->nv;
    return group->diagonal ? nv : group->own ? group->own->entries : nv * nv;
}

static size_t inverse_size(const tn_group *group)
{
    return group->own && !group->diagonal ? tn_cholesky_factor_size(group->own->cholesky) : mass_size(group);
}

static double *make_inverse(tn_assembly *assembly, tn_group *group)
{
    const size_t nv = group->batch.layout->nv, count = group->batch.count;
    tn_own_pattern *own = group->own;
    if (own && !own->cholesky)
        own->cholesky = tn_cholesky_new(own->size, own->entries, own->row, own->column);
    const size_t work = own ? 0 : nv * nv;
    return tn_assembly_new(assembly, count * inverse_size(group) + work, sizeof(double));
}

/* The first instance whose mass matrix is not positive definite, or their number. */
static size_t invert_all(tn_group *group)
{
    const size_t size = mass_size(group), factor = inverse_size(group), count = group->batch.count;
    for (size_t i = 0; i < count; i++) {
        const double *mass = group->mass + i * size;
        double *inverse = group->inverse + i * factor;
        const bool good = group->own ? tn_cholesky_factor(group->own->cholesky, mass, inverse)
                                     : invert_matrix(group->batch.layout->nv, mass, inverse,
                                                     group->inverse + count * factor);
        if (!good) return i;
    }
    return count;
}

/* The number of entry (c, c) among those of a matrix that is not compressed. */
static size_t diagonal_place(const tn_group *group, size_t c)
{
    return group->own ? group->own->diagonal[c] : c * (group->batch.layout->nv + 1);
}

/* Where inverses are not at hand entry by entry. */
static void find_lightness(tn_group *group)
{
    for (size_t i = 0; i < (size_t)group->batch.count * group->batch.layout->nv; i++) {
        const double mass = tn_mass_of_coordinate(group, i);
        group->lightness[i] = mass > 0.0 ? 1.0 / mass : 0.0;
    }
}

double tn_mass_of_coordinate(const tn_group *group, size_t i)
{
    const size_t nv = group->batch.layout->nv;
    return group->diagonal ? group->mass[i]
                           : group->mass[i / nv * mass_size(group) + diagonal_place(group, i % nv)];
}

/* ---- constant masses ------------------------------------------------------------------------------------- */

static bool is_diagonal(const tn_group *group)
{
    const size_t nv = group->batch.layout->nv, size = mass_size(group);
    const tn_own_pattern *own = group->own;
    for (size_t i = 0; i < group->batch.count * size; i++) {
        const size_t e = i % size, row = own ? own->row[e] : e / nv, column = own ? own->column[e] : e % nv;
        if (group->mass[i] != 0.0 && row != column) return false;
    }
    return true;
}

/* Keeps only the diagonals. */
static void keep_diagonals(tn_assembly *assembly, tn_group *group)
{
    const size_t count = (size_t)group->batch.count * group->batch.layout->nv;
    double *diagonal = tn_new_aligned(count, sizeof *diagonal);
    group->inverse = assembly->inverse + group->v_start;
    for (size_t i = 0; i < count; i++) {
        diagonal[i] = tn_mass_of_coordinate(group, i);
        group->inverse[i] = 1.0 / diagonal[i];
    }
    tn_free(group->mass);
    group->mass = diagonal;
    group->diagonal = true;
}

static tn_status refuse_mass(tn_assembly *assembly, const tn_group *group, size_t i)
{
    tn_model *model = assembly->model;
    tn_model_error(model, model->item[group->item[i]].origin->at->place,
                   "the mass matrix of `%s` is not positive definite", tn_item_name(model, group->item[i]));
    return TN_INVALID;
}

static tn_status build_constant(tn_assembly *assembly, tn_group *group)
{
    const size_t nv = group->batch.layout->nv, count = group->batch.count;
    group->batch.mass = group->mass;
    const tn_status status = group->type->mass ? tn_call(group->type, mass, &group->batch) : TN_UNSUPPORTED;
    group->batch.mass = NULL;
    if (status != TN_OK) return refuse_mass(assembly, group, 0);
    if (is_diagonal(group)) {
        keep_diagonals(assembly, group);
        for (size_t i = 0; i < nv * count; i++)
            if (!(group->mass[i] > 0.0)) return refuse_mass(assembly, group, i / nv);
        return TN_OK;
    }
    group->inverse = make_inverse(assembly, group);
    const size_t bad = invert_all(group);
    if (bad < count) return refuse_mass(assembly, group, bad);
    if (!group->own) return TN_OK;
    group->lightness = tn_assembly_new(assembly, count * nv, sizeof(double));
    find_lightness(group);
    return TN_OK;
}

/* ---- masses that change ---------------------------------------------------------------------------------- */

static void build_changing(tn_assembly *assembly, tn_group *group)
{
    const size_t nv = group->batch.layout->nv, count = group->batch.count, chunk = tn_chunk(count);
    assembly->system.changing_masses = 1;
    group->inverse = make_inverse(assembly, group);
    group->lightness = tn_assembly_new(assembly, count * nv, sizeof(double));
    group->own_force = tn_assembly_new(assembly, count * nv, sizeof(double));
    group->at_rest = tn_assembly_new(assembly, count * nv, sizeof(double));
    const tn_tangent_source *tangents = assembly->services->tangents;
    group->unread =
        tn_assembly_new(assembly, chunk * nv + (tangents ? tangents->own_size(group) : 0), sizeof(double));
}

void tn_mass_forget(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->group[k].mass_known = assembly->group[k].factor_known = false;
}

static tn_status check_numbers(tn_assembly *assembly, const tn_group *group)
{
    const size_t size = mass_size(group), count = group->batch.count * size;
    if (tn_are_finite(group->mass, count)) return TN_OK;
    size_t bad = 0;
    while (isfinite(group->mass[bad]))
        bad++;
    return tn_not_finite(assembly, group, (uint32_t)(bad / size), "mass", group->mass[bad]);
}

static tn_status renew_mass(tn_assembly *assembly, tn_group *group)
{
    group->batch.time = assembly->system.time;
    tn_status status = tn_own_mass(assembly, group);
    if (status != TN_OK) return tn_refused(assembly, group, status);
    status = check_numbers(assembly, group);
    if (status == TN_OK) find_lightness(group);
    group->mass_known = status == TN_OK;
    return status;
}

static tn_status renew_inverse(tn_assembly *assembly, tn_group *group)
{
    const size_t bad = invert_all(group);
    group->factor_known = bad == group->batch.count;
    if (group->factor_known) return TN_OK;
    group->failure = (tn_failure){(uint32_t)bad, TN_RETRY, "its mass matrix is not positive definite"};
    return tn_refused(assembly, group, TN_RETRY);
}

/* The masses that change, and their inverses where these are wanted. */
static tn_status renew(tn_assembly *assembly, bool inverse)
{
    tn_status status = TN_OK;
    for (size_t k = 0; assembly->system.changing_masses && status == TN_OK && k < assembly->group_count;
         k++) {
        tn_group *group = &assembly->group[k];
        if (!group->type->residual) continue;
        if (!group->mass_known) status = renew_mass(assembly, group);
        if (status == TN_OK && inverse && !group->factor_known) status = renew_inverse(assembly, group);
    }
    return status;
}

tn_status tn_mass_renew(tn_assembly *assembly) { return renew(assembly, false); }

tn_status tn_mass_build(tn_assembly *assembly)
{
    assembly->inverse = tn_assembly_new(assembly, assembly->system.nv, sizeof *assembly->inverse);
    assembly->diagonal = true;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nv) continue;
        group->mass = tn_new_aligned(group->batch.count * mass_size(group), sizeof *group->mass);
        if (group->type->residual) {
            build_changing(assembly, group);
            continue;
        }
        const tn_status status = build_constant(assembly, group);
        if (status != TN_OK) return status;
        assembly->diagonal = assembly->diagonal && group->diagonal;
    }
    assembly->diagonal = assembly->diagonal && !assembly->system.changing_masses;
    return TN_OK;
}

/* ---- products -------------------------------------------------------------------------------------------- */

/* M x, or M^-1 x, of a group. */
typedef struct multiplication {
    const tn_group *group;
    const double *matrix, *x;
    double *out;
} multiplication;

static inline void multiply_diagonal(void *data, size_t first, size_t last)
{
    const multiplication p = *(const multiplication *)data;
    for (size_t i = first; i < last; i++)
        p.out[i] = p.matrix[i] * p.x[i];
}

static inline void multiply_blocks(void *data, size_t first, size_t last)
{
    const multiplication *p = data;
    const size_t nv = p->group->batch.layout->nv;
    const double *block = p->matrix + first * nv * nv, *x = p->x + first * nv;
    double *out = p->out + first * nv;
    for (size_t i = first; i < last; i++, block += nv * nv, x += nv, out += nv)
        for (size_t r = 0; r < nv; r++) {
            double sum = 0.0;
            for (size_t c = 0; c < nv; c++)
                sum += block[r * nv + c] * x[c];
            out[r] = sum;
        }
}

static void multiply_entries(const multiplication *p)
{
    const tn_group *group = p->group;
    const tn_own_pattern *own = group->own;
    const double *mass = p->matrix, *x = p->x;
    double *out = p->out;
    memset(out, 0, (size_t)own->size * group->batch.count * sizeof *out);
    for (size_t i = 0; i < group->batch.count; i++, mass += own->entries, x += own->size, out += own->size)
        for (size_t e = 0; e < own->entries; e++)
            out[own->row[e]] += mass[e] * x[own->column[e]];
}

static void divide_by_factors(const multiplication *p)
{
    const tn_group *group = p->group;
    const size_t nv = group->batch.layout->nv, size = inverse_size(group);
    for (size_t i = 0; i < group->batch.count; i++)
        tn_cholesky_solve(group->own->cholesky, p->matrix + i * size, p->x + i * nv, p->out + i * nv);
}

static void multiply_group(const tn_assembly *assembly, const tn_group *group, bool inverse, const double *x,
                           double *out)
{
    const size_t nv = group->batch.layout->nv, count = group->batch.count;
    multiplication p = {group, inverse ? group->inverse : group->mass, x, out};
    if (group->diagonal)
        tn_for_blocks(assembly, nv * count, TN_BLOCK_OF_NUMBERS, multiply_diagonal, &p);
    else if (group->own && inverse)
        divide_by_factors(&p);
    else if (group->own)
        multiply_entries(&p);
    else if (nv)
        tn_for_blocks(assembly, count, TN_BLOCK, multiply_blocks, &p);
}

static tn_status multiply_all(tn_assembly *assembly, bool inverse, const double *x, double *out)
{
    const tn_status status = renew(assembly, inverse);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const uint32_t start = assembly->group[k].v_start;
        multiply_group(assembly, &assembly->group[k], inverse, x + start, out + start);
    }
    return status;
}

tn_status tn_mass_multiply(tn_assembly *assembly, const double *a, double *product)
{
    return multiply_all(assembly, false, a, product);
}

tn_status tn_mass_divide(tn_assembly *assembly, const double *force, double *a)
{
    return multiply_all(assembly, true, force, a);
}

typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

/* A finite number times 0 is 0, any other is not. Eight sums side by side, which a compiler does not find by itself; few numbers are
 * faster without. */
bool tn_are_finite(const double *x, size_t count)
{
    const size_t whole = count & ~(size_t)7;
    double nothing = 0.0;
    for (size_t i = whole; i < count; i++)
        nothing += 0.0 * x[i];
    if (!whole) return nothing == 0.0;
    eight sum = {0.0};
    for (size_t i = 0; i < whole; i += 8)
        sum += 0.0 * *(const eight *)(x + i);
    for (size_t k = 0; k < 8; k++)
        nothing += sum[k];
    return nothing == 0.0;
}

typedef struct search {
    const double *x;
    bool found; /* a number that is not finite */
} search;

static void search_block(void *data, size_t first, size_t last)
{
    search *s = data;
    if (!tn_are_finite(s->x + first, last - first)) __atomic_store_n(&s->found, true, __ATOMIC_RELAXED);
}

bool tn_blocks_are_finite(const tn_assembly *assembly, const double *x, size_t count)
{
    search s = {x, false};
    tn_for_blocks(assembly, count, TN_BLOCK_OF_NUMBERS, search_block, &s);
    return !s.found;
}

static void clear_block(void *data, size_t first, size_t last)
{
    memset((double *)data + first, 0, (last - first) * sizeof(double));
}

void tn_clear_numbers(const tn_assembly *assembly, double *x, size_t count)
{
    tn_for_blocks(assembly, count, TN_BLOCK_OF_NUMBERS, clear_block, x);
}

/* M a of a group: with a residual, what that says beyond -f. */
static tn_status find_inertia(const tn_assembly *assembly, const tn_group *group, const double *a,
                              double *product)
{
    if (!group->type->residual) {
        multiply_group(assembly, group, false, a, product);
        return TN_OK;
    }
    tn_batch batch = group->batch;
    batch.a = a;
    batch.residual = product;
    const tn_status status = tn_call(group->type, residual, &batch);
    for (size_t i = 0; i < (size_t)batch.layout->nv * batch.count; i++)
        product[i] += group->own_force[i];
    return status;
}

tn_status tn_system_residual(tn_system *system, const double *a, double *residual)
{
    tn_assembly *assembly = (tn_assembly *)system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nv) continue;
        const tn_status status = find_inertia(assembly, group, a + group->v_start, residual + group->v_start);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    for (size_t i = 0; i < system->nv; i++)
        residual[i] -= assembly->force[i];
    return tn_all_are_finite(assembly, residual, system->nv) ? TN_OK : tn_find_number(assembly);
}
