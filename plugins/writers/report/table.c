/* table.c - the columns of a table: facts about each, and codes of its values
 *
 * Columns are processed in groups that fit into memory: the rows are read once per group and transposed, then each column is coded. */
#include "report.h"

#define GROUP_BYTES (256u << 20)

/* A group of columns, each with `kept` rows. */
typedef struct group {
    const uint32_t *column; /* numbers in the table */
    size_t count;
    uint64_t kept;
    double *value; /* [count][kept] */
    double *time;  /* [kept] */
} group;

static tn_status read_group(const tn_recording *recording, uint32_t table, uint64_t thin, group *g)
{
    tn_row_reader reader;
    const size_t columns = recording->table[table].columns;
    uint64_t at = 0;
    tn_status status = tn_rows_begin(&reader, recording, table, thin);
    if (status != TN_OK) return status;
    do {
        status = tn_rows_next(&reader);
        for (uint64_t r = 0; status == TN_OK && r < reader.count; r++)
            g->time[at + r] = reader.value[r * columns];
        for (size_t k = 0; status == TN_OK && k < g->count; k++)
            for (uint64_t r = 0; r < reader.count; r++)
                g->value[k * g->kept + at + r] = reader.value[r * columns + g->column[k]];
        at += reader.count;
    } while (status == TN_OK && reader.count > 0);
    tn_rows_end(&reader);
    return status;
}

/* ---- facts --------------------------------------------------------------------------------------------------------- */

static void find_range(const double *value, const double *time, uint64_t rows, tn_column_facts *facts)
{
    facts->low = HUGE_VAL;
    facts->high = -HUGE_VAL;
    facts->integers = true;
    for (uint64_t r = 0; r < rows; r++) {
        const double x = value[r];
        if (!isfinite(x)) continue;
        if (!facts->finite++) facts->first = x;
        facts->last = x;
        if (x < facts->low) facts->low = x, facts->low_time = time[r];
        if (x > facts->high) facts->high = x, facts->high_time = time[r];
        facts->integers = facts->integers && x == rint(x);
    }
}

/* Mean and root mean square over time, for linear interpolation between rows; gaps are left out. */
static void find_means(const double *value, const double *time, uint64_t rows, tn_column_facts *facts)
{
    double sum = 0.0, squares = 0.0, span = 0.0;
    for (uint64_t r = 1; r < rows; r++) {
        const double a = value[r - 1], b = value[r], h = time[r] - time[r - 1];
        if (!isfinite(a) || !isfinite(b) || !(h > 0.0)) continue;
        sum += 0.5 * h * (a + b);
        squares += h * (a * a + a * b + b * b) / 3.0;
        span += h;
    }
    facts->span = span;
    facts->mean = span > 0.0 ? sum / span : facts->first;
    facts->rms = span > 0.0 ? sqrt(squares / span) : fabs(facts->first);
}

static void put_facts(tn_bytes *json, const tn_column_facts *facts)
{
    if (!facts->finite) return;
    const struct {
        const char *name;
        double value;
    } all[] = {{"low", facts->low},           {"high", facts->high},
               {"low_time", facts->low_time}, {"high_time", facts->high_time},
               {"first", facts->first},       {"last", facts->last},
               {"mean", facts->mean},         {"rms", facts->rms},
               {"span", facts->span}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tn_put_name(json, all[k].name);
        tn_put_number(json, all[k].value);
    }
}

/* ---- codes --------------------------------------------------------------------------------------------------------- */

/* Memory for the codes of a column, and their planes. */
typedef struct scratch {
    void *code;
    unsigned char *planes;
} scratch;

static bool put_exact(tn_bytes *json, tn_bytes *store, const double *value, uint64_t rows, scratch *work)
{
    tn_bits_planes64(value, rows, work->planes);
    tn_put(json, ",\"codec\":\"exact\",");
    return tn_put_packed(json, store, work->planes, 8 * rows);
}

bool tn_put_times(tn_bytes *json, tn_bytes *store, const double *time, size_t count, int64_t *code,
                  unsigned char *planes)
{
    double largest = 0.0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(time[k]));
    const double step = tn_time_step(largest);
    for (size_t k = 0; k < count; k++)
        code[k] = isfinite(time[k]) ? (int64_t)rint(time[k] / step) : 0;
    tn_code_planes64(code, count, planes);
    tn_put(json, "\"codec\":\"d64\",\"step\":%.17g,", step);
    return tn_put_packed(json, store, planes, 8 * count);
}

static bool put_time_column(tn_bytes *json, tn_bytes *store, const double *time, uint64_t rows, scratch *work)
{
    tn_put(json, ",");
    return tn_put_times(json, store, time, rows, work->code, work->planes);
}

/* Writes a bit for each row: 1 where the value is not finite. */
static bool put_gaps(tn_bytes *json, tn_bytes *store, const double *value, uint64_t rows, scratch *work)
{
    const size_t bytes = (size_t)(rows + 7) / 8;
    memset(work->planes, 0, bytes);
    for (uint64_t r = 0; r < rows; r++)
        if (!isfinite(value[r])) work->planes[r / 8] = (unsigned char)(work->planes[r / 8] | 1u << r % 8);
    tn_put(json, ",\"gaps\":{");
    const bool complete = tn_put_packed(json, store, work->planes, bytes);
    tn_put(json, "}");
    return complete;
}

