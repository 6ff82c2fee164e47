/* graph.h - values that read the state, of one model: the content of tn_model.values, shared by the files of this folder
 *
 * While a model is read: graph.c connects what expressions read, variable_kinds.c finds what variables are, evaluation_order.c the
 * order of all values; value_units.c looks at their units. The system is built of the result: state_values.h. */
#ifndef TN_GRAPH_H
#define TN_GRAPH_H

#include "expression/history.h"
#include "values/node.h"

/* Values that read each other, which are solved for together; or one that reads itself. */
typedef struct tn_loop {
    uint32_t first, count; /* ranks */
} tn_loop;

/* A dynamic value that another one reads. */
typedef struct tn_value_read {
    uint32_t value;
    const char *in_loop; /* why both cannot be solved for together, or NULL */
} tn_value_read;

/* A call of delay(value, lag, start): what `value` was `lag` seconds ago, or `start` where that is before the run. Values of the past
 * are found when an expression is evaluated, and kept at accepted steps. */
typedef struct tn_delay {
    tn_live_value value, lag, start; /* the last one reads nothing but time */
    double fixed_lag;                /* s, where it is always the same; else NaN */
    double last_lag;                 /* s, at the last evaluation */
    /* what it reads waits for the reader: it reads accepted steps only, and the current value is not read */
    bool closes_loop;
    double output, by_value, by_lag; /* at the last evaluation: its value, and the derivatives of that */
    double next;                     /* value at an accepted step, before it enters the history */
    double *gradient;                /* [inputs of the first two] */
    tn_history history;
} tn_delay;

struct tn_value_graph {
    const tn_assembly *assembly; /* of the model, once it is made */
    tn_live_value *condition;
    size_t condition_count;
    tn_dynamic_value *dynamic;
    size_t dynamic_count;
    /* those of an item: first[item] - 1, then next[value], to TN_NONE (first: fresh memory, which takes none where nothing changes); of
     * a variable those only that VARVAL reads */
    uint32_t *first_dynamic, *next_dynamic;
    size_t *read_start; /* [dynamic_count + 1] into `read`: what each reads */
    tn_value_read *read;
    size_t read_count;
    uint32_t *order; /* [dynamic_count] by rank: each behind those it reads, but for loops */
    uint32_t *reads; /* [dynamic_count] TN_READS_..., also by way of other values */
    tn_loop *loop;
    size_t loop_count;
    struct tn_measured_force **force; /* measured_forces.h */
    size_t force_count;
    bool measures_open; /* the library of standard measures was looked for */
    tn_delay **delay;
    size_t delay_count;
    struct tn_graph_input {
        const char *unit;
        double factor, value; /* to SI units; in them */
    } * input;
    size_t input_capacity;
    tn_named_position *position;
    size_t position_count;
    tn_marker_sensor *marker_sensor;
    size_t marker_sensor_count;
    struct tn_sensor_read { /* a call of SENVAL: sensor_nodes.c */
        const tn_toml *node;
        const tn_item_call *call;
        const tn_part *part;
        tn_sensor_place place;
        size_t column; /* among the numbers of all sensors */
        double value;  /* at the last row */
        bool found;
    } * sensor_read;
    size_t sensor_read_count;
    tn_sensor_turn *sensor_turn;
    size_t sensor_turn_count;
    struct tn_block_read {         /* a call of ARYVAL: block_nodes.c */
        uint32_t item, number, by; /* sum of tn_readable_by */
        double value;
    } * block_read;
    size_t block_read_count;
    tn_sampled_block *sampled; /* those that work at sample times, in order: sampled_order.c */
    size_t sampled_count;
    struct tn_integral_read { /* a call of DIF or DIF1: integral_nodes.c */
        const tn_toml *node;
        const tn_item_call *call;
        uint32_t item;
    } * integral_read;
    size_t integral_read_count;
    bool in_sensor;              /* the current expression is that of a sensor */
    tn_names coordinate_names;   /* of those that expressions name: their item and their name there, */
    uint32_t *coordinate_marker; /* [coordinate_count] and their runtime markers */
    size_t coordinate_count;
};

/* ---- graph.c --------------------------------------------------------------------------------------------- */

