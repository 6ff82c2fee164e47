/* block_nodes.c - ARYVAL(block, number), also called PINVAL and POUVAL: an output of a block (tenon/draft/blocks.h)
 *
 * An output follows from states, which the solver finds, from parameters, which are values that are evaluated before, and from what a
 * block holds between its sample times, which is a number here. Implicit solvers find the states x with the rest of a step, by
 * dx = s dx': with x' = A x + B u, an output c x hands c (1 - s A)^-1 s B on to the parameters u. */
#include "system/lu.h"
#include "values/derivatives.h"
#include "values/value_units.h"

#include <string.h>

static const char *const names[] = {"aryval", "pinval", "pouval", NULL};

/* ---- calls ------------------------------------------------------------------------------------------------ */

static bool is_function(tn_model *model, const char *name)
{
    (void)model;
    for (const char *const *known = names; *known; known++)
        if (strcmp(*known, name) == 0) return true;
    return false;
}

static void offer(tn_model *model, tn_nearest *search)
{
    (void)model;
    for (const char *const *known = names; *known; known++)
        tn_nearest_offer(search, *known);
}

static const tn_loaded_element *type_of(const tn_model *model, uint32_t item)
{
    return model->use[model->item[item].use].element;
}

/* The number of an output, counted from 0; TN_NONE after reporting. */
static uint32_t number_of(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t item)
{
    const void *instance = tn_item_instance(model, item);
    const uint32_t count = instance ? type_of(model, item)->readable_count(instance) : 0;
    const char *text = call->count > 1 ? call->item[1].text : "1";
    uint32_t number = 0;
    for (const char *digit = text; *digit >= '0' && *digit <= '9' && number <= count; digit++)
        number = 10 * number + (uint32_t)(*digit - '0');
    const bool plain = text[strspn(text, "0123456789")] == '\0';
    if (!count && tn_model_errors(model)) return TN_NONE; /* it could not be made, or prepared */
    if (call->count == 1 && count > 1)
        tn_source_error_inside(&model->reader->source, node, call->item[0].offset,
                               "`%s` has %u outputs: choose one, `%s(%s, 1)`", call->item[0].text, count,
                               call->function, call->item[0].text);
    else if (plain && number >= 1 && number <= count)
        return number - 1;
    else
        tn_source_error_inside(&model->reader->source, node, call->item[call->count - 1].offset,
                               "`%s` has no output `%s`: they are numbers from 1 to %u", call->item[0].text,
                               text, count);
    return TN_NONE;
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    tn_value_graph *graph = model->values;
    if (!tn_call_check_count(model, node, call, 1, 2, "block, number")) return false;
    struct tn_block_read read = {.item = tn_item_of_argument(model, &call->item[0], TN_BLOCKS, node)};
    if (read.item == TN_NONE) return false;
    if (model->item[read.item].use == TN_NONE) return false; /* its type is not known, as has been told */
    if (!type_of(model, read.item)->readable_count || !type_of(model, read.item)->readable_by)
        return tn_source_error_inside(
            &model->reader->source, node, call->item[0].offset,
            "the type of `%s` does not tell how many outputs it has, or by what they change",
            call->item[0].text);
    read.number = number_of(model, node, call, read.item);
    if (read.number == TN_NONE) return false;
    read.by = type_of(model, read.item)->readable_by(tn_item_instance(model, read.item), read.number);
    if (!(read.by & (TN_BY_STATES | TN_BY_PARAMETERS))) made->kind = &tn_held_node;
    made->index = (uint32_t)graph->block_read_count;
    TN_APPEND(graph->block_read, graph->block_read_count, read);
    return true;
}

static struct tn_block_read *read_of(const tn_model *model, const tn_value_node *node)
{
    return &model->values->block_read[node->index];
}

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    const struct tn_block_read *read = read_of(model, node);
    if (read->by & TN_BY_PARAMETERS) visit(data, TN_VALUES_OF, read->item);
    if (read->by & TN_BY_STATES) visit(data, TN_STATE_OF, read->item);
}

/* ---- values ----------------------------------------------------------------------------------------------- */

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &read_of(assembly->model, node)->value;
}

