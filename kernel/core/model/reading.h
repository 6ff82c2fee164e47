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
