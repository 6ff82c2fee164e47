/* parser_delay.c - the function delay, whose arguments the scope compiles: here only their ends are found */
#include "expression/parser.h"

/* One argument, up to the comma or parenthesis that ends it. */
static bool find_end(tn_parser *parser, tn_argument_text *argument)
{
    uint32_t open = 0;
    argument->offset = parser->token.offset;
    if (tn_parser_is(parser, TN_TOKEN_COMMA) || tn_parser_is(parser, TN_TOKEN_CLOSE))
        return tn_parser_fail_before(parser, "a number, a name or `(` is missing before");
    while (open > 0 || !(tn_parser_is(parser, TN_TOKEN_COMMA) || tn_parser_is(parser, TN_TOKEN_CLOSE))) {
        if (tn_parser_is(parser, TN_TOKEN_END)) return true; /* the parenthesis is missed later */
        if (tn_parser_is(parser, TN_TOKEN_OPEN)) open++;
        if (tn_parser_is(parser, TN_TOKEN_CLOSE)) open--;
        argument->length = parser->token.offset + parser->token.length - argument->offset;
        if (!tn_parser_advance(parser)) return false;
    }
    return true;
}

bool tn_parse_delay(tn_parser *parser, const char *name, size_t offset)
{
    const size_t opened = parser->token.offset;
    const tn_scope *const scope = parser->scope;
    tn_argument_text argument[TN_DELAY_ARGUMENTS] = {{0}}, rest;
    uint32_t count = 0;
    if (!tn_parser_advance(parser)) return false;
    for (bool more = !tn_parser_is(parser, TN_TOKEN_CLOSE); more;
         more = tn_parser_is(parser, TN_TOKEN_COMMA)) {
        if (count > 0 && !tn_parser_advance(parser)) return false;
        if (!find_end(parser, count < TN_DELAY_ARGUMENTS ? &argument[count] : &rest)) return false;
        count++;
    }
    if (!tn_parser_close(parser, opened) ||
        !tn_parser_check_count(parser, offset, name, TN_DELAY_ARGUMENTS, TN_DELAY_ARGUMENTS, count))
        return false;
    tn_expression_error error = {.offset = offset};
    const tn_symbol symbol = scope->delay(scope->data, argument, &error);
    if (symbol.kind == TN_SYMBOL_INPUT) return tn_parser_emit_symbol(parser, name, offset, symbol);
    *parser->error = error;
    return false;
}
