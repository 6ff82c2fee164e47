/* figure_summary.h - figures of a run on the terminal: statistics of sensors, and what has come of expectations. */
#ifndef TN_FIGURE_SUMMARY_H
#define TN_FIGURE_SUMMARY_H

#include "run/study.h"

/* Lines of the summary. */
void tn_figures_print(const tn_study *study);
/* A table of all expectations, unless `quiet`, and an error for each that does not hold; whether all do. */
bool tn_expectations_tell(const tn_study *study, bool quiet);

#endif
