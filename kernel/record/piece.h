/* piece.h - a part of a recording, as a recording: what has come since a place, for pages that follow a run. */
#ifndef TN_PIECE_H
#define TN_PIECE_H

#include "base/text.h"

#include <tenon/draft/recording.h>

/* How much of a recording somebody has: events, modes, frames, then the rows of each table. */
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

/* The place that has all; `known` is to be freed. */
tn_recording_place tn_recording_place_of(const tn_recording *recording);
/* "12-0-300-1500": as text, and back; NULL: it is none of this recording, or beyond its end. */
void tn_recording_place_print(const tn_recording_place *place, tn_text *text);
bool tn_recording_place_read(const tn_recording *recording, const char *text, tn_recording_place *place);
/* What stands behind the place, of rows and frames at most so many numbers; the place goes on to its end. Texts and numbers stay those of
 * the whole. True: there is more behind it. */
bool tn_recorded_piece_cut(tn_recorded_piece *piece, const tn_recording *whole,
                           const tn_recording_place *from, size_t most, tn_recording_place *next);
void tn_recorded_piece_free(tn_recorded_piece *piece);

#endif
