/* parts.c - sub-models: a file with its own names, parameters and place, used as part of a model */
#include "tables/tables.h"
#include "values/value_graph.h"

#include <string.h>

static const tn_parameter place_parameters[] = {
    TN_NUMBERS_KEY("position", "m", 3, "position of the part's origin",
                   .offset = offsetof(tn_part, position)),
    TN_VALUE_KEY("rotation", TN_KIND_ROTATION, "orientation, from the part's axes to the outer axes",
                 .offset = offsetof(tn_part, rotation)),
    {0}};
static const char *const part_words[] = {"name", "file", "parameters", "set", NULL};
const tn_keys tn_part_keys = {.words = part_words, .parameters = {place_parameters}};
static const char *const file_words[] = {"part",   "uses",   "plugins", "parameters", "input",  "element",
                                         "marker", "signal", "sensor",  "change",     "repeat", NULL};
const tn_keys tn_part_file_keys = {.words = file_words};

/* The value of a key that must be a string; false after reporting. */
static bool read_part_text(tn_source *source, const tn_toml *table, const char *key, const char *meaning,
                           const tn_toml **node)
{
    *node = tn_meant(table, key, &tn_part_keys);
    if (!*node) return tn_source_missing_key(source, table, key, meaning, NULL);
    return (*node)->kind == TN_TOML_STRING || tn_source_error(source, *node, "`%s` is a string", key);
}

/* False after reporting. */
static bool read_part_name(tn_model *model, tn_part *part)
{
    tn_source *source = &model->reader->source;
    const tn_toml *node = NULL;
    if (!read_part_text(source, part->table, "name",
                        "name of the part, which prefixes the names of its items", &node) ||
        !tn_name_check(source, node->place, node->text))
        return false;
    part->name = tn_part_name(model, node->text);
    return tn_names_add(&model->reader->part_names, part->name) != TN_NO_NAME ||
           tn_source_error_at(source, node->key_place, "another part has the name `%s`", node->text);
}

/* Reads the file; false after reporting. */
static bool read_part_file(tn_model *model, tn_part *part)
{
    tn_source *source = &model->reader->source;
    tn_document *document = model->reader->document;
    const tn_toml *node = NULL;
    if (!read_part_text(source, part->table, "file", "of the part", &node)) return false;
    const char *path = tn_document_beside(document, node);
    part->path = tn_document_identity(document, path);
    size_t depth = 0;
    for (const tn_part *outer = part->outer; outer; outer = outer->outer, depth++)
        if (strcmp(outer->path, part->path) == 0)
            return tn_source_error(source, node, "`%s` is part of itself", node->text);
    if (depth > TN_FILE_DEPTH)
        return tn_source_error(source, node, "parts are nested more than %d deep", TN_FILE_DEPTH);
    const char *how = tn_arena_print(&model->arena, "in part `%s`, ", part->name);
    const char *chain = tn_document_chain_at(document, how, part->table->place);
    part->root = tn_document_add(document, path, chain, node, model->reader->diagnostics);
    return part->root;
}

/* What the [[part]] table sets in the part's file: "element.spring.stiffness" = 200. */
static void apply_settings(tn_model *model, const tn_part *part)
{
    const tn_toml *set = tn_toml_get(part->table, "set");
    if (!set ||
        !tn_source_expect(&model->reader->source, set, TN_TOML_TABLE,
                          "`set` is a table of values by path: { \"element.spring.stiffness\" = 200 }"))
        return;
    for (size_t k = 0; k < set->count; k++)
        (void)tn_document_put(model->reader->document, (tn_toml *)part->root, set->child[k],
                              model->reader->diagnostics);
}

/* `uses`: in the table [part], or in front of all tables where [[part]] stands in its place. */
static void read_uses(tn_model *model, tn_part *part)
{
    static const char *const words[] = {"uses", NULL};
    tn_source *source = &model->reader->source;
    const tn_toml *own = tn_toml_get(part->root, "part"), *uses = tn_toml_get(part->root, "uses");
    if (own && own->kind == TN_TOML_TABLE) {
        tn_check_keys(source, own, &(tn_keys){.words = words});
        if (uses)
            tn_source_error_at(source, uses->key_place, "`uses` belongs in the table [part] of this file");
        uses = tn_toml_get(own, "uses");
    }
    if (!uses || !tn_source_expect(source, uses, TN_TOML_ARRAY, "`uses` is an array of names")) return;
    part->uses = uses;
    for (size_t k = 0; k < uses->count; k++)
        (void)tn_source_expect(source, uses->child[k], TN_TOML_STRING, "a name is expected");
}

/* What the model may say and its parts may not. */
static void check_part_file(tn_model *model, const tn_part *part)
{
    static const char *const others[] = {"model", "solver", "output", "run"};
    tn_toml rest = *part->root;
    rest.child = tn_arena_new(&model->arena, (rest.count + 1) * sizeof *rest.child);
    rest.count = 0;
    for (size_t k = 0; k < part->root->count; k++) {
        tn_toml *child = part->root->child[k];
        size_t other = 0;
        while (other < sizeof others / sizeof *others && strcmp(others[other], child->key) != 0)
            other++;
        if (other == sizeof others / sizeof *others)
            rest.child[rest.count++] = child;
        else
            tn_source_error_at(&model->reader->source, child->key_place,
                               "`%s` belongs in the file of the model, not in that of a part", child->key);
    }
    tn_check_keys(&model->reader->source, &rest, &tn_part_file_keys);
}

