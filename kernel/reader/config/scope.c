/* scope.c - what names mean in the expressions of a model */
#define _GNU_SOURCE
#include "config/scope.h"

#include "config/quantity.h"
#include "config/scope_lookup.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Offers all names to a search for the nearest one. */
static void offer_names(const tn_names *names, tn_nearest *search)
{
    for (size_t k = 0; k < names->count; k++)
        tn_nearest_offer(search, names->name[k]);
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

void tn_source_report(tn_source *source, tn_place place, bool inside, const char *format, va_list arguments)
{
    tn_text copy = {0};
    for (uint32_t k = 0; source->variable_value && k < source->depth; k++)
        tn_text_add(&copy, "%s%s = %.0f", k ? ", " : "with ", source->variable[k], source->variable_value[k]);
    /* a value that was given to the part from outside stands in a file without a chain */
    const char *chain = place.file ? tn_document_chain(source->document, place.file) : NULL;
    const bool given = !chain && source->part && source->part[0];
    if (chain || given)
        tn_text_add(&copy, "%s%s%s%s", copy.length ? ", " : "", given ? "in part `" : "",
                    given ? source->part : chain, given ? "`" : "");
    tn_diagnose_list(source->diagnostics, TN_SEVERITY_ERROR, place, (tn_error_detail){copy.letters, inside},
                     format, arguments);
    tn_free(copy.letters);
}

bool tn_source_error_at(tn_source *source, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_source_report(source, place, false, format, arguments);
    va_end(arguments);
    return false;
}

bool tn_source_error(tn_source *source, const tn_toml *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_source_report(source, node->place, false, format, arguments);
    va_end(arguments);
    return false;
}

bool tn_source_error_inside(tn_source *source, const tn_toml *node, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_source_report(source, tn_toml_place_in_text(source->document, node, offset), !node->reworded, format,
                     arguments);
    va_end(arguments);
    return false;
}

bool tn_source_expect(tn_source *source, const tn_toml *node, tn_toml_kind kind, const char *words)
{
    return node->kind == kind || tn_source_error(source, node, "%s", words);
}

bool tn_source_trust(tn_source *source, const tn_toml *node, const char *path)
{
    return (source->trusts && source->trusts(source->functions.routine_data, path)) ||
           tn_source_error(
               source, node,
               "`%s` is not in a trusted directory: name its directory with --plugin-path, or use --trust",
               path);
}

bool tn_name_check(tn_source *source, tn_place place, const char *name)
{
    return tn_is_name(name) ||
           tn_source_error_at(source, place, "`%s` is not a name: letters, digits and _ only", name);
}

const char *tn_source_guess(tn_source *source, const tn_nearest *search)
{
    return search->best ? tn_arena_print(source->arena, ": did you mean `%s`?", search->best) : "";
}

void tn_source_unknown_key(tn_source *source, const tn_toml *node, const tn_nearest *search)
{
    tn_source_error_at(source, node->key_place, "unknown key `%s`%s", node->key,
                       tn_source_guess(source, search));
}

bool tn_source_missing_key(tn_source *source, const tn_toml *table, const char *key, const char *meaning,
                           const char *unit)
{
    const char *item = source->item ? source->item : "", *quote = *item && *item != '[' ? "`" : "";
    return tn_source_error(source, table, "missing key `%s`%s%s%s%s%s%s%s%s%s", key, *item ? " of " : "",
                           quote, item, quote, meaning ? " (" : "", meaning ? meaning : "", unit ? "; " : "",
                           unit ? unit : "", meaning ? ")" : "");
}

/* "`mass` of `body`: ", and what is to be said. */
static char *say_of_value(const tn_source *source, const tn_toml *node, const char *format, va_list arguments)
{
    const char *key = source->key ? source->key : node->key, *item = source->item;
    const char *quote = item && *item == '[' ? "" : "`";
    tn_text text = {0};
    if (key) tn_text_add(&text, "`%s`", key);
    if (key && item) tn_text_add(&text, " of %s%s%s", quote, item, quote);
    if (key) tn_text_add(&text, ": ");
    tn_text_add_list(&text, format, arguments);
    return text.letters;
}

bool tn_value_error(tn_source *source, const tn_toml *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = say_of_value(source, node, format, arguments);
    va_end(arguments);
    tn_source_error(source, node, "%s", text);
    tn_free(text);
    return false;
}

void tn_value_warning(tn_source *source, const tn_toml *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = say_of_value(source, node, format, arguments);
    va_end(arguments);
    tn_diagnose(source->diagnostics, TN_SEVERITY_WARNING, node->place, "%s", text);
    tn_free(text);
}

/* ---- [parameters] ---------------------------------------------------------------------------------------- */

static void put_in_front(tn_parameters *parameters, uint32_t number)
{
    TN_APPEND(parameters->waiting, parameters->waiting_count, number);
}

/* Evaluates the last of those that wait, unless it turns out to need others: these stand behind it then. */
static void evaluate_last(tn_source *source)
{
    tn_parameters *parameters = source->parameters;
    struct tn_named_number *number = &parameters->number[parameters->waiting[parameters->waiting_count - 1]];
    source->postponed = false;
    if (number->state == TN_NUMBER_UNKNOWN || number->state == TN_NUMBER_IN_WORK) {
        number->state = TN_NUMBER_IN_WORK;
        const bool known = tn_number_read(source, number->node, NULL, &number->value);
        if (source->postponed) return;
        number->state = known ? TN_NUMBER_KNOWN : TN_NUMBER_WRONG;
    }
    parameters->waiting_count--;
}

/* Evaluates a parameter, and before it those that it needs, however long their chain is: an expression is compiled once to
 * find them, and once more when they are known. */
static void evaluate_parameter(tn_source *source, uint32_t number)
{
    /* a parameter is written outside all repeats */
    const tn_source outer = *source;
    source->depth = 0;
    source->variable_value = NULL;
    source->item = source->key = NULL;
    put_in_front(source->parameters, number);
    while (source->parameters->waiting_count)
        evaluate_last(source);
    *source = outer;
}

void tn_parameters_read(tn_source *source, const tn_toml *table)
{
    if (!table) return;
    tn_parameters *parameters = source->parameters;
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "[parameters] is a table of named numbers")) return;
    parameters->number = tn_new(table->count, sizeof *parameters->number);
    for (size_t k = 0; k < table->count; k++) {
        const tn_toml *node = table->child[k];
        if (tn_name_check(source, node->key_place, node->key) && tn_expression_reserved(node->key))
            tn_source_error_at(source, node->key_place,
                               "`%s` is a word of the expression language: choose another name", node->key);
        const uint32_t number = tn_names_add(&parameters->names, node->key);
        if (number != TN_NO_NAME) parameters->number[number].node = node;
    }
}

