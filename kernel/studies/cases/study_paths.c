/* study_paths.c - the file of a study for another folder: that of its results */
#include "cases/cases.h"

#include "names/reader.h"

#include <string.h>

typedef struct mover {
    tn_document *document;
    const char *folder, *root; /* of the copy, and of the study; without links */
} mover;

static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* An absolute path from the folder, where both move with the study; else as it is. */
static const char *path_from(const mover *m, const char *path)
{
    size_t same = 0; /* up to the last slash that both have */
    if (!is_below(path, m->root) || !is_below(m->folder, m->root)) return path;
    for (size_t k = 0; path[k] && path[k] == m->folder[k]; k++)
        if (path[k] == '/') same = k;
    tn_text text = {0};
    for (const char *c = m->folder + same; *c; c++)
        if (*c == '/') tn_text_add(&text, "../");
    tn_text_add(&text, "%s", path + same + 1);
    const char *kept = tn_document_text(m->document, text.letters, text.length);
    tn_free(text.letters);
    return kept;
}

/* Strings that name a file, and those of a table and its column. */
static void move_paths(const mover *m, tn_toml *node)
{
    const bool is_table = node->key && strcmp(node->key, "table") == 0;
    for (size_t k = 0; k < node->count; k++)
        move_paths(m, node->child[k]);
    if (node->kind != TN_TOML_STRING || !(is_table || tn_document_names_file(m->document, node))) return;
    if (node->text[0] != '/') return;
    node->text = path_from(m, node->text);
    node->length = strlen(node->text);
}

char *tn_cases_print(const tn_cases *cases, const char *folder)
{
    tn_document *document = cases->file.document;
    const char *file = tn_document_real_path(document, cases->options->file);
    const char *slash = file ? strrchr(file, '/') : NULL;
    const mover m = {document, tn_document_identity(document, folder),
                     slash ? tn_document_text(document, file, (size_t)(slash - file)) : ""};
    tn_toml *root = tn_document_root(document);
    for (size_t k = 0; k < root->count; k++)
        move_paths(&m, root->child[k]);
    return tn_toml_print(root);
}

bool tn_cases_is_copy(const tn_cases *cases, const char *path)
{
    const char *own = tn_document_real_path(cases->file.document, cases->options->file);
    const char *other = tn_document_real_path(cases->file.document, path);
    return own && other && strcmp(own, other) == 0;
}
