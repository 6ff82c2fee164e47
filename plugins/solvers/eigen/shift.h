/* shift.h - the equations of one shift s for positions q, multipliers l and states x (shift.c). */
#ifndef TENON_EIGEN_SHIFT_H
#define TENON_EIGEN_SHIFT_H

#include "eigen.h"
#include "matrices.h"

/* Parts of the matrix. */
enum {
    SHIFT_STIFFNESS,      /* K + D T */
    SHIFT_DAMPING,        /* D + M T */
    SHIFT_MASS,           /* M */
    SHIFT_REACTIONS,      /* B */
    SHIFT_POSITION_ROWS,  /* G */
    SHIFT_VELOCITY_ROWS,  /* A */
    SHIFT_ROW_SLOPES,     /* L + A T */
    SHIFT_STATE_FORCES,   /* F */
    SHIFT_RATE_BY_PLACE,  /* R_q + R_v T */
    SHIFT_RATE_BY_MOTION, /* R_v */
    SHIFT_RATE_BY_STATE,  /* H */
    SHIFT_UNIT,
    SHIFT_PARTS
};

typedef struct eigen_shift {
    const eigen_work *work;
    uint32_t nv, rows, states, size; /* nv + rows + states */
    tn_sparse part[SHIFT_PARTS];
    eigen_block block[SHIFT_PARTS];
    size_t blocks;
    double row_factor, velocity_factor; /* what multipliers are scaled by, and velocity rows */
    tn_matrix pattern;
    void *opened[2];                /* of real matrices, and of complex ones */
    bool is_real;                   /* the last one that was factorised */
    double *number;                 /* its real values [entries], and */
    double _Complex *value;         /* all values [entries] */
    double _Complex *diagonal;      /* [size] E */
    double largest;                 /* entry */
    double _Complex *rest, *answer; /* [size] */
    double *real;                   /* [size] */
} eigen_shift;

/* The parts; whatever tn_shift_open() returns, tn_shift_close() ends it. */
tn_status tn_shift_open(const eigen_work *work, eigen_shift *shift);
void tn_shift_close(eigen_shift *shift);
/* Of M and D: s^2 and s, or others where there are neither velocity rows nor states. TN_RETRY: the matrix is singular. */
tn_status tn_shift_factor(eigen_shift *shift, double _Complex mass, double _Complex damping);
/* A right-hand side of forces [nv], rows (of velocity rows as they are, not scaled) and rates of states becomes q, l, x. */
tn_status tn_shift_solve(eigen_shift *shift, double _Complex *b);

#endif
