/* fill.c - from a TOML table to the memory of an instance */
#include "config/fill.h"

#include "model/builder.h"
#include "units/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- single values --------------------------------------------------------------------------------------- */

bool tn_parameter_admits(const tn_parameter *parameter, double value, char *words, size_t size)
{
    const bool low = parameter->flags & TN_ABOVE_LOW ? value > parameter->low : value >= parameter->low;
    const bool high = parameter->flags & TN_BELOW_HIGH ? value < parameter->high : value <= parameter->high;
    if (low && high) return true;
    const char *above = parameter->flags & TN_ABOVE_LOW ? "larger than" : "at least";
    const char *below = parameter->flags & TN_BELOW_HIGH ? "smaller than" : "at most";
    (void)tn_print_cut(words, size, "%g is out of range: it must be %s %g", value, low ? below : above,
                       low ? parameter->high : parameter->low);
    return false;
}

int32_t tn_parameter_choice(const tn_parameter *parameter, const char *word, size_t length)
{
    int32_t index = 0;
    for (const char *known = parameter->detail; *known; known += *known == '|', index++) {
        const size_t size = strcspn(known, "|");
        if (size == length && strncmp(known, word, length) == 0) return index;
        known += size;
    }
    return -1;
}

static bool in_range(tn_source *source, const tn_parameter *parameter, const tn_toml *node, double value)
{
    char words[128];
    if (tn_parameter_admits(parameter, value, words, sizeof words)) return true;
    return tn_value_error(source, node, "%s", words);
}

static bool read_choice(tn_source *source, const tn_parameter *parameter, const tn_toml *node, int32_t *place)
{
    const bool is_text = node->kind == TN_TOML_STRING;
    const int32_t index = is_text ? tn_parameter_choice(parameter, node->text, node->length) : -1;
    if (index >= 0) {
        *place = index;
        return true;
    }
    tn_nearest search;
    tn_nearest_start(&search, is_text ? node->text : "");
    for (const char *word = parameter->detail; *word; word += *word == '|') {
        const size_t length = strcspn(word, "|");
        tn_nearest_offer(&search, tn_arena_text(source->arena, word, length));
        word += length;
    }
    if (!search.best)
        return tn_value_error(source, node, "one of the words %s is expected", parameter->detail);
    return tn_value_error(source, node, "`%s` is not one of %s: did you mean `%s`?", node->text,
                          parameter->detail, search.best);
}

static bool read_integer(tn_source *source, const tn_parameter *parameter, const tn_toml *node,
                         int64_t *place)
{
    int64_t value = 0;
    const bool good =
        tn_integer_read(source, node, &value) && in_range(source, parameter, node, (double)value);
    if (good) *place = value;
    return good;
}

/* What numbers convert to; NULL: to SI, whatever their unit is. */
static const char *target_unit(const tn_parameter *parameter)
{
    return strcmp(parameter->unit, TN_ANY_UNIT) == 0 ? NULL : parameter->unit;
}

const tn_parameter *tn_parameter_of_power(const tn_parameter *parameters, const char *unit)
{
    const char *roof = strrchr(unit, '^');
    for (const tn_parameter *p = parameters; roof && p && p->name; p++)
        if (strcmp(p->name, roof + 1) == 0) return p->kind == TN_KIND_REAL && p->count == 1 ? p : NULL;
    return NULL;
}

/* The unit with the number that this parameter has in the same table, or in what changes, or by default. It stays as it is, and fits
 * none, where the number differs between copies. */
static const char *unit_with_power(tn_source *source, const tn_filler *filler, const char *unit)
{
    const tn_parameter *power = unit ? tn_parameter_of_power(filler->parameters, unit) : NULL;
    if (!power) return unit;
    const tn_toml *node = tn_parameter_node(filler->table, power->name);
    tn_quantity quantity = {.value = power->standard};
    if (!node && source->changed)
        memcpy(&quantity.value, (const char *)source->changed + power->offset, sizeof(double));
    if (isnan(quantity.value)) quantity.value = power->standard;
    const char *key = source->key;
    source->key = power->name;
    const bool known =
        !node ||
        (tn_quantity_compile(source, node, power->unit, &(tn_allowed){0}, &quantity) && !quantity.expression);
    tn_expression_free(quantity.expression);
    source->key = key;
    if (!known) return unit;
    char number[32] = "";
    if (quantity.value != 1.0) (void)snprintf(number, sizeof number, "^%.7g", quantity.value);
    char *whole = tn_arena_new(source->arena, strlen(unit) + sizeof number);
    const size_t length = (size_t)(strrchr(unit, '^') - unit);
    memcpy(whole, unit, length);
    memcpy(whole + length, number, strlen(number) + 1);
    return whole;
}

