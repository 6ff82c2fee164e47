/* model.h - a model as read: types in use, items with filled instances, markers bound to bodies, sensors, changes.
 *
 * A file is read part by part (parts.c): parameters, signals (signals.c), then items and repeats are compiled
 * (template.c, block.c). Then all is walked copy by copy: elements and markers are made and filled (items.c), names
 * resolved and markers bound (connect.c), sensors made (sensors.c), changes prepared (changes.c). The system (system/)
 * is built from the result. */
#ifndef TN_MODEL_H
#define TN_MODEL_H

#include "config/fill.h"
#include "model/pattern.h"
#include "plugin/call_site.h"
#include "plugin/registry.h"

#define TN_NONE UINT32_MAX

enum tn_template_kind {
    TN_TEMPLATE_SIGNAL,
    TN_TEMPLATE_ELEMENT,
    TN_TEMPLATE_MARKER,
    TN_TEMPLATE_SENSOR,
    TN_TEMPLATE_CHANGE,
    TN_TEMPLATE_KINDS
};

/* What an [[element]], [[marker]], ... table says, ready for any number of copies. */
typedef struct tn_template tn_template;
struct tn_template {
    const tn_toml *table;
    uint32_t kind; /* tn_template_kind */
    bool nameless; /* cannot even be named: no copies are made */
    bool wrong;    /* has errors: its copies have a name, so that others find it, and nothing else */
    uint32_t use;  /* index into the model's types in use, or TN_NONE */
    tn_filler filler;
    tn_pattern name;
    tn_quantity when, id; /* without node when absent */
    bool active;
    bool pinned; /* a body that the start leaves as it is */
    /* with ports: all markers, port by port; markers on an element: one entry, the element */
    struct tn_reference {
        uint32_t port;
        tn_pattern name;    /* of a marker or element */
        tn_filler in_place; /* with a table: position and rotation of a marker declared here */
    } * reference;
    uint32_t reference_count;
    size_t reference_capacity;
    uint32_t *port_first; /* [ports + 1] into reference */
    /* sensors: the value of the key that says what is recorded, and of `output`; changes: what is changed */
    uint32_t sensor_kind; /* tn_sensor_kind */
    const tn_toml *subject, *output;
    const tn_function_type *function; /* signals */
    /* with {..} where no pattern stands: each copy has a template of its own, in the order of the walk */
    bool expands;
    tn_template **copy;
    size_t copy_count, copy_capacity, next_copy;
};

/* A [[repeat]] block, or the file of a part. */
typedef struct tn_block {
    struct tn_part *part; /* owned; NULL for a repeat */
    tn_quantity count;    /* without node when wrong */
    const char *variable;
    tn_template **item;
    struct tn_block **inner;
    size_t item_count, item_capacity, inner_count, inner_capacity;
    bool holds[TN_TEMPLATE_KINDS];  /* it or an inner one has items of this kind */
    bool walked[TN_TEMPLATE_KINDS]; /* a walk that began here has seen all copies of this kind */
} tn_block;

/* The model itself, or a part of it: a file used once, under a name of its own. */
typedef struct tn_part {
    const char *name;            /* with those around it, "front.left"; "" for the model itself */
    const struct tn_part *outer; /* NULL for the model itself */
    const char *path;            /* of its file, the same whatever way led there */
    const tn_toml *root, *table; /* of its file; the [[part]] that asks for it */
    const tn_toml *uses;         /* names around it that it may use; NULL for none */
    tn_parameters parameters;
    tn_block *signals;
    bool moved, turned; /* position, rotation are given */
    double position[3], rotation[9];
} tn_part;

/* Data with a name that expressions call a function with: a [[signal]], or a function without any. */
typedef struct tn_signal {
    tn_routine routine; /* must be the first field */
    const tn_function_type *type;
    void *instance;
    const void
        *given; /* the instance as the model gives it, before prepare(); NULL without data of its own */
    const char *problem; /* why there is no value ... */
    const char *refusal; /* ... or none with these arguments */
    const char *name;    /* with its table; NULL for a function without data */
    const tn_toml *table;
    struct tn_signal
        *sharing; /* the next function that uses the same data; without instance when they do not suit it */
} tn_signal;

