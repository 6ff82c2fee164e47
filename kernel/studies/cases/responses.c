/* responses.c - what is asked of a case: the [[response]] tables */
#include "cases/response_expressions.h"
#include "cases/value_lists.h"

#include "names/reader.h"
#include "units/units.h"

#include <math.h>
#include <string.h>

typedef struct response_keys {
    const char *name, *unit, *data, *sensor, *column, *time_column, *deviation_column;
} response_keys;

#define TEXT_KEY(its_name, its_kind, its_meaning) \
    TN_VALUE_KEY(#its_name, its_kind, its_meaning, .offset = offsetof(response_keys, its_name))
const tn_parameter tn_response_parameters[] = {
    TN_VALUE_KEY("name", TN_KIND_TEXT, "name of the response", .offset = offsetof(response_keys, name),
                 .flags = TN_REQUIRED),
    TEXT_KEY(unit, TN_KIND_TEXT, "unit that it is shown in; of `data`: that of its column"),
    TEXT_KEY(data, TN_KIND_FILE, "table of measured values"),
    TEXT_KEY(sensor, TN_KIND_TEXT, "sensor that is compared or sampled"),
    TEXT_KEY(column, TN_KIND_TEXT, "column of the table; the name of the sensor by default"),
    TEXT_KEY(time_column, TN_KIND_TEXT, "column of the times, `time` by default"),
    TEXT_KEY(deviation_column, TN_KIND_TEXT, "column of standard deviations"),
    {0}};
const char *const tn_response_words[] = {"expression", "limit", "times", "deviation", NULL};

/* The unit that the response is shown in, or NULL: that of the value; its factor to SI. */
static bool read_unit(tn_cases *cases, const tn_toml *table, const char *unit, const char *known,
                      double *factor)
{
    char error[TN_LONGEST_REASON];
    *factor = 1.0;
    if (!unit) return true;
    return (known ? tn_unit_factor(unit, known, factor, error, sizeof error)
                  : tn_unit_si_factor(unit, factor, error, sizeof error)) ||
           tn_source_error(tn_cases_source(cases), tn_toml_get(table, "unit"), "%s", error);
}

/* "< 0.1 [m]" */
static bool read_limit(tn_cases *cases, const tn_toml *node, tn_case_response *response, bool has_unit)
{
    tn_source *source = tn_cases_source(cases);
    if (node->kind != TN_TOML_STRING || (node->text[0] != '<' && node->text[0] != '>'))
        return tn_source_error(source, node, "a limit begins with < or >, as in \"< 0.1 [m]\"");
    size_t skipped = 1 + (node->text[1] == '='), offset = 0, length = 0;
    skipped += strspn(node->text + skipped, " ");
    tn_toml number = *node;
    number.text += skipped;
    number.length -= skipped;
    number.reworded = true;
    (void)tn_expression_split_unit(number.text, number.length, &offset, &length);
    if (!has_unit && length) { /* the expression is known to have no other one */
        char error[TN_LONGEST_REASON];
        response->unit = tn_arena_text(&cases->arena, number.text + offset, length);
        if (!tn_unit_si_factor(response->unit, &response->factor, error, sizeof error))
            return tn_source_error(source, node, "%s", error);
    }
    response->limited = node->text[0] == '<' ? TN_AT_MOST : TN_AT_LEAST;
    if (!tn_number_read(source, &number, length ? response->unit : NULL, &response->limit)) return false;
    if (!length) response->limit /= response->factor;
    return true;
}

static void read_expression(tn_cases *cases, tn_all_columns *columns, const tn_toml *table,
                            const response_keys *keys, tn_case_response *response)
{
    const tn_toml *node = tn_toml_get(table, "expression"), *limit = tn_toml_get(table, "limit");
    const char *known = NULL;
    static const char *const others[] = {"data",      "sensor",           "times", "column", "time_column",
                                         "deviation", "deviation_column", NULL};
    for (size_t k = 0; others[k]; k++) {
        const tn_toml *other = tn_toml_get(table, others[k]);
        if (!other) continue;
        (void)tn_source_error(tn_cases_source(cases), other, "`%s` goes with `sensor`, not with `expression`",
                              others[k]);
        return;
    }
    if (!tn_source_expect(tn_cases_source(cases), node, TN_TOML_STRING,
                          "`expression` is a string, such as \"max(z)\""))
        return;
    response->size = 1;
    response->expression = tn_case_expression_new(cases, columns, node, &known);
    if (!response->expression || !read_unit(cases, table, keys->unit, known, &response->factor)) return;
    response->unit = keys->unit ? keys->unit : known ? known : "";
    if (limit) (void)read_limit(cases, limit, response, keys->unit || known);
}

/* ---- samples and measured data ------------------------------------------------------------------------------------ */

static bool read_times(tn_cases *cases, const tn_toml *node, tn_case_samples *samples)
{
    tn_source *source = tn_cases_source(cases);
    if (node->kind != TN_TOML_ARRAY || !node->count)
        return tn_source_error(source, node, "`times` is an array of times, one at least");
    double *time = tn_arena_new(&cases->arena, node->count * sizeof *time);
    for (size_t k = 0; k < node->count; k++)
        if (!tn_number_read(source, node->child[k], "s", &time[k])) return false;
    samples->time = time;
    samples->count = node->count;
    return true;
}

/* Standard deviations, in SI units. */
static bool read_deviations(tn_cases *cases, const tn_toml *table, const char *unit, double *deviation,
                            size_t count)
{
    const tn_toml *node = tn_toml_get(table, "deviation");
    double value = 1.0;
    if (!tn_toml_get(table, "deviation_column")) {
        if (node && !tn_number_read(tn_cases_source(cases), node, unit, &value)) return false;
        for (size_t k = 0; k < count; k++)
            deviation[k] = value;
    } else if (node) {
        return tn_source_error(tn_cases_source(cases), node,
                               "`deviation` and `deviation_column` exclude each other");
    }
    for (size_t k = 0; k < count; k++)
        if (!(deviation[k] > 0.0))
            return tn_source_error(tn_cases_source(cases),
                                   node ? node : tn_toml_get(table, "deviation_column"),
                                   "standard deviations are above 0, not %.9g", deviation[k]);
    return true;
}

static bool read_data(tn_cases *cases, const tn_toml *table, const response_keys *keys, const char *unit,
                      tn_case_samples *samples)
{
    const char *const names[] = {keys->time_column ? keys->time_column : "time",
                                 keys->column ? keys->column : keys->sensor, keys->deviation_column};
    double *value[3] = {NULL, NULL, NULL}, factor = 1.0;
    if (!tn_case_read_columns(cases, tn_toml_get(table, "data"), keys->data, names, names[2] ? 3 : 2, value,
                              &samples->count) ||
        !read_unit(cases, table, keys->unit, unit, &factor))
        return false;
    if (!value[2]) value[2] = tn_arena_new(&cases->arena, samples->count * sizeof *value[2]);
    for (size_t k = 0; k < samples->count; k++) {
        value[1][k] *= factor;
        value[2][k] *= factor;
    }
    samples->time = value[0];
    samples->measured = value[1];
    samples->deviation = value[2];
    return read_deviations(cases, table, unit, value[2], samples->count);
}

static void read_samples(tn_cases *cases, tn_all_columns *columns, const tn_toml *table,
                         const response_keys *keys, tn_case_response *response)
{
    tn_source *source = tn_cases_source(cases);
    const tn_toml *times = tn_toml_get(table, "times"), *limit = tn_toml_get(table, "limit");
    if (!keys->sensor || !keys->data == !times) {
        (void)tn_source_error(source, table,
                              "a response has an `expression`, or a `sensor` with `data` or `times`");
        return;
    }
    if (limit) {
        (void)tn_source_error(source, limit, "`limit` is for a response with one number");
        return;
    }
    const uint32_t column = tn_case_column(cases, columns, tn_toml_get(table, "sensor"), 0, keys->sensor);
    if (column == TN_NONE) return;
    const char *unit = cases->columns.unit[column];
    response->samples.column = column;
    response->unit = keys->data ? "" : keys->unit ? keys->unit : unit;
    if (keys->data ? !read_data(cases, table, keys, unit, &response->samples)
                   : !read_times(cases, times, &response->samples) ||
                         !read_unit(cases, table, keys->unit, unit, &response->factor))
        return;
    response->size = (uint32_t)response->samples.count;
}

/* ---- all ------------------------------------------------------------------------------------------------------------ */

static void read_response(tn_cases *cases, tn_all_columns *columns, const tn_toml *table,
                          tn_case_response *response)
{
    tn_source *source = tn_cases_source(cases);
    response_keys keys = {0};
    *response =
        (tn_case_response){.table = table, .name = "", .unit = "", .factor = 1.0, .first = cases->numbers};
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "[[response]] is an array of tables")) return;
    const size_t errors = tn_error_count(source->diagnostics);
    tn_fill(source, table, tn_response_parameters, sizeof keys, &keys);
    tn_check_keys(source, table,
                  &(tn_keys){.words = tn_response_words, .parameters = {tn_response_parameters}});
    if (tn_error_count(source->diagnostics) != errors) return;
    response->name = keys.name;
    source->item = keys.name;
    if (tn_toml_get(table, "expression"))
        read_expression(cases, columns, table, &keys, response);
    else
        read_samples(cases, columns, table, &keys, response);
    source->item = NULL;
    cases->numbers += response->size;
}

