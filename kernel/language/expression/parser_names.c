/* parser_names.c - calls of functions, and names that stand alone.
 *
 *   call = name "(" [ expression { "," expression } ] ")"                   a function of the language or of the model
 *        | "IF" "(" expression ":" expression "," expression "," expression ")"
 *        | name "(" item "," expression ... ")" | name "(" expression "," expression "," item ... ")"    data by name
 *        | name "(" [ item { "," item } ] ")"                               a reference to items of the model
 *        | "delay" "(" expression "," expression "," expression ")"         a look back
 *   item = name | integer */
#include "expression/parser.h"

#include <string.h>
#include <strings.h>

/* ---- arguments --------------------------------------------------------------------------------------------- */

/* A call while it is read. */
typedef struct call {
    const char *name; /* for messages */
    size_t offset;    /* of the name */
    uint32_t count;   /* of its arguments so far */
    const tn_function *function;
    tn_routine_kind kind; /* of a function of the model, */
    const tn_routine *routine;
    uint32_t subject_place; /* the argument that names its data, */
    const char *subject;    /* and that name */
    tn_item_argument item[TN_MOST_ITEMS];
    tn_argument_text text[TN_DELAY_ARGUMENTS];
} call;

/* "(a, b, ...)" behind a name, the arguments one by one by a function. */
static bool parse_arguments(tn_parser *parser, call *c, bool (*parse_argument)(tn_parser *, call *))
{
    const size_t opened = parser->token.offset;
    if (!tn_parser_advance(parser)) return false;
    for (bool more = c->kind == TN_NAMED_ROUTINE || !tn_parser_is(parser, TN_TOKEN_CLOSE); more;
         more = tn_parser_is(parser, TN_TOKEN_COMMA)) {
        if ((c->count > 0 && !tn_parser_advance(parser)) || !parse_argument(parser, c)) return false;
        c->count++;
    }
    return tn_parser_close(parser, opened);
}

static bool check_argument_count(tn_parser *parser, const call *c, uint32_t least, uint32_t most)
{
    if (c->count >= least && c->count <= most) return true;
    if (most == TN_ANY_COUNT)
        return tn_parser_fail(parser, c->offset, "`%s` takes at least %u arguments, not %u", c->name, least,
                              c->count);
    if (most > least)
        return tn_parser_fail(parser, c->offset, "`%s` takes %u to %u arguments, not %u", c->name, least,
                              most, c->count);
    return tn_parser_fail(parser, c->offset, "`%s` takes %u argument%s, not %u", c->name, least,
                          least == 1 ? "" : "s", c->count);
}

/* ---- functions of the language ----------------------------------------------------------------------------- */

static bool parse_function_argument(tn_parser *parser, call *c)
{
    return tn_parse_expression(parser) &&
           (c->count == 0 || !c->function->in_pairs ||
            tn_parser_emitted(parser, c->offset, tn_tape_call(&parser->builder, c->function, 2)));
}

