/* shift.c - solutions of the equations of one shift, with the linear solver of the study (shift.h)
 *
 *     K + D T + s (D + M T) + s^2 M    -f B    -F              q     forces
 *     f G                                E      0              l  =  0                of position rows
 *     f' (s A + L + A T)                 E      0                    f' rates         of velocity rows
 *     R_q + R_v T + s R_v                0      H - s          x     rates of states
 *
 * f and f' scale rows to the size of stiffnesses; E, which keeps rows regular that depend on each other, is taken out again by iterative
 * refinement. */
#include "shift.h"

#define REFINED 1e-14 /* of the right-hand side: nothing is left to be refined */
#define WRONG 1e-7    /* of the terms: what is left of a right-hand side that no solution has */
#define SHARE 1e-12   /* E, of what rows make of the inverse of the diagonal */

enum { MOST_TURNS = 8 };

/* ---- parts -------------------------------------------------------------------------------------------------------- */

static tn_status find_motion_parts(eigen_shift *s)
{
    const eigen_work *work = s->work;
    const tn_linearisation *linear = work->linear;
    const tn_sparse *T = &work->transport, *D = &work->damping, *M = &linear->mass;
    const eigen_term stiffness[] = {{&linear->stiffness, NULL}, {D, T}}, damping[] = {{D, NULL}, {M, T}};
    tn_status status = tn_eigen_sum(work->host, stiffness, 2, &s->part[SHIFT_STIFFNESS]);
    if (status == TN_OK) status = tn_eigen_sum(work->host, damping, 2, &s->part[SHIFT_DAMPING]);
    s->part[SHIFT_MASS] = *M;
    s->part[SHIFT_REACTIONS] = linear->reactions;
    return status;
}

static tn_status find_row_parts(eigen_shift *s)
{
    const eigen_work *work = s->work;
    const tn_host *host = work->host;
    const tn_sparse *rows = &work->linear->rows;
    const uint8_t *level = work->system->row_level;
    tn_sparse *A = &s->part[SHIFT_VELOCITY_ROWS];
    tn_status status = tn_eigen_some_rows(host, rows, level, TN_POSITION_ROW, &s->part[SHIFT_POSITION_ROWS]);
    if (status == TN_OK) status = tn_eigen_some_rows(host, rows, level, TN_VELOCITY_ROW, A);
    const eigen_term slopes[] = {{&work->linear->row_slopes, NULL}, {A, &work->transport}};
    return status == TN_OK ? tn_eigen_sum(host, slopes, 2, &s->part[SHIFT_ROW_SLOPES]) : status;
}

static tn_status find_state_parts(eigen_shift *s)
{
    const tn_linearisation *linear = s->work->linear;
    const tn_host *host = s->work->host;
    const uint32_t nv = s->nv, n = s->states;
    const double *by_place = linear->rate_by_motion, *by_motion = by_place + nv;
    tn_sparse R, *R_v = &s->part[SHIFT_RATE_BY_MOTION];
    tn_status status =
        tn_eigen_take_full(host, nv, n, n, linear->force_by_state, &s->part[SHIFT_STATE_FORCES]);
    if (status == TN_OK) status = tn_eigen_take_full(host, n, nv, 2 * (size_t)nv, by_place, &R);
    if (status == TN_OK) status = tn_eigen_take_full(host, n, nv, 2 * (size_t)nv, by_motion, R_v);
    if (status == TN_OK)
        status = tn_eigen_take_full(host, n, n, n, linear->rate_by_state, &s->part[SHIFT_RATE_BY_STATE]);
    if (status == TN_OK) status = tn_eigen_take_full(host, n, n, 0, NULL, &s->part[SHIFT_UNIT]);
    const eigen_term rates[] = {{&R, NULL}, {R_v, &s->work->transport}};
    return status == TN_OK ? tn_eigen_sum(host, rates, 2, &s->part[SHIFT_RATE_BY_PLACE]) : status;
}

static void place_blocks(eigen_shift *s)
{
    const uint32_t rows = s->nv, states = s->nv + s->rows;
    const eigen_block place[SHIFT_PARTS] = {
        [SHIFT_REACTIONS] = {0, rows, NULL, 0.0},        [SHIFT_POSITION_ROWS] = {rows, 0, NULL, 0.0},
        [SHIFT_VELOCITY_ROWS] = {rows, 0, NULL, 0.0},    [SHIFT_ROW_SLOPES] = {rows, 0, NULL, 0.0},
        [SHIFT_STATE_FORCES] = {0, states, NULL, 0.0},   [SHIFT_RATE_BY_PLACE] = {states, 0, NULL, 0.0},
        [SHIFT_RATE_BY_MOTION] = {states, 0, NULL, 0.0}, [SHIFT_RATE_BY_STATE] = {states, states, NULL, 0.0},
        [SHIFT_UNIT] = {states, states, NULL, 0.0}};
    s->blocks = s->states ? SHIFT_PARTS : SHIFT_STATE_FORCES;
    for (size_t k = 0; k < s->blocks; k++) {
        s->block[k] = place[k];
        s->block[k].part = &s->part[k];
    }
}

