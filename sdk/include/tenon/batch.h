/* tenon/batch.h - the data of one call: all instances of one type with one layout, contiguous.
 *
 * Instances with equal layout, equal kinds of markers and an equal set of dynamic parameters form one
 * batch, so that all sizes are constants inside it. Arrays are indexed [instance][...]. */
#ifndef TENON_BATCH_H
#define TENON_BATCH_H

#include "tenon/host.h"

/* Where a marker's pose and twist stand, in doubles from the batch's `pose` and `twist`. A marker that
 * coincides with coordinates of a body points straight at them. */
typedef struct tn_marker_place {
    uint32_t pose, twist;
} tn_marker_place;

/* The first instance that returned the worst status of a call. Of `accepted` also an instance that has something to tell:
 * a message with TN_OK is a warning for the user. */
typedef struct tn_failure {
    uint32_t instance;
    uint32_t status;     /* tn_status */
    const char *message; /* static text, or NULL */
} tn_failure;

/* A parameter of this batch that the tangent is wanted for: reals, by themselves; a callable (count 1), by its value. */
typedef struct tn_dynamic {
    uint32_t offset; /* place in the instance, bytes */
    uint32_t count;  /* doubles */
    uint32_t kind;   /* tn_parameter_kind */
    uint32_t reserved;
} tn_dynamic;

/* What the columns of a tangent are derivatives by. */
typedef enum tn_column_kind {
    TN_POSE_COLUMNS,      /* pose increments of all markers: displacement, rotation vector in ground axes */
    TN_TWIST_COLUMNS,     /* twists of all markers */
    TN_PARAMETER_COLUMNS, /* dynamic parameters, entry by entry */
    TN_STATE_COLUMNS,     /* states x of the instance */
    TN_ALGEBRAIC_COLUMNS, /* algebraic unknowns s of the instance */
    TN_POSITION_COLUMNS,  /* increments of the q of a body itself, along its retraction */
    TN_VELOCITY_COLUMNS,  /* its v */
    TN_ACCELERATION_COLUMNS, /* its dv/dt */
    TN_COLUMN_KIND_IS_32_BITS = 0x7fffffff
} tn_column_kind;

/* A block of columns of a tangent. */
typedef struct tn_column_block {
    uint32_t kind; /* tn_column_kind */
    uint32_t first, count;
} tn_column_block;

/* A first column that no tangent has: of a kind that is not asked for. Seeds may be added to it. */
#define TN_NO_COLUMN 0x40000000u

/* Sizes that an instance asks for. */
typedef struct tn_layout {
    uint32_t struct_size;
    uint32_t nq, nv;        /* configuration and velocity coordinates */
    uint32_t nx, ns, nd;    /* first-order states, algebraic unknowns, discrete data */
    uint32_t position_rows; /* constraints g(q, t) = 0 */
    uint32_t velocity_rows; /* constraints A(q, t) v + b(q, t) = 0 */
    uint32_t events;        /* event functions */
    uint32_t passive_rows; /* 1: the rows do not act on the bodies; the multipliers are used by forces only */
    uint32_t marker_count; /* in: markers of the instance, */
    const uint32_t *marker_kind; /* their kinds, */
    const uint32_t *port_first;  /* and where each port's begin, as in tn_batch */
    uint32_t held_states;        /* 1: first-order states keep their values while an equilibrium is sought */
    uint32_t scratch;            /* doubles of scratch memory for an instance, see tn_batch */
    /* Entries of the matrices of a body's own that may be other than zero, which `own_pattern` lists; 0: the matrices are full. */
    uint32_t own_entries;
    uint32_t reserved;
} tn_layout;

