/* figures.h - figures of a run: statistics of what sensors record, values at chosen times, and what the model expects of them
 *
 * They are worked out row by row, as rows are written, and are part of the state of the run. */
#ifndef TN_FIGURES_H
#define TN_FIGURES_H

#include "config/toml.h"
#include "model/model.h"

#include <stdio.h>

struct tn_state_visitor;

/* Of the numbers in a column. `mean` and `rms` are means over time, by the trapezoidal rule from row to row. */
typedef enum tn_statistic {
    TN_MINIMUM,
    TN_MAXIMUM,
    TN_LARGEST, /* absolute value */
    TN_MEAN,
    TN_RMS,
    TN_INITIAL,
    TN_FINAL,
    TN_STATISTICS
} tn_statistic;
extern const char *const tn_statistic_names[TN_STATISTICS + 1]; /* NULL last */

/* ---- what a model asks for ------------------------------------------------------------------------------- */

/* Of all columns of a sensor. */
typedef struct tn_sensor_figures {
    uint32_t sensor;
    uint32_t statistics; /* bits by tn_statistic */
    const double *time;  /* [times] s */
    size_t times;
} tn_sensor_figures;

/* An [[expect]] table: of a column, a statistic, or the value at a time. */
typedef struct tn_expectation {
    const tn_toml *table;
    const char *column, *unit;
    uint32_t sensor, component;
    int32_t solver; /* number of the one whose rows count; -1: of all */
    tn_statistic statistic;
    double time; /* s; NaN: the statistic */
    double value, tolerance;
    const char *source; /* or NULL */
} tn_expectation;

typedef struct tn_figure_plan {
    tn_sensor_figures *sensor;
    size_t sensor_count;
    tn_expectation *expected;
    size_t expected_count;
    const tn_toml **time_node; /* [time_count] where times of sensors stand, and */
    double *time;              /* these */
    size_t time_count;
} tn_figure_plan;

/* ---- during a run ------------------------------------------------------------------------------------------ */

typedef struct tn_figures tn_figures;

/* Figures without any row yet; NULL where the plan, which may be NULL, asks for none. */
tn_figures *tn_figures_new(const tn_model *model, const tn_figure_plan *plan);
/* The times at which there are to be rows, in order, none twice. */
const double *tn_figure_times(const tn_figures *figures, size_t *count);
/* Solver `number` begins at a time, s; times nearer than `slack` are the same. `goes_on`: from the state of the last row. */
void tn_figures_begin(tn_figures *figures, int32_t number, double start, double slack, bool goes_on);
/* A row: the numbers of all sensors. */
void tn_figures_add(tn_figures *figures, double time, double slack, const double *values);
void tn_figures_list_state(tn_figures *figures, struct tn_state_visitor *visitor);

/* ---- behind it -------------------------------------------------------------------------------------------- */

/* A figure, with the time that it is of where that is one. */
typedef struct tn_figure {
    double value, time;
    bool known; /* there was a row to take it from */
} tn_figure;

/* What has come of an expectation. */
typedef struct tn_expected_outcome {
    const tn_expectation *expected;
    tn_figure got;
    double difference; /* of these, NaN where one is none */
    bool holds;
    const char *problem; /* why it cannot hold, or NULL */
} tn_expected_outcome;

size_t tn_expectation_count(const tn_figures *figures);
/* Number k of them; of a run that has not `finished`, no statistic holds. */
tn_expected_outcome tn_expectation_outcome(const tn_figures *figures, size_t k, bool finished);
size_t tn_expectations_failed(const tn_figures *figures, bool finished);
/* What is expected, "max of x.x", "x.x at 1 s", in the words of messages. */
const char *tn_expectation_words(const tn_expectation *expected, char *text, size_t size);

/* Every column of the sensors that figures are asked of. */
typedef struct tn_figure_column {
    const char *name, *unit;
    uint32_t statistics;
    tn_figure statistic[TN_STATISTICS];
    const double *time; /* [times] */
    size_t times;
    uint32_t number; /* of the first of these values */
} tn_figure_column;
typedef void tn_figure_visitor(void *data, const tn_figures *figures, const tn_figure_column *column);
void tn_figures_visit(const tn_figures *figures, tn_figure_visitor *visit, void *data);
/* The value at time number k of a column. */
tn_figure tn_figure_at(const tn_figures *figures, const tn_figure_column *column, size_t k);
/* The tables [[run.sensor]] and [[run.expectation]]. figure_text.c */
void tn_figures_write(FILE *file, const tn_figures *figures, bool finished);

#endif
