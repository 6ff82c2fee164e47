/* study_command.c - `tenon study`: carries out a study, tells how far it is, exports it */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "cli/message.h"
#include "cli/plugin_path.h"
#include "cli/study_files.h"
#include "cli/study_report.h"
#include "config/standard.h"
#include "drive/drive.h"
#include "run/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* s on the clock */
#define SHOWN_EVERY 0.4 /* on a terminal */
#define TOLD_EVERY 60.0 /* in a file */

/* ---- what is heard of it ----------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupts, last_signal;

static void on_interrupt(int number)
{
    interrupts++;
    last_signal = number;
}

static void catch_interrupts(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = on_interrupt};
    struct sigaction before;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[k], &action, NULL);
}

typedef struct terminal {
    bool line, told; /* one has not ended; that cases end was told */
    bool quiet;
    double shown;
} terminal;

static void end_line(terminal *t)
{
    if (t->line) (void)fputc('\n', stderr);
    t->line = false;
}

static void say(void *data, tn_level level, const char *text)
{
    static const char *const words[] = {[TN_NOTE] = "note", [TN_WARNING] = "warning", [TN_ERROR] = "error"};
    end_line(data);
    if (level == TN_NOTE && strchr(text, '\n'))
        (void)fputs(text, stdout); /* answers */
    else
        tn_message(words[level], "%s", text);
}

