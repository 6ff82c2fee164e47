/* parser_names.c - calls of functions, and names that stand alone.
 *
 *   call = name "(" [ expression { "," expression } ] ")"                   a function of the language or of the model
 *        | "IF" "(" expression ":" expression "," expression "," expression ")"
 *        | name "(" item "," expression ... ")" | name "(" expression "," expression "," item ... ")"    data by name
 *        | name "(" [ item { "," item } ] ")"                               a reference to items of the model
 *        | "delay" "(" expression "," expression "," expression ")"         a look back: parser_delay.c
 *   item = name | integer */
#include "base/text.h"
#include "expression/parser.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- functions of the language ----------------------------------------------------------------------------- */

bool tn_parser_check_count(tn_parser *parser, size_t offset, const char *name, uint32_t least, uint32_t most,
                           uint32_t count)
{
    if (count >= least && count <= most) return true;
    if (most == TN_ANY_COUNT)
        return tn_parser_fail(parser, offset, "`%s` takes at least %u arguments, not %u", name, least, count);
    if (most > least)
        return tn_parser_fail(parser, offset, "`%s` takes %u to %u arguments, not %u", name, least, most,
                              count);
    return tn_parser_fail(parser, offset, "`%s` takes %u argument%s, not %u", name, least,
                          least == 1 ? "" : "s", count);
}

/* "(a, b, ...)" behind the name of a function that stands at `offset`. */
static bool parse_call(tn_parser *parser, const tn_function *function, size_t offset)
{
    const size_t opened = parser->token.offset;
    tn_tape_builder *const builder = &parser->builder;
    uint32_t count = 0;
    if (!tn_parser_advance(parser)) return false;
    for (bool more = !tn_parser_is(parser, TN_TOKEN_CLOSE); more;
         more = tn_parser_is(parser, TN_TOKEN_COMMA)) {
        if ((count > 0 && !tn_parser_advance(parser)) || !tn_parse_expression(parser)) return false;
        if (++count > 1 && function->in_pairs &&
            !tn_parser_emitted(parser, offset, tn_tape_call(builder, function, 2)))
            return false;
    }
    if (!tn_parser_close(parser, opened) ||
        !tn_parser_check_count(parser, offset, function->name, function->minimum_count,
                               function->maximum_count, count))
        return false;
    return function->in_pairs || tn_parser_emitted(parser, offset, tn_tape_call(builder, function, count));
}

/* Reads the `token` that separates the parts of IF. */
static bool separate(tn_parser *parser, tn_token_kind token, const char *missing)
{
    return tn_parser_is(parser, token) ? tn_parser_advance(parser) : tn_parser_fail_before(parser, missing);
}

/* "(e: a, b, c)" behind IF. */
static bool parse_if(tn_parser *parser, size_t offset)
{
    static const char *const missing[] = {"IF(x: negative, zero, positive): `:` is missing before",
                                          "IF(x: negative, zero, positive): `,` is missing before"};
    const size_t opened = parser->token.offset;
    tn_tape_builder *const builder = &parser->builder;
    tn_tape_if choice;
    if (!tn_parser_advance(parser) || !tn_parse_expression(parser)) return false;
    for (uint32_t branch = 0; branch < 3; branch++) {
        if (!separate(parser, branch == 0 ? TN_TOKEN_COLON : TN_TOKEN_COMMA, missing[branch > 0]))
            return false;
        const char *const problem =
            branch == 0 ? tn_tape_if_start(builder, &choice) : tn_tape_if_branch(builder, &choice);
        if (!tn_parser_emitted(parser, offset, problem) || !tn_parse_expression(parser)) return false;
    }
    tn_tape_if_end(builder, &choice);
    return tn_parser_close(parser, opened);
}

/* ---- functions of the model -------------------------------------------------------------------------------- */

static bool is_integer(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return length > 0;
}

/* The name or id of something in the model; NULL after failing, which tells the `form` in which the call is written. */
static const char *parse_item(tn_parser *parser, const char *form)
{
    const tn_token token = parser->token;
    const char *const text = parser->lexer.text + token.offset;
    if (token.kind != TN_TOKEN_NAME && !(token.kind == TN_TOKEN_NUMBER && is_integer(text, token.length))) {
        (void)tn_parser_fail(parser, token.offset, "%s", form);
        return NULL;
    }
    return tn_parser_advance(parser) ? tn_arena_text(&parser->arena, text, token.length) : NULL;
}

/* A call of a function of the model while it is read. */
typedef struct routine_call {
    const char *name;
    tn_routine_kind kind;
    size_t offset;
    const tn_routine *routine;
    const char *subject;
} routine_call;

