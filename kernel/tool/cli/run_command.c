/* run_command.c - `tenon run` and `tenon check` */
#include "cli/cli.h"
#include "cli/crash.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/plugin_path.h"
#include "cli/run_model.h"
#include "cli/tune.h"

#include "threads/threads.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char format_option[] = "--message-format";
enum { LONGEST_RUN = 100000000 }; /* s */

/* The word that --message-format has; NULL without one. It is looked for before all else: mistakes in the options are told as it
 * says. */
static const char *find_format(int argc, char **argv)
{
    const size_t length = sizeof format_option - 1;
    const char *format = NULL;
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strncmp(argv[k], format_option, length) != 0) continue;
        if (argv[k][length] == '=')
            format = argv[k] + length + 1;
        else if (!argv[k][length] && k + 1 < argc)
            format = argv[k + 1];
    }
    return format;
}

/* False for a format that is not known. */
static bool choose_format(const char *format)
{
    const bool json = format && strcmp(format, "json") == 0;
    tn_message_choose(json ? TN_MESSAGES_JSON : TN_MESSAGES_TEXT);
    return json || !format || strcmp(format, "text") == 0;
}

/* False after telling that there is no timer. */
static bool start_limit(unsigned seconds)
{
    if (!seconds || tn_crash_limit(seconds, &tn_interrupted)) return true;
    tn_message("error", "tenon run: --limit: there is no timer: %s", strerror(errno));
    return false;
}

/* What the checkpoint says is not said anew. */
static int run_or_resume(const tn_usage *usage, tn_run_options *run, const tn_words *model)
{
    const bool given = run->asked.override_count || run->asked.solver || run->asked.results || run->expanded;
    if (run->resume && !*run->resume) return tn_wrong_usage(usage, "--resume takes the directory of a run");
    if (!run->resume && !model->count) return tn_wrong_usage(usage, "MODEL is needed");
    if (run->resume && (model->count || given))
        return tn_wrong_usage(
            usage, "--resume takes the model, --set, --solver, --out and --expanded from the run in %s",
            run->resume);
    if (run->tune && (run->resume || run->guard || run->expanded || run->limit || run->asked.results))
        return tn_wrong_usage(usage,
                              "--tune writes no results: it goes with MODEL, --set, --solver, --threads, "
                              "--plugin-path, --trust and --quiet");
    if (run->tune && run->check)
        return tn_wrong_usage(usage, "--tune runs the model many times: --check is of one run");
    if (run->resume && run->guard)
        return tn_wrong_usage(usage, "--resume is not for runs with --guard, which have no checkpoints");
    if (!start_limit(run->limit)) return 1;
    if (run->resume) return tn_resume_run(run);
    run->model = model->word[0];
    return run->tune ? tn_tune_run(run) : tn_run_model(run);
}

static int run_or_check(const char *name, const char *summary, bool runs, int argc, char **argv)
{
    tn_run_options run = {.model = NULL};
    tn_words set = {0}, path = {0}, model = {0};
    bool trust = false;
    const char *format = NULL;
    double threads = (double)NAN, limit = (double)NAN;
    const tn_option all[] = {
        {"--set", "PATH=VALUE", TN_OPTION_WORDS, &set,
         "replace a value of the model: parameters.k=200, solver.step=1e-4,\nelement.NAME.key=..."},
        TN_PLUGIN_PATH_OPTION(&path),
        {"--trust", NULL, TN_OPTION_FLAG, &trust, "load plugins named by the model, or beside it"},
        {"--solver", "TYPE", TN_OPTION_TEXT, &run.asked.solver, "use this solver instead of the model's"},
        {format_option, "FORMAT", TN_OPTION_TEXT, &format,
         "print messages as text, or as json: an object on each line"},
        {"--threads", "N", TN_OPTION_NUMBER, &threads,
         "work on so many threads instead of the model's; 0: one for each core"},
        {"--limit", "SECONDS", TN_OPTION_NUMBER, &limit,
         "end the run after so many seconds on the clock, at the end of a step; exit status\n124"},
        {"--out", "DIR", TN_OPTION_TEXT, &run.asked.results, "write results to DIR"},
        {"--expanded", NULL, TN_OPTION_FLAG, &run.expanded, "expand the repeats in run.toml"},
        {"--resume", "DIR", TN_OPTION_TEXT, &run.resume,
         "go on with the run whose results are in DIR, from its last checkpoint\n(`[output] checkpoint`); "
         "without "
         "MODEL"},
        {"--tune", NULL, TN_OPTION_FLAG, &run.tune,
         "do not run once, but try the installed solvers and their settings, over the\nwhole run where that "
         "takes a moment, else over its first part, and print\nwhich would be fastest at the accuracy of the "
         "model's `tolerance`, or 1e-4\nwhere it has none: the largest difference of a coordinate from a "
         "much "
         "stricter\nrun, as a share of the size of the model, or in rad; --solver TYPE tries that\none only"},
        {"--check", NULL, TN_OPTION_FLAG, &run.check,
         "compare the figures of the run with the [[expect]] tables of the model; exit\nstatus 3 if one "
         "differs"},
        {"--guard", NULL, TN_OPTION_FLAG, &run.guard, "check the memory accesses of plugins, which is slow"},
        {"--quiet", NULL, TN_OPTION_FLAG, &run.quiet, "no progress and no summary"},
        {0}};
    const tn_option few[] = {all[0], all[1], all[2], all[3], all[4], {0}};
    const tn_usage usage = {name, summary, "MODEL", runs ? 0 : 1, 1, runs ? all : few};
    int status = 0;
    (void)choose_format(find_format(argc, argv));
    if (!tn_options_read(&usage, argc, argv, &model, &status)) return status;
    if (!choose_format(format))
        return tn_wrong_usage(&usage, "%s takes text or json, not \"%s\"", format_option, format);
    if (!isnan(threads) && !(threads >= 0.0 && threads <= TN_MOST_THREADS && threads == floor(threads)))
        return tn_wrong_usage(&usage, "--threads takes a whole number from 0 to %d, not %g", TN_MOST_THREADS,
                              threads);
    if (!isnan(limit) && !(limit >= 1.0 && limit <= LONGEST_RUN && limit == floor(limit)))
        return tn_wrong_usage(&usage, "--limit takes whole seconds, from 1 to %d, not %g", LONGEST_RUN,
                              limit);
    if (!isnan(limit)) run.limit = (unsigned)limit;
    if (!isnan(threads)) run.asked.threads = threads > 0.0 ? (int32_t)threads : -1;
    run.asked.overrides = set.word;
    run.asked.override_count = set.count;
    run.asked.plugin_paths = path.word;
    run.asked.plugin_path_count = path.count;
    run.asked.trust = trust;
    if (runs) return run_or_resume(&usage, &run, &model);
    run.model = model.word[0];
    return tn_check_model(&run);
}

int tn_command_run(int argc, char **argv)
{
    return run_or_check("run", "Runs a model and writes its results.", true, argc, argv);
}

int tn_command_check(int argc, char **argv)
{
    return run_or_check("check",
                        "Checks a model without running it, and prints degrees of freedom and sizes.", false,
                        argc, argv);
}
