/* block.c - repeats: their items compiled, and walked through copy by copy */
#include "tables/tables.h"

#include <math.h>
#include <string.h>

const char *const tn_item_keys[TN_TEMPLATE_KINDS] = {"signal", "element", "marker", "sensor", "change"};

void tn_block_add_inner(tn_block *block, tn_block *inner)
{
    for (uint32_t kind = 0; kind < TN_TEMPLATE_KINDS; kind++)
        block->holds[kind] = block->holds[kind] || inner->holds[kind];
    TN_APPEND(block->inner, block->inner_count, inner);
}

/* ---- compiling ------------------------------------------------------------------------------------------- */

static void compile_item(tn_model *model, const tn_toml *table, uint32_t kind, tn_block *block)
{
    if (!tn_source_expect(&model->reader->source, table, TN_TOML_TABLE, "a table is expected")) return;
    tn_template *origin = tn_template_new(table, kind);
    block->holds[kind] = true;
    TN_APPEND(block->item, block->item_count, origin);
    origin->expands = tn_template_expands(origin);
    if (!origin->expands) tn_template_compile(model, origin);
}

/* The name of a repeat variable; one that cannot be used is reported. */
static const char *read_variable(tn_model *model, const tn_toml *table, const tn_toml *node)
{
    tn_source *source = &model->reader->source;
    if (node && (node->kind != TN_TOML_STRING || !tn_is_name(node->text))) {
        tn_source_error(source, node, "`variable` is a name");
        return "i";
    }
    const char *name = node ? node->text : "i";
    const tn_toml *place = node ? node : table;
    if (tn_expression_reserved(name))
        tn_source_error(source, place, "`%s` is a word of the expression language: choose another name",
                        name);
    if (tn_names_find(&source->parameters->names, name) != TN_NO_NAME)
        tn_source_error(source, place, "`%s` is already the name of a parameter", name);
    for (uint32_t k = 0; k < source->depth; k++)
        if (strcmp(source->variable[k], name) == 0)
            tn_source_error(source, place, "an outer repeat already counts with `%s`", name);
    return name;
}

static bool is_count(tn_model *model, const tn_toml *node, double count)
{
    if (count >= 0.0 && count <= TN_MOST_COPIES && count == floor(count)) return true;
    return tn_source_error(&model->reader->source, node, "`count` is an integer from 0 to %d, not %.10g",
                           TN_MOST_COPIES, count);
}

static void read_count(tn_model *model, const tn_toml *table, const tn_toml *node, tn_quantity *count)
{
    if (!node)
        tn_source_missing_key(&model->reader->source, table, "count", NULL, NULL);
    else if (tn_quantity_compile(&model->reader->source, node, "", &(tn_allowed){0}, count) &&
             !count->expression)
        (void)is_count(model, node, count->value);
}

static void compile_repeat(tn_model *model, const tn_toml *table, tn_block *block, bool signals)
{
    static const char *const words[] = {"count",  "variable", "signal", "element", "marker",
                                        "sensor", "change",   "repeat", NULL};
    const tn_keys keys = {.words = words};
    tn_source *source = &model->reader->source;
    const size_t before = tn_error_count(model->reader->diagnostics);
    block->variable = read_variable(model, table, tn_meant(table, "variable", &keys));
    if (source->depth == TN_REPEAT_DEPTH)
        tn_source_error(source, table, "repeats are nested more than %d deep", TN_REPEAT_DEPTH);
    const bool counts = tn_error_count(model->reader->diagnostics) == before;
    tn_check_keys(source, table, &keys);
    read_count(model, table, tn_meant(table, "count", &keys), &block->count);
    if (tn_error_count(model->reader->diagnostics) != before) {
        block->count.node = NULL;
        model->reader->incomplete = true;
    }
    if (!counts) return; /* what is inside cannot be judged without the variable */
    source->variable[source->depth++] = block->variable;
    tn_block_compile(model, table, block, signals);
    source->depth--;
}

static const tn_toml *array_of(tn_model *model, const tn_toml *table, const char *key)
{
    const tn_toml *node = tn_toml_get(table, key);
    if (!node || node->kind == TN_TOML_ARRAY) return node;
    tn_source_error_at(&model->reader->source, node->key_place, "`%s` is an array of tables: write [[%s]]",
                       key, key);
    model->reader->incomplete = true;
    return NULL;
}

static bool has_signals(const tn_toml *repeat)
{
    const tn_toml *inner = tn_toml_get(repeat, "repeat");
    bool found = tn_toml_get(repeat, "signal");
    for (size_t k = 0; inner && !found && k < inner->count; k++)
        found = has_signals(inner->child[k]);
    return found;
}

void tn_block_compile(tn_model *model, const tn_toml *table, tn_block *block, bool signals)
{
    for (uint32_t kind = 0; kind < TN_TEMPLATE_KINDS; kind++) {
        if ((kind == TN_TEMPLATE_SIGNAL) != signals) continue;
        const tn_toml *array = array_of(model, table, tn_item_keys[kind]);
        for (size_t k = 0; array && k < array->count; k++)
            compile_item(model, array->child[k], kind, block);
    }
    const tn_toml *repeats = array_of(model, table, "repeat");
    for (size_t k = 0; repeats && k < repeats->count; k++) {
        const tn_toml *repeat = repeats->child[k];
        if (!tn_source_expect(&model->reader->source, repeat, TN_TOML_TABLE, "a table is expected") ||
            (signals && !has_signals(repeat)))
            continue;
        tn_block *inner = tn_new(1, sizeof *inner);
        compile_repeat(model, repeat, inner, signals);
        tn_block_add_inner(block, inner);
    }
}

/* ---- counting -------------------------------------------------------------------------------------------- */

