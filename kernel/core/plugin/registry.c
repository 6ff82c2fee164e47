/* registry.c - finds, checks and keeps plugins (see registry.h).
 *
 * A type comes from the file it is mapped to, else from the first TYPE.so on the search path, else from any
 * library that was opened for another type. The order of the search decides, never the order of loading. */
#include "plugin/registry.h"

#include "base/names.h"
#include "plugin/checks.h"
#include "plugin/loader.h"
#include "plugin/search_path.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct record {
    tn_plugin_file file; /* what the report shows */
    tn_loaded loaded;
    dev_t device;
    ino_t number;
    const struct record *same; /* record of the same file under another path, or NULL */
} record;

typedef struct mapping {
    char *type, *path;
} mapping;

struct tn_registry {
    tn_loading loading;
    tn_search_path search;
    record **records;
    size_t record_count;
    mapping *mappings;
    size_t mapping_count;
    /* "kind name" of types that were found: expressions ask for the same ones again and again */
    tn_names known;
    const void **known_type; /* [known.count] */
    size_t known_count;
    tn_text key;      /* of the one that is looked for */
    bool all_open;    /* every file of the search path was looked at */
    bool has_culprit; /* a message names a type that has made a mistake */
    tn_arena arena;
};

/* ---- records ---- */

static char *keep_text(tn_registry *registry, const char *text)
{
    return tn_arena_text(&registry->arena, text, strlen(text));
}

static record *new_record(tn_registry *registry, const char *path)
{
    record *added = tn_arena_new(&registry->arena, sizeof *added);
    added->file.path = keep_text(registry, path);
    TN_APPEND(registry->records, registry->record_count, added);
    return added;
}

/* Type of this name and kind (NULL: any kind) in a file. */
static const tn_loaded_type *type_in(const record *holder, const char *kind, const char *name)
{
    const tn_loaded *loaded = holder->same ? &holder->same->loaded : &holder->loaded;
    for (size_t i = 0; i < loaded->type_count; i++) {
        const tn_loaded_type *type = &loaded->types[i];
        if ((!kind || !strcmp(type->kind->key, kind)) && !strcmp(type->name, name)) return type;
    }
    return NULL;
}

static record *record_at(const tn_registry *registry, const char *path)
{
    for (size_t i = 0; i < registry->record_count; i++)
        if (!strcmp(registry->records[i]->file.path, path)) return registry->records[i];
    return NULL;
}

/* "name" of "name.so"; NULL for other files. */
static char *type_name_of(tn_registry *registry, const char *file)
{
    const size_t length = strlen(file);
    if (length < 4 || strcmp(file + length - 3, ".so")) return NULL;
    return tn_arena_text(&registry->arena, file, length - 3);
}

/* The record of a file. A library of several types has a link beside it for each of them: that is the library. */
static record *record_of(tn_registry *registry, const char *path)
{
    record *known = record_at(registry, path);
    const char *file = known ? NULL : tn_link_beside(&registry->arena, path);
    if (!file) return known;
    const char *name = type_name_of(registry, strrchr(path, '/') + 1);
    known = record_of(registry, file);
    return known && name && type_in(known, NULL, name) ? known : NULL;
}

static const record *loaded_twin(const tn_registry *registry, const struct stat *status)
{
    for (size_t i = 0; i < registry->record_count; i++) {
        const record *other = registry->records[i];
        if (other->loaded.library && other->device == status->st_dev && other->number == status->st_ino)
            return other;
    }
    return NULL;
}

/* What the report says of a file; its library is shown only while it is in use. */
static void set_verdict(record *shown, tn_verdict verdict, char *reason)
{
    const bool loaded = verdict == TN_LOADED;
    shown->file.verdict = verdict;
    shown->file.library = loaded ? shown->loaded.library : NULL;
    shown->file.hash = loaded ? shown->loaded.hash : 0;
    shown->file.reason = reason;
}

/* Opens a file, unless it was looked at before. */
static record *open_file(tn_registry *registry, const char *path)
{
    record *known = record_at(registry, path);
    const char *file = known ? NULL : tn_link_beside(&registry->arena, path);
    if (file && open_file(registry, file)) known = record_of(registry, path);
    if (known) return known;

