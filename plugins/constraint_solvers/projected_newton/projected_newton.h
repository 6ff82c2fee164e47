/* projected_newton.h - what the files of projected_newton share: its settings, and its work on one problem */
#ifndef TENON_PROJECTED_NEWTON_H
#define TENON_PROJECTED_NEWTON_H

#include "tenon/author.h"
#include "tenon/kit/impulse_law.h"
#include "tenon/kit/impulse_step.h"

#define NEWTON_PARAMETERS(X)                                               \
    X(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0,                   \
      "error of the natural map, relative, up to which a solution is one") \
    X(INTEGER, most_iterations, 0, 1000, 1, 1000000,                       \
      "iterations, and passes of sweeps in their place, at most")

typedef struct newton_settings {
    double tolerance;
    int64_t most_iterations;
} newton_settings;

enum { NEWTON_MEMORY = 3 };
#define NEWTON_REGULARISATION 1e-8
#define SHARE_OF_LEAVES 1e-6 /* of that: a body with one contact can follow it, whatever others do */

typedef struct newton_work {
    newton_settings settings;
    const tn_impulse_problem *problem; /* the current one */
    tn_impulse_blocks blocks;
    tn_impulse_step system;
    bool planned;                /* `system` has the pattern of the problem, */
    bool factored;               /* and the factors of `matrix` */
    bool no_memory;              /* for it */
    uint32_t independent_joints; /* of the problem that it was planned for */
    bool contacts;               /* the problem has some */
    bool frozen;                 /* friction as on discs that stay as they are: a convex problem */
    /* What is added to the diagonal of W, of joints and of contacts: dependent rows are no obstacle then, and impulses that the laws
     * leave open stay where they are. It is no error of the solution, only of a step towards it. */
    double joint_regularisation, regularisation;
    double map[NEWTON_MEMORY]; /* natural maps before the last steps, of which `maps` are known */
    uint32_t maps;
    bool gave_in; /* `free` is not that of the problem any more */
    /* [rows] or [nv] */
    double *p; /* problem->impulse */
    double *u, *z;
    double *best,
        *free; /* impulses with the least error so far; free rates, without what contradicting joints ask for */
    double *dp, *du, *dz;   /* Newton's step */
    double *trial, *rate;   /* p and u along it */
    double *offset;         /* dp = -offset - D du */
    double *radius;         /* [rows] of the discs of friction while `frozen` */
    double *slope, *matrix; /* [3 rows] D of blocks, as blocks.local; that of the factors */
    size_t u_room, z_room, best_room, free_room, dp_room, du_room, dz_room, trial_room, rate_room,
        offset_room, slope_room, matrix_room, radius_room;
} newton_work;

/* newton.c */
newton_work *newton_new(void);
tn_status newton_solve(newton_work *work, newton_settings settings, const tn_impulse_problem *problem,
                       tn_impulse_outcome *outcome);
void newton_free(newton_work *work);

/* laws.c */
double newton_scale(const newton_work *work, uint32_t block, uint32_t row);
double newton_map(const newton_work *work, const double *p, const double *u);
void newton_linearise(newton_work *work, bool joints_only);
void newton_freeze(newton_work *work);

/* step.c */
void newton_evaluate(newton_work *work);
bool newton_find_step(newton_work *work, bool joints_only);
bool newton_go_along(newton_work *work);
bool newton_step(newton_work *work);

/* joints.c */
bool newton_settle_joints(newton_work *work, tn_impulse_outcome *outcome);

/* sweep.c */
uint32_t newton_fall_back(newton_work *work, uint32_t passes);

#endif
