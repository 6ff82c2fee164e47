/* item_names.c - what the names and numbers of items in a model file mean: in its tables, and in calls of expressions */
#include "names/reader.h"

#include <string.h>

/* True for names with dots between them. */
static bool is_path(const char *name)
{
    for (; tn_word_length(name); name++) {
        name += tn_word_length(name);
        if (*name != '.') break;
    }
    return !*name;
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

static tn_item_class class_of(const tn_model *model, const tn_origin *origin)
{
    const tn_use *use = &model->use[origin->use];
    const tn_loaded_element *type = use->element;
    if (type && type->is_variable) return TN_VARIABLES;
    if (type && type->readable) return TN_BLOCKS;
    if (!type || !use->port_count) return TN_PLACES;
    return type->constraint ? TN_CONSTRAINTS : TN_FORCES;
}

/* Enters the number of an item: those of bodies and markers are all different, and so are those of variables, and of blocks. Connectors that
 * share one cannot be called by it. */
void tn_item_add_id(tn_model *model, uint32_t item, const char *id, tn_place place)
{
    const tn_item_class class = class_of(model, model->item[item].origin);
    struct tn_numbered *ids = &model->reader->ids[class];
    const char *full = tn_part_name(model, id);
    const uint32_t number = tn_names_add(&ids->names, full);
    if (number != TN_NO_NAME) {
        ids->item = tn_grow(ids->item, &ids->capacity, number + (size_t)1, sizeof *ids->item);
        ids->item[number] = item;
    } else if (class < TN_FORCES) {
        tn_source_error_at(&model->reader->source, place, "the id %s is taken", id);
    } else {
        ids->item[tn_names_find(&ids->names, full)] = TN_NONE;
    }
}

/* ---- items of expressions -------------------------------------------------------------------------------- */

static const char *const class_names[TN_ITEM_CLASSES] = {"element or marker", "variable", "block",
                                                         "connector", "connector"};

/* True when an item belongs to a class; connectors may be called as such whatever they do. */
static bool is_of(const tn_model *model, uint32_t item, tn_item_class wanted)
{
    const tn_origin *origin = model->item[item].origin;
    if (wanted == TN_PLACES || origin->use == TN_NONE) return true;
    const tn_item_class class = class_of(model, origin);
    return class == wanted || (wanted >= TN_FORCES && class >= TN_FORCES);
}

/* Says that there is nothing of that name, at an argument in a node or at the node; the nearest is looked for unless the message is
 * cut off anyway. TN_NONE. */
static uint32_t report_missing(tn_model *model, const char *name, tn_item_class wanted, const tn_toml *node,
                               const tn_item_argument *argument)
{
    tn_source *source = &model->reader->source;
    const char *what = class_names[wanted];
    tn_nearest search;
    tn_nearest_start(&search, name);
    const char *beginning = tn_arena_print(source->arena, "there is no %s ``", what);
    const bool shows = tn_error_shows(model->reader->diagnostics, node->place, beginning);
    if (shows && wanted == TN_PLACES) tn_part_offer(model, &model->names, &search);
    for (size_t k = 0; shows && wanted != TN_PLACES && k < model->names.count; k++)
        if (is_of(model, (uint32_t)k, wanted)) tn_part_offer_one(model, model->names.name[k], &search);
    if (!argument && search.best && !is_path(search.best)) search.best = NULL;
    const bool outside = model->reader->part->outer && tn_part_is_outside(model, name);
    if (!outside && !search.best && model->reader->incomplete) return TN_NONE;
    const char *text =
        outside
            ? tn_arena_print(source->arena, "`%s` is outside of this part: list it in `[part] uses`", name)
            : tn_arena_print(source->arena, "there is no %s `%s`%s", what, name,
                             tn_source_guess(source, &search));
    if (argument)
        tn_source_error_inside(source, node, argument->offset, "%s", text);
    else
        tn_source_error(source, node, "%s", text);
    return TN_NONE;
}

uint32_t tn_item_find(tn_model *model, const char *name, const tn_toml *node)
{
    uint32_t item = tn_part_find(model, &model->names, name);
    if (item == TN_NO_NAME) item = tn_item_present(model, name);
    return item == TN_NONE ? report_missing(model, name, TN_PLACES, node, NULL) : item;
}

static uint32_t item_of_number(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                               const tn_toml *node)
{
    static const char *const names[TN_ITEM_CLASSES] = {"body or marker", "variable", "block", "force",
                                                       "constraint"};
    const struct tn_numbered *ids = &model->reader->ids[wanted];
    const uint32_t number = tn_part_find(model, &ids->names, argument->text);
    if (number != TN_NO_NAME && ids->item[number] != TN_NONE) return ids->item[number];
    if (number != TN_NO_NAME)
        tn_source_error_inside(&model->reader->source, node, argument->offset,
                               "several connectors have the id %s: write a name", argument->text);
    else if (!model->reader->incomplete)
        tn_source_error_inside(&model->reader->source, node, argument->offset,
                               "there is no %s with the id %s", names[wanted], argument->text);
    return TN_NONE;
}

uint32_t tn_item_of_argument(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                             const tn_toml *node)
{
    if (argument->text[0] >= '0' && argument->text[0] <= '9')
        return item_of_number(model, argument, wanted, node);
    uint32_t item = tn_part_find(model, &model->names, argument->text);
    if (item == TN_NO_NAME && wanted == TN_PLACES) item = tn_item_present(model, argument->text);
    if (item == TN_NONE) return report_missing(model, argument->text, wanted, node, argument);
    const uint32_t use = model->item[item].use;
    if (use == TN_NONE || is_of(model, item, wanted)) return item;
    tn_source_error_inside(
        &model->reader->source, node, argument->offset, "`%s` is a %s, not a %s", argument->text,
        model->use[use].element ? model->use[use].element->name : model->use[use].marker->name,
        class_names[wanted]);
    return TN_NONE;
}
