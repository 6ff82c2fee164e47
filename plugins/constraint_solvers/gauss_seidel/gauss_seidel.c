/* gauss_seidel.c - impulses block by block, each by its law in closed form against those of all others, in a fixed order
 *
 * Joints are eliminated by sparse factors beforehand, so that the sweeps over contacts see bodies that move as the joints let them; or
 * they are swept, too. What the sweeps change is one vector, z; the rates of a block are those of its rows of G. */
#include "gauss_seidel.h"

#include <tenon/author.h>
#if TN_VALUES

#define GAUSS_SEIDEL(P)                                                                              \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0, "error of the natural map that is allowed") \
    P(INTEGER, most_iterations, 0, 10000, 1, 1e9, "sweeps over all blocks")                          \
    P(CHOICE, joints, "eliminated|swept", 0, 0,                                                      \
      "whether joints hold in every sweep, by one factorisation, or are swept like contacts")
TN_PARAMETERS(gauss_seidel, GAUSS_SEIDEL)

enum joints { ELIMINATED, SWEPT };
enum { CHECK_EVERY = 8 }; /* sweeps: the error costs half of one */

typedef struct solver {
    const gauss_seidel *of;
    tn_saddle saddle;
    columns columns;
    bool *swept; /* [rows] */
    size_t swept_room;
    size_t *place; /* [blocks] where W of a block begins in `W` */
    size_t place_room;
    double *W;
    size_t W_room;
    double *number; /* [2 nv + 3 rows] z, what contacts pull; rates, impulses of joints, the best impulses */
    size_t number_room;
    acceleration acceleration;
} solver;

static void gauss_seidel_destroy(void *self)
{
    solver *s = self;
    tn_saddle_free(&s->saddle);
    free_columns(&s->columns);
    free(s->swept);
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
    s->saddle.linear = linear;
    return TN_OK;
}

/* ---- what a problem is prepared with ----------------------------------------------------------------------------- */

/* Which rows are swept, and whether joints stay out of it. */
static tn_status sort_rows(solver *s, const tn_impulse_problem *p, tn_impulse_outcome *outcome)
{
    bool eliminates = false;
    if (!tn_grow_array(&s->swept, &s->swept_room, p->rows + (size_t)1, sizeof *s->swept))
        return TN_OUT_OF_MEMORY;
    for (uint32_t b = 0; b < p->blocks; b++) {
        const tn_impulse_block *block = &p->block[b];
        const bool joint = block->law == TN_JOINT_LAW, out = joint && s->of->joints == ELIMINATED;
        outcome->worst = b;
        if (joint && !out && block->rows > MOST_BLOCK_ROWS) return TN_UNSUPPORTED;
        eliminates = eliminates || out;
        for (uint32_t r = 0; r < block->rows; r++)
            s->swept[block->first + r] = !out;
    }
    s->columns.kind = eliminates || !p->block_diagonal ? BY_SYSTEM : BY_BODIES;
    return TN_OK;
}

/* Joints that are swept are no part of the sparse factors. */
static tn_impulse_problem problem_of_factors(const solver *s, const tn_impulse_problem *p)
{
    tn_impulse_problem own = *p;
    if (s->of->joints == SWEPT) own.blocks = 0;
    return own;
}

