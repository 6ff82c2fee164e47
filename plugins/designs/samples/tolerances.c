/* tolerances.c - accuracy against time: one model with several solvers, tolerances and steps
 *
 * The cases are all combinations of the lists. The error of a case is its largest difference from the reference, as a share of the largest
 * value of the response there. */
#include "sample.h"

#define TOLERANCES(P)                                                                                        \
    P(REAL, accuracy, "", TN_ABOVE_LOW, 1e-4, 0.0, 1.0,                                                      \
      "error that is good enough, as a share of the largest value of a response: the advice is for it")      \
    P(REALS, reference, 64, 0, "", TN_OPTIONAL | TN_FEWER, 0.0, 1.0, 1e9,                                    \
      "case that the others are compared with: for each variable the number of its value in its list, from " \
      "1; "                                                                                                  \
      "default: the one that others confirm best")

TN_PARAMETERS(tolerances, TOLERANCES)

static uint32_t count_given(const tolerances *self)
{
    uint32_t count = 0;
    while (count < 64 && !isnan(self->reference[count]))
        count++;
    return count;
}

static bool is_compared(const tn_design_response *response)
{
    return response->size > 1 && !response->is_data;
}

static tn_status check_reference(const tn_host *host, const tolerances *settings,
                                 const tn_design_problem *problem)
{
    const uint32_t given = count_given(settings);
    if (given == 0) return TN_OK;
    if (given != problem->variables)
        return tn_refuse(host, "reference", "%u numbers for %u variables: one for each is expected", given,
                         problem->variables);
    for (uint32_t i = 0; i < given; i++)
        if (settings->reference[i] != floor(settings->reference[i]) ||
            settings->reference[i] > problem->variable[i].levels)
            return tn_refuse(host, "reference", "\"%s\" has no value number %g: its list has %u",
                             problem->variable[i].name, settings->reference[i], problem->variable[i].levels);
    return TN_OK;
}

static tn_status check_problem(const tn_host *host, const tn_design_problem *problem)
{
    if (problem->variables == 0)
        return tn_refuse(host, NULL,
                         "there are no variables: give the solvers, tolerances or steps as lists");
    for (uint32_t i = 0; i < problem->variables; i++)
        if (!problem->variable[i].levels)
            return tn_refuse(host, NULL,
                             "variable \"%s\" has no list of values, such as tolerances: give it one",
                             problem->variable[i].name);
    for (uint32_t r = 0; r < problem->responses; r++)
        if (is_compared(&problem->response[r])) return TN_OK;
    return tn_refuse(
        host, NULL,
        "no response is sampled at several times: errors of a single number may vanish by chance; give a "
        "response its times");
}

static tn_status tolerances_open(const tn_host *host, const void *instance, const tn_design_problem *problem,
                                 void **self)
{
    tn_status status = check_problem(host, problem);
    if (status == TN_OK) status = check_reference(host, instance, problem);
    if (status != TN_OK) return status;
    uint64_t *levels = tn_sample_memory(host, problem->variables, sizeof *levels), count = 1;
    if (!levels) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < problem->variables; i++)
        if (__builtin_mul_overflow(count, levels[i] = problem->variable[i].levels, &count))
            return tn_refuse(host, NULL, "there are more than 1.8e19 combinations of values");
    sample *made = NULL;
    status = tn_sample_open(host, instance, problem, count, tn_grid_point, &made);
    *self = made;
    if (status != TN_OK) return status;
    made->data = levels;
    made->keeps = true;
    return TN_OK;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

typedef struct comparison {
    const sample *all;
    uint64_t reference, partner; /* the case that all are compared with, and the one nearest to it */
    uint64_t
        witness; /* the nearest case without what these two have in common; `count`: none, or not asked for */
    double resolution; /* the larger distance of these two from the reference */
    double *error;     /* [count] NaN: no result */
    uint64_t *front;   /* [count] cases by effort, of which `fronts` are better than all that take less */
    uint64_t fronts;
} comparison;

