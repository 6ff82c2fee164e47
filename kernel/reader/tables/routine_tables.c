/* routine_tables.c - tables in place of numbers and functions of an item: value = { script = "law.py", function = "pull" }
 *
 * Each becomes a [[signal]] of a type of functions, and the value a call of it: "python(push.value)". The type stands there, or belongs
 * to the key or the ending of the file. Where a parameter is flagged TN_BESIDE, the keys stand in the item's table itself. */
#include "tables/tables.h"
#include "config/plugin_texts.h"
#include "config/standard.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LIBRARY "library"
#define SCRIPT "script"
#define INTERPRETER "interpreter"
static const char *const beside[] = {LIBRARY, SCRIPT,    "function", INTERPRETER, "parameters",
                                     "reads", "splines", "step",     NULL};

/* The keys of one call, while its table is made. */
typedef struct routine_table {
    const tn_template *item;
    const tn_parameter *parameter;
    const char *owner;   /* of a value that stands in no item */
    const tn_toml *node; /* of the value in the file */
    tn_toml *table;      /* of the signal */
} routine_table;

static bool names_code(const tn_toml *table)
{
    return tn_toml_get(table, LIBRARY) || tn_toml_get(table, SCRIPT);
}

static bool is_routine(const tn_toml *node)
{
    return node->kind == TN_TOML_TABLE &&
           (names_code(node) || tn_toml_get(node, "type") || tn_toml_get(node, INTERPRETER));
}

/* ---- tables and nodes ------------------------------------------------------------------------------------ */

static tn_toml *text_node(tn_model *model, const tn_toml *like, const char *key, const char *text)
{
    tn_toml *node = tn_toml_new(&model->arena, *like);
    node->kind = TN_TOML_STRING;
    node->key = key;
    node->text = text;
    node->length = strlen(text);
    node->child = NULL;
    node->count = 0;
    node->reworded = true;
    return node;
}

static tn_toml *integer_node(tn_model *model, const tn_toml *like, const char *key, int64_t value)
{
    tn_toml *node = text_node(model, like, key, "");
    node->kind = TN_TOML_INTEGER;
    node->integer = value;
    node->real = (double)value;
    return node;
}

static void add_child(tn_model *model, tn_toml *table, const tn_toml *child)
{
    tn_toml **all = tn_arena_new(&model->arena, (table->count + 1) * sizeof *all);
    if (table->count) memcpy(all, table->child, table->count * sizeof *all);
    all[table->count++] = (tn_toml *)child;
    table->child = all;
    table->capacity = table->count;
}

static tn_toml *empty_table(tn_model *model, const tn_toml *like)
{
    tn_toml *table = text_node(model, like, NULL, "");
    table->kind = TN_TOML_TABLE;
    table->capacity = 0;
    return table;
}

/* ---- the signal ------------------------------------------------------------------------------------------ */

static const char *type_by_ending(tn_model *model, const tn_toml *script)
{
    static const struct {
        const char *ending, *type;
    } known[] = {TN_STANDARD_SCRIPTS};
    const char *dot = script->kind == TN_TOML_STRING ? strrchr(script->text, '.') : NULL;
    for (size_t k = 0; dot && k < sizeof known / sizeof *known; k++)
        if (strcasecmp(dot, known[k].ending) == 0) return known[k].type;
    tn_text words = {0};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        tn_text_add(&words, "%s%s is of %s", k ? ", " : "", known[k].ending, known[k].type);
    tn_value_error(&model->reader->source, script,
                   "its ending does not tell the language (%s): add `" INTERPRETER "`", words.letters);
    tn_free(words.letters);
    return NULL;
}

/* "PYTHON" is the type "python". */
static const tn_toml *type_of_interpreter(tn_model *model, const tn_toml *node)
{
    if (!tn_source_expect(&model->reader->source, node, TN_TOML_STRING, "`interpreter` is a word"))
        return NULL;
    char *word = tn_arena_new(&model->arena, node->length + 1);
    for (size_t k = 0; k < node->length; k++)
        word[k] = (char)tolower((unsigned char)node->text[k]);
    return text_node(model, node, "type", word);
}

/* The key `type` of the signal; NULL after reporting. */
static const tn_toml *find_type(tn_model *model, const tn_toml *table)
{
    const tn_toml *type = tn_toml_get(table, "type"), *library = tn_toml_get(table, LIBRARY),
                  *script = tn_toml_get(table, SCRIPT), *interpreter = tn_toml_get(table, INTERPRETER);
    if (library && script) {
        tn_source_error_at(&model->reader->source, script->key_place,
                           "a routine has one of the keys `" LIBRARY "` and `" SCRIPT "`");
        return NULL;
    }
    if (interpreter && (library || type)) {
        tn_source_error_at(&model->reader->source, interpreter->key_place,
                           "`" INTERPRETER "` belongs to `" SCRIPT "`");
        return NULL;
    }
    if (type) return type;
    if (interpreter) return type_of_interpreter(model, interpreter);
    if (library) return text_node(model, library, "type", TN_STANDARD_ROUTINE);
    const char *name = type_by_ending(model, script);
    return name ? text_node(model, script, "type", name) : NULL;
}

