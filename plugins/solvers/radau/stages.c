/* stages.c - the three stages of a step: where they start, what they leave of their equations, and the matrices that correct them
 *
 *     theta_i = h sum_j a_ij theta'_j,   theta' = dexp^-1(theta) v,    q_i = q0 [+] theta_i
 *     a_i = (1/h) sum_j w_ij (v_j - v0),   W = A^-1
 *     M a_i = f + G^T lambda_i,   0 = g(q_i, t_i),   0 = A v_i + b,    (1/h) sum_j w_ij (x_j - x0) = x'_i
 *
 * The increments theta are not corrected by themselves: they follow the velocities, sweep by sweep, until all is converged. */
#include "radau.h"

enum { FIRST_SWEEPS = 4, SWEEPS = 2 };

/* ---- starts ---------------------------------------------------------------------------------------------- */

void tn_radau_interpolation_weights(double t, double *weight)
{
    for (int i = 0; i < STAGES; i++) {
        double product = t / radau_node[i];
        for (int j = 0; j < STAGES; j++)
            if (j != i) product *= (t - radau_node[j]) / (radau_node[i] - radau_node[j]);
        weight[i] = product;
    }
}

/* How much further a polynomial of the step before goes behind its end. */
static void continue_numbers(const double *weight, double *const kept[STAGES], const double *start,
                             uint32_t count, double *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = start[i] + weight[0] * kept[0][i] + weight[1] * kept[1][i] + (weight[2] - 1.0) * kept[2][i];
}

static void start_stage(radau_work *work, uint32_t stage, double h)
{
    const tn_system *system = work->system;
    const double before = work->stand.polynomial_step, ahead = radau_node[stage] * h;
    double weight[STAGES];
    if (before > 0.0) {
        tn_radau_interpolation_weights(1.0 + ahead / before, weight);
        continue_numbers(weight, work->v_kept, work->start.v, system->nv, work->v[stage]);
        continue_numbers(weight, work->x_kept, work->start.x, system->nx, work->x[stage]);
        return;
    }
    for (uint32_t i = 0; i < system->nv; i++)
        work->v[stage][i] = work->start.v[i] + ahead * work->start.a[i];
    for (uint32_t i = 0; i < system->nx; i++)
        work->x[stage][i] = work->start.x[i] + ahead * work->start.x_rate[i];
}

/* Multipliers go on from those of the last accepted states: what rows that depend on each other leave open in the stages is not
 * carried over. */
static void start_multipliers(radau_work *work, uint32_t stage, double h)
{
    const double between = work->stand.lambda_step;
    const double share = between > 0.0 ? fmin(radau_node[stage] * h / between, 2.0) : 0.0;
    for (uint32_t r = 0; r < work->system->rows; r++)
        work->lambda[stage][r] =
            work->start.lambda[r] + share * (work->start.lambda[r] - work->lambda_before[r]);
}

static void sweep(radau_work *work, double h)
{
    const tn_system *system = work->system;
    for (int j = 0; j < STAGES; j++)
        tn_radau_chart_rate(system, work->theta[j], work->v[j], work->theta_rate[j]);
    for (int i = 0; i < STAGES; i++)
        for (uint32_t k = 0; k < system->nv; k++)
            work->theta[i][k] =
                h * (radau_a[i][0] * work->theta_rate[0][k] + radau_a[i][1] * work->theta_rate[1][k] +
                     radau_a[i][2] * work->theta_rate[2][k]);
}

void tn_radau_move_stages(radau_work *work, double h)
{
    for (int k = 0; k < (work->system->vector_space ? 1 : SWEEPS); k++)
        sweep(work, h);
}

void tn_radau_start_stages(radau_work *work, double h)
{
    const tn_system *system = work->system;
    for (uint32_t i = 0; i < STAGES; i++) {
        start_stage(work, i, h);
        start_multipliers(work, i, h);
        for (uint32_t k = 0; k < system->nv; k++)
            work->theta[i][k] = radau_node[i] * h * work->start.v[k];
    }
    for (int k = 0; k < (system->vector_space ? 1 : FIRST_SWEEPS); k++)
        sweep(work, h);
}

void tn_radau_turn(const radau_work *work, const double *from, const double *to, double *vector,
                   double *second)
{
    tn_system *system = work->system;
    if (!system->vector_space) system->transport(system, from, to, vector, vector, second, second);
}

/* ---- residuals ------------------------------------------------------------------------------------------- */

tn_status tn_radau_enter_stage(radau_work *work, uint32_t stage, double time)
{
    tn_system *system = work->system;
    system->time = time;
    memcpy(system->x, work->x[stage], system->nx * sizeof(double));
    memcpy(system->lambda, work->lambda[stage], system->rows * sizeof(double));
    const tn_status status = system->retract(system, work->start.q, work->theta[stage], system->q);
    if (status == TN_OK)
        system->transport(system, work->start.q, system->q, work->v[stage], system->v, work->a[stage],
                          system->a);
    return status;
}

tn_status tn_radau_enter_middle(radau_work *work, double h)
{
    for (uint32_t k = 0; k < work->system->nv; k++)
        work->a[1][k] = work->start.a[k];
    return tn_radau_enter_stage(work, 1, work->stand.start + radau_node[1] * h);
}

