/* paths.c - run.toml stands elsewhere than the model: the paths in it are made independent of that */
#include "run/study.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What a string means, relative to the file that it stands in. */
static void resolve_path(tn_document *document, tn_toml *node)
{
    char path[PATH_MAX];
    if (!node || node->kind != TN_TOML_STRING || !realpath(tn_document_beside(document, node), path)) return;
    node->text = tn_document_text(document, path);
    node->length = strlen(path);
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

void tn_resolve_paths(tn_document *document)
{
    const tn_toml *root = tn_document_root(document), *plugins = tn_toml_get(root, "plugins");
    for (size_t k = 0; plugins && k < plugins->count; k++) {
        tn_toml *node = plugins->child[k];
        resolve_path(document, node);
        for (size_t j = 0; node->kind == TN_TOML_ARRAY && j < node->count; j++)
            resolve_path(document, node->child[j]);
    }
    resolve_files(document, tn_toml_get(root, "part"));
    resolve_files(document, tn_toml_get(root, "signal"));
    resolve_repeats(document, tn_toml_get(root, "repeat"));
}
