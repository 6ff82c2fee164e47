/* test_growing_log.c - a log is read while it grows, up to its end; one that takes its place is noticed; pieces join to the whole */
#define _GNU_SOURCE
#include "record/piece.h"
#include "test_log.h"

enum { ROWS = 3000, COLUMNS = 5, FRAMES = 3000 }; /* some blocks */

static tn_block_file blocks;

static int open_folder(void **state)
{
    (void)state;
    return make_folder(ROWS, COLUMNS, FRAMES);
}

static void begin_log(void)
{
    (void)unlinkat(directory, TN_LOG, 0);
    assert_true(tn_blocks_create(&blocks, directory, 1000));
    put_model(&blocks);
}

/* A row, a frame, and an event of the same time. */
static void put_step(uint64_t step)
{
    double value[COLUMNS], pose[7 * TEST_TRACKS];
    assert_int_equal(test_recording_rows(&model.recording, 0, step, 1, value), TN_OK);
    memcpy(tn_blocks_add(&blocks, TN_ROW_RECORD, 0, COLUMNS), value, sizeof value);
    double *to = tn_blocks_add(&blocks, TN_FRAME_RECORD, 0, tn_frame_words(&model.recording));
    assert_int_equal(test_recording_frame(&model.recording, step, 1, to, pose, NULL), TN_OK);
    put_poses(to + 1, pose);
    const double number[3] = {value[0], TN_NOTE, 0.0}; /* two empty texts */
    memcpy(tn_blocks_add(&blocks, TN_EVENT_RECORD, 0, 3), number, sizeof number);
    tn_blocks_finish(&blocks);
}

static tn_recording *read_log(void)
{
    static tn_diagnostics *diagnostics;
    tn_text reason = {0};
    if (!diagnostics) diagnostics = tn_diagnostics_new();
    tn_recording *recording = tn_recording_open(directory, folder, diagnostics, &reason);
    assert_non_null(recording);
    return recording;
}

static void check_row(const tn_recording *recording, uint64_t row, uint64_t wanted)
{
    double own[COLUMNS], right[COLUMNS], time;
    assert_int_equal(recording->rows(recording, 0, row, 1, own), TN_OK);
    assert_int_equal(test_recording_rows(&model.recording, 0, wanted, 1, right), TN_OK);
    assert_memory_equal(own, right, sizeof own);
    assert_int_equal(recording->frame(recording, row, 1, &time, NULL, NULL), TN_OK);
    assert_true(fabs(time - right[0]) < 1e-12);
}

static void check_steps(const tn_recording *recording, uint64_t steps)
{
    assert_int_equal(recording->table[0].rows, steps);
    assert_int_equal(recording->frames, steps);
    assert_int_equal(recording->events, steps);
    for (uint64_t k = steps > 9 ? steps - 9 : 0; k < steps; k++) {
        check_row(recording, k, k);
        assert_true(recording->event[k].time == tn_recording_events(recording)[k].time);
    }
    if (steps) check_row(recording, steps / 2, steps / 2);
}

static void a_log_is_read_while_it_grows(void **state)
{
    (void)state;
    begin_log();
    tn_recording *recording = read_log();
    check_steps(recording, 0);
    assert_int_equal(tn_recording_refresh(recording, directory), TN_LOG_SAME);
    for (uint64_t step = 0; step < ROWS; step++) {
        put_step(step);
        if (step % 7 != 6 && step + 1 < ROWS) continue;
        tn_blocks_flush(&blocks);
        assert_int_equal(tn_recording_refresh(recording, directory), TN_LOG_LONGER);
        check_steps(recording, step + 1);
        assert_int_equal(tn_recording_refresh(recording, directory), TN_LOG_SAME);
    }
    assert_false(tn_recording_ended(recording));
    tn_recording_put_status(recording, "running");
    assert_string_equal(recording->status, "running");
    tn_blocks_put(&blocks, TN_END_BLOCK, "finished\0", 10);
    assert_int_equal(tn_recording_refresh(recording, directory), TN_LOG_LONGER);
    assert_true(tn_recording_ended(recording));
    assert_string_equal(recording->status, "finished");
    check_steps(recording, ROWS);
    assert_int_equal(tn_recording_refresh(recording, directory), TN_LOG_SAME);
    assert_null(tn_recording_rest(recording));
    tn_blocks_close(&blocks);
    tn_recording_close(recording);
}

