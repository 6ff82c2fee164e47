/* gauss_seidel.h - impulses block by block, each against those of all others; what its files share */
#ifndef GAUSS_SEIDEL_H
#define GAUSS_SEIDEL_H

#include <tenon/kit/impulse_error.h>
#include <tenon/kit/impulse_saddle.h>

enum { MOST_BLOCK_ROWS = 12 };

typedef enum column_kind {
    BY_BODIES, /* A by bodies: a column reaches the bodies of its row alone */
    BY_SYSTEM  /* with the joints eliminated, or A that couples bodies: a column reaches all */
} column_kind;

/* A column of A^-1 G^T, or of what comes in its place where joints are eliminated: what row r does to z. */
typedef struct column {
    size_t first;     /* in `value` of the columns */
    uint32_t body[2]; /* BY_BODIES: its bodies are listed there, from body[0] to body[1] - 1 */
    uint32_t size;    /* numbers */
} column;

typedef struct columns {
    column_kind kind;
    column *of; /* [rows] */
    size_t of_room;
    uint32_t *body; /* bodies of columns, ascending */
    size_t body_count, body_room;
    double *value;
    size_t value_count, value_room;
    double *factor;    /* of the blocks of bodies, which begin at */
    size_t *factor_of; /* [bodies] these places */
    size_t factor_count, factor_room, factor_of_room;
    uint32_t *body_of; /* [nv] */
    size_t body_of_room;
} columns;

/* columns.c: those of all rows that are swept; `saddle` is renewed, and used, where the kind is BY_SYSTEM. */
tn_status find_columns(columns *c, const tn_impulse_problem *problem, const bool *swept, tn_saddle *saddle);
void free_columns(columns *c);
/* z += change times the column of a row; the product of row `of` of G with the column of row r. */
void add_column(const columns *c, const tn_impulse_problem *problem, uint32_t r, double change, double *z);
double couple(const columns *c, const tn_impulse_problem *problem, uint32_t of, uint32_t r);

/* acceleration.c */
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
bool begin_acceleration(acceleration *a, uint32_t impulses, uint32_t velocities);
void free_acceleration(acceleration *a);
void before_sweep(acceleration *a, const double *impulse, const double *velocity);
/* Both become the start of the next sweep. */
void after_sweep(acceleration *a, double *impulse, double *velocity);

/* blocks.c: the law of one block, with W [rows][rows] and the rates q that it has without its own impulses; `p` is where they are
 * found. */
void solve_joint(uint32_t rows, const double *W, const double *q, double *p);
void solve_unilateral(double W, double q, double *p);
/* cone.c */
void solve_cone(double friction, const double W[9], const double q[3], double p[3]);

#endif
