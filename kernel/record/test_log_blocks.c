/* test_log_blocks.c - the log of a run as a file: read back whole, cut or damaged at each byte, and continued after an interruption */
#define _GNU_SOURCE
#include "test_log.h"

#include <math.h>
#include <sys/stat.h>

enum { ROWS = 40, COLUMNS = 5, FRAMES = 9 };

static int open_folder(void **state)
{
    (void)state;
    return make_folder(ROWS, COLUMNS, FRAMES);
}

static void put_row(tn_block_file *blocks, uint64_t row)
{
    double value[COLUMNS];
    assert_int_equal(test_recording_rows(&model.recording, 0, row, 1, value), TN_OK);
    memcpy(tn_blocks_add(blocks, TN_ROW_RECORD, 0, COLUMNS), value, sizeof value);
}

static void put_frame(tn_block_file *blocks, uint64_t frame)
{
    double pose[7 * TEST_TRACKS], time, wrench[6];
    assert_int_equal(test_recording_frame(&model.recording, frame, 1, &time, pose, wrench), TN_OK);
    double *to = tn_blocks_add(blocks, TN_FRAME_RECORD, 0, tn_frame_words(&model.recording));
    *to++ = time;
    put_poses(to, pose);
    to = tn_blocks_add(blocks, TN_WRENCH_RECORD, 0, tn_wrench_words(&model.recording));
    *to++ = time;
    for (int k = 0; k < 6; k++) {
        const float number = (float)wrench[k];
        memcpy((char *)to + 4 * k, &number, sizeof number);
    }
}

static void put_event(tn_block_file *blocks, const tn_recorded_event *event)
{
    char text[128] = "";
    const double number[2] = {event->time, event->level};
    const size_t name = strlen(event->element) + 1, all = 16 + name + strlen(event->text) + 1;
    memcpy(text, number, sizeof number);
    memcpy(text + 16, event->element, name);
    memcpy(text + 16 + name, event->text, strlen(event->text));
    const uint32_t words = (uint32_t)((all + 7) / 8);
    memcpy(tn_blocks_add(blocks, TN_EVENT_RECORD, 0, words), text, 8 * words);
}

static void put_mode(tn_block_file *blocks)
{
    double *to = tn_blocks_add(blocks, TN_MODE_RECORD, 0, tn_mode_words(&model.recording));
    *to++ = model.mode.time;
    memcpy(to, model.mode.eigenvalue, sizeof model.mode.eigenvalue);
    memcpy(to + 2, model.displacement, sizeof model.displacement);
}

/* A new file with the model and the events, the last of which comes first. */
static void begin_log(tn_block_file *blocks)
{
    (void)unlinkat(directory, TN_LOG, 0);
    assert_true(tn_blocks_create(blocks, directory, 1000));
    put_model(blocks);
    for (int k = 0; k < 2; k++)
        put_event(blocks, &model.event[1 - k]);
}

/* A row, and the frame at its time where there is one. */
static void put_step(tn_block_file *blocks, uint64_t row)
{
    put_row(blocks, row);
    if (row % 5 == 0) put_frame(blocks, row / 5);
}

/* The whole log; flushed after each step where `flushes`. */
static void write_log(bool flushes, bool ends)
{
    static const char end[] = "finished\0[run]\nstatus = \"finished\"\n";
    tn_block_file blocks;
    begin_log(&blocks);
    for (uint64_t k = 0; k < ROWS; k++) {
        put_step(&blocks, k);
        if (flushes) tn_blocks_flush(&blocks);
    }
    put_frame(&blocks, FRAMES - 1);
    put_mode(&blocks);
    if (ends) tn_blocks_put(&blocks, TN_END_BLOCK, end, sizeof end);
    tn_blocks_close(&blocks);
    assert_int_equal(blocks.reason, 0);
}

