/* careless.c - solvers, linear solvers and writers that do not do what they are called for, and say nothing */
#include <tenon/author.h>
#include <tenon/draft/impulses.h>

#include <stdlib.h>

/* ---- a solver -------------------------------------------------------------------------------------------- */

enum way {
    EARLY,
    LATE,
    BACK,
    STILL,
    NOTHING,
    NAN_STATE,
    NAN_TIME,
    STOPS,
    FAILS,
    GOES_ON,
    UNRECORDED,
    NO_PATTERN
};
#define CARELESS(P)                                                                                        \
    P(CHOICE, way, "early|late|back|still|nothing|nan|nan_time|stops|fails|goes_on|unrecorded|no_pattern", \
      0, 0, "what is wrong")
TN_PARAMETERS(careless, CARELESS)

static tn_status hand_over(tn_system *system, double time)
{
    system->time = time;
    if (system->evaluate(system) != TN_OK) return TN_FATAL;
    return system->accept(system);
}

static tn_status stand_still(tn_system *system)
{
    tn_status status = TN_OK;
    while (status == TN_OK)
        status = hand_over(system, 0.25);
    return status;
}

static tn_status careless_advance(const void *instance, tn_system *system)
{
    const careless *self = instance;
    const double end = system->run->end_time;
    if (self->way == NOTHING) return TN_OK;
    if (self->way == FAILS) return TN_FATAL;
    if (self->way == NO_PATTERN) {
        if (system->evaluate(system) != TN_OK) return TN_FATAL;
        return system->factor(system) == TN_OK ? system->solve(system, system->a) : TN_FATAL;
    }
    tn_status status = hand_over(system, system->run->start_time);
    if (self->way == STILL) return stand_still(system);
    for (double time = 0.25; status == TN_OK && time < (self->way == EARLY ? 0.6 : end); time += 0.25) {
        if (self->way == NAN_STATE && time > 0.4) {
            system->time = time;
            system->v[1] = NAN;
            return system->accept(system);
        }
        status = hand_over(system, time);
        if (self->way == BACK && time > 0.4) return hand_over(system, 0.1);
        if (self->way == STOPS && time > 0.4) return TN_EVENT;
    }
    if (self->way == NAN_TIME) system->time = NAN;
    if (self->way == LATE) return hand_over(system, 2.0 * end);
    if (self->way == GOES_ON && status == TN_EVENT) system->time = end;
    if (self->way == UNRECORDED) system->time = end;
    return self->way == GOES_ON ? TN_OK : status;
}
TN_SOLVER(careless, .summary = "does not do what it is called for", .advance = careless_advance)

/* ---- bodies ---------------------------------------------------------------------------------------------- */

static tn_status body_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 1;
    return TN_OK;
}

static tn_status body_mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->mass[i] = 1.0;
    return TN_OK;
}

static tn_status body_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    (void)host, (void)instance;
    return attachment->kind == TN_POINT ? TN_OK : TN_UNSUPPORTED;
}

static tn_status body_pose(tn_attachments *attachments)
{
    for (size_t i = 0; i < 3 * (size_t)attachments->count; i++)
        attachments->pose[i] = NAN;
    return TN_OK;
}

static tn_status body_twist(tn_attachments *attachments)
{
    for (size_t i = 0; i < 3 * (size_t)attachments->count; i++)
        attachments->twist[i] = 0.0;
    return TN_OK;
}

static tn_status body_nothing(tn_attachments *attachments)
{
    (void)attachments;
    return TN_OK;
}

#define BODY(title, ...)                                                     \
    static const tn_element_type title##_type = {                            \
        .struct_size = sizeof(tn_element_type),                              \
        .name = #title,                                                      \
        .summary = "has no place",                                           \
        .flags = TN_VECTOR_SPACE,                                            \
        TN_CAPABILITIES(TN_HAS(body, .mass = body_mass),                     \
                        TN_HAS(attachment, .bind = body_bind, __VA_ARGS__)), \
        .layout = body_layout};
BODY(unfinished_body, .pose = NULL)
BODY(lost_body, .pose = body_pose, .twist = body_twist, .pull_back = body_nothing, .jacobian = body_nothing,
     .twist_derivative = body_nothing, .pull_back_derivative = body_nothing)

/* ---- writers --------------------------------------------------------------------------------------------- */

typedef struct table {
    int rows;
} table;

static tn_status writer_open(const tn_host *host, TN_UNUSED const void *instance, const char *directory,
                             const char *name, const tn_column *columns, size_t column_count, void **self)
{
    (void)directory, (void)name, (void)columns, (void)column_count;
    *self = host->allocate(host, sizeof(table));
    return *self ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status writer_does_not_open(const tn_host *host, TN_UNUSED const void *instance,
                                      const char *directory, const char *name, const tn_column *columns,
                                      size_t column_count, void **self)
{
    (void)host, (void)directory, (void)name, (void)columns, (void)column_count, (void)self;
    return TN_FATAL;
}

static tn_status writer_row(void *self, const double *values)
{
    (void)self, (void)values;
    return TN_OK;
}

static tn_status writer_loses_rows(void *self, const double *values)
{
    (void)values;
    return ++((table *)self)->rows > 10 ? TN_FATAL : TN_OK;
}

static tn_status writer_close(void *self)
{
    (void)self;
    return TN_OK;
}

static tn_status writer_does_not_close(void *self)
{
    (void)self;
    return TN_FATAL;
}

#define WRITER(title, open_it, write_row, close_it)                                    \
    static const tn_writer_type title##_type = {.struct_size = sizeof(tn_writer_type), \
                                                .name = #title,                        \
                                                .summary = "fails",                    \
                                                .open = open_it,                       \
                                                .row = write_row,                      \
                                                .close = close_it};
