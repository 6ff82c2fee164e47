/* registry.h - finds, checks and keeps plugins, and reports on every file it looked at.
 *
 * A type is found by name: first through the `[plugins]` entries of the model, else as TYPE.so on the search
 * path: directories of --plugin-path, those of TENON_PLUGIN_PATH (':'-separated), then the installation's
 * (`plugins` beside the program, else ../lib/tenon/plugins). Nothing is opened before somebody asks for it. A link
 * TYPE.so to a library beside it that holds this type is that library. */
#ifndef TN_REGISTRY_H
#define TN_REGISTRY_H

#include "base/text.h"
#include "plugin/loading.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum tn_verdict { TN_LOADED, TN_REFUSED, TN_SKIPPED } tn_verdict;

/* A file that was looked at. */
typedef struct tn_plugin_file {
    char *path;
    tn_verdict verdict;
    char *reason;              /* of a refusal (both sides of a mismatch) or of skipping; else NULL */
    const tn_library *library; /* when loaded */
    uint64_t hash;             /* of the file's bytes, when loaded */
} tn_plugin_file;

typedef struct tn_registry tn_registry;

/* A registry without files. It checks and watches the types that it loads as `loading`, which it copies, says. Its memory is that of the
 * current entry; plugins are never unloaded. */
tn_registry *tn_registry_new(const char *program_path, tn_loading loading);
const tn_loading *tn_registry_loading(const tn_registry *registry);

/* Adds a directory in front of the search path. False when it is no readable directory. */
bool tn_registry_add_directory(tn_registry *registry, const char *directory);
/* Maps a type name to a file, as `[plugins]` does; replaces an earlier mapping. */
void tn_registry_map(tn_registry *registry, const char *type, const char *path);
/* True when `path` lies in a directory of the search path (symbolic links resolved). */
bool tn_registry_trusts(const tn_registry *registry, const char *path);

/* The type of this kind (TN_ELEMENT_KIND, ...) and name, loading its file when needed; NULL when there is
 * none. `reason`, unless NULL, then says why (refused file, library without the type, no such file). */
const void *tn_registry_find(tn_registry *registry, const char *kind, const char *name, char *reason,
                             size_t reason_size);
/* Likewise; before it gives up it opens every file of the search path, for a library that has the type under another name. */
const void *tn_registry_find_anywhere(tn_registry *registry, const char *kind, const char *name, char *reason,
                                      size_t reason_size);
/* The library that a loaded type came from. */
const tn_plugin_file *tn_registry_file_of(const tn_registry *registry, const void *type);
/* Its kind; NULL for one that was not loaded. */
const tn_kind *tn_registry_kind_of(const tn_registry *registry, const void *type);
/* Whose mistake something is: "`layout` of element spring (plugin springs 1.0.0, plugins/springs.so)". */
typedef struct tn_culprit {
    char words[512];
} tn_culprit;
tn_culprit tn_registry_culprit(tn_registry *registry, const void *type, const char *function);
/* Whether it was asked for anybody so far. */
bool tn_registry_has_culprit(const tn_registry *registry);

/* Offers the names of all known types to a search for the nearest one: file names of the search path
 * without opening them, mapped names, and types of loaded libraries. kind NULL: all kinds; else names of loaded
 * types of another kind are left out. */
void tn_registry_offer(tn_registry *registry, const char *kind, tn_nearest *search);

/* Opens every file of the search path (or of `directory`, when given). */
void tn_registry_load_all(tn_registry *registry, const char *directory);
/* Files looked at so far, in order. */
size_t tn_registry_file_count(const tn_registry *registry);
const tn_plugin_file *tn_registry_file(const tn_registry *registry, size_t index);

#endif
