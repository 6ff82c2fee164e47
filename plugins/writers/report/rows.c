/* rows.c - reads the rows of a table piece by piece, all of them or thinned.
 *
 * Thinning replaces `2 thin` rows by a pair with the least and the greatest value of each column, in the order in which they occur, so that
 * no peak is lost. The times are those of the first row and of the row in the middle. */
#include "report.h"

#define PIECE_VALUES (1u << 16)

uint64_t tn_rows_kept(uint64_t rows, uint64_t thin)
{
    if (thin <= 1) return rows;
    const uint64_t rest = rows % (2 * thin);
    return rows / (2 * thin) * 2 + (rest > 1 ? 2 : rest);
}

tn_status tn_rows_begin(tn_row_reader *reader, const tn_recording *recording, uint32_t table, uint64_t thin)
{
    const size_t columns = recording->table[table].columns;
    const uint64_t fit = columns < PIECE_VALUES ? PIECE_VALUES / columns : 1;
    *reader = (tn_row_reader){.recording = recording,
                              .table = table,
                              .thin = thin > 1 ? thin : 1,
                              .raw_rows = fit,
                              .piece = thin > 1 ? 2 * (fit / (2 * thin) + 1) : fit};
    reader->raw = malloc(fit * columns * sizeof *reader->raw);
    reader->value = thin > 1 ? malloc(reader->piece * columns * sizeof *reader->value) : reader->raw;
    if (reader->raw && reader->value) return TN_OK;
    tn_rows_end(reader);
    return TN_OUT_OF_MEMORY;
}

void tn_rows_end(tn_row_reader *reader)
{
    if (reader->value != reader->raw) free(reader->value);
    free(reader->raw);
    reader->raw = reader->value = NULL;
}

/* Updates the extremes of a column in a group. */
static void see(double value, uint64_t row, double *low, double *high, uint64_t *low_row, uint64_t *high_row)
{
    if (!isfinite(value)) return;
    if (!(*low <= value)) *low = value, *low_row = row;
    if (!(*high >= value)) *high = value, *high_row = row;
}

/* Reads one group of rows, in several calls where it is long, and appends its pair to `value`. */
static tn_status thin_group(tn_row_reader *reader, uint64_t rows, double *value, uint64_t *extreme_row)
{
    const size_t columns = reader->recording->table[reader->table].columns;
    double *low = value, *high = value + columns;
    uint64_t *low_row = extreme_row, *high_row = extreme_row + columns;
    for (size_t c = 0; c < columns; c++)
        low[c] = high[c] = (double)NAN, low_row[c] = high_row[c] = 0;
    double time[2] = {0.0, 0.0};
    const uint64_t middle = rows / 2;
    for (uint64_t done = 0; done < rows;) {
        const uint64_t count = rows - done < reader->raw_rows ? rows - done : reader->raw_rows;
        const tn_status status = reader->recording->rows(reader->recording, reader->table,
                                                         reader->next + done, count, reader->raw);
        if (status != TN_OK) return status;
        if (done == 0) time[0] = time[1] = reader->raw[0];
        if (middle >= done && middle < done + count) time[1] = reader->raw[(middle - done) * columns];
        for (uint64_t r = 0; r < count; r++)
            for (size_t c = 1; c < columns; c++)
                see(reader->raw[r * columns + c], done + r, low + c, high + c, low_row + c, high_row + c);
        done += count;
    }
    for (size_t c = 1; c < columns; c++)
        if (high_row[c] < low_row[c]) {
            const double swapped = low[c];
            low[c] = high[c];
            high[c] = swapped;
        }
    low[0] = time[0];
    high[0] = time[1];
    reader->next += rows;
    reader->count += rows > 1 ? 2 : 1;
    return TN_OK;
}

static tn_status next_thinned(tn_row_reader *reader)
{
    const tn_recorded_table *table = &reader->recording->table[reader->table];
    uint64_t *extreme_row = malloc(2 * (size_t)table->columns * sizeof *extreme_row);
    if (!extreme_row) return TN_OUT_OF_MEMORY;
    tn_status status = TN_OK;
    while (status == TN_OK && reader->next < table->rows && reader->count + 2 <= reader->piece) {
        const uint64_t rest = table->rows - reader->next;
        status = thin_group(reader, rest < 2 * reader->thin ? rest : 2 * reader->thin,
                            reader->value + reader->count * table->columns, extreme_row);
    }
    free(extreme_row);
    return status;
}

tn_status tn_rows_next(tn_row_reader *reader)
{
    const tn_recorded_table *table = &reader->recording->table[reader->table];
    reader->count = 0;
    if (reader->thin > 1) return next_thinned(reader);
    const uint64_t rest = table->rows - reader->next, count = rest < reader->piece ? rest : reader->piece;
    if (!count) return TN_OK;
    const tn_status status =
        reader->recording->rows(reader->recording, reader->table, reader->next, count, reader->raw);
    reader->next += count;
    reader->count = status == TN_OK ? count : 0;
    return status;
}
