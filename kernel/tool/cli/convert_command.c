/* convert_command.c - `tenon convert` and `tenon recover`: writers convert the log of a run to files */
#include "cli/cli.h"
#include "cli/conversion.h"
#include "cli/plugin_path.h"
#include "record/recording.h"

#include <string.h>

int tn_command_convert(int argc, char **argv)
{
    tn_words directories = {0}, writers = {0}, path = {0};
    const tn_option options[] = {
        {"--to", "WRITER", TN_OPTION_WORDS, &writers,
         "the writer: NAME, or NAME,key=value,... with its parameters, or a table\n{type = \"NAME\", key = "
         "value}; may be repeated"},
        TN_PLUGIN_PATH_OPTION(&path),
        {0}};
    const tn_usage usage = {
        "convert",
        "Converts the log of a run (rows.tnl) to files in the directory of its results:\nreports, scenes, "
        "archives, tables. Earlier files of the same writers are replaced.",
        "DIR",
        1,
        1,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    if (!writers.count) return tn_wrong_usage(&usage, "--to is needed");
    return tn_conversion_make(&directories, &writers, "--to", &path, NULL);
}

static int recover(tn_conversion_work *w, const char *directory)
{
    const tn_recording *recording = w->recording[0];
    if (!tn_recording_rest(recording)) {
        tn_study_tell(&w->study, TN_SEVERITY_NOTE, "the run in %s is %s: there is nothing to recover",
                      directory, recording->status);
        return 0;
    }
    const bool marked =
        strcmp(w->status, "running") != 0 || tn_later_mark_killed(&w->study, recording->time_reached);
    if (!marked || !tn_later_convert(&w->study, (const tn_recording *const *)w->recording, 1, NULL)) return 1;
    for (uint32_t t = 0; t < recording->tables; t++)
        (void)printf("%s  %llu rows\n", recording->table[t].name,
                     (unsigned long long)recording->table[t].rows);
    (void)printf("frames   %llu\ntime     up to %.9g s\n", (unsigned long long)recording->frames,
                 recording->time_reached);
    return 0;
}

int tn_command_recover(int argc, char **argv)
{
    tn_words directories = {0}, writers = {0}, path = {0};
    const tn_option options[] = {
        {"--to", "WRITER", TN_OPTION_WORDS, &writers, "the writer of its tables; default csv"},
        TN_PLUGIN_PATH_OPTION(&path),
        {0}};
    const tn_usage usage = {"recover",
                            "Writes the tables of a killed run again, with all rows of its log (rows.tnl), "
                            "and\nenters its end in run.toml.",
                            "DIR",
                            1,
                            1,
                            options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    if (!writers.count) tn_words_add(&writers, "csv");
    tn_conversion_work w;
    if (!tn_conversion_open(&w, &writers, "--to", &path, &directories)) return tn_conversion_close(&w, 2);
    return tn_conversion_close(&w, recover(&w, directories.word[0]));
}