void tn_cases_read_responses(tn_cases *cases, const tn_toml *array)
{
    tn_source *source = tn_cases_source(cases);
    const tn_series_columns all = cases->columns;
    tn_series_columns *own = &cases->columns;
    tn_names names = {0};
    if (!array || array->kind != TN_TOML_ARRAY || !array->count) {
        (void)(array ? tn_source_error(source, array, "[[response]] is an array of tables")
                     : tn_source_missing_key(source, tn_document_root(cases->file.document), "response",
                                             "the tables [[response]] of what is asked of each case", NULL));
        return;
    }
    *own = (tn_series_columns){.name = tn_arena_new(&cases->arena, (all.count + 1) * sizeof *own->name),
                               .unit = tn_arena_new(&cases->arena, (all.count + 1) * sizeof *own->unit),
                               .place = tn_arena_new(&cases->arena, (all.count + 1) * sizeof *own->place)};
    tn_all_columns columns = {&all, tn_arena_new(&cases->arena, (all.count + 1) * sizeof *columns.place)};
    for (uint32_t k = 0; k < all.count; k++)
        columns.place[k] = TN_NONE;
    cases->responses = (uint32_t)array->count;
    cases->response = tn_arena_new(&cases->arena, array->count * sizeof *cases->response);
    for (uint32_t k = 0; k < cases->responses; k++) {
        read_response(cases, &columns, array->child[k], &cases->response[k]);
        if (tn_names_add(&names, cases->response[k].name) == TN_NO_NAME && cases->response[k].name[0])
            (void)tn_source_error(source, array->child[k], "`%s` is the name of two responses",
                                  cases->response[k].name);
    }
    tn_names_free(&names);
}
