/* items.c - types in use, and the copies of elements and markers with their filled instances */
#include "model/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------------------- */

static uint32_t add_use(tn_model *model, const char *kind, const void *type)
{
    model->use = tn_grow(model->use, &model->use_capacity, model->use_count + 1, sizeof *model->use);
    tn_use *use = &model->use[model->use_count];
    *use = (tn_use){.kind = kind};
    if (strcmp(kind, TN_ELEMENT_KIND) == 0)
        use->element = type;
    else
        use->marker = type;
    use->ports = use->element ? use->element->ports : use->marker->ports;
    use->instance_size = use->element ? use->element->instance_size : use->marker->instance_size;
    while (use->ports && use->ports[use->port_count].name)
        use->port_count++;
    return (uint32_t)model->use_count++;
}

static uint32_t known_use(const tn_model *model, const void *type)
{
    for (size_t k = 0; k < model->use_count; k++)
        if (model->use[k].element == type || model->use[k].marker == type) return (uint32_t)k;
    return TN_NONE;
}

/* With what was probably meant: found by its name elsewhere, else by its letters. */
static void report_type(tn_model *model, const char *kind, const tn_toml *node, const char *name,
                        const char *reason)
{
    char beginning[64];
    (void)snprintf(beginning, sizeof beginning, "unknown %s type ``", kind);
    const bool shows = tn_error_shows(model->diagnostics, node->place, beginning);
    char *synonyms = shows ? tn_registry_synonyms(model->registry, kind, name) : NULL;
    tn_nearest search;
    tn_nearest_start(&search, name);
    if (shows && !synonyms) tn_registry_offer(model->registry, kind, &search);
    if (synonyms)
        tn_source_error(&model->source, node,
                        "unknown %s type `%s`: did you mean %s? `tenon plugins` lists all types", kind, name,
                        synonyms);
    else if (search.best && strcmp(search.best, name) != 0)
        tn_source_error(&model->source, node, "unknown %s type `%s`: did you mean `%s`?", kind, name,
                        search.best);
    else
        tn_source_error(&model->source, node, "unknown %s type `%s`: %s; `tenon plugins` lists all types",
                        kind, name, reason);
    tn_free(synonyms);
}

const void *tn_model_type(tn_model *model, const char *kind, const tn_toml *node, const char *name)
{
    char reason[TN_LONGEST_REASON];
    const void *type = tn_registry_find_anywhere(model->registry, kind, name, reason, sizeof reason);
    if (!type) report_type(model, kind, node, name, reason);
    return type;
}

uint32_t tn_model_use(tn_model *model, const char *kind, const tn_toml *node)
{
    if (node->kind != TN_TOML_STRING) {
        tn_value_error(&model->source, node, "a string is expected");
        return TN_NONE;
    }
    const void *type = tn_model_type(model, kind, node, node->text);
    if (!type) return TN_NONE;
    const uint32_t use = known_use(model, type);
    return use != TN_NONE ? use : add_use(model, kind, type);
}

/* ---- items ----------------------------------------------------------------------------------------------- */

/* True for names with dots between them. */
static bool is_path(const char *name)
{
    for (; tn_word_length(name); name++) {
        name += tn_word_length(name);
        if (*name != '.') break;
    }
    return !*name;
}

const char *tn_item_name(const tn_model *model, uint32_t item) { return model->names.name[item]; }

void *tn_item_instance(const tn_model *model, uint32_t item) { return model->item[item].instance; }

static tn_place name_place(const tn_template *origin)
{
    const tn_toml *node = origin->name.node;
    return node && node->key ? node->key_place : origin->table->place;
}

/* There is room, with zeros, for the item of the next name: whoever releases instances looks at all of them. */
static void reserve_item(tn_model *model)
{
    const size_t count = model->names.count;
    model->item = tn_grow(model->item, &model->item_capacity, count + 1, sizeof *model->item);
    model->item[count] = (tn_item){.instance = NULL};
}

