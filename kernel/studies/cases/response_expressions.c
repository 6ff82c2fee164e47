/* response_expressions.c - expressions over the columns of a run (see response_expressions.h)
 *
 * Calls such as max(sensor.z) become names of inputs of the same length, which keeps the columns of error messages; what is left is an expression
 * of the language. */
#include "cases/response_expressions.h"

#include "names/reader.h"
#include "units/dimension.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct call {
    tn_series_function function;
    uint32_t column;
    const char *name, *sensor;
    tn_expression *argument; /* or NULL */
} call;

struct tn_case_expression {
    tn_expression *whole;
    call *call; /* [calls] each behind those that stand in its arguments */
    uint32_t calls;
};

typedef struct compiler {
    tn_cases *cases;
    tn_all_columns *columns;
    const tn_toml *node;
    tn_case_expression *to;
    bool wrong;
} compiler;

uint32_t tn_case_column(tn_cases *cases, tn_all_columns *columns, const tn_toml *node, size_t offset,
                        const char *name)
{
    tn_source *source = tn_cases_source(cases);
    tn_nearest search;
    const size_t length = strlen(name);
    const char *part = NULL;
    tn_nearest_start(&search, name);
    for (uint32_t k = 0; k < columns->all->count; k++) {
        const char *known = columns->all->name[k];
        if (strcmp(known, name) == 0) {
            if (columns->place[k] == TN_NONE) {
                tn_series_columns *own = &cases->columns;
                columns->place[k] = own->count;
                own->name[own->count] = known;
                own->unit[own->count] = columns->all->unit[k];
                own->place[own->count++] = k;
            }
            return columns->place[k];
        }
        if (!part && strncmp(known, name, length) == 0 && known[length] == '.') part = known;
        tn_nearest_offer(&search, known);
    }
    if (part)
        (void)tn_source_error_inside(source, node, offset,
                                     "sensor `%s` has several numbers: choose one, such as `%s`", name, part);
    else
        (void)tn_source_error_inside(source, node, offset, "the model has no sensor `%s`%s", name,
                                     tn_source_guess(source, &search));
    return TN_NONE;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static tn_symbol resolve(void *data, const char *name)
{
    const compiler *self = data;
    uint32_t number = 0;
    size_t k = 1;
    for (; name[0] == '_' && isdigit((unsigned char)name[k]) && k < 8; k++)
        number = 10 * number + (uint32_t)(name[k] - '0');
    if (k == 1 || name[k] || number >= self->to->calls) return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = number};
}

