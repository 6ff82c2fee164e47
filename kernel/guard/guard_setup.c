/* guard_setup.c - guarded calls of the functions of elements and markers that set them up */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

/* Looks at the frame of a finished call, returns its results, or tells the fault. */
static tn_status finish(tn_guard_frame *frame, tn_status status, const void *instance)
{
    const bool whole = tn_guard_look(frame, status);
    if (whole) tn_guard_return(frame);
    tn_guard_close(frame);
    return whole ? status : tn_guard_tell(frame->what, instance, NULL);
}

static tn_status prepare(tn_status (*own)(const tn_host *, void *), size_t size, const tn_host *host,
                         void *instance)
{
    tn_guard_frame frame = {.count = 0};
    const tn_host *guarded_host = host;
    void *inside = instance;
    tn_guard_add(&frame, "host", &guarded_host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &inside, 1, size, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own(guarded_host, inside);
    return finish(&frame, status, instance);
}

static tn_status prepare_element(const tn_host *host, void *instance)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    return prepare(own->prepare, own->instance_size, host, instance);
}

static tn_status prepare_marker(const tn_host *host, void *instance)
{
    const tn_loaded_marker *own = (const tn_loaded_marker *)tn_site->type + 1;
    return prepare(own->prepare, own->instance_size, host, instance);
}

static tn_status layout(tn_status (*own)(const tn_host *, const void *, tn_layout *), size_t size,
                        const tn_host *host, const void *instance, tn_layout *layout)
{
    tn_guard_frame frame = {.count = 0};
    const tn_host *guarded_host = host;
    const void *inside = instance;
    tn_guard_add(&frame, "host", &guarded_host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &inside, 1, size, TN_GUARD_READS);
    tn_guard_add(&frame, "layout", &layout, 1, sizeof *layout, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own(guarded_host, inside, layout);
    return finish(&frame, status, instance);
}

static tn_status lay_out_element(const tn_host *host, const void *instance, tn_layout *sizes)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    return layout(own->layout, own->instance_size, host, instance, sizes);
}

static tn_status lay_out_marker(const tn_host *host, const void *instance, tn_layout *sizes)
{
    const tn_loaded_marker *own = (const tn_loaded_marker *)tn_site->type + 1;
    return layout(own->layout, own->instance_size, host, instance, sizes);
}

static tn_status initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    const tn_layout *sizes = tn_guard_layout_of(instance);
    if (!sizes) return own->initial(host, instance, q, v, x, s, d);
    tn_guard_frame frame = {.count = 0};
    const void *inside = instance;
    const size_t number = sizeof(double);
    tn_guard_add(&frame, "host", &host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &inside, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "q", &q, 1, sizes->nq * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "v", &v, 1, sizes->nv * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "x", &x, 1, sizes->nx * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "s", &s, 1, sizes->ns * number, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "d", &d, 1, sizes->nd * number, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->initial(host, inside, q, v, x, s, d);
    return finish(&frame, status, instance);
}

static tn_status bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    tn_guard_frame frame = {.count = 0};
    const tn_host *guarded_host = host;
    const void *inside = instance;
    tn_attachment *guarded = attachment;
    void *data = attachment->data;
    tn_guard_add(&frame, "host", &guarded_host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &inside, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "data", &data, 1, own->attachment_size, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "attachment", &guarded, 1, sizeof *attachment, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    void *outside = attachment->data;
    guarded->data = data;
    const tn_status status = own->bind(guarded_host, inside, guarded);
    guarded->data = outside;
    return finish(&frame, status, instance);
}

static tn_status local_pose(const void *instance, tn_attachment *attachment)
{
    const tn_loaded_marker *own = (const tn_loaded_marker *)tn_site->type + 1;
    tn_guard_frame frame = {.count = 0};
    const void *inside = instance;
    tn_guard_add(&frame, "instance", &inside, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "attachment", &attachment, 1, sizeof *attachment, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->local_pose(inside, attachment);
    return finish(&frame, status, instance);
}

/* ---- what an instance tells of itself: lists and texts are in memory that nobody else writes to ------------ */

/* The frame of a call that reads the host and an instance. */
static void open_reading(tn_guard_frame *frame, const tn_host **host, const void **instance, size_t size)
{
    if (host) tn_guard_add(frame, "host", host, 1, sizeof **host, TN_GUARD_READS);
    tn_guard_add(frame, "instance", instance, 1, size, TN_GUARD_READS);
    tn_guard_open(frame);
}

static const tn_output *list_of(const tn_output *(*own)(const tn_host *, const void *), size_t size,
                                const tn_host *host, const void *instance)
{
    tn_guard_frame frame = {.count = 0};
    const void *inside = instance;
    open_reading(&frame, &host, &inside, size);
    const tn_output *list = own(host, inside);
    return finish(&frame, TN_OK, instance) == TN_OK ? list : NULL;
}

static const tn_output *instance_outputs(const tn_host *host, const void *instance)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    return list_of(own->instance_outputs, own->instance_size, host, instance);
}

static const tn_output *instance_coordinates(const tn_host *host, const void *instance)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    return list_of(own->instance_coordinates, own->instance_size, host, instance);
}

static const char *velocity_unit(const void *instance, uint32_t number)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    tn_guard_frame frame = {.count = 0};
    const void *inside = instance;
    open_reading(&frame, NULL, &inside, own->instance_size);
    const char *unit = own->velocity_unit(inside, number);
    return finish(&frame, TN_OK, instance) == TN_OK ? unit : NULL;
}

static tn_status variable_kind(const tn_host *host, const void *instance, uint32_t reads_itself,
                               tn_variable_kind *kind)
{
    const tn_loaded_element *own = (const tn_loaded_element *)tn_site->type + 1;
    tn_guard_frame frame = {.count = 0};
    const void *inside = instance;
    tn_guard_add(&frame, "kind", &kind, 1, sizeof *kind, TN_GUARD_RENEWS);
    open_reading(&frame, &host, &inside, own->instance_size);
    const tn_status status = own->variable_kind(host, inside, reads_itself, kind);
    return finish(&frame, status, instance);
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
