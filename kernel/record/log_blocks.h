/* log_blocks.h - the file rows.tnl: a line that says what it is, then blocks of records, one behind the other.
 *
 *     file     "tenon-log 1 little-endian", a newline, zeros up to 32 bytes; then blocks, each from a multiple of 32 bytes on
 *     block    a head of 32 bytes (tn_block_head), then `length` bytes
 *     record   tn_record_head, then its 8-byte words
 *
 * The last block grows: what is new goes behind what is there, and then its head is written anew, which lies within one page. A process
 * that is killed at any moment leaves a file of whole blocks, the last of which has all records of the last flush. Where blocks end
 * depends on their records alone, so a run that goes on from a checkpoint writes the same bytes as one that was never interrupted. */
#ifndef TN_LOG_BLOCKS_H
#define TN_LOG_BLOCKS_H

#include <tenon/draft/append.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_LOG "rows.tnl"
#define TN_LOG_WORD "tenon-log "
#define TN_LOG_VERSION "1"

enum {
    TN_LOG_ALIGNED = 32,    /* bytes: of the first line, of heads, and what blocks begin at a multiple of */
    TN_LOG_BLOCK = 1 << 16, /* bytes: a block ends where it would have more, unless it has one record */
    TN_BLOCK_MAGIC = 0x4b4c4e54
};

typedef enum tn_block_kind {
    TN_MODEL_BLOCK = 1,  /* first, and once: header.h */
    TN_RECORD_BLOCK = 2, /* records */
    TN_END_BLOCK =
        3 /* last, of a run that was ended: its status and its report, two texts that end with zeros */
} tn_block_kind;

typedef struct tn_block_head {
    uint32_t magic, kind;
    uint64_t length;   /* bytes behind the head */
    uint32_t count;    /* records */
    uint32_t crc;      /* of the bytes behind the head (zlib's crc32) */
    uint32_t number;   /* of the block: 0, 1, ... */
    uint32_t head_crc; /* of the fields before */
} tn_block_head;
_Static_assert(sizeof(tn_block_head) == TN_LOG_ALIGNED, "heads of blocks have a fixed size");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers of the log are little-endian");

typedef enum tn_record_kind {
    TN_ROW_RECORD = 1,    /* of the table of that number: its numbers */
    TN_FRAME_RECORD = 2,  /* time; for each track position, and quaternion where it has rotations */
    TN_WRENCH_RECORD = 3, /* time; for each wrench force and torque, as floats of 4 bytes */
    TN_EVENT_RECORD = 4,  /* time, level (a number), element and text, which end with zeros */
    TN_MODE_RECORD = 5    /* time, eigenvalue [2], displacement [tracks][6][2] */
} tn_record_kind;

typedef struct tn_record_head {
    uint16_t kind, table;
    uint32_t words; /* of 8 bytes, behind the head */
} tn_record_head;

/* zlib's crc32, continued; 0 to begin with. */
uint32_t tn_crc32(uint32_t crc, const void *bytes, size_t size);

/* ---- writing ------------------------------------------------------------------------------------------------------ */

typedef struct tn_block_file {
    int file;     /* -1: it is not open */
    int reason;   /* errno of what has failed; 0: nothing has. Nothing is written from there on */
    char *buffer; /* of the last block */
    size_t capacity, used, written; /* bytes: of the buffer, of the block, of these in the file */
    uint64_t start;                 /* of its head in the file */
    uint32_t count, crc, number;    /* of the block; crc: of what is in the file */
    uint32_t chain;                 /* the sums of the blocks before */
} tn_block_file;

/* Makes the file, which must not be there, in a folder. `largest`: bytes of the longest record with its head. False with `reason`. */
bool tn_blocks_create(tn_block_file *blocks, int folder, size_t largest);
/* A block of its own, in front of or behind all records. */
void tn_blocks_put(tn_block_file *blocks, tn_block_kind kind, const void *bytes, size_t size);
/* Room for a record: its words, which the caller fills before the next call. */
void *tn_blocks_add(tn_block_file *blocks, tn_record_kind kind, uint16_t table, uint32_t words);
/* Brings all to the file. */
void tn_blocks_flush(tn_block_file *blocks);
/* The same, to the disk: where the file stands. */
void tn_blocks_place(tn_block_file *blocks, tn_table_place *place);
/* Opens a file that is there at such a place, and changes nothing: NULL, or why what stands up to there is not what stood there. */
const char *tn_blocks_reopen(tn_block_file *blocks, int folder, size_t largest, const tn_table_place *place);
/* After that: removes what stands behind the place. */
void tn_blocks_cut(tn_block_file *blocks);
void tn_blocks_close(tn_block_file *blocks);

#endif
