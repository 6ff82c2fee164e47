/* force_shares.c - which elements act on the markers whose forces are measured
 *
 * An element acts on a marker when it has it, or one that is made of it: the search goes from the marker up to all that use it,
 * so that a force costs as much as there is to find. */
#define _GNU_SOURCE
#include "values/measured_forces.h"

#include <stdlib.h>

/* Lists of numbers by a number: that of k begins with pair[first[k]]. */
typedef struct lists {
    uint32_t *first;
    struct pair {
        uint32_t entry, next; /* TN_NONE: the last one */
    } * pair;
    size_t count;
} lists;

/* An element that acts on the marker of this kind at the target. */
typedef struct acting {
    uint32_t item, kind;
} acting;

typedef struct search {
    tn_model *model;
    lists users;    /* by marker: items that have it */
    lists made;     /* by item: markers that are made of its markers */
    uint32_t *seen; /* [markers] the number of the last search that has come there */
    uint32_t *met;  /* [items] the same */
    uint32_t number;
    uint32_t *queue; /* [markers] */
    acting *found;
    size_t count;
} search;

/* ---- who uses what --------------------------------------------------------------------------------------- */

static void enter_pair(lists *all, uint32_t of, uint32_t entry)
{
    TN_APPEND(all->pair, all->count, (struct pair){entry, all->first[of]});
    all->first[of] = (uint32_t)all->count - 1;
}

static lists make_lists(size_t count)
{
    lists all = {.first = tn_new(count, sizeof *all.first)};
    for (size_t k = 0; k < count; k++)
        all.first[k] = TN_NONE;
    return all;
}

static void list_users(const tn_model *model, lists *all)
{
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->marker_start && i < use->count; i++)
            for (uint32_t m = use->marker_start[i]; m < use->marker_start[i + 1]; m++)
                if (use->marker_index[m] != TN_NONE) enter_pair(all, use->marker_index[m], use->item[i]);
    }
}

static void list_made(const tn_model *model, lists *all)
{
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (tn_marker_is_derived(model, k)) enter_pair(all, model->marker[k].body, k);
}

/* ---- the search ------------------------------------------------------------------------------------------ */

/* Meets all items that have a marker, or one that is made of it; elements are noted as acting on the marker of a `kind` unless
 * that is TN_NONE. */
static void search_up(search *s, uint32_t marker, uint32_t kind)
{
    const tn_model *model = s->model;
    size_t waiting = 0;
    s->queue[waiting++] = marker;
    s->seen[marker] = ++s->number;
    while (waiting) {
        const uint32_t at = s->queue[--waiting];
        for (uint32_t u = s->users.first[at]; u != TN_NONE; u = s->users.pair[u].next) {
            const uint32_t item = s->users.pair[u].entry;
            if (s->met[item] == s->number) continue;
            s->met[item] = s->number;
            if (kind != TN_NONE && model->use[model->item[item].use].element)
                TN_APPEND(s->found, s->count, (acting){item, kind});
            for (uint32_t m = s->made.first[item]; m != TN_NONE; m = s->made.pair[m].next) {
                const uint32_t above = s->made.pair[m].entry;
                if (s->seen[above] == s->number) continue;
                s->seen[above] = s->number;
                s->queue[waiting++] = above;
            }
        }
    }
}

/* Leaves those that act on another item, too. */
static void keep_common(search *s, uint32_t other)
{
    const tn_model *model = s->model;
    const uint32_t before = s->number;
    size_t kept = 0;
    for (size_t k = 0; k < s->count; k++)
        s->met[s->found[k].item] = before;
    for (uint32_t kind = 0; kind < TN_MARKER_SLOTS; kind++)
        if (model->item[other].marker[kind] != TN_NONE)
            search_up(s, model->item[other].marker[kind], TN_NONE);
    for (size_t k = 0; k < s->count; k++)
        if (s->met[s->found[k].item] > before) s->found[kept++] = s->found[k];
    s->count = kept;
}

