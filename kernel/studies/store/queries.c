/* queries.c - what people ask of the database: counts, reasons, answers, all of it as CSV */
#include "store/store_internal.h"

#include <math.h>
#include <string.h>

sqlite3_stmt *tn_store_ask(tn_store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        (void)tn_store_fail(store, NULL);
    return statement;
}

bool tn_store_end(tn_store *store, sqlite3_stmt *statement, int step)
{
    const bool good = step == SQLITE_DONE || tn_store_fail(store, NULL);
    (void)sqlite3_finalize(statement);
    return good;
}

bool tn_store_forget_failed(tn_store *store, uint64_t *count)
{
    if (!tn_store_begin(store) ||
        !tn_store_run(
            store, "UPDATE case_ SET status = 'waiting' WHERE id >= 0 AND status NOT IN ('ok', 'waiting')"))
        return false;
    *count = (uint64_t)sqlite3_changes(store->database);
    return tn_store_commit(store);
}

bool tn_store_values(tn_store *store, uint64_t number, double *value)
{
    sqlite3_stmt *statement = tn_store_ask(store, "SELECT variable, x FROM value WHERE \"case\" = ?1");
    int step = SQLITE_ERROR;
    uint32_t found = 0;
    if (!statement) return false;
    (void)sqlite3_bind_int64(statement, 1, (int64_t)number);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const int64_t k = sqlite3_column_int64(statement, 0);
        if (k < 0 || k >= store->cases->variables) continue;
        const tn_case_variable *variable = &store->cases->variable[k];
        const double x = sqlite3_column_double(statement, 1);
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        uint32_t level = 0;
        while (
            level < variable->levels && variable->level[level].value != x &&
            !(text && isnan(variable->level[level].value) && strcmp(variable->level[level].label, text) == 0))
            level++;
        if (variable->levels && level == variable->levels) continue; /* it has gone from the list */
        value[k] = variable->levels ? level : x;
        found++;
    }
    if (!tn_store_end(store, statement, step)) return false;
    return found == store->cases->variables || tn_store_fail(store, "there is no case of this number");
}

bool tn_store_clear_answers(tn_store *store) { return tn_store_run(store, "DELETE FROM answer"); }

bool tn_store_add_answer(tn_store *store, const tn_store_answer *answer)
{
    sqlite3_stmt *statement =
        tn_store_ask(store, "INSERT INTO answer (name, response, variable, other, unit, text, "
                            "value, low, high, \"case\") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!statement) return false;
    const char *const texts[] = {answer->name,  answer->response, answer->variable,
                                 answer->other, answer->unit,     answer->text};
    const double numbers[] = {answer->value, answer->low, answer->high};
    for (int k = 0; k < 6; k++)
        (void)sqlite3_bind_text(statement, 1 + k, texts[k], -1, SQLITE_STATIC); /* NULL: none */
    for (int k = 0; k < 3; k++)
        if (isfinite(numbers[k])) (void)sqlite3_bind_double(statement, 7 + k, numbers[k]);
    if (answer->number >= 0) (void)sqlite3_bind_int64(statement, 10, answer->number);
    return tn_store_end(store, statement, sqlite3_step(statement));
}

bool tn_store_count(tn_store *store, tn_store_counts *counts)
{
    sqlite3_stmt *statement =
        tn_store_ask(store, "SELECT status, count(*), total(cpu) FROM case_ WHERE id >= 0 GROUP BY status");
    int step = SQLITE_ERROR;
    *counts = (tn_store_counts){.cpu = 0.0};
    if (!statement) return false;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *status = (const char *)sqlite3_column_text(statement, 0);
        int k = 0;
        while (tn_case_status_names[k] && strcmp(tn_case_status_names[k], status ? status : "") != 0)
            k++;
        counts->count[k] += (uint64_t)sqlite3_column_int64(statement, 1);
        counts->cpu += sqlite3_column_double(statement, 2);
    }
    return tn_store_end(store, statement, step);
}

bool tn_store_reasons(tn_store *store,
                      void (*visit)(void *data, const char *status, uint64_t count, uint64_t first,
                                    const char *reason),
                      void *data)
{
    /* warnings of cases that are ok are counted as one, whatever numbers they have */
    sqlite3_stmt *statement = tn_store_ask(
        store,
        "SELECT status, count(*), min(id), coalesce(reason, '') || coalesce(' (' || element || ')', '') "
        "FROM case_ WHERE id >= 0 AND status <> 'waiting' AND (status <> 'ok' OR reason IS NOT NULL) "
        "GROUP BY status, CASE status WHEN 'ok' THEN '' ELSE reason END "
        "ORDER BY count(*) DESC, min(id) LIMIT ?1");
    int step = SQLITE_ERROR;
    if (!statement) return false;
    (void)sqlite3_bind_int(statement, 1, TN_STORE_REASONS);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *reason = (const char *)sqlite3_column_text(statement, 3);
        visit(data, (const char *)sqlite3_column_text(statement, 0),
              (uint64_t)sqlite3_column_int64(statement, 1), (uint64_t)sqlite3_column_int64(statement, 2),
              reason ? reason : "");
    }
    return tn_store_end(store, statement, step);
}

/* ---- CSV ---------------------------------------------------------------------------------------------------------- */

static void print_field(FILE *file, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) (void)fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"') (void)fputc('"', file);
        (void)fputc(*c, file);
    }
    if (quoted) (void)fputc('"', file);
}

bool tn_store_export(tn_store *store, FILE *file)
{
    sqlite3_stmt *statement = tn_store_ask(store, "SELECT * FROM wide");
    int step = SQLITE_ERROR;
    if (!statement) return false;
    const int columns = sqlite3_column_count(statement);
    for (int k = 0; k < columns; k++) {
        if (k) (void)fputc(',', file);
        print_field(file, sqlite3_column_name(statement, k));
    }
    (void)fputc('\n', file);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int k = 0; k < columns; k++) {
            const int type = sqlite3_column_type(statement, k);
            if (k) (void)fputc(',', file);
            if (type == SQLITE_FLOAT)
                (void)fprintf(file, "%.17g", sqlite3_column_double(statement, k));
            else if (type != SQLITE_NULL)
                print_field(file, (const char *)sqlite3_column_text(statement, k));
        }
        (void)fputc('\n', file);
    }
    return tn_store_end(store, statement, step) &&
           (!ferror(file) || tn_store_fail(store, "the table cannot be written"));
}
