/* watch_command.c - `tenon watch`: the page of a run while it goes on, for the browsers of this machine */
#include "cli/cli.h"
#include "cli/http_server.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/plugin_path.h"
#include "config/plugin_texts.h"
#include "config/standard.h"
#include "run/clock.h"
#include "run/live_run.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define LOOKED_EVERY 0.5  /* s */
#define PAGE_SHARE 10.0   /* a page is sent again for so many times the time that it took to make */
#define SHORTEST_KEEP 1.0 /* s */
enum { SERVED_MS = 250 };

typedef struct watch {
    tn_study study;
    tn_study_options options;
    tn_message_printer printer;
    tn_live_run run;
    tn_http_server server;
    double looked_at;
    uint64_t number; /* of the log in the page that the server keeps */
} watch;

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t ended;

static void on_end(int number) { ended = number; }

/* A signal that was ignored when the program started, as under nohup, stays ignored. */
static void catch_ends(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = on_end};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        struct sigaction before;
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[k], &action, NULL);
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Reads the news, and reports the end of the run. */
static void look(watch *w)
{
    const double now = tn_clock_now();
    const bool went_on = w->run.recording && w->run.goes_on;
    if (now - w->looked_at < LOOKED_EVERY) return;
    (void)tn_live_run_look(&w->run);
    w->looked_at = tn_clock_now();
    if (w->number != w->run.number) tn_http_forget(&w->server);
    w->number = w->run.number;
    if (went_on && w->run.recording && !w->run.goes_on)
        tn_study_tell(&w->study, TN_SEVERITY_NOTE, "%s: the run is %s, at %.9g s", w->run.directory,
                      w->run.recording->status, w->run.recording->time_reached);
}

static tn_http_answer answer_page(watch *w)
{
    const double before = tn_clock_now();
    tn_http_answer answer = {.status = 503};
    if (!w->run.recording) return answer;
    answer.body = tn_live_run_page(&w->run, &answer.size);
    answer.status = answer.body ? 200 : 500;
    answer.type = answer.body ? "text/html; charset=utf-8" : NULL;
    answer.keep = answer.body ? fmax(SHORTEST_KEEP, PAGE_SHARE * (tn_clock_now() - before)) : 0.0;
    return answer;
}

static tn_http_answer answer_more(watch *w, const char *after)
{
    bool gone = false;
    tn_http_answer answer = {.status = 500};
    answer.body = tn_live_run_more(&w->run, after, &answer.size, &gone);
    answer.status = answer.body ? 200 : gone ? 410 : 500;
    answer.type = answer.body ? "application/json" : NULL;
    return answer;
}

static tn_http_answer answer_request(void *data, const char *name, const char *after)
{
    watch *w = data;
    look(w);
    if (!*name) return answer_page(w);
    return strcmp(name, "more") == 0 ? answer_more(w, after) : (tn_http_answer){.status = 404};
}

/* ---- the work ---------------------------------------------------------------------------------------------------- */

static bool open_writer(watch *w, const tn_words *path)
{
    char reason[TN_LONGEST_REASON];
    w->printer = (tn_message_printer){.stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON};
    w->options = (tn_study_options){.model = "tenon watch",
                                    .text = "[output]\nwriters = [\"" TN_STANDARD_PAGE "\"]\n",
                                    .folder = ".",
                                    .asked = {.plugin_paths = path->word, .plugin_path_count = path->count}};
    const bool good = tn_study_open_writers(&w->study, &w->options, tn_message_printer_listener(&w->printer));
    if (good && tn_live_run_is_possible(&w->study)) return true;
    if (good)
        tn_message("error", "tenon watch: this version of the writer `" TN_STANDARD_PAGE
                            "` makes no pages of runs that go on");
    else if (w->study.registry &&
             !tn_registry_find(w->study.registry, TN_WRITER_KIND, TN_STANDARD_PAGE, reason, sizeof reason))
        tn_message("note", "`" TN_STANDARD_PAGE
                           "` is a writer of Tenon that is built where node and npm are installed: `tenon "
                           "plugins` says what it lacks here");
    return false;
}

/* Waits until there is a log, or a signal. False after a message: there will be none. */
static bool wait_for_run(watch *w)
{
    const struct timespec pause = {0, 100000000};
    const char *status = w->run.was_locked ? "" : w->run.status;
    if (!w->run.recording)
        tn_study_tell(&w->study, TN_SEVERITY_NOTE, "waiting for a run in %s%s%s", w->run.directory,
                      *status ? ": the earlier one has left no log, its status is " : "", status);
    while (!w->run.recording && !ended) {
        (void)nanosleep(&pause, NULL);
        if (!tn_live_run_await(&w->run)) return false;
    }
    return true;
}

static int serve(watch *w)
{
    catch_ends();
    if (!wait_for_run(w)) return 2;
    if (ended) return 0;
    if (!tn_http_open(&w->server, "watch")) return 1;
    (void)printf("http://127.0.0.1:%u/%s/\n", w->server.port, w->server.token);
    (void)fflush(stdout);
    w->number = w->run.number;
    while (!ended) {
        tn_http_serve(&w->server, SERVED_MS);
        look(w);
    }
    tn_http_close(&w->server);
    return 0;
}

static int watch_run(watch *w, bool waits, const tn_words *path)
{
    int status = 2;
    w->server.answer = answer_request;
    w->server.data = w;
    w->run.study = &w->study;
    w->run.folder = -1;
    if (open_writer(w, path) && tn_live_run_open(&w->run, waits)) status = serve(w);
    tn_live_run_close(&w->run);
    tn_study_close(&w->study);
    return status;
}

int tn_command_watch(int argc, char **argv)
{
    static watch w;
    tn_words directories = {0}, path = {0};
    double port = 0.0;
    bool waits = false;
    const tn_option options[] = {
        {"--port", "N", TN_OPTION_NUMBER, &port, "the port of the address; default: one that is free"},
        {"--wait", NULL, TN_OPTION_FLAG, &waits, "wait until a run writes its log into DIR"},
        TN_PLUGIN_PATH_OPTION(&path),
        {0}};
    const tn_usage usage = {
        "watch",
        "Shows a run in a browser on this machine while it goes on: prints the address of a page of the\n"
        "results in DIR, and serves it until Ctrl-C (exit status 0). It only reads the results, also those "
        "of\n"
        "a run that is over; a later run in DIR replaces the first one on the page.",
        "DIR",
        1,
        1,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    if (!(port >= 0.0 && port <= 65535.0) || port != floor(port))
        return tn_wrong_usage(&usage, "--port takes a number from 1 to 65535, not %g", port);
    w.server.port = (unsigned)port;
    w.run.directory = directories.word[0];
    return watch_run(&w, waits, &path);
}
