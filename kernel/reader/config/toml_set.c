/* toml_set.c - overrides from the command line: `--set element.spring.stiffness=200`. */
#include "config/toml_internal.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* One override under way, in the tree of the model or of a part; reports go to `file`: `--set path`, or where it is
 * written. */
typedef struct override {
    tn_document *document;
    tn_toml *root;
    tn_diagnostics *diagnostics;
    const char *path, *file;
    tn_place place, key_place; /* of errors; of keys that are added */
} override;

/* Always false. */
static bool report_override(const override *set, const char *text)
{
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, set->place, "%s", text);
    return false;
}

/* True for what can only be a number: names never begin with a digit. */
static bool is_index(const char *name, size_t length, unsigned long *number)
{
    char *end = NULL;
    *number = strtoul(name, &end, 10);
    return name[0] >= '0' && name[0] <= '9' && end == name + length;
}

static void offer_item_names(const tn_toml *array, tn_nearest *search)
{
    for (size_t i = 0; array && array->kind == TN_TOML_ARRAY && i < array->count; i++) {
        const char *name = tn_toml_text(array->child[i], "name");
        if (name) tn_nearest_offer(search, name);
    }
}

/* The item of an array with this name, or number. */
static tn_toml *find_item(const override *set, const tn_toml *array, const char *name, size_t parent_length)
{
    unsigned long number = 0;
    if (is_index(name, strlen(name), &number) && number < array->count) return array->child[number];
    tn_toml *item = tn_document_item(set->document, array, name);
    if (item) return item;
    tn_nearest search;
    tn_nearest_start(&search, name);
    const bool shows = tn_error_shows(set->diagnostics, set->place, "\"\" has no item named \"\"");
    if (shows) offer_item_names(array, &search);
    /* element.NAME may name a part, too */
    if (shows && !memchr(set->path, '.', parent_length))
        offer_item_names(tn_toml_get(set->root, "part"), &search);
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, set->place, "\"%.*s\" has no item named \"%s\"%s%s%s",
                (int)parent_length, set->path, name, search.best ? ": did you mean \"" : "",
                search.best ? search.best : "", search.best ? "\"?" : "");
    return NULL;
}

/* Appends a value or puts it in the place of the one with the same key, which keeps the place of its key; in an array the key
 * is an index that is there. */
static void put_value(const override *set, tn_toml *table, const char *key, tn_toml *value)
{
    if (strcmp(key, "name") == 0) tn_document_forget_items(set->document);
    if (table->kind == TN_TOML_ARRAY) {
        value->key = NULL;
        table->child[strtoul(key, NULL, 10)] = value;
        return;
    }
    const tn_toml *known = tn_toml_get(table, key);
    value->key = known ? known->key : key;
    value->key_place = known ? known->key_place : set->key_place;
    tn_toml_put(set->document, table, value);
}

/* The value of a key; a table is made where there is none: whether the key is known is found out later. */
static tn_toml *find_key(const override *set, tn_toml *table, const char *key)
{
    tn_toml *value = tn_toml_get(table, key);
    if (value) return value;
    value = tn_toml_new(&set->document->arena, (tn_toml){.kind = TN_TOML_TABLE, .place = set->key_place});
    put_value(set, table, key, value);
    return value;
}

/* The table that holds the last key of the path, or the array that holds the number of that index. `parts` is a copy of the
 * path that gets cut into words. */
static tn_toml *find_table(const override *set, char *parts, const char **last)
{
    static tn_toml no_items = {.kind = TN_TOML_ARRAY};
    tn_toml *at = set->root;
    char *word = parts;
    for (char *dot; (dot = strchr(word, '.')); word = dot + 1) {
        *dot = '\0';
        const bool below_part = strcmp(word, "part") == 0 || tn_toml_get(set->root, "part");
        if (at == set->root && below_part && !tn_toml_get(at, word) && strchr(dot + 1, '.'))
            at = &no_items; /* something in a part that is not there */
        else if (at->kind == TN_TOML_TABLE)
            at = find_key(set, at, word);
        else if (at->kind == TN_TOML_ARRAY)
            at = find_item(set, at, word, (size_t)(word - parts) - 1);
        else
            break;
        if (!at) return NULL;
    }
    *last = word;
    unsigned long number = 0;
    const bool chosen = at->kind == TN_TOML_ARRAY && is_index(word, strlen(word), &number);
    if (at->kind == TN_TOML_TABLE ||
        (chosen && number < at->count && at->child[number]->kind != TN_TOML_TABLE))
        return at;

    const char *what = chosen && number >= at->count ? "has no number of this index: they are counted from 0"
                       : at->kind == TN_TOML_ARRAY
                           ? "is an array: an item is chosen by its name or number, and a key must follow"
                           : "has no keys: it is neither a table nor an array of tables";
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, set->place, "\"%.*s\" %s", (int)(word - parts) - 1,
                set->path, what);
    return NULL;
}

