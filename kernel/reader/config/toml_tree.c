/* toml_tree.c - the life of a document: read, looked into, freed. */
#include "config/toml_internal.h"

#include <stdlib.h>
#include <string.h>

void tn_document_add_source(tn_document *document, tn_source_text *text, const char *chain,
                            tn_diagnostics *diagnostics)
{
    text->chain = chain;
    text->next = document->sources;
    document->sources = text;
    tn_diagnostics_show_text(diagnostics, text);
}

tn_source_text *tn_document_source(tn_document *document, const char *file)
{
    if (document->last && document->last->file == file) return document->last;
    tn_source_text *source = document->sources;
    while (source && source->file != file)
        source = source->next;
    if (source) document->last = source;
    return source;
}

const char *tn_document_chain(tn_document *document, const char *file)
{
    const tn_source_text *source = tn_document_source(document, file);
    return source ? source->chain : NULL;
}

const char *tn_document_chain_at(tn_document *document, const char *how, tn_place place)
{
    const char *outer = tn_document_chain(document, place.file);
    return tn_arena_print(&document->arena, "%s%s:%u:%u%s%s", how, place.file, place.line, place.column,
                          outer ? ", " : "", outer ? outer : "");
}

tn_document *tn_document_parse(const char *text, const char *name, const char *folder,
                               tn_diagnostics *diagnostics)
{
    tn_document *document = tn_new(1, sizeof *document);
    document->path = tn_arena_text(&document->arena, name, strlen(name));
    document->text = text;
    if (text) document->folder = tn_arena_print(&document->arena, "%s", folder ? folder : ".");
    document->root = tn_document_add(document, document->path, NULL, NULL, diagnostics);
    document->text = NULL;
    return document->root ? document : NULL;
}

tn_document *tn_document_read(const char *path, tn_diagnostics *diagnostics)
{
    return tn_document_parse(NULL, path, NULL, diagnostics);
}

tn_toml *tn_document_root(const tn_document *document) { return document->root; }

const char *tn_document_text(tn_document *document, const char *text, size_t length)
{
    return tn_arena_text(&document->arena, text, length);
}

const char *tn_document_join(tn_document *document, const char *folder, const char *path)
{
    return tn_arena_print(&document->arena, "%s/%s", folder, path);
}

const char *tn_document_real_path(tn_document *document, const char *path)
{
    char *resolved = tn_adopt(realpath(path, NULL));
    if (!resolved) tn_check_memory(path);
    const char *kept = resolved ? tn_arena_text(&document->arena, resolved, strlen(resolved)) : NULL;
    tn_free(resolved);
    return kept;
}

const char *tn_document_identity(tn_document *document, const char *path)
{
    const char *real = tn_document_real_path(document, path);
    return real ? real : path;
}

const char *tn_document_path(const tn_document *document) { return document->path; }

tn_toml *tn_toml_find(const tn_toml *table, const char *key, size_t length)
{
    for (size_t i = 0; table->kind == TN_TOML_TABLE && i < table->count; i++)
        if (strncmp(table->child[i]->key, key, length) == 0 && !table->child[i]->key[length])
            return table->child[i];
    return NULL;
}

tn_toml *tn_toml_get(const tn_toml *table, const char *key) { return tn_toml_find(table, key, strlen(key)); }

const char *tn_toml_text(const tn_toml *table, const char *key)
{
    const tn_toml *node = tn_toml_get(table, key);
    return node && node->kind == TN_TOML_STRING ? node->text : NULL;
}

tn_toml *tn_toml_new(tn_arena *arena, tn_toml like)
{
    tn_toml *node = tn_arena_new(arena, sizeof *node);
    *node = like;
    node->node = node;
    return node;
}

void tn_toml_append(tn_document *document, tn_toml *to, const tn_toml *from)
{
    if (to->count + from->count > to->capacity) {
        to->capacity = 2 * (to->count + from->count);
        tn_toml **child = tn_arena_new(&document->arena, to->capacity * sizeof *child);
        if (to->count) memcpy(child, to->child, to->count * sizeof *child);
        to->child = child;
    }
    if (from->count) memcpy(to->child + to->count, from->child, from->count * sizeof *to->child);
    to->count += from->count;
}

static int compare_key_places(const void *left, const void *right)
{
    const tn_place a = (*(tn_toml *const *)left)->key_place;
    const tn_place b = (*(tn_toml *const *)right)->key_place;
    if (a.line != b.line) return a.line < b.line ? -1 : 1;
    return (a.column > b.column) - (a.column < b.column);
}

void tn_toml_sort(tn_toml *table)
{
    if (table->count > 1) qsort(table->child, table->count, sizeof(tn_toml *), compare_key_places);
}
