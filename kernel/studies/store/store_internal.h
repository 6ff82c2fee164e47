/* store_internal.h - what the files behind store.h share. */
#ifndef TN_STORE_INTERNAL_H
#define TN_STORE_INTERNAL_H

#include "store/store.h"

#include <sqlite3.h>

enum tn_store_statement {
    TN_SQL_FIND,
    TN_SQL_FIND_SUM,
    TN_SQL_RESULTS,
    TN_SQL_ADD,
    TN_SQL_ADD_VALUE,
    TN_SQL_PUT,
    TN_SQL_ADD_RESULT,
    TN_SQL_CLEAR_RESULTS,
    TN_SQL_ADD_FILE,
    TN_SQL_COPY,
    TN_SQL_COPY_RESULTS,
    TN_SQL_NOTE,
    TN_SQL_SET_NOTE,
    TN_SQL_PLACE,
    TN_SQL_SET_PLACE,
    TN_SQL_STATEMENTS
};

struct tn_store {
    sqlite3 *database;
    const tn_cases *cases; /* or NULL */
    const char *folder;
    sqlite3_stmt *statement[TN_SQL_STATEMENTS]; /* once they were used */
    bool remote, is_new;
    uint64_t failed; /* put, and not ok */
    char problem[TN_LONGEST_REASON];
    char *note;
};

/* False, with the reason of the database, or this one. */
bool tn_store_fail(tn_store *store, const char *what);
/* A statement, ready for its values; NULL after a problem. */
sqlite3_stmt *tn_store_prepare(tn_store *store, enum tn_store_statement which);
/* Does a statement that has no rows. */
bool tn_store_do(tn_store *store, sqlite3_stmt *statement);
bool tn_store_run(tn_store *store, const char *sql);
/* A statement that is used once, NULL after a problem; its end, where its last step has returned this: true for SQLITE_DONE. */
sqlite3_stmt *tn_store_ask(tn_store *store, const char *sql);
bool tn_store_end(tn_store *store, sqlite3_stmt *statement, int step);
/* Tables, and the view. database_tables.c */
bool tn_store_make(tn_store *store);
bool tn_store_make_view(tn_store *store);
/* Cases of another design make room for those of this one. */
bool tn_store_put_aside(tn_store *store);

#endif
