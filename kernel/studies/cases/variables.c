/* variables.c - what varies in a study: the [[variable]] tables, and values at coordinates of the unit cube */
#include "cases/cases.h"

#include "cases/distributions.h"
#include "cases/value_lists.h"
#include "names/reader.h"
#include "units/units.h"

#include <math.h>
#include <string.h>

const char *const tn_variable_words[] = {"name",      "range",      "scale", "values", "normal",
                                         "lognormal", "triangular", "table", "unit",   NULL};
/* Those that say how the values are distributed, one of which there is. */
static const char *const kinds[] = {"range", "values", "normal", "lognormal", "triangular", "table", NULL};

/* The unit that is written behind a number; "" without one. */
static const char *unit_of(tn_cases *cases, const tn_toml *node)
{
    size_t offset = 0, length = 0;
    if (node->kind == TN_TOML_STRING)
        (void)tn_expression_split_unit(node->text, node->length, &offset, &length);
    return tn_arena_text(&cases->arena, length ? node->text + offset : "", length);
}

/* A number in the unit of the variable; the unit is that of the first number that is read. */
static bool read_number(tn_cases *cases, tn_case_variable *variable, const tn_toml *node, double *value)
{
    const char *unit = unit_of(cases, node);
    if (!variable->unit) variable->unit = unit;
    if (!*unit && *variable->unit)
        return tn_value_error(tn_cases_source(cases), node, "a unit is missing: the other numbers are in %s",
                              variable->unit);
    return tn_number_read(tn_cases_source(cases), node, variable->unit, value);
}

static bool read_bounds(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    tn_source *source = tn_cases_source(cases);
    if (node->kind != TN_TOML_ARRAY || node->count != 2)
        return tn_value_error(source, node, "two numbers are expected, the lowest and the highest");
    if (!read_number(cases, variable, node->child[0], &variable->low) ||
        !read_number(cases, variable, node->child[1], &variable->high))
        return false;
    if (!(variable->low < variable->high))
        return tn_value_error(source, node, "the range is empty: %.9g is not below %.9g", variable->low,
                              variable->high);
    if (variable->log && !(variable->low > 0.0))
        return tn_value_error(source, node, "a range with `scale = \"log\"` begins above 0, not at %.9g",
                              variable->low);
    return true;
}

/* Numbers of a table such as { mean = .., deviation = .. }, in the order of `names`. */
static bool read_shape(tn_cases *cases, tn_case_variable *variable, const tn_toml *node,
                       const char *const *names, double *number)
{
    tn_source *source = tn_cases_source(cases);
    if (!tn_source_expect(source, node, TN_TOML_TABLE,
                          "a table is expected, such as { mean = 1, deviation = 0.1 }"))
        return false;
    const size_t errors = tn_error_count(source->diagnostics);
    tn_check_keys(source, node, &(tn_keys){.words = names});
    for (size_t k = 0; names[k] && tn_error_count(source->diagnostics) == errors; k++) {
        const tn_toml *value = tn_toml_get(node, names[k]);
        if (!value)
            tn_source_missing_key(source, node, names[k], "a number of the distribution", NULL);
        else
            (void)read_number(cases, variable, value, &number[k]);
    }
    return tn_error_count(source->diagnostics) == errors;
}

static bool read_normal(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    static const char *const names[] = {"mean", "deviation", NULL};
    double number[2] = {0.0, 0.0};
    if (!read_shape(cases, variable, node, names, number)) return false;
    if (!(number[1] > 0.0))
        return tn_value_error(tn_cases_source(cases), node, "the standard deviation is above 0, not %.9g",
                              number[1]);
    variable->low = number[0];
    variable->high = number[1];
    if (variable->distribution == TN_VARIABLE_NORMAL) return true;
    if (!(number[0] > 0.0))
        return tn_value_error(tn_cases_source(cases), node,
                              "the mean of a lognormal distribution is above 0, not %.9g", number[0]);
    /* mean and deviation of the variable itself, from which those of its logarithm follow */
    const double ratio = number[1] / number[0], square = log1p(ratio * ratio);
    variable->low = log(number[0]) - 0.5 * square;
    variable->high = sqrt(square);
    return true;
}