/* Residuals of position rows, and values of velocity rows. */
static tn_status find_rows(radau_work *work, double *rows)
{
    tn_system *system = work->system;
    tn_status status = system->constraint(system, rows);
    if (status != TN_OK || !system->velocity_rows) return status;
    status = system->constraint_rate(system, work->rows);
    for (uint32_t r = 0; r < system->rows; r++)
        if (system->row_level[r] == TN_VELOCITY_ROW) rows[r] = work->rows[r];
    return status;
}

/* Against accelerations that satisfy all rows: M and G times what the stage differs by. */
static tn_status compare_accelerations(radau_work *work, uint32_t stage)
{
    tn_system *system = work->system;
    const tn_coefficients mass = {{1.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    double *difference = work->product;
    const tn_status status = system->accelerate(system, difference);
    if (status != TN_OK) return status;
    for (uint32_t k = 0; k < system->nv; k++)
        difference[k] = system->a[k] - difference[k];
    memcpy(work->lambda[stage], system->lambda, system->rows * sizeof(double));
    tn_radau_turn(work, system->q, work->q_jacobian, difference, NULL);
    if (!system->nv) return TN_OK;
    work->equations->multiply(system, &mass, difference, work->residual[stage]);
    work->equations->multiply_rows(system, difference, work->residual[stage] + system->nv);
    return TN_OK;
}

static tn_status find_residual(radau_work *work, uint32_t stage)
{
    tn_system *system = work->system;
    double *residual = work->residual[stage];
    if (work->at_index_1) return compare_accelerations(work, stage);
    tn_status status = system->residual(system, system->a, residual);
    if (status == TN_OK) tn_radau_turn(work, system->q, work->q_jacobian, residual, NULL);
    return status == TN_OK && system->rows ? find_rows(work, residual + system->nv) : status;
}

static tn_status evaluate_stage(radau_work *work, uint32_t stage, double h)
{
    tn_system *system = work->system;
    tn_status status = tn_radau_enter_stage(work, stage, work->stand.start + radau_node[stage] * h);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = tn_radau_note_stage(work, stage);
    if (status == TN_OK) status = find_residual(work, stage);
    memcpy(work->x_rate[stage], system->x_rate, system->nx * sizeof(double));
    return status;
}

/* sum_j w_ij (y_j - y0) / h */
static void derive(const double *row, double *const y[STAGES], const double *y0, uint32_t count, double h,
                   double *rate)
{
    for (uint32_t k = 0; k < count; k++)
        rate[k] = (row[0] * (y[0][k] - y0[k]) + row[1] * (y[1][k] - y0[k]) + row[2] * (y[2][k] - y0[k])) / h;
}

tn_status tn_radau_evaluate_stages(radau_work *work, double h)
{
    const tn_system *system = work->system;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < STAGES && status == TN_OK; i++) {
        derive(radau_inverse[i], work->v, work->start.v, system->nv, h, work->a[i]);
        status = evaluate_stage(work, i, h);
        derive(radau_inverse[i], work->x, work->start.x, work->states, h, work->x_residual[i]);
        for (uint32_t k = 0; k < work->states; k++)
            work->x_residual[i][k] -= work->x_rate[i][k];
    }
    return status;
}

/* ---- matrices -------------------------------------------------------------------------------------------- */

tn_status tn_radau_differentiate(radau_work *work)
{
    tn_system *system = work->system;
    work->stand.jacobian_age = -1.0;
    work->stand.factor_step = 0.0;
    memcpy(work->q_jacobian, system->q, system->nq * sizeof(double));
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_radau_note_jacobian(work);
    if (status == TN_OK && system->nv) status = work->equations->differentiate(system);
    if (status == TN_OK) status = tn_radau_differentiate_states(work);
    if (status == TN_OK) work->stand.jacobian_age = 0.0;
    return status;
}

/* s M - df/dv - df/dq / s with s = gamma/h, or (alpha + i beta)/h: the correction of theta is that of v over s. */
tn_status tn_radau_factor(radau_work *work, double h)
{
    tn_system *system = work->system;
    const double square = RADAU_ALPHA * RADAU_ALPHA + RADAU_BETA * RADAU_BETA;
    const tn_coefficients of_real = {{RADAU_GAMMA / h, 0.0}, {1.0, 0.0}, {h / RADAU_GAMMA, 0.0}};
    const tn_coefficients of_complex = {
        {RADAU_ALPHA / h, RADAU_BETA / h}, {1.0, 0.0}, {h * RADAU_ALPHA / square, -h * RADAU_BETA / square}};
    work->stand.factor_step = 0.0;
    tn_status status = TN_OK;
    system->row_factor = RADAU_GAMMA / h;
    if (system->nv) status = work->equations->factor_real(system, &of_real, system->row_factor);
    if (status == TN_OK && system->nv)
        status = work->equations->factor_complex(system, &of_complex, system->row_factor);
    if (status == TN_OK) status = tn_radau_factor_states(work, h);
    if (status == TN_OK) work->stand.factor_step = h;
    return status;
}
