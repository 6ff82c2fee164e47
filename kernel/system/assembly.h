/* assembly.h - the system as the kernel sees it: batches of elements, markers, gather lists, matrix.
 *
 * Memory of one state: `configuration` = q, then the poses of all markers that are no alias of q;
 * `motion` = v, then their twists. Connectors write to `wrench`, each instance to slots of its own. A marker's
 * slots are summed in the order of the batches, so the result does not depend on who computed them. */
#ifndef TN_ASSEMBLY_H
#define TN_ASSEMBLY_H

#include "model/model.h"
#include "system/equations.h"
#include "system/own_pattern.h"
#include "system/rank.h"

#include "plugin/loaded_types.h"

/* A block of the matrix: entry (i, j) stands at start + j length + i. Where its columns are not equally long, length is 0 and
 * column j begins at block_column[start + j] of the assembly. */
typedef struct tn_matrix_block {
    uint32_t start, length; /* start TN_NONE: there is none */
} tn_matrix_block;

/* All instances of a type that have the same sizes: one call per phase. */
typedef struct tn_group {
    const tn_loaded_element *type;
    tn_batch batch;
    tn_failure failure;
    uint32_t *item;                     /* [count] */
    uint8_t *active;                    /* [count]; batch.active stays NULL while all are active */
    uint32_t *marker;                   /* [count][marker_count] runtime markers */
    uint32_t q_start, v_start, d_start; /* of the first instance */
    /* masses, mass.c: constant ones, or those of the last renewal */
    bool diagonal;     /* they are diagonal matrices */
    bool mass_known;   /* of a residual: they are those of the last evaluation, */
    bool factor_known; /* and so are the factors */
    double
        *mass; /* [count][nv] of diagonal ones, [count][entries] where there is a pattern, [count][nv][nv] */
    double *inverse;   /* [count][nv], factors by cholesky.h, or [count][nv][nv] */
    double *lightness; /* [count][nv] about the diagonal of M^-1; `inverse` itself where that is diagonal */
    /* of a residual M(q) v' - f: f of the last evaluation, no accelerations, memory for values that nobody reads */
    double *own_force, *at_rest, *unread;
    tn_own_pattern *own; /* of the matrices of one instance by itself; NULL: they are full */
    uint32_t *own_place; /* [count][entries] in the matrix; only with a pattern */
    /* the bodies that the markers of an instance depend on, marker by marker: one, or several where it is made of
     * others */
    struct tn_group_leg {
        uint32_t marker, leg;
    } * leg;
    uint32_t leg_count;
    tn_matrix_block *block; /* [count][legs][legs] */
    /* constraints */
    uint32_t rows, row_start; /* of one instance; of the first instance among all rows */
    double *row;              /* [count][rows][W] against marker twists */
    bool rows_known;          /* they are constant, and there */
    struct tn_border {
        tn_matrix_block below, beside; /* rows x body, and body x rows */
    } * border;                        /* [count][legs] */
    uint32_t first_node;       /* number of the first instance's own block, counted on from the bodies */
    uint32_t x_start, s_start; /* of the states, and algebraic unknowns, of the first instance */
    bool follows;              /* states that implicit solvers find with the motion: states.c */
    size_t coupled,
        coupled_count; /* connectors whose parameters read the state, among all of them: coupling.c */
    uint8_t *pinned;   /* [count] of bodies: the start leaves them as they are; NULL: none */
} tn_group;

/* Markers of one kind on the bodies of one group that are no aliases. */
typedef struct tn_riders {
    const tn_loaded_element *type;
    uint32_t group;
    tn_attachments attachments;
    uint32_t *first; /* [count] the first velocity coordinate of its body that a rider depends on */
    double *jacobian, *derivative; /* [count][twist size][columns], for the matrix */
    tn_matrix_block *block;        /* [count] of the own coordinates of each */
} tn_riders;

/* A body that a derived marker depends on. */
typedef struct tn_leg {
    uint32_t item;
    uint32_t first, columns;       /* the velocity coordinates of the body that matter */
    double *jacobian, *derivative; /* [twist size][columns] of the marker's twist, for the matrix */
} tn_leg;

/* Markers made of other markers: those of one type, with the same sizes, at one level of dependency. Coordinates of
 * connectors are made of the connectors' markers by functions of the connectors, which work on their own instances. */
typedef struct tn_derived {
    const tn_loaded_marker *type;       /* NULL: coordinates ... */
    const tn_loaded_element *connector; /* ... of this type */
    uint32_t coordinate;                /* their number there */
    uint32_t kind;                      /* tn_marker_kind that they deliver */
    const char *name;                   /* of the type */
    bool exact, constant;               /* the type has a tangent; it never changes */
    tn_batch batch;
    tn_failure failure;
    uint32_t level;
    bool complete; /* the tangent is known, and constant */
    bool loaded;   /* something acts on them; else they are only read */
    struct tn_connector_place {
        const tn_group *group;
        uint32_t instance;
    } * connector_place;  /* [count] of coordinates: the connector */
    uint32_t *item;       /* [count]; of coordinates: the connector */
    uint32_t *marker;     /* [count][marker_count] runtime markers at the ports */
    double *pose, *twist; /* [count][pose size], [count][twist size] in `configuration` and `motion` */
    double *kept;         /* [count][TN_KEPT_DOUBLES] of angles that count turns (tenon/turns.h); else NULL */
    double *wrench;       /* [count][twist size] in `marker_wrench` */
    double **to;          /* [count][marker_count] where the wrenches on those go; NULL: to nobody */
    uint32_t *leg_start;  /* [count + 1] into `leg` */
    tn_leg *leg;
    double *leg_memory;
    uint32_t *leg_of; /* for all legs of the markers at the ports, in order: which one here it belongs to */
    /* for the matrix, unless the shares are constant */
    tn_batch unit;          /* the same markers with twists of their own, values and tangents */
    tn_matrix_block *block; /* of all pairs of legs of the markers at the ports, instance by instance */
    double *differences;    /* memory for a type without an exact tangent */
} tn_derived;

