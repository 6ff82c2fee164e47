/* read.c - reads a checkpoint, and lets a study go on from it (see restart.h) */
#define _GNU_SOURCE
#include "restart/contents.h"

#include "config/toml_internal.h"
#include "state/state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

/* ---- the file ---------------------------------------------------------------------------------------------- */

/* All bytes of an open file; NULL where it cannot be read. */
static char *read_bytes(int file, size_t size, tn_arena *arena)
{
    char *bytes = tn_arena_new(arena, size + 1);
    size_t done = 0;
    while (done < size) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(file, bytes + done, size - done));
        if (count <= 0) return NULL;
        done += (size_t)count;
    }
    return bytes;
}

/* Why there is none, by what the run.toml there says. */
static bool refuse_absent(const char *directory, tn_arena *arena, tn_text *reason)
{
    size_t length = 0;
    tn_text_failure unused;
    struct stat status;
    const char *path = tn_arena_print(arena, "%s/run.toml", directory);
    if (stat(directory, &status) != 0)
        return tn_state_refuse(reason, "%s holds no results of a run: %s", directory, strerror(errno));
    char *text = tn_text_read(path, &length, &unused);
    if (!text) return tn_state_refuse(reason, "%s holds no results of a run", directory);
    const bool finished = strstr(text, "\nstatus = \"finished\"\n") != NULL;
    tn_free(text);
    if (finished)
        return tn_state_refuse(reason, "the run in %s has finished: there is nothing to resume", directory);
    return tn_state_refuse(
        reason,
        "there is no checkpoint in %s yet: the run asks for none (`[output] checkpoint`), or was "
        "ended before "
        "its first one; run the model anew",
        directory);
}

static const char *refuse_file(tn_text *reason, const char *path, const char *why)
{
    (void)tn_state_refuse(reason, "%s %s", path, why);
    return NULL;
}

/* All bytes of the file, NULL after a refusal. */
static const char *read_file(const char *directory, const char *path, tn_arena *arena, struct stat *status,
                             tn_text *reason)
{
    const int file = RETRIED(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        (void)refuse_absent(directory, arena, reason);
        return NULL;
    }
    if (file < 0 && errno == ELOOP) return refuse_file(reason, path, "is a link, which is not followed");
    const char *bytes = NULL;
    const bool known = file >= 0 && fstat(file, status) == 0, regular = known && S_ISREG(status->st_mode);
    if (regular) bytes = read_bytes(file, (size_t)status->st_size, arena);
    const int cause = errno;
    if (file >= 0) (void)close(file);
    if (known && !regular) return refuse_file(reason, path, "is not a file");
    if (!bytes) (void)tn_state_refuse(reason, "%s cannot be read: %s", path, strerror(cause));
    return bytes;
}

/* Why the first line is not that of the bytes behind it, as it should be; NULL: it is. */
static const char *find_fault(const char *bytes, size_t count)
{
    char line[TN_FIRST_LENGTH + 1];
    const size_t word = strlen(TN_CHECKPOINT_WORD),
                 size = count < TN_FIRST_LENGTH ? 0 : count - TN_FIRST_LENGTH;
    if (memcmp(bytes, TN_CHECKPOINT_WORD, count < word ? count : word) != 0)
        return "is no checkpoint of a run";
    if (!size) return "is truncated";
    (void)snprintf(line, sizeof line, TN_FIRST_LINE, size,
                   tn_sum_bytes(TN_START_OF_SUM, bytes + TN_FIRST_LENGTH, size));
    if (memcmp(bytes, line, TN_FIRST_LENGTH) == 0) return NULL;
    if (memcmp(bytes, line, word + 2) != 0) return "is of another version of Tenon";
    return memcmp(bytes, line, word + 2 + 20) == 0 ? "has been altered: the sum of its bytes is another one"
                                                   : "is truncated";
}

/* The bytes behind the first line; NULL after a refusal. */
static const char *read_whole(const char *directory, tn_arena *arena, struct tn_checkpoint_rest *rest,
                              size_t *size, tn_text *reason)
{
    struct stat status;
    const char *path = tn_arena_print(arena, "%s/" TN_CHECKPOINT, directory);
    const char *bytes = read_file(directory, path, arena, &status, reason);
    if (!bytes) return NULL;
    const char *fault = find_fault(bytes, (size_t)status.st_size);
    if (fault) return refuse_file(reason, path, fault);
    rest->device = (uint64_t)status.st_dev;
    rest->inode = (uint64_t)status.st_ino;
    *size = (size_t)status.st_size - TN_FIRST_LENGTH;
    return bytes + TN_FIRST_LENGTH;
}

/* ---- what it is of ----------------------------------------------------------------------------------------- */

