/* ledger.c - energies that are integrated along the run: what was dissipated, and what came from outside
 *
 * With T the kinetic and V the potential energy, f the sum of all forces and D the dissipated power,
 *
 *     dT/dt = f . v,      supplied power = f . v + dV/dt + D,
 *
 * so that T + V + (dissipated - supplied energy) is constant; it is T - (work of f) + (V at the start), for which D need not
 * be known. f . v and D are quadratures: states that the solver integrates like its own, and only where a sensor asks for
 * them. Where M changes with q, half of v M' v comes to f . v. The same holds for one element with the power of its own forces
 * in place of f . v. */
#include "analysis/energy.h"
#include "system/own_tangent.h"

#include <math.h>
#include <string.h>

/* One element. */
typedef struct entry {
    uint32_t item;
    double start_potential;   /* J */
    const tn_parameter *own;  /* of its type, what the dissipated energy starts with; or NULL */
    double dissipated_before; /* J, what its count is ahead of the quadrature by */
} entry;

/* The quadratures in x: work and dissipated energy of the whole system, when wanted; then those of each entry. */
typedef struct tn_ledger {
    bool whole, dissipation; /* of the whole system: work; what is dissipated, too */
    double start_potential;  /* J, of the whole system */
    entry *entry;
    size_t count, capacity;
    uint32_t *entry_of;      /* [items] number of its entry, or TN_NONE */
    double *own_force;       /* of one body on itself */
    double *residual_memory; /* for the derivatives of one residual */
} tn_ledger;

/* ---- which ones ------------------------------------------------------------------------------------------ */

static bool is_integrated(const tn_sensor *sensor)
{
    if (sensor->kind == TN_SENSOR_ENERGY) return sensor->output != TN_ENERGY_POTENTIAL;
    return sensor->kind == TN_SENSOR_SYSTEM &&
           (sensor->output == TN_SYSTEM_DISSIPATED_ENERGY || sensor->output == TN_SYSTEM_SUPPLIED_ENERGY ||
            sensor->output == TN_SYSTEM_ENERGY_BALANCE);
}

static tn_ledger *new_ledger(tn_assembly *assembly)
{
    tn_ledger *ledger = tn_assembly_new(assembly, 1, sizeof *ledger);
    ledger->entry_of = tn_assembly_new(assembly, assembly->model->names.count, sizeof *ledger->entry_of);
    for (size_t k = 0; k < assembly->model->names.count; k++)
        ledger->entry_of[k] = TN_NONE;
    size_t largest = 0, residual = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (group->batch.layout->nv > largest) largest = group->batch.layout->nv;
        if (group->type->residual && tn_mass_power_size(group) > residual)
            residual = tn_mass_power_size(group);
    }
    ledger->own_force = tn_assembly_new(assembly, largest, sizeof(double));
    ledger->residual_memory = tn_assembly_new(assembly, residual, sizeof(double));
    return ledger;
}

/* Where the type says what the count of dissipated energy starts with. */
static const tn_parameter *start_of_count(const tn_model *model, uint32_t item)
{
    const tn_parameter *parameter = model->use[model->item[item].use].element->parameters;
    const char *name = tn_energy_outputs[TN_ENERGY_DISSIPATED].name;
    while (parameter && parameter->name && strcmp(parameter->name, name) != 0)
        parameter++;
    const bool fits =
        parameter && parameter->name && parameter->kind == TN_KIND_REAL && parameter->count == 1;
    return fits ? parameter : NULL;
}

static void add_entry(tn_assembly *assembly, tn_ledger *ledger, uint32_t item)
{
    if (ledger->entry_of[item] != TN_NONE) return;
    ledger->entry_of[item] = (uint32_t)ledger->count;
    ledger->entry = tn_arena_grow(&assembly->memory, ledger->entry, &ledger->capacity, ledger->count + 1,
                                  sizeof *ledger->entry);
    ledger->entry[ledger->count++] = (entry){.item = item, .own = start_of_count(assembly->model, item)};
}

