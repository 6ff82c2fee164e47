/* graph.h - values that read the state, of one model: what stands behind tn_model.values, shared by the files of this folder */
#ifndef TN_GRAPH_H
#define TN_GRAPH_H

#include "model/model.h"
#include "names/reader.h"

/* What an expression reads of the state. */
struct tn_observed {
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
};

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

/* Values that read each other, which are solved for together; or one that reads itself. */
typedef struct tn_loop {
    uint32_t first, count; /* ranks */
} tn_loop;

/* order.c: the values that one reads: the current call, the item of it, and the value of that looked at last; the next one,
 * TN_NONE after the last. */
typedef struct tn_reads {
    uint32_t value, call, item, other;
} tn_reads;
tn_reads tn_reads_of(uint32_t value);
uint32_t tn_next_read(const tn_model *model, tn_reads *reads);
/* "`a` reads `b` reads `a`". */
const char *tn_loop_name(tn_model *model, const tn_loop *loop);

typedef struct tn_delay tn_delay; /* delay_calls.h */

struct tn_value_graph {
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
    tn_names coordinate_names;   /* of those that expressions name: their item and their name there, */
    uint32_t *coordinate_marker; /* [coordinate_names.count] and their runtime markers */
    size_t coordinate_capacity;
};

/* value_calls.c: offers names among which there may be other types of markers, too. */
void tn_offer_functions_of_items(tn_model *model, tn_nearest *search);
/* coordinate_calls.c: true for the name of a function of coordinates; what a call of one reads, false after reporting. */
bool tn_is_function_of_coordinates(const char *name);
void tn_offer_functions_of_coordinates(tn_nearest *search);
bool tn_coordinate_connect(tn_model *model, const tn_toml *node, const tn_item_call *call,
                           tn_observed *observed);
/* force_calls.c: true for the name of a function of forces; what a call of one reads, false after reporting. When all is
 * connected, finds what acts on the markers: force_shares.c */
bool tn_is_function_of_forces(const char *name);
void tn_offer_functions_of_forces(tn_nearest *search);
bool tn_force_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_observed *observed);
void tn_forces_find_shares(tn_model *model);
/* The item and the runtime marker (of the kind of the port) that an argument of a call stands for; both TN_NONE after
 * reporting. value_calls.c */
typedef struct tn_argument_place {
    uint32_t item, marker;
} tn_argument_place;
tn_argument_place tn_argument_connect(tn_model *model, const tn_toml *node, const tn_item_argument *argument,
                                      uint32_t kind);
/* evaluation_order.c: lists values by item. Finds the order in which they are evaluated, once the kinds of variables are known. */
void tn_dynamics_list(tn_model *model);
void tn_dynamics_order(tn_model *model);
/* variable_kinds.c: the parameter that is a variable's expression; its dynamic value, TN_NONE: it is a number. */
const tn_parameter *tn_variable_parameter(const tn_model *model, uint32_t item);
uint32_t tn_variable_expression(const tn_model *model, uint32_t item);
/* Finds the kinds of variables, and connects those that act on the coordinates that they read. */
void tn_variables_connect(tn_model *model);
/* What VARVAL reads of a variable of this type. */
const tn_parameter *tn_value_of(const tn_loaded_element *type);
/* True for a variable that is an unknown of the solver: others need not wait for it. variable_kinds.c */
bool tn_is_unknown(const tn_model *model, uint32_t variable);

#endif
