/* statistics.h - what a run has cost, and what decided its steps: for run.toml, and for the summary of the program */
#ifndef TN_RUN_STATISTICS_H
#define TN_RUN_STATISTICS_H

#include "extensions/phases.h"
#include "extensions/step_counts.h"
#include "run/study.h"

#include <stdio.h>

typedef struct tn_run_statistics {
    uint64_t rejected[TN_REJECTIONS]; /* steps, by tn_rejection */
    tn_governor governor;             /* the element whose errors decided the length of most steps */
    double phase[TN_PHASES];          /* s */
    double first_factorisation;       /* s */
    double matrix,
        factors;        /* entries of the matrix that are not 0, and of L + U; 0: unknown, or there is none */
    const char *linear; /* the linear solver that has made them */
} tn_run_statistics;

/* Of the run so far. */
tn_run_statistics tn_run_statistics_of(const tn_study *study);
/* Names as run.toml has them: of that element, of phases. */
const char *tn_governor_name(const tn_study *study, const tn_governor *governor);
extern const char *const tn_phase_names[TN_PHASES];
/* The table of run.toml. */
void tn_run_statistics_write(FILE *file, const tn_study *study);

#endif
