/* log_blocks.c - writes the blocks of rows.tnl (see log_blocks.h) */
#define _GNU_SOURCE
#include "record/log_blocks.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

static const char first_line[TN_LOG_ALIGNED] = TN_LOG_WORD TN_LOG_VERSION " little-endian\n";

/* ---- bytes -------------------------------------------------------------------------------------------------- */

static void fail(tn_block_file *blocks, int reason)
{
    if (!blocks->reason) blocks->reason = reason ? reason : EIO;
}

static void write_at(tn_block_file *blocks, const void *bytes, size_t size, uint64_t place)
{
    const char *from = bytes;
    while (size && !blocks->reason) {
        const ssize_t count = TEMP_FAILURE_RETRY(pwrite(blocks->file, from, size, (off_t)place));
        if (count <= 0) {
            fail(blocks, count < 0 ? errno : ENOSPC);
            return;
        }
        from += count;
        place += (uint64_t)count;
        size -= (size_t)count;
    }
}

bool tn_blocks_read(int file, void *bytes, size_t size, uint64_t place)
{
    char *to = bytes;
    errno = 0;
    while (size) {
        const ssize_t count = TEMP_FAILURE_RETRY(pread(file, to, size, (off_t)place));
        if (count <= 0) return false;
        to += count;
        place += (uint64_t)count;
        size -= (size_t)count;
    }
    return true;
}

static uint64_t next_start(uint64_t start, uint64_t length)
{
    const uint64_t end = start + sizeof(tn_block_head) + length;
    return (end + TN_LOG_ALIGNED - 1) / TN_LOG_ALIGNED * TN_LOG_ALIGNED;
}

static tn_block_head head_of(tn_block_kind kind, uint32_t number, size_t length, uint32_t count, uint32_t crc)
{
    tn_block_head head = {.magic = TN_BLOCK_MAGIC,
                          .kind = kind,
                          .length = length,
                          .count = count,
                          .crc = crc,
                          .number = number};
    head.head_crc = tn_crc32(0, &head, offsetof(tn_block_head, head_crc));
    return head;
}

/* Blocks take turns with two buffers, so that one that is complete stays as it is while the next one begins. */
static char *buffer_of(const tn_block_file *blocks, uint32_t number)
{
    return blocks->buffers + (number & 1) * blocks->capacity;
}

static char *buffer_of_last(const tn_block_file *blocks)
{
    return buffer_of(blocks, atomic_load_explicit(&blocks->number, memory_order_relaxed));
}

