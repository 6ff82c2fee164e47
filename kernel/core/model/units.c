/* units.c - units of variables and expressions: for the results, and for warnings where values do not fit together
 *
 * A variable has the unit that it says, else that of its expression by its kind. Variables are looked at behind those that
 * they read; one that reads itself, directly or through others, has no unit there. */
#include "model/units.h"

#include "model/delays.h"
#include "model/reading.h"

#include "units/units.h"

#include <string.h>

typedef struct variable {
    enum { UNSEEN, UNDER_WAY, DONE } state;
    tn_unit value;    /* of VARVAL */
    tn_unit equation; /* of the expression */
} variable;

typedef struct inference {
    tn_model *model;
    variable *variable; /* by item */
    struct step {
        uint32_t item, call;
    } * path; /* from a variable to those that it reads, with the call to be looked at next */
    size_t depth, capacity;
    const tn_live_value *live; /* the current one */
} inference;

static const tn_unit any = {.kind = TN_UNIT_ANY};

static tn_unit unit_of_live(inference *all, const tn_live_value *live);

/* ---- expressions of the motion --------------------------------------------------------------------------- */

/* The unit of a type is that of what its flags say: a value, a velocity or an acceleration. */
static tn_unit unit_of_marker(const tn_model *model, const tn_observed *observed)
{
    const char *text = tn_coordinate_unit(model, observed->index);
    if (!text) return (tn_unit){0};
    const tn_unit unit = tn_unit_of_text(text), second = tn_unit_of_text("s");
    if (observed->kind != TN_OBSERVED_RATE) return unit;
    const tn_loaded_marker *type = model->use[model->item[model->marker[observed->index].body].use].marker;
    if (type && type->flags & TN_ACCELERATION) return tn_unit_product(unit, second);
    return type && type->flags & TN_QUASI_COORDINATE ? unit : tn_unit_quotient(unit, second);
}

/* What a call reads of the state. */
static tn_unit unit_of_call(inference *all, const tn_observed *observed)
{
    const tn_model *model = all->model;
    if (observed->kind == TN_OBSERVED_FORCE) {
        const bool torque = model->measured_force[observed->index]->component >= TN_TORQUE_MAGNITUDE;
        return tn_unit_of_text(torque ? "N m" : "N");
    }
    if (observed->kind == TN_OBSERVED_DELAY) {
        const tn_live_value *reader = all->live;
        const tn_unit unit = unit_of_live(all, &model->delay[observed->index]->value);
        all->live = reader;
        return unit;
    }
    if (observed->kind == TN_OBSERVED_VARIABLE) return all->variable[observed->index].value;
    return unit_of_marker(model, observed);
}

/* Repeat variables, arguments of a user's function, time, calls. */
static tn_unit unit_of_input(void *data, uint32_t input)
{
    inference *all = data;
    const uint32_t first = tn_live_first_observed(all->live);
    if (input < all->live->depth) return any;
    if (input + 1 < first) return (tn_unit){0};
    return input + 1 == first ? tn_unit_of_text("s") : unit_of_call(all, &all->live->observed[input - first]);
}

static void report(void *data, const tn_unit_clash *clash)
{
    const inference *all = data;
    tn_units_warn_of_clash(all->model, all->live->node, clash);
}

