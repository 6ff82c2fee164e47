/* state_space.c - a block by matrices, from the model or from a file; TN_LIBRARY of all types of this folder */
#include "control.h"

#include <tenon/kit/drawing.h>

#define STATE_SPACE(P)                                                                                       \
    P(PRIVATE, const control_block *, block)                                                                 \
    P(REALS, input, CONTROL_MOST_INPUTS, 0, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED | TN_FEWER, 0.0,           \
      -TN_UNBOUNDED, TN_UNBOUNDED, "u")                                                                      \
    P(LIST, A, TN_ANY_UNIT, TN_ROWS, "states by states; default: no states")                                 \
    P(LIST, B, TN_ANY_UNIT, TN_ROWS, "states by inputs")                                                     \
    P(LIST, C, TN_ANY_UNIT, TN_ROWS, "outputs by states; default: the states are the outputs")               \
    P(LIST, D, TN_ANY_UNIT, TN_ROWS,                                                                         \
      "outputs by inputs; default: zeros, and without states identity: the inputs are the outputs")          \
    P(LIST, E, TN_ANY_UNIT, TN_ROWS, "states by states, regular, or singular of index 1; default: identity") \
    P(FILE, file, 0,                                                                                         \
      "for those of the matrices that are not given: linear.json of the solver linearise, a JSON object "    \
      "with the "                                                                                            \
      "keys A B C D E, or lines of numbers, which are D")                                                    \
    P(REAL, factor, "", 0, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, "of C and D: -1 for the gain K of u = -K y")    \
    CONTROL_SAMPLING(P)
TN_PARAMETERS(state_space, STATE_SPACE)

/* ---- matrices -------------------------------------------------------------------------------------------------- */

/* One that the model gives, by its numbers, or that of the file; its sizes are known where one of its sides is. */
typedef struct source {
    const char *name;
    tn_list list;
    control_matrix from_file;
} source;

static bool is_given(const source *s) { return s->list.count || s->from_file.value; }

/* Rows and columns of it; one that is 0 is found from the numbers given. */
static tn_status take(const tn_host *host, const source *s, uint32_t rows, uint32_t columns,
                      control_matrix *to)
{
    const char *key = s->list.count ? s->name : "file";
    if (!s->list.count) {
        *to = s->from_file;
        if ((rows && to->rows != rows) || (columns && to->columns != columns))
            return tn_refuse(host, key, "%s of this file is a matrix of %u x %u, but %u x %u are expected",
                             s->name, to->rows, to->columns, rows ? rows : to->rows,
                             columns ? columns : to->columns);
        return TN_OK;
    }
    const uint64_t count = s->list.count;
    const uint32_t known = rows ? rows : columns, other = known ? (uint32_t)(count / known) : 0;
    *to = (control_matrix){rows ? rows : other, columns ? columns : other, s->list.value};
    if (known && (uint64_t)to->rows * to->columns == count) return TN_OK;
    if (rows && columns)
        return tn_refuse(host, key, "%s has %llu numbers, but %u x %u are expected", s->name,
                         (unsigned long long)count, rows, columns);
    return tn_refuse(host, key, "%s has %llu numbers, which is no multiple of %u, its number of %s", s->name,
                     (unsigned long long)count, known, rows ? "rows" : "columns");
}

static tn_status take_square(const tn_host *host, const source *s, uint32_t *size, control_matrix *to)
{
    uint32_t n = 0;
    if (!is_given(s)) return TN_OK;
    while (s->list.count && n < CONTROL_MOST_STATES + 1 && (uint64_t)n * n < s->list.count)
        n++;
    if (!s->list.count) n = s->from_file.rows;
    if (n > CONTROL_MOST_STATES)
        return tn_refuse(host, s->list.count ? s->name : "file",
                         "%s has more than %d rows, for as many states", s->name, CONTROL_MOST_STATES);
    if (s->list.count && (uint64_t)n * n != s->list.count)
        return tn_refuse(host, s->name, "%s has %llu numbers, but it is to be square", s->name,
                         (unsigned long long)s->list.count);
    *size = n;
    return take(host, s, n, n, to);
}

/* ---- the block ------------------------------------------------------------------------------------------------- */

static const double *scaled(const tn_host *host, const double *from, size_t count, double factor)
{
    double *to = tn_control_numbers(host, count);
    for (size_t k = 0; to && from && k < count; k++)
        to[k] = factor * from[k];
    return to;
}

static const double *make_identity(const tn_host *host, uint32_t size)
{
    double *identity = tn_control_numbers(host, (size_t)size * size);
    for (uint32_t k = 0; identity && k < size; k++)
        identity[(size_t)k * size + k] = 1.0;
    return identity;
}

