/* model.c - reads a model from its document: the order in which things are done */
#include "changes/changes.h"
#include "tables/tables.h"
#include "values/value_graph.h"

#include <limits.h>
#include <string.h>

typedef struct tn_model_table {
    const char *name;
    double gravity[3];
} tn_model_table;

const tn_parameter tn_model_parameters[] = {
    TN_VALUE_KEY("name", TN_KIND_TEXT, "name of the model", .offset = offsetof(tn_model_table, name)),
    TN_NUMBERS_KEY("gravity", "m/s^2", 3, "acceleration of free fall, ground axes",
                   .offset = offsetof(tn_model_table, gravity)),
    {0}};

static void read_model_table(tn_model *model, const tn_toml *table)
{
    tn_source *source = &model->reader->source;
    tn_model_table values = {0};
    if (!table || !tn_source_expect(source, table, TN_TOML_TABLE, "[model] is a table")) return;
    source->item = "[model]";
    tn_fill(source, table, tn_model_parameters, sizeof values, &values);
    tn_check_keys(source, table, &(tn_keys){.parameters = {tn_model_parameters}});
    source->item = NULL;
    model->name = values.name;
    memcpy(model->gravity, values.gravity, sizeof values.gravity);
}

/* Makes all copies, then connects them: a name may stand in the file before what it means. */
static void read_items(tn_model *model)
{
    tn_made elements = {0}, markers = {0};
    tn_block *root = model->reader->root;
    if (!tn_block_count(model, root)) return;
    tn_block_walk_kind(model, root, TN_TEMPLATE_ELEMENT, tn_item_make, &elements);
    tn_block_walk_kind(model, root, TN_TEMPLATE_MARKER, tn_item_make, &markers);
    tn_part_check_uses(model, root);
    tn_block_walk_kind(model, root, TN_TEMPLATE_CHANGE, tn_change_note, NULL);
    tn_block_walk_kind(model, root, TN_TEMPLATE_MARKER, tn_marker_connect, &markers);
    markers.next = 0; /* again, for those made of others */
    tn_block_walk_kind(model, root, TN_TEMPLATE_MARKER, tn_connector_connect, &markers);
    tn_block_walk_kind(model, root, TN_TEMPLATE_ELEMENT, tn_connector_connect, &elements);
    tn_block_walk_kind(model, root, TN_TEMPLATE_SENSOR, tn_sensor_make, NULL);
    tn_sensors_connect(model);
    tn_block_walk_kind(model, root, TN_TEMPLATE_CHANGE, tn_change_make, NULL);
    tn_conditions_read(model);
    tn_changes_order(model);
    tn_values_connect(model);
    tn_derived_order(model);
    tn_markers_check(model);
    tn_system_sensors_make(model);
    tn_sensor_reads_connect(model);
    tn_units_find(model);
    tn_shapes_connect(model);
    tn_expectations_read(model);
}

/* `run` is what run.toml adds: that file can be run again. */
static const char *const top_words[] = {
    "model",  "plugins",       "parameters", "part",   "element", "marker", "signal", "input", "sensor",
    "change", "material_pair", "repeat",     "expect", "solver",  "output", "run",    NULL};
const tn_keys tn_model_keys = {.words = top_words};

static void release_model(void *model) { tn_model_release(model); }

tn_model *tn_model_read(tn_document *document, tn_diagnostics *diagnostics, tn_registry *registry, bool trust)
{
    tn_reader *reader = tn_new(1, sizeof *reader);
    const tn_reports reports = tn_reader_reports(reader);
    reader->document = document;
    reader->diagnostics = diagnostics;
    tn_model *model = tn_model_new(registry, &reports);
    model->reader = reader;
    model->host.extension = tn_reader_extension;
    reader->model = model;
    tn_hold hold;
    tn_hold_begin(&hold, release_model, model);
    reader->source = (tn_source){.document = document, .diagnostics = diagnostics, .arena = &model->arena};
    reader->root = tn_new(1, sizeof *reader->root);
    reader->source.expand = tn_expand;
    reader->source.trusts = tn_model_trusts;
    tn_signals_prepare(model);
    model->values = tn_value_graph_new(model);

    const tn_toml *root = tn_document_root(document);
    tn_part *whole = tn_arena_new(&model->arena, sizeof *whole);
    const char *path = tn_document_identity(document, tn_document_path(document));
    *whole = (tn_part){.name = "", .root = root, .path = path};
    reader->root->part = whole;
    reader->trust = trust;
    reader->incomplete = tn_error_count(diagnostics); /* a file may be missing */
    (void)tn_part_enter(model, whole);
    tn_check_keys(&reader->source, root, &tn_model_keys);
    if (tn_toml_get(root, "study"))
        tn_diagnose(diagnostics, TN_SEVERITY_NOTE, tn_toml_get(root, "study")->place,
                    "this is the file of a study: `tenon study` carries it out");
    tn_part_read(model, whole, reader->root);
    read_model_table(model, tn_toml_get(root, "model"));
    tn_material_pairs_read(model, root);
    read_items(model);
    tn_hold_end(&hold);
    return model;
}
