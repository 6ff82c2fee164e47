/* linear_plugins.h - the linear solvers that are installed, whichever these are, for tests that hold all of them to the same. */
#ifndef TENON_TESTS_LINEAR_PLUGINS_H
#define TENON_TESTS_LINEAR_PLUGINS_H

#include <tenon/descriptors.h>
#include <tenon/linear.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { TN_MOST_LINEAR_PLUGINS = 16 };

/* Types of the list that the build has written, without those that were left out; their number. `name` [TN_MOST_LINEAR_PLUGINS][64] gets
 * their names and, behind them, those of their libraries. */
static inline int tn_linear_plugin_names(char (*name)[64], char (*library)[64])
{
    int count = 0;
    char line[512];
    FILE *file = fopen(TENON_PLUGINS "/../plugins.list", "r");
    assert_non_null(file);
    while (count < TN_MOST_LINEAR_PLUGINS && fgets(line, sizeof line, file)) {
        char kind[64] = "", missing[64] = "";
        const int words = sscanf(line, "%63s %63s %63s %63s", kind, name[count], library[count], missing);
        count += words == 3 && strcmp(kind, TN_LINEAR_KIND) == 0;
    }
    (void)fclose(file);
    assert_true(count >= 2); /* klu and dense are always there */
    return count;
}

/* Iterative ones solve to a tolerance, which is a parameter of theirs. */
static inline bool tn_has_tolerance(const tn_linear_type *type)
{
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (strcmp(p->name, "tolerance") == 0) return true;
    return false;
}

/* All of them, loaded. */
static inline int tn_all_linear_plugins(const tn_linear_type **type)
{
    static char name[TN_MOST_LINEAR_PLUGINS][64], library[TN_MOST_LINEAR_PLUGINS][64];
    const int count = tn_linear_plugin_names(name, library);
    for (int k = 0; k < count; k++) {
        char path[2048];
        (void)snprintf(path, sizeof path, "%s/%s.so", TENON_PLUGINS, library[k]);
        void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!file) fail_msg("%s", dlerror());
        const tn_library *(*get)(void) = NULL;
        void *symbol = dlsym(file, "tn_plugin_library");
        memcpy(&get, &symbol, sizeof get);
        assert_non_null(get);
        type[k] = NULL;
        for (const tn_type *one = get()->types; one->kind; one++)
            if (strcmp(one->kind, TN_LINEAR_KIND) == 0 &&
                strcmp(((const tn_linear_type *)one->type)->name, name[k]) == 0)
                type[k] = one->type;
        assert_non_null(type[k]);
    }
    return count;
}

/* The direct ones among them. */
static inline int tn_linear_plugins(const tn_linear_type **type)
{
    const int count = tn_all_linear_plugins(type);
    int direct = 0;
    for (int k = 0; k < count; k++)
        if (!tn_has_tolerance(type[k])) type[direct++] = type[k];
    assert_true(direct >= 2); /* klu and dense are always there */
    return direct;
}

/* An instance with the defaults of all parameters, until the next call; NULL of a type that has none. */
static inline const void *tn_linear_defaults(const tn_linear_type *type)
{
    static double room[64];
    char *instance = (char *)room;
    assert_true(type->instance_size <= sizeof room);
    memset(room, 0, sizeof room);
    for (const tn_parameter *p = type->parameters; p && p->name; p++) {
        if (p->kind == TN_KIND_REAL)
            memcpy(instance + p->offset, &p->standard, sizeof p->standard);
        else if (p->kind == TN_KIND_INTEGER)
            memcpy(instance + p->offset, &(int64_t){(int64_t)p->standard}, sizeof(int64_t));
        else
            memcpy(instance + p->offset, &(int32_t){(int32_t)p->standard}, sizeof(int32_t));
    }
    return type->parameters ? room : NULL;
}

#endif
