/* guard_solver.c - guarded calls of solvers, and of what they call
 *
 * A solver gets a system of its own: copies of the kernel's arrays between guard words, and functions that stand in front of
 * the kernel's. Each of them looks at all of it, takes what the solver may write to the kernel's system, calls the function
 * there, and copies back. Between two of them nothing is allowed to change but what is the solver's to write. */
#include "guard/guard_frame.h"
#include "plugin/call_site.h"

#include <string.h>

/* What the solver works on; the system stands first, so that its functions find the rest. */
typedef struct shown {
    tn_system system;
    tn_system *own;   /* the kernel's */
    tn_system before; /* as the solver got it last */
    tn_guard_frame frame;
    bool broken; /* a fault was told: nothing is called any more */
} shown;

static shown *shown_of(tn_system *system) { return (shown *)(void *)system; }

/* ---- the way in and out ---------------------------------------------------------------------------------- */

/* The kernel's own numbers for an array that stands among the solver's copies; others stay what they are. */
static double *inside(const shown *s, const double *numbers)
{
    const uintptr_t at = (uintptr_t)numbers, memory = (uintptr_t)s->frame.memory;
    for (size_t k = 0; numbers && k < s->frame.count; k++) {
        const tn_guard_array *array = &s->frame.array[k];
        const uintptr_t start = memory + array->place;
        if (at >= start && at <= start + array->bytes)
            return (double *)(void *)((char *)array->outside + (at - start));
    }
    return (double *)at;
}

/* The fields that a solver writes. */
static void take_fields(tn_system *to, const tn_system *from)
{
    to->time = from->time;
    to->row_factor = from->row_factor;
    to->state_factor = from->state_factor;
    to->state_base = from->state_base;
    to->frozen = from->frozen;
}

static bool is_whole(shown *s)
{
    tn_system expected;
    memcpy(&expected, &s->before, sizeof expected);
    take_fields(&expected, &s->system);
    if (tn_guard_look(&s->frame, TN_OK) && !memcmp(&expected, &s->system, sizeof expected)) return true;
    if (!s->frame.what[0])
        (void)tn_print_cut(s->frame.what, sizeof s->frame.what, "changes the system itself");
    return false;
}

/* The kernel's system in the state that the solver has left; NULL: it has done what it must not. */
static tn_system *enter(tn_system *system)
{
    shown *s = shown_of(system);
    if (s->broken) return NULL;
    if (!is_whole(s)) {
        s->broken = true;
        (void)tn_guard_tell(s->frame.what, NULL, NULL);
        return NULL;
    }
    tn_guard_return(&s->frame);
    take_fields(s->own, &s->system);
    s->own->state_base = inside(s, s->system.state_base);
    return s->own;
}

static void replace_functions(tn_system *system);

/* What has become of the kernel's system. */
static void leave(tn_system *system)
{
    shown *s = shown_of(system);
    const tn_system arrays = s->system;
    const bool same_base = s->own->state_base == inside(s, arrays.state_base);
    memcpy(&s->system, s->own, sizeof s->system);
    s->system.run = arrays.run;
    s->system.q = arrays.q;
    s->system.v = arrays.v;
    s->system.a = arrays.a;
    s->system.x = arrays.x;
    s->system.x_rate = arrays.x_rate;
    s->system.lambda = arrays.lambda;
    s->system.force = arrays.force;
    s->system.scale = arrays.scale;
    s->system.row_level = arrays.row_level;
    s->system.state_held = arrays.state_held;
    s->system.angular = arrays.angular;
    if (same_base) s->system.state_base = arrays.state_base;
    replace_functions(&s->system);
    tn_guard_renew(&s->frame);
    memcpy(&s->before, &s->system, sizeof s->before);
}

/* ---- the functions --------------------------------------------------------------------------------------- */

