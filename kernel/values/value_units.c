/* value_units.c - units of variables and expressions: for the results, and for warnings where values do not fit together
 *
 * A variable has its `unit`, else that of its expression by its kind. Units of variables are found after those of the variables that
 * they read; one that reads itself, directly or through others, has no unit there. */
#include "values/value_units.h"

#include "units/units.h"

#include <string.h>

static const tn_unit any = {.kind = TN_UNIT_ANY};

/* ---- expressions of the motion --------------------------------------------------------------------------- */

/* Repeat variables, arguments of a user's function, time, calls. */
static tn_unit unit_of_input(void *data, uint32_t input)
{
    tn_unit_search *all = data;
    const uint32_t first = tn_live_first_read(all->live);
    if (input < all->live->depth) return any;
    if (input + 1 < first) return (tn_unit){0};
    return input + 1 == first
               ? tn_unit_of_text("s")
               : all->live->read[input - first].kind->unit(all, &all->live->read[input - first]);
}

static void report_clash(void *data, const tn_unit_clash *clash)
{
    const tn_unit_search *all = data;
    tn_units_warn_of_clash(all->model, all->live->node, clash);
}

/* The unit that is written behind an expression makes plain numbers of what is in it. */
static tn_unit unit_of_live(tn_unit_search *all, const tn_live_value *live)
{
    if (live->unit) return tn_unit_of_dimension(tn_dimension_si(live->unit));
    if (!live->expression) return any;
    all->live = live;
    return tn_expression_unit(live->expression, &(tn_unit_scope){unit_of_input, report_clash, all});
}

