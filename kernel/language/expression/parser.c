/* parser.c - recursive descent from tokens to a tape.
 *
 *   expression = conjunction { "or" conjunction }       comparison = sum [ ("<" | "<=" | ...) sum ]
 *   conjunction = negation { "and" negation }           sum        = product { ("+" | "-") product }
 *   negation   = "not" negation | comparison            product    = signed { ("*" | "/") signed }
 *   signed     = ("+" | "-") signed | power             power      = operand [ "**" signed ]
 *   operand    = number | name | call | "(" expression ")"
 *
 * Calls and names: parser_names.c. */
#include "expression/parser.h"

#include <strings.h>

enum {
    DEEPEST_NESTING = 200, /* keeps a hostile text from exhausting the C stack */
    LONGEST_QUOTE = 40     /* letters of an offending token that a message repeats */
};

bool tn_parser_advance(tn_parser *parser)
{
    return tn_lexer_next(&parser->lexer, &parser->token, parser->error);
}

bool tn_parser_fail_before(tn_parser *parser, const char *what)
{
    const tn_token *const token = &parser->token;
    if (token->kind == TN_TOKEN_END)
        return tn_parser_fail(parser, token->offset, "%s the end of the text", what);
    return tn_parser_fail(parser, token->offset, "%s `%.*s%s`", what,
                          token->length < LONGEST_QUOTE ? (int)token->length : LONGEST_QUOTE,
                          parser->lexer.text + token->offset, token->length > LONGEST_QUOTE ? "..." : "");
}

/* Every cycle of the grammar passes through here. */
static bool enter_nesting(tn_parser *parser)
{
    if (++parser->nesting <= DEEPEST_NESTING) return true;
    return tn_parser_fail(parser, parser->token.offset, "nested deeper than %d levels", DEEPEST_NESTING);
}

static bool parse_signed(tn_parser *parser);

bool tn_parser_close(tn_parser *parser, size_t opened)
{
    if (tn_parser_is(parser, TN_TOKEN_CLOSE)) return tn_parser_advance(parser);
    if (tn_parser_is(parser, TN_TOKEN_END))
        return tn_parser_fail(parser, parser->token.offset,
                              "missing `)`: the `(` at character %zu is not closed", opened + 1);
    return tn_parser_fail_before(parser, "`)` or an operator missing before");
}

static bool parse_operand(tn_parser *parser)
{
    const tn_token token = parser->token;
    switch (token.kind) {
    case TN_TOKEN_NUMBER:
        return tn_parser_advance(parser) &&
               tn_parser_emitted(parser, token.offset, tn_tape_constant(&parser->builder, token.number));
    case TN_TOKEN_NAME:
        return tn_parse_name(parser);
    case TN_TOKEN_OPEN:
        return tn_parser_advance(parser) && tn_parse_expression(parser) &&
               tn_parser_close(parser, token.offset);
    default:
        return tn_parser_fail_before(parser, "a number, a name or `(` is missing before");
    }
}

static bool parse_power(tn_parser *parser)
{
    if (!parse_operand(parser)) return false;
    if (!tn_parser_is(parser, TN_TOKEN_POWER)) return true;
    const size_t offset = parser->token.offset;
    return tn_parser_advance(parser) && parse_signed(parser) &&
           tn_parser_emitted(parser, offset, tn_tape_power(&parser->builder));
}

static bool parse_signed(tn_parser *parser)
{
    if (!enter_nesting(parser)) return false;
    const tn_token token = parser->token;
    bool done;
    if (token.kind == TN_TOKEN_PLUS)
        done = tn_parser_advance(parser) && parse_signed(parser);
    else if (token.kind == TN_TOKEN_MINUS)
        done =
            tn_parser_advance(parser) && parse_signed(parser) &&
            tn_parser_emitted(parser, token.offset, tn_tape_operation(&parser->builder, TN_OPERATION_NEGATE));
    else
        done = parse_power(parser);
    parser->nesting--;
    return done;
}

/* A chain of sums or of products, which begin with `first` among the tokens and the operations, in the same order. */
static bool parse_chain(tn_parser *parser, tn_token_kind first, bool (*parse_side)(tn_parser *))
{
    if (!parse_side(parser)) return false;
    while (tn_parser_is(parser, first) || tn_parser_is(parser, first + 1)) {
        const tn_token token = parser->token;
        const tn_operation operation = TN_OPERATION_ADD + (token.kind - TN_TOKEN_PLUS);
        if (!tn_parser_advance(parser) || !parse_side(parser) ||
            !tn_parser_emitted(parser, token.offset, tn_tape_operation(&parser->builder, operation)))
            return false;
    }
    return true;
}

static bool parse_product(tn_parser *parser) { return parse_chain(parser, TN_TOKEN_TIMES, parse_signed); }

