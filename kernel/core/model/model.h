/* model.h - a model as data: types in use, items with filled instances, markers bound to bodies, sensors, changes.
 *
 * A model is built by calls (builder.h), one item after the other: the reader of a model file makes these calls, and so does a
 * program that has no file. The system (system/) is made of the result. */
#ifndef TN_MODEL_H
#define TN_MODEL_H

#include "base/memory.h"
#include "base/names.h"
#include "model/report.h"
#include "plugin/call_site.h"
#include "plugin/registry.h"

#define TN_NONE UINT32_MAX

/* What all copies of an item share: the table of a model file that says it, or what a program has given. */
typedef struct tn_origin {
    const tn_location *at;      /* what says it */
    tn_place name_place;        /* of its name there */
    uint32_t use;               /* index into the model's types in use, or TN_NONE */
    const uint32_t *port_first; /* [ports + 1]: which of its markers are at which port */
    uint64_t dynamic;           /* bit k: parameter k may change during the run */
    bool active;
    bool pinned; /* a body that the start leaves as it is */
    bool wrong;  /* has errors: its copies have a name, so that others find it, and nothing else */
} tn_origin;

/* Something that is made different during the run. */
typedef struct tn_change {
    double time;        /* s; HUGE_VAL: when a condition is met */
    uint32_t condition; /* its number, or TN_NONE */
    bool due;           /* it is being made */
    uint32_t item;
    const tn_location *at; /* what says it */
    void *instance;        /* all of its new memory, or NULL */
    int32_t active;        /* 1 or 0, or -1 */
    struct tn_new_place {
        uint32_t marker; /* runtime marker */
        const void *data;
    } * place;
    size_t place_count;
    uint32_t offset, size; /* bytes of the instance that were given: expressions for them end ... */
    uint32_t first_dynamic, dynamic_count; /* ... and these begin */
} tn_change;

/* All instances of one type, in the order of the file. */
typedef struct tn_use {
    const tn_type_head *type; /* what both kinds have in common */
    const tn_loaded_element *element;
    const tn_loaded_marker *marker;
    const tn_port *ports;
    uint32_t port_count;
    size_t instance_size;
    /* the instances: the first `room` of them in one piece, which the system keeps where it can; others until they have moved there */
    void *block;
    double expected;
    size_t room;
    tn_arena memory;
    uint32_t *item; /* [count] */
    size_t count;
    const tn_output *(
        *own)[2]; /* [own_capacity] outputs and coordinates of instances, once asked for; own_lists.c */
    size_t own_capacity;
    /* runtime markers at the ports of instance i: marker_index[marker_start[i]] ... [marker_start[i + 1] - 1] */
    uint32_t *marker_start, *marker_index;
    size_t start_capacity, marker_capacity, marker_count;
} tn_use;

/* Where an item keeps its runtime marker of a kind; nodes of all sizes have one place. */
enum { TN_MARKER_SLOTS = 4 };
static inline uint32_t tn_marker_slot(uint32_t kind) { return kind & 0xff; }

/* False for coordinates and nodes. */
static inline bool tn_has_place(uint32_t kind) { return kind == TN_POINT || kind == TN_FRAME; }

/* An element or a declared marker; its name is the one of the same number in model->names. */
typedef struct tn_item {
    const tn_origin *origin;
    void *instance;                   /* where it stands now; NULL when the origin is wrong */
    uint32_t use, index;              /* index: TN_NONE when the origin is wrong */
    uint32_t host;                    /* of a marker: the item it rides on */
    uint32_t marker[TN_MARKER_SLOTS]; /* runtime markers at this item by kind (tn_marker_slot), or TN_NONE */
    /* of a marker made of others, or a connector with a coordinate that somebody reads: 1 + the highest level among its
     * markers; else 0 */
    uint32_t level : 23;
    uint32_t variable : 3; /* tn_variable_kind */
    bool prepared : 1;     /* its prepare() has returned TN_OK: it is to be released */
    bool active : 1;
    bool switches : 1; /* some change makes it active or inactive */
    bool moves : 1;    /* a marker that some change puts elsewhere */
    bool wanted : 1;   /* a marker that somebody reads, or would if its body could carry it */
    bool read : 1;     /* a variable that some other parameter reads */
} tn_item;

/* A marker that somebody reads: a place on a body, or one made of others. A coordinate of a connector is made of the
 * connector's markers. */