/* Values are parsed behind `v = `: takes these four columns out of the places on the first line. */
static void shift_places(tn_toml *value)
{
    const uint32_t prefix = 4;
    if (value->place.line == 1) value->place.column -= prefix;
    for (size_t i = 0; i < value->count; i++) {
        tn_toml *child = value->child[i];
        if (child->key && child->key_place.line == 1) child->key_place.column -= prefix;
        shift_places(child);
    }
}

/* The value as TOML, or NULL where it is not exactly one TOML value. */
static tn_toml *parse_value(const override *set, const char *value)
{
    const char *text = tn_arena_print(&set->document->arena, "v = %s", value);
    tn_text_failure failure;
    tn_toml *parsed = tn_toml_parse(text, strlen(text), set->file, &set->document->arena, &failure);
    if (!parsed || parsed->count != 1 || strcmp(parsed->child[0]->key, "v") != 0) return NULL;
    shift_places(parsed->child[0]);
    return parsed->child[0];
}

/* Makes known what places in `file` refer to. */
static void show_text(tn_document *document, const char *file, const char *text, bool plain,
                      tn_diagnostics *diagnostics)
{
    char *letters = tn_copy_text(text);
    tn_document_add_source(document, tn_source_text_new(file, letters, strlen(letters), plain), NULL,
                           diagnostics);
}

/* A string that is all of the text that places refer to. */
static tn_toml *new_string(const override *set, const char *text)
{
    const size_t length = strlen(text);
    return tn_toml_new(&set->document->arena, (tn_toml){.kind = TN_TOML_STRING,
                                                        .place = {set->file, 1, 1},
                                                        .text = tn_document_text(set->document, text, length),
                                                        .length = length});
}

/* The value as TOML, else as a string of its own. */
static tn_toml *read_given_value(const override *set, const char *value)
{
    tn_toml *parsed = parse_value(set, value);
    show_text(set->document, set->file, value, parsed == NULL, set->diagnostics);
    return parsed ? parsed : new_string(set, value);
}

/* ---- parts ----------------------------------------------------------------------------------------------- */

/* The table of a [[part]] by its name, or its number if that will do; NULL without one. `name` ends at `length`. */
static tn_toml *find_part_table(const override *set, const char *name, size_t length, bool by_number)
{
    const tn_toml *parts = tn_toml_get(set->root, "part");
    unsigned long number = 0;
    if (!parts || parts->kind != TN_TOML_ARRAY) return NULL;
    if (by_number && is_index(name, length, &number) && number < parts->count) return parts->child[number];
    for (size_t k = 0; k < parts->count; k++) {
        const char *own_name = tn_toml_text(parts->child[k], "name");
        if (own_name && strncmp(own_name, name, length) == 0 && !own_name[length]) return parts->child[k];
    }
    return NULL;
}

/* Whether a path begins with this word. */
static bool begins_with_word(const char *path, const char *word)
{
    const size_t length = strcspn(path, ".");
    return strncmp(path, word, length) == 0 && !word[length];
}

/* True when a path leads into the file of a part: part.NAME.element.spring.stiffness, or element.NAME.spring.stiffness.
 * `inner` is then the path there. What the [[part]] table itself says is no such thing. */
static bool leads_into_part(const override *set, tn_toml **part, const char **inner)
{
    static const char *const own[] = {"name", "file", "parameters", "position", "rotation", "set"};
    const char *dot = strchr(set->path, '.'), *end = dot ? strchr(dot + 1, '.') : NULL;
    if (!end) return false;
    const bool says_part = begins_with_word(set->path, "part");
    *part = find_part_table(set, dot + 1, (size_t)(end - dot - 1), says_part);
    if (!*part || (*part)->kind != TN_TOML_TABLE) return false;
    if (says_part) {
        *inner = end + 1;
        if (!strchr(*inner, '.')) return false;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (begins_with_word(*inner, own[k])) return false;
        return true;
    }
    /* element.NAME.rest becomes element.rest there */
    const size_t first = (size_t)(dot - set->path);
    const tn_toml *items = tn_toml_find(set->root, set->path, first);
    if ((items && items->kind != TN_TOML_ARRAY) || !strchr(end + 1, '.')) return false;
    *inner = tn_arena_print(&set->document->arena, "%.*s.%s", (int)first, set->path, end + 1);
    return true;
}

static bool is_utf8(const char *text) { return tn_text_valid_utf8(text, strlen(text)) == strlen(text); }

