/* block.c - a linear block (control.h): completed, its rates, its outputs and their derivatives */
#include "control.h"

double *tn_control_numbers(const tn_host *host, size_t count)
{
    double *numbers = host->allocate(host, (count + 1) * sizeof *numbers);
    if (!numbers) host->error(host, NULL, "no memory for its matrices");
    return numbers;
}

/* ---- made ------------------------------------------------------------------------------------------------------ */

/* A list of one number for each, or one for all; NULL in `to` where it is empty. */
static tn_status spread(const tn_host *host, const char *name, const tn_list *list, uint32_t count,
                        const double **to)
{
    *to = NULL;
    if (!list->count) return TN_OK;
    if (list->count != count && list->count != 1)
        return tn_refuse(host, name, "%llu numbers are given, but 1 or %u, one for each output, are expected",
                         (unsigned long long)list->count, count);
    double *numbers = tn_control_numbers(host, count);
    if (!numbers) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < count; k++)
        numbers[k] = list->value[list->count == 1 ? 0 : k];
    *to = numbers;
    return TN_OK;
}

static tn_status refuse_without_period(const tn_host *host, const control_sampling *given)
{
    const char *name = given->offset > 0.0       ? "offset"
                       : given->delay            ? "delay"
                       : given->lowest.count     ? "lowest"
                       : given->highest.count    ? "highest"
                       : given->resolution.count ? "resolution"
                                                 : NULL;
    return name ? tn_refuse(host, name, "only sampled blocks have it: give a `period`, too") : TN_OK;
}

static tn_status check_limits(const tn_host *host, const control_block *b)
{
    for (uint32_t k = 0; k < b->outputs; k++) {
        if (b->lowest && b->highest && b->lowest[k] > b->highest[k])
            return tn_refuse(host, "lowest", "%g is above `highest`, %g", b->lowest[k], b->highest[k]);
        if (b->resolution && !(b->resolution[k] >= 0.0))
            return tn_refuse(host, "resolution", "%g is out of range: it must be at least 0",
                             b->resolution[k]);
    }
    return TN_OK;
}

static tn_status check_units(const tn_host *host, const char *name, const tn_texts *units, uint32_t count,
                             const char *of_what)
{
    return units->count <= 1 || units->count == count
               ? TN_OK
               : tn_refuse(host, name, "%llu units are given, but 1 or %u, one for each %s, are expected",
                           (unsigned long long)units->count, count, of_what);
}

/* Sensors record all outputs at once: their unit is known where it is one for all. */
static tn_status make_outputs(const tn_host *host, control_block *b, const tn_texts *units)
{
    const bool is_one = units->count == 1 || (units->count && b->outputs == 1);
    tn_output *list = host->allocate(host, 3 * sizeof *list);
    if (!list) return TN_OUT_OF_MEMORY;
    list[0] = (tn_output){"output", "y", is_one ? units->text[0] : "", b->outputs, 0};
    if (b->given_states) list[1] = (tn_output){"state", "x", "", b->given_states, 0};
    b->list = list;
    return TN_OK;
}

static tn_status check_sizes(const tn_host *host, const control_block *b)
{
    if (b->states > CONTROL_MOST_STATES)
        return tn_refuse(host, NULL, "it has %u states, but at most %d are possible", b->states,
                         CONTROL_MOST_STATES);
    if (b->outputs > CONTROL_MOST_OUTPUTS)
        return tn_refuse(host, NULL, "it has %u outputs, but at most %d are possible", b->outputs,
                         CONTROL_MOST_OUTPUTS);
    return TN_OK;
}