/* The numbers of a matrix one behind the other, row by row; NULL after reporting rows of different length. */
static const tn_toml *flatten_rows(tn_source *source, const tn_toml *node)
{
    tn_toml *flat = tn_toml_new(source->arena, *node);
    const size_t columns = node->child[0]->count;
    flat->count = node->count * columns;
    flat->child = tn_arena_new(source->arena, (flat->count + 1) * sizeof(tn_toml *));
    for (size_t r = 0; r < node->count; r++) {
        const tn_toml *row = node->child[r];
        if (row->kind != TN_TOML_ARRAY || row->count != columns) {
            tn_value_error(source, row, "row %zu is to have %zu numbers, as the first row has", r + 1,
                           columns);
            return NULL;
        }
        for (size_t c = 0; c < columns; c++)
            flat->child[r * columns + c] = row->child[c];
    }
    return flat;
}

/* Numbers as many as there are, also row by row. */
static bool read_list(tn_source *source, const tn_parameter *parameter, const tn_toml *node, tn_list *list)
{
    const char *unit = target_unit(parameter);
    double scale = 1.0;
    if (!tn_vector_open(source, &node, &unit, &scale)) return false;
    if (node->kind != TN_TOML_ARRAY) return tn_value_error(source, node, "an array of numbers is expected");
    const bool by_rows = parameter->flags & TN_ROWS && node->count && node->child[0]->kind == TN_TOML_ARRAY;
    if (by_rows && !(node = flatten_rows(source, node))) return false;
    double *value = tn_arena_new(source->arena, (node->count + 1) * sizeof *value);
    for (size_t k = 0; k < node->count; k++) {
        if (!tn_number_read(source, node->child[k], unit, &value[k])) continue;
        value[k] *= scale;
        (void)in_range(source, parameter, node->child[k], value[k]);
    }
    *list = (tn_list){value, node->count};
    return true;
}

/* One, or an array of them. */
static bool read_booleans(tn_source *source, const tn_parameter *parameter, const tn_toml *node,
                          int32_t *place)
{
    const bool alone = parameter->count == 1;
    bool fits = alone || (node->kind == TN_TOML_ARRAY && node->count == parameter->count);
    for (uint32_t k = 0; fits && k < parameter->count; k++) {
        const tn_toml *one = alone ? node : node->child[k];
        fits = one->kind == TN_TOML_BOOLEAN;
        place[k] = fits && one->integer;
    }
    if (!fits && alone) return tn_value_error(source, node, "true or false is expected");
    return fits || tn_value_error(source, node, "an array of %u values is expected, each true or false",
                                  parameter->count);
}

static bool read_string(tn_source *source, const tn_toml *node, const char **place)
{
    if (node->kind != TN_TOML_STRING) return tn_value_error(source, node, "a string is expected");
    *place = tn_arena_text(source->arena, node->text, node->length);
    return true;
}

static bool read_texts(tn_source *source, const tn_toml *node, tn_texts *texts)
{
    if (node->kind != TN_TOML_ARRAY) return tn_value_error(source, node, "an array of strings is expected");
    const char **text = tn_arena_new(source->arena, (node->count + 1) * sizeof *text);
    for (size_t k = 0; k < node->count; k++)
        (void)read_string(source, node->child[k], &text[k]);
    *texts = (tn_texts){text, node->count};
    return true;
}

