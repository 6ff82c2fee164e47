/* study_report.c - the page of a study, by a study writer (see study_report.h) */
#define _GNU_SOURCE
#include "cli/study_report.h"

#include "cli/conversion.h"
#include "cli/message.h"
#include "cli/process.h"
#include "cli/study_files.h"
#include "config/standard.h"
#include "drive/drive.h"
#include "plugin/call_site.h"
#include "run/deliveries.h"
#include "run/plan.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define TABLE "page" /* of the text that holds the parameters of the writer */

typedef struct work {
    const tn_usage *usage;
    const tn_study_report *asked;
    const char *folder; /* of results */
    tn_arena arena;
    tn_study study; /* plugins, and the parameters of the writer; it has no model */
    tn_study_options options;
    tn_message_printer printer;
    const tn_study_writer_type *writer;
    const void *instance;
    tn_store *store;
    tn_study_results results;
    tn_delivery to;
} work;

/* ---- the writer --------------------------------------------------------------------------------------------------- */

static bool open_writer(work *w)
{
    static const char *const words[] = {"type", NULL};
    tn_text text = {0};
    tn_text_add(&text, TABLE " = {type = \"" TN_STANDARD_STUDY_PAGE "\"");
    for (size_t k = 0; k < w->asked->set.count; k++)
        tn_add_toml_pair(&text, w->asked->set.word[k], strlen(w->asked->set.word[k]));
    tn_text_add(&text, "}\n");
    w->printer = (tn_message_printer){.stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON};
    w->options = (tn_study_options){
        .model = "--set",
        .text = text.letters,
        .folder = ".",
        .asked = {.plugin_paths = w->asked->path.word, .plugin_path_count = w->asked->path.count}};
    if (!tn_study_open_tables(&w->study, &w->options, tn_message_printer_listener(&w->printer))) return false;
    const tn_other_choice choice = tn_choose_other(
        w->study.model, tn_toml_get(tn_document_root(w->study.document), TABLE),
        &(tn_other_kind){TN_STUDY_WRITER_KIND, NULL, words, offsetof(tn_study_writer_type, prepare)});
    w->writer = choice.type;
    w->instance = choice.instance;
    tn_diagnostics_publish(w->study.diagnostics);
    char reason[TN_LONGEST_REASON];
    if (!w->writer && !tn_registry_find(w->study.registry, TN_STUDY_WRITER_KIND, TN_STANDARD_STUDY_PAGE,
                                        reason, sizeof reason))
        tn_message("note", "`" TN_STANDARD_STUDY_PAGE
                           "` is a plugin of Tenon that is built where node and npm are installed: `tenon "
                           "plugins` says what it lacks here");
    return w->writer != NULL;
}

/* ---- the results -------------------------------------------------------------------------------------------------- */

/* As a word of a shell. */
static void add_shell_word(tn_text *text, const char *word)
{
    bool plain = *word != '\0';
    for (const char *c = word; *c; c++)
        plain = plain && (isalnum((unsigned char)*c) || strchr("/._-+:,@%", *c));
    if (plain) {
        tn_text_add(text, "%s", word);
        return;
    }
    tn_text_add_letters(text, "'", 1);
    for (; *word; word++)
        if (*word == '\'')
            tn_text_add(text, "'\\''");
        else
            tn_text_add_letters(text, word, 1);
    tn_text_add_letters(text, "'", 1);
}

/* The file of the study, and its design: a study whose file is gone has none. */
static void read_texts(work *w)
{
    tn_text command = {0};
    tn_diagnostics *diagnostics = tn_diagnostics_new(); /* of a file that the program has written itself */
    tn_document *document =
        tn_document_read(tn_arena_print(&w->arena, "%s/study.toml", w->folder), diagnostics);
    if (document) {
        const tn_toml *root = tn_document_root(document);
        tn_toml *design = tn_toml_get(root, "design");
        const tn_toml alone = {.kind = TN_TOML_TABLE, .child = &design, .count = design != NULL};
        w->results.text = tn_toml_print(root);
        w->results.design = tn_toml_print(&alone);
    }
    tn_text_add(&command, "tenon case ");
    add_shell_word(&command, w->folder);
    w->results.command = command.letters;
}