/* Sums of slots: to[target[i] + k] += sum of slots start[i] ... start[i + 1] - 1, k < width. */
typedef struct tn_gather {
    uint32_t width;
    size_t count;
    uint32_t *target, *start, *slot;
    double *to;
} tn_gather;

/* Where a runtime marker stands. */
typedef struct tn_station {
    tn_marker_place place;
    uint32_t group, body;   /* of its element: group and index in it; TN_NONE for a derived marker */
    uint32_t riders, rider; /* among riders, or among derived markers; TN_NONE for an alias */
    uint32_t wrench;        /* place of its sum of wrenches in marker_wrench; TN_NONE for an alias */
} tn_station;

typedef struct tn_couplings tn_couplings;
typedef struct tn_events tn_events;
typedef struct tn_sliding tn_sliding;

typedef struct tn_assembly {
    tn_system system; /* what the solver sees; must be the first field */
    tn_model *model;
    tn_statistics statistics;

    tn_group *group;
    size_t group_count, group_capacity;
    uint32_t *group_of, *index_of; /* [items]: where an element went */
    tn_riders *riders;
    size_t riders_count, riders_capacity;
    tn_derived *derived; /* by level */
    size_t derived_count, derived_capacity;
    struct tn_derived_place {
        uint32_t group, index;
    } * derived_of;                         /* [markers]: where one made of others went */
    tn_station *station;                    /* [markers] */
    size_t most_inputs;                     /* of an expression */
    double *live_gradient;                  /* [most_inputs] */
    struct tn_live_batches *live_batches;   /* values that are worked out together: live_batch.c */
    struct tn_loops *loops;                 /* of values that read each other: loops.c */
    struct tn_closures *closures;           /* of variables that act: variables.c */
    tn_couplings *couplings;                /* NULL: no parameter reads the state */
    struct tn_accelerations *accelerations; /* that expressions read, or NULL: accelerations.c */
    struct tn_force_memory *forces;         /* to measure forces that expressions read, or NULL: forces.c */
    tn_gather *gather;
    size_t gather_count, gather_capacity;

    double *configuration, *motion;
    double *force, *wrench, *marker_wrench, *scale;
    double *data, *kept_data; /* discrete data of all groups: now, and at the last accepted step */
    double accepted_time;     /* of the last accepted state; NAN: this solver has none yet */
    double since;             /* the time since then that types have in hand, */
    bool timed;               /* where some type has a use for it */
    size_t data_size;
    bool warned;   /* elements have told what they expect trouble with */
    double length; /* size of the model, m */
    size_t pose_size, twist_size, wrench_size, marker_wrench_size;

    tn_equations equations;  /* of the time integrator */
    tn_equations least_norm; /* of multipliers of least norm: minimum_norm.c */
    int32_t *column_start, *row;
    uint32_t *own_block, *column_length; /* of the nodes of the matrix (pattern.c), by their number */
    uint32_t *body_start;                /* [groups] the first node of a group's bodies */
    uint32_t *block_column; /* [block_column_count] of blocks whose columns are not equally long */
    size_t block_column_count, block_column_capacity;
    /* memory for filling: tangents of a chunk, products, own derivatives, differences */
    double *tangent, *scratch, *own, *probe;
    struct tn_end *end;             /* of one connector */
    double *product, *rigid_motion; /* for energies and momenta: M v; a chunk of rigid motions */
    /* constraints: levels of all rows; twists and accelerations of all markers as in `motion`; memory for solutions */
    uint8_t *row_level, *state_held, *angular;
    double *direction, *acceleration, *row_memory, *solution[3];
    /* [nv + rows] v' and lambda of the state while others are found in their place; NULL: v' is M^-1 f, and nothing that the
     * solver integrates reads it */
    double *kept_solution;
    const tn_loaded_linear *dense; /* to find ranks with; NULL: none is there */
    bool
        redundant; /* rows depend on each other: results show multipliers of least norm, by a solver of their own */
    bool
        least_multipliers; /* all solutions have multipliers of least norm: E of the matrix is the same for all rows */
    struct tn_shown *shown;      /* accelerations are among the results, and found for them; NULL: no */
    bool shows_states;           /* multipliers are among the results, */
    bool shows_least;            /* and lambda holds what they show now, own_multiplier those of the solver */
    double regularisation_share; /* E against the diagonal of the Schur complement */
    double *norm_multiplier, *own_multiplier;
    bool
        closing; /* project.c's, for evaluations of rows: they tell the way to where their markers match as they are meant to
                     (tn_batch), while positions are closed */
    bool has_residuals;             /* mass.c's, of the model: some mass matrices change with q */
    const tn_loaded_linear *linear; /* NULL: none is open */
    const void *linear_instance;
    struct tn_linear_check *linear_check;
    double linear_time, first_factorisation_time;

    /* the refusal of the last evaluation */
    const tn_group *failed;
    const tn_derived *failed_derived; /* or of a marker */
    uint32_t failed_instance;
    const char *failed_message;
    const tn_dynamic_value *failed_value; /* the one that has no value, or NULL */
    char problem[64];                     /* memory for a message with a number */
    const tn_group
        *spoiler; /* has put a number that is not finite into the last matrix; NULL: nobody, or a later one
                                had a solution */
    const tn_derived *spoiling_derived; /* or a marker has */
    uint32_t spoiling_instance;
    char spoilt[64];   /* the message on it */
    char blame[1024];  /* whose mistake ends the run: no other cause is looked for then; empty for none */
    char reason[1024]; /* why the run ended, when it failed */

    struct tn_states *states;         /* that are found with the motion, or NULL: states.c */
    struct tn_impulses *impulses;     /* that elements exert at events, or NULL: impulses.c */
    struct tn_algebraic *algebraic;   /* unknowns of elements, or NULL: algebraic.c */
    tn_events *events;                /* event functions: events.c */
    tn_sliding *sliding;              /* jumps that the motion may stay at: sliding.c; NULL: none */
    size_t changes_done;              /* of the model's changes with a time */
    uint64_t changes_made;            /* times that changes were made */
    struct tn_conditions *conditions; /* what ends a part of the run, or makes changes: conditions.c */
    struct tn_ledger *ledger;         /* energies that are integrated (energy.c), or NULL */
    struct tn_account *account;       /* the check of energies: account.c */
    bool *energies_told;              /* [groups] an energy that cannot be was told */
    struct tn_acceptance *acceptance; /* the protocol of accepted steps: accept.h */
} tn_assembly;

