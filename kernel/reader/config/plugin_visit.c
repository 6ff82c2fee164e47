/* plugin_visit.c - the types that models get, one by one */
#include "config/plugin_texts.h"

#include <string.h>

/* One file's types of one kind; some of them may be hidden by a file that is searched earlier. */
static void visit_file(tn_registry *registry, const tn_kind *kind, const tn_plugin_file *file,
                       tn_type_visitor *visit, void *data)
{
    for (const tn_type *type = file->library->types; type->kind; type++) {
        if (strcmp(type->kind, kind->key) != 0) continue;
        char unused[1];
        const char *name = tn_type_description(kind, type->type).name;
        const void *found = tn_registry_find(registry, kind->key, name, unused, sizeof unused);
        if (found && tn_registry_file_of(registry, found) == file) visit(data, kind, found, file);
    }
}

void tn_types_visit(tn_registry *registry, const char *kind, tn_type_visitor *visit, void *data)
{
    for (size_t k = 0; k < tn_kind_count(); k++) {
        if (kind && strcmp(kind, tn_kind_at(k)->key) != 0) continue;
        for (size_t i = 0; i < tn_registry_file_count(registry); i++) {
            const tn_plugin_file *file = tn_registry_file(registry, i);
            if (file->verdict == TN_LOADED) visit_file(registry, tn_kind_at(k), file, visit, data);
        }
    }
}
