/* guard_solver.c - guarded calls of solvers, and of what they call
 *
 * A solver gets a system of its own: copies of the kernel's arrays between guard words, and functions that stand in front of
 * the kernel's. Each of them looks at all of it, takes what the solver may write to the kernel's system, calls the function
 * there, and copies back. Between two of them nothing is allowed to change but what is the solver's to write. */
#include "guard/guard_shown.h"
#include "plugin/call_site.h"
#include "plugin/loaded_types.h"

#include <string.h>

/* ---- the way in and out ---------------------------------------------------------------------------------- */

double *tn_guard_own_array(const tn_guard_shown *s, const double *numbers)
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
    to->corrects = from->corrects;
    to->state_base = from->state_base;
    to->frozen = from->frozen;
}

static bool is_whole(tn_guard_shown *s)
{
    tn_system expected;
    memcpy(&expected, &s->before, sizeof expected);
    take_fields(&expected, &s->system);
    if (tn_guard_look(&s->frame, TN_OK) && !memcmp(&expected, &s->system, sizeof expected)) return true;
    if (!s->frame.what[0])
        (void)tn_print_cut(s->frame.what, sizeof s->frame.what, "changes the system itself");
    return false;
}

tn_system *tn_guard_enter(tn_system *system)
{
    tn_guard_shown *s = tn_guard_shown_of(system);
    if (s->broken) return NULL;
    if (!is_whole(s)) {
        s->broken = true;
        (void)tn_guard_tell(s->frame.what, NULL, NULL);
        return NULL;
    }
    tn_guard_return(&s->frame);
    take_fields(s->own, &s->system);
    s->own->state_base = tn_guard_own_array(s, s->system.state_base);
    return s->own;
}

static void replace_functions(tn_system *system);

void tn_guard_leave(tn_system *system)
{
    tn_guard_shown *s = tn_guard_shown_of(system);
    const double *const base = s->system.state_base;
    const bool same_base = s->own->state_base == tn_guard_own_array(s, base);
    memcpy(&s->system, s->own, sizeof s->system);
    if (same_base) s->system.state_base = base;
    replace_functions(&s->system);
    tn_guard_renew(&s->frame);
    memcpy(&s->before, &s->system, sizeof s->before);
}

/* ---- the functions --------------------------------------------------------------------------------------- */

/* FUNCTION(name, (declared arguments behind the system), arguments for the kernel) of functions that return a status; RETURNING of
 * others, with the value where there is a fault; ACTION of those that return nothing. */
#define UNPACK(...) __VA_ARGS__
#define ARRAY(numbers) tn_guard_own_array(tn_guard_shown_of(system), numbers)
#define RETURNING(type, failed, name, declared, ...)         \
    static type name(tn_system *system UNPACK declared)      \
    {                                                        \
        tn_system *own = tn_guard_enter(system);             \
        if (!own) return failed;                             \
        type const returned = own->name(own, ##__VA_ARGS__); \
        tn_guard_leave(system);                              \
        return returned;                                     \
    }
#define FUNCTION(...) RETURNING(tn_status, TN_FATAL, __VA_ARGS__)
#define ACTION(name, declared, ...)                     \
    static void name(tn_system *system UNPACK declared) \
    {                                                   \
        tn_system *own = tn_guard_enter(system);        \
        if (!own) return;                               \
        own->name(own, ##__VA_ARGS__);                  \
        tn_guard_leave(system);                         \
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

RETURNING(tn_matrix *, NULL, pattern, ())
RETURNING(uint32_t, 0, slide, (, double time, uint32_t implicit), time, implicit)
ACTION(constraint_product, (, const double *direction, double *product), ARRAY(direction), ARRAY(product))
ACTION(restore_data, ())
ACTION(transport,
       (, const double *from, const double *to, const double *vector, double *result, const double *second,
        double *second_result),
       ARRAY(from), ARRAY(to), ARRAY(vector), ARRAY(result), ARRAY(second), ARRAY(second_result))
ACTION(warn, (, uint32_t coordinate, const char *text), coordinate, text)

static const void *extension(tn_system *system, const char *key) { return tn_guard_extension(system, key); }

/* One that the system does not have stays away. */
#define REPLACE(name) \
    if (system->name) system->name = name;
/* clang-format off */
#define FUNCTIONS(X)                                                                                        \
    X(evaluate) X(accelerate) X(residual) X(rate) X(retract) X(normalise) X(pattern) X(matrix) X(factor)     \
    X(solve) X(accept) X(fail) X(constraint) X(constraint_rate) X(constraint_product) X(project)             \
    X(event_values) X(state_tangent) X(update) X(restore_data) X(transport) X(slide) X(warn) X(fail_at_jump) \
    X(extension)
/* clang-format on */
static void replace_functions(tn_system *system) { FUNCTIONS(REPLACE) }

/* ---- the solver ------------------------------------------------------------------------------------------ */

static const tn_loaded_solver *own_solver(void) { return (const tn_loaded_solver *)tn_site->type + 1; }

static void add_system_arrays(tn_guard_shown *s)
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

static tn_status advance_solver(const void *instance, tn_system *system)
{
    const tn_loaded_solver *own = own_solver();
    const void *parameters = instance;
    tn_guard_shown s = {.own = system};
    memcpy(&s.system, system, sizeof s.system);
    add_system_arrays(&s);
    tn_guard_add(&s.frame, "instance", &parameters, 1, own->instance_size, TN_GUARD_READS);
    tn_guard_open(&s.frame);
    tn_guard_leave(&s.system);
    const tn_status status = own->advance(parameters, &s.system);
    const bool whole = tn_guard_enter(&s.system) != NULL;
    system->state_base = NULL; /* it may have been among the copies */
    tn_guard_close(&s.frame);
    return whole ? status : TN_FATAL;
}

static tn_status prepare_solver(const tn_host *host, void *instance, tn_run *run)
{
    const tn_loaded_solver *own = own_solver();
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own->instance_size, TN_GUARD_RENEWS);
    tn_guard_add(&frame, "run", &run, 1, sizeof *run, TN_GUARD_RENEWS);
    tn_guard_open(&frame);
    const tn_status status = own->prepare(host, instance, run);
    return tn_guard_finish(&frame, status, NULL);
}

static tn_status check_solver(const tn_host *host, const void *instance, const tn_system *system)
{
    const tn_loaded_solver *own = own_solver();
    tn_guard_frame frame = tn_guard_frame_of(&host, &instance, own->instance_size, TN_GUARD_READS);
    tn_guard_add(&frame, "system", &system, 1, sizeof *system, TN_GUARD_READS);
    tn_guard_open(&frame);
    const tn_status status = own->check(host, instance, system);
    return tn_guard_finish(&frame, status, NULL);
}

/* A guarded solver runs from start to end: its steps are those of advance(). */
void tn_guard_solver(tn_loaded_solver *type)
{
    type->advance = advance_solver;
    type->begin = NULL;
    if (type->prepare) type->prepare = prepare_solver;
    if (type->check) type->check = check_solver;
}
