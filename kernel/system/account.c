/* account.c - a check of every run: does its energy change by what came in and went out?
 *
 * With T the kinetic and V the potential energy and P the power of forces that V does not tell about (dissipated power counts
 * as negative), T + V changes by the integral of P. Some accepted states are looked at: often at first, then few enough to cost
 * nearly nothing. P is integrated between them by the trapezoidal rule, and what that may err by is estimated by leaving out every
 * other state: only a misfit beyond that counts. Elements whose forces are not those of their V and dissipated power, as a probe
 * along the motion shows, are taken as forces without a V. The intervals that states are looked at in vary, lest they fall in
 * with an oscillation. */
#include "system/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_MISFIT 0.01 /* of the energy in the motion */
#define PROBE 1e-6          /* of the time between two states, along the motion */
#define PROBE_ERROR 1e-2    /* of a power, that a probe may find */

enum { DENSE = 16, INTERVAL = 16, SPREAD = 8 }; /* states looked at from the start; steps between later ones */

enum { BY_POWER, BY_ENERGY, NEITHER };

struct tn_account {
    uint8_t *kind;  /* [groups] how their work is found */
    double *q, *v, *power; /* memory for probes; [groups] powers at a state */
    uint64_t steps, next, looks, random;
    uint32_t revision;
    bool off, begun, halfway; /* halfway: between two states that the estimate uses */
    double time, energy, supply;     /* at the last state: T + V, P */
    double half_time, half_supply, half_work; /* at the one before, and the work since */
    double misfit, uncertain;        /* since the start: T + V less the work; its possible error */
    double kinetic, lowest, highest, work; /* largest T; range of V; sum of |work| */
    double worst, worst_time, largest; /* of one interval; of the sum, beyond its possible error */
};

/* ---- which powers count --------------------------------------------------------------------------------------- */

static bool has_dynamic(const tn_assembly *assembly, const tn_group *group)
{
    const tn_model *model = assembly->model;
    for (size_t k = 0; k < model->dynamic_count; k++)
        if (&assembly->group[assembly->group_of[model->dynamic[k].item]] == group) return true;
    return false;
}

static bool acts_on_markers(const tn_group *group) { return group->type->force && !group->rows; }

void tn_account_build(tn_assembly *assembly)
{
    struct tn_account *account = assembly->account = tn_new(1, sizeof *account);
    account->kind = tn_new(assembly->group_count, sizeof *account->kind);
    account->power = tn_new(assembly->group_count, sizeof *account->power);
    account->q = tn_new(assembly->system.nq, sizeof(double));
    account->v = tn_new(assembly->system.nv, sizeof(double));
    account->random = 1;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const bool dynamic = has_dynamic(assembly, group);
        account->kind[k] = group->type->potential && !(dynamic && acts_on_markers(group)) ? BY_ENERGY
                           : acts_on_markers(group)                                       ? BY_POWER
                                                                                          : NEITHER;
        // constraints that move do work that is only known late; bodies without a potential may, by forces of their own
        account->off = account->off || (group->rows && (dynamic || group->type->force)) ||
                       (group->type->body_force && !group->type->potential);
    }
}

void tn_account_free(struct tn_account *account)
{
    if (!account) return;
    free(account->kind);
    free(account->power);
    free(account->q);
    free(account->v);
    free(account);
}

/* ---- one state ------------------------------------------------------------------------------------------------ */

/* Sum over a group; nan where it has none. */
static double sum_of(const tn_assembly *assembly, const tn_group *group, tn_batch_function function,
                     const char *name)
{
    double value[TN_CHUNK], sum = 0.0;
    for (uint32_t first = 0; function && first < group->batch.count; first += TN_CHUNK) {
        const uint32_t left = group->batch.count - first;
        tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
        batch.time = assembly->system.time;
        batch.value = value;
        if (tn_call_at(group->type, name, NULL, function(&batch)) != TN_OK) return (double)NAN;
        for (uint32_t i = 0; i < batch.count; i++)
            sum += value[i];
    }
    return sum;
}

static double power_of(const tn_assembly *assembly, const tn_group *group)
{
    const tn_batch *batch = &group->batch;
    const double *wrench = batch->wrench;
    const tn_marker_place *place = batch->marker;
    double power = 0.0;
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->marker_count; k++, place++) {
            const double *twist = assembly->motion + place->twist;
            for (uint32_t e = 0; e < tn_twist_size(batch->marker_kind[k]); e++)
                power += *wrench++ * twist[e];
        }
    return power;
}

static double potential_of(const tn_assembly *assembly, const tn_group *group)
{
    return sum_of(assembly, group, group->type->potential, "potential");
}

static double dissipation_of(const tn_assembly *assembly, const tn_group *group)
{
    return sum_of(assembly, group, group->type->dissipation, "dissipation");
}

/* T, V and P at the markers and wrenches of the last evaluation. */
static void look(tn_assembly *assembly, double *kinetic, double *potential, double *supply)
{
    const struct tn_account *account = assembly->account;
    *kinetic = tn_kinetic_energy(assembly);
    *potential = *supply = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (account->kind[k] == BY_POWER) *supply += power_of(assembly, group);
        if (account->kind[k] != BY_ENERGY) continue;
        *potential += potential_of(assembly, group);
        if (group->type->dissipation) *supply -= dissipation_of(assembly, group);
    }
}

