/* loader.c - opens one file as a plugin (see loader.h): file, shared object, symbol, gates, types.
 *
 * A refusal is total: types are handed out only when every one of them has passed. */
#define _GNU_SOURCE
#include "plugin/loader.h"

#include "base/memory.h"
#include "plugin/call_site.h"
#include "plugin/capabilities.h"
#include "plugin/checks.h"
#include "plugin/search_path.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static tn_verdict skip_file(tn_reason *reason, const char *why)
{
    tn_wrong(reason, "%s", why);
    return TN_SKIPPED;
}

/* A symbolic link is followed; one that leads nowhere is an error of the installation. */
static tn_verdict check_plugin_file(const char *path, struct stat *status, tn_reason *reason)
{
    if (stat(path, status) != 0) {
        const int error = errno;
        tn_arena arena = {0};
        const char *to = tn_link_target(&arena, path);
        tn_wrong(reason, to ? "symbolic link to \"%s\": %s" : "%s%s", to ? to : "", strerror(error));
        tn_arena_free(&arena);
        return TN_REFUSED;
    }
    if (S_ISDIR(status->st_mode)) return skip_file(reason, "a directory");
    if (!S_ISREG(status->st_mode)) return skip_file(reason, "not a regular file");
    const size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".so"))
        return skip_file(reason, "its name does not end in .so");
    return TN_LOADED;
}

/* The dynamic linker's explanation, without the path that it repeats in front. */
static const char *linker_message(const char *path)
{
    const char *text = dlerror();
    const size_t length = strlen(path);
    if (!text) return "the dynamic linker gave no reason";
    return !strncmp(text, path, length) && !strncmp(text + length, ": ", 2) ? text + length + 2 : text;
}

/* Libraries that were opened before, as there are models one after the other: the newest ones. They stay open, and so does the file of
 * each on its disk, where no other file gets its number; opened once more it would be the same library. */
typedef struct opened {
    dev_t device;
    ino_t number;
    const tn_library *library; /* NULL: not opened before */
    uint64_t hash;
} opened;
static struct {
    pthread_mutex_t turn;
    opened list[64];
    size_t count;
} all_opened = {.turn = PTHREAD_MUTEX_INITIALIZER};

static opened find_opened(const struct stat *status)
{
    opened found = {.device = status->st_dev, .number = status->st_ino};
    (void)pthread_mutex_lock(&all_opened.turn);
    for (const opened *at = all_opened.list; at < all_opened.list + 64; at++)
        if (at->library && at->device == found.device && at->number == found.number) found = *at;
    (void)pthread_mutex_unlock(&all_opened.turn);
    return found;
}

static void keep_opened(const opened *new)
{
    (void)pthread_mutex_lock(&all_opened.turn);
    all_opened.list[all_opened.count++ % 64] = *new;
    (void)pthread_mutex_unlock(&all_opened.turn);
}

/* Where a wrong pointer in a plugin's tables is met. */
static const char tables[] = "the tables";

/* Calls the plugin's one exported function; NULL with the reason when there is none. */
static const tn_library *open_library(const char *path, tn_reason *reason)
{
    const tn_library *library = NULL;
    char *whole_path = tn_adopt(realpath(path, NULL)); /* dlopen would look up a bare name elsewhere */
    if (!whole_path) {
        tn_check_memory(path);
        tn_wrong(reason, "%s", strerror(errno));
        return NULL;
    }
    errno = 0;
    void *handle = tn_call_at(NULL, "dlopen", path, dlopen(whole_path, RTLD_NOW | RTLD_LOCAL));
    if (!handle) {
        tn_check_memory(path);
        tn_wrong(reason, "cannot be opened: %s", linker_message(whole_path));
    } else {
        tn_plugin_function function = NULL;
        *(void **)&function = dlsym(handle, TN_PLUGIN_SYMBOL);
        if (function) {
            library = tn_call_at(NULL, TN_PLUGIN_SYMBOL, path, function());
            if (!tn_call_at(NULL, tables, path, tn_check_library(library, reason))) library = NULL;
        } else if (dlsym(handle, "tn_plugin_main")) {
            tn_wrong(reason, "built for the interface of version 0.1: build it again");
        } else {
            tn_wrong(reason, "does not export " TN_PLUGIN_SYMBOL);
        }
    }
    tn_free(whole_path);
    return library;
}

static bool add_type(tn_loaded *loaded, const tn_kind *kind, const void *type, const tn_loading *loading,
                     tn_reason *reason, tn_reason *left_out)
{
    if (!type) return tn_wrong(reason, "a type of kind %s is NULL", kind->key);
    void *copy = tn_capabilities_load(kind, type, reason, left_out);
    if (!copy) return false;
    tn_loaded_type *added = &loaded->types[loaded->type_count++];
    *added = (tn_loaded_type){.kind = kind, .type = copy};
    if (!tn_check_type(kind, copy, loading, reason)) return false;
    if (loading->watch) added->type = loading->watch->copy(kind, copy);
    added->name = tn_type_description(kind, added->type).name;
    for (const tn_loaded_type *other = loaded->types; other < added; other++)
        if (other->kind == kind && !strcmp(other->name, added->name))
            return tn_wrong(reason, "%s \"%s\" is listed twice", kind->key, added->name);
    return true;
}

static tn_verdict add_types(tn_loaded *loaded, const tn_library *library, const tn_loading *loading,
                            tn_reason *reason)
{
    size_t count = 0;
    while (library->types[count].kind)
        count++;
    if (!count) tn_wrong(reason, "the library has no types");
    if (!count) return TN_REFUSED;
    loaded->types = tn_new(count, sizeof *loaded->types);

    tn_reason trouble;
    for (const tn_type *type = library->types; type->kind; type++) {
        const tn_kind *kind = tn_kind_find(type->kind);
        if (!kind) {
            tn_wrong(reason, "types of kind \"%s\" are ignored: this kernel does not know this kind",
                     type->kind);
        } else if (!add_type(loaded, kind, type->type, loading, &trouble, reason)) {
            *reason = trouble;
            return TN_REFUSED;
        }
    }
    return loaded->type_count ? TN_LOADED : TN_SKIPPED;
}

tn_verdict tn_load(const char *path, const tn_loading *loading, tn_loaded *loaded, tn_reason *reason)
{
    struct stat status;
    *loaded = (tn_loaded){0};
    reason->text[0] = '\0';
    tn_verdict verdict = check_plugin_file(path, &status, reason);
    if (verdict != TN_LOADED) return verdict;
    opened known = find_opened(&status);
    if (!known.library) {
        if (loading->hash && !loading->hash(path, &known.hash, reason)) return TN_REFUSED;
        if (!(known.library = open_library(path, reason))) return TN_REFUSED;
        keep_opened(&known);
    }
    *loaded = (tn_loaded){.library = known.library, .hash = known.hash};
    verdict = tn_call_at(NULL, tables, path, add_types(loaded, known.library, loading, reason));
    if (verdict != TN_LOADED) *loaded = (tn_loaded){0};
    return verdict;
}
