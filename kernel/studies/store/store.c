/* store.c - the database of a study: statements, notes, cases (see store.h) */
#include "store/store_internal.h"

#include <math.h>
#include <string.h>

static const char *const texts[TN_SQL_STATEMENTS] = {
    [TN_SQL_FIND] = "SELECT hash, status, attempt, cpu FROM case_ WHERE id = ?1",
    [TN_SQL_FIND_SUM] = "SELECT id, cpu, attempt FROM case_ WHERE hash = ?1 AND status = 'ok' LIMIT 1",
    [TN_SQL_RESULTS] = "SELECT response, y FROM result WHERE \"case\" = ?1",
    [TN_SQL_ADD] = "INSERT OR REPLACE INTO case_ (id, hash, status, attempt, made) VALUES (?1, ?2, "
                   "'waiting', 0, unixepoch())",
    [TN_SQL_ADD_VALUE] = "INSERT OR REPLACE INTO value (\"case\", variable, x) VALUES (?1, ?2, ?3)",
    [TN_SQL_PUT] =
        "UPDATE case_ SET status = ?2, reason = ?3, element = ?4, t_end = ?5, wall = ?6, cpu = ?7, mem = ?8, "
        "host = ?9, solver = ?10, attempt = ?11, started = ?12 WHERE id = ?1 AND hash = ?13",
    [TN_SQL_ADD_RESULT] = "INSERT OR REPLACE INTO result (\"case\", response, y) VALUES (?1, ?2, ?3)",
    [TN_SQL_CLEAR_RESULTS] = "DELETE FROM result WHERE \"case\" = ?1",
    [TN_SQL_ADD_FILE] = "INSERT OR REPLACE INTO file (\"case\", path) VALUES (?1, ?2)",
    [TN_SQL_COPY] = "UPDATE case_ SET (status, reason, element, t_end, wall, cpu, mem, host, solver, "
                    "attempt, started) = (SELECT "
                    "status, reason, element, t_end, wall, cpu, mem, host, solver, attempt, started FROM "
                    "case_ WHERE id = ?2) "
                    "WHERE id = ?1",
    [TN_SQL_COPY_RESULTS] = "INSERT OR REPLACE INTO result (\"case\", response, y) SELECT ?1, response, y "
                            "FROM result WHERE \"case\" = ?2",
    [TN_SQL_NOTE] = "SELECT value FROM meta WHERE key = ?1",
    [TN_SQL_SET_NOTE] = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)",
    [TN_SQL_PLACE] = "SELECT bytes FROM lines WHERE file = ?1",
    [TN_SQL_SET_PLACE] = "INSERT OR REPLACE INTO lines (file, bytes) VALUES (?1, ?2)"};

/* ---- statements ------------------------------------------------------------------------------------------------ */

bool tn_store_fail(tn_store *store, const char *what)
{
    (void)tn_print_cut(store->problem, sizeof store->problem, "%s/study.db: %s", store->folder,
                       what ? what : sqlite3_errmsg(store->database));
    return false;
}

sqlite3_stmt *tn_store_prepare(tn_store *store, enum tn_store_statement which)
{
    sqlite3_stmt **statement = &store->statement[which];
    if (!*statement && sqlite3_prepare_v3(store->database, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                          statement, NULL) != SQLITE_OK)
        (void)tn_store_fail(store, NULL);
    return *statement;
}

bool tn_store_do(tn_store *store, sqlite3_stmt *statement)
{
    if (!statement) return false;
    const bool done = sqlite3_step(statement) == SQLITE_DONE || tn_store_fail(store, NULL);
    (void)sqlite3_reset(statement);
    return done;
}

bool tn_store_run(tn_store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || tn_store_fail(store, NULL);
}

static void bind_number(sqlite3_stmt *statement, int place, double value)
{
    (void)(isfinite(value) ? sqlite3_bind_double(statement, place, value)
                           : sqlite3_bind_null(statement, place));
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    (void)(text && *text ? sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC)
                         : sqlite3_bind_null(statement, place));
}