    tn_reason reason;
    struct stat status = {0};
    const record *twin = stat(path, &status) == 0 ? loaded_twin(registry, &status) : NULL;
    record *added = new_record(registry, path);
    added->device = status.st_dev;
    added->number = status.st_ino;
    if (twin) {
        added->same = twin;
        tn_wrong(&reason, "the same file as %s", twin->file.path);
        set_verdict(added, TN_SKIPPED, keep_text(registry, reason.text));
        return added;
    }
    const tn_verdict verdict = tn_load(path, &registry->loading, &added->loaded, &reason);
    set_verdict(added, verdict, *reason.text ? keep_text(registry, reason.text) : NULL);
    return added;
}

/* ---- construction ---- */

/* The directories of TENON_PLUGIN_PATH; one that cannot be read is reported like a file. */
static void add_environment(tn_registry *registry)
{
    const char *variable = getenv("TENON_PLUGIN_PATH");
    char *rest = variable ? keep_text(registry, variable) : NULL;
    for (char *directory; (directory = strsep(&rest, ":"));) {
        if (!*directory || tn_search_path_add(&registry->search, directory, false)) continue;
        const char *why = strerror(errno);
        set_verdict(new_record(registry, directory), TN_SKIPPED, keep_text(registry, why));
    }
}

/* Adds `below` the program's directory, written as the user knows it: without "..". */
static bool add_below(tn_registry *registry, const char *program, const char *below)
{
    char *directory = tn_adopt(realpath(tn_join(&registry->arena, program, below), NULL));
    if (!directory) tn_check_memory(below);
    const bool added = directory && tn_search_path_add(&registry->search, directory, false);
    tn_free(directory);
    return added;
}

static void add_installation(tn_registry *registry, const char *program_path)
{
    const char *program = tn_program_directory(&registry->arena, program_path);
    if (program && !add_below(registry, program, "plugins"))
        add_below(registry, program, "../lib/tenon/plugins");
}

tn_registry *tn_registry_new(const char *program_path, tn_loading loading)
{
    tn_registry *registry = tn_new(1, sizeof *registry);
    registry->loading = loading;
    add_environment(registry);
    add_installation(registry, program_path);
    return registry;
}

const tn_loading *tn_registry_loading(const tn_registry *registry) { return &registry->loading; }

bool tn_registry_add_directory(tn_registry *registry, const char *directory)
{
    tn_names_free(&registry->known);
    registry->all_open = false;
    return tn_search_path_add(&registry->search, directory, true);
}

static mapping *mapping_of(const tn_registry *registry, const char *type)
{
    for (size_t i = 0; i < registry->mapping_count; i++)
        if (!strcmp(registry->mappings[i].type, type)) return &registry->mappings[i];
    return NULL;
}

void tn_registry_map(tn_registry *registry, const char *type, const char *path)
{
    mapping *entry = mapping_of(registry, type);
    if (!entry) {
        TN_APPEND(registry->mappings, registry->mapping_count, (mapping){.type = keep_text(registry, type)});
        entry = &registry->mappings[registry->mapping_count - 1];
    }
    entry->path = keep_text(registry, path);
    tn_names_free(&registry->known);
}

bool tn_registry_trusts(const tn_registry *registry, const char *path)
{
    return tn_search_path_holds(&registry->search, path);
}

/* ---- search ---- */

/* One search for a type. */
typedef struct query {
    tn_registry *registry;
    const char *kind, *name;
    bool may_open; /* false: only files that were looked at before */
    bool failed;   /* a file that should have had the type stands in the way */
    tn_reason *reason;
} query;

/* The type in the file at `path`, noting why it is not there. */
static const tn_loaded_type *search_file(query *asked, const char *path)
{
    const record *holder =
        asked->may_open ? open_file(asked->registry, path) : record_of(asked->registry, path);
    if (!holder) return NULL;
    const tn_loaded_type *type = type_in(holder, asked->kind, asked->name);
    if (type) return type;

    const tn_loaded_type *other = type_in(holder, NULL, asked->name);
    if (!holder->same && !holder->loaded.library) {
        asked->failed = true;
        tn_wrong(asked->reason, "%s is %s: %s", path,
                 holder->file.verdict == TN_REFUSED ? "refused" : "skipped", holder->file.reason);
    } else if (other) {
        tn_wrong(asked->reason, "%s holds the %s \"%s\", but no %s of that name", path, other->kind->key,
                 asked->name, asked->kind);
    } else {
        tn_wrong(asked->reason, "%s holds no %s \"%s\"", path, asked->kind, asked->name);
    }
    return NULL;
}

