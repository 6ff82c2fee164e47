/* static.c - the equilibrium of a model: parameters, the stages of the search, messages about its end. The equations are in equations.c,
 * each stage in a file of its own. */
#include "tenon/descriptors.h"
#include "tenon/kit/one_state.h"

#include "static.h"

#include <stdio.h>

#define REST_AT_START 1e-10 /* of forces in play: the run begins at an equilibrium */
#define AT_REST 1e-12       /* of velocity rows, and of velocities against scales */

/* ---- stages ------------------------------------------------------------------------------------------------- */

typedef struct stage {
    const char *name;
    tn_status (*search)(static_work *work, bool *found);
} stage;

static tn_status search_by_newton(static_work *work, bool *found)
{
    return tn_static_newton(work, work->settings->iterations, found);
}

/* In the order of the choices of the parameter. */
static const stage stages[] = {{"Newton's method with line search", search_by_newton},
                               {"trust region", tn_static_trust_region},
                               {"load steps", tn_static_load_steps},
                               {"dynamic relaxation", tn_static_relax}};
static const stage along_path[] = {{"arc length", tn_static_arc_length}};
enum { STAGES = sizeof stages / sizeof *stages };

/* One stage, from the start. */
static tn_status search_by(static_work *work, const stage *by, bool *found)
{
    const tn_host *host = work->system->host;
    tn_static_return(work, &work->start);
    tn_static_set_load(work, 1.0);
    work->iterations = 0;
    work->shift = 0.0;
    *found = false;
    const tn_status status = by->search(work, found);
    if (status != TN_OK && status != TN_RETRY) return status;
    if (*found)
        tn_say(host, TN_NOTE, "equilibrium by %s: %llu iterations, last relative increment %.2g", by->name,
               (unsigned long long)work->iterations, work->reached);
    else
        tn_say(host, TN_NOTE, "%s finds no equilibrium in %llu iterations", by->name,
               (unsigned long long)work->iterations);
    return TN_OK;
}

/* One stage after the other until one has found it. An unstable equilibrium is the answer where the run begins there, or where the
 * others find none. */
static tn_status search_all(static_work *work, const stage *list, size_t count, bool *found)
{
    const bool at_rest = tn_static_rest(work) <= REST_AT_START;
    bool unstable = false;
    *found = false;
    for (size_t k = 0; k < count && !*found; k++) {
        const tn_status status = search_by(work, &list[k], found);
        if (status != TN_OK) return status;
        if (!*found || at_rest || !work->modes.negative || k + 1 == count) continue;
        tn_say(work->system->host, TN_NOTE, "that one is unstable: another one is sought");
        if (!unstable) tn_static_keep(work, &work->unstable);
        unstable = true;
        *found = false;
    }
    if (*found || !unstable) return TN_OK;
    tn_static_return(work, &work->unstable);
    tn_say(work->system->host, TN_NOTE, "no other one was found");
    return tn_static_finish(work, found);
}

/* ---- the end ------------------------------------------------------------------------------------------------ */

/* What is left of multipliers in directions where dependent rows leave them open is taken out: then they are the least ones. */
static tn_status settle_reactions(static_work *work)
{
    tn_system *system = work->system;
    if (!system->dependent_rows) return TN_OK;
    tn_status status = tn_static_matrix(work, work->least_shift);
    if (status == TN_OK) status = tn_static_factor(work);
    if (status != TN_OK) return status == TN_RETRY ? TN_OK : status;
    double *part = work->direction;
    for (uint32_t r = 0; r < work->rows; r++)
        part[work->nv + r] = system->lambda[r] / work->row_scale;
    for (int k = 0; k < 2; k++) {
        memset(work->trial, 0, work->size * sizeof *work->trial);
        for (uint32_t r = 0; r < work->rows;
             r++) // solve() brings rows to the scale of the matrix, and multipliers back
            work->trial[work->nv + r] = work->rest[r] * part[work->nv + r] / work->row_scale;
        status = tn_static_solve(work, work->trial, part);
        if (status != TN_OK) return status;
        for (uint32_t r = 0; r < work->rows; r++)
            part[work->nv + r] /= work->row_scale;
    }
    for (uint32_t r = 0; r < work->rows; r++)
        system->lambda[r] -= part[work->nv + r] * work->row_scale;
    return tn_static_evaluate(work);
}

