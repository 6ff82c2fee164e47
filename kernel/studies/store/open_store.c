/* open_store.c - opens the database of a study, or makes it */
#include "store/store_internal.h"

#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

/* Disks of other machines, on which the shared memory of a write-ahead log does not work. */
static bool is_remote(const char *folder)
{
    static const unsigned long types[] = {0x6969,     0x0BD00BD0, 0x47504653, 0xFF534D42,
                                          0xFE534D42, 0x517B,     0x65735546, 0x5346414F,
                                          0x19830326, 0x00C36400, 0x20030528, 0x01021997};
    struct statfs status;
    if (statfs(folder, &status) != 0) return true;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (((unsigned long)status.f_type & 0xFFFFFFFFul) == types[k]) return true;
    return false;
}

static bool is_same(tn_store *store, const char *key, const tn_case_hash *hash)
{
    char text[2 * TN_HASH_SIZE + 1];
    const char *known = tn_store_note(store, key);
    tn_hash_print(hash, text);
    return known && strcmp(known, text) == 0;
}

/* The database is that of this study, or becomes it. */
static bool settle(tn_store *store, bool is_new)
{
    const tn_cases *cases = store->cases;
    char base[2 * TN_HASH_SIZE + 1], design[2 * TN_HASH_SIZE + 1];
    tn_hash_print(&cases->base, base);
    tn_hash_print(&cases->design_hash, design);
    if (is_new)
        return tn_store_make(store) && tn_store_make_view(store) && tn_store_set_note(store, "base", base) &&
               tn_store_set_note(store, "design", design) &&
               tn_store_set_note(store, "name", cases->study.name) &&
               tn_store_set_note(store, "tenon", TENON_VERSION);
    if (!is_same(store, "base", &cases->base))
        return tn_store_fail(
            store,
            "these are results of another study: its model, a file of that, a response, a plugin or tenon "
            "itself was another one. Choose another folder by --out, or move this one away");
    if (is_same(store, "design", &cases->design_hash)) return true;
    return tn_store_put_aside(store) && tn_store_make_view(store) &&
           tn_store_set_note(store, "design", design);
}

/* A query has a row. */
static bool is_there(tn_store *store, const char *sql)
{
    sqlite3_stmt *any = NULL;
    const bool found = sqlite3_prepare_v2(store->database, sql, -1, &any, NULL) == SQLITE_OK &&
                       sqlite3_step(any) == SQLITE_ROW;
    (void)sqlite3_finalize(any);
    return found;
}

/* Tables that are those of a study, or none at all; false with the reason. */
static bool is_of_a_study(tn_store *store, bool *filled)
{
    static const char list[] = "SELECT count(*) FROM sqlite_master";
    *filled = is_there(store, "SELECT 1 FROM sqlite_master WHERE name = 'case_'");
    const int status = sqlite3_exec(store->database, list, NULL, NULL, NULL);
    if (status == SQLITE_NOTADB || status == SQLITE_CORRUPT) {
        (void)tn_print_cut(
            store->problem, sizeof store->problem,
            "%s/study.db: %s: the database is broken. Delete it, and --resume makes it again from "
            "what workers have written in lines",
            store->folder, sqlite3_errmsg(store->database));
        return false;
    }
    if (status != SQLITE_OK) return tn_store_fail(store, NULL);
    return *filled || !is_there(store, "SELECT 1 FROM sqlite_master") ||
           tn_store_fail(store, "it is the database of something else, and not of a study");
}

/* For those who only look, also where nobody can write. */
static bool open_to_read(tn_store *store, const char *path)
{
    tn_arena arena = {0};
    bool filled = false;
    const bool still =
        access(store->folder, W_OK) != 0 && access(tn_arena_print(&arena, "%s-wal", path), F_OK) != 0;
    tn_text address = {0};
    tn_text_add(&address, "file:");
    for (const char *c = path; *c; c++)
        if (strchr("%?#", *c))
            tn_text_add(&address, "%%%02X", (unsigned)*c);
        else
            tn_text_add_letters(&address, c, 1);
    tn_text_add(&address, "?immutable=1");
    const int opened = still ? sqlite3_open_v2(address.letters, &store->database,
                                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL)
                             : sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE, NULL);
    tn_free(address.letters);
    tn_arena_free(&arena);
    if (opened != SQLITE_OK) return tn_store_fail(store, NULL);
    (void)sqlite3_busy_timeout(store->database, 20000);
    return is_of_a_study(store, &filled) &&
           (filled || tn_store_fail(store, "it is empty: no case has been run")) &&
           tn_store_run(store, "PRAGMA query_only = 1");
}

static bool open_to_write(tn_store *store, const char *path)
{
    bool filled = false;
    if (sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return tn_store_fail(store, NULL);
    (void)sqlite3_busy_timeout(store->database, 20000);
    store->remote = is_remote(store->folder);
    if (!is_of_a_study(store, &filled) ||
        !tn_store_run(store,
                      store->remote ? "PRAGMA journal_mode = TRUNCATE" : "PRAGMA journal_mode = WAL") ||
        !tn_store_run(store, "PRAGMA synchronous = NORMAL") || !tn_store_begin(store))
        return false;
    store->is_new = !filled; /* one that was made and never filled counts as new */
    return settle(store, !filled) && tn_store_commit(store);
}

static bool open_database(tn_store *store, tn_store_mode mode)
{
    tn_arena arena = {0};
    const char *path = tn_arena_print(&arena, "%s/study.db", store->folder);
    const bool is_there_already = access(path, F_OK) == 0;
    bool good = false;
    if (mode == TN_STORE_NEW && is_there_already)
        good = tn_store_fail(store, "there are results of a study already: --resume goes on with them, --out "
                                    "DIR chooses another folder");
    else if (mode == TN_STORE_READ && !is_there_already)
        good = tn_store_fail(store, "there is none: the folder holds no results of a study");
    else
        good = mode == TN_STORE_READ ? open_to_read(store, path) : open_to_write(store, path);
    tn_arena_free(&arena);
    return good;
}

tn_store *tn_store_open(const char *folder, const tn_cases *cases, tn_store_mode mode, char *reason,
                        size_t size)
{
    tn_store *store = tn_new(1, sizeof *store);
    store->cases = cases;
    store->folder = tn_copy_text(folder);
    if (open_database(store, mode)) return store;
    (void)tn_print_cut(reason, size, "%s", store->problem);
    tn_store_close(store);
    return NULL;
}

void tn_store_close(tn_store *store)
{
    if (!store) return;
    for (int k = 0; k < TN_SQL_STATEMENTS; k++)
        (void)sqlite3_finalize(store->statement[k]);
    (void)sqlite3_close(store->database);
    tn_free(store->note);
    tn_free(store);
}

uint64_t tn_store_failed(const tn_store *store) { return store->failed; }
const char *tn_store_problem(const tn_store *store) { return store->problem; }
bool tn_store_is_remote(const tn_store *store) { return store->remote; }
bool tn_store_is_new(const tn_store *store) { return store->is_new; }
bool tn_store_is_of(tn_store *store, const tn_cases *cases) { return is_same(store, "base", &cases->base); }
