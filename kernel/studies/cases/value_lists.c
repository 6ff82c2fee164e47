/* value_lists.c - variables with a list of values (see value_lists.h) */
#include "cases/value_lists.h"

#include "config/columns.h"
#include "names/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of TOML ------------------------------------------------------------------------------------------ */

/* A value that is no table, as `--set` takes it. */
static const char *print_leaf(tn_cases *cases, const tn_toml *node)
{
    static const char before[] = "v = [[", behind[] = "]]\n";
    tn_toml value = *node, *inside = &value, inner = {.kind = TN_TOML_ARRAY}, *inner_place = &inner;
    tn_toml outer = {.kind = TN_TOML_ARRAY, .key = "v"}, *outer_place = &outer;
    inner.child = &inside;
    outer.child = &inner_place;
    inner.count = outer.count = 1;
    const tn_toml root = {.kind = TN_TOML_TABLE, .child = &outer_place, .count = 1};
    char *text = tn_toml_print(&root);
    const char *kept = tn_arena_text(&cases->arena, text + sizeof before - 1,
                                     strlen(text) - (sizeof before - 1) - (sizeof behind - 1));
    tn_free(text);
    return kept;
}

typedef struct override_list {
    const char **text;
    size_t count, capacity;
} override_list;

/* Keys of a table are set one by one, so that others in the model stay as they are. */
static void add_overrides(tn_cases *cases, override_list *list, const char *path, const tn_toml *node)
{
    for (size_t k = 0; node->kind == TN_TOML_TABLE && k < node->count; k++)
        add_overrides(cases, list, tn_arena_print(&cases->arena, "%s.%s", path, node->child[k]->key),
                      node->child[k]);
    if (node->kind == TN_TOML_TABLE) return;
    list->text =
        tn_arena_grow(&cases->arena, list->text, &list->capacity, list->count + 1, sizeof *list->text);
    list->text[list->count++] = tn_arena_print(&cases->arena, "%s=%s", path, print_leaf(cases, node));
}

static const char *label_of(tn_cases *cases, const tn_toml *node)
{
    tn_text text = {0};
    if (node->kind == TN_TOML_STRING) return node->text;
    if (node->kind != TN_TOML_TABLE) return print_leaf(cases, node);
    for (size_t k = 0; k < node->count; k++)
        tn_text_add(&text, "%s%s=%s", k ? " " : "", node->child[k]->key, label_of(cases, node->child[k]));
    const char *label = tn_arena_text(&cases->arena, text.letters ? text.letters : "", text.length);
    tn_free(text.letters);
    return label;
}

/* The value as a number, where it is one: all entries have one unit then. */
static double number_of(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    double value = (double)NAN;
    size_t offset = 0, length = 0;
    char *end = NULL;
    if (node->kind == TN_TOML_INTEGER || node->kind == TN_TOML_REAL) return node->real;
    if (node->kind != TN_TOML_STRING) return value;
    const size_t number = tn_expression_split_unit(node->text, node->length, &offset, &length);
    value = strtod(node->text, &end);
    if (!length || end == node->text || (size_t)(end - node->text) > number) return (double)NAN;
    const char *unit = tn_arena_text(&cases->arena, node->text + offset, length);
    if (!variable->unit) variable->unit = unit;
    return tn_number_read(tn_cases_source(cases), node, variable->unit, &value) ? value : (double)NAN;
}

static void read_values(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    if (node->kind != TN_TOML_ARRAY || !node->count) {
        (void)tn_value_error(tn_cases_source(cases), node, "an array of values is expected, one at least");
        return;
    }
    variable->levels = (uint32_t)node->count;
    variable->level = tn_arena_new(&cases->arena, node->count * sizeof *variable->level);
    for (size_t k = 0; k < node->count; k++) {
        override_list list = {NULL, 0, 0};
        add_overrides(cases, &list, variable->name, node->child[k]);
        variable->level[k] = (tn_case_level){.override = list.text,
                                             .overrides = list.count,
                                             .label = label_of(cases, node->child[k]),
                                             .value = number_of(cases, variable, node->child[k])};
    }
}

/* ---- columns of tables ---------------------------------------------------------------------------------------- */

enum { MOST_LISTED = 8 }; /* headings in a message */

static char separator_of(const char *line)
{
    for (const char *c = ";\t,"; *c; c++)
        if (strchr(line, *c)) return *c;
    return ' ';
}

