/* json.c - descriptions as JSON: an array of types. Titles are keys, with _ for each space. */
#include "describe/describe.h"

#include <math.h>
#include <string.h>

typedef struct key_text {
    char text[64];
} key_text;

static key_text key_of(const char *title)
{
    key_text key;
    (void)snprintf(key.text, sizeof key.text, "%s", title);
    for (char *space; (space = strchr(key.text, ' '));)
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
    tn_json *json = &page->json;
    const tn_library *library = page->file->library;
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "kind", page->kind->key);
    tn_json_text(json, "name", page->type.name);
    tn_json_text(json, "summary", page->type.summary);
    tn_json_open(json, "library", '{');
    tn_json_text(json, "name", library->name);
    tn_json_text(json, "version", library->version);
    tn_json_text(json, "licence", library->licence);
    tn_json_text(json, "file", page->file->path);
    tn_json_close(json);
}

static void print_text(tn_page *page, const char *title, const char *text)
{
    tn_json_text(&page->json, key_of(title).text, text);
}

static void print_list(tn_page *page, const char *title)
{
    tn_json_open(&page->json, key_of(title).text, '[');
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

static void print_choices(tn_json *json, const char *words)
{
    size_t length = 0;
    tn_json_open(json, "choices", '[');
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
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "name", parameter->name);
    tn_json_text(json, "meaning", parameter->meaning);
    tn_json_text(json, "unit", parameter->unit);
    tn_json_text(json, "kind", kinds[parameter->kind]);
    tn_json_number(json, "count", parameter->count);
    if (parameter->count_alternative) tn_json_number(json, "count_alternative", parameter->count_alternative);
    tn_json_boolean(json, "required", parameter->flags & TN_REQUIRED);
    tn_json_boolean(json, "optional", !(parameter->flags & TN_REQUIRED) && !tn_has_default(parameter));
    if (tn_has_default(parameter)) tn_json_default(json, "default", parameter);
    print_range(json, parameter);
    if (parameter->kind == TN_KIND_CHOICE) print_choices(json, parameter->detail);
    if (parameter->kind == TN_KIND_CALLABLE) print_arguments(json, parameter->detail);
    if (parameter->kind == TN_KIND_TEXT && parameter->detail)
        tn_json_text(json, "names_type_of_kind", parameter->detail);
    tn_json_boolean(json, "dynamic", parameter->flags & TN_DYNAMIC);
    tn_json_boolean(json, "changeable", parameter->flags & TN_CHANGEABLE);
    tn_json_boolean(json, "moves", parameter->flags & TN_MOVES);
    tn_json_boolean(json, "turns", parameter->flags & TN_TURNS);
    tn_json_boolean(json, "symmetric", parameter->flags & TN_SYMMETRIC);
    tn_json_close(json);
}

static void print_port(tn_page *page, const tn_port *port)
{
    tn_json *json = &page->json;
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "name", port->name);
    tn_json_text(json, "meaning", port->meaning);
    tn_json_text(json, "kind", tn_marker_word(port->kind));
    tn_json_number(json, "minimum", port->minimum);
    if (port->maximum != UINT32_MAX) tn_json_number(json, "maximum", port->maximum);
    tn_json_close(json);
}

static void print_output(tn_page *page, const tn_output *output)
{
    tn_json *json = &page->json;
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "name", output->name);
    tn_json_text(json, "meaning", output->meaning);
    tn_json_text(json, "unit", output->unit);
    tn_json_number(json, "size", output->size);
    tn_json_close(json);
}

static void print_coordinate(tn_page *page, const tn_output *coordinate)
{
    tn_json *json = &page->json;
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "name", coordinate->name);
    tn_json_text(json, "meaning", coordinate->meaning);
    tn_json_text(json, "unit", coordinate->unit);
    tn_json_close(json);
}

static void close_innermost(tn_page *page) { tn_json_close(&page->json); }

const tn_printer tn_json_printer = {.start = print_start,
                                    .head = print_head,
                                    .fact = print_text,
                                    .section = print_text,
                                    .list = print_list,
                                    .parameter = print_parameter,
                                    .port = print_port,
                                    .output = print_output,
                                    .coordinate = print_coordinate,
                                    .list_end = close_innermost,
                                    .foot = close_innermost,
                                    .end = close_innermost};
