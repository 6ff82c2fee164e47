/* impulses.c - calls the constraint solver, and distributes the impulses */
#include "moreau.h"

#include "tenon/kit/growing.h"

enum { CONTACT_ROWS = 3 };

double *tn_moreau_row_numbers(moreau_work *work)
{
    const size_t count = work->main.table.rows + (size_t)1;
    const bool good = tn_grow_array(&work->row_residual, &work->residual_room, count, sizeof(double));
    return good ? work->row_residual : NULL;
}

const char *tn_moreau_worst_name(const moreau_work *work)
{
    const tn_impulse_problem *p = &work->main.table;
    const uint32_t worst = work->outcome.worst;
    return worst < p->blocks ? work->o->owner_name(work->system, p->block[worst].owner) : "?";
}

tn_status tn_moreau_solve(moreau_work *work, moreau_problem *problem)
{
    tn_impulse_totals *totals = work->chosen->totals ? work->chosen->totals : &work->none;
    work->outcome = (tn_impulse_outcome){.struct_size = sizeof work->outcome};
    if (!problem->table.rows) return TN_OK;
    const tn_status status = work->chosen->type->solve(problem->self, &problem->table, &work->outcome);
    work->begins_step = false;
    problem->matrix_taken = status == TN_OK || status == TN_RETRY ? work->matrices : 0;
    totals->problems++;
    totals->iterations += work->outcome.iterations;
    totals->fallbacks += work->outcome.fallbacks;
    return status;
}

/* Stores impulses as mean multipliers of rows, and as impulses of points. */
tn_status tn_moreau_settle(moreau_work *work)
{
    tn_system *system = work->system;
    const tn_impulse_problem *p = &work->main.table;
    const size_t count = work->contacts ? CONTACT_ROWS * (size_t)work->contacts->count : 0;
    if (!tn_grow_array(&work->contact_impulse, &work->contact_room, count + 1,
                       sizeof *work->contact_impulse) ||
        !tn_grow_array(&work->mean_rate, &work->mean_room, count / CONTACT_ROWS + 1, sizeof *work->mean_rate))
        return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < count / CONTACT_ROWS; k++)
        work->mean_rate[k] = (double)NAN;
    memset(work->contact_impulse, 0, count * sizeof *work->contact_impulse);
    memset(system->lambda, 0, system->rows * sizeof *system->lambda);
    for (uint32_t r = 0; r < p->rows; r++)
        if (work->main.source[r] < system->rows)
            system->lambda[work->main.source[r]] =
                (p->impulse[r] + work->kick[work->main.source[r]]) / work->h;
        else {
            const uint32_t row = work->main.source[r] - system->rows;
            work->contact_impulse[row] = p->impulse[r];
            if (row % CONTACT_ROWS == 0) work->mean_rate[row / CONTACT_ROWS] = work->main.mean[r];
        }
    return TN_OK;
}
