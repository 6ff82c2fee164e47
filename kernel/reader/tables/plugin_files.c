/* plugin_files.c - the [plugins] table: which files types come from */
#include "tables/tables.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of a node, of a file or a directory, when it may be used; NULL after reporting. */
static const char *trusted_path(tn_model *model, const tn_toml *node, bool directory, bool trust)
{
    if (node->kind != TN_TOML_STRING) {
        tn_source_error(&model->reader->source, node, "a path is expected");
        return NULL;
    }
    const char *path = tn_document_beside(model->reader->document, node);
    struct stat status;
    if (access(path, R_OK) != 0 || stat(path, &status) != 0) {
        tn_source_error(&model->reader->source, node, "`%s` cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    if (S_ISDIR(status.st_mode) != directory) {
        tn_source_error(&model->reader->source, node, "`%s` is %s directory", path,
                        directory ? "not a" : "a");
        return NULL;
    }
    if (!trust && !tn_registry_trusts(model->registry, path)) {
        tn_source_error(
            &model->reader->source, node,
            "`%s` is not in a trusted directory: name its directory with --plugin-path, or use --trust",
            path);
        return NULL;
    }
    return path;
}

static void add_search(tn_model *model, const tn_toml *node, bool trust)
{
    if (node->kind != TN_TOML_ARRAY) {
        tn_source_error(&model->reader->source, node, "`search` is an array of directories");
        return;
    }
    for (size_t k = node->count; k-- > 0;) {
        const char *path = trusted_path(model, node->child[k], true, trust);
        if (path && !tn_registry_add_directory(model->registry, path))
            tn_source_error(&model->reader->source, node->child[k], "`%s` cannot be searched", path);
    }
}

void tn_model_map_plugins(tn_model *model, const tn_toml *table, bool trust)
{
    if (!table) return;
    if (table->kind != TN_TOML_TABLE) {
        tn_source_error(&model->reader->source, table, "[plugins] is a table of files by type");
        return;
    }
    for (size_t k = 0; k < table->count; k++) {
        const tn_toml *node = table->child[k];
        if (strcmp(node->key, "search") == 0) {
            add_search(model, node, trust);
            continue;
        }
        const char *path = trusted_path(model, node, false, trust);
        if (path) tn_registry_map(model->registry, node->key, path);
    }
}
