/* tables.h - reads the tables of a model file, and builds a model of them by the calls of model/builder.h
 *
 * A file is read part by part (parts.c): parameters, signals (signals.c), then items and repeats are compiled
 * (template.c, block.c). Then all is walked copy by copy: elements and markers are added and filled (copies.c), names
 * resolved and markers connected (references.c), sensors made (sensor_tables.c), changes prepared (change_tables.c). */
#ifndef TN_TABLES_H
#define TN_TABLES_H

#include "names/reader.h"
#include "tables/text_pattern.h"

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
    tn_origin base; /* must be the first field */
    const tn_toml *table;
    uint32_t kind; /* tn_template_kind */
    bool nameless; /* cannot even be named: no copies are made */
    tn_filler filler;
    tn_pattern name;
    tn_quantity when, id; /* without node when absent */
    /* with ports: all markers, port by port; markers on an element: one entry, the element */
    struct tn_reference {
        uint32_t port;
        tn_pattern name;    /* of a marker or element */
        tn_filler in_place; /* with a table: position and rotation of a marker declared here */
    } * reference;
    uint32_t reference_count;
    /* sensors: the value of the key that says what is recorded, and of `output`; changes: what is changed */
    uint32_t sensor_kind; /* tn_sensor_kind */
    const tn_toml *subject, *output;
    /* sensors: of a pattern, the type that is wanted; what is to be found of their columns */
    const tn_toml *type_pattern, *at;
    uint32_t statistics;                /* bits by tn_statistic */
    const tn_loaded_function *function; /* signals */
    /* with {..} where no pattern stands: each copy has a template of its own, in the order of the walk */
    bool expands;
    tn_template **copy;
    size_t copy_count, next_copy;
};

/* A [[repeat]] block, or the file of a part. */
typedef struct tn_block {
    struct tn_part *part; /* owned; NULL for a repeat */
    tn_quantity count;    /* without node when wrong */
    const char *variable;
    tn_template **item;
    struct tn_block **inner;
    size_t item_count, inner_count;
    bool holds[TN_TEMPLATE_KINDS];  /* it or an inner one has items of this kind */
    bool walked[TN_TEMPLATE_KINDS]; /* a walk that began here has seen all copies of this kind */
} tn_block;

/* Reads the model of a document (not owned) with the plugins of a registry (not owned). Errors go to the
 * diagnostics; the model is complete only when tn_error_count() is still 0. `trust`: [plugins] may name any
 * file. model.c */
tn_model *tn_model_read(tn_document *document, tn_diagnostics *diagnostics, tn_registry *registry,
                        bool trust);
/* What may stand at the top of a model file, and in [model]. */
extern const tn_keys tn_model_keys;
extern const tn_parameter tn_model_parameters[];
/* The keys of a [[material_pair]]; reads these tables; what the reader offers to plugins. material_pairs.c */
extern const tn_parameter tn_material_pair_parameters[];
void tn_material_pairs_read(tn_model *model, const tn_toml *root);
const void *tn_reader_extension(const tn_host *host, const char *key);
/* Hands the shapes of their markers to elements that ask for them; nothing where there are errors already. shapes.c */
void tn_shapes_connect(tn_model *model);
/* The keys of a [[part]], and those at the top of its file; the keys of a [[change]]. parts.c, change_tables.c */
extern const tn_keys tn_part_keys, tn_part_file_keys, tn_change_keys;
/* The keys of the arrays of items, by kind of template. block.c */
extern const char *const tn_item_keys[TN_TEMPLATE_KINDS];
/* The keys of every element with markers, and of every variable; of a marker declared in place, besides `element`. template.c */
extern const tn_parameter tn_connector_parameters[], tn_body_parameters[], tn_in_place_parameters[];
/* The keys that say what a sensor records, by tn_sensor_kind, NULL last. sensor_tables.c */
extern const char *const tn_sensor_subjects[];
/* The condition under `stop_when` of a solver's table; TN_NONE: there is none. condition_tables.c */
uint32_t tn_stop_condition(const tn_model *model, const tn_toml *table);
/* Checks the names in the table of a solver that its parameters say are those of inputs, sensors or positions; notes the positions.
 * solver_names.c */
void tn_solver_names_read(tn_model *model, const tn_toml *table);

