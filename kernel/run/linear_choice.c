/* linear_choice.c - chooses the linear solver of a large model (see linear_choice.h) */
#include "run/linear_choice.h"

#include "config/standard.h"
#include "system/linear.h"
#include "system/matrix.h"

#include <tenon/draft/complex_equations.h>

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Below, factors take milliseconds whoever makes them: those of mechanisms, and of nets, which fill. */
enum { FEWEST_UNKNOWNS = 2000, FEWEST_IN_NETS = 500 };
#define NET \
    1.5 /* couplings for each body: a mechanism has hardly more than one, a grid two, a lattice three */
#define SOLUTIONS 40.0   /* that a factorisation serves, as iterations keep their matrix for many steps */
#define FAST_ENOUGH 0.01 /* s: others are not asked; they have to analyse the pattern as well */
#define CLEARLY_LESS 0.8 /* of the time: a solver that costs about the same is not better */
#define HARDLY_FILL 4.0  /* entries of factors for each one of the matrix: nobody needs much fewer */

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

/* Whether bodies have many neighbours. */
static bool is_net(const tn_assembly *assembly)
{
    double bodies = 0.0, couplings = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (group->batch.layout->nv)
            bodies += group->batch.count;
        else if (group->leg_count > 1)
            couplings += (double)group->batch.count * (double)(group->leg_count - 1);
    }
    return couplings >= NET * bodies;
}

/* Whether this part of the run factorises the matrix of the system, and that is large. */
static bool has_large_matrix(const tn_study *study, const tn_solver_plan *plan)
{
    const tn_system *system = &study->assembly->system;
    const bool factorises =
        plan->type->flags & TN_NEEDS_MATRIX || (system->rows && !(plan->type->flags & TN_BY_IMPULSES));
    const uint64_t unknowns = (uint64_t)system->nv + system->rows;
    return factorises &&
           (unknowns >= FEWEST_UNKNOWNS || (unknowns >= FEWEST_IN_NETS && is_net(study->assembly)));
}

