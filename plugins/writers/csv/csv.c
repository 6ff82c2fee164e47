/* csv.c - result tables as text: DIRECTORY/TABLE.csv, and the units in DIRECTORY/TABLE.units.csv.
 *
 * Rows are collected in a buffer, which is written in whole lines when it is full, and with the first row that comes 50 ms or more
 * after the last time, so that a run with long steps writes each row at once. The buffer survives a crash: the kernel calls
 * flush_crashed() in a signal handler. Therefore the buffer is written by pwrite(), which may be repeated, and the order in which
 * `used` and `written` change is valid at any moment. Numbers have as few digits as reproduce the same bits. */
#include "tenon/author.h"

#include "tenon/draft/append.h"

#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NUMBER_LENGTH 25u      /* "-1.2345678901234567e-308" and a separator */
#define KEPT ((size_t)1 << 16) /* bytes of rows that are written at once, about */
#define LONGEST_WAIT 50000000  /* ns: from a write to the next row that is written at once */
#define START_OF_SUM UINT64_C(14695981039346656037)

typedef struct csv_table {
    const tn_host *host;
    const char *path;
    char *buffer;
    size_t columns;
    _Atomic size_t used;   /* bytes of complete lines in the buffer */
    _Atomic off_t written; /* bytes of complete lines in the file, after which the buffer belongs */
    atomic_bool ends;      /* the process has crashed and ends: no more rows */
    int64_t flushed;       /* ns: when the buffer was written last */
    off_t summed;          /* bytes of the file in `sum` */
    uint64_t sum;
    int file;
    bool failed;
} csv_table;

