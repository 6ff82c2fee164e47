/* parser.h - what the two halves of the parser share: operators (parser.c) and names (parser_names.c). */
#ifndef TN_PARSER_H
#define TN_PARSER_H

#include "base/memory.h"
#include "expression/functions.h"
#include "expression/lexer.h"
#include "expression/tape_builder.h"

typedef struct tn_parser {
    tn_lexer lexer;
    tn_token token; /* the one to be looked at next */
    const tn_scope *scope;
    tn_expression_error *error;
    tn_tape_builder builder;
    tn_arena arena; /* of names */
    int nesting;
    /* where the call stands whose readings are parsed; NULL: what is parsed was written there */
    const size_t *call;
} tn_parser;

/* Where in the text of the expression stands what is at `offset` of the text that is parsed. */
static inline size_t tn_parser_place(const tn_parser *parser, size_t offset)
{
    return parser->call ? *parser->call : offset;
}

/* All that parse or check return false with the error filled. */
#define tn_parser_fail(parser, offset, ...) tn_lexer_fail((parser)->error, offset, __VA_ARGS__)
/* Complains about the token at hand: "<what> `)`" or "<what> the end of the text". */
bool tn_parser_fail_before(tn_parser *parser, const char *what);

static inline bool tn_parser_is(const tn_parser *parser, tn_token_kind kind)
{
    return parser->token.kind == kind;
}

/* Fails with the problem that the tape builder found at `offset`, unless that is NULL. */
static inline bool tn_parser_emitted(tn_parser *parser, size_t offset, const char *problem)
{
    if (problem) return tn_parser_fail(parser, offset, "%s", problem);
    tn_tape_mark(&parser->builder, offset);
    return true;
}

/* Reads the next token. */
bool tn_parser_advance(tn_parser *parser);
/* Reads the `)` that belongs to the `(` at offset `opened`. */
bool tn_parser_close(tn_parser *parser, size_t opened);

bool tn_parse_expression(tn_parser *parser);
/* An expression, and nothing behind it. */
bool tn_parse_text(tn_parser *parser);
/* A variable or a call; the token at hand is a name. */
bool tn_parse_name(tn_parser *parser);

#endif
