/* kinematic.c - motions that constraints determine: positions from their rows, reactions and efforts of motions from the masses
 *
 * Each step predicts the state and takes it to the rows (position.c); states of elements are integrated (states.c). A step that does not
 * come to a state to be trusted is halved, until it is clear what stands in its way (weakness.c). */
#include "tenon/descriptors.h"

#include "kinematic.h"

#include <stdio.h>

#define SMALLEST_PART 0x1p-20 /* of the grid step, after halvings */
#define WEAK 0.02 /* singular value against its largest so far, from which a failure is one of the position */

typedef struct kinematic_instance {
    char nothing;
} kinematic_instance;

static const char free_cure[] =
    "`kinematic` needs a `motion` for each; solvers such as `generalized_alpha` find motions by forces";

double *kinematic_array(const tn_system *system, size_t count)
{
    return system->host->allocate(system->host, (count > 0 ? count : 1) * sizeof(double));
}

static tn_status prepare_work(kinematic_work *work, tn_system *system)
{
    const uint32_t nq = system->nq, nv = system->nv, nx = system->nx, rows = system->rows;
    *work = (kinematic_work){.system = system, .stand.part = 1.0};
    work->freedom = system->extension(system, TN_FREEDOM_KEY);
    work->scale = system->extension(system, TN_ERROR_SCALE_KEY);
    if (!work->freedom || !work->scale) return TN_UNSUPPORTED;
    const struct {
        double **array;
        size_t count;
    } arrays[] = {{&work->q0, nq},
                  {&work->v0, nv},
                  {&work->a0, nv},
                  {&work->x0, nx},
                  {&work->lambda0, rows},
                  {&work->q_rate0, nq},
                  {&work->x_rate0, nx},
                  {&work->q_rate[0], nq},
                  {&work->q_rate[1], nq},
                  {&work->q_rate[2], nq},
                  {&work->x_rate[0], nx},
                  {&work->x_rate[1], nx},
                  {&work->x_rate[2], nx},
                  {&work->a_stage, nv},
                  {&work->rows, rows},
                  {&work->solution, (size_t)nv + rows},
                  {&work->correction, (size_t)nv + rows},
                  {&work->weak, nv},
                  {&work->weak_now, nv},
                  {&work->weak_image, rows},
                  {&work->image_now, rows}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k].array = kinematic_array(system, arrays[k].count))) return TN_OUT_OF_MEMORY;
    if (nv && !system->pattern(system)) return TN_OUT_OF_MEMORY;
    work->integrates = system->velocity_rows > 0 || nx > system->quadratures;
    work->by_midpoint = !work->integrates && nx > 0;
    return TN_OK;
}

/* ---- the last accepted state ----------------------------------------------------------------------------- */

static void copy(double *to, const double *from, size_t count) { memcpy(to, from, count * sizeof *to); }

static tn_status save_state(kinematic_work *work)
{
    tn_system *system = work->system;
    copy(work->q0, system->q, system->nq);
    copy(work->v0, system->v, system->nv);
    copy(work->a0, system->a, system->nv);
    copy(work->x0, system->x, system->nx);
    copy(work->lambda0, system->lambda, system->rows);
    return system->rate(system, work->q_rate0);
}

static void restore_state(kinematic_work *work)
{
    tn_system *system = work->system;
    system->time = work->stand.time;
    copy(system->q, work->q0, system->nq);
    copy(system->v, work->v0, system->nv);
    copy(system->a, work->a0, system->nv);
    copy(system->x, work->x0, system->nx);
    copy(system->lambda, work->lambda0, system->rows);
}

static tn_status accept_state(kinematic_work *work)
{
    tn_system *system = work->system;
    work->stand.accepted++;
    work->stand.time = system->time;
    const tn_status status = system->accept(system);
    copy(work->x_rate0, system->x_rate, system->nx);
    return status;
}

/* ---- failures -------------------------------------------------------------------------------------------- */

/* The direction is one against the scales of coordinates. */
static tn_status fail_at_singular_position(kinematic_work *work, const double *direction, const char *where)
{
    char text[400];
    double *v = work->solution;
    for (uint32_t i = 0; i < work->system->nv; i++)
        v[i] = direction[i] * work->system->scale[i];
    (void)snprintf(
        text, sizeof text,
        "%s is singular: a dead point, a change point, or where the mechanism locks at the end of its "
        "reach; the motions do not determine what follows. The smallest singular value of the "
        "constraints has fallen to %.2g, from %.2g",
        where, work->smallest_now, work->stand.largest);
    return work->freedom->fail_along(work->system, TN_FATAL, v, text);
}

