/* parser.c - recursive descent from tokens to a tape.
 *
 *   expression = conjunction { "or" conjunction }       comparison = sum [ ("<" | "<=" | ...) sum ]
 *   conjunction = negation { "and" negation }           sum        = product { ("+" | "-") product }
 *   negation   = "not" negation | comparison            product    = signed { ("*" | "/") signed }
 *   signed     = ("+" | "-") signed | power             power      = operand [ "**" signed ]
 *   operand    = number | name | name "(" expression { "," expression } ")" | "(" expression ")" */
#include "base/text.h"
#include "expression/functions.h"
#include "expression/lexer.h"
#include "expression/tape_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DEEPEST_NESTING = 200, /* keeps a hostile text from exhausting the C stack */
    LONGEST_NAME = 511,
    LONGEST_QUOTE = 40 /* letters of an offending token that a message repeats */
};

typedef struct tn_parser {
    tn_lexer lexer;
    tn_token token; /* the one to be looked at next */
    const tn_scope *scope;
    tn_expression_error *error;
    tn_tape_builder builder;
    int nesting;
} tn_parser;

__attribute__((format(printf, 3, 4))) static bool fail(tn_parser *parser, size_t offset, const char *format,
                                                       ...)
{
    parser->error->offset = offset;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Passes on the verdict of the tape builder. */
static bool emitted(tn_parser *parser, size_t offset, const char *problem)
{
    return problem ? fail(parser, offset, "%s", problem) : true;
}

static bool is(const tn_parser *parser, tn_token_kind kind) { return parser->token.kind == kind; }

/* Reads the next token; the only place that refuses logic where it is not allowed. */
static bool advance(tn_parser *parser)
{
    if (!tn_lexer_next(&parser->lexer, &parser->token, parser->error)) return false;
    if (parser->token.kind >= TN_TOKEN_LESS && !parser->scope->allow_logic)
        return fail(parser, parser->token.offset, "comparisons are known at load time only");
    return true;
}

/* Complains about the token at hand: "<what> `)`" or "<what> the end of the text". */
static bool fail_before(tn_parser *parser, const char *what)
{
    const tn_token *const token = &parser->token;
    if (token->kind == TN_TOKEN_END) return fail(parser, token->offset, "%s the end of the text", what);
    const int length = token->length < LONGEST_QUOTE ? (int)token->length : LONGEST_QUOTE;
    return fail(parser, token->offset, "%s `%.*s`", what, length, parser->lexer.text + token->offset);
}

/* Every cycle of the grammar passes through here. */
static bool enter(tn_parser *parser)
{
    if (++parser->nesting <= DEEPEST_NESTING) return true;
    return fail(parser, parser->token.offset, "nested deeper than %d levels", DEEPEST_NESTING);
}

static bool parse_expression(tn_parser *parser);
static bool parse_signed(tn_parser *parser);

static bool close_parenthesis(tn_parser *parser, size_t opened)
{
    if (is(parser, TN_TOKEN_CLOSE)) return advance(parser);
    if (is(parser, TN_TOKEN_END))
        return fail(parser, parser->token.offset, "missing `)`: the `(` at character %zu is not closed",
                    opened + 1);
    return fail_before(parser, "`)` or an operator missing before");
}

static bool check_count(tn_parser *parser, size_t offset, const char *name, uint32_t least, uint32_t most,
                        uint32_t count)
{
    if (count >= least && count <= most) return true;
    if (most == TN_ANY_COUNT)
        return fail(parser, offset, "`%s` takes at least %u arguments, not %u", name, least, count);
    if (most > least)
        return fail(parser, offset, "`%s` takes %u to %u arguments, not %u", name, least, most, count);
    return fail(parser, offset, "`%s` takes %u argument%s, not %u", name, most, most == 1 ? "" : "s", count);
}

/* "(a, b, ...)" behind the name of a function that stands at `offset`. */
static bool parse_call(tn_parser *parser, const tn_function *function, size_t offset)
{
    const size_t opened = parser->token.offset;
    uint32_t count = 0;
    if (!advance(parser)) return false;
    if (!is(parser, TN_TOKEN_CLOSE)) {
        if (!parse_expression(parser)) return false;
        for (count = 1; is(parser, TN_TOKEN_COMMA); count++)
            if (!advance(parser) || !parse_expression(parser)) return false;
    }
    if (!close_parenthesis(parser, opened) ||
        !check_count(parser, offset, function->name, function->minimum_count, function->maximum_count, count))
        return false;
    return emitted(parser, offset, tn_tape_call(&parser->builder, function, count));
}

/* The name of something in the model, in front of a comma or the closing parenthesis. */
static bool parse_subject(tn_parser *parser, const char *function, char *subject)
{
    const tn_token token = parser->token;
    if (token.length > LONGEST_NAME)
        return fail(parser, token.offset, "name with more than %d characters", LONGEST_NAME);
    if (token.kind != TN_TOKEN_NAME)
        return fail(parser, token.offset,
                    "`%s` begins with the name of its data, without quotes: %s(name, x)", function, function);
    memcpy(subject, parser->lexer.text + token.offset, token.length);
    subject[token.length] = '\0';
    return advance(parser);
}

/* "(a, b, ...)" or "(subject, a, ...)" behind the name of a function of the model. */
static bool parse_routine(tn_parser *parser, const char *name, tn_routine_kind kind, size_t offset)
{
    const tn_scope *const scope = parser->scope;
    const size_t opened = parser->token.offset;
    char subject[LONGEST_NAME + 1];
    uint32_t count = 0;
    if (!advance(parser)) return false;
    const size_t place = kind == TN_NAMED_ROUTINE ? parser->token.offset : offset;
    if (kind == TN_NAMED_ROUTINE && !parse_subject(parser, name, subject)) return false;
    char message[sizeof parser->error->message] = "";
    const tn_routine *const routine =
        scope->routine(scope->data, name, kind == TN_NAMED_ROUTINE ? subject : NULL, message, sizeof message);
    if (!routine) return fail(parser, place, "%s", message);
    bool more = kind == TN_NAMED_ROUTINE ? is(parser, TN_TOKEN_COMMA) : !is(parser, TN_TOKEN_CLOSE);
    if (more && kind == TN_NAMED_ROUTINE && !advance(parser)) return false;
    while (more) {
        if (!parse_expression(parser)) return false;
        count++;
        more = is(parser, TN_TOKEN_COMMA);
        if (more && !advance(parser)) return false;
    }
    if (!close_parenthesis(parser, opened)) return false;
    if (count < routine->minimum_count && kind == TN_NAMED_ROUTINE && !count)
        return fail(parser, offset, "`%s` needs the place where the value is wanted: %s(%s, x)",
                    routine->name, routine->name, subject);
    const uint32_t named = kind == TN_NAMED_ROUTINE ? 1 : 0;
    if (!check_count(parser, offset, routine->name, routine->minimum_count + named,
                     routine->maximum_count + named, count + named))
        return false;
    return emitted(parser, offset, tn_tape_routine(&parser->builder, routine, count));
}

static bool fail_unknown(tn_parser *parser, size_t offset, const char *what, const char *name,
                         const char *nearest)
{
    if (nearest) return fail(parser, offset, "unknown %s `%s`: did you mean `%s`?", what, name, nearest);
    return fail(parser, offset, "unknown %s `%s`", what, name);
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
        return emitted(parser, offset, tn_tape_constant(&parser->builder, constant));
    if (tn_function_find(name))
        return fail(parser, offset, "function `%s` without its arguments in parentheses", name);

    const char *const wanted = strcasecmp(name, "time") == 0 ? "time" : name;
    const tn_symbol symbol = parser->scope->resolve(parser->scope->data, wanted);
    switch (symbol.kind) {
    case TN_SYMBOL_CONSTANT:
        return emitted(parser, offset, tn_tape_constant(&parser->builder, symbol.value));
    case TN_SYMBOL_INPUT:
        if (symbol.input < parser->scope->input_count)
            return emitted(parser, offset, tn_tape_input(&parser->builder, symbol.input, offset));
        return fail(parser, offset, "`%s` is input %u of only %u", name, symbol.input,
                    parser->scope->input_count);
    case TN_SYMBOL_ERROR:
        return fail(parser, offset, "%s", "");
    case TN_SYMBOL_UNKNOWN:
        break;
    }
    return fail_unknown_name(parser, offset, name);
}

/* A name before parentheses that is no function: perhaps a `*` was left out. */
static bool fail_no_function(tn_parser *parser, const char *name, size_t offset)
{
    double constant;
    bool known = tn_constant_find(name, &constant) || strcasecmp(name, "time") == 0;
    if (!known) {
        const tn_symbol_kind kind = parser->scope->resolve(parser->scope->data, name).kind;
        if (kind == TN_SYMBOL_ERROR) return fail(parser, offset, "%s", "");
        known = kind != TN_SYMBOL_UNKNOWN;
    }
    if (known) return fail(parser, offset, "`%s` is no function: to multiply write `%s*(`", name, name);
    const char *const nearest = tn_function_nearest(name);
    if (!nearest && explained(parser, offset, name, true)) return false;
    return fail_unknown(parser, offset, "function", name, nearest);
}

static bool parse_name(tn_parser *parser)
{
    const tn_token token = parser->token;
    char name[LONGEST_NAME + 1];
    if (token.length > LONGEST_NAME)
        return fail(parser, token.offset, "name with more than %d characters", LONGEST_NAME);
    memcpy(name, parser->lexer.text + token.offset, token.length);
    name[token.length] = '\0';

    if (!advance(parser)) return false;
    if (!is(parser, TN_TOKEN_OPEN)) return parse_variable(parser, name, token.offset);
    const tn_function *const function = tn_function_find(name);
    if (function) return parse_call(parser, function, token.offset);
    for (char *letter = name; *letter; letter++)
        if (*letter >= 'A' && *letter <= 'Z') *letter = (char)(*letter - 'A' + 'a');
    const tn_scope *const scope = parser->scope;
    const tn_routine_kind kind = scope->routine_kind ? scope->routine_kind(scope->data, name) : TN_NO_ROUTINE;
    if (kind != TN_NO_ROUTINE) return parse_routine(parser, name, kind, token.offset);
    memcpy(name, parser->lexer.text + token.offset, token.length);
    return fail_no_function(parser, name, token.offset);
}

static bool parse_operand(tn_parser *parser)
{
    const tn_token token = parser->token;
    switch (token.kind) {
    case TN_TOKEN_NUMBER:
        return advance(parser) &&
               emitted(parser, token.offset, tn_tape_constant(&parser->builder, token.number));
    case TN_TOKEN_NAME:
        return parse_name(parser);
    case TN_TOKEN_OPEN:
        return advance(parser) && parse_expression(parser) && close_parenthesis(parser, token.offset);
    default:
        return fail_before(parser, "a number, a name or `(` is missing before");
    }
}

static bool parse_power(tn_parser *parser)
{
    if (!parse_operand(parser)) return false;
    if (!is(parser, TN_TOKEN_POWER)) return true;
    const size_t offset = parser->token.offset;
    return advance(parser) && parse_signed(parser) &&
           emitted(parser, offset, tn_tape_power(&parser->builder));
}

static bool parse_signed(tn_parser *parser)
{
    if (!enter(parser)) return false;
    const tn_token token = parser->token;
    bool done;
    if (token.kind == TN_TOKEN_PLUS)
        done = advance(parser) && parse_signed(parser);
    else if (token.kind == TN_TOKEN_MINUS)
        done = advance(parser) && parse_signed(parser) &&
               emitted(parser, token.offset, tn_tape_operation(&parser->builder, TN_OPERATION_NEGATE));
    else
        done = parse_power(parser);
    parser->nesting--;
    return done;
}

static bool parse_product(tn_parser *parser)
{
    if (!parse_signed(parser)) return false;
    while (is(parser, TN_TOKEN_TIMES) || is(parser, TN_TOKEN_DIVIDE)) {
        const tn_token token = parser->token;
        const tn_operation operation =
            token.kind == TN_TOKEN_TIMES ? TN_OPERATION_MULTIPLY : TN_OPERATION_DIVIDE;
        if (!advance(parser) || !parse_signed(parser)) return false;
        if (!emitted(parser, token.offset, tn_tape_operation(&parser->builder, operation))) return false;
    }
    return true;
}

static bool parse_sum(tn_parser *parser)
{
    if (!parse_product(parser)) return false;
    while (is(parser, TN_TOKEN_PLUS) || is(parser, TN_TOKEN_MINUS)) {
        const tn_token token = parser->token;
        const tn_operation operation = token.kind == TN_TOKEN_PLUS ? TN_OPERATION_ADD : TN_OPERATION_SUBTRACT;
        if (!advance(parser) || !parse_product(parser)) return false;
        if (!emitted(parser, token.offset, tn_tape_operation(&parser->builder, operation))) return false;
    }
    return true;
}

static bool is_comparison(const tn_parser *parser)
{
    return parser->token.kind >= TN_TOKEN_LESS && parser->token.kind <= TN_TOKEN_NOT_EQUAL;
}

static bool parse_comparison(tn_parser *parser)
{
    if (!parse_sum(parser)) return false;
    if (!is_comparison(parser)) return true;
    const tn_token token = parser->token;
    const tn_function *const function = &tn_comparisons[token.kind - TN_TOKEN_LESS];
    if (!advance(parser) || !parse_sum(parser)) return false;
    if (is_comparison(parser))
        return fail(parser, parser->token.offset, "comparisons do not chain: join them with `and`");
    return emitted(parser, token.offset, tn_tape_call(&parser->builder, function, 2));
}

static bool parse_negation(tn_parser *parser)
{
    if (!is(parser, TN_TOKEN_NOT)) return parse_comparison(parser);
    const size_t offset = parser->token.offset;
    if (!enter(parser)) return false;
    const bool done = advance(parser) && parse_negation(parser) &&
                      emitted(parser, offset, tn_tape_call(&parser->builder, &tn_operator_not, 1));
    parser->nesting--;
    return done;
}

static bool emit_truth(tn_parser *parser, size_t offset)
{
    return emitted(parser, offset, tn_tape_call(&parser->builder, &tn_operator_truth, 1));
}

/* `and` and `or`, which leave the right side alone when the left one decides: it may guard a division. */
static bool parse_junction(tn_parser *parser, tn_token_kind word, tn_operation skip,
                           bool (*parse_side)(tn_parser *))
{
    if (!parse_side(parser)) return false;
    while (is(parser, word)) {
        const size_t offset = parser->token.offset;
        size_t branch;
        if (!advance(parser) || !emit_truth(parser, offset)) return false;
        if (!emitted(parser, offset, tn_tape_branch(&parser->builder, skip, &branch))) return false;
        if (!parse_side(parser) || !emit_truth(parser, offset)) return false;
        tn_tape_join(&parser->builder, branch);
    }
    return true;
}

static bool parse_conjunction(tn_parser *parser)
{
    return parse_junction(parser, TN_TOKEN_AND, TN_OPERATION_SKIP_IF_ZERO, parse_negation);
}

static bool parse_expression(tn_parser *parser)
{
    return parse_junction(parser, TN_TOKEN_OR, TN_OPERATION_SKIP_UNLESS_ZERO, parse_conjunction);
}

/* Nothing may follow the expression. */
static bool parse_end(tn_parser *parser)
{
    switch (parser->token.kind) {
    case TN_TOKEN_END:
        return true;
    case TN_TOKEN_CLOSE:
        return fail(parser, parser->token.offset, "`)` without a `(` before it");
    case TN_TOKEN_COMMA:
        return fail(parser, parser->token.offset, "`,` outside the arguments of a function");
    default:
        return fail_before(parser, "an operator is missing before");
    }
}

static bool parse_text(tn_parser *parser)
{
    if (parser->lexer.length > INT32_MAX) return fail(parser, 0, "the text is too long");
    if (!advance(parser)) return false;
    if (is(parser, TN_TOKEN_END)) return fail(parser, parser->token.offset, "the expression is empty");
    return parse_expression(parser) && parse_end(parser);
}

tn_expression *tn_expression_compile(const char *text, size_t length, const tn_scope *scope,
                                     tn_expression_error *error)
{
    *error = (tn_expression_error){.offset = 0};
    tn_expression *const expression = calloc(1, sizeof *expression);
    tn_parser parser = {.lexer = {.text = text, .length = length},
                        .scope = scope,
                        .error = error,
                        .builder = {.expression = expression}};
    if (!expression) {
        fail(&parser, 0, "out of memory");
        return NULL;
    }
    if (!parse_text(&parser)) {
        tn_expression_free(expression);
        return NULL;
    }
    expression->input_count = scope->input_count;
    return expression;
}

bool tn_expression_reserved(const char *name)
{
    double constant;
    return tn_function_find(name) || tn_constant_find(name, &constant) || strcasecmp(name, "time") == 0 ||
           tn_lexer_is_keyword(name);
}
