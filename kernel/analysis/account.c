/* account.c - a check of every run: does its energy change by what came in and went out?
 *
 * With T the kinetic and V the potential energy, P the power of forces that V does not tell about and D the dissipated power, T + V
 * changes by the integral of P - D. P may come in pulses and is integrated over every step. T, V and D are found at some accepted
 * states: often at first, then few enough to cost nearly nothing, in intervals that vary, lest they fall in with an oscillation.
 * What the trapezoidal rule may err by is half of what P and D change by, in the time between: only a misfit beyond that counts,
 * and a loss only where nothing is dissipated or supplied. Steps of adaptive solvers are not checked: their error is controlled.
 * What T + V gains beyond the work of P is a misfit whatever D is, for dissipation only takes.
 * Elements whose forces are not those of their V and D, as a probe along the motion shows, are taken as forces without a V. What impulses
 * of points of contact do in a step is known by itself, however short they are. */
#include "analysis/energy.h"

#include "extensions/contacts.h"
#include "system/accept.h"
#include "values/value_graph.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LARGEST_MISFIT 0.01 /* of the energy in the motion */
#define ROUND_OFF 1e-10     /* of forces times sizes: no motion has less energy */
#define OF_IMPULSES 1e-8    /* likewise, at contacts: the tolerance of constraint solvers */
#define OVERLAP 1e-6     /* of the length of the model: what overlaps by more at the start is pushed apart */
#define PROBE 1e-6       /* of the time between two states, along the motion */
#define PROBE_ERROR 1e-2 /* of a power, that a probe may find */

enum {
    DENSE = 16,    /* states looked at from the start; */
    INTERVAL = 40, /* steps between later ones, */
    SPREAD = 16,   /* more or less, */
    LATER = 64,    /* and this part of all steps before, or twice as many */
    FEW = 64,      /* elements that supply power: so many cost little; */
    PART = 20      /* and as many as one for each so many coordinates */
};
#define PEAKS 4.0 /* times the error of a power that changes within a step */

enum { BY_POWER, BY_ENERGY, NEITHER };

struct tn_account {
    tn_step_observer observer;
    uint8_t *kind;                /* [groups] how their work is found */
    double *q, *v;                /* memory for probes: states */
    double *power, *difference;   /* [groups] powers, and differences of potentials */
    uint64_t steps, next, passed; /* steps since the last state, to the next one, before the last one */
    uint64_t looks, random;       /* states so far; what intervals vary by */
    uint32_t revision;
    bool off, begun, dissipates;
    bool supplied;              /* P is found at every step */
    bool jumped;                /* impulses have acted where the step ends */
    double energy, look_time;   /* T + V at the last state that was looked at */
    double supply, supply_time; /* P at the last step */
    double dissipation;         /* power, at the last state that was looked at */
    double step_work;           /* since the last look */
    double misfit, uncertain;   /* since the start: T + V less the work; its possible error */
    double gain, vague;         /* the same, if nothing had been dissipated */
    double forces;              /* largest sum of forces times sizes: what round-off is measured by */
    double accuracy;            /* of forces: round-off, or what impulses are found to */
    double kinetic, lowest, highest, work; /* largest T; range of V; sum of |work| */
    double worst, worst_time, largest;     /* of one interval; of the sum, beyond its possible error */
};

/* ---- which powers count --------------------------------------------------------------------------------------- */

static bool has_dynamic(const tn_assembly *assembly, const tn_group *group)
{
    size_t count = 0;
    const tn_dynamic_value *dynamic = tn_dynamic_values(assembly->model, &count);
    for (size_t k = 0; k < count; k++)
        if (&assembly->group[assembly->group_of[dynamic[k].item]] == group) return true;
    return false;
}

static bool acts_on_markers(const tn_group *group) { return group->force && !group->rows; }

/* ---- one state ------------------------------------------------------------------------------------------------ */

/* Sum over a group; nan where it has no value. */
static double sum_of_group(const tn_assembly *assembly, const tn_group *group, bool dissipation)
{
    double sum = 0.0;
    return tn_energy_add(assembly, group, dissipation, &sum) ? sum : (double)NAN;
}

static double power_of_group(const tn_assembly *assembly, const tn_group *group)
{
    double power = 0.0;
    for (uint32_t i = 0; i < group->batch.count; i++)
        power =
            tn_power_add(&group->batch, i, assembly->motion, power) - tn_contact_power(assembly, group, i);
    return power;
}

