/* linear_choice.c - chooses the linear solver of a large model (see linear_choice.h) */
#include "run/linear_choice.h"

#include "config/standard.h"
#include "system/linear.h"
#include "system/matrix.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FEWEST_UNKNOWNS = 2000 }; /* below, factors take milliseconds whoever makes them */
#define SOLUTIONS 10.0           /* that a factorisation serves, as iterations keep their matrix for some steps */
#define FAST_ENOUGH 0.01         /* s: others are not asked; they have to analyse the pattern as well */
#define CLEARLY_LESS 0.8         /* of the time: a solver that costs about the same is not better */

struct tn_linear_candidates {
    tn_linear_choice *other; /* besides the standard one */
    size_t count;
    tn_linear_expectation expected;
    bool is_known; /* what is expected */
};

/* A linear solver that has analysed the pattern. */
typedef struct analysed {
    tn_linear_choice choice;
    void *self;
    tn_linear_expectation expected;
} analysed;

/* Whether this part of the run factorises the matrix of the system, and that is large. */
static bool has_large_matrix(const tn_study *study, const tn_solver_plan *plan)
{
    const tn_system *system = &study->assembly->system;
    const bool factorises = plan->type->flags & TN_NEEDS_MATRIX || (system->rows && !(plan->type->flags & TN_BY_IMPULSES));
    return factorises && (uint64_t)system->nv + system->rows >= FEWEST_UNKNOWNS;
}

void tn_linear_find_candidates(tn_study *study)
{
    static const char *const names[] = TN_LINEAR_FOR_LARGE;
    tn_model *model = study->model;
    bool chooses = false;
    study->linears = tn_arena_new(&model->arena, sizeof *study->linears);
    for (size_t k = 0; k < study->plan.solver_count; k++) {
        const tn_solver_plan *plan = &study->plan.solver[k];
        chooses = chooses || (plan->linear_is_open && plan->type && has_large_matrix(study, plan));
    }
    if (!chooses) return;
    study->linears->other = tn_arena_new(&model->arena, sizeof names / sizeof *names * sizeof *study->linears->other);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const tn_linear_choice found = tn_find_linear(model, names[k]);
        if (found.type && tn_capability_of(found.type->capabilities, TN_COST_KEY))
            study->linears->other[study->linears->count++] = found;
    }
}

const tn_linear_expectation *tn_linear_expected(const tn_study *study)
{
    return study->linears && study->linears->is_known ? &study->linears->expected : NULL;
}

/* ---- what one costs ---------------------------------------------------------------------------------------------- */

static void forget(analysed *one)
{
    if (one->self) tn_call(one->choice.type, destroy, one->self);
    one->self = NULL;
}

/* False where it cannot have this pattern, or does not say what it costs; then nothing is left of it. */
static bool analyse(tn_assembly *assembly, analysed *one)
{
    const tn_loaded_linear *type = one->choice.type;
    const tn_cost_capability *known = tn_capability_of(type->capabilities, TN_COST_KEY);
    tn_linear_expectation *expected = &one->expected;
    if (!known || !type->estimate) return false;
    tn_status status = tn_call(type, create, assembly->system.host, one->choice.instance,
                               &assembly->equations.matrix, &one->self);
    if (status == TN_OK)
        status = tn_call(type, estimate, one->self, &expected->entries, &expected->operations);
    if (status == TN_OK)
        status = tn_call_at(type, "cost", NULL, known->cost(one->self, &expected->cost));
    if (status != TN_OK) forget(one);
    return status == TN_OK;
}

static double time_of(const analysed *one)
{
    return one->expected.cost.factorisation + SOLUTIONS * one->expected.cost.solution;
}

/* The better one of the others, in the place of the first. */
static void ask_others(tn_study *study, analysed *best)
{
    for (size_t k = 0; k < study->linears->count; k++) {
        analysed other = {.choice = study->linears->other[k], .expected = {.chosen = true}};
        if (other.choice.type == best->choice.type || !analyse(study->assembly, &other)) continue;
        const bool is_better = time_of(&other) < CLEARLY_LESS * time_of(best);
        forget(is_better ? best : &other);
        if (is_better) *best = other;
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Bytes that the process can have. */
static double memory_of_machine(void)
{
    struct rlimit limit;
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}

static tn_status check_memory(tn_assembly *assembly, const analysed *one)
{
    const double available = memory_of_machine();
    if (one->expected.cost.memory <= available) return TN_OK;
    (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason,
                       "the factors of a matrix of size %u are expected to have %.3g entries, for which `%s` needs %.3g GB "
                       "of memory: there are %.3g GB",
                       assembly->equations.matrix.size, one->expected.entries, one->choice.type->name,
                       one->expected.cost.memory * 1e-9, available * 1e-9);
    return TN_INVALID;
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

/* What has analysed the pattern serves the run. */
static void hand_over(tn_assembly *assembly, analysed *one)
{
    const tn_linear_check *check = assembly->services->linear;
    if (!one->self) return;
    assembly->equations.self = one->self;
    if (check && !assembly->linear->record) assembly->linear->record = check->open(assembly->equations.matrix.size);
}

tn_status tn_linear_begin(tn_study *study, tn_solver_plan *plan)
{
    tn_assembly *assembly = study->assembly;
    analysed best = {.choice = plan->linear};
    study->linears->is_known = has_large_matrix(study, plan) && tn_system_pattern(&assembly->system) &&
                               analyse(assembly, &best);
    if (study->linears->is_known) {
        if (plan->linear_is_open && time_of(&best) > FAST_ENOUGH) ask_others(study, &best);
        study->linears->expected = best.expected;
        const tn_status status = check_memory(assembly, &best);
        if (status != TN_OK) {
            forget(&best);
            return status;
        }
    }
    plan->linear = best.choice;
    tn_linear_open(assembly, best.choice.type, best.choice.instance);
    hand_over(assembly, &best);
    return TN_OK;
}
