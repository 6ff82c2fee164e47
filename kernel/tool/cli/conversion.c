/* conversion.c - conversion of results of runs by writers (see conversion.h) */
#include "cli/conversion.h"

#include "config/plugin_texts.h"
#include "record/recording.h"

#include <stdlib.h>
#include <string.h>

/* ---- writers ------------------------------------------------------------------------------------------------- */

void tn_add_toml_text(tn_text *text, const char *letters, size_t length)
{
    tn_text_add_letters(text, "\"", 1);
    for (size_t k = 0; k < length; k++) {
        if (letters[k] == '"' || letters[k] == '\\') tn_text_add_letters(text, "\\", 1);
        tn_text_add_letters(text, letters + k, 1);
    }
    tn_text_add_letters(text, "\"", 1);
}

/* Adds a value of TOML as it is, anything else as a text. */
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
        tn_add_toml_text(text, value, length);
}

void tn_add_toml_pair(tn_text *text, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    const size_t key = equals ? (size_t)(equals - word) : length;
    tn_text_add(text, ", %.*s = ", (int)key, word);
    add_value(text, equals ? equals + 1 : "true", equals ? length - key - 1 : 4);
}

/* Adds NAME,key=value,... as a table, and a table as it is. */
static void add_writer(tn_text *text, const char *word)
{
    if (word[0] == '{') {
        tn_text_add(text, "%s", word);
        return;
    }
    size_t length = strcspn(word, ",");
    tn_text_add(text, "{type = ");
    tn_add_toml_text(text, word, length);
    while (word[length]) {
        word += length + 1;
        length = strcspn(word, ",");
        tn_add_toml_pair(text, word, length);
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

/* ---- conversion ------------------------------------------------------------------------------------------------- */

static bool open_writers(tn_conversion_work *w, const tn_words *writers, const char *option,
                         const tn_words *path)
{
    w->printer = (tn_message_printer){.stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON};
    w->options = (tn_study_options){.model = option,
                                    .text = print_output(writers),
                                    .folder = ".",
                                    .asked = {.plugin_paths = path->word, .plugin_path_count = path->count}};
    return tn_study_open_writers(&w->study, &w->options, tn_message_printer_listener(&w->printer));
}

static bool open_results(tn_conversion_work *w, const tn_words *directories)
{
    for (; w->count < directories->count; w->count++) {
        const char *directory = directories->word[w->count];
        tn_recording *recording =
            w->count ? tn_later_read(&w->study, directory) : tn_later_open(&w->study, directory, &w->status);
        if (!recording) return false;
        w->recording[w->count] = recording;
        const char *rest = tn_recording_rest(recording);
        if (rest)
            tn_study_tell(&w->study, TN_SEVERITY_NOTE, "%s: the run %s, and is there up to %.9g s", rest,
                          strcmp(recording->status, "failed") == 0        ? "has failed"
                          : strcmp(recording->status, "interrupted") == 0 ? "was interrupted"
                                                                          : "was killed",
                          recording->time_reached);
    }
    return true;
}

bool tn_conversion_open(tn_conversion_work *work, const tn_words *writers, const char *option,
                        const tn_words *path, const tn_words *directories)
{
    *work = (tn_conversion_work){.count = 0};
    if (open_writers(work, writers, option, path)) return open_results(work, directories);
    tell_writers(writers, path);
    return false;
}

int tn_conversion_close(tn_conversion_work *work, int status)
{
    for (uint32_t k = 0; k < work->count; k++)
        tn_recording_close(work->recording[k]);
    tn_study_close(&work->study);
    return status;
}

int tn_conversion_make(const tn_words *directories, const tn_words *writers, const char *option,
                       const tn_words *path, const tn_deliveries *deliveries)
{
    tn_conversion_work work;
    if (!tn_conversion_open(&work, writers, option, path, directories)) return tn_conversion_close(&work, 2);
    const tn_recording *const *recording = (const tn_recording *const *)work.recording;
    return tn_conversion_close(&work,
                               tn_later_convert(&work.study, recording, work.count, deliveries) ? 0 : 1);
}
