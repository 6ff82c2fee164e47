/* synonyms.c - the types that users know under other names */
#include "base/text.h"
#include "config/keys.h"
#include "config/plugin_texts.h"

typedef struct search {
    const char *name;
    tn_text found;
} search;

static void add_synonym(search *in, const char *name, const char *with)
{
    tn_text_add(&in->found, "%s`%s`%s%s%s", in->found.length ? " or " : "", name, with ? " with `" : "",
                with ? with : "", with ? "`" : "");
}

static void offer_type(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)file;
    search *in = data;
    const tn_description description = tn_type_description(kind, type);
    if (tn_is_same_word(description.name, in->name)) {
        add_synonym(in, description.name, NULL);
        return;
    }
    for (const tn_synonym *synonym = description.synonyms; synonym && synonym->other; synonym++)
        if (!synonym->own && tn_is_same_word(synonym->other, in->name)) {
            add_synonym(in, description.name, synonym->with);
            return;
        }
}

char *tn_type_synonyms(tn_registry *registry, const char *kind, const char *name)
{
    search in = {.name = name};
    tn_registry_load_all(registry, NULL);
    tn_types_visit(registry, kind, offer_type, &in);
    return in.found.letters;
}