typedef struct tn_batch {
    uint32_t struct_size;
    uint32_t count; /* instances */
    const tn_host *host;
    double time;           /* s */
    const double *gravity; /* [3] m/s^2, ground axes */
    void *instance;        /* first instance; the next one stands `instance_stride` bytes further */
    size_t instance_stride;
    const uint8_t *active; /* [count]; NULL: all are active */
    tn_failure *failure;

    /* markers of connectors: W = sum of the twist sizes of the markers of one instance */
    uint32_t marker_count; /* markers per instance, port by port */
    uint32_t wrench_size;  /* W */
    const uint32_t
        *port_first; /* [ports + 1]: the markers of port p are port_first[p] ... port_first[p+1]-1 */
    const uint32_t *marker_kind;   /* [marker_count] tn_marker_kind, never TN_ANY; nodes: TN_NODE_OF(n) */
    const tn_marker_place *marker; /* [count][marker_count] */
    const double *pose, *twist;
    double *
        wrench; /* [count][W]: force (and torque) on every marker; output of `force`, to which the kernel adds the
                       reactions G^T lambda of a constraint; input of `output`, current there; `on_event`: impulses,
                       N s (and N m s), zero at the start */

    /* tangent of the wrenches, [count][W][tangent_stride], of the rates of x, [count][nx][tangent_stride], of the algebraic
     * equations, [count][ns][tangent_stride], or of a body's force on itself or residual, [count][nv][tangent_stride]. The
     * requested derivatives form blocks of columns, at most one of each kind; columns of a kind that the element does not
     * depend on are zero. A body with an `own_pattern` has one row per instance instead, [count][tangent_stride], and each
     * block holds the entries of that pattern, in its order. */
    double *tangent;
    uint32_t tangent_stride; /* doubles of a row */
    uint32_t column_blocks;  /* entries of `columns` */
    const tn_column_block *columns;
    uint32_t dynamic_count;   /* entries of `dynamic` */
    uint32_t dynamic_columns; /* doubles of all entries together */
    const tn_dynamic *dynamic;

    /* own coordinates */
    const tn_layout *layout;
    const double *q, *v, *a; /* [count][nq], [count][nv], [count][nv]; a = dv/dt */
    double *x;               /* [count][nx]; writable in `on_event` only */
    const double *s;         /* [count][ns] */
    double *x_rate;          /* [count][nx]: output of `rates` and `rates_tangent` */
    const double *lambda;    /* [count][position rows, then velocity rows] of constraints */
    double *d;        /* [count][nd]; writable in `update`, `accepted` and `on_event` only (see tn_data()) */
    double *force;    /* [count][nv]: output of `body_force`; `pull_back` adds to it */
    double *mass;     /* [count][nv][nv], or [count][own_entries]: output of `mass` */
    double *residual; /* output of `residual`, `constraint`, `algebraic`: rows per instance */
    double *rate;     /* output of `rate` [count][nq] */
    const double *
        basis; /* [count][nq][nv] dq/d(increment), for position columns of types that are no vector space; NULL where
                            the body has an `own_pattern` */

    /* results */
    uint32_t first;  /* `output`: instances first ... first + count - 1 of the arrays above ... */
    uint32_t output; /* ... and which entry of the type's list of outputs */
    double *value;   /* [count][size of the output]; `potential`, `dissipation`, `events`: [count][...] */
    uint32_t frozen; /* 1: discrete data are held during the iterations of an implicit step */
    /* 1: `constraint` and `constraint_rows` of position rows must lead from any start to the intended position of the markers.
     * If the residuals of the run are also zero elsewhere, others may replace them, with their derivatives. Most constraints
     * can ignore this. */
    uint32_t closing;
    double error;            /* output of `update`: force error, N, of all instances together */
    double recommended_step; /* output of `update`: s; 0 for none */
    /* Of a variable, or a type flagged TN_DRIVEN: [count] what host->observe takes. */
    const void *const *variable;
    double
        step; /* s; of the time since the last accepted state: 0 at the start of a solver and behind a change of the model;
                 for types with discrete data, `accepted` or `update`.
                 `update`: length of the step whose iterations converged; 0: of none, at the start of a run */
    double *scratch; /* [layout->scratch] of this call alone, with whatever was left there; it is not kept */

    /* configurations of bodies, see element/configuration.h */
    const double *increment; /* [count][nv]: input of `retract` */
    double *configuration;   /* [count][nq]: output of `retract`; `normalise` renews it */
    const double *target;    /* [count][nq]: input of `transport`, which leads there from q, */
    const double *vector[2]; /* [count][nv] each: inputs of `transport`; the second one may be NULL */
    double *transported[2];  /* [count][nv] each: their outputs, which may be the same memory */
    double *rigid_motion;    /* [count][nv][6]: output of `rigid_motion` */
} tn_batch;