static bool parse_function(tn_parser *parser, call *c)
{
    const tn_function *const function = c->function;
    c->name = function->name;
    if (!parse_arguments(parser, c, parse_function_argument) ||
        !check_argument_count(parser, c, function->minimum_count, function->maximum_count))
        return false;
    return function->in_pairs ||
           tn_parser_emitted(parser, c->offset, tn_tape_call(&parser->builder, function, c->count));
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
        if (!tn_parser_is(parser, branch == 0 ? TN_TOKEN_COLON : TN_TOKEN_COMMA))
            return tn_parser_fail_before(parser, missing[branch > 0]);
        if (!tn_parser_advance(parser)) return false;
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

/* The name or id of something in the model; NULL after failing, in words that name the function twice at most. */
static const char *parse_item(tn_parser *parser, const call *c, const char *form)
{
    const tn_token token = parser->token;
    const char *const text = parser->lexer.text + token.offset;
    if (token.kind != TN_TOKEN_NAME && !(token.kind == TN_TOKEN_NUMBER && is_integer(text, token.length))) {
        (void)tn_parser_fail(parser, token.offset, form, c->name, c->name);
        return NULL;
    }
    return tn_parser_advance(parser) ? tn_arena_text(&parser->arena, text, token.length) : NULL;
}

/* Looks the routine up, by its data if it has any. */
static bool find_routine(tn_parser *parser, call *c, size_t offset)
{
    char message[TN_LONGEST_REASON] = "";
    const tn_scope *const scope = parser->scope;
    c->routine = scope->routine(scope->routine_data, c->name, c->subject, message, sizeof message);
    return c->routine || tn_parser_fail(parser, offset, "%s", message);
}

/* A value, or the name of the data in its place. */
static bool parse_routine_argument(tn_parser *parser, call *c)
{
    if (c->count != c->subject_place) return tn_parse_expression(parser);
    const size_t offset = parser->token.offset;
    c->subject = parse_item(
        parser, c,
        c->kind == TN_NAMED_ROUTINE
            ? "`%s` begins with the name of its data, without quotes: %s(name, x)"
            : "the third argument of `%s` is the name of its data, without quotes: %s(x, 0, name)");
    return c->subject && find_routine(parser, c, offset);
}

/* One of the readings of a routine, as an argument that was not written. */
static bool parse_reading(tn_parser *parser, const call *c, const char *text)
{
    const tn_parser outer = *parser;
    tn_expression *const expression = parser->builder.expression;
    const size_t place = tn_parser_place(parser, c->offset);
    const size_t first = expression->instruction_count, first_used = expression->used_count;
    parser->lexer = (tn_lexer){.text = text, .length = strlen(text)};
    parser->call = &place;
    const bool good = tn_parse_text(parser);
    if (!good && parser->error->message[0] && !outer.call) {
        const char *const problem =
            tn_arena_text(&parser->arena, parser->error->message, strlen(parser->error->message));
        (void)tn_print_cut(parser->error->message, sizeof parser->error->message, "`%s` reads `%s`: %s",
                           c->routine->name, text, problem);
    }
    if (!good) parser->error->offset = place;
    for (size_t k = first; k < expression->instruction_count; k++)
        expression->offset[k] = (uint32_t)place;
    for (size_t k = first_used; k < expression->used_count; k++)
        expression->used[k].offset = place;
    parser->lexer = outer.lexer;
    parser->token = outer.token;
    parser->call = outer.call;
    return good;
}

static bool parse_readings(tn_parser *parser, const call *c)
{
    bool good = true;
    for (uint32_t k = 0; k < c->routine->reading_count && good; k++)
        good = parse_reading(parser, c, c->routine->reading[k]);
    return good;
}

/* "(a, b, ...)", "(subject, a, ...)" or "(a, b, subject, ...)" behind the name of a function of the model. */
static bool parse_routine(tn_parser *parser, call *c)
{
    const bool plain = c->kind == TN_PLAIN_ROUTINE, first = c->kind == TN_NAMED_ROUTINE;
    c->subject_place = plain ? UINT32_MAX : first ? 0 : 2;
    if ((plain && !find_routine(parser, c, c->offset)) || !parse_arguments(parser, c, parse_routine_argument))
        return false;
    const tn_routine *const routine = c->routine;
    if (!routine)
        return tn_parser_fail(parser, c->offset,
                              "`%s` needs the name of its data as third argument: %s(x, 0, name)", c->name,
                              c->name);
    c->name = routine->name;
    if (first && c->count == 1 && routine->minimum_count > 0)
        return tn_parser_fail(parser, c->offset, "`%s` needs its argument: %s(%s, x)", c->name, c->name,
                              c->subject);
    const uint32_t named = plain ? 0 : 1;
    return check_argument_count(parser, c, routine->minimum_count + named, routine->maximum_count + named) &&
           parse_readings(parser, c) &&
           tn_parser_emitted(
               parser, c->offset,
               tn_tape_routine(&parser->builder, routine, c->count - named + routine->reading_count));
}

/* ---- what the scope knows ---------------------------------------------------------------------------------- */

/* Emits what a name or call stands for, or fails with the error of the scope. */
static bool emit_symbol(tn_parser *parser, const char *name, size_t offset, tn_symbol symbol,
                        const tn_expression_error *error)
{
    if (symbol.kind == TN_SYMBOL_CONSTANT)
        return tn_parser_emitted(parser, offset, tn_tape_constant(&parser->builder, symbol.value));
    if (symbol.kind != TN_SYMBOL_INPUT) {
        *parser->error = *error;
        return false;
    }
    if (symbol.input >= parser->scope->input_count)
        return tn_parser_fail(parser, offset, "`%s` is input %u of only %u", name, symbol.input,
                              parser->scope->input_count);
    return tn_parser_emitted(parser, offset,
                             tn_tape_input(&parser->builder, symbol.input, symbol.steps, offset));
}

static bool parse_item_argument(tn_parser *parser, call *c)
{
    if (c->count == TN_MOST_ITEMS)
        return tn_parser_fail(parser, parser->token.offset, "`%s` takes at most %d items", c->name,
                              TN_MOST_ITEMS);
    tn_item_argument *const item = &c->item[c->count];
    item->offset = tn_parser_place(parser, parser->token.offset);
    item->text = parse_item(parser, c, "the arguments of `%s` are names or ids of items");
    return item->text;
}

/* "(item, item, ...)" behind the name of a function of items. */
static bool parse_reference(tn_parser *parser, call *c)
{
    const tn_scope *const scope = parser->scope;
    if (!parse_arguments(parser, c, parse_item_argument)) return false;
    tn_expression_error error = {.offset = tn_parser_place(parser, c->offset)};
    const tn_symbol symbol = scope->refer(scope->data, c->name, c->item, c->count, &error);
    return emit_symbol(parser, c->name, c->offset, symbol, &error);
}

/* An argument of delay, which the scope compiles: here only its end is found, a comma or parenthesis. */
static bool parse_delay_argument(tn_parser *parser, call *c)
{
    uint32_t open = 0;
    tn_argument_text text = {.offset = parser->token.offset};
    if (tn_parser_is(parser, TN_TOKEN_COMMA) || tn_parser_is(parser, TN_TOKEN_CLOSE))
        return tn_parser_fail_before(parser, "a number, a name or `(` is missing before");
    while (open > 0 || !(tn_parser_is(parser, TN_TOKEN_COMMA) || tn_parser_is(parser, TN_TOKEN_CLOSE))) {
        if (tn_parser_is(parser, TN_TOKEN_END)) break; /* the parenthesis is missed later */
        if (tn_parser_is(parser, TN_TOKEN_OPEN)) open++;
        if (tn_parser_is(parser, TN_TOKEN_CLOSE)) open--;
        text.length = parser->token.offset + parser->token.length - text.offset;
        if (!tn_parser_advance(parser)) return false;
    }
    if (c->count < TN_DELAY_ARGUMENTS) c->text[c->count] = text;
    return true;
}

/* "(value, lag, start)" behind the name of the function delay. */
static bool parse_delay(tn_parser *parser, call *c)
{
    const tn_scope *const scope = parser->scope;
    if (parser->call) return tn_parser_fail(parser, c->offset, "`%s` cannot be read by a function", c->name);
    if (!parse_arguments(parser, c, parse_delay_argument) ||
        !check_argument_count(parser, c, TN_DELAY_ARGUMENTS, TN_DELAY_ARGUMENTS))
        return false;
    tn_expression_error error = {.offset = c->offset};
    const tn_symbol symbol = scope->delay(scope->data, c->text, &error);
    return emit_symbol(parser, c->name, c->offset, symbol, &error);
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
    return tn_parser_fail(parser, offset, "unknown %s `%s`%s%s%s", what, name,
                          nearest ? ": did you mean `" : "", nearest ? nearest : "", nearest ? "`?" : "");
}

/* True when the model knows what is wrong with a name. */
static bool is_explained(tn_parser *parser, size_t offset, const char *name, bool called)
{
    const tn_scope *const scope = parser->scope;
    parser->error->offset = offset;
    return scope->explain && scope->explain(scope->routine_data, name, called, parser->error->message,
                                            sizeof parser->error->message);
}

/* A name that no scope knows: the nearest may be one of its names or a named constant. */
static bool fail_unknown_name(tn_parser *parser, size_t offset, const char *name)
{
    const tn_scope *const scope = parser->scope;
    if (is_explained(parser, offset, name, false)) return false;
    const char *const lower = lower_case(parser, name);
    if ((scope->is_reference && scope->is_reference(scope->routine_data, lower)) ||
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
    if (symbol.kind == TN_SYMBOL_UNKNOWN) return fail_unknown_name(parser, offset, name);
    return emit_symbol(parser, name, offset, symbol, &(tn_expression_error){.offset = offset});
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
    if (!nearest && is_explained(parser, offset, name, true)) return false;
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
    const char *const lower = lower_case(parser, name);
    call c = {.name = lower, .offset = token.offset, .function = tn_function_find(name)};
    if (c.function) return parse_function(parser, &c);
    if (scope->is_reference && scope->is_reference(scope->routine_data, lower))
        return parse_reference(parser, &c);
    if (scope->delay && strcmp(lower, TN_DELAY_FUNCTION) == 0) {
        c.name = name;
        return parse_delay(parser, &c);
    }
    if (scope->routine_kind) c.kind = scope->routine_kind(scope->routine_data, lower);
    return c.kind != TN_NO_ROUTINE ? parse_routine(parser, &c) : fail_no_function(parser, name, token.offset);
}
