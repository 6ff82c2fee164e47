/* search_path.c - the directories that plugins are taken from (see search_path.h). */
#define _GNU_SOURCE
#include "plugin/search_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same_directory(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool tn_search_path_add(tn_search_path *path, const char *directory, bool first)
{
    /* says in errno what is wrong with it */
    const int opened = (int)TEMP_FAILURE_RETRY(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened < 0) {
        tn_check_memory(directory);
        return false;
    }
    close(opened);

    size_t at = 0;
    while (at < path->count && !is_same_directory(path->directory[at], directory))
        at++;
    if (at < path->count && !first) return true;
    if (at == path->count) TN_APPEND(path->directory, path->count, NULL);
    if (first) {
        memmove(path->directory + 1, path->directory, at * sizeof *path->directory);
        at = 0;
    }
    path->directory[at] = tn_arena_text(&path->arena, directory, strlen(directory));
    return true;
}

/* "a" of "a/b", "/" of "/b", "." of "b". */
static char *directory_of(tn_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? tn_arena_text(arena, file, slash == file ? 1 : (size_t)(slash - file))
                 : tn_arena_text(arena, ".", 1);
}

static bool stands_in(const tn_search_path *path, const char *file)
{
    bool found = false;
    tn_arena arena = {0};
    const char *directory = directory_of(&arena, file);
    for (size_t i = 0; i < path->count && !found; i++)
        found = is_same_directory(path->directory[i], directory);
    tn_arena_free(&arena);
    return found;
}

bool tn_search_path_holds(const tn_search_path *path, const char *file)
{
    char *resolved = tn_adopt(realpath(file, NULL));
    if (!resolved) tn_check_memory(file);
    const bool holds = stands_in(path, file) || (resolved && stands_in(path, resolved));
    tn_free(resolved);
    return holds;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void close_directory(void *opened) { (void)closedir(opened); }

char **tn_list_directory(tn_arena *arena, const char *directory, size_t *count)
{
    DIR *opened = opendir(directory);
    if (!opened) {
        tn_check_memory(directory);
        return NULL;
    }

    tn_hold hold;
    tn_hold_begin(&hold, close_directory, opened);
    size_t capacity = 0;
    char **list = tn_arena_grow(arena, NULL, &capacity, 1, sizeof *list);
    *count = 0;
    for (const struct dirent *entry; (entry = readdir(opened));) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        list = tn_arena_grow(arena, list, &capacity, *count + 1, sizeof *list);
        list[(*count)++] = tn_arena_text(arena, name, strlen(name));
    }
    tn_hold_end(&hold);
    close_directory(opened);
    qsort(list, *count, sizeof *list, compare_names);
    return list;
}

char *tn_join(tn_arena *arena, const char *directory, const char *name)
{
    return tn_arena_print(arena, "%s/%s", directory, name);
}

char *tn_link_target(tn_arena *arena, const char *path)
{
    char target[PATH_MAX]; /* no link is longer */
    const ssize_t length = readlink(path, target, sizeof target);
    return length < 0 ? NULL : tn_arena_text(arena, target, (size_t)length);
}

char *tn_link_beside(tn_arena *arena, const char *path)
{
    struct stat status;
    const char *slash = strrchr(path, '/'), *target = tn_link_target(arena, path);
    if (!slash || !target || strchr(target, '/')) return NULL;
    if (stat(path, &status) != 0) return NULL; /* it leads nowhere, or round and round */
    return tn_join(arena, tn_arena_text(arena, path, (size_t)(slash - path)), target);
}

char *tn_program_directory(tn_arena *arena, const char *program_path)
{
    if (!program_path || !strchr(program_path, '/')) program_path = tn_link_target(arena, "/proc/self/exe");
    char *resolved = program_path ? tn_adopt(realpath(program_path, NULL)) : NULL; /* none "(deleted)" */
    if (program_path && !resolved) tn_check_memory("the path of the program");
    if (!program_path) return NULL;
    char *directory = directory_of(arena, resolved ? resolved : program_path);
    tn_free(resolved);
    return directory;
}
