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

/* Markers of one kind on the bodies, several on some; body of each. */
typedef struct tn_riders {
    const tn_bodies *bodies;
    uint32_t count, kind, size; /* size: doubles of a twist */
    uint32_t *body;
    void *data;
    int32_t *alias_pose, *alias_twist;
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
