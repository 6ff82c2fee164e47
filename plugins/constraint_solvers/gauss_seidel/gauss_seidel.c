/* gauss_seidel.c - impulses block by block, each by its law in closed form against those of all others, in a fixed order
 *
 * Joints are eliminated by sparse factors beforehand, so that the sweeps over contacts see bodies that move as the joints let them; or
 * they are swept, too. What the sweeps change is one vector, z; the rates of a block are those of its rows of G. */
#include "gauss_seidel.h"

#include <tenon/author.h>
#if TN_VALUES

#define GAUSS_SEIDEL(P)                                                                              \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0, "error of the natural map that is allowed") \
    P(INTEGER, most_iterations, 0, 10000, 1, 1e9,                                                    \
      "sweeps over all blocks, and steps of all of them at once")                                    \
    P(CHOICE, joints, "eliminated|swept", 0, 0,                                                      \
      "whether joints hold in every sweep, by one factorisation, or are swept like contacts")
TN_PARAMETERS(gauss_seidel, GAUSS_SEIDEL)
TN_SYNONYMS(gauss_seidel, {"pgs", NULL, NULL}, {"projected_gauss_seidel", NULL, NULL}, {"nsgs", NULL, NULL},
            {"nlgs", NULL, NULL}, {"non_smooth_gauss_seidel", NULL, NULL},
            {"sequential_impulses", NULL, NULL}, {"sweeps", "most_iterations", NULL},
            {"max_iterations", "most_iterations", NULL}, {"iterations", "most_iterations", NULL})

enum joints { ELIMINATED, SWEPT };
enum { CHECK_EVERY = 8 }; /* sweeps: the error costs half of one */

static void gauss_seidel_destroy(void *self)
{
    solver *s = self;
    tn_saddle_free(&s->saddle);
    free_finish(s);
    free(s->column);
    free(s->swept);
    free(s->of_factors);
    free(s->place);
    free(s->W);
    free(s->number);
    free_acceleration(&s->acceleration);
    free(s);
}

static tn_status gauss_seidel_create(TN_UNUSED const tn_host *host, const void *instance,
                                     const tn_own_matrices *linear, void **self)
{
    solver *s = *self = calloc(1, sizeof *s);
    if (!s) return TN_OUT_OF_MEMORY;
    s->of = instance;
    s->tolerance = s->of->tolerance;
    s->most_iterations = s->of->most_iterations;
    s->saddle.linear = linear;
    return TN_OK;
}

/* ---- what a problem is prepared with ----------------------------------------------------------------------------- */

/* The only block that acts on each velocity, plus 1, or -1, in z [nv]. */
static void find_users(const tn_impulse_problem *p, double *user)
{
    memset(user, 0, p->nv * sizeof *user);
    for (uint32_t b = 0; b < p->blocks; b++) {
        const tn_impulse_block *block = &p->block[b];
        for (uint32_t e = p->row_start[block->first]; e < p->row_start[block->first + block->rows]; e++) {
            double *of = &user[p->column[e]];
            *of = *of == 0.0 || *of == (double)b + 1.0 ? (double)b + 1.0 : -1.0;
        }
    }
}

/* Whether a joint is one row on bodies that nothing else acts on, such as that of an impact which is to end at a given gap: sweeps solve
 * it at once. These come and go, which other joints do not: factors with them would have another pattern each time. */
static bool is_alone(const tn_impulse_problem *p, uint32_t b, const double *user)
{
    const tn_impulse_block *block = &p->block[b];
    if (block->rows != 1) return false;
    for (uint32_t e = p->row_start[block->first]; e < p->row_start[block->first + 1]; e++)
        if (user[p->column[e]] != (double)b + 1.0) return false;
    return true;
}

/* Which rows are swept; *eliminates: joints stay out of it, *sweeps: some are. */
static tn_status sort_rows(solver *s, const tn_impulse_problem *p, bool *eliminates, bool *sweeps,
                           tn_impulse_outcome *outcome)
{
    *eliminates = *sweeps = false;
    if (!tn_grow_array(&s->swept, &s->swept_room, p->rows + (size_t)1, sizeof *s->swept) ||
        !tn_grow_array(&s->of_factors, &s->of_factors_room, p->blocks + (size_t)1, sizeof *s->of_factors))
        return TN_OUT_OF_MEMORY;
    find_users(p, s->number);
    for (uint32_t b = 0; b < p->blocks; b++) {
        const tn_impulse_block *block = &p->block[b];
        const bool joint = block->law == TN_JOINT_LAW;
        const bool out = joint && s->of->joints == ELIMINATED && !is_alone(p, b, s->number);
        outcome->worst = b;
        if (joint && !out && block->rows > MOST_BLOCK_ROWS) return TN_UNSUPPORTED;
        s->of_factors[b] = *block;
        if (!out) s->of_factors[b].law = TN_UNILATERAL_LAW;
        *eliminates = *eliminates || out;
        *sweeps = *sweeps || !out;
        for (uint32_t r = 0; r < block->rows; r++)
            s->swept[block->first + r] = !out;
    }
    return TN_OK;
}

