/* alpha_steps.h - generalized_alpha step by step: steps of any lengths on an assembled model, and how errors fall with
 * them. Include it in one file of a test only: it brings the solver's sources. */
#ifndef TENON_TESTS_SYSTEM_ALPHA_STEPS_H
#define TENON_TESTS_SYSTEM_ALPHA_STEPS_H

/* before cmocka, whose fail() is a macro */
#include "../../plugins/solvers/generalized_alpha/adaptive.c"
#include "../../plugins/solvers/generalized_alpha/discontinuous.c"
#include "../../plugins/solvers/generalized_alpha/first_step.c"
#include "../../plugins/solvers/generalized_alpha/generalized_alpha.c"
#include "../../plugins/solvers/generalized_alpha/grid.c"
#include "../../plugins/solvers/generalized_alpha/index.c"
#include "../../plugins/solvers/generalized_alpha/multipliers.c"
#include "../../plugins/solvers/generalized_alpha/newton.c"
#include "../../plugins/solvers/generalized_alpha/prediction.c"
#include "../../plugins/solvers/generalized_alpha/run.c"

#include "harness.h"

#include "start/start.h"

#include <math.h>

/* ---- models ---------------------------------------------------------------------------------------------- */

enum { TN_POSITION, TN_SPEED, TN_MULTIPLIER, TN_LEVELS };
enum { TN_MOST_VALUES = 7 };
static const char *const tn_level_names[] = {"positions", "velocities", "multipliers"};

/* A model with a known solution: q, v and lambda at a time; those that are left out are zero on both sides. */
typedef struct tn_known {
    const char *model;
    const char *type, *plugin; /* of the test, which the model uses; or NULL */
    void (*solution)(double time, double value[TN_LEVELS][TN_MOST_VALUES]);
} tn_known;

/* ---- steps ----------------------------------------------------------------------------------------------- */

typedef struct tn_stepped {
    tn_world world;
    tn_system *system;
    alpha_work work;
} tn_stepped;

static void tn_check_status(tn_stepped *run, tn_status status)
{
    if (status != TN_OK)
        fail_msg("at %g s, step %g s, index %d: %s", run->system->time, run->work.a_step,
                 (int)run->work.index, tn_status_text(status));
}

/* A model with keys of [solver] behind it, made consistent and started with this step. */
static void tn_steps_open(tn_stepped *run, const tn_known *known, const char *keys, double first)
{
    const char *solver = tn_format("[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1\n%s", keys);
    tn_world_open(&run->world, tn_format("%s%s", known->model, solver), known->type, known->plugin);
    const tn_solver_plan *plan = &run->world.plan.solver[0];
    tn_system *system = run->system = run->world.system;
    system->run = &plan->run;
    if (!plan->linear.type) tn_plan_linear(run->world.model, &run->world.plan);
    tn_world_open_linear(&run->world);
    tn_check_status(run, tn_make_consistent(run->world.assembly, true));
    tn_check_status(run, prepare_work(&run->work, plan->instance, system));
    tn_check_status(run, system->evaluate(system));
    tn_check_status(run, system->accelerate(system, system->a));
    tn_alpha_choose_index(&run->work);
    tn_check_status(run, tn_alpha_start(&run->work, first));
}

static void tn_steps_close(tn_stepped *run) { tn_world_close(&run->world); }

static void tn_take_step(tn_stepped *run, double h, double end)
{
    tn_check_status(run, tn_alpha_solve_step(&run->work, h, end));
    tn_alpha_finish_step(&run->work, h);
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

/* Lengths of successive steps against h, over and over; zero ends the list. */
typedef struct tn_rhythm {
    double share[8];
} tn_rhythm;

static double tn_rhythm_share(const tn_rhythm *pattern, size_t k)
{
    size_t count = 0;
    while (count < 8 && pattern->share[count] > 0.0)
        count++;
    return pattern->share[k % count];
}

/* Raises `largest` to the errors of the current state. */
static void tn_compare_state(const tn_system *system, const tn_known *known, double largest[TN_LEVELS])
{
    double right[TN_LEVELS][TN_MOST_VALUES] = {{0.0}};
    const double *const got[] = {system->q, system->v, system->lambda};
    const uint32_t sizes[] = {system->nq, system->nv, system->rows};
    known->solution(system->time, right);
    for (int level = 0; level < TN_LEVELS; level++) {
        assert_true(sizes[level] <= TN_MOST_VALUES);
        for (uint32_t k = 0; k < sizes[level]; k++)
            largest[level] = fmax(largest[level], fabs(got[level][k] - right[level][k]));
    }
}

/* Largest errors over the states behind the start, until `end` or for `steps` steps. */
static void tn_measure(const tn_known *known, const char *keys, const tn_rhythm *rhythm, double h, double end,
                       size_t steps, double largest[TN_LEVELS])
{
    tn_stepped run;
    tn_steps_open(&run, known, keys, h * tn_rhythm_share(rhythm, 0));
    memset(largest, 0, TN_LEVELS * sizeof *largest);
    for (size_t k = 0; k < steps && run.system->time < end; k++) {
        const double step = h * tn_rhythm_share(rhythm, k);
        tn_take_step(&run, step, run.system->time + step);
        tn_compare_state(run.system, known, largest);
    }
    tn_steps_close(&run);
}

/* What Newton's method leaves in positions is made up for by the multipliers of the step that follows, the more the shorter
 * it is, and nothing is forgotten without damping: less is left. */
#define TN_ACCURATE "newton = { relative_tolerance = 1e-12 }\n"

/* Smaller errors are what Newton's method leaves in multipliers. */
#define TN_NOISE 1e-7

/* Errors at steps h and h/2, which fall by a factor between these. */
static void tn_check_ratios(const char *what, const double coarse[TN_LEVELS], const double fine[TN_LEVELS],
                            double low, double high)
{
    for (int level = 0; level < TN_LEVELS; level++) {
        const double ratio = coarse[level] / fine[level];
        if (!(ratio >= low && ratio <= high) && fine[level] > TN_NOISE)
            fail_msg("%s%s: errors %.3g and %.3g, ratio %.3f", what, tn_level_names[level], coarse[level],
                     fine[level], ratio);
    }
}

/* Over a whole run. */
static void tn_check_order(const tn_known *known, const char *keys, const tn_rhythm *rhythm, double h,
                           double end, double high)
{
    double coarse[TN_LEVELS], fine[TN_LEVELS];
    tn_measure(known, keys, rhythm, h, end, SIZE_MAX, coarse);
    tn_measure(known, keys, rhythm, 0.5 * h, end, SIZE_MAX, fine);
    tn_check_ratios(keys, coarse, fine, 3.7, high);
}

#endif
