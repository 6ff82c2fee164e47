/* reading.h - what the files that read a model ask of each other; what is built of a model needs model.h only */
#ifndef TN_READING_H
#define TN_READING_H

#include "model/model.h"

/* The same as an index into the types in use; TN_NONE after reporting. items.c */
uint32_t tn_model_use(tn_model *model, const char *kind, const tn_toml *node);
/* Position and rotation of a marker declared in place, or the name of its coordinate or node (else NULL). */
typedef struct tn_in_place {
    double position[3], rotation[9];
    const char *coordinate, *node;
} tn_in_place;
/* Compiles an item; its table and kind are set. template.c */
void tn_template_compile(tn_model *model, tn_template *origin);
void tn_template_free(tn_template *origin);
/* Writes the id of the current copy; false when it has none, or after reporting. template.c */
bool tn_template_id(tn_model *model, const tn_template *origin, char *text, size_t size);
/* True when a copy is wanted: `when` is absent or holds at the current repeat variables. template.c */
bool tn_template_wanted(tn_model *model, const tn_template *origin);
/* True when the item has {..} where no pattern stands. expand.c */
bool tn_template_expands(const tn_template *origin);
/* A copy of a table with all {..} replaced at the current repeat variables; NULL after reporting. expand.c */
const tn_toml *tn_expand(tn_source *source, const tn_toml *node);
/* A new item of a block, not compiled. block.c */
tn_template *tn_block_add(tn_block *block, const tn_toml *table, uint32_t kind);
/* Compiles the signals, or all other items, of a table (a file or a repeat) into a block. block.c */
void tn_block_compile(tn_model *model, const tn_toml *table, tn_block *block, bool signals);
/* A new block in another one. */
tn_block *tn_block_add_inner(tn_block *block);
void tn_block_free(tn_block *block);
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
    size_t count, capacity, next;
} tn_made;
/* parts.c: reads a part and those in it into a block: first all parameters and signals, then the items. */
void tn_part_read(tn_model *model, tn_part *part, tn_block *block);
void tn_part_free(tn_part *part);
/* part_names.c: makes a part the current one; NULL does nothing. Returns the one before. */
const tn_part *tn_part_enter(tn_model *model, const tn_part *part);
/* The name in full of something that is called `name` in the current part. */
const char *tn_part_name(tn_model *model, const char *name);
/* The number of what `name` means in the current part: its own things, then those around it that it uses. */
uint32_t tn_part_find(const tn_model *model, const tn_names *names, const char *name);
/* Offers names as the current part calls them; one of them. */
void tn_part_offer(const tn_model *model, const tn_names *names, tn_nearest *search);
void tn_part_offer_one(const tn_model *model, const char *name, tn_nearest *search);
/* True when something around the current part is called so. */
bool tn_part_is_outside(tn_model *model, const char *name);
/* What is wrong with a parameter of another part; false when it is none. */
bool tn_part_explain_parameter(const tn_model *model, const char *name, char *message, size_t size);
/* Checks that what parts use is there. */
void tn_part_check_uses(tn_model *model, const tn_block *block);
/* Moves an instance to the place of the current part. part_place.c */
void tn_part_place(tn_model *model, const tn_template *origin, const tn_loaded_element *type, void *instance);

/* signal_calls.c: makes signals and functions known to expressions;
 * whether a function needs one; keeps a signal, given type, instance, name and table. */
void tn_signals_prepare(tn_model *model);
bool tn_signal_has_data(const tn_function_type *type);
tn_signal *tn_signal_add(tn_model *model, const tn_signal *what);
/* signals.c: reads the signals of a part. */
void tn_signals_read(tn_model *model, tn_part *part);
void tn_signal_compile(tn_model *model, tn_template *origin);

/* changes.c: checks what a change's table says; notes what will change; makes one copy; then puts all in order. */
void tn_change_compile(tn_model *model, tn_template *origin);
void tn_change_note(tn_model *model, tn_template *origin, void *data);
void tn_change_make(tn_model *model, tn_template *origin, void *data);
void tn_changes_order(tn_model *model);
void tn_changes_free(tn_model *model);

/* conditions.c: reads a condition; TN_NONE after reporting. Reads those that end solvers. */
uint32_t tn_condition_add(tn_model *model, const tn_toml *node);
void tn_conditions_read(tn_model *model);

/* Makes and fills one copy of an element or marker; `data`: tn_made, which it is added to. items.c */
void tn_item_make(tn_model *model, tn_template *origin, void *data);
/* The item of a name; one that exists without being declared is made. TN_NONE after reporting at `node`. */
uint32_t tn_item_find(tn_model *model, const char *name, const tn_toml *node);
/* True for the name of one that exists without being declared. */
bool tn_item_is_present(tn_model *model, const char *name);
/* Notes what a filler has made change during the run in an instance of an item. */
void tn_item_add_dynamics(tn_model *model, const tn_filler *filler, uint32_t item, const void *instance);
/* Resolves the element of a marker; the markers of a connector, or of a marker made of others; `data`: tn_made, read
 * in order. connect.c */
