/* freedom.c - reports the redundant constraints of a model, where its run starts */
#define _GNU_SOURCE
#include "analysis/redundancy.h"

#include "base/text.h"
#include "config/printed_text.h"

#include <stdio.h>

enum { MOST_SETS = 6, MOST_NAMES = 12 };

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

void tn_freedom_note(const tn_assembly *assembly, const tn_rank *rank)
{
    tn_text_file stream;
    if (!rank->redundant) return;
    tn_text_file_open(&stream);
    for (uint32_t set = 0; set < rank->set_count && set < MOST_SETS; set++) {
        if (set) (void)fputs("; ", stream.file);
        tn_dependent_set_print(stream.file, assembly, rank, set, MOST_NAMES);
    }
    if (rank->set_count > MOST_SETS)
        (void)fprintf(stream.file, "; and %u more sets (`tenon check` lists all)",
                      rank->set_count - MOST_SETS);
    char *text = tn_text_file_close(&stream);
    tn_model_tell(assembly->model, TN_SEVERITY_NOTE, (tn_place){0},
                  "%u redundant constraint%s; their reactions are shared among dependent rows: %s",
                  rank->redundant, rank->redundant == 1 ? "" : "s", text);
    tn_free(text);
}