typedef struct tn_marker {
    uint32_t body; /* item that carries it; a marker made of others is its own */
    uint32_t kind;
    uint32_t coordinate;             /* its number among those of a connector, or TN_NONE */
    int32_t alias_pose, alias_twist; /* place in the body's own q and v, or -1 */
    uint32_t first, columns;         /* of the velocity coordinates that it depends on; columns 0: all */
    uint32_t data_size;              /* bytes of the data that matter */
    const void *data;                /* what the body's bind() wrote */
} tn_marker;

typedef enum tn_sensor_kind {
    TN_SENSOR_ELEMENT,
    TN_SENSOR_MARKER,
    TN_SENSOR_EXPRESSION,
    TN_SENSOR_SYSTEM,
    TN_SENSOR_ENERGY, /* of an element: one of the outputs that all have */
    TN_SENSOR_STATE /* of an element: one number of its state, `marker` of those of the kind `output`, tn_state_number */
} tn_sensor_kind;

typedef struct tn_sensor {
    const char *name, *unit;
    tn_sensor_kind kind;
    uint32_t item;   /* element */
    uint32_t marker; /* runtime marker */
    /* index in the type's outputs, or a tn_marker_output / tn_system_output; its numbers */
    uint32_t output, size;
    struct tn_live_value *expression; /* or NULL (values/value_graph.h) */
    bool is_acceleration, told;       /* by its unit; that it has no value somewhere */
} tn_sensor;

enum tn_marker_output {
    TN_MARKER_POSITION,
    TN_MARKER_VELOCITY,
    TN_MARKER_ROTATION,
    TN_MARKER_ANGULAR_VELOCITY
};
enum tn_state_number { TN_STATE_Q, TN_STATE_V, TN_STATE_X, TN_STATE_LAMBDA };
enum tn_energy_output { TN_ENERGY_POTENTIAL, TN_ENERGY_DISSIPATED, TN_ENERGY_SUPPLIED };
enum tn_system_output {
    TN_SYSTEM_KINETIC_ENERGY,
    TN_SYSTEM_POTENTIAL_ENERGY,
    TN_SYSTEM_TOTAL_ENERGY,
    TN_SYSTEM_DISSIPATED_ENERGY,
    TN_SYSTEM_SUPPLIED_ENERGY,
    TN_SYSTEM_ENERGY_BALANCE,
    TN_SYSTEM_MOMENTUM,
    TN_SYSTEM_ANGULAR_MOMENTUM,
    TN_SYSTEM_CONSTRAINT_ERROR,
    TN_SYSTEM_STEP
};

/* What a tn_callable refers to: the first field of what the reader of its text keeps. The value and the partial derivatives (or NULL)
 * at these arguments; false, with a static text, where the function has no value. */
typedef struct tn_called {
    bool (*call)(const struct tn_called *called, const double *arguments, double *value, double *partials,
                 const char **problem);
    /* As call_many() of tenon/host.h; NULL: never at once. */
    bool (*many)(const tn_callable *callable, uint32_t count, double *arguments, double *values);
} tn_called;

struct tn_model {
    tn_registry *registry;
    tn_reports reports;
    tn_arena arena;
    tn_host host;
    struct tn_threads *threads;             /* besides that of the caller (threads/threads.h), or NULL */
    uint32_t thread_count;                  /* of these */
    struct tn_loop_messages *loop_messages; /* with these (threads/loop_messages.h), or NULL */
    const tn_location *host_at;             /* the current item, for errors of plugins */
    const char *host_item;
    double size; /* m, of the model as it is given, once somebody has asked (draft/places.h); 0: nobody has */
    const double *clock; /* s: once the model is assembled, when plugins speak of a state */
    bool refused;        /* a function refused that state: why, and whose it was */
    char refusal[512];
    tn_call_site refusing;
    const char *call_problem; /* why a user's function had no value, since the last evaluation began */

    const char *name;
    double gravity[3];
    tn_use *use;
    size_t use_count, use_capacity;
    tn_names names;
    tn_item *item; /* [names.count] */
    tn_marker *marker;
    size_t marker_count;
    tn_arena
        places; /* memory of what marker[k].data points to, until the system has it (system/stations.c) */
    uint32_t *derived; /* runtime markers made of others, by level */
    size_t derived_count;
    struct tn_value_graph *values; /* that change during the run (values/value_graph.h), or NULL */
    tn_sensor *sensor;
    size_t sensor_count;
    tn_change *change; /* by time; those with a condition behind them */
    size_t change_count, timed_change_count;
    /* by item: of those that change, their parameters after the changes made so far, without what expressions give; else NULL */
    void **settled;
    void **original;              /* likewise, before any change */
    struct tn_made_changes *made; /* since then (changes/put_back.c), or NULL */
    struct tn_owned {
        const void *type; /* of a function, solver, linear solver, writer */
        const char *name; /* or NULL */
        void *instance;
    } * owned; /* instances to be released, in the order in which they were made */
    size_t owned_count, owned_capacity;
    struct tn_reader *reader; /* of the file that the model stands in (tables/reader.h), or NULL */
};