/* The block is complete: the next one begins. The order of assignments matters to tn_blocks_flush_crashed(). */
static void begin_next(tn_block_file *blocks, uint64_t length, uint32_t crc)
{
    blocks->whole = 0;
    blocks->chain = tn_crc32(blocks->chain, &crc, sizeof crc);
    blocks->number++;
    blocks->start = next_start(blocks->start, length);
    blocks->used = blocks->written = blocks->passed = 0;
    blocks->count = blocks->crc = 0;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static void make_buffers(tn_block_file *blocks, size_t largest)
{
    tn_arena pages = {0}; /* which short runs touch few of */
    blocks->capacity = largest > TN_LOG_BLOCK ? largest : TN_LOG_BLOCK;
    blocks->buffers = tn_arena_new(&pages, 2 * blocks->capacity);
}

bool tn_blocks_create(tn_block_file *blocks, int folder, size_t largest)
{
    *blocks = (tn_block_file){.start = TN_LOG_ALIGNED};
    blocks->file = RETRIED(openat(folder, TN_LOG, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (blocks->file < 0) {
        fail(blocks, errno);
        return false;
    }
    make_buffers(blocks, largest);
    write_at(blocks, first_line, sizeof first_line, 0);
    return !blocks->reason;
}

/* The next bytes of the last block, which its head does not count yet. */
static void write_on(tn_block_file *blocks, size_t size)
{
    const char *from = buffer_of_last(blocks) + blocks->written - blocks->passed;
    write_at(blocks, from, size, blocks->start + sizeof(tn_block_head) + blocks->written);
    blocks->crc = tn_crc32(blocks->crc, from, size);
    blocks->written += size;
}

void tn_blocks_flush(tn_block_file *blocks)
{
    if (blocks->written == blocks->used || blocks->reason) return;
    write_on(blocks, blocks->used - blocks->written);
    const tn_block_head head =
        head_of(TN_RECORD_BLOCK, blocks->number, blocks->used, blocks->count, blocks->crc);
    write_at(blocks, &head, sizeof head, blocks->start);
}

static void end_block(tn_block_file *blocks)
{
    if (!blocks->used) return;
    tn_blocks_flush(blocks);
    begin_next(blocks, blocks->used, blocks->crc);
}

tn_block_pieces tn_blocks_begin(tn_block_file *blocks)
{
    end_block(blocks);
    return (tn_block_pieces){.blocks = blocks};
}

void tn_blocks_put_piece(void *data, const char *bytes, size_t size)
{
    tn_block_pieces *pieces = data;
    write_at(pieces->blocks, bytes, size, pieces->blocks->start + sizeof(tn_block_head) + pieces->size);
    pieces->crc = tn_crc32(pieces->crc, bytes, size);
    pieces->size += size;
}

/* Its head comes last: before that, it is no part of the file. */
void tn_blocks_end(const tn_block_pieces *pieces, tn_block_kind kind)
{
    tn_block_file *blocks = pieces->blocks;
    const tn_block_head head = head_of(kind, blocks->number, pieces->size, 1, pieces->crc);
    write_at(blocks, &head, sizeof head, blocks->start);
    begin_next(blocks, pieces->size, pieces->crc);
}

void tn_blocks_put(tn_block_file *blocks, tn_block_kind kind, const void *bytes, size_t size)
{
    tn_block_pieces pieces = tn_blocks_begin(blocks);
    tn_blocks_put_piece(&pieces, bytes, size);
    tn_blocks_end(&pieces, kind);
}

void *tn_blocks_add(tn_block_file *blocks, tn_record_kind kind, uint16_t table, uint32_t words)
{
    const tn_record_head head = {.kind = (uint16_t)kind, .table = table, .words = words};
    const size_t size = sizeof head + 8 * (size_t)words;
    while (atomic_load_explicit(&blocks->ends, memory_order_relaxed))
        (void)pause(); /* another thread has crashed and ends the process */
    if (blocks->used && blocks->used + size > TN_LOG_BLOCK) end_block(blocks);
    char *to = buffer_of_last(blocks) + blocks->used;
    memcpy(to, &head, sizeof head);
    blocks->used += size;
    blocks->count++;
    return to + sizeof head;
}

void *tn_blocks_pass(tn_block_file *blocks, void *to)
{
    char *const buffer = buffer_of_last(blocks);
    const size_t size = (size_t)((char *)to - buffer);
    if (blocks->used <= TN_LOG_BLOCK || size < TN_LOG_BLOCK / 2) return to;
    write_on(blocks, size);
    blocks->passed = blocks->written;
    return buffer;
}

void tn_blocks_finish(tn_block_file *blocks)
{
    if (blocks->used > TN_LOG_BLOCK) end_block(blocks); /* its buffer may lack what has been passed */
    const uint64_t words = blocks->used / 8;
    atomic_store_explicit(&blocks->whole, words << 32 | blocks->count, memory_order_release);
}

/* The finished records of a block, as another thread sees them. */
typedef struct finished_records {
    uint64_t whole, start;
    uint32_t number;
} finished_records;

/* If the writing thread begins the next block meanwhile, it first removes the records, then increments the number, which the loop
 * detects. */
static finished_records see_finished(const tn_block_file *blocks)
{
    finished_records seen;
    do {
        seen.number = blocks->number;
        seen.whole = blocks->whole;
        seen.start = blocks->start;
    } while (seen.number != blocks->number || seen.whole != blocks->whole);
    return seen;
}

static void write_finished(tn_block_file *blocks, finished_records seen)
{
    const size_t size = 8 * (size_t)(seen.whole >> 32);
    const char *buffer = buffer_of(blocks, seen.number);
    const uint32_t crc =
        tn_crc32(0, buffer, size); /* its table has been made for the checksum of the model */
    const tn_block_head head = head_of(TN_RECORD_BLOCK, seen.number, size, (uint32_t)seen.whole, crc);
    write_at(blocks, buffer, size, seen.start + sizeof head);
    write_at(blocks, &head, sizeof head, seen.start);
}

/* Writes the whole block again: the writing thread may be at any point of it, and bytes that are in the file already do not change. That
 * thread may finish one more record, also in the next block, which has the other buffer. The loop then writes a head that counts this record,
 * too: behind a head that does not, its bytes would look like damage. */
void tn_blocks_flush_crashed(tn_block_file *blocks)
{
    uint64_t written = 0;
    blocks->ends = true;
    if (blocks->file < 0 || blocks->reason) return;
    for (finished_records now = see_finished(blocks); now.whole && now.whole != written;
         now = see_finished(blocks)) {
        write_finished(blocks, now);
        written = now.whole;
    }
}

void tn_blocks_close(tn_block_file *blocks)
{
    if (blocks->file < 0) return;
    tn_blocks_flush(blocks);
    if (close(blocks->file) != 0 && errno != EINTR)
        fail(blocks, errno); /* an interrupted close() has closed the file */
    blocks->file = -1;
}

/* ---- continuing ------------------------------------------------------------------------------------------------- */

void tn_blocks_place(tn_block_file *blocks, tn_table_place *place)
{
    tn_blocks_flush(blocks);
    /* some files are on no disk: EINVAL */
    if (!blocks->reason && RETRIED(fsync(blocks->file)) != 0 && errno != EINVAL) fail(blocks, errno);
    *place = (tn_table_place){{blocks->start, blocks->used, (uint64_t)blocks->count << 32 | blocks->number,
                               (uint64_t)blocks->chain << 32 | blocks->crc}};
}

/* The checksum of a block's bytes. */
static bool sum_block(const tn_block_file *blocks, uint64_t place, uint64_t length, uint32_t *crc)
{
    char piece[1 << 14];
    *crc = 0;
    while (length) {
        const size_t size = length < sizeof piece ? (size_t)length : sizeof piece;
        if (!tn_blocks_read(blocks->file, piece, size, place)) return false;
        *crc = tn_crc32(*crc, piece, size);
        place += size;
        length -= size;
    }
    return true;
}

/* Skips the blocks before the place, and checks that they are those of the run. */
static bool pass_blocks(tn_block_file *blocks, const tn_table_place *place)
{
    char line[sizeof first_line];
    if (!tn_blocks_read(blocks->file, line, sizeof line, 0) || memcmp(line, first_line, sizeof line) != 0)
        return false;
    while (blocks->start < place->number[0]) {
        tn_block_head head;
        uint32_t crc;
        if (!tn_blocks_read(blocks->file, &head, sizeof head, blocks->start) ||
            head.length > place->number[0] ||
            !sum_block(blocks, blocks->start + sizeof head, head.length, &crc))
            return false;
        begin_next(blocks, head.length, crc);
    }
    return blocks->start == place->number[0] && blocks->number == (uint32_t)place->number[2] &&
           blocks->chain == (uint32_t)(place->number[3] >> 32);
}

static bool find_place(tn_block_file *blocks, const tn_table_place *place)
{
    if (place->number[1] > blocks->capacity || !pass_blocks(blocks, place)) return false;
    blocks->used = blocks->written = (size_t)place->number[1];
    blocks->count = (uint32_t)(place->number[2] >> 32);
    blocks->crc = (uint32_t)place->number[3];
    char *const buffer = buffer_of_last(blocks);
    return tn_blocks_read(blocks->file, buffer, blocks->used, blocks->start + sizeof(tn_block_head)) &&
           tn_crc32(0, buffer, blocks->used) == blocks->crc;
}

const char *tn_blocks_reopen(tn_block_file *blocks, int folder, size_t largest, const tn_table_place *place)
{
    struct stat status;
    *blocks = (tn_block_file){.start = TN_LOG_ALIGNED};
    blocks->file = RETRIED(openat(folder, TN_LOG, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (blocks->file < 0 || fstat(blocks->file, &status) != 0) return strerror(errno);
    make_buffers(blocks, largest);
    if (!S_ISREG(status.st_mode)) return "it is no regular file";
    return find_place(blocks, place) ? NULL : "its content is not what the run has written";
}

void tn_blocks_cut(tn_block_file *blocks)
{
    const tn_block_head head =
        head_of(TN_RECORD_BLOCK, blocks->number, blocks->used, blocks->count, blocks->crc);
    const uint64_t end = blocks->start + (blocks->used ? sizeof head + blocks->used : 0);
    if (RETRIED(ftruncate(blocks->file, (off_t)end)) != 0) fail(blocks, errno);
    if (blocks->used) write_at(blocks, &head, sizeof head, blocks->start);
    tn_blocks_finish(blocks);
}
