/* explanation.c - explains a failure: its element, time and reason, what was tried, and what to try */
#include "analysis/analysis.h"
#include "analysis/culprit.h"

#include "extensions/step_counts.h"

#include "system/constraints.h"
#include "system/linear.h"
#include "system/markers.h"
#include "system/mass.h"
#include "values/value_graph.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define COMPARABLE 0.01 /* errors that belong to one contradiction, against the largest */
enum { MOST_NAMED = 3 };

__attribute__((format(printf, 3, 4))) static void append_words(tn_assembly *assembly, size_t *used,
                                                               const char *format, ...)
{
    const size_t size = sizeof assembly->failures.reason;
    va_list arguments;
    va_start(arguments, format);
    if (*used + sizeof "..." < size)
        *used += tn_print_cut_list(assembly->failures.reason + *used, size - *used, format, arguments);
    va_end(arguments);
}

/* "spring_damper `spring` (model.toml:14:1)", or the place of the expression that has no value */
static void append_item(tn_assembly *assembly, size_t *used, const char *type, uint32_t item)
{
    const tn_model *model = assembly->model;
    const tn_dynamic_value *value = assembly->failures.refusal.value;
    const tn_place place =
        value && value->item == item ? value->live.node->place : model->item[item].origin->at->place;
    append_words(assembly, used, "%s `%s` (%s:%u:%u)", type, tn_item_name(model, item), place.file,
                 place.line, place.column);
}

static void append_element(tn_assembly *assembly, size_t *used, const tn_group *group, uint32_t instance)
{
    append_item(assembly, used, group->type->name, group->item[instance]);
}

/* A marker that is made of others, or an element. */
static void append_culprit(tn_assembly *assembly, size_t *used, const tn_refusal *refusal)
{
    if (refusal->derived)
        append_item(assembly, used, refusal->derived->name, refusal->derived->item[refusal->instance]);
    else
        append_element(assembly, used, refusal->group, refusal->instance);
}

/* Keeps it for the causes (causes.h). */
static void keep_suspect(tn_assembly *assembly, tn_evidence_kind kind, const tn_group *group,
                         uint32_t instance)
{
    tn_step_counts *counts = tn_step_counts_of(assembly);
    if (!counts) return;
    tn_evidence *evidence = &counts->evidence;
    if (evidence->kind != kind) *evidence = (tn_evidence){.kind = kind};
    if (evidence->count == TN_MOST_SUSPECTS) return;
    evidence->group[evidence->count] = group;
    evidence->instance[evidence->count++] = instance;
}

/* The coordinate with the largest residual, against its mass and scale; or with the largest jump of v', against its scale. */
static void append_largest(tn_assembly *assembly, size_t *used, const double *value, bool is_jump)
{
    const tn_group *worst = NULL;
    size_t index = 0;
    double largest = -1.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv;
        for (size_t i = 0; i < nv * group->batch.count; i++) {
            const double mass = is_jump ? 1.0 : tn_mass_of_coordinate(group, i);
            const double size =
                fabs(value[group->v_start + i]) / (mass * assembly->scale[group->v_start + i]);
            if (!(size <= largest)) {
                largest = size;
                worst = group;
                index = i;
            }
        }
    }
    if (!worst) return;
    const size_t nv = worst->batch.layout->nv;
    append_words(assembly, used, "the %s %.3g, is in coordinate %zu of ",
                 is_jump ? "acceleration that differs most between attempts, by up to" : "largest residual,",
                 value[worst->v_start + index], index % nv);
    append_element(assembly, used, worst, (uint32_t)(index / nv));
    keep_suspect(assembly, is_jump ? TN_JUMPING : TN_LARGEST_RESIDUAL, worst, (uint32_t)(index / nv));
}

/* The row that is violated most, where that says more than round-off. */
static void append_row(tn_assembly *assembly, size_t *used, const double *rows)
{
    const tn_row_found largest = tn_largest_row(assembly, rows);
    if (largest.size <= 1e-9 * assembly->length) return;
    append_words(assembly, used, "; the largest constraint error, %.3g, is in row %u of ", largest.size,
                 largest.row + 1);
    append_element(assembly, used, largest.group, largest.instance);
}

/* True where no position makes a row vanish: its bodies do not move, which leaves its place in the last matrix empty, or its
 * markers have one body in common. */
static bool is_stuck(const tn_assembly *assembly, const tn_group *group, uint32_t instance, uint32_t row)
{
    const uint32_t *marker = group->marker + (size_t)instance * group->batch.marker_count;
    const struct tn_group_leg *first = group->leg;
    bool alone = group->leg_count > 1; /* a single marker is held against the ground */
    for (uint32_t k = 1; k < group->leg_count; k++)
        alone = alone && tn_leg_item(assembly, marker[group->leg[k].marker], group->leg[k].leg) ==
                             tn_leg_item(assembly, marker[first->marker], first->leg);
    return alone ||
           assembly->equations.regularisation[group->row_start + instance * group->rows + row] == 0.0;
}

