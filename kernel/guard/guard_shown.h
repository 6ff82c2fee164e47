/* guard_shown.h - what a guarded solver works on, and the ways into the kernel and back (guard_solver.c, guard_extensions.c) */
#ifndef TN_GUARD_SHOWN_H
#define TN_GUARD_SHOWN_H

#include "guard/guard_frame.h"

#include <tenon/draft/complex_equations.h>
#include <tenon/draft/impulses.h>
#include <tenon/draft/linearisation.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/signals.h>
#include <tenon/draft/statics.h>
#include <tenon/draft/step_report.h>
#include <tenon/draft/tables.h>

/* The system stands first, so that its functions find the rest. */
typedef struct tn_guard_shown {
    tn_system system;
    tn_system *own;   /* the kernel's */
    tn_system before; /* as the solver got it last */
    tn_guard_frame frame;
    bool broken; /* a fault was told: nothing is called any more */

    /* tables of extensions with guarded functions */
    tn_operators operators;
    tn_step_report report;
    tn_statics statics;
    tn_complex_equations complex;
    tn_linearisation linear;
    tn_tables tables;
    tn_signals signals;
    tn_constraint_solver constraint;
} tn_guard_shown;

static inline tn_guard_shown *tn_guard_shown_of(tn_system *system)
{
    return (tn_guard_shown *)(void *)system;
}

/* The kernel's own numbers for an array that stands among the solver's copies; others stay what they are. */
double *tn_guard_own_array(const tn_guard_shown *shown, const double *numbers);
/* The kernel's system in the state that the solver has left; NULL: it has done what it must not. */
tn_system *tn_guard_enter(tn_system *system);
/* What has become of the kernel's system. */
void tn_guard_leave(tn_system *system);

/* The table of an extension, with functions that enter the kernel and leave it; NULL: there is none. */
const void *tn_guard_extension(tn_system *system, const char *key);

#endif