/* Instances handled together where memory per instance is large. */
enum { TN_CHUNK = 256 };
static inline size_t tn_chunk(size_t count) { return count < TN_CHUNK ? count : TN_CHUNK; }
/* Attachments whose square matrices are handled together: as many as fit into half a megabyte, one at least. */
static inline uint32_t tn_pull_back_chunk(const tn_attachments *attachments)
{
    const size_t square = (size_t)attachments->columns * attachments->columns,
                 fits = square ? 65536 / square : 1;
    return (uint32_t)tn_chunk(attachments->count < fits ? attachments->count : fits ? fits : 1);
}
/* Most markers of one element; constraints have fewer (tenon/element.h). */
enum { TN_MOST_MARKERS = 32 };

/* Builds the system of a model without errors; takes the instances from it. NULL after reporting. */
tn_assembly *tn_assemble(tn_model *model);
void tn_assembly_free(tn_assembly *assembly);

/* Instances first ... first + count - 1 of a group as a batch of their own. */
tn_batch tn_sub_batch(const tn_group *group, uint32_t first, uint32_t count);

/* groups.c: sorts the instances into groups; false after reporting. stations.c: markers and their memory. */
bool tn_groups_build(tn_assembly *assembly);
void tn_stations_build(tn_assembly *assembly);
/* False after reporting a body that lacks a function which its markers need. */
bool tn_stations_check(tn_assembly *assembly);
/* derived.c: sorts the markers made of others into groups, before the elements; points them at the state. */
bool tn_derived_build(tn_assembly *assembly);
void tn_derived_place(tn_assembly *assembly);
void tn_derived_free(tn_assembly *assembly);
/* The number of bodies that a runtime marker depends on, and the item of each. */
uint32_t tn_leg_count(const tn_assembly *assembly, uint32_t marker);
uint32_t tn_leg_item(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
/* derived_evaluate.c: poses, twists and their tangents; passes the wrenches on to the markers that they are made of. */
tn_status tn_derived_evaluate(tn_assembly *assembly);
void tn_derived_pass_on(const tn_assembly *assembly);
/* turns.c: the turns of angles that expressions read, at an evaluation; whether there are such angles. */
void tn_turns_add(const tn_derived *derived);
bool tn_turns_counted(const tn_assembly *assembly);
/* A solver begins: the next state follows no other one. The time since the last accepted state for all types (tn_batch.step),
 * before an evaluation. A state was accepted, that of the last evaluation: turns are counted on from there. */
void tn_turns_begin(tn_assembly *assembly);
void tn_turns_find_time(tn_assembly *assembly);
void tn_turns_accepted(tn_assembly *assembly);
/* Poses and twists of a group into `value`, or its tangent, with the markers that `batch` has. */
tn_status tn_derived_kinematics(const tn_derived *derived, tn_batch *batch);
tn_status tn_derived_tangent(const tn_derived *derived, tn_batch *batch);
/* The tangent of a batch at the last evaluation, unless it is complete; that by poses, too, where `poses`. */
tn_status tn_derived_find_tangent(const tn_assembly *assembly, tn_derived *derived, bool poses);
/* gather.c: lists which slots every marker sums; then sums them. */
void tn_gather_build(tn_assembly *assembly);
void tn_gather_run(const tn_assembly *assembly);
/* mass.c: masses and their inverses; the masses of the last evaluation; M a and M^-1 f with these; the functions of tn_system
 * that need them. */
tn_status tn_mass_build(tn_assembly *assembly);
tn_status tn_mass_renew(tn_assembly *assembly);
void tn_mass_forget(tn_assembly *assembly); /* an evaluation begins */
/* The mass against coordinate number i of all in a group. */
double tn_mass_of_coordinate(const tn_group *group, size_t i);
tn_status tn_mass_multiply(tn_assembly *assembly, const double *a, double *product);
tn_status tn_mass_divide(tn_assembly *assembly, const double *force, double *a);
tn_status tn_system_accelerate(tn_system *system, double *a);
tn_status tn_system_residual(tn_system *system, const double *a, double *residual);
/* shown.c: whether accelerations are among the results; markers, parameters, accelerations and the wrenches of constraints, for
 * outputs; results have been read: the state is the solver's again. */
void tn_shown_build(tn_assembly *assembly);
tn_status tn_evaluate_outputs(tn_assembly *assembly);
void tn_outputs_done(tn_assembly *assembly);
/* evaluate.c */
tn_status tn_system_evaluate(tn_system *system);
/* live.c: readies what expressions read; the value of one at the last evaluated markers, false with the reason (unless that
 * is NULL) where it has none; all dynamic values, into the instances. */
void tn_live_prepare(tn_assembly *assembly);
/* Value and gradient, and where `direction` (by inputs) is given the second derivatives times it, at the last evaluation. */
bool tn_live_second(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                    double *value, double *gradient, double *product);
/* accelerations.c: memory; all that expressions read, from v' of the state, where dynamic values need them or for outputs;
 * whether rates of states read any; where the one of a marker stands, and its derivative by the time derivative of the
 * marker's twist. */
void tn_accelerations_build(tn_assembly *assembly);
void tn_accelerations_free(struct tn_accelerations *accelerations);
tn_status tn_accelerations_evaluate(tn_assembly *assembly, bool for_outputs);
bool tn_accelerations_are_integrated(const tn_assembly *assembly);
const double *tn_acceleration_place(const tn_assembly *assembly, uint32_t marker);
void tn_acceleration_gradient(const tn_assembly *assembly, uint32_t marker, double *gradient);
/* forces.c: memory; the value of a force that expressions read, into it, and of all of them; its derivatives by what one
 * element depends on, and by the turn of the frame that it is told in (by_turn [3], ground axes). All are found anew from the
 * last evaluated markers, the parameters and the current multipliers; anything but TN_OK names the element that refused. */
typedef struct tn_force_gradient {
    double *by_wrench;     /* [W] of the element */
    double *by_pose;       /* [2 W] of its markers: by poses, then twists */
    double *by_dynamic;    /* [dynamic columns] */
    double *by_multiplier; /* [rows] */
} tn_force_gradient;
void tn_forces_build(tn_assembly *assembly);
void tn_forces_free(struct tn_force_memory *memory);
tn_status tn_force_evaluate(tn_assembly *assembly, tn_measured_force *force);
tn_status tn_forces_evaluate(tn_assembly *assembly);
tn_status tn_force_differentiate(tn_assembly *assembly, const tn_measured_force *force,
                                 const struct tn_force_share *share, double state_factor,
                                 const tn_force_gradient **gradient);
tn_status tn_force_by_frame(tn_assembly *assembly, const tn_measured_force *force, double by_turn[3]);
/* variables.c: what tn_host.observe gives; memory for it. */
void tn_closures_build(tn_assembly *assembly);
void tn_closures_renew(tn_assembly *assembly); /* after a change of expressions */
void tn_closures_free(struct tn_closures *closures);
tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     struct tn_expression_values *values);
/* Derivatives by all inputs, without the factor, at the inputs of the last evaluation; then those by what delays read. */
bool tn_live_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient);
bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem);
/* Notes the value that has none; TN_RETRY. live.c */
tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem);
/* The switching functions at the last evaluation. */
void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value);
tn_status tn_dynamics_evaluate(tn_assembly *assembly);
/* Where a dynamic value stands; one of them, or the whole loop that it is of, into the instances. */
double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic);
tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic);
/* live_batch.c: all values in force, those with one expression side by side; false when some has no value. */
void tn_live_batches_build(tn_assembly *assembly); /* again after a change of expressions */
bool tn_live_batches_evaluate(tn_assembly *assembly);
void tn_live_batches_free(struct tn_live_batches *batches);
/* loops.c: memory for loops; the values of one, from the last ones, into the instances. */
void tn_loops_build(tn_assembly *assembly);
void tn_loops_free(const tn_assembly *assembly);
tn_status tn_loop_solve(tn_assembly *assembly, uint32_t loop);
/* A^-1 x, or A^-T x, with the derivatives A of the equations by the values, in their order, at the last evaluation. Changes of
 * the equations, which are those of the expressions by what stands outside, so become changes of the values; derivatives by the
 * values become derivatives by the expressions. */