/* FUNCTION(name, (declared arguments behind the system), arguments for the kernel) of functions that return a status. */
#define UNPACK(...) __VA_ARGS__
#define ARRAY(numbers) inside(shown_of(system), numbers)
#define FUNCTION(name, declared, ...)                           \
    static tn_status name(tn_system *system UNPACK declared)    \
    {                                                           \
        tn_system *own = enter(system);                         \
        if (!own) return TN_FATAL;                              \
        const tn_status status = own->name(own, ##__VA_ARGS__); \
        leave(system);                                          \
        return status;                                          \
    }

FUNCTION(evaluate, ())
FUNCTION(accelerate, (, double *a), ARRAY(a))
FUNCTION(residual, (, const double *a, double *residual), ARRAY(a), ARRAY(residual))
FUNCTION(rate, (, double *rate), ARRAY(rate))
FUNCTION(retract, (, const double *from, const double *increment, double *to), ARRAY(from), ARRAY(increment),
         ARRAY(to))
FUNCTION(normalise, (, double *q), ARRAY(q))
FUNCTION(matrix, (, double c_mass, double c_damping, double c_stiffness), c_mass, c_damping, c_stiffness)
FUNCTION(factor, ())
FUNCTION(solve, (, double *right_hand_side), ARRAY(right_hand_side))
FUNCTION(accept, ())
FUNCTION(fail, (, tn_status why, const double *residual, const char *what_was_tried), why, ARRAY(residual),
         what_was_tried)
FUNCTION(constraint, (, double *residual), ARRAY(residual))
FUNCTION(constraint_rate, (, double *rate), ARRAY(rate))
FUNCTION(project, ())
FUNCTION(event_values, (, double *value), ARRAY(value))
FUNCTION(state_tangent, (, double *force_by_state, double *rate_by_motion, double *rate_by_state),
         ARRAY(force_by_state), ARRAY(rate_by_motion), ARRAY(rate_by_state))
FUNCTION(update, (, double step, double *error, double *recommended_step), step, error, recommended_step)
FUNCTION(fail_at_jump, (, tn_status why, const double *jump, const char *what_was_tried), why, ARRAY(jump),
         what_was_tried)

static tn_matrix *pattern(tn_system *system)
{
    tn_system *own = enter(system);
    tn_matrix *made = own ? own->pattern(own) : NULL;
    if (own) leave(system);
    return made;
}

static void constraint_product(tn_system *system, const double *direction, double *product)
{
    tn_system *own = enter(system);
    if (!own) return;
    own->constraint_product(own, ARRAY(direction), ARRAY(product));
    leave(system);
}

static void restore_data(tn_system *system)
{
    tn_system *own = enter(system);
    if (!own) return;
    own->restore_data(own);
    leave(system);
}

static void transport(tn_system *system, const double *from, const double *to, const double *vector,
                      double *result, const double *second, double *second_result)
{
    tn_system *own = enter(system);
    if (!own) return;
    own->transport(own, ARRAY(from), ARRAY(to), ARRAY(vector), ARRAY(result), ARRAY(second),
                   ARRAY(second_result));
    leave(system);
}

static uint32_t slide(tn_system *system, double time, uint32_t implicit)
{
    tn_system *own = enter(system);
    if (!own) return 0;
    const uint32_t count = own->slide(own, time, implicit);
    leave(system);
    return count;
}

static void warn(tn_system *system, uint32_t coordinate, const char *text)
{
    tn_system *own = enter(system);
    if (!own) return;
    own->warn(own, coordinate, text);
    leave(system);
}

/* Functions of a table of somebody's would get the solver's system: there is none. */
static const void *extension(tn_system *system, const char *key)
{
    (void)system, (void)key;
    return NULL;
}

/* One that the system does not have stays away. */
#define REPLACE(name) \
    if (system->name) system->name = name;
static void replace_functions(tn_system *system)
{
    REPLACE(evaluate)
    REPLACE(accelerate)
    REPLACE(residual)
    REPLACE(rate)
    REPLACE(retract)
    REPLACE(normalise)
    REPLACE(pattern)
    REPLACE(matrix)
    REPLACE(factor)
    REPLACE(solve)
    REPLACE(accept)
    REPLACE(fail)
    REPLACE(constraint)
    REPLACE(constraint_rate)
    REPLACE(constraint_product)
    REPLACE(project)
    REPLACE(event_values)
    REPLACE(state_tangent)
    REPLACE(update)
    REPLACE(restore_data)
    REPLACE(transport)
    REPLACE(slide)
    REPLACE(warn)
    REPLACE(fail_at_jump)
    REPLACE(extension)
}

/* ---- the solver ------------------------------------------------------------------------------------------ */

static const tn_solver_type *own_solver(void) { return (const tn_solver_type *)tn_site->type + 1; }

static void add_arrays(shown *s)
{
    tn_system *system = &s->system;
    tn_guard_frame *frame = &s->frame;
    const size_t number = sizeof(double), nv = system->nv, nx = system->nx, rows = system->rows;
    tn_guard_add(frame, "run", &system->run, 1, sizeof *system->run, TN_GUARD_READS);
    tn_guard_add(frame, "q", &system->q, 1, system->nq * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "v", &system->v, 1, nv * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "a", &system->a, 1, nv * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "x", &system->x, 1, nx * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "x_rate", &system->x_rate, 1, nx * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "lambda", &system->lambda, 1, rows * number, TN_GUARD_RENEWS);
    tn_guard_add(frame, "force", &system->force, 1, nv * number, TN_GUARD_READS);
    tn_guard_add(frame, "scale", &system->scale, 1, nv * number, TN_GUARD_READS);
    tn_guard_add(frame, "row_level", &system->row_level, 1, rows, TN_GUARD_READS);
    tn_guard_add(frame, "state_held", &system->state_held, 1, nx, TN_GUARD_READS);
    tn_guard_add(frame, "angular", &system->angular, 1, nv, TN_GUARD_READS);
}

static tn_status advance(const void *instance, tn_system *system)
{
    const tn_solver_type *own = own_solver();
    const void *parameters = instance;
    shown s = {.own = system};
    memcpy(&s.system, system, sizeof s.system);
    add_arrays(&s);
    tn_guard_add(&s.frame, "instance", &parameters, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_open(&s.frame);
    leave(&s.system);
    const tn_status status = own->advance(parameters, &s.system);
    const bool whole = enter(&s.system) != NULL;
    system->state_base = NULL; /* it may have been among the copies */
    tn_guard_close(&s.frame);
    return whole ? status : TN_FATAL;
}

static tn_status finish(tn_guard_frame *frame, tn_status status)
{
    const bool whole = tn_guard_look(frame, status);
    if (whole) tn_guard_return(frame);
    tn_guard_close(frame);
    return whole ? status : tn_guard_tell(frame->what, NULL, NULL);
}

static tn_status prepare(const tn_host *host, void *instance, tn_run *run)
{
    const tn_solver_type *own = own_solver();
    tn_guard_frame frame = {.count = 0};
    const tn_host *guarded_host = host;
    tn_guard_add(&frame, "host", &guarded_host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &instance, 1, own->instance_size, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "run", &run, 1, sizeof *run, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->prepare(guarded_host, instance, run);
    return finish(&frame, status);
}

static tn_status check(const tn_host *host, const void *instance, const tn_system *system)
{
    const tn_solver_type *own = own_solver();
    tn_guard_frame frame = {.count = 0};
    const tn_host *guarded_host = host;
    tn_guard_add(&frame, "host", &guarded_host, 1, sizeof *host, TN_GUARD_READS);
    tn_guard_add(&frame, "instance", &instance, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "system", &system, 1, sizeof *system, TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_status status = own->check(guarded_host, instance, system);
    return finish(&frame, status);
}

void tn_guard_solver(tn_solver_type *type)
{
    type->advance = advance;
    if (type->prepare) type->prepare = prepare;
    if (type->check) type->check = check;
}
