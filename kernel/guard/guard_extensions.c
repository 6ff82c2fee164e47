/* guard_extensions.c - extensions of the system for a guarded solver: their functions get the solver's system, and the kernel's stand
 * behind them */
#include "guard/guard_shown.h"

#include <tenon/draft/error_scale.h>
#include <tenon/draft/freedom.h>

#include <string.h>

#define UNPACK(...) __VA_ARGS__
#define ARRAY(numbers) tn_guard_own_array(tn_guard_shown_of(system), numbers)
/* TABLE_FUNCTION(table, name, (declared arguments behind the system), arguments for the kernel) of functions that return a status;
 * TABLE_ACTION of those that return nothing. table_of() finds the kernel's. */
#define TABLE_FUNCTION(table, name, declared, ...)                            \
    static tn_status table##_##name(tn_system *system UNPACK declared)        \
    {                                                                         \
        tn_system *own = tn_guard_enter(system);                              \
        if (!own) return TN_FATAL;                                            \
        const tn_status returned = table##_of(own)->name(own, ##__VA_ARGS__); \
        tn_guard_leave(system);                                               \
        return returned;                                                      \
    }
#define TABLE_ACTION(table, name, declared, ...)                  \
    static void table##_##name(tn_system *system UNPACK declared) \
    {                                                             \
        tn_system *own = tn_guard_enter(system);                  \
        if (!own) return;                                         \
        table##_of(own)->name(own, __VA_ARGS__);                  \
        tn_guard_leave(system);                                   \
    }
#define REPLACE(table, name) guarded->name = table##_##name

static tn_system *own_of(tn_system *system) { return tn_guard_shown_of(system)->own; }

/* ---- operators ------------------------------------------------------------------------------------------- */

static const tn_operators *operate_of(tn_system *own) { return own->extension(own, TN_OPERATORS_KEY); }

TABLE_FUNCTION(operate, begin_step, ())
TABLE_FUNCTION(operate, row_values, (, double *residual, double *rate), ARRAY(residual), ARRAY(rate))
TABLE_FUNCTION(operate, end_step, (, const double *impulse, double length), ARRAY(impulse), length)
TABLE_FUNCTION(operate, mass_multiply, (, const double *x, double *product), ARRAY(x), ARRAY(product))
TABLE_FUNCTION(operate, mass_solve, (, double *x), ARRAY(x))
TABLE_ACTION(operate, rows_multiply, (, const double *x, double *product), ARRAY(x), ARRAY(product))
TABLE_ACTION(operate, rows_transposed_add, (, const double *lambda, double *sum), ARRAY(lambda), ARRAY(sum))

static const char *operate_owner_name(tn_system *system, uint32_t owner)
{
    return operate_of(own_of(system))->owner_name(own_of(system), owner);
}

static const void *guard_operators(tn_guard_shown *shown, const tn_operators *known)
{
    tn_operators *guarded = &shown->operators;
    *guarded = *known;
    REPLACE(operate, begin_step);
    REPLACE(operate, row_values);
    REPLACE(operate, end_step);
    REPLACE(operate, mass_multiply);
    REPLACE(operate, mass_solve);
    REPLACE(operate, rows_multiply);
    REPLACE(operate, rows_transposed_add);
    REPLACE(operate, owner_name);
    return guarded;
}

/* ---- points of contact ------------------------------------------------------------------------------------- */

static const tn_contact_rows *contact_of(tn_system *own) { return own->extension(own, TN_CONTACT_ROWS_KEY); }

/* The arrays are where the kernel has them now. */
static void show_contacts(tn_system *system)
{
    tn_contact_rows *guarded = &tn_guard_shown_of(system)->contacts;
    const tn_contact_rows functions = *guarded;
    *guarded = *contact_of(own_of(system));
    guarded->find = functions.find;
    guarded->before = functions.before;
    guarded->settle = functions.settle;
}

TABLE_FUNCTION(contact, settle, (, const double *impulse, const double *mean_rate, double length),
               ARRAY(impulse), ARRAY(mean_rate), length)

static tn_status contact_find(tn_system *system, double margin)
{
    tn_system *own = tn_guard_enter(system);
    if (!own) return TN_FATAL;
    const tn_status status = contact_of(own)->find(own, margin);
    show_contacts(system);
    tn_guard_leave(system);
    return status;
}

static uint32_t contact_before(tn_system *system, uint32_t k)
{
    return contact_of(own_of(system))->before(own_of(system), k);
}

static const void *guard_contacts(tn_guard_shown *shown, const tn_contact_rows *known)
{
    tn_contact_rows *guarded = &shown->contacts;
    *guarded = *known;
    REPLACE(contact, find);
    REPLACE(contact, before);
    REPLACE(contact, settle);
    return guarded;
}

/* ---- reports ----------------------------------------------------------------------------------------------- */

/* They only count: there is nothing to look at. */
static const tn_step_report *report_of(tn_system *own) { return own->extension(own, TN_STEP_REPORT_KEY); }