/* The name of the data, in its place. */
static bool parse_subject(tn_parser *parser, routine_call *call)
{
    const char *const form =
        call->kind == TN_NAMED_ROUTINE
            ? "`%s` begins with the name of its data, without quotes: %s(name, x)"
            : "the third argument of `%s` is the name of its data, without quotes: %s(x, 0, name)";
    call->subject = parse_item(parser, tn_arena_print(&parser->arena, form, call->name, call->name));
    return call->subject;
}

/* Looks the routine up; `subject`: NULL for one without data. */
static bool find_routine(tn_parser *parser, routine_call *call, const char *subject, size_t offset)
{
    char message[TN_LONGEST_REASON] = "";
    const tn_scope *const scope = parser->scope;
    call->routine = scope->routine(scope->data, call->name, subject, message, sizeof message);
    return call->routine || tn_parser_fail(parser, offset, "%s", message);
}

/* "(a, b, ...)", "(subject, a, ...)" or "(a, b, subject, ...)" behind the name of a function of the model. */
static bool parse_routine(tn_parser *parser, routine_call *call)
{
    const size_t opened = parser->token.offset;
    const bool plain = call->kind == TN_PLAIN_ROUTINE, first = call->kind == TN_NAMED_ROUTINE;
    const uint32_t subject_place = plain ? UINT32_MAX : first ? 0 : 2;
    if (!tn_parser_advance(parser) || (plain && !find_routine(parser, call, NULL, call->offset)))
        return false;
    uint32_t count = 0;
    for (bool more = first || !tn_parser_is(parser, TN_TOKEN_CLOSE); more;
         more = tn_parser_is(parser, TN_TOKEN_COMMA)) {
        if (count > 0 && !tn_parser_advance(parser)) return false;
        const size_t offset = parser->token.offset;
        const bool good = count == subject_place ? parse_subject(parser, call) &&
                                                       find_routine(parser, call, call->subject, offset)
                                                 : tn_parse_expression(parser);
        if (!good) return false;
        count++;
    }
    const tn_routine *const routine = call->routine;
    if (!tn_parser_close(parser, opened)) return false;
    if (!routine)
        return tn_parser_fail(parser, call->offset,
                              "`%s` needs the name of its data as third argument: %s(x, 0, name)", call->name,
                              call->name);
    if (first && count == 1 && routine->minimum_count > 0)
        return tn_parser_fail(parser, call->offset, "`%s` needs its argument: %s(%s, x)", routine->name,
                              routine->name, call->subject);
    const uint32_t named = plain ? 0 : 1;
    return tn_parser_check_count(parser, call->offset, routine->name, routine->minimum_count + named,
                                 routine->maximum_count + named, count) &&
           tn_parser_emitted(parser, call->offset, tn_tape_routine(&parser->builder, routine, count - named));
}

bool tn_parser_emit_symbol(tn_parser *parser, const char *name, size_t offset, tn_symbol symbol)
{
    if (symbol.kind == TN_SYMBOL_CONSTANT)
        return tn_parser_emitted(parser, offset, tn_tape_constant(&parser->builder, symbol.value));
    if (symbol.input >= parser->scope->input_count)
        return tn_parser_fail(parser, offset, "`%s` is input %u of only %u", name, symbol.input,
                              parser->scope->input_count);
    return tn_parser_emitted(parser, offset,
                             tn_tape_input(&parser->builder, symbol.input, symbol.steps, offset));
}

/* "(item, item, ...)" behind the name of a function of items. */
static bool parse_reference(tn_parser *parser, const char *name, size_t offset)
{
    const tn_scope *const scope = parser->scope;
    const size_t opened = parser->token.offset;
    tn_item_argument item[TN_MOST_ITEMS];
    uint32_t count = 0;
    const char *const form =
        tn_arena_print(&parser->arena, "the arguments of `%s` are names or ids of items", name);
    if (!tn_parser_advance(parser)) return false;
    for (bool more = !tn_parser_is(parser, TN_TOKEN_CLOSE); more;
         more = tn_parser_is(parser, TN_TOKEN_COMMA)) {
        if (count > 0 && !tn_parser_advance(parser)) return false;
        if (count == TN_MOST_ITEMS)
            return tn_parser_fail(parser, parser->token.offset, "`%s` takes at most %d items", name,
                                  TN_MOST_ITEMS);
        item[count].offset = parser->token.offset;
        item[count].text = parse_item(parser, form);
        if (!item[count++].text) return false;
    }
    if (!tn_parser_close(parser, opened)) return false;
    tn_expression_error error = {.offset = offset};
    const tn_symbol symbol = scope->refer(scope->data, name, item, count, &error);
    if (symbol.kind != TN_SYMBOL_CONSTANT && symbol.kind != TN_SYMBOL_INPUT) {
        *parser->error = error;
        return false;
    }
    return tn_parser_emit_symbol(parser, name, offset, symbol);
}

/* ---- names ------------------------------------------------------------------------------------------------- */

static bool is_if(const char *name) { return strcasecmp(name, "if") == 0; }

