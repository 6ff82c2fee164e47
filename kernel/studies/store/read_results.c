/* read_results.c - all that the database knows of a study, at one moment, for those who make files of it (tenon/draft/study_results.h) */
#include "store/store_internal.h"

#include <math.h>
#include <string.h>

/* Rows (case, number, x) of all cases in their order. */
typedef struct number_rows {
    sqlite3_stmt *statement;
    int step;      /* what its last step has returned */
    double *value; /* of the case that is read */
} number_rows;

/* What visit() needs; must live as long as the results. */
typedef struct reading {
    tn_store *store;
    number_rows values, responses;
} reading;

static const char *keep_column(tn_arena *arena, sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? tn_arena_text(arena, text, strlen(text)) : NULL;
}

static const char *keep_text(tn_arena *arena, sqlite3_stmt *statement, int column)
{
    const char *text = keep_column(arena, statement, column);
    return text ? text : "";
}

static double number_of(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? (double)NAN
                                                                 : sqlite3_column_double(statement, column);
}

/* The number of rows of a query; -1 after a problem. */
static int64_t count_rows(tn_store *store, const char *sql)
{
    sqlite3_stmt *statement = tn_store_ask(store, sql);
    if (!statement) return -1;
    const int64_t count = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    if (count < 0) (void)tn_store_fail(store, NULL);
    (void)sqlite3_finalize(statement);
    return count;
}

/* Calls for each row; `list` [count] is what it fills. */
static bool read_list(tn_store *store, const char *sql, tn_arena *arena, uint32_t count,
                      void (*take)(tn_arena *arena, sqlite3_stmt *row, void *list, uint32_t k), void *list)
{
    sqlite3_stmt *statement = tn_store_ask(store, sql);
    int step = SQLITE_ERROR;
    if (!statement) return false;
    uint32_t k = 0;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW && k < count)
        take(arena, statement, list, k++);
    return tn_store_end(store, statement, step == SQLITE_ROW ? SQLITE_DONE : step);
}

/* ---- variables and responses ------------------------------------------------------------------------------------- */

static void take_variable(tn_arena *arena, sqlite3_stmt *row, void *list, uint32_t k)
{
    const char *scale = keep_text(arena, row, 2);
    ((tn_study_variable *)list)[k] = (tn_study_variable){.name = keep_text(arena, row, 0),
                                                         .unit = keep_text(arena, row, 1),
                                                         .is_log = strcmp(scale, "log") == 0};
}

static void take_level(tn_arena *arena, sqlite3_stmt *row, void *list, uint32_t k)
{
    ((const char **)list)[k] = keep_text(arena, row, 0);
}

/* The values of a list of which some are texts, all of them as texts, in the order in which cases have them. */
static bool read_levels(tn_store *store, tn_arena *arena, tn_study_variable *variable, uint32_t k)
{
    const char *from = tn_arena_print(arena, "FROM value WHERE variable = %u AND \"case\" >= 0", k);
    const int64_t texts =
        count_rows(store, tn_arena_print(arena, "SELECT count(*) %s AND typeof(x) = 'text'", from));
    const int64_t count =
        count_rows(store, tn_arena_print(arena, "SELECT count(DISTINCT CAST(x AS TEXT)) %s", from));
    if (texts < 0 || count < 0) return false;
    if (!texts) return true;
    const char **level = tn_arena_new(arena, (size_t)count * sizeof *level);
    variable->level = level;
    variable->levels = (uint32_t)count;
    return read_list(
        store,
        tn_arena_print(arena, "SELECT CAST(x AS TEXT) AS t %s GROUP BY t ORDER BY min(\"case\")", from),
        arena, variable->levels, take_level, level);
}

static bool read_variables(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    const int64_t count = count_rows(store, "SELECT count(*) FROM variable");
    if (count < 0) return false;
    tn_study_variable *variable = tn_arena_new(arena, (size_t)(count + 1) * sizeof *variable);
    results->variable = variable;
    results->variables = (uint32_t)count;
    bool good = read_list(store, "SELECT name, unit, scale FROM variable ORDER BY id", arena,
                          results->variables, take_variable, variable);
    for (uint32_t k = 0; good && k < results->variables; k++)
        good = read_levels(store, arena, &variable[k], k);
    return good;
}

