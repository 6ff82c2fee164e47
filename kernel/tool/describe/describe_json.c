/* describe_json.c - descriptions as JSON: an array of types. Titles are keys, with _ for each space. */
#include "describe/describe.h"

#include <math.h>
#include <string.h>

/* The title as a key. */
static const char *key_of(char key[64], const char *title)
{
    (void)snprintf(key, 64, "%s", title);
    for (char *space; (space = strchr(key, ' '));)
        *space = '_';
    return key;
}

static void print_start(tn_page *page)
{
    page->json = (tn_json){.stream = page->stream};
    tn_json_open(&page->json, NULL, '[');
}

static void print_head(tn_page *page)
{
    const tn_library *library = page->file->library;
    tn_json_print(&page->json,
                  "{'kind': %s, 'name': %s, 'summary': %s,"
                  "'library': {'name': %s, 'version': %s, 'licence': %s, 'file': %s}",
                  page->kind->key, page->type.name, page->type.summary, library->name, library->version,
                  library->licence, page->file->path);
}

static void print_titled_text(tn_page *page, const char *title, const char *text)
{
    char key[64];
    tn_json_text(&page->json, key_of(key, title), text);
}

static void print_list(tn_page *page, const char *title)
{
    char key[64];
    tn_json_open(&page->json, key_of(key, title), '[');
}

void tn_json_default(tn_json *json, const char *key, const tn_parameter *parameter)
{
    size_t length = 0, index = 0;
    switch (parameter->kind) {
    case TN_KIND_ROTATION:
        tn_json_text(json, key, "identity");
        break;
    case TN_KIND_BOOLEAN:
        tn_json_boolean(json, key, parameter->standard != 0.0);
        break;
    case TN_KIND_CHOICE:
        for (const char *word = tn_first_word(parameter->detail, &length); word;
             word = tn_next_word(word, &length))
            if (index++ == (size_t)parameter->standard) tn_json_text_part(json, key, word, length);
        break;
    default:
        tn_json_number(json, key, parameter->standard);
    }
}

static void print_range(tn_json *json, const tn_parameter *parameter)
{
    if (parameter->kind != TN_KIND_REAL && parameter->kind != TN_KIND_INTEGER) return;
    if (isfinite(parameter->low)) {
        tn_json_number(json, "low", parameter->low);
        tn_json_boolean(json, "low_excluded", parameter->flags & TN_ABOVE_LOW);
    }
    if (isfinite(parameter->high)) {
        tn_json_number(json, "high", parameter->high);
        tn_json_boolean(json, "high_excluded", parameter->flags & TN_BELOW_HIGH);
    }
}

void tn_json_choices(tn_json *json, const char *key, const char *words)
{
    size_t length = 0;
    tn_json_open(json, key, '[');
    for (const char *word = tn_first_word(words, &length); word; word = tn_next_word(word, &length))
        tn_json_text_part(json, NULL, word, length);
    tn_json_close(json);
}

/* "name [unit], name, ..." */
static void print_arguments(tn_json *json, const char *text)
{
    tn_json_open(json, "arguments", '[');
    while (*(text += strspn(text, ", "))) {
        const size_t length = strcspn(text, ","), name = strcspn(text, " [,"), open = strcspn(text, "[,");
        tn_json_open(json, NULL, '{');
        tn_json_text_part(json, "name", text, name);
        if (open < length)
            tn_json_text_part(json, "unit", text + open + 1, strcspn(text + open + 1, "]"));
        else
            tn_json_text(json, "unit", "");
        tn_json_close(json);
        text += length;
    }
    tn_json_close(json);
}

static void print_parameter(tn_page *page, const tn_parameter *parameter)
{
    static const char *const kinds[] = {
        [TN_KIND_REAL] = "real",         [TN_KIND_ROTATION] = "rotation", [TN_KIND_INTEGER] = "integer",
        [TN_KIND_BOOLEAN] = "boolean",   [TN_KIND_CHOICE] = "choice",     [TN_KIND_TEXT] = "text",
        [TN_KIND_CALLABLE] = "function", [TN_KIND_LIST] = "list",         [TN_KIND_FILE] = "file",
        [TN_KIND_TEXTS] = "texts"};
    tn_json *json = &page->json;
    tn_json_print(json, "{'name': %s, 'meaning': %s, 'unit': %s, 'kind': %s, 'count': %u", parameter->name,
                  parameter->meaning, parameter->unit, kinds[parameter->kind], parameter->count);
    if (parameter->count_alternative) tn_json_number(json, "count_alternative", parameter->count_alternative);
    tn_json_boolean(json, "required", parameter->flags & TN_REQUIRED);
    tn_json_boolean(json, "optional", !(parameter->flags & TN_REQUIRED) && !tn_has_default(parameter));
    if (tn_has_default(parameter)) tn_json_default(json, "default", parameter);
    print_range(json, parameter);
    if (parameter->kind == TN_KIND_CHOICE) tn_json_choices(json, "choices", parameter->detail);
    if (parameter->kind == TN_KIND_CALLABLE) print_arguments(json, parameter->detail);
    if (parameter->kind == TN_KIND_TEXT && parameter->detail)
        tn_json_text(json, "names_type_of_kind", parameter->detail);
    tn_json_boolean(json, "dynamic", parameter->flags & TN_DYNAMIC);
    tn_json_boolean(json, "changeable", parameter->flags & TN_CHANGEABLE);
    tn_json_boolean(json, "moves", parameter->flags & TN_MOVES);
    tn_json_boolean(json, "turns", parameter->flags & TN_TURNS);
    tn_json_boolean(json, "symmetric", parameter->flags & TN_SYMMETRIC);
    tn_json_boolean(json, "code", parameter->flags & TN_CODE);
    tn_json_close(json);
}

static void print_port(tn_page *page, const tn_port *port)
{
    tn_json_print(&page->json, "{'name': %s, 'meaning': %s, 'kind': %s, 'minimum': %u", port->name,
                  port->meaning, tn_marker_word(port->kind), port->minimum);
    if (port->maximum != UINT32_MAX) tn_json_number(&page->json, "maximum", port->maximum);
    if (port->points_from) tn_json_number(&page->json, "points_from", port->points_from);
    tn_json_close(&page->json);
}

static void print_output(tn_page *page, const tn_output *output, bool is_coordinate)
{
    tn_json_print(&page->json, "{'name': %s, 'meaning': %s, 'unit': %s", output->name, output->meaning,
                  output->unit);
    if (!is_coordinate) tn_json_number(&page->json, "size", output->size);
    tn_json_close(&page->json);
}

static void close_innermost(tn_page *page) { tn_json_close(&page->json); }

const tn_printer tn_json_printer = {.start = print_start,
                                    .head = print_head,
                                    .fact = print_titled_text,
                                    .section = print_titled_text,
                                    .list = print_list,
                                    .parameter = print_parameter,
                                    .port = print_port,
                                    .output = print_output,
                                    .list_end = close_innermost,
                                    .foot = close_innermost,
                                    .end = close_innermost};
