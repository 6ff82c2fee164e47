/* study_rows.c - the cases of a study on its page: all of them, or a random choice with those that matter (see study.h)
 *
 * The choice depends on the number of a case alone, and not on the order of a grid, of which each k-th case would be one edge. */
#include "study.h"

#include "tenon/kit/random.h"

/* ---- texts ---------------------------------------------------------------------------------------------------------- */

static uint64_t sum_of(const char *text)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325); // Fowler, Noll, Vo
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return sum;
}

static size_t *find_place(const tn_study_rows *rows, const char *text)
{
    size_t k = (size_t)sum_of(text) & (rows->places - 1);
    while (rows->place[k] && strcmp(rows->text[rows->place[k] - 1], text) != 0)
        k = (k + 1) & (rows->places - 1);
    return &rows->place[k];
}

static bool make_room(tn_study_rows *rows)
{
    if (rows->texts < rows->text_room) return true;
    const size_t room = rows->text_room ? 2 * rows->text_room : 64;
    char **text = realloc(rows->text, room * sizeof *text);
    size_t *place = calloc(4 * room, sizeof *place);
    if (text) rows->text = text;
    if (!text || !place) return free(place), false;
    free(rows->place);
    rows->place = place;
    rows->places = 4 * room;
    rows->text_room = room;
    for (size_t k = 0; k < rows->texts; k++)
        *find_place(rows, rows->text[k]) = k + 1;
    return true;
}

/* The number of a text, which is kept once. */
static double number_of(tn_study_rows *rows, const char *text)
{
    if (!make_room(rows)) return rows->failed = true, 0.0;
    size_t *place = find_place(rows, text);
    if (*place) return (double)(*place - 1);
    char *copy = strdup(text);
    if (!copy) return rows->failed = true, 0.0;
    rows->text[rows->texts++] = copy;
    *place = rows->texts;
    return (double)(rows->texts - 1);
}

/* ---- which cases -------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Cases that have come to an end that is not ok get up to a quarter of the rows. */
static void choose_shares(tn_study_rows *rows, uint64_t most)
{
    double ok = 0.0, others = 0.0;
    for (uint32_t k = 0; k < rows->results->statuses; k++) {
        const tn_study_count *one = &rows->results->status[k];
        *(strcmp(one->status, "ok") == 0 || strcmp(one->status, "waiting") == 0 ? &ok : &others) +=
            (double)one->count;
    }
    const double room = (double)most;
    rows->failed_share = ok + others <= room ? 1.0 : fmin(1.0, 0.25 * room / fmax(others, 1.0));
    rows->share = ok + others <= room ? 1.0 : fmin(1.0, (room - rows->failed_share * others) / fmax(ok, 1.0));
}

/* A case in an answer of the design is to be found. */
static bool is_named(tn_study_rows *rows, uint64_t number)
{
    const size_t count = rows->results->answers;
    while (rows->named_seen < count && rows->named[rows->named_seen] < (int64_t)number)
        rows->named_seen++;
    return rows->named_seen < count && rows->named[rows->named_seen] == (int64_t)number;
}

/* One number for a response of many: of differences from measured data their root mean square, of samples the last one. */
static double reduce(const tn_study_response *response, const double *number)
{
    double sum = 0.0;
    if (!response->is_data) return number[response->first + response->size - 1];
    for (uint32_t k = 0; k < response->size; k++)
        sum += number[response->first + k] * number[response->first + k];
    return sqrt(sum / response->size);
}

static bool keeps_limits(const tn_study_results *results, const double *response)
{
    for (uint32_t k = 0; k < results->responses; k++) {
        const tn_study_response *one = &results->response[k];
        if (one->limited == TN_AT_MOST ? response[k] > one->limit
                                       : one->limited == TN_AT_LEAST && response[k] < one->limit)
            return false;
    }
    return true;
}

/* Whether the best so far has changed by so much that the history of a search would look different. */
static bool is_step(const double *range, double before, double value)
{
    const double change = fabs(value - before);
    return !isfinite(before) || change >= 1e-3 * (range[1] - range[0]) || change >= 1e-2 * fabs(before);
}

/* A row whose response number k is less or greater than all before is taken where that is a step; else it waits for being the last one. */
static bool is_record(tn_study_rows *rows, const double *row, uint32_t k, double value, size_t set)
{
    double *range = rows->record + 4 * (size_t)k + 2 * set;
    bool any = false;
    for (size_t side = 0; side < 2; side++) {
        double *pending = rows->pending + (4 * (size_t)k + 2 * set + side) * rows->columns;
        const double before = range[side];
        if (side == 0 ? !(value < before) : !(value > before)) continue;
        range[side] = value;
        pending[TN_NUMBER] = (double)NAN;
        if (is_step(range, before, value))
            any = true;
        else
            memcpy(pending, row, rows->columns * sizeof *row);
    }
    return any;
}