static bool read_triangular(tn_cases *cases, tn_case_variable *variable, const tn_toml *node)
{
    static const char *const names[] = {"low", "mode", "high", NULL};
    double number[3] = {0.0, 0.0, 0.0};
    if (!read_shape(cases, variable, node, names, number)) return false;
    variable->low = number[0];
    variable->mode = number[1];
    variable->high = number[2];
    return (number[0] <= number[1] && number[1] <= number[2] && number[0] < number[2]) ||
           tn_value_error(tn_cases_source(cases), node, "low <= mode <= high is expected, with low < high");
}

static void read_distribution(tn_cases *cases, tn_case_variable *variable, const char *kind,
                              const tn_toml *node)
{
    if (strcmp(kind, "range") == 0) {
        variable->distribution = TN_VARIABLE_RANGE;
        (void)read_bounds(cases, variable, node);
    } else if (strcmp(kind, "values") == 0 || strcmp(kind, "table") == 0) {
        variable->distribution = TN_VARIABLE_VALUES;
        tn_case_read_levels(cases, variable, node, kind[0] == 't');
    } else if (strcmp(kind, "triangular") == 0) {
        variable->distribution = TN_VARIABLE_TRIANGULAR;
        (void)read_triangular(cases, variable, node);
    } else {
        variable->distribution = kind[0] == 'l' ? TN_VARIABLE_LOGNORMAL : TN_VARIABLE_NORMAL;
        (void)read_normal(cases, variable, node);
    }
}

static bool read_scale(tn_source *source, const tn_toml *table, tn_case_variable *variable)
{
    const tn_toml *scale = tn_toml_get(table, "scale");
    const char *word = tn_toml_text(table, "scale");
    if (!scale) return true;
    if (!word || (strcmp(word, "log") != 0 && strcmp(word, "linear") != 0))
        return tn_source_error(source, scale, "`scale` is \"linear\" or \"log\"");
    variable->log = word[1] == 'o';
    return !variable->log || tn_toml_get(table, "range") ||
           tn_source_error(source, scale, "`scale` is of a `range`");
}

/* The unit of a table's column; other numbers have their own. */
static bool read_unit(tn_source *source, const tn_toml *table, tn_case_variable *variable)
{
    const tn_toml *unit = tn_toml_get(table, "unit");
    char error[TN_LONGEST_REASON];
    double factor = 1.0;
    if (!unit) return true;
    variable->unit = tn_toml_text(table, "unit");
    if (!variable->unit || !tn_toml_get(table, "table"))
        return tn_source_error(source, unit, "`unit` is the unit of a column of `table`, such as \"mm\"");
    return tn_unit_si_factor(variable->unit, &factor, error, sizeof error) ||
           tn_source_error(source, unit, "%s", error);
}

static void read_variable(tn_cases *cases, const tn_toml *table, tn_case_variable *variable)
{
    tn_source *source = tn_cases_source(cases);
    const tn_toml *found = NULL;
    const char *kind = NULL;
    variable->table = table;
    variable->start = 0.5;
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "[[variable]] is an array of tables")) return;
    tn_check_keys(source, table, &(tn_keys){.words = tn_variable_words});
    variable->name_node = tn_toml_get(table, "name");
    variable->name = tn_toml_text(table, "name");
    if (!variable->name) {
        (void)(variable->name_node
                   ? tn_source_error(source, variable->name_node,
                                     "`name` is a path, such as \"parameters.k\"")
                   : tn_source_missing_key(source, table, "name",
                                           "the path that is varied, as `--set` takes it", NULL));
        return;
    }
    for (size_t k = 0; kinds[k]; k++) {
        const tn_toml *node = tn_toml_get(table, kinds[k]);
        if (node && found) {
            (void)tn_source_error(source, node, "`%s` and `%s` exclude each other", kind, kinds[k]);
            return;
        }
        if (node) found = node, kind = kinds[k];
    }
    if (!found) {
        (void)tn_source_error(source, table,
                              "`%s` varies by one of range, values, normal, lognormal, triangular, table",
                              variable->name);
        return;
    }
    variable->value_node = found;
    source->item = variable->name;
    source->key = kind;
    if (read_scale(source, table, variable) && read_unit(source, table, variable))
        read_distribution(cases, variable, kind, found);
    source->item = source->key = NULL;
    if (!variable->unit) variable->unit = "";
}

