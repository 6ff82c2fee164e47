/* piece.c - a part of a recording (see piece.h) */
#include "record/piece.h"

#include "record/recording.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------------------ */

tn_recording_place tn_recording_place_of(const tn_recording *recording)
{
    tn_recording_place place = {.count = TN_ROWS_KNOWN + (size_t)recording->tables};
    place.known = tn_new(place.count, sizeof *place.known);
    place.known[TN_EVENTS_KNOWN] = recording->events;
    place.known[TN_MODES_KNOWN] = recording->modes;
    place.known[TN_FRAMES_KNOWN] = recording->frames;
    for (uint32_t t = 0; t < recording->tables; t++)
        place.known[TN_ROWS_KNOWN + t] = recording->table[t].rows;
    return place;
}

void tn_recording_place_print(const tn_recording_place *place, tn_text *text)
{
    for (size_t k = 0; k < place->count; k++)
        tn_text_add(text, "%s%llu", k ? "-" : "", (unsigned long long)place->known[k]);
}

bool tn_recording_place_read(const tn_recording *recording, const char *text, tn_recording_place *place)
{
    *place = tn_recording_place_of(recording);
    for (size_t k = 0; k < place->count; k++) {
        const size_t digits = strspn(text, "0123456789");
        const uint64_t number = strtoull(text, NULL, 10);
        const char end = k + 1 < place->count ? '-' : '\0';
        if (!digits || digits > 18 || text[digits] != end || number > place->known[k]) {
            tn_free(place->known);
            return false;
        }
        place->known[k] = number;
        text += digits + (end != '\0');
    }
    return true;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static bool is_range(uint64_t first, uint64_t count, uint64_t all)
{
    return first <= all && count <= all - first;
}

static tn_status piece_rows(const tn_recording *recording, uint32_t table, uint64_t first, uint64_t count,
                            double *value)
{
    const tn_recorded_piece *piece = recording->self;
    if (table >= recording->tables || !is_range(first, count, recording->table[table].rows))
        return TN_INVALID;
    return piece->whole->rows(piece->whole, table, piece->from[TN_ROWS_KNOWN + table] + first, count, value);
}

static tn_status piece_frame(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                             double *pose, double *wrench)
{
    const tn_recorded_piece *piece = recording->self;
    if (!is_range(first, count, recording->frames)) return TN_INVALID;
    return piece->whole->frame(piece->whole, piece->from[TN_FRAMES_KNOWN] + first, count, time, pose, wrench);
}

/* How many of the items between two places, each of `size` numbers, fit into `most` numbers. */
static uint64_t take(uint64_t from, uint64_t to, size_t size, size_t most, bool *more)
{
    const uint64_t fit = size < most ? most / size : 1, rest = to - from;
    *more = *more || rest > fit;
    return rest > fit ? fit : rest;
}

bool tn_recorded_piece_cut(tn_recorded_piece *piece, const tn_recording *whole,
                           const tn_recording_place *from, size_t most, tn_recording_place *next)
{
    bool more = false;
    const uint64_t *known = from->known;
    *next = tn_recording_place_of(whole);
    *piece = (tn_recorded_piece){.recording = *whole, .whole = whole, .from = known};
    tn_recording *part = &piece->recording;
    piece->table = tn_new(whole->tables + (size_t)1, sizeof *piece->table);
    for (uint32_t t = 0; t < whole->tables; t++) {
        const uint64_t first = known[TN_ROWS_KNOWN + t];
        piece->table[t] = whole->table[t];
        piece->table[t].rows = take(first, whole->table[t].rows, whole->table[t].columns, most, &more);
        next->known[TN_ROWS_KNOWN + t] = first + piece->table[t].rows;
    }
    const size_t numbers = 1 + 7 * (size_t)whole->tracks + 6 * (size_t)whole->wrenches;
    part->frames = take(known[TN_FRAMES_KNOWN], whole->frames, numbers, most, &more);
    next->known[TN_FRAMES_KNOWN] = known[TN_FRAMES_KNOWN] + part->frames;
    part->self = piece;
    part->table = piece->table;
    part->events = (uint32_t)(whole->events - known[TN_EVENTS_KNOWN]);
    part->event = tn_recording_events(whole) + known[TN_EVENTS_KNOWN];
    part->rows = piece_rows;
    part->frame = piece_frame;
    return more;
}

void tn_recorded_piece_free(tn_recorded_piece *piece) { tn_free(piece->table); }
