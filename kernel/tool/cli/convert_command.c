/* convert_command.c - `tenon convert`, `tenon recover` and `tenon report`: files that writers make of the log of a run that is over */
#include "cli/cli.h"
#include "cli/message.h"
#include "cli/options.h"
#include "config/plugin_texts.h"
#include "record/recording.h"
#include "run/later.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RESULTS = 8 };

/* ---- which writer -------------------------------------------------------------------------------------------- */

static void add_quoted(tn_text *text, const char *letters, size_t length)
{
    tn_text_add_letters(text, "\"", 1);
    for (size_t k = 0; k < length; k++) {
        if (letters[k] == '"' || letters[k] == '\\') tn_text_add_letters(text, "\\", 1);
        tn_text_add_letters(text, letters + k, 1);
    }
    tn_text_add_letters(text, "\"", 1);
}

/* As it stands, where it is a value of TOML, else as a text. */
static void add_value(tn_text *text, const char *value, size_t length)
{
    char number[64] = "", *end = number;
    if (length && length < sizeof number) {
        memcpy(number, value, length);
        (void)strtod(number, &end);
    }
    const bool is_number = end > number && !*end;
    const bool is_word = strcmp(number, "true") == 0 || strcmp(number, "false") == 0;
    if (is_number || is_word || (length && strchr("\"'[{", value[0])))
        tn_text_add_letters(text, value, length);
    else
        add_quoted(text, value, length);
}

/* NAME,key=value,... as a table; a table as it is. */
static void add_writer(tn_text *text, const char *word)
{
    if (word[0] == '{') {
        tn_text_add(text, "%s", word);
        return;
    }
    size_t length = strcspn(word, ",");
    tn_text_add(text, "{type = ");
    add_quoted(text, word, length);
    while (word[length]) {
        word += length + 1;
        length = strcspn(word, ",");
        const char *equals = memchr(word, '=', length);
        const size_t key = equals ? (size_t)(equals - word) : length;
        tn_text_add(text, ", %.*s = ", (int)key, word);
        add_value(text, equals ? equals + 1 : "true", equals ? length - key - 1 : 4);
    }
    tn_text_add(text, "}");
}

/* [output] with these writers. */
static char *print_output(const tn_words *writers)
{
    tn_text text = {0};
    tn_text_add(&text, "[output]\nwriters = [");
    for (size_t k = 0; k < writers->count; k++) {
        if (k) tn_text_add(&text, ", ");
        add_writer(&text, writers->word[k]);
    }
    tn_text_add(&text, "]\n");
    return text.letters;
}

/* ---- the work ------------------------------------------------------------------------------------------------- */

typedef struct work {
    tn_study study;
    tn_study_options options;
    tn_message_printer printer;
    tn_recording *recording[MOST_RESULTS];
    uint32_t count;
    const char *status; /* by run.toml, of the first */
} work;

static bool open_work(work *w, const tn_words *writers, const tn_words *path)
{
    w->printer = (tn_message_printer){.stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON};
    w->options = (tn_study_options){.model = "--to",
                                    .text = print_output(writers),
                                    .folder = ".",
                                    .asked = {.plugin_paths = path->word, .plugin_path_count = path->count}};
    return tn_study_open_writers(&w->study, &w->options, tn_message_printer_listener(&w->printer));
}

static bool open_results(work *w, const tn_words *directories)
{
    for (; w->count < directories->count; w->count++) {
        const char *directory = directories->word[w->count];
        tn_recording *recording =
            w->count ? tn_later_read(&w->study, directory) : tn_later_open(&w->study, directory, &w->status);
        if (!recording) return false;
        w->recording[w->count] = recording;
        const char *rest = tn_recording_rest(recording);
        if (rest && strcmp(recording->status, "killed") == 0)
            tn_study_tell(&w->study, TN_SEVERITY_NOTE, "%s: the run was killed, and is there up to %.9g s",
                          rest, recording->time_reached);
    }
    return true;
}

static int close_work(work *w, int status)
{
    for (uint32_t k = 0; k < w->count; k++)
        tn_recording_close(w->recording[k]);
    tn_study_close(&w->study);
    return status;
}

/* ---- which writers there are ---------------------------------------------------------------------------------- */

static void add_writer_there(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)file;
    tn_text *text = data;
    tn_text_add(text, "%s%s", text->length ? ", " : "", tn_type_description(kind, type).name);
}

static void add_writer_left_out(void *data, const char *kind, const char *name, const char *packages)
{
    tn_text *text = data;
    if (strcmp(kind, TN_WRITER_KIND) != 0) return;
    tn_text_add(text, "%s%s", text->length ? ", " : "", name);
    if (*packages) tn_text_add(text, " (needs %s)", packages);
}

