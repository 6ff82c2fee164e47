/* words.c - words for the entries of the tables */
#include "describe/describe.h"

#include <math.h>
#include <string.h>

const char *tn_first_word(const char *words, size_t *length)
{
    *length = strcspn(words, "|");
    return words;
}

const char *tn_next_word(const char *word, size_t *length)
{
    return word[*length] ? tn_first_word(word + *length + 1, length) : NULL;
}

bool tn_has_default(const tn_parameter *parameter)
{
    const bool may_be_absent = parameter->kind == TN_KIND_TEXT || parameter->kind == TN_KIND_CALLABLE ||
                               parameter->kind == TN_KIND_LIST || parameter->kind == TN_KIND_FILE ||
                               parameter->kind == TN_KIND_TEXTS;
    return !may_be_absent && !(parameter->flags & (TN_REQUIRED | TN_OPTIONAL));
}

void tn_print_kind(FILE *stream, const tn_parameter *parameter)
{
    static const char *const names[] = {
        [TN_KIND_REAL] = "real",          [TN_KIND_ROTATION] = "rotation",  [TN_KIND_INTEGER] = "integer",
        [TN_KIND_BOOLEAN] = "boolean",    [TN_KIND_CHOICE] = "choice",      [TN_KIND_TEXT] = "text",
        [TN_KIND_CALLABLE] = "function",  [TN_KIND_LIST] = "list of reals", [TN_KIND_FILE] = "file",
        [TN_KIND_TEXTS] = "list of texts"};
    if (parameter->flags & TN_SYMMETRIC) (void)fputs("3x3, ", stream);
    if (parameter->flags & TN_ROWS) (void)fputs("matrix, ", stream);
    if (parameter->flags & TN_FEWER)
        (void)fprintf(stream, "1 to %u %ss", parameter->count, names[parameter->kind]);
    else if (parameter->count > 1 && parameter->count_alternative)
        (void)fprintf(stream, "%u or %u reals", parameter->count_alternative, parameter->count);
    else if (parameter->count > 1)
        (void)fprintf(stream, "%u %ss", parameter->count, names[parameter->kind]);
    else
        (void)fputs(names[parameter->kind], stream);
}

static void print_default_word(FILE *stream, const tn_parameter *parameter)
{
    size_t length = 0, index = 0;
    const char *word = tn_first_word(parameter->detail, &length);
    while (word && index++ < (size_t)parameter->standard)
        word = tn_next_word(word, &length);
    (void)fprintf(stream, "%.*s", (int)length, word);
}

void tn_print_default(FILE *stream, const tn_parameter *parameter)
{
    if (parameter->flags & TN_REQUIRED)
        (void)fputs("required", stream);
    else if (!tn_has_default(parameter))
        (void)fputs("optional", stream);
    else if (parameter->kind == TN_KIND_ROTATION)
        (void)fputs("identity", stream);
    else if (parameter->kind == TN_KIND_BOOLEAN)
        (void)fputs(parameter->standard != 0.0 ? "true" : "false", stream);
    else if (parameter->kind == TN_KIND_CHOICE)
        print_default_word(stream, parameter);
    else
        (void)fprintf(stream, "%.15g", parameter->standard);
}

void tn_print_range(FILE *stream, const tn_parameter *parameter)
{
    if (parameter->kind != TN_KIND_REAL && parameter->kind != TN_KIND_INTEGER) return;
    if (!isinf(parameter->low))
        (void)fprintf(stream, ", %s %.15g", parameter->flags & TN_ABOVE_LOW ? ">" : ">=", parameter->low);
    if (!isinf(parameter->high))
        (void)fprintf(stream, ", %s %.15g", parameter->flags & TN_BELOW_HIGH ? "<" : "<=", parameter->high);
}

void tn_print_changes(FILE *stream, const tn_parameter *parameter)
{
    /* apart from the arguments of a function */
    const char *separator = parameter->kind == TN_KIND_CALLABLE ? ";" : ",";
    if (parameter->flags & TN_DYNAMIC) (void)fprintf(stream, "%s dynamic", separator);
    if (parameter->flags & TN_CHANGEABLE) (void)fprintf(stream, "%s changeable", separator);
    if (parameter->flags & TN_CODE) (void)fputs(", code that must be trusted", stream);
}

void tn_print_port_count(FILE *stream, const tn_port *port)
{
    if (port->minimum == port->maximum)
        (void)fprintf(stream, "%u", port->minimum);
    else if (port->maximum == UINT32_MAX)
        (void)fprintf(stream, "%u or more", port->minimum);
    else
        (void)fprintf(stream, "%u to %u", port->minimum, port->maximum);
}

void tn_print_points_from(FILE *stream, const tn_port *port)
{
    if (port->points_from) (void)fprintf(stream, ", point from number %u on", port->points_from + 1);
}
