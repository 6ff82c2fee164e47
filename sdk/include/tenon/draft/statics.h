/* tenon/draft/statics.h - "tenon.statics/1" of tn_system: what solvers that seek an equilibrium need beyond the equations: the
 * potential energy, gravity by a factor, and names of motions. */
#ifndef TENON_DRAFT_STATICS_H
#define TENON_DRAFT_STATICS_H

#include "tenon/solver.h"

#define TN_STATICS_KEY "tenon.statics/1"
typedef struct tn_statics {
    uint32_t struct_size;
    uint32_t has_gravity; /* 1: gravity of the model is not zero */
    /* [setup] Evaluates the current state, of which elements hear as of an accepted one, without a row: lengths and offsets that are
     * those of the start are found before anything moves. TN_RETRY: outside a domain. */
    tn_status (*begin)(tn_system *system);
    /* [hot] Potential energy of all elements whose types tell it, J, at the last evaluation. Others may do work, too: who relies on
     * it compares its slope with the forces. TN_RETRY: some of them have no value there. */
    tn_status (*potential)(tn_system *system, double *potential);
    /* Gravity is `factor` times that of the model from here on, until it is called with 1. Evaluations are void. */
    void (*scale_gravity)(tn_system *system, double factor);
    /* The motion of the bodies along a `direction` [nv] of v, in words that go into a sentence, ground axes: "`wheel` turns about
     * (0, 1, 0) through (2, 0, 0.3)". Bodies that hardly move are left out. */
    void (*describe)(tn_system *system, const double *direction, char *text, size_t size);
    /* The name of the element that coordinate `coordinate` of v belongs to, and which of them are its own. */
    const char *(*owner)(tn_system *system, uint32_t coordinate, uint32_t *first, uint32_t *count);
    /* The name of the first active element whose law switches by discrete data; NULL: there is none. */
    const char *(*switching)(tn_system *system);
} tn_statics;

#endif