static bool check_program(const tn_run_origin *origin, const char *installation, tn_text *reason)
{
    uint64_t sum = 0;
    if (strcmp(origin->version, TENON_VERSION) != 0)
        return tn_state_refuse(reason, "the run is one of tenon %s, and this program is tenon " TENON_VERSION,
                               origin->version);
    if (tn_sum_program(installation, &sum) && sum == origin->program) return true;
    return tn_state_refuse(
        reason,
        "the run is one of another build of tenon %s: its file has another sum, so that not every "
        "digit need be "
        "the same",
        origin->version);
}

static bool check_files(const tn_run_origin *origin, tn_text *reason)
{
    for (size_t k = 0; k < origin->files; k++) {
        uint64_t sum = 0;
        if (!tn_sum_file(origin->file[k].path, &sum))
            return tn_state_refuse(reason, "%s, which the run has read, cannot be read: %s",
                                   origin->file[k].path, strerror(errno));
        if (sum != origin->file[k].sum)
            return tn_state_refuse(reason, "%s, which the run has read, is not what it was",
                                   origin->file[k].path);
    }
    return true;
}

bool tn_checkpoint_read(const char *directory, tn_arena *arena, tn_checkpoint *checkpoint, tn_text *reason)
{
    struct tn_checkpoint_rest *rest = tn_arena_new(arena, sizeof *rest);
    size_t size = 0;
    const char *bytes = read_whole(directory, arena, rest, &size, reason);
    if (!bytes) return false;
    tn_run_origin *origin = &rest->origin;
    tn_spans spans = tn_spans_read(bytes, size);
    uint64_t course = 0;
    tn_run_origin_list(origin, &spans.visitor, arena);
    TN_VISIT(&spans.visitor, course);
    if (spans.lacks || course > size - spans.used || !origin->version || !origin->asked.folder ||
        !origin->asked.model)
        return tn_state_refuse(reason, "%s/" TN_CHECKPOINT " is no checkpoint of a run", directory);
    rest->course = bytes + spans.used;
    rest->course_size = course;
    rest->state = rest->course + course;
    rest->state_size = size - spans.used - course;
    *checkpoint = origin->asked;
    checkpoint->rest = rest;
    char *path = tn_adopt(realpath(directory, NULL));
    if (!path) return tn_state_refuse(reason, "%s: %s", directory, strerror(errno));
    checkpoint->directory = path;
    return check_program(origin, NULL, reason) && check_files(origin, reason);
}

/* ---- going on ---------------------------------------------------------------------------------------------- */

static bool is_still_there(const tn_study *study, const struct tn_checkpoint_rest *rest)
{
    struct stat status;
    return RETRIED(fstatat(study->results.descriptor, TN_CHECKPOINT, &status, AT_SYMLINK_NOFOLLOW)) == 0 &&
           (uint64_t)status.st_dev == rest->device && (uint64_t)status.st_ino == rest->inode;
}

static bool tell_refusal(const tn_study *study, const char *reason)
{
    tn_study_tell(study, TN_SEVERITY_ERROR, "the run cannot be resumed: %s", reason);
    return false;
}

/* The study stands at its start, and the directory is its own. */
static bool restore_study(void *data, tn_study *study)
{
    const struct tn_checkpoint_rest *rest = data;
    tn_text reason = {0};
    if (!is_still_there(study, rest)) return tell_refusal(study, "its checkpoint has just been replaced");
    if (study->running.status != TN_OK && study->running.status != TN_EVENT)
        return tell_refusal(study, study->assembly->failures.reason);
    if (tn_state_restore(study, rest->state, rest->state_size, &reason) != TN_OK)
        return tell_refusal(study, reason.length ? reason.letters : study->assembly->failures.reason);
    if (!study->start.q) study->start = tn_state_copy_new(study->assembly);
    tn_spans spans = tn_spans_read(rest->course, rest->course_size);
    tn_course_list(study, &spans.visitor);
    const tn_study_client *client = &study->client;
    if (client->solver) client->solver(client->data, &study->plan.solver[study->running.number]);
    study->records = true;
    study->resumed_at = rest->origin.asked.time;
    return !spans.lacks || tell_refusal(study, "its checkpoint lacks a part");
}

tn_study_result tn_checkpoint_resume(tn_study *study, const tn_checkpoint *checkpoint)
{
    const struct tn_checkpoint_rest *rest = checkpoint->rest;
    tn_text reason = {0};
    const tn_plan *plan = &study->plan;
    const bool fits = rest->origin.places == tn_plan_places(plan);
    if (!tn_state_check(study, rest->state, rest->state_size, &reason) || !fits) {
        (void)tell_refusal(study, reason.length ? reason.letters : "it has written other tables");
        return TN_STUDY_REFUSED;
    }
    return tn_study_resume(study, &(tn_study_resumption){.place = rest->origin.place,
                                                         .restore = restore_study,
                                                         .data = (void *)(uintptr_t)rest});
}