void tn_linear_find_candidates(tn_study *study)
{
    static const char *const names[] = {TN_LINEAR_FOR_LARGE};
    tn_model *model = study->model;
    bool chooses = false, needs_complex = false;
    study->linears = tn_arena_new(&model->arena, sizeof *study->linears);
    for (size_t k = 0; k < study->plan.solver_count; k++) {
        const tn_solver_plan *plan = &study->plan.solver[k];
        chooses = chooses || (plan->linear_is_open && plan->type && has_large_matrix(study, plan));
        needs_complex = needs_complex || (plan->type && plan->type->flags & TN_NEEDS_COMPLEX);
    }
    if (!chooses) return;
    study->linears->other =
        tn_arena_new(&model->arena, sizeof names / sizeof *names * sizeof *study->linears->other);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const tn_linear_choice found = tn_find_linear(model, names[k]);
        if (found.type && tn_capability_of(found.type->capabilities, TN_COST_KEY) &&
            (found.type->factor_complex || !needs_complex))
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

/* Not TN_OK where it cannot have this matrix, or does not say what it costs; then nothing is left of it. */
static tn_status analyse(tn_assembly *assembly, analysed *one)
{
    const tn_loaded_linear *type = one->choice.type;
    const tn_matrix *matrix = &assembly->equations.matrix;
    const tn_cost_capability *known = tn_capability_of(type->capabilities, TN_COST_KEY);
    if (!known) return TN_UNSUPPORTED;
    tn_status status = tn_call(type, create, assembly->system.host, one->choice.instance, matrix, &one->self);
    if (status == TN_OK)
        status = tn_call_at(type, "cost", NULL, known->cost(one->self, matrix, &one->expected.cost));
    if (status != TN_OK) forget(one);
    return status;
}

static double time_of(const tn_linear_cost *cost) { return cost->factorisation + SOLUTIONS * cost->solution; }

static double entries_of(const tn_matrix *matrix)
{
    double count = 0.0;
    for (int32_t e = 0; e < matrix->column_start[matrix->size]; e++)
        count += matrix->value[e] != 0.0;
    return count;
}

static bool is_good_enough(const tn_assembly *assembly, const analysed *one)
{
    const double time = time_of(&one->expected.cost);
    return time <= FAST_ENOUGH ||
           (time < HUGE_VAL &&
            one->expected.cost.entries <= HARDLY_FILL * entries_of(&assembly->equations.matrix));
}

/* Whether one is not clearly better than the best one, whatever it would find: it need not analyse the matrix. `shortest` are the shortest
 * factors that those have found who can have the matrix. */
static bool cannot_win(const tn_loaded_linear *type, uint32_t size, const tn_linear_cost *shortest,
                       const analysed *best)
{
    const tn_cost_capability *known = tn_capability_of(type->capabilities, TN_COST_KEY);
    const double time = time_of(&best->expected.cost);
    tn_linear_cost least = {0};
    if (!known->least || !(time < HUGE_VAL) || !(shortest->entries < HUGE_VAL)) return false;
    tn_call_at(type, "least", NULL, known->least(size, shortest, &least));
    return time_of(&least) >= CLEARLY_LESS * time;
}

/* Who declines has maybe not counted to the end. */
static void note_shorter(const tn_linear_cost *cost, tn_linear_cost *shortest)
{
    if (!(time_of(cost) < HUGE_VAL)) return;
    shortest->entries = fmin(shortest->entries, cost->entries);
    shortest->operations = fmin(shortest->operations, cost->operations);
}

/* The first of the others that is clearly better takes the place; those behind it are not asked, as they have to analyse the matrix too. Who
 * has declined gives way to anyone, with whom others are compared. A lack of memory is the end: otherwise it would choose, and the bits of
 * the results with it. */
static tn_status ask_others(tn_study *study, analysed *best)
{
    const uint32_t size = study->assembly->equations.matrix.size;
    tn_linear_cost shortest = {.entries = HUGE_VAL, .operations = HUGE_VAL};
    bool found = false;
    note_shorter(&best->expected.cost, &shortest);
    for (size_t k = 0; k < study->linears->count && !found && !is_good_enough(study->assembly, best); k++) {
        analysed other = {.choice = study->linears->other[k], .expected = {.chosen_by = "cost"}};
        if (other.choice.type == best->choice.type || cannot_win(other.choice.type, size, &shortest, best))
            continue;
        const tn_status status = analyse(study->assembly, &other);
        if (status == TN_OUT_OF_MEMORY) return status;
        if (status != TN_OK) continue;
        const bool had_declined = !(time_of(&best->expected.cost) < HUGE_VAL);
        const bool is_better = time_of(&other.expected.cost) < CLEARLY_LESS * time_of(&best->expected.cost);
        note_shorter(&other.expected.cost, &shortest);
        forget(is_better ? best : &other);
        if (is_better) *best = other;
        found = is_better && !had_declined;
    }
    return TN_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Bytes that the process can have. */
static double memory_of_machine(void)
{
    struct rlimit limit;
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}

static tn_status check_memory(tn_assembly *assembly, const analysed *one)
{
    const double available = memory_of_machine();
    if (one->expected.cost.memory <= available) return TN_OK;
    (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason,
                       "before it began: the factors of a matrix of size %u are expected to have %.3g "
                       "entries, for which `%s` needs %.3g GB "
                       "of memory: there are %.3g GB",
                       assembly->equations.matrix.size, one->expected.cost.entries, one->choice.type->name,
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
    if (check && !assembly->linear->record)
        assembly->linear->record = check->open(assembly->equations.matrix.size);
}

/* The matrix of the equations at the start, with all of its parts; what is counted of the run stays as it is. */
static bool fill_matrix(tn_assembly *assembly, const tn_solver_plan *plan)
{
    const bool has_slopes = plan->type->flags & TN_NEEDS_MATRIX;
    const tn_matrix_request request = {.c_mass = 1.0,
                                       .c_damping = has_slopes,
                                       .c_stiffness = has_slopes,
                                       .row_factor = 1.0,
                                       .share = assembly->redundancy.share,
                                       .even = assembly->redundancy.solves_least};
    const tn_statistics statistics = assembly->statistics;
    tn_status status = tn_system_pattern(&assembly->system) ? TN_OK : TN_OUT_OF_MEMORY;
    if (status == TN_OK) status = assembly->system.evaluate(&assembly->system);
    if (status == TN_OK) status = tn_matrix_fill(assembly, &request, &assembly->equations);
    assembly->statistics = statistics;
    return status == TN_OK;
}

/* The first part of the run with a large matrix, or NULL. */
static tn_solver_plan *first_large(tn_study *study)
{
    for (size_t k = 0; k < study->plan.solver_count; k++)
        if (study->plan.solver[k].linear.type && has_large_matrix(study, &study->plan.solver[k]))
            return &study->plan.solver[k];
    return NULL;
}

/* All parts of the run that have the choice take this one; the part that begins goes on with what was analysed. */
static void take(tn_study *study, bool is_open, analysed *best)
{
    tn_solver_plan *first = study->plan.solver;
    for (size_t k = 0; k < study->plan.solver_count; k++)
        if (first[k].linear_is_open && first[k].linear.type && is_open) first[k].linear = best->choice;
    if (first->linear.type != best->choice.type || first->linear.instance != best->choice.instance) {
        forget(best);
        return;
    }
    tn_linear_close(study->assembly);
    tn_linear_open(study->assembly, best->choice.type, best->choice.instance);
    hand_over(study->assembly, best);
}

tn_status tn_linear_choose(tn_study *study)
{
    const tn_solver_plan *plan = first_large(study);
    if (!plan || !fill_matrix(study->assembly, plan)) return TN_OK;
    analysed best = {.choice = plan->linear,
                     .expected = {.chosen_by = plan->linear_is_open ? "default" : "model"}};
    tn_status status = analyse(study->assembly, &best);
    if (status == TN_OUT_OF_MEMORY) return status;
    if (status != TN_OK) best.expected.cost.factorisation = HUGE_VAL; // anyone who can have it is better
    status = plan->linear_is_open ? ask_others(study, &best) : TN_OK;
    if (!best.self) return status;
    study->linears->expected = best.expected;
    study->linears->is_known = true;
    if (status == TN_OK) status = check_memory(study->assembly, &best);
    if (status == TN_OK)
        take(study, plan->linear_is_open, &best);
    else
        forget(&best);
    return status;
}