/* Refuses motions that nothing holds, and says whether the equilibrium is stable. */
static tn_status judge(static_work *work)
{
    tn_system *system = work->system;
    const static_modes modes = work->modes; // of the last iterations
    char text[STATIC_NAMES], why[STATIC_NAMES + 200];
    double softest = HUGE_VAL;
    for (uint32_t k = 0; k < modes.count; k++)
        if (!modes.is_free[k]) softest = fmin(softest, modes.value[k]);
    if (modes.free_count) {
        const bool holds = work->settings->free == FREE_HOLD;
        (void)tn_static_name_free(work, &modes, false, text, sizeof text);
        (void)snprintf(why, sizeof why, "nothing holds %s%u motion%s at the equilibrium: %s",
                       modes.free_count == STATIC_MODES ? "at least " : "", modes.free_count,
                       modes.free_count == 1 ? "" : "s", text);
        if (!holds) {
            char all[sizeof why + 100];
            (void)snprintf(all, sizeof all,
                           "%s; hold them by an element, or where they are by `free = \"hold\"`", why);
            return system->fail(system, TN_INVALID, NULL, all);
        }
        tn_say(system->host, TN_NOTE, "%s; held where they are", why);
    }
    if (modes.negative)
        tn_say(system->host, TN_WARNING, "the equilibrium is unstable: %s%u motion%s not come back",
               modes.exact ? "" : "at least ", modes.negative, modes.negative == 1 ? " does" : "s do");
    else if (isfinite(softest))
        tn_say(system->host, TN_NOTE,
               "the equilibrium is stable: the softest motion has %.6g s^-2, %.6g Hz%s", softest,
               sqrt(fmax(softest, 0.0)) / 6.283185307179586,
               modes.exact ? "" : " (of the softest motions alone: the others were not counted)");
    if (!modes.count && work->states)
        tn_say(system->host, TN_NOTE, "states of elements hold all motions: stability is not judged");
    return TN_OK;
}

/* Forces that nothing carries, at the start or where the search has come to. */
static tn_status explain(static_work *work, const char *tried)
{
    tn_system *system = work->system;
    static_modes modes;
    char text[STATIC_NAMES] = "", why[STATIC_NAMES + 300];
    uint32_t named = 0;
    tn_static_keep(work, &work->last);
    for (int k = 0; k < 2 && !named; k++) { // the end of the search, then the start
        tn_static_return(work, k ? &work->start : &work->last);
        tn_static_set_load(work, 1.0);
        if (tn_static_find_modes(work, &modes) == TN_OK && tn_static_evaluate(work) == TN_OK)
            named = tn_static_name_free(work, &modes, true, text, sizeof text);
    }
    (void)snprintf(why, sizeof why, "no equilibrium was found by %s%s%s", tried,
                   named ? "; a force acts where nothing holds: " : "", text);
    if (!named) {
        tn_static_return(work, &work->last);
        tn_static_set_load(work, 1.0);
    }
    const double *residual = NULL;
    if (tn_static_evaluate(work) == TN_OK) {
        for (uint32_t i = 0; i < work->size; i++)
            work->residual[i] = -work->residual[i];
        residual = work->residual;
    }
    const tn_status status = system->fail(system, TN_INVALID, residual, why);
    tn_static_return(work, &work->start);
    return status;
}

/* ---- the start ---------------------------------------------------------------------------------------------- */