/* Shorter than what was read, or of the same length with other rows, or another file, or none. */
static void what_takes_the_place_of_a_log_is_noticed(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        tn_table_place place;
        begin_log();
        put_step(0);
        tn_blocks_place(&blocks, &place);
        for (uint64_t step = 1; step < 20; step++)
            put_step(step);
        tn_blocks_flush(&blocks);
        tn_recording *recording = read_log();
        check_steps(recording, 20);
        tn_blocks_close(&blocks);
        if (kind < 3) {
            assert_null(tn_blocks_reopen(&blocks, directory, 1000, &place));
            tn_blocks_cut(&blocks);
            /* the second one writes the same as before: nobody notices, nor needs to */
            for (uint64_t step = 1; step < 25 && kind > 0; step++)
                put_step(step + (kind == 2));
            tn_blocks_close(&blocks);
        } else if (kind == 3) {
            begin_log();
            tn_blocks_close(&blocks);
        } else {
            assert_int_equal(unlinkat(directory, TN_LOG, 0), 0);
        }
        assert_int_equal(tn_recording_refresh(recording, directory),
                         kind == 1 ? TN_LOG_LONGER : TN_LOG_REPLACED);
        tn_recording_close(recording);
    }
}

static void pieces_join_to_the_whole(void **state)
{
    (void)state;
    begin_log();
    for (uint64_t step = 0; step < 1000; step++)
        put_step(step);
    tn_blocks_close(&blocks);
    tn_recording *recording = read_log();
    tn_recording_place place, next;
    tn_text text = {0};
    assert_true(tn_recording_place_read(recording, "0-0-0-0", &place));
    uint64_t steps = 0;
    for (bool more = true; more;) {
        tn_recorded_piece piece;
        more = tn_recorded_piece_cut(&piece, recording, &place, 64 * COLUMNS, &next);
        const tn_recording *part = &piece.recording;
        const uint64_t count = part->table[0].rows;
        assert_int_equal(count, 1000 - steps < 64 ? 1000 - steps : 64);
        for (uint64_t k = 0; k < count; k++) {
            double own[COLUMNS], right[COLUMNS];
            assert_int_equal(part->rows(part, 0, k, 1, own), TN_OK);
            assert_int_equal(recording->rows(recording, 0, steps + k, 1, right), TN_OK);
            assert_memory_equal(own, right, sizeof own);
        }
        double value[COLUMNS];
        assert_int_equal(part->rows(part, 0, count, 1, value), TN_INVALID);
        assert_int_equal(part->frame(part, part->frames, 1, value, NULL, NULL), TN_INVALID);
        steps += count;
        tn_free(place.known);
        place = next;
        tn_recorded_piece_free(&piece);
    }
    assert_int_equal(steps, 1000);
    tn_recording_place_print(&place, &text);
    tn_free(place.known);
    assert_string_equal(text.letters, "1000-0-1000-1000");
    assert_true(tn_recording_place_read(recording, text.letters, &place));
    tn_free(place.known);
    const char *const wrong[] = {
        "",           "0-0-0",    "0-0-0-0-0", "0-0-0-0 ", "1001-0-0-0",
        "0-0-0-1001", "-1-0-0-0", "0--0-0",    "+1-0-0-0", "0-0-0-99999999999999999999"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(tn_recording_place_read(recording, wrong[k], &place));
    tn_free(text.letters);
    tn_recording_close(recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_is_read_while_it_grows),
        cmocka_unit_test(what_takes_the_place_of_a_log_is_noticed),
        cmocka_unit_test(pieces_join_to_the_whole),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
