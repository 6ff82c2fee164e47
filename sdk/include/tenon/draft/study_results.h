/* tenon/draft/study_results.h - what has come of a study: its variables, responses, cases and answers; and study writers, a kind of plugin, which make
 * files of that, such as a page.
 *
 * The study may go on meanwhile: all numbers are those of one moment. Texts are UTF-8, never NULL unless stated, and live until write() returns.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_STUDY_RESULTS_H
#define TENON_DRAFT_STUDY_RESULTS_H

#include "tenon/draft/design.h"

#define TN_STUDY_WRITER_KIND "study_writer"

typedef struct tn_study_variable {
    const char *name, *unit;
    uint32_t levels;          /* values of its list that are texts; 0: its values are numbers */
    uint32_t is_log;          /* 1: its range is spread by logarithms */
    const char *const *level; /* [levels] */
} tn_study_variable;

typedef struct tn_study_response {
    const char *name, *unit;
    uint32_t first, size; /* its numbers among those of a case */
    uint32_t is_data; /* 1: these are differences from measured data, over the standard deviation of each */
    uint32_t limited; /* tn_design_limit */
    double limit;
} tn_study_response;

/* How many cases have a status: "ok", "failed", "crashed", "timeout", "memory", "lost", "waiting". */
typedef struct tn_study_count {
    const char *status;
    uint64_t count;
} tn_study_count;

/* Why cases have not come through; of those that are "ok": what they warn of. */
typedef struct tn_study_reason {
    const char *status, *text;
    uint64_t count, first; /* cases, and the number of the first one */
} tn_study_reason;

/* What the design has found: tn_answer of design.h with names in place of numbers, or a sentence. NULL: none; NaN: none. */
typedef struct tn_study_answer {
    const char *name, *response, *variable, *other, *unit;
    const char *
        text; /* a sentence, where the name is "note" or "warning"; else the value, where that is one of a list */
    double value, low, high;
    int64_t number; /* of a case; -1: none */
} tn_study_answer;

typedef struct tn_study_case {
    uint64_t number;
    const char *status, *reason, *place; /* reason and place: "" for none */
    double effort;                       /* s of processor time; NaN: it has not run */
    const double *value;    /* [variables]; of a list of texts the number of its level; NaN: none */
    const double *response; /* [numbers]; NaN: none */
} tn_study_case;

typedef struct tn_study_results tn_study_results;
struct tn_study_results {
    uint32_t struct_size, reserved;
    void *self;          /* the kernel's own */
    const char *title;   /* name of the study */
    const char *program; /* "tenon 0.1.0" */
    const char
        *text; /* the file of the study as TOML, and of it the table [design]; "" where it cannot be read */
    const char *design; /* "[design]\ntype = ..." */
    const char *
        command; /* for a shell; with a blank and the number of a case behind it prints the model of that case */
    uint64_t cases; /* of all statuses */
    double effort;  /* s of processor time, of all cases */
    uint32_t variables, responses, numbers, statuses, reasons, answers;
    const tn_study_variable *variable;
    const tn_study_response *response;
    const tn_study_count *status;  /* none with a count of 0 */
    const tn_study_reason *reason; /* the most frequent ones */
    const tn_study_answer *answer;
    /* Hands over all cases by ascending numbers, each valid during the call; what take() returns beside TN_OK ends it and is returned. TN_FATAL,
     * after a message, where the results cannot be read. */
    tn_status (*visit)(const tn_study_results *results,
                       tn_status (*take)(void *data, const tn_study_case *one), void *data);
};

typedef struct tn_study_writer_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* [setup] Checks and completes one instance; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Makes one file, whose name has the ending `ending` (".html"), in `folder`, which is empty. The kernel moves it to where it is
     * wanted. TN_FATAL, after a message, where it cannot be written. */
    tn_status (*write)(const tn_host *host, const void *instance, const tn_study_results *results,
                       const char *folder);
    const char *ending;
} tn_study_writer_type;

#define TN_STUDY_WRITER(type_name, ...) TN_DESCRIPTOR(tn_study_writer_type, type_name, __VA_ARGS__)

#endif