void tn_parameters_override(tn_source *source, const tn_toml *table, tn_parameters *parameters)
{
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "`parameters` is a table of numbers")) return;
    for (size_t k = 0; k < table->count; k++) {
        const tn_toml *node = table->child[k];
        const uint32_t found = tn_names_find(&parameters->names, node->key);
        if (found == TN_NO_NAME) {
            tn_nearest search;
            tn_nearest_start(&search, node->key);
            if (tn_error_shows(source->diagnostics, node->key_place, "the part has no parameter ``"))
                offer_names(&parameters->names, &search);
            tn_source_error_at(source, node->key_place, "the part has no parameter `%s`%s", node->key,
                               tn_source_guess(source, &search));
            continue;
        }
        struct tn_named_number *number = &parameters->number[found];
        const bool known = tn_number_read(source, node, NULL, &number->value);
        number->state = known ? TN_NUMBER_KNOWN : TN_NUMBER_WRONG;
    }
}

void tn_parameters_evaluate(tn_source *source)
{
    tn_parameters *parameters = source->parameters;
    for (size_t k = 0; k < parameters->names.count; k++)
        if (parameters->number[k].state == TN_NUMBER_UNKNOWN) evaluate_parameter(source, (uint32_t)k);
}

void tn_parameters_check(tn_source *source)
{
    const tn_parameters *parameters = source->parameters;
    for (size_t k = 0; k < parameters->names.count; k++) {
        const tn_toml *node = parameters->number[k].node;
        const bool in_file = strncmp(node->key_place.file, "--set ", 6) != 0;
        if (parameters->number[k].used || parameters->number[k].state == TN_NUMBER_WRONG || in_file) continue;
        tn_nearest search;
        tn_nearest_start(&search, node->key);
        for (size_t other = 0; other < parameters->names.count; other++)
            if (other != k) tn_nearest_offer(&search, parameters->names.name[other]);
        tn_source_error_at(source, node->key_place, "no expression uses the parameter `%s`%s", node->key,
                           tn_source_guess(source, &search));
    }
}

