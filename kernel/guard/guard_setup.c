/* guard_setup.c - guarded calls of the functions of elements and markers that set them up */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

static const tn_loaded_element *own_element(void) { return (const tn_loaded_element *)tn_site->type + 1; }
static const tn_loaded_marker *own_marker(void) { return (const tn_loaded_marker *)tn_site->type + 1; }

static tn_status prepare_element(const tn_host *host, void *instance)
{
    return tn_guard_prepare(own_element()->prepare, own_element()->instance_size, host, instance);
}

static tn_status prepare_marker(const tn_host *host, void *instance)
{
    return tn_guard_prepare(own_marker()->prepare, own_marker()->instance_size, host, instance);
}

static tn_status layout(tn_status (*own)(const tn_host *, const void *, tn_layout *), size_t size,
                        const tn_host *host, const void *instance, tn_layout *layout)
{
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, size, TN_GUARD_READS);
    tn_guard_add(&frame, "layout", &layout, 1, sizeof *layout, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own(host, instance, layout);
    return tn_guard_finish(&frame, status, &instance);
}

static tn_status lay_out_element(const tn_host *host, const void *instance, tn_layout *sizes)
{
    return layout(own_element()->layout, own_element()->instance_size, host, instance, sizes);
}

static tn_status lay_out_marker(const tn_host *host, const void *instance, tn_layout *sizes)
{
    return layout(own_marker()->layout, own_marker()->instance_size, host, instance, sizes);
}

static tn_status initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d)
{
    const tn_loaded_element *own = own_element();
    const tn_layout *sizes = tn_guard_layout_of(instance);
    if (!sizes) return own->initial(host, instance, q, v, x, s, d);
    const size_t number = sizeof(double);
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "q", &q, 1, sizes->nq * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "v", &v, 1, sizes->nv * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "x", &x, 1, sizes->nx * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "s", &s, 1, sizes->ns * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "d", &d, 1, sizes->nd * number, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->initial(host, instance, q, v, x, s, d);
    return tn_guard_finish(&frame, status, &instance);
}

static tn_status bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const tn_loaded_element *own = own_element();
    void *const outside = attachment->data, *data = outside;
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "data", &data, 1, own->attachment_size, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "attachment", &attachment, 1, sizeof *attachment, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    attachment->data = data;
    const tn_status status = own->bind(host, instance, attachment);
    attachment->data = outside;
    return tn_guard_finish(&frame, status, &instance);
}

static tn_status local_pose(const void *instance, tn_attachment *attachment)
{
    const tn_loaded_marker *own = own_marker();
    tn_guard_frame frame = tn_guard_frame_of(NULL, &instance, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "attachment", &attachment, 1, sizeof *attachment, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->local_pose(instance, attachment);
    return tn_guard_finish(&frame, status, &instance);
}

/* ---- lists and texts of an instance: in memory of the plugin -------------------------------------------- */

static const tn_output *list_of(const tn_output *(*own)(const tn_host *, const void *), const tn_host *host,
                                const void *instance)
{
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own_element()->instance_size, TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_output *list = own(host, instance);
    return tn_guard_finish(&frame, TN_OK, &instance) == TN_OK ? list : NULL;
}

static const tn_output *instance_outputs(const tn_host *host, const void *instance)
{
    return list_of(own_element()->instance_outputs, host, instance);
}

static const tn_output *instance_coordinates(const tn_host *host, const void *instance)
{
    return list_of(own_element()->instance_coordinates, host, instance);
}

static const char *velocity_unit(const void *instance, uint32_t number)
{
    tn_guard_frame frame = tn_guard_frame_of(NULL, &instance, own_element()->instance_size, TN_GUARD_READS);
    tn_guard_open(&frame);
    const char *unit = own_element()->velocity_unit(instance, number);
    return tn_guard_finish(&frame, TN_OK, &instance) == TN_OK ? unit : NULL;
}

static tn_status variable_kind(const tn_host *host, const void *instance, uint32_t reads_itself,
                               tn_variable_kind *kind)
{
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own_element()->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "kind", &kind, 1, sizeof *kind, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own_element()->variable_kind(host, instance, reads_itself, kind);
    return tn_guard_finish(&frame, status, &instance);
}

void tn_guard_element_setup(tn_loaded_element *type)
{
    if (type->instance_outputs) type->instance_outputs = instance_outputs;
    if (type->instance_coordinates) type->instance_coordinates = instance_coordinates;
    if (type->velocity_unit) type->velocity_unit = velocity_unit;
    if (type->variable_kind) type->variable_kind = variable_kind;
    if (type->prepare) type->prepare = prepare_element;
    if (type->layout) type->layout = lay_out_element;
    if (type->initial) type->initial = initial;
    if (type->bind) type->bind = bind;
}

void tn_guard_marker_setup(tn_loaded_marker *type)
{
    if (type->prepare) type->prepare = prepare_marker;
    if (type->layout) type->layout = lay_out_marker;
    if (type->local_pose) type->local_pose = local_pose;
}