static tn_status find_blocks(solver *s, const tn_impulse_problem *p)
{
    size_t count = 0;
    if (!tn_grow_array(&s->place, &s->place_room, p->blocks + (size_t)1, sizeof *s->place))
        return TN_OUT_OF_MEMORY;
    for (uint32_t b = 0; b < p->blocks; b++) {
        const tn_impulse_block *block = &p->block[b];
        s->place[b] = count;
        if (!block->rows || !s->swept[block->first]) continue;
        count += (size_t)block->rows * block->rows;
        if (!tn_grow_array(&s->W, &s->W_room, count, sizeof *s->W)) return TN_OUT_OF_MEMORY;
        for (uint32_t i = 0; i < block->rows; i++)
            for (uint32_t j = 0; j < block->rows; j++)
                s->W[s->place[b] + i * block->rows + j] =
                    couple(&s->columns, p, block->first + i, block->first + j);
    }
    return TN_OK;
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

static double rate_of(const tn_impulse_problem *p, uint32_t r, const double *z)
{
    double rate = p->free_rate[r];
    for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
        rate += p->value[e] * z[p->column[e]];
    return rate;
}

/* By how much the block's impulses change the largest of its own rates. */
static double sweep_block(const solver *s, const tn_impulse_problem *p, uint32_t b, double *z)
{
    const tn_impulse_block *block = &p->block[b];
    const uint32_t n = block->rows;
    const double *W = s->W + s->place[b];
    double q[MOST_BLOCK_ROWS], now[MOST_BLOCK_ROWS], *old = p->impulse + block->first, change = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        q[i] = rate_of(p, block->first + i, z);
        for (uint32_t j = 0; j < n; j++)
            q[i] -= W[i * n + j] * old[j];
    }
    if (block->law == TN_JOINT_LAW)
        solve_joint(n, W, q, now);
    else if (block->law == TN_UNILATERAL_LAW)
        solve_unilateral(W[0], q[0], now);
    else
        solve_cone(block->friction, W, q, now);
    for (uint32_t i = 0; i < n; i++) {
        if (now[i] == old[i]) continue;
        change = fmax(change, fabs(W[i * n + i] * (now[i] - old[i])));
        add_column(&s->columns, p, block->first + i, now[i] - old[i], z);
        old[i] = now[i];
    }
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
    memset(z, 0, p->nv * sizeof *z);
    if (s->columns.kind == BY_BODIES) {
        for (uint32_t r = 0; r < p->rows; r++)
            add_column(&s->columns, p, r, p->impulse[r], z);
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

static tn_status measure(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome)
{
    double *rate = s->number + 2 * (size_t)p->nv;
    const tn_status status = find_velocities(s, p, z);
    for (uint32_t r = 0; status == TN_OK && r < p->rows; r++)
        rate[r] = rate_of(p, r, z);
    if (status == TN_OK) tn_impulse_error(p, rate, outcome);
    return status;
}

/* The metric of accelerations: the diagonal of W. */
static bool begin_sweeps(solver *s, const tn_impulse_problem *p)
{
    if (!begin_acceleration(&s->acceleration, p->rows, p->nv)) return false;
    memset(s->acceleration.weight, 0, p->rows * sizeof(double));
    for (uint32_t b = 0; b < p->blocks; b++)
        for (uint32_t i = 0; i < p->block[b].rows && s->swept[p->block[b].first]; i++)
            s->acceleration.weight[p->block[b].first + i] = s->W[s->place[b] + i * p->block[b].rows + i];
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
static bool is_due(const solver *s, uint32_t sweeps, double change, double largest)
{
    const bool early = sweeps < CHECK_EVERY && (sweeps & (sweeps - 1)) == 0;
    return early || sweeps % CHECK_EVERY == 0 || sweeps >= s->of->most_iterations ||
           change <= s->of->tolerance * largest;
}

static tn_status iterate(solver *s, const tn_impulse_problem *p, tn_impulse_outcome *outcome)
{
    double *z = s->number, *best = z + 2 * ((size_t)p->nv + p->rows);
    tn_status status = measure(s, p, z, outcome);
    if (!begin_sweeps(s, p)) return TN_OUT_OF_MEMORY;
    const double largest = largest_rate(p), tolerance = s->of->tolerance;
    double least = outcome->error, change = HUGE_VAL;
    memcpy(best, p->impulse, p->rows * sizeof *best);
    while (status == TN_OK && outcome->error > tolerance && change > 0.0 &&
           outcome->iterations < s->of->most_iterations) {
        before_sweep(&s->acceleration, p->impulse, z);
        change = sweep(s, p, z);
        outcome->iterations++;
        if (is_due(s, outcome->iterations, change, largest)) status = measure(s, p, z, outcome);
        if (outcome->error < least) {
            least = outcome->error;
            memcpy(best, p->impulse, p->rows * sizeof *best);
        }
        if (outcome->error > tolerance) after_sweep(&s->acceleration, p->impulse, z);
    }
    if (status != TN_OK || outcome->error <= least) return status;
    memcpy(p->impulse, best, p->rows * sizeof *best);
    return measure(s, p, z, outcome);
}

static tn_status gauss_seidel_solve(void *self, const tn_impulse_problem *problem,
                                    tn_impulse_outcome *outcome)
{
    solver *s = self;
    tn_status status = tn_impulse_open(problem, outcome);
    if (status == TN_OK) status = sort_rows(s, problem, outcome);
    if (status != TN_OK || problem->rows == 0) return status;
    const size_t count = 2 * (size_t)problem->nv + 3 * (size_t)problem->rows + 1;
    if (!tn_grow_array(&s->number, &s->number_room, count, sizeof *s->number)) return TN_OUT_OF_MEMORY;
    const tn_impulse_problem own = problem_of_factors(s, problem);
    status = find_columns(&s->columns, s->columns.kind == BY_BODIES ? problem : &own, s->swept, &s->saddle);
    if (status == TN_OK) status = find_blocks(s, problem);
    if (status == TN_OK) status = iterate(s, problem, outcome);
    if (status != TN_OK) return status;
    return outcome->error <= s->of->tolerance ? TN_OK : TN_RETRY;
}

TN_CONSTRAINT_SOLVER(
    gauss_seidel,
    .summary = "block by block, each law in closed form: joints, contacts, friction; any of them, and robust",
    .formula = "W = G A^-1 G^T, with A^-1 between the joints where they are eliminated\n"
               "for each block b:  p_b from  u_b = (free_rate + W p)_b  and its law\n"
               "slip:  |(S + l)^-1 b| = friction p_N,  a quartic in l",
    .literature =
        "Jourdan, Alart, Jean: A Gauss-Seidel like algorithm to solve frictional contact problems, "
        "Comput. Methods Appl. Mech. Eng. 155 "
        "(1998) 31-47\n"
        "Bonnefon, Daviet: Quartic formulation of Coulomb 3D frictional contact, INRIA technical "
        "report RT-0400 (2011)\n"
        "Walker, Ni: Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49 (2011) "
        "1715-1735",
    .create = gauss_seidel_create, .solve = gauss_seidel_solve, .destroy = gauss_seidel_destroy)
TN_LIBRARY("gauss_seidel", "1.0.0", "Apache-2.0", "impulses block by block",
           {TN_CONSTRAINT_SOLVER_KIND, &gauss_seidel_type})
#endif