/* ---- compiling ------------------------------------------------------------------------------------------- */

/* Some input, until the value is known. */
static tn_symbol wait_for_parameter(tn_lookup *look, uint32_t number)
{
    put_in_front(look->source->parameters, number);
    look->waits = true;
    const uint32_t input = look->source->depth + look->allowed->argument_count + 1;
    if (input >= look->scope.input_count) look->scope.input_count = input + 1;
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = input, .steps = true};
}

/* A parameter that depends on itself is found in the middle of being evaluated. */
static tn_symbol resolve_parameter(tn_lookup *look, const char *name)
{
    tn_parameters *parameters = look->source->parameters;
    const uint32_t found = tn_names_find(&parameters->names, name);
    if (found == TN_NO_NAME) return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
    struct tn_named_number *number = &parameters->number[found];
    number->used = true;
    if (number->state == TN_NUMBER_UNKNOWN && parameters->waiting_count)
        return wait_for_parameter(look, found);
    if (number->state == TN_NUMBER_UNKNOWN) evaluate_parameter(look->source, found);
    if (number->state == TN_NUMBER_KNOWN)
        return (tn_symbol){.kind = TN_SYMBOL_CONSTANT, .value = number->value};
    if (number->state == TN_NUMBER_IN_WORK) look->cycle = parameters->names.name[found];
    return (tn_symbol){.kind = TN_SYMBOL_ERROR};
}

/* ---- functions of items ---------------------------------------------------------------------------------- */

/* Enters a call under its key, with copies of its texts; its number. */
static uint32_t add_call(tn_lookup *look, tn_item_call call)
{
    tn_arena *arena = look->source->arena;
    tn_item_calls *calls = look->calls;
    call.function = tn_arena_text(arena, call.function, strlen(call.function));
    call.offset += look->offset;
    for (uint32_t k = 0; k < call.count; k++) {
        call.item[k].text = tn_arena_text(arena, call.item[k].text, strlen(call.item[k].text));
        call.item[k].offset += look->offset;
    }
    calls->call = tn_arena_grow(arena, calls->call, &look->capacity, calls->count + 1, sizeof *calls->call);
    calls->call[calls->count++] = call;
    return tn_names_add(&look->call_names, tn_arena_text(arena, look->key.letters, look->key.length));
}

bool tn_scope_may_change(const tn_lookup *look, const char *name, tn_expression_error *error)
{
    if (look->allowed->argument_count && !look->allowed->time) {
        (void)tn_print_cut(
            error->message, sizeof error->message,
            "`%s` cannot be called in a function of `%s`, only where a number may change during the run",
            name, look->allowed->argument[0]);
        return false;
    }
    if (look->calls && look->allowed->time) return true;
    (void)tn_print_cut(error->message, sizeof error->message,
                       "the value must be known before the run: `%s` makes it change", name);
    return false;
}

tn_symbol tn_scope_call(tn_lookup *look, tn_item_call call)
{
    const uint32_t known = tn_names_find(&look->call_names, look->key.letters);
    const uint32_t number = known == TN_NO_NAME ? add_call(look, call) : known;
    const uint32_t input = look->source->depth + look->allowed->argument_count + 1 + number;
    if (input >= look->scope.input_count) look->scope.input_count = input + 1;
    const tn_item_call *entered = &look->calls->call[number];
    const bool steps =
        entered->delayed || entered->is_input || strcmp(entered->function, TN_VARIABLE_FUNCTION) == 0;
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = input, .steps = steps};
}

/* A call without arguments; the place of the name in the expression is not known. */
static tn_symbol resolve_input(tn_lookup *look, const char *name)
{
    const tn_source *source = look->source;
    if (!source->is_input || !source->is_input(source->functions.routine_data, name))
        return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
    tn_expression_error unused;
    if (!tn_scope_may_change(look, name, &unused)) {
        look->early = tn_arena_text(source->arena, name, strlen(name));
        return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    }
    look->key.length = 0;
    tn_text_add(&look->key, "%s", name);
    return tn_scope_call(look, (tn_item_call){.function = name, .is_input = true});
}

