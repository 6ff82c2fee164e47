/* expanded.c - the model as TOML, as it is or with its repeats written out: every copy becomes an item of its own */
#include "tables/tables.h"
#include "run/study.h"
#include "values/value_graph.h"

#include <ctype.h>
#include <string.h>

/* The length of the number or name at `text`, which may have dots in it; 0 for anything else. */
static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '.')
        length++;
    return length;
}

/* The repeat variable that a word is; `depth` for none. */
static uint32_t find_variable(const tn_source *source, const char *word, size_t length)
{
    uint32_t k = 0;
    while (k < source->depth &&
           !(strlen(source->variable[k]) == length && strncmp(source->variable[k], word, length) == 0))
        k++;
    return k;
}

/* A word in lower case, when a parenthesis opens behind it; else NULL. `open` is how far it is away. */
static const char *called_name(tn_model *model, const char *word, size_t length, size_t *open)
{
    *open = length + strspn(word + length, " \t\r\n");
    if (!length || word[*open] != '(') return NULL;
    char *name = tn_arena_text(&model->arena, word, length);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

/* The length of a text up to its first closing parenthesis, with this. */
static size_t length_to_close(const char *text)
{
    const size_t close = strcspn(text, ")");
    return close + (text[close] == ')');
}

enum { NESTING = 256 }; /* deeper than any expression */

/* Which words are names of data: the first argument of spline(i, x), the third one of cubspl(x, 0, i). */
typedef struct reader {
    uint32_t depth;
    struct open_call {
        uint32_t argument, named; /* the current one; the one that is a name, or TN_NONE */
    } call[NESTING];
    tn_routine_kind last; /* of the word in front */
} reader;

static void read_character(reader *r, char character)
{
    struct open_call *call = &r->call[r->depth];
    if (character == ',') call->argument++;
    if (character == ')' && r->depth > 0) r->depth--;
    if (character != '(' || r->depth + 1 == NESTING) return;
    r->call[++r->depth] = (struct open_call){0, r->last == TN_NAMED_ROUTINE         ? 0
                                                : r->last == TN_NAMED_THIRD_ROUTINE ? 2
                                                                                    : TN_NONE};
    r->last = TN_NO_ROUTINE;
}

/* The string of an expression with the repeat variables replaced by their values; a unit stays. */
static const char *replace_variables(tn_model *model, const char *text)
{
    const tn_source *source = &model->reader->source;
    const size_t room = strlen(text) * 16 + 1;
    size_t unit = 0, unit_length = 0;
    char *result = tn_arena_new(&model->arena, room), *to = result;
    const char *end = text + tn_expression_split_unit(text, strlen(text), &unit, &unit_length);
    reader r = {.call = {{0, TN_NONE}}};
    while (text < end) {
        size_t open = 0;
        const size_t word = word_length(text);
        const char *called = called_name(model, text, word, &open);
        /* a function of items has names only in its parentheses */
        const bool of_items = called && tn_is_function_of_items(model, called);
        const size_t items = of_items ? open - word + length_to_close(text + open) : 0;
        const size_t length = word ? word + items : 1;
        const struct open_call *call = &r.call[r.depth];
        const bool name = call->argument == call->named;
        const uint32_t k = word && !items && !name ? find_variable(source, text, word) : source->depth;
        if (k < source->depth) {
            to += snprintf(to, room - (size_t)(to - result), "%.0f", source->variable_value[k]);
        } else {
            memcpy(to, text, length);
            to += length;
        }
        if (word)
            r.last = called ? source->functions.routine_kind(source->functions.routine_data, called)
                            : TN_NO_ROUTINE;
        else
            read_character(&r, *text);
        text += length;
    }
    memcpy(to, text, strlen(text));
    return result;
}

/* True for words below such a key. */
static bool holds_word(const char *key) { return strcmp(key, "unit") == 0 || strcmp(key, "euler") == 0; }

/* True when the strings below a key are expressions. */
static bool holds_expression(const tn_template *origin, const char *key)
{
    /* of sensors, of markers in place, of changes, of signals, of all */
    static const char *const others[] = {"expression", "position", "rotation", "time",
                                         "crosses",    "value",    "columns",  "id"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k], key) == 0) return true;
    for (const tn_parameter *p = origin->filler.parameters; p && p->name; p++)
        if (strcmp(p->name, key) == 0)
            return p->kind != TN_KIND_TEXT && p->kind != TN_KIND_CHOICE && p->kind != TN_KIND_FILE &&
                   p->kind != TN_KIND_TEXTS;
    return false;
}