static bool cut(const csv_table *table)
{
    int result;
    do {
        result = ftruncate(table->file, table->written);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Reports the first failure, and removes an incomplete line from the file. */
static tn_status failure(csv_table *table, const char *action)
{
    if (!table->failed)
        tn_say(table->host, TN_ERROR, "csv: cannot %s %s: %s", action, table->path, strerror(errno));
    if (table->file >= 0 && !cut(table))
        tn_say(table->host, TN_WARNING, "csv: the last line of %s may be incomplete", table->path);
    table->failed = true;
    return TN_FATAL;
}

/* Writes the buffer after the written bytes; returns how many bytes were written. */
static size_t write_buffer(const csv_table *table)
{
    const off_t written = atomic_load(&table->written); // before `used`: see take_written()
    const size_t used = atomic_load(&table->used);
    size_t done = 0;
    while (done < used) {
        const ssize_t count = pwrite(table->file, table->buffer + done, used - done, written + (off_t)done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    return done;
}

/* The first bytes of the buffer are in the file. Between the two assignments the buffer is empty, so that nothing is written twice. */
static void take_written(csv_table *table, size_t count)
{
    atomic_store(&table->used, 0);
    atomic_store(&table->written, atomic_load(&table->written) + (off_t)count);
}

static tn_status flush(csv_table *table)
{
    const size_t used = atomic_load(&table->used);
    size_t done = write_buffer(table);
    const bool whole = done == used;
    while (!whole && done > 0 && table->buffer[done - 1] != '\n')
        done--;
    take_written(table, done);
    return whole ? TN_OK : failure(table, "write");
}

/* Called in a signal handler. A row in work is after `used`, and is left out. */
static void flush_crashed(void *self)
{
    csv_table *table = self;
    atomic_store(&table->ends, true);
    if (!table->failed && table->file >= 0) (void)write_buffer(table);
}

/* ns; good to a few milliseconds, and read in a few nanoseconds. */
static int64_t coarse_time(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Appends a name, in quotes where it contains a separator, a quote or a line break. */
static void append_name(csv_table *table, const char *name)
{
    char *to = table->buffer + table->used;
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted) *to++ = '"';
    for (const char *from = name; *from; from++) {
        if (*from == '"') *to++ = '"';
        *to++ = *from;
    }
    if (quoted) *to++ = '"';
    table->used = (size_t)(to - table->buffer);
}

/* A line of names or of units. */
static void append_line(csv_table *table, const tn_column *columns, bool units)
{
    for (size_t i = 0; i < table->columns; i++) {
        const char *text = units ? columns[i].unit : columns[i].name;
        if (text) append_name(table, text);
        table->buffer[table->used++] = i + 1 < table->columns ? ',' : '\n';
    }
}

/* Appends a number. Whole ones are frequent, and have no exponent. */
static char *append_number(char *to, double value)
{
    if (!(fabs(value) < 1e15) || value != (double)(int64_t)value || (value == 0.0 && signbit(value)))
        return tn_csv_number(to, to + NUMBER_LENGTH, value);
    char digits[20];
    size_t count = 0;
    uint64_t rest = (uint64_t)fabs(value);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0.0) *to++ = '-';
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

/* DIRECTORY/TABLE and an ending, in memory of the host. */
static const char *make_path(const tn_host *host, const char *directory, const char *name, const char *ending)
{
    const size_t size = strlen(directory) + strlen(name) + strlen(ending) + 2;
    char *path = host->allocate(host, size);
    if (path) (void)snprintf(path, size, "%s/%s%s", directory, name, ending);
    return path;
}

static tn_status close_file(csv_table *table)
{
    if (table->file < 0) return TN_OK;
    const int result = close(table->file);
    table->file = -1;
    return result == 0 || errno == EINTR
               ? TN_OK
               : failure(table, "close"); // an interrupted close() has closed the file
}

static tn_status open_file(csv_table *table, const char *path, int flags)
{
    table->path = path;
    table->written = 0;
    do {
        table->file = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0666);
    } while (table->file < 0 && errno == EINTR);
    return table->file >= 0 ? TN_OK : TN_FATAL;
}

/* Creates a file with the content of the buffer. */
static tn_status start_file(csv_table *table, const char *path)
{
    const tn_status status = open_file(table, path, O_RDWR | O_CREAT | O_EXCL);
    return status == TN_OK ? flush(table) : failure(table, "create");
}

/* An upper bound of the text of names and units with all characters doubled, or of a row of numbers. */
static size_t longest_text(const tn_column *columns, size_t count)
{
    size_t names = 0, units = 0;
    for (size_t i = 0; i < count; i++) {
        names += 2 * strlen(columns[i].name) + 3;
        units += columns[i].unit ? 2 * strlen(columns[i].unit) + 3 : 1;
    }
    const size_t text = names + units, numbers = count * NUMBER_LENGTH;
    return text > numbers ? text : numbers;
}

/* A table that has no file yet, and the paths of its two files. */
static csv_table *new_table(const tn_host *host, const char *directory, const char *name,
                            const tn_column *columns, size_t column_count, const char *path[2])
{
    csv_table *table = host->allocate(host, sizeof *table);
    if (!table) return NULL;
    *table = (csv_table){.host = host, .columns = column_count, .file = -1, .sum = START_OF_SUM};
    table->buffer =
        host->allocate(host, KEPT + longest_text(columns, column_count)); // the last row begins below KEPT
    path[0] = make_path(host, directory, name, ".csv");
    path[1] = make_path(host, directory, name, ".units.csv");
    return table->buffer && path[0] && path[1] ? table : NULL;
}

/* The content of the file of units. */
static void append_units(csv_table *table, const tn_column *columns)
{
    append_line(table, columns, false);
    append_line(table, columns, true);
}

static tn_status open_table(const tn_host *host, TN_UNUSED const void *instance, const char *directory,
                            const char *name, const tn_column *columns, size_t column_count, void **self)
{
    const char *path[2];
    csv_table *table = new_table(host, directory, name, columns, column_count, path);
    if (!table) return TN_OUT_OF_MEMORY;

    // the units first: the table itself stays open
    append_units(table, columns);
    tn_status status = start_file(table, path[1]);
    if (status == TN_OK) status = close_file(table);
    if (status == TN_OK) {
        append_line(table, columns, false);
        status = start_file(table, path[0]);
    }
    if (status != TN_OK) (void)close_file(table);
    *self = status == TN_OK ? table : NULL;
    return status;
}

static tn_status write_row(void *self, const double *values)
{
    csv_table *table = self;
    if (table->failed) return TN_FATAL;
    while (atomic_load_explicit(&table->ends, memory_order_relaxed))
        (void)pause(); // another thread has crashed, and ends the process
    char *const begin = table->buffer + atomic_load_explicit(&table->used, memory_order_relaxed), *to = begin;
    for (size_t i = 0; i < table->columns; i++) {
        to = append_number(to, values[i]);
        *to++ = i + 1 < table->columns ? ',' : '\n';
    }
    const size_t used = (size_t)(to - table->buffer);
    atomic_store_explicit(&table->used, used, memory_order_release);
    const int64_t now = coarse_time();
    if (used < KEPT && now - table->flushed < LONGEST_WAIT) return TN_OK;
    table->flushed = now;
    return flush(table);
}

static tn_status close_table(void *self)
{
    csv_table *table = self;
    if (!table) return TN_OK;
    if (!table->failed) (void)flush(table);
    return tn_worse(table->failed ? TN_FATAL : TN_OK, close_file(table));
}

/* ---- continuing a table -------------------------------------------------------------------------------------- */

/* Continues the checksum (FNV-1a) to `end`; false where the file cannot be read so far. */
static bool sum_up(csv_table *table, off_t end)
{
    unsigned char piece[1 << 14];
    while (table->summed < end) {
        const size_t rest = (size_t)(end - table->summed), most = rest < sizeof piece ? rest : sizeof piece;
        const ssize_t count = pread(table->file, piece, most, table->summed);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        for (ssize_t i = 0; i < count; i++)
            table->sum = (table->sum ^ piece[i]) * UINT64_C(1099511628211);
        table->summed += count;
    }
    return true;
}

static tn_status place_of_table(void *self, tn_table_place *place)
{
    csv_table *table = self;
    if (table->failed || flush(table) != TN_OK) return TN_FATAL;
    int result;
    do {
        result = fsync(table->file);
    } while (result != 0 && errno == EINTR);
    if (result != 0 && errno != EINVAL)
        return failure(table, "bring to the disk"); // EINVAL: the file is on no disk
    if (!sum_up(table, table->written)) return failure(table, "read");
    *place = (tn_table_place){{(uint64_t)table->written, table->sum}};
    return TN_OK;
}

/* Whether the content of a file is that of the buffer. */
static bool holds_buffer(csv_table *table, const char *path)
{
    bool same = open_file(table, path, O_RDONLY) == TN_OK;
    size_t done = 0;
    while (same && done <= table->used) {
        char piece[1 << 12];
        const ssize_t count = read(table->file, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) break;
        same = count > 0 && (size_t)count <= table->used - done &&
               memcmp(piece, table->buffer + done, (size_t)count) == 0;
        done += same ? (size_t)count : 0;
    }
    same = same && done == table->used;
    (void)close_file(table);
    table->used = 0;
    return same;
}

/* Opens the table, and checks its rows up to the place; false after a message. */
static bool find_place(csv_table *table, const char *path, const tn_table_place *place)
{
    struct stat status;
    const off_t end = (off_t)place->number[0];
    if (open_file(table, path, O_RDWR) != TN_OK || fstat(table->file, &status) != 0)
        tn_refuse(table->host, NULL, "the table %s cannot be opened: %s", path, strerror(errno));
    else if (!S_ISREG(status.st_mode) || end < 0 || status.st_size < end)
        tn_refuse(table->host, NULL, "the table %s is shorter than it was", path);
    else if (!sum_up(table, end) || table->sum != place->number[1])
        tn_refuse(table->host, NULL, "the rows of the table %s are not those that the run has written", path);
    else
        return true;
    return false;
}

static tn_status reopen_table(const tn_host *host, TN_UNUSED const void *instance,
                              const tn_reopened_table *asked, void **self)
{
    const char *path[2];
    csv_table *table =
        new_table(host, asked->directory, asked->name, asked->columns, asked->column_count, path);
    *self = NULL;
    if (!table) return TN_OUT_OF_MEMORY;
    append_units(table, asked->columns);
    if (!holds_buffer(table, path[1])) {
        tn_refuse(host, NULL, "the columns of the table %s are not those of the run", path[1]);
        return TN_INVALID;
    }
    if (!find_place(table, path[0], asked->place)) {
        (void)close_file(table);
        return TN_INVALID;
    }
    atomic_store(&table->written, (off_t)asked->place->number[0]);
    *self = table;
    return TN_OK;
}

static tn_status cut_table(void *self)
{
    csv_table *table = self;
    return cut(table) ? TN_OK : failure(table, "shorten");
}

static const tn_append_capability csv_append = {.struct_size = sizeof csv_append,
                                                .place = place_of_table,
                                                .reopen = reopen_table,
                                                .cut = cut_table,
                                                .flush = flush_crashed};
static const tn_capability csv_capabilities[] = {{TN_APPEND_KEY, &csv_append}, {NULL, NULL}};

static const char *const endings[] = {".csv", ".units.csv", NULL};

static const tn_writer_type csv_type = {
    .struct_size = sizeof(tn_writer_type),
    .name = "csv",
    .summary = "tables as text: TABLE.csv with shortest exact decimals, units in TABLE.units.csv",
    .formula = "one line of names, then one line per row; each number as the shortest text that gives "
               "the same bits when read",
    .literature =
        "Shafranovich: Common Format and MIME Type for Comma-Separated Values (CSV) Files, RFC 4180, 2005; "
        "Adams: Ryu: fast float-to-string conversion, PLDI 2018",
    .capabilities = csv_capabilities,
    .open = open_table,
    .row = write_row,
    .close = close_table,
    .endings = endings,
};

TN_LIBRARY("csv", "1.0.0", "Apache-2.0", "writer of comma-separated tables", {TN_WRITER_KIND, &csv_type})