/* Less or greater than all before, or than those before that keep all limits: no best case may be left out. */
static bool is_any_record(tn_study_rows *rows, const double *row, const double *response)
{
    const size_t sets = keeps_limits(rows->results, response) ? 2 : 1;
    bool any = false;
    for (uint32_t k = 0; k < rows->results->responses; k++)
        for (size_t set = 0; set < sets; set++)
            if (is_record(rows, row, k, response[k], set)) any = true;
    return any;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

static double status_of(const tn_study_results *results, const char *status)
{
    uint32_t k = 0;
    while (k < results->statuses && strcmp(results->status[k].status, status) != 0)
        k++;
    return k;
}

static double *next_row(tn_study_rows *rows)
{
    if (rows->count == rows->room) {
        const size_t room = rows->room ? 2 * rows->room : 1024;
        double *value = realloc(rows->value, room * rows->columns * sizeof *value);
        if (!value) return NULL;
        rows->value = value;
        rows->room = room;
    }
    return rows->value + rows->count * rows->columns;
}

static double reason_of(tn_study_rows *rows, const tn_study_case *one)
{
    tn_bytes text = {0};
    if (!*one->place) return number_of(rows, one->reason);
    tn_bytes_add(&text, one->reason, strlen(one->reason));
    tn_bytes_add(&text, " (", 2);
    tn_bytes_add(&text, one->place, strlen(one->place));
    tn_bytes_add(&text, ")", 2);
    const double number = text.failed ? (rows->failed = true, 0.0) : number_of(rows, (const char *)text.at);
    tn_bytes_free(&text);
    return number;
}

static tn_status take_case(void *data, const tn_study_case *one)
{
    tn_study_rows *rows = data;
    const tn_study_results *results = rows->results;
    const bool is_ok = strcmp(one->status, "ok") == 0, waits = strcmp(one->status, "waiting") == 0;
    double *row = next_row(rows);
    if (!row) return TN_OUT_OF_MEMORY;
    double *response = row + TN_FIRST_COLUMN + results->variables;
    memcpy(row + TN_FIRST_COLUMN, one->value, results->variables * sizeof *row);
    for (uint32_t k = 0; k < results->responses; k++)
        response[k] = reduce(&results->response[k], one->response);
    response[results->responses] = one->effort;
    row[TN_NUMBER] = (double)one->number;
    row[TN_STATUS] = status_of(results, one->status);
    row[TN_REASON] = 0.0;
    bool taken = is_ok && is_any_record(rows, row, response);
    if (is_named(rows, one->number)) taken = true;
    taken =
        taken || tn_random_uniform(0, 0, one->number) < (is_ok || waits ? rows->share : rows->failed_share);
    if (!taken) return TN_OK;
    row[TN_REASON] = reason_of(rows, one);
    rows->count++;
    return rows->failed ? TN_OUT_OF_MEMORY : TN_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The best ones of all, among the others, each once. */
static tn_status add_pending(tn_study_rows *rows)
{
    const size_t size = rows->columns * sizeof(double), most = 4 * (size_t)rows->results->responses;
    size_t kept = 0;
    for (size_t k = 0; k < most; k++) {
        const double *from = rows->pending + k * rows->columns;
        if (isnan(from[TN_NUMBER])) continue;
        double *row = next_row(rows);
        if (!row) return TN_OUT_OF_MEMORY;
        memcpy(row, from, size);
        rows->count++;
    }
    if (rows->count) qsort(rows->value, rows->count, size, compare_rows); // by TN_NUMBER, which comes first
    for (size_t k = 0; k < rows->count; k++) {
        double *from = rows->value + k * rows->columns, *to = rows->value + kept * rows->columns;
        if (kept && from[TN_NUMBER] == to[TN_NUMBER - (ptrdiff_t)rows->columns]) continue;
        if (from != to) memcpy(to, from, size);
        kept++;
    }
    rows->count = kept;
    return TN_OK;
}

tn_status tn_study_rows_read(tn_study_rows *rows, const tn_study_results *results, uint64_t most)
{
    const size_t records = 4 * (size_t)results->responses;
    *rows = (tn_study_rows){.results = results,
                            .columns = TN_FIRST_COLUMN + (size_t)results->variables + results->responses + 1};
    rows->record = calloc(records + 1, sizeof *rows->record);
    rows->pending = calloc(records * rows->columns + 1, sizeof *rows->pending);
    rows->named = calloc((size_t)results->answers + 1, sizeof *rows->named);
    if (!rows->record || !rows->pending || !rows->named) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < records; k++) {
        rows->record[k] = k % 2 ? -HUGE_VAL : HUGE_VAL;
        rows->pending[k * rows->columns + TN_NUMBER] = (double)NAN;
    }
    for (uint32_t k = 0; k < results->answers; k++)
        rows->named[k] = results->answer[k].number;
    qsort(rows->named, results->answers, sizeof *rows->named, compare_numbers);
    choose_shares(rows, most);
    (void)number_of(rows, "");
    tn_status status = rows->failed ? TN_OUT_OF_MEMORY : results->visit(results, take_case, rows);
    return status == TN_OK ? add_pending(rows) : status;
}

void tn_study_rows_free(tn_study_rows *rows)
{
    for (size_t k = 0; k < rows->texts; k++)
        free(rows->text[k]);
    free(rows->text);
    free(rows->place);
    free(rows->value);
    free(rows->record);
    free(rows->pending);
    free(rows->named);
    *rows = (tn_study_rows){.count = 0};
}

/* ---- JSON ----------------------------------------------------------------------------------------------------------- */

/* "at":0,"bytes":12 of a column with all bits. */
static void put_column(tn_bytes *json, tn_bytes *store, const tn_study_rows *rows, size_t column)
{
    const size_t count = rows->count;
    double *value = calloc(count + 1, sizeof *value);
    unsigned char *planes = malloc(8 * count + 1);
    for (size_t k = 0; value && k < count; k++)
        value[k] = rows->value[k * rows->columns + column];
    if (value && planes) {
        tn_bits_planes64(value, count, planes);
        (void)tn_put_packed(json, store, planes, 8 * count);
    } else {
        json->failed = true;
    }
    free(value);
    free(planes);
}

static void put_own(tn_bytes *json, tn_bytes *store, const tn_study_rows *rows, const char *name,
                    size_t column)
{
    tn_put_name(json, name);
    tn_put(json, "{");
    put_column(json, store, rows, column);
    tn_put(json, "}");
}

static void put_variable(tn_bytes *json, const tn_study_variable *variable)
{
    tn_put(json, "\"kind\":\"variable\",\"log\":%u", variable->is_log != 0);
    tn_put_pair(json, "name", variable->name);
    tn_put_pair(json, "unit", variable->unit);
    if (variable->levels) tn_put(json, ",\"levels\":[");
    for (uint32_t k = 0; k < variable->levels; k++) {
        if (k) tn_put(json, ",");
        tn_put_text(json, variable->level[k]);
    }
    tn_put(json, variable->levels ? "]," : ",");
}

static void put_response(tn_bytes *json, const tn_study_response *response)
{
    tn_put(json, "\"kind\":\"response\",\"size\":%u,\"data\":%u,\"limited\":%u", response->size,
           response->is_data != 0, response->limited);
    tn_put_pair(json, "name", response->name);
    tn_put_pair(json, "unit", response->is_data ? "" : response->unit);
    tn_put_name(json, "limit");
    tn_put_number(json, response->limit);
    tn_put(json, ",");
}

void tn_put_study_rows(tn_bytes *json, tn_bytes *store, const tn_study_rows *rows)
{
    const tn_study_results *results = rows->results;
    size_t column = TN_FIRST_COLUMN;
    tn_put(json, "\"rows\":{\"count\":%zu", rows->count);
    put_own(json, store, rows, "number", TN_NUMBER);
    put_own(json, store, rows, "status", TN_STATUS);
    put_own(json, store, rows, "reason", TN_REASON);
    tn_put(json, ",\"texts\":[");
    for (size_t k = 0; k < rows->texts; k++) {
        if (k) tn_put(json, ",");
        tn_put_text(json, rows->text[k]);
    }
    tn_put(json, "]},\"columns\":[");
    for (uint32_t k = 0; k < results->variables; k++) {
        tn_put(json, "{");
        put_variable(json, &results->variable[k]);
        put_column(json, store, rows, column++);
        tn_put(json, "},");
    }
    for (uint32_t k = 0; k < results->responses; k++) {
        tn_put(json, "{");
        put_response(json, &results->response[k]);
        put_column(json, store, rows, column++);
        tn_put(json, "},");
    }
    tn_put(json, "{\"kind\":\"effort\",\"name\":\"processor time\",\"unit\":\"s\",");
    put_column(json, store, rows, column);
    tn_put(json, "}]");
}
