/* loading.h - what the owner of a registry adds to the loading of plugins: checks of their tables, and a watch on calls into them.
 *
 * The loader by itself checks versions, sizes, names and missing functions. Whether a parameter fits into its instance, and what a
 * unit, a key of a model's table or a word of an expression means, is known to the reader of such texts, which gives
 * functions for them, and without one every table is good. Behind the checks:
 * kernel/reader/config/plugin_texts.h; behind the watch: kernel/guard. */
#ifndef TN_LOADING_H
#define TN_LOADING_H

#include "base/text.h"
#include "plugin/kinds.h"

#include <stdbool.h>

/* What is wrong, when something is: one line naming it. */
typedef struct tn_reason {
    char text[TN_LONGEST_REASON];
} tn_reason;

typedef struct tn_model tn_model;
typedef struct tn_assembly tn_assembly;

/* Who stands between the kernel and the functions of types. Without a watch types are called as they are. */
typedef struct tn_call_watch {
    /* [setup] A copy of a type that has passed all checks, which the kernel uses instead. */
    void *(*copy)(const tn_kind *kind, const void *type);
    /* [setup] Items of this model are made from now on; instances stand in the groups of this assembly from now on. */
    void (*reads)(tn_model *model);
    void (*grouped)(tn_assembly *assembly);
} tn_call_watch;

/* All [setup], called while a library is loaded; each may be NULL. */
typedef struct tn_loading {
    /* What else the reader of models requires of the tables of a type: else false, with the reason. */
    bool (*check_type)(const tn_kind *kind, const void *type, tn_reason *reason);
    /* The same of a list of outputs or coordinates that an instance of a type has of its own, each of at most so many numbers. */
    bool (*check_list)(const tn_output *list, uint32_t most, const tn_type_head *type, tn_reason *reason);
    /* A sum of the bytes of a file, by which results name it; without it there is none. */
    bool (*hash)(const char *path, uint64_t *hash, tn_reason *reason);
    const tn_call_watch *watch;
} tn_loading;

#endif