/* The path of a file that can be read, relative to what the program was started in. */
static bool read_path(tn_source *source, const tn_parameter *parameter, const tn_toml *node,
                      const char **place)
{
    const char *reason = NULL;
    if (node->kind != TN_TOML_STRING || !node->length || strlen(node->text) != node->length)
        return tn_value_error(source, node, "the path of a file is expected");
    const char *path = tn_document_file(source->document, node, &reason);
    if (path) *place = path;
    if (path) return !(parameter->flags & TN_CODE) || tn_source_trust(source, node, path);
    return tn_value_error(source, node, "`%s` cannot be read: %s", node->text, reason);
}

/* Kinds that are simply read again in every copy; false after reporting. */
static bool read_general(tn_source *source, const tn_parameter *parameter, const tn_toml *node,
                         void *instance)
{
    void *place = (char *)instance + parameter->offset;
    const bool has_texts = parameter->kind == TN_KIND_TEXT || parameter->kind == TN_KIND_FILE ||
                           parameter->kind == TN_KIND_TEXTS;
    if (has_texts && source->depth && source->expand) node = source->expand(source, node);
    if (!node) return false;
    switch (parameter->kind) {
    case TN_KIND_ROTATION:
        return tn_rotation_read(source, node, place);
    case TN_KIND_INTEGER:
        return read_integer(source, parameter, node, place);
    case TN_KIND_CHOICE:
        return read_choice(source, parameter, node, place);
    case TN_KIND_LIST:
        return read_list(source, parameter, node, place);
    case TN_KIND_BOOLEAN:
        return read_booleans(source, parameter, node, place);
    case TN_KIND_FILE:
        return read_path(source, parameter, node, place);
    case TN_KIND_TEXTS:
        return read_texts(source, node, place);
    default:
        /* the name of a type may stand in a table with its parameters */
        if (parameter->detail && node->kind == TN_TOML_TABLE) {
            const tn_toml *type = tn_toml_get(node, "type");
            if (!type) return tn_value_error(source, node, "the key `type` is missing in this table");
            node = type;
        }
        return read_string(source, node, place);
    }
}

/* ---- callables ------------------------------------------------------------------------------------------- */

/* Compiles the expression of a callable; its arguments are listed as "name [unit], name [unit], ...". */
static bool compile_callable(tn_source *source, const tn_parameter *parameter, const tn_toml *node,
                             tn_quantity *quantity)
{
    char *words = tn_arena_text(source->arena, parameter->detail, strlen(parameter->detail));
    const char *names[TN_ARGUMENTS];
    tn_allowed allowed = {.time = parameter->flags & TN_DYNAMIC, .argument = names};
    char *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word && allowed.argument_count < TN_ARGUMENTS;
         word = strtok_r(NULL, ",", &rest)) {
        word += strspn(word, " ");
        word[strcspn(word, " [")] = '\0';
        names[allowed.argument_count++] = word;
    }
    if (node->kind != TN_TOML_STRING)
        return tn_value_error(source, node, "an expression of %s is expected", parameter->detail);
    return tn_quantity_compile(source, node, parameter->unit, &allowed, quantity);
}

/* ---- preparing a table ----------------------------------------------------------------------------------- */

static tn_fill_step *add_step(tn_filler *filler, const tn_parameter *parameter, const tn_toml *node)
{
    TN_APPEND(filler->step, filler->count,
              (tn_fill_step){.parameter = parameter, .node = node, .kind = TN_STEP_GENERAL});
    return &filler->step[filler->count - 1];
}

/* One number of a real parameter: into the prototype, or a step when it differs between copies or in time. */
static void prepare_number(tn_source *source, tn_filler *filler, const tn_parameter *parameter,
                           const tn_toml *node, const char *unit, double scale, uint32_t component)
{
    double *place = (double *)(void *)(filler->prototype + parameter->offset) + component;
    tn_quantity quantity;
    const tn_allowed allowed = {.time = parameter->flags & TN_DYNAMIC};
    if (!tn_quantity_compile(source, node, unit, &allowed, &quantity)) return;
    quantity.factor *= scale;
    if (!quantity.expression) {
        *place = quantity.value * scale;
        (void)in_range(source, parameter, node, *place);
        return;
    }
    const bool dynamic = tn_quantity_changes(source, &quantity);
    tn_fill_step *step = add_step(filler, parameter, node);
    step->kind = dynamic ? TN_STEP_DYNAMIC : TN_STEP_QUANTITY;
    step->component = component;
    step->quantity = quantity;
    if (dynamic) filler->dynamic |= 1ull << (parameter - filler->parameters);
}