/* Rows that ask for velocities: an equilibrium has none. */
static tn_status check_rows(static_work *work)
{
    tn_system *system = work->system;
    double *rate = work->product;
    if (!work->rows) return TN_OK;
    const tn_status status = system->constraint_rate(system, rate);
    if (status != TN_OK) return status;
    bool told = false;
    for (uint32_t r = 0; r < work->rows; r++) {
        if (!(fabs(rate[r]) > AT_REST)) continue;
        const char *name = work->operators->owner_name(system, work->operators->row_owner[r]);
        char text[STATIC_NAMES];
        if (system->row_level[r] == TN_VELOCITY_ROW) {
            (void)snprintf(text, sizeof text,
                           "`%s` prescribes a velocity (%.4g at rest), which an equilibrium does not have",
                           name, rate[r]);
            return system->fail(system, TN_INVALID, NULL, text);
        }
        if (!told)
            tn_say(system->host, TN_WARNING,
                   "`%s` moves at time %.9g s (rate %.4g): the equilibrium holds it at its position, at rest",
                   name, system->time, rate[r]);
        told = true;
    }
    return TN_OK;
}

static void tell_start(const static_work *work)
{
    tn_system *system = work->system;
    const tn_host *host = system->host;
    const char *name = work->statics->switching(system);
    for (uint32_t i = 0; i < work->nv; i++)
        if (fabs(system->v[i]) > AT_REST * system->scale[i]) {
            tn_say(host, TN_NOTE, "velocities of the start are set to zero");
            break;
        }
    if (name)
        tn_say(host, TN_WARNING,
               "the law of `%s` switches: the equilibrium that is found is that of its state at rest, and "
               "others may "
               "exist",
               name);
    if (system->slide)
        tn_say(host, TN_WARNING,
               "forces jump at rest, such as dry friction: the equilibrium that is found is one of several");
}

static tn_status search(static_work *work)
{
    tn_system *system = work->system;
    bool found = false;
    tell_start(work);
    tn_status status = work->statics->begin(system);
    if (status == TN_OK) status = tn_static_evaluate(work);
    if (status == TN_OK) status = check_rows(work);
    if (status != TN_OK)
        return status == TN_RETRY ? system->fail(system, status, NULL, "this is the start state") : status;
    if (system->rows) {
        const tn_status answer = system->accelerate(system, work->trial);
        if (answer != TN_OK && answer != TN_RETRY) return answer;
        status = tn_static_evaluate(work);
    }
    if (status == TN_OK) status = tn_static_measure(work);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the start state");
    memcpy(work->start_force, system->force, work->nv * sizeof *work->start_force);
    tn_static_keep(work, &work->start);
    const bool path = work->settings->arc_length;
    const int32_t only = work->settings->stage;
    const stage *list = path ? along_path : only ? &stages[only - 1] : stages;
    const char *tried =
        path || only ? list->name : "Newton's method, trust region, load steps and dynamic relaxation";
    status = search_all(work, list, path || only ? 1 : STAGES, &found);
    if (status == TN_EVENT) return status; // a row of the path was the last one that was wanted
    if (status != TN_OK) return system->fail(system, status, NULL, "an equilibrium is sought");
    if (!found) return explain(work, tried);
    status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = tn_static_evaluate(work);
    if (status == TN_OK) status = settle_reactions(work);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the equilibrium");
    tn_say(system->host, TN_NOTE, "forces that are left: %.2g of those in play", tn_static_rest(work));
    return judge(work);
}

/* ---- the solver --------------------------------------------------------------------------------------------- */

static tn_status static_begin(const void *instance, tn_system *system, TN_UNUSED void *before, void **solver)
{
    static_work *work = *solver = system->host->allocate(system->host, sizeof *work);
    if (!work) return TN_OUT_OF_MEMORY;
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    tn_status status = tn_static_prepare(work, instance, system);
    if (status == TN_OK && work->nv) {
        status = search(work);
        tn_static_set_load(work, 1.0); // gravity is the model's again, whatever came of it
    }
    if (status != TN_OK) return status;
    memset(system->v, 0, system->nv * sizeof *system->v);
    memset(system->a, 0, system->nv * sizeof *system->a);
    status = system->evaluate(system);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the equilibrium");
    system->statistics->steps++;
    return system->accept(system);
}

TN_ONE_STATE(static)

