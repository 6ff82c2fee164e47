/* constraint_solver.c - which constraint solver a solver by impulses gets (see constraint_solver.h) */
#include "run/constraint_solver.h"

#include "extensions/linear_service.h"

#include <string.h>

typedef struct constraint_memory {
    tn_constraint_solver chosen;
    tn_impulse_totals totals; /* of all solvers of the run */
    bool used;                /* one has asked */
    bool offered;             /* to the solver that runs */
    struct standard {
        struct standard *next;
        tn_constraint_solver table;
    } * standard; /* those that solvers have asked for by name */
} constraint_memory;

static constraint_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_IMPULSE_EXTENSION];
}

static const tn_constraint_solver *find_standard(const constraint_memory *m, const char *name)
{
    for (const struct standard *s = m->standard; s; s = s->next)
        if (!strcmp(s->table.type->name, name)) return &s->table;
    return NULL;
}

static void add_standard(tn_assembly *assembly, const char *name)
{
    constraint_memory *m = kept(assembly);
    const tn_constraint_choice choice = tn_choose_constraint_solver(assembly->model, NULL, name);
    if (!choice.type) return;
    struct standard *made = tn_assembly_new(assembly, 1, sizeof *made);
    *made = (struct standard){.next = m->standard, .table = m->chosen};
    made->table.type = choice.type;
    made->table.instance = choice.instance;
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
    m->chosen = (tn_constraint_solver){.struct_size = sizeof m->chosen,
                                       .type = plan->constraint.type,
                                       .instance = plan->constraint.instance,
                                       .standard = offer_standard,
                                       .totals = &m->totals};
}

const tn_constraint_solver *tn_constraint_solver_of(tn_assembly *assembly)
{
    constraint_memory *m = kept(assembly);
    if (!m || !m->offered) return NULL;
    m->chosen.linear = tn_linear_service_of(assembly);
    m->used = true;
    return m->chosen.linear ? &m->chosen : NULL;
}

const tn_impulse_totals *tn_impulse_totals_of(const tn_assembly *assembly)
{
    const constraint_memory *m = kept(assembly);
    return m && m->used ? &m->totals : NULL;
}

void tn_constraint_solver_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    if (kept(assembly)) TN_VISIT(visitor, kept(assembly)->totals);
    tn_linear_service_list_state(assembly, visitor);
}
