/* compare_command.c - `tenon compare A.csv B.csv`: how far two results differ, column by column. */
#include "cli/cli.h"
#include "cli/csv_table.h"
#include "cli/options.h"
#include "cli/text_table.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Where B is read for each row of A: at a row, with `weight` of the one behind it. */
typedef struct position {
    bool inside; /* of B's times */
    size_t row;
    double weight;
} position;

typedef struct comparison {
    const char *a_path, *b_path;
    tn_csv_table a, b;
    double relative, absolute;
    position *positions; /* [rows of A] */
    size_t outside;      /* rows of A that B has no time for */
} comparison;

/* What a column differs by. */
typedef struct difference {
    double largest, time, rms, scale; /* scale: largest finite magnitude in B */
} difference;

/* ---- times ---- */

/* Times that differ by round-off only are the same. */
static double time_round_off(const tn_csv_table *b)
{
    double largest = 0.0;
    for (size_t i = 0; i < b->rows; i++)
        largest = fmax(largest, fabs(tn_csv_value(b, i, 0)));
    return 1e-12 * largest;
}

/* Walks through both tables at once. Where both have several rows of one time (a jump), first meets first. */
static void place_times(comparison *work)
{
    const tn_csv_table *a = &work->a, *b = &work->b;
    const double round_off = time_round_off(b);
    size_t next = 0; /* first row of B that is not used up */
    work->positions = tn_new(a->rows, sizeof *work->positions);
    for (size_t i = 0; i < a->rows; i++) {
        const double time = tn_csv_value(a, i, 0);
        while (next < b->rows && tn_csv_value(b, next, 0) < time - round_off)
            next++;
        const double after = next < b->rows ? tn_csv_value(b, next, 0) : HUGE_VAL;
        const double before = next ? tn_csv_value(b, next - 1, 0) : -HUGE_VAL;
        position *place = &work->positions[i];
        if (after <= time + round_off) {
            *place = (position){true, next, 0.0};
            next++;
        } else if (before >= time - round_off) {
            *place = (position){true, next - 1, 0.0};
        } else if (next && next < b->rows) {
            *place = (position){true, next - 1, (time - before) / (after - before)};
        } else {
            work->outside++;
        }
    }
}

/* ---- values ---- */

static double value_at(const tn_csv_table *b, const position *place, size_t column)
{
    const double first = tn_csv_value(b, place->row, column);
    if (place->weight == 0.0) return first;
    return (1.0 - place->weight) * first + place->weight * tn_csv_value(b, place->row + 1, column);
}

/* Distance of two values; equal infinities and two NaN are equal, NaN and a number are infinitely far apart. */
static double distance_of_values(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return 0.0;
    const double apart = fabs(a - b);
    return isnan(apart) ? HUGE_VAL : apart;
}

static difference compare_column(const comparison *work, size_t a_column, size_t b_column)
{
    difference found = {0};
    long double squares = 0.0L; /* wide enough for squares of any double */
    for (size_t i = 0; i < work->a.rows; i++) {
        const position *place = &work->positions[i];
        if (!place->inside) continue;
        const double apart =
            distance_of_values(tn_csv_value(&work->a, i, a_column), value_at(&work->b, place, b_column));
        squares += (long double)apart * (long double)apart;
        if (apart <= found.largest) continue;
        found.largest = apart;
        found.time = tn_csv_value(&work->a, i, 0);
    }
    for (size_t i = 0; i < work->b.rows; i++) {
        const double size = fabs(tn_csv_value(&work->b, i, b_column));
        if (isfinite(size)) found.scale = fmax(found.scale, size);
    }
    found.rms = (double)sqrtl(squares / (long double)(work->a.rows - work->outside));
    return found;
}

/* Adds a row to the report; true when the column is within its tolerance. */
static bool report_column(const comparison *work, tn_text_table *table, const char *name)
{
    const difference found =
        compare_column(work, tn_csv_column(&work->a, name), tn_csv_column(&work->b, name));
    const double tolerance = work->absolute + work->relative * found.scale;
    const bool within = found.largest <= tolerance;
    tn_text_table_add(table, "%s", name);
    tn_text_table_add(table, "%.6g", found.largest);
    tn_text_table_add(table, found.largest > 0.0 ? "%.9g" : "-", found.time);
    tn_text_table_add(table, "%.6g", found.rms);
    tn_text_table_add(table, "%.6g", tolerance);
    tn_text_table_add(table, "%s", within ? "within" : "ABOVE");
    return within;
}