/* ---- probes --------------------------------------------------------------------------------------------------- */

static bool probe(tn_assembly *assembly, double step, double *potential)
{
    tn_system *system = &assembly->system;
    const struct tn_account *account = assembly->account;
    for (uint32_t i = 0; i < system->nv; i++)
        account->v[i] = step * system->v[i];
    bool good = system->retract(system, account->q, account->v, system->q) == TN_OK;
    good = good && tn_evaluate_markers(assembly) == TN_OK;
    for (size_t k = 0; k < assembly->group_count && good; k++)
        if (account->kind[k] == BY_ENERGY && acts_on_markers(&assembly->group[k]))
            potential[k] += (step > 0.0 ? 1.0 : -1.0) * potential_of(assembly, &assembly->group[k]);
    memcpy(system->q, account->q, system->nq * sizeof(double));
    return good;
}

/* Takes away the potential of groups whose forces do other work than it says; true when there are any. */
static bool find_others(tn_assembly *assembly, double step)
{
    struct tn_account *account = assembly->account;
    tn_system *system = &assembly->system;
    double *difference = tn_new(assembly->group_count, sizeof *difference);
    bool any = false;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (account->kind[k] != BY_ENERGY || !acts_on_markers(group)) continue;
        account->power[k] = power_of(assembly, group) + dissipation_of(assembly, group);
    }
    memcpy(account->q, system->q, system->nq * sizeof(double));
    const bool good = probe(assembly, step, difference) && probe(assembly, -step, difference);
    (void)tn_evaluate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && good; k++) {
        const tn_group *group = &assembly->group[k];
        if (account->kind[k] != BY_ENERGY || !acts_on_markers(group)) continue;
        const double rate = difference[k] / (2.0 * step);
        const double round_off = 1e-12 * fabs(potential_of(assembly, group)) / step;
        if (fabs(account->power[k] + rate) <= PROBE_ERROR * (fabs(account->power[k]) + fabs(rate)) + round_off)
            continue;
        account->kind[k] = BY_POWER;
        any = true;
    }
    free(difference);
    return any;
}

/* ---- the account ---------------------------------------------------------------------------------------------- */

static void begin(struct tn_account *account, double time, double energy, double supply)
{
    account->begun = true;
    account->halfway = false;
    account->time = account->half_time = time;
    account->energy = energy;
    account->supply = account->half_supply = supply;
    account->half_work = 0.0;
}

static void add(struct tn_account *account, double time, double energy, double supply)
{
    const double work = 0.5 * (time - account->time) * (account->supply + supply);
    const double change = energy - account->energy - work;
    account->misfit += change;
    account->work += fabs(work);
    account->half_work += work;
    if (fabs(change) > account->worst) {
        account->worst = fabs(change);
        account->worst_time = time;
    }
    if (account->halfway) {
        const double whole = 0.5 * (time - account->half_time) * (account->half_supply + supply);
        account->uncertain += fabs(whole - account->half_work);
        account->half_time = time;
        account->half_supply = supply;
        account->half_work = 0.0;
    }
    account->halfway = !account->halfway;
    account->time = time;
    account->energy = energy;
    account->supply = supply;
    const double beyond = fabs(account->misfit) - account->uncertain;
    if (beyond > fabs(account->largest)) account->largest = copysign(beyond, account->misfit);
}

static uint64_t interval(struct tn_account *account)
{
    if (account->looks < DENSE) return 1;
    account->random = account->random * 6364136223846793005u + 1442695040888963407u;
    return INTERVAL - SPREAD / 2 + (account->random >> 33) % SPREAD;
}

void tn_account_accepted(tn_assembly *assembly)
{
    struct tn_account *account = assembly->account;
    const tn_system *system = &assembly->system;
    if (account->off) return;
    const bool changed = system->revision != account->revision;
    if (!changed && account->begun && ++account->steps < account->next) return;
    double kinetic, potential, supply;
    account->revision = system->revision;
    look(assembly, &kinetic, &potential, &supply);
    const double step = PROBE * (system->time - account->time);
    const bool power_of_two = (account->looks & (account->looks - 1)) == 0;
    if (account->begun && step > 0.0 && power_of_two && find_others(assembly, step)) {
        account->begun = false;
        account->misfit = account->uncertain = account->work = account->worst = account->largest = 0.0;
        look(assembly, &kinetic, &potential, &supply);
    }
    account->looks++;
    if (!account->begun || changed)
        begin(account, system->time, kinetic + potential, supply);
    else
        add(account, system->time, kinetic + potential, supply);
    const bool first = account->looks == 1;
    account->kinetic = fmax(account->kinetic, kinetic);
    account->lowest = first ? potential : fmin(account->lowest, potential);
    account->highest = first ? potential : fmax(account->highest, potential);
    account->steps = 0;
    account->next = interval(account);
}

bool tn_account_misfit(const tn_assembly *assembly, double *misfit, double *share, double *time)
{
    const struct tn_account *account = assembly->account;
    const double size = fmax(fmax(account->kinetic, account->highest - account->lowest), account->work);
    *misfit = account->largest;
    *share = size > 0.0 ? fabs(account->largest) / size : 0.0;
    *time = account->worst_time;
    return !account->off && *share > LARGEST_MISFIT;
}