tn_status tn_control_complete(const tn_host *host, control_block *b, const control_sampling *given)
{
    tn_status status = check_sizes(host, b);
    if (status != TN_OK) return status;
    if (!b->given_states) b->given_states = b->states;
    if (given->start.count && given->start.count != b->given_states)
        return tn_refuse(host, "start", "%llu numbers are given, but it has %u states",
                         (unsigned long long)given->start.count, b->given_states);
    double *start = tn_control_numbers(host, b->states);
    if (!start) return TN_OUT_OF_MEMORY;
    for (uint32_t r = 0; given->start.count && r < b->states; r++)
        for (uint32_t k = 0; k < b->given_states; k++)
            start[r] += (b->from_start ? b->from_start[(size_t)r * b->given_states + k] : r == k) *
                        given->start.value[k];
    b->start = start;
    b->period = isnan(given->period) ? 0.0 : given->period;
    b->offset = given->offset;
    b->delay = (uint32_t)given->delay;
    b->static_hold = given->static_hold;
    if (b->period == 0.0) status = refuse_without_period(host, given);
    if (b->period > 0.0 && b->static_hold)
        status = tn_refuse(host, "static_hold", "a sampled block is held at all times but its samples");
    if (status == TN_OK) status = check_units(host, "input_units", &given->input_units, b->inputs, "input");
    if (status == TN_OK)
        status = check_units(host, "output_units", &given->output_units, b->outputs, "output");
    if (status == TN_OK) status = spread(host, "lowest", &given->lowest, b->outputs, &b->lowest);
    if (status == TN_OK) status = spread(host, "highest", &given->highest, b->outputs, &b->highest);
    if (status == TN_OK) status = spread(host, "resolution", &given->resolution, b->outputs, &b->resolution);
    if (status == TN_OK) status = check_limits(host, b);
    return status == TN_OK ? make_outputs(host, b, &given->output_units) : status;
}

tn_status tn_control_layout(const control_block *b, tn_layout *layout)
{
    if (b->period > 0.0)
        layout->nd = (uint32_t)control_data(b);
    else
        layout->nx = b->states;
    layout->held_states = b->static_hold;
    return TN_OK;
}

tn_status tn_control_initial(TN_UNUSED const tn_host *host, const void *instance, TN_UNUSED double *q,
                             TN_UNUSED double *v, double *x, TN_UNUSED double *s, double *d)
{
    const control_block *b = control_block_of(instance);
    memcpy(b->period > 0.0 ? d + control_states(b) : x, b->start, b->states * sizeof *x);
    return TN_OK;
}

/* ---- rates ----------------------------------------------------------------------------------------------------- */

void tn_control_combine(const control_block *b, uint32_t rows, const double *M, const double *x,
                        const double *N, const double *u, double *to)
{
    for (uint32_t r = 0; r < rows; r++) {
        double sum = 0.0;
        for (uint32_t k = 0; k < b->states; k++)
            sum += M[(size_t)r * b->states + k] * x[k];
        for (uint32_t k = 0; k < b->inputs; k++)
            sum += N[(size_t)r * b->inputs + k] * u[k];
        to[r] = sum;
    }
}

tn_status tn_control_rates(tn_batch *batch)
{
    const size_t n = batch->layout->nx;
    for (size_t i = 0; n && i < batch->count; i++) {
        const void *instance = tn_instance(batch, i);
        const control_block *b = control_block_of(instance);
        tn_control_combine(b, b->states, b->A, batch->x + i * n, b->B, control_input_of(b, instance),
                           batch->x_rate + i * n);
    }
    return TN_OK;
}

/* The column of input k, TN_NO_COLUMN where derivatives by it are not asked for. */
static uint32_t column_of_input(const tn_batch *batch, const control_block *b, uint32_t k)
{
    const size_t offset = b->input + k * sizeof(double);
    uint32_t column = tn_first_column(batch, TN_PARAMETER_COLUMNS);
    for (uint32_t d = 0; column != TN_NO_COLUMN && d < batch->dynamic_count; d++) {
        const tn_dynamic *dynamic = &batch->dynamic[d];
        if (offset >= dynamic->offset && offset < dynamic->offset + dynamic->count * sizeof(double))
            return column + (uint32_t)((offset - dynamic->offset) / sizeof(double));
        column += dynamic->count;
    }
    return TN_NO_COLUMN;
}

/* Rows of derivatives: M by the states, N by the inputs. */
static double *write_rows(const tn_batch *batch, const control_block *b, uint32_t rows, const double *M,
                          const double *N, double *to)
{
    const uint32_t by_states = batch->layout->nx ? tn_first_column(batch, TN_STATE_COLUMNS) : TN_NO_COLUMN;
    memset(to, 0, (size_t)rows * batch->tangent_stride * sizeof *to);
    for (uint32_t r = 0; r < rows; r++, to += batch->tangent_stride) {
        for (uint32_t k = 0; by_states != TN_NO_COLUMN && k < b->states; k++)
            to[by_states + k] = M[(size_t)r * b->states + k];
        for (uint32_t k = 0; k < b->inputs; k++) {
            const uint32_t column = column_of_input(batch, b, k);
            if (column != TN_NO_COLUMN) to[column] = N[(size_t)r * b->inputs + k];
        }
    }
    return to;
}

