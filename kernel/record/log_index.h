/* log_index.h - where in the log what stands: made once, when it is opened. */
#ifndef TN_LOG_INDEX_H
#define TN_LOG_INDEX_H

#include "record/log_blocks.h"
#include "record/header.h"

typedef struct tn_indexed_block {
    uint64_t start; /* of its bytes in the file */
    uint64_t length;
    uint32_t crc;
} tn_indexed_block;

/* Of a frame, or of wrenches: where its numbers stand. */
typedef struct tn_indexed_frame {
    double time;
    uint32_t block, place; /* place: bytes in the block */
} tn_indexed_frame;

typedef struct tn_log_index {
    tn_indexed_block *block; /* of records */
    size_t blocks, block_capacity;
    uint64_t *first_row; /* [blocks][tables]: of those of each table, the first one in the block */
    size_t row_capacity;
    uint64_t *rows; /* [tables] */
    tn_indexed_frame *frame, *wrench;
    size_t frames, frame_capacity, wrenches, wrench_capacity;
    uint32_t *wrench_of; /* [frames]: of the first wrenches behind the frame */
    size_t wrench_of_capacity;
    tn_recorded_event *event;
    size_t events, event_capacity;
    tn_recorded_mode *mode;
    size_t modes, mode_capacity;
    double lower[3], upper[3]; /* m: of all frames */
    double last_time;          /* s: of the last row or frame */
} tn_log_index;

/* Enters a block of records, whose sum is right. False: it holds what no run has written, and is left out. */
bool tn_log_index_add(tn_log_index *index, const tn_recording *model, tn_arena *arena,
                      const tn_indexed_block *block, const char *bytes, uint32_t count);

#endif