void tn_ledger_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    tn_ledger *ledger = NULL;
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        if (!is_integrated(sensor)) continue;
        if (!ledger) ledger = new_ledger(assembly);
        if (sensor->kind == TN_SENSOR_SYSTEM) {
            ledger->whole = true;
            ledger->dissipation = ledger->dissipation || sensor->output != TN_SYSTEM_ENERGY_BALANCE;
        } else {
            add_entry(assembly, ledger, sensor->item);
        }
    }
    assembly->energies->ledger = ledger;
    if (!ledger) return;
    assembly->system.quadratures = (uint32_t)(2 * (ledger->count + (ledger->whole ? 1 : 0)));
    assembly->system.nx += assembly->system.quadratures;
}

/* ---- powers ---------------------------------------------------------------------------------------------- */

static const tn_group *group_of(const tn_assembly *assembly, uint32_t item)
{
    return &assembly->group[assembly->group_of[item]];
}

static double instance_energy(const tn_assembly *assembly, uint32_t item, bool dissipation)
{
    double value = 0.0;
    return tn_energy_values(assembly, group_of(assembly, item), assembly->index_of[item], 1, dissipation,
                            &value)
               ? value
               : 0.0;
}

/* Power of the forces that an element exerts at the state of the last evaluation. */
static double instance_power(const tn_assembly *assembly, uint32_t item)
{
    const tn_group *group = group_of(assembly, item);
    tn_batch batch = tn_sub_batch(group, assembly->index_of[item], 1);
    double power = tn_power_add(&batch, 0, assembly->motion, 0.0) -
                   tn_contact_power(assembly, group, assembly->index_of[item]);
    batch.time = assembly->system.time;
    batch.force = assembly->energies->ledger->own_force;
    const bool has_own = group->type->body_force || group->type->residual;
    if (has_own && tn_own_force(group, &batch) == TN_OK)
        for (uint32_t e = 0; e < batch.layout->nv; e++)
            power += batch.force[e] * batch.v[e];
    if (group->type->residual)
        power += tn_mass_power(assembly, group, assembly->index_of[item],
                               assembly->energies->ledger->residual_memory);
    return power;
}

/* Sum over all elements of a kind of energy or power, as far as they have values. */
static double sum_of_energies(const tn_assembly *assembly, bool dissipation)
{
    double sum = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++)
        (void)tn_energy_add(assembly, &assembly->group[k], dissipation, &sum);
    return sum;
}

/* What forces do besides f v where masses change. */
static double power_of_masses(const tn_assembly *assembly)
{
    double power = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->type->residual && i < group->batch.count; i++)
            power += tn_mass_power(assembly, group, i, assembly->energies->ledger->residual_memory);
    }
    return power;
}

/* Of the reactions of all points of contact. */
static double power_of_contacts(const tn_assembly *assembly)
{
    double power = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++)
        for (uint32_t i = 0; assembly->group[k].contact && i < assembly->group[k].batch.count; i++)
            power += tn_contact_power(assembly, &assembly->group[k], i);
    return power;
}

double tn_potential_energy(tn_assembly *assembly) { return sum_of_energies(assembly, false); }

void tn_ledger_rates(tn_assembly *assembly)
{
    const tn_ledger *ledger = assembly->energies->ledger;
    const tn_system *system = &assembly->system;
    double *rate = system->x_rate + system->nx - system->quadratures;
    if (ledger->whole) {
        double power = 0.0;
        for (size_t i = 0; i < system->nv; i++)
            power += assembly->force[i] * system->v[i];
        if (assembly->system.changing_masses) power += power_of_masses(assembly);
        *rate++ = power - power_of_contacts(assembly);
        *rate++ = ledger->dissipation ? sum_of_energies(assembly, true) : 0.0;
    }
    for (size_t k = 0; k < ledger->count; k++) {
        *rate++ = instance_power(assembly, ledger->entry[k].item);
        *rate++ = instance_energy(assembly, ledger->entry[k].item, true);
    }
}

/* What an impact takes away is dissipated there; constraints only transmit, or drive. */
static double impulse_loss(const tn_group *group, double work)
{
    return group->rows ? 0.0 : fmax(-work, 0.0);
}