/* The block alone. */
static tn_batch batch_of(const tn_assembly *assembly, const struct tn_block_read *read)
{
    const tn_group *group = &assembly->group[assembly->group_of[read->item]];
    tn_batch batch = tn_sub_batch(group, assembly->index_of[read->item], 1);
    batch.time = assembly->system.time;
    return batch;
}

static tn_status call(tn_assembly *assembly, const struct tn_block_read *read, tn_batch *batch,
                      tn_status (*function)(const tn_loaded_element *type, tn_batch *batch))
{
    tn_group *group = &assembly->group[assembly->group_of[read->item]];
    group->failure = (tn_failure){0};
    const tn_status status = function(group->type, batch);
    group->failure.instance = assembly->index_of[read->item];
    return status == TN_OK ? TN_OK : tn_refused(assembly, group, status);
}

static tn_status call_readable_tangent(const tn_loaded_element *type, tn_batch *batch)
{
    return tn_call(type, readable_tangent, batch);
}

static tn_status call_rates_tangent(const tn_loaded_element *type, tn_batch *batch)
{
    return tn_call(type, rates_tangent, batch);
}

static const char *find(const tn_assembly *assembly, const tn_value_node *node)
{
    struct tn_block_read *read = read_of(assembly->model, node);
    const tn_group *group = &assembly->group[assembly->group_of[read->item]];
    double value[TN_MOST_READABLE];
    tn_batch batch = batch_of(assembly, read);
    batch.value = value;
    group->batch.failure->message = NULL;
    if (tn_call(group->type, readable, &batch) != TN_OK)
        return group->batch.failure->message ? group->batch.failure->message
                                             : "the block has no outputs here";
    read->value = value[read->number];
    return NULL;
}

/* ---- derivatives ------------------------------------------------------------------------------------------ */

/* Of all outputs, or of all rates, by parameters, then states. */
enum { MOST_STATES = 32, MOST_PARAMETERS = 64, MOST_COLUMNS = MOST_STATES + MOST_PARAMETERS };
typedef struct slopes {
    tn_dynamic dynamic[MOST_PARAMETERS];
    tn_column_block columns[2];
    double tangent[TN_MOST_READABLE * MOST_COLUMNS], rate[MOST_STATES];
} slopes;

/* The columns are those of all parameters that may change. */
static bool set_columns(const tn_loaded_element *type, slopes *s, tn_batch *batch)
{
    const uint32_t states = batch->layout->nx;
    batch->dynamic_count = batch->dynamic_columns = 0;
    for (const tn_parameter *p = type->parameters; p && p->name; p++) {
        if (!(p->flags & TN_DYNAMIC) || p->kind != TN_KIND_REAL) continue;
        if (batch->dynamic_columns + p->count > MOST_PARAMETERS) return false;
        s->dynamic[batch->dynamic_count++] =
            (tn_dynamic){.offset = p->offset, .count = p->count, .kind = p->kind};
        batch->dynamic_columns += p->count;
    }
    s->columns[0] = (tn_column_block){TN_PARAMETER_COLUMNS, 0, batch->dynamic_columns};
    s->columns[1] = (tn_column_block){TN_STATE_COLUMNS, batch->dynamic_columns, states};
    batch->dynamic = s->dynamic;
    batch->columns = s->columns;
    batch->column_blocks = 2;
    batch->tangent = s->tangent;
    batch->tangent_stride = batch->dynamic_columns + states;
    batch->x_rate = s->rate;
    return states <= MOST_STATES;
}

/* Adds a share of an output to the adjoints of the parameters, by this row of derivatives. */
static void hand_on_to_parameters(const tn_sweep *sweep, uint32_t item, const tn_batch *batch,
                                  const double *row, double share, double *adjoint)
{
    const tn_value_graph *graph = sweep->assembly->model->values;
    TN_FOR_VALUES_OF (graph, item, k) {
        const uint32_t column = tn_dynamic_column(batch, graph->dynamic[k].offset);
        if (!graph->dynamic[k].off && column != TN_NONE)
            adjoint[graph->dynamic[k].rank] += share * row[column];
    }
}