static uint32_t report_velocity_of(tn_system *system, uint32_t i)
{
    return report_of(own_of(system))->velocity_of(own_of(system), i);
}

static void report_rejected(tn_system *system, uint32_t reason)
{
    report_of(own_of(system))->rejected(own_of(system), reason);
}

static void report_governed(tn_system *system, uint32_t coordinate)
{
    report_of(own_of(system))->governed(own_of(system), coordinate);
}

static const void *guard_report(tn_guard_shown *shown, const tn_step_report *known)
{
    tn_step_report *guarded = &shown->report;
    *guarded = *known;
    REPLACE(report, velocity_of);
    REPLACE(report, rejected);
    REPLACE(report, governed);
    return guarded;
}

/* ---- what constraints leave free ----------------------------------------------------------------------------- */

static const tn_freedom *freedom_of(tn_system *own) { return own->extension(own, TN_FREEDOM_KEY); }

TABLE_FUNCTION(freedom, require_none, (, const char *cure), cure)
TABLE_FUNCTION(freedom, fail_along, (, tn_status why, const double *direction, const char *what), why,
               ARRAY(direction), what)
TABLE_FUNCTION(freedom, fail_at_rows, (, tn_status status, double *rows, const char *why, const char *what),
               status, ARRAY(rows), why, what)

static const tn_freedom guarded_freedom = {.struct_size = sizeof guarded_freedom,
                                           .require_none = freedom_require_none,
                                           .fail_along = freedom_fail_along,
                                           .fail_at_rows = freedom_fail_at_rows};

/* ---- statics ----------------------------------------------------------------------------------------------- */

static const tn_statics *statics_of(tn_system *own) { return own->extension(own, TN_STATICS_KEY); }

TABLE_FUNCTION(statics, begin, ())
TABLE_FUNCTION(statics, potential, (, double *potential), potential)
TABLE_ACTION(statics, scale_gravity, (, double factor), factor)
TABLE_ACTION(statics, describe, (, const double *direction, char *text, size_t size), ARRAY(direction), text,
             size)

static const char *statics_owner(tn_system *system, uint32_t coordinate, uint32_t *first, uint32_t *count)
{
    return statics_of(own_of(system))->owner(own_of(system), coordinate, first, count);
}

static const char *statics_switching(tn_system *system)
{
    return statics_of(own_of(system))->switching(own_of(system));
}

static const void *guard_statics(tn_guard_shown *shown, const tn_statics *known)
{
    tn_statics *guarded = &shown->statics;
    *guarded = *known;
    REPLACE(statics, begin);
    REPLACE(statics, potential);
    REPLACE(statics, scale_gravity);
    REPLACE(statics, describe);
    REPLACE(statics, owner);
    REPLACE(statics, switching);
    return guarded;
}

/* ---- complex equations --------------------------------------------------------------------------------------- */

static const tn_complex_equations *complex_of(tn_system *own)
{
    return own->extension(own, TN_COMPLEX_EQUATIONS_KEY);
}

TABLE_FUNCTION(complex, differentiate, ())
TABLE_FUNCTION(complex, factor_real, (, const tn_coefficients *coefficients, double row_factor), coefficients,
               row_factor)
TABLE_FUNCTION(complex, factor_complex, (, const tn_coefficients *coefficients, double row_factor),
               coefficients, row_factor)
TABLE_FUNCTION(complex, solve_real, (, double *right_hand_side), ARRAY(right_hand_side))
TABLE_FUNCTION(complex, solve_complex, (, double *right_hand_side), ARRAY(right_hand_side))
TABLE_ACTION(complex, multiply, (, const tn_coefficients *coefficients, const double *x, double *product),
             coefficients, ARRAY(x), ARRAY(product))
TABLE_ACTION(complex, multiply_rows, (, const double *x, double *product), ARRAY(x), ARRAY(product))

static const void *guard_complex(tn_guard_shown *shown, const tn_complex_equations *known)
{
    tn_complex_equations *guarded = &shown->complex;
    *guarded = *known;
    REPLACE(complex, differentiate);
    REPLACE(complex, factor_real);
    REPLACE(complex, factor_complex);
    REPLACE(complex, solve_real);
    REPLACE(complex, solve_complex);
    REPLACE(complex, multiply);
    REPLACE(complex, multiply_rows);
    return guarded;
}

/* ---- linearisation ------------------------------------------------------------------------------------------- */

static const tn_linearisation *linear_of(tn_system *own) { return own->extension(own, TN_LINEARISATION_KEY); }

TABLE_FUNCTION(linear, find, (, uint32_t axes), axes)
TABLE_ACTION(linear, to_own_axes, (, double *vector), ARRAY(vector))

static const char *linear_inexact(tn_system *system, uint32_t number, const char **why)
{
    return linear_of(own_of(system))->inexact(own_of(system), number, why);
}

static const char *linear_switching(tn_system *system, uint32_t number, const char **why, uint32_t *here)
{
    return linear_of(own_of(system))->switching(own_of(system), number, why, here);
}