static bool open_results(work *w)
{
    char reason[TN_LONGEST_REASON];
    w->store = tn_store_open(w->folder, NULL, TN_STORE_READ, reason, sizeof reason);
    if (!w->store) {
        tn_message("error", "%s", reason);
        return false;
    }
    if (!tn_store_read_results(w->store, &w->arena, &w->results)) {
        tn_message("error", "%s", tn_store_problem(w->store));
        return false;
    }
    read_texts(w);
    return true;
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static int choose_place(work *w)
{
    const char *out = w->asked->out, *ending = w->writer->ending;
    w->to = (tn_delivery){"--out", ending, out ? out : tn_arena_print(&w->arena, "%s/", w->folder)};
    if (!out || tn_delivery_is_folder(&w->to)) return 0;
    const size_t length = strlen(out), end = strlen(ending);
    if (length > end && strcasecmp(out + length - end, ending) == 0) return 0;
    return tn_wrong_usage(w->usage, "--out makes a file *%s, not \"%s\"; a folder is there, or ends with /",
                          ending, out);
}

/* Moves the file that has the ending from the folder in which it was made; false with errno, 0: there is none. */
static bool deliver(work *w, const char *folder, const char **name)
{
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = file >= 0 ? fdopendir(file) : NULL;
    bool good = false;
    *name = "";
    if (!names && file >= 0) (void)close(file);
    if (!names) return false;
    const size_t end = strlen(w->writer->ending);
    errno = 0;
    for (const struct dirent *entry; !good && (entry = readdir(names));) {
        const size_t length = strlen(entry->d_name);
        if (length <= end || strcmp(entry->d_name + length - end, w->writer->ending) != 0) continue;
        *name = tn_arena_text(&w->arena, entry->d_name, length);
        good = tn_deliver(&w->to, file, entry->d_name);
        break;
    }
    const int reason = errno;
    (void)closedir(names);
    errno = reason;
    return good;
}

static int write_file(work *w)
{
    const char *name = "", *type = w->writer->name;
    char *folder = tn_make_directory(&w->arena, "pages", "tenon-page-XXXXXX");
    if (!folder) return 1;
    tn_model *model = w->study.model;
    const tn_status status = tn_call(w->writer, write, &model->host, w->instance, &w->results, folder);
    tn_diagnostics_publish(w->study.diagnostics);
    bool good = status == TN_OK && !model->refused && tn_model_errors(model) == 0;
    if (!good)
        tn_message("error", "the study writer `%s` makes no file of %s: %s", type, w->folder,
                   model->refused                ? model->refusal
                   : *tn_store_problem(w->store) ? tn_store_problem(w->store)
                                                 : tn_status_text(status));
    else if (!(good = deliver(w, folder, &name)))
        tn_message("error", "%s cannot be written: %s", w->to.path,
                   errno ? strerror(errno) : "the study writer has made no file");
    tn_remove_tree(folder);
    if (good && !w->asked->quiet)
        (void)printf("page     %s%s\n", w->to.path,
                     !tn_delivery_is_folder(&w->to)              ? ""
                     : w->to.path[strlen(w->to.path) - 1] == '/' ? name
                                                                 : tn_arena_print(&w->arena, "/%s", name));
    return good ? 0 : 1;
}

int tn_study_report_make(const tn_usage *usage, const tn_study_report *asked)
{
    work w = {.usage = usage, .asked = asked, .folder = tn_study_results_of(asked->place)};
    for (size_t k = 0; k < asked->set.count; k++)
        if (!strchr(asked->set.word[k], '='))
            return tn_wrong_usage(usage, "--set takes KEY=VALUE, not \"%s\"", asked->set.word[k]);
    int status = 2;
    if (open_writer(&w)) status = choose_place(&w);
    if (w.writer && status == 0) status = open_results(&w) ? write_file(&w) : 2;
    tn_store_close(w.store);
    tn_study_close(&w.study);
    tn_arena_free(&w.arena);
    return status;
}
