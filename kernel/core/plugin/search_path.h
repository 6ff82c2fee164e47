/* search_path.h - the directories that plugins are taken from, and where the program itself stands. */
#ifndef TN_SEARCH_PATH_H
#define TN_SEARCH_PATH_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_search_path {
    char **directory; /* searched first to last */
    size_t count;
    tn_arena arena;
} tn_search_path;

/* Puts a directory at the end, or (first) in front, where it moves when it is there already. False, with the
 * reason in errno, when it is no readable directory. */
bool tn_search_path_add(tn_search_path *path, const char *directory, bool first);

/* True when the file stands directly in one of the directories, or a symbolic link leads it there. */
bool tn_search_path_holds(const tn_search_path *path, const char *file);

/* Names of all entries of a directory but . and .., sorted; NULL with the reason in errno. The names and the list
 * live in the arena. */
char **tn_list_directory(tn_arena *arena, const char *directory, size_t *count);

/* "directory/name", in the arena. */
char *tn_join(tn_arena *arena, const char *directory, const char *name);

/* What a symbolic link says, in the arena; NULL, with the reason in errno, for all that is no link. */
char *tn_link_target(tn_arena *arena, const char *path);

/* The file of the same directory that a symbolic link leads to, in the arena; NULL for all that is no such link. */
char *tn_link_beside(tn_arena *arena, const char *path);

/* Directory of the program file, symbolic links resolved; of the running program when `program_path` is NULL or a
 * bare name. In the arena; NULL when it cannot be known. */
char *tn_program_directory(tn_arena *arena, const char *program_path);

#endif
