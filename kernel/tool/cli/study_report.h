/* study_report.h - `tenon study report`: files that a study writer makes of the results of a study. */
#ifndef TN_STUDY_REPORT_H
#define TN_STUDY_REPORT_H

#include "cli/options.h"

typedef struct tn_study_report {
    const char *place; /* a study, or the folder of its results */
    const char *out;   /* file, or folder; NULL: into the folder of results */
    tn_words set;      /* parameters of the writer, KEY=VALUE */
    tn_words path;     /* of plugins */
    bool quiet;
} tn_study_report;

/* The exit status. */
int tn_study_report_make(const tn_usage *usage, const tn_study_report *asked);

#endif
