/* cases.h - the file of a study, and its cases: each is a point of a design, a function of the values of the variables alone.
 *
 * Whoever works with a study opens its file, which reads and checks everything, the model with it, and runs cases: each in a
 * process of its own, so that none can harm another. Nothing here knows the database. */
#ifndef TN_CASES_H
#define TN_CASES_H

#include "cases/series.h"
#include "run/study.h"

#include <tenon/draft/design.h>
#include <tenon/draft/executor.h>
#include <tenon/draft/study_results.h>

/* The kinds of plugin that studies have, for tn_kinds_add. study_kinds.c */
extern const tn_kind tn_study_kinds[];
extern const size_t tn_study_kind_count;

/* ---- variables ---------------------------------------------------------------------------------------------- */

typedef enum tn_case_distribution {
    TN_VARIABLE_RANGE,
    TN_VARIABLE_VALUES,
    TN_VARIABLE_NORMAL,
    TN_VARIABLE_LOGNORMAL,
    TN_VARIABLE_TRIANGULAR
} tn_case_distribution;

/* What a level of a list, or the number of a range, sets: texts "path=value" as `--set` takes them. */
typedef struct tn_case_level {
    const char *const *override; /* [overrides] */
    size_t overrides;
    const char *label; /* for people, and for the database */
    double value;      /* as a number of the unit; NaN: it is none */
} tn_case_level;

typedef struct tn_case_variable {
    const tn_toml *table, *name_node, *value_node; /* the last: of the range, the list, or the distribution */
    const char *name, *unit;                       /* unit: as written behind its numbers; "" for none */
    tn_case_distribution distribution;
    bool log;
    double low, high,
        mode; /* of a range, or a triangle; mean and deviation (of the logarithm) in the first two otherwise */
    tn_case_level *level; /* [levels] */
    uint32_t levels;
    double start; /* coordinate of the value of the model; 1/2 where there is none */
} tn_case_variable;

/* ---- responses ---------------------------------------------------------------------------------------------- */

/* Differences from measured data, or samples of a sensor: at these times. */
typedef struct tn_case_samples {
    uint32_t column;                           /* of the series of a run */
    const double *time, *measured, *deviation; /* [count]; measured NULL: samples */
    size_t count;
} tn_case_samples;

typedef struct tn_case_response {
    const tn_toml *table;
    const char *name, *unit;
    double factor; /* takes numbers in `unit` to SI */
    uint32_t first, size;
    uint32_t limited;                      /* tn_design_limit */
    double limit;                          /* in `unit` */
    struct tn_case_expression *expression; /* or NULL: samples */
    tn_case_samples samples;
} tn_case_response;

/* ---- the keys of a file, for its schema, too ------------------------------------------------------------------- */

extern const char *const tn_study_words[]; /* tables at the top; NULL last, as in those below */
extern const tn_parameter tn_study_parameters[],
    tn_execute_parameters[]; /* the latter besides those of the executor */
extern const char *const tn_variable_words[];
extern const char *const tn_response_words[]; /* besides the parameters */
extern const tn_parameter tn_response_parameters[];

/* ---- the study ---------------------------------------------------------------------------------------------- */

typedef enum tn_case_keep { TN_KEEP_RESPONSES, TN_KEEP_FAILED, TN_KEEP_ALL } tn_case_keep;

/* Keys of [study] and of [execute] that are not the plugin's. */
typedef struct tn_study_keys {
    const char *model, *name, *results;
    int64_t seed;
} tn_study_keys;
typedef struct tn_execute_keys {
    double time_limit; /* s of processor time; 0: none */
    const char *memory;
    int64_t retries;
    int32_t keep;          /* tn_case_keep */
    uint64_t memory_limit; /* bytes; 0: none */
} tn_execute_keys;

enum { TN_HASH_SIZE = 32 };
typedef struct tn_case_hash {
    unsigned char byte[TN_HASH_SIZE];
} tn_case_hash;

typedef struct tn_cases_options {
    const char *file; /* the study */
    const char *const *plugin_paths;
    size_t plugin_path_count;
    bool trust;
    tn_message_listener listener;
    /* Hears of the models that are open, one at a time; NULL behind them. May be NULL. */
    void (*watch)(const tn_study *study);
} tn_cases_options;

typedef struct tn_case_input tn_case_input;

typedef struct tn_cases {
    const tn_cases_options *options;
    tn_study file; /* whose model is empty: plugins and tables of the study belong to it */
    tn_study_options file_options;
    tn_arena arena;
    tn_study_keys study;
    tn_execute_keys execute;
    const char *model; /* path */
    tn_case_variable *variable;
    uint32_t variables;
    tn_case_response *response;
    uint32_t responses, numbers;
    tn_series_columns columns; /* of sensors that responses read */
    tn_design_problem problem;
    const tn_design_type *design;
    const void *design_instance;
    const tn_toml *design_table;
    const tn_executor_type *executor;
    const void *executor_instance;
    tn_case_input *input; /* [inputs] files that the model is read from */
    size_t inputs;
    tn_case_hash base;        /* of everything but the values */
    tn_case_hash design_hash; /* of what the order of the cases depends on besides */
} tn_cases;