/* Enters a name; TN_NONE after reporting one that is there already. */
static uint32_t add_name(tn_model *model, const tn_template *origin, const char *name)
{
    const bool valid = tn_is_name(name);
    reserve_item(model);
    const uint32_t item = tn_names_add(&model->names, tn_part_name(model, name));
    if (!valid) {
        tn_source_error(&model->source, origin->name.node, "`%s` is no name: letters, digits and _ only",
                        name);
        model->incomplete = true;
    }
    if (item != TN_NO_NAME || !valid) return item;
    const tn_place other =
        name_place(model->item[tn_names_find(&model->names, tn_part_name(model, name))].origin);
    const bool here = strcmp(other.file, name_place(origin).file) == 0;
    tn_source_error_at(&model->source, name_place(origin), "the name `%s` is taken, at %s%s%u", name,
                       here ? "line " : other.file, here ? "" : ":", other.line);
    return TN_NONE;
}

static bool is_variable(const tn_model *model, const tn_template *origin)
{
    const tn_loaded_element *type = origin->use == TN_NONE ? NULL : model->use[origin->use].element;
    return type && type->is_variable;
}

static tn_item_class class_of(const tn_model *model, const tn_template *origin)
{
    const tn_use *use = &model->use[origin->use];
    if (is_variable(model, origin)) return TN_VARIABLES;
    if (!use->element || !use->port_count) return TN_PLACES;
    return use->element->constraint ? TN_CONSTRAINTS : TN_FORCES;
}

/* Enters the number of an item: those of bodies and markers are all different, and those of variables are. Connectors that
 * share one cannot be called by it. */
static void add_id(tn_model *model, const tn_template *origin, uint32_t item)
{
    char text[32];
    if (!tn_template_id(model, origin, text, sizeof text) || origin->wrong) return;
    const tn_item_class class = class_of(model, origin);
    struct tn_numbered *ids = &model->ids[class];
    const char *full = tn_part_name(model, tn_arena_text(&model->arena, text, strlen(text)));
    const uint32_t number = tn_names_add(&ids->names, full);
    if (number != TN_NO_NAME) {
        ids->item = tn_grow(ids->item, &ids->capacity, number + (size_t)1, sizeof *ids->item);
        ids->item[number] = item;
    } else if (class == TN_PLACES || class == TN_VARIABLES) {
        tn_source_error_at(&model->source, origin->id.node->key_place, "the id %s is taken", text);
    } else {
        ids->item[tn_names_find(&ids->names, full)] = TN_NONE;
    }
}

/* A user's function that reads the state, or switches between branches. */
static bool is_watched(tn_model *model, const tn_fill_step *step)
{
    return step->kind == TN_STEP_CALLABLE && (tn_quantity_changes(&model->source, &step->quantity) ||
                                              tn_expression_switch_count(step->quantity.expression) > 0);
}

void tn_item_add_dynamics(tn_model *model, const tn_filler *filler, uint32_t item, const void *instance)
{
    for (size_t k = 0; k < filler->count; k++) {
        const tn_fill_step *step = &filler->step[k];
        const bool function = is_watched(model, step);
        if (step->kind != TN_STEP_DYNAMIC && !function) continue;
        model->dynamic = tn_grow(model->dynamic, &model->dynamic_capacity, model->dynamic_count + 1,
                                 sizeof *model->dynamic);
        tn_dynamic_value *dynamic = &model->dynamic[model->dynamic_count++];
        *dynamic = (tn_dynamic_value){.live = tn_live_begin(model, &step->quantity),
                                      .item = item,
                                      .parameter = step->parameter,
                                      .offset = step->parameter->offset +
                                                step->component * (uint32_t)sizeof(double)};
        if (function) dynamic->live.inputs = tn_function_at(instance, dynamic->offset)->inputs;
    }
}

/* Fills the next instance of a type and lets the type check it. */
static uint32_t make(tn_model *model, const tn_template *origin, const char *name)
{
    const uint32_t item = add_name(model, origin, name);
    if (item == TN_NONE) return TN_NONE;
    model->item[item] = (tn_item){.origin = origin,
                                  .use = origin->use,
                                  .index = TN_NONE,
                                  .host = TN_NONE,
                                  .marker = {TN_NONE, TN_NONE, TN_NONE, TN_NONE},
                                  .active = origin->active};
    add_id(model, origin, item);
    if (origin->wrong) return item;
    tn_use *use = &model->use[origin->use];
    model->item[item].index = (uint32_t)use->count;
    use->item = tn_grow(use->item, &use->item_capacity, use->count + 1, sizeof *use->item);
    use->item[use->count++] = item;
    void *instance = model->item[item].instance = tn_arena_new(&use->memory, use->instance_size + 1);
    const size_t before = tn_error_count(model->diagnostics);
    tn_filler_apply(&model->source, &origin->filler, instance);
    if (use->element) tn_part_place(model, origin, use->element, instance);
    tn_item_add_dynamics(model, &origin->filler, item, instance);

    if (tn_error_count(model->diagnostics) == before)
        model->item[item].prepared =
            tn_instance_prepare(model, use, model->names.name[item], origin->table, instance);
    return item;
}

