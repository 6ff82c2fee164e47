/* notices.c - what a user should know of a model once it is assembled, and of its angles while it runs */
#include "analysis/culprit.h"

#include <tenon/turns.h>

static void notice_differences(const tn_assembly *assembly, const char *type)
{
    tn_model_tell(assembly->model, TN_SEVERITY_NOTE, (tn_place){0},
                  "`%s` was built without its exact tangent: central differences replace it", type);
}

static void notice_missing_tangents(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_loaded_element *type = assembly->group[k].type;
        if (k && assembly->group[k - 1].type == type) continue; /* groups of one type stand together */
        if ((type->force && !type->force_tangent) || (type->body_force && !type->body_force_tangent) ||
            (type->residual && !type->residual_tangent))
            notice_differences(assembly, type->name);
        if (type->force && !type->is_variable && assembly->group[k].batch.layout->nx && !type->rates_tangent)
            tn_model_tell(
                assembly->model, TN_SEVERITY_NOTE, (tn_place){0},
                "`%s` was built without exact tangents of the rates of its states: implicit solvers "
                "iterate on these states separately and need short steps where they are stiff",
                type->name);
    }
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        bool told = derived->exact;
        for (size_t before = 0; before < k && !told; before++)
            told = assembly->derived[before].name == derived->name;
        if (!told) notice_differences(assembly, derived->name);
    }
}

void tn_notice(tn_assembly *assembly)
{
    notice_missing_tangents(assembly);
    tn_same_body_check(assembly);
    tn_far_points_check(assembly);
}

static void tell_doubt(const tn_assembly *assembly, uint32_t item)
{
    tn_model *model = assembly->model;
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    tn_say(&model->host, TN_WARNING, "at time %.9g s: %s", assembly->system.time, TN_DOUBTFUL_TURNS);
    tn_host_point(model, NULL, NULL);
}

void tn_fast_turns_tell(const tn_assembly *assembly, const tn_derived *derived)
{
    for (size_t i = 0; i < derived->batch.count; i++) {
        double *doubt = &derived->kept[TN_KEPT_DOUBLES * i + TN_KEPT_DOUBT];
        if (*doubt != (double)TN_DOUBT) continue;
        *doubt = TN_DOUBT_TOLD;
        tell_doubt(assembly, derived->item[i]);
    }
}
