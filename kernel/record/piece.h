/* piece.h - a part of a recording, as a recording of its own: the rows, frames and events behind a place. Pages that follow a run get such
 * parts. */
#ifndef TN_PIECE_H
#define TN_PIECE_H

#include "base/text.h"

#include <tenon/draft/recording.h>

/* A place in a recording: the numbers of events, modes, frames, and rows of each table in front of it. */
enum { TN_EVENTS_KNOWN, TN_MODES_KNOWN, TN_FRAMES_KNOWN, TN_ROWS_KNOWN };

typedef struct tn_recording_place {
    uint64_t *known; /* [count] */
    size_t count;
} tn_recording_place;

typedef struct tn_recorded_piece {
    tn_recording recording; /* first */
    const tn_recording *whole;
    const uint64_t *from; /* of the place */
    tn_recorded_table *table;
} tn_recorded_piece;

/* The end of a recording; free `known` with tn_free. */
tn_recording_place tn_recording_place_of(const tn_recording *recording);
/* A place as text, "12-0-300-1500", and back; false where the text is no place of this recording. */
void tn_recording_place_print(const tn_recording_place *place, tn_text *text);
bool tn_recording_place_read(const tn_recording *recording, const char *text, tn_recording_place *place);
/* The part behind `from`, with at most `most` numbers of each table and of the frames; `next` is where it ends. It uses the memory of the
 * whole. True: the recording has more behind it. */
bool tn_recorded_piece_cut(tn_recorded_piece *piece, const tn_recording *whole,
                           const tn_recording_place *from, size_t most, tn_recording_place *next);
void tn_recorded_piece_free(tn_recorded_piece *piece);

#endif