typedef tn_status (*tn_batch_function)(tn_batch *batch);

/* Instance i of a batch. */
static inline const void *tn_instance(const tn_batch *batch, size_t i)
{
    return (const char *)batch->instance + i * batch->instance_stride;
}

/* The first column of a kind, TN_NO_COLUMN where it is not asked for. */
static inline uint32_t tn_first_column(const tn_batch *batch, tn_column_kind kind)
{
    for (uint32_t k = 0; k < batch->column_blocks; k++)
        if (batch->columns[k].kind == (uint32_t)kind) return batch->columns[k].first;
    return TN_NO_COLUMN;
}

/* The expression of a variable at the last evaluation, with its derivatives by the n coordinates that it reads (the markers of
 * its instance, in order; none of a type flagged TN_DRIVEN) and by time. The arrays belong to the kernel until the next call. */
typedef struct tn_expression_values {
    uint32_t struct_size; /* in: sizeof; nothing is written behind */
    uint32_t
        entry; /* in: of a type flagged TN_DRIVEN, which of its dynamic numbers is observed: 0 is the first */
    double value, by_time;
    const double *by_coordinate; /* [n] */
    const double
        *product; /* [n + 1] second derivatives times the direction; the last entry is that by time */
    double since; /* in: a time before now, s; 0: none is asked for */
    double
        before; /* the value then, NaN where none is asked for, or where the expression reads more than time */
} tn_expression_values;

/* Points or frames fixed to instances of one body type. */
typedef struct tn_attachments {
    uint32_t struct_size;
    uint32_t count;
    uint32_t kind; /* tn_marker_kind of all of them: TN_POINT or TN_FRAME (or TN_COORDINATE, TN_NODE_OF(n)) */
    uint32_t nq, nv; /* of the body */
    /* bytes of one attachment's data: attachment_size, or as many as matter of all of them */
    uint32_t data_size;
    const uint32_t *body; /* [count] index of the body in its batch */
    const void *data;     /* [count] what `bind` wrote, data_size bytes each */
    const void *instance; /* first body */
    size_t instance_stride;
    const double *q, *v;  /* of all bodies of the batch */
    double *pose, *twist; /* [count][pose size], [count][twist size]: outputs of `pose` and `twist` */
    const double *wrench; /* [count][twist size]: input of `pull_back` and `pull_back_derivative` */
    double *force;        /* [bodies][nv]: `pull_back` adds here */
    double *matrix;       /* [count][twist size][columns]: output of `jacobian` and `twist_derivative`;
                              [count][columns][columns]: output of `pull_back_derivative` */
    uint32_t
        columns; /* velocity coordinates that one of them depends on: nv, or `columns` of `bind` for all of them */
    uint32_t reserved;
} tn_attachments;

typedef tn_status (*tn_attachment_function)(tn_attachments *attachments);

/* One attachment while it is being bound. */
typedef struct tn_attachment {
    uint32_t struct_size;
    uint32_t kind;      /* in: TN_POINT, TN_FRAME, TN_COORDINATE or TN_NODE; out, of a node: TN_NODE_OF(n) */
    double position[3]; /* in: from the body's reference point, body axes, m */
    double rotation[9]; /* in: takes marker axes into body axes, by rows */
    const char *coordinate; /* in: name of the coordinate for TN_COORDINATE; else NULL */
    void *data;             /* out: attachment_size bytes, zeroed */
    int32_t alias_pose;     /* -1; out: place of the pose in the body's q, if it stands there as it is */
    int32_t alias_twist;    /* -1; out: likewise in the body's v (both or none) */
    /* 0; out, of large bodies: only velocity coordinates first ... first + columns - 1 (and increments of q of these numbers)
     * have to do with the marker, and `jacobian` and its derivatives have these columns. columns 0: all have. */
    uint32_t first, columns;
    const char *node; /* in: name of the node for TN_NODE, NULL where none is given; else NULL */
    /* 0; out: only so many bytes of the data matter, and are kept if that goes for all attachments of a call. 0: all of them. A
     * type that says so goes from one to the next by data_size. */
    uint32_t data_used, reserved;
} tn_attachment;

TN_STATIC_ASSERT(sizeof(tn_marker_place) == 8, "marker places are two 32-bit offsets");

#endif