/* The dynamic values of an item, all of a variable's that VARVAL reads. */
#define TN_FOR_VALUES_OF(graph, item, k) \
    for (uint32_t k = (graph)->first_dynamic[item] - 1; k != TN_NONE; k = (graph)->next_dynamic[k])
static inline tn_dynamic_value *tn_value_of_rank(const tn_value_graph *graph, size_t rank)
{
    return &graph->dynamic[graph->order[rank]];
}
/* A node that a live value reads, itself or in an argument of a call. */
typedef struct tn_read_node {
    const tn_value_node *node;
    const char *in_loop; /* why values that read each other by way of it have no common solution, or NULL */
} tn_read_node;
/* Lists them, once more after arguments have become others. */
void tn_live_list_nodes(tn_model *model, tn_live_value *live);
/* All live values: dynamic ones, those of sensors and conditions, arguments of delays. */
void tn_visit_live(const tn_model *model, void (*visit)(void *data, tn_live_value *live), void *data);
/* Adds the dynamic values that a live value waits for to the `read` of the graph. */
void tn_graph_add_reads(const tn_model *model, const tn_live_value *live);
/* Lists what each dynamic value reads, once more after delays have become others. */
void tn_graph_list_reads(tn_value_graph *graph, const tn_model *model);
/* True when some unknown of the solver changes what a live value reads. */
bool tn_reads_unknowns(const tn_live_value *live);
/* True for the name of an input that the current part of this tn_model may read. input_nodes.c */
bool tn_is_input(void *model, const char *name);
/* Offers names of functions, among which there may be other types of markers, too. */
void tn_offer_functions_of_items(tn_model *model, tn_nearest *search);
/* Whether a call has as many arguments as its function takes, which `form` names; false after reporting. */
bool tn_call_check_count(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t least,
                         uint32_t most, const char *form);
/* An argument in place of the whole expression, for errors. */
tn_toml tn_argument_node(const tn_model *model, const tn_toml *node, const tn_item_argument *argument);
/* The item and the runtime marker (of the kind of the port) that an argument of a call stands for; both TN_NONE after
 * reporting. */
typedef struct tn_argument_place {
    uint32_t item, marker;
} tn_argument_place;
tn_argument_place tn_argument_connect(tn_model *model, const tn_toml *node, const tn_item_argument *argument,
                                      uint32_t kind);

/* ---- evaluation_order.c ---------------------------------------------------------------------------------- */

/* Finds the order in which values are evaluated, once the kinds of variables are known. */
void tn_dynamics_order(tn_model *model);
/* "`a` reads `b` reads `a`". */
const char *tn_loop_name(tn_model *model, const tn_loop *loop);

/* ---- sampled_order.c, integral_nodes.c --------------------------------------------------------------------- */

/* Lists the sampled blocks, each behind those whose outputs it reads at once; a circle of these is an error. */
void tn_sampled_order(tn_model *model);
/* Once the kinds of variables are known: DIF and DIF1 read integrals only. */
void tn_integral_reads_check(tn_model *model);

/* ---- delayed_values.c ------------------------------------------------------------------------------------ */

/* Finds the delays that close a loop, by the loops of values that wait for all that they delay; false: there is none. */
bool tn_delays_find_loops(tn_model *model);
/* A step ended with the last evaluation. */
void tn_delays_accepted(const tn_assembly *assembly);
/* The time behind that of the system where an adaptive step should end on account of delays; HUGE_VAL for none. */
double tn_delays_next_stop(const tn_assembly *assembly, double tolerance);

/* ---- variable_kinds.c ------------------------------------------------------------------------------------ */

/* Finds the kinds of variables, and connects those that act on the coordinates that they read. */
void tn_variables_connect(tn_model *model);
/* The parameter that is a variable's expression, which VARVAL reads. */
const tn_parameter *tn_variable_parameter(const tn_model *model, uint32_t item);
/* The value that a variable has now; TN_NONE: it is a number. */
uint32_t tn_value_in_force(const tn_model *model, uint32_t item);
/* True for a variable that is an unknown of the solver: others need not wait for it. */
bool tn_is_unknown(const tn_model *model, uint32_t variable);

#endif