/* Rows of a matrix. */
static bool is_matrix(const tn_toml *node)
{
    bool fits = node->kind == TN_TOML_ARRAY && node->count == 3;
    for (size_t k = 0; fits && k < 3; k++)
        fits = node->child[k]->kind == TN_TOML_ARRAY && node->child[k]->count == 3;
    return fits;
}

/* Two numbers are the same, or two expressions are to the letter. */
static bool is_same_value(const tn_toml *a, const tn_toml *b)
{
    if (a->kind == TN_TOML_STRING || b->kind == TN_TOML_STRING)
        return a->kind == b->kind && strcmp(a->text, b->text) == 0;
    return fabs(a->real - b->real) <= 1e-12 * fmax(fabs(a->real), fabs(b->real));
}

/* xx yy zz xy xz yz of a symmetric matrix; NULL after reporting one that is not. */
static const tn_toml *elements_of_matrix(tn_source *source, const tn_toml *matrix)
{
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    tn_toml *elements = tn_toml_new(source->arena, *matrix);
    elements->count = 6;
    elements->child = tn_arena_new(source->arena, 6 * sizeof(tn_toml *));
    for (int k = 0; k < 6; k++) {
        tn_toml *above = matrix->child[row[k]]->child[column[k]],
                *below = matrix->child[column[k]]->child[row[k]];
        elements->child[k] = above;
        if (is_same_value(above, below)) continue;
        tn_value_error(source, below,
                       "the matrix is not symmetric: row %d, column %d differs from row %d, column %d",
                       column[k] + 1, row[k] + 1, row[k] + 1, column[k] + 1);
        return NULL;
    }
    return elements;
}

/* Whether an array has as many numbers as the parameter takes; false after reporting. */
static bool has_length(tn_source *source, const tn_parameter *parameter, const tn_toml *node)
{
    const size_t count = node->kind == TN_TOML_ARRAY ? node->count : 0;
    const bool fewer = parameter->flags & TN_FEWER && count >= 1 && count < parameter->count;
    if (count && (count == parameter->count || count == parameter->count_alternative || fewer)) return true;
    if (parameter->flags & TN_FEWER)
        return tn_value_error(source, node, "an array of 1 to %u numbers is expected (%s)", parameter->count,
                              tn_unit_words(parameter));
    if (parameter->count_alternative)
        return tn_value_error(source, node, "an array of %u or %u numbers is expected (%s)",
                              parameter->count_alternative, parameter->count, tn_unit_words(parameter));
    return tn_value_error(source, node, "an array of %u numbers is expected (%s)", parameter->count,
                          tn_unit_words(parameter));
}

/* One number that stands alone where there may be several. */
static const tn_toml *as_array(tn_source *source, const tn_toml *node)
{
    tn_toml *array = tn_toml_new(source->arena, *node), *one = tn_toml_new(source->arena, *node);
    array->kind = TN_TOML_ARRAY;
    array->count = 1;
    array->child = tn_arena_new(source->arena, sizeof(tn_toml *));
    array->child[0] = one;
    return array;
}

static void prepare_real(tn_source *source, tn_filler *filler, const tn_parameter *parameter,
                         const tn_toml *node)
{
    const char *unit = unit_with_power(source, filler, target_unit(parameter));
    const tn_toml *whole_unit = tn_toml_get(node, "unit");
    double scale = 1.0;
    if (parameter->count == 1) {
        prepare_number(source, filler, parameter, node, unit, scale, 0);
        return;
    }
    if (parameter->flags & TN_FEWER && node->kind != TN_TOML_ARRAY && node->kind != TN_TOML_TABLE)
        node = as_array(source, node);
    if (!tn_vector_open(source, &node, &unit, &scale)) return;
    if (parameter->flags & TN_SYMMETRIC && is_matrix(node)) node = elements_of_matrix(source, node);
    if (!node) return;
    if (!has_length(source, parameter, node)) return;
    const size_t first = filler->count;
    for (uint32_t k = 0; k < parameter->count; k++) {
        if (k < node->count)
            prepare_number(source, filler, parameter, node->child[k],
                           unit ? tn_unit_of_number(unit, k, parameter->count, source->arena) : NULL, scale,
                           k);
        else
            ((double *)(void *)(filler->prototype + parameter->offset))[k] =
                parameter->flags & TN_FEWER ? (double)NAN : 0.0;
    }
    for (size_t k = first; whole_unit && k < filler->count; k++)
        filler->step[k].quantity.unit = whole_unit->text;
}