tn_status tn_loop_divide(const tn_assembly *assembly, uint32_t loop, bool transposed, double *x);
/* The number in the loop of `reader` of the value that it reads there; TN_NONE: it stands outside. */
uint32_t tn_loop_place(const tn_model *model, const tn_dynamic_value *reader, const tn_observed *observed);
/* delays.c: readies the delays that an expression reads for its evaluation: NULL, or why one has no value; after the gradient
 * by its calls those by what delays among them read now; a step ended with the last evaluation. */
const char *tn_delays_find(const tn_assembly *assembly, const tn_live_value *live);
bool tn_delays_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient);
void tn_delays_accepted(const tn_assembly *assembly);
/* The time behind that of the system where an adaptive step should end on account of delays; HUGE_VAL for none. */
double tn_delays_next_stop(const tn_assembly *assembly, double tolerance);
/* Poses and twists of all markers at the current state, then dynamic parameters at the current time. */
tn_status tn_evaluate_markers(tn_assembly *assembly);
/* states.c: the columns of tangents of forces, and which states are found with the motion; whether those of a group are now. Finds
 * them, where a solver wants that, at the markers of an evaluation: of some instances, which tell in their batch's `failure` where
 * there are none; of all. Adds to the tangent of forces how these change with the states, which follow the markers. */
