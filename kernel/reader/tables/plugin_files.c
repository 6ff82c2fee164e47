/* plugin_files.c - the [plugins] table: which files types come from */
#include "tables/tables.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a node has the path of a file, or directory, that may be used; false after reporting. */
static bool read_trusted_path(tn_model *model, const tn_toml *node, bool directory, const char **path)
{
    tn_source *source = &model->reader->source;
    struct stat status;
    if (!tn_source_expect(source, node, TN_TOML_STRING, "a path is expected")) return false;
    *path = tn_document_beside(model->reader->document, node);
    if (access(*path, R_OK) != 0 || stat(*path, &status) != 0)
        return tn_source_error(source, node, "`%s` cannot be read: %s", *path, strerror(errno));
    if (S_ISDIR(status.st_mode) != directory)
        return tn_source_error(source, node, "`%s` is %s directory", *path, directory ? "not a" : "a");
    return tn_source_trust(source, node, *path);
}

bool tn_model_trusts(void *model, const char *path)
{
    const tn_model *of = model;
    return of->reader->trust || tn_registry_trusts(of->registry, path);
}

static void add_search(tn_model *model, const tn_toml *node)
{
    tn_source *source = &model->reader->source;
    const char *path = NULL;
    if (!tn_source_expect(source, node, TN_TOML_ARRAY, "`search` is an array of directories")) return;
    for (size_t k = node->count; k-- > 0;)
        if (read_trusted_path(model, node->child[k], true, &path) &&
            !tn_registry_add_directory(model->registry, path))
            tn_source_error(source, node->child[k], "`%s` cannot be searched", path);
}

void tn_model_map_plugins(tn_model *model, const tn_toml *table)
{
    if (!table || !tn_source_expect(&model->reader->source, table, TN_TOML_TABLE,
                                    "[plugins] is a table of files by type"))
        return;
    for (size_t k = 0; k < table->count; k++) {
        const tn_toml *node = table->child[k];
        const char *path = NULL;
        if (strcmp(node->key, "search") == 0)
            add_search(model, node);
        else if (read_trusted_path(model, node, false, &path))
            tn_registry_map(model->registry, node->key, path);
    }
}