static void bind_hash(sqlite3_stmt *statement, int place, const tn_case_hash *hash)
{
    (void)sqlite3_bind_blob(statement, place, hash->byte, sizeof hash->byte, SQLITE_STATIC);
}

bool tn_store_begin(tn_store *store) { return tn_store_run(store, "BEGIN IMMEDIATE"); }
bool tn_store_commit(tn_store *store) { return tn_store_run(store, "COMMIT"); }

/* ---- notes ------------------------------------------------------------------------------------------------------ */

const char *tn_store_note(tn_store *store, const char *key)
{
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_NOTE);
    tn_free(store->note);
    store->note = NULL;
    if (!statement) return NULL;
    bind_text(statement, 1, key);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        store->note = tn_copy_text(text ? text : "");
    }
    (void)sqlite3_reset(statement);
    return store->note;
}

bool tn_store_set_note(tn_store *store, const char *key, const char *value)
{
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_SET_NOTE);
    if (!statement) return false;
    bind_text(statement, 1, key);
    bind_text(statement, 2, value);
    return tn_store_do(store, statement);
}

/* ---- cases ------------------------------------------------------------------------------------------------------ */

static bool read_results(tn_store *store, int64_t id, double *response)
{
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_RESULTS);
    int step = SQLITE_ERROR;
    if (!statement) return false;
    for (uint32_t k = 0; k < store->cases->numbers; k++)
        response[k] = (double)NAN;
    (void)sqlite3_bind_int64(statement, 1, id);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const int64_t number = sqlite3_column_int64(statement, 0);
        if (number >= 0 && number < store->cases->numbers && sqlite3_column_type(statement, 1) != SQLITE_NULL)
            response[number] = sqlite3_column_double(statement, 1);
    }
    const bool good = step == SQLITE_DONE || tn_store_fail(store, NULL);
    (void)sqlite3_reset(statement);
    return good;
}

static bool has_hash(sqlite3_stmt *statement, const tn_case_hash *hash)
{
    const void *bytes = sqlite3_column_blob(statement, 0);
    return bytes && sqlite3_column_bytes(statement, 0) == sizeof hash->byte &&
           memcmp(bytes, hash->byte, sizeof hash->byte) == 0;
}

static void read_row(sqlite3_stmt *statement, tn_store_row *row)
{
    const char *status = (const char *)sqlite3_column_text(statement, 1);
    row->known = true;
    row->attempt = (uint32_t)sqlite3_column_int64(statement, 2);
    row->cpu = sqlite3_column_double(statement, 3);
    for (int k = 0; k < TN_CASE_STATUSES; k++)
        if (status && strcmp(status, tn_case_status_names[k]) == 0 && k != TN_CASE_LOST) {
            row->status = (tn_case_status)k;
            row->done = true;
        }
}

bool tn_store_find(tn_store *store, uint64_t number, const tn_case_hash *hash, tn_store_row *row,
                   double *response)
{
    sqlite3_stmt *own = tn_store_prepare(store, TN_SQL_FIND),
                 *other = tn_store_prepare(store, TN_SQL_FIND_SUM);
    *row = (tn_store_row){.id = (int64_t)number};
    if (!own || !other) return false;
    (void)sqlite3_bind_int64(own, 1, (int64_t)number);
    if (sqlite3_step(own) == SQLITE_ROW && has_hash(own, hash)) read_row(own, row);
    (void)sqlite3_reset(own);
    if (row->done) return read_results(store, row->id, response);
    bind_hash(other, 1, hash);
    if (sqlite3_step(other) == SQLITE_ROW) {
        row->elsewhere = row->done = true;
        row->id = sqlite3_column_int64(other, 0);
        row->cpu = sqlite3_column_double(other, 1);
        row->status = TN_CASE_OK;
    }
    (void)sqlite3_reset(other);
    return !row->done || read_results(store, row->id, response);
}

