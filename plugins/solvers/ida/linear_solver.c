/* linear_solver.c - corrections of Newton's method: IDA's linear solver, made of the matrices and the linear solver of the model
 *
 * With phi the increments of q along its manifold, c = dy'/dy of the multistep formula, and P = c M - df/dv - df/dq / c:
 *
 *     c phi - dv - P^-1 G^T mu = r1              z = c phi - dv:   P z - G^T mu = P r1,   G z = c r4 - r5
 *     (c M - df/dv) dv - df/dq phi - G^T dl = r2                   P dv - G^T dl = r2 + df/dq z / c,   G dv = r5
 *     G phi = r4,   G dv = r5
 *
 * r1 ... r5 being what the equations of q, v, g and dg/dt lack: two solutions with one bordered matrix. Gear, Gupta and Leimkuhler add
 * G^T mu to q' as it is; here it is taken in the metric of P, so that lengths, angles, light and heavy bodies go along. mu itself, which
 * vanishes as the step does, is found anew by each iteration. The change of G v with q is found by evaluation, where phi is large
 * enough to matter. What is left out, the turning of body axes within a correction, is of order h: it costs contraction, no accuracy. */
#include "ida.h"

#define SMALL_MOVE 1e-3 /* of a coordinate, in tolerances: it brings no error of velocities about */

#define FULL     \
    {            \
        1.0, 0.0 \
    }
#define NONE     \
    {            \
        0.0, 0.0 \
    }

static tn_coefficients coefficients_of(double c) { return (tn_coefficients){{c, 0.0}, FULL, {1.0 / c, 0.0}}; }

/* ---- the Jacobian ---------------------------------------------------------------------------------------- */

static tn_status differentiate(ida_work *work, double time, const double *y, const double *slope)
{
    tn_system *system = work->system;
    work->c_factored = 0.0;
    tn_ida_write_state(work, time, y, slope);
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    memcpy(work->q_jacobian, system->q, system->nq * sizeof(double));
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK && work->reads_reactions) status = system->accelerate(system, work->z);
    if (status == TN_OK && system->nv) status = work->equations->differentiate(system);
    return status == TN_OK ? tn_ida_differentiate_states(work) : status;
}

static int jacobian(double time, double c, N_Vector y, N_Vector slope, TN_UNUSED N_Vector residual,
                    TN_UNUSED SUNMatrix matrix, void *data, TN_UNUSED N_Vector t1, TN_UNUSED N_Vector t2,
                    TN_UNUSED N_Vector t3)
{
    ida_work *work = data;
    work->c = c;
    return tn_ida_answer(work, differentiate(work, time, N_VGetArrayPointer(y), N_VGetArrayPointer(slope)));
}

static tn_status factor(ida_work *work, double c)
{
    tn_system *system = work->system;
    const tn_coefficients coefficients = coefficients_of(c);
    work->c_factored = 0.0;
    tn_status status = system->nv ? work->equations->factor_real(system, &coefficients, c) : TN_OK;
    if (status != TN_OK) return status;
    work->c_factored = c;
    status = tn_ida_factor_states(work);
    if (status != TN_OK) work->c_factored = 0.0;
    return status;
}

