/* states.h - random states of a model, and its matrix there as a full one. */
#ifndef TENON_TESTS_SYSTEM_STATES_H
#define TENON_TESTS_SYSTEM_STATES_H

#include "harness.h"

typedef struct tn_probe {
    tn_world world;
    tn_random random;
    uint32_t n;        /* velocity coordinates */
    double *q, *v;     /* the current state */
    double *start;     /* configuration of the model */
    double *increment; /* [n], zero between uses */
    double *base;      /* [nx] where states of elements follow the motion; else NULL */
} tn_probe;

/* Zeroed; free with free(). */
double *tn_numbers(size_t count);
/* `plugin` (or NULL) is a file that stands in for the type `type`. */
void tn_probe_open(tn_probe *probe, const char *model, const char *type, const char *plugin);
/* States of elements follow the motion from here on, as in an implicit step, from random starts. */
void tn_probe_follow_states(tn_probe *probe, double factor);
void tn_probe_close(tn_probe *probe);
/* Every body moved by up to 1.8 m per axis and turned by up to half a turn, with any velocity, at any
 * time; springs stay longer than 0.5 m and angles well-defined, since what bends more is beyond differences.
 * The state counts as accepted, and the system is evaluated there. */
void tn_probe_draw(tn_probe *probe);
/* Takes the system to the current state of another probe of the same model. */
void tn_probe_follow(tn_probe *probe, const tn_probe *other);
/* The matrix with these factors at the state of the last evaluation, [n][n] by rows; without those of constraints. */
void tn_probe_matrix(tn_probe *probe, double c_mass, double c_damping, double c_stiffness, double *full);
double tn_largest_of(const double *values, size_t count);

#endif
