/* study.h - what study_page.c and study_rows.c share. */
#ifndef TENON_REPORT_STUDY_H
#define TENON_REPORT_STUDY_H

#include "report.h"

#include "tenon/draft/study_results.h"

enum { TN_NUMBER, TN_STATUS, TN_REASON, TN_FIRST_COLUMN }; /* of a row; then variables, responses, effort */

/* The cases of the page: all, or a choice of them. */
typedef struct tn_study_rows {
    const tn_study_results *results;
    double share, failed_share; /* of cases that are ok, and of others, that are taken anyway */
    size_t columns, count, room;
    double *value; /* [count][columns] */
    /* [responses][2][2] the least and greatest value so far, of all cases and of those that keep all limits; and, behind each other, the rows of
     * those that were not taken, whose number is NaN where there is none */
    double *record, *pending;
    int64_t *named; /* [results->answers] numbers of cases in answers, ascending; -1: none */
    size_t named_seen;
    char **text; /* [texts] reasons, each once; number 0 is "" */
    size_t texts, text_room;
    size_t *place; /* [places] of texts by their sums, plus 1; 0: free */
    size_t places;
    bool failed; /* memory ran out */
} tn_study_rows;

/* At most about `most`, and those that are named, or were the best so far; to be freed also after a failure. */
tn_status tn_study_rows_read(tn_study_rows *rows, const tn_study_results *results, uint64_t most);
void tn_study_rows_free(tn_study_rows *rows);
/* "rows":{...},"columns":[...] with their numbers in the store. */
void tn_put_study_rows(tn_bytes *json, tn_bytes *store, const tn_study_rows *rows);

#endif
