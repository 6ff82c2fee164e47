/* studies.h - studies as texts, carried out by the program, and what is in their databases */
#ifndef TENON_TESTS_SYSTEM_STUDIES_H
#define TENON_TESTS_SYSTEM_STUDIES_H

#include "harness.h"

/* Pieces of the file of a study of the model that tn_study_open writes: a mass on a spring. */
#define STUDY "[study]\nmodel = 'model.toml'\nname = 'test'\n"
#define RESPONSE "[[response]]\nname = 'peak'\nexpression = 'max(x.x)'\n"
#define GRID "[design]\ntype = 'grid'\nlevels = [5]\n"
#define STIFFNESS "[[variable]]\nname = 'parameters.k'\nrange = ['50 [N/m]', '200 [N/m]']\n"

/* Opens the scratch directory, with the model and its plugin `whims`. */
int tn_study_open_tests(void **state);
/* `tenon study FILE --out RESULTS ...` of this text. */
tn_outcome tn_study_run(const char *text, const char *results, const char *const *more);
/* A folder that does not exist yet. */
const char *tn_study_folder_path(void);
/* The view `wide`, as text. */
const char *tn_study_table(const char *results);
/* The first value of a query of the database. */
const char *tn_study_ask(const char *results, const char *sql);
/* Fails unless the study is refused with a message that holds these words. */
void tn_study_check_refused(const char *text, const char *const *words);

#endif
