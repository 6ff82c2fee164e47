/* derived_markers.c - markers made of other markers: connects them, puts them in order, and checks what they are made of
 *
 * A coordinate of a connector is made of the connector's markers: on the way down the connector is what a marker made
 * of others is. */
#include "model/builder.h"

#include <string.h>

static bool has_markers_at_ports(const tn_use *use) { return use->marker && use->port_count; }

bool tn_is_derived(const tn_model *model, uint32_t item)
{
    const uint32_t use = model->item[item].use;
    return use != TN_NONE && has_markers_at_ports(&model->use[use]);
}

bool tn_marker_is_derived(const tn_model *model, uint32_t marker)
{
    return model->marker[marker].coordinate != TN_NONE || tn_is_derived(model, model->marker[marker].body);
}

/* ---- order ----------------------------------------------------------------------------------------------- */

/* Items on the way down from a marker to what it is made of, each with the next of its markers to look at. */
typedef struct path {
    struct step {
        uint32_t item, next;
    } * step;
    size_t count;
} path;

/* The level of an item on the path. */
enum { UNDER_WAY = 0x7fffff };

static void enter_item(tn_model *model, path *p, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    TN_APPEND(p->step, p->count, (struct step){item, use->marker_start[model->item[item].index]});
    model->item[item].level = UNDER_WAY;
}

/* The path leads back to `item`. */
static void report_cycle(tn_model *model, const path *p, uint32_t item)
{
    enum { MOST_NAMED = 6 };
    tn_text text = {0};
    size_t k = p->count;
    while (p->step[--k].item != item)
        ;
    for (size_t next = k + 1; next <= p->count; next++) {
        const uint32_t of = next < p->count ? p->step[next].item : item;
        if (next - k == MOST_NAMED && next < p->count) tn_text_list(&text, "...");
        if (next - k >= MOST_NAMED && next < p->count) continue;
        tn_text_add(&text, "%s`%s` %sof `%s`", text.length ? ", " : "",
                    tn_item_name(model, p->step[next - 1].item), text.length ? "" : "is made ",
                    tn_item_name(model, of));
    }
    tn_model_error(model, model->item[item].origin->at->place, "%s: a marker cannot be made of itself",
                   text.letters);
    tn_free(text.letters);
}

static void set_level(tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t index = model->item[item].index;
    uint32_t level = 0;
    for (uint32_t k = use->marker_start[index]; k < use->marker_start[index + 1]; k++) {
        const uint32_t marker = use->marker_index[k];
        const uint32_t below = marker == TN_NONE ? 0 : model->item[model->marker[marker].body].level;
        if (below != UNDER_WAY && below > level) level = below;
    }
    model->item[item].level = (level + 1) & UNDER_WAY;
}

/* Finds the level of an item, and first those of all that it is made of. */
static void find_level(tn_model *model, path *p, uint32_t item)
{
    enter_item(model, p, item);
    while (p->count) {
        struct step *top = &p->step[p->count - 1];
        const tn_use *use = &model->use[model->item[top->item].use];
        if (top->next == use->marker_start[model->item[top->item].index + 1]) {
            set_level(model, top->item);
            p->count--;
            continue;
        }
        const uint32_t marker = use->marker_index[top->next++];
        if (marker == TN_NONE) continue; /* reported already */
        if (!tn_marker_is_derived(model, marker)) continue;
        const uint32_t below = model->marker[marker].body;
        if (model->item[below].level == UNDER_WAY)
            report_cycle(model, p, below);
        else if (!model->item[below].level)
            enter_item(model, p, below);
    }
}

/* A frame that serves as a point, too, is evaluated once. */
static bool is_evaluated(const tn_model *model, uint32_t marker)
{
    const tn_marker *made = &model->marker[marker];
    return made->coordinate != TN_NONE ||
           (tn_is_derived(model, made->body) &&
            made->kind == model->use[model->item[made->body].use].marker->kind);
}

/* Lists the markers that are evaluated by level; within one the order stays. */
static void list_by_level(tn_model *model)
{
    for (uint32_t k = 0; k < model->marker_count; k++)
        model->derived_count += is_evaluated(model, k);
    size_t *start = tn_new(model->derived_count + 2, sizeof *start);
    model->derived = tn_new(model->derived_count, sizeof *model->derived);
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (is_evaluated(model, k)) start[model->item[model->marker[k].body].level + 1]++;
    for (size_t level = 1; level <= model->derived_count; level++)
        start[level + 1] += start[level];
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (is_evaluated(model, k)) model->derived[start[model->item[model->marker[k].body].level]++] = k;
    tn_free(start);
}

/* ---- what it is made of ---------------------------------------------------------------------------------- */

/* Lets the type check one instance against its markers. */
static void check_markers(tn_model *model, uint32_t item)
{
    const tn_item *made = &model->item[item];
    const tn_use *use = &model->use[made->use];
    const uint32_t *marker = use->marker_index + use->marker_start[made->index];
    const uint32_t count = use->marker_start[made->index + 1] - use->marker_start[made->index];
    uint32_t *kinds = tn_new(count, sizeof *kinds);
    bool known = true;
    for (uint32_t k = 0; k < count; k++) {
        known = known && marker[k] != TN_NONE;
        if (known) kinds[k] = model->marker[marker[k]].kind;
    }
    if (known) {
        tn_layout layout = {.struct_size = sizeof layout,
                            .marker_count = count,
                            .marker_kind = kinds,
                            .port_first = made->origin->port_first};
        (void)tn_call_setup(model, made->origin->at, tn_item_name(model, item), use->marker, layout,
                            &model->host, made->instance, &layout);
    }
    tn_free(kinds);
}

/* Finds all levels: those of markers made of others, which are evaluated whoever reads them, and those of connectors
 * with coordinates that somebody reads. */
static void find_levels(tn_model *model)
{
    path p = {0};
    for (size_t k = 0; k < model->use_count; k++) {
        const tn_use *use = &model->use[k];
        for (size_t i = 0; has_markers_at_ports(use) && i < use->count; i++) {
            (void)tn_marker_of(model, use->item[i], use->marker->kind, NULL);
            if (!model->item[use->item[i]].level) find_level(model, &p, use->item[i]);
        }
    }
    for (uint32_t k = 0; k < model->marker_count; k++) {
        const tn_marker *made = &model->marker[k];
        if (made->coordinate != TN_NONE && !model->item[made->body].level) find_level(model, &p, made->body);
    }
    tn_free(p.step);
}

void tn_derived_order(tn_model *model)
{
    find_levels(model);
    list_by_level(model);
    for (size_t k = 0; k < model->derived_count; k++) {
        const tn_marker *made = &model->marker[model->derived[k]];
        if (made->coordinate == TN_NONE && model->use[model->item[made->body].use].marker->layout)
            check_markers(model, made->body);
    }
}
