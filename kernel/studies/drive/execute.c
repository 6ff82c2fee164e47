/* execute.c - the cases of a batch that have no result yet: the executor runs them, and lost ones once more */
#include "drive/drive_internal.h"

#include "plugin/call_site.h"
#include "run/clock.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One execution. */
typedef struct execution {
    tn_execution asked; /* must be the first field */
    tn_drive *drive;
    char beginning[32]; /* of the names of files with lines */
    uint64_t taken;
} execution;

static void show_progress(const tn_drive *drive)
{
    const tn_drive_client *client = &drive->options->client;
    if (!client->progress) return;
    client->progress(client->data,
                     &(tn_drive_progress){.done = drive->done_before + drive->done_here,
                                          .expected = drive->expected,
                                          .batch = drive->number,
                                          .failed = drive->failed_before + tn_store_failed(drive->store),
                                          .elapsed = tn_clock_now() - drive->begun,
                                          .done_here = drive->done_here});
}

static tn_execution_wish look(tn_execution *asked, uint64_t *done)
{
    execution *self = (execution *)(void *)asked;
    tn_drive *drive = self->drive;
    const tn_drive_client *client = &drive->options->client;
    const tn_call_site *const site = tn_site;
    uint64_t taken = 0;
    volatile bool good = false;
    tn_site = NULL;
    (void)tn_attempt(tn_memory_now(), good = tn_store_take_lines(drive->store, self->beginning, &taken));
    tn_site = site;
    if (!good && !drive->broken) (void)tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
    drive->broken = drive->broken || !good;
    self->taken += taken;
    drive->done_here += taken;
    show_progress(drive);
    if (done) *done = self->taken;
    const int interrupts = client->interrupts ? client->interrupts(client->data) : 0;
    drive->interrupted = interrupts > 0;
    return drive->broken || interrupts > 1 ? TN_END_WORKERS : interrupts ? TN_FINISH_CASES : TN_GO_ON;
}

/* Those without a result, as a file for workers; false after a message. */
static bool write_batch(tn_drive *drive, const char *folder, uint32_t attempt, uint64_t *count)
{
    const tn_drive_batch *batch = &drive->batch;
    tn_batch_file file = {.base = drive->cases->base,
                          .list = tn_new(batch->count + 1, sizeof *file.list),
                          .value = tn_new(batch->count * batch->variables + 1, sizeof *file.value)};
    const char *reason = NULL;
    for (uint64_t k = 0; k < batch->count; k++) {
        if (batch->known[k]) continue;
        file.list[file.count] =
            (tn_batch_case){.number = batch->first + k, .attempt = batch->attempt[k] + attempt + 1};
        memcpy(file.value + file.count * batch->variables, batch->value + k * batch->variables,
               batch->variables * sizeof(double));
        file.count++;
    }
    *count = file.count;
    bool good = true;
    if (file.count) {
        tn_arena arena = {0};
        const char *path = tn_arena_print(&arena, "%s/batch", folder);
        good = (mkdir(folder, 0777) == 0 || errno == EEXIST ||
                tn_drive_say(drive, TN_ERROR, "%s: %s", folder, strerror(errno))) &&
               (tn_batch_write(path, &file, batch->variables, &reason) ||
                tn_drive_say(drive, TN_ERROR, "%s: %s", path, reason));
        tn_arena_free(&arena);
    }
    tn_free(file.list);
    tn_free(file.value);
    return good;
}

/* The words of a worker. */
static const char **make_command(const tn_drive *drive, const char *batch, tn_arena *arena)
{
    const tn_drive_options *options = drive->options;
    size_t count = 0, words = 0;
    while (options->program[count])
        count++;
    while (options->options[words])
        words++;
    const char **command = tn_arena_new(arena, (count + words + 5) * sizeof *command);
    memcpy(command, options->program, count * sizeof *command);
    command[count++] = options->folder;
    command[count++] = "--batch";
    command[count++] = batch;
    command[count++] = "--work";
    memcpy(command + count, options->options, words * sizeof *command);
    return command;
}

