/* bodies.h - a batch of random bodies in random states, and random markers that ride on them */
#ifndef TENON_TESTS_BODIES_H
#define TENON_TESTS_BODIES_H

#include "harness.h"

typedef struct tn_bodies {
    tn_trial *trial;
    const tn_loaded_element *type;
    uint32_t count, nq, nv;
    tn_layout layout;
    tn_instances instances;
    tn_dynamics dynamics;
    double *q, *v, *a;
    double gravity[3], time;
    /* Entries that their own matrices have, as the type lists them; 0: the matrices are full. */
    uint32_t entries;
    const uint32_t *row, *column;
} tn_bodies;

/* TN_SAMPLES moving and turning bodies; false, and a failure, when the type refuses or is not sound. */
bool tn_draw_bodies(tn_trial *trial, tn_dynamics dynamics, tn_bodies *bodies);

typedef void (*tn_bodies_check)(tn_trial *trial, const tn_bodies *bodies);
/* Runs a check with and without dynamic parameters. */
void tn_for_each_bodies(tn_trial *trial, tn_bodies_check check);

/* The batch of all bodies at q and v, ready for outputs to be set; and a call that notes failures. */
tn_batch tn_bodies_batch(const tn_bodies *bodies, const double *q, const double *v);
bool tn_bodies_call(const tn_bodies *bodies, const char *what, tn_batch_function function, tn_batch *batch);
/* q [+] increment, and N(q) v, by the type or as in a vector space. */
bool tn_bodies_retract(const tn_bodies *bodies, const double *q, const double *increment, double *to);
bool tn_bodies_rate(const tn_bodies *bodies, const double *q, const double *v, double *rate);
/* q [+] step * direction, direction [count][nv]. */
bool tn_bodies_move(const tn_bodies *bodies, const double *direction, double step, double *to);
/* The direction along which increment `column` of every body is one and the others are zero. */
double *tn_bodies_direction(const tn_bodies *bodies, uint32_t column);

/* The list of entries of the first body becomes that of all; whether body i has the same one. */
bool tn_bodies_take_list(tn_bodies *bodies);
bool tn_bodies_have_list(const tn_bodies *bodies, uint32_t i);
/* Which entries of a full matrix are listed, [nv][nv]; an unsound list is a failure, and NULL where it cannot be used. */
bool *tn_bodies_listed(const tn_bodies *bodies);
/* Numbers of a matrix of one body; and one block of listed numbers, `stride` from body to body, in full matrices whose rows have
 * `columns` numbers. */
size_t tn_bodies_entries(const tn_bodies *bodies);
void tn_bodies_expand(const tn_bodies *bodies, const double *listed, size_t stride, double *full,
                      size_t columns);
/* Mass matrices, full, [count][nv][nv]; NULL where that failed. */
double *tn_bodies_mass(const tn_bodies *bodies);
/* Cholesky factorisation in place, lower triangle; false when a pivot is not positive. */
bool tn_is_positive(double *matrix, size_t n);

/* Markers of one kind on the bodies, several on some; body of each. */
typedef struct tn_riders {
    const tn_bodies *bodies;
    uint32_t count, kind, size; /* size: doubles of a twist */
    uint32_t *body;
    void *data;
    size_t data_size; /* bytes of each */
    int32_t *alias_pose, *alias_twist;
    uint32_t *first,
        columns; /* of the coordinates that each depends on, and their number, which is that of all */
} tn_riders;

typedef void (*tn_riders_check)(tn_trial *trial, const tn_riders *riders);
/* Runs a check for points, frames and coordinates, where the type carries them. */
void tn_for_each_riders(tn_trial *trial, tn_riders_check check);

/* A rider that stands in the body's coordinates is read there when the type has no function. */
bool tn_riders_pose(const tn_riders *riders, const double *q, double *pose);
bool tn_riders_twist(const tn_riders *riders, const double *q, const double *v, double *twist);
bool tn_riders_jacobian(const tn_riders *riders, const double *q, double *matrix);
bool tn_riders_twist_derivative(const tn_riders *riders, const double *q, const double *v, double *matrix);
/* Adds to `force`, [bodies][nv]. */
bool tn_riders_pull_back(const tn_riders *riders, const double *q, const double *wrench, double *force);
bool tn_riders_pull_back_derivative(const tn_riders *riders, const double *q, const double *wrench,
                                    double *matrix);

#endif