/* By type, in the order of their making, the point first. */
static int compare_acting(const void *left, const void *right, void *data)
{
    const tn_model *model = data;
    const acting *a = left, *b = right;
    const tn_item *first = &model->item[a->item], *second = &model->item[b->item];
    if (first->use != second->use) return first->use < second->use ? -1 : 1;
    if (first->index != second->index) return first->index < second->index ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static bool is_share(const tn_model *model, const tn_measured_force *force, uint32_t item)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    return force->element == TN_NONE ? type->force || type->constraint || type->points
                                     : item == force->element;
}

/* What acts on the target of a force, and on its other marker where there is one. */
static void find_at_target(search *s, tn_measured_force *force)
{
    tn_model *model = s->model;
    s->count = 0;
    for (uint32_t kind = TN_POINT; kind <= TN_FRAME; kind++)
        if (model->item[force->target].marker[kind] != TN_NONE)
            search_up(s, model->item[force->target].marker[kind], kind);
    if (force->other != TN_NONE) keep_common(s, force->other);
    if (s->count) qsort_r(s->found, s->count, sizeof *s->found, compare_acting, model);
    force->share = tn_arena_new(&model->arena, (s->count + 1) * sizeof *force->share);
    for (size_t k = 0; k < s->count; k++)
        if (is_share(model, force, s->found[k].item))
            force->share[force->share_count++] = (struct tn_force_share){
                .item = s->found[k].item, .marker = model->item[force->target].marker[s->found[k].kind]};
}

/* ---- the ends of an element ------------------------------------------------------------------------------ */

/* The first or last marker with a place in space that an element acts on; coordinates lead to those that they are made of. */
static uint32_t end_of(const tn_model *model, uint32_t item, bool last)
{
    for (size_t steps = 0; steps <= model->names.count; steps++) {
        uint32_t count = 0;
        const uint32_t *marker = tn_markers_at(model, item, &count);
        if (!count) return TN_NONE;
        const uint32_t end = marker[last ? count - 1 : 0];
        if (tn_has_place(model->marker[end].kind)) return end;
        if (!tn_marker_is_derived(model, end)) return TN_NONE;
        item = model->marker[end].body;
    }
    return TN_NONE; /* round and round, which is reported elsewhere */
}

static void find_at_end(tn_model *model, tn_measured_force *force)
{
    const uint32_t end = end_of(model, force->element, force->last);
    if (end == TN_NONE) return;
    force->share = tn_arena_new(&model->arena, sizeof *force->share);
    force->share[force->share_count++] = (struct tn_force_share){.item = force->element, .marker = end};
}

/* ---------------------------------------------------------------------------------------------------------- */

static void check_share(tn_model *model, const tn_measured_force *force)
{
    if (force->share_count || force->element == TN_NONE) return;
    const bool somewhere = force->target != TN_NONE;
    tn_source_error_inside(&model->reader->source, force->node, force->offset, "`%s` does not act on %s%s%s",
                           tn_item_name(model, force->element), somewhere ? "`" : "a marker in space",
                           somewhere ? tn_item_name(model, force->target) : "", somewhere ? "`" : "");
}

void tn_forces_find_shares(tn_model *model)
{
    if (tn_model_errors(model) || !model->values->force_count) return; /* markers may be missing */
    search s = {.model = model,
                .users = make_lists(model->marker_count),
                .made = make_lists(model->names.count),
                .seen = tn_new(model->marker_count, sizeof *s.seen),
                .met = tn_new(model->names.count, sizeof *s.met),
                .queue = tn_new(model->marker_count, sizeof *s.queue)};
    list_users(model, &s.users);
    list_made(model, &s.made);
    for (size_t k = 0; k < model->values->force_count; k++) {
        tn_measured_force *force = model->values->force[k];
        if (force->target != TN_NONE)
            find_at_target(&s, force);
        else if (force->element != TN_NONE)
            find_at_end(model, force);
        check_share(model, force);
    }
}