/* Something that is made different during the run. */
typedef struct tn_change {
    double time;        /* s; HUGE_VAL: when a condition is met */
    uint32_t condition; /* its number, or TN_NONE */
    bool due;           /* it is being made */
    uint32_t item;
    const tn_toml *table;
    void *instance; /* all of its new memory, or NULL */
    int32_t active; /* 1 or 0, or -1 */
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
    const char *kind; /* TN_ELEMENT_KIND or TN_MARKER_KIND */
    const tn_loaded_element *element;
    const tn_loaded_marker *marker;
    const tn_port *ports;
    uint32_t port_count;
    size_t instance_size;
    tn_arena memory; /* of the instances, until they have moved into the batches of the system */
    uint32_t *item;  /* [count] */
    size_t count, item_capacity;
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
    const tn_template *origin;
    uint32_t use, index; /* index: TN_NONE when the template is wrong */
    void *instance;      /* where it stands now; NULL when the template is wrong */
    bool prepared;       /* its prepare() has returned TN_OK: it is to be released */
    uint32_t host;       /* of a marker: the item it rides on */
    uint32_t marker[TN_MARKER_SLOTS]; /* runtime markers at this item by kind (tn_marker_slot), or TN_NONE */
    bool active;
    bool switches; /* some change makes it active or inactive */
    bool moves;    /* a marker that some change puts elsewhere */
    bool wanted;   /* a marker that somebody reads, or would if its body could carry it */
    const tn_output *outputs, *coordinates; /* of its own, once they were asked for; own_lists.c */
    uint32_t variable;                      /* tn_variable_kind */
    bool read;                              /* a variable that some other parameter reads */
    uint32_t
        level; /* of a marker made of others, or a connector with a coordinate that somebody reads: 1 + the
                       highest level among its markers; else 0 */
} tn_item;

/* A marker that somebody reads: a place on a body, or one made of others. A coordinate of a connector is made of the
 * connector's markers. */
typedef struct tn_marker {
    uint32_t body; /* item that carries it; a marker made of others is its own */
    uint32_t kind;
    uint32_t coordinate;             /* its number among those of a connector, or TN_NONE */
    int32_t alias_pose, alias_twist; /* place in the body's own q and v, or -1 */
    uint32_t first, columns;         /* of the velocity coordinates that it depends on; columns 0: all */
    const void *data;                /* what the body's bind() wrote */
} tn_marker;

/* What has numbers of its own. */
typedef enum tn_item_class {
    TN_PLACES, /* bodies and markers */
    TN_VARIABLES,
    TN_FORCES,      /* connectors without constraints, */
    TN_CONSTRAINTS, /* and with them */
    TN_ITEM_CLASSES
} tn_item_class;

/* What an expression reads of the state. */
typedef struct tn_observed {
    enum {
        TN_OBSERVED_COORDINATE, /* the value ... */
        TN_OBSERVED_RATE, /* ... or the rate of a runtime marker of kind TN_COORDINATE: its number in `coordinate` */
        TN_OBSERVED_VARIABLE,     /* the value of a variable: its item */
        TN_OBSERVED_ACCELERATION, /* what a runtime marker flagged TN_ACCELERATION tells: its number */
        TN_OBSERVED_FORCE,        /* a component of forces: its number among the model's measured forces */
        TN_OBSERVED_DELAY         /* a value of the past: its number among the delays */
    } kind;
    uint32_t index;
    const double *value; /* where it stands */
} tn_observed;

/* A component of what elements exert on a marker, as an expression reads it: FX(tip, base), JOINT(hinge, 0, 2, 0). */
typedef struct tn_measured_force {
    uint32_t element; /* item, or TN_NONE: all that act on the marker, */
    uint32_t other;   /* of these the ones that act on this item, too, unless TN_NONE */
    uint32_t target;  /* item of the marker; TN_NONE: the first marker of the element, or its last one */
    bool last;
    uint32_t component; /* tn_force_component */
    uint32_t frame;     /* runtime marker along whose axes; TN_NONE: ground */
    /* pairs of an item that acts and a runtime marker, perhaps through markers made of it */
    struct tn_force_share {
        uint32_t item, marker;
        /* from the marker up to those of the item: what is made of it, each behind what it is made of (system/forces.c) */
        struct tn_force_step {
            uint32_t marker, port, below;
        } * step;
        uint32_t step_count;
        uint32_t reached; /* bit k: that marker of the item, or one below it, is the marker */
    } * share;
    uint32_t share_count;
    double value; /* at the last evaluation */
    const tn_toml *node;
    size_t offset; /* of the call in its text */
} tn_measured_force;