/* "2 h 05 min", "3 min 20 s", "41 s" */
static void print_duration(char *text, size_t size, double seconds)
{
    const unsigned long long s = seconds < 1e15 ? (unsigned long long)seconds : 0;
    if (s >= 3600)
        (void)snprintf(text, size, "%llu h %02llu min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        (void)snprintf(text, size, "%llu min %02llu s", s / 60, s % 60);
    else
        (void)snprintf(text, size, "%llu s", s);
}

static void print_progress(char *text, size_t size, const tn_drive_progress *progress)
{
    const double left = progress->expected - (double)progress->done;
    char failed[64] = "", rest[128] = "", duration[64];
    if (progress->failed)
        (void)snprintf(failed, sizeof failed, ", %llu not ok", (unsigned long long)progress->failed);
    if (progress->done_here && left > 0.0) {
        print_duration(duration, sizeof duration, progress->elapsed * left / (double)progress->done_here);
        (void)snprintf(rest, sizeof rest, ", %.3g cases/s, %s left",
                       (double)progress->done_here / progress->elapsed, duration);
    }
    (void)snprintf(text, size, "%llu of %.0f cases%s%s", (unsigned long long)progress->done,
                   progress->expected, failed, rest);
}

/* A line that stays in its place on a terminal; elsewhere a line a minute, for those who watch a file. */
static void show_progress(void *data, const tn_drive_progress *progress)
{
    terminal *t = data;
    char text[256];
    const double wall = tn_clock_now();
    const bool is_terminal = isatty(STDERR_FILENO);
    if (t->quiet || wall - t->shown < (is_terminal ? SHOWN_EVERY : TOLD_EVERY)) return;
    t->shown = wall;
    print_progress(text, sizeof text, progress);
    if (!is_terminal) {
        tn_message("note", "%s", text);
        return;
    }
    t->line = true;
    (void)fprintf(stderr, "\r%s\033[K", text);
    (void)fflush(stderr);
}

static int count_interrupts(void *data)
{
    terminal *t = data;
    if (interrupts == 1 && !t->told) {
        end_line(t);
        tn_message("note", "the cases that run come to their end; another interrupt ends them at once");
        t->told = true;
    }
    return interrupts;
}

/* ---- what has come of it ------------------------------------------------------------------------------------------ */

static void print_reason(void *data, const char *status, uint64_t count, uint64_t first, const char *reason)
{
    (void)data;
    (void)printf("  %8llu %-8s first %llu: %s\n", (unsigned long long)count, status,
                 (unsigned long long)first, reason);
}

static int tell_problem(const tn_store *store)
{
    tn_message("error", "%s", tn_store_problem(store));
    return 1;
}

static int print_status(tn_store *store)
{
    tn_store_counts counts;
    if (!tn_store_count(store, &counts)) return tell_problem(store);
    (void)fputs("cases   ", stdout);
    for (int k = 0; k <= TN_CASE_STATUSES; k++)
        if (counts.count[k] || k == TN_CASE_OK)
            (void)printf(" %llu %s", (unsigned long long)counts.count[k],
                         k == TN_CASE_STATUSES ? "waiting" : tn_case_status_names[k]);
    (void)printf("; %.3g s of processor time\n", counts.cpu);
    return tn_store_reasons(store, print_reason, NULL) ? 0 : tell_problem(store);
}

static tn_store *open_to_read(const char *folder, const tn_cases *cases)
{
    char reason[TN_LONGEST_REASON];
    tn_store *store = tn_store_open(folder, cases, TN_STORE_READ, reason, sizeof reason);
    if (!store) tn_message("error", "%s", reason);
    return store;
}

static int show_status(const char *word)
{
    tn_store *store = open_to_read(tn_study_results_of(word), NULL);
    const int status = store ? print_status(store) : 2;
    tn_store_close(store);
    return status;
}

static int export_table(const char *word, const char *path)
{
    tn_store *store = open_to_read(tn_study_results_of(word), NULL);
    FILE *file = path ? fopen(path, "we") : stdout;
    int status = store ? 0 : 2;
    if (store && !file) {
        tn_message("error", "%s: %s", path, strerror(errno));
        status = 1;
    }
    if (store && file && !tn_store_export(store, file)) status = tell_problem(store);
    if (path && file && fclose(file) != 0 && status == 0) {
        tn_message("error", "%s: %s", path, strerror(errno));
        status = 1;
    }
    tn_store_close(store);
    return status;
}

/* ---- carrying out -------------------------------------------------------------------------------------------------- */

typedef struct request {
    bool resume, dry, yes, trust, retry, quiet;
    const char *out, *only;
    tn_words path;
} request;

/* "3,7" */
static bool read_numbers(const char *text, uint64_t **number, size_t *count)
{
    tn_arena arena = {0};
    char *rest = tn_arena_text(&arena, text, strlen(text));
    for (char *word; (word = strsep(&rest, ","));) {
        uint64_t one = 0;
        if (!tn_whole_number(word, &one)) return false;
        TN_APPEND(*number, *count, one);
    }
    return true;
}

static int end_of(tn_drive_result result, const char *folder, const request *asked)
{
    switch (result) {
    case TN_DRIVE_DONE:
    case TN_DRIVE_LOST: {
        if (asked->dry) return 0;
        tn_store *store = asked->quiet ? NULL : open_to_read(folder, NULL);
        if (store) (void)print_status(store);
        tn_store_close(store);
        if (!asked->quiet) (void)printf("results  %s\n", folder);
        return result == TN_DRIVE_DONE ? 0 : 1;
    }
    case TN_DRIVE_INTERRUPTED:
        tn_message("note", "the study has ended before its end: --resume goes on with it");
        return 128 + (int)last_signal;
    case TN_DRIVE_REFUSED:
        return 2;
    case TN_DRIVE_FAILED:
        break;
    }
    return 1;
}

/* The options of workers, which run in other folders. */
static const char **worker_options(const request *asked)
{
    const char **words = tn_new(2 * asked->path.count + 2, sizeof *words);
    size_t count = 0;
    for (size_t k = 0; k < asked->path.count; k++) {
        char *real = realpath(asked->path.word[k], NULL);
        words[count++] = "--plugin-path";
        words[count++] = real ? tn_copy_text(real) : asked->path.word[k];
        free(real);
    }
    if (asked->trust) words[count++] = "--trust";
    return words;
}

static int carry_out(const tn_usage *usage, const char *word, const request *asked)
{
    tn_study_place place = tn_study_place_of(word);
    static tn_cases cases;
    terminal t = {.quiet = asked->quiet, .shown = tn_clock_now()};
    uint64_t *number = NULL;
    size_t numbers = 0;
    char *self = realpath("/proc/self/exe", NULL);
    if (asked->only && !read_numbers(asked->only, &number, &numbers))
        return tn_wrong_usage(usage, "--only takes numbers of cases, such as 3,7, not \"%s\"", asked->only);
    const char *const program[] = {self ? tn_copy_text(self) : "tenon", "case", NULL};
    free(self);
    int status = 2;
    if (tn_study_open_place(&cases, &place, &asked->path, asked->trust)) {
        const tn_drive_options options = {.folder = tn_study_folder(&cases, &place, asked->out),
                                          .program = program,
                                          .options = worker_options(asked),
                                          .resume = asked->resume || asked->retry || place.folder,
                                          .dry = asked->dry,
                                          .yes = asked->yes,
                                          .retry = asked->retry,
                                          .only = number,
                                          .only_count = numbers,
                                          .client = {&t, say, show_progress, count_interrupts}};
        catch_interrupts();
        const tn_drive_result result = tn_drive_run(&cases, &options);
        end_line(&t);
        status = end_of(result, options.folder, asked);
    }
    tn_cases_close(&cases);
    return status;
}

int tn_command_study(int argc, char **argv)
{
    request asked = {.resume = false};
    tn_words words = {0}, set = {0};
    int status = 0;
    const tn_option options[] = {
        {"--resume", NULL, TN_OPTION_FLAG, &asked.resume,
         "go on with a study that was ended; what has run does not run again"},
        {"--dry", NULL, TN_OPTION_FLAG, &asked.dry,
         "check everything and print how many cases there are, but run none"},
        {"--only", "N,N", TN_OPTION_TEXT, &asked.only, "run these cases of the first batch only"},
        {"--yes", NULL, TN_OPTION_FLAG, &asked.yes,
         "carry out a study of more than 100000 cases, or of more than a day"},
        {"--out", "DIR", TN_OPTION_TEXT, &asked.out,
         "write results to DIR; of export and report: the file. Default: `results` of the study,\nor "
         "results/NAME"},
        {"--set", "KEY=VALUE", TN_OPTION_WORDS, &set,
         "of report: a parameter of the study writer `" TN_STANDARD_STUDY_PAGE "`; may be repeated"},
        TN_PLUGIN_PATH_OPTION(&asked.path),
        {"--trust", NULL, TN_OPTION_FLAG, &asked.trust, "load plugins named by the model, or beside it"},
        {"--quiet", NULL, TN_OPTION_FLAG, &asked.quiet, "neither progress nor summary"},
        {0}};
    const tn_usage usage = {
        "study",
        "Carries out a study: runs a model with values that vary as the file says.\n"
        "  tenon study FILE          runs it\n"
        "  tenon study status DIR    prints how many of its cases have run, and why others have failed\n"
        "  tenon study retry DIR     runs cases that have failed again\n"
        "  tenon study export DIR    prints a table of all cases, comma-separated\n"
        "  tenon study report DIR    makes a page of it, study.html in the folder of results, also while it "
        "runs",
        "FILE",
        1,
        2,
        options};
    if (!tn_options_read(&usage, argc, argv, &words, &status)) return status;
    const char *first = words.word[0];
    if (words.count == 1) return carry_out(&usage, first, &asked);
    if (strcmp(first, "status") == 0) return show_status(words.word[1]);
    if (strcmp(first, "export") == 0) return export_table(words.word[1], asked.out);
    if (strcmp(first, "report") == 0)
        return tn_study_report_make(
            &usage, &(tn_study_report){words.word[1], asked.out, set, asked.path, asked.quiet});
    asked.retry = strcmp(first, "retry") == 0;
    return asked.retry
               ? carry_out(&usage, words.word[1], &asked)
               : tn_wrong_usage(
                     &usage, "\"%s\" is no word of it: status, retry, export or report, or one FILE", first);
}
