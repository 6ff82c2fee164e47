/* store.h - the database of a study, study.db in its folder: SQLite, written by the driver alone and readable by anybody meanwhile.
 *
 * Cases have their numbers as ids; those of an earlier design of the same study have negative ones, and are known by their sums only. A
 * function that returns false has left its reason in tn_store_problem. */
#ifndef TN_STORE_H
#define TN_STORE_H

#include "cases/cases.h"

#include <stdio.h>

typedef struct tn_store tn_store;

typedef enum tn_store_mode {
    TN_STORE_NEW,   /* made; refused where there is one */
    TN_STORE_GO_ON, /* one of the same study, or a new one */
    TN_STORE_READ
} tn_store_mode;

/* Opens the database in a folder; NULL with the reason. Without `cases` it is only looked at. */
tn_store *tn_store_open(const char *folder, const tn_cases *cases, tn_store_mode mode, char *reason,
                        size_t size);
void tn_store_close(tn_store *store);
const char *tn_store_problem(const tn_store *store);
/* Where writing is slower than elsewhere, as the disk is of another machine. */
bool tn_store_is_remote(const tn_store *store);
/* It was made when it was opened. */
bool tn_store_is_new(const tn_store *store);
/* Its results are those of this very model, with its files, plugins and responses. */
bool tn_store_is_of(tn_store *store, const tn_cases *cases);

/* Everything between the two is in the file, or nothing of it. */
bool tn_store_begin(tn_store *store);
bool tn_store_commit(tn_store *store);

/* What is known of a case. */
typedef struct tn_store_row {
    bool known;            /* there is a row of this number and sum */
    bool done;             /* it has run, well or not, and is not to be run again */
    bool elsewhere;        /* another case with the same sum is ok: that one's responses */
    tn_case_status status; /* of one that is done */
    int64_t id;
    uint32_t attempt;
    double cpu;
} tn_store_row;
/* `response` [numbers] gets those of one that is done. */
bool tn_store_find(tn_store *store, uint64_t number, const tn_case_hash *hash, tn_store_row *row,
                   double *response);
/* A case that is to be run, in place of what has this number; one whose responses are those of `same`, which is ok. */
bool tn_store_add(tn_store *store, uint64_t number, const tn_case_hash *hash, const double *value);
bool tn_store_add_same(tn_store *store, uint64_t number, const tn_case_hash *hash, const double *value,
                       int64_t same);
/* What has come of a case that was added; nothing happens where it has another sum. */
bool tn_store_put(tn_store *store, const tn_case_result *result);
/* How many of these were not ok. */
uint64_t tn_store_failed(const tn_store *store);
/* Takes over new lines of workers from the folder: of files whose names begin with this. line_files.c */
typedef struct tn_store_taken {
    uint64_t lines;
    double wall; /* s on the clock that their cases have taken */
} tn_store_taken;
bool tn_store_take_lines(tn_store *store, const char *beginning, tn_store_taken *taken);
/* Cases that are not ok, and not lost, become such that are to be run; their number. */
bool tn_store_forget_failed(tn_store *store, uint64_t *count);
/* The values of a case; false: there is none of this number, or a problem. */
bool tn_store_values(tn_store *store, uint64_t number, double *value);
/* Texts of the study as a whole: "base", "design". NULL: none. The text lives until the next call. */
const char *tn_store_note(tn_store *store, const char *key);
bool tn_store_set_note(tn_store *store, const char *key, const char *value);

/* An answer of the design, as rows of a table. `text` is a sentence, without number, or the value of a list as its text. */
typedef struct tn_store_answer {
    const char *name, *response, *variable, *other, *unit, *text; /* NULL: none */
    double value, low, high;                                      /* NaN: none */
    int64_t number;                                               /* of a case; -1: none */
} tn_store_answer;
bool tn_store_clear_answers(tn_store *store);
bool tn_store_add_answer(tn_store *store, const tn_store_answer *answer);

/* How many cases have each status; the last one: those that wait. */
typedef struct tn_store_counts {
    uint64_t count[TN_CASE_STATUSES + 1];
    double cpu; /* s, of all */
} tn_store_counts;
bool tn_store_count(tn_store *store, tn_store_counts *counts);
/* Calls for each reason why cases have not come through, the most frequent first, at most so many. */
enum { TN_STORE_REASONS = 20 };
bool tn_store_reasons(tn_store *store,
                      void (*visit)(void *data, const char *status, uint64_t count, uint64_t first,
                                    const char *reason),
                      void *data);
/* All of it, at this moment, for those who make files of it: texts and lists stand in the arena; `text`, `design` and `command` are "". Only of a
 * store that is opened for reading, which is to be closed afterwards. read_results.c */
bool tn_store_read_results(tn_store *store, tn_arena *arena, tn_study_results *results);
/* The view `wide` as CSV. */
bool tn_store_export(tn_store *store, FILE *file);

#endif