static const char *lower_case(tn_parser *parser, const char *name)
{
    char *const lower = tn_arena_text(&parser->arena, name, strlen(name));
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    return lower;
}

static bool fail_unknown(tn_parser *parser, size_t offset, const char *what, const char *name,
                         const char *nearest)
{
    if (nearest)
        return tn_parser_fail(parser, offset, "unknown %s `%s`: did you mean `%s`?", what, name, nearest);
    return tn_parser_fail(parser, offset, "unknown %s `%s`", what, name);
}

/* True when the model knows what is wrong with a name. */
static bool explained(tn_parser *parser, size_t offset, const char *name, bool called)
{
    const tn_scope *const scope = parser->scope;
    parser->error->offset = offset;
    return scope->explain &&
           scope->explain(scope->data, name, called, parser->error->message, sizeof parser->error->message);
}

/* A name that no scope knows: the nearest may be one of its names or a named constant. */
static bool fail_unknown_name(tn_parser *parser, size_t offset, const char *name)
{
    const tn_scope *const scope = parser->scope;
    if (explained(parser, offset, name, false)) return false;
    const char *const lower = lower_case(parser, name);
    if ((scope->is_reference && scope->is_reference(scope->data, lower)) ||
        (scope->delay && strcmp(lower, TN_DELAY_FUNCTION) == 0))
        return tn_parser_fail(parser, offset, "function `%s` without its arguments in parentheses", name);
    tn_nearest search;
    tn_nearest_start(&search, name);
    const char *const candidate = scope->nearest ? scope->nearest(scope->data, name) : NULL;
    if (candidate) tn_nearest_offer(&search, candidate);
    for (size_t i = 0; tn_constant_name(i); i++)
        tn_nearest_offer(&search, tn_constant_name(i));
    tn_nearest_offer(&search, "time");
    return fail_unknown(parser, offset, "name", name, search.best);
}

/* A name without parentheses: a named constant or what the scope says. */
static bool parse_variable(tn_parser *parser, const char *name, size_t offset)
{
    double constant;
    if (tn_constant_find(name, &constant))
        return tn_parser_emitted(parser, offset, tn_tape_constant(&parser->builder, constant));
    if (tn_function_find(name) || is_if(name))
        return tn_parser_fail(parser, offset, "function `%s` without its arguments in parentheses", name);

    const char *const wanted = strcasecmp(name, "time") == 0 ? "time" : name;
    const tn_symbol symbol = parser->scope->resolve(parser->scope->data, wanted);
    if (symbol.kind == TN_SYMBOL_ERROR) return tn_parser_fail(parser, offset, "%s", "");
    if (symbol.kind == TN_SYMBOL_UNKNOWN) return fail_unknown_name(parser, offset, name);
    return tn_parser_emit_symbol(parser, name, offset, symbol);
}

/* A name before parentheses that is no function: perhaps a `*` was left out. */
static bool fail_no_function(tn_parser *parser, const char *name, size_t offset)
{
    double constant;
    bool known = tn_constant_find(name, &constant) || strcasecmp(name, "time") == 0;
    if (!known) {
        const tn_symbol_kind kind = parser->scope->resolve(parser->scope->data, name).kind;
        if (kind == TN_SYMBOL_ERROR) return tn_parser_fail(parser, offset, "%s", "");
        known = kind != TN_SYMBOL_UNKNOWN;
    }
    if (known)
        return tn_parser_fail(parser, offset, "`%s` is not a function: to multiply write `%s*(`", name, name);
    const char *const nearest = tn_function_nearest(name);
    if (!nearest && explained(parser, offset, name, true)) return false;
    return fail_unknown(parser, offset, "function", name, nearest);
}

bool tn_parse_name(tn_parser *parser)
{
    const tn_token token = parser->token;
    const tn_scope *const scope = parser->scope;
    const char *const name = tn_arena_text(&parser->arena, parser->lexer.text + token.offset, token.length);
    if (!tn_parser_advance(parser)) return false;
    if (!tn_parser_is(parser, TN_TOKEN_OPEN)) return parse_variable(parser, name, token.offset);
    if (is_if(name)) return parse_if(parser, token.offset);
    const tn_function *const function = tn_function_find(name);
    if (function) return parse_call(parser, function, token.offset);
    const char *const lower = lower_case(parser, name);
    if (scope->is_reference && scope->is_reference(scope->data, lower))
        return parse_reference(parser, lower, token.offset);
    if (scope->delay && strcmp(lower, TN_DELAY_FUNCTION) == 0)
        return tn_parse_delay(parser, name, token.offset);
    routine_call call = {.name = lower, .kind = TN_NO_ROUTINE, .offset = token.offset};
    if (scope->routine_kind) call.kind = scope->routine_kind(scope->data, lower);
    return call.kind != TN_NO_ROUTINE ? parse_routine(parser, &call)
                                      : fail_no_function(parser, name, token.offset);
}