void tn_states_build(tn_assembly *assembly);
bool tn_states_are_followed(const tn_assembly *assembly, const tn_group *group);
tn_status tn_states_find(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count);
tn_status tn_states_find_all(tn_assembly *assembly);
tn_status tn_states_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                             double state_factor);
/* The tangent of the rates of instances, in memory of states.c; columns as in that of the forces. */
tn_status tn_states_differentiate(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                  const double **tangent);
/* algebraic.c: memory for unknowns, then, behind tn_states_build, for tangents; where those of an instance start, NULL for
 * none. Finds them at the markers and states of an evaluation, from the last accepted ones: of some instances, which tell in
 * their batch's `failure` where there are none; of all. `follow`: from where they are. Keeps them as they are, of a state that
 * was accepted; `accepted` finds those of the current state first. */
void tn_algebraic_build(tn_assembly *assembly);
void tn_algebraic_make_room(const tn_assembly *assembly);
/* At the first evaluated markers: false after reporting unknowns of rows that depend on velocities. */
bool tn_algebraic_check(const tn_assembly *assembly);
double *tn_algebraic_start(const tn_assembly *assembly, const tn_group *group, uint32_t instance);
tn_status tn_algebraic_find(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                            uint32_t count);
tn_status tn_algebraic_find_all(tn_assembly *assembly);
tn_status tn_algebraic_follow(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                              uint32_t count);
void tn_algebraic_keep(const tn_assembly *assembly);
tn_status tn_algebraic_accepted(tn_assembly *assembly);
/* Adds to a tangent, `rows` of each instance with the columns of the batch, how its unknowns follow all else. */
tn_status tn_algebraic_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                uint32_t rows, double *tangent);
void tn_algebraic_free(struct tn_algebraic *algebraic);
/* state_tangent.c: gives the system its state_tangent, where that is known. */
void tn_state_tangent_build(tn_assembly *assembly);
void tn_states_free(struct tn_states *states);
/* Notes who refused an evaluation. */
tn_status tn_refused(tn_assembly *assembly, const tn_group *group, tn_status status);
/* Notes who has a number, `what`, that is not finite; TN_RETRY. */
tn_status tn_not_finite(tn_assembly *assembly, const tn_group *group, uint32_t instance, const char *what,
                        double value);
/* The message on such a number. */
void tn_name_number(tn_assembly *assembly, const char *what, double value);
/* constraints.c: rows at the current markers, and their reactions added to the wrenches of a group */
tn_status tn_constraints_react(tn_assembly *assembly, tn_group *group);
tn_status tn_system_constraint(tn_system *system, double *residual);
tn_status tn_system_constraint_rate(tn_system *system, double *rate);
void tn_system_constraint_product(tn_system *system, const double *direction, double *product);
/* Second derivatives of position rows, first ones of velocity rows, where v does not change; after the matrix. */
tn_status tn_constraint_bias(tn_assembly *assembly, double *bias);
/* The row with the largest value; the instance that it belongs to, and its number there. */
double tn_largest_row(const tn_assembly *assembly, const double *rows, const tn_group **group,
                      uint32_t *instance, uint32_t *row);
/* Largest |g| of position rows at the last evaluation. */
double tn_constraint_error(tn_assembly *assembly);
/* project.c: v' and lambda of the state, also where forces depend on them; the way onto the constraints */
tn_status tn_constrained_accelerate(tn_assembly *assembly);
tn_status tn_coupled_accelerate(tn_assembly *assembly);
/* Whether a change of its multiplier can change the second derivative of a row, at the last evaluation. */
tn_status tn_can_influence(tn_assembly *assembly, uint32_t row, bool *can);
tn_status tn_system_project(tn_system *system);
/* The same, and only with the positions, where the state is made consistent: start.c */
typedef struct tn_projection {
    bool pins_hold; /* constraints do not move bodies that are pinned */
    bool explained; /* the caller explains what cannot be satisfied */
} tn_projection;
tn_status tn_project(tn_assembly *assembly, tn_projection how);
/* What generalized impulses, in `force`, change of v where the rows transmit them, and by what multipliers: all rows have no rate
 * behind them. */
tn_status tn_transmit_impulses(tn_assembly *assembly, double *change, const double **multiplier);
/* Takes the positions to where markers match as they are meant to, by what constraints say while they are `closing`; how
 * far they are from there, row by row, and the largest. */
tn_status tn_close_positions(tn_assembly *assembly, tn_projection how);
tn_status tn_closing_error(tn_assembly *assembly, double *rows, double *error);
/* row_matrix.c: which rows of active constraints depend on each other, at the current state; `dense` as for tn_rank_find. */
tn_status tn_find_redundancy(tn_assembly *assembly, const tn_loaded_linear *dense, tn_rank *result);
/* The name of the constraint that a row belongs to, and the row's number there, from 1. */
const char *tn_row_owner(const tn_assembly *assembly, uint32_t row, uint32_t *number);
/* start.c: takes the state to the constraints, and says what moved; explains a failure. Where a run
 * starts, bodies that are pinned stay as they are. */