/* Meaning of a name: the nearest scope first. */
static tn_symbol resolve_name(void *data, const char *name)
{
    tn_lookup *look = data;
    const tn_source *source = look->source;
    const tn_allowed *allowed = look->allowed;
    for (uint32_t k = 0; k < allowed->argument_count; k++)
        if (strcmp(allowed->argument[k], name) == 0)
            return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = source->depth + k, .steps = true};
    if (strcmp(name, "time") == 0)
        return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = source->depth + allowed->argument_count};
    for (uint32_t k = source->depth; k-- > 0;)
        if (strcmp(source->variable[k], name) == 0)
            return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = k, .steps = true};
    const tn_symbol symbol = resolve_parameter(look, name);
    return symbol.kind == TN_SYMBOL_UNKNOWN ? resolve_input(look, name) : symbol;
}

static tn_symbol refer_to_items(void *data, const char *name, const tn_item_argument *item, uint32_t count,
                                tn_expression_error *error)
{
    tn_lookup *look = data;
    if (!tn_scope_may_change(look, name, error)) return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    look->key.length = 0;
    tn_text_add(&look->key, "%s(", name);
    for (uint32_t k = 0; k < count; k++)
        tn_text_add(&look->key, "%s,", item[k].text);
    tn_item_call call = {.function = name, .offset = error->offset, .count = count};
    if (count) memcpy(call.item, item, count * sizeof *item);
    return tn_scope_call(look, call);
}

/* ---- functions of the model ------------------------------------------------------------------------------ */

static const char *nearest_name(void *data, const char *name)
{
    const tn_lookup *look = data;
    if (!tn_error_shows(look->source->diagnostics, look->node->place, "unknown name ``")) return NULL;
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (uint32_t k = 0; k < look->allowed->argument_count; k++)
        tn_nearest_offer(&search, look->allowed->argument[k]);
    for (uint32_t k = 0; k < look->source->depth; k++)
        tn_nearest_offer(&search, look->source->variable[k]);
    offer_names(&look->source->parameters->names, &search);
    if (look->source->offer_inputs) look->source->offer_inputs(look->source->functions.routine_data, &search);
    return search.best;
}

static tn_expression *compile_expression(tn_lookup *look, size_t length)
{
    tn_source *source = look->source;
    const tn_toml *node = look->node;
    const tn_allowed *allowed = look->allowed;
    const size_t offset = look->offset;
    const uint32_t time = source->depth + allowed->argument_count;
    look->scope = source->functions;
    look->scope.resolve = resolve_name;
    look->scope.nearest = nearest_name;
    look->scope.data = look;
    look->scope.input_count = time + 1;
    look->scope.refer = refer_to_items;
    look->scope.delay = source->functions.is_reference ? tn_scope_delay : NULL;
    tn_expression_error error = {0};
    tn_expression *expression = tn_expression_compile(node->text + offset, length, &look->scope, &error);
    if (look->waits) {
        source->postponed = true;
        tn_expression_free(expression);
        return NULL;
    }
    if (expression && !allowed->time && tn_expression_uses(expression, time, &error.offset)) {
        (void)tn_print_cut(error.message, sizeof error.message,
                           "the value must be known before the run: `time` makes it change");
        tn_expression_free(expression);
        expression = NULL;
    }
    if (expression && tn_expression_has_instants(expression, &error.offset))
        tn_diagnose(source->diagnostics, TN_SEVERITY_WARNING,
                    tn_toml_place_in_text(source->document, node, offset + error.offset),
                    "continuous values are equal only at single instants, which a step may miss: compare "
                    "them by `<` or `>`");
    if (!expression && look->early) (void)tn_scope_may_change(look, look->early, &error);
    if (look->cycle)
        tn_source_error_inside(source, node, offset + error.offset, "parameter `%s` depends on itself",
                               look->cycle);
    else if (!expression && error.message[0])
        tn_source_error_inside(source, node, offset + error.offset, "%s", error.message);
    return expression;
}

tn_expression *tn_scope_compile(tn_source *source, const tn_toml *node, size_t offset, size_t length,
                                const tn_allowed *allowed, tn_item_calls *calls)
{
    tn_lookup look = {.source = source, .node = node, .allowed = allowed, .calls = calls, .offset = offset};
    tn_expression *expression = compile_expression(&look, length);
    tn_names_free(&look.call_names);
    tn_free(look.key.letters);
    return expression;
}