/* The code of a gap is that of the value before. */
static bool put_d2(tn_bytes *json, tn_bytes *store, const double *value, uint64_t rows,
                   const tn_column_facts *facts, scratch *work)
{
    const tn_code_scale scale = tn_scale_of(facts->low, facts->high, facts->integers);
    int32_t *code = work->code, before = 0;
    bool gaps = false;
    for (uint64_t r = 0; r < rows; r++) {
        if (isfinite(value[r]))
            before = tn_code_of(scale, value[r]);
        else
            gaps = true;
        code[r] = before;
    }
    tn_code_planes32(code, rows, work->planes);
    tn_put(json, ",\"codec\":\"d2\",\"origin\":%.17g,\"step\":%.17g,", scale.origin, scale.step);
    return tn_put_packed(json, store, work->planes, 4 * rows) &&
           (!gaps || put_gaps(json, store, value, rows, work));
}

/* ---- the table ------------------------------------------------------------------------------------------------------- */

static void put_column(tn_bytes *json, const tn_recorded_column *column)
{
    tn_put(json, "{\"component\":%u,\"components\":%u", column->component, column->components);
    tn_put_pair(json, "name", column->name);
    tn_put_pair(json, "unit", column->unit);
    tn_put_pair(json, "sensor", column->sensor);
    tn_put_pair(json, "subject", column->subject);
    tn_put_pair(json, "quantity", column->quantity);
    if (column->description && *column->description) tn_put_pair(json, "description", column->description);
}

static bool put_group(tn_bytes *json, tn_bytes *store, const tn_recorded_table *table, const group *g,
                      bool find, bool exact, tn_column_facts *facts, scratch *work)
{
    bool done = true;
    for (size_t k = 0; done && k < g->count; k++) {
        const uint32_t c = g->column[k];
        const double *value = g->value + k * g->kept;
        if (find) {
            facts[c] = (tn_column_facts){0};
            find_range(value, g->time, g->kept, facts + c);
            find_means(value, g->time, g->kept, facts + c);
        }
        if (c) tn_put(json, ",");
        put_column(json, table->column + c);
        put_facts(json, facts + c);
        done = exact    ? put_exact(json, store, value, g->kept, work)
               : c == 0 ? put_time_column(json, store, value, g->kept, work)
                        : put_d2(json, store, value, g->kept, facts + c, work);
        tn_put(json, "}");
    }
    return done;
}

/* Chooses the columns of the page: time, and those that match the setting `channels`; all where it is empty. */
static size_t choose_columns(const tn_recorded_table *table, const tn_texts *patterns, uint32_t *chosen)
{
    size_t count = 0;
    for (uint32_t c = 0; c < table->columns; c++)
        if (c == 0 || !patterns->count || tn_matches(patterns, table->column[c].name) ||
            tn_matches(patterns, table->column[c].sensor))
            chosen[count++] = c;
    return count;
}

static tn_status put_groups(tn_bytes *json, tn_bytes *store, const tn_recording *recording, uint32_t table,
                            tn_column_facts *facts, uint64_t thin, const tn_report_settings *settings,
                            uint32_t *chosen)
{
    const tn_recorded_table *t = &recording->table[table];
    const size_t count = choose_columns(t, &settings->channels, chosen);
    const uint64_t kept = tn_rows_kept(t->rows, thin);
    const size_t room = (size_t)(kept ? kept : 1) * sizeof(double), fit = GROUP_BYTES / room,
                 most = fit < 1       ? 1
                        : fit < count ? fit
                                      : count;
    group g = {.kept = kept, .value = malloc(most * room), .time = malloc(room)};
    scratch work = {malloc(room), malloc(room)};
    tn_status status = g.value && g.time && work.code && work.planes ? TN_OK : TN_OUT_OF_MEMORY;
    for (size_t first = 0; status == TN_OK && first < count; first += g.count) {
        g.column = chosen + first;
        g.count = count - first < most ? count - first : most;
        status = read_group(recording, table, thin, &g);
        if (status == TN_OK && !put_group(json, store, t, &g, thin <= 1, settings->exact, facts, &work))
            status = TN_OUT_OF_MEMORY;
    }
    free(g.value);
    free(g.time);
    free(work.code);
    free(work.planes);
    return status;
}

tn_status tn_put_table(tn_bytes *json, tn_bytes *store, const tn_recording *recording, uint32_t table,
                       tn_column_facts *facts, uint64_t thin, const tn_report_settings *settings)
{
    const tn_recorded_table *t = &recording->table[table];
    uint32_t *chosen = malloc((t->columns ? t->columns : 1) * sizeof *chosen);
    if (!chosen) return TN_OUT_OF_MEMORY;
    tn_put(json, "{\"rows\":%llu,\"kept\":%llu", (unsigned long long)t->rows,
           (unsigned long long)tn_rows_kept(t->rows, thin));
    tn_put_pair(json, "name", t->name);
    tn_put_name(json, "columns");
    tn_put(json, "[");
    const tn_status status = put_groups(json, store, recording, table, facts, thin, settings, chosen);
    tn_put(json, "]}");
    free(chosen);
    return status;
}
