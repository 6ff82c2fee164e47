/* value_graph.h - values that change during a run, as a model holds them and as its reader, the system and runs see them
 *
 * A live value is an expression with what it reads of the time and the state: a parameter that changes (a dynamic value), what a
 * sensor records, a condition. What can be read, and how that is worked out, stands in kernel/values, where all that is declared here
 * is defined. The system calls it by the table of system/value_source.h besides. */
#ifndef TN_VALUE_GRAPH_H
#define TN_VALUE_GRAPH_H

#include "config/fill.h"
#include "model/model.h"

typedef struct tn_value_graph tn_value_graph;
typedef struct tn_value_node tn_value_node;
struct tn_part;
struct tn_read_node;
struct tn_signal;

/* An expression that is evaluated again and again: also what a sensor records; and a condition, which ends a
 * part of a run, or makes a change, where it crosses zero, or is a truth that comes true. */
typedef struct tn_live_value {
    const tn_expression *expression;
    double factor;
    double constant; /* where there is no expression */
    uint32_t depth;
    const char **variable;   /* [depth] names of the repeat variables around it */
    uint32_t argument_count; /* of a user's function; else 0 */
    double *inputs;          /* repeat variables, arguments of the last call, time, then what is read */
    tn_item_calls calls;
    tn_value_node *read;        /* [calls.count] what these read */
    struct tn_read_node *below; /* [below_count] likewise, where calls with arguments read what these do */
    uint32_t below_count;
    bool finds;       /* some of that is to be found before the expression is evaluated */
    const char *unit; /* that is written behind it, or NULL */
    const tn_toml *node;
    const struct tn_part *part;
} tn_live_value;

/* Number of the first input that is read; of all inputs. */
static inline uint32_t tn_live_first_read(const tn_live_value *live)
{
    return live->depth + live->argument_count + 1;
}
static inline uint32_t tn_live_input_count(const tn_live_value *live)
{
    return tn_live_first_read(live) + live->calls.count;
}

/* A number of an instance that changes during the run; or a user's function that reads more than its arguments: it has an
 * `argument_count` and the inputs of the tn_user_function, and is called by the instance. */
typedef struct tn_dynamic_value {
    tn_live_value live;
    uint32_t item;
    const tn_parameter *parameter;
    uint32_t offset; /* place in the instance, bytes */
    bool off;        /* another value stands in its place now */
    uint32_t rank;   /* place in the order of evaluation */
    uint32_t loop;   /* number of the loop that it belongs to, or TN_NONE */
} tn_dynamic_value;

/* ---- while a model is read ------------------------------------------------------------------------------- */

/* The values of a model, at first none; functions that read the state become known to its expressions. */
tn_value_graph *tn_value_graph_new(tn_model *model);
/* Readies the expression of a quantity for being evaluated during the run, at the repeat variables and in the current part. */
tn_live_value tn_live_begin(tn_model *model, const tn_quantity *quantity);
/* Looks up what it reads. False after reporting. */
bool tn_live_connect(tn_model *model, tn_live_value *live);
/* The same of the expression of a sensor, which may read other sensors; once all of these are there: which ones, in which order they
 * are worked out. sensor_nodes.c */
bool tn_live_connect_sensor(tn_model *model, tn_live_value *live);
void tn_sensor_reads_connect(tn_model *model);
/* Notes a dynamic value, which is connected with all others. */
void tn_dynamic_add(tn_model *model, const tn_dynamic_value *dynamic);
/* Notes a condition: its number. */
uint32_t tn_condition_note(tn_model *model, tn_live_value live);
/* Connects all of them, finds the kinds of variables and the order of evaluation, once all items, sensors and conditions exist. */
void tn_values_connect(tn_model *model);
/* Finds the units of variables and of sensors, and warns of values of different units that are added or compared, and of parameters
 * that get another unit than their own; then the same for callables of one filler. */
void tn_units_find(tn_model *model);
void tn_units_check_callables(tn_model *model, const tn_filler *filler);
/* True for the (lower-case) name of a function that reads the state of this tn_model, as scopes ask for it. */
bool tn_is_function_of_items(void *model, const char *name);
/* Functions of plugins become known to expressions; whether one needs the data of a signal; a signal is kept, given type, instance,
 * name and table. */
