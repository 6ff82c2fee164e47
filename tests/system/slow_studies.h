/* slow_studies.h - studies for tests of executors: 32 cases, also such that are under way while something happens to them */
#ifndef TENON_TESTS_SYSTEM_SLOW_STUDIES_H
#define TENON_TESTS_SYSTEM_SLOW_STUDIES_H

#include "studies.h"

#define TN_STUDY_CASES STUDY STIFFNESS RESPONSE "[design]\ntype = 'sobol'\ncount = 32\n"

/* The table of TN_STUDY_CASES by the executor `local`. */
const char *tn_study_reference(void);
/* Starts the cases of TN_STUDY_CASES with this text of [execute] and this step of the solver, or goes on with them. */
tn_child tn_study_start(const char *program, const char *results, const char *execute, double step);
/* Waits until so many cases have run well. */
void tn_study_await(const char *results, int count);
/* Fails unless this signal to a study that is under way ends it and all its workers. */
void tn_study_check_end(const char *execute, int interrupt);

/* A model that changes while its study runs ends the study, with a message; one that is written anew as it was does not. */
void tn_study_check_change(const char *execute);

#endif