/* States follow their rates, which follow the parameters; `row` is the derivative of the output by them. */
static tn_status hand_on_by_rates(const tn_sweep *sweep, const struct tn_block_read *read, tn_batch *batch,
                                  const double *row, double share)
{
    const uint32_t n = batch->layout->nx, stride = batch->tangent_stride, first = batch->dynamic_columns;
    const double s = sweep->state_factor;
    double matrix[MOST_STATES * MOST_STATES], weight[MOST_STATES], by[MOST_PARAMETERS] = {0.0};
    uint32_t exchange[MOST_STATES], dependent = 0;
    memcpy(weight, row + first, n * sizeof *weight);
    const tn_status status = call(sweep->assembly, read, batch, call_rates_tangent);
    if (status != TN_OK) return status;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++)
            matrix[r * n + c] = (r == c) - s * batch->tangent[r * stride + first + c];
    if (!tn_lu_factor(n, matrix, exchange, &dependent)) return TN_RETRY;
    tn_lu_solve_transposed(n, matrix, exchange, weight);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < first; k++)
            by[k] += s * weight[r] * batch->tangent[r * stride + k];
    hand_on_to_parameters(sweep, read->item, batch, by, share, sweep->memory->waiting);
    return TN_OK;
}

static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    tn_assembly *assembly = sweep->assembly;
    const struct tn_block_read *read = read_of(assembly->model, node);
    const tn_group *group = &assembly->group[assembly->group_of[read->item]];
    const uint32_t n = group->batch.layout->nx;
    slopes s;
    tn_batch batch = batch_of(assembly, read);
    if (!group->type->readable_tangent || !set_columns(group->type, &s, &batch)) return TN_FATAL;
    const tn_status status = call(assembly, read, &batch, call_readable_tangent);
    if (status != TN_OK) return status;
    const double *row = s.tangent + (size_t)read->number * batch.tangent_stride;
    if (read->by & TN_BY_PARAMETERS) {
        hand_on_to_parameters(sweep, read->item, &batch, row, share, sweep->memory->adjoint);
        hand_on_to_parameters(sweep, read->item, &batch, row, share_along, sweep->memory->adjoint_along);
    }
    if (!(read->by & TN_BY_STATES)) return TN_OK;
    if (!sweep->by_state)
        return sweep->state_factor == 0.0 ? TN_OK : hand_on_by_rates(sweep, read, &batch, row, share);
    double *by_state = sweep->by_state + group->x_start + (size_t)assembly->index_of[read->item] * n;
    for (uint32_t k = 0; k < n; k++)
        by_state[k] += share * row[batch.dynamic_columns + k];
    return TN_OK;
}

/* Of what is linear in what it reads; a direction of the motion leaves states where they are. */
static double change(const tn_sweep *sweep, const tn_value_node *node)
{
    tn_assembly *assembly = sweep->assembly;
    const tn_value_graph *graph = assembly->model->values;
    const struct tn_block_read *read = read_of(assembly->model, node);
    const tn_loaded_element *type = type_of(assembly->model, read->item);
    slopes s;
    tn_batch batch = batch_of(assembly, read);
    double sum = 0.0;
    if (!(read->by & TN_BY_PARAMETERS) || !type->readable_tangent || !set_columns(type, &s, &batch))
        return 0.0;
    if (call(assembly, read, &batch, call_readable_tangent) != TN_OK) return 0.0;
    const double *row = s.tangent + (size_t)read->number * batch.tangent_stride;
    TN_FOR_VALUES_OF (graph, read->item, k) {
        const uint32_t column = tn_dynamic_column(&batch, graph->dynamic[k].offset);
        if (!graph->dynamic[k].off && column != TN_NONE)
            sum += row[column] * sweep->memory->change[graph->dynamic[k].rank];
    }
    return sum;
}

#define IN_CONSTRAINT "a constraint cannot read an output of a block: it holds displacements"

const tn_node_kind tn_block_node = {
    .is_function = is_function,
    .offer = offer,
    .connect = connect,
    .in_constraint = IN_CONSTRAINT,
    .in_loop =
        "an output of a block that follows its input at once cannot be part of a loop: read it by way of "
        "a block with states, or a DELAY",
    .sources = sources,
    .unit = tn_unit_of_block,
    .place = place,
    .find = find,
    .change = change,
    .hand_on = hand_on};

/* What a block holds until its next sample is a number. */
const tn_node_kind tn_held_node = {
    .in_constraint = IN_CONSTRAINT, .unit = tn_unit_of_block, .place = place, .find = find};