static bool add_values(tn_store *store, uint64_t number, const double *value)
{
    for (uint32_t k = 0; k < store->cases->variables; k++) {
        const tn_case_variable *variable = &store->cases->variable[k];
        const tn_case_level *level = variable->levels ? &variable->level[(size_t)value[k]] : NULL;
        sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_ADD_VALUE);
        if (!statement) return false;
        (void)sqlite3_bind_int64(statement, 1, (int64_t)number);
        (void)sqlite3_bind_int64(statement, 2, k);
        if (level && isnan(level->value))
            bind_text(statement, 3, level->label);
        else
            bind_number(statement, 3, level ? level->value : value[k]);
        if (!tn_store_do(store, statement)) return false;
    }
    return true;
}

bool tn_store_add(tn_store *store, uint64_t number, const tn_case_hash *hash, const double *value)
{
    sqlite3_stmt *clear = tn_store_prepare(store, TN_SQL_CLEAR_RESULTS),
                 *add = tn_store_prepare(store, TN_SQL_ADD);
    if (!clear || !add) return false;
    (void)sqlite3_bind_int64(clear, 1, (int64_t)number);
    (void)sqlite3_bind_int64(add, 1, (int64_t)number);
    bind_hash(add, 2, hash);
    return tn_store_do(store, clear) && tn_store_do(store, add) && add_values(store, number, value);
}

bool tn_store_add_same(tn_store *store, uint64_t number, const tn_case_hash *hash, const double *value,
                       int64_t same)
{
    if (!tn_store_add(store, number, hash, value)) return false;
    static const enum tn_store_statement both[] = {TN_SQL_COPY, TN_SQL_COPY_RESULTS};
    for (size_t k = 0; k < 2; k++) {
        sqlite3_stmt *copy = tn_store_prepare(store, both[k]);
        if (!copy) return false;
        (void)sqlite3_bind_int64(copy, 1, (int64_t)number);
        (void)sqlite3_bind_int64(copy, 2, same);
        if (!tn_store_do(store, copy)) return false;
    }
    return true;
}

static bool put_results(tn_store *store, const tn_case_result *result)
{
    for (uint32_t k = 0; k < store->cases->numbers; k++) {
        sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_ADD_RESULT);
        if (!statement) return false;
        (void)sqlite3_bind_int64(statement, 1, (int64_t)result->number);
        (void)sqlite3_bind_int64(statement, 2, k);
        bind_number(statement, 3, result->response[k]);
        if (!tn_store_do(store, statement)) return false;
    }
    return true;
}

static bool put_file(tn_store *store, const tn_case_result *result)
{
    const tn_case_keep keep = (tn_case_keep)store->cases->execute.keep;
    char path[64];
    if (keep == TN_KEEP_RESPONSES || (keep == TN_KEEP_FAILED && result->status == TN_CASE_OK)) return true;
    (void)snprintf(path, sizeof path, "cases/%llu", (unsigned long long)result->number);
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_ADD_FILE);
    if (!statement) return false;
    (void)sqlite3_bind_int64(statement, 1, (int64_t)result->number);
    bind_text(statement, 2, path);
    return tn_store_do(store, statement);
}

bool tn_store_put(tn_store *store, const tn_case_result *result)
{
    sqlite3_stmt *put = tn_store_prepare(store, TN_SQL_PUT);
    if (!put) return false;
    (void)sqlite3_bind_int64(put, 1, (int64_t)result->number);
    bind_text(put, 2, tn_case_status_names[result->status]);
    bind_text(put, 3, result->reason);
    bind_text(put, 4, result->place);
    bind_number(put, 5, result->end_time);
    bind_number(put, 6, result->wall);
    bind_number(put, 7, result->cpu);
    (void)sqlite3_bind_int64(put, 8, (int64_t)result->memory);
    bind_text(put, 9, result->host);
    bind_text(put, 10, result->solver);
    (void)sqlite3_bind_int64(put, 11, result->attempt);
    bind_number(put, 12, result->started);
    bind_hash(put, 13, &result->hash);
    if (!tn_store_do(store, put)) return false;
    if (!sqlite3_changes(store->database)) return true; /* it is of another design, or of none */
    store->failed += result->status != TN_CASE_OK;
    return (result->status == TN_CASE_LOST || put_results(store, result)) && put_file(store, result);
}
