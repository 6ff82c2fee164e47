/* drive.c - carries out a study (see drive.h) */
#define _GNU_SOURCE
#include "drive/drive_internal.h"

#include "plugin/call_site.h"
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANY_CASES 1e5     /* beyond which a study wants to be meant: cases, */
#define LONG_STUDY 86400.0 /* s on the clock */
enum { TIMED_FROM = 200 }; /* cases, from which one is run to know how long all will take */

bool tn_drive_say(const tn_drive *drive, tn_level level, const char *format, ...)
{
    char text[2 * TN_LONGEST_REASON];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    if (drive->options->client.say) drive->options->client.say(drive->options->client.data, level, text);
    return false;
}

/* ---- before anything is run -------------------------------------------------------------------------------------- */

static bool open_design(tn_drive *drive)
{
    tn_cases *cases = drive->cases;
    tn_model *model = cases->file.model;
    const tn_status status =
        tn_call_setup(model, &cases->design_table->at, NULL, cases->design, open, &model->host,
                      cases->design_instance, &cases->problem, &drive->design);
    tn_diagnostics_publish(cases->file.diagnostics);
    if (status != TN_OK) return false;
    drive->expected = tn_call(cases->design, count, drive->design);
    return true;
}

/* s of processor time of the case in the middle; NaN where it cannot be run. */
static double time_of_one(const tn_drive *drive)
{
    const tn_cases *cases = drive->cases;
    tn_case_run *run = tn_case_run_new(cases);
    tn_case_result result = {.number = 0};
    double time = (double)NAN, *point = tn_new(cases->variables + 1, sizeof *point);
    double *value = tn_new(cases->variables + 1, sizeof *value);
    for (uint32_t k = 0; k < cases->variables; k++)
        point[k] = 0.5;
    tn_case_values(cases, point, value);
    if (run && tn_case_run_apart(cases, run, value, NULL, &result)) time = result.cpu;
    tn_case_run_free(run);
    tn_free(point);
    tn_free(value);
    return time;
}

/* Whether the user means it. */
static bool is_meant(tn_drive *drive)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (drive->expected > TIMED_FROM) drive->case_time = time_of_one(drive);
    const double length = drive->expected * drive->case_time / (double)(cores > 0 ? cores : 1);
    const bool large = drive->expected > MANY_CASES || length > LONG_STUDY;
    char time[128] = "";
    if (isfinite(length))
        (void)snprintf(time, sizeof time,
                       ", about %.3g h of processor time, %.3g h on the %ld cores of this machine",
                       drive->expected * drive->case_time / 3600.0, length / 3600.0, cores);
    if (drive->options->dry)
        (void)tn_drive_say(drive, TN_NOTE, "%.0f cases at most%s\n", drive->expected, time);
    if (!large || drive->options->yes || drive->options->dry) return true;
    return tn_drive_say(drive, TN_ERROR, "the study has %.0f cases%s: --yes carries it out", drive->expected,
                        time);
}

/* ---- its folder -------------------------------------------------------------------------------------------------- */

/* With all folders above it. */
static bool make_folder(const tn_drive *drive, const char *path)
{
    tn_arena arena = {0};
    char *text = tn_arena_text(&arena, path, strlen(path));
    bool good = true;
    for (char *slash = strchr(text + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash) *slash = '\0';
        if (mkdir(text, 0777) != 0 && errno != EEXIST) {
            good = tn_drive_say(drive, TN_ERROR, "%s: %s", text, strerror(errno));
            break;
        }
        if (!slash) break;
        *slash = '/';
    }
    tn_arena_free(&arena);
    return good;
}

