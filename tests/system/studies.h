/* studies.h - studies of a small model for tests: carried out by the program, and looked up in their databases. */
#ifndef TENON_TESTS_SYSTEM_STUDIES_H
#define TENON_TESTS_SYSTEM_STUDIES_H

#include "harness.h"

/* Builds the plugin `whims`, and writes model.toml: a mass on a spring of the stiffness parameters.k, and a force that does what
 * parameters.whim says (plugins/whims.c). For setup functions, in place of tn_scratch_open. */
int tn_studies_open(void **state);

/* Pieces of files of studies with that model. */
#define TN_STUDY "[study]\nmodel = 'model.toml'\nname = 'test'\n"
#define TN_STUDY_RESPONSE "[[response]]\nname = 'peak'\nexpression = 'max(x.x)'\n"
#define TN_STUDY_GRID "[design]\ntype = 'grid'\nlevels = [5]\n"
#define TN_STUDY_STIFFNESS "[[variable]]\nname = 'parameters.k'\nrange = ['50 [N/m]', '200 [N/m]']\n"

/* 32 cases with that response. */
#define TN_STUDY_CASES TN_STUDY TN_STUDY_STIFFNESS TN_STUDY_RESPONSE "[design]\ntype = 'sobol'\ncount = 32\n"

/* The folder in which whims.so is, for --plugin-path. */
const char *tn_study_plugins(void);
/* `tenon study FILE --out RESULTS ...` of this text; `more` may be NULL. */
tn_outcome tn_study_of(const char *text, const char *results, const char *const *more);
/* The view `wide`, as text. */
const char *tn_study_table(const char *results);
/* The first value of a query of the database. */
const char *tn_study_ask(const char *results, const char *sql);

/* The table of TN_STUDY_CASES by the executor `local`. */
const char *tn_study_reference(void);
/* Starts the cases of TN_STUDY_CASES with this text of [execute] and this step of the solver, or goes on with them. */
tn_child tn_study_start(const char *program, const char *results, const char *execute, double step);
/* Waits until so many cases have run well. */
void tn_study_await(const char *results, int count);
/* Fails unless this signal to a study that is under way ends it and all its workers. */
void tn_study_check_end(const char *execute, int interrupt);

#endif
