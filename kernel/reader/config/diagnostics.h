/* diagnostics.h - errors and warnings of a model, collected and sorted by place; notes and warnings of a run.
 *
 * Whatever reads a model collects messages, whatever runs it tells them at once. Nothing here prints by itself: messages are kept,
 * and handed to the listener that a program has registered. */
#ifndef TN_DIAGNOSTICS_H
#define TN_DIAGNOSTICS_H

#include "base/place.h"
#include "config/excerpt.h"

#include <tenon/draft/stepping.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One message, as it is shown; texts belong to the diagnostics. */
typedef struct tn_diagnostic {
    tn_severity severity;
    const char *file;      /* "": it is about none */
    uint32_t line, column; /* line 0: about the file as a whole */
    /* behind the last letter that is meant; line 0 where the text is not known */
    uint32_t end_line, end_column;
    char *text;
    char *hint;     /* the name that was probably meant, or NULL */
    char *copy;     /* in which of the copies of a repeated text, or in which part; or NULL */
    bool in_others; /* other copies have an error there, too */
    tn_excerpt excerpt;
} tn_diagnostic;

typedef struct tn_diagnostics tn_diagnostics;

tn_diagnostics *tn_diagnostics_new(void);

/* Makes a text known that places refer to: messages show the line that they are about. */
void tn_diagnostics_show_text(tn_diagnostics *diagnostics, tn_source_text *text);

/* ---- collecting ------------------------------------------------------------------------------------------ */

/* Adds one line. The text is copied; identical repeats of place and text are dropped. Past 10 messages that say the same of
 * different things, and past 100 of a severity, only the count grows. */
void tn_diagnose(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What else is known of an error. */
typedef struct tn_error_detail {
    /* in which of many copies of a text ("with i = 3", "in part `left`"); NULL: there is only one */
    const char *copy;
    /* the place is that of a part of an expression, also where the whole of it begins there, too */
    bool inside;
} tn_error_detail;

/* Likewise with what else is known: of several copies of a text a place keeps the first error, with its copy behind the text and
 * a word about others. */
void tn_diagnose_list(tn_diagnostics *diagnostics, tn_severity severity, tn_place place,
                      tn_error_detail detail, const char *format, va_list arguments);
/* False when one more error in a copy at this place, or one more that says this (its beginning, with any quoted words; NULL:
 * whatever it says), would only be counted: no need to work out the rest. */
bool tn_error_shows(const tn_diagnostics *diagnostics, tn_place place, const char *text);

size_t tn_error_count(const tn_diagnostics *diagnostics);

/* ---- making known (diagnostics_tell.c) -------------------------------------------------------------------- */

/* Whoever hears messages when they are made known: a program that prints them, say. */
typedef struct tn_message_listener {
    void *data;
    void (*hear)(void *data, const tn_diagnostic *message); /* NULL: nobody hears */
    /* There are `more` messages than those that were heard, as `text` says. */
    void (*count)(void *data, tn_severity severity, size_t more, const char *text);
} tn_message_listener;

void tn_diagnostics_listen(tn_diagnostics *diagnostics, tn_message_listener listener);

/* Makes the collected messages known, sorted by file (in the order of the first report), line and column, and collects anew; the error
 * count stays. */
void tn_diagnostics_publish(tn_diagnostics *diagnostics);

/* Makes one message known at once; past 10 that say the same of different things only their count grows, which tn_tell_rest makes
 * known in the end. */
void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tn_tell_list(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format,
                  va_list arguments);
void tn_tell_rest(tn_diagnostics *diagnostics);

/* The messages that have been made known so far, up to 100 of each severity: their number; one of them. */
size_t tn_told_count(const tn_diagnostics *diagnostics);
const tn_diagnostic *tn_told(const tn_diagnostics *diagnostics, size_t number);

/* Those messages, and what is counted of others (diagnostics_state.c). */
void tn_diagnostics_list_state(tn_diagnostics *diagnostics, tn_state_visitor *visitor);

/* ---- printing (diagnostics_print.c) ---------------------------------------------------------------------- */

/* Where messages go that a listener prints: `path:line:column: error: text` with the line that is meant, or objects of JSON. */
typedef struct tn_message_printer {
    FILE *stream;
    bool json, quiet; /* quiet: no notes */
} tn_message_printer;

tn_message_listener tn_message_printer_listener(const tn_message_printer *printer);

/* "path:line:column: error: text", to be freed. */
char *tn_diagnostic_line(const tn_diagnostic *message);
extern const char *const tn_severity_names[];

#endif