static bool lock_folder(tn_drive *drive, tn_arena *arena)
{
    const char *path = tn_arena_print(arena, "%s/lock", drive->options->folder);
    drive->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (drive->lock < 0) return tn_drive_say(drive, TN_ERROR, "%s: %s", path, strerror(errno));
    if (flock(drive->lock, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK)
        return tn_drive_say(drive, TN_ERROR, "%s: another process carries out a study there",
                            drive->options->folder);
    return true; /* a file system without locks */
}

/* What workers read: under its name at once, as a whole. */
static bool write_study(const tn_drive *drive, tn_arena *arena)
{
    const char *path = tn_arena_print(arena, "%s/study.toml", drive->options->folder);
    if (tn_cases_is_copy(drive->cases, path)) return true; /* it goes on from there */
    const char *new = tn_arena_print(arena, "%s.new", path);
    char *text = tn_cases_print(drive->cases, drive->options->folder);
    FILE *file = fopen(new, "we");
    bool good = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int reason = errno;
    if (file && fclose(file) != 0) good = false;
    tn_free(text);
    if (good && rename(new, path) == 0) return true;
    return tn_drive_say(drive, TN_ERROR, "%s: %s", path, strerror(good ? errno : reason));
}

static bool open_folder(tn_drive *drive)
{
    static const char *const inner[] = {"lines", "jobs", "cases"};
    const tn_drive_options *options = drive->options;
    char reason[TN_LONGEST_REASON];
    tn_arena arena = {0};
    tn_store_taken taken;
    uint64_t forgotten = 0;
    bool good = make_folder(drive, options->folder) && lock_folder(drive, &arena);
    for (size_t k = 0; good && k < sizeof inner / sizeof *inner; k++)
        good = make_folder(drive, tn_arena_print(&arena, "%s/%s", options->folder, inner[k]));
    if (good) {
        drive->store = tn_store_open(options->folder, drive->cases,
                                     options->resume ? TN_STORE_GO_ON : TN_STORE_NEW, reason, sizeof reason);
        good = drive->store || tn_drive_say(drive, TN_ERROR, "%s", reason);
    }
    if (good && tn_store_is_remote(drive->store))
        (void)tn_drive_say(
            drive, TN_NOTE,
            "the disk of %s is of another machine: the database works without a write-ahead log there",
            options->folder);
    good = good && write_study(drive, &arena);
    if (good && !tn_store_is_new(drive->store) && !tn_store_take_lines(drive->store, "", &taken))
        good = tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
    if (good && options->retry && !tn_store_forget_failed(drive->store, &forgotten))
        good = tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
    tn_arena_free(&arena);
    return good;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static tn_drive_result end_of(const tn_drive *drive)
{
    tn_store_counts counts;
    if (!tn_store_count(drive->store, &counts)) {
        (void)tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
        return TN_DRIVE_FAILED;
    }
    return counts.count[TN_CASE_LOST] ? TN_DRIVE_LOST : TN_DRIVE_DONE;
}

/* Lines of workers are left where a database is gone: what they say of the batch. */
static bool recover(tn_drive *drive)
{
    char beginning[32];
    tn_store_taken taken;
    if (!tn_store_is_new(drive->store)) return true;
    (void)snprintf(beginning, sizeof beginning, "%llu.", (unsigned long long)drive->number);
    if (!tn_store_take_lines(drive->store, beginning, &taken))
        return tn_drive_say(drive, TN_ERROR, "%s", tn_store_problem(drive->store));
    return !taken.lines || tn_drive_look_up(drive);
}

/* Cases that are asked for are in the first batch. */
static bool are_there(const tn_drive *drive)
{
    for (size_t k = 0; k < drive->options->only_count; k++)
        if (drive->options->only[k] >= drive->batch.count)
            return tn_drive_say(
                drive, TN_ERROR, "--only: there is no case %llu in the first batch, which has %llu",
                (unsigned long long)drive->options->only[k], (unsigned long long)drive->batch.count);
    return true;
}

static tn_drive_result carry_out(tn_drive *drive)
{
    drive->begun = tn_clock_now();
    for (;; drive->number++) {
        if (!tn_drive_next(drive)) return TN_DRIVE_FAILED;
        if (!drive->batch.count) break;
        if (!are_there(drive)) return TN_DRIVE_REFUSED;
        if (!tn_drive_look_up(drive) || !recover(drive) || !tn_drive_execute(drive)) return TN_DRIVE_FAILED;
        if (drive->interrupted) return TN_DRIVE_INTERRUPTED;
        if (drive->options->only_count) return end_of(drive);
        if (!tn_drive_tell(drive)) return TN_DRIVE_FAILED;
    }
    return tn_drive_answer(drive) ? end_of(drive) : TN_DRIVE_FAILED;
}

tn_drive_result tn_drive_run(tn_cases *cases, const tn_drive_options *options)
{
    tn_drive drive = {.cases = cases, .options = options, .lock = -1, .case_time = (double)NAN};
    tn_drive_result result = TN_DRIVE_REFUSED;
    if (open_design(&drive) && is_meant(&drive) && (options->dry || open_folder(&drive)))
        result = options->dry ? TN_DRIVE_DONE : carry_out(&drive);
    tn_drive_end_execution(&drive);
    if (drive.design) tn_call(cases->design, close, drive.design);
    tn_drive_free(&drive.batch);
    tn_store_close(drive.store);
    if (drive.lock >= 0) (void)close(drive.lock);
    return result;
}

bool tn_drive_first_batch(tn_cases *cases, uint64_t number, double *value, uint64_t *count)
{
    static const char *const none[] = {NULL};
    const tn_drive_options options = {.program = none, .options = none};
    tn_drive drive = {.cases = cases, .options = &options, .lock = -1};
    const bool good = open_design(&drive) && tn_drive_next(&drive);
    *count = drive.batch.count;
    const bool there = good && number < *count;
    if (there) memcpy(value, drive.batch.value + number * cases->variables, cases->variables * sizeof *value);
    if (drive.design) tn_call(cases->design, close, drive.design);
    tn_drive_free(&drive.batch);
    return there;
}