static void prepare_callable(tn_source *source, tn_filler *filler, const tn_parameter *parameter,
                             const tn_toml *node)
{
    tn_quantity quantity = {0};
    if (!compile_callable(source, parameter, node, &quantity)) return;
    tn_fill_step *step = add_step(filler, parameter, node);
    step->kind = TN_STEP_CALLABLE;
    step->quantity = quantity;
    if (tn_quantity_changes(source, &quantity)) filler->dynamic |= 1ull << (parameter - filler->parameters);
}

void tn_filler_prepare(tn_source *source, const tn_toml *table, const tn_parameter *parameters,
                       size_t instance_size, tn_filler *filler)
{
    *filler = (tn_filler){.table = table, .parameters = parameters, .instance_size = instance_size};
    filler->prototype = tn_new(1, instance_size);
    const char *outer = source->key;
    const size_t unknown = source->unknown;
    for (const tn_parameter *parameter = parameters; parameter && parameter->name; parameter++) {
        tn_parameter_set_default(parameter, filler->prototype);
        const tn_toml *node = tn_parameter_node(table, parameter->name);
        if (!node) continue;
        source->key = parameter->name;
        if (parameter->kind == TN_KIND_REAL)
            prepare_real(source, filler, parameter, node);
        else if (parameter->kind == TN_KIND_CALLABLE)
            prepare_callable(source, filler, parameter, node);
        else if (source->depth)
            (void)add_step(filler, parameter, node);
        else
            (void)read_general(source, parameter, node, filler->prototype);
    }
    source->key = outer;
    filler->unknown = source->unknown != unknown;
}

/* The value of a dynamic quantity where time, and all that it reads, is zero. */
static double first_value(tn_source *source, const tn_quantity *quantity)
{
    double *inputs = tn_new((size_t)source->depth + 1 + quantity->calls.count, sizeof *inputs), value = 0.0;
    const char *problem = NULL;
    if (source->variable_value) memcpy(inputs, source->variable_value, source->depth * sizeof *inputs);
    source->made_up = true;
    const bool known = tn_expression_value(quantity->expression, inputs, &value, &problem);
    source->made_up = false;
    tn_free(inputs);
    return known ? value * quantity->factor : 0.0;
}

void tn_filler_apply(tn_source *source, const tn_filler *filler, void *instance)
{
    memcpy(instance, filler->prototype, filler->instance_size);
    tn_filler_vary(source, filler, instance);
}

void tn_filler_vary(tn_source *source, const tn_filler *filler, void *instance)
{
    const char *outer = source->key;
    for (size_t k = 0; k < filler->count; k++) {
        const tn_fill_step *step = &filler->step[k];
        source->key = step->parameter->name;
        double *place = (double *)(void *)((char *)instance + step->parameter->offset) + step->component;
        double value = 0.0;
        if (step->kind == TN_STEP_DYNAMIC)
            *place = first_value(source, &step->quantity);
        else if (step->kind == TN_STEP_CALLABLE)
            tn_callable_apply(source, step, instance);
        else if (step->kind == TN_STEP_GENERAL)
            (void)read_general(source, step->parameter, step->node, instance);
        else if (tn_quantity_evaluate(source, &step->quantity, source->variable_value, &value) &&
                 in_range(source, step->parameter, step->node, value))
            *place = value;
    }
    source->key = outer;
}

void tn_fill(tn_source *source, const tn_toml *table, const tn_parameter *parameters, size_t instance_size,
             void *instance)
{
    tn_filler filler;
    tn_filler_prepare(source, table, parameters, instance_size, &filler);
    tn_filler_apply(source, &filler, instance);
}
