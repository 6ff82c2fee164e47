/* tenon/draft/append.h - "tenon.append/1" of writers: a table that was interrupted at any moment, even by a loss of power, is continued from
 * its place at a checkpoint, with the same result as without interruption. */
#ifndef TENON_DRAFT_APPEND_H
#define TENON_DRAFT_APPEND_H

#include "tenon/writer.h"

#define TN_APPEND_KEY "tenon.append/1"

/* The place of a table at a checkpoint: numbers of the writer's choice, such as the length of the file and a checksum of it. */
typedef struct tn_table_place {
    uint64_t number[4];
} tn_table_place;

/* The arguments of open(), and the place from which the table is continued. */
typedef struct tn_reopened_table {
    uint32_t struct_size, reserved;
    const char *directory, *name;
    const tn_column *columns; /* [column_count], which live until close() */
    size_t column_count;
    const tn_table_place *place;
} tn_reopened_table;

typedef struct tn_append_capability {
    uint32_t struct_size, reserved;
    /* [setup] Writes all rows so far to the disk (fsync), and returns the place. TN_FATAL, as of row(): a part of the table may be
     * missing. */
    tn_status (*place)(void *self, tn_table_place *place);
    /* [setup] As open(), for an existing table, which may have further rows after the place. It changes nothing yet. TN_INVALID, with the
     * reason by tn_refuse(), where the table up to the place has changed. */
    tn_status (*reopen)(const tn_host *host, const void *instance, const tn_reopened_table *table,
                        void **self);
    /* [setup] Once, after reopen(): removes everything after the place; then rows follow. */
    tn_status (*cut)(void *self);
    /* Writes the rows that row() has buffered. The process has crashed and ends afterwards: this is called in a signal handler, on any
     * thread, perhaps during row(), whose row is then left out. It takes no lock, allocates nothing, and calls only functions that are
     * allowed in signal handlers, such as write(). A row() that another thread begins meanwhile does not return. NULL: row() buffers
     * nothing. */
    void (*flush)(void *self);
} tn_append_capability;

TN_STATIC_ASSERT(sizeof(tn_table_place) == 32, "tn_table_place is frozen");

#endif
