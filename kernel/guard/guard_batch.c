/* guard_batch.c - guarded calls of batch functions: those of elements, and of markers made of others
 *
 * A batch is called as the kernel makes it. Where that shows a fault that may be anybody's, every instance is called by
 * itself, and the first one that shows a fault is named. */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

#include "base/memory.h"

#include <string.h>

/* ---- what each function writes --------------------------------------------------------------------------- */

/* Arrays that functions write to. */
#define PLACE(field)                      \
    {                                     \
#field, offsetof(tn_batch, field) \
    }
static const struct array_place {
    const char *name;
    size_t offset;
} places[] = {
    PLACE(wrench),         PLACE(tangent),        PLACE(x_rate),      PLACE(x),         PLACE(d),
    PLACE(force),          PLACE(mass),           PLACE(residual),    PLACE(rate),      PLACE(value),
    PLACE(increment),      PLACE(configuration),  PLACE(target),      PLACE(vector[0]), PLACE(vector[1]),
    PLACE(transported[0]), PLACE(transported[1]), PLACE(rigid_motion)};
enum { ARRAYS = sizeof places / sizeof *places };

/* How many doubles of an array belong to one instance: X(shape, their number as count_doubles() finds it) */
/* clang-format off */
#define SHAPES(X)                                          \
    X(NOTHING, 0)                                          \
    X(ONE, 1)                                              \
    X(TWO, 2)                                              \
    X(OF_WRENCHES, W)                                      \
    X(OF_WRENCH_TANGENT, W * stride)                       \
    X(OF_STIFFNESS, W * W)                                 \
    X(OF_RATE_BY_MARKERS, 2 * W)                           \
    X(OF_VELOCITIES, nv)                                   \
    X(OF_MASS, entries ? entries : nv * nv)                \
    X(OF_OWN_TANGENT, entries ? stride : nv * stride)      \
    X(OF_RIGID_MOTION, nv * 6)                             \
    X(OF_POSITIONS, layout->nq)                            \
    X(OF_STATES, layout->nx)                               \
    X(OF_STATE_TANGENT, layout->nx * stride)               \
    X(OF_UNKNOWNS, layout->ns)                             \
    X(OF_UNKNOWN_TANGENT, layout->ns * stride)             \
    X(OF_DATA, layout->nd)                                 \
    X(OF_ROWS, rows)                                       \
    X(OF_ROW_MATRIX, rows * W)                             \
    X(OF_EVENTS, layout->events)                           \
    X(OF_OUTPUT, 0)                                        \
    X(OF_READABLE, 0)                                      \
    X(OF_READABLE_TANGENT, 0)                              \
    X(OF_MARKER, tn_pose_size(kind) + tn_twist_size(kind)) \
    X(OF_MARKER_TANGENT, tn_twist_size(kind) * 2 * W)
/* clang-format on */
#define SHAPE(shape, size) shape,
typedef enum shape { SHAPES(SHAPE) } shape;

/* What a function has to do with an array; arrays that are not mentioned are read, or are not there for it. */
typedef struct role {
    size_t offset; /* of the array's pointer in a batch */
    shape shape;
    tn_guard_use use;
} role;

typedef struct batch_function {
    const char *name;
    size_t place; /* of its pointer in the type */
    bool of_marker;
    role role[5];
} batch_function;

/* clang-format off */
#define WRITES(array, shape) {offsetof(tn_batch, array), shape, TN_GUARD_WRITES}
#define FINDINGS(array, shape) {offsetof(tn_batch, array), shape, TN_GUARD_FINDINGS}
#define RENEWS(array, shape) {offsetof(tn_batch, array), shape, TN_GUARD_RENEWS}
#define READS(array, shape) {offsetof(tn_batch, array), shape, TN_GUARD_READS}
/* clang-format on */

