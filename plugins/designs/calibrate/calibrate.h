/* calibrate.h - a fit to measured data: what finding it and judging it have in common */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <tenon/author.h>
#include <tenon/kit/search_answers.h>

/* Steps of different lengths that are tried at once. */
enum { CALIBRATE_TRIALS = 4 };

/* The search of a study, and what is fitted. */
typedef struct calibration {
    tn_search search; /* the first field */
    uint32_t data;    /* numbers that are differences from measured data */
    uint32_t *number; /* [data] which ones */
    double difference;
    bool from_misfit;
    struct fit *fit; /* [starts] */
} calibration;

/* Where a start has come to, and the derivatives there. */
typedef struct fit {
    bool known;       /* x has residuals */
    bool judged;      /* there are singular values */
    bool current;     /* these are those at x, not at a point before */
    double value;     /* sum of squares */
    double *x;        /* [variables] */
    double *residual; /* [data] */
    double *jacobian; /* [variables][data] column by column; after the decomposition U S */
    double *singular; /* [variables] of the free columns */
    double *axis;     /* [variables][variables] right vectors of the free columns */
    uint32_t *free;   /* [variables] the columns that are not held at an end of a range */
    uint32_t frees;
    uint64_t case_number;
} fit;

/* Runs from one start. */
void tn_calibrate_run(tn_search_run *run);
tn_status tn_calibrate_answer(const void *self, tn_design_answers *answers);

#endif
