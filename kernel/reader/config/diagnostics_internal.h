/* diagnostics_internal.h - what the files behind diagnostics.h share. */
#ifndef TN_DIAGNOSTICS_INTERNAL_H
#define TN_DIAGNOSTICS_INTERNAL_H

#include "config/diagnostics.h"

/* Messages of each severity, and of one kind: what goes beyond is only counted; bytes of a message. */
enum {
    TN_SEVERITIES = TN_SEVERITY_ERROR + 1,
    TN_LARGEST_COUNT = 100,
    TN_LARGEST_KIND = 10,
    TN_LONGEST_TEXT = 2000, /* of what is collected: it quotes the model */
    TN_LONGEST_TOLD = 10000 /* of what is told, which may name a path or two */
};

/* ---- kinds (diagnostics_kinds.c) ------------------------------------------------------------------------- */

/* Messages that say the same of different things. */
typedef struct tn_message_kind {
    tn_severity severity;
    char *words; /* what they say */
    size_t count;
    size_t last; /* the one that is shown last */
} tn_message_kind;

typedef struct tn_message_kinds {
    tn_message_kind kind[TN_SEVERITIES * TN_LARGEST_COUNT];
    size_t count;
} tn_message_kinds;

/* The kind of messages that begin so, whatever they quote; NULL when there was none. */
const tn_message_kind *tn_message_kind_of(const tn_message_kinds *all, tn_severity severity,
                                          const char *text);
/* The kind of a message, which counts it; NULL without room for a new one. */
tn_message_kind *tn_message_kind_count(tn_message_kinds *all, tn_severity severity, const char *text);
void tn_message_kinds_forget(tn_message_kinds *all);

/* ---- collecting (diagnostics.c) -------------------------------------------------------------------------- */

typedef struct tn_message_entry {
    tn_diagnostic shown;
    size_t file;  /* index in order of first report */
    size_t order; /* of the report, for messages of the same place */
    tn_message_kind *kind;
} tn_message_entry;

struct tn_diagnostics {
    tn_message_entry messages[TN_SEVERITIES * TN_LARGEST_COUNT];
    size_t count;
    const char *files[TN_SEVERITIES * TN_LARGEST_COUNT];
    size_t file_count;
    size_t kept[TN_SEVERITIES], left_out[TN_SEVERITIES]; /* by severity */
    size_t error_count;
    tn_message_kinds collected, told;
    tn_source_text **texts; /* [text_count] */
    size_t text_count;
    /* what was made known */
    tn_diagnostic known[TN_SEVERITIES * TN_LARGEST_COUNT];
    size_t known_count, known_of[TN_SEVERITIES];
    tn_message_listener listener;
};

/* A copy of the text, on one line: control characters in quoted input must not break it, nor a quote of a megabyte fill the
 * screen. */
char *tn_message_text(size_t longest, const char *format, va_list arguments);
/* Fills in what follows from the place and the text: the line that is meant, and the hint. */
void tn_diagnostic_complete(const tn_diagnostics *diagnostics, tn_diagnostic *message, tn_place place,
                            bool inside);
void tn_diagnostic_clear(tn_diagnostic *message);

#endif
