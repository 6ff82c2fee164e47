/* model.c - reads a model from its document: the order in which things are done */
#include "model/delays.h"
#include "model/reading.h"

#include <limits.h>
#include <string.h>

typedef struct tn_model_table {
    const char *name;
    double gravity[3];
} tn_model_table;

const tn_parameter tn_model_parameters[] = {{.name = "name",
                                             .meaning = "name of the model",
                                             .unit = "",
                                             .offset = offsetof(tn_model_table, name),
                                             .kind = TN_KIND_TEXT,
                                             .count = 1},
                                            {.name = "gravity",
                                             .meaning = "acceleration of free fall, ground axes",
                                             .unit = "m/s^2",
                                             .low = -TN_UNBOUNDED,
                                             .high = TN_UNBOUNDED,
                                             .offset = offsetof(tn_model_table, gravity),
                                             .kind = TN_KIND_REAL,
                                             .count = 3},
                                            {0}};

static void read_model_table(tn_model *model, const tn_toml *table)
{
    tn_model_table values = {0};
    if (table && table->kind != TN_TOML_TABLE) {
        tn_source_error(&model->source, table, "[model] is a table");
        return;
    }
    if (!table) return;
    model->source.item = "[model]";
    tn_fill(&model->source, table, tn_model_parameters, sizeof values, &values);
    tn_check_keys(&model->source, table, &(tn_keys){.parameters = {tn_model_parameters}});
    model->source.item = NULL;
    model->name = values.name;
    memcpy(model->gravity, values.gravity, sizeof values.gravity);
}

/* Makes all copies, then connects them: a name may stand in the file before what it means. */
static void read_items(tn_model *model)
{
    tn_made elements = {0}, markers = {0};
    if (!tn_block_count(model, model->root)) return;
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_ELEMENT, tn_item_make, &elements);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_MARKER, tn_item_make, &markers);
    tn_part_check_uses(model, model->root);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_CHANGE, tn_change_note, NULL);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_MARKER, tn_marker_connect, &markers);
    tn_derived_connect(model, &markers);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_ELEMENT, tn_connector_connect, &elements);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_SENSOR, tn_sensor_make, NULL);
    tn_block_walk_kind(model, model->root, TN_TEMPLATE_CHANGE, tn_change_make, NULL);
    tn_conditions_read(model);
    tn_changes_order(model);
    if (tn_dynamics_connect(model)) {
        tn_variables_connect(model);
        tn_forces_find_shares(model);
        tn_dynamics_order(model);
    }
    tn_derived_order(model);
    tn_units_find(model);
    tn_markers_check(model);
    tn_free(elements.item);
    tn_free(markers.item);
}

/* `run` is what run.toml adds: that file can be run again. */
static const char *const top_words[] = {"model",  "plugins", "parameters", "part",   "element",
                                        "marker", "signal",  "sensor",     "change", "repeat",
                                        "solver", "output",  "run",        NULL};
const tn_keys tn_model_keys = {.words = top_words};

static void release_instances(void *model) { tn_instances_release(model); }

tn_model *tn_model_read(tn_document *document, tn_diagnostics *diagnostics, tn_registry *registry, bool trust)
{
    tn_model *model = tn_new(1, sizeof *model);
    model->document = document;
    model->diagnostics = diagnostics;
    model->registry = registry;
    tn_hold hold;
    tn_hold_begin(&hold, release_instances, model);
    model->source = (tn_source){.document = document, .diagnostics = diagnostics, .arena = &model->arena};
    model->root = tn_new(1, sizeof *model->root);
    tn_host_prepare(model);
    tn_signals_prepare(model);
    tn_observed_prepare(model);

    const tn_toml *root = tn_document_root(document);
    tn_part *whole = tn_arena_new(&model->arena, sizeof *whole);
    const char *path = tn_document_path(document), *real = tn_document_real_path(document, path);
    *whole = (tn_part){.name = "", .root = root, .path = real ? real : path};
    model->root->part = whole;
    model->trust = trust;
    model->incomplete = tn_error_count(diagnostics); /* a file may be missing */
    (void)tn_part_enter(model, whole);
    tn_check_keys(&model->source, root, &tn_model_keys);
    tn_part_read(model, whole, model->root);
    read_model_table(model, tn_toml_get(root, "model"));
    read_items(model);
    tn_hold_end(&hold);
    return model;
}

void tn_model_free(tn_model *model)
{
    if (!model) return;
    tn_instances_release(model);
    tn_free(model->owned);
    for (size_t k = 0; k < model->use_count; k++) {
        tn_use *use = &model->use[k];
        tn_arena_free(&use->memory);
        tn_free(use->item);
        tn_free(use->marker_start);
        tn_free(use->marker_index);
    }
    for (size_t k = 0; k < model->sensor_count; k++)
        tn_quantity_free(&model->sensor[k].quantity);
    for (size_t k = 0; k < model->condition_count; k++)
        tn_quantity_free(&model->condition[k].quantity);
    tn_changes_free(model);
    tn_free(model->condition);
    tn_block_free(model->root);
    tn_names_free(&model->names);
    tn_names_free(&model->coordinate_names);
    tn_names_free(&model->sensor_names);
    for (size_t k = 0; k < TN_ITEM_CLASSES; k++) {
        tn_names_free(&model->ids[k].names);
        tn_free(model->ids[k].item);
    }
    tn_names_free(&model->part_names);
    tn_names_free(&model->signal_names);
    tn_names_free(&model->signal_ids);
    tn_free(model->signal_of_id);
    tn_free(model->signal);
    for (size_t k = 0; k < model->kept_count; k++)
        tn_filler_free(model->kept[k]);
    tn_free(model->kept);
    tn_free(model->use);
    tn_free(model->item);
    tn_free(model->marker);
    tn_free(model->coordinate_marker);
    tn_free(model->derived);
    tn_free(model->dynamic);
    tn_free(model->dynamic_order);
    tn_free(model->loop);
    tn_free(model->first_dynamic);
    tn_free(model->next_dynamic);
    tn_free(model->measured_force);
    tn_delays_free(model);
    tn_free(model->sensor);
    tn_arena_free(&model->arena);
    tn_free(model);
}
