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
#include "system/row_analysis.h"
#include "system/services.h"

#include "plugin/loaded_types.h"

/* A block of the matrix: entry (i, j) stands at start + j length + i. Where its columns are not equally long, length is 0 and
 * column j begins at block_column[start + j] of the assembly. */
typedef struct tn_matrix_block {
    uint32_t start, length; /* start TN_NONE: there is none */
} tn_matrix_block;

/* What a block of instances has answered. */
typedef struct tn_block_answer {
    tn_failure failure;
    tn_status status;
} tn_block_answer;

/* All instances of a type that have the same sizes: one call per phase. */
typedef struct tn_group {
    const tn_loaded_element *type;
    tn_batch_function
        force; /* of the type; NULL where instances have none, or points of contact in its place */
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
    /* [count][nv] of diagonal ones, [count][entries] where there is a pattern, [count][nv][nv] */
    double *mass;
    double *inverse;   /* [count][nv], factors by cholesky.h, or [count][nv][nv] */
    double *lightness; /* [count][nv] about the diagonal of M^-1; `inverse` itself where that is diagonal */
    /* of a residual M(q) v' - f: f of the last evaluation, no accelerations, memory for values that are not read */
    double *own_force, *at_rest, *unread;
    tn_own_pattern *own; /* of the matrices of one instance by itself; NULL: they are full */
    uint32_t *own_place; /* [count][entries] in the matrix; only with a pattern */
    /* the bodies that the markers of an instance depend on, marker by marker: one, or several where it is made of
     * others */
    struct tn_group_leg {
        uint32_t marker, leg;
    } * leg;
    uint32_t leg_count;
    tn_matrix_block *block;     /* [count][legs][legs], NULL for rows whose reactions do not change */
    struct tn_colours *colours; /* of blocks that add to these side by side, or NULL: block_calls.h */
    /* constraints */
    uint32_t rows, row_start; /* of one instance; of the first instance among all rows */
    double *row;              /* [count][rows][W] against marker twists, */
    size_t row_stride;        /* from one instance to the next; 0: all have the same (analysis/settled.c) */
    bool rows_known;          /* they are constant, and there */
    bool unilateral;          /* they are no equations: tenon/draft/operators.h */
    double *contact; /* [count][W] mean reactions of points of contact, or NULL: extensions/contacts.h */
    struct tn_border {
        tn_matrix_block below, beside; /* rows x body, and body x rows */
    } * border;                        /* [count][legs] */
    uint32_t first_node;       /* number of the first instance's own block, counted on from the bodies */
    uint32_t x_start, s_start; /* of the states, and algebraic unknowns, of the first instance */
    bool follows;              /* states that implicit solvers find with the motion: states.c */
    /* connectors whose parameters read the state, among all of them: value_source.h */
    size_t coupled, coupled_count;
    tn_block_answer *answer; /* [blocks] where they are called in blocks: block_calls.h; else NULL */
    uint8_t *pinned;         /* [count] of bodies: the start leaves them as they are; NULL: none */
} tn_group;

/* Markers of one kind on the bodies of one group that are no aliases. */
typedef struct tn_riders {
    const tn_loaded_element *type;
    uint32_t group;
    tn_attachments attachments;
    uint32_t *first; /* [count] the first velocity coordinate of its body that a rider depends on */
    /* [count][twist size][columns], for the matrix; derivatives of twists only where somebody needs them: blocks.c */
    double *jacobian, *derivative;
    tn_matrix_block *block;     /* [count] of the own coordinates of each */
    bool still, known;          /* they never move; pose and twist of the last evaluation go on to hold */
    bool in_blocks;             /* they are called in blocks: block_calls.h; */
    struct tn_colours *colours; /* if so, which ones add to the forces on bodies side by side, or NULL */
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
    double **to;          /* [count][marker_count] where the wrenches on those go; NULL: nowhere */
    uint32_t *leg_start;  /* [count + 1] into `leg` */
    tn_leg *leg;
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
    const double *from;
    double *to;
} tn_gather;

