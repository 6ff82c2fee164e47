/* guard.c - which types are guarded, and who is told of their faults (see guard.h) */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

#include "base/memory.h"

#include <string.h>

static tn_guard_listener listener;

void tn_guard_listen(tn_guard_listener who) { listener = who; }

tn_status tn_guard_tell(const char *what, const void *instance, const tn_marker_place *marker)
{
    const tn_guard_fault fault = {tn_site->type, tn_site->function, tn_site->item, instance, marker, what};
    if (listener.tell) listener.tell(listener.data, &fault);
    return TN_FATAL;
}

const tn_layout *tn_guard_layout_of(const void *instance)
{
    return listener.layout_of ? listener.layout_of(listener.data, instance) : NULL;
}

const tn_output *tn_guard_outputs_of(const void *instance)
{
    return listener.outputs_of ? listener.outputs_of(listener.data, instance) : NULL;
}

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
        tn_guard_function((tn_function_type *)copy);
    } else if (!strcmp(kind->key, TN_SOLVER_KIND)) {
        tn_guard_solver((tn_solver_type *)copy);
    } else if (!strcmp(kind->key, TN_LINEAR_KIND)) {
        tn_guard_linear((tn_loaded_linear *)copy);
    } else if (!strcmp(kind->key, TN_WRITER_KIND)) {
        tn_guard_writer((tn_writer_type *)copy);
    }
    return copy;
}

const tn_call_watch tn_guard = {
    .copy = copy_type, .reads = tn_guard_watch_model, .grouped = tn_guard_watch_assembly};
