/* sampling.c - sampled blocks (control.h)
 *
 * Discrete data of an instance: the number of the next sample; outputs that are held; states; outputs that wait, the oldest first. */
#include "control.h"

static double *data_of(const tn_batch *batch, size_t i) { return batch->d + i * batch->layout->nd; }

tn_status tn_control_next_sample(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const control_block *b = control_block_of(tn_instance(batch, i));
        batch->value[i] = HUGE_VAL;
        if (b->period == 0.0) continue;
        /* where a run starts later than the samples do, those before are left out */
        const double first = ceil((batch->time - b->offset) / b->period - 1e-9), next = data_of(batch, i)[0];
        batch->value[i] = b->offset + fmax(first, next) * b->period;
    }
    return TN_OK;
}

/* As a converter gives it: rounded, then limited. */
static double convert(const control_block *b, uint32_t k, double value)
{
    if (b->resolution && b->resolution[k] > 0.0)
        value = b->resolution[k] * nearbyint(value / b->resolution[k]);
    if (b->lowest && value < b->lowest[k]) value = b->lowest[k];
    if (b->highest && value > b->highest[k]) value = b->highest[k];
    return value;
}

tn_status tn_control_sampled_outputs(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const void *instance = tn_instance(batch, i);
        const control_block *b = control_block_of(instance);
        double *d = data_of(batch, i), *held = d + control_held(), *queue = d + control_queue(b);
        const size_t waiting = (size_t)b->delay * b->outputs;
        double value[CONTROL_MOST_OUTPUTS];
        tn_control_combine(b, b->outputs, b->C, d + control_states(b), b->D, control_input_of(b, instance),
                           value);
        for (uint32_t k = 0; k < b->outputs; k++) {
            if (!isfinite(value[k]))
                return tn_note_failure(batch, (uint32_t)i, TN_OK, TN_FATAL,
                                       "an output is not finite at this sample");
            value[k] = convert(b, k, value[k]);
        }
        memcpy(held, waiting ? queue : value, b->outputs * sizeof *held);
        if (!waiting) continue;
        memmove(queue, queue + b->outputs, (waiting - b->outputs) * sizeof *queue);
        memcpy(queue + waiting - b->outputs, value, b->outputs * sizeof *queue);
    }
    return TN_OK;
}

tn_status tn_control_sampled_states(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const void *instance = tn_instance(batch, i);
        const control_block *b = control_block_of(instance);
        double *d = data_of(batch, i), *x = d + control_states(b), next[CONTROL_MOST_STATES];
        tn_control_combine(b, b->states, b->A, x, b->B, control_input_of(b, instance), next);
        memcpy(x, next, b->states * sizeof *x);
        d[0] = nearbyint((batch->time - b->offset) / b->period) + 1.0;
    }
    return TN_OK;
}
