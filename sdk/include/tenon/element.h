/* tenon/element.h - whatever contributes to the equations of motion:
 *
 *   q' = N(q) v,   M v' = f + G^T lambda,   0 = g,   x' = h,   0 = r.
 *
 * Bodies own q and v and offer attachments for markers. Connectors read markers and write one wrench per
 * marker; they never see a body's coordinates. NULL stands for "has none" everywhere. */
#ifndef TENON_ELEMENT_H
#define TENON_ELEMENT_H

#include "tenon/batch.h"

/* Most markers and rows of one constraint; other elements have 16 markers at the most. */
#define TN_CONSTRAINT_MARKERS 8
#define TN_CONSTRAINT_ROWS 16

enum tn_element_flag {
    TN_VECTOR_SPACE = 1u,  /* nq = nv, q' = v and q [+] dv = q + dv: the kernel does it without calling */
    TN_PRESENT = 2u,       /* an instance named like the type exists without being declared */
    TN_CONSTANT_ROWS = 4u, /* constraint rows against marker twists never change: they are asked for once */
    /* since interface 1.1: */
    TN_VARIABLE = 8u, /* expressions read its first TN_DYNAMIC parameter, a REAL, as VARVAL(name) */
    TN_DRIVEN =
        16u, /* its first TN_DYNAMIC parameter, a REAL, is a function of time, which host->observe differentiates:
                         for constraints that hold something at it */
    TN_KEEPS_RATES =
        32u /* `accepted` keeps rates: it is called again, with batch->step 0, where a change of the model has
                            renewed the motion at the time of an accepted step */
};

/* What VARVAL reads of a variable, and what becomes of the coordinates that its expression reads. */
typedef enum tn_variable_kind {
    TN_EXPLICIT = 0, /* the value of the expression */
    TN_CONSTRAINT_MULTIPLIER =
        1,           /* the multiplier of its first row; the coordinates are the markers of the instance */
    TN_SOFT = 2,     /* the value of the expression; the coordinates are the markers of the instance */
    TN_IMPLICIT = 3, /* what makes the expression, which reads it, zero */
    TN_INTEGRAL = 4, /* its first state of x, whose rate the expression is */
    TN_VARIABLE_KIND_IS_32_BITS = 0x7fffffff
} tn_variable_kind;

