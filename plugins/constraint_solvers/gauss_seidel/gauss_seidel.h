/* gauss_seidel.h - impulses block by block, each against those of all others; what its files share */
#ifndef GAUSS_SEIDEL_H
#define GAUSS_SEIDEL_H

#include <tenon/kit/impulse_law.h>
#include <tenon/kit/impulse_saddle.h>
#include <tenon/kit/impulse_step.h>

enum { MOST_BLOCK_ROWS = 12 };
enum { MEMORY = 8 }; /* sweeps */

typedef struct acceleration {
    uint32_t impulses, known, count; /* rows; differences that are known, and ever were */
    size_t size;                     /* of a state: impulses, then velocities */
    bool accelerated, compared;      /* the sweep starts from a combination; `of_sweep` holds one */
    double change;                   /* squared, by the sweep before */
    double *weight;                  /* [impulses] of the metric; 0: not swept */
    double *start;                   /* [size] of the sweep */
    double *of_sweep;                /* [size + impulses] g and f of the sweep before */
    double *difference;              /* [MEMORY][size + impulses] */
    size_t start_room, sweep_room, difference_room, weight_room;
} acceleration;

typedef enum column_kind {
    BY_BODIES, /* A by bodies: a column of A^-1 G^T reaches the bodies of its row alone, as shares of legs */
    BY_SYSTEM  /* with the joints eliminated, or A that couples bodies: a column reaches all */
} column_kind;

typedef struct solver {
    const struct gauss_seidel *of;
    double tolerance; /* of the parameters */
    int64_t most_iterations;
    tn_impulse_blocks blocks;
    bool taken; /* they are those of the problem */
    column_kind kind;
    tn_saddle saddle; /* BY_SYSTEM */
    double *column;   /* [rows that are swept][nv] A^-1 G^T, with the joints where they are eliminated */
    size_t column_room;
    bool *swept;                  /* [rows] */
    tn_impulse_block *of_factors; /* [blocks] where those that are swept are no joints */
    size_t swept_room, of_factors_room;
    struct block_place {
        size_t W, column; /* where those of a block begin, which is swept */
    } * place;            /* [blocks] */
    size_t place_room;
    double *W;
    size_t W_room;
    double *number; /* [2 nv + 3 rows] z, what contacts pull; rates, impulses of joints, the best impulses */
    size_t number_room;
    acceleration acceleration;
    tn_impulse_step step; /* finish.c */
    double *step_number;  /* [6 rows] */
    size_t step_room;
    uint32_t step_rows, step_blocks; /* there is memory for so many */
} solver;

/* gauss_seidel.c: rates, and the error, of impulses; z [nv] becomes the velocities that they make. */
tn_status measure(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome);

/* columns.c: those of all rows that are swept, and W of their blocks; `own` without joints that the sparse factors leave out. */
tn_status find_columns(solver *s, const tn_impulse_problem *p, const tn_impulse_problem *own);
/* z += columns of a block, times `change`. */
void add_columns(const solver *s, const tn_impulse_problem *p, uint32_t b, const double *change, double *z);
/* free_rate + G z of a block */
void find_rates(const solver *s, const tn_impulse_problem *p, uint32_t b, const double *z, double *rate);

/* acceleration.c */
bool begin_acceleration(acceleration *a, uint32_t impulses, uint32_t velocities);
void forget_sweeps(acceleration *a);
void free_acceleration(acceleration *a);
void before_sweep(acceleration *a, const double *impulse, const double *velocity);
/* Both become the start of the next sweep. */
void after_sweep(acceleration *a, double *impulse, double *velocity);

/* finish.c: memory for steps, where the problem is the largest one yet. */
tn_status prepare_steps(solver *s, const tn_impulse_problem *p, tn_impulse_outcome *outcome);
/* Steps of Newton's method from where the sweeps are, while they come nearer; *nearer: they have. */
tn_status finish(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome,
                 bool *nearer);
void free_finish(solver *s);

/* blocks.c: the law of one block, with W [rows][rows] and the rates q that it has without its own impulses; `p` is where they are
 * found. */
void solve_joint(uint32_t rows, const double *W, const double *q, double *p);
void solve_unilateral(double W, double q, double *p);
/* cone.c */
void solve_cone(double friction, const double W[9], const double q[3], double p[3]);

#endif
