/* iterative.h - what pcg, minres and gmres share
 *
 * All work on a copy of the matrix in rows of blocks, F = S D A S: D turns the signs of the rows of constraints, for the kernel's
 * matrix [A, -G^T; G, E] is symmetric but for these, and S makes unknowns of different units comparable. Its entries are powers of
 * two, so that F has the very numbers of A. A cycle of a method reduces the residual; solve.c begins another one from the true
 * residual until that is small. */
#ifndef TENON_ITERATIVE_H
#define TENON_ITERATIVE_H

#include <tenon/author.h>
#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

enum { LARGEST_BLOCK = 6 };

/* ---- matrices in rows of blocks (block_matrix.c) ------------------------------------------------------------------- */

/* The pattern is symmetric, with all diagonal blocks. Blocks are dense, column by column: what a column adds to some rows takes one instruction. */
typedef struct block_matrix {
    uint32_t count;        /* of rows of blocks */
    const uint32_t *start; /* [count + 1] block b has the unknowns start[b] to start[b + 1] - 1 */
    int32_t *row_start;    /* [count + 1] */
    int32_t *column;       /* [row_start[count]] ascending */
    int32_t *mate;         /* [row_start[count]] entry of the block on the other side of the diagonal */
    int32_t *diagonal;     /* [count] entry of the diagonal block */
    size_t *place;         /* [row_start[count] + 1] of the first value of a block */
    double *value;
} block_matrix;

static inline uint32_t block_size(const block_matrix *F, uint32_t b) { return F->start[b + 1] - F->start[b]; }

/* y -= B x, x, y being vectors of the block. */
void subtract_block_product(uint32_t rows, uint32_t columns, const double *B, const double *x, double *y);

/* ---- one solver ---------------------------------------------------------------------------------------------------- */

/* The parameters of a type. */
typedef struct iterative_settings {
    double tolerance;
    int64_t iterations, restart; /* restart: of gmres */
    int32_t preconditioner;      /* enum preconditioner_kind */
} iterative_settings;
enum preconditioner_kind { INCOMPLETE, BLOCKS };

typedef struct iterative iterative;

/* What sets a method apart. */
typedef struct iterative_method {
    const char *name;
    bool is_symmetric;     /* the matrix has to be so, up to the signs of rows of constraints */
    bool is_definite;      /* and positive definite */
    uint32_t vectors;      /* beside those that all have; gmres has those of its basis besides */
    double most_asymmetry; /* against the scaled diagonal */
    /* Takes `target` off the residual, as a share, into `correction`; TN_RETRY: the matrix is not positive definite. Adds to `used`. */
    tn_status (*cycle)(iterative *k, double target);
} iterative_method;

struct iterative {
    const iterative_method *method;
    const tn_host *host;
    iterative_settings settings;
    uint32_t size;
    struct iterative_memory *memory; /* all of it */

    block_matrix F;
    uint32_t *block;  /* [size] of an unknown */
    double *scale;    /* [size] S */
    double *sign;     /* [size] D */
    double *row_part; /* [blocks] of sums over rows of blocks */
    double asymmetry; /* largest difference across the diagonal, whose entries are about 1 */

    uint32_t tail;         /* first block that may be a constraint, */
    uint32_t constraints;  /* and first one that is one; F.count without */
    block_matrix schur;    /* of the blocks from `tail` on: E + G A^-1 G^T with the diagonal blocks of A */
    double *inverse;       /* inverses of the diagonal blocks of F, for that */
    size_t *inverse_place; /* [F.count + 1] of the blocks in `inverse` and `pivot` */
    double *pivot;         /* inverse diagonal blocks of the incomplete factors */
    bool sweeps_bodies, sweeps_constraints; /* factors are incomplete ones, not of blocks alone */
    bool factored, is_indefinite;

    double *right, *x, *residual, *correction; /* [size] */
    double *vector;                            /* [method->vectors][size] */
    double *basis, *hessenberg;                /* of gmres */
    double *part;                              /* sums over blocks of numbers */
    int64_t used;                              /* iterations of this solution, */
    int64_t last;                              /* and of the one before */
};

static inline double *vector_of(const iterative *k, uint32_t number)
{
    return k->vector + (size_t)number * k->size;
}

/* Zeroed memory until iterative_free(); NULL: there is none. */
void *iterative_new(iterative *k, size_t count, size_t size);
void iterative_free(iterative *k);

