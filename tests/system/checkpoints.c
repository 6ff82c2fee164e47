/* checkpoints.c - runs that are ended early, and what they leave (see checkpoints.h) */
#define _GNU_SOURCE
#include "checkpoints.h"

#include "record/log_blocks.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

void tn_checkpoint_wait(double seconds)
{
    (void)nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
}

bool tn_checkpoint_exists(const char *path) { return access(path, F_OK) == 0; }

/* ---- results ----------------------------------------------------------------------------------------------- */

/* Whether a line of run.toml differs from run to run. */
static bool is_of_this_run(const char *line, size_t length)
{
    static const char *const words[] = {"resumes = ", "peak_memory = ", "process = "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strncmp(line, words[k], strlen(words[k])) == 0) return true;
    const char *time = memmem(line, length, "_time = ", 8);
    return time && strncmp(line, "end_time", 8) != 0 && strncmp(line, "start_time", 10) != 0 &&
           memchr(line, ' ', length) == time + 5;
}

static const char *read_run_file(const char *directory)
{
    const char *text = tn_read(tn_format("%s/run.toml", directory));
    char *kept = strdup(tn_format("%s", "")), *more = NULL;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        assert_non_null(end);
        if (is_of_this_run(text, (size_t)(end - text))) continue;
        assert_true(asprintf(&more, "%s%.*s\n", kept, (int)(end - text), text) > 0);
        free(kept);
        kept = more;
    }
    const char *copy = tn_format("%s", kept);
    free(kept);
    return copy;
}

static size_t count_files(const char *directory)
{
    size_t count = 0;
    DIR *list = opendir(directory);
    assert_non_null(list);
    while (readdir(list))
        count++;
    (void)closedir(list);
    return count;
}

/* A log up to its end, which tells of times on the wall. */
static char *read_log(const char *directory, size_t *size)
{
    FILE *file = fopen(tn_format("%s/rows.tnl", directory), "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, *size + sizeof(tn_block_head));
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    for (size_t at = TN_LOG_ALIGNED; at < *size;) {
        tn_block_head head;
        memcpy(&head, bytes + at, sizeof head);
        assert_int_equal(head.magic, TN_BLOCK_MAGIC);
        if (head.kind == TN_END_BLOCK) *size = at;
        at = (at + sizeof head + head.length + TN_LOG_ALIGNED - 1) / TN_LOG_ALIGNED * TN_LOG_ALIGNED;
    }
    return bytes;
}

static void check_same_log(const char *right, const char *found)
{
    size_t size = 0, own = 0;
    char *bytes = read_log(right, &size), *others = read_log(found, &own);
    assert_int_equal(own, size);
    assert_memory_equal(bytes, others, size);
    free(bytes);
    free(others);
}

void tn_checkpoint_same(const char *right, const char *found)
{
    static const char *const names[] = {"sensors.csv", "sensors.units.csv", "states.csv", "states.units.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = tn_format("%s/%s", right, names[k]), *own = tn_format("%s/%s", found, names[k]);
        assert_int_equal(tn_checkpoint_exists(path), tn_checkpoint_exists(own));
        if (tn_checkpoint_exists(path) && strcmp(tn_read(path), tn_read(own)) != 0)
            fail_msg("%s is another one", own);
    }
    check_same_log(right, found);
    assert_string_equal(read_run_file(right), read_run_file(found));
    assert_int_equal(count_files(right), count_files(found));
}

/* ---- runs -------------------------------------------------------------------------------------------------- */

tn_outcome tn_checkpoint_resume_run(const char *results)
{
    return tn_tenon(TN_WORDS("run", "--resume", results, "--plugin-path", ".", "--quiet"));
}

/* A run that is signalled once it has a checkpoint. */
tn_outcome tn_checkpoint_end_early(const char *model, const char *results, int signal)
{
    const char *checkpoint = tn_format("%s/checkpoint", results);
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", model, "--plugin-path", ".", "--quiet", "--out", results));
    for (int tries = 0; tries < 5000 && !tn_checkpoint_exists(checkpoint) && kill(child.process, 0) == 0;
         tries++)
        tn_checkpoint_wait(1e-3);
    (void)kill(child.process, signal);
    return tn_await(child);
}

void tn_checkpoint_refused(const char *results, const char *const *words)
{
    const char *table = tn_read(tn_format("%s/sensors.csv", results)),
               *run = tn_read(tn_format("%s/run.toml", results));
    const tn_outcome outcome = tn_checkpoint_resume_run(results);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("the run cannot be resumed: "));
    tn_check_holds(outcome.errors, words);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results)), table);
    assert_string_equal(tn_read(tn_format("%s/run.toml", results)), run);
}

void tn_checkpoint_write(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The soak checks cut at every byte, and change each. */