/* Of all groups whose energies count. */
static double sum_of_groups(const tn_assembly *assembly, bool dissipation)
{
    double sum = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->energies->account->kind[k] == BY_ENERGY)
            sum += sum_of_group(assembly, &assembly->group[k], dissipation);
    return sum;
}

/* What supplies power, at the markers and wrenches of the last evaluation. */
static double find_supply(const tn_assembly *assembly)
{
    double supply = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->energies->account->kind[k] == BY_POWER)
            supply += power_of_group(assembly, &assembly->group[k]);
    return supply;
}

/* Power may be supplied in pulses: it is integrated over every step, and where too many elements supply it nothing is checked. */
static void find_suppliers(tn_assembly *assembly)
{
    struct tn_account *account = assembly->energies->account;
    size_t count = 0;
    for (size_t k = 0; k < assembly->group_count; k++)
        count += account->kind[k] == BY_POWER ? assembly->group[k].batch.count : 0;
    account->supplied = count > 0;
    account->off = account->off || (count > FEW && PART * count > assembly->system.nv);
}

static double size_of_forces(const tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    double sum = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        sum += fabs(system->force[i]) * system->scale[i];
    for (uint32_t r = 0; r < system->rows; r++)
        sum += fabs(system->lambda[r]) * assembly->length;
    return sum;
}

/* ---- probes --------------------------------------------------------------------------------------------------- */

static bool is_probed(const tn_assembly *assembly, size_t group)
{
    return assembly->energies->account->kind[group] == BY_ENERGY && acts_on_markers(&assembly->group[group]);
}

/* Adds the potentials at a place that is `step` (s) away along the motion, or subtracts them at one before it. */
static bool probe_potentials(tn_assembly *assembly, double step, double *potential)
{
    tn_system *system = &assembly->system;
    const struct tn_account *account = assembly->energies->account;
    for (uint32_t i = 0; i < system->nv; i++)
        account->v[i] = step * system->v[i];
    bool good = system->retract(system, account->q, account->v, system->q) == TN_OK;
    good = good && tn_evaluate_markers(assembly) == TN_OK;
    for (size_t k = 0; k < assembly->group_count && good; k++)
        if (is_probed(assembly, k))
            potential[k] += (step > 0.0 ? 1.0 : -1.0) * sum_of_group(assembly, &assembly->group[k], false);
    memcpy(system->q, account->q, system->nq * sizeof(double));
    return good;
}

static bool any_is_probed(const tn_assembly *assembly)
{
    size_t k = 0;
    while (k < assembly->group_count && !is_probed(assembly, k))
        k++;
    return k < assembly->group_count;
}

/* Takes away the potential of groups whose forces do other work than it says; true when there are any. Round-off is that of potentials,
 * and of coordinates times forces: a motion that is nearly at rest tells nothing. */
static bool find_others(tn_assembly *assembly, double step)
{
    struct tn_account *account = assembly->energies->account;
    tn_system *system = &assembly->system;
    double *difference = account->difference;
    if (!any_is_probed(assembly)) return false;
    memset(difference, 0, assembly->group_count * sizeof *difference);
    bool any = false;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (is_probed(assembly, k))
            account->power[k] = power_of_group(assembly, group) + sum_of_group(assembly, group, true);
    }
    memcpy(account->q, system->q, system->nq * sizeof(double));
    const bool good =
        probe_potentials(assembly, step, difference) && probe_potentials(assembly, -step, difference);
    (void)tn_evaluate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && good; k++) {
        const tn_group *group = &assembly->group[k];
        if (!is_probed(assembly, k)) continue;
        const double rate = difference[k] / (2.0 * step);
        const double round_off =
            (1e-12 * fabs(sum_of_group(assembly, group, false)) + 4.0 * DBL_EPSILON * account->forces) / step;
        if (fabs(account->power[k] + rate) <=
            PROBE_ERROR * (fabs(account->power[k]) + fabs(rate)) + round_off)
            continue;
        account->kind[k] = BY_POWER;
        any = true;
    }
    return any;
}

/* ---- the account ---------------------------------------------------------------------------------------------- */

/* The work since P was found before. */
static void integrate_supply(struct tn_account *account, double time, double supply)
{
    const double step = time - account->supply_time;
    account->step_work += 0.5 * step * (account->supply + supply);
    const double error = PEAKS * 0.5 * step * fabs(supply - account->supply);
    account->uncertain += error;
    account->vague += error;
}

