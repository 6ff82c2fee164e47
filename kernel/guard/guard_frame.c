/* guard_frame.c - guarded copies of the arrays of one call (see guard_frame.h) */
#include "guard/guard_frame.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Bytes between two arrays, and at both ends: loops that run too far often run far. */
enum { ZONE = 1024, END_ZONE = 4096, ALIGNMENT = 64, NEAR = 64 };

/* A signalling NaN: no computation gives one, and a sum with it is another NaN. */
static const uint64_t pattern = UINT64_C(0x7ff4dead5afe7e40);

enum { PIECE = 4096 };
/* What a piece of filled memory is like, wherever it begins */
static unsigned char intact[PIECE + sizeof pattern];

static void fill_with_pattern(unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < sizeof intact && !intact[sizeof intact - 1]; i += sizeof pattern)
        memcpy(intact + i, &pattern, sizeof pattern);
    for (size_t at = 0; at < bytes; at += PIECE)
        memcpy(memory + at, intact, bytes - at < PIECE ? bytes - at : PIECE);
}

/* The first byte from `begin` on that is no more as it was filled, or `end`. */
static size_t first_damage(const unsigned char *memory, size_t begin, size_t end)
{
    while (begin < end) {
        const unsigned char *right = intact + begin % sizeof pattern;
        const size_t size = end - begin < PIECE ? end - begin : PIECE;
        if (memcmp(memory + begin, right, size) != 0) {
            while (memory[begin] == *right)
                begin++, right++;
            return begin;
        }
        begin += size;
    }
    return end;
}

