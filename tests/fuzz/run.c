/* run.c - what must hold for every run of every text of a model file: an exit status with its reason, whole rows, and a run.toml
 * that is valid and says how the run ended. Runs are interrupted after a moment. */
#define _GNU_SOURCE
#include "target.h"

#include "cli/csv_table.h"
#include "config/toml.h"
#include "units/units.h"
#include "cli/interrupt.h"
#include "cli/run_model.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { LONGEST_RUN = 30000, /* us of processor time */ LARGEST_COUNT = 99 };

static char folder[] = "/tmp/tenon-fuzz-XXXXXX";
static char model[sizeof folder + 16], results[sizeof folder + 16], said[sizeof folder + 16];
static int errors; /* the stream of the fuzzer itself */

static void empty(const char *directory)
{
    DIR *const stream = opendir(directory);
    if (!stream) return;
    for (const struct dirent *entry; (entry = readdir(stream));)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
            (void)unlinkat(dirfd(stream), entry->d_name, 0);
    CHECK(closedir(stream) == 0);
    CHECK(rmdir(directory) == 0);
}

static void leave(void)
{
    empty(results);
    empty(folder);
    tn_units_close();
}

static void interrupt(int number)
{
    (void)number;
    tn_interrupted = SIGINT;
}

static void enter(void)
{
    CHECK(mkdtemp(folder));
    (void)snprintf(model, sizeof model, "%s/model.toml", folder);
    (void)snprintf(results, sizeof results, "%s/results", folder);
    (void)snprintf(said, sizeof said, "%s/said", folder);
    errors = dup(STDERR_FILENO);
    CHECK(errors >= 0 && atexit(leave) == 0);
    const struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESTART};
    CHECK(sigaction(SIGVTALRM, &action, NULL) == 0);
}

/* Copies by the million are right, but take as long as they take. */
static bool is_small(const char *text)
{
    for (const char *at = text; (at = strstr(at, "count")); at++) {
        const char *const value = at + strcspn(at, "=\n");
        const size_t length = strcspn(value, "\n");
        size_t digits = 0;
        for (size_t k = 0; k < length; k++)
            digits += isdigit((unsigned char)value[k]) || value[k] == '*' || value[k] == '(';
        if (digits > 2) return false;
    }
    return true;
}

static void set_timer(long microseconds)
{
    const struct itimerval timer = {.it_interval.tv_usec = microseconds, .it_value.tv_usec = microseconds};
    CHECK(setitimer(ITIMER_VIRTUAL, &timer, NULL) == 0);
}

static int run(void)
{
    const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(file >= 0 && dup2(file, STDERR_FILENO) >= 0 && close(file) == 0);
    static const char *const plugins[] = {TENON_PLUGINS};
    const tn_run_options options = {
        .model = model,
        .asked = {.plugin_paths = plugins, .plugin_path_count = 1, .results = results},
        .quiet = true};
    tn_interrupted = 0;
    set_timer(LONGEST_RUN);
    const int status = tn_run_model(&options);
    set_timer(0);
    CHECK(dup2(errors, STDERR_FILENO) >= 0);
    return status;
}

static bool says_why(void)
{
    char text[65536];
    FILE *const stream = fopen(said, "rb");
    CHECK(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    CHECK(fclose(stream) == 0);
    return strstr(text, "error: ") != NULL;
}

static void check_run_file(int status)
{
    char path[sizeof results + 16];
    (void)snprintf(path, sizeof path, "%s/run.toml", results);
    tn_diagnostics *const diagnostics = tn_diagnostics_new();
    tn_document *const document = tn_document_read(path, diagnostics);
    CHECK(document && tn_error_count(diagnostics) == 0);
    const tn_toml *const table = tn_toml_get(tn_document_root(document), "run");
    const tn_toml *const told = table ? tn_toml_get(table, "status") : NULL;
    CHECK(told && told->kind == TN_TOML_STRING);
    CHECK(strcmp(told->text, status == 0 ? "finished" : status == 1 ? "failed" : "interrupted") == 0);
}

static void check_rows(void)
{
    char path[sizeof results + 16];
    (void)snprintf(path, sizeof path, "%s/sensors.csv", results);
    if (access(path, F_OK) != 0) return;
    tn_csv_table table = {0};
    CHECK(tn_csv_read(path, &table, stderr));
}

int tn_fuzz_run(const uint8_t *text, size_t length)
{
    if (!errors) enter();
    char *const copy = malloc(length + 1);
    CHECK(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    const bool small = is_small(copy);
    free(copy);
    if (!small) return 0;
    FILE *const stream = fopen(model, "wb");
    CHECK(stream);
    CHECK(fwrite(text, 1, length, stream) == length && fclose(stream) == 0);
    empty(results);
    const int status = run();
    CHECK(status == 0 || says_why() || status == 128 + SIGINT);
    CHECK(status == 0 || status == 1 || status == 2 || status == 128 + SIGINT);
    tn_memory memory = {0};
    struct stat unused;
    if (status == 2)
        CHECK(stat(results, &unused) != 0 || rmdir(results) == 0);
    else
        CHECK(tn_attempt(&memory, check_run_file(status)));
    CHECK(tn_attempt(&memory, check_rows()));
    tn_memory_release(&memory);
    return 0;
}
