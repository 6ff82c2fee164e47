/* test_log_crash.c - the log of a process that crashes at any moment: all finished records are in it */
#define _GNU_SOURCE
#include "test_log.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { ROWS = 4000, COLUMNS = 5 }; /* of about 3 blocks */

static _Atomic uint64_t *finished; /* rows, seen by both processes */

static int open_folder(void **state)
{
    (void)state;
    finished = mmap(NULL, sizeof *finished, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return finished == MAP_FAILED || make_folder(ROWS, COLUMNS, 0);
}

static tn_block_file blocks;

static void begin_log(void)
{
    if (!tn_blocks_create(&blocks, directory, 1000)) _exit(2);
    put_model(&blocks);
}

/* Adds a row; half of it where it is not finished. */
static void put_row(uint64_t row, bool finishes)
{
    double value[COLUMNS];
    (void)test_recording_rows(&model.recording, 0, row, 1, value);
    double *to = tn_blocks_add(&blocks, TN_ROW_RECORD, 0, COLUMNS);
    memcpy(to, value, finishes ? sizeof value : sizeof value / 2);
    if (finishes) tn_blocks_finish(&blocks);
    if (finishes) *finished = row + 1;
}

/* Runs `crash` in a process, and waits for its end; checks the rows of its log, and returns their number. */
static uint64_t rows_behind(void (*crash)(uint64_t), uint64_t number)
{
    int status = 0;
    tn_text reason = {0};
    (void)unlinkat(directory, TN_LOG, 0);
    *finished = 0;
    const pid_t process = fork();
    if (process == 0) {
        begin_log();
        crash(number);
        _exit(3);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    tn_recording *recording = tn_recording_open(directory, folder, NULL, &reason);
    if (!recording) fail_msg("%s", reason.letters);
    const uint64_t rows = recording->table[0].rows;
    static double own[ROWS * COLUMNS], right[ROWS * COLUMNS];
    assert_int_equal(recording->rows(recording, 0, 0, rows, own), TN_OK);
    assert_int_equal(test_recording_rows(&model.recording, 0, 0, rows, right), TN_OK);
    for (size_t k = 0; k < rows * COLUMNS; k++)
        assert_true(own[k] == right[k] || (isnan(own[k]) && isnan(right[k])));
    if (!strstr(tn_recording_rest(recording), "has no end")) fail_msg("%s", tn_recording_rest(recording));
    tn_recording_close(recording);
    return rows;
}

static void crash_within_a_row(uint64_t rows)
{
    for (uint64_t k = 0; k < rows; k++) {
        put_row(k, true);
        if (k % 97 == 0) tn_blocks_flush(&blocks);
    }
    put_row(rows, false);
    tn_blocks_flush_crashed(&blocks);
    _exit(1);
}

static void a_crash_keeps_all_rows_but_the_one_in_hand(void **state)
{
    (void)state;
    for (uint64_t rows = 0; rows < ROWS; rows += 1 + rows / 7)
        assert_int_equal(rows_behind(crash_within_a_row, rows), rows);
}

static void crash_here(int signal)
{
    (void)signal;
    tn_blocks_flush_crashed(&blocks);
    _exit(1);
}

static void write_until_the_end(void)
{
    for (uint64_t k = 0;; k++) {
        put_row(k % ROWS, true);
        if (k % 7 == 0) tn_blocks_flush(&blocks);
        if (k + 1 == ROWS) (void)pause(); /* everything is written: the signal is on its way */
    }
}

/* The writing thread gets the signal. */
static void crash_after(uint64_t microseconds)
{
    const struct itimerval timer = {.it_value.tv_usec = (suseconds_t)microseconds};
    (void)signal(SIGALRM, crash_here);
    (void)setitimer(ITIMER_REAL, &timer, NULL);
    write_until_the_end();
}

static void a_crash_at_any_moment_keeps_all_rows(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 100; k++)
        assert_true(rows_behind(crash_after, 100 + 37 * k) >= *finished);
}

static void *crash_elsewhere(void *data)
{
    (void)usleep(*(useconds_t *)data);
    crash_here(0);
    return NULL;
}

static void crash_in_another_thread(uint64_t microseconds)
{
    static useconds_t wait;
    pthread_t other;
    wait = (useconds_t)microseconds;
    if (pthread_create(&other, NULL, crash_elsewhere, &wait) == 0) write_until_the_end();
}

/* The writing thread may finish one row meanwhile. */
static void a_crash_of_another_thread_keeps_all_rows(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 100; k++)
        assert_true(rows_behind(crash_in_another_thread, 10 + 37 * k) + 1 >= *finished);
}

static void after_a_failure(uint64_t rows)
{
    for (uint64_t k = 0; k < rows; k++)
        put_row(k, true);
    tn_blocks_flush(&blocks);
    put_row(rows, true);
    blocks.reason = 28; /* ENOSPC */
    tn_blocks_flush_crashed(&blocks);
    _exit(1);
}

static void nothing_is_written_behind_a_failure(void **state)
{
    (void)state;
    assert_int_equal(rows_behind(after_a_failure, 9), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_crash_keeps_all_rows_but_the_one_in_hand),
                                       cmocka_unit_test(a_crash_at_any_moment_keeps_all_rows),
                                       cmocka_unit_test(a_crash_of_another_thread_keeps_all_rows),
                                       cmocka_unit_test(nothing_is_written_behind_a_failure)};
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
