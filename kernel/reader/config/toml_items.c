/* toml_items.c - items of an array of tables by name: thousands of values may be set, each in another item. */
#include "base/memory.h"
#include "config/toml_internal.h"

void tn_document_forget_items(tn_document *document)
{
    tn_names_free(&document->items.names);
    tn_free(document->items.item);
    document->items = (tn_toml_items){0};
}

static void list_items(tn_document *document, const tn_toml *array)
{
    tn_document_forget_items(document);
    tn_toml_items *items = &document->items;
    items->array = array;
    items->count = array->count;
    items->item = tn_new(array->count, sizeof(tn_toml *));
    for (size_t k = 0; k < array->count; k++) {
        const char *name = tn_toml_text(array->child[k], "name");
        if (!name) continue;
        /* of equal names the first one counts */
        const uint32_t number = tn_names_add(&items->names, name);
        if (number != TN_NO_NAME) items->item[number] = array->child[k];
    }
}

tn_toml *tn_document_item(tn_document *document, const tn_toml *array, const char *name)
{
    const tn_toml_items *items = &document->items;
    if (items->array != array || items->count != array->count) list_items(document, array);
    const uint32_t number = tn_names_find(&items->names, name);
    return number == TN_NO_NAME ? NULL : items->item[number];
}
