/* own_pattern.c - which entries the matrices of a large body's own have */
#include "system/own_pattern.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool refuse_entry(tn_model *model, uint32_t item, const char *format, uint32_t row, uint32_t column)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const tn_plugin_file *file = tn_registry_file_of(model->registry, type);
    char problem[128];
    (void)snprintf(problem, sizeof problem, format, row, column);
    return tn_model_error(model, model->item[item].origin->at->place,
                          "`%s`: its type %s lists entries of its matrices, but %s (plugin %s)",
                          tn_item_name(model, item), type->name, problem, file ? file->path : "");
}

/* Every position once, with the one that mirrors it; the whole diagonal. */
static bool is_sound(tn_model *model, uint32_t item, const tn_own_pattern *p)
{
    uint64_t *place = tn_new(p->entries, sizeof *place);
    bool good = true;
    for (uint32_t e = 0; e < p->entries && good; e++) {
        place[e] = (uint64_t)p->row[e] * p->size + p->column[e];
        if (p->row[e] >= p->size || p->column[e] >= p->size)
            good = refuse_entry(model, item, "(%u, %u) is outside of them", p->row[e], p->column[e]);
    }
    if (good) qsort(place, p->entries, sizeof *place, ascending);
    for (uint32_t e = 0; e < p->entries && good; e++) {
        const uint32_t row = (uint32_t)(place[e] / p->size), column = (uint32_t)(place[e] % p->size);
        const uint64_t mirrored = (uint64_t)column * p->size + row;
        if (e && place[e] == place[e - 1])
            good = refuse_entry(model, item, "(%u, %u) is listed twice", row, column);
        else if (!bsearch(&mirrored, place, p->entries, sizeof *place, ascending))
            good = refuse_entry(model, item, "(%u, %u) is missing", column, row);
    }
    for (uint64_t k = 0; k < p->size && good; k++) {
        const uint64_t diagonal = k * p->size + k;
        if (!bsearch(&diagonal, place, p->entries, sizeof *place, ascending))
            good = refuse_entry(model, item, "(%u, %u) is missing", (uint32_t)k, (uint32_t)k);
    }
    tn_free(place);
    return good;
}

tn_own_pattern *tn_own_pattern_new(tn_model *model, uint32_t item, const tn_layout *layout)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const size_t entries = layout->own_entries, numbers = 2 * entries + layout->nv;
    tn_own_pattern *p = tn_new(1, sizeof *p + numbers * sizeof *p->number);
    p->size = layout->nv;
    p->entries = layout->own_entries;
    p->row = p->number;
    p->column = p->row + entries;
    p->diagonal = p->column + entries;
    const tn_status status =
        tn_call_setup(model, model->item[item].origin->at, tn_item_name(model, item), type, own_pattern,
                      &model->host, model->item[item].instance, p->row, p->column);
    if (status != TN_OK || !is_sound(model, item, p)) {
        tn_free(p);
        return NULL;
    }
    for (uint32_t e = 0; e < p->entries; e++)
        if (p->row[e] == p->column[e]) p->diagonal[p->row[e]] = e;
    return p;
}

bool tn_own_pattern_equals(const tn_own_pattern *a, const tn_own_pattern *b)
{
    if (!a || !b) return a == b;
    return a->entries == b->entries && memcmp(a->row, b->row, a->entries * sizeof *a->row) == 0 &&
           memcmp(a->column, b->column, a->entries * sizeof *a->column) == 0;
}
