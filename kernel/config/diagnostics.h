/* diagnostics.h - errors and warnings of a model, collected and printed sorted by place; notes and warnings of a run. */
#ifndef TN_DIAGNOSTICS_H
#define TN_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A place in a file, counted from 1; `file` must outlive the diagnostics. line 0: the file as a whole. */
typedef struct tn_place {
    const char *file;
    uint32_t line, column;
} tn_place;

typedef enum tn_severity { TN_SEVERITY_NOTE, TN_SEVERITY_WARNING, TN_SEVERITY_ERROR } tn_severity;

typedef struct tn_diagnostics tn_diagnostics;

tn_diagnostics *tn_diagnostics_new(void);
void tn_diagnostics_free(tn_diagnostics *diagnostics);

/* Adds one line. The text is copied; identical repeats of place and text are dropped. Past 10 messages that say the same of
 * different things, and past 100 of a severity, only the count grows. */
void tn_diagnose(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Likewise for an error in one of many copies of a text ("with i = 3", "in part `left`"; NULL: there is only one): a
 * place keeps the first one, with its copy behind the text and a word about others. */
void tn_diagnose_copy(tn_diagnostics *diagnostics, tn_place place, const char *copy, const char *format,
                      va_list arguments);
/* False when one more error in a copy at this place, or one more that says this (its beginning, with any quoted words; NULL:
 * whatever it says), would only be counted: no need to work out the rest. */
bool tn_error_shows(const tn_diagnostics *diagnostics, tn_place place, const char *text);

size_t tn_error_count(const tn_diagnostics *diagnostics);

/* Prints `path:line:column: error: text` lines sorted by file (in order of first report), line and column,
 * then forgets them (the error count stays). */
void tn_diagnostics_print(tn_diagnostics *diagnostics, FILE *stream);

/* Prints one line on standard error at once; past 10 that say the same of different things only their count grows, which
 * tn_tell_rest prints in the end. Notes are not printed when all is to be quiet. */
void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tn_tell_rest(tn_diagnostics *diagnostics);
void tn_diagnostics_quiet(tn_diagnostics *diagnostics, bool quiet);

/* The lines of a severity that have been told or printed so far, up to 100; ends with NULL. */
const char *const *tn_told(const tn_diagnostics *diagnostics, tn_severity severity);

#endif
