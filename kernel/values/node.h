/* node.h - what expressions can read of the state: nodes, with a table per kind
 *
 * A call in an expression, such as DX(tip, base) or VARVAL(force), makes a node, which the value of the expression depends on. All
 * that differs from kind to kind stands in a table, in the file of that kind; another kind is another table, with an entry in
 * tn_node_kinds (graph.c). The functions of a table are called by graph.c while a model is read (connect, sources), by value_units.c
 * (unit), by live.c in every evaluation (measure, find), and by derivatives.c (change, hand_on). */
#ifndef TN_NODE_H
#define TN_NODE_H

#include "expression/expression_units.h"
#include "names/reader.h"
#include "system/value_source.h"
#include "values/value_graph.h"

typedef struct tn_node_kind tn_node_kind;
struct tn_unit_search;
struct tn_sweep;

struct tn_value_node {
    const tn_node_kind *kind;
    uint32_t index;      /* which one, as its kind counts */
    const double *value; /* where it stands, once a system is made */
};

/* What a node changes with. */
typedef enum tn_node_source {
    TN_VALUES_OF,      /* the dynamic values of this item, which are evaluated before */
    TN_STATE_OF,       /* the state of this item, whose rate its dynamic values give */
    TN_ROWS_OF,        /* the multipliers of this item */
    TN_FORCES_OF,      /* those that act by forces, and the motion of all markers, of this element */
    TN_MOTION_OF,      /* pose and twist of this runtime marker */
    TN_ACCELERATION_OF /* and the time derivative of its twist */
} tn_node_source;
typedef void tn_source_visitor(void *data, tn_node_source what, uint32_t index);

struct tn_node_kind {
    /* [setup] Functions by which expressions call nodes of this kind: whether that (lower-case) name is one, its names for a search,
     * and what a call reads, which may be a node of another kind; false after reporting. All NULL: no function has this kind
     * only. */
    bool (*is_function)(tn_model *model, const char *name);
    void (*offer)(tn_model *model, tn_nearest *search);
    bool (*connect)(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made);

    uint32_t reads;            /* TN_READS_... */
    const char *in_constraint; /* why no constraint may read it, or NULL */
    const char *in_loop; /* why values that read each other by way of it have no common solution, or NULL */
    /* [setup] What a node changes with, in a fixed order; NULL: nothing, or what its arguments do. */
    void (*sources)(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data);
    /* [setup] Expressions that are evaluated now when the node is, number k, NULL after the last; or NULL. */
    tn_live_value *(*argument)(const tn_model *model, const tn_value_node *node, uint32_t k);
    /* [setup] */
    tn_unit (*unit)(struct tn_unit_search *search, const tn_value_node *node);

    /* [setup] Where the value stands. */
    const double *(*place)(const tn_assembly *assembly, const tn_value_node *node);
    /* [hot] Finds the value, of a node that does not stand somewhere by itself: measured before the dynamic values that read it;
     * found whenever an expression is evaluated (NULL, or why there is none). */
    tn_status (*measure)(tn_assembly *assembly, const tn_value_node *node);
    const char *(*find)(const tn_assembly *assembly, const tn_value_node *node);

    /* [hot] The change of the value along the direction of a sweep (derivatives.h); NULL: it has none. */
    double (*change)(const struct tn_sweep *sweep, const tn_value_node *node);
    /* [hot] Hands a share of a derivative, and its own derivative along the direction, on to what the node changes with; NULL: that is
     * nothing. */
    tn_status (*hand_on)(const struct tn_sweep *sweep, const tn_value_node *node, double share,
                         double share_along);
};

extern const tn_node_kind tn_coordinate_node, tn_rate_node, tn_acceleration_node, tn_variable_node,
    tn_force_node, tn_delay_node, tn_input_node, tn_sensor_node, tn_block_node, tn_held_node,
    tn_integral_node;
extern const tn_node_kind *const tn_node_kinds[]; /* all that have functions; NULL behind the last */

#endif