/* The size of K against that of B; that of D or M where there is no stiffness. */
static void find_row_factor(eigen_shift *s)
{
    const double rows = tn_eigen_largest(&s->part[SHIFT_REACTIONS]);
    double forces = tn_eigen_largest(&s->part[SHIFT_STIFFNESS]);
    if (!(forces > 0.0)) forces = tn_eigen_largest(&s->part[SHIFT_DAMPING]);
    if (!(forces > 0.0)) forces = tn_eigen_largest(&s->part[SHIFT_MASS]);
    s->row_factor = rows > 0.0 && forces > 0.0 ? forces / rows : 1.0;
}

static tn_status open_memory(eigen_shift *s)
{
    const tn_host *host = s->work->host;
    const size_t size = (size_t)s->size + 1;
    const tn_status status = tn_eigen_unite(host, s->size, s->block, s->blocks, &s->pattern);
    if (status != TN_OK) return status;
    const size_t entries = (size_t)s->pattern.column_start[s->size] + 1;
    s->number = tn_eigen_numbers(host, entries);
    s->real = tn_eigen_numbers(host, size);
    s->value = host->allocate(host, entries * sizeof *s->value);
    s->diagonal = host->allocate(host, size * sizeof *s->diagonal);
    s->rest = host->allocate(host, size * sizeof *s->rest);
    s->answer = host->allocate(host, size * sizeof *s->answer);
    const bool good = s->number && s->real && s->value && s->diagonal && s->rest && s->answer;
    return good ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status tn_shift_open(const eigen_work *work, eigen_shift *s)
{
    *s = (eigen_shift){.work = work, .nv = work->nv, .rows = work->rows, .states = work->nx};
    s->size = s->nv + s->rows + s->states;
    tn_status status = find_motion_parts(s);
    if (status == TN_OK) status = find_row_parts(s);
    if (status == TN_OK && s->states) status = find_state_parts(s);
    if (status != TN_OK) return status;
    place_blocks(s);
    find_row_factor(s);
    return open_memory(s);
}

void tn_shift_close(eigen_shift *s)
{
    for (int kind = 0; kind < 2; kind++) {
        s->work->matrices->close(s->work->matrices, s->opened[kind]);
        s->opened[kind] = NULL;
    }
}

/* ---- factors -------------------------------------------------------------------------------------------------------- */

static void set_factors(eigen_shift *s, double _Complex mass, double _Complex damping)
{
    const double slopes = tn_eigen_largest(&s->part[SHIFT_ROW_SLOPES]),
                 rows = tn_eigen_largest(&s->part[SHIFT_VELOCITY_ROWS]),
                 rate = cabs(damping) + (rows > 0.0 ? slopes / rows : 0.0);
    s->velocity_factor = rate > 0.0 ? s->row_factor / rate : s->row_factor;
    const double _Complex factor[SHIFT_PARTS] = {[SHIFT_STIFFNESS] = 1.0,
                                                 [SHIFT_DAMPING] = damping,
                                                 [SHIFT_MASS] = mass,
                                                 [SHIFT_REACTIONS] = -s->row_factor,
                                                 [SHIFT_POSITION_ROWS] = s->row_factor,
                                                 [SHIFT_VELOCITY_ROWS] = s->velocity_factor * damping,
                                                 [SHIFT_ROW_SLOPES] = s->velocity_factor,
                                                 [SHIFT_STATE_FORCES] = -1.0,
                                                 [SHIFT_RATE_BY_PLACE] = 1.0,
                                                 [SHIFT_RATE_BY_MOTION] = damping,
                                                 [SHIFT_RATE_BY_STATE] = 1.0,
                                                 [SHIFT_UNIT] = -damping};
    for (size_t k = 0; k < s->blocks; k++)
        s->block[k].factor = factor[k];
}

/* E, real and positive; 1 of rows without entries. */
static void set_regularisation(eigen_shift *s)
{
    const tn_sparse *G = &s->work->linear->rows;
    double *sum = s->real;
    memset(sum, 0, s->size * sizeof *sum);
    for (uint32_t j = 0; j < s->nv; j++) {
        double diagonal = 0.0;
        for (int k = SHIFT_STIFFNESS; k <= SHIFT_MASS; k++)
            diagonal += cabs(s->block[k].factor) * fabs(tn_eigen_diagonal(&s->part[k], j));
        for (int32_t e = G->column_start[j]; e < G->column_start[j + 1]; e++)
            sum[G->row[e]] += diagonal > 0.0 ? G->value[e] * G->value[e] / diagonal : 0.0;
    }
    for (uint32_t r = 0; r < s->rows; r++)
        s->diagonal[s->nv + r] = sum[r] > 0.0 ? SHARE * s->row_factor * s->row_factor * sum[r] : 1.0;
}

static void fill(eigen_shift *s)
{
    tn_eigen_fill(&s->pattern, s->block, s->blocks, s->diagonal, s->value);
    s->largest = 0.0;
    for (int32_t e = 0; e < s->pattern.column_start[s->size]; e++) {
        s->number[e] = creal(s->value[e]);
        s->largest = fmax(s->largest, cabs(s->value[e]));
    }
}

tn_status tn_shift_factor(eigen_shift *s, double _Complex mass, double _Complex damping)
{
    const tn_own_matrices *matrices = s->work->matrices;
    s->is_real = cimag(mass) == 0.0 && cimag(damping) == 0.0;
    const int kind = s->is_real ? 0 : 1;
    set_factors(s, mass, damping);
    set_regularisation(s);
    fill(s);
    tn_status status = TN_OK;
    if (!s->opened[kind]) status = matrices->open(matrices, &s->pattern, (uint32_t)kind, &s->opened[kind]);
    if (status != TN_OK) return status;
    return matrices->factor(matrices, s->opened[kind], s->is_real ? s->number : (const double *)s->value);
}

/* ---- solutions -------------------------------------------------------------------------------------------------------- */

static double largest_of(const double _Complex *x, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, cabs(x[i]));
    return largest;
}

