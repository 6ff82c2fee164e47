/* force_shares.c - which elements act on the markers whose forces are measured
 *
 * An element acts on a marker when it has it, or one that is made of it: the search goes from the marker up to all that use it,
 * so that a force costs as much as there is to find. */
#define _GNU_SOURCE
#include "model/reading.h"

#include <stdlib.h>

/* Lists of numbers by a number: those of k are entry[start[k]] ... entry[start[k + 1] - 1]. */
typedef struct lists {
    size_t *start;
    uint32_t *entry;
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
    size_t count, capacity;
} search;

/* ---- who uses what --------------------------------------------------------------------------------------- */

typedef void pair_visitor(lists *all, uint32_t of, uint32_t entry);

static void count_pair(lists *all, uint32_t of, uint32_t entry)
{
    (void)entry;
    all->start[of + 2]++;
}

static void enter_pair(lists *all, uint32_t of, uint32_t entry) { all->entry[all->start[of + 1]++] = entry; }

static void visit_users(const tn_model *model, lists *all, pair_visitor *visit)
{
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; use->marker_start && i < use->count; i++)
            for (uint32_t m = use->marker_start[i]; m < use->marker_start[i + 1]; m++)
                if (use->marker_index[m] != TN_NONE) visit(all, use->marker_index[m], use->item[i]);
    }
}

static void visit_made(const tn_model *model, lists *all, pair_visitor *visit)
{
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (tn_marker_is_derived(model, k)) visit(all, model->marker[k].body, k);
}

/* Counts, puts the begin of each list where that of the one before belongs, and moves it on with every entry. */
static lists make_lists(const tn_model *model, size_t count,
                        void (*visit_all)(const tn_model *model, lists *all, pair_visitor *visit))
{
    lists all = {.start = tn_new(count + 2, sizeof *all.start)};
    visit_all(model, &all, count_pair);
    for (size_t k = 0; k <= count; k++)
        all.start[k + 1] += all.start[k];
    all.entry = tn_new(all.start[count + 1], sizeof *all.entry);
    visit_all(model, &all, enter_pair);
    return all;
}

static void free_lists(lists *all)
{
    tn_free(all->start);
    tn_free(all->entry);
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
        for (size_t u = s->users.start[at]; u < s->users.start[at + 1]; u++) {
            const uint32_t item = s->users.entry[u];
            if (s->met[item] == s->number) continue;
            s->met[item] = s->number;
            if (kind != TN_NONE && model->use[model->item[item].use].element) {
                s->found = tn_grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
                s->found[s->count++] = (acting){item, kind};
            }
            for (size_t m = s->made.start[item]; m < s->made.start[item + 1]; m++) {
                const uint32_t above = s->made.entry[m];
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
static int compare(const void *left, const void *right, void *data)
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
    return force->element == TN_NONE ? type->force || type->constraint : item == force->element;
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
    if (s->count) qsort_r(s->found, s->count, sizeof *s->found, compare, model);
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
    tn_source_error_inside(&model->source, force->node, force->offset, "`%s` does not act on %s%s%s",
                           tn_item_name(model, force->element), somewhere ? "`" : "a marker in space",
                           somewhere ? tn_item_name(model, force->target) : "", somewhere ? "`" : "");
}

void tn_forces_find_shares(tn_model *model)
{
    if (tn_error_count(model->diagnostics) || !model->measured_force_count)
        return; /* markers may be missing */
    search s = {.model = model,
                .users = make_lists(model, model->marker_count, visit_users),
                .made = make_lists(model, model->names.count, visit_made),
                .seen = tn_new(model->marker_count, sizeof *s.seen),
                .met = tn_new(model->names.count, sizeof *s.met),
                .queue = tn_new(model->marker_count, sizeof *s.queue)};
    for (size_t k = 0; k < model->measured_force_count; k++) {
        tn_measured_force *force = model->measured_force[k];
        if (force->target != TN_NONE)
            find_at_target(&s, force);
        else if (force->element != TN_NONE)
            find_at_end(model, force);
        check_share(model, force);
    }
    free_lists(&s.users);
    free_lists(&s.made);
    tn_free(s.seen);
    tn_free(s.met);
    tn_free(s.queue);
    tn_free(s.found);
}