/* A copy of a node for the copy of the current item. */
static tn_toml *copy_node(tn_model *model, const tn_template *origin, const tn_toml *node, bool expression)
{
    tn_toml *copy = tn_arena_new(&model->arena, sizeof *copy);
    const tn_toml *expanded = node->kind == TN_TOML_STRING ? tn_expand(&model->reader->source, node) : node;
    *copy = expanded ? *expanded : *node;
    if (node->kind == TN_TOML_STRING && expression) {
        copy->text = replace_variables(model, copy->text);
        copy->length = strlen(copy->text);
    }
    if (node->kind != TN_TOML_ARRAY && node->kind != TN_TOML_TABLE) return copy;
    copy->child = tn_arena_new(&model->arena, (node->count + 1) * sizeof *copy->child);
    copy->count = 0;
    for (size_t k = 0; k < node->count; k++) {
        const tn_toml *child = node->child[k];
        if (node == origin->table && strcmp(child->key, "when") == 0) continue;
        const bool inner = child->key && !expression ? holds_expression(origin, child->key)
                                                     : expression && !(child->key && holds_word(child->key));
        copy->child[copy->count++] = copy_node(model, origin, child, inner);
    }
    return copy;
}

static void add_copy(tn_model *model, tn_template *origin, void *data)
{
    if (model->reader->part->outer) return; /* a part stays the file that it is */
    tn_toml *array = data;
    array->child = tn_grow(array->child, &array->capacity, array->count + 1, sizeof *array->child);
    array->child[array->count++] = copy_node(model, origin, origin->table, false);
}

/* All copies of the items of each kind. */
static void copy_items(tn_model *model, tn_toml *array)
{
    for (uint32_t k = 0; k < TN_TEMPLATE_KINDS; k++) {
        array[k] = (tn_toml){.kind = TN_TOML_ARRAY, .key = tn_item_keys[k]};
        tn_block_walk_kind(model,
                           k == TN_TEMPLATE_SIGNAL ? model->reader->root->part->signals : model->reader->root,
                           k, add_copy, &array[k]);
    }
}

static bool is_expanded(const char *key)
{
    bool found = strcmp(key, "repeat") == 0;
    for (int k = 0; k < TN_TEMPLATE_KINDS; k++)
        found = found || strcmp(key, tn_item_keys[k]) == 0;
    return found;
}

static char *print(tn_model *model, bool expanded, bool resolved)
{
    const tn_toml *root = tn_document_root(model->reader->document);
    tn_toml whole = *root, array[TN_TEMPLATE_KINDS] = {{.count = 0}};
    if (expanded) copy_items(model, array);

    /* everything but the [run] of an earlier run, then the arrays with all copies */
    whole.child = tn_new(root->count + TN_TEMPLATE_KINDS, sizeof *whole.child);
    whole.count = 0;
    for (size_t k = 0; k < root->count; k++)
        if (strcmp(root->child[k]->key, "run") != 0 && !(expanded && is_expanded(root->child[k]->key)))
            whole.child[whole.count++] = root->child[k];
    for (int k = 0; k < TN_TEMPLATE_KINDS; k++)
        if (array[k].count) whole.child[whole.count++] = &array[k];
    if (resolved) tn_resolve_paths(model->reader->document, &whole); /* {..} may stand in paths */
    return tn_toml_print(&whole);
}

char *tn_model_print(tn_model *model, bool expanded) { return print(model, expanded, true); }

char *tn_model_print_as_written(tn_model *model) { return print(model, true, false); }