static const tn_parameter *integer_called(const tn_loaded_function *type, const char *name)
{
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (strcmp(p->name, name) == 0 && p->kind == TN_KIND_INTEGER) return p;
    return NULL;
}

const tn_parameter *tn_item_id_parameter(const tn_loaded_function *type)
{
    return integer_called(type, "item_id");
}

/* How many arguments a value hands over. */
static uint32_t count_handed(const tn_parameter *parameter)
{
    if (parameter->kind != TN_KIND_CALLABLE) return 0;
    uint32_t count = 1;
    for (const char *c = parameter->detail; *c; c++)
        count += *c == ',';
    return count;
}

/* What the table leaves out: how many arguments there are, and the id of the item. */
static void complete_table(tn_model *model, const routine_table *of, const tn_toml *type)
{
    char id[32];
    const tn_loaded_function *function =
        type->kind == TN_TOML_STRING
            ? tn_registry_find(model->registry, TN_FUNCTION_KIND, type->text, NULL, 0)
            : NULL;
    const uint32_t handed = count_handed(of->parameter);
    if (!function) return;
    if (handed && !tn_toml_get(of->table, "arguments") && integer_called(function, "arguments"))
        add_child(model, of->table, integer_node(model, of->node, "arguments", handed));
    if (of->item && !tn_toml_get(of->table, "item_id") && tn_item_id_parameter(function) &&
        (!of->item->id.expression || model->reader->source.variable_value) &&
        tn_template_id(model, of->item, id, sizeof id))
        add_child(model, of->table, integer_node(model, of->node, "item_id", strtoll(id, NULL, 10)));
}

/* A name that no signal has: "push.value", with letters that names may have. */
static const char *find_name(tn_model *model, const routine_table *of, uint32_t component)
{
    const char *item = model->reader->source.item ? model->reader->source.item : of->owner ? of->owner : "";
    char *name = tn_arena_print(&model->arena, "%s%s.%s", *item ? "" : "item", item, of->parameter->name);
    if (component) name = tn_arena_print(&model->arena, "%s_%u", name, component);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.') *c = '_';
    const char *free = name;
    for (uint32_t k = 2; tn_names_find(&model->reader->signal_names, tn_part_name(model, free)) != TN_NO_NAME;
         k++)
        free = tn_arena_print(&model->arena, "%s_%u", name, k);
    return free;
}

/* "python(push.value, x, v)"; NULL after reporting that the value hands over too few. */
static const char *write_call(tn_model *model, const routine_table *of, const tn_signal *signal,
                              const char *name)
{
    const uint32_t wanted = signal->routine.minimum_count, handed = count_handed(of->parameter);
    if (wanted > handed) {
        tn_value_error(&model->reader->source, of->node, "%s takes %u argument%s, and gets %u here",
                       signal->type->name, wanted, wanted == 1 ? "" : "s", handed);
        return NULL;
    }
    const char *call = tn_arena_print(&model->arena, "%s(%s", signal->type->name, name);
    const char *argument = of->parameter->detail;
    for (uint32_t k = 0; k < wanted; k++) {
        argument += strspn(argument, ", ");
        call = tn_arena_print(&model->arena, "%s, %.*s", call, (int)strcspn(argument, " [,"), argument);
        argument += strcspn(argument, ",");
    }
    return tn_arena_print(&model->arena, "%s)", call);
}

/* Whether no copy of the item is made, which is known now: then no code is loaded for it. */
static bool is_left_out(const tn_template *item)
{
    return item && item->when.node && !item->when.expression && item->when.value == 0.0;
}