static char *read_bytes(size_t *size)
{
    struct stat status;
    const int file = openat(directory, TN_LOG, O_RDONLY);
    assert_int_equal(fstat(file, &status), 0);
    *size = (size_t)status.st_size;
    char *bytes = malloc(*size + 1);
    assert_int_equal(read(file, bytes, *size), status.st_size);
    (void)close(file);
    return bytes;
}

static void check_bytes(const char *right, size_t size)
{
    size_t found_size = 0;
    char *found = read_bytes(&found_size);
    assert_int_equal(found_size, size);
    assert_memory_equal(found, right, size);
    free(found);
}

static void write_bytes(const char *bytes, size_t size)
{
    /* a new file: some file systems write one that is truncated to the disk at once, which takes long */
    (void)unlinkat(directory, TN_LOG, 0);
    const int file = openat(directory, TN_LOG, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(write(file, bytes, size), (ssize_t)size);
    (void)close(file);
}

static tn_recording *read_log(void)
{
    static tn_diagnostics *diagnostics;
    tn_text reason = {0};
    if (!diagnostics) diagnostics = tn_diagnostics_new();
    tn_recording *recording = tn_recording_open(directory, folder, diagnostics, &reason);
    assert_true(recording ? !reason.length : strstr(reason.letters, TN_LOG) != NULL);
    tn_free(reason.letters);
    return recording;
}

/* The rows and frames of a recording are the first ones of the model. */
static void check_beginning(const tn_recording *recording)
{
    double own[COLUMNS], right[COLUMNS], pose[7 * TEST_TRACKS], right_pose[7 * TEST_TRACKS], wrench[6],
        right_wrench[6], time, right_time;
    assert_int_equal(recording->tracks, TEST_TRACKS);
    assert_true(recording->table[0].rows <= ROWS && recording->frames <= FRAMES);
    for (uint64_t k = 0; k < recording->table[0].rows; k++) {
        assert_int_equal(recording->rows(recording, 0, k, 1, own), TN_OK);
        assert_int_equal(test_recording_rows(&model.recording, 0, k, 1, right), TN_OK);
        assert_memory_equal(own, right, sizeof own);
    }
    for (uint64_t k = 0; k < recording->frames; k++) {
        assert_int_equal(recording->frame(recording, k, 1, &time, pose, wrench), TN_OK);
        assert_int_equal(test_recording_frame(&model.recording, k, 1, &right_time, right_pose, right_wrench),
                         TN_OK);
        right_pose[10] = 1.0; /* of a point */
        right_pose[11] = right_pose[12] = right_pose[13] = 0.0;
        assert_true(time == right_time);
        assert_memory_equal(pose, right_pose, sizeof pose);
        for (int i = 0; i < 6 && !isnan(wrench[0]); i++)
            assert_true(wrench[i] == (double)(float)right_wrench[i]);
    }
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void the_checksum_is_that_of_zlib(void **state)
{
    (void)state;
    char text[9];
    memcpy(text, "123456789", sizeof text);
    assert_int_equal(tn_crc32(0, text, sizeof text), 0xcbf43926u);
    for (size_t cut = 0; cut <= sizeof text; cut++)
        assert_int_equal(tn_crc32(tn_crc32(0, text, cut), text + cut, sizeof text - cut), 0xcbf43926u);
}

static void a_log_is_read_as_it_was_written(void **state)
{
    (void)state;
    write_log(false, true);
    tn_recording *recording = read_log();
    assert_non_null(recording);
    check_beginning(recording);
    assert_int_equal(recording->table[0].rows, ROWS);
    assert_int_equal(recording->frames, FRAMES);
    assert_null(tn_recording_rest(recording));
    assert_string_equal(recording->status, "finished");
    assert_string_equal(recording->run_text, "[run]\nstatus = \"finished\"\n");
    assert_string_equal(recording->title, model.recording.title);
    assert_string_equal(recording->model_text, model.recording.model_text);
    assert_true(recording->time_reached == 10.0 && recording->size == model.recording.size);
    for (uint32_t k = 0; k < TEST_TRACKS; k++) {
        assert_string_equal(recording->track[k].name, model.track[k].name);
        assert_string_equal(recording->track[k].type, model.track[k].type);
        assert_int_equal(recording->track[k].has_rotation, model.track[k].has_rotation);
    }
    assert_int_equal(recording->drawings, 5);
    for (uint32_t k = 0; k < 5; k++) {
        assert_string_equal(recording->drawing[k].name, model.drawing[k].name);
        assert_int_equal(recording->drawing[k].drawing.kind, model.drawing[k].drawing.kind);
        assert_memory_equal(recording->drawing[k].drawing.size, model.drawing[k].drawing.size, 24);
        assert_memory_equal(recording->drawing[k].drawing.shape.size, model.drawing[k].drawing.shape.size,
                            24);
        assert_memory_equal(recording->drawing[k].place, model.drawing[k].place,
                            sizeof model.drawing[k].place);
    }
    assert_string_equal(recording->wrench[0].element, "spring");
    for (uint32_t c = 0; c < COLUMNS; c++)
        assert_string_equal(recording->table[0].column[c].name, model.column[c].name);
    /* events are in the order of their times */
    assert_int_equal(recording->events, 2);
    assert_string_equal(recording->event[0].text, model.event[0].text);
    assert_int_equal(recording->event[0].level, TN_WARNING);
    assert_true(isnan(recording->event[0].time) && recording->event[1].time == 2.5);
    assert_string_equal(recording->event[1].element, "spring");
    assert_int_equal(recording->modes, 1);
    assert_memory_equal(recording->mode[0].displacement, model.displacement, sizeof model.displacement);
    tn_recording_close(recording);
}

static void the_box_holds_all_frames(void **state)
{
    (void)state;
    write_log(false, true);
    tn_recording *recording = read_log();
    double pose[7 * TEST_TRACKS];
    for (uint64_t k = 0; k < recording->frames; k++) {
        assert_int_equal(recording->frame(recording, k, 1, NULL, pose, NULL), TN_OK);
        for (size_t t = 0; t < TEST_TRACKS; t++)
            for (size_t i = 0; i < 3; i++)
                assert_true(pose[7 * t + i] >= recording->lower[i] && pose[7 * t + i] <= recording->upper[i]);
    }
    assert_true(recording->upper[0] == 20.0 && recording->lower[2] == -1.0);
    tn_recording_close(recording);
}

static void bytes_do_not_depend_on_flushes(void **state)
{
    (void)state;
    size_t size = 0;
    write_log(false, true);
    char *right = read_bytes(&size);
    write_log(true, true);
    check_bytes(right, size);
    free(right);
}

/* ---- damage -------------------------------------------------------------------------------------------------------- */

static void a_log_cut_at_any_byte_is_read_up_to_there(void **state)
{
    (void)state;
    size_t size = 0;
    write_log(false, true);
    char *bytes = read_bytes(&size);
    for (size_t cut = 0; cut < size; cut++) {
        write_bytes(bytes, cut);
        tn_recording *recording = read_log();
        if (!recording) continue;
        assert_string_equal(recording->status, "killed");
        assert_non_null(tn_recording_rest(recording));
        check_beginning(recording);
        tn_recording_close(recording);
    }
    free(bytes);
}

/* A flipped bit ends the recording in front of its block, or the file is refused. */
static void a_flipped_bit_is_found(void **state)
{
    (void)state;
    size_t size = 0, refused = 0, shorter = 0;
    write_log(false, true);
    char *bytes = read_bytes(&size);
    for (size_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit += at % 32 < 8 ? 1 : 5) {
            bytes[at] = (char)(bytes[at] ^ (1 << bit));
            write_bytes(bytes, size);
            tn_recording *recording = read_log();
            refused += !recording;
            if (recording) {
                check_beginning(recording);
                shorter += recording->table[0].rows < ROWS;
                tn_recording_close(recording);
            }
            bytes[at] = (char)(bytes[at] ^ (1 << bit));
        }
    assert_true(refused > 100 && shorter > 100);
    free(bytes);
}

/* Corrects the checksums of all blocks. */
static void correct_sums(char *bytes, size_t size)
{
    for (size_t at = TN_LOG_ALIGNED; at + sizeof(tn_block_head) <= size;) {
        tn_block_head head;
        memcpy(&head, bytes + at, sizeof head);
        if (head.length > size - at - sizeof head) return;
        head.crc = tn_crc32(0, bytes + at + sizeof head, head.length);
        head.head_crc = tn_crc32(0, &head, offsetof(tn_block_head, head_crc));
        memcpy(bytes + at, &head, sizeof head);
        at = (at + sizeof head + head.length + TN_LOG_ALIGNED - 1) / TN_LOG_ALIGNED * TN_LOG_ALIGNED;
    }
}

static void read_everything(const tn_recording *recording)
{
    size_t numbers = 7 * (size_t)recording->tracks + 6 * (size_t)recording->wrenches, letters = 0;
    for (uint32_t t = 0; t < recording->tables; t++)
        numbers += recording->table[t].columns;
    double *number = malloc((numbers + 1) * sizeof *number), *wrench = number + 7 * (size_t)recording->tracks;
    for (uint32_t t = 0; t < recording->tables; t++)
        for (uint64_t k = 0; k < recording->table[t].rows; k++)
            assert_int_equal(recording->rows(recording, t, k, 1, number), TN_OK);
    for (uint64_t k = 0; k < recording->frames; k++)
        assert_int_equal(recording->frame(recording, k, 1, NULL, number, wrench), TN_OK);
    for (uint32_t k = 0; k < recording->tracks; k++)
        letters += strlen(recording->track[k].name) + strlen(recording->track[k].type);
    for (uint32_t k = 0; k < recording->events; k++)
        letters += strlen(recording->event[k].element) + strlen(recording->event[k].text);
    for (uint32_t k = 0; k < recording->drawings; k++)
        for (int p = 0; p < 2; p++)
            assert_true(recording->drawing[k].place[p].track == TN_GROUND_TRACK ||
                        recording->drawing[k].place[p].track < recording->tracks);
    assert_true(letters < 1 << 20);
    free(number);
}

/* Changed bytes whose checksums are correct, as of a file made on purpose: reading stays within its memory. */
static void wrong_content_with_correct_sums_is_safe(void **state)
{
    (void)state;
    size_t size = 0, read = 0;
    static const unsigned char others[] = {0x00, 0x01, 0x7f, 0xff};
    write_log(false, true);
    char *bytes = read_bytes(&size), *other = malloc(size);
    for (size_t at = TN_LOG_ALIGNED; at < size; at++) {
        memcpy(other, bytes, size);
        other[at] = (char)others[at % sizeof others];
        correct_sums(other, size);
        write_bytes(other, size);
        tn_recording *recording = read_log();
        if (!recording) continue;
        read_everything(recording);
        tn_recording_close(recording);
        read++;
    }
    assert_true(read > size / 4);
    free(bytes);
    free(other);
}

static void flushed_rows_survive_a_kill(void **state)
{
    (void)state;
    tn_block_file blocks;
    for (uint64_t flushed = 0; flushed < ROWS; flushed += 7) {
        begin_log(&blocks);
        for (uint64_t k = 0; k < ROWS; k++) {
            put_row(&blocks, k);
            if (k <= flushed) tn_blocks_flush(&blocks);
        }
        (void)close(blocks.file);
        tn_recording *recording = read_log();
        assert_int_equal(recording->table[0].rows, flushed + 1);
        check_beginning(recording);
        tn_recording_close(recording);
    }
}

static void later_versions_are_refused(void **state)
{
    (void)state;
    size_t size = 0;
    tn_text reason = {0};
    write_log(false, true);
    char *bytes = read_bytes(&size);
    bytes[strlen(TN_LOG_WORD)] = '2';
    write_bytes(bytes, size);
    assert_null(tn_recording_open(directory, "here", tn_diagnostics_new(), &reason));
    assert_non_null(
        strstr(reason.letters, "here/rows.tnl is of another version of Tenon: its format is `2`"));
    memcpy(bytes, "PK", 2);
    write_bytes(bytes, size);
    reason.length = 0;
    assert_null(tn_recording_open(directory, "here", tn_diagnostics_new(), &reason));
    assert_non_null(strstr(reason.letters, "here/rows.tnl is no log of a run"));
    free(bytes);
}

/* ---- continuing -------------------------------------------------------------------------------------------------------- */

static void a_continued_log_has_the_same_bytes(void **state)
{
    (void)state;
    size_t size = 0;
    write_log(true, false);
    char *right = read_bytes(&size);
    for (uint64_t stop = 0; stop < ROWS; stop += 3) {
        tn_block_file blocks;
        tn_table_place place;
        begin_log(&blocks);
        for (uint64_t k = 0; k < ROWS; k++) {
            if (k == stop) tn_blocks_place(&blocks, &place);
            put_step(&blocks, k);
        }
        tn_blocks_put(&blocks, TN_END_BLOCK, "interrupted\0", 13);
        tn_blocks_close(&blocks);

        assert_null(tn_blocks_reopen(&blocks, directory, 1000, &place));
        tn_blocks_cut(&blocks);
        for (uint64_t k = stop; k < ROWS; k++)
            put_step(&blocks, k);
        put_frame(&blocks, FRAMES - 1);
        put_mode(&blocks);
        tn_blocks_close(&blocks);
        check_bytes(right, size);

        place.number[3] ^= 1;
        assert_non_null(tn_blocks_reopen(&blocks, directory, 1000, &place));
        (void)close(blocks.file);
    }
    free(right);
}

/* ---- records longer than a block --------------------------------------------------------------------------------------- */

enum { LONG = 3 * TN_LOG_BLOCK / 8 + 5 };

static void put_long(tn_block_file *blocks, bool passes)
{
    double *to = tn_blocks_add(blocks, TN_ROW_RECORD, 0, LONG);
    for (int k = 0; k < LONG; k++) {
        if (passes) to = tn_blocks_pass(blocks, to);
        const size_t place = (size_t)((char *)to - blocks->buffers) % blocks->capacity;
        assert_true(place < (passes ? TN_LOG_BLOCK : 8 * LONG + TN_LOG_ALIGNED));
        *to++ = sqrt(k);
    }
}

static void write_long_log(bool passes)
{
    tn_block_file blocks;
    (void)unlinkat(directory, TN_LOG, 0);
    assert_true(tn_blocks_create(&blocks, directory, 8 * LONG + sizeof(tn_record_head)));
    put_model(&blocks);
    put_row(&blocks, 0);
    put_long(&blocks, passes);
    put_long(&blocks, passes);
    tn_blocks_finish(&blocks);
    assert_int_equal(blocks.used, 0); /* a crash writes nothing of it again */
    put_row(&blocks, 1);
    tn_blocks_close(&blocks);
    assert_int_equal(blocks.reason, 0);
}

static void a_long_record_has_the_same_bytes_in_pieces(void **state)
{
    (void)state;
    size_t size = 0;
    write_long_log(false);
    char *right = read_bytes(&size);
    assert_true(size > 2 * 8 * (size_t)LONG);
    write_long_log(true);
    check_bytes(right, size);
    free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checksum_is_that_of_zlib),
        cmocka_unit_test(a_log_is_read_as_it_was_written),
        cmocka_unit_test(the_box_holds_all_frames),
        cmocka_unit_test(bytes_do_not_depend_on_flushes),
        cmocka_unit_test(a_log_cut_at_any_byte_is_read_up_to_there),
        cmocka_unit_test(a_flipped_bit_is_found),
        cmocka_unit_test(wrong_content_with_correct_sums_is_safe),
        cmocka_unit_test(flushed_rows_survive_a_kill),
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(a_continued_log_has_the_same_bytes),
        cmocka_unit_test(a_long_record_has_the_same_bytes_in_pieces),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
