/* recording.c - reads the log of a run (see recording.h)
 *
 * Opening reads and checks every block once. The first 32 MB are kept, since writers go over all rows and frames several times; later
 * calls read the other blocks that they need, and check them again. A refresh reads the last block of records again, which may have grown,
 * and those behind it. */
#define _GNU_SOURCE
#include "record/recording.h"

#include "record/log_index.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct log_reader {
    tn_recording recording; /* first */
    tn_diagnostics *diagnostics;
    tn_arena arena;
    tn_log_index index;
    const char *path;
    int file;
    uint64_t size;
    struct timespec changed;
    uint64_t place;    /* of the head of the last block of records, or of the block behind the model */
    uint32_t number;   /* of that block */
    uint32_t misses;   /* refreshes in a row that could not read it */
    const char *fault; /* why reading stopped, "" at the end of the file, */
    uint64_t fault_at; /* at this byte */
    char *block;       /* the bytes of the block that was read last, in memory of `capacity` */
    size_t capacity;
    size_t loaded;       /* the number in the index of the block at hand; SIZE_MAX: none is */
    const char *at_hand; /* its bytes */
    char **kept;         /* [kept_count] of the first blocks */
    size_t kept_count, kept_capacity, kept_bytes;
    size_t kept_last; /* bytes of the last one of them */
    bool ended;
    tn_recorded_table *table;
    tn_recorded_event *event; /* by ascending times */
    size_t event_capacity;
} log_reader;

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

enum { MOST_KEPT = 1 << 25 }; /* bytes */

/* Reads the bytes of a block; false where they do not have its checksum. */
static bool read_block(log_reader *reader, const tn_indexed_block *block)
{
    reader->loaded = SIZE_MAX;
    if (block->length + 1 > reader->capacity) {
        tn_free(reader->block);
        reader->block = tn_new_aligned(block->length + 1, 1);
        reader->capacity = block->length + 1;
    }
    return tn_blocks_read(reader->file, reader->block, block->length, block->start) &&
           tn_crc32(0, reader->block, block->length) == block->crc;
}

/* The block that has been read is the next one of the index, and stays in memory while there is room. */
static void keep(log_reader *reader)
{
    if (reader->kept_bytes + reader->capacity > MOST_KEPT || reader->kept_count + 1 != reader->index.blocks)
        return;
    reader->kept =
        tn_grow(reader->kept, &reader->kept_capacity, reader->kept_count + 1, sizeof *reader->kept);
    reader->kept[reader->kept_count++] = reader->block;
    reader->kept_bytes += reader->kept_last = reader->capacity;
    reader->block = NULL;
    reader->capacity = 0;
}

/* The last block of the index is about to be read again. */
static void forget_last(log_reader *reader)
{
    reader->loaded = SIZE_MAX;
    if (!reader->kept_count || reader->kept_count != reader->index.blocks) return;
    tn_free(reader->kept[--reader->kept_count]);
    reader->kept_bytes -= reader->kept_last;
}

