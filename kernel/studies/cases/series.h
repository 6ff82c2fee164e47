/* series.h - columns of sensors over the time of a run, in memory, and numbers that are worked out of them. */
#ifndef TN_SERIES_H
#define TN_SERIES_H

#include "base/memory.h"

#include <stdint.h>

/* The columns that are wanted of a run: number k of them is column place[k] of all sensors. */
typedef struct tn_series_columns {
    const char **name, **unit;
    uint32_t *place;
    uint32_t count;
} tn_series_columns;

/* Their values, row by row. */
typedef struct tn_series {
    const tn_series_columns *columns;
    double *time, *value; /* [rows], [rows][columns] */
    size_t rows, capacity;
} tn_series;

/* Appends a row: the values of all sensors. */
void tn_series_add(tn_series *series, double time, const double *values);

typedef enum tn_series_function {
    TN_SERIES_AT,
    TN_SERIES_FIRST,
    TN_SERIES_LAST,
    TN_SERIES_MEAN,
    TN_SERIES_RMS,
    TN_SERIES_MIN,
    TN_SERIES_MAX,
    TN_SERIES_TIME_OF,
    TN_SERIES_SETTLE,
    TN_SERIES_INTEGRAL,
    TN_SERIES_FFT_PEAK,
    TN_SERIES_FUNCTIONS
} tn_series_function;

/* What of the unit of the sensor the unit of the value is made. */
typedef enum tn_series_unit { TN_UNIT_OF_SENSOR, TN_UNIT_S, TN_UNIT_TIMES_S, TN_UNIT_HZ } tn_series_unit;

/* A function, or another name of one. */
typedef struct tn_series_word {
    const char *name;
    tn_series_function function;
    uint32_t arguments, optional; /* behind the sensor */
    tn_series_unit unit;
} tn_series_word;
extern const tn_series_word tn_series_words[]; /* name NULL last */

/* Value of a function of a column; `argument` as many as it takes, NaN for those that are not given. NaN: there is none. */
double tn_series_value(const tn_series *series, uint32_t column, tn_series_function function,
                       const double *argument);
/* The value at a time, between two rows by their line; NaN outside of the run. */
double tn_series_at(const tn_series *series, uint32_t column, double time);
/* About how far the value itself is from that line: by a parabola through one more row; 0 at a row, and where there is no further one. */
double tn_series_line_error(const tn_series *series, uint32_t column, double time);
/* The largest value of a column. */
double tn_series_size(const tn_series *series, uint32_t column);

#endif
