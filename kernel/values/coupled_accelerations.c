/* coupled_accelerations.c - v' and lambda where forces read them: Newton's method on the equations of motion */
#include "system/constraints.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/project.h"
#include "values/coupling.h"

#include <math.h>
#include <string.h>

/* The size of the accelerations that a force brings; no number where there is no mass matrix. */
static double size_of_acceleration(tn_assembly *assembly, const double *force, double *a)
{
    return tn_mass_divide(assembly, force, a) == TN_OK ? tn_square_of_scaled(assembly, a) : (double)NAN;
}

/* The size of the accelerations that these multipliers alone would bring, by their columns in the matrix. */
static double size_of_reactions(tn_assembly *assembly, const double *multiplier)
{
    const uint32_t nv = assembly->system.nv;
    double *force = assembly->constraints->solution[1], *a = assembly->constraints->solution[2];
    if (!assembly->system.rows) return 0.0;
    memset(force, 0, nv * sizeof *force);
    tn_add_border_product(assembly, &assembly->equations.matrix, multiplier, force);
    return size_of_acceleration(assembly, force, a);
}

/* Adds all that a connector exerts, with whatever sign, to each coordinate of the bodies that it acts on. */
static void add_load(const tn_assembly *assembly, const tn_group *group, uint32_t i, double *load)
{
    const uint32_t *marker = group->marker + (size_t)i * group->batch.marker_count;
    const double *wrench = group->batch.wrench + (size_t)i * group->batch.wrench_size;
    double sum = 0.0;
    for (uint32_t c = 0; c < group->batch.wrench_size; c++)
        sum += fabs(wrench[c]);
    for (uint32_t l = 0; l < group->leg_count; l++) {
        const uint32_t item = tn_leg_item(assembly, marker[group->leg[l].marker], group->leg[l].leg);
        const tn_group *body = &assembly->group[assembly->group_of[item]];
        const uint32_t nv = body->batch.layout->nv;
        for (uint32_t e = 0; e < nv; e++)
            load[body->v_start + assembly->index_of[item] * nv + e] += sum;
    }
}

/* The size of the accelerations that the forces at work would bring if none balanced another: they err by its round-off. */
static double size_of_loads(tn_assembly *assembly)
{
    double *load = assembly->constraints->solution[1], *a = assembly->constraints->solution[2];
    memset(load, 0, assembly->system.nv * sizeof *load);
    for (size_t k = 0; k < assembly->group_count; k++)
        for (uint32_t i = 0; i < assembly->group[k].batch.count; i++)
            add_load(assembly, &assembly->group[k], i, load);
    return size_of_acceleration(assembly, load, a);
}

/* Takes null parts out of the multipliers, which were just changed by `change`, and out of that. */
static tn_status keep_least(tn_assembly *assembly, double *change)
{
    const double *lambda = assembly->system.lambda;
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        change[r] -= lambda[r];
    const tn_status status = assembly->services->rows->remove_null_part(assembly);
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        change[r] += lambda[r];
    return status;
}

/* Corrects the current v' and lambda by one step of Newton's method; gives the size of the correction, and theirs. */
static tn_status correct_accelerations(tn_assembly *assembly, double *correction, double *size)
{
    tn_system *system = &assembly->system;
    tn_status status = tn_factor_masses(assembly);
    double *b = assembly->constraints->solution[1], *c = b + system->nv,
           *product = assembly->constraints->row;
    if (status == TN_OK && system->rows) status = tn_constraint_bias(assembly, c);
    if (status == TN_OK) status = system->residual(system, system->a, b);
    if (status != TN_OK) return status;
    if (system->rows) system->constraint_product(system, system->a, product);
    for (uint32_t i = 0; i < system->nv; i++)
        b[i] = -b[i];
    for (uint32_t r = 0; r < system->rows; r++)
        c[r] = -c[r] - product[r];
    status = tn_solve_exactly(assembly);
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nv; i++)
        system->a[i] += assembly->constraints->solution[0][i];
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] += assembly->constraints->solution[0][system->nv + r];
    if (assembly->redundancy.solves_least)
        status = keep_least(assembly, assembly->constraints->solution[0] + system->nv);
    if (status != TN_OK) return status;
    *correction = tn_square_of_scaled(assembly, assembly->constraints->solution[0]) +
                  size_of_reactions(assembly, assembly->constraints->solution[0] + system->nv);
    *size = tn_square_of_scaled(assembly, system->a) + size_of_reactions(assembly, system->lambda);
    return system->evaluate(system);
}

/* Newton's method from the accelerations and multipliers in hand, until corrections are round-off: of themselves, or, where
 * bodies are held, of forces that balance. */
tn_status tn_coupled_accelerate(tn_assembly *assembly)
{
    enum { MOST_CORRECTIONS = 30 };
    double correction = HUGE_VAL, size = 0.0;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        const double before = correction;
        const tn_status status = correct_accelerations(assembly, &correction, &size);
        const bool lost =
            status == TN_OK ? !isfinite(correction) : status == TN_RETRY && !assembly->failures.refusal.group;
        if (lost) break;
        if (status != TN_OK) return status;
        if (correction <= 1e-28 * size) return TN_OK;
        if (k == 0) continue;
        const double loads = size_of_loads(assembly);
        const bool stalls = k > 1 && correction >= 0.25 * before && correction <= 1e-20 * (size + loads);
        if (correction <= 1e-28 * loads || stalls) return TN_OK;
    }
    return tn_couplings_refuse(assembly);
}