static tn_status static_check_settings(const tn_host *host, void *instance, TN_UNUSED tn_run *run)
{
    const static_instance *settings = instance;
    if (settings->path && !settings->arc_length)
        return tn_refuse(host, "path",
                         "`path = true` records points of a path: it needs `arc_length = true`");
    if (settings->stage != STAGE_ALL && settings->arc_length)
        return tn_refuse(host, "stage",
                         "`arc_length = true` is a way to search by itself: leave `stage` out");
    return TN_OK;
}

#define AT(member) (uint32_t) offsetof(static_instance, member)

static const tn_parameter static_parameters[] = {
    {.name = "free",
     .meaning =
         "motions that nothing holds at the equilibrium: refuse names them and ends; hold leaves them where "
         "they are",
     .unit = "",
     .detail = "refuse|hold",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(free),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "load",
     .meaning =
         "what load steps and arc length scale: gravity, or all forces of the start that are out of balance; "
         "all where there is no gravity",
     .unit = "",
     .detail = "gravity|all",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(load),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "stage",
     .meaning = "the one way to search by; all: one after the other, until the equilibrium is found",
     .unit = "",
     .detail = "all|newton|trust_region|load_steps|relaxation",
     .standard = 0,
     .low = 0,
     .high = STAGES,
     .offset = AT(stage),
     .kind = TN_KIND_CHOICE,
     .count = 1},
    {.name = "arc_length",
     .meaning =
         "follow the path from no load to all of it, beyond limit points; notes give their load factors",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(arc_length),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "path",
     .meaning =
         "with arc_length: a row for every point of the path and every limit point, all at the start time",
     .unit = "",
     .standard = 0,
     .low = 0,
     .high = 1,
     .offset = AT(path),
     .kind = TN_KIND_BOOLEAN,
     .count = 1},
    {.name = "newton.max_iterations",
     .meaning = "iterations of a stage before the next one is tried",
     .unit = "",
     .standard = 1000,
     .low = 1,
     .high = 100000,
     .offset = AT(iterations),
     .kind = TN_KIND_INTEGER,
     .count = 1},
    {.name = "newton.relative_tolerance",
     .meaning = "last increment of the coordinates, relative to their magnitude",
     .unit = "",
     .standard = 1e-12,
     .low = 0,
     .high = 0.1,
     .offset = AT(tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_ABOVE_LOW},
    {.name = NULL},
};

static const tn_synonym synonyms[] = {{"equilibrium", NULL, NULL},
                                      {"statics", NULL, NULL},
                                      {"quasi_static", NULL, NULL},
                                      {"steady_state", NULL, NULL},
                                      {"newton_raphson", NULL, NULL},
                                      {"riks", NULL, "arc_length = true"},
                                      {NULL, NULL, NULL}};

static const tn_solver_type static_type = {
    .struct_size = sizeof(tn_solver_type),
    .synonyms = synonyms,
    .flags = TN_NEEDS_MATRIX | TN_SINGLE_STATE,
    .capabilities = static_capabilities,
    .name = "static",
    .summary = "the equilibrium of the model at the start time, with its stability; Newton's method on the "
               "potential, "
               "trust region, load steps, arc length, dynamic relaxation",
    .formula = "f(q, x) + G^T lambda = 0,   g(q) = 0,   x' = 0,   v = 0\n"
               "(K + sigma M) d - G^T dlambda = f + G^T lambda,   G d = -g;   sigma >= 0 so that d descends",
    .literature =
        "Nocedal, Wright: Numerical Optimization, 2nd ed., 2006, sections 3.4, 4.1, 18.4 (inertia, dogleg)\n"
        "Deuflhard: Newton Methods for Nonlinear Problems, 2004, section 3.3 (natural monotony)\n"
        "Crisfield: A fast incremental/iterative solution procedure that handles \"snap-through\", Computers "
        "& "
        "Structures 13 (1981) 55-62\n"
        "Day: An introduction to dynamic relaxation, The Engineer 219 (1965) 218-221",
    .parameters = static_parameters,
    .instance_size = sizeof(static_instance),
    .prepare = static_check_settings,
    .advance = static_advance,
};

TN_LIBRARY("static", "1.0.0", "Apache-2.0", "equilibria", {TN_SOLVER_KIND, &static_type})
