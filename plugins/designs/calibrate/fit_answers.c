/* fit_answers.c - how well data determine the variables: covariance, correlations, and combinations that they leave open */
#include "calibrate.h"

/* A combination whose standard deviation is a larger share of the ranges is open, and one below that share of the largest singular value,
 * which differences of cases do not resolve. */
#define OPEN_DEVIATION 0.3
#define RESOLVED 1e-7
/* Correlations from here on are pointed out. */
#define CLOSE_CORRELATION 0.95
#define NORMAL_QUANTILE 1.959963984540054 /* standard deviations of an interval of 95 % */

typedef struct judgement {
    const calibration *all;
    const fit *best;
    double scale;     /* of the variances of the data */
    double quantile;  /* standard deviations of an interval */
    double *variance; /* [frees][frees] */
} judgement;

/* Probability that a number of Student's distribution lies between -t and t: Abramowitz, Stegun: Handbook of Mathematical Functions,
 * 26.7.3 and 26.7.4. */
static double student_probability(double t, uint64_t freedoms)
{
    const double angle = atan(t / sqrt((double)freedoms)), c = cos(angle);
    const bool odd = freedoms % 2;
    double term = odd ? c : 1.0, sum = freedoms > 1 ? term : 0.0;
    for (uint64_t k = odd ? 3 : 2; k + 2 <= freedoms; k += 2) {
        term *= (double)(k - 1) / (double)k * c * c;
        sum += term;
    }
    return odd ? (angle + sin(angle) * sum) * 2.0 / 3.14159265358979323846 : sin(angle) * sum;
}

/* Standard deviations of an interval of 95 % where the deviation itself is estimated from the differences. */
static double student_quantile(uint64_t freedoms)
{
    const double z = NORMAL_QUANTILE;
    if (freedoms > 1000) return z + (z * z * z + z) / (4.0 * (double)freedoms);
    double low = 0.0, high = 13.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        *(student_probability(middle, freedoms) < 0.95 ? &low : &high) = middle;
    }
    return low;
}

static bool is_resolved(const fit *best, uint32_t j)
{
    return best->singular[j] > RESOLVED * best->singular[0];
}

static double deviation_of(const judgement *judged, uint32_t j)
{
    return is_resolved(judged->best, j) ? sqrt(judged->scale) / judged->best->singular[j] : HUGE_VAL;
}

static bool is_open(const judgement *judged, uint32_t j) { return deviation_of(judged, j) > OPEN_DEVIATION; }

/* V S^-2 V^T; a direction that is not resolved makes those variables infinite that are part of it. */
static void find_variance(const judgement *judged)
{
    const fit *best = judged->best;
    const size_t n = best->frees;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (uint32_t j = 0; j < n; j++) {
                const double va = best->axis[j * n + a], vb = best->axis[j * n + b], s = best->singular[j];
                double *entry = &judged->variance[a * n + b];
                if (is_resolved(best, j))
                    *entry += judged->scale * va * vb / (s * s);
                else if (fabs(va) > 1e-3 && fabs(vb) > 1e-3)
                    *entry = HUGE_VAL;
            }
}

static double variance_of(const judgement *judged, size_t a, size_t b)
{
    return judged->variance[a * judged->best->frees + b];
}

static tn_status answer_variables(const judgement *judged, tn_design_answers *answers)
{
    const fit *best = judged->best;
    const tn_search *search = &judged->all->search;
    tn_status status = TN_OK;
    for (uint32_t i = 0, a = 0; i < search->problem->variables && status == TN_OK; i++) {
        tn_answer value = tn_answer_coordinate("calibrated", i, best->x[i]);
        value.point = (int64_t)best->case_number;
        const bool is_free = a < best->frees && best->free[a] == i;
        const double deviation = is_free ? sqrt(variance_of(judged, a, a)) : (double)NAN;
        if (is_free) {
            value.low = fmax(best->x[i] - judged->quantile * deviation, search->low[i]);
            value.high = fmin(best->x[i] + judged->quantile * deviation, search->high[i]);
            a++;
        }
        status = answers->add(answers, &value);
        const tn_answer spread =
            tn_answer_about("standard deviation (share of the range)", -1, i, deviation, "");
        if (is_free && isfinite(deviation) && status == TN_OK) status = answers->add(answers, &spread);
        if (!is_free && status == TN_OK)
            status = tn_answer_say(
                answers, TN_WARNING,
                "\"%s\" is at an end of its range, beyond which the fit would be better: it has no "
                "interval",
                search->problem->variable[i].name);
    }
    return status;
}

static tn_status answer_pair(const judgement *judged, uint32_t a, uint32_t b, tn_design_answers *answers)
{
    const fit *best = judged->best;
    const tn_design_variable *variable = judged->all->search.problem->variable;
    const double covariance = variance_of(judged, a, b);
    if (!isfinite(covariance)) return TN_OK;
    tn_answer answer =
        tn_answer_about("covariance (shares of the ranges)", -1, best->free[a], covariance, "");
    answer.other = (int32_t)best->free[b];
    tn_status status = answers->add(answers, &answer);
    const double correlation = covariance / sqrt(variance_of(judged, a, a) * variance_of(judged, b, b));
    if (a == b || !isfinite(correlation) || status != TN_OK) return status;
    answer.name = "correlation";
    answer.value = correlation;
    status = answers->add(answers, &answer);
    if (status != TN_OK || fabs(correlation) < CLOSE_CORRELATION) return status;
    return tn_answer_say(answers, TN_NOTE,
                         "\"%s\" and \"%s\" have a correlation of %.3f: the data determine one by the other",
                         variable[best->free[a]].name, variable[best->free[b]].name, correlation);
}