enum tn_force_component {
    TN_FORCE_MAGNITUDE = 1,
    TN_FORCE_X,
    TN_FORCE_Y,
    TN_FORCE_Z,
    TN_TORQUE_MAGNITUDE,
    TN_TORQUE_X,
    TN_TORQUE_Y,
    TN_TORQUE_Z
};

/* An expression that is evaluated again and again. */
typedef struct tn_live_value {
    const tn_expression *expression;
    double factor;
    uint32_t depth;
    const char **variable;   /* [depth] names of the repeat variables around it */
    uint32_t argument_count; /* of a user's function; else 0 */
    double *inputs;          /* repeat variables, arguments of the last call, time, then what is observed */
    tn_observed *observed;   /* [reads]: of the calls, then what delays among these read now (delays.h) */
    uint32_t reads;
    tn_item_calls calls;
    const char *unit; /* that is written behind it, or NULL */
    const tn_toml *node;
    const tn_part *part;
} tn_live_value;

/* Number of the first input that is observed; of all inputs. */
static inline uint32_t tn_live_first_observed(const tn_live_value *live)
{
    return live->depth + live->argument_count + 1;
}
static inline uint32_t tn_live_input_count(const tn_live_value *live)
{
    return tn_live_first_observed(live) + live->calls.count;
}

/* A number of an instance that changes during the run; or a user's function that reads more than its arguments: it has an
 * `argument_count` and the inputs of the tn_function, and is called by the instance. */
typedef struct tn_dynamic_value {
    tn_live_value live;
    uint32_t item;
    const tn_parameter *parameter;
    uint32_t offset; /* place in the instance, bytes */
    bool off;        /* another value stands in its place now */
    uint32_t rank;   /* place in the order of evaluation */
    uint32_t loop;   /* number of the loop that it belongs to, or TN_NONE */
} tn_dynamic_value;

/* Values that read each other, which are solved for together; or one that reads itself. */
typedef struct tn_loop {
    uint32_t first, count; /* ranks */
} tn_loop;

typedef enum tn_sensor_kind {
    TN_SENSOR_ELEMENT,
    TN_SENSOR_MARKER,
    TN_SENSOR_EXPRESSION,
    TN_SENSOR_SYSTEM,
    TN_SENSOR_ENERGY /* of an element: one of the outputs that all have */
} tn_sensor_kind;

typedef struct tn_sensor {
    const char *name, *unit;
    tn_sensor_kind kind;
    uint32_t item;   /* element */
    uint32_t marker; /* runtime marker */
    uint32_t output; /* index in the type's outputs, or a tn_marker_output / tn_system_output */
    uint32_t size;
    tn_quantity quantity; /* the expression; owned */
    tn_live_value live;
    bool is_acceleration; /* by its unit */
    bool told;            /* that it has no value somewhere */
} tn_sensor;

enum tn_marker_output {
    TN_MARKER_POSITION,
    TN_MARKER_VELOCITY,
    TN_MARKER_ROTATION,
    TN_MARKER_ANGULAR_VELOCITY
};
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

/* What ends a part of a run, or makes a change: an expression that crosses zero, or a truth that comes true. */
typedef struct tn_condition {
    const tn_toml *node;
    tn_quantity quantity; /* owned */
    tn_live_value live;
    bool told; /* that it has no value somewhere */
} tn_condition;

typedef struct tn_delay tn_delay; /* delays.h */

typedef struct tn_model tn_model;
struct tn_model {
    tn_document *document;
    tn_diagnostics *diagnostics;
    tn_registry *registry;
    tn_arena arena;
    tn_source source;
    tn_host host;
    const tn_toml *host_table; /* the current item, for errors of plugins */
    const char *host_item;
    const double *clock; /* s: once the model is assembled, when plugins speak of a state */
    bool refused;        /* a function refused that state: why, and whose it was */
    char refusal[512];
    const void *refusing_type;
    const char *refusing_function;
    const char *call_problem; /* why a user's function had no value, since the last evaluation began */