static bool has_pins(const tn_assembly *assembly)
{
    bool pins = false;
    for (size_t k = 0; k < assembly->group_count; k++)
        pins = pins || assembly->group[k].pinned;
    return pins;
}

static void explain_rows(tn_assembly *assembly, const char *why, double *rows, const char *what,
                         bool pins_hold)
{
    size_t used = 0;
    tn_row_found found = tn_largest_row(assembly, rows);
    const double largest = found.size;
    const bool stuck = is_stuck(assembly, found.group, found.instance, found.row);
    append_words(assembly, &used, "at time %.9g s: %s ", assembly->system.time, why);
    for (int k = 0; k < MOST_NAMED && found.size >= COMPARABLE * largest; k++) {
        append_words(assembly, &used, "%s", k ? ", " : "");
        append_element(assembly, &used, found.group, found.instance);
        keep_suspect(assembly, TN_CONTRADICTION, found.group, found.instance);
        append_words(assembly, &used, " %s of %.3g in row %u", k ? "one" : what, found.size, found.row + 1);
        memset(rows + found.group->row_start + (size_t)found.instance * found.group->rows, 0,
               found.group->rows * sizeof *rows);
        found = tn_largest_row(assembly, rows);
    }
    append_words(assembly, &used, "; %s",
                 stuck ? "no body there can move: the bodies are fixed, pinned, or the same"
                 : pins_hold && has_pins(assembly)
                     ? "try other positions, fewer pinned bodies, or one joint less"
                     : "try other positions, or one joint less");
}

static bool has_jump(const tn_system *system, const double *jump)
{
    bool any = false;
    for (uint32_t i = 0; jump && i < system->nv; i++)
        any = any || jump[i] > 0.0;
    return any;
}

/* A function of a user has ended the run: steps do not matter to it. */
static bool is_final(const tn_model *model) { return model->refused && model->refusing.item; }

static void explain_failure(tn_assembly *assembly, tn_status status, const double *residual,
                            const double *jump, const char *what_was_tried)
{
    const tn_system *system = &assembly->system;
    const tn_refusal *refusal = &assembly->failures.refusal, *spoiler = &assembly->failures.spoiler;
    size_t used = 0;
    append_words(assembly, &used, "at time %.9g s: ", system->time);
    if (status == TN_OUT_OF_MEMORY || (status == TN_UNSUPPORTED && what_was_tried)) {
        /* no step, and no other start, makes it possible */
        append_words(assembly, &used, "%s",
                     status == TN_UNSUPPORTED ? what_was_tried : tn_status_text(status));
        return;
    }
    const bool refused = refusal->group || refusal->derived, spoilt = spoiler->group || spoiler->derived;
    if (spoilt && !refused) {
        append_culprit(assembly, &used, spoiler);
        append_words(assembly, &used, ": %s", spoiler->number);
    } else if (refused) {
        append_culprit(assembly, &used, refusal);
        append_words(assembly, &used, ": %s", refusal->message ? refusal->message : tn_status_text(status));
        if (assembly->model->call_problem && !is_final(assembly->model))
            append_words(assembly, &used, " (%s)", assembly->model->call_problem);
    } else if (residual) {
        append_largest(assembly, &used, residual, false);
        if (system->rows) append_row(assembly, &used, residual + system->nv);
    } else if (has_jump(system, jump)) {
        append_largest(assembly, &used, jump, true);
    } else {
        append_words(assembly, &used, "%s", tn_status_text(status));
    }
    const bool singular = assembly->equations.called_singular || assembly->least_norm.called_singular;
    if (singular && !spoilt && !refused)
        append_words(assembly, &used, "; the linear solver %s reports the matrix as singular",
                     assembly->linear->type->name);
    if (is_final(assembly->model)) return;
    if (what_was_tried) append_words(assembly, &used, "; %s", what_was_tried);
    append_words(assembly, &used, "; %s",
                 system->time <= system->run->start_time ? "try other start values or parameters"
                 : system->rows
                     ? "try a smaller step; if the mechanism locks, check its lengths and prescribed motions"
                     : "try a smaller step, or parameters that avoid this state");
}

const tn_explanation tn_explanations = {.notice = tn_notice,
                                        .turns = tn_fast_turns_tell,
                                        .find_marker = tn_marker_culprit,
                                        .find_number = tn_number_culprit,
                                        .find_refusal = tn_refusal_culprit,
                                        .failure = explain_failure,
                                        .rows = explain_rows,
                                        .corrections = tn_corrections_tell};