/* What dissipation takes, and where it is less than 0, gives. */
static void integrate_dissipation(struct tn_account *account, double step, double dissipation)
{
    const double before = account->dissipation;
    const double given = fmax(-before, 0.0) + fmax(-dissipation, 0.0);
    account->step_work -= 0.5 * step * (before + dissipation);
    account->uncertain += PEAKS * 0.5 * step * fabs(dissipation - before);
    account->vague += PEAKS * 0.5 * step * given;
}

static void add_interval(struct tn_account *account, double time, double energy, double dissipation)
{
    integrate_dissipation(account, time - account->look_time, dissipation);
    const double change = energy - account->energy - account->step_work;
    account->misfit += change;
    account->work += fabs(account->step_work);
    if (fabs(change) > account->worst) {
        account->worst = fabs(change);
        account->worst_time = time;
    }
    /* what is dissipated in pulses between two states looks like a loss */
    const double beyond = fabs(account->misfit) - account->uncertain;
    const bool counts = account->misfit > 0.0 || !(account->dissipates || account->supplied);
    if (counts && beyond > fabs(account->largest)) account->largest = copysign(beyond, account->misfit);
}

/* What no dissipation can have given. */
static void add_gain(struct tn_account *account, double time, double energy)
{
    const double change = energy - account->energy - account->step_work;
    account->gain += change;
    if (account->gain - account->vague > fabs(account->largest))
        account->largest = account->gain - account->vague;
    if (change <= account->worst) return;
    account->worst = change;
    account->worst_time = time;
}

static uint64_t choose_interval(struct tn_account *account)
{
    if (account->looks < DENSE) return 1;
    account->random = account->random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t least = INTERVAL - SPREAD / 2 + (account->random >> 33) % SPREAD;
    return least + account->passed / LATER * (1 + (account->random >> 40) % 2);
}

/* Elements that turn out to do other work than they say are taken otherwise from here on, and all begins anew. */
static void check_suppliers(tn_assembly *assembly)
{
    struct tn_account *account = assembly->energies->account;
    const double step = PROBE * (assembly->system.time - account->look_time);
    const bool power_of_two = (account->looks & (account->looks - 1)) == 0;
    if (!account->begun || !(step > 0.0) || !power_of_two || !find_others(assembly, step)) return;
    account->begun = false;
    find_suppliers(assembly);
    account->misfit = account->uncertain = account->gain = account->vague = 0.0;
    account->work = account->worst = account->largest = 0.0;
}

static void note_state(tn_assembly *assembly, bool goes_on, bool keeps_energy)
{
    struct tn_account *account = assembly->energies->account;
    const double time = assembly->system.time;
    const double kinetic = tn_kinetic_energy(assembly), potential = sum_of_groups(assembly, false);
    const bool first = account->looks++ == 0;
    const double dissipation = sum_of_groups(assembly, true);
    account->dissipates = account->dissipates || dissipation > 0.0;
    if (keeps_energy) add_gain(account, time, kinetic + potential);
    if (goes_on) add_interval(account, time, kinetic + potential, dissipation);
    account->dissipation = dissipation;
    account->begun = true;
    account->energy = kinetic + potential;
    account->look_time = time;
    account->step_work = 0.0;
    account->forces = fmax(account->forces, size_of_forces(assembly));
    account->kinetic = fmax(account->kinetic, kinetic);
    account->lowest = first ? potential : fmin(account->lowest, potential);
    account->highest = first ? potential : fmax(account->highest, potential);
    account->passed += account->steps;
    account->steps = 0;
    account->next = choose_interval(account);
}

/* Kept out of line: most steps have nothing to do with it. */
__attribute__((noinline)) static void note_step(tn_assembly *assembly, bool due, bool changed, bool jumps)
{
    struct tn_account *account = assembly->energies->account;
    const double time = assembly->system.time;
    if (due) check_suppliers(assembly);
    const double supply = find_supply(assembly);
    const bool keeps_energy = account->begun && !jumps;
    if (keeps_energy) integrate_supply(account, time, supply);
    account->supply = supply;
    account->supply_time = time;
    account->revision = assembly->system.revision;
    if (due) note_state(assembly, account->begun && !changed, keeps_energy);
}