    const char *name;
    double gravity[3];
    tn_block *root;
    tn_use *use;
    size_t use_count, use_capacity;
    tn_names names;
    tn_item *item;
    size_t item_capacity;
    tn_marker *marker;
    size_t marker_count, marker_capacity;
    tn_names coordinate_names;   /* of those that expressions name: their item and their name there, */
    uint32_t *coordinate_marker; /* [coordinate_names.count] and their runtime markers */
    size_t coordinate_capacity;
    uint32_t *derived; /* runtime markers made of others, by level */
    size_t derived_count;
    tn_dynamic_value *dynamic;
    size_t dynamic_count, dynamic_capacity;
    uint32_t *dynamic_order; /* [dynamic_count] each behind those it reads, but for loops */
    tn_loop *loop;
    size_t loop_count, loop_capacity;
    uint32_t *first_dynamic, *next_dynamic; /* those of an item: first[item], then next[value], to TN_NONE; of
                                               a variable those only that VARVAL reads */
    tn_measured_force **measured_force;
    size_t measured_force_count, measured_force_capacity;
    tn_delay **delay;
    size_t delay_count, delay_capacity;
    tn_sensor *sensor;
    size_t sensor_count, sensor_capacity;
    tn_names sensor_names, part_names, signal_names, signal_ids;
    struct tn_numbered {
        tn_names names;
        uint32_t *item; /* [names.count]; TN_NONE: several connectors have it */
        size_t capacity;
    } ids[TN_ITEM_CLASSES];
    const tn_part *part;  /* the current one */
    bool reading_signals; /* of the current part: those behind are not known yet */
    tn_signal **signal;   /* by number in signal_names */
    size_t signal_capacity, signal_id_capacity;
    uint32_t *signal_of_id; /* by number in signal_ids */
    uint32_t unmade_signal; /* its data are being read, or TN_NONE */
    tn_filler **kept;       /* fillers of changes: they own expressions */
    size_t kept_count, kept_capacity;
    tn_change *change; /* by time; those with a condition behind them */
    size_t change_count, change_capacity, timed_change_count;
    void **
        settled; /* [settled_count] by item: those that change: their parameters after the changes made so far, without what expressions give;
                       else NULL */
    size_t settled_count;
    struct tn_owned {
        const void *type; /* of a function, solver, linear solver, writer */
        const char *name; /* or NULL */
        void *instance;
    } * owned; /* instances to be released, in the order in which they were made */
    size_t owned_count, owned_capacity;
    tn_condition *condition;
    size_t condition_count, condition_capacity;
    bool trust;      /* [plugins] may name any file */
    bool incomplete; /* some names are not known because of errors: that others miss them is no news */
};

/* lifecycle.c: calls prepare(), if there is one, for an instance of an element or marker; false after reporting. */
bool tn_instance_prepare(tn_model *model, const tn_use *use, const char *name, const tn_toml *table,
                         void *instance);
/* The end of an instance of an item's type. */
void tn_instance_release(tn_model *model, uint32_t item, void *instance);
/* Moves the instance of an item to other memory. */
void tn_instance_move(tn_model *model, uint32_t item, void *to);
/* Notes an instance of another kind of type, which was prepared, for its release. */
void tn_instance_own(tn_model *model, const void *type, const char *name, void *instance);
/* The end of all instances; once more does nothing. */
void tn_instances_release(tn_model *model);
/* Reports a function of a type that has failed for the item `name` (or NULL) without saying why. host.c */
void tn_host_blame(tn_model *model, const tn_toml *table, const char *name, const void *type,
                   const char *function, tn_status status);
/* Reads the model of a document (not owned) with the plugins of a registry (not owned). Errors go to the
 * diagnostics; the model is complete only when tn_error_count() is still 0. `trust`: [plugins] may name any
 * file. */
tn_model *tn_model_read(tn_document *document, tn_diagnostics *diagnostics, tn_registry *registry,
                        bool trust);
void tn_model_free(tn_model *model);

