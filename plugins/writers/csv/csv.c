/* csv.c - result tables as text: DIRECTORY/TABLE.csv, and the units in DIRECTORY/TABLE.units.csv.
 *
 * Every row goes to the file with one write of its own: a killed run keeps all finished rows and leaves no half line (but for
 * SIGKILL, see csv.md); formatting a row costs more than that. Numbers have 17 significant digits, so that reading them back
 * gives the same bits. */
#include "tenon/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBER_LENGTH 25u /* "-1.2345678901234567e-308" and what follows it */

typedef struct csv_table {
    const tn_host *host;
    const char *path;
    char *buffer;
    size_t used, columns;
    off_t written; /* bytes of complete lines in the file */
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

/* Says what failed, once, and takes a half line off the file. */
static tn_status failure(csv_table *table, const char *action)
{
    if (!table->failed)
        tn_say(table->host, TN_ERROR, "csv: cannot %s %s: %s", action, table->path, strerror(errno));
    if (table->file >= 0 && !cut(table))
        tn_say(table->host, TN_WARNING, "csv: the last line of %s may be incomplete", table->path);
    table->failed = true;
    return TN_FATAL;
}

static tn_status flush(csv_table *table)
{
    size_t done = 0;
    while (done < table->used) {
        const ssize_t count = write(table->file, table->buffer + done, table->used - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failure(table, "write");
        done += (size_t)count;
    }
    table->written += (off_t)done;
    table->used = 0;
    return TN_OK;
}

/* Appends a name, in quotes where it holds what would be read as structure. */
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

/* Appends what "%.17g" gives. Whole numbers are frequent, and a tenth of the work by hand. */
static char *append_number(char *to, double value)
{
    if (!(fabs(value) < 1e15) || value != (double)(int64_t)value || (value == 0.0 && signbit(value))) {
        const int length = snprintf(to, NUMBER_LENGTH, "%.17g", value);
        return to + (length > 0 ? length : 0);
    }
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
    return result == 0 || errno == EINTR ? TN_OK
                                         : failure(table, "close"); // an interrupted one is closed, too
}

/* Starts a file, which is new, with what is in the buffer. */
static tn_status start_file(csv_table *table, const char *path)
{
    table->path = path;
    table->written = 0;
    do {
        table->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (table->file < 0 && errno == EINTR);
    return table->file >= 0 ? flush(table) : failure(table, "create");
}

/* The longest text written at once: names and units with every character doubled, or a row of numbers. */
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

static tn_status open_table(const tn_host *host, TN_UNUSED const void *instance, const char *directory,
                            const char *name, const tn_column *columns, size_t column_count, void **self)
{
    csv_table *table = host->allocate(host, sizeof *table);
    if (!table) return TN_OUT_OF_MEMORY;
    *table = (csv_table){.host = host, .columns = column_count, .file = -1};
    table->buffer =
        host->allocate(host, longest_text(columns, column_count) + 1); // snprintf ends with a zero
    const char *path = make_path(host, directory, name, ".csv");
    const char *units_path = make_path(host, directory, name, ".units.csv");
    if (!table->buffer || !path || !units_path) return TN_OUT_OF_MEMORY;

    // the units first: the table itself stays open
    append_line(table, columns, false);
    append_line(table, columns, true);
    tn_status status = start_file(table, units_path);
    if (status == TN_OK) status = close_file(table);
    if (status == TN_OK) {
        append_line(table, columns, false);
        status = start_file(table, path);
    }
    if (status != TN_OK) (void)close_file(table);
    *self = status == TN_OK ? table : NULL;
    return status;
}

static tn_status write_row(void *self, const double *values)
{
    csv_table *table = self;
    if (table->failed) return TN_FATAL;
    char *to = table->buffer;
    for (size_t i = 0; i < table->columns; i++) {
        to = append_number(to, values[i]);
        *to++ = i + 1 < table->columns ? ',' : '\n';
    }
    table->used = (size_t)(to - table->buffer);
    return flush(table);
}

static tn_status close_table(void *self)
{
    csv_table *table = self;
    if (!table) return TN_OK;
    return tn_worse(table->failed ? TN_FATAL : TN_OK, close_file(table));
}

static const char *const endings[] = {".csv", ".units.csv", NULL};

static const tn_writer_type csv_type = {
    .struct_size = sizeof(tn_writer_type),
    .name = "csv",
    .summary = "tables as text: TABLE.csv with 17 significant digits, units in TABLE.units.csv",
    .formula = "one line of names, then one line per row; numbers as %.17g, which reproduces the same bits",
    .literature =
        "Shafranovich: Common Format and MIME Type for Comma-Separated Values (CSV) Files, RFC 4180, 2005",
    .open = open_table,
    .row = write_row,
    .close = close_table,
    .endings = endings,
};

static const tn_type csv_types[] = {{TN_WRITER_KIND, &csv_type}, {NULL, NULL}};

static const tn_library csv_library = {
    .struct_size = sizeof(tn_library),
    .abi_major = TN_ABI_MAJOR,
    .abi_minor = TN_ABI_MINOR,
    .name = "csv",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .summary = "writer of comma-separated tables",
    .types = csv_types,
};

TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &csv_library; }
