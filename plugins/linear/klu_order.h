/* klu_order.h - which of two orders gives the shorter factors (see elimination_order.h) */
#ifndef TENON_KLU_ORDER_H
#define TENON_KLU_ORDER_H

#include "elimination_order.h"

#include <suitesparse/klu.h>

/* Writes the order with the shorter factors of entries of these magnitudes: an own one, or the announced one; and what is
 * expected of it. */
static inline tn_status order_choose(const used_pattern *p, int32_t size, const double *size_of,
                                     const klu_symbolic *announced, klu_common *common, int32_t *order,
                                     order_expectation *expected)
{
    *expected = (order_expectation){0};
    memcpy(order, announced->Q, (size_t)size * sizeof *order);
    klu_symbolic *found = klu_analyze(size, p->start, p->row, common);
    if (!found) return common->status == KLU_OUT_OF_MEMORY ? TN_OUT_OF_MEMORY : TN_OK;
    order_count count = {0};
    const bool made = order_count_make(&count, p, size);
    if (made) {
        order_count_fill(&count, p, size_of);
        order_put_behind(&count, found->Q);
        const int64_t of_own = order_fill(&count, found->Q);
        order_expect(&count, of_own, expected);
        order_put_behind(&count, order);
        const int64_t of_announced = order_fill(&count, order);
        expected->own = of_own < of_announced && (size <= ORDER_MOST_WITH_WEAK || !count.has_weak);
        if (expected->own)
            memcpy(order, found->Q, (size_t)size * sizeof *order);
        else
            order_expect(&count, order_fill(&count, order), expected);
    }
    order_count_free(&count);
    (void)klu_free_symbolic(&found, common);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

#endif
