/* lexer.h - cuts the text of an expression into tokens. */
#ifndef TN_LEXER_H
#define TN_LEXER_H

#include "expression/expression.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum tn_token_kind {
    TN_TOKEN_END,
    TN_TOKEN_NUMBER,
    TN_TOKEN_NAME,
    TN_TOKEN_OPEN,  /* ( */
    TN_TOKEN_CLOSE, /* ) */
    TN_TOKEN_COMMA,
    TN_TOKEN_COLON,
    /* in the order of the operations (tape.h) */
    TN_TOKEN_PLUS,
    TN_TOKEN_MINUS,
    TN_TOKEN_TIMES,
    TN_TOKEN_DIVIDE,
    TN_TOKEN_POWER, /* ** */
    /* the comparisons in the order of tn_comparisons (functions.h) */
    TN_TOKEN_LESS,
    TN_TOKEN_LESS_EQUAL,
    TN_TOKEN_GREATER,
    TN_TOKEN_GREATER_EQUAL,
    TN_TOKEN_EQUAL,
    TN_TOKEN_NOT_EQUAL,
    TN_TOKEN_AND,
    TN_TOKEN_OR,
    TN_TOKEN_NOT
} tn_token_kind;

typedef struct tn_token {
    tn_token_kind kind;
    size_t offset, length; /* where it stands in the text */
    double number;         /* of TN_TOKEN_NUMBER */
} tn_token;

typedef struct tn_lexer {
    const char *text;
    size_t length, position;
} tn_lexer;

/* Says what is wrong at a place of the text; always false. */
__attribute__((format(printf, 3, 4))) bool tn_lexer_fail(tn_expression_error *error, size_t offset,
                                                         const char *format, ...);
/* Reads the next token and moves behind it; false with `error` filled. At the end of the text it gives
 * TN_TOKEN_END, again and again. */
bool tn_lexer_next(tn_lexer *lexer, tn_token *token, tn_expression_error *error);

/* True when `name` is `and`, `or` or `not`, in any case. */
bool tn_lexer_is_keyword(const char *name);

#endif
