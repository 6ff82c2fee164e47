/* database_tables.c - the tables of the database, and the view with a row for each case */
#include "store/store_internal.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 1000 }; /* of the view; SQLite has room for 2000 */

static const char tables[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE variable (id INTEGER PRIMARY KEY, name TEXT, unit TEXT, lo REAL, hi REAL, scale TEXT);"
    "CREATE TABLE response (id INTEGER PRIMARY KEY, name TEXT, unit TEXT, of TEXT, data INTEGER, limited "
    "INTEGER,"
    " bound REAL);"
    "CREATE TABLE case_ (id INTEGER PRIMARY KEY, hash BLOB, status TEXT, reason TEXT, element TEXT, t_end "
    "REAL, wall REAL,"
    " cpu REAL, mem INTEGER, host TEXT, solver TEXT, attempt INTEGER, started REAL, made INTEGER);"
    "CREATE INDEX case_by_hash ON case_ (hash);"
    "CREATE TABLE value (\"case\" INTEGER, variable INTEGER, x, PRIMARY KEY (\"case\", variable)) WITHOUT "
    "ROWID;"
    "CREATE TABLE result (\"case\" INTEGER, response INTEGER, y REAL, PRIMARY KEY (\"case\", response)) "
    "WITHOUT ROWID;"
    "CREATE TABLE file (\"case\" INTEGER, path TEXT, PRIMARY KEY (\"case\", path)) WITHOUT ROWID;"
    "CREATE TABLE lines (file TEXT PRIMARY KEY, bytes INTEGER) WITHOUT ROWID;"
    "CREATE TABLE answer (id INTEGER PRIMARY KEY, name TEXT, response TEXT, variable TEXT, other TEXT,"
    " \"case\" INTEGER, value REAL, low REAL, high REAL, unit TEXT, text TEXT);";

bool tn_store_make(tn_store *store) { return tn_store_run(store, tables); }

/* SQL with texts in it: %q in quotes, %w in quotes of a name. */
static bool run(tn_store *store, char *sql)
{
    const bool good = sql ? tn_store_run(store, sql) : tn_store_fail(store, "out of memory");
    sqlite3_free(sql);
    return good;
}

static bool describe(tn_store *store)
{
    const tn_cases *cases = store->cases;
    if (!tn_store_run(store, "DELETE FROM variable; DELETE FROM response;")) return false;
    for (uint32_t k = 0; k < cases->variables; k++) {
        const tn_case_variable *v = &cases->variable[k];
        const tn_design_variable *as = cases->problem.variable ? &cases->problem.variable[k] : NULL;
        const bool bounded = as && isfinite(as->low) && isfinite(as->high);
        char *sql =
            bounded
                ? sqlite3_mprintf("INSERT INTO variable VALUES (%u, '%q', '%q', %!.17g, %!.17g, '%q')", k,
                                  v->name, v->unit, as->low, as->high,
                                  v->levels ? "values"
                                  : v->log  ? "log"
                                            : "linear")
                : sqlite3_mprintf("INSERT INTO variable VALUES (%u, '%q', '%q', NULL, NULL, 'distribution')",
                                  k, v->name, v->unit);
        if (!run(store, sql)) return false;
    }
    for (uint32_t k = 0; k < cases->responses; k++) {
        const tn_case_response *r = &cases->response[k];
        for (uint32_t n = 0; n < r->size; n++) {
            char *name =
                r->size == 1 ? sqlite3_mprintf("%s", r->name) : sqlite3_mprintf("%s[%u]", r->name, n);
            const bool good = run(
                store, sqlite3_mprintf("INSERT INTO response VALUES (%u, '%q', '%q', '%q', %d, %u, %!.17g)",
                                       r->first + n, name ? name : "", r->unit, r->name,
                                       r->samples.measured != NULL, r->limited, r->limit));
            sqlite3_free(name);
            if (!good) return false;
        }
    }
    return true;
}

bool tn_store_make_view(tn_store *store)
{
    const tn_cases *cases = store->cases;
    sqlite3_str *sql = sqlite3_str_new(store->database);
    size_t columns = 0;
    sqlite3_str_appendall(
        sql, "DROP VIEW IF EXISTS wide; CREATE VIEW wide AS SELECT id AS \"case\", status, reason");
    for (uint32_t k = 0; k < cases->variables && columns++ < MOST_COLUMNS; k++)
        sqlite3_str_appendf(sql, ", (SELECT x FROM value WHERE \"case\" = id AND variable = %u) AS \"%w\"", k,
                            cases->variable[k].name);
    for (uint32_t k = 0; k < cases->responses; k++)
        for (uint32_t n = 0; n < cases->response[k].size && columns++ < MOST_COLUMNS; n++) {
            const tn_case_response *r = &cases->response[k];
            sqlite3_str_appendf(sql, ", (SELECT y FROM result WHERE \"case\" = id AND response = %u) AS ",
                                r->first + n);
            if (r->size == 1)
                sqlite3_str_appendf(sql, "\"%w\"", r->name);
            else
                sqlite3_str_appendf(sql, "\"%w[%u]\"", r->name, n);
        }
    sqlite3_str_appendall(sql, " FROM case_ WHERE id >= 0 ORDER BY id");
    return run(store, sqlite3_str_finish(sql)) && describe(store);
}

bool tn_store_put_aside(tn_store *store)
{
    return tn_store_run(
        store, "CREATE TEMP TABLE room (least); INSERT INTO room SELECT min(0, min(id)) - 1 FROM case_;"
               "UPDATE value SET \"case\" = (SELECT least FROM room) - \"case\" WHERE \"case\" >= 0;"
               "UPDATE result SET \"case\" = (SELECT least FROM room) - \"case\" WHERE \"case\" >= 0;"
               "DELETE FROM file;"
               "UPDATE case_ SET id = (SELECT least FROM room) - id WHERE id >= 0;"
               "DROP TABLE room; DELETE FROM case_ WHERE id < 0 AND status <> 'ok';"
               "DELETE FROM lines; DELETE FROM answer;");
}
