/* input_nodes.c - [[input]] tables, and the nodes that they are in expressions */
#include "units/units.h"
#include "values/value_units.h"

/* ---- tables ---------------------------------------------------------------------------------------------- */

static const char *const words[] = {"name", "unit", "value", NULL};
const tn_keys tn_input_keys = {.words = words};

/* The name in full; NULL after reporting. */
static const char *read_input_name(tn_model *model, const tn_toml *table)
{
    tn_source *source = &model->reader->source;
    const tn_toml *node = tn_meant(table, "name", &tn_input_keys);
    const char *reason = NULL;
    if (!node)
        tn_source_missing_key(source, table, "name", "its name in expressions", NULL);
    else if (node->kind != TN_TOML_STRING || !tn_is_name(node->text))
        reason = "`name` is made of letters, digits and _ only";
    else if (tn_expression_reserved(node->text))
        reason = "it is a word of the expression language: choose another name";
    else if (tn_names_find(&source->parameters->names, node->text) != TN_NO_NAME)
        reason = "a parameter has this name, too";
    if (reason) tn_source_error(source, node, "%s", reason);
    return node && !reason ? tn_part_name(model, node->text) : NULL;
}

static const char *read_input_unit(tn_model *model, const tn_toml *table, double *factor)
{
    char reason[TN_LONGEST_REASON] = "a string is expected";
    const tn_toml *node = tn_meant(table, "unit", &tn_input_keys);
    *factor = 1.0;
    if (!node) return "";
    if (node->kind == TN_TOML_STRING && tn_unit_si_factor(node->text, factor, reason, sizeof reason))
        return node->text;
    tn_model_error(model, node->place, "%s", reason);
    return "";
}

static void read_input(tn_model *model, const tn_toml *table)
{
    tn_value_graph *graph = model->values;
    double factor = 1.0, value = 0.0;
    tn_check_keys(&model->reader->source, table, &tn_input_keys);
    const char *name = read_input_name(model, table), *unit = read_input_unit(model, table, &factor);
    const tn_toml *node = tn_meant(table, "value", &tn_input_keys);
    if (!node) tn_source_missing_key(&model->reader->source, table, "value", "until it is set", NULL);
    const bool known = node && tn_number_read(&model->reader->source, node, unit, &value);
    const uint32_t number = name ? tn_names_add(&model->reader->input_names, name) : TN_NO_NAME;
    if (name && number == TN_NO_NAME)
        tn_source_error(&model->reader->source, tn_toml_get(table, "name"), "another input has this name");
    if (!known || number == TN_NO_NAME) model->reader->incomplete = true;
    if (number == TN_NO_NAME) return;
    graph->input = tn_grow(graph->input, &graph->input_capacity, number + (size_t)1, sizeof *graph->input);
    graph->input[number] = (struct tn_graph_input){unit, factor, value * factor};
}

void tn_inputs_read(tn_model *model, const tn_toml *root)
{
    const tn_toml *array = tn_toml_get(root, "input");
    if (array && array->kind != TN_TOML_ARRAY) {
        tn_model_error(model, array->key_place, "`input` is an array of tables: write [[input]]");
        return;
    }
    for (size_t k = 0; array && k < array->count; k++)
        if (array->child[k]->kind == TN_TOML_TABLE)
            read_input(model, array->child[k]);
        else
            tn_source_error(&model->reader->source, array->child[k], "a table is expected");
}

/* ---- from outside ---------------------------------------------------------------------------------------- */

size_t tn_input_count(const tn_model *model) { return model->reader->input_names.count; }

tn_model_input tn_input_at(const tn_model *model, size_t k)
{
    const struct tn_graph_input *input = &model->values->input[k];
    return (tn_model_input){.name = model->reader->input_names.name[k],
                            .unit = input->unit,
                            .factor = input->factor,
                            .value = input->value / input->factor};
}

void tn_input_set(tn_model *model, size_t k, double value)
{
    struct tn_graph_input *input = &model->values->input[k];
    input->value = value * input->factor;
}

double *tn_input_place(const tn_model *model, size_t k) { return &model->values->input[k].value; }

/* ---- nodes ----------------------------------------------------------------------------------------------- */

bool tn_is_input(void *data, const char *name)
{
    const tn_model *model = data;
    return tn_part_find(model, &model->reader->input_names, name) != TN_NO_NAME;
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    (void)node;
    made->index = tn_part_find(model, &model->reader->input_names, call->function);
    return made->index != TN_NO_NAME;
}

static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    return tn_unit_of_dimension(tn_dimension_si(search->model->values->input[node->index].unit));
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &assembly->model->values->input[node->index].value;
}

const tn_node_kind tn_input_node = {
    .connect = connect,
    .in_constraint = "a constraint holds displacements, which cannot jump where an input is set",
    .unit = unit,
    .place = place};
