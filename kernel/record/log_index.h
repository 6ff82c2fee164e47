/* log_index.h - an index of the log, made when it is opened: the places of its blocks, rows and frames, and its events and modes. */
#ifndef TN_LOG_INDEX_H
#define TN_LOG_INDEX_H

#include "record/log_blocks.h"
#include "record/header.h"

typedef struct tn_indexed_block {
    uint64_t start; /* of its bytes in the file */
    uint64_t length;
    uint32_t crc, count; /* count: of its records */
} tn_indexed_block;

/* The place of the numbers of a frame or of wrenches. */
typedef struct tn_indexed_frame {
    double time;
    uint32_t block, place; /* place: bytes in the block */
} tn_indexed_frame;

typedef struct tn_log_index {
    tn_indexed_block *block; /* of records */
    size_t blocks, block_capacity;
    uint64_t *first_row; /* [blocks][tables]: the number of the table's first row in the block */
    size_t row_capacity;
    uint64_t *rows; /* [tables] */
    tn_indexed_frame *frame, *wrench;
    size_t frames, frame_capacity, wrenches, wrench_capacity;
    uint32_t *wrench_of; /* [frames]: number of the first wrenches after the frame */
    size_t wrench_of_capacity;
    tn_recorded_event *event;
    size_t events, event_capacity;
    tn_recorded_mode *mode;
    size_t modes, mode_capacity;
    double lower[3], upper[3]; /* m: of all frames */
    double last_time;          /* s: of the last row or frame */
} tn_log_index;

/* Enters a block of records whose checksum is correct; of the last block, where it has grown, only the new records. False where its content
 * is not valid: it is left out. */
bool tn_log_index_add(tn_log_index *index, const tn_recording *model, tn_arena *arena,
                      const tn_indexed_block *block, const char *bytes);
/* The last block that was entered; of length 0: none. */
tn_indexed_block tn_log_index_last(const tn_log_index *index);

#endif
