/* toml_include.c - further files of a model: those that [include] names, and those of parts. */
#include "config/toml_internal.h"

#include "base/names.h"

#include <string.h>

/* A file that is being read, and the ones that led to it. */
typedef struct visit {
    const char *path;
    const struct visit *from;
} visit;

/* What reading one tree needs: the files that have been merged into it are not merged again. */
typedef struct merger {
    tn_document *document;
    tn_diagnostics *diagnostics;
    tn_names done;
} merger;

const char *tn_document_beside(tn_document *document, const tn_toml *node)
{
    const char *file = strncmp(node->place.file, "--set ", 6) == 0 ? document->path : node->place.file;
    const char *slash = strrchr(file, '/');
    if (node->text[0] == '/') return node->text;
    if (document->folder && file == document->path)
        return tn_document_join(document, document->folder, node->text);
    if (!slash) return node->text;
    return tn_arena_print(&document->arena, "%.*s/%s", (int)(slash - file), file, node->text);
}

/* Reports at a place in one of the files; it may have a chain. Always false. */
__attribute__((format(printf, 3, 4))) static bool report_in_file(const merger *m, tn_place place,
                                                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const tn_error_detail detail = {.copy = tn_document_chain(m->document, place.file)};
    tn_diagnose_list(m->diagnostics, TN_SEVERITY_ERROR, place, detail, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- merging --------------------------------------------------------------------------------------------- */

void tn_toml_put(tn_document *document, tn_toml *table, tn_toml *value)
{
    for (size_t k = 0; k < table->count; k++)
        if (strcmp(table->child[k]->key, value->key) == 0) {
            table->child[k] = value;
            return;
        }
    tn_toml_append(document, table, &(tn_toml){.child = &value, .count = 1});
}

/* The keys of one table go into another one. What a part uses and where plugins are searched is joined. */
static void merge_table(const merger *m, tn_toml *into, const tn_toml *from)
{
    for (size_t k = 0; k < from->count; k++) {
        tn_toml *value = from->child[k], *known = tn_toml_get(into, value->key);
        const bool joined = strcmp(value->key, "uses") == 0 || strcmp(value->key, "search") == 0;
        if (joined && known && known->kind == TN_TOML_ARRAY && value->kind == TN_TOML_ARRAY)
            tn_toml_append(m->document, known, value);
        else
            tn_toml_put(m->document, into, value);
    }
}

/* What a file says itself stands behind the items of those before it, and instead of their values of the same keys. A
 * solver is not mixed from two files. [include] has done its work. */
static void merge_trees(const merger *m, tn_toml *into, const tn_toml *from)
{
    for (size_t k = 0; k < from->count; k++) {
        tn_toml *value = from->child[k], *known = tn_toml_get(into, value->key);
        if (strcmp(value->key, "include") == 0) continue;
        const bool whole = !known || strcmp(value->key, "solver") == 0;
        if (!whole && known->kind != value->kind) {
            report_in_file(m, value->key_place,
                           "`%s` cannot be joined with the one at %s:%u: they are written differently",
                           value->key, known->key_place.file, known->key_place.line);
        } else if (!whole && value->kind == TN_TOML_ARRAY) {
            tn_toml_append(m->document, known, value);
        } else if (!whole && value->kind == TN_TOML_TABLE) {
            merge_table(m, known, value);
        } else {
            tn_toml_put(m->document, into, value);
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static tn_toml *read_tree(merger *m, const char *path, const char *chain, const visit *from,
                          const tn_toml *node);

/* False after reporting a file that includes itself, or the last of far too many. */
static bool may_include(const merger *m, const tn_toml *node, const char *real, const visit *from)
{
    size_t depth = 0;
    for (const visit *v = from; v; v = v->from, depth++)
        if (strcmp(v->path, real) == 0)
            return report_in_file(m, node->place, "`%s` includes itself%s", node->text,
                                  v == from ? "" : ", by way of the files between");
    return depth <= TN_FILE_DEPTH ||
           report_in_file(m, node->place, "files include each other more than %d deep", TN_FILE_DEPTH);
}

static void include_file(merger *m, tn_toml *into, const tn_toml *node, const visit *from)
{
    if (node->kind != TN_TOML_STRING) {
        report_in_file(m, node->place, "the path of a file is expected");
        return;
    }
    const char *path = tn_document_beside(m->document, node), *real = tn_document_identity(m->document, path);
    if (!may_include(m, node, real, from) || tn_names_find(&m->done, real) != TN_NO_NAME) return;
    const char *chain = tn_document_chain_at(m->document, "included from ", node->place);
    const tn_toml *tree = read_tree(m, path, chain, from, node);
    if (tree) merge_trees(m, into, tree);
}

/* A tree with the files that it includes, merged in their order. */
static tn_toml *include_files(merger *m, tn_toml *own, const visit *from)
{
    tn_toml *include = tn_toml_get(own, "include");
    if (!include) return own;
    tn_toml *whole = tn_toml_new(&m->document->arena, (tn_toml){.kind = TN_TOML_TABLE, .place = own->place});
    const tn_toml *files = tn_toml_get(include, "files");
    bool known = true;
    for (size_t k = 0; include->kind == TN_TOML_TABLE && k < include->count; k++) {
        if (strcmp(include->child[k]->key, "files") == 0) continue;
        known = false;
        report_in_file(m, include->child[k]->key_place, "unknown key `%s`: [include] has `files`",
                       include->child[k]->key);
    }
    if (files ? files->kind != TN_TOML_ARRAY : known)
        report_in_file(m, (files ? files : include)->place,
                       "[include] has an array of paths: files = [\"..\"]");
    for (size_t k = 0; files && files->kind == TN_TOML_ARRAY && k < files->count; k++)
        include_file(m, whole, files->child[k], from);
    merge_trees(m, whole, own);
    return whole;
}

static tn_toml *read_tree(merger *m, const char *path, const char *chain, const visit *from,
                          const tn_toml *node)
{
    tn_document *document = m->document;
    tn_text_failure failure = {0};
    const char *file = path == document->path ? path : tn_arena_text(&document->arena, path, strlen(path));
    const bool is_text = path == document->path && document->text;
    size_t length = is_text ? strlen(document->text) : 0;
    char *text = is_text ? tn_copy_text(document->text) : tn_text_file_read(file, &length, &failure);
    tn_toml *tree = NULL;
    if (text)
        tn_document_add_source(document, tn_source_text_new(file, text, length, false), chain,
                               m->diagnostics);
    const bool known = text && tn_text_is_utf8(text, length, &failure);
    if (known) {
        if (!is_text) tn_document_add_input(document, file);
        tree = tn_toml_parse(text, length, file, &document->arena, &failure);
        if (!tree) tn_toml_correct_failure(text, length, &failure);
    }
    if (!tree) {
        /* a file that cannot be read is a mistake where it is named */
        if (!known && node)
            report_in_file(m, node->place, "`%s`: %s", path, failure.text);
        else
            report_in_file(m, (tn_place){file, failure.line, failure.column}, "%s", failure.text);
        return NULL;
    }
    const visit here = {tn_document_identity(document, path), from};
    (void)tn_names_add(&m->done, here.path);
    return include_files(m, tree, &here);
}

tn_toml *tn_document_add(tn_document *document, const char *path, const char *chain, const tn_toml *node,
                         tn_diagnostics *diagnostics)
{
    merger m = {.document = document, .diagnostics = diagnostics};
    tn_toml *tree = read_tree(&m, path, chain, NULL, node);
    tn_names_free(&m.done);
    return tree;
}