static bool explain(void *data, const char *name, bool called, char *message, size_t size)
{
    const compiler *self = data;
    const size_t length = strlen(name);
    for (uint32_t k = 0; !called && k < self->columns->all->count; k++) {
        const char *known = self->columns->all->name[k];
        if (strncmp(known, name, length) != 0 || (known[length] && known[length] != '.')) continue;
        (void)tn_print_cut(
            message, size,
            "`%s` is a sensor, which has a value at each time: take one number of it, such as max(%s)", name,
            known);
        return true;
    }
    return false;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static const tn_series_word *find_word(const char *text, size_t length)
{
    for (const tn_series_word *word = tn_series_words; word->name; word++)
        if (strncasecmp(word->name, text, length) == 0 && !word->name[length]) return word;
    return NULL;
}

/* The arguments between two parentheses. */
typedef struct argument_list {
    size_t start[3], end[3], count;
    size_t close; /* where the parenthesis closes; 0: it does not */
} argument_list;

static argument_list find_arguments(const char *text, size_t open, size_t end)
{
    argument_list list = {.count = 1};
    size_t depth = 0;
    list.start[0] = open + 1;
    for (size_t k = open + 1; k < end; k++) {
        const bool ends = depth == 0 && (text[k] == ',' || text[k] == ')');
        if (text[k] == '(' || text[k] == '[') depth++;
        if (ends && list.count <= 3) list.end[list.count - 1] = k;
        if (ends && text[k] == ')') {
            list.close = k;
            return list;
        }
        if (ends && list.count < 3) list.start[list.count] = k + 1;
        if (ends) list.count++;
        if ((text[k] == ')' || text[k] == ']') && depth) depth--;
    }
    return list;
}

static void complain(compiler *self, size_t offset, const char *text)
{
    self->wrong = true;
    (void)tn_source_error_inside(tn_cases_source(self->cases), self->node, offset, "%s", text);
}

static tn_expression *compile(compiler *self, char *text, size_t start, size_t end);

/* Makes a call an input; `text` from `first` to its parenthesis becomes the name of that. */
static void take_call(compiler *self, char *text, size_t first, const tn_series_word *word,
                      const argument_list *list)
{
    tn_arena *arena = &self->cases->arena;
    size_t start = list->start[0], end = list->end[0];
    while (start < end && text[start] == ' ')
        start++;
    while (end > start && text[end - 1] == ' ')
        end--;
    const size_t given = list->count - 1;
    if (given < word->arguments || given > word->arguments + word->optional) {
        complain(self, first,
                 tn_arena_print(arena, "`%s` takes a sensor%s", word->name,
                                word->arguments  ? " and a number"
                                : word->optional ? ", and a number or nothing"
                                                 : " alone"));
        return;
    }
    call new = {.function = word->function, .name = word->name};
    new.sensor = tn_arena_text(arena, text + start, end - start);
    new.column = tn_case_column(self->cases, self->columns, self->node, start, new.sensor);
    if (new.column == TN_NONE) self->wrong = true;
    if (given) new.argument = compile(self, text, list->start[1], list->end[1]);
    if (self->wrong) return;
    char name[16];
    const int length = snprintf(name, sizeof name, "_%u", self->to->calls);
    memset(text + first, ' ', list->close + 1 - first);
    memcpy(text + first, name, (size_t)length);
    TN_APPEND(self->to->call, self->to->calls, new);
}

static tn_expression *compile(compiler *self, char *text, size_t start, size_t end)
{
    const tn_scope scope = {.resolve = resolve,
                            .data = self,
                            .routine_data = self,
                            .explain = explain,
                            .input_count = UINT16_MAX};
    tn_expression_error error = {0};
    for (size_t k = start; k < end;) {
        size_t length = 0;
        while (isalnum((unsigned char)text[k + length]) || text[k + length] == '_' || text[k + length] == '.')
            length++;
        const tn_series_word *word = length ? find_word(text + k, length) : NULL;
        const size_t open = k + length + strspn(text + k + length, " ");
        const argument_list list =
            word && text[open] == '(' ? find_arguments(text, open, end) : (argument_list){0};
        /* min(a, b) and max(a, b) are of the language */
        const bool own =
            list.close &&
            !(list.count > 1 && (word->function == TN_SERIES_MIN || word->function == TN_SERIES_MAX));
        if (own) take_call(self, text, k, word, &list);
        if (self->wrong) return NULL;
        k = own ? list.close + 1 : k + (length ? length : 1);
    }
    tn_expression *compiled = tn_expression_compile(text + start, end - start, &scope, &error);
    if (!compiled) complain(self, start + error.offset, error.message);
    return compiled;
}

/* ---- units ---------------------------------------------------------------------------------------------------- */

static const char *unit_of_call(const tn_cases *cases, const call *only)
{
    const char *unit = cases->columns.unit[only->column];
    for (const tn_series_word *word = tn_series_words; word->name; word++) {
        if (word->function != only->function) continue;
        switch (word->unit) {
        case TN_UNIT_OF_SENSOR:
            return unit;
        case TN_UNIT_S:
            return "s";
        case TN_UNIT_HZ:
            return "Hz";
        case TN_UNIT_TIMES_S:
            return tn_dimension_text(tn_dimension_product(tn_dimension_of(unit), tn_dimension_of("s")));
        }
    }
    return NULL;
}

/* ---- the expression --------------------------------------------------------------------------------------------- */

tn_case_expression *tn_case_expression_new(tn_cases *cases, tn_all_columns *columns, const tn_toml *node,
                                           const char **unit)
{
    tn_case_expression *expression = tn_arena_new(&cases->arena, sizeof *expression);
    compiler self = {.cases = cases, .columns = columns, .node = node, .to = expression};
    char *text = tn_arena_text(&cases->arena, node->text, node->length);
    *unit = NULL;
    expression->whole = compile(&self, text, 0, node->length);
    if (!expression->whole) return NULL;
    if (!expression->calls) {
        (void)tn_source_error(tn_cases_source(cases), node,
                              "the expression reads no sensor: it is the same in all cases");
        return NULL;
    }
    const size_t first = strspn(text, " ");
    char name[16];
    (void)snprintf(name, sizeof name, "_%u", expression->calls - 1);
    const size_t length = strlen(name);
    if (strncmp(text + first, name, length) == 0 &&
        !text[first + length + strspn(text + first + length, " ")])
        *unit = unit_of_call(cases, &expression->call[expression->calls - 1]);
    return expression;
}

double tn_case_expression_value(const tn_case_expression *expression, const tn_series *series,
                                const char **problem)
{
    static char reason[256];
    double *input = tn_new(expression->calls, sizeof *input), value = (double)NAN;
    bool good = true;
    *problem = NULL;
    for (uint32_t k = 0; good && k < expression->calls; k++) {
        const call *at = &expression->call[k];
        double argument = (double)NAN;
        good = !at->argument || tn_expression_value(at->argument, input, &argument, problem);
        if (!good) continue;
        input[k] = tn_series_value(series, at->column, at->function, &argument);
        good = isfinite(input[k]);
        if (good) continue;
        (void)snprintf(reason, sizeof reason, "%s(%s) has no value", at->name, at->sensor);
        *problem = reason;
    }
    good = good && tn_expression_value(expression->whole, input, &value, problem);
    tn_free(input);
    return good ? value : (double)NAN;
}
