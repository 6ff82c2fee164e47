/* left_out.c - plugins that this build of Tenon lacks
 *
 * Beside each folder of its plugins the build leaves a list of all of them: lines "KIND TYPE LIBRARY PACKAGE ...", with Debian packages
 * where libraries were missing when it was configured. */
#include "base/text.h"
#include "config/keys.h"
#include "config/plugin_texts.h"
#include "config/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the path up to the last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static bool is_there(const tn_registry *registry, const char *library)
{
    const size_t length = strlen(library);
    for (size_t i = 0; i < tn_registry_file_count(registry); i++) {
        const char *name = strrchr(tn_registry_file(registry, i)->path, '/');
        if (name && strncmp(name + 1, library, length) == 0 && strcmp(name + 1 + length, ".so") == 0)
            return true;
    }
    return false;
}

/* A line of a list; it is cut into its words. */
static void visit_line(const tn_registry *registry, char *line, tn_left_out_visitor *visit, void *data)
{
    char *rest = NULL;
    const char *kind = strtok_r(line, " ", &rest), *type = strtok_r(NULL, " ", &rest),
               *library = strtok_r(NULL, " ", &rest);
    if (kind && type && library && !is_there(registry, library)) visit(data, kind, type, rest ? rest : "");
}

static void visit_list(const tn_registry *registry, const char *folder, size_t length,
                       tn_left_out_visitor *visit, void *data)
{
    tn_text path = {0};
    tn_text_failure failure;
    size_t size = 0;
    tn_text_add(&path, "%.*s.list", (int)length, folder);
    char *text = tn_text_file_read(path.letters, &size, &failure), *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
        visit_line(registry, line, visit, data);
    tn_free(text);
    tn_free(path.letters);
}

/* Lists of all folders that files were looked at in. */
void tn_left_out_visit(tn_registry *registry, tn_left_out_visitor *visit, void *data)
{
    const char *last = "";
    for (size_t i = 0; i < tn_registry_file_count(registry); i++) {
        const char *path = tn_registry_file(registry, i)->path;
        const size_t length = folder_length(path);
        if (length == folder_length(last) && strncmp(path, last, length) == 0) continue;
        last = path;
        visit_list(registry, path, length, visit, data);
    }
}

/* ---- what to do about one -------------------------------------------------------------------------------- */

typedef struct search {
    const char *kind, *name; /* kind NULL: any */
    tn_text found;
} search;

static void offer_left_out(void *data, const char *kind, const char *name, const char *packages)
{
    search *in = data;
    if (in->found.length || !tn_is_same_word(name, in->name) || (in->kind && strcmp(kind, in->kind) != 0))
        return;
    if (*packages)
        tn_text_add(
            &in->found,
            "its plugin was left out when Tenon was built, for want of the Debian package %s: install it "
            "and build again (./build.sh deps all, ./build.sh build);",
            packages);
    else
        tn_text_add(&in->found, "its plugin is not built yet: ./build.sh build does it;");
}

char *tn_left_out_hint(tn_registry *registry, const char *kind, const char *name)
{
    search in = {.kind = kind, .name = name};
    tn_registry_load_all(registry, NULL);
    tn_left_out_visit(registry, offer_left_out, &in);
    return in.found.letters;
}

char *tn_type_hint(tn_registry *registry, const char *kind, const char *name)
{
    char *left_out = tn_left_out_hint(registry, kind, name);
    if (left_out) return left_out;
    tn_text hint = {0};
    char *synonyms = tn_type_synonyms(registry, kind, name);
    if (synonyms) tn_text_add(&hint, "did you mean %s?", synonyms);
    tn_free(synonyms);
    return hint.letters;
}