static void take_response(tn_arena *arena, sqlite3_stmt *row, void *list, uint32_t k)
{
    ((tn_study_response *)list)[k] = (tn_study_response){.name = keep_text(arena, row, 0),
                                                         .unit = keep_text(arena, row, 1),
                                                         .first = (uint32_t)sqlite3_column_int64(row, 2),
                                                         .size = (uint32_t)sqlite3_column_int64(row, 3),
                                                         .is_data = sqlite3_column_int64(row, 4) != 0,
                                                         .limited = (uint32_t)sqlite3_column_int64(row, 5),
                                                         .limit = sqlite3_column_double(row, 6)};
}

static bool read_responses(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    const int64_t count = count_rows(store, "SELECT count(DISTINCT of) FROM response"),
                  numbers = count_rows(store, "SELECT count(*) FROM response");
    if (count < 0 || numbers < 0) return false;
    tn_study_response *response = tn_arena_new(arena, (size_t)(count + 1) * sizeof *response);
    results->response = response;
    results->responses = (uint32_t)count;
    results->numbers = (uint32_t)numbers;
    return read_list(store,
                     "SELECT of, unit, min(id), count(*), max(data), max(limited), max(bound) FROM response "
                     "GROUP BY of ORDER BY min(id)",
                     arena, results->responses, take_response, response);
}

/* ---- statuses, reasons, answers ----------------------------------------------------------------------------------- */

static bool read_statuses(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    tn_store_counts counts;
    if (!tn_store_count(store, &counts)) return false;
    tn_study_count *status = tn_arena_new(arena, (TN_CASE_STATUSES + 1) * sizeof *status);
    results->status = status;
    results->effort = counts.cpu;
    for (int k = 0; k <= TN_CASE_STATUSES; k++) {
        if (!counts.count[k]) continue;
        results->cases += counts.count[k];
        status[results->statuses++] =
            (tn_study_count){k == TN_CASE_STATUSES ? "waiting" : tn_case_status_names[k], counts.count[k]};
    }
    return true;
}

typedef struct reasons {
    tn_arena *arena;
    tn_study_reason *list;
    uint32_t count;
} reasons;

static void take_reason(void *data, const char *status, uint64_t count, uint64_t first, const char *text)
{
    reasons *all = data;
    tn_arena *arena = all->arena;
    if (all->count < TN_STORE_REASONS)
        all->list[all->count++] = (tn_study_reason){.status = tn_arena_text(arena, status, strlen(status)),
                                                    .text = tn_arena_text(arena, text, strlen(text)),
                                                    .count = count,
                                                    .first = first};
}

static bool read_reasons(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    reasons all = {.arena = arena, .list = tn_arena_new(arena, TN_STORE_REASONS * sizeof *all.list)};
    if (!tn_store_reasons(store, take_reason, &all)) return false;
    results->reason = all.list;
    results->reasons = all.count;
    return true;
}

static void take_answer(tn_arena *arena, sqlite3_stmt *row, void *list, uint32_t k)
{
    ((tn_study_answer *)list)[k] = (tn_study_answer){
        .name = keep_text(arena, row, 0),
        .response = keep_column(arena, row, 1),
        .variable = keep_column(arena, row, 2),
        .other = keep_column(arena, row, 3),
        .unit = keep_column(arena, row, 4),
        .text = keep_column(arena, row, 5),
        .value = number_of(row, 6),
        .low = number_of(row, 7),
        .high = number_of(row, 8),
        .number = sqlite3_column_type(row, 9) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 9)};
}

static bool read_answers(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    const int64_t count = count_rows(store, "SELECT count(*) FROM answer");
    if (count < 0) return false;
    tn_study_answer *answer = tn_arena_new(arena, (size_t)(count + 1) * sizeof *answer);
    results->answer = answer;
    results->answers = (uint32_t)count;
    return read_list(
        store,
        "SELECT name, response, variable, other, unit, text, value, low, high, \"case\" FROM answer "
        "ORDER BY id",
        arena, results->answers, take_answer, answer);
}

/* ---- cases -------------------------------------------------------------------------------------------------------- */

/* The number of a level, where the list has texts. */
static double value_of(const tn_study_variable *variable, sqlite3_stmt *row)
{
    if (!variable || !variable->levels) return number_of(row, 2);
    const char *text = (const char *)sqlite3_column_text(row, 2);
    if (!text) return (double)NAN;
    for (uint32_t k = 0; k < variable->levels; k++)
        if (strcmp(text, variable->level[k]) == 0) return k;
    return (double)NAN;
}