/* A name that is none of a writer: which ones there are, and which ones the build has left out. */
static void tell_writers(const tn_words *writers, const tn_words *path)
{
    tn_text there = {0}, left_out = {0};
    char name[64], reason[TN_LONGEST_REASON];
    bool known = true;
    tn_registry *registry = tn_registry_new(NULL, tn_reader_loading);
    for (size_t k = 0; k < path->count; k++)
        (void)tn_registry_add_directory(registry, path->word[k]);
    for (size_t k = 0; k < writers->count; k++) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(writers->word[k], ",{"), writers->word[k]);
        known = known &&
                (!name[0] || tn_registry_find(registry, TN_WRITER_KIND, name, reason, sizeof reason) != NULL);
    }
    if (known) return;
    tn_registry_load_all(registry, NULL);
    tn_types_visit(registry, TN_WRITER_KIND, add_writer_there, &there);
    tn_left_out_visit(registry, add_writer_left_out, &left_out);
    tn_message("note", "the writers that are installed: %s", there.length ? there.letters : "none");
    if (left_out.length)
        tn_message("note",
                   "writers that this build lacks: %s; ./build.sh deps all and ./build.sh build make them",
                   left_out.letters);
    tn_free(there.letters);
    tn_free(left_out.letters);
}

static int convert(const tn_words *directories, const tn_words *writers, const tn_words *path)
{
    work w = {.count = 0};
    if (!open_work(&w, writers, path)) {
        tell_writers(writers, path);
        return close_work(&w, 2);
    }
    if (!open_results(&w, directories)) return close_work(&w, 2);
    const tn_recording *const *recording = (const tn_recording *const *)w.recording;
    return close_work(&w, tn_later_convert(&w.study, recording, w.count, true) ? 0 : 1);
}

/* ---- commands ------------------------------------------------------------------------------------------------- */

static const char plugin_path_help[] = "look for plugins in DIR first";

int tn_command_convert(int argc, char **argv)
{
    tn_words directories = {0}, writers = {0}, path = {0};
    const tn_option options[] = {
        {"--to", "WRITER", TN_OPTION_WORDS, &writers,
         "the writer: NAME, or NAME,key=value,... with its parameters, or a table\n{type = \"NAME\", key = "
         "value}; may be repeated"},
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &path, plugin_path_help},
        {0}};
    const tn_usage usage = {
        "convert",
        "Lets writers make files of the log of a run (rows.tnl), in the directory of its "
        "results:\nreports, scenes, archives, tables. Those that they have made there before "
        "go.",
        "DIR",
        1,
        1,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    if (!writers.count) return tn_wrong_usage(&usage, "--to is needed");
    return convert(&directories, &writers, &path);
}

int tn_command_report(int argc, char **argv)
{
    tn_words directories = {0}, writers = {0}, path = {0};
    const tn_option options[] = {{"--plugin-path", "DIR", TN_OPTION_WORDS, &path, plugin_path_help}, {0}};
    const tn_usage usage = {
        "report",
        "Makes a page of the results of a run, or of two side by side: report.html in the "
        "first directory.\nAs `tenon convert DIR --to report`.",
        "DIR [DIR2]",
        1,
        2,
        options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    tn_words_add(&writers, "report");
    return convert(&directories, &writers, &path);
}

static int recover(work *w, const char *directory)
{
    const tn_recording *recording = w->recording[0];
    if (strcmp(recording->status, "killed") != 0) {
        tn_study_tell(&w->study, TN_SEVERITY_NOTE, "the run in %s is %s: there is nothing to recover",
                      directory, recording->status);
        return 0;
    }
    const bool marked =
        strcmp(w->status, "running") != 0 || tn_later_mark_killed(&w->study, recording->time_reached);
    if (!marked || !tn_later_convert(&w->study, (const tn_recording *const *)w->recording, 1, true)) return 1;
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
        {"--plugin-path", "DIR", TN_OPTION_WORDS, &path, plugin_path_help},
        {0}};
    const tn_usage usage = {"recover",
                            "Writes the tables of a run that was killed once more, with all rows of its log "
                            "(rows.tnl), and\nputs its end into run.toml.",
                            "DIR",
                            1,
                            1,
                            options};
    int status = 0;
    if (!tn_options_read(&usage, argc, argv, &directories, &status)) return status;
    if (!writers.count) tn_words_add(&writers, "csv");
    work w = {.count = 0};
    if (!open_work(&w, &writers, &path)) {
        tell_writers(&writers, &path);
        return close_work(&w, 2);
    }
    if (!open_results(&w, &directories)) return close_work(&w, 2);
    return close_work(&w, recover(&w, directories.word[0]));
}