/* C and D; without C the states are the outputs, without D inputs do not reach them at once; without states and D they do. */
static tn_status take_outputs(const tn_host *host, control_block *b, const source *of_C, const source *of_D,
                              double factor)
{
    control_matrix C = {0}, D = {0};
    tn_status status = TN_OK;
    if (!b->states && of_C->list.count) return tn_refuse(host, "C", "it has no states, for want of A");
    if (b->states && is_given(of_C))
        status = take(host, of_C, 0, b->states, &C);
    else if (b->states)
        C = (control_matrix){b->states, b->states, make_identity(host, b->states)};
    if (status == TN_OK && is_given(of_D))
        status = take(host, of_D, C.rows, b->inputs, &D);
    else if (!b->states)
        D = (control_matrix){b->inputs, b->inputs, make_identity(host, b->inputs)};
    if (status != TN_OK) return status;
    b->outputs = b->states ? C.rows : D.rows;
    b->C = scaled(host, C.value, (size_t)b->outputs * b->states, factor);
    b->D = scaled(host, D.value, (size_t)b->outputs * b->inputs, factor);
    return b->C && b->D && (C.value || D.value) ? TN_OK : TN_OUT_OF_MEMORY;
}

static uint32_t count_inputs(const state_space *self)
{
    uint32_t count = 0;
    while (count < CONTROL_MOST_INPUTS && !isnan(self->input[count]))
        count++;
    return count;
}

static tn_status make_block(const tn_host *host, const state_space *self, control_block *b)
{
    const bool sampled = !isnan(self->period);
    control_file file = {.step = (double)NAN};
    tn_status status = self->file ? tn_control_read_file(host, self->file, sampled, &file) : TN_OK;
    if (status != TN_OK) return status;
    const source of_A = {"A", self->A, file.A}, of_B = {"B", self->B, file.B}, of_C = {"C", self->C, file.C},
                 of_D = {"D", self->D, file.D}, of_E = {"E", self->E, file.E};
    control_matrix A = {0}, B = {0}, E = {0};
    if (sampled && file.A.value && !self->A.count && !(fabs(file.step - self->period) <= 1e-9 * self->period))
        return isnan(file.step)
                   ? tn_refuse(host, "file",
                               "its A and B are those of a continuous system, without a `step`: a block "
                               "with a `period` needs those between samples")
                   : tn_refuse(host, "period", "its A and B in `file` are for steps of %g s", file.step);
    b->input = offsetof(state_space, input);
    b->inputs = count_inputs(self);
    status = take_square(host, &of_A, &b->states, &A);
    if (status == TN_OK && b->states && !is_given(&of_B)) return tn_refuse(host, "B", "B is missing");
    if (status == TN_OK && !b->states && self->B.count)
        return tn_refuse(host, "B", "it has no states, for want of A");
    if (status == TN_OK && b->states) status = take(host, &of_B, b->states, b->inputs, &B);
    b->A = A.value;
    b->B = B.value;
    if (status == TN_OK) status = take_outputs(host, b, &of_C, &of_D, self->factor);
    if (status == TN_OK && b->states && is_given(&of_E)) {
        status = take(host, &of_E, b->states, b->states, &E);
        b->given_states = b->states;
        if (status == TN_OK) status = tn_control_descriptor(host, b, E.value, self->E.count ? "E" : "file");
    }
    const control_sampling sampling = CONTROL_SAMPLING_OF(self);
    return status == TN_OK ? tn_control_complete(host, b, &sampling) : status;
}

static tn_status state_space_prepare(const tn_host *host, void *instance)
{
    state_space *self = instance;
    if (self->block) return TN_OK;
    control_block *block = host->allocate(host, sizeof *block);
    if (!block) return TN_OUT_OF_MEMORY;
    const tn_status status = make_block(host, self, block);
    if (status == TN_OK) self->block = block;
    return status;
}

static tn_status state_space_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    return tn_control_layout(control_block_of(instance), layout);
}

TN_DRAWS_NOTHING(block)

CONTROL_OUTPUTS(state_space)
TN_SYNONYMS(state_space, {"control_stateeqn", NULL, NULL}, {"lse", NULL, NULL},
            {"linear_state_equation", NULL, NULL}, {"gain_matrix", NULL, NULL}, {"ss", NULL, NULL},
            {"u", "input", NULL}, {"sample_time", "period", NULL}, {"sampling_period", "period", NULL},
            {"offset_time", "offset", NULL}, {"gain", "D", NULL})
TN_ELEMENT(state_space, .summary = "linear block by its matrices, continuous or sampled",
           .formula = "continuous: E x' = A x + B u, y = C x + D u\n"
                      "sampled: E x(t + period) = A x(t) + B u(t), y = C x + D u, held between samples",
           .synonyms = state_space_synonyms, CONTROL_CAPABILITIES, .prepare = state_space_prepare,
           .layout = state_space_layout, .initial = tn_control_initial, .output = tn_control_output,
           .outputs = state_space_outputs, .flags = TN_FIXED_NAMES, .instance_outputs = tn_control_outputs)

TN_ELSEWHERE(tn_element_type, transfer_function)
TN_ELSEWHERE(tn_element_type, reference_array)
TN_ELSEWHERE(tn_element_type, plant_input)
TN_ELSEWHERE(tn_element_type, plant_output)
TN_LIBRARY("control", "1.0.0", "Apache-2.0", "blocks of control systems, arrays",
           {TN_ELEMENT_KIND, &transfer_function_type}, {TN_ELEMENT_KIND, &state_space_type},
           {TN_ELEMENT_KIND, &reference_array_type}, {TN_ELEMENT_KIND, &plant_input_type},
           {TN_ELEMENT_KIND, &plant_output_type})
