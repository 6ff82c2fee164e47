/* saltelli_indices.c - Sobol indices from what has come of the cases, with intervals by the bootstrap
 *
 * A response with many numbers, at times say, has the indices of its sums of variances (Lamboni, Monod, Makowski 2011). The estimators
 * work on differences from the mean, which makes their error smaller and changes no index. A row counts for an index where the cases that this
 * index needs have results. */
#include "saltelli.h"

#include <stdlib.h>

/* Terms of one row of the samples. */
enum {
    SUM,
    SQUARES,
    VALUES,
    FIXED
}; /* then for each variable: first, whether, total, whether; then for each pair: product, whether */

typedef struct terms {
    const sample *all;
    const saltelli_plan *plan;
    uint32_t variables, pairs, width;
    double *row;      /* [rows][width] */
    double *mean;     /* [numbers] of A and B */
    uint32_t *drawn;  /* [rows] how often a row stands in a sample of the bootstrap */
    double *estimate; /* [resamples][indices] */
    double *sum;      /* [width] */
} terms;

static uint32_t indices_of(const terms *t) { return 2 * t->variables + t->pairs; }
static uint32_t at_variable(uint32_t i) { return FIXED + 4 * i; }
static uint32_t at_pair(const terms *t, uint32_t pair) { return FIXED + 4 * t->variables + 2 * pair; }

static const double *numbers_of(const terms *t, uint64_t row, uint64_t place)
{
    const uint64_t number = row * saltelli_size(t->plan, t->variables) + place;
    return t->all->done[number] ? t->all->kept + number * t->all->problem->numbers : NULL;
}

static void find_means(const terms *t, const tn_design_response *response)
{
    memset(t->mean, 0, response->size * sizeof *t->mean);
    double count = 0.0;
    for (uint64_t row = 0; row < t->plan->rows; row++)
        for (uint64_t place = 0; place < 2; place++) {
            const double *y = numbers_of(t, row, place);
            if (!y) continue;
            count += 1.0;
            for (uint32_t k = 0; k < response->size; k++)
                t->mean[k] += (y[response->first + k] - t->mean[k]) / count;
        }
}

static void add_variance(const terms *t, const tn_design_response *response, const double *y, double *term)
{
    if (!y) return;
    for (uint32_t k = 0; k < response->size; k++) {
        const double difference = y[response->first + k] - t->mean[k];
        term[SQUARES] += difference * difference;
        if (response->size == 1)
            term[SUM] += difference; /* of many the means stay as they are: a small bias */
    }
    term[VALUES] += 1.0;
}

static void find_row(const terms *t, const tn_design_response *response, uint64_t row, double *term)
{
    const double *a = numbers_of(t, row, 0), *b = numbers_of(t, row, 1);
    memset(term, 0, t->width * sizeof *term);
    add_variance(t, response, a, term);
    add_variance(t, response, b, term);
    for (uint32_t i = 0; i < t->variables && a; i++) {
        const double *mixed = numbers_of(t, row, 2 + i);
        double *to = term + at_variable(i);
        for (uint32_t k = 0, n = response->first; k < response->size && mixed; k++, n++) {
            if (b) to[0] += (b[n] - t->mean[k]) * (mixed[n] - a[n]);
            if (b) to[1] = 1.0;
            to[2] += 0.5 * (mixed[n] - a[n]) * (mixed[n] - a[n]);
            to[3] = 1.0;
        }
    }
    for (uint32_t i = 0, pair = 0; i < t->variables && t->pairs && a && b; i++)
        for (uint32_t j = i + 1; j < t->variables; j++, pair++) {
            const double *ba = numbers_of(t, row, 2 + t->variables + i), *ab = numbers_of(t, row, 2 + j);
            double *to = term + at_pair(t, pair);
            for (uint32_t k = 0, n = response->first; k < response->size && ba && ab; k++, n++) {
                const double m = t->mean[k];
                to[0] += (ba[n] - m) * (ab[n] - m) - (a[n] - m) * (b[n] - m);
                to[1] = 1.0;
            }
        }
}

/* Indices [variables first, variables total, pairs] from sums of terms. */
static void find_indices(const terms *t, const double *sum, double *index)
{
    const double mean = sum[SUM] / sum[VALUES];
    const double variance = sum[SQUARES] / sum[VALUES] - mean * mean;
    for (uint32_t i = 0; i < t->variables; i++) {
        const double *from = sum + at_variable(i);
        index[i] = from[0] / from[1] / variance;
        index[t->variables + i] = from[2] / from[3] / variance;
    }
    for (uint32_t i = 0, pair = 0; i < t->variables && t->pairs; i++)
        for (uint32_t j = i + 1; j < t->variables; j++, pair++) {
            const double *from = sum + at_pair(t, pair);
            index[2 * t->variables + pair] = from[0] / from[1] / variance - index[i] - index[j];
        }
}

/* Sums with weights `drawn`, or of all rows once. */
static void add_rows(const terms *t, const uint32_t *drawn)
{
    memset(t->sum, 0, t->width * sizeof *t->sum);
    for (uint64_t row = 0; row < t->plan->rows; row++) {
        const double weight = drawn ? drawn[row] : 1.0, *term = t->row + row * t->width;
        for (uint32_t k = 0; k < t->width && weight > 0.0; k++)
            t->sum[k] += weight * term[k];
    }
}