/* The number of a heading; TN_NONE: there is none of this name, of which the nearest one is offered, and the first ones are listed. */
static uint32_t find_heading(const char *line, const char *name, tn_nearest *search, tn_text *list,
                             tn_arena *arena)
{
    const char separator = separator_of(line);
    for (uint32_t k = 0; *line; k++) {
        size_t length = 0;
        while (*line == ' ')
            line++;
        while (line[length] && line[length] != separator)
            length++;
        size_t end = length;
        const char *first = line;
        while (end && first[end - 1] == ' ')
            end--;
        if (end >= 2 && first[0] == '"' && first[end - 1] == '"') first++, end -= 2;
        const char *heading = tn_arena_text(arena, first, end);
        if (strcmp(heading, name) == 0) return k;
        tn_nearest_offer(search, heading);
        if (k < MOST_LISTED) tn_text_add(list, "%s`%s`", k ? ", " : "", heading);
        line += length;
        if (*line) line++;
    }
    return TN_NONE;
}

/* The first line that is no remark. */
static char *heading_line(tn_arena *arena, char *text)
{
    for (char *line = text, *next; *line; line = next) {
        const size_t length = strcspn(line, "\r\n");
        next = line + length + strspn(line + length, "\r\n");
        if (length && line[0] != '#') return tn_arena_text(arena, line, length);
    }
    return tn_arena_text(arena, "", 0);
}

bool tn_case_read_columns(tn_cases *cases, const tn_toml *node, const char *path, const char *const *name,
                          size_t count, double **value, size_t *rows)
{
    tn_source *source = tn_cases_source(cases);
    tn_text_failure failure = {0};
    tn_columns columns = {0};
    size_t length = 0;
    uint32_t *column = tn_arena_new(&cases->arena, (count + 1) * sizeof *column);
    char *text = tn_text_file_read(path, &length, &failure);
    if (!text) return tn_value_error(source, node, "`%s`: %s", path, failure.text);
    const char *line = heading_line(&cases->arena, text);
    tn_free(text);
    for (size_t k = 0; k < count; k++) {
        tn_nearest search;
        tn_text list = {0};
        tn_nearest_start(&search, name[k]);
        column[k] = find_heading(line, name[k], &search, &list, &cases->arena);
        if (column[k] == TN_NONE) {
            const char *guess = tn_source_guess(source, &search);
            (void)tn_value_error(source, node, "`%s` has no column `%s`%s%s", path, name[k],
                                 *guess        ? guess
                                 : list.length ? ", but "
                                               : ": it is empty",
                                 *guess || !list.length ? "" : list.letters);
        }
        tn_free(list.letters);
        if (column[k] == TN_NONE) return false;
    }
    if (!tn_columns_read(path, column, count, &cases->arena, &columns, &failure))
        return tn_value_error(source, node, "`%s`:%u:%u: %s", path, failure.line, failure.column,
                              failure.text);
    for (size_t k = 0; k < count; k++)
        value[k] = columns.value[k];
    *rows = columns.rows;
    return true;
}

/* "file.csv:column" */
static void read_table(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    const char *colon = node->kind == TN_TOML_STRING ? strrchr(node->text, ':') : NULL;
    double *value = NULL;
    size_t rows = 0;
    if (!colon || !colon[1] || colon == node->text) {
        (void)tn_value_error(tn_cases_source(cases), node,
                             "a file and a column are expected, as in \"cases.csv:k\"");
        return;
    }
    const char *path =
        tn_cases_file(cases, node, tn_arena_text(&cases->arena, node->text, (size_t)(colon - node->text)));
    if (!path || !tn_case_read_columns(cases, node, path, &(const char *){colon + 1}, 1, &value, &rows))
        return;
    variable->levels = (uint32_t)rows;
    variable->level = tn_arena_new(&cases->arena, rows * sizeof *variable->level);
    const char *unit = variable->unit;
    for (size_t k = 0; k < rows; k++) {
        const char **text = tn_arena_new(&cases->arena, sizeof *text);
        text[0] = unit ? tn_arena_print(&cases->arena, "%s=\"%.17g [%s]\"", variable->name, value[k], unit)
                       : tn_arena_print(&cases->arena, "%s=%.17g", variable->name, value[k]);
        variable->level[k] =
            (tn_case_level){text, 1, tn_arena_print(&cases->arena, "%.9g", value[k]), value[k]};
    }
    /* the copy of the study stands elsewhere */
    tn_toml *kept = tn_toml_get(variable->table, "table");
    const char *real = tn_document_real_path(cases->file.document, path);
    kept->text = tn_arena_print(&cases->arena, "%s%s", real ? real : path, colon);
    kept->length = strlen(kept->text);
}

void tn_case_read_levels(tn_cases *cases, tn_case_variable *variable, const tn_toml *node, bool is_table)
{
    if (is_table)
        read_table(cases, variable, node);
    else
        read_values(cases, variable, node);
}