/* A path is words with single dots between them. */
static bool is_dotted_path(const char *path)
{
    const size_t length = strlen(path);
    return length > 0 && path[0] != '.' && path[length - 1] != '.' && !strstr(path, "..") && is_utf8(path);
}

/* False after reporting a path to what has been used up before it is set. */
static bool comes_in_time(const override *set)
{
    return !begins_with_word(set->path, "include") ||
           report_override(set, "[include] has been read already: change it in the file");
}

/* Puts the value at the path; into the file of a part by its [[part]] table. The value, read as TOML when it is known where it goes, is
 * `text`, or `node`. */
static bool apply_override(const override *set, const char *text, tn_toml *node)
{
    tn_toml *table = NULL;
    const char *key = NULL;
    if (!leads_into_part(set, &table, &key))
        table = find_table(set, tn_arena_text(&set->document->arena, set->path, strlen(set->path)), &key);
    else if ((table = find_key(set, table, "set"))->kind != TN_TOML_TABLE)
        return true; /* which is reported when the part is read */
    if (table) put_value(set, table, key, text ? read_given_value(set, text) : node);
    return table;
}

/* The path with `.2` for `[2]`. */
static const char *without_brackets(tn_document *document, const char *path)
{
    char *plain = tn_arena_text(&document->arena, path, strlen(path)), *to = plain;
    for (const char *c = path; *c; c++) {
        const size_t digits = *c == '[' ? strspn(c + 1, "0123456789") : 0;
        const bool index = digits && c[digits + 1] == ']' &&
                           (c[digits + 2] == '.' || c[digits + 2] == '[' || !c[digits + 2]);
        *to++ = index ? '.' : *c;
        if (!index) continue;
        memcpy(to, c + 1, digits);
        to += digits;
        c += digits + 1;
    }
    *to = '\0';
    return plain;
}

bool tn_document_set(tn_document *document, const char *path, const char *value, tn_diagnostics *diagnostics)
{
    /* values and keys have the same name for a place, but not the same text */
    const char *file = tn_arena_print(&document->arena, "--set %s", path);
    const char *key_file = tn_arena_text(&document->arena, file, strlen(file));
    const override set = {document, document->root, diagnostics,     without_brackets(document, path),
                          file,     {file, 0, 0},   {key_file, 1, 1}};
    show_text(document, key_file, path, true, diagnostics);
    if (!is_dotted_path(path))
        return report_override(&set, "a path is needed, such as parameters.k or element.NAME.key");
    if (!is_utf8(value)) return report_override(&set, "the value is not UTF-8 text");
    return comes_in_time(&set) && apply_override(&set, value, NULL);
}

bool tn_document_put(tn_document *document, tn_toml *root, const tn_toml *value, tn_diagnostics *diagnostics)
{
    const tn_place place = value->key_place;
    const char *path = without_brackets(document, value->key);
    const override set = {document, root, diagnostics, path, place.file, place, place};
    tn_toml *copy = tn_toml_new(&document->arena, *value);
    copy->capacity = 0; /* what is added to it is not for the original */
    if (!is_dotted_path(value->key) || !strchr(value->key, '.'))
        return report_override(&set, "a path in quotes is needed, such as \"element.NAME.key\" = 200");
    return comes_in_time(&set) && apply_override(&set, NULL, copy);
}

/* ---- tables ----------------------------------------------------------------------------------------------- */

bool tn_document_add_table(tn_document *document, const char *array, const char *const *keys_and_strings,
                           const char *file, tn_diagnostics *diagnostics)
{
    const override set = {.document = document,
                          .file = tn_document_text(document, file, strlen(file)),
                          .key_place = {tn_document_text(document, file, strlen(file)), 0, 0}};
    tn_toml *items = tn_toml_get(document->root, array);
    tn_toml *table = tn_toml_new(&document->arena, (tn_toml){.kind = TN_TOML_TABLE, .place = set.key_place});
    if (!items) {
        items = find_key(&set, document->root, tn_document_text(document, array, strlen(array)));
        items->kind = TN_TOML_ARRAY;
    }
    if (items->kind != TN_TOML_ARRAY) {
        tn_diagnose(diagnostics, TN_SEVERITY_ERROR, items->place, "[[%s]] is an array of tables", array);
        return false;
    }
    for (; *keys_and_strings; keys_and_strings += 2) {
        const char *key = *keys_and_strings, *text = keys_and_strings[1];
        if (!keys_and_strings[2]) show_text(document, set.file, text, true, diagnostics);
        put_value(&set, table, tn_document_text(document, key, strlen(key)), new_string(&set, text));
    }
    tn_toml_append(document, items, &(tn_toml){.child = &table, .count = 1});
    return true;
}