tn_status tn_make_consistent(tn_assembly *assembly, bool run_starts);
/* Reports connectors whose markers are all on one rigid body. same_body.c */
void tn_same_body_check(tn_assembly *assembly);
/* Tells which bodies are no more where they were when `configuration` and `motion` were copied. corrections.c */
void tn_corrections_tell(const tn_assembly *assembly, const double *configuration, const double *motion);
/* configuration.c */
tn_status tn_system_rate(tn_system *system, double *rate);
tn_status tn_system_retract(tn_system *system, const double *from, const double *increment, double *to);
tn_status tn_system_normalise(tn_system *system, double *q);
void tn_system_transport(tn_system *system, const double *from, const double *to, const double *vector,
                         double *result, const double *second, double *second_result);
/* pattern.c and matrix.c */
tn_matrix *tn_system_pattern(tn_system *system);
tn_status tn_system_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness);
/* Fills a matrix of the system's pattern, at the last evaluation; what masses and rows are made of alone. matrix.c */
tn_status tn_matrix_fill(tn_assembly *assembly, const tn_matrix_request *request, tn_equations *to);
tn_matrix_request tn_request_of_masses(const tn_assembly *assembly);
/* Jacobians of all markers and derivatives of their twists, at the last evaluation. matrix.c */
tn_status tn_differentiate_markers(tn_assembly *assembly);
/* A marker seen from a connector or from one made of it: its columns in the tangent, and how it hangs on one body. */
typedef struct tn_end {
    size_t column, width;    /* of its pose in the tangent; its twist stands `wrench_size` further */
    size_t nv;               /* coordinates of the body that it depends on; 0: it does not move */
    size_t v_start, offset;  /* the first of them in v, and in the blocks of the body */
    const double *lightness; /* [nv] the diagonal of the body's M^-1 there, or about that; or NULL, and */
    const double *inverse;   /* M^-1 there, rows `inverse_stride` apart */
    size_t inverse_stride;
    bool pinned;         /* the start leaves the body as it is */
    const double *J, *T; /* [width][nv]; NULL for an alias, where nv = width */
} tn_end;
/* The ends of a runtime marker whose pose stands at `column`; their number. matrix.c */
size_t tn_ends_of(const tn_assembly *assembly, uint32_t marker, size_t column, tn_end *ends);
/* The ends of all markers of an instance, in the order of its legs. matrix.c */
void tn_ends_of_instance(const tn_assembly *assembly, const tn_group *group, size_t instance, tn_end *ends);
typedef struct tn_filling {
    tn_assembly *assembly;
    tn_matrix_request request;
    const tn_equations *to;
} tn_filling;
/* Column j of a block of the matrix. */
static inline double *tn_block_column(const tn_filling *f, tn_matrix_block block, size_t j)
{
    return f->to->matrix.value +
           (block.length ? block.start + j * block.length : f->assembly->block_column[block.start + j]);
}
/* Adds values [rows][columns] at entry (i, j) of a block of the matrix. */
static inline void tn_add_block(const tn_filling *f, tn_matrix_block block, size_t i, size_t j, size_t rows,
                                size_t columns, const double *values)
{
    for (size_t c = 0; c < columns; c++) {
        double *column = tn_block_column(f, block, j + c) + i;
        for (size_t r = 0; r < rows; r++)
            column[r] += values[r * columns + c];
    }
}
/* One pair of ends of a tangent whose rows are `stride` long, into a block: W columns for poses, then, unless these are
 * all, W for twists. matrix.c */
void tn_add_pair(const tn_filling *fill, const double *tangent, size_t W, size_t stride, const tn_end *a,
                 const tn_end *c, tn_matrix_block block);
/* The tangent of the forces of instances of a group, states following as tn_matrix_request says. matrix.c */
tn_status tn_force_tangent(tn_assembly *assembly, const tn_group *group, tn_batch *batch,
                           double state_factor);
/* Nodes of the matrix that follow each other: a whole body, some coordinates of a large one, or the rows of one constraint;
 * count 0: what does not move. */
typedef struct tn_nodes {
    uint32_t first, count;
} tn_nodes;
/* coupling.c: lists the connectors whose parameters read the state; shows all pairs of nodes that they couple in a fixed
 * order, in which the blocks of the matrix that this makes room for are to be filled in; adds what belongs to one instance,
 * `next` being the connector that comes next in its group. */
void tn_couplings_build(tn_assembly *assembly);
void tn_couplings_visit(const tn_assembly *assembly,
                        void (*visit)(void *data, tn_nodes rows, tn_nodes columns), void *data);
tn_matrix_block *tn_couplings_prepare(tn_assembly *assembly);
tn_status tn_coupling_add(const tn_filling *fill, const tn_group *group, size_t instance, size_t *next,
                          const tn_end *ends, const double *tangent);
/* True when some force reads a multiplier or an acceleration: forces and accelerations depend on each other. */
bool tn_couplings_are_direct(const tn_assembly *assembly);
tn_status
tn_couplings_refuse(tn_assembly *assembly); /* for them there is no solution: names the first; TN_RETRY */
void tn_couplings_free(tn_couplings *couplings);
/* Coordinates of one body that a marker depends on by one of its legs. support.c */
typedef struct tn_support {
    uint32_t group, body;  /* of the element, and its index there */
    uint32_t first, count; /* velocity coordinates of the body; count 0: it does not move */
} tn_support;
tn_support tn_support_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
/* Finds on which coordinates of their bodies markers made of others depend, for tn_support_of(). */
void tn_supports_find(tn_assembly *assembly);
/* Their nodes; those of leg number `leg` of an instance; those of all coordinates of a body. */
tn_nodes tn_nodes_of(const tn_assembly *assembly, uint32_t marker, uint32_t leg);
tn_nodes tn_nodes_of_leg(const tn_assembly *assembly, const tn_group *group, size_t i, uint32_t leg);
/* blocks.c: where every block stands in the matrix whose columns are known: of the pairs of nodes in each, ascending,
 * neighbour[start[b]] ... */
