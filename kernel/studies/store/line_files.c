/* line_files.c - takes over the lines that workers have written, from where it has read them to */
#include "store/store_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t place_of(tn_store *store, const char *name)
{
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_PLACE);
    int64_t place = 0;
    if (!statement) return -1;
    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) place = sqlite3_column_int64(statement, 0);
    (void)sqlite3_reset(statement);
    return place;
}

static bool set_place(tn_store *store, const char *name, int64_t place)
{
    sqlite3_stmt *statement = tn_store_prepare(store, TN_SQL_SET_PLACE);
    if (!statement) return false;
    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(statement, 2, place);
    return tn_store_do(store, statement);
}

/* All whole lines of a piece; the length of these. A line that is none, as one that a full disk has cut, is passed over: its case is lost. */
static bool take_piece(tn_store *store, const char *piece, size_t length, size_t *used, tn_store_taken *taken)
{
    tn_arena arena = {0};
    bool good = true;
    *used = 0;
    for (const char *end; good && (end = memchr(piece + *used, '\n', length - *used));) {
        tn_case_result result = {.number = 0};
        const size_t line = (size_t)(end - piece) - *used;
        if (tn_case_line_read(piece + *used, line, store->cases->numbers, &arena, &result)) {
            good = tn_store_put(store, &result);
            taken->lines++;
            if (result.wall > 0.0) taken->wall += result.wall;
        }
        *used += line + 1;
    }
    tn_arena_free(&arena);
    return good;
}

/* In pieces, so that long files take no more memory than short ones. */
static bool take_file(tn_store *store, int file, const char *name, tn_store_taken *taken)
{
    enum { PIECE = 1 << 20 };
    struct stat status;
    int64_t place = place_of(store, name);
    const int64_t before = place;
    if (place < 0) return false;
    if (fstat(file, &status) != 0 || status.st_size <= place) return true;
    size_t room = PIECE, used = 0;
    char *piece = tn_new(room, 1);
    bool good = true;
    for (ssize_t count; good && (count = pread(file, piece, room, place)) > 0; place += (int64_t)used) {
        good = take_piece(store, piece, (size_t)count, &used, taken);
        if (used) continue;
        if ((size_t)count < room) break; /* the line is not whole yet */
        piece = tn_grow(piece, &room, 2 * room, 1);
    }
    tn_free(piece);
    return good && (place == before || set_place(store, name, place));
}

bool tn_store_take_lines(tn_store *store, const char *beginning, tn_store_taken *taken)
{
    tn_arena arena = {0};
    DIR *folder = opendir(tn_arena_print(&arena, "%s/lines", store->folder));
    tn_arena_free(&arena);
    *taken = (tn_store_taken){.lines = 0};
    if (!folder) return tn_store_fail(store, strerror(errno));
    bool good = tn_store_begin(store);
    for (struct dirent *entry; good && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, beginning, strlen(beginning)) != 0 || entry->d_name[0] == '.') continue;
        const int file = openat(dirfd(folder), entry->d_name, O_RDONLY | O_CLOEXEC);
        if (file < 0) {
            good = tn_store_fail(store, strerror(errno));
            continue;
        }
        good = take_file(store, file, entry->d_name, taken);
        (void)close(file);
    }
    (void)closedir(folder);
    good = tn_store_commit(store) && good;
    return good;
}
