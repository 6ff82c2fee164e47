/* accelerate.c - accelerations for solvers: by masses alone, with rows, or with forces that read the accelerations */
#include "system/block_calls.h"
#include "system/constraints.h"
#include "system/explanation.h"
#include "system/mass.h"
#include "system/project.h"
#include "system/value_source.h"

#include <string.h>

enum { FEW = 32 };

/* By diagonal masses, few of them, in one pass; whether all are finite. */
static inline bool divide_few(const double *inverse, const double *force, double *a, size_t count)
{
    double nothing = 0.0;
    for (size_t i = 0; i < count; i++) {
        a[i] = inverse[i] * force[i];
        nothing += 0.0 * a[i];
        __asm__(""); /* vectors would take more instructions than they save */
    }
    return nothing == 0.0;
}

__attribute__((noinline)) static tn_status divide_force(tn_assembly *assembly, double *a)
{
    const tn_status status = tn_mass_divide(assembly, assembly->force, a);
    if (status != TN_OK) return status;
    return tn_all_are_finite(assembly, a, assembly->system.nv) ? TN_OK : tn_find_number(assembly);
}

/* Into the accelerations and multipliers of the state, given by markers and rows. */
static tn_status accelerate_in_place(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const bool direct = assembly->reading.couples_directly;
    tn_status status = TN_OK;
    if (!direct && !system->rows) {
        status = divide_force(assembly, system->a);
        return status == TN_OK ? system->evaluate(system) : status; /* x_rate with these accelerations */
    }
    status = direct ? assembly->services->values->accelerate(assembly) : tn_constrained_accelerate(assembly);
    const bool is_unexplained = status == TN_RETRY && !assembly->failures.refusal.group;
    const bool is_spoilt = status == TN_OK && !tn_are_finite(system->a, system->nv);
    return is_unexplained || is_spoilt ? tn_find_number(assembly) : status;
}

tn_status tn_system_accelerate(tn_system *system, double *a)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const size_t nv = system->nv, rows = system->rows;
    double *kept = assembly->constraints->kept_solution;
    if (!kept && assembly->diagonal && nv <= FEW && divide_few(assembly->inverse, assembly->force, a, nv))
        return TN_OK;
    if (!kept) return divide_force(assembly, a);
    memcpy(kept, system->a, nv * sizeof *kept);
    memcpy(kept + nv, system->lambda, rows * sizeof *kept);
    const tn_status status = tn_attempt_status(accelerate_in_place(assembly));

    /* the solver's own may be those of another state; and numbers of a failure would spoil what comes next */
    if (status == TN_OK && a != system->a) memcpy(a, system->a, nv * sizeof *a);
    if (status != TN_OK || a != system->a) memcpy(system->a, kept, nv * sizeof *kept);
    if (status != TN_OK) memcpy(system->lambda, kept + nv, rows * sizeof *kept);
    return status;
}