static bool parse_sum(tn_parser *parser) { return parse_chain(parser, TN_TOKEN_PLUS, parse_product); }

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
    if (!tn_parser_advance(parser) || !parse_sum(parser)) return false;
    if (is_comparison(parser))
        return tn_parser_fail(parser, parser->token.offset, "comparisons do not chain: join them with `and`");
    if (token.kind >= TN_TOKEN_EQUAL) tn_tape_note_instant(&parser->builder, token.offset);
    return tn_parser_emitted(parser, token.offset, tn_tape_call(&parser->builder, function, 2));
}

/* A value that is not 0 or 1 already becomes so. */
static bool emit_truth(tn_parser *parser, size_t offset)
{
    if (tn_tape_is_logical(&parser->builder)) return true;
    return tn_parser_emitted(parser, offset, tn_tape_call(&parser->builder, &tn_operator_truth, 1));
}

static bool emit_not(tn_parser *parser, size_t offset)
{
    return emit_truth(parser, offset) &&
           tn_parser_emitted(parser, offset, tn_tape_call(&parser->builder, &tn_operator_not, 1));
}

static bool parse_negation(tn_parser *parser)
{
    if (!tn_parser_is(parser, TN_TOKEN_NOT)) return parse_comparison(parser);
    const size_t offset = parser->token.offset;
    if (!enter_nesting(parser)) return false;
    const bool done = tn_parser_advance(parser) && parse_negation(parser) && emit_not(parser, offset);
    parser->nesting--;
    return done;
}

/* A product of truths, which leaves the right side alone when the left one decides: it may guard a division. `a or b` is
 * `not (not a and not b)`. */
static bool parse_junction(tn_parser *parser, tn_token_kind word, bool (*emit_side)(tn_parser *, size_t),
                           bool (*parse_side)(tn_parser *))
{
    tn_tape_builder *const builder = &parser->builder;
    if (!parse_side(parser)) return false;
    while (tn_parser_is(parser, word)) {
        const size_t offset = parser->token.offset;
        size_t branch;
        if (!tn_parser_advance(parser) || !emit_side(parser, offset)) return false;
        if (!tn_parser_emitted(parser, offset, tn_tape_branch(builder, &branch))) return false;
        if (!parse_side(parser) || !emit_side(parser, offset)) return false;
        if (!tn_parser_emitted(parser, offset, tn_tape_operation(builder, TN_OPERATION_MULTIPLY)))
            return false;
        tn_tape_join(builder, branch);
        if (word == TN_TOKEN_OR && !emit_not(parser, offset)) return false;
    }
    return true;
}

static bool parse_conjunction(tn_parser *parser)
{
    return parse_junction(parser, TN_TOKEN_AND, emit_truth, parse_negation);
}

bool tn_parse_expression(tn_parser *parser)
{
    return parse_junction(parser, TN_TOKEN_OR, emit_not, parse_conjunction);
}

/* Nothing may follow the expression. */
static bool parse_end(tn_parser *parser)
{
    switch (parser->token.kind) {
    case TN_TOKEN_END:
        return true;
    case TN_TOKEN_CLOSE:
        return tn_parser_fail(parser, parser->token.offset, "`)` without a `(` before it");
    case TN_TOKEN_COMMA:
        return tn_parser_fail(parser, parser->token.offset, "`,` outside the arguments of a function");
    case TN_TOKEN_COLON:
        return tn_parser_fail(parser, parser->token.offset, "`:` belongs in IF(x: negative, zero, positive)");
    default:
        return tn_parser_fail_before(parser, "an operator is missing before");
    }
}

bool tn_parse_text(tn_parser *parser)
{
    if (parser->lexer.length > INT32_MAX) return tn_parser_fail(parser, 0, "the text is too long");
    if (!tn_parser_advance(parser)) return false;
    if (tn_parser_is(parser, TN_TOKEN_END))
        return tn_parser_fail(parser, parser->token.offset, "the expression is empty");
    return tn_parse_expression(parser) && parse_end(parser);
}

tn_expression *tn_expression_compile(const char *text, size_t length, const tn_scope *scope,
                                     tn_expression_error *error)
{
    *error = (tn_expression_error){.offset = 0};
    tn_expression loose = {.used_count = 0}, *expression = NULL;
    tn_parser parser = {.lexer = {.text = text, .length = length},
                        .scope = scope,
                        .error = error,
                        .builder = {.expression = &loose, .arena = &parser.arena}};
    if (tn_parse_text(&parser)) {
        loose.input_count = scope->input_count;
        loose.logical = tn_tape_is_logical(&parser.builder);
        expression = tn_tape_pack(&loose);
    }
    tn_arena_free(&parser.arena);
    return expression;
}

bool tn_expression_reserved(const char *name)
{
    double constant;
    return tn_function_find(name) || strcasecmp(name, "if") == 0 || tn_constant_find(name, &constant) ||
           strcasecmp(name, "time") == 0 || tn_lexer_is_keyword(name);
}