static tn_status load(log_reader *reader, size_t number)
{
    if (reader->loaded == number) return TN_OK;
    if (number < reader->kept_count) {
        reader->at_hand = reader->kept[number];
        reader->loaded = number;
        return TN_OK;
    }
    if (!read_block(reader, &reader->index.block[number])) {
        tn_tell(reader->diagnostics, TN_SEVERITY_ERROR, (tn_place){0}, "%s cannot be read: %s", reader->path,
                errno ? strerror(errno) : "it is being changed");
        return TN_FATAL;
    }
    reader->at_hand = reader->block;
    reader->loaded = number;
    return TN_OK;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* The last block whose first row of the table is this one or an earlier one. */
static size_t find_block(const log_reader *reader, uint32_t table, uint64_t row)
{
    const tn_log_index *index = &reader->index;
    size_t low = 0, high = index->blocks;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (index->first_row[middle * reader->recording.tables + table] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Copies rows *next to end - 1 of a table as far as the block has them, and increments *next. */
static double *copy_rows(const log_reader *reader, size_t number, uint32_t table, uint64_t *next,
                         uint64_t end, double *value)
{
    uint64_t row = reader->index.first_row[number * reader->recording.tables + table];
    const uint32_t columns = reader->recording.table[table].columns;
    const char *at = reader->at_hand, *last = at + reader->index.block[number].length;
    while (at < last && *next < end) {
        tn_record_head head;
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        if (head.kind == TN_ROW_RECORD && head.table == table && row++ == *next) {
            memcpy(value, at, columns * sizeof *value);
            value += columns;
            (*next)++;
        }
        at += 8 * (size_t)head.words;
    }
    return value;
}

static bool is_range(uint64_t first, uint64_t count, uint64_t all)
{
    return first <= all && count <= all - first;
}

static tn_status read_rows(const tn_recording *recording, uint32_t table, uint64_t first, uint64_t count,
                           double *value)
{
    log_reader *reader = recording->self;
    if (table >= recording->tables || !is_range(first, count, recording->table[table].rows))
        return TN_INVALID;
    const uint64_t end = first + count;
    for (size_t k = count ? find_block(reader, table, first) : 0; first < end; k++) {
        const tn_status status = load(reader, k);
        if (status != TN_OK) return status;
        value = copy_rows(reader, k, table, &first, end, value);
    }
    return TN_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------- */

static tn_status numbers_of(log_reader *reader, const tn_indexed_frame *frame, const char **numbers)
{
    const tn_status status = load(reader, frame->block);
    *numbers = status == TN_OK ? reader->at_hand + frame->place + sizeof(double) : NULL;
    return status;
}

static tn_status read_pose(log_reader *reader, const tn_indexed_frame *frame, double *pose)
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const tn_recording *recording = &reader->recording;
    const char *from;
    const tn_status status = numbers_of(reader, frame, &from);
    for (uint32_t t = 0; t < recording->tracks && status == TN_OK; t++, pose += 7) {
        const size_t size = (recording->track[t].has_rotation ? 7 : 3) * sizeof *pose;
        memcpy(pose + 3, none, sizeof none);
        memcpy(pose, from, size);
        from += size;
    }
    return status;
}

static double float_at(const char *numbers, size_t k)
{
    float number;
    memcpy(&number, numbers + k * sizeof number, sizeof number);
    return (double)number;
}

/* Wrenches are recorded at the end of the first step after a frame: at the frame itself they are interpolated from these and the ones before. */
static tn_status read_wrench(log_reader *reader, uint64_t number, double *wrench)
{
    const tn_log_index *index = &reader->index;
    const size_t count = 6 * (size_t)reader->recording.wrenches, w = index->wrench_of[number];
    const double time = index->frame[number].time;
    const char *from;
    const bool known =
        w < index->wrenches && (number + 1 == index->frames || index->wrench_of[number + 1] > w);
    if (!known) {
        for (size_t k = 0; k < count; k++)
            wrench[k] = (double)NAN;
        return TN_OK;
    }
    const double behind = index->wrench[w].time, before = w ? index->wrench[w - 1].time : behind;
    tn_status status = numbers_of(reader, &index->wrench[w], &from);
    if (status != TN_OK) return status;
    for (size_t k = 0; k < count; k++)
        wrench[k] = float_at(from, k);
    if (!(before < time && time < behind)) return TN_OK;
    const double share = (time - before) / (behind - before);
    status = numbers_of(reader, &index->wrench[w - 1], &from);
    for (size_t k = 0; k < count && status == TN_OK; k++) {
        const double other = float_at(from, k);
        if (isfinite(other)) wrench[k] = other + share * (wrench[k] - other);
    }
    return status;
}

static tn_status read_frames(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                             double *pose, double *wrench)
{
    log_reader *reader = recording->self;
    tn_status status = TN_OK;
    if (!is_range(first, count, recording->frames)) return TN_INVALID;
    for (uint64_t k = 0; k < count && status == TN_OK; k++) {
        const tn_indexed_frame *frame = &reader->index.frame[first + k];
        if (time) time[k] = frame->time;
        if (pose) status = read_pose(reader, frame, pose + 7 * (size_t)recording->tracks * k);
    }
    for (uint64_t k = 0; k < count && wrench && status == TN_OK; k++)
        status = read_wrench(reader, first + k, wrench + 6 * (size_t)recording->wrenches * k);
    return status;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static bool refuse(const log_reader *reader, tn_text *reason, const char *why)
{
    tn_text_add(reason, "%s %s", reader->path, why);
    return false;
}

static bool open_file(log_reader *reader, int folder, tn_text *reason)
{
    struct stat status;
    reader->file =
        (int)TEMP_FAILURE_RETRY(openat(folder, TN_LOG, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (reader->file < 0 && errno == ENOENT)
        return refuse(reader, reason, "does not exist: the run has kept none, or no run has results here");
    if (reader->file < 0 && errno == ELOOP) return refuse(reader, reason, "is a link, which is not followed");
    if (reader->file < 0 || fstat(reader->file, &status) != 0) {
        tn_text_add(reason, "%s cannot be read: %s", reader->path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) return refuse(reader, reason, "is not a file");
    reader->size = (uint64_t)status.st_size;
    reader->changed = status.st_mtim;
    return true;
}

static bool check_first_line(const log_reader *reader, tn_text *reason)
{
    char line[TN_LOG_ALIGNED + 1] = "";
    const size_t word = strlen(TN_LOG_WORD);
    if (reader->size < TN_LOG_ALIGNED || !tn_blocks_read(reader->file, line, TN_LOG_ALIGNED, 0) ||
        memcmp(line, TN_LOG_WORD, word) != 0)
        return refuse(reader, reason, "is no log of a run");
    char *version = line + word;
    version[strcspn(version, " \n")] = '\0';
    if (strcmp(version, TN_LOG_VERSION) == 0) return true;
    tn_text_add(reason,
                "%s is of another version of Tenon: its format is `%.20s`, and tenon " TENON_VERSION
                " reads format " TN_LOG_VERSION,
                reader->path, version);
    return false;
}

/* Reads the next block. NULL, or why there is none: "" at the end of the file, "is damaged". */
static const char *next_block(log_reader *reader, uint64_t *place, uint32_t number, tn_block_head *head,
                              tn_indexed_block *block)
{
    *head = (tn_block_head){0};
    if (*place >= reader->size) return "";
    if (reader->size - *place < sizeof *head || !tn_blocks_read(reader->file, head, sizeof *head, *place))
        return "ends within a block";
    const uint64_t rest = reader->size - *place - sizeof *head;
    if (head->magic == 0 && head->kind == 0 && head->length == 0) return "ends within a block";
    if (head->magic != TN_BLOCK_MAGIC || head->number != number ||
        head->head_crc != tn_crc32(0, head, offsetof(tn_block_head, head_crc)))
        return "is damaged";
    if (head->length > rest) return "ends within a block";
    *block = (tn_indexed_block){*place + sizeof *head, head->length, head->crc, head->count};
    if (!read_block(reader, block)) return "is damaged";
    const uint64_t end = block->start + block->length;
    *place = (end + TN_LOG_ALIGNED - 1) / TN_LOG_ALIGNED * TN_LOG_ALIGNED;
    return NULL;
}

static bool read_model(log_reader *reader, uint64_t *place, tn_text *reason)
{
    tn_block_head head;
    tn_indexed_block block;
    const char *fault = next_block(reader, place, 0, &head, &block);
    if (fault) return refuse(reader, reason, *fault ? fault : "ends in front of the model");
    tn_recording *recording = &reader->recording;
    tn_codec codec = {.reads = true, .bytes = reader->block, .size = block.length, .arena = &reader->arena};
    if (head.kind == TN_MODEL_BLOCK) tn_header_code(recording, &codec);
    if (head.kind != TN_MODEL_BLOCK || codec.lacks) return refuse(reader, reason, "is no log of a run");
    reader->table = tn_arena_array(&reader->arena, recording->tables + (size_t)1, sizeof *reader->table);
    memcpy(reader->table, recording->table, recording->tables * sizeof *reader->table);
    recording->table = reader->table;
    reader->index.rows =
        tn_arena_array(&reader->arena, recording->tables + (size_t)1, sizeof *reader->index.rows);
    return true;
}

/* The status and the report of the run. */
static bool read_end(log_reader *reader, uint64_t length)
{
    const char *status = reader->block;
    if (!length || status[length - 1] != '\0') return false;
    const size_t first = strlen(status) + 1;
    if (first >= length) return false;
    reader->recording.status = tn_arena_text(&reader->arena, status, first - 1);
    reader->recording.run_text = tn_arena_text(&reader->arena, status + first, strlen(status + first));
    reader->ended = true;
    return true;
}

/* Enters a block that has been read. NULL, or why it is not valid. */
static const char *enter_block(log_reader *reader, const tn_block_head *head, const tn_indexed_block *block)
{
    bool good = !reader->ended;
    if (good && head->kind == TN_END_BLOCK)
        good = read_end(reader, block->length);
    else if (good && head->kind == TN_RECORD_BLOCK)
        good = tn_log_index_add(&reader->index, &reader->recording, &reader->arena, block, reader->block);
    else
        good = false;
    return good ? NULL : "is damaged";
}

/* What is there from the last block of records on, up to the end or a fault. */
static void read_records(log_reader *reader)
{
    uint64_t place = reader->place;
    forget_last(reader);
    reader->fault = NULL;
    for (uint32_t number = reader->number; !reader->fault; number++) {
        tn_block_head head;
        tn_indexed_block block;
        const uint64_t at = place;
        reader->fault = next_block(reader, &place, number, &head, &block);
        if (!reader->fault) reader->fault = enter_block(reader, &head, &block);
        reader->fault_at = at;
        if (reader->fault || head.kind != TN_RECORD_BLOCK) continue;
        reader->place = at;
        reader->number = number;
        keep(reader);
    }
    if (reader->ended && *reader->fault) reader->recording.status = "killed";
}

/* By time; events before the run come first, and those at the same time keep their order. */
static void order_events(log_reader *reader)
{
    const tn_log_index *index = &reader->index;
    reader->event = tn_grow(reader->event, &reader->event_capacity, index->events + 1, sizeof *reader->event);
    for (size_t k = 0; k < index->events; k++) {
        const tn_recorded_event event = index->event[k];
        const double time = isnan(event.time) ? -HUGE_VAL : event.time;
        size_t to = k;
        for (; to && reader->event[to - 1].time > time; to--)
            reader->event[to] = reader->event[to - 1];
        reader->event[to] = event;
    }
}

static void conclude(log_reader *reader)
{
    tn_recording *recording = &reader->recording;
    tn_log_index *index = &reader->index;
    for (uint32_t t = 0; t < recording->tables; t++)
        reader->table[t].rows = index->rows[t];
    recording->frames = index->frames;
    recording->time_reached = index->last_time;
    recording->modes = (uint32_t)index->modes;
    recording->mode = index->mode;
    recording->events = (uint32_t)index->events;
    order_events(reader);
    recording->event = reader->event;
    for (int i = 0; i < 3; i++) {
        recording->lower[i] = isnan(index->lower[i]) ? 0.0 : index->lower[i];
        recording->upper[i] = isnan(index->upper[i]) ? 0.0 : index->upper[i];
    }
}

static bool read_all(log_reader *reader, int folder, tn_text *reason)
{
    uint64_t place = TN_LOG_ALIGNED;
    if (!open_file(reader, folder, reason) || !check_first_line(reader, reason) ||
        !read_model(reader, &place, reason))
        return false;
    reader->index.last_time = reader->recording.start_time;
    reader->place = place;
    reader->number = 1;
    read_records(reader);
    conclude(reader);
    return true;
}

tn_recording *tn_recording_open(int folder, const char *directory, tn_diagnostics *diagnostics,
                                tn_text *reason)
{
    log_reader *reader = tn_new(1, sizeof *reader);
    *reader = (log_reader){.diagnostics = diagnostics, .file = -1, .loaded = SIZE_MAX};
    reader->path = tn_arena_print(&reader->arena, "%s/" TN_LOG, directory);
    reader->recording = (tn_recording){.struct_size = sizeof(tn_recording),
                                       .self = reader,
                                       .run_text = "",
                                       .status = "killed",
                                       .rows = read_rows,
                                       .frame = read_frames};
    for (int i = 0; i < 3; i++)
        reader->index.lower[i] = reader->index.upper[i] = (double)NAN;
    if (read_all(reader, folder, reason)) return &reader->recording;
    tn_recording_close(&reader->recording);
    return NULL;
}

const char *tn_recording_rest(const tn_recording *recording)
{
    log_reader *reader = recording->self;
    if (reader->ended && !*reader->fault) return NULL;
    return *reader->fault ? tn_arena_print(&reader->arena, "%s %s, at byte %llu", reader->path, reader->fault,
                                           (unsigned long long)reader->fault_at)
                          : tn_arena_print(&reader->arena, "%s has no end", reader->path);
}

/* ---- reading on ---------------------------------------------------------------------------------------------- */

bool tn_recording_ended(const tn_recording *recording)
{
    return ((const log_reader *)recording->self)->ended;
}

const tn_recorded_event *tn_recording_events(const tn_recording *recording)
{
    return ((const log_reader *)recording->self)->index.event;
}

void tn_recording_put_status(tn_recording *recording, const char *status)
{
    const log_reader *reader = recording->self;
    if (!reader->ended) recording->status = status;
}

/* Whether the file is another one, or shorter than the part that was read. A log with its end does not change any more. */
static bool is_replaced(log_reader *reader, int folder)
{
    struct stat there, here;
    if (fstatat(folder, TN_LOG, &there, AT_SYMLINK_NOFOLLOW) != 0 || fstat(reader->file, &here) != 0 ||
        there.st_dev != here.st_dev || there.st_ino != here.st_ino)
        return true;
    const tn_indexed_block last = tn_log_index_last(&reader->index);
    const bool changed = (uint64_t)here.st_size != reader->size ||
                         here.st_mtim.tv_sec != reader->changed.tv_sec ||
                         here.st_mtim.tv_nsec != reader->changed.tv_nsec;
    reader->size = (uint64_t)here.st_size;
    reader->changed = here.st_mtim;
    return (reader->ended && changed) || reader->size < last.start + last.length;
}

/* Whether the last block of records still begins with the bytes that were read before. */
static bool has_grown_only(log_reader *reader)
{
    enum { PATIENCE = 3 };
    const tn_indexed_block last = tn_log_index_last(&reader->index);
    tn_block_head head;
    tn_indexed_block block;
    uint64_t place = reader->place;
    if (!last.length) return true;
    const char *fault = next_block(reader, &place, reader->number, &head, &block);
    /* the run may be writing its head */
    if (fault) return ++reader->misses < PATIENCE;
    reader->misses = 0;
    return block.length >= last.length && tn_crc32(0, reader->block, last.length) == last.crc;
}

tn_log_news tn_recording_refresh(tn_recording *recording, int folder)
{
    log_reader *reader = recording->self;
    const tn_log_index *index = &reader->index;
    if (is_replaced(reader, folder)) return TN_LOG_REPLACED;
    if (reader->ended) return TN_LOG_SAME;
    if (!has_grown_only(reader)) return TN_LOG_REPLACED;
    if (reader->misses) return TN_LOG_SAME;
    const uint64_t before = tn_log_index_last(index).start + tn_log_index_last(index).length;
    read_records(reader);
    conclude(reader);
    const uint64_t after = tn_log_index_last(index).start + tn_log_index_last(index).length;
    return after != before || reader->ended ? TN_LOG_LONGER : TN_LOG_SAME;
}

void tn_recording_close(tn_recording *recording)
{
    log_reader *reader = recording->self;
    tn_log_index *index = &reader->index;
    if (reader->file >= 0) (void)close(reader->file);
    for (size_t k = 0; k < reader->kept_count; k++)
        tn_free(reader->kept[k]);
    void *const block[] = {index->block, index->first_row, index->frame,  index->wrench, index->wrench_of,
                           index->event, index->mode,      reader->event, reader->block, reader->kept};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        tn_free(block[k]);
    tn_arena_free(&reader->arena);
    tn_free(reader);
}