static bool run_batch(tn_drive *drive, uint32_t attempt, uint64_t *count)
{
    const tn_cases *cases = drive->cases;
    const tn_host *host = &cases->file.model->host;
    tn_arena arena = {0};
    const char *name = attempt ? tn_arena_print(&arena, "%llu.%u", (unsigned long long)drive->number, attempt)
                               : tn_arena_print(&arena, "%llu", (unsigned long long)drive->number);
    const char *folder = tn_arena_print(&arena, "%s/jobs/%s", drive->options->folder, name);
    bool good = write_batch(drive, folder, attempt, count);
    if (good && *count) {
        execution self = {.asked = {.struct_size = sizeof self.asked,
                                    .count = *count,
                                    .folder = drive->options->folder,
                                    .job_folder = folder,
                                    .command = make_command(drive, name, &arena),
                                    .case_time = drive->case_time,
                                    .look = look},
                          .drive = drive};
        (void)snprintf(self.beginning, sizeof self.beginning, "%llu.", (unsigned long long)drive->number);
        const tn_status status =
            tn_call(cases->executor, carry_out, host, cases->executor_instance, &self.asked);
        tn_diagnostics_publish(cases->file.diagnostics);
        (void)look(&self.asked, NULL);
        good = !drive->broken &&
               (status == TN_OK || tn_drive_say(drive, TN_ERROR, "executor `%s` has failed: %s",
                                                cases->executor->name, tn_status_text(status)));
    }
    tn_arena_free(&arena);
    return good;
}

/* The files of a batch whose cases all have results; what an executor has left in the folder stays. */
static void remove_job(const tn_drive *drive, uint32_t attempt)
{
    tn_arena arena = {0};
    const char *folder = attempt ? tn_arena_print(&arena, "%s/jobs/%llu.%u", drive->options->folder,
                                                  (unsigned long long)drive->number, attempt)
                                 : tn_arena_print(&arena, "%s/jobs/%llu", drive->options->folder,
                                                  (unsigned long long)drive->number);
    (void)unlink(tn_arena_print(&arena, "%s/batch", folder));
    (void)rmdir(folder);
    tn_arena_free(&arena);
}

static bool mark_lost(tn_drive *drive)
{
    const tn_drive_batch *batch = &drive->batch;
    double *nothing = tn_new(batch->numbers + 1, sizeof *nothing);
    bool good = tn_store_begin(drive->store);
    for (uint64_t k = 0; good && k < batch->count; k++) {
        if (batch->known[k]) continue;
        const tn_case_result lost = {.number = batch->first + k,
                                     .hash = batch->hash[k],
                                     .status = TN_CASE_LOST,
                                     .attempt =
                                         batch->attempt[k] + 1 + (uint32_t)drive->cases->execute.retries,
                                     .reason = "its worker has left no result",
                                     .place = "",
                                     .host = "",
                                     .solver = "",
                                     .end_time = (double)NAN,
                                     .wall = (double)NAN,
                                     .cpu = (double)NAN,
                                     .started = (double)NAN,
                                     .response = nothing};
        good = tn_store_put(drive->store, &lost);
    }
    good = tn_store_commit(drive->store) && good;
    tn_free(nothing);
    return good || tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
}

static void note_times(tn_drive *drive)
{
    double sum = 0.0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < drive->batch.count; k++)
        if (drive->batch.effort[k] > 0.0) sum += drive->batch.effort[k], count++;
    if (count) drive->case_time = sum / (double)count;
}

bool tn_drive_execute(tn_drive *drive)
{
    const uint32_t retries = (uint32_t)drive->cases->execute.retries;
    uint64_t count = 0, before = UINT64_MAX;
    for (uint64_t k = 0; k < drive->batch.count && drive->options->only_count == 0; k++) {
        drive->done_before += drive->batch.known[k];
        drive->failed_before += drive->batch.known[k] && !drive->batch.done[k];
    }
    for (uint32_t attempt = 0; attempt <= retries; attempt++) {
        if (!run_batch(drive, attempt, &count)) return false;
        if (!count) break;
        if (!tn_drive_look_up(drive)) return false;
        if (drive->interrupted) return true;
        before = 0;
        for (uint64_t k = 0; k < drive->batch.count; k++)
            before += !drive->batch.known[k];
        if (!before) {
            for (uint32_t k = 0; k <= attempt; k++)
                remove_job(drive, k);
            break;
        }
        (void)tn_drive_say(drive, TN_WARNING, "%llu cases were lost with their workers%s",
                           (unsigned long long)before, attempt < retries ? ", and are run once more" : "");
    }
    note_times(drive);
    return before == UINT64_MAX || !before || mark_lost(drive);
}
