/* tenon/kit/quadratures.h - for multistep solvers: quadratures beside the motion.
 *
 * A multistep method whose step and order follow from other entries is no longer stable for quadratures, and where it integrates them
 * they change the last bits of the motion. They are integrals of rates that are known at all accepted states: of the polynomial through
 * the rates at the last ones and the new one (Newton's form), each entry with as many of them as make the terms smaller.
 *
 *     if (!tn_quadratures_make(&quadratures, system)) return TN_OUT_OF_MEMORY;
 *     tn_quadratures_restart(&quadratures, rate);        at the start, behind an event or a change; rates [quadratures] are those there
 *     ... a step; rates at its end ...
 *     tn_quadratures_integrate(&quadratures, rate);      writes the last entries of x
 *     tn_quadratures_accept(&quadratures, rate);         or tn_quadratures_withdraw(&quadratures)
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_QUADRATURES_H
#define TENON_KIT_QUADRATURES_H

#include "tenon/draft/stepping.h"

#include <string.h>

enum {
    TN_QUADRATURE_RATES = 12,                      /* at accepted states, that integrals are found from */
    TN_QUADRATURE_POINTS = TN_QUADRATURE_RATES / 2 /* exact for all products of up to 11 factors */
};

/* Of Gauss and Legendre, on (0, 1). */
static const double tn_quadrature_point[TN_QUADRATURE_POINTS] = {0.033765242898423987, 0.16939530676686774,
                                                                 0.38069040695840156,  0.61930959304159844,
                                                                 0.83060469323313226,  0.96623475710157601};
static const double tn_quadrature_weight[TN_QUADRATURE_POINTS] = {0.085662246189585178, 0.18038078652406931,
                                                                  0.23395696728634552,  0.23395696728634552,
                                                                  0.18038078652406931,  0.085662246189585178};

typedef struct tn_quadratures {
    const tn_system *system;
    size_t entries; /* 0: there are none, and all of it does nothing */
    uint32_t count; /* of the rates known, at accepted states, the last one first */
    double time[TN_QUADRATURE_RATES], *rate[TN_QUADRATURE_RATES];
    double *value; /* at the last of them */
} tn_quadratures;

static inline bool tn_quadratures_make(tn_quadratures *quadratures, const tn_system *system)
{
    const tn_host *host = system->host;
    *quadratures = (tn_quadratures){.system = system, .entries = system->quadratures};
    if (!quadratures->entries) return true;
    quadratures->value = host->allocate(host, quadratures->entries * sizeof(double));
    for (uint32_t k = 0; k < TN_QUADRATURE_RATES; k++) {
        quadratures->rate[k] = host->allocate(host, quadratures->entries * sizeof(double));
        if (!quadratures->rate[k]) return false;
        memset(quadratures->rate[k], 0, quadratures->entries * sizeof(double));
    }
    return quadratures->value != NULL;
}

/* What it knows between two steps (tn_stepping_capability). */
static inline void tn_quadratures_state(tn_quadratures *quadratures, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, quadratures->count);
    TN_VISIT(visitor, quadratures->time);
    for (uint32_t k = 0; quadratures->entries && k < TN_QUADRATURE_RATES; k++)
        tn_visit_numbers(visitor, quadratures->rate[k], quadratures->entries);
    if (quadratures->entries) tn_visit_numbers(visitor, quadratures->value, quadratures->entries);
}

static inline double *tn_quadratures_of(const tn_quadratures *quadratures)
{
    return quadratures->system->x + (quadratures->system->nx - quadratures->entries);
}

/* The state of the system is accepted, with these rates. */
static inline void tn_quadratures_accept(tn_quadratures *quadratures, const double *rate)
{
    if (!quadratures->entries) return;
    const size_t bytes = quadratures->entries * sizeof(double);
    double *oldest = quadratures->rate[TN_QUADRATURE_RATES - 1];
    memmove(quadratures->rate + 1, quadratures->rate, (TN_QUADRATURE_RATES - 1) * sizeof *quadratures->rate);
    memmove(quadratures->time + 1, quadratures->time, (TN_QUADRATURE_RATES - 1) * sizeof *quadratures->time);
    quadratures->rate[0] = oldest;
    quadratures->time[0] = quadratures->system->time;
    if (quadratures->count < TN_QUADRATURE_RATES) quadratures->count++;
    memcpy(quadratures->rate[0], rate, bytes);
    memcpy(quadratures->value, tn_quadratures_of(quadratures), bytes);
}

/* Rates of earlier states are void. */
static inline void tn_quadratures_restart(tn_quadratures *quadratures, const double *rate)
{
    quadratures->count = 0;
    tn_quadratures_accept(quadratures, rate);
}

/* The new state is not accepted: they are again those of the last one. */
static inline void tn_quadratures_withdraw(const tn_quadratures *quadratures)
{
    if (quadratures->entries)
        memcpy(tn_quadratures_of(quadratures), quadratures->value, quadratures->entries * sizeof(double));
}

/* Places of the rates, in steps from the last accepted state, the new one first; and the integrals over the step of the products
 * of the distances from the first of them. */
static inline void tn_quadrature_weights(const tn_quadratures *history, double h, double *place,
                                         double *weight)
{
    double product[TN_QUADRATURE_POINTS];
    place[0] = 1.0;
    for (uint32_t k = 0; k < history->count; k++)
        place[k + 1] = (history->time[k] - history->time[0]) / h;
    for (uint32_t i = 0; i < TN_QUADRATURE_POINTS; i++)
        product[i] = tn_quadrature_weight[i];
    for (uint32_t j = 0; j <= history->count; j++) {
        weight[j] = 0.0;
        for (uint32_t i = 0; i < TN_QUADRATURE_POINTS; i++) {
            weight[j] += product[i];
            product[i] *= tn_quadrature_point[i] - place[j];
        }
    }
}

/* The mean rate over the step; `difference` holds the rates, the new one first, and is used up. Terms that grow tell of a rate
 * that is not smooth, or of round-off; one may be zero by chance. */
static inline double tn_quadrature_mean(double *difference, uint32_t count, const double *place,
                                        const double *weight)
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

/* From the last accepted state to the one of the system, which has these rates. */
static inline void tn_quadratures_integrate(tn_quadratures *history, const double *rate)
{
    if (!history->entries) return;
    double place[TN_QUADRATURE_RATES + 1], weight[TN_QUADRATURE_RATES + 1],
        difference[TN_QUADRATURE_RATES + 1];
    const double h = history->system->time - history->time[0];
    tn_quadrature_weights(history, h, place, weight);
    double *x = tn_quadratures_of(history);
    for (size_t i = 0; i < history->entries; i++) {
        difference[0] = rate[i];
        for (uint32_t k = 0; k < history->count; k++)
            difference[k + 1] = history->rate[k][i];
        x[i] = history->value[i] + h * tn_quadrature_mean(difference, history->count + 1, place, weight);
    }
}

#endif
