/* mass.c - constant mass matrices, block by block, and what the solver asks of them */
#include "system/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Inverse of a symmetric positive definite matrix by Cholesky; false when it is none. */
static bool invert(uint32_t n, const double *matrix, double *inverse)
{
    double *L = tn_new((size_t)n * n, sizeof *L);
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
    free(L);
    return good;
}

static bool is_diagonal(const tn_group *group, const double *mass)
{
    const size_t nv = group->batch.layout->nv;
    for (size_t i = 0; i < group->batch.count * nv * nv; i++)
        if (mass[i] != 0.0 && (i / nv) % nv != i % nv) return false;
    return true;
}

/* Keeps only the diagonals. */
static void compress(tn_group *group)
{
    const size_t nv = group->batch.layout->nv, count = group->batch.count * nv;
    double *diagonal = tn_new_aligned(count, sizeof *diagonal);
    group->inverse = tn_new_aligned(count, sizeof *diagonal);
    for (size_t i = 0; i < count; i++) {
        diagonal[i] = group->mass[i * nv + i % nv];
        group->inverse[i] = 1.0 / diagonal[i];
    }
    free(group->mass);
    group->mass = diagonal;
    group->diagonal = true;
}

static tn_status refuse_mass(tn_assembly *assembly, const tn_group *group, size_t i)
{
    tn_model *model = assembly->model;
    tn_source_error(&model->source, model->item[group->item[i]].origin->table,
                    "the mass matrix of `%s` is not positive definite", tn_item_name(model, group->item[i]));
    return TN_INVALID;
}

static tn_status build(tn_assembly *assembly, tn_group *group)
{
    const uint32_t nv = group->batch.layout->nv;
    const size_t block = (size_t)nv * nv;
    group->mass = tn_new_aligned(group->batch.count * block, sizeof *group->mass);
    group->batch.mass = group->mass;
    const tn_status status = group->type->mass ? tn_call(group->type, mass, &group->batch) : TN_UNSUPPORTED;
    group->batch.mass = NULL;
    if (status != TN_OK) return refuse_mass(assembly, group, 0);
    if (is_diagonal(group, group->mass)) {
        compress(group);
        for (size_t i = 0; i < (size_t)nv * group->batch.count; i++)
            if (!(group->mass[i] > 0.0)) return refuse_mass(assembly, group, i / nv);
        return TN_OK;
    }
    group->inverse = tn_new_aligned(group->batch.count * block, sizeof *group->inverse);
    for (size_t i = 0; i < group->batch.count; i++)
        if (!invert(nv, group->mass + i * block, group->inverse + i * block))
            return refuse_mass(assembly, group, i);
    return TN_OK;
}

tn_status tn_mass_build(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        if (!assembly->group[k].batch.layout->nv) continue;
        const tn_status status = build(assembly, &assembly->group[k]);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* out = blocks x, instance by instance. */
static void multiply_blocks(size_t count, size_t nv, const double *blocks, const double *x, double *out)
{
    for (size_t i = 0; i < count; i++, blocks += nv * nv, x += nv, out += nv)
        for (size_t r = 0; r < nv; r++) {
            double sum = 0.0;
            for (size_t c = 0; c < nv; c++)
                sum += blocks[r * nv + c] * x[c];
            out[r] = sum;
        }
}

void tn_mass_multiply(const tn_assembly *assembly, const double *a, double *product)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv, n = nv * group->batch.count;
        const double *x = a + group->v_start;
        double *out = product + group->v_start;
        if (group->diagonal)
            for (size_t i = 0; i < n; i++)
                out[i] = group->mass[i] * x[i];
        else if (nv)
            multiply_blocks(group->batch.count, nv, group->mass, x, out);
    }
}

/* A number times 0 is 0, what is none is none. Sums side by side are vectorised, since none of them changes its order. */
bool tn_are_finite(const double *x, size_t count)
{
    double sum[4] = {0.0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += 0.0 * x[i + k];
    for (; i < count; i++)
        sum[0] += 0.0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

void tn_mass_divide(const tn_assembly *assembly, const double *force, double *a)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv, n = nv * group->batch.count;
        const double *x = force + group->v_start;
        double *out = a + group->v_start;
        if (group->diagonal)
            for (size_t i = 0; i < n; i++)
                out[i] = group->inverse[i] * x[i];
        else if (nv)
            multiply_blocks(group->batch.count, nv, group->inverse, x, out);
    }
}

static tn_status divide_force(tn_assembly *assembly, double *a)
{
    tn_mass_divide(assembly, assembly->force, a);
    return tn_are_finite(a, assembly->system.nv) ? TN_OK : tn_number_culprit(assembly);
}

/* Into the accelerations and multipliers of the state, where markers and rows tell them. */
static tn_status accelerate_in_place(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const bool direct = tn_couplings_are_direct(assembly);
    tn_status status = TN_OK;
    if (!direct && !system->rows) {
        status = divide_force(assembly, system->a);
        return status == TN_OK ? system->evaluate(system) : status; /* x_rate with these accelerations */
    }
    status = direct ? tn_coupled_accelerate(assembly) : tn_constrained_accelerate(assembly);
    const bool is_unexplained = status == TN_RETRY && !assembly->failed;
    const bool is_spoilt = status == TN_OK && !tn_are_finite(system->a, system->nv);
    return is_unexplained || is_spoilt ? tn_number_culprit(assembly) : status;
}

tn_status tn_system_accelerate(tn_system *system, double *a)
{
    tn_assembly *assembly = (tn_assembly *)system;
    double *kept = assembly->kept_solution;
    const size_t nv = system->nv, rows = system->rows;
    if (!kept) return divide_force(assembly, a);
    memcpy(kept, system->a, nv * sizeof *kept);
    memcpy(kept + nv, system->lambda, rows * sizeof *kept);
    const tn_status status = accelerate_in_place(assembly);

    /* the solver's own may be those of another state; and numbers of a failure would spoil what comes next */
    if (status == TN_OK && a != system->a) memcpy(a, system->a, nv * sizeof *a);
    if (status != TN_OK || a != system->a) memcpy(system->a, kept, nv * sizeof *kept);
    if (status != TN_OK) memcpy(system->lambda, kept + nv, rows * sizeof *kept);
    return status;
}

tn_status tn_system_residual(tn_system *system, const double *a, double *residual)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_mass_multiply(assembly, a, residual);
    for (size_t i = 0; i < system->nv; i++)
        residual[i] -= assembly->force[i];
    return tn_are_finite(residual, system->nv) ? TN_OK : tn_number_culprit(assembly);
}
