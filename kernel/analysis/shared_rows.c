/* shared_rows.c - rows of constraints that never change, and are the same for all instances, stand there once
 *
 * Two points that coincide have rows of zeros and ones, whoever they are. Of the others the memory goes back to the system. Where
 * rows are found again, behind a change, each instance has its own once more. */
#define _GNU_SOURCE
#include "analysis/analysis.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 1 << 16 }; /* no system has larger ones by default */

static void give_back(double *numbers, size_t count)
{
    const uintptr_t first = ((uintptr_t)numbers + PAGE - 1) / PAGE * PAGE,
                    end = (uintptr_t)(numbers + count) / PAGE * PAGE;
    if (end > first) (void)madvise((void *)first, end - first, MADV_DONTNEED); /* advice: it may be refused */
}

static void share_rows(tn_group *group)
{
    const size_t size = group->row_stride, count = group->batch.count;
    if (!group->rows_known || !size || count < 2) return;
    for (size_t i = 1; i < count; i++)
        if (memcmp(group->row, group->row + i * size, size * sizeof *group->row) != 0) return;
    give_back(group->row + size, (count - 1) * size);
    group->row_stride = 0;
}

void tn_rows_share(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        share_rows(&assembly->group[k]);
}