static int set_up(SUNLinearSolver solver, TN_UNUSED SUNMatrix matrix)
{
    ida_work *work = solver->content;
    return tn_ida_answer(work, factor(work, work->c));
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

static void turn(const ida_work *work, const double *from, const double *to, double *first, double *second)
{
    tn_system *system = work->system;
    if (!system->vector_space) system->transport(system, from, to, first, first, second, second);
}

tn_status tn_ida_solve_bordered(ida_work *work, double *right)
{
    tn_system *system = work->system;
    const double c = work->c_factored;
    double *multiplier = right + system->nv;
    if (!system->nv) return TN_OK;
    for (uint32_t r = 0; r < system->rows; r++)
        multiplier[r] *= c;
    const tn_status status = work->equations->solve_real(system, right);
    for (uint32_t r = 0; r < system->rows; r++)
        multiplier[r] *= c;
    return status;
}

/* Rows that depend on each other leave directions of multipliers open: lambda has nothing in these. What a correction left there would
 * go on by the polynomials of the prediction, and grow. (S + E)^-1 E leaves null directions as they are and shares of E of others, the
 * second time the square of those. */
static tn_status clean(ida_work *work, double *multiplier)
{
    tn_system *system = work->system;
    const double c = work->c_factored, *own = work->equations->regularisation;
    double *part = work->part, *part_rows = part + system->nv;
    memcpy(part_rows, multiplier, system->rows * sizeof(double));
    for (uint32_t k = 0; k < system->dependent_rows; k++) {
        memset(part, 0, system->nv * sizeof(double));
        for (uint32_t r = 0; r < system->rows; r++)
            part_rows[r] *= c * own[r];
        const tn_status status = work->equations->solve_real(system, part);
        if (status != TN_OK) return status;
    }
    for (uint32_t r = 0; r < system->rows && system->dependent_rows; r++)
        multiplier[r] -= part_rows[r];
    return TN_OK;
}

/* z from r1 in `z`; mu goes behind lambda in `multipliers` of the correction. */
static tn_status solve_for_positions(ida_work *work, const double *position, const double *velocity,
                                     double *mu)
{
    tn_system *system = work->system;
    const double c = work->c_factored;
    const tn_coefficients coefficients = coefficients_of(c);
    if (!system->rows) return TN_OK;
    work->equations->multiply(system, &coefficients, work->z, work->right);
    work->equations->multiply_rows(system, work->z, work->rows);
    for (uint32_t r = 0; r < system->rows; r++)
        work->right[system->nv + r] =
            system->row_level[r] == TN_POSITION_ROW ? c * position[r] - velocity[r] : work->rows[r];
    const tn_status status = tn_ida_solve_bordered(work, work->right);
    memcpy(work->z, work->right, system->nv * sizeof(double));
    for (uint32_t r = 0; r < system->rows; r++)
        mu[r] = work->right[system->nv + r] - work->multipliers[system->rows + r];
    return status;
}

/* dv and dlambda of fixed states, in `right`, from r2 in `force`. */
static tn_status solve_for_velocities(ida_work *work, const double *velocity)
{
    tn_system *system = work->system;
    const double c = work->c_factored;
    const tn_coefficients stiffness = {NONE, NONE, {-1.0 / c, 0.0}}, mass = {FULL, NONE, NONE};
    if (work->reads_reactions) {
        memcpy(work->part, work->force, system->nv * sizeof(double));
        work->equations->multiply(system, &mass, work->part, work->force);
    }
    work->equations->multiply(system, &stiffness, work->z, work->right);
    for (uint32_t i = 0; i < system->nv; i++)
        work->right[i] += work->force[i];
    memcpy(work->right + system->nv, velocity, system->rows * sizeof(double));
    return tn_ida_solve_bordered(work, work->right);
}

/* r1 and r2, in the axes of the Jacobian. */
static tn_status enter(ida_work *work, const double *b)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    memcpy(work->force, b + work->at_v, nv * sizeof(double));
    if (system->vector_space) {
        memcpy(work->z, b, nv * sizeof(double));
        return TN_OK;
    }
    memcpy(work->q_now, system->q, system->nq * sizeof(double));
    memcpy(work->v_now, system->v, nv * sizeof(double));
    memcpy(system->q, work->q_residual, system->nq * sizeof(double));
    const tn_status status = tn_ida_read_kinematics(work);
    memcpy(system->q, work->q_now, system->nq * sizeof(double));
    memcpy(system->v, work->v_now, nv * sizeof(double));
    if (status != TN_OK) return status;
    tn_ida_tangential(work, b, work->z);
    turn(work, system->q, work->q_jacobian, work->z, work->force);
    return TN_OK;
}

/* phi, in the axes of now, into `force`; whether it is large. */
static bool find_move(ida_work *work)
{
    const tn_system *system = work->system;
    const double *size = system->scale;
    const tn_run *run = system->run;
    const double share =
        SMALL_MOVE * work->settings->strictness * fmax(run->relative_tolerance, run->absolute_tolerance);
    bool large = false;
    for (uint32_t i = 0; i < system->nv; i++) {
        work->force[i] = (work->right[i] + work->z[i]) / work->c_factored;
        large = large || fabs(work->force[i]) > share * size[i];
    }
    turn(work, work->q_jacobian, system->q, work->force, NULL);
    return large;
}

