/* tenon/draft/signals.h - "tenon.signals/1" of tn_system: inputs and sensors of the model by name, and how they are linked to the
 * equations: derivatives of forces and rates by inputs and states, of sensors by all that the state consists of.
 *
 * With dq an increment of q along its retraction, dv one of v, da of v', dl of the multipliers, dx of the n states that are no
 * quadratures and du of the inputs, SI units,
 *
 *     M da = ... + F_x dx + F_u du
 *     dx'  = X (dq, dv, da, dl, dx, du)
 *     dy   = Y (dq, dv, da, dl, dx, du)     of the numbers that sensors record
 *     dp   = P dq,   dp' = P dv + S dq      of positions that the model names
 *
 * in own axes (draft/linearisation.h). All are derivatives by the rules of expressions and markers; numbers for which there are none, such
 * as outputs of elements, are differentiated by differences, which `output` says.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_SIGNALS_H
#define TENON_DRAFT_SIGNALS_H

#include "tenon/solver.h"

/* `detail` of a parameter of kind TN_KIND_TEXTS of a solver: its texts are names of inputs; of sensors or of one component, "tip.x"; of
 * positions: "hinge.angle", coordinates of an element or marker, "rotor" where it has but one, "cart", a body that constraints leave one
 * motion, or sensors that record a position. The kernel refuses others, with their place and the nearest name. */
#define TN_INPUT_NAMES "names of inputs"
#define TN_SENSOR_NAMES "names of sensors"
#define TN_POSITION_NAMES "names of positions"

/* How an output, a position, or the rate of a state, is differentiated. */
typedef enum tn_signal_derivative {
    TN_EXACT_SIGNAL = 0,
    TN_DIFFERENCED_SIGNAL = 1, /* by central differences of fourth order */
    TN_FORMLESS_SIGNAL =
        2, /* it is no function of the state, such as an energy that is summed up, or a position is none of positions alone: its
              derivatives are zero */
    TN_PARTIAL_SIGNAL =
        3, /* of the rate of a state: how accelerations that it reads change with the motion is left out */
    TN_BROKEN_SIGNAL =
        4, /* of an output or a position: it has no value, or no derivative, at this state; they are zero */
    TN_SIGNAL_DERIVATIVE_IS_32_BITS = 0x7fffffff
} tn_signal_derivative;

typedef struct tn_signal_info {
    const char *name, *unit; /* of a component "tip.x" */
    double
        value; /* SI units, at the state of the last find(); of a position that is known by its rate only NaN */
    uint32_t derivative; /* but of an input, at the state of the last find(): tn_signal_derivative */
    /* of a position that is the motion of a body: its first coordinate of v, and their number; 0: P and S are known */
    uint32_t first, count;
    uint32_t reserved;
} tn_signal_info;

/* Matrices by rows of some numbers; NULL where these do not change with it. */
typedef struct tn_slope_matrices {
    const double *position, *velocity, *acceleration; /* [numbers][nv] */
    const double *reaction;                           /* [numbers][rows] */
    const double *state;                              /* [numbers][n] */
    const double *input;                              /* [numbers][inputs] */
} tn_slope_matrices;

/* Why draft/linearisation.h names an element as inexact whose rates of states its matrices R and H lack a part of. X has all but what
 * is TN_PARTIAL_SIGNAL: a solver that takes it in their place need not hand this on. */
#define TN_RATES_READ_REACTIONS                                                                 \
    "has states whose rates read accelerations or reactions, or forces by way of coordinates: " \
    "how these change is left out"

#define TN_SIGNALS_KEY "tenon.signals/1"
typedef struct tn_signals {
    uint32_t struct_size;
    uint32_t inputs, outputs, positions, states; /* how many; of outputs: numbers of all sensors */
    uint32_t delays;                             /* 1: values of the past are read, which no state holds */
    /* [setup] Number k of them; of an input `unit` is what it is given in, but the value is in SI units. */
    tn_signal_info (*input)(tn_system *system, uint32_t k);
    tn_signal_info (*output)(tn_system *system, uint32_t k);
    tn_signal_info (*position)(tn_system *system, uint32_t k);
    tn_signal_info (*state)(tn_system *system, uint32_t k);
    /* [setup] The first number of this name, and how many belong to it (the components of a sensor); 0: none. */
    uint32_t (*find_input)(tn_system *system, const char *name, uint32_t *first);
    uint32_t (*find_output)(tn_system *system, const char *name, uint32_t *first);
    uint32_t (*find_position)(tn_system *system, const char *name, uint32_t *first);
    /* [setup] Evaluates the current state, with `a` and `lambda` as they are, and finds all matrices. The state stays as it is. TN_RETRY:
     * some value, or derivative, does not exist here; TN_UNSUPPORTED: rates of states of an element have no derivatives; `problem` names
     * it. */
    tn_status (*find)(tn_system *system, const char **problem);
    const double *force_by_state, *force_by_input; /* F_x [nv][n], F_u [nv][inputs] */
    tn_slope_matrices rate, output_slopes;         /* X, Y */
    const double *position_slopes, *rate_slopes;   /* P, S: [positions][nv] */
} tn_signals;

#endif