typedef struct tn_graph {
    uint32_t nodes;
    uint32_t *size, *first_row; /* [nodes] velocity coordinates or rows, and where they begin */
    size_t *start;              /* [nodes + 1] */
    uint32_t *neighbour;
} tn_graph;
void tn_blocks_find(tn_assembly *assembly, const tn_graph *graph);
/* own_tangent.c: forces of bodies on themselves, into batch->force; derivatives of these, or of residuals at the accelerations
 * in batch->a, by positions and velocities, into batch->tangent of a chunk; of residuals by accelerations, into the masses of
 * a group. */
tn_status tn_own_force(const tn_group *group, tn_batch *batch);
tn_status tn_own_tangent(const tn_assembly *assembly, const tn_group *group, tn_batch *batch);
tn_status tn_own_mass(tn_group *group);
size_t tn_own_columns(const tn_group *group);      /* of one kind: coordinates, or entries of the pattern */
size_t tn_own_tangent_size(const tn_group *group); /* doubles of one instance */
size_t tn_own_memory_size(const tn_group *group); /* doubles of one instance that the tangent takes besides */
size_t
tn_own_differences_size(const tn_group *group); /* doubles that a chunk takes for differences; 0 when exact */
/* v^T (dM/dt) v / 2 of one instance with a residual: what its forces do besides f v. `memory` has tn_mass_power_size() doubles. */
double tn_mass_power(const tn_assembly *assembly, const tn_group *group, uint32_t instance, double *memory);
size_t tn_mass_power_size(const tn_group *group);
/* constraint_matrix.c: the rows as borders of the matrix, and what keeps it regular. */
tn_status tn_constraints_fill(const tn_filling *fill);
/* derived_matrix.c: memory for filling; Jacobians of the legs; how the maps of wrenches change with the poses. */
void tn_derived_prepare(tn_assembly *assembly);
tn_status tn_derived_differentiate(tn_assembly *assembly);
tn_status tn_derived_add_pull_back(const tn_filling *fill);
/* differences.c: tangents of types that were built without the exact passes, in the columns that the batch lists. */
size_t tn_differences_size(const tn_group *group); /* doubles of memory that a chunk needs; 0 when exact */
tn_status tn_force_differences(const tn_group *group, tn_batch *batch, double length, double *memory);
/* Those of the twists of derived markers against twists, and against poses when asked for. */
size_t tn_kinematics_differences_size(const tn_derived *derived);
tn_status tn_kinematics_differences(const tn_derived *derived, tn_batch *batch, bool poses, double length,
                                    double *memory);
/* events.c: lists the event functions; their values; after an accepted step calls on_event where signs changed, and
 * evaluates anew; whether velocities have jumped. */
void tn_events_build(tn_assembly *assembly);
tn_status tn_system_event_values(tn_system *system, double *value);
tn_status tn_events_accepted(tn_assembly *assembly, bool *jumped);
/* How often steps of a fixed length went over events: of elements that do something about theirs (events.c), and over jumps of
 * expressions that act (sliding.c). Each that was is visited with its parameter, NULL for an event of an element. */
typedef void tn_passed_visitor(void *data, uint64_t count, const char *item, const char *parameter);
uint64_t tn_events_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data);
uint64_t tn_sliding_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data);
void tn_events_free(tn_events *events);
/* impulses.c: memory; readies the wrenches of all elements, which are zero then, for impulses; takes v to behind them, and accounts
 * for their work, where there are any. */
void tn_impulses_build(tn_assembly *assembly);
tn_status tn_impulses_begin(tn_assembly *assembly);
tn_status tn_impulses_act(tn_assembly *assembly, bool *any);
void tn_impulses_free(struct tn_impulses *impulses);
/* Whether something depends on a dynamic value. */
bool tn_value_acts(const tn_model *model, const tn_dynamic_value *dynamic);
/* account.c: which powers count, which makes it an observer of accepted steps (accept.h); whether the energy of the run has
 * changed by more than came in and went out: by so much (J), this share of the energy in the motion, most of it at this time. */
void tn_account_build(tn_assembly *assembly);
bool tn_account_misfit(const tn_assembly *assembly, double *misfit, double *share, double *time);
void tn_account_free(struct tn_account *account);
/* sliding.c: lists the jumps of expressions; what tn_system offers; after an accepted step of a length tells about those that
 * became steep laws, and evaluates anew; then, behind the row of the step, notes where their laws have come to. */
void tn_sliding_build(tn_assembly *assembly);
void tn_sliding_prepare(tn_assembly *assembly);
tn_status tn_sliding_accepted(tn_assembly *assembly, double step);
void tn_sliding_remember(tn_assembly *assembly);
void tn_sliding_free(tn_sliding *sliding);
/* linear.c: the linear solver of the study behind tn_system. */
void tn_linear_open(tn_assembly *assembly, const tn_loaded_linear *type, const void *instance);
void tn_linear_close(tn_assembly *assembly);
tn_status tn_equations_factor(tn_assembly *assembly, tn_equations *equations);
tn_status tn_equations_solve(tn_assembly *assembly, tn_equations *equations, double *right_hand_side);
/* linear_check.c: a matrix was called singular, or was factored; a right-hand side is given, and its solution: blames the linear
 * solver for one that is none. */
