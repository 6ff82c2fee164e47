/* header.h - the model in the log: its first block. */
#ifndef TN_HEADER_H
#define TN_HEADER_H

#include "record/codec.h"

#include <tenon/draft/recording.h>

/* Writes or reads the fields of the recording that are known before the run: texts, sizes, tracks, drawings, wrenches, tables. What was
 * read is checked; `lacks` of the codec says whether it is wrong. */
void tn_header_code(tn_recording *recording, tn_codec *codec);
/* Writes it where drawings and wrenches do not stand in the recording, which has their numbers only: each call gives the next one. */
typedef struct tn_header_lists {
    void (*drawing)(void *data, tn_recorded_drawing *drawing);
    void (*wrench)(void *data, tn_recorded_wrench *wrench);
    void *data;
} tn_header_lists;
void tn_header_write(tn_recording *recording, const tn_header_lists *lists, tn_codec *codec);
/* Words of a record, with its time. */
uint32_t tn_frame_words(const tn_recording *recording);
/* Wrenches are floats: two numbers in a word. */
static inline uint32_t tn_wrench_words(const tn_recording *recording) { return 1 + 3 * recording->wrenches; }
static inline uint32_t tn_mode_words(const tn_recording *recording) { return 3 + 12 * recording->tracks; }

#endif
