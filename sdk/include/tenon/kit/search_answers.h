/* tenon/kit/search_answers.h - functions of the type of a search (kit/search.h), and its answers
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_SEARCH_ANSWERS_H
#define TENON_KIT_SEARCH_ANSWERS_H

#include "tenon/kit/search.h"

#define TN_SEARCH_FUNCTIONS \
    .count = tn_search_count, .next = tn_search_next, .tell = tn_search_tell, .close = tn_search_close

static inline double tn_search_count(const void *self)
{
    return (double)((const tn_search *)self)->settings.most_cases;
}

static inline tn_status tn_search_next(void *self, tn_design_batch *batch)
{
    tn_search *search = self;
    tn_status status = tn_dialogue_next(&search->dialogue, batch);
    for (uint32_t k = 0; k < search->dialogue.speakers; k++)
        status = tn_worse(status, search->run[k].status);
    return status;
}

static inline tn_status tn_search_tell(void *self, const tn_design_results *results)
{
    return tn_dialogue_tell(&((tn_search *)self)->dialogue, results);
}

static inline void tn_search_close(void *self)
{
    tn_search *search = self;
    if (!search) return;
    tn_dialogue_close(&search->dialogue);
    for (uint32_t k = 0; k < search->dialogue.speakers; k++) {
        free(search->run[k].result), free(search->run[k].excess);
        free(search->run[k].value), free(search->run[k].done);
    }
}

/* The start whose best point is best; NULL: no case has a result. */
static inline const tn_search_run *tn_search_best(const tn_search *search)
{
    const tn_search_run *best = NULL;
    for (uint32_t k = 0; k < search->dialogue.speakers; k++) {
        const tn_search_run *run = &search->run[k];
        if (!run->found) continue;
        if (!best || run->best_excess < best->best_excess ||
            (run->best_excess == best->best_excess && run->best_value < best->best_value))
            best = run;
    }
    return best;
}

/* What happened on each start. */
static inline tn_status tn_search_say_starts(const tn_search *search, tn_design_answers *answers)
{
    enum { MOST_SAID = 10 };
    uint64_t failed = 0, cases = 0;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < search->dialogue.speakers; k++) {
        const tn_search_run *run = &search->run[k];
        failed += run->failed, cases += run->cases;
        if (k >= MOST_SAID || status != TN_OK) continue;
        status =
            run->found
                ? tn_answer_say(answers, TN_NOTE, "start %u: %s after %llu cases, at a value of %.6g", k + 1,
                                run->end, (unsigned long long)run->cases, search->sign * run->best_value)
                : tn_answer_say(answers, TN_WARNING, "start %u: %s after %llu cases, none with a result",
                                k + 1, run->end, (unsigned long long)run->cases);
    }
    if (failed && status == TN_OK)
        status = tn_answer_say(answers, TN_WARNING,
                               "%llu of %llu cases have no result: they count as worse than all "
                               "others",
                               (unsigned long long)failed, (unsigned long long)cases);
    return status;
}

static inline tn_status tn_search_say_bounds(const tn_search *search, const double *x,
                                             tn_design_answers *answers)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < search->problem->variables && status == TN_OK; i++) {
        const tn_design_variable *variable = &search->problem->variable[i];
        const bool at_low = x[i] - search->low[i] < 1e-6, at_high = search->high[i] - x[i] < 1e-6;
        if (variable->levels || !(at_low || at_high)) continue;
        status =
            tn_answer_say(answers, TN_NOTE, "\"%s\" is at the %s end of its range: a wider one may be better",
                          variable->name, at_low ? "lower" : "upper");
    }
    return status;
}

/* The coordinates of a point as answers of this name. */
static inline tn_status tn_search_answer_point(const tn_search *search, const char *name,
                                               const tn_search_run *best, tn_design_answers *answers)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < search->problem->variables && status == TN_OK; i++) {
        tn_answer answer = tn_answer_coordinate(name, i, best->best[i]);
        answer.point = (int64_t)best->best_case;
        status = answers->add(answers, &answer);
    }
    return status;
}

/* The whole of answer() of a search. */
static inline tn_status tn_search_answer(const void *self, tn_design_answers *answers)
{
    const tn_search *search = self;
    const tn_search_run *best = tn_search_best(search);
    tn_status status = tn_search_say_starts(search, answers);
    if (!best || status != TN_OK) return status;
    const tn_design_response *response = &search->problem->response[search->objective];
    tn_answer value =
        tn_answer_about("optimum", search->objective, -1, search->sign * best->best_value, response->unit);
    value.point = (int64_t)best->best_case;
    status = answers->add(answers, &value);
    if (status == TN_OK) status = tn_search_answer_point(search, "optimum", best, answers);
    if (status == TN_OK && best->best_excess > 0.0)
        status = tn_answer_say(answers, TN_WARNING,
                               "no case keeps all limits: the best one exceeds them by %.3g of them, in sum",
                               best->best_excess);
    return status == TN_OK ? tn_search_say_bounds(search, best->best, answers) : status;
}

#endif
