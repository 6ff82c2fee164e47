/* tenon/plugin.h - the one exported function of a plugin, and what it returns. */
#ifndef TENON_PLUGIN_H
#define TENON_PLUGIN_H

#include "tenon/element.h"
#include "tenon/marker.h"
#include "tenon/solver.h"
#include "tenon/writer.h"

/* Kinds of type; a new kind is a new key, not a change of this list. */
#define TN_ELEMENT_KIND "element"
#define TN_MARKER_KIND "marker"
#define TN_SOLVER_KIND "solver"
#define TN_LINEAR_KIND "linear"
#define TN_WRITER_KIND "writer"
#define TN_FUNCTION_KIND "function"
#define TN_SCRIPT_KIND "script"

typedef struct tn_type {
    const char *kind; /* one of the keys above */
    const void *type; /* the type's struct; struct_size is its first field */
} tn_type;

typedef struct tn_library {
    uint32_t struct_size;
    uint32_t abi_major, abi_minor; /* TN_ABI_MAJOR, TN_ABI_MINOR of the headers it was built with */
    uint32_t reserved;
    const char *name, *version, *licence, *summary;
    const tn_type *types; /* ends with an entry whose kind is NULL */
} tn_library;

#define TN_PLUGIN_SYMBOL "tn_plugin_main"
typedef const tn_library *(*tn_plugin_function)(void);

/* Sizes of interface 1.1. A struct may only grow at its end, together with TN_ABI_MINOR; structs that stand in
 * arrays or inside others (parameters, ports, outputs, columns, types, marker places) never change. */
#define TN_SIZES_1_1(X)      \
    X(tn_layout, 72)         \
    X(tn_batch, 328)         \
    X(tn_attachments, 120)   \
    X(tn_attachment, 136)    \
    X(tn_element_type, 464)  \
    X(tn_marker_type, 128)   \
    X(tn_solver_type, 88)    \
    X(tn_linear_type, 80)    \
    X(tn_writer_type, 72)    \
    X(tn_function_type, 104) \
    X(tn_script_type, 64)    \
    X(tn_system, 440)        \
    X(tn_run, 64)            \
    X(tn_statistics, 80)     \
    X(tn_matrix, 32)         \
    X(tn_library, 56)        \
    X(tn_failure, 16)        \
    X(tn_dynamic, 8)         \
    X(tn_column_block, 12)
#define TN_SIZE_CHECK(name, size) \
    TN_STATIC_ASSERT(sizeof(name) == size, #name " has the size of interface 1.1");
TN_SIZES_1_1(TN_SIZE_CHECK)
#undef TN_SIZE_CHECK
/* Where the structs that have grown ended before. */
TN_STATIC_ASSERT(offsetof(tn_layout, held_states) == 64, "tn_layout of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_function_type, optional) == 72, "tn_function_type of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_marker_type, layout) == 96, "tn_marker_type of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_element_type, constraint_rate) == 376, "tn_element_type of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_solver_type, check) == 72, "tn_solver_type of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_writer_type, endings) == 64, "tn_writer_type of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_system, quadratures) == 240, "tn_system of interface 1.0");
TN_STATIC_ASSERT(offsetof(tn_statistics, events) == 72, "tn_statistics of interface 1.0");

#endif
