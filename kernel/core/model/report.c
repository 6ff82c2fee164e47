/* report.c - messages on a model, handed on to its reports */
#include "model/report.h"

#include "model/model.h"

bool tn_model_error(tn_model *model, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    model->reports.collect(model->reports.data, TN_SEVERITY_ERROR, place, format, arguments);
    va_end(arguments);
    return false;
}

void tn_model_warn(tn_model *model, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    model->reports.collect(model->reports.data, TN_SEVERITY_WARNING, place, format, arguments);
    va_end(arguments);
}

void tn_model_tell(const tn_model *model, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    model->reports.tell(model->reports.data, severity, place, format, arguments);
    va_end(arguments);
}

size_t tn_model_errors(const tn_model *model) { return model->reports.errors(model->reports.data); }

tn_place tn_model_key_place(const tn_model *model, const tn_location *at, const char *key)
{
    const bool known = at->node && model->reports.key_place;
    return known ? model->reports.key_place(model->reports.data, at, key) : at->place;
}