/* Largest difference from case `to`, as a share of its largest value. */
static double distance(const sample *all, uint64_t from, uint64_t to)
{
    const double *x = all->kept + from * all->problem->numbers, *y = all->kept + to * all->problem->numbers;
    double worst = 0.0;
    for (uint32_t r = 0; r < all->problem->responses; r++) {
        const tn_design_response *response = &all->problem->response[r];
        double largest = 0.0, difference = 0.0;
        for (uint32_t k = response->first; k < response->first + response->size && is_compared(response);
             k++) {
            largest = fmax(largest, fabs(y[k]));
            difference = fmax(difference, fabs(x[k] - y[k]));
        }
        if (difference > 0.0) worst = fmax(worst, largest > 0.0 ? difference / largest : 1.0);
    }
    return worst;
}

/* The case nearest to `k` whose numbers are others; k itself: there is none. */
static uint64_t nearest(const sample *all, uint64_t k, double *least)
{
    uint64_t found = k;
    *least = HUGE_VAL;
    for (uint64_t j = 0; j < all->count; j++) {
        const double apart = all->done[j] && j != k ? distance(all, j, k) : 0.0;
        if (apart > 0.0 && apart < *least) *least = apart, found = j;
    }
    return found;
}

/* Whether two cases have the same value of a variable. */
static bool share(const sample *all, uint32_t variable, uint64_t a, uint64_t b)
{
    const uint64_t *levels = all->data;
    for (uint32_t i = all->problem->variables; --i > variable;)
        a /= levels[i], b /= levels[i];
    return a % levels[variable] == b % levels[variable];
}

/* The case nearest to `k` of those without any one of the values that `k` and its partner have in common; `count`: there is none. Two
 * cases may agree by chance, or because that hardly matters in which they differ, and be as wrong as each other: what others say as well is
 * resolved. */
static uint64_t witness(const sample *all, uint64_t k, uint64_t partner, double *least)
{
    uint64_t found = all->count;
    *least = 0.0;
    for (uint64_t j = 0; j < all->count; j++) {
        bool differs = false;
        for (uint32_t i = 0; i < all->problem->variables && all->done[j]; i++)
            differs |= share(all, i, k, partner) && !share(all, i, k, j);
        if (!differs) continue;
        const double apart = distance(all, j, k);
        if (found == all->count || apart < *least) *least = apart, found = j;
    }
    return found;
}

/* What is known of case k as a reference. */
static comparison compare_with(const sample *all, uint64_t k)
{
    comparison c = {.all = all, .reference = k, .witness = all->count};
    double apart = 0.0;
    c.partner = nearest(all, k, &c.resolution);
    if (c.partner == k) return c;
    c.witness = witness(all, k, c.partner, &apart);
    c.resolution = fmax(c.resolution, apart);
    return c;
}

/* That of the parameters, or the one which others confirm best, of equal ones the one that takes longest; false: there is none. */
static bool find_reference(comparison *c)
{
    const sample *all = c->all;
    const tolerances *settings = all->settings;
    const uint64_t *levels = all->data;
    if (count_given(settings)) {
        uint64_t reference = 0;
        for (uint32_t i = 0; i < all->problem->variables; i++)
            reference = reference * levels[i] + (uint64_t)settings->reference[i] - 1;
        if (!all->done[reference]) return false;
        *c = compare_with(all, reference);
        c->witness = all->count;
        return true;
    }
    c->resolution = HUGE_VAL;
    for (uint64_t k = 0; k < all->count; k++) {
        if (!all->done[k]) continue;
        const comparison one = compare_with(all, k);
        const bool longer = c->resolution < HUGE_VAL && all->effort[k] >= all->effort[c->reference];
        if (one.resolution < c->resolution * (longer ? 1.0 + 1e-6 : 1.0 - 1e-6)) *c = one;
    }
    return c->resolution < HUGE_VAL;
}