void tn_item_make(tn_model *model, tn_template *origin, void *data)
{
    tn_made *made = data;
    made->item = tn_grow(made->item, &made->capacity, made->count + 1, sizeof *made->item);
    const char *name = tn_pattern_expand(&model->source, &origin->name);
    model->source.item = name;
    made->item[made->count++] = name ? make(model, origin, name) : TN_NONE;
    model->source.item = NULL;
    if (!name) model->incomplete = true;
}

/* A type flagged TN_PRESENT has an instance of its own name without being declared; else NULL. */
static const tn_loaded_element *present_type(tn_model *model, const char *name)
{
    char reason[TN_LONGEST_REASON];
    const tn_loaded_element *type =
        tn_registry_find(model->registry, TN_ELEMENT_KIND, name, reason, sizeof reason);
    return type && type->flags & TN_PRESENT ? type : NULL;
}

bool tn_item_is_present(tn_model *model, const char *name) { return present_type(model, name); }

/* Makes the instance, the same for all parts. */
static uint32_t make_present(tn_model *model, const char *name)
{
    static const tn_toml nothing = {.kind = TN_TOML_TABLE, .place = {"default", 0, 0}};
    const tn_loaded_element *type = present_type(model, name);
    if (!type) return TN_NONE;
    const uint32_t declared = tn_names_find(&model->names, name);
    if (declared != TN_NO_NAME) return declared;
    tn_template *origin = tn_block_add(model->root, &nothing, TN_TEMPLATE_ELEMENT);
    const uint32_t use = known_use(model, type);
    origin->use = use != TN_NONE ? use : add_use(model, TN_ELEMENT_KIND, type);
    origin->active = origin->nameless = true; /* it is made here, and by no walk */
    tn_filler_prepare(&model->source, &nothing, type->parameters, type->instance_size, &origin->filler);
    const tn_part *part = tn_part_enter(model, model->root->part);
    const uint32_t item = make(model, origin, name);
    (void)tn_part_enter(model, part);
    return item;
}

uint32_t tn_item_find(tn_model *model, const char *name, const tn_toml *node)
{
    uint32_t item = tn_part_find(model, &model->names, name);
    if (item == TN_NO_NAME) item = make_present(model, name);
    if (item != TN_NONE) return item;
    tn_nearest search;
    tn_nearest_start(&search, name);
    if (tn_error_shows(model->diagnostics, node->place, "there is no element or marker ``"))
        tn_part_offer(model, &model->names, &search);
    if (model->part->outer && tn_part_is_outside(model, name))
        tn_source_error(&model->source, node, "`%s` is outside of this part: list it in `[part] uses`", name);
    else if (search.best && is_path(search.best))
        tn_source_error(&model->source, node, "there is no element or marker `%s`: did you mean `%s`?", name,
                        search.best);
    else if (!model->incomplete)
        tn_source_error(&model->source, node, "there is no element or marker `%s`", name);
    return TN_NONE;
}

/* ---- items of expressions -------------------------------------------------------------------------------- */

static const char *const class_names[TN_ITEM_CLASSES] = {"element or marker", "variable", "connector",
                                                         "connector"};

/* True when an item belongs to a class; connectors may be called as such whatever they do. */
static bool is_of(const tn_model *model, uint32_t item, tn_item_class wanted)
{
    const tn_template *origin = model->item[item].origin;
    if (wanted == TN_PLACES || origin->use == TN_NONE) return true;
    const tn_item_class class = class_of(model, origin);
    return class == wanted || (wanted >= TN_FORCES && class >= TN_FORCES);
}

