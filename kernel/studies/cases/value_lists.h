/* value_lists.h - variables with a list of values: any values of TOML, or a column of a table. */
#ifndef TN_VALUE_LISTS_H
#define TN_VALUE_LISTS_H

#include "cases/cases.h"

/* Reads `values`, or `table` where `is_table`; problems go to the diagnostics. */
void tn_case_read_levels(tn_cases *cases, tn_case_variable *variable, const tn_toml *node, bool is_table);

/* Columns of a text file with a line of headings, by their names: numbers in memory of the arena; NULL for name `optional`, which
 * need not be there. False after reporting at the node. */
bool tn_case_read_columns(tn_cases *cases, const tn_toml *node, const char *path, const char *const *name,
                          size_t count, double **value, size_t *rows);

#endif
