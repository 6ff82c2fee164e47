/* put_back.c - the changes that were made so far, as bytes, and a model as some of them leave it (see changes.h)
 *
 * What counts for a parameter is its last change. One of the model is known by its number; one from outside gives numbers, which are
 * its bytes. */
#include "changes/changes.h"
#include "values/value_graph.h"

#include <string.h>

typedef struct made {
    uint32_t item, offset, size;
    uint32_t number; /* of a change of the model; TN_NONE: bytes */
    char *bytes;
} made;

struct tn_made_changes {
    made *one;
    size_t count;
};

/* ---- made ------------------------------------------------------------------------------------------------ */

void tn_change_remember(tn_model *model, const tn_change *change)
{
    if (!change->instance) return;
    if (!model->made) model->made = tn_new(1, sizeof *model->made);
    struct tn_made_changes *all = model->made;
    const bool own = change >= model->change && change < model->change + model->change_count;
    size_t k = 0;
    while (k < all->count && (all->one[k].item != change->item || all->one[k].offset != change->offset))
        k++;
    if (k == all->count)
        TN_APPEND(all->one, all->count, (made){.item = change->item, .offset = change->offset});
    made *one = &all->one[k];
    tn_free(one->bytes);
    one->bytes = NULL;
    one->size = change->size;
    one->number = own ? (uint32_t)(change - model->change) : TN_NONE;
    if (own) return;
    one->bytes = tn_new(1, change->size);
    memcpy(one->bytes, (const char *)change->instance + change->offset, change->size);
}

static const char *bytes_of(const tn_model *model, const made *one)
{
    return one->number == TN_NONE ? one->bytes
                                  : (const char *)model->change[one->number].instance + one->offset;
}

/* ---- put back -------------------------------------------------------------------------------------------- */

static void overlay(const tn_model *model, const struct tn_made_changes *all, uint32_t item, char *parameters)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->one[k].item == item)
            memcpy(parameters + all->one[k].offset, bytes_of(model, &all->one[k]), all->one[k].size);
}

/* The item as these changes leave it; false after reporting that its type refuses that. */
static bool put_back_item(tn_assembly *assembly, const struct tn_made_changes *all, uint32_t item)
{
    static const tn_location outside = {{0}, NULL};
    tn_model *model = assembly->model;
    const tn_use *use = &model->use[model->item[item].use];
    tn_change change = {.item = item, .condition = TN_NONE, .active = -1, .at = &outside};
    memcpy(model->settled[item], model->original[item], use->instance_size);
    overlay(model, all, item, model->settled[item]);
    const bool good = tn_change_settle(model, &change);
    tn_change_place_markers(assembly, &change);
    return good;
}

static bool is_listed(const struct tn_made_changes *all, size_t count, uint32_t item)
{
    for (size_t k = 0; k < count; k++)
        if (all->one[k].item == item) return true;
    return false;
}

static bool put_back_items(tn_assembly *assembly, const struct tn_made_changes *wanted,
                           const struct tn_made_changes *listed)
{
    bool good = true;
    for (size_t k = 0; k < listed->count; k++)
        if (!is_listed(listed, k, listed->one[k].item))
            good = put_back_item(assembly, wanted, listed->one[k].item) && good;
    return good;
}

/* ---- bytes ----------------------------------------------------------------------------------------------- */

static bool are_same(const struct tn_made_changes *a, const struct tn_made_changes *b)
{
    bool same = a->count == b->count;
    for (size_t k = 0; same && k < a->count; k++) {
        const made *x = &a->one[k], *y = &b->one[k];
        same = x->item == y->item && x->offset == y->offset && x->number == y->number && x->size == y->size &&
               (x->number != TN_NONE || memcmp(x->bytes, y->bytes, x->size) == 0);
    }
    return same;
}

/* What stands in bytes is held against the model that is to take it. */
static bool fits(const tn_model *model, const made *one)
{
    if (one->item >= model->names.count || !model->use[model->item[one->item].use].type) return false;
    const size_t size = model->use[model->item[one->item].use].instance_size;
    return one->offset <= size && one->size <= size - one->offset &&
           (one->number == TN_NONE || one->number < model->change_count);
}

static bool list_one(const tn_model *model, made *one, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, one->item);
    TN_VISIT(visitor, one->offset);
    TN_VISIT(visitor, one->size);
    TN_VISIT(visitor, one->number);
    if (!fits(model, one)) return false;
    if (one->number != TN_NONE) return true;
    if (visitor->restores) one->bytes = tn_new(1, one->size);
    visitor->bytes(visitor, one->bytes, one->size);
    return true;
}

bool tn_changes_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    tn_model *model = assembly->model;
    if (!model->made) model->made = tn_new(1, sizeof *model->made);
    struct tn_made_changes before = *model->made, *all = model->made;
    uint64_t count = all->count;
    TN_VISIT(visitor, count);
    if (visitor->restores) *all = (struct tn_made_changes){0};
    bool good = true;
    for (uint64_t k = 0; k < count && good; k++) {
        if (visitor->restores) TN_APPEND(all->one, all->count, (made){0});
        good = list_one(model, &all->one[k], visitor);
    }
    if (!visitor->restores || !good) return good;
    if (!are_same(&before, all)) {
        for (size_t k = 0; k < all->count; k++)
            tn_change_settle_begin(model, all->one[k].item);
        good = put_back_items(assembly, all, &before) && put_back_items(assembly, all, all);
    }
    for (size_t k = 0; k < before.count; k++)
        tn_free(before.one[k].bytes);
    tn_free(before.one);
    return good;
}
