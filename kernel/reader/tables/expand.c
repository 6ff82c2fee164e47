/* expand.c - {integer expressions} anywhere in the strings of an item */
#include "tables/tables.h"

#include <string.h>

static bool has_braces(const tn_toml *node)
{
    if (node->kind == TN_TOML_STRING) return strchr(node->text, '{');
    for (size_t k = 0; k < node->count; k++)
        if (has_braces(node->child[k])) return true;
    return false;
}

/* What a port or the `element` of a marker says: names are patterns, the rest of a marker in place is not. */
static bool reference_expands(const tn_toml *node)
{
    if (node->kind == TN_TOML_STRING) return false;
    for (size_t k = 0; k < node->count; k++) {
        const tn_toml *child = node->child[k];
        const bool name =
            child->kind == TN_TOML_STRING && (!child->key || strcmp(child->key, "element") == 0);
        if (!name && (child->key ? has_braces(child) : reference_expands(child))) return true;
    }
    return false;
}

/* `name`, `markers` and `element` are where most braces stand: they are quick to work out in each copy. So are the
 * strings of a sensor. */
bool tn_template_expands(const tn_template *origin)
{
    const tn_toml *when = tn_toml_get(origin->table, "when");
    if (origin->kind == TN_TEMPLATE_SENSOR) return when && has_braces(when);
    if (origin->kind == TN_TEMPLATE_CHANGE) return has_braces(origin->table);
    for (size_t k = 0; k < origin->table->count; k++) {
        const tn_toml *child = origin->table->child[k];
        if (strcmp(child->key, "name") == 0) continue;
        const bool reference = strcmp(child->key, "markers") == 0 || strcmp(child->key, "element") == 0;
        if (reference ? reference_expands(child) : has_braces(child)) return true;
    }
    return false;
}

static const char *expand_text(tn_source *source, const tn_toml *node)
{
    tn_pattern pattern;
    const char *text = NULL;
    if (tn_pattern_compile(source, node, &pattern)) text = tn_pattern_expand(source, &pattern);
    if (text && text == pattern.text.letters)
        text = tn_arena_text(source->arena, pattern.text.letters, pattern.text.length);
    tn_pattern_free(&pattern);
    return text;
}

const tn_toml *tn_expand(tn_source *source, const tn_toml *node)
{
    if (!has_braces(node)) return node;
    tn_toml *copy = tn_toml_new(source->arena, *node);
    if (node->kind == TN_TOML_STRING) {
        copy->text = expand_text(source, node);
        if (!copy->text) return NULL;
        copy->length = strlen(copy->text);
        copy->reworded = true;
        return copy;
    }
    copy->child = tn_arena_new(source->arena, node->count * sizeof *copy->child);
    bool good = true;
    for (size_t k = 0; k < node->count; k++) {
        copy->child[k] = (tn_toml *)tn_expand(source, node->child[k]);
        good = copy->child[k] && good;
    }
    return good ? copy : NULL;
}