void tn_account_contacts(tn_assembly *assembly, double work)
{
    assembly->energies->account->step_work += work;
}

void tn_account_impulses(tn_assembly *assembly) { assembly->energies->account->jumped = true; }

static tn_status account_for_step(void *data, const tn_accepted_step *step)
{
    tn_assembly *assembly = data;
    struct tn_account *account = assembly->energies->account;
    if (account->off) return TN_OK;
    if (assembly->system.run->adaptive) {
        account->begun = false; /* its error is controlled, and its steps are too long for the rule */
        return TN_OK;
    }
    /* an event may take energy, as where something breaks, and gives none unless by impulses */
    const bool changed = assembly->system.revision != account->revision;
    const bool jumps = step->changed || account->jumped;
    account->jumped = false;
    if (account->looks == 1 && tn_contacts_depth(assembly) > OVERLAP * assembly->length)
        account->begun = false; /* the model wants it: an overlap of the start is no error of the step */
    const bool due = ++account->steps >= account->next || changed || !account->begun;
    if (due || account->supplied) note_step(assembly, due, changed, jumps);
    return TN_OK;
}

void tn_account_build(tn_assembly *assembly)
{
    struct tn_account *account = assembly->energies->account = tn_assembly_new(assembly, 1, sizeof *account);
    account->kind = tn_assembly_new(assembly, assembly->group_count, sizeof *account->kind);
    account->power = tn_assembly_new(assembly, assembly->group_count, sizeof *account->power);
    account->difference = tn_assembly_new(assembly, assembly->group_count, sizeof *account->difference);
    account->q = tn_assembly_new(assembly, assembly->system.nq, sizeof(double));
    account->v = tn_assembly_new(assembly, assembly->system.nv, sizeof(double));
    assembly->energies->product = account->v; /* each is needed for a moment */
    account->random = 1;
    account->accuracy = ROUND_OFF;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const bool dynamic = has_dynamic(assembly, group);
        if (group->type->points && !group->force) account->accuracy = OF_IMPULSES;
        account->kind[k] = group->type->potential && !(dynamic && acts_on_markers(group)) ? BY_ENERGY
                           : acts_on_markers(group)                                       ? BY_POWER
                                                                                          : NEITHER;
        // what is not accounted for: impacts; constraints that move, whose forces come late; bodies' own forces without a potential
        account->off = account->off || group->type->update || group->unilateral ||
                       (group->rows && (dynamic || group->force)) ||
                       ((group->type->body_force || group->type->residual) && !group->type->potential);
    }
    find_suppliers(assembly);
    account->observer = (tn_step_observer){.see = account_for_step, .data = assembly, .next = HUGE_VAL};
    if (!account->off) tn_accept_observe(assembly, &account->observer);
}

bool tn_account_misfit(const tn_assembly *assembly, double *misfit, double *share, double *time)
{
    const struct tn_account *account = assembly->energies->account;
    const double size = fmax(fmax(account->kinetic, account->highest - account->lowest), account->work);
    *misfit = account->largest;
    *share = size > 0.0 ? fabs(account->largest) / size : 0.0;
    *time = account->worst_time;
    // at an equilibrium forces vanish, but not what they are differences of
    const double least =
        account->accuracy * fmax(account->forces, fmax(fabs(account->highest), fabs(account->lowest)));
    return !account->off && *share > LARGEST_MISFIT && size > least;
}

void tn_account_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    struct tn_account *a = assembly->energies ? assembly->energies->account : NULL;
    if (!a) return;
    visitor->bytes(visitor, a->kind, assembly->group_count * sizeof *a->kind);
    uint64_t *const count[] = {&a->steps, &a->next, &a->passed, &a->looks, &a->random};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        TN_VISIT(visitor, *count[k]);
    TN_VISIT(visitor, a->revision);
    bool *const truth[] = {&a->off, &a->begun, &a->dissipates, &a->supplied};
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++)
        TN_VISIT(visitor, *truth[k]);
    double *const number[] = {&a->energy,    &a->look_time, &a->supply,    &a->supply_time, &a->dissipation,
                              &a->step_work, &a->misfit,    &a->uncertain, &a->forces,      &a->kinetic,
                              &a->lowest,    &a->highest,   &a->work,      &a->worst,       &a->worst_time,
                              &a->largest,   &a->gain,      &a->vague};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
}
