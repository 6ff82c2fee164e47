/* log_index.c - enters records of the log into its index (see log_index.h) */
#include "record/log_index.h"

#include <math.h>
#include <string.h>

/* ---- one record ---------------------------------------------------------------------------------------------- */

/* The words of a record of this kind; UINT32_MAX: any number. */
static uint32_t words_of(const tn_recording *model, const tn_record_head *head)
{
    switch (head->kind) {
    case TN_ROW_RECORD:
        return head->table < model->tables ? model->table[head->table].columns : UINT32_MAX - 1;
    case TN_FRAME_RECORD:
        return tn_frame_words(model);
    case TN_WRENCH_RECORD:
        return tn_wrench_words(model);
    case TN_MODE_RECORD:
        return tn_mode_words(model);
    case TN_EVENT_RECORD:
        return UINT32_MAX;
    default:
        return UINT32_MAX - 1;
    }
}

static double number_at(const char *bytes, size_t k)
{
    double number;
    memcpy(&number, bytes + k * sizeof number, sizeof number);
    return number;
}

static void see_time(tn_log_index *index, double time)
{
    if (time > index->last_time) index->last_time = time;
}

/* The box around all tracks. */
static void widen(tn_log_index *index, const tn_recording *model, const char *bytes)
{
    size_t k = 1;
    for (uint32_t t = 0; t < model->tracks; t++) {
        for (size_t i = 0; i < 3; i++) {
            const double x = number_at(bytes, k + i);
            if (!isfinite(x)) continue;
            if (!(x >= index->lower[i])) index->lower[i] = x;
            if (!(x <= index->upper[i])) index->upper[i] = x;
        }
        k += model->track[t].has_rotation ? 7 : 3;
    }
}

static void add_frame(tn_log_index *index, const tn_recording *model, const char *bytes, uint32_t place)
{
    const uint32_t none = (uint32_t)index->wrenches;
    index->frame = tn_grow(index->frame, &index->frame_capacity, index->frames + 1, sizeof *index->frame);
    index->wrench_of =
        tn_grow(index->wrench_of, &index->wrench_of_capacity, index->frames + 1, sizeof *index->wrench_of);
    index->wrench_of[index->frames] = none;
    index->frame[index->frames++] =
        (tn_indexed_frame){number_at(bytes, 0), (uint32_t)index->blocks - 1, place};
    see_time(index, number_at(bytes, 0));
    widen(index, model, bytes);
}

static void add_wrench(tn_log_index *index, const char *bytes, uint32_t place)
{
    index->wrench =
        tn_grow(index->wrench, &index->wrench_capacity, index->wrenches + 1, sizeof *index->wrench);
    index->wrench[index->wrenches++] =
        (tn_indexed_frame){number_at(bytes, 0), (uint32_t)index->blocks - 1, place};
}

/* Two texts with a zero behind each, behind the time and the level. */
static bool add_event(tn_log_index *index, tn_arena *arena, const char *bytes, size_t size)
{
    const char *element = bytes + 16, *end = bytes + size;
    if (size < 24 || end[-1] != '\0') return false;
    const char *text = element + strlen(element) + 1;
    if (text >= end) return false;
    index->event = tn_grow(index->event, &index->event_capacity, index->events + 1, sizeof *index->event);
    const double level = number_at(bytes, 1);
    index->event[index->events++] =
        (tn_recorded_event){.struct_size = sizeof(tn_recorded_event),
                            .level = level == 1.0   ? TN_WARNING
                                     : level == 2.0 ? TN_ERROR
                                                    : TN_NOTE,
                            .time = number_at(bytes, 0),
                            .element = tn_arena_text(arena, element, strlen(element)),
                            .text = tn_arena_text(arena, text, strlen(text))};
    return true;
}

static void add_mode(tn_log_index *index, tn_arena *arena, const char *bytes, size_t size)
{
    double *number = tn_arena_array(arena, size / sizeof(double) + 1, sizeof *number);
    memcpy(number, bytes, size);
    index->mode = tn_grow(index->mode, &index->mode_capacity, index->modes + 1, sizeof *index->mode);
    index->mode[index->modes++] = (tn_recorded_mode){.struct_size = sizeof(tn_recorded_mode),
                                                     .time = number[0],
                                                     .eigenvalue = {number[1], number[2]},
                                                     .displacement = number + 3};
}

/* ---- a block ------------------------------------------------------------------------------------------------- */

/* Whether the records have the lengths of their kinds, and fill the block. */
static bool is_good(const tn_recording *model, const char *bytes, uint64_t length, uint32_t count)
{
    uint64_t at = 0;
    for (; count; count--) {
        tn_record_head head;
        if (length - at < sizeof head) return false;
        memcpy(&head, bytes + at, sizeof head);
        const uint32_t words = words_of(model, &head);
        at += sizeof head;
        if ((words != UINT32_MAX && words != head.words) || 8 * (uint64_t)head.words > length - at)
            return false;
        at += 8 * (uint64_t)head.words;
    }
    return at == length;
}

static bool enter(tn_log_index *index, const tn_recording *model, tn_arena *arena, const tn_record_head *head,
                  const char *bytes, uint32_t place)
{
    switch (head->kind) {
    case TN_ROW_RECORD:
        index->rows[head->table]++;
        see_time(index, number_at(bytes, 0));
        return true;
    case TN_FRAME_RECORD:
        add_frame(index, model, bytes, place);
        return true;
    case TN_WRENCH_RECORD:
        add_wrench(index, bytes, place);
        return true;
    case TN_EVENT_RECORD:
        return add_event(index, arena, bytes, 8 * (size_t)head->words);
    default:
        add_mode(index, arena, bytes, 8 * (size_t)head->words);
        return true;
    }
}

tn_indexed_block tn_log_index_last(const tn_log_index *index)
{
    return index->blocks ? index->block[index->blocks - 1] : (tn_indexed_block){0};
}

static void begin_block(tn_log_index *index, const tn_recording *model)
{
    index->block = tn_grow(index->block, &index->block_capacity, index->blocks + 1, sizeof *index->block);
    index->first_row = tn_grow(index->first_row, &index->row_capacity, (index->blocks + 1) * model->tables,
                               sizeof *index->first_row);
    memcpy(index->first_row + index->blocks * model->tables, index->rows,
           model->tables * sizeof *index->rows);
    index->blocks++;
}

bool tn_log_index_add(tn_log_index *index, const tn_recording *model, tn_arena *arena,
                      const tn_indexed_block *block, const char *bytes)
{
    tn_indexed_block known = tn_log_index_last(index);
    if (known.start != block->start) known = (tn_indexed_block){0};
    uint32_t count = block->count - known.count, at = (uint32_t)known.length;
    if (block->length > UINT32_MAX || block->length < known.length || block->count < known.count ||
        !is_good(model, bytes + at, block->length - at, count))
        return false;
    if (!known.start) begin_block(index, model);
    index->block[index->blocks - 1] = *block;
    bool good = true;
    for (; count && good; count--) {
        tn_record_head head;
        memcpy(&head, bytes + at, sizeof head);
        at += (uint32_t)sizeof head;
        good = enter(index, model, arena, &head, bytes + at, at);
        at += 8 * head.words;
    }
    return good;
}
