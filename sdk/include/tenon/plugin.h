/* tenon/plugin.h - the one exported function of a plugin, and its result. */
#ifndef TENON_PLUGIN_H
#define TENON_PLUGIN_H

#include "tenon/element.h"
#include "tenon/marker.h"
#include "tenon/measure.h"
#include "tenon/solver.h"
#include "tenon/writer.h"

/* Kinds of type; a new kind is a new key, not a change of this list (draft/impulses.h has another one). */
#define TN_ELEMENT_KIND "element"
#define TN_MARKER_KIND "marker"
#define TN_SOLVER_KIND "solver"
#define TN_LINEAR_KIND "linear"
#define TN_WRITER_KIND "writer"
#define TN_FUNCTION_KIND "function"
#define TN_MEASURE_KIND "measure"

typedef struct tn_type {
    const char *kind; /* one of the keys above; NULL behind the last type */
    const void *type; /* the type's struct; struct_size is its first field */
} tn_type;

typedef struct tn_library {
    uint32_t struct_size;
    uint32_t abi_major, abi_minor; /* TN_ABI_MAJOR, TN_ABI_MINOR of the headers it was built with */
    uint32_t reserved;
    const char *name, *version, *licence, *summary;
    const tn_type *types; /* ends with an entry whose kind is NULL */
} tn_library;

/* The exported function; it returns the same library whenever it is called. */
#define TN_PLUGIN_SYMBOL "tn_plugin_library"
typedef const tn_library *(*tn_plugin_function)(void);

/* Structs that stand in arrays never change; of the others each begins with its size, and may grow at its end only. */
TN_STATIC_ASSERT(sizeof(tn_type) == 16 && sizeof(tn_column) == 16, "tn_type and tn_column are frozen");
TN_STATIC_ASSERT(sizeof(tn_dynamic) == 16 && sizeof(tn_column_block) == 12 && sizeof(tn_failure) == 16,
                 "tn_dynamic, tn_column_block and tn_failure are frozen");

#endif