/* X(function, roles ...) */
#define ELEMENT_FUNCTIONS(X)                                                                   \
    X(force, WRITES(wrench, OF_WRENCHES))                                                      \
    X(force_tangent, FINDINGS(wrench, OF_WRENCHES), WRITES(tangent, OF_WRENCH_TANGENT))        \
    X(body_force, WRITES(force, OF_VELOCITIES))                                                \
    X(body_force_tangent, FINDINGS(force, OF_VELOCITIES), WRITES(tangent, OF_OWN_TANGENT))     \
    X(mass, WRITES(mass, OF_MASS))                                                             \
    X(residual, WRITES(residual, OF_VELOCITIES))                                               \
    X(residual_tangent, FINDINGS(residual, OF_VELOCITIES), WRITES(tangent, OF_OWN_TANGENT))    \
    X(algebraic, WRITES(residual, OF_UNKNOWNS))                                                \
    X(algebraic_tangent, FINDINGS(residual, OF_UNKNOWNS), WRITES(tangent, OF_UNKNOWN_TANGENT)) \
    X(constraint, WRITES(residual, OF_ROWS))                                                   \
    X(constraint_rows, WRITES(tangent, OF_ROW_MATRIX))                                         \
    X(constraint_bias, WRITES(residual, OF_ROWS))                                              \
    X(constraint_stiffness, WRITES(tangent, OF_STIFFNESS))                                     \
    X(constraint_rate, WRITES(residual, OF_ROWS))                                              \
    X(rates, WRITES(x_rate, OF_STATES))                                                        \
    X(rates_tangent, WRITES(x_rate, OF_STATES), WRITES(tangent, OF_STATE_TANGENT))             \
    X(output, WRITES(value, OF_OUTPUT))                                                        \
    X(potential, WRITES(value, ONE))                                                           \
    X(dissipation, WRITES(value, ONE))                                                         \
    X(update, RENEWS(d, OF_DATA))                                                              \
    X(accepted, RENEWS(d, OF_DATA))                                                            \
    X(at_start, RENEWS(d, OF_DATA))                                                            \
    X(events, FINDINGS(value, OF_EVENTS))                                                      \
    X(readable, WRITES(value, OF_READABLE))                                                    \
    X(readable_tangent, WRITES(tangent, OF_READABLE_TANGENT))                                  \
    X(next_sample, FINDINGS(value, ONE))                                                       \
    X(sampled_outputs, RENEWS(d, OF_DATA))                                                     \
    X(sampled_states, RENEWS(d, OF_DATA))                                                      \
    X(on_event, READS(value, OF_EVENTS), RENEWS(d, OF_DATA), RENEWS(x, OF_STATES),             \
      RENEWS(wrench, OF_WRENCHES))                                                             \
    X(rate, WRITES(rate, OF_POSITIONS))                                                        \
    X(retract, READS(increment, OF_VELOCITIES), WRITES(configuration, OF_POSITIONS))           \
    X(normalise, RENEWS(configuration, OF_POSITIONS))                                          \
    X(rigid_motion, WRITES(rigid_motion, OF_RIGID_MOTION))                                     \
    X(coordinate, WRITES(value, TWO))                                                          \
    X(coordinate_tangent, WRITES(tangent, OF_RATE_BY_MARKERS))                                 \
    X(transport, READS(target, OF_POSITIONS), READS(vector[0], OF_VELOCITIES),                 \
      READS(vector[1], OF_VELOCITIES), WRITES(transported[0], OF_VELOCITIES),                  \
      WRITES(transported[1], OF_VELOCITIES))

#define MARKER_FUNCTIONS(X)                 \
    X(kinematics, WRITES(value, OF_MARKER)) \
    X(kinematics_tangent, WRITES(tangent, OF_MARKER_TANGENT))