/* A new template, not compiled. Compiles it. template.c */
tn_template *tn_template_new(const tn_toml *table, uint32_t kind);
void tn_template_compile(tn_model *model, tn_template *origin);
/* Compiles `name`, which the table must have; without it some names are not known. template.c */
void tn_template_name(tn_model *model, tn_template *origin, const tn_keys *keys);
/* Writes the id of the current copy; false when it has none, or after reporting. template.c */
bool tn_template_id(tn_model *model, const tn_template *origin, char *text, size_t size);
/* True when a copy is wanted: `when` is absent or holds at the current repeat variables. template.c */
bool tn_template_wanted(tn_model *model, const tn_template *origin);
/* True when the item has {..} where no pattern stands. expand.c */
bool tn_template_expands(const tn_template *origin);
/* A copy of a table with all {..} replaced at the current repeat variables; NULL after reporting. expand.c */
const tn_toml *tn_expand(tn_source *source, const tn_toml *node);
/* Compiles the signals, or all other items, of a table (a file or a repeat) into a block. block.c */
void tn_block_compile(tn_model *model, const tn_toml *table, tn_block *block, bool signals);
/* Adds a block to another one, which holds then what that one holds so far. */
void tn_block_add_inner(tn_block *block, tn_block *inner);
/* Elements, markers, signals, sensors and changes of a model, and parts: beyond that there is a mistake, and soon no memory. */
enum { TN_MOST_COPIES = 10000000, TN_MOST_PARTS = 100000 };
/* False after reporting a block whose repeats come to more copies than that: to be asked before any of them is made. block.c */
bool tn_block_count(tn_model *model, const tn_block *block);
/* Calls `visit` for every copy of every item of one kind, in the order of the file. block.c */
typedef void tn_visitor(tn_model *model, tn_template *origin, void *data);
void tn_block_walk_kind(tn_model *model, tn_block *block, uint32_t kind, tn_visitor *visit, void *data);
/* The items of all copies of a kind, in the order of the walk; TN_NONE for one that could not be named. */
typedef struct tn_made {
    uint32_t *item;
    size_t count, next;
} tn_made;
/* parts.c: reads a part and those in it into a block: first all parameters and signals, then the items. */
void tn_part_read(tn_model *model, tn_part *part, tn_block *block);
/* Checks that what parts use is there. */
void tn_part_check_uses(tn_model *model, const tn_block *block);
/* Moves an instance to the place of the current part. part_place.c */
void tn_part_place(tn_model *model, const tn_location *at, const tn_loaded_element *type, void *instance);

/* signals.c: reads the signals of a part. */
void tn_signals_read(tn_model *model, tn_part *part);
void tn_signal_compile(tn_model *model, tn_template *origin);
/* A signal of a table with a name that no other one has; NULL after reporting. The parameter of a type of functions that gets the id of
 * an item, or NULL. */
const tn_signal *tn_signal_make_unnamed(tn_model *model, const tn_toml *table, const char *name);
const tn_parameter *tn_item_id_parameter(const tn_loaded_function *type);

/* routine_tables.c: a table of parameters with calls of functions in place of tables of routines, which become signals; the same table
 * where there are none. `item`: whose id they get. */
const tn_toml *tn_routines_replace(tn_model *model, const tn_template *item, const tn_toml *table,
                                   const tn_parameter *parameters);
/* The same for one value, of a sensor or a condition: the call, the node itself where it is no table, NULL after reporting. `owner`
 * begins the name of the signal where it stands in no item. */
const tn_toml *tn_routine_in_place(tn_model *model, const tn_template *item, const char *owner,
                                   const tn_toml *node);

/* change_tables.c: checks what a change's table says; notes what will change; makes one copy; then puts all in order. */
void tn_change_compile(tn_model *model, tn_template *origin);
void tn_change_note(tn_model *model, tn_template *origin, void *data);
void tn_change_make(tn_model *model, tn_template *origin, void *data);

/* condition_tables.c: reads a condition; TN_NONE after reporting. Reads those that end solvers. */
uint32_t tn_condition_add(tn_model *model, const tn_toml *node);
void tn_conditions_read(tn_model *model);

/* Makes and fills one copy of an element or marker; `data`: tn_made, which it is added to. copies.c */
void tn_item_make(tn_model *model, tn_template *origin, void *data);
/* Notes what a filler has made change during the run in an instance of an item. */
void tn_item_add_dynamics(tn_model *model, const tn_filler *filler, uint32_t item, const void *instance);
/* Resolves the element of a marker; the markers of a connector, or of a marker made of others; `data`: tn_made, read
 * in order. references.c */
void tn_marker_connect(tn_model *model, tn_template *origin, void *data);
void tn_connector_connect(tn_model *model, tn_template *origin, void *data);
/* Checks what a sensor's table says; makes one copy of it. sensor_tables.c */
void tn_sensor_compile(tn_model *model, tn_template *origin);
void tn_sensor_make(tn_model *model, tn_template *origin, void *data);
/* Once all sensors with a table are there: what their expressions read. sensor_tables.c */
void tn_sensors_connect(tn_model *model);
/* Names of `system` that stand for numbers of all elements, NULL last; makes their sensors, once all is connected. system_sensors.c */
extern const char *const tn_system_lists[];
void tn_system_sensors_make(tn_model *model);
/* Reads the [[expect]] tables, once all sensors are there; their keys. figure_tables.c */
void tn_expectations_read(tn_model *model);
extern const tn_parameter tn_expect_parameters[];
extern const tn_keys tn_expect_keys;
/* Whether code of this file may run in this tn_model; reads [plugins]. plugin_files.c */
bool tn_model_trusts(void *model, const char *path);
void tn_model_map_plugins(tn_model *model, const tn_toml *table);
#endif
