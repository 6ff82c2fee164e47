/* condition_tables.c - expressions that end a part of a run, or make a change in it */
#include "tables/tables.h"
#include "values/value_graph.h"

uint32_t tn_condition_add(tn_model *model, const tn_toml *node)
{
    tn_quantity quantity;
    const tn_allowed allowed = {.time = true};
    const tn_toml *value = tn_routine_in_place(model, NULL, "change", node);
    if (!value || !tn_quantity_compile(&model->reader->source, value, NULL, &allowed, &quantity))
        return TN_NONE;
    if (!tn_quantity_changes(&model->reader->source, &quantity)) {
        tn_source_error(&model->reader->source, node,
                        "`%s` reads neither time nor the motion: it never crosses zero or becomes true",
                        node->key);
        return TN_NONE;
    }
    tn_live_value live = tn_live_begin(model, &quantity);
    return tn_live_connect(model, &live) ? tn_condition_note(model, live) : TN_NONE;
}

/* Other mistakes of a solver's table are reported by the reader of the plan. */
static void read_stop(tn_model *model, const tn_toml *table)
{
    const tn_toml *node = table->kind == TN_TOML_TABLE ? tn_toml_get(table, "stop_when") : NULL;
    if (node && node->kind == TN_TOML_STRING) (void)tn_condition_add(model, node);
}

void tn_conditions_read(tn_model *model)
{
    const tn_toml *solver = tn_toml_get(tn_document_root(model->reader->document), "solver");
    if (!solver) return;
    const size_t count = solver->kind == TN_TOML_ARRAY ? solver->count : 1;
    for (size_t k = 0; k < count; k++) {
        const tn_toml *table = solver->kind == TN_TOML_ARRAY ? solver->child[k] : solver;
        read_stop(model, table);
        tn_solver_names_read(model, table);
    }
}

uint32_t tn_stop_condition(const tn_model *model, const tn_toml *table)
{
    const tn_toml *node = tn_toml_get(table, "stop_when");
    size_t count = 0;
    const tn_live_value *condition = tn_conditions(model, &count);
    for (uint32_t k = 0; node && k < count; k++)
        if (condition[k].node == node) return k;
    return TN_NONE;
}