/* What an evaluation calls of a group: one function of its type, or NULL where that is not all. */
typedef struct tn_act {
    tn_group *group;
    tn_batch_function function;
    const char *name;
} tn_act;

/* Where a runtime marker stands. */
typedef struct tn_station {
    tn_marker_place place;
    uint32_t group, body;   /* of its element: group and index in it; TN_NONE for a derived marker */
    uint32_t riders, rider; /* among riders, or among derived markers; TN_NONE for an alias */
    uint32_t wrench;        /* place of its sum of wrenches in marker_wrench; TN_NONE for an alias */
} tn_station;

/* Who has refused an evaluation, or has a number that is not finite. */
typedef struct tn_refusal {
    const tn_group *group;     /* NULL: no element has, */
    const tn_derived *derived; /* but a marker, or none */
    uint32_t instance;
    const char *message;
    const struct tn_dynamic_value *value; /* the one that has no value, or NULL */
    char number[64];                      /* memory for a message with a number */
} tn_refusal;

/* failure.h, explanation.h */
typedef struct tn_failures {
    tn_refusal refusal; /* of the last evaluation */
    /* has put a number that is not finite into the last matrix; empty where there is no such number, or a later matrix had a
     * solution */
    tn_refusal spoiler;
    char blame[1024];  /* whose mistake ends the run: no other cause is looked for then; empty for none */
    char reason[1024]; /* why the run ended, when it failed */
} tn_failures;

/* What values of a model read; value_source.h sets it. */
typedef struct tn_reading {
    /* forces; some of them multipliers or accelerations, which then depend on each other */
    bool couples, couples_directly;
    bool accelerations, integrated_accelerations; /* accelerations; also in rates of states */
    bool measured_forces, past;                   /* measured forces; values of the past */
    bool conditions;                              /* the model has conditions */
    bool evaluates;                               /* there are values to find at every evaluation */
} tn_reading;

typedef struct tn_events tn_events;

enum { TN_EXTENSION_COUNT = 10 };

/* What the time of a run goes to; extensions/phases.h adds it up. */
enum tn_phase { TN_MARKERS, TN_CONNECTORS, TN_MATRICES, TN_FACTORISATION, TN_SOLUTION, TN_OUTPUT, TN_PHASES };

typedef struct tn_assembly {
    tn_system system; /* what the solver sees; must be the first field */
    tn_arena memory;  /* of all that lives as long as the assembly */
    tn_model *model;
    tn_statistics statistics;

    tn_group *group;
    size_t group_count, group_capacity;
    tn_act *act; /* of all groups that have a part in an evaluation; behind the last one a group NULL */
    uint32_t *group_of, *index_of; /* [items]: where an element went */
    tn_riders *riders;
    size_t riders_count, riders_capacity;
    tn_derived *derived; /* by level */
    size_t derived_count, derived_capacity;
    struct tn_derived_place {
        uint32_t group, index;
    } * derived_of;      /* [markers]: where one made of others went */
    tn_station *station; /* [markers] */
    const tn_services *services;
    struct tn_value_memory *read;         /* what belongs to values that read the state: value_source.h */
    struct tn_value_events *value_events; /* what belongs to their event functions, conditions and jumps */
    tn_reading reading;                   /* what these values read */
    tn_gather *gather;
    size_t gather_count, gather_capacity;
    bool gathers_wrenches; /* some are summed up that act on markers beside the coordinates */

    double *inverse; /* [nv] of the masses of all groups with diagonal ones, */
    bool diagonal;   /* which all are */
    double *configuration, *motion, *force, *wrench, *marker_wrench, *scale;
    double length; /* size of the model, m */
    size_t pose_size, twist_size, wrench_size, marker_wrench_size;

    /* of the time integrator; of multipliers of least norm: row_analysis.h; of stages: extensions/complex_equations.h */
    tn_equations equations, least_norm, stages;
    struct tn_fill_memory *fill;              /* where all stands in them, and memory for filling: matrix.h */
    struct tn_constraint_memory *constraints; /* constraints.h */
    struct tn_complement *complement;         /* of what solves for few rows, or NULL: project.h */
    void *extension[TN_EXTENSION_COUNT];      /* what extensions keep, or NULL: extensions/extension.h */
    /* The time on the clock, s, where it is taken, else 0; the time since the one before goes to a phase. NULL: not now */
    double (*clock)(struct tn_assembly *assembly, enum tn_phase phase, double before);
    tn_redundancy redundancy; /* rows that depend on each other */
    struct tn_shown *shown;   /* what belongs to the state as results show it, or NULL: row_analysis.h */
    struct tn_linear *linear; /* the linear solver: linear.h */

    tn_failures failures;

    struct tn_states *states;         /* that are found with the motion, or NULL: states.c */
    struct tn_impulses *impulses;     /* that elements exert at events, or NULL: impulses.c */
    struct tn_algebraic *algebraic;   /* unknowns of elements, or NULL: algebraic.c */
    tn_events *events;                /* event functions: events.c */
    struct tn_data *data;             /* discrete data: data.h */
    struct tn_turns *turns;           /* the time since the last accepted state: turns.h */
    struct tn_energies *energies;     /* what belongs to energies, or NULL: energy_source.h */
    struct tn_acceptance *acceptance; /* the protocol of accepted steps: accept.h */
} tn_assembly;

