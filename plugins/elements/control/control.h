/* control.h - linear blocks of a control system, continuous or sampled: what the types of this library have in common
 *
 *     x' = A x + B u,  y = C x + D u;   sampled: x of the next sample = A x + B u
 *
 * A type makes a block of its parameters in prepare() (block.c); all that is called during a run works on blocks alone: block.c for
 * continuous ones and for outputs, sampling.c for sampled ones. Matrices stand row by row. */
#ifndef CONTROL_H
#define CONTROL_H

#include <tenon/author.h>
#include <tenon/draft/blocks.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONTROL_MOST_INPUTS = 16, CONTROL_MOST_STATES = 32, CONTROL_MOST_OUTPUTS = TN_MOST_READABLE };

typedef struct control_matrix {
    uint32_t rows, columns;
    const double *value;
} control_matrix;

typedef struct control_block {
    uint32_t states, inputs, outputs;
    const double *A, *B, *C, *D;
    const double *start; /* [states] */
    size_t input;        /* where the inputs stand in an instance, bytes */
    /* sampled ones, with a period above zero */
    double period, offset;
    uint32_t delay;                              /* whole samples */
    const double *lowest, *highest, *resolution; /* [outputs] or NULL */
    const tn_output *list;                       /* of what sensors record */
    bool static_hold;
    /* of a descriptor form: x of the model, given_states numbers, is of_states times the states and of_inputs times the inputs; what
     * states start with is from_start times x. NULL where states are x. */
    uint32_t given_states;
    const double *of_states, *of_inputs, *from_start;
} control_block;

/* What both block types have for sampling. */
#define CONTROL_SAMPLING(P)                                                                               \
    P(REAL, period, "s", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,                              \
      "between two samples: a sampled block, whose outputs are held in between; without it a continuous " \
      "one")                                                                                              \
    P(REAL, offset, "s", 0, 0.0, 0.0, TN_UNBOUNDED, "time of the first sample; outputs are zero before")  \
    P(INTEGER, delay, 0, 0, 0, 1000, "whole samples by which the outputs come later")                     \
    P(LIST, lowest, TN_ANY_UNIT, 0, "limit of the outputs at samples: one for each, or one for all")      \
    P(LIST, highest, TN_ANY_UNIT, 0, "likewise")                                                          \
    P(LIST, resolution, TN_ANY_UNIT, 0,                                                                   \
      "outputs at samples are rounded to multiples of it: likewise; 0 for none")                          \
    P(LIST, start, TN_ANY_UNIT, 0, "x at the start; default: zeros")                                      \
    P(BOOLEAN, static_hold, 0, 0,                                                                         \
      "true: x of a continuous block keeps its values while an equilibrium is sought; false: x' = 0 "     \
      "there")                                                                                            \
    P(TEXTS, input_units, 0,                                                                              \
      "SI units of the inputs, one for each or one for all, which they are checked against")              \
    P(TEXTS, output_units, 0, "likewise of the outputs, which what reads them is checked against")

typedef struct control_sampling {
    double period, offset;
    int64_t delay;
    tn_list lowest, highest, resolution, start;
    bool static_hold;
    tn_texts input_units, output_units;
} control_sampling;
#define CONTROL_SAMPLING_OF(self)                                                                           \
    (control_sampling)                                                                                      \
    {                                                                                                       \
        (self)->period, (self)->offset, (self)->delay, (self)->lowest, (self)->highest, (self)->resolution, \
            (self)->start, (self)->static_hold != 0, (self)->input_units, (self)->output_units              \
    }

/* ---- block.c ------------------------------------------------------------------------------------------------- */

/* Zeroed memory of the model; NULL, after an error, where there is none. */
double *tn_control_numbers(const tn_host *host, size_t count);
/* Completes a block that has its sizes and matrices; TN_INVALID after reporting. */
tn_status tn_control_complete(const tn_host *host, control_block *block, const control_sampling *sampling);

tn_status tn_control_layout(const control_block *block, tn_layout *layout);
/* Every instance begins with a pointer to its block. */
static inline const control_block *control_block_of(const void *instance)
{
    const control_block *block = NULL;
    memcpy(&block, instance, sizeof block);
    return block;
}
tn_status tn_control_initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                             double *s, double *d);
tn_status tn_control_rates(tn_batch *batch);
tn_status tn_control_rates_tangent(tn_batch *batch);
uint32_t tn_control_count(const void *instance);
uint32_t tn_control_by(const void *instance, uint32_t number);
tn_status tn_control_readable(tn_batch *batch);
tn_status tn_control_readable_tangent(tn_batch *batch);
tn_status tn_control_output(tn_batch *batch);
const tn_output *tn_control_outputs(const tn_host *host, const void *instance);
/* to = M x + N u, of r rows; to [rows]. */
void tn_control_combine(const control_block *block, uint32_t rows, const double *M, const double *x,
                        const double *N, const double *u, double *to);
static inline const double *control_input_of(const control_block *block, const void *instance)
{
    return (const double *)(const void *)((const char *)instance + block->input);
}

/* ---- sampling.c ---------------------------------------------------------------------------------------------- */

/* Places in the discrete data of an instance. */
static inline size_t control_held(void) { return 1; }
static inline size_t control_states(const control_block *b) { return control_held() + b->outputs; }
static inline size_t control_queue(const control_block *b) { return control_states(b) + b->states; }
static inline size_t control_data(const control_block *b)
{
    return control_queue(b) + (size_t)b->delay * b->outputs;
}
tn_status tn_control_next_sample(tn_batch *batch);
tn_status tn_control_sampled_outputs(tn_batch *batch);
tn_status tn_control_sampled_states(tn_batch *batch);

/* ---- descriptor.c -------------------------------------------------------------------------------------------- */

/* Makes A, B, C and D of a block, which stand for E x' = A x + B u, y = C x + D u, those of its states alone; TN_INVALID after
 * reporting, at `key`. */
tn_status tn_control_descriptor(const tn_host *host, control_block *block, const double *E, const char *key);

/* ---- matrix_file.c ------------------------------------------------------------------------------------------- */

/* The matrices of a file: of linear.json as the solver linearise writes it, of an object with matrices by name, or of a table of
 * numbers, which is D. */
typedef struct control_file {
    control_matrix A, B, C, D, E; /* value NULL: the file does not have it */
    double step;                  /* of samples; NaN: a continuous form, or not known */
} control_file;
/* `sampled`: the form between samples is wanted where there is one. TN_INVALID after reporting. */
tn_status tn_control_read_file(const tn_host *host, const char *path, bool sampled, control_file *file);

/* Of instances, by their sizes; a block without states has none of x. */
#define CONTROL_OUTPUTS(name) TN_OUTPUTS(name, {"output", "y", "", 1, 0}, {"state", "x", "", 1, 0})

#define CONTROL_CAPABILITIES                                                                                \
    TN_CAPABILITIES(                                                                                        \
        TN_HAS(states, .rates = tn_control_rates, .rates_tangent = tn_control_rates_tangent),               \
        TN_HAS(readable, .readable_count = tn_control_count, .readable_by = tn_control_by,                  \
               .readable = tn_control_readable, .readable_tangent = tn_control_readable_tangent),           \
        TN_HAS(sampled, .next_sample = tn_control_next_sample,                                              \
               .sampled_outputs = tn_control_sampled_outputs, .sampled_states = tn_control_sampled_states), \
        TN_HAS_DRAWING(block))

#endif