static void declare_part(tn_model *model, tn_part *part, tn_block *block);

/* One [[part]] of the current part. */
static void read_inner(tn_model *model, const tn_toml *table, tn_block *block)
{
    tn_source *source = &model->reader->source;
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "a table is expected")) return;
    if (model->reader->part_names.count == TN_MOST_PARTS) {
        tn_source_error(source, table, "a model has at most %d parts", TN_MOST_PARTS);
        model->reader->incomplete = true;
        return;
    }
    tn_part *part = tn_arena_new(&model->arena, sizeof *part);
    source->item = tn_toml_text(table, "name");
    tn_check_keys(source, table, &tn_part_keys);
    tn_fill(source, table, place_parameters, sizeof *part, part); /* the rest of it is zero */
    part->outer = model->reader->part;
    part->table = table;
    part->moved = tn_toml_get(table, "position");
    part->turned = tn_toml_get(table, "rotation");
    const bool found = read_part_name(model, part) && read_part_file(model, part);
    source->item = NULL;
    if (!found) {
        model->reader->incomplete = true;
        return;
    }
    apply_settings(model, part);
    check_part_file(model, part);
    read_uses(model, part);
    tn_block *inner = tn_new(1, sizeof *inner);
    inner->part = part;
    tn_block_add_inner(block, inner);
    declare_part(model, part, inner);
}

static void read_inner_parts(tn_model *model, const tn_toml *root, tn_block *block)
{
    const tn_toml *parts = tn_toml_get(root, "part");
    if (!parts) return;
    if (parts->kind == TN_TOML_TABLE && !model->reader->part->outer)
        tn_source_error_at(&model->reader->source, parts->key_place,
                           "[part] belongs in the file of a part: a model has [[part]] tables");
    else if (parts->kind != TN_TOML_ARRAY && parts->kind != TN_TOML_TABLE)
        tn_source_error(&model->reader->source, parts, "`part` is an array of tables: write [[part]]");
    for (size_t k = 0; parts->kind == TN_TOML_ARRAY && k < parts->count; k++)
        read_inner(model, parts->child[k], block);
}

/* Reads what expressions may refer to, of this part and of those in it. */
static void declare_part(tn_model *model, tn_part *part, tn_block *block)
{
    tn_source *source = &model->reader->source;
    const tn_toml *given = part->table ? tn_toml_get(part->table, "parameters") : NULL;
    const tn_part *outer = model->reader->part;
    tn_part_enter(model, part);
    tn_model_map_plugins(model, tn_toml_get(part->root, "plugins"));
    tn_parameters_read(source, tn_toml_get(part->root, "parameters"));
    if (given) {
        tn_part_enter(model, outer);
        tn_parameters_override(source, given, &part->parameters);
        tn_part_enter(model, part);
    }
    tn_inputs_read(model, part->root);
    tn_signals_read(model, part);
    read_inner_parts(model, part->root, block);
    tn_part_enter(model, outer);
}

/* Compiles the items of a part and of those in it: these were declared first, but their items follow those of its repeats. */
static void compile_part(tn_model *model, const tn_part *part, tn_block *block)
{
    const tn_part *outer = tn_part_enter(model, part);
    const tn_block declared = *block;
    *block = (tn_block){.part = block->part};
    tn_parameters_evaluate(&model->reader->source);
    tn_block_compile(model, part->root, block, false);
    for (size_t k = 0; k < declared.inner_count; k++) {
        compile_part(model, declared.inner[k]->part, declared.inner[k]);
        tn_block_add_inner(block, declared.inner[k]);
    }
    (void)tn_part_enter(model, outer);
}

void tn_part_read(tn_model *model, tn_part *part, tn_block *block)
{
    declare_part(model, part, block);
    compile_part(model, part, block);
}

void tn_part_check_uses(tn_model *model, const tn_block *block)
{
    for (size_t k = 0; k < block->inner_count; k++) {
        const tn_part *part = block->inner[k]->part, *before;
        if (!part) continue;
        before = tn_part_enter(model, part->outer);
        for (size_t u = 0; part->uses && u < part->uses->count && !model->reader->incomplete; u++) {
            const tn_toml *node = part->uses->child[u];
            if (node->kind != TN_TOML_STRING || tn_part_has(model, node->text)) continue;
            tn_nearest search;
            tn_nearest_start(&search, node->text);
            if (tn_error_shows(model->reader->diagnostics, node->place, "the outer model has no name ``"))
                tn_part_offer(model, &model->names, &search);
            if (tn_names_find(&model->reader->source.parameters->names, node->text) != TN_NO_NAME)
                tn_source_error(&model->reader->source, node,
                                "`%s` is a parameter: pass it by [[part]] with parameters = { %s = \"%s\" }",
                                node->text, node->text, node->text);
            else
                tn_source_error(&model->reader->source, node, "the outer model has no name `%s`%s",
                                node->text, tn_source_guess(&model->reader->source, &search));
        }
        (void)tn_part_enter(model, before);
        tn_part_check_uses(model, block->inner[k]);
    }
}
