/* energy.c - kinetic energy and momenta of the whole system, and what elements say of their energies (sums: ledger.c) */
#include "analysis/energy.h"

#include "analysis/analysis.h"
#include "system/constraints.h"
#include "system/mass.h"

#include <math.h>
#include <string.h>

#define ROUND_OFF 1e-9 /* W */

/* Reports the first impossible value that a group gives. */
static void report_impossible(const tn_assembly *assembly, const tn_group *group, uint32_t instance,
                              bool dissipation, double value)
{
    const tn_model *model = assembly->model;
    const uint32_t item = group->item[instance];
    bool *told = &assembly->energies->told[group - assembly->group];
    if (*told) return;
    *told = true;
    const tn_culprit culprit =
        tn_registry_culprit(model->registry, group->type, dissipation ? "dissipation" : "potential");
    tn_model_tell(model, TN_SEVERITY_WARNING, model->item[item].origin->at->place,
                  "%s: at time %.9g s: %s gives %.3g %s, but %s", tn_item_name(model, item),
                  assembly->system.time, culprit.words, value, dissipation ? "W" : "J",
                  isfinite(value) ? "dissipated power must not be negative" : "an energy must be finite");
}

bool tn_energy_values(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count,
                      bool dissipation, double *value)
{
    const tn_batch_function function = dissipation ? group->type->dissipation : group->type->potential;
    tn_batch batch = tn_sub_batch(group, first, count);
    batch.time = assembly->system.time;
    batch.value = value;
    if (!function || tn_call_at(group->type, dissipation ? "dissipation" : "potential",
                                count == 1 ? tn_item_name(assembly->model, group->item[first]) : NULL,
                                function(&batch)) != TN_OK)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(value[i]) || (dissipation && value[i] < -ROUND_OFF))
            report_impossible(assembly, group, first + i, dissipation, value[i]);
    return true;
}

bool tn_energy_add(const tn_assembly *assembly, const tn_group *group, bool dissipation, double *sum)
{
    double value[TN_CHUNK];
    bool good = true;
    const bool has = dissipation ? group->type->dissipation : group->type->potential;
    for (uint32_t first = 0; has && first < group->batch.count; first += TN_CHUNK) {
        const uint32_t count = (uint32_t)tn_chunk(group->batch.count - first);
        if (!tn_energy_values(assembly, group, first, count, dissipation, value)) {
            good = false;
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            *sum += value[i];
    }
    return good;
}

double tn_power_add(const tn_batch *batch, size_t instance, const double *twists, double sum)
{
    const tn_marker_place *place = batch->marker + instance * batch->marker_count;
    const double *wrench = batch->wrench + instance * batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        for (uint32_t e = 0; e < tn_twist_size(batch->marker_kind[k]); e++)
            sum += *wrench++ * twists[place[k].twist + e];
    return sum;
}

double tn_contact_power(const tn_assembly *assembly, const tn_group *group, size_t instance)
{
    if (!group->contact || !assembly->constraints->contacts_act) return 0.0;
    if (group->active && !group->active[instance]) return 0.0;
    tn_batch batch = group->batch;
    batch.wrench = group->contact;
    return tn_power_add(&batch, instance, assembly->motion, 0.0);
}

/* M v, not a number where the system has no mass matrix; its memory is made at the first call. */
static const double *multiply_by_masses(tn_assembly *assembly, const double *v)
{
    const size_t nv = assembly->system.nv;
    if (!assembly->energies->product)
        assembly->energies->product = tn_assembly_new(assembly, nv, sizeof(double));
    if (tn_mass_multiply(assembly, v, assembly->energies->product) != TN_OK)
        for (size_t i = 0; i < nv; i++)
            assembly->energies->product[i] = (double)NAN;
    return assembly->energies->product;
}

double tn_mass_product(tn_assembly *assembly, const double *a, const double *b)
{
    const double *product = multiply_by_masses(assembly, b);
    double sum = 0.0;
    for (size_t i = 0; i < assembly->system.nv; i++)
        sum += a[i] * product[i];
    return sum;
}

double tn_kinetic_energy(tn_assembly *assembly)
{
    return 0.5 * tn_mass_product(assembly, assembly->system.v, assembly->system.v);
}

static void allocate_rigid_motion(tn_assembly *assembly)
{
    size_t largest = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_batch *batch = &assembly->group[k].batch;
        const size_t size = tn_chunk(batch->count) * batch->layout->nv;
        if (size > largest) largest = size;
    }
    assembly->energies->rigid_motion = tn_assembly_new(assembly, largest * 6, sizeof(double));
}

/* The momentum along a rigid motion u is u^T M v. */
void tn_momenta(tn_assembly *assembly, double momentum[3], double angular_momentum[3])
{
    const double *product = multiply_by_masses(assembly, assembly->system.v);
    double sum[6] = {0.0};
    if (!assembly->energies->rigid_motion) allocate_rigid_motion(assembly);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv;
        for (uint32_t first = 0; nv && group->type->rigid_motion && first < group->batch.count;
             first += TN_CHUNK) {
            tn_batch batch = tn_chunk_from(group, first);
            batch.rigid_motion = assembly->energies->rigid_motion;
            if (tn_call(group->type, rigid_motion, &batch) != TN_OK) continue;
            const double *p = product + group->v_start + first * nv;
            for (size_t i = 0; i < batch.count * nv; i++)
                for (size_t c = 0; c < 6; c++)
                    sum[c] += assembly->energies->rigid_motion[6 * i + c] * p[i];
        }
    }
    memcpy(momentum, sum, 3 * sizeof *sum);
    memcpy(angular_momentum, sum + 3, 3 * sizeof *sum);
}

static void open_energies(tn_assembly *assembly)
{
    assembly->energies = tn_assembly_new(assembly, 1, sizeof *assembly->energies);
    assembly->energies->told =
        tn_assembly_new(assembly, assembly->group_count, sizeof *assembly->energies->told);
    tn_ledger_build(assembly);
}

static void add_contacts(tn_assembly *assembly, uint32_t item, double work)
{
    tn_account_contacts(assembly, work);
    tn_ledger_contacts(assembly, item, work);
}

static void add_impulses(tn_assembly *assembly, const double *mean, const double *change)
{
    tn_account_impulses(assembly);
    tn_ledger_impulses(assembly, mean, change);
}

const tn_energy_source tn_energy_accounts = {.open = open_energies,
                                             .observe = tn_account_build,
                                             .rates = tn_ledger_rates,
                                             .impulses = add_impulses,
                                             .contacts = add_contacts,
                                             .changed = tn_ledger_changed};