static inline double tn_clock(tn_assembly *assembly, enum tn_phase phase, double before)
{
    return __builtin_expect(assembly->clock != NULL, 0) ? assembly->clock(assembly, phase, before) : 0.0;
}

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
/* Most markers of one element; constraints have fewer (tenon/element.h), those without a law of forces any number. */
enum { TN_MOST_MARKERS = 32 };

/* The rows [rows][W] of an instance. */
static inline double *tn_rows_of(const tn_group *group, size_t instance)
{
    return group->row + instance * group->row_stride;
}
/* Builds the system of a model without errors; takes the instances from it. NULL after reporting. */
tn_assembly *tn_assemble(tn_model *model, const tn_services *services);
/* Zeroed memory for count objects, aligned to 64 bytes, that lives as long as the assembly. Not inside a step. */
static inline void *tn_assembly_new(tn_assembly *assembly, size_t count, size_t size)
{
    return tn_arena_array(&assembly->memory, count, size);
}
/* Instances first ... first + count - 1 of a group as a batch of their own; a chunk of them, from `first` on. */
tn_batch tn_sub_batch(const tn_group *group, uint32_t first, uint32_t count);
/* The same of a batch of all instances of the group, with what belongs to a call: increments, vectors, rows of constraints. */
tn_batch tn_part_of_batch(const tn_group *group, const tn_batch *whole, uint32_t first, uint32_t count);
static inline tn_batch tn_chunk_from(const tn_group *group, uint32_t first)
{
    return tn_sub_batch(group, first, (uint32_t)tn_chunk(group->batch.count - first));
}
/* evaluate.c: lists what an evaluation calls, once that has been chosen; what tn_system offers; the same with constraints that are `closing` (constraints.h). */
void tn_evaluate_build(tn_assembly *assembly);
tn_status tn_system_evaluate(tn_system *system);
tn_status tn_evaluate(tn_assembly *assembly, bool closing);
/* Once more at the same state, with other multipliers and accelerations. */
tn_status tn_evaluate_reactions(tn_assembly *assembly);
/* Poses and twists of all markers at the current state, then dynamic parameters at the current time. */
tn_status tn_evaluate_markers(tn_assembly *assembly);
/* failure.c: notes who refused an evaluation. */
tn_status tn_refused(tn_assembly *assembly, const tn_group *group, tn_status status);
/* Notes who has a number, `what`, that is not finite; TN_RETRY. */
tn_status tn_not_finite(tn_assembly *assembly, const tn_group *group, uint32_t instance, const char *what,
                        double value);
/* The message on such a number. */
void tn_name_number(tn_assembly *assembly, const char *what, double value);
/* mass.c: true when every number is finite. */
bool tn_are_finite(const double *x, size_t count);

#endif