#define NUMBER(name, ...) NUMBER_##name,
enum { ELEMENT_FUNCTIONS(NUMBER) MARKER_FUNCTIONS(NUMBER) FUNCTIONS };
#define ELEMENT_ROW(name, ...) \
    [NUMBER_##name] = {#name, offsetof(tn_loaded_element, name), false, {__VA_ARGS__}},
#define MARKER_ROW(name, ...) \
    [NUMBER_##name] = {#name, offsetof(tn_loaded_marker, name), true, {__VA_ARGS__}},
static const batch_function functions[FUNCTIONS] = {ELEMENT_FUNCTIONS(ELEMENT_ROW)
                                                        MARKER_FUNCTIONS(MARKER_ROW)};
static const batch_function of_points = {.name = "points"},
                            of_settled = {.name = "settled", .role = {RENEWS(d, OF_DATA)}};

/* ---- sizes ----------------------------------------------------------------------------------------------- */

/* All instances of a call have the same size; NULL where it is not known yet. */
static const tn_output *outputs_of(const tn_loaded_element *type, const tn_batch *batch)
{
    if (!type->instance_outputs) return type->outputs;
    return tn_guard_outputs_of((const char *)batch->instance + batch->first * batch->instance_stride);
}

static size_t count_doubles(shape of, const tn_batch *batch, const void *type)
{
    if (of == OF_OUTPUT) return outputs_of(type, batch)[batch->output].size;
    if (of == OF_READABLE || of == OF_READABLE_TANGENT)
        return (size_t)((const tn_loaded_element *)type)->readable_count(batch->instance) *
               (of == OF_READABLE ? 1 : batch->tangent_stride);
    const bool of_marker = of == OF_MARKER || of == OF_MARKER_TANGENT;
    const uint32_t kind = of_marker ? ((const tn_loaded_marker *)type)->kind : TN_POINT;
    const tn_layout *layout = batch->layout;
    const size_t W = batch->wrench_size, nv = layout->nv, stride = batch->tangent_stride,
                 entries = layout->own_entries;
    const size_t rows = (size_t)layout->position_rows + layout->velocity_rows;
#define SIZE(shape, size) [shape] = size,
    const size_t sizes[] = {SHAPES(SIZE)};
    return sizes[of];
}

/* ---- one call -------------------------------------------------------------------------------------------- */

/* What functions of points of contact get besides the batch. */
typedef struct contact_call {
    uint32_t instance, count;
    double number; /* margin, or length */
    tn_contact_list *list;
    const tn_contact_point *point;
    const double *impulse, *slip;
} contact_call;

/* Everything that one call needs. */
typedef struct call {
    const batch_function *function;
    const void *type; /* as it was loaded */
    tn_batch batch;   /* what the plugin gets */
    /* instances that the arrays hold: more than `count` where an output of the last ones is wanted */
    size_t held;
    tn_marker_place *place;
    double *pose, *twist;  /* of the markers of the instances alone, one behind the other */
    contact_call *contact; /* NULL: a function of the batch alone */
    tn_guard_frame frame;
} call;

static size_t pose_sizes(const tn_batch *batch)
{
    size_t size = 0;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        size += tn_pose_size(batch->marker_kind[k]);
    return size;
}

static void collect_markers(call *c)
{
    tn_batch *batch = &c->batch;
    const uint32_t markers = batch->marker_count;
    if (!batch->marker || !batch->pose || !markers) return;
    c->place = tn_new(c->held * markers, sizeof *c->place);
    c->pose = tn_new(c->held * pose_sizes(batch), sizeof(double));
    c->twist = tn_new(c->held * batch->wrench_size, sizeof(double));
    uint32_t pose = 0, twist = 0;
    for (size_t i = 0; i < c->held * markers; i++) {
        const uint32_t kind = batch->marker_kind[i % markers];
        c->place[i] = (tn_marker_place){pose, twist};
        memcpy(c->pose + pose, batch->pose + batch->marker[i].pose, tn_pose_size(kind) * sizeof(double));
        memcpy(c->twist + twist, batch->twist + batch->marker[i].twist, tn_twist_size(kind) * sizeof(double));
        pose += tn_pose_size(kind);
        twist += tn_twist_size(kind);
    }
    batch->marker = c->place;
    batch->pose = c->pose;
    batch->twist = c->twist;
}

/* What all functions read. */
static void add_inputs(call *c)
{
    tn_batch *b = &c->batch;
    tn_guard_frame *frame = &c->frame;
    const tn_layout *layout = b->layout;
    const size_t n = c->held, number = sizeof(double);
    tn_guard_add(frame, "instance", &b->instance, n, b->instance_stride, TN_GUARD_READS);
    tn_guard_add(frame, "host", &b->host, 1, sizeof(tn_host), TN_GUARD_READS);
    tn_guard_add(frame, "gravity", &b->gravity, 1, 3 * number, TN_GUARD_READS);
    tn_guard_add(frame, "pose", &b->pose, n, pose_sizes(b) * number, TN_GUARD_READS);
    tn_guard_add(frame, "twist", &b->twist, n, b->wrench_size * number, TN_GUARD_READS);
    tn_guard_add(frame, "marker", &b->marker, n, b->marker_count * sizeof(tn_marker_place), TN_GUARD_READS);
    tn_guard_add(frame, "layout", &b->layout, 1, sizeof(tn_layout), TN_GUARD_READS);
    if (b->active) tn_guard_add(frame, "active", &b->active, n, 1, TN_GUARD_READS);
    if (b->variable) tn_guard_add(frame, "variable", &b->variable, n, sizeof(void *), TN_GUARD_READS);
    if (b->failure) tn_guard_add(frame, "failure", &b->failure, 1, sizeof(tn_failure), TN_GUARD_RENEWS);
    if (c->function->of_marker) return; /* a marker has no states of its own */
    tn_guard_add(frame, "q", &b->q, n, layout->nq * number, TN_GUARD_READS);
    tn_guard_add(frame, "v", &b->v, n, layout->nv * number, TN_GUARD_READS);
    if (b->a || !layout->nv) tn_guard_add(frame, "a", &b->a, n, layout->nv * number, TN_GUARD_READS);
    tn_guard_add(frame, "x", &b->x, n, layout->nx * number, TN_GUARD_READS);
    tn_guard_add(frame, "s", &b->s, n, layout->ns * number, TN_GUARD_READS);
    tn_guard_add(frame, "scratch", &b->scratch, 1, layout->scratch * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "lambda", &b->lambda, n, count_doubles(OF_ROWS, b, NULL) * number, TN_GUARD_READS);
    if (b->basis)
        tn_guard_add(frame, "basis", &b->basis, n, (size_t)layout->nq * layout->nv * number, TN_GUARD_READS);
}

/* What a function has to do with the array whose pointer stands there in a batch. */
static role role_of(const call *c, size_t offset)
{
    for (size_t k = 0; k < sizeof c->function->role / sizeof(role); k++)
        if (c->function->role[k].shape != NOTHING && c->function->role[k].offset == offset)
            return c->function->role[k];
    const role wrench = READS(wrench, OF_WRENCHES), data = READS(d, OF_DATA),
               none = {offset, NOTHING, TN_GUARD_READS};
    return c->function->of_marker    ? none
           : offset == wrench.offset ? wrench
           : offset == data.offset   ? data
                                     : none;
}

static void add_written_arrays(call *c)
{
    for (size_t k = 0; k < ARRAYS; k++) {
        const role own = role_of(c, places[k].offset);
        /* states stand among the inputs already, unless the function changes them */
        if (own.offset == offsetof(tn_batch, x) && own.shape == NOTHING && !c->function->of_marker) continue;
        const bool of_wanted = own.shape == OF_OUTPUT; /* of `count` instances, not of all before them, too */
        void *pointer = (char *)&c->batch + own.offset;
        tn_guard_add(&c->frame, places[k].name, pointer, of_wanted ? c->batch.count : c->held,
                     count_doubles(own.shape, &c->batch, c->type) * sizeof(double), own.use);
    }
}

static void add_contact_arrays(call *c)
{
    contact_call *contact = c->contact;
    const size_t number = sizeof(double), count = contact->count;
    tn_guard_add(&c->frame, "point", &contact->point, 1, count * sizeof *contact->point, TN_GUARD_READS);
    tn_guard_add(&c->frame, "impulse", &contact->impulse, 1, 3 * count * number, TN_GUARD_READS);
    tn_guard_add(&c->frame, "slip", &contact->slip, 1, 2 * count * number, TN_GUARD_READS);
}

static tn_status call_function(call *c)
{
    const contact_call *given = c->contact;
    const tn_loaded_element *type = c->type;
    tn_batch_function function = NULL;
    if (c->function == &of_points)
        return type->points(&c->batch, given->instance, given->number, given->list);
    if (c->function == &of_settled)
        return type->settled(&c->batch, given->instance, given->count, given->point, given->impulse,
                             given->slip, given->number);
    memcpy(&function, (const char *)c->type + c->function->place, sizeof function);
    return function(&c->batch);
}

/* False: there is a fault. Nothing has come back from the guarded memory yet. */
static bool call_batch(call *c, const tn_batch *batch, tn_status *status)
{
    c->batch = *batch;
    c->held = batch->count + (c->function == &functions[NUMBER_output] ? batch->first : 0);
    collect_markers(c);
    add_inputs(c);
    add_written_arrays(c);
    if (c->contact) add_contact_arrays(c);
    tn_guard_open(&c->frame);
    tn_batch given = c->batch;
    *status = call_function(c);
    given.error = c->batch.error;
    given.recommended_step = c->batch.recommended_step;
    if (memcmp(&given, &c->batch, sizeof given) != 0) {
        c->batch = given;
        (void)tn_print_cut(c->frame.what, sizeof c->frame.what, "changes the batch itself");
        return false;
    }
    return tn_guard_look(&c->frame, *status);
}

static void end_call(call *c)
{
    tn_guard_close(&c->frame);
    tn_free(c->place);
    tn_free(c->pose);
    tn_free(c->twist);
}

/* ---- whose fault it is ----------------------------------------------------------------------------------- */

/* Instance i as a batch of its own: its parts of the arrays in the frame of the call, whose markers it keeps. */
static tn_batch one_of(const call *c, const tn_batch *batch, size_t i)
{
    tn_batch one = *batch;
    one.first = 0;
    one.count = 1;
    for (size_t k = 0; k < c->frame.count; k++) {
        const tn_guard_array *array = &c->frame.array[k];
        const size_t instances = array->each ? array->bytes / array->each : 0;
        if (instances < batch->count) continue; /* all have it in common */
        const char *own = (const char *)array->outside + (instances - batch->count + i) * array->each;
        memcpy((char *)&one + ((const char *)array->pointer - (const char *)&c->batch), &own, sizeof own);
    }
    if (c->pose) one.pose = c->pose;
    if (c->twist) one.twist = c->twist;
    return one;
}

/* Calls all instances by themselves up to one that shows a fault, which stays in `found`; their number where none does. */
static size_t find_instance(const call *c, const tn_batch *batch, call *found)
{
    bool whole = true;
    size_t i = 0;
    for (; i < batch->count && whole; i += whole) {
        const tn_batch one = one_of(c, batch, i);
        tn_status status = TN_OK;
        *found = (call){.function = c->function, .type = c->type};
        whole = call_batch(found, &one, &status);
        end_call(found);
    }
    return i;
}

static tn_status tell_fault_of_instance(const call *c, const tn_batch *batch)
{
    call single = *c;
    const size_t before = c->held - batch->count; /* that an output is not asked for */
    size_t i = c->frame.known ? c->frame.instance : before;
    if (!c->frame.known && batch->count > 1) i = before + find_instance(c, batch, &single);
    if (i >= c->held) return tn_guard_tell(c->frame.what, NULL, NULL);
    return tn_guard_tell(single.frame.what, (const char *)batch->instance + i * batch->instance_stride,
                         batch->marker ? batch->marker + i * batch->marker_count : NULL);
}

static tn_status guard_batch(tn_batch *batch, const batch_function *function)
{
    const char *shown = tn_site->type;
    call c = {.function = function,
              .type = shown + (function->of_marker ? sizeof(tn_loaded_marker) : sizeof(tn_loaded_element))};
    tn_status status = TN_OK;
    if (function == &functions[NUMBER_output] && !outputs_of(c.type, batch))
        return ((const tn_loaded_element *)c.type)->output(batch); /* of unknown size */
    if (call_batch(&c, batch, &status)) {
        tn_guard_return(&c.frame);
        batch->error = c.batch.error;
        batch->recommended_step = c.batch.recommended_step;
    } else {
        status = tell_fault_of_instance(&c, batch);
    }
    end_call(&c);
    return status;
}

/* Of one instance, which is known. */
static tn_status guard_contacts(tn_batch *batch, const batch_function *function, contact_call *contact)
{
    const tn_loaded_element *shown = tn_site->type;
    call c = {.function = function, .type = shown + 1, .contact = contact};
    const uint32_t i = contact->instance;
    tn_status status = TN_OK;
    if (call_batch(&c, batch, &status))
        tn_guard_return(&c.frame);
    else
        status = tn_guard_tell(c.frame.what, tn_instance(batch, i), batch->marker + i * batch->marker_count);
    end_call(&c);
    return status;
}

static tn_status guarded_points(tn_batch *batch, uint32_t instance, double margin, tn_contact_list *list)
{
    return guard_contacts(batch, &of_points,
                          &(contact_call){.instance = instance, .number = margin, .list = list});
}

static tn_status guarded_settled(tn_batch *batch, uint32_t instance, uint32_t count,
                                 const tn_contact_point *point, const double *impulse, const double *slip,
                                 double length)
{
    return guard_contacts(batch, &of_settled,
                          &(contact_call){.instance = instance,
                                          .count = count,
                                          .number = length,
                                          .point = point,
                                          .impulse = impulse,
                                          .slip = slip});
}

#define GUARDED(name, ...) \
    static tn_status guarded_##name(tn_batch *batch) { return guard_batch(batch, &functions[NUMBER_##name]); }
ELEMENT_FUNCTIONS(GUARDED)
MARKER_FUNCTIONS(GUARDED)

#define REPLACE(name, ...) \
    if (type->name) type->name = guarded_##name;
void tn_guard_element(tn_loaded_element *type)
{
    ELEMENT_FUNCTIONS(REPLACE)
    REPLACE(points)
    REPLACE(settled)
}
void tn_guard_marker(tn_loaded_marker *type) { MARKER_FUNCTIONS(REPLACE) }
