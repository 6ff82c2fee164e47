/* constraint_solver.c - which constraint solver a solver by impulses gets (see constraint_solver.h) */
#include "run/constraint_solver.h"

#include "extensions/own_matrices.h"
#include "system/failure.h"

#include <string.h>

/* What a solver by impulses gets in place of a type: the kernel calls that, so that its failures are its own. */
typedef struct offer {
    tn_constraint_solver table;
    tn_constraint_solver_type shown; /* of the table */
    tn_constraint_choice choice;     /* its instance */
    tn_assembly *assembly;
    struct offer *next;
} offer;

typedef struct called {
    const tn_constraint_solver_type *type;
    tn_assembly *assembly;
    void *self;
} called;

typedef struct constraint_memory {
    offer *chosen;            /* of the solver that runs; the one before it uses its own until it has ended */
    tn_impulse_totals totals; /* of all solvers of the run */
    bool used;                /* one has asked */
    bool offered;             /* to the solver that runs */
    offer *standard;          /* those that solvers have asked for by name */
} constraint_memory;

static constraint_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_IMPULSE_EXTENSION];
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static tn_status create_called(const tn_host *host, const void *instance, const tn_own_matrices *linear,
                               void **self)
{
    const offer *of = instance;
    called *made = *self = host->allocate(host, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    made->type = of->choice.type;
    made->assembly = of->assembly;
    return tn_call(made->type, create, host, of->choice.instance, linear, &made->self);
}

static tn_status solve_called(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    const called *s = self;
    const tn_status status = tn_call(s->type, solve, s->self, problem, outcome);
    const bool failed =
        status != TN_OK && status != TN_RETRY && status != TN_UNSUPPORTED && status != TN_OUT_OF_MEMORY;
    if (failed && !s->assembly->failures.blame[0])
        return tn_blame(s->assembly, s->type, "solve", "has failed for a problem of %u rows: %s",
                        problem->rows, tn_status_text(status));
    if (status != TN_OK || tn_are_finite(problem->impulse, problem->rows)) return status;
    if (!tn_are_finite(problem->free_rate, problem->rows)) return TN_RETRY;
    return tn_blame(s->assembly, s->type, "solve",
                    "gives impulses that are not finite for a finite problem of %u rows", problem->rows);
}

static void destroy_called(void *self)
{
    called *s = self;
    if (s->self) tn_call(s->type, destroy, s->self);
    s->self = NULL;
}

/* ---- what is offered --------------------------------------------------------------------------------------------- */

static const tn_constraint_solver *offer_standard(tn_system *system, const char *name);

static void fill_offer(tn_assembly *assembly, tn_constraint_choice choice, offer *made)
{
    *made = (offer){.choice = choice, .assembly = assembly};
    made->table = (tn_constraint_solver){.struct_size = sizeof made->table,
                                         .instance = made,
                                         .standard = offer_standard,
                                         .linear = tn_own_matrices_of(assembly),
                                         .totals = &kept(assembly)->totals};
    if (!choice.type) return;
    made->shown = *choice.type;
    made->shown.create = create_called;
    made->shown.solve = solve_called;
    made->shown.destroy = destroy_called;
    made->table.type = &made->shown;
}

static const tn_constraint_solver *find_standard(const constraint_memory *m, const char *name)
{
    for (const offer *s = m->standard; s; s = s->next)
        if (!strcmp(s->choice.type->name, name)) return &s->table;
    return NULL;
}

static void add_standard(tn_assembly *assembly, const char *name)
{
    constraint_memory *m = kept(assembly);
    const tn_constraint_choice choice = tn_choose_constraint_solver(assembly->model, NULL, name);
    if (!choice.type) return;
    offer *made = tn_assembly_new(assembly, 1, sizeof *made);
    fill_offer(assembly, choice, made);
    made->next = m->standard;
    m->standard = made;
}

static const tn_constraint_solver *offer_standard(tn_system *system, const char *name)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_constraint_solver *known = find_standard(kept(assembly), name);
    if (known) return known;
    (void)tn_attempt(tn_memory_now(), add_standard(assembly, name));
    return find_standard(kept(assembly), name);
}

void tn_constraint_solver_open(tn_assembly *assembly, const tn_solver_plan *plan)
{
    const bool offered = plan->type->flags & TN_BY_IMPULSES;
    if (!kept(assembly) && offered)
        assembly->extension[TN_IMPULSE_EXTENSION] = tn_assembly_new(assembly, 1, sizeof(constraint_memory));
    constraint_memory *m = kept(assembly);
    if (!m) return;
    m->offered = offered;
    if (!offered) return;
    m->chosen = tn_assembly_new(assembly, 1, sizeof *m->chosen);
    fill_offer(assembly, plan->constraint, m->chosen);
}

const tn_constraint_solver *tn_constraint_solver_of(tn_assembly *assembly)
{
    constraint_memory *m = kept(assembly);
    if (!m || !m->offered) return NULL;
    m->used = true;
    return m->chosen->table.linear ? &m->chosen->table : NULL;
}

const tn_impulse_totals *tn_impulse_totals_of(const tn_assembly *assembly)
{
    const constraint_memory *m = kept(assembly);
    return m && m->used ? &m->totals : NULL;
}

void tn_constraint_solver_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    if (kept(assembly)) TN_VISIT(visitor, kept(assembly)->totals);
    tn_own_matrices_list_state(assembly, visitor);
}
