/* log_blocks.h - the file rows.tnl: a line with the format and its version, then blocks of records.
 *
 *     file     "tenon-log 1 little-endian", a newline, zeros up to 32 bytes; then blocks, each from a multiple of 32 bytes on
 *     block    a head of 32 bytes (tn_block_head), then `length` bytes
 *     record   tn_record_head, then its 8-byte words
 *
 * The last block grows: a flush appends new records, then rewrites the head, which lies within one page. A process that is killed at any
 * moment therefore leaves a file of whole blocks, with all records up to the last flush. Where blocks end depends on their records alone, so
 * a run resumed from a checkpoint writes the same bytes as one that was never interrupted. */
#ifndef TN_LOG_BLOCKS_H
#define TN_LOG_BLOCKS_H

#include <tenon/draft/append.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_LOG "rows.tnl"
#define TN_LOG_WORD "tenon-log "
#define TN_LOG_VERSION "1"

enum {
    TN_LOG_ALIGNED = 32, /* bytes: size of the first line and of a head; blocks begin at a multiple of it */
    TN_LOG_BLOCK = 1 << 16, /* bytes: the size of a block at most, unless it consists of one record */
    TN_BLOCK_MAGIC = 0x4b4c4e54
};

typedef enum tn_block_kind {
    TN_MODEL_BLOCK = 1,  /* the first block: header.h */
    TN_RECORD_BLOCK = 2, /* records */
    TN_END_BLOCK =
        3 /* the last block of a run that ended: its status and its report, two texts that end with zeros */
} tn_block_kind;

typedef struct tn_block_head {
    uint32_t magic, kind;
    uint64_t length;   /* bytes behind the head */
    uint32_t count;    /* records */
    uint32_t crc;      /* of the bytes behind the head (zlib's crc32) */
    uint32_t number;   /* of the block: 0, 1, ... */
    uint32_t head_crc; /* of the fields above */
} tn_block_head;
_Static_assert(sizeof(tn_block_head) == TN_LOG_ALIGNED, "heads of blocks have a fixed size");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers of the log are little-endian");

typedef enum tn_record_kind {
    TN_ROW_RECORD = 1,    /* a row of table number `table`: its numbers */
    TN_FRAME_RECORD = 2,  /* time; of each track the position, and the quaternion where it has rotations */
    TN_WRENCH_RECORD = 3, /* time; of each wrench force and torque, as floats of 4 bytes */
    TN_EVENT_RECORD = 4,  /* time, level (a number), element and text, which end with zeros */
    TN_MODE_RECORD = 5    /* time, eigenvalue [2], displacement [tracks][6][2] */
} tn_record_kind;

typedef struct tn_record_head {
    uint16_t kind, table;
    uint32_t words; /* of 8 bytes, after the head */
} tn_record_head;

/* The CRC-32 of zlib: of bytes that follow those with the checksum `crc`, which is 0 at the beginning. */
uint32_t tn_crc32(uint32_t crc, const void *bytes, size_t size);

/* Reads bytes of the file; false with errno, or with 0 where the file ends before. */
bool tn_blocks_read(int file, void *bytes, size_t size, uint64_t place);

/* ---- writing ------------------------------------------------------------------------------------------------------ */

typedef struct tn_block_file {
    int file;      /* -1: it is not open */
    int reason;    /* errno of the first failure, after which nothing is written; 0: no failure */
    char *buffers; /* of the last block, and of the one before: blocks of even and of odd numbers */
    size_t capacity, used, written; /* bytes of a buffer, of the last block, and of that in the file */
    size_t passed;                  /* of these, bytes before the beginning of the buffer: tn_blocks_pass() */
    _Atomic uint64_t start;         /* of the last block's head in the file */
    _Atomic uint32_t number;        /* of the last block */
    _Atomic uint64_t
        whole; /* finished records of it, which a crash keeps: 2^32 times their words, plus their number */
    atomic_bool ends;    /* the process has crashed and ends: no more records */
    uint32_t count, crc; /* of the last block; crc: of its `written` bytes */
    uint32_t chain;      /* checksum of the checksums of the blocks before */
} tn_block_file;

/* Makes the file, which must not exist, in a folder. `largest`: bytes of the longest record with its head. False with `reason`. */
bool tn_blocks_create(tn_block_file *blocks, int folder, size_t largest);
/* Writes a block that is no record block: the model or the end. */
void tn_blocks_put(tn_block_file *blocks, tn_block_kind kind, const void *bytes, size_t size);
/* The same in pieces: begins the block, adds a piece (of a tn_block_pieces), and makes it a block of the file. */
typedef struct tn_block_pieces {
    tn_block_file *blocks;
    size_t size; /* so far */
    uint32_t crc;
} tn_block_pieces;
tn_block_pieces tn_blocks_begin(tn_block_file *blocks);
void tn_blocks_put_piece(void *pieces, const char *bytes, size_t size);
void tn_blocks_end(const tn_block_pieces *pieces, tn_block_kind kind);
/* Adds a record; returns its words, which the caller fills before the next call. */
void *tn_blocks_add(tn_block_file *blocks, tn_record_kind kind, uint16_t table, uint32_t words);
/* A record has been filled up to there. Of one longer than a block, what is filled may go to the file, so that little of the buffer
 * takes memory. Returns where it goes on. */
void *tn_blocks_pass(tn_block_file *blocks, void *to);
/* The caller has filled all records so far: a crash keeps them. One longer than a block is in the file. */
void tn_blocks_finish(tn_block_file *blocks);
/* Writes the records of the buffer to the file. */
void tn_blocks_flush(tn_block_file *blocks);
/* Flushes finished records in a signal handler, on any thread: the process ends when this returns. */
void tn_blocks_flush_crashed(tn_block_file *blocks);
/* Flushes to the disk, too, and returns the place from which a resumed run continues. */
void tn_blocks_place(tn_block_file *blocks, tn_table_place *place);
/* Opens an existing file to continue at such a place, without changing it. NULL, or why the bytes up to there are not those of the run. */
const char *tn_blocks_reopen(tn_block_file *blocks, int folder, size_t largest, const tn_table_place *place);
/* Afterwards: removes what follows the place. */
void tn_blocks_cut(tn_block_file *blocks);
void tn_blocks_close(tn_block_file *blocks);

#endif
