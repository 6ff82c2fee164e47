/* redundancy.h - constraints whose rows depend on each other, and the multipliers that are shown of them.
 *
 * Called by whoever runs a model, where it starts, and by the system by way of the table of system/row_analysis.h. */
#ifndef TN_REDUNDANCY_H
#define TN_REDUNDANCY_H

#include "analysis/rank.h"
#include "system/assembly.h"

#include <stdio.h>

/* row_matrix.c: which rows of active constraints depend on each other, at the current state; `dense` as for tn_rank_find. */
tn_status tn_find_redundancy(tn_assembly *assembly, const tn_loaded_linear *dense, tn_rank *result);
/* [rows] 1: an equation of a constraint that is active. */
uint8_t *tn_active_rows(const tn_assembly *assembly, tn_arena *memory);
/* The name of the constraint that a row belongs to, and the row's number there, from 1. */
const char *tn_row_owner(const tn_assembly *assembly, uint32_t row, uint32_t *number);
/* redundancy.c: dependent rows at the current state; unless `thorough` closed loops of very many rows are left out
 * (TN_UNSUPPORTED). Free the result with tn_rank_free in any case. */
tn_status tn_redundancy_find(tn_assembly *assembly, bool thorough, tn_rank *rank);
/* What follows from that for solutions and results; the same found anew after a change of the model. */
void tn_redundancy_set(tn_assembly *assembly, tn_status status, const tn_rank *rank);
tn_status tn_redundancy_renew(tn_assembly *assembly);
/* The motion begins: memory that is idle from here on goes back to the system. settled.c */
void tn_memory_settle(tn_assembly *assembly);
/* freedom.c: "pin_0.row3 pin_1.row3 ... and 7 more", of which `most` by name; a note when there are redundant constraints. */
void tn_dependent_set_print(FILE *stream, const tn_assembly *assembly, const tn_rank *rank, uint32_t set,
                            uint32_t most);
void tn_freedom_note(const tn_assembly *assembly, const tn_rank *rank);
/* least_multipliers.c: for the table of system/row_analysis.h. */
tn_status tn_remove_null_part(tn_assembly *assembly);
void tn_level_regularisation(const struct tn_filling *fill);
/* minimum_norm.c: memory for the equations of multipliers of least norm; false without any. */
bool tn_least_norm_open(tn_assembly *assembly);
/* minimum_norm.c: the multipliers of least norm, [rows], that give the same forces as lambda; at the last evaluation. */
tn_status tn_minimum_norm(tn_assembly *assembly, double *eta);

#endif
