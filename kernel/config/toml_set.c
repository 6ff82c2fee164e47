/* toml_set.c - overrides from the command line: `--set element.spring.stiffness=200`. */
#include "config/toml_internal.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* One override under way; reports go to the pseudo-file `--set path`. */
typedef struct override {
    tn_document *document;
    tn_diagnostics *diagnostics;
    const char *path, *file;
} override;

/* Always false. */
static bool report(const override *set, const char *text)
{
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, (tn_place){set->file, 0, 0}, "%s", text);
    return false;
}

/* Reports that `wanted` is not in what the first `parent_length` bytes of the path lead to. */
static void report_missing(const override *set, const char *what, const char *wanted, size_t parent_length,
                           const tn_nearest *search)
{
    char place[256] = "the model", hint[256] = "";
    if (parent_length) snprintf(place, sizeof place, "\"%.*s\"", (int)parent_length, set->path);
    if (search->best) snprintf(hint, sizeof hint, "; did you mean \"%s\"?", search->best);
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, (tn_place){set->file, 0, 0}, "%s has no %s \"%s\"%s",
                place, what, wanted, hint);
}

static bool has_kind(const tn_toml *value, tn_toml_kind kind) { return value && value->kind == kind; }

/* The item of an array of tables with this name. */
static tn_toml *find_item(const override *set, const tn_toml *array, const char *name, size_t parent_length)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (size_t i = 0; i < array->count; i++) {
        const tn_toml *own_name = tn_toml_get(array->child[i], "name");
        if (!has_kind(own_name, TN_TOML_STRING)) continue;
        if (strcmp(own_name->text, name) == 0) return array->child[i];
        tn_nearest_offer(&search, own_name->text);
    }
    report_missing(set, "item named", name, parent_length, &search);
    return NULL;
}

/* Appends a value or puts it in the place of the one with the same key, which keeps the place of its key. */
static bool put(const override *set, tn_toml *table, const char *key, tn_toml *value)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->child[i]->key, key) != 0) continue;
        value->key = table->child[i]->key;
        value->key_place = table->child[i]->key_place;
        table->child[i] = value;
        return true;
    }
    tn_toml **child = tn_arena_new(&set->document->arena, (table->count + 1) * sizeof *child);
    if (!child) return false;
    if (table->count) memcpy(child, table->child, table->count * sizeof *child);
    value->key = key;
    value->key_place = (tn_place){set->file, 1, 1};
    child[table->count] = value;
    table->child = child;
    table->count++;
    return true;
}

/* The tables that a model may do without are made when they are asked for. */
static tn_toml *add_optional_table(const override *set, const char *key)
{
    tn_toml *table = tn_arena_new(&set->document->arena, sizeof *table);
    if (!table) return NULL;
    table->kind = TN_TOML_TABLE;
    table->place = (tn_place){set->file, 1, 1};
    return put(set, set->document->root, key, table) ? table : NULL;
}

static tn_toml *find_key(const override *set, const tn_toml *table, const char *key, size_t parent_length)
{
    tn_toml *value = tn_toml_get(table, key);
    if (value) return value;
    if (table == set->document->root && (strcmp(key, "parameters") == 0 || strcmp(key, "output") == 0)) {
        value = add_optional_table(set, key);
        if (!value) report(set, "out of memory");
        return value;
    }
    tn_nearest search;
    tn_nearest_start(&search, key);
    for (size_t i = 0; i < table->count; i++)
        tn_nearest_offer(&search, table->child[i]->key);
    report_missing(set, "key", key, parent_length, &search);
    return NULL;
}

/* The table that holds the last key of the path. `parts` is a copy of the path that gets cut into words. */
static tn_toml *find_table(const override *set, char *parts, const char **last)
{
    tn_toml *at = set->document->root;
    char *word = parts;
    for (char *dot; (dot = strchr(word, '.')); word = dot + 1) {
        *dot = '\0';
        const size_t parent_length = word == parts ? 0 : (size_t)(word - parts) - 1;
        if (at->kind == TN_TOML_TABLE)
            at = find_key(set, at, word, parent_length);
        else if (at->kind == TN_TOML_ARRAY)
            at = find_item(set, at, word, parent_length);
        else
            break;
        if (!at) return NULL;
    }
    *last = word;
    if (at->kind == TN_TOML_TABLE) return at;

    const char *what = at->kind == TN_TOML_ARRAY
                           ? "is an array: an item is chosen by its name, and a key must follow"
                           : "has no keys: it is neither a table nor an array of tables";
    tn_diagnose(set->diagnostics, TN_SEVERITY_ERROR, (tn_place){set->file, 0, 0}, "\"%.*s\" %s",
                (int)(word - parts) - 1, set->path, what);
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
    const size_t size = strlen(value) + sizeof "v = ";
    char *text = tn_arena_new(&set->document->arena, size);
    if (!text) return NULL;
    const int length = snprintf(text, size, "v = %s", value);
    tn_toml_failure failure;
    tn_toml *parsed = tn_toml_parse(text, (size_t)length, set->file, &set->document->arena, &failure);
    if (!parsed || parsed->count != 1 || strcmp(parsed->child[0]->key, "v") != 0) return NULL;
    shift_places(parsed->child[0]);
    return parsed->child[0];
}

/* The value as TOML, else as a string of its own; NULL without memory. */
static tn_toml *read_value(const override *set, const char *value)
{
    tn_arena *arena = &set->document->arena;
    const size_t length = strlen(value);
    const char *text = tn_arena_text(arena, value, length);
    if (!text) return NULL;
    tn_toml *parsed = parse_value(set, text);
    if (!tn_document_add_source(set->document, set->file, text, length, parsed == NULL)) return NULL;
    if (parsed) return parsed;

    tn_toml *string = tn_arena_new(arena, sizeof *string);
    if (!string) return NULL;
    *string = (tn_toml){.kind = TN_TOML_STRING, .place = {set->file, 1, 1}, .text = text, .length = length};
    return string;
}

static bool is_utf8(const char *text) { return tn_text_valid_utf8(text, strlen(text)) == strlen(text); }

/* A path is words with single dots between them. */
static bool is_path(const char *path)
{
    const size_t length = strlen(path);
    return length > 0 && path[0] != '.' && path[length - 1] != '.' && !strstr(path, "..") && is_utf8(path);
}

bool tn_document_set(tn_document *document, const char *path, const char *value, tn_diagnostics *diagnostics)
{
    override set = {document, diagnostics, path, "--set"};
    const char *last = NULL;
    const size_t size = strlen(path) + sizeof "--set ";
    char *file = tn_arena_new(&document->arena, size);
    char *parts = tn_arena_text(&document->arena, path, strlen(path));
    if (!file || !parts) goto out_of_memory;
    snprintf(file, size, "--set %s", path);
    set.file = file;

    if (!is_path(path)) return report(&set, "a path is needed, such as parameters.k or element.NAME.key");
    if (!is_utf8(value)) return report(&set, "the value is not UTF-8 text");

    tn_toml *table = find_table(&set, parts, &last);
    if (!table) return false;
    tn_toml *new_value = read_value(&set, value);
    if (new_value && put(&set, table, last, new_value)) return true;

out_of_memory:
    return report(&set, "out of memory");
}