struct tn_linear_check *tn_linear_check_new(uint32_t size);
void tn_linear_check_free(struct tn_linear_check *check);
tn_status tn_linear_check_verdict(tn_assembly *assembly, tn_equations *equations);
void tn_linear_check_factored(tn_assembly *assembly, tn_equations *equations);
void tn_linear_check_give(const tn_assembly *assembly, const tn_equations *equations,
                          const double *right_hand_side);
tn_status tn_linear_check_solution(tn_assembly *assembly, tn_equations *equations, double *x);
/* culprit.c: who has brought in the force, or reaction, that is not finite; who has put a number that is not finite into the
 * last matrix; which marker has one, if any. TN_RETRY. */
tn_status tn_number_culprit(tn_assembly *assembly);
tn_status tn_matrix_culprit(tn_assembly *assembly);
/* Some function has refused the state, and has returned TN_OK all the same: finds the instance, or blames the type. */
tn_status tn_refusal_culprit(tn_assembly *assembly);
bool tn_marker_culprit(tn_assembly *assembly);
/* mass.c: true when every number is finite. */
bool tn_are_finite(const double *x, size_t count);
/* data.c: the functions of tn_system for discrete data; a step was accepted. */
void tn_data_build(tn_assembly *assembly);
void tn_data_keep(tn_assembly *assembly);
/* changes.c: makes all changes that are due, by their time or because their condition is met. Renews system.next_change.
 * TN_INVALID, explained, where the type of an item refuses what they make of it. */
tn_status tn_changes_apply(tn_assembly *assembly, double time, bool *any);
/* conditions.c: lists them; the number of their event functions, and these at the last evaluation. */
uint32_t tn_conditions_build(tn_assembly *assembly);
tn_status tn_conditions_event_values(tn_assembly *assembly, double *value);
void tn_conditions_free(struct tn_conditions *conditions);
/* A solver begins that this condition ends, or TN_NONE. */
void tn_conditions_begin(tn_assembly *assembly, uint32_t stop);
/* Looks at all of them, at the state of an accepted step: whether some are met that make a `change`. They stay so until that has
 * been made: then nobody looks at them again. */
tn_status tn_conditions_accepted(tn_assembly *assembly, bool *change);
void tn_conditions_done(tn_assembly *assembly);
bool tn_condition_is_met(const tn_assembly *assembly, uint32_t condition);
/* The one that was met as number `number`, and when; NULL behind the last. Whether one has been met. */
const tn_condition *tn_condition_met(const tn_assembly *assembly, uint32_t number, double *time);
bool tn_condition_has_been_met(const tn_assembly *assembly, uint32_t condition);
/* Whether the one that ends the solver is met. */
bool tn_conditions_stop(const tn_assembly *assembly);
/* failure.c: notes which function of which type has made a mistake that no smaller step helps, the first one for good: what
 * follows the name of the function. TN_FATAL. */
TN_PRINTF(4, 5)
tn_status tn_blame(tn_assembly *assembly, const void *type, const char *function, const char *format, ...);
/* guarded.c: faults of plugins that a guarded run finds are told with the instance from here on. */
void tn_guarded_watch(tn_assembly *assembly);
/* Explains a failure into assembly->reason. */
tn_status tn_system_fail(tn_system *system, tn_status status, const double *residual,
                         const char *what_was_tried);
tn_status tn_system_fail_at_jump(tn_system *system, tn_status status, const double *jump,
                                 const char *what_was_tried);
void tn_system_warn(tn_system *system, uint32_t coordinate, const char *text);
/* Explains rows that cannot vanish together: `why`, then the constraints that keep the largest ones, `what` being those; bodies
 * that are pinned may be the cause where `pins_hold`. After a matrix; the rows are used up. */
void tn_explain_rows(tn_assembly *assembly, const char *why, double *rows, const char *what, bool pins_hold);
/* energy.c: potential energy or dissipated power of instances of a group, a chunk at the most; false where there is none. What
 * cannot be is told once for each group. */
bool tn_energy_values(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count,
                      bool dissipation, double *value);
/* At the state of the last tn_evaluate_markers: a^T M b, NAN where there is no mass matrix. */
double tn_mass_product(tn_assembly *assembly, const double *a, const double *b);
double tn_kinetic_energy(tn_assembly *assembly);
/* Momentum and angular momentum about the ground origin, ground axes. */
void tn_momenta(tn_assembly *assembly, double momentum[3], double angular_momentum[3]);
/* ledger.c: energies, J, at the state of the last tn_evaluate_markers. The integrated ones are there when some sensor
 * asks for them: they are quadratures of the system. */
double tn_potential_energy(tn_assembly *assembly);
double tn_dissipated_energy(const tn_assembly *assembly);
double tn_supplied_energy(tn_assembly *assembly);
double tn_energy_balance(tn_assembly *assembly);
double tn_element_energy(const tn_assembly *assembly, uint32_t item, enum tn_energy_output output);
void tn_ledger_build(tn_assembly *assembly);
void tn_ledger_start(tn_assembly *assembly); /* the run begins here */
/* The parameter of an element was changed. */
void tn_ledger_changed(tn_assembly *assembly, uint32_t item, uint32_t offset);
void tn_ledger_rates(tn_assembly *assembly); /* into x_rate */
/* The wrenches are impulses, with these means of twists before and behind them; v has changed by `change`. */
void tn_ledger_impulses(tn_assembly *assembly, const double *mean, const double *change);
void tn_ledger_free(struct tn_ledger *ledger);

#endif