/* The copies of a model while they are counted. */
typedef struct counter {
    tn_model *model;
    double copies, multiple; /* of the block in hand; how often it is there, as far as that is a number */
    bool full;
    double values[TN_REPEAT_DEPTH];
} counter;

/* True when the counts of a block's repeats are all numbers. */
static bool has_fixed_counts(const tn_block *block)
{
    for (size_t k = 0; k < block->inner_count; k++)
        if (block->inner[k]->count.expression || !has_fixed_counts(block->inner[k])) return false;
    return true;
}

static void add_copies(counter *c, double copies, const tn_block *block)
{
    c->copies += copies;
    if (c->full || c->copies <= TN_MOST_COPIES) return;
    c->full = true;
    const tn_toml *node = block->count.node ? block->count.node : block->part ? block->part->table : NULL;
    const tn_place model = {tn_document_path(c->model->reader->document), 0, 0};
    tn_source_error_at(&c->model->reader->source, node ? node->place : model,
                       "the model has more than %d elements, markers, signals, sensors and changes, the "
                       "largest number possible",
                       TN_MOST_COPIES);
}

/* How often a repeat is there at the current repeat variables; false where that cannot be told, after reporting. */
static bool find_count(tn_model *model, const tn_block *repeat, double *count)
{
    tn_source *source = &model->reader->source;
    return repeat->count.node &&
           tn_quantity_evaluate(source, &repeat->count, source->variable_value, count) &&
           is_count(model, repeat->count.node, *count);
}

static void count_block(counter *c, const tn_block *block);

/* A repeat counts as something also where it holds nothing: it takes its time. */
static void count_repeat(counter *c, const tn_block *repeat)
{
    tn_source *source = &c->model->reader->source;
    double count = 0.0;
    if (!find_count(c->model, repeat, &count)) return;
    const uint32_t depth = source->depth++;
    const bool fixed = has_fixed_counts(repeat);
    source->variable[depth] = repeat->variable;
    for (c->values[depth] = 0.0; c->values[depth] < count && !c->full; c->values[depth]++) {
        const double before = c->copies;
        if (fixed) c->multiple *= count;
        count_block(c, repeat);
        if (fixed) c->multiple /= count;
        const double copies = fmax(c->copies - before, 1.0);
        add_copies(c, (fixed ? copies * count : copies) - (c->copies - before), repeat);
        if (fixed) break;
    }
    source->depth = depth;
}

static void count_block(counter *c, const tn_block *block)
{
    add_copies(c, (double)block->item_count, block);
    for (size_t k = 0; k < block->item_count && !c->full; k++) {
        const uint32_t use = block->item[k]->base.use;
        if (use != TN_NONE && !c->model->use[use].block) c->model->use[use].expected += c->multiple;
    }
    for (size_t k = 0; k < block->inner_count && !c->full; k++) {
        const tn_block *inner = block->inner[k];
        const tn_part *outer = tn_part_enter(c->model, inner->part);
        if (inner->part)
            count_block(c, inner);
        else
            count_repeat(c, inner);
        (void)tn_part_enter(c->model, outer);
    }
}

bool tn_block_count(tn_model *model, const tn_block *block)
{
    counter c = {.model = model, .multiple = 1.0, .copies = (double)model->reader->signal_names.count};
    model->reader->source.variable_value = c.values;
    count_block(&c, block);
    model->reader->source.variable_value = NULL;
    return !c.full;
}

/* ---- walking --------------------------------------------------------------------------------------------- */

/* The template of the current copy: the first walk through it compiles it. */
static tn_template *template_in_hand(tn_model *model, tn_template *origin, bool walked)
{
    if (!origin->expands) return origin;
    if (walked) return origin->copy[origin->next_copy++ % origin->copy_count];
    const tn_toml *table = tn_expand(&model->reader->source, origin->table);
    tn_template *copy = tn_template_new(table ? table : origin->table, origin->kind);
    copy->nameless = true;
    if (table) tn_template_compile(model, copy);
    TN_APPEND(origin->copy, origin->copy_count, copy);
    return copy;
}

/* A walk under way. */
typedef struct walker {
    tn_model *model;
    uint32_t kind;
    bool walked; /* not for the first time */
    tn_visitor *visit;
    void *data;
    double values[TN_REPEAT_DEPTH];
} walker;

static void walk_block(walker *w, const tn_block *block)
{
    tn_model *model = w->model;
    for (size_t k = 0; k < block->item_count; k++) {
        if (block->item[k]->kind != w->kind) continue;
        tn_template *origin = template_in_hand(model, block->item[k], w->walked);
        if (!origin->nameless && tn_template_wanted(model, origin)) w->visit(model, origin, w->data);
    }
    tn_source *source = &model->reader->source;
    for (size_t k = 0; k < block->inner_count; k++) {
        const tn_block *inner = block->inner[k];
        double count = 0.0;
        if (!inner->holds[w->kind]) continue;
        if (inner->part) {
            const tn_part *outer = tn_part_enter(model, inner->part);
            walk_block(w, inner);
            (void)tn_part_enter(model, outer);
        } else if (find_count(model, inner, &count)) {
            const uint32_t depth = source->depth++;
            source->variable[depth] = inner->variable;
            for (w->values[depth] = 0.0; w->values[depth] < count; w->values[depth]++)
                walk_block(w, inner);
            source->depth = depth;
        } else {
            model->reader->incomplete = true;
        }
    }
}

void tn_block_walk_kind(tn_model *model, tn_block *block, uint32_t kind, tn_visitor *visit, void *data)
{
    walker w = {.model = model, .kind = kind, .walked = block->walked[kind], .visit = visit, .data = data};
    model->reader->source.variable_value = w.values;
    walk_block(&w, block);
    model->reader->source.variable_value = NULL;
    block->walked[kind] = true;
}
