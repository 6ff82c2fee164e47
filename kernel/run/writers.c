/* writers.c - the writers and the log of [output] (see plan.h) */
#include "run/plan.h"

static bool is_among(const tn_writer_choice *list, size_t count, const tn_writer_type *type)
{
    for (size_t k = 0; k < count; k++)
        if (list[k].type == type) return true;
    return false;
}

/* Each writer once: two of them would write the same file. */
static void add_writer(tn_model *model, const tn_toml *node, tn_plan *plan)
{
    tn_source *source = &model->reader->source;
    const tn_writer_choice writer = tn_choose_writer(model, node);
    if (!writer.type) return;
    const bool converts = tn_loaded_writer_of(writer.type)->convert != NULL;
    if (is_among(plan->writer, plan->writer_count, writer.type) ||
        is_among(plan->converter, plan->converter_count, writer.type)) {
        tn_source_error(source, node, "`%s` is named twice", writer.type->name);
        return;
    }
    if (writer.type->open) plan->writer[plan->writer_count++] = writer;
    if (converts && plan->log)
        plan->converter[plan->converter_count++] = writer;
    else if (converts)
        tn_source_error(source, node, "`%s` converts rows.tnl, which `log = false` switches off",
                        writer.type->name);
}

static void read_writers(tn_model *model, const tn_toml *output, tn_plan *plan)
{
    const tn_toml *node = output ? tn_toml_get(output, "writers") : NULL;
    if (node && node->kind != TN_TOML_ARRAY) {
        tn_value_error(&model->reader->source, node, "an array of names of writers is expected");
        return;
    }
    const size_t count = node ? node->count : 1;
    plan->writer = tn_new(count, sizeof *plan->writer);
    plan->converter = tn_new(count, sizeof *plan->converter);
    for (size_t k = 0; k < count; k++)
        add_writer(model, node ? node->child[k] : NULL, plan);
}

void tn_plan_writers(tn_model *model, const tn_toml *output, const tn_log_keys *keys, tn_plan *plan)
{
    plan->log = keys->log != 0;
    plan->frames = (tn_frames)keys->frames;
    plan->frame_tolerance = keys->tolerance;
    read_writers(model, output, plan);
}