WRITER(does_not_open, writer_does_not_open, writer_row, writer_close)
WRITER(loses_rows, writer_open, writer_loses_rows, writer_close)
WRITER(does_not_close, writer_open, writer_row, writer_does_not_close)

/* ---- linear solvers -------------------------------------------------------------------------------------- */

static tn_status linear_create(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                               void **self)
{
    (void)host, (void)matrix;
    *self = calloc(1, sizeof(int));
    return *self ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status linear_is_not_created(const tn_host *host, TN_UNUSED const void *instance,
                                       const tn_matrix *matrix, void **self)
{
    (void)host, (void)matrix, (void)self;
    return TN_FATAL;
}

static tn_status linear_factor(void *self, const tn_matrix *matrix)
{
    (void)self, (void)matrix;
    return TN_OK;
}

static tn_status linear_finds_singular(void *self, const tn_matrix *matrix)
{
    (void)self, (void)matrix;
    return TN_RETRY;
}

static tn_status linear_leaves_it(void *self, double *right_hand_side)
{
    (void)self, (void)right_hand_side;
    return TN_OK;
}

static tn_status linear_gives_nan(void *self, double *right_hand_side)
{
    (void)self;
    right_hand_side[0] = NAN;
    return TN_OK;
}

static tn_status linear_fails(void *self, double *right_hand_side)
{
    (void)self, (void)right_hand_side;
    return TN_FATAL;
}

static void linear_destroy(void *self) { free(self); }

#define LINEAR(title, create_it, factor_it, solve_it)                                  \
    static const tn_linear_type title##_type = {.struct_size = sizeof(tn_linear_type), \
                                                .name = #title,                        \
                                                .summary = "fails",                    \
                                                .create = create_it,                   \
                                                .factor = factor_it,                   \
                                                .solve = solve_it,                     \
                                                .destroy = linear_destroy};
LINEAR(not_created, linear_is_not_created, linear_factor, linear_leaves_it)
LINEAR(always_singular, linear_create, linear_finds_singular, linear_leaves_it)
LINEAR(identity, linear_create, linear_factor, linear_leaves_it)
LINEAR(not_a_number, linear_create, linear_factor, linear_gives_nan)
LINEAR(not_solved, linear_create, linear_factor, linear_fails)

/* ---- constraint solvers ---------------------------------------------------------------------------------- */

static tn_status impulses_create(const tn_host *host, TN_UNUSED const void *instance,
                                 TN_UNUSED const tn_own_matrices *linear, void **self)
{
    (void)host;
    *self = calloc(1, sizeof(int));
    return *self ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status impulses_give_nan(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    (void)self, (void)outcome;
    problem->impulse[0] = NAN;
    return TN_OK;
}

static tn_status impulses_fail(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    (void)self, (void)problem, (void)outcome;
    return TN_FATAL;
}

static tn_status impulses_know_no_law(void *self, const tn_impulse_problem *problem,
                                      tn_impulse_outcome *outcome)
{
    (void)self, (void)problem;
    outcome->worst = 0;
    return TN_UNSUPPORTED;
}

#define IMPULSES(title, solve_it)                                                                            \
    static const tn_constraint_solver_type title##_type = {.struct_size = sizeof(tn_constraint_solver_type), \
                                                           .name = #title,                                   \
                                                           .summary = "fails",                               \
                                                           .create = impulses_create,                        \
                                                           .solve = solve_it,                                \
                                                           .destroy = linear_destroy};
IMPULSES(no_impulses, impulses_give_nan)
IMPULSES(failing_impulses, impulses_fail)
IMPULSES(narrow_impulses, impulses_know_no_law)

TN_LIBRARY("careless", "1.2.3", "Apache-2.0", "types that fail without a word",
           {TN_SOLVER_KIND, &careless_type}, {TN_ELEMENT_KIND, &lost_body_type},
           {TN_ELEMENT_KIND, &unfinished_body_type}, {TN_WRITER_KIND, &does_not_open_type},
           {TN_WRITER_KIND, &loses_rows_type}, {TN_WRITER_KIND, &does_not_close_type},
           {TN_LINEAR_KIND, &not_created_type}, {TN_LINEAR_KIND, &always_singular_type},
           {TN_LINEAR_KIND, &identity_type}, {TN_LINEAR_KIND, &not_a_number_type},
           {TN_LINEAR_KIND, &not_solved_type}, {TN_CONSTRAINT_SOLVER_KIND, &no_impulses_type},
           {TN_CONSTRAINT_SOLVER_KIND, &failing_impulses_type},
           {TN_CONSTRAINT_SOLVER_KIND, &narrow_impulses_type})
