/* study_files.h - what `tenon study` and `tenon case` share: files of studies, folders of their results. */
#ifndef TN_STUDY_FILES_H
#define TN_STUDY_FILES_H

#include "cases/cases.h"
#include "cli/options.h"

/* A file of a study, or a folder with results of one. */
typedef struct tn_study_place {
    const char *file, *folder; /* folder: an absolute path; NULL for a file until the study is open */
} tn_study_place;
tn_study_place tn_study_place_of(const char *word);

/* Opens the study of a place for a command; false after messages. It is to be closed all the same. */
bool tn_study_open_place(tn_cases *cases, tn_study_place *place, const tn_words *path, bool trust);
/* The folder of its results: `out`, or where the study says. */
const char *tn_study_folder(const tn_cases *cases, const tn_study_place *place, const char *out);
/* The folder of results of a place whose study need not be opened: its model may be elsewhere, or changed. */
const char *tn_study_results_of(const char *word);
/* The whole number that a word is; false for another word. */
bool tn_whole_number(const char *word, uint64_t *number);

#endif
