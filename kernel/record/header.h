/* header.h - what the log says of the model, in its first block. */
#ifndef TN_HEADER_H
#define TN_HEADER_H

#include "record/codec.h"

#include <tenon/draft/recording.h>

/* Lists the fields of the recording that are known before the run: texts, sizes, tracks, drawings, wrenches, tables. What has been read is
 * checked: `lacks` of the codec. */
void tn_header_code(tn_recording *recording, tn_codec *codec);
/* Numbers of a frame, or of all wrenches at it, with the time. */
uint32_t tn_frame_words(const tn_recording *recording);
/* Wrenches are floats: what they are of has less digits. */
static inline uint32_t tn_wrench_words(const tn_recording *recording) { return 1 + 3 * recording->wrenches; }
static inline uint32_t tn_mode_words(const tn_recording *recording) { return 3 + 12 * recording->tracks; }

#endif