/* What may stand at the top of a model file, and in [model]. */
extern const tn_keys tn_model_keys;
extern const tn_parameter tn_model_parameters[];
/* The keys of a [[part]], and those at the top of its file; the keys of a [[change]]. parts.c, changes.c */
extern const tn_keys tn_part_keys, tn_part_file_keys, tn_change_keys;
/* The keys of the arrays of items, by kind of template. block.c */
extern const char *const tn_item_keys[TN_TEMPLATE_KINDS];
/* The keys of every element with markers, and of every variable; of a marker declared in place, besides `element`. template.c */
extern const tn_parameter tn_connector_parameters[], tn_body_parameters[], tn_in_place_parameters[];
/* True for types of elements with coordinates of their own; for those whose elements may be inactive. */
bool tn_has_motion(const tn_loaded_element *type);
bool tn_can_rest(const tn_loaded_element *type);
/* The keys that say what a sensor records, by tn_sensor_kind, NULL last; what markers and the system offer to it, by
 * tn_marker_output and tn_system_output. sensors.c */
extern const char *const tn_sensor_subjects[];
extern const tn_output tn_marker_outputs[], tn_system_outputs[];
/* The outputs that every element has besides its own, by tn_energy_output. sensors.c */
extern const tn_output tn_energy_outputs[];

/* ---- what is built of a model asks -------------------------------------------------------------------------- */

/* The plugin's type of this kind and name; NULL after reporting at `node`. items.c */
const void *tn_model_type(tn_model *model, const char *kind, const tn_toml *node, const char *name);
/* items.c */
const char *tn_item_name(const tn_model *model, uint32_t item);
void *tn_item_instance(const tn_model *model, uint32_t item);
/* True for the item of a marker that is made of others; for a runtime marker that is. derived.c */
bool tn_is_derived(const tn_model *model, uint32_t item);
bool tn_marker_is_derived(const tn_model *model, uint32_t marker);
/* Unit of the value of a runtime marker of kind TN_COORDINATE (of a quasi-coordinate or an acceleration: of what expressions
 * read); NULL: not known. coordinates.c */
const char *tn_coordinate_unit(const tn_model *model, uint32_t marker);
/* own_lists.c: outputs of an element; coordinates of a connector, or NULL; the unit of an increment of q of an instance, "" for
 * none. */
const tn_output *tn_outputs_of(tn_model *model, uint32_t item);
const tn_output *tn_coordinates_of(tn_model *model, uint32_t item);
const char *tn_velocity_unit(const tn_loaded_element *type, const void *instance, uint32_t number);
/* Runtime markers at the ports of a connector, or that a marker made of others is made of; their number. connect.c */
const uint32_t *tn_markers_at(const tn_model *model, uint32_t item, uint32_t *count);
/* order.c: the values that one reads: the current call, the item of it, and the value of that looked at last; the next one,
 * TN_NONE after the last. */
typedef struct tn_reads {
    uint32_t value, call, item, other;
} tn_reads;
tn_reads tn_reads_of(uint32_t value);
uint32_t tn_next_read(const tn_model *model, tn_reads *reads);
/* "`a` reads `b` reads `a`". */
const char *tn_loop_name(tn_model *model, const tn_loop *loop);
/* Completes the memory of an item for those of `count` changes to it that are due, which are made together; false after
 * reporting what its type refuses. changes.c */
bool tn_changes_complete(tn_model *model, tn_change *change, size_t count);
/* Makes a change of a parameter to these numbers, now, that the model does not hold; its instance is to be freed. False after
 * reporting why it cannot be changed. changes.c */
bool tn_change_of_numbers(tn_model *model, uint32_t item, const char *name, const double *values, size_t count,
                          tn_change *change);
/* The condition under `stop_when` of a solver's table; TN_NONE: there is none. conditions.c */
uint32_t tn_stop_condition(const tn_model *model, const tn_toml *table);
/* What VARVAL reads of a variable of this type. */
const tn_parameter *tn_value_of(const tn_loaded_element *type);
/* True for a variable that is an unknown of the solver: others need not wait for it. variables.c */
bool tn_is_unknown(const tn_model *model, uint32_t variable);
/* Sets the current item for messages of plugins. host.c */
void tn_host_point(tn_model *model, const tn_toml *table, const char *item);

#endif