tn_status tn_control_rates_tangent(tn_batch *batch)
{
    double *to = batch->tangent;
    for (size_t i = 0; i < batch->count && batch->layout->nx; i++) {
        const control_block *b = control_block_of(tn_instance(batch, i));
        to = write_rows(batch, b, b->states, b->A, b->B, to);
    }
    return tn_control_rates(batch);
}

/* ---- outputs --------------------------------------------------------------------------------------------------- */

uint32_t tn_control_count(const void *instance)
{
    const control_block *b = control_block_of(instance);
    return b ? b->outputs : 0;
}

static bool any(const double *row, uint32_t count)
{
    bool found = false;
    for (uint32_t k = 0; k < count; k++)
        found = found || row[k] != 0.0;
    return found;
}

uint32_t tn_control_by(const void *instance, uint32_t number)
{
    const control_block *b = control_block_of(instance);
    const double *by_input = b->D + (size_t)number * b->inputs;
    const bool at_once = any(by_input, b->inputs),
               by_state = any(b->C + (size_t)number * b->states, b->states);
    const bool same = !by_state && number < b->inputs && by_input[number] == 1.0 && !any(by_input, number) &&
                      !any(by_input + number + 1, b->inputs - number - 1);
    const uint32_t unit = same ? TN_SAME_AS_PARAMETER : 0u;
    if (b->period > 0.0) return unit | (at_once && !b->delay ? (uint32_t)TN_BY_SAMPLES : 0u);
    return unit | (by_state ? (uint32_t)TN_BY_STATES : 0u) | (at_once ? (uint32_t)TN_BY_PARAMETERS : 0u);
}

/* All outputs of instance i now. */
static void find_outputs(const tn_batch *batch, size_t i, double *to)
{
    const void *instance = tn_instance(batch, i);
    const control_block *b = control_block_of(instance);
    if (b->period > 0.0)
        memcpy(to, batch->d + i * batch->layout->nd + control_held(), b->outputs * sizeof *to);
    else
        tn_control_combine(b, b->outputs, b->C, batch->x + i * batch->layout->nx, b->D,
                           control_input_of(b, instance), to);
}

tn_status tn_control_readable(tn_batch *batch)
{
    double *to = batch->value;
    for (size_t i = 0; i < batch->count; to += control_block_of(tn_instance(batch, i))->outputs, i++)
        find_outputs(batch, i, to);
    return TN_OK;
}

tn_status tn_control_readable_tangent(tn_batch *batch)
{
    double *to = batch->tangent;
    for (size_t i = 0; i < batch->count; i++) {
        const control_block *b = control_block_of(tn_instance(batch, i));
        to = write_rows(batch, b, b->outputs, b->C, b->D, to);
        if (b->period > 0.0) memset(batch->tangent, 0, (size_t)(to - batch->tangent) * sizeof *to);
    }
    return TN_OK;
}

/* ---- sensors --------------------------------------------------------------------------------------------------- */

const tn_output *tn_control_outputs(TN_UNUSED const tn_host *host, const void *instance)
{
    return control_block_of(instance)->list;
}

tn_status tn_control_output(tn_batch *batch)
{
    double *to = batch->value;
    for (size_t k = 0; k < batch->count; k++) {
        const size_t i = batch->first + k;
        const control_block *b = control_block_of(tn_instance(batch, i));
        const double *x = b->period > 0.0 ? batch->d + i * batch->layout->nd + control_states(b)
                                          : batch->x + i * batch->layout->nx;
        if (batch->output == 0)
            find_outputs(batch, i, to);
        else if (b->of_states)
            tn_control_combine(b, b->given_states, b->of_states, x, b->of_inputs,
                               control_input_of(b, tn_instance(batch, i)), to);
        else
            memcpy(to, x, b->states * sizeof *to);
        to += batch->output == 0 ? b->outputs : b->given_states;
    }
    return TN_OK;
}
