/* quadratures.c - quadratures beside multistep methods.
 *
 * A multistep method whose step and order follow from other entries is no longer stable for them: integrated beside a second
 * copy of the motion, quadratures and copy went astray where the motion took short steps at order 1 and the copy
 * kept its order. They are integrals of rates that are known at all accepted states: of the polynomial through the rates at
 * the last ones and the new one (Newton's form), each entry with as many of them as make the terms smaller. */
#include "gsl_ode.h"

#include <string.h>

enum { GAUSS_POINTS = GSL_ODE_RATES / 2 }; /* exact for all products of up to 11 factors */

/* Of Gauss and Legendre, on (0, 1). */
static const double gauss_point[GAUSS_POINTS] = {0.033765242898423987, 0.16939530676686774,
                                                 0.38069040695840156,  0.61930959304159844,
                                                 0.83060469323313226,  0.96623475710157601};
static const double gauss_weight[GAUSS_POINTS] = {0.085662246189585178, 0.18038078652406931,
                                                  0.23395696728634552,  0.23395696728634552,
                                                  0.18038078652406931,  0.085662246189585178};

tn_status tn_gsl_open_history(gsl_ode_work *work)
{
    gsl_ode_history *history = &work->history;
    *history = (gsl_ode_history){.entries = work->size - work->controlled};
    history->value = tn_gsl_array(work->system, history->entries);
    for (uint32_t k = 0; k < GSL_ODE_RATES; k++)
        if (!(history->rate[k] = tn_gsl_array(work->system, history->entries))) return TN_OUT_OF_MEMORY;
    return history->value ? TN_OK : TN_OUT_OF_MEMORY;
}

static double *entries_of(const gsl_ode_work *work)
{
    return work->system->x + (work->system->nx - work->history.entries);
}

/* The state of the system, whose slope is the current one, is accepted. */
static void remember(gsl_ode_work *work)
{
    gsl_ode_history *history = &work->history;
    const size_t bytes = history->entries * sizeof(double);
    double *oldest = history->rate[GSL_ODE_RATES - 1];
    memmove(history->rate + 1, history->rate, (GSL_ODE_RATES - 1) * sizeof *history->rate);
    memmove(history->time + 1, history->time, (GSL_ODE_RATES - 1) * sizeof *history->time);
    history->rate[0] = oldest;
    history->time[0] = work->system->time;
    if (history->count < GSL_ODE_RATES) history->count++;
    memcpy(history->rate[0], work->slope + work->controlled, bytes);
    memcpy(history->value, entries_of(work), bytes);
}

void tn_gsl_accept_quadratures(gsl_ode_work *work)
{
    if (work->history.entries) remember(work);
}

void tn_gsl_restart_quadratures(gsl_ode_work *work)
{
    work->history.count = 0;
    tn_gsl_accept_quadratures(work);
}

void tn_gsl_withdraw_quadratures(gsl_ode_work *work)
{
    const gsl_ode_history *history = &work->history;
    if (history->entries) memcpy(entries_of(work), history->value, history->entries * sizeof(double));
}

/* Places of the rates, in steps from the last accepted state, the new one first; and the integrals over the step of the products
 * of the distances from the first of them. */
static void find_weights(const gsl_ode_history *history, double h, double *place, double *weight)
{
    double product[GAUSS_POINTS];
    place[0] = 1.0;
    for (uint32_t k = 0; k < history->count; k++)
        place[k + 1] = (history->time[k] - history->time[0]) / h;
    for (uint32_t i = 0; i < GAUSS_POINTS; i++)
        product[i] = gauss_weight[i];
    for (uint32_t j = 0; j <= history->count; j++) {
        weight[j] = 0.0;
        for (uint32_t i = 0; i < GAUSS_POINTS; i++) {
            weight[j] += product[i];
            product[i] *= gauss_point[i] - place[j];
        }
    }
}

/* The mean rate over the step; `difference` holds the rates, the new one first, and is used up. Terms that grow tell of a rate
 * that is not smooth, or of round-off; one may be zero by chance. */
static double mean_rate(double *difference, uint32_t count, const double *place, const double *weight)
{
    double sum = weight[0] * difference[0], last = HUGE_VAL, before = HUGE_VAL;
    for (uint32_t j = 1; j < count; j++) {
        for (uint32_t i = 0; i + j < count; i++)
            difference[i] = (difference[i] - difference[i + 1]) / (place[i] - place[i + j]);
        const double term = weight[j] * difference[0], size = fabs(term);
        if (!(size <= fmax(last, before))) break;
        sum += term;
        before = last;
        last = size;
    }
    return sum;
}

void tn_gsl_integrate_quadratures(gsl_ode_work *work)
{
    gsl_ode_history *history = &work->history;
    if (!history->entries) return;
    double place[GSL_ODE_RATES + 1], weight[GSL_ODE_RATES + 1], difference[GSL_ODE_RATES + 1];
    const double h = work->system->time - history->time[0];
    find_weights(history, h, place, weight);
    double *x = entries_of(work);
    for (size_t i = 0; i < history->entries; i++) {
        difference[0] = work->slope[work->controlled + i];
        for (uint32_t k = 0; k < history->count; k++)
            difference[k + 1] = history->rate[k][i];
        x[i] = history->value[i] + h * mean_rate(difference, history->count + 1, place, weight);
    }
}
