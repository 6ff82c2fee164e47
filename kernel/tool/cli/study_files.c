/* study_files.c - files of studies, and folders of their results (see study_files.h) */
#define _GNU_SOURCE
#include "cli/study_files.h"

#include "cli/crash.h"
#include "cli/message.h"
#include "config/printed_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *absolute(const char *path)
{
    static tn_arena arena;
    char *real = realpath(path, NULL), *here = NULL;
    const char *found = real ? tn_arena_text(&arena, real, strlen(real)) : NULL;
    free(real);
    if (found || path[0] == '/') return found ? found : path;
    here = getcwd(NULL, 0);
    found = here ? tn_arena_print(&arena, "%s/%s", here, path) : path;
    free(here);
    return found;
}

tn_study_place tn_study_place_of(const char *word)
{
    static tn_arena arena;
    struct stat status;
    if (stat(word, &status) != 0 || !S_ISDIR(status.st_mode)) return (tn_study_place){word, NULL};
    const char *folder = absolute(word);
    return (tn_study_place){tn_arena_print(&arena, "%s/study.toml", folder), folder};
}

static void watch(const tn_study *study) { tn_crash_watch(study, true); }

bool tn_study_open_place(tn_cases *cases, tn_study_place *place, const tn_words *path, bool trust)
{
    static tn_message_printer printer;
    static tn_cases_options options;
    printer = (tn_message_printer){.stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON};
    options = (tn_cases_options){.file = place->file,
                                 .plugin_paths = path->word,
                                 .plugin_path_count = path->count,
                                 .trust = trust,
                                 .listener = tn_message_printer_listener(&printer),
                                 .watch = watch};
    return tn_cases_open(cases, &options);
}

const char *tn_study_results_of(const char *word)
{
    static tn_arena arena;
    const tn_study_place place = tn_study_place_of(word);
    if (place.folder) return place.folder;
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(word, diagnostics);
    const tn_toml *study = document ? tn_toml_get(tn_document_root(document), "study") : NULL;
    if (!study) return word; /* where a database is looked for in vain */
    const char *results = tn_toml_text(study, "results"), *name = tn_toml_text(study, "name");
    const char *file = strrchr(word, '/');
    file = file ? file + 1 : word;
    if (results) return absolute(results);
    return absolute(name ? tn_arena_print(&arena, "results/%s", name)
                         : tn_arena_print(&arena, "results/%.*s", (int)strcspn(file, "."), file));
}

const char *tn_study_folder(const tn_cases *cases, const tn_study_place *place, const char *out)
{
    static tn_arena arena;
    if (out) return absolute(out);
    if (place->folder) return place->folder;
    return absolute(cases->study.results ? cases->study.results
                                         : tn_arena_print(&arena, "results/%s", cases->study.name));
}

bool tn_whole_number(const char *word, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(word, &end, 10);
    return isdigit((unsigned char)word[0]) && !*end && errno == 0;
}