/* Pointers of all types are read and set alike. */
static void *read_pointer(const void *place)
{
    void *pointer = NULL;
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

void tn_guard_add(tn_guard_frame *frame, const char *name, void *pointer, size_t instances, size_t each,
                  tn_guard_use use)
{
    void *outside = read_pointer(pointer);
    if (frame->count == TN_GUARD_MOST_ARRAYS) abort(); /* a call has more of them than this file knows */
    if (!outside && instances && each) return;
    frame->array[frame->count++] = (tn_guard_array){.name = name,
                                                    .pointer = pointer,
                                                    .outside = outside,
                                                    .bytes = instances * each,
                                                    .each = each,
                                                    .use = use};
}

static size_t round_up(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static bool is_output(const tn_guard_array *array)
{
    return array->use == TN_GUARD_WRITES || array->use == TN_GUARD_FINDINGS;
}

void tn_guard_renew(const tn_guard_frame *frame)
{
    for (size_t k = 0; k < frame->count; k++) {
        const tn_guard_array *array = &frame->array[k];
        unsigned char *const inside = frame->memory + array->place;
        if (array->bytes && !is_output(array)) memcpy(inside, array->outside, array->bytes);
        memcpy(array->pointer, &inside, sizeof inside);
    }
}

void tn_guard_open(tn_guard_frame *frame)
{
    size_t bytes = END_ZONE;
    for (size_t k = 0; k < frame->count; k++) {
        frame->array[k].place = bytes;
        bytes = round_up(bytes + frame->array[k].bytes + ZONE);
    }
    frame->bytes = bytes + END_ZONE;
    frame->memory = tn_new_aligned(frame->bytes, 1);
    fill_with_pattern(frame->memory, frame->bytes);
    tn_guard_renew(frame);
}

/* ---- faults ---------------------------------------------------------------------------------------------- */

static void note_fault(tn_guard_frame *frame, const char *verb, const char *name, const char *rest)
{
    (void)tn_print_cut(frame->what, sizeof frame->what, "%s `%s`%s", verb, name, rest);
}

/* Who writes in front of an array does so by a few numbers; who goes too far may go far. Either array may be NULL. */
static void blame_zone(tn_guard_frame *frame, const tn_guard_array *before, const tn_guard_array *after,
                       size_t from_end)
{
    const bool behind = before && (from_end > NEAR || !after || !after->bytes);
    const tn_guard_array *array = behind ? before : after;
    if (!array->bytes)
        note_fault(frame, "writes to", array->name, ", which is empty");
    else
        note_fault(frame, behind ? "writes beyond the end of" : "writes in front of", array->name, "");
}

/* The bytes between two arrays; the pattern begins with the whole memory. */
static bool zone_is_whole(tn_guard_frame *frame, const tn_guard_array *before, const tn_guard_array *after)
{
    const size_t begin = before ? before->place + before->bytes : 0,
                 end = after ? after->place : frame->bytes;
    const size_t at = first_damage(frame->memory, begin, end);
    if (at < end) blame_zone(frame, before, after, end - at);
    return at == end;
}

static bool zones_are_whole(tn_guard_frame *frame)
{
    bool whole = true;
    for (size_t k = 0; k <= frame->count && whole; k++)
        whole =
            zone_is_whole(frame, k ? &frame->array[k - 1] : NULL, k < frame->count ? &frame->array[k] : NULL);
    return whole;
}

static void blame_part(tn_guard_frame *frame, const tn_guard_array *array, size_t byte)
{
    frame->instance = byte / array->each;
    frame->known = array->each < array->bytes;
}

static bool input_is_whole(tn_guard_frame *frame, const tn_guard_array *array)
{
    const unsigned char *inside = frame->memory + array->place, *outside = array->outside;
    if (!array->bytes || !memcmp(inside, outside, array->bytes)) return true;
    size_t byte = 0;
    while (inside[byte] == outside[byte])
        byte++;
    note_fault(frame, "changes", array->name, ", which is read-only");
    blame_part(frame, array, byte);
    return false;
}

static bool output_is_whole(tn_guard_frame *frame, const tn_guard_array *array)
{
    const unsigned char *inside = frame->memory + array->place;
    for (size_t byte = 0; byte + sizeof pattern <= array->bytes; byte += sizeof pattern) {
        if (memcmp(inside + byte, &pattern, sizeof pattern) != 0) continue;
        note_fault(frame, "leaves numbers of", array->name, " unwritten");
        blame_part(frame, array, byte);
        return false;
    }
    return true;
}

bool tn_guard_look(tn_guard_frame *frame, tn_status status)
{
    bool whole = zones_are_whole(frame);
    for (size_t k = 0; k < frame->count && whole; k++)
        if (frame->array[k].use == TN_GUARD_READS) whole = input_is_whole(frame, &frame->array[k]);
    for (size_t k = 0; k < frame->count && whole && status == TN_OK; k++)
        if (frame->array[k].use == TN_GUARD_WRITES) whole = output_is_whole(frame, &frame->array[k]);
    return whole;
}

/* ---- the end of a call ----------------------------------------------------------------------------------- */

/* What has not been written stays as it is. */
static void return_numbers(const tn_guard_array *array, const unsigned char *inside)
{
    for (size_t byte = 0; byte + sizeof pattern <= array->bytes; byte += sizeof pattern)
        if (memcmp(inside + byte, &pattern, sizeof pattern) != 0)
            memcpy((unsigned char *)array->outside + byte, inside + byte, sizeof pattern);
}

void tn_guard_return(const tn_guard_frame *frame)
{
    for (size_t k = 0; k < frame->count; k++) {
        const tn_guard_array *array = &frame->array[k];
        const unsigned char *inside = frame->memory + array->place;
        if (is_output(array))
            return_numbers(array, inside);
        else if (array->use == TN_GUARD_RENEWS && array->bytes)
            memcpy(array->outside, inside, array->bytes);
    }
}

void tn_guard_close(tn_guard_frame *frame)
{
    for (size_t k = 0; k < frame->count; k++)
        memcpy(frame->array[k].pointer, &frame->array[k].outside, sizeof(void *));
    tn_free(frame->memory);
    frame->memory = NULL;
}

tn_guard_frame tn_guard_frame_of(const tn_host **host, void *instance, size_t size, tn_guard_use use)
{
    tn_guard_frame frame = {.count = 0};
    if (host) tn_guard_add(&frame, "host", host, 1, sizeof **host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", instance, 1, size, use);
    return frame;
}

tn_status tn_guard_finish(tn_guard_frame *frame, tn_status status, const void *instance)
{
    const bool whole = tn_guard_look(frame, status);
    if (whole) tn_guard_return(frame);
    tn_guard_close(frame);
    return whole ? status : tn_guard_tell(frame->what, instance ? read_pointer(instance) : NULL, NULL);
}

tn_status tn_guard_prepare(tn_status (*own)(const tn_host *, void *), size_t size, const tn_host *host,
                           void *instance)
{
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, size, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own(host, instance);
    return tn_guard_finish(&frame, status, &instance);
}
