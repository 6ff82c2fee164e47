/* tenon/kit/step_report.h - for solvers that choose their steps: counts what they reject, and what decides (draft/step_report.h).
 *
 *     work->report = tn_step_report_of(system);                       may be NULL, which all others accept
 *     tn_step_rejected(work->report, system, TN_REJECTED_ERROR);      counts statistics->rejected_steps, too
 *     tn_step_governed_by_q(work->report, system, i);                 by the error of q[i]; ..._by_v, ..._by_x
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_STEP_REPORT_H
#define TENON_KIT_STEP_REPORT_H

#include "tenon/draft/step_report.h"

static inline const tn_step_report *tn_step_report_of(tn_system *system)
{
    return system->extension ? (const tn_step_report *)system->extension(system, TN_STEP_REPORT_KEY) : NULL;
}

/* A step that is tried again, shorter. One that is shortened for an event is no rejected step, and only counted as what it is. */
static inline void tn_step_rejected(const tn_step_report *report, tn_system *system, uint32_t reason)
{
    if (reason != TN_REJECTED_EVENT) system->statistics->rejected_steps++;
    if (report) report->rejected(system, reason);
}

static inline void tn_step_governed_by_v(const tn_step_report *report, tn_system *system, uint32_t i)
{
    if (report && i < system->nv) report->governed(system, i);
}

static inline void tn_step_governed_by_q(const tn_step_report *report, tn_system *system, uint32_t i)
{
    if (report && i < system->nq) report->governed(system, report->velocity_of(system, i));
}

static inline void tn_step_governed_by_x(const tn_step_report *report, tn_system *system, uint32_t i)
{
    if (report && i < system->nx) report->governed(system, system->nv + i);
}

/* Of a solver that works with y = (q, v, x). */
static inline void tn_step_governed_by_y(const tn_step_report *report, tn_system *system, uint32_t i)
{
    const uint32_t nq = system->nq, nv = system->nv;
    if (i < nq)
        tn_step_governed_by_q(report, system, i);
    else if (i < nq + nv)
        tn_step_governed_by_v(report, system, i - nq);
    else
        tn_step_governed_by_x(report, system, i - nq - nv);
}

#endif
