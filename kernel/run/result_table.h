/* result_table.h - a table of results in all writers of a plan
 *
 * Every function is false where a writer has failed, which has been blamed then. */
#ifndef TN_RESULT_TABLE_H
#define TN_RESULT_TABLE_H

#include "run/plan.h"
#include "system/assembly.h"

typedef struct tn_result_table {
    tn_assembly *assembly;
    const tn_plan *plan;
    const char *name;
    void **self; /* [writers]; NULL for one that is not open */
    double *row; /* the next one, by the caller */
    const tn_column *column;
    size_t columns;
} tn_result_table;

/* Names and columns stay the caller's. With a `place` for each writer the table goes on behind those. */
bool tn_result_table_open(tn_result_table *table, tn_assembly *assembly, const tn_plan *plan,
                          const char *name, const tn_column *columns, size_t count,
                          const tn_table_place *place);
bool tn_result_table_write(const tn_result_table *table);
/* Where each writer is to go on: one place for each of them. */
bool tn_result_table_find_places(const tn_result_table *table, tn_table_place *place);
/* Cuts off what is behind the places that it was opened with. */
bool tn_result_table_cut(const tn_result_table *table);
/* After a crash: what writers have buffered. */
void tn_result_table_flush(const tn_result_table *table);
bool tn_result_table_close(tn_result_table *table);

#endif