/* Those of a case, up to which they have been read; `variable` is NULL for responses. */
static void read_numbers(number_rows *of, int64_t number, uint32_t count, const tn_study_variable *variable)
{
    for (uint32_t k = 0; k < count; k++)
        of->value[k] = (double)NAN;
    for (; of->step == SQLITE_ROW && sqlite3_column_int64(of->statement, 0) <= number;
         of->step = sqlite3_step(of->statement)) {
        const int64_t k = sqlite3_column_int64(of->statement, 1);
        if (sqlite3_column_int64(of->statement, 0) == number && k >= 0 && k < count)
            of->value[k] = value_of(variable ? &variable[k] : NULL, of->statement);
    }
}

static bool begin_numbers(tn_store *store, number_rows *of, const char *sql)
{
    of->statement = tn_store_ask(store, sql);
    of->step = of->statement ? sqlite3_step(of->statement) : SQLITE_ERROR;
    return of->statement != NULL;
}

/* Rows may be left of cases that are no more. */
static bool is_read(const number_rows *of) { return of->step == SQLITE_DONE || of->step == SQLITE_ROW; }

static tn_status visit_case(const tn_study_results *results, reading *r, sqlite3_stmt *row,
                            tn_status (*take)(void *data, const tn_study_case *one), void *data)
{
    const char *text[3];
    const int64_t number = sqlite3_column_int64(row, 0);
    for (int k = 0; k < 3; k++) {
        text[k] = (const char *)sqlite3_column_text(row, 1 + k);
        if (!text[k]) text[k] = "";
    }
    read_numbers(&r->values, number, results->variables, results->variable);
    read_numbers(&r->responses, number, results->numbers, NULL);
    return take(data, &(tn_study_case){.number = (uint64_t)number,
                                       .status = text[0],
                                       .reason = text[1],
                                       .place = text[2],
                                       .effort = number_of(row, 4),
                                       .value = r->values.value,
                                       .response = r->responses.value});
}

static tn_status visit(const tn_study_results *results,
                       tn_status (*take)(void *data, const tn_study_case *one), void *data)
{
    reading *r = results->self;
    tn_store *store = r->store;
    tn_status status = TN_OK;
    int step = SQLITE_ERROR;
    sqlite3_stmt *cases =
        tn_store_ask(store, "SELECT id, status, reason, element, cpu FROM case_ WHERE id >= 0 ORDER BY id");
    const bool begun =
        begin_numbers(
            store, &r->values,
            "SELECT \"case\", variable, x FROM value WHERE \"case\" >= 0 ORDER BY \"case\", variable") &&
        begin_numbers(
            store, &r->responses,
            "SELECT \"case\", response, y FROM result WHERE \"case\" >= 0 ORDER BY \"case\", response");
    while (cases && begun && status == TN_OK && (step = sqlite3_step(cases)) == SQLITE_ROW)
        status = visit_case(results, r, cases, take, data);
    const bool read = step == SQLITE_DONE && is_read(&r->values) && is_read(&r->responses);
    if (status == TN_OK && !read) {
        (void)tn_store_fail(store, NULL);
        status = TN_FATAL;
    }
    (void)sqlite3_finalize(cases);
    (void)sqlite3_finalize(r->values.statement);
    (void)sqlite3_finalize(r->responses.statement);
    r->values.statement = r->responses.statement = NULL;
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static const char *keep_note(tn_store *store, tn_arena *arena, const char *key)
{
    const char *note = tn_store_note(store, key);
    return note ? tn_arena_text(arena, note, strlen(note)) : "";
}

bool tn_store_read_results(tn_store *store, tn_arena *arena, tn_study_results *results)
{
    *results = (tn_study_results){
        .struct_size = sizeof *results, .text = "", .design = "", .command = "", .visit = visit};
    /* what is read up to the end of this is of one moment */
    if (!tn_store_run(store, "BEGIN")) return false;
    results->title = keep_note(store, arena, "name");
    results->program = tn_arena_print(arena, "tenon %s", keep_note(store, arena, "tenon"));
    if (!read_variables(store, arena, results) || !read_responses(store, arena, results) ||
        !read_statuses(store, arena, results) || !read_reasons(store, arena, results) ||
        !read_answers(store, arena, results))
        return false;
    reading *r = tn_arena_new(arena, sizeof *r);
    *r = (reading){.store = store,
                   .values.value = tn_arena_new(arena, (results->variables + 1) * sizeof(double)),
                   .responses.value = tn_arena_new(arena, (results->numbers + 1) * sizeof(double))};
    results->self = r;
    return true;
}
