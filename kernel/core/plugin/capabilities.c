/* capabilities.c - makes the kernel's own copy of a type (see capabilities.h) */
#include "plugin/capabilities.h"

#include "base/memory.h"
#include "base/names.h"

#include <string.h>

enum { MOST_GROWTH = 4096 }; /* bytes that a later interface may add: more is no size */

/* Structs grow at their ends: what stands behind those that this kernel knows must not be used. */
static bool uses_more(const void *table, size_t size, size_t known)
{
    for (size_t k = known; k < size; k++)
        if (((const char *)table)[k]) return true;
    return false;
}

/* What stands in front of the version: "tenon.force" of "tenon.force/1". */
static size_t length_of_word(const char *key)
{
    const char *slash = strrchr(key, '/');
    return slash ? (size_t)(slash - key) : strlen(key);
}

static const tn_known_capability *find_capability(const tn_kind *kind, const char *key)
{
    for (const tn_known_capability *known = kind->capabilities; known->key; known++)
        if (!strcmp(known->key, key)) return known;
    return NULL;
}

/* A capability without a row: one of another version or a slip is refused, somebody else's is left out. */
static bool refuse_or_ignore(const tn_kind *kind, const char *name, const char *key, tn_reason *reason,
                             tn_reason *left_out)
{
    const size_t length = length_of_word(key);
    tn_nearest nearest;
    tn_nearest_start(&nearest, key);
    for (const tn_known_capability *known = kind->capabilities; known->key; known++) {
        if (length_of_word(known->key) == length && !strncmp(known->key, key, length))
            return tn_wrong(reason,
                            "capability \"%s\" of %s \"%s\" is of another version: this kernel knows \"%s\"",
                            key, kind->key, name, known->key);
        tn_nearest_offer(&nearest, known->key);
    }
    if (nearest.best && !strncmp(key, "tenon.", strlen("tenon.")))
        return tn_wrong(reason, "%s \"%s\" has an unknown capability \"%s\": did you mean \"%s\"?", kind->key,
                        name, key, nearest.best);
    tn_wrong(left_out, "capability \"%s\" of %s \"%s\" is ignored: this kernel does not know it", key,
             kind->key, name);
    return true;
}

static bool copy_capability(const tn_kind *kind, const char *name, const tn_capability *capability,
                            char *copy, tn_reason *reason, tn_reason *left_out)
{
    enum { HEAD = 2 * sizeof(uint32_t) };
    const tn_known_capability *known = find_capability(kind, capability->key);
    uint32_t size = 0;
    if (!known) return refuse_or_ignore(kind, name, capability->key, reason, left_out);
    if (!capability->table)
        return tn_wrong(reason, "capability \"%s\" of %s \"%s\" has no table", known->key, kind->key, name);
    memcpy(&size, capability->table, sizeof size);
    if (size < HEAD || size > known->size + MOST_GROWTH)
        return tn_wrong(reason, "capability \"%s\" of %s \"%s\" has a struct_size of %u bytes", known->key,
                        kind->key, name, size);
    if (uses_more(capability->table, size, known->size))
        return tn_wrong(reason,
                        "capability \"%s\" of %s \"%s\" uses fields of a later interface: %u bytes, this "
                        "kernel knows %zu",
                        known->key, kind->key, name, size, known->size);
    const size_t taken = size < known->size ? size : known->size;
    memcpy(copy + known->place, (const char *)capability->table + HEAD, taken - HEAD);
    return true;
}

static bool copy_capabilities(const tn_kind *kind, const tn_type_head *head, char *copy, tn_reason *reason,
                              tn_reason *left_out)
{
    const char *name = head->name ? head->name : "";
    for (const tn_capability *one = head->capabilities; one && one->key; one++) {
        for (const tn_capability *other = head->capabilities; other < one; other++)
            if (!strcmp(other->key, one->key))
                return tn_wrong(reason, "%s \"%s\" has the capability \"%s\" twice", kind->key, name,
                                one->key);
        if (!copy_capability(kind, name, one, copy, reason, left_out)) return false;
    }
    return true;
}

void *tn_capabilities_load(const tn_kind *kind, const void *type, tn_reason *reason, tn_reason *left_out)
{
    const tn_type_head *plugins = type;
    const size_t size = plugins->struct_size;
    if (size < sizeof(tn_type_head) || size > kind->size + MOST_GROWTH) {
        tn_wrong(reason, "a type of kind %s has a struct_size of %zu bytes, this kernel expects %zu",
                 kind->key, size, kind->size);
        return NULL;
    }
    if (uses_more(type, size, kind->size)) {
        tn_wrong(reason, "%s \"%s\" uses fields of a later interface: %zu bytes, this kernel knows %zu",
                 kind->key, plugins->name ? plugins->name : "", size, kind->size);
        return NULL;
    }
    char *copy = tn_new(1, kind->loaded_size);
    memcpy(copy, type, size < kind->size ? size : kind->size);
    if (copy_capabilities(kind, plugins, copy, reason, left_out)) {
        if (!strcmp(kind->key, TN_ELEMENT_KIND))
            ((tn_loaded_element *)(void *)copy)->is_variable =
                tn_capability_of(plugins->capabilities, TN_VARIABLE_KEY) != NULL;
        return copy;
    }
    tn_free(copy);
    return NULL;
}