typedef struct tn_element_type {
    uint32_t struct_size;
    uint32_t flags;
    const char *name;       /* as in `type = "..."` */
    const char *summary;    /* one line */
    const char *formula;    /* the law, plain text; several lines are fine */
    const char *literature; /* sources, one a line, or NULL */
    const tn_parameter *parameters;
    const tn_port *ports;
    const tn_output *outputs;
    const char *const *
        velocity_units; /* unit of each increment of q, for the largest nv: "m", "rad"; NULL: dimensionless */
    size_t instance_size;
    size_t attachment_size; /* bytes of one attachment's data */

    /* [setup] Checks and completes one instance after the kernel has filled it. Called again after a parameter was
     * changed: on what it has completed before it must do nothing new. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Sizes of one instance; NULL: all zero. */
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    /* [setup] Start values; arrays as in the layout. */
    tn_status (*initial)(const tn_host *host, const void *instance, double *q, double *v, double *x,
                         double *s, double *d);

    /* [hot] Forces of a connector on its markers, and their exact tangent (see tn_batch). */
    tn_batch_function force, force_tangent;
    /* [hot] Forces of a body on itself, f(q, v, t), into `force`; the same with their derivatives by positions and velocities
     * into `tangent` (see tn_batch). */
    tn_batch_function body_force, body_force_tangent;
    /* [setup] Constant mass matrix, symmetric positive definite. */
    tn_batch_function mass;
    /* [hot] In place of body_force and mass, for a mass matrix that depends on q: M(q) v' - f(q, v, t) into `residual`, [count][nv],
     * linear in v'; the same with its derivatives by positions, velocities and accelerations (these are M, symmetric positive
     * definite) into `tangent`. TN_RETRY: outside a domain. */
    tn_batch_function residual, residual_tangent;
    /* [hot] Constraints: residuals into `residual`; rows against marker twists [count][rows][W] into
     * `tangent`; acceleration bias (second time derivative where the markers' twists do not change) into `residual`;
     * geometric stiffness d(G^T lambda)/d(pose) [count][W][W] into `tangent`. NULL for the bias: zero; for the
     * stiffness: zero, or left out knowingly. */
    tn_batch_function constraint, constraint_rows, constraint_bias, constraint_stiffness;
    /* [hot] First-order states x' = h, and h with its exact tangent, for implicit solvers, which find x together with the motion
     * then (see tn_batch); algebraic equations 0 = r with theirs. */
    tn_batch_function rates, rates_tangent, algebraic, algebraic_tangent;

    /* [hot] One output of `count` instances from `first` on, into `value`. */
    tn_batch_function output;
    /* [hot] Potential energy (J) and dissipated power (W, not negative), [count] each, into `value`. What the
     * forces do beyond these two counts as supplied from outside. The output `dissipated_energy` of an instance counts
     * on from its parameter of that name, a REAL, where the type has one. */
    tn_batch_function potential, dissipation;
    /* [hot] After the iterations of an implicit step converged: renews d by the state there, reports error and step. At the
     * start of a run (step 0) it may note what an implicit solver will have trouble with: an instance and a message
     * in `failure`, while it returns TN_OK. */
    tn_batch_function update;
    /* [hot] Once per accepted step (but see TN_KEEPS_RATES). */
    tn_batch_function accepted;
    /* [hot] Event functions into `value` [count][events], smooth and zero where something switches (NaN: nothing does
     * now); then what happens there, once for each accepted step in which signs changed: `value` holds 1 or -1 for those
     * that are positive or negative now and were not before, 0 for the others. It may write to d. */
    tn_batch_function events, on_event;

    /* [hot] Configuration of a type that is no vector space: q' = N(q) v into `rate`; */
    tn_batch_function rate;
    /* q [+] dv: reads batch->q and the increment in batch->v, writes batch->rate; source and target may
     * be the same memory; */
    tn_batch_function retract;
    /* and removal of the drift from the manifold (such as the norm of a quaternion), q in batch->rate. */
    tn_batch_function normalise;

    /* Body operations. [setup] Takes a local pose; TN_UNSUPPORTED when this kind of marker cannot ride here. */
    tn_status (*bind)(const tn_host *host, const void *instance, tn_attachment *attachment);
    /* [hot] Pose and twist of attachments; generalized force of their wrenches, added. */
    tn_attachment_function pose, twist, pull_back;
    /* [hot] Twist against v (which is also pose increment against increment of q); derivative of the twist
     * with respect to the increment of q at fixed v; derivative of the pulled-back wrench likewise, [nv][nv]. */
    tn_attachment_function jacobian, twist_derivative, pull_back_derivative;
    /* [hot] Velocity coordinates of the body when the whole model moves as one rigid body: [count][nv][6]
     * into `mass`; columns are unit velocities along and unit angular velocities about the ground axes,
     * through the ground origin. Gives momenta and frame-indifference tests. */
    tn_batch_function rigid_motion;

    /* Since interface 1.1. [hot] First time derivatives of position rows at the markers' twists, values of velocity
     * rows, into `residual`. NULL: they are the rows times the twists. */
    tn_batch_function constraint_rate;
    /* Scalars of a connector that markers of kind TN_COORDINATE may ride on (the angle of a joint): names and units;
     * size 1 each; the list ends with an entry whose name is NULL. NULL: none. */
    const tn_output *coordinates;
    /* [hot] Coordinate number batch->output of all instances: value and rate into `value` [count][2]; derivatives of the
     * rate with respect to poses and twists [count][2 W] into `tangent` (and nothing else), columns as in tn_batch. */
    tn_batch_function coordinate, coordinate_tangent;
    /* [setup] Of a type flagged TN_VARIABLE: the kind of one instance, whose expression reads itself or not. NULL: all are
     * explicit. */
    tn_status (*variable_kind)(const tn_host *host, const void *instance, uint32_t reads_itself,
                               tn_variable_kind *kind);
    /* [hot] Of a type that measures velocities in axes that turn with it: vectors of velocities (v, a, increments of q) in
     * batch->v, belonging to the configuration batch->q, with the components that they have at the configuration in
     * batch->rate, which is read; in ground axes they stay as they are. Into batch->residual [count][nv], which may be the
     * memory of the vectors. batch->a, where it is not NULL, holds further ones, which go into batch->force in the same way.
     * NULL: components stay as they are. */
    tn_batch_function transport;
    /* How others call it and its keys; ends with an entry whose `other` is NULL. NULL: none. */
    const tn_synonym *synonyms;

    /* [setup] Of a body whose layout has `own_entries`: row and column of each of them, in the order in which `mass` and the
     * tangents of its own are written, [own_entries] each. A position stands there once, with the one that mirrors it, and all of
     * the diagonal does. Instances are taken together where their lists are equal. M^-1 f costs the fill of a Cholesky
     * factorisation in the order of the coordinates, those that are coupled to most others last: let neighbours have numbers
     * that are near each other. */
    tn_status (*own_pattern)(const tn_host *host, const void *instance, uint32_t *row, uint32_t *column);
    /* [setup] Where these depend on the instance. Unit of increment number `number` of its q ("m", "rad"; NULL: none), in place
     * of `velocity_units`: a static text. Outputs and coordinates of one instance, which takes the place of the lists `outputs`
     * and `coordinates` (these are shown as what the type has): lists that end likewise, with their texts in memory of
     * host->allocate or static. They are asked for once, when `prepare` has been called; batch->output counts in them. In a call
     * of `output` all instances have the same size. */
    const char *(*velocity_unit)(const void *instance, uint32_t number);
    const tn_output *(*instance_outputs)(const tn_host *host, const void *instance);
    const tn_output *(*instance_coordinates)(const tn_host *host, const void *instance);
} tn_element_type;

#endif