/* The problem by bodies, where sweeps go by them. */
static tn_status choose_kind(solver *s, const tn_impulse_problem *p, bool eliminates,
                             tn_impulse_outcome *outcome)
{
    s->kind = BY_SYSTEM;
    s->taken = false;
    if (eliminates || !p->block_diagonal) return TN_OK;
    const tn_status status = tn_impulse_blocks_take(&s->blocks, p, &outcome->worst);
    s->taken = status == TN_OK;
    if (s->taken && s->blocks.separate) s->kind = BY_BODIES;
    return status;
}

/* Joints that are swept are no part of the sparse factors. */
static tn_impulse_problem problem_of_factors(const solver *s, const tn_impulse_problem *p)
{
    tn_impulse_problem own = *p;
    own.block = s->of_factors;
    return own;
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

/* By how much the block's impulses change the largest of its own rates. */
static double sweep_block(const solver *s, const tn_impulse_problem *p, uint32_t b, double *z)
{
    const tn_impulse_block *block = &p->block[b];
    const uint32_t n = block->rows;
    const double *W = s->W + s->place[b].W;
    double q[MOST_BLOCK_ROWS], now[MOST_BLOCK_ROWS], *old = p->impulse + block->first, change = 0.0;
    find_rates(s, p, b, z, q);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            q[i] -= W[i * n + j] * old[j];
    if (block->law == TN_JOINT_LAW)
        solve_joint(n, W, q, now);
    else if (block->law == TN_UNILATERAL_LAW)
        solve_unilateral(W[0], q[0], now);
    else
        solve_cone(block->friction, W, q, now);
    for (uint32_t i = 0; i < n; i++) {
        const double by = now[i] - old[i];
        change = fmax(change, fabs(W[i * n + i] * by));
        old[i] = now[i];
        now[i] = by;
    }
    if (change > 0.0) add_columns(s, p, b, now, z);
    return change;
}

static double sweep(const solver *s, const tn_impulse_problem *p, double *z)
{
    double change = 0.0;
    for (uint32_t b = 0; b < p->blocks; b++)
        if (p->block[b].rows && s->swept[p->block[b].first]) change = fmax(change, sweep_block(s, p, b, z));
    return change;
}

/* The velocities that the impulses of the rows that are swept make, and joints with them; exactly, as sums of many sweeps are not. With
 * `joint` their impulses are found, too. */
static tn_status find_velocities(solver *s, const tn_impulse_problem *p, double *z)
{
    const tn_impulse_problem own = problem_of_factors(s, p);
    double *pull = s->number + p->nv, *joint = pull + p->nv + p->rows;
    tn_status status = TN_OK;
    if (s->kind == BY_BODIES) {
        tn_impulse_blocks_velocity(&s->blocks, p->impulse, z);
        return TN_OK;
    }
    memset(pull, 0, p->nv * sizeof *pull);
    for (uint32_t r = 0; r < p->rows; r++)
        for (uint32_t e = p->row_start[r]; s->swept[r] && e < p->row_start[r + 1]; e++)
            pull[p->column[e]] += p->value[e] * p->impulse[r];
    status = tn_saddle_joints(&s->saddle, &own, pull, joint, z);
    for (uint32_t k = 0; status == TN_OK && k < s->saddle.rows; k++)
        p->impulse[s->saddle.row_of[k]] = joint[k];
    return status;
}

tn_status measure(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome)
{
    double *rate = s->number + 2 * (size_t)p->nv;
    const tn_status status = find_velocities(s, p, z);
    if (status != TN_OK) return status;
    for (uint32_t b = 0; b < p->blocks; b++)
        find_rates(s, p, b, z, rate + p->block[b].first);
    if (s->taken)
        tn_impulse_error_weighted(p, rate, s->blocks.weight, outcome);
    else
        tn_impulse_error(p, rate, outcome);
    return TN_OK;
}

/* The metric of accelerations: the diagonal of W. */
static bool begin_sweeps(solver *s, const tn_impulse_problem *p)
{
    if (!begin_acceleration(&s->acceleration, p->rows, p->nv)) return false;
    memset(s->acceleration.weight, 0, p->rows * sizeof(double));
    for (uint32_t b = 0; b < p->blocks; b++)
        for (uint32_t i = 0; i < p->block[b].rows && s->swept[p->block[b].first]; i++)
            s->acceleration.weight[p->block[b].first + i] = s->W[s->place[b].W + i * p->block[b].rows + i];
    return true;
}

static double largest_rate(const tn_impulse_problem *p)
{
    double largest = 0.0;
    for (uint32_t r = 0; r < p->rows; r++)
        largest = fmax(largest, fabs(p->free_rate[r]));
    return largest;
}

/* Behind the first sweeps, since uncoupled blocks take one; then every eighth, and those that hardly change a rate. */
static bool is_due(uint32_t sweeps, double change, double enough)
{
    const bool early = sweeps < CHECK_EVERY && (sweeps & (sweeps - 1)) == 0;
    return early || sweeps % CHECK_EVERY == 0 || change <= enough;
}

/* From the impulses that there are. Steps of Newton's method are tried behind eight sweeps, and where they come no nearer, behind twice
 * as many each time. */
static tn_status iterate(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome)
{
    const double tolerance = s->tolerance, enough = tolerance * largest_rate(p);
    double *best = z + 2 * ((size_t)p->nv + p->rows), least = outcome->error, change = HUGE_VAL;
    tn_status status = TN_OK;
    memcpy(best, p->impulse, p->rows * sizeof *best);
    for (uint32_t sweeps = 0, next = CHECK_EVERY; outcome->error > tolerance && change > 0.0;) {
        const bool last = outcome->iterations + 1 >= s->most_iterations;
        before_sweep(&s->acceleration, p->impulse, z);
        change = sweep(s, p, z);
        outcome->iterations++;
        bool nearer = false;
        if (is_due(++sweeps, change, enough) || last) status = measure(s, p, z, outcome);
        if (status == TN_OK && outcome->error > tolerance && sweeps >= next) {
            status = finish(s, p, z, outcome, &nearer);
            next = nearer ? sweeps + CHECK_EVERY : 2 * sweeps;
        }
        if (status != TN_OK) return status;
        if (outcome->error < least) {
            least = outcome->error;
            memcpy(best, p->impulse, p->rows * sizeof *best);
        }
        if (last) break;
        if (nearer)
            forget_sweeps(&s->acceleration);
        else if (outcome->error > tolerance)
            after_sweep(&s->acceleration, p->impulse, z);
    }
    if (outcome->error <= least) return TN_OK;
    memcpy(p->impulse, best, p->rows * sizeof *best);
    return measure(s, p, z, outcome);
}

static tn_status gauss_seidel_solve(void *self, const tn_impulse_problem *problem,
                                    tn_impulse_outcome *outcome)
{
    solver *s = self;
    bool eliminates, sweeps, nearer;
    if (!problem->same_matrix)
        s->blocks.inverted = s->blocks.taken = false; /* of a problem before the last */
    tn_status status = tn_impulse_open(problem, outcome);
    if (status != TN_OK || problem->rows == 0) return status;
    const size_t count = 2 * (size_t)problem->nv + 3 * (size_t)problem->rows + 1;
    if (!tn_grow_array(&s->number, &s->number_room, count, sizeof *s->number)) return TN_OUT_OF_MEMORY;
    status = sort_rows(s, problem, &eliminates, &sweeps, outcome);
    if (status == TN_OK) status = choose_kind(s, problem, eliminates, outcome);
    if (status == TN_OK && sweeps) status = prepare_steps(s, problem, outcome);
    if (status != TN_OK) return status;
    const tn_impulse_problem own = problem_of_factors(s, problem);
    status = find_columns(s, problem, &own);
    if (status == TN_OK && !begin_sweeps(s, problem)) status = TN_OUT_OF_MEMORY;
    if (status == TN_OK) status = measure(s, problem, s->number, outcome);
    const bool good = status == TN_OK && outcome->error <= s->tolerance;
    if (good && sweeps) status = finish(s, problem, s->number, outcome, &nearer);
    if (status == TN_OK) status = iterate(s, problem, s->number, outcome);
    if (status != TN_OK) return status;
    return outcome->error <= s->tolerance ? TN_OK : TN_RETRY;
}

TN_CONSTRAINT_SOLVER(
    gauss_seidel,
    .summary = "block by block, each law in closed form: joints, contacts, friction; any of them, and robust",
    .formula = "W = G A^-1 G^T, with A^-1 between the joints where they are eliminated\n"
               "for each block b:  p_b from  u_b = (free_rate + W p)_b  and its law\n"
               "slip:  |(S + l)^-1 b| = friction p_N,  a quartic in l\n"
               "at the end:  dp = -f - D W dp,  the laws of all blocks, linearised",
    .literature =
        "Jourdan, Alart, Jean: A Gauss-Seidel like algorithm to solve frictional contact problems, "
        "Comput. Methods Appl. Mech. Eng. 155 "
        "(1998) 31-47\n"
        "Bonnefon, Daviet: Quartic formulation of Coulomb 3D frictional contact, INRIA technical "
        "report RT-0400 (2011)\n"
        "Walker, Ni: Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49 (2011) "
        "1715-1735\n"
        "Alart, Curnier: A mixed formulation for frictional contact problems prone to Newton like "
        "solution methods, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375",
    .synonyms = gauss_seidel_synonyms, .create = gauss_seidel_create, .solve = gauss_seidel_solve,
    .destroy = gauss_seidel_destroy)
TN_LIBRARY("gauss_seidel", "1.0.0", "Apache-2.0", "impulses block by block",
           {TN_CONSTRAINT_SOLVER_KIND, &gauss_seidel_type})
#endif
