/* signals_extension.h - inputs, sensors and named positions of a model with their derivatives, for solvers that linearise it
 * (tenon/draft/signals.h). */
#ifndef TN_SIGNALS_H
#define TN_SIGNALS_H

#include "extensions/extension.h"
#include "values/value_slopes.h"

#include <tenon/draft/signals.h>

/* One number of a sensor. */
typedef struct tn_output_number {
    size_t sensor;
    uint32_t component;
    uint32_t live;   /* number of its expression among the live values, or TN_NONE */
    uint32_t marker; /* TN_NONE, or whose `output` it is, tn_marker_output */
    uint32_t output;
} tn_output_number;

/* Matrices by rows, that can be written. */
typedef struct tn_slope_memory {
    double *position, *velocity, *acceleration, *reaction, *state, *input;
} tn_slope_memory;

typedef struct tn_signal_memory {
    tn_signals table;
    tn_signal_info *input, *output, *position, *state;
    tn_output_number *number;   /* [outputs] */
    uint32_t *live_of_position; /* [positions] */
    const tn_live_value **live;
    tn_value_slopes *slopes;
    tn_slope_memory rate, of_output;
    tn_slope_row *rate_row; /* [nx] */
    uint8_t *note;          /* [nx] on its derivatives */
    double *position_slopes, *rate_slopes, *force_by_state, *force_by_input;
    double *value;                 /* [outputs] those of the state */
    double *sample;                /* [4][outputs] on its sides */
    double *increment, *q, *spare; /* [nv], [nq]; rows that nobody wants */
} tn_signal_memory;

static inline tn_signal_memory *tn_signal_memory_of(const tn_assembly *assembly)
{
    return assembly->extension[TN_SIGNAL_EXTENSION];
}

/* The table, made at the first call. NULL without memory or pattern. */
const tn_signals *tn_signals_of(tn_assembly *assembly);
/* output_slopes.c: the values of all outputs at the last evaluation, and their derivatives; those that have none by rules by
 * differences. The name of what has no value goes to `problem`. */
tn_status tn_output_slopes(tn_assembly *assembly, tn_signal_memory *m, const char **problem);
/* Row k of matrices of a memory. */
tn_slope_row tn_slope_row_of(const tn_assembly *assembly, const tn_slope_memory *m, size_t k);

#endif