/* ---- block_matrix.c ------------------------------------------------------------------------------------------------ */

tn_status block_matrix_make(iterative *k, const tn_matrix *pattern);
/* The rest of a matrix whose rows are listed: places, and memory for values. */
bool block_matrix_complete(iterative *k, block_matrix *F);
/* The values of A, as they are. */
void block_matrix_fill(iterative *k, const tn_matrix *A);
/* F from these. TN_RETRY: a row of zeros, or what is no number. */
tn_status block_matrix_scale(iterative *k);
/* y = F x */
void block_matrix_multiply(iterative *k, const double *x, double *y);
/* y = |F| |x| + |b| */
void block_matrix_terms(iterative *k, const double *x, const double *b, double *y);

/* ---- constraints.c ------------------------------------------------------------------------------------------------- */

/* The pattern of the Schur complement. */
tn_status constraints_make(iterative *k);
/* Finds the constraints, and the signs of their rows, by the values of A. */
void constraints_find(iterative *k);
/* The Schur complement of F, by `inverse`. */
void constraints_fill(iterative *k);

/* ---- preconditioner.c ---------------------------------------------------------------------------------------------- */

tn_status preconditioner_make(iterative *k);
/* TN_RETRY: singular. Finds whether a diagonal block tells that the matrix is not positive definite. */
tn_status preconditioner_factor(iterative *k);
/* z = M^-1 r; z may be r */
void preconditioner_apply(iterative *k, const double *r, double *z);

/* ---- vectors.c: loops on the threads of the run; sums do not depend on their number ---------------------------------- */

double vector_dot(iterative *k, const double *a, const double *b);
double vector_norm(iterative *k, const double *a);
/* y = f x + g y */
void vector_combine(iterative *k, double f, const double *x, double g, double *y);
void vector_scale(iterative *k, double f, double *y);
void vector_add(iterative *k, double f, const double *x, double *y);
void vector_copy(iterative *k, const double *from, double *to);
void vector_clear(iterative *k, double *x);

/* ---- solve.c ------------------------------------------------------------------------------------------------------- */

tn_status iterative_solve(iterative *k, double *right_hand_side);
/* Tells it. */
tn_status iterative_refuse_indefinite(const iterative *k);

/* ---- iterative.c: what the types have in common ---------------------------------------------------------------------- */

tn_status iterative_create(const tn_host *host, const iterative_method *method, iterative_settings settings,
                           const tn_matrix *matrix, void **self);
tn_status iterative_factor(void *self, const tn_matrix *matrix);
tn_status iterative_substitute(void *self, double *right_hand_side);
tn_status iterative_state(void *self, const tn_matrix *pattern, tn_state_visitor *visitor);
tn_status iterative_estimate(void *self, double *entries, double *operations);
void iterative_destroy(void *self);

extern const tn_linear_type pcg_type, minres_type, gmres_type;

#define ITERATIVE_PARAMETERS(P)                                                                   \
    P(REAL, tolerance, "", 0, 1e-12, 1e-15, 1e-6,                                                 \
      "residual that a solution may leave, as a share of the right-hand side, rows being scaled") \
    P(INTEGER, iterations, 0, 2000, 1, 1e9, "iterations of a solution, at most")                  \
    P(CHOICE, preconditioner, "incomplete|blocks", 0, 0,                                          \
      "incomplete factors without fill, or inverses of the blocks of bodies and of constraints alone")
#define ITERATIVE_SETTINGS(of)                                                                               \
    {                                                                                                        \
        .tolerance = (of)->tolerance, .iterations = (of)->iterations, .preconditioner = (of)->preconditioner \
    }

/* The fields of a type that all have alike. */
#define ITERATIVE_TYPE(type)                                                                     \
    .struct_size = sizeof(tn_linear_type), .name = #type, .parameters = type##_parameters,       \
    .instance_size = sizeof(type), .synonyms = type##_synonyms, .flags = TN_SOLVES_TO_TOLERANCE, \
    TN_CAPABILITIES(TN_HAS(linear_state, .state = iterative_state),                              \
                    TN_HAS(estimate, .estimate = iterative_estimate)),                           \
    .create = create, .factor = iterative_factor, .solve = iterative_substitute,                 \
    .destroy = iterative_destroy

#endif