void tn_signals_prepare(tn_model *model);
bool tn_signal_has_data(const tn_loaded_function *type);
struct tn_signal *tn_signal_add(tn_model *model, const struct tn_signal *what);
/* The host extension of tenon/draft/questions.h, or NULL for another key. questions.c */
const void *tn_questions_extension(const char *key);

/* Reads the [[input]] tables of the file of the current part, named numbers that expressions read and that are set from outside; their
 * keys. */
void tn_inputs_read(tn_model *model, const tn_toml *root);
extern const tn_keys tn_input_keys;

/* ---- of a complete model --------------------------------------------------------------------------------- */

/* All dynamic values, those of an item in the order of the file; moved by the next one that is added. */
tn_dynamic_value *tn_dynamic_values(const tn_model *model, size_t *count);
/* All conditions; moved by the next one that is noted. */
tn_live_value *tn_conditions(const tn_model *model, size_t *count);
/* A sensor that reads others, and where its numbers stand among those of all; these sensors, each behind those that it reads; whether
 * an expression reads some; the numbers of all at this row, for what it reads. sensor_nodes.c */
typedef struct tn_sensor_turn {
    size_t sensor, column;
} tn_sensor_turn;
const tn_sensor_turn *tn_sensor_turns(const tn_model *model, size_t *count);
bool tn_sensor_reads(const tn_live_value *live);
void tn_sensor_reads_take(const tn_model *model, const tn_live_value *live, const double *values);
/* Blocks that work at sample times, in the order in which they do (tenon/draft/blocks.h). sampled_order.c */
typedef struct tn_sampled_block {
    uint32_t item;
    bool at_once; /* its outputs change with its inputs at once */
} tn_sampled_block;
const tn_sampled_block *tn_sampled_blocks(const tn_model *model, size_t *count);
/* True when some parameter of an item reads the state. */
bool tn_item_reads_state(const tn_model *model, uint32_t item);
/* What a live value reads of the state, directly or in what it delays: the sum of these. */
enum { TN_READS_FORCES = 1, TN_READS_MULTIPLIERS = 2, TN_READS_ACCELERATIONS = 4 };
uint32_t tn_live_reads(const tn_model *model, const tn_live_value *live);
/* What values of the past read. */
uint32_t tn_past_reads(const tn_model *model);

/* An input keeps its value until it is set, which whoever runs the model does between steps: within a step it is constant. Behind that
 * the system is to be evaluated anew, and what the solver knows of forces and accelerations is out of date, as after a change of the
 * model. Numbers are those of tn_model_inputs, in the order of the file, the inputs of a part behind those around it. */
typedef struct tn_model_input {
    const char *name; /* with its part, "front.throttle" */
    const char *unit; /* as it is written; "" for a plain number */
    double factor;    /* takes a value to SI units */
    double value;     /* in its unit */
} tn_model_input;

/* What a solver's table names as a position: the value of an expression sensor, component `row` of the position (or the value) of a
 * marker, or the motion of a body. */
typedef struct tn_named_position {
    const char *name, *unit;
    const tn_live_value *live; /* or NULL */
    uint32_t marker, row;      /* TN_NONE: */
    uint32_t body;             /* item */
} tn_named_position;
/* Notes one, unless another of the name is there; all of them. graph.c */
void tn_position_note(tn_model *model, const tn_named_position *position);
const tn_named_position *tn_positions(const tn_model *model, size_t *count);
/* A sensor that records, by an output of an element, what a marker has: coordinates of joints, places of bodies, and their rates. */
typedef struct tn_marker_sensor {
    size_t sensor;
    uint32_t marker,
        output; /* tn_marker_output; of a coordinate its value is a position, its rate a velocity */
} tn_marker_sensor;
void tn_marker_sensor_note(tn_model *model, const tn_marker_sensor *sensor);
const tn_marker_sensor *tn_marker_sensors(const tn_model *model, size_t *count);
/* Where the value of input k stands, SI units. input_nodes.c */
double *tn_input_place(const tn_model *model, size_t k);

/* How many inputs a model has; input number k of them. */
size_t tn_input_count(const tn_model *model);
tn_model_input tn_input_at(const tn_model *model, size_t k);
/* Sets the value, in the unit of the input. */
void tn_input_set(tn_model *model, size_t k, double value);

/* Unit of the value of a runtime marker of kind TN_COORDINATE (of a quasi-coordinate or an acceleration: of what expressions
 * read); NULL: not known. marker_nodes.c */
const char *tn_coordinate_unit(const tn_model *model, uint32_t marker);

#endif