/* The rates of rows change with q, too: what phi makes of them goes to dv, and phi stays. */
static tn_status follow_rows(ida_work *work, const double *velocity, double *mu)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv, rows = system->rows;
    double *right = work->move;
    if (!rows || !find_move(work)) return TN_OK;
    memcpy(work->q_now, system->q, system->nq * sizeof(double));
    tn_status status = system->retract(system, work->q_now, work->force, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->constraint_rate(system, work->rows);
    memcpy(system->q, work->q_now, system->nq * sizeof(double));
    if (status == TN_RETRY) return TN_OK; // the next residual will tell
    if (status != TN_OK) return status;
    memset(right, 0, nv * sizeof(double));
    for (uint32_t r = 0; r < rows; r++)
        right[nv + r] = -work->rows[r] - velocity[r];
    status = tn_ida_solve_bordered(work, right);
    for (uint32_t i = 0; i < nv; i++) {
        work->right[i] += right[i];
        work->z[i] -= right[i];
    }
    for (uint32_t r = 0; r < rows; r++) {
        work->right[nv + r] += right[nv + r];
        mu[r] -= right[nv + r];
    }
    return status;
}

/* The correction x for what the equations lack, b. The system stands at the state of the last residual. */
static tn_status correct(ida_work *work, const double *b, double *x)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv, rows = system->rows;
    const double *position = b + work->at_lambda, *velocity = b + work->at_mu;
    if (work->is_empty) x[0] = b[0] / work->c_factored;
    tn_status status = enter(work, b);
    if (nv && status == TN_OK) status = solve_for_positions(work, position, velocity, x + work->at_mu);
    if (nv && status == TN_OK) status = solve_for_velocities(work, velocity);
    if (nv && status == TN_OK) status = follow_rows(work, velocity, x + work->at_mu);
    if (status != TN_OK) return status;
    tn_ida_solve_states(work, b + work->at_x, x + work->at_x);
    double *lambda = work->right + nv;
    for (uint32_t r = 0; r < rows && !work->reads_reactions; r++)
        lambda[r] += work->multipliers[r];
    status = clean(work, lambda);
    if (status != TN_OK) return status;

    for (uint32_t i = 0; i < nv; i++)
        work->z[i] = (work->right[i] + work->z[i]) / work->c_factored;
    turn(work, work->q_jacobian, system->q, work->z, work->right);
    tn_ida_numbers(work, work->z, 1.0 / ((1.0 + IDA_RETURN) * work->c_factored), x);
    memcpy(x + work->at_v, work->right, nv * sizeof(double));
    for (uint32_t r = 0; r < rows; r++)
        x[work->at_lambda + r] = lambda[r] - work->multipliers[r];
    return TN_OK;
}

/* IDA keeps factors while c changes by less than its bounds; new ones of the same Jacobian cost less than iterations. */
static int solve(SUNLinearSolver solver, TN_UNUSED SUNMatrix matrix, N_Vector x, N_Vector b,
                 TN_UNUSED double tolerance)
{
    ida_work *work = solver->content;
    (void)IDAGetCurrentCj(work->ida, &work->c);
    tn_status status = work->c_factored == work->c ? TN_OK : factor(work, work->c);
    if (status == TN_OK) status = correct(work, N_VGetArrayPointer(b), N_VGetArrayPointer(x));
    return tn_ida_answer(work, status);
}

/* ---- objects of SUNDIALS --------------------------------------------------------------------------------- */

static SUNLinearSolver_Type type_of(TN_UNUSED SUNLinearSolver solver) { return SUNLINEARSOLVER_DIRECT; }
static SUNLinearSolver_ID solver_name(TN_UNUSED SUNLinearSolver solver) { return SUNLINEARSOLVER_CUSTOM; }
static SUNMatrix_ID matrix_name(TN_UNUSED SUNMatrix matrix) { return SUNMATRIX_CUSTOM; }
static int initialise(TN_UNUSED SUNLinearSolver solver) { return 0; }
static int set_to_zero(TN_UNUSED SUNMatrix matrix) { return 0; }

tn_status tn_ida_make_linear_solver(ida_work *work)
{
    work->linear = SUNLinSolNewEmpty(work->context);
    work->matrix = SUNMatNewEmpty(work->context);
    if (!work->linear || !work->matrix) return TN_OUT_OF_MEMORY;
    work->linear->content = work;
    work->linear->ops->gettype = type_of;
    work->linear->ops->getid = solver_name;
    work->linear->ops->initialize = initialise;
    work->linear->ops->setup = set_up;
    work->linear->ops->solve = solve;
    work->matrix->content = work;
    work->matrix->ops->getid = matrix_name;
    work->matrix->ops->zero = set_to_zero;
    if (IDASetLinearSolver(work->ida, work->linear, work->matrix) != IDA_SUCCESS ||
        IDASetJacFn(work->ida, jacobian) != IDA_SUCCESS ||
        IDASetLinearSolutionScaling(work->ida, SUNFALSE) != IDA_SUCCESS)
        return TN_OUT_OF_MEMORY;
    return TN_OK;
}
