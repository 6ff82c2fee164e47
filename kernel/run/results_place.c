/* results_place.c - whether a directory lies below the current folder, wherever links lead */
#include "run/results.h"

#include <stdlib.h>
#include <string.h>

/* A path without links; NULL when it leads to nothing. */
static char *resolve_links(const char *path)
{
    char *resolved = tn_adopt(realpath(path, NULL));
    if (!resolved) tn_check_memory("the path of the results");
    return resolved;
}

/* What exists of a path, without links; `rest` is what does not. */
static char *resolve_beginning(const char *path, const char **rest)
{
    size_t length = strlen(path);
    char *part = tn_new(length + 1, 1), *resolved = NULL;
    memcpy(part, path, length);
    while (!(resolved = resolve_links(length ? part : *path == '/' ? "/" : ".")) && length) {
        while (length && part[length - 1] != '/')
            length--;
        while (length && part[length - 1] == '/')
            length--;
        part[length] = '\0';
    }
    *rest = path + length;
    return resolved;
}

/* What does not exist yet leads nowhere but down. */
static bool goes_up(const char *path)
{
    while (*path) {
        const size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) return true;
        path += length + (path[length] == '/');
    }
    return false;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool tn_results_stay_here(const char *directory)
{
    const char *rest = NULL;
    const char *beginning = resolve_beginning(directory, &rest), *here = resolve_links(".");
    return beginning && here && is_below(beginning, here) && !goes_up(rest);
}
