/* case_command.c - `tenon case`: one case of a study, as a model or as a run; and the workers of studies */
#include "cli/cli.h"
#include "cli/message.h"
#include "cli/plugin_path.h"
#include "cli/run_model.h"
#include "cli/study_files.h"
#include "drive/drive.h"
#include "library/library.h"

#include <string.h>
#include <unistd.h>

/* The values of a case: as they stand in the database, else as the design gives them without any results. */
static bool find_values(tn_cases *cases, const char *folder, uint64_t number, double *value)
{
    char reason[TN_LONGEST_REASON];
    tn_arena arena = {0};
    uint64_t count = 0;
    const bool has_results = access(tn_arena_print(&arena, "%s/study.db", folder), R_OK) == 0;
    tn_store *store = has_results ? tn_store_open(folder, cases, TN_STORE_READ, reason, sizeof reason) : NULL;
    const bool known = store && tn_store_values(store, number, value);
    if (has_results && !store) tn_message("warning", "%s", reason);
    if (known && !tn_store_is_of(store, cases))
        tn_message(
            "warning",
            "%s/study.db: its results are those of another model, response, plugin or tenon than are here "
            "now",
            folder);
    tn_store_close(store);
    tn_arena_free(&arena);
    if (known || tn_drive_first_batch(cases, number, value, &count)) return true;
    tn_message("error", "the study has no case %llu: %llu are known, the first one has the number 0",
               (unsigned long long)number, (unsigned long long)count);
    return false;
}

static void print_model(tenon_model *model, char **text)
{
    *text = tn_model_print(model->study.model, false);
    (void)fputs(*text, stdout);
}

static int print_case(const tn_cases *cases, const tenon_options *asked)
{
    tenon_model *model = NULL;
    char *text = NULL;
    const tn_library_wishes wishes = {.listener = cases->options->listener};
    volatile int status = 2;
    if (tn_library_open(&(tn_library_source){.name = cases->model}, asked, &wishes, &model) == TENON_OK &&
        tn_attempt(&model->memory, print_model(model, &text)))
        status = 0;
    tenon_close(model);
    return status;
}

static int show_case(tn_cases *cases, const char *folder, uint64_t number, bool runs, const char *out)
{
    tn_arena arena = {0};
    double *value = tn_new(cases->variables + 1, sizeof *value);
    if (!find_values(cases, folder, number, value)) return 2;
    tn_run_options run = {.model = cases->model,
                          .asked = {.size = sizeof run.asked,
                                    .plugin_paths = cases->options->plugin_paths,
                                    .plugin_path_count = cases->options->plugin_path_count,
                                    .trust = cases->options->trust,
                                    .results = out ? out
                                                   : tn_arena_print(&arena, "%s/cases/%llu", folder,
                                                                    (unsigned long long)number)}};
    run.asked.overrides = tn_case_overrides(cases, value, &arena, &run.asked.override_count);
    if (runs) return tn_run_model(&run);
    run.asked.results = NULL;
    for (size_t k = 0; k < run.asked.override_count; k++)
        (void)printf("# %s\n", run.asked.overrides[k]);
    return print_case(cases, &run.asked);
}

int tn_command_case(int argc, char **argv)
{
    bool runs = false, works = false, trust = false;
    const char *out = NULL;
    tn_words words = {0}, path = {0};
    int status = 0;
    static tn_cases cases;
    const tn_option options[] = {
        {"--run", NULL, TN_OPTION_FLAG, &runs, "run the case, as `tenon run` does"},
        {"--out", "DIR", TN_OPTION_TEXT, &out,
         "write results of the run to DIR; default: cases/N in the folder of the study"},
        {"--work", NULL, TN_OPTION_FLAG, &works, "be a worker of the study in a folder; executors call this"},
        TN_PLUGIN_PATH_OPTION(&path),
        {"--trust", NULL, TN_OPTION_FLAG, &trust, "load plugins named by the model, or beside it"},
        {0}};
    const tn_usage usage = {
        "case", "Prints the model of one case of a study, with its values, or runs it.", "STUDY N", 1, 2,
        options};
    uint64_t number = 0;
    if (!tn_options_read(&usage, argc, argv, &words, &status)) return status;
    tn_study_place place = tn_study_place_of(words.word[0]);
    if (works && (!place.folder || words.count != 1 || runs))
        return tn_wrong_usage(&usage, "--work takes a folder of results");
    if (!works && (words.count != 2 || !tn_whole_number(words.word[1], &number)))
        return tn_wrong_usage(&usage, "STUDY and the number of a case are needed");
    status = 2;
    if (tn_study_open_place(&cases, &place, &path, trust))
        status = works ? tn_cases_work(&cases, place.folder)
                       : show_case(&cases, tn_study_folder(&cases, &place, NULL), number, runs, out);
    tn_cases_close(&cases);
    return status;
}