/* Says that there is nothing of that name; the nearest is looked for unless the message is cut off anyway. */
static void report_argument(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                            const tn_toml *node)
{
    const char *what = class_names[wanted];
    tn_nearest search;
    tn_nearest_start(&search, argument->text);
    char beginning[64];
    (void)snprintf(beginning, sizeof beginning, "there is no %s ``", what);
    const bool shows = tn_error_shows(model->diagnostics, node->place, beginning);
    if (shows && wanted == TN_PLACES) tn_part_offer(model, &model->names, &search);
    for (size_t k = 0; shows && wanted != TN_PLACES && k < model->names.count; k++)
        if (is_of(model, (uint32_t)k, wanted)) tn_part_offer_one(model, model->names.name[k], &search);
    if (model->part->outer && tn_part_is_outside(model, argument->text))
        tn_source_error_inside(&model->source, node, argument->offset,
                               "`%s` is outside of this part: list it in `[part] uses`", argument->text);
    else if (search.best)
        tn_source_error_inside(&model->source, node, argument->offset,
                               "there is no %s `%s`: did you mean `%s`?", what, argument->text, search.best);
    else if (!model->incomplete)
        tn_source_error_inside(&model->source, node, argument->offset, "there is no %s `%s`", what,
                               argument->text);
}

static uint32_t item_of_number(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                               const tn_toml *node)
{
    static const char *const names[TN_ITEM_CLASSES] = {"body or marker", "variable", "force", "constraint"};
    const struct tn_numbered *ids = &model->ids[wanted];
    const uint32_t number = tn_part_find(model, &ids->names, argument->text);
    if (number != TN_NO_NAME && ids->item[number] != TN_NONE) return ids->item[number];
    if (number != TN_NO_NAME)
        tn_source_error_inside(&model->source, node, argument->offset,
                               "several connectors have the id %s: write a name", argument->text);
    else if (!model->incomplete)
        tn_source_error_inside(&model->source, node, argument->offset, "there is no %s with the id %s",
                               names[wanted], argument->text);
    return TN_NONE;
}

uint32_t tn_item_of_argument(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                             const tn_toml *node)
{
    if (argument->text[0] >= '0' && argument->text[0] <= '9')
        return item_of_number(model, argument, wanted, node);
    uint32_t item = tn_part_find(model, &model->names, argument->text);
    if (item == TN_NO_NAME && wanted == TN_PLACES) item = make_present(model, argument->text);
    if (item == TN_NONE) {
        report_argument(model, argument, wanted, node);
        return TN_NONE;
    }
    const uint32_t use = model->item[item].use;
    if (use == TN_NONE || is_of(model, item, wanted)) return item;
    tn_source_error_inside(&model->source, node, argument->offset, "`%s` is a %s, not a %s", argument->text,
                           model->use[use].element ? model->use[use].element->name
                                                   : model->use[use].marker->name,
                           class_names[wanted]);
    return TN_NONE;
}

uint32_t tn_item_make_marker(tn_model *model, const tn_loaded_marker *type, const char *name, tn_place place,
                             const uint32_t *count, const uint32_t *marker)
{
    const uint32_t known = tn_names_find(&model->names, name);
    if (known != TN_NO_NAME) return known;
    tn_toml *table = tn_arena_new(&model->arena, sizeof *table);
    *table = (tn_toml){.kind = TN_TOML_TABLE, .place = place};
    tn_template *origin = tn_block_add(model->root, table, TN_TEMPLATE_MARKER);
    origin->use = known_use(model, type);
    if (origin->use == TN_NONE) origin->use = add_use(model, TN_MARKER_KIND, type);
    origin->active = origin->nameless = true; /* it is made here, and by no walk */
    tn_filler_prepare(&model->source, table, type->parameters, type->instance_size, &origin->filler);

    reserve_item(model);
    const uint32_t item = tn_names_add(&model->names, name);
    tn_use *use = &model->use[origin->use];
    model->item[item] = (tn_item){.origin = origin,
                                  .use = origin->use,
                                  .index = (uint32_t)use->count,
                                  .host = TN_NONE,
                                  .marker = {TN_NONE, TN_NONE, TN_NONE, TN_NONE},
                                  .active = true};
    use->item = tn_grow(use->item, &use->item_capacity, use->count + 1, sizeof *use->item);
    use->item[use->count++] = item;
    model->item[item].instance = tn_arena_new(&use->memory, use->instance_size + 1);
    tn_filler_apply(&model->source, &origin->filler, model->item[item].instance);

    origin->port_first = tn_arena_new(&model->arena, (use->port_count + 1) * sizeof *origin->port_first);
    origin->port_first[0] = 0;
    for (uint32_t port = 0; port < use->port_count; port++)
        origin->port_first[port + 1] = origin->port_first[port] + count[port];
    tn_add_markers(use, model->item[item].index, marker, origin->port_first[use->port_count]);
    return item;
}
