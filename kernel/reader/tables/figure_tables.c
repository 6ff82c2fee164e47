/* figure_tables.c - statistics that [[sensor]] tables ask for, and [[expect]] tables (see figure_tables.h) */
#include "tables/figure_tables.h"

#include "figures/figures.h"
#include "units/units.h"

#include <math.h>
#include <string.h>

static tn_figure_plan *plan_of(tn_model *model)
{
    if (!model->reader->figures) model->reader->figures = tn_new(1, sizeof(tn_figure_plan));
    return model->reader->figures;
}

/* TN_STATISTICS after reporting. */
static tn_statistic read_statistic(tn_source *source, const tn_toml *node)
{
    tn_nearest search;
    if (node->kind != TN_TOML_STRING) {
        tn_source_error(source, node, "the name of a statistic is expected, such as \"max\"");
        return TN_STATISTICS;
    }
    tn_nearest_start(&search, node->text);
    for (int k = 0; k < TN_STATISTICS; k++) {
        if (strcmp(tn_statistic_names[k], node->text) == 0) return (tn_statistic)k;
        tn_nearest_offer(&search, tn_statistic_names[k]);
    }
    tn_source_error(source, node,
                    "there is no statistic `%s`%s (min, max, abs_max, mean, rms, initial, final)", node->text,
                    tn_source_guess(source, &search));
    return TN_STATISTICS;
}

/* ---- [[sensor]] --------------------------------------------------------------------------------------------- */

static bool check_array(tn_source *source, const tn_toml *node, const char *words)
{
    return !node || node->kind == TN_TOML_ARRAY || tn_source_error(source, node, "%s", words);
}

void tn_figures_compile(tn_model *model, tn_template *origin, const tn_keys *keys)
{
    tn_source *source = &model->reader->source;
    const tn_toml *names = tn_meant(origin->table, "statistics", keys);
    origin->at = tn_meant(origin->table, "at", keys);
    if (!check_array(source, names, "`statistics` is an array of names: [\"min\", \"max\"]")) names = NULL;
    if (!check_array(source, origin->at, "`at` is an array of times: [0.5, \"1 [s]\"]")) origin->at = NULL;
    for (size_t k = 0; names && k < names->count; k++) {
        const tn_statistic statistic = read_statistic(source, names->child[k]);
        if (statistic < TN_STATISTICS) origin->statistics |= 1u << statistic;
    }
}

/* The run has a row at each of them, or a warning tells that it has none; an expectation there fails anyway. */
static void note_time(tn_model *model, const tn_toml *node, double time)
{
    tn_figure_plan *plan = plan_of(model);
    const size_t count = plan->time_count;
    TN_APPEND(plan->time, plan->time_count, time);
    plan->time_count = count;
    TN_APPEND(plan->time_node, plan->time_count, node);
}

bool tn_figure_times_read(tn_model *model, const tn_template *origin, tn_sensor_wish *wish)
{
    const tn_toml *at = origin->at;
    bool good = true;
    if (!at) return true;
    double *time = tn_arena_new(&model->arena, (at->count + 1) * sizeof *time);
    for (size_t k = 0; k < at->count; k++) {
        const bool known = tn_number_read(&model->reader->source, at->child[k], "s", &time[k]);
        if (known) note_time(model, at->child[k], time[k]);
        good = known && good;
    }
    wish->time = time;
    wish->times = at->count;
    return good;
}

void tn_figures_ask(tn_model *model, const tn_sensor_wish *wish)
{
    if (!wish->origin->statistics && !wish->times) return;
    tn_figure_plan *plan = plan_of(model);
    const tn_sensor_figures asked = {.sensor = (uint32_t)model->sensor_count - 1,
                                     .statistics = wish->origin->statistics,
                                     .time = wish->time,
                                     .times = wish->times};
    TN_APPEND(plan->sensor, plan->sensor_count, asked);
}

/* ---- [[expect]] ----------------------------------------------------------------------------------------------- */

/* What a table says besides the statistic, the value and its tolerance, whose unit is that of the sensor. */
typedef struct expect_table {
    const char *sensor, *source;
    double at, solver, relative_tolerance;
} expect_table;

const tn_parameter tn_expect_parameters[] = {
    TN_VALUE_KEY("sensor", TN_KIND_TEXT,
                 "a column of the results: a sensor, or a component of one, \"tip.x\"", .flags = TN_REQUIRED,
                 .offset = offsetof(expect_table, sensor)),
    {.name = "at",
     .meaning = "the value at this time, at which a row is recorded",
     .unit = "s",
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_OPTIONAL,
     .offset = offsetof(expect_table, at)},
    TN_VALUE_KEY("solver", TN_KIND_REAL, "number of the [[solver]] whose rows count, from 0; default: all",
                 .high = 1e6, .flags = TN_OPTIONAL, .offset = offsetof(expect_table, solver)),
    TN_VALUE_KEY("relative_tolerance", TN_KIND_REAL,
                 "how far the figure may be from the value, as a share of it", .high = TN_UNBOUNDED,
                 .flags = TN_OPTIONAL, .offset = offsetof(expect_table, relative_tolerance)),
    TN_VALUE_KEY("source", TN_KIND_TEXT, "where the value comes from",
                 .offset = offsetof(expect_table, source)),
    {0}};
static const char *const expect_words[] = {"statistic", "value", "tolerance", NULL};
const tn_keys tn_expect_keys = {.words = expect_words, .parameters = {tn_expect_parameters}};

