/* run.c - `tenon run` and `tenon check` */
#include "run/run.h"

#include "cli/cli.h"
#include "cli/options.h"

static int command(const char *name, const char *summary, bool runs, int argc, char **argv)
{
    tn_run_options run = {.program = NULL};
    tn_words set = {0}, path = {0}, model = {0};
    const tn_option all[] = {
        {"--set", "PATH=VALUE", TN_OPTION_WORDS, &set,
         "replace a value of the model: parameters.k=200, solver.step=1e-4,\nelement.NAME.key=..."},
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &path, "look for plugins in DIR first"},
        {"--trust", NULL, TN_OPTION_FLAG, &run.trust,
         "load plugins that the model names or that lie beside it"},
        {"--solver", "TYPE", TN_OPTION_TEXT, &run.solver, "use this solver instead of the model's"},
        {"--out", "DIR", TN_OPTION_TEXT, &run.out, "write results to DIR"},
        {"--expanded", NULL, TN_OPTION_FLAG, &run.expanded, "write the repeats out in run.toml"},
        {"--guard", NULL, TN_OPTION_FLAG, &run.guard,
         "watch the memory of plugins: slow, names who writes where\nnothing is theirs"},
        {"--quiet", NULL, TN_OPTION_FLAG, &run.quiet, "no progress and no summary"},
        {0}};
    const tn_option few[] = {all[0], all[1], all[2], all[3], {0}};
    const tn_usage usage = {name, summary, "MODEL", 1, 1, runs ? all : few};
    int status = 0;
    if (tn_options_read(&usage, argc, argv, &model, &status)) {
        run.model = model.word[0];
        run.set = set.word;
        run.set_count = set.count;
        run.plugin_path = path.word;
        run.plugin_path_count = path.count;
        status = runs ? tn_run_model(&run) : tn_check_model(&run);
    }
    tn_words_free(&set);
    tn_words_free(&path);
    tn_words_free(&model);
    return status;
}

int tn_command_run(int argc, char **argv)
{
    return command("run", "Runs a model and writes its results.", true, argc, argv);
}

int tn_command_check(int argc, char **argv)
{
    return command("check", "Does everything short of running, and prints degrees of freedom and sizes.",
                   false, argc, argv);
}
