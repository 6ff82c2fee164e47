/* equations_state.c - what equations of a system keep between solutions (see equations_state.h) */
#include "extensions/equations_state.h"

#include "extensions/solved.h"

bool tn_equations_forget(tn_assembly *assembly, tn_equations *equations)
{
    if (!equations->self || assembly->linear->type->state) return false;
    tn_call(assembly->linear->type, destroy, equations->self);
    equations->self = NULL;
    if (tn_equations_create(assembly, equations) == TN_OK)
        (void)tn_call(assembly->linear->type, factor, equations->self, &equations->matrix);
    return true;
}

void tn_equations_list_state(tn_assembly *assembly, tn_equations *equations, tn_state_visitor *visitor)
{
    const tn_loaded_linear *type = assembly->linear->type;
    const tn_matrix *matrix = &equations->matrix;
    bool seen = equations->self != NULL;
    tn_accuracy *kept = tn_accuracy_of(assembly, equations), accuracy = kept ? *kept : (tn_accuracy){0};
    TN_VISIT(visitor, seen);
    TN_VISIT(visitor, accuracy);
    TN_VISIT(visitor, equations->is_factored);
    if (equations->regularisation)
        tn_visit_numbers(visitor, equations->regularisation, assembly->system.rows);
    if (!seen && equations->self) { /* what has been made since is no part of the state that comes back */
        tn_call(type, destroy, equations->self);
        equations->self = NULL;
    }
    if (!seen) return;
    if (!equations->self && tn_equations_create(assembly, equations) != TN_OK) return;
    kept = tn_accuracy_of(assembly, equations);
    if (kept) *kept = accuracy;
    const bool is_refined = equations->is_factored && tn_accuracy_needs_given(&accuracy);
    if (type->state) (void)tn_call(type, state, equations->self, matrix, visitor);
    if (!type->state || is_refined)
        tn_visit_numbers(visitor, matrix->value, (size_t)matrix->column_start[matrix->size]);
    if (!type->state && visitor->restores) (void)tn_equations_forget(assembly, equations);
}