/* Reads and checks the study, and its model at each value of its lists. False after messages; to be closed all the same. study_file.c */
bool tn_cases_open(tn_cases *cases, const tn_cases_options *options);
void tn_cases_close(tn_cases *cases);
/* The file as it can be used in another folder: with absolute paths, but for files below the folder of the study, from a folder that lies
 * there, too: so that all of it can move. study_paths.c */
char *tn_cases_print(const tn_cases *cases, const char *folder);
/* Whether the study was read from this very file. */
bool tn_cases_is_copy(const tn_cases *cases, const char *path);
/* Parts of it: variables.c, responses.c, model_check.c */
void tn_cases_read_variables(tn_cases *cases, const tn_toml *array);
void tn_cases_read_responses(tn_cases *cases, const tn_toml *array);
bool tn_cases_check_model(tn_cases *cases);
/* A string node as the path of a file that can be read; NULL after reporting. */
const char *tn_cases_file(tn_cases *cases, const tn_toml *node, const char *path);
/* The files of the model as they are now; one that is no longer what it was, NULL: none. model_files.c */
void tn_cases_note_inputs(tn_cases *cases, const tn_document *document);
const char *tn_cases_changed_input(const tn_cases *cases);
/* Messages at a node of the study. */
#define tn_cases_source(cases) (&(cases)->file.model->reader->source)

/* The value of a variable at its coordinate: a number of its unit; of a list that of a level, whose number is found too. */
double tn_case_value(const tn_case_variable *variable, double coordinate, uint32_t *level);
/* The coordinate of a value. */
double tn_case_coordinate(const tn_case_variable *variable, double value);

/* ---- a case ------------------------------------------------------------------------------------------------- */

/* The values of a case: per variable a number, or of a list the number of its level. */
void tn_case_values(const tn_cases *cases, const double *point, double *value);
/* The texts "path=value" of these values, in the arena. */
const char *const *tn_case_overrides(const tn_cases *cases, const double *value, tn_arena *arena,
                                     size_t *count);
tn_case_hash tn_case_hash_of(const tn_cases *cases, const double *value);
void tn_hash_print(const tn_case_hash *hash, char text[2 * TN_HASH_SIZE + 1]);
bool tn_hash_read(const char *text, tn_case_hash *hash);
/* Sums of bytes: sha256. hash.c */
typedef struct tn_hashing tn_hashing;
tn_hashing *tn_hash_begin(void);
void tn_hash_add(tn_hashing *hashing, const void *bytes, size_t size);
void tn_hash_add_text(tn_hashing *hashing, const char *text);
bool tn_hash_add_file(tn_hashing *hashing, const char *path);
tn_case_hash tn_hash_end(tn_hashing *hashing);

typedef enum tn_case_status {
    TN_CASE_OK,
    TN_CASE_FAILED,
    TN_CASE_CRASHED,
    TN_CASE_TIMEOUT,
    TN_CASE_MEMORY,
    TN_CASE_LOST,
    TN_CASE_STATUSES
} tn_case_status;
extern const char *const tn_case_status_names[TN_CASE_STATUSES + 1]; /* NULL last */

/* What has come of a case. */
typedef struct tn_case_result {
    uint64_t number;
    tn_case_hash hash;
    tn_case_status status;
    uint32_t attempt;
    const char *reason, *place, *host, *solver; /* texts; "" for none */
    double end_time, wall, cpu, started;        /* s; started: since 1970 */
    uint64_t memory;                            /* bytes */
    const double *response;                     /* [numbers]; NaN: it has none */
} tn_case_result;

/* One that is being run, in memory that two processes share. */
typedef struct tn_case_run tn_case_run;
tn_case_run *tn_case_run_new(const tn_cases *cases);
void tn_case_run_free(tn_case_run *run);
/* Runs the case in a process of its own and waits for it; results are written to `folder` unless it is NULL. False where no process
 * can be started. */
bool tn_case_run_apart(const tn_cases *cases, tn_case_run *run, const double *value, const char *folder,
                       tn_case_result *result);

/* ---- batches and lines -------------------------------------------------------------------------------------- */

/* A case of a batch that is to be run. */
typedef struct tn_batch_case {
    uint64_t number;
    uint32_t attempt, reserved;
} tn_batch_case;

/* Those of a batch: a file in the folder of its job. batch.c */
typedef struct tn_batch_file {
    tn_case_hash base;
    uint64_t count;
    tn_batch_case *list;
    double *value; /* [count][variables] */
} tn_batch_file;
bool tn_batch_write(const char *path, const tn_batch_file *batch, uint32_t variables, const char **reason);
bool tn_batch_read(const char *path, tn_batch_file *batch, uint32_t variables, tn_arena *arena,
                   const char **reason);

/* A line of JSON with a result; lines.c. The texts of one that was read stand in the arena. False: the line is none. */
void tn_case_line_print(tn_text *text, const tn_case_result *result, uint32_t numbers);
bool tn_case_line_read(const char *line, size_t length, uint32_t numbers, tn_arena *arena,
                       tn_case_result *result);

/* A worker: works on the cases that its executor deals to it, and appends their lines in the folder; the exit status. worker.c */
int tn_cases_work(const tn_cases *cases, const char *folder);

#endif
