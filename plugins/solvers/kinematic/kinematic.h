/* kinematic.h - the memory of one run of kinematic, and what its files share. */
#ifndef TENON_KINEMATIC_H
#define TENON_KINEMATIC_H

#include <tenon/draft/error_scale.h>
#include <tenon/draft/freedom.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/step_grid.h>

#include <math.h>
#include <string.h>

/* Why a step cannot be taken as it is. */
typedef enum kinematic_trouble {
    KINEMATIC_NONE,
    KINEMATIC_REFUSED,  /* an evaluation, or the accelerations */
    KINEMATIC_OPEN,     /* rows of positions cannot all be satisfied, */
    KINEMATIC_RATES,    /* rows of velocities cannot */
    KINEMATIC_JUMP,     /* the positions found lie elsewhere than velocities lead to */
    KINEMATIC_CROSSING, /* a singular position lies within the step, */
    KINEMATIC_SINGULAR  /* or at its end */
} kinematic_trouble;

/* Where a run stands. */
typedef struct kinematic_stand {
    uint64_t accepted; /* states so far */
    uint64_t step;     /* of the grid */
    double time;       /* of the last accepted state */
    double part;       /* of a grid step, to be tried; a power of 1/2 */
    double
        smallest; /* smallest singular value of the rows at the last state, against the scales of coordinates, */
    double largest;    /* and the largest one that it has had */
    uint32_t revision; /* of the model, that all of this is of */
    uint32_t reserved;
} kinematic_stand;

typedef struct kinematic_work {
    tn_system *system;
    const tn_freedom *freedom;
    const tn_error_scale *scale;
    tn_step_grid grid;
    kinematic_stand stand;
    double size;      /* m: of positions, for what round-off is; at least 1 */
    bool integrates;  /* states, or positions that follow from prescribed velocities */
    bool by_midpoint; /* only quadratures: nothing depends on what is integrated */

    /* the last accepted state */
    double *q0, *v0, *a0, *x0, *lambda0, *q_rate0, *x_rate0;
    /* slopes of the stages behind the first one, accelerations of a stage */
    double *q_rate[3], *x_rate[3], *a_stage;
    double *rows;                  /* [rows] */
    double *solution, *correction; /* [nv + rows] */

    /* The direction in which the rows resist least, against the scales of coordinates, of length 1; what the rows make of it,
     * of length 1; both at the last state, and at the one that is tried. */
    double *weak, *weak_image, *weak_now, *image_now;
    double smallest_now;
} kinematic_work;

/* ---- kinematic.c ---- */

/* [n] zeroed; NULL: none. */
double *kinematic_array(const tn_system *system, size_t count);

/* ---- position.c ---- */

/* From a guess of q and v to the state that the rows determine at the current time and x; then its accelerations and multipliers,
 * into `a`. */
tn_status kinematic_settle(kinematic_work *work, double *a, kinematic_trouble *trouble);
/* Whether the state has been reached by a motion of length h that its velocities, and those at its start, tell of. */
tn_status kinematic_check_way(kinematic_work *work, double h, kinematic_trouble *trouble);

/* ---- states.c ---- */

/* The velocities that the rows determine at the current time, q and x; evaluates. */
tn_status kinematic_find_velocities(kinematic_work *work);
/* To a guess of q and v at `end`, and to x there: from the last accepted state. */
tn_status kinematic_predict(kinematic_work *work, double h, double end, kinematic_trouble *trouble);
/* At the state found there: quadratures that nothing depends on. */
void kinematic_end_quadratures(kinematic_work *work, double h);

/* ---- weakness.c ---- */

/* At the state of now: the weak direction anew, by many iterations; behind the start, and changes of the model. */
tn_status kinematic_begin_weakness(kinematic_work *work, kinematic_trouble *trouble);
/* The same followed to the state that is tried, and whether a singular position lies at it, or before it. */
tn_status kinematic_follow_weakness(kinematic_work *work, kinematic_trouble *trouble);
/* That state is accepted. */
void kinematic_keep_weakness(kinematic_work *work);

#endif