/* The unit that is written behind an expression makes plain numbers of what is in it. */
static tn_unit unit_of_live(inference *all, const tn_live_value *live)
{
    if (live->unit) return tn_unit_of_dimension(tn_dimension_si(live->unit));
    if (!live->expression) return any;
    all->live = live;
    return tn_expression_unit(live->expression, &(tn_unit_scope){unit_of_input, report, all});
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static bool is_variable(const tn_model *model, uint32_t item)
{
    const uint32_t use = model->item[item].use;
    return use != TN_NONE && model->item[item].index != TN_NONE && model->use[use].element &&
           model->use[use].element->is_variable;
}

static const tn_parameter *find_parameter(const tn_model *model, uint32_t item, const char *name)
{
    const tn_parameter *parameter = model->use[model->item[item].use].element->parameters;
    while (parameter->name && strcmp(parameter->name, name) != 0)
        parameter++;
    return parameter->name ? parameter : NULL;
}

/* The unit that a variable says VARVAL has, or NULL. */
static const char *said_unit(const tn_model *model, uint32_t item)
{
    const tn_parameter *parameter = find_parameter(model, item, "unit");
    if (!parameter || parameter->kind != TN_KIND_TEXT) return NULL;
    return *(const char *const *)(const void *)((const char *)tn_item_instance(model, item) +
                                                parameter->offset);
}

/* Values are in SI units. */
static void check_said_unit(tn_model *model, uint32_t item)
{
    char reason[TN_LONGEST_REASON] = "values are in SI units";
    double factor = 0.0;
    const char *unit = said_unit(model, item);
    if (!unit || (tn_unit_si_factor(unit, &factor, reason, sizeof reason) && factor == 1.0)) return;
    const tn_toml *table = model->item[item].origin->table, *node = tn_toml_get(table, "unit");
    tn_source_error(&model->source, node ? node : table, "`%s`: %s", unit, reason);
}

static const tn_live_value *expression_of(const tn_model *model, uint32_t item)
{
    const uint32_t dynamic = tn_variable_expression(model, item);
    return dynamic == TN_NONE ? NULL : &model->dynamic[dynamic].live;
}

/* True for a constraint that does not hold by the forces of its own multiplier. */
static bool is_passive(tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t index = model->item[item].index;
    const uint32_t count = use->marker_start ? use->marker_start[index + 1] - use->marker_start[index] : 0;
    tn_layout layout = {.struct_size = sizeof layout, .marker_count = count};
    if (!use->element->layout) return false;
    tn_host_point(model, model->item[item].origin->table, tn_item_name(model, item));
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

/* Of an expression that is a number. */
static tn_unit unit_of_number(const tn_model *model, uint32_t item)
{
    const tn_parameter *parameter = tn_variable_parameter(model, item);
    const tn_toml *node = tn_toml_get(model->item[item].origin->table, parameter->name);
    size_t offset = 0, length = 0;
    if (node && node->kind == TN_TOML_STRING)
        (void)tn_expression_split_unit(node->text, node->length, &offset, &length);
    if (!length) return any;
    return tn_unit_of_dimension(
        tn_dimension_si(tn_arena_text(model->source.arena, node->text + offset, length)));
}

static void complete(inference *all, uint32_t item)
{
    tn_model *model = all->model;
    variable *self = &all->variable[item];
    const tn_live_value *live = expression_of(model, item);
    self->state = DONE;
    self->equation = live ? unit_of_live(all, live) : unit_of_number(model, item);
    const tn_unit value = unit_by_kind(model, item, self->equation);
    const char *said = said_unit(model, item);
    if (!said)
        self->value = value;
    else if (live && !live->unit)
        tn_units_check_use(model, live->node, value, "`unit` of the variable", tn_dimension_of(said));
}

static void descend(inference *all, uint32_t item)
{
    const char *said = said_unit(all->model, item);
    all->variable[item].state = UNDER_WAY;
    if (said) all->variable[item].value = tn_unit_of_text(said);
    all->path = tn_grow(all->path, &all->capacity, all->depth + 1, sizeof *all->path);
    all->path[all->depth++] = (struct step){item, 0};
}

static void find_variable(inference *all, uint32_t first)
{
    if (all->variable[first].state == UNSEEN) descend(all, first);
    while (all->depth) {
        struct step *last = &all->path[all->depth - 1];
        const tn_live_value *live = expression_of(all->model, last->item);
        if (!live || last->call == live->reads) {
            complete(all, last->item);
            all->depth--;
            continue;
        }
        const tn_observed *observed = &live->observed[last->call++];
        if (observed->kind == TN_OBSERVED_VARIABLE && all->variable[observed->index].state == UNSEEN)
            descend(all, observed->index);
    }
}

/* ---- sensors --------------------------------------------------------------------------------------------- */

/* The outputs of a variable whose unit is that of its expression. */
static tn_unit unit_of_output(const inference *all, uint32_t item, const char *output)
{
    const variable *self = &all->variable[item];
    const uint32_t kind = all->model->item[item].variable;
    const bool soft = kind == TN_SOFT, constraint = soft || kind == TN_CONSTRAINT_MULTIPLIER;
    if (strcmp(output, "value") == 0) return self->value;
    if (strcmp(output, "rate") == 0) return tn_unit_quotient(self->value, tn_unit_of_text("s"));
    if (constraint && strcmp(output, "constraint_error") == 0) return soft ? self->value : self->equation;
    if (constraint && strcmp(output, "multiplier") == 0)
        return soft ? unit_of_multiplier(self->value) : self->value;
    return (tn_unit){0};
}

static void find_sensor(inference *all, tn_sensor *sensor)
{
    tn_model *model = all->model;
    tn_unit unit = {0};
    if (sensor->kind == TN_SENSOR_EXPRESSION)
        unit = unit_of_live(all, &sensor->live);
    else if (sensor->kind == TN_SENSOR_ELEMENT && is_variable(model, sensor->item))
        unit = unit_of_output(all, sensor->item, tn_outputs_of(model, sensor->item)[sensor->output].name);
    if (unit.kind != TN_UNIT_KNOWN) return;
    const char *text = tn_dimension_text(unit.dimension);
    sensor->unit = tn_arena_text(&model->arena, text, strlen(text));
}

void tn_units_find(tn_model *model)
{
    for (uint32_t item = 0; item < model->names.count; item++)
        if (is_variable(model, item)) check_said_unit(model, item);
    if (tn_error_count(model->diagnostics)) return;
    inference all = {.model = model, .variable = tn_new(model->names.count, sizeof *all.variable)};
    for (uint32_t item = 0; item < model->names.count; item++)
        if (is_variable(model, item)) find_variable(&all, item);
    for (size_t k = 0; k < model->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->dynamic[k];
        const bool done =
            is_variable(model, dynamic->item) && tn_variable_expression(model, dynamic->item) == k;
        if (done) continue;
        const tn_unit unit = unit_of_live(&all, &dynamic->live);
        if (!dynamic->live.unit)
            tn_units_check_parameter(model, dynamic->live.node, unit, dynamic->parameter);
        if (is_variable(model, dynamic->item) && all.variable[dynamic->item].equation.kind == TN_UNIT_KNOWN)
            tn_units_check_use(model, dynamic->live.node, unit, "the one that it replaces",
                               all.variable[dynamic->item].equation.dimension);
    }
    for (size_t k = 0; k < model->sensor_count; k++)
        find_sensor(&all, &model->sensor[k]);
    for (size_t k = 0; k < model->condition_count; k++)
        (void)unit_of_live(&all, &model->condition[k].live);
    tn_free(all.variable);
    tn_free(all.path);
}