/* The column that is meant; false after reporting, or where sensors are missing because of errors. */
static bool find_column(tn_model *model, const tn_toml *node, tn_expectation *e)
{
    tn_source *source = &model->reader->source;
    if (model->reader->incomplete || tn_model_errors(model)) return false;
    const tn_sensor_place place = tn_sensor_find(model, node->text);
    if (place.sensor == TN_NONE)
        return tn_source_error(source, node, "there is no [[sensor]] `%s`%s", node->text,
                               tn_sensor_guess(model, node->text));
    const tn_sensor *sensor = &model->sensor[place.sensor];
    if (place.component == TN_NONE)
        return tn_source_error(source, node, "`%s` has %u columns: choose one, such as `%s`", node->text,
                               sensor->size, tn_sensor_column_name(&model->arena, sensor, 0));
    e->sensor = place.sensor;
    e->component = place.component;
    e->column = tn_sensor_column_name(&model->arena, sensor, place.component);
    e->unit =
        tn_unit_of_number(sensor->unit ? sensor->unit : "", place.component, sensor->size, &model->arena);
    return true;
}

/* Of an expression without a unit any is possible, in SI. */
static bool read_number(tn_model *model, const tn_toml *node, const tn_expectation *e, double *value)
{
    const bool open = !e->unit[0] && model->sensor[e->sensor].kind == TN_SENSOR_EXPRESSION;
    return tn_number_read(&model->reader->source, node, open ? NULL : e->unit, value);
}

/* The value, and what it may differ by: the larger of both tolerances. */
static bool read_value(tn_model *model, const tn_toml *table, double relative, tn_expectation *e)
{
    tn_source *source = &model->reader->source;
    const tn_toml *value = tn_meant(table, "value", &tn_expect_keys);
    const tn_toml *tolerance = tn_meant(table, "tolerance", &tn_expect_keys);
    if (!read_number(model, value, e, &e->value)) return false;
    e->tolerance = isnan(relative) ? 0.0 : relative * fabs(e->value);
    if (!tolerance)
        return e->value != 0.0 || tn_source_error(source, tn_toml_get(table, "relative_tolerance"),
                                                  "a share of the value 0 is nothing: give `tolerance`");
    double own = 0.0;
    if (!read_number(model, tolerance, e, &own)) return false;
    e->tolerance = fmax(e->tolerance, own);
    return own >= 0.0 ||
           tn_value_error(source, tolerance, "%.10g is out of range: it must be at least 0", own);
}

static size_t solver_count(const tn_model *model)
{
    const tn_toml *solver = tn_toml_get(tn_document_root(model->reader->document), "solver");
    return !solver ? 0 : solver->kind == TN_TOML_ARRAY ? solver->count : 1;
}

/* Whether the keys of a table go together; false after reporting. */
static bool check_table(tn_model *model, const tn_toml *table, const expect_table *keys)
{
    tn_source *source = &model->reader->source;
    const tn_toml *value = tn_meant(table, "value", &tn_expect_keys);
    const tn_toml *statistic = tn_meant(table, "statistic", &tn_expect_keys);
    const size_t solvers = solver_count(model);
    bool good = true;
    if (!isnan(keys->at) && statistic)
        good = tn_source_error_at(source, statistic->key_place,
                                  "`statistic` is of all rows, `at` of one: give one of them");
    if (!value) good = tn_source_missing_key(source, table, "value", "that is expected", NULL);
    if (!tn_meant(table, "tolerance", &tn_expect_keys) &&
        !tn_meant(table, "relative_tolerance", &tn_expect_keys))
        good = tn_source_missing_key(source, table, "tolerance", "or `relative_tolerance`", NULL);
    if (!isnan(keys->solver) && !(keys->solver < (double)solvers && keys->solver == floor(keys->solver)))
        good =
            tn_value_error(source, tn_toml_get(table, "solver"),
                           "a number from 0 on is expected, below that of [[solver]] tables, %zu", solvers);
    return good;
}

static void read_expectation(tn_model *model, const tn_toml *table)
{
    tn_source *source = &model->reader->source;
    const size_t before = tn_error_count(model->reader->diagnostics);
    expect_table keys = {.at = (double)NAN, .relative_tolerance = (double)NAN, .solver = (double)NAN};
    tn_fill(source, table, tn_expect_parameters, sizeof keys, &keys);
    tn_check_keys(source, table, &tn_expect_keys);
    tn_expectation e = {.table = table,
                        .solver = isnan(keys.solver) ? -1 : (int32_t)keys.solver,
                        .statistic = TN_FINAL,
                        .time = keys.at,
                        .source = keys.source};
    const tn_toml *statistic = tn_meant(table, "statistic", &tn_expect_keys);
    if (statistic) e.statistic = read_statistic(source, statistic);
    if (!check_table(model, table, &keys) || tn_error_count(model->reader->diagnostics) != before ||
        !find_column(model, tn_toml_get(table, "sensor"), &e) ||
        !read_value(model, table, keys.relative_tolerance, &e))
        return;
    tn_figure_plan *plan = plan_of(model);
    TN_APPEND(plan->expected, plan->expected_count, e);
}

void tn_expectations_read(tn_model *model)
{
    tn_source *source = &model->reader->source;
    const tn_toml *array = tn_toml_get(tn_document_root(model->reader->document), "expect");
    if (array && array->kind != TN_TOML_ARRAY) {
        tn_model_error(model, array->key_place, "`expect` is an array of tables: write [[expect]]");
        return;
    }
    source->item = "[[expect]]";
    for (size_t k = 0; array && k < array->count; k++)
        if (array->child[k]->kind == TN_TOML_TABLE)
            read_expectation(model, array->child[k]);
        else
            tn_source_error(source, array->child[k], "a table is expected");
    source->item = NULL;
}