/* The call that stands in place of a routine's table; of one that is wrong, and reported, or is left out, the number 0. */
static const tn_toml *make_call(tn_model *model, routine_table *of, const tn_toml *given, uint32_t component)
{
    tn_source *source = &model->reader->source;
    const char *name = find_name(model, of, component), *call = NULL;
    const tn_toml *type = find_type(model, given);
    of->table = empty_table(model, given);
    if (type && !is_left_out(of->item)) {
        add_child(model, of->table, text_node(model, given, "name", name));
        add_child(model, of->table, type);
        for (size_t k = 0; k < given->count; k++)
            if (strcmp(given->child[k]->key, "type") != 0 && strcmp(given->child[k]->key, INTERPRETER) != 0)
                add_child(model, of->table, given->child[k]);
        complete_table(model, of, type);
        const tn_source outer = *source;
        source->depth = 0; /* what depends on repeat variables has been worked out */
        source->variable_value = NULL;
        source->key = NULL;
        const tn_signal *signal = tn_signal_make_unnamed(model, of->table, name);
        source->depth = outer.depth;
        source->variable_value = outer.variable_value;
        source->item = outer.item;
        source->key = outer.key;
        if (signal) call = write_call(model, of, signal, name);
    }
    tn_toml *node = text_node(model, of->node, of->parameter->name, call ? call : "0");
    node->key = of->node->key;
    return node;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* A value with calls in place of tables; the same where there are none. */
static const tn_toml *replace_in(tn_model *model, routine_table *of, const tn_toml *node, uint32_t component)
{
    if (is_routine(node)) {
        of->node = node;
        return make_call(model, of, node, component);
    }
    const bool inside = node->kind == TN_TOML_ARRAY || tn_toml_get(node, "value");
    tn_toml *copy = NULL;
    for (size_t k = 0; inside && k < node->count; k++) {
        const uint32_t number = node->kind == TN_TOML_ARRAY ? (uint32_t)k + 1 : 0;
        const tn_toml *child = replace_in(model, of, node->child[k], number);
        if (child == node->child[k]) continue;
        if (!copy) {
            copy = tn_toml_new(&model->arena, *node);
            copy->child = tn_arena_new(&model->arena, node->count * sizeof *copy->child);
            memcpy(copy->child, node->child, node->count * sizeof *copy->child);
        }
        copy->child[k] = (tn_toml *)child;
    }
    return copy ? copy : node;
}

/* The keys of a routine that stand in the item's own table, as a table; NULL: there are none. */
static const tn_toml *collect_beside(tn_model *model, const tn_toml *table)
{
    if (!names_code(table)) return NULL;
    tn_toml *routine = empty_table(model, table);
    for (const char *const *key = beside; *key; key++) {
        const tn_toml *child = tn_toml_get(table, *key);
        if (child) add_child(model, routine, child);
    }
    return routine;
}

/* The value of a parameter with calls in place of tables; NULL: it has none. */
static const tn_toml *value_of(tn_model *model, const tn_template *item, const tn_toml *table,
                               const tn_parameter *parameter)
{
    routine_table of = {.item = item, .parameter = parameter};
    const tn_toml *node = tn_parameter_node(table, parameter->name);
    const tn_toml *keys = parameter->flags & TN_BESIDE ? collect_beside(model, table) : NULL;
    if (!keys) return node ? replace_in(model, &of, node, 0) : NULL;
    if (node) {
        tn_source_error_at(&model->reader->source, node->key_place,
                           "`%s` is given by a routine already: leave out this key, or `" LIBRARY
                           "` and `" SCRIPT "`",
                           parameter->name);
        return node;
    }
    of.node = tn_toml_get(keys, SCRIPT) ? tn_toml_get(keys, SCRIPT) : tn_toml_get(keys, LIBRARY);
    const tn_toml *call = make_call(model, &of, keys, 0);
    tn_toml *named = tn_toml_new(&model->arena, *call);
    named->key = parameter->name;
    return named;
}

const tn_toml *tn_routines_replace(tn_model *model, const tn_template *item, const tn_toml *table,
                                   const tn_parameter *parameters)
{
    tn_toml *copy = NULL;
    for (const tn_parameter *p = parameters; p && p->name; p++) {
        const bool changes =
            p->flags & TN_DYNAMIC && (p->kind == TN_KIND_REAL || p->kind == TN_KIND_CALLABLE);
        if (!changes || strchr(p->name, '.')) continue;
        model->reader->source.key = p->name;
        const tn_toml *given = tn_toml_get(table, p->name), *value = value_of(model, item, table, p);
        model->reader->source.key = NULL;
        if (value == given) continue;
        if (!copy) {
            copy = tn_toml_new(&model->arena, *table);
            copy->child = tn_arena_new(&model->arena, (table->count + 1) * sizeof *copy->child);
            memcpy(copy->child, table->child, table->count * sizeof *copy->child);
        }
        for (size_t k = 0; given && k < copy->count; k++)
            if (copy->child[k] == given) copy->child[k] = (tn_toml *)value;
        if (!given) add_child(model, copy, value);
    }
    return copy ? copy : table;
}

const tn_toml *tn_routine_in_place(tn_model *model, const tn_template *item, const char *owner,
                                   const tn_toml *node)
{
    const tn_parameter number = {.name = node->key, .kind = TN_KIND_REAL};
    routine_table of = {.item = item, .parameter = &number, .owner = owner, .node = node};
    const size_t before = tn_error_count(model->reader->diagnostics);
    if (node->kind != TN_TOML_TABLE) return node;
    if (!is_routine(node)) {
        tn_value_error(&model->reader->source, node,
                       "an expression is expected, or a table with `" LIBRARY "` or `" SCRIPT "`");
        return NULL;
    }
    const tn_toml *call = make_call(model, &of, node, 0);
    return tn_error_count(model->reader->diagnostics) == before ? call : NULL;
}