/* The file that the model maps the name to. A library without the name must not fall back to another one. */
static const tn_loaded_type *search_mapping(query *asked)
{
    const mapping *entry = mapping_of(asked->registry, asked->name);
    if (!entry) return NULL;
    const tn_loaded_type *type = search_file(asked, entry->path);
    const record *holder = record_of(asked->registry, entry->path);
    if (!type && holder && !type_in(holder, NULL, asked->name)) asked->failed = true;
    return type;
}

/* TYPE.so in the directories, the first file that is there deciding, unless it is of another kind. */
static const tn_loaded_type *search_directories(query *asked)
{
    tn_arena *arena = &asked->registry->arena;
    const tn_search_path *search = &asked->registry->search;
    const tn_loaded_type *type = NULL;
    struct stat status;
    const char *file = tn_arena_print(arena, "%s.so", asked->name);
    for (size_t i = 0; i < search->count && !type && !asked->failed; i++) {
        const char *path = tn_join(arena, search->directory[i], file);
        /* a broken symbolic link is there, too, and is to be reported */
        if (lstat(path, &status) == 0) type = search_file(asked, path);
    }
    return type;
}

static const tn_loaded_type *search_all(query *asked)
{
    tn_wrong(asked->reason, "no %s.so on the search path", asked->name);
    if (!*asked->name || strchr(asked->name, '/')) { /* a name never leads out of the directories */
        tn_wrong(asked->reason, "\"%s\" is not a name of a type", asked->name);
        return NULL;
    }
    const tn_loaded_type *type = search_mapping(asked);
    if (!type && !asked->failed) type = search_directories(asked);
    const tn_registry *registry = asked->registry;
    for (size_t i = 0; i < registry->record_count && !type && !asked->failed; i++)
        type = type_in(registry->records[i], asked->kind, asked->name);
    return type;
}

/* What was loaded as this type, and the record of its file; NULL for what was not loaded. */
static const tn_loaded_type *find_loaded_type(const tn_registry *registry, const void *type, record **holder)
{
    for (size_t i = 0; i < registry->record_count; i++) {
        const tn_loaded *loaded = &registry->records[i]->loaded;
        *holder = registry->records[i];
        for (size_t j = 0; j < loaded->type_count; j++)
            if (loaded->types[j].type == type) return &loaded->types[j];
    }
    return NULL;
}

/* The type that was found by this kind and name before; else NULL, and `key` holds both. */
static const void *find_known_type(tn_registry *registry, const char *kind, const char *name)
{
    registry->key.length = 0;
    tn_text_add_letters(&registry->key, kind, strlen(kind));
    tn_text_add_letters(&registry->key, " ", 1);
    tn_text_add_letters(&registry->key, name, strlen(name));
    const uint32_t number = tn_names_find(&registry->known, registry->key.letters);
    return number == TN_NO_NAME ? NULL : registry->known_type[number];
}

static void remember_type(tn_registry *registry, const void *type)
{
    (void)tn_names_add(&registry->known, keep_text(registry, registry->key.letters));
    TN_APPEND(registry->known_type, registry->known_count, type);
}

const void *tn_registry_find(tn_registry *registry, const char *kind, const char *name, char *reason,
                             size_t reason_size)
{
    const void *known = find_known_type(registry, kind, name);
    if (known) return known;
    tn_reason why;
    query asked = {.registry = registry, .kind = kind, .name = name, .may_open = true, .reason = &why};
    const tn_loaded_type *found = search_all(&asked);
    if (!found) {
        if (reason) (void)tn_print_cut(reason, reason_size, "%s", why.text);
        return NULL;
    }
    remember_type(registry, found->type);
    record *holder = NULL;
    (void)find_loaded_type(registry, found->type, &holder);
    /* it was hidden, now it is in use */
    if (holder->file.verdict != TN_LOADED) set_verdict(holder, TN_LOADED, NULL);
    return found->type;
}

const void *tn_registry_find_anywhere(tn_registry *registry, const char *kind, const char *name, char *reason,
                                      size_t reason_size)
{
    const void *found = tn_registry_find(registry, kind, name, reason, reason_size);
    if (found || registry->all_open) return found;
    tn_registry_load_all(registry, NULL);
    return tn_registry_find(registry, kind, name, reason, reason_size);
}

const tn_plugin_file *tn_registry_file_of(const tn_registry *registry, const void *type)
{
    record *holder = NULL;
    return find_loaded_type(registry, type, &holder) ? &holder->file : NULL;
}

const tn_kind *tn_registry_kind_of(const tn_registry *registry, const void *type)
{
    record *holder = NULL;
    const tn_loaded_type *loaded = find_loaded_type(registry, type, &holder);
    return loaded ? loaded->kind : NULL;
}

