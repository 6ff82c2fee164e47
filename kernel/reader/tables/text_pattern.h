/* text_pattern.h - strings with {integer expressions} of repeat variables, such as "p_{r}_{c-1}". */
#ifndef TN_TEXT_PATTERN_H
#define TN_TEXT_PATTERN_H

#include "config/scope.h"

typedef struct tn_pattern {
    const tn_toml *node;
    struct tn_piece {
        const char *text; /* in front of the expression */
        size_t length;
        tn_expression *expression; /* NULL in the last piece */
    } * piece;
    size_t count;
    tn_text text; /* of the current copy */
} tn_pattern;

/* False after reporting: no string, or a wrong expression. */
bool tn_pattern_compile(tn_source *source, const tn_toml *node, tn_pattern *pattern);
/* The text at the current repeat variables, which stays until the pattern is expanded again; NULL after reporting a result
 * that is no integer. A pattern without expressions gives the node's own text. */
const char *tn_pattern_expand(tn_source *source, tn_pattern *pattern);
void tn_pattern_free(tn_pattern *pattern);

#endif
