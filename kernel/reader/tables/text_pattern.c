/* text_pattern.c - strings with {integer expressions} */
#include "tables/text_pattern.h"

#include <math.h>
#include <string.h>

static void add_piece(tn_pattern *pattern, const char *text, size_t length, tn_expression *expression)
{
    TN_APPEND(pattern->piece, pattern->count, (struct tn_piece){text, length, expression});
}

bool tn_pattern_compile(tn_source *source, const tn_toml *node, tn_pattern *pattern)
{
    *pattern = (tn_pattern){.node = node};
    if (node->kind != TN_TOML_STRING) return tn_value_error(source, node, "a name is expected");
    const char *text = node->text;
    for (const char *open = strchr(text, '{'); open; open = strchr(text, '{')) {
        const char *close = strchr(open, '}');
        if (!close)
            return tn_source_error_inside(source, node, (size_t)(open - node->text), "`{` without its `}`");
        tn_expression *expression = tn_scope_compile(source, node, (size_t)(open + 1 - node->text),
                                                     (size_t)(close - open - 1), &(tn_allowed){0}, NULL);
        if (!expression) return false;
        add_piece(pattern, text, (size_t)(open - text), expression);
        text = close + 1;
    }
    if (pattern->count) add_piece(pattern, text, strlen(text), NULL);
    return true;
}

/* Decimal digits of an integer, without the cost of printf. */
static void add_integer(tn_text *text, int64_t value)
{
    char digits[24], *first = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--first = '-';
    tn_text_add_letters(text, first, (size_t)(digits + sizeof digits - first));
}

const char *tn_pattern_expand(tn_source *source, tn_pattern *pattern)
{
    if (!pattern->count) return pattern->node->text;
    pattern->text.length = 0;
    for (size_t k = 0; k < pattern->count; k++) {
        const struct tn_piece *piece = &pattern->piece[k];
        tn_text_add_letters(&pattern->text, piece->text, piece->length);
        if (!piece->expression) break;
        double value = 0.0;
        const char *problem = NULL;
        if (!tn_expression_value(piece->expression, source->variable_value, &value, &problem)) {
            tn_source_error(source, pattern->node, "`%s`: %s", pattern->node->text, problem);
            return NULL;
        }
        if (value != floor(value) || fabs(value) > 9e15) {
            tn_source_error(source, pattern->node, "`%s`: %.17g is not an integer", pattern->node->text,
                            value);
            return NULL;
        }
        add_integer(&pattern->text, (int64_t)value);
    }
    return pattern->text.letters;
}

void tn_pattern_free(tn_pattern *pattern)
{
    for (size_t k = 0; k < pattern->count; k++)
        tn_expression_free(pattern->piece[k].expression);
    tn_free(pattern->piece);
    tn_free(pattern->text.letters);
    *pattern = (tn_pattern){0};
}
