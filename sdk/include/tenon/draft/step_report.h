/* tenon/draft/step_report.h - "tenon.step_report/2" of tn_system: what a solver says of its steps, for the statistics of the run and for the
 * causes of a failure. It steers nothing. kit/step_report.h calls it, and does nothing where it is not offered. */
#ifndef TENON_DRAFT_STEP_REPORT_H
#define TENON_DRAFT_STEP_REPORT_H

#include "tenon/solver.h"

/* Why a step was not accepted as it was tried. */
enum tn_rejection {
    TN_REJECTED_ERROR = 0,     /* its error is larger than the tolerances allow */
    TN_REJECTED_ITERATION = 1, /* its iteration did not converge, or a matrix had no solution */
    TN_REJECTED_DOMAIN =
        2, /* an evaluation in it answered TN_RETRY: a law, or the constraints, have no value there */
    TN_REJECTED_EVENT = 3, /* it was shortened, to end where an event, an impact or a switching law is */
    TN_REJECTIONS = 4
};

#define TN_STEP_REPORT_KEY "tenon.step_report/2"
typedef struct tn_step_report {
    uint32_t struct_size, reserved;
    /* [hot] The coordinate of v, about, that number i of q belongs to: of the same element in any case. */
    uint32_t (*velocity_of)(tn_system *system, uint32_t i);
    /* [hot] Counts a rejected step by its reason, a tn_rejection. The solver counts statistics->rejected_steps itself. */
    void (*rejected)(tn_system *system, uint32_t reason);
    /* [hot] The length of a step, accepted or rejected, was decided by this component of the estimated error, or of the correction by
     * Newton's method: that with the largest share. A coordinate of v, or nv + i for number i of x. */
    void (*governed)(tn_system *system, uint32_t coordinate);
} tn_step_report;

#endif