bool tn_registry_has_culprit(const tn_registry *registry) { return registry->has_culprit; }

tn_culprit tn_registry_culprit(tn_registry *registry, const void *type, const char *function)
{
    tn_culprit culprit;
    registry->has_culprit = true;
    const size_t size = sizeof culprit.words;
    const tn_kind *kind = tn_registry_kind_of(registry, type);
    if (!kind) {
        (void)tn_print_cut(culprit.words, size, "`%s`", function);
        return culprit;
    }
    const tn_plugin_file *file = tn_registry_file_of(registry, type);
    (void)tn_print_cut(culprit.words, size, "`%s` of %s %s (plugin %s %s, %s)", function, kind->key,
                       tn_type_description(kind, type).name, file->library ? file->library->name : "",
                       file->library ? file->library->version : "", file->path);
    return culprit;
}

/* ---- names ---- */

/* Files that were not opened may hold a type of their name; what the others hold is known. */
static void offer_files(tn_registry *registry, const char *directory, tn_nearest *search)
{
    size_t count = 0;
    char **files = tn_list_directory(&registry->arena, directory, &count);
    for (size_t i = 0; files && i < count; i++) {
        const char *name = type_name_of(registry, files[i]);
        if (name && !record_of(registry, tn_join(&registry->arena, directory, files[i])))
            tn_nearest_offer(search, name);
    }
}

void tn_registry_offer(tn_registry *registry, const char *kind, tn_nearest *search)
{
    for (size_t i = 0; i < registry->record_count; i++) {
        const tn_loaded *loaded = &registry->records[i]->loaded;
        for (size_t j = 0; j < loaded->type_count; j++)
            if (!kind || !strcmp(loaded->types[j].kind->key, kind))
                tn_nearest_offer(search, loaded->types[j].name);
    }
    for (size_t i = 0; i < registry->mapping_count; i++)
        if (!record_of(registry, registry->mappings[i].path))
            tn_nearest_offer(search, registry->mappings[i].type);
    for (size_t i = 0; i < registry->search.count; i++)
        offer_files(registry, registry->search.directory[i], search);
}

/* ---- the report ---- */

static void load_directory(tn_registry *registry, const char *directory)
{
    size_t count = 0;
    char **files = tn_list_directory(&registry->arena, directory, &count);
    if (!files) {
        const char *why = strerror(errno);
        if (!record_of(registry, directory))
            set_verdict(new_record(registry, directory), TN_SKIPPED, keep_text(registry, why));
        return;
    }
    /* links last: they lead to files that have their own places in the report */
    for (int links = 0; links < 2; links++)
        for (size_t i = 0; i < count; i++) {
            const char *path = tn_join(&registry->arena, directory, files[i]);
            if (!tn_link_beside(&registry->arena, path) == !links) open_file(registry, path);
        }
}

/* Says which types of a library come from another file that is searched earlier; a library that is left with
 * none is skipped. */
static void report_hidden_types(tn_registry *registry, record *shown)
{
    size_t hidden = 0;
    tn_reason text, unused;
    for (size_t i = 0; i < shown->loaded.type_count; i++) {
        const tn_loaded_type *type = &shown->loaded.types[i];
        query asked = {.registry = registry, .kind = type->kind->key, .name = type->name, .reason = &unused};
        const tn_loaded_type *found = search_all(&asked);
        if (!found || found == type) continue;
        hidden++;
        tn_wrong(&text, "%s \"%s\" comes from %s, which is found first", type->kind->key, type->name,
                 tn_registry_file_of(registry, found->type)->path);
    }
    if (hidden)
        set_verdict(shown, hidden == shown->loaded.type_count ? TN_SKIPPED : TN_LOADED,
                    keep_text(registry, text.text));
}

void tn_registry_load_all(tn_registry *registry, const char *directory)
{
    if (directory) load_directory(registry, directory);
    for (size_t i = 0; !directory && i < registry->search.count; i++)
        load_directory(registry, registry->search.directory[i]);
    for (size_t i = 0; i < registry->record_count; i++)
        report_hidden_types(registry, registry->records[i]);
    registry->all_open = registry->all_open || !directory;
}

size_t tn_registry_file_count(const tn_registry *registry) { return registry->record_count; }

const tn_plugin_file *tn_registry_file(const tn_registry *registry, size_t index)
{
    return index < registry->record_count ? &registry->records[index]->file : NULL;
}