static int report_columns(const comparison *work, const tn_words *columns)
{
    static const char *const headings[] = {"column",         "largest difference", "at time",
                                           "rms difference", "tolerance",          "verdict"};
    tn_text_table table = {.columns = sizeof headings / sizeof headings[0]};
    size_t above = 0;
    for (size_t i = 0; i < table.columns; i++)
        tn_text_table_add(&table, "%s", headings[i]);
    for (size_t i = 0; i < columns->count; i++)
        above += !report_column(work, &table, columns->word[i]);
    tn_text_table_print(&table, stdout);

    printf("tolerance: %g + %g * largest magnitude in %s\n", work->absolute, work->relative, work->b_path);
    printf("rows compared: %zu of %zu\n", work->a.rows - work->outside, work->a.rows);
    if (work->outside)
        printf("not compared: %zu rows of %s outside the times of %s\n", work->outside, work->a_path,
               work->b_path);
    printf("columns above tolerance: %zu of %zu\n", above, columns->count);
    return above ? 1 : 0;
}

/* ---- columns ---- */

static void report_only(const tn_csv_table *table, const tn_csv_table *other, const char *path)
{
    for (size_t i = 1; i < table->columns; i++)
        if (tn_csv_column(other, table->name[i]) == SIZE_MAX)
            printf("only in %s: %s\n", path, table->name[i]);
}

static void take_common_columns(const comparison *work, tn_words *columns)
{
    for (size_t i = 1; i < work->a.columns; i++)
        if (tn_csv_column(&work->b, work->a.name[i]) != SIZE_MAX) tn_words_add(columns, work->a.name[i]);
    report_only(&work->a, &work->b, work->a_path);
    report_only(&work->b, &work->a, work->b_path);
}

static bool has_column(const tn_csv_table *table, const char *path, const char *name)
{
    const size_t column = tn_csv_column(table, name);
    if (column == 0) {
        fprintf(stderr, "tenon compare: rows are matched by \"time\", which cannot be compared itself\n");
        return false;
    }
    if (column != SIZE_MAX) return true;
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (size_t i = 1; i < table->columns; i++)
        tn_nearest_offer(&search, table->name[i]);
    fprintf(stderr, "tenon compare: %s has no column \"%s\"%s%s%s\n", path, name,
            search.best ? ": did you mean \"" : "", search.best ? search.best : "", search.best ? "\"?" : "");
    return false;
}

/* Splits "a,b,c" in place and checks every name in both files. */
static bool take_chosen_columns(const comparison *work, char *list, tn_words *columns)
{
    bool good = true;
    for (char *name; (name = strsep(&list, ","));) {
        if (!*name) continue;
        tn_words_add(columns, name);
        good = has_column(&work->a, work->a_path, name) && good;
        good = has_column(&work->b, work->b_path, name) && good;
    }
    return good;
}

/* ---- command ---- */

/* Compares the files; `chosen` lists columns, or is NULL for all that both have. */
static int compare_tables(comparison *work, const char *chosen)
{
    tn_words columns = {0};
    char *list = chosen ? tn_copy_text(chosen) : NULL;
    if (list && !take_chosen_columns(work, list, &columns)) return 2;
    if (!list) take_common_columns(work, &columns);

    /* nothing to compare is not the same as no difference */
    place_times(work);
    if (columns.count && work->outside != work->a.rows) return report_columns(work, &columns);
    if (!columns.count)
        fprintf(stderr, "tenon compare: the files have no column in common\n");
    else
        fprintf(stderr, "tenon compare: no row of %s lies in the times of %s\n", work->a_path, work->b_path);
    return 1;
}

static bool is_tolerance(double number) { return isfinite(number) && number >= 0.0; }

int tn_command_compare(int argc, char **argv)
{
    comparison work = {.relative = 1e-6, .absolute = 1e-9};
    const char *chosen = NULL;
    const tn_option options[] = {
        {"--columns", "a,b,...", TN_OPTION_TEXT, &chosen, "compare only these; default: all common columns"},
        {"--rtol", "R", TN_OPTION_NUMBER, &work.relative, "relative tolerance, default 1e-6"},
        {"--atol", "A", TN_OPTION_NUMBER, &work.absolute, "absolute tolerance, default 1e-9"},
        {0}};
    const tn_usage usage = {"compare",
                            "Compares two tables of results at the times of A; where the times differ, it\n"
                            "interpolates B linearly. A column passes if its largest difference is at most\n"
                            "A + R * (largest magnitude in B). Exit status 1 if one does not.",
                            "A.csv B.csv",
                            2,
                            2,
                            options};
    tn_words files = {0};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &files, &status)) return status;
    if (!is_tolerance(work.relative)) return tn_wrong_usage(&usage, "--rtol cannot be %g", work.relative);
    if (!is_tolerance(work.absolute)) return tn_wrong_usage(&usage, "--atol cannot be %g", work.absolute);
    work.a_path = files.word[0];
    work.b_path = files.word[1];
    const bool a_good = tn_csv_read(work.a_path, &work.a, stderr);
    return tn_csv_read(work.b_path, &work.b, stderr) && a_good ? compare_tables(&work, chosen) : 2;
}
