/* reports.c - what the parts of a model report, as messages on its file */
#include "config/plugin_texts.h"
#include "names/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void collect_message(void *data, tn_severity severity, tn_place place, const char *format,
                            va_list arguments)
{
    tn_reader *reader = data;
    if (severity == TN_SEVERITY_ERROR)
        tn_source_report(&reader->source, place, false, format, arguments);
    else
        tn_diagnose_list(reader->diagnostics, severity, place, (tn_error_detail){0}, format, arguments);
}

static void tell_message(void *data, tn_severity severity, tn_place place, const char *format,
                         va_list arguments)
{
    tn_tell_list(((tn_reader *)data)->diagnostics, severity, place, format, arguments);
}

static size_t count_errors(void *data) { return tn_error_count(((tn_reader *)data)->diagnostics); }

static bool error_shows(void *data, tn_place place, const char *beginning)
{
    return tn_error_shows(((tn_reader *)data)->diagnostics, place, beginning);
}

/* An entry of a list, "states.1"; the list itself where it has fewer. */
static const tn_toml *entry_node(const tn_toml *table, const char *key)
{
    const char *dot = strrchr(key, '.');
    if (!dot || !isdigit((unsigned char)dot[1])) return NULL;
    const tn_toml *list = tn_toml_find(table, key, (size_t)(dot - key));
    if (!list || list->kind != TN_TOML_ARRAY) return NULL;
    const size_t number = strtoul(dot + 1, NULL, 10);
    return number < list->count ? list->child[number] : list;
}

static tn_place key_place(void *data, const tn_location *at, const char *key)
{
    (void)data;
    const tn_toml *entry = entry_node(at->node, key);
    const tn_toml *node = entry ? entry : tn_parameter_node(at->node, key);
    return node ? node->place : at->place;
}

static char *meant_types(void *data, const char *kind, const char *name)
{
    return tn_type_hint(((tn_reader *)data)->model->registry, kind, name);
}

static void publish_messages(void *data) { tn_diagnostics_publish(((tn_reader *)data)->diagnostics); }

tn_reports tn_reader_reports(tn_reader *reader)
{
    return (tn_reports){.data = reader,
                        .collect = collect_message,
                        .tell = tell_message,
                        .errors = count_errors,
                        .shows = error_shows,
                        .key_place = key_place,
                        .meant = meant_types,
                        .show = publish_messages};
}
