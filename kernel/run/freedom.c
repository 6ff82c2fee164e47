/* freedom.c - degrees of freedom and redundant constraints of a study, where its run starts */
#define _GNU_SOURCE
#include "run/study.h"

#include "system/linear.h"
#include "system/project.h"
#include "system/redundancy.h"

#include <stdio.h>

enum { MOST_SETS = 6, MOST_NAMES = 12 };

/* Takes a constrained model to its start state with this linear solver. */
static bool find_start_state(tn_study *study, tn_linear_choice linear)
{
    tn_assembly *assembly = study->assembly;
    tn_linear_close(assembly);
    if (!linear.type) return false;
    tn_linear_open(assembly, linear.type, linear.instance);
    return tn_make_consistent(assembly, true) == TN_OK;
}

bool tn_study_check(tn_study *study, tn_rank *rank)
{
    static const tn_run nothing = {.struct_size = sizeof nothing};
    const tn_plan *plan = &study->plan;
    tn_assembly *assembly = study->assembly;
    *rank = (tn_rank){0};
    assembly->system.run = plan->solver_count ? &plan->solver[0].run : &nothing;
    if (assembly->system.rows && !find_start_state(study, tn_plan_any_linear(study->model, plan))) {
        tn_tell(study->diagnostics, TN_SEVERITY_ERROR, (tn_place){0}, "%s", assembly->reason);
        return false;
    }
    const tn_status status = tn_redundancy_find(assembly, true, rank);
    if (status != TN_OK)
        tn_tell(study->diagnostics, TN_SEVERITY_ERROR, (tn_place){0},
                "the rank of a closed loop with %u rows cannot be found: %s", rank->core_rows,
                tn_status_text(status));
    return status == TN_OK;
}

void tn_dependent_set_print(FILE *stream, const tn_assembly *assembly, const tn_rank *rank, uint32_t set,
                            uint32_t most)
{
    const uint32_t *row = rank->set_row + rank->set_start[set];
    const uint32_t count = rank->set_start[set + 1] - rank->set_start[set];
    for (uint32_t k = 0; k < count && k < most; k++) {
        uint32_t number = 0;
        const char *owner = tn_row_owner(assembly, row[k], &number);
        (void)fprintf(stream, "%s%s.row%u", k ? " " : "", owner, number);
    }
    if (count > most) (void)fprintf(stream, " ... and %u more", count - most);
}

void tn_freedom_note(const tn_study *study, const tn_rank *rank)
{
    tn_text_file stream;
    if (!rank->redundant) return;
    tn_text_file_open(&stream);
    for (uint32_t set = 0; set < rank->set_count && set < MOST_SETS; set++) {
        if (set) (void)fputs("; ", stream.file);
        tn_dependent_set_print(stream.file, study->assembly, rank, set, MOST_NAMES);
    }
    if (rank->set_count > MOST_SETS)
        (void)fprintf(stream.file, "; and %u sets more (tenon check lists all)", rank->set_count - MOST_SETS);
    char *text = tn_text_file_close(&stream);
    tn_tell(study->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
            "%u redundant constraint%s; what they carry is shared among dependent rows: %s", rank->redundant,
            rank->redundant == 1 ? "" : "s", text);
    tn_free(text);
}