/* lifecycle.c: calls prepare(), if there is one, for an instance of an element or marker; false after reporting. */
bool tn_instance_prepare(tn_model *model, const tn_use *use, const char *name, const tn_location *at,
                         void *instance);
/* The end of an instance of an item's type. */
void tn_instance_release(tn_model *model, uint32_t item, void *instance);
/* Moves the instance of an item to other memory. */
void tn_instance_move(tn_model *model, uint32_t item, void *to);
/* Notes an instance of another kind of type, which was prepared, for its release. */
void tn_instance_own(tn_model *model, const void *type, const char *name, void *instance);
/* Calls a function of a type for the item `name` (or NULL) while the model is built: messages of the plugin are placed at `at`, and a
 * failure without any is reported. The status. host.c */
#define tn_call_setup(model, at, name, owner, function, ...)              \
    ({                                                                    \
        const size_t tn_errors_before = tn_setup_begin(model, at, name);  \
        tn_setup_end(model, at, name, owner, #function, tn_errors_before, \
                     tn_call_for(name, owner, function, __VA_ARGS__));    \
    })
size_t tn_setup_begin(tn_model *model, const tn_location *at, const char *name);
tn_status tn_setup_end(tn_model *model, const tn_location *at, const char *name, const void *type,
                       const char *function, size_t errors_before, tn_status status);
/* Reports a function of a type that has failed for the item `name` (or NULL) without saying why. host.c */
void tn_host_blame(tn_model *model, const tn_location *at, const char *name, const void *type,
                   const char *function, tn_status status);
/* True for types of elements with coordinates of their own; for those whose elements may be inactive. */
bool tn_has_motion(const tn_loaded_element *type);
bool tn_can_rest(const tn_loaded_element *type);
/* What markers and the system offer to a sensor, by tn_marker_output and tn_system_output. */
extern const tn_output tn_marker_outputs[], tn_system_outputs[];
/* The outputs that every element has besides its own, by tn_energy_output. outputs.c */
extern const tn_output tn_energy_outputs[];

/* ---- what is built of a model asks -------------------------------------------------------------------------- */

/* items.c */
const char *tn_item_name(const tn_model *model, uint32_t item);
void *tn_item_instance(const tn_model *model, uint32_t item);
/* True for the item of a marker that is made of others; for a runtime marker that is. derived_markers.c */
bool tn_is_derived(const tn_model *model, uint32_t item);
bool tn_marker_is_derived(const tn_model *model, uint32_t marker);
/* own_lists.c: outputs of an element; coordinates of a connector, or NULL; the unit of an increment of q of an instance, "" for
 * none. */
const tn_output *tn_outputs_of(tn_model *model, uint32_t item);
const tn_output *tn_coordinates_of(tn_model *model, uint32_t item);
/* Those that an instance has of its own, if they have been asked for: 0 outputs, 1 coordinates; else NULL. */
static inline const tn_output *tn_known_list(const tn_model *model, uint32_t item, int number)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t index = model->item[item].index;
    return index < use->own_capacity ? use->own[index][number] : NULL;
}
const char *tn_velocity_unit(const tn_loaded_element *type, const void *instance, uint32_t number);
/* Runtime markers at the ports of a connector, or that a marker made of others is made of; their number. markers.c */
const uint32_t *tn_markers_at(const tn_model *model, uint32_t item, uint32_t *count);
/* Which one of a model's threads this is: 0 that of the caller, or 1 ... thread_count. host.c */
extern _Thread_local uint32_t tn_thread_number __attribute__((tls_model("initial-exec")));
/* parallel_for of a host without threads: block after block. host.c */
void tn_run_blocks(const tn_host *host, size_t count, size_t grain,
                   void (*task)(void *data, size_t first, size_t last), void *data);
/* Sets the current item for messages of plugins. host.c */
void tn_host_point(tn_model *model, const tn_location *at, const char *item);

#endif