static void resample(const terms *t, uint32_t response)
{
    const uint64_t seed = t->all->problem->seed, rows = t->plan->rows;
    for (uint32_t s = 0; s < t->plan->resamples; s++) {
        const uint64_t stream = (UINT64_C(1) << 62) + (uint64_t)response * t->plan->resamples + s;
        memset(t->drawn, 0, rows * sizeof *t->drawn);
        for (uint64_t k = 0; k < rows; k++)
            t->drawn[tn_random_below(seed, stream, k, rows)]++;
        add_rows(t, t->drawn);
        find_indices(t, t->sum, t->estimate + (size_t)s * indices_of(t));
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The interval of an index: quantiles of its estimates that are numbers. */
static void interval(const terms *t, uint32_t index, double *sorted, double *low, double *high)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < t->plan->resamples; s++) {
        const double value = t->estimate[(size_t)s * indices_of(t) + index];
        if (isfinite(value)) sorted[count++] = value;
    }
    *low = *high = (double)NAN;
    if (count < t->plan->resamples / 2) return;
    qsort(sorted, count, sizeof *sorted, compare);
    *low = sorted[(uint32_t)(0.025 * (count - 1))];
    *high = sorted[(uint32_t)ceil(0.975 * (count - 1))];
}

/* One that no row has all cases for is named instead. */
static tn_status add_index(const terms *t, tn_design_answers *answers, const tn_answer *answer)
{
    if (isfinite(answer->value)) return answers->add(answers, answer);
    const tn_design_variable *variable = t->all->problem->variable;
    return tn_answer_say(
        answers, TN_WARNING, "\"%s\": no row has all cases for the index \"%s\" of \"%s\"%s%s%s",
        t->all->problem->response[answer->response].name, answer->name, variable[answer->variable].name,
        answer->other < 0 ? "" : " and \"", answer->other < 0 ? "" : variable[answer->other].name,
        answer->other < 0 ? "" : "\"");
}

static tn_status answer_pairs(const terms *t, tn_design_answers *answers, uint32_t response,
                              const double *index, double *sorted)
{
    tn_status status = TN_OK;
    for (uint32_t i = 0, pair = 0; i < t->variables && t->pairs; i++)
        for (uint32_t j = i + 1; j < t->variables && status == TN_OK; j++, pair++) {
            const uint32_t place = 2 * t->variables + pair;
            tn_answer answer = tn_answer_about("second order", response, i, index[place], "");
            interval(t, place, sorted, &answer.low, &answer.high);
            answer.other = (int32_t)j;
            status = add_index(t, answers, &answer);
        }
    return status;
}

static tn_status answer_response(const terms *t, tn_design_answers *answers, uint32_t response, double *index,
                                 double *sorted)
{
    const tn_design_response *of = &t->all->problem->response[response];
    find_means(t, of);
    for (uint64_t row = 0; row < t->plan->rows; row++)
        find_row(t, of, row, t->row + row * t->width);
    add_rows(t, NULL);
    if (t->sum[VALUES] == 0.0) return TN_OK; /* which the number of failed cases says */
    double size = 0.0;
    for (uint32_t k = 0; k < of->size; k++)
        size += t->mean[k] * t->mean[k];
    if (!(t->sum[SQUARES] > 1e-24 * size * t->sum[VALUES]))
        return tn_answer_say(answers, TN_WARNING, "\"%s\" is the same in all cases: it has no indices",
                             of->name);
    find_indices(t, t->sum, index);
    resample(t, response);
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < 2 * t->variables && status == TN_OK; k++) {
        tn_answer answer = tn_answer_about(k < t->variables ? "first order" : "total effect", response,
                                           k % t->variables, index[k], "");
        interval(t, k, sorted, &answer.low, &answer.high);
        status = add_index(t, answers, &answer);
    }
    return status == TN_OK ? answer_pairs(t, answers, response, index, sorted) : status;
}

static tn_status say_left_out(const sample *all, const terms *t, tn_design_answers *answers)
{
    const uint64_t size = saltelli_size(t->plan, t->variables);
    uint64_t failed = 0, rows = 0;
    for (uint64_t row = 0; row < t->plan->rows; row++) {
        uint64_t lost = 0;
        for (uint64_t place = 0; place < size; place++)
            lost += !all->done[row * size + place];
        failed += lost;
        rows += lost > 0;
    }
    if (!failed) return TN_OK;
    return tn_answer_say(
        answers, TN_WARNING,
        "%llu of %llu cases have no result: they are left out, with those that they would be "
        "compared with, in %llu of %llu rows; indices are those of the other rows",
        (unsigned long long)failed, (unsigned long long)all->count, (unsigned long long)rows,
        (unsigned long long)t->plan->rows);
}

tn_status tn_saltelli_answer(const void *self, tn_design_answers *answers)
{
    const sample *all = self;
    const tn_design_problem *problem = all->problem;
    if (!all->done) return TN_OK;
    terms t = {.all = all, .plan = all->data, .variables = problem->variables};
    t.pairs = t.plan->second_order ? t.variables * (t.variables - 1) / 2 : 0;
    t.width = FIXED + 4 * t.variables + 2 * t.pairs;
    const uint64_t real = sizeof(double), resamples = t.plan->resamples;
    t.row = tn_sample_memory(all->host, t.plan->rows, t.width * real);
    t.mean = tn_sample_memory(all->host, problem->numbers, real);
    t.drawn = tn_sample_memory(all->host, t.plan->rows, sizeof *t.drawn);
    t.estimate = tn_sample_memory(all->host, resamples, indices_of(&t) * real);
    t.sum = tn_sample_memory(all->host, t.width, real);
    double *index = tn_sample_memory(all->host, indices_of(&t), real);
    double *sorted = tn_sample_memory(all->host, resamples, real);
    if (!t.row || !t.mean || !t.drawn || !t.estimate || !t.sum || !index || !sorted) return TN_OUT_OF_MEMORY;
    tn_status status = say_left_out(all, &t, answers);
    for (uint32_t r = 0; r < problem->responses && status == TN_OK; r++)
        status = answer_response(&t, answers, r, index, sorted);
    return status;
}
