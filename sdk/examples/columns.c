/* columns.c - a writer of results: tables in columns, to be read by eye */
#include <tenon/author.h>
#if TN_VALUES
#include <stdio.h>

#define COLUMNS(P) P(INTEGER, width, 0, 16, 8, 40, "letters of a number")
TN_PARAMETERS(columns, COLUMNS)

typedef struct table {
    FILE *file;
    size_t columns;
    int width;
} table;

static tn_status columns_open(const tn_host *host, const void *instance, const char *directory,
                              const char *name, const tn_column *column, size_t column_count, void **self)
{
    const size_t length = strlen(directory) + strlen(name) + sizeof "/.columns.txt";
    char *path = host->allocate(host, length);
    table *made = host->allocate(host, sizeof *made);
    if (!path || !made) return TN_OUT_OF_MEMORY;
    (void)snprintf(path, length, "%s/%s.columns.txt", directory, name);
    *made = (table){fopen(path, "wx"), column_count, (int)((const columns *)instance)->width};
    if (!made->file) return tn_refuse(host, NULL, "%s cannot be made", path);
    *self = made;
    for (size_t k = 0; k < column_count; k++)
        (void)fprintf(made->file, "%*s%s", made->width, column[k].name, k + 1 < column_count ? " " : "\n");
    return ferror(made->file) ? TN_FATAL : TN_OK;
}

/* A row goes out at once: a run that is killed leaves whole ones. */
static tn_status columns_row(void *self, const double *values)
{
    const table *of = self;
    for (size_t k = 0; k < of->columns; k++)
        (void)fprintf(of->file, "%*.*g%s", of->width, of->width - 7, values[k],
                      k + 1 < of->columns ? " " : "\n");
    return fflush(of->file) == 0 ? TN_OK : TN_FATAL;
}

static tn_status columns_close(void *self) { return fclose(((table *)self)->file) == 0 ? TN_OK : TN_FATAL; }

static const char *const columns_endings[] = {".columns.txt", NULL};
TN_WRITER(columns, .summary = "tables to be read by eye", .endings = columns_endings, .open = columns_open,
          .row = columns_row, .close = columns_close)
TN_LIBRARY("columns", "1.0.0", "Apache-2.0", "tables in columns", {TN_WRITER_KIND, &columns_type})
#endif