/* Errors that are not resolved are alike. */
static double resolved(const comparison *c, uint64_t k)
{
    return isfinite(c->resolution) ? fmax(c->error[k], c->resolution) : c->error[k];
}

/* Cases in the order of their effort, of which those stay that are more accurate than all before. */
static void find_front(comparison *c)
{
    const double *effort = c->all->effort;
    uint64_t count = 0;
    for (uint64_t k = 0; k < c->all->count; k++) {
        if (isnan(c->error[k])) continue;
        uint64_t j = count++;
        for (; j > 0 && effort[c->front[j - 1]] > effort[k]; j--)
            c->front[j] = c->front[j - 1];
        c->front[j] = k;
    }
    double best = HUGE_VAL;
    for (uint64_t k = 0; k < count; k++) {
        const double error = resolved(c, c->front[k]);
        if (error >= best) continue;
        best = error;
        c->front[c->fronts++] = c->front[k];
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* "solver = radau, solver.tolerance = 1e-6" */
static void write_case(const sample *all, uint64_t number, char *text, size_t size)
{
    size_t length = 0;
    all->point(all, number, all->u);
    text[0] = '\0';
    for (uint32_t i = 0; i < all->problem->variables && length + 8 < size; i++) {
        const tn_design_variable *variable = &all->problem->variable[i];
        const uint32_t level = (uint32_t)(all->u[i] * variable->levels);
        const char *comma = length ? ", " : "";
        if (variable->levels == 1 && all->count > 1) continue; /* the same in all cases */
        if (variable->text)
            length += tn_print_cut(text + length, size - length, "%s%s = %s", comma, variable->name,
                                   variable->text[level]);
        else
            length += tn_print_cut(text + length, size - length, "%s%s = value %u of %u", comma,
                                   variable->name, level + 1, variable->levels);
    }
}

static tn_status answer_case(const char *name, uint64_t number, double value, const char *unit,
                             tn_design_answers *answers)
{
    tn_answer answer = tn_answer_about(name, -1, -1, value, unit);
    answer.point = (int64_t)number;
    return answers->add(answers, &answer);
}

static tn_status answer_cases(const comparison *c, tn_design_answers *answers)
{
    tn_status status = answer_case("reference", c->reference, c->resolution, "", answers);
    for (uint64_t k = 0; k < c->all->count && status == TN_OK; k++) {
        if (isnan(c->error[k])) continue;
        status = answer_case("error", k, c->error[k], "", answers);
        if (status == TN_OK) status = answer_case("effort", k, c->all->effort[k], "s", answers);
    }
    for (uint64_t k = 0; k < c->fronts && status == TN_OK; k++)
        status = answer_case("Pareto front", c->front[k], c->error[c->front[k]], "", answers);
    return status;
}

/* The case that takes least time of those that are accurate enough, other than `than` in its first variable where that has several
 * values; the number of cases: there is none. */
static uint64_t fastest(const comparison *c, uint64_t than)
{
    const double accuracy = ((const tolerances *)c->all->settings)->accuracy;
    const uint64_t count = c->all->count, *levels = c->all->data;
    const uint64_t block = count / levels[0];
    uint64_t found = count;
    for (uint64_t k = 0; k < count; k++) {
        if (isnan(c->error[k]) || resolved(c, k) > accuracy || k == than) continue;
        if (than < count && levels[0] > 1 && k / block == than / block) continue;
        if (found == count || c->all->effort[k] < c->all->effort[found]) found = k;
    }
    return found;
}

static tn_status advise(const comparison *c, tn_design_answers *answers)
{
    const sample *all = c->all;
    const double accuracy = ((const tolerances *)all->settings)->accuracy;
    char name[200], other[200];
    const uint64_t best = fastest(c, all->count);
    if (best == all->count)
        return tn_answer_say(
            answers, TN_WARNING,
            "no case is known to have an error of %.2g or less: stricter tolerances are needed", accuracy);
    write_case(all, best, name, sizeof name);
    const uint64_t next = fastest(c, best);
    if (next == all->count)
        return tn_answer_say(answers, TN_NOTE, "%s reaches %.2g in %.3g ms, as the only one to compare", name,
                             accuracy, 1e3 * all->effort[best]);
    write_case(all, next, other, sizeof other);
    return tn_answer_say(answers, TN_NOTE, "%s reaches %.2g in %.3g ms, %.2g times faster than %s", name,
                         accuracy, 1e3 * all->effort[best], all->effort[next] / fmax(all->effort[best], 1e-9),
                         other);
}

static tn_status say_reference(const comparison *c, tn_design_answers *answers)
{
    char name[200], partner[200], other[200];
    const sample *all = c->all;
    const double accuracy = ((const tolerances *)all->settings)->accuracy;
    const bool coarse = c->resolution > 0.1 * accuracy;
    const char *advice = coarse ? "; for this accuracy the study needs a stricter case" : "";
    write_case(all, c->reference, name, sizeof name);
    write_case(all, c->partner, partner, sizeof partner);
    if (c->partner == c->reference || !isfinite(c->resolution))
        return tn_answer_say(answers, TN_WARNING,
                             "errors are differences from %s; all cases with a result have the same numbers",
                             name);
    const tn_level level = coarse ? TN_WARNING : TN_NOTE;
    const tn_status status = tn_answer_say(
        answers, level, "errors are differences from %s, which is closest to %s", name, partner);
    if (status != TN_OK) return status;
    if (c->witness == all->count)
        return tn_answer_say(answers, level, "errors below the distance of these two, %.2g, say nothing%s",
                             c->resolution, advice);
    write_case(all, c->witness, other, sizeof other);
    return tn_answer_say(
        answers, level,
        "of the cases without what these two have in common %s is closest: errors below %.2g say "
        "nothing%s",
        other, c->resolution, advice);
}

static tn_status say_failed(const sample *all, tn_design_answers *answers)
{
    uint64_t failed = 0, first = 0;
    for (uint64_t k = all->count; k-- > 0;)
        if (!all->done[k]) failed++, first = k;
    if (!failed) return TN_OK;
    char name[200];
    write_case(all, first, name, sizeof name);
    return tn_answer_say(answers, TN_WARNING, "%llu of %llu cases have no result, among them %s",
                         (unsigned long long)failed, (unsigned long long)all->count, name);
}

static tn_status tolerances_answer(const void *self, tn_design_answers *answers)
{
    comparison c = {.all = self};
    const sample *all = self;
    if (!all->done) return TN_OK;
    tn_status status = say_failed(all, answers);
    if (status != TN_OK) return status;
    if (!find_reference(&c))
        return tn_answer_say(answers, TN_WARNING, "there is no reference: %s",
                             count_given(all->settings) ? "its case has no result"
                                                        : "two cases with results that differ are needed");
    c.error = tn_sample_memory(all->host, all->count, sizeof *c.error);
    c.front = tn_sample_memory(all->host, all->count, sizeof *c.front);
    if (!c.error || !c.front) return TN_OUT_OF_MEMORY;
    for (uint64_t k = 0; k < all->count; k++)
        c.error[k] = all->done[k] ? distance(all, k, c.reference) : (double)NAN;
    c.error[c.reference] = isfinite(c.resolution) ? c.resolution : 0.0;
    find_front(&c);
    status = say_reference(&c, answers);
    if (status == TN_OK) status = answer_cases(&c, answers);
    return status == TN_OK ? advise(&c, answers) : status;
}

/* What others call it. */
TN_SYNONYMS(tolerances, {"work_precision", NULL, NULL}, {"solvers", NULL, NULL})

TN_DESIGN(tolerances, .summary = "accuracy against time: one model by several solvers, tolerances, steps",
          .formula = "error = max |y - y_reference| / max |y_reference|, over the times of a response; the "
                     "largest one of all "
                     "responses",
          .synonyms = tolerances_synonyms, .open = tolerances_open, .answer = tolerances_answer,
          SAMPLE_FUNCTIONS)