void tn_cases_read_variables(tn_cases *cases, const tn_toml *array)
{
    tn_source *source = tn_cases_source(cases);
    tn_names names = {0};
    if (array && array->kind != TN_TOML_ARRAY) {
        (void)tn_source_error(source, array, "[[variable]] is an array of tables");
        return;
    }
    cases->variables = array ? (uint32_t)array->count : 0;
    cases->variable = tn_arena_new(&cases->arena, (cases->variables + 1) * sizeof *cases->variable);
    for (uint32_t k = 0; k < cases->variables; k++) {
        tn_case_variable *variable = &cases->variable[k];
        read_variable(cases, array->child[k], variable);
        if (variable->name && tn_names_add(&names, variable->name) == TN_NO_NAME)
            (void)tn_source_error(source, variable->name_node, "`%s` is varied twice", variable->name);
    }
    tn_names_free(&names);
}

/* ---- values at coordinates ---------------------------------------------------------------------------------- */

double tn_case_value(const tn_case_variable *variable, double coordinate, uint32_t *level)
{
    const double u = fmin(fmax(coordinate, 0.0), 1.0), low = variable->low, high = variable->high;
    *level = 0;
    switch (variable->distribution) {
    case TN_VARIABLE_RANGE:
        if (u == 0.0 || u == 1.0) return u == 0.0 ? low : high;
        return variable->log ? exp((1.0 - u) * log(low) + u * log(high)) : (1.0 - u) * low + u * high;
    case TN_VARIABLE_NORMAL:
        return low + high * tn_normal_quantile(u);
    case TN_VARIABLE_LOGNORMAL:
        return exp(low + high * tn_normal_quantile(u));
    case TN_VARIABLE_TRIANGULAR:
        return tn_triangular_quantile(u, low, variable->mode, high);
    case TN_VARIABLE_VALUES:
        break;
    }
    *level = (uint32_t)(u * variable->levels);
    if (*level >= variable->levels) *level = variable->levels - 1;
    return variable->level[*level].value;
}

/* By halving: the values never fall with the coordinate. */
double tn_case_coordinate(const tn_case_variable *variable, double value)
{
    double low = 0.0, high = 1.0;
    uint32_t level = 0;
    if (variable->levels) {
        for (level = 0; level < variable->levels; level++)
            if (variable->level[level].value == value) return (level + 0.5) / variable->levels;
        return 0.5;
    }
    if (!(value >= tn_case_value(variable, 0.0, &level) && value <= tn_case_value(variable, 1.0, &level)))
        return 0.5;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (tn_case_value(variable, middle, &level) < value)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void tn_case_values(const tn_cases *cases, const double *point, double *value)
{
    for (uint32_t k = 0; k < cases->variables; k++) {
        uint32_t level = 0;
        const double number = tn_case_value(&cases->variable[k], point[k], &level);
        value[k] = cases->variable[k].levels ? level : number;
    }
}

const char *const *tn_case_overrides(const tn_cases *cases, const double *value, tn_arena *arena,
                                     size_t *count)
{
    size_t most = 1;
    for (uint32_t k = 0; k < cases->variables; k++)
        most += cases->variable[k].levels ? cases->variable[k].level[(size_t)value[k]].overrides : 1;
    const char **text = tn_arena_new(arena, most * sizeof *text);
    *count = 0;
    for (uint32_t k = 0; k < cases->variables; k++) {
        const tn_case_variable *variable = &cases->variable[k];
        const tn_case_level *level = variable->levels ? &variable->level[(size_t)value[k]] : NULL;
        for (size_t o = 0; level && o < level->overrides; o++)
            text[(*count)++] = level->override[o];
        if (!level)
            text[(*count)++] = *variable->unit ? tn_arena_print(arena, "%s=\"%.17g [%s]\"", variable->name,
                                                                value[k], variable->unit)
                                               : tn_arena_print(arena, "%s=%.17g", variable->name, value[k]);
    }
    return text;
}