static const char *linear_state_owner(tn_system *system, uint32_t state, uint32_t *number)
{
    return linear_of(own_of(system))->state_owner(own_of(system), state, number);
}

static const void *guard_linear(tn_guard_shown *shown, const tn_linearisation *known)
{
    tn_linearisation *guarded = &shown->linear;
    *guarded = *known;
    REPLACE(linear, find);
    REPLACE(linear, to_own_axes);
    REPLACE(linear, inexact);
    REPLACE(linear, switching);
    REPLACE(linear, state_owner);
    return guarded;
}

/* ---- tables -------------------------------------------------------------------------------------------------- */

static const tn_tables *tables_of(tn_system *own) { return own->extension(own, TN_TABLES_KEY); }

TABLE_FUNCTION(tables, write, (, const char *name, const void *content, size_t size, char *written), name,
               content, size, written)

static const void *guard_tables(tn_guard_shown *shown, const tn_tables *known)
{
    tn_tables *guarded = &shown->tables;
    *guarded = *known;
    REPLACE(tables, write);
    return guarded;
}

/* ---- signals --------------------------------------------------------------------------------------------------- */

static const tn_signals *signals_of(tn_system *own) { return own->extension(own, TN_SIGNALS_KEY); }

#define SIGNAL_INFO(name)                                               \
    static tn_signal_info signals_##name(tn_system *system, uint32_t k) \
    {                                                                   \
        return signals_of(own_of(system))->name(own_of(system), k);     \
    }
#define SIGNAL_SEARCH(name)                                                              \
    static uint32_t signals_##name(tn_system *system, const char *text, uint32_t *first) \
    {                                                                                    \
        return signals_of(own_of(system))->name(own_of(system), text, first);            \
    }
SIGNAL_INFO(input)
SIGNAL_INFO(output)
SIGNAL_INFO(position)
SIGNAL_INFO(state)
SIGNAL_SEARCH(find_input)
SIGNAL_SEARCH(find_output)
SIGNAL_SEARCH(find_position)
TABLE_FUNCTION(signals, find, (, const char **problem), problem)

static const void *guard_signals(tn_guard_shown *shown, const tn_signals *known)
{
    tn_signals *guarded = &shown->signals;
    *guarded = *known;
    REPLACE(signals, input);
    REPLACE(signals, output);
    REPLACE(signals, position);
    REPLACE(signals, state);
    REPLACE(signals, find_input);
    REPLACE(signals, find_output);
    REPLACE(signals, find_position);
    REPLACE(signals, find);
    return guarded;
}

/* ---- constraint solvers ---------------------------------------------------------------------------------------- */

static const tn_constraint_solver *constraint_standard(tn_system *system, const char *name)
{
    tn_system *own = tn_guard_enter(system);
    if (!own) return NULL;
    const tn_constraint_solver *known = own->extension(own, TN_CONSTRAINT_SOLVER_KEY);
    const tn_constraint_solver *found = known->standard(own, name);
    tn_guard_leave(system);
    return found;
}

static const void *guard_constraint_solver(tn_guard_shown *shown, const tn_constraint_solver *known)
{
    tn_constraint_solver *guarded = &shown->constraint;
    *guarded = *known;
    REPLACE(constraint, standard);
    return guarded;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

const void *tn_guard_extension(tn_system *system, const char *key)
{
    tn_guard_shown *shown = tn_guard_shown_of(system);
    tn_system *own = tn_guard_enter(system);
    const void *known = own ? own->extension(own, key) : NULL;
    if (own) tn_guard_leave(system);
    if (!known || strcmp(key, TN_ERROR_SCALE_KEY) == 0) return known;
    if (strcmp(key, TN_OWN_MATRICES_KEY) == 0) return known; // which know nothing of the system
    if (strcmp(key, TN_OPERATORS_KEY) == 0) return guard_operators(shown, known);
    if (strcmp(key, TN_CONTACT_ROWS_KEY) == 0) return guard_contacts(shown, known);
    if (strcmp(key, TN_STEP_REPORT_KEY) == 0) return guard_report(shown, known);
    if (strcmp(key, TN_STATICS_KEY) == 0) return guard_statics(shown, known);
    if (strcmp(key, TN_COMPLEX_EQUATIONS_KEY) == 0) return guard_complex(shown, known);
    if (strcmp(key, TN_LINEARISATION_KEY) == 0) return guard_linear(shown, known);
    if (strcmp(key, TN_TABLES_KEY) == 0) return guard_tables(shown, known);
    if (strcmp(key, TN_SIGNALS_KEY) == 0) return guard_signals(shown, known);
    if (strcmp(key, TN_CONSTRAINT_SOLVER_KEY) == 0) return guard_constraint_solver(shown, known);
    if (strcmp(key, TN_FREEDOM_KEY) == 0) return &guarded_freedom;
    return NULL; // functions of a table that is not known here would get the solver's system
}
