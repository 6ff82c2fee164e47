/* tenon/draft/append.h - "tenon.append/1" of writers: a table that was ended at any moment, by a loss of power even, goes on from
 * where it stood at a checkpoint, as if nothing had happened. */
#ifndef TENON_DRAFT_APPEND_H
#define TENON_DRAFT_APPEND_H

#include "tenon/writer.h"

#define TN_APPEND_KEY "tenon.append/1"

/* Where a table stands: numbers as the writer likes, say the length of the file so far and a sum of what is in it. */
typedef struct tn_table_place {
    uint64_t number[4];
} tn_table_place;

/* What open() has been told of the table, and where it is to go on. */
typedef struct tn_reopened_table {
    uint32_t struct_size, reserved;
    const char *directory, *name;
    const tn_column *columns; /* [column_count], which live until close() */
    size_t column_count;
    const tn_table_place *place;
} tn_reopened_table;

typedef struct tn_append_capability {
    uint32_t struct_size, reserved;
    /* [setup] Where the table stands: all rows so far are on the disk (fsync) when this returns. TN_FATAL, as of row(): a part of
     * the table may be missing. */
    tn_status (*place)(void *self, tn_table_place *place);
    /* [setup] As open(), of a table that is there, and may have any rows behind the place. It changes nothing yet: TN_INVALID, with
     * the reason by tn_refuse(), where what stands up to the place is not what stood there. */
    tn_status (*reopen)(const tn_host *host, const void *instance, const tn_reopened_table *table,
                        void **self);
    /* [setup] After reopen(), once: removes what stands behind the place, where rows follow then. */
    tn_status (*cut)(void *self);
    /* Rows that row() has taken and not yet handed to the system are written. The process crashes, and ends when this returns: it is
     * called within a signal handler, by any thread, perhaps in the middle of row(), whose row is left out then. It takes no lock and no
     * memory, and calls nothing but what a signal handler may call, such as write(). A row() that another thread begins
     * meanwhile does not return. NULL: row() keeps nothing back. */
    void (*flush)(void *self);
} tn_append_capability;

TN_STATIC_ASSERT(sizeof(tn_table_place) == 32, "tn_table_place is frozen");

#endif
