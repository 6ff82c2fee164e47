/* synonyms.c - the types that users know under other names */
#include "base/text.h"
#include "config/keys.h"
#include "config/plugin_texts.h"

typedef struct search {
    const char *name;
    tn_text found;
} search;

static void offer_type(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)file;
    search *in = data;
    const tn_description description = tn_type_description(kind, type);
    const char *with = NULL;
    bool meant = tn_is_same_word(description.name, in->name);
    for (const tn_synonym *synonym = description.synonyms; !meant && synonym && synonym->other; synonym++) {
        meant = !synonym->own && tn_is_same_word(synonym->other, in->name);
        with = meant ? synonym->with : NULL;
    }
    if (meant)
        tn_text_add(&in->found, "%s`%s`%s%s%s", in->found.length ? " or " : "", description.name,
                    with ? " with `" : "", with ? with : "", with ? "`" : "");
}

char *tn_type_synonyms(tn_registry *registry, const char *kind, const char *name)
{
    search in = {.name = name};
    tn_registry_load_all(registry, NULL);
    tn_types_visit(registry, kind, offer_type, &in);
    return in.found.letters;
}
