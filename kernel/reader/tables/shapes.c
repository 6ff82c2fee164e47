/* shapes.c - elements learn the shapes of their markers (tenon/draft/shapes.h) */
#include "tables/tables.h"

#include <stdlib.h>
#include <string.h>

/* The shape of a declared marker; NULL where its type is none, or after reporting. */
static const tn_shape *read_shape(tn_model *model, uint32_t item)
{
    const tn_item *marker = &model->item[item];
    const tn_loaded_marker *type = model->use[marker->use].marker;
    if (!type || !type->shape || marker->host == TN_NONE) return NULL;
    tn_shape *shape = tn_arena_new(&model->arena, sizeof *shape);
    shape->struct_size = sizeof *shape;
    const char *name = tn_item_name(model, item);
    if (tn_call_setup(model, marker->origin->at, name, type, shape, &model->host, marker->instance, shape) !=
        TN_OK)
        return NULL;
    shape->name = name;
    shape->body = marker->host;
    shape->fixed = !tn_has_motion(model->use[model->item[marker->host].use].element);
    return shape;
}

/* By runtime marker: the shapes of declared markers that elements are connected to. */
static const tn_shape **read_shapes(tn_model *model)
{
    const tn_shape **shape = tn_new(model->marker_count + 1, sizeof *shape);
    for (uint32_t k = 0; k < model->names.count; k++) {
        const uint32_t frame = model->item[k].index == TN_NONE ? TN_NONE : model->item[k].marker[TN_FRAME];
        if (frame != TN_NONE && model->use[model->item[k].use].marker) shape[frame] = read_shape(model, k);
    }
    return shape;
}

static tn_place place_of_shapes(const tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    return tn_model_key_place(model, model->item[item].origin->at, type->ports[0].name);
}

static int compare_addresses(const void *a, const void *b)
{
    const char *one = *(char *const *)a, *other = *(char *const *)b;
    return (one > other) - (one < other);
}

/* A shape that stands twice in one list would be touched twice. */
static bool names_twice(tn_model *model, uint32_t item, uint32_t count, const tn_shape *const *own)
{
    const tn_shape **sorted = tn_new(count + 1, sizeof *sorted);
    const tn_shape *twice = NULL;
    memcpy(sorted, own, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_addresses);
    for (uint32_t k = 1; k < count && !twice; k++)
        if (sorted[k] == sorted[k - 1]) twice = sorted[k];
    tn_free(sorted);
    if (twice)
        tn_model_error(model, place_of_shapes(model, item), "%s: the shape `%s` stands here twice",
                       tn_item_name(model, item), twice->name);
    return twice != NULL;
}

static void tell_shapes(tn_model *model, uint32_t item, const tn_shape **shape)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    uint32_t count = 0;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    const tn_shape **own = tn_arena_new(&model->arena, (count + 1) * sizeof *own);
    for (uint32_t k = 0; k < count; k++)
        own[k] = shape[marker[k]];
    if (names_twice(model, item, count, own)) return;
    (void)tn_call_setup(model, model->item[item].origin->at, tn_item_name(model, item), type, shapes,
                        &model->host, tn_item_instance(model, item), count, own);
}

/* ---- pairs of two elements ---------------------------------------------------------------------------------- */

enum { MOST_PAIRS = 1000000 }; /* of all elements of a type; models with more of them are not looked at */

/* Two shapes on different bodies, and an element that asks for both. */
typedef struct shape_pair {
    const tn_shape *one, *other;
    uint32_t item;
} shape_pair;

static int compare_pairs(const void *a, const void *b)
{
    const shape_pair *one = a, *other = b;
    const int first = compare_addresses(&one->one, &other->one);
    const int second = first ? first : compare_addresses(&one->other, &other->other);
    return second ? second : (one->item > other->item) - (one->item < other->item);
}

static size_t list_pairs(const tn_model *model, uint32_t item, const tn_shape **shape, shape_pair *pair)
{
    uint32_t count = 0;
    size_t found = 0;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            const tn_shape *one = shape[marker[a]], *other = shape[marker[b]];
            if (!one || !other || one->body == other->body || (one->fixed && other->fixed)) continue;
            pair[found++] = one < other ? (shape_pair){one, other, item} : (shape_pair){other, one, item};
        }
    return found;
}

/* The number of pairs that the lists of a type can have. */
static size_t most_pairs(const tn_model *model, const tn_use *use)
{
    size_t most = 0;
    for (size_t i = 0; i < use->count; i++) {
        uint32_t count = 0;
        (void)tn_markers_at(model, use->item[i], &count);
        most += (size_t)count * (count - (count > 0)) / 2;
    }
    return most;
}

/* Warns of pairs that two elements of one type act between. */
static void check_pairs(tn_model *model, const tn_use *use, const tn_shape **shape)
{
    const size_t most = use->count > 1 ? most_pairs(model, use) : 0;
    if (!most || most > MOST_PAIRS) return;
    shape_pair *pair = tn_new(most, sizeof *pair);
    size_t count = 0;
    for (size_t i = 0; i < use->count; i++)
        count += list_pairs(model, use->item[i], shape, pair + count);
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (size_t k = 1; k < count; k++)
        if (pair[k].one == pair[k - 1].one && pair[k].other == pair[k - 1].other)
            tn_model_warn(model, place_of_shapes(model, pair[k].item),
                          "`%s` and `%s` both act between `%s` and `%s`",
                          tn_item_name(model, pair[k - 1].item), tn_item_name(model, pair[k].item),
                          pair[k].one->name, pair[k].other->name);
    tn_free(pair);
}

void tn_shapes_connect(tn_model *model)
{
    bool asked = false;
    for (size_t k = 0; k < model->use_count; k++)
        asked = asked || (model->use[k].element && model->use[k].element->shapes && model->use[k].count);
    if (!asked || tn_error_count(model->reader->diagnostics)) return;
    const tn_shape **shape = read_shapes(model);
    for (size_t k = 0; k < model->use_count; k++)
        for (size_t i = 0; model->use[k].element && model->use[k].element->shapes && i < model->use[k].count;
             i++)
            tell_shapes(model, model->use[k].item[i], shape);
    for (size_t k = 0; k < model->use_count; k++)
        if (model->use[k].element && model->use[k].element->shapes) check_pairs(model, &model->use[k], shape);
    tn_free(shape);
}
