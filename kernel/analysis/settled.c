/* settled.c - memory that a model can do without once its motion has begun goes back to the system
 *
 * Rows of constraints that never change, and are the same for all instances, stand there once: two points that coincide have rows of
 * zeros and ones, whoever they are. Where rows are found again, behind a change, each instance has its own once more. What the start has
 * been solved for with lies idle until the model changes: then it gets its memory again, page by page. */
#define _GNU_SOURCE
#include "analysis/redundancy.h"
#include "system/constraints.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 1 << 16 }; /* no system has larger ones by default */

/* Numbers that nobody reads before writing them. */
static void give_back(double *numbers, size_t count)
{
    const uintptr_t first = ((uintptr_t)numbers + PAGE - 1) / PAGE * PAGE,
                    end = (uintptr_t)(numbers + count) / PAGE * PAGE;
    if (numbers && end > first) (void)madvise((void *)first, end - first, MADV_DONTNEED); /* advice */
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

void tn_memory_settle(tn_assembly *assembly)
{
    struct tn_constraint_memory *memory = assembly->constraints;
    for (size_t k = 0; k < assembly->group_count; k++)
        share_rows(&assembly->group[k]);
    if (!assembly->system.rows) return;
    for (int k = 0; k < 3; k++)
        give_back(memory->solution[k], (size_t)assembly->system.nv + assembly->system.rows);
    give_back(memory->marker_motion, assembly->twist_size);
}