/* What the velocities have led to does not meet the rows: those of a motion that jumps. */
static tn_status fail_at_jump(kinematic_work *work, double h)
{
    tn_system *system = work->system;
    const double time = system->time;
    restore_state(work);
    system->time = time;
    for (uint32_t i = 0; i < system->nv; i++)
        work->solution[i] = h * work->v0[i];
    tn_status status = system->retract(system, work->q0, work->solution, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->constraint(system, work->rows);
    if (status != TN_OK) return system->fail(system, status, NULL, "the positions jump here");
    return work->freedom->fail_at_rows(
        system, TN_FATAL, work->rows,
        "the positions jump: those found are not where the velocities lead to, however short the step; there",
        "keeps an error");
}

/* The rows that cannot be satisfied, at the last try. */
static tn_status fail_at_rows(kinematic_work *work, bool rates)
{
    tn_system *system = work->system;
    tn_status (*find)(tn_system *, double *) = rates ? system->constraint_rate : system->constraint;
    const tn_status status = find(system, work->rows);
    if (status != TN_OK) return system->fail(system, TN_FATAL, NULL, "the constraints are to be satisfied");
    if (rates)
        return work->freedom->fail_at_rows(
            system, TN_FATAL, work->rows,
            "no velocities agree with all constraints and motions:", "keeps a rate");
    return work->freedom->fail_at_rows(
        system, TN_FATAL, work->rows,
        "no positions nearby satisfy all constraints and motions, which contradict each other or lead beyond "
        "what the mechanism can reach:",
        "keeps an error");
}

static tn_status explain(kinematic_work *work, tn_status status, kinematic_trouble trouble, double h)
{
    tn_system *system = work->system;
    if (status != TN_RETRY || trouble == KINEMATIC_NONE)
        return system->fail(system, status, NULL, "the next state is to be found");
    if (trouble == KINEMATIC_SINGULAR)
        return fail_at_singular_position(work, work->weak_now, "this position");
    if (trouble == KINEMATIC_CROSSING)
        return fail_at_singular_position(work, work->weak_now, "a position just before");
    if (work->stand.smallest < WEAK * work->stand.largest) {
        restore_state(work);
        work->smallest_now = work->stand.smallest;
        return fail_at_singular_position(work, work->weak, "a position here");
    }
    if (trouble == KINEMATIC_JUMP) return fail_at_jump(work, h);
    if (trouble == KINEMATIC_REFUSED)
        return system->fail(system, TN_FATAL, NULL, "accelerations and reactions are to be found");
    return fail_at_rows(work, trouble == KINEMATIC_RATES);
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

static tn_status try_step(kinematic_work *work, double h, double end, kinematic_trouble *trouble)
{
    tn_system *system = work->system;
    tn_status status = kinematic_predict(work, h, end, trouble);
    if (status == TN_OK) status = kinematic_settle(work, system->a, trouble);
    if (status == TN_OK) status = kinematic_check_way(work, h, trouble);
    if (status == TN_OK) status = kinematic_follow_weakness(work, trouble);
    if (status == TN_RETRY && *trouble == KINEMATIC_NONE) *trouble = KINEMATIC_REFUSED;
    return status;
}

/* The model is not what it was: whether its motions are still determined. */
static tn_status begin_model(kinematic_work *work)
{
    tn_system *system = work->system;
    kinematic_trouble trouble = KINEMATIC_NONE;
    work->stand.revision = system->revision;
    tn_status status = work->freedom->require_none(system, free_cure);
    if (status == TN_UNSUPPORTED)
        return system->fail(system, TN_FATAL, NULL,
                            "the model is too large to tell whether its motions are determined");
    if (status != TN_OK) return status;
    status = kinematic_begin_weakness(work, &trouble);
    return status == TN_OK ? status : explain(work, status, trouble, 0.0);
}

/* What is left of a step of the grid, or of a part of it that ends where the model changes; and what is tried of that. */
typedef struct piece {
    double end, all; /* s */
    double h, target;
} piece;

static void choose_target(const kinematic_work *work, piece *p)
{
    const double part = work->stand.part * work->grid.step;
    const bool whole = part >= p->all * (1.0 - TN_STEP_GRID_MERGE);
    p->h = whole ? p->all : part;
    p->target = whole ? p->end : work->stand.time + part;
}

/* Back to the last accepted state, for a shorter try. False: there is none. */
static bool shorten(kinematic_work *work, const piece *p, kinematic_trouble trouble)
{
    kinematic_stand *stand = &work->stand;
    const bool resolved = stand->time + 0.5 * p->h > stand->time;
    if (trouble == KINEMATIC_SINGULAR || stand->part <= SMALLEST_PART || !resolved) return false;
    while (stand->part * work->grid.step > 0.6 * p->h)
        stand->part *= 0.5;
    work->system->statistics->rejected_steps++;
    restore_state(work);
    return true;
}

static tn_status try_shorter_and_shorter(kinematic_work *work, piece *p)
{
    kinematic_trouble trouble = KINEMATIC_NONE;
    tn_status status;
    do {
        trouble = KINEMATIC_NONE;
        choose_target(work, p);
        status = try_step(work, p->h, p->target, &trouble);
    } while (status == TN_RETRY && shorten(work, p, trouble));
    if (status == TN_OK) return TN_OK;
    status = explain(work, status, trouble, p->h);
    restore_state(work);
    return status;
}

/* From an accepted state to the next one. */
static tn_status take_step(kinematic_work *work)
{
    tn_system *system = work->system;
    kinematic_stand *stand = &work->stand;
    piece p = {.end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change)};
    p.all = tn_step_grid_part_step(&work->grid, stand->step, stand->time, p.end);
    tn_status status = save_state(work);
    if (status != TN_OK) return system->fail(system, status, NULL, "the next state is to be found");
    status = try_shorter_and_shorter(work, &p);
    if (status != TN_OK) return status;
    kinematic_end_quadratures(work, p.h);
    kinematic_keep_weakness(work);
    tn_count_step(system->statistics, p.h);
    if (p.target >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
    stand->part = fmin(1.0, 2.0 * stand->part);
    return accept_state(work);
}

static tn_status kinematic_step(void *solver, double until, uint64_t most)
{
    kinematic_work *work = solver;
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most) {
        if (system->revision != work->stand.revision) status = begin_model(work);
        if (status == TN_OK) status = take_step(work);
    }
    return status;
}

static tn_status kinematic_begin(TN_UNUSED const void *instance, tn_system *system, TN_UNUSED void *before,
                                 void **solver)
{
    kinematic_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    kinematic_trouble trouble = KINEMATIC_NONE;
    if (!work) return TN_OUT_OF_MEMORY;
    tn_status status = prepare_work(work, system);
    if (status == TN_UNSUPPORTED)
        return system->fail(system, TN_FATAL, NULL, "this kernel does not tell what constraints leave free");
    if (status != TN_OK) return status;

    // the state may come from a solver that meets the rows less exactly, or from an earlier time
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    work->stand.time = system->time;
    work->grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    status = kinematic_settle(work, system->a, &trouble);
    if (status != TN_OK) return explain(work, status, trouble, 0.0);
    status = begin_model(work);
    return status == TN_OK ? accept_state(work) : status;
}

/* All memory is the host's. */
static void kinematic_end(TN_UNUSED void *work) {}

static void kinematic_state(void *solver, tn_state_visitor *visitor)
{
    kinematic_work *work = solver;
    const tn_system *system = work->system;
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    tn_visit_numbers(visitor, work->x_rate0, system->nx);
    tn_visit_numbers(visitor, work->weak, system->nv);
    tn_visit_numbers(visitor, work->weak_image, system->rows);
}

static const tn_stepping_capability kinematic_stepping = {.struct_size = sizeof kinematic_stepping,
                                                          .begin = kinematic_begin,
                                                          .step = kinematic_step,
                                                          .end = kinematic_end,
                                                          .state = kinematic_state};
static const tn_capability kinematic_capabilities[] = {{TN_STEPPING_KEY, &kinematic_stepping}, {NULL, NULL}};

static tn_status kinematic_advance(const void *instance, tn_system *system)
{
    return tn_advance_in_steps(&kinematic_stepping, instance, system);
}

/* ---- the type -------------------------------------------------------------------------------------------- */

static tn_status kinematic_prepare(const tn_host *host, TN_UNUSED void *instance, tn_run *run)
{
    if (run->end_time > run->start_time && !(run->step > 0.0))
        return tn_refuse(host, "step", "a fixed step needs `step` above zero");
    return TN_OK;
}

static const tn_parameter no_parameters[] = {{.name = NULL}};
static const tn_synonym synonyms[] = {{"inverse_dynamics", NULL, NULL},
                                      {"kinematics", NULL, NULL},
                                      {"prescribed", NULL, NULL},
                                      {NULL, NULL, NULL}};

static const tn_solver_type kinematic_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX,
    .capabilities = kinematic_capabilities,
    .name = "kinematic",
    .summary = "motions that constraints determine, with the reactions and efforts that they need",
    .formula = "0 = g(q, t),  0 = dg/dt,  0 = A v + b,  0 = d^2 g/dt^2,  0 = d(A v + b)/dt:  q, v, v' from "
               "the rows\n"
               "G^T lambda = M v' - f\n"
               "x' = h and, with rows of velocities, q' = N(q) v: the classical method of order 4",
    .literature =
        "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, 1989, "
        "chapter 3 and section 4.6 (kinematic analysis), section 6.6 (inverse dynamics)\n"
        "Nikravesh: Computer-Aided Analysis of Mechanical Systems, Prentice Hall, 1988, chapter 3",
    .parameters = no_parameters,
    .instance_size = sizeof(kinematic_instance),
    .prepare = kinematic_prepare,
    .advance = kinematic_advance,
};

TN_LIBRARY("kinematic", "1.0.0", "Apache-2.0", "kinematic analysis and inverse dynamics",
           {TN_SOLVER_KIND, &kinematic_type})
