/* guard.c - which functions of a type are guarded (see guard.h) */
#include "guard/guard_frame.h"

#include "base/memory.h"

#include <string.h>

static void *copy_type(const tn_kind *kind, const void *type)
{
    char *copy = tn_new(2, kind->loaded_size);
    memcpy(copy, type, kind->loaded_size);
    memcpy(copy + kind->loaded_size, type, kind->loaded_size);
    if (!strcmp(kind->key, TN_ELEMENT_KIND)) {
        tn_guard_element((tn_loaded_element *)copy);
        tn_guard_element_setup((tn_loaded_element *)copy);
        tn_guard_attachments((tn_loaded_element *)copy);
    } else if (!strcmp(kind->key, TN_MARKER_KIND)) {
        tn_guard_marker((tn_loaded_marker *)copy);
        tn_guard_marker_setup((tn_loaded_marker *)copy);
    } else if (!strcmp(kind->key, TN_FUNCTION_KIND)) {
        tn_guard_function((tn_loaded_function *)copy);
    } else if (!strcmp(kind->key, TN_SOLVER_KIND)) {
        tn_guard_solver((tn_loaded_solver *)copy);
    } else if (!strcmp(kind->key, TN_LINEAR_KIND)) {
        tn_guard_linear((tn_loaded_linear *)copy);
    } else if (!strcmp(kind->key, TN_WRITER_KIND)) {
        tn_guard_writer((tn_loaded_writer *)copy);
    } else if (!strcmp(kind->key, TN_CONSTRAINT_SOLVER_KIND)) {
        tn_guard_constraint_solver((tn_constraint_solver_type *)copy);
    }
    return copy;
}

const tn_call_watch tn_guard = {
    .copy = copy_type, .reads = tn_guard_watch_model, .grouped = tn_guard_watch_assembly};
