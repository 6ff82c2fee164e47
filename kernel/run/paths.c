/* paths.c - run.toml stands elsewhere than the model: the paths in it are made independent of that */
#include "run/study.h"

#include <string.h>

/* What a string means, relative to the file that it stands in. With {..} in it, it means several files. */
static void resolve_path(tn_document *document, tn_toml *node)
{
    if (!node || node->kind != TN_TOML_STRING || node->text[0] == '/') return;
    tn_toml here = *node;
    here.text = ".";
    here.length = 1;
    const char *path = tn_document_real_path(document, tn_document_beside(document, node));
    const char *folder = path ? NULL : tn_document_real_path(document, tn_document_beside(document, &here));
    if (!path && !folder) return;
    node->text = path ? path : tn_document_join(document, folder, node->text);
    node->length = strlen(node->text);
}

static bool ends_with(const char *path, size_t length, const char *word)
{
    const size_t size = strlen(word);
    return length >= size && strncmp(path + length - size, word, size) == 0 &&
           (length == size || path[length - size - 1] == '.');
}

/* What a [[part]] sets in its file: paths are "signal.NAME.file", "part.NAME.file", "plugins.TYPE". */
static void resolve_settings(tn_document *document, const tn_toml *set)
{
    for (size_t k = 0; set && set->kind == TN_TOML_TABLE && k < set->count; k++) {
        const char *path = set->child[k]->key, *last = strrchr(path, '.'), *name = last;
        while (name && name > path && name[-1] != '.')
            name--;
        const size_t before = name && name > path ? (size_t)(name - path) - 1 : 0;
        const bool file = last && strcmp(last, ".file") == 0 &&
                          (ends_with(path, before, "signal") || ends_with(path, before, "part"));
        if (file || strncmp(path, "plugins.", 8) == 0) resolve_path(document, set->child[k]);
    }
}

static void resolve_files(tn_document *document, const tn_toml *array)
{
    for (size_t k = 0; array && array->kind == TN_TOML_ARRAY && k < array->count; k++)
        resolve_path(document, tn_toml_get(array->child[k], "file"));
}

static void resolve_repeats(tn_document *document, const tn_toml *repeats)
{
    for (size_t k = 0; repeats && repeats->kind == TN_TOML_ARRAY && k < repeats->count; k++) {
        resolve_files(document, tn_toml_get(repeats->child[k], "signal"));
        resolve_repeats(document, tn_toml_get(repeats->child[k], "repeat"));
    }
}

/* Strings that parameters of types have found to name files, wherever they stand. */
static void resolve_named(tn_document *document, tn_toml *node)
{
    if (tn_document_names_file(document, node)) resolve_path(document, node);
    for (size_t k = 0; k < node->count; k++)
        resolve_named(document, node->child[k]);
}

void tn_resolve_paths(tn_document *document, const tn_toml *root)
{
    for (size_t k = 0; k < root->count; k++)
        resolve_named(document, root->child[k]);
    const tn_toml *plugins = tn_toml_get(root, "plugins");
    for (size_t k = 0; plugins && k < plugins->count; k++) {
        tn_toml *node = plugins->child[k];
        resolve_path(document, node);
        for (size_t j = 0; node->kind == TN_TOML_ARRAY && j < node->count; j++)
            resolve_path(document, node->child[j]);
    }
    const tn_toml *parts = tn_toml_get(root, "part");
    resolve_files(document, parts);
    for (size_t k = 0; parts && parts->kind == TN_TOML_ARRAY && k < parts->count; k++)
        resolve_settings(document, tn_toml_get(parts->child[k], "set"));
    resolve_files(document, tn_toml_get(root, "signal"));
    resolve_repeats(document, tn_toml_get(root, "repeat"));
}