void tn_marker_connect(tn_model *model, tn_template *origin, void *data);
void tn_connector_connect(tn_model *model, tn_template *origin, void *data);
/* Enters the markers of the next instance of a type, which has this index. connect.c */
void tn_add_markers(tn_use *use, size_t index, const uint32_t *marker, uint32_t count);
/* Connects the markers made of others, `markers` being all that were made; when all connectors are connected, too,
 * lists them by level and checks what they are made of. derived.c */
void tn_derived_connect(tn_model *model, tn_made *markers);
void tn_derived_order(tn_model *model);
/* Checks what a sensor's table says; makes one copy of it. sensors.c */
void tn_sensor_compile(tn_model *model, tn_template *origin);
void tn_sensor_make(tn_model *model, tn_template *origin, void *data);
/* The runtime marker of this kind at an item (TN_ANY: frame, else point); TN_NONE when it cannot be had,
 * reported at `node` unless that is NULL. */
uint32_t tn_marker_of(tn_model *model, uint32_t item, uint32_t kind, const tn_toml *node);
/* What a body keeps for a runtime marker of this kind at a declared marker with another instance; NULL after reporting. */
const void *tn_marker_rebind(tn_model *model, uint32_t item, uint32_t kind, const void *instance,
                             const tn_toml *table);
/* Reports declared markers that nobody reads and no body can carry. connect.c */
void tn_markers_check(tn_model *model);
/* observed.c: makes the functions of items known to expressions. */
void tn_observed_prepare(tn_model *model);
/* True for the (lower-case) name of a function of items. */
bool tn_is_function_of_items(tn_model *model, const char *name);
/* Offers names among which there may be other types of markers, too. */
void tn_offer_functions_of_items(tn_model *model, tn_nearest *search);
/* coordinates.c: true for the name of a function of coordinates; what a call of one reads, false after reporting. */
bool tn_is_function_of_coordinates(const char *name);
void tn_offer_functions_of_coordinates(tn_nearest *search);
bool tn_coordinate_connect(tn_model *model, const tn_toml *node, const tn_item_call *call,
                           tn_observed *observed);
/* forces.c: true for the name of a function of forces; what a call of one reads, false after reporting. When all is
 * connected, finds what acts on the markers: force_shares.c */
bool tn_is_function_of_forces(const char *name);
void tn_offer_functions_of_forces(tn_nearest *search);
bool tn_force_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_observed *observed);
void tn_forces_find_shares(tn_model *model);
/* The item and the runtime marker (of the kind of the port) that an argument of a call stands for; both TN_NONE after
 * reporting. observed.c */
typedef struct tn_argument_place {
    uint32_t item, marker;
} tn_argument_place;
tn_argument_place tn_argument_connect(tn_model *model, const tn_toml *node, const tn_item_argument *argument,
                                      uint32_t kind);
/* Readies the expression of a quantity for being evaluated during the run, at the repeat variables and in the current part. */
tn_live_value tn_live_begin(tn_model *model, const tn_quantity *quantity);
/* Looks up what it reads. False after reporting. */
bool tn_live_connect(tn_model *model, tn_live_value *live);
/* The same for all dynamic values; false after reporting. */
bool tn_dynamics_connect(tn_model *model);
/* order.c: lists them by item. Finds the order in which they are evaluated, once the kinds of variables are known. */
void tn_dynamics_list(tn_model *model);
void tn_dynamics_order(tn_model *model);
/* variables.c: the parameter that is a variable's expression; its dynamic value, TN_NONE: it is a number. */
const tn_parameter *tn_variable_parameter(const tn_model *model, uint32_t item);
uint32_t tn_variable_expression(const tn_model *model, uint32_t item);
/* units.c: finds the units of variables and of sensors, and warns of values of different units that are added or compared,
 * and of parameters that get another unit than their own; all expressions are connected. unit_warnings.c: the same
 * for callables. */
void tn_units_find(tn_model *model);
void tn_units_check_callables(tn_model *model, const tn_filler *filler);
/* variables.c: finds the kinds of variables, and connects those that act on the coordinates that they read. */
void tn_variables_connect(tn_model *model);
/* The item that is called so in an expression, by its name or its id within its class; TN_NONE after reporting. items.c */
uint32_t tn_item_of_argument(tn_model *model, const tn_item_argument *argument, tn_item_class wanted,
                             const tn_toml *node);
/* The item of a marker made of others that no table declares but an expression at `place`: made of count[port] markers per
 * port, the next ones of `marker`. One with that name, which tells what it is made of, is used again. items.c */
uint32_t tn_item_make_marker(tn_model *model, const tn_loaded_marker *type, const char *name, tn_place place,
                             const uint32_t *count, const uint32_t *marker);
void tn_host_prepare(tn_model *model);
/* Reads [plugins]. plugins.c */
void tn_model_map_plugins(tn_model *model, const tn_toml *table, bool trust);
/* The runtime marker of a marker declared in place on the element `item`. */
uint32_t tn_marker_in_place(tn_model *model, uint32_t item, uint32_t kind, const tn_in_place *local,
                            const tn_toml *node);

#endif
