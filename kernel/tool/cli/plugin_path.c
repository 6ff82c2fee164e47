/* plugin_path.c - the option --plugin-path (see plugin_path.h) */
#include "cli/plugin_path.h"

#include "config/plugin_texts.h"
#include <errno.h>
#include <string.h>

tn_registry *tn_open_registry(const tn_usage *usage, const tn_words *directories)
{
    tn_registry *registry = tn_registry_new(NULL, tn_reader_loading);
    for (size_t i = directories->count; i-- > 0;) {
        if (tn_registry_add_directory(registry, directories->word[i])) continue;
        fprintf(stderr, "tenon %s: %s: %s\n", usage->command, directories->word[i], strerror(errno));
        return NULL;
    }
    return registry;
}