void tn_ledger_impulses(tn_assembly *assembly, const double *mean, const double *change)
{
    const tn_ledger *ledger = assembly->energies->ledger;
    const tn_system *system = &assembly->system;
    double *x = system->x + system->nx - system->quadratures;
    if (ledger->whole) {
        x[0] += tn_mass_product(assembly, mean, change);
        for (size_t k = 0; k < assembly->group_count; k++) {
            const tn_group *group = &assembly->group[k];
            for (size_t i = 0; group->type->on_event && i < group->batch.count; i++)
                x[1] += impulse_loss(group, tn_power_add(&group->batch, i, mean, 0.0));
        }
        x += 2;
    }
    for (size_t k = 0; k < ledger->count; k++, x += 2) {
        const uint32_t item = ledger->entry[k].item;
        const tn_group *group = group_of(assembly, item);
        const double work = tn_power_add(&group->batch, assembly->index_of[item], mean, 0.0);
        x[0] += work;
        x[1] += impulse_loss(group, work);
    }
}

void tn_ledger_contacts(tn_assembly *assembly, uint32_t item, double work)
{
    const tn_ledger *ledger = assembly->energies->ledger;
    if (!ledger) return;
    const tn_system *system = &assembly->system;
    double *whole = system->x + system->nx - system->quadratures, *own = whole + (ledger->whole ? 2 : 0);
    if (ledger->whole) {
        whole[0] += work;
        whole[1] += fmax(-work, 0.0);
    }
    if (ledger->entry_of[item] == TN_NONE) return;
    own += 2 * (size_t)ledger->entry_of[item];
    own[0] += work;
    own[1] += fmax(-work, 0.0);
}

/* ---- energies -------------------------------------------------------------------------------------------- */

static const double *quadratures(const tn_assembly *assembly)
{
    return assembly->system.x + assembly->system.nx - assembly->system.quadratures;
}

/* Of entry k: the work of its forces, and what it has dissipated. */
static const double *quadratures_of(const tn_assembly *assembly, size_t k)
{
    return quadratures(assembly) + 2 * (k + (assembly->energies->ledger->whole ? 1 : 0));
}

/* The count of entry k stands at what its element says. */
static void set_count(tn_assembly *assembly, size_t k)
{
    entry *e = &assembly->energies->ledger->entry[k];
    if (!e->own) return;
    const char *instance = tn_item_instance(assembly->model, e->item);
    const double *start = (const void *)(instance + e->own->offset);
    e->dissipated_before = *start - quadratures_of(assembly, k)[1];
}

void tn_ledger_start(tn_assembly *assembly)
{
    tn_ledger *ledger = assembly->energies->ledger;
    if (!ledger) return;
    ledger->start_potential = tn_potential_energy(assembly);
    for (size_t k = 0; k < ledger->count; k++) {
        ledger->entry[k].start_potential = instance_energy(assembly, ledger->entry[k].item, false);
        set_count(assembly, k);
    }
}

void tn_ledger_changed(tn_assembly *assembly, uint32_t item, uint32_t offset)
{
    const tn_ledger *ledger = assembly->energies->ledger;
    const uint32_t k = ledger ? ledger->entry_of[item] : TN_NONE;
    if (k != TN_NONE && ledger->entry[k].own && ledger->entry[k].own->offset == offset)
        set_count(assembly, k);
}

double tn_dissipated_energy(const tn_assembly *assembly) { return quadratures(assembly)[1]; }

double tn_supplied_energy(tn_assembly *assembly)
{
    const double *x = quadratures(assembly);
    return x[0] + tn_potential_energy(assembly) - assembly->energies->ledger->start_potential + x[1];
}

double tn_energy_balance(tn_assembly *assembly)
{
    return tn_kinetic_energy(assembly) - quadratures(assembly)[0] +
           assembly->energies->ledger->start_potential;
}

double tn_element_energy(const tn_assembly *assembly, uint32_t item, enum tn_energy_output output)
{
    if (output == TN_ENERGY_POTENTIAL) return instance_energy(assembly, item, false);
    const tn_ledger *ledger = assembly->energies->ledger;
    const size_t k = ledger->entry_of[item];
    const double *x = quadratures_of(assembly, k);
    if (output == TN_ENERGY_DISSIPATED) return x[1] + ledger->entry[k].dissipated_before;
    return x[0] + instance_energy(assembly, item, false) - ledger->entry[k].start_potential + x[1];
}

void tn_ledger_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    tn_ledger *ledger = assembly->energies ? assembly->energies->ledger : NULL;
    if (!ledger) return;
    TN_VISIT(visitor, ledger->start_potential);
    for (size_t k = 0; k < ledger->count; k++) {
        TN_VISIT(visitor, ledger->entry[k].start_potential);
        TN_VISIT(visitor, ledger->entry[k].dissipated_before);
    }
}
