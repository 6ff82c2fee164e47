/* sizes.c - what an instance has more of than the system holds */
#include "analysis/culprit.h"
#include "system/explanation.h"

static bool refuse_number(tn_model *model, const tn_use *use, uint32_t instance, uint64_t number,
                          uint32_t most, const char *what)
{
    const void *type = use->element;
    if (number <= most) return false;
    const tn_plugin_file *file = tn_registry_file_of(model->registry, type);
    tn_model_error(model, model->item[use->item[instance]].origin->at->place,
                   "`%s` has %llu %s: a %s has at most %u (plugin %s)",
                   tn_item_name(model, use->item[instance]), (unsigned long long)number, what,
                   use->element->name, most, file ? file->path : "");
    return true;
}

void tn_size_refuse(const tn_assembly *assembly, const tn_use *use, uint32_t instance,
                    const tn_layout *layout)
{
    tn_model *model = assembly->model;
    const uint32_t markers = use->element->constraint ? TN_CONSTRAINT_MARKERS : TN_MOST_MARKERS;
    if (refuse_number(model, use, instance, tn_marker_count(use, instance), markers, "markers")) return;
    const uint64_t rows = (uint64_t)layout->position_rows + layout->velocity_rows;
    const struct {
        uint64_t number;
        const char *what;
    } sizes[] = {{layout->nq, "configuration coordinates"},
                 {layout->nv, "velocity coordinates"},
                 {layout->nx, "states"},
                 {layout->ns, "algebraic unknowns"},
                 {layout->nd, "discrete data"},
                 {layout->events, "events"},
                 {layout->scratch, "numbers of scratch memory"}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (refuse_number(model, use, instance, sizes[k].number, TN_MOST_OF_LAYOUT, sizes[k].what)) return;
    if (rows && refuse_number(model, use, instance, layout->ns, TN_CONSTRAINT_UNKNOWNS, "algebraic unknowns"))
        return;
    const uint64_t square = (uint64_t)layout->nv * layout->nv;
    const uint32_t most = square < TN_MOST_OWN_ENTRIES ? (uint32_t)square : TN_MOST_OWN_ENTRIES;
    if (!refuse_number(model, use, instance, rows, TN_CONSTRAINT_ROWS, "rows"))
        refuse_number(model, use, instance, layout->own_entries, most, "entries of its matrices");
}
