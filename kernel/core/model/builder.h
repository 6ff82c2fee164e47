/* builder.h - a model is built by calls: types, items, what they carry and connect, sensors
 *
 * Order: a new model; its items, bodies and markers and connectors alike, each added, its parameters written into its instance,
 * completed; then markers get their hosts, and connectors their markers; then sensors; in the end the model is put in
 * order. Instances are filled in the place where they stay: tn_use_expect announces their number.
 *
 * Calls take a location, for messages; locations must live as long as the model. Every call reports its errors (report.h) and returns TN_NONE,
 * NULL or false: building goes on, so that all errors are found at once. A model with errors must not be assembled.
 *
 * All blocks of a model and of what is built of it belong to the memory of the entry that builds it (base/memory.h): a program without
 * the library calls all of this, and lets solvers run, within tn_attempt(). In the end it closes the linear solver, releases the model,
 * leaves the entry and frees the memory. */
#ifndef TN_BUILDER_H
#define TN_BUILDER_H

#include "model/model.h"

/* ---- the model (builder.c) --------------------------------------------------------------------------------- */

/* A model without anything. The registry and the reports must outlive it. */
tn_model *tn_model_new(tn_registry *registry, const tn_reports *reports);
/* Calls the release functions of all instances that were prepared, the last one first; a second call does nothing. An assembly of the
 * model closes its linear solver before (system/linear.h). lifecycle.c */
void tn_model_release(tn_model *model);
/* When all items, connections, sensors and changes are there, and values that read the state are connected: markers made of others
 * are listed by level, and items that are not read are checked. */
void tn_model_order(tn_model *model);

/* ---- types (types.c) --------------------------------------------------------------------------------------- */

/* The plugin's type of this kind and name; NULL after reporting. */
const void *tn_model_type(tn_model *model, const char *kind, const tn_location *at, const char *name);
/* A type of an element or marker as one in use: its index. TN_NONE after reporting. */
uint32_t tn_use_named(tn_model *model, const char *kind, const tn_location *at, const char *name);
uint32_t tn_use_of(tn_model *model, const char *kind, const void *type);
/* So many more instances will be added: their memory is in one piece. */
void tn_use_expect(tn_use *use, double count);

/* ---- parameters (defaults.c) ----------------------------------------------------------------------------- */

/* Writes what a parameter is where a model does not give it. */
void tn_parameter_set_default(const tn_parameter *parameter, void *instance);
/* The same for all of a table, which ends with a name NULL. */
void tn_parameters_set_defaults(const tn_parameter *parameters, void *instance);

/* ---- items (items.c) --------------------------------------------------------------------------------------- */

/* A new element or marker by its full name ("front.left" in a part): its instance holds the defaults of its type, or a copy of
 * `prototype`. Without an instance when the origin is wrong. TN_NONE after reporting a name that is taken. */
uint32_t tn_item_add(tn_model *model, const tn_origin *origin, const char *name, const void *prototype);
/* Reports that its name, as it is written there, is that of another item. */
void tn_item_refuse(tn_model *model, const tn_origin *origin, uint32_t taken, const char *name);
/* Its parameters are there: calls prepare(). */
void tn_item_complete(tn_model *model, uint32_t item);
/* The element that exists without being declared, made when it is first asked for; TN_NONE: no element has that name. */
uint32_t tn_item_present(tn_model *model, const char *name);
bool tn_item_is_present(tn_model *model, const char *name);
/* A marker made of others that the model does not declare, with count[port] markers per port, the next ones of `marker`. The name states
 * what it is made of: a marker with that name is used again. */
uint32_t tn_item_make_marker(tn_model *model, const tn_loaded_marker *type, const char *name,
                             const tn_location *at, const uint32_t *count, const uint32_t *marker);

/* ---- markers (markers.c) ----------------------------------------------------------------------------------- */

/* Position and rotation of a marker in place, or the name of its coordinate or node (else NULL). */
typedef struct tn_in_place {
    double position[3], rotation[9];
    const char *coordinate, *node;
} tn_in_place;
/* Reports an element that carries no markers of a kind. */
void tn_marker_report_no_carrier(tn_model *model, uint32_t item, uint32_t kind, const tn_location *at);
/* The runtime marker of this kind at an item (TN_ANY: frame, else point); TN_NONE when it cannot be had, reported at `at`
 * unless that is NULL. */
uint32_t tn_marker_of(tn_model *model, uint32_t item, uint32_t kind, const tn_location *at);
/* The runtime marker of a marker in place on the element `item`. */
uint32_t tn_marker_in_place(tn_model *model, uint32_t item, uint32_t kind, const tn_in_place *local,
                            const tn_location *at);
/* The markers at the ports of a connector, or that a marker is made of, port by port: those of all instances of a type in the order
 * of these. */
void tn_item_connect(tn_model *model, uint32_t item, const uint32_t *marker, uint32_t count);
/* What a body keeps for a runtime marker of this kind at a declared marker with another instance; NULL after reporting. */
const void *tn_marker_rebind(tn_model *model, uint32_t item, uint32_t kind, const void *instance,
                             const tn_location *at);

/* ---- sensors (outputs.c) ----------------------------------------------------------------------------------- */

void tn_sensor_add(tn_model *model, const tn_sensor *sensor);

/* ---- within model/ ------------------------------------------------------------------------------------------ */

void tn_host_prepare(tn_model *model);
/* Lists the markers made of others by level, and checks what they are made of. derived_markers.c */
void tn_derived_order(tn_model *model);
/* Reports declared markers that are not read and that their bodies cannot carry. markers.c */
void tn_markers_check(tn_model *model);

#endif
