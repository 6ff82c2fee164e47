/* least_multipliers.c - solutions whose multipliers have the least norm, where rows depend on each other (system/row_analysis.h) */
#include "analysis/redundancy.h"
#include "system/constraints.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

tn_status tn_remove_null_part(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    double *part = assembly->constraints->solution[2], *part_rows = part + system->nv;
    memcpy(part_rows, system->lambda, system->rows * sizeof *part);
    /* what the first solution takes of other directions, a share of E, the second one leaves */
    for (int k = 0; k < 2; k++) {
        memset(part, 0, system->nv * sizeof *part);
        for (uint32_t r = 0; r < system->rows; r++)
            part_rows[r] *= assembly->equations.regularisation[r];
        const tn_status status = system->solve(system, part);
        if (status != TN_OK) return status;
    }
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] -= part_rows[r];
    return TN_OK;
}

/* The same E for all rows: then what stands against it is the Euclidean norm of the multipliers. */
void tn_level_regularisation(const struct tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    double largest = 0.0;
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        largest = fmax(largest, f->to->regularisation[r]);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t r = 0; r < group->rows * group->batch.count; r++) {
            const uint32_t node = group->first_node + r / group->rows, number = r % group->rows;
            double *own = &f->to->regularisation[group->row_start + r];
            if (!(*own > 0.0)) continue;
            *own = largest;
            f->to->matrix.value[assembly->fill->own_block[node] +
                                number * assembly->fill->column_length[node] + number] = largest;
        }
    }
}