/* What a solution leaves of the right-hand side: of its forces, rows and rates. */
typedef struct leftover {
    double forces, rows, rates;
} leftover;

static leftover measure_rest(const eigen_shift *s)
{
    const double _Complex *rows = s->rest + s->nv;
    return (leftover){largest_of(s->rest, s->nv), largest_of(rows, s->rows),
                      largest_of(rows + s->rows, s->states)};
}

static leftover find_rest(eigen_shift *s, const double _Complex *b, const double _Complex *x)
{
    memcpy(s->rest, b, s->size * sizeof *s->rest);
    for (size_t k = 0; k < s->blocks; k++)
        tn_eigen_multiply_add_complex(s->block[k].part, -s->block[k].factor, x + s->block[k].column,
                                      s->rest + s->block[k].row);
    return measure_rest(s);
}

/* Whether another turn is worth while: some part is no round-off yet, and has become less by a half. */
static bool goes_on(leftover now, leftover before, double nothing)
{
    return (now.forces > nothing && now.forces < 0.5 * before.forces) ||
           (now.rows > nothing && now.rows < 0.5 * before.rows) ||
           (now.rates > nothing && now.rates < 0.5 * before.rates);
}

/* With a real matrix the parts of a right-hand side one by one. */
static tn_status solve_once(const eigen_shift *s, double _Complex *x)
{
    const tn_own_matrices *matrices = s->work->matrices;
    if (!s->is_real) return matrices->solve(matrices, s->opened[1], (double *)x);
    tn_status status = TN_OK;
    for (int part = 0; part < 2 && status == TN_OK; part++) {
        double *number = (double *)x + part;
        bool any = false;
        for (uint32_t i = 0; i < s->size; i++) {
            s->real[i] = number[2 * (size_t)i];
            any = any || s->real[i] != 0.0;
        }
        if (any) status = matrices->solve(matrices, s->opened[0], s->real);
        for (uint32_t i = 0; i < s->size && any; i++)
            number[2 * (size_t)i] = s->real[i];
    }
    return status;
}

tn_status tn_shift_solve(eigen_shift *s, double _Complex *b)
{
    double _Complex *x = s->answer;
    for (uint32_t r = s->nv; r < s->nv + s->rows; r++)
        b[r] *= s->velocity_factor;
    memset(x, 0, s->size * sizeof *x);
    memcpy(s->rest, b, s->size * sizeof *b);
    const double given = largest_of(b, s->size);
    leftover rest = measure_rest(s), before = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    tn_status status = TN_OK;
    for (int turn = 0; turn < MOST_TURNS && status == TN_OK; turn++) {
        if (!goes_on(rest, before, REFINED * given)) break;
        if (turn > 0) before = rest; // forces of the first one make the rest of the others
        status = solve_once(s, s->rest);
        for (uint32_t i = 0; i < s->size && status == TN_OK; i++)
            x[i] += s->rest[i];
        rest = find_rest(s, b, x);
    }
    const double left = fmax(rest.forces, fmax(rest.rows, rest.rates));
    if (status == TN_OK && left > WRONG * (given + s->largest * largest_of(x, s->nv))) status = TN_RETRY;
    memcpy(b, x, s->size * sizeof *b);
    return status;
}
