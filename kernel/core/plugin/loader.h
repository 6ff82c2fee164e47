/* loader.h - opens one file as a plugin: what stands behind tn_registry. */
#ifndef TN_LOADER_H
#define TN_LOADER_H

#include "plugin/registry.h"

/* A type that passed all gates. */
typedef struct tn_loaded_type {
    const tn_kind *kind;
    const char *name;
    void *type; /* the kernel's own copy, with its capabilities (loaded_types.h) */
} tn_loaded_type;

/* A library that passed all gates, or nothing. */
typedef struct tn_loaded {
    const tn_library *library; /* NULL unless TN_LOADED */
    tn_loaded_type *types;
    size_t type_count;
    uint64_t hash; /* of the file's bytes */
} tn_loaded;

/* Loads `path`. `reason` explains any other verdict than TN_LOADED; for a loaded file it is empty, or names a
 * kind of type, or a capability, that was left out because this kernel does not know it. */
tn_verdict tn_load(const char *path, const tn_loading *loading, tn_loaded *loaded, tn_reason *reason);

#endif