tn_unit tn_unit_of_argument(tn_unit_search *all, const tn_live_value *argument)
{
    const tn_live_value *reader = all->live;
    const tn_unit unit = unit_of_live(all, argument);
    all->live = reader;
    return unit;
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static bool is_variable(const tn_model *model, uint32_t item)
{
    const uint32_t use = model->item[item].use;
    return use != TN_NONE && model->item[item].index != TN_NONE && model->use[use].element &&
           model->use[use].element->is_variable;
}

/* The `unit` of a variable, which VARVAL then has, or NULL. */
static const char *own_unit(const tn_model *model, uint32_t item)
{
    const tn_parameter *parameter = model->use[model->item[item].use].element->parameters;
    while (parameter->name && strcmp(parameter->name, "unit") != 0)
        parameter++;
    if (!parameter->name || parameter->kind != TN_KIND_TEXT) return NULL;
    const char *instance = tn_item_instance(model, item);
    return *(const char *const *)(const void *)(instance + parameter->offset);
}

/* Values are in SI units. */
void tn_units_check_si(tn_model *model, const char *unit, const tn_toml *node)
{
    char reason[TN_LONGEST_REASON] = "values are in SI units";
    double factor = 0.0;
    if (!tn_unit_si_factor(unit, &factor, reason, sizeof reason) || factor != 1.0)
        tn_source_error(&model->reader->source, node, "`%s`: %s", unit, reason);
}

static void check_own_unit(tn_model *model, uint32_t item)
{
    const char *unit = own_unit(model, item);
    const tn_toml *table = model->item[item].origin->at->node, *node = tn_toml_get(table, "unit");
    if (unit) tn_units_check_si(model, unit, node ? node : table);
}

static const tn_live_value *live_of_variable(const tn_model *model, uint32_t item)
{
    const uint32_t dynamic = tn_value_in_force(model, item);
    return dynamic == TN_NONE ? NULL : &model->values->dynamic[dynamic].live;
}

/* True for a constraint that does not hold by the forces of its own multiplier. */
static bool is_passive(tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t index = model->item[item].index;
    const uint32_t count = use->marker_start ? use->marker_start[index + 1] - use->marker_start[index] : 0;
    tn_layout layout = {.struct_size = sizeof layout, .marker_count = count};
    if (!use->element->layout) return false;
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    const tn_status status = tn_call_for(tn_item_name(model, item), use->element, layout, &model->host,
                                         tn_item_instance(model, item), &layout);
    tn_host_point(model, NULL, NULL);
    return status != TN_OK || layout.passive_rows > 0;
}

static tn_unit unit_of_multiplier(tn_unit equation)
{
    return tn_unit_quotient(tn_unit_of_text("J"), equation);
}

/* The unit of VARVAL by that of the expression. */
static tn_unit unit_by_kind(tn_model *model, uint32_t item, tn_unit equation)
{
    switch ((tn_variable_kind)model->item[item].variable) {
    case TN_EXPLICIT:
    case TN_SOFT:
        return equation;
    case TN_INTEGRAL:
        return tn_unit_product(equation, tn_unit_of_text("s"));
    case TN_CONSTRAINT_MULTIPLIER:
        return is_passive(model, item) ? (tn_unit){0} : unit_of_multiplier(equation);
    default:
        return (tn_unit){0};
    }
}

tn_unit tn_unit_of_constant(const tn_model *model, const tn_toml *node)
{
    size_t offset = 0, length = 0;
    if (node && node->kind == TN_TOML_STRING)
        (void)tn_expression_split_unit(node->text, node->length, &offset, &length);
    if (!length) return any;
    return tn_unit_of_dimension(
        tn_dimension_si(tn_arena_text(model->reader->source.arena, node->text + offset, length)));
}

static void complete_variable(tn_unit_search *all, uint32_t item)
{
    tn_model *model = all->model;
    struct tn_variable_unit *self = &all->variable[item];
    const tn_live_value *live = live_of_variable(model, item);
    const tn_toml *table = model->item[item].origin->at->node;
    self->equation =
        live ? unit_of_live(all, live)
             : tn_unit_of_constant(model, tn_toml_get(table, tn_variable_parameter(model, item)->name));
    const tn_unit value = unit_by_kind(model, item, self->equation);
    const char *own = own_unit(model, item);
    if (!own)
        self->value = value;
    else if (live && !live->unit)
        tn_units_check_use(model, live->node, value, "`unit` of the variable", tn_dimension_of(own));
}

/* ---- variables, and values that blocks hand on, each behind those that it reads -------------------------- */

static uint32_t number_of_value(const tn_unit_search *all, uint32_t value)
{
    return (uint32_t)all->model->names.count + value;
}

tn_unit tn_unit_of_value(tn_unit_search *all, uint32_t value)
{
    const struct tn_variable_unit *self = &all->variable[number_of_value(all, value)];
    return self->complete ? self->value : (tn_unit){0};
}

static const tn_live_value *live_of(const tn_unit_search *all, uint32_t number)
{
    const size_t items = all->model->names.count;
    return number < items ? live_of_variable(all->model, number)
                          : &all->model->values->dynamic[number - items].live;
}

static void complete(tn_unit_search *all, uint32_t number)
{
    struct tn_variable_unit *self = &all->variable[number];
    if (self->complete) return;
    if (number < all->model->names.count)
        complete_variable(all, number);
    else
        self->value = unit_of_live(all, live_of(all, number));
    self->complete = true;
}

/* The number whose unit a node has, TN_NONE where it has one by itself. */
static uint32_t number_of_node(const tn_unit_search *all, const tn_value_node *node)
{
    if (node->kind == &tn_variable_node) return node->index;
    const uint32_t value = tn_block_value_of_unit(all->model, node);
    return value == TN_NONE ? TN_NONE : number_of_value(all, value);
}

static void find_number(tn_unit_search *all, uint32_t first)
{
    TN_APPEND(all->task, all->tasks, first);
    while (all->tasks) {
        const uint32_t number = all->task[all->tasks - 1];
        struct tn_variable_unit *self = &all->variable[number];
        if (self->seen) {
            complete(all, number);
            all->tasks--;
            continue;
        }
        const char *own = number < all->model->names.count ? own_unit(all->model, number) : NULL;
        const tn_live_value *live = live_of(all, number);
        self->seen = true;
        if (own) self->value = tn_unit_of_text(own);
        for (uint32_t k = live ? live->below_count : 0; k-- > 0;) {
            const uint32_t below = number_of_node(all, live->below[k].node);
            if (below != TN_NONE && !all->variable[below].seen) TN_APPEND(all->task, all->tasks, below);
        }
    }
}

static void find_numbers(tn_unit_search *all)
{
    tn_model *model = all->model;
    for (uint32_t item = 0; item < model->names.count; item++)
        if (is_variable(model, item)) find_number(all, item);
    for (uint32_t k = 0; k < model->values->dynamic_count; k++)
        if (tn_is_block(model, model->values->dynamic[k].item)) find_number(all, number_of_value(all, k));
}

/* ---- sensors --------------------------------------------------------------------------------------------- */

/* The outputs of a variable whose unit is that of its expression. */
static tn_unit unit_of_output(const tn_unit_search *all, uint32_t item, const char *output)
{
    const struct tn_variable_unit *self = &all->variable[item];
    const uint32_t kind = all->model->item[item].variable;
    const bool soft = kind == TN_SOFT, constraint = soft || kind == TN_CONSTRAINT_MULTIPLIER;
    if (strcmp(output, "value") == 0) return self->value;
    if (strcmp(output, "rate") == 0) return tn_unit_quotient(self->value, tn_unit_of_text("s"));
    if (constraint && strcmp(output, "constraint_error") == 0) return soft ? self->value : self->equation;
    if (constraint && strcmp(output, "multiplier") == 0)
        return soft ? unit_of_multiplier(self->value) : self->value;
    return (tn_unit){0};
}

static void find_sensor(tn_unit_search *all, tn_sensor *sensor)
{
    tn_model *model = all->model;
    tn_unit unit = {0};
    if (sensor->kind == TN_SENSOR_EXPRESSION)
        unit = unit_of_live(all, sensor->expression);
    else if (sensor->kind == TN_SENSOR_ELEMENT && is_variable(model, sensor->item))
        unit = unit_of_output(all, sensor->item, tn_outputs_of(model, sensor->item)[sensor->output].name);
    if (unit.kind != TN_UNIT_KNOWN) return;
    const char *text = tn_dimension_text(unit.dimension);
    sensor->unit = tn_arena_text(&model->arena, text, strlen(text));
}

void tn_units_find(tn_model *model)
{
    for (uint32_t item = 0; item < model->names.count; item++)
        if (is_variable(model, item)) check_own_unit(model, item);
    for (uint32_t item = 0; item < model->names.count && !tn_model_errors(model); item++)
        tn_units_check_texts_of_block(model, item);
    if (tn_model_errors(model)) return;
    const size_t numbers = model->names.count + model->values->dynamic_count;
    tn_unit_search all = {.model = model, .variable = tn_new(numbers, sizeof *all.variable)};
    find_numbers(&all);
    for (size_t k = 0; k < model->values->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->values->dynamic[k];
        const bool done = is_variable(model, dynamic->item) && tn_value_in_force(model, dynamic->item) == k;
        if (done) continue;
        const tn_unit unit = tn_is_block(model, dynamic->item) ? tn_unit_of_value(&all, (uint32_t)k)
                                                               : unit_of_live(&all, &dynamic->live);
        if (!dynamic->live.unit)
            tn_units_check_parameter(model, dynamic->live.node, unit, dynamic->parameter);
        if (is_variable(model, dynamic->item) && all.variable[dynamic->item].equation.kind == TN_UNIT_KNOWN)
            tn_units_check_use(model, dynamic->live.node, unit, "the expression that it replaces",
                               all.variable[dynamic->item].equation.dimension);
    }
    for (uint32_t item = 0; item < model->names.count; item++)
        tn_units_check_block(&all, item);
    size_t turns = 0;
    const tn_sensor_turn *turn = tn_sensor_turns(model, &turns);
    for (size_t k = 0; k < model->sensor_count; k++)
        if (!model->sensor[k].expression || !tn_sensor_reads(model->sensor[k].expression))
            find_sensor(&all, &model->sensor[k]);
    for (size_t k = 0; k < turns; k++)
        find_sensor(&all, &model->sensor[turn[k].sensor]);
    for (size_t k = 0; k < model->values->condition_count; k++)
        (void)unit_of_live(&all, &model->values->condition[k]);
    tn_free(all.variable);
}