/* "0.71 k - 0.71 c" */
static void write_combination(const judgement *judged, uint32_t j, char *text, size_t size)
{
    const fit *best = judged->best;
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < best->frees; i++) {
        const double share = best->axis[(size_t)j * best->frees + i];
        if (fabs(share) < 0.1 || length + 8 > size) continue;
        const char *sign = length ? (share < 0.0 ? " - " : " + ") : (share < 0.0 ? "-" : "");
        length += tn_print_cut(text + length, size - length, "%s%.2f %s", sign, fabs(share),
                               judged->all->search.problem->variable[best->free[i]].name);
    }
}

static tn_status say_open(const judgement *judged, tn_design_answers *answers)
{
    tn_status status = TN_OK;
    for (uint32_t j = 0; j < judged->best->frees && status == TN_OK; j++) {
        if (!is_open(judged, j)) continue;
        char combination[256];
        write_combination(judged, j, combination, sizeof combination);
        const double deviation = deviation_of(judged, j);
        status = isfinite(deviation)
                     ? tn_answer_say(
                           answers, TN_WARNING,
                           "the data hardly determine %s, in shares of the ranges: its standard deviation is "
                           "%.2g of them",
                           combination, deviation)
                     : tn_answer_say(
                           answers, TN_WARNING,
                           "the data do not determine %s, in shares of the ranges: no response changes with "
                           "it",
                           combination);
    }
    return status;
}

static tn_status answer_misfit(const judgement *judged, tn_design_answers *answers)
{
    const calibration *all = judged->all;
    const tn_design_problem *problem = all->search.problem;
    const double free_numbers = (double)all->data - judged->best->frees;
    tn_answer misfit = tn_answer_about("sum of squares", -1, -1, judged->best->value, "");
    misfit.point = (int64_t)judged->best->case_number;
    tn_status status = answers->add(answers, &misfit);
    for (uint32_t r = 0, k = 0; r < problem->responses && status == TN_OK; r++) {
        const tn_design_response *response = &problem->response[r];
        if (!response->is_data) continue;
        double sum = 0.0;
        for (uint32_t i = 0; i < response->size; i++, k++)
            sum += judged->best->residual[k] * judged->best->residual[k];
        const tn_answer root = tn_answer_about("root mean square difference (standard deviations)", r, -1,
                                               sqrt(sum / response->size), "");
        status = answers->add(answers, &root);
    }
    if (status != TN_OK) return status;
    if (free_numbers <= 0.0)
        return all->from_misfit
                   ? tn_answer_say(answers, TN_WARNING,
                                   "there are as many data as variables: differences say nothing of "
                                   "the noise, and intervals are those of the given deviations")
                   : TN_OK;
    return tn_answer_say(answers, TN_NOTE, "differences are %.3g times the standard deviations of the data%s",
                         sqrt(judged->best->value / free_numbers),
                         all->from_misfit ? ", by which intervals are scaled"
                                          : "; intervals are those of the data alone");
}

static tn_status judge(judgement *judged, tn_design_answers *answers)
{
    const calibration *all = judged->all;
    const fit *best = judged->best;
    const double free_numbers = (double)all->data - best->frees;
    const bool estimates = all->from_misfit && free_numbers > 0.0;
    judged->scale = estimates ? best->value / free_numbers : 1.0;
    judged->quantile = estimates ? student_quantile((uint64_t)free_numbers) : NORMAL_QUANTILE;
    judged->variance =
        tn_search_memory(&all->search, (uint64_t)best->frees * best->frees, sizeof *judged->variance);
    if (!judged->variance) return TN_OUT_OF_MEMORY;
    find_variance(judged);
    tn_status status = answer_variables(judged, answers);
    if (!best->current && status == TN_OK)
        status =
            tn_answer_say(answers, TN_WARNING,
                          "derivatives are those of the step before the best case, as the start has ended "
                          "there: intervals and correlations are estimates");
    for (uint32_t a = 0; a < best->frees; a++)
        for (uint32_t b = a; b < best->frees && status == TN_OK; b++)
            status = answer_pair(judged, a, b, answers);
    if (status == TN_OK) status = say_open(judged, answers);
    return status == TN_OK ? answer_misfit(judged, answers) : status;
}

tn_status tn_calibrate_answer(const void *self, tn_design_answers *answers)
{
    const calibration *all = self;
    judgement judged = {.all = all};
    for (uint32_t k = 0; k < all->search.dialogue.speakers; k++) {
        const fit *one = &all->fit[k];
        if (one->known && (!judged.best || one->value < judged.best->value)) judged.best = one;
    }
    const tn_status status = tn_search_say_starts(&all->search, answers);
    if (status != TN_OK || !judged.best) return status;
    if (judged.best->judged) return judge(&judged, answers);
    return tn_answer_say(answers, TN_WARNING,
                         "the best start has ended before derivatives were known: nothing is calibrated");
}
