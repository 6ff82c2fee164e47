/* report.h - messages on a model, to the reader or program that builds it
 *
 * The model's parts call these with the place that an item was given with. A reader of model files collects what it hears, with
 * the text around; a program that builds a model by calls may count errors and keep the first. */
#ifndef TN_REPORT_H
#define TN_REPORT_H

#include "base/place.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct tn_model tn_model;

/* The receiver of messages. */
typedef struct tn_reports {
    void *data;
    /* A message on the model itself, while it is built. */
    void (*collect)(void *data, tn_severity severity, tn_place place, const char *format, va_list arguments);
    /* A message on a state of the model, or on what was done with it: at once. */
    void (*tell)(void *data, tn_severity severity, tn_place place, const char *format, va_list arguments);
    /* The number of errors so far. */
    size_t (*errors)(void *data);
    /* False when one more error at this place that begins so would only be counted; NULL: all are shown. */
    bool (*shows)(void *data, tn_place place, const char *beginning);
    /* The place of a key in what stands at a location whose node is not NULL; of that as a whole without such a key. NULL: there are
     * no such locations. */
    tn_place (*key_place)(void *data, const tn_location *at, const char *key);
    /* What to say of a type that is not there, "did you mean `a` or `b`?" say, malloc'd; NULL: nothing. May be NULL. */
    char *(*meant)(void *data, const char *kind, const char *name);
    /* Shows what was collected so far. NULL: the receiver does so by itself. */
    void (*show)(void *data);
} tn_reports;

/* Returns false. */
bool tn_model_error(tn_model *model, tn_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tn_model_warn(tn_model *model, tn_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tn_model_tell(const tn_model *model, tn_severity severity, tn_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
size_t tn_model_errors(const tn_model *model);
/* The place of `key` in what stands there, or that place itself. */
tn_place tn_model_key_place(const tn_model *model, const tn_location *at, const char *key);

#endif
